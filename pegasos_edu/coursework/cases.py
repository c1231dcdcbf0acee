"""What answers are tried on: small, drawn once, no margin at the kink."""

import numpy as np
import scipy.sparse as sp

from pegasos_edu.solvers import dense
from pegasos_edu.solvers.orders import draw_order

NEAR = 1e-4  # how close to the kink a margin gets
LONG = 1e4  # times as long as the others is a long row
TINY = 1e-6  # times as long as the others is a short w


def small_data(n, d, variant):
    """Two overlapping clouds; every variant draws other ones."""
    rng = np.random.default_rng([n, d, variant])
    y = labels(n)
    return rng.standard_normal((n, d)) + 0.5 * y[:, np.newaxis], y


def labels(n):
    """Labels with no symmetry: shifted by a row, they are not turned round.

    The sign of y_i is the parity of the ones in the binary number i.

    Examples
    --------
    >>> labels(6).tolist()
    [1.0, -1.0, -1.0, 1.0, -1.0, 1.0]
    """
    ones = [i.bit_count() for i in range(n)]
    return np.where(np.array(ones) % 2 == 0, 1.0, -1.0)


def solver_cases(variant, **asked):
    """Every part of a solver's behaviour; longer runs first, the longest last.

    Parameters
    ----------
    variant : int
        The seed.
    **asked : int
        The t0 and the k of a `Variant`, if they are asked for.

    Returns
    -------
    list of dict
    """
    return [
        *late_cases(variant, **asked),
        *small_cases(variant, **asked),
        *edge_cases(variant, **asked),
        *faint_cases(variant, **asked),
        *lengthy_cases(variant, **asked),
    ]


def late_cases(variant, t0=0, k=1):
    """Two runs with many steps a row."""
    cases = [
        solver_case(8, 2, 0.1, 90, variant, k),
        solver_case(12, 3, 0.5, 90, variant, k),
    ]
    hold_a_margin_that_the_shrink_takes(**cases[0], t0=t0)
    return cases


def faint_cases(variant, t0=0, k=1):
    """Rows so short that w hardly moves: who stops at that is seen."""
    case = solver_case(8, 5, 0.01, 60, variant, k)
    return [{**case, "X": 1e-5 * case["X"]}]


LENGTHY = 750  # steps: who calls itself for each has 1,000 calls in all


def lengthy_cases(variant, t0=0, k=1):
    """So many steps that one changes w by two thousandths: who stops at that
    is seen, and who makes fewer."""
    return [solver_case(8, 2, 0.1, LENGTHY, variant, k)]


def all_late_cases(variant, **asked):
    """Four runs with many steps a row."""
    return [
        *late_cases(variant, **asked),
        *faint_cases(variant, **asked),
        *lengthy_cases(variant, **asked),
    ]


def early_cases(variant, **asked):
    """The first steps of the same runs."""
    return [
        {**case, "order": case["order"][:5]}
        for case in late_cases(variant, **asked)
    ]


def small_cases(variant, t0=0, k=1):
    """Fewer steps than rows, and a λ at which 1 − η₁λ is not 0 in floating
    point."""
    return [solver_case(30, 4, 1e-5, 9, variant, k)]


def edge_cases(variant, t0=0, k=1):
    """A single step, two rows, a single column, a margin close to 1.

    The rows of the single column are five, so that one label is rarer.

    A single step with a long row of either label shows where w begins: one
    of the two has a margin above 1 unless that is 0.
    """
    case = solver_case(8, 2, 0.1, 6, variant, k)
    one = {**case, "order": case["order"][:1]}
    return [
        one,
        *({**one, "X": LONG * one["X"], "y": s * one["y"]} for s in (1, -1)),
        solver_case(2, 2, 0.3, 6, variant, k),
        solver_case(5, 1, 0.3, 12, variant, k),
        close_case(1 - NEAR, variant, t0, k),
        close_case(1 + NEAR, variant, t0, k),
    ]


def close_case(margin, variant, t0, k):
    """Two steps, the second of which meets this margin."""
    case = solver_case(8, 2, 0.1, 2, variant, k)
    meet(margin, **case, t0=t0)
    return case


