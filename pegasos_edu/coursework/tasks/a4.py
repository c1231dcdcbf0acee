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
def _(W, u, X, y, lam, order):
    def cost(w, i):
        return 0.5 * lam * w @ w + losses.hinge(y[i] * (X[i] @ w))

    rounds = [cost(w, i) - cost(u, i) for w, i in zip(W, order)]
    return np.cumsum(rounds)


@task(
    "A4.bound",
    "bound(lam, R, T) -> the bound on the regret after T rounds, without "
    "projection",
    bound_cases,
)
def _(lam, R, T):
    return 4 * R**2 * (1 + np.log(T)) / (2 * lam)


@task(
    "A4.slope",
    "slope(t, gap) -> the slope of the least-squares line through the "
    "points on log-log axes",
    curve_cases,
)
def _(t, gap):
    return np.polyfit(np.log(t), np.log(gap), 1)[0]
