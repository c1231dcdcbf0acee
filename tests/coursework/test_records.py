"""What was handed in is found, what was graded is kept."""

import base64
import copy
import csv
import json
import math
import os
import signal
import subprocess
import sys
import warnings
from types import SimpleNamespace

import nbformat
import pytest
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    new_output,
    writes,
)
from nbgrader.utils import determine_grade

import tasks
from pegasos_edu.grading import __main__ as command
from pegasos_edu.grading import tables
from pegasos_edu.grading.handed_back import feedback, records
from pegasos_edu.grading.handed_back.records import Graded, Records, in_bounds
from pegasos_edu.grading.judging import restore
from pegasos_edu.grading.judging.cells import without_hidden_tests
from pegasos_edu.grading.judging.judge import UNSEEN
from pegasos_edu.grading.judging.outputs import failure, leave_it_to_the_judge
from pegasos_edu.grading.judging.reading import (
    MOST_CELLS,
    Refused,
    parse_notebook,
    read_notebook,
    what_was_found,
)
from pegasos_edu.grading.judging.sources import possible_tasks
from pegasos_edu.grading.running import pool, results, submission
from pegasos_edu.grading.running.submission import cut_short, was_seen
from pegasos_edu.grading.taken_in import collect
from tests.coursework import hostile, isolated

posix = pytest.mark.skipif(os.name == "nt", reason="links need rights there")


def put(folder, *names):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}", "utf-8")
    return folder


# Files


@pytest.mark.parametrize(
    "name",
    [
        "a1.ipynb",
        "A1.ipynb",
        "a1 (1).ipynb",
        "a1-Copy1.ipynb",
        "ada_a1.ipynb",
        "a1.ipynb.json",
        "a1/a1.ipynb",
        "A1/A1 final.ipynb",
        "Assignment 1 - final (2).ipynb",
    ],
)
def test_a_notebook_is_found_whatever_its_name(tmp_path, name):
    found = collect.find_submission(put(tmp_path, name), "a1")
    assert found.path == tmp_path / name and not found.problem
    plain_name = name.split("/")[-1] == "a1.ipynb"
    assert (found.note == "") == plain_name


@pytest.mark.parametrize(
    "name, said",
    [
        ("a10.ipynb", ""),
        ("a2.ipynb", ""),
        (".a1", ""),
        ("a1.txt", "; there is a1.txt"),
    ],
)
def test_no_other_file_is_taken_for_it(tmp_path, name, said):
    found = collect.find_submission(put(tmp_path, name), "a1")
    assert found.path is None
    assert found.problem == "a1.ipynb was not handed in" + said


def test_of_several_files_the_right_name_counts_then_the_newest(tmp_path):
    put(tmp_path, "a1 (1).ipynb", "a1 (2).ipynb")
    os.utime(tmp_path / "a1 (2).ipynb", (1, 1))
    found = collect.find_submission(tmp_path, "a1")
    assert found.path.name == "a1 (1).ipynb"
    assert found.note == "a1 (1).ipynb was graded, not a1 (2).ipynb"
    put(tmp_path, "a1.ipynb")
    os.utime(tmp_path / "a1.ipynb", (1, 1))
    assert collect.find_submission(tmp_path, "a1").path.name == "a1.ipynb"


def test_a_notebook_of_an_unclear_name_is_named(tmp_path):
    put(tmp_path, "ada/homework.ipynb", "ada/a2.ipynb", "__MACOSX/a1.ipynb")
    (student,) = collect.find_students(tmp_path)
    problem = collect.find_submission(student, "a1").problem
    assert problem == "a1.ipynb was not handed in; there is homework.ipynb"
    assert collect.find_submission(student, "a2").path


def test_files_beside_the_folders_are_named(tmp_path, capsys):
    put(tmp_path, "flat_a1.ipynb")
    with pytest.raises(SystemExit, match="holds no submission"):
        command.main([str(tmp_path), *isolated.OPTIONS])
    assert "says whose they are: flat_a1.ipynb; expected" in (
        capsys.readouterr().out
    )


