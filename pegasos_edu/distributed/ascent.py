"""The optimum over shards, to a gap: dual ascent in rounds.

Each shard keeps the dual variables of its own examples. In a round it makes
one pass of steps on them, from the shared w, as if it were alone but for one
thing: it takes λn to be σ times smaller, so on its own copy of w every change
moves w σ times as far. Then all the changes may be added. With σ = m, the
number of shards, the dual never falls, and it takes long. So `Pace` tries a
smaller σ, and momentum; what is returned has its certificate in any case.

And f gets a *pull* κ/2 ‖w − c‖² towards the place c that the last round has
led to, as in `pegasos_edu.solvers.ascent`, which says why D(α) is a bound all
the same. There κ is what tames the steps of one machine. Here it is m times as
large at first: m machines step at once, from the same w.

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
from pegasos_edu.distributed.checkpoint import (
    EVERY,
    Checkpoint,
    check_checkpoint,
    checksum,
)
from pegasos_edu.distributed.gap import (
    Certified,
    add_examples,
    certify,
    losses_of,
)
from pegasos_edu.distributed.shards import Shard, Shards, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import LOSSES, is_log
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.ascent import KEPT, sum_of_squares
from pegasos_edu.solvers.averaging import seed_of
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.sparse import as_rows


@checked_call("distributed.optimum")
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
        Its `w` is the minimiser, `gap` says how good it is at least, and
        `rounds` how many rounds there were. On a cluster its `alpha` is of
        use while the shards are open.

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not, such as one
        with one label only: see `load`.
    RuntimeError
        If the gap stays above `tol`: nothing uncertified is returned.

    Notes
    -----
    CoCoA: Jaggi et al. (2014), who average the changes; that they may be
    added where the shards allow for each other: Ma et al. (2015), with γ = 1
    and σ' = σ. The momentum is that of Beck and Teboulle (2009), begun anew
    where the dual has fallen, as O'Donoghue and Candès (2015) propose. The
    pull is that of `pegasos_edu.solvers.ascent`, with a κ of its own. One
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
    check_checkpoint(checkpoint)
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
    here, last : handle of an ndarray of shape (2d + 4,)
        What `moved` has returned for the last round; and for that before.
    best : handle of an ndarray of shape (d,)
        The w with the least f so far.
    alphas, before, best_alphas : list of handles
        The dual variables of each shard; those before; and those of the
        highest D(α) so far. None for zeros.
    pace : Pace
    pull : float
        κ.
    rounds : int
        How many there were.
    least, highest : float
        The least f and the highest D(α) so far.
    """

    here: Any
    last: Any
    best: Any
    alphas: list[Any]
    before: list[Any]
    best_alphas: list[Any]
    pace: Pace
    pull: float = 0.0
    rounds: int = 0
    least: float = np.inf
    highest: float = -np.inf

    @classmethod
    def begin(cls, shards: Shards) -> Climb:
        """The one from w = 0 and α = 0."""
        m, nothing = len(shards.sizes), [None] * len(shards.sizes)
        nowhere = shards.engine.share(np.zeros(2 * shards.d + 4))
        w = shards.engine.share(np.zeros(shards.d))
        places = nowhere, nowhere, w
        return cls(*places, nothing, nothing, nothing, Pace(m))

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
    return Climb(None, None, w[0], [], [], alpha, Pace(1), rounds=number)


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
    >>> print(w.round(2), alpha.round(3))
    [0.5] [0.025]
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
    run = dict(sizes=shards.sizes, d=shards.d, lam=lam, loss=loss, seed=seed)
    if folder is not None:
        engine = shards.engine
        sums = engine.fetch(engine.each(checksum, shards.handles))
        run["data with the sums"] = sums
    kept, climb = Checkpoint.of(folder, shards, run), Climb.begin(shards)
    climb = kept.found(climb) if kept else climb
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
    if climb.rounds == 0:
        climb.pull = first_pull(shards, lam)
    common = dict(beta=pace.beta, lam=lam, pull=climb.pull)
    here, last = [climb.here], [climb.last]
    [start] = engine.each(start_of, here, last, **common)
    pairs = engine.each(
        dual_round,
        shards.handles,
        climb.alphas,
        climb.before,
        start=start,
        beta=pace.beta,
        lam_n=(lam + climb.pull) * n,
        sigma=pace.sigma,
        loss=loss,
        seed=seed,
        number=climb.rounds,
    )
    sums = engine.total(engine.each(itemgetter(1), pairs))
    # All w stay with the workers, which may have to make them again; the
    # client sees four numbers of each round.
    [place] = engine.each(moved, [sums], here, last, [start], **common, n=n)
    [facts] = engine.fetch(engine.each(facts_of, [place]))
    f, dual, missing, overlap = facts
    if f < climb.least:
        climb.best, climb.least = start, f
    alphas = engine.each(itemgetter(0), pairs)
    if dual > climb.highest:
        climb.best_alphas, climb.highest = alphas, dual
    if missing <= 0.5 * (climb.least - dual):
        climb.pull *= KEPT
    climb.alphas, climb.before = alphas, climb.alphas
    climb.here, climb.last = place, climb.here
    climb.rounds += 1
    pace.go_on(dual, overlap)


