"""No Python stands in the book as text that nothing runs.

Code belongs into cells, which nbval runs. A Markdown page may show a session
of the interpreter in a ``pycon`` fence; the test below runs it as a doctest.
"""

import doctest
import re
from pathlib import Path

import nbformat
import pytest

import tasks

FENCE = re.compile(
    r"^(?P<mark>`{3,}|~{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=mark)[ \t]*$",
    flags=re.DOTALL | re.MULTILINE,
)
# What a fence may hold that is not executed: words for a shell, output.
NOT_PYTHON = {
    "bash",
    "sh",
    "console",
    "text",
    "toml",
    "yaml",
    "json",
    "bibtex",
}
# A fence without a language holds a command, and these start one.
COMMANDS = ("python ", "pip ", "git ", "nbgrader ", "jupyter", "$ ", "cd ")
COMMANDS += ("python3 ", "source ", "%pip ")
# Markdown takes lines after a blank one, four spaces in, as code.
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
CODE_DIRECTIVES = re.compile(r"\{(code|code-block|code-cell|sourcecode)\}")


def texts(path):
    """The Markdown of a page: of a page as it is, of a notebook its cells."""
    if path.suffix == ".md":
        return [path.read_text("utf-8")]
    cells = nbformat.read(path, as_version=4).cells
    return [cell.source for cell in cells if cell.cell_type == "markdown"]


def fences(text):
    """Pairs (info, body) of all fences, also of those inside directives."""
    for match in FENCE.finditer(text):
        info, body = match["info"].strip(), match["body"]
        yield info, body
        if info.startswith("{") or len(match["mark"]) > 3:
            yield from fences(body)


def unrun(text):
    """The fences of a text that might be Python and that nothing runs."""
    found = []
    for info, body in fences(text):
        language = info.lower().split()[0] if info else ""
        if CODE_DIRECTIVES.match(language):
            found.append(info)
        elif language.startswith("{") or language in NOT_PYTHON:
            continue
        elif language == "":
            lines = [line for line in body.splitlines() if line.strip()]
            if not all(line.startswith(COMMANDS) for line in lines):
                found.append(body[:60])
        elif language != "pycon":
            found.append(info)
    outside = FENCE.sub("", text) + "\n"
    for body in INDENTED.findall(outside):
        lines = [line.strip() for line in body.splitlines()]
        if not all(line.startswith(COMMANDS) for line in lines):
            found.append(body[:60])
    return found


def pages():
    book = tasks.ROOT / "book"
    return sorted(
        path
        for kind in ("*.ipynb", "*.md")
        for path in book.rglob(kind)
        if ".ipynb_checkpoints" not in path.parts
    )


def name_of(path):
    return path.relative_to(tasks.ROOT).as_posix()


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_no_python_stands_unrun(path):
    assert [bad for text in texts(path) for bad in unrun(text)] == []


@pytest.mark.parametrize("path", pages(), ids=name_of)
def test_sessions_in_text_run_as_shown(path):
    sessions = [
        body
        for text in texts(path)
        for info, body in fences(text)
        if info.split()[:1] == ["pycon"]
    ]
    test = doctest.DocTestParser().get_doctest(
        "\n".join(sessions), {}, Path(path).name, str(path), 0
    )
    assert bool(test.examples) == bool(sessions)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(test).failed == 0


def test_the_net_has_no_holes():
    assert unrun("```python\nx = 1\n```\n") == ["python"]
    assert unrun("````{solution} a\n\n```py\nx = 1\n```\n````\n") == ["py"]
    assert unrun("```{code-block} python\nx = 1\n```\n")
    assert unrun("```\nx = 1\n```\n")
    assert unrun("```\npython tasks.py book\n```\n") == []
    assert unrun("As follows:\n\n    x = 1\n")
    assert unrun("As follows:\n\n    python tasks.py book\n") == []
    assert unrun("```{note}\nwords\n```\n") == []
