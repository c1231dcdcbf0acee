"""The cells of a notebook, put back, shown and hidden: steps of nbgrader."""

from copy import deepcopy
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell
from nbgrader.preprocessors import (
    ClearHiddenTests,
    ClearOutput,
    ClearSolutions,
    NbGraderPreprocessor,
)
from traitlets import Unicode

from pegasos_edu.grading.judging.outputs import failure
from pegasos_edu.grading.judging.restore import (
    answered_elsewhere,
    give_marks_back,
    id_of,
    is_answer,
    text_of,
)

# The tag of a given cell whose pictures are handed out.
SHOWN = "shown"

# In place of an answer that stands in another cell.
ELSEWHERE = "# Answered in another cell"

SOURCES_HELP = "Folder of the solutions: ASSIGNMENT/NOTEBOOK.ipynb in it."


def solution_path(sources, resources):
    """The solution notebook of the submission at hand."""
    names = resources["nbgrader"]
    return Path(
        sources, names["assignment"], names["notebook"] + ".ipynb"
    ).resolve()


def without_hidden_tests(source):
    """A test's source as the students know it."""
    cell = new_code_cell(source)
    ClearHiddenTests(enforce_metadata=False).preprocess_cell(cell, {}, 0)
    return cell.source


class RestoreCells(NbGraderPreprocessor):
    """Put the assignment's cells back: all of them, once, in their order.

    Of the submission remain the answers and the student's extra cells,
    each behind the cell it followed.
    """

    sources = Unicode(help=SOURCES_HELP).tag(config=True)

    def preprocess(self, nb, resources):
        source = nbformat.read(
            solution_path(self.sources, resources), as_version=4
        )
        give_marks_back(nb.cells, source.cells, without_hidden_tests)
        # As in what was handed out: so an answer that is gone is none.
        ClearSolutions(config=self.config).preprocess(source, resources)
        extras, answers = self.sort_out(nb, source)
        cells = extras.pop(None, [])
        for cell in source.cells:
            grade_id = id_of(cell)
            if grade_id is None:
                continue
            if "outputs" in cell:
                cell.outputs, cell.execution_count = [], None
            if grade_id in answers:
                cell.source = answers[grade_id]
            elif is_answer(cell) and answered_elsewhere(
                cell, nb.cells, source.cells
            ):
                cell.source = ELSEWHERE  # what is handed out would undo it
            cells += [cell, *extras.pop(grade_id, [])]
        nb.cells = cells
        nb.metadata = source.metadata
        nb.nbformat, nb.nbformat_minor = 4, 5
        for number, cell in enumerate(nb.cells):
            cell.id = f"cell-{number}"
        return nb, resources

    @staticmethod
    def sort_out(nb, source):
        """Extra cells by the cell they follow, and answers, both by id."""
        known = {id_of(cell) for cell in source.cells} - {None}
        editable = {id_of(cell) for cell in source.cells if is_answer(cell)}
        last = {id_of(cell): cell for cell in nb.cells}
        extras, answers, place = {}, {}, None
        for cell in nb.cells:
            grade_id = id_of(cell)
            if grade_id in known and last[grade_id] is cell:
                place = grade_id
                if grade_id in editable:
                    answers[grade_id] = text_of(cell)
            elif grade_id not in known - editable:
                make = (
                    new_code_cell
                    if cell.get("cell_type") == "code"
                    else new_markdown_cell
                )
                extras.setdefault(place, []).append(make(text_of(cell)))
        return extras, answers


class ShowGiven(ClearOutput):
    """Clear what the cells of a solution show, but not of those tagged.

    A reader of the page then sees the pictures that he is given. The tag
    counts on a locked cell without points only: the others hold answers.
    """

    def preprocess_cell(self, cell, resources, index):
        shown = deepcopy(cell.get("outputs", [])) if is_shown(cell) else []
        cell, resources = super().preprocess_cell(cell, resources, index)
        for output in shown:
            if "execution_count" in output:
                output.execution_count = None
        if shown:
            cell.outputs = shown
        return cell, resources


def is_shown(cell):
    """Whether the students' version keeps what a cell shows."""
    facts = cell.metadata.get("nbgrader", {})
    given = facts.get("locked") and not facts["grade"]
    return bool(given and SHOWN in cell.metadata.get("tags", []))


class HideTests(NbGraderPreprocessor):
    """Take hidden tests out of the feedback: source, and what they say."""

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type != "code":
            return cell, resources
        visible = without_hidden_tests(cell.source)
        if visible == cell.source:
            return cell, resources
        cell.source = visible
        cell.outputs = [
            failure(output.ename, "a test that is not shown, or one above")
            if output.output_type == "error"
            else deepcopy(output)
            for output in cell.outputs
        ]
        return cell, resources
