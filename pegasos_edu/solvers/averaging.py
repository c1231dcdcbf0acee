"""Pegasos on many machines: local steps, and averages of what they lead to.

Machine j holds n_j of the n examples. With p_j = n_j/n and f_j the objective
of its examples alone, f = Σ p_j f_j. In a *round* every machine starts from
the shared w, makes its steps on its own examples, and then

    w = Σ p_j w_j.

The clock goes on over the rounds: step t of any round has η_t = 1/(λt). So a
machine that makes K steps in round r moves away from the others by at most
2R/(λr), R being the largest ‖x‖, and the average is drawn to the optimum of
the whole data. With one step a round this is Pegasos with a mini-batch, a
row from each machine; with one round it is one-shot averaging (Zinkevich et
al. 2010).

What is proved is `error_bound`: the error goes to 0 as the number of rounds
grows. It says nothing on how much less the average varies than one machine
does, nor that the bias correction helps where the loss has a kink: that can
only be measured.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.problem import checks
from pegasos_edu.solvers import closed_form
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.run import Result, Run
from pegasos_edu.solvers.steps import PegasosStep

# So many parts are added together: each sum is a task somewhere.
FEW = 8


def seed_of(seed: int, machine: int, number: int) -> int:
    """The seed of a machine in a round, both counted from 0.

    It depends on nothing else: neither on who computes nor on when.

    Parameters
    ----------
    seed : int
        The seed of the whole run, at least 0.
    machine, number : int
        Which machine, and which round.

    Returns
    -------
    int
        Made from NumPy's `SeedSequence`: child `number` of child `machine`.

    Examples
    --------
    >>> seed_of(0, machine=1, number=0) == seed_of(0, machine=0, number=1)
    False
    """
    seed = checks.check_integer("seed", seed, 0)
    machine = checks.check_integer("machine", machine, 0)
    number = checks.check_integer("number", number, 0)
    child = np.random.SeedSequence(seed, spawn_key=(machine, number))
    return int(child.generate_state(1, np.uint64)[0] >> np.uint64(1))


def ends_of_rounds(T: int, rounds: int) -> list[int]:
    """The number of steps made after 0, 1, …, all rounds; as even as can be.

    Parameters
    ----------
    T : int
        How many steps each machine makes, at least 1.
    rounds : int
        From 1 to T.

    Returns
    -------
    list of int, of length rounds + 1

    Raises
    ------
    ValueError, TypeError
        If a number is out of range.

    Examples
    --------
    >>> ends_of_rounds(T=10, rounds=4)
    [0, 2, 5, 7, 10]
    """
    T = checks.check_integer("T", T, 1)
    rounds = checks.check_integer("rounds", rounds, 1, high=T)
    return [T * r // rounds for r in range(rounds + 1)]


def local_steps(
    X: Any,
    y: NDArray[Any],
    lam: float,
    order: NDArray[Any],
    *,
    start: NDArray[Any],
    before: int = 0,
    loss: Literal["hinge", "log"] = "hinge",
    average_from: int | None = 1,
) -> Result:
    """What one machine does in a round: steps on its own examples.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    y : ndarray of shape (n,), −1.0 or +1.0
        X and y are read as they are, not checked: they come in every round.
    lam : float
        The regularisation strength λ > 0.
    order : ndarray of int, shape (K,)
        The rows to visit.
    start : ndarray of shape (d,)
        The shared w.
    before : int
        How many steps there were in earlier rounds: the first η here is
        1/(λ(before + 1)).
    loss : {"hinge", "log"}
        The loss ℓ.
    average_from : int or None
        Average the iterates from this step of the round on; None for no
        average.

    Returns
    -------
    Result
        The last iterate, and the average.

    Examples
    --------
    >>> X, y = np.array([[2.0, 0.0], [1.0, 1.0]]), np.array([1.0, -1.0])
    >>> first = local_steps(X, y, 0.25, np.array([0]), start=np.zeros(2))
    >>> local_steps(
    ...     X, y, 0.25, np.array([1]), start=first.last, before=1
    ... ).last
    array([ 2., -2.])
    """
    run = Run(
        X,
        y,
        lam,
        order[:, np.newaxis],
        PegasosStep(lam, t0=before),
        start,
        loss=loss,
        average_from=average_from,
    )
    with np.errstate(over="ignore", invalid="ignore"):
        return closed_form.run_closed(run, *fastest(closed_form.advance))


def one_round(
    blocks: Sequence[tuple[Any, NDArray[Any]]],
    lam: float,
    w: NDArray[Any],
    steps: int,
    *,
    seed: int,
    number: int = 0,
    before: int = 0,
    sampling: Literal["iid", "without", "epochs", "blocks"] = "iid",
    loss: Literal["hinge", "log"] = "hinge",
) -> NDArray[Any]:
    """Where each machine is after its steps of a round, one after another.

    Parameters
    ----------
    blocks : list of pairs (X, y)
        What each machine holds, as in `local_steps`.
    lam : float
        The regularisation strength λ > 0.
    w : ndarray of shape (d,)
        The shared w.
    steps : int
        How many steps each machine makes.
    seed : int
        The seed of the run, `seed_of` says of what.
    number : int
        Which round, counted from 0.
    before : int
        How many steps there were in earlier rounds.
    sampling : {"iid", "without", "epochs", "blocks"}
        As in `draw_order`.
    loss : {"hinge", "log"}
        The loss ℓ.

    Returns
    -------
    ndarray of shape (m, d)
        The w_j; `average` makes the next w of them.

    Examples
    --------
    >>> X, y = np.array([[2.0], [1.0]]), np.array([1.0, -1.0])
    >>> one_round([(X, y), (2 * X, y)], 0.5, np.zeros(1), 100, seed=0).shape
    (2, 1)
    """
    places = []
    for machine, (X, y) in enumerate(blocks):
        own = seed_of(seed, machine, number)
        order = draw_order(len(y), steps, sampling=sampling, seed=own)
        run = local_steps(
            X,
            y,
            lam,
            order,
            start=w,
            before=before,
            loss=loss,
            average_from=None,
        )
        places.append(run.last)
    return np.array(places)


def average(places: Sequence[NDArray[Any]], sizes: Sequence[int]) -> NDArray:
    """Σ p_j w_j with p_j = n_j/n: the shares in which f is Σ p_j f_j.

    Parameters
    ----------
    places : list of m ndarrays of one shape
        The w_j.
    sizes : list of m int
        The n_j.

    Returns
    -------
    ndarray of that shape

    Raises
    ------
    ValueError
        If there is not one size for each place, and at least one place.

    Examples
    --------
    >>> average([np.array([1.0]), np.array([5.0])], sizes=[300, 100])
    array([2.])
    """
    if len(sizes) != len(places) or not len(places):
        checks.refuse(
            f"there are {len(places)} places and {len(sizes)} sizes",
            "one size for each of at least one place",
        )
    n = sum(sizes)
    return tree([size / n * w for size, w in zip(sizes, places)], add_up)


def tree(parts: Sequence[Any], add: Callable[..., Any]) -> Any:
    """The sum of a few neighbours each, then of these sums, and so on.

    Who is first to end a part decides nothing: the sum always rounds alike.

    Parameters
    ----------
    parts : list
        At least one.
    add : callable
        What makes one part of several, at most `FEW`.

    Examples
    --------
    >>> tree(list("abcdefghi"), lambda *few: f"({'+'.join(few)})")
    '((a+b+c+d+e+f+g+h)+i)'
    """
    parts = list(parts)
    while len(parts) > 1:
        groups = [parts[i : i + FEW] for i in range(0, len(parts), FEW)]
        parts = [add(*few) if len(few) > 1 else few[0] for few in groups]
    return parts[0]


def add_up(*few: Any) -> Any:
    """The sum of some numbers or arrays, from the first to the last.

    Examples
    --------
    >>> add_up(0.1, 0.2, 0.3)
    0.6000000000000001
    """
    return functools.reduce(operator.add, few)


def error_bound(
    radius: float, lam: float, T: int, rounds: int, machines: int
) -> float:
    """The most that E f(w̄) − f* can be, w̄ being the average of all iterates.

    Parameters
    ----------
    radius : float
        R, the largest ‖x‖.
    lam : float
        The regularisation strength λ > 0.
    T : int
        The steps of each machine in all rounds together.
    rounds, machines : int
        Their numbers, at least 1.

    Returns
    -------
    float

    Notes
    -----
    For "iid" draws, a loss whose slope is in [−1, 0], w_1 = 0, and any
    shards, alike or not, of any sizes. Let ŵ_t = Σ p_j w_{t,j}, and u_t the
    steps of the round before t. Written out, λ(t − 1)w_{t,j} is what the
    round began with and u_t terms of norm at most R. So ‖w_{t,j} − ŵ_t‖ is at
    most 2(1 − p_j) R u_t/(λ(t − 1)), and as Σ p_j² ≥ 1/m, the mean in the
    shares p_j is at most 2(1 − 1/m) R u_t/(λ(t − 1)). The usual proof for
    Pegasos, with ŵ_t, loses twice R times that at each step:

        E f(w̄) − f* ≤ 2R²/(λT) Σ_t (1/t + 2(1 − 1/m) u_t/(t − 1)).

    The second sum is at most (3 + ln rounds)/2 times the steps of a round.
    So the bound goes to 0 as (1 + ln rounds)/(λ·rounds), and with one
    machine it is that of Shalev-Shwartz et al. (2011), lemma 1, for
    subgradients of at most 2R.

    Examples
    --------
    >>> few, many = (error_bound(1, 0.1, 10**4, r, 8) for r in (10, 1000))
    >>> many < few / 20
    True
    """
    radius = checks.check_positive("radius", radius)
    lam = checks.check_lam(lam)
    machines = checks.check_integer("machines", machines, 1)
    ends = ends_of_rounds(T, rounds)
    t = np.arange(1, T + 1)
    since = t - 1 - np.repeat(ends[:-1], np.diff(ends))
    drift = 2.0 * (1.0 - 1.0 / machines) * since / np.maximum(t - 1, 1)
    return 2.0 * radius**2 / (lam * T) * float((1.0 / t + drift).sum())
