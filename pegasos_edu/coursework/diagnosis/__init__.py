"""What is wrong with an answer: what was seen, and its name if it has one.

Read `parts`, `search` and `measure` first: of what pieces solvers are made,
which wrong pieces act like the answer, and what its step is where none does.
An exhibit of the zoo has its hint beside it; all else that has a name has its
hint in `hints`, and which task can get which name stands in `names`.

numbers      where a result that is not finite comes from
fit          each step of a run taken apart
parts        what people write for each part of a solver
recipe       a solver put together from parts
search       which mistaken recipe acts like an answer
scale        a sparse solver's first scale, where it is nearly 0
whole        mistakes for which a whole loop is written anew
values       the same for the small functions
unwrap       where what is asked for is hidden in something else
inputs       a formula that is right but for one input, or one factor
probes       what a solver does not depend on
measure      what a step does, measured on rows at right angles
variants     the same for what a variant asks
crossings    the same for where two lines meet
expressions  which expression in some quantities a value is
quantities   what the value of each small function may be made of
rounds       which terms a regret is made of
facts        what is true of a formula that is none of the known ones
outcomes     exceptions, other shapes, and what holds no numbers
runs         averages and projections, seen in runs on chosen data
games        what opponents and learners of the tournament do
lines        the lines of the proof, by the factors of their terms
hints        what to tell of each mistake
by_task      the same where one assignment needs other words
names        all names, by task and kind
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.cases import LENGTHY
from pegasos_edu.coursework.diagnosis.facts import facts
from pegasos_edu.coursework.diagnosis.fit import (
    forms,
    later_forms,
    multiplied,
    returned,
    unfit_numbers,
)
from pegasos_edu.coursework.diagnosis.games import (
    of_a_learner,
    of_a_refutation,
    of_an_opponent,
    of_the_plane,
    plays_another,
)
from pegasos_edu.coursework.diagnosis.hints import hint
from pegasos_edu.coursework.diagnosis.inputs import right_but
from pegasos_edu.coursework.diagnosis.lines import proof_mistakes
from pegasos_edu.coursework.diagnosis.measure import (
    AS_THEY_SHOULD,
    HEAD,
    Probe,
    elsewhere,
    measure,
)
from pegasos_edu.coursework.diagnosis.numbers import not_finite
from pegasos_edu.coursework.diagnosis.outcomes import (
    EXCHANGED,
    SHAPES,
    of_an_outcome,
)
from pegasos_edu.coursework.diagnosis.parts import parts_of
from pegasos_edu.coursework.diagnosis.probes import (
    EPOCHS,
    MAY_VARY,
    call_to_call,
    findings,
    of_a_classifier,
    reordered_rows,
)
from pegasos_edu.coursework.diagnosis.quantities import MADE_OF
from pegasos_edu.coursework.diagnosis.recipe import (
    OF_A_BALL,
    PROJECTED,
    RIGHT,
)
from pegasos_edu.coursework.diagnosis.runs import (
    OTHER_WEIGHTS,
    of_a_projection,
    of_an_average,
)
from pegasos_edu.coursework.diagnosis.scale import of_the_scale
from pegasos_edu.coursework.diagnosis.search import (
    as_weights,
    called,
    other_cases,
    short_or_all,
    solver_mistakes,
)
from pegasos_edu.coursework.diagnosis.unwrap import (
    another_form,
    unwrapped,
)
from pegasos_edu.coursework.diagnosis.values import (
    FORMULAS,
    formula_mistakes,
    formula_trials,
    fractions_lost,
    off_the_line,
    ratio,
)
from pegasos_edu.coursework.diagnosis.variants import what_is_wrong
from pegasos_edu.coursework.diagnosis.whole import loop_mistakes
from pegasos_edu.coursework.frames import own_lines
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.tasks.a1 import SOME, drawn_by, often
from pegasos_edu.coursework.tasks.classifier import takes_epochs
from pegasos_edu.coursework.trial import (
    Outcome,
    as_numbers,
    call,
    same_values,
    written,
)
from pegasos_edu.coursework.zoo import behaves_like, like_an_exhibit

__all__ = ["Diagnosis", "diagnose", "diagnose_variant", "hint", "zoo_name"]

# Mistakes after which a run of t steps tells nothing of step t.
NO_STEPS = {
    name
    for part in ("data", "values", "whose", "rows", "returns", "start", "bias")
    for name, _ in parts_of("A3.pegasos")[part]
} | {
    "order-has-no-effect",
    "steps-have-no-effect",
    "values-have-no-effect",
    "differs-from-call-to-call",
}
# Mistakes in what is returned, after right steps.
RETURNED = {
    "few-digits",
    "whole-numbers-only",
    "returns-an-earlier-iterate",
    "right-but-for-its-length",
    "mixes-the-iterates",
}


@dataclass(frozen=True)
class Diagnosis:
    """What was found out about a wrong answer.

    Attributes
    ----------
    names : tuple of str
        The mistakes it has for certain: it acts like them in every trial.
    seen : tuple of str
        Sentences on what it does, true whether or not there is a name.
    """

    names: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()


def diagnose(task, solve, cases):
    """Find out what is wrong with an answer.

    Parameters
    ----------
    task : Task
    solve : callable
        The answer, as a function of a case.
    cases : list of dict
        What it was tried on; it is wrong in one of them.

    Returns
    -------
    Diagnosis
    """
    if max_for_maximum(call(solve, cases[0]).error):
        return Diagnosis(("max-for-maximum",))
    cases = without_the_longest(task, solve, cases)
    found = at_once(task, solve, cases) or by_its_task(task, solve, cases)
    if found.names:
        return found
    names = of_an_outcome(task, solve, cases)
    if task.name in RIGHT and set(names) & set(SHAPES):
        # What is kept from call to call may have the size of an earlier one.
        differ = (call_to_call(solve, case) for case in cases)
        names = next(filter(None, differ), names)
    return Diagnosis(names, found.seen)


def without_the_longest(task, solve, cases):
    """The shorter runs alone, if the answer is wrong in one of them.

    In the longest a wrong number has grown beyond all bounds.
    """
    if task.name not in RIGHT:
        return cases
    short = [case for case in cases if len(case["order"]) != LENGTHY]
    right = all(
        call(solve, case).same_as(call(task.reference, case)) for case in short
    )
    return cases if right else short


def at_once(task, solve, cases):
    """What is seen before an answer is called often, which may take long.

    None if nothing is.
    """
    if task.name == "A1.visits":
        rows = as_numbers(call(solve, cases[0]).value)
        if rows is not None and (rows.ndim > 1 or rows.size > cases[0]["T"]):
            return Diagnosis(of_an_outcome(task, solve, cases))
        if has_them_exchanged(task, solve, cases):
            return Diagnosis((EXCHANGED,))
    if task.name == "A1.classifier" and takes_epochs(solve, cases[0]):
        return Diagnosis(EPOCHS)
    if task.name not in (*MAY_VARY, "A1.visits"):
        # By chance an answer may act like any mistake once.
        differ = (call_to_call(solve, c) for c in cases for _ in range(2))
        names = next(filter(None, differ), ())
        return Diagnosis(names) if names else None
    return None


def has_them_exchanged(task, solve, cases):
    """Whether visits are right if n and T are exchanged."""

    def the_other_way(n, T, seed):
        return solve(T, n, seed)

    return not any(
        task.judge(task, the_other_way, case, call(the_other_way, case))
        for case in cases
    )


def by_its_task(task, solve, cases):
    """What is found by what is known of a task."""
    if task.name in FORMULAS:
        return diagnose_formula(task, solve, cases)
    if task.name not in RIGHT:
        names = zoo_name(task, solve, cases)
        if task.name in MAY_VARY:
            # By chance an answer may act like an exhibit once.
            again = (zoo_name(task, solve, cases) for _ in range(3))
            names = names if all(name == names for name in again) else ()
            if names == ("one-example-for-ever",) and plays_another(
                solve, cases
            ):
                names = ()
        else:
            differ = (call_to_call(solve, case) for case in cases)
            names = names or next(filter(None, differ), ())
        look = OF_ITS_OWN.get(task.name)
        if names or look is None:
            return Diagnosis(names)
        return Diagnosis(*look(task, solve, cases))
    names, said = not_finite(solve, cases)
    if names == ("divides-by-zero",):
        # What is known of the scale holds if the first step is not finite.
        first = {**cases[0], "order": cases[0]["order"][:1]}
        if not finite(call(solve, first).value):
            names = zoo_name(task, solve, [first, *cases]) or names
    if names:
        return Diagnosis(names, said)
    if takes_columns(task, solve):
        return Diagnosis(("columns-for-rows",))
    value, d = call(solve, cases[0]).value, cases[0]["X"].shape[1]
    form, inner = unwrapped(solve, value, d)
    if not form:
        return diagnose_solver(task, solve, cases)
    if all(
        call(inner, case).same_as(call(task.reference, case)) for case in cases
    ):
        return Diagnosis((form,))
    found = diagnose_solver(task, inner, cases)
    return Diagnosis((form, *found.names), found.seen)


OF_FEW_NUMBERS = ("A1.step_size", "A4.bound", "A4.slope")


def diagnose_formula(task, solve, cases):
    """One mistake before two, and a known one before what is measured."""
    trials = formula_trials(task, solve, cases)
    if all(
        outcome.same_as(call(task.reference, case)) for case, outcome in trials
    ):
        return Diagnosis()  # now it is right, and was not at first
    if task.name in OF_FEW_NUMBERS:  # some are equal there by chance
        points, _ = MADE_OF[task.name]
        trials += [(case, call(solve, case)) for case in points()]
    off = off_the_line(task, trials)
    looks = (
        lambda: of_the_zoo(task, solve, cases),
        lambda: (formula_mistakes(task, trials, 1), ()),
        lambda: (fractions_lost(task, trials), ()),
        lambda: another_form(task, trials),
        lambda: right_but(task, trials),
        lambda: right_but(task, off) if off else ((), ()),
        lambda: (formula_mistakes(task, trials, 2), ()),
        lambda: beside_overflow(task, trials, not_finite(solve, cases)),
        lambda: facts(task, solve, cases),
    )
    names, said = next(filter(any, (look() for look in looks)), ((), ()))
    return Diagnosis(names, said or ratio(task, solve, cases))


def of_the_zoo(task, solve, cases):
    """The exhibit of the zoo, unless its infinity comes from elsewhere."""
    names = zoo_name(task, solve, cases)
    other = not_finite(solve, cases) if names == OF_EXP else ((), ())
    return (names, ()) if other[0] in ((), names) else other


# log 0 and log(1 + exp(large)) are the same number.
OF_EXP = ("exp-overflows",)


def beside_overflow(task, trials, found):
    """What is not finite, and before it the mistake in what is finite."""
    if not found[0]:
        return found
    fine = [
        trial
        for trial in trials
        if trial[1].error is None and finite(trial[1].value)
    ]
    # Where all of that is right, the numbers beyond bounds are the mistake.
    if all(
        outcome.same_as(call(task.reference, case)) for case, outcome in fine
    ):
        return found
    exhibit = like_an_exhibit(task, fine)
    first = (exhibit.name,) if exhibit else formula_mistakes(task, fine, 1)
    if first and task.name == "A2.probability":
        return first, ()  # there the right formula overflows as well
    return (*first, *found[0]), found[1]


def diagnose_variant(task, solve, seed):
    """Find out what is wrong with an answer to a variant.

    Parameters
    ----------
    task : Task
        As the variant asks for it.
    solve : callable
        The answer, as a function of a case; it is wrong.
    seed : int
        The variant's.

    Returns
    -------
    Diagnosis
    """
    if max_for_maximum(call(solve, task.cases(seed)[0]).error):
        return Diagnosis(("max-for-maximum",))
    return Diagnosis(*what_is_wrong(task, solve, seed))


def max_for_maximum(error):
    """Whether an exception comes from `np.max` with a number in front."""
    if not isinstance(error, (TypeError, ValueError)):
        return False
    own = [line for line in own_lines(error) if ", line " in line]
    return any("np.max(" in line for line in own[-1:])


def rows_drawn(task, visits, cases):
    """The name for rows that end too early, or that chance has not drawn."""
    looks = (
        *(too_few, not_whole, ascending, seeds_alike),
        *(not_filled, never_drawn, by_chance, without_the_seed),
    )
    names = (look(visits, cases) for look in looks)
    return next(filter(None, names), ()), ()


def not_whole(visits, cases):
    """The name for row numbers with a fraction."""
    rows = as_numbers(call(visits, cases[0]).value)
    if rows is None or not np.isfinite(rows).all():
        return ()
    if (rows == np.floor(rows)).all():
        return ()
    return ("rows-not-whole",)


def ascending(visits, cases):
    """The name for rows in ascending order."""
    drawn = [as_numbers(call(visits, case).value) for case in cases]
    if all(
        rows is not None and rows.ndim == 1 and (np.diff(rows) >= 0).all()
        for rows in drawn
    ):
        return ("rows-sorted",)
    return ()


def by_chance(visits, cases):
    """The name for rows that follow a rule, or for unequal chances."""
    drawn = [as_numbers(call(visits, case).value) for case in cases]
    if any(rows is None or rows.ndim != 1 for rows in drawn):
        return ()
    if any(follow_a_rule(rows, case) for rows, case in zip(drawn, cases)):
        return ("rows-follow-each-other",)
    counts = [np.unique(rows, return_counts=True)[1] for rows in drawn]
    # About six standard deviations, of the rows that come most often.
    most = max(counts, key=np.mean)
    far = np.ptp(most) > 6 * np.sqrt(2 * most.mean())
    return ("some-rows-more-often",) * bool(far)


def not_filled(visits, cases):
    """The name for rows of some places, not of all, that no seed changes."""
    if any(still.any() and not still.all() for still in stand(visits, cases)):
        return ("some-rows-ignore-the-seed",)
    return ()


def without_the_seed(visits, cases):
    """The name for rows of a place that no seed changes."""
    if any(still.any() for still in stand(visits, cases)):
        return ("some-rows-ignore-the-seed",)
    return ()


def stand(visits, cases):
    """In which places no seed changes the row, for each case of many rows."""
    for case in cases:
        seeds = range(case["seed"], case["seed"] + SEEDS)
        drawn = [as_numbers(rows) for rows in drawn_by(visits, case, seeds)]
        if case["n"] >= SOME and all(
            rows is not None and rows.shape == (case["T"],) for rows in drawn
        ):
            yield np.ptp(drawn, axis=0) == 0


def seeds_alike(visits, cases):
    """The name for seeds some of which give the same of many rows."""
    most = max(cases, key=lambda case: case["n"])
    seeds = range(most["seed"], most["seed"] + SEEDS + 1)
    drawn = drawn_by(visits, most, seeds)
    if any(np.shape(as_numbers(rows)) != (most["T"],) for rows in drawn):
        return ()
    alike = [same_values(a, b, None) for a, b in combinations(drawn, 2)]
    some = any(alike) and not all(alike)
    return ("some-seeds-give-the-same",) * some


def follow_a_rule(rows, case):
    """Whether of many rows each moves by the same number, or stays."""
    n = case["n"]
    return n >= SOME and often(np.diff(np.floor(rows)), n) > 0.7


def never_drawn(visits, cases):
    """The name for a row that is in none of many draws."""
    rows, n = as_numbers(call(visits, cases[0]).value), cases[0]["n"]
    if rows is None or rows.ndim == 0:
        return ()
    drawn = set(rows.ravel())
    return ("a-row-never-drawn",) if drawn < set(range(n)) else ()


def too_few(visits, cases):
    """The name for rows that end where more are asked for."""
    for case in cases:
        outcome = call(visits, case)
        if outcome.error and LARGER in written(outcome.error).lower():
            return ("draws-without-putting-back",)
        if outcome.error and case["T"] < case["n"]:
            # Perhaps there is a row only where there is a whole epoch.
            outcome = call(visits, {**case, "T": 2 * case["n"] - 1})
            rows = as_numbers(outcome.value)
            if rows is not None and rows.shape == (case["n"],):
                return ("fewer-rows-than-T",)
        rows = as_numbers(outcome.value)
        if rows is None or rows.ndim != 1 or len(rows) > case["T"]:
            return ()
        if len(rows) < case["T"]:
            return ("fewer-rows-than-T",)
    return ()


SEEDS = 10  # that hardly ever draw the same row in one place
LARGER = "larger sample than population"  # as NumPy and Python say it


def projected(task, solve, cases):
    """The names of one mistake in a solver that projects, or of two."""

    def onto_the_ball(w, lam):
        return Outcome(PROJECTED.project(w, lam))

    without = TASKS[f"{task.assignment}.pegasos"].reference
    given = [as_weights(call(solve, case), case) for case in cases]
    if any(w is None for w in given):
        return (), ()
    with np.errstate(all="ignore"):
        if all(
            onto_the_ball(w, case["lam"]).same_as(call(task.reference, case))
            for w, case in zip(given, cases)
        ):
            return ("last-step-not-projected",), ()
        if all(
            onto_the_ball(call(without, case).value, case["lam"]).same_as(
                Outcome(w)
            )
            for w, case in zip(given, cases)
        ):
            return ("projected-at-the-end-only",), ()
        if all(
            Outcome(adding_in_the_ball(**case)).same_as(Outcome(w))
            for w, case in zip(given, cases)
        ):
            return ("only-the-addition-projected",), ()
        if all(
            call(without_the_cross_term, case).same_as(Outcome(w))
            for w, case in zip(given, cases)
        ):
            return ("length-without-the-cross-term",), ()
    parts = {
        part: [(called(task.name, name), choice) for name, choice in choices]
        for part, choices in {
            **parts_of(task.name),
            "project": OF_A_BALL,
        }.items()
    }
    for number in (1, 2):
        names = solver_mistakes(task, solve, cases, number, PROJECTED, parts)
        if names:
            return names, ()
    return of_a_projection(solve, cases)


def adding_in_the_ball(X, y, lam, order):
    """w where only what a step adds is brought into the ball."""
    X = X.toarray() if sp.issparse(X) else X
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, start=1):
        added = (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
        w = (1 - 1 / t) * w + PROJECTED.project(added, lam)
    return w


def without_the_cross_term(X, y, lam, order):
    """w where ‖w‖² is kept up, and the 2⟨w, z⟩ of adding z is forgotten."""
    X = X.toarray() if sp.issparse(X) else X
    w, square = np.zeros(X.shape[1]), 0.0
    for t, i in enumerate(order, start=1):
        z = (y[i] * (w @ X[i]) < 1) * y[i] * X[i] / (lam * t)
        w = (1 - 1 / t) * w + z
        square = (1 - 1 / t) ** 2 * square + z @ z
        if square > 1 / lam:
            w, square = w / np.sqrt(lam * square), 1 / lam
    return w


# Tasks that are neither a formula nor one of the solvers of `recipe`.
OF_ITS_OWN = {
    "A1.visits": rows_drawn,
    "A1.classifier": lambda *given: (of_a_classifier(*given), ()),
    "A1.projected": projected,
    "A3.projected": projected,
    "A4.telescope": proof_mistakes,
    "A4.opponent": of_an_opponent,
    "A4.learner": of_a_learner,
    "A4.refutation": of_a_refutation,
    "A4.planar": of_the_plane,
}


def finite(value):
    numbers = as_numbers(value)
    return numbers is not None and bool(np.isfinite(numbers).all())


def takes_columns(task, solve):
    """Whether a solver is right on square data turned on their side."""
    rng = np.random.default_rng(5)
    X, y = rng.standard_normal((6, 6)), np.resize([1.0, 1.0, -1.0], 6)
    order = rng.integers(6, size=20)
    turned = {"X": X.T, "y": y, "lam": 0.1, "order": order}
    if task.name.startswith("A3"):
        X, turned["X"] = sp.csr_matrix(X), sp.csr_matrix(turned["X"])
    wanted = call(task.reference, {**turned, "X": X})
    return wanted.same_as(call(solve, turned))


def zoo_name(task, solve, cases):
    """The exhibit of the zoo that an answer acts like, as a tuple of names."""
    if task.name in RIGHT and not task.asked:
        # On other data it must act alike, too.
        cases = [
            *short_or_all(task, solve, cases),
            *short_or_all(task, solve, other_cases(task)),
        ]
    exhibit = behaves_like(task, solve, cases)
    return () if exhibit is None else (exhibit.name,)


def diagnose_solver(task, solve, cases):
    """By the zoo, by search, by probes, by measuring: quick ones first."""
    names = (
        zoo_name(task, solve, cases)
        or solver_mistakes(task, solve, cases, 1)
        or findings(solve, cases)
        or loop_mistakes(task, solve, cases)
        or multiplied(solve, task, cases)
        or solver_mistakes(task, solve, cases, 2)
        or unfit_numbers(solve, task, cases)
    )
    said = ()
    if not names and task.name == "A3.average":
        names, said = of_an_average(solve)
    if not names:
        names, said = forms(solve, task, cases)
    if not names:
        names, said = later_forms(solve, task, cases)
    if not names:
        names = returned(solve, task, cases) or elsewhere(solve, task)
    if not names:
        names = reordered_rows(solve, task, [*cases, *other_cases(task)])
    if task.name.startswith("A3"):
        names, said = of_the_scale(solve, names, said)
    if (NO_STEPS | RETURNED) & set(names):
        return Diagnosis(names)
    if OTHER_WEIGHTS in names:
        return Diagnosis(names, said)
    with np.errstate(all="ignore"):
        seen = measure(
            Probe(
                solve,
                sparse=task.name.startswith("A3"),
                averages=task.name == "A3.average",
                log=task.name == "A2.pegasos",
            )
        )[: 1 if names else 3]
    if names and seen == [AS_THEY_SHOULD]:
        seen = []  # those four steps do not show it
    head = [HEAD] if seen else []
    measured = (f"  {sentence}" for sentence in seen)
    return Diagnosis(names, (*said, *head, *measured))
