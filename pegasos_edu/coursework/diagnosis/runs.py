"""What runs on chosen data show of an average, and of a projection."""

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.fit import iterates
from pegasos_edu.coursework.diagnosis.quantities import number_or_expression
from pegasos_edu.coursework.trial import as_numbers, call, same_values

OTHER_WEIGHTS = "violators-with-other-weights"
OTHER_LENGTH = "shortened-to-another-length"
OUTSIDE = "ends-outside-the-ball"
CLOSE = 1e-9


def harmonic(t):
    """1 + 1/2 + … + 1/t; 0 for no term.

    Examples
    --------
    >>> harmonic(0), harmonic(2)
    (0.0, 1.5)
    """
    return float(np.sum(1 / np.arange(1, t + 1)))


def of_an_average(solve):
    """How much a violator of step τ weighs in an average.

    Every row has a column of its own and comes once: its margin is 0, and
    its column of the average is its weight. That must be the same with the
    rows and their columns the other way round: else it is not the weight
    that is wrong, but where it goes.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> the average, or something else.

    Returns
    -------
    names, said : tuple of str
    """
    yours, wanted, made = [], [], []
    for T, lam, n in ((4, 0.1, 6), (6, 0.3, 7), (9, 0.05, 9)):
        X, y = sp.csr_matrix(np.eye(n)), np.resize([1.0, -1.0, -1.0], n)
        case = {"X": X, "y": y, "lam": lam, "order": np.arange(T)}
        found = as_numbers(call(solve, case).value)
        if found is None or found.shape != (n,):
            return (), ()
        if np.abs(found[T:]).max(initial=0) > CLOSE:
            return (), ()  # columns of rows that never came
        turned = as_numbers(call(solve, turned_round(case)).value)
        weights = (y * found)[:T]
        if turned is None or not same_values((y * turned[::-1])[:T], weights):
            return (), ()
        yours.append(weights)
        for step in range(1, T + 1):
            left = harmonic(T - 1) - harmonic(step - 1)
            wanted.append(left / (lam * T))
            made.append(of_a_weight(T, step, lam, n))
    values, wanted = np.concatenate(yours), np.array(wanted)
    if same_values(values, wanted) or not np.isfinite(values).all():
        return (), ()
    k = int(np.argmin(np.isclose(values, wanted, CLOSE, CLOSE)))
    T, step, lam = (made[k][word] for word in ("T", "τ", "λ"))
    columns = {
        word: np.array([each[word] for each in made], dtype=float)
        for word in made[0]
    }
    words = number_or_expression(values, columns)
    said = (
        f"With rows that come once, none alike, the violator of step "
        f"τ = {step} has the weight {values[k]:.4g} in your average of "
        f"T = {T} steps with λ = {lam:g}; expected {wanted[k]:.4g}.",
    )
    if words:
        where = ", where H(t) is 1 + 1/2 + … + 1/t" if "H(" in words else ""
        said += (f"Its weight is always {words}{where}.",)
    return (OTHER_WEIGHTS,), said


def turned_round(case):
    """The same steps, with rows and columns numbered from the last one."""
    n = len(case["y"])
    return {
        **case,
        "X": sp.csr_matrix(case["X"].toarray()[::-1, ::-1]),
        "y": case["y"][::-1].copy(),
        "order": n - 1 - case["order"],
    }


def of_a_weight(T, step, lam, n):
    return {
        "T": T,
        "τ": step,
        "λ": lam,
        "n": n,
        "H(T)": harmonic(T),
        "H(T − 1)": harmonic(T - 1),
        "H(τ)": harmonic(step),
        "H(τ − 1)": harmonic(step - 1),
    }


def of_a_projection(solve, cases):
    """Whether only the length of w is not that of the projection.

    Its direction is right at every step then.

    Parameters
    ----------
    solve : callable
        (X, y, lam, order) -> w.
    cases : list of dict

    Returns
    -------
    names, said : tuple of str
    """
    said = ()
    for case in cases:
        short = {**case, "order": case["order"][:12]}
        W = iterates(solve, short, averages=False)
        if W is None:
            return (), ()
        lam, radius = case["lam"], case["lam"] ** -0.5
        for t, i in enumerate(short["order"], start=1):
            x = case["X"][[i]]
            x = x.toarray()[0] if sp.issparse(x) else x[0]
            y, w, after = case["y"][i], W[t - 1], W[t]
            right = (1 - 1 / t) * w + (y * (x @ w) < 1) * y * x / (lam * t)
            length, yours = (np.linalg.norm(v) for v in (right, after))
            if not length or not yours:
                return (), ()
            if np.abs(right / length - after / yours).max() > CLOSE:
                return outside(solve, cases)
            wanted = min(length, radius)
            if not said and abs(yours - wanted) > CLOSE * max(1.0, wanted):
                said = (
                    f"At t = {t} your w has the right direction and is "
                    f"{yours:.4g} long; expected {wanted:.4g}, and 1/√λ is "
                    f"{radius:.4g}.",
                )
    return ((OTHER_LENGTH,), said) if said else ((), ())


def outside(solve, cases):
    """Whether w ends outside the ball, whatever its steps are."""
    for case in cases:
        w, radius = as_numbers(call(solve, case).value), case["lam"] ** -0.5
        length = 0.0 if w is None else np.linalg.norm(w)
        if np.isfinite(length) and length > (1 + CLOSE) * radius:
            return (OUTSIDE,), (
                f"After {len(case['order'])} steps with λ = {case['lam']:g} "
                f"your w is {length:.4g} long, and 1/√λ is {radius:.4g}.",
            )
    return (), ()
