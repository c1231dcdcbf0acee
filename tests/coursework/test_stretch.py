"""The stretch track: its tasks, and points that are counted apart."""

import csv

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.tasks import TASKS, stretch
from pegasos_edu.grading import feedback, gradebooks, tables
from pegasos_edu.grading.records import Graded
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.theory import games, regret


def alternate(t, w):
    return [1.0 if t % 2 else -1.0, 0.0]


def away(t, w):
    length = np.linalg.norm(w)
    return -w / length if length else np.array([1.0, 0.0])


def repeat(t, w):
    return np.array([1.0, 0.0])


@pytest.mark.parametrize("opponent", [alternate, away, repeat])
def test_the_regret_of_the_game_is_that_of_the_ledger(opponent):
    def adversary(t, w):
        return np.array(opponent(t, w)), 1.0

    W, X, y = games.play(adversary, stretch.LAM, stretch.ROUNDS, d=2)
    order = np.arange(stretch.ROUNDS)
    wanted = regret.regret(W, np.zeros(2), X, y, stretch.LAM, order)[-1]
    found, problem = stretch.regret_against(opponent)
    assert problem == ""
    assert found == pytest.approx(wanted, rel=1e-12)


def test_the_false_bound_lies_below_the_true_one():
    false = regret.regret_bound(
        stretch.ROUNDS, stretch.LAM, np.sqrt(stretch.LAM) + 1
    )
    assert stretch.false_bound() == pytest.approx(false)
    true = regret.regret_bound(stretch.ROUNDS, stretch.LAM, 2.0)
    for opponent in (alternate, away):
        assert false < stretch.regret_against(opponent)[0] < true


@pytest.mark.parametrize(
    "opponent, says",
    [
        (repeat, "the regret is 718.4; expected more than the false bound"),
        (lambda t, w: [2.0, 0.0], "returned [2, 0], which is 2 long"),
        (lambda t, w: [1.0], "shape (1,); expected shape (2,)"),
        (lambda t, w: 1 / 0, "ZeroDivisionError"),
        (lambda t, w: [np.nan, 0.0], "is not finite"),
    ],
)
def test_what_is_no_refutation_is_told_why(opponent, says):
    report = coursework.check("A4.opponent", opponent)
    assert not report.passed
    assert says in str(report)


@pytest.mark.parametrize("opponent", [alternate, away])
def test_other_refutations_pass(opponent):
    assert coursework.check("A4.opponent", opponent).passed


def test_the_curvature_is_the_slope_of_the_slope():
    slope = LOSSES["log"].slope
    m, h = np.linspace(-6, 6, 25), 1e-5
    wanted = (slope(m + h) - slope(m - h)) / (2 * h)
    found = TASKS["A2.curvature"].reference(m)
    np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("task", ["A1.projected", "A3.projected"])
def test_a_run_without_the_projection_is_refused(task):
    plain = TASKS[task.replace("projected", "pegasos")].reference

    def unprojected(X, y, lam, order):
        return 1.0 * plain(X, y, lam, order)

    report = coursework.check(task, unprojected)
    assert not report.passed
    assert "a run of 1 step is the first to differ" in str(report)


@pytest.mark.parametrize("task", ["A1.projected", "A3.projected"])
def test_the_cases_reach_the_ball_and_stay_inside(task):
    reached = []
    for case in TASKS[task].cases(0):
        w = TASKS[task].reference(*case.values())
        reached.append(np.linalg.norm(w) * np.sqrt(case["lam"]) > 0.999)
    assert any(reached) and not all(reached)


# Points


def result(stretch_score):
    facts = [("bound", 3.0, 0.0, 3.0), ("question", 0.0, 4.0, 4.0)]
    facts += [("stretch-opponent-check", stretch_score, 0.0, 2.0)]
    facts += [("stretch-where", 0.0, 2.0, 2.0)]
    names = ("task", "score", "to_mark", "out_of")
    return Graded("ada", "a4", [dict(zip(names, fact)) for fact in facts])


def test_extra_points_are_not_among_the_others():
    found = result(2.0)
    assert [found.total(name) for name in tables.POINTS] == [3.0, 4.0, 7.0]
    assert [found.stretch(name) for name in tables.POINTS] == [2.0, 2.0, 4.0]


def test_they_have_columns_of_their_own(tmp_path):
    tables.write_tables([result(2.0)], tmp_path)
    with open(tmp_path / "scores.csv", encoding="utf-8-sig") as file:
        (line,) = csv.DictReader(file)
    assert (line["score"], line["out_of"]) == ("3", "7")
    assert (line["stretch_score"], line["stretch_out_of"]) == ("2", "4")
    assert gradebooks.points(result(0.0), "Sheet 4") == {
        "Sheet 4": "3",
        "Sheet 4 (stretch)": "0",
    }


def test_feedback_says_them_apart():
    assert feedback.total(result(2.0)) == (
        "3 of 3 points, 4 more not yet marked; stretch: 2 points"
    )
