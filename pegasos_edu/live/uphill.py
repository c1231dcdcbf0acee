"""Steps from a kink: the objective may rise while the minimum comes nearer.

`uphill.js` is its twin in the reader's browser.
"""

import altair as alt
import numpy as np

from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.ends import ends
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Preset,
    Reading,
    Readout,
    data_set,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.shades import colour

# Two examples that both ask for ⟨z, w⟩ ≥ 1: the minimum is on that line.
Z, LAM = (1.0, 0.5), 0.1
START, BEST = (0.2, 1.6), (0.8, 0.4)
ETAS = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0)
STEPS = tuple(range(61))
# The part of the plane that is drawn.
W1_RANGE, W2_RANGE = (-0.7, 2.7), (-0.7, 2.1)
CIRCLE = 60
# Where, seen from the minimum, the two words stand.
LOWER, NEARER = 0.45, 3.0
GAP, DISTANCE = "f − f*", "distance"
IDEAS = {GAP: "last iterate", DISTANCE: "optimum"}


def value(w):
    """The objective of the two examples, which lose the same.

    Examples
    --------
    >>> print(value((0.0, 0.0)))
    1.0
    """
    lack = 1.0 - (Z[0] * w[0] + Z[1] * w[1])
    return LAM / 2 * (w[0] * w[0] + w[1] * w[1]) + max(0.0, lack)


def subgradient(w):
    """The subgradient that Pegasos takes: λw, and −z below the margin.

    Examples
    --------
    >>> subgradient((0.0, 0.0))
    (-1.0, -0.5)
    """
    share = 1.0 if Z[0] * w[0] + Z[1] * w[1] < 1 else 0.0
    return LAM * w[0] - share * Z[0], LAM * w[1] - share * Z[1]


def steps(eta, t):
    """The weights before the first of t steps and after each of them.

    Examples
    --------
    >>> steps(2.0, 1)
    [(0.2, 1.6), (0.16, 1.28)]
    """
    path = [START]
    for _ in range(t):
        w, g = path[-1], subgradient(path[-1])
        path.append((w[0] - eta * g[0], w[1] - eta * g[1]))
    return path


def distance(w):
    """How far w is from the minimum.

    Examples
    --------
    >>> print(round(distance(START), 4))
    1.3416
    """
    return float(np.hypot(w[0] - BEST[0], w[1] - BEST[1]))


def limit_of(w):
    """The lemma: a step shorter than this comes nearer to the minimum.

    Examples
    --------
    >>> print(round(limit_of(START), 2))
    6.92
    """
    g = subgradient(w)
    return 2 * (value(w) - value(BEST)) / (g[0] * g[0] + g[1] * g[1])


def around(w):
    """The circle about the minimum through w, and where f is as at w.

    Examples
    --------
    >>> rows = around(START)
    >>> print(len(rows["reach"]), round(rows["lower"][0]["y"], 12))
    61 1.6
    """
    reach, f = distance(w), value(w)
    both = {
        "reach": [place(angle, reach) for angle in angles()],
        "lower": level(f),
    }
    rows = {
        name: [{"k": k, "x": x, "y": y} for k, (x, y) in enumerate(each)]
        for name, each in both.items()
    }
    words = (
        ("lower", way_to(f, LOWER) / 2, LOWER),
        ("nearer", 0.6 * reach, NEARER),
    )
    rows["words"] = [
        dict(zip("xy", place(angle, far)), word=word)
        for word, far, angle in words
    ]
    return rows


def angles():
    """The directions that are drawn; the first is that of the kink.

    Examples
    --------
    >>> print(len(angles()))
    61
    """
    kink = np.arctan2(Z[0], -Z[1])
    return [2 * np.pi * k / CIRCLE + kink for k in range(CIRCLE + 1)]


def place(angle, far):
    """The place so far from the minimum in this direction.

    Examples
    --------
    >>> place(0.0, 1.0)
    (1.8, 0.4)
    """
    return (
        float(BEST[0] + far * np.cos(angle)),
        float(BEST[1] + far * np.sin(angle)),
    )


def level(f):
    """Where the objective is f, all around the minimum.

    Examples
    --------
    >>> [round(value(w), 12) for w in level(0.5)[:2]]
    [0.5, 0.5]
    """
    return [place(angle, way_to(f, angle)) for angle in angles()]


