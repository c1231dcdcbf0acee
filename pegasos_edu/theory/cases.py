"""The cases that test the bounds of the ledger.

A case of size is a truth no bound may be below. A case of form is a family
in which one letter runs over decades: the truth may not outgrow the bound.
The families are chosen to pay what the bound says is paid: the logarithm,
the 1/λ, the R², the 1/δ. Other units of x change λ and R and nothing else,
so they find a wrong power of either.
"""

import math
from functools import cache

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom, chi2

from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.theory import games, martingales, regret, risk
from pegasos_edu.theory.basics import check_sizes
from pegasos_edu.theory.compare import Comparison
from pegasos_edu.theory.expression import evaluate
from pegasos_edu.theory.formula import Below, Family, Rare

COIN = np.ones((2, 1)), np.array([1.0, -1.0])
DECADES = np.geomspace(30, 100_000, 12).astype(int)
SMALL_LAMS = np.geomspace(1e-4, 0.1, 7)
RADII = np.geomspace(10.0, 10_000.0, 7)
FAR = np.geomspace(1e20, 1e200, 7)
UNITS = np.geomspace(1.0, 1e4, 7)
COPIES = np.array([1, 4, 16, 64])
# How the letters change with x ↦ sx, w ↦ w/s; all others stay.
IN_UNITS = {"lam": 2, "R": 1, "L0": 1, "c": 2}


def in_other_units(truth, at):
    """Two families: x in ever smaller and in ever larger units.

    With sx, w/s and λs² every loss is what it was, so the truth is, too.
    """
    families = []
    for s in (UNITS, 1.0 / UNITS):
        changed = {
            name: at[name] * s**power
            for name, power in IN_UNITS.items()
            if name in at
        }
        same = np.full(len(UNITS), truth)
        families.append(Family(UNITS, same, at | changed))
    return families


def in_the_logarithm(truth, at):
    """A family in ln T, for T that nobody runs: it finds (ln T)^0.1."""
    return Family(np.log(FAR), truth, at | {"T": FAR})


def game(lam, T, R=1.0):
    """Regret against 0 of the alternating game, x = R, after 1, …, T."""

    def adversary(t, w):
        x, label = games.alternate(t, w)
        return R * x, label

    W, X, y = games.play(adversary, lam, T)
    return regret.regret(W, np.zeros(1), X, y, lam, np.arange(T))


@cache
def sizes():
    """Alternating and constant labels: norm, gradient and value."""
    found = {"norm": [], "gradient": [], "value": []}
    for R in (0.5, 1.0, 3.0):
        for lam in (0.05, 0.5, 5.0):
            for X in (R * COIN[0], R * COIN[0] * COIN[1][:, None]):
                results = check_sizes(
                    X, COIN[1], lam * R**2, np.arange(20) % 2
                )
                at = {"lam": lam * R**2, "R": R}
                for name, result in results.items():
                    found[name].append(Below(result.truth.max(), at))
    return found


@cache
def optimum_norms():
    """One example x = R: w* = min(R/λ, 1/R), from the kink by hand."""
    lams = np.geomspace(1e-3, 1e3, 13)
    R = np.sqrt(lams)
    return [Below(np.minimum(R / lams, 1.0 / R), {"lam": lams})]


@cache
def parabolas():
    """The worst case of lemma 1, for several λ and G."""
    cases = []
    for lam, G in ((0.5, 1.0), (0.01, 3.0), (5.0, 0.2)):
        found = regret.check_lemma_1(lam, 2000, G)
        t = np.arange(1, 2001)
        cases.append(Below(found.truth, {"T": t, "lam": lam, "G": G}))
    return cases