def solver_case(n, d, lam, T, variant, k=1):
    """A run of T steps; with batches, the order has the shape (T, k)."""
    X, y = small_data(n, d, variant)
    order = draw_order(n, T, k, seed=variant)
    return {"X": X, "y": y, "lam": lam, "order": order}


# What a solver's behaviour is graded by, each part for itself.
SOLVER_PARTS = {
    "early": early_cases,
    "late": all_late_cases,
    "small λ": small_cases,
    "edges": edge_cases,
}


def loop_cases(variant, k=1):
    """A run short enough to be done by hand in another process."""
    return [solver_case(8, 2, 0.1, 20, variant, k)]


# Margins, and how much of w the shrink takes: of two margins of 1.5 it
# takes one below 1 and leaves the other above.
STEPS = (
    (0.5, 0.4),
    (-2.0, 0.2),
    (1.5, 0.5),
    (1.5, 0.1),
    (4.0, 0.3),
    (1 - NEAR, 0.2),
)


def one_step_cases(variant):
    """Steps with a margin below 1, below 0 and above 1, of both labels."""
    rng = np.random.default_rng([1, variant])
    cases, lam = [], 0.3
    for margin, share in STEPS:
        for label in (-1.0, 1.0):
            w, x = rng.standard_normal((2, 3))
            x *= label * margin / (w @ x)
            eta = share * rng.uniform(0.9, 1.1) / lam
            cases.append(
                {"w": w, "x": x, "label": label, "lam": lam, "eta": eta}
            )
    return cases


def hold_a_margin_that_the_shrink_takes(X, y, lam, order, t0):
    """Let the second step meet a margin above 1 that the shrink takes below.

    It is 1.5, which the first shrink halves; after a head start, which lets
    the first shrink be less, it is nearer to 1. Otherwise a margin that is
    tested after the shrink may go unnoticed.
    """
    meet(1 + 0.5 / (1 + t0), X, y, lam, order, t0)


def meet(margin, X, y, lam, order, t0):
    """Let the second step meet this margin."""
    order[0], order[1] = 0, 1
    X[1] = margin * lam * (1 + t0) * y[0] * y[1] * X[0] / (X[0] @ X[0])


def sparse_cases(variant, **asked):
    """The same on rows with many zeros, and a long run."""
    return [
        case
        for part in SPARSE_PARTS
        if part not in ("early", "cost")
        for case in SPARSE_PARTS[part](variant, **asked)
    ]


def long_cases(variant, t0=0):
    """A run so long that the scale 1/t falls below 0.0001.

    With a head start of t₀ steps, below t₀ times as much.
    """
    case = late_cases(variant, t0=t0)[0]
    return [{**case, "order": draw_order(8, 12_000, seed=variant)}]


def with_zeros(make):
    """Cases with the smaller entries left out, as CSR rows."""

    def cases(variant, **asked):
        made = make(variant, **asked)
        for case in made:
            X = case["X"] * (np.abs(case["X"]) > 0.4)
            # Of an empty first row a slice that ends one entry too early
            # would begin at 0 and end at −1, which is no such row.
            X[0] = X[0] if X[0].any() else case["X"][0]
            case["X"] = sp.csr_matrix(np.hstack([X, np.zeros_like(X)]))
        return made

    return cases


SPARSE_PARTS = {
    "early": with_zeros(early_cases),
    "late": with_zeros(late_cases),
    "small λ": with_zeros(small_cases),
    "long": with_zeros(long_cases),
    "cost": with_zeros(early_cases),
}


def weight_cases(variant):
    X, y = small_data(10, 3, variant)
    weights = np.array([[0.3, -0.2, 0.7], [2.0, 1.0, -1.5]])
    # Every row costs something for one w, so that none can be left out: where
    # it does not, its margin with the first w is made 0.5.
    margins = y * (weights @ X.T)
    excess = np.where(margins.min(axis=0) > 1, margins[0] - 0.5, 0.0)
    X -= np.outer(y * excess, np.linalg.pinv(weights)[:, 0])
    return [{"w": w, "X": X, "y": y, "lam": 0.2} for w in weights]


