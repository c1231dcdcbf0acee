"""What the checks of the ledger run on: data sets, orders, points."""

import math

import numpy as np

from pegasos_edu.certificate.optimum import optimum
from pegasos_edu.problem.data import digits_zero, two_clouds
from pegasos_edu.solvers.orders import draw_order

SEEDS = (0, 1, 2)


def data_sets():
    """Pairs (X, y) that the checks run on: clouds, digits, a fair coin.

    Examples
    --------
    >>> [X.shape for X, y in data_sets()]
    [(60, 2), (100, 64), (2, 1)]
    """
    X, y = digits_zero()
    return [two_clouds(), (X[:100], y[:100]), fair_coin()]


def fair_coin():
    """x = 1 with label +1 or −1: the smallest population with a dispute.

    Examples
    --------
    >>> fair_coin()[1]
    array([ 1., -1.])
    """
    return np.ones((2, 1)), np.array([1.0, -1.0])


def cases(T=200, lams=(0.01, 0.1, 2.0), ties=True):
    """All data sets with all λ and seeds: X, y, lam, order.

    Without `ties` the coin is left out: it makes margins that are exactly
    1, and two programs may round them to different sides.
    """
    for X, y in data_sets() if ties else data_sets()[:2]:
        for lam in lams:
            for seed in SEEDS:
                yield X, y, lam, draw_order(len(y), T, seed=seed)


def comparators(W, X, y, lam, order):
    """w*, 0, the average, the last iterate and five random points."""
    rng = np.random.default_rng(0)
    radius = 1.0 / math.sqrt(lam)
    points = [optimum(X, y, lam).w, np.zeros(W.shape[1]), W.mean(axis=0)]
    points += [W[-1], *rng.standard_normal((5, W.shape[1]))]
    # Inside the ball, so that they may be used with projection as well.
    norms = [max(1.0, float(np.linalg.norm(u)) / radius) for u in points]
    return [u / norm for u, norm in zip(points, norms)]
