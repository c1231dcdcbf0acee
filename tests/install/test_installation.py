"""Every state in which ``.venv`` can be found, made small and offline.

Environments are real but without packages; what would be fetched is only
written down.
"""

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import threading
import venv
from pathlib import Path
from shlex import quote

import pytest

import installation

HERE = Path(installation.__file__).parent
SIZED = "small.py,sha256=x,12"
RECORD = "small.py,,\nsmall-1.dist-info/RECORD,,\n"


def make_environment(folder):
    """What `python -m venv --without-pip` does, without a new Python."""
    venv.create(folder, symlinks=os.name != "nt")


class Installer:
    """In the place of uv and pip: makes environments, installs one file."""

    def __init__(self):
        self.made = 0
        self.commands = []

    def __call__(self, command, lock):
        command = [str(part) for part in command]
        self.commands.append(command)
        if "venv" in command:
            self.made += 1
            make_environment(command[-1])
        if "--requirement" in command:
            add_package()


@pytest.fixture
def installer(tmp_path, monkeypatch):
    root = tmp_path / "project"
    root.mkdir()
    for name in installation.INSTALL_INPUTS:
        (root / name).write_text("small==1\n")
    settle(root, monkeypatch)
    fake = Installer()
    monkeypatch.setattr(installation, "run_installer", fake)
    monkeypatch.setattr(installation, "find_uv", lambda: None)
    return fake


def settle(root, monkeypatch):
    """Let the project be in the folder ``root``."""
    environment = root / ".venv"
    monkeypatch.setattr(installation, "ROOT", root)
    monkeypatch.setattr(installation, "ENVIRONMENT", environment)
    stamp = environment / "installed.txt"
    monkeypatch.setattr(installation, "INSTALL_STAMP", stamp)
    lock = root / "_build" / "installing.lock"
    monkeypatch.setattr(installation, "LOCK", lock)


def add_package():
    site = installation.folder("purelib")
    (site / "small-1.dist-info").mkdir(exist_ok=True)
    (site / "small.py").write_text("")
    (site / "small-1.dist-info" / "RECORD").write_text(RECORD)


def package():
    return installation.folder("purelib") / "small-1.dist-info"


def test_made_once_and_then_left_alone(installer):
    installation.ensure_environment()
    count = len(installer.commands)
    installation.ensure_environment()
    assert installer.made == 1
    assert len(installer.commands) == count
    assert installation.is_ready()


def test_a_linked_environment_is_replaced_and_the_other_stays(
    installer, tmp_path, monkeypatch
):
    installation.ensure_environment()
    theirs = installation.ENVIRONMENT
    before = sorted(theirs.iterdir())
    linked = tmp_path / "linked"
    linked.mkdir()
    for name in installation.INSTALL_INPUTS:
        shutil.copy(installation.ROOT / name, linked / name)
    settle(linked, monkeypatch)
    installation.ENVIRONMENT.symlink_to(theirs)
    installation.ensure_environment()
    assert not installation.ENVIRONMENT.is_symlink()
    assert installation.is_ready() and installer.made == 2
    assert sorted(theirs.iterdir()) == before


def test_what_a_person_added_stays(installer):
    installation.ensure_environment()
    extra = installation.folder("purelib") / "extra.py"
    extra.write_text("")
    count = len(installer.commands)
    installation.ensure_environment()
    assert len(installer.commands) == count and extra.exists()


def dangling_python():
    for name in ("python", "python3"):
        program = installation.folder("scripts") / name
        program.unlink()
    program.parent.joinpath("python").symlink_to("no-such-python")


def unreadable_configuration():
    (installation.ENVIRONMENT / "pyvenv.cfg").write_text("")


def packages_of_the_system():
    path = installation.ENVIRONMENT / "pyvenv.cfg"
    seen = path.read_text("utf-8").replace(
        "packages = false", "packages = true"
    )
    assert "packages = true" in seen
    path.write_text(seen, "utf-8")


def no_python():
    installation.venv_program("python").unlink()


def no_activation():
    installation.INSTALL_STAMP.unlink()
    (installation.folder("scripts") / "activate").unlink()


def only_a_folder():
    shutil.rmtree(installation.ENVIRONMENT)
    installation.ENVIRONMENT.mkdir()


def only_a_file():
    shutil.rmtree(installation.ENVIRONMENT)
    installation.ENVIRONMENT.write_text("")


def a_link_to_nothing():
    shutil.rmtree(installation.ENVIRONMENT)
    installation.ENVIRONMENT.symlink_to("nowhere")


