"""The live figures of steps, losses, λ and thresholds, on the Python side."""

import itertools

import numpy as np
import pytest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score, roc_curve

from pegasos_edu import objective, optimum
from pegasos_edu.live import (
    choosing,
    machines,
    schedules,
    slackness,
    threshold,
    two_losses,
    uphill,
)
from pegasos_edu.live.toolkit import marks
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.problem.losses import hinge, log_slope
from pegasos_edu.problem.objective import subgradient
from pegasos_edu.solvers import averaging, dense
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep

FIGURES = [
    schedules.Schedules,
    two_losses.TwoLosses,
    choosing.Choosing,
    threshold.Threshold,
    slackness.Slackness,
    uphill.Uphill,
    machines.ManyMachines,
]


@pytest.mark.parametrize("make", FIGURES)
def test_page_has_a_picture_with_a_text_for_each_panel(make):
    page = make().page()
    assert page.count("<img alt=") == len(make().panels()) == 2
    assert "NaN" not in page and "Infinity" not in page


@pytest.mark.parametrize("make", FIGURES)
def test_controls_move_the_picture(make):
    widget = make().widget()
    for slider in widget.sliders.values():
        before = widget.picture.value, widget.numbers.value
        value = slider.options[0][1]
        slider.value = (
            value if value != slider.value else (slider.options[1][1])
        )
        assert (widget.picture.value, widget.numbers.value) != before


# Schedules


