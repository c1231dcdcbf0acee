"""A convex piecewise-linear function and the fan of lines at a point.

`subgradients_figure` draws it; `subgradients.js` is its twin in the browser.
"""

import altair as alt
import numpy as np

from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Preset,
    Readout,
    data_set,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.shades import colour
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import hinge

# Four examples with one feature, as z = yx: the corners are at w = 1/z.
Z = (2.0, 1.0, -1.0, -0.5)
POINTS = tuple(k / 10 for k in range(-26, 19))
SHARES = tuple(k / 20 for k in range(21))
# The part of the plane that is drawn.
W_RANGE, F_RANGE, SLOPE_RANGE = (-2.8, 2.0), (-0.4, 2.6), (-0.9, 0.5)
CHOSEN = marks.line("chosen subgradient")["color"]
# How many lines the fan has.
FAN = 9


def value(w):
    """The mean hinge loss of the four examples at the weight w.

    Examples
    --------
    >>> print(value(0.0))
    1.0
    """
    return float(hinge(np.array(Z) * w).mean())


def slopes_at(w):
    """The least and the greatest subgradient at w.

    Examples
    --------
    >>> slopes_at(0.5)
    (-0.375, 0.125)
    """
    z = np.array(Z)
    sure = -z[z * w < 1].sum() / len(z)
    at_corner = -z[z * w == 1] / len(z)
    low = sure + np.minimum(at_corner, 0.0).sum()
    return float(low), float(sure + np.maximum(at_corner, 0.0).sum())


class SubgradientsFigure(LiveFigure):
    """A fan of lines under a function; see `subgradients_figure`."""

    name = "subgradients"
    needs = ("handle",)
    title = "The lines that touch a convex function and stay below it"
    readouts = (
        Readout("f", "value f(w)"),
        Readout("low", "least subgradient"),
        Readout("high", "greatest subgradient"),
        Readout("slope", "slope chosen"),
    )
    presets = (
        Preset(
            "The minimum: zero is among the slopes", {"w": 0.5, "share": 0.75}
        ),
        Preset("Between two corners: a single line", {"w": 0.0, "share": 0.5}),
        Preset(
            "A corner at which every line falls", {"w": -1.0, "share": 0.5}
        ),
        Preset("A corner at which every line rises", {"w": 1.0, "share": 0.5}),
    )

    def __init__(self, w=0.5):
        self.controls = (
            Control("w", "Point w", POINTS, w, plays=True),
            Control("share", "Choice of slope", SHARES, 0.5),
        )

    def data(self):
        return {"z": Z, "points": POINTS, "range": W_RANGE, "fan": FAN}

    def panels(self):
        return [
            Panel(
                "The function and the lines through the point",
                "A convex function made of straight pieces. Through a point "
                "at one of its corners go several lines that stay below it; "
                "one of them is drawn bold.",
                function_chart(),
            ),
            Panel(
                "All subgradients of all points",
                "A rising staircase: the subgradient against the point. The "
                "piece at the chosen point is vertical and drawn bold; a "
                "dotted line marks slope zero.",
                staircase_chart(),
            ),
        ]

    def draw(self, w, share):
        f, (low, high) = value(w), slopes_at(w)
        slope = low + share * (high - low)
        fan = (
            [
                line_of(w, f, low + k / (FAN - 1) * (high - low))
                for k in range(FAN)
            ]
            if low < high
            else []
        )
        readouts = {"f": f, "low": low, "high": high, "slope": slope}
        rows = {
            "fan": fan,
            "line": [line_of(w, f, slope)],
            "point": [{"x": w, "y": f}],
            "piece": [{"x": w, "y": low, "y2": high}],
            "slope": [{"x": w, "y": slope}],
        }
        return Drawing(rows, readouts, summary_of(w, low, high, slope))


def line_of(w, f, slope):
    """The line through (w, f) across the drawn range."""
    left, right = W_RANGE
    return {
        "x": left,
        "y": f + slope * (left - w),
        "x2": right,
        "y2": f + slope * (right - w),
    }


