"""From the steps of a solver to the function that is called.

A solver is written as a function of one `run`, which holds the checked
arguments and keeps the iterates. What it is called with, what that means
and how it is refused is the same for all solvers and said once, in
`prepare`.
"""

import functools
import inspect
from collections.abc import Callable
from typing import TypeVar, overload

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.problem.calls import bind
from pegasos_edu.solvers.run import Result, Run, prepare
from pegasos_edu.solvers.signatures import Solver, Step

PARAMETERS = "Parameters\n----------\n"

Called = TypeVar("Called")


@overload
def solver(
    sparse: bool = True, step: Step | None = None
) -> Callable[[Callable[[Run], Result]], Solver]: ...
@overload
def solver(
    sparse: bool = True, step: Step | None = None, *, called: type[Called]
) -> Callable[[Callable[..., Result]], Called]: ...


def solver(sparse=True, step=None, called=Solver):
    """Make a solver of `steps(run)`, the function in which its steps stand.

    The solver takes the arguments of `prepare` and those that `steps` has
    beside the run. They are checked before any step is made. Its help text
    is that of `steps`, with what all solvers share put in.

    Parameters
    ----------
    sparse : bool
        Whether X may be a sparse matrix.
    step : callable, optional
        The step size rule where none is given; None stands for 1/(λt).
    called : type
        For a type checker: the arguments, where `steps` has own ones.

    Examples
    --------
    >>> import numpy as np
    >>> @solver()
    ... def lazy(run):
    ...     run.record(run.T, np.zeros(run.d), np.zeros(run.d))
    ...     return run.result()
    >>> lazy([[1.0], [2.0]], [1, -1], lam=0.5, T=3, seed=0).last
    array([0.])
    """

    def decorate(steps):
        name = f"{steps.__module__.rpartition('.')[2]}.{steps.__name__}"
        shared = dict(inspect.signature(prepare).parameters)
        shared["step"] = shared["step"].replace(default=step)
        _, *own = inspect.signature(steps).parameters.values()
        own = [each.replace(kind=each.KEYWORD_ONLY) for each in own]
        signature = inspect.Signature([*shared.values(), *own])

        @functools.wraps(steps)
        def solve(*arguments, **options):
            options = bind(name, signature, arguments, options)
            if not sparse:
                checks.check_dense(options["X"], name)
            options_of_steps = {
                each.name: options.pop(each.name) for each in own
            }
            run = prepare(**options)
            # What overflows is refused by the run, in a sentence.
            with np.errstate(over="ignore", invalid="ignore"):
                return steps(run, **options_of_steps)

        solve.__signature__ = signature  # type: ignore[attr-defined]
        solve.__doc__ = whole_text(inspect.getdoc(steps), sparse, step)
        return solve

    return decorate


# Of no use where X may not be sparse.
MAPPED_ROWS = "    So is a CSR matrix whose arrays are memory maps.\n"


def whole_text(text, sparse, step):
    """A solver's help text with what all solvers share put in."""
    text, notes, rest = (text or "").partition("Notes\n-----\n")
    if not notes:
        text, notes, rest = text.partition("Examples\n--------\n")
    summary, _, own = text.partition(PARAMETERS)
    # Without docstrings, as after `python -OO`, all of them are empty.
    _, _, shared = (inspect.getdoc(prepare) or "").partition(PARAMETERS)
    shared, _, results = shared.partition("\nReturns\n")
    if not sparse:
        shared = shared.replace("array_like or sparse matrix", "array_like")
        shared = shared.replace(MAPPED_ROWS, "")
    if step is not None:
        own_step = f"By default {step}; None stands for 1/(λt)."
        shared = shared.replace("By default η_t = 1/(λt).", own_step)
    return (
        f"{summary}{PARAMETERS}{shared}{own}".rstrip()
        + f"\n\nReturns\n{results}\n\n{notes}{rest}"
    )
