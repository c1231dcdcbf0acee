"""What the catalogue of mistakes says that one would notice, measured.

Each check carries the sentence it holds: change one, and the other must
follow. What depends on chance is asked of thirty orders.
"""

import math
from functools import cache

import numpy as np
import pytest
from scipy.special import expit

from pegasos_edu import draw_order, objective, optimum, pegasos
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.zoo import ZOO
from pegasos_edu.experiments import interval
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.theory import games, regret
from pegasos_edu.theory.regret import pegasos_regret_bound

ZOO_BY_NAME = {mistake.name: mistake for mistake in ZOO}
CLOUDS, DIGITS = (*two_clouds(), 0.1), (*digits_zero(), 0.01)
X, Y, LAM = CLOUDS
SEEDS = range(30)
BASIS = np.eye(40)  # rows at right angles show each addition by itself
CHECKS: dict = {}


def symptom(sentence, *names):
    """Register a check of what these exhibits say."""

    def register(check):
        for name in names:
            assert name not in CHECKS
            CHECKS[name] = sentence, check
        return check

    return register


def answer(name):
    return ZOO_BY_NAME[name].answer


@cache
def best(digits=False):
    return optimum(*(DIGITS if digits else CLOUDS))


@cache
def runs(name, T, digits=False):
    """The last iterates of thirty runs; of the right solver if no name."""
    data, y, lam = DIGITS if digits else CLOUDS
    orders = [draw_order(len(y), T, seed=seed) for seed in SEEDS]
    if name is None:
        return np.array([pegasos(data, y, lam, order=o).last for o in orders])
    return np.array([answer(name)(data, y, lam, o) for o in orders])


def gaps(name, T, digits=False):
    found = objective(runs(name, T, digits), *(DIGITS if digits else CLOUDS))
    return found - best(digits).primal


def accuracies(name, T, digits=False):
    data, y, _ = DIGITS if digits else CLOUDS
    return np.mean(y * (runs(name, T, digits) @ data.T) > 0, axis=1)


def norms(name, T, digits=False):
    return np.linalg.norm(runs(name, T, digits), axis=1)


def ratio(name, T, digits=False):
    """Both ends of the interval of gap over right gap, geometric."""
    logs = np.log(gaps(name, T, digits) / gaps(None, T, digits))
    mean, half = interval(logs)
    return np.exp([mean - half, mean + half])


def difference(name, T, digits=False):
    """Both ends of the interval of accuracy minus right accuracy."""
    lost = accuracies(name, T, digits) - accuracies(None, T, digits)
    mean, half = interval(lost)
    return mean - half, mean + half


def constant_answer():
    return np.mean(DIGITS[1] > 0)


@pytest.mark.parametrize("mistake", ZOO, ids=lambda m: m.name)
def test_the_symptom_is_what_one_would_notice(mistake):
    sentence, check = CHECKS[mistake.name]
    assert mistake.symptom == sentence
    check(mistake.name)


def test_no_check_is_left_over():
    assert set(CHECKS) == set(ZOO_BY_NAME)


# A1.objective


@symptom(
    "f(0) is n and not 1; copy every example, and the minimiser moves as if "
    "λ were halved.",
    "sum-instead-of-mean",
)
def _(name):
    assert answer(name)(np.zeros(2), X, Y, LAM) == len(Y) > 1
    assert objective(np.zeros(2), X, Y, LAM) == 1
    twice = np.vstack([X, X]), np.append(Y, Y)
    for w in np.random.default_rng(0).standard_normal((20, 2)):
        copied = answer(name)(w, *twice, LAM)
        halved = 2 * answer(name)(w, X, Y, LAM / 2)
        assert copied == pytest.approx(halved)
        right = objective(w, *twice, LAM)
        assert right == pytest.approx(objective(w, X, Y, LAM))


@symptom(
    "The value stays above the certified optimum, however long one runs.",
    "regulariser-without-half",
)
def _(name):
    # The smallest value there is, not only that of some runs.
    smallest = 2 * LAM, optimum(X, Y, 2 * LAM).dual
    assert smallest[1] > best().primal + 0.01
    for w in [*runs(None, 2000), best().w]:
        assert answer(name)(w, X, Y, LAM) >= smallest[1]


@symptom(
    "Long w are punished too little, short ones too much.",
    "norm-not-squared",
)
def _(name):
    for size in (0.1, 0.9, 1.1, 10.0):
        w = size * np.array([0.6, 0.8])
        more = answer(name)(w, X, Y, LAM) > objective(w, X, Y, LAM)
        assert more == (size < 1)


@symptom("The objective goes below zero.", "hinge-without-max")
def _(name):
    assert answer(name)(best().w, X, Y, LAM) < 0
    assert answer(name)(best(digits=True).w, *DIGITS) < 0
    for seed in SEEDS:
        order = draw_order(len(Y), 100, seed=seed)
        W = pegasos(X, Y, LAM, order=order, snapshots=range(1, 101)).iterates
        assert min(answer(name)(w, X, Y, LAM) for w in W) < 0


@symptom(
    "The loss moves in steps of 1/n: a small change of w changes nothing.",
    "counts-errors",
)
def _(name):
    for w in np.random.default_rng(0).standard_normal((30, 2)):
        steps = len(Y) * (answer(name)(w, X, Y, LAM) - LAM / 2 * w @ w)
        assert steps == pytest.approx(round(steps), abs=1e-9)
        there = w * (1 + 1e-9)
        moved = len(Y) * (
            answer(name)(there, X, Y, LAM) - LAM / 2 * there @ there
        )
        assert moved == pytest.approx(steps, abs=1e-9)


