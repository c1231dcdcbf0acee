"""Losses, objective and subgradient against finite differences and sums."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize_scalar

from pegasos_edu import (
    PegasosClassifier,
    minimise,
    objective,
    optimum,
    subgradient,
)
from pegasos_edu.problem.losses import LOSSES, Loss, slope
from pegasos_edu.solvers import closed_form, sdca, sparse
from tests.library.problems import random_problem

NAMES = sorted(LOSSES)
margins = st.floats(-50, 50).filter(lambda m: abs(m - 1) > 1e-3)


@pytest.mark.parametrize("name", NAMES)
@given(margin=margins)
def test_slope_is_the_derivative(name, margin):
    value, slope_of = LOSSES[name].value, LOSSES[name].slope
    h = 1e-5
    difference = (value(margin + h) - value(margin - h)) / (2 * h)
    assert slope_of(margin) == pytest.approx(difference, abs=1e-8)
    assert slope(margin, 1.0, name == "log") == slope_of(margin)
    assert slope(2.0 * margin, 2.0, name == "log") == slope_of(margin)


@pytest.mark.parametrize("name", NAMES)
@given(a=st.floats(-1e3, 1e3), b=st.floats(-1e3, 1e3))
def test_slope_is_a_subgradient(name, a, b):
    """ℓ(b) ≥ ℓ(a) + ℓ'(a)(b − a) everywhere, at the kink too."""
    value, slope_of = LOSSES[name].value, LOSSES[name].slope
    for start in (a, 1.0):
        bound = value(start) + slope_of(start) * (b - start)
        assert value(b) >= bound - 1e-9


def test_values_by_hand():
    hinge, log = LOSSES["hinge"], LOSSES["log"]
    assert [hinge.value(m) for m in (-2.0, 0.0, 1.0, 3.0)] == [3, 1, 0, 0]
    assert [hinge.slope(m) for m in (-2.0, 0.999, 1.0, 3.0)] == [-1, -1, 0, 0]
    # A margin of 1 written as 3/3: no step, as above.
    assert [slope(score, 3.0, False) for score in (2.999, 3.0)] == [-1, 0]
    for m in (-3.0, 0.0, 0.5, 4.0):
        assert log.value(m) == pytest.approx(math.log(1 + math.exp(-m)))
        assert log.slope(m) == pytest.approx(-1 / (1 + math.exp(m)))


def test_nothing_overflows_at_any_margin():
    """Warnings are errors here, and none is raised."""
    ends = np.array([-1e308, -1e4, -710.0, 710.0, 1e4, 1e308])
    np.testing.assert_array_equal(
        LOSSES["log"].value(ends),
        [1e308, 1e4, 710, *LOSSES["log"].value(np.array([710.0])), 0, 0],
    )
    assert 0 <= LOSSES["log"].value(710.0) < 1e-300
    np.testing.assert_allclose(
        LOSSES["log"].slope(ends), [-1, -1, -1, 0, 0, 0], atol=1e-300
    )
    np.testing.assert_array_equal(
        LOSSES["hinge"].slope(ends), [-1, -1, -1, 0, 0, 0]
    )
    np.testing.assert_allclose(
        LOSSES["hinge"].value(ends), [1e308, 10001, 711, 0, 0, 0]
    )


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("a", [0.0, 0.1, 0.5, 0.9, 1.0])
def test_dual_is_the_conjugate(name, a):
    """−ℓ*(−a) is the least value of ℓ(m) + a·m over m."""
    loss = LOSSES[name]
    least = minimize_scalar(
        lambda m: loss.value(m) + a * m,
        bounds=(-60, 60),
        method="bounded",
        options={"xatol": 1e-10},
    ).fun
    assert float(loss.dual(a)) == pytest.approx(least, abs=1e-7)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.csc_matrix])
