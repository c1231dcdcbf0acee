"""The frame of the live figures: title, buttons, presets, room."""

import importlib.util
from dataclasses import replace

import pytest
from playwright.sync_api import expect

from pegasos_edu.live.pegasos import STEPS, explore
from tests.browser import live_page
from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import ROOT
from tests.live_figures import FIGURES

# As tall as a figure may be on a phone of 844 pixels.
TALLEST = 780
# Where the clipboard refuses, and where it takes a text.
REFUSES = "void (navigator.clipboard.writeText = () => Promise.reject())"
TAKES = """void (navigator.clipboard.writeText = async (text) => {
  window.text = text;
})"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A page for each figure, and one with the explorer twice."""
    folder = tmp_path_factory.mktemp("frame")
    live_page.write_scripts(folder)
    for name, make in FIGURES.items():
        live_page.write_page(folder, name, make())
    live_page.write_page(folder, "two", explore(), explore())
    return folder


@pytest.fixture
def opened(browser, folder):
    visits = []

    def go(name="pegasos", viewport=WIDE, fragment=""):
        visits.append(Visit(browser, viewport))
        visits[-1].open(folder / f"{name}.html", fragment)
        live_page.wait_until_drawn(visits[-1].page)
        return visits[-1].page

    yield go
    for each in visits:
        each.page.emulate_media(reduced_motion="no-preference")
        each.close()
    assert [error for each in visits for error in each.errors] == []


def button(page, name, index=0):
    return (
        page.locator("[data-pegasos]")
        .nth(index)
        .get_by_role("button", name=name)
    )


def state(page, index=0):
    """The positions of the controls of a figure."""
    return (
        page.locator("[data-pegasos]")
        .nth(index)
        .evaluate("""(host) =>
      Object.fromEntries([...host.querySelectorAll("[data-key]:is(input,"
        + "select)")].map((e) => [e.dataset.key,
          e.selectedIndex ?? Number(e.value)]))""")
    )


# Title


def test_the_title_has_a_number_where_the_page_gives_one(opened, folder):
    path = folder / "pegasos.html"
    title = opened().locator(".pegasos-title")
    assert title.inner_text() == f"Live figure {explore().title}"
    source = importlib.util.spec_from_file_location(
        "live_numbers", ROOT / "book" / "_ext" / "live_numbers.py"
    )
    numbers = importlib.util.module_from_spec(source)
    source.loader.exec_module(numbers)
    text = path.read_text("utf-8")
    (folder / "numbered.html").write_text(numbers.numbered(text, (5,)))
    title = opened("numbered").locator(".pegasos-title")
    assert title.inner_text() == f"Live figure 5.1 {explore().title}"
    assert numbers.numbered(text).count('data-number="1"') == 1


def test_figures_of_the_book_are_numbered(visit):
    page = visit("book/pegasos").page
    numbers = page.locator("[data-pegasos]").evaluate_all(
        "hosts => hosts.map((host) => host.dataset.number)"
    )
    assert numbers == ["5.1", "5.2"]


def test_a_page_names_at_its_top_the_figures_further_down(visit):
    page = visit("book/subgradients").page
    links = page.locator("article h1 + .pegasos-ahead a")
    assert links.all_inner_texts() == ["Live figure 2.1", "Live figure 2.2"]
    links.first.click()
    figure = page.locator("[data-number='2.1']")
    expect(figure).to_be_in_viewport()
    # The signature figure opens its page: nothing needs to be said.
    assert visit("book/pegasos").page.locator(".pegasos-ahead").count() == 0


# Buttons


def test_a_link_holds_the_whole_state(opened):
    page = opened("two")
    page.evaluate(TAKES)
    button(page, "Copy link", 1).click()
    page.wait_for_function("window.text")
    copied = page.evaluate("text")
    assert button(page, "Copied", 1).is_visible()
    assert page.get_by_role("status").nth(1).inner_text() == "Link copied."
    button(page, "Copy link", 1).wait_for()
    base, fragment = copied.split("#")
    assert base == page.url
    assert fragment == ("pegasos-2.lam=0.01&pegasos-2.T=1000&pegasos-2.seed=0")
    page.locator("input[data-key=T]").nth(1).fill("7")
    button(page, "Copy link", 1).click()
    page.wait_for_function("text.includes('T=8')")
    again = opened("two", fragment="#" + page.evaluate("text").split("#")[1])
    assert state(again, 1) == state(page, 1)
    assert STEPS[state(again, 1)["T"]] == 8


