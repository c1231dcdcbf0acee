"""Calling a student's function: copies in, a plain outcome out."""

import copy
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value or an exception, and changed inputs."""

    value: object = None
    error: Exception | None = None
    changed: str | None = None  # the name of an argument it wrote to

    def same_as(self, other):
        """Whether two calls did the same, to nine digits."""
        if self.error is not None or other.error is not None:
            return type(self.error) is type(other.error)
        return same_values(self.value, other.value)


def call(function, arguments):
    """Call `function` on copies of the named `arguments`."""
    copies = copy.deepcopy(arguments)
    try:
        with np.errstate(all="ignore"):
            value = function(*copies.values())
    except Exception as error:  # a student's code may raise anything
        return Outcome(error=error)
    return Outcome(value=value, changed=first_changed(arguments, copies))


def first_changed(before, after):
    """The name of the first argument that is not as it was."""
    for name, value in before.items():
        if not same_values(value, after[name], digits=None):
            return name
    return None


def same_values(a, b, digits=9):
    """Whether two results agree: to `digits` digits, or exactly if None."""
    if hasattr(a, "toarray") and hasattr(b, "toarray"):
        a, b = a.toarray(), b.toarray()
    try:
        a, b = np.asarray(a), np.asarray(b)
    except ValueError:
        return False
    if a.shape != b.shape:
        return False
    if digits is None or not all(x.dtype.kind in "fiub" for x in (a, b)):
        return bool(np.array_equal(a, b))
    tolerance = 10.0**-digits
    sizes = np.abs(b[np.isfinite(b)])
    size = max(1.0, float(sizes.max(initial=0.0)))
    return bool(
        np.allclose(
            a, b, rtol=tolerance, atol=tolerance * size, equal_nan=True
        )
    )
