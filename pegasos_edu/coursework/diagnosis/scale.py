"""By how small a number a sparse solver divides what it adds at first.

At t = 1 the scale is 1 − 1/t = 0. Who puts a small number in its place, or
adds one at every step, divides by it, and w grows where it should shrink, or
stays as it is: that alone looks like a wrong sign, or like no shrink. A row
so long that the quotient is beyond all numbers tells the two apart.
"""

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.parts import PARTS
from pegasos_edu.coursework.diagnosis.search import as_weights
from pegasos_edu.coursework.trial import call

NEARLY_ZERO = "scale-nearly-zero-at-the-start"
# What such a number may look like.
LOOKS_LIKE = {name for name, _ in PARTS["shrink"]} | {
    "addition-of-another-form",
    "few-digits",
    "shrink-of-another-form",
    "step-of-another-form",
    "w-stays-at-zero",
}
# Powers of ten. The square of the shortest row is beyond all numbers, so
# that who squares one is not taken for who divides.
SHORTEST, LONGEST = 190.0, 305.0
LARGEST = np.log10(np.finfo(float).max)


def of_the_scale(solve, names, said):
    """The names and sentences, with that of a small divisor if there is one.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w, X as CSR.
    names, said : tuple of str
        What was found without a look at it.

    Returns
    -------
    names, said : tuple of str
    """
    others = tuple(name for name in names if name not in LOOKS_LIKE)
    divisor = first_divisor(solve) if others != names or not names else None
    if divisor is None:
        return names, said
    sentence = f"At t = 1 you divide what you add by about {divisor:.1g}."
    return (NEARLY_ZERO, *others), (sentence,)


def first_divisor(solve):
    """What the first addition is divided by, if it is nearly 0.

    Parameters
    ----------
    solve : callable

    Returns
    -------
    float or None
    """

    def is_finite(power):
        X = sp.csr_matrix([[10.0**power, 0.0]])
        case = {"X": X, "y": np.ones(1), "lam": 1.0}
        case["order"] = np.zeros(1, dtype=int)
        return as_weights(call(solve, case), case) is not None

    low, high = SHORTEST, LONGEST
    if not is_finite(low) or is_finite(high):
        return None
    while high - low > 0.01:
        middle = (low + high) / 2
        low, high = (middle, high) if is_finite(middle) else (low, middle)
    return 10.0 ** (low - LARGEST)
