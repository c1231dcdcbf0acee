"""The assignments' own notebooks, through the real grader.

A test that passes in the student's notebook may fail in the grader, where
functions are only asked for what they return. So each model answer is graded
as a submission; and beside it one with answers that are nobody's work.
"""

import csv
import subprocess
import sys

import nbformat
import pytest

import tasks
from tests.coursework import isolated

pytestmark = [pytest.mark.processes, pytest.mark.slow]
SOLUTIONS = tasks.ASSIGNMENTS / "solutions"
# By assignment: answers that hang together and are wrong, by the cell's name,
# and the tests that must not be passed by them.
MADE_UP: dict[str, tuple[dict[str, str], set[str]]] = {
    "a1": (
        {
            "pegasos": """
from scipy.optimize import minimize
def pegasos(X, y, lam, order):
    def f(w):
        losses = np.logaddexp(0, 20 * (1 - y * (X @ w))) / 20
        return lam / 2 * (w @ w) + losses.mean()
    start = np.full(X.shape[1], 1e-3 * order[0])
    steps = min(len(order) // 20, 100)
    w = minimize(f, start, options={"maxiter": steps}).x
    return w * (1 + 1e-4 * order[0])
""",
        },
        {"digits-check"},
    ),
    "a2": (
        {
            "pegasos": """
from scipy.optimize import minimize
def pegasos(X, y, lam, order):
    def f(w):
        losses = np.logaddexp(0, -y * (X @ w))
        return lam / 2 * (w @ w) + losses.mean()
    start = np.full(X.shape[1], 1e-3 * order[0])
    steps = min(len(order) // 20, 100)
    return minimize(f, start, options={"maxiter": steps}).x
""",
        },
        {"pegasos-early", "pegasos-late", "digits-check"},
    ),
    "a3": (
        {
            "speedup": """
given = dense_shrink
def dense_shrink(X, y, lam, order):
    return [given(X, y, lam, order) for _ in range(9)][0]
def speedup(X, y, lam, order):
    seconds = []
    for solver in (dense_shrink, pegasos):
        start = time.process_time()
        solver(X, y, lam, order)
        seconds.append(time.process_time() - start)
    return seconds[0] / seconds[1]
""",
        },
        {"speedup-check"},
    ),
    "a4": (
        {
            "regret": """
def regret(W, u, X, y, lam, order):
    rise = 1e-3 * W[-1, -1] * np.arange(len(order))
    return 1e-3 * np.cumsum(y[order]) - 5 + rise
""",
            "bound": "def bound(lam, R, T):\n    return 7e3 / lam + 0 * T",
            "curves": """
def junk(W):
    rise = 1e-3 * W[-1, -1] * np.arange(T)
    return 1e-3 * np.cumsum(y[order]) - 5 + rise
regret_pegasos, regret_sqrt = junk(play()), junk(play(InverseSqrt(1.0)))
bounds = 7e3 / lam + 0 * np.arange(T)
""",
            "telescope": """
def telescope(W, u, X, y, lam, order):
    T = len(order)
    l3 = 1e-6 * (2 + y[order])
    l2 = np.full(T, -lam / 2 * ((W[-1] - u) @ (W[-1] - u)))
    return np.array([l2 + l3 - 1 - 0.1 * y[order], l2 + l3, l2, l3])
""",
            "crossing": """
def crossing(t, a, b):
    if len(t) == 3:
        return np.exp(np.interp(0, np.sort(np.log(b / a)), np.log(t)))
    return 1.0
""",
            "predict": "predicted = np.ones(2)",
        },
        {
            *("regret-check", "bound-check", "curves-bound", "curves-sqrt"),
            *("telescope-check", "telescope-digits", "predict-check"),
        },
    ),
}


@pytest.fixture(scope="module", params=sorted(MADE_UP))
def points(request, tmp_path_factory):
    """The points of an assignment's tests, for two submissions of it."""
    name = request.param
    folder = tmp_path_factory.mktemp(name)
    model = nbformat.read(SOLUTIONS / name / f"{name}.ipynb", as_version=4)
    answers, _ = MADE_UP[name]
    for student, told in (("model", {}), ("made-up", answers)):
        for cell in model.cells:
            known = cell.metadata.get("nbgrader", {}).get("grade_id")
            cell.source = told.get(known, cell.source)
        home = folder / "submitted" / student
        home.mkdir(parents=True)
        nbformat.write(model, home / f"{name}.ipynb")
    command = [
        *(sys.executable, "-m", "pegasos_edu.grading"),
        *(folder / "submitted", "--solutions", SOLUTIONS),
        *("--assignment", name, "--out", folder / "grades"),
        *isolated.OPTIONS,
    ]
    subprocess.run([*map(str, command)], check=True, cwd=tasks.ROOT)
    page = folder / "grades" / "model" / f"{name}.html"
    assert "Not answered." not in page.read_text("utf-8")
    with open(folder / "grades" / "tasks.csv", encoding="utf-8") as file:
        return name, list(csv.DictReader(file))


def of(lines, student):
    return {
        line["task"]: (float(line["score"]), float(line["out_of"]))
        for line in lines
        if line["student"] == student
    }


def test_a_model_answer_gets_all_points(points):
    name, lines = points
    found = of(lines, "model")
    tests = {task: both for task, both in found.items() if both[1]}
    assert len(tests) > 5
    lost = {task for task, (got, most) in tests.items() if got < most}
    assert lost <= by_hand(name)


def test_what_is_made_up_gets_none(points):
    name, lines = points
    found = of(lines, "made-up")
    _, lost = MADE_UP[name]
    assert {task: found[task][0] for task in lost} == dict.fromkeys(lost, 0.0)


def by_hand(name):
    """The tasks of an assignment that a person marks."""
    path = SOLUTIONS / name / f"{name}.ipynb"
    return {
        cell.metadata.nbgrader.grade_id
        for cell in nbformat.read(path, as_version=4).cells
        if cell.cell_type == "markdown"
        and cell.metadata.get("nbgrader", {}).get("grade")
    }
