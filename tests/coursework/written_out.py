"""Wrong answers that no list knows: what they do is measured and written out.

They were written from the tasks' sentences before the diagnosis could say
anything of them. The message must say what is different, in the quantities
of the task.
"""

from functools import partial

import numpy as np
from scipy.special import erf, expit

from pegasos_edu.coursework.tasks import TASKS
from tests.coursework.small_functions import Classifier

PROOF = TASKS["A4.telescope"].reference
FORMULA, TERM = "another-formula", "term-of-another-form"
INPUT = "right-for-another-input"
WRONG: list = []  # (task, answer, name, what the message says)


def wrong(task, name, says):
    def register(answer):
        WRONG.append((task, answer, name, says))
        return answer

    return register


def losses(w, X, y):
    return np.maximum(0, 1 - y * (X @ w))


@wrong("A1.objective", "losses-of-another-form", "it is λ/2·‖Xw‖² + the mean")
def takes_the_length_of_the_scores(w, X, y, lam):
    return lam / 2 * np.sum((X @ w) ** 2) + losses(w, X, y).mean()


@wrong("A1.objective", "losses-of-another-form", "√(the mean of the squared")
def takes_the_root_of_the_mean_square(w, X, y, lam):
    return lam / 2 * w @ w + np.sqrt(np.mean(losses(w, X, y) ** 2))


@wrong("A1.objective", "regulariser-of-another-form", "it is λ/2 · λ/2 ‖w‖²")
def squares_the_half_of_lambda_too(w, X, y, lam):
    return (lam / 2) ** 2 * w @ w + losses(w, X, y).mean()


@wrong("A1.objective", "losses-of-another-form", "− λ · the mean loss")
def weighs_by_lambda_and_by_one_less(w, X, y, lam):
    return lam / 2 * w @ w + (1 - lam) * losses(w, X, y).mean()


@wrong("A1.objective", "losses-of-another-form", "of every label with every")
def puts_the_labels_in_a_column(w, X, y, lam):
    table = 1 - y.reshape(-1, 1) * (X @ w)
    return lam / 2 * w @ w + np.maximum(0, table).mean()


@wrong("A1.step_size", FORMULA, "it is 1/λ^t.")
def raises_lambda_to_t(lam, t):
    return 1 / lam**t


@wrong("A1.step_size", FORMULA, "it is 1/λ − t.")
def subtracts_t(lam, t):
    return 1 / lam - t


@wrong("A1.step_size", FORMULA, "it is exp(−1 / the right value).")
def decays_exponentially(lam, t):
    return np.exp(-lam * t)


@wrong("A1.step_size", "wrong-in-one-argument", "where 1/t is asked for.")
def falls_with_the_logarithm(lam, t):
    return 1 / (lam * (1 + np.log(t)))


@wrong("A1.step", "addition-of-another-form", "y·x is added η/‖x‖² times")
def divides_by_the_square_of_x(w, x, label, lam, eta):
    hit = label * (w @ x) < 1
    return (1 - eta * lam) * w + hit * eta * label * x / (x @ x)


@wrong("A1.step", "test-turned-round", "y·x is added 0 times; expected η")
def adds_where_the_margin_is_large(w, x, label, lam, eta):
    hit = label * (w @ x) >= 1
    return (1 - eta * lam) * w + hit * eta * label * x


@wrong("A1.predict", "other-labels-than-asked", "expected -1 or 1 by the sign")
def says_one_or_two(w, X):
    return np.where(X @ w > 0, 2, 1)


@wrong("A1.predict", "takes-the-size-of-the-score", "For the scores")
def looks_at_the_size(w, X):
    return np.where(np.abs(X @ w) > 1, 1, -1)


@wrong("A1.predict", "one-number-for-many", "returned one number")
def decides_once_for_all_rows(w, X):
    return 1 if np.sum(X @ w) > 0 else -1


