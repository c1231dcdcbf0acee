"""What the value of each small function may be made of, and where to look.

The points are chosen here, not those of the task's cases: there some
quantities are equal by chance, or the same in every case. A quantity is told
by its words, so they must say what it is.
"""

from collections.abc import Callable

import numpy as np
from scipy import special

from pegasos_edu.coursework.diagnosis.expressions import expression
from pegasos_edu.coursework.diagnosis.parts import sigmoid
from pegasos_edu.coursework.trial import as_numbers, call, same_values

FORMULA = "another-formula"
RIGHT = "the right value"
MARGINS = [-4.3, -2.1, -0.9, -0.35, 0.2, 0.65, 1.3, 2.2, 3.7, 5.1]


# Where to look


def margins():
    return [{"margin": np.array(MARGINS)}]


def scores():
    rng = np.random.default_rng(11)
    return [
        {"w": rng.normal(size=d), "X": rng.normal(size=(4, d))}
        for d in (2, 3, 4)
    ]


def steps():
    lams = (0.1, 0.3, 0.02, 2.0, 0.7, 1.5, 0.05, 0.4)
    return [
        {"lam": lam, "t": t} for lam, t in zip(lams, (2, 3, 7, 5, 11, 4, 9, 6))
    ]


def bounds():
    R = (1.5, 0.7, 3.0, 2.2, 0.3, 1.1, 5.0, 0.9)
    return [
        {"lam": case["lam"], "R": r, "T": 3 * case["t"]}
        for case, r in zip(steps(), R)
    ]


def weights():
    """Data of eight sizes; some rows cost something, and some do not."""
    rng, cases = np.random.default_rng(12), []
    for n, d in zip((4, 5, 6, 7, 8, 9, 11, 5), (2, 3, 2, 4, 3, 5, 2, 4)):
        X, y = rng.normal(size=(n, d)), np.sign(rng.normal(size=n))
        w, lam = rng.normal(size=d), rng.uniform(0.05, 1.5)
        cases.append({"w": w, "X": X, "y": y, "lam": lam})
    return cases


def rows():
    rng, cases = np.random.default_rng(13), []
    for n, d in zip((5, 6, 7, 8, 9, 10, 7, 8), (4, 7, 5, 3, 6, 4, 8, 9)):
        X = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.4)
        chosen = rng.integers(n, size=n + d % 3)
        cases.append({"X": X, "rows": chosen})
    return cases


def curves():
    """Noisy falling curves, through other numbers of points."""
    rng, cases = np.random.default_rng(14), []
    for k in (4, 5, 6, 7, 8, 5, 6, 9):
        t = np.cumsum(rng.integers(2, 60, size=k)).astype(float)
        noise = np.exp(0.3 * rng.standard_normal(k))
        cases.append({"t": t, "gap": 3 * t ** -rng.uniform(0.3, 1) * noise})
    return cases


def two_curves():
    rng, cases = np.random.default_rng(15), []
    for case in curves():
        t = case["t"]
        noise = np.exp(0.05 * rng.standard_normal((2, len(t))))
        p, q = rng.uniform(0.02, 0.1), rng.uniform(0.4, 0.6)
        a, b = 20 * (t / 900.0) ** [[p], [q]] * noise
        cases.append({"t": t, "a": a, "b": b})
    return cases


# What the value may be made of


def of_a_margin(m, word="m"):
    e = np.exp(-np.abs(m))
    return {
        word: m,
        f"e^{word}": np.exp(m),
        f"e^−{word}": np.exp(-m),
        f"e^−|{word}|": e,
        f"(1 + e^−|{word}|)": 1 + e,
        f"(1 − e^−|{word}|)": 1 - e,
        f"σ({word})": sigmoid(m),
        f"σ(−{word})": sigmoid(-m),
        f"ln(1 + e^−{word})": np.logaddexp(0, -m),
        f"tanh({word})": np.tanh(m),
        f"max(0, 1 − {word})": np.maximum(0, 1 - m),
        f"max(0, −{word})": np.maximum(0, -m),
        f"e^(−{word}²/2)": np.exp(-(m**2) / 2),
    }


