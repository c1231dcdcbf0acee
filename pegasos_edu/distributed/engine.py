"""Who computes: this process, or the workers of a Dask cluster.

Both have the same four verbs, and what is computed is written once, with
these. Results stay where they were made, as handles; here a handle is the
result itself, on a cluster a Future. `fetch` brings one over.
"""

from __future__ import annotations

import _thread
import contextlib
import os
import pickle
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import numpy as np

from pegasos_edu.distributed.failures import (
    of_ended_workers,
    of_shard,
    shards_in,
)
from pegasos_edu.distributed.workers import (
    PATIENCE,
    check_script,
    connected,
    dask_distributed,
    deaf,
    made_ready,
    wait_for,
)
from pegasos_edu.problem import checks
from pegasos_edu.solvers.averaging import add_up, tree


@contextlib.contextmanager
def no_interrupt_lost() -> Iterator[None]:
    """A block in which Ctrl+C is pressed again if nobody heard of it.

    What is raised while an object is being deleted Python prints, and goes
    on. Of 546 interrupts of a run 6 came just when Dask dropped a future.

    Examples
    --------
    >>> import time
    >>> class Dropped:
    ...     def __del__(self):
    ...         raise KeyboardInterrupt
    >>> try:
    ...     with no_interrupt_lost():
    ...         gone = Dropped()
    ...         del gone
    ...         for _ in range(6000):
    ...             time.sleep(0.01)
    ... except KeyboardInterrupt:
    ...     print("heard")
    heard
    """
    before = sys.unraisablehook

    def press_again(lost):
        if lost.exc_type is KeyboardInterrupt:
            # A moment later, as here, too, nobody would hear of it. It ends
            # no wait, but Dask's waits look up every ten seconds.
            threading.Timer(0.01, _thread.interrupt_main).start()
        else:
            before(lost)

    sys.unraisablehook = press_again
    try:
        yield
    finally:
        sys.unraisablehook = before


class Here:
    """All shards in turn, in this process.

    Examples
    --------
    >>> engine = Here()
    >>> halves = engine.each(np.multiply, [[1.0, 2.0], [3.0, 4.0]], [0.5] * 2)
    >>> engine.fetch(engine.total(halves))
    array([2., 3.])
    """

    folder = None  # nothing needs to be made again here

    def share(self, value):
        """A handle of what every shard will be given."""
        return value

    def each(self, function, *columns, **shared):
        """A handle of function(…) for each row of the columns."""
        return [function(*row, **shared) for row in zip(*columns)]

    def total(self, parts):
        """A handle of the sum of arrays; it always rounds alike."""
        return tree(parts, add_up)

    def fetch(self, handle):
        """What a handle stands for, or a list of handles."""
        return handle

    def spread(self, function, sources):
        """A handle of function(number, source) for each source."""
        held = []
        for number, source in enumerate(sources):
            try:
                source = computed_here(source)
            except Exception as error:  # whatever the collection raises
                raise of_shard(number, error) from error
            held.append(function(number, source))
        return held

    def close(self):
        """Let go what was opened for this engine."""


def computed_here(source):
    """What a Dask collection stands for; all else as it is."""
    if hasattr(source, "__dask_graph__"):
        return source.compute(scheduler="synchronous")
    return source


class Cluster:
    """The workers of a cluster, by a client of Dask's.

    A worker that is lost costs time only: what it held is made again, from
    the same seeds, on another one.

    Parameters
    ----------
    client : distributed.Client
    own : ExitStack, optional
        What is to be closed at the end.
    folder : str, optional
        Where every worker may keep files until then.
    """

    def __init__(self, client, own=None, folder=None):
        self.client, self.own = client, own or contextlib.ExitStack()
        self.folder = folder
        # Of each key that was spread: which shard, and on which workers.
        self.places = {}
        self.tried = set()  # functions of Dask collections, and their layers

    def share(self, value):
        """A handle of what every shard will be given."""
        if isinstance(value, np.ndarray):
            return self.client.submit(itself, value, pure=False)
        return value

    def each(self, function, *columns, **shared):
        """A handle of function(…) for each row of the columns.

        What a row begins with decides where: by itself, Dask sometimes has
        one worker do all, as shards in files weigh nothing.
        """
        return [
            self.submit(self.place_of(row[0]), function, *row, **shared)
            for row in zip(*columns)
        ]

    def place_of(self, handle):
        """The shard that a handle stands for, and its workers, if any."""
        return self.places.get(getattr(handle, "key", None), (None, None))

    def submit(self, place, function, *arguments, **shared):
        """A handle of function(…); these workers make it while they live.

        Its key names the shard: what Dask says of a task begins with that.
        """
        number, wanted = place
        key = None
        if number is not None:
            key = f"{function.__name__}-shard-{number}-{uuid4().hex}"
        return self.client.submit(
            function,
            *arguments,
            key=key,
            pure=False,
            workers=wanted,
            allow_other_workers=wanted is not None,
            **shared,
        )

    def total(self, parts):
        """A handle of the sum of arrays; it always rounds alike."""
        submit = self.client.submit
        return tree(parts, lambda *few: submit(add_up, *few, pure=False))

    def fetch(self, handle):
        """What a handle stands for, or a list of handles."""
        few = handle if isinstance(handle, list) else [handle]
        wait_for(self.client, few)
        try:
            return self.client.gather(handle)
        except Exception as error:  # whatever was raised on a worker
            failed = [one.key for one in few if one.status == "error"]
            numbers = shards_in([*failed, getattr(error, "task", "")])
            if not numbers:
                raise
            # Dask keeps this very object. With the frames that it came
            # through it would hold all handles in them, and so the shards.
            error.__traceback__ = None
            if hasattr(error, "last_worker"):  # Dask's KilledWorker
                raise of_ended_workers(numbers, error) from error
            raise of_shard(numbers[0], error) from error

    def spread(self, function, sources):
        """A handle of function(number, source); the workers take turns."""
        import cloudpickle  # which Dask brings along

        workers, held = sorted(self.client.nthreads()), []
        for number, source in enumerate(sources):
            if hasattr(source, "__dask_graph__"):
                self.try_functions(number, source)
                source = self.client.compute(source)
            wanted = [workers[number % len(workers)]] if workers else None
            place = number, wanted
            try:
                if callable(source):
                    source = Sent(cloudpickle.dumps(source))
                handle = self.submit(place, function, number, source)
            except (TypeError, pickle.PicklingError) as error:
                raise TypeError(
                    f"shard {number}: {source!r:.60} cannot be sent to a "
                    f"worker; expected arrays, or a reader that can be "
                    f"pickled."
                ) from error
            self.places[handle.key] = place
            held.append(handle)
        return held

    def try_functions(self, number, source):
        """Raise what a worker raises where it imports a collection's parts.

        In Dask's own tasks it would end the worker, which is not replaced.
        """
        import cloudpickle

        graph = source.__dask_graph__()
        new = set()
        layers = getattr(graph, "layers", {id(graph): graph})
        for name, layer in layers.items():
            if name not in self.tried:
                new |= set(functions_in(dict(layer)))
                self.tried.add(name)
        new -= self.tried
        if new:
            self.tried |= new
            sent = Sent(cloudpickle.dumps(new))
            self.fetch(self.submit((number, None), is_readable, sent))

    def close(self):
        """Let go what was opened for this engine."""
        self.own.close()


