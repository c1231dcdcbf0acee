"""Assignment 2: from the hinge to the log loss."""

from pegasos_edu.coursework.cases import (
    SOLVER_PARTS,
    margin_cases,
    score_cases,
    solver_cases,
)
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.problem import losses
from pegasos_edu.solvers import dense


@task("A2.log_loss", "log_loss(margin) -> the losses", margin_cases)
def _(margin):
    return losses.log_loss(margin)


@task("A2.slope", "slope(margin) -> the derivatives", margin_cases)
def _(margin):
    return losses.log_slope(margin)


@task(
    "A2.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, with the log loss",
    solver_cases,
    judge_solver,
    parts=SOLVER_PARTS,
)
def _(X, y, lam, order):
    return dense.pegasos(X, y, lam, order=order, loss="log").last


@task("A2.probability", "probability(w, X) -> P(y = +1) a row", score_cases)
def _(w, X):
    return -losses.log_slope(-(X @ w))
