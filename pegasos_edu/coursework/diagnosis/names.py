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

GAMES = {
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
    found: dict[str, list[str]] = {FORM: ["returns-nothing", *OF_AN_OUTCOME]}
    if len(signature(TASKS[task].reference).parameters) > 1:
        found[FORM].append(EXCHANGED)
    if task in FORMULAS:
        found["formula"] = [n for names, _ in FORMULAS[task]() for n in names]
        found["formula"].append("returns-a-constant")
        found["formula"] += [name for name, _ in RELATED]
        found["formula"] += [
            OF_THE_INPUT,
            *NEAR_TO,
            *FACTS.get(task, ()),
            INPUT,
        ]
        found["formula"] += [TERM] * (task in TERMS)
        found["formula"] += [FORMULA] * (task in MADE_OF)
        found[FORM].append(ANOTHER_FORM)
        found[FORM].append("changes-an-argument")
        found[NUMBERS] = ["logarithm-of-zero", "divides-by-zero"]
        found[NUMBERS] += ["exp-overflows", "numbers-overflow"]
    if task == "A1.step":
        found |= by_part(found.pop("formula"))
    if task == "A1.objective":
        found[FORM].append("max-for-maximum")
    if task == "A1.visits":
        found[FORM].append("fewer-rows-than-T")
        found[FORM].append("draws-without-putting-back")
        found[FORM].append("a-row-never-drawn")
        found[FORM].append("rows-not-whole")
        found[FORM].append("rows-sorted")
        found[FORM].append("rows-follow-each-other")
        found[FORM].append("some-rows-more-often")
        found[FORM].append("some-rows-ignore-the-seed")
        found[FORM].append("some-seeds-give-the-same")
    if task not in (*FORMULAS, *RIGHT, *MAY_VARY):
        found[FORM] += DIFFERS
    if task == "A1.classifier":
        found[FORM] += [*OF_A_CLASSIFIER, *EPOCHS]
    if task in GAMES:
        found[FORM] += GAMES[task]
    if task == "A4.learner":
        found |= mistaken("A1.pegasos", RIGHT["A1.pegasos"], unlike_pegasos())
    if task == "A4.telescope":
        found["formula"] = list(OF_THE_PROOF)
    if task in ("A1.projected", "A3.projected"):
        found[FORM].append(OTHER_LENGTH)
        found[FORM].append("last-step-not-projected")
        found[FORM].append("only-the-addition-projected")
        found[FORM].append("length-without-the-cross-term")
        found[FORM].append("projected-at-the-end-only")
        found[FORM].append(OUTSIDE)
        parts = {**parts_of(task), "project": OF_A_BALL}
        found |= mistaken(task, PROJECTED, parts)
        found["returns"].remove("projects-unasked")  # it is asked here
    if task in RIGHT:
        found[FORM].append("changes-an-argument")
        found |= mistaken(task, RIGHT[task], parts_of(task))
        if task != "A3.average":
            found["loop"] = [name for name, _ in loops(task)]
        never = NEVER.get(task, ())
        for kind, names in MEASURED.items():
            found.setdefault(kind, []).extend(
                name for name in names if name not in never
            )
        if task == "A3.average":
            found["returns"].append(OTHER_WEIGHTS)
        if task.startswith("A3"):
            found["shrink"].append("scale-reset-forgotten")
            found["shrink"].append(NEARLY_ZERO)
            found[PROBES].append(OF_CSR[0])
            found["cost"] = ["touches-all-columns"]
    found["variant"] = list(IN_VARIANTS.get(task, ()))
    in_the_zoo = {one.name for one in ZOO if one.task == task}
    return {
        kind: unlike
        for kind, names in found.items()
        if (unlike := sorted({n for n in names if n} - in_the_zoo))
    }


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
