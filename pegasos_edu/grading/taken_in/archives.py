"""Unpacking what a student or a platform packed, of which nothing is trusted.

Names that lead elsewhere, links and what is too large are left out, and said.
Only notebooks and archives are unpacked; of any other file the name is kept.
"""

import os
import stat
import time
import zipfile
from contextlib import suppress
from pathlib import Path, PurePosixPath

from pegasos_edu.grading.taken_in.collect import (
    MAC_FOLDER,
    is_a_systems,
    is_notebook,
)

MEGABYTE = 1_000_000
LARGEST_NOTEBOOK = 50 * MEGABYTE
LARGEST = 2_000 * MEGABYTE  # a whole class's download, unpacked
LARGEST_OF_ONE = 200 * MEGABYTE  # what one student packed
MOST = 20_000  # files
DEEPEST = 12  # folders in each other
LONGEST = 100  # letters of a name, where it is printed
# What no system lets stand in a name.
NOT_IN_NAMES = set(':*?"<>|') | {chr(code) for code in range(32)}


class BadArchive(Exception):
    """Why an archive cannot be unpacked, in a few words."""


def is_archive(name):
    """Whether a name is that of a zip archive.

    Examples
    --------
    >>> is_archive("A1.ZIP"), is_archive("a1.ipynb")
    (True, False)
    """
    return name.lower().endswith(".zip")


def unpack(archive, target, most=LARGEST):
    """Unpack an archive into a new folder.

    Parameters
    ----------
    archive, target : path
    most : int
        Bytes that are unpacked, all in all.

    Returns
    -------
    list of str
        What was left out, and why.

    Raises
    ------
    BadArchive
        If nothing of it can be read.
    """
    left_out = []
    Path(target).mkdir(parents=True)
    try:
        parts = zipfile.ZipFile(archive)
    except Exception as error:  # zipfile raises many kinds
        raise BadArchive(str(error)) from None
    with parts:
        members = [
            one
            for one in parts.infolist()
            if not one.filename.endswith(("/", "\\"))
        ]
        if len(members) > MOST:
            raise BadArchive(f"it holds more than {MOST} files")
        for member in members:
            place = place_of(member.filename)
            if is_hidden(place) and not may_be_work(place):
                continue
            problem = why_not(member, place)
            if not problem:
                raw, problem = content(parts, member, most)
            if not problem:
                most -= len(raw)
                problem = write(Path(target, place), member, raw)
            if problem:
                left_out.append(f"{member.filename[:LONGEST]!r} {problem}")
    return left_out


def place_of(name):
    """Where a file belongs, by its name in an archive.

    Some programs of Windows write a backslash between folders.

    Examples
    --------
    >>> str(place_of("work\\\\a1: final?.ipynb"))
    'work/a1- final-.ipynb'
    """
    name = name.replace("\\", "/")
    return PurePosixPath(
        "".join("-" if letter in NOT_IN_NAMES else letter for letter in name)
    )


def is_hidden(place):
    """Whether a file is what a Mac or an editor adds, as in folders.

    Examples
    --------
    >>> [is_hidden(place_of(name)) for name in (
    ...     "._a1.ipynb", ".ipynb_checkpoints/a1.ipynb", "../a1.ipynb")]
    [True, True, False]
    """
    return any(
        part == MAC_FOLDER or (part[0] == "." and part != "..")
        for part in place.parts
    )


def may_be_work(place):
    """Whether a hidden file may be what a student handed in.

    Examples
    --------
    >>> [may_be_work(place_of(name)) for name in (
    ...     ".ada/a1.ipynb", ".git/a1.ipynb", ".ada/note.txt", "._a1.ipynb")]
    [True, False, False, False]
    """
    *folders, name = place.parts
    hidden = [part for part in folders if part[0] == "." and part != ".."]
    systems = [part for part in folders if is_a_systems(part)]
    return bool(hidden) and not systems and is_notebook(name)


def why_not(member, place):
    """Why a file in an archive is not taken out; "" if it can be."""
    if is_hidden(place):
        return "is in a folder whose name begins with a dot"
    if place.is_absolute() or ".." in place.parts:
        return "leads out of the archive"
    if not place.parts or len(place.parts) > DEEPEST:
        return "has no name for a file"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return ""


def content(parts, member, most):
    """The bytes to keep of a file, and why there are none.

    What an archive says of a file's size need not be true.

    Returns
    -------
    raw : bytes
    problem : str
        "" if there is none.
    """
    if is_notebook(member.filename):
        most = min(most, LARGEST_NOTEBOOK)
    elif not is_archive(member.filename):
        return b"", ""
    try:
        with parts.open(member) as file:
            raw = file.read(most + 1)
    except Exception as error:  # zipfile raises many kinds
        return b"", f"cannot be read ({error})"
    return (raw, "") if len(raw) <= most else (b"", "is too large")


def write(path, member, raw):
    """Write a file, with the time it has in the archive; why not, or ""."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as file:
            file.write(raw)
    except FileExistsError:
        return "is there twice"
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            path.unlink()  # half of it is worse than none
        return f"cannot be written ({getattr(error, 'strerror', error)})"
    with suppress(OSError, ValueError, OverflowError):
        when = time.mktime((*member.date_time, 0, 0, -1))
        os.utime(path, (when, when))
    return ""
