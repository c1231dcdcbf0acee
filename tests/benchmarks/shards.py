"""python -m tests.benchmarks.shards: Pegasos over shards, against one process.

Makes a file of rows of 100 numbers, has workers read it, and prints as
ratios, each of contenders that took turns: one worker against the plain
solver; one worker against two; runs whose bits differ while workers are slow
at random; and, with a file larger than the memory a worker may use,
scikit-learn's SGDClassifier on the same blocks. Times are those of the clock
on the wall, as several processes work. --small takes a hundredth of the
data. With --out FILE the numbers are kept there.
"""

import argparse
import contextlib
import functools
import os
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import dask
import numpy as np
import psutil
from distributed import Client, LocalCluster
from sklearn.linear_model import SGDClassifier

from pegasos_edu import distributed
from pegasos_edu.distributed.engine import PATIENCE
from pegasos_edu.distributed.readers import npy_shards
from pegasos_edu.experiments import shortened
from pegasos_edu.experiments.__main__ import as_text
from pegasos_edu.solvers import compiled
from tests.benchmarks.setting import load, setting
from tests.benchmarks.timing import spread

D, LAM = 100, 1e-4
# Of the passes over all data, and of each shard's steps: what both take.
DRAWN = dict(sampling="blocks", average_from=None)
# Below 1e8 numbers of eight bytes; a worker without data takes half of it.
MEMORY = 600 * 10**6
RUNS = 20


def make_files(folder, n):
    """X.npy, y.npy: Gaussian rows, labelled by a half-space with noise."""
    rng, direction = np.random.default_rng(0), np.ones(D)
    shape = dict(mode="w+", dtype=np.float64)
    X = np.lib.format.open_memmap(folder / "X.npy", shape=(n, D), **shape)
    y = np.lib.format.open_memmap(folder / "y.npy", shape=(n,), **shape)
    for start in range(0, n, 10_000):
        rows = rng.standard_normal((min(10_000, n - start), D))
        rows /= np.sqrt(D)  # of length 1 or so
        flipped = np.where(rng.random(len(rows)) < 0.1, -1.0, 1.0)
        X[start : start + len(rows)] = rows
        y[start : start + len(rows)] = flipped * np.sign(rows @ direction)


