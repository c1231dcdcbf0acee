"""What the first page takes from the project while the book is built.

Directives: `one-step` is the signature figure, small; `source` the listing of
a function; `chapter-map` a table of the chapters with what they say of
themselves; `live-cards` a card for each live figure, with its picture;
`what-was-checked` numbers that are counted.
"""

import ast
import functools
import html
import importlib
import json
import re

from docutils import nodes
from docutils.statemachine import StringList
from offline import LIVE_FIGURE, ROOT
from sphinx.util.docutils import SphinxDirective
from toc import numbers

BOOK = ROOT / "book"
NEED = re.compile(r"You need (.*?)\s+About (\d+) minutes\.", flags=re.DOTALL)
DOC = re.compile(r"\{doc\}`(?:[^`<]*<)?(\w+)>?`")
IMAGE = re.compile(r'<img alt="([^"]*)" src="([^"]*)"')
# The signature figure stands at the top of the page itself.
SIGNATURE = "one_step"


def cells(page):
    return json.loads((BOOK / f"{page}.ipynb").read_text("utf-8"))["cells"]


@functools.cache  # many rows of the map link to the same chapters
def opening(page):
    """The title of a chapter, what it needs, and its minutes."""
    text = "\n\n".join(
        "".join(cell["source"])
        for cell in cells(page)
        if cell["cell_type"] == "markdown"
    )
    title = text.splitlines()[0].removeprefix("# ")
    needs, minutes = NEED.search(text).groups()
    return title, " ".join(needs.split()), int(minutes)


def short_link(match):
    """A link to a chapter by its title up to a colon."""
    title, _, _ = opening(match[1])
    return f"{{doc}}`{title.split(':')[0]} <{match[1]}>`"


def live_figures(page):
    """(number, name, title, text, picture) of each live figure of a page."""
    number = 0
    for cell in cells(page):
        for output in cell.get("outputs", []):
            page_html = "".join(output.get("data", {}).get("text/html", ""))
            found = LIVE_FIGURE.search(page_html)
            if found:
                number += 1
                config = json.loads(html.unescape(found[1]))
                text, picture = IMAGE.search(page_html).groups()
                if config["name"] != SIGNATURE:
                    yield (
                        number,
                        config["name"],
                        config["title"],
                        text,
                        picture,
                    )


class FromProject(SphinxDirective):
    """A directive whose Markdown is written here."""

    has_content = True

    def markdown(self):
        raise NotImplementedError

    def run(self):
        for path in sorted(BOOK.glob("*.ipynb")):
            self.env.note_dependency(str(path))
        box = nodes.container(classes=[self.name])
        lines = StringList(self.markdown().splitlines(), source="landing.py")
        self.state.nested_parse(lines, self.content_offset, box)
        return [box]


class OneStep(SphinxDirective):
    """The signature figure, small; it runs one step when it opens."""

    def run(self):
        figures = importlib.import_module("pegasos_edu.live.one_step")
        page = figures.one_step(compact=True).page()
        return [nodes.raw("", page, format="html")]


class Source(SphinxDirective):
    """The source of a function, without its docstring."""

    required_arguments = 1

    def run(self):
        module, _, name = self.arguments[0].rpartition(".")
        source = importlib.import_module("pegasos_edu.page.source")
        thing = getattr(importlib.import_module(module), name)
        shown = source.show_source(thing).data
        code = shown.partition("```python\n")[2].removesuffix("\n```")
        block = nodes.literal_block(code, code)
        block["language"] = "python"
        return [block]


class ChapterMap(FromProject):
    """Lines "page: when to skip it" become a table of those chapters."""

    def markdown(self):
        number = numbers()
        rows = [
            "| chapter | you need | minutes | skip it if |",
            "|---|---|---|---|",
        ]
        for line in " ".join(self.content).split(" ;"):
            page, _, skip = line.strip().partition(": ")
            _, needs, minutes = opening(page)
            needs = DOC.sub(short_link, needs)
            place = f"{number[page]}. " if page in number else ""
            rows.append(
                f"| {place}{{doc}}`{page}` | {needs.rstrip('.')} | {minutes} "
                f"| {skip} |"
            )
        return "\n".join(rows)


class LiveCards(SphinxDirective):
    """A card for each live figure of the pages named, in this order."""

    has_content = True

    def run(self):
        cards, chapter = [], numbers()
        for page in " ".join(self.content).split():
            self.env.note_dependency(str(BOOK / f"{page}.ipynb"))
            for place, name, title, text, picture in live_figures(page):
                cards.append(
                    f'<a class="live-card" href="{page}.html#live-{name}">'
                    f'<img alt="{text}" src="{picture}">'
                    f"<span>{chapter[page]}.{place} {html.escape(title)}"
                    f"</span></a>"
                )
        page = f'<div class="live-cards">{"".join(cards)}</div>'
        return [nodes.raw("", page, format="html")]


class WhatWasChecked(FromProject):
    """Numbers of the project, counted now."""

    def markdown(self):
        zoo = importlib.import_module("pegasos_edu.coursework.zoo").ZOO
        ledger = importlib.import_module("pegasos_edu.theory.ledger").LEDGER
        errata = [
            line
            for cell in cells("errata")
            if cell["cell_type"] == "markdown"
            for line in cell["source"]
            if line.startswith("### ") and not line.startswith("### Slips")
        ]
        tests = count_tests()
        asserts = sum(
            isinstance(node, ast.Assert)
            for path in BOOK.glob("*.ipynb")
            for cell in cells(path.stem)
            if cell["cell_type"] == "code"
            for node in ast.walk(ast.parse("".join(cell["source"])))
        )
        counted = (
            (tests, "test functions in the project"),
            (asserts, "assertions in the cells of the chapters"),
            (len(ledger), "{doc}`statements of the sources <ledger>` checked"),
            (
                len(errata),
                "entries in the {doc}`errata of the sources <errata>`",
            ),
            (len(zoo), "{doc}`wrong solvers <bug_zoo>` that the checks find"),
        )
        items = "\n".join(
            f":::{{grid-item}}\n[{number:,}]{{.counted}} {what}\n:::"
            for number, what in counted
        )
        return f"::::{{grid}} 2 2 5 5\n{items}\n::::"


def count_tests():
    """Functions whose name begins with test, in tests/."""
    return sum(
        isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
        for path in (ROOT / "tests").rglob("test_*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
    )


def style_first_page(app, pagename, templatename, context, doctree):
    """Only the first page gets the style sheet of its own."""
    if pagename == app.config.root_doc:
        app.add_css_file("pegasos-landing.css")


def setup(app):
    for name, directive in (
        ("one-step", OneStep),
        ("source", Source),
        ("chapter-map", ChapterMap),
        ("live-cards", LiveCards),
        ("what-was-checked", WhatWasChecked),
    ):
        app.add_directive(name, directive)
    app.connect("html-page-context", style_first_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
