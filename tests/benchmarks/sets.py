"""The data sets: real ones from files and libraries, and made-up ones.

Those made up have the shape of larger sets. The rows are in random order;
what is sparse is CSR.
"""

from pathlib import Path

import numpy as np
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer, load_svmlight_file

from pegasos_edu.page.races import docstring_rows
from pegasos_edu.problem import data


def a9a(folder):
    """UCI Adult: 123 binary features, about 14 a row, not normalised."""
    X, y = load_svmlight_file(Path(folder) / "a9a.gz", n_features=123)
    return shuffled(X, np.where(y > 0, 1.0, -1.0))


def mnist(folder):
    """60,000 digits, zero (−1) against the rest."""
    file = np.load(Path(folder) / "mnist.npz")
    X = sp.csr_matrix(file["X"][:60_000] / 255.0)
    return shuffled(X, np.where(file["y"][:60_000] == 0, -1.0, 1.0))


def digits():
    """1,797 pictures of 8 × 8 pixels, zero (−1) against the rest; dense."""
    return shuffled(*data.digits_zero())


def breast_cancer(scaled=True):
    """569 patients, 30 numbers each; dense, as measured or standardised."""
    X, y = load_breast_cancer(return_X_y=True)
    if scaled:
        X = (X - X.mean(axis=0)) / X.std(axis=0)
    return shuffled(X, np.where(y == 1, 1.0, -1.0))


def docstrings():
    """Texts of SciPy (+1) and matplotlib (−1), as the chapter has them."""
    return docstring_rows()


def text_like(n=800_000, d=47_000, draws=78, seed=0):
    """The shape of CCAT: about 76 words a row out of a Zipf distribution.

    Rows are weighted by rarity and have norm 1, as tf-idf makes them. The
    labels follow a random direction with noise.
    """
    rng = np.random.default_rng(seed)
    shift = 50.0  # the word of rank r has probability ∝ 1/(r + shift)
    span = np.log((d + shift) / shift)
    indices = np.empty(n * draws, dtype=np.int32)
    for part in np.array_split(np.arange(len(indices)), 64):
        u = rng.random(len(part))
        ranks = shift * (np.exp(span * u) - 1.0)
        indices[part[0] : part[-1] + 1] = np.minimum(ranks, d - 1)
    counts = sp.csr_matrix(
        (
            np.ones(len(indices)),
            indices,
            np.arange(0, len(indices) + 1, draws, dtype=np.int32),
        ),
        shape=(n, d),
    )
    counts.sum_duplicates()
    rarity = np.log((np.arange(d) + shift) * span)
    X = counts
    X.data *= rarity[X.indices]
    norms = np.sqrt(np.add.reduceat(X.data**2, X.indptr[:-1]))
    X.data /= np.repeat(norms, np.diff(X.indptr))
    scores = X @ rng.standard_normal(d)
    scores += 0.3 * scores.std() * rng.standard_normal(n)
    return X, np.where(scores > 0.0, 1.0, -1.0)


def cov1_like(n=581_012, seed=0):
    """The shape of covtype: 10 numbers and two categories, 12 a row."""
    rng = np.random.default_rng(seed)
    indices = np.empty((n, 12), dtype=np.int32)
    indices[:, :10] = np.arange(10)
    indices[:, 10] = 10 + rng.integers(4, size=n)
    indices[:, 11] = 14 + rng.integers(40, size=n)
    data = np.ones((n, 12))
    data[:, :10] = rng.random((n, 10))
    ends = np.arange(0, 12 * n + 1, 12, dtype=np.int32)
    X = sp.csr_matrix((data.ravel(), indices.ravel(), ends), shape=(n, 54))
    scores = X @ rng.standard_normal(54)
    scores -= scores.mean()
    scores += scores.std() * rng.standard_normal(n)
    return X, np.where(scores > 0.0, 1.0, -1.0)


def uniform(n, d, nnz, seed=0):
    """n rows with nnz of d columns each, for the cost of a step."""
    rng = np.random.default_rng(seed)
    # One column out of each of nnz strips: sorted and without repeats.
    strip = d // nnz
    indices = rng.integers(strip, size=(n, nnz), dtype=np.int32)
    indices += strip * np.arange(nnz, dtype=np.int32)
    data = rng.standard_normal((n, nnz)) / np.sqrt(nnz)
    ends = np.arange(0, n * nnz + 1, nnz, dtype=np.int64)
    X = sp.csr_matrix((data.ravel(), indices.ravel(), ends), shape=(n, d))
    return X, np.where(rng.random(n) < 0.5, 1.0, -1.0)


def shuffled(X, y, seed=0):
    order = np.random.default_rng(seed).permutation(len(y))
    return X[order], y[order]
