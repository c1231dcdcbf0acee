"""An exhibit of the bug zoo, and how a mistake is recognised."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import call

ZOO: list = []


@dataclass(frozen=True)
class Mistake:
    """One exhibit.

    Attributes
    ----------
    name : str
        What it is called in reports and in the book.
    task : str
        The task whose check catches it.
    hint : str
        What the student is told: the mistake, not the solution.
    symptom : str
        What one would notice without the check.
    answer : callable
        The mistaken answer itself.
    recognise : callable
        (list of (case, outcome)) -> whether an answer has this mistake.
    """

    name: str
    task: str
    hint: str
    symptom: str
    answer: Callable
    recognise: Callable


def mistake(task, hint, symptom, recognise=None):
    """Register the decorated answer; its name is the function's."""

    def register(answer):
        name = answer.__name__.replace("_", "-")
        by_symptom = recognise or acts_like(task, answer)
        ZOO.append(Mistake(name, task, hint, symptom, answer, by_symptom))
        return answer

    return register


def acts_like(task, answer):
    """Recognise answers with the same outcomes as this one."""

    def same(trials):
        exhibit = TASKS[task].adapt(answer)
        return all(
            outcome.same_as(call(exhibit, case)) for case, outcome in trials
        )

    return same


def every(test):
    """Recognise by a test of (case, rows) that holds in every trial."""

    def recognise(trials):
        return all(
            outcome.error is None
            and outcome.value is not None
            and test(case, np.asarray(outcome.value))
            for case, outcome in trials
        )

    return recognise


def behaves_like(task, solution, cases):
    """The exhibit that a wrong answer behaves like, or None."""
    return like_an_exhibit(
        task, [(case, call(solution, case)) for case in cases]
    )


def like_an_exhibit(task, trials):
    """The exhibit that an answer behaves like in some trials, or None."""
    for exhibit in ZOO:
        if exhibit.task == task.name and recognises(exhibit, trials):
            return exhibit
    return None


def recognises(exhibit, trials):
    """Whether an exhibit knows its mistake again.

    A test of symptoms may meet values of any kind; what it cannot read it
    does not recognise.
    """
    try:
        return bool(exhibit.recognise(trials))
    except KeyboardInterrupt:
        raise
    except BaseException:  # a value may raise anything
        return False
