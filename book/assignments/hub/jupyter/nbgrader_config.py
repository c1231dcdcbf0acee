"""nbgrader's configuration for everybody on the hub."""

import os

c = get_config()  # noqa: F821 (nbgrader provides it)
c.CourseDirectory.course_id = "pegasos"
c.Exchange.root = os.environ.get("COURSE_EXCHANGE", "/srv/exchange")
