"""Right answers as different people write them: none may be refused."""

import math
import random

import numpy as np


def scalar_loops(X, y, lam, order):
    d = len(X[0])
    w = [0.0] * d
    t = 0
    for i in order:
        t += 1
        score = 0.0
        for j in range(d):
            score += w[j] * X[i][j]
        eta = 1.0 / (lam * t)
        for j in range(d):
            w[j] = (1.0 - eta * lam) * w[j]
            if y[i] * score < 1:
                w[j] += eta * y[i] * X[i][j]
    return w


def two_branches(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        if y[i] * w.dot(X[i]) < 1:
            w = (1 - eta * lam) * w + (eta * y[i]) * X[i]
        else:
            w = (1 - eta * lam) * w
    return w


def in_place(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        violates = y[i] * np.dot(w, X[i]) < 1
        w *= 1 - 1 / t
        if violates:
            w += y[i] / (lam * t) * X[i]
    return w


def at_most_one(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        grad = lam * w
        if y[i] * (w @ X[i]) <= 1:
            grad = grad - y[i] * X[i]
        w = w - grad / (lam * t)
    return w


def gradient_of_max(X, y, lam, order):
    def gradient(w, x, label):
        return lam * w - (label * x if 1 - label * (w @ x) > 0 else 0)

    w = np.zeros(X.shape[1])
    for t in range(len(order)):
        w = w - 1 / (lam * (t + 1)) * gradient(w, X[order[t]], y[order[t]])
    return w


def closed_form(X, y, lam, order):
    v = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        if t == 1 or y[i] * (v @ X[i]) < lam * (t - 1):
            v += y[i] * X[i]
    return v / (lam * len(order))


def kernel_counts(X, y, lam, order):
    signed = X * y[:, None]
    gram = signed @ signed.T
    counts = np.zeros(len(y))
    for t, i in enumerate(order, 1):
        if t == 1 or gram[i] @ counts < lam * (t - 1):
            counts[i] += 1
    return counts @ signed / (lam * len(order))


def while_loop(X, y, lam, order):
    w, t = np.zeros((1, X.shape[1])), 1
    todo = list(order)
    while todo:
        i = todo.pop(0)
        factor = 1.0 if y[i] * (w @ X[i])[0] < 1 else 0.0
        w = (1 - 1 / t) * w + factor * y[i] * X[i : i + 1] / (lam * t)
        t = t + 1
    return w[0]


def column_vectors(X, y, lam, order):
    w = np.zeros((X.shape[1], 1))
    for t, i in enumerate(order, 1):
        x = X[i].reshape(-1, 1)
        indicator = int((y[i] * w.T @ x).item() < 1)
        w = w - 1 / (lam * t) * (lam * w - indicator * y[i] * x)
    return w.ravel()


def with_options(X, y, lam, order, start=None, verbose=False):
    w = np.zeros(X.shape[1]) if start is None else start
    history = []
    for t, i in enumerate(order, 1):
        history.append(math.sqrt(w @ w))
        w = w * (1 - 1 / t) + (y[i] * (X[i] @ w) < 1) * y[i] * X[i] / lam / t
    return w


class _Solver:
    def __init__(self):
        self.t = 0

    def step(self, w, x, label, lam):
        self.t += 1
        eta = 1 / (lam * self.t)
        violates = label * sum(a * b for a, b in zip(w, x)) < 1
        return [
            a - eta * (lam * a - violates * label * b) for a, b in zip(w, x)
        ]


def with_a_class(X, y, lam, order):
    solver, w = _Solver(), [0.0] * X.shape[1]
    for i in order.tolist():
        w = solver.step(w, X[i].tolist(), y[i].item(), lam)
    return np.array(w)


def remembers_everything(X, y, lam, order):
    W = np.zeros((len(order) + 1, X.shape[1]))
    for t, i in enumerate(order, 1):
        W[t] = (1 - 1 / t) * W[t - 1]
        if y[i] * (W[t - 1] @ X[i]) < 1:
            W[t] += y[i] * X[i] / (lam * t)
    return W[-1]


DENSE = [
    scalar_loops,
    two_branches,
    in_place,
    at_most_one,
    gradient_of_max,
    closed_form,
    kernel_counts,
    while_loop,
    column_vectors,
    with_options,
    with_a_class,
    remembers_everything,
]


def log_by_exp(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        pull = y[i] / (1 + np.exp(y[i] * (w @ X[i])))
        w = (1 - 1 / t) * w + pull * X[i] / (lam * t)
    return w


def log_by_math(X, y, lam, order):
    w = [0.0] * X.shape[1]
    for t, i in enumerate(order, 1):
        margin = y[i] * sum(a * b for a, b in zip(w, X[i]))
        if margin > 0:
            pull = math.exp(-margin) / (1 + math.exp(-margin))
        else:
            pull = 1 / (1 + math.exp(margin))
        w = [
            (1 - 1 / t) * a + pull * y[i] * b / (lam * t)
            for a, b in zip(w, X[i])
        ]
    return w


def _entries(X, i):
    lo, hi = X.indptr[i], X.indptr[i + 1]
    return X.indices[lo:hi], X.data[lo:hi]


def scale_guarded_on_t(X, y, lam, order):
    a, v = 1.0, np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        cols, vals = _entries(X, i)
        violates = y[i] * a * (v[cols] @ vals) < 1
        if t > 1:
            a *= 1 - 1 / t
        if violates:
            v[cols] += y[i] * vals / (lam * t * a)
    return a * v


def sparse_sum_of_violators(X, y, lam, order):
    v = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        cols, vals = _entries(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
    return v / (lam * len(order))


def dictionary(X, y, lam, order):
    v = {}
    for t, i in enumerate(order, 1):
        row = list(zip(*_entries(X, i)))
        score = sum(v.get(j, 0.0) * x for j, x in row)
        if t == 1 or y[i] * score < lam * (t - 1):
            for j, x in row:
                v[j] = v.get(j, 0.0) + y[i] * x
    w = np.zeros(X.shape[1])
    for j, value in v.items():
        w[j] = value / (lam * len(order))
    return w


SPARSE = [scale_guarded_on_t, sparse_sum_of_violators, dictionary]


def average_by_harmonics(X, y, lam, order):
    v, q, h = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0.0
    for t, i in enumerate(order, 1):
        if t > 1:
            h += 1 / (lam * (t - 1))
        cols, vals = _entries(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
            q[cols] += h * y[i] * vals
    return (h * v - q) / len(order)


def average_by_last_touch(X, y, lam, order):
    """Each coordinate is brought up to date when it is touched."""
    T, d = len(order), X.shape[1]
    h = np.concatenate([[0.0, 0.0], np.cumsum(1 / np.arange(1, T + 1))])
    v, total, seen = np.zeros(d), np.zeros(d), np.zeros(d, dtype=int)
    for t, i in enumerate(order, 1):
        cols, vals = _entries(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            total[cols] += v[cols] * (h[t] - h[seen[cols]])
            seen[cols] = t
            v[cols] += y[i] * vals
    total += v * (h[T] - h[seen])
    return total / (lam * T)


def shuffled_epochs(n, T, seed):
    rng, rows = random.Random(seed), []
    while len(rows) < T:
        epoch = list(range(n))
        rng.shuffle(epoch)
        rows += epoch
    return rows[:T]


def python_choices(n, T, seed):
    return random.Random(seed).choices(range(n), k=T)


def regret_by_arrays(W, u, X, y, lam, order):
    rows, labels = X[order], y[order]

    def costs(V):
        margins = labels * (rows * V).sum(axis=1)
        return lam / 2 * (V**2).sum(axis=-1) + np.maximum(0, 1 - margins)

    return np.cumsum(costs(W[: len(order)]) - costs(u))


def regret_by_rounds(W, u, X, y, lam, order):
    ahead, told = 0.0, []
    for w, i in zip(W, order):
        for player, sign in ((w, 1), (u, -1)):
            loss = max(0.0, 1 - y[i] * float(np.dot(player, X[i])))
            ahead += sign * (lam * float(np.dot(player, player)) / 2 + loss)
        told.append(ahead)
    return np.array(told)


STYLES = {
    "A1.pegasos": DENSE,
    "A1.visits": [shuffled_epochs, python_choices],
    "A2.pegasos": [log_by_exp, log_by_math],
    "A3.pegasos": SPARSE,
    "A3.average": [average_by_harmonics, average_by_last_touch],
    "A4.regret": [regret_by_arrays, regret_by_rounds],
}
