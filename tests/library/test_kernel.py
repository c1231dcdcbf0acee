"""Kernel Pegasos against dense Pegasos and certified optima."""

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import minimize
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.svm import SVC

from pegasos_edu import draw_order, objective, optimum
from pegasos_edu.problem.data import digits_zero, ring, two_clouds
from pegasos_edu.solvers import dense, kernel
from pegasos_edu.solvers.kernel import RandomFourier, Rbf, linear

WIDTH, LAM = 0.8, 0.01


def squared(A, B):
    """⟨x, u⟩², the kernel of three features in the plane."""
    return (A @ B.T) ** 2


def three_features(X):
    """φ with ⟨φ(x), φ(u)⟩ = ⟨x, u⟩²."""
    x1, x2 = X.T
    return np.column_stack([x1**2, np.sqrt(2) * x1 * x2, x2**2])


def root(gram):
    """Rows whose inner products are the entries of a Gram matrix."""
    values, vectors = np.linalg.eigh(gram)
    return vectors * np.sqrt(np.maximum(values, 0.0))


# The steps


@pytest.mark.parametrize("data", [two_clouds, digits_zero])
def test_linear_kernel_is_the_dense_solver_at_every_step(data):
    X, y = data()
    T = 300
    order = draw_order(len(y), T, seed=1)
    right = dense.pegasos(X, y, LAM, order=order, snapshots=range(1, T + 1))
    run = kernel.pegasos(X, y, LAM, kernel=linear, order=order)
    for t in range(1, T + 1):
        w = (run.after(t) * y) @ X / (LAM * t)
        np.testing.assert_allclose(
            w, right.iterates[t - 1], rtol=0, atol=1e-12 * np.abs(w).max()
        )
    np.testing.assert_allclose(run.scores(X), X @ right.last, atol=1e-10)
    assert run.objective() == pytest.approx(
        objective(right.last, X, y, LAM), rel=1e-12
    )


def test_a_kernel_is_the_dense_solver_on_its_features():
    X, y = ring()
    order = draw_order(len(y), 500, seed=2)
    F = three_features(X)
    right = dense.pegasos(F, y, LAM, order=order, snapshots=[1, 7, 500])
    run = kernel.pegasos(X, y, LAM, kernel=squared, order=order)
    for t, w in zip(right.steps, right.iterates):
        np.testing.assert_allclose(run.scores(X, t), F @ w, rtol=1e-9)
        f = objective(w, F, y, LAM)
        assert run.objective(t) == pytest.approx(f, rel=1e-10)


def test_a_margin_of_one_is_no_violator():
    # After step 1 the score of the first row is 1/(0.5 · 1), then 1/(0.5 · 2).
    run = kernel.pegasos(
        [[1.0], [-3.0]], [1, -1], 0.5, kernel=linear, order=[0, 0, 0]
    )
    assert run.violated.tolist() == [True, False, False]
    assert run.scores([[1.0]], t=2) == 1.0


def test_the_seed_draws_the_order():
    X, y = ring()
    drawn = draw_order(len(y), 50, seed=7)
    one = kernel.pegasos(X, y, LAM, T=50, seed=7, kernel=Rbf(1.0))
    other = kernel.pegasos(X, y, LAM, kernel=Rbf(1.0), order=drawn)
    assert np.array_equal(one.order, drawn)
    assert np.array_equal(one.counts, other.counts)


def test_a_step_asks_for_each_different_violator_once():
    X, y = ring()
    asked = []

    def counting(A, B):
        asked.append(len(A) * len(B))
        return Rbf(WIDTH)(A, B)

    run = kernel.pegasos(X, y, LAM, T=200, seed=0, kernel=counting)
    assert run.evaluations.tolist() == asked
    before = [set(run.order[:t][run.violated[:t]]) for t in range(200)]
    assert asked == [len(rows) for rows in before]
    assert run.counts.sum() == run.violated.sum()
    assert not run.after(0).any()


# The optimum


def dual_without_bias(gram, y, lam):
    """The largest dual value on the box: no Σ α_i y_i = 0, as no bias."""
    n = len(y)
    signed = gram * np.outer(y, y) / (lam * n**2)

    def value(alpha):
        pull = signed @ alpha
        return 0.5 * alpha @ pull - alpha.mean(), pull - 1.0 / n

    found = minimize(
        value,
        np.full(n, 0.5),
        jac=True,
        bounds=[(0.0, 1.0)] * n,
        method="L-BFGS-B",
        options={"maxiter": 20_000, "ftol": 1e-15, "gtol": 1e-10},
    )
    return -found.fun


def mirrored_svc(gram, y, lam):
    """α from SVC: with −φ(x) labelled −y beside φ(x), b is of no use."""
    n = len(y)
    both = np.block([[gram, -gram], [-gram, gram]])
    svc = SVC(C=1 / (2 * lam * n), kernel="precomputed", tol=1e-8)
    svc.fit(both, np.concatenate([y, -y]))
    signed = np.zeros(2 * n)
    signed[svc.support_] = svc.dual_coef_[0]
    alpha = lam * n * y * (signed[:n] - signed[n:])
    return np.clip(alpha, 0.0, 1.0), svc.intercept_[0]


