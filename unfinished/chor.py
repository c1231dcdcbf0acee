"""Chor's figures on MNIST, whole: every method, every λ, cost and accuracy.

The digits, the ball and the numbers of steps are those of
`pegasos_edu.experiments.mnist`. Here the whole courses of the runs are
kept, for the last iterate and for the average: of every method at the main
λ, and of Pegasos at every λ. Pegasos also runs on raw pixels, 0 to 255.
"""

import os

import numpy as np
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pegasos_edu import draw_order, objective, pegasos
from pegasos_edu.experiments import mnist, shortened, versions
from pegasos_edu.solvers.relatives import sgd
from pegasos_edu.solvers.steps import PegasosStep

METHODS = ("GD", "PGD", "SGD", "SMD", "SEG±", "AdaGrad", "Pegasos")
add_arguments = mnist.add_arguments


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
    return {
        "command": command,
        "versions": versions(),
        "load": shortened(os.getloadavg()[0]),
        **result,
    }


def measure(parts, seeds, setup):
    """Everything the page reads, as one nested dictionary."""
    main = setup["lam"]
    every = {
        name: course(name, main, parts, seeds, setup)
        for name in tqdm(METHODS, desc="methods")
    }
    return {
        "setup": {**setup, "seeds": seeds},
        "methods": shortened(every, 5),
        "lams": [
            shortened(
                {
                    "lam": lam,
                    "Pegasos": course("Pegasos", lam, parts, seeds, setup),
                    "pixels": pixels(lam, parts, seeds, setup),
                },
                5,
            )
            for lam in tqdm(setup["lams"], desc="values of λ")
        ],
    }


def wanted(T, count=25):
    """Steps from 1 to T, evenly spread on a log scale."""
    return np.unique(np.geomspace(1, T, count).round().astype(int))


def course(name, lam, parts, seeds, setup):
    """Cost and test accuracy of one method along its runs, medians."""
    offline = name in mnist.OFFLINE
    steps = wanted(setup["T_offline" if offline else "T_online"])
    runs = [
        mnist.solve(name, lam, parts, seed, setup, snapshots=steps)[0]
        for seed in (seeds[:1] if offline else seeds)
    ]
    return judged(runs, lam, parts)


def judged(runs, lam, parts):
    """Medians over runs: cost and accuracy, of the last and the average."""
    X, y, X_test, y_test = parts
    found = {"steps": runs[0].steps}
    for output in ("iterates", "averages"):
        W = [getattr(run, output) for run in runs]
        found[output] = {
            "cost": np.median([objective(w, X, y, lam) for w in W], axis=0),
            "accuracy": np.median(
                [mnist.accuracy(w, X_test, y_test) for w in W], axis=0
            ),
        }
    return found


def pixels(lam, parts, seeds, setup):
    """Pegasos without a ball on both scales of the pixels.

    "same λ" keeps λ on raw pixels; "λ times 255²" is the same problem in
    other units, so its runs are those on the divided pixels, w over 255.
    The ball of radius 10 is tried on raw pixels, too.
    """
    X, y, X_test, y_test = parts
    raw = 255.0 * X, y, 255.0 * X_test, y_test
    T = setup["T_online"]
    steps = wanted(T)

    def runs(data, lam, **options):
        return [
            sgd(
                data[0],
                y,
                lam,
                order=draw_order(len(y), T, seed=seed),
                snapshots=steps,
                step=PegasosStep(lam),
                **options,
            )
            for seed in seeds
        ]

    units = lam * 255.0**2
    same = [
        pegasos(
            raw[0],
            y,
            units,
            order=draw_order(len(y), T, seed=seed),
            snapshots=steps,
        )
        for seed in seeds
    ]
    ball = {"ball": "l1", "radius": setup["radius"]}
    return {
        "divided": judged(runs(parts, lam), lam, parts),
        "same λ": judged(runs(raw, lam), lam, raw),
        "same λ, ball": judged(runs(raw, lam, **ball), lam, raw),
        "λ times 255²": judged(same, units, raw),
    }
