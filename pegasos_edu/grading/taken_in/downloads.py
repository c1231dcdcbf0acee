"""Downloads from Canvas and Moodle, taken as they were packed.

Canvas packs the files of all students into one folder and puts in front of
each name whose it is: ``lovelaceada_LATE_57_901_A1-1.ipynb`` is file 901 of
user 57. Moodle makes a folder ``Ada Lovelace_57_assignsubmission_file``, or
packs flat, too; its number is another one in each assignment. (In their
sources: Canvas's ``content_zipper.rb``, Moodle's ``mod/assign``.) Anything may
still be an archive. What a student wrote inside an archive is not trusted.
"""

import os
import re
import unicodedata
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, islice
from pathlib import Path

from pegasos_edu.grading.taken_in.archives import (
    LARGEST,
    LARGEST_OF_ONE,
    BadArchive,
    is_archive,
    unpack,
)
from pegasos_edu.grading.taken_in.collect import (
    OF_AN_ASSIGNMENT,
    File,
    HandedIn,
    find_students,
    hidden_folders,
    is_notebook,
)

OTHER_ARCHIVES = re.compile(
    r"\.(?:7z|rar|gz|tgz|bz2|xz|tar|zst)$", re.IGNORECASE
)
MOST_SAID = 5  # of what is left out of an archive
CANVAS = re.compile(
    r"(?P<who>\w*?)_(?P<late>LATE_)?(?P<user>\d+)_(?P<file>\d+)_(?P<shown>.+)"
)
# An assignment that is marked without knowing the names.
ANONYMOUS = re.compile(
    r"(?P<late>LATE_)?(?P<who>anon)_(?P<user>[A-Za-z0-9]+)_(?P<file>\d+)"
    r"_(?P<shown>.+)"
)
MOODLE = re.compile(
    r"(?P<who>[^_]+)_(?P<user>\d+)_assignsubmission_[a-z]+_?(?P<shown>.*)"
)


@dataclass(frozen=True)
class Piece:
    """A file or a folder that a platform packed for somebody.

    Attributes
    ----------
    platform : str
    who, user : str
        The name as the platform spells it, and its number.
    files : tuple of File
    """

    platform: str
    who: str
    user: str
    files: tuple

    @property
    def label(self):
        """A name that nobody else has."""
        return f"{self.who}_{self.user}"

    @property
    def assignments(self):
        """The assignments that its notebooks name."""
        return named_by(self.files)


def named_by(files):
    """The numbers of the assignments that some notebooks name.

    Examples
    --------
    >>> named_by([File(None, "work/Assignment 1.ipynb"), File(None, "a2.pdf")])
    {'1'}
    """
    names = [file.name for file in files if is_notebook(file.name)]
    found = [OF_AN_ASSIGNMENT.search(name) for name in names]
    return {one["number"] for one in found if one}


def handed_in(submissions, students, place):
    """What each student handed in, however it is packed.

    Parameters
    ----------
    submissions : path
        A folder of folders, one a student; or a download of Canvas or
        Moodle, unpacked or not.
    students : list of Student
        The roster; empty if there is none.
    place : path
        An empty folder that archives are unpacked to.

    Returns
    -------
    found : list of HandedIn
    said : list of str
        What was not clear, a sentence each.
    """
    packer = Unpacker(place)
    folder = Path(submissions)
    if folder.is_file():
        folder = packer.folder_of(folder)
    pieces, plain = [], []
    if folder is not None:
        pieces, plain = packer.sort_out(folder)
    found = [packer.of_a_folder(one) for one in plain]
    found += whose(pieces, Names(students), packer.said)
    found = one_each(found, packer)
    return sorted(found, key=lambda one: one.student), packer.said


