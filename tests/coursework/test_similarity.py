"""Copies are found; right answers that others wrote are not reported."""

import dataclasses
import inspect
import itertools
import os
import random
import re
import shutil
import subprocess
import sys

import nbformat
import pytest

import tasks
from pegasos_edu.grading import similarity
from tests.coursework import styles

PUBLIC = tasks.ASSIGNMENTS / "solutions"
BOUND = similarity.BOUND


def source(answer):
    return inspect.getsource(answer)


def work(name, *cells):
    return similarity.work_of(name, list(cells))


def renamed(code):
    """Every name that its author chose, by another."""
    library = similarity.KNOWN | {"np", "X", "y", "lam", "order"}
    for name in sorted(set(re.findall(r"(?<![.\w])[a-zA-Z_]\w*", code))):
        if name not in library:
            code = re.sub(rf"(?<![.\w]){name}\b", f"{name[::-1]}_q", code)
    return code


def dressed(code):
    """Other comments, other spaces, other numbers."""
    lines = [f"{line}  # and so on\n" for line in code.splitlines()]
    spaced = "".join(lines).replace(" + ", "+").replace("(", "( ")
    return spaced.replace("1.0", "1.00").replace("0.0", "0.000")


@pytest.mark.parametrize("answer", styles.DENSE + styles.SPARSE)
def test_a_disguised_copy_is_found(answer):
    code = source(answer)
    one, other = work("one", code), work("other", dressed(renamed(code)))
    assert renamed(code) != code
    assert similarity.share(one, other) >= 0.95


def test_a_copy_in_another_order_is_found():
    """Functions, and lines within them that may be exchanged."""
    cells = [source(answer) for answer in styles.DENSE[:6]]
    shuffled = cells[::-1]
    exchanged = [
        code.replace(
            "        t += 1\n        score = 0.0\n",
            "        score = 0.0\n        t += 1\n",
        )
        for code in shuffled
    ]
    assert exchanged != shuffled
    one, other = work("one", *cells), work("other", *map(renamed, exchanged))
    assert similarity.share(one, other) >= 0.9


@pytest.mark.parametrize("task", list(styles.STYLES))
def test_independent_answers_are_not_reported(task):
    """The styles were written to differ; a dozen of them for the solver."""
    found = [work(one.__name__, source(one)) for one in styles.STYLES[task]]
    shares = [
        similarity.share(one, other)
        for one, other in itertools.combinations(found, 2)
    ]
    assert len(found) >= (10 if task == "A1.pegasos" else 2)
    assert similarity.pairs(found, BOUND) == []
    assert max(shares) < 0.5


def test_what_a_good_part_of_the_class_wrote_does_not_count():
    """A dozen with a solver of their own, and the rest as anyone has it."""
    rest = source(styles.shuffled_epochs) + source(styles.python_choices)
    found = [work(one.__name__, rest, source(one)) for one in styles.DENSE]
    assert similarity.pairs(found, BOUND) != []
    assert similarity.pairs(similarity.without_common(found), BOUND) == []
    copy = work("copy", rest, renamed(source(styles.with_a_class)))
    own = source(styles._Solver)
    found = [
        work(w.student, *w.cells, own) if w.student == "with_a_class" else w
        for w in [*found, work("copy", *copy.cells, renamed(own))]
    ]
    alike = similarity.pairs(similarity.without_common(found), BOUND)
    assert [{one.student, other.student} for _, one, other in alike] == [
        {"with_a_class", "copy"}
    ]


def test_a_class_that_copied_the_solution_is_reported():
    code = [source(one) for one in styles.DENSE[:3]]
    found = [work(str(n), *map(renamed, code)) for n in range(20)]
    found.append(work(similarity.SOLUTION, *code))
    alike = [
        (one.student, other.student)
        for _, one, other in similarity.all_pairs(found, BOUND)
    ]
    everybody = list(map(str, range(20)))
    assert sorted(alike) == sorted(
        [(name, similarity.SOLUTION) for name in everybody]
        + [("0", name) for name in everybody[1:]]
    )


def test_what_is_the_same_to_the_letter_is_reported_however_many_wrote_it():
    """Three of nine are more than a quarter of the class."""
    code = [source(one) for one in styles.DENSE[:2]]
    others = [*styles.DENSE[2:], *styles.STYLES["A3.pegasos"]][:6]
    found = [work(name, *code) for name in ("ada", "bob", "cyd")]
    found += [work(one.__name__, source(one)) for one in others]
    assert len(found) == 9
    alike = similarity.all_pairs(found, BOUND)
    named = [{one.student, other.student} for _, one, other in alike]
    assert named == [{"ada", "bob"}, {"ada", "cyd"}]
    assert {share for share, *_ in alike} == {1.0}
    assert similarity.passages(*alike[0][1:])
    # In a small class, where nothing is common, each comes once.
    assert len(similarity.all_pairs(found[:4], BOUND)) == 2


def test_short_answers_are_not_compared():
    one, other = (work(name, "def f(x):\n    return x + 1\n") for name in "ab")
    assert similarity.share(one, other) == 0.0


def test_an_answer_of_just_enough_runs_is_compared():
    whole = work("ada", source(styles.two_branches))
    runs = frozenset(sorted(whole.runs)[: similarity.LEAST])
    enough = dataclasses.replace(whole, runs=runs)
    assert len(runs) == similarity.LEAST
    assert similarity.share(whole, enough) == 1.0
    too_few = dataclasses.replace(whole, runs=frozenset(sorted(runs)[1:]))
    assert similarity.share(whole, too_few) == 0.0


