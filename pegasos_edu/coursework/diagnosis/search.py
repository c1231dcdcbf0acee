"""Which mistaken recipe acts like an answer: one mistake, then two.

A recipe is named only if it gives what the answer gives in every trial, to
nine digits. Nearly all of the thousands of pairs are out after three steps.
"""

from dataclasses import replace
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.parts import parts_of
from pegasos_edu.coursework.diagnosis.recipe import RIGHT, run
from pegasos_edu.coursework.trial import as_numbers, call, same_values

FEW_STEPS = (3, 12)
FEW = 100  # steps of a short run
# The seeds of other data.
ELSEWHERE = (1001, 1002, 1003, 1004)


def other_cases(task):
    """The cases of a task on other data, on which a name must hold, too."""
    return [case for seed in ELSEWHERE for case in task.cases(seed)]


def other_sizes(case):
    """A case with another λ, order or size, where it has any."""
    if "lam" in case:
        yield {**case, "lam": 0.7 * case["lam"]}
    if "margin" in case:  # what goes by the place of an entry shows
        yield {"margin": case["margin"][::-1]}
    if np.ndim(case.get("t", 0)):
        yield {name: curve[1:] for name, curve in case.items()}
    if "order" in case:
        yield {**case, "order": case["order"][:5], "W": case["W"][:5]}
    elif "rows" in case:
        yield {**case, "X": case["X"][:, :-2]}
    elif "X" in case:
        fewer = {"w": case["w"][:-1], "X": case["X"][:-3, :-1]}
        y = {"y": case["y"][:-3]} if "y" in case else {}
        yield case | fewer | y


OF_THE_SCALE = ("score", "add", "returns")

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
    few = [{**first, "order": first["order"][:s]} for s in FEW_STEPS]
    trials = trials_of(solve, [*few, *short_or_all(task, solve, cases)])
    if trials is None:
        return ()
    if right is None:
        found = candidates(task.name, measured(solve, cases), number)
    else:
        found = combined(right, parts, number)
    others = None
    for names, recipe in found:
        if all(acts_like(recipe, *trial) for trial in trials):
            if others is None:
                more = short_or_all(task, solve, other_cases(task))
                others = trials_of(solve, more)
            if others and all(acts_like(recipe, *each) for each in others):
                return tuple(dict.fromkeys(names))
    return ()


def trials_of(solve, cases):
    """Pairs of case and w, or None if some result is no w."""
    pairs = [(case, as_weights(call(solve, case), case)) for case in cases]
    return None if any(w is None for _, w in pairs) else pairs


def short_or_all(task, solve, cases):
    """The cases without the long ones, where a mistake shows in the others.

    A recipe takes long for thousands of steps.
    """
    short = [case for case in cases if len(case["order"]) <= FEW]
    wrong = any(
        not call(solve, case).same_as(call(task.reference, case))
        for case in short
    )
    return short if wrong else cases


def acts_like(recipe, case, w):
    """Whether a recipe gives w in this case, to nine digits."""
    try:
        with np.errstate(all="ignore"):
            value = run(recipe, *case.values())
    except (ZeroDivisionError, TypeError, KeyError):
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
        for part, choices in parts_of(name).items()
    }
    # Of two recipes that act alike the first is named: of sparse solvers
    # what is about the scale.
    if name.startswith("A3"):
        of_the_scale = {part: parts[part] for part in OF_THE_SCALE}
        yield from combined(RIGHT[name], of_the_scale, number)
    yield from combined(RIGHT[name], parts, number)


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
    extra |= measured_steps(solve, cases)
    extra |= measured_threshold(solve, cases)
    extra |= measured_reset(solve, cases)
    return extra


