"""What the chapters read out of a record of races, and the data they share."""

import numpy as np
import pytest
import scipy.sparse as sp

from pegasos_edu.page import races
from pegasos_edu.recorded import recorded
from tests.benchmarks import contenders

RECORD = recorded("curves")["races"]


@pytest.mark.parametrize("target", ["0.1", "0.01", "0.001"])
def test_who_arrived_is_within_the_target(target):
    for race in RECORD.values():
        for run in race["curves"].values():
            seconds, there = races.arrived(run, target)
            # Medians of the runs; most of those that arrived are within.
            assert there == (run["reached"][target] is not None)
            assert 0 < seconds <= run["tried"] or there


def test_the_fastest_arrived_unless_nobody_did():
    for race in RECORD.values():
        names = list(race["curves"])
        seconds, there = races.fastest(race["curves"], names)
        pairs = [races.arrived(race["curves"][name]) for name in names]
        assert there == any(arrival for _, arrival in pairs)
        assert (seconds, there) in pairs
        assert all(seconds <= s for s, arrival in pairs if arrival == there)


def test_a_star_stands_at_synthetic_sets_alone():
    for name, facts in recorded("curves")["sets"].items():
        assert ("*" in races.marked(name)) == (not facts["real"])
    assert races.STAR.startswith("* synthetic")


def test_noise_is_where_a_longer_run_took_less():
    run = {"seconds": [0.01, 0.02, 0.016, 0.5, 0.4]}
    rising = {"seconds": [0.01, 0.02, 0.5]}
    made = {"races": {"x": {"curves": {"a": run, "b": rising}}}}
    assert races.clock_noise(made) == pytest.approx((1.25, 1.25))
    del made["races"]["x"]["curves"]["a"]
    assert races.clock_noise(made) == (1.0, 1.0)
    assert races.SHORT == 0.03


def test_the_largest_row_is_that_of_dense_and_sparse_rows():
    X = np.random.default_rng(0).standard_normal((40, 7))
    norms = np.linalg.norm(X, axis=1)
    for rows in (X, sp.csr_matrix(X)):
        assert races.largest_square(rows) == pytest.approx(norms.max() ** 2)
        head = contenders.head_start(rows, 0.1)
        assert head == pytest.approx(races.largest_square(rows) / 0.1)


@pytest.mark.slow
def test_the_docstrings_are_rows_of_words_of_norm_one():
    X, y = races.docstring_rows()
    assert sp.issparse(X) and X.shape[0] == len(y) > 1_000
    assert set(y) == {-1.0, 1.0} and len(set(y[:50])) == 2  # mixed
    assert races.largest_square(X) == pytest.approx(1.0)
