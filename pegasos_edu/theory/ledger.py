"""The ledger: every statement of the sources, with a check that is run.

A check takes no argument and returns a list of results (see `compare`), on
small data, worst cases among them. What needs long runs reads the recorded
experiment instead.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.recorded import recorded
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.theory import basics, games, martingales, regret, risk
from pegasos_edu.theory.compare import Agreement, Comparison, Coverage

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
        () -> list of Comparison, Agreement or Coverage.
    """

    number: int
    claim: str
    source: str
    hypotheses: str
    status: str
    chapter: str
    check: Callable


def largest_ratio(results):
    """The largest truth/bound among results; None if all are agreements.

    Examples
    --------
    >>> largest_ratio([Comparison(1.0, 4.0), Comparison(1.0, 2.0)])
    0.5
    """
    ratios = [r.ratio for r in results if not isinstance(r, Agreement)]
    return max(ratios) if ratios else None


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


def check_duality():
    """Item 7: the norm of w*, and primal minus dual."""
    results = []
    for X, y in data_sets():
        for lam in (0.01, 0.1, 1.0):
            results.append(basics.check_optimum_norm(X, y, lam))
            best = optimum(X, y, lam)
            gap = best.primal - best.dual
            results.append(Comparison(gap, basics.CERTIFIED * best.primal))
    # All examples agree and λ = R²: equality.
    X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    return [*results, basics.check_optimum_norm(X, y, 1.0)]


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


def check_noise_experiment():
    """While n is large against T, the number of examples does not show."""
    found = recorded("theory")["label_noise"]
    early = [i for i, t in enumerate(found["steps"]) if t <= 1000]
    large = np.array(
        [found[n]["new gap"] for n in ("1000", "10000", "100000")]
    )[:, early]
    spread = large.max(axis=0) / large.min(axis=0)
    return [Comparison(spread, 1.5)]


def slope(steps, values, first=0):
    """The slope of values against steps on log-log axes.

    Examples
    --------
    >>> round(slope([1, 10, 100], [2.0, 20.0, 200.0]), 6)
    1.0
    """
    logs = np.log(steps[first:]), np.log(values[first:])
    return float(np.polyfit(*logs, 1)[0])


def check_step_rules():
    """√T at the best scale; below its bound, and growing faster than ln T."""
    found = recorded("theory")["step_rules"]
    T = np.array(found["steps"])
    lam, D, G = found["lam"], found["D"], found["G"]
    return [
        Comparison(
            np.array(found["D/(G sqrt t)"]),
            regret.sqrt_regret_bound(T, D / G, D, G),
        ),
        Comparison(
            np.array(found["1/(lam t)"]),
            regret.pegasos_regret_bound(T, lam, found["R"], projected=True),
        ),
    ]


def check_set_size():
    """Steps to ε over n = 10² … 10⁶; seconds for twice the non-zeros."""
    found = recorded("theory")["set_size"]
    steps = [found[str(10**power)] for power in range(2, 7)]
    seconds = recorded("theory")["nonzeros"]
    counts = [10, 20, 40, 80, 160, 320]
    each = np.array([seconds[str(count)] for count in counts]) / counts
    return [
        Comparison(max(steps) / min(steps), 1.5),
        Comparison(each[1:] / each[:-1], 1.25),
    ]


def check_more_data():
    """The steps to a fixed test error never rise as n doubles."""
    reached = recorded("theory")["more_data"]["reached"]["0.14"]
    steps = np.array([pair[0] for pair in reached if pair is not None])
    return [Comparison(steps[1:], steps[:-1])]


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


