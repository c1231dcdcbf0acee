"""The signature figure in a real browser: phase by phase as in Python."""

import math

import pytest

from pegasos_edu.live.one_step import (
    HIGH,
    LAMBDAS,
    PEGASOS,
    PERCEPTRON,
    PHASES,
    REACH,
    SEED,
    UNUSED,
    N,
    T,
    gap_of,
    one_step,
    say,
    steps_of,
)
from pegasos_edu.live.one_step import WIDE as WIDE_PLANE
from pegasos_edu.live.toolkit.order import live_order
from tests.browser import live_page
from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE, Visit
from tests.browser.live_page import LIKE_THE_BOOK, ROOM_IN_MENUS, SET_STATE

ORDER = live_order(N, T, SEED).tolist()
TALLEST = 780
VEGA = '<script type="text/x-vega" src="vega.js"></script>'
NO_VEGA = live_page.PAGE.replace(VEGA, "")
LISTING = """<pre>def pegasos(X, y, lam, T, rng):
    w = 0 * X[0]
    for t in range(1, T + 1):
        i = rng.integers(len(y))
        margin = y[i] * (X[i] @ w)
        w = (1 - 1 / t) * w
        if margin &lt; 1:
            w = w + y[i] * X[i] / (lam * t)
    return w</pre>
<div id="alg-pegasos"><ol><li>start</li><li>for<ol><li>draw</li><li>eta</li>
<li>let</li><li>if</li><li>else</li></ol></li></ol></div>"""


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """A page with this figure alone, a listing and a box, without Vega."""
    folder = tmp_path_factory.mktemp("one_step")
    script = "\n".join(live_page.offline().live_scripts().values())
    (folder / "live.js").write_text(script, "utf-8")
    (folder / "live.css").write_text(live_page.offline().live_style(), "utf-8")
    for name, figure in (
        ("compact", one_step(compact=True)),
        ("step", one_step()),
    ):
        path = folder / f"{name}.html"
        html = figure.page() + LISTING
        path.write_text(NO_VEGA.format(figures=html), "utf-8")
    return path


@pytest.fixture
def opened(browser, path):
    visits = []

    def go(
        viewport=WIDE, fragment="", motion="reduce", name="step", clock=False
    ):
        new = Visit(browser, viewport)
        visits.append(new)
        if clock:  # that a test may put forward
            new.page.clock.install()
        new.page.emulate_media(reduced_motion=motion)
        new.open(path.with_stem(name), fragment)
        live_page.wait_until_drawn(new.page)
        return new.page

    yield go
    for each in visits:
        each.page.emulate_media(reduced_motion="no-preference")
        each.close()
    assert [error for each in visits for error in each.errors] == []


def numbers(page):
    return page.evaluate("""() => Object.fromEntries(
      [...document.querySelectorAll(".pegasos-terms dd")].map(
        (dd) => [dd.dataset.key, Number(dd.dataset.value)]))""")


def shown_gap(page):
    """f(w) − f* as it is on the screen, in full; None if there is none."""
    gap = page.locator(".weights .gap b")
    return float(gap.get_attribute("data-value")) if gap.is_visible() else None


def label_of_knob(page):
    return page.locator(".knob").get_attribute("aria-label")


def way_of_w(page, places):
    """On the screen: the tip of w, then places of the plane in its pixels."""
    scale, left, top = page.locator(".weights > svg").evaluate(
        "(svg) => { const { a, e, f } = svg.getScreenCTM(); return [a, e, f] }"
    )
    box = page.locator(".knob .dot").bounding_box()
    tip = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    return [tip, *((left + scale * x, top + scale * y) for x, y in places)]


def drag_w(page, *places):
    """Drag the tip of w to places of the plane with the mouse."""
    start, *others = way_of_w(page, places)
    page.mouse.move(*start)
    page.mouse.down()
    for place in others:
        page.mouse.move(*place)
    page.mouse.up()


def where(page):
    """The step and the phase on the screen."""
    return page.evaluate("""() => [
      Number(document.querySelector("[data-key=t]").value) + 1,
      document.querySelector("[aria-pressed=true][data-phase]")
        .dataset.phase]""")


