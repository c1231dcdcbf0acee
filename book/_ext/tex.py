"""Formulas where only text can stand: an outline, the result of a search."""

import re

from pylatexenc.latex2text import LatexNodes2Text

CONVERTER = LatexNodes2Text()


def as_text(tex):
    """A formula as near to text as signs allow."""
    # pylatexenc knows one size of fractions.
    one_size = re.sub(r"\\[td]frac", r"\\frac", tex)
    return CONVERTER.latex_to_text(f"${one_size}$")
