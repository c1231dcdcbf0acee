"""Mistakes in the small functions, where an answer is a formula.

Each formula is put together from what people write for its terms, so that
two mistakes at once are named as well.
"""

from itertools import product

import numpy as np
from scipy import special

from pegasos_edu.coursework.diagnosis.crossings import crossings
from pegasos_edu.coursework.diagnosis.parts import ETA, PARTS, sigmoid
from pegasos_edu.coursework.diagnosis.recipe import RIGHT
from pegasos_edu.coursework.diagnosis.search import (
    combined,
    other_cases,
    other_sizes,
)
from pegasos_edu.coursework.trial import (
    Outcome,
    as_numbers,
    call,
    same_values,
)

REGULARISER = [
    ("", lambda w, lam, n: lam / 2 * (w @ w)),
    ("regulariser-without-half", lambda w, lam, n: lam * (w @ w)),
    ("norm-not-squared", lambda w, lam, n: lam / 2 * np.sqrt(w @ w)),
    ("norm-not-squared", lambda w, lam, n: lam * np.sqrt(w @ w)),
    ("regulariser-forgotten", lambda w, lam, n: 0.0),
    ("regulariser-without-lambda", lambda w, lam, n: w @ w / 2),
    ("regulariser-without-lambda", lambda w, lam, n: w @ w),
    ("regulariser-divided-by-n", lambda w, lam, n: lam / 2 * (w @ w) / n),
    ("regulariser-by-absolute-values", lambda w, lam, n: lam * abs(w).sum()),
    (
        "regulariser-by-absolute-values",
        lambda w, lam, n: lam / 2 * abs(w).sum(),
    ),
    ("divided-by-lambda", lambda w, lam, n: w @ w / (2 * lam)),
    ("regulariser-subtracted", lambda w, lam, n: -lam / 2 * (w @ w)),
]

LOSS = [
    ("", lambda y, s: np.maximum(0, 1 - y * s)),
    ("hinge-without-max", lambda y, s: 1 - y * s),
    ("counts-errors", lambda y, s: y * s <= 0.0),
    ("counts-violators", lambda y, s: y * s < 1.0),
    ("label-forgotten", lambda y, s: np.maximum(0, 1 - s)),
    ("label-outside-the-bracket", lambda y, s: np.maximum(0, y * (1 - s))),
    ("label-outside-the-bracket", lambda y, s: y * (1 - s)),
    ("labels-zero-and-one", lambda y, s: np.maximum(0, 1 - (y > 0) * s)),
    ("hinge-without-one", lambda y, s: np.maximum(0, -y * s)),
    ("hinge-turned-round", lambda y, s: np.maximum(0, y * s - 1)),
    ("hinge-turned-round", lambda y, s: np.maximum(0, 1 + y * s)),
    ("hinge-turned-round", lambda y, s: np.minimum(0, 1 - y * s)),
    ("losses-squared", lambda y, s: np.maximum(0, 1 - y * s) ** 2),
    ("log-loss-unasked", lambda y, s: np.logaddexp(0, -y * s)),
]

# What is made of the n losses, for rows of d numbers: (losses, d)
MEAN = [
    ("", lambda losses, d: np.mean(losses)),
    ("sum-instead-of-mean", lambda losses, d: np.sum(losses)),
    ("largest-loss-only", lambda losses, d: np.max(losses)),
    ("largest-loss-only", lambda losses, d: np.maximum(0, np.max(losses))),
    ("sum-divided-by-two-n", lambda losses, d: np.mean(losses) / 2),
    ("divided-by-another-number", lambda losses, d: np.sum(losses) / d),
    (
        "divided-by-another-number",
        lambda losses, d: np.sum(losses) / (len(losses) - 1),
    ),
    (
        "divided-by-another-number",
        lambda losses, d: np.sum(losses) / (len(losses) * d),
    ),
    ("divided-by-another-number", lambda losses, d: over_positive(losses)),
    ("median-for-mean", lambda losses, d: np.median(losses)),
    ("not-one-number", lambda losses, d: losses),
    ("losses-forgotten", lambda losses, d: 0.0),
]


