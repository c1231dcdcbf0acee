"""JupyterHub for a class on one machine, with nbgrader's exchange.

Each student is an account of the machine (or of the container), with a home
that nobody else reads and limits of its own. `prepare.py` makes the accounts.
The environment says what differs from server to server:

    HUB_AUTHENTICATOR   how to log in, such as `generic-oauth`
    HUB_STATE           a folder of root's, for what the hub must not forget
    STUDENT_MEGABYTES   of memory for each process of a student's
    CLASS_SERVERS       how many servers may run at a time
    COURSE_…            as `prepare.py` says
"""

import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from prepare import COURSE, HOMES, members  # noqa: E402

c = get_config()  # noqa: F821 (JupyterHub provides it)

# Who may come in: those of the roster, by the university's own log-in.
INSTRUCTOR, *students = members()
AUTHENTICATOR = os.environ.get("HUB_AUTHENTICATOR", "")
if AUTHENTICATOR in ("", "dummy", "shared-password"):
    sys.exit(
        f"HUB_AUTHENTICATOR is {AUTHENTICATOR!r}; expected one that knows "
        f"who somebody is, such as generic-oauth."
    )
c.JupyterHub.authenticator_class = AUTHENTICATOR
CLASS = {INSTRUCTOR, *students}
c.Authenticator.allowed_users = CLASS
# Who has left the roster does not come in because of having been here.
c.Authenticator.allow_existing_users = False
# OAUTH_CLIENT_ID and the like are read from the environment. Where log-ins
# are no accounts, as 12345678 is none, let this be a function that makes one
# of the other, such as `lambda user: "s" + user["preferred_username"]`. No
# two log-ins may come to one account.
c.GenericOAuthenticator.username_claim = os.environ.get(
    "OAUTH_USERNAME_CLAIM", "preferred_username"
)
c.GenericOAuthenticator.scope = ["openid", "profile"]

# What the hub keeps.
STATE = Path(os.environ.get("HUB_STATE", "/srv/state"))
c.JupyterHub.db_url = f"sqlite:///{STATE / 'jupyterhub.sqlite'}"
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
c.JupyterHub.bind_url = "http://:8000"
# One server more than the memory is for could end the hub, and all servers.
# Who comes then is told to come again later.
c.JupyterHub.active_server_limit = int(os.environ.get("CLASS_SERVERS", "32"))

# A server for each account, with limits. They hold for each process of a
# student's, the number of processes for all together.
MEGABYTES = int(os.environ.get("STUDENT_MEGABYTES", "2048"))
c.JupyterHub.spawner_class = "localprocess"
c.Spawner.cmd = [
    "prlimit",
    f"--data={MEGABYTES << 20}",
    f"--fsize={1 << 30}",
    "--nproc=256",
    "--core=0",
    "--",
    "jupyterhub-singleuser",
]
c.Spawner.default_url = "/lab"
c.Spawner.start_timeout = 300
c.Spawner.http_timeout = 300
c.Spawner.environment = {
    # A student's numerics take one core.
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "COURSE_EXCHANGE": os.environ.get("COURSE_EXCHANGE", "/srv/exchange"),
}


def for_whom(spawner):
    """The instructor begins in the course, a student in the home.

    A browser that is logged in stays so for days, whatever the roster says.
    """
    if spawner.user.name not in CLASS:
        raise PermissionError(f"{spawner.user.name} is not in the class.")
    teaches = spawner.user.name == INSTRUCTOR
    course = HOMES / INSTRUCTOR / COURSE
    configured = [HERE / "jupyter", course if teaches else HERE / "student"]
    spawner.environment = {
        **spawner.environment,
        "JUPYTER_CONFIG_PATH": ":".join(map(str, configured)),
    }
    spawner.notebook_dir = str(course) if teaches else "~"


c.Spawner.pre_spawn_hook = for_whom

# A server that nobody has used for an hour ends; its files stay. Who teaches
# sees at /hub/admin who is at work, and can stop and start a server there,
# but not enter it.
c.JupyterHub.load_roles = [
    {
        "name": "sees-to-servers",
        "scopes": [
            "admin-ui",
            "list:users",
            "list:groups",
            "read:users:name",
            "read:users:activity",
            "read:roles:users",
            "servers",
        ],
        "users": [INSTRUCTOR],
    },
    {
        "name": "ends-idle-servers",
        "scopes": [
            "list:users",
            "read:users:activity",
            "read:servers",
            "delete:servers",
        ],
        "services": ["idle-culler"],
    },
]
c.JupyterHub.services = [
    {
        "name": "idle-culler",
        "command": [
            sys.executable,
            "-m",
            "jupyterhub_idle_culler",
            "--timeout=3600",
        ],
    }
]
