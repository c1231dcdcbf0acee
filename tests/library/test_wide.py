"""Many more columns than rows: the same optimum in as many as rows."""

from importlib import import_module

import numpy as np
import pytest
import scipy.sparse as sp
from threadpoolctl import threadpool_info, threadpool_limits

from pegasos_edu import optimum
from pegasos_edu.certificate import wide
from tests.library.problems import assert_close, random_problem
from tests.library.test_optimum import with_peak

module = import_module("pegasos_edu.certificate.optimum")


def wide_problem(seed, n=20, d=600, spread=0.0):
    rng = np.random.default_rng(seed)
    X, y = random_problem(seed, n, d)
    return X * 10.0 ** rng.uniform(-spread, spread, d), y


@pytest.mark.parametrize(
    "form", [np.asarray, np.asfortranarray, np.float32, np.rint]
)
@pytest.mark.parametrize("n, d", [(20, 600), (7, 30), (5, 5), (1, 3)])
def test_products_of_rows_stay(form, n, d):
    X = form(10.0 * wide_problem(0, max(n, 2), d)[0][:n])
    L = wide.triangle(X)
    full = X.astype(np.float64)
    assert L.shape == (n, n) and (np.triu(L, 1) == 0.0).all()
    assert_close(L @ L.T, full @ full.T, rtol=1e-13)
    w = full.T @ np.arange(1.0, n + 1)
    back = wide.turned_back(L.T @ np.arange(1.0, n + 1), L, X)
    assert_close(back, w, rtol=1e-11)


def test_rows_twice_and_rows_of_zeros_turn_back():
    """Then L is singular; w may still be found, as it need not be told how."""
    X = wide_problem(0)[0]
    X[10:] = X[:10]
    X[3] = 0.0
    X[4] *= 1e8
    c = np.random.default_rng(1).normal(size=20)
    c[[4, 14]] *= 1e-8
    L = wide.triangle(X)
    assert_close(wide.turned_back(L.T @ c, L, X), X.T @ c, rtol=1e-8)


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("lam", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("spread", [0.0, 3.0, 6.0])
def test_turned_or_not_the_optimum_is_the_same(spread, lam, loss):
    """Sparse data are never turned."""
    X, y = wide_problem(1, spread=spread)
    assert wide.is_wide(X)
    best, same = (
        optimum(X, y, lam, loss),
        optimum(sp.csr_array(X), y, lam, loss),
    )
    assert max(best.gap, same.gap) <= 1e-8
    assert best.primal == pytest.approx(same.primal, rel=2e-8)


def test_it_takes_no_copy_of_the_data():
    """Each of the ways that place examples in play takes several."""
    X, y = wide_problem(2, n=60, d=6000)
    optimum(X[:, :1000], y, 1e-4)  # what is compiled and imported once
    for kind in (np.float64, np.float32):
        few = X.astype(kind)
        best, most = with_peak(lambda few=few: optimum(few, y, 1e-4))
        assert best.gap <= 1e-8 and most <= 0.8 * few.nbytes


def test_one_row_with_both_labels_is_certified():
    """The log loss of ten rows twice, five of them once with each label.

    Theirs is at least ln 2, and rounding kept Newton's method on X itself
    from telling the other losses from 0.
    """
    X, y = wide_problem(3, spread=3.0)
    X[10:] = X[:10]
    y[:10], y[10:] = 1.0, np.tile([-1.0, 1.0], 5)
    for columns in (600, 100):  # turned at once; only where it is needed
        for lam in (1e-2, 1e-4, 1e-6):
            assert optimum(X[:, :columns], y, lam, "log").gap <= 1e-8


def test_rounding_by_turning_is_made_good(monkeypatch):
    """What does not help is given up for X itself."""
    X, y = wide_problem(1)
    wanted = optimum(X, y, 1e-4)
    monkeypatch.setattr(module, "turned_back", lambda w, L, X: X[0])
    assert optimum(X, y, 1e-4).primal == pytest.approx(wanted.primal)


@pytest.mark.parametrize(
    "loss, work", [("hinge", "ascend"), ("log", "solve_log")]
)
def test_arrays_are_multiplied_on_one_thread(loss, work, monkeypatch):
    """So that others' programs, and how many cores there are, do not matter.

    Products of a few rows wake a second thread that then waits for the next.
    """
    seen = []

    def counted(*arguments, of=getattr(module, work), **options):
        seen.extend(
            library["num_threads"]
            for library in threadpool_info()
            if library["user_api"] == "blas"
        )
        return of(*arguments, **options)

    monkeypatch.setattr(module, work, counted)
    with threadpool_limits(2, "blas"):
        optimum(*random_problem(seed=1), 1e-2, loss)
    assert seen and set(seen) == {1}
