"""The judge's questions and answers, without a notebook between them."""

import contextlib
import io
import time

import numpy as np
import pytest
import scipy.sparse as sp
from nbformat.v4 import (
    new_code_cell,
    new_markdown_cell,
    new_notebook,
    writes,
)

import tasks
from pegasos_edu import coursework, subgradient
from pegasos_edu.coursework.cost import A_STEP
from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.grading.judging.borrowing import ours
from pegasos_edu.grading.judging.judge import (
    DOES_NOT_PASS,
    Judge,
    NoAnswer,
    Remote,
    defined,
    is_test,
    lock,
    needed,
    prepared_names,
    value_of,
    write_back,
)
from pegasos_edu.grading.sandbox import messages, remote
from tests.coursework import hostile

LONG = "x" * 2000


class Notebook:
    """A namespace that answers as a notebook's process does."""

    def __init__(self, folder, **names):
        self.folder, self.names = folder, names
        self.sent, self.sizes = None, []

    def ask(self, question):
        asked, reply = self.folder / "question", self.folder / "reply"
        remote.save(asked, question, self.sent)
        self.sizes.append(asked.stat().st_size)
        remote.answer(self.names, asked, reply)
        return remote.load(reply, lambda n: Remote(self.ask, None, n))

    def get(self, name):
        return value_of(self.ask({"name": name}))


def sent(folder, message):
    remote.save(folder / "message", message)
    return remote.load(folder / "message", lambda n: f"number {n}")


# Messages


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        7,
        -0.25,
        float("inf"),
        "λ",
        [],
        [1, [2.5, "a"], (3, None)],
        (),
        {"a": [1], "b": {"c": (2,)}},
    ],
    ids=repr,
)
def test_plain_values_arrive_as_they_were(tmp_path, value):
    got = sent(tmp_path, value)
    assert got == value and type(got) is type(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6).reshape(2, 3),
        np.array([0.1, np.nan], dtype=np.float32),
        np.array([True, False]),
        np.array(["ham", "spam"]),
        np.array([3], dtype=np.uint8),
        np.zeros((0, 2)),
    ],
    ids=lambda array: str(array.dtype),
)
def test_arrays_arrive_with_their_dtype_and_shape(tmp_path, array):
    # Two of them, so that they cannot be mistaken for one another.
    first, second = sent(tmp_path, [array, array[::-1]])
    for got, wanted in ((first, array), (second, array[::-1])):
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got, wanted, strict=True)


def test_numpy_numbers_arrive(tmp_path):
    got = sent(tmp_path, np.float64(0.1))
    assert got == 0.1 and got.shape == ()


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array, sp.coo_array])
def test_sparse_rows_arrive(tmp_path, kind):
    X = np.array([[0.0, 1.5, 0.0], [2.0, 0.0, -1.0]])
    got = sent(tmp_path, {"X": kind(X)})["X"]
    assert got.shape == (2, 3) and got.format == "csr"
    np.testing.assert_array_equal(got.toarray(), X)


def test_an_array_of_objects_arrives_as_a_list(tmp_path):
    array = np.array(["ham", 3, None], dtype=object)
    assert sent(tmp_path, array) == ["ham", 3, None]


def test_what_does_not_come_to_an_end_ends_a_test():
    """No check goes on to ask such a function what else is wrong with it."""
    asked = []

    def ask(question):
        asked.append(question)
        if "name" in question:
            return {"value": Remote(ask, None, 0)}
        raise NoAnswer("f did not come to an end in 30 s")

    judge = Judge.__new__(Judge)
    judge.ask, judge.names = ask, {"coursework": coursework, "variant": 0}
    source = 'assert coursework.check("A1.step_size", f).passed'
    judge.tests = {"one": source}
    assert judge.problem("one") == "f did not come to an end in 30 s"
    assert len(asked) == 2
    assert not judge.may_stand("A1.step_size", "f")


ASKS_FOR_ONE = "assert three() == 3"


