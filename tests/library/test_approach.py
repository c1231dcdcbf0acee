"""Rounds and Newton's method together, against certified optima."""

import functools
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer

from pegasos_edu import PegasosClassifier, minimise, objective, optimum
from pegasos_edu.certificate import approach as module
from pegasos_edu.certificate import proximal
from pegasos_edu.certificate.approach import approach, read, solved
from pegasos_edu.certificate.interior import solve_box
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


@pytest.mark.parametrize("lam", [1e-3, 1e-4, 1e-6])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_nor_with_the_log_loss(lam, form):
    """1,000 rounds alone would end with a gap of 1.7 at λ = 1e-4."""
    found, rounds = approach(form(RAW), SIGNS, lam, "log", 1e-6, 1000)
    assert 0.0 <= found.gap <= 1e-6 and rounds < 20
    best = optimum(RAW, SIGNS, lam, "log")
    assert found.primal == pytest.approx(best.primal, rel=1e-6)
    model = PegasosClassifier(lam, loss="log", random_state=0).fit(RAW, KINDS)
    assert model.gap_ <= model.tol and model.n_iter_ < 20


def test_rounds_of_the_log_loss_end_when_newton_costs_no_more(monkeypatch):
    asked = []

    def never(*arguments):
        asked.append(arguments[4].passes)
        return arguments[4]

    monkeypatch.setattr(module, "ended", never)
    monkeypatch.setattr(module, "A_ROUND", 0)
    for n, d in ((60, 6), (20, 40)):
        asked.clear()
        X, y = random_problem(seed=2, n=n, d=d)
        _, rounds = approach(X, y, 1e-6, "log", -1.0, 50)
        assert rounds == 50 and len(asked) == 1
        price = 20 + (7**2 / 6 / 20 if n == 60 else 0)
        assert price <= asked[0] < price + 2
    approach(X, y, 1e-6, "log", None, 50)
    assert len(asked) == 1


def test_ascent_alone_would_not_have_done_it(monkeypatch):
    monkeypatch.setattr(module, "MOST_NUMBERS", 0)
    monkeypatch.setattr(module, "QUARTER", np.inf)
    with pytest.warns(RuntimeWarning, match="gap is .* after max_rounds = 9"):
        minimise(RAW, SIGNS, 1e-4, max_rounds=90)


@pytest.mark.parametrize("soon", [False, True])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("constant", [0.0, 2.5])
@pytest.mark.parametrize("weighted", [False, True])
def test_newton_finds_what_is_written_out(weighted, constant, form, soon):
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
    found = solved(form(X), y, 0.01 * scale, 1e-6, first, **own, soon=soon)
    assert 0 <= found.gap <= 1e-6 and found.passes == first.passes
    assert found.primal == pytest.approx(best.primal * scale, rel=2e-6)
    assert found.dual <= best.primal * scale * (1 + 1e-12)
    assert ((found.alpha >= 0) & (found.alpha <= weights)).all()
    d = len(found.w)
    if not soon:  # there w is w(α) but for the gap
        direct = wide[:, :d].T @ (found.alpha * y) / (0.01 * scale * 40)
        assert_close(found.w, direct, rtol=1e-9)


@pytest.fixture
def asked(monkeypatch):
    """What was paid, in passes, when Newton's method was asked in vain."""
    asked = []

    def never(*arguments):
        asked.append((arguments[-1], arguments[4].passes))
        return arguments[4]

    monkeypatch.setattr(module, "solved", never)
    return asked


@pytest.mark.parametrize("cheap", [True, False])
def test_it_begins_when_the_rounds_have_cost_enough(cheap, asked, monkeypatch):
    """Interior points come second, and nothing comes twice."""
    X, y = random_problem(seed=2, n=60)
    monkeypatch.setattr(module, "AT_LEAST", 0 if cheap else 10**12)
    monkeypatch.setattr(module, "SOONER", 0 if cheap else -(10**12))
    _, rounds = approach(X, y, 1e-6, "hinge", 1e-12, 20)
    assert [soon for soon, _ in asked] == [True, False][: 2 * cheap]
    assert rounds == 20
    for words in ((None, "hinge"), (1e-12, "log")):
        approach(X, y, 1e-6, words[1], words[0], 20)
    assert len(asked) == 2 * cheap


