"""Every rung takes the same steps as the rung below.

`exact_pegasos` below is a second, independent Pegasos, in fractions without
any rounding; the lowest rungs are held to it, and each rung to the loop.
"""

from fractions import Fraction

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from pegasos_edu.solvers import (
    closed_form,
    compiled,
    dense,
    dual,
    loop,
    sparse,
)
from pegasos_edu.solvers.orders import SAMPLINGS, draw_order
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep
from tests.library.problems import (
    SOLVERS,
    TAKE_SPARSE,
    assert_close,
    assert_same_run,
    random_csr,
    random_problem,
)

HINGE_SLACK = 1e-10  # margins nearer to 1 than this could go either way


# By hand: three steps on two examples


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_three_steps_by_hand(solver):
    """λ = 1/4, x_1 = (2, 0) with y = +1, x_2 = (1, 1) with y = −1.

    t = 1, η = 4, example 1: margin 0 < 1, so w = 0·w + 4·(2, 0) = (8, 0).
    t = 2, η = 2, example 2: margin −8 < 1, shrink by 1/2,
           w = (4, 0) − 2·(1, 1) = (2, −2).
    t = 3, η = 4/3, example 1: margin 4 ≥ 1, shrink by 2/3 only,
           w = (4/3, −4/3).
    """
    run = solver(
        [[2.0, 0.0], [1.0, 1.0]],
        [1, -1],
        0.25,
        order=[0, 1, 0],
        snapshots=[1, 2, 3],
    )
    wanted = [[8, 0], [2, -2], [4 / 3, -4 / 3]]
    np.testing.assert_allclose(run.iterates, wanted, rtol=1e-15, atol=0)
    np.testing.assert_array_equal(run.last, run.iterates[-1])
    averages = [[0, 0], [4, 0], [10 / 3, -2 / 3]]
    np.testing.assert_allclose(run.averages, averages, rtol=1e-14, atol=0)
    np.testing.assert_array_equal(run.average, run.averages[-1])


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_an_exact_tie_is_no_violation(solver):
    """λ = 1, x = 1: w_2 = 1, margin 1 exactly, so step 2 only shrinks."""
    run = solver([[1.0], [-2.0]], [1, -1], 1.0, order=[0, 0])
    np.testing.assert_array_equal(run.last, [0.5])


def test_projection_by_hand():
    """With radius 4: (8, 0) → (4, 0); then (2, 0) − (2, 2) = (0, −2)."""
    for name in ("loop", "dense", "sparse", "compiled"):
        run = SOLVERS[name](
            [[2.0, 0.0], [1.0, 1.0]],
            [1, -1],
            0.25,
            order=[0, 1],
            snapshots=[1, 2],
            radius=4.0,
        )
        np.testing.assert_allclose(
            run.iterates, [[4, 0], [0, -2]], rtol=1e-15, atol=1e-15
        )


# In fractions


def exact_pegasos(X, y, lam, order, average_from=1):
    """All w_2, …, w_{T+1} and the averages, without rounding (hinge)."""
    X = [[Fraction(entry) for entry in row] for row in X.tolist()]
    lam, d = Fraction(lam), len(X[0])
    w, kept, iterates, averages = [Fraction(0)] * d, [], [], []
    for t, batch in enumerate(order.tolist(), start=1):
        if t >= average_from:
            kept.append(w)
        eta = 1 / (lam * t)
        margins = [
            int(y[i]) * sum(a * b for a, b in zip(w, X[i])) for i in batch
        ]
        push = [
            sum(
                int(y[i]) * X[i][j]
                for i, margin in zip(batch, margins)
                if margin < 1
            )
            for j in range(d)
        ]
        w = [
            (1 - eta * lam) * w_j + eta / len(batch) * p_j
            for w_j, p_j in zip(w, push)
        ]
        iterates.append([float(w_j) for w_j in w])
        source = kept or [w]
        averages.append(
            [float(sum(column) / len(source)) for column in zip(*source)]
        )
    return np.array(iterates), np.array(averages)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("lam", [1e-7, 1e-5, 0.01, 0.3, 50.0])
@pytest.mark.parametrize("k, average_from", [(1, 1), (3, 1), (1, 9)])
def test_exact_arithmetic(solver, lam, k, average_from):
    X, y = random_problem(seed=5, n=8, d=3)
    order = np.reshape(draw_order(8, 16, k, seed=2), (16, k))
    iterates, averages = exact_pegasos(X, y, lam, order, average_from)
    run = solver(
        X,
        y,
        lam,
        order=order,
        k=k,
        average_from=average_from,
        snapshots=range(1, 17),
    )
    assert_close(run.iterates, iterates)
    assert_close(run.averages[1:], averages[1:])  # w_1 = 0 has no size


