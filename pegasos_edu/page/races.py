"""What the two chapters on races share: their data, and how to read a record.

A record is that of `tests.benchmarks.curves`: for each contender of a race
the seconds of its tries, how near each came, and when a target was reached.
"""

import numpy as np
import scipy.sparse as sp
from sklearn.feature_extraction.text import TfidfVectorizer

from pegasos_edu.problem.data import docstrings

STAR = "* synthetic: random numbers, as wide and as sparse as a real set"
# A run shorter than so many seconds was made three times.
SHORT = 0.03


def marked(label):
    """The name of a set or of a race, with a star if the set is synthetic.

    Examples
    --------
    >>> marked("text-like, 0.001"), marked("digits")
    ('text-like*, 0.001', 'digits')
    """
    return label.replace("-like", "-like*")


def arrived(run, target="0.01"):
    """Seconds to the target, and True; or of the longest try, and False.

    Examples
    --------
    >>> arrived({"reached": {"0.01": None}, "tried": 0.5})
    (0.5, False)
    """
    found = run["reached"][target]
    return (found, True) if found else (run["tried"], False)


def fastest(race, names):
    """Of several contenders: the first to arrive, or the shortest try.

    Examples
    --------
    >>> late = {"reached": {"0.01": 0.7}, "tried": 0.7}
    >>> lost = {"reached": {"0.01": None}, "tried": 0.5}
    >>> fastest({"a": late, "b": lost}, ("a", "b"))
    (0.7, True)
    """
    pairs = [arrived(race[name]) for name in names]
    there = [pair for pair in pairs if pair[1]]
    return min(there or pairs)


def clock_noise(record):
    """By what factor a longer run took less time than a shorter one, at most.

    Parameters
    ----------
    record : dict
        With "races", as `recorded("curves")` has it.

    Returns
    -------
    below, above : float
        The factor for runs below `SHORT` seconds, and for the others.

    Examples
    --------
    >>> run = {"seconds": [0.02, 0.01, 1.0, 0.8]}
    >>> clock_noise({"races": {"a race": {"curves": {"a": run}}}})
    (2.0, 1.25)
    """
    factors = {True: [1.0], False: [1.0]}
    for race in record["races"].values():
        for run in race["curves"].values():
            took = np.array(run["seconds"])
            most = np.maximum.accumulate(took)
            for longest, later in zip(most, took, strict=True):
                factors[bool(longest < SHORT)].append(float(longest / later))
    return max(factors[True]), max(factors[False])


def largest_square(X):
    """The largest ‖x‖² of a row, R².

    Examples
    --------
    >>> float(largest_square(np.array([[1.0, 1.0], [0.0, 3.0]])))
    9.0
    """
    squares = X.multiply(X) if sp.issparse(X) else X * X
    return squares.sum(axis=1).max()


def docstring_rows():
    """The docstrings of SciPy, +1, and matplotlib, −1, as rows of words.

    Returns
    -------
    X : csr_matrix of shape (n, d)
        tf-idf with damped counts; the texts stand in a random order.
    y : ndarray of shape (n,), −1 or +1

    Examples
    --------
    >>> X, y = docstring_rows()
    >>> X.shape[0] == len(y), bool(X.has_sorted_indices)
    (True, True)
    """
    texts, labels = docstrings("scipy", "matplotlib")
    order = np.random.default_rng(0).permutation(len(texts))
    words = TfidfVectorizer(sublinear_tf=True)
    X = words.fit_transform([texts[i] for i in order])
    X.sort_indices()  # within each row, as the solvers want it
    return X, labels[order]
