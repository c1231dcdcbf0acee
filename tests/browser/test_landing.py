"""The first page: what one sees first, and where its parts come from."""

import pytest

import tasks
from tests.browser import live_page
from tests.browser.conftest import PHONE

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
    assert len(minutes) == 19 and min(minutes) >= 20
    cards = page.locator(".live-card img")
    scripts = {
        path.stem
        for path in (tasks.ROOT / "pegasos_edu" / "live").glob("*.js")
    }
    assert cards.count() == len(scripts - {"one_step"})
    assert page.locator(".counted").count() == 5
