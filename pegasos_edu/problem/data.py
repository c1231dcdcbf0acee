"""Data sets that need no download."""

import ast
import functools
import importlib.util
from collections import deque
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pegasos_edu.problem import checks

Arrays = tuple[NDArray[Any], NDArray[Any]]  # X and y


def digits_zero() -> Arrays:
    """Scikit-learn's handwritten digits, zero against the rest.

    Returns
    -------
    X : ndarray of shape (1797, 64)
        Pixels in [0, 1], row by row of an 8×8 picture.
    y : ndarray of shape (1797,)
        −1 for a zero, +1 for any other digit.

    Notes
    -----
    The task and its labels are those of Chor (2020), chapter 3, on smaller
    pictures: UCI "Optical Recognition of Handwritten Digits", test part, by
    E. Alpaydin and C. Kaynak (CC BY 4.0). `digits.csv.gz` beside this file
    is scikit-learn's own.

    Examples
    --------
    >>> X, y = digits_zero()
    >>> X.shape, int((y == -1).sum())
    ((1797, 64), 178)
    """
    file = Path(__file__).with_name("digits.csv.gz")
    rows = np.loadtxt(file, delimiter=",")
    return rows[:, :-1] / 16.0, np.where(rows[:, -1] == 0, -1.0, 1.0)


def two_clouds(n: int = 60, seed: int = 0) -> Arrays:
    """Two overlapping Gaussian clouds in the plane, for pictures.

    Their centres are (1, 0.6) and (−1, −0.6), so a line through the origin
    separates them about as well as any. Coordinates are rounded to three
    decimals.

    Parameters
    ----------
    n : int
        Number of points, at least 2; half of them (rounded up) are +1.
    seed : int
        The seed of `numpy.random.default_rng`.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,), −1 or +1

    Examples
    --------
    >>> X, y = two_clouds(n=4, seed=0)
    >>> y
    array([ 1., -1.,  1., -1.])
    """
    n, rng, y = _in_turn(n, seed)
    centres = y[:, np.newaxis] * np.array([1.0, 0.6])
    return np.round(centres + 0.7 * rng.standard_normal((n, 2)), 3), y


def ring(n: int = 80, seed: int = 0) -> Arrays:
    """A cloud at the origin and a ring around it, for pictures.

    No line separates them. Coordinates are rounded to three decimals.

    Parameters
    ----------
    n : int
        Number of points, at least 2; half of them (rounded up) are +1, the
        cloud.
    seed : int
        The seed of `numpy.random.default_rng`.

    Returns
    -------
    X : ndarray of shape (n, 2)
    y : ndarray of shape (n,), −1 or +1

    Examples
    --------
    >>> X, y = ring(n=1000, seed=0)
    >>> length = np.linalg.norm(X, axis=1)
    >>> print(length[y > 0].mean().round(1), length[y < 0].mean().round(1))
    0.7 1.8
    """
    n, rng, y = _in_turn(n, seed)
    cloud = 0.55 * rng.standard_normal((n, 2))
    angle = 2.0 * np.pi * rng.random(n)
    radius = 1.75 + 0.25 * rng.standard_normal(n)
    around = np.column_stack([np.cos(angle), np.sin(angle)])
    X = np.where(y[:, np.newaxis] > 0, cloud, radius[:, np.newaxis] * around)
    return np.round(X, 3), y


def _in_turn(n, seed):
    """n, a generator, and n labels +1, −1, +1, …"""
    n = checks.check_integer("n", n, 2)
    rng = np.random.default_rng(checks.check_integer("seed", seed, 0))
    return n, rng, np.where(np.arange(n) % 2 == 0, 1.0, -1.0)


def docstrings(
    positive: str = "scipy", negative: str = "matplotlib", words: int = 20
) -> tuple[list[str], NDArray[Any]]:
    """Docstrings of two installed libraries: which one wrote this?

    They are read from the source files, which are parsed but not run, in
    the order of the files. Another version of a library is another data
    set.

    Parameters
    ----------
    positive, negative : str
        Names of installed packages, the classes +1 and −1.
    words : int
        Shorter docstrings are left out, as are repeated ones.

    Returns
    -------
    texts : list of str
    y : ndarray, −1 or +1

    Raises
    ------
    ValueError
        If a package is not installed.

    Examples
    --------
    >>> texts, y = docstrings("joblib", "tqdm", words=50)
    >>> len(texts) == len(y), (y == 1).sum() > (y == -1).sum() > 0
    (True, np.True_)
    """
    words = checks.check_integer("words", words, 0)
    for name in (positive, negative):
        if not isinstance(name, str):
            checks.refuse(
                f"{name!r} is no text", "a package's name", TypeError
            )
    classes = [
        [text for text in _docstrings_of(name) if len(text.split()) >= words]
        for name in (positive, negative)
    ]
    y = np.repeat([1.0, -1.0], [len(texts) for texts in classes])
    return classes[0] + classes[1], y


@functools.cache  # parsing takes seconds
def _docstrings_of(package):
    found = importlib.util.find_spec(package)
    if found is None or not found.submodule_search_locations:
        raise ValueError(
            f"{package!r} is not an installed package; expected the name "
            f"of one, such as 'scipy'."
        )
    root = Path(found.submodule_search_locations[0])
    files = [file.relative_to(root).as_posix() for file in root.rglob("*.py")]
    documented = ast.Module, ast.ClassDef, ast.FunctionDef
    texts: dict[str, None] = {}  # a dict forgets repeats and keeps the order
    for file in sorted(files):
        if "tests/" in file:
            continue
        for node in _statements(ast.parse((root / file).read_bytes())):
            text = isinstance(node, documented) and ast.get_docstring(node)
            if text:
                texts[text] = None
    return tuple(texts)


def _statements(module):
    """What `ast.walk` yields, without expressions: most of what it meets."""
    waiting = deque([module])
    while waiting:
        node = waiting.popleft()
        yield node
        waiting += (
            child
            for child in ast.iter_child_nodes(node)
            if not isinstance(child, ast.expr)
        )


def noisy_halfspace(
    n: int, d: int = 10, seed: int = 0, noise: float = 0.1
) -> Arrays:
    """Gaussian points, labelled by a half-space, some labels flipped.

    Parameters
    ----------
    n, d : int
        Examples and features.
    seed : int
        The seed of `numpy.random.default_rng`.
    noise : float
        The probability with which a label is flipped.

    Returns
    -------
    X : ndarray of shape (n, d)
        Independent standard normal entries.
    y : ndarray of shape (n,), −1 or +1
        The sign of the sum of a row, or with probability `noise` the other.

    Notes
    -----
    Zhou, section 4, describes such data without the dimension.

    Examples
    --------
    >>> X, y = noisy_halfspace(n=1000, seed=0)
    >>> print((y != np.sign(X.sum(axis=1))).mean())
    0.106
    """
    n = checks.check_integer("n", n, 1)
    d = checks.check_integer("d", d, 1)
    noise = checks.check_positive("noise", noise, zero_allowed=True)
    if noise > 1.0:
        checks.refuse(f"noise is {noise:g}", "a probability, from 0 to 1")
    rng = np.random.default_rng(checks.check_integer("seed", seed, 0))
    X = rng.standard_normal((n, d))
    clean = np.where(X.sum(axis=1) >= 0.0, 1.0, -1.0)
    return X, np.where(rng.random(n) < noise, -clean, clean)
