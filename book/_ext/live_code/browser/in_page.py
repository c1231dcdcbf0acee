"""Runs the cells of a page; in the reader's browser only.

`start` is called once, `run_cell` for each cell. What a cell shows goes to
the page at once, as a kind and a text: text, html, markdown, picture, figure
or error. `draw_own` then draws a figure with the reader's solver: drawing.
"""

import ast
import builtins
import contextlib
import functools
import hashlib
import importlib
import io
import json
import linecache
import logging
import math
import os
import re
import sys
import textwrap
import time
import traceback
import types
import warnings
import zipfile
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

import tqdm

# Characters that one cell may show; more would choke the page.
MOST_PRINTED = 100_000
# What a table or a picture counts at least, in characters: many small ones
# choke the page, too.
LEAST_COST = 1_000
# Characters of an error: its begin and its end are shown.
MOST_OF_ERROR = 10_000
# Errors that led to another, and parts of a group, that are told.
MOST_ERRORS = 10
# Calls within calls that are told of an error; Python ends at as many, unless
# a cell asks for more.
MOST_FRAMES = 1_000
# The parts of SciPy that the package names; each after what it is in.
LATE = ["scipy", "scipy.special", "scipy.linalg", "scipy.sparse"]
SITE_PACKAGES = "/lib/python3.12/site-packages"
# Bytecode that is valid whenever its source was unpacked: the flags that
# stand after the version, and eight bytes for which nobody asks then.
UNCHECKED = (1).to_bytes(4, "little") + bytes(8)
# What a page cannot have: its live figures stand on it, drawn by the book.
ABSENT = ["altair", "ipywidgets", "vl_convert"]
TOO_MUCH = (
    f"\n… This cell prints more than {MOST_PRINTED:,} characters, or shows "
    f"more than {MOST_PRINTED // LEAST_COST} tables or pictures; the rest "
    "is not shown.\n"
)

DIRECT = "The above exception was the direct cause of the following exception:"
DURING = "During handling of the above exception, another exception occurred:"
# What Python says of it, and why it cannot be.
AWAIT = "'await' outside function"
NO_AWAIT = f"{AWAIT}: a page cannot wait for what comes later"
# Bytes kept aside, so that there is room to say that memory ran out.
RESERVE = 8_000_000
# Bytes without which the next cell may end Python: an import takes some.
ROOM = 150_000_000

# Escape sequences, by which a terminal would colour a text or go back.
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-Z^-~])"
)

# Python's own names, also where a cell takes one away, and what they were.
BUILTINS = vars(builtins)
kept_builtins = {}

spaces = {}
# The late parts that were not yet asked to come by themselves.
not_yet = []
# What stands in site-packages: the names that each group of libraries brought,
# and how many files of bytecode of theirs the browser has.
groups, kept_files = {}, {}
# How many modules there were when it was last looked for new bytecode.
looked = {"modules": 0}
limit = {"reached": False}
# The figure that a cell made last with a solver of the reader's.
own = {"figure": None}
reserve = []


class Printed(io.TextIOBase):
    """Where a cell prints to; all else that it shows goes this way, too.

    Its first lines go to the page one by one, since a long wait may follow;
    of more, several go together.
    """

    def __init__(self, post):
        self.post = post
        self.waiting = []
        self.begin()

    def begin(self):
        self.left, self.lines, self.last = MOST_PRINTED, 0, 0.0
        sys.stdout = sys.stderr = self  # a cell may have put others there

    def writable(self):
        return True

    def write(self, text):
        if self.left > 0:
            self.waiting.append(text[: self.left])
            self.left -= len(text)
            if self.left <= 0:
                self.waiting.append(TOO_MUCH)
            self.lines += text.count("\n")
            few = self.lines < 100 and text.endswith("\n")
            full = self.left <= 0  # no other write would send it
            if few or full or time.monotonic() - self.last > 0.1:
                self.flush()
        return len(text)

    def show(self, kind, text, cost):
        """Show a piece that cannot be cut, if there is room for it."""
        self.flush()
        if self.left <= 0:
            return
        cost = max(cost, LEAST_COST)
        if cost > self.left:
            self.left = 0
            self.post("text", TOO_MUCH)
        else:
            # A last character stays, so that the next piece is told of.
            self.left = max(self.left - cost, 1)
            self.post(kind, text)

    def begin_value(self):
        """What a cell comes to is shown, however much it has printed."""
        self.flush()
        self.left = max(self.left, MOST_OF_ERROR)
        self.post("value", "")

    def flush(self):
        if self.waiting:
            text = ESCAPES.sub("", "".join(self.waiting))
            self.waiting.clear()
            if text:
                self.post("text", text)
        self.last = time.monotonic()


