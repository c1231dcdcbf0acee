"""Assignment 4's tournament, telescope and crossing; A1's full features."""

import contextlib
import math
import re
import time

import numpy as np
import pytest

from pegasos_edu import coursework
from pegasos_edu.coursework.tasks import TASKS, tournament
from pegasos_edu.theory import games
from pegasos_edu.theory import regret as theory

UP, RIGHT = np.array([0.0, 1.0]), np.array([1.0, 0.0])
CROSS = [RIGHT, -RIGHT, UP, -UP]


# Right answers, written differently


def away(t, w, lam, radius):
    length = math.hypot(w[0], w[1])
    return [-w[0] / length, -w[1] / length] if length else [0.0, 1.0]


def alternate(t, w, lam, radius):
    return UP if t % 2 else -UP


def axes_in_turn(t, w, lam, radius):
    return (RIGHT, -RIGHT, UP, -UP)[(t - 1) % 4]


def sum_of_violators(Z, lam):
    total = np.zeros(2)
    for t, z in enumerate(Z):
        if t == 0 or total @ z < lam * t:
            total = total + z
    return total / (lam * max(len(Z), 1))


def projected(Z, lam):
    w = np.zeros(2)
    for t, z in enumerate(Z, 1):
        w = w - (lam * w - z * (w @ z < 1)) / (lam * t)
        w = w / max(1, np.linalg.norm(w) * lam**0.5)
    return w.tolist()


def leader(Z, lam):
    """What would have been best so far, by many small steps."""
    w = np.zeros(2)
    for s in range(1, 120):
        if len(Z):
            w = (1 - 1 / s) * w + (Z @ w < 1) @ Z / (len(Z) * lam * s)
    return w


def telescope_at_once(W, u, X, y, lam, order):
    T, V = len(order), W - u
    w, z, t = W[:T], y[order][:, None] * X[order], np.arange(1, T + 1)
    m, mu = np.einsum("td,td->t", w, z), z @ u
    g = lam * w - np.where(m < 1, 1, 0)[:, None] * z
    D = np.einsum("td,td->t", V, V)
    zero = lam / 2 * (np.sum(w * w, 1) - u @ u)
    zero = zero + np.maximum(0, 1 - m) - np.maximum(0, 1 - mu)
    one = np.sum(g * V[:T], 1) - lam * D[:T] / 2
    two = 0.5 * lam * (-D[:T] + t * (D[:T] - D[1:]))
    return [zero, one, two, np.sum(g * g, 1) / (2 * t * lam)]


def crossing_by_sums(t, a, b):
    x = np.log10(t)
    d = np.log10(b) - np.log10(a)
    slope = np.sum((x - x.mean()) * d) / np.sum((x - x.mean()) ** 2)
    return 10 ** (x.mean() - d.mean() / slope)


def long_refutation(excess):
    """Found by search: the first game of a list that is enough."""
    for T in (1000, 100, 10, 4):
        for lam in (1e-2, 1e-3, 1e-5):
            game = [[*axes_in_turn(t, 0, 0, 0)] for t in range(1, T + 1)]
            bound = (lam**0.5 + 1) ** 2 * (1 + math.log(T)) / (2 * lam)
            w, paid = np.zeros(2), 0.0
            for t, z in enumerate(np.array(game), 1):
                paid += lam / 2 * (w @ w) + max(0, 1 - z @ w) - 1
                w = (1 - 1 / t) * w + (z @ w < 1) * z / (lam * t)
            if paid > excess * bound:
                return [lam, game]
    raise ValueError("no game of the list is enough")


def by_counting(X, rows):
    needed, every = 0, 0
    for i in np.asarray(rows).flatten():
        needed += np.count_nonzero(X[i])
        every += X.shape[1]
    return 1 - needed / every