@cache
def games_played():
    """Size at T = 1, 2, …; form in T, λ, R and k."""
    t = np.arange(1, 2001)
    cases = []
    for lam, R in ((0.1, 1.0), (5.0, 2.0), (1.0, 0.3)):
        c = 4.0 * R**2
        at = {"T": t, "lam": lam, "R": R, "c": c, "k": 1}
        cases.append(Below(game(lam, 2000, R), at))
    at = {"T": DECADES[:10], "lam": 2.0, "R": 1.0, "c": 4.0, "k": 1}
    # From t on the game pays 1/(2λt): the sum goes on without the game.
    exact = regret.harmonic(DECADES[:10] - 1) / 4.0
    cases.append(Family(at["T"], exact, at))
    last = np.array([game(lam, 10)[-1] for lam in SMALL_LAMS])
    at = {"T": 10, "lam": SMALL_LAMS, "R": 1.0, "c": 4.0, "k": 1}
    cases.append(Family(1.0 / SMALL_LAMS, last, at))
    last = np.array([game(1.0, 10, R)[-1] for R in RADII])
    at = {"T": 10, "lam": 1.0, "R": RADII, "c": 4.0 * RADII**2, "k": 1}
    cases.append(Family(RADII, last, at))
    last = game(1.0, 10)[-1]
    at = {"T": 10, "lam": 1.0, "R": 1.0, "c": 4.0, "k": 1}
    cases += in_other_units(last, at)
    # A batch of k copies of one example is that example.
    cases.append(Family(COPIES, np.full(4, last), at | {"k": COPIES}))
    far = regret.harmonic(FAR) / 4.0
    cases.append(in_the_logarithm(far, at | {"lam": 2.0}))
    return cases


@cache
def games_on_the_ball():
    """With projection: one round from the edge, which pays all of c; form.

    From w_1 = −1/√λ the example x = R, y = +1 costs the player
    λ/2 w_1² + 1 + R/√λ, and the best u = R/λ, which is in the ball if
    R ≤ √λ, a regret of (√λ + R)²/(2λ). A batch of copies changes nothing.
    """
    cases = []
    for lam, R in (
        (1.0, 1.0),
        (4.0, 0.5),
        (0.25, 0.5),
        (0.04, 0.02),
        (100.0, 10.0),
    ):
        for k in (1, 4):
            W, u = np.array([[-1.0 / math.sqrt(lam)]]), np.array([R / lam])
            one = np.array([[R]]), np.ones(1), lam
            truth = regret.regret(W, u, *one, np.zeros((1, k), dtype=int))
            cases.append(Below(truth, {"T": 1, "lam": lam, "R": R, "k": k}))
    W, X, y = games.from_the_edge(1.0, 100)
    t = np.array([1, 2, 3, 10, 30, 100])
    truth = regret.regret_to_best(W, X, y, 1.0, np.arange(100), t)
    cases.append(Below(truth, {"T": t, "lam": 1.0, "R": 1.0, "k": 1}))
    # With λ = 2 and R = 1 the alternating game never leaves the ball.
    T = DECADES[:10]
    exact = regret.harmonic(T - 1) / 4.0
    at = {"T": T, "lam": 2.0, "R": 1.0, "k": 1}
    far = regret.harmonic(FAR) / 4.0
    return [*cases, Family(T, exact, at), in_the_logarithm(far, at)]


@cache
def gradients_on_the_ball():
    """w at the edge and a violator on the other side, for several λ and R."""
    cases = []
    for lam in (0.04, 1.0, 9.0):
        for R in (0.1, 1.0, 5.0):
            # (R, +1) and (−R, −1) are one and the same example.
            w, X = -np.ones(1) / math.sqrt(lam), R * np.array([[1.0], [-1.0]])
            gradient = subgradient(w, X, COIN[1], lam)
            length = np.linalg.norm(gradient)
            cases.append(Below(length, {"lam": lam, "R": R}))
    return cases


@cache
def games_from_three_on():
    """The games of theorem 1 for T ≥ 3, with and without projection."""
    cases = []
    for case in games_played():
        if np.min(case.at["T"]) >= 3:
            cases.append(case)
        elif np.size(case.truth) > 2:
            later = case.at | {"T": case.at["T"][2:]}
            cases.append(Below(case.truth[2:], later))
    for case in games_on_the_ball():
        c = (np.sqrt(case.at["lam"]) + case.at["R"]) ** 2
        if isinstance(case, Family):
            cases.append(Family(case.along, case.truth, case.at | {"c": c}))
        elif np.size(case.at["T"]) > 1:
            later = case.at | {"T": case.at["T"][2:], "c": c}
            cases.append(Below(case.truth[2:], later))
    return cases


