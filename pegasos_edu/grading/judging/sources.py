"""The solutions: one for all, or one for each student.

A folder of solutions holds ``a1/a1.ipynb`` and so on. In a course made from a
roster its folder ``students/ID`` holds the same of each student, too.
"""

from pathlib import Path

import nbformat

STUDENTS = "students"


def has_own_variants(solutions):
    """Whether every student has solutions of their own.

    Parameters
    ----------
    solutions : path

    Returns
    -------
    bool
    """
    return Path(solutions, STUDENTS).is_dir()


def sources_of(solutions, student):
    """The folder of the solutions that count for a student.

    Parameters
    ----------
    solutions : path
    student : str

    Returns
    -------
    path
        Those of all, if the student has none.
    """
    own = Path(solutions, STUDENTS, student)
    return own if own.is_dir() else Path(solutions)


def solution_path(options, assignment, student):
    """The solution notebook that counts for a submission."""
    sources = sources_of(options.solutions, student)
    return sources / assignment / f"{assignment}.ipynb"


def read_solution(sources, assignment):
    """The cells of an assignment's solution."""
    path = Path(sources, assignment, f"{assignment}.ipynb")
    return nbformat.read(path, as_version=4).cells


def possible_tasks(solution):
    """The tasks of an assignment, as if nothing was handed in.

    Parameters
    ----------
    solution : list of cell

    Returns
    -------
    list of dict
        As in `Graded`.
    """
    facts = [cell.metadata.get("nbgrader", {}) for cell in solution]
    return [
        {
            "task": fact["grade_id"],
            "score": 0.0,
            "to_mark": 0.0,
            "out_of": float(fact["points"]),
        }
        for fact in facts
        if fact.get("grade")
    ]
