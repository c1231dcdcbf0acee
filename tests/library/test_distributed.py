"""Shards: the same as on one machine, whoever computes and whoever is lost."""

import bz2
import contextlib
import functools
import gc
import gzip
import importlib
import lzma
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import traceback
import tracemalloc
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import cloudpickle
import dask
import dask.array
import dask.bag
import numpy as np
import pyarrow
import pyarrow.parquet
import pytest
import scipy.sparse as sp
from distributed import Client, Event
from distributed.core import Status

from pegasos_edu import distributed, objective, optimum
from pegasos_edu.certificate.gap import certify
from pegasos_edu.certificate.optimum import minimise
from pegasos_edu.distributed import ascent
from pegasos_edu.distributed import workers as workers_module
from pegasos_edu.distributed.ascent import (
    Pace,
    dual_round,
    moved,
    one_round,
    start_of,
)
from pegasos_edu.distributed.checkpoint import EVERY, Checkpoint
from pegasos_edu.distributed.readers import (
    NpyRows,
    npy_shards,
    parquet_shards,
    svmlight_shards,
)
from pegasos_edu.distributed.shards import Shard
from pegasos_edu.problem.data import noisy_halfspace
from pegasos_edu.solvers import averaging, compiled, loop
from pegasos_edu.solvers.averaging import (
    average,
    ends_of_rounds,
    error_bound,
    seed_of,
)
from pegasos_edu.solvers.orders import draw_order
from tasks import ROOT
from tests.clusters import local_cluster
from tests.library.problems import assert_close, random_problem
from tests.signals import hear_ctrl_c

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
        places = averaging.one_round(
            data, LAM, w, last - before, seed=1, number=number, before=before
        )
        w = average(places, sizes)
    assert run(data, average_from=None).last.tobytes() == w.tobytes()
    assert run(data, average_from=None).average is None


@pytest.mark.parametrize("places, sizes", [([], []), ([np.ones(1)], [2, 3])])
def test_an_average_is_of_what_has_a_size(places, sizes):
    said = f"are {len(places)} places and {len(sizes)} sizes; expected one"
    with pytest.raises(ValueError, match=said):
        average(places, sizes)


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


def test_the_correction_divides_by_the_share_of_whole_rows():
    """0.3 of five rows are two: r = 2/5, and 3 of 7 steps, 2.8 rounded.

    As above w̄ = (1 − 1/T) x, so (6/7 − 2/5 · 2/3)/(3/5) = 62/63.
    """
    x, y = np.array([0.5, -0.25]), np.array([1.0, -1.0, 1.0, -1.0, 1.0])
    data = [(np.outer(y, x), y)]

    def run(r):
        return distributed.pegasos(
            data,
            1.0,
            T=7,
            rounds=1,
            seed=0,
            client="here",
            average_from=1,
            corrected=r,
        )

    np.testing.assert_allclose(run(0.3).average, 62 / 63 * x)
    with pytest.raises(ValueError, match=r"0\.99: all 5 rows of shard 0; exp"):
        run(0.99)


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
    """For six shards that are all the same: the worst case of adding.

    With σ = m and no momentum, as in the paper.
    """
    X, y = blocks(1)[0]
    shard = Shard(0, (X, y), None, N, D)
    alpha, here, values = None, np.zeros(2 * D + 4), []
    common = dict(beta=0.0, lam=LAM, pull=0.0)
    for number in range(20):
        start = start_of(here, here, **common)
        alpha, sums = dual_round(
            *(shard, alpha, alpha),
            start=start,
            beta=0.0,
            lam_n=LAM * 6 * N,
            sigma=6.0,
            loss="hinge",
            seed=0,
            number=number,
        )
        here = moved(6 * sums, here, here, start, **common, n=6 * N)
        _, bound, _, overlap = here[-4:]
        assert overlap == pytest.approx(6.0)
        values.append(bound)
    assert np.all(np.diff(values) >= 0.0)


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("sparse", [False, True])
def test_the_shared_w_is_that_of_the_payments(loss, sparse):
    """After rounds with momentum and a pull that gets weaker.

    Against Σ α_i y_i x_i, f and D of all data, and the duality gap of
    f + κ/2 ‖w − c‖², written out.
    """
    data, (X, y) = blocks(2, sparse=sparse), whole(blocks(2, sparse=sparse))
    shards = [
        Shard(j, part, None, len(part[1]), D) for j, part in enumerate(data)
    ]
    here, last = np.zeros(2 * D + 4), np.zeros(2 * D + 4)
    alphas, before = [None] * 2, [None] * 2
    for number in range(6):
        pull = 0.3 * 0.5**number
        common = dict(beta=0.9 * (number > 0), lam=LAM, pull=pull)
        start, centre = start_of(here, last, **common), here[D:-4]
        pairs = [
            dual_round(
                *row,
                start=start,
                beta=common["beta"],
                lam_n=(LAM + pull) * N,
                sigma=1.5,
                loss=loss,
                seed=0,
                number=number,
            )
            for row in zip(shards, alphas, before)
        ]
        alphas, before = [alpha for alpha, _ in pairs], alphas
        sums = sum(sums for _, sums in pairs)
        here, last = moved(sums, here, last, start, **common, n=N), here
        alpha = np.concatenate(alphas)
        g = X.T @ (y * alpha) / N
        np.testing.assert_allclose(here[:D], g, rtol=1e-10)
        w = (g + pull * centre) / (LAM + pull)
        np.testing.assert_allclose(here[D:-4], w, rtol=1e-10)
        f, bound, missing, _ = here[-4:]
        found = certify(start, alpha, X, y, LAM, loss)
        assert f == pytest.approx(found.primal)
        assert bound == pytest.approx(found.dual)
        # Of the problem with the pull: both values, each without κ/2 ‖c‖².
        payments = found.dual + g @ g / (2 * LAM)
        upper = f + pull * (start @ start / 2 - start @ centre)
        lower = payments - (LAM + pull) / 2 * w @ w
        assert missing == pytest.approx(upper - lower) and missing > 0.0


