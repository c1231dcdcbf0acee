"""Shards: the same as on one machine, whoever computes and whoever is lost."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc
from dataclasses import dataclass
from itertools import pairwise

import dask
import dask.array
import dask.bag
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from distributed import Client, LocalCluster

from pegasos_edu import distributed, objective, optimum
from pegasos_edu.certificate.gap import certify
from pegasos_edu.distributed.ascent import dual_round, moved
from pegasos_edu.distributed.engine import PATIENCE
from pegasos_edu.distributed.readers import (
    NpyRows,
    npy_shards,
    parquet_shards,
    svmlight_shards,
)
from pegasos_edu.distributed.shards import Shard
from pegasos_edu.solvers import compiled, loop
from pegasos_edu.solvers.averaging import (
    average,
    ends_of_rounds,
    error_bound,
    one_round,
    seed_of,
)
from pegasos_edu.solvers.orders import draw_order
from tests.library.problems import assert_close, random_problem

LAM = 0.05
N, D = 240, 6


def blocks(m, seed=0, sparse=False):
    """m shards of one problem, the last of them larger than the others."""
    X, y = random_problem(seed, n=N, d=D)
    X[:, 0] += y  # something to learn
    y[::20], y[1::20] = -1.0, 1.0  # both labels in every shard
    X = sp.csr_array(X) if sparse else X
    ends = [N * j // (m + 1) for j in range(m)] + [N]
    return [(X[a:b], y[a:b]) for a, b in pairwise(ends)]


def whole(parts):
    X = [part[0] for part in parts]
    stack = sp.vstack if sp.issparse(X[0]) else np.vstack
    return stack(X), np.concatenate([part[1] for part in parts])


def run(data, client="here", **options):
    options = {"T": 600, "rounds": 6, "seed": 1, **options}
    return distributed.pegasos(data, LAM, client=client, **options)


def same_bits(found, wanted):
    assert found.last.tobytes() == wanted.last.tobytes()
    assert found.iterates.tobytes() == wanted.iterates.tobytes()
    assert found.average.tobytes() == wanted.average.tobytes()


# The steps


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_one_shard_and_one_round_are_the_plain_solver(sparse, loss):
    data = blocks(1, sparse=sparse)
    found = run(data, rounds=1, loss=loss, average_from=301)
    seed = seed_of(1, machine=0, number=0)
    wanted = compiled.pegasos(
        *data[0], LAM, 600, seed=seed, loss=loss, average_from=301
    )
    assert found.last.tobytes() == wanted.last.tobytes()
    assert_close(found.average, wanted.average)


def test_one_shard_and_many_rounds_are_the_plain_solver():
    """The clock goes on: the orders of the rounds, one after another."""
    (X, y), ends = blocks(1)[0], ends_of_rounds(601, 7)
    orders = [
        draw_order(N, last - before, seed=seed_of(1, 0, number))
        for number, (before, last) in enumerate(pairwise(ends))
    ]
    wanted = loop.pegasos(
        X, y, LAM, order=np.concatenate(orders), snapshots=ends[1:]
    )
    found = run([(X, y)], T=601, rounds=7, snapshots=ends[1:])
    assert_close(found.iterates, wanted.iterates)
    assert_close(found.averages, wanted.averages)
    assert_close(found.average, wanted.average)
    np.testing.assert_array_equal(found.steps, ends[1:])


def test_a_step_a_round_is_a_mini_batch():
    """A row from each of three equal shards, against batches of three."""
    X, y = whole(blocks(2))
    data = [(X[j : j + 80], y[j : j + 80]) for j in (0, 80, 160)]
    order = [
        [
            80 * j + draw_order(80, 1, seed=seed_of(1, j, t))[0]
            for j in range(3)
        ]
        for t in range(90)
    ]
    wanted = loop.pegasos(X, y, LAM, order=order, k=3)
    found = run(data, T=90, rounds=90)
    assert_close(found.last, wanted.last, rtol=1e-11)
    assert_close(found.average, wanted.average, rtol=1e-11)


def test_rounds_by_hand_are_those_of_the_engine():
    """With shards of several sizes, in shares of the examples."""
    data, ends = blocks(3), ends_of_rounds(600, 6)
    w, sizes = np.zeros(D), [len(y) for _, y in data]
    for number, (before, last) in enumerate(pairwise(ends)):
        places = one_round(
            data, LAM, w, last - before, seed=1, number=number, before=before
        )
        w = average(places, sizes)
    assert run(data, average_from=None).last.tobytes() == w.tobytes()
    assert run(data, average_from=None).average is None


def test_more_rounds_come_nearer_to_the_optimum_of_all_data():
    """Shards that are not alike; the mean over 30 seeds, and the bound."""
    X, y = whole(blocks(2))
    by_column = np.argsort(X[:, 1])
    data = [(X[rows], y[rows]) for rows in np.array_split(by_column, 3)]
    least = optimum(X, y, LAM).dual
    radius = np.linalg.norm(X, axis=1).max()

    def error(rounds):
        """The mean, and twice its standard error."""
        errors = [
            objective(run(data, rounds=rounds, seed=s).average, X, y, LAM)
            - least
            for s in range(30)
        ]
        bound = error_bound(radius, LAM, 600, rounds, machines=3)
        assert np.mean(errors) <= bound
        return np.mean(errors), 2.0 * np.std(errors) / np.sqrt(29)

    (one, wide), (many, narrow) = error(1), error(60)
    assert many + narrow < one - wide


def test_the_bound_is_that_of_pegasos_with_one_machine():
    T = 50
    plain = 2.0 * 3.0**2 / (0.1 * T) * sum(1.0 / t for t in range(1, T + 1))
    assert error_bound(3.0, 0.1, T, rounds=5, machines=1) == pytest.approx(
        plain
    )
    drift = sum(u / (u + t0) for t0 in range(0, T, 10) for u in range(1, 10))
    shares = 2.0 * (1.0 - 1.0 / 4) * 2.0 * 9.0 / (0.1 * T)
    assert error_bound(3.0, 0.1, T, 5, machines=4) == pytest.approx(
        plain + shares * drift
    )


def test_the_correction_takes_away_a_bias_of_one_over_the_steps():
    """Examples that are all violators at λ ≥ R²: w_T = mean of x, no bias.

    With the average of all iterates there is one: w_1 = 0 is in it, so
    w̄ = (1 − 1/T) x where every row is the same x. The correction with r
    gives ((1 − 1/T) − r(1 − 1/(rT)))/(1 − r) x = x.
    """
    X, y = np.tile([[0.5, -0.25]], (40, 1)), np.tile([1.0, -1.0], 20)
    data, options = [(X * y[:, np.newaxis], y)], {"T": 200, "rounds": 1}
    plain = distributed.pegasos(data, 1.0, seed=0, client="here", **options)
    better = distributed.pegasos(
        data, 1.0, seed=0, client="here", corrected=0.25, **options
    )
    np.testing.assert_allclose(plain.average, X[0] * (1 - 1 / 200))
    np.testing.assert_allclose(better.average, X[0])


# The gap and the optimum


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_optimum_over_shards_is_that_of_all_data(loss, sparse):
    data = blocks(3, sparse=sparse)
    X, y = whole(data)
    found = distributed.optimum(data, LAM, loss, tol=1e-5, client="here")
    wanted = optimum(X, y, LAM, loss)
    assert found.gap <= 1e-5
    assert found.dual <= wanted.primal and wanted.dual <= found.primal
    there = certify(found.w, np.concatenate(found.alpha), X, y, LAM, loss)
    assert found.primal == pytest.approx(there.primal, rel=1e-12)
    assert found.dual == pytest.approx(there.dual, rel=1e-12)


def test_the_objective_of_a_stack_is_that_of_all_data():
    data, w = blocks(3), np.random.default_rng(0).normal(size=(4, D))
    found = distributed.objective(data, w, LAM, client="here")
    np.testing.assert_allclose(found, objective(w, *whole(data), LAM))
    one = distributed.objective(data, w[0], LAM, client="here")
    assert one == found[0]


def test_added_changes_never_lower_the_dual():
    """For six shards that are all the same: the worst case of adding."""
    X, y = blocks(1)[0]
    shard = Shard(0, (X, y), None, N, D)
    alpha, place, values = None, np.zeros(D + 3), []
    for number in range(20):
        options = dict(loss="hinge", seed=0, number=number)
        alpha, sums = dual_round(
            shard, alpha, place=place, lam_n=LAM * N, **options
        )
        place = moved(place, 6 * sums, lam=LAM, n=6 * N, machines=6)
        _, payments, penalty = place[-3:]
        values.append(payments - penalty)
    assert np.all(np.diff(values) >= 0.0)


def test_no_optimum_is_returned_without_its_certificate():
    with pytest.raises(RuntimeError, match="gap is .* after 2 rounds"):
        distributed.optimum(
            blocks(2), LAM, tol=1e-9, max_rounds=2, client="here"
        )


# What is refused

GOOD = [[1.0, 2.0], [3.0, 4.0]], [1, -1]
BAD = {
    "shard 1: X holds nan in row 1, column 0": (
        [[1.0, 2.0], [np.nan, 1.0]],
        [1, -1],
    ),
    "shard 1: y holds only the label \\+1; expected both": (GOOD[0], [1, 1]),
    "shard 1: X has shape \\(0, 2\\); expected .* at least one row": (
        np.empty((0, 2)),
        [],
    ),
    "shard 1: y\\[0\\] is 2; expected": (GOOD[0], [2, 1]),
    "shard 1: X has 3 columns; expected 2, as shard 0": (
        np.eye(3)[:2],
        [1, -1],
    ),
    "shard 1: it is \\[\\]; expected at least one pair": [],
}


@pytest.mark.parametrize("message", BAD)
def test_the_shard_that_is_wrong_is_named(message):
    with pytest.raises(ValueError, match=message):
        distributed.load([GOOD, BAD[message], BAD[message]], client="here")


def test_what_is_no_data_is_refused():
    with pytest.raises(ValueError, match=r"data is \[\]; expected a list"):
        distributed.load([], client="here")
    with pytest.raises(TypeError, match="data is ndarray; expected a list"):
        distributed.load(np.eye(3), client="here")
    with pytest.raises(TypeError, match="shard 0: it is 3; expected a pair"):
        distributed.load([3], client="here")
    reader = NpyRows("no_such_file", "neither", 0, 2)
    with pytest.raises(FileNotFoundError, match="shard 1: .*no_such_file"):
        distributed.load([GOOD, reader], client="here")


@pytest.mark.parametrize(
    "options, message",
    [
        ({"rounds": 601}, "rounds is 601; expected an integer from 1 to 600"),
        ({"seed": -1}, "seed is -1"),
        ({"sampling": "epoch"}, "did you mean 'epochs'"),
        ({"loss": "hing"}, "did you mean 'hinge'"),
        ({"average_from": 601}, "average_from is 601"),
        ({"snapshots": [100, 150]}, "snapshots holds 150; expected steps"),
        ({"corrected": 0.5}, "corrected is 0.5 and rounds is 6; expected"),
        ({"corrected": 1.0, "rounds": 1}, "corrected is 1 and rounds is 1"),
    ],
)
def test_a_wrong_argument_is_named(options, message):
    with pytest.raises(ValueError, match=message):
        run([GOOD], **options)


def test_other_wrong_arguments_are_named():
    with distributed.load([GOOD], "here") as shards:
        with pytest.raises(ValueError, match="client is 'here' and data are"):
            run(shards)
        for alpha, message in (
            ([], "alpha has 0 entries; expected 1"),
            ([np.zeros(3)], r"alpha of shard 0 has shape \(3,\)"),
            ([np.array([0.0, 2.0])], "alpha of shard 0 ranges from 0.0 to 2"),
        ):
            with pytest.raises(ValueError, match=message):
                distributed.certify(shards, np.zeros(2), alpha, LAM)
        with pytest.raises(ValueError, match=r"w has shape \(3,\)"):
            distributed.objective(shards, np.zeros(3), LAM)
    with pytest.raises(TypeError, match="client is 3; expected"):
        distributed.load([GOOD], client=3)
    with pytest.raises(FloatingPointError, match="shard 0, round 1: the it"):
        run([([[1e308], [-1e308]], [1, -1])], T=600)


WITHOUT = """
import sys
sys.modules["distributed"] = None
from pegasos_edu import distributed
data = [([[1.0], [2.0]], [1, -1])]
print(distributed.pegasos(data, 0.5, 9, rounds=3, seed=0, client="here").last)
print([name for name in ("dask", "sklearn") if name in sys.modules])
try:
    distributed.load(data)
