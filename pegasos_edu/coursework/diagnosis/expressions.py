"""Which expression in the quantities of its task a value is.

Nothing is known here of mistakes. Every sum, difference, product and quotient
of two or three quantities is tried, a square, a root, a logarithm or a power
of each included. The simplest that gives the value in all points is told.
"""

from itertools import islice, product

import numpy as np

CLOSE = 1e-8
MANY = 20  # quantities, of which only sums, products and so on are tried
ENOUGH = 100  # expressions of one kind, of which the simplest is told
WIDE = 60_000  # pairs, beyond which no pairs of pairs are tried
FEWEST = 6  # points, on fewer of which expressions are not told apart
MOST = 7.5  # the cost beyond which an expression says nothing to a reader
ALONE, PRODUCT, SUM = 3, 2, 1  # how tightly its parts hold together

CONSTANTS = [
    ("1", 1.0),
    ("2", 2.0),
    ("3", 3.0),
    ("4", 4.0),
    ("½", 0.5),
    ("10", 10.0),
    ("100", 100.0),
    ("π", np.pi),
]
# What is made of a quantity: words, function, where it is defined, cost.
MADE = [
    ("{}", lambda v: v, lambda v: v == v, 0.0),
    ("{}²", lambda v: v**2, lambda v: v == v, 0.5),
    ("√{}", np.sqrt, lambda v: v >= 0, 0.5),
    ("ln {}", np.log, lambda v: v > 0, 0.5),
    ("|{}|", np.abs, lambda v: v == v, 0.5),
    ("max(0, {})", lambda v: np.maximum(0, v), lambda v: v == v, 1.0),
]
# Of a whole expression: words, and what undoes it, where that is defined.
AROUND = [
    ("{}", lambda y: y, lambda y: y == y, 0.0),
    ("−{}", lambda y: -y, lambda y: y == y, 0.5),
    ("exp({})", np.log, lambda y: y > 0, 1.0),
    ("exp(−{})", lambda y: -np.log(y), lambda y: y > 0, 1.5),
    ("ln({})", np.exp, lambda y: y < 30, 1.0),
    ("√({})", lambda y: y**2, lambda y: y >= 0, 1.0),
    ("({})²", np.sqrt, lambda y: y >= 0, 1.0),
]


class Known:
    """Expressions and their values in all points.

    Attributes
    ----------
    made : list of (str, int, float)
        Words, how tightly they hold together, and cost.
    values : array of shape (number of expressions, number of points)
    """

    def __init__(self, made, values):
        self.made, self.values = made, np.asarray(values, dtype=float)


def atoms(quantities):
    """The quantities, what is made of each, and some numbers.

    Parameters
    ----------
    quantities : dict of str to array
        Words -> its value in every point.

    Returns
    -------
    Known
    """
    size = np.size(next(iter(quantities.values())))
    made = [(words, ALONE, 0.5) for words, _ in CONSTANTS]
    values = [np.full(size, value) for _, value in CONSTANTS]
    kinds = MADE if len(quantities) <= MANY else MADE[:1]
    for (name, value), (words, make, where, cost) in product(
        quantities.items(), kinds
    ):
        # The logarithm of a power of e is simpler without either.
        doubled = "ln" in words and name.startswith("e^")
        if np.all(where(value)) and not doubled:
            bare = name if words in BARE else closed(name)
            made.append((words.format(bare), ALONE, 1.0 + cost))
            values.append(make(value))
    order = np.argsort([cost for *_, cost in made], kind="stable")
    kept: dict[tuple, int] = {}
    for k in order:  # of equal ones the first and cheapest
        if np.isfinite(values[k]).all() and np.any(values[k]):
            kept.setdefault(tuple(np.round(values[k], 10)), int(k))
    chosen = list(kept.values())
    return Known([made[k] for k in chosen], [values[k] for k in chosen])


BARE = ("{}", "|{}|", "max(0, {})")


def closed(name):
    """A quantity of several words in brackets."""
    bracketed = name[0] == "(" and name[-1] == ")"
    several = set(name) & set(" /^Σ") and not bracketed
    return f"({name})" if several else name


def pairs(known):
    """Every two of them: their values, and (sign, first, second) for each."""
    first, second = np.triu_indices(len(known.made))
    numbers = np.ptp(known.values, axis=1) == 0
    some = ~(numbers[first] & numbers[second])
    first, second = first[some], second[some]
    a, b = known.values[first], known.values[second]
    with np.errstate(all="ignore"):
        kinds = [
            ("+", first, second, a + b),
            ("−", first, second, a - b),
            ("−", second, first, b - a),
            ("·", first, second, a * b),
            ("/", first, second, a / b),
            ("/", second, first, b / a),
        ]
    signs = np.repeat([sign for sign, *_ in kinds], len(first))
    left = np.concatenate([left for _, left, *_ in kinds])
    right = np.concatenate([right for *_, right, _ in kinds])
    return np.concatenate([v for *_, v in kinds]), signs, left, right


def joined(sign, a, b):
    """Two expressions in one: words, how tightly they hold, cost."""
    (left, holds_a, cost_a), (right, holds_b, cost_b) = a, b
    holds = SUM if sign in "+−" else PRODUCT
    left = f"({left})" if holds_a < holds else left
    tight = holds_b > holds or (sign in "+·" and holds_b == holds)
    if sign == "/" and right[0] != "(" and set(right) & set("/·"):
        tight = False  # a quantity that is a quotient itself
    right = right if tight else f"({right})"
    space = " " if holds == SUM or " " in left + right else ""
    words = f"{left}{space}{sign}{space}{right}"
    return words, holds, cost_a + cost_b + 1.0


