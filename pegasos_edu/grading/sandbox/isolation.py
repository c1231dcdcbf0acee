"""A sandbox for each notebook, made by bubblewrap.

In it there are the system's programs, this Python and this package, all to
be read only; a small folder of its own in memory; and the folder and the
file through which the grader asks and the notebook answers. There is no
network, no process and no file of anyone else.
"""

import functools
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from jupyter_client.manager import AsyncKernelManager

import pegasos_edu
from pegasos_edu.grading import temporary
from pegasos_edu.grading.sandbox import inside
from pegasos_edu.grading.sandbox.limits import MEGABYTE

# A kernel has about ten threads, and each counts.
PROCESSES = 64
DISK = 100  # megabytes for each of the folders in memory
SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"]
SYSTEM += ["/etc/ld.so.cache", "/etc/alternatives", "/etc/fonts"]
HOME = "/home/student"
FIRST_USER = 2_000_000  # beyond what systems give to anybody
PACKAGE = Path(pegasos_edu.__file__).resolve().parent
# Where numba keeps compiled code. It reads none from a folder that it may
# not write to, so each sandbox has a copy of its own, in memory.
COMPILED = PACKAGE / "solvers" / "__pycache__"
KEPT = f"{HOME}/compiled"
WANTED = (
    "install bubblewrap (Debian and Ubuntu: apt install bubblewrap), or give "
    "--no-isolation: then student code runs with all your rights"
)


@functools.cache
def has_option(option):
    """Whether the bubblewrap that is installed knows an option."""
    done = subprocess.run(
        ["bwrap", "--help"], capture_output=True, text=True, check=False
    )
    return option in done.stdout + done.stderr


def in_memory(path):
    """Arguments for a folder in memory, with an end where that can be."""
    size = ["--size", str(DISK * MEGABYTE)] if has_option("--size") else []
    return [*size, "--tmpfs", path]


def system_folders():
    """Arguments for what every program needs, to be read only."""
    arguments = []
    for path in SYSTEM:
        if os.path.islink(path):
            arguments += ["--symlink", os.readlink(path), path]
        elif os.path.exists(path):
            arguments += ["--ro-bind", path, path]
    return arguments


def python_folders():
    """Arguments for this Python, its libraries and this package."""
    arguments = []
    for path in sorted({sys.base_prefix, sys.prefix, str(PACKAGE)}, key=len):
        if not any(Path(path).is_relative_to(one) for one in SYSTEM):
            arguments += ["--ro-bind", path, path]
    return arguments


