"""Formulas where only text can stand: an outline, the result of a search."""

import re

from pylatexenc.latex2text import LatexNodes2Text

CONVERTER = LatexNodes2Text()


def as_text(tex):
    """A formula as near to text as signs allow."""
    # pylatexenc knows one size of fractions.
    tex = re.sub(r"\\[td]frac", r"\\frac", tex)
    # Brackets keep to what they enclose.
    tex = re.sub(r"\\(lVert|langle)\s+", r"\\\1{}", tex)
    tex = re.sub(r"\s+\\(rVert|rangle)", r"\\\1", tex)
    # Without its braces an index of several signs would read as several.
    tex = re.sub(r"([_^])\{([^{}\\]{2,})\}", r"\1{(\2)}", tex)
    text = CONVERTER.latex_to_text(f"${tex}$")
    text = re.sub(r"\s*([∈≤≥])\s*", r" \1 ", text)
    return text.replace("^⋆", "⋆").replace("^2", "²")
