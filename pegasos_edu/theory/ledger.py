"""The ledger: every statement of the sources, with a check that is run.

A check takes no argument and returns a list of results (see `compare`), on
small data, worst cases among them. What needs long runs reads the recorded
experiment instead.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem import losses
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.recorded import recorded
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.theory import basics, games, martingales, regret, risk
from pegasos_edu.theory.bounds import ROWS
from pegasos_edu.theory.compare import (
    Agreement,
    Comparison,
    Coverage,
    Exponent,
)
from pegasos_edu.theory.formula import latex

SEEDS = (0, 1, 2)


@dataclass(frozen=True)
class Statement:
    """One line of the ledger.

    Attributes
    ----------
    number : int
    claim, source, hypotheses : str
        In Markdown, formulas between dollar signs.
    status : str
        One of "holds", "holds, corrected", "measured", "holds in part".
    chapter : str
        The page that explains it.
    check : callable
        () -> list of Comparison, Agreement, Coverage or Exponent.

    Notes
    -----
    A statement with a formula takes it from `bounds.ROWS`: what is shown,
    what is checked and what is made false come from that one object.
    """

    number: int
    claim: str
    source: str
    hypotheses: str
    status: str
    chapter: str
    check: Callable

    @property
    def false(self):
        """False versions of what has no formula, each with its check."""
        return FALSE.get(self.number, {})

    @property
    def bounds(self):
        """The formulas of this statement, with their cases."""
        return ROWS.get(self.number, ())

    @property
    def formula(self):
        """All formulas in Markdown; empty for a statement without one."""
        return "; ".join(f"${bound.latex}$" for bound in self.bounds)

    def results(self):
        """The results of the check and of all cases of the formulas."""
        found = list(self.check())
        return found + [r for bound in self.bounds for r in bound.check()]

    def rejected(self):
        """The false versions that a check rejects, in Markdown."""
        return self._judged(rejected=True)

    def survivors(self):
        """The false versions that no check tells from the statement."""
        return self._judged(rejected=False)

    def weakest(self):
        """The rejected version nearest to the statement, one a formula."""
        nearest = [bound.weakest() for bound in self.bounds]
        shown = [f"${latex(text)}$" for text in nearest if text is not None]
        return shown + self._false_checks(rejected=True)

    def _judged(self, rejected):
        formulas = [
            f"${latex(text)}$"
            for bound in self.bounds
            for text in bound.false
            if bound.rejects(text) is rejected
        ]
        return formulas + self._false_checks(rejected)

    def _false_checks(self, rejected):
        return [
            name
            for name, check in self.false.items()
            if all(result.holds for result in check()) is not rejected
        ]


def tightness(results):
    """The largest truth/bound of the comparisons; None without any.

    Examples
    --------
    >>> tightness([Comparison(1.0, 4.0), Coverage(0, 1000, 0.1)])
    0.25
    """
    ratios = [r.ratio for r in results if isinstance(r, Comparison)]
    return max(ratios) if ratios else None


def coverage(results):
    """The count with the largest upper limit against its promise, or None.

    Examples
    --------
    >>> coverage([Comparison(1.0, 4.0), Coverage(0, 1000, 0.1)]).failures
    0
    """
    counts = [r for r in results if isinstance(r, Coverage)]
    return max(counts, key=lambda r: r.upper / r.promised, default=None)


def data_sets():
    """Pairs (X, y) that the checks run on: clouds, digits, a fair coin.

    Examples
    --------
    >>> [X.shape for X, y in data_sets()]
    [(60, 2), (100, 64), (2, 1)]
    """
    X, y = digits_zero()
    return [two_clouds(), (X[:100], y[:100]), fair_coin()]


def fair_coin():
    """x = 1 with label +1 or −1: the smallest population with a dispute.

    Examples
    --------
    >>> fair_coin()[1]
    array([ 1., -1.])
    """
    return np.ones((2, 1)), np.array([1.0, -1.0])


def cases(T=200, lams=(0.01, 0.1, 2.0), ties=True):
    """All data sets with all λ and seeds: X, y, lam, order.

    Without `ties` the coin is left out: it makes margins that are exactly
    1, and two programs may round them to different sides.
    """
    for X, y in data_sets() if ties else data_sets()[:2]:
        for lam in lams:
            for seed in SEEDS:
                yield X, y, lam, draw_order(len(y), T, seed=seed)


def check_subgradients():
    """Item 1: at random points, at 0 and exactly on a kink."""
    results = []
    for X, y in data_sets():
        rng = np.random.default_rng(0)
        others = rng.standard_normal((50, X.shape[1]))
        # The last w puts the first example exactly on its kink.
        points = [*others[:5], np.zeros_like(others[0])]
        points.append(y[0] * X[0] / (X[0] @ X[0]))
        for w in points:
            for loss in ("hinge", "log"):
                results.append(
                    basics.check_subgradient(w, others, X, y, 0.1, loss)
                )
    return results


def check_fermat():
    """Item 2: the shortest subgradient at the certified optimum."""
    return [
        basics.check_fermat(X, y, lam)
        for X, y in data_sets()
        for lam in (0.01, 0.1, 2.0)
    ]


def check_sgd():
    """Item 3: the same iterates, step by step."""
    return [basics.check_is_sgd(*case) for case in cases(50, ties=False)]


def check_log_loss():
    """Item 4: against central differences, and at large margins."""
    rng = np.random.default_rng(0)
    slopes = [
        basics.check_log_gradient(rng.standard_normal(X.shape[1]), X, y, 0.1)
        for X, y in data_sets()
    ]
    return [*slopes, basics.check_log_is_finite(1e4)]


def check_scale_trick():
    """Item 5: the same iterates, with and without projection."""
    results = []
    for X, y, lam, order in cases(ties=False):
        radius = 1.0 / math.sqrt(lam)
        results.append(basics.check_scale_trick(X, y, lam, order))
        results.append(
            basics.check_scale_trick(X, y, lam, order, radius=radius)
        )
    return results


def check_sizes():
    """Item 6: closed form, norms, gradients and values."""
    # The coin that alternates reaches all three bounds.
    X, y = fair_coin()
    alternating = np.tile([0, 1], 10)
    results = [*basics.check_sizes(X, y, 0.1, alternating).values()]
    for case in cases():
        results.append(basics.check_closed_form(*case))
        results += basics.check_sizes(*case).values()
        radius = 1.0 / math.sqrt(case[2])
        results += basics.check_sizes(*case, radius=radius).values()
    return results


def check_duality(sign=-1.0, half=0.5):
    """Item 7: primal against dual, by minimisers that know neither.

    The primal is minimised by a simplex search, the dual by a bounded
    quasi-Newton method; no solver of this book takes part.

    Parameters
    ----------
    sign, half : float
        Of the dual's quadratic term, so that it can be made false.
    """
    results = []
    for X, y in (two_clouds(), fair_coin()):
        for lam in (0.1, 1.0):
            primal = minimize(
                objective,
                np.zeros(X.shape[1]),
                args=(X, y, lam),
                method="Nelder-Mead",
                options={"xatol": 1e-9, "fatol": 1e-12},
            ).fun
            Z = X * y[:, np.newaxis] / (lam * len(y))

            def loss(alpha, Z=Z, lam=lam):
                w = alpha @ Z
                value = alpha.mean() + sign * half * lam * w @ w
                slope = 1.0 / len(alpha) + 2.0 * sign * half * lam * Z @ w
                return -value, -slope

            found = minimize(
                loss,
                np.full(len(y), 0.5),
                jac=True,
                bounds=[(0.0, 1.0)] * len(y),
                options={"ftol": 1e-14, "gtol": 1e-10, "maxiter": 5000},
            )
            results.append(
                Agreement(
                    np.array([primal]), np.array([-found.fun]), tolerance=1e-5
                )
            )
    return results


def comparators(W, X, y, lam, order):
    """w*, 0, the average, the last iterate and five random points."""
    rng = np.random.default_rng(0)
    radius = 1.0 / math.sqrt(lam)
    points = [optimum(X, y, lam).w, np.zeros(W.shape[1]), W.mean(axis=0)]
    points += [W[-1], *rng.standard_normal((5, W.shape[1]))]
    # Inside the ball, so that they may be used with projection as well.
    norms = [max(1.0, float(np.linalg.norm(u)) / radius) for u in points]
    return [u / norm for u, norm in zip(points, norms)]


def check_lemma_1():
    """Item 8: parabolas, opponents and the hardest examples."""
    results = [regret.check_lemma_1(lam, T=2000) for lam in (0.01, 1.0)]
    for adversary in games.ADVERSARIES.values():
        for lam in (0.05, 0.5):
            for radius in (None, 1.0 / math.sqrt(lam)):
                results.append(_check_game(adversary, lam, radius))
    for X, y in data_sets():
        adversary = games.hardest(X, y)
        results.append(_check_game(adversary, 0.1, None, X.shape[1]))
    return results


def _check_game(adversary, lam, radius, d=1, T=200):
    """The regret to the best in hindsight, at seven rounds."""
    W, X, y = games.play(adversary, lam, T, d, radius)
    order, at = np.arange(T), np.array([1, 2, 3, 10, 50, 100, 200])
    truth = regret.regret_to_best(W, X, y, lam, order, at)
    R = basics.radius_of(X)
    projected = radius is not None
    bound = regret.pegasos_regret_bound(at, lam, R, projected)
    return Comparison(truth, bound)


def check_theorem_1():
    """Item 9: both forms, for k = 1 and 4, on and off the ball."""
    results = []
    for X, y in data_sets():
        for lam in (0.01, 0.1, 2.0):
            for k, seed in ((1, 0), (1, 1), (4, 2)):
                order = draw_order(len(y), 300, k, seed=seed)
                for radius in (None, 1.0 / math.sqrt(lam)):
                    results += _check_regrets(X, y, lam, order, k, radius)
    return results


def _check_regrets(X, y, lam, order, k, radius):
    """Both forms of theorem 1; the weaker from T = 3 on."""
    projected = radius is not None
    W = basics.played(X, y, lam, order, k=k, radius=radius)
    points = comparators(W, X, y, lam, order)
    found = regret.check_regret(
        W, X, y, lam, order, points, projected=projected
    )
    t = np.arange(3, len(order) + 1)
    weaker = regret.weaker_regret_bound(t, lam, basics.radius_of(X), projected)
    return [found, Comparison(found.truth[:, 2:], weaker)]


def check_average():
    """Item 10: the averaged iterate of the batch algorithm."""
    return [
        regret.check_corollary_1(X, y, lam, 200, radius)
        for X, y in data_sets()
        for lam in (0.01, 0.1)
        for radius in (None, 1.0 / math.sqrt(lam))
    ]


def check_expectation():
    """Item 11: exactly, over all orders."""
    X, y = two_clouds()
    few = slice(0, 3)
    return [
        *(
            risk.check_expectation(*fair_coin(), lam, T=10, radius=radius)
            for lam in (0.1, 2.0)
            for radius in (None, 1.0 / math.sqrt(lam))
        ),
        risk.check_expectation(X[few], y[few], 0.1, T=7),
    ]


def check_random_index():
    """Item 12: failures counted, on a nearly tight case too."""
    X, y = two_clouds()
    tight = risk.check_random_index(*fair_coin(), 2.0, 3, 0.9, 2000, seed=0)
    return [tight] + [
        risk.check_random_index(X, y, 0.1, 100, delta, 1000, seed=1)
        for delta in (0.02, 0.1)
    ]


def check_boosting():
    """The failure rate at the threshold one run exceeds once in e times."""
    X, y = two_clouds()
    X, y, lam, T, runs = X[:20], y[:20], 0.1, 30, 10_000
    single = risk.boosted_gaps(X, y, lam, T, 1, 20_000, seed=0)
    # A threshold that a single run exceeds with a probability below 1/e.
    limit = np.quantile(single, 1.0 - 0.9 / math.e)
    results = []
    for delta in (0.1, 0.02):
        s = risk.candidates_needed(delta)
        gaps = risk.boosted_gaps(X, y, lam, T, s, runs, seed=s)
        results.append(Coverage(int((gaps > limit).sum()), runs, delta))
        bound = risk.boosted_bound(T * s, lam, basics.radius_of(X), delta)
        results.append(Coverage(int((gaps > bound).sum()), runs, delta))
    return results


def check_variance():
    """Item 14: exactly, on finite populations."""
    results = [
        risk.check_variance(
            np.array([[0.001]]), *fair_coin(), lam=0.1, lipschitz=1.0001
        )
    ]
    for X, y, lam, order in cases(T=100):
        W = basics.played(X, y, lam, order)
        # At w* itself both sides are 0, up to the error of w*.
        results.append(risk.check_variance(W, X, y, lam))
    return results


def check_freedman():
    """Item 15: exact gamblers, and one that is simulated."""
    results = []
    for T in (10, 100, 300):
        for delta in (0.05, 0.01, 1e-4):
            bound = martingales.tail_bound(T, delta)
            for p in (0.5, 0.2, 0.05):
                truth = martingales.exceedance(T, p, delta)
                results.append(Comparison(truth, bound))
    count = martingales.simulated_exceedances(200, 0.01, 5000, seed=0)
    promised = martingales.tail_bound(200, 0.01)
    return [*results, Coverage(count, 5000, promised)]


def _risk_results(name):
    """Theorem 3.3 or 3.6 on the clouds and the coin."""
    results = []
    for X, y in (two_clouds(), fair_coin()):
        for lam in (0.1, 2.0):
            delta = 0.05 / (4.0 * math.log(200))
            found = risk.check_risk(X, y, lam, 200, delta, 1000, seed=0)
            results += found[name]
    return results


def check_risk_from_regret():
    """Item 16: failures counted, and the share of the bound."""
    return _risk_results("from regret")


def check_risk_of_pegasos():
    """Item 17: failures counted, and the share of the bound."""
    return _risk_results("pegasos")


def check_corollaries():
    """Average and random iterate, and the expectation, exactly or counted."""
    T = np.arange(3, 1000)
    coin = Comparison(
        risk.risk_of_coin(T, 2.0), risk.expected_risk_bound(T, 2.0, 1.0)
    )
    X, y = two_clouds()
    rng = np.random.default_rng(0)
    orders = rng.integers(len(y), size=(1000, 200))
    gaps = risk.gaps_of_runs(X, y, 0.1, orders)
    delta = 0.05 / (4.0 * math.log(200))
    R = basics.radius_of(X)
    twice = 2.0 * risk.risk_bound(200, 0.1, R, delta)
    chosen = gaps[np.arange(1000), rng.integers(200, size=1000)]
    half = Coverage(int((chosen > twice).sum()), 1000, 1.0 - 0.5 * 0.95)
    expected = Comparison(
        float(gaps.mean()), risk.expected_risk_bound(200, 0.1, R)
    )
    return [coin, half, expected]


def check_noise_experiment(power=0.0):
    """Item 19: while n is at least ten times T, the gap is ∝ n⁰."""
    found = recorded("theory")["label_noise"]
    sizes = np.array([1000, 10_000, 100_000])
    gaps = np.array([found[str(n)]["early gaps"] for n in sizes])
    results = []
    for T, column in zip(found["early steps"], np.moveaxis(gaps, 2, 0)):
        enough = sizes >= 10 * T
        results.append(Exponent(sizes[enough], column[enough].T, power))
    return results


def slope(steps, values, first=0):
    """The slope of values against steps on log-log axes.

    Examples
    --------
    >>> round(slope([1, 10, 100], [2.0, 20.0, 200.0]), 6)
    1.0
    """
    logs = np.log(steps[first:]), np.log(values[first:])
    return float(np.polyfit(*logs, 1)[0])


def check_step_rules(power=0.5):
    """Item 20: the record on the digits below both bounds, and its power.

    Parameters
    ----------
    power : float
        Of T; that of the regret of the step ∝ 1/√t may not be larger.
    """
    found = recorded("theory")["step_rules"]
    T = np.array(found["steps"])
    lam, D, G = found["lam"], found["D"], found["G"]
    paid = np.array(found["D/(G sqrt t)"])
    late, regrets = np.array(found["late steps"]), found["late regrets"]
    return [
        Comparison(paid, regret.sqrt_regret_bound(T, D / G, D, G)),
        Comparison(
            np.array(found["1/(lam t)"]),
            regret.pegasos_regret_bound(T, lam, found["R"], projected=True),
        ),
        Exponent(late, np.array(regrets), power, at_most=True),
    ]


def check_step_rules_as_log():
    """Item 20 with ln T where the truth is √T: must fail."""
    found = recorded("theory")["step_rules"]
    late = np.array(found["late steps"])
    shares = np.array(found["late regrets"]) / np.log(late)
    return [Exponent(late, shares, 0.0, at_most=True)]


def check_set_size(power=0.0):
    """Item 21: the power of n in the steps to a fixed ε."""
    found = recorded("theory")["set_size"]
    steps = np.array(found["steps needed"])
    return [Exponent(np.array(found["sizes"]), steps.T, power)]


def check_nonzeros(power=1.0):
    """Item 21: the seconds grow at most like the non-zeros of a row."""
    found = recorded("theory")["nonzeros"]
    seconds = np.array(found["seconds"])
    counts = np.array(found["counts"])
    return [Exponent(counts, seconds.T, power, at_most=True)]


def check_size_and_nonzeros():
    """Item 21: both."""
    return check_set_size() + check_nonzeros()


def check_more_data(power=0.0):
    """Item 22: the steps to a fixed error on new data fall as n grows.

    Over the sizes with which all runs reach the error.

    Parameters
    ----------
    power : float
        Of n; that of the steps may not be larger.
    """
    found = recorded("theory")["more_data"]
    results = []
    for rows in found["reached"].values():
        every = [
            (n, row["steps"])
            for n, row in zip(found["sizes"], rows)
            if row["steps"] and None not in row["steps"]
        ]
        sizes, steps = zip(*every)
        results.append(
            Exponent(np.array(sizes), np.transpose(steps), power, at_most=True)
        )
    return results


def check_tightness():
    """Regret that reaches the sharper bound, whose log is the true one."""
    lam, T = 0.1, 2000
    W, X, y = games.play(games.alternate, lam, T)
    t = np.arange(1, T + 1)
    truth = regret.regret(W, np.zeros(1), X, y, lam, t - 1)
    found = [Comparison(truth, regret.sharp_regret_bound(t, lam, 1.0))]
    for case in cases():
        W = basics.played(*case)
        found.append(
            regret.check_regret(
                W,
                *case,
                comparators(W, *case),
                bound=regret.sharp_regret_bound,
            )
        )
    return found


def _mnist(lam):
    """The row of the MNIST record for one λ."""
    rows = recorded("mnist")["lams"]
    return next(row for row in rows if row["lam"] == lam)


def check_chor_sgd(share=0.95):
    """Item 24: the cost of Pegasos below that of SGD, at λ = 0.1.

    In the mean over the orders, by the interval of the paired differences,
    at every hundredth step. Not at all of them.

    Parameters
    ----------
    share : float
        The least share of those steps.
    """
    ahead = recorded("mnist")["curves"]["SGD"]["minus Pegasos"]
    mean, half = np.array(ahead)
    return [Comparison(share, float((mean - half > 0.0).mean()))]


def check_chor_others(percent=25.0):
    """Item 25: the last costs of four methods, against that of Pegasos.

    Both ends of the interval of the paired differences are held.
    """
    methods = _mnist(0.1)["methods"]
    ours, _ = methods["Pegasos"]["cost"]
    names = ("PGD", "SMD", "SEG±", "AdaGrad")
    apart = np.array(
        [methods[name]["minus Pegasos"]["cost"] for name in names]
    )
    mean, half = apart.T
    return [Comparison((np.abs(mean) + half) / ours, percent / 100.0)]


def check_chor_small_lam(optimum_is_worse=False):
    """Item 26: at λ = 0.001 the run is poor, the optimum is not.

    Were it overfitting, the optimum at λ = 0.001 would do worse on new
    digits than that at λ = 0.1.
    """
    small, usual = _mnist(0.001), _mnist(0.1)
    poor, poor_half = small["methods"]["Pegasos"]["accuracy"]
    good, good_half = usual["methods"]["Pegasos"]["accuracy"]
    worse = Comparison(poor + poor_half, good - good_half - 0.05)
    pair = small["optimum"]["accuracy"], usual["optimum"]["accuracy"]
    low, high = pair if optimum_is_worse else pair[::-1]
    return [worse, Comparison(low, high)]


def check_chor_large_lam(run_is_far=False):
    """Item 27: at λ = 10 the run is at the optimum, which predicts nothing.

    Its accuracy is the share of the larger class.
    """
    row = _mnist(10.0)
    mean, half = row["methods"]["Pegasos"]["cost"]
    least = row["optimum"]["cost"]
    share = 1.0 - recorded("mnist")["data"]["zeros_test"]
    close = Comparison((mean + half) / least - 1.0, 0.01)
    if run_is_far:
        close = Comparison(0.01, (mean - half) / least - 1.0)
    return [
        close,
        Agreement(
            np.array([row["optimum"]["accuracy"]]),
            np.array([share]),
            tolerance=1e-4,
        ),
    ]


def check_chor_times(projected_as_often=False):
    """Item 28: Pegasos takes less time than SGD, and projects less often.

    The projections by the interval of the paired differences.
    """
    methods = _mnist(0.1)["methods"]
    ours, theirs = methods["Pegasos"], methods["SGD"]
    mean, half = theirs["minus Pegasos"]["projected"]
    fewer = Comparison(0.0, mean - half)
    if projected_as_often:
        fewer = Comparison(mean - half, 0.0)
    return [Comparison(ours["seconds"], theirs["seconds"]), fewer]


def _false_plane(factor):
    """f(u) ≥ plane + factor λ‖u − w‖²: true up to a factor 1/2."""
    X, y = two_clouds()
    w = np.array([3.0, -2.0])
    others = w + np.outer(np.linspace(-0.1, 0.1, 9), [1.0, 1.0])
    plane = objective(w, X, y, 0.1) + (others - w) @ subgradient(w, X, y, 0.1)
    plane += factor * 0.1 * ((others - w) ** 2).sum(axis=1)
    return [Comparison(plane, objective(others, X, y, 0.1))]


def _false_optimum(factor):
    """Fermat's rule at factor · w*."""
    X, y = two_clouds()
    w = factor * optimum(X, y, 0.1).w
    return [Comparison(basics.smallest_subgradient(w, X, y, 0.1), 1e-4)]


