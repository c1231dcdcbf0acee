"""The certified optimum against other solvers and by hand."""

import tracemalloc
import warnings
from fractions import Fraction
from importlib import import_module

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import LinearConstraint, minimize
from sklearn.datasets import load_breast_cancer
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from pegasos_edu import (
    PegasosClassifier,
    minimise,
    objective,
    optimum,
    subgradient,
)
from pegasos_edu.certificate import newton, precision
from pegasos_edu.certificate.approach import read
from pegasos_edu.certificate.gap import certify, weights_from
from pegasos_edu.certificate.interior import missing, solve_box
from pegasos_edu.problem import products
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.solvers import closed_form, compiled, dual
from pegasos_edu.solvers.ascent import ascend
from pegasos_edu.solvers.sparse import as_rows
from pegasos_edu.solvers.steps import PegasosStep
from tests.library.problems import assert_close, random_problem

LAMBDAS = [1e-6, 1e-4, 1e-2, 1.0, 100.0]


def dual_value(alpha, X, y, lam, loss):
    """D(α), written out once more."""
    n = len(y)
    w = sum(a * label * row for a, label, row in zip(alpha, y, X)) / (lam * n)
    if loss == "hinge":
        terms = sum(alpha)
    else:
        terms = -sum(
            a * np.log(a) + (1 - a) * np.log1p(-a) for a in alpha if 0 < a < 1
        )
    return terms / n - lam / 2 * (w @ w)


def quadratic_program(X, y, lam):
    """min λ/2 ‖w‖² + mean ξ with y_i⟨w, x_i⟩ ≥ 1 − ξ_i, ξ ≥ 0, by SciPy."""
    n, d = X.shape
    signed = X * y[:, None]
    found = minimize(
        lambda z: lam / 2 * z[:d] @ z[:d] + z[d:].mean(),
        np.concatenate([np.zeros(d), np.full(n, 1.0)]),
        jac=lambda z: np.concatenate([lam * z[:d], np.full(n, 1 / n)]),
        constraints=[
            LinearConstraint(np.hstack([signed, np.eye(n)]), lb=1.0),
            LinearConstraint(np.hstack([np.zeros((n, d)), np.eye(n)]), lb=0),
        ],
        method="SLSQP",
        options={"ftol": 1e-14, "maxiter": 500},
    )
    return found.x[:d]


# By hand


def test_one_example_pulls_until_its_margin_is_one():
    """f(w) = λ/2 w² + (1/2)(max(0, 1 − 2w) + max(0, 1 − w)).

    For λ = 1/10 the margin of the second example decides: w* = 1,
    f* = 0.05. For λ = 1 it is w* = 1/2: slope λw − 1 − 1/2 below the kink
    of the first at 1/2 and 1/2 − 1/2 = 0 above. f* = 1/8 + 1/4.
    """
    X, y = [[2.0], [-1.0]], [1, -1]
    easy, hard = optimum(X, y, 0.1), optimum(X, y, 1.0)
    np.testing.assert_allclose([easy.w[0], easy.primal], [1.0, 0.05])
    np.testing.assert_allclose([hard.w[0], hard.primal], [0.5, 0.375])


def test_large_lam_has_every_example_inside_the_margin():
    """Then all α_i = 1 and w* = (1/λn) Σ y_i x_i."""
    X, y = random_problem(seed=1)
    best = optimum(X, y, 50.0)
    np.testing.assert_array_equal(best.alpha, np.ones(30))
    np.testing.assert_allclose(best.w, X.T @ y / (50 * 30), rtol=1e-12)


@pytest.mark.parametrize("lam", [1e-4, 1e-2])
def test_one_pass_and_the_examples_in_play_are_enough(lam):
    """Those not in play stay where they are, and their pull counts."""
    X, y = random_problem(seed=2, n=200)
    assert optimum(X, y, lam, max_epochs=1).gap <= 1e-8


# Against other solvers


