"""The figure of paths on the Python side."""

import numpy as np
import pytest

from pegasos_edu import objective
from pegasos_edu.live import paths
from pegasos_edu.problem.data import two_clouds

EVERY_SET = pytest.mark.parametrize("ball", range(len(paths.SETS)))


@EVERY_SET
@pytest.mark.parametrize("method", range(len(paths.METHODS)))
def test_every_state_stays_in_the_set_above_its_optimum(method, ball):
    figure = paths.explore_paths()
    state = {"method": method, "set": ball, "T": 200, "seed": 3}
    for scale in paths.SCALES[0], 1.0, paths.SCALES[-1]:
        drawing = figure.draw(scale=scale, **state)
        w = np.array([[row["x"], row["y"]] for row in drawing.rows["path"]])
        norm = 2 if paths.SETS[ball] == "l2" and method != paths.EG else 1
        norms = np.linalg.norm(w, ord=norm, axis=1)
        assert (norms <= 1 + 1e-9).all()
        assert drawing.readouts["gap"] >= -1e-9
        assert drawing.readouts["average_gap"] >= -1e-9
        assert 0 <= drawing.readouts["edge"] <= 1


def test_gradient_descent_ends_at_the_cross():
    """What the chapter says of the figure: GD gets there."""
    figure = paths.explore_paths()
    state = {**figure.start, "method": paths.GD, "T": 1000}
    drawing = figure.draw(**state)
    assert drawing.readouts["gap"] <= 1e-5
    [now], [target] = drawing.rows["now"], drawing.rows["target"]
    assert np.hypot(now["x"] - target["x"], now["y"] - target["y"]) < 1e-2


def test_level_lines_lie_on_their_level():
    rows = paths.level_lines()
    w = np.array([[row["x"], row["y"]] for row in rows])
    f = objective(w, *two_clouds(), paths.LAM)
    # Points are rounded to two decimals, and f rises by less than 1.6.
    np.testing.assert_allclose(f, [row["level"] for row in rows], atol=8e-3)


@EVERY_SET
def test_outlines_are_edges(ball):
    name = paths.SETS[ball]
    w = np.array([[r["x"], r["y"]] for r in paths.outline(name)])
    norms = np.linalg.norm(w, ord=2 if name == "l2" else 1, axis=1)
    np.testing.assert_allclose(norms, 1.0, atol=1e-4)


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="ball is 'l3'; expected one of"):
        paths.explore_paths(ball="l3")
    with pytest.raises(ValueError, match="T is 0; expected"):
        paths.explore_paths(T=0)
