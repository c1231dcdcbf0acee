"""Experiments too long for a page: run once by a command, kept as JSON.

    python -m pegasos_edu.experiments NAME --help

`pegasos_edu.recorded` holds what the commands wrote; chapters plot that.

mnist     Chor's comparison, zero against the rest
tuned     the same, each method at its best factor
chor      Chor's figures, whole
qp        stock solvers of the quadratic program
machines  averages over machines, and what a round costs
sizes     seconds by the number of examples
theory    long runs for risk and the number of examples
"""

import os
import platform
from importlib import metadata

import numpy as np

from pegasos_edu.theory.compare import interval

__all__ = ["interval", "load", "shortened", "versions"]

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def versions():
    """Versions of Python and of the packages that decide the numbers."""
    installed = {name: _version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **installed}


def load():
    """The load of the machine, or None where it is not told."""
    return os.getloadavg()[0] if hasattr(os, "getloadavg") else None


def _version(name):
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


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
