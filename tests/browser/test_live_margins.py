"""The figure of margins: the browser's optimum against Python's."""

import numpy as np
import pytest

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.live.margins import (
    ARRANGEMENTS,
    LAMBDAS,
    arrangement,
    margins_figure,
)
from pegasos_edu.problem.losses import hinge
from tests.browser import live_page
from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import SET_STATE

# Where the chart draws the points, and where the handles lie: in pixels.
OFFSETS = """() => {
  const marks = [...document.querySelectorAll(
    ".pegasos-panel .mark-symbol.role-mark")][0];
  const centre = (e) => {
    const box = e.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const drawn = [...marks.querySelectorAll("path")].map(centre);
  return [...document.querySelectorAll(".pegasos-handle:not([hidden])")]
    .map(centre)
    .map(([x, y], i) => Math.hypot(x - drawn[i][0], y - drawn[i][1]));
}"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    folder = tmp_path_factory.mktemp("margins")
    live_page.write_scripts(folder)
    return live_page.write_page(folder, "margins", margins_figure())


@pytest.fixture(params=[WIDE, PHONE], ids=["wide", "phone"])
def visit(request, browser, path):
    new = Visit(browser, request.param)
    new.open(path)
    new.page.wait_for_selector(".pegasos-handle")
    live_page.wait_until_drawn(new.page)
    yield new
    assert new.errors == []
    new.close()


@pytest.fixture(scope="module")
def shared(browser, path):
    """One open page for the tests that set every point themselves."""
    new = Visit(browser, WIDE)
    new.open(path)
    new.page.wait_for_selector(".pegasos-handle")
    yield new.page
    assert new.errors == []
    new.close()


@pytest.fixture
def page(visit):
    return visit.page


def handle(page, i):
    return page.locator(".pegasos-handle").nth(i)


def points_shown(page):
    """The points as the handles announce them."""
    points, labels = [], []
    for knob in page.locator(".pegasos-handle:not([hidden])").all():
        parts = knob.get_attribute("aria-label").split(", ")
        points.append([float(parts[2].removeprefix("at ")), float(parts[3])])
        labels.append(1.0 if "+1" in parts[1] else -1.0)
    return np.array(points), np.array(labels)


def readouts(page):
    live_page.wait_until_drawn(page)
    numbers = page.locator("dd")
    return {
        dd.get_attribute("data-key"): float(dd.get_attribute("data-value"))
        for dd in numbers.all()
    }


def check_against_python(shown, X, y, lam):
    best = optimum(X, y, lam)
    margin = y * (X @ best.w)
    assert shown["gap"] <= 1e-9
    assert shown["objective"] == pytest.approx(best.primal, rel=1e-8)
    assert shown["width"] == pytest.approx(
        2 / np.linalg.norm(best.w), rel=1e-4
    )
    assert shown["loss"] == pytest.approx(hinge(margin).mean(), abs=1e-4)


def moved_to(X):
    """The part of the address that puts every point somewhere."""
    return ".".join(
        f"{i}_{round(100 * a)}_{round(100 * b)}" for i, (a, b) in enumerate(X)
    )


@pytest.mark.parametrize("which", range(len(ARRANGEMENTS)))
def test_optimum_is_that_of_python_at_any_lambda(shared, which):
    X, y = arrangement(which)
    for lam in LAMBDAS[which::4]:
        shown = shared.evaluate(SET_STATE, {"lam": lam, "set": which})
        check_against_python(shown, X, y, lam)


def test_optimum_is_that_of_python_wherever_the_points_are(shared):
    rng = np.random.default_rng(0)
    _, y = arrangement(0)
    for case in range(40):
        X = rng.uniform([-3, -2.5], [3, 2.5], size=(len(y), 2)).round(2)
        if case % 4 == 0:
            X[3:6] = X[3]  # three points in one place
        if case % 5 == 0:
            X[2] = 0.0  # a point on every line
        lam = LAMBDAS[case % len(LAMBDAS)]
        state = {"lam": lam, "set": 0, "moved": moved_to(X)}
        shown = shared.evaluate(SET_STATE, state)
        best = optimum(X, y, lam)
        assert shown["gap"] <= 1e-6
        assert shown["objective"] == pytest.approx(best.primal, rel=1e-6)


def test_arrow_keys_move_a_point(page):
    X, y = arrangement(0)
    handle(page, 2).focus()
    for key in ("ArrowLeft", "ArrowLeft", "ArrowDown", "Shift+ArrowUp"):
        page.keyboard.press(key)
    X = X.copy()
    X[2] = np.round(X[2] + [-0.2, -0.09], 2)
    points, labels = points_shown(page)
    assert np.array_equal(labels, y)
    assert np.allclose(points[2], X[2], atol=0.011)
    assert np.allclose(np.delete(points, 2, 0), np.delete(X, 2, 0), atol=0.006)
    X[2] = points[2]
    check_against_python(readouts(page), X, y, 0.1)
    assert handle(page, 2).evaluate("e => e === document.activeElement")


def focused(page):
    return page.evaluate(
        "() => document.activeElement.getAttribute('aria-label') || ''"
    )


def test_one_tab_stop_leads_to_every_point(page):
    page.locator(".pegasos-handle").first.focus()
    page.keyboard.press("Tab")
    assert not focused(page).startswith("Point")
    page.keyboard.press("Shift+Tab")
    reached = []
    for _ in range(14):
        reached.append(focused(page))
        assert reached[-1].endswith("Enter goes to the next")
        page.keyboard.press("Enter")
    assert focused(page) == reached[0] and len(set(reached)) == 14
    # The stop stays where one was, and moves on when its point is gone.
    for _ in range(13):
        page.keyboard.press("Enter")
    page.locator("select").select_option(label="separable")
    live_page.wait_until_drawn(page)
    stops = page.locator('.pegasos-handle[tabindex="0"]:not([hidden])')
    assert stops.count() == 1


def test_what_can_be_dragged_has_a_ring(page):
    style = "e => getComputedStyle(e, '::before').borderTopStyle"
    assert handle(page, 0).evaluate(style) == "dotted"


# The largest dot of each panel: where it stands, and how wide it is.
LARGEST = """() => [...document.querySelectorAll(".pegasos-panel")].map(
  (panel) => [...panel.querySelectorAll(".mark-symbol.role-mark path")]
    .filter((e) => e.getAttribute("fill") !== "none"
      && e.getAttribute("fill") !== "transparent")
    .map((e) => e.getBoundingClientRect())
    .map((box) => [box.width, box.x + box.width / 2, box.y + box.height / 2])
    .reduce((a, b) => (b[0] > a[0] ? b : a)))"""


def test_a_point_is_lit_in_both_panels(browser, path):
    new = Visit(browser, WIDE)
    new.open(path)
    page = new.page
    page.wait_for_selector(".pegasos-handle")
    live_page.wait_until_drawn(page)
    page.locator(".pegasos-panels").scroll_into_view_if_needed()
    quiet = page.evaluate(LARGEST)
    assert max(width for width, _, _ in quiet) < 14
    box = handle(page, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    both = f"({LARGEST})().every(([width]) => width > 14)"
    page.wait_for_function(both)
    (_, here, up), (_, *there) = page.evaluate(LARGEST)
    assert [here, up] == pytest.approx([x, y], abs=1.5)
    page.mouse.move(1, 1)
    page.wait_for_function(f"({LARGEST})().every(([width]) => width < 14)")
    # And back: its dot on the loss lights it among the points.
    page.mouse.move(*there)
    page.wait_for_function(both)
    assert page.evaluate(LARGEST)[0][1:] == pytest.approx([x, y], abs=1.5)
    assert new.errors == []
    new.close()


def test_mouse_drags_a_point(page):
    box = handle(page, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before, _ = points_shown(page)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x - 60, y + 30, steps=5)
    page.mouse.up()
    after, _ = points_shown(page)
    shift = after[0] - before[0]
    assert shift[0] < -0.5 and shift[1] < -0.2
    assert np.array_equal(after[1:], before[1:])
    live_page.wait_until_drawn(page)
    # The handle is again where the point is drawn.
    assert max(page.evaluate(OFFSETS)) < 1.5


def test_a_finger_drags_a_point(visit):
    page = visit.page
    box = handle(page, 0).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before, _ = points_shown(page)
    touch = page.context.new_cdp_session(page)

    def send(kind, *places):
        touch.send(
            "Input.dispatchTouchEvent",
            {
                "type": kind,
                "touchPoints": [{"x": a, "y": b} for a, b in places],
            },
        )

    send("touchStart", (x, y))
    for k in range(1, 6):
        send("touchMove", (x + 8 * k, y + 6 * k))
    send("touchEnd")
    after, _ = points_shown(page)
    shift = after[0] - before[0]
    assert shift[0] > 0.2 and shift[1] < -0.1


def test_a_point_stays_inside_the_picture(page):
    handle(page, 0).focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    points, _ = points_shown(page)
    assert points[0, 0] == 3.0


def test_handles_lie_on_the_points_after_a_resize(page):
    page.set_viewport_size({"width": 700, "height": 800})
    page.wait_for_function(f"Math.max(...({OFFSETS})()) < 1.5")
    assert len(page.evaluate(OFFSETS)) == 14


def test_address_keeps_a_moved_point_and_reset_forgets_it(page):
    handle(page, 4).focus()
    page.keyboard.press("ArrowUp")
    page.wait_for_url("**moved=4_*")
    points, _ = points_shown(page)
    page.reload()
    page.wait_for_selector(".pegasos-handle")
    live_page.wait_until_drawn(page)
    assert np.array_equal(points_shown(page)[0], points)
    page.locator(".pegasos-reset").click()
    live_page.wait_until_drawn(page)
    assert "moved" not in page.url
    X, _ = arrangement(0)
    assert np.allclose(points_shown(page)[0], X, atol=0.006)


def test_another_arrangement_starts_unmoved(page):
    handle(page, 0).focus()
    page.keyboard.press("ArrowUp")
    page.locator("select").select_option(label="separable")
    live_page.wait_until_drawn(page)
    X, y = arrangement(1)
    points, labels = points_shown(page)
    assert np.allclose(points, X) and np.array_equal(labels, y)


def test_accessible(browser, path):
    new = Visit(browser, WIDE)
    new.open(path)
    new.page.wait_for_selector(".pegasos-handle")
    found = findings(new.page, "[data-pegasos]")
    new.close()
    assert found == []
