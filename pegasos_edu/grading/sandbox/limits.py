"""What a process may use, and its end, with everything it started."""

import ctypes
import multiprocessing
import os
import signal
import sys
import threading
import time
from contextlib import suppress

import psutil

MEGABYTE = 2**20
MOST_PROCESSES = 64
MOST_WRITTEN = 200  # megabytes
MOST_FILES = 1000
# Who has used less than a second of a processor in so many on the clock waits
# for what never comes. A busy machine gives a process that works more, and a
# cell that sleeps is interrupted by its own limit before.
MOST_IDLE = 180
# The same of all cells together, however short the sleep in each: pieces of
# so many seconds are counted in which as little was used. One cell may wait
# for 150 seconds, until its own limit, and three that depend on it for 25.
MOST_IDLE_IN_ALL = 240
PIECE = 10
LITTLE = 0.05
# In a sandbox: files in its folders in memory, and sockets. An empty file
# takes about 3 KB of the system's memory, a full socket about 400 KB.
MOST_INSIDE = 20_000
MOST_SOCKETS = 400
IN_MEMORY = ("/tmp", "/dev/shm", "/home")
# PR_SET_PDEATHSIG and PR_SET_CHILD_SUBREAPER of Linux's prctl.
DEATH_SIGNAL = 1
BECOME_SUBREAPER = 36