def test_the_pace_goes_back_to_what_is_safe():
    """A dual that falls again and again: σ = m and no momentum."""
    pace = Pace(machines=40)
    assert pace.sigma == 5.0
    for fall in range(8):
        pace.go_on(dual=-float(fall), overlap=1.0)
    assert pace.sigma == 40.0 and pace.beta == 0.0


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("sparse", [False, True])
def test_one_shard_alone_is_what_one_machine_does(loss, sparse):
    [(X, y)] = blocks(1, sparse=sparse)
    found = distributed.optimum([(X, y)], LAM, loss, seed=3, client="here")
    wanted = minimise(X, y, LAM, loss, tol=1e-3, seed=3)
    assert found.w.tobytes() == wanted.w.tobytes()
    assert found.alpha[0].tobytes() == wanted.alpha.tobytes()
    assert found.gap <= 1e-3 and 1 <= found.rounds < 20


@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_the_pull_spares_most_of_the_rounds(loss):
    """Where λn is small; without it: 158 and 278 rounds, 60 and 98."""
    X, y = noisy_halfspace(20_000, 50, seed=0)
    for m in (2, 8):
        data = [(X[j::m], y[j::m]) for j in range(m)]
        found = distributed.optimum(data, 1e-4, loss, client="here")
        assert found.gap <= 1e-3 and found.rounds <= 40


def test_squares_that_overflow_are_refused():
    data = [([[1e200], [-1e200]], [1, -1])] * 2
    with pytest.raises(ValueError, match="squares of X overflow; expected"):
        distributed.optimum(data, LAM, client="here")


# A run that is gone on with


def stopped(data, folder, rounds, client="here", **options):
    """A run that is given up after so many rounds, and kept."""
    options = {"tol": 1e-6, **options}
    with pytest.raises(RuntimeError, match=f"after {rounds} rounds"):
        distributed.optimum(
            data,
            LAM,
            max_rounds=rounds,
            client=client,
            checkpoint=folder,
            **options,
        )


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("rounds", [1, 4, 10, 13])
def test_a_run_goes_on_where_it_stopped(tmp_path, loss, rounds):
    """To the bits of one that never did, whenever it was."""
    data, tol = blocks(3), dict(tol=1e-7)
    wanted = distributed.optimum(data, LAM, loss, client="here", **tol)
    assert wanted.rounds > 13
    stopped(data, tmp_path / "kept", rounds, loss=loss, **tol)
    options = dict(client="here", checkpoint=tmp_path / "kept", **tol)
    for _ in range(2):  # the second one has nothing left to do
        found = distributed.optimum(data, LAM, loss, **options)
        assert found.w.tobytes() == wanted.w.tobytes()
        assert found.rounds == wanted.rounds and found.gap == wanted.gap
        for one, other in zip(found.alpha, wanted.alpha):
            assert one.tobytes() == other.tobytes()
    kept = sorted(path.name for path in (tmp_path / "kept").iterdir())
    last = wanted.rounds
    assert kept == [f"{last}-{j}.npz" for j in range(3)] + ["run.npz"]


def test_a_run_that_is_ended_goes_on_from_its_tenth_round(
    tmp_path, monkeypatch
):
    data, tol = blocks(3), dict(tol=1e-7)
    wanted = distributed.optimum(data, LAM, client="here", **tol)
    options = dict(client="here", checkpoint=tmp_path, **tol)

    def until_the_thirteenth(climb, *arguments):
        if climb.rounds == 13:
            raise KeyboardInterrupt
        one_round(climb, *arguments)

    with monkeypatch.context() as patch:
        patch.setattr(ascent, "one_round", until_the_thirteenth)
        with pytest.raises(KeyboardInterrupt):
            distributed.optimum(data, LAM, **options)
    assert {path.name for path in tmp_path.iterdir()} == {
        *(f"10-{j}.npz" for j in range(3)),
        "run.npz",
    }
    found = distributed.optimum(data, LAM, **options)
    assert found.w.tobytes() == wanted.w.tobytes()


def test_the_folder_of_another_run_is_refused(tmp_path):
    stopped(blocks(3), tmp_path, rounds=2)
    with pytest.raises(ValueError, match="run with lam = 0.05; expected one"):
        distributed.optimum(blocks(3), 0.1, client="here", checkpoint=tmp_path)
    with pytest.raises(ValueError, match=r"sizes = \[60, 60, 120\]; expected"):
        distributed.optimum(blocks(2), LAM, client="here", checkpoint=tmp_path)
    file = tmp_path / "2-0.npz"
    for place, error, said in (
        (3, TypeError, "checkpoint is 3; expected a path"),
        (file, ValueError, "checkpoint is .*, a file; expected a folder"),
    ):
        with pytest.raises(error, match=said):  # before any shard is read
            distributed.optimum([lacks_a_key], LAM, checkpoint=place)
    others = [(2 * X, y) for X, y in blocks(3)]
    with pytest.raises(ValueError, match=r"run with data with the sums = \["):
        distributed.optimum(others, LAM, client="here", checkpoint=tmp_path)
    (tmp_path / "2-1.npz").unlink()
    with pytest.raises(OSError, match="2-1.npz"):
        distributed.optimum(blocks(3), LAM, client="here", checkpoint=tmp_path)


