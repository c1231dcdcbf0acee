"""Grade a folder of submissions.

    python tasks.py grade SUBMISSIONS [--out GRADES]

SUBMISSIONS holds a folder for every student, and that the notebooks by
their names: SUBMISSIONS/ada/a1.ipynb. GRADES gets scores.csv (a line for
every submission), tasks.csv (a line for every task) and the feedback,
GRADES/ada/a1.html. Every result is kept as it comes: after Ctrl+C the same
command goes on. Marks given by hand in GRADES/marks.csv are merged.
"""

import argparse
import contextlib
import sys
import time
from dataclasses import replace
from pathlib import Path

try:
    from pegasos_edu.grading import isolation, schedule
    from pegasos_edu.grading.collect import (
        find_students,
        find_submission,
        without_student,
    )
    from pegasos_edu.grading.grades import Grades
    from pegasos_edu.grading.release import ASSIGNMENTS
    from pegasos_edu.grading.sources import has_own_variants, sources_of
    from pegasos_edu.grading.submission import Limits
except ModuleNotFoundError as error:
    library = (error.name or "a library").partition(".")[0]
    sys.exit(
        f"Grading needs {library}, which is not installed; expected the "
        f'extra, from the project\'s folder: pip install -e ".[grading]".'
    )


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py grade",
        description="Grade a folder of submissions: SUBMISSIONS/STUDENT/"
        "aN.ipynb.",
    )
    default = Limits()
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
    parser.add_argument("--workers", type=int, default=2)
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
    return parser.parse_args(arguments)


def find_work(options):
    """What was handed in, one for each student and assignment."""
    if not options.submissions.is_dir():
        sys.exit(f"There is no folder {options.submissions}.")
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
    students = find_students(options.submissions)
    if flat := without_student(options.submissions):
        print(
            f"Not graded, as no student's folder holds them: "
            f"{', '.join(flat)}; expected SUBMISSIONS/STUDENT/aN.ipynb."
        )
    found = {
        name: [
            in_the_course(find_submission(student, name), options.solutions)
            for student in students
        ]
        for name in options.assignments or known
    }
    handed_in = {
        name: all_of_it
        for name, all_of_it in found.items()
        if options.assignments or any(s.path for s in all_of_it)
    }
    if not students or not handed_in:
        sys.exit(
            f"{options.submissions} holds no submission; expected "
            f"STUDENT/aN.ipynb with N as in {', '.join(known)}."
        )
    return choose(options, [s for name in handed_in for s in handed_in[name]])


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
    results = schedule.results_of(work, options, grades.records)
    with contextlib.closing(results):
        for number, (submission, result) in enumerate(results, start=1):
            grades.add(submission, result)
            print(
                f"{number}/{len(work)} {result.student} "
                f"{result.assignment}: {result.total('score'):g} points, "
                f"{result.total('to_mark'):g} to mark, "
                f"{result.seconds:.1f} s {result.reason}",
                flush=True,
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
    options = parse(arguments)
    if hasattr(sys.stdout, "reconfigure"):
        # A folder's name need not be text.
        sys.stdout.reconfigure(errors="backslashreplace")
    everything = find_work(options)
    if options.isolation:
        want_isolation()
    options.out.mkdir(parents=True, exist_ok=True)
    grades = Grades(options)
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
    seconds = time.monotonic() - begun
    print(
        f"{number} submissions in {seconds:.0f} s, "
        f"{60 * number / max(seconds, 1):.0f} a minute: "
        f"{options.out / 'scores.csv'}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
