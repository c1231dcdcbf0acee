"""Unpacking what a student or a platform packed, of which nothing is trusted.

Names that lead elsewhere, links and what is too large are left out, and said.
Only notebooks and archives are unpacked; of any other file the name is kept.
"""

import os
import stat
import time
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from pegasos_edu.grading.collect import MAC_FOLDER, is_notebook

MEGABYTE = 1_000_000
LARGEST_NOTEBOOK = 50 * MEGABYTE
LARGEST = 2_000 * MEGABYTE  # a whole class's download, unpacked
MOST = 20_000  # files
DEEPEST = 12  # folders in each other
NOT_IN_NAMES = set('\\:*?"<>|') | {chr(code) for code in range(32)}


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


def unpack(archive, target):
    """Unpack an archive into a new folder.

    Parameters
    ----------
    archive, target : path

    Returns
    -------
    list of str
        What was left out, and why.

    Raises
    ------
    BadArchive
    """
    left_out, taken = [], 0
    Path(target).mkdir(parents=True)
    try:
        with zipfile.ZipFile(archive) as parts:
            members = [one for one in parts.infolist() if not one.is_dir()]
            if len(members) > MOST:
                raise BadArchive(f"it holds more than {MOST} files")
            for member in members:
                if MAC_FOLDER in member.filename.split("/"):
                    continue
                problem = why_not(member)
                if not problem:
                    size = LARGEST - taken
                    raw = content(parts, member, size)
                    problem = "" if raw is not None else "is too large"
                if not problem:
                    taken += len(raw)
                    problem = write(target, member, raw)
                if problem:
                    left_out.append(f"{member.filename!r} {problem}")
    except (OSError, ValueError, RuntimeError, EOFError) as error:
        # An archive that is encrypted is a RuntimeError.
        raise BadArchive(str(error)) from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError) as error:
        raise BadArchive(str(error)) from None
    return left_out


def why_not(member):
    """Why a file in an archive is not taken out; "" if it can be."""
    name = PurePosixPath(member.filename)
    if name.is_absolute() or ".." in name.parts:
        return "leads out of the archive"
    if len(name.parts) > DEEPEST or set(member.filename) & NOT_IN_NAMES:
        return "has no name for a file"
    if stat.S_ISLNK(member.external_attr >> 16):
        return "is a link"
    return ""


def content(parts, member, most):
    """The bytes to keep of a file; None if they are too many.

    What an archive says of a file's size need not be true.
    """
    if is_notebook(member.filename):
        most = min(most, LARGEST_NOTEBOOK)
    elif not is_archive(member.filename):
        return b""
    with parts.open(member) as file:
        raw = file.read(most + 1)
    return raw if len(raw) <= most else None


def write(target, member, raw):
    """Write a file, with the time it has in the archive."""
    path = Path(target, *PurePosixPath(member.filename).parts)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(path, "xb") as file:
            file.write(raw)
        when = time.mktime((*member.date_time, 0, 0, -1))
        os.utime(path, (when, when))
    except FileExistsError:
        return "is there twice"
    except (OSError, ValueError, OverflowError) as error:
        return f"cannot be written ({error})" if not path.exists() else ""
    return ""
