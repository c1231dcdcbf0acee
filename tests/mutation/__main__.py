"""Mutation testing: does a test fail when a line of the package is wrong?

    pip install cosmic-ray==8.7.0
    python -m tests.mutation [AREA ...] --out FILE [--wide]

draws a fixed sample of mutants, tries each on the few fast tests of its
area (see `areas`) and prints which live; FILE keeps what killed each, or
nothing. Those that FILE calls killed are not tried again, so the command can
be stopped and goes on where it was; with --wide it tries what lives on more
tests. After a change of the package begin with a new FILE.

The package and its tests are copied first; nothing here is changed. It is
a tool of the maintainer and no part of the test command.
"""

import argparse
import compileall
import json
import math
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from tests.mutation.areas import AREAS, SEED

ROOT = Path(__file__).resolve().parents[2]
COPIED = [
    "pegasos_edu",
    "tests",
    "book",
    "installation.py",
    "tasks.py",
    "pyproject.toml",
    "README.md",
]
# A mutant loops, and is killed, if its tests need more of the processor than
# so many seconds and so many times what they need without a mutant.
CPU_SECONDS, CPU_TIMES = 60, 4
# If they take that long by the clock alone, either the mutant sleeps or the
# machine is busy: nothing is decided.
WALL_SECONDS, WALL_TIMES = 900, 4
# What the fork ends with when pytest itself could not run: as when its
# packages are being replaced. That kills no mutant.
NOT_RUN = 70
QUIET = ["-x", "-q", "-p", "no:cacheprovider"]
# What is imported before the fork.
QUIET += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
QUIET += ["-p", "tests.mutation.any_failure"]
# That an assertion fails is enough; to compare two pages can take minutes.
QUIET += ["--assert=plain"]


def copy_project(folder):
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.pyc")
            shutil.copytree(source, folder / name, ignore=ignored)
        else:
            shutil.copy(source, folder)
    # Otherwise every trial compiles the package again. What was compiled
    # from another text, as a mutant's was, Python does not use.
    for name in ("pegasos_edu", "tests"):
        compileall.compile_dir(folder / name, quiet=1)


def warm_up():
    """Import once what every trial needs, but nothing that is mutated."""
    import hypothesis  # noqa: F401
    import matplotlib.figure  # noqa: F401
    import nbconvert.preprocessors  # noqa: F401
    import nbformat.v4  # noqa: F401
    import nbgrader.api
    import nbgrader.converters  # noqa: F401
    import numba  # noqa: F401
    import pytest  # noqa: F401
    import scipy.optimize
    import scipy.sparse  # noqa: F401
    import sklearn.linear_model
    import sklearn.svm  # noqa: F401

    assert not any(name.startswith("pegasos_edu") for name in sys.modules)


class Undecided(Exception):
    """The tests took too long by the clock, but not by the processor."""


@dataclass(frozen=True)
class Limits:
    """Seconds of the processor and of the clock."""

    cpu: float = math.inf
    wall: float = math.inf


