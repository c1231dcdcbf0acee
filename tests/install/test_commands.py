"""Every command has help, and says in one sentence what it lacks."""

import runpy
import sys

import pytest

from tests.mutation.areas import AREAS


@pytest.fixture
def outcome(monkeypatch, capsys):
    """Status, output and complaint of `python -m` with some words."""

    def run(command, *arguments):
        monkeypatch.setattr(sys, "argv", [command, *arguments])
        # As where it is not installed.
        monkeypatch.setitem(sys.modules, "cosmic_ray", None)
        for name in (command, f"{command}.__main__"):
            monkeypatch.delitem(sys.modules, name, raising=False)
        with pytest.raises(SystemExit) as end:
            runpy.run_module(command, run_name="__main__")
        return end.value.code, *capsys.readouterr()

    return run


@pytest.mark.parametrize(
    "command",
    [
        "pegasos_edu.experiments",
        "tests.benchmarks",
        "tests.benchmarks.curves",
        "tests.benchmarks.live_latency",
        "tests.benchmarks.page_load",
        "tests.benchmarks.python_in_page",
        "tests.mutation",
    ],
)
def test_every_command_has_help(command, outcome):
    status, said, complaint = outcome(command, "--help")
    assert (status, complaint) == (0, "")
    assert said.startswith(f"usage: python -m {command}")


def test_the_help_of_mutation_lists_its_areas(outcome):
    _, said, _ = outcome("tests.mutation", "--help")
    assert f"one of {', '.join(AREAS)};" in " ".join(said.split())


def test_an_area_that_there_is_not(outcome):
    status, _, complaint = outcome("tests.mutation", "lossses", "--out", "x")
    assert status == 2
    assert f"'lossses'; expected one of {', '.join(AREAS)}." in complaint


@pytest.mark.parametrize(
    "words, sentence",
    [
        (
            "pegasos_edu.experiments sizes --data {empty}",
            "There is no {empty}/a9a.gz; expected it in the folder --data.",
        ),
        (
            "pegasos_edu.experiments chor --data {empty}",
            "There is no mnist.npz in {empty}; expected one with arrays X "
            "and y, or the option --fetch to download it.",
        ),
        (
            "pegasos_edu.experiments qp --out {empty}/there/qp.json",
            "There is no folder {empty}/there.",
        ),
        ("tests.benchmarks --data {empty}", "There is no a9a.gz in {empty}."),
        (
            "tests.benchmarks.curves --data {empty} --sets digits MNIST",
            "There is no mnist.npz in {empty}.",
        ),
        (
            "tests.mutation --out {empty}/outcomes.json",
            "cosmic-ray is missing: pip install cosmic-ray==8.7.0",
        ),
    ],
)
def test_what_a_command_lacks_is_one_sentence(
    words, sentence, tmp_path, outcome
):
    status, said, complaint = outcome(*words.format(empty=tmp_path).split())
    assert (status, said) == (2, "")
    assert complaint == sentence.format(empty=tmp_path) + "\n"
