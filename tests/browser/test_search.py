"""The search page, from disk: what it finds, in which order, and where."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE

# What a result says: its address, where it was found, and the words there.
SEEN = """(items) => items.map((item) => ({
  address: item.querySelector("a").getAttribute("href"),
  where: (item.querySelector(".where a") || item.querySelector("a"))
    .getAttribute("href"),
  context: (item.querySelector(".context") || {}).textContent || "",
  marked: (item.querySelector("mark") || {}).textContent || "",
}))"""


@pytest.fixture
def search(visit, site):
    """Search as the book's own field does: by an address."""

    def find(words):
        opened = visit("search", fragment=f"?q={words.replace(' ', '+')}")
        page = opened.page
        summary = page.locator("#search-results > p.search-summary")
        expect(summary).to_contain_text("Search finished")
        seen = page.locator("ul.search > li").evaluate_all(SEEN)
        assert not opened.errors
        assert all(url.startswith(site.as_uri()) for url in opened.requests)
        return seen

    return find


@pytest.fixture(scope="module")
def texts(site):
    script = (site / "_static" / "search_text.js").read_text("utf-8")
    return json.loads(script.removeprefix("window.PEGASOS_TEXT = ")[:-2])


def test_every_result_shows_the_words_around(search):
    seen = search("perceptron")
    assert len(seen) >= 4
    for result in seen:
        assert result["marked"].lower() == "perceptron"
        assert 20 < len(result["context"]) < 220


def test_a_result_leads_to_the_section_that_says_most(search):
    chor = next(r for r in search("perceptron") if "/chor" in r["address"])
    assert chor["where"] == "book/chor.html#when-pegasos-is-the-perceptron"


def test_a_title_comes_first_and_chapters_before_the_reference(search):
    pages = [result["address"] for result in search("scale trick")]
    assert pages[0].startswith("book/sparse.html")
    reference = [page.startswith("book/api") for page in pages]
    assert True in reference
    assert reference == sorted(reference)
    glossary = next(k for k, p in enumerate(pages) if "glossary" in p)
    assert glossary > 0 and not any(reference[:glossary])


def test_every_section_can_be_linked_to(texts, site):
    assert len(texts) > 40
    for page, sections in texts.items():
        html = (site / f"{page}.html").read_text("utf-8")
        for anchor, title, _ in sections:
            assert f'id="{anchor}"' in html, (page, title)


def test_formulas_are_text_and_no_number_is_made_of_a_fraction(texts):
    everything = json.dumps(texts, ensure_ascii=False)
    assert "η_t = 1/(λ t)" in everything
    assert "\\\\frac" not in everything
    exam = " ".join(text for _, _, text in texts["book/exam"])
    assert "a = 1/2 and v = (2, 0)" in exam


def test_another_ending_is_found_and_marked(search):
    marked = {result["marked"].lower() for result in search("perceptrons")}
    assert marked == {"perceptron"}


def test_fits_a_phone(visit):
    opened = visit("search", PHONE, "?q=regret")
    expect(opened.page.locator("ul.search > li").first).to_be_visible()
    width = opened.page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["width"]
