"""Pegasos on sparse rows: the scale trick, O(nnz) a step.

The shrink (1 − ηλ)w would touch all d coordinates. So the iterate is kept
as w = a·v: shrinking changes the number a, adding an example changes v at
its non-zero columns only. This v is not the direction v_t of `dense`. The
sum of the iterates is kept the same way, as s·v − q, and one more number
follows ‖v‖², so neither the average nor the projection costs O(d).
"""

import math

import numpy as np
import scipy.sparse as sp

from pegasos_edu.problem.losses import is_log, slope
from pegasos_edu.solvers.projections import NORM_OVERFLOWS
from pegasos_edu.solvers.solver import solver
from pegasos_edu.solvers.steps import Checked, PegasosStep

# When a falls below this, v takes it over and a is 1 again. Left alone, a
# underflows on long runs with projection, and s·v − q loses as many digits
# as a has lost. It also makes t = 1 harmless, where a becomes 0 and nothing
# could be divided by it.
FOLD_BELOW = 1e-1
# When ‖v‖² grows by more than this in one step, only to be projected back,
# the sum s·v − q would lose the digits of the short v: q takes it over. As
# that touches all d coordinates, it is done for such a leap only.
LEAP = 1e4
SINGLE = int, np.integer


def row(rows, i):
    """The columns and values of row i; of a dense row a slice of all."""
    indptr, indices, data, _ = rows
    if indices is None:
        return slice(data.shape[1]), data[i]
    lo, hi = indptr[i], indptr[i + 1]
    return indices[lo:hi], data[lo:hi]


def dot(v, rows, i):
    """⟨v, x_i⟩."""
    cols, vals = row(rows, i)
    return float(v[cols].dot(vals)) + rows[-1] * float(v[-1])


def add(v, c, rows, i):
    """v += c·x_i."""
    cols, vals = row(rows, i)
    v[cols] += np.float64(c) * vals  # in double precision, also for float32
    v[-1] += c * rows[-1]


def growth(v, c, rows, i):
    """‖v + c·x_i‖² − ‖v‖², by the columns of x_i only."""
    cols, vals = row(rows, i)
    grown = float((2.0 * v[cols] + np.float64(c) * vals).dot(vals))
    return c * (grown + rows[-1] * (2.0 * float(v[-1]) + c * rows[-1]))


def fold(v, a, q, s):
    """Let v take over the factor a, and q the sum s·v; return ‖v‖²."""
    if q is not None:
        q -= s * v
    v *= a
    return float(v.dot(v))


def size(batch):
    """k, the number of rows in a batch: of a single row, 1."""
    return 1 if isinstance(batch, SINGLE) else len(batch)


def member(batch, j):
    """The j-th row number of a batch."""
    return batch if isinstance(batch, SINGLE) else batch[j]


def advance(
    rows, y, order, slopes, eta, shrink, log, averages, radius, v, q, state
):
    """One step of w_t = a·v for each batch A_t of k rows.

    v is the iterate but for a factor, not the v_t of `dense`. The batches
    are counted from 0, with t, whatever step comes first.

    rows, y        x_i and y_i
    order, slopes  the batches A_t; room for ℓ'(m_i) on one of them
    eta, shrink    η_t and 1 − η_t λ for each step
    log            whether ℓ is the log loss, not the hinge
    averages, q    which w_t enter the average; Σ w_t = s·v − q, or None
    radius         ‖w‖ ≤ radius is kept; None for no projection
    state          a, s and ‖v‖²; changed in place, as v and q are
    """
    a, s, norm2 = state[0], state[1], state[2]
    for t in range(len(order)):
        batch = order[t]  # A_t
        k = size(batch)
        if q is not None and averages[t]:
            s += a  # Σ w_t gains a·v
        for j in range(k):  # score A_t with the old w
            i = member(batch, j)
            slopes[j] = slope(y[i] * a * dot(v, rows, i), 1.0, log)
        a *= shrink[t]  # shrink: one number, not d
        if abs(a) < FOLD_BELOW:  # below 0 it is after an η above 1/λ
            norm2 = fold(v, a, q, s)  # afresh: rounding cannot pile up
            a, s = 1.0, 0.0
        for j in range(k):  # then add
            if slopes[j] != 0.0:
                i = member(batch, j)
                # What v gains of x_i, so that w gains −η ℓ' y_i x_i / k.
                gain = -eta[t] / k * slopes[j] * y[i] / a
                if radius is not None:
                    grown = norm2 + growth(v, gain, rows, i)
                    if grown > LEAP * norm2:
                        fold(v, 1.0, q, s)  # v stays; q takes s·v over
                        s = 0.0
                    norm2 = grown
                add(v, gain, rows, i)
                if q is not None and s != 0.0:
                    add(q, s * gain, rows, i)  # s·v − q stays what it is
        if radius is not None and a * a * norm2 > radius * radius:
            if math.isinf(norm2):
                raise FloatingPointError(NORM_OVERFLOWS)
            a *= radius / (abs(a) * math.sqrt(norm2))
    state[0], state[1], state[2] = a, s, norm2