@cache
def batch_gaps(lam, T, R=1.0, p=5.0 / 6.0):
    """f(w̄_t) − f* of x = R with labels +1 (a share p) and −1, all at once.

    The minimum is on the kink w* = 1/R, for λ < (2p − 1)R², and is found
    by hand; w_t stays above it by about 1/t, so the average pays the log.
    """
    w, W = 0.0, np.empty(T)
    for t in range(1, T + 1):
        W[t - 1] = w
        slope = R * ((1.0 - p) * (R * w > -1.0) - p * (R * w < 1.0))
        w -= (lam * w + slope) / (lam * t)

    def f(w):
        wrong = np.maximum(0.0, 1.0 - R * w), np.maximum(0.0, 1.0 + R * w)
        return 0.5 * lam * w**2 + p * wrong[0] + (1.0 - p) * wrong[1]

    averages = np.cumsum(W) / np.arange(1, T + 1)
    return f(averages) - f(1.0 / R)


@cache
def averages():
    """The averaged iterate where it pays the log, in T, λ and R."""
    T, lam = DECADES[4:], 0.01
    cases = []
    gaps = batch_gaps(lam, DECADES[-1])
    t = np.arange(1, len(gaps) + 1)
    at = {"lam": lam, "R": 1.0, "c": 4.0, "k": 1}
    cases.append(Below(gaps, at | {"T": t}))
    cases.append(Family(T, gaps[T - 1], at | {"T": T}))
    last = np.array([batch_gaps(lam, 30)[-1] for lam in SMALL_LAMS])
    at = {"T": 30, "lam": SMALL_LAMS, "R": 1.0, "c": 4.0, "k": 1}
    cases.append(Family(1.0 / SMALL_LAMS, last, at))
    last = np.array([batch_gaps(0.1, 30, R)[-1] for R in RADII])
    at = {"T": 30, "lam": 0.1, "R": RADII, "c": 4.0 * RADII**2, "k": 1}
    cases.append(Family(RADII, last, at))
    last = batch_gaps(0.1, 30)[-1]
    at = {"T": 30, "lam": 0.1, "R": 1.0, "c": 4.0, "k": 1}
    cases += in_other_units(last, at)
    # Every example k times: the same f, with k times as many examples.
    cases.append(Family(COPIES, np.full(4, last), at | {"k": COPIES}))
    far = at | {"T": FAR, "lam": 0.5}
    cases.append(in_the_logarithm(average_far_out(FAR), far))
    return cases


def average_far_out(T):
    """f(w̄) − f* of one example drawn over and over, for even T and λ = 1/2.

    x = y = 1, so that w* = 1. By hand w_1 = 0 and w_2 = 2, and from then on
    1 − w_t is 1/(t − 1) for even t, and 0 for odd t. The sum of 1/j over
    the odd j up to T − 1 is (ln T + γ + ln 2)/2 in the limit.
    """
    missing = (0.5 * (np.log(T) + np.euler_gamma + np.log(2.0)) - 1.0) / T
    return 0.5 * missing + 0.25 * missing**2


@cache
def expectations():
    """The coin, exactly: λ = 2 by its formula, small λ over all orders."""
    T = DECADES
    at = {"lam": 2.0, "R": 1.0, "c": 4.0, "k": 1}
    few = np.arange(3, 1000)
    cases = [
        Below(risk.risk_of_coin(few, 2.0), at | {"T": few}),
        Family(T, risk.risk_of_coin(T, 2.0), at | {"T": T}),
        in_the_logarithm(regret.harmonic(FAR) / 4.0 / FAR, at),
    ]
    at = {"T": 8, "k": 1}
    return cases + in_lam_and_radius(lambda gaps: gaps.mean(), at)


