"""Both sides of a statement: what was measured, and what was promised.

Also the one interval that this book puts around a mean.
"""

from dataclasses import dataclass

import numpy as np
from scipy import stats

# Rounding allowed when two sums of up to 10⁵ doubles are compared.
ROUNDING = 1e-9
# A coverage check may be wrong about the true rate with this probability.
DOUBT = 1e-3
# The slope, on log-log axes, from which a share counts as growing.
LEVEL = 0.05


def interval(values):
    """Mean over the runs (axis 0), and half the width of its 95 % interval.

    Student's interval. What chance has no part in has one run, and 0.

    Parameters
    ----------
    values : array of shape (runs, ...)
        One number, or one curve, of each run.

    Returns
    -------
    list
        The mean and the half width, of shape (...).

    Examples
    --------
    >>> mean, half = interval([1.0, 2.0, 3.0])
    >>> print(f"{mean:.1f} ± {half:.2f}")
    2.0 ± 2.48
    """
    values = np.asarray(values, dtype=float)
    runs = len(values)
    half = 0.0 * values[0]
    if runs > 1:
        error = stats.sem(values, axis=0)
        half = stats.t.ppf(0.975, runs - 1) * error
    return [values.mean(axis=0), half]


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
    def refuted(self):
        """Whether some truth exceeds its bound; nothing is left to chance."""
        return not self.holds

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

    @property
    def refuted(self):
        """Whether the difference is more than rounding."""
        return not self.holds


@dataclass(frozen=True)
class Mean:
    """A mean that was measured, at most something: with three outcomes.

    `holds` asks for proof: the whole interval of the mean is at or below
    the limit. `refuted` asks for proof of the contrary. An interval that
    holds the limit inside proves neither.

    Attributes
    ----------
    mean, half : ndarray
        The means, and half the widths of their intervals.
    most : ndarray
        What they may be at most.

    Examples
    --------
    >>> one = Mean(1.0, 0.2, 1.1)
    >>> one.holds, one.refuted
    (False, False)
    >>> Mean(1.0, 0.2, 1.2).holds, Mean(1.0, 0.2, 0.7).refuted
    (True, True)
    """

    mean: np.ndarray
    half: np.ndarray
    most: np.ndarray

    @property
    def holds(self):
        """Whether every interval is at or below its limit."""
        return bool(np.all(np.add(self.mean, self.half) <= self.most))

    @property
    def refuted(self):
        """Whether some interval is above its limit."""
        return bool(np.any(np.subtract(self.mean, self.half) > self.most))


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
    own : bool
        Whether a failure is one of the statement itself; else it is one of
        a step of its proof, which says more.

    Examples
    --------
    >>> result = Coverage(failures=20, runs=1000, promised=0.05)
    >>> result.holds, result.refuted
    (True, False)
    """

    failures: int
    runs: int
    promised: float
    own: bool = True

    def _limits(self):
        test = stats.binomtest(int(self.failures), int(self.runs))
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


@dataclass(frozen=True)
class Growth:
    """truth/bound along a family of cases: does it grow without end?

    A bound whose form is right may be loose, but by a factor that does not
    grow. A logarithm that is dropped shows as a slope of about 0.1 over
    three decades. This is evidence from a finite range, not a proof.

    Attributes
    ----------
    along : ndarray of shape (m,)
        What grows along the family.
    shares : ndarray of shape (m,)
        truth / bound, all above 0.

    Examples
    --------
    >>> Growth(np.array([10, 100, 1000]), np.array([0.2, 0.2, 0.2])).holds
    True
    >>> Growth(np.array([10, 100, 1000]), np.log([10, 100, 1000])).holds
    False
    """

    along: np.ndarray
    shares: np.ndarray

    @property
    def slope(self):
        """The slope of the shares on log-log axes, by least squares."""
        logs = np.log(self.along), np.log(self.shares)
        return float(np.polyfit(*logs, 1)[0])

    @property
    def holds(self):
        """Whether the slope is at most `LEVEL`."""
        return self.slope <= LEVEL

    @property
    def refuted(self):
        """Whether the slope is above `LEVEL`."""
        return not self.holds


@dataclass(frozen=True)
class Exponent:
    """values ∝ along^power, or at most so, tested on independent runs.

    Every run gives a slope on log-log axes. Student's interval for their
    mean fails to hold the true mean in one of a thousand repetitions. An
    equality holds if the interval contains the power, and is refuted if
    not. "At most" holds if the whole interval is at or below the power,
    and is refuted if all of it is above; else neither is shown.

    Attributes
    ----------
    along : ndarray of shape (m,)
        What was set.
    values : ndarray of shape (runs, m)
        What each run measured, all above 0.
    power : float
        The power that is claimed.
    at_most : bool
        Whether a smaller power is meant, too.

    Examples
    --------
    >>> n = np.array([1.0, 10.0, 100.0])
    >>> runs = n * np.array([[4.9, 5.0, 5.1], [5.1, 5.0, 4.9], [5, 5, 5]])
    >>> Exponent(n, runs, 1.0).holds, Exponent(n, runs, 0.8).holds
    (True, False)
    >>> Exponent(n, runs, 1.2, at_most=True).holds
    True
    >>> inside = Exponent(n, runs, 1.0, at_most=True)
    >>> inside.holds, inside.refuted
    (False, False)
    """

    along: np.ndarray
    values: np.ndarray
    power: float
    at_most: bool = False

    @property
    def slopes(self):
        """The slope of every run on log-log axes, by least squares."""
        logs = np.log(self.along), np.log(np.transpose(self.values))
        return np.polyfit(*logs, 1)[0]

    @property
    def interval(self):
        """The lower and the upper limit of the mean slope."""
        slopes = self.slopes
        error = stats.sem(slopes)
        t = stats.t.ppf(1.0 - DOUBT / 2.0, len(slopes) - 1)
        return (
            float(slopes.mean() - t * error),
            float(slopes.mean() + t * error),
        )

    @property
    def holds(self):
        """Whether the interval allows the claim, or proves "at most"."""
        low, high = self.interval
        if self.at_most:
            return high <= self.power
        return low <= self.power <= high

    @property
    def refuted(self):
        """Whether the interval excludes the claim."""
        low, _ = self.interval
        return low > self.power if self.at_most else not self.holds
