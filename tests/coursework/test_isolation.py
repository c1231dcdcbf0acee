"""Attacks that bite without isolation, and do nothing with it."""

import errno
import os
import select
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from contextlib import ExitStack, suppress
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
from nbformat.v4 import writes

from pegasos_edu.grading.__main__ import main
from pegasos_edu.grading.sandbox import inside, isolation, limits
from pegasos_edu.grading.sandbox.limits import (
    MEGABYTE,
    MOST_FILES,
    Watch,
    excess_inside,
)
from tests.coursework import hostile
from tests.coursework.attacks import ATTACKS
from tests.coursework.isolated import OBSTACLE

SECRET = "NEVER-TO-BE-READ"
linux = pytest.mark.skipif(
    sys.platform != "linux", reason="bubblewrap runs on Linux only"
)


GRADER = f"""import sys
for line in sys.stdin:  # {SECRET}
    print(line, end="", flush=True)
"""


class World:
    """Everybody's files, a process of the grader, and what listens."""

    def __init__(self, folder, stack):
        self.folder, self.token = folder, f"token-{uuid.uuid4().hex}"
        for name in (
            *("solutions/tiny.ipynb", "submitted/bob/tiny.ipynb"),
            *("grades/scores.csv", "grades/bob/tiny.html"),
            *("home/.ssh/key", "questions/question"),
        ):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(SECRET)
        (folder / "questions" / "reply").touch()
        with sqlite3.connect(folder / "gradebook.db") as book:
            book.execute("create table grade (score)")
            book.execute("insert into grade values (?)", [SECRET])
        book.close()
        self.shared = stack.enter_context(shared_memory(self.token))
        self.grader = stack.enter_context(
            subprocess.Popen(
                [sys.executable, "-c", GRADER],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd=folder,
                env={"SECRET": SECRET},
            )
        )
        stack.callback(self.grader.kill)
        self.listening = [
            stack.enter_context(listener(address))
            for address in (
                ("127.0.0.1", 0),
                "\0" + self.token,
                str(folder / "s"),
            )
        ]
        self.before = self.files()

    def program(self, source):
        """An attack on this world."""
        port = self.listening[0].getsockname()[1]
        for word, value in (
            ("WORLD", self.folder),
            ("GRADER", self.grader.pid),
            ("PORT", port),
            ("TOKEN", self.token),
        ):
            source = source.replace(word, str(value))
        return f"print('BEGUN', flush=True)\n{source}\n# {self.token}\n"

    def files(self):
        """What is in the folder: links as links, files by their bytes."""
        return {
            str(path): os.readlink(path)
            if path.is_symlink()
            else path.is_file() and path.read_bytes()
            for path in self.folder.rglob("*")
        }

    def harm(self, printed, patience):
        """Everything that one sees was done; `patience` as in left_over."""
        found = {
            "reads": SECRET in printed,
            "exceeds": "TOO MUCH" in printed,
            "changes": self.files() != self.before,
            "kills": ended(self.grader),
            "stops": is_stopped(self.grader.pid),
            "connects": any(map(was_called, self.listening)),
            "outlives": self.left_over(patience) != [],
        }
        return {name for name, done in found.items() if done}

    def left_over(self, patience):
        """Processes of an attack that go on after this; they are ended.

        The last ones of a sandbox end a little after it, and on a busy
        machine later than that.
        """
        deadline = time.monotonic() + patience
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.05)
        alive = left = self.running()
        while left:  # one that forks may have done so meanwhile
            for process in left:
                with suppress(psutil.NoSuchProcess):
                    process.kill()
            left = self.running()
        return alive

    def running(self):
        """Processes that have the token in their command.

        One that hands on to its child while all are listed is missed: so
        there are three looks.
        """
        for _ in range(3):
            found = []
            for process in psutil.process_iter():
                with suppress(psutil.Error):
                    if any(self.token in word for word in process.cmdline()):
                        found.append(process)
            if found:
                break
        return found


