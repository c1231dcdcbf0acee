"""The two paths in a browser: the same numbers as in Python."""

import pytest

from pegasos_edu.live.stochastic import stochastic_figure
from tests.browser import live_page
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import SET_STATE
from tests.browser.test_live_margins import readouts

STATES = [
    {"eta": eta, "T": T, "rule": rule, "seed": seed}
    for eta, T, seed in (
        (0.01, 2000, 0),
        (0.1, 200, 3),
        (0.5, 20, 99),
        (1.0, 2000, 7),
    )
    for rule in (0, 1)
]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stochastic")
    live_page.write_scripts(folder)
    return live_page.write_page(folder, "paths", stochastic_figure())


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def page(request, browser, path):
    new = Visit(browser, request.param)
    new.open(path)
    live_page.wait_until_drawn(new.page)
    live_page.wait_until_drawn(new.page)
    yield new.page
    assert new.errors == []
    new.close()


def test_numbers_are_those_of_python(page):
    figure = stochastic_figure()
    for state in STATES:
        shown = page.evaluate(SET_STATE, state)
        expected = figure.draw(**state).readouts
        # A gap is a difference of objectives near 0.3.
        assert shown == pytest.approx(expected, rel=1e-12, abs=1e-14), state


def test_ball_grows_with_the_step_size(page):
    radii = [
        page.evaluate(
            SET_STATE, {"eta": eta, "T": 2000, "rule": 0, "seed": 1}
        )["radius"]
        for eta in (0.01, 0.1, 1.0)
    ]
    assert radii == sorted(radii) and radii[2] > 3 * radii[0]


def test_keyboard_moves_the_step_size(page):
    before = readouts(page)["bounce"]
    page.locator('input[data-key="eta"]').focus()
    page.keyboard.press("End")
    assert readouts(page)["bounce"] > before


# How many points the lines of a panel join.
JOINED = """(which) => [...document.querySelectorAll(".pegasos-panel")[which]
  .querySelectorAll("path")].flatMap((path) =>
    path.getAttribute("d")?.match(/L/g) ?? []).length"""


def test_lines_have_the_points_of_python(page):
    figure = stochastic_figure()
    others = {(0, "path"): set(), (1, "gap"): set()}
    for state in STATES:
        page.evaluate(SET_STATE, state)
        rows = figure.draw(**state).rows
        for (panel, name), seen in others.items():
            seen.add(page.evaluate(JOINED, panel) - len(rows[name]))
    # What else is drawn in a panel does not depend on the state.
    assert [len(seen) for seen in others.values()] == [1, 1]
