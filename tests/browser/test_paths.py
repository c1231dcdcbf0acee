"""The figure of paths in a browser: the same numbers as in Python."""

import pytest

from pegasos_edu.live import paths
from tests.browser import live_page
from tests.browser.conftest import PHONE, WIDE, Visit

METHODS = range(len(paths.METHODS))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("paths")
    live_page.write_scripts(folder)
    return live_page.write_page(folder, "paths", paths.explore_paths())


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def visit(request, browser, path):
    new = Visit(browser, request.param)
    new.open(path)
    live_page.wait_until_drawn(new.page)
    yield new
    new.close()


@pytest.fixture(scope="module")
def page(browser, path):
    visit = Visit(browser, WIDE)
    visit.open(path)
    live_page.wait_until_drawn(visit.page)
    yield visit.page
    visit.close()


def browser_numbers(page, state):
    """Put a state into the address; return the readouts, all digits."""
    return page.evaluate(live_page.SET_STATE, state)


@pytest.mark.parametrize("ball", range(len(paths.SETS)))
@pytest.mark.parametrize("method", METHODS)
def test_numbers_are_those_of_python(page, method, ball):
    figure = paths.explore_paths()
    for scale, T, seed in (
        (1.0, 100, 1),
        (0.01, 1000, 2),
        (10.0, 350, 3),
        (3.0, 1, 4),
    ):
        state = {
            "method": method,
            "set": ball,
            "scale": scale,
            "T": T,
            "seed": seed,
        }
        expected = figure.draw(**state).readouts
        assert browser_numbers(page, state) == pytest.approx(
            expected, rel=1e-12, abs=1e-12
        )


def test_the_keyboard_moves_the_sliders(visit):
    page = visit.page
    page.focus("#paths-T")
    before = page.get_attribute("#paths-T", "aria-valuetext")
    page.keyboard.press("End")
    page.wait_for_function("location.hash.includes('T=1000')")
    assert before != page.get_attribute("#paths-T", "aria-valuetext")
    page.focus("#paths-method")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("location.hash.includes('method=1')")


def test_every_control_has_a_label_and_nothing_breaks(visit):
    page = visit.page
    for key in ("method", "set", "scale", "T", "seed"):
        assert page.locator(f"label[for=paths-{key}]").inner_text().strip()
    assert visit.errors == []
    assert all(url.startswith(("file:", "data:")) for url in visit.requests)
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= page.viewport_size["width"]
