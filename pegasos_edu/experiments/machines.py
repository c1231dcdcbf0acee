"""What averaging over machines leaves, and what a round costs the engine.

`correction` solves every shard's own problem to its optimum, averages, and
tries the bias correction of Zhang, Duchi and Wainwright (2013). `rounds`
measures, on a cluster of processes on this machine, the seconds of a round of
`pegasos_edu.distributed.pegasos` for several numbers of shards, of features
and of steps.
"""

import os
import sys
import time

import numpy as np
import scipy.sparse as sp

from pegasos_edu import distributed
from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.experiments import load, shortened, versions
from pegasos_edu.problem.data import noisy_halfspace

SETUP = {
    # The correction: shards of n/m rows, a share r of each solved again.
    "n": 8192,
    "d": 10,
    "lam": 0.01,
    "machines": [16, 64, 128],
    "share": 0.5,
    "population": 100_000,  # rows that stand in for all there could be
    # A round: rows of so many non-zeros.
    "nonzeros": 100,
    "rows": 100,  # in each shard
    "rounds": 10,
    "repeats": 10,
    # Workers, shards, features, steps of each shard in a round.
    "grid": [
        *([2, m, d, 1] for d in (100, 10_000, 100_000) for m in (1, 4, 16)),
        *([2, m, d, 1] for d in (100, 10_000, 100_000) for m in (2, 8, 32)),
        *([workers, 4, 100, 30_000] for workers in (1, 2)),
        *([workers, 4, 100, 100_000] for workers in (1, 2)),
    ],
}
LOSSES = ("hinge", "log")


def add_arguments(parser):
    """What the command line of this experiment accepts."""
    parser.add_argument(
        "--seeds",
        type=int,
        default=30,
        metavar="K",
        help="data sets of the seeds 0, …, K − 1 (default 30)",
    )


def run(options):
    """Run both parts; returns what is recorded."""
    return measure(range(options.seeds), SETUP)


def measure(seeds, setup):
    """The record for these seeds and this setup."""
    before = load()
    found = {
        "command": "python -m pegasos_edu.experiments machines "
        f"--seeds {len(seeds)}",
        "versions": versions(),
        "processor": f"{os.cpu_count()} cores",
        "setup": setup,
        "seeds": len(seeds),
        "correction": correction(seeds, setup),
        "rounds": rounds(setup),
    }
    return shortened(found | {"load": [before, load()]})


def correction(seeds, setup):
    """How far averages are from two optima, with and without correction.

    Returns
    -------
    dict
        For each loss a list of rows, one for each number of machines: lists
        with a distance for each seed, from the optimum of all n rows
        ("data") and from that of the population.
    """
    lam, d, found = setup["lam"], setup["d"], {}
    for loss in LOSSES:
        X, y = noisy_halfspace(setup["population"], d, seed=10_000)
        goal = optimum(X, y, lam, loss, tol=1e-5).w
        found[loss] = [{"m": m} for m in setup["machines"]]
        for seed in seeds:
            X, y = noisy_halfspace(setup["n"], d, seed=seed)
            whole = optimum(X, y, lam, loss, tol=1e-7).w
            for row in found[loss]:
                means = both_means(X, y, loss, seed, row["m"], setup)
                for name, w in (*means, ("whole", whole)):
                    for what, end in (("data", whole), ("population", goal)):
                        away = float(np.linalg.norm(w - end))
                        row.setdefault(f"{name}, {what}", []).append(away)
        print(f"correction: {loss}", file=sys.stderr)
    return found


def both_means(X, y, loss, seed, m, setup):
    """The average of the shards' own optima, and the corrected one."""
    r, lam = setup["share"], setup["lam"]
    rng = np.random.default_rng(seed)
    own, again = [], []
    for rows in np.array_split(np.arange(len(y)), m):
        few = rng.choice(rows, round(r * len(rows)), replace=False)
        own.append(optimum(X[rows], y[rows], lam, loss, tol=1e-7).w)
        again.append(optimum(X[few], y[few], lam, loss, tol=1e-7).w)
    average = np.mean(own, axis=0)
    corrected = (average - r * np.mean(again, axis=0)) / (1.0 - r)
    return ("average", average), ("corrected", corrected)


def rounds(setup):
    """Seconds of a round on the wall, for each entry of the grid.

    The entries take turns, so that other work on the machine falls on none
    alone. The first turn compiles and is not counted.
    """
    from distributed import Client, LocalCluster

    times = [[] for _ in setup["grid"]]
    for workers in sorted({entry[0] for entry in setup["grid"]}):
        with (
            LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                memory_limit=None,
                dashboard_address="127.0.0.1:0",
            ) as cluster,
            Client(cluster) as client,
        ):
            mine = [k for k, e in enumerate(setup["grid"]) if e[0] == workers]
            loaded = {
                k: distributed.load(shards(setup["grid"][k], setup), client)
                for k in mine
            }
            for turn in range(setup["repeats"] + 1):
                for k in mine:
                    took = seconds(loaded[k], setup["grid"][k], setup)
                    if turn:
                        times[k].append(took)
        print(f"rounds: {workers} workers", file=sys.stderr)
    return [
        {
            "workers": entry[0],
            "shards": entry[1],
            "d": entry[2],
            "steps": entry[3],
            "seconds": float(np.median(took)),
            "quartiles": np.quantile(took, [0.25, 0.75]),
        }
        for entry, took in zip(setup["grid"], times)
    ]


def seconds(data, entry, setup):
    """The seconds of one round, of several in a row."""
    count, steps = setup["rounds"], entry[3]
    start = time.perf_counter()
    distributed.pegasos(
        data,
        setup["lam"],
        count * steps,
        rounds=count,
        seed=0,
        average_from=None,
    )
    return (time.perf_counter() - start) / count


def shards(entry, setup):
    """Sparse rows for each shard, with labels of both kinds."""
    _, m, d, _ = entry
    n, held = setup["rows"], []
    for number in range(m):
        rng = np.random.default_rng(number)
        full = min(d, setup["nonzeros"])
        columns = [rng.choice(d, full, replace=False) for _ in range(n)]
        values = rng.standard_normal(n * full) / np.sqrt(full)
        starts = np.arange(0, n * full + 1, full)
        X = sp.csr_array(
            (values, np.sort(columns, axis=1).ravel(), starts), shape=(n, d)
        )
        held.append((X, np.where(np.arange(n) % 2 == 0, 1.0, -1.0)))
    return held