def test_objective_is_its_formula(name, form):
    X, y = random_problem(seed=0)
    w = np.random.default_rng(1).normal(size=(3, 6))
    loss = {
        "hinge": lambda m: max(0.0, 1 - m),
        "log": lambda m: math.log1p(math.exp(-m)),
    }[name]
    wanted = [
        0.15 * sum(e * e for e in one)
        + sum(
            loss(label * sum(a * b for a, b in zip(one, row)))
            for row, label in zip(X.tolist(), y)
        )
        / 30
        for one in w.tolist()
    ]
    found = objective(w, form(X), y, 0.3, loss=name)
    np.testing.assert_allclose(found, wanted, rtol=1e-13)
    single = objective(w[1], form(X), y, 0.3, loss=name)
    assert isinstance(single, float)
    assert single == pytest.approx(wanted[1], rel=1e-13)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_subgradient_is_the_gradient_off_the_kinks(name, form):
    X, y = random_problem(seed=0)
    w = np.random.default_rng(1).normal(size=6)
    assert np.abs(y * (X @ w) - 1).min() > 1e-3
    h = 1e-6
    wanted = [
        (
            objective(w + h * e, X, y, 0.3, loss=name)
            - objective(w - h * e, X, y, 0.3, loss=name)
        )
        / (2 * h)
        for e in np.eye(6)
    ]
    found = subgradient(w, form(X), y, 0.3, loss=name)
    np.testing.assert_allclose(found, wanted, atol=1e-8)


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 10**6))
def test_subgradient_inequality_of_strong_convexity(name, seed):
    """f(u) ≥ f(w) + ⟨g, u − w⟩ + λ/2 ‖u − w‖²."""
    rng = np.random.default_rng(seed)
    X, y = random_problem(seed, n=8, d=3)
    u, w = rng.normal(size=(2, 3)) * 3
    g = subgradient(w, X, y, 0.5, loss=name)
    f_u, f_w = objective(np.array([u, w]), X, y, 0.5, loss=name)
    assert f_u >= f_w + g @ (u - w) + 0.25 * (u - w) @ (u - w) - 1e-9


def test_a_subgradient_is_taken_at_one_point_only():
    X, y = np.array([[2.0, 1.0], [-1.0, 0.5]]), np.array([1.0, -1.0])
    with pytest.raises(ValueError, match=r"w has shape \(2, 2\)"):
        subgradient(np.eye(2), X, y, 0.5)


@pytest.mark.parametrize("a", [1e-20, 1e-17, 1e-12])
def test_the_dual_of_a_tiny_payment_keeps_its_digits(a):
    """−ln(1 − a) is a + a²/2 + …, which 1 − a does not know any more."""
    by_hand = -a * math.log(a) + a - a**2 / 2
    assert LOSSES["log"].dual(a) == pytest.approx(by_hand, rel=1e-12)


# What knows the hinge and the log loss alone, as it has compiled code.
KNOW_TWO = {
    "sparse": lambda X, y, loss: sparse.pegasos(
        X, y, 0.1, T=3, seed=0, loss=loss
    ),
    "closed_form": lambda X, y, loss: closed_form.pegasos(
        X, y, 0.1, T=3, seed=0, loss=loss
    ),
    "sdca": lambda X, y, loss: sdca.dual_ascent(
        X, y, 0.1, T=3, seed=0, loss=loss
    ),
    "minimise": lambda X, y, loss: minimise(X, y, 0.1, loss=loss),
    "optimum": lambda X, y, loss: optimum(X, y, 0.1, loss=loss),
    "classifier": lambda X, y, loss: PegasosClassifier(loss=loss).fit(X, y),
}


@pytest.mark.parametrize("name", KNOW_TWO)
def test_a_third_loss_is_never_taken_for_the_hinge(name, monkeypatch):
    squared = Loss(
        lambda m: np.maximum(0.0, 1.0 - m) ** 2,
        lambda m: -2.0 * np.maximum(0.0, 1.0 - m),
        lambda a: a - a**2 / 4,
    )
    monkeypatch.setitem(LOSSES, "squared", squared)
    X, y, *_ = random_problem(0)
    with pytest.raises(KeyError, match="squared"):
        KNOW_TWO[name](X, y, "squared")
