"""What a word or a formula means, beside it: by mouse, keyboard, finger."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, WIDE
from tests.browser.test_pages import CUT_OFF, findings, turn

PAGE = "book/margins"
# What a screen reader says of a link besides its words.
DESCRIPTION = """(link) =>
  document.getElementById(link.getAttribute("aria-describedby")).textContent"""
INSIDE = """(box) => {
  const {left, right, top, bottom} = box.getBoundingClientRect();
  return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
}"""


def link_of(page, word):
    return page.locator("article").get_by_role("link", name=word, exact=True)


@pytest.fixture
def wide(visit):
    return visit(PAGE, WIDE)


@pytest.fixture
def phone(visit):
    return visit(PAGE, PHONE)


def stays_under_the_mouse(page, box):
    """On the way to the box, and on it, it stays; then it goes."""
    page.clock.install()
    box.hover()
    page.clock.run_for(1000)
    expect(box).to_have_count(1)
    page.locator("article h1").hover()
    expect(box).to_have_count(0)


def test_the_box_comes_under_the_mouse_and_goes_with_it(wide):
    page, asked = wide.page, len(wide.requests)
    box = page.locator(".meaning:visible")
    expect(box).to_have_count(0)
    link_of(page, "hinge loss").hover()
    expect(box).to_have_count(1)
    expect(box).to_contain_text("ℓ(m) = max{0, 1 - m}")
    assert box.evaluate(INSIDE)
    # A figure that has come near may fetch its scripts, and the browser the
    # icon of the page; the box needs nothing.
    fetched = [urlsplit(url).path for url in wide.requests[asked:]]
    assert all(path.endswith((".js", ".svg")) for path in fetched), fetched
    assert not wide.errors
    stays_under_the_mouse(page, box)


def test_the_box_comes_with_the_focus_and_escape_takes_it_away(wide):
    page = wide.page
    box = page.locator(".meaning:visible")
    link_of(page, "separable").focus()
    expect(box).to_contain_text("strictly positive")
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(link_of(page, "separable")).to_be_focused()
    link_of(page, "margin").focus()
    expect(box).to_contain_text("y ⟨w, x⟩")
    page.keyboard.press("Tab")
    expect(page.locator("#meaning-term-margin")).to_be_hidden()


def test_every_link_to_the_glossary_is_described(wide):
    links = wide.page.locator("article a:has(.std-term)")
    assert links.count() >= 3
    for link in links.all():
        assert len(link.evaluate(DESCRIPTION)) > 20
    boxes = wide.page.locator("p.meaning").all()
    ids = [box.get_attribute("id") for box in boxes]
    assert sorted(set(ids)) == sorted(ids)


def test_every_source_is_described_by_its_entry(visit):
    here = visit("book/zhou", WIDE)
    page = here.page
    links = page.locator("article .bibtex-citation a")
    assert links.count() >= 3
    entries = [link.evaluate(DESCRIPTION) for link in links.all()]
    assert entries[0] == "Wenxuan Zhou. Analysis of Pegasos algorithm. Report."
    # The browser's own box would stand on ours.
    assert links.and_(page.locator("[title]")).count() == 0
    box = page.locator(".meaning:visible")
    for link, entry in zip(links.all(), entries):
        link.focus()
        expect(box).to_have_text(entry)
        assert box.evaluate(INSIDE)
    assert not here.errors


def test_a_tap_shows_the_box_and_a_second_one_follows(phone):
    page = phone.page
    box = page.locator(".meaning:visible")
    here = page.url
    link_of(page, "bias").tap()
    expect(box).to_contain_text("need not pass")
    assert box.evaluate(INSIDE) and page.url == here
    assert page.evaluate(CUT_OFF) == []
    page.locator("article h1").tap()
    expect(box).to_have_count(0)
    link_of(page, "bias").tap()
    expect(box).to_have_count(1)
    link_of(page, "bias").tap()
    page.wait_for_url("**/glossary.html#term-bias")


def test_an_open_box_is_accessible(wide):
    page = wide.page
    for theme in ("dark", "light"):
        turn(page, theme)
        link_of(page, "street").focus()
        expect(page.locator(".meaning:visible")).to_have_count(1)
        assert findings(page, ".meaning") == []


def test_paper_shows_no_box(wide):
    page = wide.page
    link_of(page, "score").focus()
    page.emulate_media(media="print")
    expect(page.locator(".meaning:visible")).to_have_count(0)
    page.emulate_media(media="screen")
    page.keyboard.press("Escape")


# What a screen reader says of a formula besides itself.
LINES = """(formula) => formula.getAttribute("aria-describedby").split(" ")
  .map((id) => document.getElementById(id).textContent)"""
# The characters of a formula as MathJax understood it.
SIGNS = """(formula) =>
  formula.querySelector("mjx-assistive-mml").textContent"""


def formula_with(page, line):
    """The first formula that a line of notation belongs to."""
    page.wait_for_function(
        "document.querySelectorAll('.math svg').length"
        " === document.querySelectorAll('.math').length"
    )
    for formula in page.locator(".math[aria-describedby]").all():
        if any(line in text for text in formula.evaluate(LINES)):
            return formula
    raise AssertionError(line)


def test_a_formula_says_what_its_symbols_mean(wide):
    page, asked = wide.page, len(wide.requests)
    formula = formula_with(page, "strength of the regularisation")
    box = page.locator(".meaning:visible")
    formula.locator("svg").hover()
    expect(box).to_have_count(1)
    assert box.evaluate(INSIDE)
    shown = [text for text in box.inner_text().splitlines() if text]
    assert shown == formula.evaluate(LINES)
    assert "λ > 0 lam: strength of the regularisation" in box.inner_text()
    assert "ℓ(m), ℓ'(m)" in box.inner_text()
    assert not [url for url in wide.requests[asked:] if "http" in url]
    assert not wide.errors
    stays_under_the_mouse(page, box)


def test_a_formula_has_the_symbols_that_its_lines_explain(wide):
    """As MathJax reads it: the first sign of each line stands in it."""
    formula_with(wide.page, "strength of the regularisation")
    formulas = wide.page.locator(".math[aria-describedby]").all()
    assert len(formulas) > 8
    for formula in formulas:
        signs = formula.evaluate(SIGNS)
        for text in formula.evaluate(LINES):
            names = text.partition(":")[0].split(",")
            assert any(name.strip()[0] in signs for name in names), text


def test_the_tab_key_stops_where_a_symbol_is_new(wide):
    page = wide.page
    formula_with(page, "strength of the regularisation")
    seen = set()
    for formula in page.locator(".math[aria-describedby]").all():
        lines = set(formula.evaluate(LINES))
        stops = formula.get_attribute("tabindex") == "0"
        assert stops is bool(lines - seen)
        seen |= lines
    first = page.locator(".math[tabindex='0']").first
    box = page.locator(".meaning:visible")
    first.focus()
    expect(box).to_have_count(1)
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)
    expect(first).to_be_focused()
    page.keyboard.press("Tab")
    expect(first).not_to_be_focused()


def test_a_tap_on_a_formula_shows_the_box_and_another_closes_it(phone):
    page = phone.page
    formula = formula_with(page, "strength of the regularisation")
    box = page.locator(".meaning:visible")
    expect(box).to_have_count(0)
    formula.locator("svg").tap()
    expect(box).to_contain_text("strength of the regularisation")
    assert box.evaluate(INSIDE)
    assert page.evaluate(CUT_OFF) == []
    formula.locator("svg").tap()
    expect(box).to_have_count(0)
    formula.locator("svg").tap()
    expect(box).to_have_count(1)
    page.locator("article h1").tap()
    expect(box).to_have_count(0)


def test_the_box_of_a_formula_is_accessible_and_not_printed(wide):
    page = wide.page
    formula = formula_with(page, "strength of the regularisation")
    box = page.locator(".meaning:visible")
    for theme in ("dark", "light"):
        turn(page, theme)
        formula.focus()
        expect(box).to_have_count(1)
        assert findings(page, ".meaning:not([hidden])") == []
    page.emulate_media(media="print")
    expect(box).to_have_count(0)
    page.emulate_media(media="screen")
    page.keyboard.press("Escape")
