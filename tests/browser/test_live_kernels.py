"""The figure of kernels in a real browser: the same numbers as in Python."""

import itertools

import pytest

from pegasos_edu.live.kernels import LAMBDAS, STEPS, WIDTHS, kernels_figure
from tests.browser.conftest import WIDE, Visit
from tests.browser.live_page import RUN, write_page, write_scripts

# What the first panel draws: pieces of the lines, strips, and rings.
MARKS = """() => {
  const panel = document.querySelector(".pegasos-panel");
  const count = (kind, k = 0) => [...panel.querySelectorAll(
    `.mark-${kind}.role-mark`)][k].children.length;
  return [count("rule"), count("rect"), count("symbol", 1)];
}"""


@pytest.fixture
def visit(browser, tmp_path):
    write_scripts(tmp_path)
    opened = Visit(browser, WIDE)
    opened.open(write_page(tmp_path, "kernels", kernels_figure()))
    opened.page.locator("dd[data-value]").first.wait_for()
    yield opened
    opened.close()


def test_numbers_and_marks_are_those_of_python(visit):
    places = [
        dict(zip(("width", "T", "lam"), place))
        for place in itertools.product(
            range(0, len(WIDTHS), 2),
            (0, 10, 25, len(STEPS) - 1),
            range(0, len(LAMBDAS), 3),
        )
    ]
    figure = kernels_figure()
    for place in places:
        [numbers] = visit.page.evaluate(RUN, [place])
        drawing = figure.draw(
            WIDTHS[place["width"]], STEPS[place["T"]], LAMBDAS[place["lam"]]
        )
        assert numbers == pytest.approx(drawing.readouts, rel=1e-9)
        rows = drawing.rows
        assert visit.page.evaluate(MARKS) == [
            len(rows["lines"]),
            len(rows["inside"]),
            sum(row["kept"] for row in rows["points"]),
        ]
    assert visit.errors == []


def test_the_summary_is_that_of_python(visit):
    visit.page.goto(visit.page.url.split("#")[0] + "#width=0.5&T=10000")
    said = kernels_figure().draw(width=0.5, T=10_000, lam=0.01).summary
    summary = visit.page.locator(".pegasos-summary")
    summary.filter(has_text=said).wait_for()
