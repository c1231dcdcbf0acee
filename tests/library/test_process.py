"""What only a fresh process shows: memory, threads, imports, no numba."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

import pegasos_edu
from pegasos_edu.solvers import compiled, dense, sparse
from tests.library.problems import TAKE_SPARSE, random_csr, random_problem

pytestmark = pytest.mark.processes


def run(code, *arguments, **variables):
    """Output of a Python program in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, *map(str, arguments)],
        capture_output=True,
        text=True,
        env={**os.environ, **variables},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# Data larger than the memory

LIMITED = """
import resource, sys
import numpy as np
import scipy.sparse as sp
from pegasos_edu.solvers import {rung}

def fits(megabytes):
    try:
        np.ones(megabytes * 2**17)
    except MemoryError:
        return False
    return True

folder, n, d = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
{rung}.pegasos([[1.0], [2.0]], [1, -1], 0.1, 9, seed=0)  # what imports need
used = int(next(
    line for line in open("/proc/self/status") if line.startswith("VmData")
).split()[1]) * 1024
resource.setrlimit(resource.RLIMIT_DATA, (used + 64 * 2**20,) * 2)
y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
{load}
assert not fits(128), "the limit does not hold"
order = np.arange(20_000) % (n - 2) + 1  # all rows between are zero
order[:2] = 0, n - 1
run = {rung}.pegasos(X, y, 0.01, order=order)
run.last.tofile(folder + "/last")
"""
DENSE = """
X = np.memmap(folder + "/X", dtype="{dtype}", mode="r", shape=(n, d))
"""
CSR = """
data = np.memmap(folder + "/X", dtype="{dtype}", mode="r", shape=(n * d,))
columns = np.memmap(folder + "/columns", np.int32, "r", shape=(n * d,))
starts = np.arange(n + 1, dtype=np.int32) * d
X = sp.csr_array((data, columns, starts), shape=(n, d))
"""


@pytest.mark.skipif(
    not os.path.exists("/proc/self/status"), reason="needs Linux's /proc"
)
@pytest.mark.parametrize(
    "rung, load, dtype",
    [
        ("compiled", DENSE, "float64"),
        ("dense", DENSE, "uint8"),
        ("compiled", CSR, "float64"),
    ],
    ids=["compiled-float64", "dense-uint8", "compiled-csr"],
)
def test_a_file_larger_than_the_memory(rung, load, dtype, tmp_path):
    """The file takes 256 MB; the run may use 64 MB.

    Both its rows that are not zero are drawn, x_1 first, then x_n, with
    y_1 = 1 and y_n = −1. Their margins are 0 and below: both violate. A
    row of zeros only shrinks, so w_{T+1} = (x_1 − x_n)/(λT).
    """
    d = 512
    n = 2**28 // (d * np.dtype(dtype).itemsize)
    with open(tmp_path / "X", "wb") as file:
        # Nothing is written for the zeros but the length of the file.
        file.truncate(2**28)
        first, last = (np.arange(d) % m for m in (251, 7))
        file.write(first.astype(dtype).tobytes())
        file.seek(-d * np.dtype(dtype).itemsize, os.SEEK_END)
        file.write(last.astype(dtype).tobytes())
    if load is CSR:
        columns = np.lib.format.open_memmap(
            tmp_path / "npy", "w+", np.int32, (n, d)
        )
        columns[:] = np.arange(d)
        columns.tofile(tmp_path / "columns")
    code = LIMITED.format(rung=rung, load=load.format(dtype=dtype))
    run(code, tmp_path, n, d)
    np.testing.assert_allclose(
        np.fromfile(tmp_path / "last"),
        (first - last) / (0.01 * 20_000),
        rtol=1e-11,
    )


def on_disk(array, path):
    """The array as a read-only file."""
    array.tofile(path)
    return np.memmap(path, array.dtype, "r", shape=array.shape)


def csr_on_disk(X, folder):
    return sp.csr_array(
        tuple(
            on_disk(part, folder / name)
            for part, name in (
                (X.data, "data"),
                (X.indices, "indices"),
                (X.indptr, "indptr"),
            )
        ),
        shape=X.shape,
    )


def test_a_file_gives_the_same_run(tmp_path):
    X, y = random_problem(seed=0)
    wanted = dense.pegasos(X, y, 0.1, T=200, seed=0)
    whole = on_disk(X, tmp_path / "X")
    csr = csr_on_disk(sp.csr_array(X), tmp_path)
    for name, solver in {**TAKE_SPARSE, "dense": dense.pegasos}.items():
        for data in (whole, csr)[: 1 if name == "dense" else 2]:
            found = solver(data, y, 0.1, T=200, seed=0)
            np.testing.assert_allclose(found.last, wanted.last, rtol=1e-11)


