"""What an assistant asks leads to the mistake: it shows in what is asked for.

A question has numbers in it, or names what to print. Here the same is
computed by every mistake that stands under the question: it must differ from
what is right.
"""

import inspect
import re

import numpy as np
import pytest

from pegasos_edu.coursework.diagnosis.names import names_by_kind
from pegasos_edu.coursework.diagnosis.parts import PARTS, cut_off, sigmoid
from pegasos_edu.coursework.diagnosis.recipe import (
    OF_A_BALL,
    PROJECTED,
    RIGHT,
    run,
)
from pegasos_edu.coursework.diagnosis.search import called
from pegasos_edu.coursework.diagnosis.values import CUTS, FORMULAS
from pegasos_edu.coursework.questions.ask import ask
from pegasos_edu.coursework.questions.exhibits import QUESTIONS
from pegasos_edu.coursework.questions.kinds import BALL, OF_A_KIND, OWN
from pegasos_edu.coursework.questions.places import (
    ANSWERS,
    BY_PLACE,
    OF_A_TASK,
)
from pegasos_edu.coursework.sheet import SOLVE, found_by_measuring, rows
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo import ZOO
from tests.coursework.once_unnamed import WRONG as ONCE_UNNAMED

LAM, ROWS = 0.1, 7
ORDER = np.array([2, 0, 1, 1, 0, 2, 2, 0, 1, 2, 1, 0])  # of three rows
W, X = np.array([1.0, -2.0]), np.array([3.0, 4.0])


