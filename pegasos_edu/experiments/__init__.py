"""Experiments too long for a page: run by command, read as small JSON.

`python -m pegasos_edu.experiments NAME` runs one and records it;
`recorded(NAME)` reads what was recorded.
"""

import json
from importlib import resources


def recorded(name):
    """The recorded results of an experiment, as a dict.

    Parameters
    ----------
    name : str

    Examples
    --------
    >>> sorted(recorded("theory"))[0]
    'coverage'
    """
    folder = resources.files(__name__) / "recorded"
    return json.loads((folder / f"{name}.json").read_text("utf-8"))
