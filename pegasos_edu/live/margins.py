"""Points that can be dragged, and the street the optimum leaves between them.

`margins_figure` draws it; `ascent.js` of the toolkit finds the same optimum in
the browser.
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
from pegasos_edu.live.toolkit.plane import BOX, for_script, lines_of
from pegasos_edu.live.toolkit.positions import positions
from pegasos_edu.live.toolkit.shades import colour
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.losses import hinge

LAMBDAS = positions(-3, 1)
ARRANGEMENTS = ("overlapping", "separable", "one outlier")
APART = (
    [0.6, 1.8],
    [1.4, 0.9],
    [2.2, 1.6],
    [1.7, 0.1],
    [1.2, 2.2],
    [-0.5, -1.3],
    [-1.3, -0.7],
    [-2.0, -1.5],
    [-2.2, -0.2],
    [-1.0, -2.1],
)
OUTLIER = [0.3, -0.9]
# The part of the margins' axis that is drawn; what lies beyond sits at its
# end.
MARGINS = (-2.0, 4.0)
# A dual variable above this pulls on the solution.
PULLS = 1e-9


def arrangement(index):
    """The points of one arrangement, with their labels.

    Parameters
    ----------
    index : int
        The position in `ARRANGEMENTS`.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,), −1 or +1

    Examples
    --------
    >>> X, y = arrangement(1)
    >>> X.shape
    (10, 2)
    """
    if index == 0:
        return two_clouds(n=14, seed=0)
    X, y = np.array(APART), np.repeat([1.0, -1.0], 5)
    if index == 1:
        return X, y
    return np.vstack([X, OUTLIER]), np.append(y, 1.0)


class MarginsFigure(LiveFigure):
    """Points, street and margins at the optimum; see `margins_figure`."""

    name = "margins"
    needs = ("ascent", "handle")
    title = "The widest street between points that can be moved"
    readouts = (
        Readout("objective", "objective f(w*)"),
        Readout("gap", "relative gap"),
        Readout("width", "street width 2/‖w*‖"),
        Readout("loss", "mean hinge loss"),
        Readout("pulling", "support vectors", "count"),
        Readout("mistakes", "mistakes", "count"),
    )
    presets = (
        Preset("Two points alone hold the street", {"set": 1, "lam": 0.01}),
        Preset("One outlier makes it narrow", {"set": 2, "lam": 0.01}),
        Preset("A larger λ gives the outlier up", {"set": 2, "lam": 0.1}),
        Preset("λ = 10: every point holds it", {"set": 0, "lam": 10.0}),
    )

    def __init__(self, lam=0.1):
        numbers = tuple(range(len(ARRANGEMENTS)))
        self.controls = (
            regularisation(LAMBDAS, lam),
            Control("set", "Points", numbers, 0, ARRANGEMENTS),
        )

    def data(self):
        sets = [arrangement(k) for k in range(len(ARRANGEMENTS))]
        return {
            "sets": [for_script(X, y) for X, y in sets],
            "box": BOX,
        }

    def panels(self):
        return [
            Panel(
                "The points, the decision line and the street",
                "Blue circles and orange squares in a plane. A dashed line "
                "runs between the classes, thin lines on both sides bound "
                "the street; the points that hold it have a dark ring.",
                street_chart(),
                equal=True,
            ),
            Panel(
                "The hinge loss of each point against its margin",
                "The hinge loss against the margin, a line that falls to "
                "zero at margin one; every point sits on it at its margin, "
                "and those at margin one or less have a dark ring.",
                loss_chart(),
            ),
        ]

    def draw(self, lam, set):  # noqa: A002
        X, y = arrangement(set)
        best = optimum(X, y, lam)
        margin = y * (X @ best.w)
        pulls = best.alpha > PULLS
        readouts = {
            "objective": best.primal,
            "gap": max(0.0, best.gap),
            "width": float(2 / np.linalg.norm(best.w)),
            "loss": float(hinge(margin).mean()),
            "pulling": int(pulls.sum()),
            "mistakes": int((margin <= 0).sum()),
        }
        points = [
            {
                "x": float(x[0]),
                "y": float(x[1]),
                "m": float(m),
                "loss": float(hinge(m)),
                "class": "+1" if s > 0 else "−1",
                "pulls": bool(p),
            }
            for x, m, s, p in zip(X, margin, y, pulls)
        ]
        rows = {"points": points, "lines": lines_of(best.w), "lit": []}
        return Drawing(rows, readouts, summary_of(lam, readouts))


def summary_of(lam, readouts):
    """The state in a sentence; margins.js says the same."""
    return (
        f"λ = {plain(lam)}: the street is {text(readouts['width'])} wide, "
        f"{readouts['pulling']} support vectors hold it, the mean hinge "
        f"loss is {text(readouts['loss'])}, mistakes: {readouts['mistakes']}."
    )


def with_rings(x, y, legend):
    """The points, rings around those that pull, and the one pointed at."""
    rows = data_set("points")
    above = marks.classes_above()
    dots = (
        alt.Chart(rows)
        .mark_point(filled=True, size=70, opacity=0.9)
        .encode(x=x, y=y, **marks.classes(above if legend else None))
    )
    rings = (
        alt.Chart(rows)
        .transform_filter("datum.pulls")
        .mark_point(
            filled=False,
            size=230,
            strokeWidth=1.6,
            opacity=1,
            color=colour("text"),
            shape="circle",
        )
        .encode(x=x, y=y)
    )
    lit = (
        alt.Chart(data_set("lit"))
        .mark_point(filled=True, size=260, opacity=1)
        .encode(x=x, y=y, **marks.classes(None))
    )
    return dots, rings, lit


def street_chart():
    """Points, decision line and street."""
    axes = marks.plane_axes()
    return marks.apart(
        marks.street("optimum"), *with_rings(**axes, legend=True)
    )


def loss_chart():
    """The hinge loss, with every point at its margin."""
    low, high = MARGINS
    x = alt.X(
        "m:Q",
        title="margin",
        axis=alt.Axis(tickCount=7),
        scale=alt.Scale(domain=[low, high], nice=False, clamp=True),
    )
    y = alt.Y(
        "loss:Q",
        title="hinge loss",
        axis=alt.Axis(tickCount=4, minExtent=30, maxExtent=30),
        scale=alt.Scale(domain=[-0.2, 1 - low], nice=False, clamp=True),
    )
    corners = alt.InlineData(
        values=[{"m": m, "loss": max(0.0, 1.0 - m)} for m in (low, 1.0, high)]
    )
    curve = (
        alt.Chart(corners)
        .mark_line(strokeWidth=1.5, **marks.line("hinge loss"))
        .encode(x=x, y=y)
    )
    return marks.apart(curve, *with_rings(x, y, legend=False))


def margins_figure(lam=0.1):
    """Draw the points, the street of the optimum and every margin.

    On a page the points can be dragged, with a mouse, a finger or the
    arrow keys; the optimum is found anew each time.

    Parameters
    ----------
    lam : float
        Where the λ slider starts, above 0.

    Returns
    -------
    MarginsFigure
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If `lam` is not as described.

    Notes
    -----
    In the browser the optimum is found by dual coordinate ascent
    (Shalev-Shwartz and Zhang 2013).

    Examples
    --------
    >>> margins_figure(lam=0.5).start
    {'lam': 0.5, 'set': 0}
    """
    return MarginsFigure(checks.check_positive("lam", lam))
