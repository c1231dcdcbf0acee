"""The rules of a course: dates, lateness, working together, assistants.

They stand in a file that the lecturer edits, rules.toml. The marking guide
and the page for students are made from it.
"""

import tomllib
from datetime import datetime
from pathlib import Path

NAME = "rules.toml"
ASSIGNMENTS = ("a1", "a2", "a3", "a4")
LONGEST_GRACE = 7 * 24 * 60  # minutes; more is another due date

BEGINNING = '''\
# The rules of your course. Edit them, then give the same command again: it
# makes marking.md and the students' rules.md anew, and leaves this file alone.

[late]
# What each day begun after the due date costs, in percent of the points that
# the assignment is worth, and at most; so many minutes cost nothing; after so
# many days nothing is accepted.
percent_a_day = 10
most_percent = 100
grace_minutes = 0
most_days = 5

[policy]
working_together = """
Talk about the questions with whom you like. Write code and answers yourself,
and name those you talked to at the end of the notebook."""
assistants = """
A program that writes code or text for you counts as a person who helps: you
may ask it for explanations, you hand in nothing that it wrote, and you name it
at the end of the notebook. Be ready to explain any line of yours in person."""

# The title is what the assignment is called in your learning platform; the
# tables that go back there use it. A date is written as 2027-04-30 23:59, and
# means the end of that minute; "" means that there is none yet.
'''
OF_EACH = """
[{name}]
title = "{title}"
due = ""
"""


class BadRules(Exception):
    """What is wrong with the rules, in one sentence."""


def read_or_begin(path):
    """The rules in a file, which is begun if it is not there.

    Parameters
    ----------
    path : path

    Returns
    -------
    dict
        late, policy, and title and due of each assignment.

    Raises
    ------
    BadRules
        If a field is missing or is not what it should be.
    """
    path = Path(path)
    if not path.exists():
        each = (
            OF_EACH.format(name=name, title=name.upper())
            for name in ASSIGNMENTS
        )
        path.write_text(BEGINNING + "".join(each), "utf-8")
    return read_rules(path)


def read_rules(path):
    """The rules in a file; see `read_or_begin`."""
    try:
        rules = tomllib.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise BadRules(f"{path} cannot be read: {error}.") from None
    wanted = {
        ("late", "percent_a_day"): (int, float),
        ("late", "most_days"): int,
        ("policy", "working_together"): str,
        ("policy", "assistants"): str,
    }
    for name in ASSIGNMENTS:
        wanted |= {(name, "title"): str, (name, "due"): str}
    for (part, field), kind in wanted.items():
        value = rules.get(part, {}).get(field)
        if not isinstance(value, kind):
            raise BadRules(
                f"{path}: {field} in [{part}] is {value!r}; expected "
                f"{'a text' if kind is str else 'a number'}."
            )
        if field == "due" and value:
            check_date(path, part, value)
    # Rules of an older course lack these two.
    late = rules["late"] = {
        "most_percent": 100,
        "grace_minutes": 0,
        **rules["late"],
    }
    if (
        any(type(one) not in (int, float) for one in late.values())
        or not 0 <= late["percent_a_day"] <= 100
        or not 0 <= late["most_percent"] <= 100
        or late["most_days"] < 0
        or not 0 <= late["grace_minutes"] <= LONGEST_GRACE
    ):
        raise BadRules(
            f"{path}: [late] has {late}; expected a percent_a_day and a "
            f"most_percent from 0 to 100, most_days of at least 0, and "
            f"grace_minutes from 0 to {LONGEST_GRACE}."
        )
    return rules


def check_date(path, part, text):
    """Refuse what is no date with a time of the day.

    A date alone would mean its first minute.

    Raises
    ------
    BadRules
    """
    try:
        datetime.fromisoformat(text)
        if ":" not in text:
            raise ValueError
    except ValueError:
        raise BadRules(
            f"{path}: due in [{part}] is {text!r}; expected a date such as "
            f"2027-04-30 23:59."
        ) from None


def late_table(late):
    """What is left of the points, by days late, as Markdown.

    Parameters
    ----------
    late : dict
        percent_a_day and most_days.

    Returns
    -------
    str

    Examples
    --------
    >>> print(late_table({"percent_a_day": 60, "most_days": 2}))
    | days late, begun ones count | taken off |
    |---|---|
    | 1 | 60 % of the points it is worth |
    | 2 | 100 % of the points it is worth |
    | more | not accepted |
    """
    lines = ["| days late, begun ones count | taken off |", "|---|---|"]
    most = late.get("most_percent", 100)
    for days in range(1, late["most_days"] + 1):
        percent = min(most, 100, days * late["percent_a_day"])
        lines.append(f"| {days} | {percent:g} % of the points it is worth |")
    return "\n".join([*lines, "| more | not accepted |"])


def grace(late):
    """What students are told of the minutes that cost nothing."""
    minutes = late.get("grace_minutes", 0)
    return f"The first {minutes:g} minutes cost nothing.\n\n" * (minutes > 0)


def dates(rules):
    """The due dates, as Markdown."""
    lines = ["| assignment | due |", "|---|---|"]
    for name in ASSIGNMENTS:
        due = rules[name]["due"] or "to be announced"
        lines.append(f"| {rules[name]['title']} | {due} |")
    return "\n".join(lines)


def write_for_students(path, rules):
    """Write the page that students get.

    Parameters
    ----------
    path : path
    rules : dict
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"# Rules\n\n{of_students(rules)}", "utf-8")


def of_students(rules):
    """All that students are told, as Markdown."""
    policy = rules["policy"]
    return (
        f"## Dates\n\n{dates(rules)}\n\n"
        f"What counts is when the learning platform got the file.\n\n"
        f"{late_table(rules['late'])}\n\n{grace(rules['late'])}"
        f"## Working together\n\n{policy['working_together'].strip()}\n\n"
        f"## Assistants\n\n{policy['assistants'].strip()}\n"
    )
