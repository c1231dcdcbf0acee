"""Dual coordinate ascent, called as the rungs of Pegasos are.

It draws one example at a step, as Pegasos does, and has no step size: α_i
goes to the best place it can reach alone. So one order of the examples
shows what the exact step is worth. `ascent` makes of the same steps a
solver that knows when to stop.
"""

from dataclasses import dataclass
from typing import Any, Protocol, Unpack

import numpy as np
from numpy.typing import ArrayLike

from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import is_log
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.run import Result
from pegasos_edu.solvers.signatures import Shared
from pegasos_edu.solvers.solver import solver
from pegasos_edu.solvers.sparse import as_rows
from pegasos_edu.solvers.steps import PegasosStep


@dataclass(frozen=True)
class DualResult(Result):
    """What T steps have led to, and the dual point after the last of them.

    Attributes
    ----------
    last, average, steps, iterates, averages
        As of every `Result`.
    alpha : ndarray of shape (n,)
        0 ≤ α_i ≤ 1, and w(α) is `last`.
    """

    alpha: np.ndarray


class OnTheDual(Protocol):
    """What `dual_ascent` is called with."""

    def __call__(
        self,
        X: Any,
        y: ArrayLike,
        lam: float,
        T: int | None = None,
        **shared: Unpack[Shared],
    ) -> DualResult: ...


@solver(called=OnTheDual)
def dual_ascent(run):
    """Maximise the dual of λ/2 ‖w‖² + mean loss, an α_i a step.

    Drawn without replacement (``sampling="epochs"``) it climbs faster. There
    is no step size, no projection and no batch, and it begins at α = 0: with
    a `step`, a `radius`, k > 1 or a `start` it refuses. What it returns is a
    `DualResult`, which has α, too.

    Notes
    -----
    Shalev-Shwartz and Zhang (2013), figure 1; for the log loss Yu, Huang and
    Lin (2011).

    Examples
    --------
    >>> X, y = [[1.0, 0.0], [0.0, -1.0]], [1, -1]
    >>> found = dual_ascent(X, y, lam=0.5, order=[0, 1])
    >>> found.last, found.alpha
    (array([1., 1.]), array([1., 1.]))
    """
    _check_without_a_step(run)
    advance, convert = fastest(dual.advance)
    rows, y = as_rows(run.X, convert), convert(run.y)
    w, q, alpha = np.zeros(run.d), np.zeros(run.d), np.zeros(len(run.y))
    since, lam_n = run.average_from or 1, run.lam * len(y)
    log = is_log(run.loss)

    def total(t):
        """Σ w_s over s = 1, …, t, where w is w_{t+1}."""
        return (t - 1) * w - q

    for first, last in run.segments():
        # Cut before the first w_t of the average.
        early, late = (first, min(last, since - 1)), (max(first, since), last)
        for begin, end in (early, late):
            if begin == since:
                before = total(since - 1)
            order = convert(run.order[begin - 1 : end, 0])
            advance(
                rows, y, order, lam_n, None, w, alpha, None, log, q, begin - 1
            )
        averaged = run.averages_at(last) and run.due(last)
        run.record(last, w, total(last) - before if averaged else None)
    return DualResult(**vars(run.result()), alpha=alpha)


def _check_without_a_step(run):
    plain_step = isinstance(run.step, PegasosStep) and run.step.t0 == 0.0
    for found, wrong, expected in (
        (f"step is {run.step}", not plain_step, "none"),
        (f"radius is {run.radius}", run.radius is not None, "no projection"),
        (f"k is {run.order.shape[1]}", run.order.shape[1] > 1, "1"),
        ("start is given", run.start.any(), "none"),
    ):
        if wrong:
            checks.refuse(
                found,
                f"{expected}: dual ascent begins at α = 0 "
                f"and moves one α_i a step, as far as is best",
            )
