"""Martingales that gamble against Freedman's inequality: item 15.

X_1, X_2, … is a martingale difference sequence when the mean of X_t, given
all before, is 0. Its conditional variances add up to σ², which may itself
depend on how the game went.
"""

import math

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.theory.quantities import in_range


@in_range
def threshold(sigma, b, delta):
    """max{2σ, 3b√ln(1/δ)} √ln(1/δ).

    Parameters
    ----------
    sigma : float or ndarray
        σ, the root of the sum of the conditional variances.
    b : float
        The bound on the size of every X_t.
    delta : float
        δ, above 0 and below 1/e.

    Notes
    -----
    Kakade and Tewari (2009), lemma 3. Zhou's lemma 3.2 prints it without
    the factor √ln(1/δ) at the end.

    Examples
    --------
    >>> round(float(threshold(10.0, b=1.0, delta=math.exp(-4.0))), 9)
    40.0
    """
    root = math.sqrt(math.log(1.0 / delta))
    return np.maximum(2.0 * sigma, 3.0 * b * root) * root


@in_range
def tail_bound(T, delta):
    """4 ln(T) δ: the probability with which Σ X_t may exceed `threshold`.

    Parameters
    ----------
    T : int
        At least 3.
    delta : float
        Above 0 and below 1/e.

    Raises
    ------
    ValueError
        Outside these ranges the lemma says nothing.

    Notes
    -----
    Kakade and Tewari (2009), lemma 3.

    Examples
    --------
    >>> round(tail_bound(T=100, delta=0.01), 6)
    0.184207
    """
    T = checks.check_integer("T", T, 3)
    if not 0.0 < delta < 1.0 / math.e:
        raise ValueError(
            f"delta is {delta}; expected a number above 0 and below 1/e."
        )
    return 4.0 * math.log(T) * delta


def exceedance(T, p, delta, stop=True, limit=threshold):
    """The exact probability that a gambler's Σ X_t exceeds the limit.

    The gambler wins 1 − p with probability p and loses p otherwise, T
    times. With `stop` the gambler leaves the table, and X_t = 0 from then
    on, as soon as the sum exceeds the limit of the variance used so far:
    the σ of the lemma is then random, and the gambler has chosen it.

    Parameters
    ----------
    T : int
    p : float
        Between 0 and 1, both excluded.
    delta : float
    stop : bool
    limit : callable
        (sigma, b, delta) -> threshold.

    Returns
    -------
    float

    Notes
    -----
    The number of wins is Markov, so the probabilities of all its values
    are carried from round to round; nothing is drawn.

    Examples
    --------
    >>> round(exceedance(T=100, p=0.2, delta=0.05), 6)
    0.005435
    """
    b, variance = max(p, 1.0 - p), p * (1.0 - p)
    wins = np.arange(T + 1)
    chance = np.zeros(T + 1)  # of each number of wins, still playing
    chance[0], exceeded = 1.0, 0.0
    for t in range(1, T + 1):
        won = np.concatenate([[0.0], p * chance[:-1]])
        chance = won + (1.0 - p) * chance
        if stop or t == T:
            beyond = wins - t * p > limit(math.sqrt(t * variance), b, delta)
            exceeded += chance[beyond].sum()
            chance[beyond] = 0.0
    return float(exceeded)


def simulated_exceedances(T, delta, runs, seed):
    """How often a simulated gambler exceeds the limit, in `runs` games.

    This gambler doubles the stake after a loss, from 1/16 up to 1, and
    stops at the limit: the steps depend on the past, in size and number.

    Parameters
    ----------
    T, runs, seed : int
    delta : float

    Returns
    -------
    int

    Examples
    --------
    >>> simulated_exceedances(T=50, delta=0.05, runs=100, seed=0) <= 100
    True
    """
    rng = np.random.default_rng(seed)
    total, used = np.zeros(runs), np.zeros(runs)
    stake, playing = np.full(runs, 1.0 / 16.0), np.ones(runs, dtype=bool)
    for coin in rng.choice([-1.0, 1.0], size=(T, runs)):
        total += np.where(playing, stake * coin, 0.0)
        used += np.where(playing, stake**2, 0.0)
        stake = np.where(coin < 0.0, np.minimum(2.0 * stake, 1.0), 1.0 / 16.0)
        playing &= total <= threshold(np.sqrt(used), 1.0, delta)
    return int((total > threshold(np.sqrt(used), 1.0, delta)).sum())
