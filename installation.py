"""Makes ``.venv``, and mends it; Python's standard library is all it needs.

``ensure_environment`` is what the commands of ``tasks.py`` call first. An
environment that was finished carries a stamp: for which folder, Python and
pins it was made, and what was in it. Whatever is not as its stamp says is
mended: what is whole stays, what is not is installed again, and only an
environment that cannot be used is made anew.
"""

import contextlib
import csv
import errno
import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from importlib.util import find_spec
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    fcntl = None

ROOT = Path(__file__).resolve().parent
ENVIRONMENT = ROOT / ".venv"
INSTALL_STAMP = ENVIRONMENT / "installed.txt"
LOCK = ROOT / "_build" / "installing.lock"
# What decides what is installed.
INSTALL_INPUTS = ["requirements.txt", "pyproject.toml"]
NOT_INPUTS = {"__pycache__", ".ipynb_checkpoints"}
# Settings of pip by which packages land where no command looks for them.
ELSEWHERE = (".target", ".prefix", ".root")
# Modules that some systems keep in a package of their own, and those that a
# Python lacks if a library was missing when it was built. Of ssl, ctypes and
# sqlite3 the part in Python is there all the same, so the other is asked for.
PACKAGED_APART = ["venv", "ensurepip"]
BUILT_IN_PARTS = ["zlib", "_ssl", "_ctypes", "_sqlite3"]


def same_kernel():
    """The kernel that OpenBLAS shall take, where the processor can run it.

    Left alone, it takes the processor's own, and each adds in another order.
    """
    try:
        with open("/proc/cpuinfo") as file:
            able = " avx2 " in file.read()
    except OSError:
        able = False
    return {"OPENBLAS_CORETYPE": "Haswell"} if able else {}


# Sums are added in the same order everywhere. And two notebooks at a time,
# each on one thread, suit two cores.
SAME_SUMS = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    **same_kernel(),
}
# Settings of another Python, or of other installations: they would send
# packages elsewhere, or bring in packages of elsewhere. And without stored
# bytecode every start would compile all that it imports, which takes seconds.
FOREIGN_SETTINGS = {
    "PYTHONDONTWRITEBYTECODE",
    "PYTHONHOME",
    "PYTHONPATH",
    "PYTHONPLATLIBDIR",
    "PYTHONSAFEPATH",
    "PYTHONOPTIMIZE",
    "PYTHONINSPECT",
    "PYTHONEXECUTABLE",
    "PYTHONWARNINGS",
    "__PYVENV_LAUNCHER__",
    "PIP_BUILD_CONSTRAINT",
    "PIP_CONSTRAINT",
    "PIP_DRY_RUN",
    "PIP_NO_DEPS",
    "PIP_PREFIX",
    "PIP_PYTHON",
    "PIP_REQUIRE_HASHES",
    "PIP_ROOT",
    "PIP_TARGET",
    "UV_BUILD_CONSTRAINT",
    "UV_CONSTRAINT",
    "UV_EXCLUDE",
    "UV_OVERRIDE",
    "UV_PYTHON",
    "UV_REQUIRE_HASHES",
    "UV_SYSTEM_PYTHON",
}
# What an installer's message means, the surest signs first.
MEANINGS = [
    (
        r"No space left on device|Errno 28|os error 28\b|os error 112\b"
        r"|not enough space on the disk",
        "The disk is full: free some space (the packages need 1.5 GB) and "
        "run the command again.",
    ),
    (
        r"(?i)SSL module (in Python )?is not available",
        "This Python was built without ssl, so it can fetch nothing: take a "
        "complete Python from python.org, or build yours again with OpenSSL.",
    ),
    (
        r"name resolution|Name or service not known|getaddrinfo failed"
        r"|nodename nor servname|Failed to establish a new connection"
        r"|NewConnectionError|ConnectTimeout|Read timed out|ProxyError"
        r"|Network is unreachable|Connection refused|Connection reset"
        r"|dns error|Failed to fetch|error sending request|SSLError"
        r"|Network connectivity is disabled|from versions: none\b",
        "The packages could not be fetched: check the network (or the "
        "proxy, or your package index) and run the command again: it goes "
        "on with what has come.",
    ),
    (
        r"Read-only file system|Permission denied|Errno 13|os error 13\b",
        "Something could not be written: see the path above, and copy the "
        "project to a folder of your own if it is not yours.",
    ),
    (
        r"Failed building wheel|Failed to build|metadata-generation-failed"
        r"|subprocess-exited-with-error|build backend returned an error",
        "A package (named above) has no ready-made file for this Python "
        "and could not be built: use Python 3.11 to 3.14, or install a "
        "compiler.",
    ),
    (
        r"No matching distribution|requires a different Python"
        r"|No solution found",
        "A package (named above) is not to be had in the version that this "
        "project needs: either it has none for this Python (use Python "
        "3.11 to 3.14), or the package index in use lacks it (use one that "
        "has it).",
    ),
]


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


