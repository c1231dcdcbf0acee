"""Coursework: checks that tell students what is wrong.

`check("A1.pegasos", my_pegasos)` tries an answer, and names the mistake in
the bug zoo (`zoo/`) that behaves the same way, if there is one. The
grader calls the same function as the student.

cases       what answers are tried on
trial       a student's function, called
frames      where an exception came from
report      what a check returns
watch       whether an answer is borrowed
asked       what a task asks for, in each variant
task        a task, and how an answer is judged
cost        what a step may cost, in assignment 3
zoo/        real mistakes, each runnable, with a hint
tasks/      the tasks, by assignment
repair      a right function in place of a wrong one
diagnosis/  the first wrong step, named
questions/  what an assistant asks back
replies     what is right behind each question
sheet       the assistants' sheet
"""

from dataclasses import replace
from typing import Any

from pegasos_edu.coursework.asked import CHOICES, Sealed, Variant, as_variant
from pegasos_edu.coursework.cost import (
    VISITED_BEFORE,
    is_of_values,
    judge_cost,
    shrinks_old_columns,
)
from pegasos_edu.coursework.diagnosis import (
    Diagnosis,
    diagnose,
    diagnose_variant,
    hint,
)
from pegasos_edu.coursework.diagnosis.outcomes import of_an_outcome
from pegasos_edu.coursework.diagnosis.probes import of_a_classifier
from pegasos_edu.coursework.repair import RIGHT, is_right, repaired
from pegasos_edu.coursework.report import Report
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.tasks.a1 import Together
from pegasos_edu.coursework.tasks.classifier import SCATTERS, Trained
from pegasos_edu.coursework.tasks.tournament import tournament
from pegasos_edu.coursework.trial import as_array, call, timed, type_of
from pegasos_edu.coursework.watch import Unwatched, borrowed
from pegasos_edu.coursework.zoo import ZOO
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call

__all__ = [
    "Report",
    "Variant",
    "check",
    "mistakes",
    "repaired",
    "tasks",
    "timed",
    "together",
    "tournament",
    "variant",
]

together, variant = Together, Sealed


def tasks() -> dict[str, str]:
    """The tasks and what each asks for.

    Returns
    -------
    dict of str to str

    Examples
    --------
    >>> tasks()["A1.step_size"]
    'step_size(lam, t) -> η_t for t = 1, 2, …'
    """
    return {name: task.asks for name, task in TASKS.items()}


def mistakes() -> dict[str, list[str]]:
    """The names in the bug zoo, by task.

    Returns
    -------
    dict of str to list of str

    Examples
    --------
    >>> mistakes()["A1.step_size"]
    ['counts-from-zero', 'step-without-lambda']
    """
    names: dict[str, list[str]] = {name: [] for name in TASKS}
    for mistake in ZOO:
        names[mistake.task].append(mistake.name)
    return names


