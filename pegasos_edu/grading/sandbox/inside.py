"""The first thing that runs in the sandbox: give up what is left, then go on.

    python -P inside.py UID PROCESSES KEPT COMPILED LOCKED -m MODULE …

Limits on processes are set here, inside, where only the sandbox's own
processes count; and the system calls that would give memory which nobody
counts are forbidden. It is run by its path, as importing the package takes a
second. UID is another user for a grader that runs as root, whom
no such limit holds; 0 keeps the user. What is in the folder KEPT is copied
to COMPILED, where it can be used. LOCKED is a folder that the grader has
locked, or "": without its lock nothing is run.
"""

import contextlib
import ctypes
import errno
import os
import runpy
import shutil
import struct
import sys

# Numbers of system calls, and of the machine, as Linux's headers have them.
# A namespace of one's own may mount a disk in memory; a memory file, shared
# segments, queues of messages and sets of semaphores belong to no process:
# none of it is seen by who watches the processes.
MACHINES = {
    "x86_64": {
        "machine": 0xC000003E,
        "forbidden": dict(
            unshare=272,
            setns=308,
            mount=165,
            memfd_create=319,
            shmget=29,
            msgget=68,
            semget=64,
        ),
        "clone": 56,
    },
    "aarch64": {
        "machine": 0xC00000B7,
        "forbidden": dict(
            unshare=97,
            setns=268,
            mount=40,
            memfd_create=279,
            shmget=194,
            msgget=186,
            semget=190,
        ),
        "clone": 220,
    },
}
# Files that a process may have open: what waits in a socket is in no process.
MOST_OPEN = 256
CLONE3 = 435  # hides its flags; who cannot have it takes clone
NEW_USER = 0x10000000  # the flag of clone that makes a namespace
OTHER_CALLS = 0x40000000  # from here on numbers mean another table
# Where a filter finds what it asks for, and what it is made of.
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16
LOAD, EQUAL, AT_LEAST, HAS_BIT, ANSWER = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
SET_FILTER, FILTER = 22, 2  # PR_SET_SECCOMP and its mode


def give_up(uid, processes):
    """Become another user, if asked, with limits on processes and files."""
    import resource  # no module of Windows

    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most > MOST_OPEN:
        resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_OPEN, MOST_OPEN))
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def rules(machine, forbidden, clone):
    """The filter: instructions (code, skip if so, skip if not, value)."""

    def refuse_if(test, value, reason=errno.EPERM):
        return [(test, 0, 1, value), (ANSWER, 0, 0, REFUSE | reason)]

    asked = [(LOAD, 0, 0, MACHINE), (EQUAL, 1, 0, machine)]
    asked += [(ANSWER, 0, 0, REFUSE | errno.EPERM), (LOAD, 0, 0, NUMBER)]
    asked += refuse_if(AT_LEAST, OTHER_CALLS)
    for number in forbidden.values():
        asked += refuse_if(EQUAL, number)
    asked += refuse_if(EQUAL, CLONE3, errno.ENOSYS)
    asked += [(EQUAL, 0, 3, clone), (LOAD, 0, 0, FIRST_ARGUMENT)]
    asked += refuse_if(HAS_BIT, NEW_USER)
    return [*asked, (ANSWER, 0, 0, ALLOW)]


def forbid():
    """Forbid the calls, to this process and all it starts, for ever."""
    known = MACHINES.get(os.uname().machine)
    if not known:
        return
    made = [struct.pack("HBBI", *rule) for rule in rules(**known)]
    code = ctypes.create_string_buffer(b"".join(made))
    program = struct.pack("HxxxxxxP", len(made), ctypes.addressof(code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(SET_FILTER, FILTER, program, 0, 0):
        sys.exit(f"No filter: {os.strerror(ctypes.get_errno())}.")


def copy(kept, compiled):
    """Copy the files of one folder to another, if both are there."""
    with contextlib.suppress(OSError):
        for name in os.listdir(kept):
            shutil.copyfile(f"{kept}/{name}", f"{compiled}/{name}")


def has_grader(locked):
    """Whether the grader still has its lock on this folder.

    bubblewrap ends with the grader once it has asked the system for that;
    a grader that ended before is noticed here.
    """
    import fcntl  # no module of Windows

    if not locked:
        return True
    folder = os.open(locked, os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(folder)
    return False


def without_debugger():
    """Let no debugger be found: nobody waits for one here.

    To load it is about a sixth of a kernel's start, and more where Python
    has not compiled it before.
    """
    sys.modules["debugpy"] = None  # what Python takes for not installed


def main(arguments):
    uid, processes, kept, compiled, locked, _, module, *rest = arguments
    give_up(int(uid), int(processes))
    if not has_grader(locked):
        sys.exit("The grader has ended.")
    copy(kept, compiled)
    forbid()
    without_debugger()
    sys.argv[:] = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
