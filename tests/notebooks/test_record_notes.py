"""A page says how a record was made in a small line, and once in full."""

import record_notes
import toc
from bs4 import BeautifulSoup

BOX = (
    '<div class="output stream highlight-myst-ansi notranslate">'
    '<div class="highlight"><pre><span></span>{}\n</pre></div>\n</div>'
)
CURVES = "recorded by: python -m tests.benchmarks.curves --data DIR"
THEORY = "recorded by: python -m pegasos_edu.experiments theory"


def seen(*printed):
    body = "".join(map(BOX.format, printed))
    soup = BeautifulSoup(record_notes.small(body), "html.parser")
    notes = soup.select("p.recorded")
    said = [(note.get_text(), note.get("title")) for note in notes]
    return said, [box.get_text() for box in soup.select("pre")]


def test_the_command_is_told_once_and_then_named():
    whole = CURVES.removeprefix("recorded by: ")
    said, boxes = seen(CURVES, CURVES)
    assert said == [
        (f"record: curves, made by {whole}", None),
        ("record: curves", whole),
    ]
    assert boxes == []


def test_an_experiment_has_its_own_name():
    assert seen(THEORY)[0][0][0].startswith("record: theory, made by ")


def test_what_else_was_printed_stays():
    said, boxes = seen(f"first\n{CURVES}\n{THEORY}\nlast", "no record")
    assert len(said) == 2
    assert boxes == ["first\nlast\n", "no record\n"]
    assert seen("no record") == ([], ["no record\n"])


def test_no_page_has_a_box_for_it(site):
    small = 0
    for page in toc.pages():
        html = (site / f"{page}.html").read_text("utf-8")
        soup = BeautifulSoup(html, "html.parser")
        assert not [
            box
            for box in soup.select(".stream pre")
            if box.get_text().startswith("recorded by: ")
        ]
        notes = [note.get_text() for note in soup.select("p.recorded")]
        small += len(notes)
        names = {note.split()[1].strip(",") for note in notes}
        assert len({*notes}) <= 2 * len(names)
    assert small > 30
