"""Questions to a student's notebook, and its answers, as messages.

The judge asks for a name or calls a function; the notebook's process does
it and writes the outcome.
"""

import contextlib
import copy
import io

import numpy as np
import scipy.sparse as sp

from pegasos_edu.certificate.gap import certify
from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.coursework.tasks import TASKS
from pegasos_edu.coursework.trial import arrays_of, clocks, written
from pegasos_edu.coursework.watch import calls_to_us
from pegasos_edu.grading.sandbox import messages
from pegasos_edu.problem.objective import objective
from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order

X, Y = np.array([[1.0], [-1.0]]), np.array([1.0, -1.0])
X_ROWS = sp.csr_matrix(X)
# One of ours from each place that could lend. Whoever calls it borrows, and
# that must be seen.
OURS = {
    "A1": lambda: TASKS["A1.step_size"].reference(lam=1.0, t=1),
    "A2": lambda: TASKS["A2.slope"].reference(1.0),
    "A3": lambda: TASKS["A3.pegasos"].reference(X_ROWS, Y, 1.0, [0]),
    "A4": lambda: TASKS["A4.bound"].reference(1.0, 1.0, 2),
    "problem": lambda: objective([0.0], X, Y, 1.0),
    "orders": lambda: draw_order(2, 2, seed=0),
    "solvers": lambda: dense.pegasos(X, Y, 1.0, order=[0]),
    "certificate": lambda: certify(X[0], 0.0 * Y, X, Y, 1.0),
}
# What the judge holds by number: objects that cannot be sent; first these.
_held: list = list(OURS.values())
# What the judge has sent once and for all, by number.
_kept: dict = {}
KEPT = 8  # so many at a time
WORTH_KEEPING = 100_000  # bytes


class Sent:
    """What a notebook has kept of what it was sent, to be sent only once.

    It keeps what nobody here can change: large arrays that are locked, and
    CSR rows made of such. Of more than `KEPT` the oldest is forgotten, there
    as well.
    """

    def __init__(self):
        self.values, self.count = {}, 0

    def number_of(self, value):
        """Its number, and whether the notebook has it."""
        known = id(value) in self.values
        if not known:
            self.count += 1
            self.values[id(value)] = self.count, value
            _drop_oldest(self.values)
        return self.values[id(value)][0], known

    @contextlib.contextmanager
    def or_forgotten(self):
        """Forget all of it if a question may not have arrived."""
        try:
            yield
        except BaseException:
            self.values.clear()
            raise


def save(path, message, sent=None):
    """Write a message: a tree of plain values, arrays and sparse rows.

    What was `sent` is named by its number.
    """
    messages.write(path, *packed(message, sent))


def packed(message, sent=None):
    """A message as a tree that JSON can hold, and its arrays."""
    arrays = []
    return _pack(message, arrays, sent), arrays


def load(path, unknown, kept=None):
    """Read a message; `unknown(number)` stands for what was not sent.

    What `kept` has by number is copied; who reads without it keeps nothing.

    Raises
    ------
    ValueError
        If the file is no message.
    """
    return _unpack(*messages.read(path), unknown, kept)


def answer(namespace, question, reply):
    """Do what the file `question` asks, and write the file `reply`.

    Parameters
    ----------
    namespace : dict
        The names of the student's notebook.
    question, reply : str
        Paths.
    """
    asked = load(question, _held.__getitem__, _kept)
    try:
        # What a function prints belongs to no cell. To read an attribute or
        # to take an answer apart may run a student's code, too.
        with contextlib.redirect_stdout(io.StringIO()), _no_borrowing():
            message = packed(_do(namespace, asked))
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() as well
        text = written(error).partition(": ")[2]
        message = packed(
            {
                "error": [type(error).__name__, text[:1000]],
                "lines": [line[:300] for line in own_lines(error)],
            }
        )
    messages.write(reply, *message)


def receive(namespace, path):
    """Define names as the file `path` says."""
    namespace.update(load(path, _held.__getitem__))


