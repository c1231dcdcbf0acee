"""The letters of the theory, and what each of them may be.

A bound of what cannot be is a number all the same, and means nothing. So the
functions that compute bounds refuse it, in the words of the solvers.
"""

import functools
import inspect

import numpy as np

from pegasos_edu.problem import checks

# What stands under a letter: the least, whether that itself may be, and the
# first that is too large.
LETTERS = {
    "T": (1.0, True, np.inf),
    "lam": (0.0, False, np.inf),
    "R": (0.0, True, np.inf),
    "G": (0.0, True, np.inf),
    "B": (0.0, True, np.inf),
    "D": (0.0, True, np.inf),
    "b": (0.0, True, np.inf),
    "scale": (0.0, False, np.inf),
    "sigma": (0.0, True, np.inf),
    "delta": (0.0, False, 1.0),
    "M": (1.0, True, np.inf),
    "m": (1.0, True, np.inf),
}


def in_range(function):
    """Let a function refuse numbers that its letters cannot stand for.

    Examples
    --------
    >>> @in_range
    ... def root_bound(T, delta=None):
    ...     return np.sqrt(T)
    >>> print(root_bound(4))
    2.0
    """
    signature = inspect.signature(function)
    named = [name for name in signature.parameters if name in LETTERS]

    @functools.wraps(function)
    def call(*arguments, **options):
        given = signature.bind(*arguments, **options).arguments
        for name in named:
            if given.get(name) is not None:
                check_letter(name, given[name])
        return function(*arguments, **options)

    return call


def check_letter(name, value):
    """Refuse a number, or an array of them, that is not in the range.

    Parameters
    ----------
    name : str
        One of `LETTERS`.
    value : float or array_like
    """
    least, reached, beyond = LETTERS[name]
    numbers = np.asarray(value)
    is_number = numbers.dtype.kind in "iuf"
    if is_number:
        low = numbers >= least if reached else numbers > least
        if (low & (numbers < beyond)).all():
            return
    expected = f"numbers {'of at least' if reached else 'above'} {least:g}"
    if beyond < np.inf:
        expected += f" and below {beyond:g}"
    found = f"{name} is {checks.shown(value, repr)}"
    checks.refuse(found, expected, ValueError if is_number else TypeError)