def test_where_the_clipboard_refuses_the_address_is_shown(opened):
    page = opened()
    page.evaluate(REFUSES)
    button(page, "Copy link").click()
    field = page.get_by_role("textbox", name="Address of this figure")
    field.wait_for()
    assert field.input_value().endswith("#lam=0.01&T=1000&seed=0")
    assert page.evaluate("getSelection().toString()") == field.input_value()
    page.keyboard.press("Tab")
    assert field.count() == 0


def test_full_screen(opened):
    page = opened()
    before = page.locator(".pegasos-panel").first.bounding_box()
    button(page, "Full screen").click()
    page.wait_for_selector(".pegasos-large")
    live_page.wait_until_drawn(page)
    box = page.locator("[data-pegasos]").bounding_box()
    assert box["width"] == WIDE["width"]
    panel = page.locator(".pegasos-panel").first.bounding_box()
    assert panel["width"] > before["width"]
    page.keyboard.press("2")
    assert STEPS[state(page)["T"]] == explore().presets[1].state["T"]
    button(page, "Leave").click()
    page.wait_for_selector("[data-pegasos]:not(.pegasos-large)")
    after = page.locator(".pegasos-panel").first.bounding_box()
    assert after["width"] == before["width"]


def test_where_the_screen_is_never_full_there_is_no_button(browser, folder):
    visit = Visit(browser, WIDE)
    visit.page.goto((folder / "pegasos.html").as_uri())
    live_page.wait_until_drawn(visit.page)
    assert button(visit.page, "Full screen").count() == 1
    text = (folder / "pegasos.html").read_text("utf-8")
    script = (
        "<script>Object.defineProperty(document, 'fullscreenEnabled',"
        "{value: false})</script>"
    )
    path = folder / "never.html"
    path.write_text(text.replace("<title>", f"{script}<title>"), "utf-8")
    visit.page.goto(path.as_uri())
    live_page.wait_until_drawn(visit.page)
    assert button(visit.page, "Full screen").count() == 0
    visit.close()


def test_one_tab_stop_for_all_buttons(opened):
    page = opened()
    button(page, "Play: Steps T").focus()
    names = []
    for _ in range(4):
        names.append(page.evaluate("document.activeElement.textContent"))
        page.keyboard.press("ArrowRight")
    assert names == ["Play", "Reset", "Copy link", "Full screen"]
    assert page.evaluate("document.activeElement.textContent") == "Play"
    stops = page.locator(
        ":is(.pegasos-buttons, .pegasos-tries) button[tabindex='0']"
    )
    assert stops.count() == 2


# Play


def plays(figure):
    return [
        control for control in figure.config()["controls"] if control["plays"]
    ]


def test_who_plays():
    keys = {
        name: [control["key"] for control in plays(make())]
        for name, make in FIGURES.items()
    }
    steps = {"pegasos", "choosing", "paths", "regret", "stochastic", "scale"}
    steps |= {"kernels", "uphill"}
    assert {name for name in keys if keys[name] == ["T"]} == steps
    assert keys["two_losses"] == ["place"] and keys["subgradients"] == ["w"]
    assert keys["threshold"] == ["threshold"]
    assert keys["slackness"] == ["across"] and keys["machines"] == ["m"]
    assert keys["one_step"] == []
    control = explore().controls[1]
    assert replace(control, plays=False).plays is False


