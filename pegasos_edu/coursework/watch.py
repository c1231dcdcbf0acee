"""Seeing that an answer is borrowed from this package.

A right answer that calls our solvers, or the very function it is compared
with, is nobody's work. What is called while an answer runs is watched.
"""

import contextlib
import sys
from pathlib import Path

import pegasos_edu
from pegasos_edu.coursework.trial import call

HOME = Path(pegasos_edu.__file__).parent
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


def borrowed(answer, case, own=None):
    """The function of this package that an answer calls, or "".

    Parameters
    ----------
    answer : callable
    case : dict
        The arguments it is called with.
    own : code object, optional
        A function of ours that calls the answer, and is not meant.

    Returns
    -------
    str
        Module and function, such as "solvers.dense.pegasos".
    """
    with calls_to_us(own) as found:
        call(answer, case)
    return found[0] if found else ""


@contextlib.contextmanager
def calls_to_us(own=None):
    """Collect the names of this package's functions that are called.

    Examples
    --------
    >>> from pegasos_edu import draw_order
    >>> with calls_to_us() as found:
    ...     order = draw_order(3, 3, seed=0)
    >>> found[0]
    'solvers.orders.draw_order'
    """
    found = []

    def watch(frame, event, _):
        code = frame.f_code
        if event == "call" and code is not own and is_ours(code):
            path = Path(code.co_filename).relative_to(HOME).with_suffix("")
            found.append(".".join([*path.parts, code.co_qualname]))

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        yield found
    finally:
        sys.setprofile(before)


def is_ours(code):
    """Whether a function, not a module being imported, is in our rooms."""
    return code.co_name != "<module>" and code.co_filename.startswith(
        tuple(ROOMS)
    )