def what_fails(tests, folder, log, limits):
    """The first of these tests that fails in the copy; "" if none does.

    They run in a fork of this process. Returned with it is what they used.
    """
    start = time.monotonic()
    child = os.fork()
    if child == 0:
        run_tests(tests, folder, log, limits)
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        taken = time.monotonic() - start
        if done:
            failure = meaning(os.waitstatus_to_exitcode(status), log)
            return failure, Limits(used.ru_utime + used.ru_stime, taken)
        if taken > limits.wall:
            os.killpg(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise Undecided
        time.sleep(0.02)


def meaning(code, log):
    """What a fork that ended with this code says of its tests."""
    text = log.read_text()
    if code == NOT_RUN:
        sys.exit(f"pytest could not run:\n{text}")
    failures = re.findall(r"^(?:FAILED|ERROR) (.+?)(?: - |$)", text, re.M)
    if code > 0:
        return failures[0] if failures else f"pytest ends with {code}"
    return f"signal {-code}" if code else ""


def allowed(used):
    """What a mutant may use, if this is used without one."""
    return Limits(
        max(CPU_SECONDS, CPU_TIMES * used.cpu),
        max(WALL_SECONDS, WALL_TIMES * used.wall),
    )


def run_tests(tests, folder, log, limits):
    """What the fork does; it never returns."""
    status = NOT_RUN
    try:
        os.setpgid(0, 0)
        if limits.cpu < math.inf:
            seconds = math.ceil(limits.cpu)
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        file = os.open(log, os.O_CREAT | os.O_TRUNC | os.O_WRONLY)
        os.dup2(file, 1)
        os.dup2(file, 2)
        os.chdir(folder)
        sys.path.insert(0, str(folder))
        # For the processes that tests start, too.
        os.environ["PYTHONPATH"] = str(folder)
        os.environ["PYTHONDONTWRITEBYTECODE"] = "1"
        os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # takes seconds
        cache = str(folder / "compiled")
        os.environ["NUMBA_CACHE_DIR"] = cache
        sys.dont_write_bytecode = True
        import numba
        import pytest

        numba.config.CACHE_DIR = cache
        status = int(pytest.main([*QUIET, *tests]))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def what_kills(mutant, tests, folder, log, limits):
    """The test that fails once the mutant is in its place, or ""."""
    path = folder / mutant.path
    original = path.read_text("utf-8")
    path.write_text(mutant.source(folder), "utf-8")
    try:
        return what_fails(tests, folder, log, limits)[0]
    finally:
        path.write_text(original, "utf-8")


def try_area(area, record, folder, wide):
    """Try a sample; yield every mutant and whether it is dead.

    Before the first mutant of some tests they must pass without one.
    """
    from tests.mutation.sample import draw  # needs cosmic-ray

    log, limits = folder / "log.txt", {}
    for mutant in draw(area, folder, SEED):
        tests = area.wide if wide else area.tests_of(mutant.path)
        if tests and not record.get(mutant.name):
            if tests not in limits:
                failure, used = what_fails(tests, folder, log, Limits())
                if failure:
                    sys.exit(f"Without a mutant they fail:\n{log.read_text()}")
                limits[tests] = allowed(used)
            try:
                record[mutant.name] = what_kills(
                    mutant, tests, folder, log, limits[tests]
                )
            except Undecided:
                print(f"undecided, as the clock ran out: {mutant.name}")
        yield mutant, bool(record.get(mutant.name))


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m tests.mutation", description=__doc__.splitlines()[0]
    )
    names = ", ".join(AREAS)
    parser.add_argument(
        "areas",
        nargs="*",
        metavar="AREA",
        help=f"one of {names}; without any, all of them",
    )
    parser.add_argument(
        "--wide", action="store_true", help="try on more tests what lives"
    )
    parser.add_argument(
        "--out", type=Path, required=True, help="keeps the outcomes (JSON)"
    )
    options = parser.parse_args(arguments)
    for name in options.areas:
        if name not in AREAS:
            parser.error(f"AREA is {name!r}; expected one of {names}.")
    if find_spec("cosmic_ray") is None:
        parser.exit(
            2, "cosmic-ray is missing: pip install cosmic-ray==8.7.0\n"
        )
    os.nice(10)
    warm_up()
    record = (
        json.loads(options.out.read_text()) if options.out.exists() else {}
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy_project(folder)
        for name in options.areas or AREAS:
            killed = []
            for mutant, dead in try_area(
                AREAS[name], record, folder, options.wide
            ):
                killed.append(dead)
                options.out.write_text(json.dumps(record, indent=1))
                if not dead:
                    print(f"lives: {mutant.name}")
                    for line in mutant.changed_lines(folder):
                        print(f"    {line}")
                sys.stdout.flush()
            print(f"{name}: {sum(killed)} of {len(killed)} killed", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