@pytest.mark.parametrize("loss, most", [("hinge", 40), ("log", 20)])
def test_sixty_shards_take_few_rounds(loss, most):
    """With σ = m, no momentum and no pull they take 477 and 69."""
    X, y = noisy_halfspace(1800, 20, seed=1)
    by_label = np.argsort(y, kind="stable")
    data = [(X[by_label[j::60]], y[by_label[j::60]]) for j in range(60)]
    found = distributed.optimum(data, 0.01, loss, client="here")
    assert found.gap <= 1e-3 and found.rounds <= most
    best = optimum(X, y, 0.01, loss)
    assert found.dual <= best.primal and best.dual <= found.primal


@pytest.mark.parametrize("kind", ["copies", "sorted", "wide"])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_shards_that_are_alike_or_unlike_are_certified(kind, loss):
    (X, y), lam = blocks(1)[0], 0.005
    if kind == "copies":  # adding is worst
        data = [(X, y)] * 12
    elif kind == "sorted":
        rows = np.array_split(np.argsort(X[:, 1]), 8)
        data = [(X[part], y[part]) for part in rows]
    else:  # shards with hardly a column in common: adding is best
        rng = np.random.default_rng(0)  # SciPy 1.13 has no argument `rng`
        X = sp.random_array((N, 900), density=0.01, random_state=rng).tocsr()
        data = [(X[j::8], y[j::8]) for j in range(8)]
    found = distributed.optimum(data, lam, loss, tol=1e-4, client="here")
    whole_of = optimum(*whole(data), lam, loss)
    assert found.gap <= 1e-4 and found.rounds >= 1
    rounding = 1.0 + 1e-12
    assert found.dual <= rounding * whole_of.primal
    assert whole_of.dual <= rounding * found.primal


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
    "shard 1: y holds only the label \\+1; expected both .*: shuffle": (
        GOOD[0],
        [1, 1],
    ),
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
    with pytest.raises(TypeError, match=r"data is ndarray \(3, 3\); expec"):
        distributed.load(np.eye(3), client="here")
    with pytest.raises(TypeError, match="shard 0: it is 3; expected a pair"):
        distributed.load([3], client="here")
    for path in ("no_such.npz", Path("no_such.npz")):
        with pytest.raises(
            TypeError, match="it is 'no_such.npz'; .* or a reader of that file"
        ):
            distributed.load([path], client="here")
    with pytest.raises(TypeError, match="shard 0: .* in round brackets, or"):
        distributed.load([list(GOOD)], client="here")
    for alpha in (None, np.ones(2)):
        with pytest.raises(TypeError, match="alpha is .*; expected a list"):
            distributed.certify([GOOD], [0, 0], alpha, LAM, client="here")
    reader = NpyRows("no_such_file", "neither", 0, 2)
    with pytest.raises(FileNotFoundError, match="shard 1: .*no_such_file"):
        distributed.load([GOOD, reader], client="here")


def test_arrays_are_told_by_their_shapes():
    """Their numbers say nothing of what is wrong."""
    X, y = np.ones((2, 50)), np.ones(2)
    for wrong in ([[X, y]], [(X,)], [X]):
        with pytest.raises(
            TypeError, match=r"ndarray \(.*; expected"
        ) as error:
            distributed.load(wrong, client="here")
        assert "array([" not in str(error.value)


@pytest.mark.parametrize(
    "cut",
    [
        lambda path: npy_shards(path, path, 1),
        lambda path: svmlight_shards([path], 3, 1),
        lambda path: parquet_shards(path, 3, 1),
    ],
)
def test_a_file_that_is_not_there_is_named_with_its_argument(cut, tmp_path):
    for path, what in (("nowhere", "not there"), (tmp_path, "a folder")):
        said = f"^(X|path) names .*, which is {what}; expected files"
        with pytest.raises(FileNotFoundError, match=said):
            cut(path)


def test_a_pattern_is_told_what_finds_its_files():
    with pytest.raises(FileNotFoundError, match=r"expected .*sorted\(glob"):
        parquet_shards("part-*.parquet", 3, 1)


def test_a_worker_in_another_folder_reads_the_same_file(files, monkeypatch):
    """The path is made whole where the file is cut."""
    monkeypatch.chdir(files)
    parts = [
        *npy_shards("X.npy", "y.npy", 1),
        *svmlight_shards("all.txt", D, 1),
    ]
    monkeypatch.chdir(files.parent)
    for part in parts:
        assert part()[0].shape == (240, D)


@pytest.mark.parametrize("module", [bz2, gzip, lzma])
def test_compressed_lines_are_refused(module, tmp_path):
    with module.open(tmp_path / "rows", "wb") as file:
        file.write(b"+1 1:2\n-1 2:3\n" * 100)
    with pytest.raises(ValueError, match="rows is compressed; expected lines"):
        svmlight_shards(tmp_path / "rows", 3, 2)


SCRIPT = """
import logging
import numpy as np
from pegasos_edu import distributed
log = logging.getLogger(__name__)
X, y = np.eye(2), np.array([1, -1])
distributed.optimum([(X, y), (X, y)], 0.1)
"""


@pytest.mark.processes
@pytest.mark.parametrize("how", ["file", "standard input"])
def test_a_script_without_a_guard_is_told_so(how, tmp_path):
    (tmp_path / "mine.py").write_text(SCRIPT)
    with open(tmp_path / "mine.py") as lines:
        done = subprocess.run(
            [sys.executable, "mine.py" if how == "file" else "-"],
            cwd=tmp_path,
            stdin=lines,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_output=True,
            text=True,
            timeout=LONGEST,
        )
    assert done.returncode == 1 and len(done.stderr.splitlines()) < 30
    assert 'behind `if __name__ == "__main__":`, or' in done.stderr


def lacks_a_key():
    """A reader with a mistake of its own."""
    return {}["label"]


@dataclass
class Vanishing:
    """A reader that reads well so many times, and then never again."""

    left: int
    mapped = True

    def __call__(self):
        self.left -= 1
        if self.left < 0:
            raise OSError("the disk is gone.")
        return GOOD


