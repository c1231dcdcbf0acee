"""How a classifier is judged that a student has written around a solver.

Its weights are its own affair: all that is looked at is which labels it
predicts.
"""

import numpy as np

from pegasos_edu.certificate.interior import solve_box
from pegasos_edu.coursework.cases import labels
from pegasos_edu.coursework.task import judge_form
from pegasos_edu.coursework.trial import as_array, call, kind_of, same_values


class Trained:
    """A student's classifier class, used as its user would."""

    def __init__(self, classifier):
        self.classifier = classifier

    def __call__(self, X, labels, X_new, lam, T):
        return self.classifier(lam, T).fit(X, labels).predict(X_new)

    def beside_another(self, X, labels, X_new, lam, T):
        """What one predicts, twice before another is trained, and after."""
        one = self.classifier(lam, T).fit(X, labels)
        first, before = one.predict(X_new), one.predict(X_new)
        self.classifier(lam, 1).fit(-X, np.where(labels == labels[0], 3, 7))
        return first, before, one.predict(X_new)

    def fitted_before(self, X, labels, X_new, lam, T, before):
        """What one predicts that was fitted to others before."""
        one = self.classifier(lam, T)
        one.fit(*before)
        return one.fit(X, labels).predict(X_new)

    def in_parts(self, X, labels, X_new, lam, T):
        """What one predicts for some points, and for those of each label
        alone, put together again."""
        one = self.classifier(lam, T).fit(X, labels)
        together = as_labels(one.predict(X_new))
        alone, of_first = together.copy(), together == together[0]
        for part in (of_first, ~of_first):
            if part.any():
                alone[part] = one.predict(X_new[part])
        return together, alone


def short(value):
    """A value that may be anything, in a few characters."""
    try:
        return repr(value)[:40]
    except Exception:
        return kind_of(value)


def judge_labels(task, solution, case, outcome):
    """The labels of the training set, and nearly always the right ones."""
    shape = (len(case["X_new"]),)
    if outcome.error is not None or outcome.value is None:
        return judge_form(outcome, shape)
    got = as_array(outcome.value)
    known = sorted(set(case["labels"].tolist()))
    if got is None or got.shape != shape:
        return judge_form(outcome, shape)
    strange = [
        label
        for label in got.tolist()
        if not any(same_values(label, k) for k in known)
    ]
    if strange:
        return (
            f"predict returned {short(strange[0])}; expected one of the "
            f"labels that fit was given, {known}."
        )
    if takes_epochs(solution, case):
        return (
            f"After T = {FEW} steps on {APART} rows at right angles to each "
            f"other your classifier knows the labels of nearly all of them; "
            f"T steps see T rows at most. Expected T steps, not T rounds "
            f"through all rows."
        )
    if mixes_up(solution, case):
        return (
            "After another of your classifiers was trained, the first one "
            "predicts other labels; expected each to keep its own."
        )
    after_all = around(solution, case)
    if after_all.error is None and is_shape_of(after_all.value, shape):
        return (
            f"For {POINTS:,} other points predict returned {shape[0]} "
            f"labels, as many as before; expected one label for each point "
            f"it is given."
        )
    wanted = call(task.reference, case).value
    if case["lam"] <= 1 and same_after(solution, case, after_all, (1, 2, 3)):
        if len(set(got.tolist())) == 1 < len(set(wanted.tolist())):
            return (
                f"predict returned {short(got.tolist()[0])} for all of "
                f"{shape[0]} points; fit was given {known}: does it find both?"
            )
        if takes_no_steps(task, solution):
            return (
                f"Your classifier predicts the same after 1, 2, 3 and "
                f"{case['T']} steps; expected T steps of your solver."
            )
    agree = float(np.mean(got == wanted))
    if agree < 0.9 and not agrees_later(solution, case, wanted):
        return (
            f"Trained on the labels {known} for {case['T']} steps with lam = "
            f"{case['lam']:g}, your classifier agrees with the optimal one on "
            f"{agree:.0%} of the points; expected at least 90%."
        )
    n, T = len(case["X"]), case["T"]
    if ends_early(solution, case, after_all):
        return (
            f"For {POINTS:,} points all round your classifier predicts the "
            f"same after {n} steps, one for each row, as after "
            f"{2 * n + n // 2}, {10 * n} and {T}; expected later steps to "
            f"turn its line a little."
        )
    return ""


