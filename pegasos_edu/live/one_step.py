"""One step of Pegasos in four phases: draw, test, shrink, add.

`one_step` draws it; `one_step.js` is its twin in the reader's browser. The
figure is drawn by hand, in SVG: a page that shows no other needs no charts.
"""

import functools
import html
from dataclasses import dataclass

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.live.toolkit.figure import (
    Control,
    Drawing,
    LiveFigure,
    Panel,
    Preset,
    Readout,
    regularisation,
)
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.plane import clip_line, for_script
from pegasos_edu.live.toolkit.shades import class_look, colour, shade
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.objective import objective

PHASES = ("draw", "test", "shrink", "add")
RULES = ("Pegasos", "perceptron", "log loss")
PEGASOS, PERCEPTRON, LOG = range(3)
# The loss of each rule; the perceptron has none that it minimises.
LOSS = {PEGASOS: "hinge", LOG: "log"}
LAMBDAS = (0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1.0)
# The points, the order of the draws, and how many there are.
N, CLOUD, SEED, T = 16, 89, 224, 100
# The weight plane shows λw, a mean of examples yx, so that its axes are
# those of the examples for every λ. The perceptron has no λ: of its run the
# longest w takes this part of the way to the upper edge.
PERCEPTRON_PART = 0.9
# The two planes in pixels, and the pixels of a unit. The weights are means
# of examples, nearer to 0, and so drawn larger.
WIDE, HIGH, UNIT, ZOOM = 360, 300, 76, 1.7
BOX = (WIDE / 2 / UNIT, HIGH / 2 / UNIT)
# How far above f* the level lines lie.
LEVELS = (0.02, 0.1, 0.3, 0.7, 1.4, 2.6, 4.5)
# How many steps the trail shows.
TRAIL = 24
# How far λw may be dragged along each axis, in hundredths: not off the plane.
REACH = tuple(int(95 * half / ZOOM) for half in BOX)
# The lines of a listing that do the work of each phase.
LINES = {
    "draw": r"rng\.integers|run\.batches",
    "test": r"margin =",
    "shrink": r"w = \(1 - ",
    "add": r"w = w \+|\+ eta \* v",
    # In place of the add, if the test said no
    "skip": r"if margin <|\+ eta \* v",
}
# What the parts of the figure are, in the book's table of looks.
IDEAS = {
    "w": "last iterate",
    "example": "one example",
    "best": "optimum",
    "street": "margin",
}


@dataclass(frozen=True)
class Step:
    """Step t: what is drawn, what the test says, and w after each phase.

    Attributes
    ----------
    t, row : int
        The number of the step, from 1, and the row of the example drawn.
    eta, shrink : float
        η_t, and the factor 1 − η_t λ.
    margin : float
        y⟨w_t, x⟩, with the old w.
    pull : float
        Minus the slope of the loss at the margin: 1 for a violator, else 0;
        between the two for the log loss.
    w, shrunk, push, after : tuple of two floats
        w_t; (1 − η_t λ) w_t; what is added, η_t · pull · yx; w_{t+1}.
    """

    t: int
    row: int
    eta: float
    shrink: float
    margin: float
    pull: float
    w: tuple
    shrunk: tuple
    push: tuple
    after: tuple


def examples():
    """The points of the figure and their labels.

    Examples
    --------
    >>> X, y = examples()
    >>> X.shape, sorted(set(y.tolist()))
    ((16, 2), [-1.0, 1.0])
    """
    X, y = two_clouds(N, CLOUD)
    # So that a reader can do the sums that the figure shows.
    return X.round(1), y


