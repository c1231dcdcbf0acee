"""Projections against a general solver and against what defines them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.optimize import minimize

from pegasos_edu.solvers.projections import (
    SETS,
    project_l1,
    project_l2,
    project_simplex,
)

SIZES = st.integers(1, 30)
NUMBERS = st.floats(-100.0, 100.0, allow_subnormal=False)
RADII = st.floats(0.01, 100.0)


def vectors(d):
    return arrays(float, d, elements=NUMBERS)


def weights(d):
    return st.none() | arrays(float, d, elements=st.floats(0.01, 100.0))


def norm(x, h):
    return np.sqrt(((1.0 if h is None else h) * x**2).sum())


def size(ball, x):
    """What must not exceed the radius."""
    return np.linalg.norm(x) if ball == "l2" else np.abs(x).sum()


def farthest(ball, direction, radius):
    """A point of the set where ⟨direction, x⟩ is largest."""
    if ball == "l2":
        length = np.linalg.norm(direction)
        return direction * (radius / length if length > 0 else 0.0)
    i = np.argmax(direction if ball == "simplex" else np.abs(direction))
    corner = np.zeros_like(direction)
    corner[i] = radius
    return corner if ball == "simplex" else np.copysign(corner, direction)


EVERY_SET = pytest.mark.parametrize("ball", SETS)


@EVERY_SET
@given(st.data())
def test_lands_in_the_set_and_stays_there(ball, data):
    d, radius = data.draw(SIZES), data.draw(RADII)
    w, h = data.draw(vectors(d)), data.draw(weights(d))
    p = SETS[ball](w, radius, h)
    assert size(ball, p) <= radius * (1 + 1e-9) + 1e-9
    if ball == "simplex":
        assert (p >= 0).all()
        assert p.sum() == pytest.approx(radius, rel=1e-9, abs=1e-9)
    np.testing.assert_allclose(SETS[ball](p, radius, h), p, atol=1e-9)


@pytest.mark.parametrize("d", range(1, 40))
def test_a_point_on_the_sphere_stays_there_with_weights(d):
    """Its norm may be rounded up in one place and down in another."""
    h = np.full(d, 19.0)
    for radius in np.linspace(0.1, 8.0, 50):
        p = project_l2(np.full(d, 8.0), radius, h)
        np.testing.assert_allclose(project_l2(p, radius, h), p, rtol=1e-12)


@pytest.mark.parametrize("radius", [0.0, -1.0, np.nan, np.inf, "1"])
@EVERY_SET
def test_a_radius_is_above_zero(ball, radius):
    with pytest.raises((ValueError, TypeError), match="expected a finite"):
        SETS[ball](np.array([3.0, 4.0]), radius)


@pytest.mark.parametrize("tiny", [1e-18, 1e-100])
def test_tiny_weights_are_no_weights(tiny):
    w, h = np.array([3.0, 4.0, 12.0]), np.full(3, tiny)
    p = project_l2(w, 1.0, h)
    np.testing.assert_allclose(p, w / 13.0, rtol=1e-9)


@EVERY_SET
@given(st.data())
def test_brings_no_two_points_farther_apart(ball, data):
    d, radius = data.draw(SIZES), data.draw(RADII)
    v, w = data.draw(vectors(d)), data.draw(vectors(d))
    h = data.draw(weights(d))
    project = SETS[ball]
    apart = norm(project(v, radius, h) - project(w, radius, h), h)
    assert apart <= norm(v - w, h) + 1e-7


@EVERY_SET
@given(st.data())
def test_no_point_of_the_set_lies_in_the_direction_of_w(ball, data):
    """p is nearest to w exactly if ⟨h(w − p), x − p⟩ ≤ 0 for x in the set.

    A linear function is largest at one point of the set that we know, so
    one x is enough for all.
    """
    d, radius = data.draw(SIZES), data.draw(RADII)
    w, h = data.draw(vectors(d)), data.draw(weights(d))
    p = SETS[ball](w, radius, h)
    pull = (w - p) * (1.0 if h is None else h)
    x = farthest(ball, pull, radius)
    scale = 1.0 + np.abs(pull).max() * (radius + np.abs(w).max())
    assert pull @ (x - p) <= 1e-8 * scale


def by_general_solver(ball, w, radius, h):
    """The same projection by sequential quadratic programming.

    On the l1-ball with positive and negative parts, w = u − v.
    """
    d = len(w)
    fold = np.hstack([np.eye(d), -np.eye(d)]) if ball == "l1" else np.eye(d)
    if ball == "l2":
        limit = {
            "type": "ineq",
            "fun": lambda x: radius**2 - x @ x,
            "jac": lambda x: -2 * x,
        }
    else:
        limit = {
            "type": "eq" if ball == "simplex" else "ineq",
            "fun": lambda x: radius - x.sum(),
            "jac": lambda x: -np.ones_like(x),
        }
    bounds = None if ball == "l2" else [(0, None)] * fold.shape[1]
    found = minimize(
        lambda x: 0.5 * h @ (fold @ x - w) ** 2,
        np.full(fold.shape[1], radius / fold.shape[1] / 2),
        jac=lambda x: fold.T @ (h * (fold @ x - w)),
        method="SLSQP",
        bounds=bounds,
        constraints=[limit],
        options={"ftol": 1e-10, "maxiter": 500},
    )
    assert found.status in (0, 8)  # 8: no step improves it any more
    return fold @ found.x


@EVERY_SET
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_equals_a_general_solver(ball, seed, weighted):
    rng = np.random.default_rng(seed)
    w = 2.0 * rng.standard_normal(8)
    h = rng.uniform(0.2, 5.0, 8) if weighted else np.ones(8)
    p = SETS[ball](w, 1.5, h if weighted else None)
    np.testing.assert_allclose(
        p, by_general_solver(ball, w, 1.5, h), atol=2e-5
    )


def test_inside_the_ball_nothing_moves():
    w = np.array([0.2, -0.3])
    assert project_l1(w, 1.0) is w
    np.testing.assert_array_equal(
        project_l1(np.zeros(3), 1.0, np.ones(3)), np.zeros(3)
    )


def test_ties_are_shared():
    np.testing.assert_allclose(
        project_simplex(np.array([5.0, 5.0, 5.0, -9.0])),
        [1 / 3, 1 / 3, 1 / 3, 0.0],
    )


def test_a_case_worked_by_hand():
    """|w| = (3, 2, ½), radius 2: θ = (3 + 2 − 2)/2 = 1.5 keeps two."""
    np.testing.assert_array_equal(
        project_l1(np.array([3.0, -2.0, 0.5]), 2.0), [1.5, -0.5, 0.0]
    )


@pytest.mark.parametrize("project", [project_l2, project_l1, project_simplex])
@pytest.mark.parametrize(
    "point, said",
    [
        ([3.0, 4.0], r"is \[3.0, 4.0\]; expected an array of one dimension"),
        (np.zeros(0), "expected an array of one dimension, not empty"),
        (np.ones((1, 2)), "expected an array of one dimension, not empty"),
        ("a", "is 'a'; expected an array of one dimension"),
        (np.array([1.0, np.nan]), "expected floating-point numbers other th"),
        (np.array([3, 4]), "expected floating-point numbers other than nan"),
    ],
)
def test_what_is_no_point_is_refused(project, point, said):
    with pytest.raises((ValueError, TypeError), match=said):
        project(point, 1.0)
