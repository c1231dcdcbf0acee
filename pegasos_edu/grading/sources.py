"""Where the solutions are: one for all, or one for each student.

A folder of solutions holds ``a1/a1.ipynb`` and so on. In a course made from a
roster its folder ``students/ID`` holds the same of each student, too.
"""

from pathlib import Path

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
