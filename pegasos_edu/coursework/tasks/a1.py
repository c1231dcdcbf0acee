"""Assignment 1: a linear support vector classifier by Pegasos."""

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.coursework.cases import (
    label_cases,
    score_cases,
    solver_cases,
    step_cases,
    visit_cases,
    weight_cases,
)
from pegasos_edu.coursework.task import judge_form, judge_solver, show, task
from pegasos_edu.coursework.trial import call, same_values
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.steps import PegasosStep


def judge_visits(task, solution, case, outcome):
    """Row numbers in range, every row, as often as asked, reproducible."""
    n, T = case["n"], case["T"]
    problem = judge_form(outcome, (T,))
    if problem:
        return problem
    rows = np.asarray(outcome.value)
    if not np.array_equal(rows, rows.astype(int)):
        return f"You returned {show(rows)}; expected whole row numbers."
    if rows.min() < 0 or rows.max() >= n:
        return (
            f"Your rows range from {rows.min()} to {rows.max()} for n = {n};"
            f" expected 0 to {n - 1}."
        )
    counts = np.bincount(rows.astype(int), minlength=n)
    if counts.min() == 0:
        return (
            f"Row {int(np.argmin(counts))} is never visited in {T} draws "
            f"from {n} rows; expected each row about {T / n:.0f} times."
        )
    # Twelve standard deviations: no fair draw gets there.
    if counts.max() > T / n + 12 * np.sqrt(T / n):
        return (
            f"Row {int(np.argmax(counts))} is visited {counts.max()} times "
            f"in {T} draws from {n} rows; expected about {T / n:.0f}."
        )
    if not same_values(call(solution, case).value, rows, digits=None):
        return (
            "Two calls with the same seed gave different rows; expected "
            "the seed to decide."
        )
    other = call(solution, {**case, "seed": case["seed"] + 1}).value
    if same_values(other, rows, digits=None):
        return "Two seeds gave the same rows; expected the seed to decide."
    return ""


def judge_labels(task, solution, case, outcome):
    """The labels of the training set, and nearly always the right ones."""
    if outcome.error is not None or outcome.value is None:
        return judge_form(outcome, (len(case["X_new"]),))
    got = np.asarray(outcome.value)
    wanted = call(task.reference, case).value
    known = sorted(set(case["labels"].tolist()))
    if got.shape != wanted.shape:
        return judge_form(outcome, wanted.shape)
    if not set(got.tolist()) <= set(known):
        return (
            f"predict returned {got[0]!r}; expected one of the labels that "
            f"fit was given, {known}."
        )
    agree = float(np.mean(got == wanted))
    if agree < 0.9:
        return (
            f"Trained on the labels {known} for {case['T']} steps, your "
            f"classifier agrees with the optimal one on {agree:.0%} of the "
            f"points; expected at least 90%."
        )
    return ""


@task("A1.objective", "objective(w, X, y, lam) -> f(w)", weight_cases)
def _(w, X, y, lam):
    return objective(w, X, y, lam)


@task("A1.step_size", "step_size(lam, t) -> η_t for t = 1, 2, …", step_cases)
def _(lam, t):
    return PegasosStep(lam)(t)


@task(
    "A1.visits",
    "visits(n, T, seed) -> the T row numbers to visit, from 0 to n - 1",
    visit_cases,
    judge_visits,
)
def _(n, T, seed):
    return draw_order(n, T, seed=seed)


@task(
    "A1.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, of shape (d,)",
    solver_cases,
    judge_solver,
)
def _(X, y, lam, order):
    return dense.pegasos(X, y, lam, order=order).last


@task("A1.predict", "predict(w, X) -> -1 or +1 for each row", score_cases)
def _(w, X):
    return np.where(X @ w > 0, 1, -1)


def train_and_predict(classifier):
    """Use a classifier class as its user would."""

    def function(X, labels, X_new, lam, T):
        return classifier(lam, T).fit(X, labels).predict(X_new)

    return function


@task(
    "A1.classifier",
    "a class with __init__(lam, T), fit(X, labels) that returns self, and "
    "predict(X) -> labels; the two labels may be anything",
    label_cases,
    judge_labels,
    train_and_predict,
)
def _(X, labels, X_new, lam, T):
    negative, positive = np.unique(labels)
    y = np.where(labels == positive, 1.0, -1.0)
    w = optimum(X, y, lam).w
    return np.where(X_new @ w > 0, positive, negative)
