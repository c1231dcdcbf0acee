"""What a killed grader left is removed at the next start; nothing else is."""

import os
import subprocess
import sys

import pytest

from pegasos_edu.grading import temporary

CODE = """
import sys, tempfile, time
from pegasos_edu.grading import temporary
with temporary.folder(dir=sys.argv[1]) as place:
    print(place, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def killed(tmp_path):
    """A folder whose process is gone, and that of one which lives."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", CODE, str(tmp_path)],
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    places = [process.stdout.readline().strip() for process in processes]
    processes[0].kill()
    processes[0].wait()
    yield places
    processes[1].kill()
    processes[1].wait()
    for process in processes:
        process.stdout.close()


def test_what_a_killed_process_left_is_removed(tmp_path, killed):
    gone, alive = killed
    for name in ("mine", "pk", "pkbackup", "pk12-x", "pk1-2-other"):
        (tmp_path / name).mkdir()
    (tmp_path / f"pk{temporary.space()}-999999999-file").write_text("mine")
    before = set(os.listdir(tmp_path))
    assert os.path.isdir(gone)
    assert temporary.remove_left(tmp_path) == 1
    assert set(os.listdir(tmp_path)) == before - {os.path.basename(gone)}
    assert os.path.isdir(alive)


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_is_not_followed(tmp_path):
    target = tmp_path / "mine"
    target.mkdir()
    (target / "thesis").write_text("all of it")
    link = tmp_path / f"pk{temporary.space()}-999999999-x"
    link.symlink_to(target)
    assert temporary.remove_left(tmp_path) == 0
    assert (target / "thesis").exists() and link.is_symlink()


def test_a_number_that_is_anothers_by_now_is_noticed(tmp_path):
    """The folder is older than the process of that number."""
    path = tmp_path / f"{temporary.prefix()}x"
    path.mkdir()
    assert temporary.remove_left(tmp_path) == 0
    facts = temporary.NAME.fullmatch(path.name)
    assert not temporary.is_left(path, facts)


def test_another_machines_folder_is_left_alone(tmp_path, monkeypatch):
    """Two machines that share a folder both call their namespace the same."""
    path = tmp_path / f"pk{temporary.space()}-999999999-x"
    path.mkdir()
    monkeypatch.setattr(temporary.platform, "node", lambda: "another")
    assert temporary.remove_left(tmp_path) == 0 and path.is_dir()
    monkeypatch.undo()
    assert temporary.remove_left(tmp_path) == 1 and not path.exists()


def test_its_own_folders_go_by_themselves(tmp_path):
    with temporary.folder(dir=tmp_path) as place:
        assert temporary.NAME.fullmatch(os.path.basename(place))
        assert temporary.remove_left(tmp_path) == 0
        assert os.path.isdir(place)
    assert os.listdir(tmp_path) == []
