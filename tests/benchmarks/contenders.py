"""Who takes part: each is a function (X, y, lam, passes) -> w."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.svm import LinearSVC

from pegasos_edu import draw_order
from pegasos_edu.page.races import largest_square
from pegasos_edu.solvers import compiled, dual
from pegasos_edu.solvers.sparse import as_rows
from pegasos_edu.solvers.steps import PegasosStep


def head_start(X, lam):
    """t₀ = R²/λ, with R the largest norm among the first thousand rows."""
    return largest_square(X[:1000]) / lam


def recipe(
    X,
    y,
    lam,
    passes,
    sampling="blocks",
    start=True,
    output="half",
    loss="hinge",
    seed=0,
):
    """Reshuffled blocks, step 1/(λ(t + t₀)), average of the last half.

    The arguments after `passes` leave out one ingredient or another.
    """
    T = max(1, round(passes * len(y)))
    t0 = head_start(X, lam) if start else 0.0
    average_from = {"half": T // 2 + 1, "all": 1, "last": None}[output]
    run = compiled.pegasos(
        X,
        y,
        lam,
        T,
        seed=seed,
        sampling=sampling,
        loss=loss,
        step=PegasosStep(lam, t0),
        average_from=average_from,
    )
    return run.last if output == "last" else run.average


def plain(X, y, lam, passes, seed=0):
    """Pegasos as printed: drawn with replacement, the last iterate."""
    options = dict(sampling="iid", start=False, output="last")
    return recipe(X, y, lam, passes, seed=seed, **options)


def dual_ascent(X, y, lam, passes, seed=0):
    """Plain SDCA, without a pull, by the package's own steps, compiled."""
    n, d = X.shape
    advance, convert = compiled.fastest(dual.advance)
    w, alpha = np.zeros(d), np.zeros(n)
    order = draw_order(n, passes * n, sampling="epochs", seed=seed)
    advance(as_rows(X, convert), y, convert(order), lam * n, None, w, alpha)
    return w


def sgd(X, y, lam, passes, average=False, seed=0, **options):
    """SGDClassifier; average may be "half" for the last half."""
    if average == "half":
        average = max(1, passes * len(y) // 2)
    model = SGDClassifier(
        alpha=lam,
        max_iter=passes,
        tol=None,
        fit_intercept=False,
        average=average,
        random_state=seed,
        **options,
    )
    return model.fit(X, y).coef_[0]


def linear_svc(X, y, lam, passes, seed=0, tol=1e-4):
    """liblinear's dual coordinate descent, hinge loss.

    It puts rows aside and looks at them again only when the others meet
    `tol`. So a tolerance that is out of reach leaves it at a wrong point,
    however many passes it has.
    """
    model = LinearSVC(
        loss="hinge",
        C=1.0 / (lam * len(y)),
        fit_intercept=False,
        max_iter=passes,
        tol=tol,
        random_state=seed,
    )
    return model.fit(X, y).coef_[0]


def logistic(X, y, lam, passes):
    """LogisticRegression, L-BFGS; a pass is one iteration."""
    model = LogisticRegression(
        C=1.0 / (lam * len(y)),
        fit_intercept=False,
        max_iter=passes,
        tol=1e-12,
    )
    return model.fit(X, y).coef_[0]


C_SOURCE = r"""
#include <stdint.h>
/* Pegasos without projection: v is the sum of the violators. */
void pegasos(const int32_t *indptr, const int32_t *indices,
             const double *data, const double *y, const int64_t *order,
             int64_t T, double lam, double *v)
{
    for (int64_t t = 1; t <= T; t++) {
        int64_t i = order[t - 1];
        double score = 0.0;
        for (int32_t p = indptr[i]; p < indptr[i + 1]; p++)
            score += v[indices[p]] * data[p];
        if (t == 1 || y[i] * score < lam * (t - 1))
            for (int32_t p = indptr[i]; p < indptr[i + 1]; p++)
                v[indices[p]] += y[i] * data[p];
    }
}
"""


def compile_c(folder):
    """The same loop in C, or None where there is no compiler."""
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        return None
    source, library = Path(folder) / "loop.c", Path(folder) / "loop.so"
    source.write_text(C_SOURCE)
    subprocess.run(
        [compiler, "-O3", "-shared", "-fPIC", source, "-o", library],
        check=True,
    )
    function = ctypes.CDLL(str(library)).pegasos

    def run(X, y, lam, order):
        v = np.zeros(X.shape[1])
        arrays = (X.indptr, X.indices, X.data, y, order)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        function(
            *pointers,
            ctypes.c_int64(len(order)),
            ctypes.c_double(lam),
            ctypes.c_void_p(v.ctypes.data),
        )
        return v / (lam * len(order))

    return run


C_FOLDER = tempfile.TemporaryDirectory()
c_loop = compile_c(C_FOLDER.name)
