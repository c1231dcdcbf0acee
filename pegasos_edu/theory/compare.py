"""Both sides of a statement: what was measured, and what was promised."""

from dataclasses import dataclass

import numpy as np
from scipy.stats import binomtest

# Rounding allowed when two sums of up to 10⁵ doubles are compared.
ROUNDING = 1e-9
# A coverage check may be wrong about the true rate with this probability.
DOUBT = 1e-3


@dataclass(frozen=True)
class Comparison:
    """truth ≤ bound, entry by entry.

    Attributes
    ----------
    truth, bound : ndarray
        Arrays of one shape, or numbers.

    Examples
    --------
    >>> result = Comparison(np.array([1.0, 3.0]), np.array([2.0, 4.0]))
    >>> result.holds, result.ratio
    (True, 0.75)
    """

    truth: np.ndarray
    bound: np.ndarray

    @property
    def holds(self):
        """Whether no truth exceeds its bound by more than rounding."""
        size = np.maximum(1.0, np.abs(self.bound))
        return bool(np.all(self.truth <= self.bound + ROUNDING * size))

    @property
    def ratio(self):
        """The largest truth / bound; a truth within rounding of 0 or below
        counts as 0, and a bound of 0 or below it as exceeded otherwise."""
        truth, bound = np.broadcast_arrays(self.truth, self.bound)
        counts = truth > ROUNDING
        ratio = np.where(counts, np.inf, 0.0)
        np.divide(truth, bound, out=ratio, where=counts & (bound > 0.0))
        return float(ratio.max())


@dataclass(frozen=True)
class Agreement:
    """Two ways to compute one thing agree up to rounding.

    Attributes
    ----------
    first, second : ndarray
        Arrays of one shape.
    tolerance : float
        The largest difference that counts as rounding, relative to the
        largest entry.

    Examples
    --------
    >>> Agreement(np.array([1.0, 2.0]), np.array([1.0, 2.5])).holds
    False
    """

    first: np.ndarray
    second: np.ndarray
    tolerance: float = ROUNDING

    @property
    def difference(self):
        """The largest difference, relative to the largest entry."""
        size = max(np.abs(self.first).max(), np.abs(self.second).max())
        gap = np.abs(np.subtract(self.first, self.second)).max()
        return float(gap / size) if size > 0.0 else 0.0

    @property
    def holds(self):
        """Whether the difference is rounding."""
        return self.difference <= self.tolerance


@dataclass(frozen=True)
class Coverage:
    """A failure that is promised to be rare, counted in independent runs.

    `holds` asks for proof: the exact (Clopper-Pearson) upper limit of the
    true failure rate must not exceed the promise. `refuted` asks for proof
    of the contrary, by the lower limit. Each limit is wrong in at most one
    of a thousand repetitions.

    Attributes
    ----------
    failures, runs : int
    promised : float
        The largest failure rate the statement allows.

    Examples
    --------
    >>> result = Coverage(failures=20, runs=1000, promised=0.05)
    >>> result.holds, result.refuted
    (True, False)
    """

    failures: int
    runs: int
    promised: float

    def _limits(self):
        test = binomtest(int(self.failures), int(self.runs))
        return test.proportion_ci(1.0 - 2.0 * DOUBT, method="exact")

    @property
    def upper(self):
        """The upper limit of the failure rate."""
        return float(self._limits().high)

    @property
    def lower(self):
        """The lower limit of the failure rate."""
        return float(self._limits().low)

    @property
    def holds(self):
        """Whether the rate is shown to be at most the promise."""
        return self.upper <= self.promised

    @property
    def refuted(self):
        """Whether the rate is shown to be above the promise."""
        return self.lower > self.promised

    @property
    def ratio(self):
        """The upper limit over the promise."""
        return self.upper / self.promised
