"""Pegasos without a shrink: w_{t+1} is a sum of violators over λt.

With η_t = 1/(λt) and no projection the shrinks multiply up to

    w_{t+1} = 1/(λt) Σ_{s ≤ t} v_s,    v_s = mean of −ℓ'(m_i) y_i x_i over A_s,

so it is enough to keep the sum v = Σ v_s: not the direction of one step, as
in `dense`, nor the v of `sparse`. With a head start t₀ the divisor is
λ(t + t₀), and λt₀w_1 is what a start w_1 contributes to the sum. The
sum of the iterates has a form of the same kind, h·v − q with
h = Σ 1/(λ(t − 1 + t₀)) over the t ≥ 2 that are averaged; w_1 itself goes
into q. With t₀ = 0 and all t, h is a harmonic number over λ.
"""

import numpy as np

from pegasos_edu.problem.losses import is_log, slope
from pegasos_edu.solvers.solver import solver
from pegasos_edu.solvers.sparse import (
    add,
    as_rows,
    batches,
    dot,
    fold,
    member,
    plain,
    size,
)
from pegasos_edu.solvers.steps import PegasosStep


def advance(
    rows, y, pull, order, slopes, log, lam, t0, first, average_from, v, q, h
):
    """Steps t = first, first + 1, …: v gains v_t of each batch A_t.

    v is the sum of all v_s before, and λt₀w_1; before step 1 it is w_1.

    rows, y        x_i and y_i
    pull           y_i; the estimator hands over y_i times a weight
    order, slopes  the batches A_t; room for ℓ'(m_i) on one of them
    log            whether ℓ is the log loss, not the hinge
    lam, t0        w_t = v / (λ(t − 1 + t₀)) for t > 1
    average_from   the first t whose w_t enters the average
    q, h           Σ w_t = h·v − q; q is None if no average is kept

    v and q are changed in place; the new h is returned.
    """
    for t in range(first, first + len(order)):
        batch = order[t - first]  # A_t
        k = size(batch)
        scale = 1.0  # w_t = v / scale, and at first v is w_1
        if t > 1:
            scale = lam * (t - 1 + t0)
        if q is not None and t >= average_from:
            h += 1.0 / scale  # Σ w_t gains v / scale
        for j in range(k):  # score A_t with the old w
            i = member(batch, j)
            slopes[j] = slope(y[i] * dot(v, rows, i), scale, log)
        if t == 1:  # from here on v is the sum: λt₀w_1, then violators
            fold(v, lam * t0, q, h)  # and −q keeps w_1, if it was added
            h = 0.0
        for j in range(k):  # then add
            if slopes[j] != 0.0:
                i = member(batch, j)
                gain = -slopes[j] * pull[i] / k  # what v gains of x_i
                add(v, gain, rows, i)
                if q is not None and h != 0.0:
                    add(q, h * gain, rows, i)
    return h


@solver()
def pegasos(run):
    """Minimise λ/2 ‖w‖² + mean loss by summing up violators.

    The same algorithm as `dense.pegasos`, on the same order, with the same
    arguments, but only for the step 1/(λ(t + t₀)) and without projection:
    that is where the closed form holds.

    Notes
    -----
    Zhou, lemma 3.5, with the sign corrected.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    if not has_closed_form(run):
        raise ValueError(
            f"radius is {run.radius} and step is {run.step}; expected no "
            f"projection and a PegasosStep with lam = {run.lam}, as the "
            f"closed form needs."
        )
    return run_closed(run, advance)


def has_closed_form(run):
    """Whether the iterates of this run are sums of violators."""
    of_pegasos = isinstance(run.step, PegasosStep) and run.step.lam == run.lam
    return of_pegasos and run.radius is None


def run_closed(run, advance, convert=plain):
    """Drive `advance` from snapshot to snapshot, as `sparse.run_scaled`."""
    d, t0 = run.d, run.step.t0
    rows, y = as_rows(run.X, convert), convert(run.y)
    v, h = run.start.copy(), 0.0
    q = None if run.average_from is None else np.zeros(d)
    slopes = convert(np.zeros(run.order.shape[1]))
    for first, last in run.segments():
        order = convert(batches(run.order[first - 1 : last]))
        h = advance(
            rows,
            y,
            y,
            order,
            slopes,
            is_log(run.loss),
            run.lam,
            t0,
            first,
            run.average_from or 1,
            v,
            q,
            h,
        )
        if run.due(last):
            total = None if q is None else h * v - q
            run.record(last, v / (run.lam * (last + t0)), total)
    return run.result()