@pytest.mark.parametrize("solver", [compiled.pegasos, sparse.pegasos])
def test_only_the_rows_drawn_are_read(solver, tmp_path):
    """A NaN in another row of the file goes unnoticed; in one of them not."""
    X, y = random_problem(seed=0)
    X[7] = np.nan
    labelled = on_disk(np.column_stack([y, X]), tmp_path / "X")
    for data in (labelled[:, 1:], csr_on_disk(sp.csr_array(X), tmp_path)):
        run = solver(data, y, 0.1, order=[0, 5, 29])
        assert np.isfinite(run.last).all()
        with pytest.raises(ValueError, match="X holds nan in row 7, col"):
            solver(data, y, 0.1, order=[0, 7, 29])


def test_rows_in_a_file_must_be_in_order(tmp_path):
    X, y = random_csr(seed=0)
    X.indices[X.indptr[3] : X.indptr[4]] = X.indices[
        X.indptr[3] : X.indptr[4]
    ][::-1]
    data = csr_on_disk(X, tmp_path)
    for solver in TAKE_SPARSE.values():
        solver(data, y, 0.1, order=[2, 4])
        with pytest.raises(ValueError, match="unsorted or repeated column"):
            solver(data, y, 0.1, order=[2, 3])


# Threads

BITS = """
import hashlib
import numpy as np
from pegasos_edu.solvers import closed_form, compiled, dense, loop, sparse
rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 300)), np.tile([1.0, -1.0], 20)
bits = hashlib.sha256()
for rung in (loop, dense, sparse, closed_form, compiled):
    run = rung.pegasos(X, y, 0.01, 200, seed=1, k=2)
    bits.update(run.last.tobytes() + run.average.tobytes())
print(bits.hexdigest())
"""


def test_results_do_not_depend_on_the_number_of_threads():
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS")
    one, two = (
        run(BITS, **dict.fromkeys(names, count)) for count in ("1", "2")
    )
    assert one == two


# Compiled code

STEP = """
import sys
sys.path.insert(0, sys.argv[1])
from pegasos_edu.solvers import compiled, closed_form
assert compiled.__file__.startswith(sys.argv[1])
X, y = [[1.0], [-1.0]], [1, -1]
print(compiled.pegasos(X, y, 0.5, order=[0]).last)
advance = compiled.fastest(closed_form.advance)[0]
print(sum(advance.stats.cache_hits.values()))
"""


@pytest.mark.parametrize("place", ["beside the file", "of the user's"])
def test_compiled_code_follows_an_edit_of_what_it_calls(tmp_path, place):
    """Numba itself looks at the file of `advance`, not of the losses."""
    project = tmp_path / "project"
    names = shutil.ignore_patterns("__pycache__", "*.js")
    package = project / "pegasos_edu"
    shutil.copytree(Path(pegasos_edu.__file__).parent, package, ignore=names)
    cache = "" if place == "beside the file" else str(tmp_path / "cache")

    def last_and_hits():
        found = run(STEP, project, NUMBA_CACHE_DIR=cache).splitlines()
        return found[0], int(found[1])

    assert last_and_hits() == ("[2.]", 0)
    assert last_and_hits() == ("[2.]", 1)  # it is kept where nothing changed
    losses = package / "problem" / "losses.py"
    text = losses.read_text("utf-8")
    slope = "return -1.0 if score < scale"
    assert slope in text
    losses.write_text(text.replace(slope, slope.replace("1.0", "3.0", 1)))
    assert last_and_hits() == ("[6.]", 0)


# Without numba

WITHOUT_NUMBA = """
import sys, warnings
sys.modules["numba"] = None  # importing it fails now
import numpy as np
from pegasos_edu import PegasosClassifier, optimum
from pegasos_edu.solvers import compiled, sparse
rng = np.random.default_rng(0)
X, y = rng.normal(size=(40, 3)), np.tile([1.0, -1.0], 20)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for options in ({}, {"radius": 2.0}, {"loss": "log"}):
        found = compiled.pegasos(X, y, 0.01, 100, seed=1, **options)
        wanted = sparse.pegasos(X, y, 0.01, 100, seed=1, **options)
        assert np.allclose(found.last, wanted.last, rtol=1e-12, atol=0)
        assert np.allclose(found.average, wanted.average, rtol=1e-12, atol=0)
    assert optimum(X, y, 0.1).gap <= 1e-8
    PegasosClassifier(random_state=0, max_iter=5, tol=None).fit(X, y)
(one,) = caught
print(one.message)
print(one.filename)
"""


def test_without_numba_all_works_and_one_sentence_says_so():
    message, place = run(WITHOUT_NUMBA).splitlines()
    assert message == (
        "numba is not installed, so pegasos runs interpreted; `pip install "
        "numba` would make each step tens of times faster."
    )
    assert place == "<string>"  # the caller's line, not one of ours


# Imports

IMPORTED = """
import sys
import pegasos_edu
heavy = "matplotlib", "altair", "ipywidgets", "numba"
print([name for name in heavy if name in sys.modules])
pegasos_edu.PegasosClassifier
print("numba" in sys.modules, sorted(dir(pegasos_edu))[:0])
"""


def test_the_package_brings_no_heavy_library_with_it():
    assert run(IMPORTED).splitlines() == ["[]", "False []"]
