"""The ten lines of the first page are Pegasos, and they are ten."""

import numpy as np
import pytest

import tasks
from pegasos_edu.page.source import show_source
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.solvers import dense, ten_lines


@pytest.mark.parametrize("data", [two_clouds, digits_zero])
def test_ten_lines_are_the_dense_solver(data):
    X, y = data()
    rng = np.random.default_rng(7)
    order = [rng.integers(len(y)) for _ in range(500)]
    mine = ten_lines.pegasos(X, y, lam=0.01, T=500, seed=7)
    run = dense.pegasos(X, y, 0.01, order=order)
    assert mine == pytest.approx(run.last, rel=1e-12, abs=1e-12)


def shown():
    text = show_source(ten_lines.pegasos).data
    return text.partition("```python\n")[2].removesuffix("\n```")


def test_the_readme_shows_them_as_they_are():
    text = (tasks.ROOT / "README.md").read_text("utf-8")
    assert f"```python\n{shown().rstrip()}\n```\n" in text


def test_they_are_ten():
    code = shown()
    assert code.startswith("def pegasos(X, y, lam, T, seed=0):\n")
    assert len([line for line in code.splitlines() if line.strip()]) == 10
