"""Lay a dark picture of each live figure beside the light one.

The pictures stand in a page until a figure starts, and on the cards of the
first page. `pegasos.css` shows the one that fits the page.
"""

import functools
import importlib
import re

PICTURE = re.compile(r'<img alt="[^"]*" src="data:image/svg\+xml,[^"]*">')
# A colour in the address of a picture: a "#" is written %23 there.
COLOUR = re.compile(r"%23([0-9A-Fa-f]{6}|fff)(?![0-9A-Za-z])")


@functools.cache
def of_night():
    """The shades of a dark page, by those of a light one.

    Examples
    --------
    >>> of_night()["#04487c"]
    '#5A8CF7'
    """
    module = importlib.import_module("pegasos_edu.live.toolkit.shades")
    shades = {light.lower(): night for light, night in module.SHADES.values()}
    shades["#fff"] = shades["#ffffff"]
    return shades


def dark(picture):
    """A picture in the shades of a dark page.

    Examples
    --------
    >>> dark("<img alt='' src='data:image/svg+xml,fill=%2304487C'>")
    "<img alt='' src='data:image/svg+xml,fill=%235A8CF7'>"
    """

    def turned(match):
        shade = of_night().get(f"#{match[1].lower()}", f"#{match[1]}")
        return shade.replace("#", "%23")

    return COLOUR.sub(turned, picture)


def with_twins(body):
    """The HTML of a page in which each such picture has a dark twin."""

    def both(match):
        # The theme leaves a picture of the class dark-light as it is.
        tag = '<img class="live-{} dark-light"'
        return match[0].replace("<img", tag.format("light")) + dark(
            match[0]
        ).replace("<img", tag.format("dark"))

    return PICTURE.sub(both, body)


def lay_beside(app, pagename, templatename, context, doctree):
    context["body"] = with_twins(context.get("body", ""))


def setup(app):
    app.connect("html-page-context", lay_beside)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
