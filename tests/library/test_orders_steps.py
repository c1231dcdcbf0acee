"""Orders and step sizes, by their definitions."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegasos_edu.solvers.orders import SAMPLINGS, draw_order
from pegasos_edu.solvers.projections import project_l2
from pegasos_edu.solvers.sparse import step_sizes
from pegasos_edu.solvers.steps import (
    Constant,
    InverseSqrt,
    PegasosStep,
    as_step,
)


@given(
    n=st.integers(1, 60),
    T=st.integers(1, 70),
    k=st.integers(1, 7),
    sampling=st.sampled_from(sorted(SAMPLINGS)),
    seed=st.integers(0, 2**40),
)
def test_shape_range_and_repeatability(n, T, k, sampling, seed):
    if sampling == "without" and k > n:
        return
    order = draw_order(n, T, k, sampling, seed=seed)
    assert order.shape == ((T,) if k == 1 else (T, k))
    assert order.dtype.kind == "i"
    assert order.min() >= 0 and order.max() < n
    again = draw_order(n, T, k, sampling, seed=seed)
    np.testing.assert_array_equal(order, again)


@pytest.mark.parametrize("sampling", ["epochs", "blocks"])
@given(n=st.integers(1, 60), k=st.integers(1, 5), seed=st.integers(0, 99))
def test_every_epoch_visits_every_row_once(sampling, n, k, seed):
    walk = draw_order(n, 3 * n, k, sampling, seed=seed).ravel()
    for epoch in range(3 * k):
        part = walk[epoch * n : (epoch + 1) * n]
        assert sorted(part.tolist()) == list(range(n))


@given(n=st.integers(1, 60), seed=st.integers(0, 99))
def test_epochs_are_permutations_as_numpy_draws_them(n, seed):
    """So a seed keeps its meaning, however the array is filled."""
    walks = {
        sampling: draw_order(n, 3 * n, sampling=sampling, seed=seed)
        for sampling in ("epochs", "blocks")
    }
    rng = np.random.default_rng(seed)
    wanted = np.concatenate([rng.permutation(n) for _ in range(3)])
    np.testing.assert_array_equal(walks["epochs"], wanted)
    rng, whole = np.random.default_rng(seed), n - n % 16
    blocks = np.arange(whole).reshape(-1, 16)
    for part in np.split(walks["blocks"], 3):
        wanted = [*rng.permutation(blocks).ravel(), *range(whole, n)]
        np.testing.assert_array_equal(part, wanted)


def test_epochs_differ_from_each_other():
    walk = draw_order(50, 100, sampling="epochs", seed=0)
    assert (walk[:50] != walk[50:]).any()


@given(n=st.integers(1, 9), seed=st.integers(0, 99))
def test_without_replacement_a_batch_has_no_repeats(n, seed):
    for batch in draw_order(n, 20, n, "without", seed=seed).reshape(20, n):
        assert sorted(batch.tolist()) == list(range(n))


@pytest.mark.parametrize(
    "sampling, k", [("iid", 1), ("iid", 3), ("without", 1), ("without", 3)]
)
def test_every_row_is_drawn_equally_often(sampling, k):
    """First and last row included; 5 standard deviations either way."""
    order = draw_order(10, 10_000, k, sampling, seed=0)
    counts = Counter(order.ravel().tolist())
    mean = 1_000 * k
    assert len(counts) == 10
    assert max(abs(count - mean) for count in counts.values()) < 5 * (
        np.sqrt(0.9 * mean)
    )


def test_iid_repeats_rows_within_a_batch():
    batches = draw_order(5, 200, 3, "iid", seed=0)
    assert any(len(set(batch)) < 3 for batch in batches.tolist())


# Steps


@pytest.mark.parametrize(
    "rule, formula",
    [
        (PegasosStep(0.2), lambda t: 1 / (0.2 * t)),
        (PegasosStep(0.2, t0=3), lambda t: 1 / (0.2 * (t + 3))),
        (InverseSqrt(0.7), lambda t: 0.7 * t**-0.5),
        (Constant(0.3), lambda t: 0.3),
        (as_step(lambda t: 1 / t**2, 0.2), lambda t: t**-2),
    ],
)
def test_rules_are_their_formulas(rule, formula):
    ts = range(3, 40)
    wanted = [formula(t) for t in ts]
    np.testing.assert_allclose([rule(t) for t in ts], wanted, rtol=1e-15)
    eta, shrink = step_sizes(rule, 0.2, 3, 39)
    np.testing.assert_allclose(eta, wanted, rtol=1e-15)
    np.testing.assert_allclose(shrink, 1 - 0.2 * np.array(wanted), atol=1e-15)


@given(lam=st.floats(1e-9, 1e9))
def test_the_first_shrink_of_pegasos_is_zero_exactly(lam):
    _, shrink = step_sizes(PegasosStep(lam), lam, 1, 3)
    assert shrink.tolist() == [0.0, 0.5, 2 / 3]


def test_a_step_of_another_kind_of_number_is_a_float():
    step = PegasosStep(np.float32(0.1), t0=np.int64(2))
    assert type(step.lam) is float and type(step.t0) is float
    assert step(1) == 1 / (float(np.float32(0.1)) * 3)


# The projection on the ball


@given(
    w=st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=5),
    radius=st.floats(1e-3, 1e3),
    seed=st.integers(0, 99),
)
def test_projection_is_the_nearest_point_of_the_ball(w, radius, seed):
    w = np.array(w)
    p = project_l2(w, radius)
    assert np.linalg.norm(p) <= radius * (1 + 1e-12)
    if np.linalg.norm(w) <= radius:
        np.testing.assert_array_equal(p, w)
    # ⟨w − p, u − p⟩ ≤ 0 for every u of the ball says that p is nearest.
    u = np.random.default_rng(seed).normal(size=w.shape)
    u *= radius / np.linalg.norm(u)
    assert (w - p) @ (u - p) <= 1e-9 * (1 + np.linalg.norm(w)) ** 2


def test_projection_of_zero_and_of_what_cannot_be_measured():
    np.testing.assert_array_equal(project_l2(np.zeros(2), 1.0), [0, 0])
    with (
        np.errstate(over="ignore"),
        pytest.raises(FloatingPointError, match="overflows; expected"),
    ):
        project_l2(np.array([1e200, 0.0]), 1.0)


def test_a_rule_may_stand_still():
    assert as_step(lambda t: 0.0, lam=0.1)(3) == 0.0


def test_an_order_too_long_for_memory_names_its_steps(monkeypatch):
    def draw(rng, n, T, k):
        raise MemoryError("Unable to allocate 7.28 TiB")

    monkeypatch.setitem(SAMPLINGS, "iid", draw)
    with pytest.raises(MemoryError, match="T is 1000000000000 and k is 1; "):
        draw_order(3, 10**12, seed=0)