class Late(types.ModuleType):
    """A module that comes when something of it is first used.

    Until then it has its name and its place. Once it came it is an ordinary
    module, and the same object for all who imported it before.
    """

    def __init__(self, name):
        super().__init__(name)
        folder = f"{SITE_PACKAGES}/{name.replace('.', '/')}"
        self.__package__, self.__path__ = name, [folder]
        self.__file__ = f"{folder}/__init__.py"
        self.__spec__ = ModuleSpec(name, None, is_package=True)
        above, _, last = name.rpartition(".")
        if above:
            setattr(sys.modules[above], last, self)

    def __getattr__(self, name):
        # Who looks through all modules asks for such names.
        if name.startswith("__") and name not in ("__all__", "__version__"):
            raise AttributeError(name)
        come(self)
        return getattr(self, name)


def come(module):
    """Import a late module, unless it is here already."""
    if not isinstance(module, Late):
        return
    name = module.__name__
    above = name.rpartition(".")[0]
    if above:
        come(sys.modules[above])
        spec = PathFinder.find_spec(name, sys.modules[above].__path__)
    else:
        brought.find_spec(name)
        spec = PathFinder.find_spec(name)
    # What it imports may import it in turn.
    module.__class__ = types.ModuleType
    module.__spec__, module.__loader__ = spec, spec.loader
    try:
        spec.loader.exec_module(module)
    except BaseException:
        module.__class__ = Late  # to be tried once more
        raise


def is_sparse(X):
    """`scipy.sparse.issparse`, which need not come to say no."""
    base = sys.modules.get("scipy.sparse._base")
    return base is not None and base.issparse(X)


def make_late():
    """Have SciPy come when it is first used: most first cells need none."""
    for name in LATE:
        sys.modules[name] = Late(name)
    sys.modules["scipy.sparse"].issparse = is_sparse
    not_yet.extend(LATE)


def bring_late():
    """Import one part of what is late, while nobody waits for anything.

    Whether there are more.
    """
    if not_yet:
        # What cannot come now is told to the cell that needs it.
        with contextlib.suppress(BaseException):
            come(sys.modules[not_yet.pop(0)])
    return bool(not_yet)


class Here:
    """Loads a module that came by itself before it was asked for."""

    def create_module(self, spec):
        module = sys.modules[spec.name]
        self.spec = module.__spec__
        return module

    def exec_module(self, module):
        module.__spec__ = self.spec


class Brought:
    """Lets an import bring what is not there yet."""

    def __init__(self, bring, names):
        self.bring, self.names = bring, set(names)

    def find_spec(self, name, path=None, target=None):
        above = name.rpartition(".")[0]
        if isinstance(sys.modules.get(above), Late):
            come(sys.modules[above])
            if name in sys.modules:
                return ModuleSpec(name, Here())
        if name in self.names:
            # First, or what is imported meanwhile would bring it again.
            self.names.discard(name)
            there = set(os.listdir(SITE_PACKAGES))
            try:
                self.bring(name)
            except BaseException as error:
                self.names.add(name)  # it may be there the next time
                if not isinstance(error, Exception):
                    raise  # it was stopped
                raise ImportError(
                    f"{name} could not be loaded: {error}"
                ) from None
            importlib.invalidate_caches()
            note_group(name, set(os.listdir(SITE_PACKAGES)) - there)
        return None


def note_group(group, names):
    groups[group] = names
    kept_files[group] = len(bytecode_of(group))


def bytecode_of(group):
    """The files that Python compiled of a group of libraries."""
    return [
        path
        for name in sorted(groups[group])
        for path in Path(SITE_PACKAGES, name).rglob("*.pyc")
    ]


