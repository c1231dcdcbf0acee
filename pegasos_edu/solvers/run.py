"""What all solvers share: the run, its arguments and its result."""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise, repeat

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES
from pegasos_edu.solvers.orders import SAMPLINGS, draw_order
from pegasos_edu.solvers.steps import as_step


@dataclass(frozen=True)
class Result:
    """What T steps have led to.

    Attributes
    ----------
    last : ndarray of shape (d,)
        The last iterate w_{T+1}.
    average : ndarray of shape (d,) or None
        The average of w_s, …, w_T with s = `average_from`; for s = 1 this
        is w̄ = (1/T) Σ w_t. None if no average was asked for.
    steps : ndarray of int, shape (S,)
        The snapshot steps t.
    iterates : ndarray of shape (S, d)
        w_{t+1} after each snapshot step t.
    averages : ndarray of shape (S, d) or None
        The average of w_s, …, w_t at each snapshot step t; before step s,
        where there is nothing to average yet, the iterate w_{t+1}.
    """

    last: np.ndarray
    average: np.ndarray | None
    steps: np.ndarray
    iterates: np.ndarray
    averages: np.ndarray | None


@dataclass
class Run:
    """A run under way: the checked arguments, and what is kept of it.

    A solver hands over w_{t+1} and the sum of the iterates it averages
    after each step t; only the snapshots and the last step are kept.
    """

    X: np.ndarray  # (n, d), dense or CSR
    y: np.ndarray  # (n,), −1.0 or +1.0
    lam: float
    order: np.ndarray  # (T, k) row numbers
    step: Callable  # t -> η_t
    start: np.ndarray  # (d,), w_1
    loss: str = "hinge"
    radius: float | None = None
    average_from: int | None = 1
    # The steps t to keep, sorted, without repeats.
    snapshots: np.ndarray = field(
        default_factory=lambda: np.array([], dtype=np.intp)
    )
    callback: Callable | None = None
    progress: bool = False
    kept: dict = field(default_factory=dict)  # t -> (w_{t+1}, average)

    @property
    def d(self):
        """The number of features."""
        return self.X.shape[1]

    @property
    def T(self):  # noqa: N802
        """The number of steps."""
        return len(self.order)

    @property
    def slope(self):
        """ℓ', the derivative of the loss."""
        return LOSSES[self.loss].slope

    def averages_at(self, t):
        """Whether w_t belongs to the average."""
        return self.average_from is not None and t >= self.average_from

    def batches(self):
        """Pairs t, A_t for t = 1, …, T, with a progress bar if wanted."""
        pairs = enumerate(self.order, start=1)
        if self.progress:
            return with_bar(pairs, repeat(1), self.T)
        return pairs

    def segments(self, most=50_000):
        """Pairs first, last that cut 1, …, T at every snapshot.

        For solvers that advance many steps at a time; no segment is longer
        than `most` steps.
        """
        lasts = {*range(most, self.T, most), *self.snapshots.tolist(), self.T}
        ends = list(pairwise([0, *sorted(lasts)]))
        pairs = [(before + 1, last) for before, last in ends]
        if self.progress:
            sizes = [last - before for before, last in ends]
            return with_bar(pairs, sizes, self.T)
        return pairs

    def due(self, t):
        """Whether w_{t+1} will be kept."""
        return t == self.T or t in self._wanted

    def record(self, t, w, total):
        """Keep w_{t+1} and the average of the iterates in total, if due."""
        if not self.due(t):
            return
        w = np.array(w, dtype=float)
        average = w.copy()
        if self.averages_at(t):
            average = np.array(total) / (t - self.average_from + 1)
        if not (np.isfinite(w).all() and np.isfinite(average).all()):
            raise FloatingPointError(
                f"the iterate after step {t} is no longer finite; expected "
                f"a larger lam, smaller steps or smaller data."
            )
        self.kept[t] = w, average
        if self.callback is not None and t in self._wanted:
            self.callback(t, w.copy())

    def result(self):
        """The result, once step T is recorded."""
        shape = len(self.snapshots), self.d
        iterates, averages = (
            np.reshape([self.kept[t][part] for t in self.snapshots], shape)
            for part in (0, 1)
        )
        last, average = self.kept[self.T]
        if self.average_from is None:
            return Result(last, None, self.snapshots, iterates, None)
        return Result(last, average, self.snapshots, iterates, averages)

    @functools.cached_property
    def _wanted(self):
        return set(self.snapshots.tolist())


def with_bar(parts, sizes, T):
    """Parts of a run, with a bar that each moves by its size, up to T."""
    from tqdm import tqdm  # here, as few runs want it

    with tqdm(total=T) as bar:
        for part, size in zip(parts, sizes):
            yield part
            bar.update(size)