@posix
def test_links_are_named_and_not_followed(tmp_path):
    put(tmp_path, "bob/a1.ipynb")
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "a1.ipynb").symlink_to("../bob/a1.ipynb")
    (tmp_path / "itself").symlink_to("itself")
    students = collect.find_students(tmp_path)
    assert [path.name for path in students] == ["ada", "bob", "itself"]
    ada, _, itself = [collect.find_submission(s, "a1") for s in students]
    assert ada.problem == "a1.ipynb is a link; expected the file itself"
    assert itself.path is None
    assert itself.problem.startswith("the folder cannot be read")
    with pytest.raises(Refused, match="is a link"):
        read_notebook(tmp_path / "ada" / "a1.ipynb")
    (tmp_path / "eve").symlink_to("bob")  # else Bob's work is Eve's as well
    eve = collect.find_submission(tmp_path / "eve", "a1")
    assert eve.problem == "the folder is a link; expected the folder itself"


def test_a_folder_is_no_notebook(tmp_path):
    with pytest.raises(Refused, match=f"{tmp_path.name} is no file"):
        read_notebook(tmp_path)


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"]
)
def test_how_a_notebook_is_encoded_is_no_part_of_it(encoding):
    """PowerShell, for one, writes UTF-16."""
    made = hostile.notebook()
    made.cells[6].source = "Because λ is small."
    text = writes(made)
    found = parse_notebook(text.encode(encoding), "a1.ipynb")
    assert found == parse_notebook(text.encode(), "a1.ipynb")


def test_another_encoding_is_named():
    raw = b'{"nbformat": 4, "cells": "\xe4"}'
    with pytest.raises(Refused, match="no text file in UTF-8, nor in UTF-16"):
        parse_notebook(raw, "a1.ipynb")


# Marks of cells


def stripped(**bodies):
    """A submission as an editor that drops the marks saves it."""
    made = hostile.notebook(**bodies)
    for cell in made.cells:
        cell.metadata = {"id": "colab"}
        cell.source = without_hidden_tests(cell.source)
    return made


def test_cells_that_lost_their_marks_are_known_by_their_text():
    made, solution = stripped(), hostile.notebook().cells
    answer = made.cells[1]
    answer.source = "# mine\ndef step_size(lam, t): return 1"
    question = made.cells[6]
    question.source = "**Question.** As w shrinks."
    note, reason = what_was_found(made, solution)
    assert (note, reason) == (
        "6 cells without a mark were known by their text",
        "",
    )
    assert [restore.id_of(cell) for cell in made.cells] == [
        restore.id_of(cell) for cell in solution
    ]


def test_an_answer_below_its_question_is_the_answer():
    made, solution = hostile.notebook(), hostile.notebook().cells
    question = made.cells[6]
    question.source = "**Question.** Why?\n\nYour answer:"
    own = [new_markdown_cell("As w"), new_markdown_cell("shrinks.")]
    made.cells[7:7] = [own[0], new_markdown_cell(" "), own[1]]
    note, reason = what_was_found(made, solution)
    name = restore.id_of(question)
    assert (note, reason) == (f"{name}: answered in a cell below", "")
    assert question.source == "As w\n\nshrinks."


def test_a_text_of_the_assignment_is_no_answer_to_the_question_above():
    made, solution = hostile.notebook(), hostile.notebook().cells
    given = new_markdown_cell("## The next part")
    for cells in (made.cells, solution):
        cells.insert(7, given)
    question = made.cells[6]
    question.source = "**Question.** Why?\n\nYour answer:"
    assert what_was_found(made, solution) == ("", "")
    assert question.source.endswith("Your answer:")