def of_a_score(w, X):
    s, length = X @ w, np.linalg.norm(w)
    return {
        **of_a_margin(s, "s"),
        "arctan(s)": np.arctan(s),
        "clip(s, −1, 1)": np.clip(s, -1, 1),
        "Φ(s)": (1 + special.erf(s / np.sqrt(2))) / 2,
        "‖w‖": np.full(len(X), length),
        "‖x‖": np.linalg.norm(X, axis=1),
        "the mean score": np.full(len(X), s.mean()),
        "the largest score": np.full(len(X), s.max()),
        "the smallest score": np.full(len(X), s.min()),
    }


def of_a_step_size(lam, t):
    return {
        "λ": lam,
        "t": t,
        "λ^t": lam**t,
        "e^−λ": np.exp(-lam),
        "e^−t": np.exp(-t),
        "the sum 1 + 1/2 + … + 1/t": sum(1 / np.arange(1, t + 1)),
    }


def of_a_bound(lam, R, T):
    return {
        "λ": lam,
        "R": R,
        "T": T,
        "ln(T + 1)": np.log(T + 1),
        "log₂(T + 1)": np.log2(T + 1),
        "log₁₀ T": np.log10(T),
        "log₂ T": np.log2(T),
        "(1 + ln T)": 1 + np.log(T),
        "(2R)²": 4 * R**2,
        "ln T/(2λ)": np.log(T) / (2 * lam),
        "(2R)²/(2λ)": 2 * R**2 / lam,
        "the sum 1 + 1/2 + … + 1/T": sum(1 / np.arange(1, T + 1)),
    }


def of_an_objective(w, X, y, lam):
    m = y * (X @ w)
    losses = np.maximum(0, 1 - m)
    table = np.maximum(0, 1 - np.outer(y, X @ w))  # of a y in a column
    return {
        "λ": lam,
        "n": len(y),
        "d": len(w),
        "‖w‖": np.linalg.norm(w),
        "Σ|w_j|": np.abs(w).sum(),
        "Σw_j": w.sum(),
        "λ/2": lam / 2,
        "λ/2 ‖w‖²": lam / 2 * w @ w,
        "the mean loss": losses.mean(),
        "the mean of the squared losses": (losses**2).mean(),
        "the mean loss of every label with every score": table.mean(),
        "the largest loss": losses.max(),
        "the first loss": losses[0],
        "the last loss": losses[-1],
        "the number of violators": np.count_nonzero(m < 1),
        "the number of rows on the wrong side": np.count_nonzero(m <= 0),
        "the mean margin": m.mean(),
        "the mean score": (X @ w).mean(),
        "‖Xw‖": np.linalg.norm(X @ w),
    }


def of_a_share(X, rows):
    named = X[np.ravel(rows)]
    return {
        "the zeros in the named rows": np.count_nonzero(named == 0),
        "the entries in use in the named rows": np.count_nonzero(named),
        "the number of named rows": len(named),
        "the number of different rows named": len(np.unique(rows)),
        "d": X.shape[1],
        "n": len(X),
        "(n·d)": X.size,
        "the zeros in all of X": np.count_nonzero(X == 0),
        "the zeros in the first row": np.count_nonzero(named[0] == 0),
    }


def of_a_line(x, z, words):
    """A line through points, as several people fit one."""
    (slope, height), back = np.polyfit(x, z, 1), np.polyfit(z, x, 1)[0]
    local = np.diff(z) / np.diff(x)
    return {
        f"the slope {words}": slope,
        f"the height {words}": height,
        f"the slope {words} with the axes exchanged": back,
        f"the slope {words} through the origin": x @ z / (x @ x),
        f"the correlation {words}": np.corrcoef(x, z)[0, 1],
        f"the slope {words} from the first to the last point": (
            (z[-1] - z[0]) / (x[-1] - x[0])
        ),
        f"the slope {words} from the last point but one to the last": (
            local[-1]
        ),
        f"the slope {words} from the first point to the second": local[0],
        f"the mean slope {words} from point to point": local.mean(),
        f"the mean gradient {words}": np.gradient(z, x).mean(),
        f"the median slope {words} from point to point": np.median(local),
        f"the mean quotient {words}": np.mean(z / x),
        f"the quotient of the means {words}": z.mean() / x.mean(),
    }


