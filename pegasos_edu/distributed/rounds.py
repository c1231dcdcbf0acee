"""Pegasos over shards: rounds of local steps, and their average."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pegasos_edu.distributed.shards import Shard, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
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
# Bytes of w that a task is handed with its call: to share them first takes a
# task more, and the calls wait for it.
SMALL = 10_000


@checked_call("distributed.pegasos")
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
        How many steps each shard makes, in all rounds together. Step t has
        the size 1/(λt), and t goes on from one round to the next.
    rounds : int
        How many rounds, from 1 (one-shot averaging) to T (a mini-batch of
        one row from each shard). Where T is no multiple of it, some rounds
        are a step longer: round k ends with step ⌊kT/rounds⌋.
    seed : int
        The seed of the run; that of a shard in a round is made of it, the
        shard's number and the round's. The same data, shards and seed give
        the same bits, whoever computes and whichever worker is lost, on
        processors of one kind.
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
        Rows are whole, so r is rounded for each shard; not to all its rows.
        For one round.
    snapshots : sequence of int
        Steps t, each the end of a round, after which w_{t+1} and the average
        are kept.

    Returns
    -------
    Result
        As that of the other solvers: its `last` and `average` are weight
        vectors of shape (d,). Its `iterates` are those of the averages over
        the shards.

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not, such as one
        with one label only: see `load`.
    FloatingPointError
        If the iterates overflow.

    Notes
    -----
    One round: Zinkevich et al. (2010). The correction: Zhang, Duchi and
    Wainwright (2013), section 3.3; they prove that it helps for losses that
    are smooth, which the hinge is not. What is proved for many rounds is
    `pegasos_edu.solvers.averaging.error_bound`.

    If a worker is lost, others make its steps again, from the last w that the
    client has seen. Dask then logs warnings, which do no harm.

    Examples
    --------
    >>> X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    >>> run = pegasos(
    ...     [(X, y), (2 * X, y)], 0.5, 1000, rounds=10, seed=0, client="here"
    ... )
    >>> run.last.round(1)
    array([0.6, 0.6])
    """
    plan = Plan(lam, T, rounds, seed, sampling, loss, average_from, corrected)
    wanted, ends = check_ends(snapshots, T, rounds)
    kept = {}
    with opened(data, client) as shards:
        engine, alone = shards.engine, len(shards.sizes) == 1
        state = np.zeros((2, shards.d))  # w_1, and the sum of iterates
        for numbers in stretches(ends, wanted):
            if not alone and state.nbytes > SMALL:
                state = engine.share(state)
            # One shard alone waits for nobody: its rounds are one task.
            for few in [numbers] if alone else zip(numbers):
                parts = engine.each(
                    local_rounds,
                    shards.handles,
                    state=state,
                    numbers=few,
                    plan=plan,
                    n=shards.n,
                )
                state = engine.total(parts)
            state = engine.fetch(state)
            kept[ends[numbers[-1] + 1]] = state
    return as_result(kept, wanted, plan)


@dataclass
class Plan:
    """The checked arguments of a run in rounds, as `pegasos` describes them.

    Attributes
    ----------
    lam, T, rounds, seed, sampling, loss, average_from, corrected
        As in `pegasos`.
    """

    lam: float
    T: int
    rounds: int
    seed: int
    sampling: Any
    loss: Any
    average_from: int | None
    corrected: float | None

    def __post_init__(self):
        T = checks.check_integer("T", self.T, 1)
        rounds = checks.check_integer("rounds", self.rounds, 1, high=T)
        self.lam = checks.check_lam(self.lam, T)
        self.seed = checks.check_integer("seed", self.seed, 0)
        checks.check_choice("sampling", self.sampling, SAMPLINGS)
        checks.check_choice("loss", self.loss, LOSSES)
        if self.average_from is not None:
            checks.check_integer("average_from", self.average_from, 1, high=T)
        if self.corrected is not None:
            r = checks.check_positive("corrected", self.corrected)
            if r >= 1.0 or rounds > 1:
                found = f"corrected is {r:g} and rounds is {rounds}"
                checks.refuse(found, "a fraction below 1, and one round")

    def end(self, number):
        """How many steps there are in so many rounds, as `ends_of_rounds`."""
        return self.T * number // self.rounds

    def draw(self, n, steps, seed):
        """The rows that these steps visit."""
        return draw_order(n, steps, sampling=self.sampling, seed=seed)