@wrong("A1.wasted", FORMULA, "named rows / (n·d)")
def divides_by_all_entries_of_X(X, rows):
    return 1 - np.count_nonzero(X[np.ravel(rows)]) / X.size


@wrong("A1.visits", "rows-not-whole", "expected whole row numbers")
def draws_real_numbers(n, T, seed):
    return np.random.default_rng(seed).uniform(0, n, T)


@wrong("A1.visits", "rows-sorted", "expected a random order")
def sorts_what_it_draws(n, T, seed):
    return np.sort(np.random.default_rng(seed).integers(n, size=T))


@wrong("A1.visits", "no-numbers", "returned a generator")
def returns_a_generator(n, T, seed):
    rng = np.random.default_rng(seed)
    return (rng.integers(n) for _ in range(T))


@wrong("A1.visits", "one-number-for-many", "returned one number")
def draws_a_single_row(n, T, seed):
    return np.random.default_rng(seed).integers(n)


@wrong("A1.visits", "some-rows-more-often", "each row has the same")
def favours_the_last_rows(n, T, seed):
    chances = np.arange(1, n + 1) / (n * (n + 1) / 2)
    return np.random.default_rng(seed).choice(n, T, p=chances)


@wrong("A1.visits", "too-many-numbers", "shape (401,)")
def draws_one_row_too_many(n, T, seed):
    return np.random.default_rng(seed).integers(n, size=T + 1)


@wrong("A2.log_loss", FORMULA, "it is ln(e^m + e^−m)")
def adds_both_powers(margin):
    return np.logaddexp(margin, -margin)


@wrong("A2.log_loss", "right-in-some-entries", "it is max(0, −m) − ln σ(−m)")
def takes_the_size_of_the_margin(margin):
    return np.abs(margin) + np.log1p(np.exp(-np.abs(margin)))


@wrong("A2.log_loss", FORMULA, "it is max(0, −m) + ln (1 − e^−|m|)")
def subtracts_within_the_logarithm(margin):
    inside = 1 - np.exp(-np.abs(margin))
    return np.maximum(0, -margin) + np.log(np.maximum(inside, 1e-300))


@wrong("A2.log_loss", "if-on-an-array", "The truth value of an array")
def asks_whether_the_array_is_positive(margin):
    if margin > 0:
        return np.log1p(np.exp(-margin))
    return -margin + np.log1p(np.exp(margin))


@wrong("A2.slope", FORMULA, "it is −(the right value)²")
def squares_the_sigmoid(margin):
    return -((0.5 * (1 - np.tanh(margin / 2))) ** 2)


@wrong("A2.slope", FORMULA, "it is −tanh(m)")
def takes_the_hyperbolic_tangent(margin):
    return -np.tanh(margin)


@wrong("A2.slope", FORMULA, "it is −1 / (1 + |m|)")
def leaves_the_exponential_out(margin):
    return -1 / (1 + np.abs(margin))


@wrong("A2.slope", FORMULA, "it is ln σ(−m)")
def takes_a_logarithm_of_the_sigmoid(margin):
    return -np.logaddexp(0, margin)


@wrong("A2.probability", FORMULA, "it is the right value − σ(−s)")
def reaches_from_minus_one_to_one(w, X):
    return np.tanh(X @ w / 2)


@wrong("A2.probability", FORMULA, "clip(s, −1, 1)")
def cuts_off_a_straight_line(w, X):
    return np.clip((X @ w + 1) / 2, 0, 1)


@wrong("A2.probability", FORMULA, "it is arctan(s)/π + ½")
def takes_the_arc_tangent(w, X):
    return 0.5 + np.arctan(X @ w) / np.pi


@wrong("A2.probability", FORMULA, "it is Φ(s)")
def takes_the_normal_distribution(w, X):
    return (1 + erf(X @ w / np.sqrt(2))) / 2