def as_rows(X, convert, constant=0.0):
    """X as (indptr, indices, data, constant); only X itself if it is dense.

    With a constant other than 0, every row ends with this number, as a
    feature of its own: a bias, without a copy of the data.
    """
    constant = constant or 0  # not 0.0: by its type a compiler sees: no bias
    if sp.issparse(X):
        return convert(X.indptr), convert(X.indices), X.data, constant
    return None, None, X, constant


def batches(order):
    """The batches as `advance` takes them: single rows as row numbers."""
    return order[:, 0] if order.shape[1] == 1 else order


def step_sizes(step, lam, first, last):
    """η_t and 1 − η_t λ for t = first, …, last.

    For 1/(λ(t + t₀)) the shrink is (t + t₀ − 1)/(t + t₀), which is exactly
    0 at t = 1. The difference 1 − η_1 λ is not always: for λ = 1e-5 it
    comes out as 1.1e-16.
    """
    ts = np.arange(first, last + 1)
    if isinstance(step, PegasosStep) and step.lam == lam:
        return step(ts), (ts + step.t0 - 1) / (ts + step.t0)
    if isinstance(step, Checked):
        eta = np.array([step(t) for t in ts.tolist()])
    else:
        eta = step(ts) * np.ones(len(ts))  # a Constant gives one number
    return eta, 1.0 - eta * lam


@solver()
def pegasos(run):
    """Minimise λ/2 ‖w‖² + mean loss, O(nnz) a step.

    The same algorithm as `dense.pegasos`, on the same order, with the same
    arguments; X may be dense or any SciPy sparse matrix.

    Notes
    -----
    Shalev-Shwartz et al. (2011), section 2.4; the pair (v, q) for the
    average is that of Bottou's averaged SGD, which follows Xu (2011).

    Examples
    --------
    >>> X, y = sp.csr_array([[1.0, 0.0], [0.0, -1.0]]), [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    return run_scaled(run, advance)


def plain(array):
    """An array whose items are Python's own numbers, and not copied.

    The interpreter reaches them sooner than those of an array.

    Examples
    --------
    >>> plain(np.array([1.0, 2.0]))[1]
    2.0
    """
    return memoryview(array) if array.ndim == 1 else array.tolist()


def run_scaled(run, advance, convert=plain):
    """Drive `advance` from snapshot to snapshot.

    `convert` makes of an array what `advance` reads fastest.
    """
    rows, y = as_rows(run.X, convert), convert(run.y)
    v = run.start.copy()  # w_1, by default 0
    q = None if run.average_from is None else np.zeros(run.d)
    slopes = convert(np.zeros(run.order.shape[1]))
    state = convert(np.array([1.0, 0.0, v @ v]))  # a, s, ‖v‖²
    for first, last in run.segments():
        eta, shrink = step_sizes(run.step, run.lam, first, last)
        averages = np.arange(first, last + 1) >= (run.average_from or np.inf)
        advance(
            rows,
            y,
            convert(batches(run.order[first - 1 : last])),
            slopes,
            convert(eta),
            convert(shrink),
            is_log(run.loss),
            averages,
            run.radius,
            v,
            q,
            state,
        )
        if run.due(last):
            a, s, _ = state
            total = None if q is None else s * v - q
            run.record(last, a * v, total)
    return run.result()
