"""Newton's method for the log loss, with a proof at every step.

The log loss has a second derivative, ℓ'' = β(1 − β) with β = −ℓ'(m). So

    f(w) = λ/2 ‖w‖² + (1/n) Σ s_i ℓ(m_i),    m_i = y_i⟨w, x_i⟩,
    H = λI + (1/n) Σ s_i β_i(1 − β_i) x_i x_iᵀ,

and a step p solves Hp = −∇f. Conjugate gradients find it from products with
X alone. They take few steps if they are told roughly what H⁻¹ is: the
Cholesky factor of an H from some steps before, or, where X has too many
columns for that or more than rows, the diagonal of H.

Two dual points come with each step: α_i = s_i β_i at w, and the same moved
along p by the linear part of β. By Hp = −∇f the second has w(α) = w + p. It
stays true where rounding blurs the margins, as there no difference of large
numbers decides it.
"""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy import special

from pegasos_edu.certificate.interior import as_dense
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.products import combination, product, row_blocks

# A Cholesky factor is for at most so many columns, and for more where H, of
# which there are three copies at a time, is small beside the data.
FEW_COLUMNS, SMALLER = 500, 8
# So many multiplications of H and its factor take as long as one of Xw.
QUICKER = 20
# Conjugate gradients leave so much of the gradient, and give up after so
# many steps: what they have by then leads downhill, too.
LEFT, MOST_INNER = 0.1, 200
# A step is the longest of these that keeps a quarter of what its slope
# promises. Long ones pay where all margins grow at once.
LENGTHS = 2.0 ** np.arange(5, -40, -1)
MOST_STEPS = 200
# With a gap below this, a step that does not halve it only moves what
# rounding has left.
NEARLY = 1e-10


def solve_log(
    X: Any,
    y: NDArray,
    lam: float,
    tol: float,
    w: NDArray | None = None,
    weights: NDArray | None = None,
    constant: float = 0.0,
) -> tuple[NDArray, NDArray, float, float]:
    """A w and a dual point for the log loss, with a relative gap of `tol`.

    Parameters
    ----------
    X, y, lam, weights, constant
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float
        The gap to reach, relative to f(w).
    w : ndarray of shape (d,), or (d + 1,) with a constant
        Where to begin; by default 0.

    Returns
    -------
    w : ndarray
    alpha : ndarray of shape (n,), 0 ≤ α_i ≤ s_i
    primal, dual : float
        f(w) and D(α). If rounding prevents `tol`: the best there was.

    Notes
    -----
    Lin, Weng and Keerthi (2008), with a line search in place of their trust
    region (Nocedal and Wright 2006, algorithm 7.1), and with the gap.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> w, alpha, primal, dual = solve_log(X, y, lam=0.1, tol=1e-9)
    >>> bool(primal - dual <= 1e-9 * primal)
    True
    """
    n, d = X.shape
    s = np.ones(n) if weights is None else weights
    w = np.zeros(d + (constant != 0.0)) if w is None else w
    size = len(w)
    value, entropy = LOSSES["log"].value, LOSSES["log"].dual

    def scores(v):
        return product(X, v[:d]) + constant * v[-1]

    def back(c):
        return np.append(combination(X, c), [constant * c.sum()] * (size - d))

    def bound(beta):
        """D at α = s β, and w(α)."""
        v = back(s * beta * y) / (lam * n)
        return float(s @ entropy(beta)) / n - 0.5 * lam * float(v @ v), v

    def curved(bend, v):
        """Hv."""
        return lam * v + back(bend * scores(v))

    stored = X.nnz if sp.issparse(X) else X.size
    direct = has_factor(n, len(w), stored)
    price = len(w) ** 2 * (n + len(w)) / QUICKER if direct else 2 * stored
    paid, prepare = np.inf, factor if direct else diagonal
    margins = y * scores(w)
    primal, dual, best, last = np.inf, 0.0, (w, np.zeros(n)), np.inf  # D(0)
    for _ in range(MOST_STEPS):
        beta = special.expit(-margins)
        f = 0.5 * lam * float(w @ w) + float(s @ value(margins)) / n
        below, w_dual = bound(beta)
        if f < primal:
            primal, best = f, (w, best[1])
        if below > dual:
            dual, best = below, (best[0], s * beta)
        gap = primal - dual
        stuck = NEARLY * primal >= gap > 0.5 * last
        if gap <= tol * primal or stuck:
            break
        last = gap
        bend = s * beta * (1.0 - beta) / n
        if paid >= price:
            inverse, paid = prepare(X, bend, lam, constant), 0.0
        slope = lam * (w - w_dual)
        enough = max(
            LEFT * np.linalg.norm(slope),
            0.1 * np.sqrt(2.0 * lam * tol * max(dual, 0.0)),
        )
        p, rounds = conjugate_gradients(
            functools.partial(curved, bend), -slope, inverse, enough
        )
        paid += 2 * rounds * stored
        along = y * scores(p)
        moved = np.clip(beta - beta * (1.0 - beta) * along, 0.0, 1.0)
        if (below := bound(moved)[0]) > dual:
            dual, best = below, (best[0], s * moved)
        for length in LENGTHS:
            step = length * p
            change = lam * float((w + 0.5 * step) @ step)
            ahead = value(margins + length * along) - value(margins)
            if change + float(s @ ahead) / n <= 0.25 * float(slope @ step):
                break
        else:  # rounding: no nearer than this
            break
        w = w + step
        margins = y * scores(w)
    return *best, primal, dual