def _false_steps(step):
    """The iterates of SGD with another step, against Pegasos."""
    X, y = two_clouds()
    order = draw_order(len(y), 50, seed=0)
    W = [np.zeros(2)]
    for t, i in enumerate(order[:-1], start=1):
        violated = y[i] * (X[i] @ W[-1]) < 1.0
        gradient = 0.1 * W[-1] - violated * y[i] * X[i]
        W.append(W[-1] - step(t) * gradient)
    return [Agreement(np.array(W), basics.played(X, y, 0.1, order))]


def _false_log_slope(slope_of):
    """Another slope of the log loss, against central differences."""
    m = np.linspace(-3.0, 3.0, 13)
    h = 1e-6
    differences = (losses.log_loss(m + h) - losses.log_loss(m - h)) / (2 * h)
    return [Agreement(slope_of(m), differences, tolerance=h)]


FALSE = {
    1: {
        r"with $+ \lambda \lVert u - w \rVert^2$ on the right": (
            lambda: _false_plane(1.0)
        ),
        r"with $+ 0.6 \lambda \lVert u - w \rVert^2$": (
            lambda: _false_plane(0.6)
        ),
    },
    2: {
        r"at $1.01 \, w^\star$": lambda: _false_optimum(1.01),
        r"at $0.99 \, w^\star$": lambda: _false_optimum(0.99),
    },
    3: {
        r"$\eta_t = 1/(\lambda (t + 1))$": (
            lambda: _false_steps(lambda t: 10.0 / (t + 1))
        ),
        r"$\eta_t = 0.999/(\lambda t)$": (
            lambda: _false_steps(lambda t: 9.99 / t)
        ),
    },
    4: {
        r"slope $1/(1 + e^m)$, the sign lost": (
            lambda: _false_log_slope(lambda m: 1.0 / (1.0 + np.exp(m)))
        ),
        r"slope $-1/(1 + e^{-m})$": (
            lambda: _false_log_slope(lambda m: -1.0 / (1.0 + np.exp(-m)))
        ),
    },
    5: {
        r"shrinking by $1 - 1/(t + 1)$": (
            lambda: _false_steps(lambda t: 10.0 / (t + 1))
        ),
    },
    7: {
        "the dual with a plus, as printed": lambda: check_duality(sign=1.0),
        r"$\lambda \lVert w \rVert^2$ for $\frac{\lambda}{2} "
        r"\lVert w \rVert^2$": lambda: check_duality(half=1.0),
    },
    19: {
        r"gap $\propto n^{-0.1}$": lambda: check_noise_experiment(-0.1),
        r"gap $\propto n^{0.1}$": lambda: check_noise_experiment(0.1),
    },
    20: {
        r"$O(\ln T)$": check_step_rules_as_log,
        r"$O(T^{0.4})$": lambda: check_step_rules(0.4),
        r"$O(T^{0.45})$": lambda: check_step_rules(0.45),
    },
    21: {
        r"steps $\propto n^{0.1}$": lambda: check_set_size(0.1),
        r"steps $\propto n^{-0.1}$": lambda: check_set_size(-0.1),
        "time at most like the root of the non-zeros": (
            lambda: check_nonzeros(0.5)
        ),
    },
    22: {
        "steps fall at least like $1/n$": lambda: check_more_data(-1.0),
        r"steps fall at least like $1/\sqrt n$": lambda: check_more_data(-0.5),
    },
    24: {"at every step shown": lambda: check_chor_sgd(1.0)},
    25: {"within 10 %": lambda: check_chor_others(10.0)},
    26: {"because of overfitting": lambda: check_chor_small_lam(True)},
    27: {
        "because the cost is not minimised": (
            lambda: check_chor_large_lam(True)
        )
    },
    28: {"with as many projections": lambda: check_chor_times(True)},
}
CHOR, ZHOU = "Chor (2020)", "Zhou"
PAPER, NOTE = "Shalev-Shwartz et al. (2007)", "Chinese note"
HANDOUT, BLOG = "Johansson", "Analytics blog (2013)"
ALL = "every $t$, every data set and seed tried"
BALL = r"$\lVert x \rVert \le R$"
MNIST = r"MNIST, $\lambda = 0.1$ unless said, the ball of Chor"
DRAWS = r"examples drawn independently; " + BALL

