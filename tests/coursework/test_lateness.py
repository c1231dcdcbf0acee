"""Lateness costs what the rules say, no more, and is said to the student."""

import csv
import time
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from pegasos_edu.grading import tables
from pegasos_edu.grading.handed_back import feedback, gradebooks, grades
from pegasos_edu.grading.handed_back.records import Graded
from pegasos_edu.grading.terms import lateness, rules
from pegasos_edu.grading.terms.roster import Student

DUE = datetime(2027, 4, 30, 23, 59)


def the_rules(**late):
    return {
        "late": {
            "percent_a_day": 10,
            "most_percent": 100,
            "grace_minutes": 0,
            "most_days": 5,
            **late,
        },
        "a1": {"title": "A1", "due": DUE.isoformat(" ", "minutes")},
        "a2": {"title": "A2", "due": ""},
    }


def result(student="ada", score=17.0, stretch=2.0):
    tasks = [
        {"task": "step", "score": score, "to_mark": 0.0, "out_of": 20.0},
        {"task": "stretch-a", "score": stretch, "to_mark": 0, "out_of": 4.0},
    ]
    return Graded(student, "a1", tasks)


def after(late, given_rules=None):
    """A result handed in so long after it was due."""
    times = {("a1", "ada"): DUE + late}
    return lateness.Lateness(given_rules or the_rules(), times).of(result())


@pytest.mark.parametrize(
    "late, days, remains, stretch",
    [
        (timedelta(days=-2), 0, 17, 2),
        (timedelta(0), 0, 17, 2),
        (timedelta(minutes=1), 1, 15, 1.6),
        (timedelta(days=1), 1, 15, 1.6),
        (timedelta(days=1, minutes=1), 2, 13, 1.2),
        (timedelta(days=5), 5, 7, 0),
        (timedelta(days=5, minutes=1), 6, 0, 0),
    ],
)
def test_each_day_begun_costs(late, days, remains, stretch):
    """10 % of 20 points are 2, of the stretch's 4 they are 0.4."""
    found = after(late)
    assert (found.days_late, found.after()) == (days, remains)
    assert found.stretch_after() == stretch
    assert found.taken_off() == 17 - remains
    assert found.total("score") == 17  # as it was


def test_a_due_minute_holds_to_its_end():
    """Who reads 23:59 hands in at 23:59:30."""
    assert after(timedelta(seconds=59)).days_late == 0
    assert after(timedelta(minutes=1)).days_late == 1
    known = the_rules()
    known["a1"]["due"] += ":30"  # who writes seconds means them
    assert after(timedelta(seconds=29), known).days_late == 0
    assert after(timedelta(seconds=31), known).days_late == 1
    due = DUE + timedelta(seconds=30)
    for seconds, days in ((0, 1), (1, 2)):  # a day later, to the second
        moment = due + timedelta(days=1, seconds=seconds)
        assert lateness.days_late(due, moment) == days


def test_minutes_of_grace_cost_nothing_and_move_no_day():
    mild = the_rules(grace_minutes=30)
    assert after(timedelta(minutes=30), mild).days_late == 0
    assert after(timedelta(minutes=31), mild).days_late == 1
    assert after(timedelta(days=1, minutes=31), mild).days_late == 2


def test_no_more_is_taken_than_the_rule_allows():
    mild = the_rules(most_percent=25)
    assert after(timedelta(days=2), mild).after() == 13
    assert after(timedelta(days=4), mild).after() == 12
    assert after(timedelta(days=9), mild).after() == 0  # not accepted


def test_no_score_is_below_nought():
    late = lateness.Lateness(the_rules(), {("a1", "ada"): 3})
    found = late.of(result(score=5.0))
    assert (found.after(), found.taken_off()) == (0, 5)


def test_points_have_four_digits():
    found = result(score=16.00006, stretch=1.00006)
    assert (found.after(), found.stretch_after()) == (16.0001, 1.0001)