def steps_of(rule, lam, order, placed=None):
    """The steps of a run, phase by phase.

    Parameters
    ----------
    rule : int
        A position in `RULES`. The perceptron has η = 1 and λ = 0 and adds
        an example that is not on its right side: y⟨w, x⟩ ≤ 0.
    lam : float
        λ > 0.
    order : sequence of int
        The rows drawn.
    placed : dict, optional
        For each step before which a reader moved w the place it was moved
        to, as λw in hundredths, a pair of int; the perceptron's as
        `perceptron_scale()` times w.

    Returns
    -------
    list of Step

    Examples
    --------
    >>> first, second = steps_of(PEGASOS, 0.5, [0, 1])
    >>> first.margin, first.pull, first.eta
    (0.0, 1.0, 2.0)
    >>> second.w == first.after
    True
    """
    X, y = examples()
    found, w = [], np.zeros(2)
    for t, i in enumerate(order, start=1):
        if t in (placed or {}):
            w = np.array(placed[t]) / 100 / _scale(rule, lam)
        eta = 1.0 if rule == PERCEPTRON else 1.0 / (lam * t)
        shrink = 1.0 if rule == PERCEPTRON else 1.0 - eta * lam
        margin = float(y[i] * (X[i] @ w))
        if rule == PERCEPTRON:
            pull = float(margin <= 0.0)
        else:
            pull = float(-LOSSES[LOSS[rule]].slope(margin)) + 0.0
        shrunk, push = shrink * w, eta * pull * y[i] * X[i]
        after = shrunk + push
        vectors = [tuple(map(float, v)) for v in (w, shrunk, push, after)]
        found.append(Step(t, int(i), eta, shrink, margin, pull, *vectors))
        w = after
    return found


@functools.cache
def best_of(rule, lam):
    """(w₁, w₂, f) at the certified optimum; None for the perceptron."""
    if rule == PERCEPTRON:
        return None
    best = optimum(*examples(), lam, loss=LOSS[rule])
    return [*map(float, best.w), float(best.primal)]


def gap_of(w, rule, lam):
    """f(w) − f*, which nobody knows of the perceptron: it has no f.

    Examples
    --------
    >>> *w, _ = best_of(PEGASOS, 0.5)
    >>> gap_of(w, PEGASOS, 0.5), gap_of(w, PERCEPTRON, 0.5)
    (0.0, nan)
    """
    if rule == PERCEPTRON:
        return float("nan")
    f = objective(np.array(w), *examples(), lam, loss=LOSS[rule])
    return float(f) - best_of(rule, lam)[2]


def _scale(rule, lam):
    """What w is multiplied by in the plane of the weights."""
    return perceptron_scale() if rule == PERCEPTRON else lam


@functools.cache
def perceptron_scale():
    """What makes the longest w of the perceptron's run fill the plane.

    Examples
    --------
    >>> round(perceptron_scale(), 2)
    0.59
    """
    run = steps_of(PERCEPTRON, 1.0, live_order(N, T, SEED))
    longest = max(np.hypot(*step.after) for step in run)
    return float(PERCEPTRON_PART * BOX[1] / ZOOM / longest)