@symptom(
    "Where w separates the classes, a longer w never costs more.",
    "regulariser-forgotten",
)
def _(name):
    data, y, _ = DIGITS
    w = optimum(data, y, 1e-5).w
    assert (y * (data @ w) > 0).all()
    values = [answer(name)(c * w, data, y, 0.01) for c in (0.1, 1, 10, 1000)]
    assert (np.diff(values) <= 0).all()
    assert values[-1] == 0
    assert objective(1000 * w, data, y, 0.01) > objective(w, data, y, 0.01)


@symptom(
    "A «loss curve» that need not fall, and at the optimum need not be 0.",
    "subgradient-printed",
)
def _(name):
    assert answer(name)(best().w, X, Y, LAM) > 0.005
    for seed in SEEDS:
        order = draw_order(len(Y), 300, seed=seed)
        W = pegasos(X, Y, LAM, order=order, snapshots=range(1, 301)).iterates
        falls = np.diff(objective(W, X, Y, LAM)) < 0
        curve = np.array([answer(name)(w, X, Y, LAM) for w in W])
        assert (np.diff(curve)[falls] > 0).any()


# A1.step_size and A1.visits


@symptom(
    "The first step is half as long as it should be, later ones a little "
    "too short; the first no longer wipes out w_1.",
    "counts-from-zero",
)
def _(name):
    shares = [answer(name)(LAM, t) * LAM * t for t in (1, 10, 1000)]
    assert shares == pytest.approx([1 / 2, 10 / 11, 1000 / 1001])
    assert 1 - answer(name)(LAM, 1) * LAM == pytest.approx(0.5)


@symptom(
    "Right for λ = 1 only; far too short for small λ.", "step-without-lambda"
)
def _(name):
    for lam in (1.0, 0.1, 1e-3):
        for t in (1, 7, 100):
            share = answer(name)(lam, t) * lam * t
            assert share == pytest.approx(lam)


@symptom(
    "One example is never seen; the accuracy does not tell.",
    "never-the-first-row",
)
def _(name):
    lost = []
    for seed in SEEDS:
        order = answer(name)(len(Y), 2000, seed)
        assert set(order) == set(range(1, len(Y)))
        w = pegasos(X, Y, LAM, order=order).last
        lost.append(np.mean(Y * (X @ w) > 0) - accuracies(None, 2000)[seed])
    assert np.abs(lost).max() < 1.5 / len(Y)  # one example at most


@symptom(
    "IndexError: in a short run now and then, in a long one nearly always.",
    "upper-end-included",
)
def _(name):
    fails, late = (
        [max(answer(name)(1000, T, seed)) == 1000 for seed in range(300)]
        for T in (100, 10_000)
    )
    with pytest.raises(IndexError):
        np.ones(1000)[1000]
    assert 0.02 < np.mean(fails) < 0.2  # of 100 draws; expected are 0.095
    assert np.mean(late) > 0.99  # expected are 0.99995


@symptom("More steps change nothing.", "ignores-T", "steps-of-one-epoch-only")
def _(name):
    for seed in SEEDS:
        if name == "ignores-T":
            found = [answer(name)(60, T, seed) for T in (60, 100, 1000)]
        else:
            order = draw_order(len(Y), 600, seed=seed)
            found = [answer(name)(X, Y, LAM, order[:T]) for T in (60, 90, 600)]
        assert all(np.array_equal(found[0], one) for one in found)


@symptom("The run sees a single example.", "generator-made-anew")
def _(name):
    assert all(len(set(answer(name)(60, 50, seed))) == 1 for seed in SEEDS)


@symptom("Sorted data pull the same way for many steps.", "order-not-random")
def _(name):
    y = np.sort(Y)
    drawn = y[answer(name)(len(y), len(y), 0)]
    assert (drawn[:30] == -1).all()
    assert (drawn[30:] == 1).all()


@symptom(
    "Nobody can get another run: every seed gives the same rows.",
    "seed-ignored",
)
def _(name):
    found = [answer(name)(60, 100, seed).tolist() for seed in SEEDS]
    assert all(one == found[0] for one in found)


# A1.pegasos


@symptom(
    "No symptom in the end: over many orders gap and accuracy are as good.",
    "margin-after-shrink",
)
def _(name):
    for T, digits in ((2000, False), (5000, True)):
        low, high = ratio(name, T, digits)
        assert 0.75 < low < 1 < high < 1.25
        low, high = difference(name, T, digits)
        assert -0.001 < low <= 0 <= high < 0.001


@symptom(
    "w far too long, the objective with it; the accuracy falls on the "
    "digits and rises on the clouds.",
    "no-shrink-without-violation",
)
def _(name):
    for T, digits in ((2000, False), (5000, True)):
        assert ratio(name, T, digits)[0] > 500
        long = norms(name, T, digits) / np.linalg.norm(best(digits).w)
        assert np.median(long) > 3
    assert difference(name, 2000)[0] > 0
    assert difference(name, 5000, True)[1] < -0.02


@symptom(
    "A perceptron that shrinks: w far too short, the accuracy in the mean "
    "within a few points of the right solver's.",
    "updates-only-when-wrong",
)
def _(name):
    for T, digits in ((2000, False), (5000, True)):
        assert norms(name, T, digits).max() < 0.25 * np.linalg.norm(
            best(digits).w
        )
        low, high = difference(name, T, digits)
        assert -0.03 < low <= high < 0.03
    order = draw_order(len(Y), 50, seed=0)
    w = np.zeros(2)  # a perceptron's test, and Pegasos' shrink
    for t, i in enumerate(order, start=1):
        wrong = Y[i] * (X[i] @ w) <= 0
        w = (1 - 1 / t) * w + wrong * Y[i] * X[i] / (LAM * t)
    np.testing.assert_allclose(answer(name)(X, Y, LAM, order), w)