def test_a_time_zone_counts():
    """22:30 in UTC is half past midnight in Berlin."""
    known = the_rules()
    known["a1"]["due"] = "2027-04-30 23:59+02:00"
    on_time = datetime.fromisoformat("2027-04-30T21:58:00+00:00")
    too_late = datetime.fromisoformat("2027-04-30T22:30:00+00:00")
    for moment, days in ((on_time, 0), (too_late, 1)):
        late = lateness.Lateness(known, {("a1", "ada"): moment})
        assert late.of(result()).days_late == days


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="not on Windows")
def test_a_moment_of_another_zone_is_told_by_the_clock_of_the_course(
    monkeypatch,
):
    """22:30 UTC is half past midnight in Berlin, after 23:59."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    try:
        late = datetime(2027, 4, 30, 22, 30, tzinfo=UTC)
        assert lateness.days_late(DUE, late) == 1
        assert lateness.days_late(DUE, late - timedelta(hours=1)) == 0
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="not on Windows")
@pytest.mark.parametrize("month, day", [(3, 27), (10, 30)])
def test_a_day_on_which_the_clocks_change_is_one_day(monkeypatch, month, day):
    """In 2027 Berlin changes them in the nights after these two."""
    monkeypatch.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
    time.tzset()
    try:
        due = datetime(2027, month, day, 23, 59)
        hours = (due + timedelta(days=1)).timestamp() - due.timestamp()
        assert hours == {3: 23 * 3600, 10: 25 * 3600}[month]
        for minutes, days in ((1, 1), (1440, 1), (1441, 2)):
            moment = due + timedelta(minutes=minutes)
            assert lateness.days_late(due, moment) == days
            assert lateness.days_late(due, moment.astimezone()) == days
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    "text",
    [
        "assignment,student,handed_in\na1,'=ada,2027-05-01 08:15\n",
        "\ufeffassignment;student;handed_in\na1;=ada;2027-05-01T08:15\n",
    ],
)
def test_times_are_read(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text, "utf-8")
    assert lateness.read_times(path) == {
        ("a1", "=ada"): datetime(2027, 5, 1, 8, 15)
    }


def test_days_do_instead_of_times(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(
        "assignment,student,days_late\na1,ada,2\na2,bob,1\na1,cyd,\na1,dan,0\n"
    )
    times = lateness.read_times(path)
    assert times == {("a1", "ada"): 2, ("a2", "bob"): 1, ("a1", "dan"): 0}
    late = lateness.Lateness(the_rules(), times)
    assert late.of(result()).after() == 13
    for on_time in ("cyd", "dan"):
        assert late.of(result(on_time)) == result(on_time)


@pytest.mark.parametrize(
    "text, said",
    [
        ("assignment,who,handed_in\n", "no column student"),
        ("assignment,student\n", "no column handed_in"),
        ("assignment,student,handed_in\na1,ada,soon\n", "line 2.*'soon'"),
        ("assignment,student,days_late\na1,ada,-1\n", "line 2.*'-1'"),
        ("days_late,assignment,student\n2,a1,\n", "line 2.*no student"),
        ("days_late,student,assignment\n2,ada,\n", "line 2.*no assignment"),
        ("days_late,assignment,student\n2,a1\n", "line 2.*as many columns"),
        ("assignment,student,days_late\na1,ada,1,5\n", "1,5, needs quotes"),
        ("assignment,student,days_late\na1, ,2\n", "line 2.*no student"),
        (
            "assignment,student,days_late\na1,ada,1\na1,ada,2\n",
            "line 3: ada handed in a1 at another time above",
        ),
    ],
)
def test_times_that_make_no_sense_are_refused(tmp_path, text, said):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(lateness.BadTimes, match=said):
        lateness.read_times(path)


def test_times_need_rules_and_dates():
    with pytest.raises(rules.BadRules, match="no rules"):
        lateness.Lateness({}, {("a1", "ada"): DUE})
    with pytest.raises(rules.BadRules, match="a2 has no due date"):
        lateness.Lateness(the_rules(), {("a2", "ada"): DUE})
    assert lateness.Lateness({}, {}).of(result()) == result()


def test_tables_have_the_points_before_and_after(tmp_path):
    found = after(timedelta(days=2))
    tables.write_tables([found, result("bob")], tmp_path)
    with open(tmp_path / "scores.csv", encoding="utf-8") as file:
        ada, bob = csv.DictReader(file)
    assert [ada[name] for name in ["score", *tables.LATE]] == [
        *("17", "2", "4", "13", "1.2")
    ]
    assert [bob[name] for name in ["score", *tables.LATE]] == [
        *("17", "", "0", "17", "2")
    ]


def test_platforms_get_the_points_after(tmp_path):
    line = dict.fromkeys(["Student", "ID", "Section"], "1")
    students = [Student("ada", {**line, "Email address": "a@b.c"})]
    gradebooks.write_gradebooks(
        [after(timedelta(days=2))], tmp_path, students, the_rules()
    )
    canvas, moodle = [
        list(csv.DictReader((tmp_path / name).read_text("utf-8").splitlines()))
        for name in ("canvas.csv", "moodle.csv")
    ]
    assert (canvas[0]["A1"], canvas[0]["A1 (stretch)"]) == ("20", "4")
    assert (canvas[1]["A1"], canvas[1]["A1 (stretch)"]) == ("13", "1.2")
    assert moodle[0]["A1"] == "13"
    assert moodle[0]["A1 (feedback)"].startswith(
        "2 days late: 20 % of 20 points are taken off, 4; 13 remain; step: 17"
    )


def test_a_student_is_told():
    page = feedback.page(after(timedelta(days=1)), {})
    assert "1 day late: 10 % of 20 points are taken off, 2; 15 remain." in page
    page = feedback.page(after(timedelta(days=9)), {})
    assert "9 days late: not accepted any more, so no points count." in page
    assert "late" not in feedback.page(result(), {})


BEGUN = {
    "percent_a_day": 10,
    "most_days": 5,
    "most_percent": 100,
    "grace_minutes": 0,
}


def with_a_rule(path, name, new):
    """The rules that a course begins with, but for one about lateness."""
    rules.read_or_begin(path)
    text, old = path.read_text("utf-8"), f"{name} = {BEGUN[name]}\n"
    assert text.count(old) == 1
    path.write_text(text.replace(old, f"{name} = {new}\n"), "utf-8")
    return path


@pytest.mark.parametrize(
    "name, value",
    [
        ("percent_a_day", -1),
        ("percent_a_day", 101),
        ("most_days", -1),
        ("most_percent", -1),
        ("most_percent", 101),
        ("most_percent", "'much'"),
        ("grace_minutes", -1),
        ("grace_minutes", "true"),
        ("grace_minutes", "inf"),
        ("grace_minutes", "nan"),
        ("percent_a_day", "true"),
        ("most_days", "true"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(tmp_path, name, value):
    path = with_a_rule(tmp_path / rules.NAME, name, value)
    with pytest.raises(rules.BadRules, match=r"\[late\] has"):
        rules.read_rules(path)


@pytest.mark.parametrize(
    "name, value",
    [
        ("percent_a_day", 0),
        ("percent_a_day", 100),
        ("most_days", 0),
        ("most_percent", 0),
        ("most_percent", 33.5),
    ],
)
def test_a_rule_at_the_end_of_its_range_is_one(tmp_path, name, value):
    path = with_a_rule(tmp_path / rules.NAME, name, value)
    assert rules.read_rules(path)["late"] == {**BEGUN, name: value}


def test_a_date_without_a_time_is_refused(tmp_path):
    """It would mean that all day long everybody is late."""
    path = tmp_path / rules.NAME
    rules.read_or_begin(path)
    text = path.read_text("utf-8").replace('due = ""', 'due = "2027-04-30"', 1)
    path.write_text(text, "utf-8")
    with pytest.raises(rules.BadRules, match="expected a date such as"):
        rules.read_rules(path)


def grades_in(folder):
    """The grades of a class that is graded into a folder."""
    options = SimpleNamespace(
        out=folder,
        marks=None,
        handed_in=None,
        solutions=folder,
        **dict.fromkeys(
            ["cell_seconds", "total_seconds", "memory", "isolation"]
        ),
    )
    return grades.Grades(options, ([], the_rules()))


def test_a_time_of_nobody_is_said(tmp_path, capsys):
    """Such as of a name that the grader spells otherwise."""
    (tmp_path / lateness.NAME).write_text(
        "assignment,student,days_late\na1,Ada,2\na1, ada,1\n"
    )
    kept = grades_in(tmp_path)
    kept.records.save(result(), "mark")
    kept.write()
    assert capsys.readouterr().out == (
        "handed_in.csv has times of what was not graded: Ada, a1.\n"
    )
    assert kept.lateness.of(result()).days_late == 1


def said_of_ada_and_bob(tmp_path, capsys, table):
    """What is printed with a table of times and a result of each."""
    (tmp_path / lateness.NAME).write_text(table)
    kept = grades_in(tmp_path)
    for student in ("ada", "bob"):
        kept.records.save(result(student), "mark")
    kept.write()
    return capsys.readouterr().out


@pytest.mark.parametrize(
    "column, moment, said",
    [
        ("handed_in", "2007-04-30 08:00", True),
        ("days_late", "2", False),  # it may name the late ones alone
    ],
)
def test_who_has_no_time_is_named(tmp_path, capsys, column, moment, said):
    table = f"assignment,student,{column}\na1,ada,{moment}\n"
    assert said_of_ada_and_bob(tmp_path, capsys, table) == (
        "handed_in.csv has no time of these, who count as on time: bob, a1.\n"
        if said
        else ""
    )


@pytest.mark.parametrize("zone", ["", "+00:00", "-03:30"])
def test_a_time_that_is_still_to_come_is_said(tmp_path, capsys, zone):
    """A year mistyped makes somebody years late, or another one on time."""
    table = (
        "assignment,student,handed_in\n"
        f"a1,ada,2007-04-30 08:15{zone}\na1,bob,9007-04-30 08:15{zone}\n"
    )
    assert said_of_ada_and_bob(tmp_path, capsys, table) == (
        "handed_in.csv has times that are still to come; are the year and "
        "the time zone right? bob, a1.\n"
    )


def test_rules_of_an_older_course_still_hold(tmp_path):
    path = tmp_path / rules.NAME
    rules.read_or_begin(path)
    text = path.read_text("utf-8")
    for line in ("grace_minutes = 0\n", "most_percent = 100\n"):
        assert line in text
        text = text.replace(line, "")
    path.write_text(text, "utf-8")
    late = rules.read_rules(path)["late"]
    assert (late["grace_minutes"], late["most_percent"]) == (0, 100)


def test_students_are_told_each_date_and_the_grace(tmp_path):
    path = tmp_path / "rules.toml"
    rules.read_or_begin(path)
    known = rules.read_rules(path)
    known["a2"]["due"] = "2027-05-01 08:00"
    known["late"]["grace_minutes"] = 5
    told = rules.of_students(known)
    assert told.count("| to be announced |") == 3
    assert f"| {known['a2']['title']} | 2027-05-01 08:00 |" in told
    assert "The first 5 minutes cost nothing." in told
    known["late"]["grace_minutes"] = 0
    assert "cost nothing" not in rules.of_students(known)
