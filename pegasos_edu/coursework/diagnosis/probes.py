"""What does the answer of a solver depend on, and what should it?

Each probe changes one argument and looks whether w changes. What it says is
true of any solver, whether or not its mistake has a name.
"""

from functools import cache, partial
from itertools import combinations, permutations

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.search import as_weights
from pegasos_edu.coursework.tasks.classifier import (
    VISITS,
    all_round,
    around,
    as_labels,
    best,
    changes_its_mind,
    ends_early,
    frequency,
    judge_few_steps,
    judge_memory,
    judge_parts,
    judge_scatter,
    mixes_up,
    not_learned,
    right_angles,
    same_after,
)
from pegasos_edu.coursework.trial import (
    Outcome,
    as_array,
    call,
    same_values,
)

FEW_STEPS = (3, 12)
SHORT = 5  # rows have 120 orders
DIFFERS = ("differs-from-call-to-call",)
# Right answers to these may draw, so that two calls differ.
MAY_VARY = ("A1.classifier", "A4.opponent", "A4.learner")
AGAIN = 9  # calls of a classifier that draws
GROUPS = 5  # of so many calls, which tell what chance does
ROUNDING = 0.01  # squared, by which frequencies of so many may differ


def turned(case):
    return {**case, "y": -case["y"]}


def reordered(case):
    """The order with other rows, as long as before."""
    return {**case, "order": (case["order"] + 1) % len(case["y"])}


def with_other_lam(case):
    return {**case, "lam": 3 * case["lam"]}


