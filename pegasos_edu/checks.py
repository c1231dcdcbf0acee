"""Input checks: each failure is one sentence that names the argument, the
value and what was expected, raised before any work is done.

A check returns its argument in the form the solvers use. The only
conversions are these: lists become arrays, integer and boolean data become
float64 (float32 and float64 stay as they are), and sparse data become
CSR with sorted, unique column indices, on a copy. The caller's arrays are
never changed.
"""

import numbers

import numpy as np
import scipy.sparse as sp


def check_choice(name, value, choices):
    """Return `choices[value]`, or say which values there are."""
    if not isinstance(value, str) or value not in choices:
        names = ", ".join(repr(choice) for choice in choices)
        raise ValueError(f"{name} is {value!r}; expected one of {names}.")
    return choices[value]


def check_integer(name, value, low):
    """Return `value` as an int of at least `low`."""
    is_integer = isinstance(value, numbers.Integral)
    if not is_integer or isinstance(value, (bool, np.bool_)):
        raise TypeError(
            f"{name} is {value!r} of type {type(value).__name__}; "
            f"expected an integer of at least {low}."
        )
    if value < low:
        raise ValueError(
            f"{name} is {value}; expected an integer of at least {low}."
        )
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
    too_low = value < 0 or (value == 0 and not zero_allowed)
    if not np.isfinite(value) or too_low:
        raise ValueError(f"{name} is {value}; expected {expected}.")
    return float(value)


def check_lam(lam, T=1):
    """Return λ as a float for which 1/λ and λT are finite."""
    lam = check_positive("lam", lam)
    with np.errstate(over="ignore"):
        ends = np.array([1.0 / np.float64(lam), np.float64(lam) * T])
    if not np.isfinite(ends).all():
        raise ValueError(
            f"lam is {lam}; expected a number for which 1/lam and lam*T "
            f"(here T = {T}) do not overflow."
        )
    return lam


def check_weights(w, d, stack=True):
    """Return w as a finite float array of shape (d,) or (S, d)."""
    w = _as_real("w", w)
    shapes = f"({d},) or (S, {d})" if stack else f"({d},)"
    if w.ndim not in ((1, 2) if stack else (1,)) or w.shape[-1] != d:
        raise ValueError(
            f"w has shape {w.shape}; expected {shapes}, as X has "
            f"{d} columns."
        )
    _check_finite("w", w)
    return w


def check_data(X, y, rows=None):
    """Return X (dense or CSR) and y (float64, −1 or +1), checked.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples.
    y : array_like of shape (n,)
        The labels.
    rows : ndarray of int, optional
        The rows that will be drawn, in any order and number. Data that live in a file
        (`numpy.memmap`) are read at these rows only.
    """
    X = check_matrix(X, rows)
    y = _as_real("y", y)
    if y.ndim != 1:
        raise ValueError(
            f"y has shape {y.shape}; expected one label a row, ({X.shape[0]},)."
        )
    if len(y) != X.shape[0]:
        raise ValueError(
            f"y has {len(y)} labels; expected {X.shape[0]}, one for each "
            f"row of X."
        )
    wrong = ~np.isin(y, (-1.0, 1.0))
    if wrong.any():
        i = int(np.argmax(wrong))
        raise ValueError(
            f"y[{i}] is {y[i]:g}; expected every label to be -1 or +1."
        )
    if (y == y[0]).all():
        raise ValueError(
            f"y holds only the label {y[0]:+g}; expected both -1 and +1."
        )
    return X, y.astype(np.float64)


def check_matrix(X, rows=None):
    """Return X as a finite dense or CSR matrix of shape (n, d)."""
    check_shape(X)
    if sp.issparse(X):
        return _check_csr(X, rows)
    X = _as_real("X", X)
    for block in _blocks(X, rows):
        _check_finite("X", block)
    return X


