"""The project's commands; nothing but Python's standard library is needed.

    python tasks.py book [--no-open]       build the book and open it
    python tasks.py book --python          the same, with code that runs in it
    python tasks.py serve [--python]       build the book and serve it here
    python tasks.py test [pytest options]  test package, notebooks and pages
    python tasks.py test --quick           the daily loop, in a minute
    python tasks.py check                  format the code and check it
    python tasks.py lab [jupyter options]  open copies of the notebooks
    python tasks.py slides [chapters]      make slides from the chapters
    python tasks.py pdf [chapters]         print the book into one file
    python tasks.py refresh [notebooks]    execute the notebooks again
    python tasks.py release                make the students' notebooks
    python tasks.py wheel [--sdist]        make the file students install
    python tasks.py grade FOLDER [--out GRADES]   grade submissions
    python tasks.py course --secret KEY    make a course of your own
    python tasks.py similar FOLDER         find answers that are alike

Each command first makes sure that ``.venv`` holds the pinned packages;
``installation.py`` does that. Python 2.7 must be able to read this file, so
that it says one sentence instead of a SyntaxError: hence no f-strings here.
"""

import sys

OLDEST_PYTHON = (3, 11)
if sys.version_info < OLDEST_PYTHON:
    # Said before anything is imported that an old Python does not have.
    sys.exit(
        "[tasks] Python %d.%d is too old: install Python 3.11 or newer and "
        "run this command with it." % sys.version_info[:2]
    )

import argparse
import difflib
import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# PYTHONSAFEPATH would hide the project's own modules.
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from installation import (
    NOT_INPUTS,
    ROOT,
    Step,
    Stop,
    digest,
    ensure_environment,
    environment_variables,
    input_files,
    meaning_of_error,
    run,
    say,
    signs_of_life,
    venv_program,
)

BUILD = ROOT / "_build"
SITE = BUILD / "html"
# The same pages, with code cells that run in them.
PYTHON_SITE = BUILD / "python"
# The package's wheel, which a page offers.
DOWNLOAD = BUILD / "wheel"
BOOK_STAMP = BUILD / "book.json"
# What decides how the pages come out.
BOOK_INPUTS = [
    "book",
    "pegasos_edu",
    "_config.yml",
    "_toc.yml",
    "requirements.txt",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "LICENSE-TEXT",
]
# Seconds until a cell counts as never ending; a busy machine is slow.
CELL_TIMEOUT = 3600
ASSIGNMENTS = ROOT / "book" / "assignments"
EXTENSIONS = ROOT / "book" / "_ext"
WIDGET = "application/vnd.jupyter.widget-view+json"
WORKERS = 2
# How each program is told to keep nothing for its next run.
WITHOUT_CACHE = {
    "lint-imports": ["--no-cache"],
    "mypy": ["--cache-dir", os.devnull],
    "pytest": ["-p", "no:cacheprovider"],
    "ruff": ["--no-cache"],
}


def cache_options(program):
    """Options for a program where nothing can be written beside the code."""
    if os.access(str(ROOT), os.W_OK):
        return []
    return WITHOUT_CACHE.get(program, [])


# The book


def site_state():
    """Names, sizes and times of the built files: has anyone touched them?"""
    state = hashlib.sha256()
    for path in sorted(SITE.rglob("*")):
        if path.is_file():
            facts = path.stat()
            name = path.relative_to(SITE).as_posix()
            line = "{} {} {}\n".format(name, facts.st_size, facts.st_mtime_ns)
            state.update(line.encode())
    return state.hexdigest()


def book_is_current():
    """Whether the built book is the one its present inputs give."""
    if not BOOK_STAMP.exists() or not SITE.exists():
        return False
    try:
        stamp = json.loads(BOOK_STAMP.read_text())
    except ValueError:  # damaged
        return False
    return stamp == {"inputs": digest(BOOK_INPUTS), "site": site_state()}