def expression(yours, quantities):
    """What a value is in terms of quantities, in words.

    Parameters
    ----------
    yours : array of shape (m,)
        The value in m points.
    quantities : dict of str to array of shape (m,)

    Returns
    -------
    str
        The simplest expression that gives it in every point, "" if none of
        those tried does, or if the points are too few to be sure.

    Examples
    --------
    >>> lam = np.array([1, 2, 3, 5, 7, 8, 9]) / 10
    >>> t = np.array([2, 9, 4, 5, 1, 7, 3])
    >>> expression(1 / (lam + t), {"λ": lam, "t": t})
    '1 / (λ + t)'
    >>> expression(np.exp(-lam * t), {"λ": lam, "t": t})
    'exp(−λ·t)'
    """
    if len(np.unique(np.round(yours, 9))) < FEWEST:
        return ""
    if not np.isfinite(yours).all():
        return ""
    search = Search(quantities)
    with np.errstate(all="ignore"):
        around = [
            (words, undo(yours), cost)
            for words, undo, where, cost in AROUND
            if np.all(where(yours))
        ]
        # What is made of fewer quantities goes before.
        for look in (search.one, search.two, search.three, search.four):
            best = ("", MOST)
            for words, target, more in around:
                for inner, holds, cost in islice(look(target), ENOUGH):
                    undone = "exp" in words and inner.startswith("ln ")
                    undone &= holds == ALONE
                    if cost + more < best[1] and not undone:
                        low = "−{}" in words and holds == SUM
                        inner = f"({inner})" if low else inner
                        best = (words.format(inner), cost + more)
            if best[0]:
                return best[0]
    return ""


class Search:
    """Looks for the expressions of one, two, three and four quantities.

    Each look yields what gives a target: (words, how tightly they hold,
    cost).
    """

    def __init__(self, quantities):
        self.known = atoms(quantities)
        with np.errstate(all="ignore"):
            self.values, *self.two_of = pairs(self.known)
        self.index = Index(self.values)

    def pair(self, k):
        sign, a, b = (each[k] for each in self.two_of)
        return joined(sign, self.known.made[a], self.known.made[b])

    def one(self, target):
        for k in fitting(target, self.known.values):
            yield self.known.made[k]

    def two(self, target):
        for k in fitting(target, self.values):
            yield self.pair(k)

    def three(self, target):
        """One is taken off; what is left must be a pair."""
        made = self.known.made
        for sign, wanted, off, turned in taken_off(target, self.known.values):
            for place, k in self.index.of_all(wanted, off):
                sides = (self.pair(k), made[place])
                yield joined(sign, *(sides[::-1] if turned else sides))

    def four(self, target):
        """The same, where a pair is taken off."""
        if len(self.values) > WIDE:
            return
        for sign, wanted, off, turned in taken_off(target, self.values):
            if not turned:
                for place, k in self.index.of_all(wanted, off):
                    yield joined(sign, self.pair(k), self.pair(place))


def taken_off(target, values):
    """What is left of a target without each value: sign, what is left, how
    far off that may be, and whether the value stands on the left.

    After a sum the target says how far: beside a large number that is taken
    off and added again, all would fit.
    """
    factors = np.where(
        (values != 0).all(axis=1, keepdims=True), values, np.nan
    )
    for sign, wanted, turned in (
        ("+", target - values, False),
        ("−", target + values, False),
        ("−", values - target, True),
    ):
        yield sign, wanted, np.minimum(near(target), near(wanted)), turned
    for sign, wanted, turned in (
        ("·", target / factors, False),
        ("/", target * factors, False),
        ("/", factors / target, True),
    ):
        yield sign, wanted, CLOSE * np.abs(wanted) + 1e-15, turned


def fitting(target, values):
    """The rows that equal the target, up to rounding."""
    if not np.isfinite(target).all():
        return np.array([], dtype=int)
    return np.flatnonzero((np.abs(values - target) <= near(target)).all(1))


def near(target):
    return CLOSE * np.abs(target) + 1e-13


class Index:
    """Rows of values, sorted by the first entry, to be looked up in."""

    def __init__(self, values):
        self.values, first = values, values[:, 0]
        self.places = np.argsort(first)
        self.sorted = first[self.places]

    def of_all(self, targets, off=None):
        """Pairs (row of targets, row of values) that are equal, or no
        farther off than that."""
        off = near(targets) if off is None else off
        fine = np.isfinite(targets).all(axis=1)
        low, high = (
            np.searchsorted(self.sorted, targets[:, 0] + sign * off[:, 0])
            for sign in (-1, 1)
        )
        many = np.where(fine, high - low, 0)
        places = np.repeat(np.arange(len(targets)), many)
        begins = np.repeat(low - np.cumsum(many) + many, many)
        rows = self.places[begins + np.arange(len(places))]
        for j in range(1, targets.shape[1]):
            far = np.abs(self.values[rows, j] - targets[places, j])
            same = far <= off[places, j]
            places, rows = places[same], rows[same]
        yield from zip(places.tolist(), rows.tolist())
