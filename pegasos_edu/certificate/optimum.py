"""The certified optimum f*: the yardstick of every figure and test.

Found by dual ascent and, at the end, interior points (hinge loss), or by
Newton's method (log loss), and returned with the gap that certifies it. Where
a percent is enough, `minimise` takes a few rounds.
"""

from __future__ import annotations

import warnings
from typing import Any, Literal

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import ArrayLike

from pegasos_edu.certificate.approach import approach, one_thread, read
from pegasos_edu.certificate.gap import (
    Optimum,
    certify,
    check_tol,
    weights_from,
)
from pegasos_edu.certificate.interior import as_dense, scale_rows, solve_box
from pegasos_edu.certificate.newton import has_factor, solve_log
from pegasos_edu.certificate.precision import with_more_digits
from pegasos_edu.certificate.wide import is_wide, triangle, turned_back
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import LOSSES, is_log
from pegasos_edu.problem.products import finite_squares, product
from pegasos_edu.solvers.ascent import ascend


@checked_call("optimum")
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
        The largest relative gap that counts as certified; below 1.
    max_epochs : int
        Hinge loss: give up dual ascent after this many passes.

    Returns
    -------
    Optimum
        Where the columns of X differ in size so much that no α of doubles
        proves `tol`, `dual` is that of an α with more digits, of which
        `alpha` has the leading ones (`pegasos_edu.certificate.precision`).

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.
    RuntimeError
        If the gap stays above `tol`: nothing uncertified is returned. So it
        ends where X is so large, or λ so small, that rounding hides w(α).

    Notes
    -----
    Hinge loss: dual ascent (`pegasos_edu.solvers.ascent`), and the examples
    in play placed exactly, by interior points, once they are few; where they
    do not get few, `pegasos_edu.certificate.proximal`. Log loss:
    Newton's method from w = 0 on (`pegasos_edu.certificate.newton`). Dense
    data with many more columns than rows are turned first
    (`pegasos_edu.certificate.wide`). Products of arrays have one thread.

    Examples
    --------
    >>> best = optimum([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(best.w, best.primal)
    [1.] 0.05
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = check_tol(tol)
    max_epochs = checks.check_integer("max_epochs", max_epochs, 1)
    squares = finite_squares(X, lam)
    with one_thread(), np.errstate(all="ignore"):
        best = _nearest(X, y, lam, loss, tol, max_epochs, squares / len(y))
        if not best.gap <= tol:
            best = _with_digits(best, X, y, lam, loss, tol)
    if not best.gap <= tol:
        share = lam * len(y) / squares if squares else 1.0
        why = BLURRED.format(share) if share < SMALL_SHARE else ""
        raise RuntimeError(
            f"the relative gap is {best.gap:.1e}; expected at most "
            f"{tol:.1e}, so there is no certified optimum to return.{why}"
        )
    return best


# λ over the mean of ‖x‖² below which rounding may prevent any proof.
SMALL_SHARE = 1e-18
BLURRED = (
    " Here lam is only {:.0e} of the mean of ‖x‖²; with so little, rounding"
    " may allow no proof: divide X by its size, or take a larger lam."
)


@checked_call("minimise")
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
        Stop when the relative gap is at most this; below 1.
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
    `pegasos_edu.solvers.ascent.ascend`, which says where it comes from;
    `pegasos_edu.certificate.proximal` where that is slower.

    Examples
    --------
    >>> found = minimise([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(found.gap <= 0.01, found.w.round(2))
    True [1.]
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = check_tol(tol)
    max_rounds = checks.check_integer("max_rounds", max_rounds, 1)
    seed = checks.check_integer("seed", seed, 0)
    with one_thread(), np.errstate(all="ignore"):
        now, _ = approach(
            X, y, lam, loss, tol, max_rounds, seed=seed, keep=True
        )
    if not now.gap <= tol:
        warnings.warn(
            f"the relative gap is {now.gap:.1e} after max_rounds = "
            f"{max_rounds}; expected a larger max_rounds or tol.",
            RuntimeWarning,
            stacklevel=2,
        )
    return Optimum(now.w, now.alpha, now.primal, now.dual, now.gap)


def _nearest(X, y, lam, loss, tol, max_epochs, square):
    """The w and α with the least gap, by the first way that leads to `tol`.

    The second one is for what rounding keeps from the first.
    """
    ways = [_straight]
    if not sp.issparse(X) and len(y) < X.shape[1]:
        ways.insert(0 if is_wide(X) else 1, _turned)
    found = []
    for way in ways:
        found.append(way(X, y, lam, loss, tol, max_epochs, square))
        if found[-1].gap <= tol:
            break
    return min(found, key=lambda one: one.gap)


def _with_digits(best, X, y, lam, loss, tol):
    """A proof by more digits of α than doubles have: the last resort.

    Ascent and `_settle` measure by the α of doubles, so for the hinge loss
    w, too, may have to be found without that.
    """
    n, d = X.shape
    best = with_more_digits(best, X, y, lam, loss)
    length, least = np.sqrt(lam * n), min(best.primal, 1.0)  # 1 is f(0)
    for _ in range(UNEVEN):
        if best.gap <= tol or is_log(loss) or n * d * d > MOST_WORK:
            break
        Z = scale_rows(as_dense(X), y / length)
        near = 1e-2 * tol * least * n
        alpha, v = solve_box(Z, np.ones(n), near, together=False)
        found = certify(v / length, alpha, X, y, lam)
        found = with_more_digits(found, X, y, lam)
        best = min(best, found, key=lambda one: one.gap)
        least = min(least, found.primal)
    return best


def _straight(X, y, lam, loss, tol, max_epochs, square):
    if loss == "hinge":
        return _hinge_optimum(X, y, lam, tol, max_epochs, square)
    # The last steps square the error: w to all its digits costs little.
    w, alpha, _, _ = solve_log(X, y, lam, 1e-7 * tol)
    return certify(w, alpha, X, y, lam, loss)


def _turned(X, y, *others):
    """Where there are more columns than rows: in as many as those."""
    L = triangle(X)
    best = _straight(L, y, *others)
    w = turned_back(best.w, L, X)
    lam, loss, *_ = others
    return certify(w, best.alpha, X, y, lam, loss)


def _hinge_optimum(X, y, lam, tol, max_epochs, square):
    """Ascent in rounds; on the way, the examples in play solved exactly.

    Rounds soon know of most examples whether they end at 0 or at 1. The
    others are in play. Once they are few, interior points place them. The
    mean of ‖x‖² is `square`.
    """
    tried, waited, wait, n = np.inf, 0, WAIT, len(y)
    stored = X.nnz if sp.issparse(X) else X.size
    direct = has_factor(n, X.shape[1], stored)
    newton = 1 if direct else NEWTON if n * X.shape[1] > SMALL else None
    gaps: list[float] = []
    for number, now in enumerate(ascend(X, y, lam, keep=False), start=1):
        alpha = now.alpha.copy()  # the next round changes it
        best = certify(weights_from(alpha, X, y, lam), alpha, X, y, lam)
        gaps.append(now.gap)
        waited += 1
        if best.gap <= NEAR * tried or waited == wait:
            tried, waited = best.gap, 0
            wait *= 2 if number > PATIENCE else 1
            most = n
            if stored > SMALL and number < PATIENCE:
                most = n // SHARE
            elif number == newton:
                most = n // LARGER_SHARE
            best = _settle(best, X, y, lam, tol, most)
        if number == newton and number > 1 and _soon_there(gaps, tol):
            newton *= 2
        elif number == newton and best.gap > tol:
            end = read(X, y, lam, 0.5 * tol, now, most_products=PRODUCTS)
            newer = certify(end.w, end.alpha.clip(0.0, 1.0), X, y, lam)
            best = newer if newer.gap < best.gap else best
        if best.gap <= tol or now.passes >= max_epochs:
            break
        # The rounding of α alone lowers D(α) by about so much.
        blur = EPSILON**2 * (alpha @ alpha) * square / (2.0 * lam * n**2)
        if number > PATIENCE and blur > tol * now.primal:
            break
    return _finish(best, X, y, lam, tol)


# It is tried to settle the examples in play whenever the gap has fallen so
# far, or after so many rounds; so many times, if a step of interior points
# takes at most so many multiplications.
NEAR, WAIT, SETTLEMENTS = 0.1, 5, 6
MOST_WORK = 1.5e9
# To settle an example takes more memory than to hold it. So on data of more
# numbers than this, only a part of all examples is settled at once, unless
# so many rounds have not brought those in play down to that.
SMALL, SHARE, PATIENCE = 10**6, 16, 60
# Newton's method needs some tens of short steps where H has a factor. So there
# it follows the first round, unless at most this part of the examples was in
# play. On other large data it follows so many rounds, and may take so many
# products with X.
LARGER_SHARE, NEWTON, PRODUCTS = 4, 40, 20_000
# How far doubles are apart at 1.
EPSILON = float(np.finfo(float).eps)
# Interior points leave what belongs on a bound as near to it as this.
ON_BOUND = 1e-9
# The rounds so far may be followed by so many times as many, if these lead to
# the end.
MORE_ROUNDS = 2
# The first primal value may be far above f*, by which `tol` is measured; so
# interior points for uneven columns are tried so many times.
UNEVEN = 3
# The most free examples that are put exactly on their margins.
MOST_FREE = 500


def _soon_there(gaps, tol):
    """Whether few rounds are missing, at the pace of the second half.

    Examples
    --------
    >>> _soon_there([1e-2, 1e-3, 1e-4, 1e-5], tol=1e-8)
    True
    >>> _soon_there([1e-2, 1e-3, 9e-4, 8e-4], tol=1e-8)
    False
    """
    half, gap = gaps[len(gaps) // 2 - 1], gaps[-1]
    halves = 2 * MORE_ROUNDS  # each of which divides the gap by half/gap
    return gap ** (halves + 1) <= tol * half**halves


def _settle(best, X, y, lam, tol, most):
    """Place the examples in play exactly, and those that join them.

    Those are given up where they are more than `most`.
    """
    n, d = X.shape
    for _ in range(SETTLEMENTS):
        rows = _in_play(best, X, y)
        work = len(rows) * min(len(rows), d) ** 2
        crowded = len(rows) > most or work > MOST_WORK
        if best.gap <= tol or crowded:
            break
        alpha = best.alpha.copy()
        alpha[rows] = 0.0
        Z = scale_rows(X[rows], y[rows])
        others = weights_from(alpha, X, y, lam)
        lack = 1.0 - Z @ others
        near = 1e-3 * tol * best.primal * n
        length = np.sqrt(lam * n)
        values = Z.data if sp.issparse(Z) else Z
        values /= length  # in place, as Z may be large
        alpha[rows], v = solve_box(Z, lack, near)
        best = certify(others + v / length, alpha, X, y, lam)
    return best


def _in_play(best, X, y):
    """Rows that do not rest at 0 or 1, and the nearest of the others."""
    margins = y * product(X, best.w)
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
