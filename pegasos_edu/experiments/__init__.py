"""Experiments too long for a page: run once by a command, kept as JSON.

    python -m pegasos_edu.experiments NAME --help

`recorded(NAME)` reads what the command wrote; chapters plot that.
"""

import json
import platform
from importlib import metadata, resources

import numpy as np

PACKAGES = ("numpy", "scipy", "scikit-learn", "numba")


def recorded(name):
    """The kept result of an experiment.

    Parameters
    ----------
    name : str
        The name of the experiment, as on the command line.

    Returns
    -------
    dict

    Raises
    ------
    FileNotFoundError
        If there is none of that name.

    Examples
    --------
    >>> recorded("mnist")["setup"]["radius"]
    10.0
    """
    folder = resources.files("pegasos_edu.experiments") / "recorded"
    return json.loads((folder / f"{name}.json").read_text("utf-8"))


def versions():
    """Versions of Python and of the packages that decide the numbers."""
    installed = {name: _version(name) for name in PACKAGES}
    return {"python": platform.python_version(), **installed}


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
