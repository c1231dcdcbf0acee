"""The Pegasos explorer: λ, T and the seed move, the decision line follows.

`explore` draws it; `pegasos.js` is its twin in the reader's browser.
"""

import functools
from collections.abc import Callable
from typing import Any

import altair as alt
import numpy as np

from pegasos_edu.certificate.optimum import optimum
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
    regularisation,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.own_solver import (
    LAST,
    steps_up_to,
    student_curves,
)
from pegasos_edu.live.toolkit.plane import BOX, for_script, lines_of
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.live.toolkit.shades import colour
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import compiled

STEPS = whole(0, 5)
LAMBDAS = positions(-4, 1)
SEEDS = tuple(range(100))
# The objective's axis: no f(w_t) of the sliders is above, no f* below.
F_RANGE = (0.03, 5e4)
AVERAGE = "average"
# Up to here the names of the curves may stand where that of f* does later.
FEW = 100


class PegasosExplorer(LiveFigure):
    """Decision line and objective after T steps; see `explore`."""

    name = "pegasos"
    title = "Decision line and objective after T steps of Pegasos"
    readouts = (
        Readout("norm", "‖w‖"),
        Readout("objective", "objective f(w)"),
        Readout("gap", "gap f(w) − f*"),
        Readout("error", "training error", "percent"),
    )
    presets = (
        Preset(
            "One step: already a line, but f is huge",
            {"lam": 0.01, "T": 1, "seed": 0},
        ),
        Preset(
            "100,000 steps: almost the optimum",
            {"lam": 0.1, "T": 100_000, "seed": 0},
        ),
        Preset("λ = 10: w is almost 0", {"lam": 10.0, "T": 1000, "seed": 0}),
    )

    def __init__(self, solver=None, lam=0.01, T=1000, seed=0):
        self.solver = solver
        self.in_browser = solver is None
        if solver is not None:
            self.presets = ()  # they say what Pegasos would show
        self.controls = (
            regularisation(LAMBDAS, lam),
            Control("T", "Steps T", STEPS, T),
            Control("seed", "Seed", SEEDS, seed),
        )

    def data(self):
        X, y = two_clouds()
        return {
            **for_script(X, y),
            "box": BOX,
            "steps": STEPS,
            "lams": LAMBDAS,
            "best": [best_value(lam) for lam in LAMBDAS],
            "few": FEW,
        }

    def panels(self):
        lam, T, _ = self.start.values()
        return [
            Panel(
                "The points, the decision line and its margins",
                "Two overlapping clouds of points, blue circles for +1 and "
                "orange squares for −1; a line between them is the decision "
                f"line of w after {T:,} steps with λ = {plain(lam)}, two "
                "thin lines beside it are its margins.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "The objective against the number of steps",
                "The objective against the number of steps on log-log "
                "axes: the last iterate falls, the average first rises and "
                "then falls, both close to a dashed line, the certified "
                "optimum; they are named at their ends.",
                objective_chart(),
                reading=Reading("curve", "t", "f", "iterate", "t"),
            ),
        ]

    def draw(self, lam, T, seed):
        X, y = two_clouds()
        order = live_order(len(y), T, seed)
        if self.solver is None:
            steps, curves = own_curves(X, y, lam, order)
        else:
            steps, curves = student_curves(self.solver, X, y, lam, order)
        w, best = curves[LAST][-1], best_value(lam)
        f = {name: objective(W, X, y, lam) for name, W in curves.items()}
        readouts = {
            "norm": float(np.linalg.norm(w)),
            "objective": float(f[LAST][-1]),
            "gap": float(f[LAST][-1] - best),
            "error": float(np.mean(y * (X @ w) <= 0.0)),
        }
        rows = {
            "lines": lines_of(w),
            "curve": [
                {"t": int(t), "f": float(value), "iterate": name}
                for name in f
                for t, value in zip(steps, f[name])
            ],
            "best": [{"f": best, "early": T <= FEW}],
        }
        return Drawing(rows, readouts, summary_of(lam, T, readouts))


