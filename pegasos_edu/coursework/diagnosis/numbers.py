"""Where a number that is not finite comes from."""

import copy

import numpy as np

from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.coursework.trial import as_numbers, call, watched_by_nobody


def not_finite(solve, cases):
    """What makes the result of an answer NaN or infinite.

    The answer is called once more, such that NumPy stops at the operation.

    Parameters
    ----------
    solve : callable
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
        Empty if all results are finite, or nothing was found.
    """
    for case in cases:
        outcome = call(solve, case)
        if isinstance(outcome.error, (ZeroDivisionError, OverflowError)):
            return cause(outcome.error)
        numbers = as_numbers(outcome.value)
        if numbers is not None and not np.isfinite(numbers).all():
            return cause(stopped(solve, case))
    return (), ()


def stopped(solve, case):
    """The error of a call that stops at the first such operation."""
    try:
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            watched_by_nobody(solve, *copy.deepcopy(case).values())
    except (FloatingPointError, ZeroDivisionError) as error:
        return error
    except KeyboardInterrupt:
        raise
    except BaseException:
        return None
    return None


def cause(error):
    """Name and sentence for such an error."""
    if error is None:
        return (), ()
    what = ""
    lines = own_lines(error)
    if "in log" in str(error):
        what, name = "the logarithm of 0", "logarithm-of-zero"
    elif isinstance(error, ZeroDivisionError) or "divi" in str(error):
        what = "a division by zero"
        name = "starts-at-zero" if t_is_zero(error) else "divides-by-zero"
    elif isinstance(error, OverflowError) and "exp(" in "".join(lines[-1:]):
        name = "exp-overflows"
    elif isinstance(error, OverflowError):
        name = "numbers-overflow"
    elif "overflow" in str(error) and "exp" in str(error):
        what, name = "exp of a large number", "exp-overflows"
    elif "overflow" in str(error):
        what, name = "a number beyond all bounds", "numbers-overflow"
    else:
        return (), ()
    if isinstance(error, (ZeroDivisionError, OverflowError)):
        return (name,), ()  # its lines are shown already
    said = f"What is not finite begins with {what}:" if lines else ""
    return (name,), tuple(filter(None, ["\n".join([said, *lines])]))


def t_is_zero(error):
    """Whether a variable t is 0 where something was divided by zero."""
    trace, found = error.__traceback__, False
    while trace is not None:
        known = trace.tb_frame.f_locals
        found = is_zero(known["t"]) if "t" in known else found
        trace = trace.tb_next
    return found


def is_zero(value):
    return isinstance(value, (int, float, np.number)) and value == 0
