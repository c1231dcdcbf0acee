"""A folder of submissions comes back as scores, whatever is in it."""

import csv
import os
import re
import signal
import subprocess
import sys
import uuid

import psutil
import pytest

import tasks
from pegasos_edu.grading.__main__ import main
from pegasos_edu.grading.tables import as_it_was
from tests.coursework import hostile, isolated
from tests.signals import hear_ctrl_c

# Set for the grading; a process keeps it whatever it becomes.
MARK = "PEGASOS_GRADING_TEST"
# After so many results; what was known without a run counts, too. (Windows
# sends no Ctrl+C to a process.)
EARLY_ENDS = (
    [(10, signal.SIGINT), (3, signal.SIGKILL)] if os.name == "posix" else []
)
SECRETS = ("NEVER-SHOWN", "HIDDEN TESTS")


def start(folder, own):
    """The command, begun; what it prints can be read."""
    return subprocess.Popen(
        [
            *(sys.executable, "-m", "pegasos_edu.grading"),
            folder / "submitted",
            *("--solutions", folder / "solutions"),
            *("--out", folder / "grades"),
            *("--cell-seconds", "4"),
            *("--memory", "3000"),
            *isolated.OPTIONS,
        ],
        cwd=tasks.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, MARK: own},
        preexec_fn=hear_ctrl_c if EARLY_ENDS else None,
    )


def stopped_after(process, results, number):
    """Send a signal after some results; the status, and all it printed."""
    printed = ""
    while f"\n{results}/" not in "\n" + printed:
        line = process.stdout.readline()
        assert line, (process.wait(), process.stderr.read())
        printed += line
    process.send_signal(number)
    rest, _ = process.communicate()
    return process.returncode, printed + rest


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """A course graded in three runs, two of which were ended early."""
    folder = tmp_path_factory.mktemp("course")
    hostile.write_course(folder)
    own = uuid.uuid4().hex
    ends = [
        stopped_after(start(folder, own), after, number)
        for after, number in EARLY_ENDS
    ]
    last = start(folder, own)
    printed, errors = last.communicate()
    assert last.returncode == 0, errors
    return folder, [*ends, (0, printed)], own


@pytest.fixture(scope="module")
def scores(graded):
    with open(graded[0] / "grades" / "scores.csv", encoding="utf-8") as file:
        return {
            as_it_was(line["student"]): line for line in csv.DictReader(file)
        }


def page(graded, student):
    return (graded[0] / "grades" / student / "tiny.html").read_text("utf-8")


def test_there_are_enough_hostile_submissions():
    honest = {"good-first", "good-last", "wrong"}
    assert len({**hostile.SUBMISSIONS, **hostile.FILES}) - len(honest) >= 12


@pytest.mark.parametrize("student", hostile.SUBMISSIONS)
def test_every_submission_gets_its_score(scores, student):
    _, points, stated = hostile.SUBMISSIONS[student]
    if isolated.OBSTACLE:
        points, stated = hostile.UNISOLATED.get(student, (points, stated))
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
    "is-a-pipe": "tiny.ipynb is no file",
    "links-to-itself": "the folder cannot be read",
}


def test_every_file_that_is_no_notebook_is_refused():
    others = {"nothing-there", "is-a-pipe", "links-to-itself"}
    assert set(REFUSED) == {*hostile.FILES, *others}


@pytest.mark.parametrize("student", REFUSED)
def test_what_is_no_notebook_gets_a_reason(graded, scores, student):
    line = scores[student]
    assert (line["score"], line["out_of"]) == ("0", "6")
    assert line["reason"].startswith(REFUSED[student])
    assert line["reason"] in page(graded, student)


def test_of_a_question_that_is_not_in_the_file_nothing_is_marked(
    graded, scores
):
    for student in ("no-cell-at-all", "deleted-answer"):
        assert scores[student]["to_mark"] == "0"
        assert "Not answered." in page(graded, student)
    for student in ("wrong", "answers-above"):
        assert scores[student]["to_mark"] == "3"
        assert "Not answered." not in page(graded, student)


def test_no_submission_is_left_out(graded, scores):
    handed_in = {path.name for path in (graded[0] / "submitted").iterdir()}
    assert set(scores) == handed_in


@pytest.mark.skipif(not EARLY_ENDS, reason="signals differ")
def test_what_was_graded_before_an_early_end_is_kept(graded, scores):
    (ctrl_c, _), (killed, second), (_, third) = graded[1]
    assert (ctrl_c, killed) == (130, -signal.SIGKILL)
    kept = [int(re.match(r"\d+", text).group()) for text in (second, third)]
    assert kept[0] >= EARLY_ENDS[0][0]
    assert kept[1] >= kept[0] + EARLY_ENDS[1][0]
    assert f"/{len(scores) - kept[1]} " in third


def test_what_others_made_of_a_file_costs_nothing(scores):
    student, name = hostile.FORGIVEN
    line = scores[student]
    assert (line["score"], line["reason"]) == ("3", "")
    assert name in line["note"] and "known by their text" in line["note"]


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
    text = page(graded, "fails-a-hidden-test")
    assert "Not yet: it is right on the data that you can see, " in text
    assert "the numbers of these data?</pre>" in text
    # Its own checks pass whatever it answers.
    assert "own run of the test" in page(graded, "fools-the-checks")


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
