"""python -m tests.benchmarks.shards: Pegasos over shards, against others.

Makes a file of rows of 100 numbers, has workers read it, and prints, of
contenders that took turns: what one worker takes longer than the plain
solver, and two less than one; how many runs have other bits while workers
are slow at random; what scheduler and client hold; and, with a file larger
than all workers may hold, what is reached in which time: by shards, by
scikit-learn's SGDClassifier, and by dask-ml and Spark where they can be
imported (`tests.benchmarks.rivals` says how). Seconds are those of the clock
on the wall, as several processes work. --small takes a hundredth of the
data, --only PART measures one part. With --out FILE the numbers are kept
there, after each part; with both, the other parts in FILE stay as they are,
and the part gets its own date and load.
"""

import argparse
import contextlib
import functools
import json
import multiprocessing
import os
import tempfile
import threading
import time
import tracemalloc
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np
import psutil
import scipy.sparse as sp
from distributed import Client

from pegasos_edu import distributed
from pegasos_edu.distributed.readers import NpyRows, npy_shards
from pegasos_edu.distributed.rounds import Plan, local_round
from pegasos_edu.distributed.shards import Shard, opened
from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from pegasos_edu.solvers import compiled
from tests.benchmarks import rivals
from tests.benchmarks.setting import setting
from tests.benchmarks.timing import spread
from tests.clusters import local_cluster

D = 100
# Of the passes over all data, and of each shard's steps: what both take.
DRAWN = dict(sampling="blocks", average_from=None)
# Of one worker. It takes more than half of it before it has any data, and
# two have less than the file.
MEMORY = 600 * 10**6
RUNS = 20
PARTS = ("overhead", "two workers", "bits", "client", "memory")
COMMAND = "python -m tests.benchmarks.shards"


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
    if hasattr(os, "sync"):
        os.sync()  # or the system writes while others are timed


@contextlib.contextmanager
def workers(number, memory=None):
    """A client of so many processes, with one thread each."""
    with local_cluster(number, memory) as cluster, Client(cluster) as client:
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


