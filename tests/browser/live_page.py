"""A page of our own with live figures, for what the book does not show."""

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = """<!doctype html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Live figures</title>
<link rel="stylesheet" href="live.css">
<style>
  body {{ font-family: sans-serif; margin: 1rem auto; max-width: 50rem; }}
  html[data-theme="dark"] body {{ background: #14181e; }}
</style>
<script type="text/x-vega" src="vega.js"></script>
<script defer src="live.js"></script>
</head>
<body><h1>Live figures</h1>{figures}</body>
</html>
"""

# As wide and as large as in a page of the book.
LIKE_THE_BOOK = """
  *, *::before, *::after { box-sizing: border-box }
  body { line-height: 1.5; margin: 0 auto; max-width: 43rem; padding: 0 1rem }
  button, input, select { font-family: inherit; font-size: inherit }
"""

# By how much each menu that is seen is wider than its longest choice needs.
ROOM_IN_MENUS = """() => [...document.querySelectorAll(
    "[data-pegasos] select")]
  .filter((menu) => menu.getClientRects().length)
  .map((menu) => {
    const twin = menu.cloneNode(true);
    twin.style.cssText = "width: max-content; justify-self: start";
    menu.after(twin);
    const needed = twin.getBoundingClientRect().width;
    twin.remove();
    return menu.getBoundingClientRect().width - needed;
  })"""

# Puts the controls at positions, one set after the other, and returns the
# full numbers after each has been drawn.
RUN = """async (settings) => {
  const host = document.querySelector("[data-pegasos]");
  const found = [];
  for (const positions of settings) {
    const done = new Promise((resolve) => host.addEventListener(
      "pegasos:drawn", resolve, { once: true }));
    for (const [key, position] of Object.entries(positions)) {
      const input = host.querySelector(`[data-key=${key}]`);
      if (input.tagName === "SELECT") input.selectedIndex = position;
      else input.value = position;
      input.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await done;
    found.push(Object.fromEntries(
      [...host.querySelectorAll("dd")].map(
        (dd) => [dd.dataset.key, Number(dd.dataset.value)])));
  }
  return found;
}"""


# Puts a state into the address, and returns the full numbers once drawn.
SET_STATE = """(state) => new Promise((done) => {
  const host = document.querySelector("[data-pegasos]");
  host.addEventListener("pegasos:drawn", () => done(Object.fromEntries(
    [...host.querySelectorAll("dd")].map((dd) =>
      [dd.dataset.key, Number(dd.dataset.value)]))), { once: true });
  location.hash = new URLSearchParams(state).toString();
})"""

# Resize events come before a frame is asked for, all in one frame.
NEXT_FRAME = """() => new Promise(
  (done) => requestAnimationFrame(() => requestAnimationFrame(done)))"""

# An observer that came later is told later than those of the page.
SEEN_WHAT_IS_NEAR = """() => new Promise((done) =>
  new IntersectionObserver(done).observe(document.body))"""

# Every chart is drawn as large as its box is now.
FITS = """() => [...document.querySelectorAll(".pegasos-panel")].every((e) =>
  !e.clientWidth || e.dataset.fits === `${e.clientWidth}×${e.clientHeight}`)"""

# Where every live figure of a page is: drawing, drawn or settled.
STATES = """() => [...document.querySelectorAll("[data-pegasos]")].map(
  (host) => host.dataset.state)"""


def wait_until_drawn(page):
    """All figures have started and show what their controls say."""
    page.evaluate("window.PegasosLive && PegasosLive.startAll()")
    page.wait_for_function(
        f"({STATES})().every((state) => state && state !== 'drawing')"
    )


def wait_until_settled(page):
    """The address and what is spoken have followed as well."""
    page.evaluate("window.PegasosLive && PegasosLive.startAll()")
    page.wait_for_function(
        f"({STATES})().every((state) => /settled|failed/.test(state))"
    )


def wait_until_it_fits(page):
    """All charts have heard of the size of their boxes."""
    page.evaluate(NEXT_FRAME)
    page.wait_for_function(FITS)


def touch(page, points):
    """A finger put on the first of these points, moved on and lifted."""
    sent = page.context.new_cdp_session(page)
    for k, (x, y) in enumerate(points):
        sent.send(
            "Input.dispatchTouchEvent",
            {
                "type": "touchMove" if k else "touchStart",
                "touchPoints": [{"x": x, "y": y}],
            },
        )
    sent.send(
        "Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []}
    )
    page.evaluate(NEXT_FRAME)


def offline():
    """The extension of the book that makes the scripts of its pages."""
    path = ROOT / "book" / "_ext" / "offline.py"
    spec = importlib.util.spec_from_file_location("offline", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def write_scripts(folder):
    """Write the scripts and the style sheet that every page shares."""
    book = offline()
    (folder / "vega.js").write_text(book.vega_script(), "utf-8")
    script = "\n".join(book.live_scripts().values())
    (folder / "live.js").write_text(script, "utf-8")
    (folder / "live.css").write_text(book.live_style(), "utf-8")


def write_page(folder, name, *figures, script=""):
    """Write a page with these figures and a script; return its path."""
    html = "\n".join(figure.page() for figure in figures)
    (folder / f"{name}.js").write_text(script, "utf-8")
    html += f'<script defer src="{name}.js"></script>'
    path = folder / f"{name}.html"
    path.write_text(PAGE.format(figures=html), "utf-8")
    return path
