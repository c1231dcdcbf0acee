"""A dual point with more digits than a double has.

Where the columns of X differ in size by twelve powers of ten, the large ones
ask for an α with Σ α_i y_i x_ij = λn w_j, a sum whose terms are 10²⁴ times
what is left of them. No α of doubles has such a sum: its last digits alone
lower D(α) by more than a small `tol`. The w does not suffer; only its proof
does. So here α becomes a sum of several arrays, each so small that it adds
the digits that the one before it lacks, and w(α) is summed without rounding.
"""

import math
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.certificate.gap import Optimum
from pegasos_edu.certificate.newton import FEW_COLUMNS, factor
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.products import product

# After so many arrays, doubles themselves end.
PARTS = 6
# Veltkamp's number: it cuts a double into two halves of 26 digits each.
HALF = 2.0**27 + 1.0


def with_more_digits(
    best: Optimum,
    X: Any,
    y: NDArray,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
) -> Optimum:
    """The same w, with the bound of a dual point that has more digits.

    Parameters
    ----------
    best : Optimum
        A w, and an α that is as near to its dual point as doubles are.
    X, y, lam, loss
        As in `optimum`.

    Returns
    -------
    Optimum
        Its `alpha` holds the leading digits only; `dual` is that of all
        digits. What was given, where that has the smaller gap.

    Notes
    -----
    The arrays are steps of iterative refinement (Higham 2002, chapter 12);
    products without rounding: Dekker (1971).

    Examples
    --------
    >>> from pegasos_edu.certificate.gap import certify
    >>> X, y = np.array([[7e20, 1.0], [1e20, -2.0]]), np.array([1.0, -1.0])
    >>> w, alpha = np.array([0.0, 1.5]), np.array([0.1, 0.7])
    >>> rough = certify(w, alpha, X, y, lam=0.5)
    >>> rough.dual < -9.0, round(with_more_digits(rough, X, y, 0.5).dual, 4)
    (True, -0.1625)
    """
    n, d = X.shape
    if d > FEW_COLUMNS:
        return best
    # Each α_i may move so far, at most, that it stays where it has to be.
    room = np.minimum(best.alpha, 1.0 - best.alpha)
    if not room.any():
        return best
    inverse = factor(X, room, lam)
    columns = sp.csc_array(X) if sp.issparse(X) else X
    parts, alpha = [best.alpha], best.alpha
    of_loss = LOSSES[loss]
    for _ in range(PARTS):
        c = np.array(parts) * y
        sums = np.array([_sum(columns, j, c) for j in range(d)])
        g = sums / n  # λ w(α)
        dual = float(of_loss.dual(alpha).mean() - g @ g / (2.0 * lam))
        if dual > best.dual:
            gap = (best.primal - dual) / best.primal
            best = Optimum(best.w, alpha, best.primal, dual, gap)
        lack = lam * n * best.w - sums
        part = room * y * product(X, inverse(lack))
        moved = alpha + part
        if not (np.abs(part) <= room).all() or not part.any():
            break
        parts, alpha = [*parts, part], moved.clip(0.0, 1.0)
        room = room - np.abs(part)
    return best


def _sum(columns, j, c):
    """Σ c_i x_ij over all parts c of a sum, rounded once."""
    if sp.issparse(columns):
        stored = slice(columns.indptr[j], columns.indptr[j + 1])
        x, c = columns.data[stored], c[:, columns.indices[stored]]
    else:
        x = columns[:, j]
    products, rest = _exact(c, x.astype(np.float64))
    return math.fsum([*products.ravel().tolist(), *rest.ravel().tolist()])


def _exact(a, b):
    """ab and what rounding takes from it: together the product itself."""
    product = a * b
    (high, low), (top, end) = _halves(a), _halves(b)
    rest = ((high * top - product) + high * end + low * top) + low * end
    return product, rest


def _halves(a):
    far = HALF * a
    high = far - (far - a)
    return high, a - high
