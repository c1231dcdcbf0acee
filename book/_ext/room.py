"""Pages with a table that needs room get a style sheet of their own.

A rule for all pages that asks whether one has such a table is asked of every
element of every page: a twelfth of the time that styles took.
"""

import re

STYLE = "pegasos-room.css"
NEEDS_ROOM = re.compile(r'class="[^"]*\b(?:tag_)?needs-room\b')


def add_style(app, pagename, templatename, context, doctree):
    if NEEDS_ROOM.search(context.get("body", "")):
        # After the sheet of all pages, which it corrects.
        app.add_css_file(STYLE, priority=900)


def setup(app):
    app.connect("html-page-context", add_style)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
