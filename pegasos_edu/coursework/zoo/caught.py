"""Tests that anybody could write, and which mistakes each of them sees.

A test is a sentence and a function of an answer, which says whether the answer
passes. No mistake is named here: what catches it is found by running all tests
of its task. A right answer passes them all.
"""

from functools import cache

import numpy as np
from scipy.sparse import csr_matrix

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.tasks.tournament import judge_refutation
from pegasos_edu.coursework.trial import call, same_values
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.dense import pegasos
from pegasos_edu.solvers.orders import draw_order

X, Y = two_clouds()
LAM = 0.1
ZERO, ONES = np.zeros(2), np.ones(2)
EAST = np.array([1.0, 0.0])
PAIR = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0])
SEEDS = range(30)
# The solvers, by task: loss, steps, and whether the average is asked for.
SOLVERS = {
    "A1.pegasos": ("hinge", 500, False),
    "A2.pegasos": ("log", 500, False),
    "A3.pegasos": ("hinge", 1_200, False),
    "A3.average": ("hinge", 1_200, True),
}


def close(a, b):
    return same_values(np.asarray(a, dtype=float), np.asarray(b, dtype=float))


def accuracy(w):
    return np.mean(Y * (X @ w) > 0)


@cache
def best(loss="hinge"):
    return optimum(X, Y, LAM, loss)


def right(task, order, lam=LAM):
    """What the package's solver returns."""
    loss, _, averages = SOLVERS[task]
    first = 1 if averages else None
    run = pegasos(X, Y, lam, order=order, loss=loss, average_from=first)
    return run.average if averages else run.last


@cache
def right_ends(task):
    orders = (draw_order(len(Y), SOLVERS[task][1], seed=s) for s in SEEDS)
    return [right(task, order) for order in orders]


def result(task, answer, order, lam=LAM):
    """What an answer returns, or NaN where it fails."""
    rows = csr_matrix(X) if task.startswith("A3") else X
    case = {"X": rows, "y": Y, "lam": lam, "order": order}
    w = call(answer, case).value
    return np.full(2, np.nan) if w is None else w


@cache
def shares(task, answer):
    """On which share of 30 orders a solver ends as it should.

    By the accuracy it may be two points below the right solver, by the
    objective 0.01 above the optimum; by comparison its numbers must be the
    right solver's.

    Parameters
    ----------
    task : str
        One of the tasks that ask for a solver.
    answer : callable

    Returns
    -------
    dict of float
        The shares by "accuracy", "objective" and "comparison".

    Examples
    --------
    >>> shares("A1.pegasos", lambda X, y, lam, order: 0 * X[0])["accuracy"]
    0.0
    """
    passed = [ends_well(task, answer, seed) for seed in SEEDS]
    words = "accuracy", "objective", "comparison"
    return dict(zip(words, np.mean(passed, axis=0).tolist()))


def ends_well(task, answer, seed):
    """By the accuracy, by the objective, and by comparison."""
    loss, T, _ = SOLVERS[task]
    order = draw_order(len(Y), T, seed=seed)
    w, known = result(task, answer, order), right_ends(task)[seed]
    if not np.isfinite(w).all():
        return False, False, False
    return (
        accuracy(w) >= accuracy(known) - 0.02,
        objective(w, X, Y, LAM, loss) - best(loss).primal <= 0.01,
        close(w, known),
    )


def agrees_at_small_lam(task, answer):
    order = draw_order(len(Y), SOLVERS[task][1], seed=0)
    return close(result(task, answer, order, 1e-5), right(task, order, 1e-5))


def solver_tests(task):
    if not task.startswith("A3"):
        return {}
    return {"a run with λ = 1e-5": lambda f: agrees_at_small_lam(task, f)}


def share_right(classifier, *names):
    """The accuracy of a classifier on clouds whose labels have other names."""
    labels = np.where(Y > 0, *names[::-1])
    model = classifier(lam=LAM, T=2_000)
    model.fit(X, labels)
    return np.mean(np.asarray(model.predict(X)) == labels)


def drawn(f, n=20, T=1_000, seed=0):
    return np.asarray(f(n, T, seed))


T_GRID = np.geomspace(10, 400, 7)
ENDS_NOISY = np.append(1 / T_GRID[:-1], 2 / T_GRID[-1])


def laws(meet):
    """Power laws of the slopes −1 and −1/2 that meet there."""
    return T_GRID, meet / T_GRID, np.sqrt(meet / T_GRID)


