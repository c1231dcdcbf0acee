"""What the core of the package computes, to be compared between places.

It needs the package, NumPy and SciPy alone: a browser runs it, too.
"""

import pkgutil
from importlib import import_module

from pegasos_edu import minimise, optimum
from pegasos_edu.problem.data import digits_zero, noisy_halfspace
from pegasos_edu.problem.objective import objective, subgradient
from pegasos_edu.solvers import closed_form, dense, kernel, loop, sparse
from pegasos_edu.solvers.relatives import gradient_descent, sgd

ROOMS = ["problem", "solvers", "certificate", "theory", "coursework"]
LAM = 0.05


def modules():
    """Every module of the core, imported.

    Returns
    -------
    list of str
    """
    names = ["pegasos_edu.recorded", "pegasos_edu.live.toolkit.own_solver"]
    for room in ROOMS:
        package = import_module(f"pegasos_edu.{room}")
        found = pkgutil.walk_packages(package.__path__, package.__name__ + ".")
        names += [package.__name__, *(module.name for module in found)]
    for name in names:
        import_module(name)
    return names


def numbers():
    """What solvers and certificates give, as lists of numbers by name."""
    X, y = noisy_halfspace(40, d=3, seed=0)
    runs = {
        rung.__name__: rung.pegasos(X, y, LAM, 200, seed=1, k=2)
        for rung in (loop, dense, sparse, closed_form)
    }
    runs["sgd"] = sgd(X, y, LAM, 200, seed=1)
    runs["gradient_descent"] = gradient_descent(X, y, LAM, 50)
    found = {
        f"{name} {part}": getattr(run, part).tolist()
        for name, run in runs.items()
        for part in ("last", "average")
    }
    pixels, digit = digits_zero()
    w = minimise(X, y, LAM).w
    return {
        **found,
        "kernel": kernel.pegasos(X, y, LAM, 50, kernel=kernel.Rbf(1.0), seed=1)
        .scores(X)
        .tolist(),
        "minimise": w.tolist(),
        "hinge optimum": optimum(X, y, LAM).w.tolist(),
        "log optimum": optimum(X, y, LAM, "log").w.tolist(),
        "objective": [objective(w, X, y, LAM)],
        "subgradient": subgradient(w, X, y, LAM).tolist(),
        "digits": [*pixels.sum(axis=0).tolist(), digit.sum()],
    }
