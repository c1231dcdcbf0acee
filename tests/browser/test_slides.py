"""The decks made from the built pages, opened from disk."""

import importlib.util
import re
import shutil

import pytest
from bs4 import BeautifulSoup

import tasks
from tests.browser.conftest import PATIENCE, new_page

SIZE = {"width": 1280, "height": 720}
FITTED = "html[data-fitted]"
STATE = """() => slides.map((slide, i) => ({
  number: i + 1,
  tall: slide.scrollHeight - innerHeight,
  wide: Math.max(...[...slide.querySelectorAll("img, mjx-container, table")]
    .map((e) => e.getBoundingClientRect().right), 0) - innerWidth,
  size: parseFloat(slide.style.fontSize || "1"),
  empty: !slide.querySelector(".body").innerText.trim()
    && !slide.querySelector(".body img, .body svg"),
}))"""
RAW = """() => slides.filter(
  (slide) => /\\\\\\(|\\\\\\[|\\$\\$/.test(slide.innerText)).length"""


def load():
    path = tasks.ROOT / "book" / "_ext" / "slides.py"
    spec = importlib.util.spec_from_file_location("slides", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


slides = load()
WEEKS = slides.weeks(slides.LECTURERS.read_text("utf-8"))
DECKS = [f"week-{week:02}" for week, _, _ in WEEKS]


@pytest.fixture(scope="module")
def decks(site, tmp_path_factory):
    """The folder of all decks, away from the book."""
    made = tmp_path_factory.mktemp("made") / "slides"
    assert slides.main([str(site), str(made)]) == 0
    moved = tmp_path_factory.mktemp("stick") / "lecture"
    return shutil.move(made, moved)


@pytest.fixture(scope="module")
def page(browser):
    """A page, with what it asks for and what it complains of."""
    page = new_page(browser, viewport=SIZE)
    page.asked, page.complaints = [], []
    page.on("request", lambda sent: page.asked.append(sent.url))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            said.type == "error" and page.complaints.append(said.text)
        ),
    )
    yield page
    page.context.close()


def open_deck(page, folder, name):
    page.asked.clear()
    page.complaints.clear()
    page.goto((folder / f"{name}.html").as_uri())
    page.wait_for_selector(FITTED, state="attached", timeout=PATIENCE)


def test_the_weeks_are_those_of_the_lecturers_page():
    assert [week for week, _, _ in WEEKS] == list(range(1, 13))
    assert WEEKS[3] == (4, ["pegasos"], "A1")
    assert WEEKS[5][1] == ["log_loss", "text", "choosing_lambda"]
    assert all(chapters for _, chapters, _ in WEEKS)


@pytest.mark.parametrize("name", DECKS)
def test_a_deck_opens_from_disk_and_fits(decks, page, name):
    open_deck(page, decks, name)
    here = decks.as_uri() + "/"
    outside = [
        url for url in page.asked if not url.startswith((here, "data:"))
    ]
    assert outside == [] and page.complaints == []
    assert page.evaluate(RAW) == 0
    states = page.evaluate(STATE)
    assert len(states) >= 10
    for state in states:
        assert state["tall"] <= 1 and state["wide"] <= 1, state
        assert state["size"] >= 0.55 and not state["empty"], state


@pytest.mark.parametrize(
    "week, chapters, hand_out", WEEKS, ids=[str(week[0]) for week in WEEKS]
)
def test_a_deck_has_its_chapters_from_goals_to_end(
    decks, site, week, chapters, hand_out
):
    text = (decks / f"week-{week:02}.html").read_text("utf-8")
    assert text.count('class="slide first"') == len(chapters)
    lists = {"errata", "ledger"}
    assert text.count("What you can do now</h2>") >= len(set(chapters) - lists)
    assert f"Hand out: {hand_out}" in text or not hand_out
    for chapter in chapters:
        source = (site / "book" / f"{chapter}.html").read_text("utf-8")
        boxes = re.findall(r'class="proof (theorem|lemma) ', source)
        assert len(
            re.findall(r'class="proof (?:theorem|lemma) ', text)
        ) >= len(boxes)
    assert "cell_input" not in text and "Solution to" not in text
    assert ">What happens<" not in text and "Question 1." not in text