def tilted(T, lam):
    Z = np.zeros((T, 2))
    for t in range(T):
        angle = 0.7 if t % 4 < 2 else 0.7 + np.pi / 2
        Z[t] = (-1) ** t * np.array([np.cos(angle), np.sin(angle)])
    return Z


RIGHT_ANSWERS = [
    *(("A4.opponent", f) for f in (away, alternate, axes_in_turn)),
    *(("A4.learner", f) for f in (sum_of_violators, projected, leader)),
    ("A4.telescope", telescope_at_once),
    ("A4.crossing", crossing_by_sums),
    ("A4.refutation", long_refutation),
    ("A4.planar", tilted),
    ("A1.wasted", by_counting),
]


@pytest.mark.parametrize("variant", range(4))
@pytest.mark.parametrize("task, answer", RIGHT_ANSWERS)
def test_no_right_answer_is_refused(task, answer, variant):
    report = coursework.check(task, answer, variant)
    assert report.passed, str(report)


# Wrong answers, and what is said of them


def unprojected_only(t, w, lam, radius):
    """Far from the best on the ball: it waits for two rounds each time."""
    return RIGHT if (t // 2) % 2 else -RIGHT


def plain(W, u, X, y, lam, order, weight=1, squared=True, shrink=True):
    """The lines, with places for mistakes."""
    lines = []
    for t, i in enumerate(order, 1):
        w, z = W[t - 1], y[i] * X[i]
        g = lam * w * shrink - (w @ z < 1) * z
        near, far = np.sum((w - u) ** 2), np.sum((W[t] - u) ** 2)
        paid = lam / 2 * (w @ w - u @ u)
        paid += max(0, 1 - w @ z) - max(0, 1 - u @ z)
        right = lam * w - (w @ z < 1) * z
        lines.append(
            [
                paid,
                right @ (w - u) - (lam / 2 * near if squared else 0),
                lam / 2 * ((t - weight) * near - t * far),
                g @ g / (2 * lam * t),
            ]
        )
    return np.array(lines).T


def no_strong_convexity(*run):
    return plain(*run, squared=False)


def no_telescope(*run):
    return plain(*run, weight=0)


def loss_alone(*run):
    return plain(*run, shrink=False)


def added_up(*run):
    return np.cumsum(plain(*run), axis=1)


def one_twice(*run):
    lines = plain(*run)
    return np.array([lines[0], lines[1], lines[1], 0 * lines[1]])


def in_logs(t, a, b):
    return np.log(crossing_by_sums(t, a, b))


def first_seen(t, a, b):
    above = np.flatnonzero(b > a)
    return t[above[0]] if len(above) else t[-1]


def not_in_logs(t, a, b):
    (p, c), (q, d) = np.polyfit(t, a, 1), np.polyfit(t, b, 1)
    return (c - d) / (q - p)


def hard_coded(Z, lam):
    """Plays against the opponents' plane of the public λ alone."""
    seen = {0: np.zeros(2)}
    return seen.get(len(Z), np.array([0.1, 0.1]))


WRONG_ANSWERS = [
    ("A4.opponent", lambda t, w, lam, radius: RIGHT, "0.08 of its bound"),
    (
        "A4.opponent",
        lambda t, w, lam, radius: RIGHT,
        "In round 2, the first such, the learner's hinge loss is 0",
    ),
    (
        "A4.opponent",
        lambda t, w, lam, radius: 0.7 * np.array(alternate(t, w, 0, 0)),
        "Expected at least 0.3 of it",
    ),
    ("A4.opponent", unprojected_only, "Expected at least 0.4 of it"),
    (
        "A4.opponent",
        lambda t, w, lam, radius: -w,
        "Expected at least 0.3 of it",
    ),
    (
        "A4.opponent",
        lambda t, w, lam, radius: 2 * RIGHT if t == 3 else RIGHT,
        "In round 3 your example is [2, 0], which is 2 long",
    ),
    (
        "A4.opponent",
        lambda t, w, lam, radius: -w / np.linalg.norm(w),
        "Your result [nan, nan] is not finite",
    ),
    ("A4.learner", lambda Z, lam: np.zeros(2), "Against the opponent who"),
    ("A4.learner", hard_coded, "expected at most the bound"),
    (
        "A4.learner",
        lambda Z, lam: -sum_of_violators(Z, lam),
        "your regret is",
    ),
    (
        "A4.learner",
        lambda Z, lam: Z[-1] / lam,
        "IndexError",
    ),
    (
        "A4.learner",
        lambda Z, lam: Z.sum(axis=0) / lam,
        "the opponent who alternates, λ = 1.177: after 16 rounds",
    ),
    (
        "A4.telescope",
        no_strong_convexity,
        "strong convexity gives more",
    ),
    ("A4.telescope", no_telescope, "t in front of both distances"),
    ("A4.telescope", loss_alone, "leaves λw_t out of the subgradient"),
    ("A4.telescope", added_up, "a line holds single rounds"),
    (
        "A4.telescope",
        one_twice,
        "The lines before line 2 are right. Line 2 is the part of "
        "line 1 with the distances before and after the step. At t",
    ),
    ("A4.telescope", lambda *run: plain(*run).T, "shape (25, 4); expected"),
    (
        "A4.crossing",
        in_logs,
        "you stop at the logarithm of t; expected t itself",
    ),
    (
        "A4.crossing",
        first_seen,
        "yours is an entry of t; expected where the two lines meet",
    ),
    ("A4.crossing", not_in_logs, "you returned"),
    (
        "A4.refutation",
        lambda excess: (1e-3, np.tile(CROSS, (25, 1))),
        "1.191 times the claim 2982.64; expected a factor above 1.25",
    ),
    (
        "A4.refutation",
        lambda excess: (1e-3, [RIGHT, UP] * 50),
        "the regret against u = 0 is 1036.88",
    ),
    (
        "A4.refutation",
        lambda excess: (1e-4, [RIGHT, -RIGHT]),
        "No two of your examples are linearly independent enough: the "
        "largest |det(z_τ, z_t)| is 0; expected at least 0.5.",
    ),
    (
        "A4.refutation",
        lambda excess: (1e-4, [RIGHT, [-0.999, 0.01]]),
        "the largest |det(z_τ, z_t)| is 0.01; expected at least 0.5.",
    ),
    (
        "A4.refutation",
        lambda excess: (1e-3, [[1.0, 0.0], [-1.0, 0.5]]),
        "In round 2 your example is [-1, 0.5], which is 1.11803 long",
    ),
    (
        "A4.refutation",
        lambda excess: (1e-9, [[1.0, 0.0], [-1.0, 0.0]]),
        "Your λ is 1e-09; expected one from 1e-6 to 1",
    ),
    ("A4.refutation", lambda excess: [1.0, 2.0, 3.0], "expected two things"),
    ("A4.refutation", lambda excess: (0.1, [1.0]), "no array of shape (T, 2)"),
    ("A4.refutation", lambda excess: (0.1, np.zeros((0, 2))), "0 examples"),
    ("A4.refutation", lambda excess: ("a", [[1.0, 0.0]]), "λ is no number"),
    (
        "A4.planar",
        lambda T, lam: np.resize([RIGHT, -RIGHT], (T, 2)),
        "add up to only 0 = Σ ⟨e, z_t⟩²; expected at least T/4 = 10",
    ),
    (
        "A4.planar",
        lambda T, lam: np.resize([RIGHT, UP, -RIGHT, -UP], (T, 2)),
        "of the sharper bound; expected at least 0.95",
    ),
    ("A4.planar", lambda T, lam: np.zeros((T, 2)), "add up to only 0"),
    ("A1.wasted", lambda X, rows: np.mean(X == 0), "the share of all of X"),
    (
        "A1.wasted",
        lambda X, rows: by_counting(X, np.unique(rows)),
        "the share of the rows named, each once",
    ),
    (
        "A1.wasted",
        lambda X, rows: 1 - by_counting(X, rows),
        "the share of the multiplications that are needed",
    ),
]


@pytest.mark.parametrize("task, answer, says", WRONG_ANSWERS)
def test_a_wrong_answer_is_told_what_was_seen(task, answer, says):
    report = coursework.check(task, answer)
    assert not report.passed
    assert says in str(report), str(report)


def written_otherwise(t, w, lam, radius):
    """The same example always: a full circle brings it back."""
    return [math.cos(2 * math.pi * t), math.sin(2 * math.pi * t)]


def with_the_learner(t, w, lam, radius):
    if not w.any():
        return UP
    angle = math.atan2(w[1], w[0])
    return math.cos(angle), math.sin(angle)


def too_lazy(Z, lam):
    """Right, but for its test: it updates below a margin of 2."""
    w = np.zeros(2)
    for t, z in enumerate(Z, 1):
        w = (1 - 1 / t) * w + (w @ z < 2) * z / (lam * t)
    return w


def mean_over_lam(Z, lam):
    return np.mean(Z, axis=0) / lam if len(Z) else np.zeros(2)


def half_done(*run):
    """The first mistake is in line 2; line 3 has one of its own."""
    right, other = plain(*run, weight=0), plain(*run, shrink=False)
    return [right[0], right[1], right[2], other[3]]


def upside_down(t, a, b):
    return 1 / crossing_by_sums(t, a, b)


def decimal_logs(t, a, b):
    return math.log10(crossing_by_sums(t, a, b))


def by_its_sign(excess):
    """Another game for another excess, and too weak for 1.25."""
    long = 10 + 2 * (excess > 1)
    return 1e-3, np.resize(CROSS, (2 * long, 2))


# Mistakes written otherwise than in the zoo, and some that have no name.
NAMED = [
    ("A4.opponent", written_otherwise, "one-example-for-ever"),
    ("A4.opponent", with_the_learner, "example-along-w"),
    ("A4.opponent", lambda t, w, lam, radius: -1.0 * w, "minus-w-itself"),
    (
        "A4.opponent",
        lambda t, w, *_: 0.7 * np.array(alternate(t, w, 0, 0)),
        "example-shorter-than-allowed",
    ),
    ("A4.opponent", unprojected_only, "example-without-w"),
    ("A4.learner", mean_over_lam, "every-example-added"),
    ("A4.learner", lambda Z, lam: [0.0, 0.0], "plays-zero"),
    (
        "A4.learner",
        lambda Z, lam: sum([*Z / lam, 0 * UP]),
        "sum-not-divided-by-t",
    ),
    ("A4.learner", too_lazy, "another-threshold"),
    ("A4.learner", hard_coded, "plays-without-the-examples"),
    ("A4.telescope", half_done, "t-before-both-distances"),
    ("A4.telescope", one_twice),
    ("A4.telescope", lambda *run: -plain(*run), "line-with-its-sign-turned"),
    ("A4.crossing", decimal_logs, "crossing-in-logarithms"),
    ("A4.crossing", first_seen, "crossing-among-the-points"),
    ("A4.crossing", not_in_logs, "crossing-on-plain-axes"),
    ("A4.crossing", upside_down, "crossing-with-its-sign-turned"),
    (
        "A4.crossing",
        lambda t, a, b: 2 * crossing_by_sums(t, a, b),
        "right-but-for-a-factor",
    ),
    ("A4.refutation", by_its_sign),
]


@pytest.mark.parametrize("variant", range(3))
@pytest.mark.parametrize("case", NAMED, ids=lambda case: case[1].__name__)
def test_a_mistake_is_named_however_written_and_no_other(case, variant):
    task, answer, *name = case
    report = coursework.check(task, answer, variant)
    if answer is too_lazy and report.passed:
        return  # its mistake may cost too little
    assert not report.passed
    wanted = name[0] if name else None
    assert report.mistake == wanted, str(report)


@pytest.mark.parametrize(
    "task, answer",
    [
        ("A4.opponent", lambda *x: TASKS["A4.opponent"].reference(*x)),
        ("A4.learner", lambda Z, lam: games_learner(Z, lam)),
        ("A4.telescope", lambda *x: TASKS["A4.telescope"].reference(*x)),
        ("A4.planar", lambda *x: TASKS["A4.planar"].reference(*x)),
        ("A4.refutation", lambda x: TASKS["A4.refutation"].reference(x)),
    ],
)
def test_a_borrowed_answer_is_refused(task, answer):
    report = coursework.check(task, answer)
    assert report.mistake == "borrowed-answer", str(report)


def games_learner(Z, lam):
    """What the package's own game has played."""
    given = iter([*zip(Z, np.ones(len(Z))), (RIGHT, 1.0)])
    return games.play(lambda t, w: next(given), lam, len(Z) + 1, d=2)[0][-1]


@pytest.mark.parametrize("k", range(4))
def test_who_guesses_is_not_told_the_lines_of_the_proof(k):
    """A few runs with nothing in a line would else answer the task."""

    def telescope(*run):
        lines = plain(*run)
        lines[k] = 0.0
        return lines

    told = coursework.check("A4.telescope", telescope).message
    assert f"Line {k} is " in told
    formula = "‖", "⟨", "λ/2", "expected 1.", "expected -1."
    assert [part for part in formula if part in told] == []


class Enough(KeyboardInterrupt):
    """What the arena takes for a Ctrl+C, and for no fault of the answer."""


def test_the_arena_lends_no_learner(monkeypatch):
    """To one that leaves the arena once it has seen what Pegasos plays."""
    # A game in each round of each game: shorter ones will do.
    monkeypatch.setattr(tournament, "ROUNDS", 16)

    def spying(Z, lam):
        seen = []

        def opponent(t, w, lam, radius):
            seen.append(w)
            if len(seen) > tournament.ROUNDS + len(Z):
                raise Enough
            return Z[t - 1] if t <= len(Z) else RIGHT

        with contextlib.suppress(Enough):
            coursework.tournament(opponent, lambda Z, lam: [0.0, 0.0], lam)
        return seen[-1]

    report = coursework.check("A4.learner", spying)
    assert report.mistake == "borrowed-answer", str(report)


def test_parts_are_for_themselves():
    def check(part):
        return coursework.check("A4.refutation", hundred, part=part).passed

    def hundred(excess):
        return 1e-3, np.tile(CROSS, (25, 1))

    assert [check(p) for p in ("1", "1.25", "1.5")] == [True, False, False]
    free = coursework.check("A4.opponent", unprojected_only, part="free")
    ball = coursework.check("A4.opponent", unprojected_only, part="ball")
    assert free.passed and not ball.passed


# The games themselves


@pytest.mark.parametrize("radius", [None, 0.3])
def test_a_step_is_that_of_the_theory(radius):
    rng = np.random.default_rng(0)
    Z = rng.standard_normal((30, 2)) / 3
    W, _, _ = games.play(
        lambda t, w: (Z[t - 1], 1.0), 0.2, 30, d=2, radius=radius
    )
    w = np.zeros(2)
    for t, z in enumerate(Z, 1):
        np.testing.assert_allclose(w, W[t - 1], atol=1e-12)
        w = tournament.step(w, z, 0.2, t, radius or np.inf)
    if radius is None:
        np.testing.assert_allclose(tournament.play(Z, 0.2), W, atol=1e-12)


def test_regrets_are_those_of_the_theory():
    Z = np.random.default_rng(1).standard_normal((30, 2)) / 3
    W, order = tournament.play(Z, 0.2), np.arange(30)
    wanted = theory.regret_to_best(W, Z, np.ones(30), 0.2, order, [30])[0]
    found = tournament.regret_to_best(W, Z, 0.2)
    assert found == pytest.approx(wanted, abs=1e-6)
    against = theory.regret(W, UP, Z, np.ones(30), 0.2, order)[-1]
    assert tournament.regret(W, Z, 0.2, UP) == pytest.approx(against)


@pytest.mark.parametrize("T", [1, 2, 64])
def test_bounds_are_those_of_the_theory(T):
    for projected in (False, True):
        wanted = theory.pegasos_regret_bound(T, 0.1, 1.0, projected)
        assert tournament.theorem(0.1, T, projected) == pytest.approx(wanted)
    wanted = theory.sharp_regret_bound(T, 0.1, 1.0)
    assert tournament.sharper(0.1, T) == pytest.approx(wanted)


def test_what_the_notebook_says_of_the_bounds():
    """Nobody can win a third; alternating wins nearly the sharper bound."""
    most = tournament.sharper(0.1, tournament.ROUNDS)
    share = most / tournament.theorem(0.1, tournament.ROUNDS)
    assert tournament.SHARE_FREE < share < 1 / 3
    Z = np.tile([RIGHT, -RIGHT], (20, 1))
    found = tournament.regret(tournament.play(Z, 0.1), Z, 0.1, np.zeros(2))
    assert found / tournament.sharper(0.1, 40) > 0.98


def test_the_values_beside_the_thresholds():
    """What the notebook says that the best known opponents get."""
    most = tournament.sharper(0.1, tournament.ROUNDS)
    share = most / tournament.theorem(0.1, tournament.ROUNDS)
    assert 0.326 < share < 0.3261
    for opponent in (away, alternate):
        for lam, ball in ((0.02, 0.579), (0.08, 0.54)):
            free = share_of_bound(opponent, lam, np.inf)
            assert free == pytest.approx(0.322, abs=1e-3)
            held = share_of_bound(opponent, lam, lam**-0.5)
            assert held == pytest.approx(ball, abs=1e-3)
            assert round(held, 2) == round(most_against_zero(lam), 2)


def most_against_zero(lam):
    """The largest regret against u = 0 in the ball, over its bound.

    By going back from the last round. What a w is worth depends on its
    length alone, as every example can be turned with it.
    """
    radius = lam**-0.5
    lengths = np.linspace(0, radius, 500)
    angles, long = np.meshgrid(np.linspace(0, np.pi, 61), (0, 0.5, 0.9, 1.0))
    along, across = long * np.cos(angles), long * np.sin(angles)
    along, across = along.reshape(-1, 1), across.reshape(-1, 1)
    margins = along * lengths
    paid = lam / 2 * lengths**2 + np.maximum(0, 1 - margins) - 1
    worth = np.zeros(lengths.size)
    for t in range(tournament.ROUNDS, 0, -1):
        pull = (margins < 1) / (lam * t)
        w = (1 - 1 / t) * lengths + pull * along, pull * across
        after = np.minimum(np.hypot(*w), radius)
        worth = np.max(paid + np.interp(after, lengths, worth), axis=0)
    return worth[0] / tournament.theorem(lam, tournament.ROUNDS, True)


def share_of_bound(opponent, lam, radius):
    """The regret of the theory's game over its bound."""
    T, projected = tournament.ROUNDS, bool(np.isfinite(radius))
    W, Z, y = games.play(
        lambda t, w: (np.array(opponent(t, w, lam, radius)), 1.0),
        lam,
        T,
        d=2,
        radius=radius if projected else None,
    )
    found = theory.regret_to_best(W, Z, y, lam, np.arange(T), [T])[0]
    return found / theory.pegasos_regret_bound(T, lam, 1.0, projected)


@pytest.mark.parametrize("lam", [0.07, 0.3, 1.177])
def test_every_opponent_names_examples_of_length_one(lam):
    for opponent in tournament.opponents(lam).values():
        for t in range(1, 20):
            z = opponent(t, np.array([0.3 * t, -1.0]))
            assert np.linalg.norm(z) == pytest.approx(1.0)


def test_who_loses_is_shown_the_round_that_was_lost():
    """Every w and every example of this game tells its round."""
    said = tournament.lost_to(
        lambda Z, lam: np.array([-90.0, len(Z) + 1.0]),
        lambda t, w: np.array([1.0, 0.01 * t]) / 2,
        0.5,
    )
    (t,) = map(int, re.findall("after ([0-9]+) round", said))
    assert said.endswith(
        f"Your last w was [-90, {t}], the example [0.5, {0.005 * t:g}]."
    )


def test_everybody_meets_everybody():
    table = coursework.tournament(away, sum_of_violators)
    rows = {name: cells for name, *cells in table.rows}
    # Each is Pegasos, and plays the opponent who looks at w.
    assert rows["your learner"] == rows["Pegasos"]
    assert table.header[1] == "your opponent"
    assert table.header[-1] == "who looks at w"
    wanted = f"{share_of_bound(away, 0.3, np.inf):.2f}"
    assert rows["Pegasos"][0] == rows["Pegasos"][-1] == wanted == "0.32"
    # Always 0, it pays 1 a round; the best u against one example is known.
    T = tournament.ROUNDS
    best = 0.3 / 2  # u = z, with no hinge loss
    broken = T * (1 - best) / tournament.theorem(0.3, T)
    assert rows["plays 0 always"][2] == f"{broken:.2f}" == "1.58"
    assert min(map(float, rows["steps of 1/√t"])) < 0


def test_a_game_that_cannot_be_played_has_a_dash():
    table = coursework.tournament(lambda *x: None, lambda Z, lam: 1 / 0)
    first, *others = table.rows
    assert set(first[1:]) == {"–"}
    assert all(row[1] == "–" and "–" not in row[2:] for row in others)


@pytest.mark.parametrize("T, lam", [(40, 0.1), (100, 0.01)])
def test_the_planar_examples_do_what_they_are_asked(T, lam):
    Z = TASKS["A4.planar"].reference(T, lam)
    assert Z.shape == (T, 2)
    np.testing.assert_allclose(np.linalg.norm(Z, axis=1), 1.0)
    assert np.linalg.eigvalsh(Z.T @ Z)[0] >= T / 4
    W, _, _ = games.play(lambda t, w: (Z[t - 1], 1.0), lam, T, d=2)
    found = theory.regret(W, [0.0, 0.0], Z, np.ones(T), lam, np.arange(T))
    assert found[-1] >= 0.95 * theory.sharp_regret_bound(T, lam, 1.0)


def test_no_check_takes_a_second():
    """Processor time, so that other work does not count."""
    for task, answer in RIGHT_ANSWERS:
        if answer is leader:  # which takes long itself
            continue
        start = time.process_time()
        coursework.check(task, answer)
        assert time.process_time() - start < 1, task


@pytest.mark.parametrize(
    "change, said",
    [
        ({"lam": 0}, "lam is 0; expected a finite number above 0"),
        ({"lam": "a"}, "lam is 'a' of type str; expected a finite number"),
        ({"lam": np.nan}, "lam is nan; expected a finite number above 0"),
        ({"opponent": 3}, "opponent is 3; expected a function"),
        ({"learner": None}, "learner is None; expected a function"),
    ],
)
def test_a_wrong_call_of_the_tournament_is_named(change, said):
    players = {
        "opponent": lambda t, w, lam, radius: [1.0, 0.0],
        "learner": lambda Z, lam: [0.0, 0.0],
    }
    with pytest.raises((ValueError, TypeError), match=said):
        coursework.tournament(**{**players, **change})
