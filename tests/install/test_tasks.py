"""What the commands run, when a browser is needed, and what lab copies."""

import os
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import tasks

ALL = ["tests", "pegasos_edu", "book"]


@pytest.fixture
def asked(monkeypatch):
    """What pytest is called with after its own arguments, by these."""
    calls, searches = [], []
    monkeypatch.setattr(tasks, "ensure_environment", lambda: None)
    monkeypatch.setattr(
        tasks, "run", lambda command, env: calls.append(command)
    )
    monkeypatch.setattr(tasks, "find_browser", lambda: searches.append(1))

    def test(*arguments):
        tasks.main(["test", *arguments])
        command = [str(word) for word in calls.pop()]
        rest = command[7 + len(set(arguments) - {"--quick"}) :]
        paths = [word for word in ALL if word in rest]
        return paths, bool(searches)

    return test


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["-k", "book"],
        ["-x", "-k", "tests"],
        ["-m", "book"],
        ["--ignore", "tests/browser"],
        ["--maxfail", "3"],
    ],
    ids=" ".join,
)
def test_everything_is_tested_where_no_path_is_given(asked, arguments):
    assert asked(*arguments) == (ALL, True)


@pytest.mark.parametrize(
    "path, browser",
    [
        ("tests/library", False),
        ("tests/library/test_losses.py::test_slopes", False),
        ("book/pegasos.ipynb", False),
        ("pegasos_edu", False),
        ("tests", True),
        (".", True),
        ("tests/browser", True),
        ("./tests/browser/test_pages.py", True),
    ],
)
def test_a_browser_is_looked_for_where_pages_are_tested(asked, path, browser):
    assert asked("-k", "book", path) == ([], browser)


def test_the_daily_loop_needs_no_browser(asked):
    assert asked("--quick", "-k", "book") == (["pegasos_edu"], False)


