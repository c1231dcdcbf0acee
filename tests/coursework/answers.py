"""What the checks say of the answers that the tests know, as plain text.

It needs the package, NumPy and SciPy alone: a browser runs it, too.
"""

import ast
import json
import re
from unittest import mock

import numpy as np

from pegasos_edu import coursework, pegasos
from pegasos_edu.coursework.zoo import ZOO
from tests.coursework.styles import STYLES
from tests.coursework.unseen import RIGHT

# What a check measures with a clock is never the same twice.
MEASURED = re.compile(r"[\d.]+ passes over [^;]*;")
TO_CHECK = r"\bcoursework\.|^own =|^from functools"
DEFINES = (ast.ClassDef, ast.FunctionDef, ast.Try)


def raises_in_numpy(X, y, lam, order):
    return np.stack([X[i] for i in order if i < 0])


def raises_in_the_library(X, y, lam, order):
    return json.loads("{")


def borrows(X, y, lam, order):
    return pegasos(X, y, lam, order=order).last


def answers():
    """Mistakes of the zoo and others, and right answers in many styles.

    Returns
    -------
    dict of str to (task, answer)
    """
    styles = [(task, style) for task in STYLES for style in STYLES[task]]
    right = [
        (f"{task} by {answer.__name__}", task, answer)
        for task, answer in styles + RIGHT
    ]
    wrong = [(f"zoo: {bug.name}", bug.task, bug.answer) for bug in ZOO]
    wrong += [
        (f"wrong: {answer.__name__}", "A1.pegasos", answer)
        for answer in (raises_in_numpy, raises_in_the_library, borrows)
    ]
    return {name: pair for name, *pair in wrong + right}


def said(report):
    """A report without what it measured."""
    return MEASURED.sub("… passes over …;", str(report))


def reports(names=None):
    """What is said of each answer, or of those of some names."""
    known = answers()
    return {
        name: said(coursework.check(*known[name])) for name in names or known
    }


def model_reports(cells):
    """What is said while the cells of a solved assignment are run.

    Only what defines something and what checks it: the rest needs data, or
    draws.

    Parameters
    ----------
    cells : list of str

    Returns
    -------
    list of str
    """
    found, names = [], {}
    check = coursework.check

    def noted(*arguments, **options):
        report = check(*arguments, **options)
        found.append(said(report))
        return report

    with mock.patch.object(coursework, "check", noted):
        for source in cells:
            exec(compile(to_check(source), "<cell>", "exec"), names)
    return found


def to_check(source):
    """The statements of a cell that define an answer or check one."""
    cell = ast.parse(source)
    cell.body = [
        statement
        for statement in cell.body
        if isinstance(statement, DEFINES)
        or re.search(TO_CHECK, ast.unparse(statement))
    ]
    return cell
