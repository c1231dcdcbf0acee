"""Number the live figures of a page: 5.1 is the first one of chapter 5.

The number stands in the figure's `data-number`, where its frame finds it, and
with the title above its picture, for paper and for pages without scripts. On
a page without a chapter number the figures are 1, 2 and so on. A page whose
figures all come later than its first section names them below its title.
"""

import html
import json
import re
from itertools import count

# The first page shows the first figure of this chapter, under its number.
SHOWN_FIRST = "book/pegasos"
HOST = re.compile(r"""<div class="pegasos-live"( data-pegasos='([^']*)'>)""")
NUMBERED = re.compile(
    r"""id="(?P<anchor>[\w-]+)" data-number="(?P<number>[\d.]+)" """
    r"""data-pegasos='[^']*'>\n<p [^>]*><b>[^<]*</b> (?P<title>[^<]*)</p>"""
)


def numbered(body, chapter=()):
    r"""The HTML of a page with a number and an anchor in each live figure.

    Examples
    --------
    >>> figure = '{"name": "steps", "title": "A"}'
    >>> page = f"<div class=\"pegasos-live\" data-pegasos='{figure}'>"
    >>> print(numbered(page, (5,)).replace(" data-", "\n data-"))
    <div class="pegasos-live" id="live-steps"
     data-number="5.1"
     data-pegasos='{"name": "steps", "title": "A"}'>
    <p class="pegasos-printed"><b>Live figure 5.1</b> A</p>
    """
    numbers = count(1)

    def named(found):
        number = ".".join(map(str, [*chapter, next(numbers)]))
        figure = json.loads(html.unescape(found[2]))
        return (
            f'<div class="pegasos-live" id="live-{figure["name"]}" '
            f'data-number="{number}"{found[1]}\n'
            f'<p class="pegasos-printed"><b>Live figure {number}</b> '
            f"{html.escape(figure['title'])}</p>"
        )

    return HOST.sub(named, body)


def announced(body):
    r"""The HTML of a page, with links to the figures that come late.

    Examples
    --------
    >>> figure = '{"name": "steps", "title": "A"}'
    >>> figure = f"<div class=\"pegasos-live\" data-pegasos='{figure}'>"
    >>> figure = numbered(figure)
    >>> page = announced(f"<h1>B</h1>\n<h2>C</h2>{figure}")
    >>> print(page.partition("<h2>")[0])
    <h1>B</h1>
    <p class="pegasos-ahead">To play with, further down: <a
    href="#live-steps">Live figure 1</a> A</p>
    <BLANKLINE>
    >>> announced(f"<h1>B</h1>{figure}") == f"<h1>B</h1>{figure}"
    True
    """
    opening, _, rest = body.partition("<h2>")
    late = list(NUMBERED.finditer(rest))
    if NUMBERED.search(opening) or not late:
        return body
    links = "; ".join(
        f'<a\nhref="#{figure["anchor"]}">Live figure {figure["number"]}</a> '
        f"{figure['title']}"
        for figure in late
    )
    line = f'<p class="pegasos-ahead">To play with, further down: {links}</p>'
    return body.replace("</h1>", f"</h1>\n{line}", 1)


def number_page(app, pagename, templatename, context, doctree):
    is_first = pagename == app.config.root_doc
    page = SHOWN_FIRST if is_first else pagename
    sections = app.env.toc_secnumbers.get(page, {})
    body = context.get("body", "")
    context["body"] = announced(numbered(body, sections.get("", ())))


def setup(app):
    app.connect("html-page-context", number_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
