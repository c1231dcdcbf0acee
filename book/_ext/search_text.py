"""What the search page shows of a result: its section, two lines around it.

Sphinx fetches each page for that, which browsers refuse from disk. So the
texts of all pages go into one script, which the search page alone loads.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import glossary
from tex import as_text

SCRIPT = "search_text.js"
READ = (nodes.paragraph, nodes.caption, nodes.term, nodes.title)


def plain(node):
    """The words of a node, its formulas as near to text as signs allow."""
    if isinstance(node, (nodes.math, nodes.math_block)):
        return as_text(node.astext())
    if isinstance(node, nodes.Text):
        return node.astext()
    if isinstance(node, nodes.raw):
        return ""
    return "".join(plain(child) for child in node.children)


def has_title(node):
    """Whether a node is a section that one can link to by a title."""
    return isinstance(node, nodes.section) and isinstance(
        node.next_node(), nodes.title
    )


def is_meaning(node):
    """Whether a node is a word of the glossary with its meaning."""
    return isinstance(node, nodes.definition_list_item) and isinstance(
        node.parent.parent, glossary
    )


def own_text(node):
    """The text of a node without the sections and the meanings inside it."""
    parts = []
    for child in node.children:
        if isinstance(child, READ):
            parts.append(plain(child))
        elif not (has_title(child) or is_meaning(child)):
            parts.append(own_text(child))
    return " ".join(" ".join(parts).split())


def sections(doctree):
    """Triples (anchor, title, text), in the order of the page.

    A word of the glossary is one with its meaning.
    """
    found = []
    for part in doctree.findall(lambda n: has_title(n) or is_meaning(n)):
        title, *_ = part.children
        text = own_text(part).removeprefix(plain(title)).strip()
        [anchor, *_] = part["ids"] or title["ids"]
        found.append((anchor, plain(title), text))
    return found


def publish_texts(app, error):
    """Write the texts of all pages, each under the name of its page."""
    if error:
        return
    found = app.builder.texts_of_pages
    pages = sorted(app.env.found_docs)
    for page in pages:
        if page not in found:  # as this build has left it as it was
            app.env.get_and_resolve_doctree(page, app.builder)
    texts = {page: found[page] for page in pages}
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":"))
    target = Path(app.outdir, "_static", SCRIPT)
    target.write_text(f"window.PEGASOS_TEXT = {data};\n", "utf-8")


def prepare(app):
    app.builder.texts_of_pages = {}


def keep_text(app, doctree, page):
    app.builder.texts_of_pages[page] = sections(doctree)


def add_scripts(app, pagename, templatename, context, doctree):
    if pagename == "search":
        app.add_css_file("search.css")
        app.add_js_file(SCRIPT, loading_method="defer")
        app.add_js_file("search.js", loading_method="defer")


def setup(app):
    app.connect("builder-inited", prepare)
    app.connect("doctree-resolved", keep_text, priority=900)  # the last
    app.connect("html-page-context", add_scripts)
    app.connect("build-finished", publish_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
