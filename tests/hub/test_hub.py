"""The parts of a class on JupyterHub; the whole is `tests.hub.rehearsal`."""

import json
import os
import re
import subprocess
import sys
import tomllib

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.version import Version
from traitlets.config import Config

import tasks
from tests.hub import rehearsal, stage

HUB = tasks.ASSIGNMENTS / "hub"
CONTAINERFILE = (HUB / "Containerfile").read_text("utf-8")
COMPOSE = yaml.safe_load((HUB / "compose.yaml").read_text("utf-8"))
VALUES = yaml.safe_load((HUB / "values.yaml").read_text("utf-8"))
PAGE = (tasks.ROOT / "book" / "server.md").read_text("utf-8")
STUDENTS = ["ada", "grace"]


@pytest.fixture
def roster(tmp_path, monkeypatch):
    """A roster, named in the environment with all that is wanted."""
    path = tmp_path / "roster.csv"
    path.write_text("".join(f"{one}\n" for one in ["id", *STUDENTS]))
    monkeypatch.setenv("COURSE_ROSTER", str(path))
    monkeypatch.setenv("COURSE_INSTRUCTOR", "teacher")
    monkeypatch.setenv("HUB_AUTHENTICATOR", "generic-oauth")
    monkeypatch.setenv("HUB_STATE", str(tmp_path))
    return path


@pytest.fixture
def prepare(monkeypatch):
    pytest.importorskip("pwd", reason="no accounts on this system")
    monkeypatch.syspath_prepend(str(HUB))
    monkeypatch.delitem(sys.modules, "prepare", raising=False)
    import prepare

    yield prepare
    del sys.modules["prepare"]


def run_config(name):
    """Run a configuration file as JupyterHub and nbgrader do."""
    path, config = HUB / name, Config()
    names = {"get_config": lambda: config, "__file__": str(path)}
    exec(compile(path.read_text("utf-8"), str(path), "exec"), names)
    return config, names


class Spawner:
    """What a hook is given: a user, and settings."""

    def __init__(self, name):
        self.user = type("User", (), {"name": name})
        self.environment = {"LANG": "C"}
        self.notebook_dir = self.working_dir = None


def sees_to_servers(config):
    """The one role for a person: who has it, and what it allows."""
    (role,) = (r for r in config.JupyterHub.load_roles if r.get("users"))
    return role["users"], set(role["scopes"])


# To change who may come in, to act as somebody, or to read a home.
TOO_MUCH = {"admin:users", "admin:servers", "access:servers", "tokens"}


# One machine


def test_who_teaches_stops_servers_and_enters_none(roster, prepare):
    users, scopes = sees_to_servers(run_config("jupyterhub_config.py")[0])
    assert users == ["teacher"]
    assert {"admin-ui", "list:users", "servers"} <= scopes
    assert not TOO_MUCH & scopes


def test_the_hub_lets_in_the_class_alone_and_limits_each(roster, prepare):
    config, _ = run_config("jupyterhub_config.py")
    assert config.Authenticator.allowed_users == {"teacher", *STUDENTS}
    assert config.JupyterHub.authenticator_class == "generic-oauth"
    command = config.Spawner.cmd
    assert command[0] == "prlimit" and command[-1] == "jupyterhub-singleuser"
    limits = dict(word[2:].split("=") for word in command if "=" in word)
    assert int(limits["data"]) == 2 * 1024**3
    assert int(limits["nproc"]) == 256
    assert config.JupyterHub.active_server_limit == 32
    assert "allow_all" not in config.Authenticator
    # JupyterHub itself lets in whoever was here once, such as last term.
    assert config.Authenticator.allow_existing_users is False


def test_nobody_without_a_log_in_of_its_own(roster, prepare, monkeypatch):
    for name in ("", "dummy", "shared-password"):
        monkeypatch.setenv("HUB_AUTHENTICATOR", name)
        with pytest.raises(SystemExit, match="expected one that knows who"):
            run_config("jupyterhub_config.py")


def test_students_begin_at_home_and_the_instructor_in_the_course(
    roster, prepare
):
    _, names = run_config("jupyterhub_config.py")
    student, teacher = Spawner("ada"), Spawner("teacher")
    for one in (student, teacher):
        names["for_whom"](one)
        assert one.environment["LANG"] == "C"
    assert student.notebook_dir == "~"
    assert teacher.notebook_dir == "/home/teacher/pegasos"
    with pytest.raises(PermissionError, match="mallory is not in the class"):
        names["for_whom"](Spawner("mallory"))
    own = student.environment["JUPYTER_CONFIG_PATH"].split(":")
    assert own == [str(HUB / "jupyter"), str(HUB / "student")]


