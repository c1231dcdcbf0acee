"""A threshold moves through the scores of two classes, and along the ROC.

`threshold.js` is its twin in the reader's browser.
"""

import functools

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
from pegasos_edu.live.toolkit.positions import positions
from pegasos_edu.live.toolkit.shades import colour, shade
from pegasos_edu.problem.data import digits_zero

N_TRAIN = 1200
LAMBDAS = positions(-3, 1)[::10]  # the powers of ten, as in Chor (2020)
PIXELS = ("raw", "centred")
# The scores between these ends, the places of the threshold among them, and
# a bar of the histogram: a power of two, so that no rounding moves a score
# to the next bar.
LOW, HIGH, BAR = -2.5, 5.0, 0.125
THRESHOLDS = tuple(
    k / 10 for k in range(round(10 * LOW), round(10 * HIGH) + 1)
)
# Scores are kept to so many digits after the point, as whole numbers.
UNIT = 10_000
# The longest bar of all histograms is shorter than this share of its class.
LONGEST = 0.4


class Threshold(LiveFigure):
    """The scores of both classes, and what a threshold makes of them."""

    name = "threshold"
    needs = ("handle",)
    title = "A threshold on the scores: who is called what, and the ROC curve"
    controls = (
        regularisation(LAMBDAS, 1.0),
        Control("pixels", "Pixels", (0, 1), 0, names=PIXELS),
        Control(
            "threshold",
            "Threshold",
            THRESHOLDS,
            0.0,
            plays=True,
            spoken="Threshold on the scores",
        ),
    )
    readouts = (
        Readout("true_positive", "others called +1", "percent"),
        Readout("false_positive", "zeros called +1", "percent"),
        Readout("accuracy", "accuracy"),
        Readout("balanced", "balanced accuracy"),
        Readout("auc", "AUC, any threshold"),
    )
    presets = (
        Preset(
            "λ = 1, threshold 0: all are called +1, yet AUC is 0.94",
            {"lam": 1.0, "pixels": 0, "threshold": 0.0},
        ),
        Preset(
            "Same scores, threshold 2.6: balanced accuracy 0.86",
            {"lam": 1.0, "pixels": 0, "threshold": 2.6},
        ),
        Preset(
            "Centred pixels: the right threshold gives 0.99",
            {"lam": 1.0, "pixels": 1, "threshold": -1.0},
        ),
        Preset(
            "λ = 0.01, raw pixels: the threshold 0 will do",
            {"lam": 0.01, "pixels": 0, "threshold": 0.0},
        ),
    )

    def data(self):
        return {
            "y": parts()[3].astype(int).tolist(),
            "scores": [
                [
                    np.rint(UNIT * scores(lam, pixels)).astype(int).tolist()
                    for pixels in range(len(PIXELS))
                ]
                for lam in LAMBDAS
            ],
            "unit": UNIT,
            "lams": LAMBDAS,
            "thresholds": THRESHOLDS,
            "low": LOW,
            "bar": BAR,
            "bars": round((HIGH - LOW) / BAR),
        }

    def panels(self):
        return [
            Panel(
                "The scores of the test digits, with the threshold",
                "Two histograms over one axis: the digits that are no zero "
                "point upwards, the zeros downwards. Zeros lie further left, "
                "and an upright line, the threshold, is left of them all.",
                score_chart(),
            ),
            Panel(
                "The ROC curve, with the point of the threshold",
                "A curve from the lower left to the upper right corner, far "
                "above the diagonal. A dot, the threshold, stands at its end "
                "in the upper right corner.",
                roc_chart(),
            ),
        ]

    def draw(self, lam, pixels, threshold):
        y, found = parts()[3], scores(lam, pixels)
        others, zeros = found[y > 0], found[y < 0]
        true = float(np.mean(others > threshold))
        false = float(np.mean(zeros > threshold))
        above = others[:, np.newaxis] - zeros
        readouts = {
            "true_positive": true,
            "false_positive": false,
            "accuracy": float(np.mean((found > threshold) == (y > 0))),
            "balanced": (true + 1.0 - false) / 2,
            "auc": float(np.mean((above > 0) + 0.5 * (above == 0))),
        }
        rows = {
            "bars": bars("+1", others) + bars("−1", zeros),
            "threshold": [{"score": threshold}],
            "roc": roc(others, zeros),
            "point": [{"wrongly": false, "rightly": true}],
        }
        summary = (
            f"λ = {plain(lam)}, {PIXELS[pixels]} pixels, threshold "
            f"{plain(threshold)}: {text(true, 'percent')} of the others and "
            f"{text(false, 'percent')} of the zeros are called +1; balanced "
            f"accuracy {text(readouts['balanced'])}, AUC "
            f"{text(readouts['auc'])}."
        )
        return Drawing(rows, readouts, summary)


