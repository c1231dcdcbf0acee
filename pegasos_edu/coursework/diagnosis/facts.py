"""What is true of a wrong formula that is none of the known ones.

Each probe looks at what goes into the answer and what comes out, and names
what the right one never does. It knows no mistakes.
"""

import numpy as np
from scipy import special

from pegasos_edu.coursework.diagnosis.lines import (
    FACTOR,
    Game,
    factors,
    of_line_0,
    unlike,
    written,
)
from pegasos_edu.coursework.diagnosis.quantities import (
    enters_as,
    step_written_out,
    written_out,
)
from pegasos_edu.coursework.diagnosis.rounds import OTHER_TERM, rounds_told
from pegasos_edu.coursework.diagnosis.search import other_cases
from pegasos_edu.coursework.trial import as_numbers, call, same_values

CLOSE = 1e-9
FAR = 16.0
# Margins, or scores, among which the borders of a wrong formula are looked
# for. None is 0, where two labels are right.
SMALL = 10.0 ** np.arange(-8, -1)
GRID = np.sort([*-SMALL, *SMALL, *np.arange(-19.875, 20, 0.25)])
# On the grid two numbers are equal but for rounding, or far from it: where
# one formula turns into another the gap between them jumps.
EQUAL, APART = 1e-13, 1e-10
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
IN_SOME = "right-in-some-entries"
FACTS = {
    "A1.step": (
        "shrink-of-another-form",
        "addition-of-another-form",
        "test-turned-round",
        "test-decides-otherwise",
        "no-sum-of-w-and-x",
    ),
    "A1.objective": ("losses-of-another-form", "regulariser-of-another-form"),
    "A4.regret": (FACTOR, OTHER_TERM),
    **dict.fromkeys(PRODUCTS, ("wrong-in-one-argument",)),
    **dict.fromkeys(ENTRY_BY_ENTRY, ("looks-at-other-entries", IN_SOME)),
    "A1.predict": (
        "other-labels-than-asked",
        "looks-at-other-entries",
        IN_SOME,
    ),
    "A2.log_loss": (
        "small-number-in-the-logarithm",
        "one-value-for-large-losses",
        "looks-at-other-entries",
        IN_SOME,
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
    look = {
        "A1.objective": of_an_objective,
        "A1.step": of_a_step,
        "A4.regret": of_a_regret,
    }.get(task.name)
    if look is None and task.name in PRODUCTS:
        look = of_a_product
    if look is None and task.name in ENTRY_BY_ENTRY:
        look = of_entries
    if look is None:
        return written_out(task, answer)
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
    names, said = look(task, answer, trials)
    spelled, words = written_out(task, answer)
    if names == (IN_SOME,) and " / " in "".join(words):
        words = ()  # at a border it would be 0/0
    return names or spelled, (*said, *words)


def of_an_objective(task, f, trials):
    """Which of the two terms is wrong, on rows whose margins are chosen."""
    w, lam, n = np.array([3.0, 4.0]), 0.4, 4
    y = np.array([1.0, -1.0, 1.0, 1.0])

    def value(margins):
        # Rows of length 1, whatever their margins: nothing else changes.
        beside = np.sqrt(1 - (margins / 5) ** 2)
        X = np.outer(y * margins / 5, w / 5) + np.outer(beside, [0.8, -0.6])
        value = as_numbers(call(f, {"w": w, "X": X, "y": y, "lam": lam}).value)
        return np.nan if value is None or np.shape(value) else value

    quiet = value(np.full(n, 2.0))  # no row costs anything
    moves = [
        (f"the margin of row {k}", 0, np.where(np.arange(n) == k, 0.0, 2.0))
        for k in range(n)
    ]
    moves += [("every margin", m, np.full(n, m)) for m in (-1.0, 0.5, 3.0)]
    names, said = [], []
    for what, m, margins in moves:
        rises, wanted = value(margins) - quiet, hinges(margins).mean()
        if not names and abs(rises - wanted) > CLOSE:
            names.append("losses-of-another-form")
            said.append(
                f"Of four rows with the margin 2, let {what} go to {m:g}: "
                f"your value changes by {rises:.4g}; expected {wanted:.4g}."
            )
    # Where the losses differ, they may differ for margins of 2 as well.
    if not names and abs(quiet - lam / 2 * w @ w) > CLOSE:
        names.append("regulariser-of-another-form")
        said.append(
            f"For w = [3, 4], lam = {lam} and margins of 2 no row costs "
            f"anything: your value is {quiet:.4g}; expected "
            f"{lam / 2 * w @ w:.4g}."
        )
    return tuple(names), tuple(said)


def hinges(margins):
    return np.maximum(0, 1 - margins)


def of_a_step(task, step, trials):
    """Which factor of a·w + b·x is wrong, for violators and for others."""
    found, said = [], ""
    for case, yours, _ in trials:
        w, x, label = case["w"], case["x"], case["label"]
        (a, b), *_ = np.linalg.lstsq(np.transpose([w, x]), yours)
        size = max(1.0, np.abs(yours).max())
        if not np.abs(a * w + b * x - yours).max() <= CLOSE * size:
            return ("no-sum-of-w-and-x",), ()
        hit = bool(label * (w @ x) < 1)
        shrinks = abs(a - (1 - case["eta"] * case["lam"])) <= CLOSE
        added = b * label / case["eta"]
        found.append((hit, shrinks, added))
        if not shrinks and not said:
            wanted = 1 - case["eta"] * case["lam"]
            a = round(a, 9) + 0.0
            said = f"There w is multiplied by {a:.4g}; expected {wanted:.4g}."
        if not said and abs(added - hit) > CLOSE:
            said = f"There the margin is {label * (w @ x):.4g}, and "
            times = round(added, 9) + 0.0
            said += f"{times:.4g} times η·y·x is added; expected {hit:d}."
    names = []
    if not all(shrinks for _, shrinks, _ in found):
        names.append("shrink-of-another-form")
    if not all(abs(added - hit) <= CLOSE for hit, _, added in found):
        by_test = all(min(abs(b), abs(b - 1)) <= CLOSE for *_, b in found)
        turned = all(
            abs(added - (not hit)) <= CLOSE for hit, _, added in found
        )
        names.append(
            "test-turned-round"
            if turned
            else "test-decides-otherwise"
            if by_test
            else "addition-of-another-form"
        )
    return tuple(names), ((said,) * bool(said) + step_written_out(step))


def of_a_regret(task, regret, trials):
    """Whether what a round costs is a sum of the right terms."""
    games = [
        Game(**{**case, "W": np.vstack([case["W"], case["W"][-1:]])})
        for case, *_ in trials
    ]
    rounds = [np.diff(yours, prepend=0.0) for _, yours, _ in trials]
    found = factors(of_line_0, rounds, games)
    said = unlike(written(found), "what a round costs") if found else ()
    if said:
        return (FACTOR,), said
    said = rounds_told(trials)
    return ((OTHER_TERM,), said) if said else ((), ())


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
    said = (
        f"How it depends on {name} is wrong; on all else it depends as it "
        f"should, but perhaps for a factor."
    )
    if not same:
        return (), ()
    return ("wrong-in-one-argument",), (said, *enters_as(task, formula, name))


RIGHT_ALONE = "Given one entry alone, it is right, and together it is not."


def of_entries(task, formula, trials):
    """Whether one entry changes another; else for which yours is right."""
    of = ENTRY_BY_ENTRY[task.name]
    if task.name == "A2.log_loss":
        found = levels_off(formula, trials)
        if found[0]:
            return found
    for case, yours, wanted in trials:
        other = case[of].copy()
        other[-1] += 1
        changed = as_numbers(call(formula, {**case, of: other}).value)
        if changed is None or changed.shape != yours.shape:
            return (), ()
        if not same_values(changed[:-1], yours[:-1]):
            return ("looks-at-other-entries",), ()
        if right_only_alone(formula, case, of, yours, wanted):
            return ("looks-at-other-entries",), (RIGHT_ALONE,)
    if task.name == "A1.predict" and all(map(right_signs, trials)):
        return ("other-labels-than-asked",), ()
    entries = [
        (value, bool(fits))
        for case, yours, wanted in trials
        for value, fits in zip(
            case[of] if of == "margin" else case[of] @ case["w"],
            np.isclose(yours, wanted, rtol=CLOSE, atol=CLOSE),
        )
    ]
    grid = on_the_grid(task, formula, trials[0][0])
    found = where_right(grid, of, 2)
    if found[0] and not belied(grid, entries):
        return found
    # Far out many formulas are 0, right or wrong.
    near = [(value, fits) for value, fits in entries if abs(value) < FAR]
    only_far = all(fits for _, fits in near)
    return where_right(sorted(set(entries if only_far else near)), of, 1)


def right_only_alone(formula, case, of, yours, wanted):
    """Whether each entry is right when it comes alone, and some are not so."""
    wrong = False
    for k in range(len(wanted)):
        if of == "X" and case["X"][k] @ case["w"] == 0.0:
            continue  # either label is right
        one = {**case, of: case[of][[k]]}
        found = as_numbers(call(formula, one).value)
        if found is None or not same_values(found.ravel(), wanted[[k]]):
            return False
        wrong = wrong or not same_values(yours[[k]], wanted[[k]])
    return wrong


def right_signs(trial):
    """Whether numbers have the signs of the scores, where these are not 0."""
    case, yours, _ = trial
    scores = case["X"] @ case["w"]
    return bool((np.sign(yours) == np.sign(scores))[scores != 0].all())


def levels_off(loss, trials):
    """Why a loss is one value wherever it is large, if it is."""
    far = as_numbers(call(loss, {"margin": np.array([-1e7, -2e7])}).value)
    if far is None or far.shape != (2,) or far[0] != far[1]:
        return (), ()
    if all(
        (np.isclose(yours, wanted, CLOSE, CLOSE) | (yours == far[0])).all()
        for _, yours, wanted in trials
    ):
        return ("one-value-for-large-losses",), ()
    small = float(np.exp(-far[0]))
    for words, keep in (("p + {}", np.add), ("max(p, {})", np.maximum)):
        with np.errstate(all="ignore"):
            if all(
                same_values(
                    yours, -np.log(keep(special.expit(case["margin"]), small))
                )
                for case, yours, _ in trials
            ):
                inside = words.format(f"{small:.3g}")
                said = f"It is −ln({inside}), where p = 1/(1 + e^−m)."
                return ("small-number-in-the-logarithm",), (said,)
    return (), ()


def on_the_grid(task, formula, case):
    """Pairs of a margin, or score, and whether an answer is right there.

    None if it only comes near to the right values, as many do far out.
    """
    case = dict(case)
    if "margin" in case:
        case["margin"] = GRID
    else:
        case["X"] = np.outer(GRID, case["w"]) / (case["w"] @ case["w"])
    yours, wanted = (
        as_numbers(call(f, case).value) for f in (formula, task.reference)
    )
    if yours is None or yours.shape != wanted.shape:
        return []
    gaps = np.abs(yours - wanted) / np.maximum(1.0, np.abs(wanted))
    fits = gaps <= EQUAL
    beside = np.diff(fits)  # a border is between these two
    jumps = np.maximum(gaps[:-1], gaps[1:])[beside] >= APART
    return list(zip(GRID, fits.tolist())) if jumps.all() else []


def belied(grid, entries):
    """Whether one is wrong between two places of the grid that are right."""
    places, fits = map(np.array, zip(*grid))
    for value, right in entries:
        after = int(np.clip(np.searchsorted(places, value), 1, len(fits) - 1))
        if fits[after - 1] and fits[after] and not right:
            return True
    return False


def where_right(entries, of, most):
    """A sentence on the sides of one border, or of two if that many may be."""
    fits = [fit for _, fit in entries]
    borders = [k for k in range(1, len(fits)) if fits[k] != fits[k - 1]]
    if not 1 <= len(borders) <= most or not 2 <= sum(fits) <= len(fits) - 2:
        return (), ()
    first, last = borders[0], borders[-1]
    low, high = entries[first - 1][0], entries[last][0]
    least, most_of_all = entries[0][0], entries[-1][0]
    outside = (
        f"from {least:.4g} to {low:.4g}",
        f"from {high:.4g} to {most_of_all:.4g}",
    )
    if first == last:
        right, wrong = outside if fits[0] else outside[::-1]
    else:
        within = f"from {entries[first][0]:.4g} to {entries[last - 1][0]:.4g}"
        both = f"{outside[0]} and {outside[1]}"
        right, wrong = (both, within) if fits[0] else (within, both)
    what = "margins" if of == "margin" else "scores"
    said = f"It is right for {what} {right}, and wrong {wrong}."
    return (IN_SOME,), (said,)
