"""What a step of a solver does, measured: w' = a·w + b·x + c.

On rows at right angles to each other every row has a place of its own in w.
There one reads off the factor a of what was in w before, the factor b of the
new row, and a part c that belongs to no row. Nothing is assumed of how the
solver is written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.search import as_weights
from pegasos_edu.coursework.trial import call, same_values

LAM = 0.1
ROWS = 5
STEPS = (2, 3, 4)
MARGINS = (-2.0, -0.5, 0.5, 0.9, 1.1, 2.0)

# What a factor may be, where it is not what the rule gives: (lam, t, n)
FACTORS = [
    ("no shrink at all", lambda lam, t, n: 1.0),
    ("1 − 2/t", lambda lam, t, n: 1 - 2 / t),
    ("1 − λ", lambda lam, t, n: 1 - lam),
    ("1 − η without λ", lambda lam, t, n: 1 - 1 / (lam * t)),
    ("1 − λ/t", lambda lam, t, n: 1 - lam / t),
    ("1 − 1/(t + 1)", lambda lam, t, n: 1 - 1 / (t + 1)),
    ("1 − 1/(t − 1)", lambda lam, t, n: 1 - 1 / (t - 1)),
    ("1 − 1/√t", lambda lam, t, n: 1 - t**-0.5),
    ("1 − λ/√t", lambda lam, t, n: 1 - lam * t**-0.5),
    ("1 + 1/t", lambda lam, t, n: 1 + 1 / t),
    ("1/t", lambda lam, t, n: 1 / t),
    ("1 − 1/(2t)", lambda lam, t, n: 1 - 0.5 / t),
    ("1 − 1/(nt)", lambda lam, t, n: 1 - 1 / (n * t)),
    ("1 − t", lambda lam, t, n: 1 - t),
    ("1 − λt", lambda lam, t, n: 1 - lam * t),
    ("what leaves nothing of w", lambda lam, t, n: 0.0),
]
ADDITIONS = [
    ("1/t", lambda lam, t, n: 1 / t),
    ("1/√t", lambda lam, t, n: t**-0.5),
    ("1/(λ√t)", lambda lam, t, n: t**-0.5 / lam),
    ("t/λ", lambda lam, t, n: t / lam),
    ("1/λ", lambda lam, t, n: 1 / lam),
    ("1/(λ(t + 1))", lambda lam, t, n: 1 / (lam * (t + 1))),
    ("1/(λ(t − 1))", lambda lam, t, n: 1 / (lam * (t - 1))),
    ("1/(λnt)", lambda lam, t, n: 1 / (lam * n * t)),
    ("2/(λt)", lambda lam, t, n: 2 / (lam * t)),
    ("1/(2λt)", lambda lam, t, n: 0.5 / (lam * t)),
    ("−1/(λt)", lambda lam, t, n: -1 / (lam * t)),
    ("λ/t", lambda lam, t, n: lam / t),
    ("λ", lambda lam, t, n: lam),
    ("y·x without a step", lambda lam, t, n: 1.0),
    ("no addition at all", lambda lam, t, n: 0.0),
]

VIOLATOR = (
    "at t = {t} your w shrinks by {seen} when a violator comes; the rule "
    "1 − 1/t gives {wanted}"
)
# The log loss has no violators.
ANYBODY = VIOLATOR.replace("a violator comes", "a new example comes")
QUIET = (
    "at t = {t} your w shrinks by {seen} when an example with a large margin "
    "comes; the rule 1 − 1/t gives {wanted}"
)
ADDED_TOO = (
    "at t = {t} you add an example with a large margin; the rule only "
    "shrinks w."
)
ADDED = (
    "at t = {t} you add {seen} times y·x of an example with the score 0; the "
    "rule 1/(λt) gives {wanted}"
)
AS_THEY_SHOULD = (
    "four steps are as they should be. These rows have no entries besides 0 "
    "and 1, and w would be the same in another order of them. What do you do "
    "with other entries, and with `order`?"
)
HEAD = (
    f"Measured on rows at right angles, with λ = {LAM:g}, from a run of t − 1 "
    "steps to one of t:"
)


@dataclass(frozen=True)
class Probe:
    """A solver, and the rows at right angles that it is tried on.

    Attributes
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    sparse, averages, log : bool
        What the task asks for: CSR rows, the average, the log loss.
    """

    solve: Callable
    sparse: bool
    averages: bool
    log: bool

    def iterates(self, X, y, order):
        """w after each step, or None where a run is no w."""
        X = sp.csr_matrix(X) if self.sparse else X
        W = [np.zeros(X.shape[1])]
        last = len(order) + self.averages
        for T in range(1, last + 1):
            rows = np.resize(order, T)
            case = {"X": X, "y": y, "lam": LAM, "order": rows}
            w = as_weights(call(self.solve, case), case)
            if w is None:
                return None
            W.append(w)
        if self.averages:
            sums = [T * w for T, w in enumerate(W)]
            W = [after - before for before, after in pairwise(sums)]
        return W


def measure(probe):
    """Sentences on where a step is not as the rule says.

    What a step does is what lies between a run of t - 1 steps and one of t.

    Parameters
    ----------
    probe : Probe

    Returns
    -------
    list of str
        Empty if a run returns no w.
    """
    X = np.eye(ROWS, ROWS + 1)  # the last column is 0 in all rows
    y = np.where(np.arange(ROWS) % 2 == 0, 1.0, -1.0)
    W = probe.iterates(X, y, np.arange(4))
    if W is None:
        return []
    said = (
        belongs_to_no_row(W)
        or is_of_another_row(W)
        or [*shrinks(W, probe.log), *additions(W, y, probe.log)]
    )
    if not probe.log:
        said += quiet_shrinks(probe, X, y, W[1][0])
    return said or tests(probe, W[1][0]) or [AS_THEY_SHOULD]


def elsewhere(solve, task):
    """The name of a step that changes w where its row has nothing.

    Three steps are taken, all with one of the rows at right angles. Who
    moves its entries to other columns uses no other row: that would show as
    soon as the others are twice as long.

    Parameters
    ----------
    solve : callable
    task : Task

    Returns
    -------
    tuple of str
    """

    def w_with(others):
        X = np.eye(ROWS, ROWS + 1)
        X[np.arange(ROWS) != 2] *= others
        X = sp.csr_matrix(X) if task.name.startswith("A3") else X
        order = np.full(3, 2)
        case = {"X": X, "y": np.ones(ROWS), "lam": LAM, "order": order}
        return as_weights(call(solve, case), case)

    w = w_with(1.0)
    if w is None:
        return ()
    if abs(w[-1]) > 1e-9:
        each = (abs(w) > 1e-9).all()
        return ("changes-every-column",) if each else ()
    if np.abs(w[[0, 1, 3, 4]]).max() <= 1e-9:
        return ()
    again = w_with(2.0)
    moved = again is not None and same_values(again, w)
    return () if moved else ("uses-other-rows",)


def belongs_to_no_row(W):
    """Whether w gets a part that is in no row."""
    for t, w in enumerate(W):
        if abs(w[-1]) > 1e-9:
            return [
                f"after t = {t} your w is {w[-1]:.4g} in a column that is 0 "
                f"in every row; the rule gives 0."
            ]
    return []


def is_of_another_row(W):
    """Whether what is added is the row of another step, all else right.

    Row t − 1 is that of step t.
    """
    for t in range(1, len(W)):
        gained = W[t] - (1 - 1 / t) * W[t - 1]
        places = np.flatnonzero(abs(gained) > 1e-9)
        if len(places) == 1 and places[0] != t - 1:
            return [
                f"at t = {t} what you add is in column {places[0]}, where "
                f"row {places[0]} has its 1, and nothing in column {t - 1}, "
                f"where row {t - 1} has it, which that step was given."
            ]
    return []


def shrinks(W, log):
    """On the factors of what was in w before."""
    found = {}
    for t in range(2, len(W)):
        before, after = W[t - 1][: t - 1], W[t][: t - 1]
        there = abs(before) > 1e-12  # what else could be shrunk
        if not there.any():
            continue
        factors = after[there] / before[there]
        if np.ptp(factors) > 1e-9 * max(1.0, abs(factors).max()):
            return [
                f"at t = {t} rows seen before count for {factors[0]:.4g} to "
                f"{factors[-1]:.4g} times as much; the rule shrinks all by "
                f"{1 - 1 / t:.4g}."
            ]
        found[t] = factors[0]
    return compare(
        found,
        lambda lam, t, n: 1 - 1 / t,
        FACTORS,
        ANYBODY if log else VIOLATOR,
    )


def additions(W, y, log):
    """On the factors of what is added."""
    pull = 0.5 if log else 1.0
    found = {t: W[t][t - 1] * y[t - 1] / pull for t in range(1, len(W))}
    return compare(
        found,
        lambda lam, t, n: 1 / (lam * t),
        ADDITIONS,
        ADDED.replace("y·x", "y·x/2") if log else ADDED,
    )


def compare(found, rule, formulas, sentence):
    """A sentence on the first t at which `found` is not the rule's."""
    wrong = {
        t: value
        for t, value in found.items()
        if not near(value, rule(LAM, t, ROWS))
    }
    if not wrong:
        return []
    t = min(wrong)
    said = sentence.format(
        t=t, seen=show(wrong[t]), wanted=show(rule(LAM, t, ROWS))
    )
    names = [
        name
        for name, formula in formulas
        if agrees(formula, found if len(wrong) == len(found) else wrong)
    ]
    if names and len(wrong) > 1:
        said += f"; {show(wrong[t])} is {names[0]}"
    return [said + "."]


