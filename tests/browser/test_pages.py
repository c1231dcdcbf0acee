"""Every page of the book, opened from disk in a real browser."""

import operator
import re
from fnmatch import fnmatch

import pytest
import toc
from playwright.sync_api import expect

from tests.browser import live_page
from tests.browser.access import findings
from tests.browser.conftest import PHONE, WIDE, unfolded

MEGABYTE = 1_000_000
MOST_BYTES = 4.5 * MEGABYTE
# What a page asks for that this project wrote.
MOST_BYTES_OF_OURS = {"pegasos*.js": 60_000, "pegasos*.css": 25_000}

THEME = "document.documentElement.dataset.theme"
# A colour on its way to another is neither of the two.
END_FADES = "document.getAnimations().forEach((each) => each.finish())"
# What the theme decides: all of axe's category of colour that it tries
# unasked. Its other rules see the same page in both themes.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]

# The lines inside a formula are thousands of elements that hold no text, and
# its hidden MathML is MathJax's own. The formula stays, with what it says of
# itself.
EMPTY_FORMULAS = """() => {
  const parts = "mjx-container > svg, mjx-assistive-mml";
  document.querySelectorAll(parts).forEach((part) => part.replaceChildren());
}"""

# Elements whose tags, classes and styles are the same, with all they stand
# in, have the same colours: one of each kind stays. (The style of a formula
# is how large it is.) Links stay with the
# sentence that they must be told from, and every second row of a table may
# have colours of its own.
DROP_TWINS = """() => {
  const kind = (element) => {
    const steps = [];
    for (let e = element; e.tagName !== "BODY"; e = e.parentElement) {
      const odd = e.tagName === "TR" && e.rowIndex % 2;
      const style = !e.matches(".math") && e.getAttribute("style");
      steps.push([e.tagName, e.className, style, odd]);
    }
    return JSON.stringify(steps);
  };
  const sentences = "article p a, article li a";
  for (let twins = [null]; twins.length;) {
    const seen = new Set();
    twins = [...document.querySelectorAll("body *")]
      .filter((e) => !e.firstElementChild && !e.matches(sentences))
      .filter((e) => seen.has(kind(e)) || !seen.add(kind(e)));
    twins.forEach((e) => e.remove());
  }
}"""

RAW_FORMULAS = """() => {
  const walker = document.createTreeWalker(
    document.querySelector("article"), NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (/\\\\\\(|\\\\\\[|\\$\\$|\\\\begin\\{/.test(node.data)
        && !node.parentElement.closest("pre, code, script, style")) {
      found.push(node.data.trim());
    }
  }
  return found;
}"""

# What reaches beyond the window's right edge and cannot be scrolled to. A
# drawing cuts its own parts: its edge counts.
CUT_OFF = """() => {
  const width = document.documentElement.clientWidth;
  const scrolls = (element) => {
    for (let e = element; e && e.tagName !== "BODY"; e = e.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(e).overflowX)
          && e.getBoundingClientRect().right <= width + 1) return true;
    }
    return false;
  };
  return [...document.querySelectorAll("article *")]
    .filter((e) => e.getClientRects().length
      && e.getBoundingClientRect().right > width + 1
      && !e.closest("mjx-assistive-mml, .visually-hidden")
      && !e.closest(".pegasos-plane svg *")
      && !scrolls(e))
    .map((e) => e.outerHTML.slice(0, 120));
}"""

# Printed lines that are longer than what one sees of them.
CUT_LINES = """() => [...document.querySelectorAll(".cell_output .stream pre")]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => box.textContent.slice(0, 120))"""

# Tables to be pushed sideways; one whose columns are named by formulas may.
PUSHED = """() => [...document.querySelectorAll("article table")]
  .filter((table) => !table.querySelector("thead mjx-container")
    && table.parentElement.scrollWidth > table.parentElement.clientWidth)
  .map((table) => table.outerHTML.slice(0, 120))"""

