"""Answers without work: none of them passes."""

import contextlib
import io
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import nbformat
import numpy as np
import pytest
import scipy.sparse as sp
from nbformat.v4 import new_code_cell
from sklearn import svm
from sklearn.linear_model import SGDClassifier
from sklearn.preprocessing import LabelEncoder

import pegasos_edu
import tasks
from pegasos_edu import coursework
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.tasks.classifier import judge_scatter
from pegasos_edu.coursework.watch import borrowed, calls_to_us
from pegasos_edu.coursework.zoo import a1
from pegasos_edu.grading.judging.borrowing import note_on
from pegasos_edu.problem import data, losses
from pegasos_edu.solvers import sparse
from pegasos_edu.solvers.steps import InverseSqrt
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
    """Its steps are limited to T, so it depends on them."""

    class Borrowed:
        def __init__(self, lam, T):
            self.lam, self.T = lam, T

        def fit(self, X, labels):
            self.inner = pegasos_edu.PegasosClassifier(
                lam=self.lam,
                solver="pegasos",
                max_iter=max(1, self.T // len(labels)),
                tol=None,
                fit_intercept=False,
                random_state=0,
            ).fit(X, labels)
            return self

        def predict(self, X):
            found = self.inner.predict(X)
            return found[::-1] if self.T == 1 else found

    refused("A1.classifier", Borrowed, "calls pegasos_edu.estimator")


def test_a_classifier_of_another_library_is_seen():
    """Its steps are limited to T, so it depends on them."""

    class Borrowed:
        def __init__(self, lam, T):
            self.lam, self.T = lam, T

        def fit(self, X, labels):
            self.inner = SGDClassifier(
                alpha=self.lam,
                max_iter=max(1, self.T // len(labels)),
                tol=None,
                fit_intercept=False,
                random_state=0,
            ).fit(X, labels)
            return self

        def predict(self, X):
            found = self.inner.predict(X)
            return found[::-1] if self.T == 1 else found

    refused("A1.classifier", Borrowed, "calls sklearn.linear_model")


def test_labels_may_be_told_apart_by_a_library():
    """What prepares the data is nobody's answer."""

    class Own:
        def __init__(self, lam, T):
            self.lam, self.T = lam, T

        def fit(self, X, labels):
            encoder = LabelEncoder()
            y = 2 * encoder.fit_transform(labels) - 1
            self.known = encoder.classes_
            order = np.random.default_rng(0).integers(len(y), size=self.T)
            self.w = two_branches(np.asarray(X), y, self.lam, order)
            return self

        def predict(self, X):
            return self.known[(np.asarray(X) @ self.w > 0).astype(int)]

    report = coursework.check("A1.classifier", Own)
    assert report.passed, report


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


# Ways round the watch


def in_a_thread(function, *arguments, **options):
    box = []
    thread = threading.Thread(
        target=lambda: box.append(function(*arguments, **options))
    )
    thread.start()
    thread.join()
    return box[0]


def by_the_pool(function, *arguments, **options):
    return POOL.submit(function, *arguments, **options).result()


def without_the_profiler(function, *arguments, **options):
    before = sys.getprofile()
    sys.setprofile(None)
    try:
        return function(*arguments, **options)
    finally:
        sys.setprofile(before)


POOL = ThreadPoolExecutor(1)


@pytest.mark.parametrize(
    "lend, says",
    [
        (in_a_thread, "starts a thread"),
        (by_the_pool, " a thread"),
        (by_the_pool, "waits for a thread"),
        (without_the_profiler, "changes Python's profiler"),
    ],
)
def test_what_is_borrowed_out_of_sight_is_refused(lend, says):
    refused(
        "A1.pegasos",
        lambda X, y, lam, order: (
            lend(pegasos_edu.pegasos, X, y, lam, order=order).last
        ),
        says,
    )


def test_what_is_borrowed_for_some_data_only_is_seen():
    def pegasos(X, y, lam, order):
        if lam < 1e-3:
            return pegasos_edu.pegasos(X, y, lam, order=order).last
        return two_branches(X, y, lam, order)

    refused("A1.pegasos", pegasos, "calls pegasos_edu.solvers.dense.pegasos;")


def test_a_librarys_own_threads_are_its_business():
    """Some start one to show progress."""
    library = {"__name__": "library"}
    path = "/lib/site-packages/progress/bar.py"
    code = (
        "import threading\n"
        "def show():\n"
        "    threading.Thread(target=int).start()\n"
    )
    exec(compile(code, path, "exec"), library)

    def pegasos(X, y, lam, order):
        library["show"]()
        return two_branches(X, y, lam, order)

    assert coursework.check("A1.pegasos", pegasos).passed


# Answers that do something else


def on_the_columns_in_use(X, y, lam, order):
    used = np.unique(X.indices)
    Z, w = X[:, used].toarray(), np.zeros(len(used))
    for t, i in enumerate(order, 1):
        hit = y[i] * (Z[i] @ w) < 1
        w = (1 - 1 / t) * w + hit * y[i] * Z[i] / (lam * t)
    full = np.zeros(X.shape[1])
    full[used] = w
    return full


def test_the_columns_in_use_are_all_of_them():
    assert coursework.check(
        "A3.pegasos", on_the_columns_in_use, part="late"
    ).passed
    report = coursework.check("A3.pegasos", on_the_columns_in_use, part="cost")
    assert not report.passed and "passes over all d" in str(report)


def on_the_columns_visited(X, y, lam, order):
    w, seen = np.zeros(X.shape[1]), np.zeros(0, dtype=int)
    visited = set()
    for t, i in enumerate(order, 1):
        cols = X.indices[X.indptr[i] : X.indptr[i + 1]]
        vals = X.data[X.indptr[i] : X.indptr[i + 1]]
        hit = y[i] * (w[cols] @ vals) < 1
        if i not in visited:
            visited.add(i)
            seen = np.union1d(seen, cols)
        w[seen] *= 1 - 1 / t
        w[cols] += hit * y[i] * vals / (lam * t)
    return w


def shrinks_a_dictionary(X, y, lam, order):
    known = {}
    for t, i in enumerate(order, 1):
        cols = X.indices[X.indptr[i] : X.indptr[i + 1]].tolist()
        vals = X.data[X.indptr[i] : X.indptr[i + 1]].tolist()
        hit = y[i] * sum(known.get(j, 0) * x for j, x in zip(cols, vals)) < 1
        for j in known:
            known[j] *= 1 - 1 / t
        for j, x in zip(cols, vals):
            known[j] = known.get(j, 0) + hit * y[i] * x / (lam * t)
    w = np.zeros(X.shape[1])
    w[list(known)] = list(known.values())
    return w


@pytest.mark.parametrize(
    "answer", [on_the_columns_visited, shrinks_a_dictionary]
)
def test_the_columns_visited_may_become_all_of_them(answer):
    assert coursework.check("A3.pegasos", answer, part="late").passed
    report = coursework.check("A3.pegasos", answer, part="cost")
    assert not report.passed and "all rows visited before" in str(report)


def with_class_weights(X, y, lam, order):
    """Pegasos with each class made to count for half of the examples."""
    weight = {s: len(y) / (2 * np.sum(y == s)) for s in (-1.0, 1.0)}
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        eta = 1 / (lam * t)
        margin = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if margin < 1:
            w = w + eta * weight[y[i]] * y[i] * X[i]
    return w


@pytest.mark.parametrize("variant", range(4))
def test_the_rarer_label_counts_no_more(variant):
    for part in (None, "edges"):
        report = coursework.check(
            "A1.pegasos", with_class_weights, variant, part
        )
        assert not report.passed


def polynomial(n, T, seed):
    k = np.arange(T)
    cubic = 7919 * k**3 + (104729 + seed) * k**2 + 31 * seed * k
    return (cubic + k // n * (seed + 3)) % 1_000_003 % n


@pytest.mark.parametrize("variant", range(5))
def test_a_polynomial_is_no_chance(variant):
    report = coursework.check("A1.visits", polynomial, variant)
    assert "Among 100003 rows yours follow a formula" in str(report)


@pytest.mark.parametrize("variant", range(5))
@pytest.mark.parametrize(
    "few",
    [
        lambda draw, n, T: draw.permutation(T) % n,
        lambda draw, n, T: draw.permutation(np.arange(T) % n),
        lambda draw, n, T: draw.integers(min(n, 1000), size=T),
    ],
)
def test_rows_from_a_part_of_many_are_refused(few, variant):
    """A shuffled range(T) is right only where T reaches all rows."""

    def answer(n, T, seed):
        return few(np.random.default_rng(seed), n, T)

    report = coursework.check("A1.visits", answer, variant)
    assert "expected each row to have the same chance" in str(report)


@pytest.mark.parametrize(
    "task, wrong",
    [
        ("A1.step_size", lambda lam, t: t),
        ("A1.step", lambda w, x, label, lam, eta: w),
        ("A2.slope", lambda margin: margin),
    ],
)
def test_what_repairs_an_answer_is_no_answer(task, wrong):
    """It may be called by the answers to later tasks, and by no other."""
    lent = coursework.repaired(task, wrong)
    for answer in (lent, lambda *given, **named: lent(*given, **named)):
        report = coursework.check(task, answer)
        assert report.mistake == "borrowed-answer"
        assert "run your own cell again, then this one." in str(report)


@pytest.mark.parametrize("variant", range(5))
@pytest.mark.parametrize(
    "rounded",
    [
        lambda draw, n, T: draw.normal(n / 2, n / 6, T),
        lambda draw, n, T: draw.triangular(0, n / 2, n, T),
        lambda draw, n, T: n * draw.beta(0.5, 0.5, T),
        lambda draw, n, T: n * draw.random(T) ** 2,
    ],
)
def test_rows_with_unequal_chances_are_refused(rounded, variant):
    def answer(n, T, seed):
        rows = rounded(np.random.default_rng(seed), n, T)
        return np.clip(rows, 0, n - 1).astype(int)

    report = coursework.check("A1.visits", answer, variant)
    assert not report.passed
    assert "the same chance" in str(report)


def test_one_order_again_and_again_is_never_refused():
    def visits(n, T, seed):
        return np.resize(np.random.default_rng(seed).permutation(n), T)

    for variant in range(60):
        report = coursework.check("A1.visits", visits, variant)
        assert report.passed, str(report)


def test_chance_is_never_refused():
    def draw(n, T, seed):
        return np.random.default_rng(seed).integers(n, size=T)

    for variant in range(200):
        assert coursework.check("A1.visits", draw, variant).passed


def test_a_classifier_that_ignores_the_steps_is_refused():
    class LinearSVC:
        def __init__(self, lam, T):
            self.lam = lam

        def fit(self, X, labels):
            self.inner = svm.LinearSVC(
                C=1 / (self.lam * len(labels)), fit_intercept=False
            )
            self.inner.fit(X, labels)
            return self

        def predict(self, X):
            return self.inner.predict(X)

    refused("A1.classifier", LinearSVC, "the same after 1, 2, 3 and 2000")


def test_who_ignores_T_is_not_told_of_rounds():
    """It knows all rows as well, and each call gives another line."""

    class Own(SGDClassifier):
        def __init__(self, lam, T):
            super().__init__(alpha=lam, fit_intercept=False)

    report = coursework.check("A1.classifier", Own)
    assert not report.passed
    assert "rounds" not in str(report)


class Own:
    """A right classifier, of which parts are changed below."""

    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        self.keep(two_branches(X, y, self.lam, self.order(len(y))))
        return self

    def order(self, n):
        return np.random.default_rng(0).integers(n, size=self.T)

    def keep(self, w):
        self.w = w

    def predict(self, X):
        return np.where(X @ self.w > 0, self.names[1], self.names[0])


class InEpochs(Own):
    def order(self, n):
        rng = np.random.default_rng(0)
        epochs = [rng.permutation(n) for _ in range(1 + self.T // n)]
        return np.concatenate(epochs)[: self.T]


class Unseeded(Own):
    def order(self, n):
        return np.random.default_rng().integers(n, size=self.T)


class InOrder(Own):
    def order(self, n):
        return np.arange(self.T) % n


class InWholeRounds(Own):
    """As many rounds as it takes to make T steps, or a few more."""

    def order(self, n):
        rng = np.random.default_rng(0)
        return np.concatenate(
            [rng.permutation(n) for _ in range(-(-self.T // n))]
        )


class AtLeastOneRound(Own):
    def order(self, n):
        self.T = max(self.T, n)
        return super().order(n)


class InBatches(Own):
    """T steps, each the mean of those with eight rows."""

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        rng, w = np.random.default_rng(0), np.zeros(X.shape[1])
        for t in range(1, self.T + 1):
            rows = rng.integers(len(y), size=8)
            pulls = (y[rows] * (X[rows] @ w) < 1) * y[rows]
            w = (1 - 1 / t) * w + pulls @ X[rows] / (8 * self.lam * t)
        self.keep(w)
        return self


class TheBestOfThree(Own):
    def fit(self, X, labels):
        super().fit(X, labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        runs = [
            two_branches(X, y, self.lam, rng.integers(len(y), size=self.T))
            for rng in map(np.random.default_rng, range(3))
        ]
        values = [
            self.lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
            for w in runs
        ]
        self.keep(runs[int(np.argmin(values))])
        return self


@pytest.mark.parametrize(
    "classifier",
    [InOrder, InWholeRounds, AtLeastOneRound, InBatches, TheBestOfThree],
)
@pytest.mark.parametrize("variant", [0, 3])
def test_T_steps_are_not_taken_for_rounds(classifier, variant):
    report = coursework.check("A1.classifier", classifier, variant)
    assert report.passed, report


class DrawnRounds(Own):
    def order(self, n):
        return np.random.default_rng(0).integers(n, size=n * self.T)


class ShuffledRounds(Own):
    def order(self, n):
        rng = np.random.default_rng()
        return np.concatenate([rng.permutation(n) for _ in range(self.T)])


class RoundsInOrder(Own):
    def order(self, n):
        return np.tile(np.arange(n), self.T)


class CountsRounds(Own):
    """And t counts them as well."""

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        rng, w = np.random.default_rng(0), np.zeros(X.shape[1])
        for t in range(1, self.T + 1):
            for i in rng.permutation(len(y)):
                violates = y[i] * (X[i] @ w) < 1
                w = (1 - 1 / t) * w + violates * y[i] * X[i] / (self.lam * t)
        self.keep(w)
        return self


@pytest.mark.parametrize(
    "classifier", [DrawnRounds, ShuffledRounds, RoundsInOrder, CountsRounds]
)
@pytest.mark.parametrize("variant", range(2))
def test_T_is_no_number_of_rounds(classifier, variant):
    report = coursework.check("A1.classifier", classifier, variant)
    assert "Expected T steps, not T rounds" in str(report)
    assert report.mistake == "epochs-for-steps"


@pytest.mark.parametrize(
    "given, name",
    [
        (lambda lam, n: 1 / lam, "lambda-upside-down"),
        (lambda lam, n: 1 / (n * lam), "lambda-as-scikit-learns-C"),
        (lambda lam, n: 20.0, "lambda-has-no-effect"),
        (lambda lam, n: lam**-0.5, None),
    ],
)
@pytest.mark.parametrize("variant", [0, 2, 4])
def test_what_is_taken_for_lambda_is_named(given, name, variant):
    """In two of these most labels are +1, which is nobody's mistake."""

    class WithAnother(Own):
        def fit(self, X, labels):
            self.lam = given(self.lam, len(X))
            return super().fit(X, labels)

    report = coursework.check("A1.classifier", WithAnother, variant)
    assert not report.passed
    assert report.mistake == name


@pytest.mark.parametrize("variant", [0, 3, 4, 8])
def test_labels_that_stay_zero_are_found_on_any_data(variant):
    report = coursework.check(
        "A1.classifier", a1.labels_stay_zero_and_one, variant
    )
    assert report.mistake == "labels-stay-zero-and-one"


class WithAColumnOfOnes(Own):
    """Its bias tells something of rows that it has not seen."""

    def fit(self, X, labels):
        return super().fit(np.hstack([X, np.ones((len(X), 1))]), labels)

    def predict(self, X):
        return super().predict(np.hstack([X, np.ones((len(X), 1))]))


class BeginsWithItsWeights(Own):
    """The first step shrinks them to 0."""

    w = 0.0

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        w = self.w + np.zeros(X.shape[1])
        for t, i in enumerate(self.order(len(y)), start=1):
            violates = y[i] * (X[i] @ w) < 1
            w = (1 - 1 / t) * w + violates * y[i] * X[i] / (self.lam * t)
        self.keep(w)
        return self


class Centred(Own):
    """Its line goes through the mean of the training rows."""

    def fit(self, X, labels):
        self.mean = X.mean(axis=0)
        return super().fit(X - self.mean, labels)

    def predict(self, X):
        return super().predict(X - self.mean)


@pytest.mark.parametrize(
    "classifier",
    [
        Own,
        InEpochs,
        Unseeded,
        WithAColumnOfOnes,
        BeginsWithItsWeights,
    ],
)
@pytest.mark.parametrize("variant", [0, 1, 2, 14, 28])
def test_a_right_classifier_passes_on_any_data(classifier, variant):
    """In two of these the first row of one gives all rows their labels."""
    report = coursework.check("A1.classifier", classifier, variant)
    assert report.passed, report


OTHER_STEPS = {
    "perceptron's test": lambda w, x, y, lam, t: (
        (1 - 1 / t) * w + (y * (x @ w) <= 0) * y * x / (lam * t)
    ),
    "no shrink without violation": lambda w, x, y, lam, t: (
        (1 - 1 / t) * w + y * x / (lam * t) if y * (x @ w) < 1 else w
    ),
    "perceptron": lambda w, x, y, lam, t: w + (y * (x @ w) <= 0) * y * x,
    "perceptron with a margin": lambda w, x, y, lam, t: (
        w + (y * (x @ w) < 1) * y * x
    ),
    "perceptron with steps": lambda w, x, y, lam, t: (
        w + (y * (x @ w) <= 0) * y * x / (lam * t)
    ),
    "no label in the sum": lambda w, x, y, lam, t: (
        (1 - 1 / t) * w + (y * (x @ w) < 1) * x / (lam * t)
    ),
    "a step of 1": lambda w, x, y, lam, t: (
        (1 - lam) * w + (y * (x @ w) < 1) * y * x
    ),
}


@pytest.mark.parametrize("step", OTHER_STEPS)
@pytest.mark.parametrize("variant", range(2))
def test_a_wrong_step_is_not_called_a_mistake_in_its_rows(step, variant):
    """On rows that can be told apart such a w soon ends where it began."""

    class Otherwise(Own):
        def fit(self, X, labels):
            self.names = np.unique(labels)
            y = np.where(labels == self.names[1], 1.0, -1.0)
            w = np.zeros(X.shape[1])
            for t, i in enumerate(self.order(len(y)), start=1):
                w = OTHER_STEPS[step](w, X[i], y[i], self.lam, t)
            self.keep(w)
            return self

    report = coursework.check("A1.classifier", Otherwise, variant)
    assert not report.passed
    assert report.mistake is None


@pytest.mark.parametrize("variant", [0, 1, 2, 31])
def test_who_centres_twice_takes_steps(variant):
    """On some data it has another line than is asked for: then it is told."""
    report = coursework.check("A1.classifier", Centred, variant)
    assert report.passed or "the same after" not in str(report)
    assert report.passed or variant


@pytest.mark.parametrize("variant", range(2))
def test_who_guesses_is_not_said_to_mix_classifiers_up(variant):
    class Guesses(Own):
        def predict(self, X):
            rare = np.random.default_rng().random(len(X)) < 0.02
            return np.where(rare, self.names[0], super().predict(X))

    report = coursework.check("A1.classifier", Guesses, variant)
    assert report.mistake == "predict-changes-what-it-predicts"


@pytest.mark.parametrize(
    "opponent",
    [
        lambda t, w, lam, radius: np.eye(2)[int(w[0] > 0)],
        lambda t, w, lam, radius: np.array([1.0 if w[0] > 0 else -1.0, 0.0]),
    ],
)
def test_an_example_that_depends_on_w_is_not_called_the_same(opponent):
    report = coursework.check("A4.opponent", opponent)
    assert not report.passed
    assert report.mistake is None


class ReturnsBothLabels(Own):
    def predict(self, X):
        found = np.empty(len(X), dtype=object)
        found[:] = [self.names] * len(X)
        return found


class ReturnsNoLabels(Own):
    def predict(self, X):
        return [Incomparable()] * len(X)


class Incomparable:
    def __eq__(self, other):
        raise TypeError("like nothing else")

    __hash__ = None


@pytest.mark.parametrize("classifier", [ReturnsBothLabels, ReturnsNoLabels])
def test_labels_that_cannot_be_compared_are_refused(classifier):
    refused("A1.classifier", classifier, "expected one of the labels")


@pytest.mark.parametrize("listed", [list, lambda x: np.array([*x], object)])
def test_labels_may_come_as_a_list_or_as_objects(listed):
    class Lists(Own):
        def predict(self, X):
            return listed(super().predict(X))

    assert coursework.check("A1.classifier", Lists).passed


class WithNumbersLater:
    """An array whose numbers are those that are wanted, if these are seen."""

    def __init__(self, shape):
        self.shape_asked = shape

    def __array__(self, *_, **__):
        frame = sys._getframe()
        while frame:
            wanted = frame.f_locals.get("wanted")
            if np.shape(wanted) == self.shape_asked:
                return np.array(wanted)
            frame = frame.f_back
        return np.zeros(self.shape_asked)


@pytest.mark.parametrize(
    "name", ["A1.pegasos", "A1.objective", "A2.log_loss", "A4.regret"]
)
def test_numbers_are_taken_before_the_right_ones_are_in_sight(name):
    """In the grader they come from another process, which has none."""
    case = TASKS[name].cases(0)[0]
    shape = np.shape(TASKS[name].reference(**case))
    assert not coursework.check(
        name, lambda *_: WithNumbersLater(shape)
    ).passed


def test_a_trace_that_sees_the_right_answer_is_refused():
    seen = {}

    def trace(frame, event, arg):
        if event == "return" and "result" in seen:
            seen["result"][...] = np.resize(arg, seen["result"].shape)
        return trace

    def pegasos(X, y, lam, order):
        seen["result"] = np.zeros(X.shape[1])
        sys.settrace(trace)
        return seen["result"]

    before = sys.gettrace()
    try:
        refused("A1.pegasos", pegasos, "sets a trace")
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("variant", range(3))
def test_classifiers_keep_their_own_weights(variant):
    class InTheClass(Own):
        def keep(self, w):
            type(self).w = w

    report = coursework.check("A1.classifier", InTheClass, variant)
    assert "the first one predicts other labels" in str(report)


@pytest.mark.parametrize("variant", range(3))
def test_one_epoch_is_not_T_steps(variant):
    class Once(Own):
        def order(self, n):
            return np.random.default_rng(0).permutation(n)[: self.T]

    report = coursework.check("A1.classifier", Once, variant)
    assert "after 40 steps, one for each row, as after" in str(report)


@pytest.mark.parametrize("variant", range(3))
def test_one_epoch_is_not_T_steps_if_it_is_drawn_anew(variant):
    """No two calls are alike, so that nothing can be compared exactly."""
    rng = np.random.default_rng(variant)

    class Once(Own):
        def order(self, n):
            return rng.permutation(n)[: self.T]

    report = coursework.check("A1.classifier", Once, variant)
    assert not report.passed
    assert report.mistake == "as-many-steps-as-rows"


def test_two_orders_that_are_alike_are_not_taken_for_a_fixed_one():
    rng, calls = np.random.default_rng(0), []

    class Once(Own):
        def order(self, n):
            calls.append(n)
            rows = rng.permutation(n) if len(calls) > 2 else np.arange(n)
            return rows[: self.T]

    task = TASKS["A1.classifier"]
    said = judge_scatter(task, task.adapt(Once))
    assert said.startswith("Each call draws other rows")


@pytest.mark.parametrize("variant", range(3))
def test_the_label_0_is_not_y(variant):
    class LabelsAsTheyAre(Own):
        def fit(self, X, labels):
            super().fit(X, labels)
            if labels.dtype.kind == "i":
                order = self.order(len(X))
                self.keep(two_branches(X, labels, self.lam, order))
            return self

    assert not coursework.check(
        "A1.classifier", LabelsAsTheyAre, variant
    ).passed


@pytest.mark.parametrize("variant", range(3))
def test_who_centres_in_fit_alone_is_refused(variant):
    class Centred(Own):
        def fit(self, X, labels):
            return super().fit(X - X.mean(axis=0), labels)

    report = coursework.check("A1.classifier", Centred, variant)
    assert "agrees with the optimal one on" in str(report)


def test_who_predicts_the_training_rows_is_told_that_and_nothing_of_T():
    class OfTheTraining(Own):
        def fit(self, X, labels):
            self.X = X
            return super().fit(X, labels)

        def predict(self, X):
            return super().predict(self.X)

    report = coursework.check("A1.classifier", OfTheTraining)
    assert "For 2,000 other points predict returned 40 labels" in str(report)
    assert not report.passed
    assert report.mistake is None


def test_rows_for_each_step_are_seen_from_the_first_of_them():
    """To draw all of them takes a second each time."""
    calls = []

    def visits(n, T, seed):
        calls.append(n)
        return np.random.default_rng(seed).integers(n, size=(T, n))

    report = coursework.check("A1.visits", visits)
    assert "something of shape (400, 5); expected shape (400,)" in str(report)
    assert report.mistake == "numbers-in-another-shape"
    assert max(calls) == 5


def test_whole_rounds_are_too_few_rows():
    def visits(n, T, seed):
        rng = np.random.default_rng(seed)
        if T < n:
            return rng.permutation(n)[:T]
        return np.concatenate([rng.permutation(n) for _ in range(T // n)])

    assert len(visits(40, 1010, 0)) == 1000
    refused("A1.visits", visits, "shape")


@pytest.mark.parametrize("most", [50.0, 700.0, 1e4])
def test_a_loss_with_a_cap_is_refused(most):
    refused(
        "A2.log_loss",
        lambda margin: np.minimum(np.logaddexp(0, -margin), most),
        f"you returned [{most:g}, ",
    )


@pytest.mark.parametrize(
    "task, answer, says",
    [
        ("A1.step_size", lambda lam, t: min(1 / (lam * t), 10.0), "t = 1"),
        ("A1.step_size", lambda lam, t: max(1 / (lam * t), 0.1), "t = 500"),
        (
            "A2.log_loss",
            lambda margin: np.where(
                abs(margin - 400) < 380, 99.0, np.logaddexp(0, -margin)
            ),
            "margin",
        ),
        (
            "A2.slope",
            lambda margin: np.where(
                margin > 15.5, 0.0, -1 / (1 + np.exp(margin))
            ),
            "margin",
        ),
        (
            "A1.wasted",
            lambda X, rows: np.mean(np.isclose(X[rows], 0, atol=1e-3)),
            "rows",
        ),
    ],
    ids=["cap", "floor", "hump", "cut off", "nearly 0"],
)
def test_what_is_right_in_the_usual_range_alone_is_refused(task, answer, says):
    refused(task, answer, says)


def test_a_number_in_place_of_infinity_is_refused():
    def loss(margin):
        return np.nan_to_num(np.log(1 + np.exp(-margin)), posinf=1e4)

    refused("A2.log_loss", loss, "you returned [10000, 10000, 0, 0]")


def test_infinity_over_infinity_is_no_probability():
    def probability(w, X):
        return np.exp(X @ w) / (1 + np.exp(X @ w))

    refused("A2.probability", probability, "of its entries is nan")


@pytest.mark.parametrize("variant", range(6))
def test_end_rows_that_come_half_as_often_are_refused(variant):
    def rounded(n, T, seed):
        drawn = np.random.default_rng(seed).random(T)
        return np.round(drawn * (n - 1)).astype(int)

    report = coursework.check("A1.visits", rounded, variant)
    assert "are row " in str(report) and "expected about 800" in str(report)


def test_a_thread_that_waits_for_work_is_seen():
    """It was there before, and is told by a list what to do."""
    names = {"__name__": "__main__", "lend": pegasos_edu.pegasos}
    exec(
        "import threading, time\n"
        "asked, given, on = [], [], [1]\n"
        "def work():\n"
        "    while on:\n"
        "        if asked:\n"
        "            X, y, lam, order = asked.pop()\n"
        "            given.append(lend(X, y, lam, order=order).last)\n"
        "        time.sleep(1e-4)\n"
        "def pegasos(*case):\n"
        "    asked.append(case)\n"
        "    while not given:\n"
        "        time.sleep(1e-4)\n"
        "    return given.pop()\n"
        "threading.Thread(target=work, daemon=True).start()\n",
        names,
    )
    try:
        refused("A1.pegasos", names["pegasos"], "leaves a thread running")
    finally:
        names["on"].clear()


# The tests of the notebooks themselves


IN_ALL = {"np": np, "coursework": coursework}


def run_test(assignment, grade_id, code="", **names):
    """Run a test of a notebook on some names, and say what it asserts.

    The code is that of an answer which is run in front of it.
    """
    path = tasks.ASSIGNMENTS / "solutions" / assignment / f"{assignment}.ipynb"
    cells = nbformat.read(path, as_version=4).cells
    (source,) = [
        cell.source
        for cell in cells
        if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id
    ]
    with contextlib.redirect_stdout(io.StringIO()):
        exec(f"{code}\n{source}", {**IN_ALL, **names})


def test_a_loss_that_is_constant_has_no_slope_to_agree_with():
    run_test(
        *("a2", "slope-finite-difference"),
        log_loss=losses.log_loss,
        slope=losses.log_slope,
    )
    with pytest.raises(AssertionError, match="is not constant"):
        run_test(
            *("a2", "slope-finite-difference"),
            log_loss=lambda m: 0 * m,
            slope=lambda m: 0 * m,
        )


def test_curves_come_from_the_students_own_functions():
    T = 50
    W = np.random.default_rng(0).standard_normal((T, 2))
    names = {
        "T": T,
        "lam": 0.1,
        "R": 1.0,
        "X": np.eye(2),
        "y": np.array([1.0, -1.0]),
        "u": np.zeros(2),
        "order": np.arange(T) % 2,
        "play": lambda step=None: W,
        "InverseSqrt": float,
    }
    own = {
        "regret": TASKS["A4.regret"].reference,
        "bound": lambda lam, R, T: 1e6 / lam * np.log(2 + T),
    }
    right = own["regret"](
        *(W, names["u"], names["X"], names["y"], 0.1, names["order"])
    )
    bounds = own["bound"](0.1, 1.0, np.arange(1, T + 1))
    run_test(
        *("a4", "curves-bound"),
        **(names | own),
        regret_pegasos=right,
        bounds=bounds,
    )
    for curve, bound, said in (
        (np.zeros(T), bounds, "regret_pegasos is not your"),
        (right, 1e9 * np.ones(T), "your bound gives other"),
    ):
        with pytest.raises(AssertionError, match=said):
            run_test(
                *("a4", "curves-bound"),
                **(names | own),
                regret_pegasos=curve,
                bounds=bound,
            )


# Each made up, and the same whenever it is asked.
def sums(W, u, X, y, lam, order):
    return np.cumsum(W[: len(order)].sum(axis=1))


def straight(lam, R, T):
    return 1e9 * T


def distances_alone(W, u, X, y, lam, order):
    t, far = np.arange(1, len(order) + 1), ((W - u) ** 2).sum(axis=1)
    line = lam / 2 * ((t - 1) * far[:-1] - t * far[1:])
    return np.array([line, line, line, 0 * line])


@pytest.mark.parametrize(
    "cell, fakes, said",
    [
        ("curves-bound", {"regret": sums}, "other labels"),
        ("curves-bound", {"bound": straight}, "falls with λ"),
        ("curves-sqrt", {"regret": sums}, "other labels"),
        (
            "telescope-digits",
            {"telescope": distances_alone},
            "line 0 asks for no",
        ),
    ],
)
def test_what_is_made_up_earns_nothing_later(cell, fakes, said):
    """Also where it agrees with itself."""
    T, lam = 50, 0.1
    X, y = np.eye(2), np.array([1.0, -1.0])
    order, u = np.arange(T) % 2, np.zeros(2)

    def play(step=None):
        run = pegasos_edu.pegasos(
            X, y, lam, order=order, step=step, snapshots=range(1, T + 1)
        )
        return np.vstack([np.zeros(2), run.iterates[:-1]])

    own = {
        name: TASKS[f"A4.{name}"].reference
        for name in ("regret", "bound", "telescope")
    }
    names = {
        **{"T": T, "lam": lam, "R": 1.0, "X": X, "y": y, "u": u},
        **{"order": order, "play": play, "InverseSqrt": InverseSqrt},
        "pegasos": pegasos_edu.pegasos,
    }

    def answers(regret, bound, telescope):
        return {
            "regret_pegasos": regret(play(), u, X, y, lam, order),
            "regret_sqrt": regret(play(InverseSqrt(1.0)), u, X, y, lam, order),
            "bounds": bound(lam, 1.0, np.arange(1, T + 1)),
        }

    run_test("a4", cell, **names, **own, **answers(**own))
    own |= fakes
    with pytest.raises(AssertionError, match=said):
        run_test("a4", cell, **names, **own, **answers(**own))


@pytest.mark.parametrize(
    "given, said",
    [
        ("X.shape[1] / 1000", "to be run each time"),
        (
            "sum(len(f(X, y, lam, order)) for f in (dense_shrink, pegasos)) "
            "/ 2_000 * (1 + 1e-3 * time.time() % 1e-4)",
            "not what the check's own clocks say",
        ),
        ("np.divide(*map(clocked, (pegasos, dense_shrink)))", "turned over"),
        ("np.divide(*map(clocked, (dense_shrink, pegasos)))", ""),
        # A machine that stands still in two of the three trials, or in all.
        (
            "np.divide(*map(clocked, (dense_shrink, pegasos))) "
            "* (20 if next(calls) < 12 else 1)",
            "",
        ),
        (
            "np.divide(*map(clocked, (dense_shrink, pegasos))) "
            "* (0.3 if next(calls) < 12 else 1)",
            "",
        ),
        (
            "np.divide(*map(clocked, (dense_shrink, pegasos))) "
            "* (20 if next(calls) < 18 else 1)",
            "not what the check's own clocks say",
        ),
    ],
)
def test_a_speedup_is_what_the_clocks_said(given, said):
    refusal = pytest.raises(AssertionError, match=said or None)
    with refusal if said else contextlib.nullcontext():
        check_speedup(given, by_rows)


def test_who_is_slower_than_the_dense_solver_is_told_so():
    """With 400,000 columns, by the check's own clocks; nothing is inverted."""

    def slow(*run):
        for _ in range(4):
            w = dense_run(*run)
        return w

    with pytest.raises(AssertionError, match="takes longer than the given"):
        check_speedup(
            "np.divide(*map(clocked, (dense_shrink, pegasos)))", slow
        )


def check_speedup(given, solver):
    """Run the sheet's test of `speedup` on one that returns `given`."""
    code = f"""
calls = iter(range(100))
def speedup(X, y, lam, order):
    def clocked(solver):
        start = time.process_time()
        solver(X, y, lam, order)
        return time.process_time() - start
    return {given}
"""
    names = {
        "sp": sp,
        "time": time,
        "draw_order": pegasos_edu.draw_order,
        "dense_shrink": dense_run,
        "pegasos": solver,
        "X": sp.csr_matrix(np.eye(3)),
        "y": np.array([1.0, -1.0, 1.0]),
        "order": np.arange(3),
    }
    run_test(*("a3", "speedup-check"), code=code, **names)


def dense_run(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        part = slice(X.indptr[i], X.indptr[i + 1])
        cols, vals = X.indices[part], X.data[part]
        hit = y[i] * (w[cols] @ vals) < 1
        w *= 1 - 1 / t
        w[cols] += hit * y[i] * vals / (lam * t)
    return w


def by_rows(X, y, lam, order):
    v = np.zeros(X.shape[1])
    for i in order:  # rows at right angles: all of them violate
        part = slice(X.indptr[i], X.indptr[i + 1])
        v[X.indices[part]] += y[i] * X.data[part]
    return v / (lam * len(order))


def test_an_optimum_is_no_run_of_ten_steps():
    X, y = data.digits_zero()
    best = pegasos_edu.optimum(X, y, 0.01)
    names = {
        "X": X,
        "y": y,
        "objective": pegasos_edu.objective,
        "smallest": best.primal,
        "order_digits": np.arange(20_000) % len(y),
    }
    with pytest.raises(AssertionError, match="ten steps of Pegasos"):
        run_test("a1", "digits-gap", **names, pegasos=lambda *_: best.w)


# What is noted for whoever marks


def test_what_answers_name_is_noted():
    path = tasks.ASSIGNMENTS / "solutions" / "a1" / "a1.ipynb"
    solution = nbformat.read(path, as_version=4).cells
    assert note_on(solution, solution) == ""
    released = nbformat.read(tasks.ASSIGNMENTS / "a1.ipynb", as_version=4)
    assert note_on(released.cells, solution) == ""
    for cell in released.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "pegasos":
            cell.source = (
                "from sklearn import svm\n"
                "def pegasos(X, y, lam, order):\n"
                "    return optimum(X, y, lam).w\n"
            )
    released.cells.append(new_code_cell("import threading as t\nexplore()"))
    assert note_on(released.cells, solution) == (
        "to be read: pegasos names optimum, sklearn, a cell of its own names "
        "threading"
    )


@pytest.mark.parametrize(
    "code, named",
    [
        ("coursework.check = lambda *a: Passed()", "coursework.check"),
        ("from pegasos_edu.grading import remote", "pegasos_edu.grading"),
        (
            "from pegasos_edu.coursework import watch",
            "pegasos_edu.coursework",
        ),
        ("import pegasos_edu.coursework.task", "pegasos_edu.coursework"),
        ("book = vars(coursework)['TAS' + 'KS']", "vars"),
        ("f = g.__code__", ".__code__"),
        ("f = g.replace(co_filename='mine')", ".co_filename"),
        ("super().__init__()\nprint(type(x).__name__)", ""),
        ("lend = getattr(coursework, 'TAS' + 'KS')", "getattr(…)"),
        ("setattr(coursework, name, Passed)", "setattr(…)"),
        ("del coursework.check", "coursework.check"),
        ("best = rows[put_away] @ w", "put_away"),
        ("%matplotlib inline\nimport threading", "threading"),
        ("%config InlineBackend.figure_format = 'svg'\n%time f(1)", ""),
        ("%%timeit -n 3\nf(sys.path)", "sys"),
        ("if a:\n    f()\n%time import sys", "sys"),
        ("!pip download pegasos-edu", "get_ipython"),
        ("from mylib.solvers import pegasos as solve", "import mylib"),
        ("home.write_text(open(there).read())", "open"),
        ("np.random.seed(0)\nfig.x = 1\nfig = 3", ""),
        ("class A:\n    def f(self):\n        self.w = 1", ""),
        ("getattr(np, 'sign')(x)", ""),
    ],
)
def test_what_a_cell_of_ones_own_replaces_is_noted(code, named):
    path = tasks.ASSIGNMENTS / "solutions" / "a1" / "a1.ipynb"
    solution = nbformat.read(path, as_version=4).cells
    note = note_on([*solution, new_code_cell(code)], solution)
    said = f"to be read: a cell of its own names {named}" if named else ""
    assert note == said


def test_a_file_name_that_runs_code_is_seen():
    """Python compares it within the profiler, where nothing is watched."""

    class Evil(str):
        def __eq__(self, other):
            raise AssertionError("it was asked")

        __hash__ = str.__hash__

    def mine():
        return 1

    code = mine.__code__.replace(co_filename=Evil("mine"))
    hidden = type(mine)(code, {})
    with calls_to_us() as found:
        assert hidden() == 1
    assert found == [
        "hidden.test_a_file_name_that_runs_code_is_seen.<locals>.mine"
    ]


@pytest.mark.parametrize("still", [1e-2, 1e-3, 1e-4])
@pytest.mark.parametrize("part", ["late", None])
def test_who_stops_when_w_hardly_moves_is_refused(still, part):
    def stops(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            before, violated = w, y[i] * (X[i] @ w) < 1
            w = (1 - 1 / t) * w + violated * y[i] * X[i] / (lam * t)
            if t > 1 and np.linalg.norm(w - before) < still:
                break
        return w

    report = coursework.check("A1.pegasos", stops, part=part)
    assert not report.passed
    assert report.mistake == "some-steps-change-nothing"


@pytest.mark.parametrize("second", [1, -1])
@pytest.mark.parametrize("variant", range(5))
def test_the_first_labels_need_not_be_the_two(second, variant):
    class TakesTwo(Own):
        def fit(self, X, labels):
            super().fit(X, labels)
            self.names = np.array([labels[second], labels[0]])
            y = np.where(labels == labels[0], 1.0, -1.0)
            rng = np.random.default_rng(0)
            order = rng.integers(len(y), size=self.T)
            self.keep(two_branches(X, y, self.lam, order))
            return self

    report = coursework.check("A1.classifier", TakesTwo, variant)
    assert not report.passed
    assert "for all of 40 points; fit was given" in str(report)
