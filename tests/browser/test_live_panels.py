"""What stands inside the panels of the live figures."""

import itertools

import numpy as np
import pytest

from pegasos_edu import explore
from pegasos_edu.live.toolkit.numbers import text
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import (
    LIKE_THE_BOOK,
    RUN,
    wait_until_drawn,
    wait_until_it_fits,
    write_page,
    write_scripts,
)
from tests.live_figures import FIGURES

# Figures whose curves are named where they end.
NAMED = ("pegasos", "regret", "stochastic", "paths", "choosing")
CHARTS = [name for name in FIGURES if name != "one_step"]

# The names at the ends of curves, and what cuts them off, as boxes.
NAMES = """() => [...document.querySelectorAll(".pegasos-panel")].map(
  (panel) => {
    const box = (e) => {
      const { left, top, right, bottom } = e.getBoundingClientRect();
      return [left, top, right, bottom];
    };
    const names = [...panel.querySelectorAll(".mark-text.role-mark text")]
      .filter((e) => e.getAttribute("font-weight") === "600"
        && !e.getAttribute("stroke"));
    const frame = panel.querySelector(".role-frame .background");
    return { frame: box(frame), names: names.map(box) };
  })"""

# Where the axes and their labels stand.
AXES = """() => [...document.querySelectorAll(
  ".pegasos-panel .role-axis")].map((axis) => [axis.textContent,
    ...[...axis.querySelectorAll("text")].map((e) => {
      const { left, top } = e.getBoundingClientRect();
      return Math.round(left) + " " + Math.round(top + scrollY);
    })].join("|")).filter((text) => !text.includes("axis follows"))"""

# By how much a legend or a label stands out of its picture.
CUT = """() => [...document.querySelectorAll(".pegasos-panel svg")].flatMap(
  (svg) => {
    // A plane is narrower than its panel; its key may be as wide as that.
    const isOpen = getComputedStyle(svg).overflow === "visible";
    const box = isOpen ? svg.closest(".pegasos-panel") : svg;
    const outer = box.getBoundingClientRect();
    return [...svg.querySelectorAll(".role-legend text, .role-axis text")]
      .map((e) => e.getBoundingClientRect()).filter((box) => box.width)
      .map((box) => Math.max(outer.left - box.left, box.right - outer.right));
  })"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("panels")
    write_scripts(folder)
    for name in CHARTS:
        write_page(folder, name, FIGURES[name]())
    return folder


@pytest.fixture
def open_page(browser, folder):
    """Open a figure's page; at the end no script may have complained."""
    visits = []

    def go(name, viewport=WIDE):
        visit = Visit(browser, viewport)
        visits.append(visit)
        visit.open(folder / f"{name}.html")
        wait_until_drawn(visit.page)
        return visit.page

    yield go
    for visit in visits:
        visit.close()
        assert visit.errors == []


def states(name, count=6):
    """Both ends of all controls and of every one, and others at random."""
    lengths = {c.key: len(c.values) for c in FIGURES[name]().controls}
    rng = np.random.default_rng(0)
    yield dict.fromkeys(lengths, 0)
    yield {key: length - 1 for key, length in lengths.items()}
    for key, length in lengths.items():
        yield {key: 0}
        yield {key: length - 1}
    for _ in range(count):
        yield {key: int(rng.integers(n)) for key, n in lengths.items()}


def overlap(one, other):
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, width) * max(0, height)


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", NAMED)
def test_names_stand_apart_and_are_not_cut(open_page, name, viewport):
    page = open_page(name, viewport)
    for state in states(name):
        page.evaluate(RUN, [state])
        panels = page.evaluate(NAMES)
        assert any(len(panel["names"]) >= 2 for panel in panels)
        for panel in panels:
            left, top, right, bottom = panel["frame"]
            for box in panel["names"]:
                assert left <= box[0] and box[2] <= right, state
                assert top <= box[1] and box[3] <= bottom, state
            for pair in itertools.combinations(panel["names"], 2):
                # Letters are less high than their boxes.
                assert overlap(*pair) <= 0.2 * overlap(pair[0], pair[0])


