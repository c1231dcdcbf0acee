"""A student's solver on the way to a figure, or why it cannot be drawn.

It needs NumPy alone, as a page may have nothing else to run a solver with.
"""

import linecache
import reprlib
import traceback

import numpy as np

from pegasos_edu.live.toolkit.positions import whole

# A student's solver is run anew for each point of its curve.
SPARSE_STEPS = whole(0, 5, in_decade=4)
LAST = "last iterate"


class CannotDraw(Exception):
    """A message to the reader that takes the place of the figure."""


def steps_up_to(grid, T):
    """The steps of a grid before T, and T itself."""
    return sorted({t for t in grid if t < T} | {T})


def student_curves(solver, X, y, lam, order):
    """The last iterate of a student's solver on prefixes of the order."""
    steps = steps_up_to(SPARSE_STEPS, len(order))
    W = [call_solver(solver, X, y, lam, order[:t]) for t in steps]
    return steps, {LAST: np.array(W)}


def call_solver(solver, X, y, lam, order):
    """The solver's w on copies of the data, or why it cannot be drawn."""
    try:
        returned = solver(X.copy(), y.copy(), lam, order.copy())
    except Exception as error:
        raise CannotDraw(story_of(error, solver)) from error
    steps = "1 step" if len(order) == 1 else f"{len(order):,} steps"
    call = f"Your solver, with lam = {lam:g} and {steps},"
    expected = f"expected the weight vector w of shape {X.shape[1:]}"
    if returned is None:
        raise CannotDraw(
            f"{call} returned nothing; {expected}. Does it end with a return?"
        )
    w = as_numbers(returned)
    if w is None:
        shown = reprlib.repr(returned)
        raise CannotDraw(f"{call} returned {shown}; {expected}.")
    if w.shape != X.shape[1:]:
        raise CannotDraw(
            f"{call} returned an array of shape {w.shape}; {expected}."
        )
    if not np.isfinite(w).all():
        raise CannotDraw(f"{call} returned {w}; expected finite numbers.")
    return w


def as_numbers(returned):
    """What was returned as an array of real numbers; None if it is none."""
    try:
        w = np.asarray(returned)
        # A text of digits is no number, and half of a complex one is lost.
        return None if w.dtype.kind in "cSU" else w.astype(float)
    except Exception:  # it may be an object of the student's own
        return None


def story_of(error, solver):
    """What was raised, and where."""
    raised = f"Your solver raised {type(error).__name__}: {error}"
    return raised + place_of(error, solver)


def place_of(error, solver):
    """In which line of the solver's file or cell, on a line of its own."""
    code = getattr(solver, "__code__", None)
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if code is not None and frame.filename == code.co_filename
    ]
    if not frames:
        return ""
    line = frames[-1].lineno
    source = linecache.getline(frames[-1].filename, line).strip()
    return f"\nin {frames[-1].name}, line {line}: {source}"
