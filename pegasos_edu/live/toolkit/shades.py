"""The palette of the book on light and on dark pages, and its looks.

The light shades are those of the static figures; `live.css` holds the same
pairs, and a test compares the two.
"""

from pegasos_edu.page.looks import CLASSES, DASHES, entry
from pegasos_edu.page.palette import DARK, PALETTE, PAPER

# Name -> (on a light page, on a dark page).
SHADES = {
    "blue": (PALETTE["blue"], DARK["blue"]),
    "orange": (PALETTE["orange"], DARK["orange"]),
    "green": (PALETTE["green"], DARK["green"]),
    "purple": (PALETTE["purple"], DARK["purple"]),
    "yellow": (PALETTE["yellow"], DARK["yellow"]),
    "sky": (PALETTE["sky"], DARK["sky"]),
    "text": ("#22272E", DARK["black"]),
    "muted": ("#5C6570", DARK["grey"]),
    "grid": ("#DDE1E6", "#3D444D"),
    "paper": (PAPER, "#14181E"),
}


def colour(name):
    """The light shade of a colour, as "#RRGGBB".

    Examples
    --------
    >>> colour("text")
    '#22272E'
    """
    return SHADES[name][0]


# Live lines turn with the page, so black and grey are those of its text.
TURNING = {"black": "text", "grey": "muted"}
# A dash of the table is in widths of a line; a live line is two pixels wide.
WIDTH = 2


def shade(idea):
    """The name of the shade of an idea in the book's table of looks.

    Examples
    --------
    >>> shade("last iterate"), shade("optimum")
    ('blue', 'text')
    """
    colour, _ = entry(idea)
    return TURNING.get(colour, colour)


def dash(idea):
    """The dash of an idea in the book's table of looks, in pixels.

    Examples
    --------
    >>> dash("last iterate"), dash("optimum")
    ([1, 0], [8, 4])
    """
    _, name = entry(idea)
    return [WIDTH * length for length in DASHES[name]] or [1, 0]


# Vega's names of matplotlib's markers.
SHAPES = {"o": "circle", "s": "square"}


def class_look(label):
    """The light shade and the shape of a class in the book's table.

    Examples
    --------
    >>> class_look(-1)
    ('#B4440F', 'square')
    """
    name, marker = CLASSES[label]
    return colour(name), SHAPES[marker]


def with_css_variables(text):
    """Write `var(--pegasos-NAME,SHADE)` for every light shade in a text.

    A page can then swap the colours when it turns dark.

    Examples
    --------
    >>> with_css_variables('{"color": "#22272E"}')
    '{"color": "var(--pegasos-text,#22272E)"}'
    """
    for name, (light, _) in SHADES.items():
        text = text.replace(light, f"var(--pegasos-{name},{light})")
    return text
