"""What is mutated, how many mutants are drawn, and what should catch them."""

from dataclasses import dataclass, field

SEED = 2011  # of every sample; the year of the paper

LIBRARY = "tests/library/"
INTERPRETED = ("-k", "not compiled")  # compiling takes seconds a mutant
# Nor the checkers, which are processes of their own.
HINTS = ("-m", "not processes", "-k", "not compiled and not formatted")
# The test that counts the hostile submissions has no say in a small class;
# one looks for compiled code beside the sources, and here it is elsewhere.
SMALL_CLASS = (
    *("-p", "tests.mutation.small_class"),
    *("-k", "not enough_hostile and not compiled_code_is_at_hand"),
)


@dataclass(frozen=True)
class Area:
    """One part of the package.

    Attributes
    ----------
    files : tuple of str
        Patterns of the modules, below pegasos_edu.
    mutants : int
        The size of the sample.
    tests : tuple of str
        The few fast files of tests that should catch them.
    wide : tuple of str
        Tried on what those let live.
    by_file : dict of str to tuple
        Takes the place of `tests` for some files.
    """

    files: tuple
    mutants: int
    tests: tuple
    wide: tuple = ()
    by_file: dict = field(default_factory=dict)

    def tests_of(self, path):
        """The fast tests of one file of the area."""
        return self.by_file.get(path.rpartition("/")[2], self.tests)


def library(*names):
    return tuple(f"{LIBRARY}test_{name}.py" for name in names)


def coursework(*names):
    return tuple(f"tests/coursework/test_{name}.py" for name in names)


# Without the attacks, each of which is tried with and without a sandbox.
NO_ATTACKS = (*coursework("isolation"), "-m", "not processes")
# A course of one's own, made but not graded: that takes minutes, and so does
# all that is asked of its variants. Of these tests a few are quick.
NOT_GRADED = (*coursework("course"), "-m", "not processes")
MADE = (*NOT_GRADED, "-k", "guide or gives_nothing or keeps or whose")
ASKED = (*NOT_GRADED, "-k", "references or cannot or code or spread")
WORDED = (*NOT_GRADED, "-k", "has_its_words or passage or another_loss")

# Each of these tries hundreds of answers.
FEWER_ANSWERS = (
    "-k",
    "not every_recipe and not any_reset and not any_average"
    " and not nearly_without and not two_mistakes and not no_right_answer",
)
NAMED = (*coursework("diagnosis"), *FEWER_ANSWERS)
SHOWN = ("-k", "mathml or typed or dollars or smuggles or formulas")
CHECKED = (*coursework("cases", "checks"), *FEWER_ANSWERS)

AREAS = {
    "losses": Area(
        files=("problem/losses.py", "problem/objective.py"),
        mutants=30,
        tests=(*library("losses"), *INTERPRETED),
        wide=library("ladder", "optimum", "theory"),
    ),
    "checks": Area(
        files=("problem/checks.py",),
        mutants=50,
        tests=(*library("checks"), *INTERPRETED),
        wide=library("checks", "ladder", "orders_steps", "estimator"),
    ),
    "solvers": Area(
        files=("solvers/*.py",),
        mutants=110,
        tests=(*library("ladder"), *INTERPRETED),
        wide=(
            *library("ladder", "checks", "start", "relatives", "optimum"),
            *library("estimator", "interface"),
            *("-m", "not processes", "-k", "not formatted"),
        ),
        by_file={
            "compiled.py": (*library("ladder"), "-k", "compiled"),
            "ascent.py": library("dual"),
            "dual.py": library("dual"),
            "signatures.py": (*library("interface"), *HINTS),
            "kernel.py": library("kernel"),
            "orders.py": library("orders_steps"),
            "steps.py": library("orders_steps"),
            "projections.py": library("projections"),
            "relatives.py": library("relatives"),
            "run.py": (*library("ladder", "start"), *INTERPRETED),
            "solver.py": (*library("interface", "ladder"), *HINTS),
            "ten_lines.py": library("ten_lines"),
        },
    ),
    "optimum": Area(
        files=("certificate/*.py",),
        mutants=50,
        tests=library("optimum", "constrained"),
        wide=library("checks", "theory", "experiments"),
        by_file={
            "approach.py": library("approach"),
            "proximal.py": library("approach"),
            "wide.py": library("wide"),
            "constrained.py": library("constrained", "optimum"),
            "qp.py": library("qp"),
        },
    ),
    "estimator": Area(
        files=("estimator.py",),
        mutants=40,
        tests=library("estimator"),
        wide=library("estimator_checks"),
    ),
    # The exhibits of the zoo are mistakes already.
    "coursework": Area(
        files=(
            "coursework/*.py",
            "coursework/diagnosis/*.py",
            "coursework/questions/*.py",
            "coursework/tasks/*.py",
            "coursework/zoo/exhibit.py",
        ),
        mutants=50,
        tests=(
            *coursework("catalogue", "checks", "parts", "diagnosis"),
            *FEWER_ANSWERS,
        ),
        wide=(
            *coursework(
                "checks", "parts", "diagnosis", "anything", "symptoms"
            ),
            *coursework("no_false_pass", "judge", "course", "tournament"),
        ),
        by_file={
            "a1.py": (*coursework("parts"), *CHECKED),
            "a3.py": CHECKED,
            "a4.py": CHECKED,
            "asked.py": ASKED,
            "cases.py": coursework("cases"),
            "cost.py": coursework("cost"),
            "fit.py": NAMED,
            "measure.py": NAMED,
            "names.py": coursework("questions"),
            "parts.py": coursework("catalogue"),
            "probes.py": NAMED,
            "recipe.py": NAMED,
            "task.py": CHECKED,
            "trial.py": CHECKED,
            "tournament.py": (*coursework("tournament"), "-k", "not arena"),
            "unwrap.py": NAMED,
            "values.py": coursework("catalogue"),
            "variants.py": NOT_GRADED,
            "watch.py": coursework("no_false_pass", "judge"),
            "whole.py": NAMED,
        },
    ),
    "grading": Area(
        files=("grading/*.py", "grading/*/*.py"),
        mutants=50,
        tests=(*SMALL_CLASS, *coursework("records", "judge", "grading")),
        wide=coursework("release", "isolation", "grading", "course"),
        by_file={
            "archives.py": coursework("downloads"),
            "borrowing.py": coursework("judge", "no_false_pass"),
            "downloads.py": coursework("downloads"),
            "decoys.py": coursework("execute"),
            "edition.py": MADE,
            "execute.py": coursework("execute"),
            "feedback.py": coursework("feedback"),
            "formulas.py": (*coursework("feedback"), *SHOWN),
            "guide.py": MADE,
            "inside.py": NO_ATTACKS,
            "isolation.py": (*SMALL_CLASS, *coursework("isolation")),
            "judge.py": coursework("judge"),
            "lateness.py": coursework("lateness"),
            "limits.py": NO_ATTACKS,
            "records.py": (
                *SMALL_CLASS,
                *coursework("records", "lateness", "gradebooks", "grading"),
            ),
            "release.py": (*coursework("release"), "-k", "command or named"),
            "remote.py": coursework("judge"),
            "restore.py": coursework("records"),
            "roster.py": coursework("gradebooks", "downloads"),
            "rules.py": coursework("lateness"),
            "similarity.py": coursework("similarity"),
            "tables.py": coursework("gradebooks", "records"),
            "temporary.py": coursework("temporary"),
            "wording.py": WORDED,
        },
    ),
}
