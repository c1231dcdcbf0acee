"""Rounds of dual ascent; and where they take too long, Newton's method.

Ascent is slow where the columns of X differ in size by several powers of
ten, or where λn is tiny. Newton's method does not mind. What it costs is
about known beforehand, so it begins when the rounds have cost a part of that:
the more rounds there have been, the less likely is it that few are missing.

For the hinge loss its steps are first those of `proximal`. Where rounding
keeps these from a small `tol`, interior points come nearer, which cost more.
For the log loss they are those of `newton`.
"""

import contextlib
import functools
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.certificate.interior import as_dense, scale_rows, solve_box
from pegasos_edu.certificate.newton import QUICKER, has_factor, solve_log
from pegasos_edu.certificate.proximal import (
    MOST_PRODUCTS,
    solve_in_place,
    solve_soon,
)
from pegasos_edu.problem.losses import is_log
from pegasos_edu.problem.products import finite_squares
from pegasos_edu.solvers.ascent import Round, ascend

# For the hinge loss it copies the data with all zeros if they are at most so
# many numbers, zeros included. That takes twice their memory; larger data it
# reads in place, in up to one and a half times the time.
MOST_NUMBERS = 10**6
# What a round costs beside its steps, in multiplications of ascent.
A_ROUND = 10**5
# Steps of `proximal`: a quarter of how many there may be, what one costs
# beside its products with Z, and how many multiplications of its linear
# system, with all rows in it, take as long as one of ascent. They begin so
# much sooner than when a quarter of them is paid: on tiny data at once.
QUARTER, A_STEP, IN_ONE, SOONER = 8, A_ROUND // 2, 60, 25 * 10**5
# In place, where the system is not solved but by products with X: a part of
# how many passes over the data all steps take as long as.
# Rounds that have come to a gap of a half may go on so many times as long.
IN_PLACE, LONGER = 100, 3
# Interior points: half of how many steps there may be, and what all cost
# beside their products of Z with Z.
HALF, AT_LEAST = 10, 2 * 10**6
# The steps of `newton`: passes over the data that they take as long as.
IN_ALL = 20


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
    keep: bool = False,
) -> tuple[Round, int]:
    """Come to a relative duality gap of `tol`, in as many rounds as allowed.

    Parameters
    ----------
    X, y, lam, loss, weights, constant, seed, keep
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

    Raises
    ------
    ValueError
        For the hinge loss, if the squares of X overflow, or do so once
        divided by λ, where rounds alone are not enough.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> now, rounds = approach(X, y, 0.1, "hinge", 0.01, 100)
    >>> print(now.w.round(2), now.gap <= 0.01, rounds < 100)
    [1.] True True
    """
    n, d = X.shape
    stored = X.nnz if sp.issparse(X) else X.size
    system = n * min(n, d + 1) ** 2
    a_step = A_STEP + 2 * n * d + system / IN_ONE
    waiting = [  # the price, and whether by `proximal`
        (QUARTER * a_step - SOONER, True),
        (HALF * system + AT_LEAST, False),
    ]
    in_place = n * d > MOST_NUMBERS
    direct = has_factor(n, d + 1, stored)
    if is_log(loss):
        waiting = [(IN_ALL * stored + direct * system / QUICKER, True)]
    elif in_place:
        price = QUARTER * a_step if direct else IN_PLACE * stored
        waiting = [(price, True)]
    ends: list[Round] = []
    rounds = ascend(
        X,
        y,
        lam,
        loss,
        weights=weights,
        constant=constant,
        seed=seed,
        keep=keep,
    )
    for number, now in enumerate(rounds, start=1):
        if number == max_rounds or (tol is not None and now.gap <= tol):
            break
        paid = now.passes * stored + number * A_ROUND
        patience = LONGER if in_place and now.gap <= 0.5 else 1
        if waiting and tol is not None and paid >= patience * waiting[0][0]:
            _, soon = waiting.pop(0)
            if not is_log(loss):  # what follows divides them by λ
                finite_squares(X, lam)
            given = X, y, lam, tol, now, weights, constant
            if is_log(loss):
                end = ended(*given)
            elif in_place:
                end = read(*given)
            else:
                end = solved(*given, soon)
            ends.append(end)
            if end.gap <= tol:
                break
    return min([*ends, now], key=lambda end: end.gap), number