def axes(t, curve):
    """Both axes as they are, or as logarithms, in words."""
    return [
        (np.log(t), np.log(curve), "on log-log axes"),
        (np.log(t), curve, "with the logarithm of t alone"),
        (t, np.log(curve), "with the logarithm of the curve alone"),
        (t, curve, "without logarithms"),
    ]


def of_a_slope(t, gap):
    x, z = np.log(t), np.log(gap)
    found = {"the number of points": len(t)}
    found["the number of points less 1"] = len(t) - 1
    for each in axes(t, gap):
        found |= of_a_line(*each)
    for weight, words in ((t, "t"), (gap, "gap"), (np.sqrt(t), "√t")):
        found[f"the slope with the weights {words}"] = np.polyfit(
            x, z, 1, w=weight
        )[0]
    square = np.polyfit(x, z, 2)
    found["the first coefficient of a parabola"] = square[0]
    found["the second coefficient of a parabola"] = square[1]
    return found


def of_a_crossing(t, a, b):
    found = {"the last t": t[-1], "ln of the last t": np.log(t[-1])}
    found["the first t"] = t[0]
    found["ln of the first t"] = np.log(t[0])
    found["ln of a/b at the last point"] = np.log(a[-1] / b[-1])
    found["ln of a/b at the first point"] = np.log(a[0] / b[0])
    for (x, left, words), (_, right, _) in zip(axes(t, a), axes(t, b)):
        (p, h), (q, k) = np.polyfit(x, left, 1), np.polyfit(x, right, 1)
        found |= {
            f"the difference of the slopes {words}": q - p,
            f"the difference of the heights {words}": h - k,
            f"the quotient of the slopes {words}": q / p,
            f"the quotient of the heights {words}": h / k,
            f"the sum of the slopes {words}": p + q,
            f"the sum of the heights {words}": h + k,
        }
    return found


# Task -> points, quantities, the argument with an entry for each value if
# there is one.
MADE_OF: dict[str, tuple[Callable, Callable]] = {
    "A1.objective": (weights, of_an_objective),
    "A1.step_size": (steps, of_a_step_size),
    "A1.wasted": (rows, of_a_share),
    "A2.log_loss": (margins, of_a_margin),
    "A2.slope": (margins, of_a_margin),
    "A2.curvature": (margins, of_a_margin),
    "A2.probability": (scores, of_a_score),
    "A4.bound": (bounds, of_a_bound),
    "A4.slope": (curves, of_a_slope),
    "A4.crossing": (two_curves, of_a_crossing),
}
LETTERS = {
    "A2.log_loss": "m is the margin",
    "A2.slope": "m is the margin, and σ(m) is 1/(1 + e^−m)",
    "A2.curvature": "m is the margin, and σ(m) is 1/(1 + e^−m)",
    "A2.probability": (
        "s is the score, σ(s) is 1/(1 + e^−s), Φ the normal distribution"
    ),
}


def written_out(task, answer):
    """Name and sentence for a value that is another expression.

    It is looked for in the task's own quantities.

    Parameters
    ----------
    task : Task
    answer : callable

    Returns
    -------
    names, said : tuple of str
    """
    if task.name not in MADE_OF:
        return (), ()
    points, made_of = MADE_OF[task.name]
    yours, wanted, made = [], [], []
    for case in points():
        pair = [
            as_numbers(call(f, case).value) for f in (answer, task.reference)
        ]
        if pair[0] is None or pair[0].shape != pair[1].shape:
            return (), ()
        yours.append(np.ravel(pair[0]))
        wanted.append(np.ravel(pair[1]))
        made.append(made_of(*case.values()))
    yours, wanted = np.concatenate(yours), np.concatenate(wanted)
    if same_values(yours, wanted, digits=6):
        return (), ()  # it is wrong elsewhere, or by rounding
    columns = {RIGHT: wanted} | {
        words: np.concatenate([np.ravel(each[words]) for each in made])
        for words in made[0]
    }
    words = expression(yours, columns)
    if not words:
        return (), ()
    letters = LETTERS.get(task.name)
    where = f" ({letters})" if letters else ""
    return (FORMULA,), (f"On all data that were tried it is {words}{where}.",)


# A step, which is a·w + b·y·x


