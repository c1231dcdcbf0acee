"""python -m tests.benchmarks.cluster: a class graded by 1, 2 and 4 workers.

The class of `tests.benchmarks.rehearsal`, graded by the plain command, one
and two at a time, and then by the workers of a Dask cluster on this machine.
Prints submissions a minute, as multiples of one at a time too, every score
that is not as planned, and what the parts of a run would give with more
workers. With --out FILE the numbers are kept there.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from distributed import LocalCluster

import tasks
from pegasos_edu.experiments import shortened
from pegasos_edu.experiments.__main__ import as_text
from tests.benchmarks.rehearsal import (
    processor_seconds,
    scores,
    write_class,
)
from tests.benchmarks.setting import load, setting
from tests.coursework import isolated

COMMAND = "python -m tests.benchmarks.cluster --students {}"
AT_A_TIME, WORKERS, MANY = (1, 2), (1, 2, 4), (10, 100)


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
    with LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address="127.0.0.1:0",
    ) as there:
        return grade(
            *(folder, f"cluster-{workers}"),
            *("--scheduler", there.scheduler_address),
        )


def minutes(students, workers, parts):
    """A run by its parts: a start, the grading shared, and the collecting.

    Collecting is one process's work, so no number of workers makes a run
    shorter than that.
    """
    shared = parts["start"] + students * parts["grading"] / workers
    return max(shared, students * parts["collecting"]) / 60


def main(arguments=None):
    parser = argparse.ArgumentParser(prog=COMMAND.format("N"))
    parser.add_argument("--students", type=int, default=24)
    parser.add_argument("--out", type=Path, help="keep the result")
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
            runs[f"cluster, {workers} workers"] = on_a_cluster(folder, workers)
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
    one, two = (runs[f"cluster, {k} workers"] for k in WORKERS[:2])
    # seconds = start + n · grading / workers, for one worker and for two
    grading = 2 * (one[0] - two[0]) / n
    parts = {
        "start": one[0] - n * grading,
        "grading": grading,
        "collecting": (one[1] - alone) / n,
    }
    print("in seconds:", {name: round(s, 2) for name, s in parts.items()})
    for workers in MANY:
        took = minutes(1000, workers, parts)
        print(f"1,000 submissions, {workers} workers: {took:.1f} minutes")
    print(f"not as planned: {wrong or 'none'}")
    if options.out:
        kept = {
            "setting": setting(COMMAND.format(n), pinned="no", load=load()),
            "seconds": {name: seconds for name, (seconds, _) in runs.items()},
            "parts": parts,
            "not as planned": wrong,
        }
        options.out.write_text(as_text(shortened(kept)), "utf-8")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
