"""The workers of a cluster: that they are there, and fit to be waited for.

Dask has a task wait for as long as it takes. So what will never come is
found here, and said in a sentence.
"""

from __future__ import annotations

import ast
import asyncio
import signal
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from pegasos_edu.distributed.failures import shards_in
from pegasos_edu.problem import checks

# On a busy machine a new process may need longer than the 15 s after which
# Dask would give up a lost worker for good.
PATIENCE = {"distributed.deploy.lost-worker-timeout": "10 minutes"}
ANSWER = "15 s"  # until a scheduler has answered
WAIT = "30 s"  # for its first worker
PAUSE = "30 s"  # after so long without a result one looks at the workers
LOOKS = 4  # in a row that a worker may be at fault: it may be replaced soon
# Whether this package is there, in words that any Python knows.
FOUND = (
    "__import__('importlib.util').util.find_spec('pegasos_edu') is not None"
)
# Of each client the workers that have answered so.
ASKED: WeakKeyDictionary[Any, set[str]] = WeakKeyDictionary()
MISSING = (
    "A cluster needs {}, which is not installed; expected the extra: "
    'pip install "pegasos-edu[distributed]"{}.'
)
NOT_NEEDED = ', or client="here", which needs no cluster'


def dask_distributed(otherwise: str = NOT_NEEDED) -> Any:
    """Dask's library for clusters, if it is installed.

    Parameters
    ----------
    otherwise : str
        What else could be done, for the sentence if it is not.

    Raises
    ------
    ModuleNotFoundError
        If it is not.

    Examples
    --------
    >>> dask_distributed().__name__
    'distributed'
    """
    try:
        import distributed
    except ModuleNotFoundError as error:
        name = (error.name or "a library").partition(".")[0]
        raise ModuleNotFoundError(
            MISSING.format(name, otherwise), name=error.name
        ) from None
    return distributed


def check_script() -> None:
    """Refuse a script that every new process would run from its begin.

    Each of them imports it, comes to the call that is to start processes,
    and ends there, with a traceback of hundreds of lines.

    Raises
    ------
    RuntimeError
        If the script that runs has no guard: no line compares `__name__`.
    """
    main = sys.modules["__main__"]
    path, spec = (getattr(main, one, None) for one in ("__file__", "__spec__"))
    if path is None or sys.flags.interactive:  # a notebook, or a prompt
        return
    if spec is not None and spec.name.rpartition(".")[2] == "__main__":
        return  # the main module of a package, which none imports
    script = Path(path)  # of lines from standard input there is none
    text = script.read_bytes() if script.is_file() else b""
    asked = (
        ast.unparse(node)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Compare)
    )
    if not any("__name__" in comparison for comparison in asked):
        checks.refuse(
            f"{script.name} starts processes that import it, and each would "
            f"start them again",
            'a file with its lines behind `if __name__ == "__main__":`, or '
            'client="here"',
            RuntimeError,
        )


def connected(address: str, argument: str = "client") -> Any:
    """A client of a scheduler whose workers have this package.

    Parameters
    ----------
    address : str
        Such as "tcp://10.0.0.7:8786".
    argument : str
        What the caller calls the address, for the sentences below.

    Returns
    -------
    distributed.Client

    Raises
    ------
    ModuleNotFoundError
        If Dask is not installed, or this package on a worker.
    ConnectionError
        If no scheduler answers at the address, or it has no worker.
    MemoryError
        If its workers are all paused, and at work on nothing.
    """
    library = dask_distributed(NOT_NEEDED if argument == "client" else "")
    try:
        found = who_answers(address)
    except TimeoutError:
        found = f"no answer within {ANSWER}"
    except Exception as error:  # what another program says may mean anything
        found = f"{type(error).__name__}: {error}".rstrip(": ")
    if found != "Scheduler":
        checks.refuse(
            f"{argument} is {address!r} ({found})",
            "the address of a scheduler that answers, such as "
            "tcp://10.0.0.7:8786 (not that of its dashboard)",
            ConnectionError,
        )
    client = library.Client(address)
    try:
        return made_ready(client)
    except BaseException:
        client.close()
        raise


def who_answers(address: str) -> str:
    """What a server of Dask's at this address says that it is.

    A client would wait for ever where another program listens: Dask limits
    the time for a connection, but not for what is said then.
    """
    from dask.utils import parse_timedelta
    from distributed import Security
    from distributed.core import rpc

    async def ask():
        options = Security().get_connection_args("client")
        async with rpc(address, connection_args=options) as server:
            return (await server.identity())["type"]

    async def ask_in_time():
        return await asyncio.wait_for(ask(), parse_timedelta(ANSWER))

    with ThreadPoolExecutor(1) as thread:  # in this one may be a loop already
        return thread.submit(asyncio.run, ask_in_time()).result()


