"""The lecture view: one figure at a time, large, by a few keys."""

import shutil

import pytest

from pegasos_edu.live.pegasos import STEPS
from tests.browser import live_page
from tests.browser.access import findings
from tests.browser.conftest import WIDE, Visit
from tests.browser.live_page import ROOT
from tests.live_figures import FIGURES

LEAST_TEXT = 22
STATIC = ROOT / "book" / "_static"
FILES = ["pegasos.js", "pegasos-lecture.js", "pegasos-lecture.css"]
SCRIPT = '<script src="pegasos.js"></script>\n<script defer src="live.js">'
# Two twins of one grey pixel, as the book has them for its pictures.
PIXEL = (
    "data:image/gif;base64,R0lGODlhAQABAIAAAMLCwgAAACH5BAAAAAAALAAAAAABAAEAAAIC"
    "RAEAOw=="
)
PICTURE = f"""<p><img class="in-light" alt="a" width="300" height="200"
  src="{PIXEL}"><img class="in-dark" style="display: none" alt="a"
  src="{PIXEL}"></p>"""
WITH_CAPTION = f"""<figure>{PICTURE}<figcaption><p>
  <span class="caption-number">Fig. 5.1</span> One grey pixel.
  <a class="headerlink" href="#">#</a></p></figcaption></figure>"""
# Texts of the figure shown that are smaller than they should be.
SMALL = """(least) => [...document.querySelectorAll(".pegasos-shown *")]
  .filter((e) => e.getClientRects().length
    && !e.closest("style, option, .pegasos-summary, .pegasos-spoken")
    && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
  .filter((e) => {
    const svg = e.closest(".pegasos-plane > svg");
    const scale = svg && e !== svg ? svg.getScreenCTM().a : 1;
    return parseFloat(getComputedStyle(e).fontSize) * scale < least;
  }).map((e) => e.outerHTML.slice(0, 120))"""
# What is seen and does not belong to the lecture.
OTHERS = """() => [...document.querySelectorAll("body *")]
  .filter((e) => !e.closest(".pegasos-shown, .pegasos-bar, .pegasos-caption")
    && e.checkVisibility({ visibilityProperty: true }))
  .map((e) => e.outerHTML.slice(0, 120))"""


def write(folder, name, figures):
    page = live_page.PAGE.replace('<script defer src="live.js">', SCRIPT)
    text = page.format(figures=f"<article>{figures}</article>")
    (folder / f"{name}.html").write_text(text, "utf-8")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lecture")
    live_page.write_scripts(folder)
    for name in FILES:
        shutil.copy(STATIC / name, folder)
    far = '<p style="height: 150vh">Text. <input aria-label="text"></p>'
    pages = [make().page() for make in FIGURES.values()]
    write(folder, "all", "".join(pages))
    three = [
        far,
        FIGURES["pegasos"]().page(),
        PICTURE,
        far,
        FIGURES["margins"]().page(),
        far,
    ]
    write(folder, "three", "".join(three))
    write(folder, "none", far)
    write(folder, "walk", FIGURES["one_step"]().page())
    caption = FIGURES["pegasos"]().page() + WITH_CAPTION
    write(folder, "caption", caption)
    return folder


@pytest.fixture
def opened(browser, folder):
    visits = []

    def go(name="three"):
        visits.append(Visit(browser, WIDE))
        visits[-1].page.goto((folder / f"{name}.html").as_uri())
        return visits[-1]

    yield go
    for each in visits:
        each.close()
    assert [error for each in visits for error in each.errors] == []


def lecture(page):
    page.keyboard.press("l")
    page.wait_for_selector(".pegasos-lecturing .pegasos-shown")
    live_page.wait_until_drawn(page)


def shown(page):
    """Which figure of the page fills the window."""
    return page.evaluate("""() => [...document.querySelectorAll(
      "[data-pegasos], img.in-light")].findIndex(
        (e) => e.classList.contains("pegasos-shown"))""")


def test_it_is_loaded_when_it_is_wanted_and_once(opened):
    visit = opened()
    page = visit.page
    page.evaluate(live_page.NEXT_FRAME)
    assert not any("pegasos-lecture" in url for url in visit.requests)
    for _ in range(2):
        lecture(page)
        page.keyboard.press("Escape")
        page.wait_for_selector("html:not(.pegasos-lecturing)")
    names = sorted(
        url.rsplit("/", 1)[1]
        for url in visit.requests
        if "pegasos-lecture" in url
    )
    assert names == ["pegasos-lecture.css", "pegasos-lecture.js"]


