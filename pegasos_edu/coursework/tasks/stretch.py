"""The stretch track: one more task for each assignment, for extra points."""

import numpy as np
from scipy.special import expit

from pegasos_edu.coursework.cases import (
    margin_cases,
    solver_case,
    solver_cases,
    with_zeros,
)
from pegasos_edu.coursework.task import (
    TASKS,
    judge_form,
    judge_solver,
    show,
    task,
)
from pegasos_edu.coursework.tasks.a3 import judge_cost
from pegasos_edu.coursework.trial import as_numbers, call
from pegasos_edu.solvers import dense, sparse

# The game in which a false bound is refuted: x is at most 1 long.
LAM, ROUNDS = 0.001, 100


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
    return expit(margin) * expit(-margin)


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


def false_bound():
    """What the regret would be at most with subgradients of length √λ + R.

    So long they are in the ball of radius 1/√λ. Without projection they
    may be 2R long, which is more.
    """
    bound = TASKS["A4.bound"].reference
    return bound(LAM, R=1.0, T=ROUNDS, projected=True)


def regret_against(opponent):
    """The regret of Pegasos without projection against u = 0.

    Parameters
    ----------
    opponent : callable
        (t, w) -> the example of round t, as the one vector y·x.

    Returns
    -------
    regret : float
    problem : str
        Why an answer is no example, or "".
    """
    w, regret = np.zeros(2), 0.0
    for t in range(1, ROUNDS + 1):
        outcome = call(opponent, {"t": t, "w": w})
        problem = judge_form(outcome, (2,))
        if problem:
            return 0.0, problem
        z = as_numbers(outcome.value)
        if np.linalg.norm(z) > 1 + 1e-9:
            return 0.0, (
                f"In round {t} you returned {show(z)}, which is "
                f"{np.linalg.norm(z):.6g} long; expected at most 1."
            )
        loss = max(0.0, 1 - z @ w)
        regret += 0.5 * LAM * w @ w + loss - 1
        w = (1 - 1 / t) * w + (loss > 0) * z / (LAM * t)
    return regret, ""


def judge_opponent(task, solution, case, outcome):
    """Whether Pegasos regrets more than the false bound allows."""
    regret, problem = regret_against(solution)
    if problem or regret > false_bound():
        return problem
    return (
        f"After {ROUNDS} rounds with λ = {LAM:g} the regret is {regret:.1f}; "
        f"expected more than the false bound {false_bound():.1f}."
    )


@task(
    "A4.opponent",
    "opponent(t, w) -> the example of round t as y·x, two numbers, at most "
    "1 long; it knows what Pegasos plays",
    lambda variant: [{"t": 1, "w": np.zeros(2)}],
    judge_opponent,
)
def _(t, w):
    return np.array([-1.0 if w[0] > 0 else 1.0, 0.0])