@symptom(
    "The objective stays high; the accuracy is far below one half in most "
    "runs.",
    "wrong-sign",
)
def _(name):
    for T, digits in ((100, False), (2000, False), (5000, True)):
        assert gaps(name, T, digits).min() > 1
        assert np.mean(accuracies(name, T, digits) < 0.25) > 0.8


@symptom(
    "A run ends well enough, but none can be made longer: its iterates on "
    "the way are those of no Pegasos.",
    "step-from-the-total",
)
def _(name):
    for T, digits in ((100, False), (2000, False), (5000, True)):
        assert ratio(name, T, digits)[0] < 1.25
    assert not np.allclose(runs(name, 100), runs(None, 100), atol=0.01)
    # Its first iterate of 100 is a hundredth of Pegasos'.
    order = draw_order(len(Y), 100, seed=0)
    step = 1 / 100
    w = step * Y[order[0]] * X[order[0]] / LAM
    assert np.linalg.norm(w) < 0.02 * norms(None, 1)[0]


@symptom(
    "ZeroDivisionError, or infinity and NaN from then on.", "starts-at-zero"
)
def _(name):
    with pytest.raises(ZeroDivisionError):
        answer(name)(X, Y, LAM, [0, 1])
    with np.errstate(all="ignore"):
        w = answer(name)(X, Y, np.float64(LAM), [0, 1])
    assert not np.isfinite(w).any()


@symptom(
    "The first steps are too short, so the curve starts lower; after a "
    "hundred steps no difference is to be seen.",
    "starts-at-two",
)
def _(name):
    assert ratio(name, 1)[1] < 0.3
    assert ratio(name, 3)[1] < 0.6
    for T, digits in ((100, False), (2000, False), (5000, True)):
        low, high = ratio(name, T, digits)
        assert low < 1 < high


@symptom(
    "The objective jumps up at the start of every epoch.",
    "t-starts-anew-each-epoch",
)
def _(name):
    for seed in SEEDS:
        order = draw_order(len(Y), 301, seed=seed)
        for epoch in (1, 3, 5):
            T = epoch * len(Y)
            before, after = (
                objective(answer(name)(X, Y, LAM, order[:t]), X, Y, LAM)
                for t in (T, T + 1)
            )
            assert after > before


@symptom(
    "The objective stays far too high; on the clouds the accuracy differs "
    "from run to run.",
    "label-not-in-the-update",
)
def _(name):
    for T, digits in ((100, False), (2000, False), (5000, True)):
        assert ratio(name, T, digits)[0] > 20
    for T in (100, 2000):
        assert accuracies(name, T).std() > 0.1
        assert accuracies(None, T).std() < 0.02


@symptom(
    "Negative examples on the right side are always violators.",
    "label-not-in-the-test",
)
def _(name):
    data, y = BASIS[:2] * 3, np.array([-1.0, 1.0])
    order = np.zeros(50, dtype=int)
    w = answer(name)(data, y, LAM, order)
    # Added at every step: w = −(1/(λT)) Σ x = −x/λ, though its margin is 90.
    np.testing.assert_allclose(w, -data[0] / LAM)


@symptom(
    "A run with λ = 1: for a smaller λ, w is far too short, and on the "
    "digits no zero is recognised.",
    "added-without-lambda",
)
def _(name):
    order = draw_order(len(Y), 500, seed=0)
    np.testing.assert_allclose(
        answer(name)(X, Y, LAM, order), pegasos(X, Y, 1.0, order=order).last
    )
    for T, digits, most in ((2000, False, 0.6), (5000, True, 0.2)):
        assert norms(name, T, digits).max() < most * np.linalg.norm(
            best(digits).w
        )
    assert (accuracies(name, 5000, True) == constant_answer()).all()


@symptom(
    "The first factors are far below zero: w flips and explodes early on. "
    "Later it is far too short, as in a run with λ = 1.",
    "shrinks-by-the-step",
)
def _(name):
    turned = (runs(name, 2) * runs(name, 1)).sum(axis=1)
    assert np.mean(turned < 0) > 0.9
    assert np.median(norms(name, 4) / norms(None, 4)) > 10
    as_one = norms("added-without-lambda", 2000)
    assert np.abs(norms(name, 2000) / as_one - 1).max() < 0.2


@symptom(
    "No regularisation: w stays far too long, λ only scales the steps.",
    "never-shrinks",
)
def _(name):
    for T, digits in ((100, False), (2000, False), (5000, True)):
        long = norms(name, T, digits) / np.linalg.norm(best(digits).w)
        assert long.min() > 4
    # The first step, which every run takes, and nothing but steps.
    one = answer(name)(BASIS, np.ones(40), 0.5, np.arange(40))
    np.testing.assert_allclose(one, 2.0 / np.arange(1, 41))


@symptom(
    "No w is shorter than 1/√λ, and the minimiser is never longer.",
    "projection-inverted",
)
def _(name):
    for T, digits, lam in ((2000, False, LAM), (500, True, 0.01)):
        assert norms(name, T, digits).min() >= 1 / math.sqrt(lam) - 1e-9
        assert np.linalg.norm(best(digits).w) <= 1 / math.sqrt(lam)


@symptom("A right algorithm, but not the one asked for.", "projects-unasked")
def _(name):
    order = draw_order(len(Y), 500, seed=0)
    ball = pegasos(X, Y, LAM, order=order, radius=1 / math.sqrt(LAM))
    np.testing.assert_allclose(answer(name)(X, Y, LAM, order), ball.last)


@symptom(
    "After ten to thirty steps the gap is several times too large.",
    "returns-the-average",
)
def _(name):
    assert ratio(name, 10)[0] > 3
    assert ratio(name, 30)[0] > 3


