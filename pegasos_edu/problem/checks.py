"""Input checks: each failure is one sentence that names the argument, the
value and what was expected, raised before any work is done.

A check returns its argument in the form the solvers use. The only
conversions are these: lists and data frames become arrays, integer and
boolean data become float64 (float32 and float64 stay as they are, and so
do integers in a file, whose rows are converted when they are drawn), and
sparse data become CSR with sorted, unique column indices, on a copy. The
caller's arrays are never changed.
"""

import contextlib
import difflib
import inspect
import numbers
import sys
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NoReturn, TypeVar

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

Choice = TypeVar("Choice")
BOOLEANS = (bool, np.bool_)
# Numbers below this have a square so small that it loses digits.
LEAST_ROOT = 1e-150
# So many numbers are looked at together: few enough to stay in the cache.
NUMBERS_AT_ONCE = 2**16
# What the labels are to be.
BOTH = "both -1 and +1"
# The longest that an array can be.
LARGEST = np.iinfo(np.int64).max


def refuse(
    found: str, expected: str, error: type[Exception] = ValueError
) -> NoReturn:
    """Raise the sentence that every check says."""
    raise error(f"{found}; expected {expected}.") from None


def shown(value: Any, how: Callable[[Any], str] = str) -> str:
    """A value as a sentence shows it, however long it is: on one line."""
    try:
        return " ".join(how(value)[:60].split())
    except ValueError:  # Python writes no integer of more digits out
        return "an integer of more than 4300 digits"