except ModuleNotFoundError as error:
    print(error)
"""


@pytest.mark.processes
def test_without_the_extra_all_runs_here_and_a_sentence_says_the_rest():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    _, modules, said = done.stdout.splitlines()
    assert modules == "[]"
    assert said == (
        "A cluster needs distributed, which is not installed; expected the "
        'extra: pip install "pegasos-edu[distributed]", or client="here", '
        "which needs no cluster."
    )


# Files


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """The data of `blocks` in two formats."""
    from sklearn.datasets import dump_svmlight_file

    folder = tmp_path_factory.mktemp("files")
    X, y = whole(blocks(1))
    np.save(folder / "X.npy", X), np.save(folder / "y.npy", y.astype(np.int8))
    dump_svmlight_file(X, y, str(folder / "all.txt"), zero_based=False)
    return folder


def test_files_are_what_they_hold(files):
    mapped = npy_shards(files / "X.npy", files / "y.npy", 3)
    X, y = whole(blocks(1))
    data = [
        (X[part.first : part.last], y[part.first : part.last])
        for part in mapped
    ]
    same_bits(run(mapped), run(data))
    with distributed.load(mapped, "here") as shards:
        assert all(sys.getsizeof(one) < 500 for one in shards.handles)
    with distributed.load(data, "here") as shards:
        held = sum(sys.getsizeof(one) for one in shards.handles)
    assert held > X.nbytes + y.nbytes


@pytest.mark.parametrize("shards", [1, 2, 7, 60])
def test_a_text_file_is_cut_between_its_lines(files, shards):
    parts = svmlight_shards(files / "all.txt", D, shards)
    assert len(parts) == shards
    X, y = whole([part() for part in parts])
    wanted = whole(blocks(1))
    np.testing.assert_allclose(X.toarray(), wanted[0], rtol=1e-12)
    np.testing.assert_array_equal(y, wanted[1])


def test_a_text_file_with_too_few_lines_is_refused(tmp_path):
    (tmp_path / "two.txt").write_text("+1 1:1\n-1 2:1\n")
    with pytest.raises(ValueError, match="shards is 3; expected"):
        svmlight_shards(tmp_path / "two.txt", d=2, shards=3)


def as_parquet(path, X, y, **columns):
    """A sparse problem as `parquet_shards` wants it, 40 rows a group."""
    X = sp.csr_array(X)
    rows = list(pairwise(X.indptr))
    table = {
        "label": y.astype(np.int8),
        "indices": [X.indices[a:b] for a, b in rows],
        "values": [X.data[a:b] for a, b in rows],
        **columns,
    }
    table = {
        name: list(column)
        for name, column in table.items()
        if column is not None
    }
    pyarrow.parquet.write_table(pyarrow.table(table), path, row_group_size=40)
    return path


def some_zeros():
    """Sparse rows, one of which is empty."""
    X, y = whole(blocks(1))
    X[np.abs(X) < 0.5] = 0
    X[7] = 0
    return sp.csr_array(X), y


@pytest.mark.parametrize("shards", [1, 2, 5, 6])
def test_a_parquet_file_is_what_it_holds(tmp_path, shards):
    X, y = some_zeros()
    path = as_parquet(tmp_path / "all.parquet", X, y)
    parts = parquet_shards(path, D, shards)
    assert len(parts) == shards
    ends = [40 * (6 * part // shards) for part in range(shards + 1)]
    data = [(X[a:b], y[a:b]) for a, b in pairwise(ends)]
    same_bits(run(parts), run(data))
    found = whole([part() for part in parts])
    assert (found[0] != X).nnz == 0 and (found[1] == y).all()


def test_what_is_wrong_with_a_parquet_file_is_one_sentence(tmp_path):
    X, y = some_zeros()
    path = as_parquet(tmp_path / "all.parquet", X, y)
    with pytest.raises(ValueError, match="shards is 7; expected at most 6"):
        parquet_shards(path, D, 7)
    [narrow] = parquet_shards(path, D - 1, 1)
    said = f"shard 0: .*has the indices 0 to {D - 1}; expected 0 to {D - 2}"
    with pytest.raises(ValueError, match=said):
        run([narrow])
    bare = as_parquet(tmp_path / "bare.parquet", X, y, values=None)
    with pytest.raises(ValueError, match="label, indices; expected .*values"):
        parquet_shards(bare, D, 1)
    [torn] = parquet_shards(
        as_parquet(tmp_path / "torn.parquet", X, y, values=[[1.0]] * N), D, 1
    )
    with pytest.raises(ValueError, match="shard 0: .*one value for each"):
        run([torn])
    holes = [[1.0]] * (N - 1) + [None]
    [null] = parquet_shards(
        as_parquet(tmp_path / "null.parquet", X, y, values=holes), D, 1
    )
    with pytest.raises(ValueError, match="shard 0: .*has a null"):
        run([null])


def test_without_pyarrow_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(ModuleNotFoundError) as error:
        parquet_shards(tmp_path / "all.parquet", D, 1)
    assert "pegasos-edu[distributed]" in str(error.value)


# Dask


def collections(sparse):
    """The same three shards as a list, a bag, Delayed, and Dask arrays."""
    X, y = whole(blocks(2, sparse=sparse))
    parts = [(X[j : j + 80], y[j : j + 80]) for j in (0, 80, 160)]
    halves = [(X[j : j + 40], y[j : j + 40]) for j in range(0, N, 40)]
    if sparse:  # blocks of a Dask array are cut by NumPy's rules
        array = dask.array.from_array(X.toarray(), chunks=(80, D))
        array, chunks = array.map_blocks(sp.csr_array), 80
    else:
        array, chunks = dask.array.from_array(X, chunks=(80, 4)), 50
    return parts, {
        "bag": dask.bag.from_sequence(halves, npartitions=3),
        "delayed": [dask.delayed(part) for part in parts],
        "array": (array, dask.array.from_array(y, chunks=chunks)),
    }


@pytest.mark.parametrize("sparse", [False, True])
def test_collections_are_what_they_hold(sparse):
    parts, others = collections(sparse)
    wanted = run(parts)
    for data in others.values():
        same_bits(run(data), wanted)


@dataclass
class Slow:
    """A shard that is read anew in each round, and takes its time."""

    block: tuple
    most: float  # seconds
    mapped = True

    def __call__(self):
        time.sleep(self.most * np.random.default_rng().random())
        return self.block


@pytest.fixture(scope="module")
def cluster():
    """Two processes that are replaced when they are lost."""
    quiet = {
        "distributed.logging.distributed": "critical",
        **PATIENCE,
    }
    with (
        dask.config.set(quiet),
        LocalCluster(
            n_workers=2,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as found,
    ):
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with Client(cluster) as found:
        yield found


@contextlib.contextmanager
def the_most():
    """How many bytes were held at once here, where the scheduler is, too."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        yield lambda: peak - before
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()