def test_three_ways_to_the_optimum_agree_and_pegasos_comes_near():
    X, y = ring()
    gram = rbf_kernel(X, gamma=1 / (2 * WIDTH**2))
    best = optimum(root(gram), y, LAM)
    assert best.gap < 1e-6
    assert dual_without_bias(gram, y, LAM) == pytest.approx(
        best.primal, rel=1e-5
    )
    alpha, bias = mirrored_svc(gram, y, LAM)
    pull = gram @ (alpha * y) / (LAM * len(y))
    dual = alpha.mean() - 0.5 * LAM * (alpha * y) @ pull / (LAM * len(y))
    assert dual == pytest.approx(best.primal, rel=1e-5)
    assert abs(bias) < 1e-4
    run = kernel.pegasos(X, y, LAM, T=10_000, seed=0, kernel=Rbf(WIDTH))
    gaps = [run.objective(t) - best.dual for t in (100, 1_000, 10_000)]
    assert gaps[0] > gaps[1] > gaps[2] > 0
    assert gaps[2] < 0.01 * best.primal


# Kernels and random features


def test_rbf_is_that_of_scikit_learn():
    rng = np.random.default_rng(0)
    A, B = rng.standard_normal((5, 3)), rng.standard_normal((4, 3))
    right = rbf_kernel(A, B, gamma=1 / (2 * WIDTH**2))
    np.testing.assert_allclose(Rbf(WIDTH)(A, B), right, rtol=1e-12)


def test_random_features_are_right_on_average_with_error_like_one_over_root():
    X, _ = ring()
    gram = Rbf(WIDTH)(X, X)
    errors = {}
    for p in (25, 100, 400):
        found = []
        for seed in range(60):
            F = RandomFourier.draw(p, d=2, width=WIDTH, seed=seed)(X)
            np.testing.assert_allclose((F**2).sum(axis=1), 1.0, rtol=1e-12)
            found.append(F @ F.T - gram)
        # Var cos⟨ω, x − u⟩ = (1 − K²)²/2, and p of them are averaged.
        right = (1 - gram**2) / np.sqrt(2 * p)
        mean = np.mean(found, axis=0)
        assert (np.abs(mean) <= 6 * right / np.sqrt(60) + 1e-12).all()
        errors[p] = np.sqrt(np.mean(np.square(found)))
        assert errors[p] == pytest.approx(np.sqrt(np.mean(right**2)), rel=0.1)
    assert errors[25] / errors[100] == pytest.approx(2, rel=0.15)
    assert errors[100] / errors[400] == pytest.approx(2, rel=0.15)


def test_the_ring_is_no_half_plane():
    X, y = ring(400, seed=3)
    angles = np.linspace(0, np.pi, 180)
    lines = np.column_stack([np.cos(angles), np.sin(angles)])
    for scores in (X @ lines.T).T:
        right = np.sign(np.subtract.outer(scores, np.sort(scores)))
        shares = np.mean(right == y[:, np.newaxis], axis=0)
        assert max(shares.max(), 1 - shares.min()) < 0.8
    round_ = np.where(np.linalg.norm(X, axis=1) < 1.2, 1.0, -1.0)
    assert np.mean(round_ == y) > 0.9


# What is refused

X0, Y0 = [[0.0, 1.0], [1.0, 0.0]], [1, -1]


@pytest.mark.parametrize(
    ("change", "error", "said"),
    [
        ({"kernel": "rbf"}, TypeError, "kernel is 'rbf'; expected a function"),
        ({"X": sp.csr_matrix(X0)}, TypeError, "X is a sparse matrix"),
        ({"lam": 0}, ValueError, "lam is 0; expected"),
        ({"order": [[0, 1]]}, ValueError, "order has 2 rows a step; expected"),
        ({"order": [2]}, ValueError, "order holds 2; expected"),
        ({"order": None}, ValueError, "order is None, T is None"),
        ({"X": [[0.0, np.nan], [1.0, 0.0]]}, ValueError, "X holds nan"),
        (
            {"kernel": lambda A, B: np.ones(len(A))},
            ValueError,
            r"kernel returns an array of shape \(0,\); expected finite",
        ),
        (
            {"kernel": lambda A, B: np.inf * np.ones((len(A), len(B)))},
            ValueError,
            r"kernel returns .* expected finite numbers, \(1, 1\)",
        ),
    ],
)
def test_bad_arguments_are_named(change, error, said):
    good = {"X": X0, "y": Y0, "lam": 0.1, "kernel": linear, "order": [0, 1]}
    with pytest.raises(error, match=said):
        kernel.pegasos(**{**good, **change})


def test_bad_widths_and_steps_are_named():
    with pytest.raises(ValueError, match="width is 0; expected"):
        Rbf(0)
    with pytest.raises(ValueError, match="width is 1e-200; expected"):
        Rbf(1e-200)
    with pytest.raises(ValueError, match="p is 0; expected"):
        RandomFourier.draw(0, 2, 1.0, seed=0)
    with pytest.raises(ValueError, match="seed is -1; expected"):
        RandomFourier.draw(1, 2, 1.0, seed=-1)
    run = kernel.pegasos(X0, Y0, 0.1, kernel=linear, order=[0, 1])
    for call in (run.after, run.objective, lambda t: run.scores(X0, t)):
        with pytest.raises(ValueError, match="t is 3; expected"):
            call(3)


def test_what_a_kernel_returns_is_named():
    X, y = np.array([[1.0, 2.0], [-1.0, 0.5]]), np.array([1, -1])
    with pytest.raises(ValueError, match=r"kernel returns nan; expected fin"):
        kernel.pegasos(
            X, y, 0.1, order=[0, 1], kernel=lambda A, B: np.nan * (A @ B.T)
        )
    with pytest.raises(ValueError, match=r"array of shape \(\); expected fin"):
        kernel.pegasos(X, y, 0.1, order=[0, 1], kernel=lambda A, B: 1.0)
    run = kernel.pegasos(X, y, 0.1, order=[0, 1], kernel=linear)
    with pytest.raises(ValueError, match="Z has 3 columns; expected 2, as X"):
        run.scores(np.zeros((2, 3)))
