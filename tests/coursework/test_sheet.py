"""The assistants' sheet and the exam: complete, right, and apart."""

import ast
import itertools
import re

import nbformat
import numpy as np
import pytest

import tasks
from pegasos_edu import coursework
from pegasos_edu.coursework.diagnosis.by_task import BY_TASK, NO_TEST
from pegasos_edu.coursework.diagnosis.hints import HINTS, hint
from pegasos_edu.coursework.diagnosis.parts import PARTS
from pegasos_edu.coursework.diagnosis.recipe import RIGHT
from pegasos_edu.coursework.diagnosis.search import candidates
from pegasos_edu.coursework.diagnosis.values import FORMULAS
from pegasos_edu.coursework.questions.exhibits import QUESTIONS
from pegasos_edu.coursework.sheet import (
    ANY,
    SOLVERS,
    found_by_measuring,
    in_common,
    index,
    measured,
    only_in,
    others,
    places,
    rows,
    sheet,
)
from pegasos_edu.coursework.zoo import ZOO
from tests.coursework.unseen import WRONG

BOOK = tasks.ROOT / "book"
EXAM = nbformat.read(BOOK / "exam.ipynb", as_version=4).cells
QUESTION = re.compile(
    r"^```\{admonition\} Question \d+: (.+) \((\d+) points?\)$", re.M
)
ANSWER = "```{admonition} Answer\n:class: dropdown\n\n"
# A number in a formula or beside it, such as 0.1, 22{,}000 or \tfrac43.
FRACTION = re.compile(r"\\t?frac\{?(\d+)\}?\{?(\d+)\}?")


def test_every_mistake_of_the_zoo_has_its_question():
    assert set(QUESTIONS) == {exhibit.name for exhibit in ZOO}
    for name, question in QUESTIONS.items():
        assert "?" in question and question.endswith(("?", ".")), name
    assert len(set(QUESTIONS.values())) == len(QUESTIONS)


def test_the_sheet_holds_all_mistakes_and_what_the_check_says():
    sheets = "\n".join(map(sheet, coursework.tasks()))
    for exhibit in ZOO:
        assert f"**{exhibit.name}.** {exhibit.symptom}\n" in sheets
        question = QUESTIONS[exhibit.name]
        assert f"- The check: {exhibit.hint}\n- Ask: {question}" in sheets
    assert sheets.count("- Ask: ") == len(ZOO)


def test_a_question_gives_no_mistake_away_by_its_name():
    """An assistant asks; the name is what the check says."""
    for name, question in QUESTIONS.items():
        assert name not in question.lower().replace(" ", "-")


def told(task):
    """All that the sheet has for a task, in one text."""
    found = [pair for _, pairs in others(task) for pair in pairs]
    lines = [f"- **{name}**: {said}" for name, said in found]
    return "\n".join([sheet(task), *lines])


def test_what_is_told_of_a_task_is_printed_once():
    """Under the task, or for the solvers, or for any task."""
    where = {place: in_common(place) for place in (ANY, SOLVERS)}
    where |= {task: only_in(task) for task in coursework.tasks()}
    for task in coursework.tasks():
        for triple in found_by_measuring(task):
            stands = [place for place in where if triple in where[place]]
            assert stands in ([ANY], [SOLVERS]) or task in stands, triple
            assert task not in stands or not {ANY, SOLVERS} & {*stands}
    for place, triples in where.items():
        for name, said, question in triples:
            assert re.search(
                rf"- \*\*{name}\*\*: (\(.*\) )?{re.escape(said)}"
                rf"( Ask: \*{re.escape(question)}\*|$)",
                measured(place),
                re.MULTILINE,
            ), (place, name)
            assert f"Ask: *{question}*" in measured(place)


def test_the_lists_for_many_hold_what_many_share():
    long = len(measured(SOLVERS).splitlines())
    assert long > 100
    for task in ("A1.pegasos", "A1.projected", "A3.pegasos", "A3.projected"):
        assert len(found_by_measuring(task)) > 100
        assert len(only_in(task)) < 5
    names = [name for name, *_ in in_common(ANY)]
    assert {"returns-nothing", "few-digits", "sign-turned"} <= set(names)
    # Who stands there twice says for which tasks.
    twice = {name for name in names if names.count(name) > 1}
    for line in measured(ANY).splitlines():
        if any(f"**{name}**" in line for name in twice):
            assert "**: (A" in line


