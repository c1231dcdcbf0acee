"""Points that stand for themselves: a step, the loop, parts of a run."""

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework import repair
from pegasos_edu.coursework.tasks import TASKS
from tests.coursework.styles import log_by_math, two_branches

PARTS = ("early", "late", "small λ", "edges")


def step(w, x, label, lam, eta):
    violates = label * (w @ x) < 1
    return (1 - eta * lam) * w + violates * eta * label * x


def step_size(lam, t):
    return 1 / (lam * t)


def solver(step_size, step):
    def pegasos(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            w = step(w, X[i], y[i], lam, step_size(lam, t))
        return w

    return pegasos


def loop(*own):
    return coursework.check("A1.loop", coursework.together(*own))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize(
    "task, answer",
    [("A1.pegasos", two_branches), ("A2.pegasos", log_by_math)],
)
def test_a_right_solver_passes_every_part(task, answer, part):
    for variant in range(4):
        report = coursework.check(task, answer, variant, part)
        assert report.passed, str(report)


def test_a_wrong_step_size_costs_what_depends_on_it():
    """Of 25 points 5 at most: step size, early, late, small λ, digits."""

    def wrong(lam, t):
        return 1 / t

    pegasos = solver(wrong, step)
    assert not coursework.check("A1.step_size", wrong).passed
    assert coursework.check("A1.step", step).passed
    assert loop(wrong, step, pegasos).passed
    assert not coursework.check("A1.pegasos", pegasos, part="late").passed


def test_a_wrong_loop_costs_no_step():
    def backwards(X, y, lam, order):
        return two_branches(X, y, lam, order[::-1])

    report = loop(step_size, step, backwards)
    assert not report.passed
    assert "your own step_size and step, called in turn, give" in str(report)


def test_early_and_late_are_apart():
    """A counter that starts anew is right as long as there is one epoch."""

    def anew(X, y, lam, order):
        w = np.zeros(X.shape[1])
        for s, i in enumerate(order):
            w = step(w, X[i], y[i], lam, step_size(lam, s % len(y) + 1))
        return w

    passed = [
        coursework.check("A1.pegasos", anew, part=part).passed
        for part in PARTS[:3]
    ]
    assert passed == [True, False, True]


def test_a_guard_that_depends_on_rounding_fails_the_small_lambda_only():
    def stops(X, y, lam, order):
        return two_branches(X, y, max(lam, 1e-4), order)

    passed = [
        coursework.check("A1.pegasos", stops, part=part).passed
        for part in PARTS
    ]
    assert passed == [True, True, False, True]


def test_the_cost_is_a_part_of_its_own():
    from pegasos_edu.coursework.zoo.a3 import touches_all_columns

    for part in ("early", "late", "small λ", "long"):
        assert coursework.check(
            "A3.pegasos", without_package(touches_all_columns), part=part
        ).passed
    report = coursework.check("A3.pegasos", touches_all_columns, part="cost")
    assert not report.passed
    assert "passes over all d entries" in str(report)


def scaled(label, shrink):
    """The scale trick with another label in the update, or another shrink."""

    def answer(X, y, lam, order):
        a, v = 1.0, np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            lo, hi = X.indptr[i], X.indptr[i + 1]
            cols, vals = X.indices[lo:hi], X.data[lo:hi]
            hit = y[i] * a * (v[cols] @ vals) < 1
            a = shrink(a, t)
            v[cols] += hit * label(y[i]) * vals / (lam * t * a)
        return a * v

    return answer


def right_shrink(a, t):
    return a * (1 - 1 / t) if t > 1 else 1.0


def test_a_wrong_value_costs_no_points_of_the_cost():
    """The trick is there: old columns shrink without being touched."""
    answer = scaled(lambda y: 1.0, right_shrink)
    assert not coursework.check("A3.pegasos", answer, part="early").passed
    report = coursework.check("A3.pegasos", answer, part="cost")
    assert report.passed
    assert "a step costs far less than a pass over d entries." in str(report)


@pytest.mark.parametrize(
    "answer",
    [
        scaled(lambda y: y, lambda a, t: 1.0),  # nothing ever shrinks
        lambda X, y, lam, order: np.zeros(X.shape[1]),
        lambda X, y, lam, order: np.ones(X.shape[1]) / len(order),
        lambda X, y, lam, order: scaled(lambda y: y, right_shrink)(
            X, y, lam, order[-1:]
        ),
    ],
)
def test_who_has_not_the_trick_has_none_of_its_points(answer):
    report = coursework.check("A3.pegasos", answer, part="cost")
    assert not report.passed and "expected:" in str(report)


def without_package(exhibit):
    """The exhibit's lines, as a student would have them in a notebook."""
    from pegasos_edu.coursework.zoo import a3

    names = {"np": np}
    for function in (a3.sparse_row, exhibit):
        code = function.__code__.replace(co_filename="<notebook>")
        names[function.__name__] = type(function)(code, names)
    return names[exhibit.__name__]


def test_functions_that_do_nothing_are_no_loop():
    def nothing(w, x, label, lam, eta):
        return w

    report = loop(step_size, nothing, solver(step_size, nothing))
    assert not report.passed
    assert "returns the same for another order" in str(report)


def test_a_step_that_raises_is_said_so():
    def broken(w, x, label, lam, eta):
        return w + missing  # noqa: F821

    report = loop(step_size, broken, two_branches)
    assert "Your step_size and step, called in turn: Your function raised" in (
        str(report)
    )
    assert "name 'missing' is not defined" in str(report)


@pytest.mark.parametrize(
    "wrong, says",
    [
        (
            lambda w, x, label, lam, eta: (1 - eta * lam) * w,
            "«nothing-is-ever-added»",
        ),
        (
            lambda w, x, label, lam, eta: w + eta * label * x,
            "«updates-always»",
        ),
    ],
)
def test_a_wrong_step_is_refused(wrong, says):
    assert says in str(coursework.check("A1.step", wrong))


def test_unknown_parts_are_refused():
    with pytest.raises(ValueError, match="part is 'middle'; expected None or"):
        coursework.check("A1.pegasos", two_branches, part="middle")
    with pytest.raises(ValueError, match="this task has no parts"):
        coursework.check("A1.step", step, part="early")


def test_every_part_belongs_to_the_whole():
    """A part is a shorter run of the whole, or some of its games."""
    for task in TASKS.values():
        whole = task.cases(0)
        for part, cases in task.parts.items():
            if all("order" in case for case in whole):
                longest = max(len(case["order"]) for case in cases(0))
                most = max(len(case["order"]) for case in whole)
                assert longest <= most, part
            else:
                said = {repr(case) for case in whole}
                assert {repr(case) for case in cases(0)} <= said, part


# A mistake costs once

BORROWED = "borrowed-answer"  # is said of right values alone


def test_a_right_function_stays_and_a_wrong_one_is_replaced():
    assert coursework.repaired("A1.step_size", step_size) is step_size
    assert coursework.repaired("A1.step", step) is step
    for task, wrong in (
        ("A1.step_size", lambda lam, t: 1 / t),
        ("A1.step", lambda *_: None),
        ("A2.slope", lambda margin: 1 / 0),
        ("A4.regret", lambda *_: 0.0),
        ("A4.bound", lambda lam, R, T: R),
    ):
        report = coursework.check(task, coursework.repaired(task, wrong))
        assert report.mistake == BORROWED


@pytest.mark.parametrize(
    "task, asked",
    [
        ("A1.step_size", {"t0": 4}),
        ("A1.step", {"t0": 4, "k": 3}),
        ("A2.slope", {"steepness": 3}),
        ("A4.regret", {"loss": "log", "per_round": True}),
        ("A4.bound", {"projected": True, "per_round": True}),
    ],
)
def test_what_is_put_in_its_place_is_right_for_the_variant(task, asked):
    mine = coursework.Variant(seed=5, **asked)
    found = coursework.repaired(task, lambda *_: 0.0, mine)
    assert coursework.check(task, found, mine).mistake == BORROWED


def test_what_another_variant_asks_for_is_not_replaced():
    """Or a classmate's file would lose the points of one number alone."""
    mine = coursework.Variant(seed=5, t0=4, k=2, returns="average")

    def classmate(t0):
        return lambda lam, t: 1 / (lam * (t + t0))

    for t0 in (1, 2, 6, 7, 8, 9):
        theirs = classmate(t0)
        assert coursework.repaired("A1.step_size", theirs, mine) is theirs
    # Who has forgotten t0, or miscounts by one, has made a mistake.
    for t0 in (0, 3, 5):
        own = classmate(t0)
        found = coursework.repaired("A1.step_size", own, mine)
        assert coursework.check("A1.step_size", found, mine).mistake == (
            BORROWED
        )
    # In the public edition nobody is asked for another.
    assert coursework.repaired("A1.step_size", classmate(4))(0.5, 1) == 2.0


def test_a_classmates_solver_loses_its_points_with_the_step_size():
    """Theirs differs in t0 alone; the solver calls its step size."""
    mine = coursework.Variant(seed=5, t0=4, k=2, returns="average")
    theirs = repair.step_size(7)
    right = repair.step_size(4)

    def pegasos(size):
        def solve(X, y, lam, order):
            w, total = np.zeros(X.shape[1]), np.zeros(X.shape[1])
            for t, rows in enumerate(order, start=1):
                total += w
                eta, Z = size(lam, t), y[rows][:, np.newaxis] * X[rows]
                w = (1 - eta * lam) * w + eta * Z[Z @ w < 1].sum(0) / len(Z)
            return total / len(order)

        return solve

    for own, passes in ((right, True), (theirs, False)):
        used = coursework.repaired("A1.step_size", own, mine)
        found = coursework.check("A1.pegasos", pegasos(used), mine)
        assert found.passed == passes


def test_a_solver_that_calls_them_loses_nothing_by_their_mistakes():
    def wrong(lam, t):
        return 1 / t

    own = wrong, step
    repaired = coursework.repaired("A1.step_size", wrong)
    pegasos = solver(repaired, step)
    assert coursework.check("A1.pegasos", pegasos).passed
    together = coursework.together(repaired, step, pegasos, own)
    assert coursework.check("A1.loop", together).passed


def test_a_solver_with_the_same_mistake_in_it_has_a_right_loop():
    def wrong(lam, t):
        return 1 / t

    repaired = coursework.repaired("A1.step_size", wrong)
    pegasos = solver(wrong, step)
    together = coursework.together(repaired, step, pegasos, (wrong, step))
    assert coursework.check("A1.loop", together).passed
    assert not loop(repaired, step, pegasos).passed


def test_only_what_others_call_is_repaired():
    with pytest.raises(ValueError, match="expected one of A1.step_size"):
        coursework.repaired("A1.pegasos", two_branches)