@wrong("A2.curvature", FORMULA, "it is 1 / (e^m + e^−m)")
def squares_the_power_alone(margin):
    e = np.exp(-np.abs(margin))
    return e / (1 + e**2)


@wrong("A2.curvature", FORMULA, "it is the right value / (1 + e^−|m|)")
def cubes_the_denominator(margin):
    e = np.exp(-np.abs(margin))
    return e / (1 + e) ** 3


@wrong("A2.curvature", "few-digits", "a quotient of differences")
def takes_a_second_difference(margin):
    loss, h = partial(np.logaddexp, 0), 1e-4
    up, down = loss(-margin - h), loss(-margin + h)
    return (up - 2 * loss(-margin) + down) / h**2


@wrong("A2.curvature", FORMULA, "it is 1 − tanh(m)²")
def forgets_to_halve_the_margin(margin):
    return 1 - np.tanh(margin) ** 2


@wrong("A2.curvature", FORMULA, "it is σ(−m) · ln(1 + e^−m)")
def multiplies_the_loss_by_its_slope(margin):
    return np.logaddexp(0, -margin) * (1 - np.tanh(margin / 2)) / 2


def paid(w, X, y, lam, order):
    """What the rows of w, or one w, pay in each round."""
    margins = y[order] * np.sum(w * X[order], axis=1)
    return lam / 2 * np.sum(w**2, axis=-1) + np.maximum(0, 1 - margins)


@wrong("A4.regret", TERM, "the mean of the losses of u over all rows in place")
def lets_u_pay_the_mean(W, u, X, y, lam, order):
    theirs = lam / 2 * u @ u + losses(u, X, y).mean()
    return np.cumsum(paid(W, X, y, lam, order) - theirs)


@wrong("A4.regret", TERM, "λ/2 ‖w_t‖ in place of λ/2 ‖w_t‖²")
def takes_lengths_for_squares(W, u, X, y, lam, order):
    def cost(w):
        length = np.linalg.norm(w, axis=-1)
        return paid(w, X, y, lam, order) - lam / 2 * (length**2 - length)

    return np.cumsum(cost(W) - cost(u))


@wrong("A4.regret", TERM, "‖w_t‖² of all rounds in place of λ/2 ‖w_t‖²")
def takes_the_length_of_the_whole_array(W, u, X, y, lam, order):
    mine = paid(W, X, y, lam, order) - lam / 2 * np.sum(W**2, axis=1)
    return np.cumsum(mine + lam / 2 * np.sum(W**2) - paid(u, X, y, lam, order))


@wrong("A4.regret", TERM, "the loss of w_t with the label of row t in place")
def takes_the_label_of_the_round(W, u, X, y, lam, order):
    labels = y.copy()
    labels[:] = 1.0
    signs = y[np.arange(len(order)) % len(y)][:, np.newaxis]

    def cost(w):
        return paid(signs * w, X, labels, lam, order)

    return np.cumsum(cost(W) - cost(u))


@wrong("A4.regret", TERM, "the largest of 1 − y⟨w_t, x⟩ in all rounds in")
def takes_np_max_for_np_maximum(W, u, X, y, lam, order):
    def cost(w):
        margins = y[order] * np.sum(w * X[order], axis=1)
        return lam / 2 * np.sum(w**2, axis=-1) + np.max(1 - margins)

    return np.cumsum(cost(W) - cost(u))


@wrong("A4.regret", TERM, "the loss of w_t of the last round in place of")
def lets_the_last_w_play_all_rounds(W, u, X, y, lam, order):
    mine = [paid(W[-1], X, y, lam, order)[t] for t in range(len(order))]
    return np.cumsum(np.array(mine) - paid(u, X, y, lam, order))


@wrong("A4.regret", TERM, "the losses of w_t in all rows played in place of")
def adds_up_a_table_of_rounds(W, u, X, y, lam, order):
    table = np.maximum(0, 1 - y[order] * (W @ X[order].T))
    mine = lam / 2 * np.sum(W**2, axis=1) + table.sum(axis=1)
    return np.cumsum(mine - paid(u, X, y, lam, order))


