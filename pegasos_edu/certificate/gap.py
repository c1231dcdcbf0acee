"""The duality gap: how far from the best any w can be, at most.

A dual point α with 0 ≤ α_i ≤ 1 gives the lower bound

    D(α) = (1/n) Σ −ℓ*(−α_i) − λ/2 ‖w(α)‖²,   w(α) = 1/(λn) Σ α_i y_i x_i,

on min f. So f(w) − D(α) bounds the suboptimality of w, whatever method
found the two, and nothing else has to be believed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.objective import objective


@dataclass(frozen=True)
class Optimum:
    """A minimiser of f with its certificate.

    Attributes
    ----------
    w : ndarray of shape (d,)
        The minimiser w*.
    alpha : ndarray of shape (n,)
        A dual point, 0 ≤ α_i ≤ 1.
    primal, dual : float
        f(w) and D(α); f* lies between them.
    gap : float
        The relative gap (primal − dual) / primal.
    """

    w: np.ndarray
    alpha: np.ndarray
    primal: float
    dual: float
    gap: float


def weights_from(alpha: NDArray, X: Any, y: NDArray, lam: float) -> NDArray:
    """w(α) = 1/(λn) Σ α_i y_i x_i.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> weights_from(np.array([0.0, 0.2]), X, y, lam=0.1)
    array([1.])
    """
    return X.T @ (alpha * y) / (lam * len(y))


def certify(
    w: NDArray[Any],
    alpha: NDArray[Any],
    X: Any,
    y: NDArray[Any],
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
) -> Optimum:
    """Pair any w with any dual point and compute the gap between them.

    Parameters
    ----------
    w : ndarray of shape (d,)
    alpha : ndarray of shape (n,), 0 ≤ α_i ≤ 1
    X, y, lam, loss
        As in `optimum`.

    Returns
    -------
    Optimum

    Raises
    ------
    ValueError
        If an α_i is outside [0, 1]: it would certify nothing.

    Notes
    -----
    Shalev-Shwartz and Zhang (2013), section 1, with C = 1/(λn) taken out.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> certify(np.zeros(1), np.ones(2), X, y, lam=0.5).dual
    -1.25
    """
    n = np.shape(X)[0]
    alpha = checks.as_real("alpha", alpha)
    if alpha.shape != (n,):
        checks.refuse(
            f"alpha has shape {alpha.shape}", f"({n},), one for each row of X"
        )
    if not ((alpha >= 0.0) & (alpha <= 1.0)).all():
        checks.refuse(
            f"alpha ranges from {alpha.min()} to {alpha.max()}",
            "values in [0, 1]",
        )
    primal = objective(w, X, y, lam, loss)
    w_dual = weights_from(alpha, X, y, lam)
    dual = float(LOSSES[loss].dual(alpha).mean() - 0.5 * lam * w_dual @ w_dual)
    return Optimum(w, alpha, primal, dual, (primal - dual) / primal)
