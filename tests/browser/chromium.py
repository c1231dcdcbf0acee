"""Chromium as the book's own commands find it.

The commands among the tests are started without pytest's paths.
"""

import sys

import tasks

sys.path.append(str(tasks.EXTENSIONS))
from chromium import FLAGS, HOW_TO_GET_ONE, find

__all__ = ["FLAGS", "HOW_TO_GET_ONE", "find"]
