"""Ctrl+C and a request to end, for a command that a task has started."""

import os
import signal
import subprocess
import sys

import psutil
import pytest

import tasks
from tests.signals import hear_ctrl_c

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(os.name != "posix", reason="no such signals"),
]
# Begins, and needs a second to end in its own way.
CHILD = """
import os, sys, time
try:
    print(os.getpid(), flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    time.sleep(1)
    print("in its own way", flush=True)
    sys.exit(130)
"""
TASK = f"""
import sys
import installation
sys.exit(installation.run([sys.executable, "-c", {CHILD!r}]))
"""


@pytest.fixture
def started():
    """A task and the command it runs, in a group of their own."""
    process = subprocess.Popen(
        [sys.executable, "-c", TASK],
        cwd=tasks.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=hear_ctrl_c,
    )
    yield process, psutil.Process(int(process.stdout.readline()))
    process.kill()
    process.communicate()


def test_after_ctrl_c_a_command_has_the_time_to_end_in_its_own_way(started):
    process, command = started
    os.killpg(process.pid, signal.SIGINT)  # as a terminal sends it
    said, _ = process.communicate()
    assert said == "in its own way\n"
    assert not command.is_running()


def test_a_request_to_end_ends_the_command_too(started):
    process, command = started
    process.send_signal(signal.SIGTERM)
    process.communicate()
    psutil.wait_procs([command])
    assert not command.is_running()
    assert process.returncode == -signal.SIGTERM % 256
