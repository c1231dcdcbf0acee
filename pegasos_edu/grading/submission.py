"""One submission, graded in a process of its own."""

import itertools
import json
import logging
import os
import shutil
import signal
import stat
import time
import warnings
from dataclasses import dataclass
from pathlib import Path

import nbformat

from pegasos_edu.grading import course, temporary
from pegasos_edu.grading.borrowing import note_on
from pegasos_edu.grading.feedback import show_cells, untouched
from pegasos_edu.grading.limits import (
    MEGABYTE,
    adopt_orphans,
    end_descendants,
    end_with_parent,
    limit,
)
from pegasos_edu.grading.preprocessors import without_hidden_tests
from pegasos_edu.grading.records import Graded, in_bounds
from pegasos_edu.grading.restore import (
    give_marks_back,
    id_of,
    missing_answers,
    text_of,
)

LARGEST_FILE = 50 * MEGABYTE
MOST_CELLS = 2_000  # of which the longest assignment has about 70
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


class Refused(Exception):
    """Why a file cannot be graded, in one sentence."""


def read_notebook(path):
    """The notebook in a file, or the reason why there is none.

    Parameters
    ----------
    path : path

    Returns
    -------
    NotebookNode

    Raises
    ------
    Refused
    """
    return parse_notebook(read_file(path), path.name)


def read_file(path):
    """The bytes of a submitted file, or the reason why they are not read.

    Parameters
    ----------
    path : path

    Returns
    -------
    bytes

    Raises
    ------
    Refused
    """
    try:
        # Of the file itself: a link may lead to another's work.
        found = os.lstat(path)
        if stat.S_ISLNK(found.st_mode):
            raise Refused(f"{path.name} is a link; expected the file itself")
        if not stat.S_ISREG(found.st_mode):
            raise Refused(f"{path.name} is no file")
        if found.st_size > LARGEST_FILE:
            raise Refused(
                f"{path.name} is larger than {LARGEST_FILE // MEGABYTE} MB"
            )
        return path.read_bytes()
    except OSError as error:
        raise Refused(
            f"{path.name} cannot be read: {error.strerror}"
        ) from None


def parse_notebook(raw, name):
    """The notebook that some bytes spell, or the reason why none."""
    try:
        # In UTF-8, UTF-16 or UTF-32, as the first bytes tell. By itself
        # `loads` would take nearly all bytes for UTF-16.
        encoding = json.detect_encoding(raw)
        is_usual = encoding.startswith("utf-8")
        tree = json.loads(raw if is_usual else raw.decode(encoding))
    except UnicodeDecodeError:
        raise Refused(
            f"{name} is no text file in UTF-8, nor in UTF-16"
        ) from None
    except (ValueError, RecursionError):
        raise Refused(f"{name} is no notebook: no JSON") from None
    if not isinstance(tree, dict) or not isinstance(tree.get("nbformat"), int):
        raise Refused(f"{name} is no notebook: it names no format")
    # Half of a sign, as an editor may leave it, can be written nowhere.
    text = json.dumps(tree, ensure_ascii=False).encode("utf-8", "replace")
    try:
        with warnings.catch_warnings():
            # Of what nbformat mends by itself nobody need hear.
            warnings.simplefilter("ignore")
            notebook = nbformat.reads(text.decode("utf-8"), as_version=4)
        readable = all(isinstance(cell, dict) for cell in notebook.cells)
    except Exception:  # nbformat raises many kinds
        readable = False
    if not readable:
        raise Refused(
            f"{name} is no notebook that nbformat "
            f"{nbformat.__version__} can read"
        )
    if len(notebook.cells) > MOST_CELLS:
        raise Refused(
            f"{name} has {len(notebook.cells):,} cells; expected at most "
            f"{MOST_CELLS:,}"
        )
    return notebook


def possible_tasks(solution):
    """The tasks of an assignment, as if nothing was handed in.

    Parameters
    ----------
    solution : list of cell

    Returns
    -------
    list of dict
        As in `Graded`.
    """
    facts = [cell.metadata.get("nbgrader", {}) for cell in solution]
    return [
        {
            "task": fact["grade_id"],
            "score": 0.0,
            "to_mark": 0.0,
            "out_of": float(fact["points"]),
        }
        for fact in facts
        if fact.get("grade")
    ]


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
    result.cells = show_cells(answers.values(), solution)


def what_was_found(notebook, solution):
    """A note and a reason on cells whose marks are gone.

    Parameters
    ----------
    notebook : NotebookNode
        Its marks are restored where that can be done.
    solution : list of cell

    Returns
    -------
    note, reason : str
        Each "" if there is nothing to say.
    """
    visible = without_hidden_tests
    found = give_marks_back(notebook.cells, solution, visible)
    below = take_answers_below(notebook.cells, solution)
    missing = missing_answers(notebook.cells, solution)
    notes, reason = [], ""
    if found:
        notes.append(
            f"{len(found)} cells without a mark were known by their text"
        )
    if below:
        notes.append(f"{', '.join(below)}: answered in a cell below")
    if missing:
        reason = f"no cell answers {', '.join(missing)}"
    if not any(id_of(cell) for cell in notebook.cells):
        reason = "no cell is of this assignment"
    notes.append(note_on(notebook.cells, solution))
    return "; ".join(filter(None, notes)), reason


def questions(solution):
    """The ids of what is answered in words."""
    return {
        id_of(cell)
        for cell in solution
        if cell.cell_type == "markdown" and id_of(cell) is not None
    }


def take_answers_below(cells, solution):
    """Put into an untouched question what is written right below it.

    Parameters
    ----------
    cells : list of cell
        The submission's, its marks restored; changed in place.
    solution : list of cell

    Returns
    -------
    list of str
        The ids of such questions.
    """
    given = {text_of(cell).strip() for cell in solution} | {""}
    written = questions(solution)
    found = []
    for place, cell in enumerate(cells):
        if id_of(cell) not in written or not untouched(cell):
            continue
        own = itertools.takewhile(
            lambda c: c.cell_type == "markdown" and id_of(c) is None,
            cells[place + 1 :],
        )
        texts = [text_of(c) for c in own if text_of(c).strip() not in given]
        if texts:
            cell["source"] = "\n\n".join(texts)
            found.append(id_of(cell))
    return found


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
    return Graded(
        student,
        assignment,
        [
            in_bounds({**task, **scored.get(task["task"], {})})
            for task in possible_tasks(solution)
        ],
        cut_short(executed) or reason,
        note,
        cells=show_cells(executed.cells, solution),
    )


def read_solution(sources, assignment):
    """The cells of an assignment's solution."""
    path = Path(sources, assignment, f"{assignment}.ipynb")
    return nbformat.read(path, as_version=4).cells


def cut_short(notebook):
    """What kept the first cell from running to its end, or ""."""
    for number, cell in enumerate(notebook.cells, start=1):
        for output in cell.get("outputs", []):
            if output.get("ename") == "CellTimeoutError":
                return f"cell {number} took too long"
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
