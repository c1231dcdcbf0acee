"""Starting elsewhere than at zero: every solver, one rule."""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu.solvers import loop, relatives
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep
from tests.library.problems import (
    SOLVERS,
    TAKE_SPARSE,
    assert_close,
    assert_same_run,
    random_problem,
)

X2, Y2 = [[2.0, 0.0], [1.0, 1.0]], [1, -1]
RELATIVES = {
    "gradient_descent": (relatives.gradient_descent, {"T": 40}),
    "sgd": (relatives.sgd, {}),
    "mirror": (relatives.mirror_descent, {}),
    "lazy mirror": (relatives.mirror_descent, {"lazy": True}),
    "eg": (relatives.exponentiated_gradient, {"radius": 2.0}),
    "adagrad": (relatives.adagrad, {}),
}


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_the_first_shrink_leaves_nothing_of_the_start(solver):
    """λ = 1/4, w_1 = (1, 0), of length 1 ≤ 2.

    t = 1, example 1: margin 2 ≥ 1, no violation; from zero it would be
           one. Shrink by 0: w = (0, 0).
    t = 2, η = 2, example 2: margin 0 < 1, w = −2·(1, 1) = (−2, −2).
    The average of w_1, w_2 is (1/2, 0).
    """
    run = solver(
        X2, Y2, 0.25, order=[0, 1], start=[1.0, 0.0], snapshots=[1, 2]
    )
    np.testing.assert_array_equal(run.iterates, [[0, 0], [-2, -2]])
    np.testing.assert_array_equal(run.average, [0.5, 0.0])
    zero = solver(X2, Y2, 0.25, order=[0, 1])
    assert not np.allclose(zero.last, run.last)  # t = 1 did see the start


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_head_start_keeps_a_share_of_the_start(solver):
    """t₀ = 1, λ = 1/4: η_1 = 2, the first shrink is 1/2.

    w_1 = (1, 0), example 2: margin −1 < 1, w_2 = (1/2, 0) − 2·(1, 1).
    """
    run = solver(
        X2,
        Y2,
        0.25,
        order=[1],
        start=[1.0, 0.0],
        step=PegasosStep(0.25, t0=1.0),
    )
    np.testing.assert_allclose(run.last, [-1.5, -2.0], rtol=1e-15)
    np.testing.assert_array_equal(run.average, [1.0, 0.0])


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("t0", [0.0, 0.5, 30.0])
@pytest.mark.parametrize("k, average_from", [(1, 1), (3, 1), (1, 9)])
def test_all_rungs_are_equal_from_a_start(loss, t0, k, average_from):
    X, y = random_problem(seed=12)
    lam = 0.25
    start = np.random.default_rng(3).normal(size=6)
    start *= 1.9 / np.linalg.norm(start)
    options = dict(
        T=60,
        seed=1,
        k=k,
        loss=loss,
        step=PegasosStep(lam, t0),
        start=start,
        average_from=average_from,
        snapshots=range(1, 61),
    )
    wanted = loop.pegasos(X, y, lam, **options)
    for name, solver in SOLVERS.items():
        assert_same_run(solver(X, y, lam, **options), wanted)
        if name in TAKE_SPARSE:
            found = solver(sp.csr_array(X), y, lam, **options)
            assert_same_run(found, wanted)


@pytest.mark.parametrize("step", [None, InverseSqrt(0.3), Constant(0.05)])
@pytest.mark.parametrize("radius", [None, 1.0])
def test_other_steps_and_projection_from_a_start(step, radius):
    X, y = random_problem(seed=12)
    start = np.full(6, 0.4)
    options = dict(
        T=60, seed=1, step=step, radius=radius, start=start, snapshots=[1, 60]
    )
    wanted = loop.pegasos(X, y, 0.25, **options)
    for name in ("dense", "sparse", "compiled"):
        assert_same_run(SOLVERS[name](X, y, 0.25, **options), wanted)
    if step is not None:
        from_zero = loop.pegasos(X, y, 0.25, **{**options, "start": None})
        assert not np.allclose(from_zero.last, wanted.last)


def test_the_closed_form_is_exact_from_a_start():
    """In fractions: w_{t+1} = (λt₀w_1 + Σ v_i) / (λ(t + t₀))."""
    X, y = random_problem(seed=5, n=8, d=3)
    lam, t0, T = Fraction(1, 4), 3, 12
    start = [Fraction(1, 2), Fraction(-1, 4), Fraction(1, 8)]
    order = np.arange(T) % 8
    w, sums = list(start), [lam * t0 * w_j for w_j in start]
    for t, i in enumerate(order.tolist(), start=1):
        x, label = [Fraction(v) for v in X[i]], int(y[i])
        margin = label * sum(a * b for a, b in zip(w, x))
        v = [label * x_j * (margin < 1) for x_j in x]
        eta = 1 / (lam * (t + t0))
        w = [(1 - eta * lam) * a + eta * b for a, b in zip(w, v)]
        sums = [a + b for a, b in zip(sums, v)]
        assert w == [a / (lam * (t + t0)) for a in sums]
    run = SOLVERS["closed_form"](
        X,
        y,
        0.25,
        order=order,
        step=PegasosStep(0.25, t0=3.0),
        start=[float(a) for a in start],
    )
    assert_close(run.last, [float(a) for a in w], rtol=1e-14)


