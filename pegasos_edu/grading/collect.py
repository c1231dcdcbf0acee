"""Finding what was handed in, whatever the files came to be called.

A browser makes `a1 (1).ipynb` of a second download, Colab keeps `A1.ipynb`,
students write `a1_final.ipynb`. All of them are meant; what is chosen among
several is said. Links are not followed: they may lead to another's work.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

MAC_FOLDER = "__MACOSX"  # what a Mac adds to an archive
OF_AN_ASSIGNMENT = re.compile(r"(?<![a-z0-9])a\d+(?![a-z0-9])", re.IGNORECASE)
NOTEBOOK = re.compile(r"(?P<stem>.*)\.ipynb(\.json|\.txt)?", re.IGNORECASE)


@dataclass(frozen=True)
class Submission:
    """What one student handed in for one assignment.

    Attributes
    ----------
    student, assignment : str
    path : path or None
        The notebook, if there is one to grade.
    problem : str
        Why there is none; "" if there is one.
    note : str
        What was chosen among several files; "" if nothing was.
    """

    student: str
    assignment: str
    path: Path | None = None
    problem: str = ""
    note: str = ""

    @property
    def key(self):
        """The assignment and the student."""
        return self.assignment, self.student


def find_students(submissions):
    """The folders of the students, and links that stand for one.

    Parameters
    ----------
    submissions : path

    Returns
    -------
    list of path
    """
    return sorted(
        path
        for path in Path(submissions).iterdir()
        if not path.name.startswith(".")
        and path.name != MAC_FOLDER
        and (path.is_symlink() or path.is_dir())
    )


def without_student(submissions):
    """The names of notebooks that lie in no student's folder.

    Parameters
    ----------
    submissions : path

    Returns
    -------
    list of str
    """
    return sorted(
        path.name
        for path in Path(submissions).iterdir()
        if NOTEBOOK.fullmatch(path.name) and not path.is_dir()
    )


def is_meant(name, assignment):
    """Whether a name, without its ending, means an assignment.

    Examples
    --------
    >>> [is_meant(n, "a1") for n in ("A1 (1)", "ada_a1", "a10", "aa1")]
    [True, True, False, False]
    >>> [is_meant(n, "a1") for n in ("Assignment 1 - final", "assignment12")]
    [True, False]
    """
    letter, number = assignment.lower()[:1], assignment[1:]
    word = re.escape(assignment.lower())
    if letter == "a" and number.isdigit():
        word = f"a(ssignment)?[ _-]*{number}"
    return bool(re.search(f"(?<![a-z0-9]){word}(?![a-z0-9])", name.lower()))


def entries(folder):
    """What is in a folder, by name, without what is hidden."""
    with os.scandir(folder) as found:
        return sorted(
            (entry for entry in found if not entry.name.startswith(".")),
            key=lambda entry: entry.name,
        )


def find_files(folder, assignment):
    """Files that may be meant, and links that are not followed."""
    files, links = [], []
    for entry in entries(folder):
        notebook = NOTEBOOK.fullmatch(entry.name)
        if not is_meant(
            notebook["stem"] if notebook else entry.name, assignment
        ):
            continue
        if entry.is_symlink():
            links.append(entry.name)
        elif notebook:
            files.append(Path(entry.path))
        elif entry.is_dir(follow_symlinks=False):
            # As nbgrader collects them: STUDENT/a1/a1.ipynb.
            files += [
                Path(inner.path)
                for inner in entries(entry.path)
                if NOTEBOOK.fullmatch(inner.name)
                and is_meant(inner.name, assignment)
            ]
    return files, links


def find_submission(folder, assignment):
    """What the student of a folder handed in for an assignment.

    Parameters
    ----------
    folder : path
    assignment : str

    Returns
    -------
    Submission
    """
    folder = Path(folder)
    name = f"{assignment}.ipynb"
    try:
        files, links = find_files(folder, assignment)
        # The name that was asked for, else what came last.
        files.sort(
            key=lambda path: (path.name == name, path.lstat().st_mtime),
            reverse=True,
        )
    except OSError as error:
        problem = f"the folder cannot be read: {error.strerror}"
        return Submission(folder.name, assignment, problem=problem)
    if files:
        others = ", ".join(str(path.relative_to(folder)) for path in files[1:])
        chosen = files[0]
        note = ""
        if others:
            note = f"{chosen.relative_to(folder)} was graded, not {others}"
        elif chosen.name != name:
            note = f"{chosen.name} was graded"
        return Submission(folder.name, assignment, chosen, note=note)
    problem = f"{name} was not handed in"
    if links:
        problem = f"{links[0]} is a link; expected the file itself"
    elif others := unclear(folder):
        problem += f"; there is {', '.join(others)}"
    return Submission(folder.name, assignment, problem=problem)


def unclear(folder):
    """Names of notebooks in a folder that name no assignment."""
    return [
        entry.name
        for entry in entries(folder)
        if NOTEBOOK.fullmatch(entry.name)
        and not OF_AN_ASSIGNMENT.search(entry.name)
    ]