@cache
def coin_gaps(runs=4000, T=1000, seed=0):
    """f(w_t) − f* of the coin with λ = 2: w_t is a mean of signs over λ."""
    signs = np.random.default_rng(seed).choice([-1.0, 1.0], size=(runs, T))
    sums = np.cumsum(signs, axis=1)[:, :-1]
    W = sums / (2.0 * np.arange(1, T))
    return np.concatenate([np.zeros((runs, 1)), W**2], axis=1), signs


@cache
def random_indices():
    """Failures at T = 3, where Markov is nearly reached; quantiles in δ."""
    gaps, _ = coin_gaps()
    rng = np.random.default_rng(1)
    chosen = gaps[np.arange(4000), rng.integers(3, size=4000)]
    at = {"T": 3, "lam": 2.0, "R": 1.0, "c": 4.0, "delta": 0.45, "k": 1}
    # w_2 always fails and w_3 half the time, were c ln T an eighth of it.
    cases = [Rare(chosen, at, 0.45)]
    at = at | {"T": 1000}
    deltas = np.geomspace(0.01, 0.1, 6)
    quantiles = np.quantile(gaps, 1.0 - deltas)
    cases.append(Family(1.0 / deltas, quantiles, at | {"delta": deltas}))
    T = np.array([30, 100, 300, 1000])
    quantiles = np.array([np.quantile(gaps[:, :t], 0.9) for t in T])
    cases.append(Family(T, quantiles, at | {"T": T, "delta": 0.1}))
    far = quantile_far_out(0.1) / FAR
    cases.append(in_the_logarithm(far, at | {"delta": 0.1}))
    quantiles = in_lam_and_radius(
        lambda gaps: np.quantile(gaps, 0.9), at | {"T": 8, "delta": 0.1}
    )
    return cases + quantiles


def quantile_far_out(delta):
    """T times the 1 − δ quantile of the coin's gap, in the limit.

    There w_r is normal, with variance 1/(4r), and r is uniform up to T.
    """
    share = brentq(
        lambda q: quad(lambda u: chi2.sf(4.0 * q * u, 1), 0, 1)[0] - delta,
        1e-9,
        1e9,
    )
    return float(share)


def in_lam_and_radius(number, at, steps=8):
    """Families of a number of the gaps over all orders: in λ, R and k.

    Parameters
    ----------
    number : callable
        Gaps, of shape (orders, steps) -> float.
    at : dict
        All letters but λ, R and c.
    steps : int
    """
    orders = risk.all_orders(2, steps)

    def one(lam, R):
        gaps = risk.gaps_of_runs(R * COIN[0], COIN[1], lam, orders)
        return number(gaps)

    in_lam = np.array([one(lam, 1.0) for lam in SMALL_LAMS])
    in_R = np.array([one(1.0, R) for R in RADII])
    at = at | {"lam": 1.0, "R": 1.0, "c": 4.0}
    return [
        Family(1.0 / SMALL_LAMS, in_lam, at | {"lam": SMALL_LAMS}),
        Family(RADII, in_R, at | {"R": RADII, "c": 4.0 * RADII**2}),
        *in_other_units(one(1.0, 1.0), at),
        copies_of_one(number, at | {"lam": 0.1}, steps),
    ]


def copies_of_one(number, at, steps):
    """A family in k: batches of k copies of the one example there is."""
    # (1, +1) and (−1, −1) are one and the same example.
    X, drawn = np.array([[1.0], [-1.0]]), np.zeros((1, steps), dtype=int)
    truth = number(risk.gaps_of_runs(X, COIN[1], at["lam"], drawn))
    return Family(COPIES, np.full(4, truth), at | {"k": COPIES})


