"""Pegasos compiled: the source of `sparse` and `closed_form`, by numba.

Nothing is written again but three helpers. The interpreter is fastest when
NumPy handles a row at once; compiled code is fastest with plain loops. So
numba is told to use the loops below wherever the source calls `row`, `dot`
and `add`.

Numba is optional: without it `pegasos` runs `closed_form` or `sparse` as
they are and says once what the extra would buy.
"""

import functools
import warnings

import numpy as np

from pegasos_edu import closed_form, losses, sparse
from pegasos_edu.arguments import prepare


def pegasos(X, y, lam, T=None, **options):
    """Minimise λ/2 ‖w‖² + mean loss in compiled code.

    The same algorithm as `pegasos_edu.dense.pegasos`, on the same order,
    with the same arguments; X may be dense or any SciPy sparse matrix.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples, one a row.
    y, lam, T, **options
        See `pegasos_edu.arguments.prepare`.

    Returns
    -------
    Run

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.
    FloatingPointError
        If the iterates overflow.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    run = prepare(X, y, lam, T, **options)
    if closed_form.has_closed_form(run):
        return closed_form.run_closed(run, *kernel(closed_form.advance))
    return sparse.run_scaled(run, *kernel(sparse.advance))


@functools.cache
def kernel(advance):
    """`advance` compiled, and that it takes arrays as they are.

    Without numba: `advance` itself, with its own choice of lists.
    """
    try:
        import numba
    except ImportError:
        warnings.warn(
            "numba is not installed, so pegasos runs interpreted; "
            "`pip install pegasos-edu[fast]` would make each step tens of "
            "times faster.",
            stacklevel=3,
        )
        return (advance,)
    use_loops()
    return numba.njit(cache=True)(advance), np.asarray


@functools.cache
def use_loops():
    """Tell numba what to compile for the helpers of the two kernels."""
    from numba.core.types import NoneType
    from numba.extending import overload

    # The scalar slopes: their own source.
    overload(losses.hinge_slope)(lambda margin: losses.hinge_slope)
    overload(losses.log_slope)(lambda margin: losses.log_slope)
    overload(losses.slope)(lambda margin, log: losses.slope)

    @overload(sparse.row)
    def _(rows, i):
        return dense_row if isinstance(rows[1], NoneType) else sparse_row

    @overload(sparse.dot)
    def _(v, cols, vals):
        return dense_dot if isinstance(cols, NoneType) else sparse_dot

    @overload(sparse.add)
    def _(v, c, cols, vals):
        return dense_add if isinstance(cols, NoneType) else sparse_add


def dense_row(rows, i):
    indptr, indices, data = rows
    return None, data[indptr[i] : indptr[i + 1]]


def sparse_row(rows, i):
    indptr, indices, data = rows
    lo, hi = indptr[i], indptr[i + 1]
    return indices[lo:hi], data[lo:hi]


def dense_dot(v, cols, vals):
    total = 0.0
    for j in range(len(vals)):
        total += v[j] * vals[j]
    return total


def sparse_dot(v, cols, vals):
    # Unsigned columns spare a test for a negative index at every non-zero.
    total = 0.0
    for j in range(len(vals)):
        total += v[np.uint64(cols[j])] * vals[j]
    return total


def dense_add(v, c, cols, vals):
    for j in range(len(vals)):
        v[j] += c * vals[j]


def sparse_add(v, c, cols, vals):
    for j in range(len(vals)):
        v[np.uint64(cols[j])] += c * vals[j]
