"""Slides out of the built pages, a deck for every week.

    python tasks.py slides [chapter ...] [--out FOLDER]

A page of the book becomes slides by one rule. Each thing to see is a slide:
a figure, a formula on a line of its own, a theorem or another box, a table,
a listing, a result. Above it stands the heading of its section and the
sentence that leads to it; below a figure, its caption. A section with nothing
to see is a slide of the first sentences of its paragraphs. The page's goals
come first; what the reader can do now comes last but for the page's summary.
Code that makes a figure, proofs, solutions, catalogues and all that is folded
are left out, and so are the questions whose answers are. The whole text that
belongs to a slide stands in its notes, which the key "n" shows.

What the slides need is copied beside them, so the folder works from disk and
without a network.
"""

import argparse
import copy
import re
import shutil
import sys
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup

HERE = Path(__file__).resolve().parent
LECTURERS = HERE.parent / "lecturers.md"
WEEKS = ("## Twelve weeks", "## Three weeks")
# What scripts and styles of a page a slide needs.
NEEDED = re.compile(r"mathjax/|/vega-|pegasos-live|pygments\.css")
LIVE = "[data-pegasos]"
# Sections that are no subject of a lecture.
LEFT_OUT = {"further-reading", "test-yourself", "solution", "exercise"}
MOST_POINTS = 5
# A cell with more outputs, a table or a listing with more rows or letters is
# a catalogue, to be looked up.
MOST_OUTPUTS = 4
MOST_ROWS = 24
MOST_LETTERS = 1_800
# A sentence ends where the next begins with a capital or with a formula.
SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z]|<|\\)")
HEADING = re.compile(r"^h[1-6]$")
TAG = re.compile(r"<(/?)(\w+)[^>]*?(/?)>")
VOID = {"img", "br", "hr", "input"}

