"""How fast the live figure answers, and what it weighs.

    python -m tests.benchmarks.live_latency [moves]

The clock runs from the input event of a slider until the figure is drawn
(every Vega view has finished), and until the next frame after that.
"""

import argparse
import gzip
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from pegasos_edu.live.pegasos import explore
from tests.browser import chromium
from tests.browser.live_page import write_page, write_scripts

MOVE = """async ([key, moves]) => {
  const host = document.querySelector("[data-pegasos]");
  const slider = host.querySelector(`input[data-key=${key}]`);
  const frame = () => new Promise(requestAnimationFrame);
  const drawn = [], painted = [];
  for (let k = 0; k < moves; k++) {
    await frame();
    slider.value = key === "T" ? +slider.max - k % 2 : 10 + k % 40;
    const done = new Promise((resolve) => host.addEventListener(
      "pegasos:drawn", resolve, { once: true }));
    const start = performance.now();
    slider.dispatchEvent(new Event("input", { bubbles: true }));
    await done;
    drawn.push(performance.now() - start);
    await frame();
    painted.push(performance.now() - start);
  }
  return { drawn, painted };
}"""


def spread(times):
    """Median and 95th percentile, in milliseconds."""
    return f"{statistics.median(times):5.1f} / {percentile(times):5.1f} ms"


def percentile(times, percent=95):
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def weigh(folder):
    """Bytes of each file, as they are and compressed."""
    for path in sorted(folder.iterdir()):
        data = path.read_bytes()
        small = len(gzip.compress(data))
        print(f"{path.name:12} {len(data):9,} bytes, {small:9,} gzipped")


def measure(page, moves):
    page.evaluate(MOVE, ["lam", 30])  # warm up
    for key in ("lam", "T", "seed"):
        times = page.evaluate(MOVE, [key, moves])
        print(
            f"{key:5} median / p95: drawn {spread(times['drawn'])}, "
            f"next frame {spread(times['painted'])}"
        )


def main(moves):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_scripts(folder)
        path = write_page(folder, "page", explore(T=100_000))
        weigh(folder)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=chromium.find(), args=chromium.FLAGS
            )
            page = browser.new_page(viewport={"width": 1280, "height": 900})
            start = time.perf_counter()
            page.goto(path.as_uri())
            page.locator("dd[data-value]").first.wait_for()
            print(f"usable after {time.perf_counter() - start:.2f} s")
            measure(page, moves)
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
        default=200,
        help="how many times a slider is moved (default 200)",
    )
    main(parser.parse_args().moves)
