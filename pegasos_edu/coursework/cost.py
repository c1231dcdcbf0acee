"""What a step of assignment 3 costs: its time must not grow with d.

Seconds are counted on the same machine, in the same moment, as passes over
d numbers. What the timed runs return is looked at, too.
"""

import os
import sys
import time
from dataclasses import dataclass
from functools import lru_cache, partial

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.trial import as_numbers, call, lock, written
from pegasos_edu.solvers.orders import draw_order

# The numbers of columns d compared. A pass over the largest takes several
# times as long as a step that touches five entries.
SMALL, MIDDLE, LARGE = 1_000, 20_000, 1_500_000
VISITED = 300_000  # columns that are all in use before a step is timed
FEWER = 30_000  # where to visit so many takes too long
LAM = 0.1
FEW, FULL = 10, 5  # rows with few entries, and rows that share all columns
# ‖x‖² of the former. Were they visited in turn, a margin would tend to 0.93,
# as it is ‖x‖²/(λ n). So nearly all steps find a violator. By the golden ratio
# none of the margins is 1 but for rounding.
SQUARED = 1.5 * 0.6180339887498949 * FEW * LAM
# So many times as large is it on as many rows more: a visit then leaves a
# margin that takes a hundred visits to fall below 1, and nearly all steps are
# quiet, which find no violator.
QUIET = 100.0
# Which rows a timed run begins with, and from which row on it draws FEW.
KINDS = {
    "violators": (np.arange(0), 0),
    "quiet": (np.arange(FEW, 2 * FEW), FEW),
    "visited": (np.arange(2 * FEW, 2 * FEW + FULL), 0),
}
# An entry of the rows that share all columns: so small that their columns
# could be fewer.
TINY = 1e-6
# Seconds more than at the smallest d that a step takes in the middle, if
# it loops over all entries.
SLOW = 0.001
# A clock may tick only every 0.01 s, and other work may cost some ticks. So
# runs get longer until the largest d costs ENOUGH seconds more, or until it
# would have cost LONG seconds more with one pass a step.
ENOUGH, LONG = 0.1, 0.25
TIMES = 6  # so many times as long, at most
AMPLY = 1.6  # or so many times as long as it takes, by the run before
SURELY = 5.0  # passes that no other work explains
CERTAIN = 0.5  # seconds more than no other work explains
SEVERAL = 3.0  # times what the same steps take at the smallest d
CLEAR = 0.5  # seconds by which two long runs differ, if it is beyond doubt
PLENTY = 0.2  # seconds that these take by themselves, and no longer
HARDLY = 0.1  # passes; below, a pass need not be timed anew
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


# In the message, where it is not all d of them at any step; and where it is
# no time.
VISITED_BEFORE = "the columns of all rows visited before"
IF_QUIET = "all d entries where the margin is at least 1"
A_STEP = "A step on rows with 5 non-zeros"
MANY_COLUMNS = "On rows with {:,} columns your answer"
OLD = 40  # rows at right angles, each visited once
KEPT = 0.7  # of the first row's part of w after these, at most


def shrinks_old_columns(solution):
    """Whether each row is added, and the columns of old rows shrink.

    That is what costs a pass in a dense solver. Who has it without a pass,
    and something else wrong, loses the points of what is wrong alone. But
    λ must have a part in it, and a row with a large margin adds nothing.
    """

    def w_after(order, lam=LAM, times=1.0):
        X = sp.csr_matrix(times * np.eye(OLD))
        y = np.where(np.arange(OLD) % 2 == 0, 1.0, -1.0)
        case = {"X": X, "y": y, "lam": lam, "order": np.array(order)}
        w = as_numbers(call(solution, case).value)
        good = w is not None and w.shape == (OLD,) and np.isfinite(w).all()
        return w if good else np.full(OLD, np.nan)

    one, two, all_of_them = (w_after(range(T)) for T in (1, 2, OLD))
    if not all(
        w[:steps].all() and not w[steps:].any() and not np.isnan(w[0])
        for w, steps in ((one, 1), (two, 2), (all_of_them, OLD))
    ):
        return False
    if abs(all_of_them[0]) >= KEPT * abs(one[0]):
        return False
    once, again = (
        abs(w_after(order, times=10.0)[0]) for order in ([0], [0, 0])
    )
    return bool(again < KEPT * once and w_after([0], 2 * LAM)[0] != one[0])