@symptom(
    "Fine on shuffled data; on digits sorted by class the gap is many times "
    "too large.",
    "order-ignored",
)
def _(name):
    data, y, lam = DIGITS
    T, shuffled = 5000, []
    order = np.zeros(T, dtype=int)
    for seed in SEEDS:
        mixed = np.random.default_rng(seed).permutation(len(y))
        w = answer(name)(data[mixed], y[mixed], lam, order)
        shuffled.append(objective(w, data, y, lam) - best(True).primal)
    right = gaps(None, T, True)
    mean, half = interval(np.log(shuffled) - np.log(right))
    assert mean - half < 0  # no worse than independent draws, in the mean
    kinds = np.argsort(y, kind="stable")
    w = answer(name)(data[kinds], y[kinds], lam, order)
    gap = objective(w, data, y, lam) - best(True).primal
    assert gap > 5 * max(*shuffled, *right)


@symptom(
    "Steps stay too long: the gap falls, and stays at about twice that of "
    "the right solver on the clouds, more on the digits.",
    "t-counts-violators",
)
def _(name):
    for T in (100, 2000):
        low, high = ratio(name, T)
        assert 1.5 < low < high < 4.5
    assert ratio(name, 5000, True)[0] > 5
    mean, half = interval(np.log(gaps(name, 100) / gaps(name, 2000)))
    assert mean - half > np.log(5)


# A1.predict and A1.classifier


@symptom(
    "Scores are hardly ever equal to the true labels: accuracy about 0.",
    "returns-scores",
)
def _(name):
    assert not any(np.any(answer(name)(w, X) == Y) for w in runs(None, 2000))


@symptom(
    "Accuracy counts the true +1 that are found, and no other answer.",
    "labels-zero-and-one",
)
def _(name):
    found = np.mean(answer(name)(best().w, X) == Y)
    assert found == np.mean((X @ best().w > 0) & (Y > 0))


@symptom("The accuracy is one minus the right one.", "labels-swapped")
def _(name):
    for w in runs(None, 100):
        found = np.mean(answer(name)(w, X) == Y)
        assert found == pytest.approx(1 - np.mean(Y * (X @ w) > 0))


@symptom("A third label, wherever w is 0.", "sign-of-zero")
def _(name):
    assert (answer(name)(np.zeros(2), X) == 0).all()
    assert set(answer(name)(best().w, X)) == {-1.0, 1.0}


@symptom("Examples inside the margin are all called -1.", "threshold-at-one")
def _(name):
    scores = X @ best().w
    inside = np.abs(scores) < 1
    assert inside.any()
    assert (answer(name)(best().w, X)[inside] == -1).all()


def classified(name, negative, positive):
    """Share of right answers of a mistaken classifier on the clouds."""
    labels = np.where(Y > 0, positive, negative)
    model = answer(name)(lam=LAM, T=2000).fit(X, labels)
    return np.mean(np.asarray(model.predict(X)) == labels)


@symptom(
    "Right on -1/+1 data; on labels that are words, accuracy 0.",
    "labels-not-translated-back",
)
def _(name):
    assert classified(name, -1, 1) > 0.9
    assert classified(name, "no", "yes") == 0


@symptom(
    "Only one class is learnt; the other class's margins are all 0.",
    "labels-stay-zero-and-one",
)
def _(name):
    labels = (Y > 0).astype(int)
    model = answer(name)(lam=LAM, T=2000).fit(X, labels)
    others = X.copy()
    others[labels == 0] = np.random.default_rng(0).standard_normal((30, 2))
    again = answer(name)(lam=LAM, T=2000).fit(others, labels)
    np.testing.assert_array_equal(model.w, again.w)


@symptom(
    "AttributeError as soon as somebody writes fit(…).predict(…).",
    "fit-returns-nothing",
)
def _(name):
    with pytest.raises(AttributeError):
        classified(name, -1, 1)


@symptom("Accuracy far below one half.", "classes-swapped")
def _(name):
    assert classified(name, -1, 1) < 0.1
    assert classified(name, "no", "yes") < 0.1


# A2

MARGINS = np.linspace(-30, 30, 601)


@symptom(
    "A warning, then inf in the objective: the curve breaks off.",
    "exp-overflows",
)
def _(name):
    with pytest.warns(RuntimeWarning, match="overflow"):
        np.log(1 + np.exp(np.float64(1000.0)))
    assert np.isinf(answer(name)(np.array([-1000.0, 1.0])).mean())


@symptom(
    "The objective falls as examples get worse.", "margin-with-wrong-sign"
)
def _(name):
    assert (np.diff(answer(name)(MARGINS)) > 0).all()


@symptom(
    "All losses are smaller by the factor 2.3, as if λ were larger by it.",
    "logarithm-to-base-ten",
)
def _(name):
    factor = np.logaddexp(0, -MARGINS) / answer(name)(MARGINS)
    np.testing.assert_allclose(factor, np.log(10))
    assert np.log(10) == pytest.approx(2.3, abs=0.01)
    w = best().w
    mistaken = LAM / 2 * w @ w + answer(name)(Y * (X @ w)).mean()
    larger = objective(w, X, Y, np.log(10) * LAM, "log")
    assert np.log(10) * mistaken == pytest.approx(larger)


@symptom(
    "Losses of exactly 0 beyond margin 1; the log loss has none.",
    "still-the-hinge",
)
def _(name):
    assert (answer(name)(MARGINS[MARGINS > 1]) == 0).all()
    assert (np.logaddexp(0, -MARGINS) > 0).all()


@symptom(
    "Slopes between -1 and -1/2: even the best examples keep pulling.",
    "sigmoid-for-exp",
)
def _(name):
    slopes = answer(name)(MARGINS)
    assert ((slopes >= -1) & (slopes <= -0.5)).all()


