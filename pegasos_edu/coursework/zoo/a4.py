"""Mistakes in assignment 4: regret, bound, slope, proof and games."""

import numpy as np

from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import as_numbers, call, same_values
from pegasos_edu.coursework.zoo.exhibit import every, mistake

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
    "The bound is broken in the first two rounds.",
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


# A4.telescope


def like_the_first_wrong_line(answer):
    """Recognise answers whose first wrong line is this one's."""

    def same(trials):
        return all(first_wrong_line_is(answer, *trial) for trial in trials)

    return same


def first_wrong_line_is(answer, case, outcome):
    right = call(TASKS["A4.telescope"].reference, case).value
    yours, wrong = as_numbers(outcome.value), as_numbers(answer(**case))
    if yours is None or yours.shape != right.shape:
        return False
    differ = [k for k in range(4) if not same_values(yours[k], right[k])]
    return bool(differ) and same_values(yours[differ[0]], wrong[differ[0]])


def lines(W, u, X, y, lam, order, convex=1.0, weight=1, shrink=1.0):
    """The four lines, with a place for each of three mistakes."""
    T, t = len(order), np.arange(1, len(order) + 1)
    w, z = W[:T], y[order, np.newaxis] * X[order]
    margin = (w * z).sum(axis=1)
    pull = (margin < 1)[:, np.newaxis] * z
    apart = ((W - u) ** 2).sum(axis=1)
    paid = costs(W[:T], X, y, lam, order) - costs(u, X, y, lam, order)
    tangent = ((lam * w - pull) * (w - u)).sum(axis=1)
    steps = (shrink * lam * w - pull) ** 2
    return np.array(
        [
            paid,
            tangent - convex * lam / 2 * apart[:T],
            lam / 2 * ((t - weight) * apart[:T] - t * apart[1:]),
            steps.sum(axis=1) / (2 * lam * t),
        ]
    )


def telescope_mistake(hint, symptom):
    """Register an answer to A4.telescope, whatever its later lines are."""

    def register(answer):
        known = like_the_first_wrong_line(answer)
        return mistake("A4.telescope", hint, symptom, known)(answer)

    return register


@telescope_mistake(
    "your line 1 is a convex function's: strong convexity gives more.",
    "Line 1 is still above line 0, only not as close.",
)
def strong_convexity_left_out(W, u, X, y, lam, order):
    return lines(W, u, X, y, lam, order, convex=0.0)


@telescope_mistake(
    "your line 2 has t in front of both distances, as the step alone gives "
    "it: line 1 brings another λ/2 ‖w_t - u‖².",
    "Nothing cancels when the rounds are added up.",
)
def t_before_both_distances(W, u, X, y, lam, order):
    return lines(W, u, X, y, lam, order, weight=0)


@telescope_mistake(
    "your line 3 leaves λw_t out of the subgradient.",
    "0 in every round whose example has a margin of 1 or more.",
)
def loss_alone_in_the_subgradient(W, u, X, y, lam, order):
    return lines(W, u, X, y, lam, order, shrink=0.0)


@telescope_mistake(
    "your line 3 has the length of the subgradient, not its square.",
    "Too small where the subgradient is longer than 1.",
)
def length_not_squared(W, u, X, y, lam, order):
    made, t = lines(W, u, X, y, lam, order), np.arange(1, len(order) + 1)
    lengths = np.sqrt(2 * lam * t * made[3])
    return np.array([*made[:3], lengths / (2 * lam * t)])


def a_sign_is_turned(trials):
    """The first wrong line is minus the right one, in every trial."""
    for case, outcome in trials:
        right = call(TASKS["A4.telescope"].reference, case).value
        yours = as_numbers(outcome.value)
        wrong = next(
            k for k in range(4) if not same_values(yours[k], right[k])
        )
        if not same_values(yours[wrong], -right[wrong]):
            return False
    return True


@mistake(
    "A4.telescope",
    "the first line of yours that is wrong has its sign turned.",
    "Line 2 adds up to more than 0, and line 1 is no longer line 2 + line 3.",
    a_sign_is_turned,
)
def line_with_its_sign_turned(W, u, X, y, lam, order):
    made = lines(W, u, X, y, lam, order)
    return np.array([made[0], made[1], -made[2], made[3]])


@telescope_mistake(
    "your lines add up the rounds; a line holds single rounds.",
    "Each line ends with the sum over all rounds.",
)
def rounds_added_up(W, u, X, y, lam, order):
    return np.cumsum(lines(W, u, X, y, lam, order), axis=1)


# A4.crossing


def straight(t, a, b):
    """Slopes and heights of both lines on log-log axes."""
    return np.polyfit(np.log(t), np.log(np.transpose([a, b])), 1)


def is_a_logarithm(case, found):
    right = call(TASKS["A4.crossing"].reference, case).value
    return any(same_values(found, log(right)) for log in (np.log, np.log10))


