"""Assignment 3: the scale trick on sparse rows."""

import os
import sys
import time
from functools import lru_cache

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.asked import solve
from pegasos_edu.coursework.cases import SPARSE_PARTS, sparse_cases
from pegasos_edu.coursework.task import judge_solver, task
from pegasos_edu.coursework.trial import as_numbers, call
from pegasos_edu.solvers.orders import draw_order

# The numbers of columns d compared. A pass over the largest takes several
# times as long as a step that touches five entries.
SMALL, MIDDLE, LARGE = 1_000, 20_000, 1_500_000
VISITED = 300_000  # columns that are all in use before a step is timed
# Seconds more than at the smallest d that a step takes in the middle, if
# it loops over all entries.
SLOW = 0.001
# A clock may tick only every 0.01 s, and other work may cost some ticks. So
# runs get longer until the largest d costs ENOUGH seconds more, or until it
# would have cost LONG seconds more with one pass a step.
ENOUGH, LONG = 0.1, 0.25
SURELY = 5.0  # passes that no other work explains
CERTAIN = 0.5  # seconds more than no other work explains
SEVERAL = 3.0  # times what the same steps take at the smallest d
CLEAR = 0.5  # seconds by which two long runs differ, if it is beyond doubt
DAWDLES = 100  # passes; in a run of one step that is longer, many could hide
READS = 600  # passes that it may take if rows with all columns come first
RUNS = 1  # of which the shortest counts
TRIALS = 4  # of which the one with the fewest passes counts
AGREE = 2  # of these are enough if each is beyond doubt
LONGER = 6  # times as long as these is a run if none of them is beyond doubt
NEAR = 2.0  # passes that two long runs may have from a right answer
AT_LAST = 3  # times these are run before an answer so near is refused
try:
    import resource

    OF_A_THREAD = getattr(resource, "RUSAGE_THREAD", None)  # Linux has it
except ModuleNotFoundError:  # Windows
    OF_A_THREAD = None
IN_BROWSER = sys.platform == "emscripten"
if IN_BROWSER:
    # Its only clock goes on while others work, which explains any time, but
    # not in all trials.
    SURELY, AGREE, RUNS = 0.5, TRIALS, AT_LAST


# In the message, where it is not all d of them.
VISITED_BEFORE = "the columns of all rows visited before"
OLD = 40  # rows at right angles, each visited once
KEPT = 0.7  # of the first row's part of w after these, at most


def shrinks_old_columns(solution):
    """Whether each row is added, and the columns of old rows shrink.

    That is what costs a pass in a dense solver. Who has it without a pass,
    and something else wrong, loses the points of what is wrong alone.
    """
    X = sp.identity(OLD, format="csr")
    y = np.where(np.arange(OLD) % 2 == 0, 1.0, -1.0)
    first = []
    for steps in (1, 2, OLD):
        case = {"X": X, "y": y, "lam": 0.1, "order": np.arange(steps)}
        w = as_numbers(call(solution, case).value)
        if w is None or w.shape != (OLD,) or not np.isfinite(w).all():
            return False
        if not w[:steps].all() or w[steps:].any():
            return False
        first.append(abs(w[0]))
    return bool(first[-1] < KEPT * first[0])


def judge_cost(task, solution):
    """The time of a right answer must not grow with d.

    The yardstick is one pass over all d entries, timed on the same machine
    in the same moment: a dense step makes at least one.
    """
    passes, where = passes_of_a_step(solution), "all d entries"
    if passes < 0.5:
        passes = passes_over_visited(solution)
        where = VISITED_BEFORE
    if passes < 0.5:
        return ""
    return (
        f"A step on rows with 5 non-zeros takes as long as "
        f"{passes:,.{0 if passes > 10 else 1}f} passes over {where}; "
        f"expected far less than one: some step still touches all of them."
    )


def passes_of_a_step(solution):
    """What a step costs more at the largest d, in passes over d entries."""
    over = over_the_middle(solution)
    if over > SLOW:
        over = min(over, over_the_middle(solution))
    if over > SLOW:
        return over / pass_time(MIDDLE)
    return fewest_passes(solution, LARGE, LONG)


