"""A bound as one object: what is printed is what is checked.

A formula is written once, as a Python expression. Its LaTeX and the
function that a check calls are both made from that text, so that they
cannot drift apart. A false version is another expression.
"""

import bisect
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pegasos_edu.theory.compare import Comparison, Coverage, Growth
from pegasos_edu.theory.expression import evaluate, latex
from pegasos_edu.theory.versions import (
    false_versions,
    in_words,
    nowhere_smaller,
    value,
)

# By what a bound is multiplied: the numbers of two digits from 1e-6 to 1.
FACTORS = [
    float(f"{digits}e{power}")
    for power in range(-7, -1)
    for digits in range(10, 100)
] + [1.0]


@dataclass(frozen=True)
class Below:
    """A case of size: a truth that no bound may be below.

    Attributes
    ----------
    truth : float or ndarray
    at : dict of str to float or ndarray
        The letters of the formula.
    """

    truth: np.ndarray
    at: dict

    def judge(self, expression):
        """truth ≤ the expression, in units of the truth, as a Comparison."""
        truth = np.asarray(self.truth, dtype=float)
        unit = np.where(truth > 0.0, truth, 1.0)
        return Comparison(truth / unit, evaluate(expression, self.at) / unit)


@dataclass(frozen=True)
class Rare:
    """A case of chance: runs that exceed the formula must be rare.

    Attributes
    ----------
    samples : ndarray of shape (runs,)
        The true value in independent runs.
    at : dict
    promised : float
        The largest share of the runs that may exceed it.
    """

    samples: np.ndarray
    at: dict
    promised: float

    def judge(self, expression):
        """The failures counted, as a Coverage."""
        failures = self.samples > evaluate(expression, self.at)
        return Coverage(int(failures.sum()), failures.size, self.promised)


@dataclass(frozen=True)
class Family:
    """A case of form: along it the truth may not outgrow the formula.

    Attributes
    ----------
    along : ndarray of shape (m,)
        What grows: T, 1/λ, 1/δ, R or k.
    truth : ndarray of shape (m,)
    at : dict
    """

    along: np.ndarray
    truth: np.ndarray
    at: dict

    def judge(self, expression):
        """Whether truth over formula stays level, as a Growth."""
        bound = np.broadcast_to(
            evaluate(expression, self.at), np.shape(self.truth)
        )
        return Growth(np.asarray(self.along), self.truth / bound)


@dataclass(frozen=True)
class Bound:
    """A bound, the cases that test it, and false versions of it.

    Attributes
    ----------
    left : str
        What is bounded, in LaTeX.
    expression : str
        The right side, in the letters of the cases.
    cases : callable
        () -> list of Below, Rare or Family.
    near : tuple of str
        False versions that are written by hand; most are a little smaller.
    letters : str
        Letters of the statement that are not in the expression.

    Examples
    --------
    >>> bound = Bound("x", "2 * T", lambda: [Below(3.0, {"T": 2})])
    >>> print(bound.latex)
    x \\le 2 \\, T
    >>> bound.rejected()
    ['(2 * T) * (1 / 2)', '(2 * T) * (1 / T)', '(2 * T) * (1 / T**0.5)']
    >>> bound.survivors()
    ['(2 * T) * (1 / T**0.1)']
    """

    left: str
    expression: str
    cases: Callable
    near: tuple = ()
    letters: str = ""

    @cached_property
    def false(self):
        """Every false version, with what it differs in, in Markdown."""
        by_hand = {text: in_words(text, self.expression) for text in self.near}
        letters = self.letters.split()
        return by_hand | false_versions(self.expression, letters, self.near)

    @cached_property
    def _rejected(self):
        """For every false version, whether a case refutes it."""
        return {text: self.rejects(text) for text in self.false}

    @property
    def latex(self):
        """The whole inequality, made from the expression."""
        return rf"{self.left} \le {latex(self.expression)}"

    def check(self, expression=None):
        """All cases with this expression; by default with the true one."""
        expression = self.expression if expression is None else expression
        return [case.judge(expression) for case in self.cases()]

    def rejects(self, expression):
        """Whether a case refutes this expression.

        Where chance has a part a case may neither hold nor be refuted; then
        the expression is not told from the bound.
        """
        return any(case.judge(expression).refuted for case in self.cases())

    def scaled(self, factor):
        """The expression times a number of two digits."""
        return f"{factor:.2g} * ({self.expression})"

    def least_factor(self):
        """The smallest of `FACTORS` by which the bound may be multiplied.

        By bisection: a larger bound is never rejected where a smaller one
        is not. All smaller factors of the list are rejected.
        """
        place = bisect.bisect_left(
            FACTORS,
            True,
            key=lambda factor: not self.rejects(self.scaled(factor)),
        )
        return FACTORS[place]

    def rejected(self):
        """The false versions that a case rejects."""
        return [text for text in self.false if self._rejected[text]]

    def survivors(self):
        """The false versions that no case distinguishes from the bound."""
        return [text for text in self.false if not self._rejected[text]]

    def smallest(self):
        """Of the survivors those that are not above another one.

        Every other one is nowhere smaller than one of these.
        """
        values = {text: value(text) for text in self.survivors()}
        return [
            text
            for text in values
            if not any(
                nowhere_smaller(values[text], values[other])
                for other in values
                if other != text
            )
        ]

    def weakest(self):
        """Of the false versions the nearest one rejected.

        Nearest on a logarithmic scale, on average over letters at random.
        """
        bound, rejected = value(self.expression), self.rejected()

        def distance(text):
            # A version that is 0 somewhere is far away, not infinitely.
            share = np.maximum(value(text) / bound, 1e-9)
            return float(np.mean(np.abs(np.log(share))))

        return min(rejected, key=distance)
