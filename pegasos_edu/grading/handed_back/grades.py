"""The folder of grades: records, tables, and a page for each submission."""

import contextlib
import sys
from datetime import datetime

from pegasos_edu.grading import tables
from pegasos_edu.grading.handed_back import feedback, gradebooks
from pegasos_edu.grading.handed_back.records import (
    Records,
    fingerprint,
    package_fingerprint,
)
from pegasos_edu.grading.judging.cells import without_hidden_tests
from pegasos_edu.grading.judging.reading import (
    Refused,
    questions,
    read_file,
    read_notebook,
    take_answers_below,
)
from pegasos_edu.grading.judging.restore import (
    give_marks_back,
    id_of,
    untouched,
)
from pegasos_edu.grading.judging.sources import (
    possible_tasks,
    read_solution,
    solution_path,
    sources_of,
)
from pegasos_edu.grading.judging.whose import note_on_whose
from pegasos_edu.grading.taken_in.collect import LATE
from pegasos_edu.grading.terms import lateness
from pegasos_edu.grading.terms.roster import BadRoster, read_roster
from pegasos_edu.grading.terms.rules import BadRules, read_rules


def page_path(options, student, assignment):
    """Where a page is: no folder takes the place of a table, such as
    scores.csv, whatever a student's folder was called.
    """
    of_a_table = student.lower().endswith((".csv", ".csv.new"))
    folder = f"{student} (student)" if of_a_table else student
    return options.out / folder / f"{assignment}.html"


def find_marks(options):
    """The marks given by hand, read before any work is done."""
    path = options.marks or options.out / "marks.csv"
    if not options.marks and not path.exists():
        return {}
    worth = {
        (solution.stem, task["task"]): task["out_of"]
        for solution in options.solutions.glob("*/*.ipynb")
        for task in possible_tasks(
            read_solution(options.solutions, solution.stem)
        )
    }
    try:
        return tables.read_marks(path, worth)
    except tables.BadMarks as problem:
        sys.exit(str(problem))


def find_course(options):
    """The roster and the rules, if the solutions are those of a course.

    Others may be named.
    """
    try:
        students, rules = gradebooks.read_course(options.solutions.parent)
        if options.roster:
            students = read_roster(options.roster, options.id)
        if options.rules:
            rules = read_rules(options.rules)
    except (BadRoster, BadRules) as problem:
        sys.exit(str(problem))
    return students, rules


def find_lateness(options, rules):
    """What takes off points for lateness, read before any work is done."""
    path = options.handed_in or options.out / lateness.NAME
    given = options.handed_in or path.exists()
    try:
        return lateness.Lateness(
            rules, lateness.read_times(path) if given else {}
        )
    except (BadRules, lateness.BadTimes) as problem:
        sys.exit(str(problem))


def options_that_count(options):
    """The options that may change a score, as `Limits` takes them."""
    return (
        options.cell_seconds,
        options.total_seconds,
        options.memory,
        options.isolation,
    )


