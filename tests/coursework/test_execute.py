"""What runs a notebook for grading: its clocks, its output, its files."""

import asyncio
import contextlib
import errno
import os
import sys
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import numpy as np
import pytest
from jupyter_client.asynchronous import AsyncKernelClient
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook, new_output

from pegasos_edu import coursework
from pegasos_edu.coursework.watch import Unwatched
from pegasos_edu.grading.judging import execute
from pegasos_edu.grading.judging.decoys import how_different
from pegasos_edu.grading.judging.errors import TOOK_TOO_LONG, condensed
from pegasos_edu.grading.judging.execute import JudgedExecute
from pegasos_edu.grading.sandbox import messages, remote
from pegasos_edu.grading.sandbox.limits import Watch


@pytest.fixture
def runner():
    """One that has never run, with a limit of ten seconds, and of hours."""
    runner = JudgedExecute()
    runner.slack = 4
    runner.watch = Watch(None, [], 0)
    runner.cell_used, runner.cell_start = 100.0, time.monotonic()
    runner.deadline = runner.cell_start + 3600
    return runner


@pytest.mark.parametrize(
    "used, waited, left, stops",
    [
        (8.0, 0, 3600, False),  # it has had little: it may go on
        (9.5, 0, 3600, True),
        (250.0, 0, 3600, True),
        (8.0, 39, 3600, False),
        (8.0, 41, 3600, True),  # four times ten seconds by the clock
        (8.0, 0, -1, True),  # the whole notebook has had its time
    ],
)
def test_a_cell_is_stopped_by_what_it_used(
    used, waited, left, stops, runner, monkeypatch
):
    async def stop(self, timeout, cell):
        return "stopped"

    monkeypatch.setattr(NotebookClient, "_async_handle_timeout", stop)
    monkeypatch.setattr(type(runner), "clock", lambda self: 100.0 + used)
    now = runner.cell_start + waited
    runner.deadline = now + left
    monkeypatch.setattr(
        execute, "time", SimpleNamespace(monotonic=lambda: now)
    )
    waits = runner._async_handle_timeout(10, None)
    # In a thread: a browser's tests leave a loop running in this one.
    with ThreadPoolExecutor() as pool:
        said = pool.submit(asyncio.run, waits).result()
    assert said == ("stopped" if stops else None)


def clocked(monkeypatch, runner, *looks):
    """A runner that sees these at one look after the other.

    Each look is what every process used, and what those it waited for did.
    """
    seen = iter(looks)

    def processes(self):
        found = [
            Times(own, 0.0, waited, 0.0, 0.0) for own, waited in next(seen)
        ]
        self.known = None, 0.0, found
        return found

    monkeypatch.setattr(type(runner), "processes", processes)
    monkeypatch.setattr(execute, "processor_times", lambda found: found)
    runner.used = runner.computed = 0.0
    runner.shown, runner.at_first = (0.0, 0.0), 99


Times = namedtuple("Times", "user system children_user children_system wait")


def test_a_process_that_ends_does_not_stop_the_clock(runner, monkeypatch):
    """Nobody waits for the second: what it used is gone from the sums."""
    clocked(
        monkeypatch,
        runner,
        [(1, 0)],
        [(1, 0), (24, 0)],
        [(2, 0)],
        [(5, 0)],
        [(5, 0), (3, 0)],
        [(5, 3)],  # it waited for this one
        [(6, 3)],
    )
    found = [runner.user_clock() for _ in range(7)]
    assert found == [1, 25, 25, 28, 31, 31, 32]


def test_nobody_works_beside_who_is_timed(runner, monkeypatch):
    clocked(monkeypatch, runner, [(1, 0)] * 3, [(1, 0)] * 4)
    runner.at_first = 3
    assert runner.user_clock() == 3
    with pytest.raises(
        Unwatched, match=r"^more processes .*\(1 more\).*start none$"
    ):
        runner.user_clock()


