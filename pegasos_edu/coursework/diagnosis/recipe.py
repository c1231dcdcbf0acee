"""A solver put together from its parts, and the right one of each task."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from pegasos_edu.coursework.diagnosis.parts import PARTS, take, to_ball


@dataclass(frozen=True)
class Recipe:
    """One choice for each part of a solver; see `parts`."""

    data: Callable
    values: tuple[Callable, Callable]
    whose: Callable
    rows: Callable
    count: Callable
    eta: Callable
    shrink: Callable
    when: Callable
    mean: Callable
    add: Callable
    score: Callable
    pull: Callable
    label: Callable
    project: Callable
    bias: Callable | None
    start: Callable
    returns: Callable


def right(loss, returns):
    """The recipe of a task: its loss and what it returns, by name."""
    wanted = {"pull": loss, "returns": returns}
    return Recipe(
        **{
            part: dict(choices[::-1])[wanted.get(part, "")]
            for part, choices in PARTS.items()
        }
    )


RIGHT = {
    "A1.pegasos": right("hinge-still-inside", "last-for-average"),
    "A2.pegasos": right("log-loss-unasked", "last-for-average"),
    "A3.pegasos": right("hinge-still-inside", "last-for-average"),
    "A3.average": right("hinge-still-inside", "returns-the-average"),
}


# The stretch track's, and what can go wrong with its projection: (w, lam).
PROJECTED = replace(
    RIGHT["A1.pegasos"], project=lambda w, lam: w * to_ball(w, lam, min)
)
OF_A_BALL = [
    ("no-projection", lambda w, lam: w),
    ("projection-inverted", lambda w, lam: w * to_ball(w, lam, max)),
    ("always-brought-to-the-edge", lambda w, lam: w * to_ball(w, lam, take)),
    ("ball-of-another-radius", lambda w, lam: w * to_ball(w, 1, min)),
    ("ball-of-another-radius", lambda w, lam: w * to_ball(w, lam**2, min)),
    ("ball-of-another-radius", lambda w, lam: w * to_ball(w, 1 / lam, min)),
    ("ball-of-another-radius", lambda w, lam: w * to_ball(w, lam / 2, min)),
    ("ball-of-another-radius", lambda w, lam: w * to_ball(w, 2 * lam, min)),
    *[
        (
            "inside-by-another-number",
            lambda w, lam, is_inside=is_inside: (
                w if is_inside(w @ w, lam) else w * to_ball(w, lam, take)
            ),
        )
        for is_inside in (
            lambda square, lam: square <= lam**-0.5,
            lambda square, lam: square**0.5 <= 1 / lam,
            lambda square, lam: square <= 1.0,
        )
    ],
    (
        "entries-cut-off-one-by-one",
        lambda w, lam: np.clip(w, -1 / np.sqrt(lam), 1 / np.sqrt(lam)),
    ),
    ("divided-by-the-length", lambda w, lam: w * to_ball(w, 1, take)),
]


def run(recipe, X, y, lam, order):
    """What a solver made by this recipe returns."""
    X = X.toarray() if sp.issparse(X) else X
    X, y = recipe.data(X, y)
    scored, added = (read(X) for read in recipe.values)
    n, T = len(y), len(order)
    w, b, hits = recipe.start(X.shape[1]), 0.0, 0
    W = [w]
    for s, rows in enumerate(recipe.rows(order, n), start=1):
        t = recipe.count(s, n, T, hits, s - 1 - hits)
        eta = recipe.eta(lam, t, n)
        shrink = recipe.shrink(eta, lam, t, n)
        labels = [y[recipe.whose(i, s, order, n)] for i in rows]
        pulls = [
            recipe.pull(
                label * recipe.score(scored[i] @ w + b, shrink, lam, t), label
            )
            for i, label in zip(rows, labels)
        ]
        add = recipe.add(eta, lam, t, n, shrink) / recipe.mean(pulls)
        hit = any(pulls)
        w = recipe.when(hit, X[rows[0]], w, shrink)
        b = b if recipe.bias is None else recipe.bias(shrink) * b
        for i, label, pull in zip(rows, labels, pulls):
            change = add * pull * recipe.label(label)
            w = w + change * added[i]
            b = b if recipe.bias is None else b + change
        w = recipe.project(w, lam)
        W.append(w)
        hits += hit
    return recipe.returns(W, lam, n)
