"""Projections: the nearest point of a ball to a given point."""

import math

NORM_OVERFLOWS = (
    "the square of ‖w‖ overflows; expected a larger lam, smaller steps or "
    "smaller data."
)


def project_l2(w, radius):
    """The point of {‖w‖₂ ≤ radius} nearest to w: w itself, or w shortened.

    Parameters
    ----------
    w : ndarray of shape (d,)
    radius : float

    Returns
    -------
    ndarray of shape (d,)

    Notes
    -----
    Shalev-Shwartz et al. (2007), figure 1, with radius 1/√λ. Written
    without a division by ‖w‖ when w is inside, so w = 0 needs no care.

    Examples
    --------
    >>> import numpy as np
    >>> project_l2(np.array([3.0, 4.0]), radius=1.0)
    array([0.6, 0.8])
    """
    norm = math.sqrt(w @ w)
    if math.isinf(norm):
        raise FloatingPointError(NORM_OVERFLOWS)
    return w if norm <= radius else w * (radius / norm)
