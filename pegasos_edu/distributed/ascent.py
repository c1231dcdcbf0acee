"""The optimum over shards, to a gap: dual ascent in rounds.

Each shard keeps the dual variables of its own examples. In a round it makes
one pass of steps on them, from the shared w, as if it were alone but for one
thing: it takes λn to be σ times smaller, so on its own copy of w every change
moves w σ times as far. Then all the changes may be added. With σ = m, the
number of shards, the dual never falls, and it takes long. So `Pace` tries a
smaller σ, and momentum; what is returned has its certificate in any case.

One shard needs no rounds: its worker has all the examples, and does what one
machine does.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from operator import itemgetter
from os import PathLike
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.certificate.approach import approach, one_thread
from pegasos_edu.certificate.gap import check_tol
from pegasos_edu.distributed.checkpoint import EVERY, Checkpoint
from pegasos_edu.distributed.gap import (
    Certified,
    add_examples,
    certify,
    losses_of,
)
from pegasos_edu.distributed.shards import Shard, Shards, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.averaging import seed_of
from pegasos_edu.solvers.compiled import kernel
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.sparse import as_rows


def optimum(
    data: Any,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    tol: float = 1e-3,
    max_rounds: int = 1000,
    *,
    seed: int = 0,
    client: Any = None,
    checkpoint: str | PathLike | None = None,
) -> Certified:
    """Minimise f over shards to a relative duality gap of at most `tol`.

    Parameters
    ----------
    data : Shards, list, Dask bag, or pair of Dask arrays
        As in `load`, or what it has returned.
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ.
    tol : float
        The largest relative gap that counts as certified; below 1.
    max_rounds : int
        Give up after so many rounds, of one pass over the data each.
    seed : int
        What the orders of the examples are drawn from.
    client : distributed.Client, str or None
        Who computes, as in `load`; not given with loaded shards.
    checkpoint : path, optional
        A folder that all workers reach by this path. Every tenth round is
        kept there, and the last one. A call that finds one of the same run
        goes on from there, to the same bits as without a stop; `max_rounds`
        and `tol` may be others.

    Returns
    -------
    Certified
        On a cluster its `alpha` is of use while the shards are open.

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not: see `load`.
    RuntimeError
        If the gap stays above `tol`: nothing uncertified is returned.

    Notes
    -----
    CoCoA: Jaggi et al. (2014), who average the changes; that they may be
    added where the shards allow for each other: Ma et al. (2015), with γ = 1
    and σ' = σ. The momentum is that of Beck and Teboulle (2009), begun anew
    where the dual has fallen, as O'Donoghue and Candès (2015) propose. One
    shard alone: `pegasos_edu.certificate.optimum.minimise`, on its worker.

    The dual variables stay with the workers. Those of a lost one are made
    again, from the first round on, or from the last one that was kept. A
    round that can be needed again costs the scheduler a few notes for each
    shard, some 5 kB each. So give a `checkpoint` for a long run on a cluster
    of your own; the default, a cluster of processes here, keeps one anyway.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    >>> best = optimum([(X, y), (X, y)], lam=0.1, client="here")
    >>> print(best.w.round(2), best.gap <= 1e-3)
    [1.] True
    """
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = check_tol(tol)
    max_rounds = checks.check_integer("max_rounds", max_rounds, 1)
    seed = checks.check_integer("seed", seed, 0)
    with opened(data, client) as shards:
        if len(shards.sizes) == 1:
            options = dict(lam=lam, loss=loss, tol=tol, seed=seed)
            climb = alone(shards, max_rounds, options)
        else:
            climb = in_rounds(
                shards, lam, loss, tol, max_rounds, seed, checkpoint
            )
        w = shards.engine.fetch(climb.best)[: shards.d]
        found = certify(shards, w, climb.best_alphas, lam, loss)
        found = replace(found, rounds=climb.rounds)
    if not found.gap <= tol:
        raise RuntimeError(
            f"the relative gap is {found.gap:.1e} after {climb.rounds} "
            f"rounds; expected at most {tol:.1e}, so there is no certified "
            f"optimum to return."
        )
    return found


@dataclass
class Climb:
    """Where the ascent is: what the next round begins with, and the best.

    Attributes
    ----------
    here, last : handle of an ndarray of shape (d + 4,)
        The shared w, and what `moved` adds to it; and that of the last round.
    best : handle of an ndarray of shape (d,) or (d + 4,)
        The w with the least f so far.
    alphas, before, best_alphas : list of handles
        The dual variables of each shard; those before; and those of the
        highest D(α) so far. None for zeros.
    pace : Pace
    rounds : int
        How many there were.
    least, highest : float
        The least f and the highest D(α) so far.
    penalty : float
        λ/2 ‖w‖² of the shared w.
    """

    here: Any
    last: Any
    best: Any
    alphas: list[Any]
    before: list[Any]
    best_alphas: list[Any]
    pace: Pace
    rounds: int = 0
    least: float = np.inf
    highest: float = -np.inf
    penalty: float = 0.0

    def near(self, tol: float) -> bool:
        """Whether the gap is at most `tol`, by the sums of the rounds."""
        return self.rounds > 0 and (
            self.least - self.highest <= tol * self.least
        )


def alone(shards: Shards, max_rounds: int, options: dict) -> Climb:
    """What one shard alone comes to, in one task."""
    [place] = shards.engine.each(
        approached, shards.handles, max_rounds=max_rounds, **options
    )
    w, alpha, rounds = (
        shards.engine.each(itemgetter(k), [place]) for k in range(3)
    )
    [number] = shards.engine.fetch(rounds)
    return Climb(None, None, w[0], [], [], alpha, Pace(1), number)


def approached(
    shard: Shard, *, max_rounds: int, lam: float, loss: Any, **options: Any
) -> tuple[NDArray, NDArray, int]:
    """The w and α that one machine comes to, and in how many rounds.

    Examples
    --------
    >>> shard = Shard(0, (np.array([[2.0]]), np.array([1.0])), None, 1, 1)
    >>> w, alpha, _ = approached(
    ...     shard, max_rounds=99, lam=0.1, loss="hinge", tol=0.01, seed=0
    ... )
    >>> print(w.round(2), alpha.round(2))
    [0.5] [0.03]
    """
    X, y = shard.data()
    with one_thread():
        now, rounds = approach(
            X, y, lam, loss, max_rounds=max_rounds, keep=True, **options
        )
    return now.w, now.alpha, rounds


def in_rounds(
    shards: Shards,
    lam: float,
    loss: Any,
    tol: float,
    max_rounds: int,
    seed: int,
    folder: str | PathLike | None,
) -> Climb:
    """What several shards come to, in rounds; kept on the way."""
    engine, m = shards.engine, len(shards.sizes)
    run = dict(sizes=shards.sizes, d=shards.d, lam=lam, loss=loss, seed=seed)
    kept = Checkpoint.of(folder, shards, run)
    start, nothing = engine.share(np.zeros(shards.d + 4)), [None] * m
    climb = Climb(*[start] * 3, *[nothing] * 3, Pace(m))
    if kept:
        climb = kept.found(climb)
    saved = climb.rounds
    while climb.rounds < max_rounds and not climb.near(tol):
        one_round(climb, shards, lam, loss, seed)
        if kept and climb.rounds % EVERY == 0:
            climb, saved = kept.renewed(climb), climb.rounds
    if kept and folder is not None and saved < climb.rounds:
        climb = kept.renewed(climb)
    return climb


def one_round(
    climb: Climb, shards: Shards, lam: float, loss: Any, seed: int
) -> None:
    """Go on by one round."""
    engine, n, pace = shards.engine, shards.n, climb.pace
    here = climb.here
    common = dict(here=here, last=climb.last, beta=pace.beta, lam_n=lam * n)
    pairs = engine.each(
        dual_round,
        shards.handles,
        climb.alphas,
        climb.before,
        **common,
        sigma=pace.sigma,
        loss=loss,
        seed=seed,
        number=climb.rounds,
    )
    sums = engine.total(engine.each(itemgetter(1), pairs))
    # The w of all rounds stay with the workers, which may have to make them
    # again; the client sees four numbers of each round.
    [place] = engine.each(moved, [sums], **common, n=n)
    [facts] = engine.fetch(engine.each(facts_of, [place]))
    losses, payments, penalty, overlap = facts
    # The losses are those of w before this round.
    if climb.penalty + losses < climb.least:
        climb.best, climb.least = here, climb.penalty + losses
    dual = payments - penalty
    alphas = engine.each(itemgetter(0), pairs)
    if dual > climb.highest:
        climb.best_alphas, climb.highest = alphas, dual
    climb.alphas, climb.before = alphas, climb.alphas
    climb.here, climb.last, climb.penalty = place, here, penalty
    climb.rounds += 1
    pace.go_on(dual, overlap)


@dataclass
class Pace:
    """How boldly the next round goes: its σ and its momentum β.

    Attributes
    ----------
    machines : int
        The number of shards m.
    sigma : float
        What each shard takes λn to be smaller by, from 1 to m.
    beta : float
        How much of the last move is made once more before the round.
    floor : float
        The least σ; it doubles whenever the dual has fallen, so that in the
        end σ = m, with which it cannot fall without momentum.
    clock : float
        What β follows from.
    dual : float
        D(α) after the last round.

    Examples
    --------
    >>> pace = Pace(machines=16)
    >>> pace.go_on(dual=0.1, overlap=5.0)
    >>> pace.sigma, round(pace.beta, 3)
    (6.0, 0.282)
    >>> pace.go_on(dual=0.05, overlap=2.0)
    >>> pace.beta, pace.floor
    (0.0, 2.0)
    """

    machines: int
    sigma: float = 0.0
    beta: float = 0.0
    floor: float = 1.0
    clock: float = 1.0
    dual: float = -np.inf

    def __post_init__(self):
        self.sigma = max(1.0, self.machines / 8)
        self.clock = later(1.0)

    def go_on(self, dual: float, overlap: float) -> None:
        """Set σ and β by what the last round has shown.

        Parameters
        ----------
        dual : float
            D(α) after it.
        overlap : float
            The σ for which adding the changes was just safe.
        """
        if dual < self.dual:
            self.clock = 1.0
            self.floor = min(2.0 * self.floor, self.machines)
        self.dual, clock = dual, later(self.clock)
        self.beta, self.clock = (self.clock - 1.0) / clock, clock
        # A fifth more than it took, and not much less than before.
        wanted = max(self.floor, 0.9 * self.sigma, 1.2 * overlap)
        self.sigma = min(wanted, self.machines)


def later(clock: float) -> float:
    """The next t of Beck and Teboulle's rule, t² of which is t + its square.

    Examples
    --------
    >>> t = later(2.0)
    >>> round(t**2 - t, 12)
    4.0
    """
    return (1.0 + math.sqrt(1.0 + 4.0 * clock**2)) / 2.0


def dual_round(
    shard: Shard,
    alpha: NDArray | None,
    before: NDArray | None,
    *,
    here: NDArray,
    last: NDArray,
    beta: float,
    lam_n: float,
    sigma: float,
    loss: Any,
    seed: int,
    number: int,
) -> tuple[NDArray, NDArray]:
    """One pass of dual steps on a shard's own examples.

    It begins at α + β(α − the one before), or as near to it as 0 ≤ α_i ≤ 1
    allows.

    Parameters
    ----------
    shard : Shard
    alpha, before : ndarray of shape (n_j,), or None for zeros
        Its dual variables, and those before; they are not changed.
    here, last : ndarray of shape (d + 4,)
        The shared w, and what `moved` adds to it; and that of the last round.
    beta : float
        The momentum β ≥ 0.
    lam_n : float
        λn, n being the number of all examples.
    sigma : float
        The σ ≥ 1 that makes the steps shorter.
    loss : {"hinge", "log"}
        The loss ℓ.
    seed, number : int
        The seed of the run, and which round, counted from 0.

    Returns
    -------
    ndarray of shape (n_j,)
        The new dual variables.
    ndarray of shape (d + 3,)
        How w moves by them, from w + β(w − the last w); the square of that
        move's length; Σ ℓ(m_i) before, and Σ −ℓ*(−α_i) afterwards.
    """
    (X, y), w = shard.data(), here[:-4]
    alpha = np.zeros(shard.size) if alpha is None else alpha
    before = np.zeros(shard.size) if before is None else before
    losses = losses_of(shard, w=w[np.newaxis], loss=loss)
    advance, convert = kernel(dual.advance)
    rows, y = as_rows(X, convert), convert(y)
    ahead = alpha + beta * (alpha - before)
    new = ahead.clip(0.0, 1.0)
    start = w + beta * (w - last[:-4])
    v = start.copy()
    if beta > 0.0:  # what was clipped is a move, too
        add_up = kernel(add_examples)[0]
        add_up(rows, y, convert((new - ahead) * sigma / lam_n), v)
    own = seed_of(seed, shard.number, number)
    order = draw_order(shard.size, shard.size, sampling="blocks", seed=own)
    steps = rows, y, convert(order), lam_n / sigma
    advance(*steps, None, v, new, None, loss == "log")
    move = (v - start) / sigma
    payments = LOSSES[loss].dual(new).sum()
    return new, np.concatenate([move, [(move**2).sum()], losses, [payments]])


def moved(
    sums: NDArray,
    *,
    here: NDArray,
    last: NDArray,
    beta: float,
    lam_n: float,
    n: int,
) -> NDArray:
    """The next w, and what it takes to know how good it is.

    Parameters
    ----------
    sums : ndarray of shape (d + 3,)
        What `dual_round` returned, added over the shards.
    here, last, beta, lam_n
        As in `dual_round`.
    n : int
        The number of examples.

    Returns
    -------
    ndarray of shape (d + 4,)
        The next w; the mean of ℓ(m_i) at the w before; of the new point the
        mean of −ℓ*(−α_i), and λ/2 ‖w‖²; and the σ for which adding the moves
        was just safe: the squared length of their sum over the sum of their
        squared lengths.

    Examples
    --------
    >>> here, sums = np.zeros(6), np.array([3.0, 4.0, 12.5, 8.0, 4.0])
    >>> moved(sums, here=here, last=here, beta=0.0, lam_n=0.4, n=4)
    array([3.  , 4.  , 2.  , 1.  , 1.25, 2.  ])
    """
    w, move = here[:-4], sums[:-3]
    squares, losses, payments = sums[-3:]
    w = w + beta * (w - last[:-4]) + move
    # Not w @ w, which several threads would add up in another order.
    penalty = 0.5 * lam_n / n * (w**2).sum()
    overlap = (move**2).sum() / squares if squares > 0.0 else 1.0
    return np.append(w, [losses / n, payments / n, penalty, overlap])


def facts_of(place: NDArray) -> list[float]:
    """The four numbers behind the w."""
    return place[-4:].tolist()
