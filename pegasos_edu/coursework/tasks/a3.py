"""Assignment 3: the scale trick on sparse rows."""

from pegasos_edu.coursework.asked import solve
from pegasos_edu.coursework.cases import SPARSE_PARTS, sparse_cases
from pegasos_edu.coursework.cost import judge_cost
from pegasos_edu.coursework.task import judge_solver, task


@task(
    "A3.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_solver,
    after=judge_cost,
    parts=SPARSE_PARTS,
)
def _(X, y, lam, order, t0=0):
    return solve(X, y, lam, order, t0=t0)


@task(
    "A3.average",
    "average(X, y, lam, order) -> (w_1 + … + w_T) / T; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_solver,
    after=judge_cost,
)
def _(X, y, lam, order, t0=0, returns="average"):
    return solve(X, y, lam, order, t0=t0, returns=returns)