@wrong("A4.regret", "right-in-another-form", "the largest of the right values")
def keeps_the_largest_so_far(*game):
    return np.maximum.accumulate(TASKS["A4.regret"].reference(*game))


@wrong("A4.bound", "wrong-in-one-argument", "(2 + R)² where (2R)² is asked")
def adds_two_to_R(lam, R, T):
    return (2 + R) ** 2 * (1 + np.log(T)) / (2 * lam)


@wrong("A4.bound", FORMULA, "it is (2R)²/(2λ) + ln T")
def adds_the_logarithm(lam, R, T):
    return (2 * R) ** 2 / (2 * lam) + np.log(T)


@wrong("A4.bound", "number-asked-of-an-array", "return float(")
def makes_a_number_of_two(lam, R, T):
    return float(np.array([lam, R]))


@wrong("A4.bound", FORMULA, "it is (2R)² + ln T/(2λ)")
def leaves_the_brackets_out(lam, R, T):
    return (2 * R) ** 2 * 1 + np.log(T) / (2 * lam)


@wrong(
    "A4.telescope",
    "other-rounds-violate",
    "In your line 1 every round is a violator.",
)
def takes_every_example_for_a_violator(W, u, X, y, lam, order):
    lines = TASKS["A4.telescope"].reference(W, u, X, y, lam, order)
    w, z = W[:-1], y[order, np.newaxis] * X[order]
    g, t = lam * w - z, np.arange(1, len(order) + 1)
    lines[1] = np.sum(g * (w - u), axis=1)
    lines[1] -= lam / 2 * np.sum((w - u) ** 2, axis=1)
    lines[3] = np.sum(g**2, axis=1) / (2 * lam * t)
    return lines


@wrong(
    "A4.telescope",
    "term-with-another-factor",
    "In your line 2 the factor of λ/2 ‖w_t − u‖² is t + 1. Which",
)
def counts_a_round_twice(W, u, X, y, lam, order):
    lines = TASKS["A4.telescope"].reference(W, u, X, y, lam, order)
    lines[2] += lam * ((W[:-1] - u) ** 2).sum(axis=1)
    return lines


@wrong("A4.slope", FORMULA, "it is the mean gradient on log-log axes")
def takes_the_mean_gradient(t, gap):
    return np.gradient(np.log(gap), np.log(t)).mean()


@wrong("A4.slope", FORMULA, "it is the slope on log-log axes through the orig")
def leaves_no_height_to_the_line(t, gap):
    x, z = np.log(t), np.log(gap)
    return x @ z / (x @ x)


@wrong("A4.slope", FORMULA, "it is the correlation on log-log axes")
def takes_the_correlation(t, gap):
    return np.corrcoef(np.log(t), np.log(gap))[0, 1]


@wrong("A4.slope", FORMULA, "the median slope on log-log axes from point to")
def takes_the_median_of_slopes(t, gap):
    return np.median(np.diff(np.log(gap)) / np.diff(np.log(t)))


@wrong("A4.slope", FORMULA, "it is exp(the right value)")
def raises_e_to_the_slope(t, gap):
    return np.exp(np.polyfit(np.log(t), np.log(gap), 1)[0])


@wrong("A4.slope", FORMULA, "it is the first coefficient of a parabola")
def fits_a_parabola(t, gap):
    return np.polyfit(np.log(t), np.log(gap), 2)[0]


@wrong("A4.crossing", FORMULA, "with the logarithm of t alone)")
def takes_the_logarithm_of_t_alone(t, a, b):
    slope, height = np.polyfit(np.log(t), a - b, 1)
    return np.exp(-height / slope)


@wrong("A4.crossing", FORMULA, "it is the difference of the slopes on log-log")
def subtracts_the_slopes(t, a, b):
    return np.polyfit(np.log(t), np.log(b) - np.log(a), 1)[0]


