"""An error of a notebook in a few lines: what it says, and whose line it is.

A notebook keeps an error as text, with every frame on the way. Most of them
are a library's. What a student can change is left: the own lines.
"""

import re

from pegasos_edu.coursework.frames import cut

COLOURS = re.compile(r"\x1b\[[0-9;]*[A-Za-z]")
# The head of a frame, and in it the line that was running.
FRAME = re.compile(
    r"^(?:Cell In\[(?P<cell>\d+)\], line (?P<line>\d+)"
    r"|File (?P<file>[^\n]+?):(?P<number>\d+))"
    r"(?:, in (?P<function>[^\n(]+))?[^\n]*$"
    r"(?P<code>(?:\n(?=[ \-(]|$).*)*)",
    re.MULTILINE,
)
RUNNING = re.compile(r"^-+> *\d+ ?(.*)$", re.MULTILINE)
# Between an error and the one that it led to.
LED_TO = re.compile(
    r"^(?:During handling of the above exception, another .*"
    r"|The above exception was the direct cause of .*)$",
    re.MULTILINE,
)
UNDEFINED = re.compile(r"name '(\w+)' is not defined")
# How nbgrader calls the end of a cell's time.
TOOK_TOO_LONG = "CellTimeoutError"
# What the grader itself puts into a notebook.
OURS = ("TestFailed", "NotRun", "ProcessEnded")


def condensed(output, given=False, spoken=False):
    """An error in a few lines.

    Parameters
    ----------
    output : dict
        Of a notebook, of the type "error"; whatever it holds.
    given : bool
        Whether it is from a cell of the assignment, whose own lines the
        student cannot change.
    spoken : bool
        Whether the cell has said something before it failed.

    Returns
    -------
    str
        "" if there is nothing to add to what was said.

    Examples
    --------
    >>> print(condensed({"ename": "ValueError", "evalue": "no", "traceback": [
    ...     "ValueError        Traceback (most recent call last)",
    ...     "Cell In[3], line 2\\n      1 x = 1\\n----> 2 f(x)",
    ...     "Cell In[2], line 5, in f(x)\\n----> 5     raise ValueError('no')",
    ...     "ValueError: no",
    ... ]}))
    ValueError: no
      line 2: f(x)
      in f, line 5: raise ValueError('no')
    """
    kind, text = (str(output.get(key, "")) for key in ("ename", "evalue"))
    lines = output.get("traceback")
    lines = lines if isinstance(lines, list) else [lines]
    printed = COLOURS.sub("", "\n".join(map(str, lines)))
    if kind in OURS:
        return f"Not yet: {text}" + "." * (not text.endswith("?"))
    if given and kind == "AssertionError":
        said = text or ("" if spoken else "this test does not pass")
        return f"Not yet: {said}." if said else ""
    found = frames(LED_TO.split(printed)[-1])
    if kind == TOOK_TOO_LONG:
        own = [
            (file, function, *rest)
            for file, function, *rest in found
            if file.isdigit() and (function or not given)
        ]
        return "\n".join([f"Not yet: {text}.", *cut(own)])
    if not found:
        return re.sub(r"^ *Cell In\[\d+\], line", "Line", printed)
    if given:
        # The cell stands above; the student's functions are elsewhere.
        found = [frame for frame in found if frame[0] != found[0][0]]
    undefined = UNDEFINED.fullmatch(text) if kind == "NameError" else None
    if given and undefined and not found:
        return f"Not yet: no cell above defines {undefined[1]}."
    return "\n".join([f"{kind}: {text}" if text else kind, *cut(found)])


def frames(printed):
    """The frames in a printed traceback.

    Parameters
    ----------
    printed : str

    Returns
    -------
    list of (file, function, line number, code)
        Of a cell, "file" is its number.
    """
    found = []
    for frame in FRAME.finditer(printed):
        running = RUNNING.search(frame["code"])
        code = running[1] if running else ""
        file = frame["cell"] or frame["file"]
        number = frame["line"] or frame["number"]
        function = (frame["function"] or "").strip()
        if not file.startswith("<string"):
            found.append((file, function, number, code))
    return found
