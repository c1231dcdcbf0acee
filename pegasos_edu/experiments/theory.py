"""The long runs behind the chapters on risk and on the number of examples.

Each function returns plain numbers; `run` calls them all and says how long
each took. Everything but the measured times follows from the seeds. What is
recorded is computed with the defaults; tests ask for less. `fresh` is the
number of new examples on which errors are counted.
"""

import json
import math
import subprocess
import sys
import time

import numpy as np
import scipy.sparse as sp

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.experiments import interval, shortened, versions
from pegasos_edu.problem.data import digits_zero, noisy_halfspace, two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import compiled
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.steps import InverseSqrt
from pegasos_edu.theory.basics import played, radius_of
from pegasos_edu.theory.regret import regret
from pegasos_edu.theory.risk import check_random_index, check_risk


def steps_between(low, high, count):
    """Whole numbers from low to high, evenly spread on a log scale."""
    grid = np.geomspace(low, high, count)
    return sorted({round(step) for step in grid})


def errors(W, X, y):
    """The share of wrong predictions of each row w of W."""
    return (y * (W @ X.T) <= 0.0).mean(axis=1)


def limits(coverage):
    """A Coverage as plain numbers."""
    return {
        "failures": coverage.failures,
        "runs": coverage.runs,
        "promised": coverage.promised,
        "upper": coverage.upper,
    }


def coverage(T=1000, runs=2000):
    """Theorem 3 on the digits, and Zhou's theorems on two clouds."""
    X, y = digits_zero()
    markov = {
        str(delta): limits(
            check_random_index(X, y, 0.1, T, delta, runs=runs, seed=1)
        )
        for delta in (0.01, 0.1)
    }
    found = {"theorem 3": markov}
    X, y = two_clouds()
    delta = 0.05 / (4.0 * math.log(T))
    checked = check_risk(X, y, 0.1, T, delta, runs=runs, seed=2)
    for name, (count, comparison) in checked.items():
        found[name] = limits(count) | {"largest ratio": comparison.ratio}
    return found


