"""What lateness costs: the rule of the course, and when things came.

A file's own time proves nothing. When something was handed in is read from a
table that the lecturer fills from the platform; the rule and the due dates
stand in the course's rules. Points are taken off where they are written, and
never in what is kept: another rule needs no grading anew.
"""

import math
from dataclasses import replace
from datetime import datetime, timedelta

from pegasos_edu.grading.tables import as_it_was, open_table
from pegasos_edu.grading.terms.rules import BadRules

NAME = "handed_in.csv"
WHEN, DAYS = "handed_in", "days_late"
COLUMNS = ["assignment", "student", WHEN]


class BadTimes(Exception):
    """What is wrong with a table of times, in one sentence."""


def days_late(due, handed_in, grace_minutes=0):
    """The days late, begun ones count; 0 within the grace.

    Parameters
    ----------
    due, handed_in : datetime
        Without a time zone it is this machine's. A day late ends at the
        same time of the day, be it the day on which the clocks change. A due
        time of whole minutes holds to the end of its minute.
    grace_minutes : float

    Returns
    -------
    int

    Examples
    --------
    >>> due = datetime(2027, 4, 30, 23, 59)
    >>> days_late(due, due + timedelta(seconds=59))
    0
    >>> [days_late(due, due + timedelta(minutes=m), 15)
    ...  for m in (0, 15, 16, 1440, 1441)]
    [0, 0, 1, 1, 2]
    """
    if not due.second:
        due += timedelta(minutes=1, microseconds=-1)
    if due.tzinfo:
        handed_in = handed_in.astimezone(due.tzinfo)
    elif handed_in.tzinfo:
        handed_in = handed_in.astimezone().replace(tzinfo=None)
    late = handed_in - due
    if late <= timedelta(minutes=grace_minutes):
        return 0
    return math.ceil(late / timedelta(days=1))


def share(days, late):
    """The share of an assignment's points that some days late cost.

    Parameters
    ----------
    days : int
    late : dict
        As [late] in the rules.

    Returns
    -------
    float
        1 if it is not accepted any more.

    Examples
    --------
    >>> late = {"percent_a_day": 10, "most_days": 5, "most_percent": 30}
    >>> [share(days, late) for days in (0, 1, 2, 4, 5, 6)]
    [0.0, 0.1, 0.2, 0.3, 0.3, 1.0]
    """
    if days > late["most_days"]:
        return 1.0
    percent = min(days * late["percent_a_day"], late.get("most_percent", 100))
    return min(percent, 100) / 100


def read_times(path):
    """When each student handed in what.

    Parameters
    ----------
    path : path
        A table with the columns assignment, student, and handed_in (such as
        2027-05-01 08:15) or days_late; comma or semicolon.

    Returns
    -------
    dict
        (assignment, student) -> datetime, or int for days.

    Raises
    ------
    BadTimes
    """
    table = open_table(path, BadTimes)
    names = table.fieldnames or []
    missing = [name for name in COLUMNS[:2] if name not in names]
    if missing or not {WHEN, DAYS} & set(names):
        raise BadTimes(
            f"{path} has no column {(missing or [WHEN])[0]}; expected "
            f"{', '.join(COLUMNS)}, or {DAYS} instead of the last."
        )
    found = {}
    for line in table:
        moment = read_moment(line, f"{path}, line {table.line_num}")
        if moment is None:
            continue
        assignment, student = (line[name] or "" for name in COLUMNS[:2])
        key = assignment.strip(), as_it_was(student.strip())
        if not all(key):
            raise BadTimes(
                f"{path}, line {table.line_num}: it names no "
                f"{COLUMNS[key.index('')]}; expected {', '.join(COLUMNS)}."
            )
        if found.setdefault(key, moment) != moment:
            raise BadTimes(
                f"{path}, line {table.line_num}: {key[1]} handed in {key[0]} "
                f"at another time above; expected one line."
            )
    return found


def read_moment(line, place):
    """The time or the days in a line; None if it has neither."""
    when, days = (line.get(name) or "" for name in (WHEN, DAYS))
    try:
        if days.strip():
            number = int(days)
            if number < 0:
                raise ValueError
            return number
        return datetime.fromisoformat(when.strip()) if when.strip() else None
    except ValueError:
        raise BadTimes(
            f"{place}: there is {(days or when)!r}; expected a date such as "
            f"2027-05-01 08:15, or a number of days."
        ) from None


class Lateness:
    """Takes off what the rules say.

    Parameters
    ----------
    rules : dict
        As `rules.read_rules` returns them; may be empty if no times are
        given.
    times : dict
        As `read_times` returns them.

    Raises
    ------
    BadRules
        If a time is given for an assignment that has no due date.
    """

    def __init__(self, rules, times):
        self.rules, self.times = rules, times
        if times and "late" not in rules:
            raise BadRules(
                "There are times of handing in but no rules; expected "
                "rules.toml beside the solutions, or another after --rules."
            )
        for (assignment, _), moment in times.items():
            due = rules.get(assignment, {}).get("due", "")
            if not due and not isinstance(moment, int):
                raise BadRules(
                    f"{assignment} has no due date in the rules; expected "
                    f"one, as there are times of handing in."
                )

    def days(self, assignment, student):
        """The days late; None if no time is known."""
        moment = self.times.get((assignment, student))
        if moment is None or isinstance(moment, int):
            return moment
        due = datetime.fromisoformat(self.rules[assignment]["due"])
        grace = self.rules["late"].get("grace_minutes", 0)
        return days_late(due, moment, grace)

    def without_a_time(self, known):
        """Those of an assignment whose table has times, but not theirs.

        A table of days may name the late ones alone.

        Parameters
        ----------
        known : set of tuple
            (assignment, student) of all that was graded.

        Returns
        -------
        set of tuple
        """
        timed = {
            assignment
            for (assignment, _), moment in self.times.items()
            if not isinstance(moment, int)
        }
        return {
            key for key in known if key[0] in timed and key not in self.times
        }

    def still_to_come(self, now):
        """Whose time of handing in is later than now, so that it is wrong.

        Parameters
        ----------
        now : datetime
            With a time zone.

        Returns
        -------
        set of tuple
            (assignment, student).
        """
        return {
            key
            for key, moment in self.times.items()
            if not isinstance(moment, int) and moment.astimezone() > now
        }

    def of(self, result):
        """A result with what its lateness costs.

        Parameters
        ----------
        result : Graded

        Returns
        -------
        Graded
        """
        days = self.days(result.assignment, result.student)
        if not days:
            return result
        late = self.rules["late"]
        return replace(result, days_late=days, late_share=share(days, late))


def sentence(result):
    """What is said of it to the student; "" if nothing was taken off."""
    if not result.days_late:
        return ""
    days = f"{result.days_late} day{'s' * (result.days_late > 1)} late"
    if result.late_share >= 1:
        return f"{days}: not accepted any more, so no points count"
    return (
        f"{days}: {100 * result.late_share:g} % of {result.total('out_of'):g} "
        f"points are taken off, {result.taken_off():g}; "
        f"{result.after():g} remain"
    )
