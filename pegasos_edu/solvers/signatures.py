"""What the solvers are called with, for an editor and a type checker.

`@solver` makes the functions that are called; what they are called with
cannot be read off their source. It is written here, and a test holds it to
the arguments of `prepare`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypedDict, Unpack

from numpy.typing import ArrayLike

from pegasos_edu.solvers.run import Result

Step = Callable[[Any], Any]  # t -> η_t
Ball = Literal["l2", "l1", "simplex"]


class Solver(Protocol):
    """What every rung of the ladder is called with: see `prepare`.

    The arguments and what each is by default are those of `prepare`.
    """

    __name__: str

    def __call__(
        self,
        X: Any,
        y: ArrayLike,
        lam: float,
        T: int | None = None,
        *,
        order: ArrayLike | None = None,
        seed: int | None = None,
        k: int = 1,
        sampling: Literal["iid", "without", "epochs", "blocks"] = "iid",
        loss: Literal["hinge", "log"] = "hinge",
        step: Step | None = None,
        radius: float | None = None,
        average_from: int | None = 1,
        snapshots: Sequence[int] | ArrayLike = (),
        callback: Callable[[int, Any], Any] | None = None,
        progress: bool = False,
        start: ArrayLike | None = None,
    ) -> Result: ...


class Shared(TypedDict, total=False):
    """What a relative takes by name besides arguments of its own."""

    order: ArrayLike | None
    seed: int | None
    k: int
    sampling: Literal["iid", "without", "epochs", "blocks"]
    loss: Literal["hinge", "log"]
    step: Step | None
    radius: float | None
    average_from: int | None
    snapshots: Sequence[int] | ArrayLike
    callback: Callable[[int, Any], Any] | None
    progress: bool
    start: ArrayLike | None


class OnASet(Protocol):
    """What `relatives.sgd` is called with."""

    def __call__(
        self,
        X: Any,
        y: ArrayLike,
        lam: float,
        T: int | None = None,
        *,
        ball: Ball = "l2",
        **shared: Unpack[Shared],
    ) -> Result: ...


class Mirrored(Protocol):
    """What `relatives.mirror_descent` is called with."""

    def __call__(
        self,
        X: Any,
        y: ArrayLike,
        lam: float,
        T: int | None = None,
        *,
        mirror: Literal["euclidean", "entropy"] = "euclidean",
        lazy: bool = False,
        ball: Ball = "l2",
        **shared: Unpack[Shared],
    ) -> Result: ...


class Adaptive(Protocol):
    """What `relatives.adagrad` is called with."""

    def __call__(
        self,
        X: Any,
        y: ArrayLike,
        lam: float,
        T: int | None = None,
        *,
        ball: Ball = "l2",
        delta: float = 1e-8,
        **shared: Unpack[Shared],
    ) -> Result: ...
