"""nbgrader's three steps, called for one folder or one submission."""

import copy
import os
import sys
from pathlib import Path

from nbconvert.preprocessors import (
    ClearMetadataPreprocessor,
    CSSHTMLHeaderPreprocessor,
)
from nbformat.v4 import new_notebook
from nbgrader.api import Gradebook
from nbgrader.converters import (
    Autograde,
    GenerateAssignment,
)
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearOutput,
    ClearSolutions,
    ComputeChecksums,
    DeduplicateIds,
    GetGrades,
    LimitOutput,
    LockCells,
    OverwriteCells,
    OverwriteKernelspec,
    SaveAutoGrades,
)
from nbgrader.utils import compute_checksum
from traitlets.config import Config

from pegasos_edu.grading.handed_out.package import SayWhatToInstall
from pegasos_edu.grading.judging.cells import (
    HideTests,
    RestoreCells,
    ShowGiven,
)
from pegasos_edu.grading.judging.execute import JudgedExecute

# nbgrader's CheckCellMetadata is left out twice: all marks are those of the
# solution, which RestoreCells puts back, and generating has checked them.
SANITIZE = [
    RestoreCells,
    ClearOutput,
    DeduplicateIds,
    OverwriteKernelspec,
    OverwriteCells,
]
AUTOGRADE = [
    JudgedExecute,
    ClearMetadataPreprocessor,
    LimitOutput,
    SaveAutoGrades,
]
# What nbgrader makes the students' version by, without a gradebook.
RELEASE = [
    SayWhatToInstall,
    LockCells,
    ClearSolutions,
    ShowGiven,
    ClearHiddenTests,
    ComputeChecksums,
]
FEEDBACK = [GetGrades, HideTests, CSSHTMLHeaderPreprocessor]


def configure(root, sources, **limits):
    """nbgrader's configuration of a course in the folder `root`.

    Parameters
    ----------
    root, sources : path
        The course, and the folder of the solutions.
    **limits : int
        Options of `JudgedExecute`.
    """
    sources = str(Path(sources).resolve())
    # nbgrader calls the program alembic, which is beside this Python.
    programs = str(Path(sys.executable).parent)
    if programs not in os.environ["PATH"].split(os.pathsep):
        os.environ["PATH"] = programs + os.pathsep + os.environ["PATH"]
    config = Config()
    config.CourseDirectory.root = str(Path(root).resolve())
    config.CourseDirectory.source_directory = sources
    config.RestoreCells.sources = sources
    config.JudgedExecute.sources = sources
    config.JudgedExecute.update(limits)
    config.ClearSolutions.code_stub = {"python": "# Your answer here\n..."}
    config.ClearSolutions.text_stub = "Your answer:"
    config.GenerateAssignment.preprocessors = [
        SayWhatToInstall,
        *(
            ShowGiven if step is ClearOutput else step
            for step in GenerateAssignment.preprocessors.default()
        ),
    ]
    config.Autograde.sanitize_preprocessors = SANITIZE
    config.Autograde.autograde_preprocessors = AUTOGRADE
    config.GenerateFeedback.preprocessors = FEEDBACK
    # On JupyterHub: whose a submission is, its files say.
    config.ExchangeFactory.collect = (
        "pegasos_edu.grading.taken_in.exchange.Collect"
    )
    # nbgrader's own pages are opened in the lecturer's browser, too.
    config.HTMLExporter.sanitize_html = True
    return config


def run_step(step, config, assignment, student="*"):
    """Run one of nbgrader's converters."""
    config = config.copy()
    config.CourseDirectory.assignment_id = assignment
    config.CourseDirectory.student_id = student
    step(coursedir=CourseDirectory(config=config), config=config).start()


def generate(config, assignment):
    """Make the students' version; its path."""
    run_step(GenerateAssignment, config, assignment)
    root = Path(config.CourseDirectory.root)
    return root / "release" / assignment / f"{assignment}.ipynb"


def students_version(config, solution):
    """What students get of a solution notebook; nothing is recorded.

    Parameters
    ----------
    config : Config
    solution : NotebookNode
        It is not changed.

    Returns
    -------
    NotebookNode
    """
    made = copy.deepcopy(solution)
    for step in RELEASE:
        made, _ = step(config=config).preprocess(made, {})
    return made


def given(config, solution):
    """The cells of a solution, without the answers.

    Parameters
    ----------
    config : Config
    solution : list of cell
        It is not changed.

    Returns
    -------
    list of cell
    """
    made = new_notebook(cells=copy.deepcopy(solution))
    made, _ = ClearSolutions(config=config).preprocess(made, {})
    return made.cells


def adopt(config, assignment, cells):
    """Let the gradebook hold another variant of an assignment.

    nbgrader puts locked cells back as its gradebook holds them.

    Parameters
    ----------
    config : Config
    assignment : str
    cells : list of cell
        Of the variant's solution.
    """
    wanted = {
        cell.metadata.nbgrader.grade_id: cell
        for cell in cells
        if "nbgrader" in cell.metadata
    }
    root = Path(config.CourseDirectory.root)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        notebook = book.find_notebook(assignment, assignment)
        for held in notebook.source_cells:
            cell = wanted[held.name]
            if held.locked and held.source != cell.source:
                held.source = cell.source
                held.checksum = compute_checksum(cell)
        book.db.commit()


def autograde(config, assignment, student):
    """Grade the notebook in submitted/; what every task scored.

    Returns
    -------
    dict of str to dict
        task -> score, and to_mark, the points left to a marker.
    """
    run_step(Autograde, config, assignment, student)
    root = Path(config.CourseDirectory.root)
    with Gradebook(f"sqlite:///{root / 'gradebook.db'}") as book:
        notebook = book.find_submission_notebook(
            assignment, assignment, student
        )
        return {
            grade.name: {
                "score": grade.auto_score or 0.0,
                "to_mark": grade.max_score * bool(grade.needs_manual_grade),
            }
            for grade in notebook.grades
        }
