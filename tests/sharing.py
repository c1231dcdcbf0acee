"""How the tests are shared out to two processes.

A pytest plugin (`-p tests.sharing`). A file, a notebook or a page of the
book goes to one process as a whole, so that what its tests share is made
once. What takes long comes first, so that both processes end together.
"""

import sys

import pytest
from xdist.scheduler import LoadScopeScheduling

from tests.signals import hear_ctrl_c_here

# For a format that no schema of a notebook names, jsonschema would compile a
# grammar in every process, for more than a second.
sys.modules.setdefault("rfc3987_syntax", None)

PAGES = "tests/browser/test_pages.py::"
# Where the long ones are; the rest follows as it was collected.
LONG_FIRST = [
    "tests/coursework/test_release.py",
    "tests/coursework/test_grading.py",
    "tests/browser/test_pages.py::",
    "tests/browser/",
    "book/",
    "tests/library/test_live",
    "tests/library/test_process",
]


def unit(nodeid):
    """The name of what goes to one process together with this test."""
    file, _, name = nodeid.partition("::")
    if nodeid.startswith(PAGES) and "[" in name:
        return f"{file}[{name.split('[', 1)[1]}"
    return file


def place(nodeid):
    """Where a test stands in the order: smaller comes first."""
    for number, start in enumerate(LONG_FIRST):
        if nodeid.startswith(start):
            return number
    return len(LONG_FIRST)


class Sharing(LoadScopeScheduling):
    """Hands out units in the order in which they were collected."""

    def _split_scope(self, nodeid):
        return unit(nodeid)


class Names:
    """Names what fails when it does: the run may be stopped before its end."""

    def __init__(self, terminal):
        self.terminal = terminal

    def pytest_runtest_logreport(self, report):
        if report.failed:
            self.terminal.ensure_newline()
            self.terminal.write_line(f"{report.nodeid} failed")


@pytest.hookimpl(trylast=True)
def pytest_configure(config):
    hear_ctrl_c_here()
    if not hasattr(config, "workerinput"):
        terminal = config.pluginmanager.getplugin("terminalreporter")
        config.pluginmanager.register(Names(terminal))
    # By number of tests would put what takes long last.
    config.option.loadscopereorder = False


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: place(item.nodeid))


def pytest_xdist_make_scheduler(config, log):
    return Sharing(config, log)
