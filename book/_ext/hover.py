"""A link to a word of the glossary has its meaning on the page.

The meaning is text in a hidden box at the end of the article, which describes
the link to a screen reader; `pegasos-hover.js` shows it beside the link.
"""

import html
import re

from docutils import nodes
from search_text import plain

GLOSSARY = "book/glossary"
SCRIPT = "pegasos-hover.js"
LINK = re.compile(
    r'<a class="reference internal" href="[^"#]*#(term-[^"]+)"'
    r'(?=[^>]*><span class="xref std std-term">)'
)
# The way to the chapter is for those who are not in it.
SEE = re.compile(r" See [^.]*\.$")


def meanings(doctree):
    """Anchor of a word -> its meaning as text."""
    found = {}
    for item in doctree.findall(nodes.definition_list_item):
        words = " ".join(plain(item[-1]).split())
        for term in item.findall(nodes.term):
            found[term["ids"][0]] = SEE.sub("", words)
    return found


def read_glossary(app, env):
    tree = env.get_and_resolve_doctree(GLOSSARY, app.builder)
    app.pegasos_meanings = meanings(tree)


def described(body, known):
    """A page whose links to the glossary have their meaning beside them."""
    anchors = dict.fromkeys(match[1] for match in LINK.finditer(body))
    if not anchors:
        return body
    body = LINK.sub(r'\g<0> aria-describedby="meaning-\g<1>"', body)
    boxes = (
        f'<p class="meaning" id="meaning-{anchor}" role="tooltip" hidden>'
        f"{html.escape(known[anchor])}</p>"
        for anchor in anchors
    )
    return f"{body}\n{''.join(boxes)}\n"


def add_meanings(app, pagename, templatename, context, doctree):
    body = context.get("body", "")
    if pagename != GLOSSARY and LINK.search(body):
        context["body"] = described(body, app.pegasos_meanings)
        app.add_js_file(SCRIPT, loading_method="defer")


def setup(app):
    app.connect("env-updated", read_glossary)
    app.connect("html-page-context", add_meanings)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
