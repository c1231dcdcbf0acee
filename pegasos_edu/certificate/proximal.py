"""The program of `interior`, to a percent, in fewer and cheaper steps.

    minimise  ½ ‖Zᵀα‖² − ⟨b, α⟩  over 0 ≤ α ≤ 1

gets a pull ‖α − c‖²/(2σ) towards the place c that was reached last, as
`ascend` gives one to w. Then α is a function of v,

    α(v) = c + σ(b − Zv), cut off at 0 and 1,

and v = Zᵀα(v) is where a smooth convex function has its minimum: its slope
is v − Zᵀα(v). Newton's steps lead there. Only the free rows F, those with
0 < α(v) < 1, bend it: its second derivative is I + σ FᵀF. So a step costs
two products with Z, and one linear system with as many unknowns as F has
rows or columns, whichever are fewer.
"""

import numpy as np
from numpy.typing import NDArray

# How many times σ grows with each new c.
GROWTH = 3.0
# A new c is taken when the squared slope is at most so many times
# ‖α − c‖²/σ, what Newton's steps are to be small beside.
ROUGH = 3.0
# A step is halved until at most so much of the slope along it is left.
LEFT = 0.3
HALVES = 0.5 ** np.arange(50)
# Where these many do not do, rounding stands in the way.
MOST_STEPS = 200


def solve_soon(
    Z: NDArray, b: NDArray, v: NDArray, tol: float
) -> tuple[NDArray, NDArray]:
    """An α in [0, 1]ᵐ and a v with a relative duality gap of `tol`.

    Parameters
    ----------
    Z : ndarray of shape (m, d)
    b : ndarray of shape (m,)
        At least one number above 0.
    v : ndarray of shape (d,)
        Where to begin.
    tol : float
        The gap to reach, relative to ½ ‖v‖² + Σ max{0, b − Zv}.

    Returns
    -------
    alpha : ndarray of shape (m,)
    v : ndarray of shape (d,)
        If rounding, or the number of steps, prevents `tol`: the best that
        was reached.

    Notes
    -----
    Rockafellar's proximal point method (1976) on the dual; Newton's method
    on functions whose slope has kinks: Qi and Sun (1993). Both together:
    Li, Sun and Toh (2018).

    Examples
    --------
    >>> Z, b = np.array([[2.0], [1.0]]), np.array([1.0, 3.0])
    >>> alpha, v = solve_soon(Z, b, v=np.zeros(1), tol=1e-9)
    >>> print(alpha.round(6), v.round(6))
    [0. 1.] [1.]
    """
    m = len(b)
    centre, lack = np.zeros(m), b - Z @ v  # c; b − Zv
    sigma = 10.0 * m / (1.0 + np.vdot(Z, Z))
    best, least, most = (centre, v), np.inf, -np.inf
    for _ in range(MOST_STEPS):
        wanted = centre + sigma * lack
        alpha = wanted.clip(0.0, 1.0)
        v_dual = Z.T @ alpha
        slope = v - v_dual
        primal = 0.5 * (v @ v) + np.maximum(lack, 0.0).sum()
        dual = b @ alpha - 0.5 * (v_dual @ v_dual)
        if primal < least:
            best, least = (best[0], v), primal
        if dual > most:
            best, most = (alpha, best[1]), dual
        if least - most <= tol * least:
            break
        moved = alpha - centre
        if slope @ slope <= ROUGH / sigma * (moved @ moved):
            centre, sigma = alpha, GROWTH * sigma
            lack = b - Z @ v  # afresh: rounding cannot pile up
            continue
        step = _newton(Z[(wanted > 0.0) & (wanted < 1.0)], sigma, slope)
        along, enough = Z @ step, LEFT * abs(slope @ step)
        for length in HALVES:
            alpha = (wanted - sigma * length * along).clip(0.0, 1.0)
            if (v + length * step) @ step - alpha @ along <= enough:
                break
        v, lack = v + length * step, lack - length * along
    return best


def _newton(F, sigma, slope):
    """−(I + σ FᵀF)⁻¹ times the slope."""
    k, d = F.shape
    if k < d:
        inner = F @ F.T + np.eye(k) / sigma
        return F.T @ np.linalg.solve(inner, F @ slope) - slope
    return np.linalg.solve(np.eye(d) + sigma * (F.T @ F), -slope)
