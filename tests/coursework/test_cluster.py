"""Graded on a cluster: the same to the byte, whoever is lost meanwhile."""

import contextlib
import csv
import json
import os
import pickle
import re
import shlex
import subprocess
import sys
import threading
import time
from types import SimpleNamespace

import psutil
import pytest
from distributed import Client, KilledWorker
from distributed.core import Status
from nbformat.v4 import writes

import tasks
from pegasos_edu.distributed import workers as workers_module
from pegasos_edu.grading.__main__ import main
from pegasos_edu.grading.running import cluster, station
from pegasos_edu.grading.sandbox.isolation import WANTED
from tests.benchmarks.cluster import told, write_page
from tests.clusters import local_cluster
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
        *("--cell-seconds", "60"),  # nobody here is to run out of time
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
    with local_cluster(2) as them:
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
            with contextlib.suppress(psutil.Error):  # ended meanwhile
                busy = [one for one in stations() if one.children()]
                if len(begun) >= 2 and busy:
                    worker = busy[0].parent()
                    worker.kill()
                    killed.append((worker, busy[0]))

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
    monkeypatch.setattr(workers_module, "ANSWER", "2 s")
    said = refused(course, "nobody", "--scheduler", address)
    assert said.startswith(f"--scheduler is {address!r} (")
    assert "expected the address of a scheduler that answers" in said
    assert "\n" not in said


def test_a_scheduler_without_a_worker_is_one_sentence(course, monkeypatch):
    monkeypatch.setattr(workers_module, "WAIT", "2 s")
    with local_cluster(0) as empty:
        address = empty.scheduler_address
        said = refused(course, "none", "--scheduler", address)
    assert f"{address} has no worker; expected" in said


def become(status, dask_worker):
    """As Dask has a worker do that holds too much, or no longer does."""
    dask_worker.status = status


def test_workers_that_stay_paused_are_not_waited_for(
    course, workers, monkeypatch
):
    monkeypatch.setattr(workers_module, "WAIT", "1 s")
    with Client(workers) as client:
        client.run(become, Status.paused)
        try:
            address = workers.scheduler_address
            said = refused(course, "paused", "--scheduler", address)
        finally:
            client.run(become, Status.running)
    assert "stays paused, as it holds nearly all the memory" in said
    assert "\n" not in said


def test_a_worker_paused_in_the_middle_is_not_waited_for(monkeypatch):
    """With a job in hand; Dask gives no other worker what it has begun."""
    monkeypatch.setattr(workers_module, "PAUSE", "500 ms")
    with local_cluster(1) as one, Client(one) as client:
        client.run(become, Status.paused)
        job = client.submit(int, key="graded-1")
        with pytest.raises(SystemExit, match="stays paused") as stop:
            cluster.finished(client, [job])
    assert "\n" not in str(stop.value)


def test_a_scheduler_that_ends_is_one_sentence():
    with local_cluster(1) as one, Client(one) as client:
        job = client.submit(time.sleep, 60, key="graded-1")
        threading.Timer(1, one.close).start()
        with pytest.raises(SystemExit, match="scheduler .* has ended") as stop:
            cluster.finished(client, [job])
    assert "\n" not in str(stop.value)


class Ended:
    """A job of which each worker ended that had it in hand."""

    def result(self):
        raise KilledWorker("graded-1", SimpleNamespace(address="a"), 3)


def test_lost_workers_cost_nobody_a_score(course, workers, monkeypatch):
    """The others are graded, and the same command tries again."""
    given = cluster.received

    def one_is_lost(future, submission, options):
        lost = submission.student == "good-first"
        return given(Ended() if lost else future, submission, options)

    monkeypatch.setattr(cluster, "received", one_is_lost)
    there = ("--scheduler", workers.scheduler_address)
    said = refused(course, "some", *there)
    assert said.startswith("Not graded, as too many workers ended: good-fir")
    table = (course / "some" / "scores.csv").read_text("utf-8")
    assert "good-first" not in table and "right-04" in table
    monkeypatch.undo()
    _, printed = grade(course, "some", *there)
    assert "\n1/1 good-first tiny: 3 points" in "\n" + printed


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SystemExit) as stop:
        cluster.connect("tcp://127.0.0.1:9")
    assert "pegasos-edu[distributed]" in str(stop.value)
    assert str(stop.value).endswith('distributed]".')


