"""python -m tests.hub.rehearsal: a class on JupyterHub, from end to end.

One who teaches, five students who work and one who attacks: a real hub, a
server for each, the notebook in a real browser. They release, fetch, work,
validate, submit, collect, grade in the sandbox, hand back and read. Prints
what was checked and how long it took; with --out FILE the numbers are kept.

It wants Linux, root, bubblewrap, Chromium, Node with configurable-http-proxy
and what `book/assignments/hub/requirements.txt` has. It says what is missing.
"""

import argparse
import contextlib
import csv
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import sync_playwright

import tasks
from pegasos_edu.experiments import load, shortened
from pegasos_edu.experiments.__main__ import as_text
from pegasos_edu.grading.terms.lateness import read_times
from tests.benchmarks.rehearsal import (
    SOLUTION,
    facts,
    first_answers,
    full_marks,
    read,
)
from tests.benchmarks.setting import setting
from tests.browser.chromium import FLAGS, find
from tests.hub import intruder
from tests.hub.person import PATIENCE, Person
from tests.hub.stage import Stage, missing

COMMAND = "python -m tests.hub.rehearsal"
TEACHER, ATTACKER = "teacher", "mallory"
MARK = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
# What students type has not the marks by which solutions are cut out.
RIGHT = {
    facts(cell)["grade_id"]: MARK.sub("", cell.source).rstrip()
    for cell in read(SOLUTION).cells
    if cell.cell_type == "code" and facts(cell).get("solution")
}
WRONG_STEP = "def step_size(lam, t):\n    return 1 / (lam * (t + 1))"


def first(number):
    return dict(list(RIGHT.items())[:number])


def points(number):
    return float(first_answers(number)[1])


# What each student writes, and the points that it must get.
CLASS = {
    "ada": (RIGHT, float(full_marks())),
    "grace": (first(3), points(3)),
    "alan": (first(1) | {"step-size": WRONG_STEP}, points(1)),
    "emmy": ({}, 0.0),
    "kurt": (first(5), points(5)),
}


class Failed(Exception):
    """What keeps the rehearsal from going on."""


NOT_AS_EXPECTED = []


def expect(holds, sentence):
    """Print what was checked; what does not hold is kept, and told at last."""
    print(f"  {'yes' if holds else 'NO '} {sentence}", flush=True)
    if not holds:
        NOT_AS_EXPECTED.append(sentence)


class Clock:
    """Seconds of each stage, printed as they come."""

    def __init__(self):
        self.seconds = {}

    @contextlib.contextmanager
    def stage(self, name):
        """Time a stage; of one that comes again, all times are kept."""
        begun = time.monotonic()
        yield
        took = time.monotonic() - begun
        self.seconds.setdefault(name, []).append(took)
        print(f"{name}: {took:.1f} s", flush=True)


