"""A machine for a class on this machine: accounts and files of its own.

Accounts, homes, the exchange and the hub's folder are in a temporary folder,
laid over those of this machine by a mount namespace, which ends with the hub.
Of the project the class's accounts see the installed environment and the
package alone, as in the container. Nothing of the machine is changed.
"""

import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil

import tasks

HUB = tasks.ASSIGNMENTS / "hub"
PASSWORD = "only-rehearsed"
LOG = "hub.log"
INSIDE = "/srv/assignments/hub"
PROXY = "configurable-http-proxy"
SYSTEM = [Path("/usr"), Path("/bin"), Path("/lib"), Path("/opt")]
# What follows: the temporary folder, how many folders are emptied, which,
# then what is seen nevertheless; after a -- the command.
LAY_OVER = """
set -e
folder=$1; emptied=$2; shift 2
mount --make-rprivate /
hide=("${@:1:$emptied}"); shift "$emptied"
seen=()
while [ "$1" != -- ]; do seen+=("$1"); shift; done
shift
for one in "${seen[@]}"; do
    mkdir -p "$folder/hold$one"
    mount --bind "$one" "$folder/hold$one"
done
for name in etc home srv; do mount --bind "$folder/$name" "/$name"; done
for one in "${hide[@]}"; do
    mkdir -p "$one"
    mount -t tmpfs -o mode=755 tmpfs "$one"
done
for one in "${seen[@]}"; do
    mkdir -p "$one"
    mount --move "$folder/hold$one" "$one"
done
mount -t tmpfs -o mode=1777 tmpfs /tmp
exec "$@"
"""
REHEARSED = """
load_subconfig("/srv/assignments/hub/jupyterhub_config.py")
# In a rehearsal everybody has one password.
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = "{password}"
c.JupyterHub.bind_url = "http://127.0.0.1:{public}"
c.JupyterHub.hub_bind_url = "http://127.0.0.1:{hub}"
c.ConfigurableHTTPProxy.api_url = "http://127.0.0.1:{api}"
"""


def find_proxy():
    """The folder of node modules with the proxy in it; None if none is."""
    found = os.environ.get("PEGASOS_PROXY") or shutil.which(PROXY)
    if not found:
        return None
    above = Path(found).resolve().parents
    return next((one.parent for one in above if one.name == PROXY), None)


def seen():
    """What the class needs of the project, with the Python below it."""
    paths = [tasks.ROOT / ".venv", tasks.ROOT / "pegasos_edu"]
    base = Path(sys.base_prefix).resolve()
    if not any(base.is_relative_to(one) for one in SYSTEM):
        paths.append(base)
    return paths


def emptied():
    """The project, and folders above what is seen that others may not enter.

    Of them the class sees nothing else.
    """
    closed = {
        above
        for one in seen()
        for above in one.parents
        if not above.stat().st_mode & 0o001
    }
    top = [
        one for one in closed if not any(two in one.parents for two in closed)
    ]
    return [*sorted(top), tasks.ROOT]


