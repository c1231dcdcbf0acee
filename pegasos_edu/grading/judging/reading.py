"""A submitted notebook read, and what is found in it before it runs."""

import itertools
import json
import os
import stat
import warnings

import nbformat

from pegasos_edu.grading.judging.borrowing import note_on
from pegasos_edu.grading.judging.cells import without_hidden_tests
from pegasos_edu.grading.judging.restore import (
    answered_elsewhere,
    give_marks_back,
    id_of,
    missing_answers,
    text_of,
    untouched,
)
from pegasos_edu.grading.sandbox.limits import MEGABYTE

LARGEST_FILE = 50 * MEGABYTE
MOST_CELLS = 2_000  # of which the longest assignment has about 70


class Refused(Exception):
    """Why a file cannot be graded, in one sentence."""


def read_notebook(path):
    """The notebook in a file, or the reason why there is none.

    Parameters
    ----------
    path : path

    Returns
    -------
    NotebookNode

    Raises
    ------
    Refused
    """
    return parse_notebook(read_file(path), path.name)


def read_file(path):
    """The bytes of a submitted file, or the reason why they are not read.

    Parameters
    ----------
    path : path

    Returns
    -------
    bytes

    Raises
    ------
    Refused
    """
    try:
        # Of the file itself: a link may lead to another's work.
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            raise Refused(f"{path.name} is a link; expected the file itself")
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{path.name} is no file")
        if found.st_size > LARGEST_FILE:
            raise Refused(
                f"{path.name} is larger than {LARGEST_FILE // MEGABYTE} MB"
            )
        return path.read_bytes()
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror}"
        ) from None


def parse_notebook(raw, name):
    """The notebook that some bytes spell, or the reason why none."""
    try:
        # In UTF-8, UTF-16 or UTF-32, as the first bytes tell. By itself
        # `loads` would take nearly all bytes for UTF-16.
        encoding = json.detect_encoding(raw)
        is_usual = encoding.startswith("utf-8")
        tree = json.loads(raw if is_usual else raw.decode(encoding))
    except UnicodeDecodeError:
        raise Refused(
            f"{name} is no text file in UTF-8, nor in UTF-16"
        ) from None
    except (ValueError, RecursionError):
        raise Refused(f"{name} is no notebook: no JSON") from None
    if not isinstance(tree, dict) or not isinstance(tree.get("nbformat"), int):
        raise Refused(f"{name} is no notebook: it names no format")
    # Half of a sign, as an editor may leave it, can be written nowhere.
    text = json.dumps(tree, ensure_ascii=False).encode("utf-8", "replace")
    try:
        with warnings.catch_warnings():
            # Of what nbformat mends by itself nobody need hear.
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(text.decode("utf-8"), as_version=4)
        readable = all(isinstance(cell, dict) for cell in notebook.cells)
    except Exception:  # nbformat raises many kinds
        readable = False
    if not readable:
        raise Refused(
            f"{name} is no notebook that nbformat "
            f"{nbformat.__version__} can read"
        )
    if len(notebook.cells) > MOST_CELLS:
        raise Refused(
            f"{name} has {len(notebook.cells):,} cells; expected at most "
            f"{MOST_CELLS:,}"
        )
    return notebook


def what_was_found(notebook, solution):
    """A note and a reason on cells whose marks are gone.

    Parameters
    ----------
    notebook : NotebookNode
        Its marks are restored where that can be done.
    solution : list of cell

    Returns
    -------
    note, reason : str
        Each "" if there is nothing to say.
    """
    visible = without_hidden_tests
    found = give_marks_back(notebook.cells, solution, visible)
    below = take_answers_below(notebook.cells, solution)
    missing = missing_answers(notebook.cells, solution)
    moved = [
        id_of(cell)
        for cell in solution
        if id_of(cell) in missing
        and answered_elsewhere(cell, notebook.cells, solution)
    ]
    missing = [name for name in missing if name not in moved]
    notes, reason = [], ""
    if found:
        notes.append(
            f"{len(found)} cells without a mark were known by their text"
        )
    if below:
        notes.append(f"{', '.join(below)}: answered in a cell below")
    if moved:
        notes.append(f"{', '.join(moved)}: answered in another cell")
    if missing:
        reason = f"no cell answers {', '.join(missing)}"
    if not any(id_of(cell) for cell in notebook.cells):
        reason = "no cell is of this assignment"
    notes.append(note_on(notebook.cells, solution))
    return "; ".join(filter(None, notes)), reason


def questions(solution):
    """The ids of what is answered in words."""
    return {
        id_of(cell)
        for cell in solution
        if cell.cell_type == "markdown" and id_of(cell) is not None
    }


def take_answers_below(cells, solution):
    """Put into an untouched question what is written right below it.

    Parameters
    ----------
    cells : list of cell
        The submission's, its marks restored; changed in place.
    solution : list of cell

    Returns
    -------
    list of str
        The ids of such questions.
    """
    given = {text_of(cell).strip() for cell in solution} | {""}
    written = questions(solution)
    found = []
    for place, cell in enumerate(cells):
        if id_of(cell) not in written or not untouched(cell):
            continue
        own = itertools.takewhile(
            lambda c: c.cell_type == "markdown" and id_of(c) is None,
            cells[place + 1 :],
        )
        texts = [text_of(c) for c in own if text_of(c).strip() not in given]
        if texts:
            cell["source"] = "\n\n".join(texts)
            found.append(id_of(cell))
    return found
