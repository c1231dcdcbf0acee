"""Dual ascent against hand work, certified optima and scikit-learn."""

import itertools
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.optimize import brentq
from sklearn.datasets import load_digits

from pegasos_edu import draw_order, minimise, optimum
from pegasos_edu.certificate.gap import certify, weights_from
from pegasos_edu.solvers import ascent, closed_form, compiled, dual, sparse
from pegasos_edu.solvers.ascent import ascend
from pegasos_edu.solvers.dual import hinge_best, log_best
from pegasos_edu.solvers.sparse import as_rows
from pegasos_edu.solvers.steps import PegasosStep
from tests.library.problems import assert_close, random_problem

LOSSES = ["hinge", "log"]


def rounds(count, *problem, **options):
    """The ends of so many rounds; alpha is copied, for it is changed."""
    ends = itertools.islice(ascend(*problem, **options), count)
    return [replace(end, alpha=end.alpha.copy()) for end in ends]


def until(tol, *problem, **options):
    ways = ascend(*problem, **options)
    end = next(end for end in ways if end.gap <= tol or end.passes > 20_000)
    assert end.gap <= tol
    return end


def interpret(monkeypatch):
    monkeypatch.setattr(
        ascent, "fastest", lambda function: (function, sparse.plain)
    )


# One step


def test_one_step_by_hand():
    """Example (2, 0), y = +1, with λn = 1, stands at w = (0.25, 0).

    Its margin is 0.5. Half a unit is missing, and α_i + δ adds 4δ: so
    δ = 0.125, and w gains 0.125·(2, 0).
    """
    X, w, alpha = np.array([[2.0, 0.0]]), np.array([0.25, 0.0]), np.zeros(1)
    rows = None, None, X, 0.0
    dual.advance(rows, [1.0], [0], 1.0, [4.0], w, alpha)
    assert alpha.tolist() == [0.125] and w.tolist() == [0.5, 0.0]


def test_a_round_with_a_pull_by_hand():
    """One example x = 2 in ±, n = 2, λ = 1: the pull is 4/2 − 1 = 1.

    Under λ + κ = 2 a step from w = 0 sets 4α/(2·2) = 1, so α = 1 for the
    row that comes first; then w = 0.5, both margins are 1 and the other row
    stays at 0. No example is free. g = αyx/n = 1, so the bound is
    ½ − 1²/2 = 0, and the mean of w = 0.5 twice has f = 1/8.
    """
    X, y = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])
    (end,) = rounds(1, X, y, 1.0)
    assert sorted(end.alpha.tolist()) == [0.0, 1.0]
    assert end.w.tolist() == [0.5] and end.passes == 1.0
    assert (end.primal, end.dual) == (0.125, 0.0)


def test_the_same_round_without_the_pull_by_hand():
    """Now 4α/2 = 1, so α = ½ and w = 0.5, where both margins are 1.

    In the third round the free example is visited twice more, and stays. The
    bound, ¼ − ½·0.5², meets f: 1/8.
    """
    X, y = np.array([[2.0], [-2.0]]), np.array([1.0, -1.0])
    *_, before, end = rounds(3, X, y, 1.0, pull=False)
    assert sorted(end.alpha.tolist()) == [0.0, 0.5]
    assert end.w.tolist() == [0.5]
    assert (before.passes, end.passes) == (2.0, 4.0)
    assert (end.primal, end.dual) == (0.125, 0.125)


def test_a_round_is_a_record_that_no_slip_changes():
    (end,) = rounds(1, np.array([[2.0], [-2.0]]), np.array([1.0, -1.0]), 1.0)
    with pytest.raises(FrozenInstanceError, match="primal"):
        end.primal = 0.0


@pytest.mark.parametrize("seed", range(20))
def test_a_step_of_either_loss_solves_its_equation(seed):
    rng = np.random.default_rng(seed)
    most = rng.uniform(0.1, 3.0)
    alpha, margin = most * rng.random(), 5 * rng.normal()
    curvature = np.exp(4 * rng.normal())

    def excess(a, slope):
        return slope(margin + (a - alpha) * curvature) * most + a

    found = log_best(alpha, margin, curvature, most)
    wanted = brentq(excess, 0.0, most, (lambda m: -1 / (1 + np.exp(m)),))
    assert found == pytest.approx(wanted, rel=1e-8, abs=1e-10)
    found = hinge_best(alpha, margin, curvature, most)
    reached = margin + (found - alpha) * curvature
    assert 0 <= found <= most
    assert (
        reached == pytest.approx(1.0)
        or (found == 0 and reached > 1)
        or (found == most and reached < 1)
    )


