"""The printed book: an outline, links that lead somewhere, nothing cut off."""

import subprocess
import sys

import paper
import pytest
from pypdf import PdfReader


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
    assert "1.6. What λ trades" in sections
    assert len(sections) == 12


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


def test_pages_are_numbered(printed):
    for number, page in enumerate(printed.pages, start=1):
        assert page.extract_text().split()[-1] == str(number)


def test_a_wrong_name_is_said(site, tmp_path):
    with pytest.raises(SystemExit, match="no page 'margin'"):
        paper.main([str(site), str(tmp_path / "x.pdf"), "margin"])
    assert not (tmp_path / "x.pdf").exists()
