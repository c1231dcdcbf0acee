"""A task of an assignment, and how an answer to it is judged.

A task holds a reference answer and the cases it is tried on. By default an
answer is judged by comparing its value with the reference, case by case;
solvers are also compared step by step, to say where they first differ.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import signature

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.asked import sentence
from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.coursework.trial import (
    as_numbers,
    call,
    kind_of,
    of_no_float,
    same_values,
    written,
)

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
    parts: dict  # name -> the cases of a part that has points of its own
    after: Callable  # (task, solution) -> what is wrong beyond the cases
    # What a variant asks for instead of the public edition, by name.
    asked: dict = field(default_factory=dict)

    @property
    def assignment(self):
        return self.name.partition(".")[0]

    def as_asked(self, asked):
        """The task as a variant asks for it; unchanged if it does not.

        Parameters
        ----------
        asked : dict
            Of the fields of a `Variant`. Those that the reference answer
            does not take by name do not concern this task.

        Returns
        -------
        Task
        """
        asked = taken(self.reference, asked)
        if not asked:
            return self

        def with_asked(make):
            return partial(make, **taken(make, asked))

        return replace(
            self,
            asks=f"{self.asks}; in your variant {sentence(asked)}",
            reference=partial(self.reference, **asked),
            cases=with_asked(self.cases),
            parts={
                name: with_asked(make) for name, make in self.parts.items()
            },
            asked=asked,
        )


def taken(function, asked):
    """What of `asked` a function takes by name."""
    known = signature(function).parameters
    names = set(known) & set(asked)
    if any(each.kind is each.VAR_KEYWORD for each in known.values()):
        names |= {"t0", "k"} & set(asked)
    return {name: value for name, value in asked.items() if name in names}


def as_it_is(solution):
    """What most tasks make of an answer before they call it."""
    return solution


def nothing_more(task, solution):
    """What most tasks look at once all cases are right."""
    return ""


def task(name, asks, cases, judge=None, adapt=None, parts=None, after=None):
    """Register the decorated function as the reference answer of a task."""

    def register(reference):
        TASKS[name] = Task(
            name,
            asks,
            reference,
            cases,
            judge or judge_value,
            adapt or as_it_is,
            parts or {},
            after or nothing_more,
        )
        return reference

    return register


# Judging

NOT_FINITE = "Your result {} is not finite{}."
# Up to so many entries an array is written in full, to be redone by hand.
IN_FULL = 7


def judge_value(task, solution, case, outcome):
    """The value must equal the reference's, in shape and to nine digits."""
    wanted = np.asarray(call(task.reference, case).value, dtype=float)
    problem = judge_form(outcome, wanted.shape)
    if problem:
        return problem
    got = as_numbers(outcome.value)
    if same_values(got, wanted):
        return ""
    return (
        f"For {describe(case)} you returned {show(got)}; "
        f"expected {show(wanted)}.{beyond(got, wanted)}"
    )


def beyond(got, wanted):
    """The first entry that differs, where none of those shown does."""
    if wanted.ndim != 1 or show(got) != show(wanted):
        return ""
    k = int(np.argmin(np.isclose(got, wanted, 1e-9, 1e-9)))
    return (
        f" The first entry that differs is number {k + 1}: yours is "
        f"{got[k]:.9g}; expected {wanted[k]:.9g}."
    )


def where_not_finite(got):
    """The first entry that is not finite, where only some are shown."""
    if got.ndim != 1 or len(got) <= IN_FULL:
        return ""
    k = int(np.argmin(np.isfinite(got)))
    return f": number {k + 1} of its entries is {got[k]:g}"


def judge_form(outcome, shape):
    """Why an outcome is no array of finite numbers of this shape, or ""."""
    if outcome.error is not None:
        return "\n".join(
            [
                f"Your function raised {written(outcome.error)}",
                *own_lines(outcome.error),
            ]
        )
    if outcome.changed is not None:
        return (
            f"Your function changed its argument {outcome.changed}; "
            f"expected it to leave its inputs as they are."
        )
    if outcome.value is None:
        return "Your function returned None; is a `return` missing?"
    got = as_numbers(outcome.value)
    if isinstance(outcome.value, tuple) and (got is None or got.ndim > 1):
        return (
            f"Your function returned a tuple of {len(outcome.value)} things;"
            f" expected the result alone, {form(shape)}."
        )
    if got is None:
        what = of_no_float(outcome.value) or kind_of(outcome.value)
        return (
            f"Your function returned {what}; "
            f"expected {form(shape, 'numbers of')}."
        )
    if got.shape != shape:
        return (
            f"Your function returned {form(got.shape, 'something of')}; "
            f"expected {form(shape)}."
        )
    if not np.isfinite(got).all():
        return NOT_FINITE.format(show(got), where_not_finite(got))
    return ""


