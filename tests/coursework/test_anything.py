"""A check raises nothing, whatever comes back, and says each thing once."""

import datetime
import fractions
import sys

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu import coursework
from pegasos_edu.coursework.report import NotYet


class Silent(Exception):
    """Cannot even say what it is."""

    def __str__(self):
        raise RuntimeError("no")

    __repr__ = __str__


class Unreadable:
    def __array__(self, *_, **__):
        raise RuntimeError("no array")

    def __eq__(self, other):
        raise RuntimeError("no comparison")

    def __repr__(self):
        raise RuntimeError("no text")

    __hash__ = None


class Leaves(Unreadable):
    def __array__(self, *_, **__):
        raise SystemExit(3)


class LeavesIfAsked:
    def __getattr__(self, name):
        raise SystemExit(name)


class LeavesIfTold:
    @property
    def __class__(self):
        raise SystemExit("its class")


class NoName(type):
    def __getattribute__(cls, name):
        if name == "__name__":
            raise RuntimeError("no name")
        return type.__getattribute__(cls, name)


class OfNoName(metaclass=NoName):
    pass


class ErrorOfNoName(Exception, metaclass=NoName):
    __str__ = Silent.__str__


def raises(error):
    raise error


CONTAINS_ITSELF: list = []
CONTAINS_ITSELF.append(CONTAINS_ITSELF)
# None of these is right for any task.
KINDS = {
    "nothing": lambda: None,
    "dict": lambda: {"w": [1.0]},
    "empty dict": dict,
    "set": lambda: {1, 2},
    "generator": lambda: (i for i in range(3)),
    "range": lambda: range(2**70, 2**70 + 3),
    "text": lambda: "w",
    "number as text": lambda: "1.5",
    "bytes": lambda: b"w",
    "csr": lambda: sp.csr_matrix(np.eye(3)),
    "coo": lambda: sp.coo_array(np.eye(3)),
    "10**400": lambda: 10**400,
    "list of 10**400": lambda: [10**400, 1],
    "ragged": lambda: [[1, 2], [3]],
    "empty list": list,
    "empty array": lambda: np.zeros((0, 3)),
    "list of None": lambda: [None, None],
    "nan": lambda: np.nan,
    "infinity": lambda: float("inf"),
    "complex": lambda: 1 + 2j,
    "array of complex": lambda: np.ones(3) * 1j,
    "five dimensions": lambda: np.ones((1, 2, 1, 2, 1)),
    "fraction": lambda: fractions.Fraction(-17, 3),
    "date": lambda: np.datetime64("2020-01-01"),
    "python date": lambda: datetime.date(2020, 1, 1),
    "function": lambda: len,
    "class": lambda: int,
    "contains itself": lambda: CONTAINS_ITSELF,
    "unreadable": Unreadable,
    "leaves when it is read": Leaves,
    "leaves when it is asked": LeavesIfAsked,
    "leaves when its class is asked": LeavesIfTold,
    "of a type without a name": OfNoName,
    "error without a name": lambda: raises(ErrorOfNoName()),
    "list of unreadable": lambda: [Unreadable(), Unreadable()],
    "tuple": lambda: (np.ones(3), {"a": 1}),
    "masked": lambda: np.ma.masked_all(3),
    "structured": lambda: np.zeros(2, dtype=[("a", float)]),
    "silent error": lambda: raises(Silent()),
    "stop iteration": lambda: raises(StopIteration()),
    "system exit": lambda: sys.exit(3),
    "recursion": lambda: raises(RecursionError("too deep")),
    "generator exit": lambda: raises(GeneratorExit()),
}


def answer(task, make):
    """An answer to a task that returns what `make` makes."""

    class Classifier:
        def __init__(self, lam, T):
            pass

        def fit(self, X, labels):
            return self

        def predict(self, X):
            return make()

    return Classifier if task == "A1.classifier" else lambda *case: make()


def test_there_are_many_kinds():
    assert len(KINDS) >= 28


@pytest.mark.parametrize("task", coursework.tasks())
def test_a_check_says_something_whatever_comes_back(task):
    for kind, make in KINDS.items():
        report = coursework.check(task, answer(task, make))
        assert not report.passed, kind
        lines = report.message.splitlines()
        assert lines and all(lines), kind
        assert len(set(lines)) == len(lines), (kind, report.message)


@pytest.mark.parametrize("task", coursework.tasks())
def test_anything_may_be_handed_in(task):
    for make in KINDS.values():
        try:
            thing = make()
        except BaseException as error:
            thing = error
        assert not coursework.check(task, thing).passed


def test_an_interrupt_is_not_swallowed():
    with pytest.raises(KeyboardInterrupt):
        coursework.check(
            "A1.step_size", lambda lam, t: raises(KeyboardInterrupt())
        )


def test_the_students_own_lines_are_shown_and_no_others():
    def pegasos(X, y, lam, order):
        w = np.zeros(X.shape[1])
        return helper(w, X)

    def helper(w, X):
        return w @ X[:, :1] + np.linalg.inv(w)

    report = coursework.check("A1.pegasos", pegasos)
    lines = [line for line in str(report).splitlines() if ", line " in line]
    assert [line.split(": ")[1] for line in lines] == [
        "return helper(w, X)",
        "return w @ X[:, :1] + np.linalg.inv(w)",
    ]
    assert lines[0].startswith("  in pegasos, line ")


def test_max_for_maximum_is_named_by_its_line():
    def f(w, X, y, lam):
        losses = np.max(0, 1 - y * (X @ w))
        return lam / 2 * w @ w + losses.mean()

    report = coursework.check("A1.objective", f)
    assert report.mistake == "max-for-maximum"
    assert "np.maximum compares" in str(report)


def test_one_number_is_asked_for_in_words():
    report = coursework.check("A1.objective", lambda w, X, y, lam: X @ w)
    assert "returned something of shape (10,); expected one number." in str(
        report
    )
    report = coursework.check("A1.pegasos", lambda X, y, lam, order: 3.0)
    assert "returned one number; expected shape (2,)." in str(report)


def test_a_report_is_required_to_pass(capsys):
    coursework.check("A1.step_size", lambda lam, t: 1 / (lam * t)).require()
    assert capsys.readouterr().out.startswith("A1.step_size: passed\n")
    report = coursework.check("A1.step_size", lambda lam, t: 1 / t)
    with pytest.raises(NotYet) as caught:
        report.require()
    assert str(caught.value) == str(report)
    assert caught.value._render_traceback_() == str(report).splitlines()
    assert isinstance(caught.value, AssertionError)
    assert capsys.readouterr().out == ""
