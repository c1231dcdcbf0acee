"""The terms of the catalogue of mistakes, worked out by hand.

The diagnosis puts wrong answers together from these terms, so no answer
that it makes itself can tell that a term is not what its name says. Each
table is worked out at one point; a name with several terms has several
values, in their order.
"""

from collections import defaultdict
from dataclasses import replace
from math import exp, log, nan, sqrt

import numpy as np
import pytest

from pegasos_edu.coursework.diagnosis import parts, recipe, values, whole


def by_name(terms, at):
    """The values of the terms, together under each name."""
    found = defaultdict(list)
    for name, term in terms:
        found[name].append(at(term))
    return found


def assert_all(terms, at, wanted):
    found = by_name(terms, at)
    assert found.keys() == wanted.keys()
    for name, numbers in wanted.items():
        assert len(found[name]) == len(numbers), name
        for got, number in zip(found[name], numbers):
            np.testing.assert_allclose(
                got, number, rtol=1e-12, atol=1e-12, err_msg=name
            )


def test_counts():
    """Seven steps on three rows, with violators at the first and fourth."""
    hits = [0, 1, 1, 1, 2, 2, 2]
    assert_all(
        parts.COUNT,
        lambda count: [
            count(s, 3, 7, h, s - 1 - h) for s, h in enumerate(hits, start=1)
        ],
        {
            "": [[1, 2, 3, 4, 5, 6, 7]],
            "starts-at-two": [[2, 3, 4, 5, 6, 7, 8]],
            "starts-at-zero": [[0, 1, 2, 3, 4, 5, 6]],
            "t-is-one-twice": [[1, 1, 2, 3, 4, 5, 6]],
            "t-starts-anew-each-epoch": [[1, 2, 3, 1, 2, 3, 1]],
            "t-counts-epochs": [
                [1, 1, 1, 2, 2, 2, 3],
                [1, 1, 2, 2, 2, 3, 3],
            ],
            "t-counts-violators": [[1, 2, 2, 2, 3, 3, 3]],
            "t-counts-the-others": [[1, 1, 2, 3, 3, 4, 5]],
            "t-counts-down": [
                [7, 6, 5, 4, 3, 2, 1],
                [6, 5, 4, 3, 2, 1, 0],
            ],
            "step-from-the-total": [[7] * 7],
            "constant-step": [[1] * 7],
        },
    )


def test_steps():
    """At λ = 1/4, t = 3, n = 5."""
    assert_all(
        parts.ETA,
        lambda eta: eta(0.25, 3, 5),
        {
            "": [4 / 3],
            "step-without-lambda": [1 / 3],
            "step-by-the-root": [1 / sqrt(3), 4 / sqrt(3), 2 / sqrt(3)],
            "step-multiplied-by-t": [12],
            "step-multiplied-by-lambda": [1 / 12],
            "lambda-squared-in-the-step": [16 / 3],
            "step-by-the-square": [4 / 9],
            "step-with-one-added": [4 / 7],
            "step-with-lambda-added": [4 / 13],
            "step-with-a-factor": [8 / 3, 2 / 3, 2],
            "step-divided-by-n": [4 / 15],
        },
    )


def test_shrinks():
    """At η = 1/2, λ = 1/4, t = 3, n = 5."""
    assert_all(
        parts.SHRINK,
        lambda shrink: shrink(0.5, 0.25, 3, 5),
        {
            "": [7 / 8],
            "never-shrinks": [1],
            "shrink-twice-too-much": [3 / 4],
            "shrink-by-half-too-little": [15 / 16],
            "shrinks-by-the-step": [1 / 2],
            "shrinks-by-lambda": [3 / 4],
            "shrinks-by-lambda-over-t": [11 / 12],
            "grows-instead-of-shrinks": [9 / 8],
            "shrink-without-one-minus": [1 / 8],
            "shrink-divided-by-n": [39 / 40],
            "shrink-by-division": [8 / 9],
        },
    )