def wait_for_hub(stage):
    """Until the hub answers; not longer than it runs."""
    for _ in range(PATIENCE // 100):
        if stage.process.poll() is not None:
            raise Failed(f"the hub runs; its output ends with {stage.said()}")
        with contextlib.suppress(urllib.error.URLError, ConnectionError):
            urllib.request.urlopen(f"{stage.url}/hub/health").close()
            return
        time.sleep(0.1)
    raise Failed("the hub answers")


def teaches(person, *commands):
    """Commands that the instructor types, all of which must succeed."""
    said, code = person.types(" && ".join(commands))
    if code:
        raise Failed(f"the instructor's commands succeed; they said {said}")
    return said


def works(person, answers, clock):
    """One student's afternoon, from fetching to submitting."""
    with clock.stage("fetch"):
        person.fetches()
    with clock.stage("open"):
        person.opens()
    with clock.stage("write"):
        person.writes(answers)
    with clock.stage("run"):
        person.runs_all()
    person.saves()
    written = {
        facts(cell).get("grade_id"): cell.source
        for cell in read(person.notebook()).cells
    }
    expect(
        all(written[name] == answer for name, answer in answers.items()),
        f"{person.name}'s notebook has the answers as they were written",
    )
    with clock.stage("validate"):
        said = person.validates()
    expect(
        "failed" in said,  # the written questions, if nothing else
        f"{person.name} is told by Validate what is left to do",
    )
    # Of a written question it says that nothing was answered.
    in_code = re.findall(r"\w+Error\b.*", said)
    expect(
        bool(in_code) == (answers != RIGHT),
        f"{person.name} is told of errors in code: {in_code or None}",
    )
    with clock.stage("submit"):
        person.submits()


def is_kept_out(said):
    """Check what came of each attempt of the student who attacks."""
    for name, listed in said["homes"].items():
        expect(listed == "PermissionError", f"nobody else reads {name}'s home")
    for name in ("private", "state", "inbound", "feedback"):
        expect(
            said[name] in ("PermissionError", "FileNotFoundError"),
            f"a student cannot list the folder {name}",
        )
    expect(said["solutions"] == [], "a student finds no solution")
    expect(said["memory"] == "MemoryError", "4 GB of memory are refused")
    expect(
        0 < said["processes"] < 256,
        f"a student's processes have an end ({said['processes']} more)",
    )
    expect(said["links"], "a link to the solution lies among the submissions")


def scores(folder):
    with open(folder / "scores.csv", encoding="utf-8") as file:
        return {line["student"]: line for line in csv.DictReader(file)}


def grade_here(stage, folder):
    """Grade what was collected as anybody would, without a hub."""
    shutil.copytree(course(stage) / "submitted", folder / "in", symlinks=True)
    subprocess.run(
        [
            *(sys.executable, str(tasks.ROOT / "tasks.py"), "grade"),
            *(str(folder / "in"), "--assignment", "a1"),
            *("--out", str(folder / "out")),
        ],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return folder / "out"


def course(stage):
    return stage.home(TEACHER) / "pegasos"


def is_timed(stage, begun):
    """When each came is the system's time, not what a student wrote."""
    times = read_times(course(stage) / "handed_in.csv")
    for name in [*CLASS, ATTACKER]:
        came = times.get(("a1", name))
        expect(
            came is not None and begun <= came <= datetime.now(UTC),
            f"{name} handed in during the rehearsal: {came}",
        )


def is_graded(stage):
    """Scores as planned; scores and pages as without a hub."""
    grades = course(stage) / "grades"
    got = scores(grades)
    for name, (_, planned) in CLASS.items():
        expect(
            float(got[name]["score"]) == planned,
            f"{name} has {planned:g} points",
        )
    expect(
        float(got[ATTACKER]["score"]) == 0 and "link" in str(got[ATTACKER]),
        f"{ATTACKER} has 0 points: {got[ATTACKER]['reason']}",
    )
    with tempfile.TemporaryDirectory() as name:
        local = grade_here(stage, Path(name))
        expect(
            (local / "scores.csv").read_bytes()
            == (grades / "scores.csv").read_bytes(),
            "the table of scores is that of a run without a hub, to the byte",
        )
        for student in CLASS:
            page = Path(student) / "a1.html"
            expect(
                (local / page).read_bytes() == (grades / page).read_bytes(),
                f"so is {student}'s page",
            )


def is_handed_back(person, stage):
    """The student's page, as the browser shows it, is the grader's."""
    person.fetches_feedback()
    pages = sorted(person.notebook().parent.glob("feedback/*/*.html"))
    own = course(stage) / "grades" / person.name / "a1.html"
    expect(
        [one.read_bytes() for one in pages] == [own.read_bytes()],
        f"{person.name} has one page of feedback, as the grader wrote it",
    )
    shown = person.reads(pages[0])
    earned = CLASS[person.name][1]
    expect(
        f"{earned:g}" in shown and "BEGIN SOLUTION" not in shown,
        f"{person.name} reads it in the browser",
    )


def rehearse(stage, browser, clock):
    """All of it; megabytes of each student's server and its kernel."""
    memory = {}
    begun = datetime.now(UTC).replace(microsecond=0)
    with clock.stage("hub"):
        wait_for_hub(stage)
    with clock.stage("server"):
        teacher = Person(browser, stage, TEACHER)
    with clock.stage("release"):
        teaches(
            teacher,
            "nbgrader generate_assignment a1",
            "nbgrader release_assignment a1",
        )
    people = {}
    for name, (answers, _) in CLASS.items():
        with clock.stage("server"):
            people[name] = Person(browser, stage, name)
        works(people[name], answers, clock)
        memory[name] = stage.megabytes(name)
        print(
            f"{name}: {memory[name][0]:.0f} MB the server, "
            f"{memory[name][1]:.0f} MB with kernels"
        )
    attacker = Person(browser, stage, ATTACKER)
    shutil.copy(intruder.__file__, stage.folder / "srv" / "intruder.py")
    said, code = attacker.types("python /srv/intruder.py")
    expect(code == 0, f"{ATTACKER} tries: {said[-200:].strip()}")
    is_kept_out(json.loads(said))
    with clock.stage("collect"):
        teaches(teacher, "nbgrader collect a1")
    is_timed(stage, begun)
    with clock.stage("grade"):
        done = stage.grade("a1")
    expect(done.returncode == 0, f"grading ends well: {done.stdout[-200:]}")
    is_graded(stage)
    with clock.stage("release feedback"):
        teaches(teacher, "nbgrader release_feedback a1")
    for person in people.values():
        with clock.stage("read feedback"):
            is_handed_back(person, stage)
    return memory


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, metavar="FILE")
    options = parser.parse_args(arguments)
    lacks = missing()
    chromium = find()
    if not chromium:
        lacks.append("there is no Chromium")
    if lacks:
        print("Nothing was rehearsed: " + "; ".join(lacks) + ".")
        return 2
    clock = Clock()
    stage = Stage([*CLASS, ATTACKER], TEACHER)
    with contextlib.closing(stage), sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            stage.start()
            memory = rehearse(stage, browser, clock)
        except Failed as problem:
            sys.exit(f"The rehearsal ended early; expected that {problem}.")
        finally:
            browser.close()
    print(
        "The class was rehearsed from end to end; not as expected: "
        f"{'; '.join(NOT_AS_EXPECTED) or 'nothing'}."
    )
    if options.out:
        record = {
            "setting": setting(COMMAND, pinned="no", load=load()),
            "students": len(CLASS),
            "not_as_expected": NOT_AS_EXPECTED,
            "seconds": clock.seconds,
            "megabytes": {
                "server": [one for one, _ in memory.values()],
                "with_kernels": [two for _, two in memory.values()],
            },
        }
        options.out.write_text(as_text(shortened(record)), "utf-8")
    return 1 if NOT_AS_EXPECTED else 0


if __name__ == "__main__":
    sys.exit(main())
