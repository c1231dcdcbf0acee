"""The losses: value and derivative side by side.

Every loss here is a function of one number, the margin m = y⟨w, x⟩. Its
value and its slope are written with operations that work alike on a float,
on a NumPy array and in compiled code. Only the hinge's slope stands twice:
`slope` saves the solvers its division.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


def hinge(margin):
    """ℓ(m) = max(0, 1 − m).

    Parameters
    ----------
    margin : float or ndarray
        The margin m = y⟨w, x⟩.

    Notes
    -----
    Shalev-Shwartz et al. (2011), equation (2).

    Examples
    --------
    >>> hinge(np.array([-1.0, 0.5, 2.0]))
    array([2. , 0.5, 0. ])
    """
    return np.maximum(0.0, 1.0 - margin)


def hinge_slope(margin):
    """ℓ'(m) = −1 where m < 1, else 0: at the kink m = 1 we take 0.

    Any number in [−1, 0] is a subgradient at the kink; 0 is our choice, so
    an example is a *violator* exactly when its margin is below 1.

    Examples
    --------
    >>> hinge_slope(0.5), hinge_slope(1.0)
    (-1.0, -0.0)
    """
    return -1.0 * (margin < 1.0)


def hinge_dual(a):
    """−ℓ*(−a) for the hinge loss: a itself, on 0 ≤ a ≤ 1.

    Examples
    --------
    >>> hinge_dual(0.25)
    0.25
    """
    return a


def log_loss(margin):
    """ℓ(m) = ln(1 + e^(−m)), computed without overflow.

    Notes
    -----
    Shalev-Shwartz et al. (2011), section 5; `logaddexp(0, −m)` is the same
    number and stays finite where e^(−m) does not.

    Examples
    --------
    >>> log_loss(np.array([0.0, -1e4]))
    array([6.93147181e-01, 1.00000000e+04])
    """
    return np.logaddexp(0.0, -margin)


def log_slope(margin):
    """ℓ'(m) = −1 / (1 + e^m), written with tanh so that nothing overflows.

    Examples
    --------
    >>> print(log_slope(0.0))
    -0.5
    """
    return -0.5 * (1.0 - np.tanh(0.5 * margin))


def log_dual(a):
    """−ℓ*(−a) for the log loss: the entropy of a, on 0 ≤ a ≤ 1.

    Examples
    --------
    >>> round(float(log_dual(0.5)), 6)
    0.693147
    """
    a = np.asarray(a, dtype=float)
    b = 1.0 - a
    # 0·ln 0 is 0: replace the argument of ln where its factor vanishes.
    # ln(1 − a) from a itself: of a tiny a, 1 − a has lost the digits.
    return -(
        a * np.log(np.where(a > 0, a, 1.0))
        + b * np.log1p(-np.where(b > 0, a, 0.0))
    )


def slope(score, scale, log):
    """ℓ'(m) at m = score/scale of the log loss if `log`, else of the hinge.

    The hinge asks only whether m < 1, so it need not divide. The steps of
    `sparse` and `closed_form` call this one function, with a flag, because
    compiled code cannot be handed a function and still be kept in numba's
    cache.

    Examples
    --------
    >>> print(slope(0.0, 1.0, log=True), slope(1.0, 3.0, log=False))
    -0.5 -1.0
    """
    if log:
        return log_slope(score / scale)
    return -1.0 if score < scale else 0.0


class Loss(NamedTuple):
    """One loss: its value, its slope, and its term in the dual."""

    value: Callable
    slope: Callable
    dual: Callable


def is_log(loss):
    """Whether a loss is the log loss, and not the hinge.

    Whoever knows these two alone asks here: a third is refused with a
    KeyError, and never taken for the hinge.

    Examples
    --------
    >>> is_log("log"), is_log("hinge")
    (True, False)
    """
    return {"hinge": False, "log": True}[loss]


LOSSES = {
    "hinge": Loss(hinge, hinge_slope, hinge_dual),
    "log": Loss(log_loss, log_slope, log_dual),
}