class Unpacker:
    """Finds files, and unpacks archives on the way.

    Parameters
    ----------
    place : path
    """

    def __init__(self, place):
        self.place = Path(place)
        self.said: list[str] = []
        self.number = 0

    def folder_of(self, archive, most=LARGEST, within=""):
        """A folder with what is in an archive; None if it cannot be read.

        Parameters
        ----------
        archive : path
        most : int
            Bytes that it may hold.
        within : str
            The folder or the archive it is in, as it is told of.
        """
        self.number += 1
        shown = f"{within}{archive.name}"
        target = self.place / str(self.number)
        try:
            left_out = unpack(archive, target, most)
        except BadArchive as problem:
            self.said.append(f"{shown} cannot be read: {problem}.")
            return None
        more = len(left_out) - MOST_SAID
        if more > 0:
            left_out[MOST_SAID:] = [f"{more} more files are left out"]
        self.said += [f"{shown}: {problem}" for problem in left_out]
        return target

    def sort_out(self, folder, archive=""):
        """The pieces of a download in a folder, and the plain folders.

        Archives that lie beside them are opened; folders that are some
        student's are not searched for downloads: a name in there is what
        the student wrote.

        Parameters
        ----------
        folder : path
        archive : str
            The name of the archive that it was in.
        """
        pieces, plain, unclear, packed = [], [], [], []
        students = set(find_students(folder))
        for path in sorted(Path(folder).iterdir()):
            if path.name.startswith("."):
                continue
            piece = self.piece_of(path)
            if piece:
                pieces.append(piece)
            elif path in students:
                plain.append(path)
            elif is_archive(path.name):
                inner = self.folder_of(path, within=archive)
                if inner is not None:
                    shown = f"{archive}{path.name}/"
                    more, others = self.sort_out(inner, shown)
                    pieces += more
                    plain += others
            elif is_notebook(path.name):
                unclear.append(archive + path.name)
            elif OTHER_ARCHIVES.search(path.name):
                packed.append(archive + path.name)
        hidden = [archive + name for name in hidden_folders(folder)]
        if hidden:
            self.said.append(
                f"Left out, as the names begin with a dot: "
                f"{', '.join(hidden)}; expected other names for students' "
                f"folders."
            )
        if packed:
            self.said.append(
                f"Not opened: {', '.join(packed)}; expected zip archives, or "
                f"folders."
            )
        if archive and not (pieces or plain or unclear):
            self.said.append(
                f"{archive[:-1]} holds neither a student's folder nor a "
                f"notebook."
            )
        if unclear:
            self.said.append(
                f"Not graded, as neither a student's folder nor a platform's "
                f"name says whose they are: {', '.join(unclear)}; expected "
                f"SUBMISSIONS/STUDENT/aN.ipynb."
            )
        return pieces, plain

    def piece_of(self, path):
        """What a platform packed here, or None."""
        is_folder = path.is_dir() and not path.is_symlink()
        for platform, pattern in (
            ("Moodle", MOODLE),
            ("Canvas", ANONYMOUS),
            ("Canvas", CANVAS),
        ):
            facts = pattern.fullmatch(path.name)
            if facts is None or (is_folder and platform != "Moodle"):
                continue
            named = facts.groupdict()
            if is_folder:
                files = self.inside(path)
            else:
                file = File(
                    path,
                    named["shown"] or path.name,
                    int(named.get("file") or 0),
                    bool(named.get("late")),
                )
                files = self.opened(file)
            return Piece(platform, named["who"], named["user"], tuple(files))
        return None

    def inside(self, folder):
        """All files in a folder, and in its folders; none behind a link."""
        found = []
        if folder.is_symlink():
            return found
        for root, folders, names in os.walk(folder):
            folders[:] = sorted(
                name for name in folders if not name.startswith((".", "__"))
            )
            for name in sorted(names):
                path = Path(root, name)
                if not name.startswith("."):
                    shown = path.relative_to(folder).as_posix()
                    found += self.opened(File(path, shown), f"{folder.name}/")
        return found

    def opened(self, file, within=""):
        """A file, or the files in it if it is an archive.

        Archives in it stay as they are. What is said of it names the folder
        that it is within.
        """
        if not is_archive(file.name) or file.path.is_symlink():
            return [file]
        if not file.path.is_file():  # to open a pipe would wait for ever
            return [file]
        folder = self.folder_of(file.path, LARGEST_OF_ONE, within)
        if folder is None:
            return [file]
        found = [
            replace(
                file,
                path=path,
                shown=f"{file.shown}/{path.relative_to(folder).as_posix()}",
            )
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        ]
        return found or [file]

    def of_a_folder(self, folder):
        """What is in a student's own folder, its archives opened."""
        files = []
        # One that cannot be read is told of where it is looked into.
        with suppress(OSError):
            for path in sorted(folder.iterdir()):
                if is_archive(path.name) and not folder.is_symlink():
                    files += self.opened(
                        File(path, path.name), f"{folder.name}/"
                    )
        return HandedIn(folder.name, folder, tuple(files))


def one_each(found, packer):
    """Let each student be there once.

    Two archives may have a folder of the same name, and a folder may lie
    beside a download. They are put together if no two of them name one
    assignment; else the first has the name, and each other one a number.

    Parameters
    ----------
    found : list of HandedIn
    packer : Unpacker

    Returns
    -------
    list of HandedIn
    """
    groups = defaultdict(list)
    for one in found:
        groups[one.student].append(one)
    everybody = []
    for student, several in groups.items():
        if len(several) == 1:
            everybody += several
            continue
        files = [
            packer.inside(one.folder) if one.folder else list(one.files)
            for one in several
        ]
        named = [named_by(some) for some in files]
        if all(named) and sum(map(len, named)) == len(set().union(*named)):
            everything = [file for some in files for file in some]
            everybody.append(HandedIn(student, None, tuple(everything)))
            continue
        free = (f"{student} ({n})" for n in count(2))
        unused = (name for name in free if name not in groups)
        labels = [student, *islice(unused, len(several) - 1)]
        packer.said.append(
            f"{student} is there {len(several)} times: graded apart, as "
            f"{', '.join(labels)}."
        )
        everybody += [
            replace(one, student=label) for one, label in zip(several, labels)
        ]
    return everybody


