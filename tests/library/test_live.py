"""The live figures on the Python side: numbers, pictures, widgets."""

import hashlib
import html
import json
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nbclient import NotebookClient

from pegasos_edu import live, objective, optimum
from pegasos_edu.live.pegasos import (
    LAMBDAS,
    SEEDS,
    STEPS,
    best_value,
    explore,
)
from pegasos_edu.live.toolkit.numbers import text
from pegasos_edu.live.toolkit.order import live_order
from pegasos_edu.live.toolkit.own_solver import CannotDraw, call_solver
from pegasos_edu.live.toolkit.plane import BOX, clip_line
from pegasos_edu.live.toolkit.shades import SHADES
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.solvers import dense

LIVE = Path(live.__file__).parent
ROOT = LIVE.parents[1]


def my_pegasos(X, y, lam, order):
    """What a student would write."""
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w
        if violates:
            w = w + y[i] * X[i] / (lam * t)
    return w


def run_python(code):
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


# The order


def mulberry32(seed):
    """The generator as its author wrote it, one number at a time."""
    mask, state = 0xFFFFFFFF, seed & 0xFFFFFFFF
    while True:
        state = (state + 0x6D2B79F5) & mask
        z = state
        z = ((z ^ (z >> 15)) * (z | 1)) & mask
        z ^= (z + (((z ^ (z >> 7)) * (z | 61)) & mask)) & mask
        yield (z ^ (z >> 14)) & mask


@given(
    n=st.integers(1, 10_000),
    seed=st.integers(0, 2**40),
    T=st.integers(1, 200),
)
def test_order_is_mulberry32(n, seed, T):
    draws = mulberry32(seed)
    expected = [int(next(draws) / 2**32 * n) for _ in range(T)]
    assert live_order(n, T, seed).tolist() == expected


def test_order_draws_every_row_about_equally_often():
    counts = np.bincount(live_order(60, 60_000, seed=1), minlength=60)
    assert counts.min() > 850 and counts.max() < 1150


@pytest.mark.parametrize("n, T, seed", [(0, 5, 0), (3, 0, 0), (3, 5, -1)])
def test_order_rejects(n, T, seed):
    with pytest.raises(ValueError, match="expected an integer of at least"):
        live_order(n, T, seed)


# The line in its box

coordinates = st.floats(-1e6, 1e6, allow_nan=False)


@given(w1=coordinates, w2=coordinates, side=st.sampled_from([-1, 0, 1]))
def test_clipped_line_ends_on_the_line_and_on_the_box(w1, w2, side):
    ends = clip_line([w1, w2], side)
    if w1 == w2 == 0.0:
        assert ends is None  # there is no line
        return
    if ends is None:  # then all corners lie strictly on one side
        corners = np.array([[a, b] for a in (-1, 1) for b in (-1, 1)]) * BOX
        levels = corners @ [w1, w2] - side
        tiny = 1e-9 * np.abs(levels).max()
        assert (levels > -tiny).all() or (levels < tiny).all()
        return
    for x in np.reshape(ends, (2, 2)):
        assert np.isfinite(x).all()
        scale = 1 + np.hypot(w1, w2)
        assert abs(x @ [w1, w2] - side) <= 1e-9 * scale
        assert (np.abs(x) <= np.array(BOX) * (1 + 1e-9)).all()
        assert np.isclose(np.abs(x), BOX, rtol=1e-9).any()


@pytest.mark.parametrize("w", [[0.0, 0.0], [1e-320, 0.0], [5e-324, 5e-324]])
def test_no_line_where_there_is_none(w):
    assert clip_line(w, 1) is None


# The numbers


@pytest.mark.parametrize("lam", [LAMBDAS[0], 0.01, 1.0, LAMBDAS[-1]])
def test_best_value_is_certified(lam):
    best = optimum(*two_clouds(), lam)
    assert best.dual * (1 - 1e-9) <= best_value(lam)
    assert best_value(lam) <= best.primal * (1 + 1e-9)


@pytest.mark.parametrize("lam, T, seed", [(1e-4, 1, 7), (0.01, 1000, 0)])
def test_draw_agrees_with_the_dense_solver(lam, T, seed):
    X, y = two_clouds()
    run = dense.pegasos(X, y, lam, order=live_order(len(y), T, seed))
    drawing = explore().draw(lam=lam, T=T, seed=seed)
    f = objective(run.last, X, y, lam)
    shown = drawing.readouts
    assert shown["norm"] == pytest.approx(np.sqrt(run.last @ run.last))
    assert shown["objective"] == pytest.approx(f)
    assert shown["gap"] == pytest.approx(f - optimum(X, y, lam).primal)
    assert shown["error"] == np.mean(np.sign(X @ run.last) != y)
    last, average = (row for row in drawing.rows["curve"] if row["t"] == T)
    assert last == {"t": T, "f": shown["objective"], "iterate": "last iterate"}
    assert average["f"] == pytest.approx(objective(run.average, X, y, lam))


