"""The certified optimum on a ball, against independent solvers."""

import numpy as np
import pytest
from scipy.optimize import minimize

from pegasos_edu import objective, optimum
from pegasos_edu.certificate.constrained import optimum_on
from pegasos_edu.problem.data import digits_zero, two_clouds


def test_equals_a_linear_program_with_a_quadratic_term():
    """SLSQP on w = u − v and one slack variable for each example."""
    X, y = two_clouds(n=20, seed=3)
    lam, radius, n = 0.05, 0.6, 20
    fold = np.hstack([np.eye(2), -np.eye(2)])
    margins = np.hstack([(X * y[:, None]) @ fold, np.eye(n)])
    limits = [
        {"type": "ineq", "fun": lambda z: margins @ z - 1.0},
        {"type": "ineq", "fun": lambda z: radius - z[:4].sum()},
    ]
    found = minimize(
        lambda z: 0.5 * lam * ((fold @ z[:4]) ** 2).sum() + z[4:].mean(),
        np.r_[np.zeros(4), np.ones(n)],
        method="SLSQP",
        bounds=[(0, None)] * (4 + n),
        constraints=limits,
        options={"ftol": 1e-15, "maxiter": 1000},
    )
    best = optimum_on("l1", radius, X, y, lam, tol=1e-8)
    assert best.primal == pytest.approx(found.fun, rel=1e-6)
    np.testing.assert_allclose(best.w, fold @ found.x[:4], atol=1e-4)


@pytest.mark.parametrize("ball", ["l1", "l2"])
def test_a_ball_that_holds_the_optimum_changes_nothing(ball):
    X, y = digits_zero()
    free = optimum(X, y, 0.1)
    best = optimum_on(ball, 50.0, X, y, 0.1)
    assert best.dual <= free.primal <= best.primal * (1 + 1e-12)
    assert best.gap <= 1e-6


def test_no_point_of_the_ball_is_better_than_the_bound():
    X, y = digits_zero()
    best = optimum_on("l1", 2.0, X, y, 0.01)
    rng = np.random.default_rng(0)
    moved = best.w + 0.05 * rng.standard_normal((200, 64))
    moved *= np.minimum(1.0, 2.0 / np.abs(moved).sum(axis=1))[:, None]
    assert (objective(moved, X, y, 0.01) >= best.dual).all()
    assert np.abs(best.w).sum() <= 2.0 * (1 + 1e-12)


def test_nothing_uncertified_is_returned():
    X, y = digits_zero()
    with pytest.raises(RuntimeError, match="no certified optimum"):
        optimum_on("l1", 2.0, X, y, 1e-4, tol=1e-15, rounds=1)