def test_it_shows_the_figure_where_one_is_and_returns(opened):
    page = opened().page
    live_page.wait_until_drawn(page)
    page.locator("[data-pegasos]").nth(1).scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    lecture(page)
    assert shown(page) == 2
    assert page.evaluate(OTHERS) == []
    box = page.locator(".pegasos-shown").bounding_box()
    assert (box["x"], box["y"], box["width"]) == (0, 0, WIDE["width"])
    for key, place_now in (
        ("PageDown", 2),
        ("PageUp", 1),
        ("PageUp", 0),
        ("PageUp", 0),
    ):
        page.keyboard.press(key)
        assert shown(page) == place_now
    page.keyboard.press("Escape")
    page.wait_for_selector("html:not(.pegasos-lecturing)")
    page.wait_for_function("(y) => Math.abs(scrollY - y) < 2", arg=place)
    assert page.locator(".pegasos-large, .pegasos-shown").count() == 0


def test_a_picture_fills_the_window(opened):
    page = opened().page
    lecture(page)
    page.get_by_role("button", name="Next figure").click()
    page.locator("img.in-light.pegasos-shown").wait_for()
    box = page.locator("img.in-light").bounding_box()
    assert box["width"] == WIDE["width"] and box["height"] > 700
    assert page.get_by_role("status", name="").last.inner_text() == "2 / 3"
    page.get_by_role("button", name="Leave").click()
    page.wait_for_selector("html:not(.pegasos-lecturing)")


def test_a_picture_keeps_its_number_and_caption(opened):
    page = opened("caption").page
    caption = page.locator(".pegasos-caption")
    lecture(page)
    assert not caption.is_visible()  # a live figure has its own title
    page.keyboard.press("PageDown")
    words = caption.inner_text().split()
    assert words == ["Fig.", "5.1", "One", "grey", "pixel."]
    page.wait_for_function("""() => {
      const box = (name) => document.querySelector(name)
        .getBoundingClientRect();
      return box("img.in-light").bottom <= box(".pegasos-caption").top + 1
        && box(".pegasos-caption").bottom <= box(".pegasos-bar").top + 1;
    }""")
    page.keyboard.press("PageUp")
    assert not caption.is_visible()


def test_no_two_buttons_have_one_name(opened):
    page = opened("walk").page
    lecture(page)
    page.locator("[data-go=back]:visible").wait_for()
    texts = page.get_by_role("button").all_inner_texts()
    names = [text for text in texts if text]  # the points have none
    assert {"Previous figure", "Next figure", "Leave"} <= {*names}
    assert len(names) == len({*names})


# Where the walk of the figure shown is: four phases a step.
POSITION = """() => 4 * document.querySelector("[data-key=t]").value
  + document.querySelector("[data-key=phase]").selectedIndex"""


def test_a_figure_hears_its_letters(opened):
    """From wherever the focus is, but not from a menu of its own."""
    page = opened("walk").page
    lecture(page)
    place = page.evaluate(POSITION)
    page.get_by_role("button", name="Previous figure").focus()
    whole = place + 4 - (place + 1) % 4  # the end of a step
    for key, there in (
        ("n", place + 1),
        ("b", place),
        ("s", whole),
        ("r", place),
    ):
        page.keyboard.press(key)
        page.wait_for_function(
            f"(place) => ({POSITION})() === place", arg=there
        )
    play = page.locator("[data-go=play]")
    page.keyboard.press("p")
    assert play.inner_text() == "Pause"
    page.keyboard.press("p")
    assert play.inner_text() == "Play"
    page.locator("[data-key=rule]").focus()
    page.keyboard.press("p")
    assert play.inner_text() == "Play"


def test_the_bar_is_seen_after_a_full_screen(opened):
    page = opened().page
    live_page.wait_until_drawn(page)
    page.get_by_role("button", name="Full screen").last.click()
    page.wait_for_function("document.fullscreenElement")
    lecture(page)
    page.wait_for_function(
        "document.fullscreenElement === document.documentElement"
    )
    assert shown(page) == 2
    # What is on top there, and takes the click.
    page.get_by_role("button", name="Leave", exact=True).last.click()
    page.wait_for_selector("html:not(.pegasos-lecturing)")
    page.wait_for_function("!document.fullscreenElement")