def over_positive(losses):
    """Their sum, divided by the number of those above 0."""
    return np.sum(losses) / max(1, np.count_nonzero(losses > 0))


def objectives():
    """Every combination of the terms of f."""
    for terms in product(REGULARISER, MEAN, LOSS):
        names, (reg, mean, loss) = zip(*terms)

        def f(w, X, y, lam, reg=reg, mean=mean, loss=loss):
            losses = loss(y, X @ w)
            return reg(w, lam, len(y)) + mean(losses, X.shape[1])

        yield names, f
    for (name, reg), (kind, loss) in product(REGULARISER, LOSS):

        def of_the_mean(w, X, y, lam, reg=reg, loss=loss):
            return reg(w, lam, len(y)) + loss(1.0, np.mean(y * (X @ w)))

        yield (name, kind, "loss-of-the-mean-margin"), of_the_mean


def steps():
    for name, eta in ETA:
        if name != "step-divided-by-n":  # nothing is known of n here
            yield (name,), lambda lam, t, eta=eta: eta(lam, t, 1)
    yield ("step-does-not-fall",), lambda lam, t: 1 / lam
    yield ("step-does-not-fall",), lambda lam, t: lam
    yield ("starts-at-zero",), lambda lam, t: 1 / (lam * (t - 1))
    yield ("step-with-wrong-sign",), lambda lam, t: -1 / (lam * t)


def single_steps():
    """One mistake and every pair of them in a step; t is not known."""
    right = RIGHT["A1.pegasos"]
    parts = {
        part: [
            (IN_ONE_STEP.get(name, name), choice)
            for name, choice in PARTS[part]
            if name not in NEEDS_T
        ]
        for part in IN_A_STEP
    }
    for number in (1, 2):
        for names, recipe in combined(right, parts, number):
            yield names, one_step(recipe)
            if number == 1:
                yield (*names, "returns-the-change"), change(recipe)
    yield ("returns-the-change",), change(right)


def change(recipe):
    """What a step adds to w."""
    step = one_step(recipe)
    return lambda w, x, label, lam, eta: step(w, x, label, lam, eta) - w


# A solver begins with w = 0, and one step with any w.
IN_ONE_STEP = {"w-stays-at-zero": "nothing-is-ever-added"}
IN_A_STEP = ("shrink", "when", "add", "score", "pull", "label", "project")
NEEDS_T = {
    "first-violator-missed",
    "added-by-the-root",
    "added-without-making-up",
    "multiplied-by-the-scale",
    "made-up-with-the-old-scale",
    "score-without-the-scale",
    "shrinks-by-lambda-over-t",
    "shrink-divided-by-n",
    "divided-by-n",
}


def one_step(recipe):
    def step(w, x, label, lam, eta):
        shrink = recipe.shrink(eta, lam, 1, 1)
        score = recipe.score(w @ x, shrink, lam, 1)
        pull = recipe.pull(label * score, label)
        add = recipe.add(eta, lam, 1, 1, shrink)
        w = recipe.when(bool(pull), x, w, shrink)
        return recipe.project(w + add * pull * recipe.label(label) * x, lam)

    return step


# Where an exponent is cut off
CUTS = (5, 10, 15, 20, 25, 30, 35, 40, 50, 100, 200, 500, 600, 700, 709)


