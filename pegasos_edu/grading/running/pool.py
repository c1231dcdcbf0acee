"""All submissions, a few at a time, each in a process of its own."""

import multiprocessing
import time

# Jupyter imports both to start a notebook. Here, once for all forks.
import ipykernel.kernelspec  # noqa: F401
import IPython.paths  # noqa: F401

from pegasos_edu.grading.handed_back.grades import (
    options_that_count,
    page_path,
)
from pegasos_edu.grading.judging.judge import prepared_names
from pegasos_edu.grading.judging.sources import solution_path, sources_of
from pegasos_edu.grading.running import course
from pegasos_edu.grading.running.submission import Limits, Worker


def prepare_once(work, options, folder):
    """Let nbgrader know the assignments, unless it was done before."""
    if not (folder / "gradebook.db").exists():
        folder.mkdir(exist_ok=True)
        prepare(work, options, folder)


def prepare(work, options, folder):
    """Let nbgrader know the assignments, once for all submissions."""
    config = course.configure(folder, options.solutions)
    for name in sorted({submission.assignment for submission in work}):
        course.generate(config, name)
    for path in sorted({solution_path(options, *one.key) for one in work}):
        prepared_names(str(path.resolve()))


def grade_all(work, options, prepared, records):
    """Yield submissions and results, `workers` processes at a time."""
    # A fork has everything imported and the data loaded.
    kinds = multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context(
        "fork" if "fork" in kinds else "spawn"
    )
    waiting, running = list(work), {}
    try:
        while waiting or running:
            while waiting and len(running) < options.workers:
                submission = waiting.pop(0)
                records.begin(submission.student, submission.assignment)
                worker = start(context, submission, options, prepared)
                running[worker] = submission
            for worker, submission in list(running.items()):
                result = worker.result()
                if result:
                    del running[worker]
                    yield submission, result
            time.sleep(0.02)
    finally:
        for worker, submission in running.items():
            worker.stop()
            records.forget_begun(submission.student, submission.assignment)


def start(context, submission, options, prepared):
    """A process that grades a submission."""
    page = page_path(options, submission.student, submission.assignment)
    return Worker(
        context,
        Limits(*options_that_count(options)),
        submission.student,
        submission.assignment,
        page.with_suffix(".log").resolve(),
        {
            # Not resolved: a link is refused, wherever it leads.
            "path": submission.path.absolute(),
            "prepared": prepared,
            "sources": sources_of(
                options.solutions, submission.student
            ).resolve(),
        },
    )
