"""The project's commands; nothing but Python's standard library is needed.

    python tasks.py book [--no-open]       build the book and open it
    python tasks.py test [pytest options]  test package, notebooks and pages
    python tasks.py test --quick           the daily loop, in a minute
    python tasks.py check                  format the code and check it
    python tasks.py lab                    open the notebooks in JupyterLab
    python tasks.py refresh [notebooks]    execute the notebooks again
    python tasks.py release                make the students' notebooks
    python tasks.py grade FOLDER [--out GRADES]   grade submissions

Each command first makes sure that ``.venv`` holds the pinned packages.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import venv
import webbrowser
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent
OLDEST_PYTHON = (3, 11)
ENVIRONMENT = ROOT / ".venv"
INSTALL_STAMP = ENVIRONMENT / "installed.txt"
BUILD = ROOT / "_build"
SITE = BUILD / "html"
BOOK_STAMP = BUILD / "book.json"
# What decides how the pages come out.
BOOK_INPUTS = [
    "book",
    "pegasos_edu",
    "_config.yml",
    "_toc.yml",
    "requirements.txt",
    "pyproject.toml",
]
# What decides what is installed.
INSTALL_INPUTS = ["requirements.txt", "pyproject.toml"]
NOT_INPUTS = {"__pycache__", ".ipynb_checkpoints"}
CELL_TIMEOUT = 300
ASSIGNMENTS = ROOT / "book" / "assignments"
WIDGET = "application/vnd.jupyter.widget-view+json"
# Two notebooks at a time suit two cores; each keeps to one thread, so that
# sums are added in the same order everywhere.
WORKERS = 2
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}


class Stop(Exception):
    """What went wrong and what to do about it, in one sentence."""


# Showing progress


def say(text):
    print(f"[tasks] {text}", flush=True)


class Step:
    """Announce a piece of work and say how long it took."""

    def __init__(self, text):
        self.text = text

    def __enter__(self):
        say(f"{self.text} ...")
        self.start = time.perf_counter()

    def __exit__(self, kind, error, trace):
        seconds = time.perf_counter() - self.start
        outcome = "failed after" if kind else "done in"
        say(f"{self.text}: {outcome} {seconds:.1f} s")


# The environment


def venv_program(name):
    """Path of a program inside the virtual environment, on any system."""
    if os.name == "nt":
        return ENVIRONMENT / "Scripts" / f"{name}.exe"
    return ENVIRONMENT / "bin" / name


def environment_variables():
    """Variables every command of the project runs with."""
    return {
        **os.environ,
        **ONE_THREAD,
        "PATH": str(venv_program("python").parent)
        + os.pathsep
        + os.environ.get("PATH", ""),
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "PYTHONIOENCODING": "utf-8",
    }


def run(command, **options):
    """Run a command in the project's root; return its exit status."""
    command = [str(part) for part in command]
    options.setdefault("env", environment_variables())
    options.setdefault("cwd", ROOT)
    return subprocess.run(command, **options).returncode


def digest(paths):
    """Hash of the names and contents of files, and of all in folders."""
    total = hashlib.sha256()
    for path in input_files(paths):
        total.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def input_files(names):
    """The files among ``names``, and those in the folders among them."""
    found = []
    for name in names:
        path = ROOT / name
        inside = path.rglob("*") if path.is_dir() else [path]
        found += [file for file in inside if file.is_file()]
    return sorted(
        file
        for file in found
        if not NOT_INPUTS & set(file.relative_to(ROOT).parts)
        and file.suffix != ".pyc"
    )


def check_python():
    if sys.version_info < OLDEST_PYTHON:
        here = ".".join(map(str, sys.version_info[:2]))
        raise Stop(
            f"Python {here} is too old: install Python 3.11 or newer and "
            "run this command with it."
        )