def interrupted(*frames):
    """The cell of a test whose time is over, as nbclient leaves it."""
    lines = ["KeyboardInterrupt     Traceback (most recent call last)"]
    lines += [f"{frame}\n----> 4     while True:" for frame in frames]
    return new_code_cell(
        "check(f)",
        outputs=[
            new_output(
                "error",
                ename="KeyboardInterrupt",
                evalue="",
                traceback=[*lines, "KeyboardInterrupt: "],
            ),
            new_output(
                "error",
                ename=TOOK_TOO_LONG,
                evalue="No reply from kernel before timeout",
                traceback=[],
            ),
        ],
    )


def said_of(runner, cell):
    runner.say_what_did_not_end(cell)
    (error,) = cell.outputs
    return condensed(error, given=True).splitlines()


def test_the_function_that_did_not_end_is_named_once(runner, monkeypatch):
    runner.endless, runner.cell_limit = set(), 30
    runner.used, runner.lost, runner.total_timeout = 30.0, 0.0, 120
    frames = (
        "Cell In[9], line 1",
        "File ~/pegasos_edu/trial.py:31, in call(function)",
        "Cell In[7], line 4, in solver(X)",
        "Cell In[5], line 4, in helper(x)",
    )
    first, *lines = said_of(runner, interrupted(*frames))
    assert first == "Not yet: solver did not come to an end in 30 s."
    assert lines[0].strip() == "in solver, line 4: while True:"
    assert runner.endless == {"solver"}
    again = said_of(runner, interrupted(*frames))
    assert again == ["Not yet: solver did not come to an end here either."]
    loop = said_of(runner, interrupted("Cell In[3], line 4"))
    assert loop == ["Not yet: this cell did not come to an end in 30 s."]


def test_a_function_without_end_is_replaced_untried(runner):
    runner.endless = {"step", "other"}
    assert runner.without_endless(
        'own = step\nstep = coursework.repaired("A1.step", step)\n'
        'size = coursework.repaired("A1.step_size", size, variant)'
    ) == (
        'own = step\nstep = coursework.repaired("A1.step", None)\n'
        'size = coursework.repaired("A1.step_size", size, variant)'
    )
    assert runner.endless == {"other"}  # from here on it is a right one


def test_a_function_that_is_not_there_is_repaired(runner, monkeypatch):
    """A colon that lacks costs what a wrong step costs."""
    ran = []
    monkeypatch.setattr(
        runner, "run_instead", lambda cell, source, index: ran.append(source)
    )
    runner.endless, runner.locked = set(), {"repaired"}
    runner.judge = SimpleNamespace(names={}, tests={})
    cell = new_code_cell(
        'own = step\nstep = coursework.repaired("A1.step", step)',
        metadata={"nbgrader": {"grade_id": "repaired", "locked": True}},
    )
    runner.nb = new_notebook(cells=[cell])
    given = cell.source
    runner.preprocess_cell(cell, {}, 0)
    names = {"coursework": coursework}
    exec(ran[0], names)
    assert names["own"] is None
    one = np.ones(1)
    assert names["step"](one, one, 1.0, 0.5, 1.0) == 0.5  # (1 − ηλ)·1
    assert cell.source == given


@pytest.mark.parametrize("kind", ["display_data", "error", "stream", "zzz"])
def test_of_too_much_output_a_sentence_is_left(kind, runner, monkeypatch):
    """Whatever it was, it is shown as text; what comes later is not."""
    shown = []
    monkeypatch.setattr(
        NotebookClient,
        "output",
        lambda self, outs, msg, *rest: shown.append(msg),
    )
    runner.cell_output, runner.max_output = 0, 50

    def send(text):
        msg = {
            "header": {"msg_type": kind},
            "msg_type": kind,
            "content": {"data": {"text/plain": text}},
        }
        runner.output([], msg, None, 0)

    send("x")
    assert shown[0]["msg_type"] == kind and "x" in str(shown[0]["content"])
    send("y" * 60)
    assert shown[1]["msg_type"] == "stream"
    assert shown[1]["header"]["msg_type"] == "stream"
    assert "the rest of the output is left out" in shown[1]["content"]["text"]
    assert "y" not in str(shown[1]["content"]["text"])
    send("z")
    assert len(shown) == 2


