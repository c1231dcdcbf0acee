"""Which versions the oldest and the newest are."""

import re

import pytest

from tests.install import versions


@pytest.mark.parametrize(
    "allowed, expected",
    [
        ("numpy>=2.0", "numpy==2.0"),
        ("jupyter-book>=1.0.4,<2", "jupyter-book==1.0.4"),
        ("sphinx-mathjax-offline", "sphinx-mathjax-offline"),
    ],
)
def test_the_lower_bound_is_the_oldest(allowed, expected):
    assert versions.oldest(allowed) == expected


def test_every_dependency_of_the_library_has_a_lower_bound():
    found = versions.requirements("oldest")
    assert len(found) >= 14
    assert all(re.fullmatch(r"[\w-]+==[\w.]+", line) for line in found)


def test_the_newest_are_what_is_allowed():
    assert any(">=" in line for line in versions.requirements("newest"))