pytestmark = pytest.mark.filterwarnings("ignore:Sending large graph")


@pytest.mark.processes
class TestOnACluster:
    @pytest.mark.parametrize("sparse", [False, True])
    def test_the_bits_are_those_of_one_process(self, client, sparse):
        parts, others = collections(sparse)
        options = {"snapshots": [100, 600], "rounds": 6}
        wanted = run(parts, **options)
        for data in (parts, *others.values()):
            same_bits(run(data, client, **options), wanted)

    def test_whoever_is_first_and_however_many_there_are(
        self, client, cluster
    ):
        """Twenty runs in which each shard takes its time at random."""
        data = blocks(5)
        wanted = run(data)
        slow = [Slow(block, most=0.01) for block in data]
        for _ in range(15):
            same_bits(run(slow, client), wanted)
        cluster.scale(1)
        client.wait_for_workers(1, timeout=120)
        while len(client.nthreads()) > 1:
            time.sleep(0.05)
        address = cluster.scheduler_address
        try:
            for _ in range(5):
                same_bits(run(slow, address), wanted)
        finally:
            cluster.scale(2)
            client.wait_for_workers(2, timeout=120)

    def test_the_optimum_and_what_certifies_it(self, client):
        data = blocks(3)
        wanted = distributed.optimum(data, LAM, tol=1e-2, client="here")
        with distributed.load(data, client) as shards:
            found = distributed.optimum(shards, LAM, tol=1e-2)
            assert found.w.tobytes() == wanted.w.tobytes()
            assert (found.primal, found.dual) == (wanted.primal, wanted.dual)
            again = distributed.certify(shards, found.w, found.alpha, LAM)
            assert again.gap == found.gap <= 1e-2
            value = distributed.objective(shards, found.w, LAM)
        assert value == distributed.objective(
            data, found.w, LAM, client="here"
        )

    @pytest.mark.parametrize("what", ["pegasos", "optimum"])
    def test_a_lost_worker_changes_nothing(self, client, what):
        """It is killed while the rounds go on, and replaced."""
        data = blocks(4)
        slow = [Slow(block, most=0.1) for block in data[:2]] + data[2:]
        before = set(client.nthreads())
        pids = client.run(os.getpid)
        victim = threading.Timer(
            0.5, os.kill, (pids[sorted(pids)[0]], signal.SIGKILL)
        )
        if what == "pegasos":
            wanted = run(data, rounds=30).last
            victim.start()
            found = run(slow, client, rounds=30).last
        else:
            options = dict(tol=1e-2, seed=1)
            wanted = distributed.optimum(data, LAM, client="here", **options).w
            victim.start()
            found = distributed.optimum(slow, LAM, client=client, **options).w
        assert not victim.is_alive()  # it came in time
        assert found.tobytes() == wanted.tobytes()
        client.wait_for_workers(2, timeout=120)
        assert set(client.nthreads()) != before

    def test_the_shard_that_is_wrong_is_named(self, client):
        for message, bad in BAD.items():
            with pytest.raises(ValueError, match=message):
                distributed.load([GOOD, bad], client)

    def test_scheduler_and_client_hold_no_data(
        self, client, cluster, tmp_path
    ):
        """Both are in this process: the data here are many times as large.

        After a run nothing is kept but the shards.
        """
        n, d = 500_000, 20
        X = np.tile(np.random.default_rng(0).normal(size=(1000, d)), (500, 1))
        np.save(tmp_path / "X.npy", X)
        np.save(tmp_path / "y.npy", np.tile([1.0, -1.0], n // 2))
        size = X.nbytes
        del X
        data = npy_shards(tmp_path / "X.npy", tmp_path / "y.npy", 4)
        with the_most() as most, distributed.load(data, client) as shards:
            run(shards, client=None, rounds=3)
            until = time.monotonic() + 60
            while len(cluster.scheduler.tasks) > len(data):
                assert time.monotonic() < until
                time.sleep(0.05)
        assert most() < size / 16

    @pytest.mark.parametrize("what", ["pegasos", "optimum"])
    def test_scheduler_and_client_hold_a_few_w(self, client, what):
        """Not one of each round, nor of each shard."""
        d, m, rounds = 400_000, 4, 30
        X, y = random_problem(0, n=80, d=20)
        X = sp.csr_array(X)
        X.resize(80, d)
        y = np.repeat(np.tile([1.0, -1.0], 10), m)
        data = [(X[j::m], y[j::m]) for j in range(m)]
        with distributed.load(data, client) as shards, the_most() as most:
            if what == "pegasos":
                run(shards, client=None, rounds=rounds)
            else:  # a gap that is out of reach in so many rounds
                with pytest.raises(RuntimeError, match=f"after {rounds}"):
                    distributed.optimum(
                        shards, 1e-4, tol=1e-9, max_rounds=rounds
                    )
        assert most() < 20 * 8 * d
