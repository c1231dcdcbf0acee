"""The arguments all solvers share, checked and completed in one place."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from pegasos_edu import checks, losses
from pegasos_edu.orders import SAMPLINGS, draw_order
from pegasos_edu.result import Recorder
from pegasos_edu.steps import as_step


@dataclass
class Setup:
    """A run that is ready to start; see `prepare`."""

    X: np.ndarray  # (n, d), dense or CSR
    y: np.ndarray  # (n,), −1.0 or +1.0
    lam: float
    order: np.ndarray  # (T, k) row numbers
    loss: str
    step: Callable  # t -> η_t
    radius: float | None
    average_from: int | None
    recorder: Recorder
    progress: bool

    def averages_at(self, t):
        """Whether w_t belongs to the average."""
        return self.average_from is not None and t >= self.average_from

    @property
    def slope(self):
        """ℓ', the derivative of the loss."""
        return losses.LOSSES[self.loss].slope

    def batches(self):
        """Pairs t, A_t for t = 1, …, T, with a progress bar if wanted."""
        steps = enumerate(self.order, start=1)
        return tqdm(steps, total=len(self.order), disable=not self.progress)

    def segments(self, most=50_000):
        """Pairs first, last that cut 1, …, T at every snapshot.

        For solvers that advance many steps at a time; no segment is longer
        than `most` steps.
        """
        T = len(self.order)
        lasts = {*range(most, T, most), *self.recorder.steps.tolist(), T}
        with tqdm(total=T, disable=not self.progress) as bar:
            first = 1
            for last in sorted(lasts):
                yield first, last
                bar.update(last - first + 1)
                first = last + 1


def prepare(
    X, y, lam, T=None, *, order=None, seed=None, k=1, sampling="iid",
    loss="hinge", step=None, radius=None, average_from=1, snapshots=(),
    callback=None, progress=False,
):
    """Check the arguments of a solver, which all solvers share.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples, one a row; converted once to float64 if they are
        integers or booleans. A `numpy.memmap`, or a CSR matrix whose
        arrays are, is read only at the rows that are drawn and never
        converted as a whole.
    y : array_like of shape (n,)
        The labels, −1 or +1.
    lam : float
        The regularisation strength λ > 0.
    T : int, optional
        The number of steps; needed with `seed`.
    order : array_like of int, shape (T,) or (T, k), optional
        The rows to visit. Give either this or T and `seed`.
    seed : int, optional
        The seed from which `draw_order` makes the order.
    k : int
        The size of a mini-batch A_t; with `order`, its second dimension.
    sampling : {"iid", "without", "epochs", "blocks"}
        How `draw_order` draws.
    loss : {"hinge", "log"}
        The loss ℓ.
    step : callable, optional
        t -> η_t ≥ 0 for t = 1, 2, …; by default η_t = 1/(λt). What a
        function of your own returns is checked at each step.
    radius : float, optional
        Project on the ball {‖w‖ ≤ radius} after every step; 1/√λ is the
        choice of the 2007 paper. By default there is no projection.
    average_from : int or None
        Average the iterates w_t from this t on: 1 for all of them,
        T // 2 + 1 for the last half, None for no average.
    snapshots : sequence of int
        The steps t after which w_{t+1} and the average are kept.
    callback : callable, optional
        Called as callback(t, w) at each snapshot, w being a copy.
    progress : bool
        Whether to show a progress bar.

    Returns
    -------
    Setup

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.
    """
    _check_how_to_draw(order, T, seed)
    X = checks.as_matrix(X)
    y = checks.check_labels(y, X.shape[0])
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, losses.LOSSES)
    step = as_step(step, lam)
    radius = None if radius is None else checks.check_radius(radius)
    progress = checks.check_flag("progress", progress)
    if callback is not None:
        checks.check_callable("callback", callback, "a function (t, w)")
    order = _as_order(order, X.shape[0], T, k, sampling, seed)
    T = len(order)
    lam = checks.check_lam(lam, T)
    average_from = _check_average_from(average_from, T)
    snapshots = checks.check_snapshots(snapshots, T)
    X = checks.check_entries(X, rows=order)
    recorder = Recorder(T, snapshots, average_from, callback)
    return Setup(
        X, y, lam, order, loss, step, radius, average_from, recorder,
        progress,
    )


def _check_how_to_draw(order, T, seed):
    if order is None and (T is None or seed is None):
        raise ValueError(
            f"order is None, T is {T} and seed is {seed}; expected either "
            f"an order or both T and seed."
        )
    if order is not None and seed is not None:
        raise ValueError(
            f"order and seed = {seed} are both given; expected one of them."
        )


def _as_order(order, n, T, k, sampling, seed):
    """The order as given, or drawn; of shape (T, k)."""
    k = checks.check_integer("k", k, 1)
    checks.check_choice("sampling", sampling, SAMPLINGS)
    if order is None:
        order = draw_order(n, T, k, sampling, seed=seed)
    order = checks.check_order(order, n, None if k == 1 else k)
    if T is not None and checks.check_integer("T", T, 1) != len(order):
        raise ValueError(
            f"T is {T}; expected the length of order, {len(order)}."
        )
    return order


def _check_average_from(average_from, T):
    if average_from is None:
        return None
    average_from = checks.check_integer("average_from", average_from, 1)
    if average_from > T:
        raise ValueError(
            f"average_from is {average_from}; expected a step from 1 to "
            f"T = {T}."
        )
    return average_from