def whose(pieces, names, said):
    """Put together what is one student's.

    Parameters
    ----------
    pieces : list of Piece
    names : Names
    said : list of str
        Is added to.

    Returns
    -------
    list of HandedIn
    """
    groups = defaultdict(list)
    for piece in pieces:
        # Moodle's number is another one in each assignment.
        by_name = piece.platform == "Moodle"
        groups[piece.platform, piece.who if by_name else piece.label].append(
            piece
        )
    people = []
    for (platform, who), group in groups.items():
        if platform == "Moodle" and are_several(group):
            said.append(
                f"{platform} packed several people of the name {who}: each "
                f"is graded under name and number."
            )
            people += by_label(group)
        else:
            people.append((who if platform == "Moodle" else None, group))
    return name_them(people, names, said)


def are_several(group):
    """Whether pieces of one name are of several people.

    They are one person's if no two of another number name one assignment.
    What lies beside a notebook of the same number, such as a text, names none.
    """
    seen = {}
    clear = {piece.user for piece in group if piece.assignments}
    for piece in group:
        if not piece.files or (not piece.assignments and piece.user in clear):
            continue
        for name in piece.assignments or {""}:
            if seen.setdefault(name, piece.user) != piece.user:
                return True
    return "" in seen and len({piece.user for piece in group}) > 1


def by_label(group):
    """Pieces of one name, as pieces of a person for each number."""
    each = defaultdict(list)
    for piece in group:
        each[piece.label].append(piece)
    return [(None, pieces) for pieces in each.values()]


def name_them(people, names, said):
    """The students, by the roster where it knows them."""
    chosen = defaultdict(list)
    for shown, group in people:
        first = group[0]
        label = shown or first.label
        known, problem = names.match(first, alone=shown is not None)
        if problem:
            said.append(f"{label}: {problem}; graded under that name.")
        chosen[known or label].append((label, group))
    found = []
    for student, several in chosen.items():
        if len(several) > 1:
            labels = ", ".join(label for label, _ in several)
            said.append(
                f"{labels}: all fit {student} in the roster; each is graded "
                f"under its own name."
            )
        for label, group in several:
            name = student if len(several) == 1 else label
            files = [each for piece in group for each in piece.files]
            found.append(HandedIn(as_folder(name), None, tuple(files)))
    return found


def as_folder(name):
    """A name that can be a folder's."""
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]|^\.+|\.+$', "-", name) or "-"


def spelt(text):
    """A name without what platforms drop, change or turn round.

    Marks stay: in many scripts they are the vowels.

    Examples
    --------
    >>> spelt("O’Brien, Jörg"), spelt("obrienjörg")
    ('obrienjörg', 'obrienjörg')
    """
    text = unicodedata.normalize("NFKC", text).casefold()
    return "".join(
        letter
        for letter in text
        if letter.isalnum() or unicodedata.category(letter)[0] == "M"
    )


class Names:
    """The names under which platforms may know the students of a roster.

    Parameters
    ----------
    students : list of Student
    """

    def __init__(self, students):
        self.students = students
        self.by_number, self.by_name = {}, defaultdict(set)
        self.numbered = set()
        for student in students:
            line = {
                name.strip().casefold(): value.strip()
                for name, value in student.line.items()
            }
            # Canvas's own column, and no other that is called "id".
            number = student.line.get("ID", "").strip()
            if number and "Student" in student.line:
                self.by_number[number] = student.id
                self.numbered.add(student.id)
            for name in names_in(line):
                if spelt(name):
                    self.by_name[spelt(name)].add(student.id)

    def match(self, piece, alone):
        """The id of the student a piece is of, and what is not clear.

        Parameters
        ----------
        piece : Piece
        alone : bool
            Whether nobody else in the download has that name.

        Returns
        -------
        known, problem : str
            Each may be "".
        """
        if not self.students:
            return "", ""
        if piece.platform == "Canvas":
            if piece.user in self.by_number:
                return self.by_number[piece.user], ""
            alone = True
        fits = sorted(self.by_name.get(spelt(piece.who), ()))
        if piece.platform == "Canvas":  # whoever has a number has another
            fits = [one for one in fits if one not in self.numbered]
        if len(fits) == 1 and alone:
            return fits[0], ""
        if fits:
            return "", f"it may be {' or '.join(fits)} of the roster"
        return "", "nobody in the roster has this name"


def names_in(line):
    """All names in a line of a roster, in both orders.

    Examples
    --------
    >>> sorted(names_in({"student": "Lovelace, Ada"}))
    ['Ada Lovelace', 'Lovelace, Ada']
    """
    found = set()
    for column in ("student", "full name", "name", "fullname"):
        name = line.get(column, "")
        found.add(name)
        last, comma, first = name.partition(",")
        if comma:
            found.add(f"{first.strip()} {last.strip()}")
    first = line.get("first name", line.get("firstname", ""))
    last = line.get("last name", line.get("surname", line.get("lastname", "")))
    if first and last:
        found |= {f"{first} {last}", f"{last} {first}"}
    found.discard("")
    # Moodle may put the user name in front.
    user = line.get("username", "")
    return found | ({f"{user} {name}" for name in found} if user else set())
