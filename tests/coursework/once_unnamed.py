"""Mistakes that had no name when they were written; each has one now.

They are of 605 that were written by four hands to find such. The others had
a name at once, or have none yet.
"""

import numpy as np

WRONG: list = []  # (task, answer, name)


def wrong(task, name):
    def register(answer):
        WRONG.append((task, answer, name))
        return answer

    return register


@wrong("A1.pegasos", "t-counts-down")
def counts_down(X, y, lam, order):
    w = np.zeros(X.shape[1])
    T = len(order)
    for t, i in enumerate(order):
        eta = 1 / (lam * (T - t))
        if y[i] * (w @ X[i]) < 1:
            w = (1 - eta * lam) * w + eta * y[i] * X[i]
        else:
            w = (1 - eta * lam) * w
    return w


@wrong("A1.objective", "divided-by-another-number")
def divides_by_d(w, X, y, lam):
    return (
        lam / 2 * w @ w + np.sum(np.maximum(0, 1 - y * (X @ w))) / X.shape[1]
    )


@wrong("A1.visits", "never-the-first-row")
def counts_rows_from_one(n, T, seed):
    return np.random.default_rng(seed).integers(1, n + 1, size=T)


@wrong("A1.visits", "fewer-rows-than-T")
def one_pass_only(n, T, seed):
    rng = np.random.default_rng(seed)
    return rng.permutation(n)[:T]


@wrong("A1.predict", "labels-zero-and-one")
def compares_with_nought(w, X):
    return X @ w >= 0


