"""nbgrader's configuration for everybody on the hub."""

import os

c = get_config()  # noqa: F821 (nbgrader provides it)
c.CourseDirectory.course_id = "pegasos"
c.Exchange.root = os.environ.get("COURSE_EXCHANGE", "/srv/exchange")
# Validate runs the notebook; on a busy server a cell takes its time. nbgrader
# would stop it after 30 seconds, and find errors in all that comes after.
c.Execute.timeout = 600
