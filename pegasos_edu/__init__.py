"""pegasos_edu: linear SVMs by Pegasos, small enough to read.

The package in the order in which one reads it. Each room needs only those
above it.

problem/      what is minimised: checks of input, data, losses, objective
solvers/      what the rungs of the ladder share: orders, steps,
              projections, run, signatures, solver; then Pegasos
              from ten_lines and a loop to compiled code, one rung a
              file: loop, dense, sparse, closed_form; dual, for one
              step of ascent; compiled; sdca, many of them; averaging
              over machines; its relatives; kernel, with counts in
              place of w; ascent, in rounds
certificate/  how far from the best: the duality gap, certified optima
estimator     PegasosClassifier, for those who only use it
distributed/  data that one machine does not hold: engine, readers, shards,
              rounds of Pegasos, gap, ascent
recorded/     results of runs too long for a page
theory/       why it works: each theorem as a statement one can check
experiments/  the commands that make the recorded results
page/         what notebooks need to show figures, tables, source code
live/         figures the reader moves, each a NAME.py and a NAME.js, on
              one toolkit
coursework/   what the student needs: tasks, checks, the bug zoo
grading/      what the lecturer needs: judge, release, grade
"""

from importlib import import_module
from typing import TYPE_CHECKING

from pegasos_edu.certificate.optimum import minimise, optimum
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.solvers.dense import pegasos
from pegasos_edu.solvers.orders import draw_order

if TYPE_CHECKING:
    from pegasos_edu.estimator import PegasosClassifier
    from pegasos_edu.live.pegasos import explore

    __version__: str

# Imported when first asked for: they bring large libraries with them.
LATER = {
    "PegasosClassifier": "pegasos_edu.estimator",
    "explore": "pegasos_edu.live.pegasos",
}

__all__ = [
    "PegasosClassifier",
    "draw_order",
    "explore",
    "minimise",
    "objective",
    "optimum",
    "pegasos",
    "subgradient",
]


def __getattr__(name):
    if name == "__version__":
        return import_module("importlib.metadata").version("pegasos-edu")
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(LATER[name]), name)


def __dir__():
    return [*__all__, "__version__"]
