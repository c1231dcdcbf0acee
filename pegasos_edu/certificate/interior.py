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
    v: NDArray  # Zᵀα, kept apart: of a sum of large terms few digits are left

    @property
    def product(self):
        """Σ α_i p_i + (1 − α_i) q_i, which is 0 at the optimum."""
        return self.alpha @ self.p + self.beta @ self.q

    def step(self, solve, rest, apart, of_p, of_q):
        """Newton's step; α p and (1 − α) q are to change by of_p, of_q."""
        alpha, beta, p, q, _ = self
        along, moved = solve(rest + of_p / alpha - of_q / beta, apart)
        return _Point(
            along,
            -along,
            (of_p - p * along) / alpha,
            (of_q + q * along) / beta,
            moved,
        )

    def room(self, share, step):
        """A share of the length to the nearest bound, at most 1."""
        bounded = list(zip(self, step))[:-1]  # v may be anything
        fastest = max((-dx / x).max() for x, dx in bounded)
        return share / max(share, fastest)

    def after(self, length, step):
        """The point after so much of a step."""
        return _Point(*(x + length * dx for x, dx in zip(self, step)))


def solve_box(
    Z: Any, b: NDArray, tol: float, together: bool = True
) -> tuple[NDArray, NDArray]:
    """The α in [0, 1]ᵐ that minimises ½ ‖Zᵀα‖² − ⟨b, α⟩, and v = Zᵀα.

    Parameters
    ----------
    Z : ndarray or sparse matrix of shape (m, d)
    b : ndarray of shape (m,)
    tol : float
        The largest `missing` that is wanted.
    together : bool
        Whether v − Zᵀα counts as missing. If not, α stands for one with
        more digits, whose Zᵀα is v: `precision` finds them.

    Returns
    -------
    alpha : ndarray of shape (m,)
        If rounding prevents `tol`, the best point that was reached.
    v : ndarray of shape (d,)
        Zᵀα, with more digits than that product has where its terms cancel.

    Notes
    -----
    Mehrotra's predictor and corrector (Nocedal and Wright 2006, algorithm
    16.4, here for a box). Each step solves for α and v together. What the
    corrector adds counts less the sooner a bound stopped the predictor:
    without that, one problem in 20,000 (m, d ≤ 12) went round four points
    for ever. Salahi, Peng and Terlaky (2007) show another way
    in which the method fails, and another guard.

    Examples
    --------
    >>> Z, b = np.array([[2.0], [1.0]]), np.array([1.0, 3.0])
    >>> alpha, v = solve_box(Z, b, tol=1e-12)
    >>> print(alpha.round(6), v.round(6))
    [0. 1.] [1.]
    """
    factor = _system(Z, shorter=together)
    alpha: NDArray = np.full(len(b), 0.5)
    v = Z.T @ alpha
    gradient = Z @ v - b  # = p − q, as at the optimum
    p = np.maximum(gradient, 0.0) + np.abs(gradient).mean()
    now = _Point(alpha, 1.0 - alpha, p, p - gradient, v)
    best, least = now, np.inf
    for _ in range(MOST_STEPS):
        alpha, beta, p, q, v = now
        gradient, apart = Z @ v - b, v - Z.T @ alpha
        lacks = missing(alpha, gradient, together * apart)
        if lacks < least:
            best, least = now, lacks
        if lacks <= tol or now.product <= ROUNDING * tol:
            break
        try:
            solve = factor(p / alpha + q / beta)
            rest = p - q - gradient
            # Predict: straight to the optimum. How far that leads says how
            # far from the bounds the real step has to stay.
            ahead = now.step(solve, rest, apart, -alpha * p, -beta * q)
            room = now.room(1.0, ahead)
            left = now.after(room, ahead).product / now.product
            middle = left**3 * now.product / (2 * len(b))
            bend = room * ahead.alpha
            step = now.step(
                solve,
                rest,
                apart,
                middle - alpha * p - bend * ahead.p,
                middle - beta * q + bend * ahead.q,
            )
        except scipy.linalg.LinAlgError:  # rounding: no nearer than this
            break
        now = now.after(now.room(SHORT_OF_BOUND, step), step)
    return np.clip(best.alpha, 0.0, 1.0), best.v  # rounding may lead beyond 1


def missing(alpha: NDArray, gradient: NDArray, apart: NDArray) -> float:
    """The duality gap: how far α is from the least value, at most.

    Parameters
    ----------
    alpha : ndarray of shape (m,)
    gradient : ndarray of shape (m,)
        Zv − b, for any v.
    apart : ndarray of shape (d,)
        v − Zᵀα, which is 0 but for rounding.

    Notes
    -----
    For any v the least value is at least −½‖v‖² − Σ max{0, b − Zv}. How
    far ½‖Zᵀα‖² − ⟨b, α⟩ lies above that is the sum below.

    Examples
    --------
    >>> alpha, gradient = np.array([0.0, 0.5]), np.array([3.0, -2.0])
    >>> print(missing(alpha, gradient, np.zeros(1)))
    1.0
    """
    up, down = np.maximum(gradient, 0.0), np.maximum(-gradient, 0.0)
    return float(alpha @ up + (1.0 - alpha) @ down + 0.5 * (apart @ apart))


def _solved(known: Any, right: NDArray) -> NDArray:
    """The solution by a factor; numbers that are none have no solution."""
    if not np.isfinite(right).all():
        raise scipy.linalg.LinAlgError("a number is beyond all bounds")
    return scipy.linalg.cho_solve(known, right)


def _system(Z: Any, shorter: bool = True) -> Callable:
    """A function diagonal -> ((rest, apart) -> the α and v of Newton's step).

    They solve diagonal α + Zv = rest and Zᵀα − v = apart, for α first or for
    v first, whichever is shorter. For v first rounding does not mind how
    uneven the columns of Z are.
    """
    m, d = Z.shape
    gram = as_dense(Z @ Z.T) if shorter and m <= d else None

    def factor(diagonal):
        if gram is not None:
            known = scipy.linalg.cho_factor(gram + np.diag(diagonal))

            def nearly(rest, apart):
                alpha = _solved(known, rest + Z @ apart)
                return alpha, Z.T @ alpha - apart

        else:
            scaled = scale_rows(Z, 1.0 / diagonal)
            inner = np.eye(d) + as_dense(Z.T @ scaled)
            known = scipy.linalg.cho_factor(inner)

            def nearly(rest, apart):
                v = _solved(known, scaled.T @ rest - apart)
                return (rest - Z @ v) / diagonal, v

        def solve(rest, apart):
            # Differences of large numbers; once more for what they lack.
            alpha, v = nearly(rest, apart)
            lack = rest - diagonal * alpha - Z @ v, apart - Z.T @ alpha + v
            more = nearly(*lack)
            return alpha + more[0], v + more[1]

        return solve

    return factor


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
