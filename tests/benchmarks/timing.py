"""Fair clocks: contenders take turns, so what slows one slows all.

Times are processor times, as in the paper of 2007. Everybody runs on one
thread, and on a machine with other work to do they vary less.
"""

import os
import time

import numpy as np
from threadpoolctl import threadpool_limits


def pin_to_one_core():
    """Keep this process on one core where the system allows it.

    Without that the linear algebra below NumPy has a thread for each core.
    The one that waits for the others computes, too, as the clock sees it.
    """
    threadpool_limits(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def timed(work, *arguments):
    """How much processor time one call takes, and what it returns."""
    start = time.process_time()
    value = work(*arguments)
    return time.process_time() - start, value


def take_turns(contenders, rounds, warm_up=True):
    """Seconds of each contender in each round.

    contenders maps names to functions without arguments; returns a dict of
    arrays of shape (rounds,).
    """
    for work in contenders.values() if warm_up else ():
        work()
    times = {name: np.empty(rounds) for name in contenders}
    for i in range(rounds):
        for name, work in contenders.items():
            times[name][i], _ = timed(work)
    return times


def spread(values):
    """Median and quartiles of what the rounds gave."""
    low, median, high = np.percentile(values, [25, 50, 75])
    return {"median": median, "low": low, "high": high}


def geometric_mean(values):
    return float(np.exp(np.mean(np.log(values))))
