"""The ledger: every statement of the sources, with a check that is run.

A file for each source holds its statements and their checks: `handout`,
`chor`, `chor_runs`, `note` and `zhou`; `ours` holds what this book adds. A
check takes no argument and returns a list of results (see `compare`), on
small data, worst cases among them. What needs long runs reads the recorded
experiment instead.
"""

from pegasos_edu.theory.ledger import (
    chor,
    chor_runs,
    handout,
    note,
    ours,
    zhou,
)
from pegasos_edu.theory.ledger.data import (
    cases,
    comparators,
    data_sets,
    fair_coin,
)
from pegasos_edu.theory.ledger.statement import (
    Statement,
    coverage,
    tightness,
)

__all__ = [
    "LEDGER",
    "Statement",
    "cases",
    "comparators",
    "coverage",
    "data_sets",
    "fair_coin",
    "tightness",
]

LEDGER = sorted(
    [
        statement
        for source in (handout, chor, chor_runs, note, zhou, ours)
        for statement in source.STATEMENTS
    ],
    key=lambda statement: statement.number,
)
