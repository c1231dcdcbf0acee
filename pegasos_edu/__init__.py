"""pegasos_edu: linear SVMs by Pegasos, small enough to read."""

from importlib import import_module

from pegasos_edu.dense import pegasos
from pegasos_edu.losses import objective, subgradient
from pegasos_edu.optimum import optimum
from pegasos_edu.orders import draw_order

# Imported when first asked for: they bring large libraries with them.
LATER = {
    "PegasosClassifier": "pegasos_edu.estimator",
    "explore": "pegasos_edu.live.pegasos",
}

__all__ = [
    "draw_order", "objective", "optimum", "pegasos", "subgradient", *LATER,
]


def __getattr__(name):
    if name not in LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(LATER[name]), name)
