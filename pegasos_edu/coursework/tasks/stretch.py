"""The stretch track: tasks for extra points; that of A4 is a game's."""

from scipy import special

from pegasos_edu.coursework.cases import (
    margin_cases,
    solver_case,
    solver_cases,
    with_zeros,
)
from pegasos_edu.coursework.cost import judge_cost
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.solvers import dense, sparse


def ball_cases(variant):
    """Also a λ so large that the ball of radius 1/√λ is never left."""
    return [*solver_cases(variant), solver_case(8, 2, 40.0, 30, variant)]


@task(
    "A1.projected",
    "projected(X, y, lam, order) -> w after the last step, where every step "
    "ends with the projection on the ball of radius 1/√λ",
    ball_cases,
    judge_solver,
)
def _(X, y, lam, order):
    return dense.pegasos(X, y, lam, order=order, radius=lam**-0.5).last


@task(
    "A2.curvature",
    "curvature(margin) -> the second derivative ℓ''(m), entry by entry",
    margin_cases,
)
def _(margin):
    return special.expit(margin) * special.expit(-margin)


@task(
    "A3.projected",
    "projected(X, y, lam, order) -> w after the last step, each with the "
    "projection on the ball of radius 1/√λ; X is CSR and no step may touch "
    "all d entries",
    with_zeros(ball_cases),
    judge_solver,
    after=judge_cost,
)
def _(X, y, lam, order):
    return sparse.pegasos(X, y, lam, order=order, radius=lam**-0.5).last
