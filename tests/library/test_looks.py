"""One colour and one dash per idea, in still and live figures alike."""

import ast
import io
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

from pegasos_edu import live
from pegasos_edu.live.toolkit import shades
from pegasos_edu.page import figures, looks, palette
from pegasos_edu.page.dark import dark_png, on_dark


def test_no_two_ideas_look_alike():
    shown = list(looks.LOOKS.values())
    assert len(shown) == len(set(shown))


def test_another_name_is_no_idea_of_its_own():
    assert looks.SAME.keys().isdisjoint(looks.LOOKS)
    assert set(looks.SAME.values()) <= set(looks.LOOKS)


@pytest.mark.parametrize("idea", [*looks.LOOKS, *looks.SAME])
def test_still_and_live_figures_share_colour_and_dash(idea):
    still = figures.look(idea)
    name = shades.shade(idea)
    light, _ = shades.SHADES[name]
    if name in ("text", "muted"):
        assert still["color"] in (
            figures.PALETTE["black"],
            figures.PALETTE["grey"],
        )
    else:
        assert still["color"] == light
    if still["ls"] == "-":
        assert shades.dash(idea) == [1, 0]
    else:
        _, strokes = still["ls"]
        assert shades.dash(idea) == [shades.WIDTH * s for s in strokes]


def test_the_looks_that_the_book_names():
    """What a reader may rely on from one chapter to the next."""
    assert looks.entry("last iterate") == ("blue", "solid")
    assert looks.entry("average") == ("orange", "dash-dotted")
    assert looks.entry("optimum") == ("black", "dashed")
    assert looks.CLASSES == {1: ("blue", "o"), -1: ("orange", "s")}


def test_an_unknown_class_is_named():
    with pytest.raises(ValueError, match="label is 0; it must be 1 or -1"):
        figures.class_look(0)


def test_a_family_is_no_idea():
    colours = {member["color"] for member in figures.family(7)}
    assert len(colours) == 7
    assert colours.isdisjoint(figures.PALETTE.values())


def test_an_unknown_idea_is_named():
    with pytest.raises(ValueError, match="idea is 'first iterate'"):
        figures.look("first iterate")


# Ink is no idea: text, axes, contours, rings.
INK = {"text", "muted", "grid"}
LIVE = sorted(Path(live.__file__).parent.glob("*.py"))


def chosen_by_hand(code):
    """Colours of the palette and dashes that a live figure names itself.

    Examples
    --------
    >>> chosen_by_hand('mark(color=colour("blue"), strokeDash=[2, 3])')
    ['blue', 'strokeDash']
    """
    found = []
    for node in ast.walk(ast.parse(code)):
        if not isinstance(node, ast.Call):
            continue
        if getattr(node.func, "id", "") == "colour":
            found += [
                argument.value
                for argument in node.args
                if isinstance(argument, ast.Constant)
                and argument.value not in INK
            ]
        found += [
            keyword.arg
            for keyword in node.keywords
            if keyword.arg == "strokeDash"
            and isinstance(keyword.value, ast.List)
        ]
    return sorted(found)


def borrowed_looks(code):
    """Names of ideas to which a live figure gives the look of another.

    Examples
    --------
    >>> borrowed_looks('look({"1/(λt)": "reference", "mine": "average"})')
    ['1/(λt)']
    """
    known = {*looks.LOOKS, *looks.SAME}
    return [
        key.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values)
        if isinstance(key, ast.Constant)
        and isinstance(value, ast.Constant)
        and {key.value, value.value} <= known
        and looks.entry(key.value) != looks.entry(value.value)
    ]


@pytest.mark.parametrize("path", LIVE, ids=lambda path: path.stem)
def test_live_figures_give_an_idea_its_own_look(path):
    assert borrowed_looks(path.read_text(encoding="utf-8")) == []


def test_a_borrowed_look_is_found():
    code = 'look({"1/(λt)": "reference", "1/√t": "1/√t", "mine": "average"})'
    assert borrowed_looks(code) == ["1/(λt)"]


@pytest.mark.parametrize("path", LIVE, ids=lambda path: path.stem)
def test_live_figures_take_take_looks_from_the_table(path):
    assert chosen_by_hand(path.read_text(encoding="utf-8")) == []


def test_a_look_chosen_by_hand_is_found():
    code = 'mark(color=colour("blue"), strokeDash=[2, 3], x=colour("text"))'
    assert chosen_by_hand(code) == ["blue", "strokeDash"]


# Contrast, and what the most frequent colour blindness leaves of a colour

