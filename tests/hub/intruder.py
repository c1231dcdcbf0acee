"""What one student tries against the others; run with that student's rights.

It prints what came of each attempt, as JSON. The rehearsal says what should.
"""

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path

EXCHANGE = Path(os.environ.get("COURSE_EXCHANGE", "/srv/exchange"), "pegasos")
MARK = "### BEGIN " + "SOLUTION"
OTHER = "ada"


def can_list(path):
    try:
        return sorted(os.listdir(path))
    except OSError as error:
        return type(error).__name__


def with_solutions(*folders):
    """Files with a model answer that can be read, below some folders."""
    found = []
    for folder in folders:
        for above, _, names in os.walk(folder):
            for name in names:
                with contextlib.suppress(OSError, UnicodeDecodeError):
                    path = Path(above, name)
                    if name.endswith(".ipynb") and MARK in path.read_text():
                        found.append(str(path))
    return found


def submit_as(other):
    """Submit an empty notebook in another's name; nbgrader's exit code."""
    Path("a1").mkdir(exist_ok=True)
    Path("a1/a1.ipynb").write_text("{}")
    command = ["nbgrader", "submit", "a1"]
    command.append(f"--CourseDirectory.student_id={other}")
    return subprocess.run(command, capture_output=True).returncode


def submit_a_link(name):
    """Put a link to the solution where submissions are collected.

    Its date is in the future, so it counts as the last.
    """
    place = EXCHANGE / "inbound" / f"{name}+a1+2099-01-01 00:00:00 UTC+link"
    place.mkdir()
    (place / "timestamp.txt").write_text("2099-01-01 00:00:00 UTC")
    (place / "submission_secret.txt").write_text("0" * 128)
    solution = "/home/teacher/pegasos/solutions/a1/a1.ipynb"
    (place / "a1.ipynb").symlink_to(solution)
    place.chmod(0o755)
    return place.exists()


def takes_memory(megabytes):
    try:
        return len(bytearray(megabytes << 20)) >> 20
    except MemoryError:
        return "MemoryError"


def starts_processes(number):
    """How many of so many processes can be started."""
    started = []
    try:
        for _ in range(number):
            child = os.fork()
            if child == 0:
                time.sleep(3600)
                os._exit(0)
            started.append(child)
    except BlockingIOError:
        pass
    for child in started:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    return len(started)


if __name__ == "__main__":
    os.chdir(os.path.expanduser("~"))
    me = Path.home().name
    homes = {
        name: can_list(f"/home/{name}")
        for name in os.listdir("/home")
        if name != me
    }
    print(
        json.dumps(
            {
                "homes": homes,
                "private": can_list("/srv/private"),
                "state": can_list("/srv/state"),
                "inbound": can_list(EXCHANGE / "inbound"),
                "feedback": can_list(EXCHANGE / "feedback"),
                "solutions": with_solutions("/home", "/srv", "/tmp", "/opt"),
                "submits_as": submit_as(OTHER),
                "links": submit_a_link(me),
                "memory": takes_memory(4096),
                "processes": starts_processes(1000),
            }
        )
    )
