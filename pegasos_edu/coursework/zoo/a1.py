"""Mistakes in assignment 1: objective, step, draws, solver, classifier."""

import numpy as np

from pegasos_edu.coursework.zoo.exhibit import every, mistake

# A1.objective


@mistake(
    "A1.objective",
    "f has the mean of the losses; yours grows with the number of rows.",
    "f(0) is n and not 1; copy every example, and the minimiser moves as if "
    "λ were halved.",
)
def sum_instead_of_mean(w, X, y, lam):
    return lam / 2 * w @ w + np.maximum(0, 1 - y * (X @ w)).sum()


@mistake(
    "A1.objective",
    "compare the factor in front of ‖w‖² with the definition.",
    "The value stays above the certified optimum, however long one runs.",
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
    "The loss moves in steps of 1/n: a small change of w changes nothing.",
)
def counts_errors(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(y * (X @ w) <= 0)


@mistake(
    "A1.objective",
    "where does the regulariser enter your value? Or is it 0, by a //?",
    "Where w separates the classes, a longer w never costs more.",
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
    "The first step is half as long as it should be, later ones a little too "
    "short; the first no longer wipes out w_1.",
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


@mistake(
    "A1.visits",
    "the first row has the number 0.",
    "One example is never seen; the accuracy does not tell.",
    every(
        lambda case, rows: (
            case["n"] > case["T"]  # there most rows are never drawn
            or (rows.min() == 1 and rows.max() <= case["n"])
        )
    ),
)
def never_the_first_row(n, T, seed):
    return np.random.default_rng(seed).integers(1, n, size=T)


@mistake(
    "A1.visits",
    "the last row has the number n - 1; some random functions include "
    "their upper end.",
    "IndexError: in a short run now and then, in a long one nearly always.",
    every(
        lambda case, rows: (
            case["n"] > case["T"]
            or (rows.min() == 0 and rows.max() == case["n"])
        )
    ),
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
    "all your rows are the same: is the random generator made anew for every "
    "draw?",
    "The run sees a single example.",
    every(lambda case, rows: len(set(rows.tolist())) == 1),
)
def generator_made_anew(n, T, seed):
    return [np.random.default_rng(seed).integers(n) for _ in range(T)]


def moves_by_a_rule(trials):
    return all(
        outcome.error is None
        and len(set((np.diff(outcome.value) % case["n"]).tolist())) == 1
        for case, outcome in trials
    )


@mistake(
    "A1.visits",
    "your rows follow a rule; where does chance come in?",
    "Sorted data pull the same way for many steps.",
    moves_by_a_rule,
)
def order_not_random(n, T, seed):
    return (np.arange(T) + seed) % n


@mistake(
    "A1.visits",
    "another seed must give other rows, the same seed the same.",
    "Nobody can get another run: every seed gives the same rows.",
    lambda trials: (
        np.size(trials[0][1].value) == trials[0][0]["T"]
        and trials[0][1].same_as(trials[-1][1])
    ),
)
def seed_ignored(n, T, seed):
    return np.random.default_rng(0).integers(n, size=T)


# A1.pegasos


@mistake(
    "A1.pegasos",
    "with which w do you compute the score: before or after the shrink?",
    "No symptom in the end: over many orders gap and accuracy are as good.",
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
    "w far too long, the objective with it; the accuracy falls on the digits "
    "and rises on the clouds.",
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
    "A perceptron that shrinks: w far too short, the accuracy in the mean "
    "within a few points of the right solver's.",
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
    "The objective stays high; the accuracy is far below one half in most "
    "runs.",
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
    "The first steps are too short, so the curve starts lower; after a "
    "hundred steps no difference is to be seen.",
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
    "The objective stays far too high; on the clouds the accuracy differs "
    "from run to run.",
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
    "Negative examples on the right side are always violators.",
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
    "A run with λ = 1: for a smaller λ, w is far too short, and on the "
    "digits no zero is recognised.",
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
    "The first factors are far below zero: w flips and explodes early on. "
    "Later it is far too short, as in a run with λ = 1.",
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
    "No regularisation: w stays far too long, λ only scales the steps.",
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
    "No w is shorter than 1/√λ, and the minimiser is never longer.",
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
    "you project on a ball (the paper's has the radius 1/√λ); this task asks "
    "for the version without the optional step.",
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
    "After ten to thirty steps the gap is several times too large.",
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
    "Fine on shuffled data; on digits sorted by class the gap is many times "
    "too large.",
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
    "Steps stay too long: the gap falls, and stays at about twice that of "
    "the right solver on the clouds, more on the digits.",
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
    "Scores are hardly ever equal to the true labels: accuracy about 0.",
)
def returns_scores(w, X):
    return X @ w


@mistake(
    "A1.predict",
    "the labels are -1 and +1.",
    "Accuracy counts the true +1 that are found, and no other answer.",
)
def labels_zero_and_one(w, X):
    return (X @ w > 0).astype(int)


@mistake(
    "A1.predict",
    "which side of the line is +1?",
    "The accuracy is one minus the right one.",
)
def labels_swapped(w, X):
    return np.where(X @ w > 0, -1, 1)


@mistake(
    "A1.predict",
    "the sign of 0 is 0, which is no label; which side do you give a row "
    "that lies on the line?",
    "A third label, wherever w is 0.",
)
def sign_of_zero(w, X):
    return np.sign(X @ w)


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
    "Right on -1/+1 data; on labels that are words, accuracy 0.",
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
    """More than with −1 and +1, and all where one label is not learnt.

    In the right answer, too, one label may be the more frequent one.
    """
    signs, zeros, one_sided = (trials[k] for k in (0, 1, 3))
    if any(
        outcome.error is not None
        or np.shape(outcome.value) != np.shape(case["labels"])
        for case, outcome in (signs, zeros, one_sided)
    ):
        return False
    plus, ones, nearly_all = (
        np.asarray(outcome.value) == 1
        for _, outcome in (signs, zeros, one_sided)
    )
    if plus.all() and ones.all():  # it is nothing that the labels 0 do
        return False
    many = 0.6 if (plus != ones).any() else 0.75
    return ones.mean() > many and nearly_all.mean() > 0.95


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


def has_nothing_to_predict(trials):
    return "'NoneType' object has no attribute 'predict'" in str(
        trials[0][1].error
    )


@mistake(
    "A1.classifier",
    "fit must return the object itself; what does it return without a "
    "`return`?",
    "AttributeError as soon as somebody writes fit(…).predict(…).",
    has_nothing_to_predict,
)
class fit_returns_nothing:
    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        self.w = trained(y, X, self.lam, self.T)

    def predict(self, X):
        return self.names[(X @ self.w > 0).astype(int)]


def takes_one_for_the_other(trials):
    """Nearly always wrong: worse than throwing a coin."""
    return all(
        outcome.error is None
        and np.shape(outcome.value) == case["labels"].shape
        and set(np.asarray(outcome.value).tolist())
        == set(case["labels"].tolist())
        and np.mean(np.asarray(outcome.value) == case["labels"]) < 0.4
        for case, outcome in trials
    )


@mistake(
    "A1.classifier",
    "which of the two labels stands for +1, in fit and in predict?",
    "Accuracy far below one half.",
    takes_one_for_the_other,
)
class classes_swapped:
    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names = np.unique(labels)
        y = np.where(labels == self.names[1], 1.0, -1.0)
        self.w = trained(y, X, self.lam, self.T)
        return self

    def predict(self, X):
        return self.names[(X @ self.w < 0).astype(int)]