@checked_call("coursework.check")
def check(
    task: str,
    solution: Any,
    variant: int | Variant | Sealed = 0,
    part: str | None = None,
) -> Report:
    """Try an answer and say what is wrong with it.

    Parameters
    ----------
    task : str
        One of `tasks()`, such as "A1.pegasos".
    solution : callable
        The student's function or class. It is called on copies.
    variant : int, Variant or Sealed
        The seed of the data and of the order: 0 in the notebooks. A
        `Variant` has a seed, too, and asks for something else; a lecturer
        may give every student another, sealed.
    part : str, optional
        One part of what a solver must do, such as "early": tried alone, so
        that each can have points of its own. Without it, all are tried.

    Returns
    -------
    Report
        Whether it `passed`, the name of the `mistake` it looks like, and a
        text to print.

    Raises
    ------
    ValueError
        If there is no such task or part.
    ValueError, TypeError
        If the variant is neither a `Variant` nor an integer of at least 0.

    Examples
    --------
    >>> report = check("A1.step_size", lambda lam, t: 1 / t)
    >>> report.passed, report.mistake
    (False, 'step-without-lambda')
    >>> other = Variant(seed=7, t0=3)
    >>> check("A1.step_size", lambda lam, t: 1 / (lam * t), other).passed
    False
    """
    checks.check_choice("task", task, TASKS)
    chosen = as_variant(variant)
    asked = TASKS[task].as_asked(chosen.asks())
    if part is not None and (
        not isinstance(part, str) or part not in asked.parts
    ):
        raise ValueError(
            f"part is {checks.shown(part, repr)}; expected None or one of "
            f"{', '.join(asked.parts) or 'no name, this task has no parts'}."
        )
    if not callable(solution):
        return Report(
            task,
            False,
            None,
            f"You handed in something of type "
            f"{type_of(solution)}; expected "
            f"{asked.asks}.",
        )
    solve = asked.adapt(solution)
    make = asked.cases if part is None else asked.parts[part]
    cases = make(chosen.seed)
    # What a step costs has its own points, also where a value is wrong.
    by_cost = (
        part == "cost"
        and shrinks_old_columns(solve)
        and not (asked.asked and answers_another(asked, solve, chosen.seed))
    )
    for case in [] if by_cost else cases:
        outcome = call(solve, case)
        problem = asked.judge(asked, solve, case, outcome)
        if problem and outcome.changed is not None:
            return refusal(task, problem, Diagnosis(("changes-an-argument",)))
        if problem and outcome.error is None and outcome.value is None:
            # Nothing else can be told from nothing.
            return Report(task, False, "returns-nothing", problem)
        if problem and is_huge(outcome.value):
            names = of_an_outcome(asked, solve, [case])
            return refusal(task, problem, Diagnosis(names))
        if problem:
            # What a part cannot tell apart, all cases together may.
            found = (
                diagnose_variant(asked, solve, chosen.seed)
                if asked.asked
                else diagnose(asked, solve, asked.cases(chosen.seed))
            )
            return refusal(task, problem, found)
    problem = asked.after(asked, solve) if part in (None, "cost") else ""
    if (
        by_cost
        and is_of_values(problem)
        and not is_right(task, solve, asked.asked, chosen.seed)
    ):
        # Who is wrong on few columns is to be as wrong on many.
        problem = asked.after(replace(asked, reference=solve), solve)
    if problem:
        # It is too slow: no mistake in its values is to be looked for.
        names = beyond_values(asked, solve, cases, problem)
        return refusal(task, problem, Diagnosis(names))
    # An answer in another process has a clock of its own, and is watched
    # there.
    afar = hasattr(getattr(solution, "pegasos", solution), "clock")
    problem = "" if afar else whose(asked, solve, cases)
    if problem:
        return Report(task, False, "borrowed-answer", problem)
    trials = f"All {len(cases)} trials agree." if cases[1:] else "It agrees."
    if by_cost:
        trials = "On average a step costs far less than a pass over d entries."
    return Report(task, True, None, trials)


def answers_another(task, solve, seed):
    """Whether an answer's first steps are right for another variant's t₀.

    Such as those of the public solution, which would have points for what
    they cost.
    """
    every = (0, *CHOICES[task.assignment]["t0"])  # 0 is the public edition's
    return any(
        is_right(task.name, solve, {"t0": t0}, seed, "early")
        for t0 in every
        if t0 != task.asked["t0"]
    )


# Entries: more than any right answer has. To look for mistakes in so many
# would take minutes.
HUGE = 1_000_000


def is_huge(value):
    array = as_array(value)
    return array is not None and array.size > HUGE


WATCHED = 1_000  # steps


def whose(task, solve, cases):
    """Why a right answer is nobody's work, or "" if it is somebody's."""
    # What `repaired` puts in the place of an answer is no answer to that task.
    also = repaired.__code__.co_filename if task.name in RIGHT else ""
    for case in cases:
        if "order" in case:
            # To be watched takes several times as long. The grader watches
            # each call, however many steps it has.
            case = {**case, "order": case["order"][:WATCHED]}
        try:
            source = borrowed(solve, case, own_code(solve), also)
        except Unwatched as problem:
            return (
                f"Your answer {problem}; what happens there cannot be seen. "
                f"Expected an answer without."
            )
        if source.startswith("repair."):
            return (
                "This is the right function that `repaired` has put in the "
                "place of yours: run your own cell again, then this one."
            )
        if source:
            return f"Your answer calls {source}; write it yourself."
    return ""


def own_code(solve):
    """The code by which a task calls what was handed in, if it has any."""
    ours = isinstance(solve, (Together, Trained))
    return type(solve).__call__.__code__ if ours else None


def beyond_values(task, solve, cases, problem):
    """The name of what is wrong beyond right values, as a tuple."""
    if task.after is not judge_cost:
        found = of_a_classifier(task, solve, cases)
        if SCATTERS in problem and found != ("T-has-no-effect",):
            return ("as-many-steps-as-rows",)
        return found
    if is_of_values(problem):
        return ()
    if VISITED_BEFORE in problem:
        return ("touches-columns-of-other-rows",)
    return ("touches-all-columns",)


def refusal(task, problem, found):
    """The report on a wrong answer: what was seen, then what it looks like."""
    lines = [problem, *found.seen]
    lines += [
        f"This looks like «{name}»: {hint(task, name)}" for name in found.names
    ]
    return Report(
        task, False, " + ".join(found.names) or None, "\n".join(lines)
    )
