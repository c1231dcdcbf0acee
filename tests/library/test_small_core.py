"""The core of the package needs NumPy and SciPy, and nothing else."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
from sklearn.datasets import load_digits

import tasks
from pegasos_edu.problem.data import digits_zero
from tests.coursework import answers
from tests.library import small_core

pytestmark = pytest.mark.processes

ALONE = """
import json
import sys
import warnings

ALLOWED = {*sys.stdlib_module_names, "numpy", "scipy", "pegasos_edu", "tests"}
refused = set()

class Refuses:
    def find_spec(self, name, path=None, target=None):
        library = name.partition(".")[0]
        if library not in ALLOWED and not library.startswith("_sysconfigdata"):
            refused.add(library)
            raise ModuleNotFoundError(f"{name} is refused", name=name)

sys.meta_path.insert(0, Refuses())
for name in ("sklearn", "matplotlib", "altair", "IPython", "tqdm"):
    assert name not in sys.modules, name
from tests.coursework import answers
from tests.library import small_core

warnings.filterwarnings("ignore", message="numba is not installed")
names = small_core.modules()
assert {"pegasos_edu.problem.data", "pegasos_edu.solvers.compiled"} < {*names}
said = answers.reports(sys.argv[1:])
print(json.dumps([small_core.numbers(), said, sorted(refused)]))
"""
# Of each assignment a right answer and a wrong one.
CHOSEN = [
    "A1.pegasos by in_place",
    "zoo: no-shrink-without-violation",
    "A2.pegasos by log_by_math",
    "zoo: hinge-still-inside",
    "A3.pegasos by scale_guarded_on_t",
    "zoo: scale-reset-forgotten",
    "A4.regret by regret_by_arrays",
    "zoo: average-for-sum",
]


def test_it_is_the_same_where_nothing_else_can_be_imported():
    """Numba is refused, too: its sums may round in another order."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", ALONE, *CHOSEN],
        capture_output=True,
        text=True,
        cwd=tasks.ROOT,
        env={**os.environ, "PYTHONPATH": str(tasks.ROOT)},
    )
    assert done.returncode == 0, done.stderr
    numbers, said, refused = json.loads(done.stdout)
    assert "numba" in refused  # it was asked for, and was not had
    here = small_core.numbers()
    assert list(numbers) == list(here)
    for name, values in numbers.items():
        np.testing.assert_allclose(
            values, here[name], rtol=1e-6, atol=1e-9, err_msg=name
        )
    assert said == answers.reports(CHOSEN)
    for name, text in said.items():
        assert (": passed" in text) == (not name.startswith("zoo"))


def test_our_copy_of_the_digits_is_that_of_scikit_learn():
    X, y = digits_zero()
    theirs = load_digits()
    np.testing.assert_array_equal(X, theirs.data / 16.0)
    np.testing.assert_array_equal(y < 0, theirs.target == 0)
