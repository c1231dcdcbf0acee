"""Graded on a cluster: the same to the byte, whoever is lost meanwhile."""

import csv
import json
import os
import pickle
import re
import subprocess
import sys
import threading
import time

import psutil
import pytest
from distributed import LocalCluster
from nbformat.v4 import writes

import tasks
from pegasos_edu.grading import cluster, station
from pegasos_edu.grading.__main__ import main
from pegasos_edu.grading.isolation import WANTED
from tests.coursework import hostile, isolated

# A right one, wrong ones, one that ends its own process, and no notebooks.
CHOSEN = (
    "good-first",
    "wrong",
    "warns",
    "os-exit",
    "forges-answers",
    "no-json",
    "links-to-itself",
)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A few of the hostile submissions, and five right ones."""
    folder = tmp_path_factory.mktemp("class")
    hostile.write_course(folder)
    for place in (folder / "submitted").iterdir():
        if place.name not in CHOSEN:
            place.rename(folder / place.name)
    right = writes(hostile.notebook())
    for number in range(5):
        place = folder / "submitted" / f"right-{number:02}"
        place.mkdir()
        (place / "tiny.ipynb").write_text(right, "utf-8")
    return folder


def arguments(course, name, *options):
    return [
        str(course / "submitted"),
        *("--solutions", str(course / "solutions")),
        *("--out", str(course / name)),
        *("--cell-seconds", "10"),
        *isolated.OPTIONS,
        *options,
    ]


def grade(course, name, *options):
    """The command; the folder of its grades, and what it printed."""
    done = subprocess.run(
        [
            *(sys.executable, "-m", "pegasos_edu.grading"),
            *arguments(course, name, *options),
        ],
        cwd=tasks.ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return course / name, done.stdout


def refused(course, name, *options):
    """The sentence with which the command ends."""
    with pytest.raises(SystemExit) as stop:
        main(arguments(course, name, *options))
    return str(stop.value)


def contents(out):
    """All that was written but the seconds that it took."""
    found = {}
    for path in sorted(out.rglob("*")):
        if path.name in ("lock", "begun") or not path.is_file():
            continue
        raw = path.read_bytes()
        if path.name == "result.json":
            result = json.loads(raw)
            assert result.pop("seconds") >= 0
            raw = json.dumps(result).encode()
        if path.name in ("scores.csv", "tasks.csv"):
            with path.open(encoding="utf-8", newline="") as file:
                table = list(csv.DictReader(file))
            for line in table:
                line.pop("seconds", None)
            raw = json.dumps(table).encode()
        found[str(path.relative_to(out))] = raw
    return found


@pytest.fixture(scope="module")
def here(course):
    """What this machine makes of the class."""
    return contents(grade(course, "here")[0])


@pytest.fixture(scope="module")
def workers():
    """Two workers, each a process with one thread."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0"
    ) as them:
        yield them


def test_a_cluster_gives_the_grades_of_one_machine(course, here, workers):
    out, printed = grade(
        course, "there", "--scheduler", workers.scheduler_address
    )
    assert contents(out) == here
    everybody = len(CHOSEN) + 5
    for number in range(1, everybody + 1):
        assert f"\n{number}/{everybody} " in "\n" + printed
    assert re.search(rf"^{everybody} submissions in \d+ s", printed, re.M)


def test_the_right_ones_have_their_points(here):
    table = json.loads(here["scores.csv"])
    points = {line["student"]: float(line["score"]) for line in table}
    assert points["good-first"] == points["right-04"] == 3
    assert (
        points["wrong"] == points["forges-answers"] == points["no-json"] == 0
    )


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_a_worker_lost_in_the_middle_costs_no_score(course, here, workers):
    out, killed = course / "lost", []

    def kill_one_that_grades():
        while not killed:
            time.sleep(0.05)
            begun = list(out.glob(".results/tiny/*/result.json"))
            busy = [one for one in stations() if one.children()]
            if len(begun) >= 2 and busy:
                worker = busy[0].parent()
                killed.append((worker, busy[0]))
                worker.kill()

    killer = threading.Thread(target=kill_one_that_grades)
    killer.start()
    grade(course, "lost", "--scheduler", workers.scheduler_address)
    killer.join()
    [(worker, its_station)] = killed
    psutil.wait_procs([worker, its_station], timeout=20)
    assert not worker.is_running()
    if sys.platform == "linux":
        assert not its_station.is_running()  # nobody grades for nobody
    assert contents(out) == here


def stations():
    """The stations of this process's workers."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if station.START in process.cmdline():
                found.append(process)
        except psutil.Error:
            continue
    return found


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "no address", "9"])
def test_an_address_where_nobody_answers_is_one_sentence(
    course, address, monkeypatch
):
    monkeypatch.setattr(cluster, "PATIENCE", 2)
    said = refused(course, "nobody", "--scheduler", address)
    assert said.startswith(f"--scheduler is {address}; expected")
    assert "\n" not in said


def test_a_scheduler_without_a_worker_is_one_sentence(course, monkeypatch):
    monkeypatch.setattr(cluster, "PATIENCE", 2)
    with LocalCluster(n_workers=0, dashboard_address="127.0.0.1:0") as empty:
        address = empty.scheduler_address
        said = refused(course, "none", "--scheduler", address)
    assert f"{address} has no worker; expected" in said


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SystemExit) as stop:
        cluster.connect("tcp://127.0.0.1:9")
    assert "pegasos-edu[distributed]" in str(stop.value)
    assert str(stop.value).endswith(".")


def job(**changes):
    facts = {
        "student": "ada",
        "assignment": "tiny",
        "name": "tiny.ipynb",
        "raw": b"x = 1",
        "solution": writes(hostile.notebook()).encode(),
        "common": writes(hostile.notebook()).encode(),
        "limits": (10, 60, 3000, not isolated.OBSTACLE),
        "package": station.package_here(),
    }
    return station.Job(**{**facts, **changes})


def test_a_machine_with_another_package_grades_nothing(tmp_path):
    reply = station.answer(job(package="older"), tmp_path)
    assert reply.result is None and "another version" in reply.unable
    assert list(tmp_path.iterdir()) == []


def test_a_machine_that_cannot_isolate_grades_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(station, "obstacle_here", lambda: "no bwrap")
    reply = station.answer(job(limits=(10, 60, 3000, True)), tmp_path)
    assert reply.result is None
    assert reply.unable == "submissions cannot be isolated there: no bwrap"


def test_what_no_machine_can_do_ends_the_command(monkeypatch, course, workers):
    monkeypatch.setattr(cluster, "package_fingerprint", lambda: "newer")
    said = refused(course, "newer", "--scheduler", workers.scheduler_address)
    assert "another version of the package" in said
    assert WANTED in said


def test_a_station_answers_one_job_after_the_other():
    jobs = [job(), job(student="bob", raw=b"[1, 2]")]
    done = subprocess.run(
        [sys.executable, "-c", station.START],
        input=b"".join(map(pickle.dumps, jobs)),
        stdout=subprocess.PIPE,
        check=True,
    )
    replies, rest = [], done.stdout
    for _ in jobs:
        reply = pickle.loads(rest)
        rest = rest[len(pickle.dumps(reply)) :]
        replies.append(reply)
    said = [reply.result.reason for reply in replies]
    assert said == [
        "tiny.ipynb is no notebook: no JSON",
        "tiny.ipynb is no notebook: it names no format",
    ]
    assert [reply.result.student for reply in replies] == ["ada", "bob"]