def free_ports(number):
    """Ports that nobody uses now."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(number)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Stage:
    """A hub for a class, and root's commands beside it.

    Parameters
    ----------
    students : list of str
    instructor : str
    """

    def __init__(self, students, instructor="teacher"):
        self.folder = Path(tempfile.mkdtemp(dir="/var/tmp"))
        self.instructor, self.students = instructor, students
        self.url, self.process = None, None
        shutil.copytree("/etc", self.folder / "etc", symlinks=True)
        (self.folder / "home").mkdir()
        self.make_srv()

    def make_srv(self):
        """What the container has in /srv, and its volumes."""
        srv = self.folder / "srv"
        shutil.copytree(HUB, srv / "assignments" / "hub")
        shutil.copy(
            tasks.ASSIGNMENTS / "nbgrader_config.py", srv / "assignments"
        )
        private = srv / "private"
        private.mkdir(mode=0o700)
        shutil.copytree(tasks.ASSIGNMENTS / "solutions", private / "solutions")
        roster = "".join(f"{name}\n" for name in ["id", *self.students])
        (private / "roster.csv").write_text(roster, "utf-8")
        (srv / "state").mkdir(mode=0o700)
        ports = free_ports(3)
        self.url = f"http://127.0.0.1:{ports[0]}"
        (private / "rehearsed.py").write_text(
            REHEARSED.format(
                password=PASSWORD, public=ports[0], hub=ports[1], api=ports[2]
            ),
            "utf-8",
        )

    def environment(self):
        """As the compose file sets it, without this machine's."""
        programs = [seen()[0] / "bin", "/srv/bin", "/usr/local/bin"]
        return {
            "PATH": ":".join(map(str, [*programs, "/usr/bin", "/bin"]))
            + ":/usr/sbin:/sbin",
            "LANG": "C.UTF-8",
            "HOME": "/root",
            "HUB_AUTHENTICATOR": "pam",
            "HUB_STATE": "/srv/state",
            "COURSE_ROSTER": "/srv/private/roster.csv",
            "COURSE_INSTRUCTOR": self.instructor,
            "COURSE_SOLUTIONS": "/srv/private/solutions",
            "COURSE_EXCHANGE": "/srv/exchange",
        }

    def start(self):
        """Make the accounts, then start the hub, which ends with this."""
        programs = self.folder / "srv" / "bin"
        programs.mkdir()
        shutil.copytree(find_proxy(), programs / "node_modules", symlinks=True)
        (programs / PROXY).symlink_to(f"node_modules/{PROXY}/bin/{PROXY}")
        python = seen()[0] / "bin" / "python"
        start = (
            f"cd {INSIDE} && {python} prepare.py && "
            f"exec {python} -m jupyterhub -f /srv/private/rehearsed.py"
        )
        hidden = emptied()
        with open(self.folder / LOG, "wb") as log:
            self.process = subprocess.Popen(
                [
                    *("unshare", "--mount", "--pid", "--fork", "--kill-child"),
                    *("--mount-proc", "bash", "-c", LAY_OVER, "stage"),
                    *(str(self.folder), str(len(hidden))),
                    *map(str, [*hidden, *seen()]),
                    *("--", "bash", "-c", start),
                ],
                env=self.environment(),
                cwd="/",
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def said(self):
        """The end of what the hub has printed."""
        return (self.folder / LOG).read_text("utf-8", "replace")[-2000:]

    def grade(self, assignment):
        """Grade as root, beside the hub; the finished process."""
        hub = psutil.Process(self.process.pid).children()[0]
        python = seen()[0] / "bin" / "python"
        return subprocess.run(
            [
                *("nsenter", "--target", str(hub.pid), "--mount", "--pid"),
                *("--", "sh", "-c", f'cd {INSIDE} && {python} grade.py "$1"'),
                *("grade", assignment),
            ],
            env=self.environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def home(self, name):
        """The home of an account, as seen from this machine."""
        return self.folder / "home" / name

    def megabytes(self, name):
        """Memory of the processes of an account: (server, all of them)."""
        number = self.home(name).stat().st_uid
        server = rest = 0
        for one in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if one.uids().real != number:
                    continue
                own = one.memory_full_info().pss / 1e6
                if any("jupyterhub-singleuser" in w for w in one.cmdline()):
                    server += own
                else:
                    rest += own
            except psutil.NoSuchProcess:
                continue
        return server, server + rest

    def close(self):
        """End the hub and all that it started; remove the folder."""
        if self.process:
            # With the first process of its namespace all others there end.
            for one in psutil.Process(self.process.pid).children():
                one.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


def missing():
    """What a stage needs and this machine lacks, a sentence each."""
    lacks = []
    if sys.platform != "linux":
        return ["a class is rehearsed on Linux only"]
    if os.getuid() != 0:
        lacks.append("the accounts of a class want root (sudo)")
    for program, package in [
        ("unshare", "util-linux"),
        ("nsenter", "util-linux"),
        ("useradd", "passwd"),
        ("bwrap", "bubblewrap"),
        ("node", "nodejs"),
    ]:
        if not shutil.which(program, path=os.environ["PATH"] + ":/usr/sbin"):
            lacks.append(f"there is no program {program} ({package})")
    if not shutil.which("jupyterhub", path=str(seen()[0] / "bin")):
        lacks.append(
            "jupyterhub is not installed in .venv "
            "(pip install -r book/assignments/hub/requirements.txt)"
        )
    if find_proxy() is None:
        lacks.append(
            "there is no configurable-http-proxy (npm install -g "
            "configurable-http-proxy@5.3.0, or its path in PEGASOS_PROXY)"
        )
    return lacks