def summary_of(w, low, high, slope):
    """The state in a sentence; subgradients.js says the same."""
    if low == high:
        return f"At w = {plain(w)} the only subgradient is {text(low)}."
    zero = "zero is" if low <= 0.0 <= high else "zero is not"
    return (
        f"At w = {plain(w)} there is a corner: the subgradients run from "
        f"{text(low)} to {text(high)}, {zero} among them; the slope chosen is "
        f"{text(slope)}."
    )


def w_axis():
    return alt.X(
        "x:Q",
        title="weight w",
        axis=alt.Axis(tickCount=6),
        scale=alt.Scale(domain=list(W_RANGE), nice=False),
    )


def function_chart():
    """The function, the fan and the chosen line."""
    x = w_axis()
    y = alt.Y(
        "y:Q",
        title="mean hinge loss f",
        axis=alt.Axis(tickCount=6, minExtent=34, maxExtent=34),
        scale=alt.Scale(domain=list(F_RANGE), nice=False),
    )
    corners = sorted({*W_RANGE, *(1.0 / z for z in Z)})
    pieces = alt.InlineData(values=[{"x": u, "y": value(u)} for u in corners])
    curve = (
        alt.Chart(pieces)
        .mark_line(color=colour("text"), strokeWidth=3, clip=True)
        .encode(x=x, y=y)
    )
    fan = (
        alt.Chart(data_set("fan"))
        .mark_rule(strokeWidth=1, clip=True, **marks.line("subgradient"))
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    )
    line = (
        alt.Chart(data_set("line"))
        .mark_rule(
            strokeWidth=2.5, clip=True, **marks.line("chosen subgradient")
        )
        .encode(x=x, y=y, x2="x2:Q", y2="y2:Q")
    )
    point = (
        alt.Chart(data_set("point"))
        .mark_point(filled=True, size=130, color=CHOSEN, opacity=1)
        .encode(x=x, y=y)
    )
    return fan + line + curve + point


def staircase_chart():
    """The subdifferential of every point."""
    x = w_axis()
    y = alt.Y(
        "y:Q",
        title="subgradient",
        axis=alt.Axis(tickCount=6, minExtent=34, maxExtent=34),
        scale=alt.Scale(domain=list(SLOPE_RANGE), nice=False),
    )
    stairs = []
    for u in sorted({*W_RANGE, *(1.0 / z for z in Z)}):
        stairs += [{"x": u, "y": s} for s in slopes_at(u)]
    steps = (
        alt.Chart(
            alt.InlineData(
                values=[{**row, "order": k} for k, row in enumerate(stairs)]
            )
        )
        .mark_line(color=colour("text"), strokeWidth=2)
        .encode(x=x, y=y, order="order:Q")
    )
    zero = (
        alt.Chart(alt.InlineData(values=[{"y": 0.0}]))
        .mark_rule(**marks.line("reference"))
        .encode(y=y)
    )
    piece = (
        alt.Chart(data_set("piece"))
        .mark_rule(strokeWidth=6, **marks.line("subgradient"))
        .encode(x=x, y=y, y2="y2:Q")
    )
    slope = (
        alt.Chart(data_set("slope"))
        .mark_point(filled=True, size=130, color=CHOSEN, opacity=1)
        .encode(x=x, y=y)
    )
    return zero + steps + piece + slope


def subgradients_figure(w=0.5):
    """Draw a convex piecewise-linear function and its lines at a point.

    Parameters
    ----------
    w : float
        Where the point starts, any finite number.

    Returns
    -------
    SubgradientsFigure
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If `w` is not as described.

    Notes
    -----
    The function is the mean hinge loss of four examples with one feature.

    Examples
    --------
    >>> subgradients_figure(w=-1).start
    {'w': -1.0, 'share': 0.5}
    """
    w = checks.check_weights([w], 1, stack=False)
    return SubgradientsFigure(float(w[0]))
