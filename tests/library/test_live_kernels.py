"""The figure of kernel Pegasos on the Python side."""

import numpy as np
import pytest

from pegasos_edu.live import kernels
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.problem.data import ring
from pegasos_edu.solvers import kernel

STATES = [
    {"width": 0.1, "T": 200, "lam": 0.01},
    {"width": 0.5, "T": 3000, "lam": 0.003},
    {"width": 1.0, "T": 1, "lam": 1.0},
    {"width": 10.0, "T": 1000, "lam": 0.001},
]


def solved(width, T, lam):
    """The same run by the solver, which asks the kernel at each step."""
    X, y = ring()
    order = live_order(len(y), T, kernels.SEED)
    return kernel.pegasos(X, y, lam, kernel=kernel.Rbf(width), order=order)


@pytest.mark.parametrize("state", STATES)
def test_numbers_are_those_of_the_solver(state):
    X, y = ring()
    run = solved(**state)
    drawing = kernels.kernels_figure().draw(**state)
    shown = drawing.readouts
    assert shown["kept"] == (run.counts > 0).sum()
    assert shown["mistakes"] == (y * run.scores(X) <= 0).sum()
    assert shown["calls"] == run.evaluations.sum()
    assert shown["objective"] == pytest.approx(run.objective(), rel=1e-9)
    for row in drawing.rows["cost"]:
        assert row["calls"] == run.evaluations[row["t"] - 1]
    kept = [row["kept"] for row in drawing.rows["points"]]
    assert kept == (run.counts > 0).tolist()


@pytest.mark.parametrize("state", STATES)
def test_lines_lie_where_the_score_is_their_level(state):
    run = solved(**state)
    rows = kernels.kernels_figure().draw(**state).rows["lines"]
    far = kernels.ACROSS[1] - kernels.ACROSS[0]
    for row in rows:
        here = np.array([row["x"], row["y"]])
        around = here + far * np.array(
            [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]]
        )
        score, *near = run.scores(around)
        # No further off than the score changes from a grid point to the next.
        steep = max(abs(score - other) for other in near)
        assert abs(score - row["side"]) <= steep + 1e-12
        length = np.hypot(row["x2"] - row["x"], row["y2"] - row["y"])
        assert length <= np.sqrt(2) * far + 1e-12


def test_the_shaded_region_is_that_of_plus_one():
    state = {"width": 0.5, "T": 3000, "lam": 0.003}
    run = solved(**state)
    strips = kernels.kernels_figure().draw(**state).rows["inside"]
    rng = np.random.default_rng(0)
    places = rng.uniform(-2.4, 2.4, (2000, 2))
    shaded = np.array(
        [
            any(
                s["x"] <= a <= s["x2"] and s["y"] <= b <= s["y2"]
                for s in strips
            )
            for a, b in places
        ]
    )
    wrong = shaded != (run.scores(places) >= 0)
    assert 0.1 < shaded.mean() < 0.5 and wrong.mean() < 0.01


def test_stretches_begin_and_end_where_the_score_is_zero():
    scores = np.cos(kernels.ACROSS)
    [(low, high)] = kernels.stretches(scores)
    assert (low, high) == pytest.approx((-np.pi / 2, np.pi / 2), abs=1e-3)
    outside = kernels.stretches(-scores)
    assert outside == [
        (-3.0, pytest.approx(low)),
        (pytest.approx(high), 3.0),
    ]
    assert kernels.stretches(np.ones_like(scores)) == [(-3.0, 3.0)]
    assert kernels.stretches(-np.ones_like(scores)) == []


def test_bad_arguments_are_named():
    with pytest.raises(ValueError, match="width is 0; expected"):
        kernels.kernels_figure(width=0)
    with pytest.raises(ValueError, match="T is 0; expected"):
        kernels.kernels_figure(T=0)
    with pytest.raises(ValueError, match="lam is -1; expected"):
        kernels.kernels_figure(lam=-1)
