"""Plain prose: short sentences, no word that hurries, none written twice.

codespell holds the spelling (`python tasks.py check`). Of prose checkers for
all kinds of texts almost every complaint here was about quotes and spaces in
Markdown. So what this book holds is written out, for its pages and for what
stands around them.
"""

import re

import pytest

import tasks
from tests.notebooks.test_style import (
    ASSIGNMENTS,
    CHAPTERS,
    MARKDOWN,
    SPANS,
    cells_of,
    prose_lines,
)

# Words, where a formula or a piece of code counts as one.
LONGEST = 40
# Says that a thing is easy to one who does not find it so; or says nothing.
# "clearly better" is quoted from a source.
HURRIES = re.compile(
    r"\b(simply|obviously|trivially|basically|clearly(?!\s+better)|of course|"
    r"note that|needless to say|as is well known|in order to|"
    r"(?:it is )?easy to (?:see|show|check)|"
    r"(?:utilise|utilize|leverage|delve|seamless)\w*|powerful|cutting-edge)\b",
    re.IGNORECASE,
)
TWICE = re.compile(r"\b([^\W\d_]+)\s+\1\b", re.IGNORECASE)
# A row of a table, a heading, the start of an item or of a definition.
ROW = re.compile(r"^(\||#).*$", re.MULTILINE)
ITEM = re.compile(r"^\s*(?:[-*:]|\d+\.)(?: \[ \])? ", re.MULTILINE)
END = re.compile(r"(?<=[.!?:;])[\"')*_]*\s+(?=\S)|\n\s*\n")
WORD = re.compile(r"[\w§][\w§'’.,/-]*")

AROUND = [
    *tasks.ROOT.glob("*.md"),
    *(tasks.ROOT / ".github").glob("*.md"),
]
PAGES = [*CHAPTERS, *ASSIGNMENTS, *MARKDOWN, *sorted(AROUND)]


def plain(text):
    """The paragraphs of a text; a formula or a piece of code is one sign."""
    lines = "\n".join(prose_lines(ROW.sub("", text)))
    return ITEM.sub("\n\n", SPANS.sub("§", lines))


def complaints(text):
    found = [
        f"longer than {LONGEST} words: {' '.join(sentence.split())!r}"
        for sentence in END.split(plain(text))
        if len(WORD.findall(sentence)) > LONGEST
    ]
    for paragraph in re.split(r"\n\s*\n", plain(text)):
        found += [f"hurries: {m[0]!r}" for m in HURRIES.finditer(paragraph)]
        found += [f"twice: {m[0]!r}" for m in TWICE.finditer(paragraph)]
    return found


@pytest.mark.parametrize(
    "path", PAGES, ids=lambda path: path.relative_to(tasks.ROOT).as_posix()
)
def test_the_prose_is_plain(path):
    cells = [text for kind, text in cells_of(path) if kind != "code"]
    assert [one for text in cells for one in complaints(text)] == []


PLAIN = """\
# The the title is not looked at

We shrink $w$, then we add. Of the two, `add add` is dearer:

- it reads the row;
- the row may be long.

```python
simply = simply
```
"""


def test_plain_prose_passes():
    assert complaints(PLAIN) == []


@pytest.mark.parametrize(
    "old, new",
    [
        ("shrink $w$", "simply shrink $w$"),
        ("then we", "then\nthen we"),
        ("reads the row", "reads " + "one more $x$ and " * 10 + "the row"),
        ("We shrink", "In order to shrink"),
    ],
)
def test_what_is_not_plain_is_found(old, new):
    assert old in PLAIN
    assert len(complaints(PLAIN.replace(old, new))) == 1
