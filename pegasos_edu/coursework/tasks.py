"""The tasks of the four assignments: what is asked, on which data, and
what an answer must satisfy.

A task holds a reference answer and the cases it is tried on. By default an
answer is judged by comparing its value with the reference, case by case;
solvers are also compared step by step, to say where they first differ.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from pegasos_edu import dense, losses, sparse
from pegasos_edu.coursework.trial import call, same_values
from pegasos_edu.optimum import optimum
from pegasos_edu.orders import draw_order
from pegasos_edu.steps import PegasosStep

TASKS = {}


@dataclass(frozen=True)
class Task:
    """One task of an assignment.

    Attributes
    ----------
    name : str
        Assignment and task, such as "A1.pegasos".
    asks : str
        The signature and what it must return, in one sentence.
    reference : callable
        A right answer.
    cases : callable
        variant -> list of dicts, the named arguments of each trial.
    judge : callable
        (task, solution, case, outcome) -> what is wrong, or "".
    adapt : callable
        Turns what the student hands in into a function of the case.
    """

    name: str
    asks: str
    reference: Callable
    cases: Callable
    judge: Callable
    adapt: Callable = staticmethod(lambda solution: solution)


def task(name, asks, cases, judge=None, adapt=None):
    """Register the decorated function as the reference answer of a task."""

    def register(reference):
        options = {} if adapt is None else {"adapt": adapt}
        TASKS[name] = Task(
            name, asks, reference, cases, judge or judge_value, **options
        )
        return reference

    return register


# Judging


def judge_value(task, solution, case, outcome):
    """The value must equal the reference's, in shape and to nine digits."""
    wanted = np.asarray(call(task.reference, case).value, dtype=float)
    problem = judge_form(outcome, wanted.shape)
    if problem:
        return problem
    got = np.asarray(outcome.value, dtype=float)
    if same_values(got, wanted):
        return ""
    return (
        f"For {describe(case)} you returned {show(got)}; "
        f"expected {show(wanted)}."
    )


def judge_form(outcome, shape):
    """Why an outcome is no array of finite numbers of this shape, or ""."""
    if outcome.error is not None:
        return (
            f"Your function raised {type(outcome.error).__name__}: "
            f"{outcome.error}"
        )
    if outcome.changed is not None:
        return (
            f"Your function changed its argument {outcome.changed}; "
            f"expected it to leave its inputs as they are."
        )
    if outcome.value is None:
        return "Your function returned None; is a `return` missing?"
    if isinstance(outcome.value, tuple) and any(map(np.ndim, outcome.value)):
        return (
            f"Your function returned a tuple of {len(outcome.value)} things;"
            f" expected the result alone, of shape {shape}."
        )
    try:
        got = np.asarray(outcome.value, dtype=float)
    except (TypeError, ValueError):
        return (
            f"Your function returned a {type(outcome.value).__name__}; "
            f"expected numbers of shape {shape}."
        )
    if got.shape != shape:
        return (
            f"Your function returned something of shape {got.shape}; "
            f"expected {shape}."
        )
    if not np.isfinite(got).all():
        return f"Your result {show(got)} is not finite."
    return ""


def judge_solver(task, solution, case, outcome):
    """As judge_value; where it fails, say at which step first."""
    wanted = call(task.reference, case).value
    problem = judge_form(outcome, wanted.shape)
    got = None if problem else np.asarray(outcome.value, dtype=float)
    if not problem and same_values(got, wanted):
        return ""
    if outcome.changed is not None:
        return problem
    return "\n".join(filter(None, [problem, where(task, solution, case)]))


