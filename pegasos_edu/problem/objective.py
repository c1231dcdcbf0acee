"""What is minimised: f(w) = λ/2 ‖w‖² + (1/n) Σ ℓ(y_i⟨w, x_i⟩)."""

from __future__ import annotations

import math
from typing import Any, Literal

from numpy.typing import ArrayLike, NDArray

from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.problem.products import combination, product

ROUNDING = 1e-8  # by which a dual may come out above f(w), relative to it


@checked_call("objective")
def objective(
    w: ArrayLike,
    X: Any,
    y: ArrayLike,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
) -> Any:
    """f(w) = λ/2 ‖w‖² + mean loss, for one w or for a stack of them.

    Parameters
    ----------
    w : ndarray of shape (d,) or (S, d)
        One weight vector, or S of them (snapshots of a run).
    X : ndarray or sparse matrix of shape (n, d)
        The examples, one a row.
    y : ndarray of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ.

    Returns
    -------
    float, or ndarray of shape (S,)

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Shalev-Shwartz et al. (2011), equation (1).

    Examples
    --------
    >>> objective([0.5], X=[[2.0], [-1.0]], y=[1, -1], lam=0.1)
    0.2625
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    w = checks.check_weights(w, X.shape[1])
    value = checks.check_choice("loss", loss, LOSSES).value
    margins = product(X, w.T).T * y
    f = 0.5 * lam * (w**2).sum(axis=-1) + value(margins).mean(axis=-1)
    return float(f) if w.ndim == 1 else f


@checked_call("subgradient")
def subgradient(
    w: ArrayLike,
    X: Any,
    y: ArrayLike,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
) -> NDArray:
    """One subgradient of f at w: λw + (1/n) Σ ℓ'(m_i) y_i x_i.

    Parameters
    ----------
    w : ndarray of shape (d,)
        The weight vector.
    X, y, lam, loss
        As in `objective`.

    Returns
    -------
    ndarray of shape (d,)

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Shalev-Shwartz et al. (2011), section 2.3, with A_t the whole set; at
    a kink it uses the slope 0.

    Examples
    --------
    >>> subgradient([0.5], X=[[2.0], [-1.0]], y=[1, -1], lam=0.1)
    array([-0.45])
    """
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    w = checks.check_weights(w, X.shape[1], stack=False)
    slope = checks.check_choice("loss", loss, LOSSES).slope
    margins = y * product(X, w)
    return lam * w + combination(X, slope(margins) * y) / len(y)


def relative_gap(primal: float, dual: float) -> float:
    """(primal − dual)/primal, at least (f(w) − f*)/f(w).

    Parameters
    ----------
    primal, dual : float
        f(w), and a lower bound on f.

    Returns
    -------
    float
        1 for a dual far above f(w), where f ≥ 0 is all that is known, and
        for numbers that are none.

    Raises
    ------
    ValueError
        If f(w) underflows to 0.

    Examples
    --------
    >>> relative_gap(2.0, 1.5), relative_gap(2.0, 1e40)
    (0.25, 1.0)
    """
    if not primal:
        checks.refuse("f(w) underflows to 0", "a larger lam, or smaller data")
    # No D(α) is above f(w): one that is has been lost in rounding.
    bound = dual if dual <= (1 + ROUNDING) * primal else 0.0
    return (primal - bound) / primal if math.isfinite(primal) else 1.0
