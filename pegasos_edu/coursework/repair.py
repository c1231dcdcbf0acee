"""A right function in place of a wrong one, so that a mistake costs once.

What a later task tests may call what an earlier one asked for. There a
student's own function counts if it is right, and one of these if not.
"""

import numpy as np

from pegasos_edu.coursework.asked import Sealed, Variant, as_variant
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


RIGHT = {"A1.step_size": step_size, "A1.step": step, "A2.slope": slope}


def repaired(task: str, answer, variant: int | Variant | Sealed = 0):
    """The answer to a task if it is right, and a right one if not.

    Parameters
    ----------
    task : str
        One of "A1.step_size", "A1.step" and "A2.slope".
    answer : callable
    variant : int, Variant or Sealed

    Returns
    -------
    callable

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
    asked = TASKS[task].as_asked(chosen.asks())
    if callable(answer) and not any(
        asked.judge(asked, answer, case, call(answer, case))
        for case in asked.cases(chosen.seed)
    ):
        return answer
    return RIGHT[task](**asked.asked)