@symptom("The solver climbs.", "slope-positive")
def _(name):
    w = 0.1 * best().w
    slopes = answer(name)(Y * (X @ w))
    step = w - 0.01 * (LAM * w + (slopes * Y) @ X / len(Y))
    assert objective(step, X, Y, LAM, "log") > objective(w, X, Y, LAM, "log")


@symptom(
    "Good examples pull, bad ones are left alone.", "slope-of-the-other-side"
)
def _(name):
    bad, good = answer(name)(np.array([-20.0, 20.0]))
    assert good == pytest.approx(-1)
    assert bad == pytest.approx(0, abs=1e-8)


@symptom(
    "NaN in w after one example that is far on the wrong side.",
    "slope-inf-over-inf",
)
def _(name):
    assert np.isnan(answer(name)(np.array([-1000.0]))).all()
    assert np.isfinite(answer(name)(MARGINS)).all()


@symptom("The objective ends above that of w = 0.", "minus-kept")
def _(name):
    for T, digits in ((2000, False), (5000, True)):
        f = objective(
            runs(name, T, digits), *(DIGITS if digits else CLOUDS), "log"
        )
        assert f.min() > np.log(2)


@symptom(
    "Examples with a margin above 1 no longer pull: a bit of both losses.",
    "two-cases-kept",
)
def _(name):
    data, y = BASIS[:2] * 3, np.array([1.0, -1.0])
    w = answer(name)(data, y, LAM, [0, 0, 0])
    first = 0.5 * data[0] / LAM  # its margin is 45 from then on
    np.testing.assert_allclose(w, first / 3)
    # Below margin 1 the pull is that of the log loss.
    w = answer(name)(data, y, 100.0, [0, 0])
    first = 0.5 * data[0] / 100
    pull = expit(-first @ data[0])
    np.testing.assert_allclose(w, first / 2 + pull * data[0] / 200)


@symptom(
    "No regularisation is left: w is far too long.",
    "shrink-lost-in-the-swap",
)
def _(name):
    for T, digits in ((2000, False), (5000, True)):
        target = optimum(*(DIGITS if digits else CLOUDS), "log")
        assert norms(name, T, digits).min() > 2 * np.linalg.norm(target.w)


@symptom(
    "Negative examples pull hardest when they are already right.",
    "score-for-margin",
)
def _(name):
    data, y = BASIS[:2], np.array([-1.0, 1.0])
    w = answer(name)(data, y, 0.1, [0, 0])
    # The second pull, at the score −5, is nearly 1; the rule gives 0.007.
    added = -(w[0] + 5.0 / 2) * 0.1 * 2
    assert added == pytest.approx(expit(5.0))


@symptom("The curve is that of assignment 1.", "hinge-still-inside")
def _(name):
    order = draw_order(len(Y), 500, seed=0)
    np.testing.assert_allclose(
        answer(name)(X, Y, LAM, order), pegasos(X, Y, LAM, order=order).last
    )


@symptom("Confident and wrong.", "probability-of-the-other")
def _(name):
    p = answer(name)(best().w, X)
    np.testing.assert_allclose(p, 1 - expit(X @ best().w))


@symptom("Values outside [0, 1].", "score-as-probability")
def _(name):
    found = answer(name)(best().w, X)
    assert found.min() < 0
    assert found.max() > 1


# A3


def sparse(data):
    """As CSR, which the answers of assignment 3 read."""
    from scipy.sparse import csr_matrix

    return csr_matrix(data)


@symptom(
    "w is T times too long; the accuracy is unchanged.",
    "scale-forgotten-at-the-end",
)
def _(name):
    for T in (10, 100, 2000):
        order = draw_order(len(Y), T, seed=0)
        w = answer(name)(sparse(X), Y, LAM, order)
        right = pegasos(X, Y, LAM, order=order).last
        np.testing.assert_allclose(w, T * right, rtol=1e-9)


def violators(data, y, lam, order, scaled):
    """Violators of a run whose test sees w, or v = (t − 1) w."""
    w, count = np.zeros(data.shape[1]), 0
    for t, i in enumerate(order, start=1):
        seen = w if scaled else max(1, t - 1) * w
        hit = y[i] * (data[i] @ seen) < 1
        count += hit
        w = (1 - 1 / t) * w + hit * y[i] * data[i] / (lam * t)
    return count, w


@symptom(
    "Too few violators: at step t, v is t − 1 times longer than w.",
    "score-without-the-scale",
)
def _(name):
    counts = []
    for seed in SEEDS:
        order = draw_order(len(Y), 500, seed=seed)
        fewer, w = violators(X, Y, LAM, order, scaled=False)
        found = answer(name)(sparse(X), Y, LAM, order)
        np.testing.assert_allclose(found, w, rtol=1e-9)
        counts.append(violators(X, Y, LAM, order, scaled=True)[0] - fewer)
    mean, half = interval(np.array(counts))
    assert mean - half > 0


@symptom("Late examples count for less and less.", "added-without-making-up")
def _(name):
    w = answer(name)(sparse(BASIS), np.ones(40), LAM, np.arange(40))
    # Every addition should be worth 1/(λT) in the end.
    shares = w * LAM * 40
    np.testing.assert_allclose(shares, 1 / np.arange(1, 41))


@symptom(
    "Each addition is a little too small, the second by a half; in the end "
    "objective and accuracy look fine.",
    "made-up-with-the-old-scale",
)
def _(name):
    w = answer(name)(sparse(BASIS), np.ones(40), LAM, np.arange(40))
    shares = w * LAM * 40
    expected = 1 - 1 / np.arange(1, 41)
    expected[0] = 1.0
    np.testing.assert_allclose(shares, expected)
    logs, lost = [], []
    for seed in SEEDS:
        order = draw_order(len(Y), 2000, seed=seed)
        w = answer(name)(sparse(X), Y, LAM, order)
        gap = objective(w, X, Y, LAM) - best().primal
        logs.append(np.log(gap / gaps(None, 2000)[seed]))
        right = accuracies(None, 2000)[seed]
        lost.append(np.mean(Y * (X @ w) > 0) - right)
    mean, half = interval(np.array(logs))
    assert np.exp(mean + half) < 1.25
    assert np.abs(lost).max() < 0.02