# For each named curve how far its name stands above or below its dot.
DRIFT = """() => [...document.querySelectorAll(".pegasos-panel")].flatMap(
  (panel) => {
    const middle = (e) => {
      const { top, bottom } = e.getBoundingClientRect();
      return (top + bottom) / 2;
    };
    const dots = [...panel.querySelectorAll(".mark-symbol.role-mark path")];
    return [...panel.querySelectorAll(".mark-text.role-mark text")]
      .filter((e) => e.getAttribute("font-weight") === "600"
        && !e.getAttribute("stroke"))
      .flatMap((e) => dots
        .filter((dot) => dot.getAttribute("fill") === e.getAttribute("fill"))
        .slice(-1).map((dot) => Math.abs(middle(dot) - middle(e))));
  })"""


@pytest.mark.parametrize("name", ["pegasos", "regret", "paths"])
def test_names_stay_with_their_ends_on_a_large_screen(open_page, name):
    page = open_page(name)
    page.evaluate("""() => {
      const host = document.querySelector("[data-pegasos]");
      host.classList.add("pegasos-large");
      host.style.cssText = "position: fixed; inset: 0; width: 2000px;"
        + "height: 1600px";
    }""")
    wait_until_it_fits(page)
    for state in states(name, 3):
        page.evaluate(RUN, [state])
        found = page.evaluate(DRIFT)
        assert found and max(found) <= 32, state


def test_a_rising_curve_has_its_name_above(open_page):
    """The sharper bound would run through a name below it."""
    page = open_page("regret")
    below = {"bound": 0, "sharper bound": 0, "regret": 1}
    for name, is_below in below.items():
        text = page.locator(
            ".pegasos-panel >> nth=0 >> "
            f".mark-text.role-mark text:not([stroke]):text-is('{name}')"
        )
        dot = page.locator(
            ".pegasos-panel >> nth=0 >> .mark-symbol.role-mark "
            f"path[fill='{text.get_attribute('fill')}']"
        ).last
        a, b = text.bounding_box(), dot.bounding_box()
        assert (a["y"] > b["y"]) == bool(is_below)


def test_a_curve_that_leaves_its_panel_says_where_to(open_page):
    page = open_page("regret")
    page.evaluate(RUN, [{"lam": 0, "opponent": 3, "T": 20}])
    texts = page.locator(".mark-text.role-mark text").all_text_contents()
    assert "regret" in texts and "regret ↓" not in texts
    last = len(FIGURES["regret"]().controls[1].values) - 1
    page.evaluate(RUN, [{"lam": 12, "opponent": 3, "T": last}])
    texts = page.locator(".mark-text.role-mark text").all_text_contents()
    assert "regret ↓" in texts and "sharper bound" in texts
    page = open_page("stochastic")
    texts = page.locator(".mark-text.role-mark text").all_text_contents()
    assert "all examples" in texts and "↓" in texts


@pytest.mark.parametrize("name", CHARTS)
def test_axes_stand_still(open_page, name):
    page = open_page(name)
    before = page.evaluate(AXES)
    assert before
    sliders = {c.key for c in FIGURES[name]().controls if not c.names}
    for state in states(name):
        if state.keys() <= sliders:
            page.evaluate(RUN, [state])
            assert page.evaluate(AXES) == before, state


# No picture is wider than its panel: they have followed the page's width.
FIT = """() => [...document.querySelectorAll(".pegasos-panel svg")].every(
  (svg) => svg.clientWidth <= svg.closest(".pegasos-panel").clientWidth)"""


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name", CHARTS)
def test_nothing_is_cut(open_page, name, viewport):
    page = open_page(name, viewport)
    page.add_style_tag(content=LIKE_THE_BOOK)
    page.wait_for_function(FIT)
    assert max(page.evaluate(CUT)) <= 0.5


PLANES = [
    (name, place)
    for name in CHARTS
    for place, panel in enumerate(FIGURES[name]().panels())
    if panel.equal
]
# The pixels between two labels of an axis, for a unit.
UNITS = """([place]) => {
  const panel = document.querySelectorAll(".pegasos-panel")[place];
  const axes = [...panel.querySelectorAll(".role-axis")]
    .filter((axis) => axis.querySelector(".role-axis-label text"));
  return axes.map((axis) => {
    const ticks = [...axis.querySelectorAll(".role-axis-label text")]
      .filter((e) => getComputedStyle(e).opacity > 0);
    const [first, last] = [ticks[0], ticks.at(-1)];
    const value = (e) => Number(e.textContent.replace("−", "-"));
    const place = (e) => {
      const { e: x, f: y } = e.getScreenCTM();
      return [x, y];
    };
    const [a, b] = [place(first), place(last)];
    return Math.hypot(a[0] - b[0], a[1] - b[1])
      / Math.abs(value(first) - value(last));
  });
}"""


