"""Hints that must be put otherwise in one assignment, or in one task.

A solver is put together from the same parts in every assignment, so that a
mistake has one name in all of them. What leads out of it differs: the hinge
has a test and adds examples as they are; the log loss has none and weighs
them; only assignment 3 has a scale.
"""

from collections import ChainMap

NO_TEST = "the log loss has no test: it weighs every example by its margin."
SHRINKS_ALWAYS = "w is to be shrunk once at every step, whatever the margin."
AS_IT_IS = "the hinge adds ηyx as it is, or nothing."
LAST = "the last one is asked for."

# The hinge, answered in the words of the log loss.
OF_THE_HINGE = {
    "two-cases-kept": (
        "the test is that of the hinge, but what you add is weighed as by the "
        "log loss."
    ),
    "sigmoid-for-exp": (
        f"you divide what you add by 1 + a sigmoid of the margin; {AS_IT_IS}"
    ),
    "slope-of-the-other-side": (
        f"you weigh every example by a sigmoid of its margin; {AS_IT_IS}"
    ),
    "score-for-margin": (
        f"you weigh every example by a sigmoid of its score; {AS_IT_IS}"
    ),
    "tanh-for-sigmoid": (
        f"you weigh every example by a tanh of its margin; {AS_IT_IS}"
    ),
    "slope-of-the-sigmoid": (
        f"you weigh every example by p(1 − p), p a sigmoid; {AS_IT_IS}"
    ),
    "loss-for-its-slope": (
        f"you weigh every example by its log loss; {AS_IT_IS}"
    ),
    "zero-one-for-plus-minus": (
        f"p − y is of the log loss, and of the labels 0 and 1; {AS_IT_IS}"
    ),
    "wrong-logarithm": (
        f"you weigh every example as by a log loss to another base; {AS_IT_IS}"
    ),
    "exponent-cut-off": (
        "you weigh every example by a sigmoid with its exponent cut off; "
        f"{AS_IT_IS}"
    ),
}
# The log loss, answered in the words of the hinge.
OF_THE_LOG_LOSS = {
    "updates-always": (
        "you add every example with the same weight; by how much does each "
        "pull under the log loss?"
    ),
    "another-threshold": (
        "the margin is compared with a number, or multiplied by some number; "
        "the log loss asks for neither."
    ),
    "updates-only-when-wrong": f"you leave some examples out; {NO_TEST}",
    "updates-when-right": f"you leave some examples out; {NO_TEST}",
    "takes-the-size-of-the-score": (
        f"you test the size of the score; {NO_TEST}"
    ),
    "label-not-in-the-test": f"you test the score; {NO_TEST}",
    "label-outside-the-bracket": f"you test y(1 − ⟨w, x⟩); {NO_TEST}",
    "w-stays-at-zero": (
        "w stays 0: at first every margin is 0; what is the slope of the log "
        "loss there? Or is what you add multiplied by w?"
    ),
    "weighted-by-the-loss": (
        "you weigh x by a hinge; how much does it weigh under the log loss?"
    ),
    "adds-the-residual": (
        "what you add has y − ⟨w, x⟩ in it, as for least squares; how much "
        "does x weigh under the log loss?"
    ),
    "no-shrink-without-violation": SHRINKS_ALWAYS,
    "shrinks-others-only": SHRINKS_ALWAYS,
    "violators-shrunk-twice": SHRINKS_ALWAYS,
    "others-shrunk-twice": SHRINKS_ALWAYS,
    "t-counts-violators": "t must grow at every step, whatever the margin.",
    "t-counts-the-others": "t must grow at every step, whatever the margin.",
}
# Where w is one array, and has no scale.
WITHOUT_A_SCALE = {
    "added-without-making-up": (
        "what you add falls like 1/t²; it should fall like 1/t."
    ),
    "multiplied-by-the-scale": (
        "what you add falls like 1/t³; it should fall like 1/t."
    ),
    "made-up-with-the-old-scale": (
        "from the second step on, what you add is shrunk as well."
    ),
    "scale-forgotten-at-the-end": (
        "your result is T or λT times what it should be; what is still to be "
        "done when the loop is over?"
    ),
}
# Where the last iterate is asked for. A variant may ask for an average, and
# then has the names of the first line only.
THE_LAST = {
    "sum-for-average": (
        "you return the sum of the iterates; read once more what is to be "
        "returned."
    ),
    "average-divided-by-one-less": (
        f"you return the sum of the iterates, divided by T − 1; {LAST}"
    ),
    "average-divided-by-n": (
        f"you return the sum of the iterates, divided by n; {LAST}"
    ),
    "average-of-the-last-half": (
        f"you average the last half of the iterates; {LAST}"
    ),
    "mean-moved-by-one-over-T": f"you return a mean of the iterates; {LAST}",
    "factors-one-step-late": f"you return an average of iterates; {LAST}",
    "all-divided-by-the-last-t": (
        "you average the sums of the violators; the last iterate is asked for."
    ),
    "lambda-forgotten-in-the-average": (
        f"you return λ times the average of the iterates; {LAST}"
    ),
    "average-divided-by-lambda": (
        f"you return an average divided by λ; {LAST}"
    ),
}
# Where nothing is raised to a power of e, and no logarithm is taken.
NO_EXP = {
    "exp-overflows": (
        "exp of a large number is infinite; where do you need an exp here?"
    ),
}
NO_LOGARITHM = {
    "logarithm-of-zero": (
        "the logarithm of 0 is infinite; where do you need one here?"
    ),
}