@pytest.mark.parametrize(
    "code, silent",
    [
        (execute.ANSWER.format(question="q", reply="r"), True),
        (execute.RECEIVE.format(path="p"), True),
        ("step(w)", False),
        ("pass", False),  # whether it is counted tells whether it was run
    ],
)
def test_a_question_is_not_repeated_to_us(code, silent, monkeypatch):
    """To send it back, count it and look after history took a fifth more."""
    sent = []
    monkeypatch.setattr(
        AsyncKernelClient,
        "execute",
        lambda self, *words, **options: sent.append((*words, options)),
    )
    execute.Client().execute(code, store_history=False)
    assert sent == [(code, silent, {"store_history": False})]


def test_in_how_many_ways_two_variants_differ():
    assert how_different({"t0": 2}, {"t0": 2}) == 0
    assert how_different({"t0": 2, "k": 3}, {"t0": 1, "k": 3}) == 1
    assert how_different({"t0": 2}, {"k": 3}) == 2
    assert how_different({}, {"k": 3, "t0": 1, "returns": "half"}) == 3


@pytest.mark.skipif(sys.platform == "win32", reason="no such files there")
def test_only_a_file_itself_is_written_over(tmp_path):
    """Not what a link leads to; and nobody waits for who reads a pipe."""
    kept, path = tmp_path / "kept", tmp_path / "path"
    kept.write_text("a secret")
    path.symlink_to(kept)
    with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
        messages.overwrite(path, b"")
    assert kept.read_text() == "a secret"
    before = kept.stat().st_ino
    messages.overwrite(kept, b"short")
    assert kept.read_text() == "short" and kept.stat().st_ino == before
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=os.strerror(errno.ENXIO)):
        messages.overwrite(tmp_path / "pipe", b"")
    with pytest.raises(FileNotFoundError):
        messages.overwrite(tmp_path / "none", b"")


def printed(text, name="stdout"):
    return new_output("stream", name=name, text=text)


def test_in_how_many_pieces_a_print_comes_is_not_seen(runner, monkeypatch):
    """Chance decides that, and a page is to be the same each time."""
    picture = new_output("display_data", data={"image/png": "…"})
    sent = {
        "whole": [printed("a\nb\n"), printed("!", "stderr")],
        "pieces": [printed("a\n"), printed("!", "stderr"), printed("b\n")],
        "errors first": [printed("!", "stderr"), printed("a\nb\n")],
    }
    runner.total_timeout, runner.ended = 60, ""
    runner.used = runner.lost = 0.0
    monkeypatch.setattr(type(runner), "clock", lambda self: 100.0)
    seen = {}
    for name, outputs in sent.items():

        def answer(self, cell, *_, outputs=outputs, **__):
            cell.outputs = [*outputs, picture, printed("c\n")]

        monkeypatch.setattr(type(runner), "execute_cell", answer)
        cell = new_code_cell("1 + 1")
        runner.attempt(cell, 0)
        seen[name] = cell.outputs
    whole = [printed("a\nb\n"), printed("!", "stderr")]
    for outputs in seen.values():
        assert outputs == [*whole, picture, printed("c\n")]


@pytest.mark.parametrize("arrives", [True, False])
def test_a_question_without_a_reply_leaves_nothing_that_counts_as_sent(
    runner, tmp_path, monkeypatch, arrives
):
    """Else the next would name what the notebook has not."""
    X = np.arange(100_000.0)
    X.flags.writeable = False
    runner.folder, runner.reply = tmp_path, tmp_path / "reply"
    runner.reply.touch()
    runner.sent, runner.ended, runner.index = remote.Sent(), "", 0

    def attempt(cell, index, store_history):
        if arrives:
            remote.save(runner.reply, {"value": 7})

    monkeypatch.setattr(runner, "attempt", attempt)
    nothing = contextlib.nullcontext()
    refusal = pytest.raises(RuntimeError, match="gave no answer")
    with nothing if arrives else refusal:
        assert runner.ask({"name": X}) == {"value": 7}
    assert len(runner.sent.values) == arrives
