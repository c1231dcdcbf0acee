"""A student with one notebook and pip: the file that is handed out.

The wheel is made and unpacked; then the assignments' first cells run on it,
with nothing else of the project in reach.
"""

import subprocess
import sys
import zipfile

import nbformat
import pytest

import tasks
from pegasos_edu.grading.package import MARK, PACKAGE, how_to_install

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


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The wheel, by the command that lecturers use."""
    folder = tmp_path_factory.mktemp("wheel")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "ensure_environment", lambda: None)
        assert tasks.main(["wheel", "--out", str(folder)]) == 0
    return folder


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
