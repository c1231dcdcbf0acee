"""Many machines: where each of them ends, their average, and the optimum.

`machines.js` is its twin in the reader's browser.
"""

import functools

import altair as alt
import numpy as np

from pegasos_edu.certificate.optimum import optimum
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
    regularisation,
)
from pegasos_edu.live.toolkit.numbers import plain, text
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.positions import positions, whole
from pegasos_edu.live.toolkit.shades import colour, shade
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.averaging import ends_of_rounds

N = 128
MACHINES = (1, 2, 4, 8, 16, 32)
ROUNDS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
LAMBDAS = tuple(lam for lam in positions(-2, 0, in_decade=6) if lam >= 0.02)
# The steps that every machine makes, in all rounds together.
T = 1000
# The steps at which the gaps are drawn.
STEPS = whole(0, 3)
# What the machines hold: rows drawn at random; or neighbours, in the order
# of the direction of y·x.
SHARDS = ("mixed", "sorted")
# Every machine draws in an order of its own, out of this one seed.
SEED = 0
# The plane of w; a machine outside of it sits at its edge.
LEFT, RIGHT, BOTTOM, TOP = -1.8, 3.0, -2.4, 2.4
# The axis of the gap; what is below its lower end is drawn there, and the
# first few steps may lie above its upper one.
GAPS = (1e-6, 10.0)
ONE, AVERAGE = "one machine", "their average"


class ManyMachines(LiveFigure):
    """Pegasos in rounds on 128 points, shared out to up to 32 machines."""

    name = "machines"
    title = "Pegasos on many machines, in rounds"
    controls = (
        Control("m", "Machines m", MACHINES, 16, plays=True),
        Control("rounds", "Rounds", ROUNDS, 1),
        regularisation(LAMBDAS, 0.05),
        Control("shards", "Shards", (0, 1), 0, SHARDS),
    )
    readouts = (
        Readout("gap", "gap, average"),
        Readout("single", "mean gap, one"),
        Readout("distance", "distance to w*"),
        Readout("spread", "spread of machines"),
        Readout("sent", "numbers sent up", "count"),
    )
    presets = (
        Preset(
            "One round, sorted shards: the average misses w*",
            {"m": 16, "rounds": 1, "lam": 0.05, "shards": 1},
        ),
        Preset(
            "A hundred rounds on the same shards: it is there",
            {"m": 16, "rounds": 100, "lam": 0.05, "shards": 1},
        ),
        Preset(
            "A large λ: the machines end nearer to each other",
            {"m": 16, "rounds": 1, "lam": 1.0, "shards": 0},
        ),
    )

    def data(self):
        best = [minimum(lam) for lam in LAMBDAS]
        return {
            "z": turned().ravel().tolist(),
            "rows": [rows.tolist() for rows in row_lists()],
            "shards": SHARDS,
            "lams": LAMBDAS,
            # The last digits differ from processor to processor.
            "best": shortened([one.w for one in best], 12),
            "least": shortened([one.primal for one in best], 12),
            "T": T,
            "seed": SEED,
            "steps": STEPS,
            "floor": GAPS[0],
        }

    def panels(self):
        return [
            Panel(
                "The plane of w: every machine, their average, the optimum",
                "Sixteen small blue dots, one for each machine, lie around "
                "a black diamond, the optimum, up to one unit away from it. "
                "A large orange dot, their average, lies close to the "
                "diamond.",
                plane_chart(),
                equal=True,
            ),
            Panel(
                "The gap against the steps of each machine",
                "The gap against the step on log-log axes. The curve of one "
                "machine falls at first and then stays on a level; that of "
                "the average of the machines falls to a level far below.",
                gap_chart(),
                reading=Reading("curve", "t", "gap", "name", "t"),
            ),
        ]

    def draw(self, m, rounds, lam, shards):
        best = np.array(shortened(minimum(lam).w, 12))
        least = shortened(minimum(lam).primal, 12)
        kept = run_rounds(m, rounds, lam, shards, SEED)
        X, y = two_clouds(N)
        curve = []
        for t, W in kept.items():
            average = W.mean(axis=0)
            gap = float(objective(average, X, y, lam)) - least
            single = float(objective(W, X, y, lam).mean()) - least
            for name, value in ((ONE, single), (AVERAGE, gap)):
                row = {"t": t, "gap": max(GAPS[0], value), "name": name}
                curve.append(row)
        readouts = {
            "gap": gap,
            "single": single,
            "distance": float(np.linalg.norm(average - best)),
            "spread": float(np.sqrt(((W - average) ** 2).sum(1).mean())),
            "sent": W.size * rounds,
        }
        rows = {
            "places": [{"x": float(a), "y": float(b)} for a, b in W],
            "average": [{"x": float(average[0]), "y": float(average[1])}],
            "best": [{"x": float(best[0]), "y": float(best[1])}],
            "curve": curve,
        }
        summary = summary_of(m, rounds, lam, shards, readouts)
        return Drawing(rows, readouts, summary)


