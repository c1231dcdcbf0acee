"""Pegasos over shards: rounds of local steps, and their average."""

from __future__ import annotations

import functools
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pegasos_edu.distributed.shards import Shard, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers.averaging import (
    ends_of_rounds,
    local_steps,
    seed_of,
)
from pegasos_edu.solvers.orders import SAMPLINGS, draw_order
from pegasos_edu.solvers.run import Result

# After so many rounds the client has seen w: those that follow begin there
# if a worker is lost. Between, machines need not wait for the client.
SEEN_EVERY = 10


def pegasos(
    data: Any,
    lam: float,
    T: int,
    *,
    rounds: int,
    seed: int,
    client: Any = None,
    sampling: Literal["iid", "without", "epochs", "blocks"] = "iid",
    loss: Literal["hinge", "log"] = "hinge",
    average_from: int | None = 1,
    corrected: float | None = None,
    snapshots: ArrayLike = (),
) -> Result:
    """Minimise λ/2 ‖w‖² + mean loss over shards, in rounds.

    In a round every shard starts from the shared w and makes its steps, with
    a seed of its own; then the w are averaged, each with the share p_j of
    the examples that its shard has.

    Parameters
    ----------
    data : Shards, list, Dask bag, or pair of Dask arrays
        As in `load`, or what it has returned.
    lam : float
        The regularisation strength λ > 0.
    T : int
        How many steps each shard makes, in all rounds together.
    rounds : int
        How many rounds, from 1 (one-shot averaging) to T (a mini-batch of
        one row from each shard).
    seed : int
        The seed of the run. The same data, shards and seed give the same
        bits, whoever computes, on processors of one kind.
    client : distributed.Client, str or None
        Who computes, as in `load`; not given with loaded shards.
    sampling : {"iid", "without", "epochs", "blocks"}
        How rows are drawn, as in `draw_order`, anew in every round.
    loss : {"hinge", "log"}
        The loss ℓ.
    average_from : int or None
        Average the iterates w_t from this t on, over the shards, too; None
        for no average, which takes less time.
    corrected : float, optional
        A fraction r below 1. Each shard runs once more, on r of its rows
        and with r·T steps, to w'_j, and its answer is (w_j − r w'_j)/(1 − r).
        For one round.
    snapshots : sequence of int
        Steps t, each the end of a round, after which w_{t+1} and the average
        are kept.

    Returns
    -------
    Result
        As that of the other solvers; the iterates are those of the averages
        over the shards.

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not: see `load`.
    FloatingPointError
        If the iterates overflow.

    Notes
    -----
    One round: Zinkevich et al. (2010). The correction: Zhang, Duchi and
    Wainwright (2013), section 3.3; they prove that it helps for losses that
    are smooth, which the hinge is not. What is proved for many rounds is
    `pegasos_edu.solvers.averaging.error_bound`.

    Examples
    --------
    >>> X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    >>> run = pegasos(
    ...     [(X, y), (2 * X, y)], 0.5, 1000, rounds=10, seed=0, client="here"
    ... )
    >>> run.last.round(1)
    array([0.6, 0.6])
    """
    ends = ends_of_rounds(T, rounds)
    options = checked(ends, lam, seed, sampling, loss, average_from, corrected)
    wanted = checks.check_snapshots(snapshots, ends[-1])
    if not set(wanted.tolist()) <= {*ends}:
        between = next(t for t in wanted.tolist() if t not in ends)
        checks.refuse(
            f"snapshots holds {between}",
            f"steps that end a round, as {ends[1]} does",
        )
    with opened(data, client) as shards:
        engine, kept = shards.engine, {}
        state = np.zeros((2, shards.d))  # w_1, and the sum of iterates
        for number, (before, last) in enumerate(pairwise(ends)):
            parts = engine.each(
                local_round,
                shards.handles,
                state=engine.share(state),
                n=shards.n,
                number=number,
                span=(before, last),
                **options,
            )
            state = engine.total(parts)
            seen = last in wanted or last == ends[-1]
            if seen or number % SEEN_EVERY == SEEN_EVERY - 1:
                state = engine.fetch(state)
            if seen:
                kept[last] = state
    return as_result(kept, wanted, average_from)