def wait_for(page, t, phase):
    page.wait_for_function(
        """([t, phase]) =>
      document.querySelector("[data-key=t]").value == t - 1 &&
      document.querySelector("[data-pegasos]").dataset.phase === phase""",
        arg=[t, phase],
    )


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


@pytest.mark.parametrize("rule", range(3))
def test_numbers_are_those_of_python(opened, rule):
    page, figure = opened(), one_step()
    for k, t in enumerate([1, 2, 3, 7, 8, 20, 57, T]):
        for lam in {LAMBDAS[k % len(LAMBDAS)], 0.5}:
            state = {"t": t, "lam": lam, "rule": rule, "phase": k % 4}
            shown = page.evaluate(SET_STATE, {**state, "phase": PHASES[k % 4]})
            drawing = figure.draw(**state)
            gap = shown_gap(page)
            near = pytest.approx(drawing.readouts.pop("gap"), abs=1e-12)
            assert gap is None if rule == PERCEPTRON else gap == near
            for key, value in drawing.readouts.items():
                near = pytest.approx(value, rel=1e-12, abs=1e-12 / lam)
                assert shown[key] == near, (state, key)
            said = page.locator(".pegasos-say").inner_text()
            assert said == drawing.summary


def test_numbers_are_written_as_by_python(opened):
    numbers = [-0.126, -0.001, 0, 0.99499, 0.997, 0.9999999, 1, 1.00001, -1.0]
    written = opened().evaluate(
        "numbers => numbers.map(PegasosLive.walk.say)", numbers
    )
    assert written == [say(number) for number in numbers]
    assert written[4] == "0.997"


def test_buttons_and_keys_walk(opened):
    page = opened()
    assert where(page) == [4, "draw"]
    for phase in PHASES[1:]:
        press(page, "Next phase")
        wait_for(page, 4, phase)
    press(page, "One step")
    wait_for(page, 5, "add")
    press(page, "Back")
    wait_for(page, 5, "shrink")
    press(page, "test")
    wait_for(page, 5, "test")
    for key, t, phase in (
        ("n", 5, "shrink"),
        ("s", 5, "add"),
        ("s", 6, "add"),
        ("b", 6, "shrink"),
        ("r", 4, "draw"),
    ):
        page.keyboard.press(key)
        wait_for(page, t, phase)


def test_play_runs_to_the_end_and_can_be_paused(opened):
    page = opened(motion="no-preference")
    press(page, "1 / s")
    press(page, "4 / s")
    page.clock.install()
    press(page, "Play")
    page.wait_for_function("document.querySelector('[data-key=t]').value > 12")
    press(page, "Pause")
    stopped = where(page)
    page.clock.run_for(3000)
    assert where(page) == stopped
    page.locator("input[data-key=t]").fill(str(T - 2))
    press(page, "Play")
    wait_for(page, T, "add")
    page.get_by_role("button", name="Play", exact=True).wait_for()


def test_play_at_the_end_starts_again(opened):
    page = opened(fragment=f"#t={T}&phase=add", motion="no-preference")
    press(page, "Play")
    page.wait_for_function("document.querySelector('[data-key=t]').value < 10")
    assert page.locator("[data-go=play]").inner_text() == "Pause"
    press(page, "Pause")


def test_the_perceptron_takes_no_lambda(opened):
    page = opened(fragment="#t=5&phase=test&rule=1")
    slider = page.get_by_role("slider", name="λ")
    assert slider.is_disabled()
    assert slider.get_attribute("title") == UNUSED
    page.evaluate(SET_STATE, {"rule": 0})
    assert slider.is_enabled() and not slider.get_attribute("title")


def boxes(page, selector):
    """Left, top, right and bottom of all that is seen and says something."""
    return page.locator(selector).evaluate_all("""(found) => found
      .filter((e) => e.getClientRects().length && e.textContent)
      .map((e) => {
        const { left, top, right, bottom } = e.getBoundingClientRect();
        return [left, top, right, bottom];
      })""")