def log_losses():
    for base in (2, 10):
        yield (
            ("wrong-logarithm",),
            lambda m, base=base: np.logaddexp(0, -m) / np.log(base),
        )
    yield ("loss-with-wrong-sign",), lambda m: -np.logaddexp(0, -m)
    yield ("slope-for-loss",), lambda m: -sigmoid(-m)
    yield ("sigmoid-for-loss",), sigmoid
    yield ("one-forgotten",), lambda m: -m
    yield ("hinge-for-log-loss",), lambda m: np.maximum(0, -m)
    yield ("hinge-for-log-loss",), lambda m: np.maximum(0, 1 - m)
    yield ("logarithm-forgotten",), lambda m: 1 + np.exp(-m)
    for cut in CUTS:
        yield (
            ("logarithm-forgotten",),
            lambda m, cut=cut: np.exp(-np.clip(m, -cut, cut)),
        )
        yield (
            ("exponent-cut-off",),
            lambda m, cut=cut: np.logaddexp(0, -np.clip(m, -cut, cut)),
        )
    yield ("one-added-twice",), lambda m: np.logaddexp(np.log(2), -m)
    yield (
        ("one-added-twice",),
        lambda m: np.maximum(0, -m) + np.log(2 + np.exp(-np.abs(m))),
    )
    yield ("summed-up",), lambda m: np.logaddexp(0, -m).sum()
    yield ("averaged",), lambda m: np.logaddexp(0, -m).mean()


def slopes():
    yield ("minus-forgotten-inside",), lambda m: sigmoid(m)
    yield ("loss-for-slope",), lambda m: np.logaddexp(0, -m)
    yield ("slope-of-the-hinge",), lambda m: -1.0 * (m < 1)
    for most in (np.inf, *CUTS):
        for sign in (-1, 1):
            yield (
                ("slope-of-the-exponential",),
                lambda m, most=most, sign=sign: (
                    sign * np.exp(-np.clip(m, -most, most))
                ),
            )
    yield ("second-derivative",), lambda m: sigmoid(m) * sigmoid(-m)
    yield ("second-derivative",), lambda m: -sigmoid(m) * sigmoid(-m)
    for cut in CUTS:
        yield (
            ("exponent-cut-off",),
            lambda m, cut=cut: -sigmoid(-np.clip(m, -cut, cut)),
        )

    for power in range(-12, 1):
        for h in (10.0**power, 10.0**power / 2):
            for low, high in ((0, h), (-h, 0), (-h, h)):
                yield ("difference-quotient",), quotient(low, high)


def quotient(low, high):
    """The slope of the log loss between two margins near a margin."""

    def slope(m):
        values = [np.logaddexp(0, -(m + each)) for each in (low, high)]
        return (values[1] - values[0]) / (high - low)

    return slope


def probabilities():
    for factor in (2, 0.5, -2, -0.5):
        yield (
            ("score-with-a-factor",),
            lambda w, X, factor=factor: sigmoid(factor * (X @ w)),
        )
    yield ("sigmoid-twice",), lambda w, X: sigmoid(sigmoid(X @ w))
    yield ("tanh-for-sigmoid",), lambda w, X: np.tanh(X @ w)
    yield ("labels-for-probabilities",), lambda w, X: 1.0 * (X @ w > 0)
    yield ("labels-for-probabilities",), lambda w, X: np.sign(X @ w)
    yield ("softmax-over-rows",), lambda w, X: special.softmax(X @ w)
    yield ("exponential-alone",), lambda w, X: np.exp(X @ w)
    yield ("exponential-alone",), lambda w, X: np.exp(-(X @ w))
    yield ("one-forgotten",), lambda w, X: 1 / np.exp(-(X @ w))


def predictions():
    # On the line either side will do.
    for above in (np.greater, np.greater_equal):
        for at, name in (
            (0, ""),
            (1, "threshold-at-one"),
            (0.5, "cut-at-half"),
        ):
            for low in (-1, 0):
                zeros = "" if low else "labels-zero-and-one"
                yield (
                    (zeros, name),
                    lambda w, X, above=above, at=at, low=low: np.where(
                        above(X @ w, at), 1, low
                    ),
                )
        yield (
            ("labels-swapped",),
            lambda w, X, above=above: np.where(above(X @ w, 0), -1, 1),
        )
    yield ("threshold-at-one",), lambda w, X: np.where(X @ w >= -1, 1, -1)
    for at in (1, 0.5):
        yield (
            ("takes-the-size-of-the-score",),
            lambda w, X, at=at: np.where(np.abs(X @ w) > at, 1, -1),
        )
    for low, high in ((1, 2), (0, 2), (-2, 2), (2, 1)):
        yield (
            ("other-labels-than-asked",),
            lambda w, X, low=low, high=high: np.where(X @ w > 0, high, low),
        )


