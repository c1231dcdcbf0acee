"""Tables that a cell makes are numbered with those of the text.

Sphinx numbers what stands in the text, and cannot see the tables that come
out of a cell. So all tables of a page that have a caption are numbered here,
in their order: by chapter, "Table 6.1", and through the pages without a
number, "Table 1", as figures are. References within the page follow.
"""

import re

from docutils import nodes
from toc import pages

NUMBER = r'<span class="caption-number">Table [\d.]+ </span>'
CAPTION = re.compile(
    rf'(<div class="numbers-table"><table class="table"><caption>)|{NUMBER}'
)
# A table of the text that has a name, and a reference to it.
NAMED = re.compile(rf'id="([^"]+)">\s*<caption>({NUMBER})')
REFERENCE = re.compile(
    r'(href="#([^"]+)"><span class="std std-numref">)Table [\d.]+'
)


def count(doctree):
    """How many tables of a page have a caption."""
    made = sum(
        len(CAPTION.findall(raw.astext()))
        for raw in doctree.findall(nodes.raw)
    )
    written = sum(
        isinstance(table[0], nodes.title)
        for table in doctree.findall(nodes.table)
    )
    return made + written


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
        return match[1] + names[match[2]] if match[2] in names else match[0]

    return REFERENCE.sub(reference, body)


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
    if not CAPTION.search(body):
        return
    of_chapter = chapter(app.env, pagename)
    if of_chapter:
        context["body"] = numbered(body, f"{of_chapter[0]}.")
    else:
        # The chapters have their numbers only now that pages are written.
        first = first_numbers(app.env)[pagename]
        context["body"] = numbered(body, "", first)


def setup(app):
    app.connect("html-page-context", number_tables)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
