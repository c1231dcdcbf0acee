"""Chor's comparison of first-order methods on MNIST, zero against the rest.

The protocol of Chor (2020), chapter 3: 10,000 training and 3,000 test
digits, pixels divided by 255, labels −1 for zero and +1 for the rest, the
ℓ1-ball of radius 10, 100 steps offline and 10,000 online, the iterate kept
every 100 steps. Added here: the certified optima, thirty orders of the
examples, counts of what the steps do, and the ℓ2-ball of the analysis.

What depends on the order is kept as a pair, see `experiments.interval`. Only
the times are no such pair: they are the least over a few orders.
"""

import math
import time
import timeit
from pathlib import Path

import numpy as np
from sklearn.datasets import fetch_openml
from threadpoolctl import threadpool_limits
from tqdm import tqdm

from pegasos_edu.certificate.constrained import optimum_on
from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.experiments import interval, shortened, versions
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import compiled
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.projections import project_l1
from pegasos_edu.solvers.relatives import (
    adagrad,
    exponentiated_gradient,
    gradient_descent,
    mirror_descent,
    sgd,
)
from pegasos_edu.solvers.steps import InverseSqrt, PegasosStep

SETUP = {
    "n_train": 10_000,
    "n_test": 3_000,
    "radius": 10.0,
    "T_online": 10_000,
    "T_offline": 100,
    "every": 100,
    "T_long": 1_000_000,
    "timed": 5,
    "repeats": 8,
    "lam": 0.1,
    "lams": [1e-3, 1e-2, 1e-1, 1.0, 10.0],
}
OFFLINE = ("GD", "PGD")
# Their times are subtracted from each other, so they are taken more often.
COMPARED = ("SGD", "Pegasos", "SGD, free", "Pegasos, free")


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    parser.add_argument(
        "--data",
        type=Path,
        metavar="DIR",
        required=True,
        help="the folder of mnist.npz (X of shape (n, 784), y; the 60,000 "
        "training digits first)",
    )
    parser.add_argument(
        "--fetch",
        action="store_true",
        help="download MNIST from OpenML into DIR if it is not there",
    )
    parser.add_argument(
        "--seeds",
        type=int,
        default=30,
        metavar="K",
        help="run with the seeds 0, …, K − 1 (default 30)",
    )


def run(options):
    """The experiment as the command line asks for it."""
    data = load(options.data, options.fetch)
    parts = split(*data, SETUP["n_train"], SETUP["n_test"])
    with threadpool_limits(1):  # one thread, so that times compare
        result = measure(parts, list(range(options.seeds)), SETUP)
    command = (
        "python -m pegasos_edu.experiments mnist --data DIR "
        f"--seeds {options.seeds}"
    )
    return {"command": command, "versions": versions(), **result}


def load(folder, fetch=False):
    """X (n, 784) and y (n,) from mnist.npz in a folder.

    Parameters
    ----------
    folder : Path
    fetch : bool
        Whether to download the digits first if the file is not there.

    Returns
    -------
    X, y : ndarray

    Raises
    ------
    FileNotFoundError
        If there is no such file and `fetch` is off.
    """
    path = Path(folder) / "mnist.npz"
    if not path.exists():
        if not fetch:
            raise FileNotFoundError(
                f"There is no mnist.npz in {folder}; expected one with "
                f"arrays X and y, or the option --fetch to download it."
            )
        X, y = fetch_openml(
            "mnist_784", version=1, as_frame=False, return_X_y=True
        )
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(path, X=X.astype(np.uint8), y=y.astype(int))
    with np.load(path) as stored:
        return stored["X"], stored["y"]


def split(X, y, n_train, n_test, first_test=60_000):
    """The first rows of MNIST's two parts, scaled, zero against the rest.

    Returns
    -------
    X, y, X_test, y_test : ndarray
    """
    if len(y) < first_test + n_test:
        raise ValueError(
            f"mnist.npz holds {len(y)} digits; expected at least "
            f"{first_test + n_test}, the training digits first."
        )
    labels = np.where(y == 0, -1.0, 1.0)
    test = slice(first_test, first_test + n_test)
    return (
        X[:n_train] / 255.0,
        labels[:n_train],
        X[test] / 255.0,
        labels[test],
    )


def solvers(lam, setup):
    """Name -> (solver, its own options), in the order of Chor's table."""
    ball = {"radius": setup["radius"]}
    l1 = {"ball": "l1", **ball}
    pegasos = {"step": PegasosStep(lam)}
    return {
        "GD": (gradient_descent, {}),
        "PGD": (gradient_descent, l1),
        "SGD": (sgd, l1),
        "SMD": (mirror_descent, {"lazy": True, **l1}),
        "SEG±": (exponentiated_gradient, ball),
        "AdaGrad": (adagrad, l1),
        "Pegasos": (sgd, {**pegasos, **l1}),
        "Pegasos, ℓ2": (sgd, {**pegasos, "radius": lam**-0.5}),
        "SGD, free": (sgd, {}),
        "Pegasos, free": (sgd, pegasos),
    }