def test_of_what_nbformat_mends_nobody_hears(tmp_path, recwarn):
    """Colab leaves the ids of cells out, with a format that wants them."""
    made = json.loads(writes(hostile.notebook()))
    for cell in made["cells"]:
        cell.pop("id", None)
    made["nbformat"], made["nbformat_minor"] = 4, 5
    (tmp_path / "a1.ipynb").write_text(json.dumps(made), "utf-8")
    warnings.simplefilter("always")
    assert len(read_notebook(tmp_path / "a1.ipynb").cells) == 7
    assert not recwarn.list


def test_half_a_sign_costs_one_sign():
    made = hostile.notebook()
    made.cells[6].source = "Because \ud800 of t."
    raw = json.dumps(made).encode()
    assert b"ud800" in raw
    found = parse_notebook(raw, "a1.ipynb")
    assert found.cells[6].source == "Because ? of t."


@pytest.mark.parametrize("name", ["a1", "a2", "a3", "a4"])
def test_every_cell_of_an_assignment_is_known_without_its_mark(name):
    """Also where a locked cell binds the name of an answer anew."""
    folder = tasks.ROOT / "book" / "assignments" / "solutions" / name
    solution = nbformat.read(folder / f"{name}.ipynb", as_version=4).cells
    cells = copy.deepcopy(solution)
    for cell in cells:
        cell.metadata = {}
        cell.source = without_hidden_tests(cell.source)
    restore.give_marks_back(cells, solution, without_hidden_tests)
    ids = [restore.id_of(cell) for cell in cells]
    assert ids == [restore.id_of(cell) for cell in solution]
    assert sum(each is not None for each in ids) > 20


def test_of_two_unmarked_answers_the_last_counts():
    made, solution = stripped(), hostile.notebook().cells
    again = new_code_cell("def step_size(lam, t):\n    return 2")
    made.cells.append(again)
    what_was_found(made, solution)
    assert restore.id_of(again) == "step"
    assert restore.id_of(made.cells[1]) is None


def test_what_is_not_found_is_said():
    made, solution = stripped(), hostile.notebook().cells
    made.cells = [c for c in made.cells if "def pegasos" not in c.source]
    assert what_was_found(made, solution)[1] == "no cell answers solver"
    made.cells = [new_markdown_cell("Notes"), new_code_cell("1 + 1")]
    assert what_was_found(made, solution) == (
        "",
        "no cell is of this assignment",
    )


def test_a_marked_cell_answers_nothing_else():
    made, solution = hostile.notebook(), hostile.notebook().cells
    made.cells[1].source += "\ndef other(X, y, lam, order):\n    return 0"
    del made.cells[4]
    assert what_was_found(made, solution)[1] == "no cell answers solver"
    assert restore.id_of(made.cells[1]) == "step"


def test_an_answer_in_the_cell_of_another_is_said():
    made, solution = hostile.notebook(), hostile.notebook().cells
    made.cells = hostile.solver_above(made.cells)
    assert what_was_found(made, solution) == (
        "solver: answered in another cell",
        "",
    )
    assert restore.id_of(made.cells[1]) == "step"


def test_a_given_cell_answers_nothing():
    """Such as one that binds the name of an answer anew."""
    made, solution = hostile.notebook(), hostile.notebook().cells
    for cells in (made.cells, solution):
        cells[2].source += "\npegasos = coursework.repaired('A1', pegasos)"
    del made.cells[4]
    assert what_was_found(made, solution)[1] == "no cell answers solver"


def test_marked_cells_stay_what_they_are():
    made = hostile.notebook()
    assert what_was_found(made, hostile.notebook().cells) == ("", "")


# Records


def result(student="ada", **changes):
    done = possible_tasks(hostile.notebook().cells)
    done[0]["score"], done[2]["to_mark"] = 1.0, 3.0
    return Graded(student, "tiny", **{"tasks": done, **changes})


def test_a_record_comes_back_as_it_was(tmp_path):
    kept = Records(tmp_path)
    first = result("=bob", reason="cell 2 took too long", cells="<pre>")
    kept.save(first, "mark")
    assert kept.load("=bob", "tiny") == ("mark", first)
    assert kept.load("ada", "tiny") is None
    kept.save(result("ada"), "mark")
    assert [r.student for r in kept.all()] == ["=bob", "ada"]


