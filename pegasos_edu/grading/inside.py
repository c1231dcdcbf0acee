"""The first thing that runs in the sandbox: give up what is left, then go on.

    python -P inside.py UID PROCESSES -m MODULE …

Limits on processes are set here, inside, where only the sandbox's own
processes count. It is run by its path, as importing the package takes a
second. UID is another user for a grader that runs as root, whom
no such limit holds; 0 keeps the user.
"""

import os
import runpy
import sys


def give_up(uid, processes):
    """Become another user, if asked, with a limit on processes."""
    import resource  # no module of Windows

    resource.setrlimit(resource.RLIMIT_NPROC, (processes, processes))
    if uid:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)


def main(arguments):
    uid, processes, _, module, *rest = arguments
    give_up(int(uid), int(processes))
    sys.argv[:] = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(sys.argv[1:])
