"""Assignment 4's tournament: opponents, learners, and a false theorem.

The example of a round is the one vector z = y·x. It has two numbers and is
at most 1 long, so R = 1.
"""

import numpy as np

from pegasos_edu.coursework.task import (
    TASKS,
    describe,
    judge_form,
    show,
    task,
)
from pegasos_edu.coursework.tasks.classifier import best
from pegasos_edu.coursework.trial import as_numbers, call, kind_of
from pegasos_edu.page.tables import Table
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call

ROUNDS = 64
# What an opponent has to win: a share of the theorem's bound. The learner's
# regret without projection is never above a third of it.
SHARE_FREE, SHARE_BALL = 0.3, 0.4
LOOKED_AT = (1, 2, 4, 8, 16, 32, 64)  # rounds at which a learner is judged
LONGEST = 1_000  # rounds of a refutation
# How far two examples of a refutation are from one line, as |det(z_τ, z_t)|.
LEAST_AREA = 0.5


# The game


def cost(w, z, lam):
    """f_t(w) = λ/2 ‖w‖² + max(0, 1 − ⟨w, z⟩)."""
    return 0.5 * lam * (w @ w) + max(0.0, 1.0 - z @ w)


def step(w, z, lam, t, radius=np.inf):
    """What Pegasos plays next, on the ball of this radius."""
    w = (1 - 1 / t) * w + (z @ w < 1) * z / (lam * t)
    length = np.linalg.norm(w)
    return w if length <= radius else w * (radius / length)


def play(Z, lam):
    """The iterates w_1, …, w_T of Pegasos, without projection.

    Examples
    --------
    >>> play(np.array([[1.0, 0.0], [-1.0, 0.0]]), lam=0.5).tolist()
    [[0.0, 0.0], [2.0, 0.0]]
    """
    W = [np.zeros(2)]
    for t, z in enumerate(Z[:-1], start=1):
        W.append(step(W[-1], z, lam, t))
    return np.array(W)


def regret_to_best(W, Z, lam):
    """The regret against the best fixed u, after the last round."""
    u = best(Z, np.ones(len(Z)), lam)
    return regret(W, Z, lam, u)


def regret(W, Z, lam, u):
    """The regret against u, after the last round."""
    return sum(cost(w, z, lam) - cost(u, z, lam) for w, z in zip(W, Z))


def theorem(lam, T, projected=False):
    """The bound that is true: with R = 1, c(1 + ln T)/(2λ)."""
    return TASKS["A4.bound"].reference(lam, 1.0, T, projected=projected)


def sharper(lam, T):
    """(2 + 1 + 1/2 + … + 1/(T − 1))/(2λ), without projection.

    Examples
    --------
    >>> sharper(0.5, 3)
    3.5
    """
    return (2 + sum(1 / t for t in range(1, T))) / (2 * lam)


def too_long(z, t):
    """What is wrong with an example, or ""."""
    length = np.linalg.norm(z)
    if length <= 1 + 1e-9:
        return ""
    return (
        f"In round {t} your example is {show(z)}, which is {length:.6g} long; "
        f"expected at most 1."
    )


def first_gift(W, Z):
    """The first round in which the example costs no hinge, in a sentence."""
    for t, (w, z) in enumerate(zip(W, Z), start=1):
        if z @ w >= 1:
            return (
                f"\nIn round {t}, the first such, the learner's hinge loss "
                f"is 0: w = {show(w)}, your example {show(z)}."
            )
    return ""


# Opponents


def opponent_cases(radius_of):
    def cases(variant):
        rng = np.random.default_rng([3, variant])
        lam = float(rng.uniform(0.02, 0.08))
        radius = radius_of(lam)
        w = rng.standard_normal(2)
        # Few rules that go by t alone give the same in rounds 1 and 14.
        rounds = ((1, np.zeros(2)), (14, w))
        return [
            {"t": t, "w": w, "lam": lam, "radius": radius} for t, w in rounds
        ]

    return cases


OPPONENT_PARTS = {
    "free": opponent_cases(lambda lam: np.inf),
    "ball": opponent_cases(lambda lam: lam**-0.5),
}


def both_games(variant):
    return [case for make in OPPONENT_PARTS.values() for case in make(variant)]