class Lacking:
    """A client of one worker, which has not this package."""

    def __init__(self, address):
        self.closed = False
        clients.append(self)

    status = "running"

    def wait_for_workers(self, count, timeout):
        assert count == 1

    def nthreads(self):
        return {"tcp://one": 1}

    def run(self, function, *arguments, workers, on_error):
        assert (workers, on_error) == (["tcp://one"], "return")
        return {"tcp://one": not function(*arguments)}

    def close(self):
        self.closed = True


clients = []


def test_a_worker_without_the_package_is_named(monkeypatch):
    monkeypatch.setattr("distributed.Client", Lacking)
    with local_cluster(0) as empty, pytest.raises(SystemExit) as stop:
        cluster.connect(empty.scheduler_address)
    assert "the worker tcp://one has no pegasos_edu; exp" in str(stop.value)
    assert clients.pop().closed


def commands_of_the_page():
    """What the page for whoever runs the server tells to type, in order."""
    page = (tasks.ROOT / "book" / "server.md").read_text("utf-8")
    section = page.partition("## Grading on several machines")[2]
    blocks = section.partition("\n## ")[0].split("```bash\n")[1:]
    lines = "".join(block.partition("```")[0] for block in blocks)
    return [shlex.split(line) for line in lines.splitlines()]


def test_grading_on_a_cluster_starts_as_the_page_says(course, tmp_path):
    """Its three commands, with this machine's address and one worker."""
    scheduler, worker, grading, *copies = commands_of_the_page()
    assert all(one[0] == "class" for one in copies)  # from the hub, and back
    assert scheduler == ["dask", "scheduler"] and worker[0] == "dask"
    assert grading[:3] == ["python", "tasks.py", "grade"]
    file = tmp_path / "scheduler.json"
    dashboard = ("--dashboard-address", "127.0.0.1:0")
    with contextlib.ExitStack() as started:

        def start(command, *options):
            """The command, until the test ends."""
            process = subprocess.Popen(
                [sys.executable, "-m", *command, *options],
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            started.callback(process.wait, 60)
            started.callback(process.terminate)

        start(
            [*scheduler, "--host", "127.0.0.1", "--port", "0"],
            *("--scheduler-file", str(file), *dashboard),
        )
        until = time.monotonic() + 120
        while not file.exists():
            assert time.monotonic() < until
            time.sleep(0.1)
        address = json.loads(file.read_text("utf-8"))["address"]
        printed = next(part for part in worker if part.startswith("tcp://"))
        start(
            [{printed: address, "4": "1"}.get(part, part) for part in worker],
            *("--local-directory", str(tmp_path), *dashboard),
        )
        folder, name, where = grading[3:]
        assert (folder, name, where) == ("submitted", "--scheduler", printed)
        one = ("--student", "good-first")
        out, _ = grade(course, "by-page", *one, name, address)
    assert contents(out) == contents(grade(course, "by-hand", *one)[0])


def test_the_lecturers_page_is_made_to_tell_a_record(tmp_path):
    """Of made-up seconds; all else on the page stays."""
    seconds = {"here, 1 at a time": 80.0, "cluster, 2 workers": 50.0}
    record = {
        "setting": {
            "command": "python -m tests.benchmarks.cluster --students 16",
            "date": "2026-11-26",
            "processor": "x86_64, 2 cores",
            "load": 0.4,
        },
        "submissions": 16,
        "a_minute": {who: 60 * 16 / took for who, took in seconds.items()},
        "parts": {"start": 21.4},
        "model": {"submissions": 1000, "minutes": {"100 workers": 0.8}},
    }
    text = (tasks.ROOT / "book" / "lecturers.md").read_text("utf-8")
    page = tmp_path / "page.md"
    page.write_text(text, "utf-8")
    for _ in range(2):  # the second time, in the place of the first
        write_page(page, record)
        found = page.read_text("utf-8")
        assert "| here, 1 at a time | 12.0 |" in found
        assert "| cluster, 2 workers | 19.2 |" in found
        assert "1,250 a minute" in found.replace("\n", " ")
        assert "About 21 seconds of a run" in found.replace("\n", " ")
        assert max(map(len, told(record).splitlines())) <= 79
        before, _, after = found.partition(told(record))
        assert text.startswith(before) and text.endswith(after)
        assert after.startswith("````\n") and found.count("cluster --st") == 1


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
