"""Seconds against the number of examples, and against error on new data.

Three solvers take the same steps: NumPy on dense rows, Python on sparse
rows, compiled code on sparse rows. First on made-up rows, a thousand to a
million of them, drawn at random and in turn; then on a9a and on MNIST, zero
against the rest, with the error on their test sets.
"""

import os
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_svmlight_file
from threadpoolctl import threadpool_limits

from pegasos_edu.experiments import (
    interval,
    mnist,
    shortened,
    versions,
)
from pegasos_edu.problem.data import noisy_halfspace
from pegasos_edu.solvers import compiled, dense, sparse
from pegasos_edu.solvers.orders import draw_order

SETUP = {
    "d": 40,
    "share": 0.25,  # of the entries that are not 0
    "T": 5000,
    "sizes": [1000, 10_000, 100_000, 1_000_000],
    "repeats": 30,
    "lam": 1e-3,
    "steps": [100, 300, 1000, 3000, 10_000, 30_000, 100_000],
    "examples": [1000, 10_000, None],  # None: all there are
}
SOLVERS = {
    "dense": (dense.pegasos, np.asarray),
    "sparse": (sparse.pegasos, sp.csr_array),
    "compiled": (compiled.pegasos, sp.csr_array),
}


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        required=True,
        help="the folder of a9a.gz, a9a.t.gz and mnist.npz",
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=30,
        metavar="K",
        help="errors of the seeds 0, …, K − 1 (default 30)",
    )


def run(options):
    """The experiment as the command line asks for it."""
    sets = {"a9a": a9a(options.data), "MNIST": digits(options.data)}
    with threadpool_limits(1):
        found = measure(sets, list(range(options.seeds)), SETUP)
    command = (
        "python -m pegasos_edu.experiments sizes --data DIR "
        f"--seeds {options.seeds}"
    )
    load = shortened(os.getloadavg()[0])
    return {"command": command, "versions": versions(), "load": load, **found}


def a9a(folder):
    """UCI Adult as LIBSVM prepares it: X, y, X_test, y_test, dense."""
    parts = []
    for name in ("a9a.gz", "a9a.t.gz"):
        X, y = load_svmlight_file(str(Path(folder) / name), n_features=123)
        parts += [X.toarray(), np.where(y > 0, 1.0, -1.0)]
    return tuple(parts)


def digits(folder):
    """All of MNIST, zero against the rest: X, y, X_test, y_test."""
    X, y = mnist.load(Path(folder))
    return mnist.split(X, y, n_train=60_000, n_test=3_000)


def measure(sets, seeds, setup):
    """Everything the chapter reads, as one nested dictionary."""
    real = {
        name: on_real_data(*parts, seeds, setup)
        for name, parts in sets.items()
    }
    return {
        "setup": {**setup, "seeds": len(seeds)},
        "growth": growth(setup),
        "real": real,
    }


def band(values):
    """Median, least and largest."""
    return shortened(
        {
            "median": np.median(values),
            "low": np.min(values),
            "high": np.max(values),
        }
    )


def seconds_of(solver, X, y, lam, order):
    """Processor seconds of one call, with its checks."""
    begin = time.process_time()
    solver(X, y, lam, order=order)
    return time.process_time() - begin


def growth(setup):
    """Seconds of T steps, by solver, number of rows and order of rows."""
    found = []
    for n in setup["sizes"]:
        X, y = noisy_halfspace(n, setup["d"], seed=0)
        rng = np.random.default_rng(0)
        X *= rng.random(X.shape) < setup["share"]
        for name, (solver, form) in SOLVERS.items():
            data = form(X)
            row = {"solver": name, "n": n}
            for how in ("at random", "in turn"):
                seconds = [
                    seconds_of(solver, data, y, setup["lam"], order)
                    for order in orders(how, n, setup["T"], setup["repeats"])
                ]
                row[how] = band(seconds[1:])  # the first compiles
            found.append(row)
    return found


def orders(how, n, T, repeats):
    """One more order than repeats, the rows at random or in turn.

    In turn each begins where the last ended, or the cache would hold it.
    """
    for seed in range(repeats + 1):
        if how == "at random":
            yield draw_order(n, T, seed=seed)
        else:
            yield (seed * T + np.arange(T)) % n


def on_real_data(X, y, X_test, y_test, seeds, setup):
    """Error on new data after T steps, and the seconds these took."""
    lam, steps = setup["lam"], setup["steps"]
    mixed = np.random.default_rng(0).permutation(len(y))
    found = {"n": len(y), "d": X.shape[1], "nonzero": (X != 0).mean()}
    rows = []
    for wanted in setup["examples"]:
        n = len(y) if wanted is None else wanted
        X_n, y_n = X[mixed[:n]], y[mixed[:n]]
        forms = {name: form(X_n) for name, (_, form) in SOLVERS.items()}
        wrong = []
        for seed in seeds:
            run = compiled.pegasos(
                forms["compiled"],
                y_n,
                lam,
                order=draw_order(n, steps[-1], seed=seed),
                snapshots=steps,
            )
            scores = X_test @ run.averages.T
            wrong.append((y_test[:, None] * scores <= 0).mean(axis=0))
        seconds = {
            name: [
                seconds_of(
                    SOLVERS[name][0], data, y_n, lam, draw_order(n, T, seed=0)
                )
                for T in steps
            ]
            for name, data in forms.items()
        }
        error, half = interval(wrong)
        rows.append(
            {
                "n": n,
                "error": error,
                "half": half,
                "seconds": seconds,
            }
        )
    return shortened({**found, "runs": rows})