def judge_opponent(task, solution, case, outcome):
    """A game of 64 rounds, which begins at t = 1."""
    if case["t"] > 1:
        return judge_form(outcome, (2,))
    lam, radius = case["lam"], case["radius"]
    w, W, Z = case["w"], [], []
    for t in range(1, ROUNDS + 1):
        now = {"t": t, "w": w, "lam": lam, "radius": radius}
        answer = call(solution, now)
        problem = judge_form(answer, (2,))
        if problem:
            return f"In round {t}, with w = {show(w)}: {problem}"
        z = as_numbers(answer.value)
        problem = too_long(z, t)
        if problem:
            return problem
        W.append(w)
        Z.append(z)
        w = step(w, z, lam, t, radius)
    projected = radius < np.inf
    found = regret_to_best(W, np.array(Z), lam)
    bound = theorem(lam, ROUNDS, projected)
    asked = SHARE_BALL if projected else SHARE_FREE
    if found >= asked * bound:
        return ""
    return (
        f"With {describe({'lam': lam, 'radius': radius})} Pegasos has, after "
        f"{ROUNDS} rounds, the regret {found:.4g} against the best fixed u: "
        f"{found / bound:.2f} of its bound {bound:.4g}. Expected at least "
        f"{asked:g} of it.{first_gift(W, Z)}"
    )


@task(
    "A4.opponent",
    "opponent(t, w, lam, radius) -> the example of round t as y·x, two "
    "numbers, at most 1 long; it knows what Pegasos plays, and on which "
    "ball, of radius inf without projection",
    both_games,
    judge_opponent,
    parts=OPPONENT_PARTS,
)
def _(t, w, lam, radius):
    return np.array([-1.0 if w[0] > 0 else 1.0, 0.0])


# Learners


def opponents(lam):
    """Those that a learner meets; another λ turns their plane."""
    e = np.array([np.cos(1 / lam), np.sin(1 / lam)])
    turned = np.array([-e[1], e[0]])

    def away(t, w):
        length = np.linalg.norm(w)
        return -w / length if length > 0 else e

    return {
        "who alternates": lambda t, w: e if t % 2 else -e,
        "who repeats": lambda t, w: e,
        "who turns when t doubles": lambda t, w: (
            e if t.bit_length() % 2 else -e
        ),
        "who goes round in a circle": lambda t, w: (
            np.cos(t - 1) * e + np.sin(t - 1) * turned
        ),
        "who looks at w": away,
    }


def learner_cases(low, high):
    def cases(variant):
        rng = np.random.default_rng([4, variant])
        lam = float(rng.uniform(low, high))
        Z = rng.standard_normal((12, 2))
        Z /= np.linalg.norm(Z, axis=1, keepdims=True)
        # By a repeated example it shows below which margin one learns.
        Z[1:6] = Z[0]
        return [{"Z": Z[:0], "lam": lam}, {"Z": Z, "lam": lam}]

    return cases


LEARNER_PARTS = {
    "large λ": learner_cases(0.8, 1.2),
    "small λ": learner_cases(0.25, 0.35),
}


def both_lambdas(variant):
    return [case for make in LEARNER_PARTS.values() for case in make(variant)]


def judge_learner(task, solution, case, outcome):
    """A game against each opponent; it begins without an example."""
    problem = judge_form(outcome, (2,))
    if problem or len(case["Z"]):
        return problem
    lam = case["lam"]
    for name, opponent in opponents(lam).items():
        problem = lost_to(solution, opponent, lam)
        if problem:
            return f"Against the opponent {name}, λ = {lam:.4g}: {problem}"
    return ""


def game(learner, opponent, lam):
    """The iterates and examples of a game, and what ended it early, or ""."""
    W, Z = np.zeros((0, 2)), np.zeros((0, 2))
    for t in range(1, ROUNDS + 1):
        played = call(learner, {"Z": Z, "lam": lam})
        problem = judge_form(played, (2,))
        if problem:
            return W, Z, f"in round {t}: {problem}"
        w = as_numbers(played.value)
        named = call(opponent, {"t": t, "w": w})
        problem = judge_form(named, (2,)) or too_long(
            as_numbers(named.value), t
        )
        if problem:
            return W, Z, problem
        W = np.vstack([W, w])
        Z = np.vstack([Z, as_numbers(named.value)])
    return W, Z, ""