@wrong("A1.pegasos", "one-weight-not-shrunk")
def keeps_the_first_weight(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        m = y[i] * (w @ X[i])
        w[1:] = (1 - eta * lam) * w[1:]
        if m < 1:
            w = w + eta * y[i] * X[i]
    return w


@wrong("A1.step", "returns-the-change")
def only_what_is_added(w, x, label, lam, eta):
    if label * (w @ x) < 1:
        return -eta * lam * w + eta * label * x
    return -eta * lam * w


@wrong("A1.objective", "loss-of-the-mean-margin")
def hinge_of_the_mean(w, X, y, lam):
    return lam / 2 * w @ w + max(0, 1 - np.mean(y * (X @ w)))


@wrong("A1.visits", "draws-without-putting-back")
def without_putting_back(n, T, seed):
    return np.random.default_rng(seed).choice(n, T, replace=False)


@wrong("A1.projected", "last-step-not-projected")
def projects_before_a_step(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        norm = np.linalg.norm(w)
        if norm > 1 / np.sqrt(lam):
            w = w / norm / np.sqrt(lam)
        eta = 1 / (lam * t)
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if m < 1:
            w = w + eta * y[i] * X[i]
    return w


@wrong("A1.projected", "ball-of-another-radius")
def radius_without_root(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if m < 1:
            w = w + eta * y[i] * X[i]
        norm = np.linalg.norm(w)
        if norm > 1 / lam:
            w = w / norm / lam
    return w


@wrong("A2.slope", "slope-of-the-exponential")
def slope_of_exp(margin):
    return -np.exp(-np.clip(margin, -700, 700))


@wrong("A1.pegasos", "shrinks-by-the-sign")
def shrinks_by_signs(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = y[i] * (w @ X[i]) < 1
        w = w - eta * lam * np.sign(w) + hit * eta * y[i] * X[i]
    return w


@wrong("A1.pegasos", "shrink-of-another-form")
def shrinks_the_others_without_lambda(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        if y[i] * (w @ X[i]) < 1:
            w = (1 - eta * lam) * w + eta * y[i] * X[i]
        else:
            w = (1 - eta) * w
    return w


@wrong("A1.pegasos", "two-entries-a-step")
def takes_pairs(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order) // 2 + 1):
        g = lam * w
        for i in order[2 * t - 2 : 2 * t]:
            if y[i] * (w @ X[i]) < 1:
                g = g - y[i] * X[i] / 2
        w = w - g / (lam * t)
    return w


@wrong("A1.pegasos", "entries-left-out")
def takes_every_other(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order[::2], 1):
        eta = 1 / (lam * t)
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if m < 1:
            w = w + eta * y[i] * X[i]
    return w


@wrong("A1.pegasos", "entries-cut-off-one-by-one")
def clips_each_weight(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if m < 1:
            w = w + eta * y[i] * X[i]
        w = np.clip(w, -1, 1)
    return w


@wrong("A1.step", "shrinks-by-the-step + added-divided-by-lambda")
def divides_by_lam_again(w, x, label, lam, eta):
    return (1 - eta) * w + (label * (w @ x) < 1) * eta / lam * label * x


@wrong("A1.step_size", "upside-down")
def lam_times_t(lam, t):
    return lam * t


@wrong("A1.objective", "labels-zero-and-one")
def labels_of_nought_and_one(w, X, y, lam):
    z = (y + 1) / 2
    return lam / 2 * w @ w + np.mean(np.maximum(0, 1 - z * (X @ w)))


@wrong("A1.objective", "divided-by-lambda")
def divides_by_lam(w, X, y, lam):
    return w @ w / (2 * lam) + np.mean(np.maximum(0, 1 - y * (X @ w)))


@wrong("A1.projected", "never-shrinks")
def projects_and_never_shrinks(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        if y[i] * (w @ X[i]) < 1:
            w = w + eta * y[i] * X[i]
        w = w * min(1, 1 / np.sqrt(lam) / max(np.linalg.norm(w), 1e-300))
    return w


@wrong("A2.log_loss", "hinge-for-log-loss")
def hinge_at_nought(margin):
    return np.maximum(0, -margin)


@wrong("A2.slope", "difference-quotient")
def quotient_of_differences(margin):
    def f(m):
        return np.logaddexp(0, -m)

    return (f(margin + 0.1) - f(margin)) / 0.1


@wrong("A2.probability", "score-with-a-factor")
def doubles_the_score(w, X):
    return 1 / (1 + np.exp(np.clip(-2 * (X @ w), -700, 700)))


@wrong("A4.regret", "against-another-point")
def against_the_last(W, u, X, y, lam, order):
    Xo, yo = X[order], y[order]

    def f(V):
        hinge = np.maximum(0, 1 - yo * np.sum(V * Xo, -1))
        return lam / 2 * np.sum(V**2, -1) + hinge

    return np.cumsum(f(W) - f(np.broadcast_to(W[-1], W.shape)))


@wrong("A4.bound", "logarithm-forgotten")
def no_logarithm(lam, R, T):
    return (2 * R) ** 2 * (1 + T) / (2 * lam)


# Of another 99, in many styles, those that had no name, or an untrue one


@wrong("A1.pegasos", "step-of-another-form")
def divides_the_step_again(X, y, lam, order):
    w, eta = np.zeros(X.shape[1]), 1 / lam
    for t, i in enumerate(order, 1):
        eta = eta / t
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w
        if m < 1:
            w = w + eta * y[i] * X[i]
    return w


@wrong("A1.pegasos", "some-steps-change-nothing")
def leaves_out_what_comes_twice(X, y, lam, order):
    w, last = np.zeros(X.shape[1]), None
    for t, i in enumerate(order, 1):
        if i == last:
            continue
        last, m = i, y[i] * (w @ X[i])
        w = (1 - 1 / t) * w
        if m < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w


@wrong("A1.pegasos", "addition-of-another-form")
def takes_the_sign_of_the_gap(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        m = y[i] * (w @ X[i])
        w = (1 - 1 / t) * w + np.sign(1 - m) * y[i] * X[i] / (lam * t)
    return w


@wrong("A1.predict", "right-for-another-input")
def looks_at_the_first_column(w, X):
    return np.where(X[:, 0] * w[0] > 0, 1, -1)


@wrong("A1.projected", "ends-outside-the-ball")
def projects_before_adding(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        m = y[i] * (w @ X[i])
        w = (1 - 1 / t) * w
        length = np.linalg.norm(w)
        if length > 0:
            w = w * min(1, 1 / np.sqrt(lam) / length)
        if m < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w


@wrong("A1.visits", "some-seeds-give-the-same")
def halves_the_seed(n, T, seed):
    return np.random.default_rng(seed // 2).integers(n, size=T)


@wrong("A1.visits", "some-seeds-give-the-same")
def knows_three_seeds(n, T, seed):
    return np.random.RandomState(seed % 3).randint(0, n, T)


@wrong("A1.pegasos", "lambda-squared-in-the-step")
def divides_by_lam_squared(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam**2 * t)
        m = y[i] * (w @ X[i])
        w = (1 - eta * lam) * w + (m < 1) * eta * y[i] * X[i]
    return w


@wrong("A3.pegasos", "first-violator-missed")
def compares_nought_with_nought(X, y, lam, order):
    v = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        cols, vals = row_of(X, i)
        if y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
    return v / (lam * max(1, len(order)))


@wrong("A4.regret", "term-of-another-form")
def takes_the_label_of_the_next(W, u, X, y, lam, order):
    x, s = X[order], y[np.roll(order, -1)]
    paid = lam / 2 * (np.sum(W**2, axis=1) - u @ u)
    paid += np.maximum(0, 1 - s * np.sum(W * x, axis=1))
    return np.cumsum(paid - np.maximum(0, 1 - s * (x @ u)))


# Of another 56, by another hand, that had no name, or (the first) passed


def row_of(X, i):
    lo, hi = X.indptr[i], X.indptr[i + 1]
    return X.indices[lo:hi], X.data[lo:hi]


@wrong("A1.pegasos", "starts-elsewhere")
def random_start(X, y, lam, order):
    w = np.random.default_rng(0).normal(size=X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        if y[i] * (w @ X[i]) < 1:
            w = (1 - eta * lam) * w + eta * y[i] * X[i]
        else:
            w = (1 - eta * lam) * w
    return w


@wrong("A1.pegasos", "margin-anew-for-each-column")
def margin_inside_the_coordinate_loop(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        for j in range(len(w)):
            if y[i] * np.dot(w, X[i]) < 1:
                w[j] = (1 - eta * lam) * w[j] + eta * y[i] * X[i, j]
            else:
                w[j] = (1 - eta * lam) * w[j]
    return w


@wrong("A1.pegasos", "steps-with-momentum")
def momentum(X, y, lam, order):
    w, v = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        g = lam * w
        if y[i] * (w @ X[i]) < 1:
            g = g - y[i] * X[i]
        v = 0.9 * v + g
        w = w - v / (lam * t)
    return w


@wrong("A1.pegasos", "tests-each-column-alone")
def margin_by_product_not_sum(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = y[i] * (w * X[i]) < 1
        w = (1 - eta * lam) * w + eta * y[i] * X[i] * hit
    return w


@wrong("A2.probability", "softmax-over-rows")
def softmax_of_scores(w, X):
    s = X @ w
    e = np.exp(s - s.max())
    return e / e.sum()


@wrong("A3.average", "mean-moved-by-one-over-T")
def running_mean_by_T(X, y, lam, order):
    d, T = X.shape[1], len(order)
    v, mean = np.zeros(d), np.zeros(d)
    for t, i in enumerate(order, 1):
        cols, vals = row_of(X, i)
        s = v[cols] @ vals
        w = v / (lam * (t - 1)) if t > 1 else v
        mean += (w - mean) / T
        if t == 1 or y[i] * s < lam * (t - 1):
            v[cols] += y[i] * vals
    return mean


@wrong("A3.average", "factors-one-step-late")
def harmonic_one_late(X, y, lam, order):
    d, T = X.shape[1], len(order)
    H = np.concatenate([[0], np.cumsum(1 / np.arange(1, T + 1))])
    v, q = np.zeros(d), np.zeros(d)
    for t, i in enumerate(order, 1):
        cols, vals = row_of(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
            q[cols] += (H[T - 1] - H[t]) * y[i] * vals
    return q / (lam * T)


@wrong("A3.average", "all-divided-by-the-last-t")
def weights_not_counted(X, y, lam, order):
    d, T = X.shape[1], len(order)
    v, q = np.zeros(d), np.zeros(d)
    for t, i in enumerate(order, 1):
        cols, vals = row_of(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
            q[cols] += (T - t) * y[i] * vals
    return q / (lam * T * T)


@wrong("A4.regret", "distance-for-two-lengths")
def squared_distance_regulariser(W, u, X, y, lam, order):
    x, s = X[order], y[order]
    paid = lam / 2 * np.sum((W - u) ** 2, axis=1)
    paid += np.maximum(0, 1 - s * np.sum(W * x, axis=1)) - np.maximum(
        0, 1 - s * (x @ u)
    )
    return np.cumsum(paid)


@wrong("A4.regret", "loss-of-the-difference")
def hinge_of_the_difference(W, u, X, y, lam, order):
    x, s = X[order], y[order]
    paid = lam / 2 * (np.sum(W**2, axis=1) - u @ u)
    paid += np.maximum(0, 1 - s * np.sum((W - u) * x, axis=1))
    return np.cumsum(paid)


@wrong("A4.regret", "gains-left-out")
def never_negative(W, u, X, y, lam, order):
    x, s = X[order], y[order]
    paid = lam / 2 * (np.sum(W**2, axis=1) - u @ u)
    paid += np.maximum(0, 1 - s * np.sum(W * x, axis=1)) - np.maximum(
        0, 1 - s * (x @ u)
    )
    return np.cumsum(np.maximum(0, paid))


@wrong("A4.bound", "sum-for-logarithm")
def bound_counts_harmonic(lam, R, T):
    return (2 * R) ** 2 * sum(1 / t for t in range(1, T + 1)) / (2 * lam)


@wrong("A4.telescope", "length-not-squared")
def gradient_length_not_squared(W, u, X, y, lam, order):
    T = len(order)
    out = np.zeros((4, T))
    for t, i in enumerate(order, 1):
        w = W[t - 1]
        z = y[i] * X[i]
        g = lam * w - (w @ z < 1) * z
        out[0, t - 1] = (
            lam / 2 * (w @ w - u @ u) + max(0, 1 - w @ z) - max(0, 1 - u @ z)
        )
        out[1, t - 1] = g @ (w - u) - lam / 2 * np.sum((w - u) ** 2)
        out[2, t - 1] = (
            lam
            / 2
            * ((t - 1) * np.sum((w - u) ** 2) - t * np.sum((W[t] - u) ** 2))
        )
        out[3, t - 1] = np.linalg.norm(g) / (2 * lam * t)
    return out


@wrong("A4.telescope", "line-with-its-sign-turned")
def distances_to_next_swapped(W, u, X, y, lam, order):
    T = len(order)
    out = np.zeros((4, T))
    for t, i in enumerate(order, 1):
        w = W[t - 1]
        z = y[i] * X[i]
        g = lam * w - (w @ z < 1) * z
        out[0, t - 1] = (
            lam / 2 * (w @ w - u @ u) + max(0, 1 - w @ z) - max(0, 1 - u @ z)
        )
        out[1, t - 1] = g @ (w - u) - lam / 2 * np.sum((w - u) ** 2)
        out[2, t - 1] = (
            lam
            / 2
            * (t * np.sum((W[t] - u) ** 2) - (t - 1) * np.sum((w - u) ** 2))
        )
        out[3, t - 1] = g @ g / (2 * lam * t)
    return out


@wrong("A4.learner", "follows-the-last-example")
def follows_the_last_example(Z, lam):
    return Z[-1] / lam if len(Z) else np.zeros(2)


@wrong("A1.visits", "a-row-never-drawn")
def leaves_out_the_last_row(n, T, seed):
    return np.random.default_rng(seed).integers(0, n - 1, size=T)


@wrong("A1.step_size", "whole-numbers-only")
def divides_whole_numbers(lam, t):
    return 1 // (lam * t)


@wrong("A1.step_size", "few-digits")
def guards_the_division(lam, t):
    return 1 / (lam * t + 1e-6)


@wrong("A1.step_size", "wrong-in-one-argument")
def falls_like_an_exponential(lam, t):
    return 1 / lam * np.exp(-t)


@wrong("A1.step", "term-with-another-factor")
def squares_the_step(w, x, label, lam, eta):
    new = (1 - eta * lam) * w
    return new + eta**2 * label * x if label * (w @ x) < 1 else new


@wrong("A1.step", "shrink-of-another-form")
def forgets_w_where_the_margin_is_large(w, x, label, lam, eta):
    if label * (w @ x) < 1:
        return (1 - eta * lam) * w + eta * label * x
    return np.zeros_like(w)


@wrong("A1.step", "test-decides-otherwise")
def tests_the_length_of_x(w, x, label, lam, eta):
    new = (1 - eta * lam) * w
    return new + eta * label * x if label * (w @ x) < x @ x else new


@wrong("A1.step", "no-sum-of-w-and-x")
def multiplies_entry_by_entry(w, x, label, lam, eta):
    new = (1 - eta * lam) * w
    return new + eta * label * w * x if label * (w @ x) < 1 else new


@wrong("A1.objective", "right-but-for-a-factor")
def forgets_no_mean_but_all(w, X, y, lam):
    losses = np.maximum(0, 1 - y * (X @ w))
    return len(y) * (lam / 2 * w @ w + losses.mean())


@wrong("A1.objective", "few-digits")
def rounds_the_objective(w, X, y, lam):
    losses = np.maximum(0, 1 - y * (X @ w))
    return round(float(lam / 2 * w @ w + losses.mean()), 3)


@wrong("A1.predict", "right-for-another-input")
def cuts_at_the_mean(w, X):
    scores = X @ w
    return np.where(scores > scores.mean(), 1, -1)


@wrong("A1.wasted", "counts-the-entries-in-use")
def counts_what_is_used(X, rows):
    return np.mean(X[np.ravel(rows)] != 0)


@wrong("A1.wasted", "all-rows-of-X")
def counts_in_all_rows(X, rows):
    return np.mean(X == 0)


@wrong("A1.wasted", "each-row-once")
def counts_each_row_once(X, rows):
    return np.mean(X[np.unique(rows)] == 0)


@wrong("A1.wasted", "number-for-share")
def counts_and_does_not_divide(X, rows):
    return np.sum(X[np.ravel(rows)] == 0)


@wrong("A1.wasted", "in-percent")
def says_it_in_percent(X, rows):
    return 100 * np.mean(X[np.ravel(rows)] == 0)


class Trained:
    """A classifier with a right solver, to be spoiled in one place."""

    def __init__(self, lam, T):
        self.lam, self.T = lam, T

    def fit(self, X, labels):
        self.names = np.unique(labels)
        self.w = self.train(X, np.where(self.above(labels), 1.0, -1.0))
        return self

    def above(self, labels):
        return labels == self.names[1]

    def train(self, X, y):
        rng, w = np.random.default_rng(0), np.zeros(X.shape[1])
        for t in range(1, self.T + 1):
            i = rng.integers(len(y))
            hit = y[i] * (w @ X[i]) < 1
            w = (1 - 1 / t) * w + hit * y[i] * X[i] / (self.lam * t)
        return w

    def predict(self, X):
        return np.where(X @ self.w > 0, self.names[1], self.names[0])


@wrong("A1.classifier", "T-has-no-effect")
class TakesOneStep(Trained):
    def train(self, X, y):
        return y[0] * X[0] / self.lam


@wrong("A1.classifier", "right-for-some-labels-only")
class CountsOnAOne(Trained):
    def above(self, labels):
        return np.array([label == 1 for label in labels])


@wrong("A1.classifier", "one-label-for-all")
class ForgetsToTrain(Trained):
    def train(self, X, y):
        return np.zeros(X.shape[1])


@wrong("A1.classifier", "calculates-with-text")
class TrainsOnTheNames(Trained):
    def train(self, X, y):
        return super().train(X, np.asarray(self.given))

    def fit(self, X, labels):
        self.given = labels
        return super().fit(X, labels)


@wrong("A1.projected", "projected-at-the-end-only")
def projects_at_the_end(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    length = np.linalg.norm(w)
    return w * min(1, 1 / (np.sqrt(lam) * length)) if length else w


@wrong("A1.projected", "inside-by-another-number")
def compares_the_square_with_the_radius(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        if w @ w > lam**-0.5:
            w = w / np.linalg.norm(w) / np.sqrt(lam)
    return w


@wrong("A2.log_loss", "right-for-another-input")
def leaves_out_the_linear_part(margin):
    return np.log1p(np.exp(-np.abs(margin)))


@wrong("A2.slope", "right-for-another-input")
def takes_the_size_of_the_margin(margin):
    e = np.exp(-np.abs(margin))
    return -e / (1 + e)


@wrong("A2.curvature", "first-derivative")
def differentiates_once(margin):
    return -0.5 * (1 - np.tanh(margin / 2))


@wrong("A2.curvature", "sign-turned")
def turns_the_curvature(margin):
    e = np.exp(-np.abs(margin))
    return -e / (1 + e) ** 2


@wrong("A2.curvature", "slope-squared")
def squares_the_slope(margin):
    return 0.25 * (1 - np.tanh(margin / 2)) ** 2


@wrong("A4.regret", "right-for-another-input")
def forgets_the_length_of_u(W, u, X, y, lam, order):
    def hinge(w, i):
        return max(0, 1 - y[i] * (w @ X[i]))

    return np.cumsum(
        [lam / 2 * w @ w + hinge(w, i) - hinge(u, i) for w, i in zip(W, order)]
    )


@wrong("A4.bound", "right-but-for-a-factor")
def bounds_one_round(lam, R, T):
    return (2 * R) ** 2 * (1 + np.log(T)) / (2 * lam * T)


def proof(W, u, X, y, lam, order):
    """The right lines, and the numbers of the rounds."""
    t, w, after = np.arange(1, len(order) + 1), W[:-1], W[1:]
    z = y[order, None] * X[order]
    margin, theirs = (z * w).sum(axis=1), z @ u
    g = lam * w - (margin < 1)[:, None] * z
    near, far = (((a - u) ** 2).sum(axis=1) for a in (w, after))
    paid = lam / 2 * ((w**2).sum(axis=1) - u @ u)
    paid = paid + np.maximum(0, 1 - margin) - np.maximum(0, 1 - theirs)
    tangent = (g * (w - u)).sum(axis=1) - lam / 2 * near
    lines = paid, tangent, lam / 2 * ((t - 1) * near - t * far)
    return np.array([*lines, (g**2).sum(axis=1) / (2 * lam * t)]), t


@wrong("A4.telescope", "rounds-one-below-the-other")
def writes_rounds_below_each_other(*given):
    return proof(*given)[0].T


@wrong("A4.telescope", "losses-without-regulariser")
def pays_losses_only(W, u, X, y, lam, order):
    lines, _ = proof(W, u, X, y, lam, order)
    lines[0] -= lam / 2 * ((W[:-1] ** 2).sum(axis=1) - u @ u)
    return lines


@wrong("A4.telescope", "term-with-another-factor")
def adds_the_distance(W, u, X, y, lam, order):
    lines, _ = proof(W, u, X, y, lam, order)
    lines[1] += lam * ((W[:-1] - u) ** 2).sum(axis=1)
    return lines


@wrong("A4.telescope", "term-with-another-factor")
def counts_a_round_too_many(W, u, X, y, lam, order):
    lines, t = proof(W, u, X, y, lam, order)
    near, far = (((a - u) ** 2).sum(axis=1) for a in (W[:-1], W[1:]))
    lines[2] = lam / 2 * (t * near - (t + 1) * far)
    return lines


@wrong("A4.telescope", "another-power-of-t")
def forgets_to_divide_by_t(*given):
    lines, t = proof(*given)
    lines[3] *= t
    return lines


@wrong("A4.telescope", "distance-not-squared")
def takes_plain_distances(W, u, X, y, lam, order):
    lines, t = proof(W, u, X, y, lam, order)
    near, far = (np.linalg.norm(a - u, axis=1) for a in (W[:-1], W[1:]))
    lines[2] = lam / 2 * ((t - 1) * near - t * far)
    return lines


def fitted(t, a, b):
    return np.ravel([np.polyfit(np.log(t), np.log(c), 1) for c in (a, b)])


@wrong("A4.crossing", "powers-of-another-base")
def raises_ten_to_it(t, a, b):
    p, h, q, k = fitted(t, a, b)
    return 10 ** ((h - k) / (q - p))


@wrong("A4.crossing", "slopes-added")
def adds_the_slopes(t, a, b):
    p, h, q, k = fitted(t, a, b)
    return np.exp((h - k) / (q + p))


@wrong("A4.crossing", "line-through-two-points")
def joins_the_ends(t, a, b):
    ends = [0, -1]
    p, h, q, k = fitted(t[ends], a[ends], b[ends])
    return np.exp((h - k) / (q - p))


@wrong("A1.visits", "some-rows-ignore-the-seed")
def walks_the_first_epoch_by_one_seed(n, T, seed):
    rng, rows = np.random.default_rng(seed), np.random.default_rng(0)
    rows = list(rows.permutation(n))
    while len(rows) < T:
        rows.extend(rng.permutation(n))
    return rows[:T]


@wrong("A1.visits", "differs-from-call-to-call")
def forgets_the_seed_of_what_is_left(n, T, seed):
    rng = np.random.default_rng(seed)
    whole = [rng.permutation(n) for _ in range(T // n)]
    rest = np.random.default_rng().permutation(n)[: T % n]
    return np.concatenate([*whole, rest])


@wrong("A1.predict", "other-labels-than-asked")
def squashes_the_scores(w, X):
    return np.tanh(X @ w)


@wrong("A1.predict", "right-for-another-input")
def reads_w_from_its_end(w, X):
    return np.where(X @ w[::-1] >= 0, 1, -1)


@wrong("A3.pegasos", "shrink-of-another-form")
def lets_the_scale_be_no_smaller(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[at], X.data[at]
        hit = y[i] * a * (v[columns] @ values) < 1
        a = max(a * (1 - 1 / t), 1e-3) if t > 1 else a
        if hit:
            v[columns] += y[i] * values / (lam * t * a)
    return a * v


# Once named after what else does the same: a wrong sign, a wrong test.


@wrong("A3.pegasos", "scale-nearly-zero-at-the-start")
def adds_a_little_to_the_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[at], X.data[at]
        hit = y[i] * a * (v[columns] @ values) < 1
        a = (1 - 1 / t) * a + 1e-10
        if hit:
            v[columns] += y[i] * values / (lam * t * a)
    return a * v


@wrong("A3.pegasos", "scale-nearly-zero-at-the-start")
def lets_the_scale_be_a_little_more_than_zero(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[at], X.data[at]
        hit = y[i] * a * (v[columns] @ values) < 1
        a = max((1 - 1 / t) * a, 1e-12)
        if hit:
            v[columns] += y[i] * values / (lam * t * a)
    return a * v


@wrong("A3.pegasos", "scale-nearly-zero-at-the-start")
def divides_by_a_little_more_than_the_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[at], X.data[at]
        hit = y[i] * a * (v[columns] @ values) < 1
        a *= 1 - 1 / t
        if hit:
            v[columns] += y[i] * values / (lam * t * (a + 1e-8))
    return a * v


@wrong("A3.pegasos", "grows-instead-of-shrinks")
def has_the_other_sign_in_the_scale(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        at = slice(X.indptr[i], X.indptr[i + 1])
        columns, values = X.indices[at], X.data[at]
        hit = y[i] * a * (v[columns] @ values) < 1
        a *= 1 + 1 / t
        if hit:
            v[columns] += y[i] * values / (lam * t * a)
    return a * v


@wrong("A1.pegasos", "w-stays-at-zero")
def multiplies_w_by_the_example(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = y[i] * (X[i] @ w) < 1
        w = w * ((1 - eta * lam) + hit * eta * y[i] * X[i])
    return w


@wrong("A1.pegasos", "w-stays-at-zero")
def closes_the_bracket_of_one_minus_too_early(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = max(0, (1 - y[i]) * (X[i] @ w)) > 0
        w = (1 - eta * lam) * w + hit * eta * y[i] * X[i]
    return w


@wrong("A2.pegasos", "adds-the-residual")
def follows_twice_the_residual(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        residual = X[i] @ w - y[i]
        w = w - (lam * w + 2 * residual * X[i]) / (lam * t)
    return w


@wrong("A2.pegasos", "adds-the-residual + wrong-sign")
def follows_it_uphill(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        residual = X[i] @ w - y[i]
        w = w - (lam * w - 2 * residual * X[i]) / (lam * t)
    return w


@wrong("A2.pegasos", "adds-the-residual")
def subtracts_the_score_from_zero_or_one(X, y, lam, order):
    w, labels = np.zeros(X.shape[1]), (y + 1) / 2
    for t, i in enumerate(order, 1):
        w = w - (lam * w + (X[i] @ w - labels[i]) * X[i]) / (lam * t)
    return w


@wrong("A2.pegasos", "updates-only-when-wrong")
def subtracts_the_sign_of_the_score(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        error = y[i] - np.sign(X[i] @ w)
        w = (1 - 1 / t) * w + error * X[i] / (lam * t)
    return w


@wrong("A2.pegasos", "tanh-for-sigmoid")
def takes_tanh_for_the_chance(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        error = y[i] - np.tanh(X[i] @ w)
        w = (1 - 1 / t) * w + error * X[i] / (lam * t)
    return w


@wrong("A2.pegasos", "tanh-for-sigmoid")
def forgets_the_half_in_tanh(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        pull = 0.5 * (1 - np.tanh(y[i] * (X[i] @ w)))
        w = (1 - 1 / t) * w + pull * y[i] * X[i] / (lam * t)
    return w


def by_the_scale(entries, score=None, addition=None):
    """A sparse solver with its own way to read row i.

    Parameters
    ----------
    entries : callable
        (X, i) -> the columns and the values of a row.
    score, addition : callable, optional
        (columns, values) -> what is used in their place.
    """

    def unchanged(columns, values):
        return values

    score, addition = score or unchanged, addition or unchanged

    def solver(X, y, lam, order):
        a, v = 1.0, np.zeros(X.shape[1])
        for t, i in enumerate(order, 1):
            columns, values = entries(X, i)
            inner = (v[columns] * score(columns, values)).sum()
            hit = y[i] * a * inner < 1
            a = 1.0 if t == 1 else (1 - 1 / t) * a
            if hit:
                more = addition(columns, values)
                v[columns] += y[i] * more / (lam * t * a)
        return a * v

    return solver


def of_the_row(X, i):
    at = slice(X.indptr[i], X.indptr[i + 1])
    return X.indices[at], X.data[at]


def sliced(first, last):
    def entries(X, i):
        at = slice(first(X, i), last(X, i))
        return X.indices[at], X.data[at]

    return entries


def counts_as_one(columns, values):
    return np.ones(len(columns))


def is_the_column(columns, values):
    return columns


for _name, _answer in (
    (
        "one-entry-for-a-row",
        by_the_scale(sliced(lambda X, i: i, lambda X, i: i + 1)),
    ),
    (
        "first-entry-of-each-row-alone",
        by_the_scale(
            sliced(lambda X, i: X.indptr[i], lambda X, i: X.indptr[i] + 1)
        ),
    ),
    (
        "values-of-other-entries",
        by_the_scale(
            lambda X, i: (of_the_row(X, i)[0], X.data[of_the_row(X, i)[0]])
        ),
    ),
    ("values-have-no-effect", by_the_scale(of_the_row, *[counts_as_one] * 2)),
    ("values-not-in-the-score", by_the_scale(of_the_row, counts_as_one)),
    (
        "values-not-in-the-addition",
        by_the_scale(of_the_row, addition=counts_as_one),
    ),
    (
        "values-have-no-effect",
        by_the_scale(of_the_row, *[is_the_column] * 2),
    ),
    (
        "column-numbers-for-values",
        by_the_scale(of_the_row, addition=is_the_column),
    ),
    (
        "column-numbers-for-values",
        by_the_scale(of_the_row, is_the_column),
    ),
):
    wrong("A3.pegasos", _name)(_answer)


@wrong("A1.objective", "label-outside-the-bracket")
def multiplies_the_bracket_by_the_label(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(np.maximum(0, y * (1 - X @ w)))


@wrong("A1.objective", "label-outside-the-bracket")
def the_same_without_max(w, X, y, lam):
    return lam / 2 * w @ w + np.mean(y * (1 - X @ w))


@wrong("A4.regret", "label-outside-the-bracket")
def regret_of_such_losses(W, u, X, y, lam, order):
    def cost(w, i):
        return lam / 2 * w @ w + max(0, y[i] * (1 - X[i] @ w))

    return np.cumsum([cost(w, i) - cost(u, i) for w, i in zip(W, order)])


@wrong("A1.step", "label-outside-the-bracket")
def tests_such_a_loss(w, x, label, lam, eta):
    gradient = lam * w
    if label * (1 - w @ x) > 0:
        gradient = gradient - label * x
    return w - eta * gradient


@wrong("A1.pegasos", "label-outside-the-bracket")
def tests_such_losses(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        w = tests_such_a_loss(w, X[i], y[i], lam, 1 / (lam * t))
    return w


@wrong("A1.objective", "arguments-exchanged")
def takes_y_before_X(w, y, X, lam):
    return lam / 2 * w @ w + np.mean(np.maximum(0, 1 - y * (X @ w)))


@wrong("A1.pegasos", "arguments-exchanged")
def solves_with_y_before_X(y, X, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@wrong("A1.projected", "only-the-addition-projected")
def projects_what_is_added(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        added = (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
        length = np.linalg.norm(added)
        if length > 1 / np.sqrt(lam):
            added = added / (length * np.sqrt(lam))
        w = (1 - 1 / t) * w + added
    return w


@wrong("A2.log_loss", "margin-with-wrong-sign + logarithm-of-zero")
def logarithm_of_the_other_chance(margin):
    return -np.log(1 - 1 / (1 + np.exp(-np.clip(margin, -500, 500))))


@wrong("A1.pegasos", "divided-by-lambda-at-the-end")
def divides_once_more(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w / lam


@wrong("A3.average", "average-divided-by-lambda")
def divides_the_average_once_more(X, y, lam, order):
    v, w, total = np.zeros((3, X.shape[1]))
    for t, i in enumerate(order, 1):
        total += w
        part = slice(X.indptr[i], X.indptr[i + 1])
        at, x = X.indices[part], X.data[part]
        if y[i] * (w[at] @ x) < 1:
            v[at] += y[i] * x
        w = v / (lam * t)
    return total / len(order) / lam


@wrong("A1.classifier", "one-label-for-all")
class TakesTheSignForANumber(Trained):
    def predict(self, X):
        return self.names[np.sign(X @ self.w).astype(int)]


@wrong("A1.classifier", "T-has-no-effect")
class TakesTwoHundredSteps(Trained):
    def fit(self, X, labels):
        self.T = 200
        return super().fit(X, labels)


@wrong("A1.pegasos", "order-shuffled")
def shuffles_the_order(X, y, lam, order):
    w = np.zeros(X.shape[1])
    order = np.random.default_rng(0).permutation(order)
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@wrong("A1.visits", "fewer-rows-than-T")
def joins_whole_epochs(n, T, seed):
    rng = np.random.default_rng(seed)
    return np.concatenate([rng.permutation(n) for _ in range(T // n)])


@wrong("A2.probability", "sigmoid-twice")
def squashes_a_probability(w, X):
    p = 1 / (1 + np.exp(-X @ w))
    return 1 / (1 + np.exp(-p))


@wrong("A3.pegasos", "shapes-do-not-fit")
def adds_a_sparse_row(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (X[[i]] @ w)[0] < 1
        w = (1 - 1 / t) * w
        if hit:
            w = w + y[i] * X[[i]] / (lam * t)
    return w


@wrong("A3.projected", "length-without-the-cross-term")
def adds_squares_of_lengths(X, y, lam, order):
    v, a, square = np.zeros(X.shape[1]), 1.0, 0.0
    for t, i in enumerate(order, 1):
        part = slice(X.indptr[i], X.indptr[i + 1])
        at, x = X.indices[part], X.data[part]
        hit = y[i] * a * (v[at] @ x) < 1
        if t == 1:
            v[:], a, square = 0.0, 1.0, 0.0
        else:
            a *= 1 - 1 / t
        if hit:
            z = y[i] * x / (lam * t * a)
            v[at] += z
            square += z @ z
        if a**2 * square > 1 / lam:
            a = 1 / np.sqrt(lam * square)
    return a * v


@wrong("A1.classifier", "classes-of-the-first-rows")
class TakesTheFirstTwoLabels(Trained):
    def fit(self, X, labels):
        self.names = labels[:2]
        self.w = self.train(X, np.where(self.above(labels), 1.0, -1.0))
        return self


@wrong("A1.classifier", "as-many-rows-as-columns")
class DrawsFromAsManyAsColumns(Trained):
    def train(self, X, y):
        return super().train(X[: X.shape[1]], y[: X.shape[1]])


@wrong("A1.classifier", "some-rows-have-no-effect")
class TrainsOnTheFirstHalf(Trained):
    def train(self, X, y):
        half = len(y) // 2
        return super().train(X[:half], y[:half])


@wrong("A1.classifier", "some-rows-have-no-effect")
class PutsATenthAway(Trained):
    def train(self, X, y):
        kept = np.random.default_rng(1).random(len(y)) > 0.1
        return super().train(X[kept], y[kept])


@wrong("A1.classifier", "remembers-an-earlier-fit")
class CollectsTheRows(Trained):
    seen = ()

    def train(self, X, y):
        self.seen = [*self.seen, (X, y)]
        return super().train(
            np.vstack([rows for rows, _ in self.seen]),
            np.concatenate([signs for _, signs in self.seen]),
        )


@wrong("A1.classifier", "remembers-an-earlier-fit")
class GoesOnFromItsWeights(Trained):
    t, w = 0, 0.0

    def train(self, X, y):
        rng, w = np.random.default_rng(0), self.w + np.zeros(X.shape[1])
        for _ in range(self.T):
            self.t += 1
            i = rng.integers(len(y))
            hit = y[i] * (w @ X[i]) < 1
            w = (1 - 1 / self.t) * w + hit * y[i] * X[i] / (self.lam * self.t)
        return w


@wrong("A1.classifier", "some-rows-have-no-effect")
class NeverDrawsTheLastRow(Trained):
    def train(self, X, y):
        return super().train(X[:-1], y[:-1])


@wrong("A1.classifier", "some-rows-have-no-effect")
class NeverDrawsTheFirstRow(Trained):
    def train(self, X, y):
        return super().train(X[1:], y[1:])


@wrong("A1.classifier", "no-steps-below-n")
class MakesWholeRounds(Trained):
    def train(self, X, y):
        self.T = self.T // len(y) * len(y)
        return super().train(X, y)


@wrong("A1.classifier", "remembers-an-earlier-fit")
class KeepsItsFirstLabels(Trained):
    names = ()

    def fit(self, X, labels):
        first = self.names if len(self.names) else np.unique(labels)
        super().fit(X, labels)
        self.names = first
        return self


@wrong("A1.classifier", "label-of-other-points")
class CutsAtTheMeanScore(Trained):
    def predict(self, X):
        scores = X @ self.w
        return self.names[(scores > scores.mean()).astype(int)]


@wrong("A1.classifier", "label-of-other-points")
class StandardisesWhatItGets(Trained):
    def predict(self, X):
        return super().predict((X - X.mean(axis=0)) / X.std(axis=0))


@wrong("A1.classifier", "predict-changes-what-it-predicts")
class TurnsRoundAfterwards(Trained):
    def predict(self, X):
        found = super().predict(X)
        self.w = -self.w
        return found


@wrong("A1.classifier", "lambda-divided-by-n")
class DividesLambda(Trained):
    def train(self, X, y):
        self.lam /= len(y)
        return super().train(X, y)


@wrong("A1.classifier", "lambda-times-n")
class MultipliesLambda(Trained):
    def train(self, X, y):
        self.lam *= len(y)
        return super().train(X, y)


@wrong("A1.classifier", "label-of-the-first-row")
class TakesTheFirstLabelForPlus(Trained):
    def above(self, labels):
        return labels == labels[0]


@wrong("A1.classifier", "classes-swapped")
class SubtractsTheExamples(Trained):
    def train(self, X, y):
        rng, w = np.random.default_rng(5), np.zeros(X.shape[1])
        for t in range(1, self.T + 1):
            i = rng.integers(len(y))
            hit = y[i] * (w @ X[i]) > -1
            w = (1 - 1 / t) * w - hit * y[i] * X[i] / (self.lam * t)
        return w


@wrong("A1.visits", "arguments-exchanged")
def draws_n_of_T(n, T, seed):
    return np.random.default_rng(seed).integers(T, size=n)


@wrong("A1.pegasos", "some-steps-change-nothing")
def makes_five_hundred_steps(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order[:500], 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@wrong("A1.pegasos", "some-steps-change-nothing")
def stops_at_half_a_percent(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        before, hit = w, y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        if t > 1 and np.linalg.norm(w - before) < 5e-3 * np.linalg.norm(w):
            return w
    return w


@wrong("A1.predict", "differs-from-call-to-call")
def guesses(w, X):
    return np.where(np.random.default_rng().random(len(X)) < 0.5, 1, -1)


@wrong("A1.objective", "differs-from-call-to-call")
def takes_a_bootstrap_sample(w, X, y, lam):
    rows = np.random.default_rng().integers(len(y), size=len(y))
    losses = np.maximum(0, 1 - y[rows] * (X[rows] @ w))
    return lam / 2 * w @ w + losses.mean()


@wrong("A1.wasted", "differs-from-call-to-call")
def looks_at_some_of_the_rows(X, rows):
    some = np.random.default_rng().choice(np.ravel(rows), 3)
    return np.mean(X[some] == 0)


@wrong("A1.predict", "none-among-the-entries")
def forgets_those_on_the_line(w, X):
    return [1 if s > 0 else -1 if s < 0 else None for s in X @ w]


@wrong("A4.opponent", "example-without-w")
def has_two_examples_in_turn(t, w, lam, radius):
    return np.array([1.0, 0.0]) if t % 3 else np.array([0.0, 1.0])


for _answer in (
    lambda margin: np.maximum(0, -margin) + np.log1p(1 + np.exp(-abs(margin))),
    lambda margin: np.logaddexp(np.log(2), -margin),
):
    wrong("A2.log_loss", "one-added-twice")(_answer)


for _name, _violates in (
    ("negative", lambda m: m < 0),
    ("right", lambda m: m > 1),
    ("every", lambda m: True),
):

    def _answer(W, u, X, y, lam, order, violates=_violates):
        lines, _ = proof(W, u, X, y, lam, order)
        for t, (w, i) in enumerate(zip(W, order), 1):
            hit = violates(y[i] * (X[i] @ w))
            slope = lam * w - hit * y[i] * X[i]
            lines[1][t - 1] = slope @ (w - u) - lam / 2 * np.sum((w - u) ** 2)
            lines[3][t - 1] = slope @ slope / (2 * lam * t)
        return lines

    _answer.__name__ = f"{_name}_margins_violate"
    wrong("A4.telescope", "other-rounds-violate")(_answer)


@wrong("A4.telescope", "inequality-as-equality")
def subtracts_line_3_from_line_0(W, u, X, y, lam, order):
    lines, _ = proof(W, u, X, y, lam, order)
    lines[2] = lines[0] - lines[3]
    return lines


@wrong("A2.log_loss", "fractions-cut-off")
def fills_an_array_of_the_same_type(margin):
    losses = np.zeros_like(margin)
    for k, m in enumerate(margin):
        losses[k] = np.logaddexp(0, -m)
    return losses


@wrong("A1.pegasos", "t-is-one-twice")
def avoids_to_divide_by_zero(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order):
        eta = 1 / (lam * max(t, 1))
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - eta * lam) * w + hit * eta * y[i] * X[i]
    return w


@wrong("A3.pegasos", "multiplied-by-the-scale")
def multiplies_where_it_should_divide(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        part = slice(X.indptr[i], X.indptr[i + 1])
        at, x = X.indices[part], X.data[part]
        hit = y[i] * a * (v[at] @ x) < 1
        if t > 1:
            a *= 1 - 1 / t
        if hit:
            v[at] += a * y[i] * x / (lam * t)
    return a * v


@wrong("A2.pegasos", "two-cases-kept")
def adds_what_is_on_the_wrong_side(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        m = y[i] * (w @ X[i])
        w = (1 - 1 / t) * w
        if m <= 0:
            w = w + y[i] * X[i] / (1 + np.exp(m)) / (lam * t)
    return w


@wrong("A4.telescope", "another-power-of-t")
def takes_line_2_from_a_wrong_line_3(W, u, X, y, lam, order):
    lines, t = proof(W, u, X, y, lam, order)
    lines[3] *= t
    lines[2] = lines[1] - lines[3]
    return lines


@wrong("A4.regret", "one-maximum-for-both")
def subtracts_inside_the_maximum(W, u, X, y, lam, order):
    z = y[order, None] * X[order]
    more = (z * (u - W)).sum(axis=1)
    lengths = lam / 2 * ((W**2).sum(axis=1) - u @ u)
    return np.cumsum(np.maximum(0, more) + lengths)


@wrong("A4.regret", "term-of-another-form")
def takes_the_last_round_t_times(W, u, X, y, lam, order):
    paid, regrets = 0.0, []
    for t, i in enumerate(order, 1):
        w = W[t - 1]
        paid += lam / 2 * w @ w + max(0, 1 - y[i] * (X[i] @ w))
        of_u = lam / 2 * u @ u + max(0, 1 - y[i] * (X[i] @ u))
        regrets.append(paid - t * of_u)
    return np.array(regrets)


@wrong("A3.pegasos", "columns-left-behind")
def catches_up_with_the_columns_of_a_row(X, y, lam, order):
    w, last = np.zeros(X.shape[1]), np.ones(X.shape[1])
    for t, i in enumerate(order, 1):
        part = slice(X.indptr[i], X.indptr[i + 1])
        at, x = X.indices[part], X.data[part]
        w[at] *= last[at] / max(1, t - 1)  # from step last to step t - 1
        hit = y[i] * (w[at] @ x) < 1
        w[at] *= 1 - 1 / t
        if hit:
            w[at] += y[i] * x / (lam * t)
        last[at] = t
    return w


@wrong("A4.telescope", "subgradient-of-the-loss-only")
def forgets_the_regulariser(W, u, X, y, lam, order):
    lines, _ = proof(W, u, X, y, lam, order)
    lines[1] -= lam * ((W[:-1] * (W[:-1] - u)).sum(axis=1))
    return lines


@wrong("A1.projected", "shortened-to-another-length")
def adds_up_the_entries_for_a_length(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        if np.abs(w).sum() > 1 / np.sqrt(lam):
            w = w / (np.abs(w).sum() * np.sqrt(lam))
    return w


@wrong("A2.pegasos", "some-steps-change-nothing")
def stops_where_little_changes(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        pull = 1 / (1 + np.exp(y[i] * (X[i] @ w)))
        new = (1 - 1 / t) * w + pull * y[i] * X[i] / (lam * t)
        if np.linalg.norm(new - w) < 1e-3:
            return new
        w = new
    return w