class AnotherAnswer(Exception):
    """What a timed run returns is not what it returns on fewer columns."""


def judge_cost(task, solution):
    """The time of a right answer must not grow with d.

    The yardstick is one pass over all d entries, timed on the same machine
    in the same moment: a dense step makes at least one. An answer in another
    process is timed once a test.
    """
    if is_afar(solution) and solution.quick:
        return ""
    try:
        passes, where = passes_of_a_step(task, solution), "all d entries"
        if passes < 0.5:
            passes = passes_of_a_step(task, solution, "quiet")
            where = IF_QUIET
        if passes < 0.5:
            passes = passes_over_visited(task, solution)
            where = VISITED_BEFORE
    except AnotherAnswer as found:
        return str(found)
    if passes < 0.5:
        if is_afar(solution):
            solution.quick = True
        return ""
    return (
        f"{A_STEP} takes as long as "
        f"{passes:,.{0 if passes > 10 else 1}f} passes over {where}; "
        f"expected far less than one: some step still touches all of them."
    )


def is_of_values(problem):
    """Whether what `judge_cost` says is of what comes out, not of its time."""
    return problem.startswith(MANY_COLUMNS.partition("{")[0])


def line_in(text):
    """What `judge_cost` has said in a report, or "".

    Examples
    --------
    >>> line_in(f"A3.pegasos: not yet\\n{A_STEP} takes long.\\nLook again.")
    'A step on rows with 5 non-zeros takes long.'
    >>> line_in("A3.pegasos: passed")
    ''
    """
    return next(
        (
            line
            for line in text.splitlines()
            if line.startswith(A_STEP) or is_of_values(line)
        ),
        "",
    )


def is_afar(solution):
    """Whether it runs in another process, which has a clock of its own."""
    return hasattr(solution, "clock")


def passes_of_a_step(task, solution, kind="violators"):
    """What a step costs more at the largest d, in passes over d entries."""
    over = over_the_middle(solution, kind)
    if over > SLOW:
        over = min(over, over_the_middle(solution, kind))
    if over > SLOW:
        return over / pass_time(MIDDLE)
    return fewest_passes(task, solution, LARGE, LONG, kind)


def over_the_middle(solution, kind):
    """What a step costs more in the middle than at the smallest d."""
    small, middle = (step_time(solution, d, 40, kind) for d in (SMALL, MIDDLE))
    return middle - small


def passes_over_visited(task, solution):
    """What a step costs once all columns are in use, in passes over them.

    The first steps of these runs name rows that have entries in all columns.
    """
    # To go through such a list of columns takes several passes; in a loop of
    # Python, hundreds, and then fewer columns tell.
    once = timed_run(solution, VISITED, 1, "visited")[0]
    d = VISITED if once < READS * pass_time(VISITED) else FEWER
    return fewest_passes(task, solution, d, LONG / 2, "visited")