def over_the_middle(solution):
    """What a step costs more in the middle than at the smallest d."""
    (small, _), (middle, _) = (
        step_time(solution, d, 40) for d in (SMALL, MIDDLE)
    )
    return middle - small


def passes_over_visited(solution):
    """What a step costs once all columns are in use, in passes over them.

    The first steps of these runs name rows that have entries in all columns.
    """
    # To go through such a list of columns takes several passes.
    return fewest_passes(solution, VISITED, LONG / 2, visited=True)


def fewest_passes(solution, d, longest, visited=False):
    """What a step costs more at a large d, in passes over so many entries.

    Of some trials the least counts, and so does the least time of a pass:
    one timed in a busy moment would make the steps look short. It is beyond
    doubt after two in which the steps took much longer, or several times as
    long as at the smallest d: a busy machine lengthens both, and may stand
    still for a moment. It may double what a run costs apart from its steps,
    too, so that this much is doubted; where it is much, only long runs
    count.

    A pass over the columns visited before takes no longer than a step of
    SciPy, of which a busy machine may make two. But who goes through a list
    of these columns makes several passes at once: such a step takes more
    than twice as long as at the smallest d.

    Parameters
    ----------
    solution, d, longest, visited
        As of `growth`.

    Returns
    -------
    float
    """
    one_pass, least, sure = pass_time(d), np.inf, 0

    def passes(more, steps, own):
        doubtful = visited and more < own
        return 0.0 if doubtful else more / (steps * one_pass)

    for _ in range(TRIALS):
        more, steps, own, once = growth(
            solution, d, longest, one_pass, visited
        )
        if once > (READS if visited else DAWDLES) * one_pass:
            break
        one_pass = min(one_pass, pass_time(d))
        least = min(least, passes(more, steps, own))
        clear = more - once
        much = clear > CERTAIN or (clear > ENOUGH and least > SURELY)
        sure += much or clear > ENOUGH + SEVERAL * own
        if least < 0.5 or sure == AGREE:
            return least
    # Both runs are long now: what each costs apart from its steps falls out,
    # also where a run of one step has dawdled. A machine that others share
    # may have become slower since the pass was timed.
    for runs in (RUNS, AT_LAST):
        more, steps, own, _ = growth(
            solution,
            d,
            LONGER * longest,
            one_pass,
            visited,
            both_long=True,
            runs=runs,
        )
        one_pass = max(one_pass, pass_time(d))
        least = min(least, passes(more, steps, own))
        if runs == AT_LAST or not 0.5 <= least <= NEAR:
            break
    return least


def growth(
    solution,
    d,
    longest,
    one_pass,
    visited=False,
    both_long=False,
    runs=RUNS,
):
    """What steps cost more at a large d than at the smallest.

    No more steps are timed than it takes to see it, as one that names its
    row by `X[[i]]` has a cost of its own.

    Parameters
    ----------
    solution : callable
    d : int
    longest : float
        Seconds that so many passes take as steps are timed at most.
    one_pass : float
        Seconds of a pass at that d.
    visited : bool
        Whether rows with entries in all columns come first.
    both_long : bool
        Whether the shorter of two runs has as many steps as are timed, and
        not one.
    runs : int
        Of so many the shortest counts.

    Returns
    -------
    more : float
        Seconds.
    steps : int
        Of so many steps.
    own : float
        Seconds that they cost at the smallest d.
    once : float
        Seconds of the shorter run at the large d.
    """
    steps, more, own, once = 1, 0.0, 0.0, 0.0
    most = int(np.ceil(longest / one_pass))
    # Of two long runs the difference is that of the steps alone.
    while steps < most and more < (CLEAR if both_long else ENOUGH + once):
        steps = min(6 * steps, most)
        (small, _), (large, once) = (
            step_time(solution, size, steps, visited, both_long, runs)
            for size in (SMALL, d)
        )
        more, own = steps * (large - small), steps * small
    return more, steps, own, once