class OneStep(LiveFigure):
    """Draw, test, shrink, add; see `one_step`."""

    name = "one_step"
    needs = ("walk",)
    title = "One step of Pegasos: draw, test, shrink, add"
    readouts = (
        Readout("margin", "margin y⟨w, x⟩"),
        Readout("pull", "1 if it is added"),
        Readout("shrink", "1 − ηλ"),
        Readout("eta", "step η"),
        Readout("gap", "f(w) − f⋆"),
        *(
            Readout(f"{key}{k}", f"{label}, {part}")
            for key, label in (
                ("w", "w before"),
                ("shrunk", "w after the shrink"),
                ("push", "what is added"),
                ("after", "w after the step"),
            )
            for k, part in ((1, "first"), (2, "second"))
        ),
    )
    presets = (
        Preset(
            "Step 1 forgets where it started",
            {"t": 1, "phase": 2, "lam": 0.5, "rule": 0},
        ),
        Preset(
            "A violator is added", {"t": 7, "phase": 3, "lam": 0.5, "rule": 0}
        ),
        Preset(
            "No violator: w only shrinks",
            {"t": 8, "phase": 2, "lam": 0.5, "rule": 0},
        ),
        Preset(
            "The log loss: the same example still pulls",
            {"t": 8, "phase": 1, "lam": 0.5, "rule": 2},
        ),
    )

    def __init__(self, t=4, phase=0, lam=0.5, rule=PEGASOS, compact=False):
        self.compact = compact
        if compact:
            self.presets = ()
        self.controls = (
            Control("t", "Step t", tuple(range(1, T + 1)), t),
            Control("phase", "Phase", tuple(range(4)), phase, names=PHASES),
            regularisation(LAMBDAS, lam),
            Control("rule", "Rule", tuple(range(3)), rule, names=RULES),
        )

    def data(self):
        X, y = examples()
        return {
            **for_script(X, y),
            "size": [WIDE, HIGH, UNIT],
            "zoom": ZOOM,
            "order": live_order(len(y), T, SEED).tolist(),
            "scale": perceptron_scale(),
            "reach": REACH,
            "levels": LEVELS,
            "trail": TRAIL,
            "lines": LINES,
            "looks": {part: shade(idea) for part, idea in IDEAS.items()},
            "lams": LAMBDAS,
            "best": [
                [best_of(rule, lam) for lam in LAMBDAS] for rule in range(3)
            ],
            "compact": self.compact,
            "words": {
                "said": SAID,
                "terms": TERMS,
                "sides": SIDES,
                "point": POINT,
                "knob": KNOB,
                "unused": UNUSED,
                "planes": PLANES,
            },
            "stops": [stops(rule) for rule in range(3)],
            "skeleton": skeleton(self.compact),
        }

    def config(self):
        # The script lays out its own numbers, with what stands in walk.js.
        return {**super().config(), "readouts": []}

    def panels(self):
        return [
            Panel("The examples and the line", "", None, by_hand=True),
            Panel("The weights", "", None, by_hand=True),
        ]

    def draw(self, t, phase, lam, rule):
        order = live_order(N, T, SEED)[:t]
        steps = steps_of(rule, lam, order)
        step = steps[-1]
        readouts = {
            key: getattr(step, key)
            for key in ("margin", "pull", "shrink", "eta")
        }
        readouts["gap"] = gap_of(_shown_w(step, phase), rule, lam)
        for key in ("w", "shrunk", "push", "after"):
            readouts |= {
                f"{key}{k}": value
                for k, value in enumerate(getattr(step, key), start=1)
            }
        rows = {"steps": steps, "state": (phase, lam, rule)}
        return Drawing(rows, readouts, summary_of(step, phase, rule))

    def pictures(self, drawing):
        """One frame, of the phase that is shown."""
        return [frame(drawing.rows["steps"], *drawing.rows["state"])]

    def images(self):
        """Four frames, one a phase, each with its sentence."""
        state = {**self.start}
        found = []
        for phase, name in enumerate(PHASES):
            drawing = self.draw(**{**state, "phase": phase})
            (picture,) = self.pictures(drawing)
            found.append((picture, f"{name}: {drawing.summary}"))
        return found


# What is said

