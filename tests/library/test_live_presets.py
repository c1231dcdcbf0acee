"""The states to try: positions of the controls, and true to their labels."""

from pathlib import Path

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pegasos_edu import live
from pegasos_edu.live import choosing
from pegasos_edu.live.kernels import kernels_figure
from pegasos_edu.live.one_step import one_step
from pegasos_edu.live.pegasos import explore
from pegasos_edu.live.scale import ScaleTrick
from pegasos_edu.live.subgradients import POINTS, value
from tests.live_figures import FIGURES


def tried(name):
    """What each preset of a figure shows, in their order."""
    figure = FIGURES[name]()
    return [
        figure.draw(**{**figure.start, **preset.state}).readouts
        for preset in figure.presets
    ]


@pytest.mark.parametrize("name", FIGURES)
def test_presets_are_positions_of_the_controls(name):
    figure = FIGURES[name]()
    controls = {control.key: control for control in figure.controls}
    assert 2 <= len(figure.presets) <= 4
    for label, state in ((p.label, p.state) for p in figure.presets):
        assert 10 < len(label) <= 64
        assert all(state[key] in controls[key].values for key in state)
    labels = {preset.label for preset in figure.presets}
    assert len(labels) == len(figure.presets)


def test_all_figures_are_listed():
    folder = Path(live.__file__).parent
    scripts = {path.stem for path in folder.glob("*.js")}
    assert set(FIGURES) == scripts


def test_choosing():
    right, small, large, few = tried("choosing")
    figure = choosing.Choosing()
    held_out = [
        figure.draw(lam=lam, T=100_000, seed=0).readouts["held_out"]
        for lam in choosing.LAMBDAS
    ]
    assert right["held_out"] < 1.01 * min(held_out)
    assert small["training"] < right["training"]
    assert small["held_out"] > right["held_out"]
    assert 0.95 < large["held_out"] < 1 and 0.95 < large["training"] < 1
    assert min(few["training"], few["held_out"]) > 30


def test_kernels():
    narrow, fits, wide, again = tried("kernels")
    assert narrow["kept"] == 80 and narrow["mistakes"] == 1
    assert fits["kept"] < 60 and fits["mistakes"] < 5
    figure = kernels_figure()
    lines = figure.draw(**figure.presets[1].state).rows["lines"]
    ends = np.array(
        [
            [row["x"], row["y"], row["x2"], row["y2"]]
            for row in lines
            if row["side"] == 0
        ]
    ).reshape(-1, 2)
    places, piece, times = np.unique(
        ends.round(9), axis=0, return_inverse=True, return_counts=True
    )
    # Each end of a piece is the end of one other, and all hang together.
    assert set(times) == {2}
    start, stop = piece.reshape(-1, 2).T
    joined = coo_array((np.ones(len(start)), (start, stop)), [len(places)] * 2)
    assert connected_components(joined, directed=False)[0] == 1
    assert wide["mistakes"] == 40 == wide["kept"] / 2
    assert again["mistakes"] == 12


def test_margins():
    two, narrow, wide, every = tried("margins")
    assert two["pulling"] == 2 and two["loss"] < 1e-9
    assert narrow["width"] < two["width"] / 3
    assert wide["width"] > 3 * narrow["width"] and wide["mistakes"] == 1
    assert every["pulling"] == 14


def test_paths():
    full, single, lazy = tried("paths")
    assert full["gap"] < 1e-6 and full["edge"] == 1
    assert abs(single["edge"] - 0.5) < 0.05
    assert lazy["edge"] == 1


def test_pegasos():
    one, many, large = tried("pegasos")
    assert one["error"] < 0.1 and one["objective"] > 100
    assert many["gap"] < 1e-4
    assert large["norm"] < 0.2


def test_regret():
    contradicted, one_label, turns, projected = tried("regret")
    assert 0 < contradicted["regret"] < contradicted["bound"]
    assert round(100 * one_label["share"]) == 6
    assert turns["regret"] < 0
    assert projected["bound"] < contradicted["bound"] / 2