def agrees_later(solution, case, wanted):
    """Whether four times the steps bring the labels nearer to the right ones.

    A run of a right classifier may end too far away, by chance.
    """
    got = as_labels(call(solution, {**case, "T": 4 * case["T"]}).value)
    fits = got is not None and got.shape == wanted.shape
    return fits and float(np.mean(got == wanted)) >= 0.9


APART, FEW = 200, 10  # rows at right angles, and steps on them


def takes_epochs(solution, case):
    """Whether a classifier takes T for the number of its rounds.

    Then it knows the labels of rows that T steps cannot have seen. Who makes
    at least one whole round, whatever T is, knows them as well. So half of
    the rows are so long that they are added in the first round alone, and
    half so short that they are added in each: after several rounds the short
    ones have more weight, and after one they have not.
    """
    y, sizes = labels(APART), np.resize([0.5, 0.5, 100.0, 100.0], APART)
    X, towards = np.diag(sizes), np.diag(y / sizes)
    # Such a point is on the side of its long row until the short one of its
    # two was added three times.
    points = np.vstack([X, 2 * towards[sizes > 1] - towards[sizes < 1]])
    names = np.unique(case["labels"])
    given = np.where(y > 0, names[1], names[0])
    there = {"X": X, "labels": given, "X_new": points, "lam": 1.0}
    after_one, after_few = (
        call(solution, {**there, "T": T}) for T in (1, FEW)
    )
    if not all(
        outcome.error is None and is_shape_of(outcome.value, (len(points),))
        for outcome in (after_one, after_few)
    ):
        return False
    one, few = as_labels(after_one.value), as_labels(after_few.value)
    once, again = (np.mean(got[APART:] == names[0]) for got in (one, few))
    known = np.mean(few[:APART] == given)
    return bool(known > 0.95 and again > 0.25 < abs(again - once))


VISITS = 10  # of each row, on average: one in 22,000 has none


def judge_training(task, solution):
    """What a classifier learns its weights from, once all cases are right."""
    known = np.unique(task.cases(0)[0]["labels"])
    return (
        judge_parts(solution, task.cases(0)[0])
        or judge_scatter(task, solution)
        or judge_rows(solution, known)
        or judge_few_steps(solution, known)
        or judge_memory(solution, known)
    )


def judge_parts(solution, case):
    """A label that depends on the point, and on no others beside it."""
    found = call(solution.in_parts, {**case, "X_new": all_round(case)}).value
    if found is None or same_values(*found, digits=None):
        return ""
    # Who predicts otherwise at each call does so for the same points, too.
    if changes_its_mind(solution, case):
        return (
            "Asked twice for the same points, your classifier predicts other "
            "labels the second time; expected predict to leave it as it is."
        )
    return (
        f"Of {POINTS:,} points all round, your classifier gives some "
        f"another label if those of one label are asked for alone; expected a "
        f"label that depends on the point, and on no others beside it."
    )


def beside_another(solution, case):
    """What one predicts, twice before another is trained, and after."""
    there = {**case, "X_new": all_round(case)}
    return call(solution.beside_another, there).value


def changes_its_mind(solution, case):
    """Whether two calls of predict, one after the other, differ."""
    found = beside_another(solution, case)
    return found is not None and not same_values(*found[:2], digits=None)