def test_play_runs_to_the_end_and_stops(opened):
    page = opened()
    slider = page.locator("input[data-key=T]")
    slider.fill(str(len(STEPS) - 4))
    button(page, "Play").click()
    assert button(page, "Pause").is_visible()
    button(page, "Play").wait_for()
    assert state(page)["T"] == len(STEPS) - 1
    page.clock.install()
    button(page, "Play").click()
    button(page, "Pause").wait_for()
    assert state(page)["T"] < len(STEPS) / 2  # again from the start
    page.wait_for_function(
        "document.querySelector('input[data-key=T]').value > 3"
    )
    button(page, "Pause").click()
    stopped = state(page)
    page.clock.run_for(3000)
    assert state(page) == stopped


@pytest.mark.parametrize("act", ["key", "hash", "away"])
def test_play_gives_way(opened, act):
    page = opened()
    page.clock.install()
    page.locator("input[data-key=T]").fill("0")
    button(page, "Play").click()
    button(page, "Pause").wait_for()
    if act == "key":
        page.locator("input[data-key=seed]").press("ArrowRight")
    elif act == "hash":
        page.evaluate("location.hash = '#seed=4'")
    else:
        page.evaluate("""() => {
          document.body.style.paddingTop = "300vh";
          scrollTo(0, 0);
        }""")
    button(page, "Play").wait_for()
    stopped = state(page)
    page.clock.run_for(3000)
    assert state(page) == stopped


def test_without_motion_play_goes_one_position(opened):
    page = opened()
    page.emulate_media(reduced_motion="reduce")
    slider = page.locator("input[data-key=T]")
    last = len(STEPS) - 1
    slider.fill(str(last - 1))
    for position in (last, 0, 1):
        button(page, "Step: Steps T").click()
        live_page.wait_until_drawn(page)
        assert state(page)["T"] == position


# Presets


@pytest.mark.parametrize("name", FIGURES)
def test_presets_move_the_controls(opened, name):
    page, figure = opened(name), FIGURES[name]()
    for preset in figure.presets:
        page.get_by_role("button", name=preset.label, exact=True).click()
        live_page.wait_until_drawn(page)
        shown = state(page)
        for control in figure.controls:
            if control.key in preset.state:
                value = control.values[shown[control.key]]
                assert value == preset.state[control.key]


def test_a_preset_takes_back_what_was_dragged(opened):
    page = opened("margins", fragment="#set=1&moved=0_1_1")
    figure = FIGURES["margins"]()
    button(page, figure.presets[0].label).click()
    live_page.wait_until_settled(page)
    assert "moved" not in page.url
    width = page.locator("dd[data-key=width]").get_attribute("data-value")
    expected = figure.draw(**figure.presets[0].state).readouts["width"]
    assert float(width) == pytest.approx(expected, rel=1e-6)


# The start


@pytest.fixture
def far(browser, folder):
    """Two figures far below the top, without asking them to start."""
    path = folder / "far.html"
    text = live_page.PAGE.format(
        figures='<p style="height: 500vh"></p>'
        + explore().page()
        + '<p style="height: 500vh"></p>'
        + explore().page()
    )
    path.write_text(text, "utf-8")
    visits = []

    def go(fragment=""):
        visits.append(Visit(browser, WIDE))
        visits[-1].page.goto(path.as_uri() + fragment)
        return visits[-1]

    yield go
    for each in visits:
        each.close()


SHOWS = "k => document.querySelectorAll('[data-pegasos]')[k].dataset.state"


def names_of(visit):
    return {path.name for path in visit.files()}


def test_a_figure_starts_when_it_is_near(far):
    visit = far()
    page = visit.page
    page.evaluate(live_page.SEEN_WHAT_IS_NEAR)
    assert page.locator(".pegasos-on").count() == 0
    assert "vega.js" not in names_of(visit)
    assert page.locator(".pegasos-pictures").first.is_visible()
    page.evaluate("scrollTo(0, 3.5 * innerHeight)")
    page.wait_for_function(f"({SHOWS})(0) === 'settled'")
    assert page.evaluate(SHOWS, 1) is None
    assert "vega.js" in names_of(visit)
    page.locator("input[data-key=T]").first.fill("0")
    page.locator(".pegasos-pictures").nth(1).scroll_into_view_if_needed()
    page.wait_for_function(f"({SHOWS})(1) === 'settled'")
    assert visit.errors == []


