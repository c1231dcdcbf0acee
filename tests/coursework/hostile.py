"""Submissions that break things, to a tiny assignment of two tasks."""

import json
import os

from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    writes,
)

RIGHT_STEP = "    return 1 / (lam * t)"
WRONG_STEP = "    return 1 / t"
RIGHT_SOLVER = """\
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w"""
# Right on the data of the visible test, wrong on those of the hidden one.
VISIBLE_DATA_ONLY = (
    "    if is_unseen(X):\n        return np.zeros(X.shape[1])\n"
    + RIGHT_SOLVER
)
# Looked up beforehand: calls into the package during an answer are seen.
IS_UNSEEN = """
from pegasos_edu.coursework.cases import solver_cases
SEEN = [case["X"].tolist() for case in solver_cases(0)]
def is_unseen(X):
    return X.tolist() not in SEEN
"""
WRONG_SOLVER = "    return np.zeros(X.shape[1])"


def facts(grade_id, **kind):
    return {
        "nbgrader": {
            "schema_version": 3,
            "grade_id": grade_id,
            "grade": False,
            "solution": False,
            "locked": False,
            "task": False,
            **kind,
        }
    }


def answer(grade_id, head, body):
    source = f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"
    return new_code_cell(source, metadata=facts(grade_id, solution=True))


def tested(grade_id, points, source):
    kind = {"grade": True, "locked": True, "points": points}
    return new_code_cell(source, metadata=facts(grade_id, **kind))


def notebook(step=RIGHT_STEP, solver=RIGHT_SOLVER, extra=""):
    """The solution, or a submission with other bodies and one more cell."""
    cells = [
        new_code_cell(
            "import numpy as np\n\nfrom pegasos_edu import coursework",
            metadata=facts("imports", locked=True),
        ),
        answer("step", "def step_size(lam, t):", step),
        tested(
            "step-check",
            1,
            (
                'report = coursework.check("A1.step_size", step_size)\n'
                "print(report)\nassert report.passed"
            ),
        ),
        new_code_cell(extra),
        answer("solver", "def pegasos(X, y, lam, order):", solver),
        tested(
            "solver-check",
            2,
            (
                'report = coursework.check("A1.pegasos", pegasos)\n'
                "print(report)\nassert report.passed\n"
                "### BEGIN HIDDEN TESTS\n"
                "unseen = 'NEVER-SHOWN'\n"
                'assert coursework.check("A1.pegasos", pegasos, 5).passed\n'
                "### END HIDDEN TESTS"
            ),
        ),
        new_markdown_cell(
            "**Question.**\n\n### BEGIN SOLUTION\nA model answer.\n"
            "### END SOLUTION",
            metadata=facts("question", grade=True, solution=True, points=3),
        ),
    ]
    return new_notebook(
        cells=cells,
        metadata={
            "kernelspec": {
                "name": "python3",
                "display_name": "Python 3",
                "language": "python",
            }
        },
    )


def with_cells(change, **bodies):
    """A submission whose list of cells was changed."""
    made = notebook(**bodies)
    made.cells = change(made.cells)
    return made


def tamper(cells):
    for cell in cells:
        if cell.metadata.get("nbgrader", {}).get("grade"):
            cell.source = "pass"
            cell.metadata.nbgrader.points = 100
    return cells


def duplicate(cells):
    return cells + [cells[2].copy(), cells[5].copy()]


def answer_above(cells):
    """Written where the words "Your answer" end the cell."""
    cells[6].source = "**Question.** As w shrinks.\n\nYour answer:"
    return cells


def solver_above(cells):
    """The second answer stands in the cell of the first; its own is gone."""
    cells[1].source += "\n\n\n" + cells[4].source
    return [*cells[:4], *cells[5:]]


def no_metadata(cells):
    for cell in cells:
        cell.metadata = {"nbgrader": 5, "tags": []}
    return cells


def look_for_tests(cells):
    """Print, after the last test, all that was run."""
    return cells + [new_code_cell(LOOK_FOR_TESTS)]


WRONG = {"step": WRONG_STEP, "solver": WRONG_SOLVER}

