"""How long the built pages take to load from disk: median of a few loads.

    python -m tests.benchmarks.page_load [loads]

The goal is 1.0 s on an idle machine. Build the book first.
"""

import argparse
import statistics

from playwright.sync_api import sync_playwright

import tasks
from tests.browser import chromium

GOAL = 1.0
LOAD_SECONDS = """() => {
  const [load] = performance.getEntriesByType("navigation");
  return load.loadEventEnd / 1000;
}"""


def seconds(page, path, loads):
    """Median time until the page's load event has ended."""
    found = []
    for _ in range(loads):
        page.goto(path.as_uri(), wait_until="load")
        page.wait_for_function(f"({LOAD_SECONDS})() > 0")
        found.append(page.evaluate(LOAD_SECONDS))
    return statistics.median(found)


def main(loads):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.FLAGS
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for path in sorted((tasks.SITE / "book").rglob("*.html")):
            took = seconds(page, path, loads)
            late = "" if took <= GOAL else f"  over the goal of {GOAL} s"
            name = path.relative_to(tasks.SITE).as_posix()
            print(f"{took:6.2f} s  {name}{late}", flush=True)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.page_load",
        description=__doc__.splitlines()[0],
    )
    parser.add_argument(
        "loads",
        nargs="?",
        type=int,
        default=6,
        help="how many times each page is loaded (default 6)",
    )
    main(parser.parse_args().loads)
