"""The live figures in a real browser, from disk."""

import itertools
import re

import altair as alt
import numpy as np
import pytest
from playwright.sync_api import expect

from pegasos_edu import objective
from pegasos_edu.live.pegasos import (
    LAMBDAS,
    SEEDS,
    STEPS,
    best_value,
    explore,
)
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Readout,
    data_set,
)
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.plane import BOX, clip_line
from pegasos_edu.live.toolkit.shades import SHADES, shade
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.solvers import compiled
from tests.browser.conftest import PHONE, WIDE, Visit, new_page
from tests.browser.live_page import (
    RUN,
    touch,
    wait_until_drawn,
    wait_until_settled,
    write_page,
    write_scripts,
)

START = {"lam": 0.01, "T": 1000, "seed": 0}


class Figure:
    """One live figure of an open page."""

    def __init__(self, page, index=0):
        self.page = page
        self.host = page.locator("[data-pegasos]").nth(index)
        self.host.locator("dd[data-value]").first.wait_for()

    def slider(self, key):
        return self.host.locator(f"input[data-key={key}]")

    def label(self, key):
        box = self.host.locator(".pegasos-control").filter(
            has=self.page.locator(f"[data-key={key}]")
        )
        return box.locator(".pegasos-value").inner_text()

    def state(self):
        """What the labels say, as numbers."""
        return {key: float(self.label(key).replace(",", "")) for key in START}

    def numbers(self):
        return {
            dd.get_attribute("data-key"): float(dd.get_attribute("data-value"))
            for dd in self.host.locator("dd").all()
        }

    def settle(self):
        """Wait until the summary and the URL have followed as well."""
        wait_until_settled(self.page)

    def settle_url(self, fragment):
        """Wait until the URL ends so."""
        self.page.wait_for_function(
            "hash => location.hash === hash", arg=fragment
        )

    def assert_shows(self, **state):
        """The labels say this state; the numbers are, or get, right."""
        assert self.state() == pytest.approx(state, rel=1e-15)
        expected = expected_numbers(**state)
        wait_until_drawn(self.page)
        assert self.numbers() == expected


