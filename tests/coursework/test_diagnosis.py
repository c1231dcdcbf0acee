"""What is said of a wrong answer is true, and names its mistake."""

import random
import re
from functools import partial

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.diagnosis.hints import hint
from pegasos_edu.coursework.diagnosis.inputs import (
    INPUT,
    TERMS,
    Terms,
    changed_inputs,
    right_but,
)
from pegasos_edu.coursework.diagnosis.measure import (
    ADDITIONS,
    FACTORS,
    Probe,
    measure,
)
from pegasos_edu.coursework.diagnosis.parts import COUNT, PARTS
from pegasos_edu.coursework.diagnosis.probes import findings
from pegasos_edu.coursework.diagnosis.recipe import RIGHT, run
from pegasos_edu.coursework.diagnosis.search import (
    candidates,
    solver_mistakes,
)
from pegasos_edu.coursework.diagnosis.unwrap import where_w_is
from pegasos_edu.coursework.diagnosis.values import (
    FORMULAS,
    formula_trials,
)
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import call
from tests.coursework.once_unnamed import WRONG as ONCE_UNNAMED
from tests.coursework.small_functions import WRONG as SMALL
from tests.coursework.styles import STYLES
from tests.coursework.unseen import RIGHT as RIGHT_UNSEEN
from tests.coursework.unseen import WRONG
from tests.coursework.written_out import WRONG as WRITTEN_OUT

TASK = TASKS["A1.pegasos"]
SINGLES = list(candidates("A1.pegasos", {}, 1))


@pytest.mark.parametrize(
    "task, answer, true", WRONG, ids=lambda x: getattr(x, "__name__", "")
)
def test_answers_set_aside_are_named(task, answer, true):
    report = coursework.check(task, answer)
    assert not report.passed
    assert report.mistake is not None, str(report)
    assert set(report.mistake.split(" + ")) <= set(true), str(report)