@pytest.mark.parametrize("n, d", [(60, 6), (20, 40)])
def test_what_it_costs_is_known_beforehand(n, d, asked, monkeypatch):
    """A quarter of some thirty steps, half of twenty; and not sooner."""
    X, y = random_problem(seed=2, n=n, d=d)
    for name in ("AT_LEAST", "A_ROUND", "A_STEP", "SOONER"):
        monkeypatch.setattr(module, name, 0)
    unreachable = -1.0
    approach(X, y, 1e-6, "hinge", unreachable, 200)
    # (d + 1)² n each, or n³ where there are fewer rows than columns.
    product = 60 * 7**2 if n == 60 else 20**3
    prices = 8 * (2 * n * d + product / 60), 10 * product
    assert [soon for soon, _ in asked] == [True, False]
    for (_, passes), price in zip(asked, prices):
        assert price <= passes * n * d < price + 2 * n * d


def test_tiny_data_have_it_after_one_round(asked):
    X, y = random_problem(seed=2, n=60)
    approach(X, y, 1e-6, "hinge", 1e-12, 20)
    first = next(ascend(X, y, 1e-6))
    assert asked[0] == (True, first.passes)


def test_interior_points_help_where_the_others_do_not(monkeypatch):
    """As where rounding stops those: here they may not make one step."""
    monkeypatch.setattr(proximal, "MOST_STEPS", 1)
    first = next(ascend(RAW, SIGNS, 1e-4))
    assert solved(RAW, SIGNS, 1e-4, 1e-6, first, soon=True).gap > 0.1
    found, _ = approach(RAW, SIGNS, 1e-4, "hinge", 1e-6, 200)
    assert found.gap <= 1e-6


# The program in a box, to a percent


def problem_in_a_box(seed, most):
    rng = np.random.default_rng(seed)
    m, d = rng.integers(1, most, 2)
    counts = rng.integers(1, 4, m).astype(float)
    sizes = 10.0 ** rng.uniform(-2, 2, d)
    return counts[:, None] * rng.normal(size=(m, d)) * sizes, counts


@settings(deadline=None)
@given(seed=st.integers(0, 10**6), far=st.booleans())
@pytest.mark.parametrize("tol", [1e-1, 1e-2, 1e-4])
def test_the_gap_is_reached_from_anywhere(tol, seed, far):
    Z, b = problem_in_a_box(seed, 25)
    start = far * np.random.default_rng(seed).normal(size=Z.shape[1])
    alpha, v = proximal.solve_soon(Z, b, start, tol)
    primal = 0.5 * v @ v + np.maximum(b - Z @ v, 0.0).sum()
    dual = b @ alpha - 0.5 * ((Z.T @ alpha) ** 2).sum()
    assert ((alpha >= 0.0) & (alpha <= 1.0)).all()
    assert dual <= primal * (1 + 1e-14) + 1e-12
    assert primal <= dual + tol * primal + 1e-12
    best, _ = solve_box(Z, b, 1e-9)
    least = 0.5 * ((Z.T @ best) ** 2).sum() - b @ best
    assert -dual <= least + tol * primal + 1e-9


@pytest.mark.parametrize("m, d", [(200, 6), (200, 30), (30, 200)])
def test_it_takes_few_steps(m, d, monkeypatch):
    """Half of 20 problems take at most the 32 that are reckoned with."""
    steps = []

    def counted(F, *arguments, of=proximal._newton):
        steps[-1] += 1
        return of(F, *arguments)

    monkeypatch.setattr(proximal, "_newton", counted)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        steps.append(0)
        Z = 10.0 * rng.normal(size=(m, d))
        proximal.solve_soon(Z, np.ones(m), np.zeros(d), 0.01)
    assert 0 < np.median(steps) <= 32


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


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_data_of_more_numbers_are_not_copied(form, monkeypatch):
    """Features on scales of their own, where rounds of ascent come to little.

    A copy and what is made of it would be twice the data.
    """
    rng = np.random.default_rng(0)
    rows = rng.integers(len(SIGNS), size=34_000)
    noise = rng.standard_normal((len(rows), RAW.shape[1]))
    X, y = RAW[rows] * (1 + 0.05 * noise), SIGNS[rows]
    assert X.size > module.MOST_NUMBERS
    monkeypatch.setattr(module, "solved", None)  # never asked
    given = form(X)
    approach(given, y, 1e-4, "hinge", 0.01, 100)  # compiled once, all of it
    tracemalloc.start()
    found, rounds = approach(given, y, 1e-4, "hinge", 0.01, 100)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found.gap <= 0.01 and rounds < 100
    assert peak < 0.8 * X.nbytes


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("constant", [0.0, 2.5])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("direct", [False, True])
def test_data_read_in_place_lead_to_the_same(
    direct, weighted, constant, dtype, form, monkeypatch
):
    """As written out: weights are repeated rows, a constant is a column."""
    monkeypatch.setattr(proximal, "has_factor", lambda *sizes: direct)
    X, y = random_problem(seed=1, n=40)
    X = X.astype(dtype)
    weights = np.ones(40, dtype=int)
    if weighted:
        weights = np.random.default_rng(0).integers(0, 4, size=40)
    wide = np.column_stack([X.astype(float), np.full(40, constant)])
    many = np.repeat(wide, weights, axis=0), np.repeat(y, weights)
    scale = weights.sum() / 40
    best = optimum(*many, 0.01, "hinge")
    own = dict(weights=weights.astype(float), constant=constant)
    first = next(ascend(form(X), y, 0.01 * scale, **own))
    found = read(form(X), y, 0.01 * scale, 1e-6, first, **own)
    assert 0 <= found.gap <= 1e-6 and found.passes == first.passes
    assert found.primal == pytest.approx(best.primal * scale, rel=2e-6)
    assert found.dual <= best.primal * scale * (1 + 1e-12)
    assert ((found.alpha >= 0) & (found.alpha <= weights)).all()
    d = len(found.w)
    f = 0.005 * scale * found.w @ found.w
    f += np.maximum(1 - many[1] * (many[0][:, :d] @ found.w), 0).sum() / 40
    assert found.primal == pytest.approx(f, rel=1e-9)


