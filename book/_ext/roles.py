"""Mend what the theme and Sphinx say of a page to a screen reader.

axe-core finds these on every page; `tests/browser/test_pages.py` holds that
nothing is left.
"""

import re
from pathlib import Path

# In the text of a page: a list may hold list items only, and these are none;
# an entry of the references is no list item without a list.
MENDED = [
    ('<div role="list"', "<div"),
    (' role="doc-biblioentry"', ""),
]
# The corner of a table is the heading of nothing.
CORNER = re.compile(r'<th class="(head[^"]*)">\s*(<p>\s*</p>)?\s*</th>')
# What stands beside the text is a landmark, the link home as well.
SIDE = '<div id="pst-primary-sidebar" class='
LANDMARK = (
    '<div id="pst-primary-sidebar" role="navigation" aria-label="Book" class='
)


def mended(body):
    """The text of a page with roles that fit.

    Examples
    --------
    >>> mended('<th class="head"><p></p></th><th class="head"><p>n</p></th>')
    '<td class="head"></td><th class="head"><p>n</p></th>'
    """
    for wrong, right in MENDED:
        body = body.replace(wrong, right)
    return CORNER.sub(r'<td class="\1"></td>', body)


def mend_text(app, pagename, templatename, context, doctree):
    context["body"] = mended(context.get("body", ""))


def mend_frame(app, error):
    """What is not in the text of a page is the theme's."""
    for path in Path(app.outdir).rglob("*.html"):
        page = path.read_text("utf-8")
        if not error and SIDE in page:
            path.write_text(page.replace(SIDE, LANDMARK), "utf-8")


def setup(app):
    # After the extensions that make tables.
    app.connect("html-page-context", mend_text, priority=800)
    app.connect("build-finished", mend_frame)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