def measure(parts, seeds, setup):
    """Everything the chapter reads, as one nested dictionary."""
    return {
        "setup": {**setup, "seeds": seeds},
        "data": describe(parts),
        "curves": shortened(curves(parts, seeds, setup)),
        "lams": [
            shortened(study(lam, parts, seeds, setup), 6)
            for lam in tqdm(setup["lams"], desc="values of λ")
        ],
        "calls": shortened(cost_of_calls(parts, setup)),
        "rules": shortened(cost_of_step_rules(parts, setup)),
        "scales": shortened(scaled_steps(parts, seeds, setup)),
    }


def describe(parts):
    """Norms and class shares of the data."""
    X, y, _, y_test = parts
    return shortened(
        {
            "zeros": (y < 0).mean(),
            "zeros_test": (y_test < 0).mean(),
            "norm2": np.linalg.norm(X, axis=1).mean(),
            "norm2_max": np.linalg.norm(X, axis=1).max(),
            "norm1": np.abs(X).sum(axis=1).mean(),
            "nonzero": (X != 0).mean(),
        }
    )


def gradient_bound(parts, setup):
    """G ≥ ‖g_t‖₂ on the ball: λ·radius + the largest ‖x‖₂."""
    largest = np.linalg.norm(parts[0], axis=1).max()
    return setup["lam"] * setup["radius"] + largest


def solve(name, lam, parts, seed, setup, **options):
    """One run of one method, and the processor seconds it took."""
    X, y, _, _ = parts
    solver, own = solvers(lam, setup)[name]
    if name in OFFLINE:
        steps = {"T": setup["T_offline"]}
    else:
        T = setup["T_online"]
        steps = {"order": draw_order(len(y), T, seed=seed)}
    begin = time.process_time()
    result = solver(X, y, lam, **steps, **{**own, **options})
    return result, time.process_time() - begin


def accuracy(w, X, y):
    """Share of rows on the right side, for one w or a stack."""
    return ((X @ w.T).T * y > 0).mean(axis=-1)


def curves(parts, seeds, setup):
    """Cost and test accuracy along the runs at the main λ."""
    X, y, X_test, y_test = parts
    lam, found, costs = setup["lam"], {}, {}
    for name in solvers(lam, setup):
        if name.endswith("free"):
            continue
        offline = name in OFFLINE
        T = setup["T_offline" if offline else "T_online"]
        every = 1 if offline else setup["every"]
        steps = np.arange(every, T + 1, every)
        cost, right = [], []
        for seed in seeds[:1] if offline else seeds:
            result, _ = solve(name, lam, parts, seed, setup, snapshots=steps)
            cost.append(objective(result.iterates, X, y, lam))
            right.append(accuracy(result.iterates, X_test, y_test))
        found[name] = {
            "every": every,
            "cost": interval(cost),
            "accuracy": interval(right),
        }
        costs[name] = np.array(cost)
    # In pairs, because both have seen the same orders.
    ahead = costs["SGD"] - costs["Pegasos"]
    found["SGD"]["minus Pegasos"] = interval(ahead)
    return found


def study(lam, parts, seeds, setup):
    """One λ: the certified optima and how near each method comes."""
    X, y, X_test, y_test = parts

    def judged(w):
        return {
            "cost": objective(w, X, y, lam),
            "accuracy": accuracy(w, X_test, y_test),
            "train_accuracy": accuracy(w, X, y),
            "norm1": np.abs(w).sum(),
            "norm2": np.linalg.norm(w),
        }

    free = optimum(X, y, lam)
    ball = optimum_on("l1", setup["radius"], X, y, lam, tol=1e-5, rounds=100)
    T = setup["T_long"]
    long = np.array(
        [
            compiled.pegasos(
                X,
                y,
                lam,
                T,
                seed=seed,
                sampling="epochs",
                average_from=T // 2 + 1,
            ).average
            for seed in seeds
        ]
    )
    return {
        "lam": lam,
        "optimum": {**judged(free.w), "gap": free.gap},
        "optimum_l1": {**judged(ball.w), "gap": ball.gap},
        "long": {
            "cost": interval(objective(long, X, y, lam)),
            "accuracy": interval(accuracy(long, X_test, y_test)),
        },
        "methods": methods(lam, parts, seeds, setup),
    }


def methods(lam, parts, seeds, setup):
    """Final cost and accuracy, counts and time, method by method."""
    seconds = times(lam, parts, seeds[: setup["timed"]], setup)
    found = {name: ends(name, lam, parts, seeds, setup) for name in seconds}
    return {
        name: {
            **{key: interval(values) for key, values in kept.items()},
            # Both have seen the same order, so they are compared in pairs.
            "minus Pegasos": {
                key: interval(values - found["Pegasos"][key])
                for key, values in kept.items()
                if key in ("cost", "average_cost", "projected")
            },
            # The least is what the work takes; the rest is other load.
            "seconds": seconds[name],
        }
        for name, kept in found.items()
    }