@symptom(
    "NaN from the first step on, or ZeroDivisionError.",
    "scale-zero-at-the-start",
)
def _(name):
    with np.errstate(all="ignore"):
        w = answer(name)(sparse(X), Y, LAM, [0, 1])
    assert np.isnan(w).all()
    with pytest.raises(ZeroDivisionError):
        1 / (LAM * 1 * (1 - 1 / 1))


@symptom(
    "Right, and slow: the time of a step grows with d.", "touches-all-columns"
)
def _(name):
    order = draw_order(len(Y), 500, seed=0)
    np.testing.assert_allclose(
        answer(name)(sparse(X), Y, LAM, order),
        pegasos(X, Y, LAM, order=order).last,
    )


@symptom(
    "Right for the first thousand steps; then w is a thousand times too long.",
    "scale-reset-forgotten",
)
def _(name):
    order = draw_order(len(Y), 1001, seed=0)
    for T in (999, 1000, 1001):
        w = answer(name)(sparse(X), Y, LAM, order[:T])
        right = pegasos(X, Y, LAM, order=order[:T]).last
        times = np.linalg.norm(w) / np.linalg.norm(right)
        assert times == pytest.approx(1 if T <= 1000 else 1000, rel=0.01)


def all_iterates(order):
    T = len(order)
    run = pegasos(X, Y, LAM, order=order, snapshots=range(1, T + 1))
    return np.vstack([np.zeros(2), run.iterates])


@symptom(
    "A little off, less and less as T grows.",
    "average-one-late",
    "average-of-one-too-many",
)
def _(name):
    means = []
    for T in (30, 300, 3000):
        off = []
        for seed in SEEDS:
            order = draw_order(len(Y), T, seed=seed)
            right = all_iterates(order)[:-1].mean(axis=0)
            found = answer(name)(sparse(X), Y, LAM, order)
            averaged = all_iterates(order)[name == "average-one-late" :]
            np.testing.assert_allclose(found, averaged.mean(axis=0))
            apart = np.linalg.norm(found - right) / np.linalg.norm(right)
            off.append(apart)
        means.append(interval(np.array(off)))
    (first, a), (second, b), (third, c) = means
    assert first + a < 0.05
    assert first - a > second + b
    assert second - b > third + c


@symptom(
    "No curve complains: after thousands of steps its gap is even smaller "
    "than that of the average.",
    "last-for-average",
)
def _(name):
    order = draw_order(len(Y), 300, seed=0)
    found = answer(name)(sparse(X), Y, LAM, order)
    np.testing.assert_allclose(found, all_iterates(order)[-1])
    for T, digits in ((2000, False), (5000, True)):
        assert ratio("returns-the-average", T, digits)[0] > 1


@symptom(
    "The average is a few percent too short: quiet steps come where w is "
    "long.",
    "average-skips-quiet-steps",
)
def _(name):
    logs = []
    for seed in SEEDS:
        order = draw_order(len(Y), 300, seed=seed)
        right = all_iterates(order)[:-1].mean(axis=0)
        found = answer(name)(sparse(X), Y, LAM, order)
        logs.append(np.log(np.linalg.norm(found) / np.linalg.norm(right)))
    mean, half = interval(np.array(logs))
    assert -0.1 < mean - half < mean + half < -0.02


@symptom(
    "Right for most lambdas. For some, such as 1e-5, the shrink comes out as "
    "1e-16: the last iterate survives that, the average does not.",
    "guarded-by-the-scale",
)
def _(name):
    lams = [m * 10.0**-e for e in range(6) for m in range(1, 10)]
    left = np.array([1 - 1 / lam * lam for lam in lams])
    assert np.mean(left == 0) > 0.5
    assert 0 < 1 - 1 / (1e-5 * 1) * 1e-5 < 2e-16
    order = draw_order(len(Y), 300, seed=0)
    for lam, fine in ((LAM, True), (1e-5, False)):
        run = pegasos(X, Y, lam, order=order, average_from=1)
        found = answer(name)(sparse(X), Y, lam, order)
        assert np.allclose(found, run.average, rtol=1e-6) is fine
    # The last iterate, with the same scale, survives.
    a, v = 1.0, np.zeros(2)
    for t, i in enumerate(order, start=1):
        eta = 1 / (1e-5 * t)
        hit = Y[i] * a * (v @ X[i]) < 1
        a *= 1 - eta * 1e-5
        a = 1.0 if a == 0 else a
        v += hit * eta * Y[i] / a * X[i]
    np.testing.assert_allclose(a * v, run.last, rtol=1e-9)


# A4


@cache
def played(T=400, seed=0):
    order = draw_order(len(Y), T, seed=seed)
    W = all_iterates(order)[:-1]
    return W, best().w, X, Y, LAM, order


@symptom("A curve that falls where it should grow.", "average-for-sum")
def _(name):
    T, right, found = 400, [], []
    for seed in SEEDS:
        game = played(T, seed)
        right.append(np.diff(regret.regret(*game)[[19, T - 1]])[0])
        found.append(np.diff(answer(name)(*game)[[19, T - 1]])[0])
    assert np.mean(np.array(found) < 0) > 0.9
    mean, half = interval(np.array(right))
    assert mean - half > 0