def test_the_index_has_every_name_and_where_it_stands():
    entries = dict(
        entry.rstrip(")").split(" (")
        for line in index().split("\n\n")
        for entry in line.partition("** ")[2].split("; ")
    )
    assert list(entries) == sorted(entries, key=str.lower)
    for task in coursework.tasks():
        for name, *_ in rows(task):
            assert task in entries[name].split(", ")
        for name, *_ in found_by_measuring(task):
            assert {task, ANY, SOLVERS} & set(entries[name].split(", "))
    assert {name: ", ".join(at) for name, at in places().items()} == entries


def test_every_name_that_a_check_can_give_is_on_the_sheet():
    """Each hint is on some sheet, and of each search what it can find."""
    sheets = {task: told(task) for task in coursework.tasks()}
    for name in HINTS:
        assert any(f"**{name}" in text for text in sheets.values()), name
    for task, formulas in FORMULAS.items():
        for names, _ in formulas():
            for name in filter(None, names):
                assert f"**{name}" in sheets[task], (task, name)
    for task in RIGHT:
        for names, _ in candidates(task, {}, 1):
            assert f"**{names[0]}" in sheets[task], (task, names)
    assert len(sheets["A1.step"]) > 1000


def test_what_was_set_aside_is_on_the_sheet_of_its_task():
    for task, answer, _ in WRONG[::9]:
        mistake = coursework.check(task, answer).mistake
        for name in mistake.split(" + "):
            assert f"**{name}" in told(task), (task, name)


# Hints in words that belong to one of the two losses
OF_THE_LOG_LOSS = re.compile(r"log loss|sigmoid|exp\b|logarithm|p\(1 − p\)")
OF_THE_HINGE = re.compile(r"\btests?\b|violator|large enough|which ones|hinge")


def hints_of(assignment):
    """Task, name and hint of all that a check can give in an assignment."""
    for task in coursework.tasks():
        if not task.startswith(assignment):
            continue
        told = [(name, said) for name, _, said, _ in rows(task)]
        for _, mistakes in others(task):
            told += mistakes
        yield from ((task, name, said) for name, said in told)


def with_a_log_loss():
    """The names of answers that have a log loss in them, or its parts."""
    names = {
        name
        for name, pull in PARTS["pull"]
        if {"sigmoid", "logaddexp"} & set(pull.__code__.co_names)
    }
    return names | {"exp-overflows", "logarithm-of-zero"}


@pytest.mark.parametrize("assignment", ["A1", "A3"])
def test_a_hint_speaks_of_the_log_loss_only_if_the_answer_does(assignment):
    found = {
        name: said
        for _, name, said in hints_of(assignment)
        if OF_THE_LOG_LOSS.search(said)
    }
    assert set(found) <= with_a_log_loss()
    assert {"two-cases-kept", "sigmoid-for-exp"} <= set(found)
    # And where it does, it is led back to what is asked.
    for name in set(found) - {"exp-overflows", "logarithm-of-zero"}:
        assert "hinge" in found[name], name
    assert "where do you need an exp here?" in found["exp-overflows"]


def test_no_hint_of_the_log_loss_asks_for_the_test_of_the_hinge():
    """It may say that there is none, or that the answer has the hinge's."""
    found = {
        name: said
        for _, name, said in hints_of("A2")
        if OF_THE_HINGE.search(said) and NO_TEST not in said
    }
    of_the_hinge = {
        "hinge-still-inside",
        "two-cases-kept",
        "still-the-hinge",
        "slope-of-the-hinge",
        "hinge-for-log-loss",
        "weighted-by-the-loss",
        "all-divided-by-the-last-t",  # sums of violators
    }
    assert set(found) <= of_the_hinge
    said = {name: said for _, name, said in hints_of("A2")}
    assert "with the same weight" in said["updates-always"]


@pytest.mark.parametrize("task", ["A1.pegasos", "A2.pegasos", "A3.pegasos"])
def test_where_the_last_is_asked_for_no_hint_asks_for_an_average(task):
    told = dict(pair for _, pairs in others(task) for pair in pairs)
    averages = {name for name in told if "average" in name or "mean" in name}
    assert {"average-of-the-last-half", "sum-for-average"} <= averages
    for name in averages - {"sum-for-average"}:
        assert re.search("the last one is|asks for the last", told[name]), name
    assert "divide" not in told["sum-for-average"]


