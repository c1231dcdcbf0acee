"""The online game: regret of Pegasos against an opponent you choose.

One dimension and x = 1, so an opponent only chooses the label. `game` draws
it; `regret.js` is its twin in the reader's browser.
"""

import math

import altair as alt

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
from pegasos_edu.problem import checks

STEPS = whole(0, 4)
LAMBDAS = positions(-3, 0)
OPPONENTS = (
    "alternates",
    "contradicts you",
    "repeats itself",
    "turns at 2, 4, 8, …",
    "tosses a coin",
)
BALLS = ("none", "radius 1/√λ")
REGRET, BOUND, SHARP = "regret", "bound", "sharper bound"
PLAYED, BEST = "played wₜ", "best fixed u so far"


class RegretGame(LiveFigure):
    """Regret against rounds, and what is played; see `game`."""

    name = "regret"
    title = "Regret of Pegasos in the online game"
    readouts = (
        Readout("regret", "regret"),
        Readout("bound", "its bound"),
        Readout("share", "regret / bound", "percent"),
        Readout("average", "regret per round"),
    )
    presets = (
        Preset(
            "Always contradicted: still below the bound",
            {"lam": 0.1, "T": 10_000, "opponent": 1, "ball": 0},
        ),
        Preset(
            "One label only: 6 % of the bound",
            {"lam": 0.1, "T": 10_000, "opponent": 2, "ball": 0},
        ),
        Preset(
            "It turns: less loss than any fixed u",
            {"lam": 0.1, "T": 10_000, "opponent": 3, "ball": 0},
        ),
        Preset(
            "With projection: a bound less than half as high",
            {"lam": 0.1, "T": 10_000, "opponent": 0, "ball": 1},
        ),
    )

    def __init__(self, lam=0.1, T=1000, opponent=0, ball=0):
        self.controls = (
            regularisation(LAMBDAS, lam),
            Control("T", "Rounds T", STEPS, T),
            Control(
                "opponent",
                "The opponent",
                tuple(range(5)),
                opponent,
                OPPONENTS,
            ),
            Control("ball", "Projection", (0, 1), ball, BALLS),
        )

    def data(self):
        return {"steps": STEPS, "opponents": OPPONENTS}

    def panels(self):
        return [
            Panel(
                "λ times the regret, and its bounds",
                "λ times the regret against the rounds on a logarithmic "
                "axis: the regret and its sharper bound rise almost on each "
                "other; the bound, long-dashed, rises more than three times "
                "as high.",
                regret_chart(),
                reading=Reading("curves", "t", "value", "line", "t", "λ · "),
            ),
            Panel(
                "What is played, and the best fixed u so far",
                "λ times the played w against the rounds: it jumps up to 1 "
                "at first and settles near 0; a dashed curve near 0 is the "
                "best fixed u of the rounds so far.",
                iterate_chart(),
                reading=Reading("iterates", "t", "value", "line", "t", "λ · "),
            ),
        ]

    def draw(self, lam, T, opponent, ball):
        rounds = play_line(lam, T, opponent, ball)
        final = rounds[-1]
        readouts = {
            "regret": final["regret"],
            "bound": final["bound"],
            "share": final["regret"] / final["bound"],
            "average": final["regret"] / T,
        }
        rows = {
            "curves": [
                {"t": r["t"], "value": lam * r[key], "line": name}
                for key, name in (
                    ("regret", REGRET),
                    ("bound", BOUND),
                    ("sharp", SHARP),
                )
                for r in rounds
                if r[key] is not None
            ],
            "iterates": [
                {"t": r["t"], "value": lam * r[key], "line": name}
                for key, name in (("w", PLAYED), ("u", BEST))
                for r in rounds
            ],
        }
        summary = (
            f"λ = {plain(lam)}, T = {T:,}, the opponent "
            f"{OPPONENTS[opponent]}: the regret is "
            f"{text(readouts['regret'])}, its bound "
            f"{text(readouts['bound'])}."
        )
        return Drawing(rows, readouts, summary)


