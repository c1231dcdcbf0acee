"""Hinge against log loss: move one example and see who listens to it.

`two_losses.js` is its twin in the reader's browser.
"""

import altair as alt
import numpy as np

from pegasos_edu.live.toolkit import ends, marks
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Preset,
    Reading,
    Readout,
    data_set,
    regularisation,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.plane import BOX, clip_line, for_script
from pegasos_edu.live.toolkit.positions import positions
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers import compiled

# Few points, so that one of them has a say.
N = 14
# The moved example is at (s, HEIGHT) and has the label +1.
HEIGHT = -1.4
PLACES = tuple(k / 10 for k in range(-29, 30))
LAMBDAS = positions(-2, 0, in_decade=6)
# Every step looks at all examples: the curves then move without jumps.
T = 600
MARGINS = (-6.0, 6.0)
NAMES = ("hinge", "log")
# The margin at which the curves have their names.
NAMED_AT = -3.4
IDEAS = {"hinge": "hinge loss", "log": "log loss"}


class TwoLosses(LiveFigure):
    """Both losses at the moved example, and both decision lines."""

    name = "two_losses"
    needs = ("handle",)
    title = "One example moves: its loss, its slope and the decision lines"
    controls = (
        Control(
            "place",
            "Place s",
            PLACES,
            2.0,
            plays=True,
            spoken="Place s of the example",
        ),
        regularisation(LAMBDAS, 0.05),
    )
    readouts = (
        Readout("hinge_margin", "margin, hinge"),
        Readout("hinge_slope", "slope, hinge"),
        Readout("log_margin", "margin, log"),
        Readout("log_slope", "slope, log"),
        Readout("probability", "probability of +1, log", "percent"),
    )
    presets = (
        Preset(
            "Far on its side: only the log loss still pulls",
            {"place": 2.9, "lam": 0.05},
        ),
        Preset(
            "On the wrong side: the hinge pulls fully, the log loss nearly",
            {"place": -2.9, "lam": 0.05},
        ),
        Preset(
            "In between: the hinge fully, the log loss by half",
            {"place": 0.0, "lam": 1.0},
        ),
    )

    def data(self):
        X, y = two_clouds(N)
        return {
            **for_script(X, y),
            "height": HEIGHT,
            "places": PLACES,
            "steps": T,
            "box": BOX,
            "range": MARGINS,
        }

    def panels(self):
        return [
            Panel(
                "The two losses, with the moved example on both",
                "The hinge loss, two straight pieces that meet at margin "
                "1, and the log loss, a smooth curve, below the hinge on "
                "the left and above it on the right. A dot on each, with a "
                "piece of its tangent, is the moved example.",
                loss_chart(),
                reading=Reading("losses", "m", "loss", "name", "m"),
            ),
            Panel(
                "The points and the two decision lines",
                "Two clouds of points, blue circles for +1 and orange "
                "squares for −1, and a large ringed circle, the moved "
                "example. A solid and a dashed line through the origin are "
                "the decision lines of hinge and log loss.",
                plane_chart(),
                equal=True,
            ),
        ]

    def draw(self, place, lam):
        X, y = two_clouds(N)
        X, y = np.vstack([X, [place, HEIGHT]]), np.append(y, 1.0)
        everything = np.tile(np.arange(len(y)), (T, 1))
        readouts, tangents, dots, lines = {}, [], [], []
        for name in NAMES:
            w = compiled.pegasos(
                X,
                y,
                lam,
                order=everything,
                k=len(y),
                loss=name,
                average_from=T // 2 + 1,
            ).average
            margin = float(X[-1] @ w)
            slope = float(LOSSES[name].slope(margin)) + 0.0  # no −0
            value = float(LOSSES[name].value(margin))
            readouts[f"{name}_margin"] = margin
            readouts[f"{name}_slope"] = slope
            dots.append({"m": margin, "loss": value, "name": name})
            tangents += [
                {"m": margin + s, "loss": value + s * slope, "name": name}
                for s in (-1.0, 1.0)
            ]
            ends = clip_line(w, 0.0)
            if ends is not None:
                lines.append(
                    dict(zip(("x", "y", "x2", "y2"), ends), name=name)
                )
        # At margin m of a positive example, p = 1 + ℓ'(m).
        readouts["probability"] = 1.0 + readouts["log_slope"]
        rows = {
            "dots": dots,
            "tangents": tangents,
            "lines": lines,
            "moved": [{"x": place, "y": HEIGHT}],
        }
        summary = (
            f"The example at ({plain(place)}, {plain(HEIGHT)}), "
            f"λ = {plain(lam)}: slope "
            f"{text(readouts['hinge_slope'])} for the hinge, "
            f"{text(readouts['log_slope'])} for the log loss; its probability "
            f"of being +1 is {text(readouts['probability'], 'percent')}."
        )
        return Drawing(rows, readouts, summary)


def loss_chart():
    """Both curves, and the moved example on each."""
    margins = np.linspace(*MARGINS, 121)
    curves = alt.InlineData(
        values=[
            {
                "m": round(float(m), 2),
                "name": name,
                "loss": round(float(LOSSES[name].value(m)), 5),
            }
            for name in NAMES
            for m in margins
        ],
        name="losses",
    )
    x = alt.X(**marks.linear("m", "margin m", *MARGINS, tickCount=7))
    y = alt.Y(
        **marks.linear(
            "loss",
            "loss ℓ(m)",
            -0.5,
            6.5,
            tickCount=7,
            minExtent=26,
            maxExtent=26,
        )
    )
    series = marks.look(IDEAS)
    # Each name on the side where the other curve is not.
    sides = alt.InlineData(
        values=[
            {
                "m": NAMED_AT,
                "loss": round(float(LOSSES[name].value(NAMED_AT)), 2),
                "name": name,
                "side": side,
            }
            for name, side in (("hinge", 1), ("log", -1))
        ]
    )
    names = ends.written(
        alt.Chart(sides).encode(x=x, y=y, text="name:N"),
        series["color"],
        align=alt.expr("datum.side > 0 ? 'left' : 'right'"),
        dx=alt.expr("9 * datum.side"),
    )
    lines = (
        alt.Chart(curves)
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, **series)
    )
    tangents = (
        alt.Chart(data_set("tangents"))
        .mark_line(strokeWidth=5, opacity=0.45, clip=True)
        .encode(x=x, y=y, color=series["color"])
    )
    dots = [dot.encode(x=x, y=y) for dot in marks.dots("dots", IDEAS)]
    return alt.layer(lines, *names, tangents, *dots)


def plane_chart():
    """The points, the moved one ringed, and the two decision lines."""
    X, y = two_clouds(N)
    points = marks.plane(X, y)
    moved = marks.ringed(x="x:Q", y="y:Q")
    lines = (
        alt.Chart(data_set("lines"))
        .mark_rule(strokeWidth=2.5, clip=True)
        .encode(
            x="x:Q",
            y="y:Q",
            x2="x2:Q",
            y2="y2:Q",
            **marks.look(IDEAS),
        )
    )
    names = ends.crossing(data_set("lines"), IDEAS)
    return marks.apart(points, alt.layer(lines, *names), moved)
