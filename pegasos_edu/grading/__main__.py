"""Grade a folder of submissions.

    python tasks.py grade SUBMISSIONS [--out GRADES] [--scheduler ADDRESS]

SUBMISSIONS holds a folder for every student, and that the notebooks by
their names: SUBMISSIONS/ada/a1.ipynb. A download from Canvas or Moodle will
do as it is, unpacked or not. GRADES gets scores.csv (a line for
every submission), tasks.csv (a line for every task) and the feedback,
GRADES/ada/a1.html. Every result is kept as it comes: after Ctrl+C, or a
request to end, the same command goes on. Marks given by hand in
GRADES/marks.csv are merged.
With --scheduler the workers of a Dask cluster grade, and this machine only
collects.
"""

import argparse
import contextlib
import signal
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

from pegasos_edu.grading.extra import needed
from pegasos_edu.grading.tables import say

with needed(__name__):
    from pegasos_edu.grading import broken_pipe, temporary
    from pegasos_edu.grading.handed_back.grades import (
        Grades,
        find_course,
        page_path,
    )
    from pegasos_edu.grading.handed_back.records import Records, Taken
    from pegasos_edu.grading.judging.sources import (
        has_own_variants,
        sources_of,
    )
    from pegasos_edu.grading.release import ASSIGNMENTS
    from pegasos_edu.grading.running import results
    from pegasos_edu.grading.running.submission import Limits
    from pegasos_edu.grading.sandbox import isolation
    from pegasos_edu.grading.sandbox.limits import end_with_task
    from pegasos_edu.grading.taken_in.collect import find_submission
    from pegasos_edu.grading.taken_in.downloads import handed_in
    from pegasos_edu.grading.taken_in.exchange import hand_back
    from pegasos_edu.grading.terms.roster import add_options


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py grade",
        description="Grade a folder of submissions, SUBMISSIONS/STUDENT/"
        "aN.ipynb, or a download from Canvas or Moodle.",
    )
    ask_for_work(parser)
    ask_for_course(parser)
    ask_for_means(parser)
    return parser.parse_args(arguments)


def ask_for_work(parser):
    """The options that say what is graded."""
    parser.add_argument("submissions", type=Path)
    parser.add_argument("--out", type=Path, default=Path("grades"))
    parser.add_argument(
        "--assignment",
        action="append",
        dest="assignments",
        help="grade this one only; may be repeated (default: every "
        "assignment that anyone handed in)",
    )
    parser.add_argument(
        "--student",
        action="append",
        dest="students",
        help="grade this one again, and leave the others as they are; may "
        "be repeated",
    )
    parser.add_argument(
        "--again",
        action="store_true",
        help="grade also what was graded before and has not changed",
    )


def ask_for_course(parser):
    """The options that say what holds in this course."""
    parser.add_argument(
        "--marks",
        type=Path,
        help="a table of marks given by hand: assignment, student, task, "
        "mark (default: marks.csv in the folder of grades, if it is there)",
    )
    parser.add_argument(
        "--solutions",
        type=Path,
        default=ASSIGNMENTS / "solutions",
    )
    add_options(parser)
    parser.add_argument(
        "--handed-in",
        type=Path,
        help="a table of times: assignment, student, handed_in (default: "
        "handed_in.csv in the folder of grades, if it is there); late points "
        "are taken off by the rules",
    )
    parser.add_argument(
        "--rules",
        type=Path,
        help="the rules, with due dates and what lateness costs (default: "
        "the course's rules.toml)",
    )
    parser.add_argument(
        "--feedback",
        type=Path,
        metavar="FOLDER",
        help="put the students' pages also where `nbgrader release_feedback` "
        "looks for them, in this folder of nbgrader's course; SUBMISSIONS is "
        "what `nbgrader collect` has made",
    )


def ask_for_means(parser):
    """The options that say where work is done, and what it may use."""
    default = Limits()
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        type=int,
        default=2,
        help="how many are graded at a time on this machine (default: "
        "%(default)s)",
    )
    where.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help="grade on the workers of this Dask scheduler, such as "
        "tcp://10.0.0.7:8786, and not on this machine",
    )
    parser.add_argument(
        "--cell-seconds",
        type=int,
        default=default.cell,
        help="processor time for each cell (default: %(default)s)",
    )
    parser.add_argument(
        "--total-seconds",
        type=int,
        default=default.total,
        help="processor time for all cells of a notebook (default: "
        "%(default)s)",
    )
    parser.add_argument(
        "--memory",
        type=int,
        default=default.memory,
        help="megabytes of memory for a notebook (default: %(default)s)",
    )
    parser.add_argument(
        "--no-isolation",
        action="store_false",
        dest="isolation",
        help="run student code with all your rights, where no sandbox can "
        "be made",
    )


