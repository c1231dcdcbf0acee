"""The docstring data, against the docstrings Python itself shows."""

import inspect
import re
from importlib.metadata import version

import numpy as np
import pytest
import scipy.sparse
import tqdm
from sklearn.linear_model import SGDClassifier

import tasks
from pegasos_edu.problem import data as data_sets
from pegasos_edu.problem.data import docstrings

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data():
    return docstrings("sklearn", "tqdm")


def test_they_are_those_that_help_shows(data):
    texts, y = data
    label = dict(zip(texts, y))
    assert label[inspect.getdoc(SGDClassifier)] == 1.0
    assert label[inspect.getdoc(SGDClassifier.fit)] == 1.0
    assert label[inspect.getdoc(tqdm.tqdm.update)] == -1.0
    assert inspect.getdoc(scipy.sparse.csr_matrix) not in label


def test_every_text_is_long_enough_and_its_own(data):
    texts, y = data
    assert len(texts) == len(set(texts)) == len(y)
    assert min(len(text.split()) for text in texts) >= 20
    assert set(y) == {-1.0, 1.0}


def test_twice_the_same(data):
    # What was kept must not answer for what is read.
    data_sets._docstrings_of.cache_clear()
    texts, y = docstrings("sklearn", "tqdm")
    assert texts == data[0]
    np.testing.assert_array_equal(y, data[1])


@pytest.mark.parametrize("name", ["no_such_library", "this"])
def test_what_is_not_a_package_is_refused(name):
    with pytest.raises(ValueError, match=f"'{name}' is not an installed"):
        docstrings("sklearn", name)


def test_the_page_on_data_says_how_many_there_are():
    """Two pairs of libraries, in the versions that are pinned."""
    pinned = (tasks.ROOT / "requirements.txt").read_text("utf-8")
    pins = dict(re.findall(r"^([\w-]+)==([\w.]+)", pinned, re.MULTILINE))
    for name in ("scipy", "matplotlib", "scikit-learn"):
        if version(name) != pins[name]:
            pytest.skip(f"{name} is not the pinned version")
    page = " ".join(
        (tasks.ROOT / "book" / "data.md").read_text("utf-8").split()
    )
    for first, second, names in (
        ("scipy", "matplotlib", "SciPy and Matplotlib"),
        ("sklearn", "scipy", "scikit-learn and SciPy"),
    ):
        count = len(docstrings(first, second)[0])
        assert f"{count:,} of {names}" in page
