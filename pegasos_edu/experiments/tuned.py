"""Chor's methods on MNIST, each with the best factor of one small grid.

The digits, the ball, λ and the numbers of steps are those of
`pegasos_edu.experiments.mnist`. The factor of every step rule is chosen on
the training cost of the last iterate, over orders that are used for nothing
else; then every method runs on the same other orders.
"""

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pegasos_edu.experiments import interval, mnist, shortened, versions
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.steps import Constant, InverseSqrt

METHODS = ("PGD", "SGD", "SMD", "SEG±", "AdaGrad", "Pegasos", "Pegasos, ℓ2")
SETUP = {
    # Two to a decade.
    "grid": [float(f"{10 ** (k / 2):.3g}") for k in range(-5, 3)],
    "tuning seeds": [100, 101, 102],
}


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    mnist.add_arguments(parser)


def run(options):
    """The experiment as the command line asks for it."""
    setup = {**mnist.SETUP, **SETUP}
    data = mnist.load(options.data, options.fetch)
    parts = mnist.split(*data, setup["n_train"], setup["n_test"])
    with threadpool_limits(1):
        result = measure(parts, list(range(options.seeds)), setup)
    command = (
        "python -m pegasos_edu.experiments tuned --data DIR "
        f"--seeds {options.seeds}"
    )
    return {"command": command, "versions": versions(), **result}


def measure(parts, seeds, setup):
    """Everything the page reads, as one nested dictionary."""
    kept = ("n_train", "n_test", "radius", "T_online", "T_offline", "lam")
    found, ends = {}, {}
    for name in tqdm(METHODS, desc="methods"):
        tried = [
            costs_with(name, c, parts, setup["tuning seeds"], setup).mean()
            for c in setup["grid"]
        ]
        factor = setup["grid"][int(np.argmin(tried))]
        W = runs_with(name, factor, parts, seeds, setup)
        ends[name] = judged(W, parts, setup["lam"])
        found[name] = {"tried": tried, "factor": factor}
    for name in METHODS:
        found[name] |= summary(ends[name], ends["Pegasos"])
    return shortened(
        {
            "setup": {
                **{key: setup[key] for key in (*kept, *SETUP)},
                "seeds": seeds,
            },
            "used": (parts[0] != 0.0).any(axis=0).mean(),
            "methods": found,
        },
        6,
    )


def judged(W, parts, lam):
    """Training cost, test accuracy, share of weights that are not 0."""
    X, y, X_test, y_test = parts
    return {
        "cost": objective(W, X, y, lam),
        "accuracy": mnist.accuracy(W, X_test, y_test),
        "nonzero": (W != 0.0).mean(axis=1),
    }


def summary(ends, base):
    """Means with intervals, and in pairs: both have seen the same orders."""
    return {
        **{key: interval(values) for key, values in ends.items()},
        "minus Pegasos": {
            key: interval(values - base[key]) for key, values in ends.items()
        },
    }


def rule(name, c, lam):
    """The step rule of a method, multiplied by c."""
    if name.startswith("Pegasos"):
        return lambda t: c / (lam * t)
    return Constant(c) if name == "AdaGrad" else InverseSqrt(c)


def runs_with(name, c, parts, seeds, setup):
    """The last iterates with the factor c, one row for each order."""
    lam = setup["lam"]
    drawn = seeds[:1] if name in mnist.OFFLINE else seeds
    return np.array(
        [
            mnist.solve(
                name, lam, parts, seed, setup, step=rule(name, c, lam)
            )[0].last
            for seed in drawn
        ]
    )


def costs_with(name, c, parts, seeds, setup):
    """Training costs of those iterates."""
    W = runs_with(name, c, parts, seeds, setup)
    return objective(W, *parts[:2], setup["lam"])
