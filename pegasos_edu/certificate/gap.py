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
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.objective import relative_gap
from pegasos_edu.problem.products import combination, product


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


def check_tol(tol: Any, zero_allowed: bool = False) -> float:
    """Return a relative gap as a float below 1, which any f has at α = 0.

    Examples
    --------
    >>> check_tol(0.01)
    0.01
    """
    tol = checks.check_positive("tol", tol, zero_allowed)
    if tol >= 1.0:
        checks.refuse(f"tol is {tol}", "a share of f, below 1")
    return tol


def weights_from(alpha: NDArray, X: Any, y: NDArray, lam: float) -> NDArray:
    """w(α) = 1/(λn) Σ α_i y_i x_i.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> weights_from(np.array([0.0, 0.2]), X, y, lam=0.1)
    array([1.])
    """
    return combination(X, alpha * y) / (lam * len(y))


@checked_call("certify")
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
    w : array_like of shape (d,)
    alpha : array_like of shape (n,), 0 ≤ α_i ≤ 1
    X, y, lam, loss
        As in `optimum`.

    Returns
    -------
    Optimum

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; so, too, if an α_i is outside
        [0, 1]: it would certify nothing.

    Notes
    -----
    Shalev-Shwartz and Zhang (2013), section 1, with C = 1/(λn) taken out.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> certify(np.zeros(1), np.ones(2), X, y, lam=0.5).dual
    -1.25
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    n = len(y)
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
    w = checks.check_weights(w, X.shape[1], stack=False)
    of_loss = checks.check_choice("loss", loss, LOSSES)
    losses = of_loss.value(product(X, w) * y)
    primal = float(0.5 * lam * (w**2).sum() + losses.mean())
    w_dual = weights_from(alpha, X, y, lam)
    dual = float(of_loss.dual(alpha).mean() - 0.5 * lam * w_dual @ w_dual)
    return Optimum(w, alpha, primal, dual, relative_gap(primal, dual))