@cache
def candidates():
    """The best of M by its exact quantile: one run fails δ^(1/M) of them.

    The M candidates share T = 1000 steps, so each has T/M of them.
    """
    gaps, _ = coin_gaps()
    deltas = np.exp(-np.array([1.0, 2.0, 4.0, 8.0, 16.0]) + 1e-9)
    M = np.ceil(np.log(1.0 / deltas)).astype(int)
    truth = np.array(
        [
            np.quantile(gaps[:, : 1000 // m], 1.0 - delta ** (1.0 / m))
            for m, delta in zip(M, deltas)
        ]
    )
    at = {"T": 1000, "lam": 2.0, "R": 1.0, "c": 4.0, "k": 1}
    cases = [
        Below(truth, at | {"delta": deltas, "M": M}),
        Family(M, truth, at | {"delta": deltas, "M": M}),
    ]
    T = np.array([30, 100, 300, 1000])
    truth = np.array(
        [np.quantile(gaps[:, : t // 2], 1.0 - 1.0 / math.e) for t in T]
    )
    at = at | {"T": T, "delta": math.exp(-2.0 + 1e-9), "M": 2}
    cases.append(Family(T, truth, at))
    far = 2.0 * quantile_far_out(1.0 / math.e) / FAR
    cases.append(in_the_logarithm(far, at))
    few = in_lam_and_radius(
        lambda gaps: np.quantile(gaps, 1.0 - 1.0 / math.e), at | {"T": 8}, 4
    )
    return cases + few


@cache
def variances():
    """The coin near w* = 0, for several λ and R: nearly equality.

    In units of the gap, and then in those of f, further and further away:
    there the variance is R²w² and the gap λw²/2, as long as Rw ≤ 1.
    """
    w = np.geomspace(1e-6, 1.0, 7)
    cases = [
        Below(w**2, {"lam": lam, "L0": 1.0 + lam * w, "gap": lam * w**2 / 2.0})
        for lam in (1e-3, 1.0, 3.0, 100.0)
    ]
    cases += in_other_units(1e-12, {"lam": 1.0, "L0": 1.0, "gap": 5e-13})
    cases.append(far_from_the_optimum())
    for lam, R in ((0.1, 1.0), (0.1, 4.0), (3.0, 2.0)):
        W = np.array([[1e-4 / R]])
        G = R + lam * W[0, 0]
        found = risk.check_variance(W, R * COIN[0], COIN[1], lam, G)
        gap = 0.5 * lam * W[0, 0] ** 2
        # The gap itself is close to rounding.
        cases.append(
            Below(found.truth[0] / gap, {"lam": lam, "L0": G, "gap": 1.0})
        )
    return cases


def far_from_the_optimum():
    """A family in which the gap of the coin grows: w = 1/(2λ), x = 1.

    For λ ≤ 1/2 the losses are λw²/2, and in half of the cases 1 + w more.
    So the variance is (1 + w)²/4 and the gap λw²/2 + (1 + w)/2 − 1.
    """
    lam = np.geomspace(1e-2, 1e-6, 7)
    w = 0.5 / lam
    gap = 0.5 * lam * w**2 + 0.5 * (1.0 + w) - 1.0
    at = {"lam": lam, "L0": 1.5, "gap": gap}
    return Family(1.0 / lam, (1.0 + w) ** 2 / 4.0, at)


class Thrown:
    """A case of Freedman's lemma: the expression is the threshold.

    Each step wins 1 − p or loses p, times `unit`.
    """

    def __init__(self, T, p, delta, unit=1.0):
        self.T, self.p, self.delta, self.unit = T, p, delta, unit
        self.at = {
            "sigma": unit * math.sqrt(T * p * (1.0 - p)),
            "b": unit * max(p, 1.0 - p),
            "delta": delta,
        }

    def judge(self, expression):
        """The exact probability against 4 ln(T) δ, in units of the latter.

        Without stopping: the number of wins is binomial.
        """
        limit = evaluate(expression, self.at) / self.unit
        wins = np.floor(limit + self.T * self.p + 1e-9)
        truth = binom.sf(wins, self.T, self.p)
        return Comparison(
            truth / martingales.tail_bound(self.T, self.delta), 1.0
        )


@cache
def gamblers():
    """Fair coins and rare wins, at small δ, where the lemma has teeth."""
    cases = [
        Thrown(T, p, delta)
        for T, p in ((1000, 0.5), (1000, 6e-4), (1000, 0.02), (100, 0.01))
        for delta in (0.05, 1e-6, 1e-12, 1e-40)
    ]
    # Here 2σ and 0.9 b √ln(1/δ) are equal.
    T, delta = 100_000, 1e-200
    p = 0.45**2 * math.log(1.0 / delta) / T
    cases.append(Thrown(T, p, delta))
    # For pennies and for millions, with each side of the maximum.
    for unit in (1e-20, 1e20):
        cases += [Thrown(1000, share, 1e-40, unit) for share in (0.5, 6e-4)]
    return cases


@cache
def tails():
    """The probability itself; among them the best gambler found."""
    cases = []
    for T in (10, 100, 300):
        for delta in (0.05, 0.01, 1e-4):
            for p in (0.5, 0.2, 0.05):
                truth = martingales.exceedance(T, p, delta)
                cases.append(Below(truth, {"T": T, "delta": delta}))
    # Rare wins, as many as make both sides of the maximum equal.
    T = 100_000
    for delta in (1e-12, 1e-40):
        log = math.log(1.0 / delta)
        p = 2.25 * log / T
        b, sigma = 1.0 - p, math.sqrt(T * p * (1.0 - p))
        limit = martingales.threshold(sigma, b, delta)
        truth = binom.sf(math.floor(limit + T * p), T, p)
        cases.append(Below(truth, {"T": T, "delta": delta}))
    return cases


@cache
def risks():
    """E_T/T of the coin with λ = 2: its (1 − 4 ln(T) δ) quantile, in T."""
    gaps, signs = coin_gaps()
    T = np.array([30, 100, 300, 1000])
    mean = np.cumsum(gaps, axis=1)[:, T - 1] / T
    W = np.sign(signs) * 0.0
    W[:, 1:] = np.cumsum(signs, axis=1)[:, :-1] / (2.0 * np.arange(1, 1000))
    paid = np.cumsum(W**2 - signs * W, axis=1)[:, T - 1]
    delta = 0.1 / (4.0 * math.log(1000))
    B = 1.5 / 2.0 + 1.0
    at = {"lam": 2.0, "R": 1.0, "L0": 2.0, "B": B, "delta": delta, "k": 1}
    at = at | {"c": 4.0}
    rate = 0.1
    return [
        Rare(mean[:, i], at | {"T": t, "regret": rho}, rate)
        for i, t in enumerate(T)
        for rho in [np.maximum(paid[:, i], 0.0)]
    ]


@cache
def risks_far_out():
    """The coin at a T that nobody runs, where the logarithm is what counts.

    𝔼 E_T = H/(2λ) with H = H_{T−1}, and Var E_T ≤ H/λ², so the median of
    E_T is at least H/(2λ) − √H/λ; the same holds of the regret, from above.
    It must not exceed a bound that fails with probability 1/2.
    """
    lam = 2.0
    cases = []
    for T, kind in ((np.float64(1e300), Below), (FAR, Family)):
        H = np.log(T) + np.euler_gamma
        median = H / (2.0 * lam) - np.sqrt(H) / lam
        at = {"T": T, "lam": lam, "R": 1.0, "c": 4.0, "L0": 2.0, "B": 1.75}
        at["delta"] = 0.5 / (4.0 * np.log(T))
        at["regret"] = regret.pegasos_regret_bound(T, lam, 1.0)
        along = (T,) if kind is Family else ()
        cases.append(kind(*along, median / T, at))
    return cases


@cache
def risks_in_lam_and_radius():
    """The same at T = 8 over all orders, for small λ and large R."""
    orders = risk.all_orders(2, 8)

    def top(lam, R):
        gaps = risk.gaps_of_runs(R * COIN[0], COIN[1], lam, orders)
        return np.quantile(gaps.mean(axis=1), 0.9)

    at = {"T": 8, "R": 1.0, "L0": 2.0, "delta": 0.01, "k": 1, "c": 4.0}
    one = at | {"lam": 0.1, "B": 16.0}
    one["regret"] = regret.pegasos_regret_bound(8, 0.1, 1.0)
    lams = SMALL_LAMS
    truth = np.array([top(lam, 1.0) for lam in lams])
    rho = regret.pegasos_regret_bound(8, lams, 1.0)
    B = 1.5 / lams + 1.0
    small = at | {"lam": lams, "B": B, "regret": rho}
    R = RADII
    truth_R = np.array([top(1.0, r) for r in R])
    rho = np.array([regret.pegasos_regret_bound(8, 1.0, r) for r in R])
    large = at | {"R": R, "L0": 2.0 * R, "B": 1.5 * R**2 + 1.0, "lam": 1.0}
    return [
        Family(1.0 / lams, truth, small),
        Family(R, truth_R, large | {"regret": rho, "c": 4.0 * R**2}),
        *in_other_units(top(0.1, 1.0), one),
    ]


@cache
def all_risks():
    """Coverage, size far out, and form in T, λ and R."""
    return [*risks(), *risks_in_lam_and_radius(), *risks_far_out()]


RISK_RATE = 0.1


def _theorem_of_coin(T, delta=None):
    """The letters of theorem 3.6 for the coin, failing at `RISK_RATE`."""
    delta = RISK_RATE / (4.0 * np.log(T)) if delta is None else delta
    return {"T": T, "lam": 2.0, "R": 1.0, "c": 4.0, "delta": delta, "k": 1}


@cache
def means_of_runs():
    """L(w̄) of the coin: counted, its quantile in T, far out, in λ and R.

    The mean of w_1, …, w_T has variance 1/(2T) in the limit, as
    Cov(w_s, w_t) = 1/(4 max(s, t)).
    """
    _, signs = coin_gaps()
    W = np.zeros_like(signs)
    W[:, 1:] = np.cumsum(signs, axis=1)[:, :-1] / (
        2.0 * np.arange(1, signs.shape[1])
    )
    T = np.array([30, 100, 300, 1000])
    gaps = (np.cumsum(W, axis=1)[:, T - 1] / T) ** 2
    top = np.quantile(gaps, 1.0 - RISK_RATE, axis=0)
    far = chi2.isf(RISK_RATE, 1) / 2.0 / FAR
    return [
        *(
            Rare(gaps[:, i], _theorem_of_coin(t), RISK_RATE)
            for i, t in enumerate(T)
        ),
        Family(T, top, _theorem_of_coin(T)),
        in_the_logarithm(far, _theorem_of_coin(FAR)),
        *_runs_in_lam_and_radius(
            lambda W: W.mean(axis=0, keepdims=True), 1.0 - RISK_RATE
        ),
    ]


@cache
def random_ones():
    """L(w_r) of the coin: at most twice the bound, in half of the runs."""
    gaps, _ = coin_gaps()
    rng = np.random.default_rng(2)
    T = np.array([30, 100, 300, 1000])
    chosen = [gaps[np.arange(4000), rng.integers(t, size=4000)] for t in T]
    half = 0.5 * (1.0 + RISK_RATE)
    middle = np.array([np.quantile(gaps[:, :t], 1.0 - half) for t in T])
    far = quantile_far_out(half) / FAR
    return [
        *(
            Rare(one, _theorem_of_coin(t), half)
            for one, t in zip(chosen, T, strict=True)
        ),
        Family(T, middle, _theorem_of_coin(T)),
        in_the_logarithm(far, _theorem_of_coin(FAR)),
        *_runs_in_lam_and_radius(lambda W: W, 1.0 - half),
    ]


def _runs_in_lam_and_radius(pick, share):
    """Two families: a quantile over all orders of 8 steps.

    Parameters
    ----------
    pick : callable
        Iterates of shape (T, orders, 1) -> those whose gap counts.
    share : float
        Which quantile.
    """
    orders = risk.all_orders(2, 8)

    def top(lam, R):
        X = R * COIN[0]
        W = pick(np.array(list(risk.many_runs(X, COIN[1], lam, orders))))
        # The minimum is f(0) = 1, by symmetry.
        values = objective(W.reshape(-1, 1), X, COIN[1], lam) - 1.0
        return np.quantile(values, share)

    lams = SMALL_LAMS[:5]  # at 0.1 the gap is not yet in its limit
    in_lam = np.array([top(lam, 1.0) for lam in lams])
    in_R = np.array([top(1.0, R) for R in RADII])
    at = _theorem_of_coin(8, delta=0.01)
    return [
        Family(1.0 / lams, in_lam, at | {"lam": lams}),
        Family(RADII, in_R, at | {"lam": 1.0, "R": RADII}),
        *in_other_units(top(0.1, 1.0), at | {"lam": 0.1}),
    ]


class Standing:
    """A case of theorem 3.3: a player who plays one w for ever.

    The theorem asks for no learner. Against the fair coin with x = 1 and
    0 < w ≤ 1 the best is w* = 0, so E_T is λw²T/2, and the regret against
    differs from that by w times a sum of T fair signs. With x = s for 1
    this is the same game, for w/s and λs²; and all losses may be paid in
    another currency, with this rate.
    """

    def __init__(self, T, lam, w, delta, s=1.0, rate=1.0):
        mean = 0.5 * lam * w**2
        # Beyond 12 standard deviations there is nothing to find.
        far = 6.0 * math.sqrt(T)
        low, high = max(0.0, T / 2.0 - far), min(T, T / 2.0 + far)
        wins = np.arange(math.ceil(low), math.floor(high) + 1)
        paid = mean * T + w * (2.0 * wins - T)
        self.chances = binom.pmf(wins, T, 0.5)
        self.promised = martingales.tail_bound(T, delta)
        self.truth = rate * mean
        self.at = {"T": T, "delta": delta, "B": rate * (mean + 1.0 + w)}
        self.at |= {"lam": rate * lam * s**2, "L0": rate * s * (1 + lam * w)}
        self.at["regret"] = rate * np.maximum(paid, 0.0)

    def judge(self, expression):
        """The exact probability of a failure, in units of 4 ln(T) δ."""
        fails = self.truth > evaluate(expression, self.at)
        return Comparison(self.chances[fails].sum() / self.promised, 1.0)

    def median(self):
        """The game in the middle, which a rate below 1/2 must not fail.

        In half of all games the regret is no larger, nor is the bound.
        """
        regret_T = self.at["T"] * self.truth
        return Below(self.truth, self.at | {"regret": regret_T})


def _still():
    """T, λ, w and δ of players who stand still.

    At a rate of 0.05, and at such small δ that only rare luck fails.

    Far from w* it is ρ that pays, near w* the root of ρ, and where ρ is 0
    by luck, nothing but the last term.
    """
    rate = 0.05
    often = [
        (T, 1.0, w, rate / (4.0 * math.log(T)))
        for T, w in ((10_000, 1.0), (100_000_000, 1.0), (10_000, 1e-3))
    ]
    seldom = [
        (1_000_000, 1.0, 1.0, 1e-8),
        (1_000_000, 0.1, 0.1, 1e-9),
        (1_000_000_000, 0.01, 1.0, 1e-12),
    ]
    return often + seldom


@cache
def still_players():
    """All of them, as cases of theorem 3.3."""
    return [Standing(*one) for one in _still()]


@cache
def players_in_other_units():
    """One for each term, with x and with what is paid in other units."""
    units = ((1e-20, 1.0), (1e20, 1.0), (1.0, 1e-20), (1.0, 1e20))
    return [Standing(*one, *unit) for one in _still()[2:5] for unit in units]


@cache
def risks_of_players():
    """Pegasos, and players that stand still; for two the middle game, too."""
    players = still_players()
    medians = [one.median() for one in players[:2]]
    return [*all_risks(), *players, *medians, *players_in_other_units()]


@cache
def alternations():
    """The alternating game against the sharper bound, and in form."""
    return [
        case
        for case in games_played()
        if isinstance(case, Family) or np.size(case.at["T"]) > 1
    ]