def curvatures():
    """What people take for the second derivative of the log loss."""
    for sign in (-1, 1):
        yield (
            ("first-derivative",),
            lambda m, sign=sign: sign * sigmoid(-m),
        )
        yield (
            ("third-derivative",),
            lambda m, sign=sign: (
                sign * sigmoid(m) * sigmoid(-m) * (sigmoid(m) - sigmoid(-m))
            ),
        )
        yield ("slope-squared",), lambda m, sign=sign: sigmoid(sign * m) ** 2
    yield ("loss-for-curvature",), lambda m: np.logaddexp(0, -m)
    for cut in CUTS:
        yield (
            ("exponent-cut-off",),
            lambda m, cut=cut: (
                sigmoid(np.clip(m, -cut, cut))
                * sigmoid(-np.clip(m, -cut, cut))
            ),
        )


def shares():
    """Of which rows, of which entries, and what is made of their number."""
    kinds = [
        ("", lambda X: X == 0),
        ("counts-the-entries-in-use", lambda X: X != 0),
        ("counts-columns-and-rows", lambda X: (X == 0).any(axis=1)),
        ("counts-columns-and-rows", lambda X: (X == 0).all(axis=1)),
        ("counts-columns-and-rows", lambda X: (X == 0).any(axis=0)),
        ("counts-columns-and-rows", lambda X: (X == 0).all(axis=0)),
    ]
    rows = [
        ("", lambda X, rows: X[np.ravel(rows)]),
        ("all-rows-of-X", lambda X, rows: X),
        ("each-row-once", lambda X, rows: X[np.unique(rows)]),
        ("row-numbers-shifted", lambda X, rows: X[np.ravel(rows) - 1]),
        ("as-many-rows-from-the-top", lambda X, rows: X[: np.size(rows)]),
        ("columns-for-rows", lambda X, rows: X[:, np.ravel(rows)]),
    ]
    numbers = [
        ("", np.mean),
        ("number-for-share", np.sum),
        ("number-for-share", lambda of: np.sum(of) / len(of)),
        ("in-percent", lambda of: 100 * np.mean(of)),
    ]
    for terms in product(kinds, rows, numbers):
        names, (kind, chosen, number) = zip(*terms)
        yield (
            names,
            lambda X, rows, kind=kind, chosen=chosen, number=number: number(
                kind(chosen(X, rows))
            ),
        )


# Assignment 4


def bounds():
    logs = [
        ("", lambda T: 1 + np.log(T)),
        ("bound-without-one", np.log),
        ("wrong-logarithm", lambda T: 1 + np.log10(T)),
        ("wrong-logarithm", lambda T: 1 + np.log2(T)),
        ("one-inside-the-logarithm", lambda T: np.log(1 + T)),
        ("sum-for-logarithm", lambda T: sum(1 / np.arange(1, T + 1))),
        ("root-for-logarithm", np.sqrt),
        ("logarithm-forgotten", lambda T: 1 + T),
        ("logarithm-forgotten", lambda T: T),
    ]
    squares = [
        ("", lambda R: 4 * R**2),
        ("bound-with-R-for-G", lambda R: R**2),
        ("two-not-squared", lambda R: 2 * R**2),
        ("R-not-squared", lambda R: 4 * R),
        ("R-not-squared", lambda R: 2 * R),
    ]
    divisors = [
        ("", lambda lam: 2 * lam),
        ("bound-without-half", lambda lam: lam),
        ("lambda-multiplied", lambda lam: 2 / lam),
        ("lambda-forgotten", lambda lam: 2),
    ]
    for terms in product(logs, squares, divisors):
        names, (log, square, by) = zip(*terms)
        yield (
            names,
            lambda lam, R, T, log=log, square=square, by=by: (
                square(R) * log(T) / by(lam)
            ),
        )