def new_bytecode():
    """A group of which more is compiled than is kept: its name and bytecode.

    As a zip file that is unpacked over the libraries at a later start. None,
    if there is no such group.
    """
    # Without new modules nothing was compiled, and most cells bring none.
    modules = len(sys.modules)
    if modules == looked["modules"]:
        return None
    for group in groups:
        files = bytecode_of(group)
        if len(files) > kept_files[group]:
            kept_files[group] = len(files)
            return group, zipped(files)
    looked["modules"] = modules
    return None


def zipped(files):
    """Files of bytecode, valid at a later start, as a zip file."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for path in files:
            version, code = (data := path.read_bytes())[:4], data[16:]
            inside = path.relative_to(SITE_PACKAGES).as_posix()
            archive.writestr(inside, version + UNCHECKED + code)
    return made.getvalue()


class Nothing:
    """Stands for whatever an absent library has: it does nothing."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __call__(self, *arguments, **keywords):
        return self

    def __getitem__(self, key):
        return self

    def __mro_entries__(self, bases):
        return ()


class Absent(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Nothing()


class Text:
    """What `IPython.display` wraps around a text, by its kind."""

    def __init__(self, data, kind):
        self.data, self.kind = data, kind


def display_module(show):
    """The part of IPython that the book's cells use."""
    package = types.ModuleType("IPython")
    module = types.ModuleType("IPython.display")
    package.get_ipython = lambda: None
    package.version_info = (8, 0)
    package.display = module
    module.display = show
    module.Markdown = lambda data: Text(data, "markdown")
    module.HTML = lambda data: Text(data, "html")
    return {"IPython": package, "IPython.display": module}


def start(post, bring, names, first):
    """Make Python ready for cells.

    post(kind, text) shows something; bring(name) installs the library of
    that name, which one of ``names`` is; ``first`` is imported beforehand.
    """
    global show, printed, brought
    printed = Printed(post)
    vars(builtins).update(input=no_input)
    os.environ.update(MPLBACKEND="module://in_page_pictures")
    os.environ.update(TQDM_DISABLE="1")  # its bars need a terminal
    tqdm.tqdm.monitor_interval = 0  # there are no threads
    time.process_time = time.perf_counter  # its own clock stands still
    time.sleep = in_slices(time.sleep)
    warnings.filterwarnings("ignore", message="numba is not installed")
    # It tells every new Python that it looks for fonts.
    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)
    note_group("first", set(os.listdir(SITE_PACKAGES)))
    brought = Brought(bring, names)
    sys.meta_path.insert(0, brought)
    make_late()

    def show(*values):
        for value in values:
            kind, text = shown(value)
            if kind == "text":
                printed.write(text)
            else:
                printed.show(kind, text, len(text))

    sys.modules.update({name: Absent(name) for name in ABSENT})
    sys.modules.update(display_module(show))
    importlib.import_module(first)
    kept_builtins.update(BUILTINS)


def in_slices(sleep):
    """Sleeping that a Stop ends: it is heard between two of Python's steps."""

    def sleep_in_slices(seconds, /):
        sleep(0 * seconds if seconds >= 0 else seconds)  # or its own error
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            sleep(min(left, 0.05))

    return sleep_in_slices


def no_input(_prompt=""):
    """Stands for `input`: a page cannot wait for what is typed."""
    raise RuntimeError(
        "input() cannot ask in a page: write the value into the cell."
    )


def sum_of(file):
    """The SHA-256 sum of a file that the page has, as digits."""
    return hashlib.sha256(file.to_py()).hexdigest()


def shown(value):
    """How a value is shown: a kind and a text."""
    if isinstance(value, Text):
        return value.kind, value.data
    if isinstance(value, bytes):
        return "text", repr(value) + "\n"
    if type(value).__module__.startswith("pegasos_edu.live."):
        if getattr(value, "solver", None) is None:
            return "figure", "book"
        own["figure"] = value
        return "figure", "own"
    if hasattr(value, "_repr_html_") and not isinstance(value, type):
        text = value._repr_html_()
        # A page shows no style sheet but its own: without theirs, what
        # scikit-learn's estimators draw of themselves is worse than words.
        if text is not None and "<style" not in text:
            return "html", text
    return "text", repr(value) + "\n"


def show_pictures(pictures):
    """Show a picture in its two forms, for light and for dark pages."""
    # Its bytes are no measure: pictures are counted.
    printed.show("picture", json.dumps(pictures), LEAST_COST)


def tell_limit():
    limit["reached"] = True


