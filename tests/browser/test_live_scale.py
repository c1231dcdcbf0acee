"""The scale trick's figure: honest numbers, the same in the browser."""

import itertools
import math

import numpy as np
import pytest

from pegasos_edu.live.scale import (
    BY_INTEGER,
    BY_TEST,
    FEATURES,
    LAMBDAS,
    ROWS,
    STEPS,
    ScaleTrick,
    run,
)
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.solvers import dense
from tests.browser.conftest import WIDE, Visit
from tests.browser.live_page import write_page, write_scripts

READ = """async (states) => {
  const host = document.querySelector("[data-pegasos]");
  const found = [];
  for (const [T, lam, rule] of states) {
    const done = new Promise((resolve) => host.addEventListener(
      "pegasos:drawn", resolve, { once: true }));
    const control = (key) => host.querySelector(`[data-key=${key}]`);
    control("T").value = T;
    control("lam").value = lam;
    control("rule").selectedIndex = rule;
    control("rule").dispatchEvent(new Event("input", { bubbles: true }));
    await done;
    found.push([...host.querySelectorAll("dd")].map(
      (dd) => Number(dd.dataset.value)));
  }
  return found;
}"""


def dense_rows():
    """The rows of the figure as the solvers take them."""
    X = np.zeros((len(ROWS), len(FEATURES)))
    for row, (cols, vals, _) in zip(X, ROWS):
        row[list(cols)] = vals
    return X, np.array([label for _, _, label in ROWS], dtype=float)


@pytest.mark.parametrize("lam", LAMBDAS)
def test_python_side_is_pegasos(lam):
    T = STEPS[-1]
    X, y = dense_rows()
    right = dense.pegasos(X, y, lam, order=live_order(len(y), T, 0))
    state = run(T, lam, BY_INTEGER)
    v, q = np.array(state["v"]), np.array(state["q"])
    average = (state["s"] * v - q) / T
    # A weight that cancels to 0 keeps the rounding of the largest one.
    close = dict(rtol=1e-12, atol=1e-12 * np.abs(right.last).max())
    np.testing.assert_allclose(state["w"], right.last, **close)
    np.testing.assert_allclose(state["a"] * v, right.last, **close)
    np.testing.assert_allclose(average, right.average, **close)


def test_the_tempting_cure_loses_the_average_and_nothing_else_does():
    for lam, rule in itertools.product(LAMBDAS, (BY_INTEGER, BY_TEST)):
        numbers = ScaleTrick().draw(T=40, lam=lam, rule=rule).readouts
        assert all(math.isfinite(value) for value in numbers.values())
        assert numbers["last"] < 1e-14
        trapped = rule == BY_TEST and 1.0 - (1.0 / lam) * lam != 0.0
        assert (numbers["average"] > 0.1) == trapped


def test_browser_agrees_with_python(browser, tmp_path):
    write_scripts(tmp_path)
    visit = Visit(browser, WIDE)
    visit.open(write_page(tmp_path, "scale", ScaleTrick()))
    visit.page.locator("dd[data-value]").first.wait_for()
    states = list(
        itertools.product(
            range(0, len(STEPS), 3), range(len(LAMBDAS)), (BY_INTEGER, BY_TEST)
        )
    )
    found = visit.page.evaluate(READ, states)
    for (T, lam, rule), numbers in zip(states, found, strict=True):
        expected = ScaleTrick().draw(STEPS[T], LAMBDAS[lam], rule).readouts
        # The errors are a few units in the last place of numbers near 1.
        assert numbers == pytest.approx(
            list(expected.values()), rel=1e-12, abs=1e-15
        )
    visit.close()
    assert visit.errors == []
