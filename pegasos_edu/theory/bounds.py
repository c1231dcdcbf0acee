"""The bounds of the ledger, each with the `cases` that test it.

False versions are made by `versions`, and a few that are near are written
here. Where no case is known that finds one out, it survives, and the ledger
says so.
"""

from pegasos_edu.theory.cases import (
    all_risks,
    alternations,
    averages,
    candidates,
    expectations,
    gamblers,
    games_from_three_on,
    games_on_the_ball,
    games_played,
    gradients_on_the_ball,
    means_of_runs,
    optimum_norms,
    parabolas,
    random_indices,
    random_ones,
    risks_of_players,
    sizes,
    tails,
    variances,
)
from pegasos_edu.theory.formula import Bound

ROOT = "sqrt(ln(1 / delta))"
MIDDLE = f"2 * sqrt(2 * L0**2 / lam) * {ROOT} * sqrt(regret)"
LAST = "largest(8 * L0**2 / lam, 6 * B) * ln(1 / delta)"
FIRST, SECOND, THIRD = (
    "2 * R**2 * (1 + ln(T)) / (lam * T)",
    "8 * R**2 * sqrt(1 + ln(T)) * sqrt(ln(1 / delta)) / (lam * T)",
    "largest(32 * R**2 / lam, 9 * R**2 / lam + 6) * ln(1 / delta) / T",
)
WHOLE = f"{FIRST} + {SECOND} + {THIRD}"
TWICE = f"2 * ({WHOLE})"
# Each bound: what is bounded, by what, the cases, false versions that are
# near and not made by `versions`, and letters that are not in the formula.
ROWS = {
    6: (
        Bound(
            r"\lVert w_t \rVert",
            "R / lam",
            lambda: sizes()["norm"],
            ("0.99 * R / lam",),
        ),
        Bound(
            r"\lVert \nabla_t \rVert",
            "2 * R",
            lambda: sizes()["gradient"],
            ("1.99 * R",),
        ),
        Bound(
            r"f(w_t; z_t)",
            "3 * R**2 / (2 * lam) + 1",
            lambda: sizes()["value"],
            ("2.99 * R**2 / (2 * lam) + 1", "3 * R**2 / (2 * lam) + 0.99"),
        ),
    ),
    7: (
        Bound(
            r"\lVert w^\star \rVert",
            "1 / sqrt(lam)",
            optimum_norms,
            ("0.99 / sqrt(lam)",),
        ),
    ),
    8: (
        Bound(
            r"\mathrm{regret}_T",
            "G**2 * (1 + ln(T)) / (2 * lam)",
            parabolas,
            ("0.99 * G**2 * (1 + ln(T)) / (2 * lam)",),
        ),
    ),
    9: (
        Bound(
            r"\mathrm{regret}_T",
            "c * (1 + ln(T)) / (2 * lam)",
            games_played,
            ("c * (1 + ln(ln(T) + 1)) / (2 * lam)",),
            "k",
        ),
        Bound(
            r"\text{projected: } \mathrm{regret}_T",
            "(sqrt(lam) + R)**2 * (1 + ln(T)) / (2 * lam)",
            games_on_the_ball,
            (
                "0.99 * (sqrt(lam) + R)**2 * (1 + ln(T)) / (2 * lam)",
                "(lam + R**2) * (1 + ln(T)) / (2 * lam)",
                "(sqrt(lam) + R) * (1 + ln(T)) / (2 * lam)",
                "largest(lam, R**2) * (1 + ln(T)) / (2 * lam)",
            ),
            "k",
        ),
        Bound(
            r"\text{projected: } \lVert \nabla_t \rVert",
            "sqrt(lam) + R",
            gradients_on_the_ball,
            (
                "0.99 * (sqrt(lam) + R)",
                "2 * R",
                "largest(sqrt(lam), R)",
                "sqrt(lam + R**2)",
            ),
        ),
        Bound(
            r"\text{for } T \ge 3 \text{: } \mathrm{regret}_T",
            "c * ln(T) / lam",
            games_from_three_on,
            letters="k",
        ),
    ),
    10: (
        Bound(
            r"f(\bar w) - f^\star",
            "c * (1 + ln(T)) / (2 * lam * T)",
            averages,
            letters="k",
        ),
    ),
    11: (
        Bound(
            r"\mathbb{E} f(w_r) - f^\star",
            "c * ln(T) / (lam * T)",
            expectations,
            letters="k",
        ),
    ),
    12: (
        Bound(
            r"f(w_r) - f^\star",
            "c * ln(T) / (delta * lam * T)",
            random_indices,
            ("c * ln(1 / delta) * ln(T) / (lam * T)",),
            "k",
        ),
    ),
    13: (
        Bound(
            r"\min_{j \le M} f(w_{r_j}) - f^\star",
            "c * e * ln(T) * M / (lam * T)",
            candidates,
            letters="k",
        ),
    ),
    14: (
        Bound(
            r"\mathrm{Var}\, \xi_t",
            "2 * L0**2 / lam * gap",
            variances,
            ("1.99 * L0**2 / lam * gap",),
        ),
    ),
    15: (
        Bound(
            r"\sum X_t",
            f"largest(2 * sigma, 3 * b * {ROOT}) * {ROOT}",
            gamblers,
            (
                f"largest(1.3 * sigma, 3 * b * {ROOT}) * {ROOT}",
                f"largest(2 * sigma, b * {ROOT}) * {ROOT}",
                f"largest(2 * sigma, 0.9 * b * {ROOT}) * {ROOT}",
            ),
        ),
        Bound(
            r"\mathbb{P}",
            "4 * ln(T) * delta",
            tails,
            ("0.2 * delta", "0.1 * delta"),
        ),
    ),
    16: (
        Bound(
            r"\frac{E_T}{T}",
            f"(regret + {MIDDLE} + {LAST}) / T",
            risks_of_players,
            (
                f"(regret + {MIDDLE} + largest(2 * L0**2 / lam, 6 * B) "
                "* ln(1 / delta)) / T",
                "(regret + 2 * sqrt(2 * L0**2 / lam) * sqrt(regret) "
                "+ largest(8 * L0**2 / lam, 6 * B)) / T",
            ),
        ),
    ),
    17: (
        Bound(
            r"\frac{E_T}{T}",
            WHOLE,
            all_risks,
            (
                f"{FIRST} + 8 * R**2 * sqrt(1 + ln(T)) / (lam * T) "
                "+ largest(32 * R**2 / lam, 9 * R**2 / lam + 6) / T",
            ),
        ),
    ),
    18: (
        Bound(r"L(\bar w) - L(w^\star)", WHOLE, means_of_runs),
        Bound(r"L(w_r) - L(w^\star)", TWICE, random_ones),
        Bound(
            r"\frac{\mathbb{E} E_T}{T}",
            "2 * R**2 * (1 + ln(T)) / (lam * T)",
            expectations,
        ),
    ),
    23: (
        Bound(
            r"\mathrm{regret}_T",
            "R**2 * (2 + H(T - 1)) / (2 * lam)",
            alternations,
            ("0.99 * R**2 * (2 + H(T - 1)) / (2 * lam)",),
            "k",
        ),
    ),
}
