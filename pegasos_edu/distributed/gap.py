"""The objective and the duality gap, in parts: a sum over each shard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pegasos_edu.distributed.shards import Shard, opened
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call
from pegasos_edu.problem.losses import LOSSES, is_log
from pegasos_edu.problem.objective import relative_gap
from pegasos_edu.solvers.ascent import total_loss
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.sparse import add, as_rows


@dataclass(frozen=True)
class Certified:
    """Any w, and the dual point over shards that tells how good it is.

    Attributes
    ----------
    w : ndarray of shape (d,)
    alpha : list
        For each shard its dual variables, or where they are: arrays with
        "here", Futures on a cluster.
    primal, dual : float
        f(w) and D(α); f* lies between them.
    gap : float
        The relative gap (primal − dual) / primal.
    rounds : int
        How many rounds `optimum` made, of a pass over the data each, or up to
        two with one shard; 0 where nothing was sought.
    """

    w: np.ndarray
    alpha: list[Any]
    primal: float
    dual: float
    gap: float
    rounds: int = 0


@checked_call("distributed.objective")
def objective(
    data: Any,
    w: ArrayLike,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    *,
    client: Any = None,
) -> Any:
    """f(w) = λ/2 ‖w‖² + mean loss over all shards, for one w or a stack.

    Parameters
    ----------
    data : Shards, list, Dask bag, or pair of Dask arrays
        As in `load`, or what it has returned.
    w : array_like of shape (d,) or (S, d)
        One weight vector, or S of them.
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ.
    client : distributed.Client, str or None
        Who computes, as in `load`; not given with loaded shards.

    Returns
    -------
    float, or ndarray of shape (S,)

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not, such as one
        with one label only: see `load`.

    Notes
    -----
    The data come first, as in all of `pegasos_edu.distributed`; the functions
    of that name for one machine begin with w. The losses of a shard are
    added row by row; then the sums of the shards, always in the same order.

    Examples
    --------
    >>> X, y = [[2.0], [-1.0]], [1, -1]
    >>> objective([(X, y), (X, y)], [0.5], lam=0.1, client="here")
    0.2625
    """
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    with opened(data, client) as shards:
        w = checks.check_weights(w, shards.d)
        losses = shards.total(losses_of, w=np.atleast_2d(w), loss=loss)
    f = 0.5 * lam * (np.atleast_2d(w) ** 2).sum(axis=1) + losses / shards.n
    return float(f[0]) if w.ndim == 1 else f


def losses_of(shard: Shard, *, w: NDArray, loss: str) -> NDArray:
    """The sum of the losses of a shard, for each row of w.

    Examples
    --------
    >>> shard = Shard(0, (np.array([[2.0]]), np.array([1.0])), None, 1, 1)
    >>> losses_of(shard, w=np.array([[0.0], [0.25]]), loss="hinge")
    array([1. , 0.5])
    """
    X, y = shard.data()
    add_up, convert = fastest(total_loss)
    rows, y = as_rows(X, convert), convert(y)
    return np.array([add_up(rows, y, None, is_log(loss), v) for v in w])


@checked_call("distributed.certify")
def certify(
    data: Any,
    w: ArrayLike,
    alpha: list[Any],
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    *,
    client: Any = None,
) -> Certified:
    """Pair any w with any dual point in shards; compute the gap.

    Parameters
    ----------
    data : Shards, list, Dask bag, or pair of Dask arrays
        As in `load`, or what it has returned.
    w : array_like of shape (d,)
    alpha : list
        For each shard its 0 ≤ α_i ≤ 1: an array, or the handle that
        `optimum` has returned for these loaded shards. A handle's numbers
        stay on their worker.
    lam, loss, client
        As in `objective`.

    Returns
    -------
    Certified
        Its `primal` is f(w), its `dual` is D(α), and its `gap` the relative
        distance of the two.

    Raises
    ------
    ValueError, TypeError, OSError
        If an argument is not as described, or a shard is not, such as one
        with one label only: see `load`; or an α_i is outside [0, 1].

    Notes
    -----
    As `pegasos_edu.certificate.gap.certify`, which begins with w and α; here
    the data come first. Both f(w) and D(α) are made of
    sums over shards; d + 2 numbers of each shard travel.

    Examples
    --------
    >>> block = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> certify([block], [0.0], [np.ones(2)], lam=0.5, client="here").dual
    -1.25
    """
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    with opened(data, client) as shards:
        w = checks.check_weights(w, shards.d, stack=False)
        if not isinstance(alpha, list | tuple):
            checks.refuse(
                f"alpha is {type(alpha).__name__}",
                "a list with an entry for each shard",
                TypeError,
            )
        if len(alpha) != len(shards.sizes):
            checks.refuse(
                f"alpha has {len(alpha)} entries",
                f"{len(shards.sizes)}, one for each shard",
            )
        sums = shards.total(dual_sums, alpha, w=w, loss=loss)
    losses, payments = sums[-2:] / shards.n
    w_dual = sums[:-2] / (lam * shards.n)
    primal = float(0.5 * lam * w @ w + losses)
    dual = float(payments - 0.5 * lam * w_dual @ w_dual)
    return Certified(w, alpha, primal, dual, relative_gap(primal, dual))


def dual_sums(
    shard: Shard, alpha: NDArray, *, w: NDArray, loss: Any
) -> NDArray:
    """Σ α_i y_i x_i, Σ ℓ(m_i) and Σ −ℓ*(−α_i) of a shard, in one array.

    Examples
    --------
    >>> shard = Shard(0, (np.array([[2.0]]), np.array([-1.0])), None, 1, 1)
    >>> dual_sums(shard, np.array([0.5]), w=np.array([0.0]), loss="hinge")
    array([-1. ,  1. ,  0.5])
    """
    alpha = checks.as_real(f"alpha of shard {shard.number}", alpha)
    if alpha.shape != (shard.size,):
        checks.refuse(
            f"alpha of shard {shard.number} has shape {alpha.shape}",
            f"({shard.size},), one for each row",
        )
    if not ((alpha >= 0.0) & (alpha <= 1.0)).all():
        checks.refuse(
            f"alpha of shard {shard.number} ranges from {alpha.min()} to "
            f"{alpha.max()}",
            "values in [0, 1]",
        )
    X, y = shard.data()
    add_up, convert = fastest(add_examples)
    v = np.zeros(shard.d)
    add_up(as_rows(X, convert), convert(y), convert(alpha), v)
    losses = losses_of(shard, w=w[np.newaxis], loss=loss)
    return np.concatenate([v, losses, [LOSSES[loss].dual(alpha).sum()]])


def add_examples(rows, y, alpha, v):
    """v gains Σ α_i y_i x_i."""
    for i in range(len(y)):
        if alpha[i] != 0.0:
            add(v, alpha[i] * y[i], rows, i)
