"""One colour and one dash per idea, in still and live figures alike."""

import ast
from pathlib import Path

import pytest

from pegasos_edu import live
from pegasos_edu.live.toolkit import shades
from pegasos_edu.page import figures


def test_no_two_ideas_look_alike():
    looks = list(figures.LOOKS.values())
    assert len(looks) == len(set(looks))


def test_another_name_is_no_idea_of_its_own():
    assert figures.SAME.keys().isdisjoint(figures.LOOKS)
    assert set(figures.SAME.values()) <= set(figures.LOOKS)


@pytest.mark.parametrize("idea", [*figures.LOOKS, *figures.SAME])
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
    assert figures.entry("last iterate") == ("blue", "solid")
    assert figures.entry("average") == ("orange", "dash-dotted")
    assert figures.entry("optimum") == ("black", "dashed")
    assert figures.CLASSES == {1: ("blue", "o"), -1: ("orange", "s")}


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
    known = {*figures.LOOKS, *figures.SAME}
    return [
        key.value
        for node in ast.walk(ast.parse(code))
        if isinstance(node, ast.Dict)
        for key, value in zip(node.keys, node.values)
        if isinstance(key, ast.Constant)
        and isinstance(value, ast.Constant)
        and {key.value, value.value} <= known
        and figures.entry(key.value) != figures.entry(value.value)
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