def test_students_have_no_formgrader():
    server = json.loads(
        (HUB / "student" / "jupyter_server_config.json").read_text("utf-8")
    )
    extensions = server["ServerApp"]["jpserver_extensions"]
    assert extensions["nbgrader.server_extensions.formgrader"] is False
    page = HUB / "student" / "labconfig" / "page_config.json"
    off = json.loads(page.read_text("utf-8"))["disabledExtensions"]
    assert off["@jupyter/nbgrader:formgrader"]


def test_everybody_and_the_course_mean_one_exchange(monkeypatch):
    monkeypatch.setenv("COURSE_EXCHANGE", "/somewhere")
    config, _ = run_config("jupyter/nbgrader_config.py")
    course, _ = run_config("../nbgrader_config.py")
    assert config.Exchange.root == "/somewhere"
    assert config.CourseDirectory.course_id == course.CourseDirectory.course_id
    assert course.ExchangeFactory.collect.startswith("pegasos_edu.")


def test_accounts_keep_their_numbers(roster, prepare, tmp_path):
    homes = tmp_path / "homes"
    homes.mkdir()
    names = prepare.members()
    assert names == ["teacher", "ada", "grace"]
    assert prepare.numbers(names, homes) == {
        "teacher": 20001,
        "ada": 20002,
        "grace": 20003,
    }
    # A home says whose it is, whatever the order of the roster is now.
    (homes / "grace").mkdir()
    mine = os.stat(homes / "grace").st_uid
    given = prepare.numbers(["teacher", "eve", "grace"], homes)
    assert given["grace"] == mine
    assert len({*given.values()}) == 3


@pytest.mark.parametrize(
    "name, expected",
    [
        ("Ada", "'Ada'; expected small letters"),
        ("12345678", "begin with a letter"),
        ("jane.doe\nada\n1a", "account: 'jane.doe', '1a'; expected"),
        ("root", "not root"),
        ("../ada", "the name of a folder"),
        ("teacher", "without this id"),
    ],
)
def test_ids_that_are_no_accounts_are_refused(roster, prepare, name, expected):
    roster.write_text(f"id\n{name}\n")
    with pytest.raises(SystemExit, match=expected):
        prepare.members()


def test_a_roster_is_checked_before_the_hub_starts_again(
    roster, prepare, monkeypatch, capsys
):
    monkeypatch.setattr(sys, "argv", ["prepare.py", "--check"])
    prepare.main()
    assert "students: 2." in capsys.readouterr().out
    for slip in (["--chekc"], ["--passwd"]):
        monkeypatch.setattr(sys, "argv", ["prepare.py", *slip])
        with pytest.raises(SystemExit, match="python prepare.py --check"):
            prepare.main()


def test_a_missing_variable_is_named(prepare, monkeypatch):
    monkeypatch.delenv("COURSE_INSTRUCTOR", raising=False)
    with pytest.raises(SystemExit, match="COURSE_INSTRUCTOR is not set"):
        prepare.members()


def test_links_are_not_given_away(prepare, tmp_path, monkeypatch):
    own, link = tmp_path / "own", tmp_path / "link"
    own.write_text("")
    link.symlink_to(own)
    given = []
    monkeypatch.setattr(
        prepare.shutil, "chown", lambda path, *names: given.append(path)
    )
    prepare.give([own, link], "ada", 0o600)
    assert given == [own]


# Kubernetes


def accounts(prepare, monkeypatch, path):
    """Bring a list of accounts up to date; its numbers and shells."""
    monkeypatch.setattr(sys, "argv", ["prepare.py", "--passwd", str(path)])
    prepare.main()
    lines = [line.split(":") for line in path.read_text().splitlines()]
    return {one[0]: (int(one[2]), one[6]) for one in lines}


def test_nobody_gets_the_number_of_another(
    roster, prepare, tmp_path, monkeypatch
):
    path = tmp_path / "passwd"
    bash, left = "/bin/bash", "/usr/sbin/nologin"
    assert accounts(prepare, monkeypatch, path) == {
        "root": (0, bash),
        "teacher": (20001, bash),
        "ada": (20002, bash),
        "grace": (20003, bash),
    }
    # Sorted anew, one came, and both of before left; then one is back.
    roster.write_text("id\nada-2\n")
    found = accounts(prepare, monkeypatch, path)
    assert found["ada-2"] == (20004, bash)
    assert found["ada"] == (20002, left) and found["grace"] == (20003, left)
    roster.write_text("id\nnew\ngrace\n")
    found = accounts(prepare, monkeypatch, path)
    assert found["grace"] == (20003, bash) and found["new"] == (20005, bash)
    assert found["root"] == (0, bash)
    numbers = [number for number, _ in found.values()]
    assert len({*numbers}) == len(numbers)


