"""The fan of subgradients: the browser's numbers against Python's."""

import numpy as np
import pytest

from pegasos_edu.live.subgradients import (
    POINTS,
    SHARES,
    slopes_at,
    subgradients_figure,
    value,
)
from tests.browser import live_page
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import SET_STATE
from tests.browser.test_live_margins import readouts


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("subgradients")
    live_page.write_scripts(folder)
    return live_page.write_page(folder, "fan", subgradients_figure())


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request, browser, path):
    new = Visit(browser, request.param)
    new.open(path)
    new.page.wait_for_selector(".pegasos-handle")
    live_page.wait_until_drawn(new.page)
    yield new.page
    assert new.errors == []
    new.close()


def test_numbers_are_those_of_python(page):
    figure = subgradients_figure()
    for k, w in enumerate(POINTS):
        state = {"w": w, "share": SHARES[k % len(SHARES)]}
        shown = page.evaluate(SET_STATE, state)
        expected = figure.draw(**state).readouts
        assert shown == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_fan_holds_the_subgradients_and_no_other_slope():
    u = np.linspace(-4, 4, 1601)
    f = np.array([value(v) for v in u])
    for w in POINTS:
        low, high = slopes_at(w)
        for slope in (low - 0.02, low, 0.5 * (low + high), high, high + 0.02):
            below = (f >= value(w) + slope * (u - w) - 1e-12).all()
            assert below == (low <= slope <= high)


def test_point_can_be_dragged(page):
    before = readouts(page)
    box = page.locator(".pegasos-handle").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 80, y - 20, steps=4)
    page.mouse.up()
    after = readouts(page)
    assert after["f"] > before["f"] and after["slope"] < before["slope"]
    slider = page.locator('input[data-key="w"]')
    shown = float(slider.get_attribute("aria-valuetext").replace("−", "-"))
    assert shown in POINTS and value(shown) == pytest.approx(after["f"])


def test_keyboard_moves_the_point(page):
    page.locator('input[data-key="w"]').focus()
    page.keyboard.press("ArrowRight")
    shown = readouts(page)
    assert shown["low"] == shown["high"] == pytest.approx(0.125)