def right_angles(names, visits=VISITS, lam=1.0):
    """A case of rows that tell nothing of each other, with these two labels.

    They are long, so that the label of a row is learned at its first visit.
    """
    X = 100 * np.eye(APART)
    given = np.where(labels(APART) > 0, names[1], names[0])
    T = int(visits * APART)
    return {"X": X, "labels": given, "X_new": X, "lam": lam, "T": T}


def not_learned(solution, case):
    """The rows that get another label than they were given with."""
    got = as_labels(call(solution, case).value)
    if got is None or got.shape != case["labels"].shape:
        return np.array([], int)
    return np.flatnonzero(got != case["labels"])


def judge_rows(solution, names):
    """A classifier that is right where some rows do as well as all.

    A row that is left out has the label that all such rows have, which may
    be its own. So the labels are exchanged, too.
    """
    for both in (names, names[::-1]):
        if not len(not_learned(solution, right_angles(both))):
            continue
        # Chance leaves a row out of the second run once in 10^10 times.
        case = right_angles(both, 3 * VISITS)
        missed = not_learned(solution, case)
        if len(missed):
            several = len(missed) > 1
            return (
                f"Of {APART} rows at right angles to each other, "
                f"{len(missed)}, such as row {missed[-1]}, "
                f"{'get' if several else 'gets'} another label than "
                f"{'they were' if several else 'it was'} given with "
                f"after T = {case['T']:,} steps; expected a classifier that "
                f"learns from all rows."
            )
    return ""


def judge_few_steps(solution, names):
    """A classifier that makes no step where T is below the number of rows."""
    case = right_angles(names, 0.5)
    got = as_labels(call(solution, case).value)
    if got is None or len(np.unique(got)) > 1:
        return ""
    return (
        f"After T = {case['T']} steps on {APART} rows at right angles to each "
        f"other, your classifier gives all of them one label; expected T "
        f"steps also where T is below the number of rows."
    )


def judge_memory(solution, names):
    """A classifier that still knows what an earlier call of fit gave it.

    Rows at right angles to all of the training have one label in common,
    whichever it is.
    """
    case, half = right_angles(names), APART // 2
    before = case["X"][:half], labels(half).astype(int) + 5
    case |= {
        "X": case["X"][half:],
        "labels": case["labels"][half:],
        "X_new": before[0],
    }
    new = as_labels(call(solution, case).value)
    both = as_labels(
        call(solution.fitted_before, {**case, "before": before}).value
    )
    if new is None or both is None or len(np.unique(new)) > 1:
        return ""
    strange = [label for label in both.tolist() if label not in names.tolist()]
    if strange:
        return (
            f"Fitted to rows with the labels 4 and 6, and then to others with "
            f"{names.tolist()}, your classifier predicts {short(strange[0])}; "
            f"expected each call of fit to start anew."
        )
    if len(np.unique(both)) == 1:
        return ""
    return (
        f"Fitted to {half} rows, and then to {half} others at right angles "
        f"to them, your classifier still tells the first ones apart; a new "
        f"one does not. Expected each call of fit to start anew."
    )


def mixes_up(solution, case):
    """Whether a classifier predicts otherwise once another was trained."""
    found = beside_another(solution, case)
    # What else may go wrong there is told in its own trial.
    if found is None or not same_values(*found[:2], digits=None):
        return False
    return not same_values(*found[1:], digits=None)


