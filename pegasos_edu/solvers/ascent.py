"""Dual ascent in rounds: no step size, and every answer with its proof.

The value of the dual,

    D(α) = (1/n) Σ −ℓ*(−α_i) − λ/2 ‖w(α)‖²,

is a lower bound on every f(w), so the way up comes with its certificate.

Where λn is small beside ‖x‖², a step of `dual` moves w by far too much: what
one example gains, the next takes back. Then `ascend` adds to f a *pull*
κ/2 ‖w − c‖² towards the place c that the last round has led to. In the dual
this changes nothing but w(α):

    w = (g + κc) / (λ + κ),    g = λ w(α) = (1/n) Σ α_i y_i x_i,

and the steps are as tame as if λ were λ + κ. Where w = c the pull is 0: so
f keeps its minimum, whatever κ is, and D(α) is a bound all the way.

The chapter on racing measures what the pull is worth: on its digits most of
what `ascend` saves beside plain passes, it saves without the pull. Examples
that are nearly at right angles to each other need none: what one gains, no
other takes back, and the pull would only have to fade away.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES, hinge, is_log, log_loss
from pegasos_edu.problem.objective import relative_gap
from pegasos_edu.solvers import dual
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.orders import fill_with_blocks
from pegasos_edu.solvers.sparse import as_rows, dot

# What is left of the pull after a round that did its part.
KEPT = 0.8
# So many rounds visit all examples and none again: α is far from settled, and
# what is free now will not be.
FIRST = 2
# In its second half a round visits a free example at most so many times.
VISITS = 20
# So many examples are looked at together, where a sum over all would need
# several arrays as long as α.
AT_ONCE = 2**12
# So many examples show whether all are at right angles to each other; sparse
# ones, each with each, in about so many multiplications, or the least number.
FEW, LEAST, PRODUCTS = 64, 12, 300_000


@dataclass(frozen=True)
class Round:
    """Where the ascent is after a round.

    Attributes
    ----------
    w : ndarray of shape (d,), or (d + 1,) with a constant
        The best w so far.
    alpha : ndarray of shape (n,)
        The best dual point so far; without `keep` the present one. The next
        round changes it in place.
    primal, dual : float
        f(w), and the highest D(α) so far. D(0) = 0 is known before the first
        round.
    passes : float
        How often an example has been visited so far, on average.
    """

    w: np.ndarray
    alpha: np.ndarray
    primal: float
    dual: float
    passes: float

    @property
    def gap(self) -> float:
        """(primal − dual)/primal, at least (f(w) − f*)/f(w); at most 1."""
        return relative_gap(self.primal, self.dual)


def ascend(
    X: Any,
    y: NDArray,
    lam: float,
    loss: Literal["hinge", "log"] = "hinge",
    *,
    weights: NDArray | None = None,
    constant: float = 0.0,
    seed: int = 0,
    pull: bool = True,
    keep: bool = True,
) -> Iterator[Round]:
    """Minimise f by dual ascent, for as many rounds as one asks for.

    A round visits all examples once, in blocks, and then, from the third
    round on, the free ones, those with 0 < α_i < s_i, several times. The
    mean of the w of its last half is its answer. The pull is at first what a
    step on a typical example needs to move its margin by 1 at most; 0 where
    that needs none. It gets weaker when a round has done its part: when the
    duality gap of the problem *with* the pull is at most half of the gap of
    f.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
    y : ndarray of shape (n,), −1.0 or +1.0
        X and y are read as they are: neither copied nor checked.
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ.
    weights : ndarray of shape (n,), optional
        s_i ≥ 0: f is λ/2 ‖w‖² + (1/n) Σ s_i ℓ(y_i⟨w, x_i⟩), 0 ≤ α_i ≤ s_i.
    constant : float
        If not 0, this number is a last feature of every example.
    seed : int
        What the orders are drawn from.
    pull : bool
        False leaves out the pull, and nothing else: to see what it does.
        Examples that are nearly at right angles have none anyway.
    keep : bool
        Whether the α of the highest D(α) is kept, in n more numbers. Far from
        the optimum D may fall from one round to the next.

    Yields
    ------
    Round

    Raises
    ------
    ValueError
        If lam or loss is not as described, or the squares of X overflow.

    Notes
    -----
    The steps: Shalev-Shwartz and Zhang (2013); for the log loss Yu, Huang
    and Lin (2011). The pull is Rockafellar's proximal point method (1976);
    with these steps inside: Shalev-Shwartz and Zhang (2014).

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> for now in ascend(X, y, lam=0.1):
    ...     if now.gap <= 0.01:
    ...         break
    >>> print(now.w.round(6))
    [1.]
    """
    lam = checks.check_lam(lam)
    checks.check_choice("loss", loss, LOSSES)
    n, d = X.shape
    log, numbers = is_log(loss), np.int32 if n < 2**31 else np.int64
    advance, convert = fastest(dual.advance)
    rows = as_rows(X, convert, constant)
    labels = convert(y.astype(np.int8, copy=False))
    centre = g = best = np.zeros(d + (constant != 0.0))
    alpha = np.zeros(n)
    highest, kept = 0.0, np.zeros(n) if keep else alpha
    with np.errstate(over="ignore"):
        lengths = fastest(sum_of_squares)[0](rows, n, weights)
    if not np.isfinite(lengths):
        checks.refuse("the squares of X overflow", "smaller data")
    passes, least, rng = 0.0, np.inf, np.random.default_rng(seed)
    # One step from 0 to 1 moves a typical margin by ‖x‖²/((λ + κ)n) = 1.
    pull = pull and not at_right_angles(X)
    kappa = max(0.0, lengths / n**2 - lam) if pull else 0.0

    def visit(order, mean):
        """Up to n steps on these examples: the mean w, and how many passes.

        Without examples the mean is what it was.
        """
        if len(order) == 0:
            return mean, 0.0
        times, q = min(VISITS, n // len(order)), np.zeros_like(w)
        visits = np.tile(order, times) if times > 1 else order
        advance(
            rows,
            labels,
            convert(visits),
            strength * n,
            None,
            w,
            alpha,
            weights,
            log,
            q,
        )
        q /= -len(visits)  # in place, as all d numbers are
        q += w
        return q, len(visits) / n

    for r in count():
        strength = lam + kappa
        w = (g + kappa * centre) / strength
        mean, once = visit(_all(n, numbers, rng), w)
        passes += once
        if r >= FIRST:
            mean, more = visit(_free(alpha, weights, numbers, rng), mean)
            passes += more
        g = strength * w - kappa * centre
        f = 0.5 * lam * _inner(mean, mean)
        f += fastest(total_loss)[0](rows, labels, weights, log, mean) / n
        if f <= least:
            best, least = mean, f
        payments = _payments(alpha, weights, loss)
        bound = payments - _inner(g, g) / (2.0 * lam)
        if bound >= highest:
            highest = bound
            kept[:] = alpha
        yield Round(best, kept, least, highest, passes)
        # The gap of the problem with the pull: κ/2 ‖c‖² cancels in it.
        missing = f + kappa * _inner(0.5 * mean - centre, mean)
        missing -= payments - 0.5 * strength * _inner(w, w)
        if missing <= 0.5 * (least - bound):
            kappa *= KEPT
        centre = w


def at_right_angles(X: Any) -> bool:
    """Whether each example is nearly at right angles to most others.

    Then ⟨x_i, x_j⟩², added up over all j ≠ i, is less than ‖x_i‖⁴ on
    average. A few examples show it, which stand in X at equal distances.

    Parameters
    ----------
    X : ndarray or CSR matrix of shape (n, d)
        With more examples than columns they cannot be.

    Examples
    --------
    >>> at_right_angles(np.eye(9)), at_right_angles(np.ones((9, 9)))
    (True, False)
    """
    n, d = X.shape
    if not 2 <= n <= d:
        return False
    most = FEW
    if sp.issparse(X) and X.nnz:
        most = int(np.clip(np.sqrt(PRODUCTS * n / X.nnz), LEAST, FEW))
    few = X[np.linspace(0, n - 1, min(n, most)).astype(int)]
    with np.errstate(over="ignore", invalid="ignore"):
        products = few @ few.T
        if sp.issparse(products):
            products = products.toarray()
        squares = np.square(products, dtype=np.float64)
        alone = squares.trace()
        others = squares.sum() - alone
        return bool(others * (n - 1) < alone * (len(squares) - 1))


def _inner(a, b):
    """⟨a, b⟩ on one thread; for 10,000 numbers `@` wakes another one."""
    return float(np.einsum("i,i", a, b))


def _all(n, numbers, rng):
    """All row numbers, in blocks."""
    order = np.empty(n, numbers)
    fill_with_blocks(rng, order)
    return order


def _free(alpha, weights, numbers, rng):
    """The row numbers of the free examples, in random order."""
    inside = ((a > 0.0) & (a < most) for _, a, most in _pieces(alpha, weights))
    free = np.empty(sum(map(np.count_nonzero, inside)), numbers)
    filled = 0
    for start, a, most in _pieces(alpha, weights):
        few = np.flatnonzero((a > 0.0) & (a < most))
        free[filled : filled + len(few)] = start + few
        filled += len(few)
    rng.shuffle(free)
    return free


def _pieces(alpha, weights):
    """Triples: where a piece of α starts, the piece, and its s_i."""
    for start in range(0, len(alpha), AT_ONCE):
        piece = slice(start, start + AT_ONCE)
        yield start, alpha[piece], 1.0 if weights is None else weights[piece]


def _payments(alpha, weights, loss):
    """(1/n) Σ −s_i ℓ*(−α_i/s_i), the linear part of the dual."""
    total, dual_of = 0.0, LOSSES[loss].dual
    for _, a, most in _pieces(alpha, weights):
        share = np.divide(a, most, out=np.zeros_like(a), where=most > 0.0)
        total += float((most * dual_of(share)).sum())
    return total / len(alpha)


def sum_of_squares(rows, n, weights):
    """Σ s_i ‖x_i‖²."""
    total = 0.0
    for i in range(n):
        count = 1.0 if weights is None else weights[i]
        total += count * dual.square(rows, i)
    return total


def total_loss(rows, y, weights, log, w):
    """Σ s_i ℓ(y_i⟨w, x_i⟩), with no copy of anything."""
    total = 0.0
    for i in range(len(y)):
        margin = y[i] * dot(w, rows, i)
        loss = log_loss(margin) if log else hinge(margin)
        total += loss if weights is None else weights[i] * loss
    return total