def test_keys_try_and_play(opened):
    page = opened().page
    page.locator("[data-pegasos]").first.scroll_into_view_if_needed()
    lecture(page)
    steps = page.locator("input[data-key=T]").first
    page.keyboard.press("1")
    assert STEPS[int(steps.input_value())] == 1
    page.keyboard.press("9")  # there are not so many
    page.keyboard.press(" ")
    page.wait_for_function(
        "document.querySelector('input[data-key=T]').value > 2"
    )
    page.keyboard.press(" ")
    page.get_by_role("button", name="Play: Steps T").wait_for()
    steps.focus()
    stopped = steps.input_value()
    page.keyboard.press("PageDown")  # from a slider, too
    assert shown(page) == 1 and steps.input_value() == stopped
    page.keyboard.press("L")
    page.wait_for_selector("html:not(.pegasos-lecturing)")


def test_the_key_is_heard_from_a_slider(opened):
    page = opened().page
    live_page.wait_until_drawn(page)
    page.locator("input[type=range]").first.focus()
    lecture(page)
    page.keyboard.press("l")
    page.wait_for_selector("html:not(.pegasos-lecturing)")


def test_the_button_shows_its_own_figure(opened):
    page = opened().page
    live_page.wait_until_drawn(page)
    page.get_by_role("button", name="Lecture view").last.click()
    page.wait_for_selector(".pegasos-shown")
    assert shown(page) == 2
    assert page.evaluate("Boolean(document.fullscreenElement)")
    page.evaluate("document.exitFullscreen()")  # as the browser's Escape
    page.wait_for_selector("html:not(.pegasos-lecturing)")


def test_a_letter_in_a_field_is_a_letter(opened):
    page = opened().page
    field = page.get_by_role("textbox").first
    field.press("l")
    assert field.input_value() == "l"
    assert page.locator("script[src*=pegasos-lecture]").count() == 0


def test_without_figures_the_key_does_nothing(opened):
    visit = opened("none")
    visit.page.keyboard.press("l")
    visit.page.keyboard.press("PageDown")
    assert visit.page.locator("script[src*=pegasos-lecture]").count() == 0
    assert not any("pegasos-lecture" in url for url in visit.requests)
    assert visit.page.locator(".pegasos-lecturing").count() == 0


def test_every_figure_is_large_and_fits(opened):
    page = opened("all").page
    live_page.wait_until_drawn(page)
    lecture(page)
    for name in FIGURES:
        page.wait_for_function(
            f"() => document.querySelector('.pegasos-shown')"
            f'.dataset.pegasos.includes(\'"name":"{name}"\')'
        )
        live_page.wait_until_drawn(page)
        page.wait_for_function(f"({SMALL})({LEAST_TEXT}).length === 0")
        over = page.locator(".pegasos-shown").evaluate(
            "e => [e.scrollHeight - e.clientHeight,"
            " e.scrollWidth - e.clientWidth]"
        )
        assert max(over) <= 1, name
        page.keyboard.press("PageDown")


def test_text_is_as_large_as_before_when_one_returns(opened):
    page = opened().page
    live_page.wait_until_drawn(page)
    label = page.locator(".role-axis-label text").first

    def size():
        return label.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")

    before = size()
    page.locator("[data-pegasos]").first.scroll_into_view_if_needed()
    lecture(page)
    page.wait_for_function(
        "(before) => parseFloat(getComputedStyle(document.querySelector("
        "'.role-axis-label text')).fontSize) > 1.5 * before",
        arg=before,
    )
    page.keyboard.press("Escape")
    page.wait_for_function(
        "(before) => parseFloat(getComputedStyle(document.querySelector("
        "'.role-axis-label text')).fontSize) === before",
        arg=before,
    )


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(opened, theme):
    page = opened("all").page
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    live_page.wait_until_drawn(page)
    lecture(page)
    assert findings(page, ".pegasos-shown") == []


def test_in_the_book(visit):
    page = visit("book/margins").page
    lecture(page)
    assert page.evaluate(OTHERS) == []
    page.keyboard.press("Escape")
    page.wait_for_selector("html:not(.pegasos-lecturing)")
    visit("book/notation").page.keyboard.press("l")
