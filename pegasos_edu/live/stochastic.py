"""Full steps and single-example steps on the level curves of the objective.

`stochastic_figure` draws them; `stochastic.js` is its twin in the browser.
"""

import functools

import altair as alt
import numpy as np
from matplotlib.figure import Figure

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.ends import starts
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
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.plane import for_script
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.live.toolkit.shades import colour
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.dense import pegasos
from pegasos_edu.solvers.steps import Constant, PegasosStep

LAM = 0.05
ETAS = positions(-2, 0)
# The circle is that of the second half, so one step is too few.
STEPS = tuple(T for T in whole(0, 4, in_decade=10) if 2 <= T <= 2000)
# In the second the first step is η.
RULES = ("constant η", "1/(λ(t + t₀))")
FULL, SINGLE = "all examples", "one example"
# The part of the plane of the weights that is drawn, and the gap's axis.
W1_RANGE, W2_RANGE = (-0.3, 2.7), (-0.6, 1.9)
GAP_RANGE = (1e-5, 3.0)
CIRCLE = 48
# What is left out of the two lines, as the eye cannot tell it from the rest
# and drawing it takes long: a step nearer than this to the last drawn one,
# and all but the extremes of steps t to GROWTH * t on the logarithmic axis.
NEAR, GROWTH = 0.004, 1.02


def step_rule(rule, eta):
    """The constant step, or 1/(λ(t + t₀)) with η as its first step.

    Examples
    --------
    >>> round(step_rule(1, 0.5)(1), 12), round(step_rule(1, 0.5)(41), 12)
    (0.5, 0.25)
    """
    if rule == 0:
        return Constant(eta)
    return PegasosStep(LAM, t0=max(0.0, 1.0 / (LAM * eta) - 1.0))


