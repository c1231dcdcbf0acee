"""A student with one notebook and pip: the file that is handed out.

The wheel is made and unpacked; then the assignments' first cells run on it,
with nothing else of the project in reach. So does all that a user of the
package does, in an environment of its own. The source archive is made, and
both are made out of it again.
"""

import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import nbformat
import pytest

import installation
import tasks
from pegasos_edu.grading.handed_out.package import (
    MARK,
    PACKAGE,
    how_to_install,
)
from tests.install.kept import kept_files

SDIST = PACKAGE.replace("-py3-none-any.whl", ".tar.gz")
ASSIGNMENTS = sorted(tasks.ASSIGNMENTS.glob("a?.ipynb"))
ELSEWHERE = """
import pathlib, pegasos_edu
assert {folder!r} in pegasos_edu.__file__, pegasos_edu.__file__
assert str(coursework.check("A1.step_size", lambda lam, t: 1 / lam / t).passed)
assert pegasos_edu.explore
"""


def cells(path):
    return nbformat.read(path, as_version=4).cells


def run(code, **options):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, **options
    )


def make(folder, *options, root=tasks.ROOT):
    """What the command makes in a folder, out of the project or a copy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "ensure_environment", lambda: None)
        patch.setattr(tasks, "ROOT", root)
        patch.setattr(installation, "ROOT", root)
        assert tasks.main(["wheel", "--out", str(folder), *options]) == 0
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The wheel, by the command that lecturers use."""
    return make(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """The wheel and the source archive, as they would be published."""
    return make(tmp_path_factory.mktemp("release"), "--sdist")


@pytest.fixture(scope="module")
def sources(released, tmp_path_factory):
    """The source archive, unpacked outside of the project."""
    folder = tmp_path_factory.mktemp("sources")
    with tarfile.open(released / SDIST) as archive:
        archive.extractall(folder, filter="data")
    return folder / SDIST.removesuffix(".tar.gz")


def test_the_file_has_the_name_that_the_notebooks_say(made):
    assert [path.name for path in made.iterdir()] == [PACKAGE]


def test_the_file_holds_the_package_and_no_solution(made):
    names = zipfile.ZipFile(made / PACKAGE).namelist()
    ours = {
        path.relative_to(tasks.ROOT).as_posix()
        for path in (tasks.ROOT / "pegasos_edu").rglob("*")
        if path.suffix in (".py", ".js", ".css", ".json", ".gz")
    }
    packed = {name for name in names if name.startswith("pegasos_edu/")}
    assert packed - {"pegasos_edu/py.typed"} == ours
    assert not [name for name in names if name.endswith(".ipynb")]


@pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)
def test_the_first_cells_run_on_the_file_alone(made, path):
    unpacked = made / "unpacked"
    zipfile.ZipFile(made / PACKAGE).extractall(unpacked)
    code = next(c.source for c in cells(path) if c.cell_type == "code")
    folder = str(unpacked)
    done = run(
        f"import sys; sys.path.insert(0, {folder!r})\n{code}\n"
        + ELSEWHERE.format(folder=folder),
        cwd=made,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("missing", ["pegasos_edu", "numpy"])
def test_what_is_missing_is_one_sentence(path, missing, tmp_path):
    code = next(c.source for c in cells(path) if c.cell_type == "code")
    done = run(
        f"import sys; sys.modules[{missing!r}] = None\n{code}", cwd=tmp_path
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last == (
        f"ModuleNotFoundError: {missing} is not installed: install it as the "
        "cell above says, restart the kernel, and run this cell again."
    )
    assert "During handling" not in done.stderr


@pytest.mark.parametrize("path", ASSIGNMENTS, ids=lambda path: path.stem)
def test_the_cell_above_says_what_to_install(path):
    first = next(i for i, c in enumerate(cells(path)) if c.cell_type == "code")
    advice = cells(path)[first - 1].source
    assert how_to_install(PACKAGE) in advice and MARK not in advice


def test_an_address_takes_the_place_of_the_file():
    file, address = PACKAGE, "pegasos-edu @ https://example.org/p.zip"
    assert f"pip install jupyterlab {file}\n" in how_to_install(file)
    assert "hands it out" in how_to_install(file)
    assert f'pip install jupyterlab "{address}"\n' in how_to_install(address)
    assert f'%pip install "{address}"\n' in how_to_install(address)
    assert "hands it out" not in how_to_install(address)


# What is published


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_the_sources_make_themselves_again(released, sources, tmp_path):
    """The same bytes: out of a copy, with other times, and at another time.

    So nothing that a release is made from is missing in the source archive.
    """
    assert set(content(released)) == {PACKAGE, SDIST}
    for path in sources.rglob("*"):
        path.chmod(0o755)
    again = make(tmp_path, "--sdist", root=sources)
    assert content(again) == content(released)


def test_no_file_tells_of_the_machine(released):
    with tarfile.open(released / SDIST) as archive:
        for one in archive.getmembers():
            assert (one.uid, one.gid, one.uname, one.gname) == (0, 0, "", "")
            assert one.mtime == int(tasks.DATE)
            assert one.mode == (0o755 if one.isdir() else 0o644)
    years = {
        info.date_time[0]
        for info in zipfile.ZipFile(released / PACKAGE).infolist()
    }
    assert years == {1980}


def test_another_date_may_be_asked_for(tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    packed = zipfile.ZipFile(make(tmp_path) / PACKAGE).infolist()
    assert {info.date_time[:2] for info in packed} == {(2023, 11)}


def test_the_source_archive_holds_what_git_keeps(sources):
    """All of it: who has the archive can build, test and change."""
    packed = {
        path.relative_to(sources).as_posix()
        for path in sources.rglob("*")
        if path.is_file()
    }
    assert kept_files() - packed == set()
    assert not [name for name in packed if name.endswith((".pyc", ".db"))]


def test_what_an_index_shows_is_there(sources):
    """What `twine check --strict` asks for, and who may use it."""
    about = Parser().parsestr((sources / "PKG-INFO").read_text("utf-8"))
    assert about["Description-Content-Type"] == "text/markdown"
    assert about.get_payload().startswith("# pegasos-edu")
    assert about["License-Expression"] == "BSD-3-Clause AND CC-BY-4.0"
    assert about.get_all("License-File") == ["LICENSE", "LICENSE-TEXT"]


@pytest.fixture
def outside(released, tmp_path):
    """A Python with the wheel and what it needs, and without the project.

    The wheel is unpacked as pip does it, so that no network is needed. What
    it needs is on the path as one folder: no .pth file there is read, and
    so the project, which is installed in place, is not.
    """
    folder = tmp_path / "environment"
    venv.create(folder, symlinks=sys.platform != "win32")
    paths = {"base": str(folder), "platbase": str(folder)}
    site = Path(sysconfig.get_path("purelib", scheme="venv", vars=paths))
    zipfile.ZipFile(released / PACKAGE).extractall(site)
    (site / "needed.pth").write_text(sysconfig.get_path("purelib"), "utf-8")
    programs = sysconfig.get_path("scripts", scheme="venv", vars=paths)
    return shutil.which("python", path=programs)


def test_all_is_used_outside_of_the_project(outside, sources, tmp_path):
    script = Path(__file__).with_name("outside.py")
    solutions = sources / "book" / "assignments" / "solutions"
    variables = installation.environment_variables()
    done = subprocess.run(
        [outside, shutil.copy(script, tmp_path), solutions],
        cwd=tmp_path,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.splitlines()) == 7


def test_grading_without_solutions_says_where_they_go(outside, tmp_path):
    done = subprocess.run(
        [outside, "-m", "pegasos_edu.grading", tmp_path],
        cwd=tmp_path,
        env=installation.environment_variables(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode != 0
    assert "another folder after --solutions" in done.stderr
    assert "Traceback" not in done.stderr
