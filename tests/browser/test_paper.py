"""The printed book: an outline, links that lead somewhere, nothing cut off."""

import re
import subprocess
import sys

import nbformat
import paper
import pytest
from pypdf import PdfReader, PdfWriter

import tasks

MILLIMETRE = 72 / 25.4  # in points


@pytest.fixture(scope="module")
def printed(browser, site, tmp_path_factory):
    """Two chapters on paper, away from the book; there is a browser."""
    out = tmp_path_factory.mktemp("printed") / "book.pdf"
    before = {path.name for path in site.iterdir()}
    # In a process of its own, as the command does: it starts a browser.
    chapters = ["margins", "subgradients"]
    command = [sys.executable, paper.__file__, site, out, *chapters]
    subprocess.run(command, check=True)
    assert {path.name for path in site.iterdir()} == before
    return PdfReader(out)


@pytest.fixture(scope="module")
def text(printed):
    return "\n".join(page.extract_text() for page in printed.pages)


def parts(outline):
    """Titles of the first level of an outline."""
    return [one.title for one in outline if not isinstance(one, list)]


def test_the_outline_has_the_pages_and_their_sections(printed):
    assert parts(printed.outline) == [
        "1. Margins and the objective",
        "2. Subgradients",
    ]
    sections = parts(printed.outline[1])
    assert "1.5. What λ trades" in sections
    cells = nbformat.read(tasks.ROOT / "book" / "margins.ipynb", as_version=4)
    prose = "\n".join(
        c.source for c in cells.cells if c.cell_type == "markdown"
    )
    assert len(sections) == len(re.findall("^## ", prose, re.MULTILINE))


def test_the_outline_has_the_words_of_long_headings(tmp_path):
    """Chromium gives "1. AB" for two lines, and one twice that it moves."""
    file = tmp_path / "outline.pdf"
    writer = PdfWriter()
    writer.add_blank_page(width=100, height=100)
    first = writer.add_outline_item(title="1. Oneline", page_number=0)
    writer.add_outline_item(
        title="1.1. 1.1. SymbolsSymbols", page_number=0, parent=first
    )
    writer.add_outline_item(title="2. Two", page_number=0)
    writer.write(file)
    titles = ["1. One line", "1.1. Symbols", "2. Two"]
    paper.name_outline(file, titles)
    first, below, second = PdfReader(file).outline
    assert [first.title, below[0].title, second.title] == titles
    with pytest.raises(ValueError, match="zip"):
        paper.name_outline(file, titles[:2])


def test_every_link_leads_into_the_file_or_to_an_address(printed):
    seen = 0
    for page in printed.pages:
        for link in page.get("/Annots", []):
            link = link.get_object()
            seen += 1
            if "/A" in link and "/URI" in link["/A"]:
                assert link["/A"]["/URI"].startswith("http")
            else:
                target = link.get("/Dest") or link["/A"]["/D"]
                assert target in printed.named_destinations, target
    assert seen > 40


def test_a_link_to_another_page_leads_to_it(printed):
    starts = {
        name: printed.get_destination_page_number(target)
        for name, target in printed.named_destinations.items()
    }
    assert starts["/book-margins--"] == 0
    assert starts["/book-subgradients--thm-subdifferential"] > 10


def test_what_is_folded_in_a_page(text):
    assert "Show the code" not in text
    assert "Solution to" in text
    assert "Click to show" not in text
    # The first exercise's answer, closed on the page.
    assert "The score is" in text


def test_answers_and_solutions_are_open(tmp_path):
    (tmp_path / "a.html").write_text(
        '<article class="page">'
        '<details class="sd-dropdown"><summary>Two</summary>No.</details>'
        '<div class="solution dropdown">It is.</div>'
        '<details class="hide">Code</details>'
        '<div class="cell tag_hide-output"><details class="hide">Numbers'
        '</details></div><div class="cell tag_on-paper">'
        '<details class="hide">A list</details></div></article>'
    )
    made = paper.Page(tmp_path, "a", ["a"]).made()
    folds = made.select("details")
    assert [one.get_text() for one in folds] == ["TwoNo.", "A list"]
    assert folds[0].has_attr("open")
    assert made.select_one(".solution").get("class") == ["solution"]


def test_pages_are_numbered(printed):
    for number, page in enumerate(printed.pages, start=1):
        assert page.extract_text().split()[-1] == str(number)


def filled(page):
    """The share of a page's height down to its last text or picture."""
    seen, high = [], float(page.mediabox.height)

    def text(words, around, at, *_):
        if words.strip():
            seen.append(at[4] * around[1] + at[5] * around[3] + around[5])

    def picture(operator, operands, around, at):
        if operator == b"Do":
            seen.extend([around[5], around[5] + around[3]])

    page.extract_text(visitor_text=text, visitor_operand_before=picture)
    top, bottom = high - 18 * MILLIMETRE, 20 * MILLIMETRE
    # Below the bottom stands the number of the page.
    lowest = min((y for y in seen if y > bottom - 2), default=top)
    return (top - lowest) / (top - bottom)


def test_no_page_inside_a_chapter_is_half_empty(printed):
    starts = {
        printed.get_destination_page_number(one)
        for one in printed.outline
        if not isinstance(one, list)
    }
    ends = {start - 1 for start in starts} | {len(printed.pages) - 1}
    shares = [filled(page) for page in printed.pages]
    assert len(shares) > 20 and max(shares) > 0.9
    assert min(shares) > 0
    gaps = {k + 1: share for k, share in enumerate(shares) if share < 0.5}
    assert [k for k in gaps if k - 1 not in ends] == []


def test_notes_of_the_margin_are_printed_whole(text):
    words = " ".join(text.split())
    assert "Margins are compared with 1 and have no unit." in words
    assert "See the errata." in words


def test_the_assistants_lists_are_printed(browser, site, tmp_path):
    """Folded on the screen, they are open on paper."""
    out = tmp_path / "assistants.pdf"
    command = [sys.executable, paper.__file__, site, out, "assistants"]
    subprocess.run(command, check=True)
    pages = [page.extract_text() for page in PdfReader(out).pages]
    words = " ".join(" ".join(pages).split())
    for said in (
        "f has the mean of the losses; yours grows with the number of rows.",
        "What should w be after the",
        "you visit every row once",
        "wrong-sign (A1.step, A1.pegasos, every solver)",
    ):
        assert said in words, said
    assert "Show A1.objective" not in words
    assert len(pages) < 40


def test_a_wrong_name_is_said(site, tmp_path):
    with pytest.raises(SystemExit, match="no page 'margin'"):
        paper.main([str(site), str(tmp_path / "x.pdf"), "margin"])
    assert not (tmp_path / "x.pdf").exists()
