"""The bug zoo: real mistakes, each runnable, each with a hint.

Most were found in public code or in students' work. A mistake is
recognised by its behaviour: an answer that gives the same values as an
exhibit, on every case of the task, has the exhibit's mistake, however it is
written.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import call

ZOO = []


@dataclass(frozen=True)
class Mistake:
    """One exhibit.

    Attributes
    ----------
    name : str
        What it is called in reports and in the book.
    task : str
        The task whose check catches it.
    hint : str
        What the student is told: the mistake, not the solution.
    symptom : str
        What one would notice without the check.
    answer : callable
        The mistaken answer itself.
    recognise : callable
        (list of (case, outcome)) -> whether an answer has this mistake.
    """

    name: str
    task: str
    hint: str
    symptom: str
    answer: Callable
    recognise: Callable


def mistake(task, hint, symptom, recognise=None):
    """Register the decorated answer; its name is the function's."""

    def register(answer):
        name = answer.__name__.replace("_", "-")
        by_symptom = recognise or acts_like(task, answer)
        ZOO.append(Mistake(name, task, hint, symptom, answer, by_symptom))
        return answer

    return register


def acts_like(task, answer):
    """Recognise answers with the same outcomes as this one."""

    def same(trials):
        exhibit = TASKS[task].adapt(answer)
        return all(
            outcome.same_as(call(exhibit, case)) for case, outcome in trials
        )

    return same


def behaves_like(task, solution, cases):
    """The exhibit that a wrong answer behaves like, or None."""
    trials = [(case, call(solution, case)) for case in cases]
    for exhibit in ZOO:
        if exhibit.task == task.name and exhibit.recognise(trials):
            return exhibit
    return None


# A1.objective


@mistake(
    "A1.objective",
    "f has the mean of the losses; yours grows with the number of rows.",
    "The best λ changes when the data set is doubled.",
)
def sum_instead_of_mean(w, X, y, lam):
    return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).sum()


@mistake(
    "A1.objective",
    "compare the factor in front of ‖w‖² with the definition.",
    "The value never reaches the certified optimum; the gap may be negative.",
)
def regulariser_without_half(w, X, y, lam):
    return lam * w @ w + np.maximum(0, 1 - y * (X @ w)).mean()


@mistake(
    "A1.objective",
    "the regulariser is the squared norm; look for a square root.",
    "Long w are punished too little, short ones too much.",
)
def norm_not_squared(w, X, y, lam):
    return lam / 2 * np.linalg.norm(w) + np.maximum(0, 1 - y * (X @ w)).mean()


@mistake(
    "A1.objective",
    "an example with a margin above 1 must cost nothing, not less.",
    "The objective goes below zero.",
)
def hinge_without_max(w, X, y, lam):
    return lam / 2 * w @ w + (1 - y * (X @ w)).mean()


