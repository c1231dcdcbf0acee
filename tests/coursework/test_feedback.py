"""The page a student gets, on what notebooks really hold."""

import contextlib
import io
import re
import sys
import xml.etree.ElementTree as ET

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

import tasks
from pegasos_edu import coursework
from pegasos_edu.coursework.frames import cut, library_of
from pegasos_edu.grading.handed_back import feedback
from pegasos_edu.grading.handed_back.feedback import (
    AS_ABOVE,
    show_cells,
    titles,
)
from pegasos_edu.grading.handed_back.formulas import LONGEST, to_html
from pegasos_edu.grading.handed_back.grades import without_a_run
from pegasos_edu.grading.handed_back.records import Graded
from pegasos_edu.grading.judging.errors import condensed
from pegasos_edu.grading.running import submission

DEEP = """import numpy as np
def helper(a, b):
    return np.dot(a, np.linalg.solve(b, a))
def step(w):
    return helper(w, w)
step(np.zeros(2))"""


@pytest.fixture(scope="module")
def shell():
    """IPython itself, as a notebook's kernel formats its errors."""
    yield InteractiveShell.instance(colors="nocolor")
    InteractiveShell.clear_instance()


@pytest.fixture
def run(shell):
    """Run cells; the last one's error, as a notebook keeps it."""

    def run(*sources):
        for source in sources:
            with contextlib.redirect_stdout(io.StringIO()):
                done = shell.run_cell(source, store_history=True)
        if done.error_before_exec:
            error = done.error_before_exec
            lines = shell.SyntaxTB.structured_traceback(type(error), error, [])
        else:
            error = done.error_in_exec
            lines = shell.InteractiveTB.structured_traceback(
                type(error), error, error.__traceback__, tb_offset=1
            )
        return new_output(
            "error",
            ename=type(error).__name__,
            evalue=str(error),
            traceback=lines,
        )

    return run