@pytest.mark.parametrize("rule", range(3))
def test_both_sides_are_named_inside_the_plane_and_apart(opened, rule):
    page = opened()
    (plane,) = page.locator(".weights > svg").evaluate_all(
        "([e]) => [e.getBoundingClientRect()].map("
        "({ left, top, right, bottom }) => [left, top, right, bottom])"
    )
    count = 0
    for lam in LAMBDAS[::2]:
        for t in (1, 2, 3, 4, 7, 8, 11):
            state = {"t": t, "lam": lam, "rule": rule, "phase": "test"}
            page.evaluate(SET_STATE, state)
            found = boxes(page, ".brinks text")
            assert found, state
            for box in found:
                assert plane[0] <= box[0] and box[2] <= plane[2], state
                assert plane[1] <= box[1] and box[3] <= plane[3], state
            if len(found) == 2:
                count += 1
                (a, b, c, d), (e, f, g, h) = found
                # Letters are less high than their boxes.
                assert min(c, g) <= max(a, e) or min(d, h) <= max(b, f) + 4
    assert count > 20


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_no_sentence_makes_the_figure_higher(opened, viewport):
    page = opened(viewport)
    page.add_style_tag(content=LIKE_THE_BOOK)
    host = page.locator("[data-pegasos]")
    height = host.bounding_box()["height"]
    for rule in range(3):
        for t in (1, 4, 8, T):
            for phase in PHASES:
                state = {"t": t, "phase": phase, "rule": rule}
                page.evaluate(SET_STATE, state)
                assert host.bounding_box()["height"] == height, state
    if viewport is PHONE:
        assert height <= TALLEST


def test_the_formula_keeps_its_rows_on_a_phone(opened):
    """Sum, shrunk and pushed; the factors of each stand side by side."""
    page = opened(PHONE, "#t=7&phase=add")
    tops = page.locator(".pegasos-terms > div").evaluate_all(
        "(terms) => terms.map((e) => [e.className,"
        " Math.round(e.getBoundingClientRect().top)])"
    )
    top = dict(tops)
    first, third = top["of-after"], top["of-test"]
    assert top["of-shrink"] == top["of-w"] == first < top["of-shrunk"]
    assert top["of-shrunk"] < third == top["of-eta"] == top["of-yx"]
    assert third < top["of-push"]


def test_a_plane_fills_a_box_of_any_shape(opened):
    """A phone leaves it less height: more than the view box is seen."""
    page = opened(PHONE, "#t=7&phase=shrink")
    svg = page.locator(".weights > svg")
    scale = svg.evaluate("(e) => e.getScreenCTM().a")
    outer = svg.bounding_box()
    assert outer["width"] > 360 * scale + 20  # it is wider than its view box
    for name in (".tint", ".axes path"):
        inner = page.locator(f".weights {name}").bounding_box()
        assert inner["x"] <= outer["x"]
        assert inner["x"] + inner["width"] >= outer["x"] + outer["width"]
        assert inner["y"] <= outer["y"]
        assert inner["y"] + inner["height"] >= outer["y"] + outer["height"]
    name = page.locator(".weights .one").bounding_box()
    right = outer["x"] + outer["width"] - name["x"] - name["width"]
    assert abs(right) <= 10


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_longest_rule_fits_its_menu(opened, viewport):
    page = opened(viewport)
    page.add_style_tag(content=LIKE_THE_BOOK)
    (room,) = page.evaluate(ROOM_IN_MENUS)
    assert room >= 0
    label = page.get_by_text("Rule", exact=True).bounding_box()
    menu = page.locator("select[data-key=rule]").bounding_box()
    assert 0 <= menu["x"] - label["x"] - label["width"] <= 20


def test_a_phase_moves_unless_motion_is_unwanted(opened):
    go_on = """() => {
      const line = document.querySelector(".pegasos-plane .w");
      window.seen = new Set([line.getAttribute("d")]);
      new MutationObserver(() => seen.add(line.getAttribute("d")))
        .observe(line, { attributes: true });
      document.querySelector("[data-go=next]").click();
    }"""
    still = opened(fragment="#t=4&phase=test")
    still.evaluate(go_on)
    wait_for(still, 4, "shrink")
    live_page.wait_until_settled(still)
    assert still.evaluate("seen.size") == 2
    moving = opened(fragment="#t=4&phase=test", motion="no-preference")
    moving.evaluate(go_on)
    moving.wait_for_function("seen.size > 4")


