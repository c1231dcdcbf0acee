"""One point moves: its margin, its slack, and the price it pays.

`slackness.js` is its twin in the reader's browser.
"""

import altair as alt
import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Preset,
    Readout,
    data_set,
    regularisation,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.plane import BOX, lines_of
from pegasos_edu.live.toolkit.positions import positions
from pegasos_edu.live.toolkit.shades import colour
from pegasos_edu.problem.losses import hinge

# Five of each class. No place of the moved point makes a third z = y·x on a
# line through two of these: three points on their margins could share what
# they pay in more than one way.
POINTS = (
    [0.66, 1.8],
    [1.38, 0.91],
    [2.21, 1.57],
    [1.74, 0.14],
    [1.21, 2.21],
    [-0.47, -1.28],
    [-1.33, -0.69],
    [-2.03, -1.5],
    [-2.17, -0.23],
    [-1.05, -2.08],
)
LABELS = (1.0, 1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0)
LAMBDAS = positions(-2, 0, in_decade=6)
# Where the moved point can be; its label is +1.
ACROSS = tuple(k / 10 for k in range(-29, 30))
UP = tuple(k / 10 for k in range(-24, 25))
# The part of the margins' axis that is drawn; what lies beyond sits at its
# end.
MARGINS = (-3.0, 5.0)
# A payment so near to 0 or 1, or a margin so near to 1, is just that.
TINY = 1e-7
# What is said of a point that pays nothing, a part, and in full.
CASES = ("pays nothing", "pays a part", "pays in full")


class Slackness(LiveFigure):
    """A point that moves, at the optimum of all points."""

    name = "slackness"
    needs = ("ascent", "handle")
    title = "One point moves: its margin, its slack and what it pays"
    controls = (
        Control(
            "across", "Place x₁", ACROSS, 0.5, plays=True, spoken="Place x1"
        ),
        Control("up", "Place x₂", UP, -0.5, spoken="Place x2"),
        regularisation(LAMBDAS, 0.05),
    )
    readouts = (
        Readout("margin", "margin m"),
        Readout("slack", "slack ξ"),
        Readout("paid", "payment α"),
        Readout("kept", "β = 1 − α"),
        Readout("gap", "relative gap"),
    )
    presets = (
        Preset(
            "Beyond its margin: no slack, it pays nothing",
            {"across": 2.0, "up": 1.0, "lam": 0.05},
        ),
        Preset(
            "Exactly on its margin: no slack, it pays a part",
            {"across": 0.9, "up": 0.5, "lam": 0.05},
        ),
        Preset(
            "Short of its margin: slack, it pays in full",
            {"across": 0.0, "up": -1.0, "lam": 0.05},
        ),
    )

    def data(self):
        return {
            "x": [number for point in POINTS for number in point],
            "y": LABELS,
            "across": ACROSS,
            "up": UP,
            "box": BOX,
            "tiny": TINY,
            "cases": CASES,
        }

    def panels(self):
        return [
            Panel(
                "The points, the street, and the slack of the moved point",
                "Five blue circles, five orange squares and a large ringed "
                "circle, the moved point. A dashed line runs between the "
                "classes, with a thin line on each side. From the ringed "
                "point a thick segment leads to the thin line of its class: "
                "its slack.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "What each point pays, against its margin",
                "A line in the shape of a Z: at the height 1 up to margin "
                "1, then straight down to 0, and on at 0. Every point sits "
                "on it; the ringed one is named by what it pays.",
                payment_chart(),
            ),
        ]

    def draw(self, across, up, lam):
        X, y = np.array([*POINTS, (across, up)]), np.array([*LABELS, 1.0])
        best = optimum(X, y, lam)
        margin = y * (X @ best.w)
        m, paid = float(margin[-1]), float(best.alpha[-1])
        slack = float(hinge(m)) if m < 1 - TINY else 0.0
        case = CASES[(paid > TINY) + (paid >= 1 - TINY)]
        readouts = {
            "margin": m,
            "slack": slack,
            "paid": paid,
            "kept": 1.0 - paid,
            "gap": max(0.0, best.gap),
        }
        foot = X[-1] + slack * best.w / (best.w @ best.w)
        rows = {
            "lines": lines_of(best.w),
            "slack": [
                {
                    "x": across,
                    "y": up,
                    "x2": float(foot[0]),
                    "y2": float(foot[1]),
                }
            ],
            "moved": [
                {"x": across, "y": up, "m": m, "paid": paid, "case": case}
            ],
            "payments": [
                {
                    "m": float(each),
                    "paid": float(price),
                    "class": "+1" if s > 0 else "−1",
                }
                for each, price, s in zip(margin, best.alpha, y)
            ],
        }
        summary = (
            f"The point at ({plain(across)}, {plain(up)}), "
            f"λ = {plain(lam)}: margin {text(m)}, slack {text(slack)}, "
            f"payment {text(paid)}; it {case}."
        )
        return Drawing(rows, readouts, summary)


def plane_chart():
    """The points, the street, and the way from the point to its margin."""
    axes = marks.plane_axes()
    slack = (
        alt.Chart(data_set("slack"))
        .mark_rule(strokeWidth=4, clip=True, **marks.line("hinge loss"))
        .encode(**axes, x2="x2:Q", y2="y2:Q")
    )
    return marks.apart(
        marks.plane(POINTS, LABELS),
        marks.street("optimum"),
        slack,
        marks.ringed(**axes),
    )


def payment_chart():
    """The Z of complementary slackness, with every point on it."""
    low, high = MARGINS
    x = alt.X(
        "m:Q",
        title="margin m",
        axis=alt.Axis(tickCount=8),
        scale=alt.Scale(domain=[low, high], nice=False, clamp=True),
    )
    y = alt.Y(
        **marks.linear(
            "paid",
            "payment α",
            -0.1,
            1.25,
            values=[0, 0.5, 1],
            minExtent=30,
            maxExtent=30,
        )
    )
    corners = [(low, 1, 0), (1, 1, 1), (1, 0, 2), (high, 0, 3)]
    bend = (
        alt.Chart(
            alt.InlineData(
                values=[{"m": m, "paid": p, "k": k} for m, p, k in corners]
            )
        )
        .mark_line(strokeWidth=1.5, **marks.line("margin"))
        .encode(x=x, y=y, order="k:Q")
    )
    points = (
        alt.Chart(data_set("payments"))
        .mark_point(filled=True, size=60, opacity=0.85)
        .encode(x=x, y=y, **marks.classes(marks.classes_above()))
    )
    # Beside the upright part of the line, above the two level ones.
    upright = f"datum.case == '{CASES[1]}'"
    words = (
        alt.Chart(data_set("moved"))
        .mark_text(
            align=alt.expr(f"{upright} ? 'left' : 'center'"),
            dx=alt.expr(f"{upright} ? 14 : 0"),
            dy=alt.expr(f"{upright} ? 0 : -16"),
            fontSize=12,
            fontWeight=600,
            color=colour("text"),
        )
        .encode(
            x=alt.X("word:Q", scale=x["scale"], title="margin m"),
            y=y,
            text="case:N",
        )
        # Away from both ends, so that no word is cut.
        .transform_calculate(word=f"clamp(datum.m, {low} + 1.5, {high} - 1.5)")
    )
    return marks.apart(bend, points, marks.ringed(x=x, y=y), words)