ARTICLE = """<article><section><h1>Steps</h1>
<div class="tip admonition"><ul><li>do it.</li></ul></div>
<section id="see"><h2>To see</h2>
<div class="hint admonition"><p>Is it long?</p></div>
<details class="sd-dropdown"><summary>What happens</summary>It is.</details>
</section>
<section id="test-yourself"><h2>Test yourself</h2><p>Question 1. Two?</p>
<details class="sd-dropdown"><summary>Yes</summary>Yes.</details></section>
<section id="exercises"><h2>Exercises</h2>
<div class="exercise"><p class="admonition-title">By hand</p></div>
<div class="important admonition"><p>Short.</p></div></section>
<section id="now"><h2>Now</h2><ul><li>You can.</li></ul></section>
</section></article>"""


def test_a_deck_asks_before_it_shows_and_ends_with_the_summary():
    article = BeautifulSoup(ARTICLE, "html.parser")
    found = slides.slides_of_page(slides.tidy(article))
    headings = [slide.heading for slide in found]
    assert headings == ["", "To see", "Exercises", "Now", "Steps"]
    bodies = [BeautifulSoup(s.body, "html.parser").get_text() for s in found]
    assert [body.strip() for body in bodies[1:]] == [
        "Is it long?",
        "By hand",
        "You can.",
        "Short.",
    ]


def test_no_proof_and_every_figure_that_is_not_folded(decks, site):
    text = (decks / "week-10.html").read_text("utf-8")
    source = (site / "book" / "regret.html").read_text("utf-8")
    article = BeautifulSoup(source, "html.parser").article
    article.find(id="exercises").extract()
    folded = [image["src"] for image in article.select("details img.in-light")]
    open_ones = [
        image["src"].rpartition("/")[2]
        for image in article.select("img.in-light")
        if image["src"] not in folded
    ]
    assert folded and not any(src.rpartition("/")[2] in text for src in folded)
    assert len(open_ones) >= 4 and all(name in text for name in open_ones)
    assert article.select("img.in-dark") and "in-dark" not in text
    assert "Proof." in source
    bodies = re.sub(r'<aside class="notes">.*?</aside>', "", text, flags=re.S)
    assert "Proof." not in bodies


def test_keys_turn_the_slides_and_show_the_notes(decks, page):
    open_deck(page, decks, "week-01")
    assert page.evaluate("current()") == 0
    for key, expected in [
        ("ArrowRight", 1),
        ("PageDown", 2),
        ("ArrowLeft", 1),
        ("End", page.evaluate("slides.length") - 1),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        page.wait_for_function(f"current() === {expected}")
    assert page.locator(".notes >> visible=true").count() == 0
    page.keyboard.press("n")
    assert page.locator(".notes >> visible=true").count() > 5


def test_a_figures_own_keys_are_its_own(decks, page):
    open_deck(page, decks, "week-04")
    slider = page.locator("input[type=range]").first
    slider.focus()
    before = page.evaluate("current()"), slider.input_value()
    page.keyboard.press("ArrowRight")
    after = page.evaluate("current()"), slider.input_value()
    assert after[0] == before[0] and after[1] != before[1]


def test_decks_of_chapters_that_are_named(site, tmp_path, capsys):
    assert slides.main([str(site), str(tmp_path), "sparse", "steps"]) == 0
    names = sorted(path.name for path in tmp_path.glob("*.html"))
    assert names == ["sparse.html", "steps.html"]
    with pytest.raises(SystemExit, match="There is no chapter sparce; exp"):
        slides.main([str(site), str(tmp_path), "sparce"])


@pytest.mark.parametrize(
    "html, expected",
    [
        ("One. Two", ["One.", "Two"]),
        ("<em>A. B</em> c. D", ["<em>A. B</em> c.", "D"]),
        (r"Let <span>\(x. Y\)</span> be. So", None),
        ("e.g. this", ["e.g. this"]),
    ],
)
def test_sentences_are_not_cut_inside_a_tag(html, expected):
    found = slides.sentences(html)
    assert " ".join(found) == html
    assert all(map(slides.balanced, found))
    assert expected is None or found == expected
