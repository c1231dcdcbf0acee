"""nbgrader's configuration of the course; `nbgrader` reads it here.

    cd book/assignments
    nbgrader generate_assignment a1
    nbgrader autograde a1
    nbgrader generate_feedback a1

On JupyterHub `hub/prepare.py` copies it beside the solutions, into the
instructor's course folder.
"""

from pathlib import Path

from pegasos_edu.grading.running.course import configure

HERE = Path(__file__).resolve().parent

c = get_config()  # noqa: F821 (nbgrader provides it)
c.merge(configure(HERE, HERE / "solutions", timeout=30, total_timeout=120))
c.CourseDirectory.course_id = "pegasos"
