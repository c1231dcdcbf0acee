"""Pictures of vectors: each pixel where it belongs, in its colour."""

import io

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.image import imread

from pegasos_edu.page.dark import dark_png
from pegasos_edu.page.palette import DARK, DARK_PAPER, PALETTE
from pegasos_edu.page.pictures import draw_pictures

SIDE = 4


def drawn(picture, dark=False, signed=False):
    """The colours in the middle of each pixel, of shape (side, side, 3)."""
    figure = Figure(figsize=(1, 1), dpi=SIDE * 20)
    ax = figure.add_axes((0, 0, 1, 1))
    draw_pictures([ax], [picture], signed=signed)
    if dark:
        shades = imread(io.BytesIO(dark_png(figure)))[..., :3]
    else:
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        shades = np.asarray(canvas.buffer_rgba())[..., :3] / 255
    at = (np.arange(SIDE) + 0.5) * len(shades) / SIDE
    return shades[np.ix_(at.astype(int), at.astype(int))]


def picture(**values):
    """All 0 but for the pixels named by row and column, as r0c3."""
    found = np.zeros((SIDE, SIDE))
    for place, value in values.items():
        found[int(place[1]), int(place[3])] = value
    return found.ravel()


def test_ink_lies_where_the_vector_says_row_by_row_from_the_top():
    shades = drawn(picture(r0c3=1.0, r2c1=0.5))
    expected = np.ones((SIDE, SIDE, 3))
    expected[0, 3], expected[2, 1] = 0.0, 0.5
    assert np.allclose(shades, expected, atol=0.01)


def test_on_a_dark_page_ink_is_light_and_paper_dark():
    shades = drawn(picture(r0c3=1.0), dark=True)
    assert np.allclose(shades[0, 3], to_rgb(DARK["black"]), atol=0.01)
    assert np.allclose(shades[1, 1], to_rgb(DARK_PAPER), atol=0.01)


@pytest.mark.parametrize("dark", [False, True])
def test_signs_have_the_colours_of_the_classes(dark):
    shades = drawn(picture(r1c0=2.0, r3c2=-2.0), dark, signed=True)
    colours = DARK if dark else PALETTE
    assert np.allclose(shades[1, 0], to_rgb(colours["blue"]), atol=0.01)
    assert np.allclose(shades[3, 2], to_rgb(colours["orange"]), atol=0.01)


def test_a_signed_picture_shows_a_direction_and_not_a_length():
    w = np.linspace(-1, 1, SIDE**2)
    assert np.allclose(drawn(w, signed=True), drawn(9 * w, signed=True))


def test_the_zero_vector_is_blank():
    assert (drawn(picture(), signed=True) == 1.0).all()


def test_axes_left_over_are_hidden():
    axes = Figure().subplots(1, 3)
    draw_pictures(axes, np.ones((2, 9)))
    assert [ax.axison for ax in axes] == [True, True, False]


@pytest.mark.parametrize(
    ("pictures", "names", "says"),
    [
        (np.ones((1, 5)), None, r"pictures has shape \(1, 5\)"),
        (np.ones(4), None, r"pictures has shape \(4,\)"),
        (np.ones((2, 4)), None, "2 pictures meet 1 axes"),
        (np.ones((1, 4)), [], "0 names"),
    ],
)
def test_what_cannot_be_drawn_is_refused(pictures, names, says):
    with pytest.raises(ValueError, match=says):
        draw_pictures([Figure().subplots()], pictures, names)