def ended(
    X: Any,
    y: NDArray,
    lam: float,
    tol: float,
    now: Round,
    weights: NDArray | None = None,
    constant: float = 0.0,
) -> Round:
    """The log loss minimised by Newton's method, to `tol`.

    Parameters
    ----------
    X, y, lam, weights, constant
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float
        The relative gap to reach.
    now : Round
        What there is so far. Newton's method begins there, or at 0 if the
        rounds have led to nothing.

    Returns
    -------
    Round
        If rounding prevents `tol`, what was reached.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> first = next(ascend(X, y, 0.1, "log"))
    >>> bool(ended(X, y, 0.1, 1e-9, first).gap <= 1e-9)
    True
    """
    start = now.w if now.gap <= 0.5 else None
    found = solve_log(X, y, lam, tol, start, weights, constant)
    return Round(*found, now.passes)


def read(
    X: Any,
    y: NDArray,
    lam: float,
    tol: float,
    now: Round,
    weights: NDArray | None = None,
    constant: float = 0.0,
    most_products: float = MOST_PRODUCTS,
) -> Round:
    """The dual of the hinge loss solved by Newton's method, without a copy.

    Parameters
    ----------
    X, y, lam, weights, constant
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float
        The relative gap to reach.
    now : Round
        What there is so far.
    most_products : float
        As `most` of `proximal.solve_in_place`.

    Returns
    -------
    Round
        If rounding prevents `tol`, what was reached.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> first = next(ascend(X, y, 0.1))
    >>> print(read(X, y, 0.1, 1e-6, first).w.round(5))
    [1.]
    """
    most, length = _program(y, lam, weights)
    given = X, most * y / length, constant, most, length * now.w
    end = solve_in_place(*given, 0.9 * tol, most_products)
    return _of_program(*end, most, length, now)


def _program(y, lam, weights):
    """What `solved` solves: the largest payments s, and √(λn)."""
    n = len(y)
    most = np.broadcast_to(1.0, n) if weights is None else weights
    return most, np.sqrt(lam * n)


def _of_program(beta, v, primal, dual, most, length, now):
    """Where its solution is for f, after the passes there were before."""
    n = len(most)
    return Round(v / length, most * beta, primal / n, dual / n, now.passes)


@functools.cache
def _libraries() -> Any:
    """Looking for them takes milliseconds; so it is done once."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def one_thread() -> Any:
    """A context in which the products of arrays have one thread.

    Those of `proximal` are so small that to wake a second one takes longer,
    above all where another program has the processor. Without threadpoolctl,
    as in a browser, which has one thread anyway, nothing is limited.

    Examples
    --------
    >>> with one_thread():
    ...     print(np.ones(3) @ np.ones(3))
    3.0
    """
    try:
        return _libraries().limit(limits=1, user_api="blas")
    except ModuleNotFoundError:
        return contextlib.nullcontext()


def solved(
    X: Any,
    y: NDArray,
    lam: float,
    tol: float,
    now: Round,
    weights: NDArray | None = None,
    constant: float = 0.0,
    soon: bool = False,
) -> Round:
    """The dual of the hinge loss solved by Newton's method, to `tol`.

    Parameters
    ----------
    X, y, lam, weights, constant
        As in `pegasos_edu.solvers.ascent.ascend`.
    tol : float
        The relative gap to reach.
    now : Round
        What there is so far.
    soon : bool
        Whether by the steps of `proximal`, or by interior points.

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
    most, length = _program(y, lam, weights)
    Z = as_dense(X)
    if constant:
        Z = np.column_stack([Z, np.full(len(y), constant)])
    Z = scale_rows(Z, most * y / length)
    if soon:
        beta, v = solve_soon(Z, most, length * now.w, 0.9 * tol)
    else:
        # f* may lie far below the present f, or not be known to be above 0.
        near = 0.1 * tol * max(now.dual, 1e-2 * now.primal) * len(y)
        beta, v = solve_box(Z, most, near)
    v_dual = Z.T @ beta
    primal = 0.5 * float(v @ v) + float(np.maximum(most - Z @ v, 0.0).sum())
    dual = float(most @ beta) - 0.5 * float(v_dual @ v_dual)
    return _of_program(beta, v, primal, dual, most, length, now)
