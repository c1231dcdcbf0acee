"""One PDF of the whole book, out of the built pages.

    python tasks.py pdf [chapter ...] [--out FILE]

The pages are put behind each other into one, which Chromium prints: with an
outline, page numbers and links that lead to their place in the file. A live
figure is its picture, solutions and answers are open, and code that is folded
on a page is left to the notebooks. What is folded under the tag "on-paper" is
text: the page opens it where it is printed.
"""

import argparse
import logging
import os
import sys
from pathlib import Path
from urllib.parse import unquote

import chromium
import sheets
from bs4 import BeautifulSoup
from playwright.sync_api import sync_playwright
from pypdf import PdfWriter
from pypdf.generic import NameObject, TextStringObject
from tex import as_text
from toc import pages

WHOLE = "whole-book.html"  # beside the pages, while it is printed
LEFT_OUT = (
    "script, style, .headerlink, .copybtn, img.in-dark, "
    "details.hide:not(.tag_on-paper > details), "
    ".meaning, "
    ".pegasos-live > :not(.pegasos-pictures, .pegasos-printed), "
    "img.live-dark"
)
REFERS = ("id", "for", "aria-labelledby", "aria-describedby")
FOOT = """<div style="font-size: 8px; width: 100%; text-align: center">
<span class="pageNumber"></span></div>"""
STYLE = """
@page { size: A4; margin: 18mm 20mm 20mm; }
.whole-page ~ .whole-page { break-before: page; }
.bd-article { font-size: 10.5pt; padding: 0 !important; }
.bd-article h1 { display: block !important; }
.bd-article pre { font-size: 8pt; white-space: pre-wrap; }
h1, h2, h3, .admonition-title, caption { break-after: avoid; }
/* What may not be broken leaves a gap as high as itself, so it is lower than
   half a page. Listings, tables and solutions go on overleaf, though the
   theme would keep each of them whole. */
figure, mjx-container, tr, aside.margin { break-inside: avoid; }
:is(table, pre, .cell, .solution, [class*="highlight"]) {
  break-inside: auto !important;
}
.bd-article :is(pre, p) { orphans: 3; widows: 3; }
tr:nth-child(-n + 2) { break-after: avoid; }
tr:nth-last-child(-n + 2) { break-before: avoid; }
.bd-article img { max-height: 105mm; object-fit: contain; width: auto; }
.pst-scrollable-table-container { overflow: visible; }
.needs-room table { font-size: 7pt; }
.needs-room :is(th, td) { padding: 0.2rem; }
.bd-article .pegasos-pictures img { flex: 1 1 0; max-width: 60%; }
"""


HEADINGS = """() => [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")]
  .filter((heading) => heading.checkVisibility())
  .map((heading) => heading.textContent.trim().replace(/\\s+/g, " "))"""


def place(name, anchor=""):
    """What a page or an anchor on it is called in the whole book."""
    return f"{name}--{anchor}".replace("/", "-")


class Page:
    """The article of one built page, on its way into the whole book."""

    def __init__(self, site, name, names):
        self.site, self.name, self.names = site, name, names
        self.folder = (site / name).parent
        html = (site / f"{name}.html").read_text("utf-8")
        self.article = BeautifulSoup(html, "html.parser").select_one("article")

    def made(self):
        """The article with names, links and pictures as the book needs."""
        for one in self.article.select(LEFT_OUT):
            one.decompose()
        for solution in self.article.select(".dropdown"):
            solution["class"].remove("dropdown")
        for answer in self.article.select("details.sd-dropdown"):
            answer["open"] = ""
        # An outline has no room for drawn formulas.
        for formula in self.article.select(":is(h1, h2, h3, h4) .math"):
            tex = formula.get_text().removeprefix("\\(").removesuffix("\\)")
            formula.replace_with(as_text(tex))
        for name in REFERS:
            for one in self.article.select(f"[{name}]"):
                one[name] = place(self.name, one[name])
        for image in self.article.select("img[src]"):
            image["src"] = self.relative(image["src"])
            image["loading"] = "eager"
        for link in self.article.select("a[href]"):
            link["href"] = self.target(link["href"])
        self.article["id"] = place(self.name)
        self.article["class"].append("whole-page")
        return self.article

    def relative(self, address):
        if address.startswith("data:"):
            return address
        return os.path.relpath(self.folder / address, self.site)

    def target(self, address):
        """The place in the whole book, if the address is in it."""
        path, _, anchor = address.partition("#")
        if ":" in path:
            return address
        file = os.path.relpath(self.folder / unquote(path), self.site)
        name = file.removesuffix(".html") if path else self.name
        # A setting of a live figure is no place in the text.
        anchor = "" if "=" in anchor else anchor
        if name in self.names:
            return "#" + place(name, anchor)
        return "#" + place(self.names[0])