# Machado, Oliveira and Fernandes (2009): nothing, no red, no green cones.
SIGHT = {
    "all colours": np.eye(3),
    "no red": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "no green": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
}
# Linear RGB -> cones -> Oklab (Ottosson 2020).
CONES = [
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
]
LAB = [
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
]


def linear(colour):
    srgb = np.array(to_rgb(colour))
    return np.where(
        srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4
    )


def contrast(one, other):
    """The ratio of WCAG 2.2, from 1 to 21."""
    darker, lighter = sorted(
        linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other)
    )
    return (lighter + 0.05) / (darker + 0.05)


def difference(one, other, sight):
    """The distance of two colours in Oklab, times a hundred."""
    first, second = (
        LAB @ np.cbrt(CONES @ np.clip(sight @ linear(colour), 0, 1))
        for colour in (one, other)
    )
    return 100 * np.linalg.norm(first - second)


def test_contrast_is_that_of_wcag():
    assert contrast("white", "black") == pytest.approx(21)
    # The lightest grey that passes at 4.5, known to every designer.
    assert contrast("#767676", "white") == pytest.approx(4.54, abs=0.01)


PAGES = {
    "light": (figures.PALETTE, figures.PAPER),
    "dark": (palette.DARK, palette.DARK_PAPER),
}


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("name", figures.PALETTE)
def test_every_colour_stands_out_from_its_page(name, page):
    colours, paper = PAGES[page]
    assert contrast(colours[name], paper) >= 3


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("sight", SIGHT)
def test_no_two_colours_look_alike(page, sight):
    colours, _ = PAGES[page]
    for one, other in combinations(colours.values(), 2):
        assert difference(one, other, np.array(SIGHT[sight])) > 7.5


def test_the_closest_colours_of_the_usual_palette_are_closer():
    """What the numbers above mean: Okabe and Ito's green and pink."""
    usual = difference("#009E73", "#CC79A7", np.array(SIGHT["no red"]))
    ours = difference(
        figures.PALETTE["green"],
        figures.PALETTE["purple"],
        np.array(SIGHT["no red"]),
    )
    assert usual < ours


# The second picture of a figure


def drawn(figure, dark):
    """The pixels of a figure, light or dark, as an image of RGB."""
    figure.savefig(file := io.BytesIO(), format="png", bbox_inches="tight")
    if dark:
        file = io.BytesIO(dark_png(figure))
    file.seek(0)
    return plt.imread(file)[:, :, :3]


def a_figure():
    figure = Figure(facecolor=figures.PAPER)
    ax = figure.subplots()
    ax.plot([0, 1], [0, 1], lw=9, **figures.look("last iterate"))
    ax.scatter([0.2], [0.8], s=900, **figures.class_look(-1))
    ax.fill_between([0.5, 1], [0, 0], color=figures.PALETTE["green"], y2=0.3)
    ax.set_title("text", fontsize=60, alpha=1)
    return figure


def has(image, colour):
    return np.any(np.all(np.abs(image - to_rgb(colour)) < 0.01, axis=2))


@pytest.mark.parametrize("name", ["blue", "orange", "green", "black"])
def test_a_dark_picture_has_the_dark_shades(name):
    light, dark = (drawn(a_figure(), dark) for dark in (False, True))
    assert has(light, figures.PALETTE[name])
    assert not has(light, palette.DARK[name])
    assert has(dark, palette.DARK[name])
    assert not has(dark, figures.PALETTE[name])
    assert has(dark, palette.DARK_PAPER)
    assert not has(dark, figures.PAPER)


def test_drawing_a_dark_picture_leaves_the_figure_alone():
    figure = a_figure()
    canvas, before = figure.canvas, drawn(figure, dark=False)
    dark_png(figure)
    assert figure.canvas is canvas
    assert np.array_equal(drawn(figure, dark=False), before)


@pytest.mark.parametrize("value", np.linspace(0, 1, 11))
def test_a_grey_on_dark_keeps_its_distance_from_the_paper(value):
    """White becomes the paper and black the ink; between, in order."""
    lighter, darker = on_dark([value] * 3), on_dark([value * 0.9] * 3)
    assert sum(darker[:3]) >= sum(lighter[:3])


@pytest.mark.parametrize("k", range(7))
def test_a_family_can_be_seen_on_dark(k):
    colour = to_hex(on_dark(figures.family(7)[k]["color"]))
    assert contrast(colour, palette.DARK_PAPER) >= 3


def test_the_opacity_of_a_colour_stays():
    assert on_dark((0.0, 0.0, 0.0, 0.25))[3] == 0.25
    assert on_dark((*to_rgb(figures.PALETTE["blue"]), 0.5))[3] == 0.5
