"""Make the students' notebooks from the solutions.

    python -m pegasos_edu.grading.release

reads ``book/assignments/solutions/aN/aN.ipynb`` and writes
``book/assignments/aN.ipynb``, by nbgrader's own steps.
"""

import sys
import tempfile
from pathlib import Path

from pegasos_edu.grading.course import configure, generate

ASSIGNMENTS = Path("book", "assignments")


def release(solutions, assignment):
    """The students' version of an assignment.

    Parameters
    ----------
    solutions : path
        Folder that holds ASSIGNMENT/ASSIGNMENT.ipynb.
    assignment : str

    Returns
    -------
    str
        The text of the notebook.
    """
    with tempfile.TemporaryDirectory() as course:
        path = generate(configure(course, solutions), assignment)
        return path.read_text("utf-8").rstrip("\n") + "\n"


def main(folder=ASSIGNMENTS):
    solutions = Path(folder, "solutions")
    for path in sorted(solutions.glob("*/*.ipynb")):
        text = release(solutions, path.stem)
        Path(folder, path.name).write_text(text, "utf-8", newline="\n")
        print(f"wrote {Path(folder, path.name)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
