"""Step-size rules: each is a function t -> η_t for t = 1, 2, …"""

from dataclasses import dataclass

import numpy as np

from pegasos_edu import checks


@dataclass(frozen=True)
class PegasosStep:
    """η_t = 1 / (λ(t + t₀)), the step of Pegasos for t₀ = 0.

    Parameters
    ----------
    lam : float
        The λ of the objective, above 0.
    t0 : float
        The head start t₀ ≥ 0: the first steps are those of a run that has
        already made t₀ steps. R²/λ, R the largest ‖x‖, is a good choice.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figure 1; t₀ as in Bottou's SGD.

    Examples
    --------
    >>> PegasosStep(lam=0.1)(t=5)
    2.0
    """

    lam: float
    t0: float = 0.0

    def __post_init__(self):
        checks.check_lam(self.lam)
        checks.check_positive("t0", self.t0, zero_allowed=True)

    def __call__(self, t):
        return 1.0 / (self.lam * (t + self.t0))


@dataclass(frozen=True)
class InverseSqrt:
    """η_t = scale / √t, the step for losses that are convex only.

    Parameters
    ----------
    scale : float
        Above 0; Zinkevich (2003) takes it proportional to the diameter of
        the domain over the bound G on the subgradients.

    Examples
    --------
    >>> print(InverseSqrt(scale=0.5)(t=4))
    0.25
    """

    scale: float = 1.0

    def __post_init__(self):
        checks.check_positive("scale", self.scale)

    def __call__(self, t):
        return self.scale / np.sqrt(t)


@dataclass(frozen=True)
class Constant:
    """η_t = η, the same at every step.

    Examples
    --------
    >>> Constant(eta=0.1)(t=7)
    0.1
    """

    eta: float

    def __post_init__(self):
        checks.check_positive("eta", self.eta)

    def __call__(self, t):
        return self.eta
