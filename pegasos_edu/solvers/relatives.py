"""Pegasos's relatives: first-order methods for the same objective.

All of them read one subgradient g_t of f_t(w) = λ/2 ‖w‖² + mean loss on the
rows drawn at step t, and they differ in one line: how w_{t+1} is made of
w_t and g_t. That line is the `update` in each function below; `descend` is
the loop around it.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.solvers.projections import SETS
from pegasos_edu.solvers.run import prepare
from pegasos_edu.solvers.signatures import Adaptive, Mirrored, OnASet
from pegasos_edu.solvers.solver import solver
from pegasos_edu.solvers.steps import Constant, InverseSqrt


@checked_call("relatives.gradient_descent")
@np.errstate(over="ignore", invalid="ignore")  # as in `solver`
def gradient_descent(
    X,
    y,
    lam,
    T,
    *,
    loss="hinge",
    step=InverseSqrt(),
    ball="l2",
    radius=None,
    average_from=1,
    snapshots=(),
    callback=None,
    progress=False,
    start=None,
):
    """Subgradient descent on all examples at once; projected if radius.

    w_{t+1} = Π(w_t − η_t g_t), g_t a subgradient of f itself. Nothing is
    drawn, so there is neither an order nor a seed.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    T : int
        The number of steps.
    loss : {"hinge", "log"}
        The loss ℓ.
    step : callable
        t -> η_t ≥ 0, by default 1/√t; None stands for 1/(λt).
    ball : {"l2", "l1", "simplex"}
        What to project on if `radius` is given: {‖w‖₂ ≤ radius},
        {‖w‖₁ ≤ radius} or {w ≥ 0, Σ w_i = radius}.
    radius : float, optional
        The size of that set. By default there is no projection.
    average_from : int or None
        Average the iterates w_t from this t on; None for no average.
    snapshots : sequence of int
        The steps t after which w_{t+1} and the average are kept.
    callback : callable, optional
        Called as callback(t, w) at each of the snapshots, w being a copy.
    progress : bool
        Whether to show a progress bar.
    start : array_like of shape (d,), optional
        w_1, a point of the set, no longer than 1/√λ or the radius. By
        default 0, or the point of the set nearest to it.

    Returns
    -------
    Result

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.
    FloatingPointError
        If the iterates overflow.

    Notes
    -----
    Hazan (2016), chapter 2.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> gradient_descent(X, y, lam=0.5, T=2, step=Constant(1.0)).last
    array([0.75, 0.75])
    """
    checks.check_dense(X, "relatives.gradient_descent")
    # All rows are used: the order only says how many steps there are.
    order = np.zeros(checks.check_integer("T", T, 1), dtype=int)
    run = prepare(
        X,
        y,
        lam,
        order=order,
        loss=loss,
        step=step,
        radius=radius,
        average_from=average_from,
        snapshots=snapshots,
        callback=callback,
        progress=progress,
        start=start,
    )
    project = projection(ball, run.radius)

    def update(t, w, g):
        return project(w - run.step(t) * g)

    return descend(run, update, first(run, project), rows=slice(None))


@solver(sparse=False, step=InverseSqrt(), called=OnASet)
def sgd(run, ball="l2"):
    """Stochastic subgradient descent: w_{t+1} = Π(w_t − η_t g_t).

    The point of the set nearest to w_t − η_t g_t, both distances
    Euclidean. The default step is 1/√t; with 1/(λt) this is Pegasos.

    Parameters
    ----------
    ball : {"l2", "l1", "simplex"}
        What to project on if `radius` is given: {‖w‖₂ ≤ radius},
        {‖w‖₁ ≤ radius} or {w ≥ 0, Σ w_i = radius}.

    Notes
    -----
    Zinkevich (2003), there called greedy projection; Hazan (2016),
    section 3.4.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> sgd(X, y, lam=0.5, order=[0, 1], step=Constant(1.0)).last
    array([0.5, 1. ])
    """
    project = projection(ball, run.radius)

    def update(t, w, g):
        return project(w - run.step(t) * g)

    return descend(run, update, first(run, project))


@solver(sparse=False, step=InverseSqrt(), called=Mirrored)
def mirror_descent(run, mirror="euclidean", lazy=False, ball="l2"):
    """Stochastic mirror descent: the step is taken in a dual space.

    A strictly convex ψ sends w to θ = ∇ψ(w). There the step is
    θ − η_t g_t, by default with η_t = 1/√t, and the way back ends at the
    point of the set that is nearest in the Bregman divergence of ψ.

    Parameters
    ----------
    mirror : {"euclidean", "entropy"}
        ψ(w) = ½‖w‖², or ψ(w) = Σ w_i ln w_i, which asks for
        ball="simplex" and a radius.
    lazy : bool
        Whether θ keeps all steps unprojected (dual averaging), instead of
        starting at ∇ψ(w_t) each time.
    ball : {"l2", "l1", "simplex"}
        As in `sgd`.

    Notes
    -----
    Hazan (2016), section 5.3, with its agile and its lazy version; the
    lazy Euclidean one is Zinkevich's (2003) lazy projection.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> mirror_descent(
    ...     X, y, 0.5, order=[0], mirror="entropy", ball="simplex", radius=1
    ... ).last
    array([0.73105858, 0.26894142])
    """
    lazy = checks.check_flag("lazy", lazy)
    geometry = checks.check_choice("mirror", mirror, MIRRORS)
    space = geometry(run.d, ball, run.radius)
    w = space.start
    if run.start.any():
        w = first(run, projection(ball, run.radius))
    theta = space.dual(w)

    def update(t, w, g):
        nonlocal theta
        theta = (theta if lazy else space.dual(w)) - run.step(t) * g
        return space.primal(theta)

    return descend(run, update, w)


@solver(sparse=False, step=InverseSqrt())
def exponentiated_gradient(run):
    """Exponentiated gradient ± (SEG±): multiplicative steps, w = u − v.

    The 2d numbers (u, v) are positive and sum to `radius`, which must be
    given, so ‖w‖₁ ≤ radius. Each step multiplies u by e^(−η_t g_t) and v
    by e^(η_t g_t), then rescales both to the same sum. The default step is
    1/√t.

    Notes
    -----
    Kivinen and Warmuth (1997): mirror descent with the entropy on the
    doubled simplex, for which lazy and agile are the same.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> exponentiated_gradient(X, y, 0.5, order=[0], radius=1).last
    array([0.46211716, 0.        ])
    """
    space = entropy(2 * run.d, "simplex", run.radius)
    w = first(run, projection("l1", run.radius))
    # The halves u and v of w_1 share what ‖w_1‖₁ leaves of the radius.
    left = (run.radius - np.abs(w).sum()) / (2 * run.d)
    theta = space.dual(np.maximum(np.concatenate([w, -w]), 0.0) + left)

    def update(t, w, g):
        nonlocal theta
        theta = theta - run.step(t) * np.concatenate([g, -g])
        u, v = np.split(space.primal(theta), 2)
        return u - v

    return descend(run, update, w)


@solver(sparse=False, step=Constant(0.1), called=Adaptive)
def adagrad(run, ball="l2", delta=1e-8):
    """AdaGrad: every coordinate gets its own step size.

    w_{t+1} = Π_h(w_t − η g_t / h) with h = δ + √(Σ_{s≤t} g_s²), all
    coordinate by coordinate. Π_h is nearest in the norm √(Σ h_i x_i²), in
    which the step was taken. The default step is the constant 0.1, for h
    already grows.

    Parameters
    ----------
    ball : {"l2", "l1", "simplex"}
        As in `sgd`, but nearest in the norm of h.
    delta : float
        δ > 0 keeps the division safe where no gradient has been seen.

    Notes
    -----
    Duchi, Hazan and Singer (2011), figure 1 with diagonal matrices, the
    composite mirror descent version.

    Examples
    --------
    >>> X, y = [[4.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> adagrad(X, y, lam=0.5, order=[0, 1]).last.round(5)
    array([0.09875, 0.1    ])
    """
    delta = checks.check_positive("delta", delta)
    project = projection(ball, run.radius)
    squares = np.zeros(run.d)  # Σ g_s², coordinate by coordinate

    def update(t, w, g):
        nonlocal squares
        squares = squares + g**2
        h = delta + np.sqrt(squares)
        return project(w - run.step(t) * g / h, weights=h)

    return descend(run, update, first(run, project))


def descend(run, update, w, rows=None):
    """The loop around `update`, from w_1 = w on.

    `rows` replaces the batch of every step: slice(None) for all examples.
    """
    total = np.zeros_like(w)  # Σ w_t, for the average
    for t, batch in run.batches():
        if run.averages_at(t):
            total += w
        g = subgradient_on(run, w, batch if rows is None else rows)
        w = update(t, w, g)
        run.record(t, w, total)
    return run.result()


def subgradient_on(run, w, rows):
    """g_t = λw + mean of ℓ'(y⟨w, x⟩) y x over the given rows."""
    x, y = run.X[rows], run.y[rows]
    slope = run.slope(y * (x @ w))
    return run.lam * w + (slope * y) @ x / len(y)


def projection(ball, radius):
    """(w, weights) -> the nearest point of the set; w itself if no radius.

    Examples
    --------
    >>> projection("l1", 1.0)(np.array([2.0, 0.5]))
    array([1., 0.])
    """
    project = checks.check_choice("ball", ball, SETS)
    if radius is None and ball != "l2":
        raise ValueError(
            f"ball is {ball!r} and radius is None; expected a radius, too."
        )
    if radius is None:
        return lambda w, weights=None: w
    return lambda w, weights=None: project(w, radius, weights)


def first(run, project):
    """w_1: the start, in the set; or the point of the set nearest to 0."""
    w = project(run.start)
    if run.start.any() and not np.allclose(w, run.start, rtol=0, atol=1e-12):
        raise ValueError(
            "start is outside the set that the iterates are kept in; "
            "expected a point of it."
        )
    return w


class Mirror(NamedTuple):
    """w_1, the way θ = ∇ψ(w) to the dual space, and the way back."""

    start: np.ndarray
    dual: Callable
    primal: Callable


def euclidean(d, ball, radius):
    """ψ(w) = ½‖w‖²: the dual space is the space itself."""
    project = projection(ball, radius)
    return Mirror(project(np.zeros(d)), lambda w: w, project)


def entropy(d, ball, radius):
    """ψ(w) = Σ w_i ln w_i on the simplex.

    ∇ψ is ln w + 1, and the constant does not matter: the way back divides
    by the sum.

    Examples
    --------
    >>> entropy(2, "simplex", radius=1.0).primal(np.log([1.0, 3.0]))
    array([0.25, 0.75])
    """
    if ball != "simplex" or radius is None:
        raise ValueError(
            f"ball is {ball!r} and radius is {radius}; expected 'simplex' "
            f"and the sum of the weights, for multiplicative steps keep it."
        )
    tiny = np.finfo(float).tiny  # the logarithm of an underflow is finite

    def primal(theta):
        grown = np.exp(theta - theta.max())
        return radius * grown / grown.sum()

    return Mirror(
        np.full(d, radius / d), lambda w: np.log(np.maximum(w, tiny)), primal
    )


MIRRORS = {"euclidean": euclidean, "entropy": entropy}
