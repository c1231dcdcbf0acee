"""Grade a folder of submissions.

    python tasks.py grade SUBMISSIONS [--out GRADES]

SUBMISSIONS holds a folder for every student, and that the notebooks by
their names: SUBMISSIONS/ada/a1.ipynb. GRADES gets scores.csv (a line for
every submission), tasks.csv (a line for every task) and the feedback,
GRADES/ada/a1.html.
"""

import argparse
import csv
import multiprocessing
import os
import sys
import tempfile
import time
from pathlib import Path

try:
    import nbformat

    from pegasos_edu.grading import course
    from pegasos_edu.grading.judge import prepared_names
    from pegasos_edu.grading.release import ASSIGNMENTS
    from pegasos_edu.grading.submission import Limits, Worker, write_reason
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
        help="megabytes of memory for each process (default: %(default)s)",
    )
    return parser.parse_args(arguments)


def find_students(submissions):
    return sorted(
        path
        for path in submissions.iterdir()
        if path.is_dir() and not path.name.startswith(".")
    )


def notebook_path(folder, assignment):
    """STUDENT/a1.ipynb, or as nbgrader collects them STUDENT/a1/a1.ipynb."""
    name = f"{assignment}.ipynb"
    collected = folder / assignment / name
    return collected if collected.exists() else folder / name


def find_work(options):
    """Pairs of a student's folder and an assignment."""
    if not options.submissions.is_dir():
        sys.exit(f"There is no folder {options.submissions}.")
    known = sorted(path.stem for path in options.solutions.glob("*/*.ipynb"))
    if not known:
        sys.exit(
            f"There are no solutions in {options.solutions}; expected "
            f"aN/aN.ipynb there, or another folder after --solutions."
        )
    students = find_students(options.submissions)
    wanted = options.assignments or [
        name
        for name in known
        if any(notebook_path(s, name).exists() for s in students)
    ]
    unknown = sorted(set(wanted) - set(known))
    if unknown:
        sys.exit(
            f"There is no solution of {', '.join(unknown)} in "
            f"{options.solutions}; there is {', '.join(known)}."
        )
    if not students or not wanted:
        sys.exit(
            f"{options.submissions} holds no submission; expected "
            f"STUDENT/aN.ipynb with N as in {', '.join(known)}."
        )
    return [(s, name) for name in wanted for s in students]


def prepare(work, options, folder):
    """Let nbgrader know the assignments, once for all submissions."""
    config = course.configure(folder, options.solutions)
    for name in sorted({assignment for _, assignment in work}):
        course.generate(config, name)
        solution = options.solutions / name / f"{name}.ipynb"
        prepared_names(str(solution.resolve()))


def grade_all(work, options, prepared):
    """Yield the results as they come, `workers` processes at a time."""
    # A fork has everything imported and the data loaded.
    kinds = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context(
        "fork" if "fork" in kinds else "spawn"
    )
    limits = Limits(
        options.cell_seconds, options.total_seconds, options.memory
    )
    waiting, running = list(work), []
    while waiting or running:
        while waiting and len(running) < options.workers:
            student, assignment = waiting.pop(0)
            running.append(
                Worker(
                    context,
                    limits,
                    student.name,
                    assignment,
                    page_path(options, student.name, assignment).resolve(),
                    {
                        "path": notebook_path(student, assignment).resolve(),
                        "prepared": prepared,
                        "sources": options.solutions.resolve(),
                    },
                )
            )
        for worker in list(running):
            result = worker.result()
            if result:
                running.remove(worker)
                yield result
        time.sleep(0.02)


def page_path(options, student, assignment):
    return options.out / student / f"{assignment}.html"


def no_points(options, assignment):
    """The tasks of an assignment, as if nothing was handed in."""
    path = options.solutions / assignment / f"{assignment}.ipynb"
    facts = [
        cell.metadata.get("nbgrader", {})
        for cell in nbformat.read(path, as_version=4).cells
    ]
    return [
        {
            "task": fact["grade_id"],
            "score": 0.0,
            "to_mark": 0.0,
            "out_of": fact["points"],
        }
        for fact in facts
        if fact.get("grade")
    ]


def write_tables(results, folder):
    """scores.csv and tasks.csv, sorted by assignment and student."""
    results = sorted(results, key=lambda r: (r.assignment, r.student))
    with open(folder / "scores.csv", "w", newline="", encoding="utf-8") as f:
        table = csv.writer(f)
        table.writerow(
            ["assignment", "student", "score", "to_mark", "out_of", "reason"]
        )
        for r in results:
            table.writerow(
                [
                    r.assignment,
                    r.student,
                    f"{r.total('score'):g}",
                    f"{r.total('to_mark'):g}",
                    f"{r.total('out_of'):g}",
                    r.reason,
                ]
            )
    with open(folder / "tasks.csv", "w", newline="", encoding="utf-8") as f:
        table = csv.DictWriter(
            f, ["assignment", "student", "task", "score", "to_mark", "out_of"]
        )
        table.writeheader()
        for r in results:
            for task in r.tasks:
                table.writerow(
                    {"assignment": r.assignment, "student": r.student, **task}
                )


def main(arguments=None):
    options = parse(arguments)
    work = find_work(options)
    os.environ["MPLBACKEND"] = "Agg"  # the notebooks' pictures are not shown
    options.out.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    results = []
    with tempfile.TemporaryDirectory() as prepared:
        prepare(work, options, prepared)
        for result in grade_all(work, options, prepared):
            results.append(result)
            if not result.tasks:
                result.tasks = no_points(options, result.assignment)
                write_reason(
                    page_path(options, result.student, result.assignment),
                    result,
                )
            print(
                f"{len(results)}/{len(work)} {result.student} "
                f"{result.assignment}: {result.total('score'):g} points, "
                f"{result.total('to_mark'):g} to mark, "
                f"{result.seconds:.1f} s {result.reason}",
                flush=True,
            )
    write_tables(results, options.out)
    seconds = time.monotonic() - start
    print(
        f"{len(results)} submissions in {seconds:.0f} s, "
        f"{60 * len(results) / seconds:.0f} a minute: "
        f"{options.out / 'scores.csv'}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
