"""The public interface: its names, its hints, and the order of the rooms."""

import ast
import inspect
import io
import os
import subprocess
import sys
import sysconfig
import tokenize
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

import pytest

import pegasos_edu
import tasks
from pegasos_edu.solvers.relatives import adagrad, mirror_descent, sgd
from pegasos_edu.solvers.run import prepare
from pegasos_edu.solvers.signatures import (
    Adaptive,
    Mirrored,
    OnASet,
    Shared,
    Solver,
)
from tests.library.problems import SOLVERS, TAKE_SPARSE


def program(name, *arguments, folder=tasks.ROOT):
    """The exit status of a checker run in a folder, and what it says."""
    outside = {**os.environ, "PYTHONPATH": "", "MYPYPATH": ""}
    arguments = [*arguments, *tasks.cache_options(name)]
    done = subprocess.run(
        [Path(sysconfig.get_path("scripts"), name), *map(str, arguments)],
        cwd=folder,
        capture_output=True,
        text=True,
        env=outside,
    )
    return done.returncode, done.stdout + done.stderr


PUBLIC = {
    "PegasosClassifier": "pegasos_edu.estimator",
    "draw_order": "pegasos_edu.solvers.orders",
    "explore": "pegasos_edu.live.pegasos",
    "minimise": "pegasos_edu.certificate.optimum",
    "objective": "pegasos_edu.problem.objective",
    "optimum": "pegasos_edu.certificate.optimum",
    "pegasos": "pegasos_edu.solvers.dense",
    "subgradient": "pegasos_edu.problem.objective",
}


def test_the_package_shows_its_public_names_only():
    assert sorted(dir(pegasos_edu)) == sorted([*PUBLIC, "__version__"])
    assert pegasos_edu.__version__ == version("pegasos-edu")
    for name, module in PUBLIC.items():
        wanted = getattr(import_module(module), name)
        assert getattr(pegasos_edu, name) is wanted
    with pytest.raises(AttributeError, match="no attribute 'pegasus'"):
        pegasos_edu.pegasus  # noqa: B018


@pytest.mark.parametrize("rung", SOLVERS.values(), ids=SOLVERS)
def test_hints_name_the_arguments_there_are(rung):
    _, *hinted = inspect.signature(Solver.__call__).parameters.values()
    shared = inspect.signature(prepare).parameters.values()
    called = inspect.signature(rung).parameters.values()
    plain = [each.replace(annotation=each.empty) for each in hinted]
    assert plain == list(shared) == list(called)


@pytest.mark.parametrize(
    "method, hints",
    [(sgd, OnASet), (mirror_descent, Mirrored), (adagrad, Adaptive)],
)
def test_hints_name_the_arguments_of_a_relative(method, hints):
    _, *hinted, _ = inspect.signature(hints.__call__).parameters.values()
    called = inspect.signature(method).parameters
    named = [each.name for each in hinted]
    assert sorted([*named, *Shared.__annotations__]) == sorted(called)
    for each in hinted:
        assert each.replace(annotation=each.empty) == called[each.name]
    shared = inspect.signature(Solver.__call__).parameters
    for name, hint in Shared.__annotations__.items():
        assert hint == shared[name].annotation


NO_CODE = {
    tokenize.COMMENT,
    tokenize.NL,
    tokenize.NEWLINE,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
}
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef)


def lines_of_code(text):
    """How many lines are neither docstring, comment nor blank."""
    lines = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NO_CODE:
            lines |= {*range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node):
            said = node.body[0]
            lines -= {*range(said.lineno, said.end_lineno + 1)}
    return len(lines)


def test_lines_of_code_are_counted():
    text = '"""A module\n\nof two lines."""\n\n# why\nx = """a\n\n"""\n'
    text += '\n\ndef f():\n    "Says."\n    return (\n        1\n    )\n'
    assert lines_of_code(text) == 3 + 1 + 3


def test_the_reference_stays_small():
    """dense, sparse, losses and steps: what a reader of them reads."""
    rooms = tasks.ROOT / "pegasos_edu"
    files = ["solvers/dense", "solvers/sparse", "solvers/steps"]
    files.append("problem/losses")
    texts = [(rooms / f"{name}.py").read_text("utf-8") for name in files]
    assert 100 < sum(map(lines_of_code, texts)) < 217


def test_what_surrounds_the_reference_stays_small():
    """What a reader of `@solver` and of the run behind it reads."""
    rooms = tasks.ROOT / "pegasos_edu"
    files = ["problem/checks", "solvers/run", "solvers/solver"]
    texts = [(rooms / f"{name}.py").read_text("utf-8") for name in files]
    assert 100 < sum(map(lines_of_code, texts)) < 560


@pytest.mark.processes
@pytest.mark.parametrize("command", tasks.CHECKS, ids=" ".join)
def test_the_code_passes_its_checks(command):
    status, said = program(*command)
    assert status == 0, said


def test_the_code_is_formatted():
    status, said = program("ruff", "format", "--check", ".")
    assert status == 0, said