def measured_steps(solve, cases):
    """A step that never changes, and one with a factor, by the first one."""
    steps = {}
    for case in cases:
        one = call(solve, {**case, "order": case["order"][:1]})
        w, i = as_weights(one, case), np.ravel(case["order"])[0]
        if w is None or not w.any():
            return {}
        x = np.ravel(case["X"][[i]] @ np.eye(case["X"].shape[1]))
        if x.any():
            of = case["lam"], len(case["y"])
            steps[of] = abs(x @ w) / (x @ x)
    factors = [step * lam for (lam, _), step in steps.items()]
    found = {
        "eta": [
            (
                "constant-step",
                # A log loss pulls by one half at first.
                lambda lam, t, n, k=k: k * steps[lam, n],
            )
            for k in (1, 2)
        ]
    }
    if np.ptp(factors) < 1e-9 * max(factors):
        for k in (1, 2):
            c = k * factors[0]
            if abs(c - 1) > 1e-9:
                found["eta"].append(
                    (
                        "step-with-a-factor",
                        lambda lam, t, n, c=c: c / (lam * t),
                    )
                )
                found.setdefault("add", []).append(
                    (
                        "added-with-a-factor",
                        lambda eta, lam, t, n, shrink, c=c: c * eta,
                    )
                )
    return found


def measured_threshold(solve, cases):
    """Where a test divides the margins: found by halving, for each λ.

    On rows at right angles the second margin can be chosen at will.
    """
    found = {}
    for lam in {case["lam"] for case in cases}:

        def added(margin, lam=lam):
            X = np.zeros((2, 2))
            X[0, 0], X[1] = 1.0, (-margin * lam, 1.0)
            y = np.array([1.0, -1.0])
            case = {"X": X, "y": y, "lam": lam, "order": np.arange(2)}
            if hasattr(cases[0]["X"], "toarray"):
                case["X"] = sp.csr_matrix(X)
            w = as_weights(call(solve, case), case)
            return None if w is None else bool(abs(w[1]) > 1e-12)

        low, high = 1e-3, 1e3
        if added(low) is not True or added(high) is not False:
            return {}
        while high / low > 1 + 1e-14:
            middle = (low * high) ** 0.5
            if middle in (low, high):
                break
            low, high = (middle, high) if added(middle) else (low, middle)
        found[lam] = high
    if all(abs(value - 1) < 1e-9 for value in found.values()):
        return {}
    return {
        "score": [
            (
                "another-threshold",
                lambda score, shrink, lam, t: score / found[lam],
            )
        ]
    }


def measured_reset(solve, cases):
    """A scale set back to 1 that is not multiplied into v.

    Then w grows where it should shrink: a scale of 1/t jumps to 1.
    """
    if not hasattr(cases[0]["X"], "toarray"):
        return {}
    long = max(cases, key=lambda case: len(case["order"]))
    X = sp.csr_matrix(np.diag([1e6, 1.0]))
    case = {**long, "X": X, "y": np.ones(2), "order": 0 * long["order"]}

    def length(t):
        run = {**case, "order": case["order"][:t]}
        w = as_weights(call(solve, run), run)
        return np.nan if w is None else t * abs(w[0])

    # Until then t·w stays the same.
    low, high = 1, len(case["order"])
    if not length(high) > 1.5 * length(1) or length(4) > 1.5 * length(1):
        return {}
    while high - low > 1:
        middle = (low + high) // 2
        grown = length(middle) > 1.5 * length(1)
        low, high = (low, middle) if grown else (middle, high)
    return {
        "shrink": [
            ("scale-reset-forgotten", resetting(bound))
            for bound in (
                0.5 / high + 0.5 / low,
                1 / low * (1 - 1e-12),
                1 / high * (1 + 1e-12),
            )
        ]
    }


def resetting(bound):
    """The shrink of a scale that is set back to 1 below a bound."""

    def shrink(eta, lam, t, n):
        last, since = 1, 1
        while since / t < bound:
            last, since = since, int(np.floor(since / bound)) + 1
        return (1 - 1 / t) * (t / last if since == t > 1 else 1)

    return shrink


def as_weights(outcome, case):
    """The value of an outcome as finite numbers of shape (d,), or None."""
    w = as_numbers(outcome.value)
    fits = w is not None and w.shape == case["X"].shape[1:]
    return w if fits and np.isfinite(w).all() else None
