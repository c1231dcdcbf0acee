"""What each submission gets, graded on this machine or on a cluster."""

from pegasos_edu.grading import temporary
from pegasos_edu.grading.handed_back.records import Graded
from pegasos_edu.grading.running import pool


def refused(work):
    """Results for what need not be run to know that it has no score."""
    for submission in work:
        if submission.problem:
            yield (
                submission,
                Graded(
                    submission.student,
                    submission.assignment,
                    reason=submission.problem,
                ),
            )


def results_of(work, options, records):
    """Yield what is to be graded with its result."""
    yield from refused(work)
    notebooks = [submission for submission in work if submission.path]
    if not notebooks:
        return
    # What a run ended in goes last: if it was the cause, it harms nobody.
    notebooks.sort(
        key=lambda one: records.was_begun(one.student, one.assignment)
    )
    if options.scheduler:
        # Not above: who grades here needs no Dask.
        from pegasos_edu.grading.running import cluster

        yield from cluster.grade_all(notebooks, options, records)
        return
    with temporary.folder() as prepared:
        pool.prepare(notebooks, options, prepared)
        yield from pool.grade_all(notebooks, options, prepared, records)
