"""The tables a lecturer opens, and the marks a lecturer gives.

A spreadsheet takes a cell that begins with = + - or @ for a formula, so
such a name gets an apostrophe in front; in a table that comes back it is
taken off. What a student has named is printed and noted so that no terminal
takes it for a command.
"""

import csv
import io
import math
import os
from dataclasses import replace
from pathlib import Path

MARK_COLUMNS = ["assignment", "student", "task", "mark"]
FORMULA = ("=", "+", "-", "@", "\t", "\r")


class BadMarks(Exception):
    """What is wrong with a table of marks, in one sentence."""


def visible(text, kept=""):
    """A text whose control and direction characters are written out.

    Names of files and folders are the student's: a terminal would obey them.

    Examples
    --------
    >>> visible("a" + chr(27) + "[2J.txt") == "a" + chr(92) + "x1b[2J.txt"
    True
    """
    return "".join(
        one
        if one.isprintable() or one in kept
        else one.encode("unicode_escape").decode()
        for one in text
    )


def say(text, kept=""):
    """Print a sentence in which a student's names may stand."""
    print(visible(text, kept), flush=True)


def plain(text):
    """A text that no spreadsheet takes for a formula.

    Examples
    --------
    >>> plain("=ada"), plain("ada")
    ("'=ada", 'ada')
    """
    return f"'{text}" if text.startswith(FORMULA) else text


def as_it_was(text):
    """Undo `plain`.

    Examples
    --------
    >>> as_it_was("'=ada"), as_it_was("'t Hooft")
    ('=ada', "'t Hooft")
    """
    return text[1:] if text[:1] == "'" and text[1:2] in FORMULA else text


def write_table(path, columns, lines, spelt=plain):
    """Write a table; whole, or not at all.

    Parameters
    ----------
    path : path
    columns : list of str
    lines : list of dict
    spelt : callable
        What becomes of a text: by default one that no spreadsheet computes.
    """
    buffer = io.StringIO(newline="")
    table = csv.DictWriter(buffer, columns, extrasaction="ignore")
    table.writeheader()
    for line in lines:
        table.writerow(
            {
                name: spelt(value) if isinstance(value, str) else value
                for name, value in line.items()
            }
        )
    unfinished = Path(f"{path}.new")
    # A folder's name need not be text; then its bytes are spelt out.
    raw = buffer.getvalue().encode("utf-8", "backslashreplace")
    unfinished.write_bytes(raw)
    os.replace(unfinished, path)


def read_table(path):
    """The lines of a table that `write_table` wrote.

    Parameters
    ----------
    path : path

    Returns
    -------
    list of dict
    """
    with open(path, encoding="utf-8", newline="") as file:
        return [
            {name: as_it_was(value) for name, value in line.items()}
            for line in csv.DictReader(file)
        ]


POINTS = ["score", "to_mark", "out_of"]
# `score` is what was earned; what counts stands in `score_after`.
LATE = ["days_late", "taken_off", "score_after", "stretch_score_after"]


def write_tables(results, folder):
    """scores.csv and tasks.csv.

    Parameters
    ----------
    results : list of Graded
    folder : path
    """
    write_table(
        Path(folder) / "scores.csv",
        [
            *("assignment", "student", *POINTS),
            *(f"stretch_{name}" for name in POINTS),
            *LATE,
            *("reason", "note"),
        ],
        [
            {
                "assignment": r.assignment,
                "student": r.student,
                **{name: f"{r.total(name):g}" for name in POINTS},
                **{
                    f"stretch_{name}": f"{r.stretch(name):g}"
                    for name in POINTS
                },
                "days_late": r.days_late or "",
                "taken_off": f"{r.taken_off():g}",
                "score_after": f"{r.after():g}",
                "stretch_score_after": f"{r.stretch_after():g}",
                "reason": visible(r.reason),
                "note": visible(r.note),
            }
            for r in results
        ],
    )
    write_table(
        Path(folder) / "tasks.csv",
        ["assignment", "student", "task", *POINTS],
        [
            {"assignment": r.assignment, "student": r.student, **task}
            for r in results
            for task in r.tasks
        ],
    )


def open_table(path, problem):
    """A table that a lecturer wrote, to be read line by line.

    Parameters
    ----------
    path : path
        Columns separated by comma or semicolon, as the spreadsheet likes.
    problem : type of exception

    Returns
    -------
    Table

    Raises
    ------
    problem
        If the file cannot be read.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise problem(f"{path} cannot be read: {error}.") from None
    first = text.partition("\n")[0]
    delimiter = ";" if ";" in first else ","
    return Table(path, text, delimiter, problem)


class Table(csv.DictReader):
    """The lines of a table; one with more or fewer columns is refused."""

    def __init__(self, path, text, delimiter, problem):
        super().__init__(io.StringIO(text), delimiter=delimiter)
        self.path, self.problem = path, problem

    def __next__(self):
        line = super().__next__()
        if None in line or None in line.values():
            raise self.problem(
                f"{self.path}, line {self.line_num}: it has not as many "
                f"columns as the first line; a text with a comma in it, such "
                f"as 1,5, needs quotes."
            )
        return line


def read_marks(path, worth):
    """Marks given by hand.

    Parameters
    ----------
    path : path
        A table with the columns assignment, student, task and mark; other
        columns and lines without a mark are passed over. Comma or
        semicolon, as the spreadsheet likes.
    worth : dict
        (assignment, task) -> the points it is worth.

    Returns
    -------
    dict
        (assignment, student, task) -> float.

    Raises
    ------
    BadMarks
        With the line, if a mark cannot be given.
    """
    table = open_table(path, BadMarks)
    missing = [n for n in MARK_COLUMNS if n not in (table.fieldnames or [])]
    if missing:
        raise BadMarks(
            f"{path} has no column {missing[0]}; expected "
            f"{', '.join(MARK_COLUMNS)}."
        )
    marks = {}
    for line in table:
        place = f"{path}, line {table.line_num}"
        if line["mark"].strip():
            key, mark = read_mark(line, worth, place)
            if marks.setdefault(key, mark) != mark:
                raise BadMarks(
                    f"{place}: {key[1]}'s mark for {key[2]} is "
                    f"{line['mark'].strip()} here and {marks[key]:g} above; "
                    f"expected one mark for a task."
                )
    return marks


def read_mark(line, worth, place):
    """One line of a table of marks."""
    assignment, task = line["assignment"], as_it_was(line["task"])
    most = worth.get((assignment, task))
    if most is None:
        known = sorted({name for name, _ in worth})
        if assignment not in known:
            raise BadMarks(
                f"{place}: the assignment is {assignment!r}; expected "
                f"{' or '.join(known)}."
            )
        raise BadMarks(
            f"{place}: {assignment} has no task {task!r} that gives points."
        )
    try:
        mark = float(line["mark"].strip().replace(",", "."))
    except ValueError:
        mark = math.nan
    if not 0 <= mark <= most:
        raise BadMarks(
            f"{place}: the mark is {line['mark']!r}; expected a number from "
            f"0 to {most:g}."
        )
    return (assignment, as_it_was(line["student"]), task), mark


def with_marks(result, marks):
    """A result with the marks given by hand in it.

    Parameters
    ----------
    result : Graded
    marks : dict
        As `read_marks` returns them.

    Returns
    -------
    Graded
    """
    tasks = []
    for task in result.tasks:
        mark = marks.get((result.assignment, result.student, task["task"]))
        if mark is not None:
            task = {**task, "score": mark, "to_mark": 0.0}
        tasks.append(task)
    return replace(result, tasks=tasks)
