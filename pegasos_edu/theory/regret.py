"""Regret: what was paid in T rounds, minus what the best fixed w pays.

Items 8 to 10, 16 (theorem 3.4), 20 and 23 of the ledger. All bounds are on
the sum over the rounds; divide by T for the average.
"""

import math

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES, hinge
from pegasos_edu.problem.objective import objective
from pegasos_edu.theory.basics import gradient_bound, played, radius_of
from pegasos_edu.theory.compare import Comparison
from pegasos_edu.theory.games import play_parabolas
from pegasos_edu.theory.quantities import in_range

# Up to here the sums of 1/t are added up one by one.
COUNTED = 10_000


def round_losses(W, X, y, lam, order, loss="hinge"):
    """f_t(w_t) for t = 1, …, T.

    Parameters
    ----------
    W : ndarray of shape (T, d)
        The iterates that were played; or one w of shape (d,), the same in
        every round.
    X, y, lam
        The examples and λ.
    order : ndarray of int, shape (T,) or (T, k)
        The examples A_t of each round.
    loss : {"hinge", "log"}

    Returns
    -------
    ndarray of shape (T,)

    Examples
    --------
    >>> X, y = np.array([[1.0], [-1.0]]), np.array([1.0, 1.0])
    >>> round_losses(np.array([0.5]), X, y, 2.0, np.array([0, 1])).tolist()
    [0.75, 1.75]
    """
    order = np.asarray(order).reshape(len(order), -1)
    W = np.broadcast_to(W, (len(order), X.shape[1]))
    Z = X[order] * y[order][:, :, np.newaxis]  # (T, k, d)
    margins = np.einsum("tkd,td->tk", Z, W)
    lost = LOSSES[loss].value(margins).mean(axis=1)
    return 0.5 * lam * (W * W).sum(axis=1) + lost


def regret(W, u, X, y, lam, order):
    """Σ_{s ≤ t} f_s(w_s) − f_s(u) for all t: the regret against u.

    Parameters
    ----------
    W : ndarray of shape (T, d)
    u : ndarray of shape (d,)
        The comparator.
    X, y, lam, order
        See `round_losses`.

    Returns
    -------
    ndarray of shape (T,)

    Examples
    --------
    >>> X, y = np.array([[1.0]]), np.array([1.0])
    >>> W, order = np.array([[0.0], [0.5]]), np.array([0, 0])
    >>> regret(W, np.array([0.5]), X, y, 2.0, order).tolist()
    [0.25, 0.25]
    """
    paid = round_losses(W, X, y, lam, order)
    return np.cumsum(paid - round_losses(u, X, y, lam, order))


def best_in_hindsight(X, y, lam, order):
    """The minimiser of Σ f_t over the rounds of `order`, certified.

    Parameters
    ----------
    X, y, lam, order
        See `round_losses`.

    Returns
    -------
    Optimum
        Of the mean of the f_t. Both `primal` and `dual` are per round.

    Examples
    --------
    >>> X, y = np.array([[1.0], [-1.0]]), np.array([1.0, 1.0])
    >>> order = np.array([0, 0, 1])
    >>> print(best_in_hindsight(X, y, 1.0, order).w.round(9))
    [0.33333333]
    """
    drawn = np.asarray(order).reshape(-1)
    Z, label = X[drawn] * y[drawn, np.newaxis], np.ones(len(drawn))
    # (x, y) and (−x, −y) are one and the same example; two labels are
    # needed, so the first is written the other way round.
    Z, label = np.vstack([Z, -Z[:1]]), np.append(label, -1.0)
    if len(drawn) > 1:
        Z, label = Z[1:], label[1:]
    return optimum(Z, label, lam)


def regret_to_best(W, X, y, lam, order, at):
    """The regret against the best fixed w, at the rounds in `at`.

    Parameters
    ----------
    W, X, y, lam, order
        See `regret`.
    at : sequence of int
        Rounds t, from 1 to T.

    Returns
    -------
    ndarray of shape (len(at),)
        Computed with the dual value of the best w, so it is never too
        small.

    Examples
    --------
    >>> X, y = np.array([[1.0], [-1.0]]), np.array([1.0, 1.0])
    >>> W, order = np.array([[0.0], [2.0]]), np.array([0, 1])
    >>> regret_to_best(W, X, y, 0.5, order, [2]).round(6).tolist()
    [3.0]
    """
    paid = np.cumsum(round_losses(W, X, y, lam, order))
    return np.array(
        [
            paid[t - 1] - t * best_in_hindsight(X, y, lam, order[:t]).dual
            for t in at
        ]
    )


# The bounds