def ensure_environment():
    """Create the environment, and install when the pins have changed."""
    check_python()
    wanted = f"{sys.version_info[:2]} {digest(INSTALL_INPUTS)}"
    if INSTALL_STAMP.exists() and INSTALL_STAMP.read_text() == wanted:
        return
    with Step("Installing into .venv (a minute or so, once)"):
        INSTALL_STAMP.unlink(missing_ok=True)
        install()
    INSTALL_STAMP.write_text(wanted)


def install():
    uv = shutil.which("uv")
    create_environment(uv)
    python = venv_program("python")
    pip = (
        [uv, "pip", "install", "--python", python]
        if uv
        else [
            python,
            "-m",
            "pip",
            "install",
            "--disable-pip-version-check",
            "--no-compile",
        ]
    )
    quiet = ["--quiet"]
    project = ["--no-deps", "--no-build-isolation", "--editable", "."]
    failed = run([*pip, *quiet, "--requirement", "requirements.txt"]) or run(
        [*pip, *quiet, *project]
    )
    if failed:
        raise Stop(
            "The packages could not be installed: read the message above, "
            "check the network, and run the command again."
        )


def create_environment(uv):
    """Make a fresh ``.venv`` of the running Python, unless one is there."""
    if environment_version() == sys.version_info[:2]:
        return
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    try:
        if uv:
            command = [uv, "venv", "--quiet", "--python", sys.executable]
            subprocess.run([*command, str(ENVIRONMENT)], check=True)
        else:
            venv.create(ENVIRONMENT, with_pip=True)
    except (subprocess.CalledProcessError, OSError) as error:
        raise Stop(
            f"No virtual environment could be made ({error}): install "
            "Python's venv module (Debian: apt install python3-venv) or uv."
        ) from error


