"""Step-size rules on one problem: choose the rule, its scale and λ.

`schedules.js` is its twin in the reader's browser.
"""

import altair as alt
import numpy as np

from pegasos_edu.live.pegasos import best_value
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
from pegasos_edu.live.toolkit.plane import for_script
from pegasos_edu.live.toolkit.positions import positions
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import compiled
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep

T = 2**13
# Four snapshots to every doubling, so that t/2 is one as well.
TIMES = tuple(
    sorted(
        {
            m * 2**k // 4
            for k in range(14)
            for m in (4, 5, 6, 7)
            if m * 2**k // 4 <= T
        }
    )
)
EVEN = tuple(t for t in TIMES if t % 2 == 0)
# Medians over these seeds are drawn: single runs jump too much to compare.
SEEDS = tuple(range(31))
# The slope is fitted from here on.
FIT_FROM = 2**8
RULES = ("c / (λt)", "c / √t", "constant c")
SCALES = positions(-2, 1)
# With c ≤ 10 and λ ≤ 0.1 no rule diverges: cλ ≤ 1.
LAMBDAS = positions(-3, -1, in_decade=6)
LAST, AVERAGE, HALF = "last iterate", "average", "last half"
# The last iterates of the chosen rule and of 1/(λt), as the legends name
# them; each has the look of its rule in the still figures of the chapter.
CHOSEN = ("last, c/(λt)", "last, c/√t", "last, constant")
RIGHT = "last, 1/(λt)"
OWN = ("c/(λt)", "1/√t", "constant")
# The names of the rules themselves.
SHORT = ("c/(λt)", "c/√t", "constant c")
# What is drawn for a gap that rounding has made smaller, or negative.
LEAST = 1e-12


class Schedules(LiveFigure):
    """Suboptimality against t for a rule, beside that of 1/(λt)."""

    name = "schedules"
    title = "Suboptimality and step size for a rule of your choice"
    controls = (
        Control("rule", "Step size", (0, 1, 2), 1, RULES),
        Control("scale", "Scale c", SCALES, 1.0),
        regularisation(LAMBDAS, 0.1),
    )
    readouts = (
        Readout("last", "gap, last iterate"),
        Readout("average", "gap, average"),
        Readout("half", "gap, last half"),
        Readout("slope", "slope, last iterate"),
    )
    presets = (
        Preset(
            "1/(λt): the gap falls almost like 1/t",
            {"rule": 0, "scale": 1.0, "lam": 0.1},
        ),
        Preset(
            "A tenth of it: a gap over 8 times as large",
            {"rule": 0, "scale": 0.1, "lam": 0.1},
        ),
        Preset(
            "Constant steps: the last iterate stops falling",
            {"rule": 2, "scale": 0.1, "lam": 0.1},
        ),
    )

    def data(self):
        X, y = two_clouds()
        return {
            **for_script(X, y),
            "times": TIMES,
            "seeds": SEEDS,
            "from": FIT_FROM,
            "least": LEAST,
            "rules": RULES,
            "chosen": CHOSEN,
            "right": RIGHT,
            "short": SHORT,
            "lams": LAMBDAS,
            "best": [best_value(lam) for lam in LAMBDAS],
        }

    def panels(self):
        return [
            Panel(
                "The gap f(w) − f* against the number of steps",
                "The median gap of 31 runs against the number of steps "
                "on log-log axes, for a step 1/√t. The last iterate, "
                "dashed, falls slowly, the two averages faster. The last "
                "iterate of 1/(λt), solid, starts far above and ends below.",
                gap_chart(),
                reading=Reading("gaps", "t", "gap", "name", "t"),
            ),
            Panel(
                "The step size against the number of steps",
                "The step size against the number of steps on log-log "
                "axes: the chosen rule, a falling line, and, solid, the "
                "steeper line of 1/(λt).",
                step_chart(),
                reading=Reading("steps", "t", "eta", "name", "t"),
            ),
        ]

    def draw(self, rule, scale, lam):
        step = step_of(rule, scale, lam)
        gaps = median_gaps(lam, step)
        right = median_gaps(lam, PegasosStep(lam))[LAST]
        readouts = {
            "last": float(gaps[LAST][1][-1]),
            "average": float(gaps[AVERAGE][1][-1]),
            "half": float(gaps[HALF][1][-1]),
            "slope": slope(*gaps[LAST]),
        }
        rows = {
            "gaps": [
                {"t": int(t), "gap": max(float(gap), LEAST), "name": name}
                for name, pair in (
                    (CHOSEN[rule], gaps[LAST]),
                    (AVERAGE, gaps[AVERAGE]),
                    (HALF, gaps[HALF]),
                    (RIGHT, right),
                )
                for t, gap in zip(*pair)
            ],
            "steps": [
                {"t": t, "eta": float(eta(t)), "name": name}
                for name, eta in (
                    (SHORT[rule], step),
                    ("1/(λt)", PegasosStep(lam)),
                )
                for t in TIMES
            ],
        }
        summary = (
            f"Step {RULES[rule]} with c = {plain(scale)}, "
            f"λ = {plain(lam)}: after {T:,} steps, in the median, the "
            f"last iterate is {text(readouts['last'])} above the "
            f"optimum, the average of the last half "
            f"{text(readouts['half'])}; the slope is "
            f"{text(readouts['slope'])}."
        )
        return Drawing(rows, readouts, summary)