@pytest.mark.skipif(os.name == "nt", reason="links, as POSIX has them")
@pytest.mark.parametrize(
    "breaking",
    [
        dangling_python,
        unreadable_configuration,
        packages_of_the_system,
        no_python,
        no_activation,
        only_a_folder,
        only_a_file,
        a_link_to_nothing,
    ],
)
def test_an_unusable_environment_is_made_anew(installer, breaking):
    installation.ensure_environment()
    breaking()
    installation.ensure_environment()
    assert installer.made == 2
    assert installation.is_ready()


def test_a_moved_project_is_installed_anew(installer, tmp_path, monkeypatch):
    installation.ensure_environment()
    moved = tmp_path / "elsewhere"
    shutil.move(installation.ROOT, moved)
    settle(moved, monkeypatch)
    installation.ensure_environment()
    assert installer.made == 2 and installation.is_ready()


def test_a_copied_project_does_not_use_the_first(
    installer, tmp_path, monkeypatch
):
    installation.ensure_environment()
    copy = tmp_path / "copy"
    shutil.copytree(installation.ROOT, copy, symlinks=True)
    settle(copy, monkeypatch)
    installation.ensure_environment()
    assert installer.made == 2 and installation.is_ready()


# What venv of Python 3.11, of 3.12, and newer ones and uv write.
FORMS = [
    'VIRTUAL_ENV="{}"\nexport VIRTUAL_ENV\n',
    '    export VIRTUAL_ENV=$(cygpath "{0}")\n    export VIRTUAL_ENV="{0}"\n',
    "    VIRTUAL_ENV=$(cygpath {1})\n    export VIRTUAL_ENV={1}\n",
    "VIRTUAL_ENV='{0}'\nexport VIRTUAL_ENV\n",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("root", ["/work/p", "/work/my p", r"C:\work\my p"])
def test_the_folder_is_read_whole_from_any_activation(form, root):
    for made_in in [root, "/home/u" + root, root + "2"]:
        text = "unset VIRTUAL_ENV\n" + form.format(made_in, quote(made_in))
        named = installation.folders_named(text + "# don't mind\n")
        assert made_in in named
        assert (root in named) == (made_in == root)


def test_a_folder_with_a_quote_is_read_from_new_activations():
    text = f"VIRTUAL_ENV={quote('/it' + chr(39) + 's/.venv')}\n"
    assert installation.folders_named(text) == ["/it's/.venv"]
    assert installation.folders_named("VIRTUAL_ENV='/half\n") == []


def test_a_project_moved_to_the_end_of_its_path_is_installed_anew(
    installer, monkeypatch
):
    """Its old path ends with the new one, and still it was moved."""
    installation.ensure_environment()
    assert installation.was_made_here()
    whole = str(installation.ENVIRONMENT)
    script = installation.folder("scripts") / "activate"
    text = script.read_text("utf-8")
    script.write_text(text.replace(whole, "/home/u" + whole), "utf-8")
    assert not installation.was_made_here()
    installation.ensure_environment()
    assert installer.made == 2 and installation.is_ready()


def test_another_python_gets_its_own(installer, monkeypatch):
    installation.ensure_environment()
    other = (3, 99, 0, "final", 0)
    monkeypatch.setattr(sys, "version_info", other)
    assert not installation.is_ready()
    assert not installation.python_starts()


def test_an_interrupted_installation_goes_on(installer):
    """Without its stamp, but whole: nothing is made anew."""
    installation.ensure_environment()
    installation.INSTALL_STAMP.unlink()
    installation.ensure_environment()
    assert installer.made == 1 and installation.is_ready()


@pytest.mark.parametrize("stamp", ["", "(3, 11) abc", "[]", "{}", "1"])
def test_a_strange_stamp_is_no_stamp(installer, stamp):
    installation.ensure_environment()
    installation.INSTALL_STAMP.write_text(stamp)
    assert not installation.is_ready()


def test_changed_pins_are_installed(installer):
    installation.ensure_environment()
    (installation.ROOT / "requirements.txt").write_text("small==2\n")
    assert not installation.is_ready()
    installation.ensure_environment()
    assert installer.made == 1 and installation.is_ready()


def test_an_environment_without_pip_gets_pip(installer):
    installation.ensure_environment()
    assert any("ensurepip" in command for command in installer.commands)


def test_uv_needs_no_pip(installer, monkeypatch):
    monkeypatch.setattr(installation, "find_uv", lambda: "uv")
    installation.ensure_environment()
    assert not any("ensurepip" in command for command in installer.commands)
    assert installer.commands[-1][:3] == ["uv", "pip", "install"]


def test_a_deleted_package_is_installed_again(installer):
    installation.ensure_environment()
    shutil.rmtree(package())
    installation.ensure_environment()
    assert installer.made == 1 and package().exists()


@pytest.mark.parametrize("lost", ["small.py", "small-1.dist-info/RECORD"])
def test_half_a_package_is_forgotten(installer, lost):
    installation.ensure_environment()
    (installation.folder("purelib") / lost).unlink()
    installation.forget_incomplete_packages()
    assert not package().exists()


def test_a_package_without_one_of_its_files_is_mended(installer):
    installation.ensure_environment()
    (installation.folder("purelib") / "small.py").unlink()
    assert not installation.is_ready()
    installation.ensure_environment()
    assert installer.made == 1 and installation.is_ready()


@pytest.mark.parametrize("found", ["", "cut short", "longer than recorded"])
def test_a_package_with_a_file_of_another_size_is_mended(installer, found):
    installation.ensure_environment()
    (package() / "RECORD").write_text(RECORD.replace("small.py,,", SIZED))
    small = installation.folder("purelib") / "small.py"
    small.write_text("twelve bytes")
    assert installation.is_ready()
    small.write_text(found)
    assert not installation.is_ready()
    installation.ensure_environment()
    assert installer.made == 1 and installation.is_ready()


def test_a_script_that_was_adapted_to_this_computer_is_as_recorded(installer):
    """Its first line names the Python here; empty it never is."""
    installation.ensure_environment()
    packages = installation.folder("purelib")
    script = installation.folder("scripts") / "small"
    name = Path(os.path.relpath(script, packages)).as_posix()
    line = SIZED.replace("small.py", name)
    (package() / "RECORD").write_text(RECORD + line + "\n")
    script.write_text("longer than recorded")
    assert installation.is_ready()
    script.write_text("")
    assert not installation.is_ready()


@pytest.mark.parametrize(
    "line", ["install.target='/x'", "global.prefix='/y'", "install.root='/'"]
)
def test_a_pip_that_installs_elsewhere_is_told_how_to_stop(line):
    name = line.partition("=")[0]
    with pytest.raises(installation.Stop, match=f"config unset {name}"):
        installation.check_place(f"global.index-url='https://x'\n{line}\n")


def test_other_settings_of_pip_are_left_alone():
    installation.check_place("global.index-url='https://x/root'\n")
    installation.check_place("install.target=''\n")
    installation.check_place("")


def test_a_whole_package_is_kept(installer):
    installation.ensure_environment()
    installation.forget_incomplete_packages()
    assert package().exists()


def test_stopped_in_between_leaves_no_stamp(installer, monkeypatch):
    installation.ensure_environment()
    installation.INSTALL_STAMP.write_text("{}")

    def interrupted(command, lock):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(installation, "run_installer", interrupted)
        with pytest.raises(KeyboardInterrupt):
            installation.ensure_environment()
    assert not installation.INSTALL_STAMP.exists()
    installation.ensure_environment()
    assert installer.made == 1 and installation.is_ready()


HOLD = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import installation
installation.LOCK = Path(sys.argv[2])
with installation.one_at_a_time():
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(installer):
    """Another process that holds the lock."""
    command = [sys.executable, "-c", HOLD, HERE, installation.LOCK]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_the_second_waits_says_so_and_uses_the_result(
    installer, holder, monkeypatch, capsys
):
    def finish(seconds):
        """What the first process does while this one waits."""
        make_environment(installation.ENVIRONMENT)
        stamp = {
            **installation.purpose(),
            "contents": installation.contents(),
        }
        installation.INSTALL_STAMP.write_text(json.dumps(stamp))
        holder.communicate("")

    monkeypatch.setattr(installation.time, "sleep", finish)
    installation.ensure_environment()
    assert "waiting" in capsys.readouterr().out
    assert installer.commands == []


def test_the_lock_dies_with_its_process(installer, holder):
    holder.kill()
    holder.wait()
    with open(installation.LOCK, "a") as file:
        assert installation.try_lock(file)


@pytest.mark.parametrize("name", sorted(installation.FOREIGN_SETTINGS))
def test_settings_of_elsewhere_do_no_harm(name, monkeypatch):
    monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("VIRTUAL_ENV", "/elsewhere")
    variables = installation.environment_variables()
    assert name not in variables
    assert variables["VIRTUAL_ENV"] == str(installation.ENVIRONMENT)


def test_a_configuration_of_pip_does_no_harm(tmp_path, monkeypatch):
    """In an environment pip refuses `user = true`."""
    pytest.importorskip("pip")
    settings = tmp_path / "pip.conf"
    settings.write_text("[global]\nuser = true\nno-index = true\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(settings))
    # The test command has the project's own variables already.
    monkeypatch.delenv("PIP_USER", raising=False)
    command = [sys.executable, "-m", "pip", "install", "--dry-run", "pip"]
    status = installation.run(command, **installation.SILENT)
    monkeypatch.setattr(installation, "environment_variables", os.environ.copy)
    assert (
        status == 0 and installation.run(command, **installation.SILENT) != 0
    )


def test_the_warnings_of_an_installer_do_no_harm(monkeypatch):
    monkeypatch.setenv("PYTHONWARNINGS", "error")
    code = "import warnings; warnings.warn('a detail of pip')"
    installation.run_installer([sys.executable, "-c", code], None)


def test_what_is_compiled_is_stored_whatever_the_shell_says(
    monkeypatch, tmp_path
):
    """Or every start would compile all that it imports."""
    (tmp_path / "some_module.py").write_text("value = 1\n")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    installation.run(
        [sys.executable, "-c", "import some_module"], cwd=tmp_path
    )
    assert list(tmp_path.glob("__pycache__/some_module.*.pyc"))


def test_python_starts_beside_foreign_settings(installer, monkeypatch):
    installation.ensure_environment()
    monkeypatch.setenv("PYTHONHOME", "/elsewhere")
    monkeypatch.setenv("PYTHONPATH", "/elsewhere")
    assert installation.python_starts()


@pytest.mark.parametrize(
    "said, expected",
    [
        ("ERROR: [Errno 28] No space left on device", "disk is full"),
        ("failed to copy: No space left on device (os error 28)", "disk"),
        (
            "WARNING: Retrying after NewConnectionError: Temporary failure "
            "in name resolution\nERROR: No matching distribution found",
            "network",
        ),
        ("error: Failed to fetch: `numpy`\n dns error", "network"),
        (
            "WARNING: pip is configured with locations that require TLS/SSL, "
            "however the ssl module in Python is not available.\n"
            "Could not fetch URL https://x/: There was a problem confirming "
            "the ssl certificate: (Caused by SSLError(\"Can't connect to "
            'HTTPS URL because the SSL module is not available.")) - skipping'
            "\nERROR: No matching distribution found for numpy==2.4.6",
            "built without ssl",
        ),
        (
            "ERROR: Could not find a version that satisfies the requirement "
            "numpy==2.4.6 (from versions: none)\n"
            "ERROR: No matching distribution found for numpy==2.4.6",
            "network",
        ),
        ("ERROR: [Errno 13] Permission denied: '/x'", "written"),
        ("ERROR: Failed building wheel for numba", "built"),
        ("  × Failed to build `numba==0.68.1`", "built"),
        (
            "ERROR: Could not find a version that satisfies the requirement "
            "x==1 (from versions: 0.1, 0.2)\n"
            "ERROR: No matching distribution found for x==1",
            "either it has none for this Python .* or the package index",
        ),
        ("something else", "read the message above"),
    ],
)
def test_what_an_installer_says_is_explained(said, expected):
    assert re.search(expected, installation.meaning(said))


@pytest.mark.parametrize(
    "number, expected",
    [
        (errno.EROFS, "copy the project"),
        (errno.EACCES, "copy the project"),
        (errno.ENOSPC, "disk is full"),
        (errno.EIO, "system refused"),
    ],
)
def test_what_cannot_be_written_is_explained(
    installer, monkeypatch, number, expected
):
    place = installation.LOCK.parent

    def refuse(*arguments):
        raise OSError(number, os.strerror(number), place)

    monkeypatch.setattr(installation, "install", refuse)
    with pytest.raises(installation.Stop, match=expected) as stop:
        installation.ensure_environment()
    if number in (errno.EROFS, errno.EACCES):
        assert f"refuses {place} (" in str(stop.value)


def test_only_the_project_is_copied_for_a_file_of_its_own(tmp_path):
    said = os.strerror(errno.EACCES)
    for path, inside in [
        (installation.ROOT / "_build" / "book.json", True),
        (installation.ROOT, True),
        (tmp_path / "grades.csv", False),
        (f"{installation.ROOT}-of-another", False),
    ]:
        error = PermissionError(errno.EACCES, said, str(path))
        sentence = installation.meaning_of_error(error)
        assert f"refuses {path} ({said}): " in sentence
        assert ("copy the project" in sentence) == inside
    nameless = PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    assert "system refused" in installation.meaning_of_error(nameless)


def test_what_refuses_in_the_environment_is_made_anew():
    said = os.strerror(errno.EACCES)
    path = installation.ENVIRONMENT / "bin" / "ruff"
    sentence = installation.meaning_of_error(
        PermissionError(errno.EACCES, said, str(path))
    )
    assert sentence.endswith(
        "delete the folder .venv and run the command again."
    )


def test_a_file_in_place_of_a_folder_is_named(installer):
    folder = installation.LOCK.parent
    shutil.rmtree(folder, ignore_errors=True)
    folder.write_text("")
    expected = f"A file stands where a folder is needed .*{folder.name}"
    with pytest.raises(installation.Stop, match=expected):
        installation.ensure_environment()


@pytest.mark.parametrize("name", installation.PACKAGED_APART)
def test_a_module_that_debian_packages_apart_is_named(name, monkeypatch):
    monkeypatch.setattr(installation, "find_spec", lambda one: one != name)
    with pytest.raises(installation.Stop, match=f"{name}.*python3-venv"):
        installation.check_modules()


@pytest.mark.parametrize("name", installation.BUILT_IN_PARTS)
def test_a_module_that_python_was_built_without_is_named(name, monkeypatch):
    monkeypatch.setattr(installation, "find_spec", lambda one: one != name)
    expected = f"built without {name.lstrip('_')}: .*build yours again"
    with pytest.raises(installation.Stop, match=expected) as stop:
        installation.check_modules()
    assert "python3-venv" not in str(stop.value)


def test_a_long_installation_says_what_is_there_already(monkeypatch):
    heard = threading.Event()
    said = []

    def hear(text):
        said.append(text)
        heard.set()

    monkeypatch.setattr(installation, "say", hear)
    monkeypatch.setattr(installation, "SECONDS_OF_SILENCE", 0.001)
    before = threading.active_count()
    with installation.signs_of_life(installation.packages_in_place, "apples"):
        assert heard.wait(600)
    assert re.fullmatch(r"\.\.\. \d+ apples after \d+ s", said[0])
    assert threading.active_count() == before


def test_an_installer_that_fails_is_shown_and_explained(capfd):
    code = "import sys; sys.exit('No space left on device')"
    with pytest.raises(installation.Stop, match="disk is full"):
        installation.run_installer([sys.executable, "-c", code], None)
    assert "No space left" in capfd.readouterr().err


def test_every_needed_module_is_of_the_standard_library():
    parts = {*installation.PACKAGED_APART, *installation.BUILT_IN_PARTS}
    assert parts <= sys.stdlib_module_names


def test_the_pythons_that_are_advised_are_those_of_the_package():
    text = (HERE / "pyproject.toml").read_text("utf-8")
    known = re.findall(r'"Programming Language :: Python :: (3\.\d+)"', text)
    said = [sentence for _, sentence in installation.MEANINGS]
    advised = re.findall(r"use Python ([\d.]+) to ([\d.]+\d)", "".join(said))
    assert advised == 2 * [(known[0], known[-1])]


# What Python 3 has and Python 2.7 cannot read.
NEW_GRAMMAR = [
    r"(?i)\b[bru]?f[\"']",
    r"\[\*|, \*\w+[,\]]",
    r"\{\*\*",
    r"\bfrom error\b",
    r"->|:=|\bnonlocal\b|\basync\b",
    r"\bprint\(",
    r", \*\w+ (in|=)",
    r"[^\x00-\x7f]",
]


@pytest.mark.parametrize("new", NEW_GRAMMAR)
def test_an_old_python_can_read_the_commands(new):
    text = (HERE / "tasks.py").read_text("utf-8")
    assert not re.search(new, text)


def old_python():
    """Path of a Python 2.7 that runs, among those of pyenv, too; or None."""
    shims = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"))
    found = [*shims.glob("versions/2.7*/bin/python2.7")]
    for python in [shutil.which("python2.7"), *found]:
        # What is found first may stand for a version that is not chosen.
        if (
            python
            and not subprocess.run(
                [python, "-V"], capture_output=True
            ).returncode
        ):
            return python
    return None


def test_an_old_python_reads_one_sentence():
    python = old_python()
    if python is None:
        pytest.skip("no Python 2.7 here: only its grammar is checked")
    answer = subprocess.run(
        [python, HERE / "tasks.py", "book"], stderr=subprocess.PIPE, text=True
    )
    assert answer.returncode == 1
    assert answer.stderr.startswith("[tasks] Python 2.7 is too old")
    assert len(answer.stderr.splitlines()) == 1