def test_each_student_on_kubernetes_has_limits_and_a_number(
    roster, prepare, tmp_path, monkeypatch
):
    each = VALUES["singleuser"]
    assert each["memory"]["limit"] == "2G"
    assert each["cpu"]["limit"] == 1
    path = tmp_path / "accounts"
    accounts(prepare, monkeypatch, path)
    roster.write_text("id\nada\n")
    accounts(prepare, monkeypatch, path)
    place = VALUES["hub"]["extraFiles"]["accounts"]["mountPath"]
    code = VALUES["hub"]["extraConfig"]["accounts"]
    assert place in code
    config = Config()
    exec(code.replace(place, str(path)), names := {"c": config})
    here, _ = run_config("jupyterhub_config.py")
    assert sees_to_servers(config) == sees_to_servers(here)
    # grace has left the roster; her number stays hers.
    assert config.Authenticator.allowed_users == {"teacher", "ada"}
    assert config.Authenticator.allow_existing_users is False
    assert config.KubeSpawner.uid(Spawner("grace")) == 20003
    with pytest.raises(PermissionError, match="grace is not in the class"):
        names["for_whom"](Spawner("grace"))
    ada = Spawner("ada")
    for what in ("uid", "gid", "fs_gid"):
        assert config.KubeSpawner[what](ada) == 20002
    names["for_whom"](ada)
    assert ada.working_dir == ada.environment["HOME"] == "/home/ada"
    assert ada.environment["JUPYTER_CONFIG_PATH"].endswith("/student")


def test_a_home_on_kubernetes_has_the_name_that_its_server_is_told():
    """{username} would be a slug there: of ada_b, ada-b--- and a hash."""
    home = VALUES["singleuser"]["storage"]["homeMountPath"]
    assert home == "/home/{unescaped_username}"


def test_the_log_in_comes_back_to_where_the_hub_answers():
    """By https, with a certificate for that name."""
    back = VALUES["hub"]["config"]["GenericOAuthenticator"]
    https = VALUES["proxy"]["https"]
    assert https["enabled"]
    [host] = https["hosts"]
    assert back["oauth_callback_url"] == f"https://{host}/hub/oauth_callback"


def test_nothing_of_the_values_is_a_secret_or_lets_anyone_in():
    hub = VALUES["hub"]["config"]
    assert hub["JupyterHub"]["authenticator_class"] == "generic-oauth"
    assert hub["GenericOAuthenticator"]["client_secret"] == "CLIENT_SECRET"
    assert "dummy" not in (HUB / "values.yaml").read_text("utf-8")


# The containers


def test_what_runs_student_code_in_the_container_has_no_network():
    hub, grader = COMPOSE["services"]["hub"], COMPOSE["services"]["grader"]
    assert grader["network_mode"] == "none"
    assert "ports" not in grader
    assert hub["cap_drop"] == ["ALL"]
    assert "SYS_ADMIN" not in hub["cap_add"]
    assert all(port.startswith("127.0.0.1:") for port in hub["ports"])
    # Unless .env says otherwise, they are for as many servers as may run.
    default = {
        name: hub[key].partition(":-")[2].rstrip("}")
        for name, key in [("gigabytes", "mem_limit"), ("ids", "pids_limit")]
    }
    servers = hub["environment"]["CLASS_SERVERS"].partition(":-")[2][:-1]
    assert default["gigabytes"] == f"{servers}g"
    assert int(default["ids"]) == 256 * int(servers)
    assert hub["image"] == grader["image"]


def test_compose_fills_in_variables_and_leaves_the_rest():
    text = (HUB / "compose.yaml").read_text("utf-8")
    variable = re.compile(r"\$\{[A-Z0-9_]+:[-?][^${}]*\}")
    rest = variable.sub("", text).replace("$$", "")
    assert "$" not in rest
    # What it leaves hands the grader all that follows its name.
    entrypoint = COMPOSE["services"]["grader"]["entrypoint"]
    shell = [one.replace("$$", "$") for one in entrypoint[:2]]
    script = entrypoint[2].replace("$$", "$")
    assert script.endswith('exec python grade.py "$@"')
    printed = subprocess.run(
        [*shell, 'printf "%s|" "$@"', *entrypoint[3:], "a1", "--again"],
        check=True,
        capture_output=True,
        text=True,
    )
    assert printed.stdout == "a1|--again|"


def test_solutions_and_roster_are_where_root_alone_may_enter():
    volumes = COMPOSE["services"]["hub"]["volumes"]
    for variable in ("COURSE_SOLUTIONS", "COURSE_ROSTER"):
        (mounted,) = (one for one in volumes if variable in one)
        assert mounted.split("}:")[1].startswith("/srv/private/")
        assert mounted.endswith(":ro")
    assert "mkdir --mode=700 /srv/private" in CONTAINERFILE


