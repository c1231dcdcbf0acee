"""Each step of a run taken apart: w' = a·w + b·x, on the task's own data.

In three dimensions or more two numbers do not fit any w', so what fits is
found out and not assumed: how w is shrunk, how much is added, and when.
"""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.cases import labels
from pegasos_edu.coursework.diagnosis.search import (
    FEW,
    as_weights,
    other_cases,
)
from pegasos_edu.coursework.trial import call, same_values

CLOSE = 1e-6
TOO_LONG = 1e3  # times the first w: what is added is lost in rounding
ENOUGH = 3  # steps of which something must be known
ROUND_IT = 8  # steps that are taken apart where a long run goes wrong


@dataclass(frozen=True)
class Step:
    """What was found out about one step.

    Attributes
    ----------
    t : int
    margin : float
        Before the step.
    a, b : float or None
        Factors of w and of y·x; None if the step does not tell.
    adds : bool
        Whether the example counts at all.
    label : float
    """

    t: int
    margin: float
    a: float | None
    b: float | None
    adds: bool
    label: float


def iterates(solve, case, averages, start=0):
    """What runs of 0, 1, … steps return, as iterates; None if one is no w.

    With a `start` the shortest run has so many steps.
    """
    order, W = case["order"], [np.zeros(case["X"].shape[1])]
    for T in range(start or 1, len(order) + 1):
        run = {**case, "order": order[:T]}
        w = as_weights(call(solve, run), run)
        if w is None:
            return None
        W.append(w)
    W = W[bool(start) :]
    if averages:
        sums = [T * w for T, w in enumerate(W, start)]
        W = [after - before for before, after in pairwise(sums)]
    return W


def fitted(W, case):
    """The steps of a run, or None if some step is of another form.

    Parameters
    ----------
    W : list of ndarray of shape (d,)
        w_1, w_2, …
    case : dict

    Returns
    -------
    list of Step
    """
    found = []
    first = next((abs(w).max() for w in W if w.any()), 0.0)
    for t, (before, after) in enumerate(pairwise(W), start=1):
        if abs(before).max() > TOO_LONG * first:
            break
        i = case["order"][t - 1]
        x, label = case["X"][[i]], case["y"][i]
        x = (x.toarray() if sp.issparse(x) else x)[0]
        factors = two_factors(before, label * x, after)
        if factors is None:
            return None
        found.append(Step(t, label * (x @ before), *factors, label))
    return found


def two_factors(w, z, after):
    """a and b with after = a·w + b·z, and whether b·z counts.

    Either is None where it cannot be told; all is None if there are none.
    """
    size = max(np.abs(v).max(initial=0.0) for v in (w, after))
    long, there = np.linalg.norm(w), np.linalg.norm(z)
    if long < CLOSE * max(size, 1e-300):  # nothing to shrink
        w, long = np.zeros_like(w), 0.0
    columns = [v / n for v, n in ((w, long), (z, there)) if n > 0]
    if not columns:
        return (None, None, False) if not after.any() else None
    M = np.stack(columns, axis=1)
    values, _, rank, singular = np.linalg.lstsq(M, after)
    if np.abs(M @ values - after).max() > CLOSE * max(size, 1e-300):
        return None
    if rank < len(columns) or singular[-1] < 0.01:
        return None, None, False  # w and x point the same way
    scaled = iter(values)
    a = next(scaled) / long if long > 0 else None
    part = next(scaled) if there > 0 else 0.0
    b = part / there if there > 0 else None
    return a, b, bool(abs(part) > 1e-10 * size)


STILL = ["some-steps-change-nothing"]
# In some runs not all that is wrong can be seen.
IMPLIES = {
    "step-of-another-form": {
        "shrink-of-another-form",
        "addition-of-another-form",
        "labels-treated-differently",
    },
    "addition-of-another-form": {"labels-treated-differently"},
    "some-steps-change-nothing": {"shrink-of-another-form"},
}


def forms(solve, task, cases):
    """What is wrong with the steps, if all of them are of this form.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    task : Task
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
    """
    log, averages = task.name == "A2.pegasos", task.name == "A3.average"
    names, said = {}, ()
    # All of it must hold on other data, too.
    for case in [*cases, *other_cases(task)]:
        if case["X"].shape[1] < 3 or len(case["order"]) > FEW:
            continue
        W = iterates(solve, case, averages)
        steps = None if W is None else fitted(W, case)
        if steps is None:
            return (), ()
        if sum(step.b is not None for step in steps) < ENOUGH:
            if len(steps) < len(W) - 1:  # w outgrew the numbers
                continue
            return (), ()
        found = names_of(steps, case["lam"], log)
        if found is None:
            return (), ()
        names |= dict.fromkeys(found)
        said = said or first_unlike(steps, case["lam"], log)
    return without_implied(names), said


