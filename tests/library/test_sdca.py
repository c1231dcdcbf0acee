"""Dual ascent with the arguments of the rungs, held to plain NumPy."""

import inspect

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu import draw_order, optimum
from pegasos_edu.certificate.gap import certify, weights_from
from pegasos_edu.solvers import sdca
from pegasos_edu.solvers.sdca import OnTheDual, dual_ascent
from pegasos_edu.solvers.signatures import Shared
from pegasos_edu.solvers.sparse import plain
from pegasos_edu.solvers.steps import Constant, PegasosStep
from tests.library.problems import assert_close, random_problem


def by_hand(X, y, lam, order, loss):
    """Every w_{t+1}, and α, from the definition of the best α_i."""
    n, alpha, iterates = len(y), np.zeros(len(y)), []
    for i in order:
        curvature = X[i] @ X[i] / (lam * n)
        margin = y[i] * (X[i] @ weights_from(alpha, X, y, lam))
        low, high = 0.0, 1.0  # where the slope of the dual changes its sign
        for _ in range(60):
            a = 0.5 * (low + high)
            reached = margin + (a - alpha[i]) * curvature
            slope = 1.0 - reached
            if loss == "log":
                slope = np.log1p(-a) - np.log(a) - reached
            low, high = (a, high) if slope > 0 else (low, a)
        alpha[i] = 0.5 * (low + high)
        iterates.append(weights_from(alpha, X, y, lam))
    return np.array(iterates), alpha


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("since", [1, 8, 41, 60])
def test_every_iterate_and_average_is_that_of_the_definition(
    since, form, loss
):
    X, y = random_problem(seed=1, n=20)
    order = draw_order(20, 60, sampling="epochs", seed=3)
    kept = [1, 7, 8, 30, 60]
    run = dual_ascent(
        form(X),
        y,
        0.05,
        order=order,
        loss=loss,
        average_from=since,
        snapshots=kept,
    )
    after, alpha = by_hand(X, y, 0.05, order, loss)
    assert_close(run.alpha, alpha, rtol=1e-7)
    assert_close(run.iterates, after[np.array(kept) - 1], rtol=1e-7)
    np.testing.assert_array_equal(run.last, run.iterates[-1])
    before = np.vstack([np.zeros(6), after[:-1]])  # w_1, …, w_T
    for t, average in zip(kept, run.averages):
        wanted = after[t - 1] if t < since else before[since - 1 : t].mean(0)
        np.testing.assert_allclose(average, wanted, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("lam", [1e-1, 1e-2])
def test_it_comes_to_the_certified_optimum(lam, loss):
    X, y = random_problem(seed=2, n=50)
    best = optimum(X, y, lam, loss)
    run = dual_ascent(X, y, lam, 20_000, seed=0, sampling="epochs", loss=loss)
    assert_close(run.last, weights_from(run.alpha, X, y, lam), rtol=1e-9)
    pair = certify(run.last, run.alpha, X, y, lam, loss)
    assert -1e-12 <= pair.gap <= 1e-6
    assert pair.dual <= best.primal * (1 + 1e-12)
    assert best.dual <= pair.primal * (1 + 1e-12)


def test_no_average_and_the_interpreter(monkeypatch):
    X, y = random_problem(seed=3)
    shared = dict(T=90, seed=1, snapshots=[4, 90], average_from=None)
    quick = dual_ascent(X, y, 0.1, **shared)
    assert quick.average is None and quick.averages is None
    monkeypatch.setattr(sdca, "fastest", lambda function: (function, plain))
    for form in (np.asarray, sp.csr_array):
        slow = dual_ascent(form(X), y, 0.1, **shared)
        assert_close(slow.iterates, quick.iterates, rtol=1e-10)
        assert_close(slow.alpha, quick.alpha, rtol=1e-10)


@pytest.mark.parametrize(
    "options, begins",
    [
        (dict(step=Constant(0.1)), "step is .*; expected none: dual ascent"),
        (dict(step=PegasosStep(0.1, 5.0)), "step is .*; expected none"),
        (dict(radius=1.0), "radius is 1.0; expected no projection"),
        (dict(k=2), "k is 2; expected 1: dual ascent"),
        (dict(start=np.full(6, 0.1)), "start is given; expected none"),
    ],
)
def test_what_it_has_no_use_for_is_refused(options, begins):
    X, y = random_problem(seed=3)
    with pytest.raises(ValueError, match=begins):
        dual_ascent(X, y, 0.1, 10, seed=0, **options)
    with pytest.raises(TypeError, match="sdca.dual_ascent has no argument"):
        dual_ascent(X, y, 0.1, 10, sead=0)


def test_hints_name_its_arguments():
    _, *hinted, _ = inspect.signature(OnTheDual.__call__).parameters.values()
    called = inspect.signature(dual_ascent).parameters
    named = [each.name for each in hinted]
    assert sorted([*named, *Shared.__annotations__]) == sorted(called)