# By assignment or by task; what stands at a task goes before.
BY_TASK = {
    "A1": {
        **OF_THE_HINGE,
        **WITHOUT_A_SCALE,
        **THE_LAST,
        **NO_EXP,
        **NO_LOGARITHM,
    },
    "A1.objective": {
        "term-with-another-factor": (
            "a term of yours has a factor that it has not in f."
        ),
    },
    "A1.step_size": {
        "starts-at-zero": "t is 1 at the first step; you divide by 0 there.",
    },
    "A1.classifier": {
        "epochs-for-steps": (
            "you go through all rows T times; T is the number of steps, and a "
            "step uses one row."
        ),
    },
    "A1.predict": {
        "takes-the-size-of-the-score": (
            "you look at the size of the score; its sign decides."
        ),
    },
    "A1.wasted": {
        "columns-for-rows": (
            "you count in columns of X; `rows` names rows, the examples."
        ),
        "each-row-once": (
            "you count every row once; a row that is named twice counts twice."
        ),
        "row-numbers-shifted": (
            "you count in the row beside the one that is named."
        ),
    },
    "A1.step": {
        "term-with-another-factor": (
            "what is left of w, or what is added, has a factor that it has "
            "not in the pseudocode."
        ),
        "shrink-of-another-form": (
            "what w is multiplied by is not always 1 − ηλ."
        ),
        "addition-of-another-form": (
            "what you add is not always η·y·x, or nothing."
        ),
        "nothing-is-ever-added": (
            "no example is ever added; on which side of your test is a "
            "margin below 1?"
        ),
        "added-with-the-first-step": "you add y·x/λ; where is the step?",
    },
    "A2.curvature": {
        "exponent-cut-off": (
            "you cut large margins off before exp; beyond, the result is "
            "wrong."
        ),
    },
    "A2.pegasos": {
        "tanh-for-sigmoid": (
            "you have a tanh of the margin; a sigmoid σ belongs there, and "
            "σ(m) is (1 + tanh(m/2))/2."
        ),
    },
    "A2": {**OF_THE_LOG_LOSS, **WITHOUT_A_SCALE, **THE_LAST},
    "A3": {**OF_THE_HINGE, **NO_EXP, **NO_LOGARITHM},
    "A3.pegasos": THE_LAST,
    "A3.projected": THE_LAST,
    "A3.average": {
        "returns-the-history": (
            "you return a row for each step; one vector is asked for, the "
            "average of w_1, …, w_T."
        ),
        "returns-minus-w": (
            "you return −1 times the last iterate; the average is asked for."
        ),
        "returns-unit-length": (
            "you return w/‖w‖ of the last step; the average is asked for."
        ),
        "projects-unasked": (
            "you project on a ball; this task asks for no projection."
        ),
        "scale-forgotten-at-the-end": (
            "you return T or λT times the last iterate; the average is asked "
            "for."
        ),
        "lambda-forgotten-at-the-end": (
            "you return λ times the last iterate; the average is asked for."
        ),
        "divided-by-lambda-at-the-end": (
            "you return the last iterate divided by λ; the average is asked "
            "for."
        ),
    },
    "A4.crossing": {
        "exp-overflows": (
            "exp of a large number is infinite; do you take it of log t, or "
            "of t?"
        ),
    },
    "A4": NO_EXP,
    "A4.regret": {
        **NO_LOGARITHM,
        "term-with-another-factor": (
            "one term of what a round costs has a factor that it has not in "
            "f_t."
        ),
        "right-for-another-input": (
            "what w_t and u pay in a round is f_t of both, with the same λ, "
            "row and label; the message says what differs in yours."
        ),
    },
}


def closest(task, by_place, *general):
    """What is written under a name: the words closest to a task go first.

    Parameters
    ----------
    task : str
        Such as "A1.step".
    by_place : dict of str to dict
        By task or by assignment: the words there, by name.
    *general : dict
        The words where neither has any, by name.

    Returns
    -------
    mapping of str to str
    """
    assignment = task.partition(".")[0]
    places = (by_place.get(place, {}) for place in (task, assignment))
    return ChainMap(*places, *general)