def find_work(options, students, place):
    """What was handed in, one for each student and assignment.

    Parameters
    ----------
    options : Namespace
    students : list of Student
        The roster; empty if there is none.
    place : path
        Where archives are unpacked to.
    """
    known = sorted(path.stem for path in options.solutions.glob("*/*.ipynb"))
    if not known:
        sys.exit(
            f"There are no solutions in {options.solutions}; expected "
            f"aN/aN.ipynb there, or another folder after --solutions."
        )
    unknown = sorted(set(options.assignments or []) - set(known))
    if unknown:
        sys.exit(
            f"There is no solution of {', '.join(unknown)} in "
            f"{options.solutions}; there is {', '.join(known)}."
        )
    everybody, said = handed_in(options.submissions, students, place)
    for sentence in said:
        say(sentence)
    found = {
        name: [
            in_the_course(find_submission(one, name), options.solutions)
            for one in everybody
        ]
        for name in options.assignments or known
    }
    wanted = {
        name: all_of_it
        for name, all_of_it in found.items()
        if options.assignments or any(s.path for s in all_of_it)
    }
    if not everybody or not wanted:
        sys.exit(
            f"{options.submissions} holds no submission; expected "
            f"STUDENT/aN.ipynb with N as in {', '.join(known)}."
        )
    return choose(options, [one for name in wanted for one in wanted[name]])


def in_the_course(submission, solutions):
    """A submission, with a problem if nothing was asked of its student."""
    known = sources_of(solutions, submission.student) != solutions
    if known or not has_own_variants(solutions):
        return submission
    return replace(
        submission,
        path=None,
        problem=f"nobody in the course's roster has the id "
        f"{submission.student}",
    )


def choose(options, work):
    """The submissions of the students that were asked for."""
    names = {submission.student for submission in work}
    unknown = sorted(set(options.students or []) - names)
    if unknown:
        sys.exit(
            f"There is no folder {', '.join(unknown)} in "
            f"{options.submissions}."
        )
    return [
        submission
        for submission in work
        if not options.students or submission.student in options.students
    ]


def grade(work, options, grades):
    """Grade, and say so; how many were graded."""
    number = 0
    graded = results.results_of(work, options, grades.records)
    with contextlib.closing(graded):
        for number, (submission, result) in enumerate(graded, start=1):
            grades.add(submission, result)
            say(
                f"{number}/{len(work)} {result.student} "
                f"{result.assignment}: {result.total('score'):g} points, "
                f"{result.total('to_mark'):g} to mark, "
                f"{result.seconds:.1f} s {result.reason}"
            )
    return number


def want_isolation():
    """Stop where submissions cannot be isolated; never go on in silence."""
    problem = isolation.obstacle()
    if problem:
        sys.exit(
            f"Submissions cannot be isolated: {problem}; expected that you "
            f"{isolation.WANTED}."
        )


def main(arguments=None):
    end_with_task()
    options = parse(arguments)
    if hasattr(sys.stdout, "reconfigure"):
        # A folder's name need not be text.
        sys.stdout.reconfigure(errors="backslashreplace")
    if not options.submissions.exists():
        sys.exit(f"There is no folder {options.submissions}.")
    temporary.remove_left()
    course = find_course(options)
    with (
        temporary.folder(ignore_cleanup_errors=True) as place,
        # The grading goes on when nobody reads what it says.
        contextlib.redirect_stdout(broken_pipe.Patient(sys.stdout)),
    ):
        return run(options, course, find_work(options, course[0], place))


def run(options, course, everything):
    """Grade what is new, and write the tables; the command's exit code."""
    if options.isolation and not options.scheduler:
        want_isolation()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        with Records(options.out).alone(), end_as_by_ctrl_c():
            return run_alone(options, course, everything)
    except Taken as taken:
        sys.exit(
            f"Another command writes to {options.out} ({taken}); expected to "
            f"wait for its end, or another folder after --out."
        )


@contextlib.contextmanager
def end_as_by_ctrl_c():
    """Let a request to end, as a scheduler or a shutdown sends it, do so.

    Else the results that are there would not come to the tables.
    """

    def stop(*_):
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield  # no other thread may hear signals
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_alone(options, course, everything):
    """Grade what is new where nobody else writes."""
    grades = Grades(options, course)
    if not options.students:
        grades.say_who_is_gone(everything)
    work = [one for one in everything if not grades.is_done(one)]
    if len(work) < len(everything):
        print(f"{len(everything) - len(work)} are graded already.")
    begun = time.monotonic()
    try:
        number = grade(work, options, grades)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on from here.")
        return 130
    finally:
        grades.write()
    if options.feedback:
        hand_back_all(everything, options)
    seconds = time.monotonic() - begun
    print(
        f"{number} submission{'s' * (number != 1)} in {seconds:.0f} s, "
        f"{60 * number / max(seconds, 1):.0f} a minute: "
        f"{options.out / 'scores.csv'}"
    )
    return 0


def hand_back_all(everything, options):
    """Put all pages where nbgrader hands them back from."""
    for one in everything:
        page = page_path(options, one.student, one.assignment)
        if not hand_back(page, one, options.feedback):
            say(
                f"{one.student}, {one.assignment}: no feedback for nbgrader, "
                f"as nbgrader has not collected it."
            )


if __name__ == "__main__":
    sys.exit(main())