def test_what_is_shrunk():
    """w = (4, −2), shrunk by half, at x = (1, 0)."""
    w, x = np.array([4.0, -2.0]), np.array([1.0, 0.0])

    def with_and_without_a_violation(when):
        return [when(hit, x, w, 0.5) for hit in (True, False)]

    half, quarter, none = [2, -1], [1, -0.5], [4, -2]
    assert_all(
        parts.WHEN,
        with_and_without_a_violation,
        {
            "": [[half, half]],
            "no-shrink-without-violation": [[half, none]],
            "shrinks-others-only": [[none, half]],
            "violators-shrunk-twice": [[quarter, half]],
            "others-shrunk-twice": [[half, quarter]],
            "shrinks-touched-columns-only": [[[2, -2], [2, -2]]],
            "one-weight-not-shrunk": [
                [[4, -1], [4, -1]],
                [[2, -2], [2, -2]],
            ],
            "shrinks-by-the-sign": [[[3.5, -1.5], [3.5, -1.5]]],
            "sets-instead-of-adds": [[[0, -1], half]],
        },
    )


def test_additions():
    """At η = 1/2, λ = 1/4, t = 3, n = 5, where w shrinks by 7/8."""
    assert_all(
        parts.ADD,
        lambda add: add(0.5, 0.25, 3, 5, 7 / 8),
        {
            "": [1 / 2],
            "added-without-lambda": [1 / 8],
            "divided-by-n": [1 / 10],
            "added-without-the-step": [1],
            "added-times-lambda": [1 / 4],
            "added-with-a-factor": [1, 1 / 4],
            "added-by-the-root": [1 / sqrt(3), 4 / sqrt(3), 2 / sqrt(3)],
            "added-divided-by-lambda": [2],
            "added-with-the-first-step": [4],
            "addition-shrunk-too": [7 / 16],
            "added-without-making-up": [1 / 6],
            "multiplied-by-the-scale": [1 / 18],
            "made-up-with-the-old-scale": [1 / 3],
        },
    )


def test_scores():
    """A score of 3 at λ = 1/4, where w shrinks by half; t is 1, then 9."""
    assert_all(
        parts.SCORE,
        lambda score: [score(3.0, 0.5, 0.25, t) for t in (1, 9)],
        {
            "": [[3, 3]],
            "margin-after-shrink": [[1.5, 1.5]],
            "score-without-the-scale": [[3, 24], [0, 6]],
            "first-violator-missed": [[nan, 3]],
            "another-threshold": [[12, 12], [0.75, 0.75]],
        },
    )


MARGINS = [-2.0, -0.5, 0.25, 0.75, 1.5, 2.5]
# What the sigmoid is at minus each of them.
FALLING = [1 / (1 + exp(m)) for m in MARGINS]
RISING = [1 / (1 + exp(-m)) for m in MARGINS]


FORGET_THE_LABEL = (
    "label-not-in-the-test",
    "label-outside-the-bracket",
    "score-for-margin",
)
OF_ZERO_AND_ONE = ("zero-one-for-plus-minus", "adds-the-residual")


def test_pulls_that_see_the_margin_alone():
    apart = {*FORGET_THE_LABEL, *OF_ZERO_AND_ONE, "exponent-cut-off"}
    terms = [(name, pull) for name, pull in parts.PULL if name not in apart]
    until_one, wrong = [1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 0, 0]
    loss = [3, 1.5, 0.75, 0.25, 0, 0]
    assert_all(
        terms,
        lambda pull: [[pull(m, y) for m in MARGINS] for y in (1, -1)],
        {
            name: [[row, row] for row in rows]
            for name, rows in {
                "hinge-still-inside": [until_one],
                "log-loss-unasked": [FALLING],
                "w-stays-at-zero": [[0] * 6],
                "updates-only-when-wrong": [
                    *[wrong] * 3,
                    [2, 2, 0, 0, 0, 0],  # of y − sign(score)
                ],
                "updates-when-right": [[0, 0, 1, 1, 1, 1]],
                "updates-always": [[1] * 6],
                "takes-the-size-of-the-score": [[0, 1, 1, 1, 0, 0]],
                "another-threshold": [
                    [1, 1, 1, 0, 0, 0],
                    [1, 1, 1, 1, 1, 0],
                ],
                "weighted-by-the-loss": [
                    loss,
                    [6, 3, 1.5, 0.5, 0, 0],
                    [1, 1, 0.75, 0.25, 0, 0],
                ],
                "tanh-for-sigmoid": [
                    [2 / (1 + exp(2 * m)) for m in MARGINS],
                    [1 / (1 + exp(2 * m)) for m in MARGINS],
                ],
                "two-cases-kept": [
                    [*FALLING[:4], 0, 0],
                    [*FALLING[:2], 0, 0, 0, 0],
                ],
                "slope-of-the-other-side": [RISING],
                "sigmoid-for-exp": [[1 / (1 + p) for p in RISING]],
                "loss-for-its-slope": [[log(1 + exp(-m)) for m in MARGINS]],
                "slope-of-the-sigmoid": [
                    [p * q for p, q in zip(RISING, FALLING)]
                ],
                "wrong-logarithm": [
                    [p / log(2) for p in FALLING],
                    [p / log(10) for p in FALLING],
                ],
            }.items()
        },
    )