def first_pull(shards: Shards, lam: float) -> float:
    """The κ of the first round: with λ + κ it is as if λ were m R²/n.

    R² is the mean of ‖x‖². One step of one machine alone moves a typical
    margin by 1 where λ is R²/n.
    """
    squares = float(shards.total(squares_of)[0])
    if not np.isfinite(squares):
        checks.refuse("the squares of X overflow", "smaller data")
    return max(0.0, len(shards.sizes) * squares / shards.n**2 - lam)


def squares_of(shard: Shard) -> NDArray:
    """Σ ‖x_i‖² of a shard.

    Examples
    --------
    >>> shard = Shard(0, (np.array([[2.0]]), np.array([1.0])), None, 1, 1)
    >>> squares_of(shard)
    array([4.])
    """
    X, _ = shard.data()
    add_up, convert = fastest(sum_of_squares)
    with np.errstate(over="ignore"):
        return np.array([add_up(as_rows(X, convert), shard.size, None)])


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


def start_of(
    here: NDArray, last: NDArray, *, beta: float, lam: float, pull: float
) -> NDArray:
    """The w that a round begins with.

    Parameters
    ----------
    here, last : ndarray of shape (2d + 4,)
        What `moved` has returned for the last round; and for that before.
    beta : float
        The momentum β ≥ 0.
    lam, pull : float
        λ and κ.

    Examples
    --------
    >>> here, last = np.array([0.5, 2.0, 0, 0, 0, 0]), np.zeros(6)
    >>> start_of(here, last, beta=1.0, lam=0.25, pull=0.25)
    array([3.])
    """
    d = len(here) // 2 - 2
    g, centre = here[:d], here[d:-4]
    ahead = g + beta * (g - last[:d])
    return (ahead + pull * centre) / (lam + pull)


def dual_round(
    shard: Shard,
    alpha: NDArray | None,
    before: NDArray | None,
    *,
    start: NDArray,
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
    start : ndarray of shape (d,)
        The shared w, as of `start_of`.
    beta : float
        The momentum β ≥ 0.
    lam_n : float
        (λ + κ)n, n being the number of all examples.
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
        How w moves by them; the square of that move's length; Σ ℓ(m_i) at
        the start, and Σ −ℓ*(−α_i) afterwards.
    """
    X, y = shard.data()
    alpha = np.zeros(shard.size) if alpha is None else alpha
    before = np.zeros(shard.size) if before is None else before
    losses = losses_of(shard, w=start[np.newaxis], loss=loss)
    advance, convert = fastest(dual.advance)
    rows, y = as_rows(X, convert), convert(y)
    ahead = alpha + beta * (alpha - before)
    new = ahead.clip(0.0, 1.0)
    v = start.copy()
    if beta > 0.0:  # what was clipped is a move, too
        add_up = fastest(add_examples)[0]
        add_up(rows, y, convert((new - ahead) * sigma / lam_n), v)
    own = seed_of(seed, shard.number, number)
    order = draw_order(shard.size, shard.size, sampling="blocks", seed=own)
    steps = rows, y, convert(order), lam_n / sigma
    advance(*steps, None, v, new, None, is_log(loss))
    move = (v - start) / sigma
    payments = LOSSES[loss].dual(new).sum()
    return new, np.concatenate([move, [(move**2).sum()], losses, [payments]])


def moved(
    sums: NDArray,
    here: NDArray,
    last: NDArray,
    start: NDArray,
    *,
    beta: float,
    lam: float,
    pull: float,
    n: int,
) -> NDArray:
    """Where a round has led to, and what it takes to know how good that is.

    Parameters
    ----------
    sums : ndarray of shape (d + 3,)
        What `dual_round` returned, added over the shards.
    here, last, beta, lam, pull
        As in `start_of`.
    start : ndarray of shape (d,)
        What that has returned.
    n : int
        The number of examples.

    Returns
    -------
    ndarray of shape (2d + 4,)
        The new g = λ w(α), and the new w, the next centre c; f(start); D(α);
        the gap of the problem with the pull; and the σ for which adding the
        moves was just safe: the squared length of their sum over the sum of
        their squared lengths.

    Examples
    --------
    >>> here, sums = np.zeros(8), np.array([3.0, 4.0, 12.5, 8.0, 4.0])
    >>> options = dict(beta=0.0, lam=0.125, pull=0.125, n=4)
    >>> moved(sums, here, here, np.zeros(2), **options)
    array([ 0.75 ,  1.   ,  3.   ,  4.   ,  2.   , -5.25 ,  4.125,  2.   ])
    """
    d, strength = len(start), lam + pull
    g, centre, move = here[:d], here[d:-4], sums[:d]
    squares, losses, payments = sums[d:]
    w = start + move
    g = g + beta * (g - last[:d]) + strength * move
    f = 0.5 * lam * square(start) + losses / n
    bound = payments / n - square(g) / (2.0 * lam)
    missing = f + 0.5 * pull * (square(start - centre) - square(centre))
    missing -= payments / n - 0.5 * strength * square(w)
    overlap = square(move) / squares if squares > 0.0 else 1.0
    return np.concatenate([g, w, [f, bound, missing, overlap]])


def square(w):
    """‖w‖²; not w @ w, which several threads would add up in another order."""
    return (w**2).sum()


def facts_of(place: NDArray) -> list[float]:
    """The four numbers at the end."""
    return [float(fact) for fact in place[-4:]]