STEP = "Step {t} draws example {row}, of class {label}."
SHRINK = (
    "Whatever the test said: w times 1 − 1/{t} = {shrink}. The street widens.",
    "η₁λ is 1: w times 1 − 1/1 = 0. Step 1 forgets where it started.",
)
NOTHING = "Nothing is added, so the line does not turn."
# By rule and phase: what is said of an example that is left out, or of a
# shrink; and what of one that is added, or of the shrink at t = 1.
SAID = (
    (
        (STEP, STEP),
        (
            "{margin} ≥ 1: no violator. w will only shrink.",
            "{margin} < 1: a violator. It will be added.",
        ),
        SHRINK,
        (NOTHING, "ηyx is added, head to tail. w, line and street move."),
    ),
    (
        (STEP, STEP),
        (
            "{margin} > 0: on the right side. Nothing will happen.",
            "{margin} ≤ 0: on the wrong side. It will be added.",
        ),
        ("λ = 0: the perceptron never shrinks w.",) * 2,
        (NOTHING, "yx is added, head to tail. w, line and street move."),
    ),
    (
        (STEP, STEP),
        ("The margin is {margin}: it pulls with weight {pull}, never 0.",) * 2,
        SHRINK,
        ("{pull} · ηyx is added. w, line and street move.",) * 2,
    ),
)
# The terms of the formula, by rule.
TERMS = tuple(
    {
        "after": "w{next}",
        "shrink": shrink,
        "w": "w{now}",
        "test": test,
        "eta": "η{now}",
    }
    for shrink, test in (
        ("1 − 1/{t}", "[y⟨w{now}, x⟩ < 1]"),
        ("1 − 0", "[y⟨w{now}, x⟩ ≤ 0]"),
        ("1 − 1/{t}", "σ(−y⟨w{now}, x⟩)"),
    )
)
SIDES = (("< 1", "≥ 1"), ("≤ 0", "> 0"), ("pulls", "hardly"))
# Why the slider of λ is of no use.
UNUSED = "The perceptron has no λ: it never shrinks w."
# What the plane of the weights shows, by rule.
DRAG = "the weights: drag w"
PLANES = (DRAG, f"{DRAG} (longest fills the plane)", DRAG)
KNOB = "{name} at {a}, {b}; arrow keys move it"
POINT = "Example {row}, class {label}, margin {margin}. Use it next."


def say(value):
    """A number to two digits after the point, with a true minus.

    More digits where two would say 1 of what is beside 1: a margin of 0.997
    is a violator's, and may not read "1.00 < 1".

    Examples
    --------
    >>> say(-0.126), say(-0.001), say(0.997), say(1)
    ('−0.13', '0.00', '0.997', '1.00')
    """
    digits = 2
    while digits < 9 and value != 1 and float(f"{value:.{digits}f}") == 1:
        digits += 1
    text = f"{value:.{digits}f}".replace("-", "−")
    return "0.00" if text == "−0.00" else text


def summary_of(step, phase, rule):
    """The phase in a sentence or two."""
    _, y = examples()
    if phase == 2:
        which = step.t == 1 and rule != PERCEPTRON
    else:
        which = phase > 0 and step.pull > 0
    return SAID[rule][phase][which].format(
        t=step.t,
        row=step.row + 1,
        label="+1" if y[step.row] > 0 else "−1",
        margin=say(step.margin),
        pull=say(step.pull),
        shrink=say(step.shrink),
    )


# What the script moves

# A plane in a box of another shape shows more than its view box: so far.
FAR = 900
AXES = (
    f'<g class="axes"><path d="M-{FAR} {HIGH // 2}h{3 * FAR}'
    f'M{WIDE // 2} -{FAR}v{3 * FAR}"/>'
    f'<text class="one" x="{WIDE - 4}" y="{HIGH // 2 - 6}" '
    f'text-anchor="end">x₁</text>'
    f'<text class="two" x="{WIDE // 2 + 6}" y="14">x₂</text></g>'
)
VIEW = f'viewBox="0 0 {WIDE} {HIGH}"'
UPRIGHT = "M0 -600V600"
BUTTONS = (
    ("back", "Back"),
    ("next", "Next phase"),
    ("step", "One step"),
    ("play", "Play"),
    ("speed", "1 / s"),
)
# What stands for what in the formula: part, class of its name, its numbers.
FORMULA = (
    ("after", "after", ("after1", "after2")),
    ("shrunk", "shrink", ("shrink",)),
    ("w", "w", ("w1", "w2")),
    ("test", "test", ("margin", "pull")),
    ("push", "eta", ("eta",)),
    ("push", "yx", ("yx1", "yx2")),
    ("shrunk", "shrunk", ("shrunk1", "shrunk2")),
    ("push", "push", ("push1", "push2")),
)
KEY = (
    '<svg class="key" viewBox="0 0 12 12" aria-hidden="true">{}</svg>'
    "<span>{}</span>"
)


