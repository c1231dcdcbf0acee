"""What answers are tried on: small, drawn once, no margin at the kink."""

import numpy as np
import scipy.sparse as sp

from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order


def small_data(n, d, variant):
    """Two overlapping clouds; every variant draws other ones."""
    rng = np.random.default_rng([n, d, variant])
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return rng.standard_normal((n, d)) + 0.5 * y[:, np.newaxis], y


def solver_cases(variant):
    """Two runs with many steps a row, and one with fewer steps than rows.

    The last has a λ at which 1 − η₁λ is not 0 in floating point.
    """
    cases = []
    for n, d, lam, T in ((8, 2, 0.1, 90), (12, 3, 0.5, 90), (30, 4, 1e-5, 9)):
        X, y = small_data(n, d, variant)
        order = draw_order(n, T, seed=variant)
        cases.append({"X": X, "y": y, "lam": lam, "order": order})
    hold_a_margin_of_three_halves(**cases[0])
    return cases


def hold_a_margin_of_three_halves(X, y, lam, order):
    """Let the second step meet the margin 1.5, which the shrink halves.

    Otherwise a margin that is tested after the shrink may go unnoticed.
    """
    order[:2] = 0, 1
    X[1] = 1.5 * lam * y[0] * y[1] * X[0] / (X[0] @ X[0])


def sparse_cases(variant):
    """The same runs, on rows with many zeros."""
    cases = solver_cases(variant)
    for case in cases:
        X = case["X"] * (np.abs(case["X"]) > 0.4)
        case["X"] = sp.csr_matrix(np.hstack([X, np.zeros_like(X)]))
    return cases


def weight_cases(variant):
    X, y = small_data(10, 3, variant)
    weights = np.array([0.3, -0.2, 0.7]), np.array([2.0, 1.0, -1.5])
    return [{"w": w, "X": X, "y": y, "lam": 0.2} for w in weights]


def score_cases(variant):
    return [{"w": case["w"], "X": case["X"]} for case in weight_cases(variant)]


def step_cases(variant):
    return [{"lam": lam, "t": t} for lam, t in ((0.1, 1), (0.1, 7), (2.0, 3))]


def visit_cases(variant):
    return [
        {"n": 5, "T": 400, "seed": variant},
        {"n": 40, "T": 1000, "seed": variant + 1},
    ]


def margin_cases(variant):
    return [
        {"margin": np.array([-3.0, -0.5, 0.0, 0.5, 3.0])},
        {"margin": np.array([-1e4, 1e4])},
    ]


def label_cases(variant):
    X, y = small_data(40, 2, variant)
    names = np.where(y > 0, "spam", "ham")
    return [
        {"X": X, "labels": labels, "X_new": X + 0.1, "lam": 0.1, "T": 2000}
        for labels in (y.astype(int), (y > 0).astype(int), names)
    ]


def game_cases(variant):
    X, y = small_data(10, 2, variant)
    order = draw_order(10, 25, seed=variant)
    steps = range(1, 26)
    run = dense.pegasos(X, y, 0.3, order=order, snapshots=steps)
    W = np.vstack([np.zeros(2), run.iterates[:-1]])
    return [
        {"W": W, "u": u, "X": X, "y": y, "lam": 0.3, "order": order}
        for u in (np.zeros(2), np.array([0.8, 0.4]))
    ]


def bound_cases(variant):
    return [
        {"lam": lam, "R": R, "T": T}
        for lam, R, T in ((0.1, 1.0, 1), (0.1, 1.0, 50), (0.01, 3.0, 1000))
    ]


def curve_cases(variant):
    t = np.array([10.0, 30.0, 100.0, 300.0, 1000.0])
    return [
        {"t": t, "gap": 5.0 / t},
        {"t": t, "gap": t**-0.5 * np.array([1.0, 1.1, 0.9, 1.05, 0.95])},
    ]
