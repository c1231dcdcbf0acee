"""What a step and a pass cost, rung by rung and against peers."""

import numpy as np

from pegasos_edu.solvers import closed_form, compiled, dense, loop, sparse
from pegasos_edu.solvers.orders import draw_order
from tests.benchmarks.contenders import c_loop, sgd
from tests.benchmarks.timing import spread, take_turns, timed

RUNGS = {
    # name: solver, takes sparse rows, steps timed
    "plain loop": (loop.pegasos, False, 300),
    "dense NumPy": (dense.pegasos, False, 5_000),
    "sparse, scale trick": (sparse.pegasos, True, 10_000),
    "closed form": (closed_form.pegasos, True, 10_000),
    "compiled": (compiled.pegasos, True, None),
    "compiled, projected": (compiled.pegasos, True, None),
}


def ladder(X, y, lam=1e-4, rounds=7):
    """Nanoseconds per step and per non-zero for every rung.

    No average, except with projection, where both are kept. Random order.
    Two lengths are timed, so that what a call costs in any case cancels.
    """
    n = len(y)
    per_row = X.nnz / n
    full = X.toarray()
    work = {}
    for name, (solver, is_sparse, steps) in RUNGS.items():
        steps = steps or 4 * n
        options = {"average_from": None}
        if "projected" in name:
            options = {"radius": lam**-0.5}
        data = X if is_sparse else full
        for T in (steps, 2 * steps):
            order = draw_order(n, T, seed=0)
            work[name, T // steps] = bind(
                solver, data, y, lam, order=order, **options
            )
    times = take_turns(work, rounds)
    rows = {}
    for name, (_, is_sparse, steps) in RUNGS.items():
        per_step = (times[name, 2] - times[name, 1]) / (steps or 4 * n)
        touched = per_row if is_sparse else X.shape[1]
        rows[name] = {
            "ns_per_step": spread(1e9 * per_step),
            "ns_per_touched": spread(1e9 * per_step / touched),
        }
    return rows


def one_pass(X, y, lam=1e-4, passes=3):
    """A sequential pass against the same loop in C and SGDClassifier.

    A pass is what every further pass costs: the time of 1 + `passes` less
    that of one, over `passes`. `whole` is a call of one pass with all its
    checks.
    """
    n = len(y)
    rounds = 11 if X.nnz < 1e6 else 7 if X.nnz < 2e7 else 2
    schedule = dict(learning_rate="invscaling", eta0=1 / lam, power_t=1.0)
    both = dict(radius=lam**-0.5)

    def pegasos(order, **options):
        options.setdefault("average_from", None)
        return bind(compiled.pegasos, X, y, lam, order=order, **options)

    work = {}
    for m in (1, 1 + passes):
        in_turn = np.tile(np.arange(n), m)
        random = draw_order(n, m * n, sampling="epochs", seed=0)
        blocks = draw_order(n, m * n, sampling="blocks", seed=0)
        work["sequential", m] = pegasos(in_turn)
        work["blocks", m] = pegasos(blocks)
        work["random", m] = pegasos(random)
        work["projected, averaged", m] = pegasos(
            in_turn, average_from=1, **both
        )
        if c_loop:
            work["C", m] = bind(c_loop, X, y, lam, in_turn)
            work["C, random", m] = bind(c_loop, X, y, lam, random)
        work["SGDClassifier", m] = bind(
            sgd, X, y, lam, m, shuffle=False, **schedule
        )
        work["SGDClassifier, shuffled", m] = bind(
            sgd, X, y, lam, m, **schedule
        )
        work["SGDClassifier, averaged", m] = bind(
            sgd, X, y, lam, m, shuffle=False, average=True, **schedule
        )
    times = take_turns(work, rounds)
    names = list(dict.fromkeys(name for name, _ in work))
    one = {
        name: (times[name, 1 + passes] - times[name, 1]) / passes
        for name in names
    }
    ratios = (
        {
            "sequential / C": one["sequential"] / one["C"],
            "random / C, random": one["random"] / one["C, random"],
        }
        if c_loop
        else {}
    )
    ratios |= {
        "SGDClassifier / sequential": one["SGDClassifier"] / one["sequential"],
        "SGDClassifier / C": one["SGDClassifier"] / one["C"],
        "SGDClassifier, shuffled / random": one["SGDClassifier, shuffled"]
        / one["random"],
        "SGDClassifier, shuffled / blocks": one["SGDClassifier, shuffled"]
        / one["blocks"],
        "SGDClassifier, averaged / projected, averaged": one[
            "SGDClassifier, averaged"
        ]
        / one["projected, averaged"],
        "whole call: SGDClassifier / sequential": times["SGDClassifier", 1]
        / times["sequential", 1],
    }
    return {
        "ns_per_nonzero": {
            name: spread(1e9 * one[name] / X.nnz) for name in names
        },
        "ratios": {name: spread(ratio) for name, ratio in ratios.items()},
    }


def bind(function, *arguments, **options):
    """function with its arguments, to be called later."""
    return lambda: function(*arguments, **options)


def marginal_step(
    X, y, lam=1e-4, T=200_000, rounds=5, solver=compiled.pegasos, **options
):
    """Nanoseconds per further step, by default of the compiled rung."""

    def run(steps):
        return bind(
            solver, X, y, lam, steps, seed=0, average_from=None, **options
        )

    few, many = run(T // 10), run(T)
    few()
    per_step = []
    for _ in range(rounds):
        (short, _), (long, _) = timed(few), timed(many)
        per_step.append(1e9 * (long - short) / (T - T // 10))
    return spread(per_step)
