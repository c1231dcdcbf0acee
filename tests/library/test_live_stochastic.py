"""What the two lines leave out cannot be seen."""

import numpy as np
import pytest

from pegasos_edu.live import stochastic
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.dense import pegasos

# The plane is drawn about 300 pixels wide, its weights from -0.3 to 2.7.
PIXEL = (stochastic.W1_RANGE[1] - stochastic.W1_RANGE[0]) / 300


def drawn(name, method, x, **state):
    """What a line joins: by x its y."""
    rows = stochastic.stochastic_figure().draw(**state).rows[name]
    fields = {"path": ("x", "y"), "gap": ("gap",)}[name]
    return {
        row[x]: [row[field] for field in fields]
        for row in rows
        if row["method"] == method
    }


@pytest.mark.parametrize("eta", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("rule", [0, 1])
def test_left_out_steps_are_on_the_line(eta, rule):
    X, y = two_clouds()
    T, n = 2000, len(y)
    run = pegasos(
        X,
        y,
        stochastic.LAM,
        order=np.tile(np.arange(n), (T, 1)),
        step=stochastic.step_rule(rule, eta),
        snapshots=range(1, T + 1),
        average_from=None,
    )
    state = {"eta": eta, "T": T, "rule": rule, "seed": 0}
    path = drawn("path", stochastic.FULL, "t", **state)
    gap = drawn("gap", stochastic.FULL, "looks", **state)
    f = objective(run.iterates, X, y, stochastic.LAM)
    f = np.maximum(f - stochastic.minimum().primal, stochastic.GAP_RANGE[0])
    assert max(path) == T and max(gap) == n * T
    last = 0
    for t in range(1, T + 1):
        last = t if t in path else last
        w = run.iterates[t - 1]
        # Less than half a pixel from a point that is joined.
        assert np.abs(w - path[last]).max() < PIXEL / 2
        if n * t in gap:
            assert gap[n * t] == pytest.approx([f[t - 1]], rel=1e-9)
    times = np.array(sorted(gap)) // n
    for t in range(1, T + 1):
        # Steps that are two hundredths away share their place.
        near = times[(times >= t / 1.03) & (times <= t * 1.03)]
        low, high = f[near - 1].min(), f[near - 1].max()
        assert low <= f[t - 1] <= high


def test_few_points_are_joined():
    state = {"eta": 0.1, "T": 2000, "rule": 0, "seed": 0}
    rows = stochastic.stochastic_figure().draw(**state).rows
    assert len(rows["path"]) + len(rows["gap"]) < 3000
