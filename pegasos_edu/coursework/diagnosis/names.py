"""All names that a check can give to an answer, by task and kind."""

from inspect import signature

from pegasos_edu.coursework.diagnosis.facts import FACTS
from pegasos_edu.coursework.diagnosis.games import (
    OF_A_LEARNER,
    OF_A_REFUTATION,
    OF_AN_OPPONENT,
    OF_THE_PLANE,
    unlike_pegasos,
)
from pegasos_edu.coursework.diagnosis.inputs import INPUT, TERM, TERMS
from pegasos_edu.coursework.diagnosis.lines import OF_THE_PROOF
from pegasos_edu.coursework.diagnosis.outcomes import (
    EXCHANGED,
    OF_AN_OUTCOME,
)
from pegasos_edu.coursework.diagnosis.parts import PARTS, parts_of
from pegasos_edu.coursework.diagnosis.probes import (
    DIFFERS,
    EPOCHS,
    MAY_VARY,
    OF_A_CLASSIFIER,
    OF_CSR,
)
from pegasos_edu.coursework.diagnosis.quantities import FORMULA, MADE_OF
from pegasos_edu.coursework.diagnosis.recipe import (
    OF_A_BALL,
    PROJECTED,
    RIGHT,
)
from pegasos_edu.coursework.diagnosis.runs import (
    OTHER_LENGTH,
    OTHER_WEIGHTS,
    OUTSIDE,
)
from pegasos_edu.coursework.diagnosis.scale import NEARLY_ZERO
from pegasos_edu.coursework.diagnosis.search import called
from pegasos_edu.coursework.diagnosis.unwrap import ANOTHER_FORM
from pegasos_edu.coursework.diagnosis.values import (
    FORMULAS,
    IN_ONE_STEP,
    NEAR_TO,
    OF_THE_INPUT,
    RELATED,
)
from pegasos_edu.coursework.diagnosis.whole import loops
from pegasos_edu.coursework.task import TASKS
from pegasos_edu.coursework.zoo import ZOO

FORM, NUMBERS, PROBES = "form", "numbers", "probes"
# What the other searches can find: by kind, and of which solvers.
MEASURED: dict[str, tuple[str, ...]] = {
    "data": ("columns-for-rows",),
    "rows": ("uses-other-rows", "order-shuffled"),
    "eta": ("step-of-another-form",),
    "when": ("some-steps-change-nothing",),
    "shrink": ("shrink-of-another-form",),
    "add": (
        "addition-of-another-form",
        "labels-treated-differently",
        "changes-every-column",
    ),
    "pull": ("test-decides-otherwise",),
    "start": ("starts-elsewhere",),
    "returns": (
        "returns-an-earlier-iterate",
        "right-but-for-its-length",
        "mixes-the-iterates",
        "returns-the-history",
        "returns-more-than-w",
        "returns-a-column",
    ),
    PROBES: (
        "order-has-no-effect",
        "labels-have-no-effect",
        "lambda-has-no-effect",
        "steps-have-no-effect",
        "differs-from-call-to-call",
    ),
    NUMBERS: (
        "few-digits",
        "whole-numbers-only",
        "starts-at-zero",
        "divides-by-zero",
        "exp-overflows",
        "numbers-overflow",
        "logarithm-of-zero",
    ),
}
# Those of them that are not looked for in a task.
NEVER = {
    "A2.pegasos": ("test-decides-otherwise",),
    "A3.average": (
        "returns-an-earlier-iterate",
        "right-but-for-its-length",
        "mixes-the-iterates",
    ),
}
# What a variant of a course of one's own adds.
IN_VARIANTS = {
    "A1.step_size": ("answers-another-variant",),
    "A1.visits": ("answers-another-variant",),
    "A1.loop": ("answers-another-variant",),
    "A1.pegasos": (
        "answers-another-variant",
        "head-start-outside-the-product",
        "batch-summed-up",
        "batch-divided-by-its-violators",
        "one-row-of-the-batch",
    ),
    "A2.log_loss": ("answers-another-variant",),
    "A2.slope": ("answers-another-variant",),
    "A2.pegasos": (
        "answers-another-variant",
        "head-start-outside-the-product",
    ),
    "A2.probability": ("answers-another-variant",),
    "A3.pegasos": (
        "answers-another-variant",
        "head-start-outside-the-product",
    ),
    "A3.average": (
        "answers-another-variant",
        "head-start-outside-the-product",
    ),
    "A4.regret": ("answers-another-variant",),
    "A4.bound": ("answers-another-variant",),
    "A4.slope": ("answers-another-variant",),
}

