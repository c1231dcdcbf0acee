"""A course of one's own: other questions, and who can answer them."""

import ast
import contextlib
import csv
import dataclasses
import doctest
import io
import itertools
import json
import re
import shutil
import subprocess
import sys

import nbformat
import numpy as np
import pytest

import tasks
from pegasos_edu import coursework, optimum
from pegasos_edu.coursework import asked, cost
from pegasos_edu.coursework.asked import Variant
from pegasos_edu.coursework.diagnosis import recipe, variants
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.grading import edition, tables
from pegasos_edu.grading.handed_out import guide, wording
from pegasos_edu.grading.judging import whose
from pegasos_edu.grading.judging.judge import is_test, needed
from pegasos_edu.grading.running import course
from pegasos_edu.grading.terms import rules
from tests.coursework import isolated
from tests.coursework.styles import STYLES, two_branches
from tests.library.problems import random_problem

PUBLIC = tasks.ASSIGNMENTS / "solutions"
NAMES = ["a1", "a2", "a3", "a4"]
KEY = "a key that nobody guesses"
# For each assignment variants that differ in one thing, in all, in nothing.
CHOSEN = {"a1": (0, 3, 40, 107), "a2": (0, 1, 4, 35), "a3": (0, 1, 14, 26)}
CHOSEN["a4"] = tuple(range(8))


def public(name):
    return nbformat.read(PUBLIC / name / f"{name}.ipynb", as_version=4)


def rewritten(name, number, seed=11):
    variant = asked.numbered(name.upper(), number, seed)
    seeds = itertools.count(1000 * (number + 1))
    return wording.rewrite(public(name), name, variant, seeds)


def run(source, names):
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "<cell>", "exec"), names)


def defines(source):
    """Whether code does no more than to define something."""
    # An import may stand in a try, which says what to install.
    known = ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Try
    return all(isinstance(part, known) for part in ast.parse(source).body)


def facts(cell):
    return cell.metadata.get("nbgrader", {})


def answers(notebook):
    """What the answers of a notebook define."""
    names = {}
    for cell in notebook.cells:
        code = cell.cell_type == "code" and facts(cell)
        if code and not facts(cell)["grade"] and defines(cell.source):
            run(cell.source, names)
    return names


def failed(notebook, names):
    """The tests of a notebook that some answers fail, and all of them.

    Those that need the data of a notebook are left to the grading below.
    """
    (stated,) = [
        c.source
        for c in notebook.cells
        if c.cell_type == "code" and facts(c).get("grade_id") == "variant"
    ] or [""]
    names = dict(names)
    run(stated, names)
    for cell in notebook.cells:
        if facts(cell).get("grade_id") == "repaired":
            run(cell.source, {"coursework": coursework} | names)
            names["own"] = names.get("step_size"), names.get("step")
    wrong, tried = set(), set()
    for cell in notebook.cells:
        if not is_test(cell) or "coursework.check" not in cell.source:
            continue
        assert not needed(cell.source, names)
        task = facts(cell)["grade_id"]
        tried.add(task)
        try:
            run(cell.source, names)
        except AssertionError:
            wrong.add(task)
    return wrong, tried


def asked_of(notebook, variant):
    """What a variant asks in each test of a notebook."""
    return {
        facts(cell)["grade_id"]: [
            TASKS[task].as_asked(variant.asks()).asked
            for task in re.findall(r'check\(\s*"(A\d\.\w+)"', cell.source)
        ]
        for cell in notebook.cells
        if is_test(cell) and "coursework.check" in cell.source
    }


@pytest.fixture
def no_clock(monkeypatch):
    """Costs are measured elsewhere; here a busy machine must not matter."""
    for name in ("passes_of_a_step", "passes_over_visited"):
        monkeypatch.setattr(cost, name, lambda task, answer, *kind: 0.0)


# What is asked


@pytest.mark.parametrize("name", NAMES)
def test_every_variant_has_its_words(name):
    for number in range(asked.number_of_variants(name.upper())):
        made = rewritten(name, number)
        assert len(made.cells) == len(public(name).cells) + 1
        for cell in made.cells:
            if cell.cell_type == "code":
                ast.parse(cell.source)


@pytest.mark.parametrize("name", NAMES)
def test_a_passage_that_is_not_there_is_named(name):
    changed = public(name)
    passages = wording.words(name, asked.numbered(name.upper(), 7, 0))
    cell_id = next(each for each, found in passages.items() if found)
    for cell in changed.cells:
        if facts(cell).get("grade_id") == cell_id:
            cell.source = "something else"
    with pytest.raises(wording.Misfit, match=f"cell {cell_id}: .* 0 times"):
        wording.rewrite(
            changed, name, asked.numbered(name.upper(), 7, 0), iter([])
        )


