"""An answer that is right but for one input, or for one factor.

A square too many, a label forgotten, a row left out: whatever the formula
is, its value is then the right one of inputs that were changed. The changes
are made to what the reference is given, for all of its value or for one of
its terms.
"""

import warnings
from itertools import combinations, product

import numpy as np

from pegasos_edu.coursework.trial import as_numbers, call, same_values

INPUT, FACTOR = "right-for-another-input", "right-but-for-a-factor"
TERM = "term-with-another-factor"


def so_far(a):
    """The mean of the entries up to each of them."""
    return (np.cumsum(a, axis=0).T / np.arange(1, len(a) + 1)).T


# What people make of a number: in words, and as a function.
NUMBERS = [
    ("−{}", lambda v: -v),
    ("2·{}", lambda v: 2 * v),
    ("{}/2", lambda v: v / 2),
    ("{}²", lambda v: v**2),
    ("√{}", np.sqrt),
    ("1/{}", lambda v: 1 / v),
    ("1", lambda v: 1.0),
    ("0", lambda v: 0.0),
    ("{} + 1", lambda v: v + 1),
    ("{} − 1", lambda v: v - 1),
    ("1 − {}", lambda v: 1 - v),
    ("max({} − 1, 1)", lambda v: max(v - 1, 1)),
    ("min({}, 1)", lambda v: min(v, 1)),
    ("ln({})", np.log),
]
# The same of an array.
PLAIN = ("−{}", "2·{}", "{}/2", "{}²", "{} + 1", "{} − 1", "1 − {}", "ln({})")
ARRAYS = [
    ("ones", np.ones_like),
    ("zeros", np.zeros_like),
    *(each for each in NUMBERS if each[0] in PLAIN),
    ("|{}|", np.abs),
    ("{} with 0 for what is negative", lambda a: np.maximum(a, 0)),
    ("{} with its entries in [−1, 1]", lambda a: np.clip(a, -1, 1)),
    ("{}/‖{}‖", lambda a: a / np.linalg.norm(a, axis=-1, keepdims=True)),
    ("{} less its mean", lambda a: a - a.mean(axis=0)),
    ("{} sorted", lambda a: np.sort(a, axis=0)),
    ("{} backwards", lambda a: a[::-1]),
    ("{} moved up by one place", lambda a: np.roll(a, -1, axis=0)),
    ("{} moved down by one place", lambda a: np.roll(a, 1, axis=0)),
    ("the mean of {} so far", so_far),
    ("0, 1, 2, …", lambda a: np.arange(len(a))),
    ("its first entry alone", lambda a: np.full_like(a, a.flat[0])),
    ("its last entry alone", lambda a: np.full_like(a, a.flat[-1])),
    ("{} with 0 as its first entry", lambda a: np.append(0, a[1:])),
    ("{} with 0 as its last entry", lambda a: np.append(a[:-1], 0)),
]
# What people leave out of arrays that belong together.
LEFT_OUT = [
    ("without the first of {}", np.s_[1:]),
    ("without the last of {}", np.s_[:-1]),
    ("for the first of {} alone", np.s_[:1]),
    ("for the last of {} alone", np.s_[-1:]),
]
# The same of the entries of w and of the columns of X.
COLUMNS = [
    ("without the first column", np.s_[1:]),
    ("without the last column", np.s_[:-1]),
    ("for the first column alone", np.s_[:1]),
    ("for the last column alone", np.s_[-1:]),
]
TOGETHER = (("X", "y"), ("t", "gap"), ("t", "a", "b"))
# By what a value, or one of its terms, is multiplied.
CONSTANTS = [("0", 0.0), ("−1", -1.0), ("2", 2.0), ("½", 0.5), ("4", 4.0)]
POWERS = [
    ("{}", 1.0),
    ("1/{}", -1.0),
    ("√{}", 0.5),
    ("1/√{}", -0.5),
    ("{}²", 2.0),
    ("1/{}²", -2.0),
]


def changed_inputs(case):
    """Yield (words, function of a case) for each change of an input."""
    for name, value in case.items():
        for words, make in ARRAYS if np.ndim(value) else NUMBERS:
            yield (
                f"for {words.format(name, name)} in place of {name}",
                lambda c, name=name, make=make: {**c, name: make(c[name])},
            )
    for name in ("score", "margin") if {"w", "X"} <= set(case) else ():
        for words, make in ARRAYS if name == "score" or "y" in case else ():
            yield (
                f"for {words.format(name, name)} in place of the {name}",
                lambda c, name=name, make=make: with_scores(c, name, make),
            )
    for words, part in COLUMNS if {"w", "X"} <= set(case) else ():
        yield (
            words,
            lambda c, part=part: c | {"w": c["w"][part], "X": c["X"][:, part]},
        )
    for a, b in combinations(case, 2):
        if np.shape(case[a]) != np.shape(case[b]):
            continue
        yield (
            f"for {a} and {b} exchanged",
            lambda c, a=a, b=b: {**c, a: c[b], b: c[a]},
        )
    for names in TOGETHER:
        for words, part in LEFT_OUT if set(names) <= set(case) else ():
            yield (
                words.format(" and ".join(names)),
                lambda c, names=names, part=part: (
                    c | {name: c[name][part] for name in names}
                ),
            )


