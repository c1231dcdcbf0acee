"""Coursework: checks that tell students what is wrong.

`check("A1.pegasos", my_pegasos)` tries an answer, and names the mistake in
the bug zoo (`zoo/`) that behaves the same way, if there is one. The
grader calls the same function as the student.
"""

from typing import Any

from pegasos_edu.coursework.report import Report
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import call
from pegasos_edu.coursework.zoo import ZOO, behaves_like
from pegasos_edu.problem.checks import check_integer

__all__ = ["Report", "check", "mistakes", "tasks"]


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


def check(task: str, solution: Any, variant: int = 0) -> Report:
    """Try an answer and say what is wrong with it.

    Parameters
    ----------
    task : str
        One of `tasks()`, such as "A1.pegasos".
    solution : callable
        The student's function or class. It is called on copies.
    variant : int
        The seed of the data and of the order: 0 in the notebooks; a
        lecturer may give every student another.

    Returns
    -------
    Report
        Whether it `passed`, the name of the `mistake` it looks like, and a
        text to print.

    Raises
    ------
    ValueError
        If there is no such task.
    ValueError, TypeError
        If the variant is not an integer of at least 0.

    Examples
    --------
    >>> report = check("A1.step_size", lambda lam, t: 1 / t)
    >>> report.passed, report.mistake
    (False, 'step-without-lambda')
    """
    if task not in TASKS:
        raise ValueError(
            f"task is {task!r}; expected one of {', '.join(TASKS)}."
        )
    asked = TASKS[task]
    if not callable(solution):
        return Report(
            task,
            False,
            None,
            f"You handed in a {type(solution).__name__}; expected "
            f"{asked.asks}.",
        )
    solve = asked.adapt(solution)
    cases = asked.cases(check_integer("variant", variant, 0))
    for case in cases:
        problem = asked.judge(asked, solve, case, call(solve, case))
        if problem:
            found = behaves_like(asked, solve, cases)
            hint = (
                ""
                if found is None
                else (f"\nThis looks like «{found.name}»: {found.hint}")
            )
            return Report(task, False, found and found.name, problem + hint)
    return Report(task, True, None, f"All {len(cases)} trials agree.")
