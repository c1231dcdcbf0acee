"""Where sliders stand, and how live figures write numbers."""

import math

import numpy as np
import pytest

from pegasos_edu.live.toolkit import numbers
from pegasos_edu.live.toolkit.positions import (
    PREFERRED,
    positions,
    whole,
)
from tests.live_figures import FIGURES

SLIDERS = [
    pytest.param(control, id=f"{name}-{control.key}")
    for name, make in FIGURES.items()
    for control in make().controls
    if not control.names
]


@pytest.mark.parametrize("control", SLIDERS)
def test_positions_are_said_in_two_digits(control):
    for value in control.values:
        assert float(f"{value:.2g}") == value
    assert list(control.values) == sorted(set(control.values))


@pytest.mark.parametrize("control", SLIDERS)
def test_a_start_is_a_position(control):
    assert control.start in control.values


@pytest.mark.parametrize("in_decade", PREFERRED)
def test_positions_are_nearly_even(in_decade):
    found = np.array(positions(-3, 2, in_decade))
    assert len(found) == 5 * in_decade + 1
    even = 10 ** np.linspace(-3, 2, len(found))
    # Nowhere further from even than one step.
    assert np.abs(np.log10(found / even)).max() < 1 / in_decade


def test_whole_positions_are_whole():
    found = whole(0, 3)
    assert all(type(value) is int for value in found)
    assert found[:9] == tuple(range(1, 10)) and found[-1] == 1000


@pytest.mark.parametrize(
    "value, kind, expected",
    [
        (0.5, "number", "0.5000"),
        (18630.0, "number", "18,630"),
        (999.96, "number", "1,000"),
        (1.863e7, "number", "1.86 × 10⁷"),
        (-1e-5, "number", "−1.00 × 10⁻⁵"),
        (-0.0, "number", "0"),
        (math.nan, "number", "–"),
        (math.inf, "percent", "–"),
        (None, "number", "–"),
        (-0.0004, "percent", "0.0 %"),
        (1234567, "count", "1,234,567"),
    ],
)
def test_numbers_read_like_this(value, kind, expected):
    assert numbers.text(value, kind) == expected


def test_numbers_are_right_to_four_digits():
    rng = np.random.default_rng(0)
    for value in 10 ** rng.uniform(-2.99, 4.99, 500):
        shown = float(numbers.text(value).replace(",", ""))
        assert shown == pytest.approx(value, rel=5.001e-4)
