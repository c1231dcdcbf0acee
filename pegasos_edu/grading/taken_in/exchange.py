"""nbgrader's exchange, by which JupyterHub hands out and collects.

What students put there is theirs to make: a name, a time, a link. So whose
a submission is, the system says that keeps the files, and no link in one is
followed. When it came the file system says, by the time of the last change,
which no owner can set.
"""

import os
import shutil
import time
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.utils import ignore_patterns

from pegasos_edu.grading.tables import open_table, write_table
from pegasos_edu.grading.terms import lateness

# nbgrader keeps them beside a submission, and wants them beside the feedback.
BESIDE = ("timestamp.txt", "submission_secret.txt")


def owner(path):
    """The account that a file belongs to; of a link, the link's own.

    Parameters
    ----------
    path : path

    Returns
    -------
    str
        Of a number without an account, `uid-` and the number.
    """
    import pwd  # no module of Windows

    number = os.lstat(path).st_uid
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"uid-{number}"


def came(folder):
    """When a folder, or anything in it, was last changed.

    An owner can set the other times of a file; that is a change, too.

    Parameters
    ----------
    folder : path

    Returns
    -------
    datetime
        In UTC; now, if something was taken away meanwhile.
    """
    try:
        last = os.lstat(folder).st_ctime
        for above, folders, files in os.walk(folder):
            for name in [*folders, *files]:
                inside = os.lstat(os.path.join(above, name)).st_ctime
                last = max(last, inside)
    except OSError:
        last = time.time()
    return datetime.fromtimestamp(last, UTC)


class Collect(ExchangeCollect):
    """Collect each submission as its owner's, without following links.

    nbgrader's own takes the name that the student wrote. It warns if that
    is not the owner's, and copies what links point to with the rights of
    the instructor, who can read the solutions. Of a time it knows the one
    that the student wrote; this one notes in the course's `handed_in.csv`
    when each collected submission came.
    """

    def _path_to_record(self, path):
        return super()._path_to_record(path) | {"username": owner(path)}

    def do_copy(self, src, dest, log=None):
        """Copy one submission; what is wrong with it stops no other.

        Parameters
        ----------
        src, dest : path
        log : Logger, optional
            Not used; as in nbgrader.
        """
        most = 1000 * self.coursedir.max_dir_size
        try:
            if os.path.islink(src):
                raise OSError("it is a link; expected a folder")
            if self.get_size(src) > most:
                raise OSError(f"it is larger than {most} bytes")
            shutil.copytree(
                src,
                dest,
                symlinks=True,
                ignore=ignore_patterns(
                    exclude=self.coursedir.ignore,
                    include=self.coursedir.include,
                    max_file_size=self.coursedir.max_file_size,
                    log=self.log,
                ),
            )
        except OSError as error:  # shutil's own are such, too
            self.log.error("Not all of %s was collected: %s", src, error)
        if os.path.isdir(dest):
            self.note(Path(dest), came(src))

    def note(self, dest, moment):
        """Keep when a submission came; that of an earlier one is dropped.

        Parameters
        ----------
        dest : Path
            As collected, STUDENT/aN.
        moment : datetime
        """
        path = Path(self.coursedir.root, lateness.NAME)
        table = open_table(path, OSError) if path.exists() else []
        lines = {tuple(line.values())[:2]: line for line in table}
        key = self.coursedir.assignment_id, dest.parent.name
        values = *key, moment.isoformat(" ", "seconds")
        lines[key] = dict(zip(lateness.COLUMNS, values, strict=True))
        write_table(path, lateness.COLUMNS, lines.values())


def hand_back(page, submission, feedback):
    """Put a page where `nbgrader release_feedback` looks for it.

    Parameters
    ----------
    page : path
        The student's page, as the grader wrote it.
    submission : Submission
        As nbgrader collected it, STUDENT/aN/aN.ipynb.
    feedback : path
        The folder of feedback of nbgrader's course.

    Returns
    -------
    bool
        Whether it was done: not without what nbgrader keeps beside a
        collected notebook.
    """
    if submission.path is None:
        return False
    beside = [Path(submission.path).parent / name for name in BESIDE]
    if not all(one.is_file() and not one.is_symlink() for one in beside):
        return False
    name = submission.assignment
    place = Path(feedback, submission.student, name)
    place.mkdir(parents=True, exist_ok=True)
    for one in beside:
        shutil.copyfile(one, place / one.name)
    shutil.copyfile(page, place / f"{name}.html")
    return True
