"""The live game in a real browser: the same numbers as in Python."""

import itertools

import pytest

from pegasos_edu.live.regret import LAMBDAS, STEPS, game
from tests.browser.conftest import WIDE, Visit
from tests.browser.live_page import RUN, write_page, write_scripts


@pytest.fixture
def visit(browser, tmp_path):
    write_scripts(tmp_path)
    opened = Visit(browser, WIDE)
    opened.open(write_page(tmp_path, "game", game()))
    opened.page.locator("dd[data-value]").first.wait_for()
    yield opened
    opened.close()


def test_numbers_are_those_of_python(visit):
    most = len(STEPS) - 1
    places = itertools.product((0, 15, 30), (0, 40, most), range(5), (0, 1))
    keys = "lam", "T", "opponent", "ball"
    states = [dict(zip(keys, place)) for place in places]
    found = visit.page.evaluate(RUN, states)
    figure = game()
    for state, numbers in zip(states, found):
        values = {
            "lam": LAMBDAS[state["lam"]],
            "T": STEPS[state["T"]],
            "opponent": state["opponent"],
            "ball": state["ball"],
        }
        expected = figure.draw(**values).readouts
        for key, value in expected.items():
            assert numbers[key] == pytest.approx(value, rel=1e-12, abs=1e-12)
    assert visit.errors == []


def test_a_link_leads_to_its_setting(visit):
    visit.page.goto(visit.page.url.split("#")[0] + "#lam=0.01&opponent=3")
    visit.page.wait_for_function(
        "document.querySelector('select[data-key=opponent]')"
        ".selectedIndex === 3"
    )
    summary = visit.page.locator(".pegasos-summary")
    summary.filter(has_text="turns at 2, 4, 8, …").wait_for()
