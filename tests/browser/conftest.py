"""A real browser with the built book, every request on record."""

import os
from collections import defaultdict
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import chromium
from tests.conftest import WITHOUT_BROWSER

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

# Milliseconds until what is waited for counts as never coming. A busy
# machine must not reach them; only a fault does.
PATIENCE = 600_000
expect.set_options(timeout=PATIENCE)

# By browser and width; see Visit.close.
EMPTY_WINDOWS = defaultdict(list)


def new_page(browser, **options):
    """An empty page in a window of its own, made with these options."""
    context = browser.new_context(**options)
    context.set_default_timeout(PATIENCE)
    return context.new_page()


class Visit:
    """One page in a browser window, which nobody else uses meanwhile.

    ``page`` is Playwright's page; ``requests`` lists the addresses asked
    for; ``errors`` lists what the console reported as an error and what a
    script raised. A window that is closed is emptied and kept for the next
    visit: a new one costs more than most pages.
    """

    def __init__(self, browser, viewport):
        self.requests = []
        self.errors = []
        self.place = EMPTY_WINDOWS[browser, viewport["width"]]
        self.page = (
            self.place.pop()
            if self.place
            else new_page(browser, has_touch=viewport is PHONE)
        )
        self.listeners = {
            "request": lambda sent: self.requests.append(sent.url),
            "pageerror": lambda error: self.errors.append(str(error)),
            "console": self.note,
        }
        for event, listener in self.listeners.items():
            self.page.on(event, listener)
        self.page.set_viewport_size(viewport)
        self.page.emulate_media(media="screen", color_scheme="light")

    def close(self):
        """Leave nothing of this visit behind."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.evaluate("() => { localStorage.clear(); }")
        self.page.goto("about:blank")
        self.place.append(self.page)

    def note(self, message):
        if message.type == "error":
            self.errors.append(message.text)

    def open(self, path, fragment=""):
        """Load a file and wait until its formulas are drawn."""
        self.page.goto(path.as_uri() + fragment, wait_until="load")
        self.page.evaluate(
            "() => window.MathJax ? MathJax.startup.promise : null"
        )

    def files(self):
        """The files on disk the page asked for, each once."""
        paths = {urlsplit(url).path for url in self.requests}
        return {Path(unquote(path)) for path in paths}


# Opens each fold that holds such a thing, and waits until the page's scripts
# have heard of it: a folded table becomes cards when it is opened.
# A solution is no <details>: its button hides what is in it by a class.
UNFOLD = """(inside) => {
  for (const box of document.querySelectorAll(
      `.toggle-hidden:has(${inside})`)) {
    box.dataset.wasHidden = "";
    box.classList.remove("toggle-hidden");
  }
  return Promise.all([...document.querySelectorAll(
      `details:has(${inside}):not([open])`)].map(
    (fold) => new Promise((done) => {
      fold.dataset.wasFolded = "";
      fold.addEventListener("toggle", () => setTimeout(done), {once: true});
      fold.open = true;
    })));
}"""
FOLD_AGAIN = """() => {
  for (const box of document.querySelectorAll("[data-was-hidden]")) {
    delete box.dataset.wasHidden;
    box.classList.add("toggle-hidden");
  }
  for (const fold of document.querySelectorAll("[data-was-folded]")) {
    delete fold.dataset.wasFolded;
    fold.open = false;
  }
}"""


@contextmanager
def unfolded(page, inside):
    """A page whose folds that hold a thing, by its selector, are open."""
    page.evaluate(UNFOLD, inside)
    yield
    page.evaluate(FOLD_AGAIN)


@pytest.fixture(scope="session")
def browser():
    path = chromium.find()
    if path is None:
        if os.environ.get("CI"):
            pytest.fail(
                f"{WITHOUT_BROWSER}: {chromium.HOW_TO_GET_ONE}",
                pytrace=False,
            )
        pytest.skip(WITHOUT_BROWSER)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=chromium.FLAGS, timeout=PATIENCE
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def visit(browser, site):
    """Open pages of the book: ``visit("book/index", viewport)``.

    The page is given without its suffix, as in ``_toc.yml``. A window is
    closed when one of its kind is opened for another page.
    """
    windows = {}

    def go(name, viewport=WIDE, fragment=""):
        kind = viewport["width"]
        if kind in windows:
            windows.pop(kind).close()
        windows[kind] = Visit(browser, viewport)
        windows[kind].open(site / f"{name}.html", fragment)
        return windows[kind]

    yield go
    for each in windows.values():
        each.close()