def test_code_that_cannot_be_read_is_compared_as_far_as_it_can():
    code = source(styles.two_branches)
    broken = code + "\n    if (w:\n"
    assert similarity.share(work("a", code), work("b", broken)) > 0.9


def hand_in(folder, student, name, change):
    """The public solution as somebody's work, changed cell by cell."""
    notebook = nbformat.read(PUBLIC / name / f"{name}.ipynb", as_version=4)
    for cell in notebook.cells:
        facts = cell.metadata.get("nbgrader", {})
        if cell.cell_type == "code" and facts.get("solution"):
            cell.source = change(cell.source)
    (folder / student).mkdir()
    nbformat.write(notebook, folder / student / f"{name}.ipynb")


def scrambled(code):
    """Words without meaning, as many as before."""
    words = re.findall(r"\w+|[^\w\s]", code)
    random.Random(0).shuffle(words)
    return "\n".join(
        f"{i} {word}" for i, word in enumerate(words) if word[0].isalpha()
    )


def test_passages_say_where_lines_are_left_out():
    """Those of one's own stand between two that are shared."""
    first, second = source(styles.two_branches), source(styles.kernel_counts)
    own = "print('nobody', 'else', 'has', {'this': 1})\n"
    lines = similarity.passages(
        work("one", first + "\n\n" + own + "\n\n" + second),
        work("other", first, second),
    )
    gap = lines.index("…")
    assert lines.count("…") == 1 and not any("nobody" in x for x in lines)
    assert lines[:gap] == [x for x in first.splitlines() if x in lines[:gap]]
    assert "return w" in lines[gap - 1] and "signed" in lines[gap + 2]


def test_a_line_of_ones_own_at_the_top_of_a_cell_is_left_out_too():
    first, second = source(styles.two_branches), source(styles.kernel_counts)
    own = "print('nobody', 'else', 'has', {'this': 1})\n"
    for top, signs in ((own, 1), ("\n", 0)):
        lines = similarity.passages(
            work("one", first, top + second), work("other", first, second)
        )
        assert lines.count("…") == signs
        assert lines[0] == first.splitlines()[0]
    assert second.splitlines()[0] in lines


def test_the_command_reports_pairs_with_what_they_share(tmp_path, capsys):
    hand_in(tmp_path, "ada", "a3", lambda code: code)
    hand_in(tmp_path, "bob", "a3", renamed)
    hand_in(tmp_path, "cyd", "a3", scrambled)
    (tmp_path / "dee").mkdir()
    (tmp_path / "dee" / "a3.ipynb").write_text("no notebook", "utf-8")
    similarity.main([str(tmp_path), "--solutions", str(PUBLIC)])
    said = capsys.readouterr().out
    assert "## a3: 3 answers, 3 pairs from 60% on" in said
    assert "### ada and bob: 100% of the shorter one" in said
    assert f"### ada and {similarity.SOLUTION}: 100%" in said
    assert "cyd" not in said.split("##")[-1]
    assert "dee, a3: a3.ipynb is no notebook: no JSON" in said
    assert "v[cols] += y[i] * vals" in said  # of ada
    assert "qqq" not in said and "_q" in said  # of bob
    # What was given out does not count, nor do locked cells.
    assert "BEGIN SOLUTION" not in said and "def dense_shrink" not in said


def test_notebooks_as_they_were_given_out_are_not_reported(tmp_path, capsys):
    for student in ("ada", "bob"):
        (tmp_path / student).mkdir()
        text = (tasks.ASSIGNMENTS / "a1.ipynb").read_text("utf-8")
        (tmp_path / student / "a1.ipynb").write_text(text, "utf-8")
    similarity.main([str(tmp_path), "--solutions", str(PUBLIC)])
    assert "a1: 2 answers, 0 pairs" in capsys.readouterr().out


def test_a_download_of_canvas_is_matched_with_a_roster(tmp_path, capsys):
    """As for grading: by the number in the file's name."""
    given = tmp_path / "submissions"
    given.mkdir()
    hand_in(given, "ada", "a3", lambda code: code)
    paths = ["lovelaceada_57_901_a3.ipynb", "bobb_58_902_a3-1.ipynb"]
    for name in paths:
        shutil.copy(given / "ada" / "a3.ipynb", given / name)
    shutil.rmtree(given / "ada")
    roster = tmp_path / "export.csv"
    roster.write_text(
        "Student,ID,SIS Login ID,Section\n"
        '"Lovelace, Ada",57,ada1815,S1\n"B, Bob",58,bob2,S1\n'
    )
    options = [str(given), "--solutions", str(PUBLIC), "--roster", str(roster)]
    similarity.main([*options, "--id", "SIS Login ID"])
    said = capsys.readouterr().out
    assert "a3: 2 answers" in said
    assert f"### ada1815 and {similarity.SOLUTION}: 100%" in said
    assert f"### bob2 and {similarity.SOLUTION}: 100%" in said
    with pytest.raises(SystemExit, match="has no column 'id'"):
        similarity.main(options)


@pytest.mark.skipif(os.name == "nt", reason="pipes differ there")
def test_a_reader_may_go(tmp_path):
    """As in `python tasks.py similar FOLDER | head -1`."""
    hand_in(tmp_path, "ada", "a3", lambda code: code)
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", similarity.__name__, str(tmp_path)],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tasks.ROOT,
        check=False,
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    "options, said",
    [
        (["nowhere"], "There is no folder nowhere"),
        ([".", "--bound", "2"], "The bound is 2; expected a share"),
        ([".", "--solutions", "tests"], "There are no solutions in tests"),
    ],
)
def test_what_cannot_be_is_refused(options, said, monkeypatch):
    monkeypatch.chdir(tasks.ROOT)
    with pytest.raises(SystemExit, match=said):
        similarity.main(options)
