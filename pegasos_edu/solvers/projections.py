"""Projections: the nearest point of a set to a given point.

"Nearest" is Euclidean unless `weights` h are given; then it is nearest in
the norm √(Σ h_i x_i²), as AdaGrad needs it.
"""

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.problem import checks

NUMBERS = "floating-point numbers other than nan"
NORM_OVERFLOWS = (
    "the square of ‖w‖ overflows; expected a larger lam, smaller steps or "
    "smaller data."
)


def project_l2(
    w: NDArray, radius: float, weights: NDArray | None = None
) -> NDArray:
    """The point of {‖w‖₂ ≤ radius} nearest to w: w itself, or w shortened.

    Parameters
    ----------
    w : ndarray of shape (d,)
    radius : float
    weights : ndarray of shape (d,), optional
        Above 0. The result is then w_i h_i / (h_i + μ), with the one μ > 0
        that puts it on the sphere, found to machine precision.

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    Shalev-Shwartz et al. (2007), figure 1, with radius 1/√λ. Written
    without a division by ‖w‖ when w is inside, so w = 0 needs no care.

    Examples
    --------
    >>> project_l2(np.array([3.0, 4.0]), radius=1.0)
    array([0.6, 0.8])
    """
    radius = checks.check_positive("radius", radius)
    _check_array("w", w)
    norm = math.sqrt(w @ w)
    _check_no_nan("w", w, norm)
    if math.isinf(norm):
        raise FloatingPointError(NORM_OVERFLOWS)
    if norm <= radius:
        return w
    if weights is None:
        return w * (radius / norm)
    pull = weights * w

    def excess(mu):
        return np.linalg.norm(pull / (weights + mu)) - radius

    if excess(0.0) <= 0.0:  # longer than the radius by rounding alone
        return w
    from scipy.optimize import brentq  # here, as it is slow to import

    # Twice what would do without the weights: at once it rounds.
    most = 2.0 * np.linalg.norm(pull) / radius
    mu = brentq(excess, 0.0, most, xtol=1e-300)
    return pull / (weights + mu)


def project_l1(
    w: NDArray, radius: float, weights: NDArray | None = None
) -> NDArray:
    """The point of {‖w‖₁ ≤ radius} nearest to w: w itself, or w thinned.

    Outside the ball every entry gives up the same θ of its size (θ/h_i
    with weights), and what would change its sign becomes 0.

    Parameters
    ----------
    w : ndarray of shape (d,)
    radius : float
    weights : ndarray of shape (d,), optional
        Above 0.

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    Duchi et al. (2008), section 4: the sizes of the entries are projected
    on the simplex, and their signs put back.

    Examples
    --------
    >>> project_l1(np.array([3.0, -2.0, 0.5]), radius=2.0)
    array([ 1.5, -0.5,  0. ])
    """
    radius = checks.check_positive("radius", radius)
    _check_point("w", w)
    size = np.abs(w)
    if size.sum() <= radius:
        return w
    return np.copysign(project_simplex(size, radius, weights), w)


def project_simplex(
    v: NDArray, mass: float = 1.0, weights: NDArray | None = None
) -> NDArray:
    """The point of {x ≥ 0, Σ x_i = mass} nearest to v, in O(d log d).

    Parameters
    ----------
    v : ndarray of shape (d,)
    mass : float
    weights : ndarray of shape (d,), optional
        Above 0.

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    Duchi et al. (2008), figure 1; with weights, Duchi et al. (2011),
    section 5. The result is max(v_i − θ/h_i, 0). For a given set of
    positive entries θ follows from the sum; sorted by h_i v_i, the set is
    the longest one that its own θ keeps positive.

    Examples
    --------
    >>> project_simplex(np.array([0.9, 0.5, -1.0]))
    array([0.7, 0.3, 0. ])
    """
    mass = checks.check_positive("mass", mass)
    _check_point("v", v)
    h = np.ones_like(v) if weights is None else weights
    order = np.argsort(-h * v)
    thetas = (np.cumsum(v[order]) - mass) / np.cumsum(1.0 / h[order])
    positive = np.flatnonzero((h * v)[order] > thetas)
    return np.maximum(v - thetas[positive[-1]] / h, 0.0)


def _check_point(name, w):
    """Refuse what is no array of numbers."""
    _check_array(name, w)
    _check_no_nan(name, w, w.sum())


def _check_array(name, w):
    if not isinstance(w, np.ndarray) or w.ndim != 1 or not len(w):
        found = f"{name} is {checks.shown(w, repr)}"
        checks.refuse(found, "an array of one dimension, not empty", TypeError)
    if w.dtype.kind != "f":
        checks.refuse(f"{name} is {checks.shown(w, repr)}", NUMBERS)


def _check_no_nan(name, w, total):
    """A nan among the entries makes any sum of them nan: `total` is one."""
    if math.isnan(total):
        checks.refuse(f"{name} is {checks.shown(w, repr)}", NUMBERS)


# Where an iterate may be kept, by name.
SETS: dict[str, Callable[..., NDArray]] = {
    "l2": project_l2,
    "l1": project_l1,
    "simplex": project_simplex,
}