def single_steps(hits):
    """Steps with a margin below 1, or above it."""
    rng = np.random.default_rng(16)
    margins = [-2.3, -0.7, 0.2, 0.6, -1.4, 0.9, -0.3, 0.45]
    for k, margin in enumerate(margins):
        w, x = rng.normal(size=(2, 3))
        label = (-1.0) ** (k // 2)
        margin = margin if hits else 2.6 - margin
        x *= label * margin / (w @ x)
        lam, eta = rng.uniform(0.1, 0.9), rng.uniform(0.2, 1.0)
        yield {"w": w, "x": x, "label": label, "lam": lam, "eta": eta}


def of_a_step(w, x, label, lam, eta):
    return {
        "λ": lam,
        "η": eta,
        "y": label,
        "the margin": label * (w @ x),
        "‖w‖": np.linalg.norm(w),
        "‖x‖": np.linalg.norm(x),
    }


def step_written_out(answer):
    """What w and y·x are multiplied by in a step, in sentences.

    Parameters
    ----------
    answer : callable

    Returns
    -------
    tuple of str
        Only of factors that are wrong and were found.
    """
    said = []
    for hits, where in ((True, "below 1"), (False, "above 1")):
        cases = list(single_steps(hits))
        factors = [step_factors(answer, **case) for case in cases]
        if any(each is None for each in factors):
            return ()
        made = [of_a_step(**case) for case in cases]
        columns = {
            name: np.array([each[name] for each in made]) for name in made[0]
        }
        rule = 1 - columns["λ"] * columns["η"]
        for yours, wanted, words, what in (
            (0, rule, "1 − ηλ", "w is multiplied by"),
            (1, columns["η"] * hits, "η" if hits else "0", "y·x is added"),
        ):
            found = np.array([each[yours] for each in factors])
            if same_values(found, wanted):
                continue
            is_told = number_or_expression(found, columns)
            if is_told:
                times = " times" if yours else ""
                said.append(
                    f"With a margin {where} {what} {is_told}{times}; expected "
                    f"{words}."
                )
    return tuple(said)


def step_factors(answer, w, x, label, lam, eta):
    """The a and b for which a step gives a·w + b·label·x, or None."""
    case = {"w": w, "x": x, "label": label, "lam": lam, "eta": eta}
    new = as_numbers(call(answer, case).value)
    if new is None or new.shape != w.shape or not np.isfinite(new).all():
        return None
    both = np.transpose([w, label * x])
    factors, *_ = np.linalg.lstsq(both, new)
    return factors if same_values(both @ factors, new) else None


def number_or_expression(values, columns):
    """In words what numbers are in terms of others, "" if nothing simple."""
    if np.allclose(values, values[0], rtol=1e-9, atol=1e-12):
        return f"{round(values[0], 9) + 0.0:.6g}"
    return expression(values, columns)


# A product with one factor for each argument

ENTERS = {
    "A1.step_size": {"lam": ("λ", "1/λ"), "t": ("t", "1/t")},
    "A4.bound": {
        "lam": ("λ", "1/(2λ)"),
        "R": ("R", "(2R)²"),
        "T": ("T", "1 + ln T"),
    },
}
AS_ASKED = {
    "1/λ": lambda v: 1 / v,
    "1/t": lambda v: 1 / v,
    "1/(2λ)": lambda v: 0.5 / v,
    "(2R)²": lambda v: 4 * v**2,
    "1 + ln T": lambda v: 1 + np.log(v),
}


def enters_as(task, answer, name):
    """How one argument enters a product whose other factors are right.

    Parameters
    ----------
    task : Task
    answer : callable
    name : str
        Of the argument.

    Returns
    -------
    tuple of str
        A sentence, if its factor is an expression that was found.
    """
    letter, wanted = ENTERS[task.name][name]
    points, _ = MADE_OF[task.name]
    values, factors = [], []
    for case in points():
        yours, right = (call(f, case).value for f in (answer, task.reference))
        values.append(case[name])
        factors.append(AS_ASKED[wanted](case[name]) * yours / right)
    values, factors = np.array(values, dtype=float), np.array(factors)
    columns = {letter: values}
    if letter != "R":
        columns |= {f"ln({letter} + 1)": np.log(values + 1)}
    words = number_or_expression(factors, columns)
    words = words if words != wanted else ""  # it is wrong elsewhere
    return (f"It has {words} where {wanted} is asked for.",) if words else ()
