"""The SVM as a quadratic program, for a stock solver.

In the slack form one minimises λ/2 ‖w‖² + (1/n) Σ ξ_i over w and ξ with
ξ_i ≥ 0 and ξ_i ≥ 1 − y_i⟨w, x_i⟩: a quadratic objective and 2n linear
inequalities. Nothing here knows what an SVM is but the function that
writes the program down; `scipy.optimize` does the rest.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.optimize
import scipy.sparse as sp
from numpy.typing import ArrayLike

from pegasos_edu.certificate.gap import Optimum, certify
from pegasos_edu.problem import checks


class Program(NamedTuple):
    """Minimise ½ vᵀPv + qᵀv subject to Av ≥ b, over v = (w, ξ).

    P is (d + n, d + n) and A is (2n, d + n), both sparse; the first n rows
    of A say ξ_i + y_i⟨w, x_i⟩ ≥ 1, the others ξ_i ≥ 0.
    """

    P: sp.csr_array
    q: np.ndarray
    A: sp.csr_array
    b: np.ndarray


def slack_program(X: Any, y: ArrayLike, lam: float) -> Program:
    """The quadratic program of the SVM in its slack form.

    Parameters
    ----------
    X : array_like of shape (n, d)
        The examples, one a row.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.

    Returns
    -------
    Program

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Zhou, equation (2); Chor (2020), equation (2.1), with λ for C.

    Examples
    --------
    >>> program = slack_program([[2.0], [-1.0]], [1, -1], lam=0.5)
    >>> print(program.A.toarray())
    [[2. 1. 0.]
     [1. 0. 1.]
     [0. 1. 0.]
     [0. 0. 1.]]
    """
    checks.check_dense(X, "slack_program")
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    n, d = X.shape
    ones = sp.eye_array(n)
    return Program(
        P=sp.csr_array(sp.diags_array(np.repeat([lam, 0.0], [d, n]))),
        q=np.repeat([0.0, 1.0 / n], [d, n]),
        A=sp.csr_array(
            sp.block_array([[X * y[:, np.newaxis], ones], [None, ones]])
        ),
        b=np.repeat([1.0, 0.0], n),
    )


def solve_dual(
    X: Any, y: ArrayLike, lam: float, gram: bool = True, most: int = 20_000
) -> Optimum:
    """Maximise the dual over 0 ≤ α_i ≤ 1 with SciPy's L-BFGS-B.

    Parameters
    ----------
    X, y, lam
        As in `slack_program`.
    gram : bool
        Whether to write the program down as textbooks do, with the n × n
        matrix of all ⟨z_i, z_j⟩, z_i = y_i x_i. If not, it is multiplied
        as Z(Zᵀα), which needs no more room than the data.
    most : int
        Give up after this many iterations.

    Returns
    -------
    Optimum
        α, w(α) and the gap between them, whatever it is.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    Byrd, Lu, Nocedal and Zhu (1995) is the method behind "L-BFGS-B".

    Examples
    --------
    >>> found = solve_dual([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(found.w.round(6), round(found.primal, 6))
    [1.] 0.05
    """
    gram = checks.check_flag("gram", gram)
    most = checks.check_integer("most", most, 1)
    checks.check_dense(X, "solve_dual")
    X, y = checks.check_data(X, y)
    lam = checks.check_lam(lam)
    n = len(y)
    Z = X * y[:, np.newaxis]
    Q = Z @ Z.T / (lam * n) if gram else None

    def minus_dual(alpha):
        """−n D(α) and its gradient, m_i − 1 with m the margins of w(α)."""
        margins = Q @ alpha if gram else Z @ (Z.T @ alpha) / (lam * n)
        return 0.5 * alpha @ margins - alpha.sum(), margins - 1.0

    alpha = scipy.optimize.minimize(
        minus_dual,
        np.zeros(n),
        jac=True,
        method="L-BFGS-B",
        bounds=[(0.0, 1.0)] * n,
        options={
            "maxiter": most,
            "maxfun": 2 * most,
            "maxcor": 30,
            "ftol": 1e-15,
            "gtol": 1e-9,
        },
    ).x
    return certify(Z.T @ alpha / (lam * n), alpha, X, y, lam)


def solve_slack(
    X: Any, y: ArrayLike, lam: float, tol: float = 1e-8, most: int = 500
) -> Optimum:
    """Solve the slack form with SciPy's interior-point "trust-constr".

    Parameters
    ----------
    X, y, lam
        As in `slack_program`.
    tol : float
        The solver stops when its own measures of optimality are this small.
    most : int
        Give up after this many iterations.

    Returns
    -------
    Optimum
        w; α read off the solver's multipliers, n times those of the first
        n constraints and put into [0, 1]; and the gap between them.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Notes
    -----
    The multiplier of ξ_i + y_i⟨w, x_i⟩ ≥ 1 is α_i/n.

    Examples
    --------
    >>> found = solve_slack([[2.0], [-1.0]], [1, -1], lam=0.1)
    >>> print(found.w.round(3), round(found.primal, 3))
    [1.] 0.05
    """
    tol = checks.check_positive("tol", tol)
    most = checks.check_integer("most", most, 1)
    P, q, A, b = slack_program(X, y, lam)
    X, y = checks.check_data(X, y)
    n, d = X.shape

    def value(v):
        return 0.5 * v @ (P @ v) + q @ v, P @ v + q

    found = scipy.optimize.minimize(
        value,
        np.repeat([0.0, 1.5], [d, n]),  # strictly inside
        jac=True,
        hess=lambda v: P,
        method="trust-constr",
        constraints=scipy.optimize.LinearConstraint(A, b, np.inf),
        options={"maxiter": most, "gtol": tol, "xtol": 1e-2 * tol},
    )
    alpha = np.clip(-n * found.v[0][:n], 0.0, 1.0)
    return certify(found.x[:d], alpha, X, y, lam)
