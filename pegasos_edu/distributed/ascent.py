"""The optimum over shards, to a gap: dual ascent in rounds.

Each shard keeps the dual variables of its own examples. In a round it makes
one pass of steps on them, from the shared w, as if it were alone but for one
thing: it takes the squares of the examples' lengths to be m times as large, m
being the number of shards. Then all the changes may be added, and the dual
never falls.
"""

from __future__ import annotations

from operator import itemgetter
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.distributed.gap import Certified, certify, losses_of
from pegasos_edu.distributed.shards import Shard, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.averaging import seed_of
from pegasos_edu.solvers.compiled import kernel
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.sparse import as_rows, plain


def optimum(
    data: Any,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    tol: float = 1e-3,
    max_rounds: int = 1000,
    *,
    seed: int = 0,
    client: Any = None,
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
        The largest relative gap that counts as certified.
    max_rounds : int
        Give up after so many rounds, of one pass over the data each.
    seed : int
        What the orders of the examples are drawn from.
    client : distributed.Client, str or None
        Who computes, as in `load`; not given with loaded shards.

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
    and σ' = m. The dual
    variables stay with the workers. Those of a lost one are made again, by
    all rounds from the first on; so the scheduler keeps the list of them,
    but no w.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    >>> best = optimum([(X, y), (X, y)], lam=0.1, client="here")
    >>> print(best.w.round(2), best.gap <= 1e-3)
    [1.] True
    """
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    tol = checks.check_positive("tol", tol)
    max_rounds = checks.check_integer("max_rounds", max_rounds, 1)
    seed = checks.check_integer("seed", seed, 0)
    with opened(data, client) as shards:
        engine, n, machines = shards.engine, shards.n, len(shards.sizes)
        alphas: list[Any] = [None] * machines
        place = best = engine.share(np.zeros(shards.d + 3))
        least = np.inf
        for number in range(max_rounds + 1):
            pairs = engine.each(
                dual_round,
                shards.handles,
                alphas,
                place=place,
                lam_n=lam * n / machines,
                loss=loss,
                seed=seed,
                number=number,
            )
            sums = engine.total(engine.each(itemgetter(1), pairs))
            here = place
            # The w of all rounds stay with the workers, which may have to
            # make them again; the client sees three numbers of each round.
            [place] = engine.each(
                moved, [place], [sums], lam=lam, n=n, machines=machines
            )
            [facts] = engine.fetch(engine.each(facts_of, [place]))
            # Of w and α as they were before this round.
            losses, payments, penalty = facts
            if penalty + losses < least:
                best, least = here, penalty + losses
            if least - (payments - penalty) <= tol * least or (
                number == max_rounds
            ):
                break
            alphas = engine.each(itemgetter(0), pairs)
        w = engine.fetch(best)[:-3]
        found = certify(shards, w, alphas, lam, loss)
    if not found.gap <= tol:
        raise RuntimeError(
            f"the relative gap is {found.gap:.1e} after {max_rounds} rounds; "
            f"expected at most {tol:.1e}, so there is no certified optimum "
            f"to return."
        )
    return found


def dual_round(
    shard: Shard,
    alpha: NDArray | None,
    *,
    place: NDArray,
    lam_n: float,
    loss: Any,
    seed: int,
    number: int,
) -> tuple[NDArray, NDArray]:
    """One pass of dual steps on a shard's own examples.

    Parameters
    ----------
    shard : Shard
    alpha : ndarray of shape (n_j,), or None for zeros
        Its dual variables; they are not changed.
    place : ndarray of shape (d + 3,)
        The shared w, and what `moved` adds to it.
    lam_n : float
        λn/m; what makes the steps m times shorter.
    loss : {"hinge", "log"}
        The loss ℓ.
    seed, number : int
        The seed of the run, and which round, counted from 0.

    Returns
    -------
    ndarray of shape (n_j,)
        The new dual variables.
    ndarray of shape (d + 2,)
        How w moves, times m; and, before the pass, Σ ℓ(m_i) and
        Σ −ℓ*(−α_i).
    """
    (X, y), w = shard.data(), place[:-3]
    alpha = np.zeros(shard.size) if alpha is None else alpha.copy()
    payments = LOSSES[loss].dual(alpha).sum()
    losses = losses_of(shard, w=w[np.newaxis], loss=loss)
    advance, convert = (*kernel(dual.advance), plain)[:2]
    own = seed_of(seed, shard.number, number)
    order = draw_order(shard.size, shard.size, sampling="blocks", seed=own)
    v = w.copy()
    advance(
        as_rows(X, convert),
        convert(y),
        convert(order),
        lam_n,
        None,
        v,
        alpha,
        None,
        loss == "log",
    )
    return alpha, np.concatenate([v - w, losses, [payments]])


def moved(
    place: NDArray, sums: NDArray, *, lam: float, n: int, machines: int
) -> NDArray:
    """The next w, and what it takes to know how good the last one was.

    Parameters
    ----------
    place : ndarray of shape (d + 3,)
        The last w, and three numbers that are not looked at.
    sums : ndarray of shape (d + 2,)
        What `dual_round` returned, added over the shards.
    lam : float
        The regularisation strength λ > 0.
    n, machines : int
        The numbers of examples and of shards.

    Returns
    -------
    ndarray of shape (d + 3,)
        The next w; of the last one the mean of ℓ(m_i) and of −ℓ*(−α_i), and
        λ/2 ‖w‖².

    Examples
    --------
    >>> place, sums = np.array([2.0, 0, 0, 0]), np.array([1.0, 8.0, 4.0])
    >>> moved(place, sums, lam=0.1, n=4, machines=2)
    array([2.5, 2. , 1. , 0.2])
    """
    w = place[:-3]
    # Not w @ w, which several threads would add up in another order.
    facts = [*(sums[-2:] / n), 0.5 * lam * (w**2).sum()]
    return np.concatenate([w + sums[:-2] / machines, facts])


def facts_of(place: NDArray) -> list[float]:
    """The three numbers behind the w."""
    return place[-3:].tolist()
