"""The files of Pyodide, which is Python for browsers: found and checked.

They are not part of the project. `find` takes them from a folder, from the
user's cache, or from Pyodide's own release; `kit.json` names them, with their
SHA-256 sums: those of Pyodide's lock file, and of the npm package for what
that file does not list. A file with another sum is refused.
"""

import hashlib
import http.client
import json
import os
import sys
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
KIT = json.loads((HERE / "kit.json").read_text("utf-8"))
SUMS = KIT["sha256"]
# What came is written under a name that no one takes for the whole file.
UNFINISHED = ".part"
SECONDS = 60


class Refused(Exception):
    """Why there is no kit, and what to do about it, in one sentence."""


def cache_folder(environment=os.environ, platform=sys.platform):
    """Where fetched files are kept for the next time.

    PEGASOS_CACHE names another folder.
    """
    if environment.get("PEGASOS_CACHE"):
        base = Path(environment["PEGASOS_CACHE"])
    elif platform == "win32" and environment.get("LOCALAPPDATA"):
        base = Path(environment["LOCALAPPDATA"]) / "pegasos-edu"
    elif platform == "darwin":
        base = Path.home() / "Library" / "Caches" / "pegasos-edu"
    else:
        caches = environment.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        base = Path(caches) / "pegasos-edu"
    return base / f"pyodide-{KIT['version']}"


def is_genuine(name, data):
    return hashlib.sha256(data).hexdigest() == SUMS[name]


def check(folder):
    """Refuse a folder in which a file is missing or is another."""
    for name in SUMS:
        path = Path(folder, name)
        if not path.is_file():
            raise Refused(
                f"There is no {name} in {folder}: give the folder that has "
                f"all files of Pyodide {KIT['version']}."
            )
        if not is_genuine(name, path.read_bytes()):
            raise Refused(
                f"{path} is not the file of Pyodide {KIT['version']}: its "
                f"SHA-256 sum is another, so it is not used; delete it and "
                f"get it again."
            )


def fetch(name, address, folder):
    """Fetch one file into the folder; refused unless its sum is right."""
    url = address.rstrip("/") + "/" + name
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            data = answer.read()
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise Refused(
            f"{name} could not be fetched from {address} ({error}): check "
            f"the network, or give a folder that has it with --kit."
        ) from error
    if not is_genuine(name, data):
        raise Refused(
            f"{name} from {address} is not the file of Pyodide "
            f"{KIT['version']}: its SHA-256 sum is another, so it is not "
            f"used."
        )
    unfinished = folder / (name + UNFINISHED)
    unfinished.write_bytes(data)
    unfinished.replace(folder / name)


def find(given=None, address=None, say=print):
    """A folder with all files of the kit, each with the right sum.

    Parameters
    ----------
    given : path, optional
        A folder that must have them; nothing is fetched then.
    address : str, optional
        Where to fetch from what the cache lacks: Pyodide's own release.
    say : callable
        Told what is being fetched.

    Raises
    ------
    Refused
        If a file cannot be had, or is not the genuine one.
    """
    if given is not None:
        check(given)
        return Path(given)
    folder = cache_folder()
    folder.mkdir(parents=True, exist_ok=True)
    for name in SUMS:
        path = folder / name
        if not (path.is_file() and is_genuine(name, path.read_bytes())):
            source = address or KIT["address"]
            say(f"Fetching {name} from {source}")
            fetch(name, source, folder)
    return folder