@symptom(
    "A curve that jumps instead of one that grows slowly.",
    "rounds-not-added-up",
)
def _(name):
    for seed in SEEDS:
        game = played(400, seed)
        found, right = answer(name)(*game), regret.regret(*game)
        np.testing.assert_allclose(np.cumsum(found), right, atol=1e-9)
        late, whole = np.abs(np.diff(found[50:])), np.abs(np.diff(right[50:]))
        # From round to round it changes by more than its own size.
        assert late.mean() > np.abs(found[50:]).mean()
        assert whole.mean() < 0.1 * right[50:].mean()


@symptom(
    "Regret far too small, even negative: the player knows the future.",
    "charged-after-the-update",
)
def _(name):
    found = np.array([answer(name)(*played(400, s))[-1] for s in SEEDS])
    right = np.array([regret.regret(*played(400, s))[-1] for s in SEEDS])
    assert (found < right).all()
    assert (found < 0).any()
    mean, half = interval(right - found)
    assert mean - half > 0.5 * right.mean()


@symptom(
    "Too small for long w, and the bound seems looser than it is.",
    "losses-without-regulariser",
)
def _(name):
    for seed in SEEDS:
        W, u, *rest = played(400, seed)
        found = answer(name)(W, u, *rest)[-1]
        right = regret.regret(W, u, *rest)[-1]
        longer = (W**2).sum() > len(W) * u @ u
        assert (found < right) == longer
        assert longer


@symptom("Grows like T instead of ln T.", "nobody-to-compare-with")
def _(name):
    at = np.array([1000, 2000, 4000])
    for seed in SEEDS:
        found = answer(name)(*played(4000, seed))[at - 1]
        slope = np.polyfit(np.log(at), np.log(found), 1)[0]
        assert 0.8 < slope < 1.1


@symptom(
    "A bound twice as loose as the one that is proved.",
    "bound-without-half",
)
def _(name):
    right = pegasos_regret_bound(50, 0.1, 2.0)
    assert answer(name)(0.1, 2.0, 50) == pytest.approx(2 * right)


def broken(name, lam, T, radius=None):
    """The rounds at which an opponent breaks the bound."""
    found = set()
    for adversary in games.ADVERSARIES.values():
        W, data, y = games.play(adversary, lam, T, 1, radius)
        at = np.arange(1, T + 1)
        paid = regret.regret_to_best(W, data, y, lam, np.arange(T), at)
        limit = np.array([answer(name)(lam, 1.0, t) for t in at])
        found |= set(at[paid > limit + 1e-9])
    return found


@symptom("The bound is broken in the first two rounds.", "bound-without-one")
def _(name):
    assert broken(name, 0.1, 3) == {1, 2}
    assert broken(name, 2.0, 3) == {1, 2}


@symptom("The bound can be broken.", "bound-with-R-for-G")
def _(name):
    assert broken(name, 0.1, 20)


@symptom("Not a bound for the run without it.", "bound-of-the-projected")
def _(name):
    assert broken(name, 0.01, 20)
    assert not broken(name, 0.01, 20, radius=10.0)


@symptom("A slope that depends on the unit of t.", "slope-on-linear-t")
def _(name):
    t = np.geomspace(10, 1000, 9)
    gap = 1 / t
    assert answer(name)(t, gap) != pytest.approx(answer(name)(t / 60, gap))


@symptom("One noisy end decides.", "slope-of-two-points")
def _(name):
    t = np.geomspace(10, 1000, 9)
    gap = 1 / t
    inner, end = gap.copy(), gap.copy()
    inner[1:-1] *= 5
    end[-1] *= 5
    right = answer(name)(t, gap)
    assert answer(name)(t, inner) == pytest.approx(right)
    assert answer(name)(t, end) > right + 0.3


# A4.telescope


def proof(seed):
    """What an answer to A4.telescope is given, and the proof's own terms."""
    _, *rest = played(400, seed)
    run = all_iterates(rest[-1]), *rest
    return run, TASKS["A4.telescope"].reference(*run)


@symptom(
    "Line 1 is still above line 0, only not as close.",
    "strong-convexity-left-out",
)
def _(name):
    for seed in SEEDS:
        given, right = proof(seed)
        found = answer(name)(*given)
        assert (found[1] >= right[0] - 1e-9).all()
        assert (found[1] >= right[1]).all() and (found[1] > right[1]).any()


@symptom(
    "Nothing cancels when the rounds are added up.",
    "t-before-both-distances",
)
def _(name):
    for seed in SEEDS:
        given, right = proof(seed)
        W, u, _, _, lam, order = given
        # What the telescope leaves: the last distance alone.
        left = -lam / 2 * len(order) * np.sum((W[-1] - u) ** 2)
        assert right[2].sum() == pytest.approx(left)
        kept = lam / 2 * np.sum((W[:-1] - u) ** 2)
        assert answer(name)(*given)[2].sum() == pytest.approx(left + kept)


@symptom(
    "0 in every round whose example has a margin of 1 or more.",
    "loss-alone-in-the-subgradient",
)
def _(name):
    given, right = proof(0)
    W, _, data, y, _, order = given
    quiet = y[order] * (data[order] * W[:-1]).sum(axis=1) >= 1
    assert quiet.any() and (answer(name)(*given)[3][quiet] == 0).all()
    assert (right[3][quiet] > 0).all()


@symptom(
    "Too small where the subgradient is longer than 1.",
    "length-not-squared",
)
def _(name):
    given, right = proof(0)
    W, _, data, y, lam, order = given
    z = y[order, np.newaxis] * data[order]
    margins = (z * W[:-1]).sum(axis=1)
    pull = lam * W[:-1] - (margins < 1)[:, np.newaxis] * z
    long = np.linalg.norm(pull, axis=1) > 1
    found = answer(name)(*given)[3]
    assert long.any() and (found[long] < right[3][long]).all()
    assert (found[~long] >= right[3][~long]).all()


