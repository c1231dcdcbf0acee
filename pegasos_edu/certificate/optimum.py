"""The certified optimum f*: the yardstick of every figure and test.

Found by dual ascent and, at the end, interior points (hinge loss) or Newton's
method (log loss), and returned with the gap that certifies it. Where a percent
is enough, `minimise` takes a few rounds.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import ArrayLike

from pegasos_edu.certificate.approach import approach, one_thread
from pegasos_edu.certificate.gap import Optimum, certify, weights_from
from pegasos_edu.certificate.interior import as_dense, scale_rows, solve_box
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.solvers.ascent import ascend


def optimum(
    X: Any,
    y: ArrayLike,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    tol: float = 1e-8,
    max_epochs: int = 20_000,
) -> Optimum:
    """Minimise f to a relative duality gap of at most `tol`.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ.
    tol : float
        The largest relative gap that counts as certified.
    max_epochs : int
        Give up dual ascent after this many passes.

    Returns
    -------
    Optimum

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.
    RuntimeError
        If the gap stays above `tol`: nothing uncertified is returned.

    Notes
    -----
    Hinge loss: dual ascent (`pegasos_edu.solvers.ascent`), and the examples
    in play placed exactly, by interior points, once they are few. Log loss:
    Newton steps on f after a few rounds, and the dual point α_i = −ℓ'(m_i).

    Examples
    --------
    >>> best = optimum([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(best.w, best.primal)
    [1.] 0.05
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = checks.check_positive("tol", tol)
    max_epochs = checks.check_integer("max_epochs", max_epochs, 1)
    values = X.data if sp.issparse(X) else X.ravel()
    with np.errstate(over="ignore"):
        if not np.isfinite(values @ values):
            checks.refuse("the squares of X overflow", "smaller data")
    if loss == "hinge":
        best = _hinge_optimum(X, y, lam, tol, max_epochs)
    else:
        best = _log_optimum(X, y, lam, tol, max_epochs)
    if not best.gap <= tol:
        raise RuntimeError(
            f"the relative gap is {best.gap:.1e}; expected at most "
            f"{tol:.1e}, so there is no certified optimum to return."
        )
    return best


def minimise(
    X: Any,
    y: ArrayLike,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    tol: float = 1e-2,
    max_rounds: int = 1000,
    seed: int = 0,
) -> Optimum:
    """Minimise f, in few passes, to a relative duality gap of `tol`.

    Parameters
    ----------
    X, y, lam, loss
        As in `optimum`. X is not copied.
    tol : float
        Stop when the relative gap is at most this.
    max_rounds : int
        Or after so many rounds, of one to two passes over the data each.
    seed : int
        What the orders of the examples are drawn from.

    Returns
    -------
    Optimum
        The best w there was, the dual point, and the gap between them.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Warns
    -----
    RuntimeWarning
        If `max_rounds` came before `tol`. The gap says by how much.

    Notes
    -----
    `pegasos_edu.solvers.ascent.ascend`, which says where it comes from; on
    small data `pegasos_edu.certificate.proximal` where that is slower.

    Examples
    --------
    >>> found = minimise([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(found.gap <= 0.01, found.w.round(2))
    True [1.]
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = checks.check_positive("tol", tol)
    max_rounds = checks.check_integer("max_rounds", max_rounds, 1)
    seed = checks.check_integer("seed", seed, 0)
    with one_thread():
        now, _ = approach(X, y, lam, loss, tol, max_rounds, seed=seed)
    if not now.gap <= tol:
        warnings.warn(
            f"the relative gap is {now.gap:.1e} after max_rounds = "
            f"{max_rounds}; expected a larger max_rounds or tol.",
            RuntimeWarning,
            stacklevel=2,
        )
    return Optimum(now.w, now.alpha, now.primal, now.dual, now.gap)


def _hinge_optimum(X, y, lam, tol, max_epochs):
    """Ascent in rounds; on the way, the examples in play solved exactly.

    Rounds soon know of most examples whether they end at 0 or at 1. The
    others are in play. Once they are few, interior points place them.
    """
    tried, waited = np.inf, 0
    for now in ascend(X, y, lam):
        alpha = now.alpha.copy()  # the next round changes it
        best = certify(weights_from(alpha, X, y, lam), alpha, X, y, lam)
        waited += 1
        if best.gap <= NEAR * tried or waited == WAIT:
            tried, waited = best.gap, 0
            best = _settle(best, X, y, lam, tol)
        if best.gap <= tol or now.passes >= max_epochs:
            break
    return _finish(best, X, y, lam, tol)


# It is tried to settle the examples in play whenever the gap has fallen so
# far, or after so many rounds; so many times, if a step of interior points
# takes at most so many multiplications.
NEAR, WAIT, SETTLEMENTS = 0.1, 5, 6
MOST_WORK = 1.5e9
# Interior points leave what belongs on a bound as near to it as this.
ON_BOUND = 1e-9
# The most free examples that are put exactly on their margins.
MOST_FREE = 500


def _settle(best, X, y, lam, tol):
    """Place the examples in play exactly, and those that join them."""
    n, d = X.shape
    for _ in range(SETTLEMENTS):
        rows = _in_play(best, X, y)
        work = len(rows) * min(len(rows), d) ** 2
        if best.gap <= tol or work > MOST_WORK:
            break
        alpha = best.alpha.copy()
        alpha[rows] = 0.0
        Z = scale_rows(X[rows], y[rows])
        others = weights_from(alpha, X, y, lam)
        lack = 1.0 - Z @ others
        near = 1e-3 * tol * best.primal * n
        length = np.sqrt(lam * n)
        alpha[rows], v = solve_box(Z / length, lack, near)
        best = certify(others + v / length, alpha, X, y, lam)
    return best


def _in_play(best, X, y):
    """Rows that do not rest at 0 or 1, and the nearest of the others."""
    margins = y * (X @ best.w)
    low, high = best.alpha <= ON_BOUND, best.alpha >= 1.0 - ON_BOUND
    rests = (low & (margins >= 1.0)) | (high & (margins <= 1.0))
    away = np.where(rests, np.abs(margins - 1.0), 0.0)
    few = int(1.25 * (~rests).sum()) + 50
    if few >= len(y):
        return np.arange(len(y))
    return np.argpartition(away, few)[:few]


def _finish(best, X, y, lam, tol):
    """Put free examples (0 < α_i < 1) on their margin, others on a bound.

    Near the optimum rounding blurs which α_i are on a bound, so several
    limits are tried. Returns the first that leaves almost no gap, or the
    best of what there was and what these make of it.
    """
    alpha = best.alpha
    for bound in (1e-7, 1e-6, 1e-5, 1e-4):
        free = (alpha > bound) & (alpha < 1.0 - bound)
        if free.sum() > MOST_FREE:
            break
        Z = scale_rows(X[free], y[free])
        moved = np.where(free, 0.0, np.round(alpha))
        lack = 1.0 - Z @ weights_from(moved, X, y, lam)
        gram = as_dense(Z @ Z.T) / (lam * len(y))
        moved[free] = scipy.linalg.lstsq(gram, lack, lapack_driver="gelsy")[0]
        moved = np.clip(moved, 0.0, 1.0)
        finished = certify(weights_from(moved, X, y, lam), moved, X, y, lam)
        if finished.gap <= 1e-4 * tol:
            return finished
        best = min(best, finished, key=lambda candidate: candidate.gap)
    return best


# Newton's steps begin where ascent has brought the gap so far down.
NEAR_ENOUGH = 1e-2


def _log_optimum(X, y, lam, tol, max_epochs):
    """Ascent to a percent, and from there Newton's method on f.

    For α_i = −ℓ'(m_i) the gap is ‖∇f‖²/(2λ), so `tol` says how small ∇f
    has to be. A tenth of that makes a hundredth of the gap.
    """
    for now in ascend(X, y, lam, "log"):
        if now.gap <= NEAR_ENOUGH or now.passes >= max_epochs:
            break
    from scipy.optimize import minimize  # here, as it is slow to import

    slope = LOSSES["log"].slope

    def curvature_times(w, p):
        s = slope(y * (X @ w))
        return lam * p + X.T @ (-s * (1.0 + s) * (X @ p)) / len(y)

    found = minimize(
        objective,
        now.w,
        args=(X, y, lam, "log"),
        jac=subgradient,
        hessp=lambda w, p, *_: curvature_times(w, p),
        method="trust-ncg",
        options={"gtol": 0.1 * np.sqrt(2.0 * lam * tol * max(now.dual, 0.0))},
    )
    alpha = -slope(y * (X @ found.x))
    return certify(found.x, alpha, X, y, lam, "log")
