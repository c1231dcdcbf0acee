"""Tables: read back from their HTML and from their text."""

from html.parser import HTMLParser

import pytest

from pegasos_edu.page.tables import Table


class Reader(HTMLParser):
    """The rows of a table as a screen reader finds them."""

    def __init__(self, html):
        super().__init__()
        self.rows, self.cell, self.caption = [], None, ""
        self.attributes = []
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        if tag == "tr":
            self.rows.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.attributes.append((tag, dict(attributes)))
        self.cell = tag

    def handle_data(self, data):
        if self.cell in ("th", "td"):
            self.rows[-1][-1] += data
        elif self.cell == "caption":
            self.caption += data

    def handle_endtag(self, tag):
        self.cell = None


def example(**options):
    table = Table("rule", "f − f* < 1", **options)
    table.row("a 1/(λt) & more", "0.5")
    table.row("c > 0", "10.25")
    return table


def test_html_says_what_was_put_in():
    read = Reader(example(caption="Gap <here>")._repr_html_())
    assert read.rows == [
        ["rule", "f − f* < 1"],
        ["a 1/(λt) & more", "0.5"],
        ["c > 0", "10.25"],
    ]
    assert read.caption == "Gap <here>"


def test_every_cell_has_its_heads():
    read = Reader(example()._repr_html_())
    heads = [a for tag, a in read.attributes if tag == "th"]
    assert [a["scope"] for a in heads] == ["col", "col", "row", "row"]


def test_text_stands_in_columns():
    text = repr(example(caption="Gap", note="recorded by: python"))
    assert text.splitlines() == [
        "Gap",
        "rule             f − f* < 1",
        "a 1/(λt) & more         0.5",
        "c > 0                 10.25",
        "recorded by: python",
    ]


def test_words_start_at_the_left_and_numbers_end_at_the_right():
    read = Reader(example()._repr_html_())
    kinds = [attributes["class"] for _, attributes in read.attributes]
    assert kinds == ["words", "numbers"] * 3


def test_a_word_among_numbers_is_a_number_out_of_range():
    table = Table("passes")
    for cell in ("3", "12", "more"):
        table.row(cell)
    assert 'class="words"' not in table._repr_html_()
    assert repr(table).splitlines()[1:] == ["     3", "    12", "  more"]


def test_a_table_without_rows_has_its_header():
    read = Reader(Table("λ", "loss")._repr_html_())
    assert read.rows == [["λ", "loss"]]
    assert repr(Table("λ", "loss")) == "λ  loss"


def test_a_row_has_a_cell_for_each_column():
    with pytest.raises(ValueError, match="has 1 cells; expected 2"):
        example().row("alone")


def test_a_cell_is_text():
    with pytest.raises(TypeError, match="the cell 0.5 is no text"):
        example().row("a", 0.5)
    assert len(example().rows) == 2
