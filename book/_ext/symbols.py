"""The symbols that a formula holds, of those that a table gives a meaning.

A symbol is told by its sign, an accent, its index and whether it takes an
argument: ``w_t``, ``w`` and ``w^\\star`` are three, ``f(w)`` is none of the
``f`` of ``f_t``. What is in doubt is none of the table.
"""

import re
from typing import NamedTuple

# What looks like letters and is none.
NO_SYMBOLS = re.compile(
    r"\\(begin|end|text\w*|operatorname|label)\*?\s*\{[^{}]*\}"
)
ACCENT = r"\\(?:bar|hat|tilde|overline|math(?:bb|cal|bf))\s*"
GROUP = r"\{(?:[^{}]|\{[^{}]*\})*\}|\\[A-Za-z]+|[A-Za-z0-9*]"
ATOM = re.compile(
    rf"(?P<sign>(?:{ACCENT})?(?P<open>\{{\s*)?"
    r"(?:\\mathrm\s*\{[^{}]*\}|\\[A-Za-z]+|[A-Za-z]|(?<=\{)1(?=\}))"
    r"(?(open)\s*\}))(?P<primes>'*)"
    rf"(?:\s*_\s*(?P<low>{GROUP})|\s*\^\s*(?P<high>{GROUP})){{0,2}}"
    # What f says of one example, f(w; z), is another f.
    r"(?P<argument>\s*(?:\\[bB]ig+l?\s*)?\((?![^()]*(?<!\\);))?"
)
# An index that says which example, and one that says which step.
EXAMPLE = re.compile(r"[ij](_.*)?")
STEP = re.compile(r"(?<![A-Za-z\\])(?:[tT]|\\tau)(?![A-Za-z])")


class Symbol(NamedTuple):
    """A sign with its index; ``takes`` says whether a bracket follows."""

    sign: str
    low: str
    is_best: bool
    takes: bool


def bare(text):
    """A part of a formula without the braces and blanks around it."""
    return re.sub(r"[{}\s]", "", text or "")


def atoms(tex):
    """All symbols of a formula, those in indices among them."""
    tex = NO_SYMBOLS.sub(" ", tex)
    found, at = [], 0
    while match := ATOM.search(tex, at):
        found.append(
            Symbol(
                bare(match["sign"]) + match["primes"],
                bare(match["low"]),
                bare(match["high"]) == r"\star",
                match["argument"] is not None,
            )
        )
        at = match.end("sign")
    return found


def is_index_like(low, wanted):
    """Whether an index may stand where the table has ``wanted``."""
    if wanted == "i":
        return EXAMPLE.fullmatch(low) is not None
    if wanted in ("t", "T"):
        return EXAMPLE.fullmatch(low) is None and bool(STEP.search(low))
    return low == wanted


def is_same(found, known):
    """Whether a symbol of a formula is this one of the table."""
    return (
        found.sign == known.sign
        and is_index_like(found.low, known.low)
        and found.is_best == known.is_best
        and (found.takes or not known.takes)
    )


def signs(tex):
    """The signs of a formula that stand on its line, in order."""
    line = re.sub(rf"[_^]\s*(?:{GROUP})", "", NO_SYMBOLS.sub(" ", tex))
    line = re.sub(r"\\[,;!: ]|[{}\s&]", " ", line)
    return " ".join(re.findall(r"\\[A-Za-z]+|[^\s\\]", line))


def finder(tex):
    """Whether a formula holds what a cell of the table writes so."""
    if r"\langle" in tex:
        return lambda formula: signs(tex) in signs(formula)
    named = atoms(tex.partition(r"\in")[0])
    known = [named[0], named[-1]] if r"\dots" in tex else named[:1]
    return lambda formula: any(
        is_same(found, one) for found in atoms(formula) for one in known
    )