def test_url_carries_and_sets_the_state(opened):
    page = opened(fragment="#t=7&phase=test")
    assert where(page) == [7, "test"]
    press(page, "Next phase")
    page.wait_for_url("**#t=7&phase=shrink&lam=0.5&rule=0")
    page.evaluate("location.hash = '#t=8&phase=add'")
    wait_for(page, 8, "add")
    for odd in ("#t=x&phase=jump", "#t=3&phase=", "#phase=__proto__&t=3"):
        assert where(opened(fragment=odd))[1] == "draw"


def test_a_point_shows_where_w_would_go_and_is_used(opened):
    page = opened(fragment="#t=5&phase=add")
    point = page.get_by_role("button", name="Example 3,", exact=False)
    ghost = page.locator(".goal")
    assert ghost.get_attribute("d") == ""
    point.hover()
    assert ghost.get_attribute("d") != ""
    assert where(page) == [5, "add"]
    point.click()
    wait_for(page, 6, "draw")
    order = [*ORDER[:5], 2, *ORDER[6:]]
    step = steps_of(PEGASOS, 0.5, order)[5]
    shown = numbers(page)
    assert shown["margin"] == pytest.approx(step.margin, rel=1e-12)
    assert shown["after1"] == pytest.approx(step.after[0], rel=1e-12)
    page.wait_for_url("**drawn=6_2")
    again = opened(fragment=page.evaluate("location.hash"))
    assert numbers(again) == shown
    press(page, "Reset")
    page.evaluate(SET_STATE, {"t": 6, "phase": "draw"})
    plain = steps_of(PEGASOS, 0.5, ORDER)[5]
    assert numbers(page)["margin"] == pytest.approx(plain.margin, rel=1e-12)


@pytest.mark.parametrize("rule", range(3))
def test_w_is_dragged_and_the_run_goes_on_from_there(opened, rule):
    page = opened(fragment=f"#t=5&phase=shrink&rule={rule}")
    back = page.get_by_role("button", name="Back to the run")
    before = numbers(page)
    assert not back.is_visible()
    # 64.6 pixels to the right and 38.76 up: (0.5, 0.3) in the plane.
    drag_w(page, (10, 10), (WIDE_PLANE / 2 + 64.6, HIGH / 2 - 38.76))
    wait_for(page, 5, "test")
    assert "0.50, 0.30; arrow keys" in label_of_knob(page)
    placed = {5: (50, 30)}
    step = steps_of(rule, 0.5, ORDER[:6], placed)[4]
    shown = numbers(page)
    for key in ("w", "shrunk", "after"):
        for k in (1, 2):
            near = pytest.approx(getattr(step, key)[k - 1], rel=1e-12)
            assert shown[f"{key}{k}"] == near
    assert shown["margin"] == pytest.approx(step.margin, rel=1e-12)
    gap = gap_of(step.w, rule, 0.5)
    if rule != PERCEPTRON:
        assert shown_gap(page) == pytest.approx(gap, abs=1e-12)
    page.wait_for_url("**drawn=5_50_30")
    assert numbers(opened(fragment=page.evaluate("location.hash"))) == shown
    # The line turns with w: it is drawn upright and turned by its angle.
    turn = page.locator(".examples .now").get_attribute("transform")
    degrees = -math.degrees(math.atan2(step.w[1], step.w[0]))
    assert f"rotate({degrees:.6f}"[:12] in turn
    page.evaluate(SET_STATE, {"t": 6, "phase": "draw"})
    later = steps_of(rule, 0.5, ORDER[:6], placed)[5]
    assert numbers(page)["w1"] == pytest.approx(later.w[0], rel=1e-12)
    back.click()
    page.evaluate(SET_STATE, {"t": 5, "phase": "shrink"})
    assert numbers(page) == before
    assert not back.is_visible()


