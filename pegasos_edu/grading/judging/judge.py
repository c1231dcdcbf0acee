"""The judge: runs the tests where no student code runs.

A notebook's own process cannot be trusted with its tests: a student's cell
may replace the checks, `assert` or anything else there. So the tests are
run once more in the grader's process. Names that only the student defines
are fetched from the notebook: numbers and arrays as copies, functions as
stand-ins whose calls are carried out there.
"""

import ast
import builtins
import contextlib
import dis
import functools
import inspect
import io
import secrets
import traceback
from types import CodeType

import nbformat
import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.cost import line_in
from pegasos_edu.coursework.frames import THERE
from pegasos_edu.coursework.repair import repaired
from pegasos_edu.coursework.trial import lock
from pegasos_edu.coursework.watch import Unwatched
from pegasos_edu.grading.sandbox.remote import OURS

# Tags of locked cells: what only a reader needs, what only loads data, and
# what says which variant it is.
NOT_GRADED = "not-graded"
DATA = "data"
VARIANT = "variant"
ERRORS = {
    name: kind
    for name, kind in vars(builtins).items()
    if isinstance(kind, type) and issubclass(kind, Exception)
}


# What is said where answers are no longer watched.
UNSEEN = "nothing here sees any more what an answer calls"

# What is said where a test fails: in its hidden part, or in what is seen.
ONLY_HIDDEN = (
    "it is right on the data that you can see, and wrong on other data that "
    "only the grader has. Does your answer depend on the sizes, the labels "
    "or the numbers of these data?"
)
DOES_NOT_PASS = "the grader's own run of the test does not pass"
TEST = "<test>"  # the file of a test, in an error's traceback


class NoAnswer(KeyboardInterrupt):
    """A function did not come to an end.

    It ends a check as the interrupt ends one in a notebook; no other
    exception does, as a student's function may raise any.
    """


class Remote:
    """Stands for a function, class or object of the student.

    Parameters
    ----------
    ask : callable
        Takes a question and returns the notebook's reply.
    clock : callable
        Processor time the notebook's process has used, in seconds.
    number : int
        The object's number there.
    attribute : str or None
        The method that a call means, if any.
    """

    def __init__(self, ask, clock, number, attribute=None):
        self.ask = ask
        self.clock = clock
        self.number = number
        self.attribute = attribute
        self.took = None  # seconds of the last call there
        self.quick = False  # whether its steps were found to cost little

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return Remote(self.ask, self.clock, self.number, name)

    def __call__(self, *arguments, **keywords):
        reply = self.ask(
            {
                "object": self,
                "attribute": self.attribute,
                "arguments": list(arguments),
                "keywords": keywords,
            }
        )
        for before, after in zip(arguments, reply.get("changed", [])):
            if after is not None:
                write_back(before, after)
        self.took = reply.get("took")
        return value_of(reply)


def value_of(reply):
    """The value in a reply; raises the error it holds instead."""
    if "error" in reply:
        raise error_of(reply)
    return reply["value"]


def error_of(reply):
    """The error in a reply, with the lines it came from there."""
    kind, text = reply["error"]
    try:
        error = ERRORS.get(kind, RuntimeError)(text)
    except TypeError:  # UnicodeDecodeError wants more than a text
        error = RuntimeError(f"{kind}: {text}")
    error.__dict__[THERE] = [str(line) for line in reply.get("lines", [])]
    return error


def write_back(before, after):
    """Let a changed argument be changed here too; not the judge's own data.

    Raises
    ------
    ValueError
        If it is one of the arrays that `prepared_names` has locked.
    """
    array = before.data if sp.issparse(before) else before
    if isinstance(array, np.ndarray) and not array.flags.writeable:
        raise ValueError("your function changes the data it is given")
    if sp.issparse(before):
        if not sp.issparse(after) or after.shape != before.shape:
            raise ValueError("an argument came back in another shape")
        before.data = np.asarray(after.data)
        before.indices, before.indptr = after.indices, after.indptr
    elif isinstance(before, list):
        before[:] = after
    elif np.shape(before) == np.shape(after):
        before[...] = after


