"""Every mistake is named, no right answer is refused."""

import subprocess
import sys

import numpy as np
import pytest

from pegasos_edu import coursework, optimum
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.tasks.classifier import best
from pegasos_edu.coursework.trial import call
from pegasos_edu.coursework.zoo import ZOO
from tests.coursework.styles import STYLES, two_branches


def timed(task):
    """The checks of assignment 3 measure what a step costs: in seconds."""
    return [pytest.mark.slow] if task.startswith("A3.") else []


@pytest.mark.parametrize(
    "mistake",
    [pytest.param(m, marks=timed(m.task), id=m.name) for m in ZOO],
)
def test_every_mistake_is_found_and_named(mistake):
    report = coursework.check(mistake.task, mistake.answer)
    assert not report.passed
    assert report.mistake == mistake.name
    assert mistake.hint in str(report)


@pytest.mark.slow
@pytest.mark.parametrize("variant", [1, 2, 3, 4])
def test_the_solvers_mistakes_are_named_in_every_variant(variant):
    for mistake in ZOO:
        if mistake.task in ("A1.pegasos", "A2.pegasos", "A4.regret"):
            report = coursework.check(mistake.task, mistake.answer, variant)
            assert report.mistake == mistake.name, variant


@pytest.mark.parametrize(
    "task, solution",
    [
        pytest.param(
            task, style, marks=timed(task), id=f"{task}-{style.__name__}"
        )
        for task in STYLES
        for style in STYLES[task]
    ],
)
def test_no_right_answer_is_refused(task, solution):
    report = coursework.check(task, solution)
    assert report.passed, str(report)
    assert report.mistake is None


@pytest.mark.parametrize(
    "name", [n for n in TASKS if n not in ("A1.classifier", "A1.loop")]
)
def test_the_reference_agrees_with_itself(name):
    asked = TASKS[name]
    for case in asked.cases(0):
        outcome = call(asked.reference, case)
        assert asked.judge(asked, asked.reference, case, outcome) == ""


def test_a_right_classifier_passes():
    class LinearSVC:
        def __init__(self, lam, T):
            self.lam, self.T = lam, T

        def fit(self, X, labels):
            self.names = sorted(set(labels.tolist()))
            y = np.where(labels == self.names[1], 1.0, -1.0)
            order = np.random.default_rng(1).integers(len(y), size=self.T)
            self.w = two_branches(X, y, self.lam, order)
            return self

        def predict(self, X):
            return [self.names[int(score > 0)] for score in X @ self.w]

    report = coursework.check("A1.classifier", LinearSVC)
    assert report.passed, str(report)


def test_the_zoo_is_large_and_its_names_are_unique():
    names = [mistake.name for mistake in ZOO]
    assert len(names) >= 25
    assert len(set(names)) == len(names)
    assert all(m.hint and m.symptom for m in ZOO)


def test_the_report_says_where_the_first_difference_is():
    def late(X, y, lam, order):
        """Right for ten steps, then updates are left out."""
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            violates = y[i] * (X[i] @ w) < 1 and t < 12
            w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
        return w

    report = coursework.check("A1.pegasos", late)
    assert not report.passed and report.mistake == "test-decides-otherwise"
    case = TASKS["A1.pegasos"].cases(0)[0]
    i = case["order"][14]
    assert f"at t = 15: row i = {i}" in str(report)
    assert "w before (as returned for 14 steps): [" in str(report)
    assert "X of shape (8, 2), y of shape (8,), lam = 0.1" in str(report)
    assert "w after, expected: [" in str(report)


@pytest.mark.parametrize(
    "answer, says",
    [
        (lambda X, y, lam, order: None, "returned None"),
        (lambda X, y, lam, order: (X[0], 3), "returned a tuple of 2"),
        (lambda X, y, lam, order: "w", "returned a str"),
        (lambda X, y, lam, order: np.zeros(99), "shape (99,)"),
        (lambda X, y, lam, order: X[0] * np.nan, "not finite"),
        (lambda X, y, lam, order: 1 / 0, "raised ZeroDivisionError"),
        (lambda X: X, "raised TypeError"),
    ],
)
def test_a_wrong_form_gets_a_sentence(answer, says):
    report = coursework.check("A1.pegasos", answer)
    assert not report.passed
    assert says in str(report)


@pytest.mark.parametrize("first", ["the same", "another"])
def test_what_is_said_already_is_not_said_again(first):
    """Of the first step that differs, where no w comes back."""

    def breaks_off(X, y, lam, order):
        if len(order) < 5:
            return TASKS["A1.pegasos"].reference(X, y, lam, order)
        if first == "another" and len(order) == 5:
            raise KeyError("five")
        raise ZeroDivisionError("division by zero")

    said = str(coursework.check("A1.pegasos", breaks_off))
    assert "a run of 5 steps is the first to differ" in said
    assert ("w after, yours:    see above" in said) == (first == "the same")
    assert ("raised KeyError" in said) == (first == "another")
    assert said.count("raised ZeroDivisionError") == 1


def test_changed_inputs_are_found_out():
    def changes_X(X, y, lam, order):
        X *= 2.0
        return two_branches(X / 2.0, y, lam, order)

    report = coursework.check("A1.pegasos", changes_X)
    assert not report.passed
    assert "changed its argument X" in str(report)


def test_the_kink_is_never_hit():
    """So that a margin test with < or <= makes no difference."""
    for name in ("A1.pegasos", "A3.pegasos"):
        for case in TASKS[name].cases(0):
            w = np.zeros(case["X"].shape[1])
            for t, i in enumerate(case["order"], 1):
                x, y = case["X"][[i]], case["y"][i]
                x = (x.toarray() if hasattr(x, "toarray") else x)[0]
                margin = y * (x @ w)
                assert abs(margin - 1) > 1e-6
                w = (1 - 1 / t) * w + (margin < 1) * y * x / case["lam"] / t


def test_unknown_tasks_are_refused():
    with pytest.raises(ValueError, match="task is 'A9'; expected one of 'A1"):
        coursework.check("A9", two_branches)


def test_what_is_no_function_is_refused():
    report = coursework.check("A1.pegasos", [1.0, 2.0])
    assert not report.passed
    assert "handed in something of type list" in str(report)


def test_the_best_classifier_is_the_optimum():
    rng = np.random.default_rng(3)
    for lam in (0.3, 0.01):
        X, y = rng.standard_normal((40, 3)), rng.choice([-1.0, 1.0], 40)
        w = best(X, y, lam)
        assert np.allclose(w, optimum(X, y, lam).w, atol=1e-6)


def test_to_check_a_classifier_loads_no_compiled_code():
    """It takes half a second, in every notebook that is graded."""
    code = (
        "import sys\n"
        "from pegasos_edu.coursework.tasks import TASKS\n"
        "task = TASKS['A1.classifier']\n"
        "for case in task.cases(0):\n"
        "    task.reference(**case)\n"
        "assert 'numba' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "task, name",
    [
        ("A1.objective", "many-numbers-for-one"),
        ("A2.log_loss", "too-many-numbers"),
        ("A1.pegasos", "too-many-numbers"),
    ],
)
def test_of_very_many_numbers_nothing_is_looked_for_but_the_shape(task, name):
    """A hundred million, which take no room; it took no end to compare."""
    calls = []

    def answer(*_):
        calls.append(1)
        return np.broadcast_to(1.0, 100_000_000)

    report = coursework.check(task, answer)
    assert report.mistake == name
    assert "shape (100000000,); expected" in report.message
    assert len(calls) <= 3