# What makes many files is silent for a minute and more.
SECONDS_OF_SILENCE = 15


@contextlib.contextmanager
def signs_of_life(count, what):
    """Say now and then how many are there already, until the work is done."""
    done = threading.Event()
    start = time.perf_counter()

    def tell():
        while not done.wait(SECONDS_OF_SILENCE):
            seconds = time.perf_counter() - start
            say(f"... {count()} {what} after {seconds:.0f} s")

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        done.set()
        teller.join()


def packages_in_place():
    return len(list(folder("purelib").glob("*.dist-info")))


# Running programs


def folder(name):
    """Folder ``name`` ("scripts", "purelib") inside the environment."""
    places = {"base": str(ENVIRONMENT), "platbase": str(ENVIRONMENT)}
    return Path(sysconfig.get_path(name, "venv", places))


def venv_program(name):
    """Path of a program inside the virtual environment, on any system."""
    suffix = ".exe" if os.name == "nt" else ""
    return folder("scripts") / f"{name}{suffix}"


def environment_variables():
    """Variables every command of the project runs with."""
    outside = {
        name: value
        for name, value in os.environ.items()
        if name not in FOREIGN_SETTINGS
    }
    return {
        **outside,
        **SAME_SUMS,
        "PATH": str(folder("scripts"))
        + os.pathsep
        + os.environ.get("PATH", ""),
        "VIRTUAL_ENV": str(ENVIRONMENT),
        "PIP_USER": "0",  # pip.conf may say otherwise
        "PYTHONIOENCODING": "utf-8",
        # By this a command knows that its parent is a task.
        "PEGASOS_TASK": str(os.getpid()),
    }


SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


def run(command, **options):
    """Run a command in the project's root; return its exit status.

    It hears a Ctrl+C, too, and may end in its own way, which takes time. A
    request to end is passed on.
    """
    command = [str(part) for part in command]
    options.setdefault("env", environment_variables())
    options.setdefault("cwd", ROOT)
    with subprocess.Popen(command, **options) as process, passing_on(process):
        try:
            return process.wait()
        except KeyboardInterrupt:
            process.wait()
            raise


