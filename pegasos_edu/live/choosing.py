"""λ and T: the decision line, and where it stands on the validation curve.

`choosing.js` is its twin in the reader's browser.
"""

import functools

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
from pegasos_edu.live.toolkit.plane import BOX, clip_line, for_script
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.losses import hinge
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import compiled

# Few points to learn from, so that a small λ can overfit; many to judge.
N_TRAIN, N_HELD_OUT = 20, 200
LAMBDAS = positions(-4, 2, in_decade=6)
STEPS = whole(0, 5, in_decade=6)
SEEDS = tuple(range(100))
TRAIN, HELD_OUT = "training", "held out"


class Choosing(LiveFigure):
    """The line after T steps, and its two losses on the curves over λ."""

    name = "choosing"
    title = "What λ and T do to the decision line and to the loss"
    controls = (
        regularisation(LAMBDAS, 0.001),
        Control("T", "Steps T", STEPS, 10_000),
        Control("seed", "Seed", SEEDS, 0),
    )
    readouts = (
        Readout("norm", "‖w‖"),
        Readout("violators", "margin below 1", "percent"),
        Readout("gap", "gap f(w) − f*"),
        Readout("training", "loss, training"),
        Readout("held_out", "loss, held out"),
        Readout("errors", "errors, held out", "percent"),
    )
    presets = (
        Preset(
            "Long enough, λ = 0.1: low on held-out points",
            {"lam": 0.1, "T": 100_000, "seed": 0},
        ),
        Preset(
            "λ too small: better in training, worse held out",
            {"lam": 0.0001, "T": 100_000, "seed": 0},
        ),
        Preset(
            "λ too large: both losses near 1",
            {"lam": 100.0, "T": 10_000, "seed": 0},
        ),
        Preset(
            "Ten steps, tiny λ: losses above 30",
            {"lam": 0.0001, "T": 10, "seed": 0},
        ),
    )

    def data(self):
        X, y, X_out, y_out = examples()
        return {
            **for_script(X, y),
            "xOut": X_out.ravel().tolist(),
            "yOut": y_out.astype(int).tolist(),
            "box": BOX,
            "lams": LAMBDAS,
            "best": [list(best(lam)) for lam in LAMBDAS],
        }

    def panels(self):
        return [
            Panel(
                "The training points and the decision lines",
                "Twenty training points in two classes. A solid line "
                "is the decision line after T steps, with thin margins; a "
                "dashed one is the decision line at the certified optimum.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "The mean hinge loss against λ",
                "Two curves over λ at the optimum, both level at first: the "
                "training loss then rises towards 1, the held-out loss dips "
                "near λ = 0.1 and rises with it. Two dots are the losses "
                "after T steps.",
                loss_chart(),
                reading=Reading("optima", "lam", "loss", "name", "λ"),
            ),
        ]

    def draw(self, lam, T, seed):
        X, y, X_out, y_out = examples()
        order = live_order(len(y), T, seed)
        w = compiled.pegasos(X, y, lam, order=order, average_from=None).last
        f_best, w1, w2 = best(lam)
        margins, margins_out = y * (X @ w), y_out * (X_out @ w)
        readouts = {
            "norm": float(np.linalg.norm(w)),
            "violators": float(np.mean(margins < 1.0)),
            "gap": float(objective(w, X, y, lam) - f_best),
            "training": float(hinge(margins).mean()),
            "held_out": float(hinge(margins_out).mean()),
            "errors": float(np.mean(margins_out <= 0.0)),
        }
        rows = {
            "lines": lines_of(w, (w1, w2)),
            "now": [
                {"lam": lam, "loss": readouts["training"], "name": TRAIN},
                {"lam": lam, "loss": readouts["held_out"], "name": HELD_OUT},
            ],
            "chosen": [{"lam": lam}],
        }
        summary = (
            f"λ = {plain(lam)}, T = {T:,}: the loss is "
            f"{text(readouts['training'])} in training and "
            f"{text(readouts['held_out'])} held out; f is "
            f"{text(readouts['gap'])} above the certified optimum."
        )
        return Drawing(rows, readouts, summary)


def examples():
    """Training and held-out examples from the same two clouds."""
    return *two_clouds(N_TRAIN, seed=0), *two_clouds(N_HELD_OUT, seed=99)


@functools.cache
def best(lam):
    """f* and w* on the training points, to ten digits."""
    X, y, _, _ = examples()
    found = optimum(X, y, lam)
    return tuple(float(f"{v:.10g}") for v in (found.primal, *found.w))


def lines_of(w, w_best):
    """Decision line and margins of w, and the decision line of w*."""
    wanted = [
        ("T steps", w, 0),
        ("margin", w, 1),
        ("margin", w, -1),
        ("optimum", w_best, 0),
    ]
    found = [(name, side, clip_line(v, side)) for name, v, side in wanted]
    return [
        {
            "name": name,
            "side": side,
            "x": ends[0],
            "y": ends[1],
            "x2": ends[2],
            "y2": ends[3],
        }
        for name, side, ends in found
        if ends is not None
    ]


def plane_chart():
    """The training points and the lines."""
    X, y, _, _ = examples()
    points = marks.plane(X, y)
    ideas = {
        "T steps": "last iterate",
        "margin": "margin",
        "optimum": "optimum",
    }
    lines = (
        alt.Chart(data_set("lines"))
        .mark_rule(clip=True)
        .encode(
            x="x:Q",
            y="y:Q",
            x2="x2:Q",
            y2="y2:Q",
            **marks.look(ideas, legend=marks.key_above()),
            strokeWidth=alt.StrokeWidth(
                "name:N",
                legend=None,
                scale=alt.Scale(domain=list(ideas), range=[2.5, 1.2, 2.5]),
            ),
        )
    )
    return marks.apart(points, lines)


def loss_chart():
    """Both losses of the optimum over λ, and those of w."""
    X, y, X_out, y_out = examples()
    values = []
    for lam in LAMBDAS:
        w = np.array(best(lam)[1:])
        for name, A, b in ((TRAIN, X, y), (HELD_OUT, X_out, y_out)):
            loss = float(hinge(b * (A @ w)).mean())
            values.append({"lam": lam, "loss": round(loss, 6), "name": name})
    x = alt.X(**marks.logarithmic("lam", "λ", -4, 2))
    axis = marks.logarithmic(
        "loss",
        "mean hinge loss",
        -1,
        2,
        minExtent=marks.LABELS,
        maxExtent=marks.LABELS,
    )
    # Below the lowest curve there is room for its name.
    axis["scale"] = alt.Scale(type="log", domain=[0.05, 100.0], nice=False)
    y_axis = alt.Y(**axis)
    ideas = {TRAIN: "training", HELD_OUT: "held out"}
    series = marks.look(ideas)
    data = alt.InlineData(values=values, name="optima")
    curves = (
        alt.Chart(data)
        .mark_line(strokeWidth=2)
        .encode(x=x, y=y_axis, **series)
    )
    rule = (
        alt.Chart(data_set("chosen"))
        .mark_rule(**marks.line("reference"))
        .encode(x=x)
    )
    now = [dot.encode(x=x, y=y_axis) for dot in marks.dots("now", ideas)]
    names = ends(data, x, y_axis, ideas, first=True)
    return alt.layer(rule, curves, names, *now)
