"""From regret to risk: what random draws add. Items 11 to 18.

The examples are drawn independently from a population, here always a
finite one, so that L(w) = E f(w; Z) is the objective of the population and
every expectation over one draw is a mean that can be computed exactly.
"""

import itertools
import math

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import hinge
from pegasos_edu.problem.objective import objective
from pegasos_edu.theory.basics import gradient_bound, radius_of, value_bound
from pegasos_edu.theory.compare import Comparison, Coverage
from pegasos_edu.theory.martingales import tail_bound
from pegasos_edu.theory.quantities import in_range
from pegasos_edu.theory.regret import (
    harmonic,
    pegasos_regret_bound,
    regret_constant,
)

# Many runs at once


def many_runs(X, y, lam, orders, radius=None):
    """Run Pegasos on many orders at once; yields W_t of shape (N, d).

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,)
    lam : float
    orders : ndarray of int, shape (N, T)
        One order for each of N runs.
    radius : float, optional

    Yields
    ------
    ndarray of shape (N, d)
        The iterates w_t of all runs, for t = 1, …, T.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> [W.ravel().tolist() for W in many_runs(X, y, 2.0, [[0, 0], [1, 0]])]
    [[0.0, 0.0], [0.5, -0.5]]
    """
    orders = np.asarray(orders)
    Z = X * y[:, np.newaxis]
    W = np.zeros((len(orders), X.shape[1]))
    for t, drawn in enumerate(orders.T, start=1):
        yield W
        z = Z[drawn]
        violated = (z * W).sum(axis=1) < 1.0
        W = (1.0 - 1.0 / t) * W + z * (violated / (lam * t))[:, np.newaxis]
        if radius is not None:
            norms = np.linalg.norm(W, axis=1)
            W = W * (radius / np.maximum(norms, radius))[:, np.newaxis]


def gaps_of_runs(X, y, lam, orders, radius=None):
    """L(w_t) − L* for many runs and all t, an array of shape (N, T).

    Parameters
    ----------
    X, y, lam, orders, radius
        See `many_runs`; the population is (X, y).

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> gaps_of_runs(X, y, 2.0, [[0, 0], [1, 0]]).round(9).tolist()
    [[0.0, 0.25], [0.0, 0.25]]
    """
    lowest = optimum(X, y, lam).dual
    gaps = [
        objective(W, X, y, lam) - lowest
        for W in many_runs(X, y, lam, orders, radius)
    ]
    return np.array(gaps).T


def chosen_iterates(X, y, lam, orders, chosen, radius=None):
    """w_{r+1} of each run, r being its entry of `chosen` (r = 0: w_1 = 0).

    Parameters
    ----------
    X, y, lam, orders, radius
        See `many_runs`.
    chosen : ndarray of int, shape (N,), from 0 to T − 1

    Returns
    -------
    ndarray of shape (N, d)

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> orders, chosen = [[0, 0], [1, 0]], np.array([0, 1])
    >>> chosen_iterates(X, y, 2.0, orders, chosen).ravel().tolist()
    [0.0, -0.5]
    """
    W = np.empty((len(chosen), X.shape[1]))
    for r, at_r in enumerate(many_runs(X, y, lam, orders, radius)):
        W[chosen == r] = at_r[chosen == r]
    return W


def all_orders(n, T):
    """All n^T orders of T draws from n examples, shape (n^T, T).

    Examples
    --------
    >>> all_orders(2, 2).tolist()
    [[0, 0], [0, 1], [1, 0], [1, 1]]
    """
    return np.array(list(itertools.product(range(n), repeat=T)))


# In expectation and with probability 1 − δ: the paper's own theorems


@in_range
def random_index_bound(T, lam, R, projected=False, delta=None):
    """c ln T/(λT), or with a δ: c ln T/(δλT); for T ≥ 3.

    Parameters
    ----------
    T : int
        At least 3.
    lam, R : float
    projected : bool
    delta : float, optional
        None: the bound on the mean of f(w_r) − f*, r uniform on 1, …, T.
        Else the bound that holds with probability 1 − δ.

    Raises
    ------
    ValueError
        If T < 3: the bound is then wrong.

    Notes
    -----
    Shalev-Shwartz et al. (2007), theorems 2 and 3.

    Examples
    --------
    >>> round(float(random_index_bound(100, lam=0.5, R=1.0)), 6)
    0.368414
    """
    T = checks.check_integer("T", T, 3)
    c = regret_constant(lam, R, projected)
    bound = c * np.log(T) / (lam * T)
    return bound if delta is None else bound / delta


