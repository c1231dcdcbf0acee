"""What a check returns: passed or not, and a text that helps."""

from dataclasses import dataclass


class NotYet(AssertionError):
    """Raised where an answer must be right and is not; says the report."""

    def _render_traceback_(self):
        """What a notebook shows: the report, and none of our lines."""
        return str(self).splitlines()


@dataclass(frozen=True)
class Report:
    """The outcome of one check.

    Attributes
    ----------
    task : str
        The task that was checked, such as "A1.pegasos".
    passed : bool
    mistake : str or None
        The name of the mistake that the answer has for certain, if any;
        two of them with " + " between.
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

    def require(self):
        """Print the report of a right answer, raise that of a wrong one.

        Raises
        ------
        NotYet
            With the report as its text, which is then shown once.

        Examples
        --------
        >>> Report("A1.predict", True, None, "All 2 trials agree.").require()
        A1.predict: passed
        All 2 trials agree.
        """
        if not self.passed:
            raise NotYet(str(self))
        print(self)
