"""pegasos_edu: linear SVMs by Pegasos, small enough to read."""

from pegasos_edu.dense import pegasos
from pegasos_edu.losses import objective, subgradient
from pegasos_edu.optimum import optimum
from pegasos_edu.orders import draw_order

__all__ = ["draw_order", "objective", "optimum", "pegasos", "subgradient"]