def variables():
    """Environment variables in the sandbox: no others are there."""
    return {
        "HOME": HOME,
        "PATH": f"{sys.prefix}/bin:/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "MPLBACKEND": "Agg",
        "MPLCONFIGDIR": f"{HOME}/matplotlib",
        "PYTHONPATH": str(PACKAGE.parent),
        "PYTHONDONTWRITEBYTECODE": "1",
        "OMP_NUM_THREADS": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def command(read=(), write=(), uid=None, locked=""):
    """The beginning of a command that runs a Python module in a sandbox.

    Parameters
    ----------
    read, write : iterable of path
        Folders and files of the grader's that are there, too.
    uid : int, optional
        The user to become; only root can. By default the grader's own, who
        has no rights there and owns nothing but the folders to `write`.
    locked : path, optional
        One of these that the grader has locked. Without its lock nothing
        is run: the grader has ended.

    Returns
    -------
    list of str
        To be followed by `-m MODULE` and its arguments.
    """
    words = ["bwrap", "--unshare-ipc", "--unshare-pid", "--unshare-net"]
    words += ["--unshare-uts", "--unshare-cgroup-try"]
    words += ["--die-with-parent", "--new-session", "--clearenv"]
    words += ["--cap-drop", "ALL"]
    if uid:
        words += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        words += ["--unshare-user", "--uid", "1000", "--gid", "1000"]
        if has_option("--disable-userns"):
            words += ["--disable-userns"]
    words += [*system_folders(), "--proc", "/proc", "--dev", "/dev"]
    for path in ("/tmp", "/dev/shm", "/home"):
        words += in_memory(path)
    words += [*python_folders(), *fonts(), *compiled_code()]
    for path in read:
        words += ["--ro-bind", str(path), str(path)]
    for path in write:
        words += ["--bind", str(path), str(path)]
    words += ["--dir", HOME]
    if uid:
        words += opened([*read, *write])
    for path in ("/dev", "/"):
        words += ["--remount-ro", path]
    for name, value in variables().items():
        words += ["--setenv", name, value]
    words += ["--chdir", HOME, sys.executable, "-P", inside.__file__]
    words += [str(uid or 0), str(PROCESSES), KEPT, str(COMPILED)]
    return [*words, str(locked)]


def opened(folders):
    """Arguments that let another user in, where only root was."""
    arguments = []
    for path in ("/tmp", "/dev/shm", "/home", HOME):
        arguments += ["--chmod", "1777", path]
    bound = [sys.base_prefix, sys.prefix, str(PACKAGE), *map(str, folders)]
    above = {one for path in bound for one in Path(path).parents}
    for one in sorted(above - {Path("/"), Path("/tmp")}):
        if not any(one.is_relative_to(path) for path in SYSTEM + bound):
            arguments += ["--chmod", "0755", str(one)]
    return arguments


def compiled_code():
    """Arguments for what numba has compiled; `inside` copies it.

    Without it every notebook that needs an optimum compiles it again.
    """
    if not COMPILED.is_dir():
        return []
    where = str(COMPILED)
    opened = ["--perms", "1777"] if has_option("--perms") else []
    return ["--ro-bind", where, KEPT, *opened, *in_memory(where)]


def fonts():
    """Arguments for matplotlib's list of fonts, seconds of work to make."""
    import matplotlib

    found = sorted(Path(matplotlib.get_cachedir()).glob("fontlist-*.json"))
    arguments = []
    for path in found:
        inside = f"{HOME}/matplotlib/{path.name}"
        arguments += ["--ro-bind", str(path), inside]
    return arguments


def another_user():
    """A user nobody is, for a grader that runs as root; else None."""
    return FIRST_USER + os.getpid() if os.getuid() == 0 else None


def obstacle():
    """Why no sandbox can be made here, in one sentence; "" if it can.

    Returns
    -------
    str
    """
    if sys.platform != "linux":
        return "bubblewrap runs on Linux only"
    if not shutil.which("bwrap"):
        return "the program bwrap is not installed"
    done = subprocess.run(
        [*command(uid=another_user()), "-m", "platform"],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 0:
        return ""
    last = (done.stderr.strip() or "it says nothing").splitlines()[-1]
    return f"bwrap does not work here ({last})"


class Manager(AsyncKernelManager):
    """Starts a kernel in a sandbox.

    Parameters
    ----------
    folder : path
        The folder of questions, which the notebook can only read.
    reply : path
        The one file in it that the notebook can write.
    **keywords
        As for the class above.
    """

    def __init__(self, folder, reply, **keywords):
        super().__init__(**keywords)
        import fcntl  # no module of Windows

        self.folder, self.reply = Path(folder), Path(reply)
        self.uid = another_user()
        # Sockets in a folder: the sandbox has no network. Their paths must
        # be short.
        self.sockets = tempfile.mkdtemp(prefix=temporary.prefix(), dir="/tmp")
        self.transport = "ipc"
        self.connection_file = os.path.join(self.sockets, "k.json")
        self.ip = os.path.join(self.sockets, "k")
        # Until this process ends, or closes it.
        self.lock = os.open(self.sockets, os.O_RDONLY)
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        if self.uid:
            for path in (self.sockets, self.reply):
                os.chown(path, self.uid, self.uid)
            os.chmod(self.folder, 0o755)

    async def _async_pre_start_kernel(self, **keywords):
        # A signal would meet bubblewrap only.
        self.kernel_spec.interrupt_mode = "message"
        command, options = await super()._async_pre_start_kernel(**keywords)
        if self.uid:  # written by root, for root's eyes
            os.chown(self.connection_file, self.uid, self.uid)
        return command, options

    pre_start_kernel = _async_pre_start_kernel

    def format_kernel_cmd(self, extra_arguments=None):
        # python -m ipykernel_launcher -f FILE
        _, *launch = super().format_kernel_cmd(extra_arguments)
        within = command(
            read=[self.folder],
            write=[self.reply, self.sockets],
            uid=self.uid,
            locked=self.sockets,
        )
        # Nobody asks for what was typed before.
        return [*within, *launch, "--HistoryManager.enabled=False"]

    async def _async_cleanup_resources(self, restart=False):
        await super()._async_cleanup_resources(restart)
        if not restart:
            self.remove_sockets()

    def remove_sockets(self):
        """Remove their folder, whatever is in it."""
        temporary.remove(self.sockets)
        if self.lock is not None:
            os.close(self.lock)
        self.lock = None

    cleanup_resources = _async_cleanup_resources