def environment_version():
    """Python version of ``.venv`` as a pair, None if it does not run."""
    code = "import sys; print(*sys.version_info[:2])"
    try:
        answer = subprocess.run(
            [str(venv_program("python")), "-c", code],
            capture_output=True,
            text=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return None
    return tuple(int(part) for part in answer.stdout.split())


# The book


def site_state():
    """Names, sizes and times of the built files: has anyone touched them?"""
    state = hashlib.sha256()
    for path in sorted(SITE.rglob("*")):
        if path.is_file():
            facts = path.stat()
            name = path.relative_to(SITE).as_posix()
            line = f"{name} {facts.st_size} {facts.st_mtime_ns}\n"
            state.update(line.encode())
    return state.hexdigest()


def book_is_current():
    """Whether the built book is the one its present inputs give."""
    if not BOOK_STAMP.exists() or not SITE.exists():
        return False
    stamp = json.loads(BOOK_STAMP.read_text())
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
    command = [
        venv_program("jupyter-book"),
        "build",
        ".",
        "--all",
        "-W",
        "--keep-going",
        "--quiet",
    ]
    with Step("Building the book"):
        # Warnings and errors come on the other channel.
        if run(command, stdout=subprocess.DEVNULL):
            raise Stop(
                "The book was not built: read the warnings above and "
                "correct them."
            )
    stamp = {"inputs": inputs, "site": site_state()}
    BOOK_STAMP.write_text(json.dumps(stamp))


def can_open_browser():
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def book(options):
    ensure_environment()
    build_book()
    page = SITE / "index.html"
    say(f"The book is at {page}")
    if not options.no_open and can_open_browser():
        webbrowser.open(page.as_uri())
    return 0


# The tests


def find_browser():
    """Path of a Chromium or Chrome, installed if need be; None if none."""
    script = ROOT / "tests" / "browser" / "chromium.py"
    answer = subprocess.run(
        [str(venv_program("python")), str(script), "--install"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment_variables(),
    )
    return answer.stdout.strip() or None


# What the daily loop leaves out: a browser, grading, executed notebooks.
QUICK = ["tests/library", "tests/notebooks", "tests/coursework/test_checks.py"]


def names_tests(option):
    return Path(option.split("::")[0]).exists()


def test(options):
    ensure_environment()
    command = [venv_program("python"), "-m", "pytest", *options.rest]
    command += ["-n", WORKERS, "-p", "tests.sharing"]
    if options.quick:
        say(
            "Quick: the built pages, the grading and the notebooks' cells "
            "are left out; `python tasks.py test` tests them too."
        )
        command += [*QUICK, "pegasos_edu"]
    else:
        if not any(names_tests(option) for option in options.rest):
            command += ["tests", "pegasos_edu", "book"]
        command += [
            "-p",
            "tests.notebooks.warm",
            "--nbval",
            "--nbval-current-env",
            f"--nbval-cell-timeout={CELL_TIMEOUT}",
        ]
    with tempfile.TemporaryDirectory() as fresh:
        variables = environment_variables()
        # A stale cache could hide that compiled code no longer compiles.
        variables["NUMBA_CACHE_DIR"] = fresh
        browser = None if options.quick else find_browser()
        if browser:
            variables["PEGASOS_CHROMIUM"] = browser
        return run(command, env=variables)


# The code itself


CHECKS = [
    ("ruff", "check", "."),
    ("mypy",),
    ("lint-imports", "--no-logo"),
]


def check(options):
    """Format the code, then let all checks speak before any one fails."""
    ensure_environment()
    formats = [("ruff", "format", ".")]
    statuses = [
        run([venv_program(name), *rest]) for name, *rest in formats + CHECKS
    ]
    return max(statuses)


# The notebooks


def lab(options):
    ensure_environment()
    say("Opening JupyterLab; stop it with Ctrl+C.")
    return run([venv_program("jupyter-lab"), "book"])


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
        raise Stop(f"There is no notebook {notebook}: check its name.")
    with Step(f"Executing {path.name}"):
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
        kernel_name="python3",
        # One box for what one cell prints, however it was flushed.
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    try:
        client.execute()
    except CellExecutionError as error:
        print(error, file=sys.stderr)
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


def grade(options):
    ensure_environment()
    # Folders are named from where the command is given.
    return run(
        [
            venv_program("python"),
            "-m",
            "pegasos_edu.grading",
            "--solutions",
            ASSIGNMENTS / "solutions",
            *options.rest,
        ],
        cwd=Path.cwd(),
    )


# The command line


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="python tasks.py",
        description="Build, test, open or refresh the book; grade.",
    )
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("book", help="build the book and open it")
    one.add_argument("--no-open", action="store_true")
    one.set_defaults(run=book)
    one = commands.add_parser("test", help="run every test")
    one.add_argument(
        "--quick",
        action="store_true",
        help="the daily loop: no built pages, no grading, no cells of "
        "notebooks",
    )
    one.set_defaults(run=test)
    one = commands.add_parser("check", help="format the code and check it")
    one.set_defaults(run=check)
    one = commands.add_parser("lab", help="open the notebooks in JupyterLab")
    one.set_defaults(run=lab)
    one = commands.add_parser("refresh", help="execute the notebooks again")
    one.add_argument("notebooks", nargs="*")
    one.set_defaults(run=refresh)
    one = commands.add_parser(
        "release", help="make the students' notebooks from the solutions"
    )
    one.set_defaults(run=release)
    one = commands.add_parser(
        "grade", add_help=False, help="grade a folder of submissions"
    )
    one.set_defaults(run=grade)
    one = commands.add_parser("execute")
    one.add_argument("notebook")
    one.set_defaults(run=execute)
    options, rest = parser.parse_known_args(arguments)
    if rest and options.command not in ("test", "grade"):
        parser.error(f"unknown option: {' '.join(rest)}")
    options.rest = rest
    return options


def main(arguments):
    check_python()
    options = parse(arguments)
    return options.run(options)


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Stop as stop:
        sys.exit(f"[tasks] {stop}")
    except KeyboardInterrupt:
        sys.exit("[tasks] Stopped.")