@pytest.mark.parametrize(
    "task, answer, name",
    ONCE_UNNAMED,
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_what_once_had_no_name_has_one(task, answer, name):
    report = coursework.check(task, answer)
    assert not report.passed
    assert report.mistake == name, str(report)


@pytest.mark.parametrize(
    "task, answer", RIGHT_UNSEEN, ids=lambda x: getattr(x, "__name__", "")
)
def test_no_right_answer_set_aside_is_refused(task, answer):
    report = coursework.check(task, answer)
    assert report.passed, str(report)


@pytest.mark.parametrize(
    "task, answer, name, says",
    [*SMALL, *WRITTEN_OUT],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_the_message_says_what_a_small_function_does(task, answer, name, says):
    report = coursework.check(task, answer)
    assert not report.passed
    assert report.mistake == name, str(report)
    assert says in str(report), str(report)


@pytest.mark.parametrize("task", FORMULAS)
def test_what_is_right_for_another_input_is_right_for_it(task):
    """What is said holds on data that nobody tried."""
    task = TASKS[task]
    names_of_inputs = list(task.cases(0)[0])
    for _, change in changed_inputs(task.cases(0)[0]):

        def answer(*values, change=change):
            with np.errstate(all="ignore"):
                inputs = change(dict(zip(names_of_inputs, values)))
            return task.reference(*inputs.values())

        if any(call(answer, case).error for case in task.cases(0)):
            continue
        trials = formula_trials(task, answer, task.cases(0))
        names, said = right_but(task, trials)
        if names != (INPUT,):
            continue
        told = dict(changed_inputs(task.cases(0)[0]))
        found = [one for one in told if f"right {one}" in said[0]]
        for case in task.cases(7):
            with np.errstate(all="ignore"):
                inputs = told[max(found, key=len)](case)
            same = call(task.reference, inputs).same_as(call(answer, case))
            assert same or " alone." in said[0], said


@pytest.mark.parametrize("task", FORMULAS)
def test_the_terms_of_a_value_add_up_and_a_right_one_is_not_explained(task):
    task = TASKS[task]
    terms = Terms(task, lambda value: value)
    assert len(terms.words) == 1 + (task.name in TERMS)
    for case in task.cases(3):
        np.testing.assert_allclose(
            sum(terms(case)), task.reference(*case.values()), rtol=1e-12
        )
    for answer in STYLES.get(task.name, [task.reference]):
        trials = formula_trials(task, answer, task.cases(0))
        names, said = right_but(task, trials)
        # A right value may also be that of inputs that change nothing.
        assert names in ((), (INPUT,)), (names, said)


def test_a_name_holds_for_another_lambda_too():
    """In the trials n·λ/2 is 1, so that n·f looks like another sum."""

    def n_times(w, X, y, lam):
        losses = np.maximum(0, 1 - y * (X @ w))
        return len(y) * (lam / 2 * w @ w + losses.mean())

    case = TASKS["A1.objective"].cases(0)[0]
    assert len(case["y"]) * case["lam"] / 2 == 1
    report = coursework.check("A1.objective", n_times)
    assert report.mistake == "right-but-for-a-factor"


# Different mistakes that no run on these data can tell apart.
ALIKE = {"log-loss-unasked": "exponent-cut-off"}
# Where t is 0 there is no w.
DIVIDES = {("starts-at-zero",), ("t-counts-down",)}


def test_every_recipe_with_one_mistake_is_named():
    cases = TASK.cases(0)
    for names, recipe in SINGLES:
        found = solver_mistakes(TASK, partial(run, recipe), cases, 1)
        if found:
            told = {found[0], ALIKE.get(found[0])}
            assert names[0] in told, (names, found)
        else:
            assert names in DIVIDES


def test_two_mistakes_are_both_named():
    cases = TASK.cases(0)
    pairs = [
        (names, recipe)
        for names, recipe in candidates("A1.pegasos", {}, 2)
        if not any((name,) in DIVIDES for name in names)
    ]
    one = {names[0] for names, _ in SINGLES}
    for names, recipe in random.Random(3).sample(pairs, 6):
        answer = partial(run, recipe)
        found = solver_mistakes(TASK, answer, cases, 1) or solver_mistakes(
            TASK, answer, cases, 2
        )
        # One mistake may hide the other, or the two may be a third.
        assert set(found) <= one and found, (names, found)


@pytest.mark.parametrize("name", RIGHT)
def test_the_right_recipe_is_the_reference(name):
    for case in TASKS[name].cases(3):
        got = run(RIGHT[name], *case.values())
        wanted = TASKS[name].reference(*case.values())
        np.testing.assert_allclose(
            got, wanted, rtol=0, atol=1e-9 * np.abs(wanted).max()
        )


def test_every_mistake_has_something_to_tell():
    for task in RIGHT:
        for choices in PARTS.values():
            for name, _ in choices:
                assert not name or hint(task, name)
    for task, formulas in FORMULAS.items():
        for names, _ in formulas():
            assert all(hint(task, name) for name in names if name)
    assert len({names for names, _ in SINGLES}) >= 55


def steps_by(shrink, add):
    """A solver with the factors that two functions of (lam, t) give."""

    def solver(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            violates = y[i] * (X[i] @ w) < 1
            w = shrink(lam, t) * w + violates * add(lam, t) * y[i] * X[i]
        return w

    return solver


def rule(lam, t):
    return 1 / (lam * t)


@pytest.mark.parametrize(
    "shrink, add, says",
    [
        (
            lambda lam, t: 1 - lam,
            rule,
            "your w shrinks by 0.9 when a violator comes; the rule 1 − 1/t "
            "gives 0.5; 0.9 is 1 − λ.",
        ),
        (
            lambda lam, t: 1 - 1 / t,
            lambda lam, t: 0.7 + t,
            "at t = 1 you add 1.7 times y·x of an example with the score 0; "
            "the rule 1/(λt) gives 10.",
        ),
        (
            lambda lam, t: 0.123 + 0.3 / t,
            rule,
            "at t = 2 your w shrinks by 0.273 when a violator comes; the "
            "rule 1 − 1/t gives 0.5.",
        ),
        (
            lambda lam, t: 1 - 1 / t if t != 3 else 0.25,
            rule,
            "at t = 3 your w shrinks by 0.25 when a violator comes; the "
            "rule 1 − 1/t gives 0.6667.",
        ),
    ],
)
def test_the_factors_of_a_step_are_measured(shrink, add, says):
    report = coursework.check("A1.pegasos", steps_by(shrink, add))
    assert says in str(report), str(report)


def test_a_part_of_no_row_and_unequal_factors_are_seen():
    right = steps_by(lambda lam, t: 1 - 1 / t, rule)
    probe = partial(Probe, sparse=False, averages=False, log=False)
    assert "w is 0.5 in a column that is 0 in every row" in str(
        measure(probe(lambda *run: right(*run) + 0.5))
    )
    uneven = measure(
        probe(
            lambda X, y, lam, order: (
                right(X, y, lam, order)
                * np.arange(1, X.shape[1] + 1) ** len(order)
            )
        )
    )
    assert "at t = 3 rows seen before count for 0.6667 to 1.333" in str(uneven)


def test_a_wrong_threshold_is_measured():
    def strange(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            violates = y[i] * (X[i] @ w) < 1.7
            w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
        return w

    report = coursework.check("A1.pegasos", strange)
    assert report.mistake == "another-threshold"
    assert "example with the margin 1.1 is added 1 times η; the rule" in str(
        report
    )


def test_probes_find_what_a_solver_does_not_depend_on():
    cases = TASK.cases(0)
    assert findings(TASK.reference, cases) == ()
    without_labels = lambda X, y, lam, order: X[order].sum(axis=0) / lam  # noqa: E731
    assert findings(without_labels, cases) == ("labels-have-no-effect",)
    assert findings(lambda X, y, lam, order: y @ X * lam, cases) == (
        "order-has-no-effect",
        "steps-have-no-effect",
    )
    calls = []

    def counts_calls(X, y, lam, order):
        calls.append(1)
        return X[order].T @ y[order] / lam * len(calls)

    assert findings(counts_calls, cases) == ("differs-from-call-to-call",)


def test_a_multiple_of_the_right_value_is_said_so():
    report = coursework.check(
        "A1.objective",
        lambda *case: 1.25 * TASKS["A1.objective"].reference(*case),
    )
    assert report.mistake == "right-but-for-a-factor"
    assert "In every trial it is 1.25 times what is expected." in str(report)


WORDS = {
    "no shrink at all": "1",
    "what leaves nothing of w": "0",
    "1 − η without λ": "1 − 1/(λt)",
    "y·x without a step": "1",
    "no addition at all": "0",
}


def value_of(formula, **values):
    """What a formula says as it is written: λt is a product, √t a root."""
    words = re.findall(r"√t|[λtn()+/−]|\d+", WORDS.get(formula, formula))
    known = {"λ": "lam", "√t": "t**0.5", "−": "-"}
    text = ""
    for before, word in zip(["/", *words], words):
        factors = before not in "(+/−" and word not in ")+/−"
        text += "*" * factors + known.get(word, word)
    return eval(text, dict(values))


@pytest.mark.parametrize("name, formula", [*FACTORS, *ADDITIONS])
def test_a_factor_is_called_what_it_is(name, formula):
    for t, n in ((2, 5), (7, 3)):
        wanted = value_of(name, lam=0.3, t=t, n=n)
        assert formula(0.3, t, n) == pytest.approx(wanted)


def test_what_counts_as_t_counts_what_it_says():
    """Seven steps on three rows, with violators at the first and fourth."""
    hits = [0, 1, 1, 1, 2, 2, 2]
    counts = {
        name: [
            count(s, 3, 7, h, s - 1 - h) for s, h in enumerate(hits, start=1)
        ]
        for name, count in COUNT
    }
    assert counts == {
        "": [1, 2, 3, 4, 5, 6, 7],
        "starts-at-two": [2, 3, 4, 5, 6, 7, 8],
        "starts-at-zero": [0, 1, 2, 3, 4, 5, 6],
        "t-is-one-twice": [1, 1, 2, 3, 4, 5, 6],
        "t-starts-anew-each-epoch": [1, 2, 3, 1, 2, 3, 1],
        "t-counts-epochs": [1, 1, 2, 2, 2, 3, 3],
        "t-counts-violators": [1, 2, 2, 2, 3, 3, 3],
        "t-counts-the-others": [1, 1, 2, 3, 3, 4, 5],
        "t-counts-down": [6, 5, 4, 3, 2, 1, 0],
        "step-from-the-total": [7] * 7,
        "constant-step": [1] * 7,
    }


def test_an_answer_that_is_only_slow_has_no_other_mistake():
    def slow(X, y, lam, order):
        w, total = np.zeros((2, X.shape[1]))
        for t, i in enumerate(order, start=1):
            total += w
            lo, hi = X.indptr[i], X.indptr[i + 1]
            columns, values = X.indices[lo:hi], X.data[lo:hi]
            violates = y[i] * (w[columns] @ values) < 1
            w *= 1 - 1 / t
            w[columns] += violates * y[i] * values / (lam * t)
        return total / len(order)

    report = coursework.check("A3.average", slow)
    assert not report.passed
    assert report.mistake == "touches-all-columns"
    assert "passes over all d entries" in report.message


# No name is better than a wrong one


def run_of(eta, hit=lambda m: m < 1, first=1):
    """Pegasos with another step, another test or another first t."""

    def pegasos(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in zip(np.arange(first, len(order) + first), order):
            add = hit(y[i] * (w @ X[i])) * y[i]
            w = w - eta(lam, t) * (lam * w - add * X[i])
        return w

    return pegasos


def named(answer, task="A1.pegasos", **options):
    report = coursework.check(task, answer, **options)
    assert not report.passed
    return report.mistake


@pytest.mark.parametrize("part", [None, "early", "late", "small λ", "edges"])
def test_nan_is_told_by_its_cause(part):
    """Two NaNs are equal; that does not mean nothing has an effect."""
    answer = run_of(lambda lam, t: 1 / (lam * t), first=0)
    report = coursework.check("A1.pegasos", answer, part=part)
    assert report.mistake == "starts-at-zero"
    assert "begins with a division by zero:\n  in pegasos, line" in str(report)


def test_overflow_is_told_by_its_cause():
    def pegasos(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            e = np.exp(-y[i] * (w @ X[i]))
            w = (1 - 1 / t) * w + e / (1 + e) * y[i] * X[i] / (lam * t)
        return w

    assert named(pegasos, "A2.pegasos") == "exp-overflows"


def test_what_is_nearly_without_effect_is_not_called_so():
    def whole(X, y, lam, order):
        w = np.zeros(X.shape[1], dtype=int)
        for t, i in enumerate(order, 1):
            add = (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
            w[:] = (1 - 1 / t) * w + add
        return w

    def best(X, y, lam, order):
        w = best = np.zeros(X.shape[1])
        least = np.inf
        for t, i in enumerate(order, 1):
            add = (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
            w = (1 - 1 / t) * w + add
            f = lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()
            best, least = (w, f) if f < least else (best, least)
        return best

    assert named(whole) == "whole-numbers-only"
    assert named(best) == "returns-an-earlier-iterate"
    falling = run_of(lambda lam, t: -1 / lam)
    assert "no-effect" not in (named(falling) or "")
    value = TASKS["A1.objective"].reference
    mean = named(lambda X, y, lam, order: value(X[0], X, y, lam) * 1.0)
    assert mean == "one-number-for-many"


def test_a_row_with_the_label_of_the_next_is_no_minus():
    """Labels that alternate would make the two the same."""

    def apart(X, y, lam, order):
        return TASK.reference(np.roll(X, 1, axis=0), y, lam, order) * 1.0

    assert set(named(apart).split(" + ")) == {
        "row-numbers-shifted",
        "label-of-another-row",
    }


@pytest.mark.parametrize("value", [0.0, 1.0])
def test_a_constant_value_has_one_name(value):
    assert named(lambda *_: value, "A1.objective") == "returns-a-constant"


def test_the_loss_forgotten_is_named():
    def regulariser(w, X, y, lam):
        return lam / 2 * w @ w

    assert named(regulariser, "A1.objective") == "losses-forgotten"


@pytest.mark.parametrize(
    "step, name",
    [
        (
            lambda w, x, y, lam, eta: (
                (1 - eta * lam) * w
                + (y * (1 - eta * lam) * (w @ x) < 1) * eta * y * x
            ),
            "margin-after-shrink",
        ),
        (
            lambda w, x, y, lam, eta: (
                (1 - eta * lam) * w + eta * y * x if y * (w @ x) < 1 else w
            ),
            "no-shrink-without-violation",
        ),
        (
            lambda w, x, y, lam, eta: (
                (1 - eta * lam) * w + (y * (w @ x) < 1) * y * x
            ),
            "added-without-the-step",
        ),
    ],
)
def test_a_wrong_step_has_its_name_and_all_of_its_numbers(step, name):
    report = coursework.check("A1.step", step)
    assert report.mistake == name
    assert re.search(r"For w = \[[^…]+\], x = \[[^…]+\], label", str(report))


def test_a_shrink_that_takes_all_is_measured():
    """At t = 2 twice the gradient leaves nothing of w."""
    report = coursework.check(
        "A1.pegasos", steps_by(lambda lam, t: 1 - 2 / t, rule)
    )
    assert report.mistake == "shrink-twice-too-much"
    assert "at t = 2 your w shrinks by 0 when" in str(report)
    assert "as they should be" not in str(report)


@pytest.mark.parametrize(
    "value, name",
    [
        ((np.array([1.0, 2, 3]), 0.5), "returns-more-than-w"),
        (np.array([1.0, 2, 3, 9]), "returns-more-than-w"),
        (np.array([[1.0], [2], [3]]), "returns-a-column"),
        (np.array([[1.0, 2, 3]]), "returns-a-column"),
        (np.array([[9.0, 8, 7], [1, 2, 3]]), "returns-the-history"),
        ([[9.0, 8, 7], [4, 4, 4], [1, 2, 3]], "returns-the-history"),
        (np.array([[1.0, 2, 3, 4]] * 2), None),
        (np.array([1.0, 2]), None),
        (None, None),
    ],
)
def test_w_is_found_in_what_holds_it(value, name):
    found = where_w_is(value, d=3)
    if name is None:
        assert found is None
    else:
        assert found[0] == name
        np.testing.assert_array_equal(found[1](value), [1.0, 2.0, 3.0])


def test_a_shrink_by_lambda_over_t_is_no_wrong_step():
    """Two other mistakes together act alike, and are not meant."""
    answer = steps_by(lambda lam, t: 1 - lam / t, rule)
    assert named(answer) == "shrinks-by-lambda-over-t"


def test_who_adds_the_ones_only_is_told_so():
    def pegasos(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            hit = y[i] == 1 and X[i] @ w < 1
            w = (1 - 1 / t) * w + hit * X[i] / (lam * t)
        return w

    report = coursework.check("A1.pegasos", pegasos)
    assert report.mistake == "minus-ones-not-added"
    assert "no row labelled −1 is ever added to w" in str(report)


# One term for many mistakes


@pytest.mark.parametrize(
    "eta",
    [
        lambda lam, t: 1 / (lam * (t + 10)),
        lambda lam, t: 1 / (lam * t**0.75),
        lambda lam, t: lam * t,
        lambda lam, t: min(1, 1 / (lam * t)),
        lambda lam, t: 0.1 / t,
        lambda lam, t: 1 / (lam * np.log(t + 1)),
    ],
)
def test_any_wrong_step_is_called_that(eta):
    report = coursework.check("A1.pegasos", run_of(eta))
    assert report.mistake == "step-of-another-form"
    assert "your step is w ← " in str(report)


def test_any_wrong_test_is_called_that():
    def stale(X, y, lam, order):
        w = before = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            hit = y[i] * (before @ X[i]) < 1
            before = w
            w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        return w

    assert named(stale) == "test-decides-otherwise"


@pytest.mark.parametrize("bound", [0.999, 0.3, 1.3])
def test_any_threshold_is_found(bound):
    answer = run_of(lambda lam, t: 1 / (lam * t), lambda m: m < bound)
    assert named(answer) == "another-threshold"


@pytest.mark.parametrize("factor", [0.5, 2, 3, -0.5])
@pytest.mark.parametrize("task", ["A1.pegasos", "A3.pegasos"])
def test_a_factor_at_the_end_is_called_that(task, factor):
    """And not two mistakes in the steps that make up for each other."""
    reference = TASKS[task].reference

    def scaled(X, y, lam, order):
        return factor * reference(X, y, lam, order)

    report = coursework.check(task, scaled)
    assert report.mistake == "right-but-for-its-length"


@pytest.mark.parametrize("last", [2, 10])
def test_any_average_is_called_that(last):
    def tail(X, y, lam, order):
        runs = range(max(0, len(order) - last + 1), len(order) + 1)
        W = [TASK.reference(X, y, lam, order[:t]) for t in runs if t]
        return np.mean(W or [np.zeros(X.shape[1])], axis=0)

    assert named(tail) == "mixes-the-iterates"


@pytest.mark.parametrize("bound", [0.02, 1e-3, 1e-4])
def test_any_reset_forgotten_is_found(bound):
    def solver(X, y, lam, order):
        a, v = 1.0, np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            lo, hi = X.indptr[i], X.indptr[i + 1]
            columns, values = X.indices[lo:hi], X.data[lo:hi]
            hit = y[i] * a * (v[columns] @ values) < 1
            a = a * (1 - 1 / t) if t > 1 else a
            a = 1.0 if a < bound else a
            if hit:
                v[columns] += y[i] * values / (lam * t * a)
        return a * v

    assert named(solver, "A3.pegasos") == "scale-reset-forgotten"


@pytest.mark.parametrize(
    "change, name",
    [
        (lambda X, y: (X, (y > 0) * 1.0), "minus-ones-not-added"),
        (lambda X, y: (X - X.mean(0), y), "columns-rescaled"),
        (
            lambda X, y: (X / np.linalg.norm(X, axis=1)[:, None], y),
            "rows-brought-to-length-one",
        ),
    ],
)
def test_data_changed_first_are_found(change, name):
    pegasos = run_of(lambda lam, t: 1 / (lam * t))
    answer = lambda X, y, lam, order: pegasos(*change(X, y), lam, order)  # noqa: E731
    assert named(answer) == name


def test_columns_for_rows_are_found():
    def pegasos(X, y, lam, order):
        w = np.zeros(len(X[:, 0]))
        for t, i in enumerate(order, 1):
            hit = y[i] * (w @ X[:, i]) < 1
            w = (1 - 1 / t) * w + hit * y[i] * X[:, i] / (lam * t)
        return w

    assert named(pegasos) == "columns-for-rows"


@pytest.mark.parametrize(
    "answer",
    [
        lambda *case: np.sort(TASK.reference(*case)),
        lambda X, y, lam, order: TASK.reference(X, y, lam, order[::3]),
        lambda X, y, lam, order: TASK.reference(
            X, y, lam, order % (len(y) - 1)
        ),
        lambda *case: np.clip(TASK.reference(*case), -1, 1),
    ],
)
def test_what_no_term_explains_has_no_name(answer):
    """Rows left out may look like a wrong test on a few steps."""
    assert named(answer) is None


class DrawsAnew:
    """A classifier whose rows no seed decides, which is no mistake."""

    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names, codes = np.unique(labels, return_inverse=True)
        rows = np.random.default_rng().integers(len(X), size=self.T)
        self.w = np.zeros(X.shape[1])
        for t, i in enumerate(rows, 1):
            z = (2 * codes[i] - 1) * X[i]
            hit = z @ self.w < 1
            self.w = (1 - 1 / t) * self.w + hit * z / (self.lam * t)
        return self

    def predict(self, X):
        return self.names[(X @ self.w > 0).astype(int)]


class HasALambdaOfItsOwn(DrawsAnew):
    def fit(self, X, labels):
        self.lam = 1e-3
        return super().fit(X, labels)


class CentresInFitAlone(DrawsAnew):
    def fit(self, X, labels):
        return super().fit(X - X.mean(axis=0), labels)


class WalksOnce(DrawsAnew):
    def fit(self, X, labels):
        self.T = min(self.T, len(X))
        return super().fit(X, labels)


@pytest.mark.parametrize(
    "answer, true",
    [
        (HasALambdaOfItsOwn, {"lambda-has-no-effect"}),
        (CentresInFitAlone, {"moving-the-data-has-no-effect"}),
        (WalksOnce, {"as-many-steps-as-rows"}),
    ],
)
def test_who_draws_anew_is_told_the_mistake_and_not_that(answer, true):
    """Chance may hide it, but not ten times, and it makes up no other."""
    tried = (named(answer, "A1.classifier") for _ in range(10))
    assert {next(filter(None, tried))} <= true


def test_an_example_added_unasked_is_no_missing_shrink():
    def always_adds(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            w = (1 - 1 / t) * w + y[i] * X[i] / (lam * t)
        return w

    text = str(coursework.check("A1.pegasos", always_adds))
    assert "at t = 2 you add an example with a large margin" in text
    assert "no shrink" not in text


def test_who_draws_anew_is_no_wrong_classifier():
    assert coursework.check("A1.classifier", DrawsAnew).passed


def of_the_w_before(X, y, lam, order):
    w = old = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        margin, old = y[i] * (X[i] @ old), w
        w = (1 - 1 / t) * w + (margin < 1) * y[i] * X[i] / (lam * t)
    return w


def of_the_mean(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        margin = y[i] * np.mean(X[i] * w)
        w = (1 - 1 / t) * w + (margin < 1) * y[i] * X[i] / (lam * t)
    return w


def of_the_row_before(X, y, lam, order):
    w, last = np.zeros(X.shape[1]), order[0]
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[last] * X[last] / (lam * t)
        last = i
    return w


@pytest.mark.parametrize(
    "answer, says",
    [
        (of_the_w_before, "at t = 2 you add an example with a large margin"),
        (of_the_mean, "at t = 3 you add an example with a large margin"),
        (of_the_row_before, "at t = 2 what you add is in column 0, where"),
    ],
)
def test_what_is_added_wrongly_is_not_called_a_shrink(answer, says):
    said = str(coursework.check("A1.pegasos", answer))
    assert says in said and "your w shrinks by" not in said


def on_rows(row, average=False):
    """A solver that takes for row i of X what `row` gives: columns, values."""

    def answer(X, y, lam, order):
        w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
        for t, i in enumerate(order, start=1):
            total += w
            cols, vals = row(X, i)
            violates = y[i] * (w[cols] @ vals) < 1
            w *= 1 - 1 / t
            np.add.at(w, cols, violates * y[i] * vals / (lam * t))
        return total / len(order) if average else w

    return answer


def moved(to):
    """The entries of the right row, in other columns."""

    def row(X, i):
        at = slice(X.indptr[i], X.indptr[i + 1])
        return to(X.indices[at], X.shape[1]), X.data[at]

    return row


@pytest.mark.parametrize("average", [False, True])
@pytest.mark.parametrize(
    "to",
    [
        lambda cols, d: np.arange(len(cols)),
        lambda cols, d: cols - 1,
        lambda cols, d: (cols + 1) % d,
        lambda cols, d: d - 1 - cols,
    ],
)
def test_who_moves_columns_uses_no_other_row_and_no_other_weight(to, average):
    task = "A3.average" if average else "A3.pegasos"
    report = coursework.check(task, on_rows(moved(to), average))
    assert not report.passed and "column" in str(report)
    assert report.mistake not in (
        "uses-other-rows",
        "violators-with-other-weights",
    )


def test_who_adds_another_row_too_is_told_so():
    def answer(X, y, lam, order):
        w, last = np.zeros(X.shape[1]), len(y) - 1
        for t, i in enumerate(order, start=1):
            violates = y[i] * (X[i] @ w) < 1
            w = (1 - 1 / t) * w + violates * y[i] * (X[i] + X[last]) / (
                lam * t
            )
        return w

    assert coursework.check("A1.pegasos", answer).mistake == "uses-other-rows"


def test_who_gives_back_the_labels_draws_no_rows():
    class Parrot:
        def __init__(self, lam, T):
            pass

        def fit(self, X, labels):
            self.labels = labels
            return self

        def predict(self, X):
            return self.labels[: len(X)]

    report = coursework.check("A1.classifier", Parrot)
    assert not report.passed
    assert report.mistake != "as-many-rows-as-columns"


def test_who_leaves_w_alone_is_not_told_of_adding():
    def only_violators(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            if y[i] * (X[i] @ w) < 1:
                w = (1 - 1 / t) * w + y[i] * X[i] / (lam * t)
        return w

    report = coursework.check("A1.pegasos", only_violators, part="late")
    assert report.mistake == "no-shrink-without-violation"
    assert "at t = 2 your w shrinks by 1 when an example with a" in str(report)
    assert "you add an example with a large margin" not in str(report)