def expected_numbers(lam, T, seed):
    """The readouts by a solver in Python, to twelve digits."""
    X, y = two_clouds()
    order = live_order(len(y), int(T), int(seed))
    w = compiled.pegasos(X, y, lam, order=order, average_from=None).last
    f = objective(w, X, y, lam)
    return {
        "norm": pytest.approx(np.linalg.norm(w), rel=1e-12),
        "objective": pytest.approx(f, rel=1e-12),
        # A small difference of two numbers near f: it has their digits.
        "gap": pytest.approx(f - best_value(lam), rel=1e-12, abs=1e-12 * f),
        "error": pytest.approx(np.mean(y * (X @ w) <= 0), rel=1e-12),
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("live")
    write_scripts(folder)
    write_page(folder, "one", explore())
    write_page(folder, "two", explore(), explore(lam=0.1, T=100, seed=3))
    return folder


@pytest.fixture
def open_page(browser, folder):
    """Open one of our pages; at the end no script may have complained."""
    visits = []

    def go(name="one", fragment="", viewport=WIDE):
        new = Visit(browser, viewport)
        visits.append(new)
        new.open(folder / f"{name}.html", fragment)
        return new.page

    yield go
    for each in visits:
        each.close()
    assert [error for each in visits for error in each.errors] == []


@pytest.fixture(scope="module")
def shared(browser, folder):
    """One open page for all tests that need no page of their own."""
    visit = Visit(browser, WIDE)
    visit.open(folder / "one.html")
    yield visit
    visit.close()


@pytest.fixture
def figure(shared):
    """The figure of the shared page, as it was when the page opened."""
    shared.page.emulate_media(media="screen")
    shared.page.set_viewport_size(WIDE)
    shared.page.evaluate("document.documentElement.dataset.theme = 'light'")
    shared.page.evaluate("history.replaceState(null, '', location.pathname)")
    figure = Figure(shared.page)
    figure.host.get_by_role("button", name="Reset").click()
    figure.assert_shows(**START)
    yield figure
    assert shared.errors == []


# Controls


def test_starts_with_the_numbers_of_python(open_page):
    page = open_page()
    assert page.url.startswith("file:")
    Figure(page).assert_shows(**START)


@pytest.mark.parametrize("key", START)
def test_keyboard_moves_a_slider(figure, key):
    before = figure.state()
    figure.slider(key).focus()
    figure.page.keyboard.press("ArrowRight")
    figure.page.keyboard.press("ArrowRight")
    figure.page.keyboard.press("ArrowRight")
    figure.page.keyboard.press("ArrowLeft")
    positions = {"lam": LAMBDAS, "T": STEPS, "seed": SEEDS}[key]
    moved = positions[positions.index(START[key]) + 2]
    assert moved != before[key]
    figure.assert_shows(**{**START, key: moved})


def test_home_and_end_reach_the_ends(figure):
    for key, positions in (("lam", LAMBDAS), ("T", STEPS), ("seed", SEEDS)):
        figure.slider(key).focus()
        figure.page.keyboard.press("Home")
        assert figure.state()[key] == positions[0]
        figure.page.keyboard.press("End")
        assert figure.state()[key] == positions[-1]


@pytest.mark.parametrize("key", START)
def test_mouse_drags_a_slider(figure, key):
    box = figure.slider(key).bounding_box()
    middle = box["y"] + box["height"] / 2
    figure.page.mouse.move(box["x"] + 0.2 * box["width"], middle)
    figure.page.mouse.down()
    first = figure.state()[key]
    figure.page.mouse.move(box["x"] + 0.8 * box["width"], middle, steps=5)
    figure.page.mouse.up()
    state = figure.state()
    assert first < state[key] != START[key]
    figure.assert_shows(**state)


def test_label_and_spoken_value_are_the_state(figure):
    for key, positions in (("lam", LAMBDAS), ("T", STEPS), ("seed", SEEDS)):
        slider = figure.slider(key)
        assert slider.get_attribute("max") == str(len(positions) - 1)
        for index in range(0, len(positions), 7):
            slider.fill(str(index))
            assert figure.state()[key] == positions[index]
            spoken = slider.get_attribute("aria-valuetext")
            assert spoken == figure.label(key)


def test_shown_numbers_are_the_full_ones_rounded(figure):
    for dd in figure.host.locator("dd").all():
        full, shown = float(dd.get_attribute("data-value")), dd.inner_text()
        if shown.endswith("%"):
            assert float(shown[:-1]) / 100 == pytest.approx(full, abs=5e-4)
        else:
            shown = shown.replace(",", "").replace("−", "-")
            assert float(shown) == pytest.approx(full, rel=5e-4)


def test_tiny_and_huge_numbers_are_powers_of_ten(figure):
    texts = figure.page.evaluate(
        "[1.2345e-7, -3.21e12, 0, 0.05, NaN].map((v) => PegasosLive.format(v))"
    )
    assert texts == ["1.23 × 10⁻⁷", "−3.21 × 10¹²", "0", "0.05000", "–"]


def test_long_numbers_are_grouped_and_a_minus_is_one(figure):
    texts = figure.page.evaluate(
        "[15450, 1234.5, -0.1122, 119700, -123456].map("
        "(v, i) => PegasosLive.format(v, i === 3 ? 'count' : 'number'))"
    )
    expected = ["15,450", "1,235", "−0.1122", "119,700", "−1.23 × 10⁵"]
    assert texts == expected


def test_reset_restores_the_start(figure):
    figure.slider("lam").fill("3")
    figure.slider("T").fill("80")
    figure.settle()
    assert "lam=" in figure.page.url
    figure.host.get_by_role("button", name="Reset").click()
    figure.assert_shows(**START)
    assert "#" not in figure.page.url


def test_touch_moves_a_slider_on_a_phone(open_page):
    page = open_page(viewport=PHONE)
    figure = Figure(page)
    slider = figure.slider("T")
    box = slider.bounding_box()
    assert box["height"] >= 44
    slider.fill("0")
    y = box["y"] + box["height"] / 2
    way = [box["x"] + 8 + k / 10 * 0.9 * box["width"] for k in range(11)]
    touch(page, [(x, y) for x in way])
    state = figure.state()
    assert state["T"] > 10_000
    figure.assert_shows(**state)


# The same numbers as Python's


def triples():
    """The corners of the slider's ranges, then fifty triples at random."""
    ends = [(0, len(v) - 1) for v in (LAMBDAS, STEPS, SEEDS)]
    rng = np.random.default_rng(0)
    inner = [
        [int(rng.integers(len(v))) for v in (LAMBDAS, STEPS, SEEDS)]
        for _ in range(50)
    ]
    return [*itertools.product(*ends), *inner]


def test_numbers_agree_with_python_on_many_triples(figure):
    chosen = [dict(zip(START, triple)) for triple in triples()]
    found = figure.page.evaluate(RUN, chosen)
    assert len(found) >= 50
    for at, numbers in zip(chosen, found):
        lam, T = LAMBDAS[at["lam"]], STEPS[at["T"]]
        expected = expected_numbers(lam, T, SEEDS[at["seed"]])
        assert numbers == expected, at


@pytest.mark.parametrize("n, seed", [(60, 0), (1797, 99), (3, 2**32 - 1)])
def test_order_agrees_with_python(figure, n, seed):
    drawn = figure.page.evaluate(f"[...PegasosLive.order({n}, 1000, {seed})]")
    assert drawn == live_order(n, 1000, seed).tolist()


def test_lines_are_clipped_as_in_python(figure):
    rng = np.random.default_rng(1)
    cases = [[0, 0], [1e-320, 0], [1, 0], [0, -2], [1e9, 1], [0.1, 0.1]]
    cases += (rng.normal(size=(40, 2)) * 10 ** rng.uniform(-2, 3)).tolist()
    for side in (-1, 0, 1):
        found = figure.page.evaluate(
            "([ws, side, box]) => ws.map("
            "(w) => PegasosLive.clipLine(w, side, box))",
            [cases, side, BOX],
        )
        for w, ends in zip(cases, found):
            expected = clip_line(w, side)
            assert (ends is None) == (expected is None), w
            if ends:
                assert ends == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_nothing_reaches_nan(figure):
    ends = [(0, len(v) - 1) for v in (LAMBDAS, STEPS, SEEDS)]
    for triple in itertools.product(*ends):
        figure.page.evaluate(RUN, [dict(zip(START, triple))])
        body = figure.host.locator(".pegasos-body")
        assert not re.search("NaN|Infinity|undefined|–", body.inner_text())
        assert not re.search("NaN|Infinity", body.inner_html())


def test_lines_and_curves_follow(figure):
    def drawn():
        paths = figure.host.locator("svg .mark-rule line, svg .mark-line path")
        return [path.evaluate("e => e.outerHTML") for path in paths.all()]

    before = drawn()
    figure.slider("lam").fill("40")
    figure.settle()
    after = drawn()
    assert before and after and before != after


# The text alternative


def test_summary_says_what_is_drawn(figure):
    summary = figure.host.locator("[aria-live=polite]")
    figure.slider("T").fill("0")
    figure.settle()
    text = summary.inner_text()
    assert "λ = 0.01, T = 1:" in text
    shown = figure.host.locator("dd[data-key=objective]").inner_text()
    assert f"the objective is {shown}," in text


def test_controls_and_panels_have_names(figure):
    for name in ("Regularisation λ", "Steps T", "Seed"):
        assert figure.page.get_by_role("slider", name=name).count() == 1
    panels = figure.host.locator(".pegasos-panel[role=img][aria-label]")
    assert panels.count() == 2


# The URL


def test_url_carries_the_state(figure, open_page):
    figure.slider("lam").fill("5")
    figure.slider("T").fill("33")
    figure.slider("seed").fill("8")
    state = {"lam": LAMBDAS[5], "T": STEPS[33], "seed": 8}
    fragment = f"#lam={LAMBDAS[5]}&T={STEPS[33]}&seed=8"
    figure.settle_url(fragment)
    Figure(open_page(fragment=fragment)).assert_shows(**state)


def test_url_may_change_later(figure):
    figure.page.evaluate("location.hash = '#pegasos.lam=0.1&T=10'")
    figure.page.wait_for_function(
        "document.querySelector('.pegasos-value').textContent === '0.1'"
    )
    figure.assert_shows(lam=0.1, T=10, seed=0)


ODD = {
    "#lam=abc&T=NaN&seed=": {},
    "#lam=Infinity&T=-Infinity": {},
    "#lam=&T=%20&seed=[object]": {},
    "#%E0%A4%A": {},
    "#%E0%A4%A=1&&==&lam": {},
    "#lam": {},
    "#lam=-1&T=1e99&seed=-7": {"lam": 1e-4, "T": 100_000, "seed": 0},
    "#lam=1e99&T=0&seed=1e9": {"lam": 10.0, "T": 1, "seed": 99},
    "#lam=0.0101&T=1001.5&seed=2.2": {"lam": 0.01, "T": 1000, "seed": 2},
    "#__proto__=1&constructor=2&pegasos-2.lam=1": {},
}


@pytest.mark.parametrize("fragment", list(ODD)[::3])
def test_a_page_opens_with_an_odd_url(open_page, fragment):
    figure = Figure(open_page(fragment=fragment))
    figure.assert_shows(**{**START, **ODD[fragment]})


# Returns when everybody has heard of the new address.
FOLLOW = """(hash) => new Promise((done) => {
  const before = location.hash;
  window.addEventListener("hashchange", done, { once: true });
  location.hash = hash;
  if (location.hash === before) done();
})"""


def test_an_open_page_bears_odd_urls(figure):
    for fragment, state in ODD.items():
        figure.host.get_by_role("button", name="Reset").click()
        figure.page.evaluate(FOLLOW, fragment)
        figure.assert_shows(**{**START, **state})


def test_a_link_to_a_section_is_left_alone(open_page):
    figure = Figure(open_page(fragment="#a-section"))
    figure.settle()
    assert figure.page.url.endswith("#a-section")
    figure.slider("seed").fill("1")
    figure.settle_url("#lam=0.01&T=1000&seed=1")


# Two on a page


def test_two_figures_do_not_clash(open_page):
    page = open_page("two")
    first, second = Figure(page, 0), Figure(page, 1)
    second_start = {"lam": 0.1, "T": 100, "seed": 3}
    first.slider("lam").fill("0")
    first.assert_shows(**{**START, "lam": 1e-4})
    second.assert_shows(**second_start)
    second.slider("T").fill("0")
    second.settle()
    first.assert_shows(**{**START, "lam": 1e-4})
    second.assert_shows(**{**second_start, "T": 1})
    ids = page.evaluate("[...document.querySelectorAll('[id]')].map(e=>e.id)")
    assert len(ids) == len(set(ids)) > 0
    fragment = page.evaluate("location.hash")
    again = open_page("two", fragment)
    Figure(again, 0).assert_shows(**{**START, "lam": 1e-4})
    Figure(again, 1).assert_shows(**{**second_start, "T": 1})


def test_reset_leaves_the_other_figure_alone(open_page):
    page = open_page("two", "#lam=1&pegasos-2.lam=0.001")
    first, second = Figure(page, 0), Figure(page, 1)
    first.host.get_by_role("button", name="Reset").click()
    first.settle_url("#pegasos-2.lam=0.001")
    first.assert_shows(**START)
    second.assert_shows(lam=0.001, T=100, seed=3)


@pytest.mark.parametrize(
    "good, bad",
    [
        ('"name":"pegasos"', '"name":"none"'),  # no script at all
        ('"best":', '"worst":'),  # the script fails while drawing
    ],
)
def test_a_figure_that_fails_keeps_its_picture(browser, folder, good, bad):
    path = write_page(folder, "broken", explore(), explore())
    text = path.read_text("utf-8")
    assert text.count(good) == 2
    path.write_text(text.replace(good, bad, 1), "utf-8")
    visit = Visit(browser, WIDE)
    visit.open(path)
    Figure(visit.page, 1).assert_shows(**START)
    broken = visit.page.locator("[data-pegasos]").first
    assert broken.locator(".pegasos-pictures img").first.is_visible()
    assert broken.locator(".pegasos-body:visible").count() == 0
    assert len(visit.errors) == 1
    visit.close()


# A figure of one's own


class Powers(LiveFigure):
    """A menu, a chart and a panel drawn by hand."""

    name = "powers"
    title = "A power of k"
    controls = (
        Control("k", "Number k", (1, 2, 3, 4), 2),
        Control("p", "Power", (1, 2), 2, names=("itself", "its square")),
    )
    readouts = (Readout("value", "k to the power"),)

    def panels(self):
        bars = alt.Chart(data_set("bars")).mark_bar().encode(y="value:Q")
        return [
            Panel("A bar", "A bar of height four.", bars),
            Panel("A word", "The same bar.", bars, by_hand=True),
        ]

    def draw(self, k, p):
        return Drawing({"bars": [{"value": k**p}]}, {"value": k**p}, "")


POWERS = """PegasosLive.register("powers", function (data, tools) {
  let clicks = 0;
  const word = tools.panels[1].appendChild(document.createElement("b"));
  word.onclick = () => { clicks += 1; tools.redraw(); };
  return function draw({ k, p }) {
    word.textContent = `${clicks} clicks, ${k ** p}`;
    return { rows: { bars: [{ value: k ** p }] },
      readouts: { value: k ** p }, summary: "" };
  };
});"""


def test_a_figure_of_ones_own(open_page, folder):
    write_page(folder, "own", Powers(), script=POWERS)
    figure = Figure(open_page("own", "#k=3"))
    word = figure.host.locator("b")
    menu = figure.page.get_by_role("combobox", name="Power")
    assert figure.numbers() == {"value": 9}
    assert word.inner_text() == "0 clicks, 9"
    menu.select_option("itself")
    expect(word).to_have_text("0 clicks, 3")
    figure.settle_url("#k=3&p=1")
    word.click()
    expect(word).to_have_text("1 clicks, 3")
    assert figure.host.locator(".pegasos-panel svg").count() == 1
    figure.host.get_by_role("button", name="Reset").click()
    expect(word).to_have_text("1 clicks, 4")
    assert menu.input_value() == "its square"


# Looks


def rgb(shade):
    return "rgb({}, {}, {})".format(*bytes.fromhex(shade[1:]))


COLOURS = {
    "text": ("svg .role-axis-label text", "fill"),
    "grid": ("svg .role-axis-grid line", "stroke"),
    shade("last iterate"): ("svg .mark-line path", "stroke"),
    shade("average"): ("svg .mark-line path >> nth=1", "stroke"),
}


@pytest.mark.parametrize("name", COLOURS)
def test_colours_follow_the_theme(figure, name):
    selector, attribute = COLOURS[name]
    part = figure.host.locator(selector).first

    def colour():
        return part.evaluate(f"e => getComputedStyle(e).{attribute}")

    light, dark = map(rgb, SHADES[name])
    assert colour() == light
    root = "document.documentElement.dataset.theme"
    figure.page.evaluate(f"{root} = 'dark'")
    assert colour() == dark
    figure.page.evaluate(f"{root} = 'light'")
    assert colour() == light


def test_panels_stack_on_a_phone_and_nothing_overflows(open_page):
    for viewport, stacked in ((WIDE, False), (PHONE, True)):
        page = open_page(viewport=viewport)
        figure = Figure(page)
        boxes = [
            panel.bounding_box()
            for panel in figure.host.locator(".pegasos-panel").all()
        ]
        below = boxes[1]["y"] >= boxes[0]["y"] + boxes[0]["height"]
        assert below is stacked
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"]
        for panel in figure.host.locator(".pegasos-panel").all():
            outer = panel.bounding_box()
            inner = panel.locator("svg").bounding_box()
            assert inner["width"] <= outer["width"] + 1
            # The plane of equal units may be narrow, but then it is high.
            sides = ("width", "height")
            shares = [inner[side] / outer[side] for side in sides]
            assert max(shares) >= 0.95
        assert inner["width"] >= 0.95 * outer["width"]


def test_panels_follow_their_width(figure):
    # The window stays as it is, as when a sidebar of the page opens.
    figure.host.evaluate("e => { e.style.width = '500px'; }")
    figure.page.wait_for_function(
        """() => [...document.querySelectorAll(".pegasos-panel")].every(
          (panel) => {
            const [outer, inner] = [panel, panel.querySelector("svg")]
              .map((e) => e.getBoundingClientRect());
            return inner.width <= outer.width + 2 && Math.min(
              Math.abs(outer.width - inner.width),
              Math.abs(outer.height - inner.height)) <= 2;
          })
        """
    )
    box = figure.host.locator(".pegasos-panel").first.bounding_box()
    assert box["width"] <= 500
    figure.host.evaluate("e => { e.style.width = ''; }")


def assert_pictures_stand(page):
    images = page.locator(".pegasos-pictures img").all()
    assert len(images) == 2
    for image in images:
        assert image.is_visible()
        assert image.bounding_box()["width"] > 200
        assert image.evaluate("e => e.complete && e.naturalWidth > 0")
        assert len(image.get_attribute("alt")) > 40
    assert page.locator(".pegasos-body:visible").count() == 0


def test_pictures_stand_in_print(figure):
    pictures = figure.host.locator(".pegasos-pictures")
    assert not pictures.is_visible()
    figure.page.evaluate("document.documentElement.dataset.theme = 'dark'")
    figure.page.emulate_media(media="print")
    assert_pictures_stand(figure.page)
    figure.page.emulate_media(media="screen")
    assert not pictures.is_visible()
    assert figure.slider("T").is_visible()


def test_pictures_stand_without_scripts(browser, folder):
    page = new_page(browser, viewport=PHONE, java_script_enabled=False)
    page.goto((folder / "one.html").as_uri())
    for image in page.locator(".pegasos-pictures img").all():
        box = image.bounding_box()
        assert image.is_visible()
        assert 200 < box["width"] <= PHONE["width"]
        assert len(image.get_attribute("alt")) > 40
    assert page.locator(".pegasos-pictures img").count() == 2
    assert page.locator("input").count() == 0
    page.context.close()
