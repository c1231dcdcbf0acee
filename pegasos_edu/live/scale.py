"""The scale trick, step by step: w_t = a·v on six features.

`scale.js` is its twin in the reader's browser. Both compute with plain
numbers in the same order, so they agree to the last digit.
"""

import altair as alt

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
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.shades import colour, shade
from pegasos_edu.solvers.sparse import FOLD_BELOW

# Six sparse rows: the columns and values of the non-zeros, and the label.
ROWS = (
    ((0, 3), (1.0, 0.5), 1),
    ((1, 2), (0.75, 1.0), -1),
    ((4, 5), (1.0, 0.25), 1),
    ((0, 5), (0.5, 1.0), 1),
    ((2, 3), (1.0, 0.5), -1),
    ((1, 4), (1.0, 0.75), -1),
)
FEATURES = ("x₁", "x₂", "x₃", "x₄", "x₅", "x₆")
STEPS = tuple(range(1, 41))
LAMBDAS = (1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
BY_INTEGER, BY_TEST = 0, 1
W, V = "|w|", "|v|"
# The axis of the sizes follows them, over all powers of ten there are; what
# lies between powers keeps its tick and has no label.
POWERS = (
    "abs(log(datum.value) / LN10 - round(log(datum.value) / LN10)) < 1e-6 ? "
    + marks.power_labels(-20, 20)
    + " : ''"
)


class ScaleTrick(LiveFigure):
    """A number a and a vector v in place of w, for t steps.

    Examples
    --------
    >>> shown = ScaleTrick().draw(lam=0.01, T=4, rule=BY_INTEGER)
    >>> shown.readouts["a"]
    0.25
    """

    name = "scale"
    title = "The scale trick: w kept as a number a times a vector v"
    controls = (
        Control("T", "Steps t", STEPS, 5),
        regularisation(LAMBDAS, 0.01),
        Control(
            "rule",
            "First step",
            (BY_INTEGER, BY_TEST),
            BY_INTEGER,
            ("test t = 1", "test a = 0"),
        ),
    )
    readouts = (
        Readout("a", "scale a"),
        Readout("last", "error of a·v against w"),
        Readout("average", "error of the average"),
    )
    presets = (
        Preset(
            "Forty steps: after the first, one fold, at step 11",
            {"T": 40, "lam": 0.01, "rule": 0},
        ),
        Preset(
            "The wrong test: the average is lost",
            {"T": 5, "lam": 1e-05, "rule": 1},
        ),
        Preset(
            "The same λ with the right test", {"T": 5, "lam": 1e-05, "rule": 0}
        ),
    )

    def data(self):
        return {
            "rows": [
                {"cols": cols, "vals": vals, "y": y} for cols, vals, y in ROWS
            ],
            "features": FEATURES,
            "foldBelow": FOLD_BELOW,
        }

    def panels(self):
        rows = self.draw(**self.start).rows
        return [
            Panel(
                "The sizes of w and v, feature by feature",
                "For each of six features a circle, the size of its weight "
                "in w, and a diamond, its size in v, joined by a line; all "
                "lines are equally long.",
                pairs_chart(rows),
            ),
            Panel(
                "The scale a against the step t",
                "The scale a against the step t: a short curve that falls "
                "like 1/t from 1 to 0.2; with more steps it jumps back to 1 "
                "at a fold.",
                scale_chart(),
                reading=Reading("scales", "t", "a", "", "t"),
            ),
        ]

    def draw(self, T, lam, rule):
        state = run(T, lam, rule)
        w, v = state["w"], state["v"]
        size = {W: [abs(c) for c in w], V: [abs(c) for c in v]}
        rows = {
            "pairs": [
                {"feature": f, "size": size[what][j], "what": what}
                for what in (W, V)
                for j, f in enumerate(FEATURES)
                if size[what][j] > 0
            ],
            "links": [
                {"feature": f, "w": size[W][j], "v": size[V][j]}
                for j, f in enumerate(FEATURES)
                if size[W][j] > 0 and size[V][j] > 0
            ],
            "scales": [
                {"t": t + 1, "a": a} for t, a in enumerate(state["scales"])
            ],
            "now": [{"t": T, "a": state["a"]}],
        }
        average = [state["s"] * v[j] - state["q"][j] for j in range(len(v))]
        readouts = {
            "a": state["a"],
            "last": wrong_by([state["a"] * c for c in v], w),
            "average": wrong_by(average, state["total"]),
        }
        summary = (
            f"After {T} steps with λ = {plain(lam)} the scale is "
            f"{text(readouts['a'])}; a·v is off by {text(readouts['last'])}, "
            f"the average by {text(readouts['average'])}."
        )
        return Drawing(rows, readouts, summary)


def run(T, lam, rule):
    """T steps on w itself, and the same on a, v, s and q."""
    d = len(FEATURES)
    w, total = [0.0] * d, [0.0] * d  # Σ w_t, coordinate by coordinate
    a, v, s, q = 1.0, [0.0] * d, 0.0, [0.0] * d
    scales = []
    for t, i in enumerate(live_order(len(ROWS), T, 0).tolist(), start=1):
        cols, vals, y = ROWS[i]
        eta = 1.0 / (lam * t)
        total = [total[j] + w[j] for j in range(d)]
        s += a
        margin = y * sum(w[c] * x for c, x in zip(cols, vals))
        shrink = (t - 1) / t if rule == BY_INTEGER else 1.0 - eta * lam
        w = [(t - 1) / t * w[j] for j in range(d)]
        a *= shrink
        if rule == BY_INTEGER and a < FOLD_BELOW:
            q = [q[j] - s * v[j] for j in range(d)]
            v = [a * v[j] for j in range(d)]
            a, s = 1.0, 0.0
        elif a == 0.0:
            a = 1.0
        if margin < 1.0:
            for c, x in zip(cols, vals):
                w[c] += eta * y * x
                v[c] += eta * y / a * x
                q[c] += s * (eta * y / a) * x
        scales.append(a)
    return {
        "w": w,
        "v": v,
        "a": a,
        "s": s,
        "q": q,
        "total": total,
        "scales": scales,
    }


def wrong_by(found, right):
    """The largest difference over the largest entry; 0 if all are 0."""
    largest = max(abs(c) for c in right)
    differences = [abs(f - r) for f, r in zip(found, right)]
    return max(differences) / (largest or 1.0)


def pairs_chart(rows):
    """w and v, feature by feature, on a logarithmic axis.

    The chart starts with rows, as a logarithmic axis has no place for none.
    """
    pairs = alt.InlineData(values=rows["pairs"], name="pairs")
    joins = alt.InlineData(values=rows["links"], name="links")
    names = [W, V]
    colours = alt.Scale(
        domain=names,
        range=[colour(shade(i)) for i in ("last iterate", "v of w = a·v")],
    )
    shapes = alt.Scale(domain=names, range=["circle", "diamond"])
    x = alt.X(
        "feature:N",
        title="feature",
        sort=list(FEATURES),
        scale=alt.Scale(domain=list(FEATURES)),
        axis=alt.Axis(labelAngle=0),
    )
    log = alt.Scale(type="log")
    y = alt.Y(
        "size:Q",
        title="size (axis follows)",
        scale=log,
        axis=alt.Axis(
            labelExpr=POWERS,
            tickCount=5,
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        ),
    )
    links = (
        alt.Chart(joins)
        .mark_rule(**marks.line("reference"))
        .encode(x=x, y=alt.Y("w:Q", scale=log), y2="v:Q")
    )
    dots = (
        alt.Chart(pairs)
        .mark_point(filled=True, size=90, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color("what:N", scale=colours, legend=None),
            shape=alt.Shape("what:N", scale=shapes, legend=None),
        )
    )
    # The two of the first feature have their names beside them.
    first = (
        alt.Chart(pairs)
        .transform_window(k="row_number()", groupby=["what"])
        .transform_filter("datum.k == 1")
        .encode(x=x, y=y, text="what:N")
    )
    names = first.mark_text(
        align="left",
        baseline="middle",
        dx=9,
        dy=alt.expr(f"datum.what == '{V}' ? -4 : 10"),
        fontSize=12,
        fontWeight=600,
    ).encode(color=alt.Color("what:N", scale=colours, legend=None))
    return links + dots + names


def scale_chart():
    """a after each step."""
    x = alt.X(
        "t:Q",
        title="step t",
        scale=alt.Scale(domain=[0, STEPS[-1]], nice=False),
    )
    y = alt.Y(
        "a:Q",
        title="scale a",
        scale=alt.Scale(type="log", domain=[1e-19, 10], nice=False),
        axis=alt.Axis(
            values=[10.0**k for k in range(-18, 1, 3)],
            labelExpr=marks.power_labels(-18, 0),
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        ),
    )
    curve = (
        alt.Chart(data_set("scales"))
        .mark_line(strokeWidth=1.8, color=colour("text"), point=False)
        .encode(x=x, y=y)
    )
    now = (
        alt.Chart(data_set("now"))
        .mark_point(filled=True, size=90, opacity=1, color=colour("text"))
        .encode(x=x, y=y)
    )
    return curve + now
