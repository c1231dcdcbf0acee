"""Assignment 3: the scale trick on sparse rows."""

import time

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.cases import sparse_cases
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.solvers import sparse
from pegasos_edu.solvers.orders import draw_order

# The numbers of columns d compared; a pass over the larger takes ten times
# as long as a step that touches five entries.
SMALL, LARGE = 1_000, 4_000_000
FEW, MANY = (2, 22), (50, 650)  # the steps of a shorter and a longer run


def judge_cost(task, solution, case, outcome):
    """A right answer whose time does not grow with d.

    The yardstick is one pass over all d entries, timed on the same machine
    in the same moment: a dense step makes at least one.
    """
    problem = judge_solver(task, solution, case, outcome)
    if problem:
        return problem
    small, large = growing_time(solution)
    if large is None:
        return ""
    return (
        f"A step on rows with 5 non-zeros takes {large / small:.0f} "
        f"times longer at d = {LARGE:,} than at d = {SMALL:,}; expected "
        f"about the same: some step still touches all d entries."
    )


def growing_time(solution, trials=3):
    """Seconds a step at both d; None for the larger if it is no longer.

    Other work can lengthen the one or the other, so an answer is refused
    only if all trials say the same; one that takes many passes is clear.
    """
    for _ in range(trials):
        small, one_pass = step_time(solution, SMALL, MANY), pass_time(LARGE)
        # Some answers take hundreds of passes a step: few steps show those.
        large = step_time(solution, LARGE, FEW)
        if large > 10.0 * (small + one_pass):
            break
        large = step_time(solution, LARGE, MANY)
        if large <= small + 0.5 * one_pass:
            return small, None
    return small, large


def pass_time(d, rounds=10):
    """Seconds that one pass over d numbers takes."""
    v = np.ones(d)
    times = []
    for _ in range(rounds):
        start = time.process_time()
        v *= 0.5
        times.append(time.process_time() - start)
    return float(np.median(times))


def step_time(solution, d, steps):
    """Seconds a step, without what a run costs once.

    `steps` are the lengths of a shorter and a longer run.
    """
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
    shorter, longer = (
        seconds_of(solution, X, y, 0.1, draw_order(n, T, seed=1))
        for T in steps
    )
    return max(longer - shorter, 1e-9) / (steps[1] - steps[0])


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
