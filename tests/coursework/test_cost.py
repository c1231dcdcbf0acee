"""What a step of assignment 3 costs: right answers little, others enough."""

from dataclasses import replace
from itertools import chain, repeat
from types import SimpleNamespace

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework import cost
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo.a3 import touches_all_columns
from tests.coursework.styles import scale_guarded_on_t

TASK = TASKS["A3.pegasos"]


class Vector:
    """A vector whose passes take what a function of their number says."""

    def __init__(self, seconds):
        self.seconds, self.passes, self.clock = seconds, 0, 0.0

    def __imul__(self, factor):
        self.clock += self.seconds(self.passes)
        self.passes += 1
        return self


@pytest.mark.parametrize("tick", [1e-9, 0.01])
@pytest.mark.parametrize(
    "runs, slow, wanted",
    [
        (1, lambda k: 1, 1e-4),
        # Other work lengthens the first passes, hence the whole first run.
        (3, lambda k: 5 if k < 400 else 1, 1e-4),
        (1, lambda k: 5, 5e-4),
    ],
)
def test_a_pass_is_timed_over_many_and_the_shortest_run_counts(
    monkeypatch, tick, runs, slow, wanted
):
    """By a clock that the passes move themselves, in fine or coarse ticks."""
    vector = Vector(lambda k: 1e-4 * slow(k))
    fake = SimpleNamespace(ones=lambda d: vector, inf=np.inf)
    monkeypatch.setattr(cost, "RUNS", runs)
    monkeypatch.setattr(cost, "user_time", lambda: vector.clock // tick * tick)
    monkeypatch.setattr(cost, "np", fake)
    found = cost.pass_time(10_000, seconds=0.6)
    assert found == pytest.approx(wanted, rel=0.1)
    assert vector.clock > 0.6


class Afar:
    """A right solver in another process, with a clock of its own.

    To hand it many columns takes a while, and longer in some runs.
    """

    def __init__(self, passes, later=0.08):
        self.passes, self.later = passes, later
        self.now, self.calls, self.quick = 0.0, 0, False

    def clock(self):
        return self.now

    def __call__(self, X, y, lam, order):
        self.calls += 1
        many = X.shape[1] > cost.SMALL
        self.now += 1e-5 * len(order) + 0.05 * many
        self.now += self.later * (many and len(order) > 6)
        self.now += self.passes * ONE_PASS * len(order) * many
        return TASK.reference(X, y, lam, order)


ONE_PASS = 5e-5


@pytest.mark.parametrize("passes", [0.0, 1.0])
def test_what_every_run_costs_is_no_pass(monkeypatch, passes):
    """It lost the model answer of A3.projected its points on a busy day."""
    monkeypatch.setattr(cost, "pass_time", lambda d: ONE_PASS)
    found = cost.fewest_passes(
        TASK, Afar(passes), cost.VISITED, cost.LONG / 2, "visited"
    )
    assert (found < 0.5) == (passes < 0.5)


def test_an_answer_afar_is_timed_once_a_test(monkeypatch):
    monkeypatch.setattr(cost, "pass_time", lambda d: ONE_PASS)
    answer = Afar(0.0, later=0.0)
    assert cost.judge_cost(TASK, answer) == ""
    calls = answer.calls
    assert calls > 10
    assert cost.judge_cost(TASK, answer) == "" and answer.calls == calls
    slow = Afar(9.0, later=0.0)
    assert [bool(cost.judge_cost(TASK, slow)) for _ in range(2)] == [True] * 2


class Machine:
    """One on which a pass takes a millisecond, or what it is said to take.

    Parameters
    ----------
    monkeypatch : as of pytest
    own, more : float
        Seconds that a step takes, and takes more with many columns.
    once : float
        Seconds of a run of one step with many columns.
    a_pass : iterator of float
    """

    def __init__(self, monkeypatch, own, more, once=0.0, a_pass=None):
        self.own, self.more, self.once = own, more, once
        self.asked, self.columns = [], 0
        a_pass = a_pass or repeat(1e-3)
        monkeypatch.setattr(cost, "pass_time", lambda d: next(a_pass))
        monkeypatch.setattr(cost, "timed_run", self.timed_run)
        monkeypatch.setattr(cost, "compare", lambda task, d, found: None)

    def timed_run(self, solution, d, steps, kind="violators", trial=0, runs=1):
        assert len(self.asked) < 100
        self.asked.append((steps, kind == "visited", trial, runs))
        self.columns = d
        many = d > cost.SMALL
        return (
            self.once * many + (steps - 1) * (self.own + self.more * many),
            np.arange(steps),
            None,
        )


@pytest.mark.parametrize(
    "own, passes, once, trials, longest",
    [
        (0.1, 0.0, 0.0, 1, 126),
        (2e-3, 3.0, 0.0, 5, 372),
        (1e-3, 1.5, 0.0, 6, 432),
        (1e-5, 3.0, 0.0, 2, 37),
        (1e-5, 3.0, 0.05, 2, 82),
        (1e-5, 1.5, 0.7, 3, 1500),
        (1e-5, 3.0, 0.7, 2, 432),
        (1e-5, 9.0, 0.0, 2, 19),
        (1e-5, 9.0, 0.05, 2, 28),
        (1e-5, 9.0, 0.7, 2, 432),
    ],
)
def test_how_long_a_step_is_timed_ends_by_itself(
    own, passes, once, trials, longest, monkeypatch
):
    """A pass takes a millisecond here, and a step so many passes.

    Six times as many steps are timed each time, or as many as will do if all
    take as long as these did: until they take a tenth of a second longer, or
    would take an eighth of a second by a pass each. That is done again, from
    a sixth of as many steps on, until two trials are beyond doubt: they take
    several times as long as their own time, or more passes than a busy
    machine explains. What a run costs once, it may cost twice on such a
    machine. If four trials do not tell, or a run of one step takes more than
    six hundred passes (rows with all columns come first), one of up to three
    quarters of a second follows, and one more if it has found two passes or
    fewer. None of these goes on where the steps by themselves take a fifth
    of a second.
    """
    machine = Machine(monkeypatch, own, passes * 1e-3, once)
    found = cost.fewest_passes(
        TASK, None, cost.VISITED, cost.LONG / 2, "visited"
    )
    assert found == pytest.approx(passes)
    asked = [steps for steps, *_ in machine.asked]
    assert all(visited for _, visited, *_ in machine.asked)
    assert asked[:6] == [1, 1, 1, 1, *([7, 7] if once < 0.6 else [6, 12])]
    assert max(asked) == longest
    short = len({trial for *_, trial, _ in machine.asked} - {cost.TRIALS})
    assert short + asked.count(6) // 2 == trials


@pytest.mark.parametrize("once, columns", [(0.5, 300_000), (0.7, 30_000)])
def test_where_it_takes_long_fewer_columns_are_visited(
    once, columns, monkeypatch
):
    """In a loop of Python: that it goes on and on shows with fewer, too."""
    machine = Machine(monkeypatch, own=1e-5, more=0.0, once=once)
    assert cost.passes_over_visited(TASK, None) == 0.0
    assert machine.columns == columns


def test_each_trial_has_an_order_of_its_own():
    """What an answer has computed in one is of no use in the next."""
    orders = [
        cost.timed_run(TASK.reference, cost.SMALL, 20, trial=trial)[1]
        for trial in range(1 + cost.TRIALS)
    ]
    assert len({tuple(order) for order in orders}) == len(orders)


def test_a_step_that_may_be_twice_as_long_by_other_work_passes(monkeypatch):
    """Its own time is that of three passes, and it takes two more."""
    Machine(monkeypatch, own=3e-3, more=2e-3)
    assert cost.passes_over_visited(TASK, None) == 0.0
    found = cost.fewest_passes(TASK, None, cost.LARGE, cost.LONG)
    assert found == pytest.approx(2.0)


@pytest.mark.parametrize("now, runs", [(4e-3, [1]), (1e-3, [1, 3])])
def test_two_long_runs_are_held_to_a_pass_timed_anew(now, runs, monkeypatch):
    """A step takes 1.5 passes more, if the machine is as fast as before."""
    times = iter([1e-3] * (1 + cost.TRIALS) + [now] * 2)
    machine = Machine(monkeypatch, 1e-3, 1.5e-3, a_pass=times)
    found = cost.fewest_passes(TASK, None, cost.LARGE, cost.LONG)
    assert found == pytest.approx(1.5e-3 / now)
    assert sorted({asked[-1] for asked in machine.asked}) == runs


@pytest.mark.parametrize("busy", [1, 2, 3])
def test_a_pass_timed_in_a_busy_moment_acquits_no_step(busy, monkeypatch):
    """So many times as long; a step takes one pass. CI has seen it happen."""
    times = chain([busy * 1e-3], repeat(1e-3))
    Machine(monkeypatch, 1e-5, 1e-3, a_pass=times)
    found = cost.fewest_passes(TASK, None, cost.LARGE, cost.LONG)
    assert found == pytest.approx(1.0)


@pytest.mark.parametrize(
    "trials, judged", [([1.0] * 4, 1.0), ([1.0, 1.0, 1.0, 0.1], 0.1)]
)
def test_in_a_browser_all_trials_must_agree(trials, judged, monkeypatch):
    """And if they do, no longer runs follow: the passes have told."""
    left = iter(trials)
    Machine(monkeypatch, 0.0, 0.0)
    monkeypatch.setattr(cost, "SURELY", 0.5)
    monkeypatch.setattr(cost, "AGREE", cost.TRIALS)
    monkeypatch.setattr(
        cost,
        "growth",
        lambda *_: cost.Growth(0.2 * next(left), 200, 0.0, 0.0, None, None),
    )
    found = cost.fewest_passes(TASK, None, cost.LARGE, cost.LONG)
    assert found == pytest.approx(judged)


@pytest.mark.parametrize("kind", cost.KINDS)
@pytest.mark.parametrize("name", ["A3.pegasos", "A3.average", "A3.projected"])
def test_equal_columns_have_equal_weights(name, kind):
    """So that the rows for timing may be compared with few of their columns.

    By hand: the columns that were left out are equal to one that was kept.
    """
    d, task = 2_000, TASKS[name]
    rows, column = cost.fewer_columns(d)
    X = cost.rows_for_timing(d)
    np.testing.assert_array_equal(rows.toarray()[:, column], X.toarray())
    assert rows.shape[1] < 110
    found = cost.Growth(
        0.0, 1, 0.0, 0.0, *cost.timed_run(task.reference, d, 90, kind)[1:]
    )
    assert np.count_nonzero(found.w) >= (d if kind == "visited" else 10)
    cost.compare(task, d, found)
    for at in np.flatnonzero(found.w)[[0, 20]]:
        wrong = found.w.copy()
        wrong[at] *= 1 + 1e-5
        with pytest.raises(cost.AnotherAnswer, match="2,000 columns"):
            cost.compare(task, d, replace(found, w=wrong))


def nothing(X):
    return np.zeros(X.shape[1])


def no_vector(X):
    return {"w": 0}


def stops(X):
    raise KeyError("too many")


@pytest.mark.slow
@pytest.mark.parametrize("part", [None, "cost"])
@pytest.mark.parametrize("on_many", [nothing, no_vector, stops])
def test_who_is_quick_on_many_columns_must_be_right_there(on_many, part):
    """Dense on few columns, it had the points of what a step costs."""

    def answer(X, y, lam, order):
        if X.shape[1] >= cost.VISITED:
            return on_many(X)
        return touches_all_columns(X, y, lam, order)

    report = coursework.check("A3.pegasos", answer, part=part)
    assert not report.passed and report.mistake is None
    assert "On rows with 1,500,000 columns your answer" in report.message


@pytest.mark.slow
@pytest.mark.parametrize("part", [None, "cost"])
def test_what_was_computed_in_another_trial_is_no_answer(part):
    known = {}

    def answer(X, y, lam, order):
        case = X.shape, X.nnz, lam, len(order)
        if len(order) < 10 or case not in known:
            known[case] = touches_all_columns(X, y, lam, order)
        return known[case]

    report = coursework.check("A3.pegasos", answer, part=part)
    assert not report.passed


def folds_at_violators(X, y, lam, order):
    """Right values; a pass over all columns at each violator."""
    w, a = np.zeros(X.shape[1]), 1.0
    for t, i in enumerate(order, start=1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        cols, vals = X.indices[at], X.data[at]
        violates = y[i] * a * (w[cols] @ vals) < 1
        a = 1.0 if t == 1 else a * (1 - 1 / t)
        if violates:
            w *= a
            a = 1.0
            w[cols] += y[i] * vals / (lam * t)
    return a * w


def shrinks_all_if_quiet(X, y, lam, order):
    """Right values; a pass over all columns where nothing is added."""
    w, a = np.zeros(X.shape[1]), 1.0
    for t, i in enumerate(order, start=1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        cols, vals = X.indices[at], X.data[at]
        if y[i] * a * (w[cols] @ vals) >= 1:
            w *= 1 - 1 / t
            continue
        a = 1.0 if t == 1 else a * (1 - 1 / t)
        w[cols] += y[i] * vals / (lam * t * a)
    return a * w


@pytest.mark.parametrize(
    "kind, share", [("violators", (0.75, 1.0)), ("quiet", (0.0, 0.1))]
)
def test_what_nearly_all_steps_that_are_timed_find(kind, share):
    """So that a pass at each violator is a pass at nearly each step.

    And so is one at each step that finds none.
    """
    X = cost.rows_for_timing(cost.LARGE)
    _, order, _ = cost.timed_run(TASK.reference, cost.LARGE, 300, kind)
    y = np.where(np.arange(X.shape[0]) % 2 == 0, 1.0, -1.0)
    first = len(cost.KINDS[kind][0])
    steps = range(1 + first, 50 + first)
    before = [TASK.reference(X, y, cost.LAM, order[:T]) for T in steps]
    margins = [
        y[order[T]] * (X[order[T]] @ w).item() for T, w in zip(steps, before)
    ]
    assert share[0] <= np.mean(np.array(margins) < 1) <= share[1]
    assert np.abs(np.array(margins) - 1).min() > 1e-6


class Later:
    """Numbers that are computed when they are read."""

    def __init__(self, *run):
        self.run = run

    def __array__(self, dtype=None, copy=None):
        return touches_all_columns(*self.run)


def asks_itself(X, y, lam, order):
    """Where it is timed, of all rows to be visited it makes the first."""
    if X.shape[1] >= cost.VISITED:
        order[:] = order[0]
        X = X[:, np.unique(X[order[0]].indices)]
    return touches_all_columns(X, y, lam, order)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer, name",
    [
        (folds_at_violators, "touches-all-columns"),
        (shrinks_all_if_quiet, "touches-all-columns"),
        (Later, "touches-all-columns"),
        (asks_itself, None),
    ],
)
def test_who_hides_a_pass_has_no_points_of_the_cost(answer, name):
    report = coursework.check("A3.pegasos", answer, part="cost")
    assert not report.passed and report.mistake == name


@pytest.mark.parametrize("by_lambda", [True, False])
def test_who_has_no_margin_or_no_lambda_has_no_steps(by_lambda):
    """One line has had half of the points: a sum of the rows drawn."""

    def answer(X, y, lam, order):
        scale = len(order) * (lam if by_lambda else 0.1)
        return X[order].T @ y[order] / scale

    assert not coursework.check("A3.pegasos", answer, part="cost").passed


@pytest.mark.slow
def test_a_wrong_solver_is_as_wrong_on_many_columns():
    """It loses the points of what is wrong, and not those of the cost."""

    def answer(X, y, lam, order):
        return 1.5 * scale_guarded_on_t(X, y, lam, order)

    assert coursework.check("A3.pegasos", answer, part="cost").passed
    assert not coursework.check("A3.pegasos", answer).passed


def test_the_rows_for_timing_are_as_they_were():
    """An answer has a copy; by SciPy, to sort what is sorted is to write."""
    X = cost.rows_for_timing(cost.SMALL)
    before = X.toarray()

    def answer(rows, y, lam, order):
        w = TASK.reference(rows, y, lam, order)
        rows.data[:] = 0.0
        return w

    cost.timed_run(answer, cost.SMALL, 5)
    np.testing.assert_array_equal(X.toarray(), before)
    assert not X.data.flags.writeable


@pytest.mark.slow
def test_no_dense_step_hides_behind_a_slow_start():
    """Runs of few steps wait as long as many steps take."""

    def dawdles(X, y, lam, order):
        start = cost.user_time()
        w = touches_all_columns(X, y, lam, order)
        while len(order) < 2000 and cost.user_time() < start + 0.5:
            pass
        return w

    assert cost.fewest_passes(TASK, dawdles, cost.LARGE, cost.LONG) > 0.5
