"""The pages on the package list all modules; the arrows point one way."""

import ast
import re
from importlib import import_module
from pathlib import Path

import pytest

import pegasos_edu
import tasks

DOCUMENT = pegasos_edu.__doc__
PACKAGE = tasks.ROOT / "pegasos_edu"
BOOK = tasks.ROOT / "book"
# The rooms, in the order in which the first page names them.
ROOMS = re.findall(r"\(api/(\w+)\.md\)", (BOOK / "api.md").read_text("utf-8"))
LISTED = [
    name
    for room in ROOMS
    for name in re.findall(
        r"^\.\. automodule:: (\S+)$",
        (BOOK / "api" / f"{room}.md").read_text("utf-8"),
        flags=re.MULTILINE,
    )
]


def module_name(path):
    name = ".".join(path.relative_to(tasks.ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def module_path(name):
    path = Path(tasks.ROOT, *name.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def is_public(path):
    """A module, or a package that defines something of its own."""
    if path.name != "__init__.py":
        return not path.name.startswith("_")
    defined = [
        node.name
        for node in ast.parse(path.read_text("utf-8")).body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef))
    ]
    return any(not name.startswith("_") for name in defined)


def imported(path):
    """Modules of the package that the module at ``path`` imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            found.add(node.module)
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {
        name
        for name in found
        if name.startswith("pegasos_edu.")
        and module_path(name).exists()
        and is_public(module_path(name))
    }


def test_every_room_has_its_page():
    pages = [path.stem for path in (BOOK / "api").glob("*.md")]
    assert sorted(ROOMS) == sorted(pages)


def test_every_public_module_is_listed():
    public = {
        module_name(path) for path in PACKAGE.rglob("*.py") if is_public(path)
    }
    assert set(LISTED) == public
    assert len(LISTED) == len(public)


def test_each_module_needs_only_those_above_it():
    backward = [
        f"{name} imports {other}"
        for place, name in enumerate(LISTED)
        for other in sorted(imported(module_path(name)))
        if other not in LISTED[:place]
    ]
    assert backward == []


# A list of what is in it has each room but the smallest: there the names of
# the files, an assignment or a source each, say it.
LISTING = sorted(
    path.parent.relative_to(PACKAGE).as_posix()
    for path in PACKAGE.glob("*/**/__init__.py")
    if path.parent.name not in ("recorded", "tasks", "zoo", "ledger")
)


@pytest.mark.parametrize("room", LISTING)
def test_a_room_says_once_what_is_in_it(room):
    """A line begins with the name of each file, and of each room within."""
    said = import_module(f"pegasos_edu.{room.replace('/', '.')}").__doc__
    words = re.findall(r"^([a-z_]+/?)  ", said, re.M)
    files = {path.stem for path in (PACKAGE / room).glob("*.py")}
    rooms = {
        f"{path.parent.name}/"
        for path in (PACKAGE / room).glob("*/__init__.py")
    }
    assert sorted(words) == sorted(files - {"__init__", "__main__"} | rooms)


def test_the_docstring_has_the_order_of_the_pages():
    """Of the rooms, and of the modules that a room's line lists."""
    lines = re.findall(r"^(\w+)/? {2,}(.+(?:\n {14}.+)*)", DOCUMENT, re.M)
    # The page of the toolkit belongs to the room of the live figures.
    rooms = [room for room in ROOMS if room != "toolkit"]
    assert [room for room, _ in lines] == rooms
    count = 0
    for room, line in lines:
        for part in re.split("[;:]", line):
            words = re.findall(r"\w+", part)
            named = [f"pegasos_edu.{room}.{word}" for word in words]
            places = [LISTED.index(name) for name in named if name in LISTED]
            assert places == sorted(places), part
            count += len(places)
    assert count >= 15
