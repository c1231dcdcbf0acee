"""Wrong answers to the small functions, written before they had a name.

They are of 276 that one hand wrote from the sentences of the tasks, in
three sets. The message must say what is wrong with each.
"""

import numpy as np

from pegasos_edu.coursework.tasks import TASKS

INPUT, FACTOR = "right-for-another-input", "right-but-for-a-factor"
TERM, FORM = "term-with-another-factor", "right-in-another-form"
LOSSES = "losses-of-another-form"
STEP = TASKS["A1.step"].reference
PROBABILITY = TASKS["A2.probability"].reference
REGRET = TASKS["A4.regret"].reference
PROOF = TASKS["A4.telescope"].reference
LINE = TASKS["A4.slope"].reference
WRONG: list = []  # (task, answer, name, what the message says)


def wrong(task, name, says):
    def register(answer):
        WRONG.append((task, answer, name, says))
        return answer

    return register


def hinges(w, X, y):
    return np.maximum(0, 1 - y * (X @ w))


@wrong("A1.objective", INPUT, "w/‖w‖ in place of w, in the mean of the losses")
def brings_w_to_length_one_in_the_losses(w, X, y, lam):
    return lam / 2 * w @ w + hinges(w / np.linalg.norm(w), X, y).mean()


@wrong("A1.objective", INPUT, "0 as its last entry in place of w, in λ/2 ‖w‖²")
def leaves_an_intercept_out_of_the_regulariser(w, X, y, lam):
    return lam / 2 * w[:-1] @ w[:-1] + hinges(w, X, y).mean()


@wrong("A1.objective", INPUT, "right for margin − 1 in place of the margin")
def asks_for_a_margin_of_two(w, X, y, lam):
    return lam / 2 * w @ w + np.maximum(0, 2 - y * (X @ w)).mean()


@wrong("A1.objective", TERM, "right with lam times λ/2 ‖w‖²")
def squares_lambda(w, X, y, lam):
    return lam**2 / 2 * w @ w + hinges(w, X, y).mean()


@wrong("A1.objective", TERM, "right with 1/d times λ/2 ‖w‖²")
def takes_the_mean_of_the_squares(w, X, y, lam):
    return lam / 2 * np.mean(w**2) + hinges(w, X, y).mean()


@wrong("A1.objective", FACTOR, "n times what is expected")
def adds_the_regulariser_for_each_row(w, X, y, lam):
    return sum(lam / 2 * w @ w + loss for loss in hinges(w, X, y))


@wrong("A1.objective", LOSSES, "margin of row 1 go to 0: your value changes")
def returns_inside_the_loop(w, X, y, lam):
    for i in range(len(y)):
        total = max(0, 1 - y[i] * (X[i] @ w))
        return lam / 2 * w @ w + total / len(y)
    return 0.0


@wrong("A1.objective", LOSSES, "changes by 0; expected 0.25")
def begins_at_one(w, X, y, lam):
    return lam / 2 * w @ w + np.sum(hinges(w, X, y)[1:]) / len(y)


@wrong("A1.objective", LOSSES, "margin of row 3 go to 0")
def ends_before_the_last(w, X, y, lam):
    return lam / 2 * w @ w + np.sum(hinges(w, X, y)[:-1]) / len(y)


@wrong("A1.objective", LOSSES, "changes by 0.1; expected 0.25")
def weighs_the_losses(w, X, y, lam):
    return 0.5 * w @ w + lam * hinges(w, X, y).mean()