def skeleton(compact=False):
    """The parts of the figure, in HTML; `one_step.js` moves them.

    Parameters
    ----------
    compact : bool
        Whether to leave out the choices.

    Examples
    --------
    >>> skeleton().count('class="point')
    16
    """
    phases = "".join(
        f'<button type="button" data-phase="{name}">{name}</button>'
        for name in PHASES
    )
    buttons = "".join(
        f'<button type="button" data-go="{name}">{label}</button>'
        for name, label in BUTTONS
    )
    terms = "".join(
        f'<div class="of-{name}" data-part="{part}"><dt class="{name}">'
        f"{'yx' if name == 'yx' else ''}</dt>"
        + "".join(f'<dd data-key="{key}"></dd>' for key in keys)
        + "</div>"
        for part, name, keys in FORMULA
    )
    slots = "".join(f'<div data-slot="control{k}"></div>' for k in (0, 2, 3))
    return (
        '<div class="pegasos-story"><div class="pegasos-phases" role="group" '
        f'aria-label="Phase">{phases}</div><p class="pegasos-say"></p></div>'
        '<div class="pegasos-sheets" role="group" aria-label="Plane">'
        '<button type="button" data-show="examples">Examples</button>'
        '<button type="button" data-show="weights">Weights</button></div>'
        '<div class="pegasos-planes">'
        '<div class="pegasos-plane examples"><p>'
        + KEY.format('<circle cx="6" cy="6" r="5"/>', "+1")
        + KEY.format('<path d="M1.5 1.5h9v9h-9Z"/>', "−1")
        + "<span>the line of w and its street</span></p>"
        f"{_examples_skeleton()}</div>"
        f'<div class="pegasos-plane weights"><p><span>{DRAG}'
        '</span><span class="gap">f(w) − f⋆ = <b data-key="gap"></b></span>'
        "</p>"
        f"{_weights_skeleton()}"
        '<button type="button" hidden>Back to the run</button></div></div>'
        f'<dl class="pegasos-terms">{terms}</dl>'
        '<div class="pegasos-transport"><div role="toolbar" '
        f'aria-label="Steps">{buttons}<span data-slot="control4"></span>'
        "</div></div>"
        f'<div class="pegasos-choices"{" hidden" if compact else ""}>'
        f"{slots}</div>"
        '<div hidden data-slot="control1"></div>'
    )


def stops(rule):
    """How strongly an example pulls: stops of a gradient across margins.

    They go from four below the margin at which the test changes to four
    above it.

    Examples
    --------
    >>> stops(PEGASOS).count("offset")
    2
    """
    found = [(0.5, 1.0), (0.5, 0.0)]
    if rule == LOG:
        slope = LOSSES["log"].slope
        found = [(k / 8, -slope(k - 4.0)) for k in range(9)]
    return "".join(
        f'<stop offset="{at:g}" stop-opacity="{pull:.3f}" '
        'stop-color="var(--example)"/>'
        for at, pull in found
    )


def _examples_skeleton():
    X, y = examples()
    points = []
    for point, label in zip(X, y):
        a, b = _at(point)
        mark = (
            '<circle class="mark" r="5.5"/>'
            if label > 0
            else '<path class="mark" d="M-5 -5h10v10h-10Z"/>'
        )
        name = "plus" if label > 0 else "minus"
        points.append(
            f'<g class="point {name}" role="button" '
            f'transform="translate({a:.1f} {b:.1f})">'
            f'<circle class="hit" r="15"/>{mark}</g>'
        )
    return (
        f'<svg {VIEW} role="group" aria-label="The examples, the line of w '
        'and its street">'
        f'<rect class="street" y="-600" height="1200"/>{AXES}'
        f'<path class="was" d="{UPRIGHT}"/>'
        f'<path class="would" d="{UPRIGHT}"/>'
        f'<g class="now"><path class="sides"/>'
        f'<path class="line" data-part="after" d="{UPRIGHT}"/></g>'
        '<path class="perp" data-part="test"/>'
        f'{"".join(points)}<circle class="halo"/>'
        '<text class="value" data-part="test"></text></svg>'
    )