def rates(lam=0.1, T=100_000, runs=50):
    """Gap of four outputs on the digits against the number of steps.

    The means over all runs; from T/50 steps on also the gap of every run, so
    that a slope or a comparison of two outputs gets an interval. For the
    random iterate no index is drawn: its gap is the mean over w_1, …, w_t.
    """
    X, y = digits_zero()
    lowest = optimum(X, y, lam).primal
    steps = np.array(steps_between(10, T, 21))
    halves = steps // 2
    gaps = {name: [] for name in ("last", "average", "last half", "random")}

    def gaps_of(W):
        """In blocks: every row of W meets every digit."""
        blocks = np.array_split(W, len(W) // 2000 + 1)
        costs = [objective(block, X, y, lam) for block in blocks]
        return np.concatenate(costs) - lowest

    for seed in range(runs):
        order = draw_order(len(y), T, seed=seed)
        run = compiled.pegasos(
            X, y, lam, order=order, snapshots=np.arange(1, T + 1)
        )
        mean = run.averages  # row t − 1 is that of w_1, …, w_t
        half = (
            steps[:, np.newaxis] * mean[steps - 1]
            - halves[:, np.newaxis] * mean[halves - 1]
        ) / (steps - halves)[:, np.newaxis]
        played_gaps = gaps_of(np.vstack([np.zeros(X.shape[1]), run.iterates]))
        random = played_gaps[:T].cumsum() / np.arange(1, T + 1)
        gaps["last"].append(played_gaps[steps])
        gaps["average"].append(gaps_of(mean[steps - 1]))
        gaps["last half"].append(gaps_of(half))
        gaps["random"].append(random[steps - 1])
    late = steps >= T // 50
    return {
        "lam": lam,
        "runs": runs,
        "steps": steps.tolist(),
        "gaps": {
            name: np.mean(g, axis=0).tolist() for name, g in gaps.items()
        },
        "late steps": steps[late].tolist(),
        "late gaps": {
            name: np.array(g)[:, late].tolist() for name, g in gaps.items()
        },
        "R": radius_of(X),
    }


def label_noise(
    lam=0.01,
    d=10,
    runs=30,
    sizes=(100, 1000, 10_000, 100_000),
    T=100_000,
    fresh=100_000,
):
    """Zhou's section 4: Gaussian data with 10 % of the labels flipped.

    The means over all runs, and the gap and the error of every run, so that
    a power or a comparison of two sizes gets an interval.
    """
    X_new, y_new = noisy_halfspace(fresh, d, seed=10_000)
    best = optimum(X_new, y_new, lam, tol=1e-5)
    steps = steps_between(10, T, 25)
    found = {
        "lam": lam,
        "d": d,
        "runs": runs,
        "steps": steps,
        "noise": 0.1,
        "error of w*": float(errors(best.w[None], X_new, y_new)[0]),
    }
    for n in sizes:
        gaps, wrong, training = [], [], []
        for seed in range(runs):
            X, y = noisy_halfspace(n, d, seed=seed)
            run = compiled.pegasos(
                X, y, lam, T=steps[-1], seed=seed, snapshots=steps
            )
            lowest = optimum(X, y, lam, tol=1e-5).primal
            gaps.append(
                objective(run.averages, X_new, y_new, lam) - best.primal
            )
            training.append(objective(run.averages, X, y, lam) - lowest)
            wrong.append(errors(run.averages, X_new, y_new))
        found[str(n)] = {
            "new gap": np.mean(gaps, axis=0).tolist(),
            "training gap": np.mean(training, axis=0).tolist(),
            "new error": np.mean(wrong, axis=0).tolist(),
            "every gap": np.array(gaps).tolist(),
            "every error": np.array(wrong).tolist(),
        }
    return found


def hundred_steps(n=10_000, runs=30, T=100_000, fresh=100_000):
    """New error after 100 steps and after T, for several λ and data.

    Zhou gives no more than "a Gaussian distribution", so there are two
    readings: one cloud cut by a half-space, and one cloud for each class.
    Every run has a data set and an order of its own; the intervals are those
    of the means, see `experiments.interval`.
    """
    makers = {
        "one cloud, d = 10": lambda n, seed: noisy_halfspace(n, 10, seed),
        "one cloud, d = 2": lambda n, seed: noisy_halfspace(n, 2, seed),
        "two clouds, d = 10": lambda n, seed: noisy_clouds(n, 10, seed),
        "two clouds, d = 2": lambda n, seed: noisy_clouds(n, 2, seed),
    }
    found = {"runs": runs, "errors": {}}
    for name, make in makers.items():
        X_new, y_new = make(fresh, 10_000)
        found["errors"][name] = {}
        for lam in (1.0, 0.1, 0.01):
            wrong = []
            for seed in range(runs):
                X, y = make(n, seed)
                run = compiled.pegasos(
                    X, y, lam, T=T, seed=seed, snapshots=[100, T]
                )
                wrong.append(errors(run.averages, X_new, y_new))
            found["errors"][name][str(lam)] = interval(wrong)
    return found


def noisy_clouds(n, d, seed, distance=2.0, noise=0.1):
    """Two Gaussian clouds at ±distance from the origin, labels flipped."""
    rng = np.random.default_rng(seed)
    side = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    X = rng.standard_normal((n, d)) + distance * side[:, None] / math.sqrt(d)
    return X, np.where(rng.random(n) < noise, -side, side)


def step_rules(lam=0.1, T=20_000, runs=30):
    """Regret of the steps 1/(λt) and scale/√t on the same sequences.

    The means over all runs, and the regret of every run, so that a power of
    T or a comparison of two steps gets an interval.
    """
    X, y = digits_zero()
    R = radius_of(X)
    u = optimum(X, y, lam).w
    ball = 1.0 / math.sqrt(lam)
    G = math.sqrt(lam) + R
    at = np.array(steps_between(100, T, 17))
    found = {
        "lam": lam,
        "steps": at.tolist(),
        "D": 2.0 * ball,
        "G": G,
        "R": R,
        "runs": runs,
        "every regret": {},
    }
    rules = {
        "1/(lam t)": None,
        "D/(G sqrt t)": InverseSqrt(2.0 * ball / G),
        "1/sqrt t": InverseSqrt(1.0),
        "G/sqrt t": InverseSqrt(G),
    }
    for name, step in rules.items():
        totals = []
        for seed in range(runs):
            order = draw_order(len(y), T, seed=seed)
            W = played(X, y, lam, order, step=step, radius=ball)
            totals.append(regret(W, u, X, y, lam, order)[at - 1])
        found[name] = np.mean(totals, axis=0).tolist()
        found["every regret"][name] = np.array(totals).tolist()
    return found


def set_size(
    lam=0.01, d=20, epsilon=0.1, runs=30, sizes=(100, 1000, 10_000, 100_000)
):
    """Steps to f(w̄) − f* ≤ ε, for n from a hundred to a hundred thousand.

    Every run has a data set and an order of its own.
    """
    steps = steps_between(300, 30_000, 81)
    found = {"lam": lam, "d": d, "epsilon": epsilon, "runs": runs}
    found["sizes"] = list(sizes)
    needed = {n: [] for n in sizes}
    for n in sizes:
        for seed in range(runs):
            X, y = noisy_halfspace(n, d, seed=seed)
            lowest = optimum(X, y, lam, tol=1e-4).primal
            run = compiled.pegasos(
                X, y, lam, T=steps[-1], seed=seed, snapshots=steps
            )
            gaps = objective(run.averages, X, y, lam) - lowest
            needed[n].append(steps[np.flatnonzero(gaps <= epsilon)[0]])
    found["steps needed"] = [needed[n] for n in sizes]
    return found


def nonzeros(
    n=2000,
    d=100_000,
    T=200_000,
    rounds=30,
    counts=(10, 20, 40, 80, 160, 320),
):
    """Seconds of processor time for T steps, by non-zeros in a row.

    The sizes take turns, so that other work on the machine falls on none
    of them alone. Every round is kept.
    """
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    order = draw_order(n, T, seed=0)
    data = {count: sparse_rows(n, d, count) for count in counts}
    seconds = {count: [] for count in counts}
    for _ in range(rounds):
        for count, X in data.items():
            start = time.process_time()
            compiled.pegasos(X, y, 1e-3, order=order, average_from=None)
            seconds[count].append(time.process_time() - start)
    return {
        "n": n,
        "d": d,
        "T": T,
        "counts": list(counts),
        "seconds": [seconds[count] for count in counts],
    }


def sparse_rows(n, d, count):
    """A sparse matrix with `count` normal entries in each row."""
    rng = np.random.default_rng(0)
    columns = np.concatenate(
        [np.sort(rng.choice(d, count, replace=False)) for _ in range(n)]
    )
    values = rng.standard_normal(n * count)
    return sp.csr_matrix((values, columns, np.arange(n + 1) * count), (n, d))


def more_data(
    d=50,
    runs=30,
    tuning=10,
    targets=(0.14, 0.13),
    sizes=(1000, 2000, 4000, 8000, 16_000, 64_000, 256_000),
    lams=(1.0, 0.3, 0.1, 0.03, 0.01),
    T=100_000,
    fresh=20_000,
):
    """Steps to a fixed error on new data, with the best λ, as n grows.

    λ is chosen on runs of its own, by their mean error. Then every one of
    the other runs says how many steps it needed with that λ, or None.
    """
    X_new, y_new = noisy_halfspace(fresh, d, seed=10_000)
    steps = steps_between(300, T, 61)
    reached = {target: [] for target in targets}
    for n in sizes:
        wrong = {lam: [] for lam in lams}
        for seed in range(tuning + runs):
            X, y = noisy_halfspace(n, d, seed=seed)
            for lam in lams:
                run = compiled.pegasos(
                    X, y, lam, T=steps[-1], seed=seed, snapshots=steps
                )
                wrong[lam].append(errors(run.averages, X_new, y_new))
        for target in targets:
            means = {
                lam: first(steps, np.mean(curves[:tuning], axis=0) <= target)
                for lam, curves in wrong.items()
            }
            able = [lam for lam in lams if means[lam] is not None]
            lam = min(able, key=means.get) if able else None
            curves = wrong[lam][tuning:] if able else []
            needed = [first(steps, curve <= target) for curve in curves]
            reached[target].append({"lam": lam, "steps": needed})
    return {
        "d": d,
        "runs": runs,
        "tuning": tuning,
        "sizes": list(sizes),
        "reached": {str(target): rows for target, rows in reached.items()},
    }


def first(steps, found):
    """The first step at which `found` is true, or None."""
    where = np.flatnonzero(found)
    return steps[where[0]] if len(where) else None


def decomposition(
    d=50, lam=0.1, T=1000, runs=30, sizes=(250, 1000, 4000, 16_000, 64_000)
):
    """Approximation, estimation and optimisation error of the hinge loss.

    The population is stood in for by a large sample. Approximation is
    what λ costs there against almost no regularisation. The other two are
    pairs, see `experiments.interval`: for each size of the sample the mean
    over the runs, and half of its interval.
    """
    X_new, y_new = noisy_halfspace(50_000, d, seed=10_000)

    def risk(w):
        return objective(w, X_new, y_new, 1e-12)

    free = risk(optimum(X_new, y_new, 1e-4, tol=1e-4).w)
    ideal = risk(optimum(X_new, y_new, lam, tol=1e-5).w)
    estimation, optimisation = [], []
    for n in sizes:
        estimated, reached = [], []
        for seed in range(runs):
            X, y = noisy_halfspace(n, d, seed=seed)
            estimated.append(risk(optimum(X, y, lam, tol=1e-5).w))
            run = compiled.pegasos(X, y, lam, T=T, seed=seed)
            reached.append(risk(run.average))
        estimation.append(np.array(estimated) - ideal)
        # In pairs: both have seen the same sample.
        optimisation.append(np.subtract(reached, estimated))
    return {
        "d": d,
        "lam": lam,
        "T": T,
        "runs": runs,
        "sizes": list(sizes),
        "approximation": ideal - free,
        "estimation": interval(np.transpose(estimation)),
        "optimisation": interval(np.transpose(optimisation)),
    }


# A run in a process of its own, whose private memory is limited. The file
# is mapped, not read, so its pages do not count.
ON_DISK = """
import json, os, resource, sys, tempfile
import numpy as np
from pegasos_edu.solvers import dense
n, d, T, extra = map(int, sys.argv[1:])
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "X.npy")
    X = np.lib.format.open_memmap(path, "w+", np.float32, (n, d))
    y = np.empty(n)
    rng = np.random.default_rng(0)
    for first in range(0, n, 50_000):
        block = rng.standard_normal((50_000, d), dtype=np.float32)
        X[first : first + 50_000] = block
        y[first : first + 50_000] = np.where(block[:, 0] >= 0, 1.0, -1.0)
    X.flush()
    del X
    X = np.load(path, mmap_mode="r")
    with open("/proc/self/status") as status:
        used = [line for line in status if line.startswith("VmData")]
    limit = int(used[0].split()[1]) * 1024 + extra
    resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    run = dense.pegasos(X, y, 0.01, T=T, seed=0)
    try:
        np.array(X)
        fits = True
    except MemoryError:
        fits = False
    test = rng.standard_normal((20_000, d))
    wrong = np.mean((test @ run.average > 0) != (test[:, 0] >= 0))
    print(json.dumps({
        "n": n, "d": d, "T": T, "file bytes": os.path.getsize(path),
        "bytes allowed on top": extra, "whole file fits": fits,
        "test error": float(wrong),
    }))
"""


def on_disk(n=2_500_000, d=100, T=20_000, extra=256 * 2**20):
    """Train from a file larger than the memory the run may use (Linux)."""
    sizes = [str(size) for size in (n, d, T, extra)]
    out = subprocess.run(
        [sys.executable, "-c", ON_DISK, *sizes],
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(out.stdout)


PARTS = (
    coverage,
    rates,
    label_noise,
    hundred_steps,
    step_rules,
    set_size,
    nonzeros,
    more_data,
    decomposition,
    on_disk,
)


def add_arguments(parser):
    """What the command line of this experiment accepts: nothing more."""


def run(options):
    """Run all parts; returns what is recorded."""
    found = {
        "command": "python -m pegasos_edu.experiments theory",
        "versions": versions(),
    }
    for part in PARTS:
        start = time.perf_counter()
        found[part.__name__] = part()
        seconds = time.perf_counter() - start
        print(f"{part.__name__}: {seconds:.1f} s", file=sys.stderr)
    return shortened(found, digits=6)
