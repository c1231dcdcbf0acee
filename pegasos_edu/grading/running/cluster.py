"""All submissions, on the workers of a Dask cluster.

The notebooks and solutions are sent along, and the results come back: the
machines need no folder in common. What grades is the same as on one machine;
a worker that is lost costs time, and its submissions are sent to another.
"""

import contextlib
import pickle
import subprocess
import sys

from pegasos_edu.distributed.workers import connected, wait_for
from pegasos_edu.grading.handed_back.grades import (
    options_that_count,
    page_path,
)
from pegasos_edu.grading.handed_back.records import Graded, package_fingerprint
from pegasos_edu.grading.judging.reading import Refused, read_file
from pegasos_edu.grading.judging.sources import solution_path
from pegasos_edu.grading.running.station import START, Job, machine
from pegasos_edu.grading.sandbox.isolation import WANTED

# A worker whose job is done has the next one at hand.
AHEAD = 2
# Stations of this worker that have nothing to do.
IDLE: list["Station"] = []


class Station:
    """This worker's end of a station: see `station`."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", START],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def ask(self, job):
        """Send a job, and wait for the reply."""
        pickle.dump(job, self.process.stdin)
        self.process.stdin.flush()
        return pickle.load(self.process.stdout)

    def end(self):
        """End it, whatever it does."""
        self.process.kill()
        self.process.communicate()


class Unable(Exception):
    """Why a machine cannot grade, in one sentence."""


def graded(job):
    """What a worker does: let a station of its own grade.

    Parameters
    ----------
    job : Job

    Returns
    -------
    Reply

    Raises
    ------
    Unable
        If this machine cannot grade, or not as the sender would.
    """
    station = IDLE.pop() if IDLE else Station()
    try:
        reply = station.ask(job)
    except (EOFError, OSError, pickle.UnpicklingError):
        station.end()
        raise Unable(
            f"the grader on {machine()} ended without a result"
        ) from None
    IDLE.append(station)
    if reply.unable:
        raise Unable(f"{machine()} cannot grade: {reply.unable}")
    return reply


def job_of(submission, options):
    """A submission with all that another machine needs.

    Parameters
    ----------
    submission : Submission
    options : Namespace
        Of the command.

    Returns
    -------
    Job

    Raises
    ------
    Refused
        If its file cannot be read.
    """
    assignment, _ = submission.key
    common = options.solutions / assignment / f"{assignment}.ipynb"
    return Job(
        submission.student,
        assignment,
        submission.path.name,
        read_file(submission.path),
        solution_path(options, *submission.key).read_bytes(),
        common.read_bytes(),
        options_that_count(options),
        package_fingerprint(),
    )


def connect(address):
    """A client of the scheduler with this address; the command ends if none.

    Parameters
    ----------
    address : str
        Such as "tcp://10.0.0.7:8786".

    Returns
    -------
    distributed.Client
    """
    try:
        return connected(address, "--scheduler")
    except (ConnectionError, MemoryError, ModuleNotFoundError) as error:
        sys.exit(str(error))


def grade_all(work, options, records):
    """Yield submissions and results, as the workers have them.

    Parameters
    ----------
    work : list of Submission
    options : Namespace
        Of the command; its `scheduler` is an address.
    records : Records

    Yields
    ------
    Submission, Graded
    """
    with connect(options.scheduler) as client:
        waiting, running, lost = list(work), {}, []
        try:
            while waiting or running:
                most = AHEAD * max(1, sum(client.nthreads().values()))
                while waiting and len(running) < most:
                    submission = waiting.pop(0)
                    try:
                        job = job_of(submission, options)
                    except Refused as refusal:
                        yield submission, failed(submission, str(refusal))
                        continue
                    records.begin(submission.student, submission.assignment)
                    future = client.submit(graded, job, pure=False)
                    running[future] = submission
                for future in finished(client, list(running)):
                    submission = running.pop(future)
                    result = received(future, submission, options)
                    if result:
                        yield submission, result
                    else:
                        lost.append(
                            f"{submission.student} {submission.assignment}"
                        )
        finally:
            if client.status == "running":
                client.cancel(list(running))
            for submission in running.values():
                records.forget_begun(submission.student, submission.assignment)
    if lost:
        sys.exit(
            f"Not graded, as too many workers ended: {', '.join(lost)}; "
            f"expected workers that last. The same command tries again."
        )


def finished(client, futures):
    """Those of the futures that are done, at least one if there are any.

    The command ends if none ever will be.
    """
    if not futures:
        return []
    try:
        return wait_for(client, futures, jobs, until="FIRST_COMPLETED")
    except (ConnectionError, MemoryError) as error:
        sys.exit(str(error))


def jobs(keys):
    """The keys of tasks that grade."""
    return [key for key in keys if str(key).startswith("graded-")]


def failed(submission, reason):
    """A result without a score."""
    return Graded(submission.student, submission.assignment, reason=reason)


def received(future, submission, options):
    """The result of a job; None if its workers ended, one after another.

    Dask counts a worker's end against all that it had in hand, so that says
    nothing of the submission. The command ends if no machine can grade.
    """
    from distributed import KilledWorker

    try:
        reply = future.result()
    except KilledWorker:
        return None
    except Unable as problem:
        sys.exit(
            f"A machine of {options.scheduler} is of no use: {problem}; "
            f"expected this package, and that you {WANTED}, on all of them."
        )
    except Exception as error:  # whatever a foreign machine lacks
        sys.exit(
            f"A machine of {options.scheduler} cannot grade "
            f"({type(error).__name__}: {error}); expected this package there, "
            f"with the extras grading and distributed."
        )
    path = page_path(options, submission.student, submission.assignment)
    log = path.with_suffix(".log")
    with contextlib.suppress(FileNotFoundError):
        log.unlink()
    if reply.log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(reply.log, "utf-8")
    return reply.result
