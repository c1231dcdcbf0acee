"""What must hold for every saved notebook before anyone reads it."""

import re
import tempfile
from pathlib import Path

import nbformat
import pytest

import tasks
from pegasos_edu.page.dark import ALT, MIME

# Home folders on any system, and the folders of this machine.
MACHINE_PATH = re.compile(
    r"/home/|/Users/|[A-Z]:\\\\Users|site-packages|"
    + "|".join(
        re.escape(str(folder))
        for folder in (tasks.ROOT, Path.home(), tempfile.gettempdir())
    )
)
# A picture is encoded in letters that spell such a path now and then.
PICTURE = re.compile(r'"image/png": "[A-Za-z0-9+/=\\n]*"')
VOLATILE = {"execution", "widgets", "collapsed", "ExecuteTime"}


def notebooks():
    return sorted(
        path
        for path in (tasks.ROOT / "book").rglob("*.ipynb")
        if ".ipynb_checkpoints" not in path.parts
    )


def is_released(path):
    """Whether it is a student's version: without answers, never run."""
    return path.parent == tasks.ASSIGNMENTS


@pytest.fixture(
    params=notebooks(),
    ids=lambda path: path.relative_to(tasks.ROOT).as_posix(),
)
def path(request):
    return request.param


@pytest.fixture
def notebook(path):
    return nbformat.read(path, as_version=4)


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def outputs(notebook):
    """Pairs of a cell's id and one of its outputs."""
    return [
        (cell.id, output)
        for cell in code_cells(notebook)
        for output in cell.outputs
    ]


def shows_image(cell):
    return any(
        kind.startswith("image/")
        for output in cell.outputs
        for kind in output.get("data", {})
    )


def alt_text(cell):
    return cell.metadata.get("mystnb", {}).get("image", {}).get("alt", "")


def own_alt_texts(cell):
    """What is said of each picture in its own output, or None."""
    return [
        output.metadata.get(MIME, {}).get(ALT)
        for output in cell.outputs
        if MIME in output.get("data", {})
    ]


def test_there_are_notebooks():
    assert notebooks()


def test_format_is_valid_and_has_cell_ids(path):
    raw = nbformat.read(path, as_version=nbformat.NO_CONVERT)
    nbformat.validate(raw)
    assert (raw.nbformat, raw.nbformat_minor) == (4, 5)
    ids = [cell.id for cell in raw.cells]
    assert len(ids) == len(set(ids))


def test_every_code_cell_ran_once_in_order(path, notebook):
    counts = [cell.execution_count for cell in code_cells(notebook)]
    if is_released(path):  # it shows what the solution's cells did
        assert set(counts) == {None}
        return
    assert counts == list(range(1, len(counts) + 1))


def test_no_errors_and_nothing_on_stderr(notebook):
    bad = [
        cell_id
        for cell_id, output in outputs(notebook)
        if output.output_type == "error" or output.get("name") == "stderr"
    ]
    assert bad == []


def test_every_figure_has_an_alt_text(notebook):
    bad = [
        cell.id
        for cell in code_cells(notebook)
        if shows_image(cell) and not alt_text(cell).strip()
    ]
    assert bad == []


def test_of_several_figures_in_a_cell_each_has_its_own_alt_text(notebook):
    """The alt text of the cell can describe one figure."""
    for cell in code_cells(notebook):
        said = own_alt_texts(cell)
        if len(said) > 1:
            assert None not in said, cell.id
            assert len(set(said)) == len(said), cell.id


def test_no_path_of_a_machine(path):
    text = PICTURE.sub("", path.read_text("utf-8"))
    assert MACHINE_PATH.findall(text) == []


def test_a_path_beside_a_picture_is_found():
    text = '"image/png": "AAA/tmpAA\\n",\n"text": "/home/me"'
    assert MACHINE_PATH.findall(PICTURE.sub("", text)) == ["/home/"]


def test_nothing_volatile_is_kept(notebook):
    kept = [
        cell.id for cell in notebook.cells if VOLATILE & set(cell.metadata)
    ]
    assert kept == []
    assert VOLATILE.isdisjoint(notebook.metadata)
    assert notebook.metadata.language_info == {"name": "python"}


def test_what_a_cell_folds_ends_in_it(notebook):
    """Else the fold would take the rest of the page with it."""
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            opened = cell.source.count("<details")
            assert opened == cell.source.count("</details>"), cell.id
