"""What this book adds: the logarithm in the regret is paid."""

import numpy as np

from pegasos_edu.theory import basics, games, regret
from pegasos_edu.theory.compare import Comparison
from pegasos_edu.theory.ledger.data import cases, comparators
from pegasos_edu.theory.ledger.statement import BALL, Statement


def check_tightness():
    """Regret that reaches the sharper bound, whose log is the true one."""
    lam, T = 0.1, 2000
    W, X, y = games.play(games.alternate, lam, T)
    t = np.arange(1, T + 1)
    truth = regret.regret(W, np.zeros(1), X, y, lam, t - 1)
    found = [Comparison(truth, regret.sharp_regret_bound(t, lam, 1.0))]
    for case in cases():
        W = basics.played(*case)
        found.append(
            regret.check_regret(
                W,
                *case,
                comparators(W, *case),
                bound=regret.sharp_regret_bound,
            )
        )
    return found


STATEMENTS = [
    Statement(
        23,
        r"the logarithm is paid: the bound is reached at $T = 2$",
        "this book",
        BALL + ", no projection",
        "holds",
        "regret",
        check_tightness,
    ),
]
