"""A bound as one object: what is printed is what is checked.

A formula is written once, as a Python expression. Its LaTeX and the
function that a check calls are both made from that text, so that they
cannot drift apart. A false version is another expression.
"""

import ast
import bisect
import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pegasos_edu.theory.compare import Comparison, Coverage, Growth
from pegasos_edu.theory.regret import harmonic

FUNCTIONS = {
    "ln": np.log,
    "sqrt": np.sqrt,
    "largest": np.maximum,
    "H": harmonic,
    "ceil": np.ceil,
    "e": math.e,
}
LETTERS = {
    "lam": r"\lambda",
    "delta": r"\delta",
    "sigma": r"\sigma",
    "gap": r"\mathrm{gap}",
    "L0": "L_0",
    "regret": r"\rho",
}


def latex(expression):
    """The LaTeX of a Python expression.

    Examples
    --------
    >>> print(latex("c * (1 + ln(T)) / (2 * lam * T)"))
    \\frac{c \\, (1 + \\ln T)}{2 \\, \\lambda \\, T}
    """
    return _latex(ast.parse(expression, mode="eval").body)


def _latex(node):
    """One node of the syntax tree; an unknown kind is a KeyError."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.Name):
        return LETTERS.get(node.id, node.id)
    if isinstance(node, ast.Call):
        inside = [_latex(argument) for argument in node.args]
        return _call(node.func.id, inside, node.args)
    left, right = _latex(node.left), _latex(node.right)
    if isinstance(node.op, ast.Add | ast.Sub):
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        return f"{left} {sign} {right}"
    if isinstance(node.op, ast.Div):
        return rf"\frac{{{left}}}{{{right}}}"
    if isinstance(node.op, ast.Mult):
        return rf"{_factor(node.left)} \, {_factor(node.right)}"
    if isinstance(node.op, ast.Pow):
        base = left if isinstance(node.left, ast.Name) else f"({left})"
        return f"{base}^{{{right}}}"
    raise KeyError(type(node.op).__name__)


def _factor(node):
    """A sum inside a product needs its brackets."""
    text = _latex(node)
    is_sum = isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.Add | ast.Sub
    )
    return f"({text})" if is_sum else text


def _call(name, inside, arguments):
    """A function of `FUNCTIONS`, as a page writes it."""
    single = isinstance(arguments[0], ast.Name)
    if name == "ln":
        return rf"\ln {inside[0]}" if single else rf"\ln({inside[0]})"
    return {
        "sqrt": r"\sqrt{%s}",
        "H": "H_{%s}",
        "ceil": r"\lceil %s \rceil",
        "largest": r"\max\{%s\}",
    }[name] % ", ".join(inside)


def evaluate(expression, at):
    """The value of an expression, its letters taken from the dict `at`.

    Examples
    --------
    >>> float(evaluate("R**2 / lam", {"R": 2.0, "lam": 0.5}))
    8.0
    """
    # A false version may overflow or divide by 0 where the true one does not.
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        return eval(expression, {"__builtins__": {}}, FUNCTIONS | at)


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
    false : tuple of str
        Expressions that are smaller somewhere than they may be.

    Examples
    --------
    >>> bound = Bound("x", "2 * T", lambda: [Below(3.0, {"T": 2})], ("T",))
    >>> print(bound.latex)
    x \\le 2 \\, T
    >>> bound.rejected(), bound.survivors()
    (['T'], [])
    """

    left: str
    expression: str
    cases: Callable
    false: tuple

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
        return any(result.refuted for result in self.check(expression))

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
        return [text for text in self.false if self.rejects(text)]

    def survivors(self):
        """The false versions that no case distinguishes from the bound."""
        return [text for text in self.false if not self.rejects(text)]

    def weakest(self):
        """Of the listed false versions the nearest one rejected, or None.

        Nearest on a logarithmic scale, on average over all cases.
        """
        rejected = self.rejected()
        return min(rejected, key=self._distance) if rejected else None

    def _distance(self, expression):
        """The mean of |ln(expression / bound)| over the cases."""
        sizes = []
        for case in self.cases():
            share = evaluate(expression, case.at) / evaluate(
                self.expression, case.at
            )
            # A version that is 0 somewhere is far away, not infinitely.
            sizes.append(np.mean(np.abs(np.log(np.maximum(share, 1e-9)))))
        return float(np.mean(sizes))
