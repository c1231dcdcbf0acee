"""The meaning of a word beside its link: by mouse, keyboard and finger."""

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
    # On the way to the box, and on it, it stays.
    box.hover()
    page.wait_for_timeout(400)
    expect(box).to_have_count(1)
    page.locator("article h1").hover()
    expect(box).to_have_count(0)


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
    boxes = wide.page.locator(".meaning").all()
    ids = [box.get_attribute("id") for box in boxes]
    assert sorted(set(ids)) == sorted(ids)


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
