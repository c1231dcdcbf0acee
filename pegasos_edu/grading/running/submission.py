"""One submission, graded in a process of its own."""

import logging
import os
import re
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import nbformat

from pegasos_edu.grading import temporary
from pegasos_edu.grading.handed_back.feedback import show_cells
from pegasos_edu.grading.handed_back.records import Graded, in_bounds
from pegasos_edu.grading.judging.judge import UNSEEN
from pegasos_edu.grading.judging.reading import (
    Refused,
    read_notebook,
    what_was_found,
)
from pegasos_edu.grading.judging.restore import id_of, is_answer, text_of
from pegasos_edu.grading.judging.sources import possible_tasks, read_solution
from pegasos_edu.grading.running import course
from pegasos_edu.grading.sandbox.limits import (
    adopt_orphans,
    end_descendants,
    end_with_parent,
    limit,
)

SLACK = 5
BORROWED = re.compile(r"answer calls ([\w.<>]+)")


@dataclass(frozen=True)
class Limits:
    """What one submission may use.

    Attributes
    ----------
    cell, total : int
        Seconds of processor time for one cell, and for all together. By
        the clock on the wall they may take `SLACK` times as long.
    memory : int
        Megabytes of memory for all of its processes together.
    isolated : bool
        Whether it runs in a sandbox.
    """

    cell: int = 30
    total: int = 120
    memory: int = 4096
    isolated: bool = True

    @property
    def process(self):
        """Seconds on the wall after which the whole process is ended."""
        # Waiting for what does not end may take as much again.
        return SLACK * (2 * self.total + 60)


def grade(path, student, assignment, prepared, sources, limits):
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

    Returns
    -------
    Graded
    """
    notebook = read_notebook(path)
    solution = read_solution(sources, assignment)
    note, reason = what_was_found(notebook, solution)
    with temporary.folder(ignore_cleanup_errors=True) as root:
        shutil.copy(Path(prepared, "gradebook.db"), root)
        place = Path(root, "submitted", "student", assignment)
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{assignment}.ipynb")
        config = course.configure(
            root,
            sources,
            timeout=limits.cell,
            total_timeout=limits.total,
            slack=SLACK,
            memory=limits.memory,
            isolated=limits.isolated,
        )
        course.adopt(config, assignment, solution)
        scored = course.autograde(config, assignment, "student")
        executed = nbformat.read(
            Path(
                *(root, "autograded", "student", assignment),
                f"{assignment}.ipynb",
            ),
            as_version=4,
        )
    blank = unanswered(executed.cells, course.given(config, solution))
    for name in blank:
        scored.get(name, {})["to_mark"] = 0.0
    return Graded(
        student,
        assignment,
        [
            in_bounds({**task, **scored.get(task["task"], {})})
            for task in possible_tasks(solution)
        ],
        cut_short(executed) or reason,
        "; ".join(filter(None, (note, was_seen(executed)))),
        cells=show_cells(executed.cells, solution, blank),
    )


def unanswered(cells, given):
    """The ids of questions whose cells are as they were handed out.

    nbgrader compares with the text of its gradebook, and a variant's text may
    be another one. What is written above the words "Your answer" counts.

    Parameters
    ----------
    cells, given : list of cell
        The submission's, and the assignment's without the solution.

    Returns
    -------
    list of str
    """
    texts = {id_of(cell): text_of(cell).split() for cell in given}
    return [
        id_of(cell)
        for cell in cells
        if cell.cell_type == "markdown"
        and is_answer(cell)
        and text_of(cell).split() == texts.get(id_of(cell))
    ]


def was_seen(notebook):
    """What the watch over answers saw in the run, for whoever marks; or "".

    Such an answer has no points, as one that is wrong or empty.
    """
    said = [
        f"{output.get('evalue', '')} {output.get('text', '')}"
        for cell in notebook.cells
        for output in cell.get("outputs", [])
    ]
    found = {name for text in said for name in BORROWED.findall(text)}
    seen = [f"an answer called {', '.join(sorted(found))}"] if found else []
    if any(UNSEEN in text for text in said):
        seen.append("it had switched off what watches its answers")
    return "; ".join(seen)


def cut_short(notebook):
    """What kept the first cell from running to its end, or ""."""
    last = ""
    for number, cell in enumerate(notebook.cells, start=1):
        own = id_of(cell) is None
        last = last if own else id_of(cell)
        for output in cell.get("outputs", []):
            if output.get("ename") == "CellTimeoutError":
                place = f"after {last}, a cell of its own" if own else last
                return f"{place} took too long (cell {number})"
            if output.get("ename") in ("NotRun", "ProcessEnded"):
                return output.evalue
    return ""


def process_main(answer, limits, student, assignment, log, arguments):
    """What a submission's process does: grade, and send the result."""
    start = time.monotonic()
    # A fork has that of the command, which is to end in its own way.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ["MPLBACKEND"] = "Agg"  # the notebook's pictures are not shown
    end_with_parent()
    adopt_orphans()
    limit(limits.memory)
    silence(log)
    try:
        result = grade(
            student=student,
            assignment=assignment,
            limits=limits,
            **arguments,
        )
        log.unlink(missing_ok=True)
    except Refused as refusal:
        result = Graded(student, assignment, reason=str(refusal))
        log.unlink(missing_ok=True)
    except BaseException as error:  # whatever it was, say so
        logging.getLogger("traitlets").exception("not graded")
        result = Graded(
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

    def __init__(self, context, limits, student, assignment, log, arguments):
        self.student, self.assignment = student, assignment
        self.deadline = time.monotonic() + limits.process
        self.answer, theirs = context.Pipe(duplex=False)
        self.process = context.Process(
            target=process_main,
            args=(theirs, limits, student, assignment, log, arguments),
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
        except (EOFError, OSError):
            return self.failed("the grading process was ended")
        if time.monotonic() > self.deadline:
            self.stop()
            return self.failed("grading took too long and was ended")
        return None

    def stop(self):
        """End it, and all it started, without a result."""
        end_descendants(self.process.pid)
        self.process.kill()
        self.process.join()

    def failed(self, reason):
        self.process.join()
        return Graded(self.student, self.assignment, reason=reason)
