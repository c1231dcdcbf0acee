"""What answers are tried on is what it is said to be, and how two compare."""

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu.coursework import cases
from pegasos_edu.coursework.task import drawn
from pegasos_edu.coursework.trial import same_values


def margin_at_step_two(case, t0=0):
    """By hand: w = 0 has a violation, so the first step ends at η y x."""
    i, j = case["order"][:2]
    X, y, lam = case["X"], case["y"], case["lam"]
    w = y[i] * X[i] / (lam * (1 + t0))
    return y[j] * (X[j] @ w)


def test_the_clouds_lie_half_a_unit_to_either_side():
    """The mean of 2,000 normal numbers is within 0.1 in 99.999 % of draws."""
    X, y = cases.small_data(4_000, 3, variant=0)
    for label in (-1.0, 1.0):
        assert 1_900 < np.sum(y == label) < 2_100
        middle = X[y == label].mean(axis=0)
        np.testing.assert_allclose(middle, label / 2, atol=0.1)


@pytest.mark.parametrize("variant", range(3))
def test_two_edges_have_a_margin_just_below_and_just_above_one(variant):
    below, above = cases.edge_cases(variant)[-2:]
    assert margin_at_step_two(below) == pytest.approx(1 - 1e-4, abs=1e-9)
    assert margin_at_step_two(above) == pytest.approx(1 + 1e-4, abs=1e-9)


@pytest.mark.parametrize("t0", [0, 3])
def test_a_late_run_holds_a_margin_that_the_shrink_takes_below_one(t0):
    """Step two of a run with the head start t₀ shrinks by 1 − 1/(2 + t₀)."""
    margin = margin_at_step_two(cases.late_cases(0, t0=t0)[0], t0)
    assert margin > 1 > margin * (1 - 1 / (2 + t0))


def test_one_step_is_tried_on_both_labels_and_both_sides_of_the_shrink():
    tried = [
        (
            case["label"] * (case["w"] @ case["x"]),
            1 - case["eta"] * case["lam"],
            case["label"],
        )
        for case in cases.one_step_cases(variant=0)
    ]
    for label in (-1.0, 1.0):
        own = [(m, kept) for m, kept, of in tried if of == label]
        assert min(m for m, _ in own) < 0
        assert any(0 < m < 1 - 1e-3 for m, _ in own)
        assert any(m > 1 > m * kept for m, kept in own)
        assert any(m > m * kept > 1 for m, kept in own)
        assert any(abs(m - 1) < 1.1e-4 for m, _ in own)


def test_every_margin_is_tried_with_its_opposite_and_zero():
    """Otherwise a loss of |m| or of m² would go unnoticed."""
    all_margins = [case["margin"] for case in cases.margin_cases(0)]
    small, far, *_ = all_margins
    for margins in all_margins:
        np.testing.assert_array_equal(np.sort(-margins), np.sort(margins))
        assert len(set(margins)) == len(margins)
    assert 0.0 in small and abs(far).min() > 710  # where exp overflows


@pytest.mark.parametrize("part", cases.SPARSE_PARTS)
def test_sparse_cases_are_csr_with_columns_of_zeros(part):
    for case in cases.SPARSE_PARTS[part](0):
        assert sp.issparse(case["X"]) and case["X"].format == "csr"
        dense = case["X"].toarray()
        assert not dense[:, dense.shape[1] // 2 :].any()
        assert 0 < np.count_nonzero(dense) < dense.size / 2


def test_a_sparse_result_agrees_with_a_sparse_one_only():
    """Who asks for one kind may go on to use what only that kind has."""
    one, other = np.eye(2), np.array([[1.0, 0.0], [0.0, 1.5]])
    assert same_values(sp.csr_array(one), sp.coo_array(one))
    assert not same_values(sp.csr_array(one), sp.csr_array(other))
    assert not same_values(sp.csr_array(one), one)
    assert not same_values(one, sp.csr_array(one))


def test_a_row_drawn_twice_in_a_step_is_shown_once_with_its_number():
    case = {"X": np.array([[1.0], [2.0], [3.0]]), "y": np.array([1, -1, 1.0])}
    case["order"] = np.array([[1, 1, 1]] * 3 + [[2, 0, 2]])
    said = drawn(case, t=4, before=np.array([0.5]), averaged=False)
    assert said.splitlines() == [
        "  at t = 4: row i = 0, x_i = [1], y_i = +1",
        "  at t = 4: row i = 2 (2 times), x_i = [3], y_i = +1",
        "  w before (as returned for 3 steps): [0.5]",
    ]
