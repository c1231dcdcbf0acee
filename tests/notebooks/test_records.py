"""A number that was recorded stands beside the command that made it.

A name that a page takes from a record is followed through its cells. Every
cell that uses one and shows something says how the record was made, by
`made_by`, and the saved output holds the command.
"""

import ast
import functools
import math
import re
import warnings
from pathlib import Path

import nbformat
import pytest

from pegasos_edu.recorded import made_by, recorded

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "book").rglob("*.ipynb"))


def root_of(node, known):
    """The records that `recorded("x")["a"]["b"]` or `name["a"]` come from.

    Also those that a comprehension runs over. A name that was computed from
    a record in another way is a number of the page, not of the record.
    """
    if isinstance(node, ast.DictComp | ast.ListComp):
        return root_of(node.generators[0].iter, known)
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Name):
        return known.get(node.id, set())
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "recorded":
        return {node.args[0].value}
    return set()


def bound(statement, known):
    """Name -> records of what a statement binds; a loop's names to none."""
    found = {}
    for node in ast.walk(statement):
        if isinstance(node, ast.For):
            found.update({name: set() for name in names_of(node.target)})
        elif isinstance(node, ast.Assign):
            target, value = node.targets[0], node.value
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = zip(target.elts, value.elts)
            for part, origin in pairs:
                records = root_of(origin, known)
                found.update(dict.fromkeys(names_of(part), records))
    return found


def names_of(target):
    """The names in the target of an assignment or of a loop."""
    return [
        node.id
        for node in ast.walk(target)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]


def follow(source, known):
    """The records that a cell uses; `known` maps names to records."""
    used = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a backslash in a label is no record
        tree = ast.parse(source)
    for statement in tree.body:
        binds = bound(statement, known)
        if not isinstance(statement, ast.Assign):
            # A loop's own names hide those of earlier cells.
            known.update({n: set() for n, found in binds.items() if not found})
        for node in ast.walk(statement):
            if isinstance(node, ast.Call):
                used |= root_of(node, known)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                used |= known.get(node.id, set())
        known.update(binds)
    return used


@functools.cache
def recorded_cells(path):
    """Pairs (cell, records) of the cells that use a record and show it."""
    known, found = {}, []
    if "recorded" not in path.read_text("utf-8"):
        return found  # following all its names would find none
    for cell in nbformat.read(path, as_version=4).cells:
        if cell.cell_type == "code":
            used = follow(cell.source, known)
            if used and cell.outputs:
                found.append((cell, used))
    return found


def shown(cell):
    """The text that a cell has printed, and its tables."""
    return "".join(
        output.get("text", "") + output.get("data", {}).get("text/plain", "")
        for output in cell.outputs
    )


READING = [path for path in PAGES if recorded_cells(path)]


@pytest.mark.parametrize("path", READING, ids=lambda path: path.stem)
def test_every_recorded_number_stands_beside_its_command(path):
    silent = [
        (cell.id, name)
        for cell, used in recorded_cells(path)
        for name in sorted(used)
        if made_by(name) not in shown(cell)
    ]
    assert not silent


def test_the_front_page_names_the_pages_that_read_a_record():
    text = (ROOT / "book" / "index.md").read_text("utf-8")
    told = text.partition("are read from a file")[2].partition("\n\n")[0]
    named = set(re.findall(r"\{doc\}`(\w+)`", told))
    # The ledger's checks read records, in the package and not on the page.
    assert named == {path.stem for path in READING} | {"ledger"}
    for path in READING:
        for _, used in recorded_cells(path):
            for name in used:
                command = made_by(name).removeprefix("recorded by: ")
                assert f"`{command}`" in text


# Of these the pages tell what was timed, and infer nothing from it.
TIMED = {"benchmarks", "curves", "shards"}


def counts_of_runs(record):
    """The numbers of seeds or runs that a record names, at any depth."""
    if not isinstance(record, dict):
        return
    for key, value in record.items():
        if key == "seeds" and isinstance(value, list):
            yield len(value)
        elif key in ("seeds", "runs") and isinstance(value, int):
            yield value
        else:
            yield from counts_of_runs(value)


def test_what_the_book_infers_from_has_enough_runs():
    used = set().union(*(u for p in READING for _, u in recorded_cells(p)))
    assert used > TIMED
    for name in used - TIMED:
        counts = list(counts_of_runs(recorded(name)))
        assert counts and min(counts) >= 30, name


def test_the_time_of_grading_follows_from_its_record():
    record = recorded("grading")
    assert record["not_as_planned"] == 0 and record["isolated"]
    graded, seconds = record["submissions"], record["seconds"]
    each = seconds * record["workers"] / graded  # of a core
    page = (ROOT / "book" / "lecturers.md").read_text("utf-8")
    text = re.sub(r"(?<!\|)\n(?!\|)", " ", page)
    rows = re.findall(r"^\| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$", text, re.M)
    assert [int(row[0]) for row in rows] == [30, 100, 300]
    for submissions, *minutes in rows:
        for cores, said in zip((1, 2, 4), minutes):
            total = int(submissions) * each / cores / 60
            assert int(said) == math.ceil(total)
    assert f"graded {graded} submissions" in text
    assert f"and {each:.2f} seconds of a core for each" in text
    assert f"a load of {record['setting']['load']:.0f}, they took" in text
    assert f"took {math.ceil(seconds / 60)} minutes" in text
    assert f"{60 * graded / seconds:.0f} a minute" in text
    assert made_by("grading").removeprefix("recorded by: ") in text


def test_the_page_on_grading_tells_the_record_of_a_cluster():
    """Or no number of it, as long as nobody has recorded any."""
    from tests.benchmarks.cluster import told

    page = (ROOT / "book" / "lecturers.md").read_text("utf-8")
    try:
        record = recorded("cluster")
    except FileNotFoundError:
        assert "submissions a minute |" not in page
        return
    assert record["not_as_planned"] == 0 and record["isolated"]
    assert told(record) in page
    for who, seconds in record["seconds"].items():
        count = 60 * record["submissions"] / seconds
        assert math.isclose(record["a_minute"][who], count, rel_tol=1e-3)


def test_names_are_followed():
    known = {}
    source = 'a = recorded("one")\nfor k in "xy":\n    b = a["x"][k]'
    assert follow(source, known) == {"one"}
    assert follow("print(b)", known) == {"one"}
    assert follow("c = {row: 1 for row in b}", known) == {"one"}
    assert follow("print(c)", known) == {"one"}
    assert follow("b = 3\nprint(b)", known) == set()
    assert follow("print(f(2 * a['n']))", known) == {"one"}
