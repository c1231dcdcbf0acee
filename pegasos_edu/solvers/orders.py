"""Which examples to visit: every random choice of a run, made beforehand.

An *order* is an array of row numbers, (T,) for one example a step or (T, k)
for mini-batches A_t of k. All solvers take the same order, so two of them
can be compared step by step.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call


@checked_call("draw_order")
def draw_order(
    n: int,
    T: int,
    k: int = 1,
    sampling: Literal["iid", "without", "epochs", "blocks"] = "iid",
    *,
    seed: int,
) -> NDArray[Any]:
    """Draw the row numbers of T steps with k examples each.

    Parameters
    ----------
    n : int
        Number of examples.
    T : int
        Number of steps, at least 1.
    k : int
        Examples a step, at least 1.
    sampling : {"iid", "without", "epochs", "blocks"}
        "iid" draws with replacement; "without" draws the k examples of one
        step without replacement, each step anew; "epochs" walks through
        one random permutation of the data after another; "blocks" does the
        same with blocks of 16 neighbouring rows, which memory delivers
        faster. Blocks ask for rows in no particular order: rows sorted by
        label, say, must be shuffled once before.
    seed : int
        The seed of `numpy.random.default_rng`.

    Returns
    -------
    ndarray of int, shape (T,) if k is 1, else (T, k)

    Raises
    ------
    ValueError, TypeError
        If a number is out of range, or k > n for "without".
    MemoryError
        If so many row numbers do not fit in memory.

    Notes
    -----
    Shalev-Shwartz et al. (2011), section 2.3, draw with replacement or, of
    a batch, without. Epochs are what is done in practice; blocks are ours.

    Examples
    --------
    >>> draw_order(3, 6, sampling="epochs", seed=1).tolist()
    [0, 1, 2, 2, 0, 1]
    >>> draw_order(50, 50, sampling="blocks", seed=0)[::16].tolist()
    [32, 0, 16, 48]
    """
    n = checks.check_integer("n", n, 1)
    T = checks.check_integer("T", T, 1)
    k = checks.check_integer("k", k, 1)
    seed = checks.check_integer("seed", seed, 0)
    draw = checks.check_choice("sampling", sampling, SAMPLINGS)
    try:
        order = draw(np.random.default_rng(seed), n, T, k)
    except MemoryError:
        raise MemoryError(
            f"n is {n}, T is {T} and k is {k}; expected row numbers that fit "
            f"in memory."
        ) from None
    return order[:, 0] if k == 1 else order


def _iid(rng, n, T, k):
    return rng.integers(n, size=(T, k))


def _without(rng, n, T, k):
    if k > n:
        raise ValueError(
            f"k is {k}; expected at most n = {n} when sampling without "
            f"replacement."
        )
    if k == 1:
        return _iid(rng, n, T, k)
    return np.array([rng.choice(n, k, replace=False) for _ in range(T)])


def _epochs(rng, n, T, k):
    walk = np.empty((-(-T * k // n), n), dtype=np.intp)
    for epoch in walk:
        epoch[:] = np.arange(n)
        rng.shuffle(epoch)
    return walk.ravel()[: T * k].reshape(T, k)


def _blocks(rng, n, T, k):
    walk = np.empty((-(-T * k // n), n), dtype=np.intp)
    for epoch in walk:
        fill_with_blocks(rng, epoch)
    return walk.ravel()[: T * k].reshape(T, k)


def fill_with_blocks(rng, epoch):
    """Set `epoch` to all row numbers: blocks in random order, then the rest.

    Examples
    --------
    >>> epoch = np.zeros(50, dtype=np.int32)
    >>> fill_with_blocks(np.random.default_rng(0), epoch)
    >>> epoch[::16].tolist()
    [32, 0, 16, 48]
    """
    whole = len(epoch) - len(epoch) % ROWS_A_BLOCK
    starts = rng.permutation(whole // ROWS_A_BLOCK).astype(epoch.dtype)
    within = np.arange(ROWS_A_BLOCK, dtype=epoch.dtype)
    blocks = epoch[:whole].reshape(-1, ROWS_A_BLOCK)  # on the same memory
    np.add.outer(ROWS_A_BLOCK * starts, within, out=blocks)
    epoch[whole:] = np.arange(whole, len(epoch))


ROWS_A_BLOCK = 16
SAMPLINGS = {
    "iid": _iid,
    "without": _without,
    "epochs": _epochs,
    "blocks": _blocks,
}
