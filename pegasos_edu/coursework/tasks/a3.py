"""Assignment 3: the scale trick on sparse rows."""

import time

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.cases import sparse_cases
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.solvers import sparse
from pegasos_edu.solvers.orders import draw_order


def judge_cost(task, solution, case, outcome):
    """A right answer whose time does not grow with d."""
    problem = judge_solver(task, solution, case, outcome)
    if problem:
        return problem
    small, large = (step_time(solution, d) for d in (1_000, 1_000_000))
    # A dense step costs hundreds of times more at the larger d.
    if large > 20.0 * max(small, 5e-6):
        return (
            f"A step on rows with 5 non-zeros takes {large / small:.0f} "
            f"times longer at d = 1,000,000 than at d = 1,000; expected "
            f"about the same: some step still touches all d entries."
        )
    return ""


def step_time(solution, d, steps=(50, 450)):
    """Seconds a step, without what a run costs once."""
    rng = np.random.default_rng(0)
    n, nnz = 50, 5
    X = sp.csr_matrix(
        (
            rng.standard_normal(n * nnz),
            rng.integers(d, size=n * nnz),
            np.arange(0, n * nnz + 1, nnz),
        ),
        shape=(n, d),
    )
    X.sum_duplicates()
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    few, many = (
        min(
            seconds_of(solution, X, y, 0.1, draw_order(n, T, seed=1))
            for _ in range(3)
        )
        for T in steps
    )
    return max(many - few, 0.0) / (steps[1] - steps[0])


def seconds_of(solution, *arguments):
    """Processor time, which other work on the machine does not lengthen.

    A solution that runs in another process has a clock of its own.
    """
    clock = getattr(solution, "clock", time.process_time)
    start = clock()
    solution(*arguments)
    return clock() - start


@task(
    "A3.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_cost,
)
def _(X, y, lam, order):
    return sparse.pegasos(X, y, lam, order=order).last


@task(
    "A3.average",
    "average(X, y, lam, order) -> (w_1 + … + w_T) / T; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_cost,
)
def _(X, y, lam, order):
    return sparse.pegasos(X, y, lam, order=order).average