@pytest.mark.parametrize("name", RELATIVES)
def test_relatives_average_from_the_start_on(name):
    """The average of one iterate is w_1 itself."""
    solver, options = RELATIVES[name]
    X, y = random_problem(seed=2)
    start = np.array([0.5, -0.25, 0.0, 0.125, 0.0, 0.25])
    if name != "gradient_descent":
        options = {**options, "order": [3]}
    else:
        options = {"T": 1}
    run = solver(X, y, 0.25, start=start, **options)
    np.testing.assert_allclose(run.average, start, atol=1e-15)


@pytest.mark.parametrize("name", ["sgd", "mirror"])
def test_sgd_with_the_step_of_pegasos_is_pegasos_from_a_start(name):
    X, y = random_problem(seed=2)
    options = dict(
        T=40,
        seed=0,
        start=np.full(6, 0.3),
        step=PegasosStep(0.25, t0=4.0),
        snapshots=range(1, 41),
    )
    wanted = loop.pegasos(X, y, 0.25, **options)
    found = RELATIVES[name][0](X, y, 0.25, **options)
    assert_same_run(found, wanted)


def test_multiplicative_steps_start_where_they_are_told():
    X, y = random_problem(seed=2)
    start = np.array([0.5, 0.5, 0.25, 0.25, 0.25, 0.25])
    run = relatives.mirror_descent(
        X,
        y,
        0.1,
        order=[0],
        mirror="entropy",
        ball="simplex",
        radius=2.0,
        start=start,
    )
    np.testing.assert_array_equal(run.average, start)


def test_the_halves_of_a_start_share_what_is_left_of_the_radius():
    """Worked by hand: u − v = w_1 and u + v sum to the radius, d = 3."""
    X, y = np.array([[1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]), [1, -1]
    start = np.array([0.5, 0.0, -0.25])
    run = relatives.exponentiated_gradient(
        X, y, 0.5, order=[0], radius=1.5, start=start, snapshots=[1]
    )
    share = (1.5 - 0.75) / 6
    u = np.array([0.5 + share, share, share])
    v = np.array([share, share, 0.25 + share])
    # x_1 has margin 0.5 < 1; η_1 = 1.
    g = 0.5 * start - X[0]
    u, v = u * np.exp(-g), v * np.exp(g)
    wanted = 1.5 * (u - v) / (u.sum() + v.sum())
    np.testing.assert_allclose(run.last, wanted, rtol=1e-12)


def test_multiplicative_steps_start_in_the_middle():
    X, y = random_problem(seed=2)
    run = relatives.mirror_descent(
        X, y, 0.1, order=[0], mirror="entropy", ball="simplex", radius=2.0
    )
    np.testing.assert_allclose(run.average, 2.0 / X.shape[1], rtol=1e-12)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(
    "start, message",
    [
        ([1.0, 2.0, 3.0], r"start has shape \(3,\); expected \(2,\)"),
        ([np.nan, 0.0], "start holds nan; expected finite"),
        ([2.5, 0.0], r"start has norm 2.5; expected at most 1/sqrt\(lam\)"),
    ],
)
def test_a_wrong_start_is_named(solver, start, message):
    with pytest.raises(ValueError, match=message):
        solver(X2, Y2, 0.25, order=[0], start=start)


def test_with_a_ball_the_start_must_lie_in_it():
    options = dict(order=[0], radius=1.0, start=[0.8, 0.8])
    with pytest.raises(ValueError, match="expected at most the radius = 1"):
        loop.pegasos(X2, Y2, 0.25, **options)
    options["start"] = [0.7, 0.7]  # in the l2-ball, not in the l1-ball
    loop.pegasos(X2, Y2, 0.25, **options)
    with pytest.raises(ValueError, match="outside the set"):
        relatives.sgd(X2, Y2, 0.25, ball="l1", **options)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_the_caller_keeps_the_start(solver):
    start = np.array([1.0, 0.5])
    solver(X2, Y2, 0.25, T=20, seed=0, start=start)
    np.testing.assert_array_equal(start, [1.0, 0.5])


def test_a_start_on_the_border_may_be_longer_by_rounding():
    """As w* scaled to 1/√λ, or to the radius, may be."""
    X, y, lam = np.eye(2), np.array([1, -1]), 0.25
    longer = np.array([2.0 * (1.0 + 1e-13), 0.0])
    for radius in (None, 2.0):
        run = loop.pegasos(
            X,
            y,
            lam,
            order=[0],
            start=longer,
            step=Constant(1e-9),
            radius=radius,
        )
        assert np.isfinite(run.last).all()
    with pytest.raises(ValueError, match="start has norm 2"):
        loop.pegasos(X, y, lam, order=[0], start=longer * (1.0 + 1e-11))