def regrets():
    """Every combination of what a round costs and of how rounds add up."""
    costs = [
        ("", lambda w, i, X, y, lam: one_loss(w, i, X, y) + lam / 2 * w @ w),
        (
            "regret-on-the-full-objective",
            lambda w, i, X, y, lam: (
                np.maximum(0, 1 - y * (X @ w)).mean() + lam / 2 * w @ w
            ),
        ),
        (
            "losses-without-regulariser",
            lambda w, i, X, y, lam: one_loss(w, i, X, y),
        ),
        (
            "regulariser-without-half",
            lambda w, i, X, y, lam: one_loss(w, i, X, y) + lam * w @ w,
        ),
        (
            "hinge-without-max",
            lambda w, i, X, y, lam: 1 - y[i] * (X[i] @ w) + lam / 2 * w @ w,
        ),
        (
            "label-forgotten",
            lambda w, i, X, y, lam: max(0, 1 - X[i] @ w) + lam / 2 * w @ w,
        ),
        (
            "label-outside-the-bracket",
            lambda w, i, X, y, lam: (
                max(0, y[i] * (1 - X[i] @ w)) + lam / 2 * w @ w
            ),
        ),
    ]
    sums = [
        ("", np.cumsum),
        ("rounds-not-added-up", lambda rounds: rounds),
        (
            "average-for-sum",
            lambda rounds: np.cumsum(rounds) / (1 + np.arange(len(rounds))),
        ),
        ("total-alone", np.sum),
        ("sign-turned", lambda rounds: -np.cumsum(rounds)),
        (
            "gains-left-out",
            lambda rounds: np.cumsum(np.maximum(0, rounds)),
        ),
        ("gains-left-out", lambda rounds: np.cumsum(np.abs(rounds))),
    ]
    rows = [
        ("", lambda order, n: order),
        ("order-ignored", lambda order, n: np.arange(len(order)) % n),
    ]
    against = [
        ("", lambda W, u: u),
        ("against-another-point", lambda W, u: W[-1]),
        ("against-another-point", lambda W, u: W[0]),
        ("against-another-point", lambda W, u: W.mean(axis=0)),
        ("against-nothing", None),
    ]
    for terms in product(costs, sums, rows, against):
        names, (cost, add, visit, other) = zip(*terms)
        if sum(map(bool, names)) > 2:
            continue

        def f(
            W,
            u,
            X,
            y,
            lam,
            order,
            cost=cost,
            add=add,
            visit=visit,
            other=other,
        ):
            played = visit(order, len(y))
            mine = [cost(w, i, X, y, lam) for w, i in zip(W, played)]
            if other is None:
                return add(np.array(mine))
            v = other(W, u)
            theirs = [cost(v, i, X, y, lam) for i in played]
            return add(np.array(mine) - np.array(theirs))

        yield names, f

    yield from regrets_of_differences()


def regrets_of_differences():
    """What people make of w and u together, in place of two costs."""

    def by_distance(w, u, i, X, y, lam):
        losses = one_loss(w, i, X, y) - one_loss(u, i, X, y)
        return losses + lam / 2 * (w - u) @ (w - u)

    def by_one_loss(w, u, i, X, y, lam):
        return one_loss(w - u, i, X, y) + lam / 2 * (w @ w - u @ u)

    def by_one_maximum(w, u, i, X, y, lam):
        more = y[i] * (X[i] @ (u - w))
        return max(0.0, more) + lam / 2 * (w @ w - u @ u)

    for name, cost in (
        ("distance-for-two-lengths", by_distance),
        ("loss-of-the-difference", by_one_loss),
        ("one-maximum-for-both", by_one_maximum),
    ):
        yield (
            (name,),
            lambda W, u, X, y, lam, order, cost=cost: np.cumsum(
                [cost(w, u, i, X, y, lam) for w, i in zip(W, order)]
            ),
        )