def test_scale():
    folded, lost, kept = tried("scale")
    a = [
        ScaleTrick().draw(T=t, lam=0.01, rule=0).readouts["a"]
        for t in range(1, 41)
    ]
    rises = [t for t in range(2, 41) if a[t - 1] > a[t - 2]]
    assert rises == [11] and a[10] == 1 and folded["a"] == a[-1]
    assert lost["average"] > 0.99
    assert kept["average"] < 1e-12


def test_schedules():
    right, tenth, constant = tried("schedules")
    assert abs(right["slope"] + 1) < 0.2
    assert 8 < tenth["last"] / right["last"] < 9
    assert abs(constant["slope"]) < 0.05 < 100 * constant["last"]


def test_stochastic():
    large, small, falling = tried("stochastic")
    assert large["radius"] > 8 * small["radius"]
    assert falling["radius"] < large["radius"] / 7


def test_subgradients():
    least, single, falls, rises = tried("subgradients")
    assert least["low"] <= 0 <= least["high"]
    assert least["f"] == min(map(value, POINTS))
    assert single["low"] == single["high"]
    assert falls["low"] < falls["high"] < 0
    assert 0 < rises["low"] < rises["high"]


def test_slackness():
    beyond, on, short = tried("slackness")
    assert beyond["margin"] > 1 and beyond["slack"] == beyond["paid"] == 0
    assert on["margin"] == pytest.approx(1) and on["slack"] == 0
    assert 0 < on["paid"] < 1
    assert short["slack"] > 0 and short["paid"] == 1


def test_machines():
    missed, there, large = tried("machines")
    assert missed["distance"] > 0.5 > 20 * there["distance"]
    assert there["gap"] < missed["gap"] / 300
    assert there["sent"] == 100 * missed["sent"] == 100 * 16 * 2
    small = FIGURES["machines"]()
    nearer = large["spread"] / small.draw(**small.start).readouts["spread"]
    assert nearer < 1 / 3


def test_uphill():
    one, short, sixty, long = tried("uphill")
    assert one["rise"] > 0 > one["nearer"] and one["uphill"] == 1
    assert 0 < short["rise"] < one["rise"] and short["nearer"] < 0
    assert sixty["uphill"] > 0 == sixty["away"]
    assert long["uphill"] > 0 and long["away"] > 0


def test_threshold():
    at_zero, moved, centred, small = tried("threshold")
    assert at_zero["true_positive"] == at_zero["false_positive"] == 1
    assert at_zero["balanced"] == 0.5 and round(at_zero["auc"], 2) == 0.94
    assert moved["auc"] == at_zero["auc"]
    assert round(moved["balanced"], 2) == 0.86
    assert round(centred["balanced"], 2) == 0.99
    assert small["balanced"] > 0.98


def test_two_losses():
    far, wrong, between = tried("two_losses")
    assert far["hinge_slope"] == 0 > far["log_slope"]
    assert wrong["hinge_slope"] == -1 and wrong["log_slope"] < -0.9
    assert between["hinge_slope"] == -1
    assert between["log_slope"] == pytest.approx(-0.5, abs=0.06)


def test_one_step():
    first, added, left, log = tried("one_step")
    assert first["shrink"] == 0
    assert added["pull"] == 1 and added["margin"] < 1
    assert np.hypot(added["push1"], added["push2"]) > 0
    assert left["pull"] == 0 and left["margin"] >= 1
    assert 0 < log["pull"] < 1


def test_the_slope_of_the_minimum_is_zero():
    """Exactly: between −0.375 and 0.125 it is three quarters of the way."""
    at_minimum, *_ = tried("subgradients")
    assert at_minimum["slope"] == 0.0
    assert at_minimum["low"] == -0.375 and at_minimum["high"] == 0.125


def test_no_presets_where_they_would_not_fit():
    assert one_step(compact=True).presets == ()
    assert explore(lambda X, y, lam, order: X[0]).presets == ()


def test_presets_are_buttons_in_jupyter():
    widget = explore().widget()
    label, state = (
        explore().presets[1].label,
        explore().presets[1].state,
    )
    button = widget.tries[1]
    assert button.description == label
    button.click()
    assert {key: s.value for key, s in widget.sliders.items()} == state
    assert widget.drawing == explore().draw(**state)