def check_expectation(X, y, lam, T, radius=None):
    """E f(w_r) − f* over all n^T orders and all r, exactly.

    Returns
    -------
    Comparison

    Notes
    -----
    Theorem 2 of Shalev-Shwartz et al. (2007). Every order has the same
    probability, so the expectation is a mean over all of them.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> check_expectation(X, y, lam=2.0, T=4).holds
    True
    """
    gaps = gaps_of_runs(X, y, lam, all_orders(len(y), T), radius)
    projected = radius is not None
    bound = random_index_bound(T, lam, radius_of(X), projected)
    return Comparison(float(gaps.mean()), bound)


def check_random_index(X, y, lam, T, delta, runs, seed, radius=None):
    """How often f(w_r) − f* exceeds c ln T/(δλT).

    Returns
    -------
    Coverage

    Notes
    -----
    Theorem 3 of Shalev-Shwartz et al. (2007): Markov's inequality for
    theorem 2, so the failure rate is at most δ.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> check_random_index(X, y, 2.0, 10, 0.1, runs=100, seed=0).failures
    0
    """
    rng = np.random.default_rng(seed)
    orders = rng.integers(len(y), size=(runs, T))
    chosen = rng.integers(T, size=runs)
    W = chosen_iterates(X, y, lam, orders, chosen, radius)
    gaps = objective(W, X, y, lam) - optimum(X, y, lam).dual
    bound = random_index_bound(T, lam, radius_of(X), radius is not None, delta)
    failures = gaps > bound
    return Coverage(int(failures.sum()), runs, delta)


# Boosting the confidence


def candidates_needed(delta):
    """M = ⌈ln(1/δ)⌉: so that e^(−M) ≤ δ.

    Parameters
    ----------
    delta : float
        Above 0 and below 1.

    Raises
    ------
    ValueError
        If it is not.

    Examples
    --------
    >>> candidates_needed(0.01)
    5
    """
    if not 0.0 < delta < 1.0:
        raise ValueError(
            f"delta is {delta}; expected a number above 0 and below 1."
        )
    return math.ceil(math.log(1.0 / delta))


@in_range
def boosted_bound(T, lam, R, delta, projected=False):
    """c e ln(T) M/(λT), with T steps shared among M candidates.

    Parameters
    ----------
    T : int
        All steps together; at least 3M.
    lam, R : float
    delta : float
        The failure rate, M = ⌈ln(1/δ)⌉.
    projected : bool

    Returns
    -------
    float
        With probability 1 − δ the best candidate is within this of f*.

    Notes
    -----
    Shalev-Shwartz et al. (2007), after theorem 3.

    Examples
    --------
    >>> round(boosted_bound(1000, lam=0.5, R=1.0, delta=0.01), 4)
    0.7511
    """
    M = candidates_needed(delta)
    checks.check_integer("T", T, 3 * M)
    c = regret_constant(lam, R, projected)
    return c * math.e * math.log(T) * M / (lam * T)


@in_range
def validation_error(M, m, B, delta):
    """B √(ln(2M/δ)/(2m)): how far M means of m draws are from the truth.

    Parameters
    ----------
    M, m : int
        Candidates, and examples to validate them on.
    B : float
        The largest value of f(w; z).
    delta : float
        The probability that one of the M means is further off.

    Notes
    -----
    Hoeffding's inequality and a union bound. The candidate that looks best
    is then within twice this of the best candidate.

    Examples
    --------
    >>> round(validation_error(M=5, m=10_000, B=4.0, delta=0.01), 4)
    0.0743
    """
    return B * math.sqrt(math.log(2.0 * M / delta) / (2.0 * m))


