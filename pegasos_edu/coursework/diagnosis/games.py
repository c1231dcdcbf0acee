"""What opponents and learners of the tournament do, seen from outside.

An opponent is shown some w and its examples are looked at. A learner may be
Pegasos but for one part; else it is asked what it plays after a few examples.
"""

from dataclasses import replace

import numpy as np

from pegasos_edu.coursework.diagnosis.parts import PARTS
from pegasos_edu.coursework.diagnosis.recipe import RIGHT
from pegasos_edu.coursework.diagnosis.search import solver_mistakes
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.trial import as_numbers, call

CLOSE = 1e-9
TOO_LONG = "example-too-long"
OF_AN_OPPONENT = (
    TOO_LONG,
    "fails-where-w-is-zero",
    "example-of-length-zero",
    "example-shorter-than-allowed",
    "example-without-w",
    "example-across-w",
)
# How a learner may differ from Pegasos, by part; nothing else is asked of it.
UNLIKE = {
    "count": {"starts-at-two", "constant-step"},
    "eta": {name for name, _ in PARTS["eta"]} - {"step-divided-by-n"},
    "shrink": {name for name, _ in PARTS["shrink"]} - {"shrink-divided-by-n"},
    "when": {"no-shrink-without-violation", "shrinks-others-only"},
    "pull": {
        "w-stays-at-zero",
        "updates-only-when-wrong",
        "updates-when-right",
        "updates-always",
        "takes-the-size-of-the-score",
        "another-threshold",
        "weighted-by-the-loss",
        "adds-the-residual",
    },
    "add": {
        "added-without-lambda",
        "added-without-the-step",
        "added-times-lambda",
        "added-with-a-factor",
        "added-divided-by-lambda",
        "added-with-the-first-step",
        "addition-shrunk-too",
    },
    "score": {"margin-after-shrink"},
    "label": {"wrong-sign"},
}


def unlike_pegasos():
    """The choices for each part that a learner may have made."""
    return {
        part: [each for each in PARTS[part] if each[0] in names]
        for part, names in UNLIKE.items()
    }


OF_A_LEARNER = (
    "fails-before-the-first-example",
    "plays-without-the-examples",
    "sum-of-another-length",
)
OF_A_REFUTATION = (
    "examples-before-lambda",
    "lambda-out-of-range",
    TOO_LONG,
    "examples-on-one-line",
    "game-within-the-claim",
)
OF_THE_PLANE = (TOO_LONG, "examples-on-one-line", "another-order-of-examples")


def plays_another(opponent, cases):
    """Whether an opponent has another example for another w, or t."""
    rng, lam = np.random.default_rng(3), cases[0]["lam"]
    W = [np.zeros(2), *rng.normal(size=(12, 2)) / lam]
    found = [
        example(opponent, {**cases[0], "t": t, "w": w})
        for t, w in enumerate(W, start=1)
    ]
    there = [z for z in found if z is not None]
    return len(there) < len(found) or np.ptp(there, axis=0).max() > CLOSE


def of_an_opponent(task, opponent, cases):
    """Names for the examples of an opponent, by some w.

    Parameters
    ----------
    task : Task
    opponent : callable
        (t, w, lam, radius) -> z.
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
    """
    rng, lam, found = np.random.default_rng(17), cases[0]["lam"], []
    radius = cases[0]["radius"]
    for t, w in zip((2, 2, 3, 5, 8, 8), rng.normal(size=(6, 2)) / lam):
        case = {"t": t, "w": w, "lam": lam, "radius": radius}
        z = example(opponent, case)
        if z is None:
            return (), ()
        found.append((t, w, z))
    if example(opponent, {**case, "t": 1, "w": np.zeros(2)}) is None:
        return ("fails-where-w-is-zero",), ()
    lengths = [np.linalg.norm(z) for *_, z in found]
    across = [abs(w @ z) / np.linalg.norm(w) for _, w, z in found]
    if max(lengths) > 1 + CLOSE:
        k = int(np.argmax(lengths))
        said = f"With w = {shown(found[k][1])} it is {lengths[k]:.4g} long."
        return (TOO_LONG,), (said,)
    if max(lengths) < CLOSE:
        return ("example-of-length-zero",), ()
    if max(across) < CLOSE:
        return ("example-across-w",), ()
    if max(lengths) < 1 - CLOSE:
        k = int(np.argmax(lengths))
        said = f"With w = {shown(found[k][1])} it is {lengths[k]:.4g} long."
        return ("example-shorter-than-allowed",), (said,)
    # The last, for an opponent who looks at t alone may be a hard one.
    if all(same_example(found[k], found[k + 1]) for k in (0, 4)):
        return ("example-without-w",), ()
    return (), ()