def test_steps_far_out_stay_finite():
    for margin in (-1e6, 1e6):
        assert 0.0 <= log_best(0.5, margin, 1e-9, 1.0) <= 1.0
        assert 0.0 <= log_best(0.5, margin, 1e9, 1.0) <= 1.0
    assert hinge_best(0.0, 0.0, 0.0, 2.0) == 2.0
    assert log_best(0.0, 0.0, 0.0, 2.0) == pytest.approx(1.0)


# The way up


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4])
def test_the_gap_is_never_below_the_distance_to_the_optimum(lam, loss):
    for seed in range(5):
        X, y = random_problem(seed)
        best = optimum(X, y, lam, loss)
        for end in rounds(15, X, y, lam, loss, seed=seed):
            assert end.dual <= best.primal * (1 + 1e-12)
            assert end.primal >= best.dual * (1 - 1e-12)
            assert end.gap >= (end.primal - best.primal) / end.primal - 1e-12


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4])
def test_what_is_said_of_w_and_alpha_is_so(lam, loss):
    """f(w) and D(α) anew, from the definitions."""
    X, y = random_problem(seed=1)
    for end in rounds(15, X, y, lam, loss):
        pair = certify(end.w, end.alpha, X, y, lam, loss)
        assert end.primal == pytest.approx(pair.primal, rel=1e-12)
        assert end.dual == pytest.approx(pair.dual, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("loss", LOSSES)
def test_no_bound_is_lost_again(loss):
    """The present α may prove less than an earlier one, or than α = 0."""
    X, y = random_problem(seed=1)
    kept = rounds(60, 1e3 * X, y, 1e-4, loss)
    present = rounds(60, 1e3 * X, y, 1e-4, loss, keep=False)
    highest, lowest = 0.0, 0.0
    for end, now in zip(kept, present):
        found = certify(now.w, now.alpha, 1e3 * X, y, 1e-4, loss)
        highest = max(highest, found.dual)
        lowest = min(lowest, found.dual)
        assert end.dual == pytest.approx(highest, rel=1e-6, abs=1e-12)
        assert end.dual == now.dual and 0.0 <= end.gap <= 1.0
        pair = certify(end.w, end.alpha, 1e3 * X, y, 1e-4, loss)
        assert end.dual == pytest.approx(pair.dual, rel=1e-6, abs=1e-12)
    assert lowest < 0.0


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("lam", [1.0, 1e-2, 1e-4, 1e-6])
def test_the_pull_leads_to_the_optimum_itself(lam, loss):
    X, y = random_problem(seed=2, n=80)
    best = optimum(X, y, lam, loss)
    end = until(1e-6, X, y, lam, loss)
    assert best.dual <= end.primal <= best.primal * (1 + 1.1e-6)


@pytest.mark.parametrize(
    "share, options",
    [(2.0, {}), (2.0, {"pull": False}), (0.1, {"pull": False})],
)
def test_with_a_large_lambda_or_on_demand_there_is_no_pull(share, options):
    """Then a round is plain dual ascent, and w = w(α) after it."""
    X, y = random_problem(seed=3)
    lam = share * (X * X).sum() / len(y) ** 2
    n, alpha, w = len(y), np.zeros(30), np.zeros(6)
    end = rounds(5, X, y, lam, seed=7, **options)[-1]
    rows, norm2 = (None, None, X, 0.0), (X * X).sum(axis=1)
    rng = np.random.default_rng(7)
    for r in range(5):
        order = ascent._all(n, np.int32, rng)
        dual.advance(rows, y, order, lam * n, norm2, w, alpha)
        if r < ascent.FIRST:
            continue
        few = ascent._free(alpha, None, np.int32, rng)
        assert ((alpha[few] > 0) & (alpha[few] < 1)).all()
        for _ in range(min(ascent.VISITS, n // len(few))):
            dual.advance(rows, y, few, lam * n, norm2, w, alpha)
    assert_close(alpha, end.alpha)
    assert_close(w, weights_from(alpha, X, y, lam))


@pytest.mark.parametrize("form", [np.asarray, sp.csr_matrix])
def test_examples_at_right_angles_have_no_pull(form):
    """Each has columns of its own, or one that all others have, too."""
    own = np.kron(np.eye(80), np.ones(3)) + 0.02
    y = np.where(np.arange(80) % 3 == 0, 1.0, -1.0)
    for add, none in ((0.0, True), (1.0, False)):
        X = form(own + add)
        assert ascent.at_right_angles(X) == none
        assert not ascent.at_right_angles(form(own.T + add))
        ends = [
            rounds(2, X, y, 1e-4, pull=pull)[-1].alpha.tolist()
            for pull in (True, False)
        ]
        assert (ends[0] == ends[1]) == none


def test_right_angles_are_those_of_all_products():
    """Here and there by all n² of them, which add up to n ‖x‖⁴."""
    rng = np.random.default_rng(0)
    for n, d in ((60, 2_000), (60, 300), (60, 70)):
        for alike in (0.0, 0.3, 1.0):
            X = rng.standard_normal((n, d)) + alike
            squares = (X @ X.T) ** 2
            alone = squares.trace()
            expected = squares.sum() - alone < alone
            assert ascent.at_right_angles(X) == expected
            assert ascent.at_right_angles(1e-9 * X) == expected


def test_with_few_examples_and_many_columns_a_small_lambda_costs_little():
    """As with texts: with a pull it took 131 rounds, and not 7."""
    X = sp.random(300, 5_000, 0.02, "csr", random_state=0)
    y = np.where(
        X @ np.random.default_rng(1).standard_normal(5_000) > 0, 1, -1
    )
    end = rounds(12, X, y.astype(float), 1e-6)[-1]
    assert end.gap <= 1e-2


def test_the_mean_of_a_half_is_that_of_its_iterates():
    X, y = random_problem(seed=4)
    norm2, order = (X * X).sum(axis=1), draw_order(30, 90, seed=0)
    rows, w, alpha = (None, None, X, 0.0), np.zeros(6), np.zeros(30)
    iterates = []
    for i in order:
        dual.advance(rows, y, [i], 3.0, norm2, w, alpha)
        iterates.append(w.copy())
    for calls in (1, 3):
        w, alpha, q = np.zeros(6), np.zeros(30), np.zeros(6)
        step, before = (rows, y), 0
        for few in np.split(order, calls):
            more = (before,) if before else ()  # 0 by default
            dual.advance(
                *step, few, 3.0, None, w, alpha, None, False, q, *more
            )
            before += len(few)
        assert_close(w - q / 90, np.mean(iterates, axis=0))


@pytest.mark.parametrize("n", [1, 15, 16, 40, 10_000])
def test_a_round_visits_all_in_the_order_of_draw_order(n):
    """In half the memory: a row number takes four bytes."""
    order = ascent._all(n, np.int32, np.random.default_rng(3))
    assert order.dtype == np.int32
    wanted = draw_order(n, n, sampling="blocks", seed=3)
    np.testing.assert_array_equal(order, wanted)


def test_the_free_examples_are_found_piece_by_piece():
    n = 2 * ascent.AT_ONCE + 5
    alpha = np.random.default_rng(0).choice([0.0, 0.5, 1.0, 2.0], size=n)
    for weights, most in ((None, 1.0), (np.full(n, 2.0), 2.0)):
        rng = np.random.default_rng(1)
        found = ascent._free(alpha, weights, np.int32, rng)
        wanted = np.flatnonzero((alpha > 0) & (alpha < most))
        shuffle = draw_order(len(wanted), len(wanted), 1, "epochs", seed=1)
        np.testing.assert_array_equal(found, wanted[shuffle])


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("log", [False, True])
def test_a_length_is_what_it_is_wherever_it_is_summed(log, dtype, form):
    """Summed before, on the way, and on the way in compiled code."""
    X, y = random_problem(seed=13)
    X, order = form(X.astype(dtype)), draw_order(30, 90, seed=0)
    long = X if form is np.asarray else X.toarray()
    norm2 = (long.astype(np.float64) ** 2).sum(axis=1) + 0.25
    ends, (quick, convert) = [], compiled.fastest(dual.advance)
    for advance, change, lengths in (
        (dual.advance, np.ndarray.tolist, norm2),
        (dual.advance, np.ndarray.tolist, None),
        (quick, convert, None),
    ):
        w, alpha = np.zeros(7), np.zeros(30)
        rows = as_rows(X, change, 0.5)
        few = change(order), 3.0, lengths, w, alpha, None, log
        advance(rows, change(y.astype(np.int8)), *few)
        ends.append(w)
    assert_close(ends[1], ends[0])
    assert_close(ends[2], ends[0])


@pytest.mark.parametrize("loss", LOSSES)
def test_weights_and_the_constant_feature_are_as_written_out(loss):
    """Weight 3 is three equal rows; a constant is a column of its own."""
    X, y = random_problem(seed=5)
    weights = np.random.default_rng(0).integers(0, 4, size=30)
    wide = np.column_stack([X, np.full(30, 2.5)])
    many = np.repeat(wide, weights, axis=0), np.repeat(y, weights)
    best = optimum(*many, 0.01, loss)
    scale = weights.sum() / 30  # n is 30, not Σ s_i
    end = until(
        1e-7,
        X,
        y,
        0.01 * scale,
        loss,
        weights=weights.astype(float),
        constant=2.5,
    )
    assert end.primal == pytest.approx(best.primal * scale, rel=1e-6)
    assert ((end.alpha >= 0) & (end.alpha <= weights)).all()
    found = next(ascend(X, y, 0.01, loss, constant=2.5))
    assert_close(found.w, next(ascend(wide, y, 0.01, loss)).w)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("constant", [0.0, 2.0])
def test_dense_sparse_and_interpreted_take_the_same_steps(
    loss, constant, monkeypatch
):
    X, y = random_problem(seed=6)
    wanted = rounds(8, X, y, 1e-3, loss, constant=constant)
    found = [rounds(8, sp.csr_array(X), y, 1e-3, loss, constant=constant)]
    interpret(monkeypatch)
    for form in (np.asarray, sp.csr_array):
        found.append(rounds(8, form(X), y, 1e-3, loss, constant=constant))
    for run in found:
        for one, other in zip(run, wanted):
            assert_close(one.w, other.w, rtol=1e-8)
            assert_close(one.alpha, other.alpha, rtol=1e-8)
            assert one.passes == other.passes


def test_float32_rows_are_read_as_they_are():
    X, y = random_problem(seed=7)
    X = X.astype(np.float32)
    one = rounds(5, X, y, 1e-3)[-1]
    two = rounds(5, X.astype(np.float64), y, 1e-3)[-1]
    assert_close(one.w, two.w, rtol=1e-9)


def test_rows_sorted_by_label_do_no_harm():
    X, y = random_problem(seed=8, n=400)
    order = np.argsort(y, kind="stable")
    assert until(1e-4, X[order], y[order], 1e-4).passes < 300


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("size", [1e-160, 1.0, 1e140])
@pytest.mark.parametrize("lam", [1e-300, 1e-12, 1e12])
def test_far_out_there_is_a_w_and_the_gap_tells_the_truth(lam, size, loss):
    X, y = random_problem(seed=6)
    with np.errstate(all="ignore"):
        end = rounds(5, size * X, y, lam, loss)[-1]
    assert np.isfinite(end.w).all()
    assert not end.gap < -1e-9


@pytest.mark.parametrize("lam", [1e-2, 1e-4, 1e-6])
def test_the_pull_leads_to_a_gap_of_a_hundred_millionth(lam):
    """And what a certificate made anew says of it is the same."""
    X, y = random_problem(seed=12, n=300)
    end = until(1e-8, X, y, lam)
    pair = certify(end.w, end.alpha, X, y, lam)
    assert abs(pair.gap) <= 2e-8
    assert end.primal == pytest.approx(optimum(X, y, lam).primal, rel=3e-8)


def test_the_pull_stays_until_a_round_has_done_its_part():
    """66 rounds here; were it weaker after every round, it took 300."""
    digits = load_digits()
    y = np.where(digits.target % 2 == 0, 1.0, -1.0)
    ways = ascend(digits.data / 16, y, 1e-5, "log")
    assert any(end.gap <= 1e-6 for end in itertools.islice(ways, 120))


def test_rows_of_zeros_and_squares_that_overflow():
    X, y = np.array([[2.0], [-2.0], [0.0]]), np.array([1.0, -1.0, 1.0])
    end = until(1e-9, X, y, 0.1)
    assert end.primal == pytest.approx(0.05 / 4 + 1 / 3)
    with pytest.raises(ValueError, match="squares of X overflow; expected"):
        next(ascend(1e200 * X, y, 0.1))


# The public call


@pytest.mark.parametrize("loss", LOSSES)
def test_minimise_returns_a_certified_w(loss):
    X, y = random_problem(seed=11, n=100)
    best = optimum(X, y, 1e-3, loss)
    for tol in (1e-1, 1e-2, 1e-5):
        found = minimise(X.tolist(), y.astype(int), 1e-3, loss, tol)
        pair = certify(found.w, found.alpha, X, y, 1e-3, loss)
        assert found.gap <= tol
        assert found.gap == pytest.approx(pair.gap, rel=1e-6, abs=1e-12)
        assert found.dual <= best.primal * (1 + 1e-12)
        assert best.dual <= found.primal <= best.primal / (1 - tol)


def test_minimise_warns_when_the_passes_end():
    X, y = random_problem(seed=11, n=100)
    with pytest.warns(RuntimeWarning, match="gap is .* max_rounds = 1; expec"):
        found = minimise(X, y, 1e-6, max_rounds=1)
    assert found.gap > 1e-2


@pytest.mark.parametrize(
    "options, begins",
    [
        (dict(lam=0.0), "lam is 0.0; expected"),
        (dict(loss="squared"), "loss is 'squared'; expected"),
        (dict(tol=0.0), "tol is 0.0; expected"),
        (dict(max_rounds=0), "max_rounds is 0; expected"),
        (dict(seed=-1), "seed is -1; expected"),
    ],
)
def test_minimise_refuses_bad_arguments(options, begins):
    X, y = random_problem(seed=11)
    with pytest.raises(ValueError, match=begins):
        minimise(X, y, **{"lam": 0.1, **options})


# Pegasos as seen from the dual


@pytest.mark.parametrize("sampling", ["epochs", "blocks"])
@pytest.mark.parametrize("start", [0.0, 3.0, 100.0])
def test_the_violations_of_pegasos_are_a_dual_point(start, sampling):
    """After whole epochs: α_i = c_i n/(T + t₀), c_i its violations."""
    n, lam, epochs = 30, 0.05, 4
    X, y = random_problem(seed=9, n=n)
    T = epochs * n
    order = draw_order(n, T, sampling=sampling, seed=0)
    run = compiled.pegasos(
        X,
        y,
        lam,
        order=order,
        step=PegasosStep(lam, start),
        snapshots=range(1, T + 1),
    )
    before = np.vstack([np.zeros(6), run.iterates[:-1]])
    violated = y[order] * (X[order] * before).sum(axis=1) < 1
    alpha = np.bincount(order, violated, minlength=n) * n / (T + start)
    assert alpha.min() >= 0.0 and alpha.max() <= 1.0
    assert_close(weights_from(alpha, X, y, lam), run.last)
    pair = certify(run.last, alpha, X, y, lam)
    assert pair.dual <= optimum(X, y, lam).primal <= pair.primal


def test_interpreted_and_compiled_rows_with_a_constant_agree():
    """The helpers of all rungs, here in the closed form."""
    X, y = random_problem(seed=10)
    v = []
    for way in (closed_form.advance, compiled.fastest(closed_form.advance)):
        advance = way if callable(way) else way[0]
        v.append(np.zeros(7))
        order = draw_order(30, 90, seed=0).astype(np.uint64)
        rows = None, None, X, 2.5
        slopes = np.zeros(1)
        advance(
            rows,
            y,
            y,
            order if not callable(way) else order.tolist(),
            slopes,
            False,
            0.05,
            0.0,
            1,
            1,
            v[-1],
            None,
            0.0,
        )
    wide = np.column_stack([X, np.full(30, 2.5)])
    last = closed_form.pegasos(wide, y, 0.05, order=draw_order(30, 90, seed=0))
    assert_close(v[0], v[1])
    assert_close(v[0] / (0.05 * 90), last.last)
