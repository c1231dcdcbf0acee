"""What does the answer of a solver depend on, and what should it?

Each probe changes one argument and looks whether w changes. What it says is
true of any solver, whether or not its mistake has a name.
"""

from pegasos_edu.coursework.trial import call


def turned(case):
    return {**case, "y": -case["y"]}


def reordered(case):
    """The order with other rows, as long as before."""
    return {**case, "order": (case["order"] + 1) % len(case["y"])}


def with_other_lam(case):
    return {**case, "lam": 3 * case["lam"]}


def cut_by_half(case):
    return {**case, "order": case["order"][: len(case["order"]) // 2]}


PROBES = [
    ("order-has-no-effect", reordered),
    ("labels-have-no-effect", turned),
    ("lambda-has-no-effect", with_other_lam),
    ("steps-have-no-effect", cut_by_half),
]


def findings(solve, case):
    """The names of what a solver wrongly does not depend on.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    case : dict

    Returns
    -------
    tuple of str
    """
    before = call(solve, case)
    if before.error is not None:
        return ()
    without = tuple(
        name
        for name, change in PROBES
        if before.same_as(call(solve, change(case)))
    )
    return without or call_to_call(solve, case)


def call_to_call(answer, case):
    """The name for an answer that two equal calls give differently."""
    same = call(answer, case).same_as(call(answer, case))
    return () if same else ("differs-from-call-to-call",)
