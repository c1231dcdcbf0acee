"""Data in shards: where they come from, and what is asked of each."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.distributed.engine import (
    Cluster,
    Here,
    Sent,
    engine_of,
    no_interrupt_lost,
)
from pegasos_edu.distributed.failures import is_interrupt, of_shard
from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import checked_call

# What is said of a shard with one label: rows sorted by it lead there.
BOTH = (
    f"{checks.BOTH}: shuffle the rows before you divide them, or make fewer "
    "shards"
)


@dataclass(frozen=True)
class Shard:
    """Some of the examples, where they are worked on.

    Attributes
    ----------
    number : int
        Which shard.
    block : pair, or None
        X and y, checked; None if `reader` maps them anew for each task.
    reader : callable, or None
    size, d : int
        Its numbers of rows and of columns.
    """

    number: int
    block: Any
    reader: Any
    size: int
    d: int

    def data(self) -> tuple[Any, NDArray]:
        """X and y in the form the solvers use."""
        if self.block:
            return self.block
        try:
            return in_form(*self.reader())
        except BaseException as error:  # whatever a reader raises
            # Some that are no Exception would end the worker, and the next.
            if is_interrupt(error):
                raise
            raise of_shard(self.number, error) from error

    def __sizeof__(self):
        """The bytes it holds: Dask moves no more than it has to."""
        X, y = self.block or (np.empty(0), np.empty(0))
        parts = [X.data, X.indices, X.indptr] if sp.issparse(X) else [X]
        return 200 + sum(part.nbytes for part in [*parts, y])


@dataclass(frozen=True)
class Shards:
    """All examples, loaded and checked; closed by `with` or `close`.

    Attributes
    ----------
    engine : Here or Cluster
        Who computes.
    handles : list
        One for each shard.
    sizes : list of int
        The n_j.
    d : int
        The number of features.
    """

    engine: Here | Cluster
    handles: list[Any]
    sizes: list[int]
    d: int

    @property
    def n(self) -> int:
        """The number of examples."""
        return sum(self.sizes)

    def total(self, function: Any, *columns: Any, **shared: Any) -> NDArray:
        """The sum over the shards of function(shard, …), an array of each.

        Parameters
        ----------
        function : callable
            What the workers call; it must be importable there.
        *columns : list
            What each shard is given beside itself.
        **shared : object
            What all of them are given.
        """
        engine = self.engine
        shared = {name: engine.share(one) for name, one in shared.items()}
        parts = engine.each(function, self.handles, *columns, **shared)
        return engine.fetch(engine.total(parts))

    def close(self) -> None:
        """End the cluster, if it was started for these shards."""
        self.handles.clear()
        self.engine.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


@checked_call("distributed.load")
def load(data: Any, client: Any = None) -> Shards:
    r"""Give each shard to a worker, and have it checked there.

    Parameters
    ----------
    data : list, Dask bag, or pair of Dask arrays
        A list has an entry for each shard: a pair (X, y), X dense or sparse;
        a reader, a function without arguments that returns such a pair (see
        `readers`); or a Dask Delayed of one. A bag has such pairs as its
        elements, and each of its partitions is a shard. Of a pair of Dask
        arrays X and y, each block of rows of X is. Pairs go through the
        scheduler and stay there, so that a lost worker's can be sent again:
        name files where that is too much.
    client : distributed.Client, str or None
        Who computes: a client, or the address of a scheduler, which has 15
        seconds to answer; "here" for this process; None for a cluster of
        processes on this machine, which takes a few seconds to start and
        lasts until `close`. To start it once for several calls, hand them
        what `with load(...) as shards:` gives. With "here" arrays are not
        copied: do not change them while they are in use.

    Returns
    -------
    Shards

    Raises
    ------
    ValueError, TypeError, OSError
        If there is no shard, or one is not as described: the sentence names
        the first such shard. A shard with one label only is refused, too,
        whoever asks for it. A sum could go on with it, and so could Pegasos;
        but it is what rows sorted by their label lead to, and averages of
        such shards are far from the optimum.
    ConnectionError
        If no scheduler answers at the address, or it has no worker.
    ModuleNotFoundError
        If Dask is asked for and not installed, or a worker lacks this
        package.
    MemoryError
        If each worker holds nearly all the memory it may: Dask lets none of
        them begin a task then.
    RuntimeError
        If new processes would run the calling script again, as it has no
        `if __name__ == "__main__":`.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    >>> with load([(X, y), (3 * X, y)], client="here") as shards:
    ...     shards.n, shards.d
    (4, 1)

    A file is named by a reader; here it is cut into two shards:

    >>> import tempfile
    >>> from pegasos_edu.distributed.readers import svmlight_shards
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b"1 1:2\n-1 1:-1\n" * 2)
    ...     file.flush()
    ...     parts = svmlight_shards(file.name, d=1, shards=2)
    ...     with load(parts, client="here") as shards:
    ...         shards.sizes
    [2, 2]
    """
    sources = sources_of(data)
    engine = engine_of(client, most=len(sources))
    try:
        handles = engine.spread(open_shard, sources)
        facts = engine.fetch(engine.each(facts_of, handles))
        return Shards(engine, handles, *agreed(facts))
    except BaseException:
        engine.close()
        raise


@contextlib.contextmanager
def opened(data: Any, client: Any) -> Iterator[Shards]:
    """What `with` gets shards from: loaded ones stay open afterwards.

    Parameters
    ----------
    data : Shards, or as in `load`
    client : distributed.Client, str or None
        As in `load`; None for loaded shards, which have theirs.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1, -1])
    >>> with opened([(X, y)], "here") as shards:
    ...     print(shards.sizes)
    [2]
    """
    if not isinstance(data, Shards):
        with no_interrupt_lost(), load(data, client) as shards:
            yield shards
        return
    if not data.handles:
        checks.refuse(
            "data are shards that were closed", "open ones, as `load` returns"
        )
    if client is not None:
        checks.refuse(
            f"client is {client!r} and data are loaded already",
            "client only where data are loaded",
        )
    with no_interrupt_lost():
        yield data


def sources_of(data: Any) -> list[Any]:
    """What each shard is made from.

    Examples
    --------
    >>> sources_of([(1, 2), (3, 4)])
    [(1, 2), (3, 4)]
    """
    expected = "a list with an entry for each shard, a Dask bag, or a pair "
    expected += "(X, y) of Dask arrays"
    several = data if isinstance(data, list | tuple) else [data]
    if any(map(is_dask_array, several)):
        arrays = [is_dask_array(one) for one in several]
        if not isinstance(data, tuple) or arrays != [True, True]:
            checks.refuse(f"data is {told(data)}", expected, TypeError)
        return blocks_of_rows(*data)
    # Of a Delayed any attribute can be asked for, of its class not.
    if any(hasattr(type(one), "to_dask_array") for one in several):
        checks.refuse(
            f"data is {told(data)} of Dask",
            "a pair of Dask arrays, as to_dask_array(lengths=True) makes "
            "them of the features and of the labels",
            TypeError,
        )
    if hasattr(data, "npartitions") and hasattr(data, "to_delayed"):
        return list(data.to_delayed())
    if not isinstance(data, list):
        checks.refuse(f"data is {told(data)}", expected, TypeError)
    if not data:
        checks.refuse("data is []", expected)
    return [as_one(source) for source in data]


def as_one(source):
    """A pair with Dask collections in it, as one collection; else itself."""
    parts = source if isinstance(source, tuple) else ()
    if any(hasattr(part, "__dask_graph__") for part in parts):
        from dask import delayed

        return delayed(source)
    return source


def is_dask_array(value):
    """Whether it is an array in blocks, whose numbers are not there yet."""
    # Of a Delayed any attribute can be asked for; it is a Delayed, too.
    return isinstance(getattr(value, "chunks", None), tuple) and hasattr(
        value, "__dask_graph__"
    )


def blocks_of_rows(X, y):
    """A Dask Delayed of (X, y) for each block of rows of two Dask arrays.

    Where it is not known how many rows a block has, the blocks of y must be
    those of X; whether they are is seen where they are computed.
    """
    from dask import delayed

    for name, one, dimensions in (("X", X, 2), ("y", y, 1)):
        if one.ndim != dimensions:
            shapes = "(n,)", "(n, d)"
            found = f"{name} has shape {one.shape}"
            checks.refuse(found, shapes[dimensions - 1])
    if X.numblocks[1] > 1:
        if np.isnan(X.shape[1]):
            checks.refuse(
                "X has blocks of columns of unknown sizes",
                "known sizes, as X.compute_chunk_sizes() finds",
            )
        X = X.rechunk({1: X.shape[1]})
    if np.isnan([X.shape[0], y.shape[0]]).any():
        if X.numblocks[0] != y.numblocks[0]:
            checks.refuse(
                f"X has {X.numblocks[0]} blocks of rows and y has "
                f"{y.numblocks[0]}, of unknown sizes",
                "the same blocks, or known sizes, as compute_chunk_sizes() "
                "finds",
            )
    elif X.shape[0] != y.shape[0]:
        checks.refuse(
            f"y has {y.shape[0]} labels",
            f"{X.shape[0]}, one for each row of X",
        )
    else:
        y = y.rechunk((X.chunks[0],))
    pairs = zip(X.to_delayed().ravel(), y.to_delayed().ravel())
    return [delayed(pair) for pair in pairs]


def open_shard(number: int, source: Any) -> Any:
    """A checked shard; or, as a value, the error that says what is wrong."""
    try:
        if isinstance(source, Sent):
            source = source.opened()
        reader = source if callable(source) else None
        X, y = stacked(reader() if reader else source)
        X, y = checks.check_data(X, y, BOTH)
        # Other strides would be added up in another order.
        X = X if sp.issparse(X) else np.ascontiguousarray(X)
    except BaseException as error:  # as in `Shard.data`
        if is_interrupt(error):
            raise
        return of_shard(number, error)
    again = reader if getattr(reader, "mapped", False) else None
    block = None if again else (X, y)
    return Shard(number, block, again, *X.shape)


def stacked(value):
    """X and y of one pair, or of the pairs of a bag's partition."""
    if isinstance(value, tuple) and len(value) == 2:
        return value
    if isinstance(value, str | PathLike):
        checks.refuse(
            f"it is {fspath(value)!r}",
            "a pair (X, y), or a reader of that file, such as one of those "
            "that readers.svmlight_shards(path, d, shards) returns",
            TypeError,
        )
    if not isinstance(value, list):
        expected = "a pair (X, y), or a list of such pairs"
        checks.refuse(f"it is {told(value)}", expected, TypeError)
    if not value:
        checks.refuse("it is []", "at least one pair (X, y)")
    for one in value:
        if not (isinstance(one, tuple) and len(one) == 2):
            checks.refuse(
                f"it is {told(value)}",
                "a pair (X, y) in round brackets, or a list of such pairs",
                TypeError,
            )
        if np.ndim(one[1]) == 0:
            checks.refuse(
                "it is a list of single examples (x, y)",
                "pairs (X, y) of several rows and as many labels",
                TypeError,
            )
    Xs, ys = zip(*value)
    stack = sp.vstack if any(map(sp.issparse, Xs)) else np.vstack
    return stack(Xs), np.concatenate(ys)