def play_line(lam, T, opponent, ball):
    """Play T rounds with x = 1 and keep those of the grid STEPS.

    Parameters
    ----------
    lam : float
    T : int
    opponent : int
        A place in OPPONENTS.
    ball : int
        1 to project on the ball of radius 1/√λ, else 0.

    Returns
    -------
    list of dict
        t, the played w, the best fixed u, regret, bound and sharp, which
        is None with projection.

    Notes
    -----
    Σ f_s(u) over t rounds with p labels +1 and q labels −1 is least at
    u = (p − q)/(λt), cut off at −1 and 1.

    Examples
    --------
    >>> rounds = play_line(lam=0.5, T=2, opponent=0, ball=0)
    >>> rounds[-1]["regret"], rounds[-1]["sharp"]
    (3.0, 3.0)
    """
    radius = 1.0 / math.sqrt(lam) if ball else math.inf
    c = (math.sqrt(lam) + 1.0) ** 2 if ball else 4.0
    coin = live_order(2, T, seed=0).tolist()
    grid, kept = set(STEPS), []
    w, paid, plus, harmonic = 0.0, 0.0, 0, 0.0
    for t in range(1, T + 1):
        y = _label(opponent, t, w, coin)
        played, margin = w, y * w
        paid += 0.5 * lam * w * w + max(0.0, 1.0 - margin)
        plus += y > 0.0
        w = (1.0 - 1.0 / t) * w + (y if margin < 1.0 else 0.0) / (lam * t)
        w = min(max(w, -radius), radius)
        if t in grid:
            minus = t - plus
            u = min(max((plus - minus) / (lam * t), -1.0), 1.0)
            best = 0.5 * lam * t * u * u
            best += plus * (1.0 - u) + minus * (1.0 + u)
            kept.append(
                {
                    "t": t,
                    "w": played,
                    "u": u,
                    "regret": paid - best,
                    "bound": c * (1.0 + math.log(t)) / (2.0 * lam),
                    "sharp": None if ball else (2.0 + harmonic) / (2.0 * lam),
                }
            )
        harmonic += 1.0 / t
    return kept


def _label(opponent, t, w, coin):
    """The label of round t; the opponent has seen w."""
    if opponent == 0:
        return 1.0 if t % 2 == 1 else -1.0
    if opponent == 1:
        return -1.0 if w > 0.0 else 1.0
    if opponent == 2:
        return 1.0
    if opponent == 3:
        return 1.0 if t.bit_length() % 2 == 1 else -1.0
    return 1.0 if coin[t - 1] == 0 else -1.0


def regret_chart():
    """λ times regret and bounds, on a logarithmic axis of rounds."""
    return _lines(
        "curves",
        {REGRET: "regret", BOUND: "bound", SHARP: "sharper bound"},
        "λ · regret",
        [-5, 22],
    )


def iterate_chart():
    """λ times the played w and the best fixed u."""
    return _lines(
        "iterates",
        {PLAYED: "last iterate", BEST: "optimum"},
        "λ · weight",
        [-1.1, 1.1],
    )


def _lines(rows, ideas, title, domain):
    x = alt.X(**marks.logarithmic("t", "round t", 0, 4))
    y = alt.Y(
        "value:Q",
        title=title,
        scale=alt.Scale(domain=domain, nice=False),
        axis=alt.Axis(tickCount=6, minExtent=30, maxExtent=30),
    )
    curves = (
        alt.Chart(data_set(rows))
        .mark_line(strokeWidth=1.8, clip=True)
        .encode(x=x, y=y, **marks.look(ideas, "line"))
    )
    return alt.layer(curves, ends(data_set(rows), x, y, ideas, "line"))


def game(*, lam=0.1, T=1000, opponent="alternates", projection=False):
    """Draw the online game in one dimension, with its opponents to choose.

    Parameters
    ----------
    lam : float
        Where the λ slider starts, above 0.
    T : int
        Where the slider of the rounds starts, at least 1.
    opponent : str
        One of OPPONENTS.
    projection : bool
        Whether it starts with the ball of radius 1/√λ.

    Returns
    -------
    RegretGame
        It shows itself as the last value of a cell.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    The bounds are those of `pegasos_edu.theory.regret`.

    Examples
    --------
    >>> game(lam=0.1, T=100).start
    {'lam': 0.1, 'T': 100, 'opponent': 0, 'ball': 0}
    """
    lam = checks.check_positive("lam", lam)
    T = checks.check_integer("T", T, 1)
    places = {name: place for place, name in enumerate(OPPONENTS)}
    place = checks.check_choice("opponent", opponent, places)
    return RegretGame(lam, T, place, int(bool(projection)))