def one_loss(w, i, X, y):
    return max(0.0, 1 - y[i] * (X[i] @ w))


def gradients_of_curves():
    one = np.log, np.log10, np.log2
    for a, b in product(one, one):
        if a is not b:
            yield (
                ("two-logarithms",),
                lambda t, gap, a=a, b=b: np.polyfit(a(t), b(gap), 1)[0],
            )
    yield (
        ("axes-exchanged",),
        lambda t, gap: np.polyfit(np.log(gap), np.log(t), 1)[0],
    )
    yield ("intercept-for-slope",), lambda t, gap: line(t, gap)[1]
    yield ("slope-and-intercept",), line
    yield ("sign-turned",), lambda t, gap: -line(t, gap)[0]
    yield (
        ("slope-on-linear-gap",),
        lambda t, gap: np.polyfit(np.log(t), gap, 1)[0],
    )
    yield (
        ("slope-without-logarithms",),
        lambda t, gap: np.polyfit(t, gap, 1)[0],
    )


def line(t, gap):
    return np.polyfit(np.log(t), np.log(gap), 1)


FORMULAS = {
    "A1.objective": objectives,
    "A1.step_size": steps,
    "A1.step": single_steps,
    "A1.predict": predictions,
    "A1.wasted": shares,
    "A2.log_loss": log_losses,
    "A2.slope": slopes,
    "A2.probability": probabilities,
    "A2.curvature": curvatures,
    "A4.regret": regrets,
    "A4.bound": bounds,
    "A4.slope": gradients_of_curves,
    "A4.crossing": crossings,
}


def formula_trials(task, answer, cases):
    """Pairs of case and outcome, on other data and other sizes, too.

    A name must hold on all of them.
    """
    cases = [*cases, *other_cases(task)]
    cases += [other for case in cases for other in other_sizes(case)]
    return [(case, call(answer, case)) for case in cases]


OF_THE_INPUT = "fractions-cut-off"


def fractions_lost(task, trials):
    """The name for fractions that are lost wherever the answer is wrong."""
    pairs = [
        (
            as_numbers(outcome.value),
            as_numbers(call(task.reference, case).value),
        )
        for case, outcome in trials
    ]
    if any(a is None or a.shape != b.shape for a, b in pairs):
        return ()
    wrong = [(a, b) for a, b in pairs if not same_values(a, b)]
    cut = all((a == np.trunc(b)).all() for a, b in wrong)
    return (OF_THE_INPUT,) * (cut and len(wrong) < len(pairs))


def off_the_line(task, trials):
    """The trials of "A1.predict" without the rows that may have either label.

    None of another task, or where only these rows are wrong.
    """
    kept: list = []
    if task.name != "A1.predict":
        return kept
    for case, outcome in trials:
        off = case["X"] @ case["w"] != 0
        labels = as_numbers(outcome.value)
        if labels is None or labels.shape != off.shape:
            return []
        kept.append(({**case, "X": case["X"][off]}, Outcome(labels[off])))
    wrong = any(
        not outcome.same_as(call(task.reference, case))
        for case, outcome in kept
    )
    return kept if wrong else []


def formula_mistakes(task, trials, number):
    """The names of the mistakes in a formula, and none if none is sure.

    Parameters
    ----------
    task : Task
    trials : list of (dict, Outcome)
    number : int
        How many mistakes to look for, 1 or 2.

    Returns
    -------
    tuple of str
    """
    if any(as_numbers(outcome.value) is None for _, outcome in trials):
        return ()
    for names, formula in FORMULAS[task.name]():
        if sum(map(bool, names)) == number and all(
            outcome.same_as(call(formula, case)) for case, outcome in trials
        ):
            return tuple(filter(None, names))
    if number > 1:
        return ()
    if is_constant(trials):
        return ("returns-a-constant",)
    return related(task, trials)


