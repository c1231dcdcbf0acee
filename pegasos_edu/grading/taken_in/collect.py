"""Finding what was handed in, whatever the files came to be called.

A browser makes `a1 (1).ipynb` of a second download, Colab keeps `A1.ipynb`,
students write `a1_final.ipynb`. All of them are meant; what is chosen among
several is said. Links are not followed: they may lead to another's work.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

NOTHING = "was not handed in"

MAC_FOLDER = "__MACOSX"  # what a Mac adds to an archive
# Folders that systems and editors make, and no student.
OF_A_SYSTEM = re.compile(
    r"\.(?:_.*|~.*|git|svn|hg|github|ipynb_checkpoints|virtual_documents"
    r"|DS_Store|Trash.*|Spotlight-V\d+|fseventsd|TemporaryItems|apdisk"
    r"|DocumentRevisions-V\d+|AppleD\w+|idea|vscode|venv|env|cache|config"
    r"|local|jupyter|ipython|\w+_cache|nfs\w+|snapshots?|stfolder)",
    re.IGNORECASE,
)
OF_AN_ASSIGNMENT = re.compile(
    r"(?<![a-z0-9])a(?:ssignment)?[ _-]*0*(?P<number>\d+)(?![a-z0-9])",
    re.IGNORECASE,
)
LATE = "the platform says that it came late"
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


@dataclass(frozen=True)
class File:
    """A file, and what is known of it.

    Attributes
    ----------
    path : path
    shown : str
        What it was called, with the folders or the archive it was in.
    number : int
        Larger for what came later, where the platform says so.
    late : bool
        Whether the platform says that it came late.
    """

    path: Path
    shown: str
    number: int = 0
    late: bool = False

    @property
    def name(self):
        """What it was called, alone."""
        return Path(self.shown).name


@dataclass(frozen=True)
class HandedIn:
    """All that is one student's.

    Attributes
    ----------
    student : str
    folder : path or None
        Of the student alone, if there is one.
    files : tuple of File
        Others.
    """

    student: str
    folder: Path | None
    files: tuple = ()


def is_notebook(name):
    """Whether a file of this name is a notebook.

    Examples
    --------
    >>> is_notebook("A1-1.IPYNB"), is_notebook("a1.pdf")
    (True, False)
    """
    return NOTEBOOK.fullmatch(name) is not None


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


def is_a_systems(name):
    """Whether systems or editors make folders of this name.

    Examples
    --------
    >>> [is_a_systems(name) for name in (".git", "__MACOSX", "..git", "ada")]
    [True, True, False, False]
    """
    return name == MAC_FOLDER or OF_A_SYSTEM.fullmatch(name) is not None


def hidden_folders(submissions):
    """Names of folders, and of links, that begin with a dot.

    Nobody's work is looked for in them, so they are told of.
    """
    return sorted(
        path.name
        for path in Path(submissions).iterdir()
        if path.name.startswith(".")
        and not is_a_systems(path.name)
        and (path.is_symlink() or path.is_dir())
    )


def is_meant(name, assignment):
    """Whether a name, without its ending, means an assignment.

    Examples
    --------
    >>> [is_meant(n, "a1") for n in ("A1 (1)", "ada_a1", "a10", "aa1")]
    [True, True, False, False]
    >>> [is_meant(n, "a1") for n in ("Assignment 1 - final", "assignment12")]
    [True, False]
    >>> is_meant("A01", "a1")
    True
    """
    letter, number = assignment.lower()[:1], assignment[1:]
    word = re.escape(assignment.lower())
    if letter == "a" and number.isdigit():
        word = f"a(ssignment)?[ _-]*0*{number}"
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
            for inner in entries(entry.path):
                if not NOTEBOOK.fullmatch(inner.name):
                    continue
                if not is_meant(inner.name, assignment):
                    continue
                if inner.is_symlink():
                    links.append(f"{entry.name}/{inner.name}")
                else:
                    files.append(Path(inner.path))
    return files, links


def find_submission(handed_in, assignment):
    """What a student handed in for an assignment.

    Parameters
    ----------
    handed_in : HandedIn or path
        A path is a student's folder.
    assignment : str

    Returns
    -------
    Submission
    """
    if not isinstance(handed_in, HandedIn):
        handed_in = HandedIn(Path(handed_in).name, Path(handed_in))
    student = handed_in.student
    name = f"{assignment}.ipynb"
    folder = handed_in.folder
    try:
        if folder is not None and folder.is_symlink() and folder.is_dir():
            problem = "the folder is a link; expected the folder itself"
            return Submission(student, assignment, problem=problem)
        found, links, others = candidates(handed_in, assignment)
        # What came last by the platform's count, else the name that was
        # asked for, else what came last by the clock.
        found.sort(
            key=lambda file: (
                file.number,
                file.name == name,
                file.path.lstat().st_mtime,
            ),
            reverse=True,
        )
    except OSError as error:
        problem = f"the folder cannot be read: {error.strerror}"
        return Submission(student, assignment, problem=problem)
    if found:
        note = note_on(found, name)
        return Submission(student, assignment, found[0].path, note=note)
    problem = f"{name} {NOTHING}"
    if links:
        problem = f"{links[0]} is a link; expected the file itself"
    elif others:
        problem += f"; there is {', '.join(dict.fromkeys(others))}"
    return Submission(student, assignment, problem=problem)


def note_on(found, name):
    """What is said of the files that were found, the chosen one first.

    Examples
    --------
    >>> note_on([File(None, "a1.ipynb"), File(None, "A1.ipynb")], "a1.ipynb")
    'a1.ipynb was graded, not A1.ipynb'
    """
    chosen, *others = found
    notes = []
    if others:
        also = ", ".join(file.shown for file in others)
        notes.append(f"{chosen.shown} was graded, not {also}")
    elif chosen.name != name:
        notes.append(f"{chosen.shown} was graded")
    if chosen.late:
        notes.append(LATE)
    return "; ".join(notes)


def candidates(handed_in, assignment):
    """Notebooks that may be meant, links, and what else may be.

    Raises
    ------
    OSError
    """
    found, links, others = [], [], []
    folder = handed_in.folder
    if folder is not None:
        files, links = find_files(folder, assignment)
        found = [File(one, str(one.relative_to(folder))) for one in files]
        others = unclear(folder, assignment)
    for file in handed_in.files:
        notebook = NOTEBOOK.fullmatch(file.name)
        if notebook and is_meant(notebook["stem"], assignment):
            if file.path.is_symlink():
                links.append(file.shown)
            else:
                found.append(file)
        elif is_unclear(file.name, assignment):
            others.append(file.shown)
    return found, links, others


def unclear(folder, assignment):
    """Names of files in a folder that may be what was handed in for it."""
    return [
        entry.name
        for entry in entries(folder)
        if is_unclear(entry.name, assignment)
        and (is_notebook(entry.name) or is_meant(entry.name, assignment))
        and not entry.is_dir(follow_symlinks=False)
    ]


def is_unclear(name, assignment):
    """Whether a file may be for an assignment, but is not called so.

    Examples
    --------
    >>> [is_unclear(n, "a1") for n in ("a1.pdf", "final.ipynb", "a2.ipynb")]
    [True, True, False]
    """
    return is_meant(name, assignment) or not OF_AN_ASSIGNMENT.search(name)