def form(shape, before=""):
    """A shape in words.

    Examples
    --------
    >>> form(()), form((2,), "numbers of")
    ('one number', 'numbers of shape (2,)')
    """
    return f"{before} shape {shape}".strip() if shape else "one number"


def judge_solver(task, solution, case, outcome):
    """As judge_value; where it fails, say at which step first."""
    wanted = call(task.reference, case).value
    problem = judge_form(outcome, wanted.shape)
    if not problem and same_values(as_numbers(outcome.value), wanted):
        return ""
    got = as_numbers(outcome.value)
    # A wrong form is the same after any number of steps.
    if outcome.changed is not None or (
        outcome.error is None and (got is None or got.shape != wanted.shape)
    ):
        return problem
    return "\n".join(
        filter(None, [problem, where(task, solution, case, problem)])
    )


def where(task, solution, case, said):
    """The first step after which the iterates differ.

    `said` is what was said already, and is not said again.

    Of a long run the first hundred steps are tried one by one; beyond them
    a step is found that differs while the one before it does not.
    """
    order = case["order"]

    def run(t):
        prefix = {**case, "order": order[:t]}
        wanted = call(task.reference, prefix).value
        outcome = call(solution, prefix)
        problem = judge_form(outcome, wanted.shape)
        same = not problem and same_values(outcome.value, wanted)
        return same, outcome, wanted, problem

    agrees, t = 0, len(order)
    for s in range(1, min(t, 100) + 1):
        if not run(s)[0]:
            t = s
            break
        agrees = s
    while t - agrees > 1:
        s = (agrees + t) // 2
        agrees, t = (s, t) if run(s)[0] else (agrees, s)
    same, outcome, wanted, problem = run(t)
    if same:  # it differed a moment ago
        return "Two calls with the same arguments gave different results."
    before = np.zeros(case["X"].shape[1])
    if agrees:
        before = as_numbers(run(agrees)[1].value)
    # An average of w_1, …, w_t does not depend on the row of step t.
    one_step = call(task.reference, {**case, "order": order[:1]}).value
    averaged = not np.any(one_step)
    got = as_numbers(outcome.value)
    differs = ""
    if got is not None and got.shape == wanted.shape:
        yours, differs = show(got), beyond(got, wanted)
    else:
        yours = "see above" if problem == said else problem
    return (
        f"With {describe(case)}, a run of {t} step{'s' * (t > 1)} is the "
        f"first to differ.\n"
        f"{drawn(case, t, before, averaged)}\n"
        f"  {'average' if averaged else 'w after'}, yours:    {yours}\n"
        f"  {'average' if averaged else 'w after'}, expected: {show(wanted)}"
        + differs.replace(" ", "\n  ", 1)
    )


def drawn(case, t, before, averaged):
    """The rows of the last step that counts, and what was there before."""
    lines, step = [], max(t - averaged, 1)
    rows = np.atleast_1d(case["order"][step - 1])
    for i, times in zip(*np.unique(rows, return_counts=True)):
        x, y = case["X"][[i]], case["y"][i]
        x = (x.toarray() if sp.issparse(x) else x)[0]
        again = f" ({times} times)" if times > 1 else ""
        lines.append(
            f"  at t = {step}: row i = {i}{again}, x_i = {show(x)}, "
            f"y_i = {y:+.0f}"
        )
    if t == 1:
        came = f"  w_1, with which a run has to begin: {show(before)}"
    else:
        what = "average" if averaged else "w"
        came = f"  {what} before (as returned for {t - 1} step"
        came += f"{'s' * (t > 2)}): {show(before)}"
    if len(rows) == 1 and not averaged:
        came += f", score ⟨w, x_i⟩ = {x @ before:.6g}"
    return "\n".join([*lines, came])


def show(array):
    """A short array in full, a long one by its first entries."""
    array = array + 0.0  # a zero has no sign: which it gets, may be chance
    if array.ndim == 0:
        return f"{array:.6g}"
    shown = array.size if array.size <= IN_FULL else 4
    flat = ", ".join(f"{value:.6g}" for value in array.ravel()[:shown])
    return f"[{flat}, …]" if array.size > shown else f"[{flat}]"


def describe(case):
    """The numbers of a case; of long arrays the sizes."""
    return ", ".join(
        f"{name} of shape {value.shape}"
        if np.ndim(value) > 1 or sp.issparse(value) or np.size(value) > IN_FULL
        else f"{name} = {in_full(value)}"
        for name, value in case.items()
    )


def in_full(value):
    """A number, or an array of few, as it is written in a sentence."""
    if np.ndim(value) > 0 and np.asarray(value).dtype.kind in "fiu":
        return show(value)
    return f"{value:.6g}" if isinstance(value, float) else f"{value}"
