"""Make the students' notebooks from the solutions.

    python -m pegasos_edu.grading.release

reads ``book/assignments/solutions/aN/aN.ipynb`` and writes
``book/assignments/aN.ipynb``, by nbgrader's own steps.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from pegasos_edu.grading.extra import needed

with needed(__name__):
    from pegasos_edu.grading.running.course import configure, generate

ASSIGNMENTS = Path("book", "assignments")


def release(solutions, assignments):
    """The students' versions of assignments.

    Parameters
    ----------
    solutions : path
        Folder that holds ASSIGNMENT/ASSIGNMENT.ipynb.
    assignments : iterable of str

    Yields
    ------
    str
        The text of each notebook.
    """
    # In one course: nbgrader takes seconds to begin a gradebook.
    with tempfile.TemporaryDirectory() as course:
        config = configure(course, solutions)
        for assignment in assignments:
            text = generate(config, assignment).read_text("utf-8")
            yield text.rstrip("\n") + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="python tasks.py release",
        description="Make the students' notebooks from the solutions.",
    )
    parser.add_argument("--folder", type=Path, default=ASSIGNMENTS)
    folder = parser.parse_args(arguments).folder
    solutions = folder / "solutions"
    names = sorted(path.stem for path in solutions.glob("*/*.ipynb"))
    if not names:
        sys.exit(f"{solutions} holds no solution; expected aN/aN.ipynb there.")
    for name, text in zip(names, release(solutions, names)):
        path = Path(folder, f"{name}.ipynb")
        path.write_text(text, "utf-8", newline="\n")
        print(f"wrote {path}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
