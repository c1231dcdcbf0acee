"""The opening picture and the code before it stand in one box."""

import slides
from bs4 import BeautifulSoup
from docutils import nodes
from docutils.utils import new_document
from picture_first import gather


def cell(hide_mode="input", output=True, caption=True):
    made = nodes.container(nb_element="cell_code", hide_mode=hide_mode)
    made += nodes.container(nb_element="cell_code_source")
    if output:
        made += nodes.container(nb_element="cell_code_output")
        if caption:  # every picture of the book has one
            made[-1] += nodes.caption()
    return made


def gathered(*parts):
    """The parts of a page below its title, after the extension."""
    document, page = new_document("page"), nodes.section()
    document += page
    page += nodes.title("", "Title")
    for part in parts:
        page += part
    gather(None, document)
    return page.children[1:]


def test_the_two_cells_keep_their_order_in_a_box():
    imports, picture, text = cell(output=False), cell(), nodes.paragraph()
    box, after = gathered(imports, picture, text)
    assert box["classes"] == ["picture-first"]
    assert box.children == [imports, picture]
    assert after is text


def test_other_pages_stay_as_they_are():
    pages = [
        [cell(), cell()],  # the first cell shows something itself
        [cell(output=False), cell(output=False)],
        [cell(output=False), cell(caption=False)],  # no picture
        [cell(hide_mode=None, output=False), cell()],  # code to be read
        [cell(output=False), nodes.paragraph(), cell()],
        [cell(output=False), nodes.section("", cell(output=False), cell())],
    ]
    for parts in pages:
        assert gathered(*parts) == parts
    gather(None, new_document("empty"))


def test_a_deck_finds_the_opening_picture():
    page = BeautifulSoup(
        '<article><div class="picture-first"><div class="cell"></div>'
        '<div class="cell"><div class="cell_output"><figure></figure></div>'
        "</div></div></article>",
        "html.parser",
    )
    cells = slides.tidy(page.article).find_all(class_="cell", recursive=False)
    assert len(cells) == 2
    assert [kind for kind, _ in slides.things(cells[1])] == ["picture"]
