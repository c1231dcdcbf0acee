"""One submission, graded in a process of its own."""

import json
import logging
import os
import shutil
import tempfile
import time
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

import nbformat

from pegasos_edu.grading import course
from pegasos_edu.grading.limits import (
    MEGABYTE,
    adopt_orphans,
    end_descendants,
    limit,
)

LARGEST_FILE = 50 * MEGABYTE
SLACK = 5


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes
    ----------
    cell, total : int
        Seconds of processor time for one cell, and for all together. By
        the clock on the wall they may take `SLACK` times as long.
    memory : int
        Megabytes of memory for each of its processes.
    """

    cell: int = 30
    total: int = 120
    memory: int = 4096

    @property
    def process(self):
        """Seconds on the wall after which the whole process is ended."""
        return SLACK * (self.total + 60)


@dataclass
class Result:
    """What one submission scored, and why if it could not be graded.

    Attributes
    ----------
    student, assignment : str
    tasks : list of dict
        task, score, out_of and to_mark (points left to a marker).
    reason : str
        Why there is no score, or what cut the run short; "" if nothing.
    seconds : float
    """

    student: str
    assignment: str
    tasks: list = field(default_factory=list)
    reason: str = ""
    seconds: float = 0.0

    def total(self, name):
        return sum(task[name] for task in self.tasks)


class Refused(Exception):
    """Why a file cannot be graded, in one sentence."""


def check_notebook(path):
    """Refuse what is no notebook, with the reason.

    Raises
    ------
    Refused
    """
    if not path.exists():
        raise Refused(f"{path.name} was not handed in")
    if not path.is_file():
        raise Refused(f"{path.name} is no file")
    if path.stat().st_size > LARGEST_FILE:
        raise Refused(
            f"{path.name} is larger than {LARGEST_FILE // MEGABYTE} MB"
        )
    try:
        raw = json.loads(path.read_text("utf-8"))
    except UnicodeDecodeError:
        raise Refused(f"{path.name} is no text file") from None
    except (ValueError, RecursionError):
        raise Refused(f"{path.name} is no notebook: no JSON") from None
    if not isinstance(raw, dict) or not isinstance(raw.get("nbformat"), int):
        raise Refused(f"{path.name} is no notebook: it names no format")
    try:
        cells = nbformat.reads(json.dumps(raw), as_version=4).cells
        readable = all(isinstance(cell, dict) for cell in cells)
    except Exception:  # nbformat raises many kinds
        readable = False
    if not readable:
        raise Refused(
            f"{path.name} is no notebook that nbformat "
            f"{nbformat.__version__} can read"
        )


def grade(path, student, assignment, prepared, sources, limits, page):
    """Grade a submission in this process.

    Parameters
    ----------
    path : path
        The submitted notebook.
    student, assignment : str
    prepared : path
        A course folder in which the assignment was generated.
    sources : path
        The solutions.
    limits : Limits
    page : path
        Where the feedback goes.

    Returns
    -------
    Result
    """
    check_notebook(path)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as root:
        shutil.copy(Path(prepared, "gradebook.db"), root)
        place = Path(root, "submitted", "student", assignment)
        place.mkdir(parents=True)
        shutil.copyfile(path, place / f"{assignment}.ipynb")
        config = course.configure(
            root,
            sources,
            timeout=limits.cell,
            total_timeout=limits.total,
            slack=SLACK,
        )
        tasks = course.autograde(config, assignment, "student")
        executed = Path(
            root, "autograded", "student", assignment, f"{assignment}.ipynb"
        )
        reason = cut_short(nbformat.read(executed, as_version=4))
        made = course.feedback(config, assignment, "student")
        page.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(made, page)
    return Result(student, assignment, tasks, reason)


def cut_short(notebook):
    """What kept the first cell from running to its end, or ""."""
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.get("ename") == "CellTimeoutError":
                return f"cell {number} took too long"
            if output.get("ename") in ("NotRun", "ProcessEnded"):
                return output.evalue
    return ""


def process_main(answer, limits, student, assignment, page, arguments):
    """What a submission's process does: grade, and send the result."""
    start = time.monotonic()
    adopt_orphans()
    limit(limits.memory)
    log = page.with_suffix(".log")
    silence(log)
    try:
        result = grade(
            student=student,
            assignment=assignment,
            limits=limits,
            page=page,
            **arguments,
        )
        log.unlink(missing_ok=True)
    except Refused as refusal:
        result = Result(student, assignment, reason=str(refusal))
        log.unlink(missing_ok=True)
    except BaseException as error:  # whatever it was, say so
        logging.getLogger("traitlets").exception("not graded")
        result = Result(
            student,
            assignment,
            reason=(
                f"grading stopped with {type(error).__name__}; see {log.name}"
            ),
        )
    end_descendants()
    result.seconds = time.monotonic() - start
    answer.send(result)


def silence(log):
    """Send everything this process and its children print to a file."""
    log.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
    os.dup2(file, 1)
    os.dup2(file, 2)
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    logging.getLogger("traitlets").addHandler(handler)


class Worker:
    """A submission being graded in a process of its own."""

    def __init__(self, context, limits, student, assignment, page, arguments):
        self.student, self.assignment = student, assignment
        self.deadline = time.monotonic() + limits.process
        self.answer, theirs = context.Pipe(duplex=False)
        self.process = context.Process(
            target=process_main,
            args=(theirs, limits, student, assignment, page, arguments),
        )
        self.process.start()
        theirs.close()

    def result(self):
        """The result, or None while it runs."""
        try:
            if self.answer.poll():
                result = self.answer.recv()
                self.process.join()
                return result
        except EOFError:
            return self.failed("the grading process was ended")
        if time.monotonic() > self.deadline:
            end_descendants(self.process.pid)
            self.process.kill()
            return self.failed("grading took too long and was ended")
        return None

    def failed(self, reason):
        self.process.join()
        return Result(self.student, self.assignment, reason=reason)


def write_reason(page, result):
    """A page for a submission that has no score."""
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(
        '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
        f"<title>{escape(result.assignment)}</title>\n"
        f"<h1>{escape(result.assignment)}: no score</h1>\n"
        f"<p>{escape(result.reason)}.</p>\n</html>\n",
        "utf-8",
    )
