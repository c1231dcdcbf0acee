"""Answers without work: none of them passes."""

import numpy as np
import pytest

import pegasos_edu
from pegasos_edu import coursework
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.watch import borrowed
from pegasos_edu.problem import losses
from pegasos_edu.solvers import sparse
from tests.coursework.styles import two_branches


def refused(task, answer, says):
    report = coursework.check(task, answer)
    assert not report.passed
    assert says in str(report), str(report)


@pytest.mark.parametrize(
    "name", [n for n in TASKS if n not in ("A1.classifier", "A1.loop")]
)
def test_the_checks_own_reference_is_refused(name):
    refused(name, TASKS[name].reference, "; write it yourself.")


@pytest.mark.parametrize(
    "task, answer",
    [
        (
            "A1.pegasos",
            lambda X, y, lam, order: (
                pegasos_edu.pegasos(X, y, lam, order=order).last
            ),
        ),
        (
            "A3.average",
            lambda X, y, lam, order: (
                sparse.pegasos(X, y, lam, order=order).average
            ),
        ),
        ("A1.objective", pegasos_edu.objective),
        (
            "A1.visits",
            lambda n, T, seed: pegasos_edu.draw_order(n, T, seed=seed),
        ),
        ("A2.log_loss", losses.log_loss),
        (
            "A1.pegasos",
            lambda *case: coursework.task.TASKS["A1.pegasos"].reference(*case),
        ),
    ],
)
def test_calls_into_the_package_are_seen(task, answer):
    refused(task, answer, "Your answer calls pegasos_edu.")


def test_a_borrowed_classifier_is_seen():
    class Borrowed:
        def __init__(self, lam, T):
            self.lam = lam

        def fit(self, X, labels):
            self.inner = pegasos_edu.PegasosClassifier(
                lam=self.lam, random_state=0
            ).fit(X, labels)
            return self

        def predict(self, X):
            return self.inner.predict(X)

    refused("A1.classifier", Borrowed, "calls pegasos_edu.estimator")


def test_an_answer_of_ones_own_is_not_called_borrowed():
    case = TASKS["A1.pegasos"].cases(0)[0]
    assert borrowed(two_branches, case) == ""


@pytest.mark.parametrize(
    "rule",
    [
        lambda n, T, seed: (np.arange(T) + seed) % n,
        lambda n, T, seed: (3 * np.arange(T) + seed) % n,
        lambda n, T, seed: np.sort(
            np.random.default_rng(seed).integers(n, size=T)
        ),
        lambda n, T, seed: (np.arange(T) ** 2 // 2 + np.arange(T) + seed) % n,
        lambda n, T, seed: (
            (np.random.default_rng(0).integers(n, size=T) + seed) % n
        ),
    ],
)
def test_rows_that_follow_a_rule_are_refused(rule):
    report = coursework.check("A1.visits", rule)
    assert not report.passed
    assert "expected" in str(report)


def test_the_sign_on_the_line_is_refused():
    refused("A1.predict", lambda w, X: np.sign(X @ w), "with the score 0")


@pytest.mark.parametrize("side", [1, -1])
def test_either_side_will_do_on_the_line(side):
    def predict(w, X):
        return np.where(X @ w == 0, side, np.sign(X @ w))

    assert coursework.check("A1.predict", predict).passed


@pytest.mark.parametrize("label", [1, -1])
def test_a_constant_label_is_refused(label):
    refused("A1.predict", lambda w, X: np.full(len(X), label), "by the sign")
