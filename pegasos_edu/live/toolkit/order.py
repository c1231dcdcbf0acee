"""The order of examples that Python and the browser draw alike."""

import numpy as np

from pegasos_edu.problem import checks

# Mulberry32 (Tommy Ettinger, public domain) with its state written as
# seed + t · STRIDE: number t needs no number before it, so NumPy draws all
# at once. `PegasosLive.order` in toolkit.js is the same in JavaScript.
STRIDE = 0x6D2B79F5


def live_order(n, T, seed):
    """Draw T row numbers in [0, n), the same here and in the browser.

    Parameters
    ----------
    n : int
        The number of examples, at least 1.
    T : int
        The number of steps, at least 1.
    seed : int
        At least 0; taken modulo 2³².

    Returns
    -------
    ndarray of int, shape (T,)

    Raises
    ------
    ValueError, TypeError
        If a number is out of range.

    Examples
    --------
    >>> live_order(60, 5, seed=0).tolist()
    [15, 0, 13, 8, 28]
    """
    n = checks.check_integer("n", n, 1)
    T = checks.check_integer("T", T, 1)
    seed = checks.check_integer("seed", seed, 0)
    t = np.arange(1, T + 1, dtype=np.uint64)
    state = (seed % 2**32 + t * STRIDE).astype(np.uint32)
    bits = _mix(state).astype(np.uint64)
    return ((bits * np.uint64(n)) >> np.uint64(32)).astype(np.intp)


def _mix(a):
    """The mixing function of mulberry32, on uint32 with wraparound."""
    a = (a ^ (a >> 15)) * (a | 1)
    a = a ^ (a + (a ^ (a >> 7)) * (a | 61))
    return a ^ (a >> 14)