def cut_by_half(case):
    return {**case, "order": case["order"][: len(case["order"]) // 2]}


def with_other_values(case):
    """Each entry of the rows with a factor of its own."""
    X = case["X"].copy()
    X.data = X.data * np.linspace(0.5, 3, len(X.data))
    return {**case, "X": X}


PROBES = [
    ("order-has-no-effect", reordered),
    ("labels-have-no-effect", turned),
    ("lambda-has-no-effect", with_other_lam),
    ("steps-have-no-effect", cut_by_half),
]
OF_CSR = ("values-have-no-effect", with_other_values)


def findings(solve, cases):
    """The names of what a solver wrongly does not depend on.

    A change must leave every result as it was, in short runs as well, and
    another change must not: what is always the same, or no w, tells nothing.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    if any(call_to_call(solve, case) for case in cases):
        return DIFFERS
    first = cases[0]
    tried = [
        *cases,
        *[{**first, "order": first["order"][:s]} for s in FEW_STEPS],
    ]
    # A single step is the whole order; half of it would be no step.
    tried = [case for case in tried if len(case["order"]) > 2]
    before = [call(solve, case) for case in tried]
    if any(as_weights(w, case) is None for w, case in zip(before, tried)):
        return ()
    of_csr = [OF_CSR] * sp.issparse(first["X"])
    without = tuple(
        name
        for name, change in [*PROBES, *of_csr]
        if all(
            one.same_as(call(solve, change(case)))
            for one, case in zip(before, tried)
        )
    )
    return without if len(without) < len(PROBES) + len(of_csr) else ()


def reordered_rows(solve, task, cases):
    """The name of a solver that visits the rows of `order` in another order.

    Parameters
    ----------
    solve : callable
    task : Task
    cases : list of dict
        The first `SHORT` rows of each are tried.

    Returns
    -------
    tuple of str
    """
    moved = False
    for case in cases:
        rows = np.arange(min(SHORT, len(case["y"])))
        mine = call(solve, {**case, "order": rows})
        found = [
            tried
            for tried in permutations(rows)
            if mine.same_as(
                call(task.reference, {**case, "order": np.array(tried)})
            )
        ]
        if not found:
            return ()
        moved = moved or tuple(rows) not in found
    return ("order-shuffled",) * moved


# What a classifier's probes can find.
OF_A_CLASSIFIER = (
    "one-label-for-all",
    "T-has-no-effect",
    "right-for-some-labels-only",
    "lambda-has-no-effect",
    "one-label-has-no-effect",
    "shared-between-objects",
    "as-many-steps-as-rows",
    "moving-the-data-has-no-effect",
    "lambda-upside-down",
    "lambda-as-scikit-learns-C",
    "exchanged-labels-have-no-effect",
    "classes-of-the-first-rows",
    "as-many-rows-as-columns",
    "some-rows-have-no-effect",
    "no-steps-below-n",
    "remembers-an-earlier-fit",
    "lambda-divided-by-n",
    "lambda-times-n",
    "label-of-the-first-row",
    "label-of-other-points",
    "predict-changes-what-it-predicts",
)
EPOCHS = ("epochs-for-steps",)  # found before those


def of_a_classifier(task, solve, cases):
    """The name of what the labels that a classifier predicts show.

    One that draws other rows in each call is compared by how often it
    predicts a label.

    Parameters
    ----------
    task : Task
    solve : callable
        (X, labels, X_new, lam, T) -> labels.
    cases : list of dict

    Returns
    -------
    tuple of str
    """
    outcomes = [call(solve, case) for case in cases]
    values = [as_labels(outcome.value) for outcome in outcomes]
    if any(
        v is None or v.shape != c["X_new"].shape[:1]
        for v, c in zip(values, cases)
    ):
        return ()
    if of_two_rows(task, solve, cases, values):
        return ("classes-of-the-first-rows",)
    if all((value == value[0]).all() for value in values):
        return ("one-label-for-all",)
    ends = [around(solve, case) for case in cases]
    if all(
        same_after(solve, case, end, (1, 2, 3))
        for case, end in zip(cases, ends)
    ):
        return ("T-has-no-effect",)
    if any(mixes_up(solve, case) for case in cases):
        return ("shared-between-objects",)
    if any(changes_its_mind(solve, case) for case in cases):
        return ("predict-changes-what-it-predicts",)
    if judge_parts(solve, cases[0]):
        return ("label-of-other-points",)
    of_lambda = with_lambda_turned_over(solve, cases)
    if of_lambda:
        return of_lambda
    # Where the rows can be told apart all steps may soon end alike.
    some = [each for each in zip(cases, ends) if each[0]["lam"] <= 1]
    if all(ends_early(solve, *each) for each in some):
        return ("as-many-steps-as-rows",)
    draws = any(call_to_call(solve, case) for case in cases)
    # Whether a change leaves all that is predicted as it was.
    without_effect = partial(unchanged, solve, cases, outcomes)
    if draws:
        without_effect = partial(
            as_often, solve, cases, cache(partial(equal_calls, solve, cases))
        )
    if draws and all(
        without_effect(partial(with_steps, T)) for T in (3, 20, 200)
    ):
        return ("T-has-no-effect",)
    if without_effect(beyond_the_columns) and not without_effect(mirrored):
        return ("as-many-rows-as-columns",)
    if without_effect(exchanged):
        return ("exchanged-labels-have-no-effect",)
    names = np.unique(cases[0]["labels"])
    if leaves_rows_out(solve, names) or leaves_rows_out(solve, names[::-1]):
        return ("some-rows-have-no-effect",)
    times = 3 if draws else 1
    right = [
        verdict(task, solve, case, times)
        for case in cases
        if same_values(case["X"], cases[0]["X"])  # only the labels differ
    ]
    # What is now right, now wrong, says nothing of the labels.
    if {True, False} == set(right) and counts_on_words(
        task, solve, cases[0], draws
    ):
        return ("right-for-some-labels-only",)
    if decides_by_the_first(task, solve, cases[0], times):
        return ("label-of-the-first-row",)
    if all(is_the_other(task, solve, case) for case in cases):
        return ("classes-swapped",)
    if not draws and not any(right):
        return ()
    # Twice, as chance may hide what one of the two does.
    if without_effect(with_tiny_lam) and without_effect(with_large_lam):
        return ("lambda-has-no-effect",)
    if without_effect(moved_away):
        return ("moving-the-data-has-no-effect",)
    for label in (0, 1):
        if without_effect(partial(moved, label)):
            return ("one-label-has-no-effect",)
    # Lines that another mistake scatters would look the same.
    if judge_scatter(task, solve):
        return ("as-many-steps-as-rows",)
    if judge_few_steps(solve, names):
        return ("no-steps-below-n",)
    return ("remembers-an-earlier-fit",) * bool(judge_memory(solve, names))


def leaves_rows_out(solve, names):
    """Whether no row gets another label for those of the rows missed.

    A row that is learned from gets the label that it is given with, one and
    the other. Who learns rows of one label alone tells nothing of the rest.
    """
    case, other = (right_angles(names, 3 * VISITS, lam) for lam in (1.0, 0.3))
    missed, first = not_learned(solve, case), call(solve, case)
    learned = np.delete(case["labels"], missed)
    if not len(missed) or len(np.unique(learned)) < 2:
        return False
    if not np.array_equal(missed, not_learned(solve, other)):
        return False  # what has an effect depends on λ
    turned = case["labels"].copy()
    turned[missed] = np.where(turned[missed] == names[0], names[1], names[0])
    return first.same_as(call(solve, {**case, "labels": turned}))


def counts_on_words(task, solve, case, draws):
    """Whether it matters to a classifier what the two labels are called.

    The one that comes first in the alphabet stays the first: what is +1 in
    one of these may be -1 in another, and must not be in these.
    """
    above = case["labels"] == np.unique(case["labels"])[1]
    called = [
        {**case, "labels": np.where(above, *pair)}
        for pair in ((1, -1), (1, 0), ("spam", "ham"))
    ]
    if draws:
        return len({verdict(task, solve, other, 3) for other in called}) > 1
    found = [as_labels(around(solve, other).value) for other in called]
    first = [
        labels == np.unique(other["labels"])[0]
        for labels, other in zip(found, called)
    ]
    return any(not same_values(first[0], one, digits=None) for one in first)


def decides_by_the_first(task, solve, case, times):
    """Whether a classifier is right if the first row has the one label, and
    gives the other one instead if it has not."""
    other = with_other_label(case, 0)
    one, two = (verdict(task, solve, c, times) for c in (case, other))
    wrong = case if two else other
    return (
        one is not None
        and one is (not two)
        and is_the_other(task, solve, wrong)
    )


def with_other_label(case, place):
    """The rows with the first that has not the label of row 0 in a place,
    and what was there in its own."""
    labels, order = case["labels"], np.arange(len(case["labels"]))
    row = int(np.argmax(labels != labels[0]))
    order[[place, row]] = order[[row, place]]
    return {**case, "X": case["X"][order], "labels": labels[order]}


def is_the_other(task, solve, case):
    """Whether what is predicted is right but for being the other label."""
    names = np.unique(case["labels"])
    got = as_labels(call(solve, case).value)
    if got is None or got.shape != case["X_new"].shape[:1]:
        return False
    wanted = call(task.reference, case).value
    return (
        np.mean(np.where(got == names[0], names[1], names[0]) == wanted) >= 0.9
    )


def of_two_rows(task, solve, cases, values):
    """Whether a classifier is right if the first two rows have two labels.

    And has predicted one label alone where they have not.
    """
    alike = [
        (value, with_two_labels_first(case))
        for value, case in zip(values, cases)
        if same_label_first(case)
    ]
    return bool(alike) and all(
        (value == value[0]).all()
        and not task.judge(task, solve, other, call(solve, other))
        for value, other in alike
    )


def same_label_first(case):
    return case["labels"][0] == case["labels"][1]


def with_two_labels_first(case):
    """The rows in another order, so that the second has the other label."""
    return with_other_label(case, 1)


def with_lambda_turned_over(solve, cases):
    """The name of what a classifier takes for λ: 1/λ, 1/(nλ), λ/n or nλ.

    Its line must be that of the optimum for this number, and not that for
    λ. It is tried for such numbers that the line turns by ten degrees if one
    of them is half as large again.
    """
    case = max(cases, key=lambda case: case["lam"])
    names, points = np.unique(case["labels"]), all_round(case)
    y = np.where(case["labels"] == names[1], 1.0, -1.0)

    def is_line_of(number, lam):
        got = as_labels(around(solve, {**case, "lam": lam}).value)
        if got is None or got.shape != points.shape[:1]:
            return False
        wanted = points @ best(case["X"], y, number) > 0
        return np.mean((got == names[1]) == wanted) > 0.985

    n = len(y)
    for name, taken_for in (
        ("lambda-upside-down", lambda number: 1 / number),
        ("lambda-as-scikit-learns-C", lambda number: 1 / (n * number)),
        ("lambda-divided-by-n", lambda number: n * number),
        ("lambda-times-n", lambda number: number / n),
    ):
        if all(
            is_line_of(number, lam) and not is_line_of(lam, lam)
            for number in (2.0, 5.0)
            for lam in [taken_for(number)]
        ):
            return (name,)
    return ()


def verdict(task, solve, case, times):
    """Whether some calls are all right; None if only some of them are."""
    right = {
        not task.judge(task, solve, case, call(solve, case))
        for _ in range(times)
    }
    return right.pop() if len(right) == 1 else None


def unchanged(solve, cases, outcomes, change):
    return all(
        outcome.same_as(call(solve, change(case)))
        for case, outcome in zip(cases, outcomes)
    )


def as_often(solve, cases, equal, change):
    """The same where chance has a part in it.

    A change must not do more than chance: what that does, equal calls say.
    """
    for k, case in enumerate(cases):
        groups, other = equal(k), frequency(solve, change(case), AGAIN)
        by_chance = max(distance(*two) for two in combinations(groups, 2))
        nearest = min(distance(other, group) for group in groups)
        if not nearest <= 3 * by_chance + ROUNDING:
            return False
    return True


def equal_calls(solve, cases, k):
    """Some frequencies of one case."""
    return [frequency(solve, cases[k], AGAIN) for _ in range(GROUPS)]


def distance(one, other):
    return np.mean((one - other) ** 2)


def with_tiny_lam(case):
    return {**case, "lam": case["lam"] / 1000}


def with_large_lam(case):
    return {**case, "lam": case["lam"] * 100}


def with_steps(T, case):
    return {**case, "T": T}


def moved_away(case):
    """All rows of the training, and no others, moved by the same vector."""
    return {**case, "X": case["X"] + np.arange(3, case["X"].shape[1] + 3)}


def moved(label, case):
    """The rows of one of the two labels, mirrored."""
    of = case["labels"] == np.unique(case["labels"])[label]
    return {**case, "X": np.where(of[:, np.newaxis], -case["X"], case["X"])}


def beyond_the_columns(case):
    """The rows whose number is that of no column, mirrored."""
    X = case["X"].copy()
    X[X.shape[1] :] *= -1
    return {**case, "X": X}


def mirrored(case):
    """All rows, mirrored."""
    return {**case, "X": -case["X"]}


def exchanged(case):
    """The rows, each with the label of another, drawn at random."""
    draw = np.random.default_rng(0)
    return {**case, "labels": draw.permutation(case["labels"])}


def call_to_call(answer, case):
    """The name for an answer that two equal calls give differently."""
    first = call(answer, case)
    array = as_array(first.value)
    if array is None or (array.dtype == object and not array.shape):
        return ()  # no two things of that kind are equal
    # The second call may write into what the first one gave.
    first = Outcome(array.copy())
    return () if first.same_as(call(answer, case)) else DIFFERS
