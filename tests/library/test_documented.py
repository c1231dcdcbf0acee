"""What docstrings say is there, in the order and the form of numpydoc.

A function without the section "Parameters" is its sentence; one that has it
names every argument, and none that there is not.
"""

import inspect
import pkgutil
from importlib import import_module

import pytest
from numpydoc.validate import ERROR_MSGS, validate

import pegasos_edu

# Of numpydoc's checks. The others ask for sections that would say nothing,
# or for a style that is not the book's: here "X, y, lam" is one line.
HELD = {
    "GL01",  # the text begins right after the quotes, or on the next line
    "GL03",  # no two blank lines
    "GL05",  # no tabs
    "GL06",  # no section of an unknown name
    "GL07",  # the sections in their order
    "GL09",  # a deprecation stands first
    "PR01",  # an argument that is not documented
    "PR02",  # one that there is not
    "PR05",  # types are Python's: str, not string
    "PR10",  # "name : type", with its blanks
    "RT05",  # what is returned ends as a sentence
    "SS01",  # a summary
    "SS06",  # in one line
}
# Modules that start when they are imported.
COMMANDS = ("__main__", "inside")
SECTION = "Parameters\n----------\n"


def modules():
    for found in pkgutil.walk_packages(pegasos_edu.__path__, "pegasos_edu."):
        if found.name.rpartition(".")[2] not in COMMANDS:
            yield import_module(found.name)


def documented(module):
    """Names of the functions, classes and methods that list arguments."""
    for name, thing in vars(module).items():
        if getattr(thing, "__module__", None) != module.__name__:
            continue
        methods = vars(thing) if inspect.isclass(thing) else {}
        for part, one in {**methods, name: thing}.items():
            text = inspect.getdoc(one) if callable(one) else None
            if text and SECTION in text:
                inside = name if one is thing else f"{name}.{part}"
                yield f"{module.__name__}.{inside}"


def complaints(name):
    return [
        f"{name}: {message}"
        for code, message in validate(name)["errors"]
        if code in HELD
    ]


def test_the_codes_are_numpydocs():
    assert set(ERROR_MSGS) >= HELD


@pytest.mark.slow
def test_docstrings_say_what_is_there():
    names = [name for module in modules() for name in documented(module)]
    assert len(names) > 200
    assert [said for name in names for said in complaints(name)] == []
