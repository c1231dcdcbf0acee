"""A process beside each worker of a cluster, which grades what it is sent.

A worker of Dask's has threads, so it should not fork, and grading forks. The
station is a process of its own, and grades as the command does on one
machine, in the same sandbox. It ends when its worker does.
"""

import functools
import os
import pickle
import platform
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from pegasos_edu.grading import temporary
from pegasos_edu.grading.handed_back.grades import page_path
from pegasos_edu.grading.handed_back.records import (
    Graded,
    Records,
    fingerprint,
    package_fingerprint,
)
from pegasos_edu.grading.judging.sources import STUDENTS
from pegasos_edu.grading.running import pool
from pegasos_edu.grading.sandbox import isolation
from pegasos_edu.grading.sandbox.limits import end_with_parent
from pegasos_edu.grading.taken_in.collect import Submission

# Not with -m: what is sent must be of this module, and not of `__main__`.
START = "from pegasos_edu.grading.running import station; station.main()"


@dataclass(frozen=True)
class Job:
    """All that another machine needs to grade a submission.

    Attributes
    ----------
    student, assignment : str
    name : str
        What the notebook's file is called.
    raw, solution, common : bytes
        The notebook; the solution that counts for this student; and the one
        that everybody's version is made from.
    limits : tuple
        As `options_that_count` gives them.
    package : str
        The fingerprint of the package that asks.
    """

    student: str
    assignment: str
    name: str
    raw: bytes
    solution: bytes
    common: bytes
    limits: tuple
    package: str


@dataclass(frozen=True)
class Reply:
    """What a station answers.

    Attributes
    ----------
    result : Graded or None
    log : str
        What the grader printed, where it failed; "" where it did not.
    unable : str
        Why this machine cannot grade anything; "" if it can.
    """

    result: Graded | None = None
    log: str = ""
    unable: str = ""


def main():
    """Answer jobs, one after the other, until nobody asks any more."""
    end_with_parent()
    # What is printed here is no answer.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with temporary.folder(ignore_cleanup_errors=True) as place:
        while True:
            try:
                job = pickle.load(sys.stdin.buffer)
                pickle.dump(answer(job, Path(place)), answers)
                answers.flush()
            except (EOFError, BrokenPipeError):  # nobody asks, or listens
                return


def answer(job, place):
    """Grade a job in this machine's folder `place`.

    Parameters
    ----------
    job : Job
    place : path

    Returns
    -------
    Reply
    """
    unable = why_not(job)
    if unable:
        return Reply(unable=unable)
    course = course_of(job, place)
    options = options_of(job, course)
    work = [handed_in(job, course)]
    pool.prepare_once(work, options, course / "prepared")
    [(_, result)] = pool.grade_all(
        work, options, course / "prepared", Records(options.out)
    )
    work[0].path.unlink()
    page = page_path(options, job.student, job.assignment)
    log = page.with_suffix(".log")
    return Reply(result, log.read_text("utf-8") if log.exists() else "")


def why_not(job):
    """Why this machine cannot grade a job as its sender would, or ""."""
    if job.package != package_here():
        return "another version of the package is installed there"
    *_, isolated = job.limits
    problem = obstacle_here() if isolated else ""
    return f"submissions cannot be isolated there: {problem}" * bool(problem)


# What does not change while the station lives.
package_here = functools.cache(package_fingerprint)
obstacle_here = functools.cache(isolation.obstacle)


def course_of(job, place):
    """A folder with the solutions, one for each set of them."""
    course = place / fingerprint(job.assignment, job.common)
    solutions = course / "solutions"
    write(solutions, job.assignment, job.common)
    if job.solution != job.common:
        write(solutions / STUDENTS / job.student, job.assignment, job.solution)
    return course


def write(folder, assignment, raw):
    """Put a notebook where the solutions of a course have it."""
    path = folder / assignment / f"{assignment}.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(raw)


def options_of(job, course):
    """The options of the command, for one submission here."""
    cell, total, memory, isolated = job.limits
    return Namespace(
        solutions=course / "solutions",
        out=course / "grades",
        workers=1,
        cell_seconds=cell,
        total_seconds=total,
        memory=memory,
        isolation=isolated,
    )


def handed_in(job, course):
    """The submission, as a file of the same name."""
    folder = course / "submitted"
    folder.mkdir(exist_ok=True)
    path = folder / job.name
    path.write_bytes(job.raw)
    return Submission(job.student, job.assignment, path)


def machine():
    """What this machine is called.

    Examples
    --------
    >>> machine() == platform.node()
    True
    """
    return platform.node()
