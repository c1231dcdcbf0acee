"""What `python tasks.py test` and `check` run; when a browser is needed."""

import os

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


def test_caches_serve_where_they_can_be_written(monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: True)
    assert not any(map(tasks.cache_options, tasks.WITHOUT_CACHE))