def checked(ends, lam, seed, sampling, loss, average_from, corrected):
    """The options of a round, in the form that it takes."""
    checks.check_choice("sampling", sampling, SAMPLINGS)
    checks.check_choice("loss", loss, LOSSES)
    T = ends[-1]
    if average_from is not None:
        average_from = checks.check_integer(
            "average_from", average_from, 1, high=T
        )
    if corrected is not None:
        corrected = checks.check_positive("corrected", corrected)
        if corrected >= 1.0 or len(ends) > 2:
            checks.refuse(
                f"corrected is {corrected:g} and rounds is {len(ends) - 1}",
                "a fraction below 1, and one round",
            )
    return {
        "lam": checks.check_lam(lam, T),
        "seed": checks.check_integer("seed", seed, 0),
        "sampling": sampling,
        "loss": loss,
        "average_from": average_from,
        "corrected": corrected,
    }


def local_round(
    shard: Shard,
    *,
    state: NDArray,
    n: int,
    number: int,
    span: tuple[int, int],
    lam: float,
    seed: int,
    sampling: Any,
    loss: Any,
    average_from: int | None,
    corrected: float | None,
) -> NDArray:
    """The share p_j of where a shard is after its steps of a round.

    Parameters
    ----------
    shard : Shard
    state : ndarray of shape (2, d)
        The shared w, and the sum of the iterates averaged so far.
    n : int
        The number of examples in all shards.
    number : int
        Which round, counted from 0.
    span : pair of int
        The numbers of steps made before it and after it.
    lam, seed, sampling, loss, average_from, corrected
        As in `pegasos`.

    Returns
    -------
    ndarray of shape (2, d)
    """
    X, y = shard.data()
    before, last = span
    own = seed_of(seed, shard.number, number)
    draw = functools.partial(draw_order, sampling=sampling)
    steps, first = last - before, None
    if average_from is not None and average_from <= last:
        first = max(average_from - before, 1)

    def places(order, first):
        """The last iterate and the average of the steps on these rows."""
        options = dict(start=state[0], before=before, loss=loss)
        try:
            run = local_steps(X, y, lam, order, average_from=first, **options)
        except FloatingPointError as error:
            raise FloatingPointError(
                f"shard {shard.number}, round {number + 1}: {error}"
            ) from None
        mean = np.zeros(shard.d) if first is None else run.average
        return np.array([run.last, mean])

    found = places(draw(shard.size, steps, seed=own), first)
    if corrected is not None:
        # Independent draws: which rows, and then in which order.
        rng = np.random.default_rng(seed_of(own, 0, 0))
        few = max(1, round(corrected * shard.size))
        fewer = max(1, round(corrected * steps))
        rows = rng.choice(shard.size, few, replace=False)
        order = rows[draw(few, fewer, seed=seed_of(own, 0, 1))]
        again = places(order, first and 1 + (first - 1) * fewer // steps)
        found = (found - corrected * again) / (1.0 - corrected)
    if first is not None:
        found[1] *= steps - first + 1
    found[1] += state[1]
    return shard.size / n * found


def as_result(kept, wanted, average_from):
    """What was kept after some rounds, the last among them, as a Result."""

    def at(t):
        w, total = kept[t]
        if average_from is None or t < average_from:
            return w, w
        return w, total / (t - average_from + 1)

    last, average = at(max(kept))
    shape = len(wanted), len(last)
    iterates, averages = (
        np.reshape([at(t)[part] for t in wanted.tolist()], shape)
        for part in (0, 1)
    )
    if average_from is None:
        average = averages = None
    return Result(last, average, wanted, iterates, averages)