def test_a_hint_is_true_of_every_answer_that_gets_it():
    """Of one without a loop, and of one with a second mistake beside it."""
    assert "loop" not in hint("A1.classifier", "as-many-steps-as-rows")

    def turned_twice(t, a, b):
        (p, h), (q, k) = (
            np.polyfit(np.log(t), np.log(curve), 1) for curve in (a, b)
        )
        return np.exp((p - q) / (h - k))

    report = coursework.check("A4.crossing", turned_twice)
    assert report.mistake == (
        "fraction-turned-over + crossing-with-its-sign-turned"
    )
    assert "yours is" not in str(report)
    assert "the sign of your logarithm of t is turned" in str(report)


def test_only_where_there_is_a_scale_a_hint_speaks_of_it():
    for assignment in ("A1", "A2", "A4"):
        for task, name, said in hints_of(assignment):
            assert not re.search(r"\bscale\b", said), (task, name)
    assert any("scale" in said for _, _, said in hints_of("A3"))


def test_the_words_of_a_task_go_before_those_of_its_assignment():
    said = {task: hint(task, "w-stays-at-zero") for task in RIGHT}
    assert said["A1.pegasos"] == said["A3.pegasos"] != said["A2.pegasos"]
    said = {task: hint(task, "added-with-the-first-step") for task in RIGHT}
    assert hint("A1.step", "added-with-the-first-step") not in said.values()


def test_every_hint_put_otherwise_can_be_given():
    """No words stand in the table that no student ever reads."""
    given = {
        (task, name) for a in "1234" for task, name, _ in hints_of("A" + a)
    }
    for place, words in BY_TASK.items():
        for name in words:
            assert any(
                task.startswith(place) and name == other
                for task, other in given
            ), (place, name)


def test_a_task_without_mistakes_has_no_rows():
    assert rows("A1.loop") == []
    with pytest.raises(ValueError, match="task is 'A9'; expected one of A1"):
        sheet("A9")
    with pytest.raises(ValueError, match="task is 'A9'; expected one of A1"):
        measured("A9")


def test_the_page_shows_the_sheet_of_today():
    page = nbformat.read(BOOK / "assistants.ipynb", as_version=4)
    shown = "\n".join(
        output.get("data", {}).get("text/markdown", "")
        for cell in page.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    for task in coursework.tasks():
        assert sheet(task) in shown and measured(task) in shown
    for each in (measured(ANY), measured(SOLVERS), index()):
        assert each and each in shown


# The exam


def test_there_are_25_questions_each_with_an_answer():
    asked = [c for c in EXAM if QUESTION.search(c.source)]
    assert len(asked) == 25
    titles = [QUESTION.search(cell.source)[1] for cell in asked]
    assert len(set(titles)) == 25
    for number, cell in enumerate(asked, start=1):
        assert cell.source.startswith(f"```{{admonition}} Question {number}:")
        answer = cell.source.partition(ANSWER)[2]
        assert answer.endswith("\n```") and len(answer.split()) > 10


def numbers_in(node):
    """The numbers that stand in some code."""
    return {
        abs(float(part.value))
        for part in ast.walk(node)
        if isinstance(part, ast.Constant)
        and isinstance(part.value, (int, float))
    }


def test_every_answer_is_asserted_in_the_cell_below_it():
    """Whatever is asserted has a number of the answer's in it."""
    for cell, below in itertools.pairwise(EXAM):
        if not QUESTION.search(cell.source):
            continue
        answer = cell.source.partition(ANSWER)[2]
        answer = answer.replace("{,}", "")
        said = {float(word) for word in re.findall(r"\d+(?:\.\d+)?", answer)}
        said |= {float(a) / float(b) for a, b in FRACTION.findall(answer)}
        # The digits of \tfrac13 stand side by side.
        said |= {float(d) for pair in FRACTION.findall(answer) for d in pair}
        asserts = [
            node
            for node in ast.walk(ast.parse(below.source))
            if isinstance(node, ast.Assert)
        ]
        assert asserts, cell.source[:60]
        found = set().union(*map(numbers_in, asserts))
        # A number may be printed, and the text asserted.
        texts = " ".join(map(ast.unparse, asserts))
        found |= set(map(float, re.findall(r"\d+(?:\.\d+)?", texts)))
        assert found & said, cell.source[:60]


def test_no_exam_question_is_in_a_students_notebook():
    titles = [
        QUESTION.search(cell.source)[1]
        for cell in EXAM
        if QUESTION.search(cell.source)
    ]
    for path in tasks.lab_originals().values():
        cells = nbformat.read(path, as_version=4).cells
        text = "\n".join(cell.source for cell in cells)
        assert path.stem != "exam"
        assert not [one for one in titles if f": {one} (" in text]
    assert "find the mistake" in titles
