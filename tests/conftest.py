"""What all tests share: the order of sums, and one built book."""

import gc
import os

import pytest
from filelock import FileLock
from hypothesis import HealthCheck, settings

import installation
import tasks
from tests.browser import chromium

WITHOUT_BROWSER = "no Chromium or Chrome was found"

for variable, value in installation.SAME_SUMS.items():
    os.environ.setdefault(variable, value)
# How long an example takes says more about the machine than about the code.
settings.register_profile(
    "project",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("project")
# To look through ten thousand tests for garbage, again and again, took one
# second in seven.
gc.set_threshold(500_000, 20, 20)


@pytest.hookimpl(tryfirst=True)  # before `-m` leaves tests out
def pytest_collection_modifyitems(items):
    for item in items:
        # A cell of a notebook has no fixtures.
        if "site" in getattr(item, "fixturenames", ()):
            item.add_marker("pages")


def build_once(folder):
    """Build the book in one of the test processes; the rest wait.

    Returns the message of a failed build, or an empty text. The system
    frees the lock when its owner ends, however that happens; then the next
    one builds.
    """
    result = folder / "book-result.txt"
    with FileLock(folder / "book.lock"):
        if not result.exists():
            result.write_text(build(), "utf-8")
        return result.read_text("utf-8")


def build():
    """Build the book unless it is current; what went wrong, or ""."""
    try:
        tasks.ensure_environment()
        tasks.build_book()
    except tasks.Stop as stop:
        return str(stop)
    return ""


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