@cache
def played():
    """Iterates of 60 rounds, w_1 first, and what else a proof is about."""
    order = draw_order(len(Y), 60, seed=0)
    at = range(1, 61)
    W = pegasos(X, Y, LAM, order=order, snapshots=at).iterates
    return np.vstack([ZERO, W]), best().w, X, Y, LAM, order


def regret(f, *rows, order=(0, 1)):
    """The regret of playing these rows of numbers against u = (1, 1)."""
    return f(np.array(rows), ONES, X, Y, LAM, np.array(order))


def cost(w, i):
    return LAM / 2 * w @ w + max(0.0, 1 - Y[i] * (X[i] @ w))


def left_by_the_telescope():
    W, u, *_, lam, order = played()
    return -lam / 2 * len(order) * np.sum((W[-1] - u) ** 2)


def refutes(f, excess):
    case = {"excess": excess}
    task = TASKS["A4.refutation"]
    return not judge_refutation(task, f, case, call(f, case))


TESTS = {
    "A1.objective": {
        "f at w = 0": lambda f: close(f(ZERO, X, Y, LAM), 1),
        "two examples with the margin 3": lambda f: close(
            f(np.array([3.0, 4.0]), *PAIR, 2.0), 25
        ),
        "two with the margin ½": lambda f: close(
            f(EAST / 2, *PAIR, 2.0), 0.75
        ),
    },
    "A1.step_size": {
        "η₁ = 1 at λ = 1": lambda f: close(f(1.0, 1), 1),
        "η₅ = 2 at λ = 0.1": lambda f: close(f(0.1, 5), 2),
    },
    "A1.visits": {
        "the number of rows drawn": lambda f: drawn(f).shape == (1_000,),
        "the smallest and the largest of 1,000 rows": lambda f: (
            drawn(f).min() == 0 and drawn(f).max() == 19
        ),
        "another seed": lambda f: (
            not np.array_equal(drawn(f), drawn(f, seed=1))
        ),
        "a row that comes twice among the first n": lambda f: (
            len(set(drawn(f)[:20].tolist())) < 20
        ),
    },
    "A1.pegasos": solver_tests("A1.pegasos"),
    "A1.predict": {
        "the accuracy of w⋆": lambda f: (
            np.mean(f(best().w, X) == Y) == accuracy(best().w)
        ),
        "the labels at w = 0": lambda f: set(f(ZERO, X).tolist()) <= {-1, 1},
        "a row with the score ½": lambda f: (
            f(ONES / 2, EAST[np.newaxis]).tolist() == [1]
        ),
    },
    "A1.classifier": {
        "the labels −1, +1": lambda f: share_right(f, -1, 1) > 0.9,
        "the labels 0, 1": lambda f: share_right(f, 0, 1) > 0.9,
        "labels that are words": lambda f: share_right(f, "no", "yes") > 0.9,
        "fit(…).predict(…) in one line": lambda f: (
            len(f(lam=LAM, T=9).fit(X, Y).predict(X)) == len(Y)
        ),
    },
    "A2.log_loss": {
        "ln 2 at the margin 0": lambda f: close(f(ZERO), np.log(2) * ONES),
        "a loss that falls all the way": lambda f: (
            np.diff(f(np.linspace(-5, 5, 41))) < 0
        ).all(),
        "the margin −1000": lambda f: close(f(-1e3 * ONES), 1e3 * ONES),
    },
    "A2.slope": {
        "−½ at the margin 0": lambda f: close(f(ZERO), -ONES / 2),
        "a difference quotient at the margin 2": lambda f: (
            np.abs(
                f(2 * ONES)
                - (np.logaddexp(0, -2.001) - np.logaddexp(0, -1.999)) / 0.002
            )
            < 1e-6
        ).all(),
        "the margin −1000": lambda f: close(f(-1e3 * ONES), -ONES),
    },
    "A2.pegasos": solver_tests("A2.pegasos"),
    "A2.probability": {
        "½ at w = 0": lambda f: close(f(ZERO, X), np.full(len(X), 0.5)),
        "between 0 and 1": lambda f: (
            (f(best().w, X) >= 0) & (f(best().w, X) <= 1)
        ).all(),
        "more than ½ where the score is 2": lambda f: (
            f(ONES, 2 * EAST[np.newaxis]) > 0.5
        ).all(),
    },
    "A3.pegasos": solver_tests("A3.pegasos"),
    "A3.average": solver_tests("A3.average"),
    "A4.regret": {
        "0 if all w_t are u": lambda f: close(regret(f, ONES, ONES), ZERO),
        "the first of two rounds, by hand": lambda f: close(
            regret(f, ZERO, EAST)[0], cost(ZERO, 0) - cost(ONES, 0)
        ),
        "twice as much if a round comes twice": lambda f: close(
            regret(f, ZERO, ZERO, order=(0, 0)) / (1 - cost(ONES, 0)), [1, 2]
        ),
    },
    "A4.bound": {
        "its value at T = 1": lambda f: close(f(0.5, 3.0, 1), 36),
        "its sign at T = 1": lambda f: f(0.5, 3.0, 1) > 0,
        "four times as much at twice R": lambda f: close(
            f(0.5, 6.0, 9), 4 * f(0.5, 3.0, 9)
        ),
    },
    "A4.slope": {
        "the slope of 1/t": lambda f: close(f(T_GRID, 1 / T_GRID), -1),
        "the same with its last value doubled": lambda f: (
            abs(f(T_GRID, ENDS_NOISY) + 1) < 0.15
        ),
    },
    "A4.telescope": {
        "line 0 ≤ line 1": lambda f: (
            f(*played())[0] <= f(*played())[1] + 1e-9
        ).all(),
        "line 1 = line 2 + line 3": lambda f: close(
            f(*played())[1], f(*played())[2] + f(*played())[3]
        ),
        "what the sum of line 2 leaves": lambda f: close(
            f(*played())[2].sum(), left_by_the_telescope()
        ),
    },
    "A4.crossing": {
        "laws that meet at 1": lambda f: close(f(*laws(1.0)), 1),
        "laws that meet at 1,000, beyond the points": lambda f: close(
            f(*laws(1_000.0)), 1_000
        ),
    },
    "A4.opponent": {
        "its length in the first round": lambda f: close(
            np.linalg.norm(f(1, ZERO, LAM, np.inf)), 1
        ),
        "a loss of more than 1 at w = (2, 0)": lambda f: (
            f(2, 2 * EAST, LAM, np.inf) @ EAST < 0
        ),
        "the same at w = (−2, 0)": lambda f: (
            f(2, -2 * EAST, LAM, np.inf) @ EAST > 0
        ),
    },
    "A4.learner": {
        "w_2 = z/λ": lambda f: close(f(EAST[np.newaxis], LAM), EAST / LAM),
        "w_3 after two at right angles": lambda f: close(
            f(np.eye(2), LAM), ONES / (2 * LAM)
        ),
        "the margin after a hundred times z": lambda f: (
            0.8 < f(np.tile(EAST, (100, 1)), LAM) @ EAST < 1.2
        ),
    },
    "A4.refutation": {
        "an excess of 1": lambda f: refutes(f, 1.0),
        "an excess of 1.25": lambda f: refutes(f, 1.25),
        "an excess of 1.5": lambda f: refutes(f, 1.5),
    },
}


