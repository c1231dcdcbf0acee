"""The answers behind the zoo's questions: there, short, and their numbers."""

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.questions.exhibits import QUESTIONS
from pegasos_edu.coursework.replies import REPLIES
from pegasos_edu.coursework.sheet import rows, sheet
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo import ZOO

EXHIBIT = {mistake.name: mistake for mistake in ZOO}
X3 = np.array([[1.0, 2.0], [0.5, -1.0], [-2.0, 1.0]])
Y3 = np.array([1.0, -1.0, 1.0])
# A row and its mirror image, with the two labels: two times the same y·x.
ROW = np.array([[3.0, 4.0], [-3.0, -4.0]])
PLUS = np.array([1.0, -1.0])


def both(name, *arguments):
    """What is right, and what the mistake makes of it."""
    mistake = EXHIBIT[name]
    reference = TASKS[mistake.task].reference
    with np.errstate(all="ignore"):
        return reference(*arguments), mistake.answer(*arguments)


def test_every_question_of_the_zoo_has_its_answer():
    assert list(REPLIES) == list(QUESTIONS)
    for name, reply in REPLIES.items():
        assert reply.endswith(".") and len(reply) <= 200, name
        assert reply != QUESTIONS[name]


def test_the_sheet_has_each_answer_below_its_question():
    for task in coursework.tasks():
        text = sheet(task)
        for name, _, _, question in rows(task):
            assert f"- Ask: {question}\n- Answer: {REPLIES[name]}" in text


def value_at(w, x, lam):
    """A w, a row x with the label +1, its mirror image with −1, and a λ."""
    x = np.array(x, float)
    return np.array(w, float), np.stack([x, -x]), PLUS, lam


