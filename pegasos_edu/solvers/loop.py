"""Pegasos as a plain loop on Python floats: the pseudocode, runnable.

The solver is written as a function of one `run`, which holds the checked
arguments and the rows that were drawn; `@solver` makes of it the function
of X, y and λ that is called.
"""

from math import inf, sqrt

from pegasos_edu.solvers.projections import NORM_OVERFLOWS
from pegasos_edu.solvers.solver import solver


@solver(sparse=False)
def pegasos(run):
    """Minimise λ/2 ‖w‖² + mean loss, one float at a time.

    The same algorithm as `dense.pegasos`, on the same order, with the same
    arguments, without NumPy in the loop.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figures 1 and 2; Johansson, algorithm 1.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> pegasos(X, y, lam=0.5, order=[0, 1, 0]).last
    array([0.66666667, 0.66666667])
    """
    d = run.d
    w = run.start.tolist()  # w_1, by default 0
    total = [0.0] * d  # Σ w_t, for the average
    for t, batch in run.batches():  # A_t: the rows drawn at step t
        if run.averages_at(t):
            total = [s_j + w_j for s_j, w_j in zip(total, w)]
        eta = float(run.step(t))  # η_t
        v = [0.0] * d  # v_t, the mean of −ℓ'(m_i) y_i x_i over A_t
        for i in batch:
            x, y = run.X[i].tolist(), float(run.y[i])
            score = sum(w_j * x_j for w_j, x_j in zip(w, x))  # ⟨w_t, x⟩
            slope = float(run.slope(y * score))  # hinge: −1 if m < 1, else 0
            for j in range(d):
                v[j] -= slope * y * x[j] / len(batch)
        for j in range(d):  # shrink, then add
            w[j] = (1 - eta * run.lam) * w[j] + eta * v[j]
        if run.radius is not None:  # project on the ball
            norm = sqrt(sum(w_j * w_j for w_j in w))  # ‖w‖
            if norm == inf:
                raise FloatingPointError(NORM_OVERFLOWS)
            if norm > run.radius:
                w = [w_j * run.radius / norm for w_j in w]
        run.record(t, w, total)  # w is w_{t+1} now
    return run.result()