def test_after_the_add_it_is_the_next_w_that_is_dragged(opened):
    page = opened(fragment="#t=5&phase=add")
    drag_w(page, (200, 100))
    wait_for(page, 6, "test")
    before = steps_of(PEGASOS, 0.5, ORDER[:5])[-1]
    assert numbers(page)["margin"] != before.margin
    live_page.wait_until_settled(page)
    page.evaluate(SET_STATE, {"t": 5, "phase": "add"})
    assert numbers(page)["after1"] == pytest.approx(before.after[0], rel=1e-12)


def test_a_finger_drags_w_and_not_the_page(opened):
    page = opened(viewport=PHONE, fragment="#t=5&phase=shrink")
    page.locator(".knob").scroll_into_view_if_needed()
    stood = page.evaluate("scrollY")
    # 64.6 pixels to the right and 38.76 up: (0.5, 0.3) in the plane.
    end = WIDE_PLANE / 2 + 64.6, HIGH / 2 - 38.76
    between = [(end[0], end[1] + 60 - 6 * k) for k in range(10)]
    live_page.touch(page, way_of_w(page, [*between, end]))
    wait_for(page, 5, "test")
    assert "0.50, 0.30; arrow keys" in label_of_knob(page)
    assert page.evaluate("scrollY") == stood
    step = steps_of(PEGASOS, 0.5, ORDER[:5], {5: (50, 30)})[-1]
    shown = numbers(page)["margin"]
    assert shown == pytest.approx(step.margin, rel=1e-12)


def test_w_stays_in_its_plane(opened):
    page = opened(fragment="#t=5&phase=test")
    drag_w(page, (-500, 900))
    a, b = (-part / 100 for part in REACH)
    assert f"{a:.2f}, {b:.2f};".replace("-", "−") in label_of_knob(page)
    outer = page.locator(".weights > svg").bounding_box()
    inner = page.locator(".knob .dot").bounding_box()
    assert outer["x"] < inner["x"]
    assert inner["y"] + inner["height"] < outer["y"] + outer["height"]
    far = opened(fragment="#t=5&phase=test&drawn=5_99999_-99999.7_-3")
    assert label_of_knob(far).startswith("λw at 1.3")
    assert page.locator(".knob").count() == 1


def test_arrow_keys_move_w(opened):
    page = opened(fragment="#t=5&phase=test&drawn=5_50_30")
    page.locator(".knob").focus()
    for key, place in (
        ("ArrowRight", "0.56, 0.30"),
        ("ArrowUp", "0.56, 0.36"),
        ("Shift+ArrowLeft", "0.55, 0.36"),
        ("Shift+ArrowDown", "0.55, 0.35"),
    ):
        page.keyboard.press(key)
        assert f"λw at {place};" in label_of_knob(page)
    assert where(page) == [5, "test"]
    page.keyboard.press("n")
    wait_for(page, 5, "shrink")


def test_dragging_ends_a_run_that_plays(opened):
    page = opened(fragment="#t=5&phase=draw", motion="no-preference")
    page.clock.install()
    press(page, "Play")
    page.wait_for_function("document.querySelector('[data-key=t]').value > 5")
    drag_w(page, (100, 100))
    assert page.locator("[data-go=play]").inner_text() == "Play"
    stopped = where(page)
    assert stopped[1] == "test"
    page.clock.run_for(3000)
    assert where(page) == stopped


def test_keyboard_uses_a_point_in_few_tab_stops(opened):
    page = opened(fragment="#t=5&phase=draw")
    stops = page.evaluate("""() => [...document.querySelectorAll(
      ".pegasos-body :is(button, input, select, [tabindex])")]
      .filter((e) => e.tabIndex === 0 && e.getClientRects().length).length""")
    assert stops <= 7
    page.locator(".point").first.focus()
    page.keyboard.press("ArrowRight")
    name = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert name.startswith("Example 2, class")
    page.keyboard.press("Enter")
    wait_for(page, 5, "draw")
    assert "draws example 2," in page.locator(".pegasos-say").inner_text()


