"""What a run returns, and how it is recorded on the way."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Run:
    """The result of T steps.

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


class Recorder:
    """Keeps the snapshots of a run and calls the callback at each.

    A solver asks `due(t)` after step t and, when it is, hands over w_{t+1}
    and the sum of the iterates it averages. The last step is always due.
    """

    def __init__(self, T, snapshots, average_from, callback):
        self.T = T
        self.steps = snapshots
        self.average_from = average_from
        self.callback = callback
        self._wanted = set(snapshots.tolist())
        self._iterates = []
        self._averages = []
        self._last = None

    def due(self, t):
        """Whether w_{t+1} is to be recorded."""
        return t in self._wanted or t == self.T

    def record(self, t, w, total):
        """Keep w_{t+1} and the average of the iterates summed in total."""
        w = np.array(w, dtype=float)
        average = None
        if self.average_from is not None:
            count = t - self.average_from + 1
            average = np.array(total) / count if count > 0 else w.copy()
        self._check_finite(t, w, average)
        if t in self._wanted:
            self._iterates.append(w)
            self._averages.append(average)
            if self.callback is not None:
                self.callback(t, w.copy())
        self._last = (w, average)

    def result(self):
        """The finished Run."""
        w, average = self._last
        shape = (len(self.steps), len(w))
        iterates = np.reshape(self._iterates, shape)
        averages = None
        if average is not None:
            averages = np.reshape(self._averages, shape)
        return Run(w, average, self.steps, iterates, averages)

    @staticmethod
    def _check_finite(t, w, average):
        finite = np.isfinite(w).all() and (
            average is None or np.isfinite(average).all()
        )
        if not finite:
            raise FloatingPointError(
                f"the iterate after step {t} is no longer finite; expected "
                f"a larger lam, smaller steps or smaller data."
            )
