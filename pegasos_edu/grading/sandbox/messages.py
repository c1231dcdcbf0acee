"""Messages as files: a line of JSON, and after it the bytes of arrays.

Nothing is pickled, and the line says of each array only what its bytes are,
so reading a message never runs a student's code.
"""

import json
import math
import os
import stat

import numpy as np

LARGEST = 500_000_000  # bytes of a message
LONGEST = 10_000_000  # bytes of its line, which once read is 40 times larger
SPARSE = 1_000  # matrices in a message: SciPy takes a millisecond for each
NO_MESSAGE = b"0"
# To open a file itself, and not what a link leads to, without waiting for it.
# Windows, where nobody makes such files, knows the last one only.
ITSELF = 0
for _flag in ("O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"):
    ITSELF |= getattr(os, _flag, 0)
KINDS = "biufcU"  # of arrays: truth values, numbers and texts


def write(path, tree, arrays):
    """Write a message.

    Parameters
    ----------
    path : path
    tree : tree of what JSON can hold
    arrays : list of arrays
        Of the `KINDS`; the tree names them by their places.
    """
    kinds = [[array.dtype.str, array.shape] for array in arrays]
    line = json.dumps([tree, kinds]).encode()
    parts = [line, b"\n", *(array.tobytes() for array in arrays)]
    overwrite(path, b"".join(parts), os.O_CREAT)


def overwrite(path, content, flags=0):
    """Write a file over what it holds; no link is followed.

    It is not emptied before: what is written next into a file that was, ext4
    sends to the disk at once, which took longer than all else a question
    takes.
    """
    flags |= os.O_WRONLY | ITSELF
    with open(os.open(path, flags, 0o666), "wb") as file:
        file.write(content)
        file.truncate()


def read(path):
    """The tree and the arrays of a message.

    The path is not trusted, nor what is there: a link is not followed,
    nothing is waited for, and no more than `LARGEST` bytes are read.

    Raises
    ------
    ValueError
        If the file is no message.
    """
    content = read_file(path)
    end = content.find(b"\n", 0, LONGEST) + 1
    if not end:
        raise ValueError("a message has no line, or too long a one")
    if content.count(b'"csr"', 0, end) > SPARSE:
        raise ValueError("a message has too many sparse matrices")
    tree, kinds = json.loads(content[:end])
    arrays = []
    for name, shape in kinds:
        dtype, count = np.dtype(name), math.prod(shape)
        if dtype.kind not in KINDS or min(shape, default=0) < 0:
            raise ValueError(f"a message has no array of {name} {shape}")
        array = np.empty(0, dtype)
        if count:
            array = np.frombuffer(content, dtype, count, end)
        end += array.nbytes
        # A copy, as the bytes cannot be changed.
        arrays.append(array.reshape(shape).copy())
    return tree, arrays


def read_file(path):
    """The bytes of an ordinary file, at most `LARGEST`."""
    with open(os.open(path, os.O_RDONLY | ITSELF), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode) or found.st_size > LARGEST:
            raise ValueError("a message is no file of a fair size")
        return file.read(found.st_size)