# By name: the arguments that the question names, and the two numbers that
# the answer has for them.
NUMBERS = {
    "sum-instead-of-mean": ((np.zeros(2), X3, Y3, 0.1), 1, 3),
    "regulariser-without-half": (value_at([1, 0], [2, 0], 0.3), 0.15, 0.3),
    "hinge-without-max": (value_at([3, 0], [1, 0], 1e-9), 0, -2),
    "counts-errors": (value_at([1, 0], [0.1, 0], 1e-9), 0.9, 0),
    "counts-from-zero": ((0.1, 1), 10, 5),
    "sigmoid-for-exp": ((30.0,), 0, -0.5),
    "slope-of-the-other-side": ((-5.0,), -0.993, -0.007),
    "margin-with-wrong-sign": ((-5.0,), 5.007, 0.007),
    "logarithm-to-base-ten": ((0.0,), 0.693, 0.301),
    "still-the-hinge": ((2.0,), 0.127, 0),
    "slope-inf-over-inf": ((-1000.0,), -1, np.nan),
    "bound-without-half": ((1, 1, 1), 2, 4),
    "bound-without-one": ((0.5, 3, 1), 2 * 9 / 0.5, 0),
    "bound-with-R-for-G": ((0.5, 3, 1), 36 / 1, 9 / 1),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_its_numbers_are_those_of_the_formula_and_of_the_mistake(name):
    arguments, right, wrong = NUMBERS[name]
    found = both(name, *arguments)
    assert np.allclose(found, (right, wrong), atol=5e-4, equal_nan=True)


def test_the_numbers_stand_in_the_answers():
    for name, told in {
        "hinge-without-max": ("costs 0", "costs −2"),
        "counts-errors": ("0.9", "0"),
        "counts-from-zero": ("1/λ", "1/(2λ)"),
        "slope-of-the-other-side": ("−0.993", "−0.007"),
        "margin-with-wrong-sign": ("5.007", "0.007"),
        "logarithm-to-base-ten": ("0.693", "0.301"),
        "still-the-hinge": ("0.127", "is 0"),
        "bound-without-half": ("2", "4"),
        "bound-without-one": ("2R²/λ", "1/2"),
        "probability-of-the-other": ("0.993", "0.007"),
        "two-cases-kept": ("−0.119",),
        "shrinks-by-the-step": ("1/2", "−4"),
    }.items():
        assert all(number in REPLIES[name] for number in told)


def test_the_first_term_as_the_answers_have_it():
    w, X, y, lam = value_at([0.1, 0], [20, 0], 0.1)
    rises = np.divide(
        both("norm-not-squared", 2 * w, X, y, lam),
        both("norm-not-squared", w, X, y, lam),
    )
    assert np.allclose(rises, (4, 2))
    once, twice = (
        both("regulariser-forgotten", k * w, X, y, lam) for k in (1, 1000)
    )
    assert np.isclose(twice[0], 1e6 * once[0]) and twice[1] == once[1] == 0


def test_a_length_in_the_place_of_the_value():
    right, wrong = both("subgradient-printed", np.zeros(2), X3, Y3, 0.1)
    assert right == 1 and np.isclose(wrong, np.linalg.norm(Y3 @ X3 / 3))


def test_the_step_sizes_at_half_the_lambda():
    before, after = (
        both("step-without-lambda", lam, 3) for lam in (0.1, 0.05)
    )
    assert np.isclose(after[0], 2 * before[0]) and after[1] == before[1]


def test_the_rows_that_are_drawn():
    def drawn(name, n, T, seed=0):
        return np.asarray(EXHIBIT[name].answer(n, T, seed))

    assert set(drawn("never-the-first-row", 2, 100)) == {1}
    assert drawn("upper-end-included", 3, 100).max() == 3
    assert len(drawn("ignores-T", 4, 7)) == 4
    assert len(set(drawn("generator-made-anew", 9, 10))) == 1
    for n, after in ((9, 5), (5, 0)):
        rows_ = drawn("order-not-random", n, 40)
        assert set(rows_[1:][rows_[:-1] == 4]) == {after}
    calls = [tuple(drawn("seed-ignored", 5, 9, s)) for s in (0, 0, 1, 1)]
    assert len(set(calls)) == 1


def ends(name, X, y, lam, order):
    return both(name, np.asarray(X, float), np.asarray(y, float), lam, order)


@pytest.mark.parametrize(
    "name, factor",
    [
        ("wrong-sign", -1),
        ("starts-at-two", 1 / 2),
        ("step-from-the-total", 1),
        ("added-without-lambda", 0.01),
    ],
)
def test_the_first_step(name, factor):
    right, wrong = ends(name, ROW, PLUS, 0.01, [0])
    assert np.allclose(right, 100 * ROW[0])
    assert np.allclose(wrong, factor * right)


def test_the_runs_as_the_answers_have_them():
    # Halves of two runs: η is 1/(5λ) in the one, 1/(10λ) in the other.
    for T in (5, 10):
        _, wrong = ends("step-from-the-total", ROW, PLUS, 1e-3, [0] * T)
        assert np.allclose(wrong, ROW[0] / (1e-3 * T) * (1 - 1 / T) ** (T - 1))
    # The average of w_1, and of w_1 and w_2.
    for T, share in ((1, 0), (2, 1 / 2)):
        right, _ = ends("returns-the-average", ROW, PLUS, 0.1, [0])
        _, wrong = ends("returns-the-average", ROW, PLUS, 0.1, [0] * T)
        assert np.allclose(wrong, share * right)
    # Rows 0, 1 and 2 for [2, 2, 2]; three steps for ten.
    right, wrong = ends("order-ignored", X3, Y3, 0.1, [2, 2, 2])
    same, _ = ends("order-ignored", X3, Y3, 0.1, [0, 1, 2])
    assert np.allclose(wrong, same) and not np.allclose(right, wrong)
    ten = [0, 1, 2, 2, 1, 0, 0, 1, 2, 2]
    _, wrong = ends("steps-of-one-epoch-only", X3, Y3, 0.1, ten)
    right, _ = ends("steps-of-one-epoch-only", X3, Y3, 0.1, ten[:3])
    assert np.allclose(wrong, right)
    # 1 − ηλ and 1 − η, for λ = 0.1 at t = 2: a quiet second step.
    first, _ = ends("shrinks-by-the-step", ROW, PLUS, 0.1, [0])
    right, wrong = ends("shrinks-by-the-step", ROW, PLUS, 0.1, [0, 0])
    assert np.allclose(right, first / 2)
    start = ends("shrinks-by-the-step", ROW, PLUS, 0.1, [0])[1]
    assert np.allclose(wrong, -4 * start)
    # An example labelled −1 with the score 0 is moved by ‖x‖²/(λt).
    right, wrong = ends("label-not-in-the-update", ROW, -PLUS, 0.1, [0])
    assert np.allclose([ROW[0] @ right, ROW[0] @ wrong], [-250, 250])
    # A short w becomes 1/√λ long.
    _, wrong = ends("projection-inverted", ROW * 1e-9, PLUS, 0.25, [0])
    assert np.isclose(np.linalg.norm(wrong), 2)


def test_the_log_loss_in_a_run():
    right, wrong = ends("minus-kept", ROW, PLUS, 0.1, [0])
    grown = 25 / (2 * 0.1)
    assert np.allclose([ROW[0] @ right, ROW[0] @ wrong], [grown, -grown])
    slope, _ = both("slope-positive", 2.0)
    assert f"{slope:.3f}" == "-0.119"
    found = both(
        "probability-of-the-other", np.array([5.0]), np.array([[1.0]])
    )
    assert np.allclose(np.ravel(found), (0.993, 0.007), atol=5e-4)
    with np.errstate(over="ignore"):
        assert np.exp(1000.0) == np.exp(709.79) == np.inf
    assert np.isfinite(np.exp(709.78))


def test_the_scale_and_the_average():
    shrink = 1 - (1 / (1e-5 * 1)) * 1e-5
    assert f"{shrink:.1e}" == "1.1e-16"
    for a, v in ((1 / 2, 2.0),):
        assert a * (v + 2 * 1.0) == a * v + 1.0
    with pytest.raises(ZeroDivisionError):
        1.0 / (1 - 1 / 1)


def test_the_game_as_the_answers_have_it():
    z = np.array([0.6, 0.8])
    for lam in (0.5, 1.0):  # Pegasos after one round, against z again
        assert max(0, 1 - z @ (z / lam)) == 0
    lam = 1.9
    costs = lam / 2 * z @ z + max(0, 1 - z @ z)
    assert np.isclose(costs, lam / 2) and costs < 1
    ten = np.tile(z, (10, 1))
    wrong = EXHIBIT["sum-not-divided-by-t"].answer(ten, 0.1)
    assert np.isclose(np.linalg.norm(wrong), 10 / 0.1)
    assert round(np.log(1000)) == 7
