"""What a task asks for, in the public edition and in a variant.

A variant has a seed for its data and its order, and asks for something else:
another step, mini-batches, another average, a steeper loss. What can be asked
stands in the table `CHOICES`. The right answer to a variant is computed by the
package's solvers.
"""

import base64
import hashlib
import json
import math
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Literal

import numpy as np
import scipy.sparse as sp

from pegasos_edu.problem import losses
from pegasos_edu.problem.checks import (
    check_choice,
    check_flag,
    check_integer,
)
from pegasos_edu.solvers import dense, sparse
from pegasos_edu.solvers.steps import PegasosStep

# What may be returned, and what is said of it; w_1, …, w_T are averaged.
RETURNS = {
    "last": "w after the last step is returned",
    "average": "the average of w_1, …, w_T is returned",
    "half": "the average of the last half, of the w_t with t > T // 2, is "
    "returned",
    "weighted": "the average of w_1, …, w_T with the weights 1, …, T is "
    "returned",
}
AVERAGES = ("average", "half", "weighted")

# What each assignment may ask of a student. None of it is what the public
# edition asks, so that the public solutions answer no variant, and all
# choices of a line are about the same work.
CHOICES = {
    "A1": {"t0": range(1, 10), "k": range(2, 6), "returns": AVERAGES},
    "A2": {"t0": range(1, 10), "steepness": range(2, 6)},
    "A3": {"t0": range(1, 10), "returns": AVERAGES},
    "A4": {
        "per_round": (True,),
        "loss": ("hinge", "log"),
        "projected": (False, True),
        "skip": (1, 2),
    },
}


@dataclass(frozen=True)
class Variant:
    """One variant of an assignment; without arguments, the public edition.

    Attributes
    ----------
    seed : int
        The seed of the data and of the order, at least 0.
    t0 : int
        The step is 1/(λ(t + t₀)).
    k : int
        The number of rows in a mini-batch; above 1, `order` has the shape
        (T, k).
    returns : {"last", "average", "half", "weighted"} or None
        What a solver returns; None: what the public edition asks for.
    steepness : int
        The s in the loss ln(1 + e^(−s·m)).
    loss : {"hinge", "log"}
        The loss in the rounds of a game.
    projected : bool
        Whether a game is played in the ball of radius 1/√λ.
    per_round : bool
        Whether the mean regret a round is asked for, not the total.
    skip : int
        How many of the first points of a curve are left out.

    Examples
    --------
    >>> Variant(seed=7, t0=3, returns="half")
    Variant(seed=7, t0=3, returns='half')
    """

    seed: int = 0
    t0: int = 0
    k: int = 1
    returns: str | None = None
    steepness: int = 1
    loss: Literal["hinge", "log"] = "hinge"
    projected: bool = False
    per_round: bool = False
    skip: int = 0

    def __post_init__(self):
        for name, least in WHOLE.items():
            check_integer(name, getattr(self, name), least)
        for name in ("projected", "per_round"):
            check_flag(name, getattr(self, name))
        check_choice("loss", self.loss, losses.LOSSES)
        if self.returns is not None:
            check_choice("returns", self.returns, RETURNS)

    def __repr__(self):
        said = [f"{name}={value!r}" for name, value in self.asks().items()]
        return f"Variant({', '.join([f'seed={self.seed}', *said])})"

    def asks(self):
        """What differs from the public edition, by name.

        Returns
        -------
        dict
        """
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name != "seed"
            and getattr(self, field.name) != field.default
        }

    def with_seed(self, seed):
        """The same questions on other data and another order.

        Parameters
        ----------
        seed : int
            At least 0.

        Returns
        -------
        Variant

        Examples
        --------
        >>> Variant(seed=7, t0=3).with_seed(8)
        Variant(seed=8, t0=3)
        """
        return replace(self, seed=seed)


class Sealed:
    """A variant by a code that does not say what it asks.

    It stands in a notebook that is handed out, so that an answer cannot read
    from it what to do. It is no secret: who takes this module apart can open
    it.

    Parameters
    ----------
    code : str
        As `seal` makes it.

    Raises
    ------
    ValueError
        If it is none.
    """

    __slots__ = ("code",)

    def __init__(self, code):
        opened(code)
        self.code = code

    def __repr__(self):
        return f"variant({self.code!r})"

    def __eq__(self, other):
        return isinstance(other, Sealed) and opened(self.code) == opened(
            other.code
        )

    def __hash__(self):
        return hash(opened(self.code))

    def with_seed(self, seed):
        """The same questions on other data and another order."""
        return Sealed(seal(opened(self.code).with_seed(seed)))


def seal(variant):
    """The code of a variant.

    Examples
    --------
    >>> opened(seal(Variant(seed=7, t0=3)))
    Variant(seed=7, t0=3)
    """
    fields = {"seed": variant.seed, **variant.asks()}
    return base64.urlsafe_b64encode(
        masked(json.dumps(fields).ljust(LONGEST).encode())
    ).decode()


def opened(code):
    """The variant that a code stands for."""
    try:
        raw = masked(base64.urlsafe_b64decode(code.encode()))
        return Variant(**json.loads(raw))
    except (ValueError, TypeError, AttributeError):
        raise ValueError(
            f"the code of a variant is {code!r}; expected the one in your "
            f"notebook, as it is."
        ) from None


LONGEST = 90  # characters of a variant: the length of a code tells nothing