@pytest.mark.parametrize("number", CHOSEN["a2"])
def test_the_numbers_in_the_words_of_another_loss_are_true(number):
    """s/(1 + e^(sm)) is s far below 0, and s/2 at the decision line.

    On rows s times as long, λ = s² leads to w/s: the same scores, and to the
    same least objective as λ = 1 on the rows as they are.
    """
    made = rewritten("a2", number)
    texts = {facts(cell).get("grade_id"): cell.source for cell in made.cells}
    said = re.search(
        r"\$([0-9]+)/\(1 \+ e\^\{([0-9]*)m\}\)\$. It is close to ([0-9]+) for "
        r"badly\s+wrong examples, ([0-9.]+|½) at",
        texts["question-cases"],
    )
    top, factor, far, middle = (
        {"": 1.0, "½": 0.5}.get(word) or float(word) for word in said.groups()
    )
    assert far == top == factor and middle == top / 2
    words = texts["question-probability"]
    lams = re.findall(r"with \$\\lambda = ([0-9]+)\$", words)
    X, y = random_problem(seed=0)
    wanted = optimum(X, y, 1.0, loss="log").primal
    for lam in lams:
        found = optimum(factor * X, y, float(lam), loss="log").primal
        assert found == pytest.approx(wanted, rel=1e-6)
    assert len(lams) == 2
    # What the texts give to aim at is what a right answer gives.
    names = answers(made)
    (told,) = re.findall(
        r"\(-10\{,\}000\) = (\d+)\{,\}000\$", texts["text-02"]
    )
    assert names["log_loss"](np.array([-10_000.0])) == 1000 * int(told)
    (told,) = re.findall(r"give \$w_2 = ([0-9.]+)\$", texts["text-10"])
    rows, labels = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])
    one = rows, labels, 0.25, np.array([0])
    assert names["pegasos"](*one)[0] == pytest.approx(float(told), rel=1e-3)
    (told,) = re.findall(r"hinge\s+it\s+is ([0-9.]+)\.", texts["text-10"])
    step = asked.solve(*one, t0=asked.numbered("A2", number, 11).t0)
    assert step[0] == pytest.approx(float(told), rel=1e-3)
    # If another loss makes the same first step, it is said.
    same = names["pegasos"](*one)[0] == pytest.approx(step[0])
    assert ("That is the same" in texts["text-10"]) == same


@pytest.mark.parametrize(
    "name, number", [(name, n) for name in NAMES for n in CHOSEN[name]]
)
def test_a_variants_own_solution_passes(no_clock, name, number):
    made = rewritten(name, number)
    wrong, tried = failed(made, answers(made))
    assert wrong == set() and len(tried) >= 3


@pytest.mark.parametrize("name", NAMES)
def test_the_public_solution_fails_what_is_asked_otherwise(no_clock, name):
    names = answers(public(name))
    for number in CHOSEN[name]:
        variant = asked.numbered(name.upper(), number, 11)
        made = rewritten(name, number)
        varied = {
            task for task, each in asked_of(made, variant).items() if any(each)
        }
        wrong, tried = failed(made, names)
        expected = set(varied)
        if name == "a4" and variant.loss == "hinge":
            assert variant.per_round  # so the regret differs, too
        assert wrong == expected, number
        assert len(varied) >= 3 and varied <= tried


def besides_k(questions, task):
    """What is asked in a test, but for what a loop over a batch takes as is:
    a solver gets batches of any size, only `visits` makes them."""
    return [
        {
            name: each[name]
            for name in each
            if name != "k" or task == "visits-check"
        }
        for each in questions[task]
    ]


@pytest.mark.parametrize("name", NAMES)
def test_a_classmates_solution_fails_where_the_questions_differ(
    no_clock, name
):
    made = {number: rewritten(name, number) for number in CHOSEN[name]}
    names = {number: answers(made[number]) for number in made}
    questions = {
        number: asked_of(
            made[number], asked.numbered(name.upper(), number, 11)
        )
        for number in made
    }
    for mine, theirs in itertools.combinations(made, 2):
        differ = {
            task
            for task in questions[mine]
            if besides_k(questions[mine], task)
            != besides_k(questions[theirs], task)
        }
        assert differ
        wrong, _ = failed(made[mine], names[theirs])
        assert wrong == differ, (mine, theirs)