@pytest.mark.parametrize("margin", [0.0, 1.0])
def test_where_a_test_changes(margin):
    """On the line: < or ≤ is a matter of the name."""
    pulls = by_name(parts.PULL, lambda pull: bool(pull(margin, 1)))
    at_zero = margin == 0.0
    assert pulls["hinge-still-inside"] == [at_zero]
    assert pulls["updates-when-right"] == [True]
    # As y·score ≤ 0; by the sign of a score above 0, and of one from 0 on.
    # The last is that of y − sign(score).
    assert pulls["updates-only-when-wrong"] == [
        *[at_zero, at_zero, False],
        at_zero,
    ]
    assert pulls["label-not-in-the-test"] == [at_zero, at_zero]


def test_pulls_that_forget_the_label():
    """Margins of a row with the label −1 are minus its scores."""
    assert_all(
        [
            (name, pull)
            for name, pull in parts.PULL
            if name in FORGET_THE_LABEL
        ],
        lambda pull: [pull(m, -1) for m in MARGINS],
        {
            "label-not-in-the-test": [
                [0, 1, 1, 1, 1, 1],
                [0, 0, 1, 1, 1, 1],
            ],
            "label-outside-the-bracket": [[1, 0, 0, 0, 0, 0]],
            "score-for-margin": [RISING],
        },
    )
    with_one = dict(parts.PULL)["score-for-margin"]
    np.testing.assert_allclose([with_one(m, 1) for m in MARGINS], FALLING)


def test_the_pull_of_labels_zero_and_one():
    """y − p with y = ±1 is y·(1 − y p), p the chance of the label 1."""
    pull = dict(parts.PULL)["zero-one-for-plus-minus"]
    for y in (1, -1):
        for m in MARGINS:
            chance = 1 / (1 + exp(-y * m))
            assert y * pull(m, y) == pytest.approx(y - chance)


def test_the_pulls_of_residuals():
    """y − score, twice that, and with the label 0 in the place of −1."""
    pulls = by_name(parts.PULL, lambda pull: pull)["adds-the-residual"]
    once, twice, zero_one = pulls
    for y in (1, -1):
        for m in MARGINS:
            score = y * m
            assert y * once(m, y) == pytest.approx(y - score)
            assert y * twice(m, y) == pytest.approx(2 * y - 2 * score)
            of_the_label = (y == 1) - score
            assert y * zero_one(m, y) == pytest.approx(of_the_label)


def test_exponents_cut_off():
    found = by_name(parts.PULL, lambda pull: pull(-20.0, 1))
    right = 1 / (1 + exp(-20))
    five, ten = 1 / (1 + exp(-5)), 1 / (1 + exp(-10))
    wanted = [five, 1, ten, 1, *[right] * 8]
    np.testing.assert_allclose(found["exponent-cut-off"], wanted, rtol=1e-12)
    found = by_name(parts.PULL, lambda pull: pull(20.0, 1))
    right, five, ten = exp(-20) * right, exp(-5) * five, exp(-10) * ten
    wanted = [five, 0, ten, 0, *[right] * 8]
    # np.tanh(10) is so near 1 that its difference has few digits.
    np.testing.assert_allclose(
        found["exponent-cut-off"], wanted, rtol=1e-6, atol=1e-15
    )


