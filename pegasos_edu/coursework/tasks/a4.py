"""Assignment 4: regret, bounds, the telescope and rates."""

import numpy as np

from pegasos_edu.coursework.cases import (
    bound_cases,
    curve_cases,
    game_cases,
    run_cases,
    two_curves_cases,
)
from pegasos_edu.coursework.task import judge_form, task
from pegasos_edu.coursework.trial import as_numbers, call, same_values
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


# The lines of the proof, in words: who is told a formula need not derive it.
LINES = (
    "the regret of the round",
    "what strong convexity puts above line 0",
    "the part of line 1 with the distances before and after the step",
    "the part of line 1 with the length of ∇_t",
)


def judge_telescope(task, solution, case, outcome):
    """The first line that differs, and its first round."""
    wanted = call(task.reference, case).value
    problem = judge_form(outcome, wanted.shape)
    if problem:
        return problem
    got = as_numbers(outcome.value)
    wrong = [k for k in range(4) if not same_values(got[k], wanted[k])]
    if not wrong:
        return ""
    k = wrong[0]
    yours, expected = got[k], wanted[k]
    t = 1 + int(np.argmin(np.isclose(yours, expected, 1e-9, 1e-9)))
    said = (
        f"Line {k} is {LINES[k]}. At t = {t} yours is {yours[t - 1]:.6g}; "
        f"expected {expected[t - 1]:.6g}."
    )
    if k:
        said = f"The lines before line {k} are right. {said}"
    return said


@task(
    "A4.telescope",
    "telescope(W, u, X, y, lam, order) -> the four lines of the proof, one "
    "below the other, for t = 1, …, T; row t - 1 of W is w_t, and the last "
    "row is w_{T+1}",
    run_cases,
    judge_telescope,
)
def _(W, u, X, y, lam, order):
    value = losses.LOSSES["hinge"].value
    lines = []
    for t, i in enumerate(order, start=1):
        w, after = W[t - 1], W[t]
        margin = y[i] * (X[i] @ w)
        gradient = lam * w - (margin < 1) * y[i] * X[i]
        paid = lam / 2 * (w @ w) + value(margin)
        paid -= lam / 2 * (u @ u) + value(y[i] * (X[i] @ u))
        before, later = np.sum((w - u) ** 2), np.sum((after - u) ** 2)
        lines.append(
            [
                paid,
                gradient @ (w - u) - lam / 2 * before,
                lam / 2 * ((t - 1) * before - t * later),
                gradient @ gradient / (2 * lam * t),
            ]
        )
    return np.transpose(lines)


@task(
    "A4.crossing",
    "crossing(t, a, b) -> the t at which the least-squares lines through a "
    "and through b meet on log-log axes",
    two_curves_cases,
)
def _(t, a, b):
    (slope_a, height_a), (slope_b, height_b) = (
        np.polyfit(np.log(t), np.log(curve), 1) for curve in (a, b)
    )
    return np.exp((height_a - height_b) / (slope_b - slope_a))
