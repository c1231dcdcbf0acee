"""Input checks: each failure is one sentence that names the argument, the
value and what was expected, raised before any work is done.

A check returns its argument in the form the solvers use. The only
conversions are these: lists and data frames become arrays, integer and
boolean data become float64 (float32 and float64 stay as they are, and so
do integers in a file, whose rows are converted when they are drawn), and
sparse data become CSR with sorted, unique column indices, on a copy. The
caller's arrays are never changed.
"""

import numbers
import sys
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray


def check_choice(name, value, choices):
    """Return `choices[value]`, or say which values there are."""
    if not isinstance(value, str) or value not in choices:
        names = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} is {value!r}; expected one of {names}.")
    return choices[value]


def check_integer(name, value, low, high=np.inf):
    """Return `value` as an int of at least `low` and at most `high`."""
    expected = f"an integer of at least {low}"
    if high < np.inf:
        expected = f"an integer from {low} to {high}"
    is_integer = isinstance(value, numbers.Integral)
    if not is_integer or isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"{name} is {value!r} of type {type(value).__name__}; "
            f"expected {expected}."
        )
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}; expected {expected}.")
    return int(value)


def check_positive(name, value, zero_allowed=False):
    """Return `value` as a finite float above (or, if allowed, at) zero."""
    expected = "a finite number " + (
        "of at least 0" if zero_allowed else "above 0"
    )
    is_real = isinstance(value, numbers.Real)
    if not is_real or isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"{name} is {value!r} of type {type(value).__name__}; "
            f"expected {expected}."
        )
    try:
        number = float(value)
    except OverflowError:  # an int or a Fraction beyond the largest float
        number = np.inf
    too_low = number < 0 or (number == 0 and not zero_allowed)
    if not np.isfinite(number) or too_low:
        raise ValueError(f"{name} is {value}; expected {expected}.")
    return number


def check_radius(radius):
    """Return the radius of a ball as a float whose square is finite."""
    radius = check_positive("radius", radius)
    if not LEAST_ROOT < radius < 1.0 / LEAST_ROOT:
        raise ValueError(
            f"radius is {radius}; expected a number from {LEAST_ROOT} to "
            f"{1.0 / LEAST_ROOT}, so that its square does not overflow."
        )
    return radius


# Numbers below this have a square so small that it loses digits.
LEAST_ROOT = 1e-150

# So many numbers are looked at together: few enough to stay in the cache.
NUMBERS_AT_ONCE = 2**16


def check_callable(name, value, expected):
    """Return `value` if it can be called."""
    if not callable(value):
        raise TypeError(f"{name} is {value!r}; expected {expected}.")
    return value


