"""The statements of Johansson: Pegasos as SGD, log loss, the scale trick."""

import math

import numpy as np

from pegasos_edu.problem import losses
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.theory import basics
from pegasos_edu.theory.compare import Agreement
from pegasos_edu.theory.ledger.data import cases, data_sets
from pegasos_edu.theory.ledger.statement import HANDOUT, Statement

# Where 1 − ηλ is not 0 at t = 1 but 1.1e-16, in doubles.
ALMOST = 1e-5


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
    """Item 5: the same iterates, with and without projection.

    And with a step for which 1 − ηλ is 1.1e-16 at t = 1, and not 0.
    """
    X, y = two_clouds()
    order = draw_order(len(y), 50, seed=0)
    results = [
        basics.check_scale_trick(
            X, y, ALMOST, order, step=lambda t: 1.0 / (ALMOST * t)
        )
    ]
    for X, y, lam, order in cases(ties=False):
        radius = 1.0 / math.sqrt(lam)
        results.append(basics.check_scale_trick(X, y, lam, order))
        results.append(
            basics.check_scale_trick(X, y, lam, order, radius=radius)
        )
    return results


def check_scaled_average(when):
    """Item 5 at λ = `ALMOST`: the average of 50 scaled iterates.

    Parameters
    ----------
    when : callable
        a -> whether v takes over the factor a, which is then 1 again.
    """
    X, y = two_clouds()
    order = draw_order(len(y), 50, seed=0)
    a, s, v, q = 1.0, 0.0, np.zeros(2), np.zeros(2)
    for t, i in enumerate(order, start=1):
        eta = 1.0 / (ALMOST * t)
        violated = y[i] * a * (X[i] @ v) < 1.0
        s += a
        a *= 1.0 - eta * ALMOST
        if when(a):
            q, v = q - s * v, a * v
            a, s = 1.0, 0.0
        if violated:
            gain = eta * y[i] / a * X[i]
            v, q = v + gain, q + s * gain
    expected = basics.played(X, y, ALMOST, order).mean(axis=0)
    return [Agreement((s * v - q) / len(order), expected)]


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


STATEMENTS = [
    Statement(
        3,
        r"Pegasos is SGD with $\eta_t = 1/(\lambda t)$",
        f"{HANDOUT}, section 2",
        "$w_1 = 0$, $t$ from 1",
        "holds",
        "regret",
        check_sgd,
        {
            r"$\eta_t = 1/(\lambda (t + 1))$": (
                lambda: _false_steps(lambda t: 10.0 / (t + 1))
            ),
            r"$\eta_t = 0.999/(\lambda t)$": (
                lambda: _false_steps(lambda t: 9.99 / t)
            ),
        },
    ),
    Statement(
        4,
        r"the gradient of the log loss; finite at margins $\pm 10^4$",
        f"{HANDOUT}, section 3",
        "a stable form of the loss",
        "holds, corrected",
        "errata",
        check_log_loss,
        {
            r"slope $1/(1 + e^m)$, the sign lost": (
                lambda: _false_log_slope(lambda m: 1.0 / (1.0 + np.exp(m)))
            ),
            r"slope $-1/(1 + e^{-m})$": (
                lambda: _false_log_slope(lambda m: -1.0 / (1.0 + np.exp(-m)))
            ),
        },
    ),
    Statement(
        5,
        "the scale trick gives the same iterates",
        f"{HANDOUT}, section 4",
        "$t = 1$ treated apart",
        "holds, corrected",
        "errata",
        check_scale_trick,
        {
            r"shrinking by $1 - 1/(t + 1)$": (
                lambda: _false_steps(lambda t: 10.0 / (t + 1))
            ),
            "a fresh start only where $a = 0$, for the average": (
                lambda: check_scaled_average(lambda a: a == 0.0)
            ),
        },
    ),
]