# Of each card, the names beside its cells.
LABELS = """(table) => [...table.querySelectorAll("tbody tr")]
  .map((row) => [...row.cells].map((cell) => cell.dataset.label))"""


# By how much a page moves while it comes in, its formulas among it.
MOVED = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const {value} of list.getEntries()) sum += value;
  }).observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 100);
})"""


@pytest.fixture(scope="module", params=toc.pages())
def name(request):
    return request.param


@pytest.fixture(scope="module")
def opened(visit, name):
    """The page, loaded once, as a phone loads it; all its figures run."""
    opened = visit(name, PHONE)
    live_page.wait_until_drawn(opened.page)
    # Before anybody gives the window another width, or opens a fold.
    opened.moved = opened.page.evaluate(MOVED)
    return opened


@pytest.fixture
def phone(opened):
    return resized(opened, PHONE)


@pytest.fixture
def wide(opened):
    """The same window, drawn wide."""
    return resized(opened, WIDE)


def resized(visit, viewport):
    """The page, once its scripts have heard of its size."""
    if visit.page.viewport_size != viewport:
        visit.page.set_viewport_size(viewport)
        visit.page.evaluate(live_page.NEXT_FRAME)
    return visit


def turn(page, theme):
    """Let the system turn light or dark, and the page with it."""
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"{THEME} === '{theme}'")
    page.evaluate(END_FADES)


def test_formulas_are_drawn(opened):
    page = opened.page
    sources = page.locator("article .math").count()
    assert page.locator("article mjx-container").count() >= sources
    bad = "[data-mml-node=merror], [data-mjx-error], mjx-container [fill=red]"
    assert page.locator(bad).count() == 0
    assert page.evaluate(RAW_FORMULAS) == []


def test_fits_a_phone(phone):
    page = phone.page
    width = page.evaluate("document.scrollingElement.scrollWidth")
    assert width <= PHONE["width"]
    assert page.evaluate(CUT_OFF) == []


def test_a_phone_shows_whole_what_cells_print(phone):
    assert phone.page.evaluate(CUT_LINES) == []


def test_a_phone_pushes_no_table(phone):
    with unfolded(phone.page, "table"):
        assert phone.page.evaluate(PUSHED) == []


def test_a_card_names_its_cells_and_stays_a_row(phone):
    with unfolded(phone.page, "table"):
        for table in phone.page.locator("table.cards").all():
            heads = table.locator("thead :is(th, td)").all_text_contents()
            labels = table.evaluate(LABELS)
            assert labels == [heads] * len(labels)
            named = [head for head in heads if head]
            assert table.get_by_role("columnheader").count() == len(named)
            assert table.get_by_role("row").count() == len(labels) + 1


def test_a_wide_screen_has_tables(wide):
    with unfolded(wide.page, "table"):
        assert wide.page.locator("table.cards").count() == 0


def test_every_image_says_what_it_shows(opened):
    images = opened.page.locator("img")
    texts = [image.get_attribute("alt") for image in images.all()]
    # Without a text of its own an image gets the name of its file.
    bad = [
        text
        for text in texts
        if not (text or "").strip()
        or text.endswith((".png", ".svg", ".jpg", ".jpeg"))
    ]
    assert bad == []


def test_no_request_leaves_the_machine(opened):
    outside = [
        url
        for url in opened.requests
        if not url.startswith(("file:", "data:", "blob:"))
    ]
    assert opened.requests
    assert outside == []


def test_every_file_asked_for_exists(opened):
    assert [path for path in opened.files() if not path.exists()] == []


def test_only_the_search_page_loads_the_index(opened):
    names = {path.name for path in opened.files()}
    assert "pegasos.js" in names
    assert not {"searchindex.js", "searchtools.js"} & names


def test_nothing_moves_while_a_page_comes_in(opened):
    """Hardly, at least: a machine that is busy draws some things late."""
    assert opened.moved <= 0.1


# The width that was kept for each formula, and the one it has, both in ex.
ROOM = """() => [...document.querySelectorAll(".math[style]")]
  .filter((e) => e.matches("span"))
  .map((e) => [e.style.getPropertyValue("--w"),
    e.querySelector("svg").getAttribute("width")].map(parseFloat))"""


def test_the_room_kept_for_a_formula_fits_it(opened):
    rooms = opened.page.evaluate(ROOM)
    assert all(abs(kept - taken) <= 1 for kept, taken in rooms)
    assert len(rooms) == opened.page.locator("span.math").count()


def test_a_page_without_formula_or_chart_is_light(opened):
    if not opened.page.locator(".math, [data-pegasos]").count():
        sizes = [path.stat().st_size for path in opened.files()]
        assert sum(sizes) <= 1.5 * MEGABYTE


def test_weight(opened):
    sizes = {path.name: path.stat().st_size for path in opened.files()}
    for pattern, most in MOST_BYTES_OF_OURS.items():
        ours = sum(sizes[file] for file in sizes if fnmatch(file, pattern))
        assert 0 < ours <= most, pattern
    assert sum(sizes.values()) <= MOST_BYTES


# The share of an article's height that open code has; what `show_source`
# prints is a listing, and no input of a cell.
OPEN_CODE = """() => {
  const height = (e) => e.getBoundingClientRect().height;
  const options = {contentVisibilityAuto: true, visibilityProperty: true};
  const open = [...document.querySelectorAll("article .cell_input")]
    .filter((e) => e.checkVisibility(options));
  const all = height(document.querySelector("article"));
  return open.reduce((sum, e) => sum + height(e), 0) / all;
}"""


def test_open_code_takes_little_of_a_page(wide, name):
    """A page reads on without it. An assignment is its code."""
    if "assignments" not in name:
        assert wide.page.evaluate(OPEN_CODE) <= 0.15


# Which of the twins of each picture show.
SHOWN = """() => [...document.querySelectorAll("article img.in-light")]
  .map((light) => [light, light.nextElementSibling]
    .filter((twin) => twin.checkVisibility())
    .map((twin) => twin.classList[0]).join(" and "))"""


# Pictures that would take their room only when they come.
WITHOUT_ROOM = """() => [...document.querySelectorAll("article img.in-dark")]
  .filter((e) => !(e.width && e.height)).map((e) => e.src)"""


def test_the_picture_of_the_theme_shows(wide):
    """And on paper the light one, whatever the theme.

    One that comes late moves no text. To turn a page takes as long as to
    draw all its figures, so what is to be seen of it is seen at once.
    """
    page = wide.page
    turn(page, "dark")
    assert page.evaluate(WITHOUT_ROOM) == []
    with unfolded(page, "img.in-light"):
        assert set(page.evaluate(SHOWN)) <= {"in-dark"}
        page.emulate_media(media="print")
        assert set(page.evaluate(SHOWN)) <= {"in-light"}
        page.emulate_media(media="screen")
        turn(page, "light")
        assert set(page.evaluate(SHOWN)) <= {"in-light"}


def test_no_console_error(opened):
    """As a phone, wide, dark and light."""
    assert opened.errors == []


PAPER = {"width": 720, "height": 1000}
# Code on paper that is wider than its box, or reaches over the edge.
WIDE_CODE = """() => [...document.querySelectorAll("article pre")]
  .filter((box) => box.checkVisibility() && (box.scrollWidth > box.clientWidth
    || box.getBoundingClientRect().right > innerWidth))
  .map((box) => box.textContent.slice(0, 80))"""
# What heads a printed page: the titles that show, and the lists of sections.
HEADS = """() => [...document.querySelectorAll("h1, #jb-print-toc")]
  .filter((e) => e.checkVisibility()).map((e) => e.innerText.trim())"""
LIVE_NAMES = """() => [...document.querySelectorAll("[data-number]")]
  .map((host) => [host.dataset.number, JSON.parse(host.dataset.pegasos).title,
    [...host.children].filter((e) => e.checkVisibility())
      .map((e) => e.innerText.trim())])"""


@pytest.fixture
def paper(opened):
    """The page as a browser lays it out for its own print."""
    page = resized(opened, PAPER).page
    page.emulate_media(media="print")
    yield page
    page.emulate_media(media="screen")


def test_paper_cuts_no_code(paper):
    assert paper.evaluate(WIDE_CODE) == []


def test_paper_begins_with_the_title_and_its_number(paper):
    (title,) = paper.evaluate(HEADS)
    number = paper.locator("article h1 .section-number").all_inner_texts()
    assert title.startswith("".join(number).strip())
    assert paper.locator("article h1").first.is_visible()


def test_a_live_figure_has_its_number_and_title_on_paper(paper):
    for number, title, seen in paper.evaluate(LIVE_NAMES):
        # Above its pictures, which hold no text.
        assert seen == [f"Live figure {number} {title}", ""]


# From here on the page is taken apart, so that axe looks at each thing once:
# all of it on a phone, then what a wide screen adds, then its colours.


def test_accessible_on_a_phone(phone):
    phone.page.evaluate(EMPTY_FORMULAS)
    others = {rule: {"enabled": False} for rule in COLOUR_RULES}
    assert findings(phone.page, rules=others) == []


def test_what_a_wide_screen_adds_is_accessible(wide):
    article = wide.page.locator("article.bd-article")
    article.evaluate("""(article) => {
      window.content = [...article.childNodes];
      const title = article.querySelector("h1").cloneNode(true);
      article.replaceChildren(title, "An article.");
    }""")
    found = findings(wide.page, {"exclude": [["article"]]})
    article.evaluate("(article) => article.replaceChildren(...content)")
    assert found == []


def test_colours(wide):
    wide.page.evaluate(DROP_TWINS)
    for theme in ("dark", "light"):
        turn(wide.page, theme)
        assert findings(wide.page, runOnly=COLOUR_RULES) == [], theme


def luminance(colour):
    """That of WCAG 2.2 for "rgb(r, g, b)"."""
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return sum(map(operator.mul, linear, (0.2126, 0.7152, 0.0722)))


# The page, cards, and the boxes of notes.
GROUNDS = [
    f"--pst-color-{name}"
    for name in ("background", "surface", "info-bg", "warning-bg")
]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_link_under_the_pointer_can_be_read(visit, theme):
    page = visit("book/data", WIDE).page
    turn(page, theme)
    link = page.locator("article p a").first
    link.hover()
    page.evaluate(END_FADES)
    ink = luminance(link.evaluate("e => getComputedStyle(e).color"))
    for name in GROUNDS:
        ground = luminance(
            link.evaluate(
                """(e, name) => {
                  e.style.background = `var(${name})`;
                  return getComputedStyle(e).backgroundColor;
                }""",
                name,
            )
        )
        low, high = sorted((ink, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, name


# A folded thing that is wider than its page, and where it is in the tab order.
FOLD = """() => document.querySelector("article").insertAdjacentHTML(
  "beforeend", `<details><summary>More</summary><div class="cell_output">
  <div id="wide" style="overflow-x: auto"><p style="width: 3000px">A</p></div>
  </div></details>`)"""
PLACE = "document.getElementById('wide').getAttribute('tabindex')"


def test_what_is_folded_is_measured_when_it_is_opened(visit):
    page = visit("book/data", WIDE).page
    page.wait_for_function("window.MathJax && MathJax.startup.promise")
    page.evaluate("MathJax.startup.promise")
    page.evaluate(FOLD)
    page.evaluate("dispatchEvent(new Event('resize'))")
    assert page.evaluate(PLACE) is None
    page.get_by_text("More", exact=True).click()
    page.wait_for_function(f"{PLACE} === '0'")


@pytest.mark.parametrize(
    ("name", "has_room"), [("book/notation", True), ("book/data", False)]
)
def test_a_table_that_needs_room_gets_that_of_the_contents(
    visit, name, has_room
):
    page = visit(name, WIDE).page
    assert page.locator("article .needs-room").count() > 0 or not has_room
    column = page.locator(".bd-article-container").bounding_box()["width"]
    assert (column > 900) is has_room
    contents = page.locator(".bd-sidebar-secondary")
    assert contents.is_visible() is not has_room


def test_lists_are_open_on_paper_and_closed_again_on_the_screen(visit):
    page = visit("book/assistants", WIDE).page
    page.evaluate("""window.addEventListener("beforeprint", () => {
      window.opened = [...document.querySelectorAll(".tag_on-paper details")]
        .map((fold) => fold.open);
    })""")
    page.pdf()
    assert set(page.evaluate("window.opened")) == {True}
    lists = page.locator(".tag_on-paper details")
    assert lists.count() == len(page.evaluate("window.opened")) > 25
    assert page.locator(".tag_on-paper details[open]").count() == 0


def test_a_dark_page_is_printed_black_on_white(visit):
    page = visit("book/data", WIDE).page
    turn(page, "dark")
    page.evaluate("""window.addEventListener("beforeprint", () => {
      const style = getComputedStyle(document.body);
      window.printed = [style.color, style.backgroundColor];
    })""")
    page.pdf()
    ink, paper = page.evaluate("window.printed")
    assert max(map(int, re.findall(r"\d+", ink)[:3])) < 80
    assert re.findall(r"\d+", paper)[:3] == ["255"] * 3
    assert page.evaluate(THEME) == "dark"


def test_axe_finds_what_is_wrong(visit):
    """What was left out of its way hides nothing from it."""
    page = visit("book/data", WIDE).page
    page.locator("article p").first.evaluate("""(element) =>
      element.insertAdjacentHTML("afterend", `
        <p>Seen. <b class="faint">Not seen.</b></p>
        <style>.faint { color: #ccc }</style>
        <div role="slider"></div><h6>Deep</h6>`)""")
    page.evaluate(EMPTY_FORMULAS)
    rules = [finding.split(":")[0] for finding in findings(page)]
    # The last of the three is "moderate" to axe.
    assert {"color-contrast", "aria-required-attr", "heading-order"} <= {
        *rules
    }
    page.evaluate(DROP_TWINS)
    assert "Not seen." in str(findings(page, runOnly=COLOUR_RULES))


A4 = {"width": 680, "height": 990}  # without its margins
NARROW = {"width": 240, "height": 480}
FADES = """(box) => ["before", "after"].filter((side) =>
  box.classList.contains(`more-${side}`))"""


def test_what_can_be_pushed_fades_where_it_goes_on(visit):
    # So narrow that a formula of any length is cut, whatever the page says.
    page = visit("book/regret", NARROW).page
    fading = page.locator("div.math > mjx-container:is([class*=more-])")
    expect(fading).not_to_have_count(0)
    first = fading.first.element_handle()
    assert first.evaluate(FADES) == ["after"]
    first.evaluate("(box) => { box.scrollLeft = box.scrollWidth; }")
    expect(fading.first).to_have_class("MathJax more-before")
    page.set_viewport_size(WIDE)
    expect(fading).to_have_count(0)


def test_paper_has_no_buttons_and_no_empty_folds(visit):
    page = visit("book/pegasos", A4).page
    page.emulate_media(media="print")
    buttons = ".sd-btn, .toggle-button, .copybtn, #pst-back-to-top"
    assert page.locator(buttons).count() > 0
    assert page.locator(f":is({buttons}):visible").count() == 0
    folded = page.locator("div.cell > details.hide > summary")
    assert folded.count() > 0
    assert not [one for one in folded.all() if one.is_visible()]
    frames = page.locator(".pegasos-pictures").first.locator("img:visible")
    lefts = {frame.bounding_box()["x"] for frame in frames.all()}
    assert frames.count() == 4 and len(lefts) == 1
