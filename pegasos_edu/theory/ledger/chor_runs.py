"""What Chor measured on MNIST, and what he says of it.

The runs are long: the checks read the recorded experiments.
"""

import numpy as np

from pegasos_edu.problem.data import digits_zero
from pegasos_edu.problem.objective import subgradient
from pegasos_edu.recorded import recorded
from pegasos_edu.theory.compare import (
    Agreement,
    Comparison,
    Mean,
    interval,
)
from pegasos_edu.theory.ledger.statement import CHOR, Statement

ONLINE = ("SGD", "SMD", "SEG±", "AdaGrad", "Pegasos")
MNIST = r"MNIST, $\lambda = 0.1$ unless said, the ball of Chor"


def _mnist(lam):
    """The row of the MNIST record for one λ."""
    rows = recorded("mnist")["lams"]
    return next(row for row in rows if row["lam"] == lam)


def check_chor_sgd(share=0.95):
    """Item 24: the cost of Pegasos below that of SGD, at λ = 0.1.

    In the mean over the orders, by the interval of the paired differences,
    at every hundredth step, from t = 100 on. Not at all of them.

    Parameters
    ----------
    share : float
        The least share of those steps.
    """
    ahead = recorded("mnist")["curves"]["SGD"]["minus Pegasos"]
    mean, half = np.array(ahead)
    return [Comparison(share, float((mean - half > 0.0).mean()))]


def check_chor_always():
    """Item 24 as Chor has it: below at every step, as far as one can tell."""
    ahead = recorded("mnist")["curves"]["SGD"]["minus Pegasos"]
    mean, half = np.array(ahead)
    return [Mean(-mean, half, 0.0)]


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
    return [Mean(np.abs(mean) / ours, half / ours, percent / 100.0)]


def check_chor_small_lam(points=5.0, better=0.0):
    """Item 26: at λ = 0.001 the run is poor, the optimum is not.

    Were it overfitting, the optimum at λ = 0.001 would do worse on new
    digits than those at other λ.

    Parameters
    ----------
    points : float
        By which the run is behind that at λ = 0.1, in percent.
    better : float
        By which the optimum is ahead of those at every other λ, in percent.
    """
    small, usual = _mnist(0.001), _mnist(0.1)
    poor, poor_half = small["methods"]["Pegasos"]["accuracy"]
    good, good_half = usual["methods"]["Pegasos"]["accuracy"]
    others = [
        row["optimum"]["accuracy"]
        for row in recorded("mnist")["lams"]
        if row["lam"] != small["lam"]
    ]
    ahead = small["optimum"]["accuracy"] - np.array(others)
    return [
        Mean(poor - good, poor_half + good_half, -points / 100.0),
        Comparison(better / 100.0, ahead),
    ]


def check_chor_overfitting():
    """Item 26 for Chor's reason: the optimum at λ = 0.001 does worse."""
    small, usual = _mnist(0.001), _mnist(0.1)
    pair = small["optimum"]["accuracy"], usual["optimum"]["accuracy"]
    return [Comparison(*pair)]


def check_chor_large_lam(percent=1.0):
    """Item 27: at λ = 10 the run is at the optimum, which predicts nothing.

    Its accuracy is the share of the larger class.

    Parameters
    ----------
    percent : float
        By which the cost of the run may exceed that of the optimum.
    """
    row = _mnist(10.0)
    mean, half = row["methods"]["Pegasos"]["cost"]
    least = row["optimum"]["cost"]
    share = 1.0 - recorded("mnist")["data"]["zeros_test"]
    return [
        Mean(mean / least - 1.0, half / least, percent / 100.0),
        Agreement(
            np.array([row["optimum"]["accuracy"]]),
            np.array([share]),
            tolerance=1e-4,
        ),
    ]


def check_chor_cost_is_high():
    """Item 27 for Chor's reason: the run misses the optimum by over 1 %."""
    row = _mnist(10.0)
    mean, half = row["methods"]["Pegasos"]["cost"]
    least = row["optimum"]["cost"]
    return [Mean(1.0 - mean / least, half / least, -0.01)]


def check_chor_times(time=1.0, projections=1.0):
    """Item 28: Pegasos takes less time than SGD, and projects less often.

    The projections by the intervals of the paired differences and of SGD,
    the time by one number for each.

    Parameters
    ----------
    time, projections : float
        What Pegasos takes at most, as a share of what SGD takes.
    """
    methods = _mnist(0.1)["methods"]
    ours, theirs = methods["Pegasos"], methods["SGD"]
    fewer, half = theirs["minus Pegasos"]["projected"]
    of_theirs, their_half = theirs["projected"]
    rest = 1.0 - projections
    return [
        Comparison(ours["seconds"], time * theirs["seconds"]),
        Mean(rest * of_theirs - fewer, half + rest * their_half, 0.0),
    ]


