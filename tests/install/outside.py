"""What a user of the installed package does, outside of the project.

    python outside.py [SOLUTIONS]

runs where the package, nbclient and ipykernel are installed and nothing of
the project is in reach; it prints what it tried. With the folder of the
solutions and the extra ``grading`` it also makes a students' notebook.
"""

import sys
from importlib import resources
from importlib.metadata import files
from pathlib import Path

import nbformat
import numpy as np
from nbclient import NotebookClient
from sklearn.datasets import load_digits
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import pegasos_edu
from pegasos_edu import PegasosClassifier, coursework
from pegasos_edu.recorded import recorded
from pegasos_edu.solvers import closed_form, dense, loop, sparse

LAM = 0.1
CELL = """
from pegasos_edu import explore
explore()
"""


def rungs():
    """Four rungs of the ladder end at the same weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 3))
    y = np.where(X[:, 0] + 0.1 * rng.normal(size=50) > 0.0, 1.0, -1.0)
    order = rng.integers(50, size=200)
    first, *others = (
        rung.pegasos(X, y, lam=LAM, T=200, order=order).last
        for rung in (loop, dense, sparse, closed_form)
    )
    for other in others:
        np.testing.assert_allclose(other, first, rtol=1e-12, atol=1e-14)
    assert pegasos_edu.objective(first, X, y, lam=LAM) < 1.0
    return "four rungs, the same weights"


def pipeline():
    """The estimator behind a scaler, by scikit-learn's own scoring."""
    X, digit = load_digits(return_X_y=True)
    model = make_pipeline(StandardScaler(), PegasosClassifier(random_state=0))
    scores = cross_val_score(model, X, digit % 2, cv=3)
    assert scores.mean() > 0.8
    return f"a pipeline, accuracy {scores.mean():.2f}"


def assignment():
    """A check tells a right answer from a wrong one."""
    right = coursework.check("A1.step_size", lambda lam, t: 1 / (lam * t))
    wrong = coursework.check("A1.step_size", lambda lam, t: 1 / lam)
    assert right.passed and not wrong.passed
    return "a check of the coursework"


def results():
    """The recorded results came along."""
    folder = resources.files("pegasos_edu.recorded")
    kept = [Path(file.name) for file in folder.iterdir()]
    names = [file.stem for file in kept if file.suffix == ".json"]
    assert len(names) >= 8 and all(map(recorded, names))
    return f"{len(names)} recorded results"


def figure():
    """A live figure with its script, in a notebook of this Python."""
    cell = nbformat.v4.new_code_cell(CELL)
    notebook = nbformat.v4.new_notebook(cells=[cell])
    NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    data = notebook.cells[0].outputs[-1]["data"]
    assert "application/vnd.jupyter.widget-view+json" in data
    assert "data-pegasos=" in data["text/html"]
    return "explore() in a notebook"


def styles():
    """Scripts and style sheets, as many as the list of files says."""
    listed = [
        file
        for file in files("pegasos-edu")
        if file.suffix in (".js", ".css", ".json") and ".dist" not in str(file)
    ]
    assert len(listed) > 20 and all(
        file.locate().stat().st_size for file in listed
    )
    return f"{len(listed)} scripts, styles and results"


def release(solutions):
    """A students' notebook out of the solutions, wherever those are."""
    from pegasos_edu.grading.release import release

    (text,) = release(solutions, ["a1"])
    assert "BEGIN SOLUTION" not in text and len(text) > 10_000
    return "a students' notebook from its solutions"


def main(arguments):
    # A working copy of the project has pyproject.toml beside the package.
    package = Path(pegasos_edu.__file__).parent
    assert not package.with_name("pyproject.toml").exists(), package
    for use in (rungs, pipeline, assignment, results, figure, styles):
        print(use())
    for solutions in arguments:
        print(release(Path(solutions)))


if __name__ == "__main__":
    main(sys.argv[1:])