def told(value):
    """What something is, in a few words: of arrays the shape alone.

    Examples
    --------
    >>> told([np.eye(3), np.ones(3)]), told(("a", "b", "c", "d")), told(2.5)
    ('list of ndarray (3, 3), ndarray (3,)', 'tuple of 4 entries', '2.5')
    """
    kind = type(value).__name__
    if isinstance(value, list | tuple):
        inside = f"{len(value)} entries"
        if 0 < len(value) < 3:
            inside = ", ".join(map(told, value))
        return f"{kind} of {inside}"
    if isinstance(shape := getattr(value, "shape", None), tuple):
        known = all(isinstance(side, int) for side in shape)
        return f"{kind} {shape}" if known else kind
    return f"{value!r:.60}"


def in_form(X, y):
    """A mapped block that was checked when it was loaded."""
    X = checks.as_matrix(X)
    return X, checks.as_labels(y, X.shape[0]).astype(np.float64, copy=False)


def facts_of(shard):
    """What the client has to know of a shard."""
    if isinstance(shard, Shard):
        return shard.size, shard.d
    return shard


def agreed(facts):
    """The sizes of all shards, and the number of columns they share."""
    for number, found in enumerate(facts):
        if isinstance(found, Exception):
            raise found
        _, d = found
        if d != facts[0][1]:
            checks.refuse(
                f"shard {number}: X has {d} columns",
                f"{facts[0][1]}, as shard 0 has",
            )
    return [size for size, _ in facts], facts[0][1]
