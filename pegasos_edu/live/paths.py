"""Paths in the plane: six first-order methods on three sets.

`explore_paths` draws them; `paths.js` is its twin in the reader's browser.
"""

import functools

import altair as alt
import numpy as np

from pegasos_edu import objective, optimum
from pegasos_edu.certificate.constrained import optimum_on
from pegasos_edu.experiments import shortened
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
from pegasos_edu.live.toolkit.numbers import text
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.plane import for_script
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.live.toolkit.shades import colour, shade
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.solvers import relatives
from pegasos_edu.solvers.steps import Constant, InverseSqrt

LAM, RADIUS = 0.1, 1.0
METHODS = (
    "SGD, c/√t",
    "Pegasos, c/(λt)",
    "mirror descent, lazy, c/√t",
    "EG±, c/√t",
    "AdaGrad, c",
    "gradient descent, c/√t",
)
SGD, PEGASOS, LAZY, EG, ADAGRAD, GD = range(len(METHODS))
SETS = ("l1", "l2", "simplex")
SET_NAMES = ("ℓ1-ball", "ℓ2-ball", "simplex")
SCALES = positions(-2, 1)
STEPS = whole(0, 3)
SEEDS = tuple(range(100))
# The part of the w-plane that is drawn, with equal units on both axes.
LEFT, RIGHT, BOTTOM, TOP = -1.3, 1.5, -1.15, 1.18
# The axis of the gap; what is below its lower end is drawn there.
GAPS = (1e-6, 1.0)
LAST, AVERAGE = "last iterate", "average"


class PathsExplorer(LiveFigure):
    """The iterates of one method, and how far they are from the optimum."""

    name = "paths"
    title = "Paths of first-order methods in a set of the plane"
    readouts = (
        Readout("gap", "gap, last iterate"),
        Readout("average_gap", "gap, average"),
        Readout("edge", "steps ending on the edge", "percent"),
    )
    presets = (
        Preset(
            "Full gradients: to the edge, then along it to the best point",
            {"method": 5, "set": 0, "scale": 1.0, "T": 1000, "seed": 0},
        ),
        Preset(
            "SGD: about half of its steps end on the edge",
            {"method": 0, "set": 0, "scale": 1.0, "T": 1000, "seed": 0},
        ),
        Preset(
            "Lazy mirror descent: every step ends on the edge",
            {"method": 2, "set": 1, "scale": 1.0, "T": 1000, "seed": 0},
        ),
    )

    def __init__(self, method=SGD, ball="l1", scale=1.0, T=100, seed=0):
        self.controls = (
            Control(
                "method",
                "Method and step",
                tuple(range(len(METHODS))),
                method,
                METHODS,
            ),
            Control(
                "set",
                "Set",
                tuple(range(len(SETS))),
                SETS.index(ball),
                SET_NAMES,
            ),
            Control("scale", "Step scale c", SCALES, scale),
            Control("T", "Steps T", STEPS, T),
            Control("seed", "Seed", SEEDS, seed),
        )

    def data(self):
        X, y = two_clouds()
        return {
            **for_script(X, y),
            "lam": LAM,
            "methods": METHODS,
            "sets": SET_NAMES,
            # The last digits differ from processor to processor.
            "best": shortened([best_on(ball).primal for ball in SETS], 12),
            "targets": shortened([best_on(ball).w for ball in SETS], 12),
            "edges": [outline(ball) for ball in SETS],
            "floor": GAPS[0],
            # The steps at which the gap is drawn.
            "steps": STEPS,
        }

    def panels(self):
        return [
            Panel(
                "The plane of w: the set, the path, the best point",
                "Level lines of the objective around its minimum, which "
                "lies outside a diamond, the ℓ1-ball of radius 1. The path "
                "of SGD, with dots at the steps of the other panel, starts "
                "at the centre, goes to the right corner, then jumps to and "
                "fro on the upper right edge and just inside it, and ends "
                "near the best point, a cross on that edge.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "The gap to the optimum on the set against the step",
                "The gap to the best point of the set against the step on "
                "log-log axes: the curve of the last iterate jumps up and "
                "down around 0.01, that of the average falls to there, "
                "almost smoothly.",
                gap_chart(),
                reading=Reading("curve", "t", "gap", "iterate", "t"),
            ),
        ]

    def draw(self, method, set, scale, T, seed):  # noqa: A002
        X, y = two_clouds()
        ball = SETS[set]
        if method == EG and ball == "l2":
            ball = "l1"  # the only ball EG± knows
        run = run_method(method, ball, scale, live_order(len(y), T, seed))
        best = best_on(ball)
        gaps = {
            LAST: objective(run.iterates, X, y, LAM) - best.primal,
            AVERAGE: objective(run.averages, X, y, LAM) - best.primal,
        }
        readouts = {
            "gap": float(gaps[LAST][-1]),
            "average_gap": float(gaps[AVERAGE][-1]),
            "edge": float(on_edge(ball, run.iterates).mean()),
        }
        path = np.vstack([start_of(ball), run.iterates])
        shown = [t for t in range(1, T + 1) if t in STEPS]
        curve = [
            {
                "t": t,
                "gap": max(float(gaps[iterate][t - 1]), GAPS[0]),
                "iterate": iterate,
            }
            for iterate in gaps
            for t in shown
        ]
        points = [
            {"t": t, "x": float(w[0]), "y": float(w[1])}
            for t, w in enumerate(path)
        ]
        rows = {
            "edge": outline(ball),
            "path": points,
            "stops": [points[t] for t in (0, *shown)],
            "now": [{"x": float(run.last[0]), "y": float(run.last[1])}],
            "target": [{"x": float(best.w[0]), "y": float(best.w[1])}],
            "curve": curve,
        }
        summary = summary_of(method, SETS.index(ball), T, readouts)
        return Drawing(rows, readouts, summary)


