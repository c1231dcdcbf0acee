"""Every page of the book, opened from disk in a real browser."""

from fnmatch import fnmatch

import pytest
import yaml
from axe_playwright_python.sync_playwright import Axe

import tasks
from tests.browser.conftest import PHONE, WIDE

MEGABYTE = 1_000_000
MOST_BYTES = 4.5 * MEGABYTE
MOST_BYTES_OF_OURS = 60_000
OURS = ["pegasos*.js", "pegasos*.css"]

THEME = "document.documentElement.dataset.theme"
# A colour on its way to another is neither of the two.
END_FADES = "document.getAnimations().forEach((each) => each.finish())"
# Resize events come before a frame is asked for, all in one frame.
NEXT_FRAME = """() => new Promise(
  (done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""
# What the theme decides: all of axe's category of colour that it tries
# unasked. Its other rules see the same page in both themes.
COLOUR_RULES = ["color-contrast", "link-in-text-block"]

# Code is thousands of coloured words, of which axe tries each. Words whose
# tags and classes are the same up to the article have the same colours: one
# of each kind stays.
HIDE_TWINS = """() => {
  const kind = (element) => {
    const steps = [];
    for (let e = element; e.tagName !== "ARTICLE"; e = e.parentElement) {
      steps.push(e.tagName + "." + e.className);
    }
    return steps.join(" ");
  };
  const seen = new Set();
  const words = "article :is(pre, dl.py) :is(span, code):not(:has(*))";
  for (const element of document.querySelectorAll(words)) {
    if (seen.has(kind(element))) element.style.display = "none";
    seen.add(kind(element));
  }
}"""

# Findings that are let through, each by rule and selector, with the reason.
WAIVED = []

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

# What reaches beyond the window's right edge and cannot be scrolled to.
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
      && !scrolls(e))
    .map((e) => e.outerHTML.slice(0, 120));
}"""


def toc_pages():
    """Names of all pages in ``_toc.yml``, the first page first."""
    toc = yaml.safe_load((tasks.ROOT / "_toc.yml").read_text("utf-8"))
    return [toc["root"], *files_below(toc)]


def files_below(entry):
    """Names of the pages listed anywhere below an entry of the toc."""
    names = []
    for part in ("parts", "chapters", "sections"):
        for child in entry.get(part, []):
            names += [child["file"]] if "file" in child else []
            names += files_below(child)
    return names


@pytest.fixture(scope="module", params=toc_pages())
def name(request):
    return request.param


@pytest.fixture(scope="module")
def opened(visit, name):
    """The page, loaded once, as a phone loads it."""
    return visit(name, PHONE)


@pytest.fixture
def phone(opened):
    return resized(opened, PHONE)


@pytest.fixture
def wide(opened):
    """The same window, drawn wide."""
    return resized(opened, WIDE)


def resized(visit, viewport):
    """The page, once its scripts have heard of its size."""
    visit.page.set_viewport_size(viewport)
    visit.page.evaluate(NEXT_FRAME)
    return visit


@pytest.fixture
def dark(wide):
    """The open page, in a system that has just turned dark."""
    turn(wide.page, "dark")
    yield wide
    turn(wide.page, "light")


def turn(page, theme):
    page.emulate_media(color_scheme=theme)
    page.wait_for_function(f"{THEME} === '{theme}'")
    page.evaluate(END_FADES)


def test_no_request_leaves_the_machine(wide):
    outside = [
        url
        for url in wide.requests
        if not url.startswith(("file:", "data:", "blob:"))
    ]
    assert wide.requests
    assert outside == []


def test_no_console_error(phone, dark):
    assert phone.errors + dark.errors == []


def test_every_file_asked_for_exists(wide):
    assert [path for path in wide.files() if not path.exists()] == []


def test_formulas_are_drawn(wide):
    page = wide.page
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


def test_every_image_says_what_it_shows(wide):
    images = wide.page.locator("img")
    texts = [image.get_attribute("alt") for image in images.all()]
    # Without a text of its own an image gets the name of its file.
    bad = [
        text
        for text in texts
        if not (text or "").strip()
        or text.endswith((".png", ".svg", ".jpg", ".jpeg"))
    ]
    assert bad == []


def test_weight(wide):
    sizes = {path.name: path.stat().st_size for path in wide.files()}
    ours = sum(
        size
        for file, size in sizes.items()
        if any(fnmatch(file, pattern) for pattern in OURS)
    )
    assert 0 < ours <= MOST_BYTES_OF_OURS
    assert sum(sizes.values()) <= MOST_BYTES


def findings(page, context=None, **options):
    """What axe-core finds serious or critical and nobody waived."""
    options["resultTypes"] = ["violations"]
    response = Axe().run(page, context, options).response
    return [
        f"{violation['id']}: {node['html'][:160]}"
        for violation in response["violations"]
        if violation["impact"] in ("serious", "critical")
        for node in violation["nodes"]
        if not is_waived(violation["id"], node["target"])
    ]


def is_waived(rule, target):
    return any(
        rule == waived_rule and selector in str(target)
        for waived_rule, selector, reason in WAIVED
    )


def test_accessible_on_a_phone(phone):
    phone.page.evaluate(HIDE_TWINS)
    assert findings(phone.page) == []


def test_what_a_wide_screen_adds_is_accessible(wide):
    assert findings(wide.page, {"exclude": [["article"]]}) == []


def test_colours_in_dark_mode(dark):
    dark.page.evaluate(HIDE_TWINS)
    assert findings(dark.page, runOnly=COLOUR_RULES) == []