def test_rows():
    """Five steps on four rows."""
    order = np.array([2, 0, 3, 2, 1])
    found = by_name(
        parts.ROWS, lambda rows: [tuple(map(int, r)) for r in rows(order, 4)]
    )

    def alone(*rows):
        return [(row,) for row in rows]

    once, data = [2, 0, 3, 2, 1], [0, 1, 2, 3]
    assert found == {
        "": [alone(*once)],
        "order-ignored": [alone(0, 1, 2, 3, 0)],
        "order-run-backwards": [alone(1, 2, 3, 0, 2)],
        "steps-of-one-epoch-only": [alone(2, 0, 3, 2)],
        "return-inside-the-loop": [alone(2)],
        "one-step-short": [alone(2, 0, 3, 2)],
        "first-entry-skipped": [alone(0, 3, 2, 1)],
        "each-row-once": [alone(*data), alone(2, 0, 3, 1)],
        "entries-left-out": [alone(2, 3, 1), alone(0, 2)],
        "two-entries-a-step": [[(2, 0), (3, 2)]],
        "order-sorted": [alone(0, 1, 2, 2, 3)],
        "order-moved-by-one": [alone(0, 3, 2, 1, 2), alone(1, 2, 0, 3, 2)],
        "order-run-through-again": [
            alone(*once * times) for times in (2, 3, 5, 10)
        ],
        "row-numbers-shifted": [
            alone(1, -1, 2, 1, 0),
            alone(3, 1, 0, 3, 2),
        ],
        "epochs-for-steps": [alone(*data * 5), alone(*once * 4)],
        "uses-all-rows": [[tuple(data)] * 5],
    }


def test_whose_label():
    """At the third of five steps on four rows, and at the last."""
    order = np.array([2, 0, 3, 2, 1])
    assert_all(
        parts.WHOSE,
        lambda whose: [whose(3, 3, order, 4), whose(1, 5, order, 4)],
        {
            "": [[3, 1]],
            "label-of-another-row": [
                [2, 0],  # the one before in a pass over the data
                [3, 1],  # and the one after
                [0, 2],  # of the next row
                [2, 0],  # of the row before
                [2, 2],  # of the next draw
            ],
        },
    )


def test_what_else_is_read_of_csr_rows():
    """The entries of all rows are 3, 4, 5 and 6, in columns 1, 0, 1 and 2."""
    X = np.array([[0.0, 3, 0], [4, 5, 0], [0, 0, 6]])
    y = np.ones(3)
    assert_all(
        parts.OF_CSR["data"],
        lambda change: change(X, y)[0],
        {
            "one-entry-for-a-row": [[[0, 3, 0], [4, 0, 0], [0, 5, 0]]],
            "first-entry-of-each-row-alone": [
                [[0, 3, 0], [4, 0, 0], [0, 0, 6]]
            ],
            "values-of-other-entries": [[[0, 4, 0], [3, 4, 0], [0, 0, 5]]],
        },
    )
    as_ones = [[0, 1, 0], [1, 1, 0], [0, 0, 1]]
    columns = [[0, 1, 0], [0, 1, 0], [0, 0, 2]]
    assert_all(
        parts.OF_CSR["values"],
        lambda values: [read(X) for read in values],
        {
            "values-not-in-the-score": [[as_ones, X]],
            "values-not-in-the-addition": [[X, as_ones]],
            "column-numbers-for-values": [[columns, X], [X, columns]],
        },
    )
    # An empty row has the entry that comes next, and the last one none.
    holes = np.array([[0.0, 0], [7, 0], [0, 0]])
    first = dict(parts.OF_CSR["data"])["first-entry-of-each-row-alone"]
    np.testing.assert_array_equal(
        first(holes, y)[0], [[7.0, 0], [7, 0], [0, 0]]
    )


@pytest.mark.parametrize(
    "score, addition, w", [(1, 1, 1.4), (2, 1, 0.7), (1, 1.01, 1.414)]
)
def test_score_and_addition_may_read_other_values(score, addition, w):
    """λ = 1/2: after a step w is 1.4 and the margin 0.98, or twice that."""
    right = recipe.RIGHT["A3.pegasos"]
    read = (lambda X: score * X, lambda X: addition * X)
    found = recipe.run(
        replace(right, values=read), np.array([[0.7]]), np.ones(1), 0.5, [0, 0]
    )
    assert found == pytest.approx(w)


LONG, SHORT = np.array([3.0, -4.0]), np.array([0.3, -0.4])


def of_both(term):
    """What becomes of lengths 5 and 1/2; the ball of λ = 1/4 ends at 2."""
    return [np.asarray(term(w, 0.25)) / 5 for w in (LONG, SHORT)]


