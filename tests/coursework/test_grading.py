"""A folder of submissions comes back as scores, whatever is in it."""

import csv
import os
import subprocess
import sys
import uuid

import psutil
import pytest

import tasks
from pegasos_edu.grading.__main__ import main
from tests.coursework import hostile

# Set for the grading; a process keeps it whatever it becomes.
MARK = "PEGASOS_GRADING_TEST"
SECRETS = ("NEVER-SHOWN", "HIDDEN TESTS")


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """The folder of a course whose submissions have been graded."""
    folder = tmp_path_factory.mktemp("course")
    hostile.write_course(folder)
    own = uuid.uuid4().hex
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pegasos_edu.grading",
            folder / "submitted",
            "--solutions",
            folder / "solutions",
            "--out",
            folder / "grades",
            "--cell-seconds",
            "4",
            "--memory",
            "3000",
        ],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, MARK: own},
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout, own


@pytest.fixture(scope="module")
def scores(graded):
    with open(graded[0] / "grades" / "scores.csv", encoding="utf-8") as file:
        return {line["student"]: line for line in csv.DictReader(file)}


def page(graded, student):
    return (graded[0] / "grades" / student / "tiny.html").read_text("utf-8")


def test_there_are_enough_hostile_submissions():
    honest = {"good-first", "good-last", "wrong"}
    assert len({**hostile.SUBMISSIONS, **hostile.FILES}) - len(honest) >= 12


@pytest.mark.parametrize("student", hostile.SUBMISSIONS)
def test_every_submission_gets_its_score(scores, student):
    _, points, stated = hostile.SUBMISSIONS[student]
    line = scores[student]
    assert (float(line["score"]), line["out_of"]) == (points, "6")
    assert bool(line["reason"]) == stated, line["reason"]


REFUSED = {
    "empty-file": "tiny.ipynb is no notebook: no JSON",
    "no-json": "tiny.ipynb is no notebook: no JSON",
    "binary": "tiny.ipynb is no text file",
    "json-list": "tiny.ipynb is no notebook: it names no format",
    "future-format": "tiny.ipynb is no notebook that nbformat",
    "no-cells": "tiny.ipynb is no notebook that nbformat",
    "nothing-there": "tiny.ipynb was not handed in",
}


def test_every_file_that_is_no_notebook_is_refused():
    assert set(REFUSED) == {*hostile.FILES, "nothing-there"}


@pytest.mark.parametrize("student", REFUSED)
def test_what_is_no_notebook_gets_a_reason(graded, scores, student):
    line = scores[student]
    assert (line["score"], line["out_of"]) == ("0", "6")
    assert line["reason"].startswith(REFUSED[student])
    assert line["reason"] in page(graded, student)


def test_no_submission_is_left_out(graded, scores):
    handed_in = {path.name for path in (graded[0] / "submitted").iterdir()}
    assert set(scores) == handed_in
    assert f"{len(scores)}/{len(scores)} " in graded[1]


def test_every_task_has_a_line(graded):
    with open(graded[0] / "grades" / "tasks.csv", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    good = {
        line["task"]: line for line in lines if line["student"] == "good-first"
    }
    assert [
        good[task]["score"] for task in ("step-check", "solver-check")
    ] == ["1.0", "2.0"]
    assert good["question"]["to_mark"] == "3.0"
    assert len(lines) == 3 * len(list((graded[0] / "submitted").iterdir()))


def test_hidden_tests_are_not_in_the_feedback(graded):
    for student in hostile.SUBMISSIONS:
        text = page(graded, student)
        assert not any(secret in text for secret in SECRETS), student
    assert "own run of the test" in page(graded, "fails-a-hidden-test")


def test_feedback_names_the_mistake(graded):
    assert "step-without-lambda" in page(graded, "wrong")


def test_nothing_is_left_running(graded):
    """No process that carries the mark of this run, whatever its parent."""
    assert [p for p in psutil.process_iter() if mark(p) == graded[2]] == []


def mark(process):
    """The mark of the run that a process descends from, if any."""
    try:
        return process.environ().get(MARK)
    except (psutil.Error, OSError):  # ended, or another user's
        return None


def test_the_mark_is_seen_whatever_a_process_forgets():
    code = f"import os; os.environ.pop({MARK!r}); print('up'); input()"
    with subprocess.Popen(
        [sys.executable, "-u", "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, MARK: "this one"},
    ) as process:
        assert process.stdout.readline().strip() == b"up"
        assert mark(psutil.Process(process.pid)) == "this one"
        process.communicate(b"\n")
    assert mark(psutil.Process()) is None


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(SystemExit, match="holds no submission"):
        main(
            [
                str(tmp_path),
                "--solutions",
                str(tasks.ASSIGNMENTS / "solutions"),
            ]
        )