@contextlib.contextmanager
def passing_on(process):
    """Let a process end when this one is asked to end."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the first thread may hear of it
        return
    before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def run_installer(command, lock):
    """Run a command of the installation; Stop, saying why, if it fails.

    Its messages are shown as they come. It holds the lock, too, so that it
    is waited for even if this process is killed and it lives on.
    """
    keep = {} if lock is None or os.name == "nt" else {"pass_fds": [lock]}
    said = []
    with subprocess.Popen(
        [str(part) for part in command],
        env=environment_variables(),
        cwd=ROOT,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        **keep,
    ) as process:
        try:
            for line in process.stderr:
                sys.stderr.write(line)
                said.append(line)
            status = process.wait()
        except BaseException:
            process.kill()
            raise
    if status:
        raise Stop(meaning("".join(said)))


def meaning(message):
    """One sentence for what an installer said when it failed."""
    for pattern, sentence in MEANINGS:
        if re.search(pattern, message):
            return sentence
    return (
        "The packages could not be installed: read the message above, and "
        "run the command again."
    )


def meaning_of_error(error):
    """One sentence for a file of our own that the system refuses."""
    refused = error.errno in (errno.EROFS, errno.EACCES, errno.EPERM)
    if refused and error.filename is not None:
        path = Path(os.path.abspath(str(error.filename)))
        advice = "name a place of your own."
        if path.is_relative_to(ROOT):
            advice = (
                "copy the project to a folder of your own and run the "
                "command there."
            )
        if path.is_relative_to(ENVIRONMENT) and os.access(ROOT, os.W_OK):
            advice = "delete the folder .venv and run the command again."
        return f"The system refuses {path} ({error.strerror}): {advice}"
    if error.errno == errno.ENOSPC:
        return meaning("No space left on device")
    if error.errno in (errno.EEXIST, errno.ENOTDIR) and error.filename:
        return (
            f"A file stands where a folder is needed ({error.filename}): move "
            "it away and run the command again."
        )
    return f"The system refused: {error}."


# What is there


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


def purpose():
    """What the environment is for: folder, Python and pins."""
    return {
        "folder": str(ENVIRONMENT),
        "python": list(sys.version_info[:2]),
        "inputs": digest(INSTALL_INPUTS),
    }


def contents():
    """Names of the packages and programs that are whole, and in place."""
    return sorted(
        f"{name}/{path.name}"
        for name in ("purelib", "scripts")
        if folder(name).is_dir()
        for path in folder(name).iterdir()
        if path.name not in NOT_INPUTS
        if path.suffix != ".dist-info" or is_whole(path)
    )


def is_ready():
    """Whether the environment is as its stamp says, and starts."""
    try:
        stamp = json.loads(INSTALL_STAMP.read_text("utf-8"))
        was_there = set(stamp.pop("contents"))
    except (OSError, ValueError, AttributeError, KeyError, TypeError):
        return False
    return (
        stamp == purpose()
        and was_there <= set(contents())
        and was_made_here()
        and python_starts()
    )


def python_starts():
    """Whether ``.venv`` has a Python of this version that is its own."""
    code = "import sys; print(*sys.version_info[:2], sys.prefix)"
    try:
        answer = subprocess.run(
            [str(venv_program("python")), "-I", "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=environment_variables(),
        )
        major, minor, prefix = answer.stdout.strip().split(" ", 2)
        return (int(major), int(minor)) == sys.version_info[
            :2
        ] and os.path.samefile(prefix, ENVIRONMENT)
    except (OSError, subprocess.CalledProcessError, ValueError):
        return False


def was_made_here():
    """Whether ``.venv`` was made in this folder: its scripts name it.

    Without the line ``home`` its making was interrupted. And one that sees
    the packages of the system would mix them with its own.
    """
    try:
        settings = (ENVIRONMENT / "pyvenv.cfg").read_text("utf-8").lower()
        if "home" not in settings or re.search(
            r"^include-system-site-packages\s*=\s*true", settings, re.M
        ):
            return False
        text = (folder("scripts") / "activate").read_text("utf-8")
    except (OSError, ValueError):
        return False
    return str(ENVIRONMENT) in folders_named(text)


def folders_named(text):
    """The folders that a script of activation gives to VIRTUAL_ENV.

    Old versions of venv write them between double quotes as they are; new
    ones, and uv, as the shell wants them.

    >>> folders_named("export VIRTUAL_ENV='/a b'")
    ['/a b']
    """
    found = []
    for value in re.findall(r"^\s*(?:export )?VIRTUAL_ENV=(.+)$", text, re.M):
        if value[0] == value[-1] == '"':
            found.append(value[1:-1])
        else:
            with contextlib.suppress(ValueError):  # quotes without an end
                found += shlex.split(value)
    return found


def is_whole(package):
    """Whether all files of an installed package are there, none cut short.

    ``package`` is its ``.dist-info`` folder, whose RECORD lists them with
    their sizes and is written last.
    """
    try:
        with open(package / "RECORD", encoding="utf-8", newline="") as file:
            rows = [row for row in csv.reader(file) if row]
    except OSError:
        return False
    return bool(rows) and all(
        is_as_recorded(package.parent, row[0], row[-1])
        for row in rows
        if not row[0].endswith(".pyc")
    )


def is_as_recorded(packages, name, size):
    """Whether a file is there, and as long as recorded, if that is known.

    A script that pip adapts to this computer is shorter or longer than
    recorded, but never empty; it stands beside the folder of the packages. A
    disk that is full leaves files empty or cut short.
    """
    try:
        found = (packages / name).stat().st_size
    except OSError:
        return False
    if size in ("", "0"):
        return True
    return found > 0 if name.startswith("..") else str(found) == size


# One at a time


def try_lock(file):
    """Take the lock if nobody has it; whether it is ours now."""
    try:
        if fcntl:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        else:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        # This file system knows no locks: go on without.
    return True


@contextlib.contextmanager
def one_at_a_time():
    """Hold the installation's lock, which ends with its processes."""
    LOCK.parent.mkdir(exist_ok=True)
    with open(LOCK, "a") as file:
        if not try_lock(file):
            say("Another command is installing into .venv: waiting for it.")
            while not try_lock(file):
                time.sleep(0.2)
        yield file.fileno()


