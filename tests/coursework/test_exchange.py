"""nbgrader's exchange: whose a submission is, and where feedback goes."""

import logging
import os
import time
from datetime import UTC, datetime

import pytest
from nbgrader.coursedir import CourseDirectory
from nbgrader.exchange import ExchangeFactory
from nbgrader.exchange.default import ExchangeReleaseFeedback
from nbgrader.utils import notebook_hash

from pegasos_edu.grading.__main__ import hand_back_all, parse
from pegasos_edu.grading.running.course import configure
from pegasos_edu.grading.taken_in import exchange
from pegasos_edu.grading.taken_in.collect import Submission, find_submission
from pegasos_edu.grading.terms.lateness import read_times

pytest.importorskip("pwd", reason="nbgrader's exchange needs accounts")
WHEN = "2027-05-01 08:15:00 UTC"
SECRET = "5ec2e7" * 20


@pytest.fixture(scope="module")
def gradebook(tmp_path_factory):
    """A gradebook for all tests: nbgrader takes seconds to make one."""
    return f"sqlite:///{tmp_path_factory.mktemp('book') / 'gradebook.db'}"


@pytest.fixture
def course(tmp_path, gradebook):
    """The configuration of a course with an exchange of its own."""
    config = configure(tmp_path / "course", tmp_path / "solutions")
    config.CourseDirectory.course_id = "pegasos"
    config.CourseDirectory.assignment_id = "a1"
    config.CourseDirectory.db_url = gradebook
    config.Exchange.root = str(tmp_path / "exchange")
    (tmp_path / "exchange" / "pegasos" / "inbound").mkdir(parents=True)
    (tmp_path / "course").mkdir()
    (tmp_path / "exchange").chmod(0o777)
    return config


def submit(config, name, text="{}", when=WHEN):
    """Put a submission where nbgrader does; its folder."""
    inbound = os.path.join(config.Exchange.root, "pegasos", "inbound")
    place = exchange.Path(inbound, f"{name}+a1+{when}+r4nd0m")
    place.mkdir()
    (place / "a1.ipynb").write_text(text)
    (place / "timestamp.txt").write_text(when)
    (place / "submission_secret.txt").write_text(SECRET)
    return place


def collect(config, step=exchange.Collect):
    """Collect; the folder of what was collected."""
    step(coursedir=CourseDirectory(config=config), config=config).start()
    return exchange.Path(config.CourseDirectory.root) / "submitted"


def owners(monkeypatch, **of):
    """Let folders belong to others, by the name that stands on them."""
    monkeypatch.setattr(
        exchange,
        "owner",
        lambda path: of[os.path.basename(path).partition("+")[0]],
    )


def test_each_submission_is_collected(course, monkeypatch):
    owners(monkeypatch, ada="ada", grace="grace")
    submit(course, "ada", "of ada")
    submit(course, "grace", "of grace")
    folder = collect(course)
    for name in ("ada", "grace"):
        assert (folder / name / "a1" / "a1.ipynb").read_text() == f"of {name}"


def test_a_false_name_takes_nobody_s_place(course, monkeypatch):
    # What mallory hands in as ada, later than ada, is mallory's.
    owners(monkeypatch, ada="ada", ada_="mallory")
    submit(course, "ada", "of ada")
    submit(course, "ada_", "forged", "2027-06-01 00:00:00 UTC")
    folder = collect(course)
    assert (folder / "ada" / "a1" / "a1.ipynb").read_text() == "of ada"
    assert (folder / "mallory" / "a1" / "a1.ipynb").read_text() == "forged"
    assert sorted(os.listdir(folder)) == ["ada", "mallory"]


def test_whose_a_file_is_the_system_says(course, tmp_path):
    import pwd

    own = pwd.getpwuid(os.getuid()).pw_name
    link = tmp_path / "link"
    link.symlink_to("/nowhere")
    assert exchange.owner(tmp_path) == exchange.owner(link) == own
    submit(course, "somebody-else")
    assert os.listdir(collect(course)) == [own]


def test_a_number_without_an_account_has_a_name_all_the_same(
    tmp_path, monkeypatch
):
    facts = os.lstat(tmp_path)
    monkeypatch.setattr(
        exchange.os,
        "lstat",
        lambda path: os.stat_result([*facts[:4], 4_000_000, *facts[5:10]]),
    )
    assert exchange.owner(tmp_path) == "uid-4000000"


def test_links_are_not_followed(course, monkeypatch, tmp_path):
    (tmp_path / "solution").write_text("what only the instructor can read")
    owners(monkeypatch, mallory="mallory")
    place = submit(course, "mallory")
    (place / "a1.ipynb").unlink()
    (place / "a1.ipynb").symlink_to(tmp_path / "solution")
    folder = collect(course)
    assert (folder / "mallory" / "a1" / "a1.ipynb").is_symlink()
    found = find_submission(folder / "mallory", "a1")
    assert found.path is None and "is a link" in found.problem


def test_nothing_is_collected_by_a_link_to_a_folder(
    course, monkeypatch, tmp_path, caplog
):
    owners(monkeypatch, mallory="mallory")
    other = submit(course, "mallory")
    other.rename(tmp_path / "elsewhere")
    other.symlink_to(tmp_path / "elsewhere")
    assert not (collect(course) / "mallory" / "a1").exists()


