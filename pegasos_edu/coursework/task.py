"""A task of an assignment, and how an answer to it is judged.

A task holds a reference answer and the cases it is tried on. By default an
answer is judged by comparing its value with the reference, case by case;
solvers are also compared step by step, to say where they first differ.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.trial import call, same_values

TASKS: dict = {}  # name -> Task


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
    adapt: Callable


def as_it_is(solution):
    """What most tasks make of an answer before they call it."""
    return solution


def task(name, asks, cases, judge=None, adapt=None):
    """Register the decorated function as the reference answer of a task."""

    def register(reference):
        TASKS[name] = Task(
            name,
            asks,
            reference,
            cases,
            judge or judge_value,
            adapt or as_it_is,
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