LEDGER = [
    Statement(
        1,
        r"$f(u) \ge f(w) + \langle \nabla f(w), u - w \rangle$, at kinks "
        "too",
        f"{CHOR}, definition 2",
        "none",
        "holds",
        "regret",
        check_subgradients,
    ),
    Statement(
        2,
        r"$0 \in \partial f(w^\star)$ at the certified optimum",
        f"{CHOR}, theorem 1",
        "$f$ convex",
        "holds",
        "regret",
        check_fermat,
    ),
    Statement(
        3,
        r"Pegasos is SGD with $\eta_t = 1/(\lambda t)$",
        f"{HANDOUT}, section 2",
        "$w_1 = 0$, $t$ from 1",
        "holds",
        "regret",
        check_sgd,
    ),
    Statement(
        4,
        r"the gradient of the log loss; finite at margins $\pm 10^4$",
        f"{HANDOUT}, section 3",
        "a stable form of the loss",
        "holds, corrected",
        "errata",
        check_log_loss,
    ),
    Statement(
        5,
        "the scale trick gives the same iterates",
        f"{HANDOUT}, section 4",
        "$t = 1$ treated apart",
        "holds, corrected",
        "errata",
        check_scale_trick,
    ),
    Statement(
        6,
        r"$w_{t+1} = \frac{1}{\lambda t} \sum v_i$, and the sizes of the "
        "iterates, gradients and values",
        f"{ZHOU}, lemma 3.5",
        BALL + ", no projection",
        "holds, corrected",
        "regret",
        check_sizes,
    ),
    Statement(
        7,
        r"the size of $w^\star$; the least primal value is the largest dual "
        "value",
        f"{CHOR}, section 2.3",
        "none",
        "holds, corrected",
        "regret",
        check_duality,
    ),
    Statement(
        8,
        "lemma 1: the regret against every $u$ grows like a logarithm",
        f"{CHOR}; {NOTE}",
        r"$f_t$ $\lambda$-strongly convex, $\lVert \nabla_t \rVert \le G$",
        "holds, corrected",
        "regret",
        check_lemma_1,
    ),
    Statement(
        9,
        r"theorem 1: the regret of Pegasos, for every $k$; at most "
        r"$c \ln T/\lambda$ for $T \ge 3$",
        f"{CHOR}, theorem 2; {NOTE}",
        BALL + r"; $c = (\sqrt\lambda + R)^2$ with projection, else $4R^2$",
        "holds, corrected",
        "regret",
        check_theorem_1,
    ),
    Statement(
        10,
        "the average of the iterates, all examples in every step",
        f"{NOTE}, corollary 1",
        "$A_t = S$",
        "holds",
        "regret",
        check_average,
    ),
    Statement(
        11,
        "a random iterate, in the mean",
        f"{NOTE}, theorem 2",
        DRAWS + r"; $r$ uniform; $T \ge 3$",
        "holds",
        "risk",
        check_expectation,
    ),
    Statement(
        12,
        r"a random iterate, with probability $1 - \delta$",
        f"{NOTE}, theorem 3",
        DRAWS + r"; $r$ uniform; $T \ge 3$",
        "holds",
        "risk",
        check_random_index,
    ),
    Statement(
        13,
        r"the best of $M = \lceil \ln(1/\delta) \rceil$ candidates fails "
        r"with probability $\delta$ at most",
        f"{NOTE}, remark 2",
        r"independent runs; $T \ge 3M$",
        "holds",
        "risk",
        check_boosting,
    ),
    Statement(
        14,
        r"the variance of a round, by the gap $\Delta = L(w_t) - "
        r"L(w^\star)$",
        f"{ZHOU}, lemma 3.1",
        r"every $f_z$ $G$-Lipschitz on a convex set with $w_t$ and "
        r"$w^\star$",
        "holds, corrected",
        "risk",
        check_variance,
    ),
    Statement(
        15,
        r"the sum of a martingale's steps exceeds the first formula with a "
        r"probability $\mathbb{P}$ of at most the second",
        f"{ZHOU}, lemma 3.2",
        r"$\lvert X_t \rvert \le b$, "
        r"$\delta < 1/e$, $T \ge 3$",
        "holds, corrected",
        "risk",
        check_freedman,
    ),
    Statement(
        16,
        r"regret to risk, $\rho \ge \max\{\mathrm{regret}_T, 0\}$, with "
        r"probability $1 - 4 \ln(T) \delta$",
        f"{ZHOU}, theorems 3.3 and 3.4",
        r"those of 14 and 15; $0 \le f_z \le B$; $\mathrm{regret}_T \ge 0$",
        "holds, corrected",
        "risk",
        check_risk_from_regret,
    ),
    Statement(
        17,
        r"the risk of Pegasos, with probability $1 - 4 \ln(T) \delta$",
        f"{ZHOU}, theorem 3.6",
        DRAWS + r"; $\delta < 1/e$, $T \ge 3$",
        "holds",
        "risk",
        check_risk_of_pegasos,
    ),
    Statement(
        18,
        "average, random iterate, expectation",
        f"{ZHOU}, corollaries 3.6.1-3.6.3, theorem 3.7",
        r"those of 17; $\lambda \le \frac{23}{6} R^2$ for the order in $T$",
        "holds, corrected",
        "risk",
        check_corollaries,
    ),
    Statement(
        19,
        "the error on new data does not depend on $n$; shown for the gap in "
        "the population",
        f"{ZHOU}, section 4",
        r"only while $T$ is small against $n$; here $100 \le T \le n/10$",
        "holds in part",
        "more_data",
        check_noise_experiment,
    ),
    Statement(
        20,
        r"SGD with a step $\propto 1/\sqrt t$ has regret $O(\sqrt T)$",
        f"{CHOR}, section 2.3",
        r"step $D/(G\sqrt t)$, bounded domain",
        "holds, corrected",
        "regret",
        check_step_rules,
    ),
    Statement(
        21,
        r"steps to a fixed $\varepsilon$ do not depend on $n$; time grows at "
        "most like the non-zeros",
        f"{NOTE}; {BLOG}",
        r"$\lambda$ and $R$ fixed",
        "measured",
        "more_data",
        check_size_and_nonzeros,
    ),
    Statement(
        22,
        "steps to a fixed error on new data fall as $n$ grows",
        f"{BLOG}",
        r"$\lambda$ chosen for each $n$, on runs of its own; $n \ge 8000$",
        "measured",
        "more_data",
        check_more_data,
    ),
    Statement(
        23,
        r"the logarithm is paid: the bound is reached at $T = 2$",
        "this book",
        BALL + ", no projection",
        "holds",
        "regret",
        check_tightness,
    ),
    Statement(
        24,
        "the cost of Pegasos is below that of SGD (Chor: always); at 95 % of "
        "the steps shown, in the mean of 30 orders, by intervals",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured, in part",
        "first_order",
        check_chor_sgd,
    ),
    Statement(
        25,
        "the last cost of projected GD, SMD, SEG± and AdaGrad is within 25 % "
        "of that of Pegasos, in the mean of 30 orders; with Chor's steps, not "
        "the best ones",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured",
        "first_order",
        check_chor_others,
    ),
    Statement(
        26,
        r"$\lambda = 10^{-3}$ does poorly, but not for Chor's reason: its "
        "optimum predicts best",
        f"{CHOR}, section 3.3",
        MNIST,
        "measured, corrected",
        "first_order",
        check_chor_small_lam,
    ),
    Statement(
        27,
        r"$\lambda = 10$ does poorly, but the cost is minimised well: the "
        "optimum itself names one class",
        f"{CHOR}, section 3.3",
        MNIST,
        "measured, corrected",
        "first_order",
        check_chor_large_lam,
    ),
    Statement(
        28,
        "Pegasos takes less time than SGD, and fewer of its steps are "
        "projected; one machine, the least of several times",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured",
        "first_order",
        check_chor_times,
    ),
]