@dataclass(frozen=True)
class Sent:
    """A reader on its way to a worker, pickled.

    Dask unpickles tasks where an error ends the worker, and the next one, to
    which the task is sent then. This is unpickled in the task.

    Attributes
    ----------
    pickled : bytes
    """

    pickled: bytes

    def opened(self) -> Any:
        """The reader; or what its module raises where it is imported.

        Examples
        --------
        >>> Sent(pickle.dumps(len)).opened()
        <built-in function len>
        """
        return pickle.loads(self.pickled)


def is_readable(sent):
    """Whether this can be unpickled here; if not, it raises the reason.

    Examples
    --------
    >>> is_readable(Sent(pickle.dumps(len)))
    True
    """
    sent.opened()
    return True


def functions_in(value):
    """The functions that tasks of Dask's call, or are given.

    Examples
    --------
    >>> from dask import delayed
    >>> [found] = functions_in(dict(delayed(len)([1, 2]).__dask_graph__()))
    >>> found is len
    True
    """
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for one in value:
            yield from functions_in(one)
    elif hasattr(value, "func") and hasattr(value, "args"):
        yield from functions_in([value.func, value.args])
        yield from functions_in(getattr(value, "kwargs", None) or {})
    elif callable(value) and getattr(value, "__hash__", None):
        yield value


def itself(value):
    """The value: a task that can give it again.

    Examples
    --------
    >>> itself(3)
    3
    """
    return value


def engine_of(client: Any, most: int) -> Here | Cluster:
    """The engine that the argument `client` stands for.

    Parameters
    ----------
    client : distributed.Client, str or None
        A client; the address of a scheduler; "here" for this process; None
        for a cluster of processes on this machine, one for each core.
    most : int
        The largest number of processes that are of use.

    Returns
    -------
    Here or Cluster

    Raises
    ------
    TypeError
        If `client` is none of these, or asynchronous.
    ModuleNotFoundError
        If Dask is not installed, or this package on a worker.
    ConnectionError
        If no scheduler answers at the address, or it has no worker.
    RuntimeError
        If new processes would run the calling script again.

    Examples
    --------
    >>> type(engine_of("here", most=4)).__name__
    'Here'
    """
    if isinstance(client, str) and client == "here":
        return Here()
    if hasattr(client, "submit") and hasattr(client, "nthreads"):
        return Cluster(made_ready(client))
    if client is not None and not isinstance(client, str):
        checks.refuse(
            f"client is {client!r}",
            "a dask.distributed.Client, the address of a scheduler, 'here' "
            "or None",
            TypeError,
        )
    own = contextlib.ExitStack()
    if client is not None:
        return Cluster(own.enter_context(connected(client)), own)
    library = dask_distributed()
    check_script()
    import dask

    workers = max(1, min(most, os.cpu_count() or 1))
    folder = own.enter_context(tempfile.TemporaryDirectory())
    own.enter_context(dask.config.set(PATIENCE))
    cluster = own.enter_context(
        library.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            # Dask would share the memory out to all cores, even idle ones.
            memory_limit=1 / workers,
            dashboard_address="127.0.0.1:0",
        )
    )
    own_client = own.enter_context(library.Client(cluster))
    own_client.register_plugin(deaf())
    return Cluster(made_ready(own_client), own, folder)
