"""Rounds and interior points together, against certified optima."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_breast_cancer

from pegasos_edu import PegasosClassifier, minimise, objective, optimum
from pegasos_edu.certificate import approach as module
from pegasos_edu.certificate.approach import approach, solved
from pegasos_edu.solvers.ascent import ascend
from tests.library.problems import assert_close, random_problem

RAW, KINDS = load_breast_cancer(return_X_y=True)
SIGNS = np.where(KINDS == 1, 1.0, -1.0)


@pytest.mark.parametrize("lam", [1e-3, 1e-4, 1e-6])
def test_columns_of_all_sizes_are_no_obstacle(lam):
    """As measured, columns differ by a factor of 200,000; no warning."""
    assert np.ptp(np.log10(RAW.max(axis=0))) > 5
    model = PegasosClassifier(lam, random_state=0).fit(RAW, KINDS)
    assert model.gap_ <= model.tol and model.n_iter_ < model.max_iter
    wide = np.column_stack([RAW, np.ones(len(SIGNS))])
    w = np.append(model.coef_[0], model.intercept_)
    f = objective(w, wide, SIGNS, lam)
    least = minimise(wide, SIGNS, lam, tol=1e-3).dual
    assert least <= f <= least / (1 - 0.01)


def test_ascent_alone_would_not_have_done_it(monkeypatch):
    monkeypatch.setattr(module, "MOST_NUMBERS", 0)
    with pytest.warns(RuntimeWarning, match="gap is .* after max_rounds = 9"):
        minimise(RAW, SIGNS, 1e-4, max_rounds=90)


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("constant", [0.0, 2.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_interior_points_find_what_is_written_out(weighted, constant, form):
    """Weight 3 is three equal rows; a constant is a column of its own."""
    X, y = random_problem(seed=1, n=40)
    weights = np.ones(40, dtype=int)
    if weighted:
        weights = np.random.default_rng(0).integers(0, 4, size=40)
    wide = np.column_stack([X, np.full(40, constant)])
    many = np.repeat(wide, weights, axis=0), np.repeat(y, weights)
    scale = weights.sum() / 40
    best = optimum(*many, 0.01, "hinge")
    own = dict(weights=weights.astype(float), constant=constant)
    first = next(ascend(form(X), y, 0.01 * scale, **own))
    found = solved(form(X), y, 0.01 * scale, 1e-6, first, **own)
    assert 0 <= found.gap <= 1e-6 and found.passes == first.passes
    assert found.primal == pytest.approx(best.primal * scale, rel=2e-6)
    assert found.dual <= best.primal * scale * (1 + 1e-12)
    assert ((found.alpha >= 0) & (found.alpha <= weights)).all()
    d = len(found.w)
    direct = wide[:, :d].T @ (found.alpha * y) / (0.01 * scale * 40)
    assert_close(found.w, direct, rtol=1e-9)


@pytest.mark.parametrize("cheap", [True, False])
def test_they_begin_when_the_rounds_have_cost_as_much(cheap, monkeypatch):
    X, y = random_problem(seed=2, n=60)
    asked = []

    def never(*arguments):
        asked.append(arguments[4].passes)
        return arguments[4]

    monkeypatch.setattr(module, "solved", never)
    monkeypatch.setattr(module, "AT_LEAST", 0 if cheap else 10**12)
    _, rounds = approach(X, y, 1e-6, "hinge", 1e-12, 20)
    assert len(asked) == cheap and rounds == 20
    for words in ((None, "hinge"), (1e-12, "log")):
        approach(X, y, 1e-6, words[1], words[0], 20)
    assert len(asked) == cheap


@pytest.mark.parametrize("n, d", [(60, 6), (20, 40)])
def test_what_they_cost_is_known_beforehand(n, d, monkeypatch):
    """About twenty halves of a product of Z with Z, and not sooner."""
    X, y = random_problem(seed=2, n=n, d=d)
    asked = []

    def never(*arguments):
        asked.append(arguments[4].passes * n * d)
        return arguments[4]

    monkeypatch.setattr(module, "solved", never)
    monkeypatch.setattr(module, "AT_LEAST", 0)
    monkeypatch.setattr(module, "A_ROUND", 0)
    unreachable = -1.0
    approach(X, y, 1e-6, "hinge", unreachable, 200)
    # (d + 1)² n each, or n³ where there are fewer rows than columns.
    product = 60 * 7**2 if n == 60 else 20**3
    assert len(asked) == 1
    assert 10 * product <= asked[0] < 15 * product


def test_the_better_of_the_two_is_returned(monkeypatch):
    X, y = random_problem(seed=3, n=60)
    monkeypatch.setattr(module, "AT_LEAST", 0)
    unreachable = -1.0
    now, rounds = approach(X, y, 1e-6, "hinge", unreachable, 20)
    assert rounds == 20
    alone = list(zip(range(20), ascend(X, y, 1e-6)))[-1][1]
    assert now.gap < alone.gap


def test_what_is_optional_is_given_by_name():
    """A seventh value in a row could be weights or a seed."""
    X, y = random_problem(seed=3)
    with pytest.raises(TypeError, match="positional"):
        approach(X, y, 0.1, "hinge", 0.1, 5, np.ones(30))
