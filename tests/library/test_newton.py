"""Newton's method for the log loss, against closed conditions and others."""

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import expit
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression

from pegasos_edu import objective, optimum
from pegasos_edu.certificate import newton
from pegasos_edu.certificate.newton import conjugate_gradients, solve_log
from pegasos_edu.problem import products
from pegasos_edu.problem.data import digits_zero
from tests.library.problems import assert_close, random_problem

RAW, KINDS = load_breast_cancer(return_X_y=True)
SIGNS = np.where(KINDS == 1, 1.0, -1.0)
LAMBDAS = [1e-2, 1e-3, 1e-4, 1e-5, 1e-6]


def newton_decrement(w, X, y, lam):
    """½ ∇fᵀH⁻¹∇f at w, about f(w) − f*, by least squares on (√λI; √D X).

    With A these rows, H = AᵀA and ∇f = Aᵀb, the p nearest to b in Ap is
    H⁻¹∇f.
    """
    n, d = X.shape
    beta = expit(-y * (X @ w))
    bend = np.sqrt(beta * (1 - beta) / n)
    A = np.vstack([np.sqrt(lam) * np.eye(d), bend[:, None] * X])
    b = np.append(np.sqrt(lam) * w, -y * beta / n / bend)
    size = np.linalg.norm(A, axis=0)
    p = np.linalg.lstsq(A / size, b, rcond=1e-15)[0]
    return 0.5 * float((A / size @ p) @ (A / size @ p))


@pytest.mark.parametrize("lam", LAMBDAS)
@pytest.mark.parametrize("size", [1e-5, 1.0])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_raw_measurements_in_any_unit(lam, size, form):
    """Columns differ in size by a factor of 200,000."""
    best = optimum(form(size * RAW), SIGNS, lam, "log")
    assert best.gap <= 1e-8
    left = newton_decrement(best.w, size * RAW, SIGNS, lam)
    assert left <= 1e-8 * best.primal
    far = newton_decrement(1.1 * best.w, size * RAW, SIGNS, lam)
    assert far > 1e-8 * best.primal


@pytest.mark.parametrize("lam", LAMBDAS)
@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("size", [1e5, 1e10])
def test_large_data_are_the_same_problem_with_a_smaller_lambda(
    size, wide, lam
):
    """In size · x the weights are w/size and λ is λ size²."""
    X, y = random_problem(1, n=20, d=60) if wide else (RAW, SIGNS)
    if not wide and size > 1e5:
        X = X / X.max(axis=0)
    best = optimum(size * X, y, lam, "log")
    assert best.gap <= 1e-8
    same = optimum(X, y, lam / size**2, "log")
    assert best.primal == pytest.approx(same.primal, rel=1e-7)


@pytest.mark.parametrize("lam", LAMBDAS)
@pytest.mark.parametrize("kind", ["digits", "wide", "noise"])
def test_scikit_learn_finds_no_lower_one(lam, kind):
    X, y = {
        "digits": digits_zero,
        "wide": lambda: random_problem(3, n=40, d=90),
        "noise": lambda: random_problem(4, n=300, d=5),
    }[kind]()
    model = LogisticRegression(
        C=1 / (lam * len(y)),
        fit_intercept=False,
        solver="newton-cholesky",
        tol=1e-10,
        max_iter=10**4,
    ).fit(X, y)
    best = optimum(X, y, lam, "log")
    assert best.gap <= 1e-8
    theirs = objective(model.coef_[0], X, y, lam, "log")
    assert best.dual <= theirs * (1 + 1e-14)
    assert best.primal == pytest.approx(theirs, rel=2e-8)
    assert_close(best.w, model.coef_[0], rtol=1e-3)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(2, 30),
    d=st.integers(1, 40),
    exponent=st.floats(-12, 3),
    spread=st.floats(0, 4),
    direct=st.booleans(),
)
def test_it_comes_to_the_end_whatever_the_data(
    seed, n, d, exponent, spread, direct
):
    X, y = random_problem(seed, n, d)
    X *= 10.0 ** np.random.default_rng(seed).uniform(-spread, spread, d)
    lam = 10.0**exponent
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(newton, "has_factor", lambda *sizes: direct)
        w, alpha, primal, dual = solve_log(X, y, lam, 1e-8)
    assert primal - dual <= 1e-8 * primal
    assert ((alpha >= 0.0) & (alpha <= 1.0)).all()
    assert primal == pytest.approx(objective(w, X, y, lam, "log"), rel=1e-12)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("direct", [True, False])
