"""What words, symbols and sources are, on the page where they are read.

A link to a word of the glossary has its meaning, a source its entry in the
list of references, and a formula on a line of its own the meaning of the
symbols which the table of notation explains. All are text in hidden boxes at
the end of the article, which describe the link or the formula to a screen
reader; `pegasos-hover.js` shows them beside it.
"""

import html
import re
from typing import NamedTuple

from docutils import nodes
from search_text import plain
from sphinx.addnodes import pending_xref
from symbols import finder

GLOSSARY = "book/glossary"
NOTATION = "book/conventions"
# This page shows how others write things.
FOREIGN = {"book/notation"}
SCRIPT = "pegasos-hover.js"
LINK = re.compile(
    r'<a class="reference internal" href="[^"#]*#(term-[^"]+)"'
    r'(?=[^>]*><span class="xref std std-term">)'
)
# The extension for sources puts the entry into a title, which shows itself
# under a mouse only.
SOURCE = re.compile(
    r'<a class="reference internal" (?P<to>href="[^"#]*#(?P<anchor>id\d+)") '
    r'title="(?P<entry>[^"]+)"'
)
FORMULA = re.compile(
    r'<div class="math notranslate nohighlight"(?P<rest>[^>]*)>'
    r"(?=.*?\\\[(?P<tex>.*?)\\\])",
    re.S,
)
# The way to the chapter is for those who are not in it.
SEE = re.compile(r" See [^.]*\.$")
# An index or a power in what `as_text` makes of a formula.
RAISED = {"_": "sub", "^": "sup"}
MINUS = re.compile(r"(?<!\w)-(?=[\d ])")
INDEX = re.compile(r"([_^])(?:\(([^()]*)\)|(\w+))")


class Row(NamedTuple):
    """A row of the table of notation; without pages it is for all."""

    symbols: str
    code: str
    meaning: str
    is_in: list
    pages: set


def meanings(doctree):
    """Anchor of a word -> its meaning as text."""
    found = {}
    for item in doctree.findall(nodes.definition_list_item):
        words = " ".join(plain(item[-1]).split())
        for term in item.findall(nodes.term):
            found[term["ids"][0]] = SEE.sub("", words)
    return found


def notation(doctree):
    """The rows of the table of symbols, and of letters of some pages."""
    everywhere, somewhere, *_ = (
        next(table.findall(nodes.tbody)).children
        for table in doctree.findall(nodes.table)
    )
    columns = [(row[0], row[1], row[2], []) for row in everywhere]
    columns += [(row[0], [], row[1], row[2]) for row in somewhere]
    return [
        Row(
            plain(symbols).strip(),
            ", ".join(
                name.astext()
                for entry in code
                for name in entry.findall(nodes.literal)
            ),
            plain(meaning).strip(),
            [finder(math.astext()) for math in symbols.findall(nodes.math)],
            {
                f"book/{reference['reftarget']}"
                for entry in pages
                for reference in entry.findall(pending_xref)
            },
        )
        for symbols, code, meaning, pages in columns
    ]


def rows_of(page, known):
    """Number -> row, of those for this page that have one meaning there."""
    found = {
        number: row
        for number, row in enumerate(known)
        if not row.pages or page in row.pages
    }
    symbols = [row.symbols for row in found.values()]
    return {
        number: row
        for number, row in found.items()
        if symbols.count(row.symbols) == 1
    }


def read_sources(app, env):
    glossary = env.get_and_resolve_doctree(GLOSSARY, app.builder)
    app.pegasos_meanings = meanings(glossary)
    app.pegasos_notation = notation(env.get_doctree(NOTATION))


def described(body, known):
    """A page whose links to the glossary have their meaning beside them."""
    anchors = dict.fromkeys(match[1] for match in LINK.finditer(body))
    body = LINK.sub(r'\g<0> aria-describedby="meaning-\g<1>"', body)
    return with_boxes(body, {one: html.escape(known[one]) for one in anchors})


def with_boxes(body, texts):
    """A page with a hidden box for each name of a text."""
    boxes = (
        f'<p class="meaning" id="meaning-{name}" role="tooltip" hidden>'
        f"{text}</p>"
        for name, text in texts.items()
    )
    return f"{body}\n{''.join(boxes)}\n" if texts else body


def cited(body):
    """A page whose sources have their entry of the references beside them."""
    entries = {
        f"source-{match['anchor']}": match["entry"]
        for match in SOURCE.finditer(body)
    }
    named = r'aria-describedby="meaning-source-\g<anchor>"'
    body = SOURCE.sub(rf'<a class="reference internal" \g<to> {named}', body)
    return with_boxes(body, entries)


def typeset(text):
    """The HTML of what `as_text` makes of formulas, indices set low."""

    def moved(match):
        tag = RAISED[match[1]]
        return f"<{tag}>{match[2] or match[3]}</{tag}>"

    return INDEX.sub(moved, html.escape(MINUS.sub("−", text)))


def line(number, row):
    """One line of the box: a symbol, its name in code and its meaning."""
    code = f" <code>{html.escape(row.code)}</code>" if row.code else ""
    return (
        f'<p id="symbol-{number}"><i>{typeset(row.symbols)}</i>{code}: '
        f"{typeset(row.meaning)}</p>"
    )


def explained(body, rows):
    """A page whose formulas name the rows that explain their symbols."""
    used = set()

    def name(match):
        tex = html.unescape(match["tex"])
        numbers = [
            number
            for number, row in rows.items()
            if any(is_in(tex) for is_in in row.is_in)
        ]
        used.update(numbers)
        ids = " ".join(f"symbol-{number}" for number in numbers)
        if not ids:
            return match[0]
        return f'{match[0][:-1]} aria-describedby="{ids}">'

    body = FORMULA.sub(name, body)
    lines = (line(n, row) for n, row in rows.items() if n in used)
    box = f'<div class="meaning" role="tooltip" hidden>{"".join(lines)}</div>'
    return f"{body}\n{box}\n" if used else body


def add_meanings(app, pagename, templatename, context, doctree):
    body = before = context.get("body", "")
    if pagename != GLOSSARY:
        body = described(body, app.pegasos_meanings)
    body = cited(body)
    if pagename not in FOREIGN:
        body = explained(body, rows_of(pagename, app.pegasos_notation))
    if body != before:
        context["body"] = body
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    app.connect("env-updated", read_sources)
    app.connect("html-page-context", add_meanings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
