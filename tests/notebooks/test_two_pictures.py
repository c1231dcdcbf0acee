"""Each picture of a notebook has a dark twin, of the same size."""

import base64
import io

import nbformat
import pytest
import two_pictures
from docutils import nodes
from matplotlib.figure import Figure
from PIL import Image

import tasks
from pegasos_edu.page.dark import ALT, KEY, MIME, with_dark

PAGES = sorted((tasks.ROOT / "book").glob("*.ipynb"))


def pictures(path):
    """Pairs (light, dark) of a notebook, as base64; dark may be missing."""
    return [
        (output.data[MIME], output.metadata.get(MIME, {}).get(KEY))
        for cell in nbformat.read(path, as_version=4).cells
        for output in cell.get("outputs", [])
        if MIME in output.get("data", {})
    ]


def size(picture):
    return Image.open(io.BytesIO(base64.b64decode(picture))).size


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_every_picture_has_a_dark_twin(path):
    for light, dark in pictures(path):
        assert dark is not None and dark != light
        differences = [abs(a - b) for a, b in zip(size(light), size(dark))]
        assert max(differences) <= 2  # the layout rounds to whole pixels


def test_there_are_pictures():
    assert sum(len(pictures(path)) for path in PAGES) > 30


def test_the_build_knows_the_same_names():
    assert (two_pictures.MIME, two_pictures.KEY) == (MIME, KEY)
    assert two_pictures.ALT == ALT


def test_a_label_of_a_figure_becomes_its_alt_text(tmp_path):
    figure = Figure()
    assert ALT not in with_dark(figure)[1][MIME]
    figure.set_label("A line that falls.")
    assert with_dark(figure)[1][MIME][ALT] == "A line that falls."


def test_a_dark_picture_is_laid_beside_the_light_one(tmp_path):
    image = nodes.image(uri="folder/light.png", alt="A line.")
    figure = nodes.figure("", image, nodes.caption("", "Below."))
    content = base64.b64encode(b"dark pixels").decode("ascii")
    two_pictures.add_dark(image, content, tmp_path)
    light, dark, _ = figure.children
    assert light is image and "in-light" in light["classes"]
    assert "in-dark" in dark["classes"] and dark["alt"] == "A line."
    assert (tmp_path / dark["uri"].rpartition("/")[2]).read_bytes() == (
        b"dark pixels"
    )


def test_a_cell_without_a_dark_picture_keeps_its_light_one():
    output = nbformat.v4.new_output("display_data", {MIME: "iVBOR"})
    html = nbformat.v4.new_output("display_data", {"text/html": "<b>x</b>"})
    cell = nbformat.v4.new_code_cell("draw()", outputs=[output, html])
    assert two_pictures.kept(cell) == [{}]


def test_the_size_is_that_of_the_file():
    file = io.BytesIO()
    Image.new("RGB", (31, 17)).save(file, format="png")
    assert two_pictures.size_of(file.getvalue()) == (31, 17)
