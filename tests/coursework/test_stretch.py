"""The stretch track: its tasks, and points that are counted apart."""

import csv

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.grading import tables
from pegasos_edu.grading.handed_back import feedback, gradebooks
from pegasos_edu.grading.handed_back.records import Graded
from pegasos_edu.problem.losses import LOSSES


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