def test_a_figure_starts_when_the_address_speaks_of_it(far):
    page = far("#pegasos-2.T=10").page
    page.wait_for_function(f"({SHOWS})(1) === 'settled'")
    assert page.evaluate(SHOWS, 0) is None
    assert STEPS[state(page, 0 + 1)["T"]] == 10
    page.evaluate("location.hash = '#T=100&pegasos-2.T=10'")
    page.wait_for_function(f"({SHOWS})(0) === 'settled'")
    assert STEPS[state(page)["T"]] == 100


def test_an_address_that_changes_while_charts_are_on_their_way(far):
    page = far().page
    page.evaluate("PegasosLive.startAll(), void (location.hash = '#T=10')")
    page.wait_for_function(f"({SHOWS})(0) === 'settled'")
    assert STEPS[state(page)["T"]] == 10


def test_the_state_of_a_figure_that_waits_is_kept(far):
    """A change of the first figure leaves the second's part alone."""
    page = far().page
    page.evaluate("scrollTo(0, 3.5 * innerHeight)")
    page.wait_for_function(f"({SHOWS})(0) === 'settled'")
    page.evaluate("history.replaceState(null, '', '#pegasos-2.seed=3')")
    page.locator("input[data-key=seed]").first.fill("5")
    page.wait_for_function("location.hash.includes('seed=5')")
    assert page.evaluate(SHOWS, 1) is None
    assert "pegasos-2.seed=3" in page.url
    live_page.wait_until_drawn(page)
    assert state(page, 1)["seed"] == 3


# Room

