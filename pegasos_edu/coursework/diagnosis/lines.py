"""The four lines of the proof in assignment 4.

A line is a sum of known terms. What an answer makes of it shows
in the factors that the terms have there: they are fitted to all rounds of
all trials.
"""

import numpy as np

from pegasos_edu.coursework.diagnosis.expressions import expression
from pegasos_edu.coursework.diagnosis.inputs import INPUT, right_but
from pegasos_edu.coursework.diagnosis.quantities import FORMULA, RIGHT
from pegasos_edu.coursework.diagnosis.search import other_cases
from pegasos_edu.coursework.diagnosis.values import regrets
from pegasos_edu.coursework.trial import (
    Outcome,
    as_numbers,
    call,
    same_values,
)

CLOSE = 1e-9


class Game:
    """What the lines of the proof are made of, for each round."""

    def __init__(self, W, u, X, y, lam, order, violates=None):
        self.w, self.u, self.lam = W[:-1], u, lam
        self.t = np.arange(1, len(order) + 1)
        self.z = y[order, np.newaxis] * X[order]
        margins = (self.z * self.w).sum(axis=1)
        self.hit = margins < 1
        if violates is not None:
            self.hit = violates(margins, y[order])
        self.near, self.far = (
            ((w - u) ** 2).sum(axis=1) for w in (W[:-1], W[1:])
        )

    def hinge(self, w):
        return np.maximum(0, 1 - (self.z * w).sum(axis=1))


def of_line_0(g):
    half = g.lam / 2
    return {
        "λ/2 ‖w_t‖²": (1, half * (g.w**2).sum(axis=1)),
        "the loss of w_t": (1, g.hinge(g.w)),
        "λ/2 ‖u‖²": (-1, half * np.full(len(g.t), g.u @ g.u)),
        "the loss of u": (-1, g.hinge(g.u)),
    }


def of_line_1(g, power=1.0):
    return {
        "λ⟨w_t, w_t⟩": (1, g.lam * (g.w**2).sum(axis=1)),
        "λ⟨w_t, u⟩": (-1, g.lam * g.w @ g.u),
        "y⟨x, w_t⟩ of a violator": (-1, g.hit * (g.z * g.w).sum(axis=1)),
        "y⟨x, u⟩ of a violator": (1, g.hit * (g.z @ g.u)),
        "λ/2 ‖w_t − u‖²": (-1, g.lam / 2 * g.near**power),
        "y⟨x, w_t⟩ in rounds without a violation": (
            0,
            ~g.hit * (g.z * g.w).sum(axis=1),
        ),
        "y⟨x, u⟩ in rounds without a violation": (0, ~g.hit * (g.z @ g.u)),
    }


def of_line_2(g, power=1.0):
    near, far = (g.lam / 2 * each**power for each in (g.near, g.far))
    return {
        "λ/2 t ‖w_t − u‖²": (1, g.t * near),
        "λ/2 ‖w_t − u‖²": (-1, near),
        "λ/2 t ‖w_{t+1} − u‖²": (-1, g.t * far),
        "λ/2 ‖w_{t+1} − u‖²": (0, far),
    }


def of_line_3(g):
    by = 2 * g.lam * g.t
    inside = g.hit * (g.z * g.w).sum(axis=1)
    return {
        "‖λw_t‖²/(2λt)": (1, g.lam**2 * (g.w**2).sum(axis=1) / by),
        "−2λy⟨x, w_t⟩/(2λt)": (1, -2 * g.lam * inside / by),
        "‖x‖²/(2λt) of a violator": (1, g.hit * (g.z**2).sum(axis=1) / by),
        "−2λy⟨x, w_t⟩/(2λt) in rounds without a violation": (
            0,
            -2 * g.lam * ~g.hit * (g.z * g.w).sum(axis=1) / by,
        ),
        "‖x‖²/(2λt) in rounds without a violation": (
            0,
            ~g.hit * (g.z**2).sum(axis=1) / by,
        ),
    }


def by_lengths(line):
    return lambda g: line(g, power=0.5)