@pytest.fixture
def shallow():
    """IPython takes ten seconds to write a thousand calls down."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(400)
    yield
    sys.setrecursionlimit(limit)


def test_of_a_deep_error_the_own_lines_are_left(run):
    output = run(DEEP)
    assert len("".join(output.traceback).splitlines()) > 20
    assert condensed(output).splitlines() == [
        "LinAlgError: 1-dimensional array given. Array must be at least "
        "two-dimensional",
        "  line 6: step(np.zeros(2))",
        "  in step, line 5: return helper(w, w)",
        "  in helper, line 3: return np.dot(a, np.linalg.solve(b, a))",
        "  … in numpy …",
    ]


@pytest.mark.parametrize(
    "source, expected",
    [
        ("import json\njson.loads('{')", "  line 2: json.loads('{')"),
        ("exec('1/0')", "  line 1: exec('1/0')"),
        ("x = 1\nundefined", "  line 2: undefined"),
        ("def f(:\n  1", "Line 1\n    def f(:"),
        ("raise ValueError('two\\nlines')", "ValueError: two\nlines"),
        ("def f(n): return f(n)\nf(1)", "  in f, line 1: def f(n): return"),
        (
            "try:\n    1 / 0\nexcept ZeroDivisionError:\n    int('x')",
            "  line 4: int('x')",
        ),
    ],
    ids=range(7),
)
@pytest.mark.usefixtures("shallow")
def test_every_kind_of_error_is_a_few_lines(run, source, expected):
    text = condensed(run(source))
    assert expected in text
    assert len(text.splitlines()) <= 5
    assert not re.search(r"/lib/|site-packages|Traceback|In\[", text)


def test_a_test_that_fails_says_what_it_means(run):
    reason = run("x = 2\nassert x == 1, 'one is expected'")
    assert condensed(reason, given=True) == "Not yet: one is expected."
    nothing = run("assert 1 == 2")
    assert condensed(nothing, True) == "Not yet: this test does not pass."
    # After a report that says it all, nothing more.
    assert condensed(nothing, given=True, spoken=True) == ""
    lacking = run("pegasos_of_mine(1)")
    assert condensed(lacking, True) == (
        "Not yet: no cell above defines pegasos_of_mine."
    )


def test_an_error_in_a_test_shows_the_students_lines_only(run):
    text = condensed(run("def f(x):\n    return x.nothing", "f(1)"), True)
    assert text.splitlines() == [
        "AttributeError: 'int' object has no attribute 'nothing'",
        "  in f, line 2: return x.nothing",
    ]


@pytest.mark.parametrize(
    "output",
    [
        {},
        {"ename": None, "evalue": 3, "traceback": None},
        {"ename": "E", "evalue": "e", "traceback": [[1], {}, None]},
        {"ename": "E", "evalue": "e", "traceback": "Cell In[1], line 1"},
        {"ename": "E", "evalue": "", "traceback": ["File ~nobody/x.py:1"]},
        {"ename": "E", "evalue": "", "traceback": ["File \0:99"]},
        {"ename": "NameError", "evalue": "name 'x' is not defined"},
    ],
    ids=range(7),
)
@pytest.mark.parametrize("given", [False, True])
def test_whatever_an_error_holds_it_is_text(output, given):
    assert isinstance(condensed(output, given), str)


@pytest.mark.parametrize(
    "file, library",
    [
        ("/e/lib/python3.13t/site-packages/numpy/x.py", "numpy"),
        ("/usr/lib/python3/dist-packages/scipy/y.py", "scipy"),
        (r"C:\e\Lib\site-packages\sklearn\z.py", "sklearn"),
        (r"C:\Python312\Lib\json\decoder.py", "json"),
        ("/usr/lib/python3.12/random.py", "random"),
        ("numpy/random/_generator.pyx", "numpy"),
        ("<frozen importlib._bootstrap>", "Python"),
        (coursework.__file__, "pegasos_edu"),
        ("/home/ada/pegasos_edu.py", ""),
        ("/tmp/ipykernel_9/1.py", ""),
        ("7", ""),
    ],
)
def test_libraries_are_known_by_their_files(file, library):
    assert library_of(file) == library


def test_of_many_own_lines_the_last_three_are_shown():
    frames = [("cell", "f", number, "f()") for number in range(9)]
    assert [line.split(":")[0][-1] for line in cut(frames)] == ["6", "7", "8"]


def test_what_comes_before_the_student_is_not_shown():
    before = (coursework.__file__, "check", 3, "solve(case)")
    assert cut([before, ("cell", "f", 1, "g()")]) == ["  in f, line 1: g()"]


def test_nothing_is_told_from_nothing():
    report = coursework.check("A1.pegasos", lambda X, y, lam, order: None)
    assert str(report).splitlines() == [
        "A1.pegasos: not yet",
        "Your function returned None; is a `return` missing?",
    ]


def test_an_error_at_every_seed_is_no_ignored_seed():
    report = coursework.check("A1.visits", lambda n, T, seed: n / 0)
    assert report.mistake is None


# Formulas


@pytest.mark.parametrize(
    "source",
    [
        r"\mathbb{1}[y\langle w_t, x\rangle < 1]",
        r"\frac{\lambda}{2}\lVert w\rVert^2",
        r"w_{t+1} = (1 - \eta_t\lambda) w_t + \eta_t y x",
        r"\sum_{i=1}^n \max(0, 1 - y_i)",
        r"\bar w = \tfrac1T, \sqrt{\ln T} \le 4R^2",
        r"f^\star, \nabla f, \text{for all } x",
        r"\begin{cases} 1 & x < 1 \\ 0 & y \end{cases}",
    ],
)
def test_formulas_are_mathml(source):
    inline, display = to_html(f"a ${source}$ b"), to_html(f"$${source}$$")
    assert inline.startswith('a <math display="inline">')
    assert display.startswith('<math display="block">')
    tree = ET.fromstring(display)
    assert "\\" not in "".join(tree.itertext())
    assert "&" not in "".join(tree.itertext())


@pytest.mark.parametrize(
    "text",
    [
        r"$\unknowncommand{x}$",
        r"$\begin{aligned} a &= b \end{aligned}$",
        r"$\def\a{\a\a}\a$",
        r"$\newcommand{\a}{x}\a$",
        "$" + "{" * 2_000 + "}" * 2_000 + "$",
        "$x_1_2$",
        "$" + "x" * (LONGEST + 1) + "$",
    ],
    ids=range(7),
)
def test_what_cannot_be_read_is_shown_as_typed(text):
    shown = to_html(text)
    assert "<math" not in shown and shown.startswith("<code>$")


def test_dollars_that_are_no_formula_stay():
    assert to_html(r"5\$ or $ 6 and 7$") == "5$ or $ 6 and 7$"


@pytest.mark.parametrize(
    "attack",
    [
        r"$\text{<img src=http://example.org/x>}$",
        r"$\href{javascript:alert(1)}{x}$",
        r"$\style{background:url(http://example.org)}{x}$",
        r'$\class{a" onclick="alert(1)}{x}$',
        r"$\unicode{<script>}$ **<script>**",
        "$</math><script>alert(1)</script>$",
        "**<b onclick=alert(1)>**",
        r"$\mathop{\text{&lt;script&gt;}}$",
    ],
    ids=range(8),
)
def test_no_formula_smuggles_anything_in(attack):
    tree = ET.fromstring(f"<p>{to_html(attack)}</p>")
    tags = {element.tag for element in tree.iter()}
    assert not tags & {"script", "img", "b", "a"}
    for element in tree.iter():
        assert not set(element.attrib) & {"href", "style", "class", "onclick"}


# The page


def assignment(name):
    path = tasks.ASSIGNMENTS / "solutions" / name / f"{name}.ipynb"
    return nbformat.read(path, as_version=4).cells


def released(name):
    path = tasks.ASSIGNMENTS / f"{name}.ipynb"
    return nbformat.read(path, as_version=4).cells


def test_titles_read_well():
    found = titles(assignment("a1"))
    assert found["objective-check"] == "Task 1: objective"
    assert found["pegasos-small"] == "Task 5: pegasos, small λ"
    assert found["digits-gap"] == "Task 8: digits, gap"
    assert found["question-order"] == "Question 1: order"
    for name in ("a2", "a3", "a4"):
        every = titles(assignment(name)).values()
        assert len(set(every)) == len(every)
        kinds = r"((Task|Question) \d+|Stretch (task|question)): \w"
        assert all(re.match(kinds, one) for one in every)
        # A task, and two questions, one of them a proof.
        assert sum(one.startswith("Stretch task") for one in every) == 1
        assert sum(one.startswith("Stretch question") for one in every) == 2
    assert found["stretch-projected-check"] == "Stretch task: projected"


@pytest.mark.parametrize("name", ["a1", "a2", "a3", "a4"])
def test_what_nobody_touched_is_not_answered(name):
    cells = released(name)
    answers = [
        c for c in cells if c.metadata.get("nbgrader", {}).get("solution")
    ]
    code = [c for c in answers if c.cell_type == "code"]
    for cell in code:
        result = new_output("execute_result", data={"text/plain": "Ellipsis"})
        cell.outputs = [result]
    blank = {
        cell.metadata["nbgrader"]["grade_id"]
        for cell in answers
        if cell.cell_type == "markdown"
    }
    # Not the texts between: nobody is to answer them.
    assert set(submission.unanswered(cells, released(name))) == blank
    shown = show_cells(cells, assignment(name), blank)
    assert shown.count("<p>Not answered.</p>") == len(answers) > 3
    assert "Ellipsis" not in shown and "Your answer here" not in shown


def test_an_answer_stands_under_the_title_of_its_task():
    cells = released("a1")
    shown = show_cells(cells, assignment("a1"), {"question-order"})
    heads = re.findall(r'<h2 id="([^"]+)">([^<]+)</h2>', shown)
    assert heads[0] == ("task-1", "Task 1")
    assert [label for _, label in heads] == [
        *(f"Task {number}" for number in range(1, 11)),
        *(f"Question {number}" for number in (1, 2, 3)),
        "Stretch task",
        "Stretch question",
    ]
    assert shown.index(heads[0][1]) < shown.index("Not answered.")


def test_a_written_answer_waits_for_a_marker_though_nothing_was_run(tmp_path):
    """Such as where the grading took too long and was ended."""
    notebook = nbformat.read(tasks.ASSIGNMENTS / "a1.ipynb", as_version=4)
    answer = "Independent draws: each step is right on average."
    for cell in notebook.cells:
        facts = cell.metadata.get("nbgrader", {})
        if facts.get("grade_id") in ("question-order", "objective"):
            cell.source = "**Question 1 (2 points).** " + answer
        if facts.get("grade_id") == "question-order":
            cell.metadata = {}  # known by the label of its question
    path = tmp_path / "a1.ipynb"
    nbformat.write(notebook, path)
    for file, to_mark in [(path, {"question-order": 2.0}), (None, {})]:
        result = Graded("ada", "a1", reason="it was ended")
        without_a_run(result, file, assignment("a1"))
        waiting = {t["task"]: t["to_mark"] for t in result.tasks}
        assert {k: v for k, v in waiting.items() if v} == to_mark
        assert {task["score"] for task in result.tasks} == {0.0}
        assert (answer in result.cells) == bool(to_mark)
        assert "Task 1" not in result.cells


def failing(grade_id, *lines):
    error = new_output(
        "error", ename="NotYet", evalue="", traceback=list(lines)
    )
    facts = {"nbgrader": {"grade_id": grade_id}}
    return new_code_cell("check()", metadata=facts, outputs=[error])


def test_each_message_is_said_once_in_a_task():
    hint = "This looks like «step-without-lambda»: …"
    cells = [
        failing("pegasos-early", "A1.pegasos: not yet", "At t = 1 …", hint),
        failing("pegasos-late", "A1.pegasos: not yet", "At t = 9 …", hint),
        failing("predict-check", "A1.predict: not yet", hint),
    ]
    shown = show_cells(cells, assignment("a1"))
    assert shown.count(hint) == 2 and shown.count(AS_ABOVE) == 1
    assert shown.index("At t = 9") < shown.index(AS_ABOVE)
    assert shown.count("A1.pegasos: not yet") == 2


def test_a_written_answer_has_its_formulas():
    facts = {"nbgrader": {"grade_id": "question-test"}}
    text = r"**Question 2 (2 points).** … Your answer: $w_t$ <script>"
    shown = show_cells(
        [new_markdown_cell(text, metadata=facts)], assignment("a1")
    )
    assert "<strong>Question 2 (2 points).</strong>" in shown
    assert "<msub><mi>w</mi><mi>t</mi></msub>" in shown
    assert "<script" not in shown


def test_a_warning_is_said_once_by_its_line():
    def cell(grade_id, number):
        text = (
            f"/tmp/ipykernel_{number}/81.py:5: "
            "RuntimeWarning: divide by zero\n  eta = 1 / (lam * t)\n"
        )
        output = new_output("stream", name="stderr", text=text + text)
        facts = {"nbgrader": {"grade_id": grade_id}}
        return new_code_cell("check()", metadata=facts, outputs=[output])

    cells = [cell("pegasos-early", 1), cell("pegasos-late", 2)]
    shown = show_cells(cells, assignment("a1"))
    assert shown.count("line 5: RuntimeWarning: divide by zero") == 1
    assert "ipykernel" not in shown


def test_a_page_says_whose_it_is():
    result = Graded("ada", "a1", [])
    assert "<h1>ada, a1: 0 of 0 points</h1>" in feedback.page(result, {})


def test_what_a_page_cannot_hold_is_written_out():
    shown = feedback.block("output", "a\0b\tc\n\x07d\u202e")
    assert shown == ('<pre class="output">a\\x00b\tc\n\\x07d\\u202e</pre>')