def test_a_damaged_record_is_graded_again(tmp_path):
    kept = Records(tmp_path)
    kept.save(result(), "mark")
    kept.path("ada", "tiny").write_text('{"fingerprint": "mark"', "utf-8")
    assert kept.load("ada", "tiny") is None and kept.all() == []


def test_what_a_run_ended_in_is_known(tmp_path):
    kept = Records(tmp_path)
    kept.begin("ada", "tiny")
    assert kept.was_begun("ada", "tiny") and kept.all() == []
    kept.save(result(), "mark")
    assert not kept.was_begun("ada", "tiny")


def test_a_fingerprint_tells_its_parts_apart():
    parts = [(b"a", b"b"), (b"ab", b""), (b"a", "b"), (b"a", b"b", 0)]
    assert len({records.fingerprint(*part) for part in parts}) == 4
    assert records.fingerprint(b"a", 1) == records.fingerprint(b"a", 1)


@pytest.mark.parametrize(
    "score, kept",
    [(600, 2.0), (-1, 0.0), (math.nan, 0.0), (math.inf, 2.0), (1.5, 1.5)],
)
def test_no_score_is_above_its_maximum(score, kept):
    task = {"task": "a", "score": score, "to_mark": 0.0, "out_of": 2.0}
    assert in_bounds(task)["score"] == kept


# Tables


