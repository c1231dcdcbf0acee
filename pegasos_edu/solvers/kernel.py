"""Kernel Pegasos: counts in place of weights.

With the step 1/(λt), w_{t+1} = 1/(λt) Σ c_j y_j φ(x_j), where c_j counts how
often example j has been drawn as a violator. Of the feature map φ a step
needs inner products alone, and a kernel K(x, u) = ⟨φ(x), φ(u)⟩ gives them
without φ. So φ may have any number of features: none is ever computed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import hinge
from pegasos_edu.solvers.run import prepare

Kernel = Callable[[Any, Any], Any]


def linear(A: NDArray[Any], B: NDArray[Any]) -> NDArray[Any]:
    """K(x, u) = ⟨x, u⟩ for all rows x of A and u of B.

    Examples
    --------
    >>> linear(np.array([[1.0, 2.0]]), np.array([[3.0, 1.0]]))
    array([[5.]])
    """
    return A @ B.T


@dataclass(frozen=True)
class Rbf:
    """K(x, u) = exp(−‖x − u‖²/(2 width²)) for all rows x of A and u of B.

    Parameters
    ----------
    width : float
        Above 0. Two examples as far apart as this have K = e^(−1/2). What
        scikit-learn calls `gamma` is 1/(2 width²).

    Examples
    --------
    >>> near = Rbf(width=1.0)(np.array([[0.0]]), np.array([[0.0], [2.0]]))
    >>> near.round(4)
    array([[1.    , 0.1353]])
    """

    width: float

    def __post_init__(self):
        width = checks.check_positive("width", self.width)
        if not checks.LEAST_ROOT < width < 1.0 / checks.LEAST_ROOT:
            checks.refuse(
                f"width is {width}",
                f"a number from {checks.LEAST_ROOT} to "
                f"{1.0 / checks.LEAST_ROOT}, so that its square does not "
                f"overflow",
            )
        object.__setattr__(self, "width", width)

    def __call__(self, A, B):
        apart = A[:, np.newaxis, :] - B[np.newaxis, :, :]
        return np.exp(-(apart**2).sum(axis=2) / (2.0 * self.width**2))


@dataclass(frozen=True)
class RandomFourier:
    """Features whose inner products are near those of the RBF kernel.

    Each frequency ω_j gives two features, cos⟨ω_j, x⟩ and sin⟨ω_j, x⟩. If
    the ω_j are drawn from a Gaussian of standard deviation 1/width, the mean
    of ⟨features(x), features(u)⟩ over the draws is K(x, u).

    Parameters
    ----------
    frequencies : ndarray of shape (p, d)
        One ω_j a row; `draw` makes them.

    Notes
    -----
    Rahimi and Recht (2007), section 3, with sines in place of phases.

    Examples
    --------
    >>> features = RandomFourier(np.array([[np.pi, 0.0]]))
    >>> features(np.array([[1.0, 5.0]])).round(6) + 0.0
    array([[-1.,  0.]])
    """

    frequencies: np.ndarray

    @classmethod
    def draw(cls, p: int, d: int, width: float, *, seed: int):
        """Draw p frequencies for examples of d features.

        Parameters
        ----------
        p, d : int
            At least 1. There are 2p features.
        width : float
            The width of the RBF kernel, above 0.
        seed : int
            The seed of `numpy.random.default_rng`.

        Raises
        ------
        ValueError, TypeError
            If a number is out of range.

        Examples
        --------
        >>> features = RandomFourier.draw(50, d=2, width=1.0, seed=0)
        >>> features(np.zeros((3, 2))).shape
        (3, 100)
        """
        p = checks.check_integer("p", p, 1)
        d = checks.check_integer("d", d, 1)
        width = Rbf(width).width
        rng = np.random.default_rng(checks.check_integer("seed", seed, 0))
        return cls(rng.standard_normal((p, d)) / width)

    def __call__(self, X):
        angles = X @ self.frequencies.T
        both = np.hstack([np.cos(angles), np.sin(angles)])
        return both / np.sqrt(len(self.frequencies))


@dataclass(frozen=True)
class Counts:
    """A run of kernel Pegasos, and the w it has led to.

    Attributes
    ----------
    X, y, lam, kernel
        What the run was given.
    order : ndarray of int, shape (T,)
        The rows that were drawn.
    violated : ndarray of bool, shape (T,)
        Whether the example of step t was a violator.
    evaluations : ndarray of int, shape (T,)
        How many values of K step t asked for: one for each different
        violator of the steps before.
    """

    X: np.ndarray
    y: np.ndarray
    lam: float
    kernel: Kernel
    order: np.ndarray
    violated: np.ndarray
    evaluations: np.ndarray

    def after(self, t: int) -> NDArray[np.intp]:
        """The counts c after step t, of shape (n,); 0 for t = 0."""
        t = checks.check_integer("t", t, 0, high=len(self.order))
        drawn = self.order[:t][self.violated[:t]]
        return np.bincount(drawn, minlength=len(self.y))

    @property
    def counts(self) -> NDArray[np.intp]:
        """The counts c after the last step, of shape (n,)."""
        return self.after(len(self.order))

    def scores(self, Z: ArrayLike, t: int | None = None) -> NDArray[Any]:
        """⟨w_{t+1}, φ(x)⟩ for each row x of Z; by default after step T.

        Parameters
        ----------
        Z : array_like of shape (m, d)
        t : int, optional
            From 1 to T.

        Returns
        -------
        ndarray of shape (m,)
        """
        last = len(self.order)
        t = last if t is None else checks.check_integer("t", t, 1, high=last)
        rows = checks.check_entries(checks.as_matrix(Z))
        d = self.X.shape[1]
        if rows.shape[1] != d:
            checks.refuse(f"Z has {rows.shape[1]} columns", f"{d}, as X has")
        c = self.after(t)
        kept = np.flatnonzero(c)
        weights = c[kept] * self.y[kept] / (self.lam * t)
        return self.kernel(rows, self.X[kept]) @ weights

    def objective(self, t: int | None = None) -> float:
        """f(w_{t+1}) = λ/2 ‖w‖² + mean hinge loss; by default after step T.

        Parameters
        ----------
        t : int, optional
            From 1 to T.

        Returns
        -------
        float
        """
        t = len(self.order) if t is None else t
        margins = self.y * self.scores(self.X, t)
        # ‖w‖² is the sum of c_j y_j ⟨w, φ(x_j)⟩ over λt.
        square = self.after(t) @ margins / (self.lam * t)
        return float(0.5 * self.lam * square + hinge(margins).mean())


@checked_call("kernel.pegasos")
def pegasos(
    X: Any,
    y: ArrayLike,
    lam: float,
    T: int | None = None,
    *,
    kernel: Kernel,
    order: ArrayLike | None = None,
    seed: int | None = None,
) -> Counts:
    """Minimise λ/2 ‖w‖² + mean hinge loss over w in the space of a kernel.

    One example a step, the step 1/(λt), no projection.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    T : int, optional
        The number of steps; needed with `seed`.
    kernel : callable
        `kernel(A, B)` is the matrix of K(x, u) for the rows x of A and u of
        B, such as `Rbf(width=1.0)` or `linear`.
    order : array_like of int, shape (T,), optional
        The rows to visit. Give either this or T and `seed`.
    seed : int, optional
        The seed from which `draw_order` makes the order.

    Returns
    -------
    Counts

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.

    Notes
    -----
    Shalev-Shwartz et al. (2011), section 4.

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> run = pegasos(X, y, lam=0.5, kernel=linear, order=[0, 1, 0])
    >>> run.counts, run.evaluations
    (array([1, 1]), array([0, 1, 2]))
    """
    checks.check_callable("kernel", kernel, "a function (A, B) -> matrix")
    checks.check_dense(X, "kernel.pegasos")
    X, y = checks.check_data(X, y)  # all rows: `objective` reads them
    run = prepare(X, y, lam, T, order=order, seed=seed)
    if run.order.shape[1] != 1:
        checks.refuse(f"order has {run.order.shape[1]} rows a step", "one")
    rows = run.order[:, 0]
    counts = np.zeros(len(run.y), dtype=np.intp)  # c, w_1 = 0
    violated = np.zeros(run.T, dtype=bool)
    evaluations = np.zeros(run.T, dtype=np.intp)
    for t, i in enumerate(rows, start=1):
        kept = np.flatnonzero(counts)  # the violators so far
        near = run_kernel(kernel, run.X[kept], run.X[[i]])[:, 0]
        # λ(t − 1) times the margin of x_i, scored with w_t; at t = 1 the
        # margin is 0, and both sides below are.
        margin = run.y[i] * (counts[kept] * run.y[kept]) @ near
        if t == 1 or margin < run.lam * (t - 1):
            counts[i] += 1
            violated[t - 1] = True
        evaluations[t - 1] = len(kept)
    return Counts(run.X, run.y, run.lam, kernel, rows, violated, evaluations)


def run_kernel(kernel, A, B):
    """K of the rows of A and B, if the kernel returns such a matrix.

    Examples
    --------
    >>> run_kernel(linear, np.ones((3, 2)), np.ones((1, 2))).shape
    (3, 1)
    """
    found = np.asarray(kernel(A, B))
    expected = f"finite numbers, {(len(A), len(B))}: one for each pair of rows"
    if found.shape != (len(A), len(B)):
        shape = f"kernel returns an array of shape {found.shape}"
        checks.refuse(shape, expected)
    if not np.isfinite(found).all():
        first = found[~np.isfinite(found)][0]
        checks.refuse(f"kernel returns {first}", expected)
    return found
