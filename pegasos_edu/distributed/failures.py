"""What went wrong with a shard, told by whoever asked for it.

Where it happens, on a worker, nobody looks. So an error travels back, and
its sentence begins with the number of the shard.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable
from typing import Any

# Errors that stay what they are; all others come as a RuntimeError.
KINDS = (
    ValueError,
    TypeError,
    FileNotFoundError,
    ModuleNotFoundError,
    OSError,
    EOFError,
    FloatingPointError,
)


def of_shard(number: int, error: BaseException) -> Exception:
    """The same error, in a sentence that names the shard.

    Parameters
    ----------
    number : int
        Which shard.
    error : BaseException
        What its reader, a check or Dask has raised.

    Returns
    -------
    Exception
        One of `KINDS`, or a RuntimeError, so that it can be sent from any
        worker.

    Examples
    --------
    >>> of_shard(3, ValueError("y is empty."))
    ValueError('shard 3: y is empty.')
    >>> of_shard(3, KeyError("label"))
    RuntimeError("shard 3: KeyError: 'label'")
    """
    text, prefix = " ".join(str(error).split()), f"shard {number}: "
    if f"shard {number}" in text:  # whoever raised it knew
        prefix = ""
    if isinstance(error, KINDS):
        kind = next(kind for kind in KINDS if isinstance(error, kind))
        return kind(prefix + text)
    said = f"{prefix}{type(error).__name__}: {text}"
    return RuntimeError(said.removesuffix(": "))


def is_interrupt(error: BaseException) -> bool:
    """Whether somebody at this process has asked it to stop.

    That goes to the main thread. On a worker readers run in another one, and
    a KeyboardInterrupt there is a reader's own.

    Examples
    --------
    >>> is_interrupt(KeyboardInterrupt()), is_interrupt(SystemExit())
    (True, False)
    """
    return (
        isinstance(error, KeyboardInterrupt)
        and threading.current_thread() is threading.main_thread()
    )


def of_ended_workers(numbers: list[int], error: Any) -> Exception:
    """What to say when Dask gives up shards, as each of their workers ended.

    Parameters
    ----------
    numbers : list of int
        The shards that were given up. Dask counts a worker's end against all
        that it had in hand, so there may be innocent ones among them.
    error : distributed.KilledWorker

    Returns
    -------
    RuntimeError

    Examples
    --------
    >>> from types import SimpleNamespace as Some
    >>> error = Some(last_worker=Some(address="tcp://one"), allowed_failures=3)
    >>> str(of_ended_workers([2, 5], error)).partition(";")[0]
    'one of the shards 2, 5: its workers ended, 4 in turn, the last tcp://one'
    """
    who = f"shard {numbers[0]}"
    if len(numbers) > 1:
        who = f"one of the shards {', '.join(map(str, numbers))}"
    return RuntimeError(
        f"{who}: its workers ended, {error.allowed_failures + 1} in turn, the "
        f"last {error.last_worker.address}; expected a shard that fits into a "
        f"worker's memory, and a reader that ends no process."
    )


def shards_in(keys: Iterable[Any]) -> list[int]:
    """The shards that keys of tasks name, in order.

    Parameters
    ----------
    keys : iterable of str or tuple
        Dask's, of any tasks.

    Examples
    --------
    >>> shards_in(["add_up-1f", "facts_of-shard-12-9c", "open-shard-3-77"])
    [3, 12]
    """
    found = (re.search(r"-shard-(\d+)-", str(key)) for key in keys)
    return sorted({int(one[1]) for one in found if one})
