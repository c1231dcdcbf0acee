"""A real browser with the built book, every request on record."""

import os
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.conftest import WITHOUT_BROWSER

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


class Visit:
    """One page in a browser window of its own.

    ``page`` is Playwright's page; ``requests`` lists the addresses asked
    for; ``errors`` lists what the console reported as an error and what a
    script raised.
    """

    def __init__(self, browser, viewport, dark):
        self.requests = []
        self.errors = []
        self.context = browser.new_context(
            viewport=viewport,
            color_scheme="dark" if dark else "light",
            has_touch=viewport is PHONE,
        )
        self.page = self.context.new_page()
        self.page.on("request", lambda sent: self.requests.append(sent.url))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self.note)

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
            executable_path=path, args=chromium.FLAGS
        )
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def visit(browser, site):
    """Open pages of the book: ``visit("book/index", viewport, dark)``.

    The page is given without its suffix, as in ``_toc.yml``. A window is
    closed when one of its kind is opened for another page.
    """
    windows = {}

    def go(name, viewport=WIDE, dark=False, fragment=""):
        kind = viewport["width"], dark
        if kind in windows:
            windows.pop(kind).context.close()
        windows[kind] = Visit(browser, viewport, dark)
        windows[kind].open(site / f"{name}.html", fragment)
        return windows[kind]

    yield go
    for each in windows.values():
        each.context.close()
