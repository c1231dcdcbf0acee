"""A notebook executed within limits, and its tests judged."""

import os
import re
import time
from contextlib import suppress
from pathlib import Path

import nbformat
import psutil
import zmq
from jupyter_client.asynchronous import AsyncKernelClient
from nbclient.exceptions import DeadKernelError
from nbformat.v4 import new_code_cell, new_output
from nbgrader.preprocessors import Execute
from traitlets import Bool, Integer, Unicode

from pegasos_edu.coursework.watch import Unwatched
from pegasos_edu.grading import temporary
from pegasos_edu.grading.judging.cells import (
    SOURCES_HELP,
    solution_path,
    without_hidden_tests,
)
from pegasos_edu.grading.judging.decoys import decoy, only_of_the_task
from pegasos_edu.grading.judging.errors import TOOK_TOO_LONG
from pegasos_edu.grading.judging.judge import (
    DATA,
    NOT_GRADED,
    VARIANT,
    Judge,
    NoAnswer,
    Remote,
    binds,
    defined,
    is_test,
    needed,
)
from pegasos_edu.grading.judging.outputs import (
    failure,
    has_error,
    joined,
    leave_it_to_the_judge,
    running_in,
    timed_out,
)
from pegasos_edu.grading.judging.restore import id_of, is_answer
from pegasos_edu.grading.sandbox.limits import (
    Watch,
    end_descendants,
    processor_times,
)
from pegasos_edu.grading.sandbox.messages import NO_MESSAGE, overwrite
from pegasos_edu.grading.sandbox.remote import Sent, load, save

# A locked cell that puts a right function in the place of a wrong one.
REPAIRED = re.compile(
    r'coursework\.repaired\(\s*"(A\d\.\w+)",\s*(\w+)(,\s*variant)?\s*\)'
)
REMOTE = (
    "__import__('pegasos_edu.grading.sandbox.remote', fromlist=['answer'])"
)
ANSWER = REMOTE + ".answer(globals(), {question!r}, {reply!r})"
TO_LEAVE = 10_000  # milliseconds that a message to the notebook may take
FRESH = 0.3  # seconds for which processes once found need not be looked for
BESIDE = (
    "more processes run beside the notebook than at its start ({} more), so "
    "what your function costs cannot be told; start none"
)
RECEIVE = REMOTE + ".receive(globals(), {path!r})"


def with_every_name(names):
    """Code after which functions that are not there are None, and no error.

    So whoever's cell could not be read loses no more than who was wrong.

    Examples
    --------
    >>> with_every_name(["step"])
    "step = globals().get('step')\\n"
    """
    return "".join(f"{name} = globals().get({name!r})\n" for name in names)


class Client(AsyncKernelClient):
    """A client that waits for no kernel whose sockets are broken.

    A student's code can write into them. Then a message may never leave; and
    so may the question whether the kernel lives, which is known without it.
    """

    def start_channels(
        self, shell=True, iopub=True, stdin=True, hb=False, control=True
    ):
        self.context.sndtimeo = TO_LEAVE
        super().start_channels(shell, iopub, stdin, False, control)

    def execute(self, code, silent=False, **options):
        """Questions are not repeated to us, nor counted, nor remembered."""
        ours = code.startswith(REMOTE)
        return super().execute(code, silent or ours, **options)