@functools.cache
def parts():
    """Pixels and labels of the training digits, then of the test digits."""
    X, y = digits_zero()
    mixed = np.random.default_rng(0).permutation(len(y))
    train, test = mixed[:N_TRAIN], mixed[N_TRAIN:]
    return X[train], y[train], X[test], y[test]


@functools.cache
def scores(lam, pixels):
    """⟨w, x⟩/‖w‖ of each test digit, to four digits after the point.

    w is the certified optimum on the training digits; centred pixels have
    lost the mean of the training pixels.
    """
    X, y, X_test, _ = parts()
    shift = X.mean(axis=0) if PIXELS[pixels] == "centred" else 0.0
    w = optimum(X - shift, y, lam).w
    found = (X_test - shift) @ w / np.linalg.norm(w)
    return np.rint(UNIT * found) / UNIT


def bars(name, found):
    """The histogram of one class; that of the zeros points downwards."""
    places = ((found - LOW) // BAR).astype(int)
    counts = np.bincount(places, minlength=round((HIGH - LOW) / BAR))
    sign = 1 if name == "+1" else -1
    return [
        {
            "left": LOW + k * BAR,
            "right": LOW + (k + 1) * BAR,
            "share": sign * int(count) / len(found),
            "class": name,
        }
        for k, count in enumerate(counts)
        if count
    ]


def roc(others, zeros):
    """Both rates above each threshold, from the highest score down."""
    cuts = np.unique([*others, *zeros])[::-1]
    true, false = (
        (len(part) - np.searchsorted(np.sort(part), cuts)) / len(part)
        for part in (others, zeros)
    )
    start = [{"wrongly": 0.0, "rightly": 0.0}]
    return start + [
        {"wrongly": float(a), "rightly": float(b)} for a, b in zip(false, true)
    ]


def score_chart():
    """The two histograms and the threshold."""
    x = alt.X(
        **marks.linear(
            "left", "score ⟨w, x⟩/‖w‖ (a distance)", LOW, HIGH, tickCount=8
        )
    )
    axis = marks.linear(
        "share",
        "share of the class",
        -LONGEST,
        LONGEST,
        tickCount=5,
        labelExpr="format(abs(datum.value), '.1f')",
        minExtent=marks.LABELS,
        maxExtent=marks.LABELS,
    )
    key = marks.classes_above()
    key["labelExpr"] = (
        "(datum.label == '+1' ? 'another digit, ' : 'zero, ') + datum.label"
    )
    histograms = (
        alt.Chart(data_set("bars"))
        .mark_rect(opacity=0.75)
        .encode(
            x=x,
            x2="right:Q",
            y=alt.Y(**axis),
            y2=alt.datum(0),
            color=marks.classes(key)["color"],
        )
    )
    ground = (
        alt.Chart(alt.InlineData(values=[{"share": 0}]))
        .mark_rule(color=colour("muted"))
        .encode(y="share:Q")
    )
    rule = (
        alt.Chart(data_set("threshold"))
        .mark_rule(strokeWidth=2.5, color=colour(shade("optimum")))
        .encode(x="score:Q")
    )
    return alt.layer(histograms, ground, rule)


def roc_chart():
    """The curve over all thresholds, chance, and the threshold now."""
    x = alt.X(
        **marks.linear(
            "wrongly", "share of zeros called +1", 0, 1, tickCount=5
        )
    )
    y = alt.Y(
        **marks.linear(
            "rightly",
            "share of others called +1",
            0,
            1,
            tickCount=5,
            minExtent=marks.LABELS,
            maxExtent=marks.LABELS,
        ),
        stack=None,  # else the rows of the area stand one on the other
    )
    look = marks.line("held out")
    curve = alt.Chart(data_set("roc")).encode(x=x, y=y)
    corners = [{"wrongly": 0, "rightly": 0}, {"wrongly": 1, "rightly": 1}]
    chance = (
        alt.Chart(alt.InlineData(values=corners))
        .mark_line(**marks.line("reference"))
        .encode(x=x, y=y)
    )
    dot = (
        alt.Chart(data_set("point"))
        .mark_point(
            filled=True,
            size=130,
            opacity=1,
            color=colour(shade("optimum")),
        )
        .encode(x=x, y=y)
    )
    area = curve.mark_area(color=look["color"], opacity=0.15, line=False)
    line = curve.mark_line(strokeWidth=2, **look)
    return alt.layer(area, chance, line, dot)
