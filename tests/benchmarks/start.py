"""What it costs to begin: imports, the first call, and memory."""

import os
import subprocess
import sys
import tempfile

from tests.benchmarks import contenders
from tests.benchmarks.timing import spread

IMPORTS = """
import time, numpy, scipy.sparse, scipy.optimize, sklearn.linear_model
start = time.process_time()
import pegasos_edu
print(time.process_time() - start)
"""
FIRST_CALL = """
import time
import numpy as np, scipy.sparse as sp
from pegasos_edu.solvers import compiled
X, y = sp.eye(4, format="csr"), np.array([1.0, -1.0, 1.0, -1.0])
start = time.process_time()
import numba
imported = time.process_time()
compiled.pegasos(X, y, 0.1, order=[0, 1, 2, 3])
print(imported - start, time.process_time() - imported)
"""
MEMORY = """
import sys, warnings
from tests.benchmarks import contenders, sets
warnings.simplefilter("ignore")  # one pass does not converge, we know
def kilobytes(field):
    lines = open("/proc/self/status").read().splitlines()
    return next(int(l.split()[1]) for l in lines if l.startswith(field))
X, y = sets.text_like(n=100_000)
solver = getattr(contenders, sys.argv[1])
solver(X[:500], y[:500], 1e-4, 1)
open("/proc/self/clear_refs", "w").write("5")  # forget the peak so far
before = kilobytes("VmRSS")
solver(X, y, 1e-4, 1)
size = (X.data.nbytes + X.indices.nbytes + X.indptr.nbytes) / 1024
print((kilobytes("VmHWM") - before) / 1024, size / 1024)
"""
MEMORY_OF = (
    contenders.recipe,
    contenders.plain,
    contenders.dual_ascent,
    contenders.sgd,
    contenders.linear_svc,
)


def output_of(code, *arguments, **variables):
    """The numbers a fresh Python process prints."""
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments],
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    return [float(word) for word in done.stdout.split()]


def beginnings(rounds=3):
    """Seconds of imports and of the first compiled call."""
    imports = [output_of(IMPORTS)[0] for _ in range(rounds)]
    first, cached = [], []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            first.append(output_of(FIRST_CALL, NUMBA_CACHE_DIR=folder))
            cached.append(output_of(FIRST_CALL, NUMBA_CACHE_DIR=folder))
    return {
        "import pegasos_edu": spread(imports),
        "import numba": spread([pair[0] for pair in first + cached]),
        "first call": spread([pair[1] for pair in first]),
        "first call, cached": spread([pair[1] for pair in cached]),
    }


def memory():
    """Megabytes one pass needs on top of the data; None but on Linux."""
    if sys.platform != "linux":
        return None
    return {
        solver.__name__: dict(
            zip(("peak", "data"), output_of(MEMORY, solver.__name__))
        )
        for solver in MEMORY_OF
    }
