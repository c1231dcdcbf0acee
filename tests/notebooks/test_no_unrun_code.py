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

# In lists a fence is indented, in quotations it follows ">". A shorter mark
# inside does not end it, a longer one does, and so does the end of the text.
FENCE = re.compile(
    r"^(?P<lead>[ \t>]*(?:[-*+]|\d+\.)?[ \t>]*)(?P<mark>`{3,}|~{3,}|:{3,})"
    r"(?P<info>[^\n`]*)\n(?P<body>.*?)"
    r"(?:^[ \t>]*(?P=mark)[`~:]*[ \t]*$|\Z)",
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
# What reStructuredText has for code, and below, what HTML has.
OTHER_CODE = re.compile(
    r"\.\. (?:code|code-block|sourcecode|parsed-literal|ipython)::|::[ \t]*$",
    flags=re.MULTILINE,
)
HTML_CODE = re.compile(r"<(?:pre|code|script)\b[^>]*>", re.IGNORECASE)
# A fence without a language holds a command, and these start one.
COMMANDS = ("python ", "pip ", "git ", "nbgrader ", "jupyter", "$ ", "cd ")
COMMANDS += ("python3 ", "source ", "%pip ")
# Markdown takes lines after a blank one, four spaces in, as code.
INDENTED = re.compile(r"(?<=\n\n)(?: {4}.*\n)+")
# Lines that only Python has; words for a shell or output have none.
PYTHON = re.compile(
    r"^(?:>>> |import \w|from \w+(?:\.\w+)* import |def \w+\(|for \w.* in "
    r".*:$|while .*:$|class \w+.*:$|\w+(?:, \w+)* [+*/@-]?= |\w+(?:\.\w+)*\("
    r".*\)$|\w+(?:\.\w+)*\[.*\] [+*/@-]?= |(?:if|elif|with) .*:(?: |$)|else:$"
    r"|return \w)",
    flags=re.MULTILINE,
)
# Directives whose body is no Markdown that a reader sees as text.
NOT_TEXT = {"{math}", "{raw}", "{toctree}", "{bibliography}", "{eval-rst}"}
CODE_DIRECTIVES = re.compile(
    r"\{(code|code-block|code-cell|sourcecode|parsed-literal|literalinclude)\}"
)


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
        if ">" in match["lead"]:
            body = re.sub(r"^ {0,3}> ?", "", body, flags=re.MULTILINE)
        # Only as far as the fence itself stands in: what is further in may
        # be code of its own.
        inside = rf"^ {{1,{max(1, len(match['lead']))}}}"
        if match["lead"]:
            body = re.sub(inside, "", body, flags=re.MULTILINE)
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
        elif language == "{eval-rst}" or language in NOT_PYTHON:
            hint = PYTHON if language in NOT_PYTHON else OTHER_CODE
            if hint.search(body):
                found.append(body[:60])
        elif language.startswith("{"):
            found += shown_as_code(body, language)
        elif language == "":
            lines = [line for line in body.splitlines() if line.strip()]
            if not all(line.startswith(COMMANDS) for line in lines):
                found.append(body[:60])
        elif language != "pycon":
            found.append(info)
    return found + shown_as_code(text)


def shown_as_code(text, directive=""):
    """What stands outside of fences and is set as code: HTML, four spaces."""
    outside = FENCE.sub("", "\n" + text) + "\n"
    found = [m.group() for m in HTML_CODE.finditer(outside)]
    if directive in NOT_TEXT:
        return found
    # The options of a directive end where its text begins.
    outside = re.sub(r"\A(?:\s*:[\w-]+:.*\n)+", "\n\n", outside)
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


@pytest.mark.parametrize(
    "path", [*pages(), tasks.ROOT / "README.md"], ids=name_of
)
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
    assert unrun("- a list\n\n  ```python\n  x = 1\n  ```\n")
    assert unrun("- ```python\n  x = 1\n  ```\n")
    assert unrun("1. a list\n   ```\n   x = 1\n   ```\n")
    assert unrun("> ```python\n> x = 1\n> ```\n")
    assert unrun(":::{code-block} python\nx = 1\n:::\n")
    assert unrun("::::{note}\n:::{code-block} python\nx = 1\n:::\n::::\n")
    assert unrun("```{note}\n```python\nx = 1\n```\n")
    assert unrun("```python\nx = 1\n")
    assert unrun(":::{note}\n```python\nx = 1\n```\n:::\n")
    assert unrun("```{eval-rst}\n.. code-block:: python\n\n   x = 1\n```\n")
    assert unrun("```{eval-rst}\nAs follows::\n\n   x = 1\n```\n")
    assert unrun("```{eval-rst}\n.. autofunction:: pegasos\n```\n") == []
    assert unrun("```{parsed-literal}\nx = 1\n```\n")
    assert unrun("<pre>\nx = 1\n</pre>\n")
    assert unrun("```text\nfor t in range(3):\n    print(t)\n```\n")
    assert unrun("```bash\nimport numpy as np\n```\n")
    assert unrun("```bash\npython tasks.py book\n```\n") == []
    assert unrun("```text\nThe gap is 0.1 after 10 steps.\n```\n") == []
    assert unrun("> a quotation\n\n```{note}\nwords\n```\n") == []
    assert unrun("```\npython tasks.py book\n```\n") == []
    assert unrun("As follows:\n\n    x = 1\n")
    assert unrun("As follows:\n\n    python tasks.py book\n") == []
    assert unrun("```{note}\nwords\n```\n") == []


@pytest.mark.parametrize("mark", ["```", "~~~", ":::", "````"])
@pytest.mark.parametrize(
    "box", ["{note}", "{solution} ex-a", "{admonition} A"]
)
def test_the_net_has_no_holes_inside_boxes(mark, box):
    options = "\n:class: dropdown\n"
    for start in ("\n", options, options + "\n"):
        inside = "As follows:\n\n    w = (1 - 1 / t) * w\n\n"
        assert unrun(f"{mark}{box}{start}{inside}{mark}\n")
        assert unrun(f"{mark}{box}{start}\n    w = 1\n{mark}\n")
        assert unrun(f"{mark}{box}{start}<pre>w = 1</pre>\n{mark}\n")
        assert unrun(f"{mark}{box}{start}words\n\nmore words\n{mark}\n") == []
        command = "As follows:\n\n    python tasks.py book\n\n"
        assert unrun(f"{mark}{box}{start}{command}{mark}\n") == []


def test_the_net_has_no_holes_in_html_and_in_text():
    assert unrun("```{raw} html\n<pre>w = 1</pre>\n```\n")
    assert unrun("~~~{note}\n<pre>w = 1</pre>\n~~~\n")
    assert unrun("```{raw} html\n<p>words</p>\n```\n") == []
    assert unrun("```{math}\n\n    a = b\n```\n") == []
    for line in (
        "w[0] = 2",
        "W[t - 1] += w",
        "if x: y",
        "if x:",
        "with open(path) as file:",
        "else:",
        "return w",
        "w.flat[0] = 2",
    ):
        assert unrun(f"```text\n{line}\n```\n"), line
    assert unrun("```text\nif all is well it ends\n```\n") == []
