"""Number the live figures of a page: 5.1 is the first one of chapter 5.

The number stands in the figure's `data-number`, where its frame finds it. On
a page without a chapter number the figures are 1, 2 and so on.
"""

import re
from itertools import count

HOST = re.compile(r'<div class="pegasos-live"(?= data-pegasos=)')


def numbered(body, chapter=()):
    """The HTML of a page with a number in each live figure.

    Examples
    --------
    >>> numbered('<div class="pegasos-live" data-pegasos=>', (5,))
    '<div class="pegasos-live" data-number="5.1" data-pegasos=>'
    """
    numbers = count(1)
    return HOST.sub(
        lambda found: '{} data-number="{}"'.format(
            found[0], ".".join(map(str, [*chapter, next(numbers)]))
        ),
        body,
    )


def number_page(app, pagename, templatename, context, doctree):
    sections = app.env.toc_secnumbers.get(pagename, {})
    body = context.get("body", "")
    context["body"] = numbered(body, sections.get("", ()))


def setup(app):
    app.connect("html-page-context", number_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
