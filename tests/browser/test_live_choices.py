"""The live figures of losses, steps, λ, slack and scores in a real browser."""

import re

import numpy as np
import pytest

from pegasos_edu.live.choosing import Choosing
from pegasos_edu.live.machines import ManyMachines
from pegasos_edu.live.schedules import Schedules
from pegasos_edu.live.slackness import Slackness
from pegasos_edu.live.threshold import Threshold
from pegasos_edu.live.toolkit.shades import SHADES
from pegasos_edu.live.two_losses import TwoLosses
from pegasos_edu.live.uphill import Uphill
from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import (
    RUN,
    wait_until_drawn,
    wait_until_settled,
    write_page,
    write_scripts,
)

FIGURES = {
    "schedules": Schedules(),
    "two_losses": TwoLosses(),
    "choosing": Choosing(),
    "threshold": Threshold(),
    "slackness": Slackness(),
    "uphill": Uphill(),
    "machines": ManyMachines(),
}

# Readouts that are differences of values of f.
GAPS = {"last", "average", "half", "gap", "single", "rise", "nearer"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("choices")
    write_scripts(folder)
    for name, figure in FIGURES.items():
        write_page(folder, name, figure)
    return folder


@pytest.fixture
def open_page(browser, folder):
    """Open a figure's page; at the end no script may have complained."""
    visits = []

    def go(name, fragment="", viewport=WIDE):
        new = Visit(browser, viewport)
        visits.append(new)
        new.open(folder / f"{name}.html", fragment)
        new.page.locator("dd[data-value]").first.wait_for()
        return new.page

    yield go
    for each in visits:
        each.close()
    assert [error for each in visits for error in each.errors] == []
    assert all(
        url.startswith(("file:", "data:", "blob:"))
        for each in visits
        for url in each.requests
    )


def states(figure, count):
    """The two ends of all controls, and positions drawn at random."""
    lengths = {c.key: len(c.values) for c in figure.controls}
    rng = np.random.default_rng(0)
    yield dict.fromkeys(lengths, 0)
    yield {key: length - 1 for key, length in lengths.items()}
    for _ in range(count):
        yield {key: int(rng.integers(n)) for key, n in lengths.items()}


def values_at(figure, positions):
    return {c.key: c.values[positions[c.key]] for c in figure.controls}


@pytest.mark.parametrize(
    "name, count",
    [
        ("schedules", 20),
        ("two_losses", 60),
        ("choosing", 60),
        ("threshold", 60),
        ("slackness", 60),
        ("uphill", 60),
        ("machines", 60),
    ],
)
def test_numbers_agree_with_python(open_page, name, count):
    figure, page = FIGURES[name], open_page(name)
    chosen = list(states(figure, count))
    found = page.evaluate(RUN, chosen)
    for at, numbers in zip(chosen, found):
        expected = figure.draw(**values_at(figure, at)).readouts
        for key, value in expected.items():
            # A gap is a small difference: it has the digits of f, near 1.
            loose = 1e-12 * max(1.0, abs(value)) if key in GAPS else 1e-12
            if key == "slope":
                loose = 1e-7  # of logarithms of gaps
            if name == "slackness":
                loose = 1e-6  # two ways to one optimum
            assert numbers[key] == pytest.approx(
                value, rel=1e-12, abs=loose
            ), (at, key)


@pytest.mark.parametrize("name", FIGURES)
def test_starts_as_python_does(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    expected = figure.draw(**figure.start)
    for readout in figure.readouts:
        dd = page.locator(f"dd[data-key={readout.key}]")
        assert float(dd.get_attribute("data-value")) == pytest.approx(
            expected.readouts[readout.key], rel=1e-7, abs=1e-12
        )


@pytest.mark.parametrize("name", FIGURES)
def test_keyboard_moves_every_control(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    for control in figure.controls:
        input_ = page.locator(f"[data-key={control.key}]").first
        before = page.locator("[data-pegasos]").inner_html()
        at_end = figure.start[control.key] == control.values[-1]
        input_.focus()
        if control.names:
            page.keyboard.press("ArrowDown")
        else:
            page.keyboard.press("ArrowLeft" if at_end else "ArrowRight")
        wait_until_drawn(page)
        assert page.locator("[data-pegasos]").inner_html() != before
        name_ = input_.evaluate("e => e.labels[0].textContent")
        assert name_ == control.label


@pytest.mark.parametrize("name", FIGURES)
def test_url_carries_the_state(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    last = {c.key: len(c.values) - 1 for c in figure.controls}
    (numbers,) = page.evaluate(RUN, [last])
    wait_until_settled(page)
    again = open_page(name, page.evaluate("location.hash"))
    for key, value in numbers.items():
        dd = again.locator(f"dd[data-key={key}]")
        assert float(dd.get_attribute("data-value")) == value


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_reaches_nan(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    for positions in states(figure, 6):
        page.evaluate(RUN, [positions])
        body = page.locator(".pegasos-body")
        assert not re.search("NaN|Infinity|undefined|–", body.inner_text())
        assert not re.search("NaN|Infinity", body.inner_html())


@pytest.mark.parametrize("name", FIGURES)
def test_fits_a_phone(open_page, name):
    page = open_page(name, viewport=PHONE)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= PHONE["width"]
    upper, lower = (
        panel.bounding_box() for panel in page.locator(".pegasos-panel").all()
    )
    assert lower["y"] >= upper["y"] + upper["height"]


@pytest.mark.parametrize("name", FIGURES)
def test_colours_follow_the_theme_and_pass_axe(open_page, name):
    page = open_page(name)
    part = page.locator("svg .role-axis-label text").first
    for theme, shade in zip(("light", "dark"), SHADES["text"]):
        page.evaluate(
            "theme => { document.documentElement.dataset.theme = theme; }",
            theme,
        )
        red, green, blue = bytes.fromhex(shade[1:])
        fill = part.evaluate("e => getComputedStyle(e).fill")
        assert fill == f"rgb({red}, {green}, {blue})"
        assert findings(page, "[data-pegasos]") == []


@pytest.mark.parametrize("name", FIGURES)
def test_summary_follows(open_page, name):
    page, figure = open_page(name), FIGURES[name]
    page.evaluate(RUN, [{c.key: 0 for c in figure.controls}])
    wait_until_settled(page)
    spoken = page.locator("[aria-live=polite]").inner_text()
    first = figure.draw(
        **values_at(figure, dict.fromkeys(figure.start, 0))
    ).summary
    assert spoken == first


def drag(page, right, down):
    """Drag the handle so far; it ends under the pointer."""
    knob = page.locator(".pegasos-handle")

    def middle():
        box = knob.bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    x, y = middle()
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down, steps=4)
    page.mouse.up()
    wait_until_drawn(page)
    there = middle()
    assert abs(there[0] - (x + right)) < 8
    assert abs(there[1] - (y + down)) < 8


def test_the_moved_example_can_be_dragged(open_page):
    page = open_page("two_losses")
    drag(page, -80, 0)
    place = page.locator('input[data-key="place"]')
    shown = place.get_attribute("aria-valuetext").replace("−", "-")
    assert -2.9 <= float(shown) < 1.5


def test_the_moved_point_can_be_dragged_in_the_plane(open_page):
    page = open_page("slackness")
    drag(page, 90, -60)
    paid = page.locator("dd[data-key=paid]").get_attribute("data-value")
    assert float(paid) == 0


def test_the_threshold_can_be_dragged(open_page):
    page = open_page("threshold")
    drag(page, 120, 0)
    rate = page.locator("dd[data-key=false_positive]")
    assert float(rate.get_attribute("data-value")) < 1


def test_the_point_of_the_threshold_runs_along_the_curve(open_page):
    page = open_page("threshold")
    panel = page.locator(".pegasos-panel").last
    places = []
    for position in (0, 47, 75):
        page.evaluate(RUN, [{"threshold": position}])
        box = panel.locator(".mark-symbol.role-mark path").bounding_box()
        outer = panel.bounding_box()
        assert outer["y"] <= box["y"] <= outer["y"] + outer["height"]
        places.append((box["x"], -box["y"]))
    assert places == sorted(places, reverse=True)
    assert len({x for x, _ in places}) == 3