class JudgedExecute(Execute):
    """Execute a submission within limits, and judge its tests.

    Limits are on processor time, so that a busy machine costs nobody a
    point; only what waits for nothing is ended by the clock on the wall.
    The tests run twice: in the notebook, without what is hidden, for what
    the student sees; and in the grader's process, complete, for the points.
    A notebook whose process ends keeps the points it had until then.

    A function that does not come to an end costs what depends on it: cells
    that use it get `again` seconds, as it may end there, and what is lost in
    waiting for it is not counted for the others.
    """

    sources = Unicode(help=SOURCES_HELP).tag(config=True)
    total_timeout = Integer(
        120, help="Seconds of processor time for all cells together."
    ).tag(config=True)
    again = Integer(
        5, help="Seconds for a cell with a function that did not end before."
    ).tag(config=True)
    slack = Integer(
        5, help="How many times the limits the clock on the wall may show."
    ).tag(config=True)
    patience = Integer(
        5, help="Seconds to wait for a notebook that was interrupted."
    ).tag(config=True)
    isolated = Bool(False, help="Whether the notebook runs in a sandbox.").tag(
        config=True
    )
    memory = Integer(
        4096, help="Megabytes for all processes of a notebook together."
    ).tag(config=True)
    max_output = Integer(
        100_000, help="Characters of output a cell may have."
    ).tag(config=True)

    def preprocess(self, nb, resources, *arguments, **keywords):
        path = solution_path(self.sources, resources)
        self.ended = ""
        self.used = self.computed = self.lost = 0.0
        self.shown = 0.0, 0.0  # by the clocks of all processes, last time
        self.endless: set[str] = set()  # functions that did not end
        self.known = None, 0.0, []
        self.deadline = time.monotonic() + self.slack * self.total_timeout
        # The tail of an endless print may come late; it is no error.
        self.raise_on_iopub_timeout = False
        # A kernel starts late on a busy machine; the process has its limit.
        self.startup_timeout = self.slack * self.total_timeout
        self.timeout_func = self.seconds_for
        self.skip_cells_with_tag = NOT_GRADED
        self.sent = Sent()
        self.judge = Judge(path, self.ask, self.user_clock)
        self.locked = {
            id_of(cell)
            for cell in nbformat.read(path, as_version=4).cells
            if not is_answer(cell)
        }
        try:
            with temporary.folder() as folder:
                self.folder = Path(folder)
                self.reply = self.folder / "reply"
                self.reply.touch()
                self.written = [self.folder]
                with Watch(self.end, self.written, self.memory) as self.watch:
                    return super().preprocess(
                        nb, resources, *arguments, **keywords
                    )
        finally:
            end_descendants()

    def create_kernel_manager(self):
        if not self.isolated:
            super().create_kernel_manager()
        else:
            # Here, as it exists on Linux only.
            from pegasos_edu.grading.sandbox.isolation import Manager

            name = self.nb.metadata.kernelspec.name
            self.km = Manager(
                self.folder, self.reply, kernel_name=name, config=self.config
            )
            self.written.append(self.km.sockets)
        self.km.context.sndtimeo = TO_LEAVE
        self.km.client_factory = Client
        return self.km

    def start_new_kernel_client(self):
        client = super().start_new_kernel_client()
        self.at_first = len(self.processes())  # before any cell is run
        return client

    def seconds_for(self, cell):
        """At least one: nbclient takes 0 for no limit."""
        left = self.total_timeout - self.used + self.lost
        limit = (
            self.patience
            if cell is None
            else cell.get("patience", self.cell_limit)
        )
        return max(1, min(limit, left))

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type != "code":
            return cell, resources
        test = id_of(cell) if is_test(cell) else None
        waits = bool(self.endless.intersection(names_read(cell.source)))
        self.cell_limit = self.again if waits else self.timeout
        repairs = REPAIRED.findall(cell.source)
        if id_of(cell) in self.locked and not test:
            cell.source = self.without_endless(cell.source)
        elif waits and not test:
            # What an answer makes of such a function may not end either.
            self.endless |= binds(cell.source)
        if test:
            cell.source = without_hidden_tests(cell.source)
        tags = cell.metadata.get("tags", [])
        decoyed = VARIANT in names_read(cell.source)
        if DATA in tags:
            self.provide(cell, index)
        elif VARIANT in tags:
            self.run_instead(cell, decoy(self.judge.names[VARIANT]), index)
        elif test and decoyed:
            self.judge_alone(cell, test, index)
            self.nb.cells[index] = cell
            return cell, resources
        elif id_of(cell) in self.locked and (decoyed or repairs):
            source = self.without_variant(cell, index)
            there = with_every_name([name for _, name, _ in repairs])
            self.run_instead(cell, there + source, index)
        else:
            self.attempt(cell, index)
        if test:
            leave_it_to_the_judge(cell)
        if test in self.judge.tests and not has_error(cell):
            problem = self.judge.problem(test)
            if self.ended:
                cell.outputs.append(failure("ProcessEnded", self.ended))
            elif problem:
                cell.outputs.append(failure("TestFailed", problem))
        # nbclient has put the judge's questions in its place.
        self.nb.cells[index] = cell
        return cell, resources

    # A notebook of a variant is never told which: it gets a decoy. So an
    # answer that finds out what is asked answers something else.

    def run_instead(self, cell, source, index):
        """Run other code in the place of a locked cell."""
        stand_in = new_code_cell(source)
        self.attempt(stand_in, index)
        cell.outputs = stand_in.outputs
        cell.execution_count = stand_in.execution_count

    def without_variant(self, cell, index):
        """A locked cell's code as the notebook may run it."""
        self.index, self.cell_output = index, 0

        def decided(match):
            task, name, variant = match.groups()
            if not variant:
                return match[0]
            if self.judge.may_stand(task, name):
                return name
            known = only_of_the_task(task, self.judge.names[VARIANT])
            return (
                f'coursework.repaired("{task}", {name}, '
                f"coursework.variant({known!r}))"
            )

        return REPAIRED.sub(decided, cell.source)

    def without_endless(self, source):
        """A locked cell's code that tries no function that does not end."""

        def decided(match):
            task, name, variant = match.groups()
            if name not in self.endless:
                return match[0]
            self.endless.remove(name)
            return f'coursework.repaired("{task}", None{variant or ""})'

        return REPAIRED.sub(decided, source)

    def judge_alone(self, cell, test, index):
        """Let a test run in the grader's process only, and show what it says.

        Parameters
        ----------
        cell : cell
            The test, without what is hidden.
        test : str
        index : int
        """
        self.index, self.cell_output = index, 0
        cell.outputs = []
        if self.ended:
            cell.outputs = [failure("NotRun", self.ended)]
            return
        said, error = self.judge.run(cell.source)
        if said:
            cell.outputs.append(new_output("stream", name="stdout", text=said))
        problem = ""
        if error is None and cell.source != self.judge.tests[test]:
            problem = self.judge.problem(test)
        if self.ended:
            cell.outputs.append(failure("ProcessEnded", self.ended))
        elif error is not None:
            cell.outputs.append(
                new_output(
                    "error",
                    ename=type(error).__name__,
                    evalue=str(error),
                    traceback=str(error).splitlines(),
                )
            )
        elif problem:
            cell.outputs.append(failure("TestFailed", problem))

    def attempt(self, cell, index, store_history=True):
        """Run a cell, or say why it was not run."""
        late = time.monotonic() > self.deadline
        self.start_clocks()
        used = self.used - self.lost
        if not self.ended and (late or used > self.total_timeout):
            self.end(f"the notebook took more than {self.total_timeout} s")
        if self.ended:
            cell.outputs = [failure("NotRun", self.ended)]
            return
        self.cell_output = 0
        self.index = index
        try:
            self.execute_cell(cell, index, store_history=store_history)
        except DeadKernelError:
            self.ended = (
                self.ended
                or f"the notebook's process ended in cell {index + 1}"
            )
            cell.outputs.append(failure("ProcessEnded", self.ended))
        except zmq.Again:
            self.end("it takes no more messages")
            cell.outputs.append(failure("ProcessEnded", self.ended))
        except Exception as error:  # a message that is no message
            cell.outputs = [
                failure(
                    "NotRun",
                    f"what cell {index + 1} sent could not be read "
                    f"({type(error).__name__})",
                )
            ]
        self.watch.moved()
        cell.outputs = joined(cell.outputs)
        if not self.ended and timed_out(cell):
            lost = self.clock() - self.cell_used
            # Once as much again, and no more.
            lost = min(lost, self.total_timeout - self.lost)
            self.lost += lost
            self.deadline += self.slack * lost
            self.say_what_did_not_end(cell)
            self.wait_until_idle(index)

    def say_what_did_not_end(self, cell):
        """Let one error say so, by the functions that were running."""
        limit = self.seconds_for(cell)
        errors = [o for o in cell.outputs if o.output_type == "error"]
        running = running_in(errors)
        known = running in self.endless
        self.endless |= {running} - {""}
        what = running or "this cell"
        text = f"{what} did not come to an end in {limit} s"
        if known:
            text = f"{what} did not come to an end here either"
        last = failure(TOOK_TOO_LONG, text)
        if errors and not known:
            last.traceback = errors[0].traceback
        cell.outputs = [o for o in cell.outputs if o not in errors] + [last]

    def provide(self, cell, index):
        """Hand over data the judge has, instead of loading them again."""
        path = self.folder / "data"
        names = self.judge.names
        save(path, {name: names[name] for name in defined(cell.source)})
        self.attempt(new_code_cell(RECEIVE.format(path=str(path))), index)

    def wait_until_idle(self, index):
        """After a timeout: end a notebook that ignores the interrupt."""
        probe = new_code_cell("pass")
        probe["patience"] = self.patience
        self.start_clocks()
        with suppress(DeadKernelError, zmq.Again):
            self.execute_cell(probe, index, store_history=False)
        if timed_out(probe) or not probe.execution_count:
            self.end(f"cell {index + 1} could not be stopped")

    def start_clocks(self):
        self.cell_start = time.monotonic()
        self.cell_used = self.clock()

    async def _async_handle_timeout(self, timeout, cell=None):
        """nbclient's time is up: wait on if the cell has had little."""
        used = self.clock() - self.cell_used
        waited = time.monotonic() - self.cell_start
        late = waited >= self.slack * timeout
        late = late or time.monotonic() > self.deadline
        if used < 0.9 * timeout and not late:
            return None
        return await super()._async_handle_timeout(timeout, cell)

    def end(self, reason):
        self.ended = self.ended or reason
        end_descendants()

    def output(self, outs, msg, display_id, cell_index):
        """Keep no more output than a cell may have."""
        if self.cell_output > self.max_output:
            return None
        size = len(str(msg["content"]))
        self.cell_output += size
        if self.cell_output > self.max_output:
            if msg["msg_type"] != "stream":
                msg = {**msg, "msg_type": "stream"}
                msg["header"] = {**msg["header"], "msg_type": "stream"}
            msg["content"] = {
                "name": "stdout",
                "text": "\n[the rest of the output is left out]\n",
            }
        return super().output(outs, msg, display_id, cell_index)

    # The judge's line to the notebook

    def ask(self, question):
        asked = self.folder / "question"
        # The same file, as the sandbox knows no other.
        overwrite(self.reply, NO_MESSAGE)
        words = ANSWER.format(question=str(asked), reply=str(self.reply))
        cell = cell_of_ours(words)
        with self.sent.or_forgotten():
            save(asked, question, self.sent)
            self.attempt(cell, self.index, store_history=False)
            if timed_out(cell):
                raise NoAnswer(cell.outputs[-1].evalue)
            if os.lstat(self.reply).st_size <= len(NO_MESSAGE):
                raise RuntimeError(self.ended or "the notebook gave no answer")
        return load(self.reply, lambda n: Remote(self.ask, self.user_clock, n))

    def clock(self):
        """Processor time of the notebook's processes, in seconds.

        It never goes back, and goes on whatever ends: a process takes along
        what it used, unless the one that began it waits for its end.
        """
        with suppress(psutil.Error):
            times = processor_times(self.processes())
            used = sum(sum(one[:4]) for one in times)
            computed = sum(one.user + one.children_user for one in times)
            self.used += max(0.0, used - self.shown[0])
            self.computed += max(0.0, computed - self.shown[1])
            self.shown = used, computed
        return self.used

    def processes(self):
        """The notebook's processes; to find them all of the system's are
        gone through, so those found last do for a while.
        """
        pid, now = self.km.provisioner.pid, time.monotonic()
        known_pid, until, found = self.known
        if pid != known_pid or now > until:
            first = psutil.Process(pid)
            found = [first, *first.children(recursive=True)]
            self.known = pid, now + FRESH, found
        return found

    def user_clock(self):
        """The part of it that the notebook computed, not the system.

        Raises
        ------
        Unwatched
            If there are more processes than at the first cell: who lets
            others work may let them end unseen.
        """
        self.clock()
        beside = len(self.known[-1]) - self.at_first
        if beside > 0:
            raise Unwatched(BESIDE.format(beside))
        return self.computed


def cell_of_ours(source):
    """A cell to be run, as nbformat makes it; it is not checked again.

    A notebook is asked some hundred times, and each check takes as long as
    a question.
    """
    return nbformat.from_dict(
        {
            "cell_type": "code",
            "metadata": {},
            "source": source,
            "outputs": [],
            "execution_count": None,
        }
    )


def names_read(source):
    """The names that some code reads; none where it is no Python."""
    try:
        return needed(source, ())
    except (SyntaxError, ValueError, RecursionError):
        return []
