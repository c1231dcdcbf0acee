"""Mistakes in assignment 3: the scale trick and the average."""

import numpy as np

from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import call
from pegasos_edu.coursework.zoo.exhibit import acts_like, every, mistake

# A3.pegasos and A3.average


def sparse_row(X, i):
    lo, hi = X.indptr[i], X.indptr[i + 1]
    return X.indices[lo:hi], X.data[lo:hi]


@mistake(
    "A3.pegasos",
    "what is still to be done with the scale when the loop is over?",
    "w is T times too long; the accuracy is unchanged.",
)
def scale_forgotten_at_the_end(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return v


@mistake(
    "A3.pegasos",
    "the score needs w; what you multiply x with is not w yet.",
    "Too few violators: at step t, v is t − 1 times longer than w.",
)
def score_without_the_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return a * v


@mistake(
    "A3.pegasos",
    "what you add will be multiplied by the scale later on; make up for it.",
    "Late examples count for less and less.",
)
def added_without_making_up(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t)
    return a * v


@mistake(
    "A3.pegasos",
    "by which scale do you divide: the one before or after the shrink?",
    "Each addition is a little too small, the second by a half; in the end "
    "objective and accuracy look fine.",
)
def made_up_with_the_old_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        old, a = a, 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * old)
    return a * v


@mistake(
    "A3.pegasos",
    "what is your scale after the shrink at t = 1, and what do you divide "
    "by it?",
    "NaN from the first step on, or ZeroDivisionError.",
    every(lambda case, w: np.isnan(w).any()),
)
def scale_zero_at_the_start(X, y, lam, order):
    a, v = np.float64(1.0), np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return a * v


@mistake(
    "A3.pegasos",
    "all d entries of a vector are touched at some steps or at each, to "
    "shrink, to copy, or to look at them; which line does that?",
    "Right, and slow: the time of a step grows with d.",
    lambda trials: all(
        outcome.same_as(call(TASKS["A3.pegasos"].reference, case))
        for case, outcome in trials
    ),
)
def touches_all_columns(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * (w[cols] @ vals) < 1
        w *= 1 - 1 / t
        w[cols] += violates * y[i] * vals / (lam * t)
    return w


def without_reset(smallest, late):
    """A solver that forgets v where it gives the scale back its size."""

    def answer(X, y, lam, order):
        a, v = 1.0, np.zeros(X.shape[1])
        for t, i in enumerate(order, start=1):
            cols, vals = sparse_row(X, i)
            violates = y[i] * a * (v[cols] @ vals) < 1
            a = 1.0 if t == 1 else (1 - 1 / t) * a
            a = 1.0 if a < smallest and not late else a
            v[cols] += violates * y[i] * vals / (lam * t * a)
            a = 1.0 if a < smallest else a
        return a * v

    return answer


def forgets_the_reset(trials):
    return any(
        acts_like("A3.pegasos", without_reset(smallest, late))(trials)
        for smallest in (1e-3, 1e-2)
        for late in (False, True)
    )


@mistake(
    "A3.pegasos",
    "when you set a small scale to 1, what must happen to v, so that the "
    "product stays the same?",
    "Right for the first thousand steps; then w is a thousand times too long.",
    forgets_the_reset,
)
def scale_reset_forgotten(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        if a < 1e-3:
            a = 1.0
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return a * v


def sum_of_violators(X, y, lam, order):
    """Yield w_1, w_2, …, w_{T+1} by the closed form."""
    v = np.zeros(X.shape[1])
    w = v.copy()  # w_1 stays 0 when v grows
    yield w
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        if y[i] * (w[cols] @ vals) < 1:
            v[cols] += y[i] * vals
        w = v / (lam * t)
        yield w


@mistake(
    "A3.average",
    "which iterates do you average: w_1, …, w_T, or w_2, …, w_{T+1}?",
    "A little off, less and less as T grows.",
)
def average_one_late(X, y, lam, order):
    return np.mean(list(sum_of_violators(X, y, lam, order))[1:], axis=0)


@mistake(
    "A3.average",
    "you divide by T + 1; how many iterates enter the sum?",
    "A little off, less and less as T grows.",
)
def average_of_one_too_many(X, y, lam, order):
    return np.mean(list(sum_of_violators(X, y, lam, order)), axis=0)


@mistake(
    "A3.average",
    "this is the last iterate.",
    "No curve complains: after thousands of steps its gap is even smaller "
    "than that of the average.",
)
def last_for_average(X, y, lam, order):
    return list(sum_of_violators(X, y, lam, order))[-1]


@mistake(
    "A3.average",
    "does a step without a violator change w? And does its iterate count?",
    "The average is a few percent too short: quiet steps come where w is "
    "long.",
)
def average_skips_quiet_steps(X, y, lam, order):
    kept = [np.zeros(X.shape[1])]
    W = list(sum_of_violators(X, y, lam, order))
    for t in range(1, len(order)):
        i = order[t]
        cols, vals = sparse_row(X, i)
        if y[i] * (W[t][cols] @ vals) < 1:
            kept.append(W[t])
    return np.mean(kept, axis=0)


@mistake(
    "A3.average",
    "is the shrink at t = 1 always exactly 0 in floating point? Which number "
    "tells you for certain that this is the first step?",
    "Right for most lambdas. For some, such as 1e-5, the shrink comes out as "
    "1e-16: the last iterate survives that, the average does not.",
)
def guarded_by_the_scale(X, y, lam, order):
    a, s = 1.0, 0.0
    v, q = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        eta = 1 / (lam * t)
        violates = y[i] * a * (v[cols] @ vals) < 1
        s += a  # the sum of the iterates is s·v − q
        a *= 1 - eta * lam
        if a == 0:
            a, s = 1.0, 0.0
        v[cols] += violates * eta * y[i] / a * vals
        q[cols] += s * (violates * eta * y[i] / a) * vals
    return (s * v - q) / len(order)