def test_what_the_graders_clock_says_is_told(tmp_path):
    """It need not be what the clock has said in the notebook."""
    notebook = Notebook(tmp_path, three=lambda: 3)
    judge = Judge.__new__(Judge)
    judge.ask, judge.clock, judge.names = notebook.ask, None, {}
    said = f"{A_STEP} takes as long as 0.8 passes over all d entries."
    judge.tests = {
        "cost": f"print('A3.pegasos: not yet\\n{said}')\nassert three() == 4",
        "other": "print('not yet')\nassert three() == 4",
    }
    assert judge.problem("cost") == f"{DOES_NOT_PASS}: {said}"
    assert judge.problem("other") == DOES_NOT_PASS


def test_a_notebook_that_sees_no_borrowing_any_more_passes_no_test(
    tmp_path, monkeypatch
):
    """Whatever it answers: what the judge asks last is one of ours."""
    notebook = Notebook(tmp_path, three=lambda: 3)
    judge = Judge.__new__(Judge)
    judge.ask, judge.clock, judge.names = notebook.ask, None, {}
    judge.tests = {"one": ASKS_FOR_ONE}
    assert judge.problem("one") == ""
    with monkeypatch.context() as blind:
        blind.setattr(remote, "_no_borrowing", contextlib.nullcontext)
        assert "nothing here sees any more" in judge.problem("one")
    with monkeypatch.context() as blind:
        blind.setattr(remote, "_held", [print] * len(remote.OURS))
        assert "nothing here sees any more" in judge.problem("one")
    assert judge.problem("one") == ""


def test_what_cannot_be_sent_is_held_by_number(tmp_path):
    things = [object(), np.array(["2026"], "M8[Y]"), sum]
    got = sent(tmp_path, things)
    first = int(got[0].removeprefix("number "))
    assert got == [f"number {first + i}" for i in range(3)]
    assert [remote._held[first + i] for i in range(3)] == things


def large(seed, locked=True):
    rows = sp.random_array(
        (200, 300), density=0.5, format="csr", rng=np.random.default_rng(seed)
    )
    if locked:
        lock(rows)
    return sp.csr_matrix(rows, copy=False)


class Keeping(Notebook):
    """One that keeps what cannot change."""

    def __init__(self, folder, **names):
        super().__init__(folder, **names)
        self.sent = remote.Sent()


def test_what_cannot_change_is_sent_once(tmp_path):
    """And each call has a copy of its own."""
    X, v = large(0), np.arange(20_000.0)
    lock(v)

    def spoils(X, v):
        total = float(X.sum() + v.sum())
        X.data[:] = 0.0
        v[:] = 0.0
        return total

    notebook = Keeping(tmp_path, sum_of=lambda X, v: X.sum() + v.sum())
    notebook.names["spoils"] = spoils
    sum_of, spoils = notebook.get("sum_of"), notebook.get("spoils")
    total = X.sum() + v.sum()
    assert sum_of(X, v) == pytest.approx(total)
    for _ in range(2):
        with pytest.raises(ValueError, match="changes the data"):
            spoils(X, v)
        assert sum_of(X, v) == pytest.approx(total)
    assert notebook.sizes[2] > 300_000 > 3_000 > max(notebook.sizes[3:])


def test_what_may_change_or_is_small_is_sent_each_time(tmp_path):
    notebook = Keeping(tmp_path, first=lambda X: float(X.data[0]))
    first, X = notebook.get("first"), large(0, locked=False)
    small = np.ones(1)
    lock(small)
    for value in (1.0, 2.0):
        X.data[0] = value
        assert first(X) == value
    assert notebook.get("first")(sp.csr_matrix(small)) == 1.0
    assert not notebook.sent.values


def test_no_more_is_kept_than_a_few(tmp_path, monkeypatch):
    """Here and there the same, also after a question that got lost."""
    monkeypatch.setattr(remote, "_kept", {})
    notebook = Keeping(tmp_path, total=lambda X: float(X.sum()))
    total, many = notebook.get("total"), [large(seed) for seed in range(11)]
    for X in [*many, *many[::-1], many[5]]:
        assert total(X) == pytest.approx(X.sum())
        assert len(remote._kept) <= remote.KEPT
        known = {number for number, _ in notebook.sent.values.values()}
        assert known == set(remote._kept)
    with contextlib.suppress(OSError), notebook.sent.or_forgotten():
        notebook.sent.number_of(large(99))
        raise OSError("it never arrives")
    assert not notebook.sent.values
    for X in [*many, *many[::-1]]:
        assert total(X) == pytest.approx(X.sum())