@pytest.mark.parametrize(
    "rule, step",
    [
        (0, lambda c, lam: PegasosStep(lam / c)),
        (1, lambda c, lam: InverseSqrt(c)),
        (2, lambda c, lam: Constant(c)),
    ],
)
def test_schedules_agree_with_the_dense_solver(rule, step, monkeypatch):
    monkeypatch.setattr(schedules, "SEEDS", range(5))  # the dense one is slow
    c, lam = schedules.SCALES[14], schedules.LAMBDAS[6]
    X, y = two_clouds()
    best = optimum(X, y, lam).primal
    gaps = []
    for seed in schedules.SEEDS:
        order = live_order(len(y), schedules.T, seed)
        run = dense.pegasos(
            X,
            y,
            lam,
            order=order,
            step=step(c, lam),
            snapshots=np.arange(1, schedules.T + 1),
        )
        # Averages are of w_1, …, w_T, and of the later half of these.
        before = np.vstack([np.zeros(2), run.iterates[:-1]])
        half = before[schedules.T // 2 :].mean(axis=0)
        W = np.array([run.last, before.mean(axis=0), half])
        gaps.append(objective(W, X, y, lam) - best)
    found = schedules.Schedules().draw(rule=rule, scale=c, lam=lam).readouts
    names = "last", "average", "half"
    assert [found[name] for name in names] == pytest.approx(
        np.median(gaps, axis=0), rel=1e-6, abs=1e-10
    )


@pytest.mark.parametrize("rule", [0, 1, 2])
def test_names_are_those_of_what_is_drawn(rule):
    figure = schedules.Schedules()
    gaps, steps = figure.pictures(figure.draw(rule=rule, scale=1.0, lam=0.1))
    for picture, names, others in (
        (gaps, schedules.CHOSEN, ["average", "last half"]),
        (steps, schedules.SHORT, ["1/(λt)"]),
    ):
        for name in names:
            assert (f">{name}</text>" in picture) == (name == names[rule])
        for name in others:
            assert f">{name}</text>" in picture


@pytest.mark.parametrize("place", [-2.9, 0.0, 2.9])
def test_each_loss_has_its_name_at_its_curve_and_at_its_line(place):
    figure = two_losses.TwoLosses()
    for picture in figure.pictures(figure.draw(place=place, lam=0.05)):
        for name in two_losses.NAMES:
            # The first time as its halo.
            assert picture.count(f">{name}</text>") == 2


def test_scale_one_is_the_rule_it_is_compared_with():
    rows = schedules.Schedules().draw(rule=0, scale=1.0, lam=0.1).rows
    curves = {
        name: [row["gap"] for row in rows["gaps"] if row["name"] == name]
        for name in (schedules.CHOSEN[0], schedules.RIGHT)
    }
    assert curves[schedules.CHOSEN[0]] == curves[schedules.RIGHT]


@pytest.mark.parametrize("power", [-2.0, -1.0, -0.5, 0.0])
def test_slope_finds_the_power(power):
    times = np.array(schedules.TIMES)
    found = schedules.slope(times, 7.0 * times**power)
    assert found == pytest.approx(power, abs=1e-12)


def test_every_half_is_a_snapshot():
    assert all(t // 2 in schedules.TIMES for t in schedules.EVEN)
    assert schedules.TIMES[-1] == schedules.T


# Two losses


@pytest.mark.parametrize("place", [-2.9, 0.0, 2.0])
@pytest.mark.parametrize("lam", [0.1, 1.0])
def test_two_losses_are_near_the_optimum(place, lam):
    X, y = two_clouds(two_losses.N)
    X, y = np.vstack([X, [place, two_losses.HEIGHT]]), np.append(y, 1.0)
    found = two_losses.TwoLosses().draw(place=place, lam=lam).readouts
    for loss in ("hinge", "log"):
        margin = X[-1] @ optimum(X, y, lam, loss).w
        assert found[f"{loss}_margin"] == pytest.approx(margin, abs=0.02)


def test_probability_is_the_sigmoid_of_the_margin():
    found = two_losses.TwoLosses().draw(place=1.0, lam=0.1).readouts
    margin = found["log_margin"]
    assert found["probability"] == pytest.approx(1 / (1 + np.exp(-margin)))
    assert found["log_slope"] == pytest.approx(log_slope(margin))


# Choosing λ


@pytest.mark.parametrize("lam, T, seed", [(1e-4, 1, 3), (0.1, 1000, 0)])
def test_choosing_agrees_with_the_dense_solver(lam, T, seed):
    X, y, X_out, y_out = choosing.examples()
    order = live_order(len(y), T, seed)
    w = dense.pegasos(X, y, lam, order=order).last
    found = choosing.Choosing().draw(lam=lam, T=T, seed=seed).readouts
    assert found == pytest.approx(
        {
            "norm": np.linalg.norm(w),
            "violators": np.mean(y * (X @ w) < 1),
            "gap": objective(w, X, y, lam) - choosing.best(lam)[0],
            "training": hinge(y * (X @ w)).mean(),
            "held_out": hinge(y_out * (X_out @ w)).mean(),
            "errors": np.mean(y_out * (X_out @ w) <= 0),
        },
        rel=1e-9,
    )


@pytest.mark.parametrize("lam", [choosing.LAMBDAS[0], 0.1, 10.0])
def test_best_is_certified_to_ten_digits(lam):
    X, y, _, _ = choosing.examples()
    certified = optimum(X, y, lam)
    f_best, w1, w2 = choosing.best(lam)
    assert f_best == pytest.approx(certified.primal, rel=1e-9)
    assert [w1, w2] == pytest.approx(certified.w, rel=1e-9)


def test_held_out_loss_has_its_dip_inside():
    _, _, X_out, y_out = choosing.examples()
    W = np.array([choosing.best(lam)[1:] for lam in choosing.LAMBDAS])
    losses = hinge(y_out * (W @ X_out.T)).mean(axis=1)
    lowest = choosing.LAMBDAS[losses.argmin()]
    assert 0.03 < lowest < 0.3
    assert losses[0] > 1.1 * losses.min()


# Axes


def test_powers_are_named():
    names = [marks.power_name(k) for k in (-6, -2, 0, 2, 4)]
    assert names == ["10⁻⁶", "0.01", "1", "100", "10⁴"]


# The threshold


@pytest.mark.parametrize("lam", threshold.LAMBDAS)
@pytest.mark.parametrize("pixels", [0, 1])
def test_threshold_agrees_with_scikit_learn(lam, pixels):
    X, y = digits_zero()
    mixed = np.random.default_rng(0).permutation(len(y))
    train, test = mixed[:1200], mixed[1200:]
    X = X - pixels * X[train].mean(axis=0)
    w = optimum(X[train], y[train], lam).w
    scores = X[test] @ w / np.linalg.norm(w)
    assert scores.min() > threshold.LOW and scores.max() < threshold.HIGH
    for cut in (-0.777, 0.0, 2.6123):
        found = threshold.Threshold().draw(lam, pixels, cut)
        called = np.where(scores > cut, 1, -1)
        assert found.readouts["balanced"] == pytest.approx(
            balanced_accuracy_score(y[test], called), abs=0.002
        )
        assert found.readouts["accuracy"] == pytest.approx(
            np.mean(called == y[test]), abs=0.002
        )
    # Four digits of the scores are enough for four of the area.
    area = roc_auc_score(y[test], scores)
    assert found.readouts["auc"] == pytest.approx(area, abs=5e-5)
    rates = found.rows["roc"]
    known = threshold.scores(lam, pixels)
    false, true, _ = roc_curve(y[test], known, drop_intermediate=False)
    assert [row["wrongly"] for row in rates] == pytest.approx(false)
    assert [row["rightly"] for row in rates] == pytest.approx(true)


@pytest.mark.parametrize("lam", threshold.LAMBDAS)
@pytest.mark.parametrize("pixels", [0, 1])
def test_bars_of_the_scores_add_up(lam, pixels):
    rows = threshold.Threshold().draw(lam, pixels, 0.0).rows
    for name, sign in (("+1", 1), ("−1", -1)):
        shares = [
            sign * r["share"] for r in rows["bars"] if r["class"] == name
        ]
        assert sum(shares) == pytest.approx(1.0)
        assert min(shares) > 0 and max(shares) < threshold.LONGEST
    corners = {(row["wrongly"], row["rightly"]) for row in rows["roc"]}
    (point,) = rows["point"]
    assert (point["wrongly"], point["rightly"]) in corners


# Slack


@pytest.mark.parametrize("lam", slackness.LAMBDAS[::3])
def test_slackness_is_complementary(lam):
    """Of a price and the slack of its constraint one is zero."""
    seen = set()
    for across in slackness.ACROSS[::7]:
        for up in slackness.UP[::12]:
            found = slackness.Slackness().draw(across, up, lam)
            m, paid = found.readouts["margin"], found.readouts["paid"]
            slack = found.readouts["slack"]
            assert found.readouts["gap"] <= 1e-8
            assert slack * (1 - paid) == pytest.approx(0, abs=1e-6)
            assert paid * (m - 1 + slack) == pytest.approx(0, abs=1e-6)
            seen.add(found.rows["moved"][0]["case"])
    assert seen == set(slackness.CASES)


def test_the_way_to_the_margin_ends_on_its_line():
    found = slackness.Slackness().draw(-1.0, -1.0, 0.05)
    (way,) = found.rows["slack"]
    line = next(row for row in found.rows["lines"] if row["side"] == 1)
    end = np.array([way["x2"] - line["x"], way["y2"] - line["y"]])
    along = np.array([line["x2"] - line["x"], line["y2"] - line["y"]])
    assert end[0] * along[1] == pytest.approx(end[1] * along[0])


def test_no_three_points_share_a_margin_by_chance():
    places = np.array([[a, b] for a in slackness.ACROSS for b in slackness.UP])
    Z = np.array(slackness.POINTS) * np.array(slackness.LABELS)[:, np.newaxis]
    for one, other in itertools.combinations(Z, 2):
        along, away = other - one, places - one
        area = along[0] * away[:, 1] - along[1] * away[:, 0]
        assert np.abs(area).min() > 5e-5


# Uphill

TWO = np.array([uphill.Z, [-z for z in uphill.Z]]), np.array([1.0, -1.0])


@pytest.mark.parametrize("eta", uphill.ETAS)
def test_uphill_takes_the_steps_of_the_package(eta):
    path = np.array(uphill.steps(eta, 60))
    # A margin that is 1 but for rounding has another subgradient.
    lack = np.abs(path[1:] @ uphill.Z - 1)
    assert (path[0] == uphill.START).all() and lack.min() > 1e-9
    for w, after in itertools.pairwise(path):
        g = subgradient(w, *TWO, uphill.LAM)
        assert after == pytest.approx(w - eta * g, rel=1e-12, abs=1e-15)
    f = [uphill.value(w) for w in path]
    assert f == pytest.approx(objective(path, *TWO, uphill.LAM), rel=1e-12)
    assert np.allclose(optimum(*TWO, uphill.LAM).w, uphill.BEST)


@pytest.mark.parametrize("eta", uphill.ETAS)
def test_steps_below_the_limit_of_the_lemma_come_nearer(eta):
    path = uphill.steps(eta, 60)
    short = [eta < uphill.limit_of(w) for w in path[:-1]]
    nearer = np.diff([uphill.distance(w) for w in path]) < 0
    assert any(short) and nearer[short].all()


def test_the_shaded_part_is_where_f_is_lower():
    for T in (1, 20):
        found = uphill.Uphill().draw(0.5, T)
        last = uphill.steps(0.5, T)[-2]
        edge = [(row["x"], row["y"]) for row in found.rows["lower"]]
        f = [uphill.value(w) for w in edge]
        assert np.allclose(f, uphill.value(last), rtol=1e-9)
        reach = [(row["x"], row["y"]) for row in found.rows["reach"]]
        assert np.allclose(
            [uphill.distance(w) for w in reach], uphill.distance(last)
        )


# Many machines


@pytest.mark.parametrize(
    "m, rounds, shards", [(1, 1, 0), (4, 1, 1), (8, 20, 0), (32, 1000, 1)]
)
def test_machines_take_the_local_steps_of_the_package(m, rounds, shards):
    lam, seed, size = 0.05, machines.SEED, machines.N // m
    X, y = two_clouds(machines.N)
    held = np.reshape(machines.row_lists()[shards], (m, size))
    assert sorted(held.ravel()) == list(range(machines.N))
    orders = [
        live_order(size, machines.T, seed * machines.N + j) for j in range(m)
    ]
    w = np.zeros(2)
    stops = averaging.ends_of_rounds(machines.T, rounds)
    for before, last in itertools.pairwise(stops):
        places = [
            averaging.local_steps(
                X[rows],
                y[rows],
                lam,
                order[before:last],
                start=w,
                before=before,
                average_from=None,
            ).last
            for rows, order in zip(held, orders)
        ]
        w = averaging.average(places, [size] * m)
    kept = machines.run_rounds(m, rounds, lam, shards, seed)
    np.testing.assert_allclose(kept[machines.T], places, atol=1e-9)
    readouts = (
        machines.ManyMachines()
        .draw(m=m, rounds=rounds, lam=lam, shards=shards)
        .readouts
    )
    best = optimum(X, y, lam)
    assert readouts["gap"] == pytest.approx(
        objective(w, X, y, lam) - best.primal, abs=1e-9
    )
    assert readouts["distance"] == pytest.approx(
        np.linalg.norm(w - best.w), abs=1e-6
    )
    assert readouts["single"] >= readouts["gap"]  # f is convex


def test_neighbours_share_a_machine_where_shards_are_sorted():
    _, by_direction = machines.row_lists()
    z = machines.turned()[by_direction]
    assert (np.diff(np.arctan2(z[:, 1], z[:, 0])) >= 0).all()