def step_of(rule, scale, lam):
    """The rule of that number, as a function t -> η_t.

    Examples
    --------
    >>> print(step_of(1, 2.0, 0.1)(4))
    1.0
    """
    if rule == 0:
        return PegasosStep(lam / scale)
    return (InverseSqrt, Constant)[rule - 1](scale)


def median_gaps(lam, step):
    """For each output its snapshot times and the median gaps there."""
    X, y = two_clouds()
    gaps = {LAST: [], AVERAGE: [], HALF: []}
    for seed in SEEDS:
        run = compiled.pegasos(
            X,
            y,
            lam,
            order=live_order(len(y), T, seed),
            step=step,
            snapshots=TIMES,
        )
        outputs = run.iterates, run.averages, last_half(run.averages)
        for name, W in zip(gaps, outputs):
            gaps[name].append(objective(W, X, y, lam) - best_value(lam))
    times = {LAST: TIMES, AVERAGE: TIMES, HALF: EVEN}
    return {
        name: (times[name], np.median(gaps[name], axis=0)) for name in gaps
    }


def last_half(averages):
    """Averages over t/2 < s ≤ t, t in EVEN, from those over s ≤ t."""
    now = averages[[TIMES.index(t) for t in EVEN]]
    return 2 * now - averages[[TIMES.index(t // 2) for t in EVEN]]


def slope(times, gaps):
    """Least-squares slope of log gap against log t, from FIT_FROM on.

    Examples
    --------
    >>> print(round(slope(TIMES, 3.0 / np.array(TIMES)), 6))
    -1.0
    """
    times = np.array(times)
    late = times >= FIT_FROM
    u = np.log(times[late])
    v = np.log(np.maximum(gaps[late], LEAST))
    u = u - u.mean()
    return float(u @ v / (u @ u))


def gap_chart():
    """The gaps of the three outputs, and of 1/(λt)."""
    ideas = {
        RIGHT: "1/(λt)",
        **dict(zip(CHOSEN, OWN)),
        AVERAGE: "average",
        HALF: "average of the last half",
    }
    return named("gaps", "gap", "f(w) − f*", -6, ideas, 6e6)


def step_chart():
    """The chosen rule, and 1/(λt)."""
    ideas = {"1/(λt)": "1/(λt)", **dict(zip(SHORT, OWN))}
    return named("steps", "eta", "step size η", -5, ideas, 1e6)


def named(rows, field, title, low, ideas, room):
    """Curves over the steps, each with its name at its end."""
    along = marks.logarithmic("t", "step t", 0, 4)
    # Right of the ends there is room for the names.
    along["scale"] = alt.Scale(type="log", domain=[1.0, room], nice=False)
    x = alt.X(**along)
    y = alt.Y(
        **marks.logarithmic(
            field,
            title,
            low,
            4,
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        )
    )
    curves = (
        alt.Chart(data_set(rows))
        .mark_line(strokeWidth=2, clip=True)
        .encode(x=x, y=y, **marks.look(ideas))
    )
    return alt.layer(curves, ends(data_set(rows), x, y, ideas, beside=True))
