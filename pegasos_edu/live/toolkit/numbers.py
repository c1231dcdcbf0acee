"""How numbers are written: `numbers.js` writes the same in the browser."""

import math
from decimal import ROUND_HALF_UP, Context, Decimal

UNDEFINED = "–"
RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def text(value, kind="number"):
    """A number as the reader sees it, to four digits.

    Parameters
    ----------
    value : float, int or None
    kind : {"number", "percent", "count"}

    Returns
    -------
    str
        With a true minus, commas between thousands, and powers of ten only
        where a number is tiny or huge; a dash for what is undefined.

    Examples
    --------
    >>> text(18630.0), text(-0.05), text(1.863e7), text(math.nan)
    ('18,630', '−0.05000', '1.86 × 10⁷', '–')
    >>> text(0.125, "percent"), text(119700, "count")
    ('12.5 %', '119,700')
    """
    if value is None or not math.isfinite(value):
        return UNDEFINED
    return _in_digits(value, kind).replace("-", "−")


def plain(value):
    """A position of a slider, with all its digits and no power of ten.

    Examples
    --------
    >>> plain(1e-06), plain(0.05), plain(100000), plain(1.0)
    ('0.000001', '0.05', '100,000', '1')
    """
    number = f"{Decimal(f'{value:.6g}'):,f}"
    return number.replace("-", "−")


def raised(exponent):
    """A whole number in raised digits.

    Examples
    --------
    >>> "10" + raised(-3)
    '10⁻³'
    """
    return str(exponent).translate(RAISED)


def _in_digits(value, kind):
    if kind == "percent":
        # + 0 makes −0.0, which rounding leaves, a plain zero.
        share = Decimal(100.0 * value).quantize(Decimal("0.1"), ROUND_HALF_UP)
        return f"{share + 0} %"
    if kind == "count":
        return f"{value:,}"
    size = abs(value)
    if size == 0:
        return "0"
    if 1e-3 <= size < 1e5:
        return f"{_rounded(value, 4):,f}"
    digits, power = f"{_rounded(value, 3):.2e}".split("e")
    return f"{digits} × 10{raised(int(power))}"


def _rounded(value, digits):
    """To so many digits; halves away from zero, as JavaScript has it."""
    short = Context(digits, ROUND_HALF_UP).create_decimal(Decimal(value))
    # 0.5 has one digit: write the zeros after it as well.
    return short.quantize(Decimal(1).scaleb(short.adjusted() - digits + 1))
