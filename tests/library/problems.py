"""Small problems and the solvers, for the tests of the package."""

import numpy as np
import scipy.sparse as sp

from pegasos_edu.solvers import closed_form, compiled, dense, loop, sparse

SOLVERS = {
    "loop": loop.pegasos,
    "dense": dense.pegasos,
    "sparse": sparse.pegasos,
    "closed_form": closed_form.pegasos,
    "compiled": compiled.pegasos,
}
TAKE_SPARSE = {
    name: SOLVERS[name] for name in ("sparse", "closed_form", "compiled")
}


def random_problem(seed, n=30, d=6, density=0.7):
    """Continuous data, so that no margin is 1 by accident."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * (rng.random((n, d)) < density)
    y = np.where(rng.random(n) < 0.5, -1.0, 1.0)
    y[:2] = -1.0, 1.0
    return X, y


def random_csr(seed, **shape):
    X, y = random_problem(seed, **shape)
    return sp.csr_array(X), y


def assert_close(found, wanted, rtol=1e-12, floor=0.0):
    """Row by row: the error is at most rtol times the largest entry.

    An error of at most `floor` counts as none.
    """
    found, wanted = np.atleast_2d(found), np.atleast_2d(wanted)
    assert found.shape == wanted.shape
    size = np.abs(wanted).max(axis=1)
    error = np.abs(found - wanted).max(axis=1)
    wrong = error > np.maximum(rtol * size, floor)
    assert not wrong.any(), f"{error[wrong]} where the size is {size[wrong]}"


def assert_same_run(found, wanted, rtol=1e-12, largest=0.0):
    """Two runs agree at the end and at every snapshot.

    `largest` is the largest entry of the iterates that are averaged. Where
    they cancel, the average may be 0 exactly, and no error is small beside
    that. The rounding of a sum is relative to its terms, not to the sum: so
    eight units in the last place of the largest term count as none.
    """
    floor = 8 * np.finfo(float).eps * largest
    assert found.steps.tolist() == wanted.steps.tolist()
    assert_close(found.last, wanted.last, rtol)
    if len(wanted.steps):
        assert_close(found.iterates, wanted.iterates, rtol)
    if wanted.average is None:
        assert found.average is None and found.averages is None
        return
    assert_close(found.average, wanted.average, rtol, floor)
    if len(wanted.steps):
        assert_close(found.averages, wanted.averages, rtol, floor)
