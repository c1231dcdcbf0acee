"""Products with X, dense or CSR, that convert no more than a few rows.

NumPy and SciPy make all of float32 data float64 before they multiply them
by a float64 vector: a copy twice as large as the data. Here that is done a
block of rows at a time. Data that are float64 are multiplied as they are.
"""

import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.problem import checks

# So many numbers are in a block, on average.
NUMBERS = 2**16


def row_blocks(X: Any, zeros: bool = False) -> Iterator[slice]:
    """Slices that cut the rows of X into blocks.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    zeros : bool
        Whether the zeros of a sparse X count, as they do in an array.

    Examples
    --------
    >>> list(row_blocks(np.zeros((3, NUMBERS // 2))))
    [slice(0, 2, None), slice(2, 4, None)]
    """
    n, d = X.shape
    in_all = X.nnz if sp.issparse(X) and not zeros else n * d
    size = max(1, NUMBERS * n // max(in_all, 1))
    for start in range(0, n, size):
        yield slice(start, start + size)


def product(X: Any, w: NDArray) -> NDArray:
    """Xw: ⟨w, x_i⟩ of all examples; w may have several columns.

    Examples
    --------
    >>> product(np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([1.0, 1.0]))
    array([3., 3.])
    """
    if X.dtype == w.dtype:
        return X @ w
    return np.concatenate([X[rows] @ w for rows in row_blocks(X)])


def combination(X: Any, c: NDArray) -> NDArray:
    """Xᵀc = Σ c_i x_i.

    Examples
    --------
    >>> combination(np.array([[1.0, 2.0], [0.0, 3.0]]), np.array([1.0, 1.0]))
    array([1., 5.])
    """
    if X.dtype == c.dtype:
        return X.T @ c
    return sum(X[rows].T @ c[rows] for rows in row_blocks(X))


def sum_of_squares(X: Any) -> float:
    """Σ ‖x_i‖², in double precision; infinite if it overflows.

    Examples
    --------
    >>> sum_of_squares(np.array([[1.0, 2.0], [0.0, 3.0]]))
    14.0
    """
    values = X.data if sp.issparse(X) else X.ravel(order="K")
    total = 0.0
    with np.errstate(over="ignore"):
        for start in range(0, len(values), NUMBERS):
            few = values[start : start + NUMBERS].astype(np.float64)
            total += float(few @ few)
    return total


def finite_squares(X: Any, lam: float) -> float:
    """Σ ‖x_i‖², where it can be divided by λ, as a dual is.

    Raises
    ------
    ValueError
        If one of the two overflows.

    Examples
    --------
    >>> finite_squares(np.array([[1e150]]), 1e-10)
    Traceback (most recent call last):
        ...
    ValueError: the squares of X over lam overflow; expected smaller data, or \
a larger lam.
    """
    squares = sum_of_squares(X)
    if not np.isfinite(squares):
        checks.refuse("the squares of X overflow", "smaller data")
    if squares > sys.float_info.max * min(lam, 1.0):
        checks.refuse(
            "the squares of X over lam overflow",
            "smaller data, or a larger lam",
        )
    return squares