class Remarks(ast.NodeTransformer):
    """The assertions of a page, as remarks below their cell.

    They were true when the page was made. Here are libraries of other
    versions, and no warnings of floating-point numbers; and the reader may
    have changed what an earlier cell makes.
    """

    def __init__(self, code):
        self.code = code

    def visit_Assert(self, node):
        said = ast.get_source_segment(self.code, node.test)
        call = ast.Call(
            ast.Name("__remark__", ast.Load()),
            [node.test, ast.Constant(said)],
            [],
        )
        return ast.fix_missing_locations(
            ast.copy_location(ast.Expr(call), node)
        )


def remark(holds, said):
    if not holds:
        print(
            f"Not true of what ran here: {said}\n(Libraries of other "
            "versions, or a cell that you changed, can be why.)"
        )


def guarded(run):
    """Runs something; "broken", or "full", where it cannot even say why.

    Pyodide would print what it has to say among what the cell prints.
    """

    @functools.wraps(run)
    def run_guarded(*arguments):
        try:
            return run(*arguments)
        except BaseException as error:
            return "full" if is_full(error) else "broken"

    return run_guarded


@guarded
def run_cell(code, name, space, seconds, remarks=False):
    """Run a cell and show what it gives; how it ended.

    "done", "error", "interrupted" by a Stop or at its limit of time,
    "full": an error after which there is no room left, or "broken", if no
    other cell could run.
    Cells of one space see each other's names. With `remarks` a false
    assertion is told, and the cell goes on.
    """
    printed.begin()
    keep_reserve()
    limit["reached"] = False
    names = spaces.setdefault(
        space,
        {"__name__": "__main__", "display": show, "__remark__": remark},
    )
    names["__builtins__"] = builtins
    linecache.cache[name] = (len(code), None, code.splitlines(True), name)
    try:
        execute(code, name, names, remarks)
        pictures = sys.modules.get("in_page_pictures")
        if pictures:
            pictures.show()
        outcome = "done"
    except BaseException as error:
        if isinstance(error, MemoryError):
            reserve.clear()
        printed.flush()
        told = ESCAPES.sub("", story(error, seconds))
        printed.post("error", shortened(told))
        if is_full(error) and not has_room():
            return "full"
        interrupted = isinstance(error, KeyboardInterrupt)
        outcome = "interrupted" if interrupted else "error"
    finally:
        printed.flush()
    return outcome if is_whole() else "broken"


def is_whole():
    """Whether a cell has left what the next one needs to import anything."""
    return __name__ in sys.modules and brought in sys.meta_path


@guarded
def draw_own(state, seconds):
    """Draw the reader's figure in a state, given as JSON; how it ended."""
    # Not before a cell has made a figure: until then nobody needs it.
    from pegasos_edu.live.toolkit.own_solver import (
        CannotDraw,
        place_of,
        story_of,
    )

    printed.begin()
    limit["reached"] = False
    try:
        drawing = drawn(**json.loads(state))
    except CannotDraw as error:
        drawing = {"message": str(error)}
    except KeyboardInterrupt as error:
        where = place_of(error, own["figure"].solver)
        drawing = {"message": why_ended(seconds) + where}
    except BaseException as error:
        drawing = {"message": story_of(error, own["figure"].solver)}
    printed.flush()
    printed.post("drawing", json.dumps(drawing))
    return "error" if "message" in drawing else "done"


def why_ended(seconds):
    """Why the reader's solver was interrupted."""
    if not limit["reached"]:
        return "Stopped."
    return (
        f"Your solver took more than {seconds:g} seconds for this drawing: "
        "try fewer steps, and look for a loop without end."
    )


def drawn(**state):
    shown = own["figure"].draw(**state)
    if not all(map(math.isfinite, shown.readouts.values())):
        return {"message": "Your solver's w is so long that f(w) is infinite."}
    return {
        "rows": shown.rows,
        "readouts": shown.readouts,
        "summary": shown.summary,
    }


def has_room():
    """Whether as much memory is left as another cell may need."""
    try:
        bytearray(ROOM)
    except MemoryError:
        return False
    return True


def keep_reserve():
    """Set the reserve aside, again if it was used and there is room."""
    if not reserve:
        with contextlib.suppress(MemoryError):
            bytearray(2 * RESERVE)  # not the last that there is
            reserve.append(bytearray(RESERVE))