CALLS = """
from pegasos_edu import PegasosClassifier, draw_order, optimum, pegasos
from pegasos_edu.solvers import closed_form, compiled, loop, sparse
from pegasos_edu.solvers import relatives as other

X, y = [[1.0], [2.0]], [1, -1]
pegasos(X, y, 0.1, 5, seed=1).last.sum()
for rung in (closed_form, compiled, loop, sparse):
    rung.pegasos(X, y, 0.1, order=[0, 1], radius=1.0, loss="log")
other.gradient_descent(X, y, 0.1, 5).last.sum()
other.sgd(X, y, 0.1, 5, seed=1, ball="l1", radius=1.0).average
other.mirror_descent(X, y, 0.1, order=[0], lazy=True).last.sum()
other.exponentiated_gradient(X, y, 0.1, order=[0], radius=1.0)
other.adagrad(X, y, 0.1, 5, seed=1, delta=0.1, step=lambda t: 1.0)
"""
TYPOS = {
    "pegasos(X, y, 0.1, 5, sed=1)": 'Unexpected keyword argument "sed"',
    "sparse.pegasos(X, y, 0.1, sed=1)": 'Unexpected keyword argument "sed"',
    "pegasos(X, y, '0.1', 5, seed=1)": 'incompatible type "str"',
    "pegasos(X, y, 0.1, 5, seed=1, loss='square')": "incompatible type",
    "other.gradient_descent(X, y, 0.1, 5, sed=1)": '"sed"',
    "other.sgd(X, y, 0.1, 5, sed=1)": 'Unexpected keyword argument "sed"',
    "other.sgd(X, y, 0.1, 5, seed=1, ball='l3')": "incompatible type",
    "other.mirror_descent(X, y, 0.1, order=[0], lasy=True)": '"lasy"',
    "other.exponentiated_gradient(X, y, 0.1, order=[0], bal='l1')": '"bal"',
    "other.adagrad(X, y, 0.1, 5, seed=1, delta='no')": "incompatible type",
    "draw_order(3, 5)": 'Missing named argument "seed"',
    "optimum(X, y, 0.1).wt": 'has no attribute "wt"',
    "PegasosClassifier(lamb=1.0)": 'Unexpected keyword argument "lamb"',
}


@pytest.mark.processes
def test_a_typo_is_a_type_error(tmp_path):
    """The calls above stand; each typo below is found, with its line.

    From a folder of somebody else's, where only what is installed is seen.
    """
    file = tmp_path / "calls.py"
    file.write_text(CALLS + "\n".join(TYPOS) + "\n", "utf-8")
    # The settings are those of the check above, so what it kept serves.
    settings = tasks.ROOT / "pyproject.toml"
    kept = tasks.ROOT / ".mypy_cache"
    options = ["--config-file", settings, "--cache-dir", kept]
    options += ["--python-executable", sys.executable]
    status, said = program("mypy", file.name, *options, folder=tmp_path)
    assert status == 1
    first = CALLS.count("\n") + 1
    for line, expected in enumerate(TYPOS.values(), start=first):
        found = [row for row in said.splitlines() if f".py:{line}:" in row]
        assert any(expected in row for row in found), (line, said)
    for line in range(1, first):
        assert f"calls.py:{line}:" not in said


def run_without(missing, module, name="__main__"):
    """A module run where another one cannot be imported."""
    code = (
        f"import sys; sys.modules[{missing!r}] = None; import runpy; "
        f"runpy.run_module({module!r}, run_name={name!r})"
    )
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )


@pytest.mark.processes
@pytest.mark.parametrize(
    "missing, module",
    [
        ("nbgrader", "grading"),
        ("psutil", "grading"),
        ("nbformat", "grading"),
        ("nbgrader", "grading.release"),
        ("nbformat", "grading.edition"),
        ("nbgrader", "grading.similarity"),
    ],
)
def test_grading_without_its_extra_says_which(missing, module):
    done = run_without(missing, f"pegasos_edu.{module}")
    assert done.returncode == 1
    assert done.stderr.strip() == (
        f"Grading needs {missing}, which is not installed; expected the "
        'extra: pip install -e ".[grading]" in the project\'s folder, or '
        "pip install with [grading] after the name of the wheel."
    )


@pytest.mark.processes
@pytest.mark.parametrize(
    "missing", ["pegasos_edu.grading.running.course", "tempfile"]
)
def test_a_module_that_no_extra_brings_is_no_matter_of_the_extra(missing):
    """One of our own, or of Python: whoever mends it wants the traceback."""
    done = run_without(missing, "pegasos_edu.grading.edition")
    assert done.returncode == 1
    assert "Traceback" in done.stderr and "extra" not in done.stderr
    assert f"import of {missing} halted" in done.stderr.splitlines()[-1]


@pytest.mark.processes
def test_who_imports_a_command_gets_the_error_itself():
    done = run_without("nbgrader", "pegasos_edu.grading.release", "elsewhere")
    assert "ModuleNotFoundError" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("name", PUBLIC)
def test_the_hints_are_those_that_were_written(name):
    """Old Pythons would show what ArrayLike is made of instead."""
    shown = str(inspect.signature(getattr(pegasos_edu, name)))
    for inner in ("_SupportsArray", "_NestedSequence", "numpy.ndarray["):
        assert inner not in shown


def test_help_speaks_of_this_solver():
    """Sparse data only where they are taken; the default step it has."""
    taken = "X : array_like or sparse matrix of shape (n, d)"
    for name, rung in SOLVERS.items():
        assert (taken in rung.__doc__) == (name in TAKE_SPARSE)
        assert ("memory maps" in rung.__doc__) == (name in TAKE_SPARSE)
        assert "By default η_t = 1/(λt)." in rung.__doc__
    assert "By default InverseSqrt(scale=1.0); None stands" in sgd.__doc__
    assert "By default Constant(eta=0.1); None stands" in adagrad.__doc__
    # No replacement has missed its place.
    for method in (sgd, adagrad):
        assert "sparse matrix" not in method.__doc__
        assert "By default η_t" not in method.__doc__