def _ends(kind, lam):
    """Accuracy of the last iterate of each run, on one scale of pixels."""
    rows = recorded("chor")["lams"]
    row = next(row for row in rows if row["lam"] == lam)
    return np.array(row["pixels"][kind]["iterates"]["accuracy"]["ends"])


def _ahead(one, other, lam, points=0.0):
    """One kind of pixels ahead of another, in pairs: the same orders."""
    mean, half = interval(_ends(one, lam) - _ends(other, lam))
    return Mean(-mean, half, -points / 100.0)


def check_chor_pixels(lams=(0.01, 0.1), points=0.0):
    """Item 29: dividing is ahead at these λ, raw pixels at λ ≥ 1.

    Parameters
    ----------
    lams : tuple of float
        Where divided pixels are said to be ahead.
    points : float
        By how much, in percent.
    """
    ahead = [_ahead("divided", "raw", lam, points) for lam in lams]
    behind = [_ahead("raw", "divided", lam) for lam in (1.0, 10.0)]
    return [*ahead, *behind]


def check_chor_full_step(share=0.04):
    """Item 30: n single subgradients make a full one; it takes less time.

    The times are those of projected GD against each online method.

    Parameters
    ----------
    share : float
        Of the time of n online steps, that a full step takes at most.
    """
    X, y = digits_zero()
    w = np.random.default_rng(0).standard_normal(X.shape[1]) / 10.0
    single = [
        0.1 * w - (label * (x @ w) < 1.0) * label * x for x, label in zip(X, y)
    ]
    whole = subgradient(w, X, y, 0.1)
    setup = recorded("mnist")["setup"]
    seconds = {
        name: found["seconds"]
        for name, found in _mnist(0.1)["methods"].items()
    }
    full = seconds["PGD"] / setup["T_offline"]
    steps = np.array([seconds[name] for name in ONLINE]) / setup["T_online"]
    return [
        Agreement(np.mean(single, axis=0), whole),
        Comparison(full, share * setup["n_train"] * steps),
    ]


def check_chor_as_slow():
    """Item 30 as Chor has it: a full step takes the time of n others.

    Nobody is exact to a factor of two here, so half of it is asked for.
    """
    setup, methods = recorded("mnist")["setup"], _mnist(0.1)["methods"]
    full = methods["PGD"]["seconds"] / setup["T_offline"]
    step = methods["SEG±"]["seconds"] / setup["T_online"]
    return [Comparison(0.5 * setup["n_train"] * step, full)]


def check_chor_ball(fewer=10.0, within=2.0):
    """Item 31: fewer weights on Chor's ball, and about the same cost.

    Both in pairs, the ball of the analysis minus Chor's, at the best factor
    for each.

    Parameters
    ----------
    fewer : float
        How many weights more the other ball has, in percent of all.
    within : float
        By how much the costs differ, in percent of that on Chor's ball.
    """
    methods = recorded("tuned")["methods"]
    apart = methods["Pegasos, ℓ2"]["minus Pegasos"]
    more, more_half = apart["nonzero"]
    cost, half = apart["cost"]
    limit = within / 100.0 * methods["Pegasos"]["cost"][0]
    return [
        Mean(-more, more_half, -fewer / 100.0),
        Mean(abs(cost), half, limit),
    ]


def check_chor_ball_cost(sign):
    """Item 31 with one cost below the other: the sign times ℓ2 minus ℓ1."""
    apart = recorded("tuned")["methods"]["Pegasos, ℓ2"]["minus Pegasos"]
    mean, half = apart["cost"]
    return [Mean(sign * mean, half, 0.0)]


def check_chor_few_weights(share=0.5):
    """Item 31: of all weights at most this share is left on Chor's ball."""
    left = recorded("tuned")["methods"]["Pegasos"]["nonzero"]
    return [Mean(*left, share)]