@pytest.mark.parametrize("large", [False, True], ids=["page", "screen"])
@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("name, place", PLANES)
def test_units_of_a_plane_are_equal(open_page, name, place, viewport, large):
    page = open_page(name, viewport)
    if large:
        page.evaluate("""() => {
          const host = document.querySelector("[data-pegasos]");
          host.classList.add("pegasos-large");
          host.style.height = "100vh";
        }""")
    wait_until_it_fits(page)
    along, up = page.evaluate(UNITS, [place])
    # Labels are put on whole pixels.
    assert along == pytest.approx(up, rel=0.03)
    assert along > 15
    panel = page.locator(".pegasos-panel").nth(place)
    inner, outer = panel.locator("svg").bounding_box(), panel.bounding_box()
    assert inner["width"] <= outer["width"] + 1
    assert inner["height"] <= outer["height"] + 1


# What is free left of the names of the axes, and right of the plane.
FREE = """() => {
  const panel = document.querySelector(".pegasos-panel");
  const box = (e) => e.getBoundingClientRect();
  const names = [...panel.querySelectorAll(".role-axis text")]
    .map((e) => box(e).left);
  return [Math.min(...names) - box(panel).left,
    box(panel).right - box(panel.querySelector(".background")).right];
}"""


@pytest.mark.parametrize("name", ["paths", "stochastic", "uphill"])
def test_a_plane_stands_in_the_middle_of_a_phone(open_page, name):
    page = open_page(name, PHONE)
    wait_until_it_fits(page)
    left, right = page.evaluate(FREE)
    assert left > 20 and left == pytest.approx(right, abs=12)


def test_planes_are_known():
    assert {name for name, _ in PLANES} == {
        "choosing",
        "kernels",
        "machines",
        "margins",
        "paths",
        "pegasos",
        "slackness",
        "stochastic",
        "two_losses",
        "uphill",
    }


@pytest.mark.parametrize("name", ["pegasos", "regret", "paths"])
def test_one_step_is_seen(open_page, name):
    page = open_page(name)
    page.evaluate(RUN, [{"T": 0}])
    panel = page.locator(".pegasos-panel").last
    dots = panel.locator(".mark-symbol.role-mark path:visible")
    assert dots.count() >= 2


READ = [
    (name, place)
    for name in CHARTS
    for place, panel in enumerate(FIGURES[name]().panels())
    if panel.reading
]


def middle(page, place, share=0.6):
    box = page.locator(".pegasos-panel").nth(place).bounding_box()
    return box["x"] + share * box["width"], box["y"] + box["height"] / 2


@pytest.mark.parametrize("name, place", READ)
def test_a_pointer_reads_every_curve_panel(open_page, name, place):
    page = open_page(name)
    panel = page.locator(".pegasos-panel").nth(place)
    panel.scroll_into_view_if_needed()
    box = panel.locator(".pegasos-reading")
    before = panel.bounding_box()
    assert not box.is_visible()
    page.mouse.move(*middle(page, place))
    assert " = " in box.inner_text()
    inner, outer = box.bounding_box(), panel.bounding_box()
    assert outer == before
    assert outer["x"] <= inner["x"]
    assert inner["x"] + inner["width"] <= outer["x"] + outer["width"]
    page.mouse.move(1, 1)
    assert not box.is_visible()


def test_what_is_read_is_what_python_draws(open_page):
    page = open_page("pegasos")
    end = page.locator(".pegasos-panel").last.locator(
        ".mark-symbol.role-mark path"
    )
    box = end.last.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 60)
    lines = page.locator(".pegasos-reading").inner_text().splitlines()
    rows = {
        row["iterate"]: row["f"]
        for row in explore().draw(lam=0.01, T=1000, seed=0).rows["curve"]
        if row["t"] == 1000
    }
    assert lines == ["t = 1,000"] + [
        f"{k}: {text(f)}" for k, f in rows.items()
    ]


def test_a_tap_reads_and_a_tap_elsewhere_ends_it(open_page):
    page = open_page("pegasos", PHONE)
    page.locator(".pegasos-panel").last.scroll_into_view_if_needed()
    page.touchscreen.tap(*middle(page, 1, 0.4))
    box = page.locator(".pegasos-reading")
    assert box.inner_text().startswith("t = ")
    page.touchscreen.tap(*middle(page, 1, 0.05))
    assert not box.is_visible()