def where(task, solution, case):
    """The first step after which the iterates differ."""
    order = case["order"]
    before = np.zeros(case["X"].shape[1])
    for t in range(1, len(order) + 1):
        prefix = {**case, "order": order[:t]}
        wanted = call(task.reference, prefix).value
        outcome = call(solution, prefix)
        problem = judge_form(outcome, wanted.shape)
        if problem or not same_values(outcome.value, wanted):
            break
        before = np.asarray(outcome.value, dtype=float)
    i = order[t - 1]
    x, y = case["X"][[i]], case["y"][i]
    x = (x.toarray() if sp.issparse(x) else x)[0]
    yours = problem or show(np.asarray(outcome.value, dtype=float))
    return (
        f"With {describe(case)}, a run of {t} step{'s' * (t > 1)} is the "
        f"first to differ.\n"
        f"  at t = {t}: row i = {i}, x_i = {show(x)}, y_i = {y:+.0f}\n"
        f"  w before (as returned for {t - 1} steps): {show(before)}, "
        f"score ⟨w, x_i⟩ = {x @ before:.6g}\n"
        f"  w after, yours:    {yours}\n"
        f"  w after, expected: {show(wanted)}"
    )


def show(array):
    """A short array in full, a long one by its first entries."""
    array = np.asarray(array)
    if array.ndim == 0:
        return f"{array:.6g}"
    flat = ", ".join(f"{value:.6g}" for value in array.ravel()[:4])
    return f"[{flat}, …]" if array.size > 4 else f"[{flat}]"


def describe(case):
    """The numbers of a case, and the sizes of its arrays."""
    parts = []
    for name, value in case.items():
        if hasattr(value, "shape") and len(value.shape) > 0:
            parts.append(f"{name} of shape {value.shape}")
        else:
            parts.append(f"{name} = {value}")
    return ", ".join(parts)


# Cases: small, drawn once, with no margin at the kink


def small_data(n, d, variant):
    """Two overlapping clouds; every variant draws other ones."""
    rng = np.random.default_rng([n, d, variant])
    y = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return rng.standard_normal((n, d)) + 0.5 * y[:, np.newaxis], y


def solver_cases(variant):
    """Two runs with many steps a row, and one with fewer steps than rows.

    The last has a λ at which 1 − η₁λ is not 0 in floating point.
    """
    cases = []
    for n, d, lam, T in ((8, 2, 0.1, 90), (12, 3, 0.5, 90), (30, 4, 1e-5, 9)):
        X, y = small_data(n, d, variant)
        order = draw_order(n, T, seed=variant)
        cases.append({"X": X, "y": y, "lam": lam, "order": order})
    hold_a_margin_of_three_halves(**cases[0])
    return cases


def hold_a_margin_of_three_halves(X, y, lam, order):
    """Let the second step meet the margin 1.5, which the shrink halves.

    Otherwise a margin that is tested after the shrink may go unnoticed.
    """
    order[:2] = 0, 1
    X[1] = 1.5 * lam * y[0] * y[1] * X[0] / (X[0] @ X[0])


def sparse_cases(variant):
    """The same runs, on rows with many zeros."""
    cases = solver_cases(variant)
    for case in cases:
        X = case["X"] * (np.abs(case["X"]) > 0.4)
        case["X"] = sp.csr_matrix(np.hstack([X, np.zeros_like(X)]))
    return cases


def weight_cases(variant):
    X, y = small_data(10, 3, variant)
    weights = np.array([0.3, -0.2, 0.7]), np.array([2.0, 1.0, -1.5])
    return [{"w": w, "X": X, "y": y, "lam": 0.2} for w in weights]


def score_cases(variant):
    return [
        {"w": case["w"], "X": case["X"]} for case in weight_cases(variant)
    ]


def step_cases(variant):
    return [{"lam": lam, "t": t} for lam, t in ((0.1, 1), (0.1, 7), (2.0, 3))]


def visit_cases(variant):
    return [
        {"n": 5, "T": 400, "seed": variant},
        {"n": 40, "T": 1000, "seed": variant + 1},
    ]


def margin_cases(variant):
    return [
        {"margin": np.array([-3.0, -0.5, 0.0, 0.5, 3.0])},
        {"margin": np.array([-1e4, 1e4])},
    ]