@in_range
def regret_bound(T, lam, G):
    """G²(1 + ln T)/(2λ), for λ-strongly convex losses and ‖∇_t‖ ≤ G.

    Parameters
    ----------
    T : int or ndarray of int, from 1
    lam, G : float

    Notes
    -----
    Shalev-Shwartz et al. (2011), lemma 1, times T; Zhou, theorem 3.4.

    Examples
    --------
    >>> regret_bound(1, lam=0.5, G=2.0)
    np.float64(4.0)
    """
    return G**2 * (1.0 + np.log(T)) / (2.0 * lam)


@in_range
def regret_constant(lam, R, projected=False):
    """c of theorem 1: (√λ + R)² with projection on 1/√λ, else 4R².

    Notes
    -----
    Shalev-Shwartz et al. (2011), theorem 1.

    Examples
    --------
    >>> regret_constant(lam=0.25, R=2.0), regret_constant(0.25, 2.0, True)
    (16.0, 6.25)
    """
    return gradient_bound(lam, R, projected) ** 2


@in_range
def pegasos_regret_bound(T, lam, R, projected=False):
    """c(1 + ln T)/(2λ), for every T ≥ 1.

    Parameters
    ----------
    T : int or ndarray of int, from 1
    lam, R : float
    projected : bool
        On the ball of radius 1/√λ.

    Notes
    -----
    Shalev-Shwartz et al. (2011), theorem 1, times T.

    Examples
    --------
    >>> pegasos_regret_bound(1, lam=0.5, R=1.0)
    np.float64(4.0)
    """
    c = regret_constant(lam, R, projected)
    return c * (1.0 + np.log(T)) / (2.0 * lam)


@in_range
def weaker_regret_bound(T, lam, R, projected=False):
    """c ln T/λ, for T ≥ 3 only: (1 + ln T)/2 ≤ ln T needs T ≥ e.

    Notes
    -----
    Shalev-Shwartz et al. (2007), theorem 1, times T.

    Examples
    --------
    >>> weaker_regret_bound(1, lam=0.5, R=1.0)
    np.float64(0.0)
    """
    return regret_constant(lam, R, projected) * np.log(T) / lam


def harmonic(T):
    """H_T = 1 + 1/2 + … + 1/T, for T ≥ 0, entry by entry.

    Above 10⁴ it is ln T + γ + 1/(2T) − 1/(12T²), off by less than 10⁻¹⁷.

    Examples
    --------
    >>> harmonic(np.array([0, 1, 2])).tolist()
    [0.0, 1.0, 1.5]
    >>> print(f"{harmonic(1e300):.3f}")
    691.353
    """
    T = np.asarray(T)
    counted = np.minimum(T, COUNTED).astype(int)
    sums = np.cumsum(1.0 / np.arange(1, counted.max() + 1))
    sums = np.concatenate([[0.0], sums])[counted]
    far = np.maximum(T, COUNTED)
    beyond = np.log(far) + np.euler_gamma + 0.5 / far * (1.0 - 1.0 / far / 6.0)
    return np.where(T > COUNTED, beyond, sums)[()]


@in_range
def sharp_regret_bound(T, lam, R):
    """R²(2 + H_{T−1})/(2λ), for Pegasos without projection.

    Parameters
    ----------
    T : int or ndarray of int, from 1
    lam, R : float

    Notes
    -----
    The 4 of theorem 1 is only paid once: see the chapter on regret for the
    proof, which uses ‖z‖² + (t−1)‖w_t‖² − t‖w_{t+1}‖² = (t−1)/t ‖z − w_t‖²
    for w_{t+1} = w_t + (z − w_t)/t.

    Examples
    --------
    >>> sharp_regret_bound(2, lam=0.5, R=1.0)
    np.float64(3.0)
    """
    return R**2 * (2.0 + harmonic(np.asarray(T) - 1)) / (2.0 * lam)


@in_range
def sqrt_regret_bound(T, scale, D, G):
    """D²√T/(2·scale) + scale·G²√T, for the step η_t = scale/√t.

    Parameters
    ----------
    T : int or ndarray of int
    scale, D, G : float
        The step, the diameter of the domain, the bound on ‖∇_t‖.

    Notes
    -----
    Zinkevich (2003), theorem 1, with Σ 1/√t ≤ 2√T.

    Examples
    --------
    >>> sqrt_regret_bound(4, scale=1.0, D=1.0, G=1.0)
    np.float64(3.0)
    """
    return (D**2 / (2.0 * scale) + scale * G**2) * np.sqrt(T)


# The checks


