"""python -m tests.benchmarks.cluster: a class graded by 1, 2 and 4 workers.

The class of `tests.benchmarks.rehearsal`, graded by the plain command, one
and two at a time, and then by the workers of a Dask cluster on this machine.
Prints submissions a minute, as multiples of one at a time too, every score
that is not as planned, and what a model with these parts gives for more
workers. With --out FILE the numbers are kept there. About five minutes on
two cores that have nothing else to do.
"""

import argparse
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import tasks
from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from tests.benchmarks.rehearsal import (
    processor_seconds,
    scores,
    write_class,
)
from tests.benchmarks.setting import setting
from tests.clusters import local_cluster
from tests.coursework import isolated

COMMAND = "python -m tests.benchmarks.cluster --students {}"
# Where the page begins to tell the numbers, and where it has told them.
BEGIN, END = "`python -m tests.benchmarks.cluster", "````"
AT_A_TIME, WORKERS, MANY = (1, 2), (1, 2, 4), (10, 100)
CLASS = 1000  # submissions that the model is asked for


def grade(folder, name, *options):
    """Grade once; seconds by the clock, and the command's own processor's."""
    before, begun = processor_seconds(), time.monotonic()
    subprocess.run(
        [
            *(sys.executable, "-m", "pegasos_edu.grading", folder / "in"),
            *("--out", folder / name),
            *isolated.OPTIONS,
            *options,
        ],
        cwd=tasks.ROOT,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.monotonic() - begun, processor_seconds() - before


def on_a_cluster(folder, workers):
    """The same, on so many workers with one thread each."""
    with local_cluster(workers) as there:
        return grade(
            *(folder, f"cluster-{workers}"),
            *("--scheduler", there.scheduler_address),
        )


def cluster_of(workers):
    return f"a cluster of {workers}"


def minutes(students, workers, parts):
    """A run by its parts: a start, the grading shared, and the collecting.

    To the start belongs all that a second worker does not shorten, as the time
    that a hostile submission costs. Assumed: all workers begin at once, each
    as fast as one of two that had a core each; all submissions take alike; the
    network takes no time. Collecting is one process's work, so no number of
    workers makes a run shorter than that.
    """
    shared = parts["start"] + students * parts["grading"] / workers
    return max(shared, students * parts["collecting"]) / 60


def told(record):
    """What the lecturers' page says of a record, in Markdown."""
    facts, model = record["setting"], record["model"]
    name = f"{MANY[-1]} workers"
    took = model["minutes"][name]
    first = (
        f"`{facts['command']}` graded {record['submissions']} submissions of "
        f"A1 on one machine ({facts['processor']}; load, with its own at the "
        f"end: {facts['load']:.0f}), on {facts['date']}. All workers shared "
        "its cores, and some submissions were hostile:"
    )
    rows = [
        "| who graded | submissions a minute |",
        "|---|---:|",
        *(
            f"| {who} | {count:.1f} |"
            for who, count in record["a_minute"].items()
        ),
    ]
    start = record["parts"]["start"]
    last = (
        f"About {start:.0f} seconds of a run are what no second worker "
        f"shortens, so a large class gets more a minute. By a model made of "
        f"these runs, {name} would grade "
        f"{model['submissions']:,} submissions in {took:.1f} minutes, "
        f"{model['submissions'] / took:,.0f} a minute. In it each worker has "
        f"a core, and the network takes no time. It has two numbers, from "
        f"two runs of one each: so many machines were not tried."
    )
    return "\n".join(
        [textwrap.fill(first, 79), "", *rows, "", textwrap.fill(last, 79), ""]
    )


def write_page(page, record):
    """Have a page tell this record, in the place of what it said before."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(before + told(record) + END + after, "utf-8")


def main(arguments=None):
    parser = argparse.ArgumentParser(prog=COMMAND.format("N"))
    parser.add_argument("--students", type=int, default=16)
    parser.add_argument("--out", type=Path, help="keep the result")
    parser.add_argument("--page", type=Path, help="have this page tell it")
    options = parser.parse_args(arguments)
    n, runs, wrong = options.students, {}, {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        planned = write_class(folder / "in", n)
        for at_a_time in AT_A_TIME:
            name = f"here, {at_a_time} at a time"
            runs[name] = grade(
                folder, f"here-{at_a_time}", "--workers", str(at_a_time)
            )
        for workers in WORKERS:
            runs[cluster_of(workers)] = on_a_cluster(folder, workers)
        # Once more with nothing left to grade: the command alone.
        _, alone = grade(folder, f"cluster-{WORKERS[0]}")
        for out in folder.glob("*/scores.csv"):
            found = scores(out.parent)
            wrong |= {
                f"{out.parent.name}, {student}": found.get(student)
                for student in planned
                if found.get(student) != planned[student]
            }
    base = runs["here, 1 at a time"][0]
    for name, (seconds, own) in runs.items():
        print(
            f"{name}: {60 * n / seconds:.1f} a minute, "
            f"{base / seconds:.2f} times one at a time; {own:.0f} processor "
            f"seconds in the command"
        )
    one, two = (runs[cluster_of(k)] for k in WORKERS[:2])
    # seconds = start + n · grading / workers, for one worker and for two
    grading = 2 * (one[0] - two[0]) / n
    parts = {
        "start": one[0] - n * grading,
        "grading": grading,
        "collecting": (one[1] - alone) / n,
    }
    print("in seconds:", {name: round(s, 2) for name, s in parts.items()})
    print("by the model, if workers have a core each and begin at once,")
    print("submissions take alike, and the network takes no time:")
    model = {workers: minutes(CLASS, workers, parts) for workers in MANY}
    for workers, took in model.items():
        print(
            f"{CLASS:,} submissions, {workers} workers: {took:.1f} minutes, "
            f"{CLASS / took:.0f} a minute"
        )
    print(f"not as planned: {wrong or 'none'}")
    kept = {
        "setting": setting(COMMAND.format(n), pinned="no", load=load()),
        "submissions": n,
        "seconds": {name: seconds for name, (seconds, _) in runs.items()},
        "a_minute": {
            name: 60 * n / seconds for name, (seconds, _) in runs.items()
        },
        "parts": parts,
        "model": {
            "submissions": CLASS,
            "minutes": {f"{k} workers": took for k, took in model.items()},
        },
        "not_as_planned": len(wrong),
        "isolated": not isolated.OBSTACLE,
    }
    kept = shortened(kept)
    if options.out:
        options.out.write_text(as_text(kept), "utf-8")
    if options.page:
        write_page(options.page, kept)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
