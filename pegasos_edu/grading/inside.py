"""The first thing that runs in the sandbox: give up what is left, then go on.

    python -P inside.py UID PROCESSES KEPT COMPILED -m MODULE …

Limits on processes are set here, inside, where only the sandbox's own
processes count. It is run by its path, as importing the package takes a
second. UID is another user for a grader that runs as root, whom
no such limit holds; 0 keeps the user. What is in the folder KEPT is copied
to COMPILED, where it can be used.
"""

import contextlib
import os
import runpy
import shutil
import sys


def give_up(uid, processes):
    """Become another user, if asked, with a limit on processes."""
    import resource  # no module of Windows

    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def copy(kept, compiled):
    """Copy the files of one folder to another, if both are there."""
    with contextlib.suppress(OSError):
        for name in os.listdir(kept):
            shutil.copyfile(f"{kept}/{name}", f"{compiled}/{name}")


def main(arguments):
    uid, processes, kept, compiled, _, module, *rest = arguments
    give_up(int(uid), int(processes))
    copy(kept, compiled)
    sys.argv[:] = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