def check_lemma_1(lam, T, G=1.0):
    """Lemma 1 on its worst case, for all t up to T.

    Returns
    -------
    Comparison
        The regret against the best parabola centre, which is their mean.

    Notes
    -----
    Shalev-Shwartz et al. (2011), lemma 1. The ratio is H_t/(1 + ln t).

    Examples
    --------
    >>> check_lemma_1(lam=0.5, T=50).ratio
    1.0
    """
    w, z = play_parabolas(lam, T, G)
    t = np.arange(1, T + 1)
    paid = np.cumsum(0.5 * lam * (w - z) ** 2)
    # Σ (z − mean)², updated from round to round (Welford).
    mean = np.cumsum(z) / t
    before = np.concatenate([[0.0], mean[:-1]])
    spread = np.cumsum((z - before) * (z - mean))
    return Comparison(paid - 0.5 * lam * spread, regret_bound(t, lam, G))


def check_regret(
    W, X, y, lam, order, comparators, R=None, projected=False, bound=None
):
    """The regret against each comparator, for all t.

    Parameters
    ----------
    W, X, y, lam, order
        See `regret`.
    comparators : sequence of ndarray of shape (d,)
        With projection, each must lie in the ball.
    R : float, optional
        A bound on ‖x‖; by default the largest of the data.
    projected : bool
    bound : callable, optional
        (T, lam, R) -> bound; by default `pegasos_regret_bound`.

    Returns
    -------
    Comparison
        Entries of shape (number of comparators, T).

    Raises
    ------
    ValueError
        If a comparator is outside the ball.

    Examples
    --------
    >>> from pegasos_edu.theory.games import alternate, play
    >>> W, X, y = play(alternate, lam=0.5, T=100)
    >>> check_regret(W, X, y, 0.5, np.arange(100), [np.zeros(1)]).holds
    True
    """
    R = radius_of(X) if R is None else R
    radius = 1.0 / math.sqrt(lam)
    norms = [float(np.linalg.norm(u)) for u in comparators]
    if projected and max(norms) > radius * (1.0 + 1e-12):
        raise ValueError(
            f"comparators has one of norm {max(norms):.6g}; expected at "
            f"most 1/sqrt(lam) = {radius:.6g} with projection."
        )
    t = np.arange(1, len(order) + 1)
    truth = [regret(W, u, X, y, lam, order) for u in comparators]
    if bound is None:
        promised = pegasos_regret_bound(t, lam, R, projected)
    else:
        promised = bound(t, lam, R)
    return Comparison(np.array(truth), promised)


def check_corollary_1(X, y, lam, T, radius=None):
    """f(w̄_t) − f* for A_t = S, against c(1 + ln t)/(2λt), for all t.

    Parameters
    ----------
    X, y, lam
        See `pegasos_edu.problem.objective.objective`.
    T : int
        Steps, each on the whole data set.
    radius : float, optional
        1/√λ for the projected algorithm.

    Returns
    -------
    Comparison

    Notes
    -----
    Shalev-Shwartz et al. (2007), corollary 1.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_corollary_1(X, y, 0.1, T=20).holds
    True
    """
    T = checks.check_integer("T", T, 1)
    order = np.tile(np.arange(len(y)), (T, 1))
    W = played(X, y, lam, order, k=len(y), radius=radius)
    t = np.arange(1, T + 1)
    averages = np.cumsum(W, axis=0) / t[:, np.newaxis]
    gaps = objective(averages, X, y, lam) - optimum(X, y, lam).dual
    bound = pegasos_regret_bound(t, lam, radius_of(X), radius is not None)
    return Comparison(gaps, bound / t)


def average_pays_the_log(lam, T):
    """f(w̄_t) − f* where one example is drawn over and over.

    Returns
    -------
    gaps : ndarray of shape (T,)
        Of the average of w_1, …, w_t.
    suffix_gaps : ndarray of shape (T,)
        Of the average of the last half, w_{⌊t/2⌋+1}, …, w_t.

    Notes
    -----
    x = y = 1, so f(w) = λ/2 w² + max(0, 1 − w), with its minimum on the
    kink w* = 1 for λ < 1. Compare Rakhlin et al. (2012), section 4.

    Examples
    --------
    >>> gaps, suffix_gaps = average_pays_the_log(lam=0.5, T=1000)
    >>> bool(suffix_gaps[-1] < gaps[-1])
    True
    """
    lam = checks.check_lam(lam)
    w, violators, W = 0.0, 0, np.empty(T)
    for t in range(1, T + 1):
        W[t - 1] = w
        violators += w < 1.0
        w = violators / (lam * t)
    t = np.arange(1, T + 1)
    sums = np.concatenate([[0.0], np.cumsum(W)])
    half = t // 2

    def gap(w):
        return 0.5 * lam * w**2 + hinge(w) - 0.5 * lam

    return gap(sums[t] / t), gap((sums[t] - sums[half]) / (t - half))
