"""A box-constrained quadratic program, by interior points.

The dual of the SVM over some of its examples, while the others stay:

    minimise  ½ ‖Zᵀα‖² − ⟨b, α⟩  over 0 ≤ α ≤ 1,

where Z holds the rows y_i x_i / √(λn), and b_i is 1 minus what the others
give to the margin of example i. Ten to sixty steps solve it to any accuracy
that doubles allow; each solves one linear system with as many unknowns as Z
has rows or columns, whichever are fewer.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

# More are not needed, unless rounding stands in the way.
MOST_STEPS = 100
# Where Σ αp + (1 − α)q is so much below `tol`, only rounding is left.
ROUNDING = 1e-3
# How far of the way to the nearest bound a step goes.
SHORT_OF_BOUND = 0.995


class _Point(NamedTuple):
    """Where the steps are, or one of them."""

    alpha: NDArray
    beta: NDArray  # 1 − α, kept apart: near 1 a double has no digits left
    p: NDArray  # the multipliers of α ≥ 0
    q: NDArray  # the multipliers of α ≤ 1

    @property
    def product(self):
        """Σ α_i p_i + (1 − α_i) q_i, which is 0 at the optimum."""
        return self.alpha @ self.p + self.beta @ self.q

    def step(self, solve, rest, of_p, of_q):
        """Newton's step; α p and (1 − α) q are to change by of_p, of_q."""
        alpha, beta, p, q = self
        along = solve(rest + of_p / alpha - of_q / beta)
        return _Point(
            along,
            -along,
            (of_p - p * along) / alpha,
            (of_q + q * along) / beta,
        )

    def after(self, share, step):
        """The point a share of the way to the nearest bound, at most 1."""
        fastest = max((-dx / x).max() for x, dx in zip(self, step))
        length = share / max(share, fastest)
        return _Point(*(x + length * dx for x, dx in zip(self, step)))


def solve_box(Z: Any, b: NDArray, tol: float) -> NDArray:
    """The α in [0, 1]ᵐ that minimises ½ ‖Zᵀα‖² − ⟨b, α⟩.

    Parameters
    ----------
    Z : ndarray or sparse matrix of shape (m, d)
    b : ndarray of shape (m,)
    tol : float
        How far from the least value it may be, at most.

    Returns
    -------
    ndarray of shape (m,)
        If rounding prevents `tol`, the best point that was reached.

    Notes
    -----
    Mehrotra's predictor and corrector (Nocedal and Wright 2006, algorithm
    16.4, here for a box).

    Examples
    --------
    >>> Z, b = np.array([[2.0], [1.0]]), np.array([1.0, 3.0])
    >>> print(solve_box(Z, b, tol=1e-12).round(6))
    [0. 1.]
    """
    factor = _system(Z)
    alpha = np.full(len(b), 0.5)
    gradient = Z @ (Z.T @ alpha) - b  # = p − q, as at the optimum
    p = np.maximum(gradient, 0.0) + np.abs(gradient).mean()
    now = _Point(alpha, 1.0 - alpha, p, p - gradient)
    best, least = alpha, np.inf
    for _ in range(MOST_STEPS):
        alpha, beta, p, q = now
        gradient = Z @ (Z.T @ alpha) - b
        if (lacks := missing(alpha, gradient)) < least:
            best, least = alpha, lacks
        if lacks <= tol or now.product <= ROUNDING * tol:
            break
        try:
            solve = factor(p / alpha + q / beta)
        except scipy.linalg.LinAlgError:  # rounding: no nearer than this
            break
        rest = p - q - gradient
        # Predict: straight to the optimum. How far that leads says how far
        # from the bounds the real step has to stay.
        ahead = now.step(solve, rest, -alpha * p, -beta * q)
        left = now.after(1.0, ahead).product / now.product
        middle = left**3 * now.product / (2 * len(b))
        step = now.step(
            solve,
            rest,
            middle - alpha * p - ahead.alpha * ahead.p,
            middle - beta * q + ahead.alpha * ahead.q,
        )
        now = now.after(SHORT_OF_BOUND, step)
    return np.clip(best, 0.0, 1.0)  # rounding may lead beyond 1


def missing(alpha: NDArray, gradient: NDArray) -> float:
    """How far α is from the least value, at most: a duality gap.

    Examples
    --------
    >>> print(missing(np.array([0.0, 0.5]), np.array([3.0, -2.0])))
    1.0
    """
    up, down = np.maximum(gradient, 0.0), np.maximum(-gradient, 0.0)
    return float(alpha @ up + (1.0 - alpha) @ down)


def _system(Z: Any) -> Callable:
    """A function diagonal -> (rhs -> x with (diag + ZZᵀ) x = rhs)."""
    m, d = Z.shape
    if m <= d:
        gram = as_dense(Z @ Z.T)

        def factor(diagonal):
            known = scipy.linalg.cho_factor(gram + np.diag(diagonal))
            return lambda rhs: scipy.linalg.cho_solve(known, rhs)

        return factor

    def factor_by_columns(diagonal):
        scaled = scale_rows(Z, 1.0 / diagonal)
        inner = np.eye(d) + as_dense(Z.T @ scaled)
        known = scipy.linalg.cho_factor(inner)

        def nearly(rhs):
            part = scipy.linalg.cho_solve(known, scaled.T @ rhs)
            return rhs / diagonal - scaled @ part

        def solve(rhs):
            # The difference of two large vectors; once more for what it lacks.
            x = nearly(rhs)
            return x + nearly(rhs - diagonal * x - Z @ (Z.T @ x))

        return solve

    return factor_by_columns


def as_dense(A: Any) -> NDArray:
    """A matrix as an array, sparse or not.

    Examples
    --------
    >>> print(as_dense(sp.csr_array([[1.0, 0.0]])))
    [[1. 0.]]
    """
    return A.toarray() if sp.issparse(A) else A


def scale_rows(Z: Any, factors: NDArray) -> Any:
    """Each row of Z times its factor; sparse rows stay sparse.

    Examples
    --------
    >>> print(scale_rows(np.array([[1.0, 2.0]]), np.array([-1.0])))
    [[-1. -2.]]
    """
    if sp.issparse(Z):
        return sp.dia_array((factors, 0), shape=(len(factors),) * 2) @ Z
    return factors[:, np.newaxis] * Z