def run_method(method, ball, scale, order):
    """One run with every step kept, by the package's own solvers."""
    X, y = two_clouds()
    T = len(order)
    options = {
        "radius": RADIUS,
        "snapshots": range(1, T + 1),
        "step": InverseSqrt(scale),
    }
    if method == GD:
        return relatives.gradient_descent(X, y, LAM, T, ball=ball, **options)
    options["order"] = order
    if method == EG and ball == "simplex":
        return relatives.mirror_descent(
            X, y, LAM, mirror="entropy", ball=ball, **options
        )
    if method == EG:
        return relatives.exponentiated_gradient(X, y, LAM, **options)
    if method == LAZY:
        return relatives.mirror_descent(
            X, y, LAM, lazy=True, ball=ball, **options
        )
    if method == ADAGRAD:
        options["step"] = Constant(scale)
        return relatives.adagrad(X, y, LAM, ball=ball, **options)
    if method == PEGASOS:
        options["step"] = lambda t: scale / (LAM * t)
    return relatives.sgd(X, y, LAM, ball=ball, **options)


@functools.cache
def best_on(ball):
    """The certified optimum on one of the sets."""
    return optimum_on(ball, RADIUS, *two_clouds(), LAM, tol=1e-9)


def start_of(ball):
    """w_1: the point of the set nearest to 0."""
    return relatives.projection(ball, RADIUS)(np.zeros(2))


def on_edge(ball, w):
    """Whether each row of w lies on the edge of the set."""
    norms = np.linalg.norm(w, ord=2 if ball == "l2" else 1, axis=1)
    return norms >= RADIUS * (1 - 1e-9)


def outline(ball):
    """The edge of a set as a closed line, or the simplex as a segment."""
    corners = {
        "l1": [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 0)],
        "simplex": [(1, 0), (0, 1)],
    }
    if ball == "l2":
        angles = np.linspace(0.0, 2.0 * np.pi, 73)
        points = np.round(np.column_stack([np.cos(angles), np.sin(angles)]), 4)
    else:
        points = np.array(corners[ball], dtype=float)
    return [
        {"k": k, "x": float(x), "y": float(y)}
        for k, (x, y) in enumerate(RADIUS * points)
    ]


def summary_of(method, set, T, readouts):  # noqa: A002
    """The state in a sentence; paths.js says the same."""
    return (
        f"{METHODS[method]} on the {SET_NAMES[set]}, {T:,} steps: the last "
        f"iterate is {text(readouts['gap'])} above the optimum on the set, "
        f"the average {text(readouts['average_gap'])}; "
        f"{text(readouts['edge'], 'percent')} of the steps ended on the edge."
    )


