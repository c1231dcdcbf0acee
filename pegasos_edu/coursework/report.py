"""What a check returns: passed or not, and a text that helps."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Report:
    """The outcome of one check.

    Attributes
    ----------
    task : str
        The task that was checked, such as "A1.pegasos".
    passed : bool
    mistake : str or None
        The name in the bug zoo of the mistake this looks like, if any.
    message : str
        What was seen, where, and what was expected.
    """

    task: str
    passed: bool
    mistake: str | None
    message: str

    def __str__(self):
        verdict = "passed" if self.passed else "not yet"
        return f"{self.task}: {verdict}\n{self.message}"