def ends_early(solution, case, after_all):
    """Whether a classifier makes as many steps as there are rows, at most.

    With a large λ every row may be a violator: then each epoch rightly ends
    alike. And who gives one label to all points tells nothing of the steps.
    """
    n = len(case["X"])
    steps = (n, 2 * n + n // 2, 10 * n)
    if case["lam"] > 1 or not same_after(solution, case, after_all, steps):
        return False
    return len(np.unique(as_labels(after_all.value))) > 1


def takes_no_steps(task, solution):
    """Whether a classifier predicts the same after 1, 2, 3 and T steps.

    On rows that can be told apart the first one may be all that it needs;
    these cannot be.
    """
    case = task.cases(0)[0]
    return same_after(solution, case, around(solution, case), (1, 2, 3))


def same_after(solution, case, after_all, steps):
    """Whether a classifier predicts the same after fewer steps as after T.

    It is asked for points all round, which tell two directions of w apart
    to 0.006. The rows of the training may get their right labels from the
    first step on. As soon as one result differs, no more are asked for.
    """
    if after_all.error is not None:
        return False
    return is_shape_of(after_all.value, (POINTS,)) and all(
        after_all.same_as(around(solution, {**case, "T": T})) for T in steps
    )


def around(solution, case):
    """What a classifier predicts for points all round."""
    return call(solution, {**case, "X_new": all_round(case)})


def as_labels(value):
    """What predict returns as an array that can be compared, or None."""
    array = as_array(value)
    if array is None or array.dtype.kind != "O":
        return array
    plain = as_array(array.tolist())
    there = plain is not None and plain.shape == array.shape
    return plain if there and plain.dtype.kind != "O" else None


def is_shape_of(value, shape):
    labels = as_labels(value)
    return labels is not None and labels.shape == shape


POINTS = 2_000  # all round, more than any case has rows


def all_round(case):
    """Points all round 0, and all round the mean of the rows.

    The line of who takes the mean away, in predict as well, goes through it.
    """
    angles = np.linspace(0, 2 * np.pi, POINTS // 2)
    circle = np.transpose([np.cos(angles), np.sin(angles)])
    return np.vstack([circle, circle + case["X"].mean(axis=0)])


SCATTERS = "Each call draws other rows"
LINES = 10  # that are drawn to see how far they scatter
CLOSER = 2.5  # times as close, at least, after fifty times the steps


def judge_scatter(task, solution):
    """Who draws other rows in each call scatters less after more steps.

    After fifty times the steps the lines of a right classifier are about ten
    times as close together. It is refused if they are not in three trials.
    """
    cases = [c for c in task.cases(0) if c["lam"] <= 1]
    cases = [{**case, "X_new": all_round(case)} for case in cases]
    first = call(solution, cases[0])
    # Two orders of the same rows may end alike, by chance.
    if all(first.same_as(call(solution, cases[0])) for _ in range(3)):
        return ""
    for _ in range(3):
        early, late = (
            sum(scatter(solution, case, steps(case)) for case in cases)
            for steps in (lambda case: len(case["X"]), lambda case: case["T"])
        )
        if not 0 < early <= CLOSER * late:
            return ""
    n, T = len(cases[0]["X"]), cases[0]["T"]
    return (
        f"{SCATTERS}, and your classifiers differ as much "
        f"from each other after {T} steps as after {n}, one for each row; "
        f"expected T steps of your solver, which bring them together."
    )


def scatter(solution, case, T):
    """On which share of the points two classifiers differ, on average.

    NaN if one of them gives no label for each point.
    """
    share = frequency(solution, {**case, "T": T}, LINES)
    return float(np.mean(2 * share * (1 - share)))


def frequency(solution, case, times):
    """How often, of so many calls, each point gets the second label.

    NaN if one of them gives no label for each point.
    """
    second, shape = np.unique(case["labels"])[1], case["X_new"].shape[:1]
    drawn = [as_labels(call(solution, case).value) for _ in range(times)]
    if any(labels is None or labels.shape != shape for labels in drawn):
        return np.full(shape, np.nan)
    return np.mean([labels == second for labels in drawn], axis=0)


def best(X, y, lam):
    """The w of the smallest f, of few dense rows.

    `optimum` gives it, too; the compiled code that it loads takes longer to
    load than all of this task.
    """
    n = len(y)
    rows = y[:, np.newaxis] * X / np.sqrt(lam * n)
    _, v = solve_box(rows, np.ones(n), 1e-10)
    return v / np.sqrt(lam * n)
