"""The first page: what one sees first, and where its parts come from."""

import io
import re

import numpy as np
import pytest
from PIL import Image

import tasks
from tests.browser import live_page
from tests.browser.conftest import PHONE, WIDE

DESK = {"width": 1280, "height": 900}


@pytest.fixture
def landing(visit):
    def go(viewport=DESK):
        opened = visit("book/index", viewport)
        live_page.wait_until_drawn(opened.page)
        return opened

    return go


def test_the_first_screen_holds_all_it_should(landing):
    page = landing().page
    for part in (
        page.locator("article h1"),
        page.get_by_role("link", name="Walk through a step"),
        page.get_by_role("link", name="Read from the start"),
        page.locator(".pegasos-plane").nth(0),
        page.locator(".pegasos-plane").nth(1),
        page.locator(".pegasos-terms"),
        page.get_by_role("button", name="Next phase"),
        page.locator(".landing-first pre"),
    ):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= DESK["height"]
        assert box["x"] + box["width"] <= DESK["width"]
    listing = page.locator(".landing-first pre").inner_text().splitlines()
    assert len(listing) == 10


def test_the_figure_runs_one_step_and_marks_the_lines(landing):
    page = landing().page
    page.wait_for_function(
        "document.querySelector('[data-pegasos]').dataset.phase === 'add'"
    )
    rows = page.locator(".landing-first pre").evaluate("""(pre) => {
      const row = (name) => parseFloat(pre.style.getPropertyValue(name));
      const top = parseFloat(getComputedStyle(pre).paddingTop);
      return (row("--pegasos-row") - top) / row("--pegasos-high");
    }""")
    assert round(rows) == 8  # the line that adds
    assert page.locator("[data-key=t]").input_value() == "3"


def test_no_chart_library_is_loaded(landing):
    names = [path.name for path in landing(PHONE).files()]
    assert any(name == "pegasos-live-one_step.js" for name in names)
    assert not any(name.startswith("vega") for name in names)


def test_every_chapter_has_its_row_and_every_figure_its_card(landing):
    page = landing().page
    rows = page.locator("table").first.locator("tbody tr")
    minutes = [
        int(row.locator("td").nth(2).inner_text()) for row in rows.all()
    ]
    assert len(minutes) == 25 and min(minutes) >= 20
    cards = page.locator(".live-card")
    scripts = {
        path.stem
        for path in (tasks.ROOT / "pegasos_edu" / "live").glob("*.js")
    }
    assert cards.count() == len(scripts - {"one_step"})
    assert page.locator(".counted").count() == 5


def test_a_card_leads_to_its_figure(landing, site):
    for card in landing().page.locator(".live-card").all():
        page, _, anchor = card.get_attribute("href").partition("#")
        text = (site / "book" / page).read_text("utf-8")
        number, _, _ = card.inner_text().strip().partition(" ")
        assert (
            f'class="pegasos-live" id="{anchor}" data-number="{number}"'
        ) in text


def test_the_first_figure_has_the_number_that_it_has_in_its_chapter(
    landing, visit
):
    anchor = "#live-one_step"
    number = landing().page.locator(anchor).get_attribute("data-number")
    chapter = visit("book/pegasos", WIDE).page.locator(anchor)
    assert chapter.get_attribute("data-number") == number == "5.1"


def test_the_map_numbers_the_chapters_as_their_titles_do(landing, site):
    rows = landing().page.locator("table").first.locator("tbody tr")
    for row in rows.all():
        cell = row.locator("td").first
        page = cell.locator("a").get_attribute("href")
        text = (site / "book" / page).read_text("utf-8")
        # The theme prints a title of its own, without a number.
        title = re.search(r'<h1><span class="section-number">(\d+)', text)
        place = re.match(r"(?:(\d+)\. )?", cell.inner_text())
        assert place[1] == (title and title[1])


def brightness(place):
    """The middle brightness of a part of the page, from 0 to 255."""
    png = Image.open(io.BytesIO(place.screenshot())).convert("L")
    return np.median(np.asarray(png))


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_the_cards_follow_the_theme(landing, theme):
    page = landing().page
    page.emulate_media(color_scheme=theme)
    page.locator(f"html[data-theme={theme}]").wait_for(state="attached")
    for card in page.locator(".live-card").all():
        (picture,) = card.locator("img:visible").all()
        assert (brightness(picture) < 60) == (theme == "dark")


def test_a_figure_that_waits_follows_the_theme(visit):
    """Its picture stands until it starts."""
    page = visit("book/steps", WIDE).page
    live_page.wait_until_drawn(page)
    page.evaluate("""() => document.querySelectorAll(".pegasos-on").forEach(
      (host) => host.classList.remove("pegasos-on"))""")
    for theme, is_dark in (("dark", True), ("light", False)):
        page.emulate_media(color_scheme=theme)
        page.locator(f"html[data-theme={theme}]").wait_for(state="attached")
        pictures = page.locator(".pegasos-pictures img:visible").all()
        assert len(pictures) == page.locator("img.live-dark").count()
        for picture in pictures:
            assert (brightness(picture) < 60) == is_dark
