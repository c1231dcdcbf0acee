"""Experiments too long for a page: run once by a command, kept as JSON.

    python -m pegasos_edu.experiments NAME --help

`pegasos_edu.recorded` holds what the commands wrote; chapters plot that.
"""

import platform
from importlib import metadata

import numpy as np
from scipy import stats

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def versions():
    """Versions of Python and of the packages that decide the numbers."""
    installed = {name: _version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **installed}


def _version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


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


def shortened(value, digits=4):
    """Nested results with every number rounded to significant digits.

    Examples
    --------
    >>> shortened({"f": np.array([1.23456, 2.0])})
    {'f': [1.235, 2.0]}
    """
    if isinstance(value, dict):
        return {k: shortened(v, digits) for k, v in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [shortened(v, digits) for v in value]
    if isinstance(value, (float, np.floating)):
        return float(f"{value:.{digits}g}")
    if isinstance(value, np.integer):
        return int(value)
    return value
