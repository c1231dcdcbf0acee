"""Mistakes in assignment 4: regret, bound, slope."""

import numpy as np

from pegasos_edu.coursework.zoo.exhibit import mistake

# A4.regret


def costs(W, X, y, lam, order):
    W = np.broadcast_to(W, (len(order), X.shape[1]))
    margins = y[order] * (X[order] * W).sum(axis=1)
    return lam / 2 * (W**2).sum(axis=1) + np.maximum(0, 1 - margins)


@mistake(
    "A4.regret",
    "regret is a sum over the rounds; yours is divided by their number.",
    "A curve that falls where it should grow.",
)
def average_for_sum(W, u, X, y, lam, order):
    rounds = costs(W, X, y, lam, order) - costs(u, X, y, lam, order)
    return np.cumsum(rounds) / np.arange(1, len(order) + 1)


@mistake(
    "A4.regret",
    "these are the differences of single rounds; regret adds them up.",
    "A curve that jumps instead of one that grows slowly.",
)
def rounds_not_added_up(W, u, X, y, lam, order):
    return costs(W, X, y, lam, order) - costs(u, X, y, lam, order)


@mistake(
    "A4.regret",
    "the player must decide before the round: which w_t do you charge?",
    "Regret far too small, even negative: the player knows the future.",
)
def charged_after_the_update(W, u, X, y, lam, order):
    late = np.vstack([W[1:], W[-1:]])
    rounds = costs(late, X, y, lam, order) - costs(u, X, y, lam, order)
    return np.cumsum(rounds)


@mistake(
    "A4.regret",
    "f_t is the whole instantaneous objective; one of its terms is missing.",
    "Too small for long w, and the bound seems looser than it is.",
)
def losses_without_regulariser(W, u, X, y, lam, order):
    rounds = costs(W, X, y, 0.0, order) - costs(u, X, y, 0.0, order)
    return np.cumsum(rounds)


@mistake(
    "A4.regret",
    "with whom do you compare? The costs of u are missing.",
    "Grows like T instead of ln T.",
)
def nobody_to_compare_with(W, u, X, y, lam, order):
    return np.cumsum(costs(W, X, y, lam, order))


# A4.bound


@mistake(
    "A4.bound",
    "compare the number in the denominator with the theorem.",
    "A bound twice as loose as the one that is proved.",
)
def bound_without_half(lam, R, T):
    return 4 * R**2 * (1 + np.log(T)) / lam


@mistake(
    "A4.bound",
    "at T = 1 your bound is 0; can the regret of the first round be?",
    "The bound is broken in the first two rounds.",
)
def bound_without_one(lam, R, T):
    return 4 * R**2 * np.log(T) / (2 * lam)


@mistake(
    "A4.bound",
    "a subgradient of f_t has two parts; which of them is G = R missing?",
    "The bound can be broken.",
)
def bound_with_R_for_G(lam, R, T):
    return R**2 * (1 + np.log(T)) / (2 * lam)


@mistake(
    "A4.bound",
    "this is the bound with projection.",
    "Not a bound for the run without it.",
)
def bound_of_the_projected(lam, R, T):
    return (np.sqrt(lam) + R) ** 2 * (1 + np.log(T)) / (2 * lam)


# A4.slope


@mistake(
    "A4.slope",
    "one of the two axes is not logarithmic.",
    "A slope that depends on the unit of t.",
)
def slope_on_linear_t(t, gap):
    return np.polyfit(t, np.log(gap), 1)[0]


@mistake(
    "A4.slope",
    "you use the first and the last point only.",
    "One noisy end decides.",
)
def slope_of_two_points(t, gap):
    return np.log(gap[-1] / gap[0]) / np.log(t[-1] / t[0])
