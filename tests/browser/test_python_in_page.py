"""Code cells that run in the page, with the genuine files of Pyodide.

They are taken from PEGASOS_KIT, or from ../shared/pyodide beside the project.
"""

import contextlib
import csv
import errno
import hashlib
import io
import json
import linecache
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
import urllib.request
import zipfile

import nbformat
import numpy as np
import pytest
from live_code import kit as kit_files
from live_code import make as live_code
from live_code import serve
from playwright.sync_api import expect

import tasks
from pegasos_edu import explore
from pegasos_edu.coursework import check
from pegasos_edu.coursework.zoo import ZOO
from tests.browser import kit
from tests.browser.access import findings
from tests.browser.conftest import PATIENCE, PHONE, WIDE
from tests.coursework import isolated
from tests.signals import hear_ctrl_c

SOLVERS = [each for each in ZOO if each.task == live_code.TASK]
CHAPTER = "book/margins"
ASSIGNMENTS = sorted(
    f"book/assignments/{path.stem}"
    for path in tasks.ASSIGNMENTS.glob("a?.ipynb")
)
LONG = "book/steps"
PAGES = ["book/pegasos", "book/bug_zoo", CHAPTER, LONG, *ASSIGNMENTS]
# Python's own steps, steps inside compiled code, too much memory or output.
BOMBS = {
    "loop": "while True:\n    pass",
    "compiled loop": "print(1)\nsum(iter(int, 1))",
    "memory": "kept = []\nwhile True:\n    kept.append(bytearray(10**8))",
    "print": "for _ in range(300_000):\n    print('x' * 80)\nprint('end')",
}


# An editor shows what a text area, which it hides, holds: for both the same.
PUT = """
(area, text) => {
  area.value = text;
  area.dispatchEvent(new Event("input"));
}
"""


# The states of a cell that has ended, as a pattern.
ENDED = "done|error|interrupted|stopped"


def put(area, text):
    """Have a cell hold this code."""
    area.evaluate(PUT, text)


@pytest.fixture(scope="module")
def genuine():
    """The folder with the files of Pyodide."""
    folder = kit.find()
    if folder is None:
        pytest.skip(kit.MISSING)
    return folder


@pytest.fixture(scope="module")
def live_site(site, genuine, tmp_path_factory):
    """Some pages of the book, with Python added."""
    folder = tmp_path_factory.mktemp("python")
    some = folder / "some"
    shutil.copytree(
        site / "_static", some / "_static", copy_function=live_code.link
    )
    (some / "book/assignments").mkdir(parents=True)
    for name in PAGES:
        live_code.link(site / f"{name}.html", some / f"{name}.html")
    live_code.make(some, folder / "live", genuine)
    return folder / "live"


class Recorder(serve.Handler):
    asked: list[str] = []  # noqa: RUF012 (all requests, of all readers)

    def log_request(self, *words):
        self.asked.append(self.path)


@pytest.fixture(scope="module")
def address(live_site):
    """The site by HTTP, as `tasks.py serve` serves it."""
    with kit.served(live_site, Recorder) as address:
        yield address


class Reader:
    """A window with one page; ``asked`` lists what the page asked for."""

    def __init__(self, browser, viewport=WIDE):
        self.context = browser.new_context(
            viewport=viewport, has_touch=viewport is PHONE
        )
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.asked, self.errors = [], []
        self.page.on("request", lambda sent: self.asked.append(sent.url))
        self.page.on("pageerror", lambda error: self.errors.append(error))

    def open(self, url):
        self.page.goto(url)
        self.be_patient(PATIENCE)
        self.own = self.page.locator(".pegasos-own")
        self.code = self.own.locator("textarea")
        self.editor = self.own.get_by_role("textbox")
        self.shown = self.own.locator(".pegasos-shown")

    def be_patient(self, milliseconds):
        """What the page's Python is given to hear a Ctrl+C."""
        self.page.evaluate(f"PegasosPython.patience = {milliseconds}")

    def button(self, name):
        return self.own.locator(".pegasos-button", has_text=name)

    def limit(self, seconds):
        self.own.evaluate(f"(own) => {{ own.dataset.seconds = {seconds}; }}")

    @contextlib.contextmanager
    def answering(self, yes):
        """What is done meanwhile has the page ask once; its answer.

        Only once it was given: the next answer is for the next question.
        """
        with self.page.expect_event("dialog") as asked:
            self.page.once(
                "dialog",
                lambda asks: asks.accept() if yes else asks.dismiss(),
            )
            yield
        assert asked.value

    def start(self, code=None):
        if code is not None:
            put(self.code, code)
        self.button("Run").click()

    def ended(self):
        """Wait for the end; what the cell showed."""
        ended = re.compile(ENDED)
        expect(self.shown).to_have_attribute("data-state", ended)
        return self.shown.inner_text()

    def run(self, code=None):
        self.start(code)
        return self.ended()


@pytest.fixture(scope="module")
def reader(browser, address):
    """At the chapter on Pegasos, by HTTP."""
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    yield reader
    reader.context.close()


def with_head(code):
    return live_code.HEAD + code + live_code.CHECK


def ask_of_kit(urls):
    return [url for url in urls if "/python/kit/" in url]


# What a reader sees, by HTTP; one page, so the order counts


def test_nothing_is_asked_for_before_the_first_run(reader):
    reader.page.wait_for_load_state("networkidle")
    reader.code.click()
    assert reader.editor.get_attribute("class") == "pegasos-code"
    assert not ask_of_kit(reader.asked) + ask_of_kit(Recorder.asked)
    assert not any("editor" in url for url in reader.asked)


def test_the_stub_and_a_right_answer(reader, address):
    assert f"{live_code.TASK}: not yet" in reader.run()
    shown = reader.run(with_head(kit.RIGHT))
    assert shown.strip() == str(check(live_code.TASK, solver(kit.RIGHT)))
    assert any("scipy" in url for url in ask_of_kit(Recorder.asked))
    unneeded = re.compile("scikit|matplotlib|pillow")
    assert not any(unneeded.search(url) for url in Recorder.asked)
    # The page makes the script of its worker itself.
    own = (address, f"blob:{address}")
    assert all(url.startswith(own) for url in reader.asked)


def solver(code):
    """The solver of a cell, for CPython; reports quote its lines."""
    names, cell = {}, with_head(code)
    linecache.cache["cell"] = len(cell), None, cell.splitlines(True), "cell"
    exec(compile(live_code.HEAD + code, "cell", "exec"), names)
    return names["my_pegasos"]


# Which parts of SciPy came, after the answer of a first cell.
CAME = """
import sys
[name for name in in_page.LATE if not isinstance(sys.modules[name], \
in_page.Late)]
"""
# Imported in the order that a module of SciPy itself never does.
ALL_THERE = """
import scipy.sparse.linalg as first
import numpy as np, scipy, scipy.optimize, scipy.special
from pegasos_edu.problem import checks
from scipy.sparse import csr_matrix, issparse
X = csr_matrix(np.eye(3))
print(first is sys.modules["scipy"].sparse.linalg, checks.sp is scipy.sparse)
print(checks.sp.issparse(X), issparse(X), issparse(np.eye(3)), first.norm(X))
print(scipy.optimize.brentq(np.cos, 1, 2), scipy.special.expit(0))
print(scipy.linalg.cho_factor(4 * np.eye(1))[0], scipy.__version__)
"""


