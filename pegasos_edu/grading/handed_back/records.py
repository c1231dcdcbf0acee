"""Results on disk: one file each, written as soon as there is a result.

Whatever ends the grader, what was graded stays; the next run goes on from
there. A record carries a fingerprint of all that decides a score, so what
has changed since is graded again.
"""

import contextlib
import dataclasses
import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path

from filelock import FileLock, Timeout

import pegasos_edu

HIDDEN = ".results"
STRETCH = "stretch-"  # how the names of tasks for extra points begin


@dataclass
class Graded:
    """What one submission scored, and why if it could not be graded.

    Attributes
    ----------
    student, assignment : str
    tasks : list of dict
        task, score, out_of and to_mark (points left to a marker).
    reason : str
        Why there is no score, or what cut the run short; "" if nothing.
    note : str
        What a lecturer may want to know: the file that was chosen, cells
        that were found by their text.
    seconds : float
    cells : str
        The feedback on each cell, as HTML.
    days_late : int
    late_share : float
        The share of the points that this costs. Neither is kept: both
        follow from the rules of the course.
    """

    student: str
    assignment: str
    tasks: list = field(default_factory=list)
    reason: str = ""
    note: str = ""
    seconds: float = 0.0
    cells: str = ""
    days_late: int = 0
    late_share: float = 0.0

    def taken_off(self):
        """The points that lateness costs of those that everybody is asked.

        As many as there are, at most.
        """
        return round(self.total("score") - self.after(), 4)

    def after(self):
        """What remains of the score after lateness."""
        off = self.late_share * self.total("out_of")
        return round(max(0.0, self.total("score") - off), 4)

    def stretch_after(self):
        """What remains of the stretch track's points after lateness."""
        off = self.late_share * self.stretch("out_of")
        return round(max(0.0, self.stretch("score") - off), 4)

    def total(self, name):
        """Points of the tasks that everybody is asked."""
        return sum(t[name] for t in self.tasks if not is_stretch(t["task"]))

    def stretch(self, name):
        """Points of the stretch track, which counts apart."""
        return sum(t[name] for t in self.tasks if is_stretch(t["task"]))


def is_stretch(task):
    """Whether a task is of the stretch track.

    Examples
    --------
    >>> is_stretch("stretch-proof"), is_stretch("bound")
    (True, False)
    """
    return task.startswith(STRETCH)


def in_bounds(task):
    """A task's points, never below 0 or above what it is worth.

    Examples
    --------
    >>> in_bounds({"task": "a", "score": 9.0, "to_mark": 0.0, "out_of": 2})
    {'task': 'a', 'score': 2.0, 'to_mark': 0.0, 'out_of': 2}
    """
    score = task["score"]
    if not score >= 0:  # not a number, too
        score = 0.0
    return {**task, "score": float(min(score, task["out_of"]))}


def fingerprint(*parts):
    """A short text that differs where any of the parts does.

    Parameters
    ----------
    *parts : bytes or object
        Anything else counts by its `repr`.
    """
    digest = hashlib.sha256()
    for part in parts:
        raw = part if isinstance(part, bytes) else repr(part).encode()
        digest.update(hashlib.sha256(raw).digest())
    return digest.hexdigest()


def package_fingerprint():
    """The fingerprint of this package: its checks decide scores."""
    root = Path(pegasos_edu.__file__).parent
    sources = sorted(root.rglob("*.py"))
    return fingerprint(*(path.read_bytes() for path in sources))


# Beside the lock: which process has it.
HOLDER = "holder"


class Taken(Exception):
    """Another process writes to the folder of grades; it says which."""


class Records:
    """The results in a folder of grades.

    Parameters
    ----------
    folder : path
        Where scores.csv goes, too.
    """

    def __init__(self, folder):
        self.folder = Path(folder) / HIDDEN

    def path(self, student, assignment):
        return self.folder / assignment / student / "result.json"

    @contextlib.contextmanager
    def alone(self):
        """Keep other graders out of the folder, or raise `Taken`.

        The system lets go of the lock when the process ends, however it
        ends, so nobody has to remove it by hand.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self.folder / "lock", blocking=False)
        try:
            lock.acquire()
        except Timeout:
            raise Taken(self.holder()) from None
        try:
            (self.folder / HOLDER).write_text(f"process {os.getpid()}")
            yield
        finally:
            (self.folder / HOLDER).unlink(missing_ok=True)
            lock.release()

    def holder(self):
        """Who has the lock: a number that can be told to end."""
        try:
            return (self.folder / HOLDER).read_text("utf-8")
        except OSError:  # it has just begun, or just ended
            return "just now"

    def begin(self, student, assignment):
        """Note that its grading begins."""
        path = self.path(student, assignment)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name("begun").touch()

    def was_begun(self, student, assignment):
        """Whether a run ended in the middle of it."""
        return self.path(student, assignment).with_name("begun").exists()

    def forget_begun(self, student, assignment):
        begun = self.path(student, assignment).with_name("begun")
        begun.unlink(missing_ok=True)

    def save(self, result, mark):
        """Write a result with its fingerprint; whole, or not at all."""
        path = self.path(result.student, result.assignment)
        path.parent.mkdir(parents=True, exist_ok=True)
        content = {"fingerprint": mark, **dataclasses.asdict(result)}
        # Another name first: a run that ends here leaves the old file.
        unfinished = path.with_suffix(".new")
        unfinished.write_text(json.dumps(content), "utf-8")
        os.replace(unfinished, path)
        self.forget_begun(result.student, result.assignment)

    def load(self, student, assignment):
        """The fingerprint and the result, or None if there is none."""
        try:
            text = self.path(student, assignment).read_text("utf-8")
            content = json.loads(text)
            return content.pop("fingerprint"), Graded(**content)
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError):
            return None  # damaged, or of another version: grade again

    def all(self):
        """Every result there is, by assignment and student."""
        paths = sorted(self.folder.glob("*/*/result.json"))
        names = [(path.parent.name, path.parts[-3]) for path in paths]
        found = [self.load(*name) for name in names]
        results = [entry[1] for entry in found if entry]
        return sorted(results, key=lambda r: (r.assignment, r.student))