@functools.cache
def best_value(lam):
    """f* on the two clouds, to ten digits: more than is certified."""
    X, y = two_clouds()
    return float(f"{optimum(X, y, lam).primal:.10g}")


def own_curves(X, y, lam, order):
    """Both iterates of the package's solver on the grid and at the end."""
    steps = steps_up_to(STEPS, len(order))
    run = compiled.pegasos(X, y, lam, order=order, snapshots=steps)
    return steps, {LAST: run.iterates, AVERAGE: run.averages}


def summary_of(lam, T, readouts):
    """The state in a sentence; pegasos.js says the same."""
    return (
        f"λ = {plain(lam)}, T = {T:,}: the objective is "
        f"{text(readouts['objective'])}, {text(readouts['gap'])} above the "
        f"certified optimum; {text(readouts['error'], 'percent')} of the "
        f"points are on the wrong side."
    )


def plane_chart():
    """Points, decision line and margins."""
    X, y = two_clouds()
    street = marks.street("last iterate")
    return marks.apart(marks.plane(X, y), street)


def objective_chart():
    """Objective against t: both iterates and the certified optimum."""
    ideas = {LAST: "last iterate", AVERAGE: "average"}
    x = alt.X(**marks.logarithmic("t", "step t", 0, 5))
    y = alt.Y(
        "f:Q",
        title="objective f",
        axis=alt.Axis(
            values=[10.0**k for k in range(-1, 6)],
            labelExpr=marks.power_labels(-1, 5),
            minExtent=30,
            maxExtent=30,
        ),
        scale=alt.Scale(type="log", domain=list(F_RANGE), nice=False),
    )
    curve = (
        alt.Chart(data_set("curve"))
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(x=x, y=y, **marks.look(ideas, "iterate"))
    )
    best = (
        alt.Chart(data_set("best"))
        .mark_rule(**marks.line("optimum"))
        .encode(y=y)
    )
    name = (
        alt.Chart(data_set("best"))
        .mark_text(
            x=alt.expr("datum.early ? width : 0"),
            text="optimum f*",
            align=alt.expr("datum.early ? 'right' : 'left'"),
            dx=alt.expr("datum.early ? -4 : 4"),
            dy=11,
            fontSize=12,
            color=colour("text"),
        )
        .encode(y=y)
    )
    names = ends(data_set("curve"), x, y, ideas, "iterate")
    return alt.layer(best, name, curve, names)


@checked_call("explore")
def explore(
    solver: Callable[..., Any] | None = None,
    *,
    lam: float = 0.01,
    T: int = 1000,
    seed: int = 0,
) -> PegasosExplorer:
    """Draw Pegasos at work on two clouds, with λ, T and the seed to move.

    Parameters
    ----------
    solver : callable, optional
        A solver of your own, called as solver(X, y, lam, order) with copies
        of the data; it returns the last iterate w. By default the
        package's own.
    lam : float
        Where the λ slider starts, above 0.
    T : int
        Where the slider of the number of steps starts, at least 1.
    seed : int
        Where the seed slider starts, at least 0.

    Returns
    -------
    PegasosExplorer
        It shows itself as the last value of a cell. A slider starts at its
        position nearest to the value asked for.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Pegasos is figure 1 of Shalev-Shwartz et al. (2011).

    Examples
    --------
    >>> explore(lam=0.1, T=100).start
    {'lam': 0.1, 'T': 100, 'seed': 0}
    """
    if solver is not None:
        wanted = "a function (X, y, lam, order) -> w"
        checks.check_callable("solver", solver, wanted)
    lam = checks.check_positive("lam", lam)
    T = checks.check_integer("T", T, 1)
    seed = checks.check_integer("seed", seed, 0)
    return PegasosExplorer(solver, lam, T, seed)