def test_the_solver_of_the_package_is_a_possible_student():
    state = {"lam": 0.1, "T": 500, "seed": 3}
    own, student = explore().draw(**state), explore(my_pegasos).draw(**state)
    assert student.readouts == pytest.approx(own.readouts)
    curve = {
        row["t"]: row["f"]
        for row in own.rows["curve"]
        if row["iterate"] == "last iterate"
    }
    assert len(student.rows["curve"]) > 10
    for row in student.rows["curve"]:
        assert row["f"] == pytest.approx(curve[row["t"]])


def test_positions_rise_and_cover_the_range():
    for values, low, high in ((LAMBDAS, 1e-4, 10.0), (STEPS, 1, 100_000)):
        assert (values[0], values[-1]) == (low, high)
        assert list(values) == sorted(set(values))


# The page


def config_of(page):
    text = re.search(r"data-pegasos='([^']*)'", page)[1]
    return json.loads(html.unescape(text))


def test_page_holds_all_the_script_needs():
    config = config_of(explore(lam=0.1, T=100).page())
    X, y = two_clouds()
    assert config["name"] == "pegasos"
    assert [c["start"] for c in config["controls"]] == [0.1, 100, 0]
    assert np.array_equal(np.reshape(config["data"]["x"], X.shape), X)
    assert np.array_equal(config["data"]["y"], y)
    assert config["data"]["best"] == [best_value(lam) for lam in LAMBDAS]


def test_page_has_a_picture_with_a_text_for_each_panel():
    page = explore().page()
    images = re.findall(r'<img alt="([^"]+)" src="data:image/svg', page)
    assert len(images) == 2
    assert "decision line" in images[0] and "optimum" in images[1]


@pytest.mark.processes
def test_page_is_the_same_in_every_process():
    explore(lam=1.0).page()  # what was drawn before must not matter
    here = hashlib.sha256(explore().page().encode()).hexdigest()
    there = run_python(
        "import hashlib; from pegasos_edu import explore;"
        "print(hashlib.sha256(explore().page().encode()).hexdigest())"
    )
    assert here == there


def test_style_sheet_has_the_shades():
    css = (LIVE / "toolkit" / "live.css").read_text("utf-8")
    found = re.findall(r"--pegasos-(\w+): (#\w+);", css)
    light = [(name, pair[0]) for name, pair in SHADES.items()]
    dark = [(name, pair[1]) for name, pair in SHADES.items()]
    assert found == light + dark


def test_the_other_style_sheets_have_no_colours_of_their_own():
    known = {shade.lower() for pair in SHADES.values() for shade in pair}
    for path in LIVE.rglob("*.css"):
        found = re.findall(r"#[0-9A-Fa-f]{3,8}\b", path.read_text("utf-8"))
        assert {shade.lower() for shade in found} <= known | {"#fff"}, path


def test_scripts_and_style_sheet_are_small():
    files = [
        LIVE / name
        for name in ("toolkit/toolkit.js", "pegasos.js", "toolkit/live.css")
    ]
    assert sum(path.stat().st_size for path in files) <= 25_000


# In Jupyter


def test_sliders_run_python_and_redraw():
    widget = explore().widget()
    before = widget.picture.value
    widget.sliders["T"].value = 100
    widget.sliders["lam"].value = 0.1
    expected = explore().draw(lam=0.1, T=100, seed=0)
    assert widget.drawing == expected
    assert widget.picture.value != before
    assert html.escape(expected.summary) in widget.picture.value
    assert text(expected.readouts["norm"]) in widget.numbers.value


def test_own_solver_is_asked_at_each_move():
    asked = []

    def solver(X, y, lam, order):
        asked.append((lam, len(order)))
        return my_pegasos(X, y, lam, order)

    widget = explore(solver, T=10).widget()
    asked.clear()
    widget.sliders["lam"].value = 1.0
    assert asked[-1] == (1.0, 10)
    assert {lam for lam, _ in asked} == {1.0}


def raises(X, y, lam, order):
    return X[len(y)]


def wrong_shape(X, y, lam, order):
    return np.zeros(3)


def not_a_number(X, y, lam, order):
    return np.array([np.nan, 1.0])


def no_array(X, y, lam, order):
    return None


def two_values(X, y, lam, order):
    return np.zeros(2), 3


def a_text(X, y, lam, order):
    return "17"


def complex_numbers(X, y, lam, order):
    return np.array([1.0 + 1.0j, 1.0])


