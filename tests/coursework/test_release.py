"""The students' notebooks are made from the solutions, and hold none."""

import csv
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

import tasks
from pegasos_edu import coursework
from pegasos_edu.grading import release, tables
from pegasos_edu.grading.handed_back.records import is_stretch
from pegasos_edu.grading.judging.cells import ShowGiven
from tests.coursework import isolated

ASSIGNMENTS = ["a1", "a2", "a3", "a4"]
SOLUTIONS = tasks.ASSIGNMENTS / "solutions"
REGION = re.compile(
    r"### BEGIN (?:SOLUTION|HIDDEN TESTS)\n(.*?)### END ", flags=re.DOTALL
)


def read(path):
    return nbformat.read(path, as_version=4)


def solution(name):
    return read(SOLUTIONS / name / f"{name}.ipynb")


def facts(notebook):
    """nbgrader's facts about each cell, and the cell."""
    return [
        (cell.metadata["nbgrader"], cell)
        for cell in notebook.cells
        if "nbgrader" in cell.metadata
    ]


@pytest.fixture(scope="module")
def made():
    """What nbgrader makes of the solutions."""
    return dict(zip(ASSIGNMENTS, release.release(SOLUTIONS, ASSIGNMENTS)))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_students_version_is_what_nbgrader_makes(made, name):
    released = (tasks.ASSIGNMENTS / f"{name}.ipynb").read_text("utf-8")
    assert released == made[name]


def test_the_command_writes_beside_the_solutions(tmp_path, capsys):
    shutil.copytree(SOLUTIONS / "a2", tmp_path / "solutions" / "a2")
    assert release.main(["--folder", str(tmp_path)]) == 0
    assert capsys.readouterr().out == f"wrote {tmp_path / 'a2.ipynb'}\n"
    written = (tmp_path / "a2.ipynb").read_text("utf-8")
    assert written == (tasks.ASSIGNMENTS / "a2.ipynb").read_text("utf-8")


def test_a_folder_without_solutions_is_named(tmp_path):
    with pytest.raises(SystemExit) as caught:
        release.main(["--folder", str(tmp_path)])
    assert str(caught.value) == (
        f"{tmp_path / 'solutions'} holds no solution; "
        f"expected aN/aN.ipynb there."
    )


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_line_of_a_solution_is_released(name):
    released = read(tasks.ASSIGNMENTS / f"{name}.ipynb")
    text = "\n".join(cell.source for cell in released.cells)
    outside = "\n".join(
        REGION.sub("", cell.source) for cell in solution(name).cells
    )
    secret = {
        line.strip()
        for cell in solution(name).cells
        for region in REGION.findall(cell.source)
        for line in region.splitlines()
        # A line that stands elsewhere too gives nothing away.
        if line.strip() and line.strip() not in outside
    }
    assert len(secret) > 10
    assert [line for line in secret if line in text] == []
    for word in ("SOLUTION", "HIDDEN", "Model answer", "Marking"):
        assert word not in text


def shown(notebook):
    """The cells of a notebook that show something, by their names."""
    return {
        fact["grade_id"]: cell
        for fact, cell in facts(notebook)
        if cell.get("outputs")
    }


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_what_is_shown_is_given_and_no_answer(name):
    """Pictures and tables of locked cells without points; nothing printed."""
    notebook = read(tasks.ASSIGNMENTS / f"{name}.ipynb")
    released, ours = shown(notebook), shown(solution(name))
    with_output = [cell for cell in notebook.cells if cell.get("outputs")]
    assert len(released) == len(with_output) > 0
    for key, cell in released.items():
        fact = cell.metadata["nbgrader"]
        assert fact["locked"] and not (fact["grade"] or fact["solution"])
        assert set(cell.metadata["tags"]) == {"not-graded", "shown"}
        assert not REGION.search(ours[key].source)
        assert cell.execution_count is None
        for output, original in zip(cell.outputs, ours[key].outputs):
            assert output.output_type in ("display_data", "execute_result")
            assert output.data == original.data
            assert output.get("execution_count") is None


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_each_given_picture_is_shown_but_those_that_answer(name):
    """The crossings and the tournament are for the reader to find."""
    pictures = {
        key
        for key, cell in shown(solution(name)).items()
        if any("data" in output for output in cell.outputs)
    }
    released = set(shown(read(tasks.ASSIGNMENTS / f"{name}.ipynb")))
    answers = {"code-crossing", "code-games"} if name == "a4" else set()
    assert pictures - released == answers


