"""Assignment 2: from the hinge to the log loss."""

from pegasos_edu.coursework.asked import solve
from pegasos_edu.coursework.cases import (
    SOLVER_PARTS,
    chance_cases,
    margin_cases,
    solver_cases,
)
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.problem import losses


@task("A2.log_loss", "log_loss(margin) -> the losses", margin_cases)
def _(margin, steepness=1):
    return losses.log_loss(steepness * margin)


@task("A2.slope", "slope(margin) -> the derivatives", margin_cases)
def _(margin, steepness=1):
    return steepness * losses.log_slope(steepness * margin)


@task(
    "A2.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, with the log loss",
    solver_cases,
    judge_solver,
    parts=SOLVER_PARTS,
)
def _(X, y, lam, order, t0=0, steepness=1):
    return solve(X, y, lam, order, t0=t0, steepness=steepness)


@task("A2.probability", "probability(w, X) -> P(y = +1) a row", chance_cases)
def _(w, X, steepness=1):
    return -losses.log_slope(-steepness * (X @ w))