@pytest.mark.parametrize(
    "solver, parts",
    [
        (raises, ["IndexError", "in raises, line", "return X[len(y)]"]),
        (wrong_shape, ["shape (3,)", "expected", "(2,)", "lam = 0.01"]),
        (not_a_number, ["nan", "expected finite numbers"]),
        (no_array, ["returned nothing; expected", "(2,)", "a return?"]),
        (two_values, ["returned (array([0., 0.]), 3); expected", "(2,)"]),
        (a_text, ["returned '17'; expected"]),
        (complex_numbers, ["returned array([1.+1.j, 1.+0.j]); expected"]),
        (np.dot, ["Your solver raised", "TypeError"]),
    ],
)
def test_message_takes_the_place_of_the_figure(solver, parts):
    figure = explore(solver)
    widget = figure.widget()
    for shown in (widget.picture.value, figure.page()):
        assert "<svg" not in shown and "<img" not in shown
        assert 'role="alert"' in shown
        for part in parts:
            assert part in html.unescape(shown)
    assert widget.numbers.value == "" and widget.drawing is None


def test_figure_comes_back_after_a_message():
    def fussy(X, y, lam, order):
        if lam < 0.1:
            raise ValueError("lam is too small for me")
        return my_pegasos(X, y, lam, order)

    widget = explore(fussy).widget()
    assert "too small for me" in widget.picture.value
    widget.sliders["lam"].value = 1.0
    assert "<img" in widget.picture.value
    assert widget.drawing.readouts["norm"] > 0


def test_solver_gets_copies():
    def vandal(X, y, lam, order):
        X[:], y[:], order[:] = 0.0, 0.0, 0
        return np.ones(2)

    X, y = two_clouds()
    order = live_order(len(y), 10, 0)
    before = X.copy(), y.copy(), order.copy()
    call_solver(vandal, X, y, 0.1, order)
    for now, then in zip((X, y, order), before):
        assert np.array_equal(now, then)


def test_cannot_draw_keeps_the_cause():
    with pytest.raises(CannotDraw) as caught:
        call_solver(raises, *two_clouds(), 0.1, np.array([0]))
    assert isinstance(caught.value.__cause__, IndexError)


def test_own_solver_on_a_page_is_a_picture_only():
    page = explore(my_pegasos).page()
    assert page.count("<img alt=") == 2
    assert "data-pegasos" not in page


@pytest.mark.parametrize(
    "options, error, part",
    [
        ({"solver": 3}, TypeError, "solver is 3; expected a function"),
        ({"lam": 0.0}, ValueError, "lam is 0.0; expected"),
        ({"lam": float("nan")}, ValueError, "lam is nan; expected"),
        ({"T": 0}, ValueError, "T is 0; expected"),
        ({"T": 1.5}, TypeError, "T is 1.5 of type float; expected"),
        ({"seed": -1}, ValueError, "seed is -1; expected"),
    ],
)
def test_explore_rejects(options, error, part):
    with pytest.raises(error) as caught:
        explore(**options)
    assert part in str(caught.value)


@pytest.mark.processes
def test_importing_the_package_is_light():
    heavy = ["altair", "ipywidgets", "matplotlib", "vl_convert"]
    code = (
        "import sys, pegasos_edu;"
        f"print([name for name in {heavy} if name in sys.modules])"
    )
    assert run_python(code) == "[]"


@pytest.mark.processes
def test_in_a_notebook(tmp_path):
    notebook = nbformat.v4.new_notebook()
    notebook.cells = [
        nbformat.v4.new_code_cell(source)
        for source in (
            "from pegasos_edu import explore\nfigure = explore()\nfigure",
            "widget = figure.widget()\n"
            "widget.sliders['T'].value = 10\nwidget.drawing.summary",
            "def my_pegasos(X, y, lam, order):\n"
            "    w = X[0] * lam\n"
            "    return w / order.missing",
            "explore(solver=my_pegasos)",
        )
    ]
    resources = {"metadata": {"path": str(ROOT)}}
    NotebookClient(notebook, resources=resources).execute()
    first, second, _, last = [cell.outputs for cell in notebook.cells]
    kinds = set(first[0].data)
    assert kinds == {
        "text/plain",
        "text/html",
        "application/vnd.jupyter.widget-view+json",
    }
    assert first[0].data["text/plain"] == (
        "<pegasos figure: Decision line and objective after T steps of "
        "Pegasos>"
    )
    assert "T = 10:" in second[0].data["text/plain"]
    message = html.unescape(last[0].data["text/html"])
    assert "AttributeError" in message
    assert "in my_pegasos, line 3: return w / order.missing" in message


@pytest.mark.parametrize(
    "value, start",
    [
        (10**400, 100_000),
        (1e300, 100_000),
        (1, 1),
        (1001, 1000),
    ],
)
def test_a_slider_starts_at_its_nearest_position(value, start):
    control = explore().controls[1]
    assert control.nearest(value) == start


def test_every_seed_has_a_position():
    assert SEEDS[0] == 0 and len(SEEDS) == SEEDS[-1] + 1
