"""Assignment 4: regret, bounds and rates."""

import numpy as np

from pegasos_edu.coursework.cases import bound_cases, curve_cases, game_cases
from pegasos_edu.coursework.task import task
from pegasos_edu.problem import losses


@task(
    "A4.regret",
    "regret(W, u, X, y, lam, order) -> the regret after 1, …, T rounds "
    "against u, where row t - 1 of W is w_t",
    game_cases,
)
def _(W, u, X, y, lam, order, loss="hinge", per_round=False):
    value = losses.LOSSES[loss].value

    def cost(w, i):
        return 0.5 * lam * w @ w + value(y[i] * (X[i] @ w))

    rounds = [cost(w, i) - cost(u, i) for w, i in zip(W, order)]
    total = np.cumsum(rounds)
    return total / np.arange(1, len(total) + 1) if per_round else total


@task(
    "A4.bound",
    "bound(lam, R, T) -> the bound on the regret after T rounds, without "
    "projection",
    bound_cases,
)
def _(lam, R, T, projected=False, per_round=False):
    G = np.sqrt(lam) + R if projected else 2 * R
    total = G**2 * (1 + np.log(T)) / (2 * lam)
    return total / T if per_round else total


@task(
    "A4.slope",
    "slope(t, gap) -> the slope of the least-squares line through the "
    "points on log-log axes",
    curve_cases,
)
def _(t, gap, skip=0):
    return np.polyfit(np.log(t[skip:]), np.log(gap[skip:]), 1)[0]
