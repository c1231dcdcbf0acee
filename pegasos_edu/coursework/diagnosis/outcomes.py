"""What an outcome shows before its numbers are looked at.

An exception, something that holds no numbers, or numbers of another shape:
that is told where no closer name was found. Each name says what is so; none
of them knows the task.
"""

import re
from itertools import combinations

from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.coursework.trial import (
    COMPLEX,
    TOO_LARGE,
    WITH_NONE,
    as_numbers,
    call,
    of_no_float,
    written,
)

# What Python and NumPy say, and what it is called. The first that fits counts.
SAID = [
    (ValueError, "truth value of an array", "if-on-an-array"),
    (TypeError, "arrays can be converted", "number-asked-of-an-array"),
    (TypeError, "must be real number, not", "number-asked-of-an-array"),
    (TypeError, "boolean negative", "minus-for-a-truth-value"),
    (TypeError, "boolean subtract", "minus-for-a-truth-value"),
    (TypeError, "did not contain a loop with sig", "calculates-with-text"),
    (TypeError, "multiply sequence by non-int", "calculates-with-text"),
    (TypeError, "positional argument", "other-arguments-than-asked"),
    (TypeError, "NoneType", "works-with-nothing"),
    (AttributeError, "NoneType", "works-with-nothing"),
    (ValueError, "could not be broadcast", "shapes-do-not-fit"),
    (ValueError, "mismatch in its core", "shapes-do-not-fit"),
    (ValueError, "not aligned", "shapes-do-not-fit"),
    (ValueError, "broadcasting", "shapes-do-not-fit"),
    (ValueError, "inhomogeneous", "shapes-do-not-fit"),
    (ValueError, "must match exactly", "shapes-do-not-fit"),
    (ValueError, "dimension mismatch", "shapes-do-not-fit"),
    (IndexError, "must be integers", "index-not-whole"),
    (IndexError, "valid indices", "index-not-whole"),
    (IndexError, "must be of integer", "index-not-whole"),
    (IndexError, "out of bounds", "index-out-of-range"),
    (IndexError, "out of range", "index-out-of-range"),
    (IndexError, "too many indices", "too-many-indices"),
    (IndexError, "boolean index did not", "mask-of-another-length"),
    (IndexError, "scalar variable", "index-into-a-number"),
    (UnboundLocalError, "", "used-before-it-is-set"),
    (NameError, "", "name-not-known"),
    (AttributeError, "", "no-such-attribute"),
    (RecursionError, "", "calls-itself"),
]
IN_A_LINE = re.compile(r"  (?:in .+, )?line ")  # as `frames.cut` writes it
# What the same is called where no line of the student raised it.
FROM_OUTSIDE = {
    "no-such-attribute": "no-such-method",
    "other-arguments-than-asked": "called-with-other-arguments",
}
SHAPES = (
    "many-numbers-for-one",
    "one-number-for-many",
    "rows-and-columns-exchanged",
    "too-many-numbers",
    "too-few-numbers",
    "numbers-in-another-shape",
)
NO_NUMBERS = "no-numbers"
NO_FLOATS = {
    COMPLEX: "complex-numbers",
    TOO_LARGE: "beyond-all-floats",
    WITH_NONE: "none-among-the-entries",
}
EXCHANGED = "arguments-exchanged"
RAISED = tuple(
    dict.fromkeys([*(name for *_, name in SAID), *FROM_OUTSIDE.values()])
)
OF_AN_OUTCOME = (*RAISED, NO_NUMBERS, *NO_FLOATS.values(), *SHAPES)


def of_an_outcome(task, solve, cases):
    """The name for an exception, for no numbers or for another shape.

    Parameters
    ----------
    task : Task
    solve : callable
    cases : list of dict
        What it was tried on.

    Returns
    -------
    tuple of str
        Empty if the outcomes are numbers of the right shape.
    """
    for case in cases:
        outcome = call(solve, case)
        if outcome.error and exchanged(task, solve, cases):
            return (EXCHANGED,)
        name = raised(outcome.error) if outcome.error else ""
        if not outcome.error:
            wanted = as_numbers(call(task.reference, case).value)
            name = shaped(outcome.value, wanted)
        if name or outcome.error:
            return (name,) * bool(name)
    return ()


def exchanged(task, solve, cases):
    """Whether an answer is right if it gets two arguments the other way."""
    return any(
        all(
            call(solve, other_way(case, *two)).same_as(
                call(task.reference, case)
            )
            for case in cases
        )
        for two in combinations(cases[0], 2)
    )


def other_way(case, one, other):
    """The arguments in the order in which they are handed over."""
    return {**case, one: case[other], other: case[one]}


def raised(error):
    """The name for what an exception says, or ""."""
    said = written(error)
    found = (
        name
        for kind, words, name in SAID
        if isinstance(error, kind) and words in said
    )
    name = next(found, "")
    from_a_line = any(IN_A_LINE.match(line) for line in own_lines(error))
    return name if from_a_line else FROM_OUTSIDE.get(name, name)


def shaped(value, wanted):
    """The name for a value that is not of the shape that is wanted, or ""."""
    if wanted is None or value is None:
        return ""
    yours = as_numbers(value)
    if yours is None:
        return NO_FLOATS.get(of_no_float(value), NO_NUMBERS)
    if yours.shape == wanted.shape:
        return ""
    if not wanted.shape:
        return SHAPES[0]
    if not yours.shape:
        return SHAPES[1]
    if wanted.ndim > 1 and yours.shape == wanted.shape[::-1]:
        return SHAPES[2]
    if yours.shape[1:] == wanted.shape[1:]:
        return SHAPES[3 if len(yours) > len(wanted) else 4]
    return SHAPES[5]