@pytest.mark.parametrize("t0", [1, 3, 4, 7, 9])
def test_a_classmates_file_that_differs_in_t0_alone(no_clock, t0):
    """Handed in as a whole; its solver calls its step size.

    A t0 beside one's own, 2, is how one miscounts: that costs the step size.
    """
    page = (tasks.ROOT / "book" / "lecturers.md").read_text("utf-8")
    said = "differs by one in $t_0$ loses the points of the step alone"
    assert said in " ".join(page.split())
    mine, theirs = (
        wording.rewrite(
            public("a1"),
            "a1",
            Variant(seed=11, t0=each, k=2, returns="average"),
            itertools.count(5000),
        )
        for each in (2, t0)
    )
    assert as_a_whole(mine, answers(mine)) == set()
    loses = {"step-size-check"}
    if abs(t0 - 2) > 1:
        parts = ("early", "late", "small", "edges")  # not the loop itself
        loses |= {f"pegasos-{part}" for part in parts}
    assert as_a_whole(mine, answers(theirs)) == loses


def as_a_whole(notebook, names):
    """The tests that a file fails, cell by cell, after `repaired` as well."""
    wrong = set()
    for cell in notebook.cells:
        known = facts(cell).get("grade_id")
        if known in ("variant", "repaired"):
            run(cell.source, names)
        elif is_test(cell) and "coursework.check" in cell.source:
            try:
                run(cell.source, names)
            except AssertionError:
                wrong.add(known)
    return wrong


def test_the_public_notebook_without_a_variant_is_unchanged(no_clock):
    """The same machinery on what is public: nothing fails."""
    for name in NAMES:
        wrong, _ = failed(public(name), answers(public(name)))
        assert wrong == set()


@pytest.mark.parametrize(
    "asks, said",
    [
        ({"t0": -1}, "t0 is -1"),
        ({"k": 0}, "k is 0"),
        ({"seed": 1.5}, "seed"),
        ({"returns": "mean"}, "returns is 'mean'"),
        ({"loss": "squared"}, "loss is 'squared'"),
        ({"projected": "yes"}, "projected"),
    ],
)
def test_a_variant_that_cannot_be_is_refused(asks, said):
    with pytest.raises((ValueError, TypeError), match=said):
        Variant(**asks)


def test_the_references_agree_with_a_plain_loop():
    """Written once more, with nothing of the package in it."""
    for number in CHOSEN["a1"]:
        v = asked.numbered("A1", number, 5)
        task = TASKS["A1.pegasos"].as_asked(v.asks())
        for case in task.cases(5):
            assert case["order"].shape[1] == v.k
            wanted = by_hand(**case, v=v)
            assert np.allclose(task.reference(**case), wanted, rtol=1e-9)


def by_hand_iterates(X, y, lam, order, v):
    w = np.zeros(X.shape[1])
    for t, rows in enumerate(order, 1):
        yield w
        eta, g = 1 / (lam * (t + v.t0)), lam * w
        for i in rows:
            if y[i] * (w @ X[i]) < 1:
                g = g - y[i] * X[i] / len(rows)
        w = w - eta * g


