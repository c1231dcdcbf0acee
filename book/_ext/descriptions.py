"""What a page says of itself to search engines and to messengers.

The sentences stand in `book/descriptions.yml`. No address of the book is
known, so none is given.
"""

import functools
from html import escape
from pathlib import Path

import yaml
from search_text import plain
from sphinx.errors import ExtensionError

FILE = Path(__file__).resolve().parents[1] / "descriptions.yml"
TAGS = (
    '<meta name="description" content="{description}">\n'
    '<meta property="og:type" content="{kind}">\n'
    '<meta property="og:title" content="{title}">\n'
    '<meta property="og:description" content="{description}">\n'
)


@functools.cache  # every page asks for it
def descriptions():
    """Page -> its sentence."""
    return yaml.safe_load(FILE.read_text("utf-8"))


def describe(app, pagename, templatename, context, doctree):
    # Pages that Sphinx makes, such as the search, have no text of their own.
    if doctree is None:
        return
    if pagename not in descriptions():
        raise ExtensionError(f"{FILE.name} has no sentence for {pagename}")
    context["metatags"] = context.get("metatags", "") + TAGS.format(
        description=escape(descriptions()[pagename]),
        title=escape(plain(app.env.longtitles[pagename])),
        kind="website" if pagename == app.config.root_doc else "article",
    )


def setup(app):
    app.connect("html-page-context", describe)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
