"""Where what is asked for is hidden: in a history, a pair, a column."""

import numpy as np

from pegasos_edu.coursework.diagnosis.inputs import ARRAYS, NUMBERS
from pegasos_edu.coursework.trial import as_numbers, call, same_values


def unwrapped(solve, value, d):
    """The name of a wrong form, and the solver without it.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> something that is not w alone.
    value : object
        What it returned.
    d : int
        The number of columns of X.

    Returns
    -------
    name : str
        "" if w is found nowhere.
    solve : callable
    """
    take = where_w_is(value, d)
    if take is None:
        return "", solve
    return take[0], lambda *case: take[1](solve(*case))


def where_w_is(value, d):
    """(name, function that takes w out of such a value), or None."""
    if isinstance(value, tuple) and value and shape_of(value[0]) == (d,):
        return "returns-more-than-w", lambda value: value[0]
    shape = shape_of(value)
    if shape in ((d, 1), (1, d)):
        return "returns-a-column", np.ravel
    if len(shape) == 2 and shape[1] == d:
        return "returns-the-history", lambda value: value[-1]
    if shape == (d + 1,):
        return "returns-more-than-w", lambda value: value[:d]
    return None


def shape_of(value):
    numbers = as_numbers(value)
    return () if numbers is None else numbers.shape


ANOTHER_FORM = "right-in-another-form"
# What people make of right values before they return them, in words.
MADE = [
    ("the sum of the right values", np.sum),
    ("the mean of the right values", np.mean),
    ("the first of the right values alone", lambda right: right[:1]),
    ("the first of the right values alone", lambda right: right[0]),
    ("the last of the right values alone", lambda right: right[-1]),
    ("right, without the first value", lambda right: right[1:]),
    ("right, without the last value", lambda right: right[:-1]),
    ("right, one place too late", lambda r: np.append(0.0 * r[:1], r[:-1])),
    ("right, one place too early", lambda r: np.append(r[1:], r[-1:])),
    ("the largest of the right values so far", np.maximum.accumulate),
    ("the right values added up once more", np.cumsum),
]
# The same, where the right value is made of what they return.
WITHIN = [
    ("yours in another shape", np.squeeze),
    ("the mean of yours", np.mean),
    ("the sum of yours", np.sum),
    ("yours without the first", lambda yours: yours[1:]),
    ("yours without the last", lambda yours: yours[:-1]),
    ("the first of yours", lambda yours: yours[0]),
    ("the last of yours", lambda yours: yours[-1]),
    ("your first column", lambda yours: np.asarray(yours)[:, 0]),
    ("your last column", lambda yours: np.asarray(yours)[:, -1]),
]


def another_form(task, trials):
    """Name and sentence for right values that are returned in another form.

    Parameters
    ----------
    task : Task
    trials : list of (dict, Outcome)

    Returns
    -------
    names, said : tuple of str
    """
    pairs = [
        (outcome.value, call(task.reference, case).value)
        for case, outcome in trials
    ]
    looks = [
        ("it is", 1, made_of(np.ndim(pairs[0][1]))),
        ("the right value is", 0, WITHIN),
    ]
    for what, of, forms in looks:
        for words, make in forms:
            if all(agrees(make, pair[of], pair[1 - of]) for pair in pairs):
                return (ANOTHER_FORM,), (f"In every trial {what} {words}.",)
    return (), ()


def made_of(dimensions):
    """What people make of a right value: of a number, or of an array."""
    known = [*MADE, *ARRAYS] if dimensions else NUMBERS
    name = "the right value" if not dimensions else "the right values"
    return [(words.format(name, name), make) for words, make in known]


def agrees(make, of, wanted):
    """Whether something can be made of a value, and is as wanted."""
    try:
        with np.errstate(all="ignore"):
            made, wanted = as_numbers(make(of)), as_numbers(wanted)
        return np.isfinite(made).all() and same_values(made, wanted)
    except KeyboardInterrupt:
        raise
    except BaseException:  # what a student returns may raise anything
        return False
