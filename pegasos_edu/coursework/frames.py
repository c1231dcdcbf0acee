"""Where an exception came from: the student's lines, and which library.

What happens inside a library is its own business: its frames come down to
one line.
"""

import inspect
import os
import re
import traceback
from pathlib import Path

import pegasos_edu

HOME = str(Path(pegasos_edu.__file__).parent)
# What an exception that came from another process keeps its lines under.
THERE = "lines of the process it came from"
# Lines of student code that are shown.
MOST = 3
# A file of an installed library, of Python's own, or of a compiled one,
# which is named from its library on.
LIBRARIES = [
    re.compile(r"[/\\](?:site|dist)-packages[/\\](\w+)"),
    re.compile(r"[/\\][Ll]ib[/\\](?:python3[.\w]*[/\\])?(\w+)(?:\.py$|[/\\])"),
    re.compile(r"^(\w+)[/\\].*\.p(?:yx|xd)$"),
]


def library_of(file):
    """The library that a file belongs to; "" if it is the student's own.

    Parameters
    ----------
    file : str

    Returns
    -------
    str

    Examples
    --------
    >>> library_of("/env/lib/python3.12/site-packages/numpy/linalg/x.py")
    'numpy'
    >>> library_of("/usr/lib/python3.12/json/decoder.py")
    'json'
    >>> library_of("/tmp/ipykernel_7/123.py")
    ''
    """
    if os.path.expanduser(file).startswith(HOME + os.sep):
        return "pegasos_edu"
    if file.startswith("<frozen"):
        return "Python"
    found = [pattern.search(file) for pattern in LIBRARIES]
    return next((match[1] for match in found if match), "")


def cut(frames):
    """Frames as lines: the student's, and one for each library between.

    Parameters
    ----------
    frames : iterable of (file, function, line number, code)
        The outermost first; a function may be "".

    Returns
    -------
    list of str
        Of the student's lines the last three; of libraries that come
        before any line of the student none.

    Examples
    --------
    >>> numpy = "/lib/python3.12/site-packages/numpy/"
    >>> print(*cut([
    ...     ("cell.py", "f", 2, "return solve(A, b)"),
    ...     (numpy + "a.py", "solve", 410, "r = gufunc(a, b)"),
    ...     (numpy + "b.py", "check", 99, "raise LinAlgError()"),
    ... ]), sep="\\n")
      in f, line 2: return solve(A, b)
      … in numpy …
    """
    lines, own = [], []
    for file, function, number, code in frames:
        library = library_of(file)
        if not library:
            where = f"in {function}, line" if function else "line"
            own.append(len(lines))
            lines.append(f"  {where} {number}: {(code or '').strip()}")
        elif lines and lines[-1] != f"  … in {library} …":
            lines.append(f"  … in {library} …")
    return lines[own[-MOST] :] if len(own) > MOST else lines


def own_lines(error):
    """Where an exception came from, line by line.

    Parameters
    ----------
    error : BaseException

    Returns
    -------
    list of str
        As of `cut`; of an attribute that is asked for from outside, and is
        not there, the methods that are.
    """
    there = getattr(error, "__dict__", {}).get(THERE)
    if there is not None:
        return there
    lines = cut(
        (frame.filename, frame.name, frame.lineno, frame.line)
        for frame in traceback.extract_tb(error.__traceback__)
    )
    return lines or own_class(error)


def own_class(error):
    """What a student's class has, where something else is asked of it.

    Such an exception comes from no line of the student.
    """
    if type(error) is not AttributeError:
        return []
    asked = type(error.obj)
    methods = {
        name: function.__code__
        for name, function in vars(asked).items()
        if inspect.isfunction(function)
    }
    if any(library_of(code.co_filename) for code in methods.values()):
        return []
    return [
        f"  {asked.__name__} has {name}, line {code.co_firstlineno}"
        for name, code in methods.items()
    ]
