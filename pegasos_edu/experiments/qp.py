"""The SVM by stock solvers of its quadratic program, and by Pegasos.

Processor seconds as the number of examples grows, on points labelled by a
half-space with one label in ten flipped.
"""

import os
import time

import numpy as np
from threadpoolctl import threadpool_limits

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.certificate.qp import solve_dual, solve_slack
from pegasos_edu.experiments import shortened, versions
from pegasos_edu.problem.data import noisy_halfspace
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order

SETUP = {
    "d": 10,
    "lam": 0.1,
    "epsilon": 0.01,
    "T": 20_000,
    "sizes": {
        "slack form": [100, 200, 400, 800, 1600],
        "dual, n by n": [100, 200, 400, 800, 1600],
        "dual, products": [100, 400, 1600, 6400],
        "Pegasos": [100, 400, 1600, 6400],
    },
}


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    parser.add_argument(
        "--seeds",
        type=int,
        default=30,
        metavar="K",
        help="K data sets of each size, seeds 0, …, K − 1 (default 30)",
    )


def run(options):
    """The experiment as the command line asks for it."""
    with threadpool_limits(1):
        result = measure(list(range(options.seeds)), SETUP)
    return {
        "command": "python -m pegasos_edu.experiments qp "
        f"--seeds {options.seeds}",
        "versions": versions(),
        "load": shortened(os.getloadavg()[0]),
        **result,
    }


def by_pegasos(X, y, setup, seed):
    """Pegasos to a relative gap of ε: seconds, steps and the gap.

    The steps are counted first; then a run of so many is timed.
    """
    lam = setup["lam"]
    lowest = optimum(X, y, lam, tol=1e-5).dual
    order = draw_order(len(y), setup["T"], seed=seed)
    at = np.unique(np.geomspace(10, setup["T"], 200).astype(int))
    run = dense.pegasos(X, y, lam, order=order, snapshots=at)
    gaps = objective(run.averages, X, y, lam) / lowest - 1.0
    reached = gaps <= setup["epsilon"]
    if not reached.any():
        raise RuntimeError(
            f"the relative gap is {gaps[-1]:.1e} after T = {setup['T']} "
            f"steps; expected at most {setup['epsilon']}."
        )
    steps = int(at[np.argmax(reached)])
    begin = time.process_time()
    dense.pegasos(X, y, lam, order=order[:steps])
    return {
        "seconds": time.process_time() - begin,
        "steps": steps,
        "gap": gaps[np.argmax(reached)],
    }


def by_program(solve, **options):
    """A function like `by_pegasos` for a solver of the program."""

    def timed(X, y, setup, seed):
        begin = time.process_time()
        found = solve(X, y, setup["lam"], **options)
        return {
            "seconds": time.process_time() - begin,
            "gap": found.gap,
        }

    return timed


WAYS = {
    "slack form": by_program(solve_slack),
    "dual, n by n": by_program(solve_dual, gram=True),
    "dual, products": by_program(solve_dual, gram=False),
    "Pegasos": by_pegasos,
}


def measure(seeds, setup):
    """Medians over data sets, way by way and size by size.

    The seconds, and the steps of Pegasos, are also kept one by one, for
    intervals.
    """
    found = {}
    for name, sizes in setup["sizes"].items():
        rows = []
        for n in sizes:
            runs = [
                WAYS[name](*noisy_halfspace(n, setup["d"], seed), setup, seed)
                for seed in seeds
            ]
            middle = {
                key: np.median([each[key] for each in runs]) for key in runs[0]
            }
            middle["each seconds"] = [each["seconds"] for each in runs]
            if "steps" in middle:
                middle["each"] = [each["steps"] for each in runs]
            rows.append(shortened({"n": n, **middle}))
        found[name] = rows
    return {"setup": {**setup, "seeds": seeds}, "times": found}