def along(long, short):
    """So long in the direction of (3, −4)."""
    return np.outer([long, short], [0.6, -0.8]) / 5


def test_projections():
    shared = {
        "projection-inverted": [along(5, 2)],
        "entries-cut-off-one-by-one": [
            np.array([[1, -1], [0.3, -0.4]]) / 5,
            np.array([[3, 0], [0.3, 0]]) / 5,
        ],
    }
    assert_all(
        parts.PROJECT,
        of_both,
        {
            "": [along(5, 0.5)],
            "projects-unasked": [
                along(2, 0.5),
                along(4, 0.5),
                along(1, 0.5),
            ],
            "unit-length-at-every-step": [along(1, 1)],
            **shared,
        },
    )
    shared["entries-cut-off-one-by-one"] = [
        np.array([[2, -2], [0.3, -0.4]]) / 5
    ]
    radii = [1, 4, 0.5, sqrt(8), sqrt(2)]
    assert_all(
        recipe.OF_A_BALL,
        of_both,
        {
            "no-projection": [along(5, 0.5)],
            "always-brought-to-the-edge": [along(2, 2)],
            "ball-of-another-radius": [along(r, 0.5) for r in radii],
            "divided-by-the-length": [along(1, 1)],
            "inside-by-another-number": 3 * [along(2, 0.5)],
            **shared,
        },
    )


def test_what_is_inside_of_a_ball_by_another_number():
    """The ball of λ = 1/4 ends at 2; what is outside is brought there."""

    def lengths(term):
        ways = np.outer([0.8, 1.2, 1.7, 3.0, 5.0], [0.6, -0.8])
        return [np.linalg.norm(term(w, 0.25)) for w in ways]

    found = by_name(recipe.OF_A_BALL, lengths)["inside-by-another-number"]
    wanted = [
        [0.8, 1.2, 2, 2, 2],  # ‖w‖² is compared with 2
        [0.8, 1.2, 1.7, 3, 2],  # ‖w‖ with 4
        [0.8, 2, 2, 2, 2],  # ‖w‖ with 1
    ]
    np.testing.assert_allclose(found, wanted, rtol=1e-12)


def test_what_is_returned():
    """w_1, …, w_5 are 0, 1, 3, 6 and 10 times (3, −4); λ = 1/4, n = 5."""
    W = np.outer([0, 1, 3, 6, 10], LONG)
    assert_all(
        parts.RETURNS,
        lambda returned: returned(W, 0.25, 5),
        {
            name: [number * LONG for number in numbers]
            for name, numbers in {
                "last-for-average": [10],
                "returns-the-average": [2.5],
                "average-one-late": [5],
                "average-of-one-too-many": [4],
                "sum-for-average": [10, 20],
                "average-divided-by-n": [2],
                "average-divided-by-one-less": [10 / 3],
                "average-of-the-last-half": [4.5, 8],
                "mean-moved-by-one-over-T": [2.203125, 4.15234375],
                # H_3 − H_t is 5/6, 1/3, 0 and −1/4 for what is added.
                "factors-one-step-late": [(5 / 6 + 5 / 3 - 22 / 4) / 4],
                "all-divided-by-the-last-t": [1.5625],
                "returns-unit-length": [0.2],
                "returns-minus-w": [-10],
                "projects-unasked": [0.4],
                "scale-forgotten-at-the-end": [40, 10],
                "lambda-forgotten-at-the-end": [2.5],
                "lambda-forgotten-in-the-average": [0.625],
                "divided-by-lambda-at-the-end": [40],
                "average-divided-by-lambda": [10],
            }.items()
        },
    )


def test_regularisers():
    """At w = (3, −4), λ = 1/4, n = 5."""
    assert_all(
        values.REGULARISER,
        lambda term: term(LONG, 0.25, 5),
        {
            "": [25 / 8],
            "regulariser-without-half": [25 / 4],
            "norm-not-squared": [5 / 8, 5 / 4],
            "regulariser-forgotten": [0],
            "regulariser-without-lambda": [12.5, 25],
            "regulariser-divided-by-n": [5 / 8],
            "regulariser-by-absolute-values": [7 / 4, 7 / 8],
            "divided-by-lambda": [50],
            "regulariser-subtracted": [-25 / 8],
        },
    )


