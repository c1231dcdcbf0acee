"""Vectors of pixels as pictures: an example, and a w that weighs them."""

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgba

from pegasos_edu.page.figures import class_look
from pegasos_edu.page.palette import PALETTE

INK = PALETTE["black"]


def draw_pictures(axes, pictures, names=None, signed=False):
    """Draw each vector as a square of pixels, one to each of the axes.

    The shade is the opacity of one colour, so that a picture can lie on
    paper of any colour. All pictures of an ink share one scale. A signed
    picture has its own: it shows where a vector is large, not how long it
    is.

    Parameters
    ----------
    axes : array of matplotlib Axes
    pictures : array_like of shape (m, side²)
        At most as many as there are axes; the axes left over are hidden.
    names : sequence of str, optional
        What stands below each picture.
    signed : bool
        Whether values below 0 mean something. Positive ones then have the
        colour of the class +1, negative ones that of −1.

    Raises
    ------
    ValueError
        If a row is no square of pixels, or there are not enough axes or
        names.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = Figure().subplots()
    >>> draw_pictures([ax], [[0.0, 1.0, 0.5, 0.0]], ["a stroke"])
    >>> ax.get_xlabel()
    'a stroke'
    """
    axes, pictures = np.ravel(axes), np.asarray(pictures, dtype=float)
    side = int(np.sqrt(pictures.shape[-1]))
    if pictures.ndim != 2 or side**2 != pictures.shape[1]:
        raise ValueError(
            f"pictures has shape {pictures.shape}; expected (m, side²)"
        )
    names = [""] * len(pictures) if names is None else names
    if len(names) != len(pictures) or len(axes) < len(pictures):
        raise ValueError(
            f"{len(pictures)} pictures meet {len(axes)} axes and "
            f"{len(names)} names; expected a name and axes for each"
        )
    most = np.abs(pictures).max()
    for ax, picture, name in zip(axes, pictures, names, strict=False):
        largest = np.abs(picture).max() if signed else most
        ax.add_collection(pixels(picture, side, largest or 1.0, signed))
        ax.set(xlim=(0, side), ylim=(side, 0), aspect="equal", xlabel=name)
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set(visible=True, color=PALETTE["grey"], linewidth=0.5)
    for ax in axes[len(pictures) :]:
        ax.set_axis_off()


def pixels(picture, side, most, signed):
    """The squares of one picture, row by row from the top."""
    corners = np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    places = [(column, row) for row in range(side) for column in range(side)]
    colours = [
        to_rgba(colour_of(value, signed), min(1.0, abs(value) / most))
        for value in picture
    ]
    return PolyCollection(
        [corners + place for place in places],
        facecolors=colours,
        linewidths=0,
        antialiaseds=False,  # or the paper shows between the squares
    )


def colour_of(value, signed):
    """The colour whose opacity tells the value."""
    if not signed:
        return INK
    return class_look(+1 if value >= 0 else -1)["color"]
