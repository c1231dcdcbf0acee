"""Steps of stochastic dual coordinate ascent; `certificate.optimum` runs them.

The dual of the SVM has one variable α_i in [0, 1] for each example, and
w(α) = 1/(λn) Σ α_i y_i x_i. A step picks one i and moves α_i to the best
place it can reach alone. There is no step size to choose, and the value of
the dual is a lower bound on every f(w).
"""

from pegasos_edu.solvers.sparse import add, dot


def advance(rows, y, order, lam_n, norm2, w, alpha):
    """One exact step on the dual for each row number in `order`.

    rows and y hold x_i and y_i, norm2 holds ‖x_i‖², lam_n is λn; w = w(α)
    and alpha, which holds α_i, are changed in place.
    """
    for i in order:
        if norm2[i] > 0.0:
            margin = y[i] * dot(w, rows, i)
            best = alpha[i] + lam_n * (1.0 - margin) / norm2[i]
            best = min(max(best, 0.0), 1.0)
            if best != alpha[i]:  # most stay at 0 or 1 near the optimum
                add(w, (best - alpha[i]) * y[i] / lam_n, rows, i)
                alpha[i] = best
        else:
            alpha[i] = 1.0  # x_i = 0 loses 1 whatever w is