def test_a_reply_names_nothing_that_was_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(remote, "_kept", {1: np.ones(3)})
    for tree in ({"kept": 1}, {"keep": 1, "value": {"plain": 2}}):
        messages.write(tmp_path / "m", tree, [])
        with pytest.raises(ValueError, match="nobody has kept"):
            remote.load(tmp_path / "m", None)


@pytest.mark.parametrize(
    "content, said",
    [
        (b"", "no line"),
        (b"[1, []]", "no line"),
        (b"7" * 100 + b"\n", "cannot unpack"),
        (b"no JSON\n", "Expecting value"),
        (b'[{}, [["|O", [1]]]]\n12345678', "no array of .O"),
        (b'[{}, [["f8, f8", [1]]]]\n' + bytes(16), "no array of f8, f8"),
        (b'[{}, [["<f8", [-1]]]]\n12345678', "no array of <f8 .-1"),
        (b'[{}, [["<f8", [2]]]]\n12345678', "smaller than requested"),
        (b'[{}, [["<U99999999", [1]]]]\n1234', "smaller than requested"),
        (b'[{}, [["<U0", [1]]]]\n1234', "itemsize"),
        (b'[{}, [["<f8", [0.5, 2]]]]\n12345678', "integer"),
        (b'[{}, [["<f8", [0, 1e30]]]]\n12345678', "integer"),
        (b'[{"array": 0}, []]\n', "out of range"),
        (b"[" * 10**6 + b"\n", "recursion"),
    ],
)
def test_what_is_no_message_is_refused(tmp_path, content, said):
    """Whoever wrote it, no bytes are taken for objects."""
    (tmp_path / "m").write_bytes(content)
    with pytest.raises(Exception, match=said):
        remote.load(tmp_path / "m", None)


def test_a_message_has_a_length(tmp_path, monkeypatch):
    with monkeypatch.context() as shorter:
        shorter.setattr(messages, "LONGEST", 1_000)
        for length, fits in ((900, True), (1_000, False)):
            remote.save(tmp_path / "m", "x" * length)
            refusal = pytest.raises(ValueError, match="too long")
            with contextlib.nullcontext() if fits else refusal:
                assert remote.load(tmp_path / "m", None) == "x" * length
    tiny = sp.csr_matrix((1, 1))
    remote.save(tmp_path / "m", [tiny] * 9)
    assert len(remote.load(tmp_path / "m", None)) == 9
    remote.save(tmp_path / "m", [tiny] * (messages.SPARSE + 1))
    with pytest.raises(ValueError, match="too many sparse"):
        remote.load(tmp_path / "m", None)
    monkeypatch.setattr(messages, "LARGEST", 1_000)
    remote.save(tmp_path / "m", np.zeros(1_000))
    with pytest.raises(ValueError, match="fair size"):
        remote.load(tmp_path / "m", None)


@pytest.mark.parametrize(
    "array",
    [
        np.float32(1.5),
        np.array("λ"),
        np.array(["a", "words"]),
        np.zeros((0, 3)),
        np.zeros((2, 0, 3), dtype=bool),
        np.arange(6).reshape(2, 3).T,
        np.arange(8)[::-2],
        np.array([[1.0, -np.inf, np.nan]], dtype=">f8"),
        np.array(2**63, dtype=np.uint64),
        np.array([1.0], dtype=np.longdouble),
        np.array([1.0, 2.0 - 1j]),
        1j,
    ],
)
def test_an_array_arrives_as_it_was(tmp_path, array):
    remote.save(tmp_path / "m", ["before", array, np.arange(3)])
    _, found, after = remote.load(tmp_path / "m", None)
    np.testing.assert_array_equal(found, array)
    array = np.asarray(array)
    assert found.dtype == array.dtype and found.shape == array.shape
    if array.shape:
        assert found.flags.writeable and found.flags.aligned
    np.testing.assert_array_equal(after, np.arange(3))


# Answers


def test_names_are_fetched_and_missing_ones_are_named(tmp_path):
    notebook = Notebook(tmp_path, w=np.array([1.0, 2.0]))
    np.testing.assert_array_equal(notebook.get("w"), [1.0, 2.0])
    with pytest.raises(NameError, match="name 'v' is not defined"):
        notebook.get("v")


