"""What is written out of a value is so, on data that nobody tried."""

import re

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.diagnosis.expressions import expression
from pegasos_edu.coursework.diagnosis.outcomes import of_an_outcome, raised
from pegasos_edu.coursework.diagnosis.quantities import (
    MADE_OF,
    step_written_out,
    written_out,
)
from pegasos_edu.coursework.diagnosis.rounds import rounds_told
from pegasos_edu.coursework.diagnosis.runs import of_an_average
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.trial import call
from tests.coursework.styles import STYLES

WORDS = {
    "−": "-",
    "·": "*",
    "²": "**2",
    "½": "0.5",
    "√": "np.sqrt",
    "ln": "np.log",
    "exp": "np.exp",
    "max": "np.maximum",
}


def value_of(words, **values):
    """What an expression says as it is written, with letters a, b and c."""
    words = re.sub(r"\|([abc])\|", r"np.abs(\1)", words)
    words = re.sub(r"(√|ln) ?([abc])\b", r"\1(\2)", words)
    for word, code in WORDS.items():
        words = re.sub(rf"(?<!\w\.){re.escape(word)}", code, words)
    return eval(words, {"np": np}, values)


def letters(seed, size=12):
    rng = np.random.default_rng(seed)
    return dict(zip("abc", rng.uniform(0.3, 4, size=(3, size))))


FORMULAS = [
    lambda a, b, c: a / (b + c),
    lambda a, b, c: a - b * c,
    lambda a, b, c: np.log(a) + b / c,
    lambda a, b, c: np.exp(-a * b),
    lambda a, b, c: (a + b) / (a + c),
    lambda a, b, c: np.sqrt(a * b),
    lambda a, b, c: -(a - b**2),
    lambda a, b, c: a**2 / (1 + b),
    lambda a, b, c: 3 * a - 0.5 * c,
    lambda a, b, c: a / (b * c),
    lambda a, b, c: a - (b - c),
    lambda a, b, c: (a * b) ** 2,
    lambda a, b, c: np.maximum(0, c) * np.abs(b),
]


@pytest.mark.parametrize("formula", FORMULAS)
def test_an_expression_is_what_it_says_on_other_points(formula):
    here, elsewhere = letters(1), letters(2)
    words = expression(formula(**here), here)
    assert words
    np.testing.assert_allclose(
        value_of(words, **elsewhere), formula(**elsewhere), rtol=1e-9
    )


def test_what_is_no_expression_of_few_quantities_is_not_called_one():
    here = letters(1)
    rng = np.random.default_rng(3)
    for _ in range(5):
        assert expression(rng.uniform(size=12), here) == ""
    a, b, c = here.values()
    assert expression(np.sin(a * b) + np.cos(c) ** 3, here) == ""
    assert expression(np.full(12, 2.0), here) == ""  # not enough to tell
    assert expression(np.where(a > 1, a, np.nan), here) == ""


@pytest.mark.parametrize("name", MADE_OF)
def test_a_right_answer_is_not_written_out(name):
    task = TASKS[name]
    for answer in [task.reference, *STYLES.get(name, [])]:
        assert written_out(task, answer) == ((), ())


def test_the_quantities_of_a_task_are_finite_and_not_all_alike():
    for points, made_of in MADE_OF.values():
        made = [made_of(*case.values()) for case in points()]
        for words in made[0]:
            values = np.concatenate([np.ravel(each[words]) for each in made])
            assert np.isfinite(values).all(), words
            assert len(np.unique(values)) > 2, words


def test_a_right_step_has_nothing_written_out_and_a_wrong_one_its_factor():
    assert step_written_out(TASKS["A1.step"].reference) == ()

    def shrinks_by_a_root(w, x, label, lam, eta):
        hit = label * (w @ x) < 1
        return (1 - np.sqrt(eta * lam)) * w + hit * eta * label * x

    said = step_written_out(shrinks_by_a_root)
    assert len(said) == 2
    for one, side in zip(said, ("below", "above")):
        assert one.startswith(f"With a margin {side} 1 w is multiplied by 1 −")
        assert "√" in one
        assert one.endswith("; expected 1 − ηλ.")


def regret_trials(regret):
    task = TASKS["A4.regret"]
    cases = task.cases(5)
    return [(case, regret(**case), task.reference(**case)) for case in cases]


def test_the_terms_of_a_regret_are_told_and_a_right_one_has_none():
    assert rounds_told(regret_trials(TASKS["A4.regret"].reference)) == ()

    def of_the_row_after(W, u, X, y, lam, order):
        right = TASKS["A4.regret"].reference(W, u, X, y, lam, order)
        i, j = order, np.roll(order, -1)
        here, there = (np.maximum(0, 1 - y[k] * (X[k] @ u)) for k in (i, j))
        return right + np.cumsum(here - there)

    assert rounds_told(regret_trials(of_the_row_after)) == (
        "It has the loss of u in the row after in place of the loss of u.",
    )
    rng = np.random.default_rng(4)
    assert (
        rounds_told(regret_trials(lambda W, **_: rng.uniform(size=len(W))))
        == ()
    )


