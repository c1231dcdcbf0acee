"""The first-order methods against independent facts."""

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu import draw_order, objective, subgradient
from pegasos_edu import pegasos as dense_pegasos
from pegasos_edu.certificate.constrained import optimum_on
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.solvers.relatives import (
    adagrad,
    exponentiated_gradient,
    gradient_descent,
    mirror_descent,
    sgd,
)
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep

LAM = 0.1
STOCHASTIC = [sgd, mirror_descent, exponentiated_gradient, adagrad]


@pytest.fixture(scope="module")
def digits():
    return digits_zero()


def every(T):
    return range(1, T + 1)


def norms(ball, w):
    """The norm of each row that the ball bounds."""
    return np.linalg.norm(w, axis=1, ord={"l1": 1, "l2": 2}[ball])


def test_with_pegasos_steps_sgd_is_pegasos(digits):
    order = draw_order(1797, 300, k=3, seed=1)
    options = {"order": order, "radius": LAM**-0.5, "snapshots": every(300)}
    theirs = dense_pegasos(*digits, LAM, **options)
    ours = sgd(*digits, LAM, step=PegasosStep(LAM), **options)
    np.testing.assert_allclose(ours.iterates, theirs.iterates, atol=1e-11)
    np.testing.assert_allclose(ours.averages, theirs.averages, atol=1e-11)


@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_gradient_descent_follows_the_subgradient_of_f(digits, loss):
    run = gradient_descent(
        *digits,
        LAM,
        T=20,
        step=Constant(0.3),
        snapshots=every(20),
        loss=loss,
    )
    w = np.zeros(64)
    for iterate in run.iterates:
        w = w - 0.3 * subgradient(w, *digits, LAM, loss)
        np.testing.assert_allclose(iterate, w, atol=1e-13)


def test_gradient_descent_is_sgd_on_batches_of_everything(digits):
    T = 15
    order = np.tile(np.arange(1797), (T, 1))
    options = {"ball": "l1", "radius": 2.0, "snapshots": every(T)}
    full = gradient_descent(*digits, LAM, T, **options)
    batches = sgd(*digits, LAM, order=order, **options)
    np.testing.assert_allclose(full.iterates, batches.iterates, atol=1e-12)


@pytest.mark.parametrize("ball", ["l1", "l2"])
@pytest.mark.parametrize("lam", [0.02, LAM])
def test_projected_gradient_descent_reaches_the_certified_optimum(
    digits, ball, lam
):
    best = optimum_on(ball, 1.5, *digits, lam)
    run = gradient_descent(
        *digits,
        lam,
        T=3000,
        step=PegasosStep(lam),
        ball=ball,
        radius=1.5,
        average_from=1500,
    )
    assert norms(ball, run.average[None])[0] <= 1.5 * (1 + 1e-12)
    reached = objective(run.average, *digits, lam)
    assert best.dual <= reached <= best.primal + 2e-4


@pytest.mark.parametrize("ball", ["l1", "l2"])
def test_euclidean_mirror_descent_is_projected_sgd(digits, ball):
    options = {
        "ball": ball,
        "radius": 2.0,
        "snapshots": every(300),
        "order": draw_order(1797, 300, seed=2),
    }
    mirror = mirror_descent(*digits, LAM, **options)
    plain = sgd(*digits, LAM, **options)
    np.testing.assert_array_equal(mirror.iterates, plain.iterates)


def test_without_a_ball_lazy_and_agile_are_the_same(digits):
    options = {"T": 300, "seed": 2, "snapshots": every(300)}
    lazy = mirror_descent(*digits, LAM, lazy=True, **options)
    agile = mirror_descent(*digits, LAM, **options)
    np.testing.assert_allclose(lazy.iterates, agile.iterates, atol=1e-12)


def test_with_a_ball_lazy_and_agile_differ(digits):
    options = {"T": 300, "seed": 2, "ball": "l1", "radius": 2.0}
    lazy = mirror_descent(*digits, LAM, lazy=True, **options)
    agile = mirror_descent(*digits, LAM, **options)
    assert np.abs(lazy.last - agile.last).max() > 1e-3


def test_lazy_mirror_descent_projects_the_sum_of_all_steps(digits):
    """w_{t+1} is the nearest point to −Σ η_s g_s, worked out from w_t."""
    X, y = digits
    order = draw_order(1797, 40, seed=5)
    run = mirror_descent(
        X, y, LAM, lazy=True, radius=0.5, order=order, snapshots=every(40)
    )
    played = np.vstack([np.zeros(64), run.iterates[:-1]])
    theta = np.zeros(64)
    for t, (i, w) in enumerate(zip(order, played), start=1):
        violates = y[i] * (X[i] @ w) < 1
        theta -= (LAM * w - violates * y[i] * X[i]) / np.sqrt(t)
        nearest = theta * min(1.0, 0.5 / np.linalg.norm(theta))
        np.testing.assert_allclose(run.iterates[t - 1], nearest, atol=1e-12)


