"""Which mistaken recipe acts like an answer: one mistake, then two.

A recipe is named only if it gives what the answer gives in every trial, to
nine digits. Nearly all of the thousands of pairs are out after three steps.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np

from pegasos_edu.coursework.diagnosis.parts import PARTS
from pegasos_edu.coursework.diagnosis.recipe import RIGHT, run
from pegasos_edu.coursework.trial import as_numbers, call, same_values

FEW_STEPS = (3, 12)

# What another way of averaging is called where no average was asked for.
UNASKED = {"average-one-late", "average-of-one-too-many"}


def solver_mistakes(task, solve, cases, number, right=None, parts=None):
    """The names of the mistakes in a solver, and none if none is sure.

    Parameters
    ----------
    task : Task
    solve : callable
        (X, y, lam, order) -> w, wrong in one of the cases.
    cases : list of dict
    number : int
        How many mistakes to look for, 1 or 2.
    right : Recipe, optional
        The right recipe, where it is not that of the public edition.
    parts : dict, optional
        The choices that are mistakes there, by part.

    Returns
    -------
    tuple of str
    """
    first = cases[0]
    short = [{**first, "order": first["order"][:s]} for s in FEW_STEPS]
    trials = []
    for case in [*short, *cases]:
        w = as_weights(call(solve, case), case)
        if w is None:
            return ()
        trials.append((case, w))
    if right is None:
        found = candidates(task.name, measured(solve, cases), number)
    else:
        found = combined(right, parts, number)
    for names, recipe in found:
        if all(acts_like(recipe, *trial) for trial in trials):
            return names
    return ()


def acts_like(recipe, case, w):
    """Whether a recipe gives w in this case, to nine digits."""
    try:
        with np.errstate(all="ignore"):
            value = run(recipe, *case.values())
    except ZeroDivisionError:
        return False
    # The quicker half of `same_values`, called thousands of times.
    far = np.abs(value - w).max() > 1e-9 * max(1.0, np.abs(w).max())
    return not far and same_values(value, w)


def candidates(name, extra, number):
    """Those of the public edition: all parts, and what was measured."""
    parts = {
        part: [
            (called(name, mistake), choice)
            for mistake, choice in [*choices, *extra.get(part, [])]
        ]
        for part, choices in PARTS.items()
    }
    return combined(RIGHT[name], parts, number)


def combined(right, parts, number):
    """Yield (names, recipe) with one mistake or with two."""
    wrong = [
        (part, mistake, choice)
        for part, choices in parts.items()
        for mistake, choice in choices
        if choice is not getattr(right, part)
    ]
    for chosen in combinations(wrong, number):
        parts, names, choices = zip(*chosen)
        if len(set(parts)) == number:
            yield names, replace(right, **dict(zip(parts, choices)))


def called(name, mistake):
    """The name of a mistake in this task."""
    if mistake in UNASKED and name != "A3.average":
        return "returns-the-average"
    return mistake


def measured(solve, cases):
    """Choices with a number that only the answer knows.

    A constant step shows in the first addition; where w begins, in a run
    without steps.
    """
    extra = {}
    starts = {}
    for case in cases:
        w = as_weights(call(solve, {**case, "order": case["order"][:0]}), case)
        if w is not None and w.any():
            starts[len(w)] = w
    if len(starts) == len({case["X"].shape[1] for case in cases}):
        extra["start"] = [("starts-elsewhere", starts.__getitem__)]
    case = cases[0]
    one = call(solve, {**case, "order": case["order"][:1]})
    w, i = as_weights(one, case), case["order"][0]
    if w is not None and w.any():
        x = np.ravel(case["X"][[i]] @ np.eye(case["X"].shape[1]))
        step = abs(x @ w) / (x @ x)
        extra["eta"] = [
            ("constant-step", lambda lam, t, n, step=step * k: step)
            for k in (1, 2)  # a log loss pulls by one half at first
        ]
    return extra


def as_weights(outcome, case):
    """The value of an outcome as finite numbers of shape (d,), or None."""
    w = as_numbers(outcome.value)
    fits = w is not None and w.shape == case["X"].shape[1:]
    return w if fits and np.isfinite(w).all() else None
