"""The glossary says true things of words that the chapters use."""

import re

import hover
import nbformat
import pytest
import tex
import yaml
from docutils import nodes
from docutils.core import publish_doctree

import tasks

BOOK = tasks.ROOT / "book"
TEXT = (BOOK / "glossary.md").read_text("utf-8")
TERM = re.compile(r"\{term\}`(?:[^`<]*<)?([^`<>]+)>?`")
TOC = yaml.safe_load((tasks.ROOT / "_toc.yml").read_text("utf-8"))
NUMBERED = [
    chapter["file"].removeprefix("book/")
    for part in TOC["parts"]
    if part.get("numbered", True)
    for chapter in part["chapters"]
]


def entries():
    """Word -> its meaning, as they stand in the glossary."""
    body = TEXT.split("```{glossary}\n")[1].split("\n```")[0]
    pairs = (entry.split("\n  ", 1) for entry in body.split("\n\n"))
    return {word: " ".join(meaning.split()) for word, meaning in pairs}


ENTRIES = entries()


def prose(page):
    """The Markdown of a page, without its code."""
    cells = nbformat.read(BOOK / f"{page}.ipynb", as_version=4).cells
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


def stem(word):
    """What a word shares with its plural and its verb."""
    return re.sub(r"[- ]", "", word.lower())[:7]


def test_the_words_stand_in_order():
    assert len(ENTRIES) >= 45
    words = list(ENTRIES)
    assert words == sorted(words, key=str.lower)


@pytest.mark.parametrize("word", ENTRIES)
def test_a_word_leads_to_a_chapter_that_uses_it(word):
    *_, chapter = re.findall(r"\{doc\}`(\w+)`", ENTRIES[word])
    assert ENTRIES[word].endswith(f"See {{doc}}`{chapter}`.")
    said = re.sub(r"[- \n]", "", prose(chapter).lower())
    assert stem(word) in said, (word, chapter)


@pytest.mark.parametrize("chapter", NUMBERED)
def test_a_chapter_links_some_words_once_each(chapter):
    linked = TERM.findall(prose(chapter))
    assert 3 <= len(linked) <= 8
    assert sorted(set(linked)) == sorted(linked)
    assert set(linked) <= set(ENTRIES)


def test_every_word_is_linked_in_some_chapter():
    linked = {word for page in NUMBERED for word in TERM.findall(prose(page))}
    assert linked == set(ENTRIES)


def test_formulas_keep_their_sense_as_text():
    texts = {
        r"\lVert w \rVert^2": "‖w‖²",
        r"w_{T+1}": "w_(T+1)",
        r"e^{-m}": "e^(-m)",
        r"y \langle w, x \rangle": "y ⟨w, x⟩",
        r"f(w) - f^\star": "f(w) - f⋆",
        r"\tfrac{\lambda}{2}": "λ/2",
        r"f_{\mathrm{dual}}": "f_dual",
    }
    assert {source: tex.as_text(source) for source in texts} == texts


def test_a_meaning_is_read_without_the_way_to_its_chapter():
    tree = publish_doctree("one\n   The first. See `that`.\n")
    for term in tree.findall(nodes.term):
        term["ids"] = ["term-one"]
    assert hover.meanings(tree) == {"term-one": "The first."}


def test_a_link_is_described_once_on_its_page():
    link = (
        '<a class="reference internal" href="glossary.html#term-gap">'
        '<span class="xref std std-term">gap</span></a>'
    )
    body = hover.described(link + link, {"term-gap": "a < b"})
    assert body.count('aria-describedby="meaning-term-gap"') == 2
    assert body.count('id="meaning-term-gap"') == 1
    assert "a &lt; b" in body and " hidden>" in body
    assert hover.described("<p>none</p>", {}) == "<p>none</p>"