def nearest(word: Any, known: Iterable[str]) -> str:
    """The likeliest name that was meant, as a question; or nothing."""
    near = difflib.get_close_matches(str(word), known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


# Single values


def check_choice(
    name: str, value: Any, choices: Mapping[str, Choice]
) -> Choice:
    """Return `choices[value]`, or say which values there are."""
    if not isinstance(value, str) or value not in choices:
        names = ", ".join(repr(choice) for choice in choices)
        hint = nearest(shown(value), choices)
        refuse(f"{name} is {shown(value, repr)}{hint}", f"one of {names}")
    return choices[value]


def check_callable(name: str, value: Any, expected: str) -> Callable[..., Any]:
    """Return `value` if it can be called."""
    if not callable(value):
        refuse(f"{name} is {shown(value, repr)}", expected, TypeError)
    return value


def check_takes(
    name: str, value: Any, expected: str, arguments: int = 1
) -> Callable[..., Any]:
    """Return `value` if it can be called with so many arguments."""
    try:
        inspect.signature(value).bind(*range(arguments))
    except TypeError:  # also of what is no function
        refuse(f"{name} is {shown(value, repr)}", expected, TypeError)
    except ValueError:  # a function in C may not say what it takes
        pass
    return value


def check_flag(name: str, value: Any) -> bool:
    """Return `value` if it is True or False."""
    if not isinstance(value, BOOLEANS):
        refuse(f"{name} is {shown(value, repr)}", "True or False", TypeError)
    return bool(value)


def check_integer(
    name: str, value: Any, low: float = -np.inf, high: float = np.inf
) -> int:
    """Return `value` as an int of at least `low` and at most `high`."""
    expected = f"an integer of at least {low}"
    if low == -np.inf:
        expected = "an integer"
    elif high < np.inf:
        expected = f"an integer from {low} to {high}"
    _check_type(name, value, numbers.Integral, expected)
    if not low <= value <= high:
        refuse(f"{name} is {shown(value)}", expected)
    if value > LARGEST:
        refuse(f"{name} is {shown(value)}", f"an integer of at most {LARGEST}")
    return int(value)


def check_positive(name: str, value: Any, zero_allowed: bool = False) -> float:
    """Return `value` as a finite float above (or, if allowed, at) zero."""
    least = "of at least 0" if zero_allowed else "above 0"
    expected = f"a finite number {least}"
    _check_type(name, value, numbers.Real, expected)
    try:
        number = float(value)
    except OverflowError:  # an int or a Fraction beyond the largest float
        number = np.inf
    too_low = number < 0 or (number == 0 and not zero_allowed)
    if not np.isfinite(number) or too_low:
        refuse(f"{name} is {shown(value)}", expected)
    return number


def _check_type(name, value, kind, expected):
    """Refuse what is no number of this kind; True and False are none."""
    if not isinstance(value, kind) or isinstance(value, BOOLEANS):
        kind_of = type(value).__name__
        found = f"{name} is {shown(value, repr)} of type {kind_of}"
        refuse(found, expected, TypeError)


def check_radius(radius: Any) -> float:
    """Return the radius of a ball as a float whose square is finite."""
    radius = check_positive("radius", radius)
    if not LEAST_ROOT < radius < 1.0 / LEAST_ROOT:
        refuse(
            f"radius is {radius}",
            f"a number from {LEAST_ROOT} to {1.0 / LEAST_ROOT}, so that its "
            f"square does not overflow",
        )
    return radius


def check_lam(lam: Any, T: int = 1) -> float:
    """Return λ as a float for which 1/λ and λT are finite."""
    lam = check_positive("lam", lam)
    if 1.0 / lam == np.inf:
        refuse(f"lam is {lam}", "a number for which 1/lam does not overflow")
    if sys.float_info.max / lam < T:
        refuse(
            f"lam is {lam}",
            f"a number for which lam*T (here T = {T}) does not overflow",
        )
    return lam


# Vectors of numbers, labels, rows and steps


def check_weights(
    w: Any, d: int, stack: bool = True, name: str = "w"
) -> NDArray:
    """Return w as a finite float array of shape (d,) or (S, d)."""
    w = as_real(name, w)
    shapes = f"({d},) or (S, {d})" if stack else f"({d},)"
    if w.ndim not in ((1, 2) if stack else (1,)) or w.shape[-1] != d:
        refuse(
            f"{name} has shape {w.shape}", f"{shapes}, as X has {d} columns"
        )
    if not _all_finite(w):
        refuse(f"{name} holds {w[~np.isfinite(w)][0]}", "finite numbers")
    return w


def as_labels(y: Any, n: int) -> NDArray:
    """Return y as a real array of shape (n,).

    The labels are not looked at; see `check_labels`.
    """
    y = as_real("y", y)
    if y.ndim != 1:
        refuse(f"y has shape {y.shape}", f"one label a row, ({n},)")
    if len(y) != n:
        refuse(f"y has {len(y)} labels", f"{n}, one for each row of X")
    return y


def check_labels(y: NDArray, rows: Any = None, both: str = BOTH) -> NDArray:
    """Return the labels as float64 once they are −1 or +1, of both kinds.

    Parameters
    ----------
    y : ndarray
        What `as_labels` has returned.
    rows : ndarray of int, optional
        The rows that will be drawn, each once. No other label is looked at,
        unless these are all of one kind: then others are, until the first
        of the other kind. By default all are.
    both : str
        What is said to be expected where all labels are of one kind.
    """
    places = range(len(y)) if rows is None else rows
    kinds = _kinds(y if rows is None else y[rows], places)
    for start in range(0, len(y), NUMBERS_AT_ONCE):
        if len(kinds) == 2:
            break
        few = y[start : start + NUMBERS_AT_ONCE]
        kinds |= _kinds(few, range(start, start + len(few)))
    if len(kinds) < 2:
        refuse(f"y holds only the label {y[0]:+g}", both)
    return y.astype(np.float64, copy=False)


def _kinds(labels, rows):
    """Which of −1 and +1 these labels are; `rows` are their numbers."""
    kinds = {label for label in (-1.0, 1.0) if (labels == label).any()}
    wrong = np.abs(labels) != 1.0
    if wrong.any():
        i = int(np.argmax(wrong))
        refuse(f"y[{rows[i]}] is {labels[i]:g}", "every label to be -1 or +1")
    return kinds


def check_order(order: Any, n: int, k: int | None = None) -> NDArray[np.intp]:
    """Return `order` as an int array of shape (T, k), entries in [0, n)."""
    order = _as_integers("order", order, "the row numbers to visit")
    if order.ndim not in (1, 2) or order.size == 0:
        expected = "(T,) or (T, k) with T and k at least 1"
        refuse(f"order has shape {order.shape}", expected)
    if order.ndim == 1:
        order = order[:, np.newaxis]
    if k is not None and order.shape[1] != k:
        refuse(f"order has {order.shape[1]} rows a step", f"k = {k}")
    low, high = order.min(), order.max()
    if low < 0 or high >= n:
        wrong = low if low < 0 else high
        refuse(f"order holds {wrong}", f"row numbers from 0 to {n - 1}")
    return np.ascontiguousarray(order, dtype=np.intp)


def each_once(rows: NDArray, n: int) -> NDArray:
    """The row numbers in order, without repeats."""
    if 1000 * rows.size < n:  # sorting so few is quicker than marking n
        return np.unique(rows)
    rows, drawn = rows.ravel(), np.zeros(n, dtype=bool)
    for first in range(0, rows.size, n):  # after one pass it may be all
        drawn[rows[first : first + n]] = True
        if drawn.all():
            break
    return np.flatnonzero(drawn)


def check_snapshots(snapshots: Any, T: int) -> NDArray[np.intp]:
    """Return the snapshot steps as a sorted int array without repeats."""
    steps = _as_integers("snapshots", snapshots, "the steps to keep")
    if steps.ndim != 1:
        refuse(f"snapshots has shape {steps.shape}", "a list of steps, (S,)")
    wrong = (steps < 1) | (steps > T)
    if wrong.any():
        refuse(
            f"snapshots holds {steps[wrong][0]}", f"steps from 1 to T = {T}"
        )
    return np.unique(steps.astype(np.intp))


def _as_integers(name, values, meaning):
    """An array of integers; booleans are none, and [] has no dtype."""
    array, expected = _as_array(name, values), f"integers, {meaning}"
    if array.size and array.dtype.kind not in "iu":
        refuse(f"{name} has dtype {array.dtype}", expected, TypeError)
    if isinstance(values, (list, tuple)) and any(
        isinstance(value, BOOLEANS) for value in values
    ):
        refuse(f"{name} holds True or False", expected, TypeError)
    return array


def as_real(name: str, values: Any) -> NDArray:
    """An array of floats: float data as they are, integers converted."""
    array = _as_array(name, values)
    if _is_converted(name, array) and not _is_on_disk(array):
        return array.astype(np.float64)
    return array


def _as_array(name, values):
    """An array; refuses what NumPy would quietly make something else of."""
    if values is None:
        refuse(f"{name} is None", "an array", TypeError)
    if sp.issparse(values):
        refuse(f"{name} is a sparse matrix", "an array", TypeError)
    if isinstance(values, np.ma.MaskedArray):
        expected = "an array with no entry masked"
        refuse(f"{name} is a masked array", expected, TypeError)
    try:
        return np.asarray(values)
    except ValueError:
        found = f"{name} is a list of rows of different lengths"
        refuse(found, "rows of one length")


def _is_converted(name, array):
    """Whether the dtype of an array or sparse matrix becomes float64."""
    if array.dtype in (np.float32, np.float64):
        return False
    if array.dtype.kind not in "biu" and array.dtype != np.float16:
        refuse(
            f"{name} has dtype {array.dtype}",
            "real numbers (float64, float32, float16, integers or booleans)",
            TypeError,
        )
    return True


def _is_on_disk(array):
    """Whether an array's memory is a mapped file."""
    while array is not None:
        if isinstance(array, np.memmap):
            return True
        array = getattr(array, "base", None)
    return False


# The matrix X, dense or sparse


def check_data(X: Any, y: Any, both: str = BOTH) -> tuple[Any, NDArray]:
    """Return X (dense or CSR) and y (float64, −1 or +1), checked.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples.
    y : array_like of shape (n,)
        The labels.
    both : str
        As in `check_labels`.
    """
    X = as_matrix(X)
    y = check_labels(as_labels(y, X.shape[0]), both=both)
    return check_entries(X), y


def check_dense(X: Any, rung: str) -> None:
    """Refuse sparse data where a solver works on dense rows."""
    if sp.issparse(X):
        raise TypeError(
            f"X is a sparse matrix; {rung} expects a dense array: call "
            f"X.toarray() or use pegasos_edu.solvers.sparse."
        )


def as_matrix(X: Any) -> Any:
    """Return X as a real array or sparse matrix of shape (n, d).

    The entries are not looked at; see `check_entries`.
    """
    if not sp.issparse(X):
        X = as_real("X", X)
    if len(X.shape) != 2 or 0 in X.shape:
        expected = "(n, d), at least one row and one column"
        refuse(f"X has shape {X.shape}", expected)
    if not sp.issparse(X):
        return X
    # Converted before entries are summed: int8 entries may not fit int8.
    on_disk = X.format == "csr" and _is_on_disk(X.data)
    if _is_converted("X", X) and not on_disk:
        X = X.astype(np.float64)
    X = X.tocsr()
    # A new matrix, because the flags of the old one may be out of date. Its
    # constructor would copy indices of eight bytes into some of four.
    fresh = sp.csr_matrix(X.shape, dtype=X.dtype)
    fresh.data, fresh.indices, fresh.indptr = X.data, X.indices, X.indptr
    return fresh


def check_entries(X: Any, rows: NDArray | None = None) -> Any:
    """Return the matrix X once its entries are finite and in order.

    Parameters
    ----------
    X : ndarray or CSR matrix
        What `as_matrix` has returned.
    rows : ndarray of int, optional
        The rows that will be drawn, each once. What stands in any other
        row is no matter. If at most a quarter of all rows is drawn, or X is
        in a file, no other row is looked at. If more are, all rows are
        looked at together, which takes less time than to pick the drawn
        ones, and those alone once more if something is wrong. So the cost
        is that of the rows drawn, up to a factor. By default all are.
    """
    most = rows is not None and 4 * len(rows) > X.shape[0]
    if most and not _is_on_disk(_values(X)):
        with contextlib.suppress(ValueError):
            return check_entries(X)
    in_order = True
    for block, places in _blocks(X, rows):
        if sp.issparse(block):
            _check_columns(block)
            in_order = in_order and block.has_canonical_format
        _check_finite(block, places)
    if in_order:
        return X
    if _is_on_disk(X.data):
        refuse(
            "X, read from a file, has a row with unsorted or repeated column "
            "indices",
            "each row sorted, without repeats",
        )
    _check_columns(X)  # all rows, for all are rewritten
    X = X.copy()
    X.sum_duplicates()
    return check_entries(X, rows)  # a sum of finite entries may overflow


def _blocks(X, rows):
    """The rows to look at as pairs (some rows of X, their numbers).

    The whole of X at once, with None for the numbers, if `rows` is None;
    else a few rows at a time, so that a file is read where needed only.
    """
    if rows is None:
        yield X, None
        return
    size = max(1, NUMBERS_AT_ONCE // X.shape[1])
    if sp.issparse(X):
        size = 4096
        first, last = X.indptr[rows], X.indptr[rows + 1]
        if (first < 0).any() or (last < first).any() or (last > X.nnz).any():
            refuse("X is no valid CSR matrix", "row starts that never fall")
    for start in range(0, len(rows), size):
        places = rows[start : start + size]
        yield X[places], places


def _check_columns(X):
    """Say so if indices or indptr lead outside a CSR matrix."""
    try:
        X.check_format(full_check=True)
    except ValueError as error:
        refuse(
            f"X is no valid CSR matrix ({error})",
            f"columns from 0 to {X.shape[1] - 1} and row starts that never "
            f"fall",
        )


def _check_finite(X, rows=None):
    """Say where X is not finite; `rows` are the numbers of its rows."""
    if _all_finite(_values(X)):
        return
    if sp.issparse(X):
        X = X.tocoo()
        place = np.argmax(~np.isfinite(X.data))
        i, j, value = X.row[place], X.col[place], X.data[place]
    else:
        i, j = np.argwhere(~np.isfinite(X))[0]
        value = X[i, j]
    i = i if rows is None else rows[i]
    refuse(f"X holds {value} in row {i}, column {j}", "finite numbers")


def _values(X):
    """The entries of X that are stored."""
    return X.data if sp.issparse(X) else X


def _all_finite(array):
    # One infinity or NaN would show in the sum, which takes less time.
    with np.errstate(over="ignore", invalid="ignore"):
        return np.isfinite(array.sum()) or np.isfinite(array).all()