def label_cases(variant):
    X, y = small_data(40, 2, variant)
    names = np.where(y > 0, "spam", "ham")
    return [
        {"X": X, "labels": labels, "X_new": X + 0.1, "lam": 0.1, "T": 2000}
        for labels in (y.astype(int), (y > 0).astype(int), names)
    ]


def game_cases(variant):
    X, y = small_data(10, 2, variant)
    order = draw_order(10, 25, seed=variant)
    steps = range(1, 26)
    run = dense.pegasos(X, y, 0.3, order=order, snapshots=steps)
    W = np.vstack([np.zeros(2), run.iterates[:-1]])
    return [
        {"W": W, "u": u, "X": X, "y": y, "lam": 0.3, "order": order}
        for u in (np.zeros(2), np.array([0.8, 0.4]))
    ]


def bound_cases(variant):
    return [
        {"lam": lam, "R": R, "T": T}
        for lam, R, T in ((0.1, 1.0, 1), (0.1, 1.0, 50), (0.01, 3.0, 1000))
    ]


def curve_cases(variant):
    t = np.array([10.0, 30.0, 100.0, 300.0, 1000.0])
    return [
        {"t": t, "gap": 5.0 / t},
        {"t": t, "gap": t**-0.5 * np.array([1.0, 1.1, 0.9, 1.05, 0.95])},
    ]


# Judges of tasks that have more than one right answer


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
        (rng.standard_normal(n * nnz), rng.integers(d, size=n * nnz),
         np.arange(0, n * nnz + 1, nnz)), shape=(n, d),
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


# Assignment 1: linear SVC by Pegasos


@task("A1.objective", "objective(w, X, y, lam) -> f(w)", weight_cases)
def _(w, X, y, lam):
    return losses.objective(w, X, y, lam)


@task("A1.step_size", "step_size(lam, t) -> η_t for t = 1, 2, …", step_cases)
def _(lam, t):
    return PegasosStep(lam)(t)


@task(
    "A1.visits",
    "visits(n, T, seed) -> the T row numbers to visit, from 0 to n - 1",
    visit_cases, judge_visits,
)
def _(n, T, seed):
    return draw_order(n, T, seed=seed)


@task(
    "A1.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, of shape (d,)",
    solver_cases, judge_solver,
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
    label_cases, judge_labels, train_and_predict,
)
def _(X, labels, X_new, lam, T):
    negative, positive = np.unique(labels)
    y = np.where(labels == positive, 1.0, -1.0)
    w = optimum(X, y, lam).w
    return np.where(X_new @ w > 0, positive, negative)


# Assignment 2: swap in the log loss


@task("A2.log_loss", "log_loss(margin) -> the losses", margin_cases)
def _(margin):
    return losses.log_loss(margin)


@task("A2.slope", "slope(margin) -> the derivatives", margin_cases)
def _(margin):
    return losses.log_slope(margin)


@task(
    "A2.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, with the log loss",
    solver_cases, judge_solver,
)
def _(X, y, lam, order):
    return dense.pegasos(X, y, lam, order=order, loss="log").last


@task("A2.probability", "probability(w, X) -> P(y = +1) a row", score_cases)
def _(w, X):
    return -losses.log_slope(-(X @ w))


# Assignment 3: make it fast


@task(
    "A3.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step; X is CSR and no "
    "step may touch all d entries",
    sparse_cases, judge_cost,
)
def _(X, y, lam, order):
    return sparse.pegasos(X, y, lam, order=order).last


@task(
    "A3.average",
    "average(X, y, lam, order) -> (w_1 + … + w_T) / T; X is CSR and no "
    "step may touch all d entries",
    sparse_cases, judge_cost,
)
def _(X, y, lam, order):
    return sparse.pegasos(X, y, lam, order=order).average


# Assignment 4: regret and step sizes


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
