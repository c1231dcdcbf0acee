"""What all tests share: one thread, a fresh cache, one built book."""

import os
import tempfile
import time

import pytest
from hypothesis import settings

import tasks
from tests.browser import chromium

WITHOUT_BROWSER = "no Chromium or Chrome was found"

for variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
):
    os.environ.setdefault(variable, "1")
# How long an example takes says more about the machine than about the code.
settings.register_profile("project", deadline=None)
settings.load_profile("project")
# A stale cache could hide that compiled code no longer compiles.
os.environ.setdefault("NUMBA_CACHE_DIR", tempfile.mkdtemp())


def build_once(folder):
    """Build the book in one of the test processes; the rest wait.

    Returns the message of a failed build, or an empty text.
    """
    result = folder / "book-result.txt"
    try:
        (folder / "book-building").mkdir()
    except FileExistsError:
        while not result.exists():
            time.sleep(0.1)
        return result.read_text()
    message = ""
    try:
        tasks.ensure_environment()
        tasks.build_book()
    except tasks.Stop as stop:
        message = str(stop)
    unfinished = folder / "book-unfinished.txt"
    unfinished.write_text(message)
    unfinished.rename(result)
    return message


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """Folder of the built book, built here if it is not current."""
    folder = tmp_path_factory.getbasetemp()
    if os.environ.get("PYTEST_XDIST_WORKER"):
        folder = folder.parent
    message = build_once(folder)
    if message:
        pytest.fail(message, pytrace=False)
    return tasks.SITE


def pytest_terminal_summary(terminalreporter):
    """Say which tests a missing browser left out, and how to get them."""
    skipped = terminalreporter.stats.get("skipped", [])
    left_out = sorted(
        {
            report.nodeid.split("[")[0]
            for report in skipped
            if WITHOUT_BROWSER in str(report.longrepr)
        }
    )
    if left_out:
        terminalreporter.section("left out: tests in a browser")
        for name in left_out:
            terminalreporter.line(name)
        terminalreporter.line(f"To get them: {chromium.HOW_TO_GET_ONE}.")