@mistake(
    "A4.crossing",
    "you stop at the logarithm of t; expected t itself.",
    "Curves that meet at a thousand are said to meet at 7.",
    every(is_a_logarithm),
)
def crossing_in_logarithms(t, a, b):
    (slope_a, slope_b), (height_a, height_b) = straight(t, a, b)
    return (height_a - height_b) / (slope_b - slope_a)


@mistake(
    "A4.crossing",
    "yours is an entry of t; expected where the two lines meet, which may "
    "lie beyond all of them.",
    "A crossing after the last point is never found.",
    every(lambda case, found: found.shape == () and found in case["t"]),
)
def crossing_among_the_points(t, a, b):
    above = np.flatnonzero(np.greater(b, a))
    return t[above[0]] if len(above) else t[-1]


@mistake(
    "A4.crossing",
    "your lines are straight on axes that are not logarithmic.",
    "Two power laws are said to meet elsewhere.",
)
def crossing_on_plain_axes(t, a, b):
    (slope_a, slope_b), (height_a, height_b) = np.polyfit(
        t, np.transpose([a, b]), 1
    )
    return (height_a - height_b) / (slope_b - slope_a)


@mistake(
    "A4.crossing",
    "the sign of your logarithm of t is turned: one of the two differences is "
    "to be taken the other way round.",
    "Curves that meet at a thousand are said to meet at 0.001.",
)
def crossing_with_its_sign_turned(t, a, b):
    (slope_a, slope_b), (height_a, height_b) = straight(t, a, b)
    return np.exp((height_b - height_a) / (slope_b - slope_a))


# A4.opponent


def always_the_same(trials):
    """One example as long as may be, in all rounds and for every w."""
    found = [as_numbers(outcome.value) for _, outcome in trials]
    return found[0].shape == (2,) and (
        all(same_values(z, found[0]) for z in found)
        and same_values(np.linalg.norm(found[0]), 1.0)
    )


def along_w(case, found):
    w = case["w"]
    size = np.linalg.norm(w) * np.linalg.norm(found)
    return found.shape == (2,) and (not w.any() or found @ w > 0.999 * size)


@mistake(
    "A4.opponent",
    "your example was the same in every trial, whatever t and w were.",
    "The learner is on its side from the second round on.",
    always_the_same,
)
def one_example_for_ever(t, w, lam, radius):
    return np.array([1.0, 0.0])


@mistake(
    "A4.opponent",
    "your example lies in the direction of w: which example costs a hinge "
    "loss of more than 1?",
    "The longer w is, the less the learner pays for it.",
    every(along_w),
)
def example_along_w(t, w, lam, radius):
    length = np.linalg.norm(w)
    return w / length if length else np.array([1.0, 0.0])


@mistake(
    "A4.opponent",
    "your example is −w itself, so it is 0 in the first round.",
    "w stays 0, and the regret is 0: no u pays less.",
    every(lambda case, found: same_values(found, -case["w"])),
)
def minus_w_itself(t, w, lam, radius):
    return -w


# A4.learner


@mistake(
    "A4.learner",
    "you play 0 whatever the examples were.",
    "Every round costs 1, and against an opponent who repeats himself "
    "the regret grows like T.",
)
def plays_zero(Z, lam):
    return np.zeros(2)


@mistake(
    "A4.learner",
    "you add every example, also those whose margin is 1 or more.",
    "Against an opponent who repeats himself w is 1/λ long; 1 would do.",
)
def every_example_added(Z, lam):
    return Z.sum(axis=0) / (lam * max(len(Z), 1))


def along_the_last(case, found):
    if not len(case["Z"]):
        return found.shape == (2,)
    last = case["Z"][-1]
    return found @ last > 0.999999 * np.linalg.norm(found) > 0


@mistake(
    "A4.learner",
    "you play what the last example asks for, and forget those before.",
    "Against an opponent who alternates every later round costs a hinge loss "
    "of 1 + 1/λ.",
    every(along_the_last),
)
def follows_the_last_example(Z, lam):
    return Z[-1] / lam if len(Z) else np.zeros(2)


@mistake(
    "A4.learner",
    "you divide by λ and not by λt: your w is t times as long.",
    "Against an opponent who repeats himself w grows like t.",
)
def sum_not_divided_by_t(Z, lam):
    return Z.sum(axis=0) / lam


# A4.refutation


def the_same_game(trials):
    """The same λ and examples in all trials, which pass the first of them."""
    first = trials[0][1].value
    task = TASKS["A4.refutation"]
    return not task.judge(task, None, *trials[0]) and all(
        same_values(one, other)
        for _, outcome in trials
        for one, other in zip(outcome.value, first, strict=True)
    )


@mistake(
    "A4.refutation",
    "your game is the same for every `excess`, and does not exceed enough.",
    "Passes the first part and fails the next.",
    the_same_game,
)
def one_game_for_all(excess):
    pairs = [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]]
    return 1e-3, np.tile(pairs, (25, 1))
