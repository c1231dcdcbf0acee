"""Grade what was collected; root runs it where a sandbox can be made.

    python grade.py a1           options of `tasks.py grade` may follow

The scores and pages come into the folder `grades` of the course, and the
pages also to where `nbgrader release_feedback` looks for them.
"""

import sys

from prepare import COURSE, HOMES, give, wanted

from pegasos_edu.grading.__main__ import main


def grade(assignment, *options):
    """Grade, and let the instructor have the results; the exit code."""
    instructor = wanted("COURSE_INSTRUCTOR")
    course = HOMES / instructor / COURSE
    code = main(
        [
            str(course / "submitted"),
            *("--assignment", assignment),
            *("--solutions", str(course / "solutions")),
            *("--out", str(course / "grades")),
            *("--feedback", str(course / "feedback")),
            *options,
        ]
    )
    for made in (course / "grades", course / "feedback"):
        paths = [made, *made.rglob("*")]
        give([path for path in paths if path.is_dir()], instructor, 0o700)
        # nbgrader hands pages on with the rights that they have here.
        give([path for path in paths if path.is_file()], instructor, 0o644)
    return code


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit("Expected an assignment, such as: python grade.py a1")
    sys.exit(grade(*sys.argv[1:]))
