"""Time to a relative suboptimality, with oracle stopping for everyone.

Each contender gets the smallest budget of passes, out of a common list,
with which it reaches the target; its time is that of a fresh run with this
budget, order generation included. Nobody pays for finding it.
"""

import warnings

import numpy as np
from scipy.optimize import minimize
from sklearn.exceptions import ConvergenceWarning

from pegasos_edu import draw_order, objective, subgradient
from pegasos_edu.certificate.gap import certify, weights_from
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers import compiled, dual
from pegasos_edu.solvers.sparse import as_rows
from tests.benchmarks import contenders
from tests.benchmarks.passes import bind
from tests.benchmarks.timing import spread, take_turns, timed

TARGETS = (1e-1, 1e-2, 1e-3)
BUDGETS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64, 128, 256)
PARTS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)  # T need not be whole passes
LOG_FIELD = {
    "recipe": lambda *args: contenders.recipe(*args, loss="log"),
    "SGDClassifier": lambda *args: contenders.sgd(*args, loss="log_loss"),
    "SGDClassifier, last half": lambda *args: contenders.sgd(
        *args, loss="log_loss", average="half"
    ),
    "LogisticRegression": contenders.logistic,
}
ABLATION = {
    "recipe": {},
    "each row shuffled": {"sampling": "epochs"},
    "with replacement": {"sampling": "iid"},
    "without t₀": {"start": False},
    "average of all": {"output": "all"},
    "last iterate": {"output": "last"},
    "none of the three": {
        "sampling": "iid",
        "start": False,
        "output": "last",
    },
}


def hinge_minimum(X, y, lam, tol=1e-4, most=100):
    """f* by SDCA, to a relative gap of at most tol: (f, gap).

    Between passes over all rows it works on those that a step would move,
    as liblinear does.
    """
    n = len(y)
    advance, convert = compiled.fastest(dual.advance)
    norm2 = np.asarray(X.multiply(X).sum(axis=1)).ravel()
    rows, alpha = as_rows(X, convert), np.zeros(n)
    primal, lower = 1.0, 0.0  # f(0) = 1 and f* is not negative
    for seed in range(most):
        w = weights_from(alpha, X, y, lam)
        order = draw_order(n, n, sampling="epochs", seed=seed)
        advance(rows, y, convert(order), lam * n, norm2, w, alpha)
        margins = y * (X @ w)
        rests = (alpha == 0.0) & (margins >= 1.0)
        rests |= (alpha == 1.0) & (margins <= 1.0)
        active = np.flatnonzero(~rests)
        if len(active):
            order = active[
                draw_order(len(active), 5 * n, sampling="epochs", seed=seed)
            ]
            advance(rows, y, convert(order), lam * n, norm2, w, alpha)
        pair = certify(weights_from(alpha, X, y, lam), alpha, X, y, lam)
        primal, lower = min(primal, pair.primal), max(lower, pair.dual)
        if primal - lower <= tol * primal:
            break
    return (primal + lower) / 2, (primal - lower) / primal


def log_minimum(X, y, lam):
    """f* of the log loss by L-BFGS: (f, gap)."""
    found = minimize(
        objective,
        np.zeros(X.shape[1]),
        args=(X, y, lam, "log"),
        jac=subgradient,
        method="L-BFGS-B",
        options={"maxiter": 1000, "ftol": 1e-15, "gtol": 1e-7},
    )
    alpha = -LOSSES["log"].slope(y * (X @ found.x))
    pair = certify(found.x, alpha, X, y, lam, "log")
    return pair.primal, pair.gap


def race(
    X, y, lam, field, minimum, loss="hinge", targets=TARGETS, most_seconds=4.0
):
    """Budget and seconds of each contender for each target.

    A contender that has not reached a target after `most_seconds` of
    trying is left out there.
    """
    best, gap = minimum
    found, tried = {}, {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        for name, solver in field.items():
            found[name], tried[name] = budgets_of(
                name, solver, X, y, lam, loss, best, targets, most_seconds
            )
        work = {
            (name, target): bind(field[name], X, y, lam, budget)
            for name, reached in found.items()
            for target, (budget, _) in reached.items()
        }
        once = sum(
            took for reached in found.values() for _, took in reached.values()
        )
        rounds = int(np.clip(most_seconds / (once + 1e-9), 1, 5))
        times = take_turns(work, rounds, warm_up=False)
    return {
        "minimum": best,
        "gap": gap,
        "contenders": {
            name: {"tried": tried[name]}
            | {
                f"{target:g}": {
                    "passes": budget,
                    "seconds": spread([*times[name, target], took]),
                }
                for target, (budget, took) in reached.items()
            }
            for name, reached in found.items()
        },
    }


def budgets_of(name, solver, X, y, lam, loss, best, targets, most_seconds):
    """The smallest budget that reaches each target, and its time.

    Budgets grow until all targets are reached or `most_seconds` are spent;
    the last one tried is returned as well.
    """
    reached, spent = {}, 0.0
    any_T = name in ABLATION
    for budget in (PARTS if any_T else ()) + BUDGETS:
        took, w = timed(solver, X, y, lam, budget)
        spent += took
        excess = objective(w, X, y, lam, loss) / best - 1.0
        for target in targets:
            if excess <= target:
                reached.setdefault(target, (budget, took))
        if len(reached) == len(targets) or spent > most_seconds:
            break
    return reached, {"passes": budget, "seconds": took}


def ablation():
    """The recipe with one ingredient left out at a time."""
    return {
        name: lambda *args, left_out=left_out: contenders.recipe(
            *args, **left_out
        )
        for name, left_out in ABLATION.items()
    }
