"""The objective, subgradients, the update and the size of w*: items 1 to 7."""

import math

import numpy as np
from scipy.optimize import lsq_linear

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem import losses
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.solvers import dense, sparse
from pegasos_edu.theory.compare import Agreement, Comparison
from pegasos_edu.theory.quantities import in_range

# The relative gap to which every optimum here is certified.
CERTIFIED = 1e-8


def radius_of(X):
    """R, the largest ‖x‖ of the data.

    Examples
    --------
    >>> radius_of(np.array([[3.0, 4.0], [1.0, 0.0]]))
    5.0
    """
    return float(np.linalg.norm(X, axis=1).max())


def played(X, y, lam, order, **options):
    """The iterates w_1, …, w_T a run of Pegasos plays, as a (T, d) array.

    Parameters
    ----------
    X, y, lam, order, **options
        See `pegasos_edu.solvers.run.prepare`.

    Examples
    --------
    >>> X, y = np.array([[1.0, 0.0], [0.0, -1.0]]), np.array([1.0, -1.0])
    >>> played(X, y, lam=0.5, order=[0, 1, 0])[1:].tolist()
    [[2.0, 0.0], [1.0, 1.0]]
    """
    T = len(order)
    run = dense.pegasos(
        X,
        y,
        lam,
        order=order,
        snapshots=range(1, T),
        average_from=None,
        **options,
    )
    return np.vstack([np.zeros((1, X.shape[1])), run.iterates])


def check_subgradient(w, others, X, y, lam, loss="hinge"):
    """f(u) ≥ f(w) + ⟨∇f(w), u − w⟩ for every row u of `others`.

    Parameters
    ----------
    w : ndarray of shape (d,)
    others : ndarray of shape (S, d)
    X, y, lam, loss
        See `pegasos_edu.problem.objective.objective`.

    Returns
    -------
    Comparison

    Notes
    -----
    Chor (2020), definition 2.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_subgradient(np.zeros(1), np.eye(1), X, y, lam=0.1).holds
    True
    """
    g = subgradient(w, X, y, lam, loss)
    plane = objective(w, X, y, lam, loss) + (others - w) @ g
    return Comparison(plane, objective(others, X, y, lam, loss))


def smallest_subgradient(w, X, y, lam, kink=1e-6):
    """The norm of the shortest subgradient of f at w.

    Examples with a margin within `kink` of 1 count as on the kink: their
    share of the subgradient may be anything between the two slopes.

    Parameters
    ----------
    w : ndarray of shape (d,)
    X, y, lam
        See `pegasos_edu.problem.objective.objective`; the loss is the hinge.
    kink : float

    Returns
    -------
    float

    Notes
    -----
    Chor (2020), theorem 1 (Fermat's rule): w is a minimiser if and only if
    this is 0. Found by least squares with 0 ≤ a_i ≤ 1, which knows nothing
    of how w was made.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> round(smallest_subgradient(np.ones(1), X, y, lam=0.1), 9)
    0.0
    """
    margins = y * (X @ w)
    on_kink = np.abs(margins - 1.0) <= kink
    below = (margins < 1.0) & ~on_kink
    Z = X * y[:, np.newaxis] / len(y)
    fixed = lam * w - Z[below].sum(axis=0)
    if not on_kink.any():
        return float(np.linalg.norm(fixed))
    found = lsq_linear(Z[on_kink].T, fixed, bounds=(0.0, 1.0), tol=1e-14)
    return math.sqrt(2.0 * found.cost)


def check_fermat(X, y, lam):
    """At the certified optimum the shortest subgradient has length 0.

    It is known up to the certificate: a gap of at most ε = 10⁻⁸ f(w) puts
    w within r = √(2ε/λ) of w*. So a margin that is 1 at w* is within rR of
    1 at w, and the shortest subgradient at w is at most λr long.

    Returns
    -------
    Comparison

    Notes
    -----
    Chor (2020), theorem 1.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_fermat(X, y, lam=0.1).holds
    True
    """
    best = optimum(X, y, lam, tol=CERTIFIED)
    r = math.sqrt(2.0 * CERTIFIED * best.primal / lam)
    length = smallest_subgradient(best.w, X, y, lam, kink=r * radius_of(X))
    return Comparison(length, lam * r)


def check_is_sgd(X, y, lam, order):
    """Pegasos and w ← w − ∇f_t(w)/(λt) give the same iterates.

    Returns
    -------
    Agreement

    Notes
    -----
    Johansson, section 2. Here f_t is the objective of one example, and its
    subgradient comes from `losses`, not from the solver.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_is_sgd(X, y, 0.1, [0, 1, 1, 0]).holds
    True
    """
    W = [np.zeros(X.shape[1])]
    for t, i in enumerate(order[:-1], start=1):
        # The checks want both labels, so the example enters twice, as
        # (x, y) and as (−x, −y): the same loss, hence the same mean.
        x, label = X[i], y[i]
        pair = np.array([x, -x]), np.array([label, -label])
        W.append(W[-1] - subgradient(W[-1], *pair, lam) / (lam * t))
    return Agreement(np.array(W), played(X, y, lam, order))