def passes(test, answer):
    """Whether an answer passes; one that raises an error does not."""
    try:
        with np.errstate(all="ignore"):
            return bool(test(answer))
    except (
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
    ):
        return False


def verdicts(task, answer):
    """What each test of a task says of an answer.

    Parameters
    ----------
    task : str
    answer : callable

    Returns
    -------
    dict
        From the words for a test to whether the answer passes. Of a solver's
        runs more than half must end as they should, and all must be the same
        as the right solver's.

    Examples
    --------
    >>> verdicts("A1.step_size", lambda lam, t: 1 / t)
    {'η₁ = 1 at λ = 1': True, 'η₅ = 2 at λ = 0.1': False}
    """
    found = {}
    for word, share in shares(task, answer).items() if task in SOLVERS else ():
        said = f"the {word} ({30 * share:.0f} of 30)"
        found[said] = share > 0.5 if word != "comparison" else share == 1
    for said, test in TESTS[task].items():
        found[said] = passes(test, answer)
    return found


def caught_by(exhibit):
    """The line that says what catches a mistake, and what does not.

    Parameters
    ----------
    exhibit : Mistake

    Returns
    -------
    str
        In Markdown. If no test of the task sees it, the check is left.

    Examples
    --------
    >>> from pegasos_edu.coursework.zoo import ZOO
    >>> caught_by(next(m for m in ZOO if m.name == "step-without-lambda"))
    '*Caught by:* η₅ = 2 at λ = 0.1. *Not by:* η₁ = 1 at λ = 1.'
    """
    found = verdicts(exhibit.task, exhibit.answer)
    seen = [said for said, passed in found.items() if not passed]
    missed = [said for said, passed in found.items() if passed]
    line = f"*Caught by:* {'; '.join(seen) or '`coursework.check` alone'}."
    return f"{line} *Not by:* {'; '.join(missed)}." if missed else line
