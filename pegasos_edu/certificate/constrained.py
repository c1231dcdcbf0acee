"""The certified optimum on a ball: the yardstick for projected methods.

For any α with 0 ≤ α_i ≤ 1 the hinge loss is at least α_i(1 − m_i), so with
q = (1/n) Σ α_i y_i x_i and a convex set K

    f(w) ≥ (1/n) Σ α_i + min over K of λ/2 ‖u‖² − ⟨u, q⟩   for every w in K.

The minimum is reached at u = Π(q/λ), the projection we already have. So any
α gives a lower bound on the constrained optimum, and a point of K with it.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import scipy.optimize
from numpy.typing import ArrayLike

from pegasos_edu.certificate.gap import Optimum, check_tol
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers.projections import SETS


@checked_call("optimum_on")
def optimum_on(
    ball: Literal["l2", "l1", "simplex"],
    radius: float,
    X: Any,
    y: ArrayLike,
    lam: float,
    tol: float = 1e-6,
    rounds: int = 20,
) -> Optimum:
    """Minimise f with the hinge loss on a ball or on the simplex.

    Parameters
    ----------
    ball : {"l2", "l1", "simplex"}
        {‖w‖₂ ≤ radius}, {‖w‖₁ ≤ radius} or {w ≥ 0, Σ w_i = radius}.
    radius : float
        Above 0.
    X : array_like of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    tol : float
        The largest relative gap that counts as certified; below 1.
    rounds : int
        Give up after this many rounds of 500 quasi-Newton steps.

    Returns
    -------
    Optimum

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.
    RuntimeError
        If the gap stays above `tol`: nothing uncertified is returned.

    Notes
    -----
    The dual function is concave and differentiable with gradient
    (1 − y_i⟨Π(q/λ), x_i⟩)/n (Boyd and Vandenberghe 2004, section 5.1);
    L-BFGS-B maximises it over the box.

    Examples
    --------
    >>> best = optimum_on("l1", 0.5, [[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(best.w, round(best.primal, 6))
    [0.5] 0.2625
    """
    project = checks.check_choice("ball", ball, SETS)
    radius = checks.check_positive("radius", radius)
    tol = check_tol(tol)
    rounds = checks.check_integer("rounds", rounds, 1)
    checks.check_dense(X, "optimum_on")
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    n = len(y)
    Z = X * y[:, np.newaxis]

    def bound(alpha):
        """The lower bound D(α) and the point of the set it belongs to."""
        q = Z.T @ alpha / n
        w = project(q / lam, radius)
        return alpha.mean() + 0.5 * lam * w @ w - w @ q, w

    def loss(alpha):
        """−n D(α) and its gradient: the scale L-BFGS-B is made for."""
        value, w = bound(alpha)
        return -n * value, Z @ w - 1.0

    alpha = np.full(n, 0.5)
    for _ in range(rounds):
        alpha = scipy.optimize.minimize(
            loss,
            alpha,
            jac=True,
            method="L-BFGS-B",
            bounds=[(0, 1)] * n,
            options={
                "maxiter": 500,
                "maxfun": 5000,
                "maxcor": 30,
                "ftol": 1e-16,
                "gtol": 1e-12,
            },
        ).x
        dual, w = bound(alpha)
        primal = objective(w, X, y, lam)
        gap = (primal - dual) / primal
        if gap <= tol:
            return Optimum(w, alpha, primal, float(dual), gap)
    raise RuntimeError(
        f"the relative gap is {gap:.1e}; expected at most {tol:.1e}, so "
        f"there is no certified optimum to return."
    )