class StochasticFigure(LiveFigure):
    """Two paths to one minimum; see `stochastic_figure`."""

    name = "stochastic"
    title = "Full steps and single-example steps on the two clouds"
    readouts = (
        Readout("radius", "radius of the circle"),
        Readout("bounce", "mean gap, one example"),
        Readout("full", "last gap, all examples"),
        Readout("looks", "looks, one example", "count"),
        Readout("full_looks", "looks, all examples", "count"),
    )
    presets = (
        Preset(
            "A large step: a wide circle",
            {"eta": 1.0, "T": 2000, "rule": 0, "seed": 0},
        ),
        Preset(
            "A small step: a small circle",
            {"eta": 0.01, "T": 2000, "rule": 0, "seed": 0},
        ),
        Preset(
            "A falling step: the circle shrinks, too",
            {"eta": 1.0, "T": 2000, "rule": 1, "seed": 0},
        ),
    )

    def __init__(self, eta=0.1, T=200, seed=0):
        self.controls = (
            Control("eta", "Step size η", ETAS, eta),
            Control("T", "Steps T", STEPS, T),
            Control("rule", "Rule", (0, 1), 0, RULES),
            Control("seed", "Seed", tuple(range(100)), seed),
        )

    def data(self):
        X, y = two_clouds()
        best = minimum()
        return {
            **for_script(X, y),
            "lam": LAM,
            "best": best.w.tolist(),
            "least": best.primal,
            "circle": CIRCLE,
            "floor": GAP_RANGE[0],
            "near": NEAR,
            "growth": GROWTH,
        }

    def panels(self):
        return [
            Panel(
                "The two paths in the plane of the weights",
                "Level curves around a minimum. A smooth path of full steps "
                "leads to it; a zigzag of single-example steps leads there "
                "too and tangles around it, in and out of a dotted circle.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "The gap of both methods against the examples looked at",
                "The gap f(w) − f* against the examples looked at on "
                "log-log axes: the curve of single-example steps falls and "
                "then jumps up and down around a level; that of full steps "
                "starts further right, at 60 examples, and falls.",
                gap_chart(),
                reading=Reading("gap", "looks", "gap", "method", "looks"),
            ),
        ]

    def draw(self, eta, T, rule, seed):
        X, y = two_clouds()
        best, n = minimum(), len(y)
        orders = {
            FULL: np.tile(np.arange(n), (T, 1)),
            SINGLE: live_order(n, T, seed),
        }
        paths, gaps = {}, {}
        for name, order in orders.items():
            run = pegasos(
                X,
                y,
                LAM,
                order=order,
                step=step_rule(rule, eta),
                snapshots=range(1, T + 1),
                average_from=None,
            )
            paths[name] = np.vstack([np.zeros((1, 2)), run.iterates])
            gaps[name] = objective(run.iterates, X, y, LAM) - best.primal
        late = paths[SINGLE][1:][T // 2 :]
        radius = np.sqrt(((late - best.w) ** 2).sum(axis=1).mean())
        readouts = {
            "radius": float(radius),
            "bounce": float(gaps[SINGLE][T // 2 :].mean()),
            "full": max(0.0, float(gaps[FULL][-1])),
            "looks": T,
            "full_looks": n * T,
        }
        return Drawing(
            rows_of(paths, gaps, best.w, radius),
            readouts,
            summary_of(eta, T, readouts),
        )


@functools.cache
def minimum():
    """The certified optimum of the two clouds."""
    return optimum(*two_clouds(), LAM)


def moves(path):
    """The steps of a path that are NEAR or further from the last kept one.

    The last step is always kept.

    Examples
    --------
    >>> moves(np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.001], [1.0, 0.002]]))
    [0, 1, 3]
    """
    kept = [0]
    for t, w in enumerate(path[1:], start=1):
        far = np.abs(w - path[kept[-1]]).max()
        if far >= NEAR or t == len(path) - 1:
            kept.append(t)
    return kept


def extremes(values):
    """The steps 1, 2, ... at which a value is a low or a high for the eye.

    Among the steps that share a place on a logarithmic axis these are the
    first lowest and the first highest; the last step is always kept.

    Examples
    --------
    >>> extremes([3.0, 2.0, 1.0])
    [1, 2, 3]
    >>> kept = extremes(np.sin(np.arange(2000)))
    >>> len(kept), kept[-1]
    (428, 2000)
    """
    T, t, kept = len(values), 1, []
    while t <= T:
        end = min(T + 1, max(t + 1, int(GROWTH * t)))
        here = values[t - 1 : end - 1]
        kept += sorted({t + int(np.argmin(here)), t + int(np.argmax(here))})
        t = end
    return kept if kept[-1] == T else [*kept, T]


def rows_of(paths, gaps, centre, radius):
    """The rows of all data sets; stochastic.js makes the same."""
    gap = [
        {
            "looks": cost * t,
            "gap": max(GAP_RANGE[0], float(gaps[name][t - 1])),
            "method": name,
        }
        for name, cost in ((SINGLE, 1), (FULL, len(two_clouds()[1])))
        for t in extremes(gaps[name])
    ]
    angles = 2 * np.pi * np.arange(CIRCLE + 1) / CIRCLE
    return {
        "path": [
            {"t": t, "x": float(w[0]), "y": float(w[1]), "method": name}
            for name in (SINGLE, FULL)
            for t in moves(paths[name])
            for w in [paths[name][t]]
        ],
        "ball": [
            {
                "k": k,
                "x": float(centre[0] + radius * np.cos(a)),
                "y": float(centre[1] + radius * np.sin(a)),
            }
            for k, a in enumerate(angles)
        ],
        "gap": gap,
        # Looking for them among all the rows would take a while.
        "starts": [
            next(row for row in gap if row["method"] == name)
            for name in (SINGLE, FULL)
        ],
        "ends": [
            next(row for row in reversed(gap) if row["method"] == name)
            for name in (SINGLE, FULL)
        ],
    }


def summary_of(eta, T, readouts):
    """The state in a sentence; stochastic.js says the same."""
    return (
        f"η = {plain(eta)}, T = {T:,}: in the second half the single-example "
        f"steps stay about {text(readouts['radius'])} from the minimum and "
        f"{text(readouts['bounce'])} above it; the full steps end "
        f"{text(readouts['full'])} above it."
    )


def level_curves():
    """Points of the level curves of the objective, for the chart."""
    X, y = two_clouds()
    side1 = np.linspace(*W1_RANGE, 61)
    side2 = np.linspace(*W2_RANGE, 51)
    W = np.stack(np.meshgrid(side1, side2), axis=-1).reshape(-1, 2)
    F = objective(W, X, y, LAM).reshape(len(side2), len(side1))
    levels = minimum().primal + 0.002 * 2.5 ** np.arange(8)
    curves = Figure().subplots().contour(side1, side2, F, levels=levels)
    segments = [s for level in curves.allsegs for s in level if len(s) > 1]
    return [
        {"x": round(float(a), 2), "y": round(float(b), 2), "curve": c, "k": k}
        for c, segment in enumerate(segments)
        for k, (a, b) in enumerate(segment)
    ]


IDEAS = {name: name for name in (SINGLE, FULL)}


def method_marks():
    """Colour, dash and width by method."""
    return {
        **marks.look(IDEAS, "method"),
        "size": alt.condition(
            f"datum.method == '{FULL}'", alt.value(3), alt.value(1.1)
        ),
    }


def plane_chart():
    """Level curves, both paths and the circle."""
    x = alt.X(
        "x:Q",
        title="w₁",
        axis=alt.Axis(tickCount=6, grid=False),
        scale=alt.Scale(domain=list(W1_RANGE), nice=False),
    )
    y = alt.Y(
        "y:Q",
        title="w₂",
        scale=alt.Scale(domain=list(W2_RANGE), nice=False),
        axis=alt.Axis(tickCount=5, minExtent=34, maxExtent=34, grid=False),
    )
    curves = (
        alt.Chart(alt.InlineData(values=level_curves()))
        .mark_line(color=colour("muted"), strokeWidth=0.7)
        .encode(x=x, y=y, detail="curve:N", order="k:Q")
    )
    paths = (
        alt.Chart(data_set("path"))
        .mark_line(clip=True)
        .encode(x=x, y=y, order="t:Q", **method_marks())
    )
    ball = (
        alt.Chart(data_set("ball"))
        .mark_line(strokeWidth=2, clip=True, **marks.line("reference"))
        .encode(x=x, y=y, order="k:Q")
    )
    w = minimum().w
    best = (
        alt.Chart(
            alt.InlineData(values=[{"x": float(w[0]), "y": float(w[1])}])
        )
        .mark_point(
            filled=True,
            shape="diamond",
            size=90,
            color=colour("text"),
            opacity=1,
        )
        .encode(x=x, y=y)
    )
    return curves + paths + ball + best


def gap_chart():
    """The gap of both methods against the examples looked at."""
    x = alt.X(
        "looks:Q",
        title="examples looked at",
        axis=alt.Axis(
            values=[10.0**k for k in range(6)],
            labelExpr=marks.power_labels(0, 5),
        ),
        scale=alt.Scale(type="log", domain=[1, 1.2e5], nice=False),
    )
    y = alt.Y(
        "gap:Q",
        title="gap f(w) − f*",
        scale=alt.Scale(type="log", domain=list(GAP_RANGE), nice=False),
        axis=alt.Axis(
            values=[10.0**k for k in range(-5, 1)],
            labelExpr=marks.power_labels(-5, 0),
            minExtent=34,
            maxExtent=34,
        ),
    )
    curves = (
        alt.Chart(data_set("gap"))
        .mark_line(clip=True)
        .encode(x=x, y=y, **method_marks())
    )
    named = starts(data_set("starts"), data_set("ends"), x, y, IDEAS, "method")
    return alt.layer(curves, named)


def stochastic_figure(eta=0.1, T=200, seed=0):
    """Draw full steps and single-example steps on the two clouds.

    Parameters
    ----------
    eta : float
        Where the slider of the step size starts, above 0.
    T : int
        Where the slider of the number of steps starts, at least 1.
    seed : int
        Where the seed slider starts, at least 0.

    Returns
    -------
    StochasticFigure
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Both methods are `dense.pegasos`, with all examples or one in a step.

    Examples
    --------
    >>> stochastic_figure(eta=0.2).start
    {'eta': 0.2, 'T': 200, 'rule': 0, 'seed': 0}
    """
    eta = checks.check_positive("eta", eta)
    T = checks.check_integer("T", T, 1)
    seed = checks.check_integer("seed", seed, 0)
    return StochasticFigure(eta, T, seed)