def _do(namespace, asked):
    if "name" in asked:
        if asked["name"] not in namespace:
            raise NameError(f"name {asked['name']!r} is not defined")
        return {"value": namespace[asked["name"]]}
    function = asked["object"]
    if asked["attribute"]:
        function = getattr(function, asked["attribute"])
    arguments = asked["arguments"]
    before = copy.deepcopy(arguments)
    with np.errstate(all="ignore"):
        start = clocks()
        value = function(*arguments, **asked["keywords"])
        took = clocks() - start  # whatever the function says of itself
    changed = [None if _same(a, b) else a for a, b in zip(arguments, before)]
    return {"value": value, "changed": changed, "took": took.tolist()}


@contextlib.contextmanager
def _no_borrowing():
    """Refuse an answer that calls ours: at every call, the last one too."""
    with calls_to_us() as found:
        yield
    if found:
        raise RuntimeError(f"the answer calls {found[0]}; write it yourself")


def _same(a, b):
    if sp.issparse(a):
        return all(
            np.array_equal(getattr(a, part), getattr(b, part))
            for part in ("data", "indices", "indptr")
        )
    if not isinstance(a, (np.ndarray, list)):
        return True
    return np.array_equal(a, b)


def _drop_oldest(values):
    if len(values) > KEPT:
        del values[next(iter(values))]


def _is_constant(value):
    arrays = arrays_of(value)
    size = sum(array.nbytes for array in arrays)
    locked = not any(array.flags.writeable for array in arrays)
    return locked and size >= WORTH_KEEPING


def _pack(value, arrays, sent=None):
    """Replace what JSON cannot hold; arrays go into `arrays`."""
    if sent is not None and _is_constant(value):
        number, known = sent.number_of(value)
        if known:
            return {"kept": number}
        return {"keep": number, "value": _pack(value, arrays)}
    if value is None or type(value) in (bool, int, float, str):
        return {"plain": value}
    if isinstance(value, (list, tuple)):
        kind = "tuple" if isinstance(value, tuple) else "list"
        return {kind: [_pack(part, arrays, sent) for part in value]}
    if type(value) is dict:
        return {"dict": {k: _pack(v, arrays, sent) for k, v in value.items()}}
    if sp.issparse(value):
        rows = value.tocsr()
        parts = rows.data, rows.indices, rows.indptr
        return {
            "csr": [_pack(part, arrays) for part in parts],
            "shape": [int(size) for size in rows.shape],
        }
    if isinstance(value, (np.ndarray, np.generic, complex)):
        array = np.asarray(value)
        if array.dtype.kind in messages.KINDS:
            arrays.append(array)
            return {"array": len(arrays) - 1}
        if array.dtype.kind == "O":
            return {"list": [_pack(part, arrays) for part in array.ravel()]}
    if hasattr(value, "number"):  # a judge's stand-in
        return {"held": value.number}
    _held.append(value)
    return {"held": len(_held) - 1}


def _unpack(tree, arrays, unknown, kept=None):
    kind = next(iter(tree))
    inside = tree[kind]
    if kind == "keep" and kept is not None:
        kept[inside] = _unpack(tree["value"], arrays, unknown)
        _drop_oldest(kept)
    if kind in ("keep", "kept"):
        if kept is None:
            raise ValueError("a message names what nobody has kept")
        return kept[inside].copy()
    if kind == "plain":
        return inside
    if kind == "array":
        return arrays[inside][()]
    if kind == "held":
        return unknown(inside)
    if kind == "dict":
        return {
            k: _unpack(v, arrays, unknown, kept) for k, v in inside.items()
        }
    parts = [_unpack(part, arrays, unknown, kept) for part in inside]
    if kind == "csr":
        rows = sp.csr_matrix(tuple(parts), shape=tuple(tree["shape"]))
        # SciPy's compiled code goes wherever the indices point.
        rows.check_format(full_check=True)
        return rows
    return tuple(parts) if kind == "tuple" else parts