def _weights_skeleton():
    return (
        f'<svg {VIEW} role="group" aria-label="The plane of the weights: '
        "level lines of f around its minimum, the path of w, the arrow w, "
        'and the side of the test on which w stands">'
        '<defs><linearGradient gradientUnits="userSpaceOnUse">'
        "</linearGradient></defs>"
        f'<g class="rings"></g><rect class="tint" data-part="test" '
        f'x="-{FAR}" y="-{FAR}" width="{3 * FAR}" height="{3 * FAR}"/>'
        f'<g class="brinks"><path class="brink"/><text class="under"></text>'
        f'<text class="over"></text></g>{AXES}'
        f'<g class="trail"></g><g class="star"><path d="{star(0, 0)}"/>'
        '<text class="best" x="-8" y="-9" text-anchor="end">λw⋆</text></g>'
        '<path class="old" data-part="w"/><path class="goal"/>'
        '<path class="w" data-part="after"/>'
        '<path class="push" data-part="push"/><text class="word"></text>'
        '<g class="knob" role="button" tabindex="0"><circle class="hit" '
        'r="16"/><circle class="dot" r="4"/></g></svg>'
    )


# The frames for paper


def frame(steps, phase, lam, rule):
    """Both planes in one phase of the last of these steps, as an SVG.

    Examples
    --------
    >>> frame(steps_of(PEGASOS, 0.3, [0]), 3, 0.3, PEGASOS)[:4]
    '<svg'
    """
    step = steps[-1]
    title = f"{phase + 1}. {PHASES[phase]}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 '
        f'{2 * WIDE + 16} {HIGH + 52}" font-family="sans-serif" '
        f'font-size="13" fill="{colour("text")}">'
        f'<text x="2" y="16" font-size="15" font-weight="bold">{title}'
        f"</text>"
        f'<text x="2" y="36">{html.escape(summary_of(step, phase, rule))}'
        "</text>"
        f"{_pane(0, _examples(step, phase, rule))}"
        f"{_pane(WIDE + 16, _weights(steps, phase, lam, rule))}</svg>"
    )


def _pane(left, content):
    """A plane of a frame, cut at its edge."""
    return (
        f'<svg x="{left}" y="48" width="{WIDE}" height="{HIGH}" {VIEW}>'
        f"{content}"
        f'<rect x=".5" y=".5" width="{WIDE - 1}" height="{HIGH - 1}" rx="6" '
        f"{_line(colour('grid'), 1)}/></svg>"
    )


def _ink(part):
    return colour(shade(IDEAS[part]))


def _at(point):
    """A point of a plane in pixels."""
    return WIDE / 2 + UNIT * point[0], HIGH / 2 - UNIT * point[1]


def _path(points, style, closed=False):
    pixels = " ".join("{:.1f} {:.1f}".format(*_at(p)) for p in points)
    end = "Z" if closed else ""
    return f'<path d="M{pixels}{end}" {style}/>'


def _line(colour, width=2.0, more=""):
    return (
        f'fill="none" stroke="{colour}" stroke-width="{width:g}" '
        f'stroke-linecap="round" {more}'
    )


def _text(point, words, style="", shift=(0, 0)):
    a, b = _at(point)
    return (
        f'<text x="{a + shift[0]:.1f}" y="{b + shift[1]:.1f}" {style}>'
        f"{html.escape(words)}</text>"
    )


def _axes(first, second):
    right, top = BOX
    grey = _line(colour("grid"), 1)
    ink = f'fill="{colour("muted")}"'
    return (
        _path([(-right, 0), (right, 0)], grey)
        + _path([(0, -top), (0, top)], grey)
        + _text((right, 0), first, f'text-anchor="end" {ink}', (-4, -6))
        + _text((0, top), second, ink, (6, 14))
    )


def _whole_line(w, side, style):
    ends = clip_line(w, side, BOX)
    return _path([ends[:2], ends[2:]], style) if ends else ""


