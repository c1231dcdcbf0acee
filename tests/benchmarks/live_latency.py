"""How fast each live figure answers, and what the scripts weigh.

    python -m tests.benchmarks.live_latency [moves] [--figure NAME ...]

Every slider is dragged over its positions. The clock runs from its input
event until the figure is drawn (every Vega view has finished), and until the
next frame after that. On a busy machine that says little; the last column
does: what the page's own thread worked for a move, all tasks together, without
the times in which it had to wait.
"""

import argparse
import gzip
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser import chromium
from tests.browser.live_page import (
    wait_until_drawn,
    write_page,
    write_scripts,
)
from tests.live_figures import FIGURES

# Of script alone Chromium leaves out what goes on after an `await`, and with
# it all drawing.
WORK = "TaskDuration"

# To and fro over the positions, evenly, in so many moves.
DRAG = """async ([key, moves]) => {
  const host = document.querySelector("[data-pegasos]");
  const slider = host.querySelector(`input[data-key=${key}]`);
  const frame = () => new Promise(requestAnimationFrame);
  const drawn = [], painted = [], start = slider.value;
  for (let k = 1; k <= moves; k++) {
    await frame();
    const share = 1 - Math.abs(2 * k / moves - 1);
    slider.value = Math.round(share * slider.max);
    const done = new Promise((resolve) => host.addEventListener(
      "pegasos:drawn", resolve, { once: true }));
    const clock = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await done;
    drawn.push(performance.now() - clock);
    await frame();
    painted.push(performance.now() - clock);
  }
  slider.value = start;
  slider.dispatchEvent(new Event("input", { bubbles: true }));
  return { drawn, painted };
}"""


def spread(times):
    """Median and 95th percentile, in milliseconds."""
    return f"{statistics.median(times):6.1f} {percentile(times):6.1f}"


def percentile(times, percent=95):
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def weigh(folder):
    """Bytes of each file, as they are and compressed."""
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        small = len(gzip.compress(data))
        print(f"{path.name:12} {len(data):9,} bytes, {small:9,} gzipped")


def measure(page, clock, name, moves):
    """One line of the table for each slider of a figure."""
    for control in FIGURES[name]().controls:
        if control.names:
            continue
        page.evaluate(DRAG, [control.key, 20])  # warm up
        before = worked(clock)
        times = page.evaluate(DRAG, [control.key, moves])
        work = 1000 * (worked(clock) - before) / moves
        print(
            f"{name:13} {control.key:6} {spread(times['drawn'])}   "
            f"{spread(times['painted'])}   {work:6.2f}",
            flush=True,
        )


def worked(clock):
    """Seconds that the page's thread has worked so far."""
    found = clock.send("Performance.getMetrics")["metrics"]
    return next(each["value"] for each in found if each["name"] == WORK)


def main(names, moves):
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as runner:
        write_scripts(Path(folder))
        weigh(Path(folder))
        browser = runner.chromium.launch(
            executable_path=chromium.find(), args=chromium.FLAGS
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        clock = page.context.new_cdp_session(page)
        clock.send("Performance.enable", {"timeDomain": "threadTicks"})
        print(
            "In ms             drawn: median p95   next frame: median p95   "
            "worked"
        )
        for name in names:
            path = write_page(Path(folder), name, FIGURES[name]())
            page.goto(path.as_uri())
            wait_until_drawn(page)
            measure(page, clock, name, moves)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        prog="python -m tests.benchmarks.live_latency",
        description=__doc__.splitlines()[0],
    )
    parser.add_argument(
        "moves",
        nargs="?",
        type=int,
        default=100,
        help="how many times a slider is moved (default 100)",
    )
    parser.add_argument(
        "--figure",
        nargs="+",
        default=list(FIGURES),
        choices=list(FIGURES),
        help="the figures to measure (default all)",
    )
    options = parser.parse_args()
    main(options.figure, options.moves)
