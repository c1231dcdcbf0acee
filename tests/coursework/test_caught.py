"""What catches each mistake of the zoo, and that right answers pass."""

import numpy as np
import pytest

from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo import ZOO
from pegasos_edu.coursework.zoo.caught import (
    SOLVERS,
    TESTS,
    caught_by,
    shares,
    verdicts,
)

# A mistake of no number: it costs seconds, which no test of these measures.
SLOW_ONLY = "touches-all-columns"


class RightClassifier:
    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        order = np.random.default_rng(0).integers(len(y), size=self.T)
        self.w = TASKS["A1.pegasos"].reference(X, y, self.lam, order)
        return self

    def predict(self, X):
        return self.names[(X @ self.w > 0).astype(int)]


def right_answer(task):
    if task == "A1.classifier":
        return RightClassifier
    return TASKS[task].reference


def test_every_task_of_the_zoo_has_tests():
    assert set(TESTS) == {mistake.task for mistake in ZOO}


@pytest.mark.parametrize("task", TESTS)
def test_a_right_answer_passes_all(task):
    assert False not in verdicts(task, right_answer(task)).values()


@pytest.mark.parametrize("task", TESTS)
def test_every_mistake_is_caught_but_the_slow_one(task):
    found = {
        mistake.name: list(verdicts(task, mistake.answer).values())
        for mistake in ZOO
        if mistake.task == task
    }
    for name, passed in found.items():
        assert all(passed) == (name == SLOW_ONLY), name


def test_the_line_says_what_catches_and_what_does_not():
    (mistake,) = (m for m in ZOO if m.name == "scale-forgotten-at-the-end")
    assert caught_by(mistake) == (
        "*Caught by:* the objective (0 of 30); the comparison (0 of 30); "
        "a run with λ = 1e-5. *Not by:* the accuracy (30 of 30)."
    )
    (slow,) = (m for m in ZOO if m.name == SLOW_ONLY)
    assert caught_by(slow).startswith(
        "*Caught by:* `coursework.check` alone. *Not by:* the accuracy"
    )


@pytest.mark.parametrize("task", SOLVERS)
def test_the_right_solver_may_end_above_the_limit_now_and_then(task):
    found = shares(task, right_answer(task))
    assert found["accuracy"] == found["comparison"] == 1
    assert 0.9 < found["objective"] <= 1