@symptom(
    "Line 2 adds up to more than 0, and line 1 is no longer line 2 + line 3.",
    "line-with-its-sign-turned",
)
def _(name):
    for seed in SEEDS:
        given, right = proof(seed)
        found = answer(name)(*given)
        assert right[2].sum() < 0 < found[2].sum()
        # Line 0 is at most line 1, which is line 2 + line 3.
        assert not np.allclose(found[1], found[2] + found[3])


@symptom("Each line ends with the sum over all rounds.", "rounds-added-up")
def _(name):
    given, right = proof(0)
    found = answer(name)(*given)
    np.testing.assert_allclose(found[:, -1], right.sum(axis=1))


# A4.crossing

METER = np.geomspace(10, 400, 7)


def two_laws(meet):
    """Power laws of the slopes -1 and -1/2 that meet there."""
    return METER, meet / METER, np.sqrt(meet / METER)


@symptom(
    "Curves that meet at a thousand are said to meet at 7.",
    "crossing-in-logarithms",
)
def _(name):
    assert math.floor(answer(name)(*two_laws(1000))) == 6
    assert round(answer(name)(*two_laws(1000))) == 7


@symptom(
    "A crossing after the last point is never found.",
    "crossing-among-the-points",
)
def _(name):
    for meet in (500, 1000, 100_000):
        assert answer(name)(*two_laws(meet)) <= METER[-1]


@symptom(
    "Two power laws are said to meet elsewhere.",
    "crossing-on-plain-axes",
)
def _(name):
    for meet in (50, 1000):
        found = answer(name)(*two_laws(meet))
        assert not 0.8 * meet < found < 1.25 * meet


@symptom(
    "Curves that meet at a thousand are said to meet at 0.001.",
    "crossing-with-its-sign-turned",
)
def _(name):
    assert answer(name)(*two_laws(1000)) == pytest.approx(0.001)


# A4.opponent


def game(name, radius=math.inf, T=30, lam=0.05):
    """What Pegasos plays against an opponent, and the examples."""
    projected = None if math.isinf(radius) else radius
    W, X, y = games.play(
        lambda t, w: (answer(name)(t, w, lam, radius), 1.0),
        lam,
        T,
        d=2,
        radius=projected,
    )
    return W, X * y[:, np.newaxis]


@symptom(
    "The learner is on its side from the second round on.",
    "one-example-for-ever",
)
def _(name):
    for radius in (math.inf, 0.05**-0.5):
        W, Z = game(name, radius)
        assert ((W[: len(Z)] * Z).sum(axis=1)[1:] > 0).all()


@symptom(
    "The longer w is, the less the learner pays for it.",
    "example-along-w",
)
def _(name):
    w = np.array([0.6, -0.8])
    paid = [
        max(0.0, 1 - size * w @ answer(name)(2, size * w, 0.1, math.inf))
        for size in (0.1, 0.5, 0.9, 2.0)
    ]
    assert paid == pytest.approx([0.9, 0.5, 0.1, 0.0])


@symptom("w stays 0, and the regret is 0: no u pays less.", "minus-w-itself")
def _(name):
    for radius in (math.inf, 0.05**-0.5):
        W, Z = game(name, radius)
        assert not W.any() and not Z.any()
        # With z = 0 each u has a loss of 1, and its length to pay.
        T = len(Z)
        best = regret.regret_to_best(
            W[:T], Z, np.ones(T), 0.05, np.arange(T), [T]
        )
        assert best[0] == pytest.approx(0.0, abs=1e-9)


# A4.learner

NORTH = np.array([0.0, 1.0])


@symptom(
    "Every round costs 1, and against an opponent who repeats himself "
    "the regret grows like T.",
    "plays-zero",
)
def _(name):
    for T in (10, 1000):
        Z = np.tile(NORTH, (T, 1))
        w = np.array([answer(name)(Z[:t], 0.5) for t in range(T)])
        paid = 0.25 * (w**2).sum(axis=1) + np.maximum(0, 1 - w @ NORTH)
        # The best fixed u is the example itself: it costs λ/2 a round.
        assert (paid - 0.25).sum() == pytest.approx(0.75 * T)


@symptom(
    "Against an opponent who repeats himself w is 1/λ long; 1 would do.",
    "every-example-added",
)
def _(name):
    for lam in (0.1, 0.5):
        for T in (1, 7, 100):
            w = answer(name)(np.tile(NORTH, (T, 1)), lam)
            assert w == pytest.approx([0, 1 / lam])


@symptom(
    "Against an opponent who alternates every later round costs a hinge loss "
    "of 1 + 1/λ.",
    "follows-the-last-example",
)
def _(name):
    for lam in (0.1, 0.5):
        Z = np.array([NORTH, -NORTH] * 5)
        w = np.array([answer(name)(Z[:t], lam) for t in range(1, 10)])
        paid = np.maximum(0, 1 - (w * Z[1:]).sum(axis=1))
        assert paid == pytest.approx(1 + 1 / lam)


@symptom(
    "Against an opponent who repeats himself w grows like t.",
    "sum-not-divided-by-t",
)
def _(name):
    for T in (1, 7, 100):
        w = answer(name)(np.tile(NORTH, (T, 1)), 0.5)
        assert w == pytest.approx([0, 2 * T])


# A4.refutation


@symptom("Passes the first part and fails the next.", "one-game-for-all")
def _(name):
    lam, Z = answer(name)(1.0)
    T, ones = len(Z), np.ones(len(Z))
    rounds = iter([*zip(Z, ones)])
    W, *_ = games.play(lambda t, w: next(rounds), lam, T, d=2)
    paid = regret.regret(W, np.zeros(2), Z, ones, lam, np.arange(T))[-1]
    claim = pegasos_regret_bound(T, lam, 1.0, True)
    assert 1 < paid / claim < 1.25
