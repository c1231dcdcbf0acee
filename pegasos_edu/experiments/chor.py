"""Chor's figures on MNIST, whole: every method, every λ, cost and accuracy.

The digits, the ball, the step rules and the numbers of steps are those of
`pegasos_edu.experiments.mnist`. Here the courses of the runs are kept, for
the last iterate and for the average: of every method at the main λ, and of
SGD and Pegasos at every λ. Pegasos also runs on raw pixels, 0 to 255.
"""

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pegasos_edu.experiments import mnist, shortened, versions
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.relatives import sgd
from pegasos_edu.solvers.steps import PegasosStep

METHODS = ("GD", "PGD", "SGD", "SMD", "SEG±", "AdaGrad", "Pegasos")
OUTPUTS = ("iterates", "averages")
BRIGHTEST = 255.0  # a pixel of MNIST is a byte


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    mnist.add_arguments(parser)


def run(options):
    """The experiment as the command line asks for it."""
    setup = mnist.SETUP
    data = mnist.load(options.data, options.fetch)
    parts = mnist.split(*data, setup["n_train"], setup["n_test"])
    with threadpool_limits(1):
        result = measure(parts, list(range(options.seeds)), setup)
    command = (
        "python -m pegasos_edu.experiments chor --data DIR "
        f"--seeds {options.seeds}"
    )
    return {"command": command, "versions": versions(), **result}


def measure(parts, seeds, setup):
    """Everything the page reads, as one nested dictionary."""
    kept = ("n_train", "n_test", "radius", "T_online", "T_offline", "lam")
    found = {
        "setup": {**{key: setup[key] for key in kept}, "seeds": seeds},
        "methods": {
            name: courses(name, setup["lam"], parts, seeds, setup)
            for name in tqdm(METHODS, desc="methods")
        },
        "lams": [
            {
                "lam": lam,
                "SGD": courses("SGD", lam, parts, seeds, setup),
                "Pegasos": courses("Pegasos", lam, parts, seeds, setup),
                "pixels": pixels(lam, parts, seeds, setup),
            }
            for lam in tqdm(setup["lams"], desc="values of λ")
        ],
    }
    for row in found["lams"]:
        row["below"] = below(row["Pegasos"], row["SGD"])
    return shortened(summary(found))


def wanted(T, count=25):
    """Steps from 1 to T, evenly spread on a log scale."""
    return np.unique(np.geomspace(1, T, count).round().astype(int))


def courses(name, lam, parts, seeds, setup):
    """Cost and test accuracy of one method along its runs, seed by seed."""
    offline = name in mnist.OFFLINE
    steps = wanted(setup["T_offline" if offline else "T_online"])
    runs = [
        mnist.solve(name, lam, parts, seed, setup, snapshots=steps)[0]
        for seed in (seeds[:1] if offline else seeds)
    ]
    return judged(runs, lam, parts)


def judged(runs, lam, parts):
    """Cost and accuracy, each of shape (runs, steps), of both outputs."""
    X, y, X_test, y_test = parts
    found = {"steps": runs[0].steps}
    for output in OUTPUTS:
        W = [getattr(run, output) for run in runs]
        found[output] = {
            "cost": np.array([objective(w, X, y, lam) for w in W]),
            "accuracy": np.array(
                [mnist.accuracy(w, X_test, y_test) for w in W]
            ),
        }
    return found


def below(one, other):
    """At each step, in how many runs the cost of one is the lower one.

    Both methods have seen the same examples in the same order, so the runs
    are compared in pairs.
    """
    return {
        output: (one[output]["cost"] < other[output]["cost"]).sum(axis=0)
        for output in OUTPUTS
    }


def summary(found):
    """Replace every array of runs by its median course and its ends."""
    if isinstance(found, dict):
        return {key: summary(value) for key, value in found.items()}
    if isinstance(found, list):
        return [summary(value) for value in found]
    if isinstance(found, np.ndarray) and found.ndim == 2:
        return {"median": np.median(found, axis=0), "ends": found[:, -1]}
    return found


def pixels(lam, parts, seeds, setup):
    """Pegasos on both scales of the pixels, without a ball and with it.

    "raw" keeps λ. "raw, λ times 255²" is the problem of "divided" in other
    units: the same runs, w divided by 255.
    """
    X, y, X_test, y_test = parts
    raw = BRIGHTEST * X, y, BRIGHTEST * X_test, y_test
    ball = {"ball": "l1", "radius": setup["radius"]}
    units = lam * BRIGHTEST**2
    T = setup["T_online"]

    def course(data, lam, **options):
        runs = [
            sgd(
                data[0],
                y,
                lam,
                order=draw_order(len(y), T, seed=seed),
                snapshots=wanted(T),
                step=PegasosStep(lam),
                **options,
            )
            for seed in seeds
        ]
        return judged(runs, lam, data)

    return {
        "divided": course(parts, lam),
        "raw": course(raw, lam),
        "raw, ball": course(raw, lam, **ball),
        "raw, λ times 255²": course(raw, units),
    }