def has_factor(n: int, d: int, stored: int) -> bool:
    """Whether H gets a Cholesky factor, and not only its diagonal.

    Examples
    --------
    >>> has_factor(1000, 30, 30_000), has_factor(1000, 50_000, 10**6)
    (True, False)
    """
    return d <= n and (d <= FEW_COLUMNS or SMALLER * d * d <= stored)


def conjugate_gradients(
    times: Callable[[NDArray], NDArray],
    b: NDArray,
    inverse: Callable[[NDArray], NDArray],
    enough: float,
) -> tuple[NDArray, int]:
    """A p with ‖b − Hp‖ ≤ `enough`, and after how many products with H.

    Parameters
    ----------
    times : callable
        v -> Hv.
    b : ndarray of shape (d,)
    inverse : callable
        r -> roughly H⁻¹r.
    enough : float

    Returns
    -------
    p : ndarray of shape (d,)
    rounds : int
        At most `MOST_INNER`.

    Notes
    -----
    Nocedal and Wright (2006), algorithm 5.3.

    Examples
    --------
    >>> def double(v):
    ...     return 2.0 * v
    >>> conjugate_gradients(double, np.array([4.0]), double, 1e-9)
    (array([2.]), 1)
    """
    p, r, rounds = np.zeros_like(b), b, 0
    z = inverse(r)
    direction, rz = z, r @ z
    while rounds < MOST_INNER and np.linalg.norm(r) > enough:
        image = times(direction)
        length = rz / (direction @ image)
        p, r, rounds = p + length * direction, r - length * image, rounds + 1
        z = inverse(r)
        direction, rz = z + (r @ z) / rz * direction, r @ z
    return p, rounds


def factor(
    X: Any, bend: NDArray, lam: float, constant: float = 0.0
) -> Callable[[NDArray], NDArray]:
    """r -> H⁻¹r by a Cholesky factor of H, scaled to a diagonal of ones.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    bend : ndarray of shape (n,)
        What each x_i x_iᵀ counts in H = λI + Σ bend_i x_i x_iᵀ.
    lam, constant : float

    Examples
    --------
    >>> inverse = factor(np.array([[2.0]]), np.array([0.5]), lam=1.0)
    >>> print(inverse(np.array([6.0])).round(6))
    [2.]
    """
    H = lam * np.eye(X.shape[1] + (constant != 0.0))
    for rows in row_blocks(X, zeros=True):
        some = np.flatnonzero(bend[rows])  # of the hinge, few bend
        if len(some) > 0:
            H += _bends(X[rows], some, bend[rows][some], constant)
    scale = 1.0 / np.sqrt(H.diagonal())
    H *= scale[:, np.newaxis]
    H *= scale
    ridge = len(H) * np.finfo(float).eps
    while True:
        H[np.diag_indices_from(H)] = 1.0 + ridge
        try:
            known = scipy.linalg.cho_factor(H)
        except scipy.linalg.LinAlgError:  # rounding; but roughly is enough
            ridge *= 100.0
            continue
        # Numbers beyond all bounds end the search by themselves.
        return lambda r: (
            scale
            * scipy.linalg.cho_solve(known, scale * r, check_finite=False)
        )


def _bends(X, some, bend, constant):
    """Σ bend_i x_i x_iᵀ over some rows of X."""
    few = X if len(some) == X.shape[0] else X[some]
    Z = np.full((len(some), X.shape[1] + (constant != 0.0)), constant)
    Z[:, : X.shape[1]] = as_dense(few)
    Z *= np.sqrt(bend)[:, np.newaxis]
    return Z.T @ Z


def diagonal(
    X: Any, bend: NDArray, lam: float, constant: float = 0.0
) -> Callable[[NDArray], NDArray]:
    """r -> r divided by the diagonal of H.

    Parameters
    ----------
    X, bend, lam, constant
        As in `factor`.

    Examples
    --------
    >>> inverse = diagonal(np.array([[2.0]]), np.array([0.5]), lam=1.0)
    >>> print(inverse(np.array([6.0])))
    [2.]
    """
    ends = [constant**2 * bend.sum()] * (constant != 0.0)
    of_H = np.append(np.zeros(X.shape[1]), ends) + lam
    for rows in row_blocks(X):
        squares = X[rows].power(2) if sp.issparse(X) else X[rows] ** 2.0
        of_H[: X.shape[1]] += squares.T @ bend[rows]
    return lambda r: r / of_H
