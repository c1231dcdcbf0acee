"""The browser writes every number as Python does."""

import numpy as np
import pytest

from pegasos_edu.live.toolkit import numbers
from tests.browser.conftest import WIDE, Visit
from tests.browser.live_page import write_page, write_scripts
from tests.live_figures import FIGURES


@pytest.fixture(scope="module")
def page(browser, tmp_path_factory):
    folder = tmp_path_factory.mktemp("numbers")
    write_scripts(folder)
    visit = Visit(browser, WIDE)
    visit.open(write_page(folder, "numbers"))
    yield visit.page
    visit.close()


def hard_numbers():
    """Ends, halves, what is just below a power of ten, and many others."""
    rng = np.random.default_rng(0)
    values = [0.0, -0.0, 0.5, 1.0, 1234.5, 1235.5, 0.0125, 999.95, 99999.9]
    values += [9.9996e-4, 1e-3, 5e-324, 1.7e308, -0.1122, -119700.0, 0.00049]
    values += (10 ** rng.uniform(-12, 12, 400)).tolist()
    values += (-(10 ** rng.uniform(-4, 5, 100))).tolist()
    return values


@pytest.mark.parametrize("kind", ["number", "percent"])
def test_numbers(page, kind):
    values = [v for v in hard_numbers() if kind == "number" or abs(v) < 10]
    shown = page.evaluate(
        "([values, kind]) => values.map((v) => PegasosLive.format(v, kind))",
        [values, kind],
    )
    assert shown == [numbers.text(value, kind) for value in values]


def test_counts_and_what_is_undefined(page):
    shown = page.evaluate(
        "() => [119700, 7].map((v) => PegasosLive.format(v, 'count'))"
        ".concat([NaN, Infinity, null].map((v) => PegasosLive.format(v)))"
    )
    assert shown == ["119,700", "7", "–", "–", "–"]


def test_positions_of_every_slider(page):
    values = [
        value
        for make in FIGURES.values()
        for control in make().controls
        for value in control.values
    ]
    shown = page.evaluate("values => values.map(PegasosLive.plain)", values)
    assert shown == [numbers.plain(value) for value in values]