def check_flag(name, value):
    """Return `value` if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} is {value!r}; expected True or False.")
    return bool(value)


def check_lam(lam, T=1):
    """Return λ as a float for which 1/λ and λT are finite."""
    lam = check_positive("lam", lam)
    if 1.0 / lam == np.inf or sys.float_info.max / lam < T:
        raise ValueError(
            f"lam is {lam}; expected a number for which 1/lam and lam*T "
            f"(here T = {T}) do not overflow."
        )
    return lam


def check_weights(
    w: Any, d: int, stack: bool = True, name: str = "w"
) -> NDArray:
    """Return w as a finite float array of shape (d,) or (S, d)."""
    w = as_real(name, w)
    shapes = f"({d},) or (S, {d})" if stack else f"({d},)"
    if w.ndim not in ((1, 2) if stack else (1,)) or w.shape[-1] != d:
        raise ValueError(
            f"{name} has shape {w.shape}; expected {shapes}, as X has {d} "
            f"columns."
        )
    if not _all_finite(w):
        wrong = w[~np.isfinite(w)][0]
        raise ValueError(f"{name} holds {wrong}; expected finite numbers.")
    return w


def check_data(X: Any, y: Any) -> tuple[Any, NDArray]:
    """Return X (dense or CSR) and y (float64, −1 or +1), checked.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples.
    y : array_like of shape (n,)
        The labels.
    """
    X = as_matrix(X)
    y = check_labels(y, X.shape[0])
    return check_entries(X), y


def check_labels(y, n):
    """Return the n labels as float64, −1 or +1, of both kinds."""
    y = as_real("y", y)
    if y.ndim != 1:
        raise ValueError(
            f"y has shape {y.shape}; expected one label a row, ({n},)."
        )
    if len(y) != n:
        raise ValueError(
            f"y has {len(y)} labels; expected {n}, one for each row of X."
        )
    starts = range(0, n, NUMBERS_AT_ONCE)
    for start in starts:
        block = y[start : start + NUMBERS_AT_ONCE]
        wrong = (block != 1.0) & (block != -1.0)
        if wrong.any():
            i = start + int(np.argmax(wrong))
            raise ValueError(
                f"y[{i}] is {y[i]:g}; expected every label to be -1 or +1."
            )
    # Ends at the first block that holds the other label.
    if not any((y[i : i + NUMBERS_AT_ONCE] != y[0]).any() for i in starts):
        raise ValueError(
            f"y holds only the label {y[0]:+g}; expected both -1 and +1."
        )
    return y.astype(np.float64, copy=False)


def as_matrix(X):
    """Return X as a real array or sparse matrix of shape (n, d).

    The entries are not looked at; see `check_entries`.
    """
    if not sp.issparse(X):
        X = as_real("X", X)
    if len(X.shape) != 2 or 0 in X.shape:
        raise ValueError(
            f"X has shape {X.shape}; expected (n, d), at least one row and "
            f"one column."
        )
    if sp.issparse(X):
        X = _as_csr(X)
    return X


def check_entries(X, rows=None):
    """Return the matrix X once its entries are finite and in order.

    Parameters
    ----------
    X : ndarray or CSR matrix
        What `as_matrix` has returned.
    rows : ndarray of int, optional
        The rows that will be drawn, in any order and number. No other row
        is looked at, whatever stands in it, so the cost is that of the
        rows drawn. By default all are.
    """
    in_order = True
    for block, places in _blocks(X, rows):
        if sp.issparse(block):
            _check_columns(block)
            in_order = in_order and block.has_canonical_format
        _check_finite(block, places)
    if in_order:
        return X
    if _is_on_disk(X.data):
        raise ValueError(
            "X, read from a file, has a row with unsorted or repeated "
            "column indices; expected each row sorted, without repeats."
        )
    _check_columns(X)  # all rows, for all are rewritten
    X = X.copy()
    X.sum_duplicates()
    return check_entries(X, rows)  # a sum of finite entries may overflow


def check_dense(X, rung):
    """Refuse sparse data where a solver works on dense rows."""
    if sp.issparse(X):
        raise TypeError(
            f"X is a sparse matrix; {rung} expects a dense array: call "
            f"X.toarray() or use pegasos_edu.solvers.sparse."
        )


def check_order(order, n, k=None):
    """Return `order` as an int array of shape (T, k), entries in [0, n)."""
    order = _as_integers("order", order, "the row numbers to visit")
    if order.ndim not in (1, 2) or order.size == 0:
        raise ValueError(
            f"order has shape {order.shape}; expected (T,) or (T, k) with "
            f"T and k at least 1."
        )
    if order.ndim == 1:
        order = order[:, np.newaxis]
    if k is not None and order.shape[1] != k:
        raise ValueError(
            f"order has {order.shape[1]} rows a step; expected k = {k}."
        )
    low, high = order.min(), order.max()
    if low < 0 or high >= n:
        raise ValueError(
            f"order holds {low if low < 0 else high}; expected row numbers "
            f"from 0 to {n - 1}."
        )
    return np.ascontiguousarray(order, dtype=np.intp)


def check_snapshots(snapshots, T):
    """Return the snapshot steps as a sorted int array without repeats."""
    if np.size(snapshots) == 0:
        return np.zeros(0, dtype=np.intp)
    steps = _as_integers("snapshots", snapshots, "the steps to keep")
    if steps.ndim != 1:
        raise ValueError(
            f"snapshots has shape {steps.shape}; expected a list of steps, "
            f"(S,)."
        )
    wrong = (steps < 1) | (steps > T)
    if wrong.any():
        raise ValueError(
            f"snapshots holds {steps[wrong][0]}; expected steps from 1 to "
            f"T = {T}."
        )
    return np.unique(steps.astype(np.intp))


def _as_integers(name, values, meaning):
    """An array of integers; booleans are none."""
    array = _as_array(name, values)
    if array.dtype.kind not in "iu":
        raise TypeError(
            f"{name} has dtype {array.dtype}; expected integers, {meaning}."
        )
    if isinstance(values, (list, tuple)) and any(
        isinstance(value, (bool, np.bool_)) for value in values
    ):
        raise TypeError(
            f"{name} holds True or False; expected integers, {meaning}."
        )
    return array


def _as_array(name, values):
    """An array; refuses what NumPy would quietly make something else of."""
    if sp.issparse(values):
        raise TypeError(f"{name} is a sparse matrix; expected an array.")
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array; expected an array with no entry "
            f"masked."
        )
    try:
        return np.asarray(values)
    except ValueError:
        raise ValueError(
            f"{name} is a list of rows of different lengths; expected rows "
            f"of one length."
        ) from None


def as_real(name: str, values: Any) -> NDArray:
    """An array of floats: float data as they are, integers converted."""
    array = _as_array(name, values)
    if _is_converted(name, array) and not _is_on_disk(array):
        return array.astype(np.float64)
    return array


def _is_converted(name, array):
    """Whether the dtype of an array or sparse matrix becomes float64."""
    if array.dtype in (np.float32, np.float64):
        return False
    if array.dtype.kind in "biu" or array.dtype == np.float16:
        return True
    raise TypeError(
        f"{name} has dtype {array.dtype}; expected real numbers (float64, "
        f"float32, float16, integers or booleans)."
    )


def _all_finite(array):
    # One infinity or NaN would show in the sum, which takes less time.
    with np.errstate(over="ignore", invalid="ignore"):
        return np.isfinite(array.sum()) or np.isfinite(array).all()


def _check_finite(X, rows=None):
    """Say where X is not finite; `rows` are the numbers of its rows."""
    values = X.data if sp.issparse(X) else X
    if _all_finite(values):
        return
    if sp.issparse(X):
        place = int(np.argmax(~np.isfinite(values)))
        i = int(np.searchsorted(X.indptr, place, side="right")) - 1
        value, j = values[place], X.indices[place]
    else:
        i, j = np.argwhere(~np.isfinite(values))[0]
        value = values[i, j]
    i = i if rows is None else rows[i]
    raise ValueError(
        f"X holds {value} in row {i}, column {j}; expected finite numbers."
    )


def _is_on_disk(array):
    """Whether an array's memory is a mapped file."""
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