def test_losses():
    """Four margins: 1/2, −1, −2 and 3."""
    y, scores = np.array([1, 1, -1, -1]), np.array([0.5, -1, 2, -3])
    assert_all(
        values.LOSS,
        lambda term: term(y, scores),
        {
            "": [[0.5, 2, 3, 0]],
            "hinge-without-max": [[0.5, 2, 3, -2]],
            "counts-errors": [[0, 1, 1, 0]],
            "counts-violators": [[1, 1, 1, 0]],
            "label-forgotten": [[0.5, 2, 0, 4]],
            "label-outside-the-bracket": [[0.5, 2, 1, 0], [0.5, 2, 1, -4]],
            "labels-zero-and-one": [[0.5, 2, 1, 1]],
            "hinge-without-one": [[0, 1, 2, 0]],
            "hinge-turned-round": [
                [0, 0, 0, 2],
                [1.5, 0, 0, 4],
                [0, 0, 0, -2],
            ],
            "losses-squared": [[0.25, 4, 9, 0]],
            "log-loss-unasked": [[log(1 + exp(-m)) for m in (0.5, -1, -2, 3)]],
        },
    )


def test_means():
    """Five losses, of rows with two numbers."""
    losses = np.array([0.5, 2, 3, 0, 0])
    assert_all(
        values.MEAN,
        lambda term: term(losses, 2),
        {
            "": [1.1],
            "sum-instead-of-mean": [5.5],
            "largest-loss-only": [3, 3],
            "sum-divided-by-two-n": [0.55],
            "divided-by-another-number": [2.75, 1.375, 0.55, 5.5 / 3],
            "median-for-mean": [0.5],
            "not-one-number": [losses],
            "losses-forgotten": [0],
        },
    )


# The functions of one number; what cuts off and what counts is apart.
APART = {"exponent-cut-off", "difference-quotient", "slope-of-the-exponential"}


def test_log_losses_and_slopes():
    """At the margins −2 and 1/2."""
    m = np.array([-2.0, 0.5])
    loss, up = np.log(1 + np.exp(-m)), np.exp(m)
    chance = up / (1 + up)
    for formulas, wanted in (
        (
            values.log_losses,
            {
                "wrong-logarithm": [loss / log(2), loss / log(10)],
                "loss-with-wrong-sign": [-loss],
                "slope-for-loss": [chance - 1],
                "sigmoid-for-loss": [chance],
                "one-forgotten": [[2, -0.5]],
                "hinge-for-log-loss": [[2, 0], [3, 0.5]],
                "logarithm-forgotten": [
                    1 + 1 / up,
                    *[1 / up] * len(values.CUTS),
                ],
                "one-added-twice": [
                    np.log(2 + 1 / up),
                    np.log([2 + exp(-2), 2 + exp(-0.5)]) + [2, 0],
                ],
                "summed-up": [loss.sum()],
                "averaged": [loss.mean()],
            },
        ),
        (
            values.slopes,
            {
                "minus-forgotten-inside": [chance],
                "loss-for-slope": [loss],
                "slope-of-the-hinge": [[-1, -1]],
                "second-derivative": [
                    chance * (1 - chance),
                    chance * (chance - 1),
                ],
            },
        ),
    ):
        terms = [(n, f) for (n,), f in formulas() if n not in APART]
        assert_all(terms, lambda term: term(m), wanted)
    slope = {name: f for (name,), f in values.slopes()}["slope-of-the-hinge"]
    np.testing.assert_array_equal(slope(np.array([0.9, 1.0, 3.0])), [-1, 0, 0])


def test_curvatures():
    """At the margins −2 and 1/2."""
    m = np.array([-2.0, 0.5])
    up, down = 1 / (1 + np.exp(-m)), 1 / (1 + np.exp(m))
    third = up * down * (up - down)
    terms = [(n, f) for (n,), f in values.curvatures() if n not in APART]
    assert_all(
        terms,
        lambda term: term(m),
        {
            "first-derivative": [-down, down],
            "third-derivative": [-third, third],
            "slope-squared": [down**2, up**2],
            "loss-for-curvature": [np.log(1 + np.exp(-m))],
        },
    )


# Five rows with one number, and w = 1
SCORES = np.array([[-1.5], [-0.5], [0.25], [0.75], [2.0]])


