"""Steps of stochastic dual coordinate ascent; `ascent` makes rounds of them.

The dual of the SVM has one variable α_i in [0, 1] for each example, and
w(α) = 1/(λn) Σ α_i y_i x_i. A step picks one i and moves α_i to the best
place it can reach alone. There is no step size to choose, and the value of
the dual is a lower bound on every f(w).

When α_i goes to a, the margin of its own example grows by (a − α_i) times
the *curvature*, ‖x_i‖²/(λn). `hinge_best` and `log_best` find the best a.
"""

import numpy as np

from pegasos_edu.problem.losses import log_slope
from pegasos_edu.solvers.sparse import add, dot, row

# More than are ever needed: a bound on the time of one step.
NEWTON_STEPS = 30


def advance(
    rows,
    y,
    order,
    lam_n,
    norm2,
    w,
    alpha,
    most=None,
    log=False,
    q=None,
    before=0,
):
    """One exact step on the dual for each row number in `order`.

    rows, y   x_i and y_i
    lam_n     λn
    norm2     ‖x_i‖²; None to have it summed where a step needs it
    w, alpha  w(α) and α; changed in place
    most      the largest α_i: the weights of the examples; None for 1
    log       whether ℓ is the log loss, not the hinge
    q         makes w − q/T the mean of the T new w; None for no mean
    before    how many of these T steps earlier calls have made
    """
    for t in range(len(order)):
        i = order[t]
        margin = y[i] * dot(w, rows, i)
        limit = 1.0 if most is None else most[i]
        if not log and alpha[i] == (0.0 if margin >= 1.0 else limit):
            continue  # most rest where they are, near the optimum
        length2 = square(rows, i) if norm2 is None else norm2[i]
        curvature = length2 / lam_n
        if log:
            best = log_best(alpha[i], margin, curvature, limit)
        else:
            best = hinge_best(alpha[i], margin, curvature, limit)
        if best != alpha[i]:
            gain = (best - alpha[i]) * y[i] / lam_n
            add(w, gain, rows, i)
            if q is not None:
                add(q, (before + t) * gain, rows, i)
            alpha[i] = best


def square(rows, i):
    """‖x_i‖², in double precision also for float32."""
    _, vals = row(rows, i)
    return float(np.square(vals, dtype=np.float64).sum()) + rows[-1] ** 2


def hinge_best(alpha, margin, curvature, limit):
    """The a in [0, limit] that brings the margin to 1, or the nearest.

    Examples
    --------
    >>> hinge_best(alpha=0.5, margin=0.5, curvature=2.0, limit=1.0)
    0.75
    """
    if curvature == 0.0:  # x_i = 0 loses 1 whatever w is
        return limit
    return min(max(alpha + (1.0 - margin) / curvature, 0.0), limit)


def log_best(alpha, margin, curvature, limit):
    """The a with a = −limit·ℓ'(m), m the margin it leads to.

    Newton's method on −m, from its present value on, between the bounds
    that a = 0 and a = limit give.

    Examples
    --------
    >>> print(log_best(alpha=0.5, margin=0.0, curvature=2.0, limit=1.0))
    0.5
    """
    low = -margin - curvature * (limit - alpha)
    high = -margin + curvature * alpha
    u = -margin
    for _ in range(NEWTON_STEPS):
        share = -log_slope(-u)  # a/limit, if u were right
        excess = u + margin + curvature * (limit * share - alpha)
        if abs(excess) <= 1e-10:
            break
        if excess > 0.0:
            high = u
        else:
            low = u
        u -= excess / (1.0 + curvature * limit * share * (1.0 - share))
        if not low < u < high:
            u = 0.5 * (low + high)
    return limit * share