def build_book():
    """Build the book unless it is current; warnings are errors.

    The stamp is written after a complete build without a warning only, so
    a failed build never counts as built.
    """
    if book_is_current():
        say("The book is up to date.")
        return
    BOOK_STAMP.unlink(missing_ok=True)
    inputs = digest(BOOK_INPUTS)
    shutil.rmtree(SITE, ignore_errors=True)
    make_download()
    command = [
        venv_program("jupyter-book"),
        "build",
        ".",
        "--all",
        "-W",
        "--keep-going",
        "--quiet",
    ]
    with Step("Building the book"), signs_of_life(pages_built, "pages"):
        # Warnings and errors come on the other channel.
        if run(command, stdout=subprocess.DEVNULL):
            raise Stop(
                "The book was not built: read the warnings above and "
                "correct them."
            )
    stamp = {"inputs": inputs, "site": site_state()}
    BOOK_STAMP.write_text(json.dumps(stamp))


def pages_built():
    return len(list(SITE.rglob("*.html")))


def make_download():
    """Make the package's wheel where the page for students looks for it."""
    shutil.rmtree(str(DOWNLOAD), ignore_errors=True)
    DOWNLOAD.mkdir(parents=True)
    with Step("Making the package's wheel"):
        make_package("build_wheel", WHEEL_INPUTS, DOWNLOAD)


def can_open_browser():
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def make_site(options):
    """Build the book, with live code if asked for; the folder it is in."""
    if not options.python and (options.kit or options.kit_from):
        raise Stop("--kit and --kit-from are for --python: add it.")
    ensure_environment()
    build_book()
    if not options.python:
        return SITE
    command = [
        venv_program("python"),
        "-m",
        "live_code.make",
        SITE,
        PYTHON_SITE,
    ]
    if options.kit:
        # It is named from where the command is given.
        command += ["--kit", Path(options.kit).absolute()]
    if options.kit_from:
        command += ["--kit-from", options.kit_from]
    with Step("Adding Python to the pages"):
        if run(command, cwd=EXTENSIONS):
            raise Stop("The pages have no Python: read the message above.")
    return PYTHON_SITE


def book(options):
    page = make_site(options) / "index.html"
    say("The book is at {}".format(page))
    if not options.no_open and can_open_browser():
        webbrowser.open(page.as_uri())
    return 0


def serve(options):
    folder = make_site(options)
    command = [venv_program("python"), "-m", "live_code.serve", folder]
    try:
        return run(command + ["--port", options.port], cwd=EXTENSIONS)
    except KeyboardInterrupt:  # the way to end it, and no failure
        say("Stopped.")
        return 0


# The tests