@functools.cache
def level_lines(levels=(0.3, 0.37, 0.5, 0.7, 1.0, 1.4), rays=40):
    """Closed lines f(w) = level, each found along rays from the minimum.

    f rises along a ray, so bisection finds where it passes the level.
    """
    X, y = two_clouds()
    best = optimum(X, y, LAM)
    angles = np.linspace(0.0, 2.0 * np.pi, rays + 1)
    rows = []
    for level in levels:
        ends = np.column_stack([np.cos(angles), np.sin(angles)])
        low, high = np.zeros(rays + 1), np.full(rays + 1, 20.0)
        for _ in range(40):
            middle = (low + high) / 2
            f = objective(best.w + middle[:, None] * ends, X, y, LAM)
            low = np.where(f < level, middle, low)
            high = np.where(f < level, high, middle)
        points = best.w + low[:, None] * ends
        rows += [
            {
                "level": level,
                "k": k,
                "x": round(float(a), 2),
                "y": round(float(b), 2),
            }
            for k, (a, b) in enumerate(points)
        ]
    return rows


def plane_chart():
    """Level lines, the set, the path and the best point."""
    x = alt.X(
        "x:Q",
        title="w₁",
        axis=alt.Axis(tickCount=6),
        scale=alt.Scale(domain=[LEFT, RIGHT], nice=False),
    )
    y = alt.Y(
        "y:Q",
        title="w₂",
        axis=alt.Axis(tickCount=5, minExtent=30, maxExtent=30),
        scale=alt.Scale(domain=[BOTTOM, TOP], nice=False),
    )
    # One method at a time is drawn, and its path is that of w_t: the colour
    # of its curve in the other chart. A colour of the method's own would be
    # that of the average there, for SGD.
    iterate = colour(shade(LAST))
    return alt.layer(*plane_lines(x, y, iterate), *plane_points(x, y, iterate))


def plane_lines(x, y, iterate):
    """Level lines, the edge of the set, and the path."""
    levels = (
        alt.Chart(alt.InlineData(values=level_lines()))
        .mark_line(
            color=colour("muted"), strokeWidth=1, opacity=0.45, clip=True
        )
        .encode(x=x, y=y, order="k:Q", detail="level:N")
    )
    edge = (
        alt.Chart(data_set("edge"))
        .mark_line(color=colour("text"), strokeWidth=2)
        .encode(x=x, y=y, order="k:Q")
    )
    path = (
        alt.Chart(data_set("path"))
        .mark_line(
            color=iterate,
            strokeWidth=1.2,
            opacity=0.8,
        )
        .encode(x=x, y=y, order="t:Q")
    )
    return [levels, edge, path]


def plane_points(x, y, iterate):
    """Where the path has stopped, the best point, and the iterate."""
    # A dot for each step would be a thousand, too many to follow a slider.
    stops = (
        alt.Chart(data_set("stops"))
        .mark_point(size=12, filled=True, opacity=1, color=iterate)
        .encode(x=x, y=y)
    )
    target = (
        alt.Chart(data_set("target"))
        .mark_point(
            shape="cross",
            angle=45,
            size=150,
            filled=True,
            opacity=1,
            color=colour(shade("optimum")),
        )
        .encode(x=x, y=y)
    )
    now = (
        alt.Chart(data_set("now"))
        .mark_point(
            shape="circle",
            size=90,
            filled=True,
            opacity=1,
            color=iterate,
        )
        .encode(x=x, y=y)
    )
    return [stops, target, now]


def gap_chart():
    """The gap of both iterates against t."""
    ideas = {LAST: "last iterate", AVERAGE: "average"}
    x = alt.X(**marks.logarithmic("t", "step t", 0, 3))
    y = alt.Y(
        **marks.logarithmic(
            "gap",
            "f(w) − best on the set",
            -6,
            0,
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        )
    )
    curves = (
        alt.Chart(data_set("curve"))
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(x=x, y=y, **marks.look(ideas, "iterate"))
    )
    return alt.layer(curves, ends(data_set("curve"), x, y, ideas, "iterate"))


def explore_paths(method=SGD, *, ball="l1", scale=1.0, T=100, seed=0):
    """Draw the path of one method in a set of the plane.

    Parameters
    ----------
    method : int
        Where the menu starts: a position in `METHODS`.
    ball : {"l1", "l2", "simplex"}
        The set, of radius 1.
    scale : float
        The factor c of the step size, above 0.
    T : int
        The number of steps, at least 1.
    seed : int
        The seed of the order, at least 0.

    Returns
    -------
    PathsExplorer
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Examples
    --------
    >>> explore_paths(PEGASOS, ball="l2").start["set"]
    1
    """
    method = checks.check_integer("method", method, 0)
    checks.check_choice("ball", ball, dict.fromkeys(SETS))
    scale = checks.check_positive("scale", scale)
    T = checks.check_integer("T", T, 1)
    seed = checks.check_integer("seed", seed, 0)
    return PathsExplorer(method, ball, scale, T, seed)
