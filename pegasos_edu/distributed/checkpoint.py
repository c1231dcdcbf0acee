"""A long run that can be gone on with: where it is, in a folder of files.

On a cluster Dask keeps a note of each task whose result it may have to make
again, so its memory grows with the rounds. What was written to a file is only
read again; all that led to it is forgotten. Each worker writes what it holds
of its shards; the client writes the shared w, and with it what run this is.
"""

from __future__ import annotations

import json
import os
import zlib
from dataclasses import asdict, dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any
from uuid import uuid4

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.distributed.shards import Shard, Shards
from pegasos_edu.problem import checks

EVERY = 10  # rounds; what is kept has as many vectors as two of them
PLACES = "here", "last", "best"
DUALS = "alphas", "before", "best_alphas"
NUMBERS = "rounds", "pull", "least", "highest"


@dataclass(frozen=True)
class Checkpoint:
    """The folder of a run.

    Attributes
    ----------
    folder : Path
    shards : Shards
    run : dict
        What the run is of: numbers and text.
    """

    folder: Path
    shards: Shards
    run: dict[str, Any]

    @classmethod
    def of(
        cls, folder: str | PathLike | None, shards: Shards, run: dict[str, Any]
    ) -> Checkpoint | None:
        """That folder, or a new one of the engine's; None if it has none."""
        if folder is None:
            if shards.engine.folder is None:
                return None
            folder = Path(shards.engine.folder, uuid4().hex)
        path = Path(folder).absolute()
        path.mkdir(parents=True, exist_ok=True)
        return cls(path, shards, run)

    @property
    def file(self) -> Path:
        """What the client writes."""
        return self.folder / "run.npz"

    def found(self, climb: Any) -> Any:
        """The climb as it was kept here; or as it is, if none was.

        Raises
        ------
        ValueError
            If another run was kept here.
        """
        if not self.file.exists():
            return climb
        with np.load(self.file) as kept:
            told = json.loads(str(kept["told"]))
            places = {name: kept[name] for name in PLACES}
        for name, value in self.run.items():
            if told["run"].get(name) != value:
                there = f"{told['run'].get(name)}"
                checks.refuse(
                    f"{self.folder} holds a run with {name} = {there:.60}",
                    f"one with {name} = {f'{value}':.60}, or an empty folder",
                )
        return self.resumed(climb, places, told)

    def renewed(self, climb: Any) -> Any:
        """The climb, kept here; its handles are of what was written."""
        engine = self.shards.engine
        columns = [getattr(climb, name) for name in DUALS]
        engine.fetch(
            engine.each(
                written,
                self.shards.handles,
                *columns,
                folder=str(self.folder),
                rounds=climb.rounds,
            )
        )
        fetched = engine.fetch([getattr(climb, name) for name in PLACES])
        places = dict(zip(PLACES, fetched))
        told = {name: getattr(climb, name) for name in NUMBERS}
        told |= {"pace": asdict(climb.pace), "run": self.run}
        save(self.file, **places, told=np.array(json.dumps(told)))
        new = self.resumed(climb, places, told)
        for old in self.folder.glob("*-*.npz"):
            if not old.name.startswith(f"{climb.rounds}-"):
                old.unlink()
        return new

    def resumed(self, climb: Any, places: Any, told: Any) -> Any:
        """A climb whose handles are of what was written."""
        engine, common = self.shards.engine, {"folder": str(self.folder)}
        vars(climb.pace).update(told["pace"])
        return replace(
            climb,
            **{name: engine.share(places[name]) for name in PLACES},
            **{
                name: engine.each(
                    read_again,
                    self.shards.handles,
                    name=name,
                    rounds=told["rounds"],
                    **common,
                )
                for name in DUALS
            },
            **{name: told[name] for name in NUMBERS},
        )


def check_checkpoint(folder: Any) -> None:
    """Refuse what is no place for a checkpoint, before there is one."""
    if folder is None:
        return
    if not isinstance(folder, str | PathLike):
        checks.refuse(f"checkpoint is {folder!r:.60}", "a path", TypeError)
    if Path(folder).is_file():
        found = f"checkpoint is {os.fspath(folder)!r}, a file"
        checks.refuse(found, "a folder, or a path where there is nothing yet")


def checksum(shard: Shard) -> int:
    """A number that other data would hardly have: the CRC-32 of X and y.

    Examples
    --------
    >>> one, other = np.eye(2), np.eye(2)[::-1]
    >>> y = np.array([1.0, -1.0])
    >>> sums = [checksum(Shard(0, (X, y), None, 2, 2)) for X in (one, other)]
    >>> sums[0] == sums[1]
    False
    """
    X, y = shard.data()
    parts = [X.data, X.indices, X.indptr] if sp.issparse(X) else [X]
    found = 0
    for part in [*parts, y]:
        found = zlib.crc32(np.ascontiguousarray(part).data, found)
    return found


def file_of(folder: str, shard: Shard, rounds: int) -> Path:
    """Where the dual variables of a shard are after so many rounds."""
    return Path(folder, f"{rounds}-{shard.number}.npz")


def written(
    shard: Shard, *duals: NDArray | None, folder: str, rounds: int
) -> None:
    """Keep the dual variables of a shard; None stands for zeros."""
    arrays = (np.zeros(shard.size) if a is None else a for a in duals)
    save(file_of(folder, shard, rounds), **dict(zip(DUALS, arrays)))


def read_again(
    shard: Shard, *, folder: str, rounds: int, name: str
) -> NDArray:
    """What `written` has kept."""
    with np.load(file_of(folder, shard, rounds)) as kept:
        return kept[name]


def save(path: Path, **arrays: Any) -> None:
    """Write arrays to a file that is there as a whole or not at all.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(Path(folder, "one.npz"), one=np.ones(2))
    ...     print(os.listdir(folder), np.load(Path(folder, "one.npz"))["one"])
    ['one.npz'] [1. 1.]
    """
    # Several may write at once, if a worker was given up too soon.
    unfinished = path.with_name(f"{uuid4().hex}.part")
    with open(unfinished, "wb") as file:
        np.savez(file, **arrays)
    os.replace(unfinished, path)
