"""The record of gap against seconds is what the benchmarks would make.

Its seconds belong to one machine. What does not is made again here, for the
smallest sets: the optimum, how far each contender gets, and who there is.
"""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from pegasos_edu import objective, optimum
from pegasos_edu.experiments import versions
from pegasos_edu.recorded import recorded
from pegasos_edu.solvers.ascent import ascend
from tests.benchmarks import contenders, curves, sets, table

RECORD = recorded("curves")
SMALL = {
    "digits": sets.digits(),
    "breast cancer": sets.breast_cancer(),
}
PAIRS = [(name, lam) for name in SMALL for lam in curves.LAMS]


def test_every_set_has_every_lambda_and_contender():
    assert set(RECORD["sets"]) <= set(curves.SETS)
    assert set(SMALL) <= set(RECORD["sets"])
    labels = {f"{s}, {lam:g}" for s in RECORD["sets"] for lam in curves.LAMS}
    assert set(RECORD["races"]) == labels
    for race in RECORD["races"].values():
        assert list(race["curves"]) == list(curves.CURVES)
        assert list(race["alone"]) == list(curves.ALONE)
        for each in race["curves"].values():
            assert len(each["seconds"]) == len(each["excess"]) > 0
            assert min(each["excess"]) > -1e-3
            assert set(each["reached"]) == {f"{t:g}" for t in curves.TARGETS}
    assert RECORD["setting"]["command"] == curves.COMMAND
    for name, (real, _) in curves.SETS.items():
        facts = RECORD["sets"].get(name, {"real": real})
        assert facts["real"] == real


@pytest.mark.parametrize("name", SMALL)
def test_the_small_sets_are_those_of_the_record(name):
    X, y = SMALL[name]
    facts = curves.facts(True, X, y)
    for key, value in RECORD["sets"][name].items():
        assert facts[key] == pytest.approx(value, rel=1e-3)


@pytest.mark.parametrize("name, lam", PAIRS)
def test_the_record_is_not_stale(name, lam):
    """The same seeds end as far from the same optimum."""
    X, y = SMALL[name]
    race = RECORD["races"][f"{name}, {lam:g}"]
    best = optimum(X, y, lam, tol=1e-6).primal
    assert race["minimum"] == pytest.approx(best, rel=1e-3)
    seeds = range(curves.SEEDS)
    first = [next(ascend(X, y, lam, seed=1_000 * s)).primal for s in seeds]
    found = np.median(first) / best - 1.0
    assert race["curves"]["dual ascent"]["excess"][0] == pytest.approx(
        found, rel=0.01, abs=1e-3
    )
    now = {**versions(), "python": RECORD["setting"]["versions"]["python"]}
    if now != RECORD["setting"]["versions"]:
        return  # other versions of the rivals draw other orders
    for who, solver in (
        ("Pegasos, recipe", contenders.recipe),
        ("SGD", contenders.sgd),
        ("SVC", contenders.linear_svc),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            ends = [solver(X, y, lam, 1, seed=s) for s in seeds]
        values = [objective(w, X, y, lam) / best - 1.0 for w in ends]
        assert race["curves"][who]["excess"][0] == pytest.approx(
            np.median(values), rel=0.01, abs=1e-3
        )


def test_a_summary_by_hand():
    """Three seeds: medians point by point, and times to the targets."""
    runs = [
        [(1.0, 0.5), (2.0, 0.05), (4.0, 0.0005)],
        [(1.2, 0.6), (2.2, 0.07), (4.4, 0.005)],
        [(1.1, 0.7), (2.1, 0.2), (4.2, 0.02)],
    ]
    found = curves.summary(runs)
    assert found["seconds"] == [1.1, 2.1, 4.2]
    assert found["excess"] == [0.6, 0.07, 0.005]
    assert found["reached"] == {"0.1": 2.2, "0.01": 4.4, "0.001": None}
    assert found["tried"] == 4.2


def test_a_run_is_followed_to_the_last_target_or_the_last_second():
    points = [(1.0, 3.0), (2.0, 2.2), (3.0, 2.0), (4.0, 2.0)]
    near = [(1.0, 0.5), (2.0, pytest.approx(0.1)), (3.0, 0.0)]
    assert curves.followed(points, 2.0, most=9.0) == near
    assert curves.followed(points, 2.0, most=1.5) == near[:2]
    assert curves.followed(iter(points), 1.0, most=9.0)[-1] == (4.0, 1.0)


def test_ratios_say_what_is_a_bound():
    def curve(reached, tried):
        return {"reached": {"0.01": reached}, "tried": tried}

    each = {"a": curve(1.0, 1.0), "b": curve(None, 8.0), "c": curve(3.0, 3.0)}
    races = {"one": {"curves": each}}
    assert curves.ratios(races, ["a"], ["b"], 0.01) == {"one": (8.0, ">")}
    assert curves.ratios(races, ["b"], ["a"], 0.01) == {"one": (0.125, "<")}
    assert curves.ratios(races, ["a"], ["b", "c"], 0.01) == {"one": (3, "")}
    assert curves.ratios(races, ["b"], ["b"], 0.01) == {"one": None}
    assert curves.shown(None) == "-" and curves.shown((8.0, ">")) == "> 8.00"


# What the printed tables say of goals


def test_a_goal_is_reached_or_not_by_what_was_measured():
    """The record with its numbers replaced: at the goal, and beyond it."""
    for factor, answer in ((1.0, "yes"), (1.01, "no")):
        ratios = {
            what: {"median": goal * factor ** (1 if "most" in side else -1)}
            for what, side, goal in table.RATIO_GOALS
        }
        result = {
            "pass": {"one": {"ratios": ratios}},
            "start": {"first call": {"median": table.FIRST_CALL * factor}},
            "memory": {
                "recipe": {"peak": table.MORE_MEMORY * factor, "data": 1.0},
                "linear_svc": {"peak": 9.0, "data": 1.0},
            },
        }
        _, header, _, *rows = table.goals(result).splitlines()
        assert header.split() == ["set", "what", "goal", "measured", "reached"]
        assert [row.split()[-1] for row in rows] == [answer] * 5


def test_every_set_of_the_record_has_its_goals():
    record = recorded("benchmarks")
    rows = table.goals(record).splitlines()[3:]
    for name, each in record["pass"].items():
        own = [row for row in rows if row.startswith(name)]
        assert len(own) == len(table.RATIO_GOALS)
        for (what, side, goal), row in zip(table.RATIO_GOALS, own):
            value = each["ratios"][what]["median"]
            reached = value <= goal if side == "at most" else value >= goal
            assert what in row and f"{side} {goal:g}" in row
            assert row.endswith("yes" if reached else "no")
    assert len(rows) == 3 * len(record["pass"]) + 4