def without_implied(names):
    """Names, without those that another one of them says."""
    for name, implied in IMPLIES.items():
        if name in names:
            names = [n for n in names if n not in implied]
    return tuple(names)


def later_forms(solve, task, cases):
    """What is wrong with the steps of a long run, if short ones are right.

    It is run once more on the widest rows, as three numbers or more tell
    what is added from what is shrunk.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    task : Task
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
    """
    longest = max(cases, key=lambda case: len(case["order"]))
    widest = max(cases, key=lambda case: case["X"].shape[1])
    n, T = len(widest["y"]), len(longest["order"])
    if T <= FEW:
        return (), ()
    rows = np.random.default_rng(0).integers(n, size=T)
    case = {**widest, "lam": longest["lam"], "order": rows}

    def is_right(steps):
        run = {**case, "order": rows[:steps]}
        return call(solve, run).same_as(call(task.reference, run))

    right, t = FEW, T
    if not is_right(right) or is_right(t):
        return (), ()
    while t - right > 1:
        middle = (right + t) // 2
        right, t = (middle, t) if is_right(middle) else (right, middle)
    averages = task.name == "A3.average"
    first = right - averages  # of averages two tell one iterate
    case["order"] = rows[: right + ROUND_IT]
    W = iterates(solve, case, averages, first)
    after = {**case, "order": case["order"][right:]}
    steps = None if W is None else fitted(W, after)
    if steps is None or sum(s.b is not None for s in steps) < ENOUGH:
        return (), ()
    steps = [replace(step, t=step.t + right) for step in steps]
    names = names_of(steps, case["lam"], log=False) or []
    said = first_unlike(steps, case["lam"], log=False)
    return without_implied(names), said


def names_of(steps, lam, log):
    """The names of what is wrong in the steps of one run.

    None if examples are added that should not be, or the other way round,
    and something else is wrong besides.
    """
    known = [step for step in steps if step.b is not None]
    added = [step for step in known if step.adds]
    hits = [step for step in known if log or step.margin < 1]
    shrunk = all(near(s.a, 1 - 1 / s.t) for s in steps if s.a is not None)
    if not log and {s.t for s in added} != {s.t for s in hits}:
        # What is added to the wrong examples is right in size, or all of it
        # is unclear.
        right = all(near(s.b, 1 / (lam * s.t), lam, s) for s in added)
        if not shrunk:
            return of_still_steps(steps, lam, log)
        return [
            "test-decides-otherwise" if right else "addition-of-another-form"
        ]
    given = all(near(s.b, pull(s, log) / (lam * s.t), lam, s) for s in known)
    if log and of_still_steps(steps, lam, log) == STILL:
        return STILL
    if not shrunk and not given and fit_each_other(added, lam, log):
        return ["step-of-another-form"]
    found = [] if shrunk else ["shrink-of-another-form"]
    if not given:
        found.append(
            "labels-treated-differently"
            if by_label(added, lam, log)
            else "addition-of-another-form"
        )
    return found


def of_still_steps(steps, lam, log):
    """The name of steps some of which leave w alone, where none should."""
    moved = [s for s in steps if not is_still(s)]
    if len(moved) == len(steps):
        return None
    if all(
        (s.a is None or near(s.a, 1 - 1 / s.t))
        and (s.b is None or near(s.b, pull(s, log) / (lam * s.t), lam, s))
        for s in moved
    ):
        return STILL
    added = [s for s in moved if s.b is not None and s.adds]
    if fit_each_other(added, lam, log):
        return ["step-of-another-form"]
    return None


def is_still(step):
    """Whether a step leaves w as it is, which the rule never does."""
    return step.a is not None and near(step.a, 1.0) and not step.adds


def pull(step, log):
    """How much of an example the rule adds, in steps."""
    if log:
        return 0.5 * (1 - np.tanh(step.margin / 2))
    return float(step.margin < 1)


def fit_each_other(added, lam, log):
    """Whether shrink and addition come from one wrong step."""
    both = [step for step in added if step.a is not None]
    return bool(both) and all(
        near(s.a, 1 - lam * s.b / (pull(s, log) if log else 1.0)) for s in both
    )


def by_label(added, lam, log):
    """Whether what is added has one factor for each label."""
    factors: dict[float, list[float]] = {-1.0: [], 1.0: []}
    for s in added:
        factors[s.label].append(s.b * lam * s.t / (pull(s, log) or 1.0))
    return (
        min(map(len, factors.values())) >= ENOUGH
        and all(
            np.ptp(each) < CLOSE * max(map(abs, each))
            for each in factors.values()
        )
        and not near(factors[-1.0][0], factors[1.0][0])
    )


