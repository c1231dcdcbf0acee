"""What grading needs beside the package: one sentence where it is missing."""

import contextlib
import sys


@contextlib.contextmanager
def needed(name):
    """End a command that lacks a library in one sentence.

    Parameters
    ----------
    name : str
        The `__name__` of the module that imports within. Only a command
        is ended; whoever imports a module gets the error itself.

    Raises
    ------
    SystemExit
        If a library of somebody else is not installed, and after a Ctrl+C.
    ModuleNotFoundError
        If what is missing is a module of our own, or one of Python's.

    Examples
    --------
    >>> with needed("__main__"):
    ...     import json
    """
    try:
        yield
    except KeyboardInterrupt:
        if name != "__main__":
            raise
        print("Stopped; nothing was done yet.")
        sys.exit(130)
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        ours = {"", "pegasos_edu"} | sys.stdlib_module_names
        if name != "__main__" or library in ours:
            raise
        sys.exit(
            f"Grading needs {library}, which is not installed; expected the "
            f'extra: pip install -e ".[grading]" in the project\'s folder, or '
            f"pip install with [grading] after the name of the wheel."
        )