@contextlib.contextmanager
def workers(number, memory=None):
    """A client of so many processes, with one thread each."""
    with (
        dask.config.set(PATIENCE),
        LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            memory_limit=memory,
            dashboard_address="127.0.0.1:0",
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def wall(work, *arguments, **options):
    """Seconds on the wall, and what the call returned."""
    start = time.perf_counter()
    value = work(*arguments, **options)
    return time.perf_counter() - start, value


def in_turns(contenders, repeats):
    """Seconds of each in each round; every one was called once before."""
    for work in contenders.values():
        work()
    times = {name: [] for name in contenders}
    for _ in range(repeats):
        for name, work in contenders.items():
            times[name].append(wall(work)[0])
    return {name: np.array(took) for name, took in times.items()}


def first_rows(folder, n):
    """A reader that is called once: its rows are held in memory."""
    names = folder / "X.npy", folder / "y.npy"
    return tuple(np.array(np.load(name, mmap_mode="r")[:n]) for name in names)


def overhead(folder, n, rounds=10, repeats=5):
    """One worker against the plain solver, a pass over n rows a round.

    Both get arrays in memory; neither time has the reading in it.
    """
    reader = functools.partial(first_rows, folder, n)
    X, y = reader()
    with workers(1) as client, distributed.load([reader], client) as shards:
        steps = dict(T=rounds * n, seed=0, **DRAWN)
        times = in_turns(
            {
                "plain": lambda: compiled.pegasos(X, y, LAM, **steps),
                "one worker": lambda: distributed.pegasos(
                    shards, LAM, rounds=rounds, **steps
                ),
            },
            repeats,
        )
    return {
        "nonzeros_a_round": n * D,
        "seconds_a_round": spread(times["plain"] / rounds),
        "one worker / plain": spread(times["one worker"] / times["plain"]),
    }


def two_workers(folder, n, rounds=5, repeats=3, parts=8):
    """One worker against two, on the same shards of the file."""
    data = npy_shards(folder / "X.npy", folder / "y.npy", parts)
    with (
        workers(1) as one,
        workers(2) as two,
        distributed.load(data, one) as alone,
        distributed.load(data, two) as shared,
    ):
        options = dict(T=rounds * n // parts, rounds=rounds, seed=0, **DRAWN)
        times = in_turns(
            {
                "one": lambda: distributed.pegasos(alone, LAM, **options),
                "two": lambda: distributed.pegasos(shared, LAM, **options),
            },
            repeats,
        )
    return {
        "nonzeros_a_round": n * D,
        "seconds_a_round": spread(times["one"] / rounds),
        "one worker / two": spread(times["one"] / times["two"]),
    }


@dataclass
class Slow:
    """A reader that now and then takes its time."""

    reader: object
    most: float = 0.05  # seconds
    mapped = True

    def __call__(self):
        time.sleep(self.most * np.random.default_rng().random())
        return self.reader()


def differing_bits(folder, runs=RUNS):
    """How many runs with workers of random speeds gave other bits."""
    readers = npy_shards(folder / "X.npy", folder / "y.npy", 100)[:5]
    options = dict(T=2_000, rounds=10, seed=0)
    wanted = distributed.pegasos(readers, LAM, client="here", **options)
    slow = [Slow(reader) for reader in readers]
    found = []
    for number in (1, 2):
        with workers(number) as client:
            found += [
                distributed.pegasos(slow, LAM, client=client, **options)
                for _ in range(runs // 2)
            ]
    bits = wanted.last.tobytes() + wanted.average.tobytes()
    other = [run.last.tobytes() + run.average.tobytes() for run in found]
    return {"runs": len(other), "other": sum(one != bits for one in other)}


class Watch(threading.Thread):
    """The most bytes that any of some processes holds in memory."""

    def __init__(self, pids):
        super().__init__(daemon=True)
        self.seen, self.most, self.done = pids, 0, threading.Event()

    def run(self):
        while not self.done.wait(0.05):
            with contextlib.suppress(psutil.NoSuchProcess):
                held = [psutil.Process(p).memory_info().rss for p in self.seen]
                self.most = max(self.most, *held)


def larger_than_memory(folder, n, passes=5, parts=32):
    """Two workers and SGDClassifier: seconds, and how far from the optimum.

    Both make the same number of passes over the same blocks and return the
    average of their iterates. A worker that held more than its memory would
    be ended and another started; `restarted` says whether one was.
    """
    data = npy_shards(folder / "X.npy", folder / "y.npy", parts)
    with workers(2, MEMORY) as client, distributed.load(data, client) as all_:
        before = set(client.run(os.getpid).values())
        watch = Watch(list(before))
        watch.start()
        options = dict(T=passes * n // parts, rounds=passes, seed=0)
        options |= dict(sampling="blocks", average_from=options["T"] // 2 + 1)
        took, run = wall(distributed.pegasos, all_, LAM, **options)
        watch.done.set()
        theirs, w = wall(sgd, data, passes)
        best = distributed.optimum(all_, LAM, tol=1e-2)
        values = distributed.objective(all_, [run.average, w], LAM)
        after = set(client.run(os.getpid).values())
    return {
        "bytes": n * D * 8,
        "memory_limit": MEMORY,
        "most_memory": watch.most,
        "restarted": after != before,
        "seconds": took,
        "SGDClassifier / two workers": theirs / took,
        "above_the_bound": dict(
            zip(("two workers", "SGDClassifier"), values / best.dual - 1.0)
        ),
        "gap": best.gap,
    }


def sgd(data, passes):
    """scikit-learn's classifier on one block after another."""
    model = SGDClassifier(alpha=LAM, fit_intercept=False, average=True)
    for _ in range(passes):
        for reader in data:
            X, y = reader()
            model.partial_fit(X, y, classes=[-1.0, 1.0])
    return model.coef_[0]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.shards")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    n, before = 10_000 if options.small else 1_000_000, load()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, n)
        result = {
            "overhead": overhead(folder, n // 10),
            "two workers": two_workers(folder, n),
            "bits": differing_bits(folder),
            "memory": larger_than_memory(folder, n),
        }
    command = "python -m tests.benchmarks.shards"
    facts = setting(command, pinned="no", load_average=[before, load()])
    text = as_text(shortened({"setting": facts, **result}, digits=4))
    if options.out:
        options.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
