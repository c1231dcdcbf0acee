"""What a line of the ledger is: a claim, its source, and a check of it."""

from collections.abc import Callable
from dataclasses import dataclass, field

from pegasos_edu.theory.bounds import ROWS
from pegasos_edu.theory.compare import Comparison, Coverage

# The sources, and hypotheses that several statements share.
CHOR, ZHOU = "Chor (2020)", "Zhou"
NOTE, HANDOUT, BLOG = "Chinese note", "Johansson", "Analytics blog (2013)"
BALL = r"$\lVert x \rVert \le R$"
DRAWS = r"examples drawn independently; " + BALL


@dataclass(frozen=True)
class Statement:
    """One line of the ledger.

    Attributes
    ----------
    number : int
    claim, source, hypotheses : str
        In Markdown, formulas between dollar signs.
    status : str
        One of "holds", "holds, corrected", "measured", "holds in part".
    chapter : str
        The page that explains it.
    check : callable
        () -> list of the results of `compare`.
    false : dict of str to callable
        False versions of what has no formula, each with its check.

    Notes
    -----
    A statement with a formula takes it from `bounds.ROWS`: what is shown,
    what is checked and what is made false come from that one object.
    """

    number: int
    claim: str
    source: str
    hypotheses: str
    status: str
    chapter: str
    check: Callable
    false: dict = field(default_factory=dict)

    @property
    def bounds(self):
        """The formulas of this statement, with their cases."""
        return ROWS.get(self.number, ())

    @property
    def formula(self):
        """All formulas in Markdown; empty for a statement without one."""
        return "; ".join(f"${bound.latex}$" for bound in self.bounds)

    def results(self):
        """The results of the check and of all cases of the formulas."""
        found = list(self.check())
        return found + [r for bound in self.bounds for r in bound.check()]

    def rejected(self):
        """The false versions that a check refutes, in Markdown."""
        return self._judged(rejected=True)

    def survivors(self):
        """The false versions that no check refutes, in Markdown."""
        return self._judged(rejected=False)

    def survivors_in_words(self):
        """Those of them that are not versions of a formula."""
        return self._false_checks(rejected=False)

    def weakest(self):
        """Of the listed versions the nearest one rejected, one a formula."""
        shown = [bound.false[bound.weakest()] for bound in self.bounds]
        return shown + self._false_checks(rejected=True)

    def least_factors(self):
        """The smallest factor that each formula bears, see `Bound`."""
        return [bound.least_factor() for bound in self.bounds]

    def _judged(self, rejected):
        formulas = [
            bound.false[text]
            for bound in self.bounds
            for text in (bound.rejected() if rejected else bound.survivors())
        ]
        return formulas + self._false_checks(rejected)

    def _false_checks(self, rejected):
        return [
            name
            for name, check in self.false.items()
            if any(result.refuted for result in check()) is rejected
        ]


def tightness(results):
    """The largest truth/bound of the comparisons; None without any.

    Examples
    --------
    >>> tightness([Comparison(1.0, 4.0), Coverage(0, 1000, 0.1)])
    0.25
    """
    ratios = [r.ratio for r in results if isinstance(r, Comparison)]
    return max(ratios) if ratios else None


def coverage(results):
    """The count with the largest upper limit against its promise, or None.

    Of failures of the statement itself, not of a step of its proof.

    Examples
    --------
    >>> step = Coverage(60, 1000, 0.1, own=False)
    >>> coverage([Comparison(1.0, 4.0), Coverage(0, 1000, 0.1), step])
    Coverage(failures=0, runs=1000, promised=0.1, own=True)
    """
    counts = [r for r in results if isinstance(r, Coverage) and r.own]
    return max(counts, key=lambda r: r.upper / r.promised, default=None)
