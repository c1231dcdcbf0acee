"""Figure first, code second: what is open on a page, and what is folded.

Open is the code that teaches: solvers, and steps of a derivation. What
imports, draws or only calls a figure is folded or left out of the page. A
notebook shows all of it. A program that readers copy whole is open with its
imports, if its cell says so by the tag "whole-program".
"""

import ast
import re

import nbformat
import pytest
import yaml

import tasks
from tests.notebooks.test_style import TITLE

BOOK = tasks.ROOT / "book"
PAGES = sorted(BOOK.glob("*.ipynb"))
FOLDED = {"hide-input", "remove-input"}
HIDDEN = {*FOLDED, "hide-cell"}
WHOLE = "whole-program"
SOLUTION = "{solution-start}", "{solution-end}"
ASSERTION = re.compile(r"^\s*assert ", re.M)


def chapters():
    """The numbered pages: those of the parts that are no reference."""
    toc = yaml.safe_load((tasks.ROOT / "_toc.yml").read_text("utf-8"))
    return [
        tasks.ROOT / f"{chapter['file']}.ipynb"
        for part in toc["parts"]
        if part.get("numbered", True)
        for chapter in part["chapters"]
    ]


def read(path):
    return nbformat.read(path, as_version=4).cells


def is_picture(cell):
    """Whether a cell shows a picture or a live figure."""
    return any(
        "image/png" in output.get("data", {})
        or "data-pegasos" in output.get("data", {}).get("text/html", "")
        for output in cell.get("outputs", [])
    )


def opens_with_picture(cells):
    """Whether a picture comes right after the title.

    A paragraph in the cell of the title may say what the page does.
    """
    first = cells[0].source.strip()
    if cells[0].cell_type != "markdown" or not TITLE.fullmatch(first):
        return False
    opening = []
    for cell in cells[1:]:
        if cell.cell_type != "code":
            break
        opening.append(cell)
    return any(map(is_picture, opening))


def serves(code):
    """Whether code imports, draws or calls what draws, and teaches nothing."""
    tree = ast.parse(code)
    if any(isinstance(n, ast.Import | ast.ImportFrom) for n in ast.walk(tree)):
        return True
    names = [n.id for n in ast.walk(tree) if isinstance(n, ast.Name)]
    return "plt" in names or names == ["show_source", *names[1:]]


def outside_solutions(cells):
    """Pairs (number, cell) of code.

    The dropdown around the solution of an exercise folds its code.
    """
    in_solution = False
    for number, cell in enumerate(cells):
        if cell.cell_type == "markdown":
            start, end = map(cell.source.rfind, SOLUTION)
            in_solution = in_solution if start == end else start > end
        elif not in_solution:
            yield number, cell


def left_open(cells):
    """The cells of a page that serve and are not folded, by their number."""
    return [
        number
        for number, cell in outside_solutions(cells)
        if {*FOLDED, WHOLE}.isdisjoint(cell.metadata.get("tags", []))
        and serves(cell.source)
    ]


def open_asserts(cells):
    """The cells that assert and are seen without opening a fold."""
    return [
        number
        for number, cell in outside_solutions(cells)
        if HIDDEN.isdisjoint(cell.metadata.get("tags", []))
        and ASSERTION.search(cell.source)
    ]


def unnamed_checks(cells):
    """The folded cells that only check, and do not say so on their fold."""
    return [
        number
        for number, cell in enumerate(cells)
        if cell.cell_type == "code"
        and "hide-input" in cell.metadata.get("tags", [])
        and ASSERTION.search(cell.source)
        and not any("data" in output for output in cell.outputs)
        and "code_prompt_show" not in cell.metadata.get("mystnb", {})
    ]


def prompts(cells):
    """What each fold is called while it is closed, and while it is open."""
    for cell in cells:
        names = cell.metadata.get("mystnb", {})
        shut = names.get("code_prompt_show", "Show")
        yield shut, names.get("code_prompt_hide", "Hide")


@pytest.mark.parametrize("path", chapters(), ids=lambda path: path.stem)
def test_a_chapter_opens_with_a_picture(path):
    assert opens_with_picture(read(path))


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_what_serves_is_folded(path):
    assert left_open(read(path)) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_no_open_cell_asserts(path):
    assert open_asserts(read(path)) == []


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_folds_are_called_what_they_are(path):
    cells = read(path)
    assert unnamed_checks(cells) == []
    for shut, opened in prompts(cells):
        assert opened == shut.replace("Show", "Hide", 1)


def test_a_check_without_a_name_is_found():
    cell = nbformat.v4.new_code_cell("if True:\n    assert 1 == 1")
    cell.metadata["tags"] = ["hide-input"]
    assert unnamed_checks([cell]) == [0]
    assert unnamed_checks([picture(), cell]) == [1]
    cell.metadata["mystnb"] = {"code_prompt_show": "Show the check"}
    assert unnamed_checks([cell]) == []
    assert list(prompts([cell])) == [("Show the check", "Hide")]


def picture():
    output = nbformat.v4.new_output("display_data", {"image/png": "iVBOR"})
    return nbformat.v4.new_code_cell("draw()", outputs=[output])


def test_a_chapter_without_an_opening_picture_is_found():
    title = nbformat.v4.new_markdown_cell("# A chapter")
    text = nbformat.v4.new_markdown_cell("## A section")
    code = nbformat.v4.new_code_cell("1 + 1")
    assert opens_with_picture([title, code, picture(), text])
    assert not opens_with_picture([title, code, text, picture()])
    assert not opens_with_picture([title, text, picture()])
    said = nbformat.v4.new_markdown_cell("# A chapter\n\nIt does\nthis.")
    assert opens_with_picture([said, picture()])
    more = nbformat.v4.new_markdown_cell("# A chapter\n\nIt does.\n\nMore.")
    assert not opens_with_picture([more, picture()])


@pytest.mark.parametrize(
    "code", ["import math", "plt.show()", "show_source(pegasos)"]
)
def test_what_serves_and_is_open_is_found(code):
    cell = nbformat.v4.new_code_cell(code)
    assert left_open([cell]) == [0]
    cell.metadata["tags"] = ["hide-input"]
    assert left_open([cell]) == []


def test_a_program_to_copy_whole_may_be_open():
    cell = nbformat.v4.new_code_cell("import math\nprint(math.pi)")
    assert left_open([cell]) == [0]
    cell.metadata["tags"] = [WHOLE]
    assert left_open([cell]) == []


def test_code_in_a_solution_is_folded_with_it():
    start, end = (
        nbformat.v4.new_markdown_cell(f"```{part}\n```") for part in SOLUTION
    )
    code = nbformat.v4.new_code_cell("import math")
    assert left_open([start, code, end, code]) == [3]
    assert left_open([nbformat.v4.new_code_cell("w = step(w)")]) == []


def test_an_open_assert_is_found():
    start, end = (
        nbformat.v4.new_markdown_cell(f"```{part}\n```") for part in SOLUTION
    )
    code = nbformat.v4.new_code_cell("for t in (1, 2):\n    assert t > 0")
    assert open_asserts([start, code, end, code]) == [3]
    for tag in HIDDEN:
        folded = nbformat.v4.new_code_cell(code.source)
        folded.metadata["tags"] = [tag]
        assert open_asserts([folded]) == []
