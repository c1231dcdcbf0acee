"""The parts of a solver, and what people write for each.

A solver is one choice for every part (`recipe.run` puts them together). The
choices that a task asks for are right there; every other one is a mistake
with a name. A name may stand for several ways to write the same mistake.

The letters: s = 1, 2, … counts steps, t is what the solver takes for it, T
is their number, n the number of rows; eta is the step, `shrink` what w is
multiplied by, m the margin y·score.
"""

from itertools import pairwise

import numpy as np


def sigmoid(z):
    return 0.5 * (1 + np.tanh(z / 2))


def of_length_one(X):
    lengths = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(lengths > 0, lengths, 1.0)


def scaled(X, middle, width):
    """Columns minus their middle, divided by their width."""
    size = width(X, axis=0)
    return (X - middle(X, axis=0)) / np.where(size > 0, size, 1.0)


def nothing(X, axis):
    return np.zeros(X.shape[1])


def one(X, axis):
    return np.ones(X.shape[1])


def largest(X, axis):
    return np.abs(X).max(axis=axis)


def without(X, place):
    """X with 0 for one entry of each row, of those that are not 0."""
    X = X.copy()
    for row in X:
        row[np.flatnonzero(row)[place]] = 0
    return X


# What is made of the data first: (X, y)
DATA = [
    ("", lambda X, y: (X, y)),
    ("minus-ones-not-added", lambda X, y: (X, (y > 0).astype(float))),
    ("rows-brought-to-length-one", lambda X, y: (of_length_one(X), y)),
    (
        "last-entry-of-each-row-lost",
        lambda X, y: (without(X, np.s_[-1:]), y),
    ),
    (
        "first-entry-of-each-row-lost",
        lambda X, y: (without(X, np.s_[:1]), y),
    ),
    *[
        (
            "columns-rescaled",
            lambda X, y, middle=middle, width=width: (
                scaled(X, middle, width),
                y,
            ),
        )
        for middle, width in (
            (np.mean, one),
            (np.mean, np.std),
            (nothing, np.std),
            (np.min, np.ptp),
            (nothing, largest),
        )
    ],
]


def itself(X):
    return X


# What is read of the rows: for the score, and for the addition
VALUES = [("", (itself, itself))]

# Which row's label goes with row i: (i, s, order, n)
WHOSE = [
    ("", lambda i, s, order, n: i),
    ("label-of-another-row", lambda i, s, order, n: (s - 1) % n),
    ("label-of-another-row", lambda i, s, order, n: s % n),
    ("label-of-another-row", lambda i, s, order, n: (i + 1) % n),
    ("label-of-another-row", lambda i, s, order, n: i - 1),
    (
        "label-of-another-row",
        lambda i, s, order, n: order[s % len(order)],
    ),
]

# Which rows, one tuple of row numbers a step
ROWS = [
    ("", lambda order, n: [(i,) for i in order]),
    ("order-ignored", lambda order, n: [(k % n,) for k in range(len(order))]),
    ("order-run-backwards", lambda order, n: [(i,) for i in order[::-1]]),
    ("steps-of-one-epoch-only", lambda order, n: [(i,) for i in order[:n]]),
    ("return-inside-the-loop", lambda order, n: [(i,) for i in order[:1]]),
    ("one-step-short", lambda order, n: [(i,) for i in order[:-1]]),
    ("first-entry-skipped", lambda order, n: [(i,) for i in order[1:]]),
    ("each-row-once", lambda order, n: [(i,) for i in np.unique(order)]),
    (
        "each-row-once",
        lambda order, n: [(i,) for i in dict.fromkeys(order.tolist())],
    ),
    *[
        (
            "entries-left-out",
            lambda order, n, first=first: [(i,) for i in order[first::2]],
        )
        for first in (0, 1)
    ],
    (
        "two-entries-a-step",
        lambda order, n: [
            tuple(pair) for pair in zip(order[::2], order[1::2])
        ],
    ),
    *[
        (
            "order-moved-by-one",
            lambda order, n, by=by: [(i,) for i in np.roll(order, by)],
        )
        for by in (-1, 1)
    ],
    ("order-sorted", lambda order, n: [(i,) for i in np.sort(order)]),
    *[
        (
            "order-run-through-again",
            lambda order, n, times=times: [
                (i,) for i in np.tile(order, times)
            ],
        )
        for times in (2, 3, 5, 10)
    ],
    ("row-numbers-shifted", lambda order, n: [(i - 1,) for i in order]),
    ("row-numbers-shifted", lambda order, n: [((i + 1) % n,) for i in order]),
    (
        "epochs-for-steps",
        lambda order, n: [(i,) for _ in order for i in range(n)],
    ),
    (
        "epochs-for-steps",
        lambda order, n: [(i,) for _ in range(n) for i in order],
    ),
    ("uses-all-rows", lambda order, n: [tuple(range(n)) for _ in order]),
]