def masked(raw):
    """Some bytes, made unreadable, or readable again."""
    mask = b"".join(
        hashlib.sha256(b"%d" % block).digest()
        for block in range(1 + len(raw) // 32)
    )
    return bytes(a ^ b for a, b in zip(raw, mask))


# The fields that are whole numbers, and the least of each.
WHOLE = {"seed": 0, "t0": 0, "k": 1, "steepness": 1, "skip": 0}


def as_variant(variant: "int | Variant | Sealed") -> Variant:
    """A variant, of which a seed alone stands for the public questions.

    Examples
    --------
    >>> as_variant(3)
    Variant(seed=3)
    """
    if isinstance(variant, Variant):
        return variant
    if isinstance(variant, Sealed):
        return opened(variant.code)
    return Variant(seed=check_integer("variant", variant, 0))


def number_of_variants(assignment):
    """How many different things an assignment can ask for.

    Examples
    --------
    >>> number_of_variants("A1")
    108
    """
    return math.prod(len(each) for each in CHOICES[assignment].values())


def numbered(assignment, number, seed):
    """The variant of an assignment with this number.

    Parameters
    ----------
    assignment : str
        Such as "A1".
    number : int
        Any; it is taken modulo the number of variants.
    seed : int

    Returns
    -------
    Variant

    Examples
    --------
    >>> numbered("A3", 4, seed=7)
    Variant(seed=7, t0=2, returns='half')
    """
    choices = CHOICES[assignment]
    chosen = {}
    for name, values in reversed(choices.items()):
        number, place = divmod(number, len(values))
        chosen[name] = values[place]
    return Variant(seed=seed, **chosen)


def sentence(asked):
    """What is asked, in words.

    Parameters
    ----------
    asked : dict
        Of the fields of a `Variant`.

    Returns
    -------
    str

    Examples
    --------
    >>> sentence({"t0": 3, "k": 2})
    'the step is 1/(λ(t + 3)); each row of `order` names 2 rows of X'
    """
    return "; ".join(WORDS[name](value) for name, value in asked.items())


def plus(t0):
    """1/(λt), with a head start if there is one."""
    return f"1/(λ(t + {t0}))" if t0 else "1/(λt)"


WORDS = {
    "t0": lambda t0: f"the step is {plus(t0)}",
    "k": lambda k: (
        f"each row of `order` names {k} rows of X"
        if k > 1
        else "each entry of `order` names one row of X"
    ),
    "returns": RETURNS.__getitem__,
    "steepness": lambda s: f"the loss is ln(1 + e^(−{s if s > 1 else ''}m))",
    "loss": lambda loss: f"a round costs λ/2 ‖w‖² and the {loss} loss",
    "projected": lambda yes: (
        "w is kept in the ball of radius 1/√λ" if yes else "w is free"
    ),
    "per_round": lambda yes: (
        "the mean of the rounds is asked for"
        if yes
        else "the sum of the rounds is asked for"
    ),
    "skip": lambda skip: (
        f"the first {skip} points are left out"
        if skip > 1
        else f"{'the first' if skip else 'no'} point is left out"
    ),
}


def others(assignment, asked):
    """Everything else that could be asked, what differs least first.

    Parameters
    ----------
    assignment : str
        Such as "A1".
    asked : dict
        What is asked, of those fields alone that concern a task.

    Returns
    -------
    list of dict
    """
    public = {field.name: field.default for field in fields(Variant)}
    public["returns"] = "average" if assignment == "A3" else "last"
    values = [
        [public[name], *CHOICES[assignment].get(name, ())] for name in asked
    ]
    found = [dict(zip(asked, each)) for each in product(*values)]
    unlike = [one for one in found if one != asked]
    return sorted(unlike, key=lambda one: len(one.items() - asked.items()))


# The right answers


def solve(X, y, lam, order, *, t0=0, k=1, returns="last", steepness=0):
    """What a solver that does as asked returns, by the package's solvers.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    y : ndarray of shape (n,)
    lam : float
    order : ndarray of shape (T,) or (T, k)
    t0, k, returns
        As in `Variant`.
    steepness : int
        0 for the hinge loss.

    Returns
    -------
    ndarray of shape (d,)

    Examples
    --------
    >>> X, y = np.array([[1.0], [2.0]]), np.array([1.0, -1.0])
    >>> solve(X, y, 0.5, np.array([0, 1]), t0=3)
    array([-0.4])
    """
    T = len(order)
    solver = sparse.pegasos if sp.issparse(X) else dense.pegasos
    run = solver(
        # ln(1 + e^(−s·m)) is the log loss on rows s times as long.
        X * steepness if steepness else X,
        y,
        lam,
        order=order,
        k=k,
        loss="log" if steepness else "hinge",
        step=PegasosStep(lam, t0),
        average_from=T // 2 + 1 if returns == "half" else 1,
        snapshots=range(1, T + 1) if returns == "weighted" else (),
    )
    if returns == "last":
        return run.last
    if returns != "weighted":
        return run.average
    return averaged([np.zeros(X.shape[1]), *run.iterates[:-1]], returns)


def averaged(W, returns):
    """The average of the iterates w_1, …, w_T that is asked for.

    Examples
    --------
    >>> print(averaged([[1.0], [4.0]], "weighted"))
    [3.]
    """
    if returns == "weighted":
        return np.average(W, axis=0, weights=np.arange(1, len(W) + 1))
    return np.mean(W[len(W) // 2 :] if returns == "half" else W, axis=0)
