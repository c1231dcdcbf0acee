"""Says which pages look otherwise than when somebody last looked at them.

    python -m tests.browser.looks [pages] [--keep]

Every page of the built book is photographed wide, on a dark phone and as
paper, its live figures running. The pictures go to `_build/looks`, for eyes.
What is kept of each, in `looks.npz` beside this file, is a coarse copy: the
mean brightness of squares of 32 pixels, enough to see that a figure or a
line moved. `--keep` makes what is there now the new copy: use it when you
have looked. A machine with other fonts sees differences everywhere, so this
is a command and no test.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

import tasks
from tests.browser import chromium, live_page
from tests.browser.conftest import PHONE, WIDE, new_page

KEPT = Path(__file__).with_name("looks.npz")
PICTURES = tasks.BUILD / "looks"
# How a page is photographed: the window, the medium, the colours.
FORMS = {
    "wide": (WIDE, "screen", "light"),
    "phone": (PHONE, "screen", "dark"),
    "paper": (WIDE, "print", "light"),
}
SQUARE = 32
# Pages are long, and their pictures our own: none is a bomb.
Image.MAX_IMAGE_PIXELS = None
# Brightness, of 255, by which a square has to differ: smoothed edges of
# letters differ by less, a letter more or less by more.
SEEN = 6


# Pictures far down the page are loaded when a reader comes near.
LOAD_ALL = """() => Promise.all([...document.images].map((picture) => {
  picture.loading = "eager";
  return picture.decode();
}))"""


def built():
    """The names of all built pages of the book, as in _toc.yml."""
    pages = (tasks.SITE / "book").rglob("*.html")
    names = [page.relative_to(tasks.SITE) for page in pages]
    return sorted(name.with_suffix("").as_posix() for name in names)


def coarse(path):
    """A picture as the mean brightness of its squares."""
    with Image.open(path) as picture:
        return np.asarray(picture.convert("L").reduce(SQUARE))


def difference(kept, now):
    """What is different, in words; "" if nothing is.

    Examples
    --------
    >>> before, now = np.zeros((4, 2), np.uint8), np.zeros((4, 2), np.uint8)
    >>> now[3, 1] = 200
    >>> difference(before, now)
    '1 square of 8, the first 96 pixels down'
    >>> difference(before, now[:3])
    '32 pixels lower'
    """
    if kept.shape[1] != now.shape[1]:
        return "another width"
    taller = SQUARE * (len(now) - len(kept))
    rows = min(len(kept), len(now))
    before, after = kept[:rows].astype(int), now[:rows].astype(int)
    moved = abs(before - after) >= SEEN
    said = []
    if taller:
        way = "higher" if taller > 0 else "lower"
        said.append(f"{abs(taller)} pixels {way}")
    if moved.any():
        number = int(moved.sum())
        first = SQUARE * int(moved.any(axis=1).argmax())
        said.append(
            f"{number} square{'s' if number > 1 else ''} of {moved.size}, "
            f"the first {first} pixels down"
        )
    return "; ".join(said)


def photograph(page, name, form):
    """A picture of a whole page, its figures drawn; the picture's path."""
    viewport, medium, scheme = FORMS[form]
    path = PICTURES / form / f"{name.replace('/', '-')}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    page.set_viewport_size(viewport)
    page.emulate_media(
        media="screen", color_scheme=scheme, reduced_motion="reduce"
    )
    page.goto((tasks.SITE / f"{name}.html").as_uri(), wait_until="load")
    page.evaluate("() => window.MathJax ? MathJax.startup.promise : null")
    page.evaluate(LOAD_ALL)
    live_page.wait_until_settled(page)
    page.emulate_media(
        media=medium, color_scheme=scheme, reduced_motion="reduce"
    )
    page.screenshot(path=path, full_page=True, animations="disabled")
    return path


def look(browser, names):
    """The coarse copy of each page in each form, by "form page"."""
    found = {}
    for form in FORMS:
        page = new_page(browser)
        for name in names:
            path = photograph(page, name, form)
            found[f"{form} {name}"] = coarse(path)
        page.context.close()
    return found


def report(found):
    """Print what differs from what was kept; whether anything does."""
    kept = np.load(KEPT) if KEPT.exists() else {}
    lines = []
    for key, now in found.items():
        said = difference(kept[key], now) if key in kept else "not kept yet"
        if said:
            lines.append(f"{key}: {said}")
    print("\n".join(lines) or f"{len(found)} pictures look as they did.")
    return bool(lines)


def keep(found, everything):
    """These are the looks from now on; of all pages, or of these too."""
    kept = {} if everything or not KEPT.exists() else dict(np.load(KEPT))
    np.savez_compressed(KEPT, **{**kept, **found})


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python -m tests.browser.looks",
        description=__doc__.splitlines()[0],
    )
    parser.add_argument("pages", nargs="*", help="as in _toc.yml: book/regret")
    parser.add_argument(
        "--keep", action="store_true", help="these are the looks from now on"
    )
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.pages) - set(built()))
    if unknown:
        parser.error(f"not a built page: {', '.join(unknown)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium.find(), args=chromium.FLAGS
        )
        found = look(browser, options.pages or built())
        browser.close()
    differs = report(found)
    print(f"The pictures are in {PICTURES.relative_to(tasks.BUILD.parent)}.")
    if options.keep:
        keep(found, everything=not options.pages)
        return 0
    return int(differs)


if __name__ == "__main__":
    sys.exit(main())