def way_to(f, angle):
    """How far it is in this direction to where the objective is f.

    The objective is the larger of two parabolas, with one loss or with none.
    So what is below f is in two discs, and ends where the first one does.

    Examples
    --------
    >>> print(round(way_to(value(START), np.arctan2(1.2, -0.6)), 4))
    1.3416
    """
    a, b = np.cos(angle), np.sin(angle)
    long2 = Z[0] * Z[0] + Z[1] * Z[1]
    from_z = BEST[0] - Z[0] / LAM, BEST[1] - Z[1] / LAM
    return min(
        way_out(BEST, a, b, 2 * f / LAM),
        way_out(from_z, a, b, 2 * (f - 1.0) / LAM + long2 / (LAM * LAM)),
    )


def way_out(start, a, b, square):
    """How far it is from a start in a disc about 0 to its edge, along (a, b).

    Examples
    --------
    >>> way_out((1.0, 0.0), 1.0, 0.0, square=9.0)
    2.0
    """
    along = start[0] * a + start[1] * b
    inside = square - (start[0] * start[0] + start[1] * start[1])
    return float(np.sqrt(along * along + max(0.0, inside)) - along)


class Uphill(LiveFigure):
    """Steps of one length, from a kink."""

    name = "uphill"
    title = "Steps from a kink: uphill, and still nearer"
    controls = (
        Control("eta", "Step size η", ETAS, 2.0),
        Control("T", "Steps T", STEPS, 1),
    )
    readouts = (
        Readout("rise", "f, last step"),
        Readout("nearer", "distance, last step"),
        Readout("limit", "limit of the lemma"),
        Readout("uphill", "steps uphill", "count"),
        Readout("away", "steps away", "count"),
    )
    presets = (
        Preset("One step: uphill, and nearer", {"eta": 2.0, "T": 1}),
        Preset("A short step: the same", {"eta": 0.05, "T": 1}),
        Preset(
            "Sixty short steps: some uphill, none away", {"eta": 0.1, "T": 60}
        ),
        Preset(
            "Sixty long steps: nearer, and away again", {"eta": 2.0, "T": 60}
        ),
    )

    def data(self):
        return {
            "z": Z,
            "lam": LAM,
            "start": START,
            "best": BEST,
            "circle": CIRCLE,
            "lower": LOWER,
            "nearer": NEARER,
            "names": [GAP, DISTANCE],
        }

    def panels(self):
        return [
            Panel(
                "The last step, and the circle about the minimum",
                "Level curves with a kink along a straight line, a diamond "
                "on it, the minimum, and a dotted circle about that. A thick "
                "blue line, the last step, begins on the circle, at the edge "
                "of a shaded part, where f is lower.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "What is left of the gap and of the distance",
                "Two lines against the steps, on a logarithmic axis, both "
                "from 1: the gap in f, which may rise, and the distance to "
                "the minimum, which falls while the steps are short.",
                course_chart(),
                reading=Reading("course", "t", "left", "name", "t"),
            ),
        ]

    def draw(self, eta, T):
        path = steps(eta, T)
        f, far = [value(w) for w in path], [distance(w) for w in path]
        last = path[max(0, T - 1)]
        rises, recedes = np.diff(f), np.diff(far)
        readouts = {
            "rise": float(rises[-1]) if T else 0.0,
            "nearer": float(recedes[-1]) if T else 0.0,
            "limit": limit_of(last),
            "uphill": int((rises > 0).sum()),
            "away": int((recedes > 0).sum()),
        }
        rows = {
            "path": [
                {"t": k, "x": a, "y": b} for k, (a, b) in enumerate(path)
            ],
            "step": [
                {"x": a, "y": b, "k": k}
                for k, (a, b) in enumerate((last, path[-1]))
            ],
            **around(last),
            "course": [
                {"t": k, "left": value_at / first, "name": name}
                for name, first, each in (
                    (
                        GAP,
                        value(START) - value(BEST),
                        np.array(f) - value(BEST),
                    ),
                    (DISTANCE, distance(START), far),
                )
                for k, value_at in enumerate(map(float, each))
            ],
        }
        return Drawing(rows, readouts, summary_of(eta, T, readouts))


