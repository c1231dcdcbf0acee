"""The search page, from disk: what it finds, in which order, and where."""

import json

import pytest
from playwright.sync_api import expect

from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE

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


def test_a_function_has_its_own_module_around_it(search):
    found = [*search("perceptron"), *search("mnist")]
    functions = [r for r in found if "#pegasos_edu." in r["address"]]
    assert any(
        "#pegasos_edu.experiments.mnist." in r["address"] for r in functions
    )
    for result in functions:
        module = result["where"].partition("#module-")[2]
        _, inside, name = result["address"].partition(f"#{module}.")
        assert module and inside and "." not in name


def test_a_result_leads_to_the_section_that_says_most(search):
    chor = next(r for r in search("perceptron") if "/chor" in r["address"])
    assert chor["where"] == "book/chor.html#when-pegasos-is-the-perceptron"


CHAPTER_OF = {
    "pegasos": "pegasos",
    "margin": "margins",
    "dual": "dual",
    "regret": "regret",
    "subgradient": "subgradients",
    "scale trick": "sparse",
}


@pytest.mark.parametrize("words", CHAPTER_OF)
def test_the_chapter_on_a_word_comes_first(search, words):
    first = search(words)[0]["address"]
    assert first.partition("?")[0] == f"book/{CHAPTER_OF[words]}.html"


def test_a_result_leads_to_the_definition_in_the_glossary(search):
    where = [result["where"] for result in search("scale trick")]
    assert "book/glossary.html#term-scale-trick" in where
    assert where[0].startswith("book/sparse.html")


@pytest.mark.parametrize("words", ["violator", "scale trick", "regret"])
def test_answers_and_the_reference_come_last(search, words):
    kinds = ["exam", "assistants", "api"]
    order = [
        next((k for k, kind in enumerate(kinds, 1) if kind in page), 0)
        for page in (result["address"] for result in search(words))
    ]
    assert len({*order}) > 1
    assert order == sorted(order)


@pytest.mark.parametrize("words", ["violator", "hinge loss", "glossary"])
def test_no_page_is_found_twice(search, words):
    pages = [
        result["address"].partition("#")[0]
        for result in search(words)
        if "/api" not in result["address"]
    ]
    assert len(pages) == len({*pages}) > 0


def test_a_chapter_is_not_known_by_its_exercises(search):
    where = [result["where"] for result in search("violator")]
    assert len(where) > 10
    assert not [one for one in where if "#exercises" in one]


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


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(visit, viewport, theme):
    page = visit("search", viewport, "?q=regret").page
    expect(page.locator("ul.search > li").nth(9)).to_be_visible()
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(
        f"document.documentElement.dataset.theme === '{theme}'"
    )
    page.evaluate("document.getAnimations().forEach((one) => one.finish())")
    assert findings(page) == []
