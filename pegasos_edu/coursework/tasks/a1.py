"""Assignment 1: a linear support vector classifier by Pegasos."""

from functools import partial
from itertools import combinations

import numpy as np
from scipy import special

from pegasos_edu.coursework.asked import averaged, solve
from pegasos_edu.coursework.cases import (
    SOLVER_PARTS,
    label_cases,
    loop_cases,
    one_step_cases,
    side_cases,
    solver_cases,
    step_cases,
    visit_cases,
    wasted_cases,
    weight_cases,
)
from pegasos_edu.coursework.task import (
    beyond,
    describe,
    judge_form,
    judge_solver,
    judge_value,
    show,
    task,
)
from pegasos_edu.coursework.tasks.classifier import (
    Trained,
    best,
    judge_labels,
    judge_training,
)
from pegasos_edu.coursework.trial import (
    as_array,
    as_numbers,
    call,
    same_values,
    type_of,
)
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.steps import PegasosStep


def judge_visits(task, solution, case, outcome):
    """Row numbers in range, every row, as often as asked, reproducible."""
    n, T, k = case["n"], case["T"], task.asked.get("k", 1)
    problem = judge_form(outcome, (T, k) if k > 1 else (T,))
    if problem:
        return problem
    T, rows = T * k, as_numbers(outcome.value).ravel()
    if not np.array_equal(rows, np.floor(rows)):
        return f"You returned {show(rows)}; expected whole row numbers."
    if as_array(outcome.value).dtype.kind == "f":
        return (
            f"You returned {show(rows[:3])} and so on as floats, by which "
            f"NumPy takes no row; expected integers."
        )
    if rows.min() < 0 or rows.max() >= n:
        return (
            f"Your rows range from {rows.min():.0f} to {rows.max():.0f} for n"
            f" = {n};"
            f" expected 0 to {n - 1}."
        )
    counts = np.bincount(rows.astype(int), minlength=n)
    if counts.min() == 0 and n <= T:
        return (
            f"Row {int(np.argmin(counts))} is never visited in {T} draws "
            f"from {n} rows; expected each row about {T / n:.0f} times."
        )
    # Of 400 fair draws all miss a tenth of the rows once in 10^18 times.
    if n >= MANY and (rows.min() >= n / 10 or rows.max() < n - n / 10):
        return (
            f"Your {T} rows of {n} lie between {rows.min():.0f} and "
            f"{rows.max():.0f}; expected each row to have the same chance."
        )
    # Twelve standard deviations: no fair draw gets there.
    if counts.max() > T / n + 12 * np.sqrt(max(T / n, 1)):
        return (
            f"Row {int(np.argmax(counts))} is visited {counts.max()} times "
            f"in {T} draws from {n} rows; expected about {T / n:.0f}."
        )
    uneven = judge_evenness(rows, n)
    if uneven:
        return uneven
    if not same_values(call(solution, case).value, outcome.value, None):
        return (
            "Two calls with the same seed gave different rows; expected "
            "the seed to decide."
        )
    first = case["seed"]
    others = drawn_by(solution, case, range(first + 1, first + 11))
    drawn = list(enumerate([outcome.value, *others], start=first))
    pairs = list(combinations(drawn, 2))
    alike = [pair for pair in pairs if same_draws(*pair)]
    # Of few rows one order may come twice by chance, but not each time.
    if alike and (n >= MANY or len(alike) == len(pairs)):
        (before, _), (seed, _) = alike[0]
        return (
            f"The seeds {before} and {seed} gave the same rows; "
            f"expected the seed to decide."
        )
    other = as_numbers(others[0])
    return judge_chance(
        rows, None if other is None else other.ravel(), n
    ) or judge_places([as_numbers(each) for _, each in drawn], n)


def judge_places(drawn, n):
    """A place in which eleven seeds put the same of many rows."""
    if n < MANY or any(np.shape(rows) != np.shape(drawn[0]) for rows in drawn):
        return ""
    still = np.flatnonzero(np.ptp(drawn, axis=0) == 0)
    if not still.size:
        return ""
    return (
        f"Entry {still[0]} of your rows is {drawn[0].flat[still[0]]:.0f} for "
        f"each of {len(drawn)} seeds; expected each entry to be drawn."
    )


def drawn_by(solution, case, seeds):
    """What a solution draws in a case by each of these seeds."""
    return [call(solution, {**case, "seed": seed}).value for seed in seeds]


