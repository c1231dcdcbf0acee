"""Who computes: this process, or the workers of a Dask cluster.

Both have the same four verbs, and what is computed is written once, with
these. Results stay where they were made, as handles; here a handle is the
result itself, on a cluster a Future. `fetch` brings one over.
"""

from __future__ import annotations

import contextlib
import os
from typing import Any

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.solvers.averaging import add_up, tree

# On a busy machine a new process may need longer than the 15 s after which
# Dask would give up a lost worker for good.
PATIENCE = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
MISSING = (
    "A cluster needs {}, which is not installed; expected the extra: "
    'pip install "pegasos-edu[distributed]", or client="here", which needs '
    "no cluster."
)


class Here:
    """All shards in turn, in this process.

    Examples
    --------
    >>> engine = Here()
    >>> halves = engine.each(np.multiply, [[1.0, 2.0], [3.0, 4.0]], [0.5] * 2)
    >>> engine.fetch(engine.total(halves))
    array([2., 3.])
    """

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
        return [
            function(number, computed_here(source))
            for number, source in enumerate(sources)
        ]

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
    """

    def __init__(self, client, own=None):
        self.client, self.own = client, own or contextlib.ExitStack()

    def share(self, value):
        """A handle of what every shard will be given."""
        if isinstance(value, np.ndarray):
            return self.client.submit(itself, value, pure=False)
        return value

    def each(self, function, *columns, **shared):
        """A handle of function(…) for each row of the columns."""
        shared = {"pure": False, **shared}
        submit = self.client.submit
        return [submit(function, *row, **shared) for row in zip(*columns)]

    def total(self, parts):
        """A handle of the sum of arrays; it always rounds alike."""
        submit = self.client.submit
        return tree(parts, lambda *few: submit(add_up, *few, pure=False))

    def fetch(self, handle):
        """What a handle stands for, or a list of handles."""
        return self.client.gather(handle)

    def spread(self, function, sources):
        """A handle of function(number, source); the workers take turns."""
        workers, held = sorted(self.client.nthreads()), []
        for number, source in enumerate(sources):
            if hasattr(source, "__dask_graph__"):
                source = self.client.compute(source)
            wanted = [workers[number % len(workers)]] if workers else None
            held.append(
                self.client.submit(
                    function,
                    number,
                    source,
                    pure=False,
                    workers=wanted,
                    allow_other_workers=wanted is not None,
                )
            )
        return held

    def close(self):
        """Let go what was opened for this engine."""
        self.own.close()


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
        If `client` is none of these.
    ModuleNotFoundError
        If Dask is not installed.

    Examples
    --------
    >>> type(engine_of("here", most=4)).__name__
    'Here'
    """
    if isinstance(client, str) and client == "here":
        return Here()
    if hasattr(client, "submit") and hasattr(client, "nthreads"):
        return Cluster(client)
    if client is not None and not isinstance(client, str):
        checks.refuse(
            f"client is {client!r}",
            "a dask.distributed.Client, the address of a scheduler, 'here' "
            "or None",
            TypeError,
        )
    try:
        import dask
        from distributed import Client, LocalCluster
    except ModuleNotFoundError as error:
        library = (error.name or "a library").partition(".")[0]
        raise ModuleNotFoundError(
            MISSING.format(library), name=error.name
        ) from None
    own = contextlib.ExitStack()
    if client is None:
        own.enter_context(dask.config.set(PATIENCE))
        client = LocalCluster(
            n_workers=max(1, min(most, os.cpu_count() or 1)),
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
        )
        own.enter_context(client)
    return Cluster(own.enter_context(Client(client)), own)