# Rung by rung, on random runs


def square_step(t):
    return 0.5 / t**2


@st.composite
def runs(draw):
    """Arguments X, y, lam and the options of a random run."""
    n, d = draw(st.integers(2, 12)), draw(st.integers(1, 6))
    X, y = random_problem(
        draw(st.integers(0, 10**6)), n, d, draw(st.sampled_from([0.4, 1.0]))
    )
    lam = 10.0 ** draw(st.floats(-6, 1))
    T = draw(st.integers(1, 40))
    k = draw(st.sampled_from([1, 1, 2, 5]))
    names = [name for name in SAMPLINGS if name != "without" or k <= n]
    order = draw_order(
        n,
        T,
        k,
        draw(st.sampled_from(sorted(names))),
        seed=draw(st.integers(0, 10**6)),
    )
    steps = [
        None,
        None,
        PegasosStep(lam, t0=draw(st.floats(0, 100))),
        PegasosStep(1.0),
        InverseSqrt(0.3),
        Constant(0.05),
        square_step,
    ]
    options = dict(
        order=order,
        k=k,
        loss=draw(st.sampled_from(["hinge", "log"])),
        step=draw(st.sampled_from(steps)),
        radius=draw(st.sampled_from([None, 1 / np.sqrt(lam), 0.5])),
        average_from=draw(st.sampled_from([None, 1, T // 2 + 1, T])),
        snapshots=draw(st.lists(st.integers(1, T), max_size=6)),
    )
    return X, y, lam, options


def nearest_to_the_kink(X, y, lam, options):
    """The least |margin − 1| of any example scored on the way."""
    T = len(options["order"])
    every = dict(options, snapshots=range(1, T + 1))
    w = np.vstack(
        [np.zeros(X.shape[1]), loop.pegasos(X, y, lam, **every).iterates[:-1]]
    )
    batches = np.reshape(options["order"], (T, -1))
    scores = np.einsum("td,tkd->tk", w, X[batches])
    return np.abs(y[batches] * scores - 1.0).min()


def has_closed_form(lam, options):
    step = options["step"]
    of_pegasos = isinstance(step, PegasosStep) and step.lam == lam
    return options["radius"] is None and (step is None or of_pegasos)


@settings(max_examples=60)
@given(runs())
def test_all_rungs_take_the_same_steps(run):
    X, y, lam, options = run
    if options["loss"] == "hinge":
        assert nearest_to_the_kink(X, y, lam, options) > HINGE_SLACK
    wanted = loop.pegasos(X, y, lam, **options)
    found = [dense.pegasos(X, y, lam, **options)]
    rungs = [sparse, compiled]
    if has_closed_form(lam, options):
        rungs.append(closed_form)
    for rung in rungs:
        for data in (X, sp.csr_array(X)):
            found.append(rung.pegasos(data, y, lam, **options))
    largest = largest_averaged(X, y, lam, options)
    for one in found:
        assert_same_run(one, wanted, largest=largest)


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("start", [None, [0.5, -1.0, 0.0, 0.25, 0.0, 1.0]])
def test_the_closed_form_of_a_delayed_step(loss, start):
    X, y = random_problem(seed=3)
    options = dict(T=60, seed=1, loss=loss, start=start, average_from=5)
    options |= dict(step=PegasosStep(0.1, t0=7.5), snapshots=[1, 2, 30])
    wanted = loop.pegasos(X, y, 0.1, **options)
    assert_same_run(closed_form.pegasos(X, y, 0.1, **options), wanted)


def largest_averaged(X, y, lam, options):
    """The largest entry of the iterates that enter the average."""
    T = len(options["order"])
    every = dict(options, snapshots=range(1, T + 1))
    W = loop.pegasos(X, y, lam, **every).iterates[:-1]
    # The first of these is w_2, and w_1 = 0 is never the largest.
    first = max((options["average_from"] or 1) - 2, 0)
    return np.abs(W[first:]).max(initial=0.0)


def test_an_average_of_exactly_zero():
    """Two steps to the two ends of the ball: w_2 = r and w_3 = −r."""
    X, y = np.array([[1.3], [0.7]]), np.array([1.0, -1.0])
    for lam in np.geomspace(1e-4, 1e-2, 20):
        for radius in (0.1, 0.3, 0.7):
            options = dict(order=[0, 1, 0], radius=radius)
            wanted = loop.pegasos(X, y, lam, **options)
            assert abs(wanted.average[0]) < 1e-16 < radius
            for name in ("dense", "sparse", "compiled"):
                found = SOLVERS[name](X, y, lam, **options)
                assert_same_run(found, wanted, largest=radius)


def test_the_average_survives_a_step_that_overshoots_the_ball():
    """The step makes w 50,000 times longer before it is projected back."""
    X = np.array([[0.0, 0.0], [-0.41306354, -2.44146738]])
    y = np.array([-1.0, 1.0])
    options = dict(order=[0, 1, 0], radius=0.5)
    wanted = dense.pegasos(X, y, 1e-4, **options)
    assert_same_run(sparse.pegasos(X, y, 1e-4, **options), wanted)


def test_the_average_survives_rows_of_very_different_lengths():
    """s·v − q would lose it where v grows ten thousand times at once."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8, 4)) * 10.0 ** rng.integers(0, 7, size=(8, 1))
    y = np.where(np.arange(8) % 2, 1.0, -1.0)
    for seed in range(20):
        options = dict(order=draw_order(8, 50, seed=seed), radius=1e-3)
        wanted = dense.pegasos(X, y, 1e-8, **options).average
        found = sparse.pegasos(X, y, 1e-8, **options).average
        assert np.abs(found - wanted).max() <= 1e-9 * np.abs(wanted).max()


@pytest.mark.parametrize("above", [1e-13, -1e-13])
def test_a_factor_just_on_either_side_of_zero_is_taken_over(above):
    """1 − ηλ is tiny, and where η is above 1/λ it is negative."""
    X, y = random_problem(seed=3)
    step = Constant((1 + above) / 0.5)
    options = dict(order=draw_order(len(y), 30, seed=1), step=step)
    wanted = dense.pegasos(X, y, 0.5, **options)
    found = sparse.pegasos(X, y, 0.5, **options)
    for one, other in (
        (found.last, wanted.last),
        (found.average, wanted.average),
    ):
        assert np.abs(one - other).max() <= 1e-9 * np.abs(other).max()


@pytest.mark.parametrize("projected", [False, True])
@pytest.mark.parametrize(
    "loss, lam", [("hinge", 1e-8), ("hinge", 1e-5), ("log", 1e-2)]
)
def test_long_runs_stay_together(loss, lam, projected):
    X, y = random_problem(seed=3, n=200, d=20, density=0.3)
    options = dict(
        order=draw_order(200, 6_000, seed=4),
        loss=loss,
        radius=1 / np.sqrt(lam) if projected else None,
        snapshots=[1, 10, 1_000, 6_000],
    )
    wanted = dense.pegasos(X, y, lam, **options)
    for name in TAKE_SPARSE:
        if name != "closed_form" or not projected:
            found = SOLVERS[name](sp.csr_array(X), y, lam, **options)
            assert_same_run(found, wanted)


def test_v_takes_the_factor_over_once_in_ten_times_as_many_steps(monkeypatch):
    """Without that a step costs nonzeros, and with it d coordinates.

    The factor is 0 after t = 1 and then 1/t: below a tenth about log10 T
    times, as a takeover makes it 1 again.
    """
    folds, fold = [], sparse.fold

    def count(*arguments):
        folds.append(arguments[1])
        return fold(*arguments)

    monkeypatch.setattr(sparse, "fold", count)
    X, y = random_csr(seed=3)
    sparse.pegasos(X, y, 0.1, T=2_000, seed=4)
    assert folds[0] == 0.0 and 3 <= len(folds) <= 1 + np.log10(2_000)


def test_where_no_two_runs_of_the_log_loss_can_stay_together():
    """With T well below 1/λ one step can multiply an error by η‖x‖²/4.

    So a change of the data in the last digit, smaller than any rounding,
    changes the path of one and the same solver, though not of the hinge
    loss, whose slope is constant between kinks. This is why no rung is
    compared there.
    """
    X, y = random_problem(seed=3, n=200, d=20, density=0.3)
    nudged = np.nextafter(X, 2 * X)
    for loss, moves in [("log", True), ("hinge", False)]:
        here, there = (
            compiled.pegasos(data, y, 1e-5, T=20_000, seed=4, loss=loss).last
            for data in (X, nudged)
        )
        change = np.abs(here - there).max() / np.abs(here).max()
        assert change > 1e-3 if moves else change < 1e-12


# Two epochs of average, by the definition


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("average_from", [1, 21, 40])
def test_average_is_the_mean_of_the_iterates(solver, average_from):
    X, y = random_problem(seed=11)
    run = solver(
        X,
        y,
        0.05,
        T=40,
        seed=0,
        snapshots=range(1, 41),
        average_from=average_from,
    )
    w = np.vstack([np.zeros(6), run.iterates])  # w_1, …, w_{T+1}
    assert_close(run.average, w[average_from - 1 : 40].mean(axis=0))
    for t in range(1, 41):
        wanted = (
            w[t]
            if t < average_from
            else (w[average_from - 1 : t].mean(axis=0))
        )
        np.testing.assert_allclose(
            run.averages[t - 1], wanted, rtol=1e-11, atol=1e-13
        )


# Snapshots, callback, progress


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_snapshots_and_callback(solver):
    X, y = random_problem(seed=1)
    seen = []

    def callback(t, w):
        seen.append((t, w.copy()))
        w[:] = np.nan  # a copy: the run must not notice

    run = solver(
        X, y, 0.1, T=30, seed=0, snapshots=[30, 3, 3, 7], callback=callback
    )
    plain = solver(X, y, 0.1, T=30, seed=0)
    assert run.steps.tolist() == [3, 7, 30] == [t for t, _ in seen]
    np.testing.assert_array_equal(run.iterates, [w for _, w in seen])
    np.testing.assert_array_equal(run.last, run.iterates[-1])
    assert_close(plain.last, run.last)
    assert plain.iterates.shape == (0, 6) and plain.steps.shape == (0,)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_no_average_if_none_is_wanted(solver):
    X, y = random_problem(seed=1)
    run = solver(X, y, 0.1, T=30, seed=0, average_from=None, snapshots=[4])
    assert run.average is None and run.averages is None
    kept = solver(X, y, 0.1, T=30, seed=0)
    assert_close(run.last, kept.last)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_progress_is_a_bar_on_stderr(solver, capsys):
    X, y = random_problem(seed=1)
    quiet = solver(X, y, 0.1, T=300, seed=0)
    assert capsys.readouterr().err == ""
    shown = solver(X, y, 0.1, T=300, seed=0, progress=True)
    bar = capsys.readouterr().err
    assert "300/300" in bar and "100%" in bar
    np.testing.assert_array_equal(shown.last, quiet.last)


# The order decides everything


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("k", [1, 4])
def test_a_seed_stands_for_the_order_it_draws(solver, k):
    X, y = random_problem(seed=2)
    drawn = solver(X, y, 0.1, T=50, seed=9, k=k, sampling="epochs")
    order = draw_order(30, 50, k, "epochs", seed=9)
    given = solver(X, y, 0.1, 50, order=order, k=k)
    np.testing.assert_array_equal(drawn.last, given.last)
    np.testing.assert_array_equal(drawn.average, given.average)
    other = solver(X, y, 0.1, T=50, seed=10, k=k)
    assert not np.allclose(drawn.last, other.last)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_an_order_of_one_column_is_an_order(solver):
    X, y = random_problem(seed=2)
    order = draw_order(30, 50, seed=9)
    flat = solver(X, y, 0.1, order=order)
    column = solver(X, y, 0.1, order=order[:, None].tolist())
    np.testing.assert_array_equal(flat.last, column.last)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("radius", [None, 0.5])
def test_projection_keeps_every_iterate_inside(solver, radius):
    if radius and solver is closed_form.pegasos:
        return
    X, y = random_problem(seed=2)
    run = solver(
        X, y, 0.01, T=60, seed=1, radius=radius, snapshots=range(1, 61)
    )
    longest = np.linalg.norm(run.iterates, axis=1).max()
    assert longest > 1.0 if radius is None else longest <= 0.5 * (1 + 1e-12)
    if radius:
        assert longest > 0.5 * (1 - 1e-12)  # it was needed


# Corners of the data


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_rows_and_columns_of_zeros_and_single_ones(solver):
    X, y = random_problem(seed=7)
    X[::3] = 0.0
    X[:, 2] = 0.0
    run = solver(X, y, 0.1, T=90, seed=0)
    wanted = loop.pegasos(X, y, 0.1, T=90, seed=0)
    assert_same_run(run, wanted)
    assert run.last[2] == 0.0
    one_column = solver(X[:, :1], y, 0.1, T=90, seed=0)
    assert_same_run(one_column, loop.pegasos(X[:, :1], y, 0.1, T=90, seed=0))
    nothing = solver(np.zeros((2, 3)), [1, -1], 0.1, T=9, seed=0)
    np.testing.assert_array_equal(nothing.last, np.zeros(3))


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_one_step_only(solver):
    X, y = random_problem(seed=7)
    run = solver(X, y, 0.5, order=[3])
    assert_close(run.last, y[3] * X[3] / 0.5)
    np.testing.assert_array_equal(run.average, np.zeros(6))


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_read_only_and_strided_arrays(solver):
    wide, y = random_problem(seed=8, n=60, d=12)
    order = draw_order(30, 100, seed=0)
    X, labels = wide[::2, 1::2], np.repeat(y, 2)[::4]
    labels[:2] = -1.0, 1.0
    wanted = solver(X.copy(), labels.copy(), 0.1, order=order)
    for array in (X, labels, order):
        array.setflags(write=False)
    kept = X.copy(), labels.copy(), order.copy()
    assert not X.flags.c_contiguous
    found = solver(X, labels, 0.1, order=order)
    assert_same_run(found, wanted)
    assert_same_run(
        solver(np.asfortranarray(X), labels, 0.1, order=order), wanted
    )
    np.testing.assert_array_equal(X, kept[0])
    np.testing.assert_array_equal(labels, kept[1])
    np.testing.assert_array_equal(order, kept[2])


@pytest.mark.parametrize(
    "name, form, radius",
    [
        ("dense", np.asarray, 1.0),
        ("sparse", np.asarray, None),
        ("sparse", sp.csr_array, 1.0),
        ("closed_form", sp.csr_array, None),
        ("compiled", np.asarray, None),
        ("compiled", sp.csr_array, 1.0),
    ],
)
def test_float32_data_are_computed_in_double_precision(name, form, radius):
    X, y = random_problem(seed=8)
    X = X.astype(np.float32)
    wide = loop.pegasos(X.astype(float), y, 0.1, T=200, seed=0, radius=radius)
    found = SOLVERS[name](form(X), y, 0.1, T=200, seed=0, radius=radius)
    assert_same_run(found, wide)


# Sparse matrices of every kind


def parts(X):
    return X.data.copy(), X.indices.copy(), X.indptr.copy()


def in_halves(X, mixed):
    """The same matrix, each entry in two halves, columns mixed or sorted."""
    rng = np.random.default_rng(0)
    data, indices, indptr = [], [], [0]
    for i in range(X.shape[0]):
        row = slice(X.indptr[i], X.indptr[i + 1])
        columns = np.tile(X.indices[row], 2)
        values = np.tile(X.data[row] / 2, 2)
        places = (
            rng.permutation(len(columns)) if mixed else (np.argsort(columns))
        )
        indices.extend(columns[places])
        data.extend(values[places])
        indptr.append(len(data))
    return sp.csr_array((data, indices, indptr), shape=X.shape)


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
@pytest.mark.parametrize("mixed", [True, False])
def test_unsorted_and_repeated_columns(solver, mixed):
    X, y = random_csr(seed=4)
    messy = in_halves(X, mixed)
    before = parts(messy)
    for array in (messy.data, messy.indices, messy.indptr):
        array.setflags(write=False)
    wanted = solver(X, y, 0.1, T=100, seed=0)
    assert_same_run(solver(messy, y, 0.1, T=100, seed=0), wanted)
    for now, then in zip(parts(messy), before):
        np.testing.assert_array_equal(now, then)


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_a_stale_flag_is_not_believed(solver):
    X, y = random_csr(seed=4)
    wanted = solver(X, y, 0.1, T=100, seed=0)
    messy = in_halves(X, mixed=True)
    messy.has_sorted_indices = messy.has_canonical_format = True
    assert_same_run(solver(messy, y, 0.1, T=100, seed=0), wanted)


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_wide_indices(solver):
    X, y = random_csr(seed=4)
    wanted = solver(X, y, 0.1, T=100, seed=0)
    wide = X.copy()
    wide.indices, wide.indptr = (
        X.indices.astype(np.int64),
        X.indptr.astype(np.int64),
    )
    assert_same_run(solver(wide, y, 0.1, T=100, seed=0), wanted)
    assert wide.indices.dtype == wide.indptr.dtype == np.int64


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
@pytest.mark.parametrize(
    "form",
    [
        "csr_matrix",
        "csc_matrix",
        "coo_matrix",
        "csc_array",
        "coo_array",
        "bsr_array",
        "lil_array",
        "dok_array",
        "dia_array",
    ],
)
def test_sparse_formats(solver, form):
    X, y = random_csr(seed=4)
    other = getattr(sp, form)(X)
    found = solver(other, y, 0.1, T=100, seed=0)
    np.testing.assert_array_equal(
        found.last, solver(X, y, 0.1, T=100, seed=0).last
    )
    assert other.format == form.split("_")[0]
    assert (sp.csr_array(other) != X).nnz == 0


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_small_integers_are_summed_without_overflow(solver):
    rows, columns = [0, 0, 1], [0, 0, 1]
    X = sp.coo_array((np.array([100, 100, 1], np.int8), (rows, columns)))
    found = solver(X, [1, -1], 1.0, order=[0])
    np.testing.assert_array_equal(found.last, [200.0, 0.0])
    on = sp.csr_array((np.array([True, True]), [0, 0], [0, 2, 2]), (2, 1))
    np.testing.assert_array_equal(
        solver(on, [1, -1], 1.0, order=[0]).last, [2.0]
    )


# The compiled rung


LOOPS = {
    "dense": dict(
        dot=compiled.dense_dot,
        add=compiled.dense_add,
        growth=compiled.dense_growth,
    ),
    "csr": dict(
        dot=compiled.sparse_dot,
        add=compiled.sparse_add,
        growth=compiled.sparse_growth,
    ),
}
SQUARES = {"dense": compiled.dense_square, "csr": compiled.sparse_square}


@pytest.mark.parametrize("form", LOOPS)
@pytest.mark.parametrize("helpers", ["numpy", "compiled"])
def test_a_constant_is_the_last_feature_of_a_row(form, helpers):
    """As if a column of 2.5 had been written out."""
    X = random_problem(seed=3)[0]
    v, c = np.arange(1.0, X.shape[1] + 2.0), -0.7
    data = X if form == "dense" else sp.csr_array(X)
    rows = sparse.as_rows(data, sparse.plain, 2.5)
    named, square = LOOPS[form], SQUARES[form]
    if helpers == "numpy":
        named = {name: getattr(sparse, name) for name in named}
        square = dual.square
    x, i = np.append(X[4], 2.5), np.uint64(4)
    assert_close(named["dot"](v, rows, i), v @ x)
    assert_close(square(rows, i), x @ x)
    moved = v + c * x
    assert_close(named["growth"](v, c, rows, i), moved @ moved - v @ v)
    named["add"](v, c, rows, i)
    assert_close(v, moved)


@pytest.mark.parametrize("form", LOOPS)
@pytest.mark.parametrize("radius", [None, 1.0])
@pytest.mark.parametrize("average_from", [1, None])
@pytest.mark.parametrize("k", [1, 3])
def test_compiled_is_its_source_bit_by_bit(
    form, radius, average_from, k, monkeypatch
):
    """`advance` run by the interpreter, on the same loops over a row."""
    X, y = random_problem(seed=6)
    X = X if form == "dense" else sp.csr_array(X)
    options = dict(
        T=400,
        seed=0,
        radius=radius,
        average_from=average_from,
        k=k,
        snapshots=[1, 2, 3, 50],
    )
    found = compiled.pegasos(X, y, 0.01, **options)
    for rung in (closed_form, sparse):
        advance = compiled.fastest(rung.advance)[0]
        assert advance.py_func.__code__ is rung.advance.__code__
        assert advance.py_func.__globals__ is rung.advance.__globals__
        for name, helper in LOOPS[form].items():
            if hasattr(rung, name):
                monkeypatch.setattr(rung, name, helper)
    fold = (
        compiled.fold_iterate if average_from is None else (compiled.fold_both)
    )
    monkeypatch.setattr(sparse, "fold", fold)
    monkeypatch.setattr(
        compiled, "fastest", lambda advance: (advance, compiled.unsigned)
    )
    wanted = compiled.pegasos(X, y, 0.01, **options)
    for name in ("last", "average", "iterates", "averages"):
        np.testing.assert_array_equal(
            getattr(found, name), getattr(wanted, name)
        )


@pytest.mark.parametrize("rung", SOLVERS.values(), ids=SOLVERS)
def test_an_order_says_itself_how_many_examples_a_step_draws(rung):
    X, y = random_problem(seed=1)
    order = draw_order(len(y), 20, k=2, seed=3)
    told = rung(X, y, 0.1, order=order, k=2)
    np.testing.assert_array_equal(rung(X, y, 0.1, order=order).last, told.last)