def same_draws(one, other):
    """Whether two pairs of a seed and its rows have the same rows."""
    rows = one[1], other[1]
    there = all(as_numbers(each) is not None for each in rows)
    return there and same_values(*rows, digits=None)


def judge_evenness(rows, n):
    """Some numbers that come more often than others, by a χ² test."""
    parts = min(n, len(rows) // 20)
    if parts < 2:
        return ""  # too few draws for a rule of thumb
    expected = len(rows) / parts
    counts = np.bincount((rows * parts // n).astype(int), minlength=parts)
    distance = np.sum((counts - expected) ** 2) / expected
    # A fair draw is farther off once in 10^15 times.
    if distance <= special.chdtri(parts - 1, 1e-15):
        return ""
    part = int(np.argmax(np.abs(counts - expected)))
    first, end = -(-part * n // parts), -(-(part + 1) * n // parts)
    where = (
        f"lie between {first} and {end - 1}"
        if end - first > 1
        else f"are row {first}"
    )
    return (
        f"Of your {len(rows)} rows of {n}, {counts[part]} {where}; expected "
        f"about {expected:.0f}, as each row has the same chance."
    )


SOME = 20  # rows of which an order by chance hardly ever follows a rule
MANY = 10_000  # rows of which two draws hardly ever have the same distance


def judge_chance(rows, other, n):
    """Rows that follow a rule are none that chance has drawn.

    From one draw to the next, or from one seed to another, chance moves by
    each of the n distances equally often. The distances of distances, and
    so on, of a polynomial are all alike in the end, but for a few that come
    from a remainder.
    """
    if n < SOME:
        return ""  # one order of five, again and again, may look like a rule
    few = 0.7 if n < MANY else 0.05
    orders = range(1, 2 if n < MANY else 7)
    share = often(np.diff(rows), n)
    if share > few:
        again = np.mean(np.diff(rows) == 0) == share
        does = "is the same again" if again else "moves by the same number"
        return (
            f"In {share:.0%} of your draws the row {does}; expected a random "
            f"order."
        )
    if any(often(np.diff(rows, order), n) > few for order in orders):
        return (
            f"Among {n} rows yours follow a formula: the same differences of "
            f"differences come again and again. Expected a random order."
        )
    if other is None or other.shape != rows.shape:
        return ""
    if often(other - rows, n) > few:
        return (
            "Another seed moves all your rows by the same number; expected "
            "another random order."
        )
    return ""


def often(distances, n):
    """How often the most frequent distance occurs, of all."""
    counts = np.bincount((distances % n).astype(int), minlength=n)
    return counts.max() / len(distances)


@task("A1.objective", "objective(w, X, y, lam) -> f(w)", weight_cases)
def _(w, X, y, lam):
    return objective(w, X, y, lam)


@task("A1.step_size", "step_size(lam, t) -> η_t for t = 1, 2, …", step_cases)
def _(lam, t, t0=0):
    return PegasosStep(lam, t0)(t)


@task(
    "A1.visits",
    "visits(n, T, seed) -> the T row numbers to visit, from 0 to n - 1",
    visit_cases,
    judge_visits,
)
def _(n, T, seed, k=1):
    order = draw_order(n, T, k, seed=seed)
    return order if k > 1 else order.ravel()


@task(
    "A1.step",
    "step(w, x, label, lam, eta) -> w after one step of size eta",
    one_step_cases,
)
def _(w, x, label, lam, eta):
    violates = label * (w @ x) < 1
    return (1 - eta * lam) * w + violates * eta * label * x


class Together:
    """A student's step size, step and solver, which should agree.

    Parameters
    ----------
    step_size, step, pegasos : callable
        As the tasks of assignment 1 ask for them; the first two may be
        `repaired`.
    own : tuple of callable, optional
        The step size and the step as they were before.
    """

    def __init__(self, step_size, step, pegasos, own=None):
        self.step_size, self.step, self.pegasos = step_size, step, pegasos
        self.own = own

    def __call__(self, X, y, lam, order):
        return self.pegasos(X, y, lam, order)

    def by_hand(self, X, y, lam, order, returns="last"):
        """The steps one after the other, right or wrong as they are.

        A step with a batch is the mean of the steps with each of its rows,
        all from the same w.
        """
        W = [np.zeros(X.shape[1])]
        for t, rows in enumerate(order, start=1):
            eta = self.step_size(lam, t)
            steps = [
                self.step(W[-1], X[i], y[i], lam, eta)
                for i in np.atleast_1d(rows)
            ]
            W.append(np.mean(steps, axis=0) if steps[1:] else steps[0])
        return W[-1] if returns == "last" else averaged(W[:-1], returns)


def judge_effect(solution, case, w):
    """Two functions that do nothing agree, too; that is no solver."""
    rows = (case["order"] + 1) % len(case["y"])
    for name, change in (("order", rows), ("y", -case["y"])):
        other = call(solution, {**case, name: change})
        if same_values(as_numbers(other.value), w):
            return f"Your pegasos returns the same for another {name}."
    return ""


def judge_loop(task, solution, case, outcome):
    """The solver does what the student's own steps do, one by one."""
    if not isinstance(solution, Together):
        kind = type_of(solution)
        return f"You handed in something of type {kind}; expected {task.asks}."
    returns = task.asked.get("returns", "last")
    by_hand = call(partial(solution.by_hand, returns=returns), case)
    # A solver may have its own mistakes written out in it.
    if solution.own and not by_hand.same_as(outcome):
        before = Together(*solution.own, solution.pegasos)
        other = call(partial(before.by_hand, returns=returns), case)
        by_hand = other if other.same_as(outcome) else by_hand
    problem = judge_form(by_hand, case["X"].shape[1:])
    if problem:
        return f"Your step_size and step, called in turn: {problem}"
    problem = judge_form(outcome, case["X"].shape[1:])
    if problem:
        return problem
    wanted, got = as_numbers(by_hand.value), as_numbers(outcome.value)
    if same_values(got, wanted):
        return judge_effect(solution, case, wanted)
    return (
        f"For {describe(case)} your pegasos returned {show(got)}; your own "
        f"step_size and step, called in turn, give {show(wanted)}."
    )


@task(
    "A1.loop",
    "together(step_size, step, pegasos), where pegasos does what your "
    "step_size and step do",
    loop_cases,
    judge_loop,
)
def _(X, y, lam, order, k=1, returns="last"):
    return solve(X, y, lam, order, k=k, returns=returns)


@task(
    "A1.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step, of shape (d,)",
    solver_cases,
    judge_solver,
    parts=SOLVER_PARTS,
)
def _(X, y, lam, order, t0=0, k=1, returns="last"):
    return solve(X, y, lam, order, t0=t0, k=k, returns=returns)


def judge_sides(task, solution, case, outcome):
    """-1 or +1 for each row; on the line itself either will do."""
    scores = case["X"] @ case["w"]
    problem = judge_form(outcome, scores.shape)
    if problem:
        return problem
    got = as_numbers(outcome.value)
    on = np.flatnonzero((scores == 0) & ~np.isin(got, (-1, 1)))
    if len(on):
        return (
            f"For a row with the score 0 you returned {got[on[0]]:g}; "
            f"expected -1 or 1."
        )
    off = scores != 0
    if np.array_equal(got[off], np.sign(scores[off])):
        return ""
    wanted = np.where(off, np.sign(scores), got)
    return (
        f"For the scores {show(scores)} you returned {show(got)}; expected "
        f"-1 or 1 by the sign.{beyond(got, wanted)}"
    )


@task(
    "A1.predict",
    "predict(w, X) -> -1 or +1 for each row",
    side_cases,
    judge_sides,
)
def _(w, X):
    return np.where(X @ w > 0, 1, -1)


def judge_wasted(task, solution, case, outcome):
    """As judge_value; and what the share is of instead."""
    problem = judge_value(task, solution, case, outcome)
    X, rows = case["X"], case["rows"]
    others = {
        "the multiplications that are needed": np.mean(X[rows] != 0),
        "all of X": np.mean(X == 0),
        "the rows named, each once": np.mean(X[np.unique(rows)] == 0),
    }
    for of, value in others.items():
        if problem and same_values(as_numbers(outcome.value), value):
            return f"{problem}\nYours is the share of {of}."
    return problem


@task(
    "A1.wasted",
    "wasted(X, rows) -> the share of the multiplications w_j·x_ij in the "
    "scores of the named rows in which x_ij is 0",
    wasted_cases,
    judge_wasted,
)
def _(X, rows):
    return np.mean(X[np.ravel(rows)] == 0)


@task(
    "A1.classifier",
    "a class with __init__(lam, T), fit(X, labels) that returns self, and "
    "predict(X) -> labels; the two labels may be anything",
    label_cases,
    judge_labels,
    Trained,
    after=judge_training,
)
def _(X, labels, X_new, lam, T):
    negative, positive = np.unique(labels)
    y = np.where(labels == positive, 1.0, -1.0)
    return np.where(X_new @ best(X, y, lam) > 0, positive, negative)
