"""False versions of a formula, made by a machine, so that none is forgotten.

At every place of the formula a logarithm is dropped or takes a smaller
power, a letter is dropped or its power is changed, terms are left out, and
a number is halved or doubled. And the whole is multiplied by a power of
each letter and divided by each logarithm. What is smaller nowhere is no
false version.
"""

import ast
import copy
from itertools import combinations

import numpy as np

from pegasos_edu.theory.expression import FUNCTIONS, evaluate, latex

STEPS = (-0.5, -0.1, 0.1, 0.5)
LOGARITHMS = {"ln", "H"}


def _letters_at_random(size=2000):
    """Letters far and near, and such as a bound may meet."""
    rng = np.random.default_rng(0)
    names = ("lam", "R", "G", "L0", "B", "sigma", "b", "gap", "regret", "c")
    at = {name: 10.0 ** rng.uniform(-4.0, 4.0, size) for name in names}
    decades = rng.choice([4.0, 200.0], size)
    at["T"] = np.floor(10.0 ** (0.5 + decades * rng.random(size)))
    at["k"] = np.floor(10.0 ** rng.uniform(0.0, 3.0, size))
    at["delta"] = 10.0 ** -(0.5 + decades[::-1] * rng.random(size))
    return at | {"M": np.ceil(-np.log(at["delta"]))}


AT_RANDOM = _letters_at_random()


def value(expression):
    """The expression at many random letters, an array."""
    return evaluate(expression, AT_RANDOM) * np.ones(len(AT_RANDOM["T"]))


def nowhere_smaller(one, other):
    """Whether the values of one version are nowhere below those of another.

    Examples
    --------
    >>> nowhere_smaller(value("R + 1"), value("R"))
    True
    >>> nowhere_smaller(value("R**2"), value("R"))
    False
    """
    return bool(np.all(one >= other * (1.0 - 1e-9)))


def false_versions(expression, letters=(), known=()):
    """All false versions of an expression that are made mechanically.

    Parameters
    ----------
    expression : str
    letters : sequence of str
        Letters of the statement that are not in the expression; the whole
        is multiplied by their powers, too.
    known : sequence of str
        Versions that are there already.

    Returns
    -------
    dict of str to str
        The expression of each version, and in words and LaTeX what differs.

    Examples
    --------
    >>> for text, words in false_versions("1 + ln(T)").items():
    ...     if "the whole" not in words:
    ...         print(text.ljust(16), words)
    1                $1$
    ln(T)            $\\ln T$
    0.5 + ln(T)      $0.5$ for $1$
    1 + 1            $1$ for $\\ln T$
    1 + ln(T) ** 0.5 $(\\ln T)^{0.5}$ for $\\ln T$
    1 + ln(T) ** 0.9 $(\\ln T)^{0.9}$ for $\\ln T$
    """
    tree = ast.parse(expression, mode="eval").body
    made = dict(_wholes(tree, expression, letters))
    for node, above in _places(tree):
        for new in _replacements(node, above):
            text = ast.unparse(_swapped(tree, node, new))
            made.setdefault(text, _difference(tree, node, above, new))
    seen, found = [value(one) for one in (expression, *known)], {}
    for text, words in made.items():
        here = value(text)
        smaller = not nowhere_smaller(here, seen[0])
        if smaller and not any(np.allclose(here, one, 1e-9) for one in seen):
            seen.append(here)
            found[text] = words
    return found


def _wholes(tree, expression, letters):
    """Half, and the whole times powers of a letter, or over a logarithm."""
    yield _times(expression, "(1 / 2)")
    bases = {
        node.id: None
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and node.id not in FUNCTIONS
    }
    for base in [*bases, *letters]:
        for step in (-1, *STEPS, 1):
            power = base if abs(step) == 1 else f"{base}**{abs(step)}"
            factor = power if step > 0 else f"(1 / {power})"
            yield _times(expression, factor)
    for node in ast.walk(tree):
        if _called(node) in LOGARITHMS:
            log = ast.unparse(node)
            for power in (log, f"sqrt({log})", f"{log}**0.1"):
                yield _times(expression, f"(1 / {power})")


