"""The program of `interior`, to a percent, in fewer and cheaper steps.

    minimise  ½ ‖Zᵀα‖² − ⟨b, α⟩  over 0 ≤ α ≤ 1

gets a pull ‖α − c‖²/(2σ) towards the place c that was reached last, as
`ascend` gives one to w. Then α is a function of v,

    α(v) = c + σ(b − Zv), cut off at 0 and 1,

and v = Zᵀα(v) is where a smooth convex function has its minimum: its slope
is v − Zᵀα(v). Newton's steps lead there. Only the free rows F, those with
0 < α(v) < 1, bend it: its second derivative is I + σ FᵀF. So a step costs
two products with Z, and one linear system with as many unknowns as F has
rows or columns, whichever are fewer.

Data too large to be copied as Z are read in place. There the system is
solved by conjugate gradients, from products with X alone.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.certificate.interior import scale_rows
from pegasos_edu.certificate.newton import (
    conjugate_gradients,
    diagonal,
    factor,
    has_factor,
)
from pegasos_edu.problem.products import (
    combination,
    product,
    row_blocks,
    sum_of_squares,
)
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.sparse import add, as_rows, dot

# How many times σ grows with each new c.
GROWTH = 3.0
# A new c is taken when the squared slope is at most so many times
# ‖α − c‖²/σ, what Newton's steps are to be small beside.
ROUGH = 3.0
# A step is halved until at most so much of the slope along it is left.
LEFT = 0.3
HALVES = 0.5 ** np.arange(50)
# Where these many do not do, rounding stands in the way.
MOST_STEPS = 200
# Conjugate gradients leave so much of the slope. All of them together may
# take so many products with X.
LEFT_OF_SLOPE, MOST_PRODUCTS = 0.1, 2000


def solve_soon(
    Z: NDArray, b: NDArray, v: NDArray, tol: float
) -> tuple[NDArray, NDArray]:
    """An α in [0, 1]ᵐ and a v with a relative duality gap of `tol`.

    Parameters
    ----------
    Z : ndarray of shape (m, d)
    b : ndarray of shape (m,)
        At least one number above 0.
    v : ndarray of shape (d,)
        Where to begin.
    tol : float
        The gap to reach, relative to ½ ‖v‖² + Σ max{0, b − Zv}.

    Returns
    -------
    alpha : ndarray of shape (m,)
    v : ndarray of shape (d,)
        If rounding, or the number of steps, prevents `tol`: the best that
        was reached.

    Notes
    -----
    Rockafellar's proximal point method (1976) on the dual; Newton's method
    on functions whose slope has kinks: Qi and Sun (1993). Both together:
    Li, Sun and Toh (2018).

    Examples
    --------
    >>> Z, b = np.array([[2.0], [1.0]]), np.array([1.0, 3.0])
    >>> alpha, v = solve_soon(Z, b, v=np.zeros(1), tol=1e-9)
    >>> print(alpha.round(6), v.round(6))
    [0. 1.] [1.]
    """

    def newton(free, sigma, slope):
        return _newton(Z[free], sigma, slope)

    by = Products(lambda v: Z @ v, lambda alpha: Z.T @ alpha, newton)
    sigma = 10.0 * len(b) / (1.0 + np.vdot(Z, Z))
    return _solve(by, b, v, tol, sigma)[:2]


def solve_in_place(
    X: Any,
    factors: NDArray,
    constant: float,
    b: NDArray,
    v: NDArray,
    tol: float,
    most: float = MOST_PRODUCTS,
) -> tuple[NDArray, NDArray, float, float]:
    """The same with Z = the rows of X times their factors, not written down.

    The linear systems are solved by `newton.conjugate_gradients`, from
    products with X, as those of the log loss are.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (m, d)
    factors : ndarray of shape (m,)
    constant : float
        If not 0, this number is a last column of X.
    b, v, tol
        As in `solve_soon`.
    most : float
        So many products with Xᵀ and X conjugate gradients may take.

    Returns
    -------
    alpha, v : ndarray
    primal, dual : float
        ½ ‖v‖² + Σ max{0, b − Zv}, and ⟨b, α⟩ − ½ ‖Zᵀα‖². If rounding, or
        the number of products, prevents `tol`: the best that was reached.

    Examples
    --------
    >>> X, b = np.array([[2.0], [1.0]]), np.array([1.0, 3.0])
    >>> own = np.ones(2), 0.0, b, np.zeros(1)
    >>> alpha, v, primal, dual = solve_in_place(X, *own, tol=1e-9)
    >>> print(alpha.round(6), v.round(6), bool(primal - dual <= 1e-8))
    [0. 1.] [1.] True
    """
    m, d = X.shape
    stored = X.nnz if sp.issparse(X) else X.size
    prepare = factor if has_factor(m, len(v), stored) else diagonal
    products = 0

    add_bent, convert = fastest(add_bends)
    rows = as_rows(X, convert, constant)

    def times(u):
        return factors * (product(X, u[:d]) + constant * u[-1])

    def back(alpha):
        c = factors * alpha
        ends = [constant * c.sum()] * (len(v) - d)
        return np.append(combination(X, c), ends)

    def newton(free, sigma, slope):
        nonlocal products
        bend = sigma * (free * factors) ** 2
        numbers = convert(np.flatnonzero(free))

        def curved(u):
            image = u.copy()
            add_bent(rows, numbers, bend, u, image)
            return image

        inverse = prepare(X, bend, 1.0, constant)
        enough = LEFT_OF_SLOPE * float(np.linalg.norm(slope))
        step, rounds = conjugate_gradients(curved, -slope, inverse, enough)
        products += rounds * len(numbers) / m
        return step if products <= most else None

    squares = _sum_of_squares(X, factors, constant)
    by = Products(times, back, newton)
    return _solve(by, b, v, tol, 10.0 * m / (1.0 + squares))


def add_bends(rows, numbers, bend, u, image):
    """Add bend_i ⟨x_i, u⟩ x_i to the image, for the rows of these numbers."""
    for i in numbers:
        add(image, bend[i] * dot(u, rows, i), rows, i)


def _sum_of_squares(X, factors, constant):
    """Σ factor_i² (‖x_i‖² + constant²)."""
    total = constant**2 * float(factors @ factors)
    for rows in row_blocks(X):
        few = scale_rows(X[rows], factors[rows])
        total += sum_of_squares(few)
    return total


class Products(NamedTuple):
    """What there is to know of Z."""

    times: Callable  # v -> Zv
    back: Callable  # α -> Zᵀα
    newton: Callable  # (free, σ, slope) -> the step, or None to give up


def _solve(by, b, v, tol, sigma):
    """α, v, and the values of both; by the products with Z."""
    centre, lack = np.zeros(len(b)), b - by.times(v)  # c; b − Zv
    best, least, most = (centre, v), np.inf, -np.inf
    for _ in range(MOST_STEPS):
        alpha = _payments(centre, sigma, lack)
        v_dual = by.back(alpha)
        slope = v - v_dual
        primal = 0.5 * (v @ v) + np.maximum(lack, 0.0).sum()
        dual = b @ alpha - 0.5 * (v_dual @ v_dual)
        if primal < least:
            best, least = (best[0], v), primal
        if dual > most:
            best, most = (alpha, best[1]), dual
        if least - most <= tol * least:
            break
        if slope @ slope <= ROUGH / sigma * _square(alpha, centre):
            centre, sigma = alpha, GROWTH * sigma
            lack = b - by.times(v)  # afresh: rounding cannot pile up
            continue
        step = by.newton((alpha > 0.0) & (alpha < 1.0), sigma, slope)
        if step is None:
            break
        enough = LEFT * abs(slope @ step)
        length, lack = _shortened(by, centre, sigma, v, lack, step, enough)
        v = v + length * step
    return *best, float(least), float(most)


# Of vectors as long as there are examples as few as can be are there at a
# time: they are small beside the data only where these have many columns.


def _payments(centre, sigma, lack):
    """α(v) = c + σ(b − Zv), cut off at 0 and 1."""
    alpha = sigma * lack
    alpha += centre
    return alpha.clip(0.0, 1.0, out=alpha)


def _square(alpha, centre):
    """‖α − c‖²."""
    moved = alpha - centre
    return moved @ moved


def _shortened(by, centre, sigma, v, lack, step, enough):
    """How much of a step is made, and what b − Zv becomes by it."""
    along = by.times(step)
    for length in HALVES:
        then = lack - length * along
        alpha = _payments(centre, sigma, then)
        if (v + length * step) @ step - alpha @ along <= enough:
            break
    return length, then


def _newton(F, sigma, slope):
    """−(I + σ FᵀF)⁻¹ times the slope."""
    k, d = F.shape
    if k < d:
        inner = F @ F.T + np.eye(k) / sigma
        return F.T @ _solved(inner, F @ slope) - slope
    return _solved(np.eye(d) + sigma * (F.T @ F), -slope)


def _solved(H, right):
    """H⁻¹ times a vector; the shortest solution where rounding lost H⁻¹."""
    try:
        return np.linalg.solve(H, right)
    except np.linalg.LinAlgError:
        return np.linalg.lstsq(H, right)[0]