class Grades:
    """The folder of grades: what is known, and what it is made of.

    Parameters
    ----------
    options : Namespace
        As `parse` returns them.
    course : tuple
        The roster and the rules, as `find_course` returns them.
    """

    def __init__(self, options, course):
        self.options = options
        self.records = Records(options.out)
        self.marks = find_marks(options)
        self.course = course
        self.lateness = find_lateness(options, course[1])
        self.common = package_fingerprint(), options_that_count(options)

    def fingerprint(self, submission):
        """Of all that decides the score of a submission."""
        raw = b""
        with contextlib.suppress(Refused):
            raw = read_file(submission.path) if submission.path else b""
        solution = solution_path(self.options, *submission.key)
        return fingerprint(
            raw, solution.read_bytes(), submission.problem, *self.common
        )

    def is_done(self, submission):
        """Whether nothing has changed since it was graded."""
        if self.options.again or self.options.students:
            return False
        known = self.records.load(submission.student, submission.assignment)
        return known is not None and known[0] == self.fingerprint(submission)

    def say_who_is_gone(self, everything):
        """Print whose results stay although nothing of theirs is there now.

        A folder that was renamed looks so: its old results stay beside the
        new ones, as no score is thrown away unasked.
        """
        there = {(one.assignment, one.student) for one in everything}
        asked = {assignment for assignment, _ in there}
        gone = [
            f"{result.student}, {result.assignment}"
            for result in self.records.all()
            if result.assignment in asked
            and (result.assignment, result.student) not in there
        ]
        if gone:
            tables.say(
                f"Kept from an earlier run, though {self.options.submissions} "
                f"has no such folder now: {'; '.join(gone)}. To drop one, "
                f"delete its folder in {self.records.folder}."
            )

    def add(self, submission, result):
        """Keep a result, then make the tables and its page anew."""
        if not result.tasks:
            solution = self.solution_of(result)
            without_a_run(result, submission.path, solution)
        # Here, as a machine of a cluster knows of no classmate. Last, as a
        # name may be any text.
        whose = note_on_whose(
            submission.path,
            submission.student,
            submission.assignment,
            self.options.solutions,
        )
        notes = [submission.note, result.note, whose]
        result.note = "; ".join(note for note in notes if note)
        self.records.save(result, self.fingerprint(submission))
        self.write_page(self.complete(result))

    def complete(self, result):
        """A result with the marks given by hand, and what lateness costs."""
        return self.lateness.of(tables.with_marks(result, self.marks))

    def solution_of(self, result):
        sources = sources_of(self.options.solutions, result.student)
        return read_solution(sources, result.assignment)

    def titles_of(self, result):
        """What a reader calls each task; nothing where no solution is left."""
        try:
            return feedback.titles(self.solution_of(result))
        except FileNotFoundError:
            return {}

    def write_page(self, result):
        path = page_path(self.options, result.student, result.assignment)
        path.parent.mkdir(parents=True, exist_ok=True)
        text = feedback.page(result, self.titles_of(result))
        path.write_text(text, "utf-8", errors="backslashreplace")

    def write(self):
        """The tables of all that is known, whenever it was graded."""
        results = [self.complete(result) for result in self.records.all()]
        tables.write_tables(results, self.options.out)
        written = gradebooks.write_gradebooks(
            results, self.options.out, *self.course, self.titles_of
        )
        for name in written:
            print(f"For your learning platform: {self.options.out / name}")
        if written and any(
            result.total("to_mark") + result.stretch("to_mark")
            for result in results
        ):
            print("They lack the points that are still to be marked.")
        for result in results:
            path = solution_path(
                self.options, result.assignment, result.student
            )
            if path.exists():
                self.write_page(result)
        self.say_what_fits_nothing(results)

    def say_what_fits_nothing(self, results):
        """Print the times, and the marks, that lack a result or a time."""
        unknown = [
            f"{result.student}, {result.assignment}"
            for result in results
            if LATE in result.note
            and self.lateness.days(result.assignment, result.student) is None
        ]
        if unknown:
            tables.say(
                f"Late by what the platform says, but {lateness.NAME} has no "
                f"time, so nothing is taken off: {'; '.join(unknown)}."
            )
        known = {(r.assignment, r.student) for r in results}
        told = {(r.assignment, r.student) for r in results if LATE in r.note}
        missing = self.lateness.without_a_time(known) - told
        if missing:
            tables.say(
                f"{lateness.NAME} has no time of these, who count as on time: "
                f"{listed(missing)}."
            )
        for assignment, student, task in self.marks:
            if (assignment, student) not in known:
                tables.say(
                    f"There is a mark for {task} of {student}, who handed "
                    f"in no {assignment}."
                )
        future = self.lateness.still_to_come(datetime.now().astimezone())
        if future:
            tables.say(
                f"{lateness.NAME} has times that are still to come; are the "
                f"year and the time zone right? {listed(future)}."
            )
        nobody = set(self.lateness.times) - known
        if nobody:
            tables.say(
                f"{lateness.NAME} has times of what was not graded: "
                f"{listed(nobody)}."
            )


def listed(keys):
    """Who and what, in the order of the assignments."""
    return "; ".join(f"{who}, {what}" for what, who in sorted(keys))


def without_a_run(result, path, solution):
    """Complete a result of what was not run, or not to its end.

    No test has passed. A written answer needs no run: it waits for a marker.

    Parameters
    ----------
    result : Graded
        Given its tasks, and its written answers as HTML.
    path : path or None
        The submitted notebook.
    solution : list of cell
    """
    result.tasks = possible_tasks(solution)
    try:
        cells = read_notebook(path).cells if path else []
    except Refused:
        return
    give_marks_back(cells, solution, without_hidden_tests)
    take_answers_below(cells, solution)
    written = questions(solution)
    answers = {
        id_of(cell): cell
        for cell in cells
        if id_of(cell) in written and not untouched(cell)
    }
    for task in result.tasks:
        if task["task"] in answers:
            task["to_mark"] = task["out_of"]
    result.cells = feedback.show_cells(answers.values(), solution)
