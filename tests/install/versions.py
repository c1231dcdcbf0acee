"""The library's tests with the oldest or newest versions that we allow.

    python tests/install/versions.py oldest [pytest options]
    python tests/install/versions.py newest [pytest options]

Both read pyproject.toml and install into a temporary environment of the
Python that runs them: ``python3.13 tests/install/versions.py newest`` tries
Python 3.13. What the direct dependencies need in turn is always the newest.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The library's tests need these extras and no others.
EXTRAS = ["check", "distributed", "fast", "grading", "test"]
# And of the book's what shortens a script: one test weighs scripts.
SHORTENERS = ("rcssmin", "rjsmin")
# What pytest says where an older scikit-learn hands it checks by a generator.
OF_OLD_CHECKS = "Passing a non-Collection iterable to parametrize"


def requirements(which):
    """What to install: each direct dependency, at its lower bound or free."""
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    project = tomllib.loads(text)["project"]
    allowed = list(project["dependencies"])
    for extra in EXTRAS:
        allowed += project["optional-dependencies"][extra]
    allowed += [
        line
        for line in project["optional-dependencies"]["book"]
        if line.startswith(SHORTENERS)
    ]
    return [oldest(line) for line in allowed] if which == "oldest" else allowed


def oldest(requirement):
    """``numpy>=2.0`` becomes ``numpy==2.0``; without a bound, it stays."""
    return re.sub(r">=\s*([\w.]+).*", r"==\1", requirement)


def main(which, options):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        programs = "Scripts" if os.name == "nt" else "bin"
        python = str(Path(folder, programs, "python"))
        pip = [python, "-m", "pip", "--disable-pip-version-check"]
        install = [*pip, "install", "--quiet"]
        subprocess.run([*install, *requirements(which)], check=True)
        # What it needs is there already.
        subprocess.run([*install, "--no-deps", str(ROOT)], check=True)
        subprocess.run([*pip, "list"], check=True)
        tests = ["-m", "pytest", "tests/library", "-p", "no:cacheprovider"]
        command = [python, *tests, "-W", f"ignore:{OF_OLD_CHECKS}", *options]
        return subprocess.run(command, cwd=ROOT).returncode


if __name__ == "__main__":
    if sys.argv[1:2] not in (["oldest"], ["newest"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