class Judge:
    """Runs the tests of one notebook.

    Parameters
    ----------
    path : path
        The solution notebook that holds the tests.
    ask, clock : callable
        See `Remote`.
    """

    def __init__(self, path, ask, clock):
        self.ask = ask
        self.clock = clock
        self.names = prepared_names(str(path))
        self.tests = {
            cell.metadata.nbgrader.grade_id: cell.source
            for cell in nbformat.read(path, as_version=4).cells
            if is_test(cell)
        }

    def problem(self, grade_id):
        """Why a test fails; "" if it passes.

        Asked only where the part that students see has passed before.
        """
        said, error = self.run(self.tests[grade_id])
        if error is None:
            return ""
        if isinstance(error, (NoAnswer, Unwatched)):
            return str(error)
        if isinstance(error, AssertionError):
            hidden = is_hidden(self.tests[grade_id], line_of(error))
            # What a clock says here it need not have said there.
            why = filter(None, [DOES_NOT_PASS, line_in(said)])
            return ONLY_HIDDEN if hidden else ": ".join(why)
        return (
            f"the grader's own run of the test stopped with "
            f"{type(error).__name__}: {error}"
        )

    def run(self, source):
        """What a test prints, and the error that ends it, if one does.

        Parameters
        ----------
        source : str

        Returns
        -------
        said : str
        error : Exception or None
        """
        said = io.StringIO()
        try:
            names = dict(self.names)
            for name in needed(source, names):
                names[name] = value_of(self.ask({"name": name}))
            with contextlib.redirect_stdout(said):
                exec(compile(source, TEST, "exec"), names)
            self.see_that_it_is_watched(source)
        except (Exception, NoAnswer) as error:  # whatever a reply leads to
            return said.getvalue(), error
        return said.getvalue(), None

    def see_that_it_is_watched(self, source):
        """Ask for what is borrowed, in the way that answers are asked.

        Of the test's own assignment, and of one more place.

        Parameters
        ----------
        source : str
            The test.

        Raises
        ------
        Unwatched
            If the notebook does not refuse.
        """
        asked = {name for name in OURS if f'"{name}.' in source}
        for name in asked | {secrets.choice(list(OURS))}:
            ours = Remote(self.ask, self.clock, list(OURS).index(name))
            try:
                ours()
            except Exception as error:  # of whatever kind a reply makes it
                if "the answer calls pegasos_edu." in str(error):
                    continue
            raise Unwatched(
                f"{UNSEEN}: a cell of your own changes the checks; take it out"
            )

    def may_stand(self, task, name):
        """Whether no right answer is put in the place of this one."""
        try:
            answer = value_of(self.ask({"name": name}))
            return repaired(task, answer, self.names[VARIANT]) is answer
        except (Exception, NoAnswer):  # whatever a reply leads to
            return False


def line_of(error):
    """The line of a test that an error came from; 0 if from none."""
    frames = traceback.extract_tb(error.__traceback__)
    found = (one.lineno for one in frames if one.filename == TEST)
    return next(found, None) or 0


def is_hidden(source, number):
    """Whether a line of a test stands in a part that students do not see.

    Examples
    --------
    >>> test = "a\\n### BEGIN HIDDEN TESTS\\nb\\n### END HIDDEN TESTS\\nc"
    >>> [is_hidden(test, number) for number in (1, 3, 5)]
    [False, True, False]
    """
    above = "\n".join(source.splitlines()[:number])
    begun, ended = (
        above.rfind(f"{word} HIDDEN TESTS") for word in ("BEGIN", "END")
    )
    return begun > ended


def is_test(cell):
    """Whether nbgrader takes points for running this cell."""
    facts = cell.metadata.get("nbgrader", {})
    return (
        cell.cell_type == "code"
        and facts.get("grade", False)
        and not facts.get("solution", False)
    )