@pytest.mark.processes
@pytest.mark.parametrize("quick", [True, False])
def test_the_daily_loop_builds_no_book(quick):
    """A test that asks for the built pages is left out without a mark."""
    found = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "--collect-only", "-q"),
            *("-p", "no:cacheprovider", "tests/notebooks"),
            *(tasks.IN_PROCESS if quick else ()),
        ],
        cwd=tasks.ROOT,
        env=os.environ | {"PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert "test_descriptions.py::test_it_is_one_short_sentence" in found
    for name in ("head_of_each_page", "every_caption_of_a_table"):
        assert (name in found) != quick


@pytest.mark.parametrize(
    "name", ["tests/none.py", "none.ipynb", "tests/library/none.py::test_x"]
)
def test_a_path_that_is_not_there_is_named(name):
    with pytest.raises(tasks.Stop, match=f"no test {name}: check"):
        tasks.find_tests(["-x", name])


def test_a_path_may_start_where_the_command_is_given(monkeypatch):
    monkeypatch.chdir(tasks.ROOT / "tests" / "library")
    path = tasks.ROOT / "tests" / "library" / "test_losses.py"
    words, named = tasks.find_tests(["test_losses.py::test_slopes", "-x"])
    assert words == [f"{path}::test_slopes", "-x"] and named == [path]
    above = tasks.find_tests(["../library/test_losses.py"])
    assert above == ([str(path)], [path])


@pytest.fixture
def read_only(monkeypatch):
    """The project's folder as one of somebody else's: only to be read."""
    allowed = os.access

    def access(path, mode):
        return str(path) != str(tasks.ROOT) and allowed(path, mode)

    monkeypatch.setattr(os, "access", access)


@pytest.mark.parametrize("command", ["test", "check"])
def test_caches_are_off_where_they_cannot_be_written(
    command, read_only, monkeypatch
):
    called = {}

    def note(words, **options):
        called[words[0].stem, str(words[1])] = " ".join(map(str, words))
        return 0

    monkeypatch.setattr(tasks, "ensure_environment", lambda: None)
    monkeypatch.setattr(tasks, "find_browser", lambda: None)
    monkeypatch.setattr(tasks, "run", note)
    assert tasks.main([command]) == 0
    if command == "test":
        assert called["python", "-m"].endswith(" -p no:cacheprovider")
    else:
        assert called["ruff", "format"].endswith(" . --no-cache")
        assert called["ruff", "check"].endswith(" . --no-cache")
        assert called["mypy", "--cache-dir"].endswith(f" {os.devnull}")
        assert called["lint-imports", "--no-logo"].endswith(" --no-cache")


@pytest.mark.parametrize("status", [1, -9])
def test_a_check_that_fails_or_is_killed_fails_the_command(
    status, monkeypatch
):
    monkeypatch.setattr(tasks, "ensure_environment", lambda: None)
    statuses = iter([0, 0, status, *[0] * len(tasks.CHECKS)])
    monkeypatch.setattr(tasks, "run", lambda words: next(statuses))
    assert tasks.main(["check"]) != 0


def test_caches_serve_where_they_can_be_written(monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: True)
    assert not any(map(tasks.cache_options, tasks.WITHOUT_CACHE))


# Pages with live code


@pytest.fixture
def started(monkeypatch):
    """The programs that a command starts after the book is built."""
    calls = []
    monkeypatch.setattr(tasks, "ensure_environment", lambda: None)
    monkeypatch.setattr(tasks, "build_book", lambda: None)
    monkeypatch.setattr(tasks, "can_open_browser", lambda: False)

    def run(command, **options):
        calls.append([str(word) for word in command[1:]])
        return 0

    monkeypatch.setattr(tasks, "run", run)

    def start(*words):
        assert tasks.main([*words]) == 0
        return calls

    return start


ADDED = ["-m", "live_code.make", str(tasks.SITE), str(tasks.PYTHON_SITE)]


def test_the_ordinary_book_has_no_python(started, capsys):
    assert started("book") == []
    assert str(tasks.SITE / "index.html") in capsys.readouterr().out


def test_python_is_added_beside_the_book(started, monkeypatch, capsys):
    monkeypatch.chdir(tasks.ROOT / "tests")
    kit = str(tasks.ROOT / "tests" / "kit")
    words = ["--kit", "kit", "--kit-from", "http://here/"]
    calls = started("book", "--python", *words)
    options = ["--kit", kit, "--kit-from", "http://here/"]
    assert calls == [[*ADDED, *options]]
    assert str(tasks.PYTHON_SITE) in capsys.readouterr().out


@pytest.mark.parametrize("words", [[], ["--python"]], ids=" ".join)
def test_what_was_made_is_served(started, words):
    *before, last = started("serve", "--port", "8123", *words)
    folder = tasks.PYTHON_SITE if words else tasks.SITE
    assert last == ["-m", "live_code.serve", str(folder), "--port", "8123"]
    assert before == ([ADDED] if words else [])


def test_ctrl_c_is_the_way_to_end_the_server(started, monkeypatch, capsys):
    def run(command, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(tasks, "run", run)
    started("serve")
    assert capsys.readouterr().out.endswith("Stopped.\n")


def test_a_kit_without_python_is_refused(started, monkeypatch):
    built = []
    monkeypatch.setattr(tasks, "build_book", lambda: built.append(1))
    with pytest.raises(tasks.Stop, match="for --python"):
        started("book", "--kit", "somewhere")
    assert not built  # which takes a minute


# The copies that readers work in


@pytest.fixture
def opened(monkeypatch, tmp_path):
    """What JupyterLab is started with; the copies go to a folder apart."""
    calls = []
    monkeypatch.setattr(tasks, "ensure_environment", lambda: None)
    monkeypatch.setattr(tasks, "LAB", tmp_path / "lab")
    monkeypatch.setattr(
        tasks, "run", lambda command, cwd: calls.append((command, cwd))
    )

    def lab(*words):
        tasks.main(["lab", *words])
        command, where = calls.pop()
        assert command[0].stem == "jupyter-lab" and where == Path.cwd()
        return command[1:]

    return lab


def test_lab_opens_the_copies_and_passes_options_on(opened):
    ours = f"--ServerApp.root_dir={tasks.LAB}"
    assert opened() == [ours]
    words = ["--no-browser", "--port", "9999", "--ServerApp.token=x"]
    assert opened(*words) == [ours, *words]


@pytest.mark.parametrize(
    "own",
    [["--notebook-dir", "mine"], ["--ServerApp.root_dir=mine"]],
    ids=" ".join,
)
def test_who_names_a_folder_of_his_own_gets_no_other(
    opened, own, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    assert opened("--no-browser", *own) == ["--no-browser", *own]
    assert not tasks.LAB.exists()


@pytest.mark.parametrize(
    "own", [["--notebook-dir", "nowhere"], ["--notebook-dir=nowhere"]]
)
def test_a_folder_that_is_not_there_is_named(opened, own):
    """JupyterLab says no more than "Bad config"."""
    with pytest.raises(tasks.Stop, match="There is no folder nowhere: make"):
        opened(*own)
    assert not tasks.LAB.exists()


def test_root_is_told_what_jupyterlab_wants(opened, monkeypatch, capsys):
    for is_root, words, told in (
        (True, [], True),
        (True, ["--allow-root"], False),
        (False, [], False),
    ):
        monkeypatch.setattr(tasks, "is_root", lambda is_root=is_root: is_root)
        opened(*words)
        said = capsys.readouterr().out
        assert ("JupyterLab starts with --allow-root" in said) == told


def test_the_copies_are_the_chapters_and_the_assignments(opened):
    opened()
    copies = {
        path.relative_to(tasks.LAB).as_posix()
        for path in tasks.LAB.rglob("*.ipynb")
    }
    assert copies == set(tasks.lab_originals())
    assert {"pegasos.ipynb", "assignments/a1.ipynb"} <= copies
    assert not {"exam.ipynb", "assistants.ipynb"} & copies
    for name in tasks.FOR_TEACHERS:
        assert (tasks.ROOT / "book" / f"{name}.ipynb").exists()


def test_no_solution_of_an_assignment_is_among_the_copies(opened):
    """No file of the solutions, and no cell that answers a task."""
    opened()
    answers = {
        cell.source
        for path in tasks.ASSIGNMENTS.glob("solutions/*/*.ipynb")
        for cell in nbformat.read(path, as_version=4).cells
        if cell.metadata.get("nbgrader", {}).get("solution")
    }
    assert len(answers) > 20
    for path in tasks.LAB.rglob("*"):
        assert path.name != "solutions"
        text = path.read_text("utf-8") if path.is_file() else ""
        assert "BEGIN SOLUTION" not in text and "Model answer" not in text
        if path.suffix == ".ipynb":
            cells = nbformat.read(path, as_version=4).cells
            assert answers.isdisjoint(cell.source for cell in cells), path


def test_a_second_start_keeps_what_its_reader_changed(
    opened, monkeypatch, tmp_path, capsys
):
    book = tmp_path / "book"
    (book / "assignments").mkdir(parents=True)
    for name in ("mine", "theirs", "lost"):
        (book / f"{name}.ipynb").write_text("first")
    monkeypatch.setattr(tasks, "ROOT", tmp_path)
    monkeypatch.setattr(tasks, "ASSIGNMENTS", book / "assignments")
    opened()
    (tasks.LAB / "mine.ipynb").write_text("my work")
    (tasks.LAB / "lost.ipynb").unlink()
    (tasks.LAB / "own.ipynb").write_text("a notebook of my own")
    opened()
    assert "newer" not in capsys.readouterr().out
    for path in book.glob("*.ipynb"):
        path.write_text("second")
    opened()
    now = {path.stem: path.read_text() for path in tasks.LAB.glob("*.ipynb")}
    assert now == {
        "mine": "my work",
        "theirs": "second",
        "lost": "second",
        "own": "a notebook of my own",
    }
    assert "You changed lab/mine.ipynb, so it" in capsys.readouterr().out


@pytest.mark.parametrize("damage", ["", "[1]", '"a"', '{"mine.ipynb": 1}'])
def test_a_damaged_list_of_copies_loses_no_work(opened, damage):
    opened()
    path = tasks.LAB / "pegasos.ipynb"
    path.write_text("my work")
    (tasks.LAB / tasks.COPIED).write_text(damage)
    opened()
    assert path.read_text() == "my work"


def test_the_copies_are_none_of_gits_business():
    ignored = (tasks.ROOT / ".gitignore").read_text("utf-8").splitlines()
    assert tasks.LAB == tasks.ROOT / "lab" and "/lab/" in ignored


@pytest.mark.parametrize(
    "word, said",
    [
        ("tset", "There is no command 'tset'. Did you mean test?"),
        ("xyzzy", "There is no command 'xyzzy'.\n"),
    ],
)
def test_a_mistyped_command_gets_a_hint(word, said, capsys):
    with pytest.raises(SystemExit):
        tasks.parse([word])
    assert said in capsys.readouterr().err


def test_nothing_is_installed_before_a_folder_is_named(monkeypatch):
    monkeypatch.setattr(tasks, "ensure_environment", pytest.fail)
    with pytest.raises(tasks.Stop, match="Name the folder of submissions"):
        tasks.main(["grade"])


def test_a_failure_is_named_at_once(tmp_path):
    """The run may be stopped long before its summary."""
    (tmp_path / "test_it.py").write_text("def test_no():\n    assert 0\n")
    words = ["-m", "pytest", "-q", "-n", "2", "-p", "tests.sharing"]
    words += ["-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, *words, f"--rootdir={tmp_path}", tmp_path],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
    )
    assert done.stdout.index("::test_no failed\n") < done.stdout.index("F  ")