TERMS = (of_line_0, of_line_1, of_line_2, of_line_3)
FACTOR, POWER = "term-with-another-factor", "another-power-of-t"
ANOTHER_LINE = "another-line"
ONE_LENGTH = "one-length-for-all-rounds"
OTHER_ROUNDS = "other-rounds-violate"
AS_EQUAL = "inequality-as-equality"
# What else is taken for a violator: (margin, label)
OTHER_TESTS = (
    ("violators are the rounds with y⟨x, w_t⟩ < 0", lambda m, y: m < 0),
    ("violators are the rounds with y⟨x, w_t⟩ ≤ 0", lambda m, y: m <= 0),
    ("violators are the rounds with y⟨x, w_t⟩ > 1", lambda m, y: m > 1),
    ("violators are the rounds with y⟨x, w_t⟩ > 0", lambda m, y: m > 0),
    ("violators are the rounds with ⟨x, w_t⟩ < 1", lambda m, y: y * m < 1),
    ("violators are the rounds with |⟨x, w_t⟩| < 1", lambda m, y: abs(m) < 1),
    ("every round is a violator", lambda m, y: np.ones(len(m), bool)),
)
ONLY_THE_LOSS = "subgradient-of-the-loss-only"
OF_THE_REGULARISER = ["λ⟨w_t, w_t⟩", "λ⟨w_t, u⟩"]
# What people make of the costs, as in the task on regret.
OF_THE_COSTS = (
    "regret-on-the-full-objective",
    "losses-without-regulariser",
    "regulariser-without-half",
    "hinge-without-max",
    "label-forgotten",
    "order-ignored",
    "against-another-point",
    "against-nothing",
    "distance-for-two-lengths",
    "loss-of-the-difference",
    "one-maximum-for-both",
)
OF_THE_PROOF = (
    *OF_THE_COSTS,
    "rounds-one-below-the-other",
    FACTOR,
    POWER,
    "distance-not-squared",
    ANOTHER_LINE,
    ONE_LENGTH,
    OTHER_ROUNDS,
    AS_EQUAL,
    ONLY_THE_LOSS,
    FORMULA,
    INPUT,
)


def proof_mistakes(task, solve, cases):
    """What is wrong with the first wrong line of the proof.

    Parameters
    ----------
    task : Task
    solve : callable
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
        Empty if nothing is sure.
    """
    cases = [*cases, *other_cases(task)]
    pairs = [
        [as_numbers(call(f, case).value) for f in (solve, task.reference)]
        for case in cases
    ]
    if all(a is not None and same_values(a.T, b) for a, b in pairs):
        return ("rounds-one-below-the-other",), ()
    if any(a is None or a.shape != b.shape for a, b in pairs):
        return (), ()
    wrong = [
        k
        for k in range(4)
        if not all(same_values(a[k], b[k]) for a, b in pairs)
    ]
    if not wrong:
        return (), ()
    k = wrong[0]
    yours = [a[k] for a, _ in pairs]
    names = cost_mistakes(yours, cases) if k == 0 else ()
    if names:
        return names, ()
    found = line_mistakes(k, yours, cases)
    if found[0]:
        return found
    for other in range(4):
        if all(same_values(a[k], b[other]) for a, b in pairs):
            # If it stands in its own place, too, the order is right.
            names = (ANOTHER_LINE,) if other in wrong else ()
            return names, (f"It is line {other} of the proof.",)
    if k == 2 and all(same_values(a[2], b[1] - a[3]) for a, b in pairs):
        # The first mistake is further down.
        names, said = line_mistakes(3, [a[3] for a, _ in pairs], cases)
        return names, ("Your line 2 is line 1 less your line 3.", *said)
    # Lines 2 and 3 add up to line 1, which line 0 is seldom as large as.
    if k > 1 and all(same_values(a[k], b[0] - b[5 - k]) for a, b in pairs):
        return (AS_EQUAL,), (f"Your line {k} is line 0 less line {5 - k}.",)
    trials = [(case, Outcome(line)) for case, line in zip(cases, yours)]
    found = right_but(task, trials, lambda lines: lines[k])
    return found if found[0] or k < 3 else line_3_written_out(solve, cases)


def line_3_written_out(solve, cases):
    """Name and sentence for a last line that is another expression."""
    yours, made = [], []
    for case, lam in zip(cases, (0.2, 0.3, 0.5, 0.8, 1.1, 0.4)):
        case = {**case, "lam": lam}
        g = Game(**case)
        slope = lam * g.w - g.hit[:, np.newaxis] * g.z
        quantities = {
            "λ": np.full(len(g.t), lam),
            "t": g.t,
            "‖∇_t‖": np.linalg.norm(slope, axis=1),
            "‖w_t‖": np.linalg.norm(g.w, axis=1),
            "‖x‖": np.linalg.norm(g.z, axis=1),
        }
        lengths = lam * quantities["‖w_t‖"] + quantities["‖x‖"]
        quantities["(λ‖w_t‖ + ‖x‖)"] = lengths
        squares = np.sum(slope**2, axis=1)
        quantities[RIGHT] = squares / (2 * lam * g.t)
        value = as_numbers(call(solve, case).value)
        if value is None or value.shape != (4, len(g.t)):
            return (), ()
        yours += value[3][[4, 15]].tolist()
        made.append({name: v[[4, 15]] for name, v in quantities.items()})
    columns = {n: np.concatenate([m[n] for m in made]) for n in made[0]}
    words = expression(np.array(yours), columns)
    if not words:
        return (), ()
    said = f"On all data that were tried your line 3 is {words}."
    return (FORMULA,), (said,)