def related(task, trials):
    """The name of what an answer is to the right one, and none if nothing.

    Parameters
    ----------
    task : Task
    trials : list of (dict, Outcome)

    Returns
    -------
    tuple of str
    """
    pairs = [
        (as_numbers(outcome.value), as_numbers(call(task.reference, c).value))
        for c, outcome in trials
    ]
    if any(yours.shape != wanted.shape for yours, wanted in pairs):
        return ()
    yours, wanted = (
        np.concatenate([np.ravel(values) for values in side])
        for side in zip(*pairs)
    )
    fine = np.isfinite(yours).all() and len(np.unique(wanted)) > 2
    if fine and same_values(yours, wanted):
        # What is wrong in small values only is nothing of the whole.
        return NEAR_TO[1:2] * to_few_digits(yours, wanted)
    with np.errstate(all="ignore"):
        for name, value in RELATED:
            if fine and same_values(yours, value(wanted)):
                return (name,)
    return near_to(yours, wanted) if fine else ()


RELATED = [
    ("sign-turned", lambda right: -right),
    ("upside-down", lambda right: 1 / right),
    ("squared-once-more", lambda right: right**2),
    ("root-of-the-right-one", np.sqrt),
    ("size-without-sign", np.abs),
    ("one-minus-the-right-one", lambda right: 1 - right),
]
NEAR_TO = (
    "whole-numbers-only",
    "few-digits",
    "right-but-for-a-factor",
    "right-but-for-a-constant",
)


def near_to(yours, wanted):
    """A name for what differs by rounding, by a factor or by a constant.

    Parameters
    ----------
    yours, wanted : array of shape (m,)

    Returns
    -------
    tuple of str
    """
    off = np.abs(yours - wanted)
    if off.max() <= 1 and (yours == np.round(yours)).all():
        return ("whole-numbers-only",)
    factor = (yours @ wanted) / (wanted @ wanted)
    constant = np.mean(yours - wanted)
    found = (
        to_few_digits(yours, wanted, 1e-4 * min(1.0, np.abs(wanted).max()))
        or any((yours == np.round(wanted, k)).all() for k in range(1, 6)),
        factor and same_values(yours, factor * wanted),
        same_values(yours, wanted + constant),
    )
    return tuple(n for n, fits in zip(NEAR_TO[1:], found) if fits)[:1]


def to_few_digits(yours, wanted, besides=1e-12):
    """Whether every value is right to three digits, and most to no more.

    A small one may be off by `besides`.
    """
    off = np.abs(yours - wanted)
    near = off <= 1e-3 * np.abs(wanted) + besides
    differ = off > 1e-9 * np.abs(wanted)
    return bool(near.all() and 2 * differ.sum() > np.count_nonzero(wanted))


def is_constant(trials):
    """Whether every entry of every value is the same number."""
    values = [np.ravel(as_numbers(outcome.value)) for _, outcome in trials]
    together = np.concatenate(values)
    return len(together) > 1 and bool((together == together[0]).all())


def ratio(task, answer, cases):
    """A sentence if an answer is always the same multiple of the right one.

    Parameters
    ----------
    task : Task
    answer : callable
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    pairs = [
        [as_numbers(call(f, case).value) for f in (answer, task.reference)]
        for case in cases
    ]
    if any(
        yours is None or yours.shape != wanted.shape for yours, wanted in pairs
    ):
        return ()
    yours, wanted = (
        np.concatenate([np.ravel(values) for values in side])
        for side in zip(*pairs)
    )
    if not wanted.all() or not np.isfinite(yours).all():
        return ()
    factors = yours / wanted
    if len(factors) < 2 or not np.allclose(factors, factors[0], rtol=1e-9):
        return ()
    if np.isclose(factors[0], 1.0, rtol=1e-9):
        return ()  # what is wrong is no value
    return (f"In every trial it is {factors[0]:.4g} times what is expected.",)