def prepare(
    X,
    y,
    lam,
    T=None,
    *,
    order=None,
    seed=None,
    k=1,
    sampling="iid",
    loss="hinge",
    step=None,
    radius=None,
    average_from=1,
    snapshots=(),
    callback=None,
    progress=False,
    start=None,
):
    """Check the arguments that all solvers share.

    Parameters
    ----------
    X : array_like or sparse matrix of shape (n, d)
        The examples, one a row; converted once to float64 if they are
        integers or booleans. Only what stands in the rows that are drawn
        matters: a NaN in another one is neither reported nor used. A
        `numpy.memmap` is read at those rows only and never converted as a
        whole.
        So is a CSR matrix whose arrays are memory maps.
    y : array_like of shape (n,)
        The labels, −1 or +1. As of X, only those of the rows drawn are
        looked at, and others until both kinds are found. Labels of another
        dtype than float64 are converted, all of them, at each call.
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
        How `draw_order` draws; not given with `order`.
    loss : {"hinge", "log"}
        The loss ℓ.
    step : callable, optional
        t -> η_t ≥ 0 for t = 1, 2, …
        By default η_t = 1/(λt).
        What a function of your own returns is checked at each step.
    radius : float, optional
        Project on the ball {‖w‖ ≤ radius} after every step; 1/√λ is the
        choice of the 2007 paper. By default there is no projection.
    average_from : int or None
        Average the iterates w_t from this t on: 1 for all of them, T // 2 + 1
        for the last half, None for no average.
    snapshots : sequence of int
        The steps t after which w_{t+1} and the average are kept.
    callback : callable, optional
        Called as callback(t, w) at each of the snapshots, w being a copy.
    progress : bool
        Whether to show a progress bar.
    start : array_like of shape (d,), optional
        w_1, by default 0. The paper asks for ‖w_1‖ ≤ 1/√λ, where w* lies
        too; with `radius` the theorems need w_1 in the ball. Without
        projection, the first shrink of the step 1/(λt) is 1 − 1/1 = 0: it
        wipes w_1 out, up to rounding, so only the margins at t = 1 see it.
        With a t₀ > 0 or another step rule it stays for longer.

    Returns
    -------
    Result
        The last iterate, the average iterate and the snapshots.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described; nothing has been done then.
    FloatingPointError
        If the iterates overflow.
    """
    _check_how_to_draw(order, T, seed)
    X = checks.as_matrix(X)
    n = X.shape[0]
    y = checks.as_labels(y, n)
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    step = as_step(step, lam)
    if radius is not None:
        radius = checks.check_radius(radius)
    progress = checks.check_flag("progress", progress)
    _check_callback(callback, snapshots)
    order = _as_order(order, n, T, k, sampling, seed)
    drawn = checks.each_once(order, n)
    y = checks.check_labels(y, rows=drawn)
    T = len(order)
    lam = checks.check_lam(lam, T)
    if average_from is not None:
        average_from = checks.check_integer(
            "average_from", average_from, 1, high=T
        )
    snapshots = checks.check_snapshots(snapshots, T)
    start = _as_start(start, X.shape[1], lam, radius)
    X = checks.check_entries(X, rows=drawn)
    return Run(
        X,
        y,
        lam,
        order,
        step,
        start,
        loss=loss,
        radius=radius,
        average_from=average_from,
        snapshots=snapshots,
        callback=callback,
        progress=progress,
    )


def _check_how_to_draw(order, T, seed):
    if order is None and (T is None or seed is None):
        checks.refuse(
            f"order is None, T is {T} and seed is {seed}",
            "either an order or both T and seed",
        )
    if order is not None and seed is not None:
        checks.refuse(f"order and seed = {seed} are both given", "one of them")


def _check_callback(callback, snapshots):
    if callback is None:
        return
    expected = "a function (t, w), of two arguments"
    checks.check_takes("callback", callback, expected, arguments=2)
    if np.size(snapshots) == 0:
        checks.refuse(
            "callback is given and snapshots is empty",
            "the steps after which it is called",
        )


def _as_start(start, d, lam, radius):
    """w_1 as given, on a copy, if it is no longer than allowed; or zeros."""
    if start is None:
        return np.zeros(d)
    start = checks.check_weights(start, d, stack=False, name="start")
    start = start.astype(np.float64)  # always a copy
    norm = float(np.linalg.norm(start))
    most, what = 1.0 / np.sqrt(lam), "1/sqrt(lam)"
    if radius is not None:
        most, what = radius, "the radius"
    if not norm <= most * (1.0 + 1e-12):  # w* scaled to it may round up
        checks.refuse(f"start has norm {norm:g}", f"at most {what} = {most:g}")
    return start


def _as_order(order, n, T, k, sampling, seed):
    """The order as given, or drawn; of shape (T, k)."""
    k = checks.check_integer("k", k, 1)
    checks.check_choice("sampling", sampling, SAMPLINGS)
    if order is not None and sampling != "iid":
        checks.refuse(
            f"order is given and sampling is {sampling!r}",
            "one of them: sampling says how an order is drawn",
        )
    if order is None:
        order = draw_order(n, T, k, sampling, seed=seed)
    order = checks.check_order(order, n, None if k == 1 else k)
    if T is not None and checks.check_integer("T", T, 1) != len(order):
        checks.refuse(f"T is {T}", f"the length of order, {len(order)}")
    return order
