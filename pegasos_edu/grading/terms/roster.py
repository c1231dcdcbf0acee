"""The roster: who is in the course, as the lecturer's system lists them.

Any table with a line for each student will do, such as an export of the
gradebook of Canvas or of the participants of Moodle. One column names each
student's folder of submissions; the others are kept for the tables that go
back into that system.
"""

import csv
import io
import re
from dataclasses import dataclass
from pathlib import Path

from pegasos_edu.grading import tables

# The roster that a course keeps, and its column for the folder.
ROSTER = "roster.csv"
FOLDER = "folder of submissions"
# What no system lets stand in the name of a folder.
NOT_IN_FOLDERS = set('/\\:*?"<>|') | {chr(code) for code in range(32)}
# In an export of Canvas, about the assignments.
POINTS_POSSIBLE = "Points Possible"
HIDDEN = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)


class BadRoster(Exception):
    """What is wrong with a roster, in one sentence."""


@dataclass(frozen=True)
class Student:
    """One line of a roster.

    Attributes
    ----------
    id : str
        The name of the folder of submissions.
    line : dict
        The whole line, by column.
    """

    id: str
    line: dict


def add_options(parser):
    """Let a command be told of a roster: which table, and which column."""
    parser.add_argument(
        "--roster",
        type=Path,
        help="a table of the students (default: the course's, if the "
        "solutions are a course's); downloads are matched with it",
    )
    parser.add_argument(
        "--id",
        default="id",
        help="the column of that table that names a student (default: "
        "%(default)s)",
    )


def read_roster(path, column="id"):
    """Read a roster.

    Parameters
    ----------
    path : path
        A table in UTF-8, with commas or semicolons.
    column : str
        The column that names each student's folder of submissions.

    Returns
    -------
    list of Student
        As they stand in the table.

    Raises
    ------
    BadRoster
        If an id is missing, there twice, or cannot be a folder's name.
    """
    try:
        text = Path(path).read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise BadRoster(f"{path} cannot be read: {error}.") from None
    first = text.partition("\n")[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    table = csv.DictReader(io.StringIO(text), delimiter=delimiter)
    names = [name.strip() for name in table.fieldnames or []]
    table.fieldnames = names
    if column not in names:
        raise BadRoster(
            f"{path} has no column {column!r}; expected one that names each "
            f"student's folder, or its name after --id: there is "
            f"{', '.join(names) or 'no column at all'}."
        )
    students, seen = [], {}
    for line in table:
        if is_nobody(line, names[0]):
            continue
        place = f"{path}, line {table.line_num}"
        if None in line or None in line.values():
            raise BadRoster(
                f"{place}: there are {number_of_cells(line)} cells; expected "
                f"{len(names)}, one for each column."
            )
        known = as_id(line[column], column, place)
        # Some file systems do not tell Ada from ada.
        if known.casefold() in seen:
            raise BadRoster(
                f"{place}: the {column} {known!r} stands in line "
                f"{seen[known.casefold()]}, too; expected another for each "
                f"student."
            )
        seen[known.casefold()] = table.line_num
        students.append(Student(known, line))
    if not students:
        raise BadRoster(f"{path} lists nobody; expected a line a student.")
    return students


def is_nobody(line, first):
    """Whether a line of Canvas's gradebook is about assignments.

    Two are: what is possible, and before it, at times, which points are
    hidden until they are posted.
    """
    said = [text for text in line.values() if text and isinstance(text, str)]
    return POINTS_POSSIBLE in (line[first] or "") or (
        said != [] and all(HIDDEN.fullmatch(text) for text in said)
    )


def number_of_cells(line):
    """How many cells a line of a table has."""
    extra = line.get(None) or []
    given = [v for k, v in line.items() if k is not None and v is not None]
    return len(given) + len(extra)


def as_id(text, column, place):
    """An id that can be the name of a folder."""
    known = text.strip()
    if not known:
        raise BadRoster(f"{place}: the {column} is missing.")
    if known[0] == "." or known[-1] == "." or set(known) & NOT_IN_FOLDERS:
        raise BadRoster(
            f"{place}: the {column} is {known!r}; expected what can be the "
            f"name of a folder."
        )
    return known


def write_roster(path, students):
    """Keep a roster in a course, each text as it was given.

    Parameters
    ----------
    path : path
    students : list of Student
    """
    lines = [{FOLDER: student.id, **student.line} for student in students]
    tables.write_table(path, list(lines[0]), lines, spelt=str)


def kept_roster(path):
    """The roster that a course keeps; see `write_roster`."""
    return read_roster(path, FOLDER)