def boosted_gaps(X, y, lam, T, M, runs, seed, m=None):
    """f − f* of the candidate that is chosen among M, in `runs` repetitions.

    Parameters
    ----------
    X, y, lam
        The population.
    T : int
        Steps for each candidate; its index r is drawn from 1, …, T.
    M, runs, seed : int
    m : int, optional
        The candidates are compared on m fresh draws; by default on the
        whole population.

    Returns
    -------
    ndarray of shape (runs,)

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> boosted_gaps(X, y, 2.0, T=5, M=2, runs=3, seed=0).shape
    (3,)
    """
    rng = np.random.default_rng(seed)
    n = len(y)
    orders = rng.integers(n, size=(runs * M, T))
    chosen = rng.integers(T, size=runs * M)
    W = chosen_iterates(X, y, lam, orders, chosen)
    gaps = objective(W, X, y, lam) - optimum(X, y, lam).dual
    gaps = gaps.reshape(runs, M)
    if m is None:
        return gaps.min(axis=1)
    W = W.reshape(runs, M, -1)
    seen = []
    for candidates in W:
        rows = rng.integers(n, size=m)
        margins = (X[rows] * y[rows, np.newaxis]) @ candidates.T
        penalty = 0.5 * lam * (candidates**2).sum(axis=1)
        seen.append(penalty + hinge(margins).mean(axis=0))
    return gaps[np.arange(runs), np.argmin(seen, axis=1)]


# Zhou's route: the variance, then Freedman


@in_range
def variance_bound(gap, lam, G):
    """(2G²/λ) times L(w) − L(w*) (Zhou, lemma 3.1).

    Parameters
    ----------
    gap : float or ndarray
        L(w) − L(w*).
    lam, G : float
        Every f(·; z) is G-Lipschitz.

    Examples
    --------
    >>> variance_bound(0.5, lam=2.0, G=3.0)
    4.5
    """
    return 2.0 * G**2 / lam * gap


def check_variance(W, X, y, lam, lipschitz=None):
    """Var ξ at each w against (2L²/λ)(L(w) − L(w*)), exactly.

    Parameters
    ----------
    W : ndarray of shape (S, d)
        Points to check at.
    X, y, lam
        The population.
    lipschitz : float, optional
        A Lipschitz constant of every f(·; z) on a convex set that holds W
        and w*; by default 2R, which is one on the ball of radius R/λ.

    Returns
    -------
    Comparison

    Notes
    -----
    Zhou, lemma 3.1. ξ is L(w) − L(w*) − (f(w; Z) − f(w*; Z)).

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> check_variance(np.array([[0.25]]), X, y, lam=2.0).ratio
    0.25
    """
    best = optimum(X, y, lam)
    G = gradient_bound(lam, radius_of(X)) if lipschitz is None else lipschitz
    Z = X * y[:, np.newaxis]
    excess = (
        0.5 * lam * (W * W).sum(axis=1)[:, np.newaxis]
        + hinge(W @ Z.T)
        - 0.5 * lam * best.w @ best.w
        - hinge(Z @ best.w)
    )
    bound = variance_bound(excess.mean(axis=1), lam, G)
    return Comparison(excess.var(axis=1), bound)


@in_range
def risk_from_regret(regret_T, T, G, lam, B, delta):
    """The bound on E_T/T of theorem 3.3.

    Parameters
    ----------
    regret_T : float or ndarray
        R_T, or anything larger. A negative regret counts as 0.
    T : int
        At least 3.
    G, B : float
        Every f(·; z) is G-Lipschitz and between 0 and B.
    lam, delta : float

    Returns
    -------
    float or ndarray
        E_T/T is at most this with probability 1 − 4 ln(T) δ.

    Notes
    -----
    Zhou, theorem 3.3, after Kakade and Tewari (2009), theorem 2.

    Examples
    --------
    >>> round(float(risk_from_regret(2.0, 100, 1.0, 1.0, 1.0, 0.01)), 4)
    0.4743
    """
    positive = np.maximum(regret_T, 0.0)
    log = math.log(1.0 / delta)
    middle = 2.0 * math.sqrt(2.0 * G**2 * log / lam) * np.sqrt(positive)
    last = max(8.0 * G**2 / lam, 6.0 * B) * log
    return (positive + middle + last) / T


