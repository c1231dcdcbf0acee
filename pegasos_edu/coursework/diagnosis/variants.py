"""What is wrong with an answer to a variant.

The zoo, the formulas and the measured steps are made for what the public
edition asks; of an answer to something else they might say what is false. So
here an answer is first compared with the right answers to everything else
that can be asked. Names are given to those mistakes only whose hints hold
whatever is asked.
"""

from dataclasses import replace
from functools import partial

import numpy as np

from pegasos_edu.coursework.asked import averaged, others, sentence
from pegasos_edu.coursework.diagnosis.parts import PARTS, sigmoid
from pegasos_edu.coursework.diagnosis.probes import findings
from pegasos_edu.coursework.diagnosis.recipe import RIGHT, Recipe
from pegasos_edu.coursework.diagnosis.search import solver_mistakes
from pegasos_edu.coursework.diagnosis.values import FORMULAS, ratio
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.trial import call

ELSEWHERE = "answers-another-variant"

# The mistakes whose hints name neither the step nor what is returned.
ANYWHERE = {
    "shrink": {name for name, _ in PARTS["shrink"]},
    "when": {"no-shrink-without-violation", "shrinks-others-only"},
    "score": {"margin-after-shrink"},
    "pull": {
        "w-stays-at-zero",
        "updates-only-when-wrong",
        "updates-when-right",
        "updates-always",
        "label-not-in-the-test",
        "label-outside-the-bracket",
        "takes-the-size-of-the-score",
        "another-threshold",
    },
    "label": {name for name, _ in PARTS["label"]},
    "project": {name for name, _ in PARTS["project"]},
    "bias": {name for name, _ in PARTS["bias"]},
    "start": {name for name, _ in PARTS["start"]},
}


def right_elsewhere(task, solve, seed):
    """What an answer is right for, in a sentence, if not for this task.

    Parameters
    ----------
    task : Task
        As a variant asks for it.
    solve : callable
    seed : int

    Returns
    -------
    str
        "" if it is right for nothing else that can be asked.
    """
    trials = {}  # by the size of the batches: what the answer gives

    def agrees(asked):
        k = asked.get("k", 1)
        if k not in trials:
            given = TASKS[task.name].as_asked({**task.asked, "k": k})
            cases = given.cases(seed)
            trials[k] = [(case, call(solve, case)) for case in cases]
        reference = TASKS[task.name].as_asked(asked).reference
        if hasattr(type(solve), "by_hand"):  # it is held to its own steps
            reference = partial(solve.by_hand, returns=asked["returns"])
        return all(
            outcome.error is None and call(reference, case).same_as(outcome)
            for case, outcome in trials[k]
        )

    if agrees(task.asked):
        return ""
    for other in others(task.assignment, task.asked):
        if agrees(other):
            unlike = [n for n in other if other[n] != task.asked[n]]
            theirs, yours = (
                sentence({name: asked[name] for name in unlike})
                for asked in (other, task.asked)
            )
            return (
                f"It is right for another question: {theirs}. In your "
                f"variant {yours}."
            )
    return ""


def right_recipe(task):
    """The recipe of a solver's task as a variant asks for it."""
    asked = task.asked
    t0, steep = asked.get("t0", 0), asked.get("steepness", 1)
    usual = RIGHT[task.name]
    changes = {
        "rows": lambda order, n: [tuple(np.atleast_1d(i)) for i in order],
        "eta": lambda lam, t, n: 1 / (lam * (t + t0)),
    }
    if steep > 1:
        changes["pull"] = lambda m, y: steep * sigmoid(-steep * m)
    if asked.get("returns", "last") != "last":
        changes["returns"] = lambda W, lam, n: averaged(
            W[:-1], asked["returns"]
        )
    return replace(usual, **changes)


def possible_mistakes(task):
    """The choices that are mistakes, for each part of this task's solver.

    Those of `ANYWHERE`, and what goes wrong with what is asked itself.
    """
    asked = task.asked
    parts: dict[str, list] = {
        part: [each for each in PARTS[part] if each[0] in names]
        for part, names in ANYWHERE.items()
    }
    if "steepness" in asked:
        parts["pull"] = []
    if "t0" in asked:
        parts["eta"] = mistaken_steps(asked["t0"])
    if "k" in asked:
        parts |= mistaken_batches()
    if asked.get("returns", "last") != "last":
        parts["returns"] = mistaken_averages(asked["returns"])
    return parts


def mistaken_steps(t0):
    return [
        (
            "head-start-outside-the-product",
            lambda lam, t, n: 1 / (lam * t + t0),
        )
    ]


def mistaken_batches():
    """With one row a step, all of them are right."""
    return {
        "mean": [
            (
                "batch-divided-by-its-violators",
                lambda pulls: max(1, np.count_nonzero(pulls)),
            ),
            ("batch-summed-up", lambda pulls: 1),
        ],
        "rows": [
            (
                "one-row-of-the-batch",
                lambda order, n, place=place: [
                    (each[place],) for each in order
                ],
            )
            for place in (0, -1)
        ],
    }


def mistaken_averages(returns):
    found = [
        ("average-one-late", lambda W, lam, n: averaged(W[1:], returns)),
        ("sum-for-average", lambda W, lam, n: summed(W[:-1], returns)),
    ]
    if returns == "average":
        found.append(
            (
                "average-of-one-too-many",
                lambda W, lam, n: averaged(W, returns),
            )
        )
    return found


def summed(W, returns):
    """What `averaged` divides by the sum of the weights."""
    T = len(W)
    if returns == "weighted":
        return averaged(W, returns) * T * (T + 1) / 2
    return averaged(W, returns) * (T - T // 2 if returns == "half" else T)


def names_of(task, solve, cases):
    """The names of the mistakes of a solver, and none if none is sure."""
    right: Recipe = right_recipe(task)
    mistaken = possible_mistakes(task)
    return (
        solver_mistakes(task, solve, cases, 1, right, mistaken)
        or findings(solve, cases)
        or solver_mistakes(task, solve, cases, 2, right, mistaken)
    )


def of_batches(task, solve, cases):
    """The name of what is wrong with more than one row a step alone."""
    if "k" not in task.asked or task.name not in RIGHT:
        return ()
    parts = mistaken_batches()
    right = right_recipe(task)
    return solver_mistakes(task, solve, cases, 1, right, parts)


def what_is_wrong(task, solve, seed):
    """The names of the mistakes, and what was seen.

    Parameters
    ----------
    task : Task
        As a variant asks for it.
    solve : callable
        The answer, as a function of a case; it is wrong.
    seed : int

    Returns
    -------
    names, seen : tuple of str
    """
    cases = task.cases(seed)
    elsewhere = right_elsewhere(task, solve, seed)
    if elsewhere:
        return of_batches(task, solve, cases) or (ELSEWHERE,), (elsewhere,)
    seen = (f"In your variant {sentence(task.asked)}.",)
    if task.name in RIGHT:
        return names_of(task, solve, cases), seen
    if task.name in FORMULAS:
        return (), (*ratio(task, solve, cases), *seen)
    return (), seen