def fewest_passes(task, solution, d, longest, kind="violators"):
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
    task : Task
        Its reference is what answers are compared with.
    solution : callable
    d : int
    longest : float
        Seconds that so many passes take as steps are timed at most.
    kind : str
        One of the `KINDS` of rows.

    Returns
    -------
    float

    Raises
    ------
    AnotherAnswer
    """
    run, visited = partial(timed_run, solution, kind=kind), kind == "visited"
    one_pass, least, sure, begin = pass_time(d), np.inf, 0, 1

    def passes(found):
        doubtful = visited and found.more < found.own
        return 0.0 if doubtful else found.more / (found.steps * one_pass)

    for trial in range(TRIALS):
        most = steps_in(longest, one_pass)
        slow = (READS if visited else DAWDLES) * one_pass
        found = growth(partial(run, trial=trial), d, most, slow, begin)
        begin = max(1, found.steps // TIMES)
        compare(task, d, found)
        if found.once > slow:
            break
        if passes(found) > HARDLY:
            one_pass = min(one_pass, pass_time(d))
        least = min(least, passes(found))
        clear = found.more - found.once
        much = clear > CERTAIN or (clear > ENOUGH and least > SURELY)
        sure += much or clear > ENOUGH + SEVERAL * found.own
        if least < 0.5 or sure == AGREE:
            return least
    # Both runs are long now: what each costs apart from its steps falls out,
    # also where a run of one step has dawdled. A machine that others share
    # may have become slower since the pass was timed.
    for runs in (1, AT_LAST):
        most = steps_in(LONGER * longest, one_pass)
        found = growth_of_long_runs(
            partial(run, trial=TRIALS, runs=runs), d, most
        )
        compare(task, d, found)
        one_pass = max(one_pass, pass_time(d))
        least = min(least, passes(found))
        if runs == AT_LAST or not 0.5 <= least <= NEAR:
            break
    return least


def steps_in(seconds, one_pass):
    """So many steps of one pass take that long; at least two."""
    return max(2, int(np.ceil(seconds / one_pass)))


@dataclass(frozen=True)
class Growth:
    """What steps cost more at a large d than at the smallest.

    Attributes
    ----------
    more : float
        Seconds.
    steps : int
        Of so many steps.
    own : float
        Seconds that they cost at the smallest d.
    once : float
        Seconds of the shorter run at the large d.
    order : ndarray of int
        The rows of the longer one.
    w : ndarray or None
        What it returns, if it is numbers.
    """

    more: float
    steps: int
    own: float
    once: float
    order: np.ndarray
    w: np.ndarray | None


def growth(run, d, most, slow, begin=1):
    """Time more and more steps, each time beyond a run of one.

    No more steps are timed than it takes to see it, as one that names its
    row by `X[[i]]` has a cost of its own; and none if one takes too long.

    Parameters
    ----------
    run : callable
        (d, steps) -> as of `timed_run`.
    d, most : int
    slow : float
        Seconds.
    begin : int
        Six times as many steps are timed first.

    Returns
    -------
    Growth
    """
    # The first of two has its memory found for it.
    first, once = (run(size, 1)[0] for size in (SMALL, d))
    first = min(first, run(SMALL, 1)[0])
    again, order, w = run(d, 1)
    once = min(once, again)
    steps, times, more, own = begin, TIMES, 0.0, 0.0
    while steps < most and once < slow and more < ENOUGH + once:
        steps = min(int(np.ceil(times * steps)), most)
        own = run(SMALL, 1 + steps)[0] - first
        large, order, w = run(d, 1 + steps)
        more = large - once - own
        # So many times as many will show it, if all go on like these.
        if more > 0:
            times = min(TIMES, AMPLY * (ENOUGH + once) / more)
    return Growth(more, steps, own, once, order, w)


def growth_of_long_runs(run, d, most):
    """The same of two long runs: the difference is that of the steps alone."""
    steps, times, more, own = 1, TIMES, 0.0, 0.0
    while steps < most and more < CLEAR and own < PLENTY:
        steps = min(int(times * steps), most)
        own = -run(SMALL, steps)[0] + run(SMALL, 2 * steps)[0]
        once = run(d, steps)[0]
        large, order, w = run(d, 2 * steps)
        more = large - once - own
        # What does not show yet may go on much longer, but not by itself.
        times = TIMES if more > CLEAR / TIMES**3 else TIMES**2
        if own > 0:
            times = min(times, 1 + 1.5 * PLENTY / own)
    return Growth(more, steps, own, once, order, w)


def pass_time(d, seconds=0.06):
    """Seconds that one pass over d numbers takes, from many of them.

    Where other work lengthens it, the shortest of some trials counts.
    """
    v, least = np.ones(d), np.inf
    for _run in range(RUNS):
        made, rounds, used, start = 0, 8 // RUNS, 0.0, user_time()
        while used < seconds / RUNS:
            for _ in range(rounds):
                v *= 1.0
            made += rounds
            used, rounds = user_time() - start, (made + 1) // 2
        least = min(least, used / made)
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


def step_time(solution, d, steps, kind):
    """Seconds a step, of so many, without what a run costs once."""
    shorter, longer = (
        timed_run(solution, d, T, kind)[0] for T in (1, 1 + steps)
    )
    return (longer - shorter) / steps


def timed_run(solution, d, steps, kind="violators", trial=0, runs=RUNS):
    """The time it takes to compute an answer.

    Parameters
    ----------
    solution : callable
    d, steps : int
    kind : str
        One of the `KINDS` of rows.
    trial : int
        The seed of the order.
    runs : int
        Of so many the shortest counts.

    Returns
    -------
    seconds : float
    order : ndarray of int
    w : ndarray or None
        What the last run returns, if it is numbers.

    Raises
    ------
    AnotherAnswer
        If the answer stops with an error.
    """
    X = rows_for_timing(d)
    before, start = KINDS[kind]
    order = np.append(before, start + draw_order(FEW, steps, seed=trial))
    clock = solution.clock if is_afar(solution) else user_time
    seconds = []
    for _ in range(runs):
        # Who is afar has copies there. Some functions of SciPy write what
        # there is already.
        rows = X if is_afar(solution) else X.copy()
        start = clock()
        # To be read as numbers may take an answer as long as to be found.
        w = as_numbers(answer_of(solution, rows, order.copy()))
        seconds.append(clock() - start)
    return min(seconds), order, w


def answer_of(solution, rows, order):
    """What an answer returns.

    Raises
    ------
    AnotherAnswer
        If it stops with an error.
    """
    y = np.where(np.arange(rows.shape[0]) % 2 == 0, 1.0, -1.0)
    try:
        return solution(rows, y, LAM, order)
    except (Exception, SystemExit) as error:  # a student's code may raise any
        many = MANY_COLUMNS.format(rows.shape[1])
        raise AnotherAnswer(
            f"{many} stopped with {written(error)}; expected w."
        ) from error


def compare(task, d, found):
    """Raise AnotherAnswer if w is wrong: who is quick must be right, too."""
    rows, column = fewer_columns(d)
    fewer = as_numbers(answer_of(task.reference, rows.copy(), found.order))
    shapes = [None if w is None else w.shape for w in (fewer, found.w)]
    if shapes != [(rows.shape[1],), (d,)] or not np.allclose(
        found.w, fewer[column], rtol=1e-6, atol=1e-13, equal_nan=True
    ):
        raise AnotherAnswer(
            f"{MANY_COLUMNS.format(d)} returns another w than for these rows "
            f"with each of their equal columns kept once; expected the same "
            f"w_j for the same column."
        )


@lru_cache(maxsize=4)
def rows_for_timing(d, nnz=5):
    """Rows with few entries, and some with many.

    These have entries in all columns, so that who leaves out the columns
    that no row uses still has d of them. Most runs visit none of them. To
    write into them is an error, so that a grader need send them only once.

    Parameters
    ----------
    d : int
    nnz : int
        So many entries have the first rows, twice `FEW` in number.

    Returns
    -------
    CSR matrix of shape (2 FEW + FULL, d)
    """
    rng, n = np.random.default_rng(0), 2 * FEW
    few = sp.csr_matrix(
        (
            rng.standard_normal(n * nnz),
            rng.integers(d, size=n * nnz),
            np.arange(0, n * nnz + 1, nnz),
        ),
        shape=(n, d),
    )
    few.sum_duplicates()
    lengths = np.sqrt(np.add.reduceat(few.data**2, few.indptr[:-1]))
    wanted = np.sqrt(np.repeat([SQUARED, QUIET * SQUARED], FEW))
    few.data *= np.repeat(wanted / lengths, np.diff(few.indptr))
    many = sp.csr_matrix(
        (np.full(d, TINY), np.arange(d), edges(d)), shape=(FULL, d)
    )
    X = sp.vstack([few, many], format="csr")
    lock(X)
    return X


def edges(d):
    """Where the columns of each full row begin and end."""
    return np.linspace(0, d, FULL + 1).astype(int)


@lru_cache(maxsize=4)
def fewer_columns(d):
    """The rows for timing with each of their equal columns once.

    Parameters
    ----------
    d : int

    Returns
    -------
    rows : CSR matrix
    column : ndarray of int of shape (d,)
        Which column of these stands for each of the d.
    """
    X = rows_for_timing(d)
    few = np.unique(X[: 2 * FEW].indices)
    # Of each full row, the first column that no other row uses.
    alone = np.flatnonzero(~np.isin(np.arange(d), few))
    first = alone[np.searchsorted(alone, edges(d)[:-1])]
    stands_for = np.repeat(first, np.diff(edges(d)))
    stands_for[few] = few
    kept = np.union1d(few, first)
    number = np.zeros(d, dtype=int)
    number[kept] = np.arange(len(kept))
    return X[:, kept], number[stands_for]