CHOR, ZHOU = "Chor (2020)", "Zhou"
PAPER, NOTE = "Shalev-Shwartz et al. (2007)", "Chinese note"
HANDOUT, BLOG = "Johansson", "Analytics blog (2013)"
ALL = "every $t$, every data set and seed tried"
BALL = r"$\lVert x \rVert \le R$"
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
        r"$w_{t+1} = \frac{1}{\lambda t} \sum v_i$, "
        r"$\lVert w_t \rVert \le R/\lambda$, "
        r"$\lVert \nabla_t \rVert \le 2R$, $f \le 3R^2/(2\lambda) + 1$",
        f"{ZHOU}, lemma 3.5",
        BALL + ", no projection",
        "holds, corrected",
        "regret",
        check_sizes,
    ),
    Statement(
        7,
        r"$\lVert w^\star \rVert \le 1/\sqrt\lambda$; primal minus dual "
        "is 0 at the optimum",
        f"{CHOR}, section 2.3",
        "none",
        "holds, corrected",
        "regret",
        check_duality,
    ),
    Statement(
        8,
        r"lemma 1: regret $\le G^2 (1 + \ln T)/(2\lambda)$ against every "
        "$u$",
        f"{CHOR}; {NOTE}",
        r"$f_t$ $\lambda$-strongly convex, $\lVert \nabla_t \rVert \le G$",
        "holds, corrected",
        "regret",
        check_lemma_1,
    ),
    Statement(
        9,
        r"theorem 1: regret $\le c (1 + \ln T)/(2\lambda)$; and "
        r"$c \ln T/\lambda$ for $T \ge 3$",
        f"{CHOR}, theorem 2; {NOTE}",
        BALL + r"; $c = (\sqrt\lambda + R)^2$ with projection, else $4R^2$",
        "holds, corrected",
        "regret",
        check_theorem_1,
    ),
    Statement(
        10,
        r"$f(\bar w) - f^\star \le c (1 + \ln T)/(2\lambda T)$",
        f"{NOTE}, corollary 1",
        "$A_t = S$",
        "holds",
        "regret",
        check_average,
    ),
    Statement(
        11,
        r"$\mathbb{E} f(w_r) - f^\star \le c \ln T/(\lambda T)$",
        f"{NOTE}, theorem 2",
        DRAWS + r"; $r$ uniform; $T \ge 3$",
        "holds",
        "risk",
        check_expectation,
    ),
    Statement(
        12,
        r"$f(w_r) - f^\star \le c \ln T/(\delta \lambda T)$ with "
        r"probability $1 - \delta$",
        f"{NOTE}, theorem 3",
        DRAWS + r"; $r$ uniform; $T \ge 3$",
        "holds",
        "risk",
        check_random_index,
    ),
    Statement(
        13,
        r"the best of $s = \lceil \ln(1/\delta) \rceil$ candidates fails "
        r"with probability $\delta$ at most",
        f"{NOTE}, remark 2",
        r"independent runs; $T \ge 3s$",
        "holds",
        "risk",
        check_boosting,
    ),
    Statement(
        14,
        r"$\mathrm{Var}\, \xi_t \le \frac{2L^2}{\lambda} "
        r"(L(w_t) - L(w^\star))$",
        f"{ZHOU}, lemma 3.1",
        r"every $f_z$ $L$-Lipschitz on a convex set with $w_t$ and "
        r"$w^\star$",
        "holds, corrected",
        "risk",
        check_variance,
    ),
    Statement(
        15,
        r"$\sum X_t > \max\{2\sigma, 3b\sqrt{\ln(1/\delta)}\} "
        r"\sqrt{\ln(1/\delta)}$ with probability $4 \ln(T) \delta$ at most",
        f"{ZHOU}, lemma 3.2",
        r"$\lvert X_t \rvert \le b$, "
        r"$\delta < 1/e$, $T \ge 3$",
        "holds, corrected",
        "risk",
        check_freedman,
    ),
    Statement(
        16,
        "regret to risk, and the regret bound",
        f"{ZHOU}, theorems 3.3 and 3.4",
        r"those of 14 and 15; $0 \le f_z \le B$; $R_T \ge 0$",
        "holds, corrected",
        "risk",
        check_risk_from_regret,
    ),
    Statement(
        17,
        "the risk bound for Pegasos, with its constants",
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
        "those of 17",
        "holds, corrected",
        "risk",
        check_corollaries,
    ),
    Statement(
        19,
        "the error on new data does not depend on $n$",
        f"{ZHOU}, section 4",
        "only while $T$ is small against $n$",
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
        r"steps to a fixed $\varepsilon$ do not depend on $n$; time is "
        "proportional to the non-zeros",
        f"{NOTE}; {BLOG}",
        r"$\lambda$ and $R$ fixed",
        "measured",
        "more_data",
        check_set_size,
    ),
    Statement(
        22,
        "steps to a fixed error on new data fall as $n$ grows",
        f"{BLOG}",
        r"$\lambda$ chosen for each $n$",
        "measured",
        "more_data",
        check_more_data,
    ),
    Statement(
        23,
        r"the $\ln T$ is paid: regret $\le "
        r"R^2 (3 + \ln T)/(2\lambda)$, and this is reached",
        "this book",
        BALL + ", no projection",
        "holds",
        "regret",
        check_tightness,
    ),
]
