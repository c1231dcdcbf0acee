"""Whose notebook was handed in, where each student got one of their own.

The locked cell with the variant says so. The grader puts the right one back
before anything runs, so this is looked at in the file itself.
"""

import functools
import re
from pathlib import Path

from pegasos_edu.grading.judging.judge import VARIANT
from pegasos_edu.grading.judging.reading import Refused, read_notebook
from pegasos_edu.grading.judging.restore import id_of, text_of
from pegasos_edu.grading.judging.sources import STUDENTS, read_solution

NOTE = "the notebook that was handed out to "
# However an editor has laid it out.
CODE = re.compile(r"""coursework\.variant\(\s*["']([^"']+)["']""")


def codes(cells):
    """The codes of the variants that a notebook says are its own.

    Parameters
    ----------
    cells : list of cell
        If no cell has the mark of that locked cell, those without any mark
        count: an editor may have dropped it.

    Returns
    -------
    set of str
    """
    for mark in (VARIANT, None):
        texts = [text_of(cell) for cell in cells if id_of(cell) == mark]
        found = {code for text in texts for code in CODE.findall(text)}
        if found:
            return found
    return set()


@functools.cache
def whose_codes(solutions, assignment):
    """Who was given which code; each is one student's alone.

    Parameters
    ----------
    solutions : path
    assignment : str

    Returns
    -------
    dict of str to str
        code -> student.
    """
    found = {}
    for own in Path(solutions, STUDENTS).glob("*"):
        if (own / assignment).is_dir():
            for code in codes(read_solution(own, assignment)):
                found[code] = own.name
    return found


def note_on_whose(path, student, assignment, solutions):
    """A note if the notebook is a classmate's; else "".

    Parameters
    ----------
    path : path or None
        The file that was handed in.
    student, assignment : str
    solutions : path
        Of the whole course.

    Returns
    -------
    str
    """
    if path is None or not Path(solutions, STUDENTS, student).is_dir():
        return ""
    try:
        handed_in = codes(read_notebook(path).cells)
    except Refused:
        return ""
    known = whose_codes(solutions, assignment)
    names = {known[code] for code in handed_in if code in known}
    others = sorted(names - {student})
    return f"{NOTE}{others[0]}" if others else ""


def without_name(note):
    """A note as its student may read it, who is told of no classmate.

    Examples
    --------
    >>> without_name("late; the notebook that was handed out to ada")
    'late; the notebook that was handed out to somebody else'
    """
    before, found, _ = note.partition(NOTE)
    return f"{before}{NOTE}somebody else" if found else note