def show(value):
    return f"{value + 0.0:.4g}"  # no minus before a zero


def agrees(formula, found):
    """Whether a formula gives the values at all t at which it has one."""
    try:
        return all(near(v, formula(LAM, t, ROWS)) for t, v in found.items())
    except ZeroDivisionError:
        return False


def near(a, b):
    return abs(a - b) <= 1e-9 * max(1.0, abs(a), abs(b))


def quiet_shrinks(probe, X, y, b):
    """On the factors when the example is no violator.

    The rows are made so long that the second, the first one and a part at
    right angles to it, is none. So two entries of w tell a step
    w' = a·w + c·x apart: both gain c times the same, and differ in w.
    """
    if not (np.isfinite(b) and b > 0):
        return []
    length = np.sqrt(10 / b)
    X, y = length * X, np.ones(len(y))
    X[1] += X[0]
    W = probe.iterates(X, y, np.array([0, 1, 1, 1]))
    if W is None:
        return []
    apart = [w[0] - w[1] for w in W]
    if (np.abs(apart[1:]) < 1e-12).any():
        return []
    factors = {t: apart[t] / apart[t - 1] for t in STEPS}
    added = [t for t in STEPS if not near(W[t][1], factors[t] * W[t - 1][1])]
    said = compare(
        {t: factors[t] for t in STEPS if t not in added},
        lambda lam, t, n: 1 - 1 / t,
        FACTORS,
        QUIET,
    )
    if added and not said:
        return [ADDED_TOO.format(t=added[0])]
    return said


def tests(probe, b):
    """On the margins at which an example is added, and by how much."""
    said = []
    for m in MARGINS:
        X = np.zeros((2, 3))
        X[0, 0] = 1.0
        X[1, :2] = -m / b if b else 0.0, 1.0
        y = np.array([1.0, -1.0])
        W = probe.iterates(X, y, np.arange(2))
        if W is None:
            return []
        seen = -W[2][1] * LAM * 2
        wanted = 1 / (1 + np.exp(m)) if probe.log else float(m < 1)
        if not near(seen, wanted):
            said.append(
                f"at t = 2 an example with the margin {m:g} is added "
                f"{show(seen)} times η; the rule gives {show(wanted)}."
            )
    return said