def test_term_arrow_and_line_light_each_other_up(opened):
    page = opened(fragment="#t=7&phase=draw")

    def shows(row, word):
        """Wait until the listing and the box mark these lines."""
        page.wait_for_function(
            """([row, word]) => {
              const style = document.querySelector("pre").style;
              const read = (name) => parseFloat(style.getPropertyValue(name));
              const at = read("--pegasos-row") / read("--pegasos-high");
              const box = document.querySelector("#alg-pegasos .pegasos-runs");
              return Math.round(at) === row && box.innerText.trim() === word;
            }""",
            arg=[row, word],
        )

    shows(3, "draw")
    press(page, "Next phase")
    shows(4, "if")
    page.locator(".pegasos-terms .of-push").hover()
    shows(7, "if")
    arrow = page.locator(".pegasos-plane .push")
    assert "lit" in arrow.get_attribute("class")
    page.locator("#alg-pegasos ol ol li").nth(4).hover()
    assert "lit" not in arrow.get_attribute("class")
    assert "lit" in page.locator(".of-shrunk").get_attribute("class")
    page.evaluate(SET_STATE, {"t": 8, "phase": "add"})
    page.mouse.move(0, 0)
    # Nothing is added: the test is as far as the listing goes.
    shows(6, "else")


def test_one_plane_at_a_time_on_a_phone(opened):
    page = opened(PHONE, "#t=5&phase=draw")
    height = page.locator(".pegasos-body").bounding_box()["height"]
    assert height <= TALLEST
    planes = page.locator(".pegasos-plane")
    assert [p.is_visible() for p in planes.all()] == [True, False]
    press(page, "Weights")
    assert [p.is_visible() for p in planes.all()] == [False, True]
    press(page, "Examples")
    assert [p.is_visible() for p in planes.all()] == [True, False]
    point = page.locator(".point").nth(5)
    point.tap()
    assert where(page) == [5, "draw"]
    assert page.locator(".goal").get_attribute("d") != ""
    point.tap()
    page.locator(".pegasos-say", has_text="draws example 6,").wait_for()
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["width"]


def test_paper_gets_four_frames(opened):
    page = opened()
    page.emulate_media(media="print")
    frames = page.locator(".pegasos-pictures img")
    assert [frame.is_visible() for frame in frames.all()] == [True] * 4
    assert not page.locator(".pegasos-body").is_visible()
    page.emulate_media(media="screen")