def execute(code, name, names, remarks=False):
    """Run the lines; the value of a last expression is shown."""
    tree = ast.parse(code, name)
    if remarks:
        tree = Remarks(code).visit(tree)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr):
        last = ast.Expression(tree.body.pop().value)
    run_lines(compile(tree, name, "exec"), names)
    # In a notebook a semicolon at the end hides the value.
    if last is not None and not code.rstrip().endswith(";"):
        value = run_lines(compile(last, name, "eval"), names)
        if value is not None:
            printed.begin_value()
            show(value)


def run_lines(lines, names):
    """The reader's lines; Python's own names are as they were after it.

    All that is to be told of a cell needs them.
    """
    try:
        return eval(lines, names)
    finally:
        BUILTINS.update(kept_builtins)


def story(error, seconds):
    """What went wrong, and in which lines of the reader's own."""
    # Its class is asked: an instance may answer to any name.
    if hasattr(type(error), "_render_traceback_"):
        return "\n".join(error._render_traceback_())
    if isinstance(error, KeyboardInterrupt):
        why = (
            f"Stopped: this cell may take {seconds:g} seconds."
            if limit["reached"]
            else "Stopped."
        )
        return own_lines(error) + why
    if is_full(error):
        return own_lines(error) + "MemoryError: a page has 1 GB for Python."
    if isinstance(error, SystemExit):
        return f"SystemExit: {error}"
    return led_to(error) + alone(error)


def alone(error, depth=1):
    """An error in its own lines, without what led to it."""
    if isinstance(error, SyntaxError) and is_command(error.text):
        return (
            f"{own_lines(error)}SyntaxError: {error.text.split()[0]} is a "
            "command of Jupyter, which a page does not have."
        )
    try:
        what = "".join(traceback.format_exception_only(error)).rstrip()
    except Exception:  # the instance answers with an error of its own
        what = type(error).__name__
    if isinstance(error, SyntaxError) and error.msg == AWAIT:
        what = what.replace(AWAIT, NO_AWAIT)
    if isinstance(error, BaseExceptionGroup):
        what += parts_of(error, depth)
    return own_lines(error) + what


def led_to(error):
    """The errors that led to an error, as Python tells them: first first.

    What a library met and mended by itself says nothing about own lines.
    """
    told, seen = [], {id(error)}
    while len(told) < MOST_ERRORS:
        earlier, words = error.__cause__, DIRECT
        if earlier is None and not error.__suppress_context__:
            earlier, words = error.__context__, DURING
        if earlier is None or id(earlier) in seen:
            break
        if words is DIRECT or own_lines(earlier):
            told.append(f"{alone(earlier)}\n\n{words}\n\n")
        seen.add(id(earlier))
        error = earlier
    return "".join(reversed(told))


def parts_of(group, depth):
    """The errors of a group, indented, each with its own lines."""
    if depth > MOST_ERRORS:
        return "\n  …"
    errors = group.exceptions
    told = "".join(
        f"\nPart {number} of {len(errors)}:\n"
        f"{led_to(error)}{alone(error, depth + 1)}"
        for number, error in enumerate(errors[:MOST_ERRORS], start=1)
    )
    if len(errors) > MOST_ERRORS:
        told += f"\n… {len(errors) - MOST_ERRORS} more"
    return textwrap.indent(told, "  ")


def is_full(error):
    """Whether memory ran out; without room to say so Python says another."""
    lost = isinstance(error, SystemError) and "exception set" in str(error)
    return lost or isinstance(error, MemoryError)


def is_command(line):
    """Whether a line is none of Python's but one for Jupyter."""
    return line is not None and line.lstrip().startswith(("%", "!"))


def shortened(text):
    """The begin and the end of a text that is too long."""
    if len(text) <= MOST_OF_ERROR:
        return text
    half = MOST_OF_ERROR // 2
    return (
        f"{text[:half]}\n… {len(text) - 2 * half:,} characters are not "
        f"shown …\n{text[-half:]}"
    )


def own_lines(error):
    """The traceback, without the lines of any library.

    Of one too deep only the begin: there may be no room left for all of it.
    """
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__, MOST_FRAMES)
        if frame.filename.startswith("your code")
    ]
    if not frames:
        return ""
    return "".join(traceback.StackSummary.from_list(frames).format())