class shared_memory:
    """A secret in the memory that all processes share."""

    def __init__(self, name):
        self.path = f"/dev/shm/{name}"

    def __enter__(self):
        with open(self.path, "w") as file:
            file.write(SECRET)

    def __exit__(self, *error):
        os.unlink(self.path)


def listener(address):
    """A socket that waits for a call."""
    family = socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX
    found = socket.socket(family)
    found.bind(address)
    found.listen()
    found.setblocking(False)
    return found


def was_called(listening):
    try:
        listening.accept()[0].close()
    except BlockingIOError:
        return False
    return True


def ended(process):
    """Whether it was killed: one that lives answers, however busy it is.

    One that was told to stop may take a while to do so.
    """
    with suppress(BrokenPipeError):
        process.stdin.write(b"there?\n")
    while not is_stopped(process.pid):
        if select.select([process.stdout], [], [], 0.05)[0]:
            return process.stdout.readline() == b""
    return False


def is_stopped(pid):
    with suppress(psutil.Error):
        return psutil.Process(pid).status() == psutil.STATUS_STOPPED
    return False


@pytest.fixture
def world(tmp_path):
    with ExitStack() as stack:
        yield World(tmp_path, stack)


def attack(world, name, isolated, uid=None):
    """Run an attack; the harm it did, and how."""
    program = world.program(ATTACKS[name][0])
    if isolated:
        begin = isolation.command(
            read=[world.folder / "questions"],
            write=[world.folder / "questions" / "reply"],
            uid=uid,
        )
        # No module of Python's runs a text; `timeit` runs its set-up.
        told = ["-m", "timeit", "-n1", "-r1", "-s", program, "pass"]
    else:
        begin, told = [sys.executable], ["-c", program]
    done = subprocess.run(
        [*begin, *told],
        capture_output=True,
        text=True,
        check=False,
        env={
            **os.environ,
            "SECRET": SECRET,
            "HOME": str(world.folder / "home"),
            "TMPDIR": str(world.folder),
        },
    )
    return world.harm(done.stdout, 60 if isolated else 2), done


def test_there_are_enough_attacks():
    assert len(ATTACKS) >= 30
    assert {kind for _, kind in ATTACKS.values()} == {
        *("reads", "changes", "kills", "stops"),
        *("connects", "outlives", "exceeds"),
    }


@linux
@pytest.mark.processes
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_bites_without_isolation(world, name):
    harm, done = attack(world, name, isolated=False)
    assert ATTACKS[name][1] in harm, done.stderr


@linux
@pytest.mark.processes
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_does_nothing_in_the_sandbox(world, name):
    if OBSTACLE:
        with pytest.raises(SystemExit, match="--no-isolation"):
            refused(world.folder)
        return
    harm, done = attack(world, name, True, isolation.another_user())
    assert harm == set()
    # It was the sandbox that stopped it, not one that did not begin.
    assert "BEGUN" in done.stdout, done.stderr


# The other kind of sandbox, for a grader who is not root. There, root alone
# may start as many processes as it likes; see `limits.Watch`.
AS_ANYBODY = sorted(set(ATTACKS) - {"forks-without-end"})[::5]


@linux
@pytest.mark.processes
@pytest.mark.parametrize("name", AS_ANYBODY)
def test_an_attack_does_nothing_where_the_grader_is_not_root(world, name):
    if OBSTACLE:
        with pytest.raises(SystemExit, match="--no-isolation"):
            refused(world.folder)
        return
    harm, done = attack(world, name, True)
    assert harm == set() and "BEGUN" in done.stdout, done.stderr


