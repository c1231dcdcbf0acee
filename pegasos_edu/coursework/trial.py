"""Calling a student's function: copies in, a plain outcome out."""

import copy
import sys
import time
from dataclasses import dataclass

import numpy as np

# By these it is told what has come back.
LOOKED_AT = "__class__", "toarray", "format"
TRACES = sys.settrace, sys.setprofile


@dataclass(frozen=True)
class Outcome:
    """What one call gave: a value or an exception, and changed inputs."""

    value: object = None
    error: BaseException | None = None
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
            value = settled(watched_by_nobody(function, *copies.values()))
            for name in LOOKED_AT:  # which may run a student's code, too
                getattr(value, name, None)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a student's code may raise anything
        return Outcome(error=error)
    return Outcome(value=value, changed=first_changed(arguments, copies))


def watched_by_nobody(function, *arguments):
    """What a function returns, unless it sets a trace that sees more.

    A trace sees the right answer, too, when that is computed.
    """
    before = sys.gettrace(), sys.getprofile()
    try:
        value = function(*arguments)
    finally:
        after = sys.gettrace(), sys.getprofile()
        for put, known, found in zip(TRACES, before, after):
            if found is not known:
                put(known)
    if after != before:
        raise RuntimeError("the answer sets a trace of what is computed")
    return value


def settled(value):
    """A value that makes its numbers when it is asked for them, as numbers.

    The right ones may be in sight later.
    """
    made_when_asked = (
        hasattr(type(value), "__array__")
        and type(value) is not np.ndarray
        and not issubclass(type(value), np.generic)
    )
    array = as_array(value) if made_when_asked else None
    return value if array is None else np.array(array)


def timed(function, *given, **named):
    """Call a function, and time it on two clocks.

    Parameters
    ----------
    function : callable
        One that runs in another process, as in the grader, is timed there.
    *given, **named
        What it is called with.

    Returns
    -------
    value : object
        What the function returns; its exceptions are its own.
    seconds : ndarray of shape (2,)
        By the clock on the wall, and of the processor. Some computers'
        clocks show 0 for a short call.

    Examples
    --------
    >>> value, seconds = timed(sum, [1, 2])
    >>> value, bool((seconds >= 0).all()), seconds.shape
    (3, True, (2,))
    """
    start = clocks()
    value = function(*given, **named)
    seconds = clocks() - start
    took = getattr(function, "took", None)
    return value, seconds if took is None else np.array(took, dtype=float)


def clocks():
    """Seconds by the clock on the wall, and of this process."""
    return np.array([time.perf_counter(), time.process_time()])


def arrays_of(value):
    """The arrays that an array or a CSR matrix is made of; of others, none."""
    if getattr(value, "format", None) == "csr":
        return value.data, value.indices, value.indptr
    return (value,) if isinstance(value, np.ndarray) else ()


def lock(value):
    """Let nobody write into an array, or a CSR matrix."""
    for array in arrays_of(value):
        array.flags.writeable = False


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
    left, right = a, b
    a, b = as_array(a), as_array(b)
    if a is None and b is None:
        return alike(left, right, digits)
    if a is None or b is None or a.shape != b.shape:
        return False
    if digits is None or not all(x.dtype.kind in "fiub" for x in (a, b)):
        return equal(a, b)
    tolerance = 10.0**-digits
    sizes = np.abs(b[np.isfinite(b)])
    size = max(1.0, float(sizes.max(initial=0.0)))
    return bool(
        np.allclose(
            a, b, rtol=tolerance, atol=tolerance * size, equal_nan=True
        )
    )


def alike(a, b, digits):
    """Whether two tuples of what makes no array together hold the same."""
    return (
        type(a) is type(b) is tuple
        and len(a) == len(b)
        and all(
            as_array(x) is not None and same_values(x, y, digits)
            for x, y in zip(a, b)
        )
    )


# What a student returns may be anything, and may fail at being read: the
# functions below are the only ones that touch it unguarded.


def as_array(value):
    """Any value as an array, or None if NumPy can make none of it."""
    try:
        return np.asarray(value)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a student's class may raise anything
        return None


def as_numbers(value):
    """A value as an array of floats, or None if it holds no numbers.

    Examples
    --------
    >>> as_numbers([1, 2]).tolist(), as_numbers(10**400), as_numbers("1")
    ([1.0, 2.0], None, None)
    """
    array = as_array(value)
    if array is None or array.dtype.kind not in "biufO":
        return None
    # NumPy takes None for NaN.
    if (
        array.dtype == object
        and array.shape
        and any(one is None for one in array.flat)
    ):
        return None
    try:
        return array.astype(float)
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None


COMPLEX = "complex numbers"
TOO_LARGE = "a whole number beyond 1.8e308, the largest float"
WITH_NONE = "None among its entries"


def of_no_float(value):
    """In words, what a value holds that no float can be; "" if nothing.

    Examples
    --------
    >>> of_no_float([1, 1j]), of_no_float("1"), of_no_float([1, 2])
    ('complex numbers', '', '')
    >>> of_no_float([1, 10**400])
    'a whole number beyond 1.8e308, the largest float'
    """
    array = as_array(value)
    if array is None or array.dtype.kind not in "cO":
        return ""
    if array.dtype.kind == "c":
        return COMPLEX
    kinds = set(map(type, array.flat))
    if type(None) in kinds and array.shape:
        return WITH_NONE
    large = kinds <= {int, float} and as_numbers(array) is None
    return TOO_LARGE if large else ""


def equal(a, b):
    try:
        return bool(np.array_equal(a, b))
    except KeyboardInterrupt:
        raise
    except BaseException:
        return False


def written(error):
    """What an exception says, if it can say it."""
    try:
        return f"{type_of(error)}: {error}"
    except KeyboardInterrupt:
        raise
    except BaseException:
        return type_of(error)


def type_of(value):
    """The name of a value's type, if it has one."""
    try:
        return str(type(value).__name__)
    except KeyboardInterrupt:
        raise
    except BaseException:  # a student's type may raise anything, too
        return "object"


def kind_of(value):
    """The type of a value with its article.

    Examples
    --------
    >>> kind_of({}), kind_of(3)
    ('a dict', 'an int')
    """
    name = type_of(value)
    vowel = name[:1].lower() in "aeiou" or name == "ndarray"
    return f"{'an' if vowel else 'a'} {name}"
