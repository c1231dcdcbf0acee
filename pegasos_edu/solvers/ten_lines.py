"""Pegasos in ten lines: nothing to check, nothing to choose.

The first page of the book shows it. All else uses the solvers of the other
files, which say what is wrong with an argument and keep what a run went
through.
"""

import numpy as np


def pegasos(X, y, lam, T, seed=0):
    """The last iterate of Pegasos after T steps.

    Parameters
    ----------
    X : ndarray of shape (n, d)
    y : ndarray of shape (n,), −1 or +1
    lam : float
        λ > 0.
    T : int
        The number of steps.
    seed : int
        The seed of the draws.

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    Shalev-Shwartz et al. (2011), figure 1.

    Examples
    --------
    >>> X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1, -1])
    >>> pegasos(X, y, lam=0.5, T=1000).round(1)
    array([0.9, 1. ])

    The best weights are (1, 1).
    """
    rng = np.random.default_rng(seed)
    w = np.zeros(X.shape[1])
    for t in range(1, T + 1):
        i = rng.integers(len(y))
        margin = y[i] * (X[i] @ w)
        w = (1 - 1 / t) * w
        if margin < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w