def test_one_that_cannot_be_copied_stops_no_other(course, monkeypatch, caplog):
    owners(monkeypatch, ada="ada", mallory="mallory")
    submit(course, "ada")
    os.mkfifo(submit(course, "mallory") / "pipe.ipynb")
    with caplog.at_level(logging.ERROR):
        folder = collect(course)
    assert (folder / "ada" / "a1" / "a1.ipynb").read_text() == "{}"


def test_one_that_is_too_large_is_left(course, monkeypatch):
    owners(monkeypatch, ada="ada")
    course.CourseDirectory.max_dir_size = 1
    submit(course, "ada", "x" * 2000)
    assert not (collect(course) / "ada" / "a1").exists()


def test_nbgrader_itself_takes_the_configured_one(course):
    assert ExchangeFactory(config=course).collect is exchange.Collect


# When it came


def test_no_owner_sets_the_time(course):
    begun = datetime.now(UTC).timestamp()
    place = submit(course, "ada")
    for one in (place / "a1.ipynb", place):
        os.utime(one, (0, 0))
    # A clock of the system may be a tick behind.
    assert begun - 0.1 < exchange.came(place).timestamp() < begun + 60


def test_what_was_written_last_counts(course):
    place = submit(course, "ada")
    time.sleep(0.02)
    (place / "a1.ipynb").write_text("another answer")
    last = (place / "a1.ipynb").stat().st_ctime
    assert last > place.stat().st_ctime
    assert exchange.came(place).timestamp() == pytest.approx(last, abs=1e-5)


def test_what_is_taken_away_meanwhile_came_now(tmp_path):
    moment = exchange.came(tmp_path / "gone").timestamp()
    assert moment == pytest.approx(time.time(), abs=60)


def test_when_each_came_is_noted(course, monkeypatch):
    owners(monkeypatch, ada="ada", grace="grace")
    first = datetime(2027, 5, 1, 8, 15, 3, 999, tzinfo=UTC)
    later = datetime(2027, 5, 2, tzinfo=UTC)
    monkeypatch.setattr(exchange, "came", lambda place: first)
    submit(course, "ada")
    table = collect(course).parent / "handed_in.csv"
    kept = {("a1", "ada"): first.replace(microsecond=0)}
    assert read_times(table) == kept
    # What was collected before keeps its time, but for a newer one.
    monkeypatch.setattr(exchange, "came", lambda place: later)
    submit(course, "grace")
    collect(course)
    assert read_times(table) == kept | {("a1", "grace"): later}
    submit(course, "ada", when="2027-05-02 00:00:00 UTC")
    course.ExchangeCollect.update = True
    collect(course)
    assert set(read_times(table).values()) == {later}


def test_of_what_is_not_collected_no_time_is_noted(course, monkeypatch):
    owners(monkeypatch, ada="ada")
    course.CourseDirectory.max_dir_size = 1
    submit(course, "ada", "x" * 2000)
    assert not (collect(course).parent / "handed_in.csv").exists()


# Feedback


@pytest.fixture
def collected(course, monkeypatch):
    owners(monkeypatch, ada="ada")
    submit(course, "ada")
    return find_submission(collect(course) / "ada", "a1")


# nbgrader leaves a file open.
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_nbgrader_hands_the_page_back(course, collected, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>2 of 2")
    feedback = exchange.Path(course.CourseDirectory.root) / "feedback"
    assert exchange.hand_back(page, collected, feedback)
    collect(course, ExchangeReleaseFeedback)
    name = notebook_hash(secret=SECRET, notebook_id="a1")
    place = exchange.Path(course.Exchange.root, "pegasos", "feedback")
    assert [one.name for one in place.iterdir()] == [f"{name}.html"]
    assert (place / f"{name}.html").read_text() == "<p>2 of 2"


def test_without_what_nbgrader_keeps_there_is_no_feedback(collected, tmp_path):
    page = tmp_path / "page.html"
    page.write_text("")
    (collected.path.parent / "submission_secret.txt").unlink()
    assert not exchange.hand_back(page, collected, tmp_path / "feedback")
    nothing = Submission("ada", "a1", problem="a1.ipynb was not handed in")
    assert not exchange.hand_back(page, nothing, tmp_path / "feedback")
    assert not (tmp_path / "feedback").exists()


def test_who_gets_no_feedback_is_said(collected, tmp_path, capsys):
    out = tmp_path / "grades"
    options = parse(
        ["in", "--out", str(out), "--feedback", str(tmp_path / "feedback")]
    )
    (out / "ada").mkdir(parents=True)
    (out / "ada" / "a1.html").write_text("<p>2 of 2")
    hand_back_all([collected, Submission("emmy", "a1")], options)
    said = capsys.readouterr().out
    assert said.startswith("emmy, a1: no feedback") and "ada" not in said
    made = tmp_path / "feedback" / "ada" / "a1"
    assert (made / "a1.html").read_text() == "<p>2 of 2"
    assert (made / "submission_secret.txt").read_text() == SECRET