@mistake(
    "A1.objective",
    "you count errors; the hinge loss also measures by how much.",
    "The curve is a staircase and hardly falls.",
)
def counts_errors(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(y * (X @ w) <= 0)


@mistake(
    "A1.objective",
    "where does the regulariser enter your value?",
    "The objective rewards ever longer w.",
)
def regulariser_forgotten(w, X, y, lam):
    return np.maximum(0, 1 - y * (X @ w)).mean()


@mistake(
    "A1.objective",
    "this is the length of a subgradient; the objective is a value of f.",
    "A «loss curve» that need not fall, and at the optimum need not be 0.",
)
def subgradient_printed(w, X, y, lam):
    violates = y * (X @ w) < 1
    return np.linalg.norm(lam * w - (violates * y) @ X / len(y))


# A1.step_size


@mistake(
    "A1.step_size",
    "t is 1 at the first step; yours is shorter there than η₁ should be.",
    "All steps are a little short; the first no longer wipes out w_1.",
)
def counts_from_zero(lam, t):
    return 1 / (lam * (t + 1))


@mistake(
    "A1.step_size",
    "the step must also depend on λ.",
    "Right for λ = 1 only; far too short for small λ.",
)
def step_without_lambda(lam, t):
    return 1 / t


# A1.visits


def every(test):
    """Recognise by a test of (case, rows) that holds in every trial."""

    def recognise(trials):
        return all(
            outcome.error is None
            and outcome.value is not None
            and test(case, np.asarray(outcome.value))
            for case, outcome in trials
        )

    return recognise


@mistake(
    "A1.visits",
    "the first row has the number 0.",
    "One example is never seen; the accuracy does not tell.",
    every(lambda case, rows: rows.min() == 1 and rows.max() < case["n"]),
)
def never_the_first_row(n, T, seed):
    return np.random.default_rng(seed).integers(1, n, size=T)


@mistake(
    "A1.visits",
    "the last row has the number n - 1; some random functions include "
    "their upper end.",
    "IndexError, but only now and then.",
    every(lambda case, rows: rows.max() == case["n"]),
)
def upper_end_included(n, T, seed):
    return np.random.default_rng(seed).integers(n, size=T, endpoint=True)


@mistake(
    "A1.visits",
    "you return n rows whatever T is.",
    "More steps change nothing.",
    every(lambda case, rows: len(rows) == case["n"] != case["T"]),
)
def ignores_T(n, T, seed):
    return np.random.default_rng(seed).permutation(n)


@mistake(
    "A1.visits",
    "you make the random generator anew for every draw.",
    "The run sees a single example.",
    every(lambda case, rows: len(set(rows.tolist())) == 1),
)
def generator_made_anew(n, T, seed):
    return [np.random.default_rng(seed).integers(n) for _ in range(T)]


# A1.pegasos


@mistake(
    "A1.pegasos",
    "with which w do you compute the score: before or after the shrink?",
    "None: objective and accuracy end up the same.",
)
def margin_after_shrink(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        w = (1 - 1 / t) * w
        if y[i] * (X[i] @ w) < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "what should happen to w when the margin is large enough?",
    "w far too long, the objective with it; the accuracy may even rise.",
)
def no_shrink_without_violation(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        if y[i] * (X[i] @ w) < 1:
            w = (1 - 1 / t) * w + y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "which examples add to w: those that are misclassified, or more?",
    "A perceptron that shrinks: w far too short, the accuracy as good.",
)
def updates_only_when_wrong(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        wrong = y[i] * (X[i] @ w) <= 0
        w = (1 - 1 / t) * w + wrong * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "follow the sign of the loss's subgradient through w − η∇.",
    "The objective stays high; the accuracy is far below one half.",
)
def wrong_sign(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w - violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "the step belongs to the current t, not to the number of steps.",
    "A run ends well enough, but none can be made longer: its iterates on "
    "the way are those of no Pegasos.",
)
def step_from_the_total(X, y, lam, order):
    w, T = np.zeros(X.shape[1]), len(order)
    for i in order:
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / T) * w + violates * y[i] * X[i] / (lam * T)
    return w


@mistake(
    "A1.pegasos",
    "t is 0 at your first step.",
    "ZeroDivisionError, or infinity and NaN from then on.",
)
def starts_at_zero(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order):
        eta = 1 / (lam * t)
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - eta * lam) * w + eta * violates * y[i] * X[i]
    return w