OF_A_PROJECTION = (
    OTHER_LENGTH,
    OUTSIDE,
    "last-step-not-projected",
    "only-the-addition-projected",
    "length-without-the-cross-term",
    "projected-at-the-end-only",
)
# What the form of an answer shows in a task, beside what it shows in all.
FORMS: dict[str, tuple[str, ...]] = {
    "A1.objective": ("max-for-maximum",),
    "A1.visits": (
        "fewer-rows-than-T",
        "draws-without-putting-back",
        "a-row-never-drawn",
        "rows-not-whole",
        "rows-sorted",
        "rows-follow-each-other",
        "some-rows-more-often",
        "some-rows-ignore-the-seed",
        "some-seeds-give-the-same",
    ),
    "A1.classifier": (*OF_A_CLASSIFIER, *EPOCHS),
    "A1.projected": OF_A_PROJECTION,
    "A3.projected": OF_A_PROJECTION,
    "A4.opponent": OF_AN_OPPONENT,
    "A4.learner": OF_A_LEARNER,
    "A4.refutation": OF_A_REFUTATION,
    "A4.planar": OF_THE_PLANE,
}


def names_by_kind(task):
    """The names for the answers to a task, but for those of its zoo.

    Parameters
    ----------
    task : str

    Returns
    -------
    dict of str to list of str
        Kind, such as a part of a solver -> names.
    """
    form = ["returns-nothing", *OF_AN_OUTCOME, *FORMS.get(task, ())]
    if len(signature(TASKS[task].reference).parameters) > 1:
        form.append(EXCHANGED)
    if task not in (*RIGHT, *MAY_VARY):
        form += DIFFERS
    found: dict[str, list[str]] = {FORM: form}
    if task in FORMULAS:
        form += [ANOTHER_FORM, "changes-an-argument"]
        found |= of_a_formula(task)
    if task == "A4.learner":
        found |= mistaken("A1.pegasos", RIGHT["A1.pegasos"], unlike_pegasos())
    if task == "A4.telescope":
        found["formula"] = list(OF_THE_PROOF)
    if FORMS.get(task) is OF_A_PROJECTION:
        parts = {**parts_of(task), "project": OF_A_BALL}
        found |= mistaken(task, PROJECTED, parts)
        found["returns"].remove("projects-unasked")  # it is asked here
    if task in RIGHT:
        form.append("changes-an-argument")
        found |= of_a_solver(task)
    found["variant"] = list(IN_VARIANTS.get(task, ()))
    in_the_zoo = {one.name for one in ZOO if one.task == task}
    return {
        kind: unlike
        for kind, names in found.items()
        if (unlike := sorted({n for n in names if n} - in_the_zoo))
    }


def of_a_formula(task):
    """The names for a small function, by kind."""
    formula = [name for names, _ in FORMULAS[task]() for name in names]
    formula += [name for name, _ in RELATED]
    formula += ["returns-a-constant", OF_THE_INPUT, INPUT]
    formula += [*NEAR_TO, *FACTS.get(task, ())]
    formula += [TERM] * (task in TERMS) + [FORMULA] * (task in MADE_OF)
    numbers = ["logarithm-of-zero", "divides-by-zero"]
    numbers += ["exp-overflows", "numbers-overflow"]
    by_kind = by_part(formula) if task == "A1.step" else {"formula": formula}
    return {NUMBERS: numbers, **by_kind}


def of_a_solver(task):
    """The names for one of the solvers of `recipe`, by kind."""
    found = mistaken(task, RIGHT[task], parts_of(task))
    for kind, names in MEASURED.items():
        found.setdefault(kind, []).extend(
            name for name in names if name not in NEVER.get(task, ())
        )
    if task == "A3.average":
        found["returns"].append(OTHER_WEIGHTS)
    else:
        found["loop"] = [name for name, _ in loops(task)]
    if task.startswith("A3"):
        found["shrink"] += ["scale-reset-forgotten", NEARLY_ZERO]
        found[PROBES].append(OF_CSR[0])
        found["cost"] = ["touches-all-columns"]
        found["cost"].append("touches-columns-of-other-rows")
    return found


def by_part(names):
    """The names of mistakes in one step, by the part of a solver they are in.

    What no solver has stays among the formulas.
    """
    solver = mistaken("A1.pegasos", RIGHT["A1.pegasos"], PARTS)
    part_of = {
        IN_ONE_STEP.get(name, name): part
        for part in solver
        for name in solver[part]
    }
    found: dict[str, list[str]] = {}
    for name in names:
        found.setdefault(part_of.get(name, "formula"), []).append(name)
    return found


def mistaken(task, right, parts):
    """The names of all choices but the right ones, by part."""
    return {
        part: [
            called(task, name)
            for name, choice in choices
            if choice is not getattr(right, part)
        ]
        for part, choices in parts.items()
    }
