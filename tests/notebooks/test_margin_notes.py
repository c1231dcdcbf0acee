"""Notes in the margin: where a source is corrected, and units."""

import re

import nbformat
import pytest

import tasks

BOOK = tasks.ROOT / "book"
NOTE = re.compile(r"^```\{margin\} (\w+)\n(.*?)^```$", re.M | re.S)
TO_ERRATA = re.compile(r"\{ref\}`errata <(errata-\w+)>`")


def prose(path):
    cells = nbformat.read(path, as_version=4).cells
    return "\n\n".join(c.source for c in cells if c.cell_type == "markdown")


NOTES = [
    (path.stem, kind, " ".join(text.split()))
    for path in sorted(BOOK.glob("*.ipynb"))
    for kind, text in NOTE.findall(prose(path))
]
# "### …" with a label above it.
LABELS = re.findall(
    r"^\((errata-\w+)\)=\n### ", prose(BOOK / "errata.ipynb"), re.M
)


def test_there_are_two_kinds_of_notes():
    kinds = [kind for _, kind, _ in NOTES]
    assert set(kinds) == {"Source", "Units"}
    assert kinds.count("Source") >= 12 and kinds.count("Units") >= 20


def test_every_labelled_erratum_is_met_in_a_chapter():
    """In a note, or behind the sentence of the text that corrects it."""
    linked = {
        label
        for path in sorted(BOOK.glob("*.ipynb"))
        if path.stem != "errata"
        for label in TO_ERRATA.findall(" ".join(prose(path).split()))
    }
    assert linked == set(LABELS)


def test_the_table_of_the_errata_leads_to_each_and_to_where_it_is_met():
    rows = re.findall(
        r"\{ref\}`[^`<]+ <(errata-\w+)>`\n  - .+\n  - \{doc\}`(\w+)`",
        prose(BOOK / "errata.ipynb"),
    )
    assert sorted(label for label, _ in rows) == sorted(LABELS)
    for label, page in rows:
        met = TO_ERRATA.findall(
            " ".join(prose(BOOK / f"{page}.ipynb").split())
        )
        assert label in met, (label, page)


def test_no_slip_is_told_by_a_note_and_by_the_text():
    for path in sorted(BOOK.glob("*.ipynb")):
        labels = TO_ERRATA.findall(" ".join(prose(path).split()))
        assert len(labels) == len(set(labels)), path.stem


@pytest.mark.parametrize(
    ("page", "kind", "text"), NOTES, ids=[note[0] for note in NOTES]
)
def test_a_note_is_short_and_leads_to_the_errata(page, kind, text):
    assert len(text) < 220
    assert len(TO_ERRATA.findall(text)) == (kind == "Source")


# Powers of the unit of an example, as the notes give them: a margin has no
# unit, so a weight has that of 1/x.
UNITS = {"x": 1, "R": 1, "G": 1, "w": -1, "D": -1, "lam": 2, "eta": -2}


def power(**powers):
    """The power of the unit of a product."""
    return sum(UNITS[name] * p for name, p in powers.items())


def test_the_units_of_the_notes():
    # Every term of the objective is a number, and so is every bound.
    assert power(w=1, x=1) == power(lam=1, w=2) == 0
    assert power(w=2, eta=-1) == power(eta=1, G=2) == 0
    assert power(G=2, lam=-1) == power(R=2, lam=-1) == 0
    # A step, and the radius of the ball, are vectors of weights.
    assert power(eta=1, x=1) == power(eta=1, lam=1, w=1) == UNITS["w"]
    assert power(x=1, lam=-1) == power(lam=-0.5) == UNITS["w"]
    # A subgradient has two terms, and the best scale is that of a step.
    assert power(lam=1, w=1) == UNITS["G"] == UNITS["x"]
    assert power(D=1, G=-1) == UNITS["eta"] != power(G=1)
    # Mirror descent with the entropy: the exponent is a number.
    assert power(w=1, x=1) == 0 and UNITS["w"] != UNITS["eta"]
