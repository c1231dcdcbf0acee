"""What `python tasks.py test` runs, and when it looks for a browser."""

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
