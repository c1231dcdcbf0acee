"""Style sheets that not every page needs.

`pegasos.css` is for all pages; what stands only in chapters is in
`pegasos-chapter.css`, which the first page does not load. And pages with a
table that needs room get one more: a rule for all pages that asks whether one
has such a table is asked of every element of every page, which was a twelfth
of the time that styles took.
"""

import re

CHAPTER = "pegasos-chapter.css"
ROOM = "pegasos-room.css"
NEEDS_ROOM = re.compile(r'class="[^"]*\b(?:tag_)?needs-room\b')


def add_sheets(app, pagename, templatename, context, doctree):
    if pagename != app.config.root_doc:
        app.add_css_file(CHAPTER, priority=850)
    if NEEDS_ROOM.search(context.get("body", "")):
        # After the sheet of all pages, which it corrects.
        app.add_css_file(ROOM, priority=900)


def setup(app):
    app.connect("html-page-context", add_sheets)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