def find_browser():
    """Path of a Chromium or Chrome, installed if need be; None if none."""
    script = EXTENSIONS / "chromium.py"
    answer = subprocess.run(
        [str(venv_program("python")), str(script), "--install"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment_variables(),
    )
    return answer.stdout.strip() or None


# The daily loop: no browser, no grading, no cells, no installation.
QUICK = ["tests/library", "tests/notebooks", "tests/coursework/test_checks.py"]
IN_PROCESS = ["-m", "not pages and not processes and not slow"]


# Options of pytest whose next word is their value, not a path to test.
WITH_VALUE = ["-k", "-m", "-p", "-n", "-c", "-o", "-r", "-W", "--deselect"]
WITH_VALUE += ["--ignore", "--rootdir", "--confcutdir", "--basetemp"]


def find_tests(arguments):
    """The arguments for pytest with whole paths, and the paths alone.

    A path may start where the command is given, or at the project's root.
    """
    words, named = [], []
    for before, word in zip([""] + arguments, arguments):
        name, mark, test = word.partition("::")
        places = [Path.cwd() / name, ROOT / name]
        found = [place for place in places if place.exists()]
        if word.startswith("-") or before in WITH_VALUE:
            words.append(word)
        elif found:
            path = os.path.normpath(str(found[0]))
            named.append(Path(path))
            words.append(path + mark + test)
        elif "/" in name or name.endswith((".py", ".ipynb")):
            raise Stop("There is no test {}: check its name.".format(word))
        else:
            words.append(word)
    return words, named


def need_browser(named):
    """Whether the tests of the built pages are among those named."""
    pages = ROOT / "tests" / "browser"
    return not named or any(
        path == pages or path in pages.parents or pages in path.parents
        for path in named
    )


def test(options):
    words, told = find_tests(options.rest)
    ensure_environment()
    command = [venv_program("python"), "-m", "pytest"]
    command += ["-n", WORKERS, "-p", "tests.sharing"] + words
    if options.quick:
        say(
            "Quick: the built pages, the grading, the installation, the "
            "notebooks' cells, what starts another Python and what takes "
            "seconds are left out; "
            "`python tasks.py test` tests them too."
        )
        command += [] if told else IN_PROCESS + QUICK + ["pegasos_edu"]
    else:
        command += [] if told else ["tests", "pegasos_edu", "book"]
        command += [
            "-p",
            "tests.notebooks.warm",
            "--nbval",
            "--nbval-current-env",
            "--nbval-cell-timeout={}".format(CELL_TIMEOUT),
            "--nbval-kernel-startup-timeout={}".format(CELL_TIMEOUT),
            "--nbval-sanitize-with=tests/notebooks/nbval_sanitize.cfg",
        ]
    command += cache_options("pytest")
    variables = environment_variables()
    if not options.quick and need_browser(told):
        variables["PEGASOS_CHROMIUM"] = find_browser() or ""
    return run(command, env=variables)


# The code itself


CHECKS = [
    ["ruff", "check", "."],
    ["mypy"],
    ["lint-imports", "--no-logo"],
    ["codespell", "."],
    ["vulture", "--config", "pyproject.toml"],
]


def check(options):
    """Format the code, then let all checks speak before any one fails."""
    ensure_environment()
    formats = [["ruff", "format", "."]]
    statuses = [
        run([venv_program(words[0])] + words[1:] + cache_options(words[0]))
        for words in formats + CHECKS
    ]
    # What was killed has a negative one.
    return int(any(statuses))


# The notebooks


# Where readers work: copies, so that no original is changed by reading. It
# is kept, unlike what is built, and git leaves it alone.
LAB = ROOT / "lab"
# Pages for those who teach are not among the copies.
FOR_TEACHERS = ("assistants", "exam")
# What each copy was when it was made, to tell whether its reader changed it.
COPIED = ".copied.json"
# Who names a folder of his own gets no other.
OWN_FOLDER = ("--notebook-dir", "--ServerApp.root_dir", "--LabApp.root_dir")


def is_root():
    return hasattr(os, "geteuid") and os.geteuid() == 0


def lab_originals():
    """What is copied: the chapters, and the assignments without solutions.

    Returns a dict of originals by their path below the copies.
    """
    chapters = sorted((ROOT / "book").glob("*.ipynb"))
    assignments = sorted(ASSIGNMENTS.glob("*.ipynb"))
    found = {
        path.name: path for path in chapters if path.stem not in FOR_TEACHERS
    }
    found.update(("assignments/" + path.name, path) for path in assignments)
    return found


def copy_for_reading(folder):
    """Bring a folder of copies up to date; what its reader changed stays.

    Returns the names of the copies that stay although their original is
    another by now.
    """
    try:
        copied = dict(json.loads((folder / COPIED).read_text("utf-8")))
    except (OSError, ValueError, TypeError):
        copied = {}
    stay = []
    for name, original in lab_originals().items():
        path, new = folder / name, original.read_bytes()
        fresh = hashlib.sha256(new).hexdigest()
        if path.exists():
            now = hashlib.sha256(path.read_bytes()).hexdigest()
            if now != copied.get(name):
                # Changed here, or of unknown age: it is the reader's.
                stay += [name] if copied.get(name) not in (fresh, None) else []
                continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(new)
        copied[name] = fresh
    (folder / COPIED).write_text(json.dumps(copied, indent=1), "utf-8")
    return stay


def own_folder(words):
    """The folder that options of JupyterLab name; "" if they name none."""
    for word, after in zip(words, words[1:] + [""]):
        name, is_told, folder = word.partition("=")
        if name in OWN_FOLDER:
            return folder if is_told else after
    return ""


def lab(options):
    """Open copies of the notebooks; options of JupyterLab may follow."""
    ensure_environment()
    command = [venv_program("jupyter-lab")]
    own = own_folder(options.rest)
    if own and not Path(own).is_dir():
        raise Stop(
            "There is no folder {}: make it first, or leave the option out "
            "to open the copies.".format(own)
        )
    if "--allow-root" not in options.rest and is_root():
        say("You are root: JupyterLab starts with --allow-root only.")
    if not own:
        LAB.mkdir(exist_ok=True)
        for name in copy_for_reading(LAB):
            say(
                "You changed lab/{}, so it stays; the book has a newer one. "
                "Rename yours to get it.".format(name)
            )
        command += ["--ServerApp.root_dir={}".format(LAB)]
    say("Opening JupyterLab; stop it with Ctrl+C.")
    return run(command + options.rest, cwd=Path.cwd())


# The slides and the printed book


def from_pages(title, script, options):
    """Make something out of the built pages; all, or the chapters named."""
    ensure_environment()
    build_book()
    with Step(title):
        return run(
            [
                venv_program("python"),
                EXTENSIONS / script,
                SITE,
                options.out,
            ]
            + options.chapters,
            cwd=Path.cwd(),
        )


def slides(options):
    return from_pages("Making the slides", "slides.py", options)


def pdf(options):
    return from_pages("Printing the book", "paper.py", options)


def refresh(options):
    ensure_environment()
    notebooks = options.notebooks or sorted(
        path
        for path in (ROOT / "book").rglob("*.ipynb")
        # The students' notebooks hold no answers: they are not executed.
        if not NOT_INPUTS & set(path.parts) and path.parent != ASSIGNMENTS
    )
    with ThreadPoolExecutor(WORKERS) as pool:
        statuses = list(pool.map(refresh_one, notebooks))
    if any(statuses):
        raise Stop(
            "A notebook failed and was left as it was: read the message "
            "above, correct the cell, and refresh again."
        )
    return 0


def refresh_one(notebook):
    path = Path(notebook).resolve()
    if not path.exists():
        raise Stop("There is no notebook {}: check its name.".format(notebook))
    with Step("Executing {}".format(path.name)):
        return run(
            [
                venv_program("python"),
                ROOT / "tasks.py",
                "execute",
                path,
            ]
        )


def execute(options):
    """Execute one notebook; runs inside the environment."""
    import nbformat
    from nbclient import NotebookClient
    from nbclient.exceptions import CellExecutionError

    path = Path(options.notebook)
    before = path.read_text("utf-8")
    notebook = nbformat.reads(before, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=CELL_TIMEOUT,
        startup_timeout=CELL_TIMEOUT,
        kernel_name="python3",
        # One box for what one cell prints, however it was flushed.
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        sys.stderr.write("{}\n".format(error))
        return 1
    strip_volatile(notebook)
    after = nbformat.writes(notebook) + "\n"
    if after != before:
        path.write_text(after, "utf-8", newline="\n")
    return 0


def strip_volatile(notebook):
    """Drop what differs between two runs that computed the same."""
    notebook.metadata = {
        "kernelspec": {
            "display_name": "Python 3",
            "language": "python",
            "name": "python3",
        },
        "language_info": {"name": "python"},
    }
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            # Names a model that lives in the kernel; other forms stay.
            output.get("data", {}).pop(WIDGET, None)


# The assignments


def release(options):
    ensure_environment()
    with Step("Making the students' notebooks from the solutions"):
        return run(
            [
                venv_program("python"),
                "-m",
                "pegasos_edu.grading.release",
            ]
        )


# What the wheel is made from.
WHEEL_INPUTS = [
    "pegasos_edu",
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "LICENSE-TEXT",
]
MAKE = "import sys; from setuptools import build_meta; "
MAKE += "getattr(build_meta, sys.argv[1])(sys.argv[2])"
# setuptools calls a table of pyproject.toml experimental at each making.
KNOWN = "ignore:`[tool.distutils]`:UserWarning"
# The time that all files in what we make bear: 2 January 1980, the first
# whole day that both formats know. SOURCE_DATE_EPOCH sets another.
DATE = "315619200"


def sdist_inputs():
    """What the source archive holds: all that building and testing need."""
    lines = (ROOT / "MANIFEST.in").read_text("utf-8").splitlines()
    return ["MANIFEST.in"] + [
        name
        for line in lines
        if line.startswith(("graft ", "include "))
        for name in line.split()[1:]
    ]


def make_package(hook, inputs, out):
    """Let setuptools make a wheel or a source archive; returns its path.

    It works on a copy: what an earlier making left would be taken up, too,
    and so would the rights that the files have on this machine.
    """
    variables = environment_variables()
    variables["SOURCE_DATE_EPOCH"] = os.environ.get("SOURCE_DATE_EPOCH", DATE)
    with tempfile.TemporaryDirectory() as folder:
        for path in input_files(inputs):
            place = Path(folder, str(path.relative_to(ROOT)))
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(str(path), str(place))
            place.chmod(0o644)
        made = Path(folder, "made")
        made.mkdir()
        status = run(
            [venv_program("python"), "-W", KNOWN, "-c", MAKE, hook, made],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            env=variables,
        )
        found = sorted(made.iterdir())
        if status or not found:
            raise Stop("Nothing was made: read the message above.")
        if hook == "build_sdist":
            forget_machine(found[0], int(variables["SOURCE_DATE_EPOCH"]))
        return Path(shutil.copy(str(found[0]), str(out)))


def forget_machine(archive, when):
    """Write a .tar.gz again, the same on every machine and at any time."""
    with tarfile.open(str(archive)) as old:
        members = sorted(old.getmembers(), key=lambda one: one.name)
        contents = [
            old.extractfile(one).read() if one.isfile() else None
            for one in members
        ]
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as new:
        for one, content in zip(members, contents):
            add_member(new, one, content, when)
    archive.write_bytes(gzip.compress(buffer.getvalue(), mtime=when))


def add_member(archive, old, content, when):
    member = tarfile.TarInfo(old.name)
    member.type, member.size, member.mtime = old.type, old.size, when
    member.mode = 0o755 if old.isdir() else 0o644
    archive.addfile(member, None if content is None else io.BytesIO(content))


def wheel(options):
    """Make the package as one file, which pip takes without the project."""
    ensure_environment()
    out = Path(options.out).absolute()
    out.mkdir(parents=True, exist_ok=True)
    with Step("Making the package's wheel"):
        made = make_package("build_wheel", WHEEL_INPUTS, out)
    say("Hand out {}".format(made))
    if options.sdist:
        with Step("Making the source archive"):
            made = make_package("build_sdist", sdist_inputs(), out)
        say("The source archive is {}".format(made))
    return 0


def grade(options):
    if not options.rest:  # said at once, and not after an installation
        raise Stop("Name the folder of submissions: tasks.py grade FOLDER.")
    return run_in_place("pegasos_edu.grading", options)


# A course of your own


def run_in_place(module, options):
    """Run a module; folders are named from where the command is given."""
    ensure_environment()
    solutions = ["--solutions", ASSIGNMENTS / "solutions"]
    command = [venv_program("python"), "-m", module] + solutions
    return run(command + options.rest, cwd=Path.cwd())


def course(options):
    return run_in_place("pegasos_edu.grading.edition", options)


def similar(options):
    return run_in_place("pegasos_edu.grading.similarity", options)


# The command line


FLAG = {"action": "store_true"}
LIVE = [
    (
        "--python",
        dict(
            FLAG,
            help="with code cells that run in the page, in _build/python; "
            "the files of Pyodide (51 MB) are fetched once, and kept",
        ),
    ),
    (
        "--kit",
        {"metavar": "DIR", "help": "a folder that has these files already"},
    ),
    (
        "--kit-from",
        {
            "metavar": "URL",
            "help": "where to fetch them (default: Pyodide's own release)",
        },
    ),
]
# What each command is told: its function, what it does, its options.
COMMANDS = {
    "book": (
        book,
        "build the book and open it",
        LIVE + [("--no-open", FLAG)],
    ),
    "serve": (
        serve,
        "build the book and serve it on this computer",
        LIVE + [("--port", {"type": int, "default": 8000})],
    ),
    "test": (
        test,
        "run every test",
        [
            (
                "--quick",
                dict(
                    FLAG,
                    help="the daily loop: no built pages, no grading, no "
                    "cells of notebooks",
                ),
            )
        ],
    ),
    "check": (check, "format the code and check it", []),
    "lab": (lab, "open copies of the notebooks in JupyterLab", []),
    "slides": (
        slides,
        "make slides from the chapters",
        [
            (
                "chapters",
                {
                    "nargs": "*",
                    "help": "names of chapters, such as pegasos (default: "
                    "all weeks)",
                },
            ),
            ("--out", {"default": str(BUILD / "slides")}),
        ],
    ),
    "pdf": (
        pdf,
        "print the book into one file",
        [
            (
                "chapters",
                {
                    "nargs": "*",
                    "help": "names of pages, such as pegasos (default: the "
                    "whole book)",
                },
            ),
            ("--out", {"default": str(BUILD / "pegasos.pdf")}),
        ],
    ),
    "refresh": (
        refresh,
        "execute the notebooks again",
        [("notebooks", {"nargs": "*"})],
    ),
    "release": (
        release,
        "make the students' notebooks from the solutions",
        [],
    ),
    "wheel": (
        wheel,
        "make the file students install",
        [
            ("--out", {"default": str(ROOT / "dist")}),
            (
                "--sdist",
                dict(
                    FLAG,
                    help="make the source archive, too: all that building "
                    "and testing need",
                ),
            ),
        ],
    ),
    "grade": (grade, "grade a folder of submissions", []),
    "course": (course, "make a course of your own", []),
    "similar": (similar, "find answers that are alike", []),
    "execute": (
        execute,
        "execute one notebook; `refresh` calls it",
        [("notebook", {})],
    ),
}
# These hand on what they do not know, and some even the question for help.
PASSED_ON = ("test", "lab", "grade", "course", "similar")
OWN_HELP = ("grade", "course", "similar")
EPILOGS = {
    "test": "Paths, and whatever else pytest takes, may follow.",
    "lab": "Options of JupyterLab may follow, such as --no-browser, "
    "--port 9999, --notebook-dir FOLDER or, as root, --allow-root. The copies "
    "are in the folder lab of the project, and hold no solution of an "
    "assignment. What you change there is kept.",
}


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py",
        description="Build, test, open or refresh the book; grade.",
    )
    commands = parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND"
    )
    for name, (function, purpose, known) in COMMANDS.items():
        texts = {"help": purpose, "epilog": EPILOGS.get(name)}
        if name == "execute":
            del texts["help"]  # so that it is not in the list
        own_help = name in OWN_HELP
        one = commands.add_parser(name, add_help=not own_help, **texts)
        for option, details in known:
            one.add_argument(option, **details)
        one.set_defaults(run=function)
    refuse_unknown(parser, arguments)
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command not in PASSED_ON:
        parser.error("unknown option: {}".format(" ".join(rest)))
    options.rest = rest
    return options


def refuse_unknown(parser, arguments):
    """End with a sentence if the first word is no command."""
    word = arguments[0] if arguments else "-"
    if word in COMMANDS or word.startswith("-"):
        return
    near = difflib.get_close_matches(word, COMMANDS, 1)
    hint = " Did you mean {}?".format(near[0]) if near else ""
    parser.error("There is no command {!r}.{}".format(word, hint))


def main(arguments):
    options = parse(arguments)
    return options.run(options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        sys.exit("[tasks] {}".format(stop))
    except OSError as error:
        sys.exit("[tasks] {}".format(meaning_of_error(error)))
    except KeyboardInterrupt:
        sys.stderr.write("[tasks] Stopped.\n")
        sys.exit(130)