def _band(w, low, high, style):
    """The points with low ≤ ⟨w, x⟩ ≤ high, shaded."""
    norm = float(np.hypot(*w))
    if norm == 0.0:
        return ""
    turn = -np.degrees(np.arctan2(w[1], w[0]))
    left, right = UNIT * max(low / norm, -9), UNIT * min(high / norm, 9)
    return (
        f'<g transform="translate({WIDE / 2:g} {HIGH / 2:g}) '
        f'rotate({turn:.2f})"><rect x="{left:.1f}" y="-600" height="1200" '
        f'width="{right - left:.1f}" {style}/></g>'
    )


def _shown_w(step, phase):
    return [step.w, step.w, step.shrunk, step.after][phase]


def _examples(step, phase, rule):
    """The plane of the examples."""
    X, y = examples()
    w = np.array(_shown_w(step, phase))
    shade_of_street = f'fill="{_ink("w")}" fill-opacity="0.09"'
    # The perceptron has no street.
    street = (-1, 1) if rule != PERCEPTRON else ()
    parts = [_band(w, *street, shade_of_street)] if street else []
    parts.append(_axes("x₁", "x₂"))
    if phase > 1:
        dashes = 'stroke-dasharray="3 4"'
        parts.append(_whole_line(step.w, 0, _line(_ink("w"), 1.5, dashes)))
    parts += [
        _whole_line(w, side, _line(_ink("street"), 1)) for side in street
    ]
    parts.append(_whole_line(w, 0, _line(_ink("w"), 2.5)))
    x, norm = X[step.row], float(np.hypot(*step.w))
    if phase == 1 and norm > 0:
        foot = x - (x @ np.array(step.w)) / norm**2 * np.array(step.w)
        parts.append(_path([x, foot], _line(_ink("example"), 2)))
        style = f'font-weight="bold" fill="{_ink("example")}"'
        parts.append(_text(x, say(step.margin), style, (12, -10)))
    for point, label in zip(X, y):
        name, _ = class_look(int(label))
        a, b = _at(point)
        parts.append(
            f'<circle cx="{a:.1f}" cy="{b:.1f}" r="5" fill="{name}"/>'
            if label > 0
            else f'<rect x="{a - 4.5:.1f}" y="{b - 4.5:.1f}" width="9" '
            f'height="9" fill="{name}"/>'
        )
    a, b = _at(x)
    parts.append(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="11" '
        f"{_line(_ink('example'), 2.5)}/>"
    )
    return "".join(parts)


def _weights(steps, phase, lam, rule):
    """The plane of the weights."""
    X, y = examples()
    step = steps[-1]
    scale = ZOOM * _scale(rule, lam)
    name = "w" if rule == PERCEPTRON else "λw"
    parts = []
    best = best_of(rule, lam)
    if best:
        for ring in rings(rule, lam):
            style = _line(colour("muted"), 1, 'stroke-opacity="0.4"')
            parts.append(_path(ZOOM * ring, style, closed=True))
    parts.append(_axes(f"{name}₁", f"{name}₂"))
    if phase > 0 and rule != LOG:
        side = 0.0 if rule == PERCEPTRON else scale
        toward = y[step.row] * X[step.row]
        ink = 'fill="{}" fill-opacity="{}"'.format(
            _ink("example"), 0.2 if phase == 1 else 0.08
        )
        parts.append(_band(toward, -99.0, side, ink))
        style = _line(_ink("example"), 1.5, 'stroke-dasharray="5 3"')
        parts.append(_whole_line(toward, side, style))
    trail = [np.array(s.w) * scale for s in steps[-TRAIL:]]
    parts.append(_path(trail, _line(_ink("w"), 1.5, 'stroke-opacity="0.35"')))
    if best:
        a, b = _at(scale * np.array(best[:2]))
        parts.append(
            f'<path d="{star(a, b)}" fill="{_ink("best")}" stroke="#fff"/>'
            f'<text x="{a - 8:.1f}" y="{b - 9:.1f}" text-anchor="end">{name}⋆'
            "</text>"
        )
    w = scale * np.array(_shown_w(step, phase))
    old, middle = scale * np.array(step.w), scale * np.array(step.shrunk)
    if phase == 3:
        w = scale * np.array(step.after)
        parts.append(_arrow(middle, w, _line(_ink("example"), 2.5)))
    if phase > 1:
        faint = 'stroke-dasharray="3 4"'
        parts.append(_arrow((0, 0), old, _line(_ink("w"), 1.5, faint)))
    parts.append(_arrow((0, 0), w, _line(_ink("w"), 3)))
    if best:
        gap = gap_of(_shown_w(step, phase), rule, lam)
        left, low = -BOX[0], -BOX[1]
        parts.append(_text((left, low), f"f(w) − f⋆ = {gap:.4g}", "", (8, -9)))
    return "".join(parts)