STATEMENTS = [
    Statement(
        24,
        "the cost of Pegasos is below that of SGD (Chor: always); at 95 % of "
        r"the steps shown, which are $t = 100, 200, \dots, 10^4$, in the mean "
        "of 30 orders, by intervals; the first hundred steps are not shown",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured, in part",
        "findings",
        check_chor_sgd,
        {
            "by its interval at every step shown": (
                lambda: check_chor_sgd(1.0)
            ),
            "by its interval at 99 % of them": lambda: check_chor_sgd(0.99),
            "below at every step shown": check_chor_always,
        },
    ),
    Statement(
        25,
        "the last cost of projected GD, SMD, SEG± and AdaGrad is within 25 % "
        "of that of Pegasos, in the mean of 30 orders; Pegasos with the steps "
        "of Chor's report, which gives none for these four, and they with "
        "the defaults of this package, not with their best steps",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured",
        "findings",
        check_chor_others,
        {
            "within 10 %": lambda: check_chor_others(10.0),
            "within 20 %": lambda: check_chor_others(20.0),
        },
    ),
    Statement(
        26,
        r"$\lambda = 10^{-3}$ does poorly, the run is 5 percentage points "
        r"behind that at $\lambda = 0.1$; but not for Chor's reason: its "
        r"optimum predicts no worse than those at the other $\lambda$, on one "
        "test set of 3,000 digits",
        f"{CHOR}, section 3.3",
        MNIST,
        "measured, corrected",
        "findings",
        check_chor_small_lam,
        {
            r"its optimum predicts worse than that at $\lambda = 0.1$": (
                check_chor_overfitting
            ),
            "its optimum predicts better by 1 point": (
                lambda: check_chor_small_lam(better=1.0)
            ),
            "its optimum predicts better by 0.1 points": (
                lambda: check_chor_small_lam(better=0.1)
            ),
            "the run is 10 points behind": (
                lambda: check_chor_small_lam(points=10.0)
            ),
            "the run is 7 points behind": (
                lambda: check_chor_small_lam(points=7.0)
            ),
        },
    ),
    Statement(
        27,
        r"$\lambda = 10$ does poorly, but the cost is minimised within 1 %: "
        "the optimum itself names one class",
        f"{CHOR}, section 3.3",
        MNIST,
        "measured, corrected",
        "findings",
        check_chor_large_lam,
        {
            "the cost is more than 1 % above the least": (
                check_chor_cost_is_high
            ),
            "the cost is within 0.01 %": lambda: check_chor_large_lam(0.01),
            "the cost is within 0.1 %": lambda: check_chor_large_lam(0.1),
        },
    ),
    Statement(
        28,
        "Pegasos takes less time than SGD, and fewer of its steps are "
        "projected; one machine, the least of several times",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured",
        "findings",
        check_chor_times,
        {
            "half the time": lambda: check_chor_times(time=0.5),
            "90 % of the time": lambda: check_chor_times(time=0.9),
            "half as many projections": (
                lambda: check_chor_times(projections=0.5)
            ),
            "60 % of the projections": (
                lambda: check_chor_times(projections=0.6)
            ),
        },
    ),
    Statement(
        29,
        r"pixels divided by 255 do better at $\lambda = 0.01$ and $0.1$, raw "
        r"ones at $\lambda = 1$ and $10$; accuracy of the last iterate, in "
        "the mean of 30 orders, without a ball",
        f"{CHOR}, section 3.1",
        "MNIST",
        "measured, in part",
        "chor",
        check_chor_pixels,
        {
            r"divided pixels do better at every $\lambda$": (
                lambda: check_chor_pixels((0.001, 0.01, 0.1, 1.0, 10.0))
            ),
            r"also at $\lambda = 0.001$": (
                lambda: check_chor_pixels((0.001, 0.01, 0.1))
            ),
            "by 1 percentage point": lambda: check_chor_pixels(points=1.0),
            "by 0.3 percentage points": lambda: check_chor_pixels(points=0.3),
        },
    ),
    Statement(
        30,
        "a step of GD is the mean of $n$ steps' subgradients, but takes less "
        "than 4 % of the time of $n$ steps of any of the five online methods; "
        "one machine, the least of several times",
        f"{CHOR}, sections 1.2 and 3.2",
        MNIST,
        "measured, corrected",
        "findings",
        check_chor_full_step,
        {
            "at least half the time of $n$ steps of SEG±": check_chor_as_slow,
            "less than 2 % of the time": lambda: check_chor_full_step(0.02),
            "less than 3 % of the time": lambda: check_chor_full_step(0.03),
        },
    ),
    Statement(
        31,
        r"the $\ell_1$-ball of radius 10 is convenient (Chor): at least 10 of "
        r"100 weights fewer are left than with the $\ell_2$-ball of radius "
        r"$1/\sqrt\lambda$, and the last costs are within 2 % of each other; "
        "Pegasos with its best factor for each ball, in the mean of 30 orders",
        f"{CHOR}, section 3.2",
        MNIST,
        "measured, in part",
        "findings",
        check_chor_ball,
        {
            "15 weights fewer": lambda: check_chor_ball(fewer=15.0),
            "$w$ is sparse: at most half of the weights are left": (
                check_chor_few_weights
            ),
            "the last cost is lower": lambda: check_chor_ball_cost(-1.0),
            "the last cost is higher": lambda: check_chor_ball_cost(1.0),
        },
    ),
]