def line_mistakes(k, yours, cases):
    """Name and sentence for line k, by the factors of its terms."""
    for what, violates in OTHER_TESTS if k in (1, 3) else ():
        others = (Game(**case, violates=violates) for case in cases)
        if all(
            same_values(line, line_of(TERMS[k](game)))
            for line, game in zip(yours, others)
        ):
            said = f"In your line {k} {what}."
            return (OTHER_ROUNDS,), (said,)
    games = [Game(**case) for case in cases]
    for name, power in ((FACTOR, 0), (POWER, 1), (POWER, -1)):
        made = [y * g.t ** float(-power) for y, g in zip(yours, games)]
        found = factors(TERMS[k], made, games)
        if found is None:
            continue
        terms = written(found)
        if k == 1 and not power and lacks(terms) == OF_THE_REGULARISER:
            return (ONLY_THE_LOSS,), ()
        said = unlike(terms, f"your line {k}")
        if power or said:
            return (name,), () if power else said
    if k == 3 and all(
        same_values(y * g.t, np.full(len(y), y[0]))
        for y, g in zip(yours, games)
    ):
        square = 2 * games[0].lam * yours[0][0]
        said = f"2λt times your line 3 is {square:.4g} in every round."
        return (ONE_LENGTH,), (said,)
    if k in (1, 2) and factors(by_lengths(TERMS[k]), yours, games):
        return ("distance-not-squared",), ()
    return (), ()


def line_of(terms):
    """A line of the proof, from its terms."""
    return sum(factor * values for factor, values in terms.values())


def factors(terms, yours, games):
    """(term, wanted, found) if a line is a sum of the terms, or None."""
    columns = [terms(game) for game in games]
    names = list(columns[0])
    M = np.vstack(
        [np.transpose([each[n][1] for n in names]) for each in columns]
    )
    b = np.concatenate(yours)
    size = np.abs(M).max(axis=0)
    values, _, rank, _ = np.linalg.lstsq(M / size, b)
    off = np.abs(M @ (values / size) - b).max()
    if rank < len(names) or not off <= CLOSE * max(1.0, np.abs(b).max()):
        return None
    return [
        (name, columns[0][name][0], value + 0.0)
        for name, value in zip(names, values / size)
    ]


def written(found):
    """(term, wanted, found) as a student writes them, t and 1 in one factor.

    Each factor is what stands before t in it, and what stands alone.
    """
    terms: dict[str, list[list[float]]] = {}
    for name, *both in found:
        term = name.replace("λ/2 t ", "λ/2 ")
        factors = terms.setdefault(term, [[0.0, 0.0], [0.0, 0.0]])
        for factor, value in zip(factors, both):
            factor[term == name] = value
    return [(term, *factors) for term, factors in terms.items()]


def polynomial(per_round, alone):
    """Such as t - 1.

    Examples
    --------
    >>> [polynomial(1, 1), polynomial(0.5, 0), polynomial(-1, -2)]
    ['t + 1', '0.5t', '-t - 2']
    """
    first, last = round(per_round, 9) + 0.0, round(alone, 9) + 0.0
    if not first:
        return f"{last:.4g}"
    front = {1: "", -1: "-"}.get(first, f"{first:.4g}")
    behind = f" {'-' if last < 0 else '+'} {abs(last):.4g}" if last else ""
    return f"{front}t{behind}"


def wrong_terms(found):
    """Those with a factor that is not right: the line's own, and missing."""
    off = [one for one in found if not np.allclose(one[1], one[2], 0, 1e-6)]
    there = [one for one in off if not np.allclose(one[2], 0, 0, 1e-6)]
    return there, [one for one in off if one not in there]


def lacks(found):
    """The terms that a line has not, or [] if others are wrong as well."""
    there, missing = wrong_terms(found)
    return [] if there else [name for name, *_ in missing]


def unlike(found, where):
    """What is said of the terms whose factors are not as they should be.

    The first of those that the line has, and how many it lacks. Neither the
    right factor nor a term that is missing is named: a few wrong lines
    would be told the proof.
    """
    there, gone = wrong_terms(found)
    missing = len(gone)
    said = tuple(
        f"In {where} the factor of {term} is {polynomial(*value)}. "
        "Which should it have?"
        for term, _, value in there[:1]
    )
    if missing:
        terms = "One term is" if missing == 1 else f"{missing} terms are"
        said += (f"{terms} missing in {where}.",)
    return said


def cost_mistakes(yours, cases):
    """Names for line 0: what people write for a round's regret."""
    for names, regret in regrets():
        names = tuple(filter(None, names))
        if (
            set(names) <= set(OF_THE_COSTS)
            and len(names) == 1
            and all(
                same_values(np.cumsum(line), call(regret, case).value)
                for line, case in zip(yours, cases)
            )
        ):
            return names
    return ()
