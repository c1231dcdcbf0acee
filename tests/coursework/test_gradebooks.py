"""The roster is read or refused; what goes back is what came."""

import csv

import pytest

from pegasos_edu.grading import gradebooks, roster, tables
from pegasos_edu.grading.records import Graded

HEADER = "id,Student,ID,SIS User ID,SIS Login ID,Section,Email address\n"
# Names that a careless program breaks.
STUDENTS = [
    ["ada", "Lovelace, Ada", "1", "u1", "ada", "S1", "ada@example.org"],
    ["bob", "Müller, Jörg", "2", "u2", "bob", "S1", "j@example.org"],
    ["cyd", "=Cyd", "3", "u3", "cyd", "S;2", "cyd@example.org"],
    ["dee", 'D"ee, "D"', "4", "007", "+dee", "S1", "@dee"],
    ["eve", "Ève", "5", "u5", "eve", "S1", "eve@example.org"],
]
RULES = {"a1": {"title": "Sheet 1, solver"}, "a2": {"title": "A2 (4711)"}}


def write(path, lines, delimiter=",", encoding="utf-8"):
    with open(path, "w", encoding=encoding, newline="") as file:
        file.write(HEADER.replace(",", delimiter))
        csv.writer(file, delimiter=delimiter).writerows(lines)
    return path


@pytest.fixture
def students(tmp_path):
    return roster.read_roster(write(tmp_path / "in.csv", STUDENTS))


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("delimiter", ",;")
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_a_roster_is_read_as_it_is(tmp_path, delimiter, encoding):
    path = write(tmp_path / "in.csv", STUDENTS, delimiter, encoding)
    read = roster.read_roster(path)
    assert [list(one.line.values()) for one in read] == STUDENTS
    assert [one.id for one in read] == ["ada", "bob", "cyd", "dee", "eve"]


def test_a_kept_roster_is_the_same(tmp_path, students):
    roster.write_roster(tmp_path / "kept.csv", students)
    kept = roster.kept_roster(tmp_path / "kept.csv")
    assert [one.id for one in kept] == [one.id for one in students]
    for one, other in zip(kept, students):
        assert {**one.line, roster.FOLDER: ""} == {
            **other.line,
            roster.FOLDER: "",
        }


def test_an_export_of_canvas_is_a_roster(tmp_path):
    """Its line of possible points is no student."""
    path = tmp_path / "export.csv"
    path.write_text(
        "Student,ID,SIS User ID,SIS Login ID,Section,A1\n"
        "    Points Possible,,,,,30\n"
        '"Lovelace, Ada",1,u1,ada,S1,\n',
        "utf-8",
    )
    read = roster.read_roster(path, "SIS Login ID")
    assert [one.id for one in read] == ["ada"]


@pytest.mark.parametrize(
    "text, said",
    [
        ("id\nada\nbob\nada\n", "line 4: the id 'ada' stands in line 2, too"),
        ("id\nada\nADA\n", "line 3: the id 'ADA' stands in line 2, too"),
        ("id,Student\nada,A\n,B\n", "line 3: the id is missing"),
        ("id,Student\n  ,B\n", "line 2: the id is missing"),
        ("name\nada\n", "no column 'id'; .* there is name"),
        ("", "no column 'id'; .* no column at all"),
        ("id\n", "lists nobody"),
        ("id\n../eve\n", "the id is '../eve'; .* name of a folder"),
        ("id\n.ssh\n", "the id is '.ssh'"),
        ("id\na/b\n", "the id is 'a/b'"),
        ("id,Student\nada,A,more\n", "line 2: there are 3 cells; expected 2"),
        ("id,Student\nada\n", "line 2: there are 1 cells; expected 2"),
    ],
)
def test_a_roster_that_makes_no_sense_is_refused(tmp_path, text, said):
    path = tmp_path / "in.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(roster.BadRoster, match=said) as caught:
        roster.read_roster(path)
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize("raw", [None, b"id\n\xff\xfe\n"])
def test_a_roster_that_cannot_be_read_is_refused(tmp_path, raw):
    path = tmp_path / "in.csv"
    if raw is not None:
        path.write_bytes(raw)
    with pytest.raises(roster.BadRoster, match="cannot be read"):
        roster.read_roster(path)


def result(student, assignment, score, to_mark=0.0, reason=""):
    tasks = [
        {"task": "step", "score": score, "to_mark": 0.0, "out_of": 20.0},
        {"task": "question", "score": 0.0, "to_mark": to_mark, "out_of": 5.0},
    ]
    return Graded(student, assignment, tasks, reason)


RESULTS = [
    result("ada", "a1", 17.5, to_mark=5.0),
    result("cyd", "a1", 0.0, reason="no cell is of this assignment"),
    result("dee", "a1", 20.0),
    result("dee", "a2", 3.0),
    result("who", "a1", 9.0),  # handed in, but is not in the roster
]


def written(tmp_path, students):
    names = gradebooks.write_gradebooks(RESULTS, tmp_path, students, RULES)
    assert names == ["canvas.csv", "moodle.csv"]
    return [table(tmp_path / name) for name in names]


def test_canvas_finds_its_columns_and_students(tmp_path, students):
    """By the rules of its importer: five columns, then assignments."""
    canvas, _ = written(tmp_path, students)
    header, possible, *lines = canvas
    assert "Student" in header[0] and "ID" in header[1]
    assert header[2:5] == ["SIS User ID", "SIS Login ID", "Section"]
    assert header[5:] == ["Sheet 1, solver", "A2 (4711)"]
    assert "Points Possible" in possible[0] and possible[5:] == ["25", "25"]
    assert [one[:5] for one in lines] == [
        STUDENTS[place][1:6] for place in (0, 2, 3)
    ]
    assert [one[5:] for one in lines] == [
        ["17.5", ""],
        ["0", ""],
        ["20", "3"],
    ]


def test_moodle_gets_points_and_feedback(tmp_path, students):
    _, moodle = written(tmp_path, students)
    assert moodle[0] == [
        *("Email address", "Sheet 1, solver", "Sheet 1, solver (feedback)"),
        *("A2 (4711)", "A2 (4711) (feedback)"),
    ]
    assert moodle[1] == [
        *("ada@example.org", "17.5"),
        "step: 17.5 of 20; question: 0 of 5, not yet marked",
        *("", ""),
    ]
    assert moodle[2][2].startswith("no cell is of this assignment; step: 0")
    assert moodle[3][:2] == ["@dee", "20"]


def test_a_table_is_left_out_where_the_roster_lacks_its_columns(tmp_path):
    some = [roster.Student("ada", {"id": "ada", "ID number": "7"})]
    names = gradebooks.write_gradebooks(RESULTS, tmp_path, some, RULES)
    assert names == ["moodle.csv"]
    assert table(tmp_path / "moodle.csv")[1][:2] == ["7", "17.5"]
    assert not (tmp_path / "canvas.csv").exists()


def test_without_a_roster_there_is_no_gradebook(tmp_path):
    assert gradebooks.read_course(tmp_path) == ([], {})
    assert gradebooks.write_gradebooks(RESULTS, tmp_path, [], {}) == []
    assert list(tmp_path.iterdir()) == []


def test_the_other_tables_still_guard_against_formulas(tmp_path):
    tables.write_table(tmp_path / "t.csv", ["name"], [{"name": "=1+1"}])
    assert table(tmp_path / "t.csv") == [["name"], ["'=1+1"]]
    assert tables.read_table(tmp_path / "t.csv") == [{"name": "=1+1"}]