@wrong("A4.opponent", "example-across-w", "Expected at least 0.3 of it")
def stands_at_right_angles(t, w, lam, radius):
    length = np.linalg.norm(w)
    turned = np.array([-w[1], w[0]])
    return turned / length if length else np.array([1.0, 0.0])


@wrong("A4.opponent", "example-too-long", "which is 2 long")
def names_too_long_an_example(t, w, lam, radius):
    return np.array([2.0, 0.0]) if w[0] <= 0 else np.array([-2.0, 0.0])


@wrong("A4.opponent", "example-of-length-zero", "Expected at least 0.3")
def names_nothing(t, w, lam, radius):
    return np.zeros(2)


@wrong("A4.opponent", "example-shorter-than-allowed", "0.5 long")
def names_half_an_example(t, w, lam, radius):
    length = np.linalg.norm(w)
    return -w / (2 * length) if length else np.array([0.5, 0.0])


@wrong("A4.opponent", "numbers-in-another-shape", "shape (2, 1)")
def stands_upright(t, w, lam, radius):
    return np.array([[1.0], [0.0]])


@wrong("A4.learner", "never-shrinks", "Against the opponent who alternates")
def never_forgets(Z, lam):
    w = np.zeros(2)
    for t, z in enumerate(Z, start=1):
        w = w + (w @ z < 1) * z / (lam * t)
    return w


@wrong("A4.learner", "sum-of-another-length", "times their sum; 1/(λt) is")
def keeps_the_direction_alone(Z, lam):
    total = Z.sum(axis=0)
    length = np.linalg.norm(total)
    return total / length if length > 1e-12 else total


@wrong("A4.learner", "plays-without-the-examples", "Against the opponent")
def plays_one_thing(Z, lam):
    return np.array([1.0, 0.0])


@wrong("A4.learner", "fails-before-the-first-example", "IndexError")
def looks_at_the_last_example_first(Z, lam):
    last = Z[-1]
    return last / lam


@wrong("A4.refutation", "examples-before-lambda", "Your λ is no number")
def returns_the_examples_first(excess):
    return np.array([[1.0, 0.0], [-0.8, 0.6]]), 1e-6


@wrong("A4.refutation", "examples-on-one-line", "linearly independent")
def alternates_on_a_line(excess):
    return 1e-6, np.array([[1.0, 0.0], [-1.0, 0.0]])


@wrong("A4.refutation", "game-within-the-claim", "0.384 times the claim")
def takes_a_large_lambda(excess):
    return 1.0, np.array([[1.0, 0.0], [-0.8, 0.6]])


