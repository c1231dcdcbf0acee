"""What a process may use, and its end, with everything it started."""

import ctypes
import sys
from contextlib import suppress

import psutil

MEGABYTE = 2**20
BECOME_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER of Linux's prctl


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
