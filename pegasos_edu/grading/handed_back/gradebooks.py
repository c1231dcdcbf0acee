"""Tables that Canvas and Moodle import.

What they look like was read off the importers of both: in Canvas
`gradebook_importer.rb`, in Moodle `grade/import/csv`. A name stands in them as
the roster has it, even if it begins with `=`: the platform would not know it
otherwise. So these two tables are for the platform; scores.csv is the one to
open in a spreadsheet.
"""

from datetime import datetime
from pathlib import Path

from pegasos_edu.grading import tables
from pegasos_edu.grading.taken_in.collect import NOTHING
from pegasos_edu.grading.terms.lateness import days_late, sentence
from pegasos_edu.grading.terms.roster import (
    POINTS_POSSIBLE,
    ROSTER,
    kept_roster,
)
from pegasos_edu.grading.terms.rules import NAME, read_rules

CANVAS = "canvas.csv"
MOODLE = "moodle.csv"
# Canvas's own export begins with a name, the number and the section. Between
# them are these, in this order, as far as its user may see them: Canvas takes
# the others only beside a login.
CANVAS_NAMES = ["Student"], ["LastName", "FirstName"]
CANVAS_LOGIN = "SIS Login ID"
CANVAS_USER = "SIS User ID"
CANVAS_MORE = ["Integration ID", "Root Account"]
# Moodle knows a student by any one of these.
MOODLE_COLUMNS = ["Email address", "ID number", "Username"]


def read_course(folder):
    """The roster and the rules of a course.

    Parameters
    ----------
    folder : path
        What is private in a course.

    Returns
    -------
    students : list of Student
        Empty where there is no roster.
    rules : dict

    Raises
    ------
    BadRoster, BadRules
    """
    roster, rules = Path(folder, ROSTER), Path(folder, NAME)
    return (
        kept_roster(roster) if roster.exists() else [],
        read_rules(rules) if roster.exists() or rules.exists() else {},
    )


def by_id(result):
    """No names for tasks: they are called as in scores.csv."""
    return {}


def is_open(result, rules):
    """Whether nothing was handed in that was not yet due either.

    Parameters
    ----------
    result : Graded
    rules : dict

    Returns
    -------
    bool
        Also where the rules have no due date: then it is the lecturer who
        says that nothing is worth 0.
    """
    if NOTHING not in result.reason:
        return False
    due = rules.get(result.assignment, {}).get("due")
    return not due or not days_late(
        datetime.fromisoformat(due), datetime.now()
    )


def write_gradebooks(results, folder, students, rules, names_of=by_id):
    """Write the tables for which the roster has the columns.

    Who has handed in nothing has no points before the due date, not 0.

    Parameters
    ----------
    results : list of Graded
    folder : path
        Of the grades.
    students : list of Student
    rules : dict
    names_of : callable, optional
        Graded -> dict, what a reader calls each task.

    Returns
    -------
    list of str
        The names of the tables written; none where there is no roster.
    """
    if not students:
        return []
    known = {student.id for student in students}
    scored = {
        (result.student, result.assignment): result
        for result in results
        if result.student in known and not is_open(result, rules)
    }
    names = sorted({assignment for _, assignment in scored})
    titles = {name: rules.get(name, {}).get("title", name) for name in names}
    written = []
    if canvas_columns(students):
        write_canvas(Path(folder, CANVAS), students, scored, titles)
        written.append(CANVAS)
    if moodle_columns(students):
        write_moodle(Path(folder, MOODLE), students, scored, titles, names_of)
        written.append(MOODLE)
    return written


def canvas_columns(students):
    """Canvas's columns on a student, as far as the roster has them.

    Parameters
    ----------
    students : list of Student

    Returns
    -------
    list of str
        Empty if the roster is no export of Canvas's gradebook.
    """
    there = students[0].line
    names = [n for n in CANVAS_NAMES if there.keys() >= {*n, "ID", "Section"}]
    if not names:
        return []
    more = []
    if CANVAS_LOGIN in there:
        more = [CANVAS_LOGIN]
        if CANVAS_USER in there:
            more = [CANVAS_USER, CANVAS_LOGIN, *CANVAS_MORE]
    more = [name for name in more if name in there]
    return [*names[0], "ID", *more, "Section"]


def moodle_columns(students):
    """Moodle's columns on a user that name every student.

    Where the one it goes by is empty, Moodle gives the points to the student
    of the line before.
    """
    return [
        name
        for name in MOODLE_COLUMNS
        if all(student.line.get(name, "").strip() for student in students)
    ]


def graded(students, scored, titles):
    """The students of whom there is a score at all, and their results."""
    for student in students:
        results = {name: scored.get((student.id, name)) for name in titles}
        if any(results.values()):
            yield student, results


def points(result, title):
    """The points in the columns of an assignment; none if it has no result.

    Extra points have a column of their own. What lateness costs is taken
    off.
    """
    if result is None:
        return {}
    found = {title: f"{result.after():g}"}
    if result.stretch("out_of"):
        found[f"{title} (stretch)"] = f"{result.stretch_after():g}"
    return found


def most_points(result, title):
    """The points possible in the same columns."""
    worth = [result.total("out_of"), result.stretch("out_of")]
    return {name: f"{n:g}" for name, n in zip(points(result, title), worth)}


def write_canvas(path, students, scored, titles):
    """The table of Canvas: a line of what is possible, then the students.

    Parameters
    ----------
    path : path
    students : list of Student
    scored : dict
        (student, assignment) -> Graded.
    titles : dict
        assignment -> what it is called in Canvas.
    """
    possible = {}
    for result in sorted(scored.values(), key=lambda r: r.assignment):
        if result.tasks:  # what was refused unread has none
            possible |= most_points(result, titles[result.assignment])
    # Canvas knows the line by these words; its own export indents them.
    about = canvas_columns(students)
    lines = [{about[0]: f"    {POINTS_POSSIBLE}", **possible}]
    lines += [
        {name: student.line[name] for name in about}
        | {
            column: score
            for name, result in results.items()
            for column, score in points(result, titles[name]).items()
        }
        for student, results in graded(students, scored, titles)
    ]
    columns = [*about, *possible]
    tables.write_table(path, columns, lines, spelt=str)


def write_moodle(path, students, scored, titles, names_of):
    """The table of Moodle: who, then points and feedback of each assignment.

    Parameters
    ----------
    path, students, scored, titles
        As for `write_canvas`.
    names_of : callable
        As for `write_gradebooks`.
    """
    there = moodle_columns(students)
    lines, columns = [], dict.fromkeys(there)
    for name in titles:
        for result in scored.values():
            if result.assignment == name:
                columns |= points(result, titles[name])
        columns[f"{titles[name]} (feedback)"] = None
    for student, results in graded(students, scored, titles):
        line = {name: student.line[name] for name in there}
        for name, result in results.items():
            line |= points(result, titles[name])
            line[f"{titles[name]} (feedback)"] = feedback(result, names_of)
        lines.append(line)
    tables.write_table(path, columns, lines, spelt=str)


def feedback(result, names_of):
    """What a student reads beside the points: each task in a few words."""
    if result is None:
        return ""
    names = names_of(result)
    said = [
        f"{names.get(task['task'], task['task'])}: {told(task)}"
        for task in result.tasks
    ]
    before = filter(None, [result.reason, sentence(result)])
    return "; ".join([*before, *said])


def told(task):
    """The points of a task; what nobody has marked yet has none, and not 0."""
    most = task["out_of"]
    if task["to_mark"]:
        return f"not yet marked, {most:g} point{'s' * (most != 1)}"
    return f"{task['score']:g} of {most:g}"
