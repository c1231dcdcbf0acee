"""Number the live figures of a page: 5.1 is the first one of chapter 5.

The number stands in the figure's `data-number`, where its frame finds it, and
with the title above its picture, for paper and for pages without scripts. On
a page without a chapter number the figures are 1, 2 and so on.
"""

import html
import json
import re
from itertools import count

HOST = re.compile(r"""<div class="pegasos-live"( data-pegasos='([^']*)'>)""")


def numbered(body, chapter=()):
    r"""The HTML of a page with a number in each live figure.

    Examples
    --------
    >>> page = '<div class="pegasos-live" data-pegasos=\'{"title": "A"}\'>'
    >>> print(numbered(page, (5,)))
    <div class="pegasos-live" data-number="5.1" data-pegasos='{"title": "A"}'>
    <p class="pegasos-printed"><b>Live figure 5.1</b> A</p>
    """
    numbers = count(1)

    def named(found):
        number = ".".join(map(str, [*chapter, next(numbers)]))
        title = json.loads(html.unescape(found[2]))["title"]
        return (
            f'<div class="pegasos-live" data-number="{number}"{found[1]}\n'
            f'<p class="pegasos-printed"><b>Live figure {number}</b> '
            f"{html.escape(title)}</p>"
        )

    return HOST.sub(named, body)


def number_page(app, pagename, templatename, context, doctree):
    sections = app.env.toc_secnumbers.get(pagename, {})
    body = context.get("body", "")
    context["body"] = numbered(body, sections.get("", ()))


def setup(app):
    app.connect("html-page-context", number_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
