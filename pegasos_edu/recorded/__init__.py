"""Results that took too long for a page, as their commands wrote them.

The commands are those of `pegasos_edu.experiments` and `tests.benchmarks`.
Nothing else of the package is needed to read what they found.
"""

import json
from importlib import resources
from typing import Any


def recorded(name: str) -> dict[str, Any]:
    """The kept result of an experiment.

    Parameters
    ----------
    name : str
        The name of the experiment, as on the command line; "benchmarks" for
        `tests.benchmarks`.

    Returns
    -------
    dict

    Raises
    ------
    FileNotFoundError
        If there is none of that name.

    Examples
    --------
    >>> recorded("mnist")["setup"]["radius"]
    10.0
    """
    folder = resources.files(__name__)
    file = folder / f"{name}.json"
    if not file.is_file():
        files = (each.name for each in folder.iterdir())
        names = sorted(f[:-5] for f in files if f.endswith(".json"))
        raise FileNotFoundError(
            f"name is {name!r}; expected one of {', '.join(names)}."
        )
    return json.loads(file.read_text("utf-8"))


def made_by(name: str) -> str:
    """The command that made a record, for a page to show with its numbers.

    Parameters
    ----------
    name : str
        As for `recorded`.

    Returns
    -------
    str

    Raises
    ------
    FileNotFoundError
        If there is no record of that name.

    Examples
    --------
    >>> print(made_by("theory"))
    recorded by: python -m pegasos_edu.experiments theory
    """
    record = recorded(name)
    # The benchmarks keep it among the other facts of their setting.
    command = record.get("setting", record)["command"]
    return f"recorded by: {command}"