def rows_of(folder, n, parts):
    """Readers of the first n rows, in so many shards."""
    ends = [n * part // parts for part in range(parts + 1)]
    names = str(folder / "X.npy"), str(folder / "y.npy")
    return [NpyRows(*names, *pair) for pair in pairwise(ends)]


def held(reader):
    """What a reader maps, in memory."""
    return tuple(np.array(part) for part in reader())


def overhead(folder, n, lam, rounds=10, repeats=9):
    """One worker against the plain solver, a pass over n rows a round.

    With one shard, and with four, which the worker takes one after another:
    then the scheduler has its part in each round. All get arrays in memory;
    no time has the reading in it.
    """
    X, y = held(*rows_of(folder, n, 1))
    with contextlib.ExitStack() as stack:
        client = stack.enter_context(workers(1))
        steps = functools.partial(dict, seed=0, **DRAWN)
        runs = {
            "plain": functools.partial(
                compiled.pegasos, X, y, lam, **steps(T=rounds * n)
            )
        }
        for parts, name in ((1, "one shard"), (4, "four shards")):
            readers = [
                functools.partial(held, reader)
                for reader in rows_of(folder, n, parts)
            ]
            shards = stack.enter_context(distributed.load(readers, client))
            runs[name] = functools.partial(
                distributed.pegasos,
                *(shards, lam),
                rounds=rounds,
                **steps(T=rounds * n // parts),
            )
        times = in_turns(runs, repeats)
    return {
        "nonzeros_a_round": n * D,
        "rounds": rounds,
        "seconds_a_round": spread(times["plain"] / rounds),
        **{
            f"{name} / plain": spread(times[name] / times["plain"])
            for name in list(runs)[1:]
        },
    }


def two_workers(folder, n, lam, passes=5):
    """One worker against two: shards of the file, and shards in memory.

    In a file one can have more shards than workers; what is held in memory
    is one shard for each. With more, or out of a file, a round takes longer.
    """
    kinds = {
        "from the file": rows_of(folder, n, 4),
        "in memory": [
            functools.partial(held, reader) for reader in rows_of(folder, n, 2)
        ],
    }
    return {
        "nonzeros": n * D,
        "passes": passes,
        **{
            kind: {"shards": len(data), **one_over_two(data, n, lam, passes)}
            for kind, data in kinds.items()
        },
    }


def one_over_two(data, n, lam, passes, repeats=9):
    """What one worker takes over two, on the same shards.

    They make the same passes, with a round after each or one at the end:
    what lies between the two ratios is what the rounds take. What one
    process takes over two that share the shards and know nothing of each
    other, without workers, is what this computer lets one hope for.
    """
    with (
        workers(1) as one,
        workers(2) as two,
        distributed.load(data, one) as alone,
        distributed.load(data, two) as shared,
    ):
        options = dict(T=passes * n // len(data), seed=0, **DRAWN)
        ratios = {}
        for rounds, name in ((passes, "a round a pass"), (1, "one round")):
            run = functools.partial(
                distributed.pegasos, lam=lam, rounds=rounds, **options
            )
            times = in_turns(
                {
                    "one": functools.partial(run, alone),
                    "two": functools.partial(run, shared),
                },
                repeats,
            )
            ratios[name] = {
                "seconds": spread(times["one"]),
                "one / two": spread(times["one"] / times["two"]),
            }
    one, two = (apart(data, lam, passes, repeats, k) for k in (1, 2))
    ratios["no workers"] = {
        "seconds": spread(one),
        "one / two": spread(one / two),
    }
    return ratios


def passes_over(data, lam, passes, repeats, begin, seconds):
    """What a process of its own does; it begins when all are ready."""
    shards = [
        Shard(number, None if mapped else block, reader, *block[0].shape)
        for number, reader in enumerate(data)
        for mapped, block in [(getattr(reader, "mapped", False), reader())]
    ]

    def work(passes):
        for shard in shards:
            local_round(
                shard,
                state=np.zeros((2, D)),
                number=0,
                plan=Plan(
                    lam=lam,
                    T=passes * shard.size,
                    rounds=1,
                    seed=0,
                    loss="hinge",
                    corrected=None,
                    **DRAWN,
                ),
                n=shard.size,
            )

    work(passes=1)  # compiles
    took = []
    for _ in range(repeats):
        begin.wait()
        took.append(wall(work, passes)[0])
    seconds.put(took)


def apart(data, lam, passes, repeats, count):
    """Seconds until the last of so many processes is through its shards."""
    context = multiprocessing.get_context("spawn")
    begin, seconds = context.Barrier(count), context.Queue()
    for first in range(count):
        work = data[first::count], lam, passes, repeats, begin, seconds
        context.Process(target=passes_over, args=work).start()
    return np.max([seconds.get() for _ in range(count)], axis=0)


@dataclass
class Slow:
    """A reader that now and then takes its time."""

    reader: object
    most: float = 0.02  # seconds
    mapped = True

    def __call__(self):
        time.sleep(self.most * np.random.default_rng().random())
        return self.reader()


def differing_bits(folder, lam, runs=RUNS):
    """How many runs with workers of random speeds gave other bits."""
    readers = rows_of(folder, 5_000, 5)
    options = dict(T=2_000, rounds=10, seed=0)
    wanted = distributed.pegasos(readers, lam, client="here", **options)
    slow = [Slow(reader) for reader in readers]
    found = []
    for number in (1, 2):
        with workers(number) as client:
            found += [
                distributed.pegasos(slow, lam, client=client, **options)
                for _ in range(runs // 2)
            ]
    bits = wanted.last.tobytes() + wanted.average.tobytes()
    other = [run.last.tobytes() + run.average.tobytes() for run in found]
    return {"runs": len(other), "other": sum(one != bits for one in other)}


def held_by_client(large, rounds=20):
    """Bytes that scheduler and client hold at most, per number of a w.

    Both are in this process. A w of eight bytes a number counts as 8.
    """
    found = {}
    with workers(2) as client:
        for d, parts in ((large // 10, 4), (large, 4), (large, 16)):
            data = [narrow_block(d, part) for part in range(parts)]
            with distributed.load(data, client) as shards:
                tracemalloc.start()
                distributed.pegasos(
                    shards, 0.1, T=rounds, rounds=rounds, seed=0
                )
                _, most = tracemalloc.get_traced_memory()
                tracemalloc.stop()
            found[f"d = {d:,}, {parts} shards"] = most / d
    return {"rounds": rounds, "bytes / d": found}


def narrow_block(d, seed):
    """A few rows, with ten of d columns that are not 0 in each."""
    rng = np.random.default_rng(seed)
    X = sp.csr_array(rng.standard_normal((20, 10)))
    X.resize(20, d)
    return X, np.tile([1.0, -1.0], 10)


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


def larger_than_memory(folder, lam, passes=5, parts=32):
    """Two workers, and others on the same blocks: what they reach, and when.

    All begin with files and end with w. Before its time starts, each has run
    on two of the blocks: cluster and Java run, loops are compiled, and
    libraries imported. Pegasos, SGDClassifier and dask-ml make the same
    number of passes and return an average of their iterates; the other two
    stop by themselves. A worker that held more than its memory would be
    ended and another started; `restarted` says whether one was.
    """
    data = npy_shards(folder / "X.npy", folder / "y.npy", parts)
    seconds, places, left_out = {}, {}, {}

    def race(name, work, blocks, *arguments):
        work(blocks[:2], *arguments)
        seconds[name], places[name] = wall(work, blocks, *arguments)

    @contextlib.contextmanager
    def taking_part(name):
        try:
            yield
        except Exception as error:  # whatever a rival has
            left_out[name] = f"{type(error).__name__}: {error}"[:200]

    # The same steps and the same w as of two workers, without workers.
    race("Pegasos, one process", in_rounds, data, lam, passes, "here")
    with workers(2, MEMORY) as client:
        before = client.run(os.getpid)
        with distributed.load(data[:2], client) as few:  # compiles
            distributed.optimum(few, lam, tol=0.5)
            in_rounds(few, lam, passes)
        watch = Watch(list(before.values()))
        watch.start()
        seconds["two workers"], places["two workers"] = wall(
            in_rounds, data, lam, passes, client
        )
        took, best = wall(
            distributed.optimum, data, lam, tol=1e-3, client=client
        )
        seconds["two workers, certified"] = took
        places["two workers, certified"] = best.w
        watch.done.set()
        restarted = client.run(os.getpid) != before
    race("SGDClassifier", rivals.sgd, data, lam, passes)
    with taking_part("dask-ml"), workers(2):
        race("dask-ml", rivals.incremental, data, lam, passes)
    with taking_part("Spark"), rivals.spark(folder) as fit:
        race("Spark", fit, rivals.as_parquet(data, folder), lam)
    values = distributed.objective(
        data, list(places.values()), lam, client="here"
    )
    return {
        "bytes": (folder / "X.npy").stat().st_size,
        "shards": parts,
        "memory_limit": MEMORY,
        "most_memory": watch.most,
        "restarted": restarted,
        "passes": passes,
        "gap": best.gap,
        "contenders": {
            name: {
                "seconds": seconds[name],
                "times two workers": seconds[name] / seconds["two workers"],
                "above the bound": value / best.dual - 1.0,
            }
            for name, value in zip(places, values)
        },
        "left out": left_out,
    }


def in_rounds(data, lam, passes, client=None):
    """So many passes in as many rounds; the last half is averaged."""
    with opened(data, client) as shards:
        T = passes * shards.n // len(shards.sizes)
        options = dict(sampling="blocks", average_from=T // 2 + 1)
        return distributed.pegasos(
            shards, lam, T, rounds=passes, seed=0, **options
        ).average


def main(arguments=None):
    parser = argparse.ArgumentParser(prog=COMMAND)
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--only", choices=PARTS)
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    scale = 100 if options.small else 1
    n = 1_600_000 // scale  # of which 1.28 GB are made
    lam, before = 160 / n, load()
    facts = setting(COMMAND, pinned="no", lam=lam)
    facts["versions"] |= rivals.versions()
    record = {"setting": facts}
    again = options.only and options.out and options.out.exists()
    if again:
        record = json.loads(options.out.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder, n)
        works = (
            lambda: overhead(folder, 100_000 // scale, lam),
            lambda: two_workers(folder, n * 5 // 8, lam),
            lambda: differing_bits(folder, lam),
            lambda: held_by_client(1_000_000 // scale),
            lambda: larger_than_memory(folder, lam),
        )
        for part, work in zip(PARTS, works):
            if options.only not in (None, part):
                continue
            took, record[part] = wall(work)
            print(f"[shards] {part}: {took:.0f} s", flush=True)
            facts["load_average"] = [before, load()]
            if again:
                keys = "date", "versions", "load_average"
                record[part]["again"] = {key: facts[key] for key in keys}
            text = as_text(shortened(record, digits=4))
            if options.out:
                options.out.write_text(text, "utf-8")
    print(text)


if __name__ == "__main__":
    main()