def with_scores(case, name, make):
    """Rows whose scores or margins are what is made of those of X."""
    w, signs = case["w"], case["y"] if name == "margin" else 1
    scores = signs * make(signs * (case["X"] @ w))
    return {**case, "X": np.outer(scores, w) / (w @ w)}


def factors(case):
    """Yield (words, number) for what a term may be multiplied by."""
    yield from CONSTANTS
    sizes = {name: v for name, v in case.items() if np.ndim(v) == 0}
    if "X" in case:
        sizes["n"], sizes["d"] = case["X"].shape
    if "order" in case:
        sizes["T"] = len(case["order"])
    if "w" in case:
        sizes["‖w‖"] = np.linalg.norm(case["w"])
    for (name, size), (words, power) in product(sizes.items(), POWERS):
        yield words.format(name), abs(size) ** power * np.sign(size)


# One of two terms, made of the reference, and what the other is called.
TERMS = {
    "A1.objective": (
        "λ/2 ‖w‖²",
        lambda right, case: right({**case, "X": 0 * case["X"]}) - 1,
        "the mean of the losses",
    ),
    "A1.step": (
        "the shrunk w",
        lambda right, case: right({**case, "x": 0 * case["x"]}),
        "what is added",
    ),
    # In every round u = 0 pays 1.
    "A4.regret": (
        "what the w_t pay",
        lambda right, case: (
            right({**case, "u": 0 * case["u"]})
            + np.arange(1, np.size(case["order"]) + 1)
        ),
        "what u pays",
    ),
}


class Terms:
    """What the right value of a task is the sum of: one term, or two.

    Parameters
    ----------
    task : Task
    pick : callable
        Takes what is compared out of what the reference gives.
    """

    def __init__(self, task, pick):
        self.reference, self.pick = task.reference, pick
        self.words, self.first = [""], None
        if task.name in TERMS:
            words, self.first, other = TERMS[task.name]
            self.words = [words, other]

    def right(self, case):
        """The right value; NaN where no line can be fitted to logarithms."""
        fitted = {"t", "gap", "a", "b"} if np.ndim(case.get("t")) else set()
        curves = [case[name] for name in fitted & set(case)]
        if all(0 < np.min(curve) < np.max(curve) < 1e99 for curve in curves):
            outcome = call(self.reference, case)
            if not outcome.error:
                return as_numbers(self.pick(outcome.value))
        return np.array(np.nan)

    def __call__(self, case):
        if self.first is None:
            return [self.right(case)]
        first = self.first(self.right, case)
        return [first, self.right(case) - first]


def right_but(task, trials, pick=lambda value: value):
    """Name and sentence for an answer that is right but for one thing.

    Parameters
    ----------
    task : Task
    trials : list of (dict, Outcome)
        The cases, of several sizes, and what the answer gave.
    pick : callable, optional
        Takes what is compared out of what the reference gives.

    Returns
    -------
    names, said : tuple of str
        Empty if it is nothing of what is tried.
    """
    terms = Terms(task, pick)
    # What does not fit is found out soonest on the smallest case.
    cases = sorted(trials, key=lambda trial: size_of(trial[0]))
    trials = [(c, as_numbers(v.value), terms(c)) for c, v in cases]
    if any(
        yours is None
        or yours.shape != parts[0].shape
        or not np.isfinite(yours).all()
        for _, yours, parts in trials
    ):
        return (), ()
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = of_factors(terms, trials) or of_inputs(terms, trials)
    return found or ((), ())


def size_of(case):
    return sum(map(np.size, case.values()))


def of_factors(terms, trials):
    """The factor that the value, or one of its terms, has in the answer."""
    for words in dict(factors(trials[0][0])):
        found = explained(
            terms,
            trials,
            lambda case, parts, w=words: [
                dict(factors(case))[w] * part for part in parts
            ],
        )
        if found == "":
            said = f"In every trial it is {words} times what is expected."
            return (FACTOR,), (said,)
        if found:
            said = f"In every trial it is right with {words} times {found}."
            return (TERM,), (said,)
    return None


def of_inputs(terms, trials):
    """The change of an input after which the value, or a term, fits."""
    for words, change in changed_inputs(trials[0][0]):
        found = explained(
            terms, trials, lambda case, _, change=change: terms(change(case))
        )
        if found is not None:
            alone = f", in {found} alone" if found else ""
            return (INPUT,), (f"In every trial it is right {words}{alone}.",)
    return None


def explained(terms, trials, change):
    """The term whose change gives the answer, "" for all; None for none."""
    every = range(len(terms.words))
    wholes = {"": every} | {terms.words[k]: [k] for k in every if every[1:]}
    for case, yours, parts in trials:
        changed = change(case, parts)
        wholes = {
            words: of
            for words, of in wholes.items()
            if fits(yours, parts, changed, of)
        }
        if not wholes:
            return None
    return next(iter(wholes))


def fits(yours, parts, changed, of):
    """Whether an answer is the sum of the terms, some of them changed."""
    values = [changed[k] if k in of else v for k, v in enumerate(parts)]
    return all(v.shape == yours.shape for v in values) and same_values(
        sum(values), yours
    )
