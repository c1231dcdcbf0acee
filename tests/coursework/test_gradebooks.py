"""The roster is read or refused; what goes back is what came."""

import csv

import pytest

from pegasos_edu.grading import tables
from pegasos_edu.grading.handed_back import gradebooks
from pegasos_edu.grading.handed_back.records import Graded
from pegasos_edu.grading.terms import roster

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


@pytest.mark.parametrize(
    "due, points",
    [("2001-04-30 23:59", "0"), ("2999-04-30 23:59", ""), ("", "")],
)
def test_nothing_handed_in_is_worth_0_once_it_was_due(tmp_path, due, points):
    students = roster.read_roster(write(tmp_path / "in.csv", STUDENTS))
    results = [
        result("ada", "a2", 3.0),
        result("dee", "a2", 0.0, reason="a2.ipynb was not handed in"),
        result("dee", "a1", 3.0),
    ]
    rules = {**RULES, "a2": {"title": "A2", "due": due}}
    gradebooks.write_gradebooks(results, tmp_path, students, rules)
    for name, who in (("canvas.csv", 'D"ee, "D"'), ("moodle.csv", "@dee")):
        head, *rows = table(tmp_path / name)
        (hers,) = [row for row in rows if who in row]
        assert hers[head.index("A2")] == points, name


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
        "step: 17.5 of 20; question: not yet marked, 5 points",
        *("", ""),
    ]
    assert moodle[2][2].startswith("no cell is of this assignment; step: 0")
    assert moodle[3][:2] == ["@dee", "20"]


def test_moodle_calls_tasks_as_their_pages_do(tmp_path, students):
    def names_of(one):
        return {"step": f"Task 4 of {one.assignment}: step"}

    gradebooks.write_gradebooks(RESULTS, tmp_path, students, RULES, names_of)
    ada = table(tmp_path / "moodle.csv")[1]
    assert ada[2] == (
        "Task 4 of a1: step: 17.5 of 20; question: not yet marked, 5 points"
    )


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


# What the platforms export, and how they read what comes back


def read_by_canvas(path):
    """Students and their points, by the rules of Canvas's importer."""
    header, *lines = table(path)
    first = 2 if header[0] == "Student" else 3
    assert header[:first] in (
        ["Student", "ID"],
        ["LastName", "FirstName", "ID"],
    )
    login = None
    if header[first : first + 2] == ["SIS User ID", "SIS Login ID"]:
        login, first = first + 1, first + 2
        first += header[first] == "Integration ID"
        first += header[first] == "Root Account"
    elif header[first] == "SIS Login ID":
        login, first = first, first + 1
    assert header[first] == "Section"
    points = {}
    for line in lines:
        if "Points Possible" in line[0]:
            continue
        assert line[header.index("ID")] or (login and line[login])
        points[line[header.index("ID")]] = dict(
            zip(header[first + 1 :], line[first + 1 :])
        )
    return points


CANVAS_EXPORTS = {
    # Whom the role lets see no number of the school's.
    "a teacher's": (
        "Student,ID,SIS Login ID,Section,A1 (4711),Current Score\n"
        ",,,,Manual Posting,\n"
        "    Points Possible,,,,30.0,(read only)\n"
        '"Lovelace, Ada",11,ada,S1,,\n'
        '"Müller, Jörg",12,bob,S1 and S2,N/A,0.0\n'
    ),
    "an administrator's": (
        "Student,ID,SIS User ID,SIS Login ID,Integration ID,Root Account,"
        "Section,Notes,A1 (4711),Essays Current Score,Final Grade\n"
        "    Points Possible,,,,,,,,30.0,(read only),(read only)\n"
        '"Lovelace, Ada",11,u1,ada,,lms.example.org,S1,late,EX,,\n'
        '"Müller, Jörg",12,u2,bob,,lms.example.org,S1,,12.5,,F\n'
    ),
    "one with two names": (
        "LastName,FirstName,ID,SIS Login ID,Section,A1 (4711)\n"
        "    Points Possible,,,,,30.0\n"
        "Lovelace,Ada,11,ada,S1,\n"
        "Müller,Jörg,12,bob,S1,\n"
    ),
    "one without logins": (
        "Student,ID,Section,A1 (4711)\n"
        "    Points Possible,,,30.0\n"
        '"Lovelace, Ada",11,S1,\n'
        '"Müller, Jörg",12,S1,\n'
    ),
}


@pytest.mark.parametrize("export", CANVAS_EXPORTS)
def test_an_export_of_canvas_comes_back_as_canvas_reads_it(tmp_path, export):
    path = tmp_path / "export.csv"
    path.write_text(CANVAS_EXPORTS[export], "utf-8")
    by = "SIS Login ID" if "SIS Login" in CANVAS_EXPORTS[export] else "ID"
    known = roster.read_roster(path, by)
    names = ["ada", "bob"] if by != "ID" else ["11", "12"]
    assert [one.id for one in known] == names
    results = [result(name, "a1", 4.0 + n) for n, name in enumerate(names)]
    titles = {"a1": {"title": "A1 (4711)"}}
    written = gradebooks.write_gradebooks(results, tmp_path, known, titles)
    assert written == ["canvas.csv"]
    assert read_by_canvas(tmp_path / "canvas.csv") == {
        "11": {"A1 (4711)": "4"},
        "12": {"A1 (4711)": "5"},
    }


MOODLE_EXPORT = (
    '"First name",Surname,"ID number",Institution,Department,"Email address",'
    '"Assignment: Sheet 1 (Real)","Course total (Real)",'
    '"Last downloaded from this course"\n'
    "Ada,Lovelace,7,,,ada@example.org,-,-,1790000000\n"
    "Jörg,Müller,,,,j@example.org,12.00,12.00,1790000000\n"
)


def read_by_moodle(path, column):
    """Students and their points, by the rules of Moodle's importer."""
    header, *lines = table(path)
    assert all(len(line) == len(header) for line in lines)
    assert "Last downloaded from this course" not in header
    points, user = {}, None
    for line in lines:
        user = line[header.index(column)] or user
        points[user] = float(line[header.index("Sheet 1")])
    return points


def test_an_export_of_moodle_comes_back_as_moodle_reads_it(tmp_path):
    """A column that is empty for someone would give his points to another."""
    path = tmp_path / "export.csv"
    path.write_text(MOODLE_EXPORT, "utf-8")
    known = roster.read_roster(path, "Email address")
    results = [result(one.id, "a1", 4.0 + n) for n, one in enumerate(known)]
    titles = {"a1": {"title": "Sheet 1"}}
    written = gradebooks.write_gradebooks(results, tmp_path, known, titles)
    assert written == ["moodle.csv"]
    assert "ID number" not in table(tmp_path / "moodle.csv")[0]
    assert read_by_moodle(tmp_path / "moodle.csv", "Email address") == {
        "ada@example.org": 4.0,
        "j@example.org": 5.0,
    }


def test_no_table_for_moodle_where_no_column_names_everybody(tmp_path):
    known = [
        roster.Student("ada", {"ID number": "7", "Email address": ""}),
        roster.Student("bob", {"ID number": "", "Email address": "b@b.org"}),
    ]
    assert gradebooks.write_gradebooks(RESULTS, tmp_path, known, RULES) == []
