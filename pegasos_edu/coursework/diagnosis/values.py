"""Mistakes in the small functions, where an answer is a formula.

Each formula is put together from what people write for its terms, so that
two mistakes at once are named as well.
"""

from itertools import product

import numpy as np

from pegasos_edu.coursework.diagnosis.parts import ETA, PARTS, sigmoid
from pegasos_edu.coursework.diagnosis.recipe import RIGHT
from pegasos_edu.coursework.diagnosis.search import ELSEWHERE, combined
from pegasos_edu.coursework.trial import as_numbers, call

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
    ("regulariser-subtracted", lambda w, lam, n: -lam / 2 * (w @ w)),
]

LOSS = [
    ("", lambda y, s: np.maximum(0, 1 - y * s)),
    ("hinge-without-max", lambda y, s: 1 - y * s),
    ("counts-errors", lambda y, s: y * s <= 0.0),
    ("counts-violators", lambda y, s: y * s < 1.0),
    ("label-forgotten", lambda y, s: np.maximum(0, 1 - s)),
    ("hinge-without-one", lambda y, s: np.maximum(0, -y * s)),
    ("hinge-turned-round", lambda y, s: np.maximum(0, y * s - 1)),
    ("hinge-turned-round", lambda y, s: np.maximum(0, 1 + y * s)),
    ("hinge-turned-round", lambda y, s: np.minimum(0, 1 - y * s)),
    ("losses-squared", lambda y, s: np.maximum(0, 1 - y * s) ** 2),
    ("log-loss-unasked", lambda y, s: np.logaddexp(0, -y * s)),
]

MEAN = [
    ("", np.mean),
    ("sum-instead-of-mean", np.sum),
    ("largest-loss-only", np.max),
    ("largest-loss-only", lambda losses: np.maximum(0, np.max(losses))),
    ("sum-divided-by-two-n", lambda losses: np.mean(losses) / 2),
    ("not-one-number", lambda losses: losses),
    ("losses-forgotten", lambda losses: 0.0),
]


def objectives():
    """Every combination of the terms of f."""
    for terms in product(REGULARISER, MEAN, LOSS):
        names, (reg, mean, loss) = zip(*terms)

        def f(w, X, y, lam, reg=reg, mean=mean, loss=loss):
            return reg(w, lam, len(y)) + mean(loss(y, X @ w))

        yield names, f


def steps():
    for name, eta in ETA:
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
            (name, choice)
            for name, choice in PARTS[part]
            if name not in NEEDS_T
        ]
        for part in IN_A_STEP
    }
    for number in (1, 2):
        for names, recipe in combined(right, parts, number):
            yield names, one_step(recipe)


IN_A_STEP = ("shrink", "when", "add", "score", "pull", "label", "project")
NEEDS_T = {
    "added-by-the-root",
    "added-without-making-up",
    "made-up-with-the-old-scale",
    "score-without-the-scale",
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
CUTS = (5, 10, 20, 30, 50, 100, 500, 600, 700, 709)


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
    yield ("logarithm-forgotten",), lambda m: 1 + np.exp(-m)
    for cut in CUTS:
        yield (
            ("exponent-cut-off",),
            lambda m, cut=cut: np.logaddexp(0, -np.clip(m, -cut, cut)),
        )
    yield ("summed-up",), lambda m: np.logaddexp(0, -m).sum()
    yield ("averaged",), lambda m: np.logaddexp(0, -m).mean()


def slopes():
    yield ("minus-forgotten-inside",), lambda m: sigmoid(m)
    yield ("loss-for-slope",), lambda m: np.logaddexp(0, -m)
    yield ("slope-of-the-hinge",), lambda m: -1.0 * (m < 1)
    yield ("second-derivative",), lambda m: sigmoid(m) * sigmoid(-m)
    yield ("second-derivative",), lambda m: -sigmoid(m) * sigmoid(-m)
    for cut in CUTS:
        yield (
            ("exponent-cut-off",),
            lambda m, cut=cut: -sigmoid(-np.clip(m, -cut, cut)),
        )


def probabilities():
    yield ("tanh-for-sigmoid",), lambda w, X: np.tanh(X @ w)
    yield ("labels-for-probabilities",), lambda w, X: 1.0 * (X @ w > 0)
    yield ("labels-for-probabilities",), lambda w, X: np.sign(X @ w)
    yield ("exponential-alone",), lambda w, X: np.exp(X @ w)
    yield ("exponential-alone",), lambda w, X: np.exp(-(X @ w))
    yield ("one-forgotten",), lambda w, X: 1 / np.exp(-(X @ w))


def predictions():
    yield ("labels-zero-and-one",), lambda w, X: X @ w > 0
    yield ("threshold-at-one",), lambda w, X: np.where(X @ w >= -1, 1, -1)


# Assignment 4


def bounds():
    logs = [
        ("", lambda T: 1 + np.log(T)),
        ("bound-without-one", np.log),
        ("wrong-logarithm", lambda T: 1 + np.log10(T)),
        ("wrong-logarithm", lambda T: 1 + np.log2(T)),
        ("one-inside-the-logarithm", lambda T: np.log(1 + T)),
        ("root-for-logarithm", np.sqrt),
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
    ]
    rows = [
        ("", lambda order, n: order),
        ("order-ignored", lambda order, n: np.arange(len(order)) % n),
    ]
    for terms in product(costs, sums, rows):
        names, (cost, add, visit) = zip(*terms)

        def f(W, u, X, y, lam, order, cost=cost, add=add, visit=visit):
            return add(
                np.array(
                    [
                        cost(w, i, X, y, lam) - cost(u, i, X, y, lam)
                        for w, i in zip(W, visit(order, len(y)))
                    ]
                )
            )

        yield names, f


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
    "A2.log_loss": log_losses,
    "A2.slope": slopes,
    "A2.probability": probabilities,
    "A4.regret": regrets,
    "A4.bound": bounds,
    "A4.slope": gradients_of_curves,
}


def formula_mistakes(task, answer, cases):
    """The names of the mistakes in a formula, and none if none is sure.

    Parameters
    ----------
    task : Task
    answer : callable
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    # A name must hold on other data, too.
    cases = [*cases, *(case for s in ELSEWHERE for case in task.cases(s))]
    trials = [(case, call(answer, case)) for case in cases]
    if any(as_numbers(outcome.value) is None for _, outcome in trials):
        return ()
    found = [
        tuple(filter(None, names))
        for names, formula in FORMULAS[task.name]()
        if sum(map(bool, names)) <= 2
        and all(
            outcome.same_as(call(formula, case)) for case, outcome in trials
        )
    ]
    found += [("returns-a-constant",)] if is_constant(trials) else []
    return min(found, key=len, default=())


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
