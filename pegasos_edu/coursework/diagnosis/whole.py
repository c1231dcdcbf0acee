"""Mistakes that are no choice for one part of a solver: a loop rewritten.

Each is written out as people write it. An answer has its name if it gives
the same in every trial, to nine digits, and on other data as well.
"""

from itertools import product

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.parts import sigmoid
from pegasos_edu.coursework.diagnosis.search import (
    FEW_STEPS,
    as_weights,
    other_cases,
    short_or_all,
)
from pegasos_edu.coursework.trial import call, same_values

KEPT = (0.5, 0.8, 0.9, 0.95, 0.99)  # what is kept of the step before


def hinge(m):
    return float(m < 1)


def log(m):
    return sigmoid(-m)


def with_momentum(pull, kept, share, inside):
    """A step goes on in the direction of the one before.

    Parameters
    ----------
    pull : callable
        How much an example of this margin counts.
    kept, share : float
        Factors of the direction before and of the new one.
    inside : bool
        Whether the new one is multiplied by the step before it is added.
    """

    def solve(X, y, lam, order):
        w = v = np.zeros(X.shape[1])
        for t, i in enumerate(order, start=1):
            eta = 1 / (lam * t)
            g = lam * w - pull(y[i] * (X[i] @ w)) * y[i] * X[i]
            v = kept * v + share * (eta * g if inside else g)
            w = w - (v if inside else eta * v)
        return w

    return solve


def tests_each_column(X, y, lam, order):
    """Every column has a test of its own: w·x was not added up."""
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        hits = y[i] * w * X[i] < 1
        w = (1 - 1 / t) * w + hits * y[i] * X[i] / (lam * t)
    return w


def margin_anew(pull):
    """One column after the other, each by the w that the last one left."""

    def solve(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, start=1):
            for j in range(len(w)):
                part = pull(y[i] * (X[i] @ w))
                w[j] = (1 - 1 / t) * w[j] + part * y[i] * X[i, j] / (lam * t)
        return w

    return solve


def left_behind(X, y, lam, order):
    """Columns shrink when a row has them, and are not caught up at the end."""
    w = np.zeros(X.shape[1])
    seen = np.zeros_like(w)
    for t, i in enumerate(order, start=1):
        part = float(y[i] * (X[i] @ w) < 1)
        w = (1 - 1 / t) * w + part * y[i] * X[i] / (lam * t)
        seen = np.where(X[i] != 0, w, seen)
    return seen


def loops(task):
    """Yield names and solvers."""
    log_loss = task == "A2.pegasos"
    pull = log if log_loss else hinge
    for kept, inside in product(KEPT, (False, True)):
        for share in (1.0, 1 - kept):
            yield (
                "steps-with-momentum",
                with_momentum(pull, kept, share, inside),
            )
    yield "margin-anew-for-each-column", margin_anew(pull)
    if not log_loss:
        yield "tests-each-column-alone", tests_each_column
    if task == "A3.pegasos":
        yield "columns-left-behind", left_behind


def loop_mistakes(task, solve, cases):
    """The name of the loop that an answer acts like, as a tuple.

    Parameters
    ----------
    task : Task
    solve : callable
        (X, y, lam, order) -> w, wrong in one of the cases.
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    if task.name == "A3.average":
        return ()
    first = cases[0]
    few = [{**first, "order": first["order"][:s]} for s in FEW_STEPS]
    trials = [
        *few,
        *short_or_all(task, solve, cases),
        *short_or_all(task, solve, other_cases(task)),
    ]
    for name, loop in loops(task.name):
        if all(agree(solve, loop, case) for case in trials):
            return (name,)
    return ()


def agree(solve, loop, case):
    """Whether an answer and a loop give the same w."""
    w = as_weights(call(solve, case), case)
    if w is None:
        return False
    X = case["X"].toarray() if sp.issparse(case["X"]) else case["X"]
    with np.errstate(all="ignore"):
        return same_values(loop(**{**case, "X": X}), w)