def test_whatever_a_reader_raises_its_shard_is_named():
    for bad in (lacks_a_key, dask.delayed(lacks_a_key)()):
        with pytest.raises(RuntimeError, match="shard 1: KeyError: 'label'"):
            distributed.load([GOOD, bad], client="here")
    with pytest.raises(OSError, match="^shard 1: the disk is gone.$"):
        run([GOOD, Vanishing(3)])


def leaves(error):
    """A reader that ends its process where nobody catches it."""
    raise error


def test_a_reader_that_would_end_its_process_is_named():
    for error, said in (
        (SystemExit(3), "shard 1: SystemExit: 3$"),
        (SystemExit(), "shard 1: SystemExit$"),
    ):
        with pytest.raises(RuntimeError, match=said):
            distributed.load(
                [GOOD, functools.partial(leaves, error)], client="here"
            )


def test_an_interrupt_here_ends_the_call():
    stop = functools.partial(leaves, KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        distributed.load([GOOD, stop], client="here")
    stop.mapped = True
    shard = Shard(0, None, stop, 2, 2)
    with pytest.raises(KeyboardInterrupt):
        shard.data()


def test_a_bag_of_single_examples_is_refused():
    single = [(np.array([1.0, 2.0]), 1), (np.array([3.0, 4.0]), -1)]
    said = "shard 0: it is a list of single examples .*; expected pairs"
    for data in ([single], dask.bag.from_sequence(single, npartitions=1)):
        with pytest.raises(TypeError, match=said):
            distributed.load(data, client="here")


def test_shards_that_were_closed_are_refused():
    with distributed.load([GOOD], "here") as shards:
        pass
    for work in (
        lambda: run(shards, client=None),
        lambda: distributed.optimum(shards, LAM),
        lambda: distributed.objective(shards, np.zeros(2), LAM),
        lambda: distributed.certify(shards, np.zeros(2), [np.ones(2)], LAM),
    ):
        with pytest.raises(ValueError, match="shards that were closed; exp"):
            work()


# Workers import this file to know `Slow`, some of them where Dask can compute
# nothing: they end then, and the next ones, too. So here nothing is computed.
ROWS, SIGNS = np.arange(120.0).reshape(40, 3), np.tile([1.0, -1.0], 20)


def dask_pair(X=None, y=None, rows=10, of_y=10):
    """Two Dask arrays of 40 examples, in blocks."""
    X, y = ROWS if X is None else X, SIGNS if y is None else y
    return (
        dask.array.from_array(X, chunks=(rows, *X.shape[1:])),
        dask.array.from_array(y, chunks=(of_y, *y.shape[1:])),
    )


def dask_frame():
    """A data frame in blocks, as Dask reads it from files."""
    import dask.dataframe
    import pandas

    frame = pandas.DataFrame({"a": ROWS[:, 0], "y": SIGNS})
    return dask.dataframe.from_pandas(frame, npartitions=2)


def spoilt(array, place, value):
    """A copy with another value there."""
    array = array.copy()
    array[place] = value
    return array


def without_sizes(pair, of_y=True):
    """Two Dask arrays of which nobody knows how long the blocks are."""
    X, y = pair
    keep = dask.array.from_array(np.arange(40) % 3 > 0, chunks=10)
    return X[keep], y[keep] if of_y else y


ARRAYS = {
    "^shard 2: X holds nan in row 5, column 1; exp": dask_pair(
        spoilt(ROWS, (25, 1), np.nan)
    ),
    r"^shard 3: y\[3\] is 3; expected every label": dask_pair(
        y=spoilt(SIGNS, 33, 3.0)
    ),
    "^shard 1: y holds only the label \\+1; expected both": dask_pair(
        y=spoilt(SIGNS, slice(10, 20), 1.0)
    ),
    r"^shard 1: X has shape \(0, 3\); expected .*at least one row": dask_pair(
        rows=(10, 0, 30)
    ),
    "^y has 39 labels; expected 40, one for each row of X": dask_pair(
        y=SIGNS[1:]
    ),
    r"^X has shape \(40,\); expected \(n, d\)": dask_pair(X=SIGNS),
    r"^y has shape \(40, 3\); expected \(n,\)": dask_pair(y=ROWS),
    "^shard 0: X has dtype object; expected real": dask_pair(
        ROWS.astype(object)
    ),
    "^shard 0: y has 10 labels; expected 6, one for each": without_sizes(
        dask_pair(), of_y=False
    ),
    "^X has 4 blocks of rows and y has 2, of unknown sizes; exp": (
        without_sizes(dask_pair(), of_y=False)[0],
        dask_pair(of_y=20)[1],
    ),
    "^X has blocks of columns of unknown sizes; expected known": (
        dask_pair()[0]
        .rechunk((10, 2))
        .map_blocks(np.abs, chunks=((10,) * 4, (np.nan,) * 2)),
        dask_pair()[1],
    ),
    r"^data is tuple of Array \(40, 3\), ndarray \(40,\); expected": (
        dask_pair()[0],
        SIGNS,
    ),
    r"^data is list of Array \(40, 3\), Array .* a pair": [*dask_pair()],
    r"^data is Array \(40, 3\); expected .* a pair": dask_pair()[0],
    "^data is tuple of DataFrame, Series of Dask; .* to_dask_array": (
        dask_frame(),
        dask_frame()["y"],
    ),
    "^data is DataFrame of Dask; .* to_dask_array": dask_frame(),
}


@pytest.mark.parametrize("message", ARRAYS)
def test_dask_arrays_are_checked_block_by_block(message):
    with pytest.raises((ValueError, TypeError), match=message) as error:
        distributed.load(ARRAYS[message], client="here")
    assert str(error.value).count("; expected ") == 1


def test_blocks_of_sizes_that_nobody_knows_are_read():
    with distributed.load(without_sizes(dask_pair()), "here") as shards:
        assert shards.sizes == [6, 7, 7, 6]
    with distributed.load(dask_pair(of_y=7), "here") as shards:
        assert shards.sizes == [10, 10, 10, 10]


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


def test_what_is_no_array_in_a_file_is_refused(files, tmp_path):
    """Before any worker is asked."""
    X, y = files / "X.npy", files / "y.npy"
    np.savez(tmp_path / "both.npz", X=np.eye(2))
    np.save(tmp_path / "number.npy", 3.0)
    (tmp_path / "text.npy").write_text("1, 2")
    said = {
        "both.npz": "an archive of arrays",
        "number.npy": r"an array of shape \(\)",
        "text.npy": "something else",
    }
    for name, what in said.items():
        with pytest.raises(ValueError, match=f"{name} holds {what}; expec"):
            npy_shards(tmp_path / name, y, 2)
    with pytest.raises(ValueError, match=r"\(240, 6\); expected .* \(n,\)"):
        npy_shards(X, X, 2)


def test_a_label_too_many_is_refused(files, tmp_path):
    y = np.load(files / "y.npy")
    for other in (y[1:], np.append(1, y)):
        np.save(tmp_path / "y.npy", other)
        with pytest.raises(ValueError, match=f"has {len(other)} labels; exp"):
            npy_shards(files / "X.npy", tmp_path / "y.npy", 3)


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
    with pytest.raises(ValueError, match="shards is 3 and .*; expected"):
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


def test_parquet_columns_of_another_kind_are_refused(tmp_path):
    """Nothing is cut off or guessed."""
    X, y = some_zeros()
    rows = len(y)
    bad = {
        "indices": [[0.5]] * rows,
        "values": [1.0] * rows,
        "label": ["+1"] * rows,
    }
    for name, column in bad.items():
        path = as_parquet(tmp_path / "bad.parquet", X, y, **{name: column})
        with pytest.raises(ValueError, match=f"column {name} of .*; expected"):
            parquet_shards(path, D, 1)
    (tmp_path / "text.parquet").write_text("1, 2")
    with pytest.raises(ValueError, match="in the format of Parquet"):
        parquet_shards(tmp_path / "text.parquet", D, 1)


def test_parquet_rows_may_be_empty_but_have_no_holes(tmp_path):
    X, y = some_zeros()
    for name, hole in (("indices", [None]), ("values", [None])):
        other = {"indices": [[0]] * N, "values": [[1.0]] * N}
        columns = {**other, name: [hole, *other[name][1:]]}
        path = as_parquet(tmp_path / "hole.parquet", X, y, **columns)
        with pytest.raises(ValueError, match="shard 0: .*has a null"):
            run(parquet_shards(path, D, 1))
    nothing = {"indices": [[]] * N, "values": [[]] * N}
    path = as_parquet(tmp_path / "empty.parquet", X, y, **nothing)
    [part] = parquet_shards(path, D, 1)
    assert part()[0].shape == (N, D) and part()[0].nnz == 0


def test_columns_of_a_text_file_count_from_one(tmp_path):
    (tmp_path / "zero.txt").write_text("+1 0:1\n-1 1:1\n")
    [part] = svmlight_shards(tmp_path / "zero.txt", d=2, shards=1)
    with pytest.raises(ValueError, match="zero.txt: .*columns from 1 to 2"):
        run([part])


def halves_in_files(folder):
    """The same problem in two files of each format; its paths as a list."""
    from sklearn.datasets import dump_svmlight_file

    X, y = whole(blocks(1))
    paths = {kind: [] for kind in ("X.npy", "y.npy", "txt", "parquet")}
    for number, (a, b) in enumerate(((0, 80), (80, N))):
        for kind, held in paths.items():
            held.append(folder / f"part-{number}.{kind}")
        np.save(paths["X.npy"][-1], X[a:b])
        np.save(paths["y.npy"][-1], y[a:b])
        dump_svmlight_file(
            X[a:b], y[a:b], str(paths["txt"][-1]), zero_based=False
        )
        as_parquet(paths["parquet"][-1], X[a:b], y[a:b])
    return paths


def test_several_files_are_what_they_hold(tmp_path):
    """Each is cut into two; against the same rows in memory."""
    paths, (X, y) = halves_in_files(tmp_path), whole(blocks(1))
    ends = (0, 40, 80, 160, N)
    data = [(X[a:b], y[a:b]) for a, b in pairwise(ends)]
    found = npy_shards(paths["X.npy"], paths["y.npy"], 2)
    same_bits(run(found), run(data))
    sparse = [(sp.csr_array(rows), labels) for rows, labels in data]
    same_bits(run(parquet_shards(paths["parquet"], D, 2)), run(sparse))
    lines = svmlight_shards(paths["txt"], D, 2)
    assert len(lines) == 4  # cut by bytes: near the rows above
    rows, labels = whole([part() for part in lines])
    np.testing.assert_allclose(rows.toarray(), X, rtol=1e-12)
    np.testing.assert_array_equal(labels, y)
    alone = svmlight_shards(sorted(tmp_path.glob("*.txt"))[:1], D, 2)
    assert alone == lines[:2]


def test_what_is_wrong_with_a_list_of_files_is_one_sentence(tmp_path):
    paths = halves_in_files(tmp_path)
    with pytest.raises(ValueError, match="X has 2 files and y has 1; expect"):
        npy_shards(paths["X.npy"], paths["y.npy"][:1], 2)
    with pytest.raises(ValueError, match=r"path is \[\]; expected a path, or"):
        parquet_shards([], D, 1)
    with pytest.raises(TypeError, match="path has 3; expected a path, or"):
        svmlight_shards([paths["txt"][0], 3], D, 1)
    with pytest.raises(ValueError, match="shards is 3; .* group of .*part-0"):
        parquet_shards(paths["parquet"], D, 3)
    with pytest.raises(ValueError, match="shards is 999 and .*part-0.* few"):
        svmlight_shards(paths["txt"], D, 999)


def test_without_pyarrow_the_extra_is_named(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    (tmp_path / "all.parquet").touch()
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
        "halves": [tuple(map(dask.delayed, part)) for part in parts],
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
    with local_cluster(workers=2) as found:
        yield found


@pytest.fixture(scope="module")
def client(cluster):
    with Client(cluster) as found:
        yield found


LONGEST = 300  # seconds that any of these tests may wait


def what_threads_do():
    """Where each thread of this process is, the innermost call last."""
    frames = sys._current_frames().values()
    return ["".join(traceback.format_stack(frame)[-8:]) for frame in frames]


def state_of(cluster, client):
    """What the scheduler knows of its tasks, and what its workers are at."""
    scheduler = cluster.scheduler
    lines = [
        f"{task.key}: {task.state} on {task.processing_on}, waits for "
        f"{task.waiting_on}, in memory of {task.who_has}"
        for task in list(scheduler.tasks.values())
    ]
    lines += map(repr, list(scheduler.workers.values()))
    doing = client.sync(client._run, what_threads_do, callback_timeout=30)
    for worker, stacks in doing.items():
        lines += [f"threads of {worker}:", *stacks]
    return "\n".join(lines)


class TooLong(Exception):
    """Not a TimeoutError, which those who wait expect and go on after."""


@contextlib.contextmanager
def ends_in_time(cluster, client, seconds=LONGEST):
    """What waits longer is ended, and says what the cluster was at."""

    def give_up(*_):
        raise TooLong(f"{seconds} s: {state_of(cluster, client)}")

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


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


def who_works(shard, w):
    """The process, after some work."""
    time.sleep(0.01)
    return os.getpid()


def held(name):
    """A task that goes on until an event of this name is set."""
    return Event(name).wait(LONGEST)


def pause_for_good(dask_worker):
    """What Dask does if a worker holds too much."""
    dask_worker.status = Status.paused


def kill_all(pids):
    for pid in pids:
        os.kill(pid, signal.SIGKILL)


class Lacking:
    """A client of workers; one leaves, and one has not this package."""

    submit = None
    status = "running"

    def nthreads(self):
        return dict.fromkeys(["tcp://one", "tcp://two", "tcp://gone"], 1)

    def wait_for_workers(self, count, timeout):
        assert count == 1

    def run(self, function, *arguments, workers, on_error):
        assert on_error == "return" and workers == sorted(self.nthreads())
        has, gone = function(*arguments), OSError("it has left")
        return {"tcp://one": has, "tcp://gone": gone, "tcp://two": not has}


def test_a_worker_without_the_package_is_named():
    with pytest.raises(ModuleNotFoundError, match="tcp://two has no pegasos"):
        distributed.load(blocks(1), Lacking())


class Answering(Lacking):
    """One whose workers have the package; it counts what it is asked."""

    def __init__(self):
        self.there, self.asked, self.plugins = {"tcp://one": 1}, [], []

    def nthreads(self):
        return self.there

    def run(self, function, *arguments, workers, on_error):
        self.asked += workers
        return dict.fromkeys(workers, True)

    def register_plugin(self, plugin):
        self.plugins.append(plugin)


def test_each_worker_is_asked_once():
    client = Answering()
    for _ in range(3):
        workers_module.made_ready(client)
    client.there = {"tcp://one": 1, "tcp://new": 1}
    workers_module.made_ready(client)
    assert client.asked == ["tcp://one", "tcp://new"]
    assert len(client.plugins) == 1


def test_an_asynchronous_client_is_refused():
    client = Answering()
    client.asynchronous = True
    with pytest.raises(TypeError, match="client is an async.*; expected one"):
        distributed.load(blocks(1), client)


def test_a_scheduler_needs_no_package():
    """What is sent to it can be read where pegasos_edu is not."""
    sent = cloudpickle.dumps(workers_module.forgetful())
    code = "import pickle, sys; sys.modules['pegasos_edu'] = None; "
    code += "print(pickle.load(sys.stdin.buffer).name)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=sent, capture_output=True
    )
    assert done.stdout.decode().strip() == "pegasos_edu-forgetful"


INTERRUPTED = """
import os, signal, threading
from pegasos_edu import distributed
from tests.library.test_distributed import LAM, Slow, blocks

if __name__ == "__main__":
    slow = [Slow(block, most=0.1) for block in blocks(2)]
    with distributed.load(slow) as shards:
        client = shards.engine.client
        before = set(client.nthreads())
        press = threading.Timer(1.0, os.killpg, (0, signal.SIGINT))
        press.start()
        try:
            distributed.pegasos(shards, LAM, T=30_000, rounds=30_000, seed=0)
        except KeyboardInterrupt:
            print("interrupted")
        distributed.pegasos(shards, LAM, T=3, rounds=3, seed=0)
        print(set(client.nthreads()) == before)
"""


@pytest.mark.processes
@pytest.mark.skipif(os.name != "posix", reason="signals of a group")
def test_an_interrupt_ends_the_call_and_no_worker(tmp_path):
    """Ctrl+C, and Stop in Jupyter, go to all processes of a group."""
    script = tmp_path / "interrupted.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=LONGEST,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    assert done.stdout.splitlines() == ["interrupted", "True"], done.stderr


@pytest.mark.processes
class TestOnACluster:
    @pytest.fixture(autouse=True)
    def in_time(self, cluster, client):
        with ends_in_time(cluster, client):
            yield

    def test_what_waits_too_long_says_what_the_cluster_is_at(
        self, client, cluster, monkeypatch
    ):
        monkeypatch.setattr(workers_module, "PAUSE", "500 ms")
        never = client.submit(held, "end", key="a-long-wait")
        with (
            pytest.raises(TooLong, match="a-long-wait: processing"),
            ends_in_time(cluster, client, seconds=1),
        ):
            workers_module.wait_for(client, [never])
        Event("end", client).set()
        assert never.result()

    def test_an_address_that_nobody_answers_at_is_refused(self, monkeypatch):
        monkeypatch.setattr(workers_module, "ANSWER", "1 s")
        with pytest.raises(
            ConnectionError,
            match=r"\(no answer within 1 s\); .* scheduler that answers",
        ):
            distributed.load(blocks(1), "tcp://127.0.0.1:9")

    @pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400 Bad\r\n\r\n"])
    def test_what_is_no_scheduler_is_refused(self, words, monkeypatch):
        monkeypatch.setattr(workers_module, "ANSWER", "1 s")
        heard = []

        def say():
            heard.append(other.accept()[0])
            heard[0].sendall(words)

        with socket.create_server(("127.0.0.1", 0)) as other:
            threading.Thread(target=say, daemon=True).start()
            with pytest.raises(ConnectionError, match="scheduler that answ"):
                distributed.load(
                    blocks(1), f"tcp://127.0.0.1:{other.getsockname()[1]}"
                )
        heard[0].close()

    def test_a_worker_is_no_scheduler(self, client):
        worker = next(iter(client.nthreads()))
        with pytest.raises(ConnectionError, match=r"\(Worker\); expected"):
            distributed.load(blocks(1), worker)

    def test_a_scheduler_without_workers_is_refused(self, monkeypatch):
        monkeypatch.setattr(workers_module, "WAIT", "1 s")
        with (
            local_cluster(0) as none,
            pytest.raises(ConnectionError, match="has no worker; expected"),
        ):
            distributed.load(blocks(1), none.scheduler_address)

    def test_workers_without_memory_are_not_waited_for(self, monkeypatch):
        monkeypatch.setattr(workers_module, "WAIT", "1 s")
        monkeypatch.setattr(workers_module, "PAUSE", "1 s")
        full = {
            "distributed.worker.memory.pause": 0.001,
            "distributed.worker.memory.spill": False,
            "distributed.worker.memory.target": False,
            "distributed.worker.memory.terminate": False,
        }
        with (
            local_cluster(1, memory="2 GB", **full) as small,
            Client(small) as own,
            pytest.raises(MemoryError, match="paused.*2,000 MB"),
        ):
            distributed.load(blocks(1), own)

    def test_one_of_two_that_stays_paused_is_named(self, monkeypatch):
        """The other one cannot have what waits for it."""
        monkeypatch.setattr(workers_module, "PAUSE", "1 s")
        slow = [Slow(block, most=0.1) for block in blocks(4)]
        with local_cluster(2) as two, Client(two) as own:
            first = sorted(own.nthreads())[0]
            later = threading.Timer(
                0.5, lambda: own.run(pause_for_good, workers=[first])
            )
            later.start()
            with pytest.raises(MemoryError, match=f"{first} stays paused"):
                run(slow, own, rounds=300)
            later.join()

    def test_a_worker_that_works_may_be_paused(self, monkeypatch):
        """It is, while its task holds much; that is no reason to give up."""
        monkeypatch.setattr(workers_module, "PAUSE", "100 ms")
        with local_cluster(1) as one, Client(one) as own:
            slow = own.submit(held, "end", key="hold-shard-0-x")
            while "executing" not in str(own.scheduler_info(n_workers=-1)):
                time.sleep(0.05)
            own.run(pause_for_good)
            later = threading.Timer(1, Event("end", own).set)
            later.start()
            assert workers_module.wait_for(own, [slow]) == {slow}
            later.join()

    def test_a_client_without_workers_is_refused(self, monkeypatch):
        monkeypatch.setattr(workers_module, "WAIT", "1 s")
        with (
            local_cluster(0) as none,
            Client(none) as own,
            pytest.raises(ConnectionError, match="has no worker; expect"),
        ):
            distributed.load(blocks(1), own)
        with pytest.raises(ConnectionError, match="Client that is closed; ex"):
            distributed.load(blocks(1), own)

    def test_workers_that_leave_for_good_are_not_waited_for(self, monkeypatch):
        monkeypatch.setattr(workers_module, "PAUSE", "1 s")
        slow = [Slow(block, most=0.1) for block in blocks(2)]
        with local_cluster(1) as one, Client(one) as own:
            leaving = threading.Timer(0.5, one.scale, (0,))
            leaving.start()
            with pytest.raises(ConnectionError, match="has no worker; expect"):
                run(slow, own, rounds=300)
            leaving.join()

    def test_a_scheduler_that_ends_is_one_sentence(self):
        slow = [Slow(block, most=0.1) for block in blocks(2)]
        with local_cluster(1) as one, Client(one) as own:
            threading.Timer(0.5, one.close).start()
            with pytest.raises(ConnectionError, match="has ended, or has for"):
                run(slow, own, rounds=300)

    @pytest.mark.parametrize("workers", [1, 2])
    def test_all_workers_lost_at_once_change_nothing(self, workers):
        """For a moment nobody is there to take what they had in hand."""
        slow = [Slow(block, most=0.1) for block in blocks(3)]
        wanted = run(blocks(3), rounds=30).last
        with local_cluster(workers) as all_of_them, Client(all_of_them) as own:
            before = set(own.nthreads())
            pids = list(own.run(os.getpid).values())
            killing = threading.Timer(0.5, kill_all, (pids,))
            killing.start()
            found = run(slow, own, rounds=30).last
            assert not killing.is_alive()  # it came in time
            assert not before & set(own.nthreads())
        assert found.tobytes() == wanted.tobytes()

    def test_what_a_worker_cannot_import_is_named(
        self, client, tmp_path, monkeypatch
    ):
        """And the workers live on: they end of what they cannot unpickle."""
        (tmp_path / "only_here.py").write_text("def read():\n    return 1\n")
        monkeypatch.syspath_prepend(tmp_path)
        before = set(client.nthreads())
        reader = importlib.import_module("only_here").read
        bag = dask.bag.from_sequence([GOOD, GOOD], npartitions=2)
        for data, number in (
            ([GOOD, reader], 1),
            ([GOOD, dask.delayed(reader)()], 1),
            (bag.map(functools.partial(print, reader)), 0),
        ):
            message = f"^shard {number}: .*only_here"
            with pytest.raises(ModuleNotFoundError, match=message):
                distributed.load(data, client)
        assert set(client.nthreads()) == before

    def test_readers_that_would_end_their_workers_are_named(self, client):
        before = set(client.nthreads())
        for error in (SystemExit(3), KeyboardInterrupt()):
            name = type(error).__name__
            reader = functools.partial(leaves, error)
            with pytest.raises(RuntimeError, match=f"^shard 1: {name}"):
                distributed.load([GOOD, reader], client)
        assert set(client.nthreads()) == before

    def test_what_cannot_be_sent_is_named(self, client):
        held = functools.partial(print, threading.Lock())
        with pytest.raises(TypeError, match="shard 1: .*cannot be sent to a"):
            distributed.load([GOOD, held], client)

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
            assert found.rounds == wanted.rounds
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

    def test_a_lost_worker_costs_the_rounds_since_they_were_kept(
        self, client, tmp_path
    ):
        """Killed after the tenth round; a stop and another call beside."""
        data, tol = blocks(4), dict(tol=1e-7)
        slow = [Slow(block, most=0.02) for block in data]
        wanted = distributed.optimum(data, LAM, client="here", **tol)
        assert wanted.rounds > 13
        stopped(slow, tmp_path, 12, client, **tol)
        with distributed.load(slow, client) as shards:
            pids = list(client.run(os.getpid).values())
            killing = threading.Timer(0.5, kill_all, (pids[:1],))
            killing.start()
            found = distributed.optimum(
                shards, LAM, checkpoint=tmp_path, **tol
            )
            killing.join()
            alphas = client.gather(found.alpha)
        assert found.w.tobytes() == wanted.w.tobytes()
        for one, other in zip(alphas, wanted.alpha):
            assert one.tobytes() == other.tobytes()
        client.wait_for_workers(2, timeout=120)

    def test_the_scheduler_forgets_what_was_kept(
        self, client, cluster, tmp_path
    ):
        """Two hundred rounds; without a folder it has all their tasks."""
        tasks, data, most = cluster.scheduler.tasks, blocks(2), []
        with distributed.load(data, client) as shards:
            climb = ascent.Climb.begin(shards)
            kept = Checkpoint.of(tmp_path, shards, {})
            for _ in range(200):
                one_round(climb, shards, LAM, "hinge", 0)
                most.append(len(tasks))
                if climb.rounds % EVERY == 0:
                    climb = kept.renewed(climb)
        assert max(most[100:]) < 1.2 * max(most[:20])
        assert max(most) < 200

    def test_a_cluster_of_its_own_keeps_rounds_by_itself(self):
        with distributed.load(blocks(2)) as shards:
            folder = shards.engine.folder
            found = distributed.optimum(shards, LAM, tol=1e-7)
            [kept] = os.listdir(folder)
            last = found.rounds // EVERY * EVERY
            assert last > 0
            assert sorted(os.listdir(os.path.join(folder, kept))) == [
                *(f"{last}-{j}.npz" for j in range(2)),
                "run.npz",
            ]
        assert not os.path.exists(folder)

    def test_a_shard_in_a_file_stays_with_its_worker(self, client, files):
        """It weighs nothing: Dask alone may let one worker do all."""
        data = npy_shards(files / "X.npy", files / "y.npy", 4)
        with distributed.load(data, client) as shards:
            engine = shards.engine
            for _ in range(10):
                w = engine.share(np.zeros(shards.d))
                found = engine.each(who_works, shards.handles, w=w)
                first, second, *others = engine.fetch(found)
                assert others == [first, second]
                assert first != second

    def test_the_shard_that_is_wrong_is_named(self, client):
        for message, bad in BAD.items():
            with pytest.raises(ValueError, match=message):
                distributed.load([GOOD, bad], client)

    def test_what_a_worker_raises_names_the_shard(self, client):
        bad = dask.delayed(lacks_a_key)()
        with pytest.raises(RuntimeError, match="shard 1: KeyError: 'label'"):
            distributed.load([GOOD, bad], client)
        with pytest.raises(RuntimeError, match="shard 1: KeyError: 'label'"):
            distributed.load([GOOD, lacks_a_key], client)

    def test_a_shard_that_ends_its_workers_is_named(self, client):
        """One that every worker dies of: Dask gives it up.

        Shard 0 may be in the hands of the same worker.
        """
        data = [*blocks(1), functools.partial(os._exit, 1)]
        once = {"distributed.scheduler.allowed-failures": 1}
        with local_cluster(1, **once) as mortal, Client(mortal) as own:
            message = "(shard|of the shards 0,) 1: its workers ended, 2 in tu"
            with pytest.raises(RuntimeError, match=message) as error:
                distributed.load(data, own)
        assert "last tcp://" in str(error.value)

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
                gc.collect()  # what waits for it holds nothing up
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