def test_the_weights_of_a_right_average_are_right():
    assert of_an_average(TASKS["A3.average"].reference) == ((), ())


ERRORS = {
    "if-on-an-array": lambda a: 1 if a > 0 else 2,
    "number-asked-of-an-array": lambda a: float(np.append(a, a)),
    "minus-for-a-truth-value": lambda a: -(a < 1),
    "other-arguments-than-asked": lambda a: ERRORS["if-on-an-array"](a, a),
    "works-with-nothing": lambda a: 1 + None,
    "shapes-do-not-fit": lambda a: a + a[1:],
    "index-not-whole": lambda a: a[0.5],
    "index-out-of-range": lambda a: a[len(a)],
    "too-many-indices": lambda a: a[0, :],
    "mask-of-another-length": lambda a: a[a[1:] > 0],
    "index-into-a-number": lambda a: a[0][0],
    "name-not-known": lambda a: eval("nowhere"),
    "no-such-attribute": lambda a: a.nowhere,
    "calls-itself": lambda a: ERRORS["calls-itself"](a),
}


def test_whole_numbers_as_floats_are_no_index_beyond_the_end():
    rows = np.arange(5.0)
    with pytest.raises(IndexError) as caught:
        rows[rows]
    assert raised(caught.value) == "index-not-whole"
    with pytest.raises(IndexError) as caught:
        [].pop()
    assert raised(caught.value) == ""


@pytest.mark.parametrize("name", ERRORS)
def test_an_exception_has_the_name_of_what_it_says(name):
    with pytest.raises(Exception) as caught:  # noqa: PT011
        ERRORS[name](np.arange(5.0))
    assert raised(caught.value) == name


class HasNoFit:
    def __init__(self, lam, T):
        self.lam = lam

    def train(self, X, labels):
        return self


class FitsX:
    def __init__(self, lam, T):
        self.lam = lam

    def fit(self, X):
        return self


class ReturnsW(HasNoFit):
    def fit(self, X, labels):
        return np.zeros(2)


@pytest.mark.parametrize(
    "task, answer, name, says",
    [
        ("A1.classifier", HasNoFit, "no-such-method", "HasNoFit has train, l"),
        ("A1.classifier", ReturnsW, "no-such-method", "has no attribute 'pre"),
        ("A1.classifier", FitsX, "called-with-other-arguments", "3 were give"),
        ("A1.step_size", lambda lam: 1, "called-with-other-arguments", "<lam"),
    ],
)
def test_what_no_line_has_raised_is_not_told_of_a_line(
    task, answer, name, says
):
    report = coursework.check(task, answer)
    assert report.mistake == name
    assert says in str(report)
    assert "this line" not in str(report)


@pytest.mark.parametrize(
    "other, name",
    [
        (lambda a, b: np.matmul(a, b), "shapes-do-not-fit"),
        (lambda a, b: np.dot(a, b), "shapes-do-not-fit"),
        (lambda a, b: np.vstack([a, b]), "shapes-do-not-fit"),
    ],
)
def test_products_of_other_shapes_have_their_name(other, name):
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        other(np.ones((3, 2)), np.ones((3, 4)))
    assert raised(caught.value) == name


def test_a_shape_has_its_name_and_a_right_one_has_none():
    task, cases = TASKS["A4.planar"], TASKS["A4.planar"].cases(0)
    right = task.reference
    for make, name in (
        (right, ()),
        (lambda T, lam: right(T, lam).T, ("rows-and-columns-exchanged",)),
        (lambda T, lam: right(T + 4, lam), ("too-many-numbers",)),
        (lambda T, lam: right(T, lam)[1:], ("too-few-numbers",)),
        (lambda T, lam: 1.0, ("one-number-for-many",)),
        (lambda T, lam: right(T, lam).ravel(), ("numbers-in-another-shape",)),
        (lambda T, lam: {"z": 1}, ("no-numbers",)),
        (lambda T, lam: (-lam) ** 0.5, ("complex-numbers",)),
        (lambda T, lam: [1.5, 10**400], ("beyond-all-floats",)),
    ):
        assert of_an_outcome(task, make, cases) == name
    one = TASKS["A1.step_size"]
    many = of_an_outcome(one, lambda lam, t: [1.0, 2.0], one.cases(0))
    assert many == ("many-numbers-for-one",)


def test_where_the_first_entries_agree_the_first_other_is_told():
    def late(W, u, X, y, lam, order):
        value = TASKS["A4.regret"].reference(W, u, X, y, lam, order)
        value[11:] += 1 / 3
        return value

    task = TASKS["A4.regret"]
    case = task.cases(0)[0]
    said = task.judge(task, late, case, call(late, case))
    assert "The first entry that differs is number 12: yours is" in said