def score_cases(variant):
    return [{"w": case["w"], "X": case["X"]} for case in weight_cases(variant)]


def chance_cases(variant):
    """Also scores so large that exp overflows on either side."""
    cases = score_cases(variant)
    return [*cases, {**cases[1], "w": 5000 * cases[1]["w"]}]


def side_cases(variant):
    """Scores of both signs, and a row that lies on the line.

    The last scores are tiny: their signs count, and not their sizes.
    """
    cases = score_cases(variant)
    cases.append({**cases[0], "w": TINY * cases[0]["w"]})
    for case in cases:
        case["X"][3] = 0.0
    return cases


def unlike(variant):
    """A generator of numbers that the notebook does not show; none for it.

    Where the other cases are alike in all variants, a table of the answers
    to them would do.
    """
    return [np.random.default_rng([10, variant])] if variant else []


def step_cases(variant):
    others = [
        (rng.uniform(0.01, 3), int(rng.integers(2, 500)))
        for rng in unlike(variant)
    ]
    return [
        {"lam": lam, "t": t}
        for lam, t in (
            *((0.1, 1), (0.1, 7), (2.0, 3)),
            *((0.01, 1), (2.0, 500)),  # a cap or a floor shows
            *others,
        )
    ]


def visit_cases(variant):
    """Few rows, often visited, and many, in which a rule shows."""
    return [
        {"n": 5, "T": 400, "seed": variant},
        {"n": 100_003, "T": 400, "seed": variant},
        # Not so many whole rounds through the rows.
        {"n": 40, "T": 1010, "seed": variant + 1},
        # In so many draws it shows that two rows come half as often.
        {"n": 5, "T": 4000, "seed": variant},
        # Far from the first: some seeds may be alike where not all are.
        {"n": 5, "T": 400, "seed": variant + 97},
    ]


def wasted_cases(variant):
    """Rows with more and fewer zeros, some named twice, some not at all."""
    rng = np.random.default_rng([5, variant])
    X = rng.standard_normal((9, 12)) * (rng.random((9, 12)) < 0.3)
    X[0], X[1] = 0.0, 1.0
    X[4, 0] = 1e-9  # small, and not 0
    return [
        {"X": X, "rows": np.array([0, 4, 4, 6, 2])},
        {"X": X, "rows": np.array([1, 1, 3, 5, 1, 1])},
        {"X": X, "rows": rng.integers(9, size=(7, 2))},
    ]


def margin_cases(variant):
    # At 15 the log loss is small, and not 0: who cuts it off there is seen.
    near = np.array([-15.0, -3.0, -0.5, 0.0, 0.5, 3.0, 15.0])
    # Far out, and on either side more than one: a cap shows.
    far = np.array([-2e4, -1234.5, 1234.5, 2e4])
    # Between them, and where e to that power leaves the numbers there are.
    between = np.array([-745.0, -709.0, -310.0, -54.0, -36.5, -18.0])
    between = np.concatenate([between, -between[::-1]])
    others = [rng.uniform(-9, 9, 7) for rng in unlike(variant)]
    # Whoever makes room by `zeros_like` gets whole numbers here.
    whole = np.array([-4, -1, 0, 1, 4])
    arrays = (near, far, between, *others, whole)
    return [{"margin": margin} for margin in arrays]


def label_cases(variant):
    X, y = small_data(40, 2, variant)
    # The first label is the larger number, or else the earlier word.
    names = np.where(y > 0, "ham", "spam")
    return [
        *(
            {"X": X, "labels": labels, "X_new": X + 0.1, "lam": 0.1, "T": 2000}
            for labels in (y.astype(int), (y > 0).astype(int), names)
        ),
        one_sided_case(variant),
        shifted_case(variant),
        large_lambda_case(variant),
        alike_at_first_case(X, y),
    ]