def test_weights_and_the_constant_feature_are_as_written_out(
    form, dtype, direct, monkeypatch
):
    """Weight 3 is three equal rows; a constant is a column of its own."""
    monkeypatch.setattr(newton, "has_factor", lambda *sizes: direct)
    X, y = random_problem(seed=5)
    X = X.astype(dtype)
    weights = np.random.default_rng(0).integers(0, 4, size=30)
    wide = np.column_stack([X, np.full(30, 2.5)]).astype(np.float64)
    many = np.repeat(wide, weights, axis=0), np.repeat(y, weights)
    best = optimum(*many, 0.01, "log")
    scale = weights.sum() / 30  # n is 30, not Σ s_i
    lam = 0.01 * scale
    w, alpha, primal, dual = solve_log(
        form(X), y, lam, 1e-10, weights=weights.astype(float), constant=2.5
    )
    assert primal == pytest.approx(best.primal * scale, rel=1e-8)
    assert dual == pytest.approx(best.primal * scale, rel=1e-8)
    assert ((alpha >= 0) & (alpha <= weights)).all()
    assert_close(w, best.w, rtol=1e-4)
    assert_close(w, wide.T @ (alpha * y) / (lam * 30), rtol=1e-4)


def test_the_error_is_squared_at_each_step(monkeypatch):
    """On the digits, from w = 0 on; and one H is enough for several."""
    steps, factors = [], []

    def counted(*arguments, of=conjugate_gradients):
        steps.append(1)
        return of(*arguments)

    def made(*arguments, of=newton.factor):
        factors.append(1)
        return of(*arguments)

    monkeypatch.setattr(newton, "conjugate_gradients", counted)
    monkeypatch.setattr(newton, "factor", made)
    for lam in (1e-4, 1e-2, 1.0):
        steps.clear()
        factors.clear()
        optimum(*digits_zero(), lam, loss="log")
        assert 0 < len(steps) <= 9
        assert 0 < len(factors) <= len(steps)


@pytest.mark.parametrize("constant", [0.0, 2.5])
def test_what_conjugate_gradients_are_told_is_the_inverse(constant):
    X = random_problem(seed=6)[0][:, :3]
    bend = np.random.default_rng(0).uniform(0.0, 0.25, size=30) / 30
    wide = np.column_stack([X, np.full(30, constant)])[:, : 3 + (constant > 0)]
    H = 0.1 * np.eye(wide.shape[1]) + wide.T @ (bend[:, None] * wide)
    r = np.arange(1.0, 1 + len(H))
    for form in (np.asarray, sp.csr_array):
        found = newton.factor(form(X), bend, 0.1, constant)(r)
        assert_close(found, np.linalg.solve(H, r), rtol=1e-10)
        found = newton.diagonal(form(X), bend, 0.1, constant)(r)
        assert_close(found, r / H.diagonal(), rtol=1e-10)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_rows_that_do_not_bend_are_left_out(form, monkeypatch):
    """In all blocks of rows, also where none bends or all do."""
    monkeypatch.setattr(products, "NUMBERS", 24)
    X, _ = random_problem(seed=6)
    bend = np.random.default_rng(0).uniform(0.1, 0.25, size=30)
    bend[8:16] = 0.0
    bend[16::2] = 0.0
    wide = np.column_stack([X, np.full(30, 2.5)])
    H = 0.1 * np.eye(7) + wide.T @ (bend[:, None] * wide)
    found = newton.factor(form(X), bend, 0.1, 2.5)(np.arange(7.0))
    assert_close(found, np.linalg.solve(H, np.arange(7.0)), rtol=1e-10)


def test_equal_columns_have_a_factor_as_well():
    X, y = random_problem(seed=6)
    twice, bend = np.column_stack([X, X, X]), np.full(30, 0.25 / 30)
    inverse = newton.factor(1e8 * twice, bend, 1e-12, 0.0)
    assert np.isfinite(inverse(np.ones(18))).all()
    best = optimum(1e8 * twice, y, 1e-6, "log")
    assert best.gap <= 1e-8


def test_conjugate_gradients_end_after_d_steps():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(8, 5))
    H, b = A.T @ A, rng.normal(size=5)
    p, rounds = conjugate_gradients(H.__matmul__, b, lambda r: r, 1e-10)
    assert rounds <= 6
    assert_close(p, np.linalg.solve(H, b), rtol=1e-8)