def _times(expression, factor):
    text = f"({expression}) * {factor}"
    return text, in_words(text, expression)


def in_words(text, expression):
    """A version in Markdown; the factor alone, where it is one.

    Examples
    --------
    >>> in_words("(R + T) * sqrt(lam)", "R + T")
    'the whole $\\\\cdot\\\\; \\\\sqrt{\\\\lambda}$'
    >>> in_words("R + 1", "R + T")
    '$R + 1$'
    """
    whole = f"({expression}) * "
    if text.startswith(whole):
        return rf"the whole $\cdot\; {latex(text.removeprefix(whole))}$"
    return f"${latex(text)}$"


def _called(node):
    """The name of the function that is called here, or None."""
    return node.func.id if isinstance(node, ast.Call) else None


def _places(node, above=()):
    """Every place with the nodes above it, the nearest one last.

    What is inside a logarithm or an exponent stays as it is.
    """
    yield node, above
    if isinstance(node, ast.Call) and _called(node) not in LOGARITHMS:
        below = node.args
    elif _is(node, ast.Pow):
        below = [] if isinstance(node.left, ast.Name) else [node.left]
    elif isinstance(node, ast.BinOp):
        below = [node.left, node.right]
    else:
        below = []
    for one in below:
        yield from _places(one, (*above, node))


def _is(node, operation):
    return isinstance(node, ast.BinOp) and isinstance(node.op, operation)


def _replacements(node, above):
    """What may falsely stand at a place."""
    within = sum(_called(one) == "sqrt" for one in above)
    if isinstance(node, ast.Constant):
        yield ast.Constant(node.value * 2)
        half = node.value / 2
        yield ast.Constant(int(half) if half == int(half) else half)
    elif isinstance(node, ast.Name):
        yield ast.Constant(1)
        if node.id not in FUNCTIONS:
            yield from _powers(node, 1, within)
    elif _is(node, ast.Pow):
        yield ast.Constant(1)
        yield from _powers(node.left, node.right.value, within)
    elif _called(node) in LOGARITHMS:
        yield ast.Constant(1)
        yield from list(_powers(node, 1, within))[:2]
    elif _called(node) == "largest":
        yield from node.args
    elif _is(node, ast.Add) and not (above and _is(above[-1], ast.Add)):
        yield from _parts(_terms(node))


def _powers(base, power, within):
    """The base to other powers; within a root they move twice as far."""
    for step in STEPS:
        new = round(power + step * 2**within, 9)
        new = int(new) if new == int(new) else new
        if new == 0:
            yield ast.Constant(1)
        elif new > 0:
            yield ast.BinOp(base, ast.Pow(), ast.Constant(new))


def _terms(node):
    """The terms of a sum."""
    if _is(node, ast.Add):
        return [*_terms(node.left), *_terms(node.right)]
    return [node]


def _parts(terms):
    """The sums of some of the terms, but not of all."""
    for size in range(1, len(terms)):
        for some in combinations(terms, size):
            total = some[0]
            for one in some[1:]:
                total = ast.BinOp(total, ast.Add(), one)
            yield total


def _swapped(node, old, new):
    """A copy of the tree with one node replaced."""
    if node is old:
        return new
    if not isinstance(node, ast.AST):
        return node
    twin = copy.copy(node)
    for name, part in ast.iter_fields(node):
        if isinstance(part, list):
            setattr(twin, name, [_swapped(one, old, new) for one in part])
        else:
            setattr(twin, name, _swapped(part, old, new))
    return twin


def _difference(tree, node, above, new):
    """What stands for what: the smallest part that occurs only once."""
    everything = [ast.unparse(one) for one in ast.walk(tree)]
    old = node
    for parent in reversed(above):
        if everything.count(ast.unparse(old)) == 1:
            break
        old = parent
    now = ast.unparse(_swapped(old, node, new))
    if old is tree:
        return f"${latex(now)}$"
    if old is node and len(_terms(node)) > 2:
        return f"of the terms only ${latex(now)}$"
    return f"${latex(now)}$ for ${latex(ast.unparse(old))}$"
