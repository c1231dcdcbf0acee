"""Mistakes that had no name when they were written; each has one now.

They are of 120 that were written by one hand to find such. The other 80 had a
name at once, or have none yet.
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