def summary_of(m, rounds, lam, shards, readouts):
    """The state in a sentence; machines.js says the same."""
    return (
        f"m = {m}, rounds: {rounds:,}, λ = {plain(lam)}, shards "
        f"{SHARDS[shards]}: the average of the machines is "
        f"{text(readouts['gap'])} above the optimum and "
        f"{text(readouts['distance'])} away from it; the machines are "
        f"{text(readouts['spread'])} from their average."
    )


@functools.cache
def turned():
    """The points z = y·x: all that f knows of an example."""
    X, y = two_clouds(N)
    return y[:, np.newaxis] * X


@functools.cache
def row_lists():
    """For both kinds of shards the rows, machine after machine."""
    z = turned()
    mixed = np.random.default_rng(0).permutation(N)
    return mixed, np.argsort(np.arctan2(z[:, 1], z[:, 0]))


@functools.cache
def minimum(lam):
    """The certified optimum of all points."""
    return optimum(*two_clouds(N), lam)


def run_rounds(m, rounds, lam, shards, seed):
    """Where all machines are after some steps, before they are averaged.

    Returns
    -------
    dict
        From each of `STEPS` to an ndarray of shape (m, 2).

    Examples
    --------
    >>> kept = run_rounds(m=4, rounds=10, lam=0.1, shards=0, seed=0)
    >>> kept[1000].shape
    (4, 2)
    """
    size = N // m
    held = turned()[row_lists()[shards]].reshape(m, size, 2)
    order = [live_order(size, T, seed * N + j) for j in range(m)]
    drawn = np.array([z[rows] for z, rows in zip(held, order)])
    stops = set(ends_of_rounds(T, rounds))
    W, kept = np.zeros((m, 2)), {}
    for t in range(1, T + 1):
        z = drawn[:, t - 1]
        margin = z[:, 0] * W[:, 0] + z[:, 1] * W[:, 1]
        step = np.where(margin < 1, 1 / (lam * t), 0.0)
        W = (1 - 1 / t) * W + step[:, np.newaxis] * z
        if t in STEPS:
            kept[t] = W
        if t in stops:
            W = np.tile(W.mean(axis=0), (m, 1))
    return kept


def plane_chart():
    """The machines, their average and the optimum in the plane of w."""
    across = alt.X(
        "x:Q",
        title="w₁",
        axis=alt.Axis(tickCount=5),
        scale=alt.Scale(domain=[LEFT, RIGHT], nice=False, clamp=True),
    )
    up = alt.Y(
        "y:Q",
        title="w₂",
        axis=alt.Axis(tickCount=5, minExtent=30, maxExtent=30),
        scale=alt.Scale(domain=[BOTTOM, TOP], nice=False, clamp=True),
    )
    looks = (
        ("places", "one machine", 40, "circle"),
        ("average", "average of machines", 130, "circle"),
        ("best", "optimum", 90, "diamond"),
    )
    named = (
        alt.Chart(data_set("best"))
        .mark_text(
            text="w*",
            align="left",
            dx=8,
            dy=11,
            fontSize=12,
            fontWeight=600,
            color=colour("text"),
        )
        .encode(x=across, y=up)
    )
    return alt.layer(
        *(
            alt.Chart(data_set(name))
            .mark_point(
                filled=True,
                size=size,
                shape=shape,
                opacity=1,
                color=colour(shade(idea)),
            )
            .encode(x=across, y=up)
            for name, idea, size, shape in looks
        ),
        named,
    )


def gap_chart():
    """The gap of one machine and of the average against the step."""
    x = alt.X(**marks.logarithmic("t", "step t of each machine", 0, 3))
    y = alt.Y(
        "gap:Q",
        title="gap f(w) − f*",
        scale=alt.Scale(type="log", domain=list(GAPS), nice=False),
        axis=alt.Axis(
            values=[10.0**k for k in range(-6, 2)],
            labelExpr=marks.power_labels(-6, 1),
            minExtent=34,
            maxExtent=34,
        ),
    )
    ideas = {ONE: "one machine", AVERAGE: "average of machines"}
    curves = (
        alt.Chart(data_set("curve"))
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(x=x, y=y, **marks.look(ideas))
    )
    return alt.layer(curves, ends(data_set("curve"), x, y, ideas))