def times(lam, parts, seeds, setup):
    """Name -> the least processor seconds of a run without evaluations."""
    seconds = dict.fromkeys(solvers(lam, setup), np.inf)
    for seed in seeds:  # the methods in turn, so that they share a load
        for name in (*seconds, *COMPARED * setup["repeats"]):
            _, spent = solve(name, lam, parts, seed, setup)
            seconds[name] = min(seconds[name], spent)
    return seconds


def ends(name, lam, parts, seeds, setup):
    """What each run of a method ends with: key -> array (seeds,)."""
    X, y, X_test, y_test = parts
    has_ball = "radius" in solvers(lam, setup)[name][1]
    counted = has_ball and name not in OFFLINE
    found = []
    for seed in seeds[:1] if name in OFFLINE else seeds:
        options = {}
        if counted:
            options["snapshots"] = np.arange(1, setup["T_online"] + 1)
        run, _ = solve(name, lam, parts, seed, setup, **options)
        found.append(
            {
                "cost": objective(run.last, X, y, lam),
                "accuracy": accuracy(run.last, X_test, y_test),
                "average_cost": objective(run.average, X, y, lam),
                "average_accuracy": accuracy(run.average, X_test, y_test),
                **(
                    count(name, run, lam, parts, seed, setup)
                    if counted
                    else {}
                ),
            }
        )
    return {key: np.array([one[key] for one in found]) for key in found[0]}


def count(name, run, lam, parts, seed, setup):
    """Shares of the steps that violate the margin and that end on the ball.

    Taken from the iterates, so the solvers need not count.
    """
    X, y, _, _ = parts
    own = solvers(lam, setup)[name][1]
    order = draw_order(len(y), setup["T_online"], seed=seed)
    # The first step starts at 0, where every margin is 0.
    margins = y[order[1:]] * np.einsum(
        "td,td->t", run.iterates[:-1], X[order[1:]]
    )
    violations = 1 + (margins < 1).sum()
    p = 1 if own.get("ball") == "l1" else 2
    norms = np.linalg.norm(run.iterates, ord=p, axis=1)
    on_ball = norms >= own["radius"] * (1 - 1e-9)
    return {
        "violations": violations / setup["T_online"],
        "projected": on_ball.mean(),
    }


def cost_of_calls(parts, setup, repeats=2000, rounds=60):
    """Microseconds of one l1-projection, from inside and from outside."""
    X, radius = parts[0], setup["radius"]
    # A point like those of the runs: an example, scaled into the ball and
    # a little beyond it.
    edge = X[0] * (radius / np.abs(X[0]).sum())
    return {
        name: 1e6
        * min(
            timeit.repeat(
                lambda w=scale * edge: project_l1(w, radius),
                number=repeats,
                repeat=rounds,
                timer=time.process_time,
            )
        )
        / repeats
        for name, scale in (("inside", 0.9), ("outside", 1.1))
    }


class PythonRoot(InverseSqrt):
    """γ/√t with Python's square root in the place of NumPy's."""

    def __call__(self, t):
        return self.scale / math.sqrt(t)


def cost_of_step_rules(parts, setup, repeats=80):
    """Microseconds of one free SGD step, by the rule for the step size.

    1/√t by NumPy's square root, by Python's, and 1/(λt).
    """
    X, y, _, _ = parts
    lam, T = setup["lam"], min(3000, setup["T_online"])
    order = draw_order(len(y), T, seed=0)
    rules = {
        "numpy": InverseSqrt(),
        "math": PythonRoot(),
        "pegasos": PegasosStep(lam),
    }
    seconds = dict.fromkeys(rules, np.inf)
    for _ in range(repeats):  # in turn, so that they share a load
        for name, rule in rules.items():
            begin = time.process_time()
            sgd(X, y, lam, order=order, step=rule)
            spent = time.process_time() - begin
            seconds[name] = min(seconds[name], spent)
    return {name: 1e6 * best / T for name, best in seconds.items()}


def scaled_steps(parts, seeds, setup):
    """SGD with c/√t for c = 1, D/G and G; D is the ball's diameter."""
    X, y, _, _ = parts
    D, G = 2 * setup["radius"], gradient_bound(parts, setup)
    found = []
    for name, c in (("1", 1.0), ("D/G", D / G), ("G", G)):
        costs = []
        for seed in seeds:
            result, _ = solve(
                "SGD", setup["lam"], parts, seed, setup, step=InverseSqrt(c)
            )
            w = np.stack([result.last, result.average])
            costs.append(objective(w, X, y, setup["lam"]))
        last, average = np.transpose(interval(costs))
        found.append(
            {"c": name, "value": c, "cost": last, "average_cost": average}
        )
    return found
