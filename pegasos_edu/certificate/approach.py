"""Rounds of dual ascent; and where they take too long, interior points.

Ascent is slow where the columns of X differ in size by several powers of
ten, or where λn is tiny. Interior points do not mind. Their cost is known
beforehand, so they begin when the rounds have cost as much: whichever would
have been quicker, this takes at most twice as long.
"""

from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.certificate.interior import as_dense, scale_rows, solve_box
from pegasos_edu.problem.losses import hinge
from pegasos_edu.solvers.ascent import Round, ascend

# Interior points copy the data; so they are for data of so many numbers.
MOST_NUMBERS = 10**6
# What a round costs beside its steps, and interior points beside their
# products, both in multiplications.
A_ROUND, AT_LEAST = 10**5, 2 * 10**6
# They need about 20 steps, with half a product of Z with Z each.
STEPS = 10


def approach(
    X: Any,
    y: NDArray,
    lam: float,
    loss: Literal["hinge", "log"],
    tol: float | None,
    max_rounds: int,
    *,
    weights: NDArray | None = None,
    constant: float = 0.0,
    seed: int = 0,
) -> tuple[Round, int]:
    """Come to a relative duality gap of `tol`, in as many rounds as allowed.

    Parameters
    ----------
    X, y, lam, loss, weights, constant, seed
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float or None
        The gap to reach; None for all the rounds.
    max_rounds : int
        The largest number of rounds.

    Returns
    -------
    Round
        What was reached.
    int
        How many rounds there were.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> now, rounds = approach(X, y, 0.1, "hinge", 0.01, 100)
    >>> print(now.w.round(6), now.gap <= 0.01, rounds < 100)
    [1.] True True
    """
    n, d = X.shape
    stored = X.nnz if sp.issparse(X) else X.size
    price = STEPS * n * min(n, d + 1) ** 2 + AT_LEAST
    may = tol is not None and loss == "hinge" and n * d <= MOST_NUMBERS
    ends: list[Round] = []
    rounds = ascend(
        X, y, lam, loss, weights=weights, constant=constant, seed=seed
    )
    for number, now in enumerate(rounds, start=1):
        if number == max_rounds or (tol is not None and now.gap <= tol):
            break
        paid = now.passes * stored + number * A_ROUND
        if may and tol is not None and paid >= price:
            may = False
            ends = [solved(X, y, lam, tol, now, weights, constant)]
            if ends[0].gap <= tol:
                break
    return min([*ends, now], key=lambda end: end.gap), number


def solved(
    X: Any,
    y: NDArray,
    lam: float,
    tol: float,
    now: Round,
    weights: NDArray | None = None,
    constant: float = 0.0,
) -> Round:
    """The dual of the hinge loss solved by interior points, to `tol`.

    Parameters
    ----------
    X, y, lam, weights, constant
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float
        The relative gap to reach.
    now : Round
        What there is so far.

    Returns
    -------
    Round
        If rounding prevents `tol`, what was reached.

    Notes
    -----
    With α_i = s_i β_i the dual, times n, is the program of `solve_box` in
    β, with the rows s_i y_i x_i / √(λn) and b = s.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> first = next(ascend(X, y, 0.1))
    >>> print(solved(X, y, 0.1, 1e-6, first).w.round(6))
    [1.]
    """
    n, length = len(y), np.sqrt(lam * len(y))
    most = np.ones(n) if weights is None else weights
    Z = as_dense(X).astype(np.float64)
    if constant:
        Z = np.column_stack([Z, np.full(n, constant)])
    Z = scale_rows(Z, y / length)
    # f* may lie far below the present f, or not be known to be above 0.
    near = 0.1 * tol * max(now.dual, 1e-2 * now.primal) * n
    beta, v = solve_box(scale_rows(Z, most), most, near)
    w, w_dual = v / length, Z.T @ (most * beta) / length
    losses = hinge(length * (Z @ w))
    return Round(
        w,
        most * beta,
        0.5 * lam * float(w @ w) + float(most @ losses) / n,
        float(most @ beta) / n - 0.5 * lam * float(w_dual @ w_dual),
        now.passes,
    )
