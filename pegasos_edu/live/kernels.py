"""Kernel Pegasos on a ring: the RBF width, the steps and λ.

`kernels.js` is its twin in the reader's browser.
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
    Reading,
    Readout,
    data_set,
    regularisation,
)
from pegasos_edu.live.toolkit.numbers import plain
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.plane import BOX, for_script
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.live.toolkit.shades import class_look, colour
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import ring
from pegasos_edu.problem.losses import hinge
from pegasos_edu.solvers.kernel import Rbf

WIDTHS = positions(-1, 1)
STEPS = whole(0, 4, in_decade=10)
LAMBDAS = positions(-3, 0, in_decade=6)
SEED = 0
# Where the score is computed: every eighth of a unit.
ACROSS = np.linspace(-BOX[0], BOX[0], 49)
UP = np.linspace(-BOX[1], BOX[1], 41)
# Between two of its rows the region is shaded in so many strips.
STRIPS = 3
LINES = {0: "decision line", 1: "margin", -1: "margin"}


class Kernels(LiveFigure):
    """The region of +1 after T steps, and what a step costs.

    See `kernels_figure`.
    """

    name = "kernels"
    title = "Kernel Pegasos: a curve around the inner class"
    readouts = (
        Readout("kept", "examples kept", "count"),
        Readout("mistakes", "mistakes", "count"),
        Readout("objective", "objective f(w)"),
        Readout("calls", "kernel values so far", "count"),
    )
    presets = (
        Preset(
            "Too narrow: all 80 examples kept, one mistake",
            {"width": 0.1, "T": 1000, "lam": 0.01},
        ),
        Preset(
            "A width that fits: the decision line is one closed curve",
            {"width": 1.0, "T": 1000, "lam": 0.01},
        ),
        Preset(
            "Too wide for this λ: half of all are mistakes",
            {"width": 5.0, "T": 1000, "lam": 0.01},
        ),
        Preset(
            "As wide, λ a tenth, ten times the steps: 12 mistakes",
            {"width": 5.0, "T": 10000, "lam": 0.001},
        ),
    )

    def __init__(self, width=1.0, T=1000, lam=0.01):
        self.controls = (
            Control("width", "RBF width σ", WIDTHS, width),
            Control("T", "Steps T", STEPS, T),
            regularisation(LAMBDAS, lam),
        )

    def data(self):
        X, y = ring()
        return {
            **for_script(X, y),
            "seed": SEED,
            "across": ACROSS.tolist(),
            "up": UP.tolist(),
            "strips": STRIPS,
            "steps": STEPS,
        }

    def panels(self):
        return [
            Panel(
                "The points, the decision line and the margins",
                "Blue circles in the middle, orange squares in a ring around "
                "them. A closed line runs between them, the inside is "
                "shaded; thinner lines on both sides of it are the margins. "
                "Examples that are kept have a dark ring: most squares, and "
                "some circles.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "What a step costs, against the step t",
                "Kernel evaluations in a step against the step on a "
                "logarithmic axis: the curve starts at 0, rises most "
                "from ten to five hundred steps, and is nearly flat from "
                "there, below a dotted line at 80, the number of examples.",
                cost_chart(),
                reading=Reading("cost", "t", "calls", "", "t"),
            ),
        ]

    def draw(self, width, T, lam):
        X, y = ring()
        counts, sums, calls = run(width, T, lam)
        scores = sums / (lam * T)
        margins = y * scores
        square = float(counts @ margins) / (lam * T)
        readouts = {
            "kept": int((counts > 0).sum()),
            "mistakes": int((margins <= 0).sum()),
            "objective": 0.5 * lam * square + float(hinge(margins).mean()),
            "calls": sum(calls),
        }
        grid = on_grid(width, counts * y / (lam * T))
        rows = {
            "points": [
                {
                    "x": float(x[0]),
                    "y": float(x[1]),
                    "class": "+1" if s > 0 else "−1",
                    "kept": bool(c > 0),
                }
                for x, s, c in zip(X, y, counts)
            ],
            "inside": strips(grid),
            "lines": [
                {**row, "line": name, "side": side}
                for side, name in LINES.items()
                for row in contour(grid - side)
            ],
            "cost": [{"t": t, "calls": calls[t - 1]} for t in STEPS if t <= T],
            "now": [{"t": T, "calls": calls[-1]}],
        }
        return Drawing(rows, readouts, summary_of(width, T, lam, readouts))


def summary_of(width, T, lam, readouts):
    """The state in a sentence; kernels.js says the same."""
    return (
        f"After {T:,} steps with width {plain(width)} and λ = {plain(lam)} "
        f"{readouts['kept']} of {len(ring()[1])} examples are kept, mistakes: "
        f"{readouts['mistakes']}."
    )


def run(width, T, lam):
    """T steps on the ring, keeping λt⟨w_{t+1}, φ(x)⟩ of every example.

    Returns
    -------
    counts, sums : ndarray of shape (n,)
        How often each example was added; λT times each score.
    calls : list of int
        How many different examples were kept before each step: what the
        step would cost if nothing but the counts were at hand.
    """
    X, y = ring()
    gram = Rbf(width)(X, X)
    counts, sums = np.zeros(len(y)), np.zeros(len(y))
    calls, kept = [], 0
    for t, i in enumerate(live_order(len(y), T, SEED).tolist(), start=1):
        calls.append(kept)
        # At t = 1 both sides are 0, and the margin 0 is below 1.
        if t == 1 or y[i] * sums[i] < lam * (t - 1):
            kept += counts[i] == 0
            counts[i] += 1
            sums += y[i] * gram[i]
    return counts, sums, [int(call) for call in calls]


def on_grid(width, weights):
    """The score at every point of the grid, one row for each of UP.

    The kernel is a product of a part across and a part up.
    """
    X, _ = ring()
    across = np.exp(
        -(np.subtract.outer(ACROSS, X[:, 0]) ** 2) / (2 * width**2)
    )
    up = np.exp(-(np.subtract.outer(UP, X[:, 1]) ** 2) / (2 * width**2))
    return (up * weights) @ across.T


def contour(grid):
    """Where the grid passes zero: a piece or two in each of its cells.

    Along an edge of a cell the score is taken as a straight line.
    """
    found = []
    for r in range(len(UP) - 1):
        for c in range(len(ACROSS) - 1):
            corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)]
            inside = [grid[corner] >= 0 for corner in corners]
            if all(inside) or not any(inside):
                continue
            ends = [
                crossing(grid, corners[k], corners[(k + 1) % 4])
                for k in range(4)
                if inside[k] != inside[(k + 1) % 4]
            ]
            for (x, y), (x2, y2) in zip(ends[::2], ends[1::2]):
                found.append({"x": x, "y": y, "x2": x2, "y2": y2})
    return found


def crossing(grid, one, other):
    """Where the score is zero between two neighbours of the grid."""
    share = float(grid[one] / (grid[one] - grid[other]))
    (r, c), (r2, c2) = one, other
    return (
        float(ACROSS[c] + share * (ACROSS[c2] - ACROSS[c])),
        float(UP[r] + share * (UP[r2] - UP[r])),
    )


def strips(grid):
    """The region of +1 as strips, `STRIPS` between two rows of the grid."""
    high, found = (UP[1] - UP[0]) / STRIPS, []
    for r in range(len(UP) - 1):
        for k in range(STRIPS):
            share = (k + 0.5) / STRIPS
            scores = grid[r] + share * (grid[r + 1] - grid[r])
            low = float(UP[r] + k * high)
            found += [
                {"x": x, "x2": x2, "y": low, "y2": float(low + high)}
                for x, x2 in stretches(scores)
            ]
    return found


def stretches(scores):
    """Pairs: where the scores along a row start to be at least 0, and end."""
    inside, ends = scores >= 0, []
    for c in range(len(ACROSS)):
        before = c > 0 and inside[c - 1]
        if inside[c] != before:
            end = ACROSS[c]
            if c > 0:
                share = scores[c - 1] / (scores[c - 1] - scores[c])
                end = ACROSS[c - 1] + share * (end - ACROSS[c - 1])
            ends.append(float(end))
    if inside[-1]:
        ends.append(float(ACROSS[-1]))
    return list(zip(ends[::2], ends[1::2]))


def plane_chart():
    """Points with rings, the region of +1, its edge and the margins."""
    axes = marks.plane_axes()
    shaded, _ = class_look(+1)
    inside = (
        alt.Chart(data_set("inside"))
        .mark_rect(color=shaded, opacity=0.13, clip=True)
        .encode(**axes, x2="x2:Q", y2="y2:Q")
    )
    points = alt.Chart(data_set("points"))
    dots = points.mark_point(filled=True, size=50, opacity=0.9).encode(
        **axes, **marks.classes(marks.classes_above())
    )
    rings = (
        points.transform_filter("datum.kept")
        .mark_point(
            filled=False,
            size=150,
            strokeWidth=1.4,
            opacity=1,
            color=colour("text"),
            shape="circle",
        )
        .encode(**axes)
    )
    street = marks.street("last iterate")
    return marks.apart(inside, street, dots, rings)


def cost_chart():
    """Kernel evaluations of each step, and the most there can be."""
    n = len(ring()[1])
    x = alt.X(**marks.logarithmic("t", "step t", 0, 4))
    y = alt.Y(
        **marks.linear(
            "calls",
            "kernel evaluations in step t",
            0,
            1.1 * n,
            tickCount=5,
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        )
    )
    most = (
        alt.Chart(alt.InlineData(values=[{"calls": n}]))
        .mark_rule(strokeWidth=1.5, **marks.line("reference"))
        .encode(y=y)
    )
    curve = (
        alt.Chart(data_set("cost"))
        .mark_line(strokeWidth=1.8, **marks.line("last iterate"))
        .encode(x=x, y=y)
    )
    now = (
        alt.Chart(data_set("now"))
        .mark_point(filled=True, size=90, opacity=1, color=class_look(+1)[0])
        .encode(x=x, y=y)
    )
    return most + curve + now


def kernels_figure(width=1.0, T=1000, lam=0.01):
    """Draw what kernel Pegasos has made of the ring after T steps.

    Parameters
    ----------
    width : float
        Where the slider of the RBF width starts, above 0.
    T : int
        The number of steps, at least 1.
    lam : float
        The regularisation strength λ > 0.

    Returns
    -------
    Kernels
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Examples
    --------
    >>> shown = kernels_figure().draw(width=1.0, T=1, lam=0.01)
    >>> shown.readouts["kept"], shown.readouts["calls"]
    (1, 0)
    """
    width = checks.check_positive("width", width)
    T = checks.check_integer("T", T, 1)
    lam = checks.check_positive("lam", lam)
    return Kernels(width, T, lam)