# Making and mending


def ensure_environment():
    """Make or mend the environment, unless it is as it should be."""
    if is_ready():
        return
    try:
        with one_at_a_time() as lock:
            # Another command may have finished it meanwhile.
            if not is_ready():
                work = Step("Installing into .venv (some minutes, once)")
                with work, signs_of_life(packages_in_place, "packages"):
                    install(lock)
    except OSError as error:
        raise Stop(meaning_of_error(error)) from error


def install(lock):
    if ENVIRONMENT.is_symlink():  # what it leads to is not ours to change
        ENVIRONMENT.unlink()
    with contextlib.suppress(FileNotFoundError, NotADirectoryError):
        INSTALL_STAMP.unlink()
    uv = find_uv()
    if not (was_made_here() and python_starts()):
        create_environment(uv, lock)
    forget_incomplete_packages()
    pip = installer(uv, lock)
    run_installer([*pip, "--requirement", "requirements.txt"], lock)
    project = ["--no-deps", "--no-build-isolation", "--editable", "."]
    run_installer([*pip, *project], lock)
    stamp = {**purpose(), "contents": contents()}
    INSTALL_STAMP.write_text(json.dumps(stamp), "utf-8")


def find_uv():
    """Path of uv if it is installed and runs, else None."""
    uv = shutil.which("uv")
    try:
        if uv and not run([uv, "--version"], **SILENT):
            return uv
    except OSError:
        pass
    return None


def create_environment(uv, lock):
    """Make a fresh ``.venv`` of the running Python."""
    if ENVIRONMENT.is_file():
        ENVIRONMENT.unlink()
    elif ENVIRONMENT.exists():
        shutil.rmtree(ENVIRONMENT)
    # The command may run inside the environment that was just removed.
    python = getattr(sys, "_base_executable", None) or sys.executable
    if uv:
        command = [uv, "venv", "--quiet", "--python", python]
    else:
        check_modules()
        command = [python, "-I", "-m", "venv"]
    run_installer([*command, ENVIRONMENT], lock)


def check_place(settings):
    """Stop if pip is told to put packages elsewhere, where none is found.

    ``settings`` is what ``pip config list`` prints: install.target='/x'.
    """
    for line in settings.splitlines():
        name, _, value = line.partition("=")
        if name.endswith(ELSEWHERE) and value.strip("'\""):
            raise Stop(
                f"pip's settings send packages elsewhere ({line}), so they "
                f"would not be in .venv: run `pip config unset {name}`, then "
                f"this command again."
            )


def check_modules():
    for name in PACKAGED_APART:
        if not find_spec(name):
            raise Stop(
                f"This Python lacks its standard module {name}: install it "
                "(Debian, Ubuntu: apt install python3-venv), or install uv "
                "or a complete Python from python.org."
            )
    for name in BUILT_IN_PARTS:
        if not find_spec(name):
            raise Stop(
                f"This Python was built without {name.lstrip('_')}: take a "
                "complete Python from python.org, or build yours again with "
                "the library that this module needs (Debian, Ubuntu: apt "
                "install libssl-dev libffi-dev libsqlite3-dev zlib1g-dev)."
            )


def forget_incomplete_packages():
    """Let what an interruption or a deletion left be installed again."""
    for package in folder("purelib").glob("*.dist-info"):
        if not is_whole(package):
            shutil.rmtree(package)


def installer(uv, lock):
    """The command that installs packages: uv, or pip, itself mended."""
    if uv:
        python = ["--python", venv_program("python")]
        return [uv, "pip", "install", "--quiet", *python]
    python = venv_program("python")
    if run([python, "-m", "pip", "--version"], **SILENT):
        check_modules()
        repair = ["-I", "-m", "ensurepip", "--upgrade", "--default-pip"]
        run_installer([python, *repair], lock)
    told = subprocess.run(
        [str(python), "-m", "pip", "config", "list"],
        stdout=subprocess.PIPE,
        text=True,
        env=environment_variables(),
        check=False,
    )
    check_place(told.stdout)
    options = ["--quiet", "--disable-pip-version-check", "--no-compile"]
    return [python, "-m", "pip", "install", *options]
