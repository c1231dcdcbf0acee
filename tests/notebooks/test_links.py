"""Every link inside the built book leads to a page and to a place on it."""

import json
import re
import zipfile
from html import unescape
from urllib.parse import parse_qsl, unquote, urlsplit

import toc

import tasks
from pegasos_edu.grading.handed_out.package import PACKAGE

LINK = re.compile(r'\bhref="([^"]+)"')
# A name in lower case says what the page is for, in the words of a sentence.
SHORT_TITLE = re.compile(r"\{doc\}`([A-Z][^`<]*) <(\w+)>`")
PLACE = re.compile(r'\b(?:id|name)="([^"]+)"')


def lost(texts, read_other):
    """Links of pages, by name, that lead nowhere.

    A link to a setting, such as ``#t=7&phase=test``, needs a live figure on
    the page; one to ``#live-NAME`` a place of that name, as any other does.
    """
    places = {name: set(PLACE.findall(text)) for name, text in texts.items()}
    found = []
    for name, text in texts.items():
        for link in {unescape(one) for one in LINK.findall(text)}:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = resolved(name, unquote(parts.path))
            place = unquote(parts.fragment)
            if target not in texts:
                right = read_other(target)
            elif parse_qsl(place):
                right = "data-pegasos=" in texts[target]
            else:
                right = not place or place in places[target]
            if not right:
                found.append((name, link))
    return found


def resolved(name, path):
    """The name of what a path on a page leads to."""
    folder = name.split("/")[:-1]
    parts = path.split("/") if path else name.split("/")[-1:]
    for part in parts:
        if part == "..":
            folder = folder[:-1]
        elif part != ".":
            folder = [*folder, part]
    return "/".join(folder)


def test_every_link_inside_leads_somewhere(site):
    names = [f"{page}.html" for page in toc.pages()]
    texts = {name: (site / name).read_text("utf-8") for name in names}
    assert sum(map(len, map(LINK.findall, texts.values()))) > 5_000
    assert lost(texts, lambda name: (site / name).exists()) == []


def test_students_can_download_the_package(site, tmp_path, capfd):
    """The file that is handed out, byte for byte, from beside the page."""
    page = "book/students.html"
    links = LINK.findall((site / page).read_text("utf-8"))
    (link,) = {one for one in links if one.endswith(".whl")}
    assert not urlsplit(link).scheme
    offered = site / resolved(page, unquote(link))
    assert offered.name == PACKAGE
    again = tasks.make_package("build_wheel", tasks.WHEEL_INPUTS, tmp_path)
    assert capfd.readouterr().err == "", "making it warns"
    assert offered.read_bytes() == again.read_bytes()
    with zipfile.ZipFile(offered) as archive:
        for name in archive.namelist():
            assert str(tasks.ROOT).encode() not in archive.read(name), name


def test_a_lost_link_is_found():
    texts = {
        "a/one.html": '<h1 id="top"><a href="two.html#live-x"></a></h1>'
        '<a href="#top"></a><a href="../c.css"></a><a href="https://x#y"></a>',
        "a/two.html": '<p id="live-x" data-pegasos=></p><a href="#t=1"></a>',
    }
    assert lost(texts, {"c.css"}.__contains__) == []
    for old, new in (
        ("two.html#", "three.html#"),
        ("#live-x", "#live-y"),
        ('"#top"', '"#bottom"'),
        ("../c.css", "c.css"),
    ):
        one = texts["a/one.html"].replace(old, new)
        wrong = {**texts, "a/one.html": one}
        assert len(lost(wrong, {"c.css"}.__contains__)) == 1
    still = texts["a/two.html"].replace("data-pegasos=", "")
    assert lost({**texts, "a/two.html": still}, {"c.css"}.__contains__)


def test_a_short_title_of_a_chapter_begins_its_title():
    book = tasks.ROOT / "book"
    texts = [path.read_text("utf-8") for path in book.glob("*.ipynb")]
    named = {pair for text in texts for pair in SHORT_TITLE.findall(text)}
    assert len(named) >= 5
    titles = {page: first_line(book / f"{page}.ipynb") for _, page in named}
    assert {
        (short, page)
        for short, page in named
        if not titles[page].startswith(f"# {short}")
    } == set()


def first_line(path):
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return "".join(cells[0]["source"]).splitlines()[0]
