"""A look at the code of answers: what they name that is not their own work.

Python's profiler sees what an answer calls in its own process, and code that
wants to can get round it. Its text is read here, and never run. What is
found takes no point: it is noted for whoever marks.
"""

import ast
import functools
import importlib.util
import re
import sys

from IPython.core.inputtransformer2 import TransformerManager

from pegasos_edu.grading.judging.restore import id_of, is_answer, text_of

# Whoever needs one of these for an answer lends it, or hides something.
LENDERS = {
    "TASKS",
    "ZOO",
    "cvxpy",
    "liblinear",
    "pegasos_edu",
    "sklearn",
    "statsmodels",
    "torch",
    "variant",
}
# Whoever imports from within them looks at what judges.
INNER = ("pegasos_edu.grading", "pegasos_edu.coursework")
WAYS_ROUND = {
    "__import__",
    "_thread",
    "asyncio",
    "attrgetter",
    "concurrent",
    "ctypes",
    "eval",
    "exec",
    "gc",
    "get_ipython",
    "getattr(…)",
    "glob",
    "globals",
    "importlib",
    "inspect",
    "locals",
    "marshal",
    "methodcaller",
    "multiprocessing",
    "open",
    "os",
    "pathlib",
    "pickle",
    "pkgutil",
    "requests",
    "runpy",
    "setattr(…)",
    "shutil",
    "site",
    "socket",
    "subprocess",
    "sys",
    "threading",
    "types",
    "urllib",
    "vars",
    "zipfile",
    "zipimport",
}
# The texts that assignment 1 puts away for its test, and their authors.
TEST_ROWS = {"authors", "put_away"}
# Magics of IPython that are in anybody's notebook.
OF_PICTURES = re.compile(
    r"^%(matplotlib|precision|config +InlineBackend\.).*$", re.M
)
TIMED = re.compile(r"^%%?time(it)?\b( +-\w+( +\d+)?)*[ \t]*", re.M)
# Names between two underscores that anybody's class may look up.
HARMLESS = {"__class__", "__init__", "__len__", "__name__", "__version__"}
IN_ONES_OWN = WAYS_ROUND | TEST_ROWS | {"TASKS", "ZOO"}


def names_in(source):
    """The names that some code reads, and the libraries it imports.

    Examples
    --------
    >>> sorted(names_in("from sklearn import svm\\nm = svm.SVC(C)"))
    ['C', 'sklearn', 'svm']
    >>> sorted(names_in("%matplotlib inline\\n%time import sys\\n!ls"))
    ['get_ipython', 'sys']
    """
    code = OF_PICTURES.sub("", TIMED.sub("", source))
    try:
        # What else stands behind % or ! is for IPython, and no Python yet.
        tree = ast.parse(TransformerManager().transform_cell(code))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    found = replaced(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.Import):
            for name in node.names:
                found |= imported(name.name)
        elif isinstance(node, ast.keyword) and (node.arg or "").startswith(
            "co_"
        ):
            found.add(f".{node.arg}")
        elif isinstance(node, ast.Attribute) and is_inner(node.attr):
            found.add(f".{node.attr}")
        elif isinstance(node, ast.ImportFrom):
            found |= imported(node.module or "")
            found |= {name.name for name in node.names}
    return found


def imported(module):
    """The library of a module, and the inner room that it lies in.

    Examples
    --------
    >>> sorted(imported("pegasos_edu.coursework.watch"))
    ['pegasos_edu', 'pegasos_edu.coursework']
    >>> sorted(imported("my_copy.solvers"))
    ['import my_copy', 'my_copy']
    """
    found = {room for room in INNER if module.startswith(room)}
    library = module.partition(".")[0]
    if library and not is_installed(library):
        found.add(f"import {library}")
    return found | {library}


@functools.cache
def is_installed(library):
    """Whether a library is known here, and was not made by a notebook."""
    if library in sys.stdlib_module_names:
        return True
    try:
        return importlib.util.find_spec(library) is not None
    except (ImportError, ValueError):
        return False


def is_inner(name):
    """Whether an attribute is Python's own, and seldom of use.

    Examples
    --------
    >>> is_inner("__code__"), is_inner("__init__"), is_inner("w")
    (True, False, False)
    """
    return (
        name.startswith("__")
        and name.endswith("__")
        and (name not in HARMLESS)
    )


def replaced(tree):
    """What some code puts something else in the place of, or looks up.

    An attribute that is set of anything but `self` and what the code has
    made itself, and a name that is not written out.

    Examples
    --------
    >>> replaced(ast.parse("np.sign = f; self.w = w; X = f(); X.a = 1"))
    {'np.sign'}
    >>> replaced(ast.parse("getattr(coursework, 'TAS' + 'KS')"))
    {'getattr(…)'}
    """
    made = {"self"} | {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    made |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and not isinstance(
            node.ctx, ast.Load
        ):
            base = node.value
            if isinstance(base, ast.Name) and base.id not in made:
                found.add(f"{base.id}.{node.attr}")
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            written = len(node.args) > 1 and isinstance(
                node.args[1], ast.Constant
            )
            if node.func.id in ("getattr", "setattr") and not written:
                found.add(f"{node.func.id}(…)")
    return found


def ours(solution):
    """The names that the locked cells import from this package."""
    found = set()
    for cell in solution:
        if cell.cell_type != "code" or is_answer(cell):
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if not isinstance(node, ast.ImportFrom):
                continue
            if (node.module or "").startswith("pegasos_edu"):
                found |= {name.asname or name.name for name in node.names}
    return found


def lent(cells, solution):
    """What the answers of a submission name that the solution does not.

    Parameters
    ----------
    cells : list of cell
        The submission's.
    solution : list of cell

    Returns
    -------
    list of (str, list of str)
        The answer's id, "" for a cell of the student's own, and the names.
    """
    model = {id_of(cell): cell for cell in solution if id_of(cell)}
    known = {id_of(cell) for cell in solution if not is_answer(cell)}
    in_answers = LENDERS | WAYS_ROUND | TEST_ROWS | ours(solution)
    found = []
    for cell in cells:
        grade_id = id_of(cell)
        if cell.cell_type != "code" or (grade_id and grade_id in known):
            continue
        named = names_in(text_of(cell))
        # In a cell of one's own, trying things out is anybody's right.
        told = in_answers if grade_id in model else IN_ONES_OWN
        names = {
            name
            for name in named
            if name in told or "." in name or name.startswith("import ")
        }
        if grade_id in model:
            names -= names_in(model[grade_id].source)
        if names:
            found.append(
                (grade_id if grade_id in model else "", sorted(names))
            )
    return found


def note_on(cells, solution):
    """What is noted of it, in a sentence, or ""."""
    found = lent(cells, solution)
    if not found:
        return ""
    said = [
        f"{grade_id or 'a cell of its own'} names {', '.join(names)}"
        for grade_id, names in found
    ]
    return f"to be read: {', '.join(said)}"