# How t is counted: (s, n, T, violators and others before this step)
COUNT = [
    ("", lambda s, n, T, hits, others: s),
    ("starts-at-two", lambda s, n, T, hits, others: s + 1),
    ("starts-at-zero", lambda s, n, T, hits, others: s - 1),
    ("t-is-one-twice", lambda s, n, T, hits, others: max(1, s - 1)),
    (
        "t-starts-anew-each-epoch",
        lambda s, n, T, hits, others: (s - 1) % n + 1,
    ),
    ("t-counts-epochs", lambda s, n, T, hits, others: (s - 1) // n + 1),
    ("t-counts-epochs", lambda s, n, T, hits, others: s // n + 1),
    ("t-counts-violators", lambda s, n, T, hits, others: hits + 1),
    ("t-counts-the-others", lambda s, n, T, hits, others: others + 1),
    ("t-counts-down", lambda s, n, T, hits, others: T - s + 1),
    ("t-counts-down", lambda s, n, T, hits, others: T - s),
    ("step-from-the-total", lambda s, n, T, hits, others: T),
    ("constant-step", lambda s, n, T, hits, others: 1),
]

# The step: (lam, t, n)
ETA = [
    ("", lambda lam, t, n: 1 / (lam * t)),
    ("step-without-lambda", lambda lam, t, n: 1 / t),
    ("step-by-the-root", lambda lam, t, n: 1 / t**0.5),
    ("step-by-the-root", lambda lam, t, n: 1 / (lam * t**0.5)),
    ("step-by-the-root", lambda lam, t, n: 1 / (lam * t) ** 0.5),
    ("step-multiplied-by-t", lambda lam, t, n: 1 / lam * t),
    ("step-multiplied-by-lambda", lambda lam, t, n: lam / t),
    ("step-by-the-square", lambda lam, t, n: 1 / (lam * t**2)),
    ("lambda-squared-in-the-step", lambda lam, t, n: 1 / (lam**2 * t)),
    ("step-with-one-added", lambda lam, t, n: 1 / (1 + lam * t)),
    ("step-with-lambda-added", lambda lam, t, n: 1 / (lam + t)),
    ("step-with-a-factor", lambda lam, t, n: 2 / (lam * t)),
    ("step-with-a-factor", lambda lam, t, n: 0.5 / (lam * t)),
    ("step-with-a-factor", lambda lam, t, n: 2 / (lam * (t + 1))),
    ("step-divided-by-n", lambda lam, t, n: 1 / (lam * t * n)),
]

# What w is multiplied by: (eta, lam, t, n)
SHRINK = [
    ("", lambda eta, lam, t, n: 1 - eta * lam),
    ("never-shrinks", lambda eta, lam, t, n: 1.0),
    ("shrink-twice-too-much", lambda eta, lam, t, n: 1 - 2 * eta * lam),
    ("shrink-by-half-too-little", lambda eta, lam, t, n: 1 - eta * lam / 2),
    ("shrinks-by-the-step", lambda eta, lam, t, n: 1 - eta),
    ("shrinks-by-lambda", lambda eta, lam, t, n: 1 - lam),
    ("shrinks-by-lambda-over-t", lambda eta, lam, t, n: 1 - lam / t),
    ("grows-instead-of-shrinks", lambda eta, lam, t, n: 1 + eta * lam),
    ("shrink-without-one-minus", lambda eta, lam, t, n: eta * lam),
    ("shrink-divided-by-n", lambda eta, lam, t, n: 1 - eta * lam / n),
    ("shrink-by-division", lambda eta, lam, t, n: 1 / (1 + eta * lam)),
]


def kept(new, old, place):
    """A vector but for one entry, which stays what it was."""
    new[place] = old[place]
    return new


# What of w is shrunk, and when: (hit, x, w, shrink)
WHEN = [
    ("", lambda hit, x, w, shrink: shrink * w),
    (
        "no-shrink-without-violation",
        lambda hit, x, w, shrink: shrink * w if hit else w,
    ),
    (
        "shrinks-others-only",
        lambda hit, x, w, shrink: w if hit else shrink * w,
    ),
    (
        "violators-shrunk-twice",
        lambda hit, x, w, shrink: shrink * shrink * w if hit else shrink * w,
    ),
    (
        "others-shrunk-twice",
        lambda hit, x, w, shrink: shrink * w if hit else shrink * shrink * w,
    ),
    (
        "shrinks-touched-columns-only",
        lambda hit, x, w, shrink: np.where(x != 0, shrink * w, w),
    ),
    *[
        (
            "one-weight-not-shrunk",
            lambda hit, x, w, shrink, j=j: kept(shrink * w, w, j),
        )
        for j in (0, -1)
    ],
    (
        "shrinks-by-the-sign",
        lambda hit, x, w, shrink: w - (1 - shrink) * np.sign(w),
    ),
    (
        "sets-instead-of-adds",
        lambda hit, x, w, shrink: np.where(
            (x != 0) & bool(hit), 0.0, shrink * w
        ),
    ),
]

# By what the sum over the rows of a step is divided: (pulls)
MEAN = [("", len)]

# What x is multiplied by: (eta, lam, t, n, shrink)
ADD = [
    ("", lambda eta, lam, t, n, shrink: eta),
    ("added-without-lambda", lambda eta, lam, t, n, shrink: eta * lam),
    ("divided-by-n", lambda eta, lam, t, n, shrink: eta / n),
    ("added-without-the-step", lambda eta, lam, t, n, shrink: 1.0),
    ("added-times-lambda", lambda eta, lam, t, n, shrink: lam),
    ("added-with-a-factor", lambda eta, lam, t, n, shrink: 2 * eta),
    ("added-with-a-factor", lambda eta, lam, t, n, shrink: eta / 2),
    ("added-by-the-root", lambda eta, lam, t, n, shrink: 1 / t**0.5),
    (
        "added-by-the-root",
        lambda eta, lam, t, n, shrink: 1 / (lam * t**0.5),
    ),
    (
        "added-by-the-root",
        lambda eta, lam, t, n, shrink: 1 / (lam * t) ** 0.5,
    ),
    ("added-divided-by-lambda", lambda eta, lam, t, n, shrink: eta / lam),
    ("added-with-the-first-step", lambda eta, lam, t, n, shrink: 1 / lam),
    ("addition-shrunk-too", lambda eta, lam, t, n, shrink: eta * shrink),
    ("added-without-making-up", lambda eta, lam, t, n, shrink: eta / t),
    ("multiplied-by-the-scale", lambda eta, lam, t, n, shrink: eta / t**2),
    (
        "made-up-with-the-old-scale",
        lambda eta, lam, t, n, shrink: eta * (t - 1) / t if t > 1 else eta,
    ),
]

# What is compared with 1: (score, shrink, lam, t)
SCORE = [
    ("", lambda score, shrink, lam, t: score),
    ("margin-after-shrink", lambda score, shrink, lam, t: shrink * score),
    (
        "score-without-the-scale",
        lambda score, shrink, lam, t: score * max(t - 1, 1),
    ),
    (
        "score-without-the-scale",
        lambda score, shrink, lam, t: score * max(lam * (t - 1), 0),
    ),
    (
        "first-violator-missed",
        lambda score, shrink, lam, t: score if t > 1 else np.nan,
    ),
    ("another-threshold", lambda score, shrink, lam, t: score / lam),
    ("another-threshold", lambda score, shrink, lam, t: score * lam),
]

# How much an example pulls: (m, y)
PULL = [
    ("hinge-still-inside", lambda m, y: m < 1),
    ("log-loss-unasked", lambda m, y: sigmoid(-m)),
    ("w-stays-at-zero", lambda m, y: 0.0),
    ("updates-only-when-wrong", lambda m, y: m <= 0),
    ("updates-only-when-wrong", lambda m, y: (y * m > 0) != (y > 0)),
    ("updates-only-when-wrong", lambda m, y: (y * m >= 0) != (y > 0)),
    ("updates-only-when-wrong", lambda m, y: 1 - np.sign(m)),
    ("updates-when-right", lambda m, y: m >= 0),
    ("updates-always", lambda m, y: 1.0),
    ("label-not-in-the-test", lambda m, y: y * m < 1),
    ("label-not-in-the-test", lambda m, y: y * m <= 0),
    # y·(1 − score) > 0
    ("label-outside-the-bracket", lambda m, y: y - m > 0),
    ("takes-the-size-of-the-score", lambda m, y: abs(m) < 1),
    ("another-threshold", lambda m, y: m < 0.5),
    ("another-threshold", lambda m, y: m < 2),
    ("weighted-by-the-loss", lambda m, y: max(0.0, 1 - m)),
    ("weighted-by-the-loss", lambda m, y: 2 * max(0.0, 1 - m)),
    ("weighted-by-the-loss", lambda m, y: min(1.0, max(0.0, 1 - m))),
    ("adds-the-residual", lambda m, y: 1 - m),
    ("adds-the-residual", lambda m, y: 2 * (1 - m)),
    ("adds-the-residual", lambda m, y: (1 + y) / 2 - m),
    ("two-cases-kept", lambda m, y: sigmoid(-m) if m < 1 else 0.0),
    ("two-cases-kept", lambda m, y: sigmoid(-m) if m <= 0 else 0.0),
    ("slope-of-the-other-side", lambda m, y: sigmoid(m)),
    ("score-for-margin", lambda m, y: sigmoid(-y * m)),
    ("sigmoid-for-exp", lambda m, y: 1 / (1 + sigmoid(m))),
    ("zero-one-for-plus-minus", lambda m, y: 1 - y * sigmoid(y * m)),
    ("tanh-for-sigmoid", lambda m, y: 1 - np.tanh(m)),
    ("tanh-for-sigmoid", lambda m, y: (1 - np.tanh(m)) / 2),
    ("loss-for-its-slope", lambda m, y: np.logaddexp(0, -m)),
    ("slope-of-the-sigmoid", lambda m, y: sigmoid(m) * sigmoid(-m)),
    ("wrong-logarithm", lambda m, y: sigmoid(-m) / np.log(2)),
    ("wrong-logarithm", lambda m, y: sigmoid(-m) / np.log(10)),
]


def cut_off(most):
    """The pull of the log loss with its exponent cut off in two ways."""
    return [
        lambda m, y: sigmoid(-np.clip(m, -most, most)),
        lambda m, y: sigmoid(-m) if abs(m) <= most else m < 0,
    ]


PULL += [
    ("exponent-cut-off", pull)
    for most in (5, 10, 20, 30, 50, 100)
    for pull in cut_off(most)
]

# The label in the update
LABEL = [
    ("", lambda y: y),
    ("wrong-sign", lambda y: -y),
    ("label-not-in-the-update", lambda y: 1.0),
]

# The step that is optional
PROJECT = [
    ("", lambda w, lam: w),
    ("projects-unasked", lambda w, lam: w * to_ball(w, lam, min)),
    ("projects-unasked", lambda w, lam: w * to_ball(w, lam**2, min)),
    ("projects-unasked", lambda w, lam: w * to_ball(w, 1, min)),
    ("projection-inverted", lambda w, lam: w * to_ball(w, lam, max)),
    ("unit-length-at-every-step", lambda w, lam: w * to_ball(w, 1, take)),
    ("entries-cut-off-one-by-one", lambda w, lam: np.clip(w, -1, 1)),
    ("entries-cut-off-one-by-one", lambda w, lam: np.maximum(w, 0)),
]

# What an intercept is multiplied by at a step; None: there is none
BIAS = [
    ("", None),
    ("bias-unasked", lambda shrink: shrink),
    ("bias-unasked", lambda shrink: 1.0),
]

# Where w begins: (d)
START = [("", np.zeros), ("starts-at-ones", np.ones)]

# What is returned, out of W = w_1, …, w_{T+1}: (W, lam, n)
RETURNS = [
    ("last-for-average", lambda W, lam, n: W[-1]),
    ("returns-the-average", lambda W, lam, n: np.mean(W[:-1], axis=0)),
    ("average-one-late", lambda W, lam, n: np.mean(W[1:], axis=0)),
    ("average-of-one-too-many", lambda W, lam, n: np.mean(W, axis=0)),
    ("sum-for-average", lambda W, lam, n: np.sum(W[:-1], axis=0)),
    ("sum-for-average", lambda W, lam, n: np.sum(W[1:], axis=0)),
    ("average-divided-by-n", lambda W, lam, n: np.sum(W[:-1], axis=0) / n),
    (
        "average-divided-by-one-less",
        lambda W, lam, n: np.sum(W[:-1], axis=0) / max(1, len(W) - 2),
    ),
    (
        "average-of-the-last-half",
        lambda W, lam, n: np.mean(W[:-1][(len(W) - 1) // 2 :], axis=0),
    ),
    (
        "average-of-the-last-half",
        lambda W, lam, n: np.mean(W[1:][(len(W) - 1) // 2 :], axis=0),
    ),
    ("mean-moved-by-one-over-T", lambda W, lam, n: moved_mean(W[:-1])),
    ("mean-moved-by-one-over-T", lambda W, lam, n: moved_mean(W[1:])),
    ("factors-one-step-late", lambda W, lam, n: one_step_late(W)),
    ("all-divided-by-the-last-t", lambda W, lam, n: by_the_last(W)),
    ("returns-unit-length", lambda W, lam, n: W[-1] * to_ball(W[-1], 1, take)),
    ("returns-minus-w", lambda W, lam, n: -W[-1]),
    ("projects-unasked", lambda W, lam, n: W[-1] * to_ball(W[-1], lam, min)),
    ("scale-forgotten-at-the-end", lambda W, lam, n: W[-1] * (len(W) - 1)),
    (
        "scale-forgotten-at-the-end",
        lambda W, lam, n: W[-1] * (len(W) - 1) * lam,
    ),
    ("lambda-forgotten-at-the-end", lambda W, lam, n: W[-1] * lam),
    ("divided-by-lambda-at-the-end", lambda W, lam, n: W[-1] / lam),
    (
        "average-divided-by-lambda",
        lambda W, lam, n: np.mean(W[:-1], axis=0) / lam,
    ),
    (
        "lambda-forgotten-in-the-average",
        lambda W, lam, n: np.mean(W[:-1], axis=0) * lam,
    ),
]


def moved_mean(W):
    """A mean that moves by 1/T at every step, where it should by 1/t."""
    mean = np.zeros_like(W[0])
    for w in W:
        mean = mean + (w - mean) / len(W)
    return mean


def one_step_late(W):
    """The average, without what is added in the step it is added in."""
    added = [b - (1 - 1 / t) * a for t, (a, b) in enumerate(pairwise(W), 1)]
    return np.mean(W[:-1], axis=0) - np.mean(added, axis=0)


def by_the_last(W):
    """The average of the sums of violators, all of them divided by λT."""
    T = len(W) - 1
    return np.mean([w * (t / T) for t, w in enumerate(W[:-1])], axis=0)


def to_ball(w, lam, choose):
    """The factor that leads w to the ball of radius 1/√λ, or ought to."""
    length = np.sqrt(lam * (w @ w))
    return choose(1.0, 1 / length) if length > 0 else 1.0


def take(one, factor):
    return factor


PARTS: dict[str, list] = {
    "data": DATA,
    "values": VALUES,
    "whose": WHOSE,
    "rows": ROWS,
    "eta": ETA,
    "count": COUNT,
    "shrink": SHRINK,
    "when": WHEN,
    "pull": PULL,
    "mean": MEAN,
    "add": ADD,
    "score": SCORE,
    "label": LABEL,
    "project": PROJECT,
    "bias": BIAS,
    "start": START,
    "returns": RETURNS,
}


# What else may be read from CSR rows: `indices`, `data` and `indptr`


def first_of_all(X, how_many):
    """The first entries of all rows, one after the other; 0 beyond."""
    entries = X[X != 0][:how_many]
    return np.pad(entries, (0, how_many - len(entries)))


def one_each(X, entries):
    """Row i is the entry of this number, of all entries; 0 beyond."""
    values, columns = X[X != 0], np.nonzero(X)[1]
    found = np.zeros_like(X)
    for i, k in enumerate(entries):
        if k < len(columns):
            found[i, columns[k]] = values[k]
    return found


def one_entry_a_row(X):
    """The slice is i:i+1."""
    return one_each(X, range(len(X)))


def first_entries(X):
    """It begins where row i begins; an empty row has the next one's."""
    ends = np.cumsum((X != 0).sum(axis=1))
    return one_each(X, [0, *ends[:-1]])


def by_column(X):
    """What stands in column j is entry j of all entries."""
    return np.where(X != 0, first_of_all(X, X.shape[1]), 0.0)


def ones(X):
    return np.where(X != 0, 1.0, 0.0)


def column_numbers(X):
    return np.where(X != 0, np.arange(X.shape[1]), 0.0)


OF_CSR: dict[str, list] = {
    "data": [
        (name, lambda X, y, read=read: (read(X), y))
        for name, read in (
            ("one-entry-for-a-row", one_entry_a_row),
            ("first-entry-of-each-row-alone", first_entries),
            ("values-of-other-entries", by_column),
        )
    ],
    "values": [
        ("values-not-in-the-score", (ones, itself)),
        ("values-not-in-the-addition", (itself, ones)),
        ("column-numbers-for-values", (column_numbers, itself)),
        ("column-numbers-for-values", (itself, column_numbers)),
    ],
}


def parts_of(task):
    """The parts and what people write for them, in a task.

    Parameters
    ----------
    task : str
        Such as "A3.pegasos".

    Returns
    -------
    dict of str to list
    """
    more = OF_CSR if task.startswith("A3") else {}
    return {
        part: [*choices, *more.get(part, [])]
        for part, choices in PARTS.items()
    }
