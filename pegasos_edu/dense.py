"""Pegasos on dense NumPy arrays: the reference that all else is held to."""

import numpy as np

from pegasos_edu import checks
from pegasos_edu.projections import project_l2
from pegasos_edu.arguments import prepare


def pegasos(X, y, lam, T=None, **options):
    """Minimise λ/2 ‖w‖² + mean loss by stochastic sub-gradient steps.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    T : int, optional
        The number of steps; needed with `seed`.
    **options
        `order` or `seed`, and more: see `pegasos_edu.arguments.prepare`.

    Returns
    -------
    Run
        The last iterate, the average iterate and the snapshots.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.
    FloatingPointError
        If the iterates overflow.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figures 1 and 2.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    checks.check_dense(X, "dense.pegasos")
    run = prepare(X, y, lam, T, **options)
    w = np.zeros(run.X.shape[1])  # w_1 = 0
    total = np.zeros_like(w)  # Σ w_t, for the average
    for t, batch in run.batches():  # A_t: the rows drawn at step t
        if run.averages_at(t):
            total += w
        x, y_t = run.X[batch], run.y[batch]
        eta = run.step(t)  # η_t
        margin = y_t * (x @ w)  # y⟨w_t, x⟩, scored with the old w
        # Minus the loss's subgradient: for the hinge, yx where margin < 1.
        v = -(run.slope(margin) * y_t) @ x / len(batch)
        w = (1 - eta * run.lam) * w + eta * v  # shrink, then add
        if run.radius is not None:
            w = project_l2(w, run.radius)
        if run.recorder.due(t):
            run.recorder.record(t, w, total)
    return run.recorder.result()
