"""The statements of Chor: subgradients, duality, and the regret of SGD.

What he measured stands in `chor_runs`.
"""

import numpy as np
from scipy.optimize import minimize

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem.data import two_clouds
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.recorded import recorded
from pegasos_edu.theory import basics, regret
from pegasos_edu.theory.compare import Agreement, Comparison, Exponent
from pegasos_edu.theory.ledger.data import data_sets, fair_coin
from pegasos_edu.theory.ledger.statement import CHOR, Statement


def check_subgradients():
    """Item 1: at random points, at 0 and exactly on a kink."""
    results = []
    for X, y in data_sets():
        rng = np.random.default_rng(0)
        others = rng.standard_normal((50, X.shape[1]))
        # The last w puts the first example exactly on its kink.
        points = [*others[:5], np.zeros_like(others[0])]
        points.append(y[0] * X[0] / (X[0] @ X[0]))
        for w in points:
            for loss in ("hinge", "log"):
                results.append(
                    basics.check_subgradient(w, others, X, y, 0.1, loss)
                )
    return results


def check_fermat():
    """Item 2: the shortest subgradient at the certified optimum."""
    return [
        basics.check_fermat(X, y, lam)
        for X, y in data_sets()
        for lam in (0.01, 0.1, 2.0)
    ]


def check_duality(sign=-1.0, half=0.5):
    """Item 7: primal against dual, by minimisers that know neither.

    The primal is minimised by a simplex search, the dual by a bounded
    quasi-Newton method; no solver of this book takes part.

    Parameters
    ----------
    sign, half : float
        Of the dual's quadratic term, so that it can be made false.
    """
    results = []
    for X, y in (two_clouds(), fair_coin()):
        for lam in (0.1, 1.0):
            primal = minimize(
                objective,
                np.zeros(X.shape[1]),
                args=(X, y, lam),
                method="Nelder-Mead",
                options={"xatol": 1e-9, "fatol": 1e-12},
            ).fun
            Z = X * y[:, np.newaxis] / (lam * len(y))

            def loss(alpha, Z=Z, lam=lam):
                w = alpha @ Z
                value = alpha.mean() + sign * half * lam * w @ w
                slope = 1.0 / len(alpha) + 2.0 * sign * half * lam * Z @ w
                return -value, -slope

            found = minimize(
                loss,
                np.full(len(y), 0.5),
                jac=True,
                bounds=[(0.0, 1.0)] * len(y),
                options={"ftol": 1e-14, "gtol": 1e-10, "maxiter": 5000},
            )
            results.append(
                Agreement(
                    np.array([primal]), np.array([-found.fun]), tolerance=1e-5
                )
            )
    return results


def _late_regrets():
    """The last decade of the record: steps, and every run's regret."""
    found = recorded("theory")["step_rules"]
    T = np.array(found["steps"])
    late = T[-1] // 10 <= T
    return T[late], np.array(found["every regret"]["D/(G sqrt t)"])[:, late]


def check_step_rules(power=0.5):
    """Item 20: the record on the digits below both bounds, and its power.

    Parameters
    ----------
    power : float
        Of T; that of the regret of the step ∝ 1/√t may not be larger.
    """
    found = recorded("theory")["step_rules"]
    T = np.array(found["steps"])
    lam, D, G = found["lam"], found["D"], found["G"]
    paid = np.array(found["D/(G sqrt t)"])
    late, regrets = _late_regrets()
    return [
        Comparison(paid, regret.sqrt_regret_bound(T, D / G, D, G)),
        Comparison(
            np.array(found["1/(lam t)"]),
            regret.pegasos_regret_bound(T, lam, found["R"], projected=True),
        ),
        Exponent(late, regrets, power, at_most=True),
    ]


def check_step_rules_as_log():
    """Item 20 with ln T where the truth is √T: must fail."""
    late, regrets = _late_regrets()
    return [Exponent(late, regrets / np.log(late), 0.0, at_most=True)]


def _false_plane(factor):
    """f(u) ≥ plane + factor λ‖u − w‖²: true up to a factor 1/2."""
    X, y = two_clouds()
    w = np.array([3.0, -2.0])
    others = w + np.outer(np.linspace(-0.1, 0.1, 9), [1.0, 1.0])
    plane = objective(w, X, y, 0.1) + (others - w) @ subgradient(w, X, y, 0.1)
    plane += factor * 0.1 * ((others - w) ** 2).sum(axis=1)
    return [Comparison(plane, objective(others, X, y, 0.1))]


def _false_optimum(factor):
    """Fermat's rule at factor · w*."""
    X, y = two_clouds()
    w = factor * optimum(X, y, 0.1).w
    return [Comparison(basics.smallest_subgradient(w, X, y, 0.1), 1e-4)]


STATEMENTS = [
    Statement(
        1,
        r"$f(u) \ge f(w) + \langle \nabla f(w), u - w \rangle$, at kinks "
        "too",
        f"{CHOR}, definition 2",
        "none",
        "holds",
        "regret",
        check_subgradients,
        {
            r"with $+ \lambda \lVert u - w \rVert^2$ on the right": (
                lambda: _false_plane(1.0)
            ),
            r"with $+ 0.6 \lambda \lVert u - w \rVert^2$": (
                lambda: _false_plane(0.6)
            ),
        },
    ),
    Statement(
        2,
        r"$0 \in \partial f(w^\star)$ at the certified optimum",
        f"{CHOR}, theorem 1",
        "$f$ convex",
        "holds",
        "regret",
        check_fermat,
        {
            r"at $1.01 \, w^\star$": lambda: _false_optimum(1.01),
            r"at $0.99 \, w^\star$": lambda: _false_optimum(0.99),
        },
    ),
    Statement(
        7,
        r"the size of $w^\star$; the least primal value is the largest dual "
        "value",
        f"{CHOR}, section 2.3",
        "none",
        "holds, corrected",
        "regret",
        check_duality,
        {
            "the dual with a plus, as printed": lambda: check_duality(
                sign=1.0
            ),
            r"$\lambda \lVert w \rVert^2$ for $\frac{\lambda}{2} "
            r"\lVert w \rVert^2$": lambda: check_duality(half=1.0),
        },
    ),
    Statement(
        20,
        r"SGD with a step $\propto 1/\sqrt t$ has regret $O(\sqrt T)$",
        f"{CHOR}, section 2.3",
        r"step $D/(G\sqrt t)$, bounded domain",
        "holds, corrected",
        "regret",
        check_step_rules,
        {
            r"$O(\ln T)$": check_step_rules_as_log,
            r"$O(T^{0.4})$": lambda: check_step_rules(0.4),
            r"$O(T^{0.45})$": lambda: check_step_rules(0.45),
        },
    ),
]