STYLE = """
:root { color-scheme: light; --ink: #1b1f24; --quiet: #59636e; }
* { box-sizing: border-box; }
html { scroll-snap-type: y proximity; background: white; }
body { margin: 0; font: 1.5rem/1.4 system-ui, sans-serif; color: var(--ink); }
.slide { min-height: 100vh; scroll-snap-align: start; padding: 2vh 6vw 3.5rem;
  position: relative; display: flex; flex-direction: column;
  break-after: page; overflow: hidden; }
.slide > h2 { font-size: 1em; color: var(--quiet); margin: 0 0 .6em;
  font-weight: 600; }
.body { flex: 1; display: flex; flex-direction: column;
  justify-content: center; gap: .6em; min-width: 0; }
.body > * { margin: 0; max-width: 100%; }
.first h1 { font-size: 1.8em; line-height: 1.2; margin: 0; }
.lead { max-width: 55rem; }
.points, .body > ul, .body > ol { padding-left: 1.2em; }
.points li, .body li { margin: .4em 0; }
.body li p { margin: 0; }
figure { text-align: center; }
.body img { max-width: 100%; max-height: 64vh; height: auto; width: auto; }
.big img { min-height: 58vh; max-height: 66vh; object-fit: contain; }
figcaption { font-size: .7em; color: var(--quiet); }
figcaption p { margin: 0; }
.math { font-size: 1.15em; }
.formula { overflow-x: auto; }
.math .math, p .math, li .math, .lead .math, td .math, th .math
  { font-size: 1em; }
mjx-container[display="true"] { margin: .4em 0 !important; }
.eqno { float: right; color: var(--quiet); font-size: .7em; }
.headerlink { display: none; }
.admonition { border: 2px solid #8c959f; border-radius: .4em;
  padding: .7em 1em; }
.admonition > .admonition-title, .first .admonition-title
  { font-weight: 700; margin: 0 0 .4em; }
.admonition p, .admonition ul, .admonition ol { margin: .3em 0; }
pre { margin: 0; font: .8em/1.35 ui-monospace, monospace; overflow: auto;
  background: #f6f8fa; padding: .8em 1em; border-radius: .4em; }
table { border-collapse: collapse; font-size: .85em; }
th, td { border-bottom: 1px solid #d0d7de; padding: .25em .8em;
  text-align: left; }
.pst-scrollable-table-container { overflow-x: auto; }
.live { font-size: 1rem; align-self: center; width: 100%; }
.live :is(.pegasos-title, .pegasos-tries) { display: none; }
.foot { position: absolute; bottom: .8rem; left: 6vw; right: 6vw;
  display: flex; justify-content: space-between; font-size: .8rem;
  color: var(--quiet); }
.notes { display: none; font-size: .75em; border-top: 1px solid #8c959f;
  padding: .6em 0 1.2em; max-width: 60rem; }
.notes.shown { display: block; }
a { color: inherit; }
@media (max-width: 700px) {
  body { font-size: 1.05rem; }
  .big img { min-height: 0; }
}
@media print {
  @page { size: 13.33in 7.5in; margin: 0; }
  .slide { height: 100vh; }
  .notes { display: none !important; }
}
"""
SCRIPT = """
"use strict";
const slides = [...document.querySelectorAll(".slide")];
// The slide in view: the one whose top is nearest to the window's.
function current() {
  const tops = slides.map((s) => Math.abs(s.getBoundingClientRect().top));
  return tops.indexOf(Math.min(...tops));
}
function show(number) {
  const target = slides[Math.max(0, Math.min(slides.length - 1, number))];
  target.scrollIntoView();
}
// What is too tall for the window becomes smaller, down to a readable size.
function fit() {
  for (const slide of slides) {
    if (slide.querySelector(".live")) continue;  // see below
    slide.style.fontSize = "";
    for (let size = 0.95; size > 0.5 && slide.scrollHeight > innerHeight + 1
        && !slide.querySelector(".notes.shown"); size -= 0.05) {
      slide.style.fontSize = `${size}em`;
    }
  }
}
// A live figure is drawn a moment later, and as tall as its width asks for.
const narrower = new ResizeObserver((seen) => {
  for (const { target } of seen) {
    const tall = target.closest(".slide").scrollHeight > innerHeight + 1;
    if (tall && target.offsetWidth > 640) {
      target.style.width = `${0.96 * target.offsetWidth}px`;
    }
  }
});
document.querySelectorAll(".live").forEach((live) => narrower.observe(live));
addEventListener("resize", () => {
  document.querySelectorAll(".live").forEach((live) => {
    live.style.width = "";
  });
});
const steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1,
  ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
addEventListener("keydown", (event) => {
  // A figure's own controls keep their keys.
  const busy = event.target.closest(
    "input, select, button, textarea, [tabindex]");
  if (busy || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key in steps) show(current() + steps[event.key]);
  else if (event.key === "Home") show(0);
  else if (event.key === "End") show(slides.length - 1);
  else if (event.key === "n") {
    const here = current();
    document.querySelectorAll(".notes").forEach(
      (notes) => notes.classList.toggle("shown"));
    fit();
    show(here);
  } else return;
  event.preventDefault();
});
addEventListener("resize", fit);
addEventListener("load", async () => {
  if (window.MathJax) await MathJax.startup.promise;
  fit();
  document.documentElement.dataset.fitted = "";
});
"""
PAGE = """<!doctype html>
<html lang="en" data-theme="light">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
{head}
<style>{style}</style>
<main>
{slides}
</main>
<script>{script}</script>
</html>
"""


# Words


def plain(element):
    """An element's text in one line, without the marks of links."""
    element = copy.copy(element)
    for mark in element.select(".headerlink, .section-number"):
        mark.decompose()
    return " ".join(element.get_text().split())


def balanced(html):
    """Whether every tag that is opened is closed."""
    open_tags = []
    for closes, name, alone in TAG.findall(html):
        if closes:
            if not open_tags or open_tags.pop() != name:
                return False
        elif not alone and name not in VOID:
            open_tags.append(name)
    return not open_tags


def sentences(html):
    """The sentences of a paragraph; no tag and no formula is cut.

    >>> sentences("One. <em>Two. Three</em> end. Four?")
    ['One.', '<em>Two. Three</em> end.', 'Four?']
    """
    found: list[str] = []
    for piece in SENTENCE_END.split(html.strip()):
        if found and not balanced(found[-1]):
            found[-1] += " " + piece
        else:
            found.append(piece)
    return found


# From a page to slides


class Slide:
    """One idea: what is shown, what leads to it, and the notes."""

    def __init__(self, heading, body, notes="", kind=""):
        self.heading = heading
        self.body = body
        self.notes = notes
        self.kind = kind

    def html(self, foot):
        heading = f"<h2>{self.heading}</h2>" if self.heading else ""
        notes = f'<aside class="notes">{self.notes}</aside>'
        return (
            f'<section class="slide {self.kind}">{heading}'
            f'<div class="body">{self.body}</div>'
            f'{notes if self.notes else ""}<p class="foot">{foot}</p>'
            f"</section>"
        )


