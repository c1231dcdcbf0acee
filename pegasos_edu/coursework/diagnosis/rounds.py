"""What the four terms of a round's regret are in an answer.

The regret is (λ/2 ‖w_t‖² + the loss of w_t) − (the same of u), added up over
the rounds. Each of the four is tried in several forms, and added up or not;
all combinations are looked for at once, by halves.
"""

from itertools import product

import numpy as np

from pegasos_edu.coursework.diagnosis.expressions import Index
from pegasos_edu.coursework.trial import as_numbers

OTHER_TERM = "term-of-another-form"


def regularisers(V, lam, n):
    """Forms of the regulariser of the rows of V, the right one first."""
    squares = (V**2).sum(axis=1)
    return [
        ("", lam / 2 * squares),
        ("nothing", 0 * squares),
        ("λ‖{}‖²", lam * squares),
        ("‖{}‖²/2", squares / 2),
        ("‖{}‖²", squares),
        ("λ/2 ‖{}‖", lam / 2 * np.sqrt(squares)),
        ("λ‖{}‖", lam * np.sqrt(squares)),
        ("λ/2 times the sum of the |{}_j|", lam / 2 * np.abs(V).sum(axis=1)),
        ("λ/(2n) ‖{}‖²", lam / (2 * n) * squares),
        ("λ²/2 ‖{}‖²", lam**2 / 2 * squares),
        (
            "λ/2 times ‖{}‖² of all rounds",
            0 * squares + lam / 2 * sum(squares),
        ),
        ("λ/2 ‖{}‖² of the last round", 0 * squares + lam / 2 * squares[-1]),
    ]


def losses(V, X, y, order):
    """Forms of the loss of the rows of V, the right one first."""
    T, n = len(order), len(y)
    m = y[order] * (V * X[order]).sum(axis=1)
    every = y * (V @ X.T)  # of each round, the margins of all rows
    hinges = np.maximum(0, 1 - every)
    all_played = np.maximum(0, 1 - y[order] * (V @ X[order].T))  # T by T
    at = np.arange(T)

    def of(rows, labels):
        scores = (V * X[rows]).sum(axis=1)
        return np.maximum(0, 1 - y[labels] * scores)

    return [
        ("", np.maximum(0, 1 - m)),
        ("nothing", 0 * m),
        ("1 − y⟨{}, x⟩ without a maximum", 1 - m),
        ("the hinge of ⟨{}, x⟩ without y", np.maximum(0, 1 - y[order] * m)),
        ("the mean of the losses of {} over all rows", hinges.mean(axis=1)),
        ("the sum of the losses of {} over all rows", hinges.sum(axis=1)),
        ("the loss of {} divided by n", np.maximum(0, 1 - m) / n),
        ("the squared loss of {}", np.maximum(0, 1 - m) ** 2),
        ("max(0, −y⟨{}, x⟩)", np.maximum(0, -m)),
        ("1 for each violator of {}", 1.0 * (m < 1)),
        ("1 for each mistake of {}", 1.0 * (m <= 0)),
        ("the log loss of {}", np.logaddexp(0, -m)),
        ("the loss of {} in row t of X", of(at % n, at % n)),
        ("the loss of {} with the label of row t", of(order, at % n)),
        (
            "the loss of {} with the label of the row after",
            of(order, np.roll(order, -1)),
        ),
        (
            "the loss of {} with the label of the row before",
            of(order, np.roll(order, 1)),
        ),
        ("the largest of 1 − y⟨{}, x⟩ in all rounds", 0 * m + (1 - m).max()),
        ("the loss of {} of the last round", all_played[-1]),
        ("the losses of {} in all rows played", all_played.sum(axis=1)),
        ("the losses of every {} in this row", all_played.sum(axis=0)),
        ("the mean loss of {} in all rows played", all_played.mean(axis=1)),
        ("the mean loss of every {} in this row", all_played.mean(axis=0)),
        ("the loss of {} in the row after", of(*2 * [np.roll(order, -1)])),
        ("the loss of {} in the row before", of(*2 * [np.roll(order, 1)])),
    ]


ALONE = "{} of this round alone"
TIMES = "t times {} of this round"
ADDED = [
    ("", np.cumsum),
    (ALONE, lambda rounds: rounds),
    (TIMES, lambda rounds: rounds * np.arange(1, len(rounds) + 1)),
    ("{} of all rounds", lambda rounds: np.full(len(rounds), rounds.sum())),
    (
        "the mean of {} so far",
        lambda rounds: np.cumsum(rounds) / np.arange(1, len(rounds) + 1),
    ),
]
WHAT = ("λ/2 ‖{}‖²", "the loss of {}")


def half(V, X, y, lam, order, who):
    """What is told of the two terms of one player, and their sum, in all
    forms."""
    terms = regularisers(V, lam, len(y)), losses(V, X, y, order)
    forms = []
    for (of, values), what in zip(zip(WHAT, terms), WHAT):
        forms.append([])
        always = who == "u" and what == WHAT[0]  # the same in all rounds
        for (words, rounds), (how, add) in product(values, ADDED):
            if words == "nothing" and how:
                continue
            if who == "u" and words.endswith(" of the last round"):
                continue  # all rounds have the same u
            if always and ("mean" in how or how == TIMES):
                continue
            if always and how == ALONE:
                how = "{} once, and not for every round,"
            told = how.format(words or of) if how else words
            told = told.format(who)
            said = f"{told} in place of {what.format(who)}" if told else ""
            forms[-1].append((said, add(rounds)))
    return [
        (tuple(filter(None, (a, b))), one + other)
        for (a, one), (b, other) in product(*forms)
    ]


def rounds_told(trials):
    """Sentences on the terms of a regret that are not as they should be.

    Parameters
    ----------
    trials : list of (dict, array, array)
        The cases, what the answer gave, and what is right.

    Returns
    -------
    tuple of str
        Empty if the terms are of no form that was tried.
    """
    mine, theirs, yours = [], [], []
    for case, value, _ in trials:
        W, u = case["W"], case["u"]
        data = [case[name] for name in ("X", "y", "lam", "order")]
        mine.append(half(W, *data, "w_t"))
        theirs.append(half(np.tile(u, (len(W), 1)), *data, "u"))
        yours.append(as_numbers(value))
    told = [[said for said, _ in each[0]] for each in (mine, theirs)]
    ours, others = (
        np.hstack([np.array([v for _, v in each]) for each in side])
        for side in (mine, theirs)
    )
    target = np.concatenate(yours)
    # Looked up by the entry in which the halves of u differ most.
    first = int(np.argmax(np.ptp(others, axis=0)))
    order = np.r_[first, :first, first + 1 : len(target)]
    index = Index(others[:, order])
    found = [
        (*told[0][a], *told[1][b])
        for a, b in index.of_all(ours[:, order] - target[order])
    ]
    if not found:
        return ()
    best = min(found, key=lambda said: (len(said), len("".join(said))))
    if len(best) > 2:
        return ()
    return tuple(f"It has {said}." for said in best)