def check_log_gradient(w, X, y, lam, h=1e-6):
    """The subgradient of the log loss against central differences.

    Returns
    -------
    Agreement
        With the tolerance h: the differences are off by O(h²), their
        rounding is of the order 10⁻¹⁶/h.

    Notes
    -----
    Johansson, section 3.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_log_gradient(np.ones(1), X, y, lam=0.1).holds
    True
    """
    shifts = h * np.eye(len(w))
    up = objective(w + shifts, X, y, lam, "log")
    down = objective(w - shifts, X, y, lam, "log")
    gradient = subgradient(w, X, y, lam, "log")
    return Agreement(gradient, (up - down) / (2.0 * h), tolerance=h)


def check_log_is_finite(size=1e4):
    """Value and slope of the log loss at margins ±size, no warning.

    Returns
    -------
    Agreement
        With the limits: value −m and slope −1 on one side, 0 and 0 on
        the other.

    Examples
    --------
    >>> check_log_is_finite().holds
    True
    """
    margins = np.array([-size, size])
    with np.errstate(all="raise", under="ignore"):
        ours = losses.log_loss(margins), losses.log_slope(margins)
    limits = np.array([size, 0.0]), np.array([-1.0, 0.0])
    return Agreement(np.array(ours), np.array(limits))


def check_scale_trick(X, y, lam, order, **options):
    """The scaled iterates are those of the plain update, t = 1 included.

    So is their average, the last row here.

    Returns
    -------
    Agreement

    Notes
    -----
    Johansson, section 4, guarded at t = 1.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_scale_trick(X, y, 0.1, [0, 1, 1, 0]).holds
    True
    """
    steps = range(1, len(order) + 1)
    run = [
        rung.pegasos(X, y, lam, order=order, snapshots=steps, **options)
        for rung in (sparse, dense)
    ]
    both = [np.vstack([one.iterates, one.average]) for one in run]
    return Agreement(*both)


def check_closed_form(X, y, lam, order):
    """w_{t+1} = +1/(λt) Σ_{i ≤ t} v_i, v_i = 1[margin < 1] y_i x_i.

    Returns
    -------
    Agreement

    Notes
    -----
    Zhou, lemma 3.5, whose sign is corrected here.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> check_closed_form(X, y, 0.1, [0, 1, 1, 0]).holds
    True
    """
    W = played(X, y, lam, order)
    Z = X[order] * y[order, np.newaxis]
    v = Z * ((Z * W).sum(axis=1) < 1.0)[:, np.newaxis]
    t = np.arange(1, len(order))[:, np.newaxis]
    return Agreement(np.cumsum(v, axis=0)[:-1] / (lam * t), W[1:])


@in_range
def norm_bound(lam, R):
    """‖w_t‖ ≤ R/λ without projection (Zhou, lemma 3.5).

    Examples
    --------
    >>> norm_bound(lam=0.5, R=2.0)
    4.0
    """
    return R / lam


@in_range
def gradient_bound(lam, R, projected=False):
    """‖∇_t‖ ≤ 2R; with projection on the ball of radius 1/√λ, √λ + R.

    Notes
    -----
    Shalev-Shwartz et al. (2011), proof of theorem 1.

    Examples
    --------
    >>> gradient_bound(lam=0.25, R=2.0), gradient_bound(0.25, 2.0, True)
    (4.0, 2.5)
    """
    return math.sqrt(lam) + R if projected else 2.0 * R


@in_range
def value_bound(lam, R):
    """f(w; z) ≤ 3R²/(2λ) + 1 for ‖w‖ ≤ R/λ (Zhou, after lemma 3.5).

    Examples
    --------
    >>> value_bound(lam=0.5, R=1.0)
    4.0
    """
    return 1.5 * R**2 / lam + 1.0


@in_range
def optimum_norm_bound(lam):
    """‖w*‖ ≤ 1/√λ (Chor, section 2.3).

    Examples
    --------
    >>> optimum_norm_bound(lam=0.25)
    2.0
    """
    return 1.0 / math.sqrt(lam)


def check_sizes(X, y, lam, order, radius=None):
    """Norms, gradients and values along a run, against their bounds.

    Parameters
    ----------
    X, y, lam, order
        See `pegasos_edu.solvers.run.prepare`.
    radius : float, optional
        1/√λ for the projected algorithm.

    Returns
    -------
    dict of str to Comparison
        "norm", "gradient" and, without projection, "value".

    Notes
    -----
    Zhou, lemma 3.5 and what follows it.

    Examples
    --------
    >>> X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    >>> found = check_sizes(X, y, 2.0, [0, 1, 1, 0])
    >>> found["norm"].ratio
    1.0
    """
    projected = radius is not None
    W = played(X, y, lam, order, radius=radius)
    Z = X[order] * y[order, np.newaxis]
    margins = (Z * W).sum(axis=1)
    R = radius_of(X)
    gradients = lam * W - Z * (margins < 1.0)[:, np.newaxis]
    norms = np.linalg.norm(W, axis=1)
    found = {
        "norm": Comparison(norms, radius if projected else norm_bound(lam, R)),
        "gradient": Comparison(
            np.linalg.norm(gradients, axis=1),
            gradient_bound(lam, R, projected),
        ),
    }
    if not projected:
        values = 0.5 * lam * norms**2 + losses.hinge(margins)
        found["value"] = Comparison(values, value_bound(lam, R))
    return found


def check_optimum_norm(X, y, lam):
    """‖w*‖ against 1/√λ, by the certified optimum.

    Examples
    --------
    >>> X, y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
    >>> round(check_optimum_norm(X, y, 1.0).ratio, 6)
    1.0
    """
    w = optimum(X, y, lam).w
    return Comparison(float(np.linalg.norm(w)), optimum_norm_bound(lam))
