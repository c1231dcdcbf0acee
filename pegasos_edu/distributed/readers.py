"""Shards in files: the workers read them themselves.

A reader is a function without arguments that returns X and y. It travels to
a worker, so the path must lead to the same file from there. A reader of your
own will do as well, such as `functools.partial(read_my_format, path)`.

Where the rows are in several files, give a list of paths, such as
`sorted(Path("data").glob("part-*.parquet"))`. Each file is then cut into as
many shards as are asked for.

One whose attribute `mapped` is true, as those of .npy files have it, is called
anew for every task, and what it returned is let go afterwards. So the worker's
memory holds the pages of one shard at a time, and the file may be larger than
that memory. What the others return stays in the memory of their worker.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise
from os import PathLike, fspath
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.problem import checks

Block = tuple[Any, NDArray[Any]]  # X and y
Files = str | PathLike | list[str] | list[Path]
# How files of gzip, bzip2 and xz begin.
COMPRESSED = b"\x1f\x8b", b"BZh", b"\xfd7z"
COLUMNS = ["label", "indices", "values"]  # of a Parquet file


@dataclass(frozen=True)
class NpyRows:
    """Rows first, …, last − 1 of X and of y, in two files of NumPy's.

    Parameters
    ----------
    X, y : str
        Paths of .npy files: an array of shape (n, d), and the labels (n,).
    first, last : int
        Which rows.

    Examples
    --------
    >>> NpyRows("X.npy", "y.npy", 0, 100).mapped
    True
    """

    X: str
    y: str
    first: int
    last: int
    mapped = True

    def __call__(self) -> Block:
        rows = slice(self.first, self.last)
        X, y = (np.load(path, mmap_mode="r") for path in (self.X, self.y))
        return X[rows], y[rows]


@dataclass(frozen=True)
class Svmlight:
    """Whole lines of a file in the format of SVMlight; columns from 1 on.

    Parameters
    ----------
    path : str
    d : int
        The number of features; some lines of a file may lack the last ones.
    first, last : int
        Bytes first, …, last − 1.
    """

    path: str
    d: int
    first: int
    last: int
    mapped = False

    def __call__(self) -> Block:
        from sklearn.datasets import load_svmlight_file  # here, as it is slow

        with open(self.path, "rb") as file:
            file.seek(self.first)
            lines = BytesIO(file.read(self.last - self.first))
        try:
            return load_svmlight_file(
                lines, n_features=self.d, zero_based=False
            )
        except ValueError as error:
            text = str(error).rstrip(".")
            checks.refuse(
                f"{self.path}: {text}",
                f"lines such as `+1 1:0.5 3:2`, columns from 1 to {self.d}",
            )


@dataclass(frozen=True)
class ParquetRows:
    """Whole row groups of a Parquet file; columns as `parquet_shards` says.

    Parameters
    ----------
    path : str
    d : int
        The number of features.
    first, last : int
        Row groups first, …, last − 1.
    """

    path: str
    d: int
    first: int
    last: int
    mapped = False

    def __call__(self) -> Block:
        with _parquet().ParquetFile(self.path) as file:
            table = file.read_row_groups(range(self.first, self.last), COLUMNS)
        y, indices, values = (table[name].combine_chunks() for name in COLUMNS)
        lengths = [rows.value_lengths() for rows in (indices, values)]
        at, x = indices.flatten(), values.flatten()
        if len(at) and any(part.null_count for part in (y, *lengths, at, x)):
            checks.refuse(f"{self.path} has a null", "a value in every field")
        if not lengths[0].equals(lengths[1]):
            checks.refuse(
                f"{self.path} has more indices than values in a row, or fewer",
                "one value for each index",
            )
        at, x = map(_numbers, (at, x))
        if at.size and not 0 <= at.min() <= at.max() < self.d:
            checks.refuse(
                f"{self.path} has the indices {at.min()} to {at.max()}",
                f"0 to {self.d - 1}, as d is {self.d}",
            )
        ends = np.concatenate([[0], np.cumsum(lengths[0])])
        X = sp.csr_array((x, at, ends), shape=(len(y), self.d))
        return X, y.to_numpy(zero_copy_only=False)


def npy_shards(X: Files, y: Files, shards: int) -> list[NpyRows]:
    """Two .npy files, cut into shards of neighbouring rows; or several pairs.

    Parameters
    ----------
    X, y : path, or list of paths
        Files of an array (n, d) and of its labels (n,). The rows must be in
        random order: shards are meant to be alike. Of two lists, the k-th
        file of labels belongs to the k-th of X.
    shards : int
        How many of each file, at most n.

    Returns
    -------
    list of NpyRows

    Raises
    ------
    ValueError, TypeError, OSError
        If there is no such file, `shards` is out of range, or y has another
        length than X.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     X, y = f"{folder}/X.npy", f"{folder}/y.npy"
    ...     np.save(X, np.eye(5)), np.save(y, np.array([1, -1, 1, -1, 1]))
    ...     [(part.first, part.last) for part in npy_shards(X, y, 2)]
    (None, None)
    [(0, 2), (2, 5)]
    """
    arrays, labels = _paths("X", X), _paths("y", y)
    if len(arrays) != len(labels):
        checks.refuse(
            f"X has {len(arrays)} files and y has {len(labels)}",
            "a file of labels for each of X",
        )
    pairs = zip(arrays, labels)
    return [part for pair in pairs for part in _cut_npy(*pair, shards)]


def _cut_npy(X, y, shards):
    """Shards of one array and its labels."""
    n, labels = (_rows_in(path, ndim) for path, ndim in ((X, 2), (y, 1)))
    if labels != n:
        checks.refuse(
            f"{y} has {labels} labels", f"{n}, one for each row of X"
        )
    ends = _ends(n, checks.check_integer("shards", shards, 1, high=n))
    return [NpyRows(X, y, first, last) for first, last in pairwise(ends)]


def _rows_in(path, ndim):
    """How many rows an array in a .npy file has."""
    try:
        array = np.load(path, mmap_mode="r")
    except ValueError:  # NumPy takes what it does not know for a pickle
        array = None
    if not isinstance(array, np.ndarray) or array.ndim != ndim:
        found = "something else"
        if isinstance(array, np.lib.npyio.NpzFile):
            found = "an archive of arrays"
        if isinstance(array, np.ndarray):
            found = f"an array of shape {array.shape}"
        shape = ("(n,)", "(n, d)")[ndim - 1]
        checks.refuse(
            f"{path} holds {found}",
            f"one array of numbers, {shape}, as np.save writes it",
        )
    return len(array)


def svmlight_shards(path: Files, d: int, shards: int) -> list[Svmlight]:
    """A file in the format of SVMlight, cut into shards of whole lines.

    Parameters
    ----------
    path : path, or list of paths
        The file, not compressed; its lines in random order. Or several. What
        is read stays in the workers' memory.
    d : int
        The number of features.
    shards : int
        How many of each file.

    Returns
    -------
    list of Svmlight

    Raises
    ------
    ValueError, TypeError, OSError
        If there is no such file, it has too few lines or is compressed, or a
        number is out of range.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile(suffix=".txt") as file:
    ...     _ = file.write(b"+1 1:2.5\\n-1 2:1\\n+1 1:3\\n-1 1:-1\\n")
    ...     file.flush()
    ...     first, second = svmlight_shards(file.name, d=2, shards=2)
    ...     print(first()[1], second()[1])
    [ 1. -1.] [ 1. -1.]
    """
    d = checks.check_integer("d", d, 1)
    shards = checks.check_integer("shards", shards, 1)
    files = _paths("path", path)
    return [part for one in files for part in _cut_lines(one, d, shards)]


def _cut_lines(path, d, shards):
    """Shards of one file in the format of SVMlight."""
    ends = _ends(Path(path).stat().st_size, shards)
    with open(path, "rb") as file:
        if file.read(3).startswith(COMPRESSED):
            checks.refuse(f"{path} is compressed", "lines of plain text")
        ends = [_next_line(file, end) for end in ends]
    if len({*ends}) <= shards:
        found = f"shards is {shards} and {path} has too few lines"
        checks.refuse(found, "at least a line for each")
    return [Svmlight(path, d, first, last) for first, last in pairwise(ends)]


def parquet_shards(path: Files, d: int, shards: int) -> list[ParquetRows]:
    """A Parquet file, cut into shards of whole row groups; or several files.

    Parameters
    ----------
    path : path, or list of paths
        One row for each example, in random order. Its columns: `label`, a
        number; `indices`, a list of the columns of X that are not 0, from 0
        on; and `values`, a list of what stands there. What is read stays in
        the workers' memory.
    d : int
        The number of features.
    shards : int
        How many of each file, at most one for each row group.

    Returns
    -------
    list of ParquetRows

    Raises
    ------
    ValueError, TypeError, OSError
        If there is no such file, a column is missing, or a number is out of
        range.
    ModuleNotFoundError
        If pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq, tempfile
    >>> table = pa.table({"label": [1, -1], "indices": [[0], [1, 2]],
    ...                   "values": [[2.5], [1.0, 3.0]]})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     pq.write_table(table, f"{folder}/two.parquet", row_group_size=1)
    ...     parts = parquet_shards(f"{folder}/two.parquet", d=3, shards=2)
    ...     print(parts[1]()[0].toarray())
    [[0. 1. 3.]]
    """
    d = checks.check_integer("d", d, 1)
    shards = checks.check_integer("shards", shards, 1)
    files = _paths("path", path)
    return [part for one in files for part in _cut_groups(one, d, shards)]


def _cut_groups(path, d, shards):
    """Shards of one Parquet file."""
    try:
        with _parquet().ParquetFile(path) as file:
            groups, schema = file.num_row_groups, file.schema_arrow
    except ValueError as error:  # pyarrow.ArrowInvalid is one
        found = str(error).rstrip(".")
        checks.refuse(f"{path}: {found}", "a file in the format of Parquet")
    for name in COLUMNS:
        if name not in schema.names:
            checks.refuse(
                f"{path} has the columns {', '.join(schema.names)}",
                f"{', '.join(COLUMNS)} among them",
            )
        _check_kind(path, name, schema.field(name).type)
    if shards > groups:
        checks.refuse(
            f"shards is {shards}",
            f"at most {groups}, a row group of {path} for each",
        )
    ends = _ends(groups, shards)
    return [
        ParquetRows(path, d, first, last) for first, last in pairwise(ends)
    ]


def _numbers(column):
    """A column as an array; one of no entries has no kind of its own."""
    if not len(column):
        return np.zeros(0, int)
    return column.to_numpy(zero_copy_only=False)


def _check_kind(path, name, kind):
    """Say so if a column of a Parquet file is of another kind."""
    from pyarrow import types

    # Integers that are stored as something else would be cut off.
    real = types.is_integer, types.is_floating
    wanted, allowed = {
        "label": ("numbers", (*real, types.is_dictionary)),
        "indices": ("lists of integers", (types.is_integer, types.is_null)),
        "values": ("lists of numbers", (*real, types.is_null)),
    }[name]
    inner = kind
    if name != "label":  # a column of empty lists is one of nulls
        inner = getattr(kind, "value_type", None)
    if inner is None or not any(is_so(inner) for is_so in allowed):
        checks.refuse(
            f"the column {name} of {path} has the type {kind}", wanted
        )


def _paths(name, files):
    """The whole paths of one file or of a list of files, as text.

    Examples
    --------
    >>> _paths("path", Path(__file__)) == _paths("path", [__file__])
    True
    """
    several = files if isinstance(files, list | tuple) else [files]
    expected = "a path, or a list of at least one"
    if not several:
        checks.refuse(f"{name} is {files!r}", expected)
    for one in several:
        if not isinstance(one, str | PathLike):
            checks.refuse(f"{name} has {one!r:.60}", expected, TypeError)
        if not Path(one).is_file():
            what = "a folder" if Path(one).is_dir() else "not there"
            found = f"{name} names {fspath(one)!r}, which is {what}"
            there = "files that are"
            if "*" in fspath(one):
                there += "; of a pattern, sorted(glob.glob(pattern))"
            checks.refuse(found, there, FileNotFoundError)
    # A worker may have been started in another folder.
    return [os.path.abspath(one) for one in several]


def _parquet():
    """The module that reads Parquet, if it is installed."""
    try:
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            "Parquet needs pyarrow, which is not installed; expected the "
            'extra: pip install "pegasos-edu[distributed]".',
            name="pyarrow",
        ) from None
    return pyarrow.parquet


def _next_line(file, place):
    """Where the first line begins that does so at this byte or later."""
    file.seek(max(place - 1, 0))
    if place:
        file.readline()
    return file.tell()


def _ends(n, parts):
    """Where n things are cut into parts as even as can be."""
    return [n * part // parts for part in range(parts + 1)]