@wrong("A1.objective", LOSSES, "expected 0.25")
def takes_absolute_values(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(np.abs(1 - y * (X @ w)))


@wrong("A1.objective", "regulariser-of-another-form", "expected 5.")
def takes_the_length_of_X(w, X, y, lam):
    return lam / 2 * np.sum(X**2) + hinges(w, X, y).mean()


@wrong("A1.objective", "regulariser-of-another-form", "expected 5.")
def adds_the_weights_themselves(w, X, y, lam):
    return lam / 2 * w.sum() + hinges(w, X, y).mean()


@wrong("A1.step_size", INPUT, "right for max(t − 1, 1) in place of t")
def counts_from_nought_but_for_the_first(lam, t):
    return 1 / (lam * max(t - 1, 1))


@wrong("A1.step_size", FORM, "it is min(the right value, 1)")
def takes_no_long_steps(lam, t):
    return min(1.0, 1 / (lam * t))


@wrong("A1.visits", "fewer-rows-than-T", "expected shape (400,)")
def loses_rows_in_a_set(n, T, seed):
    return sorted(set(np.random.default_rng(seed).integers(n, size=T)))


@wrong("A1.step_size", "few-digits", "you returned")
def rounds_to_two_digits(lam, t):
    return round(1 / (lam * t), 2)


@wrong("A1.step", INPUT, "right for x/‖x‖ in place of x")
def brings_x_to_length_one(w, x, label, lam, eta):
    return STEP(w, x / np.linalg.norm(x), label, lam, eta)


@wrong("A1.step", INPUT, "eta² in place of eta, in the shrunk w alone")
def squares_the_step_in_the_shrink(w, x, label, lam, eta):
    added = STEP(w, x, label, lam, eta) - (1 - eta * lam) * w
    return (1 - eta**2 * lam) * w + added


@wrong("A1.step", FORM, "the right value is the first of yours")
def returns_whether_it_added(w, x, label, lam, eta):
    return STEP(w, x, label, lam, eta), label * (w @ x) < 1


@wrong("A1.step", "addition-of-another-form", "There the margin is 0.5, and")
def forgets_the_step_for_one_label(w, x, label, lam, eta):
    hit = label * (w @ x) < 1
    return (1 - eta * lam) * w + hit * (eta * x if label > 0 else -x)


@wrong("A1.predict", FORM, "it is the first of the right values alone")
def returns_the_first_label(w, X):
    return np.where(X[:1] @ w > 0, 1, -1)


@wrong("A1.predict", FORM, "the right value is yours in another shape")
def returns_a_column_of_labels(w, X):
    return np.where(X @ w[:, np.newaxis] > 0, 1, -1)


@wrong("A1.predict", "looks-at-other-entries", "by the sign")
def cuts_at_the_median(w, X):
    return np.where(X @ w > np.median(X @ w), 1, -1)


@wrong("A1.wasted", INPUT, "its first entry alone in place of rows")
def counts_in_the_first_row(X, rows):
    return np.mean(X[np.ravel(rows)[0]] == 0)


@wrong("A1.wasted", FORM, "the right value is the mean of yours")
def counts_row_by_row(X, rows):
    return np.mean(X[np.ravel(rows)] == 0, axis=1)


@wrong("A2.log_loss", INPUT, "right for margin − 1 in place of margin")
def shifts_the_margin(margin):
    return np.logaddexp(0, 1 - margin)


@wrong("A2.log_loss", "right-in-some-entries", "from -2.875 to 2.875")
def cuts_off_what_is_small(margin):
    small, large = np.abs(margin) <= 3, np.maximum(0, -margin)
    return np.where(small, np.logaddexp(0, -margin), large)


@wrong("A2.log_loss", "right-in-some-entries", "to -1e-08, and wrong from")
def leaves_good_margins_alone(margin):
    return np.where(margin > 0, 0.0, np.logaddexp(0, -margin))


@wrong("A2.slope", INPUT, "right for 2·margin in place of margin")
def does_not_halve_in_tanh(margin):
    return -0.5 * (1 - np.tanh(margin))


@wrong("A2.slope", "looks-at-other-entries", "you returned")
def differentiates_along_the_array(margin):
    return np.gradient(np.logaddexp(0, -margin))


@wrong("A2.probability", INPUT, "right for |score| in place of the score")
def is_sure_of_the_nearer_label(w, X):
    return 1 / (1 + np.exp(-np.abs(X @ w)))


@wrong("A2.probability", INPUT, "right for w/‖w‖ in place of w")
def measures_distances(w, X):
    return PROBABILITY(w / np.linalg.norm(w), X)


@wrong("A2.probability", FORM, "the right value is your last column")
def returns_both_probabilities(w, X):
    return np.column_stack([1 - PROBABILITY(w, X), PROBABILITY(w, X)])


@wrong("A4.regret", INPUT, "ones in place of y, in what u pays alone")
def forgets_the_label_of_u(W, u, X, y, lam, order):
    V, ones, nobody = np.tile(u, (len(W), 1)), np.ones_like(y), 0 * u
    mine = REGRET(W, nobody, X, y, lam, order)
    return mine - REGRET(V, nobody, X, ones, lam, order)


@wrong("A4.regret", FORM, "the right values with 0 for what is negative")
def leaves_out_what_is_gained(W, u, X, y, lam, order):
    return np.maximum(0, REGRET(W, u, X, y, lam, order))


@wrong("A4.regret", FORM, "it is right, one place too late")
def begins_with_nought(W, u, X, y, lam, order):
    return np.append(0.0, REGRET(W, u, X, y, lam, order)[:-1])


@wrong("A4.regret", FORM, "the right value is yours without the first")
def has_one_round_too_many(W, u, X, y, lam, order):
    return [0.0, *REGRET(W, u, X, y, lam, order)]


@wrong("A4.regret", FACTOR, "1/T times what is expected")
def divides_by_the_number_of_rounds(W, u, X, y, lam, order):
    return REGRET(W, u, X, y, lam, order) / len(order)


@wrong("A4.regret", INPUT, "the mean of W so far in place of W")
def charges_the_average(W, u, X, y, lam, order):
    t = np.arange(1, len(W) + 1)[:, np.newaxis]
    return REGRET(np.cumsum(W, axis=0) / t, u, X, y, lam, order)


@wrong("A4.bound", FACTOR, "1/lam times what is expected")
def divides_by_lambda_twice(lam, R, T):
    return (2 * R) ** 2 * (1 + np.log(T)) / (2 * lam**2)


@wrong("A4.slope", INPUT, "right without the first of t and gap")
def leaves_out_the_first_point(t, gap):
    return LINE(t[1:], gap[1:])


@wrong("A4.telescope", INPUT, "right for zeros in place of u")
def measures_from_nought(W, u, X, y, lam, order):
    lines = PROOF(W, u, X, y, lam, order)
    lines[2] = PROOF(W, 0 * u, X, y, lam, order)[2]
    return lines


@wrong("A4.telescope", "another-line", "It is line 3 of the proof.")
def exchanges_two_lines(W, u, X, y, lam, order):
    return PROOF(W, u, X, y, lam, order)[[0, 1, 3, 2]]


class Classifier:
    """Right, to be spoiled in one place."""

    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        rng, self.w = np.random.default_rng(0), np.zeros(X.shape[1])
        self.names = np.unique(labels)
        y = self.signs(labels)
        for t, i in enumerate(rng.integers(len(y), size=self.T), start=1):
            self.w = STEP(self.w, X[i], y[i], self.lam, 1 / (self.lam * t))
        return self

    def signs(self, labels):
        return np.where(self.above(labels), 1.0, -1.0)

    def above(self, labels):
        return labels == self.names[1]

    def predict(self, X):
        return np.where(X @ self.w > 0, self.names[1], self.names[0])


@wrong("A1.classifier", "label-of-the-first-row", "on 0% of the points")
class CountsOnTheFirstLabel(Classifier):
    def above(self, labels):
        return labels == labels[0]


@wrong(
    "A1.classifier",
    "one-number-for-many",
    "returned one number; expected shape (40,)",
)
class PredictsForOneRow(Classifier):
    def predict(self, X):
        return self.names[int(X[0] @ self.w > 0)]


@wrong("A1.classifier", "lambda-has-no-effect", "with lam = 20")
class KeepsOneLambda(Classifier):
    def __init__(self, lam, T):
        super().__init__(0.01, T)


@wrong("A1.classifier", "one-label-has-no-effect", "on 75% of the points")
class GivesNoughtsAndOnes(Classifier):
    def signs(self, labels):
        return 1.0 * self.above(labels)


@wrong("A1.classifier", "exchanged-labels-have-no-effect", "on 20% of")
class TrainsOnOneLabelAlone(Classifier):
    def signs(self, labels):
        return np.full(len(labels), -1.0)


HALVES = "right-in-some-entries"


@wrong("A1.predict", HALVES, "right for scores from")
def wants_a_score_of_a_thousandth(w, X):
    return np.sign(X @ w - 1e-3)


@wrong("A1.predict", HALVES, "and wrong from -0.375 to -1e-08")
def rounds_the_scores(w, X):
    return np.where(np.round(X @ w) >= 0, 1, -1)


@wrong("A1.predict", HALVES, "number 5: yours is -1; expected 1")
def is_wrong_where_nobody_looks(w, X):
    return np.where((X @ w > 0) & (X @ w < 0.8), 1, -1)


@wrong("A2.log_loss", HALVES, "to 9.875, and wrong from 10.12 to")
def calls_a_small_loss_nought(margin):
    return np.where(margin > 10, 0, np.logaddexp(0, -margin))


@wrong("A2.probability", HALVES, "from -4.875 to 4.875, and wrong")
def cuts_the_score_at_five(w, X):
    return 1 / (1 + np.exp(-np.clip(X @ w, -5, 5)))