def test_a_function_is_called_where_it_is(tmp_path):
    def power(x, *, exponent):
        return x**exponent

    f = Notebook(tmp_path, f=power).get("f")
    assert f(3, exponent=2) == 9


def test_a_class_is_used_from_afar(tmp_path):
    class Counter:
        def __init__(self, start):
            self.at = start

        def up(self, by):
            self.at += by
            return self

        def value(self):
            return self.at

    counter = Notebook(tmp_path, Counter=Counter).get("Counter")(5)
    assert counter.up(2).value() == 7
    assert not hasattr(counter, "_private")


@pytest.mark.parametrize(
    "error, arrives",
    [
        (ValueError("no"), (ValueError, "^no$")),
        (SystemExit(3), (RuntimeError, "^3$")),
        (RuntimeError(LONG), (RuntimeError, "^x{1000}$")),
        (np.linalg.LinAlgError("singular"), (RuntimeError, "singular")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_errors_arrive(tmp_path, error, arrives):
    def f():
        raise error

    with pytest.raises(arrives[0], match=arrives[1]):
        Notebook(tmp_path, f=f).get("f")()


def test_an_interrupt_is_no_answer(tmp_path):
    def f():
        raise KeyboardInterrupt

    f = Notebook(tmp_path, f=f).get("f")
    with pytest.raises(KeyboardInterrupt):
        f()


def test_what_a_function_prints_is_not_shown(tmp_path, capsys):
    Notebook(tmp_path, f=lambda: print("noise")).get("f")()
    assert capsys.readouterr().out == ""


def test_a_function_may_divide_by_zero_as_in_the_checks(tmp_path):
    """Warnings are errors here, as they are for every test."""
    f = Notebook(tmp_path, f=lambda x: 1.0 / x).get("f")
    assert f(np.zeros(2)).tolist() == [np.inf, np.inf]


@pytest.mark.parametrize(
    "make, change",
    [
        (lambda: np.array([1.0, 2.0]), lambda a: a.__setitem__(1, 9.0)),
        (lambda: [1.0, 2.0], lambda a: a.append(9.0)),
        (lambda: sp.csr_matrix([[1.0, 2.0]]), lambda a: a.__imul__(9.0)),
        (
            lambda: sp.csr_matrix([[1.0, 0.0], [0.0, 2.0]]),
            lambda a: setattr(a, "indices", a.indices[::-1].copy()),
        ),
    ],
    ids=["array", "list", "values", "columns"],
)
def test_a_changed_argument_is_changed_here_too(tmp_path, make, change):
    notebook = Notebook(tmp_path, change=lambda a, b: change(b))
    first, second, wanted = make(), make(), make()
    change(wanted)
    notebook.get("change")(first, second)
    for got, expected in ((first, make()), (second, wanted)):
        if sp.issparse(got):
            got, expected = got.toarray(), expected.toarray()
        np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize(
    "part, value",
    [
        ("indices", 2_000_000_000),
        ("indices", -5),
        ("indptr", 2_000_000_000),
    ],
)
def test_rows_that_point_elsewhere_are_refused(tmp_path, part, value):
    X = sp.csr_matrix(np.eye(4))
    getattr(X, part)[-1 if part == "indices" else 2] = value
    remote.save(tmp_path / "m", X)
    with pytest.raises(ValueError, match="ind"):
        remote.load(tmp_path / "m", None)


def test_rows_of_another_shape_are_refused():
    before, after = sp.csr_matrix((4, 4)), sp.csr_matrix((4, 40))
    for wrong in (after, np.zeros((4, 4)), None):
        with pytest.raises(ValueError, match="another shape"):
            write_back(before, wrong)


def test_the_data_of_a_test_stay_as_they_are(tmp_path):
    """Whoever changes them would choose what the answer is compared with."""

    def pegasos(X, y, lam, order):
        X[...] = 0.0
        return np.zeros(X.shape[1])

    notebook = Notebook(tmp_path, pegasos=pegasos, order_digits=np.arange(5))
    path = tasks.ASSIGNMENTS / "solutions" / "a1" / "a1.ipynb"
    judge = Judge(path, notebook.ask, None)
    assert "changes the data it is given" in judge.problem("digits-gap")
    with pytest.raises(ValueError, match="changes the data"):
        write_back(judge.names["X"], np.zeros(judge.names["X"].shape))
    rows = sp.csr_matrix(np.eye(2))
    lock(rows)
    with pytest.raises(ValueError, match="changes the data"):
        write_back(rows, 2.0 * rows)


def test_an_argument_that_was_reshaped_stays_as_it_is():
    array = np.array([1.0, 2.0])
    write_back(array, np.array([9.0, 9.0, 9.0]))
    assert array.tolist() == [1.0, 2.0]


def test_names_are_defined_as_the_judge_says(tmp_path):
    remote.save(tmp_path / "names", {"X": np.ones(2), "n": 3})
    names = {"n": 1, "w": 4}
    remote.receive(names, tmp_path / "names")
    assert (names["n"], names["w"]) == (3, 4)
    assert names["X"].tolist() == [1.0, 1.0]


# The judge

LOCKED = "import numpy as np\nX = np.ones((2, 1))"
TEST = "print('seen')\nassert f(X).sum() == 4.0, 'wrong'"


def locked(grade_id, source, *tags):
    cell = new_code_cell(source, metadata=hostile.facts(grade_id, locked=True))
    cell.metadata["tags"] = list(tags)
    return cell


@pytest.fixture
def judge(tmp_path):
    """A judge, and the notebook it asks."""
    prepared_names.cache_clear()
    path = tmp_path / "solution.ipynb"
    cells = [
        locked("data", LOCKED, "data"),
        locked("chart", "raise ValueError('no chart here')", "not-graded"),
        locked("uses", "z = f(X)"),  # of the student: not run
        new_code_cell(
            "y = 5",
            metadata=hostile.facts("mine", solution=True),
        ),
        new_code_cell("y = 6"),
        hostile.tested("test", 2, TEST),
    ]
    path.write_text(writes(new_notebook(cells=cells)), "utf-8")
    notebook = Notebook(tmp_path)
    return Judge(path, notebook.ask, None), notebook


def test_what_differs_in_every_variant_is_prepared_last(tmp_path):
    made = {}
    for number in (3, 4):
        path = tmp_path / f"{number}.ipynb"
        cells = [
            locked("asks", f"variant = X.sum() + {number}", "variant"),
            locked("data", LOCKED, "data"),
        ]
        path.write_text(writes(new_notebook(cells=cells)), "utf-8")
        made[number] = prepared_names(path)
    assert (made[3]["variant"], made[4]["variant"]) == (5.0, 6.0)
    assert made[3]["X"] is made[4]["X"]


def test_only_locked_cells_that_need_no_student_are_prepared(judge):
    names = set(judge[0].names) - {"__builtins__"}
    assert names == {"np", "X"}
    assert judge[0].tests == {"test": TEST}


@pytest.mark.parametrize(
    "f, problem",
    [
        (lambda X: 2.0 * X, ""),
        (lambda X: X, "the grader's own run of the test does not pass"),
        (
            lambda X: 1 / 0,
            "the grader's own run of the test stopped with "
            "ZeroDivisionError: division by zero",
        ),
        (
            None,
            "the grader's own run of the test stopped with NameError: "
            "name 'f' is not defined",
        ),
    ],
    ids=["right", "wrong", "raises", "missing"],
)
def test_the_judge_says_why_a_test_fails(judge, f, problem, capsys):
    judge, notebook = judge
    if f is not None:
        notebook.names["f"] = f
    assert judge.problem("test") == problem
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    "right_for, said",
    [
        (5, ""),
        (2, "it is right on the data that you can see, and wrong on other "),
        (0, "the grader's own run of the test does not pass"),
    ],
)
def test_where_only_what_is_hidden_fails_the_judge_says_so(
    judge, right_for, said
):
    judge, notebook = judge
    notebook.names["f"] = lambda x: x if x < right_for else x + 1
    judge.tests["test"] = (
        "assert f(1) == 1\n"
        "### BEGIN HIDDEN TESTS\n"
        "for x in (1, 3):\n    assert f(x) == x\n"
        "### END HIDDEN TESTS\n"
    )
    found = judge.problem("test")
    assert found.startswith(said) and bool(found) == bool(said)


def test_what_fails_below_a_hidden_part_is_not_taken_for_it(judge):
    judge, notebook = judge
    notebook.names["f"] = lambda x: x
    judge.tests["test"] = (
        "### BEGIN HIDDEN TESTS\nassert f(1) == 1\n### END HIDDEN TESTS\n"
        "assert f(2) == 3"
    )
    assert "own run of the test" in judge.problem("test")


def test_a_borrowed_answer_gets_no_points(judge):
    judge, notebook = judge
    notebook.names["f"] = lambda X: (
        2.0 * X + 0.0 * subgradient(np.zeros(1), [[1.0], [2.0]], [1, -1], 1.0)
    )
    assert judge.problem("test") == (
        "the grader's own run of the test stopped with RuntimeError: the "
        "answer calls pegasos_edu.problem.objective.subgradient; write it "
        "yourself"
    )


SAID = "the answer calls pegasos_edu.problem.objective.subgradient"


def borrow(X):
    subgradient(np.zeros(1), [[1.0], [2.0]], [1, -1], 1.0)
    return 2.0 * X


class Behaves:
    """Does its own work so many times, and borrows from then on."""

    def __init__(self, times):
        self.left = times

    def __call__(self, X):
        self.left -= 1
        return 2.0 * X if self.left >= 0 else borrow(X)


@pytest.mark.parametrize("times", [1, 2, 3, 7])
def test_who_borrows_later_is_seen_later(tmp_path, times):
    notebook = Notebook(tmp_path, f=Behaves(times))
    for _ in range(times):
        assert notebook.get("f")(1.0) == 2.0
    for _ in range(3):
        with pytest.raises(RuntimeError, match=SAID):
            notebook.get("f")(1.0)


class Attribute:
    @property
    def f(self):
        borrow(1.0)
        return lambda X: 2.0 * X


class Late(sp.csr_matrix):
    """Borrows when its values are asked for."""

    def tocsr(self, copy=False):
        borrow(1.0)
        return sp.csr_matrix(self)


def test_what_runs_beside_a_call_is_watched(tmp_path):
    notebook = Notebook(
        tmp_path, model=Attribute(), f=lambda: Late((1, 1)), rows=Late((1, 1))
    )
    for ask in (
        lambda: notebook.get("model").f(1.0),
        lambda: notebook.get("f")(),
        lambda: notebook.get("rows"),
    ):
        with pytest.raises(RuntimeError, match=SAID):
            ask()


def test_an_answer_to_another_variant_is_told_so_from_afar(tmp_path):
    notebook = Notebook(tmp_path, f=lambda lam, t: 1 / (lam * t))
    mine = coursework.Variant(seed=5, t0=3, k=2, returns="half")
    report = coursework.check("A1.step_size", notebook.get("f"), mine)
    assert report.mistake == "answers-another-variant"


def test_an_error_brings_the_students_lines(tmp_path):
    code = "def f(X):\n    return g(X)\ndef g(X):\n    return 1 / 0\n"
    names = {}
    exec(compile(code, "cell.py", "exec"), names)
    with pytest.raises(ZeroDivisionError) as caught:
        Notebook(tmp_path, **names).get("f")(1.0)
    assert own_lines(caught.value) == ["  in f, line 2: ", "  in g, line 4: "]
    names["f"] = lambda X: b"\xff".decode()
    with pytest.raises(RuntimeError, match="UnicodeDecodeError: .*0xff"):
        Notebook(tmp_path, **names).get("f")(1.0)


def test_one_test_cannot_spoil_the_data_of_the_next(judge):
    judge, notebook = judge
    notebook.names["f"] = lambda X: 2.0 * X
    judge.tests["other"] = "X = 0"
    assert judge.problem("other") == ""
    assert judge.problem("test") == ""


def test_names_that_code_needs():
    source = (
        "import numpy as np, os.path\n"
        "from math import pi as π\n"
        "def g(a, *rest, b=c, **more):\n    return a + b + h\n"
        "class K(Base):\n    pass\n"
        "print(np, os, π, g, K, known, rest, more)\n"
        "local = 1\nlocal += late\n"
    )
    # What is local to g is another thing than what is printed.
    wanted = ["Base", "c", "h", "late", "more", "rest"]
    assert needed(source, {"known": 1}) == wanted
    inside = "def g(*rest, **more):\n    return rest, more\n"
    assert needed(inside, ()) == []


@pytest.mark.parametrize(
    "source, wanted",
    [
        ("step = repaired(step)", "repaired step"),
        ("x += 1", "x"),
        ("x = 1\nx += 1", ""),
        ("own = a, b\na = 1", "a b"),
        ("def f():\n    return x\nx = 1", ""),
        ("f = lambda z: z + x", "x"),
        ("def f(a):\n    return a\nprint(a)", "a"),
        ("y = [x * i for i in r]\nx = 1", "r x"),
        ("y = [x for x in r]\nprint(x)", "r x"),
        ("y = sum(f(i) for i in (1, 2))\nf = 3", "f"),
        ("class K:\n    a = b\n    b = 1\nprint(b)", "b"),
        ("class K:\n    a = 1\n    def f(self):\n        return a", "a"),
        ("def f():\n    global q\n    q = 1\nf()\nprint(q)", ""),
        ("try:\n    pass\nexcept E as e:\n    print(e)", "E"),
        ("x: int = 3\nassert x, told", "told"),
        ("await_it = await given", "given"),
        ("if 0:\n    x = 1\nprint(x)", "x"),
    ],
)
def test_a_name_read_before_the_code_binds_it_is_needed(source, wanted):
    assert needed(source, ()) == wanted.split()


def test_a_locked_cell_that_binds_a_students_name_anew_is_passed_over(
    tmp_path,
):
    """The judge cannot run it, and takes what the notebook made of it."""
    path = tmp_path / "solution.ipynb"
    cells = [
        locked("given", "n = 3"),
        locked("repaired", "own = f\nf = max(f, n)"),
    ]
    path.write_text(writes(new_notebook(cells=cells)))
    names = prepared_names(str(path))
    assert names["n"] == 3
    assert not {"f", "own"} & set(names)


def test_what_a_locked_cell_prints_is_not_the_graders(tmp_path, capsys):
    path = tmp_path / "solution.ipynb"
    cells = [
        locked("given", "n = 3\nprint('more than 2:', n > 2)"),
        locked("asks", "variant = n\nprint(variant)", "variant"),
    ]
    path.write_text(writes(new_notebook(cells=cells)))
    assert prepared_names(str(path))["variant"] == 3
    assert capsys.readouterr() == ("", "")


def test_names_that_the_locked_cells_import_from_here():
    cells = [
        new_markdown_cell("from pegasos_edu import pegasos"),
        new_code_cell(
            "from pegasos_edu import subgradient",
            metadata=hostile.facts("mine", solution=True),
        ),
        locked(
            "given",
            "import numpy as np\nn = 3\nfrom math import pi\n"
            "from pegasos_edu import objective, optimum as best\n",
        ),
        locked("later", "from pegasos_edu.theory import regret"),
    ]
    assert ours(cells) == {"objective", "best", "regret"}


def test_names_that_code_binds():
    assert defined("import os\nb = a = 1\nc, d = os, e") == [
        "a",
        "b",
        "c",
        "d",
    ]


@pytest.mark.parametrize(
    "kind, graded, solution, wanted",
    [
        ("code", True, False, True),
        ("code", True, True, False),
        ("code", False, False, False),
        ("markdown", True, False, False),
    ],
)
def test_which_cells_are_tests(kind, graded, solution, wanted):
    cell = new_code_cell(
        metadata=hostile.facts("a", grade=graded, solution=solution)
    )
    cell.cell_type = kind
    assert is_test(cell) == wanted
    assert not is_test(new_code_cell())


def test_the_judge_reads_no_standard_input(judge, monkeypatch):
    """A test that asks is a test that stops, not one that waits."""
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    judge[0].tests["asks"] = "input()"
    assert "EOFError" in judge[0].problem("asks")


def test_a_function_cannot_say_how_long_it_took():
    def slow(seconds):
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            pass

    slow.took = [0.0, 0.0]
    asked = {"object": slow, "attribute": None}
    reply = remote._do({}, {**asked, "arguments": [0.05], "keywords": {}})
    assert reply["took"][0] >= 0.05
