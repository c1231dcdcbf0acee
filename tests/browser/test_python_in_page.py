"""Code cells that run in the page, with the genuine files of Pyodide.

They are taken from PEGASOS_KIT, or from ../shared/pyodide beside the project.
"""

import errno
import hashlib
import json
import linecache
import re
import shutil
import signal
import subprocess
import sys
import urllib.request
import zipfile

import pytest
from live_code import kit as kit_files
from live_code import make as live_code
from live_code import serve
from playwright.sync_api import expect

import tasks
from pegasos_edu.coursework import check
from pegasos_edu.coursework.zoo import ZOO
from tests.browser import kit
from tests.browser.access import findings
from tests.browser.conftest import PATIENCE, WIDE
from tests.signals import hear_ctrl_c

SOLVERS = [each for each in ZOO if each.task == live_code.TASK]
CHAPTER = "book/margins"
PAGES = ["book/pegasos", "book/bug_zoo", CHAPTER]
RIGHT = """\
def my_pegasos(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        violates = y[i] * (X[i] @ w) < 1
        w = (1 - 1 / t) * w + violates * y[i] * X[i] / (lam * t)
    return w
"""
# Python's own steps, steps inside compiled code, too much memory or output.
BOMBS = {
    "loop": "while True:\n    pass",
    "compiled loop": "print(1)\nsum(iter(int, 1))",
    "memory": "kept = []\nwhile True:\n    kept.append(bytearray(10**8))",
    "print": "for _ in range(300_000):\n    print('x' * 80)\nprint('end')",
}


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
    (some / "book").mkdir()
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

    def __init__(self, browser):
        self.context = browser.new_context(viewport=WIDE)
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
        self.shown = self.own.locator(".pegasos-shown")

    def be_patient(self, milliseconds):
        """What the page's Python is given to hear a Ctrl+C."""
        self.page.evaluate(f"PegasosPython.patience = {milliseconds}")

    def button(self, name):
        return self.own.locator(".pegasos-button", has_text=name)

    def limit(self, seconds):
        self.own.evaluate(f"(own) => {{ own.dataset.seconds = {seconds}; }}")

    def start(self, code=None):
        if code is not None:
            self.code.fill(code)
        self.button("Run").click()

    def ended(self):
        """Wait for the end; what the cell showed."""
        ended = re.compile("done|error|stopped")
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
    assert not ask_of_kit(reader.asked) + ask_of_kit(Recorder.asked)


def test_the_stub_and_a_right_answer(reader, address):
    assert f"{live_code.TASK}: not yet" in reader.run()
    shown = reader.run(with_head(RIGHT))
    assert shown.strip() == str(check(live_code.TASK, solver(RIGHT)))
    assert any("scipy" in url for url in ask_of_kit(Recorder.asked))
    unneeded = re.compile("scikit|matplotlib|pillow")
    assert not any(unneeded.search(url) for url in Recorder.asked)
    assert all(url.startswith(address) for url in reader.asked)


def solver(code):
    """The solver of a cell, for CPython; reports quote its lines."""
    names, cell = {}, with_head(code)
    linecache.cache["cell"] = len(cell), None, cell.splitlines(True), "cell"
    exec(compile(live_code.HEAD + code, "cell", "exec"), names)
    return names["my_pegasos"]


def test_an_error_is_told_by_the_own_lines_alone(reader):
    shown = reader.run("import numpy as np\n\nnp.ones(3) @ np.ones(2)")
    assert 'File "your code, Write your own", line 3' in shown
    assert shown.count("File") == 1 and "ValueError: matmul" in shown


def test_stop_ends_a_loop_and_python_keeps_its_names(reader):
    reader.run("kept = 7")
    reader.start(f"print('begun')\n{BOMBS['loop']}")
    expect(reader.shown).to_contain_text("begun")
    reader.button("Stop").click()
    assert reader.ended().rstrip().endswith("Stopped.")
    error = reader.shown.locator(".pegasos-error")
    assert "begun" not in error.inner_text()
    assert re.search("line [23], in", reader.shown.inner_text())
    assert reader.run("kept").strip() == "7"


def test_a_page_survives_too_much_memory_and_output(reader):
    shown = reader.run(BOMBS["memory"])
    assert "line 3" in shown and "MemoryError" in shown
    shown = reader.run(BOMBS["print"])
    assert "more than 100,000 characters" in shown
    assert 100_000 < len(shown) < 101_000 and "end" not in shown
    assert reader.run("kept.clear()\n6 * 7").strip() == "42"