def lost_to(learner, opponent, lam):
    """Why a learner fails against an opponent, or ""."""
    W, Z, problem = game(learner, opponent, lam)
    for t in (t for t in LOOKED_AT if t <= len(W)):
        found, bound = regret_to_best(W[:t], Z[:t], lam), theorem(lam, t)
        if found > bound:
            return (
                f"after {t} round{'s' * (t > 1)} your regret is "
                f"{found:.4g}; expected at most the bound {bound:.4g}. "
                f"Your last w was {show(W[t - 1])}, the example "
                f"{show(Z[t - 1])}."
            )
    return problem


def share_of(learner, opponent, lam):
    """The regret of one game over its bound, or None."""
    W, Z, problem = game(learner, opponent, lam)
    if problem:
        return None
    return regret_to_best(W, Z, lam) / theorem(lam, ROUNDS)


@task(
    "A4.learner",
    "learner(Z, lam) -> what you play after the examples in the rows of Z, "
    "as y·x; two numbers",
    both_lambdas,
    judge_learner,
    parts=LEARNER_PARTS,
)
def _(Z, lam):
    w = np.zeros(2)
    for t, z in enumerate(Z, start=1):
        w = step(w, z, lam, t)
    return w


# Everybody against everybody


@checked_call("coursework.tournament")
def tournament(opponent, learner, lam=0.3):
    """Let an opponent and a learner meet each other and the course's own.

    Parameters
    ----------
    opponent : callable
        Of the form that the task "A4.opponent" asks for.
    learner : callable
        Of the form that the task "A4.learner" asks for.
    lam : float

    Returns
    -------
    Table
        A row for each learner, a column for each opponent: the regret after
        64 rounds without projection, over its bound. A game that an answer
        cannot play has a dash.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Examples
    --------
    >>> def opponent(t, w, lam, radius):
    ...     return [1.0, 0.0]
    >>> def learner(Z, lam):
    ...     return [0.0, 0.0]
    >>> print(tournament(opponent, learner).rows[0][:4])
    ('your learner', '1.58', '0.00', '1.58')
    """
    checks.check_callable("opponent", opponent, "a function (t, w, lam, r)")
    checks.check_callable("learner", learner, "a function (Z, lam)")
    lam = checks.check_lam(lam, ROUNDS)
    columns = {
        "your opponent": lambda t, w: opponent(t, w, lam, np.inf),
        **opponents(lam),
    }
    table = Table(
        "learner",
        *columns,
        caption=f"Regret over its bound after {ROUNDS} rounds, λ = {lam:g}",
    )
    for name, plays in {"your learner": learner, **LEARNERS}.items():
        shares = [
            share_of(plays, against, lam) for against in columns.values()
        ]
        table.row(name, *("–" if s is None else f"{s:.2f}" for s in shares))
    return table


def with_steps(size):
    """A learner that takes steps of size(lam, t) against the subgradients."""

    def learner(Z, lam):
        w = np.zeros(2)
        for t, z in enumerate(Z, start=1):
            w = w - size(lam, t) * (lam * w - (z @ w < 1) * z)
        return w

    return learner


LEARNERS = {
    "Pegasos": with_steps(lambda lam, t: 1 / (lam * t)),
    "steps of 1/√t": with_steps(lambda lam, t: t**-0.5),
    "plays 0 always": lambda Z, lam: np.zeros(2),
}


# The false theorem


def judge_refutation(task, solution, case, outcome):
    """λ and examples, with a regret that the claim does not allow."""
    lam, Z, problem = game_in(outcome)
    if problem:
        return problem
    T, W = len(Z), play(Z, lam)
    claim = theorem(lam, T, projected=True)
    found = regret(W, Z, lam, np.zeros(2))
    if found > case["excess"] * claim:
        return ""
    return (
        f"After T = {T} rounds with λ = {lam:g} the regret against u = 0 is "
        f"{found:.6g}, {found / claim:.3f} times the claim {claim:.6g}; "
        f"expected a factor above {case['excess']:g}.{first_gift(W, Z)}"
    )