def test_entropic_mirror_descent_is_lazy_and_agile_at_once(digits):
    options = {
        "mirror": "entropy",
        "ball": "simplex",
        "radius": 3.0,
        "T": 300,
        "seed": 4,
        "snapshots": every(300),
    }
    lazy = mirror_descent(*digits, LAM, lazy=True, **options)
    agile = mirror_descent(*digits, LAM, **options)
    np.testing.assert_allclose(lazy.iterates, agile.iterates, atol=1e-12)
    assert (agile.iterates > 0).all()
    np.testing.assert_allclose(agile.iterates.sum(axis=1), 3.0)


def test_exponentiated_gradient_worked_by_hand():
    """d = 2, radius 2: u = v = (½, ½) and w_1 = 0.

    g_1 = −x = (−1, 2); with η = ln 2 the factors e^(∓ηg) are (2, ¼) on u
    and (½, 4) on v, so u = (1, ⅛), v = (¼, 2), the sum is 27/8, and
    rescaled to 2, w = (¾, −15/8)·16/27 = (4/9, −10/9).
    """
    X, y = [[1.0, -2.0], [1.0, 1.0]], [1, -1]
    run = exponentiated_gradient(
        X, y, 0.5, order=[0], step=Constant(np.log(2.0)), radius=2.0
    )
    np.testing.assert_allclose(run.last, [4 / 9, -10 / 9], rtol=1e-14)


def test_exponentiated_gradient_from_a_start_worked_by_hand():
    """d = 2, radius 1, w_1 = (½, −¼) leaves ¼, a sixteenth for each half.

    u = (9, 1)/16 and v = (1, 5)/16. The margin is ½ + ½ = 1, no violation,
    so with λ = 1 g_1 = w_1, and the factors e^(∓ηg) with η = 4 ln 2 are
    (¼, 2) on u and (4, ½) on v.
    """
    X, y = [[1.0, -2.0], [1.0, 1.0]], [1, -1]
    run = exponentiated_gradient(
        X,
        y,
        1.0,
        order=[0],
        step=Constant(4.0 * np.log(2.0)),
        radius=1.0,
        start=[0.5, -0.25],
    )
    u, v = np.array([9.0 / 4, 2.0]), np.array([4.0, 5.0 / 2])
    wanted = (u - v) / (u + v).sum()
    np.testing.assert_allclose(run.last, wanted, rtol=1e-14)
    np.testing.assert_allclose(run.average, [0.5, -0.25], rtol=1e-15)


def test_entropic_descent_begins_with_equal_weights():
    X, y = [[1.0, -2.0], [1.0, 1.0]], [1, -1]
    run = mirror_descent(
        X, y, 1.0, order=[0], mirror="entropy", ball="simplex", radius=3.0
    )
    np.testing.assert_array_equal(run.average, [1.5, 1.5])


def test_exponentiated_gradient_is_entropic_descent_on_doubled_data(digits):
    """Columns X and −X, weights (u, v) on the simplex: without the λ term
    the two methods see the same gradients."""
    X, y = digits
    lam = 1e-300  # the λ term of the doubled problem is not that of ours
    options = {
        "order": draw_order(1797, 200, seed=6),
        "radius": 4.0,
        "snapshots": every(200),
    }
    options["step"] = InverseSqrt(0.3)
    ours = exponentiated_gradient(X, y, lam, **options)
    doubled = mirror_descent(
        np.hstack([X, -X]),
        y,
        lam,
        mirror="entropy",
        ball="simplex",
        **options,
    ).iterates
    u, v = np.split(doubled, 2, axis=1)
    np.testing.assert_allclose(ours.iterates, u - v, atol=1e-12)
    assert (doubled > 0).all()
    np.testing.assert_allclose(doubled.sum(axis=1), 4.0)


def test_exponentiated_gradient_stays_in_the_l1_ball(digits):
    run = exponentiated_gradient(
        *digits,
        LAM,
        T=500,
        seed=3,
        radius=2.0,
        step=Constant(50.0),
        snapshots=every(500),
    )
    assert (norms("l1", run.iterates) <= 2.0 * (1 + 1e-12)).all()
    assert np.isfinite(run.iterates).all()


def test_adagrad_worked_by_hand():
    """The first step moves every coordinate by η against the sign of g.

    The second one: the margin of x = (0, 1), y = −1 at w = (0.1, −0.1) is
    0.1 < 1, so g = λw − yx = (0.05, 0.95) with λ = ½. The sums of squares
    are then 4² + 0.05² and 2² + 0.95².
    """
    X, y = [[4.0, -2.0], [0.0, 1.0]], [1, -1]
    run = adagrad(X, y, 0.5, order=[0, 1], delta=1e-12, snapshots=[1, 2])
    first, second = run.iterates
    np.testing.assert_allclose(first, [0.1, -0.1], rtol=1e-9)
    expected = [
        0.1 - 0.1 * 0.05 / np.sqrt(16.0025),
        -0.1 - 0.1 * 0.95 / np.sqrt(4.9025),
    ]
    np.testing.assert_allclose(second, expected, rtol=1e-9)