@pytest.mark.parametrize("viewport", [WIDE, PHONE], ids=["wide", "phone"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(opened, viewport, theme):
    page = opened(viewport, "#t=7&phase=test")
    page.evaluate(f"document.documentElement.dataset.theme = '{theme}'")
    live_page.wait_until_settled(page)
    assert findings(page, ".pegasos-live") == []
    assert page.locator("[aria-live=polite]").inner_text() == (
        one_step().draw(t=7, phase=1, lam=0.5, rule=0).summary
    )


def lit_row(page):
    """The line of the listing that is lit, from 0."""
    return page.locator("pre").evaluate("""(pre) => {
      const read = (name) => parseFloat(pre.style.getPropertyValue(name));
      const top = parseFloat(getComputedStyle(pre).paddingTop);
      return (read("--pegasos-row") - top) / read("--pegasos-high");
    }""")


@pytest.mark.parametrize("t", [7, 8], ids=["violator", "no violator"])
def test_the_line_that_adds_is_lit_only_if_it_is_reached(opened, t):
    page = opened(fragment=f"#t={t}&phase=add")
    assert numbers(page)["pull"] == (t == 7)
    lines = page.locator("pre").inner_text().split("\n")
    lit = lines[round(lit_row(page))].strip()
    assert lit == (
        "w = w + y[i] * X[i] / (lam * t)" if t == 7 else "if margin < 1:"
    )


def overlap(one, other):
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, wide) * max(0, high)


@pytest.mark.parametrize(
    "state",
    [
        {"t": t, "phase": phase, "lam": lam}
        for lam in (0.1, 0.5)
        for t in (1, 2, 4, 5, 7, 8)
        for phase in ("test", "shrink", "add")
    ],
    ids=lambda state: "-".join(map(str, state.values())),
)
def test_labels_stand_on_no_mark(opened_once, state):
    page = opened_once
    page.evaluate(SET_STATE, state)
    (value,) = boxes(page, ".value")
    marks = page.locator(".point .mark").evaluate_all("""(marks) =>
      marks.map((mark) => mark.getBoundingClientRect())
        .map(({ left, top, right, bottom }) => [left, top, right, bottom])""")
    # A box is higher than its digits: five pixels above, four below.
    tight = [value[0], value[1] + 5, value[2], value[3] - 4]
    assert [k for k, box in enumerate(marks) if overlap(tight, box)] == []
    for word in boxes(page, ".word"):
        (best,) = boxes(page, ".best")
        tight = [word[0], word[1] + 5, word[2], word[3] - 4]
        assert not overlap(tight, best)
        dot = page.locator(".knob .dot").bounding_box()
        x, y = dot["x"], dot["y"]
        knob = [x, y, x + dot["width"], y + dot["height"]]
        assert not overlap(tight, knob)


@pytest.fixture(scope="module")
def opened_once(browser, path):
    visit = Visit(browser, WIDE)
    visit.page.emulate_media(reduced_motion="reduce")
    visit.open(path, "")
    live_page.wait_until_drawn(visit.page)
    yield visit.page
    visit.page.emulate_media(reduced_motion="no-preference")
    visit.close()


def test_a_phone_shows_the_plane_of_the_phase(opened):
    """Until the reader chooses one."""
    page = opened(PHONE)
    for phase in PHASES:
        press(page, phase)
        wait_for(page, 4, phase)
        weights = phase in ("shrink", "add")
        assert page.locator(".weights > svg").is_visible() == weights
        assert page.locator(".examples > svg").is_visible() != weights
    press(page, "Examples")
    press(page, "Back")
    wait_for(page, 4, "shrink")
    assert page.locator(".examples > svg").is_visible()


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_an_address_is_written_after_an_act_only(opened, motion):
    page = opened(motion=motion, name="compact", clock=True)
    if motion == "no-preference":
        page.wait_for_function(
            "document.querySelector('[data-pegasos]').dataset.phase === 'add'"
        )
    live_page.wait_until_settled(page)
    page.clock.run_for(3000)
    assert "#" not in page.url
    moved = "add" if motion == "no-preference" else "draw"
    assert where(page) == [4, moved]
    press(page, "One step")
    wait_for(page, 5 if moved == "add" else 4, "add")
    page.wait_for_url("**/*phase=add*")


def test_keys_choose_a_phase(opened):
    page = opened()
    page.evaluate("scrollTo(0, 50)")
    stood = page.evaluate("scrollY")
    page.locator("button[data-phase=draw]").focus()
    for key, phase in (
        ("ArrowRight", "test"),
        ("End", "add"),
        ("ArrowLeft", "shrink"),
        ("Home", "draw"),
    ):
        page.keyboard.press(key)
        wait_for(page, 4, phase)
        focused = "document.activeElement.dataset.phase"
        assert page.evaluate(focused) == phase
    assert page.evaluate("scrollY") == stood


def test_the_perceptron_fills_its_plane_and_has_no_street(opened):
    page = opened(fragment="#t=5&phase=test&rule=1")
    run = steps_of(PERCEPTRON, 0.5, ORDER)
    longest = max(run, key=lambda step: math.hypot(*step.after))
    assert not page.locator(".examples .street").is_visible()
    assert "longest" in page.locator(".weights p").inner_text()
    page.evaluate(SET_STATE, {"t": longest.t, "phase": "add", "rule": 1})
    origin = WIDE_PLANE / 2, HIGH / 2
    tip, middle = way_of_w(page, [origin])
    plane = page.locator(".weights > svg").bounding_box()
    reach = math.dist(tip, middle) / (plane["height"] / 2)
    assert reach == pytest.approx(0.9, abs=0.01)
    assert page.locator(".trail path").count() > 0
    page.evaluate(SET_STATE, {"rule": 0})
    assert page.locator(".examples .street").is_visible()