def alike_at_first_case(X, y):
    """The first two labels are of one kind: they are not the two there are."""
    first = int(np.flatnonzero((y[:-1] > 0) & (y[1:] > 0))[0])
    X, y = np.roll(X, -first, axis=0), np.roll(y, -first).astype(int)
    return {"X": X, "labels": y, "X_new": X + 0.1, "lam": 0.1, "T": 2000}


def one_sided_case(variant):
    """Two clouds side by side, far from 0: one alone does not tell where
    the line between them is."""
    rng = np.random.default_rng([6, variant])
    y = np.where(np.arange(40) % 4 == 1, -1, 1)
    X = np.transpose([y, np.full(40, 2.0)])
    X = X + 0.4 * rng.standard_normal(X.shape)
    # So the label 0 must not be taken for y = 0, which counts for nothing.
    labels = (y > 0).astype(int)
    return {"X": X, "labels": labels, "X_new": X, "lam": 0.1, "T": 2000}


def shifted_case(variant):
    """Two clouds to the same side of 0: who trains on centred rows, and
    predicts for others, gives one label to all."""
    rng = np.random.default_rng([8, variant])
    y = np.resize([1, -1], 40)
    X = np.transpose([y + 1.5, np.full(40, 1.5)])
    X = X + 0.2 * rng.standard_normal(X.shape)
    return {"X": X, "labels": y, "X_new": X, "lam": 0.1, "T": 2000}


def large_lambda_case(variant):
    """With a large λ a few far rows turn the line; with a small one not."""
    rng = np.random.default_rng([7, variant])
    y = np.resize([1, -1], 40)
    X = np.transpose([y, 2 * rng.standard_normal(40)])
    X[:8] = np.outer(y[:8], [0.5, 8.0])
    X += 0.1 * rng.standard_normal(X.shape)
    near = np.where(np.arange(40) < 8, 0.1, 1.0)[:, np.newaxis]
    return {"X": X, "labels": y, "X_new": near * X, "lam": 20.0, "T": 2000}


def game_cases(variant):
    return [{**case, "W": case["W"][:-1]} for case in run_cases(variant)]


def run_cases(variant):
    """A run of 25 steps with all its 26 iterates, and two comparators."""
    X, y = small_data(10, 2, variant)
    order = draw_order(10, 25, seed=variant)
    steps = range(1, 26)
    run = dense.pegasos(X, y, 0.3, order=order, snapshots=steps)
    W = np.vstack([np.zeros(2), run.iterates])
    return [
        {"W": W, "u": u, "X": X, "y": y, "lam": 0.3, "order": order}
        for u in (np.zeros(2), np.array([0.8, 0.4]))
    ]


def bound_cases(variant):
    others = [
        (rng.uniform(0.01, 1), rng.uniform(0.5, 4), int(rng.integers(9, 900)))
        for rng in unlike(variant)
    ]
    return [
        {"lam": lam, "R": R, "T": T}
        for lam, R, T in (
            (0.1, 1.0, 1),
            (0.1, 1.0, 50),
            (0.01, 3.0, 1000),
            *others,
        )
    ]


def curve_cases(variant):
    t = np.array([10.0, 30.0, 100.0, 300.0, 1000.0])
    return [
        {"t": t, "gap": 5.0 / t},
        {"t": t, "gap": t**-0.5 * np.array([1.0, 1.1, 0.9, 1.05, 0.95])},
        *(
            {"t": t, "gap": t**-0.7 * rng.uniform(0.5, 2, 5)}
            for rng in unlike(variant)
        ),
    ]


def two_curves_cases(variant):
    """Lines that meet beyond the last point, before it, and noisy ones."""
    rng = np.random.default_rng([2, variant])
    cases = []
    for meet, noise in ((4_000.0, 0.0), (150.0, 0.0), (9_000.0, 0.05)):
        t = np.array([20.0, 50.0, 100.0, 250.0, 600.0, 1000.0])
        p, q = rng.uniform(0.02, 0.1), rng.uniform(0.4, 0.6)
        bend = np.exp(noise * rng.standard_normal((2, len(t))))
        a, b = 90 * (t / meet) ** [[p], [q]] * bend
        cases.append({"t": t, "a": a, "b": b})
    return cases