@pytest.mark.parametrize(
    "changes",
    [{"grade": True}, {"locked": False}, {"solution": True, "locked": False}],
    ids=str,
)
def test_the_tag_shows_no_answer(changes):
    """On an answer or a test it counts for nothing."""
    notebook = solution("a1")
    cell = shown(notebook)["digits-seen"]
    cell.metadata["nbgrader"].update(changes)
    made, _ = ShowGiven().preprocess(notebook, {})
    assert "digits-seen" not in shown(made)
    assert "words-seen" in shown(made)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_points_add_up_to_what_the_page_promises(name):
    points = {False: 0, True: 0}
    for fact, _ in facts(solution(name)):
        points[is_stretch(fact["grade_id"])] += fact.get("points", 0)
    promised = re.search(
        r"\| Points \| (\d+), and (\d+) extra points \|",
        solution(name).cells[0].source,
    )
    assert [points[False], points[True]] == list(map(int, promised.groups()))


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_every_question_has_a_model_answer_and_marks(name):
    questions = [
        cell.source
        for fact, cell in facts(solution(name))
        if cell.cell_type == "markdown" and fact["grade"]
    ]
    assert questions
    assert all(
        "*Model answer.*" in text and "*Marking.*" in text
        for text in questions
    )


def test_every_task_of_the_checks_is_asked_for():
    asked = {
        task
        for name in ASSIGNMENTS
        for cell in solution(name).cells
        for task in re.findall(r'check\("(A\d\.\w+)"', cell.source)
    }
    assert asked == set(coursework.tasks())


@pytest.fixture(scope="module")
def scores(tmp_path_factory):
    """Every assignment graded: as the solution, and as it is handed out."""
    folder = tmp_path_factory.mktemp("class")
    for student in ("solution", "untouched"):
        (folder / "in" / student).mkdir(parents=True)
    for name in ASSIGNMENTS:
        shutil.copy(
            SOLUTIONS / name / f"{name}.ipynb", folder / "in" / "solution"
        )
        shutil.copy(
            tasks.ASSIGNMENTS / f"{name}.ipynb", folder / "in" / "untouched"
        )
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pegasos_edu.grading",
            folder / "in",
            "--out",
            folder / "out",
            "--cell-seconds",
            "60",
            *isolated.OPTIONS,
        ],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    with open(folder / "out" / "scores.csv", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    return folder, {
        (line["student"], line["assignment"]): line for line in lines
    }


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_solution_earns_full_marks(scores, name):
    line = scores[1]["solution", name]
    assert line["reason"] == ""
    for track, begins in ((False, ""), (True, "stretch_")):
        score, to_mark, out_of = (
            float(line[begins + column]) for column in tables.POINTS
        )
        assert score + to_mark == out_of > 0
        written = sum(
            fact["points"]
            for fact, cell in facts(solution(name))
            if fact["grade"] and cell.cell_type == "markdown"
            if is_stretch(fact["grade_id"]) == track
        )
        assert to_mark == written


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_the_students_version_earns_nothing_and_says_why(scores, name):
    line = scores[1]["untouched", name]
    assert (line["score"], line["to_mark"]) == ("0", "0")
    page = scores[0] / "out" / "untouched" / f"{name}.html"
    assert "not yet" in page.read_text("utf-8")


def test_nbgraders_own_commands_work_with_the_configuration(tmp_path):
    """As a lecturer would: a copy of the folder, and nbgrader."""
    course = tmp_path / "course"
    shutil.copytree(SOLUTIONS, course / "solutions")
    shutil.copy(tasks.ASSIGNMENTS / "nbgrader_config.py", course)
    programs = str(Path(sys.executable).parent)
    subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", "a2"],
        cwd=course,
        check=True,
        capture_output=True,
        env={
            **os.environ,
            "PYTHONPATH": str(tasks.ROOT),
            "PATH": programs + os.pathsep + os.environ["PATH"],
        },
    )
    made = (course / "release" / "a2" / "a2.ipynb").read_text("utf-8")
    released = (tasks.ASSIGNMENTS / "a2.ipynb").read_text("utf-8")
    assert made.rstrip() == released.rstrip()