def limit(memory, file_size=100):
    """Limit this process and all it starts, where the system can.

    Parameters
    ----------
    memory, file_size : int
        Megabytes of memory of its own, and of any one file it writes.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    # Not the address space: the script engine behind the charts reserves
    # far more of that than it uses.
    for kind, size in (
        (resource.RLIMIT_DATA, memory * MEGABYTE),
        (resource.RLIMIT_FSIZE, file_size * MEGABYTE),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            size = min(size, hard)
        with suppress(ValueError, OSError):  # macOS refuses some
            resource.setrlimit(kind, (size, size))


class Watch:
    """Looks after a notebook's processes twice a second; a context.

    Limits of the system hold for a process; this holds for all together,
    and for root, too.

    Parameters
    ----------
    end : callable
        Called with the reason, once, if they use too much.
    folders : list of path
        Where they may write; there may come to be more.
    memory : int
        Megabytes.
    """

    def __init__(self, end, folders, memory):
        self.end, self.folders, self.memory = end, folders, memory
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.look, daemon=True)
        # This thread grades; and since when too little was used, by the clock.
        self.grader = threading.get_ident()
        self.since, self.used = time.monotonic(), 0.0
        # Idle seconds in all, and when the piece began that is looked at.
        self.idle, self.begun, self.used_then = 0.0, self.since, 0.0

    def __enter__(self):
        self.thread.start()
        return self

    def moved(self):
        """Count from now: a cell came to its end."""
        self.since = time.monotonic()

    def __exit__(self, *error):
        self.over.set()
        self.thread.join()

    def look(self):
        while not self.over.wait(0.5):
            reason = self.excess()
            if reason:
                self.end(reason)
                return

    def excess(self):
        """What is too much, or ""."""
        processes = psutil.Process().children(recursive=True)
        used = self.processor_time(processes)
        if self.stands_still(used):
            return f"it did nothing for {MOST_IDLE} s"
        if self.stood_still(used):
            return f"it did nothing for {MOST_IDLE_IN_ALL} s in all"
        if len(processes) > MOST_PROCESSES:
            return f"it started more than {MOST_PROCESSES} processes"
        most = self.memory * MEGABYTE
        # What forks share counts in each of them; only if that is too much
        # is it worth to look which pages are whose.
        too_much = sum(map(resident, processes)) > most
        if too_much and sum(map(own_memory, processes)) > most:
            return f"its processes took more than {self.memory} MB"
        for folder in self.folders:
            files, size = contents(folder)
            if files > MOST_FILES:
                return f"it made more than {MOST_FILES} files"
            if size > MOST_WRITTEN * MEGABYTE:
                return f"it wrote more than {MOST_WRITTEN} MB"
        return next(filter(None, map(excess_inside, processes)), "")

    def processor_time(self, processes):
        """What they and who grades them have used, in seconds.

        Not what this thread does, which looks at them all the time.
        """
        used = sum(sum(one[:4]) for one in processor_times(processes))
        if hasattr(time, "pthread_getcpuclockid"):
            clock = time.pthread_getcpuclockid(self.grader)
            return used + time.clock_gettime(clock)
        return used + time.process_time()  # Windows; the time of all threads

    def stands_still(self, used):
        """Whether nobody has done anything since a cell came to its end."""
        if abs(used - self.used) >= 1:
            self.since, self.used = time.monotonic(), used
        return time.monotonic() - self.since > MOST_IDLE

    def stood_still(self, used):
        """Whether, in all cells together, nobody did anything for too long."""
        if time.monotonic() - self.begun >= PIECE:
            # Once, however long a machine that was stopped has let it wait.
            self.idle += PIECE * (abs(used - self.used_then) < LITTLE)
            self.begun, self.used_then = time.monotonic(), used
        return self.idle >= MOST_IDLE_IN_ALL


def processor_times(processes):
    """What some processes, and those of theirs that ended, have used."""
    times = []
    for process in processes:
        with suppress(psutil.Error):
            times.append(process.cpu_times())
    return times


def resident(process):
    """Bytes of memory a process uses, shared or not; 0 if it ended."""
    with suppress(psutil.Error):
        return process.memory_info().rss
    return 0


def own_memory(process):
    """The same with its part of what it shares; 0 if it ended."""
    with suppress(psutil.Error):
        memory = process.memory_full_info()
        return getattr(memory, "pss", memory.uss)
    return 0


def excess_inside(process):
    """What a process's sandbox holds too much of, or ""; Linux only.

    It is memory of the system's that no process shows.
    """
    if sys.platform != "linux":
        return ""
    with suppress(OSError, ValueError):
        root = f"/proc/{process.pid}/root"
        if os.path.samestat(os.stat(root), os.stat("/")):
            return ""  # in no sandbox: these are the machine's
        for place in IN_MEMORY:
            found = os.statvfs(root + place)
            if found.f_files - found.f_ffree > MOST_INSIDE:
                return f"it made more than {MOST_INSIDE} files"
        with open(f"/proc/{process.pid}/net/sockstat") as file:
            used = int(file.readline().split()[-1])  # sockets: used 12
        if used > MOST_SOCKETS:
            return f"it opened more than {MOST_SOCKETS} sockets"
    return ""


def contents(folder):
    """How many files and folders are in a folder, and their bytes.

    Counting ends above `MOST_FILES`; what vanishes meanwhile counts not.
    """
    files, size, waiting = 0, 0, [folder]
    while waiting and files <= MOST_FILES:
        with suppress(OSError), os.scandir(waiting.pop()) as entries:
            for entry in entries:
                files += 1
                if files > MOST_FILES:
                    break
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                size += entry.stat(follow_symlinks=False).st_size
    return files, size


def end_with_parent():
    """End when the grader ends, and hear no Ctrl+C meant for it."""
    if hasattr(os, "setsid"):
        os.setsid()
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        grader = multiprocessing.parent_process()
        if grader is not None and not grader.is_alive():
            os._exit(1)  # it ended before the signal was asked for


def end_with_task():
    """Be asked to end when the task that began this process is killed.

    `tasks.py` then leaves nobody behind who goes on; Linux only.
    """
    task = os.environ.get("PEGASOS_TASK", "")
    if sys.platform == "linux" and task == str(os.getppid()):
        ctypes.CDLL(None).prctl(DEATH_SIGNAL, signal.SIGTERM, 0, 0, 0)
        if os.getppid() != int(task):  # it ended before that
            os.kill(os.getpid(), signal.SIGTERM)


def adopt_orphans():
    """Stay the parent of processes that leave theirs; Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(BECOME_SUBREAPER, 1, 0, 0, 0)


def end_descendants(parent=None):
    """End all processes that a process started, and theirs."""
    try:
        processes = psutil.Process(parent).children(recursive=True)
    except psutil.NoSuchProcess:
        return
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(processes, timeout=5)
