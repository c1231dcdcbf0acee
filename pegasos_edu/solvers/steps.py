"""Step-size rules: each is a function t -> η_t for t = 1, 2, …"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pegasos_edu.problem import checks


@dataclass(frozen=True)
class PegasosStep:
    """η_t = 1 / (λ(t + t₀)), the step of Pegasos for t₀ = 0.

    Parameters
    ----------
    lam : float
        The λ of the objective, above 0.
    t0 : float
        The head start t₀ ≥ 0: the first steps are those of a run that has
        already made t₀ steps. The recipe of the book's chapter `racing`
        takes R²/λ, R being the largest ‖x‖.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figure 1; t₀ as in Bottou's SGD. Like all
    rules, it trusts t, a number or an array of at least 1: it comes in
    every step, and from a solver.

    Examples
    --------
    >>> PegasosStep(lam=0.1)(t=5)
    2.0
    """

    lam: float
    t0: float = 0.0

    def __post_init__(self):
        t0 = checks.check_positive("t0", self.t0, zero_allowed=True)
        object.__setattr__(self, "lam", checks.check_lam(self.lam))
        object.__setattr__(self, "t0", t0)

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
        scale = checks.check_positive("scale", self.scale)
        object.__setattr__(self, "scale", scale)

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
        eta = checks.check_positive("eta", self.eta)
        object.__setattr__(self, "eta", eta)

    def __call__(self, t):
        return self.eta


@dataclass(frozen=True)
class Checked:
    """A rule of the user's own: what it returns is checked at each step.

    Examples
    --------
    >>> Checked(lambda t: 2.0 / t)(t=4)
    0.5
    """

    rule: Callable

    def __call__(self, t):
        return checks.check_positive(
            f"step({t})", self.rule(t), zero_allowed=True
        )


def as_step(step, lam):
    """The rule that a solver's argument `step` stands for.

    Examples
    --------
    >>> as_step(None, lam=0.5)
    PegasosStep(lam=0.5, t0=0.0)
    """
    if step is None:
        return PegasosStep(lam)
    if isinstance(step, (PegasosStep, InverseSqrt, Constant)):
        return step
    expected = "a function t -> step size, of one argument"
    return Checked(checks.check_takes("step", step, expected))
