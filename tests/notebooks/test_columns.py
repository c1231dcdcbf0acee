"""What stands in columns is a table, which a phone and a voice can read."""

import re

import nbformat
import pytest

import tasks

BOOK = tasks.ROOT / "book"
CHAPTERS = sorted(BOOK.glob("*.ipynb"))
# Two spaces inside a line set columns; one in two lines is no column yet.
GAP = re.compile(r"\S {2,}\S")
MOST_LINES = 2


def columns(notebook):
    """The printed outputs of a page whose lines stand in columns."""
    printed = [
        output.text
        for cell in notebook.cells
        for output in cell.get("outputs", [])
        if output.output_type == "stream"
    ]
    return [
        text
        for text in printed
        if sum(bool(GAP.search(line)) for line in text.splitlines())
        > MOST_LINES
    ]


@pytest.mark.parametrize("path", CHAPTERS, ids=lambda path: path.stem)
def test_no_columns_are_printed(path):
    assert columns(nbformat.read(path, as_version=4)) == []


def test_printed_columns_are_found():
    cell = nbformat.v4.new_code_cell("")
    text = "λ     gap\n0.1   0.2\n1     0.3\n"
    cell.outputs = [nbformat.v4.new_output("stream", text=text)]
    assert columns(nbformat.v4.new_notebook(cells=[cell])) == [text]
