"""Where w is hidden in something else: a history, a pair, a column."""

import numpy as np

from pegasos_edu.coursework.trial import as_numbers


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
