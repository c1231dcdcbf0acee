"""The package in a browser's Python computes and says what it does here.

Genuine Pyodide, the wheel that students get, and NumPy and SciPy alone.
"""

import zipfile

import nbformat
import numpy as np
import pytest

import tasks
from pegasos_edu.grading.handed_out.package import PACKAGE
from tests.browser import kit
from tests.browser.conftest import new_page
from tests.coursework import answers
from tests.library import small_core

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(kit.find() is None, reason=kit.MISSING),
]
SOLVED = sorted((tasks.ASSIGNMENTS / "solutions").glob("a?/a?.ipynb"))
SENT = [
    "coursework/answers.py",
    "coursework/styles.py",
    "coursework/unseen.py",
    "library/small_core.py",
]
ASKED = """
import json, sys, warnings
sys.path.insert(0, "")
warnings.filterwarnings("ignore", message="numba is not installed")
from tests.coursework import answers
from tests.library import small_core
small_core.modules()
json.dumps({{
    "numbers": small_core.numbers(),
    "reports": answers.reports(),
    "models": [answers.model_reports(cells) for cells in {solved}],
}})
"""


def solved_cells():
    """The code of each solved assignment, cell by cell."""
    books = [nbformat.read(path, as_version=4) for path in SOLVED]
    return [
        [cell.source for cell in book.cells if cell.cell_type == "code"]
        for book in books
    ]


@pytest.fixture(scope="module")
def there(browser, tmp_path_factory):
    """What the browser's Python gives."""
    folder = tmp_path_factory.mktemp("served")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tasks, "ensure_environment", lambda: None)
        assert tasks.main(["wheel", "--out", str(folder)]) == 0
    with zipfile.ZipFile(folder / "tests.zip", "w") as packed:
        for name in SENT:
            packed.write(tasks.ROOT / "tests" / name, f"tests/{name}")
    page = new_page(browser)
    code = ASKED.format(solved=solved_cells())
    found = kit.run(page, folder, PACKAGE, code)
    page.context.close()
    return found


def test_it_computes_the_same(there):
    here = small_core.numbers()
    assert list(there["numbers"]) == list(here)
    for name, values in here.items():
        np.testing.assert_allclose(
            there["numbers"][name], values, rtol=1e-6, atol=1e-9, err_msg=name
        )


def test_it_says_the_same_of_right_and_wrong_answers(there):
    for name, text in answers.reports().items():
        assert there["reports"][name] == text, name


def test_it_says_the_same_of_the_solved_assignments(there):
    for cells, reports in zip(solved_cells(), there["models"], strict=True):
        assert reports == answers.model_reports(cells)
        wrong = [text for text in reports if ": passed" not in text]
        assert len(wrong) <= 1 < len(reports)  # A3 shows a fellow's mistake
