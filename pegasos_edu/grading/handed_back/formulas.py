"""Written answers as HTML: formulas as MathML, which needs no network.

The text comes from a student and is opened in the lecturer's browser. So
formulas are read by a library, and of what it makes only elements and
attributes that are on our lists are written out; all else is escaped. A
formula that cannot be read is shown as it was typed.
"""

import re
import unicodedata
from html import escape, unescape

from latex2mathml.converter import convert_to_element

# $$...$$, or $...$ without a blank at its inner ends, as Jupyter has it.
FORMULA = re.compile(
    r"(?<!\\)\$\$(?P<display>.+?)\$\$"
    r"|(?<![\\$])\$(?P<inline>(?=\S)(?:\\.|[^$\\])+?(?<=\S))\$(?!\d)",
    re.DOTALL,
)
BOLD = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*", re.DOTALL)
LONGEST = 1_000  # characters of a formula
# A formula may define commands that grow without end.
DEFINES = re.compile(r"\\(?:[a-z]*def|let|(?:re)?newcommand|DeclareMath)")
ELEMENTS = re.compile(
    "math|m(row|i|n|o|text|space|frac|sqrt|root|style|sub|sup|subsup|under|"
    "over|underover|table|tr|td|padded|phantom)"
)
ATTRIBUTES = re.compile(
    "display|stretchy|fence|form|displaystyle|scriptlevel|linethickness|"
    "columnalign|width|minsize|maxsize|accent"
)
UPRIGHT = ("‖", "|")


class Unreadable(ValueError):
    """What is in a formula that we do not show."""


def to_html(text):
    """A text with its formulas as MathML and bold words bold, escaped.

    Parameters
    ----------
    text : str

    Returns
    -------
    str

    Examples
    --------
    >>> to_html("**No**, <b>")
    '<strong>No</strong>, &lt;b&gt;'
    >>> "<mfrac><mn>1</mn><mi>t</mi></mfrac>" in to_html(r"$\\frac1t$")
    True
    """
    parts, end = [], 0
    for found in FORMULA.finditer(text):
        parts += [words(text[end : found.start()]), mathml(found)]
        end = found.end()
    return "".join([*parts, words(text[end:])])


def words(text):
    """Text between formulas."""
    bold = BOLD.sub(r"<strong>\1</strong>", escape(text))
    return bold.replace("\\$", "$")


def mathml(found):
    """The MathML of a formula, or the formula as it was typed."""
    display = "block" if found["display"] else "inline"
    source = found["display"] or found["inline"]
    try:
        if len(source) > LONGEST or DEFINES.search(source):
            raise Unreadable(source)
        return written(convert_to_element(source, display=display))
    except Exception:  # the library raises many kinds, RecursionError too
        return f"<code>{escape(found[0])}</code>"


def written(element):
    """One element and all in it, if all of it is on our lists."""
    if not ELEMENTS.fullmatch(element.tag):
        raise Unreadable(element.tag)
    text = unescape(element.text or "")
    if text.lstrip("\\")[:1].isalpha() and text.startswith("\\"):
        raise Unreadable(text)  # a command the library does not know
    if text == "&" or (element.tail or "").strip():
        raise Unreadable(text)
    text = text.removeprefix("\\")
    if element.get("mathvariant") == "double-struck":
        text = "".join(map(double_struck, text))
    names = "".join(
        f' {name}="{escape(unescape(value))}"'
        for name, value in element.items()
        if ATTRIBUTES.fullmatch(name)
    )
    if text in UPRIGHT:
        # Beside an index they would stretch to the index alone.
        names += ' stretchy="false"' * ("stretchy" not in element.attrib)
    inside = escape(text) + "".join(map(written, element))
    return f"<{element.tag}{names}>{inside}</{element.tag}>"


def double_struck(character):
    """The character with a double stroke; browsers know no such style.

    Examples
    --------
    >>> double_struck("1"), double_struck("R"), double_struck("+")
    ('𝟙', 'ℝ', '+')
    """
    plain = unicodedata.name(character, "").removeprefix("LATIN ")
    plain = plain.replace("LETTER ", "")
    for kind in ("DOUBLE-STRUCK", "MATHEMATICAL DOUBLE-STRUCK"):
        try:
            return unicodedata.lookup(f"{kind} {plain}")
        except KeyError:
            continue
    return character
