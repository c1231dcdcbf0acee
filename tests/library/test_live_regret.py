"""The numbers of the live game, against the theory's own functions."""

import math

import numpy as np
import pytest

from pegasos_edu.live.regret import OPPONENTS, STEPS, game, play_line
from pegasos_edu.theory import games, regret

OF_THEORY = {
    0: games.alternate,
    1: games.contrary,
    2: games.repeat,
    3: games.turncoat,
}


@pytest.mark.parametrize("opponent", OF_THEORY)
@pytest.mark.parametrize("ball", [0, 1])
@pytest.mark.parametrize("lam", [0.01, 0.1, 1.0])
def test_rounds_are_those_of_the_theory(lam, ball, opponent):
    T = 100
    rounds = play_line(lam, T, opponent, ball)
    at = np.array([r["t"] for r in rounds])
    assert at.tolist() == [t for t in STEPS if t <= T]
    W, X, y = games.play(
        OF_THEORY[opponent],
        lam,
        T,
        radius=1 / math.sqrt(lam) if ball else None,
    )
    expected = {
        "w": W[at - 1, 0],
        "regret": regret.regret_to_best(W, X, y, lam, np.arange(T), at),
        "bound": regret.pegasos_regret_bound(at, lam, 1.0, bool(ball)),
    }
    if not ball:
        expected["sharp"] = regret.sharp_regret_bound(at, lam, 1.0)
    for key, values in expected.items():
        found = [r[key] for r in rounds]
        np.testing.assert_allclose(found, values, rtol=1e-7, atol=1e-7)


def test_coin_has_both_sides():
    rounds = play_line(0.1, 1000, 4, 0)
    assert abs(rounds[-1]["u"]) < 1.0
    assert len({r["w"] for r in rounds}) > 10


def test_drawing_fits_its_charts():
    figure = game(opponent="tosses a coin", projection=True)
    drawing = figure.draw(**figure.start)
    assert {row["line"] for row in drawing.rows["curves"]} == {
        "regret",
        "bound",
    }
    assert drawing.readouts.keys() == {r.key for r in figure.readouts}
    assert OPPONENTS[4] in drawing.summary


def test_unknown_opponent_is_refused():
    with pytest.raises(ValueError, match="opponent is 'nice'; expected one"):
        game(opponent="nice")