def _arrow(start, end, style):
    a, b = np.array(_at(start)), np.array(_at(end))
    length = float(np.hypot(*(b - a)))
    if length < 1:
        return ""
    along = (b - a) / length * min(9.0, 0.5 * length)
    across = 0.55 * np.array([-along[1], along[0]])
    points = [a, b, b - along + across, b, b - along - across]
    text = " ".join(f"{p[0]:.1f} {p[1]:.1f}" for p in points)
    return f'<path d="M{text}" stroke-linejoin="round" {style}/>'


def star(x, y, radius=9.0):
    """A five-pointed star as the d of a path, in pixels.

    Examples
    --------
    >>> star(0.0, 0.0).count(" ")
    19
    """
    points = []
    for k in range(10):
        angle = np.pi * k / 5
        r = radius * (0.45 if k % 2 else 1.0)
        points.append((x + r * np.sin(angle), y - r * np.cos(angle)))
    return "M" + " ".join(f"{a:.1f} {b:.1f}" for a, b in points) + "Z"


def rings(rule, lam, rays=48):
    """Closed lines around λw*, each where f is a level above f*.

    f rises along a ray from its minimum, so bisection finds the level.
    """
    X, y = examples()
    *w, f_best = best_of(rule, lam)
    angles = np.arange(rays) * 2.0 * np.pi / rays
    rays_out = np.column_stack([np.cos(angles), np.sin(angles)])
    found = []
    for level in LEVELS:
        low, high = np.zeros(rays), np.full(rays, 8.0)
        for _ in range(30):
            middle = (low + high) / 2
            W = w + middle[:, None] * rays_out / lam
            f = objective(W, X, y, lam, loss=LOSS[rule])
            low = np.where(f < f_best + level, middle, low)
            high = np.where(f < f_best + level, high, middle)
        found.append(lam * np.array(w) + low[:, None] * rays_out)
    return found


def one_step(
    t: int = 4,
    *,
    phase: str = "draw",
    lam: float = 0.5,
    rule: str = "Pegasos",
    compact: bool = False,
) -> OneStep:
    """Draw one step of Pegasos, with its four phases to walk through.

    Parameters
    ----------
    t : int
        The step at which it starts, at least 1.
    phase : {"draw", "test", "shrink", "add"}
        The phase at which it starts.
    lam : float
        Where the λ slider starts, above 0.
    rule : {"Pegasos", "perceptron", "log loss"}
        The rule at which it starts.
    compact : bool
        Whether to leave out the choices and to run one step unasked, as on
        the first page of the book.

    Returns
    -------
    OneStep
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Pegasos is figure 1 of Shalev-Shwartz et al. (2011); the perceptron is
    Rosenblatt's (1958).

    Examples
    --------
    >>> one_step(7, phase="test").start
    {'t': 7, 'phase': 1, 'lam': 0.5, 'rule': 0}
    """
    t = checks.check_integer("t", t, 1)
    checks.check_choice("phase", phase, dict.fromkeys(PHASES))
    lam = checks.check_positive("lam", lam)
    checks.check_choice("rule", rule, dict.fromkeys(RULES))
    number = RULES.index(rule)
    return OneStep(t, PHASES.index(phase), lam, number, bool(compact))