def first_unlike(steps, lam, log):
    """A sentence on the first step that is not as the rule says."""
    for s in steps:
        if s.a is None or s.b is None:
            continue
        a, b = 1 - 1 / s.t, pull(s, log) / (lam * s.t)
        if not (near(s.a, a) and near(s.b, b, lam, s)):
            return (
                f"At t = {s.t}, with λ = {lam:g} and the margin "
                f"{s.margin:.4g}, your step is w ← {s.a + 0.0:.4g}·w + "
                f"{s.b * s.adds + 0.0:.4g}·y·x; the rule gives {a:.4g}·w + "
                f"{b:.4g}·y·x.",
            )
    return ()


def near(value, wanted, lam=None, step=None):
    """Whether two factors agree; additions are as large as 1/(λt)."""
    size = 1.0 if lam is None else 1 / (lam * step.t)
    return bool(abs(value - wanted) <= CLOSE * max(size, abs(wanted)))


# What is returned, where the steps are right


def with_right_ones(solve, task, cases):
    """Triples of case, w and the right w; none if some result is no w."""
    found = []
    for case in cases:
        w = as_weights(call(solve, case), case)
        if w is None:
            return []
        found.append((case, w, call(task.reference, case).value))
    return found


def unfit_numbers(solve, task, cases):
    """The name of numbers that are rounded, or whole."""
    found = with_right_ones(solve, task, cases)
    if found and all(is_rounded(w, wanted) for _, w, wanted in found):
        return ("few-digits",)
    if found and all(is_near(w, wanted) for _, w, wanted in found):
        for digits in range(1, 7):
            if all((w == np.round(w, digits)).all() for _, w, _ in found):
                return ("few-digits",)
    # A w that is 0 is whole, too.
    some = any(w.any() for _, w, _ in found)
    if some and all((w == np.round(w)).all() for _, w, _ in found):
        return ("whole-numbers-only",)
    return ()


def returned(solve, task, cases):
    """What an answer returns instead, made of right iterates.

    Parameters
    ----------
    solve : callable
    task : Task
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    pairs = with_right_ones(solve, task, cases)
    if not pairs or task.name == "A3.average":
        return ()
    short = [pair for pair in pairs if len(pair[0]["order"]) <= FEW]
    # Where these are right they tell nothing of the long ones.
    tells = not all(same_values(w, wanted) for _, w, wanted in short)
    if tells and all(is_one_of_them(task, case, w) for case, w, _ in short):
        return ("returns-an-earlier-iterate",)
    if all(is_a_multiple(w, wanted) for _, w, wanted in pairs) and any(
        len(w) > 1 and not same_values(w, wanted) for _, w, wanted in pairs
    ):  # a single number is a multiple of any other
        return ("right-but-for-its-length",)
    if tells and all(
        is_a_mixture(task, solve, case, w) for case, w, _ in short
    ):
        return ("mixes-the-iterates",)
    return ()


def multiplied(solve, task, cases):
    """The name of a w that is right but for one factor, always the same.

    Two mistakes that make up for each other can look like that, too: of
    what is returned it is true either way.
    """
    pairs = with_right_ones(solve, task, cases)
    if not pairs or task.name == "A3.average":
        return ()
    if not all(is_a_multiple(w, wanted) for _, w, wanted in pairs):
        return ()
    factors = [(w @ wanted) / (wanted @ wanted) for _, w, wanted in pairs]
    if np.ptp(factors) > 1e-9 * np.abs(factors).max():
        return ()
    return ("right-but-for-its-length",)


def is_rounded(w, wanted):
    """Whether w is right to two digits or more."""
    return np.abs(w - wanted).max() <= 2e-3 * np.abs(wanted).max() + 1e-9


def is_near(w, wanted):
    """Whether w is right to about one digit."""
    return np.abs(w - wanted).max() <= 0.1 * max(1.0, np.abs(wanted).max())


def is_a_multiple(w, wanted):
    size = np.linalg.norm(wanted)
    return size > 0 and same_values(w / size, (w @ wanted) / size**3 * wanted)


def right_iterates(task, case):
    """w_1, …, w_{T+1} of the right run."""
    return np.stack(iterates(task.reference, case, averages=False))


def is_one_of_them(task, case, w):
    return any(same_values(w, each) for each in right_iterates(task, case))


def is_a_mixture(task, solve, case, w):
    """Whether w is Σ c_k w_k, with weights that other data tell.

    On rows at right angles every step adds a coordinate of its own, so the
    weights can be read off: the first T columns hold what is seen of them.
    """
    T = len(case["order"])
    apart = {
        "X": np.eye(T + 1),
        "y": labels(T + 1),
        "lam": case["lam"],
        "order": np.arange(T),
    }
    if sp.issparse(case["X"]):
        apart["X"] = sp.csr_matrix(apart["X"])
    seen = as_weights(call(solve, apart), apart)
    if seen is None:
        return False
    M = right_iterates(task, apart)[1:, :T].T  # upper triangular
    weights = np.linalg.solve(M, seen[:T])
    if weights.min() < -1e-9 or weights.sum() > 1 + 1e-9:
        return False
    return same_values(w, weights @ right_iterates(task, case)[1:])