def summary_of(eta, T, readouts):
    """The state in a sentence; uphill.js says the same."""
    if T == 0:
        return f"η = {plain(eta)}: before the first step."
    f = "up" if readouts["rise"] > 0 else "down"
    way = "farther away" if readouts["nearer"] > 0 else "nearer"
    return (
        f"η = {plain(eta)}, step {T}: f goes {f} by "
        f"{text(abs(readouts['rise']))}, and the minimum is {way} by "
        f"{text(abs(readouts['nearer']))}. So far {readouts['uphill']} of "
        f"{T} steps went uphill, {readouts['away']} away from the minimum."
    )


def level_curves():
    """Points of the level curves of the objective, for the chart."""
    low, first = value(BEST), value(START) - value(BEST)
    return [
        {"x": round(x, 3), "y": round(y, 3), "curve": c, "k": k}
        for c, times in enumerate(2.0 ** np.arange(-2, 5))
        for k, (x, y) in enumerate(level(low + float(times) * first))
    ]


def plane_chart():
    """Level curves, the path, the last step and the circle it began on."""
    x = alt.X(**marks.linear("x", "w₁", *W1_RANGE, tickCount=6, grid=False))
    y = alt.Y(
        **marks.linear(
            "y",
            "w₂",
            *W2_RANGE,
            tickCount=5,
            grid=False,
            minExtent=30,
            maxExtent=30,
        )
    )
    return alt.layer(*plane_lines(x, y), *plane_points(x, y))


def plane_lines(x, y):
    """What is lower, the curves, the circle, the path and the last step."""

    def drawn(rows, order, **look):
        return (
            alt.Chart(rows)
            .mark_line(clip=True, **look)
            .encode(x=x, y=y, order=f"{order}:Q")
        )

    path = marks.line("last iterate")
    lower = (
        alt.Chart(data_set("lower"))
        .mark_line(
            interpolate="linear-closed",
            fill=colour("muted"),
            fillOpacity=0.3,
            strokeWidth=0,
            clip=True,
        )
        .encode(x=x, y=y, order="k:Q")
    )
    curves = drawn(
        alt.InlineData(values=level_curves()),
        "k",
        color=colour("muted"),
        strokeWidth=0.7,
    ).encode(detail="curve:N")
    return [
        lower,
        curves,
        drawn(
            data_set("reach"), "k", strokeWidth=2, **marks.line("reference")
        ),
        drawn(data_set("path"), "t", strokeWidth=1.2, **path),
        drawn(data_set("step"), "k", strokeWidth=4, **path),
    ]


def plane_points(x, y):
    """The best point, the iterate, and the words beside them."""
    best = (
        alt.Chart(alt.InlineData(values=[{"x": BEST[0], "y": BEST[1]}]))
        .mark_point(
            filled=True,
            shape="diamond",
            size=110,
            color=colour("text"),
            opacity=1,
        )
        .encode(x=x, y=y)
    )
    here = (
        alt.Chart(data_set("path"))
        .transform_joinaggregate(end="max(t)")
        .transform_filter("datum.t == datum.end")
        .mark_point(
            filled=True,
            size=110,
            opacity=1,
            clip=True,
            color=marks.line("last iterate")["color"],
        )
        .encode(x=x, y=y)
    )
    words = (
        alt.Chart(data_set("words"))
        .mark_text(fontSize=12, fontWeight=600, color=colour("text"))
        .encode(x=x, y=y, text="word:N")
    )
    return [best, here, words]


def course_chart():
    """Gap and distance after each step, as shares of those at the start."""
    x = alt.X(**marks.linear("t", "step t", 0, STEPS[-1], tickCount=6))
    y = alt.Y(
        **marks.logarithmic(
            "left",
            "times that at the start",
            -2,
            1,
            minExtent=34,
            maxExtent=34,
        )
    )
    one = (
        alt.Chart(alt.InlineData(values=[{"left": 1.0}]))
        .mark_rule(**marks.line("reference"))
        .encode(y=y)
    )
    curves = (
        alt.Chart(data_set("course"))
        .mark_line(clip=True, strokeWidth=2)
        .encode(x=x, y=y, **marks.look(IDEAS))
    )
    return alt.layer(one, curves, ends(data_set("course"), x, y, IDEAS))
