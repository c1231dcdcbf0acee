"""Mistakes in assignment 2: the log loss and its solver."""

import numpy as np

from pegasos_edu.coursework.zoo.exhibit import mistake

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
    "All losses are smaller by the factor 2.3, as if λ were larger by it.",
)
def logarithm_to_base_ten(margin):
    return np.logaddexp(0, -margin) / np.log(10)


@mistake(
    "A2.log_loss",
    "this is the hinge loss.",
    "Losses of exactly 0 beyond margin 1; the log loss has none.",
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
    "Slopes between -1 and -1/2: even the best examples keep pulling.",
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
    "The objective ends above that of w = 0.",
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
    "No regularisation is left: w is far too long.",
)
def shrink_lost_in_the_swap(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        w = w + sigmoid(-y[i] * (X[i] @ w)) * y[i] * X[i] / (lam * t)
    return w


@mistake(
    "A2.pegasos",
    "another number goes into the sigmoid: the margin y⟨w, x⟩ if y stands in "
    "front, the score ⟨w, x⟩ if (y + 1)/2 does.",
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
    "The curve is that of assignment 1.",
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