def test_predictions():
    zeros = "labels-zero-and-one"
    terms = [
        (" ".join(n for n in names if n), predict)
        for names, predict in values.predictions()
    ]
    wanted = {
        "": 2 * [[-1, -1, 1, 1, 1]],
        zeros: 2 * [[0, 0, 1, 1, 1]],
        "threshold-at-one": [
            [-1, -1, -1, -1, 1],
            [-1, -1, -1, -1, 1],
            [-1, 1, 1, 1, 1],  # at minus one
        ],
        f"{zeros} threshold-at-one": 2 * [[0, 0, 0, 0, 1]],
        "cut-at-half": 2 * [[-1, -1, -1, 1, 1]],
        f"{zeros} cut-at-half": 2 * [[0, 0, 0, 1, 1]],
        "labels-swapped": 2 * [[1, 1, -1, -1, -1]],
        "takes-the-size-of-the-score": [
            [1, -1, -1, -1, 1],
            [1, -1, -1, 1, 1],  # from one half on
        ],
        "other-labels-than-asked": [
            [1, 1, 2, 2, 2],
            [0, 0, 2, 2, 2],
            [-2, -2, 2, 2, 2],
            [2, 2, 1, 1, 1],
        ],
    }
    assert_all(terms, lambda term: term(np.ones(1), SCORES), wanted)


def test_probabilities():
    score = SCORES[:, 0]

    def chance(score):
        return 1 / (1 + np.exp(-score))

    assert_all(
        [(name, term) for (name,), term in values.probabilities()],
        lambda term: term(np.ones(1), SCORES),
        {
            "score-with-a-factor": [
                chance(factor * score) for factor in (2, 0.5, -2, -0.5)
            ],
            "sigmoid-twice": [chance(chance(score))],
            "tanh-for-sigmoid": [2 * chance(2 * score) - 1],
            "labels-for-probabilities": [[0, 0, 1, 1, 1], [-1, -1, 1, 1, 1]],
            "softmax-over-rows": [np.exp(score) / np.exp(score).sum()],
            "exponential-alone": [np.exp(score), np.exp(-score)],
            "one-forgotten": [np.exp(score)],
        },
    )


def test_a_step_of_a_recipe():
    """At w = (1, 0), x = (2, 1), λ = 1/4, η = 1/2: w shrinks by 7/8.

    The margin is 2 for the label 1, and −2 for −1.
    """
    w, x = np.array([1.0, 0.0]), np.array([2.0, 1.0])
    step = values.one_step(recipe.RIGHT["A1.pegasos"])
    change = values.change(recipe.RIGHT["A1.pegasos"])
    for label, wanted in ((1, [7 / 8, 0]), (-1, [-1 / 8, -1 / 2])):
        np.testing.assert_allclose(step(w, x, label, 0.25, 0.5), wanted)
        np.testing.assert_allclose(change(w, x, label, 0.25, 0.5), wanted - w)


@pytest.mark.parametrize(
    "inside, wanted", [(False, [9 / 16, 1 / 4]), (True, [11 / 16, 1 / 4])]
)
def test_two_steps_with_momentum(inside, wanted):
    """λ = 1/2, so η is 2 and then 1; of v a half is kept, of g a quarter new.

    g is (−1, 0), and at w = (1/2, 0) then (1/4, −1). With the step outside
    v = (−1/4, 0), then (−1/8 + 1/16, −1/4); inside (−1/2, 0), then
    (−1/4 + 1/16, −1/4).
    """
    solve = whole.with_momentum(lambda m: m < 1, 0.5, 0.25, inside)
    found = solve(np.eye(2), np.ones(2), 0.5, [0, 1])
    np.testing.assert_allclose(found, wanted)


@pytest.mark.parametrize(
    "yours, name",
    [
        ([3.0, -1.0, 12.0], "whole-numbers-only"),
        ([3.141, -1.411, 12.35], "few-digits"),
        ([6.28, -2.82, 24.68], "right-but-for-a-factor"),
        ([13.14, 8.59, 22.34], "right-but-for-a-constant"),
        ([0.0, 0.1, 0.0], None),
        ([3.14, 1.41, 12.34], None),
    ],
)
def test_what_is_near_to_the_right_values(yours, name):
    """3.14, −1.41 and 12.34; twice as much, and ten more."""
    found = values.near_to(np.array(yours), np.array([3.14, -1.41, 12.34]))
    assert found == ((name,) if name else ())