def copied():
    """What the image takes out of the project's folder."""
    for line in re.findall(r"^COPY (.*)$", CONTAINERFILE, re.MULTILINE):
        *sources, _ = line.split()
        yield from sources


def test_the_image_takes_what_is_there_and_no_solution():
    sources = list(copied())
    assert "pegasos_edu" in sources
    for source in sources:
        path = tasks.ROOT / source
        assert path.exists(), source
        inside = [path] if path.is_file() else path.rglob("*.ipynb")
        for one in inside:
            assert "solutions" not in one.parts
            assert "BEGIN SOLUTION" not in one.read_text("utf-8") or (
                one.suffix != ".ipynb"
            )


def test_the_builder_is_sent_what_is_copied():
    ignored = (HUB / "Containerfile.dockerignore").read_text("utf-8")
    sent = {line[1:] for line in ignored.splitlines() if line[:1] == "!"}
    assert sent == {
        source if source != "book/assignments/hub/requirements.txt" else hub
        for hub in ["book/assignments/hub"]
        for source in copied()
    }
    left = {line for line in ignored.splitlines() if "assignments" in line}
    for name in (".env", "passwd", "roster.csv"):
        assert f"book/assignments/hub/{name}" in left
        git = ["git", "check-ignore", "-q", str(HUB / name)]
        assert subprocess.run(git, cwd=HUB).returncode in (0, 128)


def test_every_instruction_of_the_image_is_one_that_builders_know():
    joined = re.sub(r"\\\n\s*", "", CONTAINERFILE)
    lines = [line for line in joined.splitlines() if line and line[0] != "#"]
    words = [line.split()[0] for line in lines]
    known = {"FROM", "RUN", "COPY", "WORKDIR", "ENV", "EXPOSE", "CMD"}
    assert set(words) <= known
    assert words[0] == "FROM" and words[-1] == "CMD"
    assert ":latest" not in lines[0] and ":" in lines[0]
    command = json.loads(lines[-1].removeprefix("CMD "))
    assert command[-1].endswith("exec jupyterhub -f jupyterhub_config.py")
    # A new container has none of the processes whose numbers were kept.
    assert command[-1].startswith("rm -f /srv/state/proxy.pid && ")
    config = (HUB / "jupyterhub_config.py").read_text("utf-8")
    assert 'pid_file = str(STATE / "proxy.pid")' in config


# Versions


def pins(path):
    found = {}
    for line in path.read_text("utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            one = Requirement(line.partition("#")[0])
            (version,) = one.specifier
            found[one.name] = version.version
    return found


def test_what_the_hub_adds_is_pinned_and_allowed():
    added = pins(HUB / "requirements.txt")
    assert not added.keys() & pins(tasks.ROOT / "requirements.txt").keys()
    project = tomllib.loads(
        (tasks.ROOT / "pyproject.toml").read_text("utf-8")
    )["project"]
    for wanted in project["optional-dependencies"]["hub"]:
        one = Requirement(wanted)
        assert Version(added[one.name]) in one.specifier


def test_one_version_of_the_proxy_and_of_the_chart_everywhere():
    for name, texts in {
        r"configurable-http-proxy@([\d.]+\d)": [
            CONTAINERFILE,
            PAGE,
            (tasks.ROOT / "tests/hub/stage.py").read_text("utf-8"),
        ],
        r"version (4\.[\d.]+\d)": [
            PAGE,
            (HUB / "values.yaml").read_text("utf-8"),
        ],
    }.items():
        found = [set(re.findall(name, text)) for text in texts]
        assert len(set.union(*found)) == 1 and all(found)


# The rehearsal


def test_a_rehearsal_says_what_is_missing(monkeypatch, capsys):
    monkeypatch.setattr(
        rehearsal, "missing", lambda: ["there is no stage", "nor a hall"]
    )
    assert rehearsal.main([]) == 2
    assert "there is no stage; nor a hall" in capsys.readouterr().out


def test_programs_that_are_missing_are_named(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.delenv("PEGASOS_PROXY", raising=False)
    said = "; ".join(stage.missing())
    if sys.platform == "linux":
        assert "no program node" in said
        assert "npm install -g configurable-http-proxy" in said
    else:
        assert "Linux only" in said


def test_each_student_of_the_rehearsal_is_planned_to_differ():
    planned = [points for _, points in rehearsal.CLASS.values()]
    assert len(rehearsal.CLASS) >= 5
    assert len({*planned}) == len(planned)
    assert max(planned) == rehearsal.full_marks()