def heading_of(section):
    """The heading of a section as HTML, without number and link."""
    head = copy.copy(section.find(HEADING, recursive=False))
    for mark in head.select(".headerlink, .section-number"):
        mark.decompose()
    return head.decode_contents().strip()


def things(block):
    """What there is to see in a block of a page, each with its kind."""
    classes = set(block.get("class", []))
    if "cell" in classes:
        outputs = block.select(".cell_output > *")
        if len(outputs) <= MOST_OUTPUTS:
            pairs = [(kind_of_output(output), output) for output in outputs]
            yield from (pair for pair in pairs if pair[0])
    elif "math" in classes:
        yield "formula", block
    elif classes & {"admonition", "proof"}:
        # A theorem says in its class what it is; a proof says nothing.
        if not classes & LEFT_OUT and classes - {"proof", "admonition"}:
            yield "box", block
    elif block.name == "figure":
        yield "picture", block
    elif block.find("tr") and not is_catalogue(block):
        yield "table", block


def is_catalogue(thing):
    """Whether a table or a listing is to be looked up, not to be shown."""
    rows = len(thing.select("tr")) or thing.get_text().strip().count("\n")
    return rows > MOST_ROWS or len(plain(thing)) > MOST_LETTERS


def kind_of_output(output):
    """What an output of a cell is, or "" if it is no thing to see."""
    text = output.get_text().strip()
    if output.select_one(LIVE):
        return "live"
    if output.name == "figure" or output.find("img"):
        return "picture"
    if not text or is_catalogue(output):
        return ""
    # A single line is read in the text, not on a slide.
    is_line = "stream" in output.get("class", []) and "\n" not in text
    return "" if is_line else "result"


def slides_of_section(section):
    """The slides of one section, those below it not included."""
    heading, found = heading_of(section), []
    lead, notes, points = "", "", []
    for block in section.find_all(recursive=False):
        if block.name == "section" or HEADING.match(block.name):
            continue
        seen = list(things(block))
        if not seen and block.name in ("p", "ul", "ol", "dl"):
            notes += str(block)
            points += points_of(block)
            text = block.decode_contents()
            lead = sentences(text)[-1] if block.name == "p" else ""
        for kind, thing in seen:
            # A live figure needs the whole window.
            led = lead and kind != "live"
            body = f'<p class="lead">{lead}</p>' if led else ""
            found.append(Slide(heading, body + shown(kind, thing), notes))
            lead = notes = ""
    if not found and points:
        body = "".join(f"<li>{point}</li>" for point in points[:MOST_POINTS])
        found.append(Slide(heading, f'<ul class="points">{body}</ul>', notes))
    elif found:
        # What is said of the last thing belongs to it.
        found[-1].notes += notes
    return found


def points_of(block):
    """The sentences that stand for a block where nothing is to see."""
    if block.name == "p":
        return sentences(block.decode_contents())[:1]
    return [item.decode_contents() for item in block.select("li")]


def shown(kind, thing):
    """A thing as a slide shows it."""
    place = {"picture": "big", "live": "live"}.get(kind, kind)
    return f'<div class="{place}">{thing}</div>'


def slides_of_page(article):
    """All slides of a page, from its goals to its summary."""
    top = article.find("section")
    title = heading_of(top)
    goals = top.select_one(".tip.admonition")
    first = f"<h1>{title}</h1>{goals or ''}"
    found = [Slide("", first, kind="first")]
    summary = top.select_one(".important.admonition")
    for box in (goals, summary):
        if box:
            box.extract()
    found += slides_of_section(top)
    for section in top.find_all("section"):
        if not has_heading(section) or section.get("id") in LEFT_OUT:
            continue
        if section.get("id") == "exercises":
            titles = section.select(".exercise > .admonition-title")
            body = "".join(f"<li>{t.decode_contents()}</li>" for t in titles)
            if body:
                body = f'<ul class="points">{body}</ul>'
                found.append(Slide("Exercises", body))
        else:
            found += slides_of_section(section)
    if summary:
        found.append(Slide(title, shown("box", summary)))
    return found