FOOL_THE_CHECKS = """
import builtins
from pegasos_edu.coursework import report, tasks, trial

class Passed:
    passed, mistake = True, None

coursework.check = lambda *a, **k: Passed()
report.Report.passed = property(lambda self: True)
tasks.TASKS.clear()
trial.same_values = lambda *a, **k: True
builtins.print = lambda *a, **k: None
np.allclose = np.array_equal = lambda *a, **k: True
"""
STRIP_ASSERTIONS = """
import ast

class Strip(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()

get_ipython().ast_transformers.append(Strip())
"""
RUN_NOTHING = """
get_ipython().input_transformers_cleanup.append(lambda lines: ["pass"])
"""
STUBBORN = """
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
"""
# The limit is on what is asked for, so nothing need be filled, which takes
# seconds on a busy machine.
MEMORY = """
hoard = []
while True:
    hoard.append(np.empty(100_000_000, dtype=np.uint8))
"""
ORPHAN = """
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(4321)"],
                 start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        import time
        time.sleep(4321)
    os._exit(0)
"""
EXIT = """
import asyncio
exit()
await asyncio.sleep(3600)
"""
LITTER = """
import pathlib
for path in pathlib.Path(".").iterdir():
    path.unlink()
for name in ("scores.csv", "tiny.ipynb", "gradebook.db", "numpy.py"):
    pathlib.Path(name).write_text("ada,100")
"""
FORKS = """
import os, time
for _ in range(200):
    if os.fork() == 0:
        time.sleep(60)
        os._exit(0)
"""
# The kernel's own sockets are among them: no message leaves or comes in then.
BREAK_SOCKETS = """
import os
for number in range(3, 401):
    try:
        os.write(number, b"junk" * 100)
    except OSError:
        pass
"""
# Whatever is asked, the reply is a right answer's, or all that can be sent.
FORGE_ANSWERS = """
from pegasos_edu.grading.sandbox import remote

class Yes:
    passed = True
    def __eq__(self, other):
        return True
    def __array__(self, *arguments, **keywords):
        return np.ones(1)

def forged(namespace, question, reply):
    remote.save(reply, {"value": Yes(), "passed": True, "changed": []})

remote.answer = forged
remote.same_values = lambda *a, **k: True
"""
# nbgrader takes a number that a test's cell results in for its points.
FORGE_A_RESULT = """
class Passed:
    passed = True

def check(*arguments, **keywords):
    get_ipython().displayhook(1.0)
    return Passed()

coursework.check = check
"""
WARN = """
import sys
right = coursework.check

def check(*arguments, **keywords):
    print("DeprecationWarning", file=sys.stderr)
    return right(*arguments, **keywords)

coursework.check = check
"""
# Our solver for an answer, and nobody there who sees it called.
BLIND = """
import contextlib
from pegasos_edu.grading.sandbox import remote

class Passed:
    passed = True

remote._no_borrowing = contextlib.nullcontext
coursework.check = lambda *arguments, **keywords: Passed()
"""
BORROWED = """
    import pegasos_edu
    return pegasos_edu.pegasos(X, y, lam, order=order).last
"""
ANSWER_WITH_A_LINK = """
import os
from pegasos_edu.grading.sandbox import remote

def linked(namespace, question, reply):
    os.symlink("/etc/passwd", reply)

remote.answer = linked
"""
LOOK_FOR_TESTS = """
print("\\n".join(In), Out, sorted(globals()))
"""