def example(opponent, case):
    """The z of an opponent, or None if it gives no two finite numbers."""
    z = as_numbers(call(opponent, case).value)
    fine = z is not None and z.shape == (2,) and np.isfinite(z).all()
    return z if fine else None


def same_example(one, other):
    return np.abs(one[2] - other[2]).max() < CLOSE


def shown(w):
    return f"[{w[0]:.4g}, {w[1]:.4g}]"


def of_a_learner(task, learner, cases):
    """Names for what a learner plays.

    Parameters
    ----------
    task : Task
    learner : callable
        (Z, lam) -> w.
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
    """
    played = [example(learner, case) for case in cases]
    if any(w is None for w in played):
        some = any(len(c["Z"]) for c, w in zip(cases, played) if w is None)
        return ("fails-before-the-first-example",) * (not some), ()
    solver = TASKS["A1.pegasos"]
    plane = replace(
        solver,
        cases=lambda seed: [
            case for case in solver.cases(seed) if case["X"].shape[1] == 2
        ],
    )

    def as_solver(X, y, lam, order):
        return learner((y[:, np.newaxis] * X)[order], lam)

    right, unlike = RIGHT["A1.pegasos"], unlike_pegasos()
    names = solver_mistakes(plane, as_solver, plane.cases(0), 1, right, unlike)
    if names:
        return names, ()
    return along_the_sum(learner, cases[0]["lam"])


def along_the_sum(learner, lam):
    """Whether a learner plays without its examples, or along their sum."""
    rng, found = np.random.default_rng(18), []
    for t in (2, 3, 5, 8):
        Z = rng.normal(size=(t, 2))
        Z /= 2 * np.linalg.norm(Z, axis=1, keepdims=True)
        w = example(learner, {"Z": Z, "lam": lam})
        if w is None:
            return (), ()
        found.append((Z.sum(axis=0), w, t))
    if all(np.abs(w - found[0][1]).max() < CLOSE for _, w, _ in found):
        return ("plays-without-the-examples",), ()
    cosines = [
        s @ w / max(CLOSE, np.linalg.norm(s) * np.linalg.norm(w))
        for s, w, _ in found
    ]
    if min(cosines) < 1 - CLOSE:
        return (), ()
    s, w, t = max(
        found,
        key=lambda one: abs(
            lam * one[2] * np.linalg.norm(one[1]) / np.linalg.norm(one[0]) - 1
        ),
    )
    said = (
        f"After {t} examples with λ = {lam:.4g} it plays "
        f"{np.linalg.norm(w) / np.linalg.norm(s):.4g} times their sum; "
        f"1/(λt) is {1 / (lam * t):.4g}."
    )
    return ("sum-of-another-length",), (said,)


def of_a_refutation(task, refutation, cases):
    """Names for what is wrong with a game before its regret."""
    value = call(refutation, cases[0]).value
    if type(value) not in (tuple, list) or len(value) != 2:
        return (), ()
    lam, Z = map(as_numbers, value)
    if lam is None or Z is None:
        return (), ()
    if lam.ndim == 2 and Z.ndim == 0:
        return ("examples-before-lambda",), ()
    if lam.ndim or Z.ndim != 2 or Z.shape[1] != 2:
        return (), ()
    if not 1e-6 <= lam <= 1:
        return ("lambda-out-of-range",), ()
    if of_examples(Z):
        return of_examples(Z), ()
    # Its regret is too small, or its examples are nearly on a line.
    return ("game-within-the-claim",) * (
        "times the claim"
        in task.judge(task, refutation, cases[0], call(refutation, cases[0]))
    ), ()


def of_examples(Z):
    """The name for examples that are too long, or lie on one line."""
    if not len(Z):
        return ()
    lengths = np.linalg.norm(Z, axis=1)
    if lengths.max() > 1 + CLOSE:
        return (TOO_LONG,)
    first, second = Z.T
    k = int(np.argmax(lengths))
    area = first * second[k] - second * first[k]
    return ("examples-on-one-line",) * bool(np.abs(area).max() < CLOSE)


def of_the_plane(task, planar, cases):
    """Names for what is wrong with the examples of a game in the plane."""
    case = cases[0]
    Z = as_numbers(call(planar, case).value)
    if Z is None or Z.shape != (case["T"], 2) or not np.isfinite(Z).all():
        return (), ()
    names = of_examples(Z)
    if names:
        return names, ()
    right = call(task.reference, case).value
    same = np.array_equal(*(sorted(each.tolist()) for each in (Z, right)))
    return ("another-order-of-examples",) * same, ()