@pytest.mark.parametrize("ball", ["l1", "l2"])
def test_adagrad_lands_at_the_nearest_point_in_its_own_norm(digits, ball):
    """No point of the ball is nearer in the norm of h than w_{t+1}."""
    X, y = digits
    order = draw_order(1797, 30, seed=8)
    run = adagrad(
        X, y, LAM, order=order, ball=ball, radius=0.3, snapshots=every(30)
    )
    rng = np.random.default_rng(9)
    squares, w, bites = np.zeros(64), np.zeros(64), 0
    for i, after in zip(order, run.iterates):
        g = LAM * w - (y[i] * (X[i] @ w) < 1) * y[i] * X[i]
        squares += g**2
        h = 1e-8 + np.sqrt(squares)
        target = w - 0.1 * g / h
        others = after + 0.1 * rng.standard_normal((500, 64))
        others *= np.minimum(1.0, 0.3 / norms(ball, others))[:, None]
        distance = h @ (after - target) ** 2
        assert distance <= ((others - target) ** 2 @ h).min() + 1e-15
        bites += distance > 0
        w = after
    assert bites > 10


def test_adagrad_moves_alike_whatever_the_scale_of_a_feature(digits):
    """While every margin is below 1, rescaling the columns of X changes
    no step; that is not so for SGD."""
    X, y = digits
    scaled = X * np.linspace(0.5, 4.0, 64)
    options = {"T": 50, "seed": 3, "step": Constant(1e-4)}
    lam = 1e-250  # the λ term would see the scale
    moves = adagrad(X, y, lam, delta=1e-200, **options).last
    np.testing.assert_allclose(
        adagrad(scaled, y, lam, delta=1e-200, **options).last, moves
    )
    apart = (
        sgd(scaled, y, lam, **options).last - sgd(X, y, lam, **options).last
    )
    assert np.abs(apart).max() > 1e-4


@pytest.mark.parametrize("method", [sgd, mirror_descent, adagrad])
def test_stays_in_the_ball(digits, method):
    for ball, radius in (("l1", 1.0), ("l2", LAM**-0.5), ("l2", 0.3)):
        run = method(
            *digits,
            LAM,
            T=300,
            seed=1,
            ball=ball,
            radius=radius,
            snapshots=every(300),
        )
        assert (norms(ball, run.iterates) <= radius * (1 + 1e-12)).all()


@pytest.mark.parametrize("method", STOCHASTIC)
def test_gets_near_the_certified_optimum_on_the_l1_ball(digits, method):
    best = optimum_on("l1", 4.0, *digits, 0.05)
    options = {} if method is exponentiated_gradient else {"ball": "l1"}
    run = method(
        *digits,
        0.05,
        T=20_000,
        seed=0,
        radius=4.0,
        average_from=10_001,
        **options,
    )
    reached = objective(run.average, *digits, 0.05)
    assert best.dual <= reached <= 1.05 * best.primal


@pytest.mark.parametrize("method", STOCHASTIC)
def test_a_seed_repeats_and_data_are_left_alone(method):
    X, y = two_clouds()
    kept = X.copy(), y.copy()
    runs = [method(X, y, LAM, T=50, seed=7, radius=2.0) for _ in range(2)]
    np.testing.assert_array_equal(runs[0].last, runs[1].last)
    np.testing.assert_array_equal(X, kept[0])
    np.testing.assert_array_equal(y, kept[1])


@pytest.mark.parametrize("method", [gradient_descent, *STOCHASTIC])
def test_bad_input_is_named(method):
    X, y = two_clouds()
    with pytest.raises(ValueError, match="lam is -1"):
        method(
            X,
            y,
            -1.0,
            5,
            **({} if method is gradient_descent else {"seed": 0}),
            radius=1.0,
        )
    with pytest.raises(TypeError, match="X is a sparse matrix"):
        method(sp.csr_array(X), y, LAM, 5)


def test_a_wrong_ball_is_named():
    X, y = two_clouds()
    with pytest.raises(ValueError, match="ball is 'l3'; expected one of"):
        sgd(X, y, LAM, T=5, seed=0, ball="l3")
    for method in (gradient_descent, sgd, mirror_descent, adagrad):
        given = {} if method is gradient_descent else {"seed": 0}
        expected = "ball is 'l1' and radius is None; expected a radius"
        with pytest.raises(ValueError, match=expected):
            method(X, y, LAM, T=5, ball="l1", **given)
    with pytest.raises(ValueError, match="radius is None; expected"):
        exponentiated_gradient(X, y, LAM, T=5, seed=0)
    with pytest.raises(ValueError, match="ball is 'l2' and radius is 1"):
        mirror_descent(X, y, LAM, T=5, seed=0, mirror="entropy", radius=1)
    with pytest.raises(ValueError, match="T is 0"):
        gradient_descent(X, y, LAM, T=0)