@pytest.mark.parametrize("lam", [1e-3, 1e-1, 10.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_a_general_quadratic_program_agrees(lam, seed):
    X, y = random_problem(seed, n=15, d=4)
    best = optimum(X, y, lam)
    w = quadratic_program(X, y, lam)
    assert objective(w, X, y, lam) == pytest.approx(best.primal, rel=1e-7)
    np.testing.assert_allclose(w, best.w, atol=1e-4 * np.abs(w).max())


@pytest.mark.parametrize("lam", [1e-3, 1e-2, 1.0])
def test_linear_svc_agrees(lam):
    X, y = random_problem(seed=2, n=60)
    svc = LinearSVC(
        loss="hinge",
        C=1 / (lam * 60),
        fit_intercept=False,
        tol=1e-10,
        max_iter=10**6,
        random_state=0,
    ).fit(X, y)
    best = optimum(X, y, lam)
    assert objective(svc.coef_[0], X, y, lam) == pytest.approx(
        best.primal, rel=1e-8
    )
    np.testing.assert_allclose(svc.coef_[0], best.w, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("lam", [1e-3, 1e-1, 10.0])
def test_logistic_regression_agrees(lam):
    X, y = random_problem(seed=3, n=60)
    model = LogisticRegression(
        C=1 / (lam * 60), fit_intercept=False, tol=1e-12, max_iter=10**5
    ).fit(X, y)
    best = optimum(X, y, lam, loss="log")
    assert objective(model.coef_[0], X, y, lam, "log") == pytest.approx(
        best.primal, rel=1e-10
    )
    np.testing.assert_allclose(
        model.coef_[0], best.w, rtol=1e-4, atol=1e-4 * np.abs(best.w).max()
    )


# The certificate


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("lam", LAMBDAS)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_certificate_holds(loss, lam, form):
    X, y = random_problem(seed=4)
    best = optimum(form(X), y, lam, loss)
    assert best.primal == pytest.approx(
        objective(best.w, X, y, lam, loss), rel=1e-14
    )
    assert ((best.alpha >= 0) & (best.alpha <= 1)).all()
    dual = dual_value(best.alpha, X, y, lam, loss)
    assert best.dual == pytest.approx(dual, rel=1e-9, abs=1e-15)
    assert -1e-12 <= best.gap <= 1e-8
    assert best.gap == (best.primal - best.dual) / best.primal
    # Nothing nearby is better by more than the gap.
    rng = np.random.default_rng(0)
    size = np.linalg.norm(best.w)
    for scale in (1e-4, 1e-2, 1.0):
        others = best.w + scale * size * rng.normal(size=(50, 6))
        lowest = objective(others, X, y, lam, loss).min()
        assert lowest >= best.primal * (1 - 1e-8)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 30),
    d=st.integers(1, 8),
    exponent=st.floats(-6, 2),
    loss=st.sampled_from(["hinge", "log"]),
    density=st.sampled_from([0.3, 1.0]),
)
def test_every_small_problem_is_certified(seed, n, d, exponent, loss, density):
    X, y = random_problem(seed, n, d, density)
    best = optimum(X, y, 10.0**exponent, loss)
    assert best.gap <= 1e-8


@given(seed=st.integers(0, 10**6), loss=st.sampled_from(["hinge", "log"]))
def test_the_dual_never_exceeds_the_primal(seed, loss):
    rng = np.random.default_rng(seed)
    X, y = random_problem(seed, n=8, d=3)
    w, alpha = 3 * rng.normal(size=3), rng.random(8)
    pair = certify(w, alpha, X, y, 0.3, loss)
    assert pair.dual <= pair.primal
    assert pair.dual == pytest.approx(dual_value(alpha, X, y, 0.3, loss))
    np.testing.assert_allclose(
        weights_from(alpha, X, y, 0.3), (alpha * y) @ X / (0.3 * 8)
    )


@pytest.mark.parametrize("alpha", [[0.5, 1.1], [-0.1, 0.5], [np.nan, 0.5]])
def test_a_point_outside_the_dual_certifies_nothing(alpha):
    X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    with pytest.raises(ValueError, match=r"alpha ranges .* expected values"):
        certify(np.zeros(1), np.array(alpha), X, y, 0.5)


@pytest.mark.parametrize("form", [np.ndarray.tolist, pd.DataFrame])
def test_lists_and_tables_are_certified_as_arrays(form):
    X, y = random_problem(seed=1)
    w, alpha, few = np.ones(6), np.full(30, 0.5), (0.1, "log")
    found = certify(w.tolist(), alpha.tolist(), form(X), y.tolist(), *few)
    wanted = certify(w, alpha, X, y, *few)
    assert (found.primal, found.dual) == (wanted.primal, wanted.dual)
    assert wanted.primal == objective(w, X, y, *few)


@pytest.mark.parametrize("minimiser", [optimum, minimise])
def test_all_of_f_is_no_tolerance(minimiser):
    with pytest.raises(ValueError, match="tol is 2.0; expected a share of f"):
        minimiser([[2.0], [-1.0]], [1, -1], 0.1, tol=2)


def test_nothing_uncertified_is_returned(monkeypatch):
    module = import_module("pegasos_edu.certificate.optimum")
    X, y = random_problem(seed=4, n=80, d=3)
    monkeypatch.setattr(module, "MOST_WORK", 0)
    monkeypatch.setattr(module, "PRODUCTS", 0)
    with pytest.raises(RuntimeError, match="gap is .*; expected at most 1.0e"):
        optimum(X, y, 1e-5, max_epochs=1)

    monkeypatch.setattr(newton, "MOST_STEPS", 1)
    with pytest.raises(RuntimeError, match="no certified optimum to return"):
        optimum(X, y, 1e-5, loss="log")


@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_more_digits_prove_what_doubles_cannot(loss):
    """λ/‖x‖² is about 1e-33: the rounding of α alone is more."""
    X, y = random_problem(seed=2, n=100)
    best = optimum(1e15 * X, y, 1e-4, loss)
    assert_close(best.primal, objective(best.w, 1e15 * X, y, 1e-4, loss=loss))
    assert certify(best.w, best.alpha, 1e15 * X, y, 1e-4, loss).gap > 1e-8


@pytest.mark.parametrize(
    "size, loss", [(1e20, "log"), (1e100, "log"), (1e100, "hinge")]
)
def test_data_too_large_for_any_proof_are_soon_refused(
    size, loss, monkeypatch
):
    """λ/‖x‖² is about 1e-43 and less."""
    module = import_module("pegasos_edu.certificate.optimum")
    rounds = []

    def counted(*arguments, of=module.ascend, **options):
        return (rounds.append(1) or now for now in of(*arguments, **options))

    monkeypatch.setattr(module, "ascend", counted)
    X, y = random_problem(seed=2, n=100)
    with pytest.raises(RuntimeError, match="gap is .* rounding may allow no"):
        optimum(size * X, y, 1e-4, loss)
    assert len(rounds) <= 100
    model = PegasosClassifier(1e-4, loss=loss, max_iter=20, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        assert 0.0 <= model.fit(size * X, y).gap_ <= 1.0


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("n, d, lam", [(30, 40, 1e-4), (200, 10, 1e-6)])
def test_columns_of_any_size_do_not_hide_the_proof(n, d, lam, loss):
    """A column so large costs nothing to use: 1e6 or 1e12, f* is the same."""
    X, y = random_problem(seed=2, n=n, d=d)
    least = []
    for size in (1e6, 1e12):
        uneven = X.copy()
        uneven[:, :2] *= size
        for data in (uneven, sp.csr_array(uneven)):
            least.append(optimum(data, y, lam, loss))
            assert_close(
                least[-1].primal,
                objective(least[-1].w, uneven, y, lam, loss=loss),
            )
    values = [best.primal for best in least]
    assert max(values) <= (1.0 + 3e-8) * min(values)


def test_more_digits_are_summed_without_rounding():
    """Against exact fractions, for sums that cancel to nothing."""
    rng = np.random.default_rng(0)
    x, c = 1e14 * rng.standard_normal((50, 1)), rng.random((3, 50))
    c[1:] *= [[1e-17], [1e-33]]
    c[2, -1] -= float(sum(map(Fraction, (c[0] * x[:, 0]).tolist()))) / x[-1, 0]
    wanted = sum(
        Fraction(a) * Fraction(b)
        for part in c.tolist()
        for a, b in zip(part, x[:, 0].tolist())
    )
    for columns in (x, sp.csc_array(x)):
        assert precision._sum(columns, 0, c) == float(wanted)


def test_what_was_in_vain_is_tried_less_and_less(monkeypatch):
    """Else most of the time would go to interior points."""
    module = import_module("pegasos_edu.certificate.optimum")
    tried = []
    monkeypatch.setattr(
        module, "_settle", lambda best, *given: tried.append(1) or best
    )
    monkeypatch.setattr(module, "_with_digits", lambda best, *given: best)
    X, y = random_problem(seed=3, n=60)
    with pytest.raises(RuntimeError, match="there is no certified optimum"):
        optimum(1e3 * X, y, 1e-5, tol=1e-300, max_epochs=2000)
    assert 10 < len(tried) < 40


def test_ascent_alone_gets_there_as_well(monkeypatch):
    module = import_module("pegasos_edu.certificate.optimum")
    monkeypatch.setattr(module, "MOST_WORK", 0)
    monkeypatch.setattr(module, "PRODUCTS", 0)
    X, y = random_problem(seed=2, n=60)
    for lam in (1e-2, 1e-1, 1.0):
        assert optimum(X, y, lam).gap <= 1e-8


@pytest.mark.slow
@pytest.mark.parametrize("lam", [1e-4, 1e-6])
def test_newton_goes_on_where_too_many_stay_in_play(lam, monkeypatch):
    """On sparse data with uneven columns; here interior points may not."""
    module = import_module("pegasos_edu.certificate.optimum")
    X, y = random_problem(seed=4, n=2500, d=500)
    rng = np.random.default_rng(0)
    sizes = 10.0 ** rng.uniform(-3, 3, 500)
    X = sp.csr_array(np.where(rng.random(X.shape) < 0.02, X, 0.0) * sizes)
    assert np.prod(X.shape) > module.SMALL
    wanted = optimum(X, y, lam)
    monkeypatch.setattr(module, "MOST_WORK", 0)
    found = optimum(X, y, lam, max_epochs=300)
    assert found.gap <= 1e-8
    assert found.primal == pytest.approx(wanted.primal, rel=2e-8)


def test_rounds_that_get_ahead_are_not_broken_off(monkeypatch):
    """Even columns, sparse: 62 rounds, while Newton's method takes longer."""
    module = import_module("pegasos_edu.certificate.optimum")
    monkeypatch.setattr(module, "MOST_WORK", 0)
    rng = np.random.default_rng(0)
    X = sp.random(3000, 600, 0.02, format="csr", random_state=rng)
    y = np.where(rng.random(3000) < 0.5, -1.0, 1.0)
    asked, rounds = [], []

    def counted(*arguments, of=module.ascend, **options):
        return (rounds.append(1) or now for now in of(*arguments, **options))

    def never(X, y, lam, tol, now, **options):
        asked.append(now)
        return now

    monkeypatch.setattr(module, "ascend", counted)
    monkeypatch.setattr(module, "read", never)
    best = optimum(X, y, 3e-4)
    assert best.gap <= 1e-8 and len(rounds) > module.NEWTON and not asked
    svc = LinearSVC(
        loss="hinge",
        C=1 / (3e-4 * 3000),
        fit_intercept=False,
        tol=1e-9,
        max_iter=10**5,
        random_state=0,
    ).fit(X, y)
    theirs = objective(svc.coef_[0], X, y, 3e-4)
    assert theirs == pytest.approx(best.primal, rel=2e-8)


@pytest.mark.parametrize("lam", [1e-4, 1e-2])
def test_the_first_round_settles_it(lam, monkeypatch):
    """Few examples are in play, and free ones end on their margins."""
    module = import_module("pegasos_edu.certificate.optimum")
    rounds, placed = [], []

    def counted(*arguments, of=module.ascend, **options):
        return (rounds.append(1) or now for now in of(*arguments, **options))

    def measured(Z, *arguments, of=module.solve_box):
        placed.append(len(Z))
        return of(Z, *arguments)

    monkeypatch.setattr(module, "ascend", counted)
    monkeypatch.setattr(module, "solve_box", measured)
    X, y = digits_zero()
    best = optimum(X, y, lam)
    assert len(rounds) == 1 and best.gap <= 1e-12
    assert 0 < max(placed) < len(y) / 4
    free = (best.alpha > 1e-4) & (best.alpha < 1 - 1e-4)
    assert free.sum() > 10
    assert_close(y[free] * (X[free] @ best.w), np.ones(free.sum()), rtol=1e-11)


@pytest.mark.parametrize("lam", [1e-6, 1e-2])
def test_one_column_far_from_zero_is_soon_certified(lam, monkeypatch):
    """Nearly all examples are in play: interior points took 600 steps.

    With one column f changes its slope at the numbers 1/(y_i x_i); between
    two of them it is a parabola.
    """
    module = import_module("pegasos_edu.certificate.optimum")
    placed = []
    monkeypatch.setattr(
        module, "solve_box", lambda Z, *others: placed.append(len(Z))
    )
    rng = np.random.default_rng(1)
    noise = rng.normal(size=(20_000, 2))
    y = np.where(noise.sum(axis=1) > 0, 1.0, -1.0)
    x = 2000 + 10 * noise[:, 0]
    best = optimum(x[:, None], y, lam)
    assert best.gap <= 1e-8 and placed == []
    signed = y * x
    kinks = np.sort(1.0 / signed)

    def f(w):
        return lam / 2 * w * w + np.maximum(1.0 - w * signed, 0.0).mean()

    # Left of w* the slope is below 0: bisection for the last such kink.
    low, high = 0, len(kinks) - 1
    while high - low > 1:
        middle = (low + high) // 2
        w = kinks[middle]
        ahead = signed * w < 1.0 - 1e-13  # the slope to the right of the kink
        if lam * w - np.where(ahead, signed, 0.0).mean() < 0.0:
            low = middle
        else:
            high = middle
    least = min(map(f, kinks[max(0, low - 3) : high + 3]))
    assert best.primal == pytest.approx(least, rel=1e-8)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("lam", [1e-6, 1e-4, 1e-2, 1.0])
def test_small_and_large_lambdas_are_certified_alike(form, lam):
    """Also with more columns than rows, where all can be separated."""
    for n, d in ((60, 6), (400, 6), (40, 80)):
        X, y = random_problem(seed=2, n=n, d=d)
        assert optimum(form(X), y, lam).gap <= 1e-8


# The quadratic program in a box


@settings(deadline=None)
@given(
    seed=st.integers(0, 10**6),
    m=st.integers(1, 12),
    d=st.integers(1, 12),
    sparse=st.booleans(),
)
def test_the_box_is_solved(seed, m, d, sparse):
    """Where α is inside the slope is 0; at 0 and 1 it points outwards."""
    rng = np.random.default_rng(seed)
    Z, b = rng.normal(size=(m, d)), rng.normal(size=m)
    given = sp.csr_array(Z) if sparse else Z
    alpha, v = solve_box(given, b, tol=1e-12)
    gradient = Z @ (Z.T @ alpha) - b
    assert ((alpha >= 0) & (alpha <= 1)).all()
    assert v == pytest.approx(Z.T @ alpha, abs=1e-12)
    assert missing(alpha, gradient, np.zeros(d)) <= 1e-12
    found = minimize(
        lambda a: 0.5 * (Z.T @ a) @ (Z.T @ a) - b @ a,
        np.full(m, 0.5),
        jac=lambda a: Z @ (Z.T @ a) - b,
        bounds=[(0, 1)] * m,
        method="L-BFGS-B",
    )
    value = 0.5 * (Z.T @ alpha) @ (Z.T @ alpha) - b @ alpha
    assert value <= found.fun + 1e-12


@pytest.mark.parametrize("m, d", [(5, 3), (30, 8), (8, 30), (200, 6)])
def test_the_box_needs_few_steps(m, d, monkeypatch):
    """Mehrotra's method is known for at most some tens, whatever the size."""
    module = import_module("pegasos_edu.certificate.interior")
    steps = []

    def counted(Z, of=module._system, **how):
        factor = of(Z, **how)
        return lambda diagonal: steps.append(1) or factor(diagonal)

    monkeypatch.setattr(module, "_system", counted)
    for seed in range(10):
        rng = np.random.default_rng(seed)
        steps.clear()
        solve_box(rng.normal(size=(m, d)), rng.normal(size=m), tol=1e-9)
        assert 0 < len(steps) <= 20


@pytest.mark.parametrize("m, d", [(4, 7), (7, 4)])
def test_a_step_solves_both_of_its_equations(m, d):
    """Dα + Zv = rest and Zᵀα − v = apart, as one dense system."""
    module = import_module("pegasos_edu.certificate.interior")
    rng = np.random.default_rng(0)
    Z, diagonal = rng.normal(size=(m, d)), rng.uniform(0.5, 2.0, size=m)
    rest, apart = rng.normal(size=m), rng.normal(size=d)
    both = np.block([[np.diag(diagonal), Z], [Z.T, -np.eye(d)]])
    wanted = np.linalg.solve(both, np.concatenate([rest, apart]))
    found = module._system(Z)(diagonal)(rest, apart)
    np.testing.assert_allclose(np.concatenate(found), wanted, rtol=1e-10)


def test_steps_do_not_go_round():
    """Without its guard Mehrotra's corrector stays 2e-4 away for ever."""
    rng = np.random.default_rng(12054)
    rng.integers(1, 13, 2)
    Z, b = rng.normal(size=(8, 4)), rng.normal(size=8)
    alpha, _ = solve_box(Z, b, tol=1e-12)
    assert missing(alpha, Z @ (Z.T @ alpha) - b, np.zeros(4)) <= 1e-12


@given(seed=st.integers(0, 10**6))
def test_what_is_missing_is_no_less_than_the_truth(seed):
    """For any v, also one that is not Zᵀα."""
    rng = np.random.default_rng(seed)
    Z, b, alpha = rng.normal(size=(5, 3)), rng.normal(size=5), rng.random(5)
    v = rng.normal(size=3)

    def value(a):
        return 0.5 * (Z.T @ a) @ (Z.T @ a) - b @ a

    best = value(solve_box(Z, b, tol=1e-12)[0])
    bound = missing(alpha, Z @ v - b, v - Z.T @ alpha)
    assert value(alpha) - best <= bound + 1e-12


@pytest.mark.parametrize("lam", [1e-3, 1e-4, 1e-5, 1e-6, 1e-7])
def test_columns_of_very_different_sizes(lam):
    """Raw measurements, from thousandths to thousands: Zᵀα alone, a sum of
    large terms that cancel, would leave a gap of 1e-5 at λ = 1e-5."""
    X, y = load_breast_cancer(return_X_y=True)
    y = 2.0 * y - 1.0
    best = optimum(X, y, lam)
    assert best.gap <= 1e-8
    below = dual_value(best.alpha, X, y, lam, "hinge")
    assert objective(best.w, X, y, lam) - below <= 1e-8 * below


@pytest.mark.parametrize("limit", [1e-7, 1e-6, 1e-5, 1e-4])
def test_a_blurred_bound_is_told_from_a_small_free_alpha(limit):
    """(a) and (−2a) with the labels + and −: the margin of the second is
    twice that of the first.

    So α = (λn/a², 0) and f* = λ/(2a²). Here λn/a² is five times the limit
    that tells the two apart, and half of it is left of the second.
    """
    module = import_module("pegasos_edu.certificate.optimum")
    a2 = 1 / (5 * limit)
    X, y = np.array([[1.0], [-2.0]]) * np.sqrt(a2), np.array([1.0, -1.0])
    alpha = np.array([5 * limit, 0.5 * limit])
    blurred = certify(weights_from(alpha, X, y, 0.5), alpha, X, y, 0.5)
    tol = 1e-8
    assert blurred.gap > 1e-3
    found = module._finish(blurred, X, y, 0.5, tol)
    np.testing.assert_allclose(found.alpha, [5 * limit, 0.0], rtol=1e-12)
    assert found.primal == pytest.approx(0.25 / a2, rel=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_a_step_of_sdca_is_the_best_for_its_coordinate(form):
    """On a fine grid of values for α_i, none gives a larger dual."""
    X, y = random_problem(seed=9, n=8, d=3)
    rng = np.random.default_rng(0)
    norm2 = (X * X).sum(axis=1)
    for i in range(8):
        alpha = rng.random(8)
        w = weights_from(alpha, X, y, 0.1)
        others = np.tile(alpha, (1001, 1))
        others[:, i] = np.linspace(0, 1, 1001)
        dual.advance(
            as_rows(form(X), np.ndarray.tolist), y, [i], 0.8, norm2, w, alpha
        )
        reached = dual_value(alpha, X, y, 0.1, "hinge")
        best = max(dual_value(one, X, y, 0.1, "hinge") for one in others)
        assert best <= reached + 1e-12 and reached <= best + 1e-5
        np.testing.assert_allclose(
            w, weights_from(alpha, X, y, 0.1), rtol=1e-12, atol=1e-13
        )


# Memory


@pytest.mark.slow
@pytest.mark.parametrize("lam", [1e-2, 1e-4])
@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("sparse", [False, True])
def test_no_more_than_twice_the_data(sparse, dtype, loss, lam):
    """What is allocated on the way is at most as large as X."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(24_000, 60))
    if sparse:
        X = sp.random(40_000, 200, 0.2, format="csr", random_state=rng)
    scores = X @ rng.normal(size=X.shape[1])
    noise = scores.std() * rng.normal(size=len(scores))
    X, y = X.astype(dtype), np.where(scores + noise > 0.0, 1.0, -1.0)
    arrays = (X.data, X.indices, X.indptr) if sparse else (X,)
    size = sum(each.nbytes for each in arrays)
    # What is compiled and imported once, for larger data as well.
    optimum(*two_clouds(), lam, loss)
    few = X[:100], y[:100], lam
    read(*few, 1e-3, next(ascend(*few)))
    best, most = with_peak(lambda: optimum(X, y, lam, loss))
    assert best.gap <= 1e-8
    assert most <= size
    f, most = with_peak(lambda: objective(best.w, X, y, lam, loss))
    assert most <= 0.3 * size
    assert f == pytest.approx(best.primal, rel=1e-12)


def with_peak(call):
    """What a call returns, and the most bytes it had allocated at once."""
    tracemalloc.start()
    try:
        return call(), tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_float32_by_blocks_is_the_whole_product(form, monkeypatch):
    monkeypatch.setattr(products, "NUMBERS", 50)
    X, y = random_problem(seed=9)
    few, W = X.astype(np.float32), np.random.default_rng(0).normal(size=(3, 6))
    for loss in ("hinge", "log"):
        found = objective(W, form(few), y, 0.1, loss)
        assert_close(found, objective(W, few.astype(float), y, 0.1, loss))
        found = subgradient(W[0], form(few), y, 0.1, loss)
        wanted = subgradient(W[0], few.astype(float), y, 0.1, loss)
        assert_close(found, wanted)
    assert products.sum_of_squares(form(few)) == pytest.approx(
        (few.astype(float) ** 2).sum()
    )
    sizes = [len(few[rows]) for rows in products.row_blocks(form(few))]
    assert sum(sizes) == 30 and len(sizes) >= 3


def test_squares_beyond_float32_are_no_obstacle():
    X, y = random_problem(seed=9)
    large = (1e25 * X).astype(np.float32)
    for loss in ("hinge", "log"):
        best = optimum(large, y, 1e46, loss)
        same = optimum(large / np.float32(1e25), y, 1e-4, loss)
        assert best.primal == pytest.approx(same.primal, rel=1e-5)


# Corners


def test_zero_rows_and_columns():
    """A row of zeros costs 1 whatever w is."""
    X, y = random_problem(seed=5)
    padded = np.zeros((40, 8))
    padded[:30, 1:7] = X
    labels = np.concatenate([y, np.tile([-1.0, 1.0], 5)])
    best, plain = optimum(padded, labels, 0.03), optimum(X, y, 0.04)
    np.testing.assert_allclose(best.w[1:7], plain.w, rtol=1e-6)
    np.testing.assert_array_equal(best.w[[0, 7]], [0, 0])
    assert best.primal == pytest.approx(0.25 + 0.75 * plain.primal, rel=1e-9)
    for loss, f in [("hinge", 1.0), ("log", np.log(2))]:
        nothing = optimum(np.zeros((2, 3)), [1, -1], 0.1, loss)
        np.testing.assert_array_equal(nothing.w, np.zeros(3))
        assert nothing.primal == pytest.approx(f)


def test_examples_that_cancel_and_examples_twice():
    """Zero curvature of the dual along some directions."""
    X = np.array([[1.0, 2.0], [1.0, 2.0]])
    cancelled = optimum(X, [1, -1], 0.1)
    np.testing.assert_allclose(cancelled.w, [0, 0], atol=1e-8)
    assert cancelled.primal == pytest.approx(1.0)
    X, y = random_problem(seed=6)
    once = optimum(X, y, 0.01)
    twice = optimum(np.vstack([X, X]), np.tile(y, 2), 0.01)
    assert twice.primal == pytest.approx(once.primal, rel=1e-8)
    np.testing.assert_allclose(twice.w, once.w, rtol=1e-3, atol=1e-5)


def test_data_of_very_different_sizes():
    X, y = random_problem(seed=7)
    for size in (1e-5, 1e5):
        scaled = optimum(size * X, y, 0.01 * size**2)
        plain = optimum(X, y, 0.01)
        assert scaled.primal == pytest.approx(plain.primal, rel=1e-8)
        np.testing.assert_allclose(scaled.w * size, plain.w, rtol=1e-3)


def test_more_columns_than_rows():
    X, y = random_problem(seed=8, n=20, d=300, density=0.1)
    for loss in ("hinge", "log"):
        best = optimum(sp.csr_array(X), y, 1e-4, loss)
        assert best.gap <= 1e-8


@pytest.mark.parametrize("lam", [1e-5, 1e-2])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_the_data_of_the_book(lam, loss):
    for X, y in (digits_zero(), two_clouds()):
        assert optimum(X, y, lam, loss).gap <= 1e-8


def test_data_of_the_book_are_what_they_say():
    X, y = digits_zero()
    assert X.shape == (1797, 64) and y.shape == (1797,)
    assert X.min() == 0.0 and X.max() == 1.0
    assert (y == -1).sum() == 178 and set(y) == {-1.0, 1.0}
    X, y = two_clouds(n=61, seed=3)
    assert X.shape == (61, 2) and (y == 1).sum() == 31
    np.testing.assert_array_equal(X, np.round(X, 3))
    again = two_clouds(n=61, seed=3)
    np.testing.assert_array_equal(X, again[0])


# Pegasos gets there


@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_pegasos_converges_to_the_optimum(loss):
    """Error of the suffix average, and that it falls at least like 1/√T."""
    X, y = digits_zero()
    lam, best = 1e-2, optimum(*digits_zero(), 1e-2, loss)
    gaps = []
    for T in (20_000, 320_000):
        run = compiled.pegasos(
            X, y, lam, T, seed=1, loss=loss, average_from=T // 2 + 1
        )
        f = objective(run.average, X, y, lam, loss)
        gaps.append((f - best.primal) / best.primal)
    assert 0 < gaps[1] < 2e-3
    assert gaps[1] < gaps[0] / 4


def test_the_head_start_helps_where_the_data_are_large():
    X, y = digits_zero()
    lam = 1e-4
    best = optimum(X, y, lam)
    t0 = (X * X).sum(axis=1).max() / lam
    gap = {}
    for name, step in (("plain", None), ("t0", PegasosStep(lam, t0))):
        run = closed_form.pegasos(
            X, y, lam, 4_000, seed=0, step=step, average_from=2_001
        )
        gap[name] = objective(run.average, X, y, lam) - best.primal
    assert 0 < gap["t0"] < gap["plain"] / 3


@pytest.mark.parametrize("beyond", [-5e-10, 1.0 + 5e-10])
def test_payments_a_little_outside_certify_nothing(beyond):
    """The bound below holds for 0 ≤ α ≤ 1, and for no other α."""
    X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    with pytest.raises(ValueError, match=r"alpha ranges from .*in \[0, 1\]"):
        certify(np.zeros(1), np.array([0.5, beyond]), X, y, lam=0.5)
