"""Seeing that an answer is borrowed, from this package or from another.

A right answer that calls our solvers, a fitted model of scikit-learn, or the
very function it is compared with, is nobody's work. What is called while an
answer runs is watched. That is Python's profiler, in the student's own
process: what switches it off, or runs beside it, is refused, as far as it can
be seen.
"""

import _thread
import contextlib
import os
import queue
import re
import sys
import threading
from functools import cache
from pathlib import Path

import pegasos_edu
from pegasos_edu.coursework.frames import library_of
from pegasos_edu.coursework.trial import call

HOME = Path(pegasos_edu.__file__).parent
# Looks at the arguments of what is called, and answers nothing itself.
CALLS = str(HOME / "problem" / "calls.py")
# This one knows the name of the solver that it checks.
ROUND_A_SOLVER = "solver.<locals>.decorate.<locals>.solve"
# What an answer could be borrowed from.
ROOMS = [
    str(HOME / room)
    for room in (
        "problem",
        "solvers",
        "certificate",
        "estimator",
        "theory",
        "live",
        "coursework/asked",
        "coursework/tasks",
        "coursework/zoo",
        "coursework/diagnosis",
    )
]
# Where other libraries keep models that are fitted. Whoever prepares data by
# them borrows nothing.
OTHERS = re.compile(
    r"[/\\]site-packages[/\\](?P<name>"
    r"sklearn[/\\](svm|linear_model|discriminant_analysis|neural_network|"
    r"ensemble|tree|neighbors|naive_bayes|calibration|kernel_ridge)\b|"
    r"(statsmodels|torch|cvxpy|xgboost|lightgbm|liblinear|libsvm|lightning)\b)"
)
# Built-in functions that lead out of what is watched, by id.
WAYS_OUT = {
    id(getattr(module, name)): does
    for does, module, names in (
        ("changes Python's profiler", sys, ("setprofile", "getprofile")),
        ("starts a thread", _thread, ("start_new_thread", "start_new")),
        (
            "starts a process",
            os,
            ("fork", "system", "posix_spawn", "posix_spawnp", "startfile"),
        ),
    )
    for name in names
    if hasattr(module, name)
}
try:
    import _posixsubprocess

    WAYS_OUT[id(_posixsubprocess.fork_exec)] = "starts a process"
except ImportError:  # Windows
    pass


# By these threads meet.
MEETINGS = (_thread.LockType, queue.SimpleQueue)
# The libraries that do it on behalf of whoever calls them.
GATES = {
    "asyncio",
    "concurrent",
    "multiprocessing",
    "os",
    "queue",
    "subprocess",
    "threading",
}


class Unwatched(RuntimeError):
    """What an answer did that keeps it from being watched."""


def borrowed(answer, case, own=None, also=""):
    """The function of this package that an answer calls, or "".

    Parameters
    ----------
    answer : callable
    case : dict
        The arguments it is called with.
    own : code object, optional
        A function of ours that calls the answer, and is not meant.
    also : str, optional
        One more file that nothing may be borrowed from.

    Returns
    -------
    str
        Module and function, such as "pegasos_edu.solvers.dense.pegasos".

    Raises
    ------
    Unwatched
    """
    with calls_to_us(own, also) as found:
        call(answer, case)
    return found[0] if found else ""


@contextlib.contextmanager
def calls_to_us(own=None, also=""):
    """Collect what is called of this package, and of others' models.

    Raises
    ------
    Unwatched
        If something was done that was not to be seen.

    Examples
    --------
    >>> from pegasos_edu import draw_order
    >>> with calls_to_us() as found:
    ...     order = draw_order(3, 3, seed=0)
    >>> found[0]
    'pegasos_edu.solvers.orders.draw_order'
    """
    found: list[str] = []
    out: list[str] = []

    def watch(frame, event, what):
        code = frame.f_code
        if event == "call" and code is not own and lends(code, also):
            found.append(source_of(frame, also))
        elif event == "c_call" and code.co_filename != __file__:
            does = WAYS_OUT.get(id(what))
            if type(getattr(what, "__self__", None)) in MEETINGS:
                does = "waits for a thread"
            if does and is_meant(frame):
                out.append(does)

    if beside():
        raise Unwatched("leaves a thread running")
    # From Python 3.12 on in threads that run already, too.
    everywhere = getattr(threading, "setprofile_all_threads", None)
    before = sys.getprofile()
    if everywhere and threading.active_count() > 1:
        everywhere(watch)
    sys.setprofile(watch)
    try:
        yield found
    finally:
        kept = sys.getprofile() is watch
        if everywhere and threading.active_count() > 1:
            everywhere(None)
        sys.setprofile(before)
    if not found and (out or not kept):
        raise Unwatched(out[0] if out else "changes Python's profiler")


def lends(code, also=""):
    """Whether a function, not a module being imported, is a lender's."""
    file = code.co_filename
    if type(file) is not str:  # whoever compares it would run its code
        return True
    return code.co_name != "<module>" and (file == also or lender(file) != "")


def source_of(frame, also=""):
    """The function that a frame runs, as its user calls it."""
    code = frame.f_code
    if code.co_qualname == ROUND_A_SOLVER:
        return f"pegasos_edu.solvers.{frame.f_locals['name']}"
    return f"{home_of(code, also)}.{code.co_qualname}"


def home_of(code, also=""):
    """The module that a function is borrowed from."""
    file = code.co_filename
    hidden = type(file) is not str
    return "hidden" if hidden else lender(file) or Path(also).stem


@cache
def lender(file):
    """The module that a file is, if answers could be borrowed from it.

    Parameters
    ----------
    file : str

    Returns
    -------
    str
        "" if not.

    Examples
    --------
    >>> home = "/lib/python3.12/site-packages/sklearn/"
    >>> lender(home + "svm/_classes.py"), lender(home + "preprocessing.py")
    ('sklearn.svm._classes', '')
    """
    if file.startswith(tuple(ROOMS)) and file != CALLS:
        path = Path(file).relative_to(HOME.parent)
    elif other := OTHERS.search(file):
        path = Path(file[other.start("name") :])
    else:
        return ""
    return ".".join(path.with_suffix("").parts)


def is_meant(frame):
    """Whether a student's line asks for it, and not some library's own.

    A library that shows progress, say, may start a thread for itself.
    """
    while frame is not None:
        library = library_of(frame.f_code.co_filename)
        if not library:
            return True
        if library not in GATES:
            return False
        frame = frame.f_back
    return False


def beside():
    """Whether a student's function is running in another thread."""
    here = threading.get_ident()
    return any(
        number != here and is_a_students(frame)
        for number, frame in sys._current_frames().items()
    )


def is_a_students(frame):
    """Whether some function of the notebook itself is being run."""
    while frame is not None:
        if frame.f_globals.get("__name__") == "__main__":
            return True
        frame = frame.f_back
    return False
