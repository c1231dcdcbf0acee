"""python -m tests.benchmarks.rehearsal: grade a class that nobody attends.

Makes submissions of A1, right, wrong and hostile, whose scores are known,
and grades them. Prints submissions a minute, the processor's seconds for
each, the most memory that the grader and its notebooks held, and every score
that is not as planned. With --out FILE the numbers are kept there.
"""

import argparse
import csv
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import nbformat
import psutil
from nbformat.v4 import new_code_cell

import tasks
from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from pegasos_edu.grading.handed_back.records import STRETCH
from pegasos_edu.grading.sandbox.limits import MEGABYTE, own_memory
from tests.benchmarks.setting import setting
from tests.coursework import hostile, isolated

COMMAND = "python -m tests.benchmarks.rehearsal --students {}"
ASSIGNMENT = "a1"
SOLUTION = tasks.ASSIGNMENTS / "solutions" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
RELEASED = tasks.ASSIGNMENTS / f"{ASSIGNMENT}.ipynb"
# What one may add to right answers without a loss, or to none for a gain.
HARMLESS = {
    "right": "",
    "exits": "import sys\nsys.exit(1)",
    "litters": hostile.LITTER,
    "forks": hostile.FORKS,
    "leaves-processes": hostile.ORPHAN,
    "prints-much": "print('x' * 50_000_000)",
    "kills": "import os\nos.kill(os.getppid(), 9)",
}
USELESS = {
    "untouched": "",
    "fools-the-checks": hostile.FOOL_THE_CHECKS,
    "forges-results": hostile.FORGE_A_RESULT,
    "forges-answers": hostile.FORGE_ANSWERS,
    "strips-assertions": hostile.STRIP_ASSERTIONS,
}


def facts(cell):
    return cell.metadata.get("nbgrader", {})


def read(path):
    return nbformat.read(path, as_version=4)


def full_marks():
    """The points that the grader gives by itself, extra ones apart."""
    return sum(
        facts(cell).get("points", 0)
        for cell in read(SOLUTION).cells
        if cell.cell_type == "code"
        and facts(cell).get("grade")
        and not facts(cell)["grade_id"].startswith(STRETCH)
    )


def first_answers(number):
    """The released notebook with the first answers in it, and its points."""
    answers = {
        facts(cell)["grade_id"]: cell.source
        for cell in read(SOLUTION).cells
        if cell.cell_type == "code" and facts(cell).get("solution")
    }
    done = list(answers)[:number]
    made, points, open_yet = read(RELEASED), 0, False
    for cell in made.cells:
        grade_id = facts(cell).get("grade_id")
        open_yet = open_yet or (grade_id in answers and grade_id not in done)
        if grade_id in done:
            cell.source = answers[grade_id]
        if facts(cell).get("grade") and not open_yet:
            points += facts(cell)["points"]
    return made, points


def with_extra(notebook, source):
    """The same with one more cell, behind the imports."""
    if source:
        notebook.cells.insert(2, new_code_cell(source))
    return notebook


def submissions(number, seed=0):
    """Yield name, notebook and the score it should get."""
    draw, most = random.Random(seed), full_marks()
    for student in range(number):
        kind = draw.choice(["right", "right", "part", "harmless", "useless"])
        if kind == "part":
            notebook, points = first_answers(draw.randint(1, 4))
        elif kind == "useless":
            kind = draw.choice(list(USELESS))
            notebook, points = with_extra(read(RELEASED), USELESS[kind]), 0
        else:
            kind = draw.choice(list(HARMLESS)) if kind != "right" else kind
            notebook = with_extra(read(SOLUTION), HARMLESS[kind])
            points = most
        yield f"{student:03}-{kind}", notebook, points


def write_class(folder, number):
    """Write the submissions; the scores they should get."""
    planned = {}
    for name, notebook, points in submissions(number):
        place = Path(folder, name)
        place.mkdir(parents=True)
        nbformat.write(notebook, place / f"{ASSIGNMENT}.ipynb")
        planned[name] = float(points)
    return planned


def grade(folder, workers):
    """Grade; seconds, and the most megabytes held at once."""
    begun, most = time.monotonic(), 0
    command = [
        *(sys.executable, "-m", "pegasos_edu.grading", folder / "in"),
        *("--out", folder / "out", "--workers", str(workers)),
        *isolated.OPTIONS,
    ]
    with subprocess.Popen(command, cwd=tasks.ROOT) as running:
        this = psutil.Process(running.pid)
        while running.poll() is None:
            with_all = [this, *this.children(recursive=True)]
            most = max(most, sum(map(own_memory, with_all)))
            time.sleep(2)
    return time.monotonic() - begun, most / MEGABYTE


def scores(out):
    """What each student got, by the table in a folder of grades."""
    with open(out / "scores.csv", encoding="utf-8") as file:
        return {
            line["student"]: float(line["score"])
            for line in csv.DictReader(file)
        }


def processor_seconds():
    """What all programs that were started here and have ended took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--students", type=int, default=300)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        planned = write_class(folder / "in", options.students)
        before = processor_seconds()
        seconds, memory = grade(folder, options.workers)
        worked = processor_seconds() - before
        got = scores(folder / "out")
    print(
        f"{len(got)} submissions in {seconds:.0f} s, "
        f"{60 * len(got) / seconds:.1f} a minute, {worked / len(got):.2f} "
        f"processor seconds each, {memory:.0f} MB at most; "
        f"isolated: {not isolated.OBSTACLE}"
    )
    wrong = [name for name in planned if got.get(name) != planned[name]]
    for name in wrong:
        print(f"{name}: planned {planned[name]:g}, got {got.get(name)}")
    print(f"{len(wrong)} scores are not as planned")
    if options.out:
        record = {
            "setting": setting(
                COMMAND.format(options.students), pinned="no", load=load()
            ),
            "submissions": len(got),
            "workers": options.workers,
            "seconds": seconds,
            "processor_seconds": worked,
            "megabytes": memory,
            "not_as_planned": len(wrong),
            "isolated": not isolated.OBSTACLE,
        }
        options.out.write_text(as_text(shortened(record)), "utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
