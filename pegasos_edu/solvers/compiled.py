"""The source of the other rungs and of `dual`, compiled by numba.

Nothing is written again but a few helpers. The interpreter is fastest when
NumPy handles a row at once; compiled code is fastest with plain loops. So
numba is told to use the loops below wherever the source calls `dot`, `add`,
`growth`, `fold` or `square`. Row numbers and columns are unsigned there, which
spares a test for a negative index at each use; and where a batch is a single
row number, the compiler knows that k is 1.

Numba is optional: without it `pegasos` runs `closed_form` or `sparse` as
they are and says once what the extra would buy.
"""

import functools
import hashlib
import types
import warnings
from importlib import resources

import numpy as np

from pegasos_edu.problem import losses
from pegasos_edu.solvers import closed_form, dual, sparse
from pegasos_edu.solvers.solver import solver


@solver()
def pegasos(run):
    """Minimise λ/2 ‖w‖² + mean loss in compiled code.

    The same algorithm as `dense.pegasos`, on the same order, with the same
    arguments; X may be dense or any SciPy sparse matrix.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    if closed_form.has_closed_form(run):
        return closed_form.run_closed(run, *fastest(closed_form.advance))
    return sparse.run_scaled(run, *fastest(sparse.advance))


@functools.cache
def fastest(advance):
    """`advance` in its fastest form at hand, and how it takes arrays.

    Without numba `advance` comes back as it is, with what the interpreter
    reads fastest.

    Returns
    -------
    callable
        `advance`, compiled if numba is there.
    callable
        What makes of an array one that it takes.
    """
    if not has_numba():
        return advance, sparse.plain
    import numba

    use_loops()
    # Nothing is divided by 0, so no division has to look whether it is.
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")
    return compiled(named_by_sources(advance)), unsigned


def named_by_sources(advance):
    """The same function under a name that says what it is compiled from.

    Numba keeps compiled code by the name of a function and the contents of
    the one file it stands in. But what `advance` calls is compiled with
    it, and after a change there the old code must not be found.
    """
    code = advance.__code__, advance.__globals__, advance.__name__
    named = types.FunctionType(*code, advance.__defaults__)
    named.__qualname__ = f"{advance.__qualname__}_{sources()}"
    return named


@functools.cache
def sources():
    """A short hash of the rooms that the source of compiled code lies in."""
    total = hashlib.sha256()
    for room in ("pegasos_edu.problem", "pegasos_edu.solvers"):
        files = resources.files(room).iterdir()
        for file in sorted(files, key=lambda file: file.name):
            if file.name.endswith(".py"):
                total.update(file.read_bytes() + b"\0")
    return total.hexdigest()[:12]


@functools.cache
def has_numba():
    """Whether numba can be imported; says so once if it cannot."""
    try:
        import numba  # noqa: F401
    except ImportError:
        warnings.warn(
            "numba is not installed, so pegasos runs interpreted; "
            "`pip install numba` would make each step tens of times faster.",
            stacklevel=5,
        )
        return False
    return True


def unsigned(array):
    """Integers as unsigned ones, on the same memory; others as they are.

    Single bytes are labels, which may be negative.
    """
    array = np.asarray(array)
    if array.dtype.kind == "i" and array.itemsize > 1:
        return array.view(f"u{array.itemsize}")
    return array


@functools.cache
def use_loops():
    """Tell numba what to compile for what the rungs call."""
    from numba.core.types import Integer, NoneType
    from numba.extending import overload

    # An integer 0 says that no row ends with a constant.
    @overload(of_constant)
    def _(v, constant):
        return zero if isinstance(constant, Integer) else of_constant

    @overload(add_constant)
    def _(v, c, constant):
        return nothing if isinstance(constant, Integer) else add_constant

    # What works on numbers: its own source.
    overload(losses.hinge_slope)(lambda margin: losses.hinge_slope)
    overload(losses.log_slope)(lambda margin: losses.log_slope)
    overload(losses.slope)(lambda score, scale, log: losses.slope)
    overload(losses.hinge)(lambda margin: losses.hinge)
    overload(losses.log_loss)(lambda margin: losses.log_loss)
    overload(dual.hinge_best)(
        lambda alpha, margin, curvature, limit: dual.hinge_best
    )
    overload(dual.log_best)(
        lambda alpha, margin, curvature, limit: dual.log_best
    )

    @overload(sparse.size)
    def _(batch):
        return one if isinstance(batch, Integer) else len_of

    @overload(sparse.member)
    def _(batch, j):
        return itself if isinstance(batch, Integer) else item

    @overload(sparse.dot, jit_options={"fastmath": ANY_ORDER})
    def _(v, rows, i):
        return dense_dot if isinstance(rows[1], NoneType) else None

    @overload(sparse.dot)
    def _(v, rows, i):
        return None if isinstance(rows[1], NoneType) else sparse_dot

    @overload(sparse.add)
    def _(v, c, rows, i):
        return dense_add if isinstance(rows[1], NoneType) else sparse_add

    @overload(dual.square, jit_options={"fastmath": ANY_ORDER})
    def _(rows, i):
        return dense_square if isinstance(rows[1], NoneType) else sparse_square

    @overload(sparse.growth)
    def _(v, c, rows, i):
        return dense_growth if isinstance(rows[1], NoneType) else sparse_growth

    @overload(sparse.fold)
    def _(v, a, q, s):
        return fold_iterate if isinstance(q, NoneType) else fold_both


ONE = np.uint64(1)
# The products of a dense row may be summed in any order, as NumPy does: then
# several of them are added at a time.
ANY_ORDER = {"reassoc", "contract"}


def one(batch):
    return 1


def len_of(batch):
    return len(batch)


def itself(batch, j):
    return batch


def item(batch, j):
    return batch[j]


def of_constant(v, constant):
    return constant * v[-1]


def zero(v, constant):
    return 0.0


def add_constant(v, c, constant):
    v[-1] += c * constant


def nothing(v, c, constant):
    pass


def dense_dot(v, rows, i):
    _, _, X, constant = rows
    total = of_constant(v, constant)
    for j in range(X.shape[1]):
        total += v[j] * X[i, j]
    return total


def sparse_dot(v, rows, i):
    indptr, indices, data, constant = rows
    total = of_constant(v, constant)
    for p in range(indptr[i], indptr[i + ONE]):
        total += v[indices[p]] * data[p]
    return total


def dense_add(v, c, rows, i):
    _, _, X, constant = rows
    for j in range(X.shape[1]):
        v[j] += c * X[i, j]
    add_constant(v, c, constant)


def sparse_add(v, c, rows, i):
    indptr, indices, data, constant = rows
    for p in range(indptr[i], indptr[i + ONE]):
        v[indices[p]] += c * data[p]
    add_constant(v, c, constant)


def dense_growth(v, c, rows, i):
    _, _, X, constant = rows
    total = constant * (2.0 * v[-1] + c * constant)
    for j in range(X.shape[1]):
        total += X[i, j] * (2.0 * v[j] + c * X[i, j])
    return c * total


def sparse_growth(v, c, rows, i):
    indptr, indices, data, constant = rows
    total = constant * (2.0 * v[-1] + c * constant)
    for p in range(indptr[i], indptr[i + ONE]):
        total += data[p] * (2.0 * v[indices[p]] + c * data[p])
    return c * total


def dense_square(rows, i):
    _, _, X, constant = rows
    total = constant * constant
    for j in range(X.shape[1]):
        total += np.float64(X[i, j]) * X[i, j]
    return total


def sparse_square(rows, i):
    indptr, _, data, constant = rows
    total = constant * constant
    for p in range(indptr[i], indptr[i + ONE]):
        total += np.float64(data[p]) * data[p]
    return total


def fold_iterate(v, a, q, s):
    norm2 = 0.0
    for j in range(len(v)):
        v[j] *= a
        norm2 += v[j] * v[j]
    return norm2


def fold_both(v, a, q, s):
    norm2 = 0.0
    for j in range(len(v)):
        q[j] -= s * v[j]
        v[j] *= a
        norm2 += v[j] * v[j]
    return norm2