def _as_csr(X):
    """CSR on the caller's arrays if it is CSR already, else on new ones."""
    # Converted before entries are summed: int8 entries may not fit int8.
    on_disk = X.format == "csr" and _is_on_disk(X.data)
    if _is_converted("X", X) and not on_disk:
        X = X.astype(np.float64)
    X = X.tocsr()
    # A new matrix, because the flags of the old one may be out of date.
    return sp.csr_matrix((X.data, X.indices, X.indptr), X.shape)


def _check_columns(X):
    """Say so if indices or indptr lead outside the matrix."""
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        raise ValueError(
            f"X is no valid CSR matrix ({error}); expected columns from 0 "
            f"to {X.shape[1] - 1} and row starts that never fall."
        ) from None


def _blocks(X, rows):
    """The rows to look at as pairs (some rows of X, their numbers).

    The whole of X at once, with None for the numbers, if `rows` is None;
    else a few rows at a time, so that a file is read where needed only.
    """
    if rows is None:
        yield X, None
        return
    drawn = np.zeros(X.shape[0], dtype=bool)
    drawn[rows] = True
    drawn = np.flatnonzero(drawn)
    on_disk = _is_on_disk(X.data if sp.issparse(X) else X)
    many = 4 * len(drawn) > X.shape[0]
    if many and not on_disk and _is_sound(X):
        return  # told of all rows sooner than of most of them
    size = max(1, NUMBERS_AT_ONCE // X.shape[1])
    if sp.issparse(X):
        size = 4096
        _check_starts(X, drawn)
    for start in range(0, len(drawn), size):
        places = drawn[start : start + size]
        yield X[places], places


def _is_sound(X):
    """Whether nothing at all can be said against the entries of X."""
    if sp.issparse(X):
        try:
            X.check_format(full_check=True)
        except ValueError:
            return False
        return X.has_canonical_format and _all_finite(X.data)
    return _all_finite(X)


def _check_starts(X, rows):
    """Say so if one of the rows does not lie within the arrays of a CSR."""
    first, last = X.indptr[rows], X.indptr[rows + 1]
    if (first < 0).any() or (last < first).any() or (last > X.nnz).any():
        raise ValueError(
            "X is no valid CSR matrix; expected row starts that never fall."
        )