def uneven(seed):
    """Sparse rows, whose columns differ by a factor of a million."""
    rng = np.random.default_rng(seed)
    draw = np.random.default_rng(seed)  # SciPy 1.13 has no argument `rng`
    X = sp.random_array((3000, 600), density=0.01, random_state=draw).tocsr()
    noise = 0.3 * rng.normal(size=3000)
    y = np.where(X @ rng.normal(size=600) + noise > 0, 1, -1)
    sizes = sp.diags_array(10.0 ** rng.uniform(-3, 3, 600))
    return sp.csr_array(X @ sizes), y


@pytest.mark.parametrize("lam", [1e-4, 1e-6])
@pytest.mark.parametrize("seed", range(3))
def test_sparse_data_with_uneven_columns_are_certified(seed, lam):
    X, y = uneven(seed)
    assert np.prod(X.shape) > module.MOST_NUMBERS
    model = PegasosClassifier(lam, random_state=0).fit(X, y)
    assert model.gap_ <= 0.01 and model.n_iter_ < 100
    wide = sp.hstack([X, np.ones((3000, 1))], format="csr")
    w = np.append(model.coef_[0], model.intercept_)
    f = objective(w, wide, y, lam)
    least = minimise(wide, y, lam, tol=1e-3, seed=1).dual
    assert least * (1 - 1e-12) <= f <= least / (1 - 0.01)


@pytest.mark.parametrize("far", [1.0, 2000.0])
def test_so_are_dense_data_too_large_to_copy(far, monkeypatch):
    """One column has a mean 200 times its own deviation."""
    monkeypatch.setattr(module, "MOST_NUMBERS", 10**5)
    monkeypatch.setattr(module, "solved", None)  # never asked
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40_000, 20))
    y = np.where(X[:, 0] + X[:, 1] + rng.normal(size=40_000) > 0, 1, -1)
    X[:, 1] = far + 10 * X[:, 1]
    found, rounds = approach(X, y, 1e-4, "hinge", 0.01, 200)
    assert found.gap <= 0.01 and rounds < 100
    tracemalloc.start()
    approach(X, y, 1e-4, "hinge", 0.01, 200)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < X.nbytes


@pytest.mark.parametrize("far", [True, False])
def test_rounds_that_get_ahead_may_go_on(far, monkeypatch):
    """So that Newton's method is no loss where they are nearly there."""
    asked = []

    def never(*arguments):
        asked.append(arguments[4])
        return arguments[4]

    monkeypatch.setattr(module, "read", never)
    monkeypatch.setattr(module, "A_ROUND", 0)
    monkeypatch.setattr(module, "MOST_NUMBERS", 0)
    X, y = (sp.csr_array(RAW), SIGNS) if far else uneven(0)
    monkeypatch.setattr(module, "has_factor", lambda *sizes: False)
    approach(X, y, 1e-4 if far else 1.0, "hinge", 1e-12, 200)
    (now,) = asked
    assert (now.gap > 0.5) == far
    price = module.IN_PLACE if far else 3 * module.IN_PLACE
    assert price <= now.passes < price + 2


def test_products_in_vain_come_to_an_end(monkeypatch):
    """Then the rounds go on."""
    X, y = uneven(0)
    few = functools.partial(read, most_products=1)
    monkeypatch.setattr(module, "read", few)
    assert few(X, y, 1e-6, 0.01, next(ascend(X, y, 1e-6))).gap > 0.5
    found, rounds = approach(X, y, 1e-6, "hinge", 1e-3, 150)
    assert rounds == 150 and 1e-3 < found.gap <= 1.0
