"""Formulas as text: a Python expression, its LaTeX, and its value."""

import ast
import math

import numpy as np

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
    if right == "1" and isinstance(node.op, ast.Mult | ast.Div | ast.Pow):
        return left
    if isinstance(node.op, ast.Add | ast.Sub):
        sign = "+" if isinstance(node.op, ast.Add) else "-"
        return f"{left} {sign} {right}"
    if isinstance(node.op, ast.Div):
        return rf"\frac{{{left}}}{{{right}}}"
    if isinstance(node.op, ast.Mult):
        if left == "1":
            return right
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