# Files


def tidy(article):
    """Drop what works in the book only: links within it, marks, ids.

    Slides are light, so the dark one of two pictures goes as well.
    """
    dropped = ".headerlink, script, .cell_input, details, img.in-dark, "
    dropped += "img.live-dark, .pegasos-printed"
    for mark in article.select(dropped):
        mark.decompose()
    for box in article.select(".picture-first"):
        box.unwrap()  # its cells are blocks of the page like others
    for link in article.select("a"):
        if not link.get("href", "").startswith(("http:", "https:")):
            link.unwrap()
    for element in article.select("[id]"):
        # A deck has several pages, and would have an id several times.
        if not (has_heading(element) or element.find_parent(is_live)):
            del element["id"]
    return article


def has_heading(element):
    """Whether it is a section of the chapter, not the inside of a box."""
    return (
        element.name == "section"
        and element.find(HEADING, recursive=False) is not None
    )


def is_live(element):
    return element.has_attr("data-pegasos")


def read_page(site, name):
    """The article of a chapter, and what its head asks for."""
    path = site / "book" / f"{name}.html"
    if not path.exists():
        known = sorted(page.stem for page in (site / "book").glob("*.html"))
        sys.exit(
            f"There is no chapter {name}; expected one of {', '.join(known)}."
        )
    soup = BeautifulSoup(path.read_text("utf-8"), "html.parser")
    head = []
    for element in soup.select("script, link[rel=stylesheet]"):
        address = element.get("src") or element.get("href") or ""
        if NEEDED.search(address) or "window.MathJax =" in element.text:
            head.append(str(element))
    return tidy(soup.select_one("article.bd-article, article")), head


def copied(html, site, out):
    """The HTML with its files beside it: addresses are changed to these."""

    def take(match):
        mark, address = match[1], match[2].partition("?")[0]
        source = (site / "book" / address).resolve()
        name = source.relative_to(site.resolve()).as_posix()
        target = out / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if "mathjax" in source.parts:  # asks for the rest itself
            shutil.copytree(source.parent, target.parent, dirs_exist_ok=True)
        else:
            shutil.copyfile(source, target)
        return f'{mark}="{name}"'

    return re.sub(r'(src|href)="(\.\./[^"]+)"', take, html)


def write_deck(site, out, name, title, chapters, hand_out=""):
    """Write one deck; how many slides it has."""
    found, head = [], []
    for chapter in chapters:
        article, asks = read_page(site, chapter)
        found += slides_of_page(article)
        head += [line for line in asks if line not in head]
    if hand_out:
        body = f"<p>Hand out: {escape(hand_out)}</p>"
        found.append(Slide("This week", body))
    parts = [
        slide.html(
            f"<span>{escape(title)}</span><span>{i} / {len(found)}</span>"
        )
        for i, slide in enumerate(found, start=1)
    ]
    text = PAGE.format(
        title=escape(title),
        head="\n".join(head),
        style=STYLE,
        script=SCRIPT,
        slides="\n".join(parts),
    )
    (out / f"{name}.html").write_text(copied(text, site, out), "utf-8")
    return len(found)


def weeks(text):
    """The twelve weeks of the lecturers' page.

    Parameters
    ----------
    text : str
        The page in Markdown.

    Returns
    -------
    list of (number, chapters, what is handed out)
    """
    table = text.split(WEEKS[0], 1)[1].split(WEEKS[1], 1)[0]
    rows = re.findall(r"^\* - (\d+)\n  - (.*)\n  -(.*)$", table, re.M)
    return [
        (int(week), re.findall(r"\{doc\}`(\w+)`", chapters), given.strip())
        for week, chapters, given in rows
    ]


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python tasks.py slides")
    parser.add_argument("site", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("chapters", nargs="*")
    options = parser.parse_args(arguments)
    decks = [
        (name, f"Pegasos: {name}", [name], "") for name in options.chapters
    ] or [
        (f"week-{week:02}", f"Pegasos, week {week}", chapters, given)
        for week, chapters, given in weeks(LECTURERS.read_text("utf-8"))
    ]
    options.out.mkdir(parents=True, exist_ok=True)
    for name, title, chapters, given in decks:
        count = write_deck(
            options.site, options.out, name, title, chapters, given
        )
        print(f"{options.out / name}.html: {count} slides", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