@functools.cache
def prepared_names(path):
    """What the locked cells of a solution define without the student.

    Computed once for all submissions, and what two variants share once for
    both. What differs in every variant is defined last: no other locked
    cell may need it.
    """
    common, own = [], []
    for cell in nbformat.read(path, as_version=4).cells:
        tags = cell.metadata.get("tags", [])
        locked = cell.metadata.get("nbgrader", {}).get("locked", False)
        if cell.cell_type != "code" or not locked or is_test(cell):
            continue
        if NOT_GRADED not in tags:
            (own if VARIANT in tags else common).append(cell.source)
    names = dict(names_after(tuple(common)))
    for source in own:
        run_unheard(source, names)
    for value in names.values():
        lock(value)
    return names


@functools.cache
def names_after(sources):
    """What some cells define, run one after the other.

    Parameters
    ----------
    sources : tuple of str
        A cell that needs what only the student defines is passed over.

    Returns
    -------
    dict
    """
    if not sources:
        return {}
    names = dict(names_after(sources[:-1]))
    if not needed(sources[-1], names):
        run_unheard(sources[-1], names)
    return names


def run_unheard(source, names):
    """Run a locked cell; what it prints is for the student's own run."""
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(source, "<locked cell>", "exec"), names)


def defined(source):
    """Names that some code binds, apart from imports."""
    return sorted(
        {
            node.id
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
    )


def binds(source):
    """Every name that some code binds, by ``def`` and ``import`` as well.

    Examples
    --------
    >>> sorted(binds("import numpy as np\\ndef f(x):\\n    y = x\\nz = f(1)"))
    ['f', 'np', 'z']
    """
    code = compile(source, "<cell>", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    bound: set[str] = set()
    read_at_once(code, bound, set())
    return bound


def needed(source, known):
    """Names that some code takes from elsewhere, in the order of the alphabet.

    A name is needed if it is read before the code binds it itself, as in
    ``step = repaired(step)``. What a function reads is read when the
    function is called, which may be after everything is bound.

    Parameters
    ----------
    source : str
    known : iterable of str
        Names that need not be taken from elsewhere, as the builtins need not.

    Returns
    -------
    list of str

    Examples
    --------
    >>> needed("step = repaired(step)\\ndef f(x):\\n    return x + g", {"g"})
    ['repaired', 'step']
    """
    bound: set[str] = set()
    later: set[str] = set()
    # The compiler knows best what is local to what. A cell may await.
    await_too = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    code = compile(source, "<cell>", "exec", await_too, optimize=0)
    read = read_at_once(code, bound, later) | (later - bound)
    return sorted(read - set(known) - set(vars(builtins)) - OF_PYTHON)


OF_PYTHON = {"__annotations__", "__conditional_annotations__"}
READS = {"LOAD_NAME", "LOAD_GLOBAL", "LOAD_FROM_DICT_OR_GLOBALS"}
BINDS = {"STORE_NAME", "STORE_GLOBAL"}
# Comprehensions run where they stand, as the bodies of classes do.
AT_ONCE = {"<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>"}


def read_at_once(code, bound, later):
    """Global names that code reads before they are bound.

    Parameters
    ----------
    code : code object
    bound : set of str
        What was bound before; names that the code binds are added.
    later : set of str
        What functions in it read is added.

    Returns
    -------
    set of str
    """
    read: set[str] = set()
    for step in dis.get_instructions(code):
        if step.opname in READS and step.argval not in bound:
            read.add(step.argval)
        elif step.opname in BINDS:
            bound.add(step.argval)
        elif isinstance(step.argval, CodeType):
            read |= read_inside(step.argval, bound, later)
    return read


def read_inside(code, bound, later):
    """The same of a function, a class or a comprehension within it."""
    is_class = not code.co_flags & inspect.CO_OPTIMIZED
    if is_class:
        return read_at_once(code, set(bound), later)
    if code.co_name in AT_ONCE:
        return read_at_once(code, bound, later)
    own = set()
    later |= read_at_once(code, own, later)
    bound |= own  # by `global`
    return set()