def whole_book(site, names):
    """One page that holds all, in the frame of the first."""
    first = site / f"{names[0]}.html"
    frame = BeautifulSoup(first.read_text("utf-8"), "html.parser")
    for one in frame.select(
        ".bd-header, .bd-sidebar-primary, .bd-sidebar-secondary, "
        ".bd-header-article, .prev-next-area, footer, #pst-skip-link, "
        "script[src*=pegasos-live], script[src*=vega], #jb-print-docs-body"
    ):
        one.decompose()
    for one in frame.select("[href], [src]"):
        for name in ("href", "src"):
            if one.get(name, "").startswith("../"):
                one[name] = one[name].removeprefix("../")
    old = frame.select_one("article")
    for name in names:
        old.insert_before(Page(site, name, names).made())
    old.decompose()
    frame.html["data-content_root"] = "./"
    frame.title.string = "Pegasos"
    # Which the first page does without.
    sheet = f"_static/{sheets.CHAPTER}"
    frame.head.append(frame.new_tag("link", rel="stylesheet", href=sheet))
    style = frame.new_tag("style")
    style.string = STYLE
    frame.head.append(style)
    return str(frame)


def print_book(site, names, out, program):
    whole = site / WHOLE
    whole.write_text(whole_book(site, names), "utf-8")
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=program, args=chromium.FLAGS
            )
            page = browser.new_page()
            page.set_default_timeout(0)
            page.goto(whole.as_uri())
            page.evaluate("() => MathJax.startup.promise")
            page.pdf(
                path=out,
                outline=True,
                tagged=True,
                prefer_css_page_size=True,
                display_header_footer=True,
                header_template="<span></span>",
                footer_template=FOOT,
            )
            titles = page.evaluate(HEADINGS)
            browser.close()
        name_outline(out, titles)
    finally:
        whole.unlink()


def entries(entry):
    """The entries of an outline below this one, in the order of the file."""
    below = entry.get("/First")
    while below is not None:
        below = below.get_object()
        yield below
        yield from entries(below)
        below = below.get("/Next")


def name_outline(file, titles):
    """Give the outline the words of the headings.

    Chromium joins the lines of a heading without a space, and names one twice
    that it has moved overleaf.
    """
    # Of Chromium's files pypdf says that they hold more than they tell.
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    writer = PdfWriter(clone_from=file)
    found = entries(writer.root_object["/Outlines"].get_object())
    for entry, title in zip(found, titles, strict=True):
        entry[NameObject("/Title")] = TextStringObject(title)
    writer.write(file)


def named(wanted):
    """The pages of these names, in the order of the book; all if none."""
    known = {name.rpartition("/")[2]: name for name in pages()}
    for name in wanted:
        if name not in known:
            sys.exit(f"There is no page {name!r}: expected one of {[*known]}.")
    return [page for name, page in known.items() if name in (wanted or known)]


def main(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("site", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("chapters", nargs="*")
    options = parser.parse_args(arguments)
    names = named(options.chapters)
    program = chromium.find()
    if program is None:
        sys.exit(f"No browser prints the book: {chromium.HOW_TO_GET_ONE}.")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    print_book(options.site.resolve(), names, options.out, program)
    print(f"The book is in {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
