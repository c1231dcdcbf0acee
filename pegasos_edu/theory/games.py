"""The online game: adversaries that choose the examples, and worst cases.

In round t the player names w_t, then an adversary names an example, and
the player pays f_t(w_t) = λ/2 ‖w_t‖² + hinge. Nothing need be random.
"""

import numpy as np

from pegasos_edu.problem import checks
from pegasos_edu.solvers.projections import project_l2
from pegasos_edu.theory.quantities import in_range


def alternate(t, w):
    """The example x = e₁ with labels +1, −1, +1, …

    Examples
    --------
    >>> alternate(2, np.zeros(1))
    (array([1.]), -1.0)
    """
    return _first_axis(len(w)), 1.0 if t % 2 == 1 else -1.0


def contrary(t, w):
    """x = e₁ with the label the player has just bet against.

    Examples
    --------
    >>> contrary(5, np.array([0.3]))
    (array([1.]), -1.0)
    """
    return _first_axis(len(w)), -1.0 if w[0] > 0.0 else 1.0


def repeat(t, w):
    """The same example x = e₁, y = +1 in every round.

    Examples
    --------
    >>> repeat(5, np.array([0.3]))
    (array([1.]), 1.0)
    """
    return _first_axis(len(w)), 1.0


def turncoat(t, w):
    """x = e₁ with a label that flips when t doubles: 1, 2-3, 4-7, …

    Examples
    --------
    >>> [turncoat(t, np.zeros(1))[1] for t in (1, 2, 3, 4)]
    [1.0, -1.0, -1.0, 1.0]
    """
    return _first_axis(len(w)), 1.0 if t.bit_length() % 2 == 1 else -1.0


def hardest(X, y):
    """The adversary that picks from the data what w likes least.

    Examples
    --------
    >>> X, y = np.array([[2.0], [-1.0]]), np.array([1.0, -1.0])
    >>> hardest(X, y)(1, np.array([-1.0]))
    (array([2.]), np.float64(1.0))
    """

    def choose(t, w):
        i = int(np.argmin(y * (X @ w)))
        return X[i], y[i]

    return choose


def _first_axis(d):
    return np.eye(d)[0]


ADVERSARIES = {
    "alternate": alternate,
    "contrary": contrary,
    "repeat": repeat,
    "turncoat": turncoat,
}


@in_range
def from_the_edge(R, T):
    """The alternating game with λ = R², begun at the edge of the ball.

    The player starts at −1/√λ and is told so: the first example, x = R and
    y = +1, sends it to the other edge, the second back to the middle. In
    both rounds the gradient is as long as it can be, √λ + R.

    Parameters
    ----------
    R : float
    T : int
        Rounds.

    Returns
    -------
    W, X, y
        See `play`.

    Examples
    --------
    >>> W, X, y = from_the_edge(1.0, 3)
    >>> W.ravel().tolist(), y.tolist()
    ([-1.0, 1.0, 0.0], [1.0, -1.0, 1.0])
    """
    lam, radius = R**2, 1.0 / R
    w, W = -radius * np.ones(1), np.empty((T, 1))
    X, y = R * np.ones((T, 1)), np.where(np.arange(T) % 2 == 0, 1.0, -1.0)
    for t in range(1, T + 1):
        W[t - 1] = w
        gradient = lam * w
        if y[t - 1] * (X[t - 1] @ w) < 1.0:
            gradient = gradient - y[t - 1] * X[t - 1]
        w = project_l2(w - gradient / (lam * t), radius)
    return W, X, y


def play(adversary, lam, T, d=1, radius=None):
    """Let Pegasos play T rounds against an adversary.

    Parameters
    ----------
    adversary : callable
        (t, w_t) -> (x, y); it sees what the player has chosen.
    lam : float
        The regularisation strength λ > 0.
    T, d : int
        Rounds and dimension.
    radius : float, optional
        Project on this ball after every step.

    Returns
    -------
    W : ndarray of shape (T, d)
        The iterates w_1, …, w_T that were played.
    X : ndarray of shape (T, d)
    y : ndarray of shape (T,)
        The examples, in the order of the rounds.

    Raises
    ------
    ValueError, TypeError
        If an argument is not as described.

    Examples
    --------
    >>> W, X, y = play(alternate, lam=0.5, T=4)
    >>> W.ravel().round(3).tolist(), y.tolist()
    ([0.0, 2.0, 0.0, 0.667], [1.0, -1.0, 1.0, -1.0])
    """
    lam = checks.check_lam(lam)
    T = checks.check_integer("T", T, 1)
    d = checks.check_integer("d", d, 1)
    w, rounds = np.zeros(d), []
    for t in range(1, T + 1):
        x, label = adversary(t, w)
        rounds.append((w, x, label))
        v = label * x if label * (x @ w) < 1.0 else np.zeros(d)
        w = (1.0 - 1.0 / t) * w + v / (lam * t)
        if radius is not None:
            w = project_l2(w, radius)
    W, X, y = zip(*rounds)
    return np.array(W), np.array(X), np.array(y)


@in_range
def play_parabolas(lam, T, G=1.0):
    """The worst case of lemma 1: parabolas whose slope at w_t is ±G.

    The adversary answers w_t with f_t(u) = λ/2 (u − z_t)², z_t = w_t ∓ G/λ,
    so every subgradient has the largest length allowed, in one dimension.

    Parameters
    ----------
    lam, G : float
    T : int

    Returns
    -------
    w, z : ndarray of shape (T,)

    Notes
    -----
    The regret of lemma 1 is then exactly G²/(2λ) Σ 1/t.

    Examples
    --------
    >>> w, z = play_parabolas(lam=0.5, T=2)
    >>> (0.5 * (w - z)).tolist()
    [-1.0, 1.0]
    """
    sign = np.where(np.arange(T) % 2 == 0, 1.0, -1.0)
    steps = sign * G / (lam * np.arange(1, T + 1))
    w = np.concatenate([[0.0], np.cumsum(steps)[:-1]])
    return w, w + sign * G / lam
