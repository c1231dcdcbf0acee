"""What is true of a wrong formula that is none of the known ones.

Each probe looks at what goes into the answer and what comes out, and names
what the right one never does. It knows no mistakes.
"""

import numpy as np

from pegasos_edu.coursework.diagnosis.lines import (
    FACTOR,
    Game,
    factors,
    of_line_0,
    unlike,
)
from pegasos_edu.coursework.diagnosis.search import other_cases
from pegasos_edu.coursework.trial import as_numbers, call, same_values

CLOSE = 1e-9
FAR = 100.0
# One value for every entry of the argument, or row of X, named here.
ENTRY_BY_ENTRY = {
    "A1.predict": "X",
    "A2.log_loss": "margin",
    "A2.slope": "margin",
    "A2.curvature": "margin",
    "A2.probability": "X",
}
# The right one is a product of functions, one of each argument.
PRODUCTS = ("A1.step_size", "A4.bound")
FACTS = {
    "A1.step": (
        "shrink-of-another-form",
        "addition-of-another-form",
        "test-decides-otherwise",
        "no-sum-of-w-and-x",
    ),
    "A4.regret": (FACTOR,),
    **dict.fromkeys(PRODUCTS, ("wrong-in-one-argument",)),
    **dict.fromkeys(
        ENTRY_BY_ENTRY, ("looks-at-other-entries", "right-in-some-entries")
    ),
}


def facts(task, answer, cases):
    """Names and sentences for what a wrong formula does.

    Parameters
    ----------
    task : Task
    answer : callable
    cases : list of dict
        What it was tried on.

    Returns
    -------
    names, said : tuple of str
    """
    look = {"A1.step": of_a_step, "A4.regret": of_a_regret}.get(task.name)
    if look is None and task.name in PRODUCTS:
        look = of_a_product
    if look is None and task.name in ENTRY_BY_ENTRY:
        look = of_entries
    if look is None:
        return (), ()
    trials = [
        (case, *(as_numbers(call(f, case).value) for f in both))
        for both in [(answer, task.reference)]
        for case in [*cases, *other_cases(task)]
    ]
    if any(
        a is None or a.shape != b.shape or not np.isfinite(a).all()
        for _, a, b in trials
    ):
        return (), ()
    return look(task, answer, trials)


def of_a_step(task, step, trials):
    """Which factor of a·w + b·x is wrong, for violators and for others."""
    found = []
    for case, yours, _ in trials:
        w, x, label = case["w"], case["x"], case["label"]
        (a, b), *_ = np.linalg.lstsq(np.transpose([w, x]), yours)
        size = max(1.0, np.abs(yours).max())
        if not np.abs(a * w + b * x - yours).max() <= CLOSE * size:
            return ("no-sum-of-w-and-x",), ()
        hit = label * (w @ x) < 1
        shrinks = abs(a - (1 - case["eta"] * case["lam"])) <= CLOSE
        added = b * label / case["eta"]
        found.append((hit, shrinks, added))
    names = []
    if not all(shrinks for _, shrinks, _ in found):
        names.append("shrink-of-another-form")
    if not all(abs(added - hit) <= CLOSE for hit, _, added in found):
        by_test = all(min(abs(b), abs(b - 1)) <= CLOSE for *_, b in found)
        names.append(
            "test-decides-otherwise" if by_test else "addition-of-another-form"
        )
    return tuple(names), ()


def of_a_regret(task, regret, trials):
    """Whether what a round costs is a sum of the right terms."""
    games = [
        Game(**{**case, "W": np.vstack([case["W"], case["W"][-1:]])})
        for case, *_ in trials
    ]
    rounds = [np.diff(yours, prepend=0.0) for _, yours, _ in trials]
    found = factors(of_line_0, rounds, games)
    said = unlike(found, "what a round costs") if found else ()
    return ((FACTOR,), said) if said else ((), ())


def of_a_product(task, formula, trials):
    """Whether only one of the arguments enters as it should not."""
    first = trials[0][0]

    def ratio(case):
        return as_numbers(call(formula, case).value) / (
            as_numbers(call(task.reference, case).value)
        )

    def moves(name):
        changed = {**first, name: first[name] * 3}
        both = [ratio(changed), ratio(first)]
        return not same_values(*both)

    enters = [name for name in first if moves(name)]
    if len(enters) != 1:
        return (), ()
    (name,) = enters
    same = all(
        same_values(ratio({**first, name: case[name]}), ratio(case))
        for case, *_ in trials
    )
    said = f"How it depends on {name} is wrong; on all else it is right."
    return (("wrong-in-one-argument",), (said,)) if same else ((), ())


def of_entries(task, formula, trials):
    """Whether one entry changes another; else for which yours is right."""
    of = ENTRY_BY_ENTRY[task.name]
    for case, yours, _ in trials:
        alone = [
            as_numbers(call(formula, {**case, of: case[of][k : k + 1]}).value)
            for k in range(len(yours))
        ]
        if any(one is None or one.shape != (1,) for one in alone):
            return (), ()
        if not same_values(np.concatenate(alone), yours):
            return ("looks-at-other-entries",), ()
    entries = [
        (value, bool(fits))
        for case, yours, wanted in trials
        for value, fits in zip(
            case[of] if of == "margin" else case[of] @ case["w"],
            np.isclose(yours, wanted, rtol=CLOSE, atol=CLOSE),
        )
    ]
    # Far out many formulas are 0, right or wrong.
    near = [(value, fits) for value, fits in entries if abs(value) < FAR]
    return where_right(sorted(set(near)))


def where_right(entries):
    """A sentence on the sides of a border, one right and one wrong."""
    fits = [fit for _, fit in entries]
    borders = [k for k in range(1, len(fits)) if fits[k] != fits[k - 1]]
    if len(borders) != 1 or not 2 <= sum(fits) <= len(fits) - 2:
        return (), ()
    (k,) = borders
    low, high = entries[k - 1][0], entries[k][0]
    sides = f"up to {low:.4g}", f"from {high:.4g} on"
    right, wrong = sides if fits[0] else sides[::-1]
    said = f"It is right {right} and wrong {wrong}."
    return ("right-in-some-entries",), (said,)