SOLVES = """
import numpy as np
from pegasos_edu import optimum
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.compiled import fastest
X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
optimum(X, y, 0.1)
"""
# Only its own copy is changed, so everybody else's code stays as it was.
SPOILS = f"""
import os
folder = {str(isolation.COMPILED)!r}
for name in os.listdir(folder):
    open(os.path.join(folder, name), 'wb').write(b'spoilt')
print('SPOILT', len(os.listdir(folder)))
"""
COUNTS = (
    "print('FOUND', sum(fastest(dual.advance)[0].stats.cache_hits.values()))"
)


@linux
@pytest.mark.processes
@pytest.mark.parametrize("user", [isolation.another_user, lambda: None])
def test_compiled_code_is_at_hand_and_cannot_be_spoilt(user):
    if OBSTACLE:
        pytest.skip(OBSTACLE)
    subprocess.run([sys.executable, "-c", SOLVES], check=True)
    before = {f: f.read_bytes() for f in isolation.COMPILED.glob("*.nb?")}
    program = SOLVES + COUNTS + SPOILS
    done = subprocess.run(
        [
            *isolation.command(uid=user()),
            *("-m", "timeit", "-n1", "-r1", "-s", program, "pass"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "FOUND 1" in done.stdout, done.stderr
    assert "SPOILT" in done.stdout
    after = {f: f.read_bytes() for f in isolation.COMPILED.glob("*.nb?")}
    assert before and before == after


def one_too_many(folder):
    for number in range(MOST_FILES + 1):
        (folder / str(number)).touch()


def too_deep(folder):
    """More folders, one in another, than Python's own tools can follow."""
    os.chdir(folder)
    for _ in range(MOST_FILES + 500):
        os.mkdir("d")
        os.chdir("d")


def too_large(folder):
    for number in range(3):
        with open(folder / str(number), "wb") as file:
            file.truncate(80 * MEGABYTE)


@linux
@pytest.mark.parametrize(
    "fill, reason",
    [
        (one_too_many, "it made more than 1000 files"),
        (too_deep, "it made more than 1000 files"),
        (too_large, "it wrote more than 200 MB"),
    ],
)
def test_what_a_notebook_writes_has_an_end(
    tmp_path, monkeypatch, request, fill, reason
):
    monkeypatch.chdir(tmp_path)
    place, questions = tmp_path / "sockets", tmp_path / "questions"
    # pytest itself could not remove it.
    remove = ["rm", "-rf", str(place)]
    request.addfinalizer(lambda: subprocess.run(remove, check=True))
    place.mkdir()
    questions.mkdir()
    watch = Watch(None, [questions, place], memory=10**6)
    assert watch.excess() == ""
    fill(place)
    assert watch.excess() == reason
    (questions / "reply").touch()
    manager = isolation.Manager(questions, questions / "reply")
    os.rmdir(manager.sockets)
    manager.sockets = str(place)
    manager.remove_sockets()
    assert not place.exists()


# A notebook's process that waits for ever, and a grader that waits for it.
STANDS_STILL = """
import subprocess, sys, time
from pegasos_edu.grading.sandbox import limits
limits.MOST_IDLE = 3
said, code = [], "import time; time.sleep(3600)"
with subprocess.Popen([sys.executable, "-c", code]) as notebook:
    with limits.Watch(said.append, [], memory=10**6) as watch:
        watch.thread.join()
    notebook.kill()
print(*said)
"""


def test_what_stands_still_is_ended():
    """A broken connection to the kernel is no reason to wait for long."""
    done = subprocess.run(
        [sys.executable, "-c", STANDS_STILL],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "it did nothing for 3 s"


@pytest.fixture
def at(monkeypatch):
    """Sets the clock, and what the notebook and its grader have used."""
    set_to = SimpleNamespace(now=1000.0, notebook=0.0, grader=0.0)
    clocks = SimpleNamespace(
        monotonic=lambda: set_to.now,
        pthread_getcpuclockid=lambda thread: 0,
        clock_gettime=lambda clock: set_to.grader,
    )
    monkeypatch.setattr(limits, "time", clocks)
    monkeypatch.setattr(
        limits,
        "processor_times",
        lambda processes: [(set_to.notebook, 0.0, 0.0, 0.0)],
    )
    nobody = SimpleNamespace(children=lambda **_: [])
    monkeypatch.setattr(
        limits, "psutil", SimpleNamespace(Process=lambda: nobody)
    )
    return set_to


@pytest.mark.parametrize(
    "notebook, grader, still",
    [(0.0, 0.0, True), (0.02, 0.0, False), (0.0, 0.02, False)],
    ids=["nobody works", "the notebook works", "the grader works"],
)
def test_who_works_a_little_does_not_stand_still(at, notebook, grader, still):
    """A fiftieth of a second in each second is enough, by any clock."""
    watch = Watch(None, [], memory=10**6)
    found = []
    for _ in range(3 * limits.MOST_IDLE):
        at.now += 1.0
        at.notebook += notebook
        at.grader += grader
        found.append(watch.excess())
    assert found[-1] == still * f"it did nothing for {limits.MOST_IDLE} s"
    assert not any(found[: limits.MOST_IDLE - 1])


def seconds_until_the_end(at, cells, sleep, work):
    """What some cells take of which each sleeps and then works."""
    watch = Watch(None, [], memory=10**6)
    begun = at.now
    for _ in range(cells):
        for _ in range(sleep):
            at.now += 1.0
            reason = watch.excess()
            if reason:
                assert reason == "it did nothing for 240 s in all"
                return at.now - begun
        at.now += work
        at.notebook += work
        watch.moved()
    return None


def test_sleeps_are_counted_over_all_cells(at):
    """No cell alone does nothing for too long."""
    assert 240 <= seconds_until_the_end(at, 11, 140, work=2.0) <= 270


def test_who_waits_in_few_cells_or_works_in_all_may_go_on(at):
    assert seconds_until_the_end(at, 1, 150, work=1.0) is None
    assert seconds_until_the_end(at, 200, 9, work=1.0) is None


def test_a_machine_that_was_stopped_costs_nobody_much(at):
    """By the clock an hour is over then, and nobody could work in it."""
    watch = Watch(None, [], memory=10**6)
    for _ in range(4):
        at.now += 3600
        watch.moved()
        assert watch.excess() == ""


# A process within limits prints what it could do.
LIMITED = """
import resource
from pegasos_edu.grading.sandbox.limits import MEGABYTE, limit
def fits(size):
    try:
        return len(bytearray(size)) == size
    except MemoryError:
        return False
limit(memory=600, file_size=2)
print(fits(300 * MEGABYTE), fits(600 * MEGABYTE))
with open("file", "wb", buffering=0) as file:
    print(file.write(bytes(3 * MEGABYTE)) == 2 * MEGABYTE)
print(resource.getrlimit(resource.RLIMIT_CORE))
limit(memory=6000)  # what was taken away is not given back
print(fits(600 * MEGABYTE))
"""


@linux
def test_a_process_has_so_much_memory_and_files_so_long(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", LIMITED],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(isolation.PACKAGE.parent)},
    )
    assert done.stdout.split("\n") == [
        *("True False", "True", "(0, 0)", "False", "")
    ]


FILES_WITHOUT_END = """
import os, time
os.mkdir("/tmp/many")
for number in range(21_000):
    os.close(os.open(f"/tmp/many/{number}", os.O_CREAT))
print("BEGUN", flush=True)
time.sleep(600)
"""
# Each process may have 256 files open; together they have more.
SOCKETS_WITHOUT_END = """
import os, socket, time
for _ in range(4):
    if os.fork() == 0:
        kept = [socket.socketpair() for _ in range(60)]
        time.sleep(600)
print("BEGUN", flush=True)
time.sleep(600)
"""
QUIET = "import time; print('BEGUN', flush=True); time.sleep(600)"


@linux
@pytest.mark.processes
@pytest.mark.parametrize(
    "program, reason",
    [
        (QUIET, ""),
        (FILES_WITHOUT_END, "it made more than 20000 files"),
        (SOCKETS_WITHOUT_END, "it opened more than 400 sockets"),
    ],
)
@pytest.mark.parametrize("user", [isolation.another_user, lambda: None])
def test_what_no_process_shows_has_an_end(program, reason, user):
    if OBSTACLE:
        pytest.skip(OBSTACLE)
    begin = isolation.command(uid=user())
    told = ["-m", "timeit", "-n1", "-r1", "-s", program, "pass"]
    with subprocess.Popen([*begin, *told], stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout.readline() == b"BEGUN\n"
            for _ in range(600):  # others of its processes may be slower
                if found_inside(process.pid) == reason:
                    break
                time.sleep(0.1)
            assert found_inside(process.pid) == reason
        finally:
            process.kill()


# What a grader does that ends, killed, as the sandbox of a notebook begins.
KILLED_EARLY = """
import fcntl, os, signal, subprocess, sys
held = os.open(sys.argv[1], os.O_RDONLY)
fcntl.flock(held, fcntl.LOCK_EX)
subprocess.Popen(["sh", "-c", 'read go; exec "$@"', "sh", *sys.argv[2:]],
                 stdin=sys.stdin)
os.kill(os.getpid(), signal.SIGKILL)
"""


@linux
@pytest.mark.processes
@pytest.mark.parametrize("user", [isolation.another_user, lambda: None])
def test_nothing_begins_once_the_grader_has_ended(tmp_path, user):
    """bubblewrap cannot end with who has ended before it began."""
    if OBSTACLE:
        pytest.skip(OBSTACLE)
    if user():
        os.chown(tmp_path, user(), user())
    begin = isolation.command(write=[tmp_path], uid=user(), locked=tmp_path)
    told = [*begin, "-m", "timeit", "-n1", "-r1", "-s", QUIET, "pass"]
    grader = [sys.executable, "-c", KILLED_EARLY, str(tmp_path)]
    with subprocess.Popen(
        [*grader, *told],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.wait() == -signal.SIGKILL
        # Both pipes end when the last process in the sandbox has ended.
        said, error = process.communicate(b"go\n")
    assert (said, error) == (b"", b"The grader has ended.\n")


@linux
@pytest.mark.processes
def test_what_its_grader_has_locked_begins(tmp_path):
    if OBSTACLE:
        pytest.skip(OBSTACLE)
    import fcntl  # no module of Windows

    held = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        begin = isolation.command(write=[tmp_path], locked=tmp_path)
        done = subprocess.run([*begin, "-m", "platform"], check=False)
    finally:
        os.close(held)
    assert done.returncode == 0


def found_inside(pid):
    """What the watch finds in a sandbox, by all of its processes."""
    inside = psutil.Process(pid).children(recursive=True)
    return next(filter(None, map(excess_inside, inside)), "")


def refused(folder):
    """The command where no sandbox can be made."""
    place = folder / "course" / "tiny"
    place.mkdir(parents=True)
    (place / "tiny.ipynb").write_text(writes(hostile.notebook()), "utf-8")
    (folder / "in" / "ada").mkdir(parents=True)
    (folder / "in" / "ada" / "tiny.ipynb").write_text("{}")
    return main(
        [
            str(folder / "in"),
            *("--solutions", str(folder / "course")),
            *("--out", str(folder / "out")),
        ]
    )


def test_without_bubblewrap_the_command_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation.shutil, "which", lambda name: None)
    monkeypatch.setattr(isolation.sys, "platform", "linux")
    wanted = (
        "bwrap is not installed; .* apt install bubblewrap.*--no-isolation"
    )
    with pytest.raises(SystemExit, match=wanted):
        refused(tmp_path)
    assert not (tmp_path / "out" / "scores.csv").exists()


def test_elsewhere_the_command_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(isolation.sys, "platform", "darwin")
    with pytest.raises(SystemExit, match="on Linux only.*--no-isolation"):
        refused(tmp_path)


@linux
def test_a_bubblewrap_that_fails_is_named(tmp_path, monkeypatch):
    program = tmp_path / "bwrap"
    program.write_text("#!/bin/sh\necho 'No permissions' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert shutil.which("bwrap") == str(program)
    isolation.has_option.cache_clear()
    try:
        assert "does not work here (No permissions)" in isolation.obstacle()
    finally:
        isolation.has_option.cache_clear()


# The filter of system calls, for machines that are not at hand as well


def answer_of(filter_, number, machine, flags=0):
    """What the kernel makes of a filter: None, or the error of the call."""
    words = {0: number, 4: machine, 16: flags}
    at, loaded = 0, None
    while True:
        code, if_so, if_not, value = filter_[at]
        at += 1
        if code == 0x20:  # BPF_LD | BPF_W | BPF_ABS
            loaded = words[value]
        elif code == 0x06:  # BPF_RET | BPF_K
            action, reason = value & 0xFFFF0000, value & 0xFFFF
            assert action in (0x7FFF0000, 0x00050000)  # allow, error
            return reason if action == 0x00050000 else None
        else:
            true = {
                0x15: loaded == value,  # BPF_JMP | BPF_JEQ
                0x35: loaded >= value,  # BPF_JMP | BPF_JGE
                0x45: bool(loaded & value),  # BPF_JMP | BPF_JSET
            }[code]
            at += if_so if true else if_not


# From the headers of Linux: AUDIT_ARCH_…, and the calls in the order
# mount, unshare, setns, memfd_create, semget, msgget, shmget; clone; read,
# write, execve, exit_group.
CALLS = {
    "x86_64": (
        0xC000003E,
        [165, 272, 308, 319, 64, 68, 29],
        56,
        [0, 1, 59, 231],
    ),
    "aarch64": (
        0xC00000B7,
        [40, 97, 268, 279, 190, 186, 194],
        220,
        [63, 64, 221, 94],
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_filter_refuses_these_calls_and_no_others(name):
    machine, forbidden, clone, free = CALLS[name]
    filter_ = inside.rules(**inside.MACHINES[name])
    for number in forbidden:
        assert answer_of(filter_, number, machine) == errno.EPERM
    for number in (*free, clone, 400, 436):
        assert answer_of(filter_, number, machine) is None
    # CLONE_NEWUSER makes a namespace; clone3 hides its flags in memory.
    assert answer_of(filter_, clone, machine, 0x10000000) == errno.EPERM
    assert answer_of(filter_, clone, machine, 0x00000100) is None
    assert answer_of(filter_, free[0], machine, 0x10000000) is None
    assert answer_of(filter_, 435, machine) == errno.ENOSYS
    # The table of x32, and programs for another machine.
    assert answer_of(filter_, 0x40000000, machine) == errno.EPERM
    for other in (0x40000003, 0x40000028):
        assert answer_of(filter_, free[0], other) == errno.EPERM


def has_filters():
    """Whether this is a machine we know, with a system that has filters."""
    status = Path("/proc/self/status")
    known = status.exists() and os.uname().machine in inside.MACHINES
    return known and "\nSeccomp:" in status.read_text()


@pytest.mark.skipif(not has_filters(), reason="no filters of calls here")
def test_the_system_takes_the_filter():
    """Were it refused, bubblewrap alone would be said not to work."""
    code = (
        "import ctypes, os\n"
        "from pegasos_edu.grading.sandbox import inside\n"
        "ctypes.CDLL(None).prctl(38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS\n"
        "os.close(os.memfd_create('before'))\n"
        "inside.forbid()\n"
        "try:\n"
        "    os.memfd_create('after')\n"
        "except PermissionError:\n"
        "    print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "refused\n", "")


def test_other_machines_have_no_filter():
    assert set(inside.MACHINES) == set(CALLS)