@in_range
def risk_bound(T, lam, R, delta):
    """The bound on E_T/T of theorem 3.6, for Pegasos.

    Parameters
    ----------
    T : int or ndarray of int
        At least 3.
    lam, R, delta : float

    Returns
    -------
    float or ndarray
        E_T/T is at most this with probability 1 − 4 ln(T) δ.

    Notes
    -----
    Zhou, theorem 3.6; it is theorem 3.3 with G = 2R, B = 3R²/(2λ) + 1 and
    the regret bound of theorem 3.4.

    Examples
    --------
    >>> round(float(risk_bound(10_000, lam=0.1, R=1.0, delta=0.001)), 4)
    0.3087
    """
    log, spread = math.log(1.0 / delta), 1.0 + np.log(T)
    first = 2.0 * R**2 * spread / (lam * T)
    second = 8.0 * R**2 * np.sqrt(spread * log) / (lam * T)
    third = max(32.0 * R**2 / lam, 9.0 * R**2 / lam + 6.0) * log / T
    return first + second + third


def check_risk(X, y, lam, T, delta, runs, seed):
    """Theorems 3.3 and 3.6 in many independent runs.

    Parameters
    ----------
    X, y, lam
        The population.
    T : int
        At least 3.
    delta : float
        Of the theorems: the promised failure rate is 4 ln(T) δ.
    runs, seed : int

    Returns
    -------
    dict of str to (Coverage, Comparison)
        For "from regret" and "pegasos": the count of failures, and E_T/T
        of all runs against the bound.

    Examples
    --------
    >>> X, y = np.array([[1.0], [1.0]]), np.array([1.0, -1.0])
    >>> found = check_risk(X, y, 2.0, T=50, delta=0.01, runs=99, seed=0)
    >>> coverage, comparison = found["pegasos"]
    >>> coverage.failures
    0
    """
    promised = tail_bound(T, delta)
    rng = np.random.default_rng(seed)
    orders = rng.integers(len(y), size=(runs, T))
    best = optimum(X, y, lam)
    R = radius_of(X)
    mean_gap, regrets = np.zeros(runs), np.zeros(runs)
    Z = X * y[:, np.newaxis]
    at_best = 0.5 * lam * best.w @ best.w + hinge(Z @ best.w)
    for drawn, W in zip(orders.T, many_runs(X, y, lam, orders)):
        mean_gap += (objective(W, X, y, lam) - best.dual) / T
        paid = 0.5 * lam * (W * W).sum(axis=1)
        paid += hinge((Z[drawn] * W).sum(axis=1))
        regrets += paid - at_best[drawn]
    bounds = {
        "from regret": risk_from_regret(
            regrets,
            T,
            gradient_bound(lam, R),
            lam,
            value_bound(lam, R),
            delta,
        ),
        "pegasos": risk_bound(T, lam, R, delta),
    }
    return {
        name: (
            Coverage(int((mean_gap > bound).sum()), runs, promised),
            Comparison(mean_gap, bound),
        )
        for name, bound in bounds.items()
    }


@in_range
def expected_risk_bound(T, lam, R):
    """𝔼 E_T/T ≤ 2R²(1 + ln T)/(λT).

    Notes
    -----
    Zhou, theorem 3.7, with its constant: the mean of every ξ_t is 0, so
    the expected risk is the expected regret against w*.

    Examples
    --------
    >>> round(float(expected_risk_bound(100, lam=0.5, R=1.0)), 6)
    0.224207
    """
    return pegasos_regret_bound(T, lam, R) / T


def risk_of_coin(T, lam):
    """𝔼 E_T/T, exactly, where y is a fair coin and x = 1, for λ > 1.

    Parameters
    ----------
    T : int or ndarray of int
    lam : float
        Above 1, so that every example is a violator.

    Raises
    ------
    ValueError
        If λ ≤ 1.

    Notes
    -----
    Here w_t is a mean of t − 1 fair signs over λ, so
    E L(w_t) − L* = λ/2 E w_t² = 1/(2λ(t − 1)): the log is paid in full.

    Examples
    --------
    >>> float(risk_of_coin(3, lam=2.0)) == (0 + 1 / 4 + 1 / 8) / 3
    True
    """
    if not lam > 1.0:
        raise ValueError(f"lam is {lam}; expected a number above 1.")
    return harmonic(np.asarray(T) - 1) / (2.0 * lam * T)