def pass_time(d, seconds=0.06):
    """Seconds that one pass over d numbers takes, from many of them.

    Where other work lengthens it, the shortest of some trials counts.
    """
    v, rounds, least = np.ones(d), 25 // RUNS, np.inf
    for _run in range(RUNS):
        used = 0.0
        while used < seconds / RUNS:
            rounds, start = 2 * rounds, user_time()
            for _ in range(rounds):
                v *= 1.0
            used = user_time() - start
        least, rounds = min(least, used / rounds), rounds // 2
    return least


def user_time():
    """Seconds this thread has computed, which other work hardly changes.

    Without what the system did for it: to hand out memory for a long
    vector may take longer than to compute with it. And without other
    threads: those that help with products of arrays wait for more by going
    round and round. Where this cannot be asked for, the process counts. In a
    browser its clock stands still.
    """
    if IN_BROWSER:
        return time.perf_counter()
    if OF_A_THREAD is not None:
        return resource.getrusage(OF_A_THREAD).ru_utime
    return os.times().user


def step_time(solution, d, steps, visited=False, both_long=False, runs=RUNS):
    """Seconds a step, and what the shorter of two runs costs.

    The former is from some more steps, without what a run costs once.

    Parameters
    ----------
    solution : callable
    d, steps : int
    visited : bool
        Whether rows with entries in all columns come first.
    both_long : bool
        Whether the shorter run has as many steps as are timed, and not one.
    runs : int
        Of so many the shortest counts.
    """
    n, X = 10, rows_for_timing(d)
    y = np.where(np.arange(X.shape[0]) % 2 == 0, 1.0, -1.0)
    before = np.arange(n, X.shape[0])[: None if visited else 0]
    first = steps if both_long else 1
    shorter, longer = (
        seconds_of(
            runs,
            solution,
            X,
            y,
            0.1,
            np.append(before, draw_order(n, T, seed=1)),
        )
        for T in (first, first + steps)
    )
    return (longer - shorter) / steps, shorter


@lru_cache(maxsize=4)
def rows_for_timing(d, n=10, nnz=5, full=5):
    """Rows with few entries, and some with many.

    These have entries in all columns, so that who leaves out the columns
    that no row uses still has d of them. Most runs visit none of them.

    Parameters
    ----------
    d : int
    n, nnz : int
        So many rows with so many entries come first.
    full : int
        So many rows share all columns.

    Returns
    -------
    CSR matrix of shape (n + full, d)
    """
    rng = np.random.default_rng(0)
    few = sp.csr_matrix(
        (
            rng.standard_normal(n * nnz),
            rng.integers(d, size=n * nnz),
            np.arange(0, n * nnz + 1, nnz),
        ),
        shape=(n, d),
    )
    few.sum_duplicates()
    parts = np.linspace(0, d, full + 1).astype(int)
    many = sp.csr_matrix((np.ones(d), np.arange(d), parts), shape=(full, d))
    return sp.vstack([few, many], format="csr")


def seconds_of(runs, solution, *arguments):
    """The shortest time to compute an answer, of so many runs.

    A solution that runs in another process has a clock of its own.
    """
    clock = getattr(solution, "clock", user_time)
    seconds = []
    for _ in range(runs):
        start = clock()
        solution(*arguments)
        seconds.append(clock() - start)
    return min(seconds)


@task(
    "A3.pegasos",
    "pegasos(X, y, lam, order) -> w after the last step; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_solver,
    after=judge_cost,
    parts=SPARSE_PARTS,
)
def _(X, y, lam, order, t0=0):
    return solve(X, y, lam, order, t0=t0)


@task(
    "A3.average",
    "average(X, y, lam, order) -> (w_1 + … + w_T) / T; X is CSR and no "
    "step may touch all d entries",
    sparse_cases,
    judge_solver,
    after=judge_cost,
)
def _(X, y, lam, order, t0=0, returns="average"):
    return solve(X, y, lam, order, t0=t0, returns=returns)