def check_shape(X):
    """Return the shape (n, d) of X, both at least 1."""
    shape = X.shape if sp.issparse(X) else np.shape(X)
    if len(shape) != 2 or 0 in shape:
        raise ValueError(
            f"X has shape {shape}; expected (n, d), at least one row and "
            f"one column."
        )
    return shape


def check_dense(X, rung):
    """Refuse sparse data where a solver works on dense rows."""
    if sp.issparse(X):
        raise TypeError(
            f"X is a sparse matrix; {rung} expects a dense array: call "
            f"X.toarray() or use pegasos_edu.sparse."
        )


def check_order(order, n, k):
    """Return `order` as an int array of shape (T, k), entries in [0, n)."""
    order = np.asarray(order)
    if order.dtype.kind not in "iu":
        raise TypeError(
            f"order has dtype {order.dtype}; expected integers, the row "
            f"numbers to visit."
        )
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
    if order.min() < 0 or order.max() >= n:
        wrong = (order < 0) | (order >= n)
        raise ValueError(
            f"order holds {order[wrong][0]}; expected row numbers from 0 "
            f"to {n - 1}."
        )
    return order.astype(np.intp, copy=False)


def check_snapshots(snapshots, T):
    """Return the snapshot steps as a sorted int array without repeats."""
    steps = np.asarray(snapshots)
    if steps.ndim != 1 or (steps.size and steps.dtype.kind not in "iu"):
        raise TypeError(
            f"snapshots is {snapshots!r}; expected a list of integers, "
            f"the steps to keep."
        )
    wrong = (steps < 1) | (steps > T)
    if wrong.any():
        raise ValueError(
            f"snapshots holds {steps[wrong][0]}; expected steps from 1 to "
            f"T = {T}."
        )
    return np.unique(steps.astype(np.intp))


def _as_real(name, array):
    """An array of floats: float data as they are, integers converted."""
    if not isinstance(array, np.ndarray):
        array = np.asarray(array)
    if array.dtype in (np.float32, np.float64):
        return array
    if array.dtype.kind in "biu" or array.dtype == np.float16:
        return array.astype(np.float64)
    raise TypeError(
        f"{name} has dtype {array.dtype}; expected real numbers (float64, "
        f"float32, integers or booleans)."
    )


def _check_finite(name, array):
    # One infinity or NaN would show in the sum, which takes less time.
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(array.sum()):
            return
    if not np.isfinite(array).all():
        where = np.argwhere(~np.isfinite(array))[0].tolist()
        raise ValueError(
            f"{name} holds {array[tuple(where)]} at {where}; expected "
            f"finite numbers."
        )


def _is_on_disk(array):
    """Whether an array's memory is a mapped file."""
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


def _blocks(X, rows, size=4096):
    """Blocks of rows to check: all, or on disk only those drawn."""
    if rows is None or not _is_on_disk(X):
        yield X
    else:
        rows = np.unique(rows)
        for start in range(0, len(rows), size):
            yield X[rows[start : start + size]]


def _check_csr(X, rows):
    """CSR with real, finite entries; sorted and unique columns."""
    data = _as_real("X", X.data) if X.format == "csr" else None
    if data is None:
        return _check_csr(X.tocsr(), None)
    if rows is not None and _is_on_disk(X.data):
        _check_rows_on_disk(X, rows)
    else:
        _check_finite("X.data", data)
        if not X.has_canonical_format:
            X = X.copy()
            X.sum_duplicates()
            data = _as_real("X", X.data)
    if data is X.data and X.indices.dtype == np.int32:
        return X
    return sp.csr_matrix((data, X.indices, X.indptr), X.shape, copy=False)


def _check_rows_on_disk(X, rows):
    """The same for rows in a file, which we will not rewrite."""
    for i in np.unique(rows):
        lo, hi = X.indptr[i], X.indptr[i + 1]
        _check_finite(f"row {i} of X", X.data[lo:hi])
        if (np.diff(X.indices[lo:hi]) <= 0).any():
            raise ValueError(
                f"row {i} of X, read from a file, has unsorted or repeated "
                f"column indices; expected each row sorted, without "
                f"repeats."
            )
