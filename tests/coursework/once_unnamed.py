"""Mistakes that had no name when they were written; each has one now.

They are of 177 that were written by two hands to find such. The others had a
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
