"""What Python in the page costs: seconds, bytes and memory.

    python -m tests.benchmarks.python_in_page [runs]

Beside each number stands its goal on an idle machine. Build the pages first:
python tasks.py book --python. Cold is a browser that never saw the page, warm
the same one started again.
"""

import argparse
import statistics
import sys
import tempfile

import psutil
from playwright.sync_api import sync_playwright

import tasks
from pegasos_edu import explore
from tests.browser import chromium

sys.path.insert(0, str(tasks.EXTENSIONS))

from live_code.make import CHECK, HEAD

from tests.browser import kit

PAGE = "book/pegasos.html"
WEIGHED = [PAGE, "book/assignments/a1.html"]
T = 10_000
OWN, WHOLE = "memory of the renderer", "the same with what it shares"
SEE = """
from pegasos_edu import explore
explore(solver=my_pegasos)
"""
# Seconds from the click until Python is ready. The clicked cell, the stub of
# the page, then runs to its end: seconds until the reader has its result.
READY = """async () => {
  const start = performance.now();
  const shown = document.querySelector(".pegasos-own .pegasos-shown");
  new MutationObserver((_, observer) => {
    if (!/done|error/.test(shown.dataset.state)) return;
    observer.disconnect();
    window.firstResult = (performance.now() - start) / 1000;
  }).observe(shown, { attributes: true });
  document.querySelector(".pegasos-own .pegasos-button").click();
  await PegasosPython.start();
  return (performance.now() - start) / 1000;
}"""
RESULT = "() => window.firstResult"
RUN = """(code) => new Promise((done) => {
  const own = document.querySelector(".pegasos-own");
  const area = own.querySelector("textarea");
  const shown = own.querySelector(".pegasos-shown");
  area.value = code;
  area.dispatchEvent(new Event("input"));
  const start = performance.now();
  new MutationObserver((_, observer) => {
    if (shown.dataset.state !== "done") return;
    observer.disconnect();
    done((performance.now() - start) / 1000);
  }).observe(shown, { attributes: true });
  own.querySelector(".pegasos-button").click();
})"""
# Seconds until the figure shows the reader's solver after so many steps.
CURVE = """(place) => new Promise((done) => {
  const host = [...document.querySelectorAll("[data-pegasos]")].find(
    (one) => JSON.parse(one.dataset.pegasos).name === "pegasos");
  const start = performance.now();
  host.addEventListener("pegasos:drawn", () =>
    done((performance.now() - start) / 1000), { once: true });
  const slider = host.querySelector("input[data-key=T]");
  slider.value = place;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
})"""


def places_of_steps():
    """Where the figure's slider stands at 1,000 and at T steps."""
    (steps,) = (one for one in explore().controls if one.key == "T")
    return [steps.values.index(number) for number in (1000, T)]


def open_page(playwright, profile, address, name=PAGE):
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=chromium.find(), args=chromium.FLAGS
    )
    page = context.new_page()
    page.set_default_timeout(600_000)
    page.bytes = 0

    def count(response):
        page.bytes += int(response.headers.get("content-length", 0))

    page.on("response", count)
    page.goto(f"{address}/{name}", wait_until="networkidle")
    return context, page


def renderer_megabytes():
    """Of the largest renderer: its own memory, and with what it shares.

    All of a browser's processes share its program, some 140 MB.
    """
    found = [
        process.memory_full_info()
        for process in psutil.Process().children(recursive=True)
        if "--type=renderer" in process.cmdline()
    ]
    return [
        max(getattr(one, kind) for one in found) / 2**20
        for kind in ("uss", "rss")
    ]


def measure(playwright, address):
    """Numbers of one reader, by their name."""
    found = {}
    with tempfile.TemporaryDirectory() as profile:
        for name in ("cold", "warm"):
            context, page = open_page(playwright, profile, address)
            found[f"click to ready, {name}"] = page.evaluate(READY)
            page.wait_for_function(RESULT)
            found[f"click to the result, {name}"] = page.evaluate(RESULT)
            if name == "cold":
                page.evaluate(kit.KEPT)
                context.close()
        checks = [
            page.evaluate(RUN, HEAD + kit.RIGHT + CHECK) for _ in range(5)
        ]
        found["check of A1"] = statistics.median(checks)
        page.evaluate(RUN, HEAD + kit.RIGHT + SEE)
        page.get_by_text("See your solver").click()
        page.get_by_text("Drawn by your solver.").wait_for()
        few, many = places_of_steps()
        curves = []
        for _ in range(5):
            page.evaluate(CURVE, few)
            curves.append(page.evaluate(CURVE, many))
        found[f"own curve at T = {T:,}"] = statistics.median(curves)
        found[OWN], found[WHOLE] = renderer_megabytes()
        context.close()
    return found


def weight(playwright, site, name):
    """Kilobytes that a page asks for before the first Run."""
    with kit.served(site) as address, tempfile.TemporaryDirectory() as profile:
        context, page = open_page(playwright, profile, address, name)
        context.close()
        return page.bytes / 1000


GOALS = {
    "click to ready, cold": (6, "s"),
    "click to ready, warm": (4, "s"),
    # What is late would show here.
    "click to the result, cold": (None, "s"),
    "click to the result, warm": (None, "s"),
    "check of A1": (0.3, "s"),
    f"own curve at T = {T:,}": (0.5, "s"),
    OWN: (600, "MB"),
    WHOLE: (600, "MB"),
}


def main(runs):
    with sync_playwright() as playwright:
        with kit.served(tasks.PYTHON_SITE) as address:
            found = [measure(playwright, address) for _ in range(runs)]
        for name, (goal, unit) in GOALS.items():
            values = sorted(one[name] for one in found)
            wanted = f"goal {goal}; " if goal else ""
            print(
                f"{name}: {statistics.median(values):.2f} {unit} ({wanted}"
                f"{values[0]:.2f} to {values[-1]:.2f})"
            )
        for page in WEIGHED:
            without, with_cells = (
                weight(playwright, site, page)
                for site in (tasks.SITE, tasks.PYTHON_SITE)
            )
            print(
                f"{page} before Run: {with_cells:,.1f} KB, in the ordinary "
                f"book {without:,.1f} KB"
            )
    script = tasks.PYTHON_SITE / "_static" / "python" / "cells.js"
    print(f"own script: {script.stat().st_size / 1000:.1f} KB (goal 25)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.python_in_page",
        description=__doc__.splitlines()[0],
    )
    parser.add_argument(
        "runs",
        nargs="?",
        type=int,
        default=5,
        help="how many new browsers it is measured in (default 5)",
    )
    main(parser.parse_args().runs)