def test_the_time_limit_says_at_which_line(reader):
    reader.limit(1)
    shown = reader.run(BOMBS["loop"])
    assert "Stopped: this cell may take 1 seconds" in shown
    assert "line " in shown
    reader.limit(60)


def test_stop_ends_what_does_not_listen_and_the_next_run_works(reader):
    reader.start(BOMBS["compiled loop"])
    expect(reader.shown).to_contain_text("1")
    reader.be_patient(100)
    reader.button("Stop").click()
    assert "Python was started anew" in reader.ended()
    reader.be_patient(PATIENCE)
    assert reader.run("6 * 7").strip() == "42"


def test_a_reload_keeps_the_text_and_reset_gives_the_stub_back(reader):
    reader.code.fill("mine = 1")
    reader.page.reload()
    assert reader.code.input_value() == "mine = 1"
    reader.button("Reset").click()
    assert reader.code.input_value() == with_head(live_code.STUB)
    reader.page.reload()
    assert reader.code.input_value() == with_head(live_code.STUB)


def test_the_keyboard_indents_and_leaves(reader):
    reader.code.fill("for i in x:")
    reader.code.focus()
    reader.page.keyboard.press("End")
    reader.page.keyboard.press("Enter")
    reader.page.keyboard.type("pass")
    assert reader.code.input_value() == "for i in x:\n    pass"
    reader.page.keyboard.press("Shift+Tab")
    assert reader.code.input_value() == "for i in x:\npass"
    reader.page.keyboard.press("Escape")
    reader.page.keyboard.press("Tab")
    expect(reader.button("Run")).to_be_focused()
    assert not reader.errors


def test_the_page_with_cells_is_accessible(reader):
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
    assert f"{live_code.TASK}: passed" in reader.run(with_head(RIGHT))
    reader.own.locator("select").select_option(index=0)
    assert reader.code.input_value() == with_head(codes[0])
    reader.own.locator("select").select_option(index=number)
    assert reader.code.input_value() == with_head(RIGHT)
    reader.context.close()


def test_a_chapter_runs_with_its_own_outputs(browser, address):
    reader = Reader(browser)
    reader.open(f"{address}/{CHAPTER}.html")
    page = reader.page
    saved = page.locator("article .cell_output img.in-light").count()
    before = page.evaluate("localStorage.length")
    page.locator(".pegasos-bar-live button").click()
    status = page.locator(".pegasos-bar-live [role=status]")
    expect(status).to_have_text(re.compile(r"^Done\.$|by an error"))
    assert status.inner_text() == "Done."
    assert "font cache" not in page.inner_text("article")
    drawn = page.locator(".pegasos-shown img.in-light")
    assert drawn.count() == saved > 0
    assert drawn.first.evaluate("(image) => image.naturalWidth") > 400
    assert not findings(page, ".bd-article")
    # A cell is changed and run; then the page is as the book has it.
    cell = page.locator("article .cell:has(textarea)").first
    code = cell.locator("textarea")
    original = code.input_value()
    code.evaluate(
        "(area) => { area.closest('details')?.toggleAttribute('open', true); }"
    )
    code.fill("6 * 7")
    code.press("Shift+Enter")
    expect(cell.locator(".pegasos-shown")).to_have_text("42\n")
    expect(status).to_have_text("Done.")
    page.locator(".pegasos-bar-live button", has_text="again").click()
    expect(status).to_have_text("Every cell is as the book has it.")
    assert code.input_value() == original
    assert drawn.count() == 0
    assert page.evaluate("localStorage.length") == before
    reader.context.close()


# From disk


def test_from_disk_a_check_runs_and_stop_starts_anew(browser, live_site):
    reader = Reader(browser)
    reader.open((live_site / "book" / "pegasos.html").as_uri())
    assert not any("/python/disk/" in url for url in reader.asked)
    assert f"{live_code.TASK}: passed" in reader.run(with_head(RIGHT))
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


def test_a_missing_file_is_named(browser, live_site, address):
    reader = Reader(browser)
    scipy = next((live_site / "_static/python/kit").glob("scipy*"))
    away = scipy.rename(live_site / scipy.name)
    try:
        reader.open(f"{address}/book/pegasos.html")
        shown = reader.run("1")
        assert "could not be started" in shown and scipy.name in shown
    finally:
        away.rename(scipy)
    assert not reader.errors
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
