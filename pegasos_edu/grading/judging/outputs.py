"""What a cell shows: read, joined, and what is said of one that failed."""

import itertools
from collections import defaultdict

from nbformat.v4 import new_output

from pegasos_edu.grading.judging.errors import COLOURS, TOOK_TOO_LONG, frames


def failure(kind, text):
    """An output that takes the cell's points, with the reason."""
    return new_output(
        "error", ename=kind, evalue=text, traceback=[f"{kind}: {text}"]
    )


def leave_it_to_the_judge(cell):
    """Let no output but an error decide on a test's points.

    nbgrader takes a number that a cell results in for its points, and
    everything on stderr, be it a warning, for a failure.
    """
    for output in cell.outputs:
        if output.output_type == "execute_result":
            output.output_type = "display_data"
            output.pop("execution_count", None)
        if is_stream(output):
            output.name = "stdout"


def joined(outputs):
    """The outputs, with what was printed between two others in one piece.

    In how many pieces a kernel sends it is chance, and so is whether that for
    stderr comes first.

    Parameters
    ----------
    outputs : list of outputs

    Returns
    -------
    list of outputs

    Examples
    --------
    >>> sent = [("stderr", "a"), ("stdout", "1"), ("stderr", "b")]
    >>> pieces = [new_output("stream", name=k, text=v) for k, v in sent]
    >>> for output in joined(pieces):
    ...     print(output.name, output.text)
    stdout 1
    stderr ab
    """
    found = []
    for printed, few in itertools.groupby(outputs, is_stream):
        if not printed:
            found += few
            continue
        texts = defaultdict(str)
        for output in few:
            texts[str(output.name)] += str(output.text)
        found += (
            new_output("stream", name=name, text=texts[name])
            for name in sorted(texts, reverse=True)
        )
    return found


def is_stream(output):
    return output.output_type == "stream"


def running_in(errors):
    """The notebook's own function in which errors were raised, or "".

    Of those that call each other it is the one that a cell has called.
    """
    for error in errors:
        printed = COLOURS.sub("", "\n".join(map(str, error.traceback)))
        for file, function, *_ in frames(printed):
            if file.isdigit() and function.isidentifier():
                return function
    return ""


def has_error(cell):
    return any(output.output_type == "error" for output in cell.outputs)


def timed_out(cell):
    return any(output.get("ename") == TOOK_TOO_LONG for output in cell.outputs)
