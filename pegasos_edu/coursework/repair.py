"""A right function in place of a wrong one, so that a mistake costs once.

What a later task tests may call what an earlier one asked for. There a
student's own function counts if it is right, and one of these if not. Not so
where it is right for somebody else's variant: or a classmate's file would get
all points but those for the number in which the two differ.
"""

import numpy as np

from pegasos_edu.coursework.asked import (
    CHOICES,
    Sealed,
    Variant,
    as_variant,
)
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.trial import call


def step_size(t0=0):
    return lambda lam, t: 1 / (lam * (t + t0))


def step():
    def right(w, x, label, lam, eta):
        w = np.asarray(w)
        add = eta * label * np.asarray(x) if label * (w @ x) < 1 else 0
        return (1 - eta * lam) * w + add

    return right


def slope(steepness=1):
    return lambda margin: (
        -0.5 * steepness * (1 - np.tanh(steepness * np.asarray(margin) / 2))
    )


def regret(loss="hinge", per_round=False):
    def right(W, u, X, y, lam, order):
        rounds = 0.0
        for sign, V in ((1, np.asarray(W)), (-1, np.array([u] * len(order)))):
            margins = y[order] * (V * X[order]).sum(axis=1)
            value = (
                np.logaddexp(0, -margins)
                if loss == "log"
                else np.maximum(0, 1 - margins)
            )
            rounds = rounds + sign * (lam / 2 * (V**2).sum(axis=1) + value)
        total = np.cumsum(rounds)
        return total / np.arange(1, len(total) + 1) if per_round else total

    return right


def bound(projected=False, per_round=False):
    def right(lam, R, T):
        G = np.sqrt(lam) + R if projected else 2 * R
        total = G**2 * (1 + np.log(T)) / (2 * lam)
        return total / T if per_round else total

    return right


RIGHT = {
    "A1.step_size": step_size,
    "A1.step": step,
    "A2.slope": slope,
    "A4.regret": regret,
    "A4.bound": bound,
}


def repaired(task: str, answer, variant: int | Variant | Sealed = 0):
    """The answer to a task if it is right, and a right one if not.

    Parameters
    ----------
    task : str
        One of "A1.step_size", "A1.step", "A2.slope", "A4.regret" and
        "A4.bound".
    answer : callable
    variant : int, Variant or Sealed

    Returns
    -------
    callable
        The answer, too, if it is wrong and what another variant asks for.

    Raises
    ------
    ValueError
        If there is nothing to put in the place of this task's answer.

    Examples
    --------
    >>> step_size = repaired("A1.step_size", lambda lam, t: 1 / t)
    >>> step_size(0.1, 4)
    2.5
    """
    if task not in RIGHT:
        raise ValueError(
            f"task is {task!r}; expected one of {', '.join(RIGHT)}."
        )
    chosen = as_variant(variant)
    mine = TASKS[task].as_asked(chosen.asks()).asked
    if callable(answer) and any(
        is_right(task, answer, asked, chosen.seed)
        for asked in (mine, *others(task, mine))
    ):
        return answer
    return RIGHT[task](**mine)


def is_right(task, answer, asked, seed, part=None):
    """Whether an answer is what a variant that asks this would want.

    Or is so in one part of it alone.
    """
    as_asked = TASKS[task].as_asked(asked)
    make = as_asked.cases if part is None else as_asked.parts[part]
    return not any(
        as_asked.judge(as_asked, answer, case, call(answer, case))
        for case in make(seed)
    )


def others(task, mine):
    """What other variants ask of this task; none in the public edition.

    A t₀ that is off by one is left out: it is how one miscounts.

    Examples
    --------
    >>> others("A1.step_size", {"t0": 2})[:3]
    [{'t0': 4}, {'t0': 5}, {'t0': 6}]
    >>> others("A1.step_size", {})
    []
    """
    choices = CHOICES[TASKS[task].assignment]
    return [
        {**mine, name: value}
        for name in mine
        for value in choices[name]
        if value != mine[name] and not (name == "t0" and near(value, mine))
    ]


def near(t0, mine):
    return abs(t0 - mine["t0"]) == 1