@wrong("A4.planar", "examples-on-one-line", "expected at least T/4")
def stays_on_a_line(T, lam):
    return np.tile([[1.0, 0.0], [-1.0, 0.0]], (T // 2, 1))


@wrong("A4.planar", "rows-and-columns-exchanged", "shape (2, 40)")
def turns_the_table(T, lam):
    return np.resize(
        [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], (T, 2)
    ).T


@wrong("A4.planar", "another-order-of-examples", "of the sharper bound")
def goes_round(T, lam):
    return np.resize(
        [[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]], (T, 2)
    )


def entries(X, i):
    lo, hi = X.indptr[i], X.indptr[i + 1]
    return X.indices[lo:hi], X.data[lo:hi]


@wrong("A3.average", "violators-with-other-weights", "(H(T) − H(τ)) / (T·λ)")
def counts_the_harmonic_sum_from_one(X, y, lam, order):
    v, q, h = np.zeros(X.shape[1]), np.zeros(X.shape[1]), 0.0
    for t, i in enumerate(order, start=1):
        h += 1 / (lam * t)
        cols, vals = entries(X, i)
        if t == 1 or y[i] * (v[cols] @ vals) < lam * (t - 1):
            v[cols] += y[i] * vals
            q[cols] += h * y[i] * vals
    return (h * v - q) / len(order)


@wrong("A1.pegasos", "order-moved-by-one", "a run of 2 steps is the first")
def begins_with_the_second_entry(X, y, lam, order):
    moved = [order[t % len(order)] for t in range(1, len(order) + 1)]
    return TASKS["A1.pegasos"].reference(X, y, lam, np.array(moved))


@wrong(
    "A1.projected", "length-without-the-cross-term", "the square of a length"
)
def adds_up_the_squares_of_what_is_added(X, y, lam, order):
    w, squares = np.zeros(X.shape[1]), 0.0
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w
        squares *= (1 - 1 / t) ** 2
        if violates:
            added = y[i] * X[i] / (lam * t)
            w, squares = w + added, squares + added @ added
        if lam * squares > 1:
            w, squares = w / np.sqrt(lam * squares), 1 / lam
    return w


def chances(m):
    return 1 / (1 + np.exp(-m))


CAPPED = "one-value-for-large-losses"


@wrong("A2.log_loss", "small-number-in-the-logarithm", "−ln(p + 1e-09), where")
def adds_a_small_number_to_p(margin):
    return -np.log(chances(margin) + 1e-9)


@wrong("A2.log_loss", "small-number-in-the-logarithm", "−ln(p + 0.02), where")
def adds_no_small_number_to_p(margin):
    return -np.log(chances(margin) + 0.02)


@wrong("A2.log_loss", CAPPED, "you returned [34.5388, 34.5388, 0, 0]")
def lets_p_be_no_smaller(margin):
    return -np.log(np.maximum(chances(margin), 1e-15))


@wrong("A2.log_loss", CAPPED, "you returned [10000, 1234.5, 0, 0]")
def caps_the_loss(margin):
    return np.minimum(np.logaddexp(0, -margin), 1e4)


@wrong("A2.log_loss", CAPPED, "you returned [10000, 10000, 0, 0]")
def replaces_infinity(margin):
    return np.nan_to_num(np.log(1 + np.exp(-margin)), posinf=1e4)


@wrong("A2.log_loss", "few-digits", "yours is 15; expected 15.0000003")
def computes_with_seven_digits(margin):
    return np.logaddexp(0, -margin.astype(np.float32))


@wrong("A2.probability", "exp-overflows", "begins with exp of a large number")
def divides_infinity_by_infinity(w, X):
    return np.exp(X @ w) / (1 + np.exp(X @ w))


@wrong("A1.visits", "some-rows-more-often", "4000 rows of 5, 466 are row 4")
def rounds_to_the_nearest_row(n, T, seed):
    drawn = np.random.default_rng(seed).random(T)
    return np.round(drawn * (n - 1)).astype(int)


@wrong("A1.predict", "looks-at-other-entries", "Given one entry alone, it is")
def gives_all_rows_the_label_of_most(w, X):
    labels = np.where(X @ w >= 0, 1, -1)
    return np.full(len(X), 1 if labels.sum() > 0 else -1)


@wrong(
    "A1.visits",
    "some-rows-ignore-the-seed",
    "Entry 399 of your rows is 0 for each of 11 seeds; expected each entry",
)
def leaves_the_last_place_as_it_is(n, T, seed):
    rows, rng = np.zeros(T, int), np.random.default_rng(seed)
    for t in range(T - 1):
        rows[t] = rng.integers(n)
    return rows


@wrong("A1.visits", "some-rows-ignore-the-seed", "Row 0 is visited")
def fills_as_many_places_as_rows(n, T, seed):
    rows, rng = np.zeros(T, int), np.random.default_rng(seed)
    rows[:n] = rng.integers(n, size=len(rows[:n]))
    return rows


@wrong(
    "A1.visits", "rows-follow-each-other", "In 80% of your draws the row is"
)
def repeats_each_row(n, T, seed):
    rows = np.random.default_rng(seed).integers(n, size=T // 5)
    return np.repeat(rows, 5)


@wrong("A1.objective", "regulariser-of-another-form", "λ/2·(Σ|w_j|)² + the")
def squares_the_sum_of_sizes(w, X, y, lam):
    return lam / 2 * np.abs(w).sum() ** 2 + losses(w, X, y).mean()


def both_lines(t, a, b):
    return np.ravel([np.polyfit(np.log(t), np.log(c), 1) for c in (a, b)])


@wrong("A4.crossing", "heights-added", "expected 4000")
def solves_with_one_wrong_sign(t, a, b):
    p, h, q, k = both_lines(t, a, b)
    return np.exp((k + h) / (p - q))


@wrong("A4.crossing", "height-for-place", "you returned 90; expected 4000")
def says_how_high_the_lines_are(t, a, b):
    p, h, q, k = both_lines(t, a, b)
    return np.exp(h + p * (h - k) / (q - p))


def by_the_scale(row, end=lambda w: w):
    """A solver by the scale trick, with another way to take a row."""

    def pegasos(X, y, lam, order):
        a, v = 1.0, np.zeros(X.shape[1])
        for t, i in enumerate(order, start=1):
            place = row(X.indptr[i], X.indptr[i + 1])
            columns, values = X.indices[place], X.data[place]
            violates = y[i] * a * (v[columns] @ values) < 1
            a *= 1 - 1 / t if t > 1 else 1
            v[columns] += violates * y[i] * values / (lam * t * a)
        return end(a * v)

    return pegasos


wrong("A3.pegasos", "last-entry-of-each-row-lost", "a run of 1 step is the")(
    by_the_scale(lambda low, high: np.s_[low : high - 1])
)
wrong("A3.pegasos", "first-entry-of-each-row-lost", "a run of 1 step is the")(
    by_the_scale(lambda low, high: np.s_[low + 1 : high])
)


@wrong("A1.pegasos", "differs-from-call-to-call", "kept from call to call")
def keeps_its_list(X, y, lam, order, w=[]):  # noqa: B006
    w.extend([0.0] * (X.shape[1] - len(w)))
    for t, i in enumerate(order, start=1):
        violates = y[i] * sum(a * b for a, b in zip(w, X[i])) < 1
        for j, x in enumerate(X[i]):
            w[j] = (1 - 1 / t) * w[j] + violates * y[i] * x / (lam * t)
    return w


wrong("A3.pegasos", "few-digits", "w after, yours:    [-6.57, 10.04, 0, 0]")(
    by_the_scale(lambda low, high: np.s_[low:high], lambda w: np.round(w, 2))
)


def with_line_3(line):
    """The proof with another last line, by the right one's λ and t."""

    def telescope(W, u, X, y, lam, order):
        lines = PROOF(W, u, X, y, lam, order)
        t = np.arange(1, len(order) + 1)
        lines[3] = line(2 * lam * t * lines[3], X, lam, t)
        return lines

    return telescope


wrong("A4.telescope", "one-length-for-all-rounds", "line 3 is 23.74 in every")(
    with_line_3(
        lambda squares, X, lam, t: (
            4 * np.sum(X**2, axis=1).max() / (2 * lam * t)
        )
    )
)
wrong("A4.telescope", FORMULA, "line 3 is λ²·t² · the right value.")(
    with_line_3(lambda squares, X, lam, t: lam * t / 2 * squares)
)


class KeepsItsWeightsInTheClass(Classifier):
    def fit(self, X, labels):
        super().fit(X, labels)
        KeepsItsWeightsInTheClass.weights = self.w
        return self

    def predict(self, X):
        self.w = self.weights
        return super().predict(X)


class KeepsItsLabelsInTheClass(Classifier):
    def fit(self, X, labels):
        KeepsItsLabelsInTheClass.both = np.unique(labels)
        return super().fit(X, labels)

    def predict(self, X):
        self.names = self.both
        return super().predict(X)


for each in (KeepsItsWeightsInTheClass, KeepsItsLabelsInTheClass):
    wrong("A1.classifier", "shared-between-objects", "the first one predicts")(
        each
    )


@wrong("A1.classifier", "as-many-steps-as-rows", "as after 100, 400 and 2000")
class GoesThroughTheRowsOnce(Classifier):
    def fit(self, X, labels):
        rows = np.random.default_rng(0).permutation(len(X))[: self.T]
        self.names = np.unique(labels)
        y = self.signs(labels)
        self.w = TASKS["A1.pegasos"].reference(X, y, self.lam, rows)
        return self


MOVED = "moving-the-data-has-no-effect"


@wrong("A1.classifier", MOVED, "agrees with the optimal one on 5")
class CentresInFitAlone(Classifier):
    def fit(self, X, labels):
        return super().fit(X - X.mean(axis=0), labels)


@wrong("A1.classifier", MOVED, "agrees with the optimal one on 5")
class StandardisesInFitAlone(Classifier):
    def fit(self, X, labels):
        return super().fit((X - X.mean(axis=0)) / X.std(axis=0), labels)


@wrong("A4.bound", "wrong-in-one-argument", "It has (1 + R)² where (2R)² is")
def adds_one_to_R(lam, R, T):
    return (1 + R) ** 2 * (1 + np.log(T)) / (2 * lam)


@wrong("A4.slope", INPUT, "right for gap sorted in place of gap")
def sorts_the_gaps(t, gap):
    return np.polyfit(np.log(t), np.log(np.sort(gap)), 1)[0]


@wrong(
    "A2.log_loss", "wrong-logarithm + exp-overflows", "begins with exp of a"
)
def takes_the_logarithm_to_base_two(margin):
    return np.log2(1 + np.exp(-margin))


@wrong("A2.slope", "second-derivative + exp-overflows", "begins with exp of a")
def differentiates_twice(margin):
    e = np.exp(-margin)
    return -e / (1 + e) ** 2


@wrong(
    "A2.log_loss",
    "right-in-some-entries",
    "from -18 to 2e+04, and wrong from -2e+04 to",
)
def takes_the_hinge_far_out(margin):
    small = np.log1p(np.exp(-np.maximum(margin, -30)))
    return np.where(margin < -30, 1 - margin, small)


@wrong("A2.probability", "few-digits", "you returned [0.291, 0.44, 0.677")
def rounds_to_three_digits(w, X):
    return np.round(chances(X @ w), 3)


@wrong("A3.average", "average-divided-by-one-less", "a run of 2 steps is the")
def divides_by_one_less(X, y, lam, order):
    mean = TASKS["A3.average"].reference(X, y, lam, order)
    return mean * len(order) / max(1, len(order) - 1)


@wrong("A4.crossing", "power-before-the-division", "expected 4000")
def takes_the_power_first(t, a, b):
    p, h, q, k = both_lines(t, a, b)
    return np.exp(h - k) / (q - p)


@wrong("A4.crossing", FORMULA, "it is the last t.")
def interpolates_between_the_points(t, a, b):
    return np.exp(np.interp(0, np.log(b / a), np.log(t)))


@wrong("A4.telescope", FORMULA, "is t · the right value / (1 + t).")
def takes_the_step_after(W, u, X, y, lam, order):
    lines = PROOF(W, u, X, y, lam, order)
    t = np.arange(1, len(order) + 1)
    lines[3] *= t / (t + 1)
    return lines


@wrong("A2.log_loss", "logarithm-of-zero", "begins with the logarithm of 0")
def log_of_a_probability_that_is_zero(margin):
    return -np.log(expit(margin))


@wrong("A2.curvature", "exp-overflows", "begins with exp of a large")
def square_of_what_overflows(margin):
    return np.exp(-margin) / (1 + np.exp(-margin)) ** 2