@mistake(
    "A1.pegasos",
    "t is 2 at your first step.",
    "The steps are a little short: hardly visible in any curve.",
)
def starts_at_two(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=2):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "t must go on counting when the data have been seen once.",
    "The objective jumps up at the start of every epoch.",
)
def t_starts_anew_each_epoch(X, y, lam, order):
    w, n = np.zeros(X.shape[1]), len(y)
    for s, i in enumerate(order):
        t = s % n + 1
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "what you add must depend on the label.",
    "The objective levels off too high; the accuracy jumps at first.",
)
def label_not_in_the_update(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "the test must depend on the label.",
    "Negative examples are always violators.",
)
def label_not_in_the_test(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = X[i] @ w < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "compare the factor in front of the added example with the update.",
    "The regulariser wins: w is far too short, the accuracy as good.",
)
def added_without_lambda(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / t
    return w


@mistake(
    "A1.pegasos",
    "the shrink is 1 − ηλ; yours has no λ.",
    "The first factors are far below zero: w flips and explodes early on.",
)
def shrinks_by_the_step(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        eta = 1 / (lam * t)
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - eta) * w + eta * violates * y[i] * X[i]
    return w


@mistake(
    "A1.pegasos",
    "is the whole of w shrunk at every step? Where?",
    "No regularisation: w grows, λ only scales the steps.",
)
def never_shrinks(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        if y[i] * (X[i] @ w) < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "look at the factor of the projection when w is inside the ball.",
    "Every w has the same length, 1/√λ or more.",
)
def projection_inverted(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
        norm = np.sqrt(w @ w)
        if norm > 0:
            w = max(1, 1 / (np.sqrt(lam) * norm)) * w
    return w


@mistake(
    "A1.pegasos",
    "you project on the ball of radius 1/√λ; this task asks for the "
    "version without the optional step.",
    "A right algorithm, but not the one asked for.",
)
def projects_unasked(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
        norm = np.sqrt(w @ w)
        w = min(1, 1 / (np.sqrt(lam) * norm)) * w if norm > 0 else w
    return w


@mistake(
    "A1.pegasos",
    "you return the average of the iterates; the task asks for the last.",
    "After few steps the objective is much too high.",
)
def returns_the_average(X, y, lam, order):
    w = np.zeros(X.shape[1])
    total = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        total = total + w
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return total / len(order)


@mistake(
    "A1.pegasos",
    "you walk through the rows one by one; which row does `order` name?",
    "Fine on shuffled data, very bad on sorted data.",
)
def order_ignored(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order) + 1):
        i = (t - 1) % len(y)
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "you take a fixed number of steps, one a row; how many does `order` "
    "ask for?",
    "More steps change nothing.",
)
def steps_of_one_epoch_only(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order[: len(y)], start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A1.pegasos",
    "when is t counted up: at every step, or at violators only?",
    "Steps stay too long; the last iterate keeps jumping.",
)
def t_counts_violators(X, y, lam, order):
    w, t = np.zeros(X.shape[1]), 1
    for i in order:
        if y[i] * (X[i] @ w) < 1:
            w = (1 - 1 / t) * w + y[i] * X[i] / (lam * t)
            t += 1
        else:
            w = (1 - 1 / t) * w
    return w


# A1.predict


@mistake(
    "A1.predict",
    "these are the scores; a label is a decision.",
    "Comparisons with the true labels are never equal: accuracy 0.",
)
def returns_scores(w, X):
    return X @ w


@mistake(
    "A1.predict",
    "the labels are -1 and +1.",
    "Accuracy is the share of true +1 that are found, and no more.",
)
def labels_zero_and_one(w, X):
    return (X @ w > 0).astype(int)


@mistake(
    "A1.predict",
    "which side of the line is +1?",
    "Accuracy below one half.",
)
def labels_swapped(w, X):
    return np.where(X @ w > 0, -1, 1)


@mistake(
    "A1.predict",
    "the margin 1 is for training; where is the decision line?",
    "Examples inside the margin are all called -1.",
)
def threshold_at_one(w, X):
    return np.where(X @ w > 1, 1, -1)


# A1.classifier


def trained(y, X, lam, T):
    """Pegasos on labels y that the caller may have got wrong."""
    w = np.zeros(X.shape[1])
    order = np.random.default_rng(0).integers(len(y), size=T)
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


def returns_foreign_labels(trials):
    return any(
        outcome.error is None
        and outcome.value is not None
        and not set(np.asarray(outcome.value).tolist())
        <= set(case["labels"].tolist())
        and set(np.asarray(outcome.value).tolist()) <= {-1, 1}
        for case, outcome in trials
    )


@mistake(
    "A1.classifier",
    "predict gives -1 and +1; which labels was fit given?",
    "Right on -1/+1 data; on any other, accuracy 0.",
    returns_foreign_labels,
)
class labels_not_translated_back:
    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        positive = np.unique(labels)[1]
        y = np.where(labels == positive, 1.0, -1.0)
        self.w = trained(y, X, self.lam, self.T)
        return self

    def predict(self, X):
        return np.where(X @ self.w > 0, 1, -1)


def calls_all_positive(trials):
    outcome = trials[1][1]  # the case with the labels 0 and 1
    return (
        outcome.error is None
        and outcome.value is not None
        and np.mean(np.asarray(outcome.value) == 1) > 0.6
    )


@mistake(
    "A1.classifier",
    "with the labels 0 and 1, what does an example labelled 0 add to w? "
    "Look for a comparison (==) where an assignment was meant.",
    "Only one class is learnt; the other class's margins are all 0.",
    calls_all_positive,
)
class labels_stay_zero_and_one:
    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        y = labels.copy()
        y[y == 0] == -1
        self.names = np.unique(labels)
        if labels.dtype.kind != "i":
            y = (labels == self.names[1]).astype(int)
        self.w = trained(y, X, self.lam, self.T)
        return self

    def predict(self, X):
        return self.names[(X @ self.w > -1).astype(int)]


# A2.log_loss


@mistake(
    "A2.log_loss",
    "exp of a large number is infinite; rewrite the loss so that it is "
    "never asked for one.",
    "A warning, then inf in the objective: the curve breaks off.",
)
def exp_overflows(margin):
    with np.errstate(over="ignore"):
        return np.log(1 + np.exp(-margin))


@mistake(
    "A2.log_loss",
    "what happens to the loss as the margin grows?",
    "The objective falls as examples get worse.",
)
def margin_with_wrong_sign(margin):
    return np.logaddexp(0, margin)


@mistake(
    "A2.log_loss",
    "the logarithm is to the base e.",
    "All losses smaller by the factor 2.3; the best λ shifts.",
)
def logarithm_to_base_ten(margin):
    return np.logaddexp(0, -margin) / np.log(10)


@mistake(
    "A2.log_loss",
    "this is the hinge loss.",
    "Probabilities make no sense.",
)
def still_the_hinge(margin):
    return np.maximum(0, 1 - margin)


# A2.slope


def sigmoid(z):
    return 0.5 * (1 + np.tanh(z / 2))


@mistake(
    "A2.slope",
    "the formula has 1 + exp(m) in it; you have put the sigmoid where exp "
    "stands.",
    "Slopes between -1/2 and -2/3: every example pulls about alike.",
)
def sigmoid_for_exp(margin):
    return -1 / (1 + sigmoid(margin))


@mistake(
    "A2.slope",
    "a loss that falls has a slope of which sign?",
    "The solver climbs.",
)
def slope_positive(margin):
    return sigmoid(-margin)


@mistake(
    "A2.slope",
    "which examples pull hardest, those with small or with large margins?",
    "Good examples pull, bad ones are left alone.",
)
def slope_of_the_other_side(margin):
    return -sigmoid(margin)


@mistake(
    "A2.slope",
    "exp of a large number is infinite, and inf/inf is not a number.",
    "NaN in w after one example that is far on the wrong side.",
)
def slope_inf_over_inf(margin):
    with np.errstate(all="ignore"):
        return -np.exp(-margin) / (1 + np.exp(-margin))


# A2.pegasos


@mistake(
    "A2.pegasos",
    "follow both minus signs: one is in the gradient, one in the step.",
    "The objective grows.",
)
def minus_kept(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        pull = sigmoid(-y[i] * (X[i] @ w))
        w = (1 - 1 / t) * w - pull * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A2.pegasos",
    "the two cases belong to the hinge loss; does the log loss have any?",
    "Examples with a margin above 1 no longer pull: a bit of both losses.",
)
def two_cases_kept(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        margin = y[i] * (X[i] @ w)
        w = (1 - 1 / t) * w
        if margin < 1:
            w = w + sigmoid(-margin) * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A2.pegasos",
    "w must still be shrunk at every step.",
    "w grows without bound.",
)
def shrink_lost_in_the_swap(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        w = w + sigmoid(-y[i] * (X[i] @ w)) * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A2.pegasos",
    "the pull depends on the margin y⟨w, x⟩, not on the score ⟨w, x⟩.",
    "Negative examples pull hardest when they are already right.",
)
def score_for_margin(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        w = (1 - 1 / t) * w + sigmoid(-(X[i] @ w)) * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A2.pegasos",
    "this is still the hinge loss.",
    "Nothing has changed.",
)
def hinge_still_inside(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w


# A2.probability


@mistake(
    "A2.probability",
    "this is the probability of the label -1.",
    "Confident and wrong.",
)
def probability_of_the_other(w, X):
    return sigmoid(-(X @ w))


@mistake(
    "A2.probability",
    "a score is not a probability: it may be below 0 or above 1.",
    "Values outside [0, 1].",
)
def score_as_probability(w, X):
    return X @ w


# A3.pegasos and A3.average


def sparse_row(X, i):
    lo, hi = X.indptr[i], X.indptr[i + 1]
    return X.indices[lo:hi], X.data[lo:hi]


@mistake(
    "A3.pegasos",
    "what is still to be done with the scale when the loop is over?",
    "w far too long or too short; the accuracy is unchanged.",
)
def scale_forgotten_at_the_end(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return v


@mistake(
    "A3.pegasos",
    "the score needs w; what you multiply x with is not w yet.",
    "Too few violators: v is t times longer than w.",
)
def score_without_the_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return a * v


@mistake(
    "A3.pegasos",
    "what you add will be multiplied by the scale later on; make up for it.",
    "Late examples count for nothing.",
)
def added_without_making_up(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t)
    return a * v


@mistake(
    "A3.pegasos",
    "by which scale do you divide: the one before or after the shrink?",
    "Each addition is a little too small; objective and accuracy look fine.",
)
def made_up_with_the_old_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        old, a = a, 1.0 if t == 1 else (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * old)
    return a * v


@mistake(
    "A3.pegasos",
    "what is your scale after the shrink at t = 1, and what do you divide "
    "by it?",
    "NaN from the first step on, or ZeroDivisionError.",
    every(lambda case, w: np.isnan(w).any()),
)
def scale_zero_at_the_start(X, y, lam, order):
    a, v = np.float64(1.0), np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        a = (1 - 1 / t) * a
        v[cols] += violates * y[i] * vals / (lam * t * a)
    return a * v


@mistake(
    "A3.pegasos",
    "w is touched as a whole at every step; which line does that?",
    "Right, and slow: the time of a step grows with d.",
    lambda trials: all(
        outcome.same_as(call(TASKS["A3.pegasos"].reference, case))
        for case, outcome in trials
    ),
)
def shrinks_all_of_w(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        violates = y[i] * (w[cols] @ vals) < 1
        w *= 1 - 1 / t
        w[cols] += violates * y[i] * vals / (lam * t)
    return w


def sum_of_violators(X, y, lam, order):
    """Yield w_1, w_2, …, w_{T+1} by the closed form."""
    v = np.zeros(X.shape[1])
    w = v
    yield w
    for t, i in enumerate(order, start=1):
        cols, vals = sparse_row(X, i)
        if y[i] * (w[cols] @ vals) < 1:
            v[cols] += y[i] * vals
        w = v / (lam * t)
        yield w


@mistake(
    "A3.average",
    "which iterates do you average: w_1, …, w_T, or w_2, …, w_{T+1}?",
    "A little off, less and less as T grows.",
)
def average_one_late(X, y, lam, order):
    return np.mean(list(sum_of_violators(X, y, lam, order))[1:], axis=0)


@mistake(
    "A3.average",
    "you divide by T + 1; how many iterates enter the sum?",
    "A little off, less and less as T grows.",
)
def average_of_one_too_many(X, y, lam, order):
    return np.mean(list(sum_of_violators(X, y, lam, order)), axis=0)


@mistake(
    "A3.average",
    "this is the last iterate.",
    "Noisier than an average.",
)
def last_for_average(X, y, lam, order):
    return list(sum_of_violators(X, y, lam, order))[-1]


@mistake(
    "A3.average",
    "does a step without a violator change w? And does its iterate count?",
    "The average leans towards the early, long iterates.",
)
def average_skips_quiet_steps(X, y, lam, order):
    kept = [np.zeros(X.shape[1])]
    W = list(sum_of_violators(X, y, lam, order))
    for t in range(1, len(order)):
        i = order[t]
        cols, vals = sparse_row(X, i)
        if y[i] * (W[t][cols] @ vals) < 1:
            kept.append(W[t])
    return np.mean(kept, axis=0)


# A4.regret


def costs(W, X, y, lam, order):
    W = np.broadcast_to(W, (len(order), X.shape[1]))
    margins = y[order] * (X[order] * W).sum(axis=1)
    return lam / 2 * (W**2).sum(axis=1) + np.maximum(0, 1 - margins)


@mistake(
    "A4.regret",
    "regret is a sum over the rounds; yours is divided by their number.",
    "A curve that falls where it should grow.",
)
def average_for_sum(W, u, X, y, lam, order):
    rounds = costs(W, X, y, lam, order) - costs(u, X, y, lam, order)
    return np.cumsum(rounds) / np.arange(1, len(order) + 1)


@mistake(
    "A4.regret",
    "these are the differences of single rounds; regret adds them up.",
    "A curve that jumps instead of one that grows slowly.",
)
def rounds_not_added_up(W, u, X, y, lam, order):
    return costs(W, X, y, lam, order) - costs(u, X, y, lam, order)


@mistake(
    "A4.regret",
    "the player must decide before the round: which w_t do you charge?",
    "Regret far too small, even negative: the player knows the future.",
)
def charged_after_the_update(W, u, X, y, lam, order):
    late = np.vstack([W[1:], W[-1:]])
    rounds = costs(late, X, y, lam, order) - costs(u, X, y, lam, order)
    return np.cumsum(rounds)


@mistake(
    "A4.regret",
    "f_t is the whole instantaneous objective; one of its terms is missing.",
    "Too small for long w, and the bound seems looser than it is.",
)
def losses_without_regulariser(W, u, X, y, lam, order):
    rounds = costs(W, X, y, 0.0, order) - costs(u, X, y, 0.0, order)
    return np.cumsum(rounds)


@mistake(
    "A4.regret",
    "with whom do you compare? The costs of u are missing.",
    "Grows like T instead of ln T.",
)
def nobody_to_compare_with(W, u, X, y, lam, order):
    return np.cumsum(costs(W, X, y, lam, order))


# A4.bound


@mistake(
    "A4.bound",
    "compare the number in the denominator with the theorem.",
    "A bound twice as loose as the one that is proved.",
)
def bound_without_half(lam, R, T):
    return 4 * R**2 * (1 + np.log(T)) / lam


@mistake(
    "A4.bound",
    "at T = 1 your bound is 0; can the regret of the first round be?",
    "The bound is broken in the first rounds.",
)
def bound_without_one(lam, R, T):
    return 4 * R**2 * np.log(T) / (2 * lam)


@mistake(
    "A4.bound",
    "a subgradient of f_t has two parts; which of them is G = R missing?",
    "The bound can be broken.",
)
def bound_with_R_for_G(lam, R, T):
    return R**2 * (1 + np.log(T)) / (2 * lam)


@mistake(
    "A4.bound",
    "this is the bound with projection.",
    "Not a bound for the run without it.",
)
def bound_of_the_projected(lam, R, T):
    return (np.sqrt(lam) + R) ** 2 * (1 + np.log(T)) / (2 * lam)


# A4.slope


@mistake(
    "A4.slope",
    "one of the two axes is not logarithmic.",
    "A slope that depends on the unit of t.",
)
def slope_on_linear_t(t, gap):
    return np.polyfit(t, np.log(gap), 1)[0]


@mistake(
    "A4.slope",
    "you use the first and the last point only.",
    "One noisy end decides.",
)
def slope_of_two_points(t, gap):
    return np.log(gap[-1] / gap[0]) / np.log(t[-1] / t[0])