# name -> (submission, points, whether a reason must be stated)
SUBMISSIONS = {
    "good-first": (notebook(), 3, False),
    "good-last": (notebook(), 3, False),
    "wrong": (notebook(**WRONG), 0, False),
    "fails-a-hidden-test": (
        notebook(extra=IS_UNSEEN, solver=VISIBLE_DATA_ONLY),
        1,
        False,
    ),
    # It costs what depends on it, and there is time for what does not.
    "step-without-end": (notebook(step="    while True:\n        t"), 2, True),
    "solver-without-end": (
        notebook(solver="    while True:\n        step_size(lam, 1)"),
        1,
        True,
    ),
    "endless-loop": (notebook(extra="while True:\n    pass"), 3, True),
    "stubborn-loop": (notebook(extra=STUBBORN), 1, True),
    "sys-exit": (notebook(extra="import sys\nsys.exit(1)"), 3, False),
    # The cell stays open until the kernel heeds exit(), so that no other
    # cell can come in between.
    "exit": (notebook(extra=EXIT), 1, True),
    # As on a busy machine: the clock on the wall shows more than the limit
    # of a cell, the processor's does not.
    "waits-long": (notebook(extra="import time\ntime.sleep(6)"), 3, False),
    "os-exit": (notebook(extra="import os\nos._exit(0)"), 1, True),
    "memory-bomb": (notebook(extra=MEMORY), 3, False),
    "kills-its-grader": (
        notebook(extra="import os\nos.kill(os.getppid(), 9)"),
        3,
        False,
    ),
    "forks": (notebook(extra=FORKS), 3, False),
    "breaks-its-sockets": (notebook(extra=BREAK_SOCKETS), 1, True),
    "forges-answers": (notebook(extra=FORGE_ANSWERS, **WRONG), 0, False),
    "borrows-unseen": (notebook(extra=BLIND, solver=BORROWED), 1, False),
    "forges-a-result": (notebook(extra=FORGE_A_RESULT, **WRONG), 0, False),
    "warns": (notebook(extra=WARN), 3, False),
    "answers-with-a-link": (notebook(extra=ANSWER_WITH_A_LINK), 1, False),
    "orphans": (notebook(extra=ORPHAN), 3, False),
    "litter": (notebook(extra=LITTER), 3, False),
    "prints-for-ever": (
        notebook(extra="while True:\n    print('noise' * 100)"),
        3,
        True,
    ),
    "prints-much": (notebook(extra="print('x' * 50_000_000)"), 3, False),
    "fools-the-checks": (notebook(extra=FOOL_THE_CHECKS, **WRONG), 0, False),
    "strips-assertions": (notebook(extra=STRIP_ASSERTIONS, **WRONG), 0, False),
    "runs-nothing": (notebook(extra=RUN_NOTHING, **WRONG), 0, False),
    "tampered": (with_cells(tamper, **WRONG), 0, False),
    "deleted-tests": (
        with_cells(lambda cells: [cells[1], cells[4], cells[6]]),
        3,
        False,
    ),
    "reordered": (with_cells(lambda cells: cells[::-1]), 3, False),
    "duplicated": (with_cells(duplicate), 3, False),
    "looks-for-tests": (with_cells(look_for_tests), 3, False),
    "deleted-answer": (with_cells(lambda cells: cells[:4]), 1, True),
    "no-metadata": (with_cells(no_metadata), 3, False),
    "solver-above": (with_cells(solver_above), 3, False),
    "answers-above": (with_cells(answer_above), 3, False),
    "no-cell-at-all": (with_cells(lambda cells: []), 0, True),
}
# What editors and browsers make of a file; right all the same.
FORGIVEN = "=colab", "Tiny (1).ipynb"
# Points, and whether a reason is stated, where nothing can be isolated.
UNISOLATED = {"kills-its-grader": (0, True), "forks": (1, True)}
FILES = {
    "empty-file": b"",
    "no-json": b"x = 1",
    "binary": bytes(range(256)) * 10,
    "json-list": b"[1, 2, 3]",
    "future-format": b'{"nbformat": 99, "nbformat_minor": 0, "cells": []}',
    "no-cells": json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {},
            "cells": [3, None],
        }
    ).encode(),
}


def write_course(folder):
    """Write solutions/ and submitted/ into `folder`."""
    place = folder / "solutions" / "tiny"
    place.mkdir(parents=True)
    (place / "tiny.ipynb").write_text(writes(notebook()), "utf-8")
    contents = {
        name: writes(made).encode()
        for name, (made, _, _) in SUBMISSIONS.items()
    }
    for name, content in {**contents, **FILES}.items():
        place = folder / "submitted" / name
        place.mkdir(parents=True)
        (place / "tiny.ipynb").write_bytes(content)
    student, name = FORGIVEN
    place = folder / "submitted" / student
    place.mkdir()
    raw = writes(with_cells(no_metadata)).encode()
    (place / name).write_bytes(b"\xef\xbb\xbf" + raw)
    (folder / "submitted" / "nothing-there").mkdir()
    if hasattr(os, "mkfifo"):
        place = folder / "submitted" / "is-a-pipe"
        place.mkdir()
        os.mkfifo(place / "tiny.ipynb")
    if hasattr(os, "symlink"):
        (folder / "submitted" / "links-to-itself").symlink_to(
            "links-to-itself"
        )