def game_in(outcome):
    """The λ and the examples of an answer, and what is wrong with them."""
    problem = unreadable(outcome)
    if problem:
        return 0.0, None, problem
    lam, Z = map(as_numbers, outcome.value)
    wrong = [too_long(z, t) for t, z in enumerate(Z, start=1)]
    return float(lam), Z, next(filter(None, wrong), "") or on_a_line(Z)


def on_a_line(Z):
    """Why no two examples are linearly independent, or ""."""
    first, second = Z.T
    area = np.abs(np.outer(first, second) - np.outer(second, first)).max()
    if area >= LEAST_AREA:
        return ""
    return (
        f"No two of your examples are linearly independent enough: the "
        f"largest |det(z_τ, z_t)| is {area:.4g}; expected at least "
        f"{LEAST_AREA:g}."
    )


def unreadable(outcome):
    """Why an answer is not one λ and a table of examples, or ""."""
    if outcome.error is not None or outcome.value is None:
        return judge_form(outcome, ())
    value = outcome.value
    if type(value) not in (tuple, list) or len(value) != 2:
        return (
            f"Your function returned {kind_of(value)}; expected two "
            f"things, λ and the examples."
        )
    lam, Z = map(as_numbers, value)
    if lam is None or lam.shape or not 1e-6 <= lam <= 1:
        said = "no number" if lam is None or lam.shape else f"{lam:g}"
        return f"Your λ is {said}; expected one from 1e-6 to 1."
    if Z is None or Z.ndim != 2 or Z.shape[1] != 2:
        return (
            "Your examples are no array of shape (T, 2); expected a row for "
            "each round."
        )
    if not 1 <= len(Z) <= LONGEST or not np.isfinite(Z).all():
        return (
            f"You returned {len(Z):,} examples; expected 1 to {LONGEST:,}, "
            f"all finite."
        )
    return ""


def excess(least):
    return lambda variant: [{"excess": least}]


REFUTATION_PARTS = {f"{times:g}": excess(times) for times in (1, 1.25, 1.5)}


def all_excesses(variant):
    return [case for make in REFUTATION_PARTS.values() for case in make(0)]


@task(
    "A4.refutation",
    "refutation(excess) -> λ and the examples y·x, a row for each round: "
    "the regret of Pegasos is more than `excess` times what the claim "
    "allows; two examples with a determinant of at least 0.5",
    all_excesses,
    judge_refutation,
    parts=REFUTATION_PARTS,
)
def _(excess):
    return 1e-6, np.array([[1.0, 0.0], [-0.8, 0.6]])


# The bonus


def judge_planar(task, solution, case, outcome):
    """Nearly all of the sharper bound, with examples in all directions."""
    T, lam = case["T"], case["lam"]
    problem = judge_form(outcome, (T, 2))
    if problem:
        return problem
    Z = as_numbers(outcome.value)
    problem = next(filter(None, map(too_long, Z, range(1, T + 1))), "")
    if problem:
        return problem
    least = np.linalg.eigvalsh(Z.T @ Z)[0]
    if least < T / 4:
        return (
            f"In one direction e your examples add up to only "
            f"{least:.4g} = Σ ⟨e, z_t⟩²; expected at least T/4 = {T / 4:g} "
            f"in each."
        )
    W = play(Z, lam)
    share = regret(W, Z, lam, np.zeros(2)) / sharper(lam, T)
    if share >= 0.95:
        return ""
    return (
        f"With T = {T}, λ = {lam:g} the regret against u = 0 is {share:.3f} "
        f"of the sharper bound; expected at least 0.95.{first_gift(W, Z)}"
    )


@task(
    "A4.planar",
    "planar(T, lam) -> T examples y·x, of shape (T, 2), for a T that 4 "
    "divides: 0.95 of the sharper bound, and Σ⟨e, z_t⟩² ≥ T/4 in every "
    "direction e",
    lambda variant: [
        {"T": 40 + 4 * (variant % 7), "lam": 0.1},
        {"T": 100, "lam": 0.01},
    ],
    judge_planar,
)
def _(T, lam):
    return np.resize(
        [[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], (T, 2)
    )