# The boxes of all that stands in a figure. What is drawn in a panel moves,
# and a number inside the box of its term.
BOXES = """() => Object.fromEntries([...document.querySelectorAll(
    "[data-pegasos], [data-pegasos] *")]
  .filter((e) => !e.closest("svg, .pegasos-chart, .pegasos-handle, "
    + ".pegasos-terms > div > *, .pegasos-summary"))
  .filter((e) => e.getClientRects().length)
  .map((e, k) => {
    const { x, y, width, height } = e.getBoundingClientRect();
    const name = `${k} ${e.tagName} ${e.className} ${e.dataset.key || ""}`;
    return [name, [x, y, width, height].map(Math.round)];
  }))"""


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", FIGURES)
def test_nothing_jumps(opened, name, viewport):
    page = opened(name, viewport)
    sliders = page.locator("[data-pegasos] input[type=range]").all()
    for slider in sliders:
        start = slider.input_value()
        before = page.evaluate(BOXES)
        assert len(before) > 20
        last = int(slider.get_attribute("max"))
        for position in (0, last // 2, last, int(start)):
            slider.fill(str(position))
            live_page.wait_until_drawn(page)
            assert page.evaluate(BOXES) == before


@pytest.mark.parametrize("name", FIGURES)
def test_a_phone_shows_all_of_a_figure(opened, name):
    page = opened(name, PHONE)
    page.add_style_tag(content="body { line-height: 1.65; padding: 0 1rem }")
    host = page.locator("[data-pegasos]")
    assert host.bounding_box()["height"] <= TALLEST
    for control in host.locator("input[type=range]:visible").all():
        box = control.bounding_box()
        on_top = control.evaluate(
            "(e, [x, y]) => document.elementFromPoint(x, y) === e",
            [box["x"] + 40, box["y"] + box["height"] - 4],
        )
        assert on_top and box["height"] >= 40


# What stands out of a figure at its right, and names of controls that take
# more than a line.
OUT = """() => {
  const host = document.querySelector("[data-pegasos]");
  const { right } = host.getBoundingClientRect();
  return [...host.querySelectorAll(".pegasos-body *")]
    .filter((e) => e.getClientRects().length && !e.closest("svg, details"
      + ", .pegasos-summary, .pegasos-chart, .pegasos-spoken"))
    .filter((e) => e.getBoundingClientRect().right > right + 0.5)
    .map((e) => e.outerHTML.slice(0, 120));
}"""
WRAPPED = """() => [...document.querySelectorAll(".pegasos-control > label")]
  .filter((e) => e.getClientRects().length)
  .filter((e) => {
    const text = document.createRange();
    text.selectNodeContents(e);
    return new Set([...text.getClientRects()].map((r) => r.top)).size !== 1;
  }).map((e) => e.textContent)"""


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", FIGURES)
def test_all_of_a_figure_has_room(opened, name, viewport):
    page = opened(name, viewport)
    page.add_style_tag(content=live_page.LIKE_THE_BOOK)
    live_page.wait_until_it_fits(page)
    widths = page.locator("[data-pegasos]").evaluate(
        "(host) => [host.scrollWidth, host.clientWidth]"
    )
    assert widths[0] <= widths[1]
    assert page.evaluate(OUT) == []
    assert page.evaluate(WRAPPED) == []
    assert min(page.evaluate(live_page.ROOM_IN_MENUS), default=0) >= 0


@pytest.mark.parametrize("name", FIGURES)
def test_the_rows_of_controls_are_full(opened, name):
    page = opened(name)
    page.add_style_tag(content=live_page.LIKE_THE_BOOK)
    bar = page.locator(".pegasos-controls")
    if not bar.count():
        return  # a figure that walks has its own
    right = bar.evaluate("(e) => e.getBoundingClientRect().right")
    boxes = [one.bounding_box() for one in bar.locator("> *").all()]
    ends = {}
    for box in boxes:
        row = round((box["y"] + box["height"]) / 10)
        ends[row] = max(ends.get(row, 0), box["x"] + box["width"])
    assert list(ends.values()) == pytest.approx([right] * len(ends), abs=1)
    assert max(box["width"] for box in boxes) < 0.7 * right


def test_figures_of_the_book_fit_a_phone(visit):
    for name in ("pegasos", "choosing_lambda", "first_order"):
        page = visit(f"book/{name}", PHONE).page
        live_page.wait_until_drawn(page)
        for host in page.locator("[data-pegasos]").all():
            assert host.bounding_box()["height"] <= TALLEST


def test_a_finger_that_moves_down_scrolls(opened):
    """A touch that moves sideways is the slider's own."""
    page = opened("pegasos", PHONE)
    touch = page.locator("input[data-key=T]").evaluate(
        "e => getComputedStyle(e).touchAction"
    )
    assert touch == "pan-y"


def test_a_finger_moves_a_slider_by_its_thumb_only(opened):
    page = opened("pegasos", PHONE)
    slider = page.locator("input[data-key=T]")
    slider.fill("0")
    live_page.wait_until_drawn(page)
    box = slider.bounding_box()
    left, width = box["x"], box["width"]
    y = box["y"] + box["height"] / 2
    page.touchscreen.tap(left + 0.7 * width, y)
    page.evaluate(live_page.NEXT_FRAME)
    assert state(page)["T"] == 0
    start = left + 0.5 * width
    live_page.touch(page, [(start + 9 * k, y) for k in range(6)])
    assert state(page)["T"] == 0
    live_page.touch(page, [(left + 9 + 9 * k, y) for k in range(10)])
    moved = state(page)["T"]
    assert moved > 5
    live_page.wait_until_drawn(page)
    # A mouse and the keys go on as ever.
    page.mouse.click(left + 0.9 * width, y)
    assert state(page)["T"] > moved
    slider.press("Home")
    assert state(page)["T"] == 0


def test_a_finger_on_a_track_scrolls_the_page(opened):
    page = opened("pegasos", PHONE)
    page.add_style_tag(content="body { padding-bottom: 100vh }")
    slider = page.locator("input[data-key=T]")
    before = state(page)["T"]
    box = slider.bounding_box()
    x, y = box["x"] + 10, box["y"] + box["height"] / 2
    live_page.touch(page, [(x, y - 12 * k) for k in range(12)])
    assert page.evaluate("scrollY") > 40
    assert state(page)["T"] == before


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(opened, viewport, theme):
    page = opened("pegasos", viewport)
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    assert findings(page, ".pegasos-live") == []