def by_hand(X, y, lam, order, v):
    W = list(by_hand_iterates(X, y, lam, order, v))
    T = len(W)
    weights = {
        "average": [1.0] * T,
        "half": [float(t > T // 2) for t in range(1, T + 1)],
        "weighted": [float(t) for t in range(1, T + 1)],
    }[v.returns]
    return sum(c * w for c, w in zip(weights, W)) / sum(weights)


# What is said of wrong answers


MINE = Variant(seed=3, t0=3, k=4, returns="half")


def test_the_public_answer_is_told_what_differs():
    report = coursework.check("A1.pegasos", two_branches, MINE)
    assert not report.passed
    assert report.mistake == variants.ELSEWHERE
    for said in ("names 4 rows", "1/(λ(t + 3))", "last half"):
        assert said in report.message


@pytest.mark.parametrize(
    "other, told, not_told",
    [
        ({"t0": 5}, "1/(λ(t + 5))", "last half"),
        ({"returns": "last"}, "w after the last step", "1/(λ"),
        ({"t0": 0}, "1/(λt)", "rows of X"),
    ],
)
def test_one_thing_that_differs_is_told_alone(other, told, not_told):
    theirs = Variant(**{**MINE.asks(), **other})

    def answer(X, y, lam, order):
        v = Variant(**{"returns": "last", **theirs.asks()})
        if v.returns != "last":
            return by_hand(X, y, lam, order, v)
        # w after the last step is the newest of the averaged iterates.
        longer = np.vstack([order, order[:1]])
        now = by_hand(X, y, lam, longer, Variant(t0=v.t0, returns="average"))
        before = by_hand(X, y, lam, order, Variant(t0=v.t0, returns="average"))
        return len(longer) * now - len(order) * before

    report = coursework.check("A1.pegasos", answer, MINE)
    assert report.mistake == variants.ELSEWHERE, str(report)
    assert told in report.message.split("It is right for")[1]
    assert not_told not in report.message.split("It is right for")[1]


@pytest.mark.parametrize("task", ["A1.pegasos", "A3.pegasos", "A2.pegasos"])
def test_mistakes_in_a_variant_are_named_rightly(task):
    number = {"A1": 40, "A2": 20, "A3": 14}[task[:2]]
    v = asked.numbered(task[:2], number, 9)
    this = TASKS[task].as_asked(v.asks())
    right = variants.right_recipe(this)
    count = 0
    for part, choices in variants.possible_mistakes(this).items():
        for name, choice in choices:
            if choice is getattr(right, part):
                continue
            wrong = dataclasses.replace(right, **{part: choice})

            def answer(X, y, lam, order, wrong=wrong):
                return recipe.run(wrong, X, y, lam, order)

            report = coursework.check(task, answer, v)
            # It may be right, as a batch whose whole hit is the one row; then
            # it is seen that the recipe is ours.
            ours = ("borrowed-answer", "touches-all-columns")
            if report.passed or report.mistake in ours:
                continue
            assert report.mistake == name, (name, str(report))
            count += 1
    assert count >= 12


@pytest.mark.parametrize("task", ["A1.pegasos", "A3.pegasos", "A3.average"])
def test_nothing_false_is_said_of_the_public_styles(task):
    """Right for the public edition: told so, and never a mistake's name."""
    number = {"A1": 0, "A3": 14}[task[:2]]
    v = asked.numbered(task[:2], number, 9)
    for style in STYLES[task]:
        report = coursework.check(task, style, v)
        assert report.mistake in (variants.ELSEWHERE, None), str(report)
        assert "In your variant" in report.message


def test_a_multiple_of_the_right_step_is_measured():
    report = coursework.check(
        "A1.step_size", lambda lam, t: 2 / (lam * (t + 3)), MINE
    )
    assert report.mistake is None
    assert "2 times what is expected" in report.message


def test_a_batch_is_shown_with_its_rows():
    report = coursework.check(
        "A1.pegasos", lambda X, y, lam, order: np.ones(X.shape[1]), MINE
    )
    assert "row i = 0 (4 times)" in report.message


@pytest.mark.parametrize("borrowed", [asked.solve, asked.averaged])
def test_the_right_answers_of_variants_cannot_be_borrowed(borrowed):
    asks = MINE.asks()

    def pegasos(X, y, lam, order):
        if borrowed is asked.solve:
            return asked.solve(X, y, lam, order, **asks)
        W = list(by_hand_iterates(X, y, lam, order, MINE))
        return asked.averaged(W, MINE.returns)

    report = coursework.check("A1.pegasos", pegasos, MINE)
    assert report.mistake == "borrowed-answer"
    assert "coursework.asked" in report.message


def test_the_lecturers_page_shows_what_happens():
    page = (tasks.ROOT / "book" / "lecturers.md").read_text("utf-8")
    blocks = re.findall(r"```pycon\n(.*?)```", page, flags=re.DOTALL)
    assert any("Variant(" in block for block in blocks)
    for block in blocks:
        found = doctest.DocTestParser().get_doctest(block, {}, "page", "", 0)
        said = io.StringIO()
        assert (
            doctest.DocTestRunner().run(found, out=said.write).failed == 0
        ), said.getvalue()


# What an answer can read


def test_an_answer_cannot_read_what_its_notebook_asks():
    """So a file with one answer for every variant has none."""
    for number in range(0, asked.number_of_variants("A1"), 17):
        mine = asked.numbered("A1", number, 5)
        names = {"coursework": coursework}
        exec(wording.cell_of(mine).source, names)
        sealed = names["variant"]
        assert asked.as_variant(sealed) == mine
        assert asked.as_variant(sealed.with_seed(9)) == mine.with_seed(9)
        for word in (*mine.asks(), "seed", "asks"):
            assert not hasattr(sealed, word)

        def step_size(lam, t, sealed=sealed):
            return 1 / (lam * (t + sealed.t0))

        report = coursework.check("A1.step_size", step_size, sealed)
        assert "has no attribute 't0'" in str(report)


def test_an_answer_that_opens_its_variant_is_refused():
    sealed = asked.Sealed(asked.seal(MINE))

    def step_size(lam, t):
        return 1 / (lam * (t + asked.opened(sealed.code).t0))

    report = coursework.check("A1.step_size", step_size, sealed)
    assert report.mistake == "borrowed-answer"


@pytest.mark.parametrize("code", ["", "x", 3, "AAAA", None])
def test_a_code_that_is_none_is_refused(code):
    with pytest.raises(ValueError, match="the code of a variant is"):
        coursework.variant(code)


def test_all_codes_are_of_one_length():
    codes = {
        len(asked.seal(asked.numbered(name.upper(), number, seed)))
        for name in NAMES
        for number in (0, 5)
        for seed in (0, 2**31)
    }
    assert len(codes) == 1


# The course


ROSTER = """\
id,Student,ID,SIS User ID,SIS Login ID,Section,Email address
ada,"Lovelace, Ada",1,u1,ada,S1,ada@example.org
bob,"Müller, =Bob",2,u2,bob,S1,bob@example.org
cyd,=Cyd,3,u3,cyd,S1,cyd@example.org
"""


def make(folder, *options, key=KEY):
    edition.main(
        [
            *("--secret", key, "--out", str(folder / "course")),
            *("--solutions", str(PUBLIC), *options),
        ]
    )
    return folder / "course"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("own")
    (folder / "roster.csv").write_text(ROSTER, "utf-8")
    return make(folder, "--students", str(folder / "roster.csv"))


def texts(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_the_same_secret_makes_the_same_course(made, tmp_path):
    before = texts(made)
    (tmp_path / "roster.csv").write_text(ROSTER, "utf-8")
    again = make(tmp_path, "--students", str(tmp_path / "roster.csv"))
    assert texts(again) == before


def test_a_student_keeps_the_variant_whoever_else_comes(made, tmp_path):
    lines = ROSTER.splitlines()
    fewer = [lines[0], "eve,Eve,9,u9,eve,S1,eve@example.org", lines[1]]
    (tmp_path / "roster.csv").write_text("\n".join(fewer), "utf-8")
    again = texts(make(tmp_path, "--students", str(tmp_path / "roster.csv")))
    kept = [name for name in again if "/ada/" in name]
    assert len(kept) == 8
    assert all(again[name] == texts(made)[name] for name in kept)


def test_another_secret_makes_other_questions():
    ours, theirs = (
        [edition.variant_of(key, name, str(n)) for n in range(30)]
        for key in (KEY, KEY + "!")
        for name in ["a1"]
    )
    assert sum(a == b for a, b in zip(ours, theirs)) == 0


def test_variants_are_spread_over_all_that_can_be_asked():
    for name in NAMES:
        most = asked.number_of_variants(name.upper())
        found = {
            repr(edition.variant_of(KEY, name, str(n)).with_seed(0))
            for n in range(20 * most)
        }
        assert len(found) == most


def test_what_is_given_out_gives_nothing_away(made):
    given = texts(made / "hand-out")
    assert len(given) == 3 * 4 + 1
    for name, text in given.items():
        assert KEY not in text
        for word in ("SOLUTION", "HIDDEN", "Model answer", "Marking"):
            assert word not in text, name
    for student in ("ada", "bob", "cyd"):
        for name in NAMES:
            path = f"private/solutions/students/{student}/{name}/{name}.ipynb"
            own = json.loads(texts(made)[path])
            sources = ["".join(cell["source"]) for cell in own["cells"]]
            hidden = {
                seed
                for source in sources
                for seeds in re.findall(r"for seed in \(([\d, ]+)\)", source)
                for seed in seeds.split(", ")
            }
            assert hidden
            text = "".join(given.values())
            assert not [seed for seed in hidden if seed in text]


def test_the_secret_is_nowhere_in_the_course(made):
    assert all(KEY not in text for text in texts(made).values())


def test_students_get_what_nbgrader_makes():
    """Of the public solutions, the public notebooks."""
    config = course.configure(".", PUBLIC)
    for name in NAMES:
        given = course.students_version(config, public(name))
        released = (tasks.ASSIGNMENTS / f"{name}.ipynb").read_text("utf-8")
        assert nbformat.writes(given) + "\n" == released


def test_a_notebook_given_out_checks_its_own_variant(made):
    """With the installed package alone, as at a student's desk."""
    given = nbformat.read(made / "hand-out" / "ada" / "a1.ipynb", as_version=4)
    own = nbformat.read(
        made / "private/solutions/students/ada/a1/a1.ipynb", as_version=4
    )
    wrong, tried = failed(given, answers(own))
    assert wrong == set() and "pegasos-late" in tried


@pytest.mark.parametrize(
    "key, said",
    [("short", "has 5 characters; expected at least 16"), ("", "has 0")],
)
def test_a_secret_that_can_be_guessed_is_refused(tmp_path, key, said):
    with pytest.raises(SystemExit, match=said):
        make(tmp_path, key=key)
    assert not (tmp_path / "course").exists()


def test_a_course_is_not_overwritten_with_another_secret(tmp_path):
    before = texts(make(tmp_path))
    with pytest.raises(SystemExit, match="made with another secret"):
        make(tmp_path, key=KEY[::-1])
    assert texts(tmp_path / "course") == before


@pytest.mark.parametrize("students", [[], ["ada", "bob"]])
def test_whose_secret_made_a_course_is_known_by_what_it_asks(
    students, tmp_path
):
    assert not edition.other_secret(tmp_path, KEY, students)
    lines = [
        edition.line_of(KEY, name, student)
        for student in students or [""]
        for name in NAMES
    ]
    (tmp_path / edition.PRIVATE).mkdir()
    path = tmp_path / edition.PRIVATE / edition.TABLE
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, edition.COLUMNS)
        writer.writeheader()
        writer.writerows(lines)
    assert not edition.other_secret(tmp_path, KEY, students)
    assert edition.other_secret(tmp_path, KEY[::-1], students)


# The rules and the marking guide


def test_rules_that_were_edited_are_kept_and_used(tmp_path):
    path = make(tmp_path) / "private" / rules.NAME
    text = path.read_text("utf-8").replace("most_days = 5", "most_days = 2")
    text = text.replace('due = ""', 'due = "2027-04-30 23:59"', 1)
    path.write_text(text, "utf-8")
    again = texts(make(tmp_path))
    assert again["private/rules.toml"] == text
    for page in ("hand-out/rules.md", "private/marking.md"):
        assert "| A1 | 2027-04-30 23:59 |" in again[page]
        assert "| 2 | 20 % of the points" in again[page]
        assert "| 3 | 30" not in again[page]
    assert "does not use the times of\nfiles" in again["private/marking.md"]


@pytest.mark.parametrize(
    "old, new, said",
    [
        (
            "percent_a_day = 10",
            "percent_a_day = 200",
            "percent_a_day .* from 0 to",
        ),
        ('due = ""', 'due = "soon"', "due in .a1. is 'soon'"),
        ('title = "A2"', "title = 2", "title in .a2. is 2; expected a text"),
        ("[late]", "[later]", "percent_a_day in .late. is None"),
        ("[late]", "[late", "cannot be read"),
    ],
)
def test_rules_that_make_no_sense_are_refused(tmp_path, old, new, said):
    path = tmp_path / rules.NAME
    rules.read_or_begin(path)
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(rules.BadRules, match=said):
        rules.read_rules(path)


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_graded_samples(name):
    """A good, a middling and a poor one, with points that can be."""
    found = guide.questions(PUBLIC / name / f"{name}.ipynb")
    samples = guide.read_samples(PUBLIC)[name]
    assert {question["id"] for question in found} == set(samples)
    for question in found:
        given = [sample["points"] for sample in samples[question["id"]]]
        assert given == sorted(given, reverse=True) and len(given) == 3
        assert given[0] == question["points"] and 0 <= given[-1] < given[1]
        assert "*Marking.*" in question["answer"]


def test_the_marking_guide_holds_every_question(made):
    text = (made / "private" / "marking.md").read_text("utf-8")
    count = 0
    for name in NAMES:
        for question in guide.questions(PUBLIC / name / f"{name}.ipynb"):
            assert f"(`{question['id']}`)" in text
            assert question["answer"] in text
            count += 1
    assert count == 20
    assert text.count("> ") >= 60


# Graded

# One file for everybody: it finds out what is asked, before any answer runs.
OPENED = "from pegasos_edu.coursework import asked\n"
OPENED += "V = asked.opened(variant.code)\n"
FOR_EVERYBODY = {
    "def step_size": OPENED
    + """
def step_size(lam, t):
    return 1 / (lam * (t + V.t0))
""",
    "def visits": """
def visits(n, T, seed):
    return np.random.default_rng(seed).integers(n, size=(T, V.k))
""",
    "def pegasos": """
def pegasos(X, y, lam, order):
    w, W = np.zeros(X.shape[1]), []
    for t, rows in enumerate(order, 1):
        W.append(w)
        eta = 1 / (lam * (t + V.t0))
        add = sum(y[i] * X[i] * (y[i] * (w @ X[i]) < 1) for i in rows)
        w = (1 - eta * lam) * w + eta * add / len(rows)
    W, T = np.array(W), len(order)
    weights = {
        "average": np.ones(T),
        "half": np.arange(1, T + 1) > T // 2,
        "weighted": np.arange(1, T + 1),
    }[V.returns]
    return weights @ W / weights.sum()
""",
}


def for_everybody(path):
    """A solution with such answers in it."""
    made = nbformat.read(path, as_version=4)
    found = []
    for cell in made.cells:
        for begin, code in FOR_EVERYBODY.items():
            if begin in cell.source and facts(cell).get("solution"):
                cell.source = code
                found.append(begin)
    assert found == list(FOR_EVERYBODY)
    return made


def test_a_file_for_everybody_would_answer_every_variant(made):
    """At a student's desk, where the variant is known to the notebook."""
    for student in ("ada", "bob", "cyd"):
        path = made / "private/solutions/students" / student / "a1/a1.ipynb"
        own = nbformat.read(path, as_version=4)
        names = answers(own) | {"coursework": coursework, "np": np}
        run(next(c.source for c in own.cells if c.id == "variant"), names)
        for code in FOR_EVERYBODY.values():
            run(code, names)
        wrong, tried = failed(own, names)
        assert wrong == set() and "pegasos-late" in tried


@pytest.fixture(scope="module")
def graded(made, tmp_path_factory):
    """Own solutions, public ones, a classmate's, and somebody unknown."""
    folder = tmp_path_factory.mktemp("graded")
    own = made / "private" / "solutions" / "students" / "ada"
    for student in ("ada", "bob", "cyd", "eve"):
        (folder / "in" / student).mkdir(parents=True)
    for name in NAMES:
        shutil.copy(own / name / f"{name}.ipynb", folder / "in" / "ada")
    shutil.copy(PUBLIC / "a1" / "a1.ipynb", folder / "in" / "bob")
    shutil.copy(own / "a2" / "a2.ipynb", folder / "in" / "cyd")
    shutil.copy(own / "a2" / "a2.ipynb", folder / "in" / "eve")
    theirs = own.with_name("cyd") / "a1" / "a1.ipynb"
    nbformat.write(for_everybody(theirs), folder / "in" / "cyd" / "a1.ipynb")
    shutil.copy(made / "hand-out" / "cyd" / "a4.ipynb", folder / "in" / "cyd")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pegasos_edu.grading", folder / "in"),
            *("--out", folder / "out", "--cell-seconds", "60"),
            *("--solutions", made / "private" / "solutions"),
            *isolated.OPTIONS,
        ],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "still to be marked" in done.stdout
    return folder / "out"


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def line(graded, student, name):
    columns, *lines = table(graded / "scores.csv")
    (found,) = [one for one in lines if one[:2] == [name, student]]
    return dict(zip(columns, found, strict=True))


@pytest.mark.processes
@pytest.mark.parametrize("name", NAMES)
def test_the_own_solution_earns_full_marks(graded, name):
    found = line(graded, "ada", name)
    for track in ("", "stretch_"):
        score, to_mark, out_of = (
            float(found[track + column]) for column in tables.POINTS
        )
        assert score + to_mark == out_of > 0
    assert found["reason"] == ""


@pytest.mark.processes
def test_the_public_solution_does_not(graded):
    """13 points are for what is asked of everybody alike."""
    assert line(graded, "bob", "a1")["score"] == "13"


@pytest.mark.processes
def test_a_classmates_solution_does_not(graded):
    assert float(line(graded, "cyd", "a2")["score"]) <= 1


@pytest.mark.processes
def test_of_a_classmates_file_the_lecturer_is_told_whose_it_is(graded):
    """The student is told that it is another's, and no name."""
    said = "the notebook that was handed out to "
    assert line(graded, "cyd", "a2")["note"].endswith(said + "ada")
    for student, name in [("ada", "a2"), ("bob", "a1"), ("cyd", "a1")]:
        assert said not in line(graded, student, name)["note"]
    page = (graded / "cyd" / "a2.html").read_text("utf-8")
    assert f"{said}somebody else.\n" in page


def test_whose_a_notebook_is_its_locked_cell_says(made, tmp_path):
    solutions = made / "private" / "solutions"
    given = made / "hand-out" / "ada" / "a1.ipynb"

    def note(change, student="bob"):
        notebook = nbformat.read(given, as_version=4)
        cell = next(c for c in notebook.cells if c.id == "variant")
        change(notebook.cells, cell)
        nbformat.write(notebook, tmp_path / "a1.ipynb")
        path = tmp_path / "a1.ipynb"
        return whose.note_on_whose(path, student, "a1", solutions)

    def unmarked(cells, cell):
        cell.metadata = {}
        cell.source = cell.source.replace("'", '"').replace("\n", " ")

    def nobodys(cells, cell):
        code = asked.seal(asked.numbered("A1", 3, 4))
        cell.source = f"variant = coursework.variant({code!r})"

    def tried(cells, cell):
        """A classmate's code in a cell of one's own is no notebook."""
        cells.append(nbformat.v4.new_code_cell(cell.source))
        nobodys(cells, cell)

    def same(cells, cell):
        pass

    said = "the notebook that was handed out to ada"
    assert [note(same), note(unmarked)] == [said, said]
    assert [note(nobodys), note(tried), note(same, "ada")] == ["", "", ""]
    assert note(same, "eve") == ""  # who is not in the roster is told that
    assert whose.note_on_whose(None, "bob", "a1", solutions) == ""
    assert whose.note_on_whose(given, "bob", "a1", PUBLIC) == ""


@pytest.mark.processes
def test_a_file_for_everybody_answers_a_decoy_in_grading(graded):
    """The notebook's process is never told which variant it is.

    Its step size answers the decoy, so it is not put right for what follows;
    the points of a step, for which everybody is asked, are not lost.
    """
    columns, *lines = table(graded / "tasks.csv")
    scored = {
        one[2]: float(one[columns.index("score")])
        for one in lines
        if one[:2] == ["a1", "cyd"]
    }
    assert scored["objective-check"] == 2
    for task in ("step-size", "visits"):
        assert scored[f"{task}-check"] == 0
    for part in ("loop", "early", "late", "small", "edges"):
        assert scored[f"pegasos-{part}"] == 0
    note = line(graded, "cyd", "a1")["note"]
    assert "to be read" in note and "variant" in note


@pytest.mark.processes
def test_the_page_says_of_a_variant_what_a_check_says(graded):
    """Though its tests run in the grader's process alone."""
    page = (graded / "ada" / "a1.html").read_text("utf-8")
    assert "A1.pegasos: passed" in page
    page = (graded / "bob" / "a1.html").read_text("utf-8")
    assert "A1.step_size: not yet" in page and "you returned" in page
    assert "HIDDEN" not in page


@pytest.mark.processes
def test_in_what_nobody_touched_there_is_nothing_to_mark(graded):
    """Though a question of a variant has words of its own."""
    found = line(graded, "cyd", "a4")
    assert [found["to_mark"], found["stretch_to_mark"]] == ["0", "0"]


@pytest.mark.processes
def test_who_is_not_in_the_roster_is_told_so(graded):
    found = line(graded, "eve", "a2")
    assert found["score"] == "0"
    assert found["reason"] == "nobody in the course's roster has the id eve"


@pytest.mark.processes
def test_the_gradebooks_hold_what_was_scored(graded):
    """In the form in which the two platforms read them."""
    canvas = table(graded / "canvas.csv")
    assert canvas[0] == [
        *("Student", "ID", "SIS User ID", "SIS Login ID", "Section"),
        *("A1", "A1 (stretch)", "A2", "A2 (stretch)"),
        *("A3", "A3 (stretch)", "A4", "A4 (stretch)"),
    ]
    assert "Points Possible" in canvas[1][0]
    assert canvas[1][5:] == ["32", "5", "25", "5", "30", "6", "30", "5"]
    assert [one[0] for one in canvas[2:]] == [
        *("Lovelace, Ada", "Müller, =Bob", "=Cyd"),
    ]
    moodle = table(graded / "moodle.csv")
    assert moodle[0][:3] == ["Email address", "A1", "A1 (stretch)"]
    assert moodle[1][:3] == ["ada@example.org", "25", "2"]
    assert "Question 1: order: not yet marked, 2 points" in moodle[1][3]
    # Three were not handed in; the stretch task of A1 asks everybody alike.
    assert canvas[3][5:] == ["13", "2", *[""] * 6]