def test_scipy_comes_when_it_is_used_or_all_is_idle(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    # The first cell asks in the turn in which it ran.
    came = f"import in_page\n{CAME}"
    shown = reader.run(with_head(kit.RIGHT) + came)
    assert "passed" in shown and shown.rstrip().endswith("[]")
    deadline = time.monotonic() + PATIENCE / 1000
    while "scipy.sparse" not in reader.run(came):
        assert time.monotonic() < deadline
        reader.page.wait_for_timeout(1000)
    reader.context.close()


DAMAGE = """async () => {
  const store = await caches.open("pegasos-python");
  for (const name of await store.keys()) {
    await store.put(name, new Response("damaged"));
  }
}"""
# Whether numpy's bytecode was there before its source: see PEP 552.
UNCHECKED = """

import numpy

with open(numpy.__cached__, "rb") as file:
    print("unchecked:", file.read(8)[4])
"""


# Other bytes of the memory that is kept, with their own sum.
SPOIL = """async () => {
  const store = await caches.open("pegasos-python");
  const [name] = (await store.keys()).filter(({ url }) =>
    url.endsWith("/memory"));
  const found = await store.match(name);
  const bytes = new Uint8Array(await found.arrayBuffer());
  bytes.fill(7, bytes.length >> 1);
  const sum = await crypto.subtle.digest("SHA-256", bytes);
  const hex = [...new Uint8Array(sum)].map((byte) =>
    byte.toString(16).padStart(2, "0")).join("");
  const headers = { "X-SHA-256": hex };
  await store.put(name, new Response(bytes, { headers }));
}"""
UNREACHED = """
import js

print(hasattr(js, "caches"), js.eval("typeof kept + typeof runCell"))
"""


def test_no_cell_reaches_what_is_kept_for_the_next_start(reader):
    shown = reader.run(UNREACHED)
    assert shown.strip() == "False undefinedundefined"


def test_a_start_from_a_memory_that_is_spoilt_is_not_tried_twice(
    browser, address
):
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    reader.run("1 + 1")
    reader.page.evaluate(kit.KEPT)
    reader.page.evaluate(SPOIL)
    reader.open(f"{address}/book/pegasos.html")
    assert "Python could not be started" in reader.run("6 * 7")
    reader.open(f"{address}/book/pegasos.html")
    assert reader.run("6 * 7").strip() == "42"
    assert reader.page.evaluate("PegasosPython.again") is False
    reader.context.close()


def test_a_second_start_takes_what_the_first_one_kept(browser, address):
    reader = Reader(browser)
    found = []
    for wanted in (False, True, False, True):
        reader.open(f"{address}/book/pegasos.html")
        shown = reader.run(with_head(kit.RIGHT) + UNCHECKED)
        assert reader.page.evaluate("PegasosPython.again") is wanted
        told, unchecked = shown.split("unchecked: ")
        found.append(told)
        assert int(unchecked) == wanted
        assert reader.page.evaluate(kit.KEPT) == [
            "bytecode-first",
            "bytecode-scipy",
            "memory",
        ]
        if wanted:
            reader.page.evaluate(DAMAGE)
    right = str(check(live_code.TASK, solver(kit.RIGHT)))
    assert [text.strip() for text in found] == [right] * 4
    assert not reader.errors
    reader.context.close()


def test_what_comes_late_is_the_same_module_for_all(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    shown = reader.run(f"import in_page\n{CAME}{ALL_THERE}{CAME}")
    assert shown.splitlines() == [
        "True True",
        "True True False 1.7320508075688772",
        "1.5707963267948966 0.5",
        "[[2.]] 1.14.1",
        "['scipy', 'scipy.special', 'scipy.linalg', 'scipy.sparse']",
    ]
    assert not reader.errors
    reader.context.close()


# Compiled libraries by what is left of their files.
FILES = """
import os, sys
import numpy.random, scipy.linalg, scipy.sparse, scipy.special
scipy.linalg.inv([[2.0]]), scipy.sparse.eye(2), scipy.special.expit(0)
files = {str(getattr(one, "__file__", "")) for one in sys.modules.values()}
files = [name for name in files if name.endswith(".so")]
print(len(files) > 30, sum(os.path.getsize(name) for name in files))
"""


def test_what_was_loaded_is_not_held_a_second_time(reader):
    assert reader.run(FILES).strip() == "True 0"


def test_a_stop_while_scipy_comes_lets_it_come_again(browser, address):
    """A loop below it: the Stop may come before or after."""
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    reader.start(
        "print('begun')\nimport scipy.sparse as sp\n"
        "sp.eye(2)\nwhile True:\n    pass"
    )
    expect(reader.shown).to_contain_text("begun")
    reader.button("Stop").click()
    assert reader.ended().rstrip().endswith("Stopped.")
    shown = reader.run("import scipy.sparse as sp\nint(sp.eye(2).sum())")
    assert shown.strip() == "2"
    reader.context.close()


def test_an_error_is_told_by_the_own_lines_alone(reader):
    shown = reader.run("import numpy as np\n\nnp.ones(3) @ np.ones(2)")
    assert 'File "your code, Write your own", line 3' in shown
    assert shown.count("File") == 1 and "ValueError: matmul" in shown


ANSWERS = {"a number": "return 1", "an error": "raise RuntimeError(name)"}


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_error_that_answers_to_any_name_is_an_error(reader, answer):
    shown = reader.run(
        "class Own(Exception):\n    def __getattr__(self, name):\n"
        f"        {ANSWERS[answer]}\n\nraise Own('mine')"
    )
    # Python may say more, or fail to say the text.
    assert "Own" in shown.split("line 5")[1]
    assert "started anew" not in shown


def test_stop_ends_a_loop_and_python_keeps_its_names(reader):
    reader.run("kept = 7")
    reader.start(f"print('begun')\n{BOMBS['loop']}")
    expect(reader.shown).to_contain_text("begun")
    reader.button("Stop").click()
    assert reader.ended().rstrip().endswith("Stopped.")
    state = reader.own.locator(".pegasos-state")
    expect(state).to_have_text("Stopped.")
    expect(reader.button("Stop")).to_be_disabled()
    error = reader.shown.locator(".pegasos-error")
    assert "begun" not in error.inner_text()
    assert re.search("line [23], in", reader.shown.inner_text())
    assert reader.run("kept").strip() == "7"


def test_a_stop_ends_a_sleep(reader):
    reader.run("kept = 7")
    reader.start("import time\nprint('begun')\ntime.sleep(3600)")
    expect(reader.shown).to_contain_text("begun")
    reader.button("Stop").click()
    assert reader.ended().rstrip().endswith("Stopped.")
    assert "line 3, in" in reader.shown.inner_text()
    assert reader.run("kept").strip() == "7"
    shown = reader.run("import time\ntime.sleep(-1)")
    assert shown.rstrip().endswith("sleep length must be non-negative")


# What Pyodide does at each of its looks, with the click on Stop between.
LOST = """
() => {
  const signal = new Uint8Array(1);
  const seen = interrupts(signal);
  const look = (between) => {
    const value = seen[0];
    between();
    seen[0] = 0;
    return value;
  };
  const nothing = () => {};
  return [look(nothing), look(() => { signal[0] = 2; }), look(nothing),
    look(nothing)];
}
"""


def test_a_stop_between_the_look_and_the_zero_is_not_lost(desk):
    # Its block ends with the file; nothing of it is seen from outside.
    script = (live_code.BROWSER / live_code.WORKER).read_text("utf-8")
    inside = script.rstrip().removesuffix("}")
    desk.page.add_script_tag(
        content=f"{inside}self.interrupts = interrupts;\n}}"
    )
    assert desk.page.evaluate(LOST) == [0, 0, 2, 0]


OWN_SOLVERS = {
    "raise": ("    raise ValueError('mine')", "raised ValueError: mine"),
    "shape": ("    return X[0, 0]", "returned an array of shape ()"),
    "nan": ("    return X[0] * np.nan", "expected finite numbers"),
    "long": ("    return X[0] * 1e200", "f(w) is infinite"),
    "nothing": ("    w = X[0]", "returned nothing; expected the weight"),
    "slow": (
        "    while True: pass",
        "Your solver took more than 1 seconds for this drawing: try fewer "
        "steps, and look for a loop without end. in my_pegasos, line 6: while",
    ),
}


def see_own(reader, code, seconds=PATIENCE / 1000):
    """Run a cell that hands a solver to the figure; the figure."""
    reader.page.evaluate(f"PegasosPython.drawing = {seconds}")
    reader.run(code)
    reader.button("See your solver").click()
    return reader.page.locator(
        ".pegasos-live", has=reader.page.locator("input[data-key=seed]")
    )


def back(reader):
    reader.page.get_by_text("Back to the book's solver").click()


def agrees(host, ours, state):
    """The figure, moved to a state, shows what ours gives in CPython."""
    for control in ours.controls:
        place = control.values.index(state[control.key])
        host.locator(f"input[data-key={control.key}]").fill(str(place))
    expected = ours.draw(**state).readouts
    for readout in ours.readouts:
        shown = host.locator(f"dd[data-key={readout.key}]")
        value = expected[readout.key]
        expect(shown).to_have_text(readout.text(value))
        there = float(shown.get_attribute("data-value"))
        assert there == pytest.approx(value, rel=1e-9)


def test_the_live_figure_draws_the_readers_solver(reader):
    source = kit.RIGHT.replace("< 1", "< 0.5")
    host = see_own(reader, f"{live_code.EXPLORE}{source}{live_code.SEE}")
    expect(reader.page.get_by_text("Drawn by your solver.")).to_be_visible()
    names = {"np": np}
    exec(source, names)
    ours = explore(solver=names["my_pegasos"])
    first = {"lam": 0.1, "T": 300, "seed": 3}
    agrees(host, ours, first)
    agrees(host, ours, {"lam": 0.01, "T": 1000, "seed": 0})
    back(reader)
    agrees(host, explore(), first)


@pytest.mark.parametrize("name", OWN_SOLVERS)
def test_the_live_figure_says_why_it_cannot_draw(reader, name):
    body, message = OWN_SOLVERS[name]
    code = f"{live_code.EXPLORE}def my_pegasos(X, y, lam, order):\n{body}"
    seconds = 1 if name == "slow" else PATIENCE / 1000
    see_own(reader, f"{code}\n{live_code.SEE}", seconds)
    said = reader.page.locator("[role=status]", has_text=message)
    expect(said).to_be_visible()
    back(reader)


def test_a_solver_that_cannot_be_interrupted_is_told_and_left(reader):
    """Python ends, and the figure is the book's; both are said."""
    code = (
        f"{live_code.EXPLORE}def my_pegasos(X, y, lam, order):\n"
        f"    sum(range(10**12))\n{live_code.SEE}"
    )
    reader.be_patient(500)
    see_own(reader, code, 1)
    said = reader.page.locator(
        "[role=status]:not(.pegasos-state)", has_text="may take 1 seconds."
    )
    expect(said).to_contain_text("drawn by the book's solver.")
    expect(reader.page.get_by_text("Back to the book's")).to_have_count(0)
    reader.page.get_by_role("button", name="To your code").click()
    expect(reader.editor).to_be_focused()
    reader.be_patient(PATIENCE)
    good = f"{live_code.EXPLORE}{kit.RIGHT}{live_code.SEE}"
    see_own(reader, good)
    expect(reader.page.get_by_text("Drawn by your solver.")).to_be_visible()
    expect(said).to_have_count(0)
    back(reader)


# The note's upper edge, and the lower one of the bar that covers the page.
EDGES = """(note) => [note.getBoundingClientRect().top,
  document.querySelector(".bd-header-article").getBoundingClientRect().bottom]
"""


def test_what_the_figure_says_is_seen_and_leads_back(reader):
    code = (
        f"{live_code.EXPLORE}def my_pegasos(X, y, lam, order):\n"
        f"    raise ValueError('seen')\n{live_code.SEE}"
    )
    see_own(reader, code)
    note = reader.page.get_by_text("raised ValueError: seen")
    expect(note).to_be_in_viewport()
    top, covered = note.evaluate(EDGES)
    assert top >= covered > 0
    reader.page.get_by_role("button", name="To your code").click()
    expect(reader.editor).to_be_focused()
    expect(reader.editor).to_be_in_viewport()
    back(reader)


# What fills the memory, and what is left of Python then.
FULL_OF = {
    "bytes": BOMBS["memory"],
    "arrays": (
        "import numpy as np\n\nkept = []\nwhile True:\n"
        "    kept.append(np.ones(10**7))"
    ),
    "lists": "kept = []\nwhile True:\n    kept.append([0] * 100)",
    "small arrays": (
        "import numpy as np\n\nkept = []\nwhile True:\n"
        "    kept.append(np.ones(1000))"
    ),
}


@pytest.mark.parametrize("name", FULL_OF)
def test_a_full_memory_has_python_started_anew(reader, name):
    shown = reader.run(FULL_OF[name])
    assert "was full. The page's Python was started anew" in shown
    assert reader.run("'kept' in globals()").strip() == "False"
    # What needs more room than the names of a few objects.
    assert reader.run("import scipy.sparse.linalg\n6 * 7").strip() == "42"


def test_one_array_too_large_takes_no_names(reader):
    reader.run("kept = 7")
    shown = reader.run("import numpy as np\n\nnp.ones(2 * 10**8)")
    assert "line 3" in shown
    assert shown.rstrip().endswith("MemoryError: a page has 1 GB for Python.")
    assert reader.run("kept").strip() == "7"


def test_a_page_survives_too_much_memory_and_output(reader):
    shown = reader.run(BOMBS["memory"])
    assert "line 3" in shown and "MemoryError" in shown
    shown = reader.run(BOMBS["print"])
    assert "more than 100,000 characters" in shown
    assert 100_000 < len(shown) < 101_000 and "end" not in shown
    assert reader.run("6 * 7").strip() == "42"


DEEP = {
    "calls": "def f(n):\n    return max([n], key=lambda k: f(k + 1))\nf(0)",
    "lists": "x = []\nfor _ in range(10**5):\n    x = [x]\nrepr(x)",
}


@pytest.mark.parametrize("name", DEEP)
def test_a_raised_recursion_limit_is_told_in_a_sentence(reader, name):
    code = f"import sys\nsys.setrecursionlimit(10**6)\n{DEEP[name]}"
    assert reader.run(code).strip() == (
        "This cell calls itself more deeply than a page can. The page's "
        "Python was started anew: it has forgotten all names."
    )
    assert reader.run("6 * 7").strip() == "42"


def test_a_recursion_without_limit_is_told_as_what_it_is(reader):
    shown = reader.run(
        "import sys\nsys.setrecursionlimit(10**7)\n"
        "def f(n):\n    return f(n + 1)\nf(0)"
    )
    assert "in f\n    return f(n + 1)" in shown
    assert "MemoryError: a page has 1 GB for Python." in shown
    assert reader.run("6 * 7").strip() == "42"


def test_a_lost_stdout_is_back_in_the_next_cell(reader):
    assert reader.run("import sys\nsys.stdout = None\nprint(1)") == ""
    assert reader.run("print(2)\n6 * 7").split() == ["2", "42"]


@pytest.mark.parametrize("line", ["%timeit 6 * 7", "!pip install numpy"])
def test_a_command_of_jupyter_is_told_from_python(reader, line):
    assert reader.run(f"print(1)\n{line}").strip() == (
        f"SyntaxError: {line.split()[0]} is a command of Jupyter, which a "
        "page does not have."
    )


def test_input_says_that_a_page_cannot_ask(reader):
    shown = reader.run("name = input('Your name? ')")
    assert "line 1" in shown and shown.rstrip().endswith(
        "RuntimeError: input() cannot ask in a page: write the value into "
        "the cell."
    )
    assert "I/O" not in shown


# Each is far more than a page can show at once.
TOO_MUCH = {
    "display": "for _ in range(300_000):\n    display('spam')",
    "tables": (
        "from IPython.display import HTML\n"
        "for _ in range(300_000):\n    display(HTML('<b>x</b>'))"
    ),
    "pictures": (
        "import in_page\n"
        "for _ in range(3000):\n"
        "    in_page.show_pictures({'light': '', 'dark': ''})"
    ),
    "value": "'x' * 30_000_000",
}


@pytest.mark.parametrize("name", TOO_MUCH)
def test_all_that_a_cell_shows_is_limited(reader, name):
    shown = reader.run(TOO_MUCH[name])
    assert "more than 100,000 characters" in shown
    assert len(shown) < 101_000
    assert reader.shown.locator("*").count() < 500
    assert reader.run("6 * 7").strip() == "42"


LEADS = {
    "cause": (
        "def look():\n    {}['a']\n\ntry:\n    look()\n"
        "except KeyError as error:\n    raise ValueError('none') from error",
        "The above exception was the direct cause of the following exception:",
    ),
    "context": (
        "def look():\n    {}['a']\n\ntry:\n    look()\n"
        "except KeyError:\n    raise ValueError('none')",
        "During handling of the above exception, another exception occurred:",
    ),
}


@pytest.mark.parametrize("how", LEADS)
def test_what_led_to_an_error_is_told_before_it(reader, how):
    code, words = LEADS[how]
    first, last = reader.run(code).split(f"\n\n{words}\n\n")
    assert "line 5, in <module>" in first and "line 2, in look" in first
    assert first.endswith("KeyError: 'a'")
    assert "line 7, in <module>" in last and "KeyError" not in last
    assert last.rstrip().endswith("ValueError: none")


def test_an_error_from_none_or_of_a_library_stands_alone(reader):
    shown = reader.run(
        "try:\n    1 / 0\nexcept ZeroDivisionError:\n"
        "    raise ValueError('none') from None"
    )
    assert "exception" not in shown and shown.count("File") == 1
    # A library met an error of its own before.
    shown = reader.run("import json\n\njson.loads('[1, }')")
    assert shown.count("File") == 1 and "exception" not in shown


def test_the_parts_of_a_group_are_named(reader):
    shown = reader.run(
        "def part(n):\n    raise ValueError(n)\n\nerrors = []\n"
        "for n in (7, 8):\n    try:\n        part(n)\n"
        "    except ValueError as error:\n        errors.append(error)\n"
        "raise ExceptionGroup('both', errors)"
    )
    head, first, second = re.split(r"\n  Part \d of 2:\n", shown)
    assert head.endswith("ExceptionGroup: both (2 sub-exceptions)")
    assert "line 10, in <module>" in head
    for part, n in ((first, 7), (second, 8)):
        assert "line 2, in part" in part
        assert part.rstrip().endswith(f"ValueError: {n}")


def test_an_await_outside_a_function_is_told(reader):
    shown = reader.run("import asyncio\nawait asyncio.sleep(0)")
    assert "line 2" in shown
    assert shown.rstrip().endswith(
        "SyntaxError: 'await' outside function: a page cannot wait for what "
        "comes later"
    )


def test_the_colours_of_a_terminal_are_left_out(reader):
    shown = reader.run(
        "print('\\x1b[1;31mred\\x1b[0m, \\x1b]8;;x\\x1b\\\\link')\n"
        "raise ValueError('\\x1b[32mgreen\\x1b[m')"
    )
    printed = reader.shown.locator(".pegasos-printed-text").inner_text()
    assert printed.strip() == "red, link"
    assert shown.rstrip().endswith("ValueError: green")
    assert "\x1b" not in shown


# What a cell may do to the page's Python. It is mended at once, or it is told,
# and Python starts anew; in either case the next cell runs.
MENDED = {
    "names": "import builtins\nbuiltins.__dict__.clear()",
    "print": "import builtins\nbuiltins.print = builtins.len = None",
    "no names": "__builtins__ = None",
}
BROKEN = {
    "modules": "import sys\nsys.modules.clear()",
    "imports": "import sys\nsys.meta_path.clear()",
    "exit": "import os\nos._exit(1)",
    "bytes": "import ctypes\nctypes.memset(1024, 255, 10**7)",
    "what tells": "import traceback\ntraceback.extract_tb = None\n1 / 0",
}


@pytest.mark.parametrize("how", MENDED)
def test_python_has_its_own_names_back_after_a_cell(reader, how):
    reader.run("kept = 7")
    assert "started anew" not in reader.run(MENDED[how])
    assert reader.run("print(len([kept]), kept)").strip() == "1 7"


@pytest.mark.parametrize("how", BROKEN)
def test_a_cell_that_broke_python_says_so_and_the_next_runs(reader, how):
    assert reader.run(BROKEN[how]).strip() == (
        "This cell, or one before it, broke the page's Python. The page's "
        "Python was started anew: it has forgotten all names."
    )
    assert reader.run("print(6)\n6 * 7").split() == ["6", "42"]


def test_what_breaks_only_later_is_told_then(reader):
    reader.run("import linecache\nlinecache.cache = None")
    assert reader.run("6 * 7").startswith("This cell, or one before it, broke")
    assert reader.run("6 * 7").strip() == "42"


# In JavaScript, which may do more than Python's way to it.
AS_SCRIPT = "import js\njs.Function.new({!r})()"


def test_a_cell_does_not_close_or_silence_python(reader):
    reader.run("kept = 7")
    shown = reader.run(AS_SCRIPT.format("self.close()"))
    assert "a cell cannot close the page's Python" in shown
    reader.run(
        AS_SCRIPT.format("self.onmessage = null; self.postMessage = null")
    )
    assert reader.run("kept").strip() == "7"


# What a cell may show as HTML, and what it may not.
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAA"
    "DUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
HARMLESS = (
    '<p>Two <b>bold</b> <code>words</code></p><table class="numbers"><tr>'
    '<td style="text-align: right; color: red">7</td></tr></table>'
    f'<details open><summary>More</summary><img alt="dot" src="{PIXEL}">'
    "</details>"
)
HARMFUL = """
<img src=x onerror="document.title = 'hacked'"><img src="{elsewhere}/a.png">
<b id="pegasos-keys" class="fixed-top" onclick="document.title = 'hacked'"
style="position: fixed; inset: 0; z-index: 9999; margin: -999px;
background: red url({elsewhere}/b.png)">cover</b>
<style>article {{ display: none }}</style><link rel=stylesheet
href="{elsewhere}/c.css"><script>document.title = "hacked"</script>
<iframe src="{elsewhere}/d"></iframe><svg><script>document.title = "hacked"
</script><image href="{elsewhere}/e.png"></svg><form action="{elsewhere}">
<button>Go</button></form><a href="javascript:document.title = 'hacked'">a</a>
<math><mtext><table><mglyph><style><img src=x
onerror="document.title = 'hacked'"></style></mglyph></table></mtext></math>
<custom-tag>inside</custom-tag>
"""
HTML = 'from IPython.display import HTML\nHTML("""{}""")'
# Whether the box is what is seen at some place of the page.
COVERS = """(box) => [[5, 5], [640, 5], [1270, 790]].some(
  ([x, y]) => box.contains(document.elementFromPoint(x, y)))"""


class Stranger(serve.Handler):
    """Another machine; what anybody asked it for."""

    asked: list[str] = []  # noqa: RUF012 (all requests, of all pages)

    def log_request(self, *words):
        self.asked.append(self.path)


def let_asked(page):
    """Time for a request to arrive that should not be.

    Nothing tells that none comes. Where this is too short, as it may be on
    a busy machine, a test overlooks one; it never fails for it.
    """
    page.wait_for_timeout(1000)


@pytest.fixture
def elsewhere(tmp_path):
    Stranger.asked.clear()
    with kit.served(tmp_path, Stranger) as address:
        yield address


def test_a_cell_shows_html(reader):
    reader.run(HTML.format(HARMLESS))
    box = reader.shown.locator(".pegasos-html")
    assert box.inner_text().split() == ["Two", "bold", "words", "7", "More"]
    assert box.locator("table.numbers td").get_attribute("style") == (
        "text-align: right; color: red;"
    )
    picture = box.get_by_alt_text("dot")
    assert picture.evaluate("(one) => one.decode().then(() => 1)") == 1
    assert box.get_by_text("Left out").count() == 0


def test_html_of_a_cell_runs_loads_and_covers_nothing(reader, elsewhere):
    title = reader.page.title()
    reader.run(HTML.format(HARMFUL.format(elsewhere=elsewhere)))
    let_asked(reader.page)
    assert reader.page.title() == title and Stranger.asked == []
    box = reader.shown.locator("div")
    assert not box.evaluate(COVERS)
    assert set(
        box.evaluate(
            "(box) => [...box.querySelectorAll('*')].flatMap((one) => "
            "[one.localName, ...one.getAttributeNames()])"
        )
    ) == {"b", "a", "p", "style", "class"}
    style = box.locator("b").get_attribute("style")
    assert style == "background-color: red;"
    words = box.inner_text().split("A page does")[0].split()
    assert words == ["cover", "a", "inside"]
    assert box.locator("p").inner_text() == (
        "A page does not show all of this output. Left out: script, picture "
        "from elsewhere, style, link, iframe, svg, form, math."
    )
    # It could not get out if it had such a style.
    box.locator("b").evaluate(
        "(one) => { one.style = 'position: fixed; inset: 0; z-index: 9999'; }"
    )
    assert not box.evaluate(COVERS)


def test_what_needs_a_style_of_its_own_is_told_in_words(reader):
    shown = reader.run(
        "class Own:\n    def _repr_html_(self):\n"
        "        return '<style>p {color: red}</style><p>drawn</p>'\n\n"
        "    def __repr__(self):\n        return 'Own()'\n\nOwn()"
    )
    assert shown.strip() == "Own()"


# Each asks another machine for something, out of a cell.
ASKS = [
    "fetch('{}/fetch').catch(() => 0)",
    "fetch('{}/blind', {{ mode: 'no-cors' }}).catch(() => 0)",
    "const asked = new XMLHttpRequest(); "
    "asked.open('GET', '{}/xhr', false); asked.send()",
    "importScripts('{}/script')",
    "import('{}/module').catch(() => 0)",
    "new EventSource('{}/events')",
    "new WebSocket('{}/socket'.replace('http', 'ws'))",
    "new Worker(URL.createObjectURL(new Blob([`fetch('{}/nested')`])))",
]
ASK_ALL = """
import js
for ask in {!r}:
    try:
        js.Function.new(ask)()
    except Exception:
        pass
"asked"
"""


def ask_all(elsewhere):
    return ASK_ALL.format([ask.format(elsewhere) for ask in ASKS])


@pytest.mark.parametrize("way", ["served", "from disk"])
def test_a_cell_asks_no_other_machine(
    browser, live_site, address, elsewhere, way
):
    place = address if way == "served" else live_site.as_uri()
    reader = Reader(browser)
    reader.open(f"{place}/book/pegasos.html")
    assert "asked" in reader.run(ask_all(elsewhere))
    # Nor does the page itself, whatever script gets into it.
    reader.page.evaluate(
        "(url) => { new Image().src = url; fetch(url).catch(() => 0); }",
        f"{elsewhere}/page",
    )
    let_asked(reader.page)
    assert Stranger.asked == []
    reader.context.close()


def test_a_long_error_is_shown_by_its_begin_and_end(reader):
    shown = reader.run("raise ValueError('x' * 3_000_000 + 'the end')")
    assert "line 1" in shown and shown.rstrip().endswith("the end")
    assert "characters are not shown" in shown and len(shown) < 11_000


def test_stop_ends_a_loop_that_displays(reader):
    reader.start("while True:\n    display('spam')")
    expect(reader.shown).to_contain_text("more than 100,000 characters")
    reader.button("Stop").click()
    assert reader.ended().rstrip().endswith("Stopped.")
    assert reader.run("6 * 7").strip() == "42"


def test_the_time_limit_says_at_which_line(reader):
    reader.limit(1)
    shown = reader.run(BOMBS["loop"])
    assert "Stopped: this cell may take 1 seconds" in shown
    assert "line " in shown
    reader.limit(60)


def test_stop_ends_what_does_not_listen_and_the_next_run_works(reader):
    reader.start(BOMBS["compiled loop"])
    expect(reader.shown).to_contain_text("1")
    reader.be_patient(2000)
    reader.button("Stop").click()
    state = reader.own.locator(".pegasos-state")
    assert state.inner_text() == "Stopping …"
    assert "Python was started anew" in reader.ended()
    reader.be_patient(PATIENCE)
    assert reader.run("6 * 7").strip() == "42"


def kept_line(page):
    return page.get_by_text(
        "What you wrote on this page was kept in this browser."
    )


def test_a_reload_keeps_the_text_and_reset_gives_the_stub_back(reader):
    put(reader.code, "mine = 1")
    reader.page.reload()
    assert reader.code.input_value() == "mine = 1"
    expect(kept_line(reader.page)).to_be_visible()
    reader.button("Reset").click()
    stub = live_code.EXPLORE + live_code.STUB + live_code.CHECK + live_code.SEE
    assert reader.code.input_value() == stub
    reader.page.reload()
    assert reader.code.input_value() == stub
    assert not kept_line(reader.page).count()


def test_a_reset_can_be_undone(reader):
    put(reader.code, "mine = 1")
    reader.button("Reset").click()
    assert reader.code.input_value() != "mine = 1"
    reader.button("Undo reset").click()
    assert reader.code.input_value() == "mine = 1"
    # Who writes on has made up their mind.
    reader.button("Reset").click()
    put(reader.code, "other = 2")
    assert not reader.button("Undo").count()
    reader.button("Reset").click()


def test_one_starts_again_where_it_says_that_text_was_kept(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/book/pegasos.html")
    stub = reader.code.input_value()
    put(reader.code, "mine = 1")
    reader.page.reload()
    again = reader.page.get_by_role("button", name="Start again")
    with reader.answering(True):
        again.click()
    expect(reader.page.get_by_text("as the book has it")).to_be_visible()
    assert reader.code.input_value() == stub
    reader.page.reload()
    assert reader.code.input_value() == stub and not again.count()
    assert not reader.errors
    reader.context.close()


SIZE = "(one) => parseFloat(getComputedStyle(one).fontSize)"


def test_a_phone_does_not_enlarge_the_page_to_write(browser, address):
    """It does where letters are smaller than 16 pixels."""
    reader = Reader(browser, PHONE)
    reader.open(f"{address}/book/bug_zoo.html")
    assert reader.code.evaluate(SIZE) >= 16
    assert reader.own.locator("select").evaluate(SIZE) >= 16
    reader.run("6 * 7")
    assert reader.editor.evaluate(SIZE) >= 16
    reader.context.close()


def test_a_finger_finds_the_buttons(browser, address):
    reader = Reader(browser, PHONE)
    reader.open(f"{address}/book/bug_zoo.html")
    assert reader.page.evaluate("matchMedia('(pointer: coarse)').matches")
    small = ".pegasos-own :is(.pegasos-button, select)"
    heights = reader.page.locator(small).evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().height)"
    )
    assert len(heights) > 3 and min(heights) >= 44
    reader.context.close()


def test_on_a_phone_one_sees_who_has_drawn(browser, address):
    reader = Reader(browser, PHONE)
    reader.open(f"{address}/book/pegasos.html")
    see_own(reader, f"{live_code.EXPLORE}{kit.RIGHT}{live_code.SEE}")
    note = reader.page.get_by_text("Drawn by your solver.")
    expect(note).to_be_in_viewport()
    top, covered = note.evaluate(EDGES)
    assert top >= covered > 0
    reader.context.close()


def test_a_text_area_does_where_there_is_no_editor(browser, address):
    reader = Reader(browser)
    reader.page.route("**/editor.js", lambda route: route.abort())
    reader.open(f"{address}/book/pegasos.html")
    assert reader.run("6 * 7").strip() == "42"
    reader.code.fill("for i in x:")
    reader.code.press("End")
    reader.page.keyboard.press("Enter")
    reader.page.keyboard.type("pass")
    assert reader.code.input_value() == "for i in x:\n    pass"
    reader.page.keyboard.press("Shift+Tab")
    assert reader.code.input_value() == "for i in x:\npass"
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("Tab")
    expect(reader.button("Run")).to_be_focused()
    assert not reader.errors
    reader.context.close()


def test_the_editor_colours_numbers_indents_undoes_and_leaves(reader):
    reader.run("6 * 7")
    put(reader.code, "for i in x:")
    reader.editor.focus()
    press, kept = reader.page.keyboard.press, reader.code.input_value
    press("Control+End")
    press("Enter")
    reader.page.keyboard.type("pass")
    assert kept() == "for i in x:\n    pass"
    words = reader.editor.locator(".k, .ow")
    assert words.all_inner_texts() == ["for", "in", "pass"]
    colour = "(word) => getComputedStyle(word).color"
    assert words.first.evaluate(colour) != reader.editor.evaluate(colour)
    numbers = reader.own.locator(".cm-lineNumbers > :visible")
    assert numbers.all_inner_texts() == ["1", "2"]
    press("Shift+Tab")
    assert kept() == "for i in x:\npass"
    press("Tab")
    assert kept() == "for i in x:\npass    "
    press("Control+z")
    assert kept() != "for i in x:\npass    "
    press("Control+y")
    assert kept() == "for i in x:\npass    "
    # Its text is one field, with a name and a word on its keys.
    assert reader.editor.get_attribute("aria-label") == "Write your own"
    described = reader.editor.get_attribute("aria-describedby")
    assert "Escape" in reader.page.locator(f"#{described}").text_content()
    press("Escape")
    press("Tab")
    expect(reader.button("Run")).to_be_focused()
    assert kept() == "for i in x:\npass    "
    # What is typed is kept for the next day, as in a text area.
    put(reader.code, "6 * 7")
    press("Shift+Tab")
    reader.page.keyboard.press("Control+End")
    reader.page.keyboard.type("0")
    press("Shift+Enter")
    assert reader.ended().strip() == "420"
    reader.page.reload()
    assert reader.code.input_value() == "6 * 70"
    reader.button("Reset").click()
    assert not reader.errors


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_page_with_an_open_editor_is_accessible(reader, theme):
    reader.run("print('x')  # said")
    expect(reader.editor).to_have_class(re.compile("cm-content"))
    reader.page.evaluate(
        "(theme) => { document.documentElement.dataset.theme = theme; }", theme
    )
    assert not findings(reader.page)


def test_exhibits_of_the_zoo_are_named_as_in_cpython(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/book/bug_zoo.html")
    codes = live_code.broken_solvers()
    for number, exhibit in list(enumerate(SOLVERS))[:10]:
        reader.own.locator("select").select_option(index=number)
        report = check(live_code.TASK, solver(codes[number]))
        assert reader.run().strip() == str(report)
        assert report.mistake == exhibit.name
    assert f"{live_code.TASK}: passed" in reader.run(with_head(kit.RIGHT))
    reader.own.locator("select").select_option(index=0)
    assert reader.code.input_value() == with_head(codes[0])
    reader.own.locator("select").select_option(index=number)
    assert reader.code.input_value() == with_head(kit.RIGHT)
    reader.context.close()


def test_each_exhibit_is_undone_by_itself(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/book/bug_zoo.html")
    reader.run("6 * 7")
    choose = reader.own.locator("select").select_option
    codes = [with_head(code) for code in live_code.broken_solvers()]
    for number in (1, 2):
        choose(index=number)
        reader.editor.focus()
        reader.page.keyboard.press("Control+Home")
        reader.page.keyboard.type(f"# {number}")
        assert reader.code.input_value() == f"# {number}{codes[number]}"
    for _ in range(3):
        reader.page.keyboard.press("Control+z")
    assert reader.code.input_value() == codes[2]
    choose(index=1)
    assert reader.code.input_value() == f"# 1{codes[1]}"
    reader.editor.focus()
    for _ in range(3):
        reader.page.keyboard.press("Control+z")
    assert reader.code.input_value() == codes[1]
    assert not reader.errors
    reader.context.close()


# Runs code as a cell of the page that nobody has changed.
AS_THE_PAGE = """async (code) => {
  const said = [];
  const outcome = await PegasosPython.run({ code, name: "a cell",
    space: "book", seconds: 60, remarks: true },
    (kind, text) => said.push(text));
  return [outcome, said.join("")];
}"""
# The least number of pictures that the page ever shows, frame by frame.
WATCH = """() => {
  window.least = Infinity;
  (function count() {
    const pictures = [...document.querySelectorAll("article img.in-light")];
    const shown = pictures.filter((image) => image.offsetHeight > 50).length;
    window.least = Math.min(window.least, shown);
    requestAnimationFrame(count);
  })();
  return window.least;
}"""


def test_a_chapter_runs_with_its_own_outputs(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/{CHAPTER}.html")
    page = reader.page
    saved = page.locator("article .cell_output img.in-light").count()
    captions = page.locator(".cell_output caption").all_inner_texts()
    assert captions[0].startswith("Table 1.1")
    before = page.evaluate("localStorage.length")
    at_first = page.evaluate(WATCH)
    page.locator(".pegasos-bar-live button").click()
    status = page.locator(".pegasos-bar-live [role=status]")
    expect(status).to_have_text(re.compile(r"^Done\.$|by an error"))
    assert status.inner_text() == "Done."
    assert page.evaluate("window.least") == at_first > 0
    assert "font cache" not in page.inner_text("article")
    # A table has the number of the one whose place it takes.
    assert page.locator(".pegasos-shown caption").all_inner_texts() == (
        captions
    )
    drawn = page.locator(".pegasos-shown img.in-light")
    assert drawn.count() == saved > 0
    assert drawn.first.evaluate("(image) => image.naturalWidth") > 400
    assert not findings(page, ".bd-article")
    # An exercise is tried with the names that the page has by now.
    folds = page.locator(".pegasos-exercise")
    assert folds.count() == page.locator("div.exercise").count() > 0
    folds.first.locator("summary").click()
    put(folds.first.locator("textarea"), "X_both.shape, 6 * 7")
    folds.first.get_by_role("textbox").press("Shift+Enter")
    expect(folds.first.locator(".pegasos-shown")).to_have_text(
        "((2, 2), 42)\n"
    )
    assert not findings(page, ".pegasos-exercise")
    # What the reader asserts is an error, what the page does is a remark.
    put(folds.first.locator("textarea"), "assert 1 == 2")
    folds.first.get_by_role("textbox").press("Shift+Enter")
    expect(folds.first.locator(".pegasos-shown")).to_contain_text(
        "AssertionError"
    )
    assert page.evaluate(AS_THE_PAGE, "assert 1 == 2 - 0; print('on')") == [
        "done",
        "Not true of what ran here: 1 == 2 - 0\n(Libraries of other versions, "
        "or a cell that you changed, can be why.)\non\n",
    ]
    # A cell is changed and run; then the page is as the book has it.
    cell = page.locator("article .cell:has(textarea)").first
    code = cell.locator("textarea")
    original = code.input_value()
    code.evaluate(
        "(area) => { area.closest('details')?.toggleAttribute('open', true); }"
    )
    put(code, "6 * 7")
    cell.get_by_role("textbox").press("Shift+Enter")
    expect(cell.locator(".pegasos-shown")).to_have_text("42\n")
    expect(status).to_have_text("Done.")
    with reader.answering(True):
        page.locator(".pegasos-bar-live button", has_text="again").click()
    expect(status).to_have_text("Every cell is as the book has it.")
    assert code.input_value() == original
    assert drawn.count() == 0
    assert page.evaluate("localStorage.length") == before
    reader.context.close()


def test_an_exercise_makes_its_page_live(browser, address, tmp_path):
    """And what is written there is saved and opened with the chapter."""
    reader = Reader(browser, PHONE)
    reader.open(f"{address}/{CHAPTER}.html")
    page = reader.page
    fold = page.locator(".pegasos-exercise").first
    fold.locator("summary").click()
    hint = fold.get_by_text("names of this page are known here once")
    expect(hint).to_be_visible()
    fold.get_by_role("button", name="Make this page live").click()
    expect(fold.locator(".pegasos-state")).to_have_text("Done.")
    expect(hint).to_be_hidden()
    # A table that has come is dealt out as the book's was.
    dealt = page.locator(".pegasos-shown table.cards").first
    assert dealt.get_attribute("role") == "table"
    assert (
        page.evaluate("document.documentElement.scrollWidth")
        == (PHONE["width"])
    )
    put(fold.locator("textarea"), "X_both.shape")
    fold.get_by_role("textbox").press("Shift+Enter")
    expect(fold.locator(".pegasos-shown")).to_have_text("(2, 2)\n")
    file = tmp_path / "margins.ipynb"
    for _ in range(2):  # once more out of the opened file
        with page.expect_download() as download:
            page.get_by_role("button", name="as a notebook").click()
        download.value.save_as(file)
        notebook = nbformat.read(file, as_version=4)
        nbformat.validate(notebook)
        title, label, mine = notebook.cells[-3:]
        assert title.source == "## Written beside the chapter"
        assert label.source == "### Exercise 1.1"
        assert (mine.cell_type, mine.source) == ("code", "X_both.shape")
        names = [cell.id for cell in notebook.cells]
        assert len(set(names)) == len(names)
        put(fold.locator("textarea"), "")
        with reader.answering(True):
            page.locator(".pegasos-bar-live input").set_input_files(file)
        expect(page.locator(".pegasos-bar-live")).to_contain_text(
            "The page has what margins.ipynb has."
        )
        assert fold.locator("textarea").input_value() == "X_both.shape"
    assert not reader.errors
    reader.context.close()


def test_what_takes_long_is_told_before_and_meanwhile(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/{LONG}.html")
    bar = reader.page.locator(".pegasos-bar-live")
    bar.locator("button").click()
    expect(bar).to_contain_text("Cell 1 takes minutes here")
    assert not ask_of_kit(reader.asked)
    # That change is possible.
    cell = reader.page.locator("article .cell textarea").first
    assert "range(30)" in cell.input_value()
    reader.context.close()
    reader = Reader(browser)
    reader.open(f"{address}/{ASSIGNMENTS[0]}.html")
    bar = reader.page.locator(".pegasos-bar-live")
    bar.locator("button").click()
    expect(bar).to_contain_text("hand it in")
    put(reader.page.locator("article .cell textarea").nth(2), BOMBS["loop"])
    bar.get_by_role("button", name="Run all").click()
    expect(bar).to_contain_text("cell 3 of")
    expect(bar).to_contain_text("Nothing is compiled here")
    bar.get_by_role("button", name="Stop").click()
    expect(bar).to_contain_text("Stopped.")
    reader.context.close()


# Assignments: what the page saves is what JupyterLab would


WORDS = "First, λ < 1.\n\nThen *w* & no more."


def graded_by(cell):
    """What nbgrader notes of a cell; nothing where it has none."""
    return cell.metadata.get("nbgrader", {})


def handed_out(path):
    """An assignment as a page saves it: without the pictures it shows."""
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return notebook


def answered(path):
    """An assignment as somebody fills it in in JupyterLab."""
    notebook = handed_out(path)
    solution = path.parent / "solutions" / path.stem / path.name
    code = {
        graded_by(cell).get("grade_id"): cell.source
        for cell in nbformat.read(solution, as_version=4).cells
    }
    for cell in filter(is_answer, notebook.cells):
        if cell.cell_type == "code":
            cell.source = code[graded_by(cell).grade_id]
        else:
            cell.source += f"\n\n{WORDS}"
    return notebook


def is_answer(cell):
    return graded_by(cell).get("solution", False)


class Desk(Reader):
    """An assignment that was made live; nothing of Python is loaded yet."""

    def open(self, url):
        super().open(url)
        self.bar = self.page.locator(".pegasos-bar-live")
        self.bar.locator("button").click()
        self.says("hand it in")
        self.code = self.page.locator("article .cell textarea")
        self.words = self.page.locator(".pegasos-words")

    def click(self, name):
        self.bar.locator("button", has_text=name).click()

    def says(self, text):
        expect(self.bar.locator("[role=status]")).to_contain_text(text)

    def write(self, answers):
        """Fill in the answers of a notebook, where the page has room."""
        code, words = iter(self.code.all()), iter(self.words.all())
        for cell in answers.cells:
            if cell.cell_type == "code":
                area = next(code)
                locked = not cell.metadata.get("editable", True)
                assert area.is_editable() != locked
                if locked:
                    assert area.input_value() == cell.source
                else:
                    put(area, cell.source)
            elif is_answer(cell):
                next(words).fill(WORDS)
        assert [*code, *words] == []

    def saved(self, path):
        """The file that the page saves."""
        with self.page.expect_download() as download:
            self.click("Download")
        assert download.value.suggested_filename == path.name
        download.value.save_as(path)
        notebook = nbformat.read(path, as_version=nbformat.NO_CONVERT)
        nbformat.validate(notebook)
        return notebook

    def take(self, path):
        self.bar.locator("input").set_input_files(path)


@pytest.fixture
def desk(browser):
    desk = Desk(browser)
    yield desk
    assert not desk.errors
    desk.context.close()


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_an_assignment_is_saved_as_jupyterlab_would(
    desk, address, tmp_path, name
):
    path = tasks.ROOT / f"{name}.ipynb"
    asked = len(Recorder.asked)
    desk.open(f"{address}/{name}.html")
    assert desk.saved(tmp_path / path.name) == handed_out(path)
    answers = answered(path)
    desk.write(answers)
    assert desk.saved(tmp_path / path.name) == answers
    assert not ask_of_kit(Recorder.asked[asked:])


def test_what_a_page_saved_is_graded_to_full_points(desk, address, tmp_path):
    """All that no person marks, as of a file that JupyterLab wrote."""
    name = ASSIGNMENTS[1]
    path = tasks.ROOT / f"{name}.ipynb"
    answers = answered(path)
    desk.open(f"{address}/{name}.html")
    desk.write(answers)
    submitted, grades = tmp_path / "submitted", tmp_path / "grades"
    (submitted / "ada").mkdir(parents=True)
    desk.saved(submitted / "ada" / path.name)
    command = [sys.executable, "-m", "pegasos_edu.grading", submitted]
    subprocess.run(
        [*command, "--out", grades, *isolated.OPTIONS],
        cwd=tasks.ROOT,
        check=True,
        capture_output=True,
    )
    with open(grades / "tasks.csv", encoding="utf-8") as file:
        lines = {line["task"]: line for line in csv.DictReader(file)}
    checks = {
        noted["grade_id"]: noted["points"]
        for noted in map(graded_by, answers.cells)
        if noted.get("grade") and not noted["solution"]
    }
    found = {task: float(lines[task]["score"]) for task in checks}
    assert found == checks
    assert min(checks.values()) > 0.0


def test_half_an_assignment_is_opened_again(desk, address, tmp_path):
    name = ASSIGNMENTS[0]
    path = tasks.ROOT / f"{name}.ipynb"
    half = answered(path)
    half.cells[10].outputs = [nbformat.v4.new_output("stream", text="old")]
    half.cells.insert(5, nbformat.v4.new_code_cell("my_notes = 1", id="mine"))
    nbformat.write(half, tmp_path / "half.ipynb")
    desk.open(f"{address}/{name}.html")
    desk.take(tmp_path / "half.ipynb")
    desk.says("The page has what half.ipynb has.")
    questions = [
        cell
        for cell in filter(is_answer, half.cells)
        if cell.cell_type == "markdown"
    ]
    shown = [area.input_value() for area in desk.words.all()]
    assert shown == [WORDS] * len(questions) != []
    # A cell that the page does not show stays in the file.
    half.cells[11].outputs = []
    assert desk.saved(tmp_path / path.name) == half
    # It is still there the next day, and gone when one starts again.
    desk.open(f"{address}/{name}.html")
    assert desk.words.first.input_value() == WORDS
    # What was written meanwhile is not lost unasked.
    desk.words.first.fill("Mine.")
    with desk.answering(False):
        desk.take(tmp_path / "half.ipynb")
    expect(desk.words.first).to_have_value("Mine.")
    with desk.answering(True):
        desk.take(tmp_path / "half.ipynb")
    expect(desk.words.first).to_have_value(WORDS)
    with desk.answering(False):
        desk.click("Start again")
    assert desk.words.first.input_value() == WORDS
    with desk.answering(True):
        desk.click("Start again")
    desk.says("Every cell is as the book has it.")
    assert desk.saved(tmp_path / path.name) == handed_out(path)


def test_what_is_no_notebook_of_this_page_changes_nothing(
    desk, address, tmp_path
):
    desk.open(f"{address}/{ASSIGNMENTS[0]}.html")
    desk.words.first.fill(WORDS)
    strange = tmp_path / "strange.ipynb"
    for text in ("", "{}", '{"cells": 1}', "null", '{"cells": [null]}'):
        strange.write_text(text, "utf-8")
        desk.take(strange)
        desk.says("strange.ipynb is not a notebook; nothing was changed.")
        desk.take([])
    other = tasks.ROOT / f"{ASSIGNMENTS[1]}.ipynb"
    desk.take(other)
    desk.says('a2.ipynb lacks the cell "objective" of this page')
    assert desk.words.first.input_value() == WORDS


def test_an_assignment_is_worked_through(desk, address):
    """Its checks speak, and a check that fails does not bar what follows."""
    name = ASSIGNMENTS[0]
    desk.open(f"{address}/{name}.html")
    assert not findings(desk.page)
    cells = answered(tasks.ROOT / f"{name}.ipynb").cells
    code = [cell for cell in cells if cell.cell_type == "code"]
    names = [graded_by(cell).grade_id for cell in code]
    for task in ("step-size", "visits"):
        place = names.index(task)
        put(desk.code.nth(place), code[place].source)
    last = names.index("visits-check")
    cells = desk.page.locator("article .cell:has(textarea)")
    cells.nth(last).get_by_role("textbox").press("Shift+Enter")
    desk.says("1 cell was not run to its end.")
    shown = desk.page.locator(".pegasos-shown")
    failed = desk.page.locator(".pegasos-shown[data-state=error]")
    expect(failed).to_have_count(1)
    texts = [shown.nth(k).inner_text() for k in range(last + 1)]
    assert "A1.objective: not yet" in texts[names.index("objective-check")]
    for task in ("step-size", "visits"):
        assert "passed" in texts[names.index(f"{task}-check")]
    # What an older answer was told is called old, and asked again.
    changed, check = names.index("step-size"), names.index("step-size-check")
    put(desk.code.nth(changed), "def step_size(lam, t):\n    return 1 / t")
    cells.nth(changed).get_by_role("textbox").press("Shift+Enter")
    old = cells.nth(check).get_by_text("Ran before a cell above it did.")
    expect(old).to_be_visible()
    desk.click("Run all cells")
    expect(shown.nth(check)).to_contain_text("A1.step_size: not yet")
    expect(old).to_be_hidden()
    desk.click("Stop")
    desk.says("Stopped.")


def test_a_long_print_does_not_hide_what_a_cell_comes_to(reader):
    shown = reader.run("for k in range(10**5):\n    print(k)\n6 * 7")
    assert "more than 100,000 characters" in shown
    assert reader.shown.locator("pre").last.inner_text().strip() == "42"


def test_locked_cells_say_so(desk, address):
    desk.open(f"{address}/{ASSIGNMENTS[0]}.html")
    cells = desk.page.locator("article .cell:has(textarea)")
    notebook = nbformat.read(
        tasks.ROOT / f"{ASSIGNMENTS[0]}.ipynb", as_version=4
    )
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    edges = {True: set(), False: set()}
    for place, cell in enumerate(code):
        locked = not cell.metadata.get("editable", True)
        here = cells.nth(place)
        assert ("locked" in here.inner_text()) == locked
        assert here.get_by_text("Reset").count() == (not locked)
        edges[locked].add(
            here.locator(".cell_input").evaluate(
                "(one) => getComputedStyle(one).borderLeftStyle"
            )
        )
    assert edges == {True: {"dashed"}, False: {"solid"}}


def test_an_assignment_draws_the_readers_solver(desk, address):
    """Where it asks to install something it does not, once it is live."""
    desk.page.goto(f"{address}/{ASSIGNMENTS[0]}.html")
    install = desk.page.get_by_text("You need Python 3.11 or newer")
    fold = desk.page.get_by_text("If the next cell fails")
    live = desk.page.get_by_text("nothing is to be installed")
    fold.click()
    expect(install).to_be_visible()
    expect(live).to_be_hidden()
    # Neither the figure nor what it needs: the page weighs what it did.
    assert not re.search("vega|live|explorer", " ".join(desk.asked))
    assert desk.page.locator("[data-explorer]").inner_html() == ""
    button = desk.page.locator(".pegasos-bar-live button")
    button.focus()
    desk.page.keyboard.press("Enter")
    first = desk.page.get_by_role("button", name="Run all cells")
    expect(first).to_be_focused()
    expect(fold).to_be_hidden()
    expect(install).to_be_hidden()
    expect(live).to_be_visible()
    # What comes after the first cell stays.
    expect(desk.page.get_by_text("Here are eight of the rows")).to_be_visible()
    areas = desk.page.locator("article .cell textarea")
    codes = [area.input_value() for area in areas.all()]
    (mine,) = [k for k, code in enumerate(codes) if "def pegasos" in code]
    (seen,) = [k for k, code in enumerate(codes) if "explore(" in code]
    source = kit.RIGHT.replace("my_pegasos", "pegasos").replace("< 1", "< 0.5")
    put(areas.nth(mine), source)
    cell = desk.page.locator("article .cell:has(textarea)").nth(seen)
    cell.get_by_role("button", name="Run").click()
    cell.get_by_text("See your solver").click()
    expect(desk.page.get_by_text("Drawn by your solver.")).to_be_in_viewport()
    names = {"np": np}
    exec(source, names)
    host = desk.page.locator(
        ".pegasos-live", has=desk.page.locator("input[data-key=seed]")
    )
    ours = explore(solver=names["pegasos"])
    agrees(host, ours, {"lam": 0.1, "T": 300, "seed": 3})
    assert not findings(desk.page, "div:has(> .pegasos-live[data-pegasos])")


def test_a_cell_that_was_stopped_runs_again(desk, address):
    """Stop while Python loads, then a cell that needs the stopped one."""
    path = tasks.ROOT / f"{ASSIGNMENTS[0]}.ipynb"
    desk.open(f"{address}/{ASSIGNMENTS[0]}.html")
    desk.click("Run all cells")
    desk.says("Loading Python")
    desk.click("Stop")
    desk.says("Stopped.")
    answers = [
        cell for cell in answered(path).cells if cell.cell_type == "code"
    ]
    put(desk.code.nth(1), answers[1].source)
    cells = desk.page.locator("article .cell:has(textarea)")
    cells.nth(1).get_by_role("textbox").press("Shift+Enter")
    desk.says("Done.")
    shown = desk.page.locator(".pegasos-shown")
    for place in (0, 1):
        expect(shown.nth(place)).to_have_attribute("data-state", "done")


def test_two_tabs_keep_what_both_have(browser, address):
    first = Reader(browser)
    first.open(f"{address}/book/pegasos.html")
    second = first.context.new_page()
    second.goto(f"{address}/book/pegasos.html")
    put(first.code, "first = 1")
    area = second.locator(".pegasos-exercise textarea").first
    put(area, "second = 2")
    second.close()
    first.page.reload()
    assert first.code.input_value() == "first = 1"
    area = first.page.locator(".pegasos-exercise textarea").first
    assert area.input_value() == "second = 2"
    first.context.close()


# From disk


def test_from_disk_a_check_runs_and_stop_starts_anew(browser, live_site):
    reader = Reader(browser)
    reader.open((live_site / "book" / "pegasos.html").as_uri())
    assert not any("/python/disk/" in url for url in reader.asked)
    assert f"{live_code.TASK}: passed" in reader.run(with_head(kit.RIGHT))
    assert all(
        url.startswith(("file:", "blob:", "data:")) for url in reader.asked
    )
    reader.limit(1)
    assert "this cell may take 1 seconds" in reader.run(BOMBS["loop"])
    reader.limit(60)
    reader.start(f"print('begun')\n{BOMBS['loop']}")
    expect(reader.shown).to_contain_text("begun")
    reader.button("Stop").click()
    assert "Python was started anew" in reader.ended()
    reader.context.close()


@pytest.mark.parametrize(
    "name", ["scipy*", "pyodide.js", "pyodide.asm.js", "worker.js"]
)
def test_a_missing_file_is_named(browser, live_site, address, name):
    reader = Reader(browser)
    file = next((live_site / "_static/python/kit").glob(name))
    away = file.rename(live_site / file.name)
    try:
        reader.open(f"{address}/book/pegasos.html")
        shown = reader.run("1")
    finally:
        away.rename(file)
    assert f"not be started: the file {file.name} is missing" in shown
    assert not reader.errors
    reader.context.close()


def test_a_missing_wheel_is_named_in_the_cell(browser, live_site, address):
    reader = Reader(browser)
    wheel = next((live_site / "_static/python/kit").glob("matplotlib-*"))
    away = wheel.rename(live_site / wheel.name)
    code = "import matplotlib.pyplot as plt"
    try:
        reader.open(f"{address}/book/pegasos.html")
        shown = reader.run(code)
    finally:
        away.rename(wheel)
    assert "line 1" in shown and shown.count("\n") < 6
    assert (
        "ImportError: matplotlib could not be loaded: Error: the file "
        f"{wheel.name} is missing (404)"
    ) in shown
    # It is asked for again.
    assert reader.run(f"{code}\n6 * 7").strip() == "42"
    assert not reader.errors
    reader.context.close()


def test_a_missing_page_script_leaves_the_button(browser, live_site, address):
    reader = Reader(browser)
    script = live_site / f"_static/python/pages/{ASSIGNMENTS[0]}.js"
    away = script.rename(live_site / script.name)
    try:
        reader.open(f"{address}/{ASSIGNMENTS[0]}.html")
        bar = reader.page.locator(".pegasos-bar-live")
        bar.locator("button").click()
        expect(bar).to_contain_text(
            "The page cannot be made live: the file a1.js is missing."
        )
    finally:
        away.rename(script)
    bar.locator("button").click()
    expect(bar).to_contain_text("hand it in")
    assert not reader.errors
    reader.context.close()


class Silent(serve.Handler):
    """Gives no answer for one file until it is told to."""

    may = threading.Event()

    def send_head(self):
        if "/kit/scipy" in self.path:
            self.may.wait(PATIENCE / 1000)
        return super().send_head()


def test_a_download_that_stands_still_is_told(browser, live_site):
    reader = Reader(browser)
    with kit.served(live_site, Silent) as address:
        reader.open(f"{address}/book/pegasos.html")
        reader.page.evaluate("PegasosPython.silence = 2")
        reader.start("6 * 7")
        state = reader.own.locator(".pegasos-state")
        expect(state).to_contain_text("not come further for 2 seconds")
        reader.button("Stop").click()
        assert "Stopped." in reader.ended()
        Silent.may.set()
        assert reader.run("6 * 7").strip() == "42"
    assert not reader.errors
    reader.context.close()


class Damaged(serve.Handler):
    """Serves one file with its last byte changed."""

    name = ""

    def copyfile(self, source, outputfile):
        if self.path.endswith(self.name):
            source = io.BytesIO(altered(source.read()))
        super().copyfile(source, outputfile)


def altered(data):
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.parametrize(
    "name", ["pyodide.asm.wasm", "pyodide.asm.js", "numpy", "threadpoolctl"]
)
def test_one_altered_byte_is_refused_by_the_page(browser, live_site, name):
    kit_folder = live_site / "_static/python/kit"
    file = next(p.name for p in kit_folder.iterdir() if name in p.name)
    handler = type("One", (Damaged,), {"name": file})
    reader = Reader(browser)
    with kit.served(live_site, handler) as address:
        reader.open(f"{address}/book/pegasos.html")
        shown = reader.run(f"import {name.split('.')[0]}")
    assert f"the file {file} is damaged: its SHA-256 sum is another" in shown
    assert not reader.errors
    reader.context.close()


def test_one_altered_byte_is_refused_from_disk(browser, live_site):
    script = next((live_site / "_static/python/disk").glob("numpy*"))
    text = script.read_text("utf-8")
    middle = len(text) // 2
    other = "A" if text[middle] != "A" else "B"
    reader = Reader(browser)
    try:
        script.write_text(text[:middle] + other + text[middle + 1 :], "utf-8")
        reader.open((live_site / "book" / "pegasos.html").as_uri())
        shown = reader.run("1")
    finally:
        script.write_text(text, "utf-8")
    assert "could not be started" in shown
    assert f"the file {script.stem} is damaged" in shown
    reader.context.close()


FULL = """
Storage.prototype.setItem = () => { throw new DOMException("full"); };
"""
OFF = """
Object.defineProperty(window, "localStorage", {
  get() { throw new Error("off"); }
});
"""


@pytest.mark.parametrize("why", [FULL, OFF], ids=["full", "off"])
def test_what_cannot_be_kept_is_said(browser, address, why):
    reader = Reader(browser)
    reader.page.add_init_script(why)
    reader.open(f"{address}/book/pegasos.html")
    reader.code.fill("6 * 7")
    state = reader.own.locator(".pegasos-state")
    warning = (
        "This browser keeps nothing of what you write (its storage is full "
        "or switched off): save it before you leave the page."
    )
    expect(state).to_have_text(warning)
    assert reader.code.input_value() == "6 * 7"
    # What is said later takes nothing of it away.
    assert reader.run().strip() == "42"
    expect(state).to_contain_text("Done in")
    expect(state).to_contain_text(warning)
    reader.context.close()


@pytest.mark.parametrize("spares", [False, True], ids=["free", "metered"])
def test_a_pointer_on_run_has_python_come(browser, address, spares):
    reader = Reader(browser)
    reader.page.add_init_script(
        "Object.defineProperty(navigator, 'connection', "
        f"{{ value: {{ saveData: {str(spares).lower()} }} }});"
    )
    reader.open(f"{address}/book/pegasos.html")
    reader.page.clock.install()
    reader.button("Run").hover()
    reader.page.clock.run_for(3000)
    if spares:
        let_asked(reader.page)
        assert not ask_of_kit(reader.asked)
    else:
        state = reader.own.locator(".pegasos-state")
        expect(state).to_contain_text("Python is ready")
        assert not reader.shown.inner_text()
    reader.context.close()


def test_without_webassembly_and_storage_a_cell_says_so(browser, address):
    reader = Reader(browser)
    reader.page.add_init_script(
        "delete window.WebAssembly; Object.defineProperty(window, "
        "'localStorage', { get() { throw new Error('off'); } });"
    )
    reader.open(f"{address}/book/pegasos.html")
    assert reader.run("6 * 7").strip() == (
        "Python could not be started: this browser has no WebAssembly."
    )
    assert reader.code.input_value() == "6 * 7"
    assert not ask_of_kit(reader.asked)
    reader.context.close()


# The files, without a browser


def test_the_sums_are_those_of_the_lock_file(genuine):
    lock = json.loads((genuine / live_code.LOCK).read_text("utf-8"))
    sums = {p["file_name"]: p["sha256"] for p in lock["packages"].values()}
    packages = [name for name in kit_files.SUMS if name in sums]
    assert len(packages) > 10
    for name in packages:
        assert kit_files.SUMS[name] == sums[name]
    rest = set(kit_files.SUMS) - set(packages)
    assert rest == set(kit_files.KIT["core"])


@pytest.fixture
def small_kit(monkeypatch, tmp_path):
    """A kit of two small files, in a folder."""
    files = {"a.js": b"aaa", "b.zip": b"bbb"}
    folder = tmp_path / "kit"
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    sums = {
        name: hashlib.sha256(data).hexdigest() for name, data in files.items()
    }
    monkeypatch.setattr(kit_files, "SUMS", sums)
    monkeypatch.setenv("PEGASOS_CACHE", str(tmp_path / "cache"))
    return folder


def refusal(**options):
    with pytest.raises(kit_files.Refused) as refused:
        kit_files.find(say=lambda text: None, **options)
    return str(refused.value)


def test_one_wrong_byte_is_refused_by_name(small_kit):
    assert kit_files.find(small_kit) == small_kit
    (small_kit / "b.zip").write_bytes(b"bbc")
    assert f"{small_kit / 'b.zip'} is not the file" in refusal(given=small_kit)
    (small_kit / "b.zip").unlink()
    assert f"There is no b.zip in {small_kit}" in refusal(given=small_kit)


def test_what_the_cache_lacks_is_fetched_once(small_kit):
    told = []
    with kit.served(small_kit) as address:
        url = f"{address}/"
        cache = kit_files.find(address=url, say=told.append)
        assert cache == kit_files.cache_folder()
        assert [path.name for path in sorted(cache.iterdir())] == list(
            kit_files.SUMS
        )
        assert len(told) == 2 and f"a.js from {url}" in told[0]
        # A damaged file of the cache is fetched again, a wrong one refused.
        (cache / "a.js").write_bytes(b"")
        assert kit_files.find(address=url, say=told.append) == cache
        assert len(told) == 3 and (cache / "a.js").read_bytes() == b"aaa"
        (cache / "b.zip").unlink()
        (small_kit / "b.zip").write_bytes(b"bbc")
        assert "b.zip from http" in refusal(address=url)
        assert not (cache / "b.zip").exists()
    assert "b.zip could not be fetched from http" in refusal(address=url)


@pytest.mark.skipif(
    sys.platform == "win32", reason="Windows sends no Ctrl+C to a process"
)
def test_the_server_says_where_it_is_and_ends_by_ctrl_c(tmp_path):
    (tmp_path / "a.wasm").write_bytes(b"x")
    (tmp_path / "b.mjs").write_bytes(b"y")
    command = [sys.executable, "-m", "live_code.serve", tmp_path, "--port=0"]
    with subprocess.Popen(
        command,
        cwd=tasks.EXTENSIONS,
        preexec_fn=hear_ctrl_c,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        address = re.search(r"http\S+", server.stdout.readline())[0]
        for name, kind in (
            ("a.wasm", "application/wasm"),
            ("b.mjs", "text/javascript"),
        ):
            with urllib.request.urlopen(address + name) as answer:
                headers = answer.headers
            assert headers["Content-Type"] == kind
            policy = headers["Cross-Origin-Embedder-Policy"]
            assert policy == "require-corp"
        server.send_signal(signal.SIGINT)
        _, complaint = server.communicate()
    assert (server.returncode, complaint) == (0, "")


def test_a_port_in_use_is_named(tmp_path):
    with serve.make_server(tmp_path) as server:
        port = server.server_port
        with pytest.raises(SystemExit, match=f"Port {port} is not free"):
            serve.main([str(tmp_path), "--port", str(port)])


def test_a_full_disk_is_told_in_a_sentence(monkeypatch, tmp_path):
    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(live_code, "find", lambda *arguments: tmp_path)
    monkeypatch.setattr(live_code, "copy_site", full)
    with pytest.raises(SystemExit, match="The disk is full"):
        live_code.main([str(tmp_path), str(tmp_path / "out")])


def test_the_ordinary_book_stays_as_it_is(live_site, site):
    for name in PAGES:
        before = (site / f"{name}.html").read_text("utf-8")
        after = (live_site / f"{name}.html").read_text("utf-8")
        assert "_static/python" not in before
        assert "pegasos-own" not in before
        assert "Content-Security-Policy" not in before
        # It holds for what comes after it.
        policy = after.index("Content-Security-Policy")
        assert policy < after.index("<script")
        assert f'data-page="{name}"' in after
    assert not (site / "_static" / "python").exists()


def test_scripts_are_small_and_all_licences_are_there(live_site):
    folder = live_site / "_static" / "python"
    assert (folder / "cells.js").stat().st_size <= 25_000
    listed = (folder / "licences" / "index.html").read_text("utf-8")
    for wheel in (folder / "kit").glob("*.whl"):
        assert wheel.name in listed
    for target in re.findall(r'href="([^":]+)"', listed):
        assert (folder / "licences" / target).stat().st_size > 100
    with zipfile.ZipFile(folder / "kit" / live_code.BOOK) as archive:
        names = archive.namelist()
    assert not any("/grading/" in name for name in names)


def test_the_package_has_its_data_in_the_page(live_site, tmp_path):
    kit_folder = live_site / "_static" / "python" / "kit"
    with zipfile.ZipFile(kit_folder / live_code.BOOK) as archive:
        archive.extractall(tmp_path)
    code = (
        "import pegasos_edu; from pegasos_edu.problem.data import digits_zero;"
        "print(pegasos_edu.__file__, *digits_zero()[0].shape)"
    )
    command = [sys.executable, "-c", code]
    told = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=True
    )
    place, *shape = told.stdout.split()
    assert tmp_path.samefile(place[: place.index("pegasos_edu") - 1])
    assert shape == ["1797", "64"]


def test_a_page_that_is_not_that_of_its_notebook_is_refused():
    with pytest.raises(live_code.Refused, match="shows 1 code cells"):
        live_code.live_page('<div class="cell x">', "book/dual", [], 0)
    with pytest.raises(live_code.Refused, match="does not begin with"):
        live_code.live_page('<p data-content_root="../">', "x", [], 0)


def test_the_first_long_cell_is_found_in_the_notebook():
    cells = [{"id": "short"}, {"id": live_code.LONG[LONG]}]
    assert live_code.long_note(LONG, cells) == ' data-long="1"'
    with pytest.raises(live_code.Refused, match="no code cell steps-02"):
        live_code.long_note(LONG, cells[:1])
    for name in live_code.LONG:
        cells = live_code.code_cells(live_code.notebook_of(name))
        assert live_code.long_note(name, cells)
