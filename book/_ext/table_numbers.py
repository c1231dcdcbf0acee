"""Tables that a cell makes are numbered with those of the text.

Sphinx numbers what stands in the text, and cannot see the tables that come
out of a cell. So all tables of a page that have a caption are numbered here,
in their order: by chapter, "Table 6.1", and through the pages without a
number, "Table 1", as figures are. References follow, from other pages, too.
"""

import posixpath
import re
from functools import lru_cache

from docutils import nodes
from toc import pages

NUMBER = r'<span class="caption-number">Table [\d.]+ </span>'
CAPTION = re.compile(
    rf'(<div class="numbers-table"><table class="table"><caption>)|{NUMBER}'
)
# A table of the text that has a name, and a reference to it.
NAMED = re.compile(rf'id="([^"]+)">\s*<caption>({NUMBER})')
REFERENCE = re.compile(
    r'(href="([^"#]*)#([^"]+)"><span class="std std-numref">)Table [\d.]+'
)


def captions(doctree):
    """The tables of a page that have a caption: the anchors of each."""
    for node in doctree.findall():
        if isinstance(node, nodes.raw):
            yield from ([] for _ in CAPTION.findall(node.astext()))
        elif isinstance(node, nodes.table) and isinstance(
            node[0], nodes.title
        ):
            yield node["ids"]


def count(doctree):
    """How many tables of a page have a caption."""
    return sum(1 for _ in captions(doctree))


def numbered(body, prefix, first=1):
    """A page whose tables have the numbers from the first on."""
    numbers = iter(range(first, len(body)))

    def caption(match):
        start = match[1] or ""
        number = f"Table {prefix}{next(numbers)} "
        return f'{start}<span class="caption-number">{number}</span>'

    body = CAPTION.sub(caption, body)
    names = {
        name: re.sub("<[^>]*>", "", number).strip()
        for name, number in NAMED.findall(body)
    }

    def reference(match):
        known = not match[2] and match[3] in names
        return match[1] + names[match[3]] if known else match[0]

    return REFERENCE.sub(reference, body)


def referred(app, pagename, body):
    """A page whose references to tables of other pages have their numbers."""

    def reference(match):
        link, address, name = match.groups()
        if not address:
            return match[0]
        page = posixpath.normpath(
            posixpath.join(posixpath.dirname(pagename), address)
        ).removesuffix(".html")
        prefix, first = numbers_of(app.env, page)
        tables = enumerate(captions(app.env.get_doctree(page)), first)
        [number] = [k for k, anchors in tables if name in anchors]
        return f"{link}Table {prefix}{number}"

    return REFERENCE.sub(reference, body)


def numbers_of(env, page):
    """What stands before the number of a table, and the first number."""
    of_chapter = chapter(env, page)
    if of_chapter:
        return f"{of_chapter[0]}.", 1
    return "", first_numbers(env)[page]


@lru_cache(maxsize=1)  # of this build
def first_numbers(env):
    """Where the tables of each page without a number begin to count."""
    found, after = {}, 1
    for page in pages():
        if not chapter(env, page):
            found[page] = after
            after += count(env.get_doctree(page))
    return found


def chapter(env, page):
    """The number of a chapter, or () for a page that has none."""
    return env.toc_secnumbers.get(page, {}).get("", ())


def number_tables(app, pagename, templatename, context, doctree):
    body = context.get("body", "")
    # The chapters have their numbers only now that pages are written.
    if CAPTION.search(body):
        body = numbered(body, *numbers_of(app.env, pagename))
    if "body" in context:
        context["body"] = referred(app, pagename, body)


def setup(app):
    app.connect("html-page-context", number_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