def made_ready(client: Any) -> Any:
    """The client, once its cluster can be counted on.

    Parameters
    ----------
    client : distributed.Client

    Returns
    -------
    distributed.Client

    Raises
    ------
    ConnectionError
        If it was closed, or its scheduler has no worker.
    MemoryError
        If its workers are all paused, and at work on nothing.
    ModuleNotFoundError
        If a worker lacks this package.
    TypeError
        If it is asynchronous.
    """
    if getattr(client, "asynchronous", False):
        checks.refuse(
            "client is an asynchronous Client",
            "one whose calls wait, as those of Client(address) do",
            TypeError,
        )
    if client.status != "running":
        checks.refuse(
            f"client is a Client that is {client.status}",
            "one that is connected to its scheduler",
            ConnectionError,
        )
    try:
        client.wait_for_workers(1, timeout=WAIT)
    except TimeoutError:  # none, or all of them paused
        for address, memory in at_fault(client, shards_in).items():
            refuse_to_wait(client, address, memory)
    # What was found and done once holds for this client's next calls.
    asked, first = ASKED.get(client, set()), client not in ASKED
    new = set(client.nthreads()) - asked
    if new:
        check_package(client, sorted(new))
    if first:
        client.register_plugin(forgetful())
    ASKED[client] = asked | new
    return client


def check_package(client, workers):
    """Say so if one of these workers lacks this package.

    Such a worker cannot read what it is sent, and ends, and so does the next
    one; the client would wait for ever.
    """
    # One that leaves at this very moment does no harm.
    answers = client.run(eval, FOUND, workers=workers, on_error="return")
    for worker, has_it in answers.items():
        if has_it is False:
            checks.refuse(
                f"the worker {worker} has no pegasos_edu",
                "this package on every worker, in the client's version",
                ModuleNotFoundError,
            )


def forgetful():
    """A plugin for schedulers: what nobody can begin, anybody may.

    A task that would like a certain worker may be done by others. But if
    none is there at the moment when its own is lost, Dask keeps it for that
    one, which will never come back.
    """
    from distributed import SchedulerPlugin

    # A class of this function travels whole: the scheduler needs no package.
    class Forgetful(SchedulerPlugin):
        name, idempotent = "pegasos_edu-forgetful", True

        async def start(self, scheduler):
            self.tasks = scheduler.tasks

        def transition(self, key, start, finish, *_, **__):
            if finish == "no-worker" and self.tasks[key].loose_restrictions:
                self.tasks[key].worker_restrictions = None

    return Forgetful()


def deaf():
    """A plugin for workers of this machine: Ctrl+C is not meant for them.

    It and Jupyter's Stop reach every process of the group of this one. They
    end the call; a worker that they ended, too, would not come back.
    """
    from distributed import WorkerPlugin

    class Deaf(WorkerPlugin):
        name = "pegasos_edu-deaf"

        def setup(self, worker):
            signal.signal(signal.SIGINT, signal.SIG_IGN)

    return Deaf()


def wait_for(
    client: Any,
    futures: list[Any],
    ours: Callable[[Iterable[Any]], Any] = shards_in,
    until: str = "ALL_COMPLETED",
) -> set[Any]:
    """Wait for results, unless it is seen that none will ever come.

    Dask pauses a worker that holds nearly all the memory it may. What a
    process has imported it never gives back, so that may be for ever.

    Parameters
    ----------
    client : distributed.Client
    futures : list of Future
    ours : callable
        Whether what is waited for is among these keys of tasks.
    until : {"ALL_COMPLETED", "FIRST_COMPLETED"}
        How many of them to wait for.

    Returns
    -------
    set of Future
        Those that are done.

    Raises
    ------
    ConnectionError
        If there has been no worker for `LOOKS` looks in a row, or the
        scheduler ended.
    MemoryError
        If a worker has stayed paused for as many, at work on nothing while a
        task of ours waited for it.
    """
    from distributed import CancelledError, wait

    address, looks = client.scheduler.address, dict[str, int]()
    while True:
        try:
            return wait(futures, timeout=PAUSE, return_when=until).done
        except TimeoutError:
            found = at_fault(client, ours)
        except CancelledError:
            checks.refuse(
                f"the scheduler {address} has ended, or has forgotten what it "
                f"was asked",
                "one that stays to the end of a run",
                ConnectionError,
            )
        looks = {worker: looks.get(worker, 0) + 1 for worker in found}
        for worker, memory in found.items():
            if looks[worker] >= LOOKS:
                refuse_to_wait(client, worker, memory)


def at_fault(client, ours):
    """The workers that keep a task of ours waiting, and their memory.

    Without any worker that is one without an address.
    """
    workers = client.scheduler_info(n_workers=-1)["workers"]
    if not workers:
        return {"": 0}
    idle = {
        address: one["memory_limit"]
        for address, one in workers.items()
        if one["status"] == "paused"
        and not one["metrics"]["task_counts"].get("executing")
    }
    if not idle or len(idle) == len(workers):
        return idle
    held = client.processing(list(idle))  # the others do all else
    return {key: idle[key] for key in idle if ours(held.get(key, ()))}


def refuse_to_wait(client, address, memory):
    """Say what is wrong with this worker, or that there is none."""
    if not address:
        address = client.scheduler.address
        checks.refuse(
            f"the scheduler {address} has no worker",
            f"at least one, such as `dask worker {address}` starts",
            ConnectionError,
        )
    checks.refuse(
        f"the worker {address} stays paused, as it holds nearly all the "
        f"memory that it may ({memory // 10**6:,} MB)",
        "workers that may hold more, or tasks that hold less",
        MemoryError,
    )
