"""Which cell of a submission is which cell of the assignment.

nbgrader knows a cell by a mark in its metadata. Some editors drop these
marks; then a locked cell is known by its text, an answer by the names that
it defines, and a written answer by the label of its question.
"""

import re

# What nobody has touched; the release writes it.
UNTOUCHED_CODE = re.compile(r"# Your answer here\n\s*\.\.\.\s*$")
UNTOUCHED_TEXT = re.compile(r"Your answer:\s*$")
LABEL = re.compile(r"\*\*.+?\*\*")
DEFINED = re.compile(r"^(?:def|class)\s+(\w+)|^(\w[\w, ]*?)\s*=[^=]", re.M)


def id_of(cell):
    """The id nbgrader knows a cell by, or None; never an error."""
    metadata = cell.get("metadata", {})
    facts = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    found = facts.get("grade_id") if isinstance(facts, dict) else None
    return found if isinstance(found, str) else None


def text_of(cell):
    """A cell's source, whatever it is."""
    source = cell.get("source", "")
    return source if isinstance(source, str) else "".join(map(str, source))


def is_answer(cell):
    """Whether students are to change a cell of the assignment."""
    return bool(cell.metadata.get("nbgrader", {}).get("solution"))


def names_defined(source):
    """Names that code defines at its outermost level; it need not parse.

    Examples
    --------
    >>> sorted(names_defined("def f(x):\\n    y = 1\\na, b = f("))
    ['a', 'b', 'f']
    """
    found = set()
    for function, names in DEFINED.findall(source):
        found |= {function} if function else set(names.split(","))
    return {name.strip() for name in found}


def likeness(wanted, source):
    """How much an answer says that it answers the cell `wanted`.

    Parameters
    ----------
    wanted : cell
        Of the solution notebook.
    source : str

    Returns
    -------
    int
        0 if nothing speaks for it.
    """
    if wanted.cell_type == "code":
        return len(names_defined(wanted.source) & names_defined(source))
    label = LABEL.search(wanted.source)
    return int(bool(label) and label[0] in source)


def give_marks_back(cells, solution, visible):
    """Mark the cells that lost their marks; the ids that were found.

    Parameters
    ----------
    cells : list of cell
        The submission's; changed in place.
    solution : list of cell
        The solution notebook's.
    visible : callable
        Makes of a locked cell's source what students were given.

    Returns
    -------
    list of str
    """
    present = {id_of(cell) for cell in cells}
    found = []
    # Locked cells first: one may bind the name that an answer is known by.
    for wanted in sorted(solution, key=is_answer):
        grade_id = id_of(wanted)
        if grade_id is None or grade_id in present:
            continue
        cell = best_match(wanted, cells, visible)
        if cell is not None:
            cell["metadata"] = {"nbgrader": {"grade_id": grade_id}}
            found.append(grade_id)
    return found


def best_match(wanted, cells, visible):
    """The unmarked cell that is most like one of the assignment, or None."""
    free = [
        cell
        for cell in cells
        if id_of(cell) is None
        and (cell.get("cell_type") == "code") == (wanted.cell_type == "code")
    ]
    if not is_answer(wanted):
        text = visible(wanted.source).split()
        return next((c for c in free if text_of(c).split() == text), None)
    # Among equals the last counts, as when the notebook is run.
    free.reverse()
    best = max(free, key=lambda c: likeness(wanted, text_of(c)), default=None)
    if best is None or not likeness(wanted, text_of(best)):
        return None
    return best


def missing_answers(cells, solution):
    """Ids of the answers that a submission, its marks restored, lacks."""
    present = {id_of(cell) for cell in cells}
    return [
        id_of(cell)
        for cell in solution
        if is_answer(cell) and id_of(cell) not in present
    ]


def answered_elsewhere(wanted, cells, solution):
    """Whether a cell of the student's defines what an answer defines.

    Parameters
    ----------
    wanted : cell
        The answer, as it was handed out or solved; its own cell is gone.
    cells : list of cell
        The submission's, its marks restored.
    solution : list of cell
    """
    locked = {id_of(cell) for cell in solution if not is_answer(cell)} - {None}
    return wanted.cell_type == "code" and any(
        likeness(wanted, text_of(cell))
        for cell in cells
        if cell.get("cell_type") == "code" and id_of(cell) not in locked
    )


def untouched(cell):
    """Whether a cell is as it was handed out, without an answer."""
    code = cell.cell_type == "code"
    empty = UNTOUCHED_CODE if code else UNTOUCHED_TEXT
    return bool(empty.search(text_of(cell)))
