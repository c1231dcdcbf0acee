"""Many more columns than rows: the same problem in as many as rows.

f knows w by its length and by the n products ⟨w, x_i⟩ only. So a rotation of
all rows changes nothing, and one of them leaves n columns:

    X = LQ  with a lower triangle L of shape (n, n), and QQᵀ = I.

As LLᵀ = XXᵀ, L has the dual of X, and what is found for L is good for X: the
same α, and Qᵀw in place of w.
"""

from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.problem.products import combination

# With so many columns a row, L and what finding it takes are less than X,
# even if X has numbers of four bytes.
WIDE = 16
# What is left of a row after its part in the others is taken away counts as
# nothing below n times this.
ROUNDED = 1e-14


def is_wide(X: Any) -> bool:
    """Whether `triangle` takes less memory than the dense array X.

    Examples
    --------
    >>> is_wide(np.zeros((2, 32))), is_wide(np.zeros((2, 31)))
    (True, False)
    """
    n, d = X.shape
    return not sp.issparse(X) and d >= WIDE * n


def triangle(X: NDArray) -> NDArray:
    """L, a block of columns at a time: X is read once, and not copied.

    Parameters
    ----------
    X : ndarray of shape (n, d), n ≤ d

    Returns
    -------
    ndarray of shape (n, n)

    Notes
    -----
    Golub and Van Loan (2013), section 6.5.3: the factor R of Xᵀ, updated
    by new rows of it. XXᵀ itself would have squared the rounding.

    Examples
    --------
    >>> print(abs(triangle(np.array([[3.0, 0.0, 4.0]]))))
    [[5.]]
    """
    n, d = X.shape
    R = np.zeros((n, n))
    for start in range(0, d, n):
        rows = np.vstack([R, X[:, start : start + n].T])
        R = scipy.linalg.qr(
            rows, mode="r", overwrite_a=True, check_finite=False
        )[0][:n]
    return R.T


def turned_back(w: NDArray, L: NDArray, X: NDArray) -> NDArray:
    """Qᵀw without Q: Xᵀc, where Lᵀc = w.

    Parameters
    ----------
    w : ndarray of shape (n,)
        A combination of the rows of L.
    L : ndarray of shape (n, n)
        `triangle(X)`.
    X : ndarray of shape (n, d)

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    c is w(α) but for the factors, with more digits: where terms cancel, α
    has not all of them.

    Examples
    --------
    >>> X = np.array([[3.0, 0.0, 4.0]])
    >>> print(turned_back(np.array([1.0]), np.array([[5.0]]), X))
    [0.6 0.  0.8]
    """
    lengths = np.linalg.norm(L, axis=1)
    lengths[lengths == 0.0] = 1.0
    # Of rows of one length it can be told which add nothing to the others.
    c, *_ = scipy.linalg.lstsq(
        (L / lengths[:, np.newaxis]).T,
        w,
        cond=len(L) * ROUNDED,
        lapack_driver="gelsy",
    )
    return combination(X, c / lengths)
