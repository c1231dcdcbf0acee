"""Pegasos on dense NumPy arrays: the reference that all else is held to.

The solver is written as a function of one `run`, which holds the checked
arguments and the rows that were drawn; `@solver` makes of it the function
of X, y and λ that is called.

Here and in `loop`, v is v_t of the pseudocode, the direction of one step.
In `sparse` it is the iterate but for a factor, and in `closed_form` the sum
of all v_t: letters of the sources that these follow.
"""

import numpy as np

from pegasos_edu.solvers.projections import project_l2
from pegasos_edu.solvers.solver import solver


@solver(sparse=False)
def pegasos(run):
    """Minimise λ/2 ‖w‖² + mean loss by stochastic sub-gradient steps.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figures 1 and 2.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    w = run.start  # w_1, by default 0
    total = np.zeros_like(w)  # Σ w_t, for the average
    for t, batch in run.batches():  # A_t: the rows drawn at step t
        if run.averages_at(t):
            total += w
        x, y_t = run.X[batch], run.y[batch]
        eta = run.step(t)  # η_t
        margin = y_t * (x @ w)  # y⟨w_t, x⟩, scored with the old w
        # v_t = mean of −ℓ'(m_i) y_i x_i over A_t: the negative subgradient
        # of the loss. For the hinge, the sum of the violators' yx, over k.
        v = -(run.slope(margin) * y_t) @ x / len(batch)
        w = (1 - eta * run.lam) * w + eta * v  # shrink, then add
        if run.radius is not None:
            w = project_l2(w, run.radius)
        run.record(t, w, total)
    return run.result()