def of_a_run(choice):
    """Print t at each step, if every other step has a violator."""
    return [choice(s, 3, 12, s // 2, s - 1 - s // 2) for s in range(1, 13)]


def in_three_steps(returns):
    """What runs of one to three steps return, on many iterates.

    In some of them the second step is quiet, so that it halves w.
    """
    rng, found = np.random.default_rng(0), []
    for quiet in (False, True):
        first = rng.standard_normal(3)
        second = first / 2 if quiet else rng.standard_normal(3)
        iterates = [np.zeros(3), first, second, rng.standard_normal(3)]
        runs = [iterates[: T + 1] for T in (1, 2, 3)]
        found.append([returns(each, LAM, ROWS) for each in runs])
    return found


# What a question asks for, of a choice for a part: a list of cases, in each
# of which the mistake must show in some number. That of the label is open.
SHOWS = {
    "data": lambda of: [of(np.outer(X, X) + np.eye(2), np.ones(2))[0][0]],
    "whose": lambda of: [
        [of(i, s, ORDER, 3) for s, i in enumerate(ORDER, start=1)]
    ],
    "rows": lambda of: [[np.ravel(i).tolist() for i in of(ORDER, 3)]],
    "eta": lambda of: [[of(LAM, t, ROWS) for t in (1, 2, 3)]],
    "count": lambda of: [of_a_run(of)],
    "shrink": lambda of: [of(1 / (3 * LAM), LAM, 3, ROWS)],
    "when": lambda of: [[of(hit, X, W, 0.5).tolist() for hit in (1, 0)]],
    "pull": lambda of: [
        [float(of(m, y)) for m in (-1, 0.5, 2)] for y in (-1.0, 1.0)
    ],
    "add": lambda of: [of(1 / (2 * LAM), LAM, 2, ROWS, 0.5)],
    "label": lambda of: [of(-1.0)],
    "project": lambda of: [[of(v, LAM).tolist() for v in (W, X / 100)]],
    "bias": lambda of: [of is None],
    "start": lambda of: [of(3)],
    "returns": in_three_steps,
}
OF_A_STEP = {
    "shrink": lambda of: [of(2.0, LAM, None, None)],
    "add": lambda of: [of(2.0, LAM, None, None, 0.8)],
}
SHORT, LONG = np.array([0.9, 1.2]), np.array([1.8, 2.4])


def in_a_ball(project):
    return [[project(w, 0.25).tolist() for w in (SHORT, LONG)]]


def differs(yours, wanted):
    """Whether something differs in every case."""
    return all(
        np.shape(a) != np.shape(b) or not np.allclose(a, b, rtol=1e-3, atol=0)
        for a, b in zip(yours, wanted, strict=True)
    )


def right_recipe(task):
    if task in RIGHT:
        return RIGHT[task]
    return RIGHT["A1.pegasos"] if task == "A1.step" else PROJECTED


def choices_of(task, part):
    """Names and choices that are mistakes there."""
    all_of_them = PARTS[part]
    if part == "project" and task.endswith("projected"):
        all_of_them = OF_A_BALL
    right = getattr(right_recipe(task), part)
    return [
        (called(task, name), choice)
        for name, choice in all_of_them
        if choice is not right
    ]


def asked_of(task):
    """The questions of a task by name, and the kinds of each name."""
    return {name: question for name, _, question in found_by_measuring(task)}


KINDS = {*OF_A_KIND, "formula"}


def kinds_question(task, kind):
    return {**OF_A_KIND, **BY_PLACE.get(task, {})}.get(kind)


@pytest.mark.parametrize("task", [*SOLVE, "A1.step"])
def test_a_mistake_shows_in_what_the_question_of_its_part_asks_for(task):
    asked, right, seen = asked_of(task), right_recipe(task), set()
    for part, shows in SHOWS.items():
        of_a_step = OF_A_STEP.get(part) if task == "A1.step" else None
        shows = of_a_step or shows
        if kinds_question(task, part) == BALL:
            shows = in_a_ball
        for name, choice in choices_of(task, part):
            if asked.get(name) != kinds_question(task, part):
                continue
            yours, wanted = shows(choice), shows(getattr(right, part))
            assert differs(yours, wanted), (name, yours, wanted)
            seen.add(part)
    assert {"shrink", "add", "pull"} <= seen
    assert task == "A1.step" or set(SHOWS) - {"label"} <= seen | {"project"}


# The examples in the questions about formulas
EXAMPLES = {
    "A1.objective": (
        np.array([1.0, 2.0]),
        np.array([[0.0, 2.0], [-1.0, 0.0], [0.0, -1.0]]),
        np.array([1.0, 1.0, -1.0]),
        0.4,
    ),
    "A1.step_size": (0.1, np.array([1, 2, 3])),
    "A1.wasted": (
        np.array([[0.0, 1, 0], [2, 0, 3], [0, 0, 0]]),
        np.array([0, 1, 1]),
    ),
    "A2.log_loss": (np.array([0.0, 2.0]),),
    "A2.slope": (np.array([-2.0, 2.0]),),
    "A2.probability": (np.ones(1), np.array([[0.0], [2.0]])),
    "A2.curvature": (np.array([0.0, 2.0]),),
    "A4.bound": (0.25, 3.0, 10),
    "A4.slope": (np.array([1.0, 10, 100]), np.array([5, 0.05, 0.0005])),
    "A4.crossing": (
        np.array([1.0, 100, 10_000]),
        np.array([10_000.0, 100, 1]),
        np.array([10, 1, 0.1]),
    ),
}


def test_every_formula_with_a_question_of_its_kind_has_its_example():
    asked = {task for task, of in BY_PLACE.items() if "formula" in of}
    assert asked == set(EXAMPLES) <= set(FORMULAS)


@pytest.mark.parametrize("task", EXAMPLES)
def test_a_mistake_shows_in_the_example_of_its_formula(task):
    asked, seen = asked_of(task), set()
    wanted = TASKS[task].reference(*EXAMPLES[task])
    for names, formula in FORMULAS[task]():
        names = tuple(filter(None, names))
        if len(names) != 1 or names[0] not in asked:
            continue
        if asked[names[0]] != BY_PLACE[task]["formula"]:
            continue
        with np.errstate(all="ignore"):
            value = formula(*EXAMPLES[task])
        assert differs([value], [wanted]), names
        seen |= set(names)
    of_the_kind = {
        name
        for name, question in asked.items()
        if question == BY_PLACE[task]["formula"]
    }
    assert seen == of_the_kind and len(seen) > 3


def steps_named(question):
    """The lengths of the runs that a question names."""
    words = {1: r"one step\b|T = 1\b", 2: r"\btwo\b", 3: r"\bthree\b"}
    return {T for T, word in words.items() if re.search(word, question)}


def test_no_question_about_short_runs_stands_where_only_longer_ones_show():
    """Of what is returned, by the zoo's questions as well."""
    met = set()
    for task in SOLVE:
        asked = asked_of(task) | {name: q for name, _, _, q in rows(task)}
        for name, choice in choices_of(task, "returns"):
            lengths = steps_named(asked.get(name, ""))
            if not lengths:
                continue
            met.add(asked[name])
            right = right_recipe(task).returns
            for yours, wanted in zip(
                in_three_steps(choice), in_three_steps(right)
            ):
                assert any(
                    differs([yours[T - 1]], [wanted[T - 1]]) for T in lengths
                ), (task, name, asked[name])
    assert len(met) >= 3


def test_two_steps_would_not_show_a_mean_moved_by_one_over_T():
    """Hence three: the running mean of 0 and w is w/2 in both."""
    moved = [c for name, c in PARTS["returns"] if "moved" in name]
    mean = RIGHT["A3.average"].returns
    pairs = zip(in_three_steps(moved[0]), in_three_steps(mean))
    for yours, wanted in pairs:
        for T, same in ((1, True), (2, True), (3, False)):
            assert np.allclose(yours[T - 1], wanted[T - 1]) is same


def test_the_first_steps_show_a_projection_forgotten_at_one_end():
    X, y = np.array([[3.0, 4.0], [1.0, 0.0]]), np.array([1.0, -1.0])
    w = run(RIGHT["A1.pegasos"], X, y, LAM, np.array([0]))
    assert np.linalg.norm(w) > 1 / np.sqrt(LAM)


# The lecturers' list, and what was found like it.
LEADS_AWAY = {
    "T-has-no-effect",
    "a-row-never-drawn",
    "changes-an-argument",
    "differs-from-call-to-call",
    "draws-without-putting-back",
    "last-step-not-projected",
    "max-for-maximum",
    "minus-ones-not-added",
    "one-label-for-all",
    "projected-at-the-end-only",
    "right-for-some-labels-only",
    "answers-another-variant",
    "columns-for-rows",
    "test-decides-otherwise",
    "steps-with-momentum",
    "returns-an-earlier-iterate",
    "returns-the-history",
    "changes-every-column",
    "one-weight-not-shrunk",
    "uses-other-rows",
    "labels-treated-differently",
}


def test_who_has_a_question_never_gets_that_of_the_kind():
    assert set(OWN) >= LEADS_AWAY
    for task in TASKS:
        here = {**BY_PLACE.get(task[:2], {}), **BY_PLACE.get(task, {})}
        of_kinds = {kinds_question(task, kind) for kind in KINDS}
        for name, _, question in found_by_measuring(task):
            if name in OWN and here.get(name) not in KINDS:
                assert question not in of_kinds, (task, name)


def test_a_question_speaks_of_what_the_task_has():
    for task in TASKS:
        words = str(inspect.signature(TASKS[task].reference))
        for name, _, question in found_by_measuring(task):
            if task not in SOLVE and task != "A1.loop":
                assert "order" not in question or "order" in words, name
            if not task.startswith("A3"):
                assert not re.search(r"\ba is|\ba · v|which a\b", question)
            if task.startswith("A2"):
                assert not re.search("violator|quiet", question), name
            else:
                assert not re.search("log loss|sigmoid", question), name
            if task in ("A1.step", "A1.step_size"):
                assert "first step" not in question, (task, name)


def test_a_name_has_one_question_in_a_task():
    for task in TASKS:
        names = [name for name, *_ in found_by_measuring(task)]
        assert len(names) == len(set(names)), task
        assert {n for kind in names_by_kind(task).values() for n in kind} == {
            *names
        }


def test_every_question_is_asked_somewhere():
    asked = {q for task in TASKS for *_, q in found_by_measuring(task)}
    written = {*OF_A_KIND.values(), *OWN.values()}
    written |= {q for of in BY_PLACE.values() for q in of.values()}
    assert written - KINDS <= asked
    for place, words in BY_PLACE.items():
        for name in set(words) - KINDS:
            assert any(
                task.startswith(place) and name in asked_of(task)
                for task in TASKS
            ), (place, name)
    assert asked - written <= set(QUESTIONS.values())


def test_every_question_asks():
    written = [OF_A_TASK, OWN, OF_A_KIND, *BY_PLACE.values()]
    for question in [one for of in written for one in of.values()]:
        assert "?" in question or question in KINDS
        assert len(question.split()) <= 40
    assert set(OF_A_TASK) <= set(TASKS)


def test_a_kind_without_a_question_is_no_kind():
    with pytest.raises(KeyError, match="kin"):
        ask("A1.pegasos", "kin", "no-name")


# What is right, in brackets


def numbers_in(text):
    found = re.findall(r"−?\d+(?:\.\d+)?(?:/\d+)?", text)
    halves = (one.replace("−", "-").split("/") for one in found)
    return [float(a) / float(*b or ["1"]) for a, *b in halves]


def pulls(task):
    return [float(RIGHT[task].pull(m, 1.0)) for m in (-1, 0.5, 2)]


def test_the_answers_in_brackets_are_right():
    both = ("A1.pegasos", "A2.pegasos")
    right = RIGHT["A1.pegasos"]
    wanted = {
        OF_A_KIND["eta"]: [right.eta(LAM, t, 9) for t in (1, 2, 3)],
        OF_A_KIND["shrink"]: [right.shrink(1 / (3 * LAM), LAM, 3, 9)],
        OF_A_KIND["pull"]: [one for task in both for one in pulls(task)],
        OF_A_KIND["add"]: [RIGHT[task].pull(0.0, 1.0) * 5 for task in both],
        BALL: PROJECTED.project(LONG, 0.25).tolist(),
        BY_PLACE["A1.step"]["shrink"]: [1 - 2 * LAM],
        BY_PLACE["A1.step"]["add"]: [2.0],
        BY_PLACE["A1.wasted"]["formula"]: [4, 9],
    }
    assert PROJECTED.project(SHORT, 0.25).tolist() == SHORT.tolist()
    w, X, y, lam = EXAMPLES["A1.objective"]
    losses = np.maximum(0, 1 - y * (X @ w))
    wanted[BY_PLACE["A1.objective"]["formula"]] = [
        *losses,
        losses.mean(),
        lam / 2 * w @ w,
    ]
    assert TASKS["A1.wasted"].reference(*EXAMPLES["A1.wasted"]) == 4 / 9
    bound = BY_PLACE["A4.bound"]["formula"]
    _, whole, _, log, _, by = numbers_in(ANSWERS[bound])
    value = TASKS["A4.bound"].reference(*EXAMPLES["A4.bound"])
    assert whole * log / by == pytest.approx(value, rel=1e-3)
    crossing = BY_PLACE["A4.crossing"]["formula"]
    value = TASKS["A4.crossing"].reference(*EXAMPLES["A4.crossing"])
    assert "million" in ANSWERS[crossing] and value == pytest.approx(1e6)
    for task in EXAMPLES:
        question = BY_PLACE[task]["formula"]
        if question not in (bound, crossing, *wanted):
            value = TASKS[task].reference(*EXAMPLES[task])
            wanted[question] = np.ravel(value).tolist()
    assert set(wanted) | {bound, crossing} == set(ANSWERS)
    for question, values in wanted.items():
        assert numbers_in(ANSWERS[question]) == pytest.approx(
            values, abs=6e-4
        ), question


# Questions with numbers of their own


def test_where_an_exponent_is_cut_off_the_values_stay_the_same():
    for cut in CUTS:
        loss = np.logaddexp(0, -np.clip(-1000.0, -cut, cut))
        assert loss == np.logaddexp(0, -np.clip(-2000.0, -cut, cut))
        slope = sigmoid(-np.clip(30.0, -cut, cut))
        flat = slope == sigmoid(-np.clip(60.0, -cut, cut))
        # Beyond, no nine digits are wrong, and the name is not given.
        assert flat or abs(slope - np.exp(-30.0)) < 1e-12
    assert np.exp(-30.0) != np.exp(-60.0)
    for most in (5, 10, 20, 30, 50, 100):
        for pull in cut_off(most):
            assert float(pull(200.0, 1.0)) == float(pull(300.0, 1.0))
    assert np.exp(-200.0) != np.exp(-300.0)


def test_margins_near_one_would_not_show_every_threshold():
    """Hence the question asks where the border is."""
    by_two = [pull for name, pull in PARTS["pull"] if "threshold" in name][1]
    assert SHOWS["pull"](by_two) == SHOWS["pull"](RIGHT["A1.pegasos"].pull)
    assert "From which margin" in OWN["another-threshold"]


def test_a_factor_of_one_half_would_not_show_a_forgotten_one_minus():
    """Hence t = 3: at t = 2 both 1 − 1/t and 1/t are 1/2."""
    shrink = dict(PARTS["shrink"])["shrink-without-one-minus"]
    assert shrink(1 / (2 * LAM), LAM, 2, 9) == 0.5
    assert shrink(1 / (3 * LAM), LAM, 3, 9) == pytest.approx(1 / 3)


def test_what_is_said_of_an_answer_is_among_the_names_of_its_task():
    """The sheet of a task has a line for whatever a check says of it."""
    by_task = {
        task: {one.name for one in ZOO if one.task == task}.union(
            *names_by_kind(task).values()
        )
        for task in TASKS
    }
    assert len(ONCE_UNNAMED) > 50
    for task, _, said in ONCE_UNNAMED:
        for name in said.split(" + "):
            assert name in by_task[task], (task, name)
    # Where rows are drawn, and nowhere else.
    for name in ("draws-without-putting-back", "a-row-never-drawn"):
        assert [t for t in TASKS if name in by_task[t]] == ["A1.visits"]