def check_ends(snapshots, T, rounds):
    """The snapshots, each the end of a round; and all these ends."""
    snapshots = checks.check_snapshots(snapshots, T)
    ends = ends_of_rounds(T, rounds)
    between = sorted({*snapshots.tolist()} - {*ends})
    if between:
        expected = f"steps that end a round, as {ends[1]} does"
        checks.refuse(f"snapshots holds {between[0]}", expected)
    return snapshots, ends


def stretches(ends, snapshots):
    """The rounds, cut after those whose w the client sees.

    Examples
    --------
    >>> list(stretches(range(13), [3]))
    [range(0, 3), range(3, 10), range(10, 12)]
    """
    rounds = len(ends) - 1
    cuts = {*range(0, rounds, SEEN_EVERY), rounds}
    cuts |= {number for number in range(rounds) if ends[number] in snapshots}
    return (range(*pair) for pair in pairwise(sorted(cuts)))


def local_rounds(
    shard: Shard, *, state: NDArray, numbers: Any, plan: Plan, n: int
) -> NDArray:
    """`local_round` for each of these numbers, one after another."""
    for number in numbers:
        state = local_round(shard, state=state, number=number, plan=plan, n=n)
    return state


def local_round(
    shard: Shard, *, state: NDArray, number: int, plan: Plan, n: int
) -> NDArray:
    """The share p_j of where a shard is after its steps of a round.

    Parameters
    ----------
    shard : Shard
    state : ndarray of shape (2, d)
        The shared w, and the sum of the iterates averaged so far.
    number : int
        Which round, counted from 0.
    plan : Plan
    n : int
        The number of examples in all shards.

    Returns
    -------
    ndarray of shape (2, d)
    """
    own = seed_of(plan.seed, shard.number, number)
    before, last = plan.end(number), plan.end(number + 1)
    steps, first = last - before, None
    if plan.average_from is not None and plan.average_from <= last:
        first = max(plan.average_from - before, 1)
    order = plan.draw(shard.size, steps, own)
    found = places(shard, state[0], order, number, plan, first)
    if plan.corrected is not None:
        found = without_bias(found, shard, state[0], number, plan, first)
    if first is not None:
        found[1] *= steps - first + 1
    found[1] += state[1]
    return shard.size / n * found


def without_bias(found, shard, w, number, plan, first):
    """What was found, corrected by a run on some of the rows."""
    few = max(1, round(plan.corrected * shard.size))
    if few == shard.size:
        all_rows = f"all {few} rows of shard {shard.number}"
        checks.refuse(
            f"corrected is {plan.corrected:g}: {all_rows}", "fewer of its rows"
        )
    r = few / shard.size  # rows are whole: not quite what was asked for
    steps = plan.end(number + 1) - plan.end(number)
    fewer = max(1, round(r * steps))
    # Independent draws: which rows, and then in which order.
    own = seed_of(plan.seed, shard.number, number)
    rng = np.random.default_rng(seed_of(own, 0, 0))
    rows = rng.choice(shard.size, few, replace=False)
    order = rows[plan.draw(few, fewer, seed_of(own, 0, 1))]
    sooner = first and 1 + (first - 1) * fewer // steps
    again = places(shard, w, order, number, plan, sooner)
    return (found - r * again) / (1.0 - r)


def places(shard, w, order, number, plan, first):
    """The last iterate of the steps on these rows, and the average."""
    try:
        run = local_steps(
            *shard.data(),
            plan.lam,
            order,
            start=w,
            before=plan.end(number),
            loss=plan.loss,
            average_from=first,
        )
    except FloatingPointError as error:
        raise FloatingPointError(
            f"shard {shard.number}, round {number + 1}: {error}"
        ) from None
    return np.array(
        [run.last, np.zeros_like(w) if first is None else run.average]
    )


def as_result(kept, snapshots, plan):
    """What was kept after the last round and at the snapshots."""

    def at(t):
        w, total = kept[t]
        if plan.average_from is None or t < plan.average_from:
            return w, w
        return w, total / (t - plan.average_from + 1)

    last, average = at(plan.T)
    both = np.reshape([at(t) for t in snapshots.tolist()], (-1, 2, len(last)))
    iterates, averages = both.swapaxes(0, 1).copy()
    if plan.average_from is None:
        average = averages = None
    return Result(last, average, snapshots, iterates, averages)