def lines(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize(
    "output, points",
    [
        (new_output("stream", name="stderr", text="a warning"), 2.0),
        (new_output("execute_result", data={"text/plain": "0.5"}), 2.0),
        (new_output("display_data", data={"text/plain": "0.5"}), 2.0),
        (failure("TestFailed", "not what is asked"), 0.0),
    ],
    ids=["warning", "result", "display", "error"],
)
def test_only_an_error_takes_points_where_nbgrader_looks(output, points):
    cell = hostile.tested("step-check", 2, "check()")
    cell.outputs = [output]
    leave_it_to_the_judge(cell)
    assert determine_grade(cell) == (points, 2.0)


def test_no_name_is_a_formula_in_a_spreadsheet(tmp_path):
    names = ["=cmd|' /C calc'!A0", "+1", "-1", "@SUM(A1)", "ada"]
    tables.write_tables([result(name) for name in names], tmp_path)
    for table in ("scores.csv", "tasks.csv"):
        seen = {line["student"] for line in lines(tmp_path / table)}
        assert not any(name[0] in "=+-@" for name in seen)
        assert {tables.as_it_was(name) for name in seen} == set(names)


@posix
def test_a_name_that_is_no_text_harms_no_table(tmp_path):
    tables.write_tables([result(os.fsdecode(b"a\xff"))], tmp_path)
    assert lines(tmp_path / "scores.csv")[0]["student"] == "a\\udcff"


WORTH = {("tiny", "question"): 3.0, ("tiny", "step-check"): 1.0}


def marks(tmp_path, text):
    path = tmp_path / "marks.csv"
    path.write_text(text, "utf-8")
    return tables.read_marks(path, WORTH)


@pytest.mark.parametrize(
    "text",
    [
        "assignment,student,task,mark\ntiny,ada,question,2.5\n",
        "\ufeffassignment;student;task;mark\ntiny;ada;question;2,5\n",
        "student,mark,task,score,assignment\n"
        "ada,2.5,question,0,tiny\nada,,step-check,1,tiny\n",
    ],
    ids=["plain", "spreadsheet", "other columns"],
)
def test_marks_by_hand_are_merged(tmp_path, text):
    given = marks(tmp_path, text)
    assert given == {("tiny", "ada", "question"): 2.5}
    before = result()
    marked = tables.with_marks(before, given)
    assert (marked.total("score"), marked.total("to_mark")) == (3.5, 0)
    assert (before.total("score"), before.total("to_mark")) == (1, 3)
    assert tables.with_marks(result("bob"), given) == result("bob")


def test_a_name_like_a_formula_is_found_again(tmp_path):
    text = "assignment,student,task,mark\ntiny,'=ada,question,1\n"
    assert ("tiny", "=ada", "question") in marks(tmp_path, text)


@pytest.mark.parametrize(
    "line, problem",
    [
        ("tiny,ada,question,4", "line 2: the mark is '4'; expected .* to 3"),
        ("tiny,ada,question,-1", "the mark is '-1'"),
        ("tiny,ada,question,nan", "the mark is 'nan'"),
        ("tiny,ada,question,good", "the mark is 'good'"),
        ("tiny,ada,essay,1", "tiny has no task 'essay'"),
        ("Tiny,ada,question,1", "assignment is 'Tiny'; expected tiny"),
        ("tiny,ada,question,1,5", "line 2: it has not as many columns"),
        ("tiny;ada;question;1", "line 2: it has not as many columns"),
        (
            "tiny,ada,question,1\ntiny,ada,question,2",
            "line 3: ada's mark for question is 2 here and 1 above",
        ),
    ],
)
def test_a_mark_that_cannot_be_is_refused(tmp_path, line, problem):
    with pytest.raises(tables.BadMarks, match=problem):
        marks(tmp_path, f"assignment,student,task,mark\n{line}\n")


def test_a_table_without_marks_is_refused(tmp_path):
    with pytest.raises(tables.BadMarks, match="no column mark"):
        marks(tmp_path, "assignment,student,task\n")


# The page

PNG = base64.b64encode(feedback.PNG + b"rest").decode()
ATTACK = "<script>alert(1)</script><img src=http://example.org/x>"


def page(*outputs, source="x = 1", **changes):
    cell = new_code_cell(source, outputs=list(outputs))
    solution = hostile.notebook().cells
    cells = feedback.show_cells([cell], solution)
    return feedback.page(
        result(cells=cells, **changes), feedback.titles(solution)
    )


@pytest.mark.parametrize(
    "output",
    [
        new_output("stream", text=ATTACK),
        new_output("error", ename="E", evalue="", traceback=[ATTACK]),
        new_output(
            "display_data", data={"text/html": ATTACK, "text/plain": ATTACK}
        ),
        new_output("display_data", data={"image/svg+xml": ATTACK}),
        new_output("display_data", data={"application/javascript": ATTACK}),
        new_output("display_data", data={"image/png": f'{PNG}"{ATTACK}'}),
        new_output("display_data", data={"image/png": "PHNjcmlwdD4="}),
        new_output("display_data", data={"text/markdown": ATTACK}),
    ],
    ids=lambda output: output.output_type,
)
def test_nothing_of_a_students_runs_in_the_page(output):
    text = page(output, source=ATTACK, reason=ATTACK, note=ATTACK)
    assert "<script" not in text and "<img src=http" not in text
    assert "default-src 'none'" in text


def test_pictures_and_text_are_shown():
    text = page(
        new_output("display_data", data={"image/png": PNG}),
        new_output("stream", text="\x1b[31mred\x1b[0m & more"),
    )
    assert f'src="data:image/png;base64,{PNG}"' in text
    assert "red &amp; more" in text


def test_not_yet_marked_is_no_zero():
    text = page()
    assert "1 of 3 points, 3 more not yet marked" in text
    assert text.count('<td class="number">not yet marked') == 1
    assert '<td>solver<td class="number">0<' in text


def test_tasks_have_the_names_of_the_assignment():
    cells = [
        new_markdown_cell("**Task 1 (1 point).** …\n**Task 2 (2 points).** …"),
        *hostile.notebook().cells[1:3],
        hostile.notebook().cells[6],
    ]
    assert feedback.titles(cells) == {
        "step-check": "Task 2: step",
        "question": "Task 2: question",
    }


def test_a_page_has_an_end():
    big = new_output("stream", text="x" * feedback.LARGEST)
    cells = [new_code_cell("1", outputs=[big])] * 3
    text = feedback.show_cells(cells, hostile.notebook().cells)
    assert len(text) < 1.1 * feedback.LARGEST
    assert text.endswith("The rest is left out.</pre>")


# The command, where nothing needs to be run


@pytest.fixture
def class_of_two(tmp_path):
    """Two students without a notebook, and what the command is told."""
    place = tmp_path / "solutions" / "tiny"
    place.mkdir(parents=True)
    (place / "tiny.ipynb").write_text(writes(hostile.notebook()), "utf-8")
    for student in ("ada", "=bob"):
        (tmp_path / "in" / student).mkdir(parents=True)
    return tmp_path, [
        str(tmp_path / "in"),
        *("--solutions", str(tmp_path / "solutions")),
        *("--out", str(tmp_path / "out")),
        *("--assignment", "tiny"),
        *isolated.OPTIONS,
    ]


def test_a_rerun_goes_on_and_one_student_is_merged(class_of_two, capsys):
    folder, told = class_of_two
    assert command.main(told) == 0
    first = lines(folder / "out" / "scores.csv")
    assert {line["student"] for line in first} == {"ada", "'=bob"}
    assert "2/2" in capsys.readouterr().out
    command.main(told)
    assert "2 are graded already" in capsys.readouterr().out
    command.main([*told, "--student", "ada"])
    assert "1/1 ada" in capsys.readouterr().out
    command.main([*told, "--again"])
    assert "2/2" in capsys.readouterr().out
    assert lines(folder / "out" / "scores.csv") == first


def test_what_was_changed_is_graded_again(class_of_two, capsys):
    folder, told = class_of_two
    command.main(told)
    (folder / "in" / "ada" / "link-tiny").symlink_to("nowhere")
    command.main(told)
    assert "1 are graded already" in capsys.readouterr().out
    table = lines(folder / "out" / "scores.csv")
    assert "is a link" in table[1]["reason"]


def test_marks_are_merged_into_tables_and_pages(class_of_two, capsys):
    folder, told = class_of_two
    out = folder / "out"
    out.mkdir()
    (out / "marks.csv").write_text(
        "assignment,student,task,mark\n"
        "tiny,ada,question,2\ntiny,eve,question,1\n"
    )
    command.main(told)
    by_name = {line["student"]: line for line in lines(out / "scores.csv")}
    assert by_name["ada"]["score"] == "2"
    assert by_name["'=bob"]["score"] == "0"
    page = (out / "ada" / "tiny.html").read_text("utf-8")
    assert "2 of 6 points" in page
    assert "question of eve" in capsys.readouterr().out


def test_bad_marks_are_refused_before_any_work(class_of_two):
    folder, told = class_of_two
    table = folder / "marks.csv"
    table.write_text("assignment,student,task,mark\ntiny,ada,question,7\n")
    with pytest.raises(SystemExit, match="expected a number from 0 to 3"):
        command.main([*told, "--marks", str(table)])
    assert not (folder / "out" / "scores.csv").exists()


def test_an_unknown_student_is_refused(class_of_two):
    with pytest.raises(SystemExit, match="There is no folder eve"):
        command.main([*class_of_two[1], "--student", "eve"])


def test_no_folders_name_takes_the_place_of_a_table(class_of_two):
    """A student's page would lie in a folder where a table is written."""
    folder, told = class_of_two
    names = ["scores.csv", "Tasks.CSV", "marks.csv", "scores.csv.new"]
    for name in names:
        (folder / "in" / name).mkdir()
        (folder / "in" / name / "tiny.ipynb").write_text("{}")
    for _ in range(2):  # marks.csv is read by the second run
        assert command.main(told) == 0
        found = lines(folder / "out" / "scores.csv")
        assert {line["student"] for line in found} > set(names)
    for name in names:
        page = folder / "out" / f"{name} (student)" / "tiny.html"
        assert "no notebook" in page.read_text("utf-8")


def test_a_second_grader_is_kept_out(class_of_two):
    """Until the first has ended, even if it was killed."""
    folder, told = class_of_two
    holds = (
        "import sys\n"
        "from pegasos_edu.grading.handed_back.records import Records\n"
        "with Records(sys.argv[1]).alone():\n"
        "    print('in', flush=True); sys.stdin.read()"
    )
    out = str(folder / "out")
    with subprocess.Popen(
        [sys.executable, "-c", holds, out],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as first:
        assert first.stdout.readline().strip() == b"in"
        said = rf"Another command writes to .* \(process {first.pid}\); exp"
        with pytest.raises(SystemExit, match=said):
            command.main(told)
        assert not (folder / "out" / "scores.csv").exists()
        first.kill()
    assert command.main(told) == 0
    assert len(lines(folder / "out" / "scores.csv")) == 2


# What `python tasks.py grade` does, and a result after which it waits.
TASK = """
import sys
import installation
sys.exit(installation.run([sys.executable, "-c", *sys.argv[1:]]))
"""
WAITS = """
import sys, time
from pegasos_edu.grading import __main__ as command
from pegasos_edu.grading.running import results
real = results.refused
def waits(work):
    yield next(real(work))
    time.sleep(600)
results.refused = waits
sys.exit(command.main(sys.argv[1:]))
"""


@pytest.mark.processes
@pytest.mark.skipif(sys.platform != "linux", reason="no such signal")
def test_who_is_killed_leaves_no_grading_behind(class_of_two):
    """And what was graded is in the tables."""
    folder, told = class_of_two
    with subprocess.Popen(
        [sys.executable, "-c", TASK, WAITS, *told],
        cwd=tasks.ROOT,
        stdout=subprocess.PIPE,
    ) as task:
        assert task.stdout.readline().startswith(b"1/2 =bob")
        task.kill()
        # Until the last one that could write has ended.
        assert b"Stopped." in task.stdout.read()
    assert len(lines(folder / "out" / "scores.csv")) == 1
    assert command.main(told) == 0
    assert len(lines(folder / "out" / "scores.csv")) == 2


def test_whose_folder_is_gone_is_said(class_of_two, capsys):
    """Renamed from ada to eve: both have a line, and one is named."""
    folder, told = class_of_two
    command.main(told)
    assert "Kept from an earlier run" not in capsys.readouterr().out
    (folder / "in" / "ada").rename(folder / "in" / "eve")
    command.main(told)
    said = capsys.readouterr().out
    assert "has no such folder now: ada, tiny. To drop one" in said
    table = lines(folder / "out" / "scores.csv")
    names = [line["student"] for line in table]
    assert names == ["'=bob", "ada", "eve"]


def interrupt():
    raise KeyboardInterrupt


def request_to_end():
    os.kill(os.getpid(), signal.SIGTERM)


@pytest.mark.parametrize(
    "end",
    [
        interrupt,
        pytest.param(
            request_to_end,
            marks=pytest.mark.skipif(os.name == "nt", reason="no signals"),
        ),
    ],
)
def test_a_run_that_was_stopped_keeps_its_results(
    class_of_two, monkeypatch, end
):
    folder, told = class_of_two
    real = results.refused

    def stops(work):
        yield next(real(work))
        end()

    monkeypatch.setattr(results, "refused", stops)
    assert command.main(told) == 130
    assert len(lines(folder / "out" / "scores.csv")) == 1
    stored = list((folder / "out").glob(".results/*/*/result.json"))
    assert json.loads(stored[0].read_text())["student"] == "=bob"


def test_what_a_student_names_is_no_command_for_a_terminal(tmp_path, capsys):
    name = "r\x1b[2J\n\u202e.docx"
    tables.say(f"there is {name}")
    tables.write_tables([Graded("ada", "a1", [], name, name)], tmp_path)
    written = (tmp_path / "scores.csv").read_text("utf-8")
    for text in (capsys.readouterr().out, written):
        assert "r\\x1b[2J\\n\\u202e.docx" in text
        assert "\x1b" not in text and "\u202e" not in text


def test_a_notebook_of_very_many_cells_is_refused(tmp_path):
    """Twenty thousand empty ones would keep a worker for minutes."""
    path = tmp_path / "a1.ipynb"
    cells = [new_code_cell("") for _ in range(MOST_CELLS + 1)]
    path.write_text(writes(new_notebook(cells=cells)), "utf-8")
    with pytest.raises(Refused, match="has 2,001 cells; expected at most"):
        read_notebook(path)
    path.write_text(writes(new_notebook(cells=cells[1:])), "utf-8")
    assert len(read_notebook(path).cells) == MOST_CELLS


@pytest.mark.parametrize(
    "outputs, said",
    [
        ([], ""),
        ([new_output("stream", text="Your answer is wrong.")], ""),
        (
            [
                new_output("stream", text="Your answer calls a.b; write it"),
                failure("TestFailed", "the answer calls a.<locals>.c; write"),
            ],
            "an answer called a.<locals>.c, a.b",
        ),
        (
            [failure("TestFailed", f"{UNSEEN}: a cell of your own")],
            "it had switched off what watches its answers",
        ),
    ],
)
def test_what_the_watch_saw_is_noted(outputs, said):
    """Its points are those of a wrong answer; nobody is to think it one."""
    cell = new_code_cell("check(f)", outputs=outputs)
    assert was_seen(new_notebook(cells=[cell])) == said


class Never:
    """A process, and its pipe, from which nothing ever comes."""

    pid, ended = None, False

    def poll(self):
        return False

    def result(self):
        return None

    def kill(self):
        self.ended = True

    join = stop = kill


def test_who_takes_too_long_on_the_clock_is_ended(monkeypatch):
    """Whatever keeps its own limits from doing so."""
    ended, now = [], [0.0]
    monkeypatch.setattr(
        submission, "time", SimpleNamespace(monotonic=lambda: now[0])
    )
    monkeypatch.setattr(submission, "end_descendants", ended.append)
    worker = submission.Worker.__new__(submission.Worker)
    worker.student, worker.assignment = "ada", "a1"
    worker.answer = worker.process = Never()
    limits = submission.Limits(cell=30, total=120)
    assert limits.process == 1500  # five times two totals and a minute
    worker.deadline = limits.process
    now[0] = 1500.0
    assert worker.result() is None and not ended
    now[0] = 1500.5
    assert worker.result().reason == "grading took too long and was ended"
    assert ended == [None] and worker.process.ended


def test_what_was_running_when_a_run_ended_is_begun_no_more(monkeypatch):
    """So that the next run does not take it for what ended this one."""
    kept, begun = [], []
    worker = Never()
    monkeypatch.setattr(pool, "start", lambda *arguments: worker)
    monkeypatch.setattr(
        pool, "time", SimpleNamespace(sleep=lambda seconds: 1 / 0)
    )
    one = SimpleNamespace(student="ada", assignment="a1")
    store = SimpleNamespace(
        begin=lambda *key: begun.append(key),
        forget_begun=lambda *key: kept.append(key),
    )
    options = SimpleNamespace(workers=1)
    with pytest.raises(ZeroDivisionError):
        list(pool.grade_all([one], options, None, store))
    assert begun == kept == [("ada", "a1")] and worker.ended


def test_the_cell_that_took_too_long_can_be_found():
    """Its page shows no numbers of cells, but the names of tasks."""
    late = failure("CellTimeoutError", "it ran for 30 s")
    task = new_code_cell("f()", metadata={"nbgrader": {"grade_id": "step"}})
    own = new_code_cell("while True: pass")
    made = new_notebook(cells=[new_code_cell("1"), task, own])
    assert cut_short(made) == ""
    own.outputs = [late]
    assert cut_short(made) == (
        "after step, a cell of its own took too long (cell 3)"
    )
    task.outputs = [late]
    assert cut_short(made) == "step took too long (cell 2)"
