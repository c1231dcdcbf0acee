"""Pegasos as a scikit-learn estimator.

Nothing of an algorithm is written here: a fit is a call of
`certificate.approach`, or some passes of the steps of
`pegasos_edu.solvers.closed_form`; both compiled where numba is installed.
"""

import warnings
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import ArrayLike, NDArray
from scipy.special import log_expit, logsumexp
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.metaestimators import available_if
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from pegasos_edu.certificate.approach import approach, one_thread
from pegasos_edu.certificate.gap import check_tol
from pegasos_edu.problem import checks
from pegasos_edu.problem.losses import LOSSES, is_log
from pegasos_edu.problem.products import product
from pegasos_edu.solvers import closed_form
from pegasos_edu.solvers.ascent import total_loss
from pegasos_edu.solvers.compiled import fastest
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.sparse import as_rows

FLOATS = [np.float64, np.float32]


@dataclass
class Problem:
    """Training data as the solvers need them; X itself is never copied."""

    X: np.ndarray  # (n, d), dense or CSR
    constant: float  # the constant feature; 0.0 if there is none
    y: np.ndarray  # (n,), the labels
    positive: np.ndarray  # (1 or n_classes,), each against the rest
    weights: np.ndarray | None  # (n,), what the loss of each example counts

    def signs(self, label):
        """−1 or +1 for each example, a byte each."""
        return np.where(self.y == label, np.int8(1), np.int8(-1))


class PegasosClassifier(ClassifierMixin, BaseEstimator):
    """Linear SVM or logistic regression, by dual ascent or by Pegasos.

    For two classes it minimises, over w and the bias b,

        λ/2 (‖w‖² + b²/c²) + (1/n) Σ s_i ℓ(y_i (⟨w, x_i⟩ + b)),

    where y_i is +1 for ``classes_[1]``, s_i is the sample weight times the
    class weight (1 if neither is given) and c is `intercept_scaling`. More
    classes are trained one against the rest.

    By default f is minimised by dual ascent, which has no step size and
    ends with a proof: a duality gap of at most `tol`. With
    ``solver="pegasos"`` it is minimised as in the paper: every step draws
    one example of a fresh permutation of the data and has the length
    1/(λ(t + t₀)).

    Parameters
    ----------
    lam : float
        The regularisation strength λ > 0.
    loss : {"hinge", "log"}
        The loss ℓ. "log" is logistic regression and gives probabilities.
    fit_intercept : bool
        Whether there is a bias b.
    intercept_scaling : float
        The constant c > 0. The bias is regularised, like any weight,
        because without that f is not strongly convex and steps of 1/(λt)
        lose their guarantee. A larger c regularises it less, and makes the
        first steps rougher.
    solver : {"dual", "pegasos"}
        "dual" is `certificate.approach`: rounds of
        `pegasos_edu.solvers.ascent.ascend`, and Newton's method where
        those take too long. `partial_fit` takes the steps of
        Pegasos whatever the solver is.
    max_iter : int
        "dual": the largest number of rounds, of one to two passes over the
        data each. "pegasos": the largest number of passes.
    tol : float or None
        Below 1. "dual": stop when the relative duality gap is at most `tol`,
        so that f is at most 1/(1 − tol) times its minimum. "pegasos": stop
        when for `n_iter_no_change` passes in a row f has not fallen below
        1 − tol times its lowest value so far. It is computed once a pass.
        This is relative to f, too, but a rule of thumb: it proves nothing.
        With None there are always `max_iter` rounds or passes.
    n_iter_no_change : int
        "pegasos": the number of passes that `tol` waits.
    t0 : float
        "pegasos": the head start t₀ ≥ 0 of the step size; the mean of ‖x‖²
        over λ tames the first steps on data that are not normalised.
    average : {False, True, "suffix"}
        "pegasos": return the last iterate, the average of all iterates, or
        the average of the last part of them, between a half and three
        quarters.
    class_weight : dict, "balanced" or None
        Weights of the classes; an example has the weight of its own class
        in each of the one-against-the-rest problems.
    random_state : int, RandomState or None
        What the orders of the examples are drawn from.
    n_jobs : int or None
        "dual": on how many threads the one-against-the-rest problems are
        solved, as joblib counts them; None for one. The result is the same
        to the last bit. With two classes there is nothing to share out; a
        grid of λ is, by the `n_jobs` of GridSearchCV, to the same bits.

    Attributes
    ----------
    coef_ : ndarray of shape (1, d) or (n_classes, d)
    intercept_ : ndarray of shape (1,) or (n_classes,)
    classes_ : ndarray of shape (n_classes,)
    gap_ : float
        "dual": the relative duality gap, at most 1; of more classes the
        largest one.
    n_iter_ : int
        Rounds or passes so far; each `partial_fit` adds one.
    t_ : int
        Steps so far, each at one example.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Only if X had column names.

    Notes
    -----
    Shalev-Shwartz et al. (2011), figure 1. What to write in place of the
    parameters of scikit-learn's own linear classifiers (`drop_in` does it):

    =================  ===========================  ======================
    here               SGDClassifier                LinearSVC, n examples
    =================  ===========================  ======================
    lam                alpha                        1 / (C n)
    loss="hinge"       loss="hinge"                 loss="hinge"
    loss="log"         loss="log_loss"              none
    fit_intercept      the same, not regularised    the same
    intercept_scaling  none                         the same
    solver="dual"      none                         dual=True
    max_iter, tol      the same, other criterion    the same, other one
    n_iter_no_change   the same, of "pegasos"       none
    average=True       average=True, of "pegasos"   none
    class_weight       the same for two classes     the same for two
    random_state       the same                     the same
    n_jobs             the same                     none
    =================  ===========================  ======================

    SGDClassifier takes the steps of ``solver="pegasos"`` with
    ``learning_rate="invscaling"``, ``power_t=1``, ``eta0=1/alpha`` and no
    intercept.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], ["low", "low", "high", "high"]
    >>> model = PegasosClassifier(lam=0.01, random_state=0).fit(X, y)
    >>> model.predict([[0.5], [3.5]]).tolist()
    ['low', 'high']
    >>> model.gap_ <= 0.01
    True
    """

    def __init__(
        self,
        lam: float = 1e-4,
        *,
        loss: Literal["hinge", "log"] = "hinge",
        fit_intercept: bool = True,
        intercept_scaling: float = 1.0,
        solver: Literal["dual", "pegasos"] = "dual",
        max_iter: int = 1000,
        tol: float | None = 1e-2,
        n_iter_no_change: int = 5,
        t0: float = 0.0,
        average: bool | Literal["suffix"] = False,
        class_weight: dict[Any, float] | Literal["balanced"] | None = None,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.lam = lam
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.intercept_scaling = intercept_scaling
        self.solver = solver
        self.max_iter = max_iter
        self.tol = tol
        self.n_iter_no_change = n_iter_no_change
        self.t0 = t0
        self.average = average
        self.class_weight = class_weight
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(
        self, X: Any, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> Self:
        """Train from w = 0 on.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)
        y : array_like of shape (n,)
            Class labels of any kind.
        sample_weight : array_like of shape (n,), optional
            Non-negative s_i; the loss of example i counts s_i times.

        Returns
        -------
        PegasosClassifier
            Itself.

        Raises
        ------
        ValueError, TypeError
            If an argument or a parameter is not as described.
        """
        self._check_parameters()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype=FLOATS)
        classes = _different(y, "y")
        # Whole numbers are classes; and three of each are less than all y.
        if classes.dtype.kind not in "iuf" or (classes % 1 != 0).any():
            check_classification_targets(np.tile(classes, 3))
        self._begin(classes)
        run = SOLVERS[self.solver]
        missed = run(self, self._problem(X, y, sample_weight))
        if missed and self.tol is not None:
            warnings.warn(
                f"{missed} at max_iter = {self.max_iter}; expected a larger "
                f"max_iter or tol.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _ascend(self, problem):
        """Dual ascent to the gap `tol`; what there is to say if missed."""
        if self.average is not False or self.t0 != 0.0:
            raise ValueError(
                f"average is {self.average!r} and t0 is {self.t0}; expected "
                f"False and 0 with solver='dual', which has no use for them."
            )
        seed = int(self._rng.randint(2**31 - 1))

        def end_of(label):
            return approach(
                problem.X,
                problem.signs(label),
                float(self.lam),
                self.loss,
                self.tol,
                self.max_iter,
                weights=problem.weights,
                constant=problem.constant,
                seed=seed,
            )

        with one_thread():  # for each class; the classes may share out more
            if len(problem.positive) == 1:
                found = [end_of(problem.positive[0])]
            else:
                # Threads, as compiled code lets go of the interpreter's lock.
                share = Parallel(self.n_jobs, prefer="threads")
                found = share(map(delayed(end_of), problem.positive))
        ends, counts = zip(*found)
        self.n_iter_ = max(counts)
        self.gap_ = float(max(end.gap for end in ends))
        # From here Pegasos could go on, as if all steps so far were its own.
        passes = max(end.passes for end in ends)
        self.t_ = round(passes * len(problem.y))
        w = np.array([end.w for end in ends])
        self._v = self.lam * (self.t_ + self.t0) * w
        self._set_weights()
        if self.tol is None or self.gap_ <= self.tol:
            return ""
        return f"the relative duality gap was {self.gap_:.2g}"

    def _descend(self, problem):
        """Passes of Pegasos; what there is to say if it did not settle."""
        lowest, waited = np.inf, 0
        while self.n_iter_ < self.max_iter:
            self._pass_over(problem)
            if self.tol is None:
                continue
            f = self._objective(problem)
            waited = 0 if f <= (1.0 - self.tol) * lowest else waited + 1
            lowest = min(lowest, f)
            if waited >= self.n_iter_no_change:
                return ""
        return "the objective was still falling"

    def partial_fit(
        self,
        X: Any,
        y: ArrayLike,
        classes: ArrayLike | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> Self:
        """Make one more pass, over these data; the step count t goes on.

        These are steps of Pegasos, also after a `fit` by dual ascent.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)
        y : array_like of shape (n,)
        classes : array_like of shape (n_classes,), optional
            All labels there will ever be; needed at the first call.
        sample_weight : array_like of shape (n,), optional

        Returns
        -------
        PegasosClassifier
            Itself.

        Raises
        ------
        ValueError, TypeError
            If an argument or a parameter is not as described, or if a
            parameter that decides the objective has changed on the way.
        """
        self._check_parameters()
        if self.class_weight == "balanced":
            raise ValueError(
                "class_weight is 'balanced'; expected a dict or None with "
                "partial_fit, which never sees all labels at once."
            )
        first = not hasattr(self, "classes_")
        X, y = validate_data(
            self, X, y, accept_sparse="csr", dtype=FLOATS, reset=first
        )
        check_classification_targets(y)
        known = self._check_classes(y, classes, first)
        if first:
            self._begin(known)
        elif self._kind() != self._begun_as:
            raise ValueError(
                f"the parameters {self._kind()} differ from those of the "
                f"first call, {self._begun_as}; expected the same."
            )
        self._pass_over(self._problem(X, y, sample_weight))
        return self

    def decision_function(self, X: Any) -> NDArray[Any]:
        """⟨w, x⟩ + b for each row x: (n,), or (n, n_classes) if over two.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)

        Returns
        -------
        ndarray
        """
        check_is_fitted(self)
        X = validate_data(
            self, X, accept_sparse="csr", dtype=FLOATS, reset=False
        )
        scores = product(X, self.coef_.T) + self.intercept_
        return scores[:, 0] if scores.shape[1] == 1 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class of each row of X.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)

        Returns
        -------
        ndarray of shape (n,)
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return self.classes_[(scores > 0).astype(int)]
        return self.classes_[scores.argmax(axis=1)]

    def _has_probabilities(self):
        if self.loss != "log":
            raise AttributeError(
                f"loss is {self.loss!r}; expected 'log', which alone gives "
                f"probabilities."
            )
        return True

    @available_if(_has_probabilities)
    def predict_proba(self, X: Any) -> NDArray[Any]:
        """Probability of each class, for the log loss.

        For more than two classes, those of the one-against-the-rest
        problems divided by their sum.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)

        Returns
        -------
        ndarray of shape (n, n_classes)
        """
        return np.exp(self.predict_log_proba(X))

    @available_if(_has_probabilities)
    def predict_log_proba(self, X: Any) -> NDArray[Any]:
        """Logarithm of `predict_proba`.

        Parameters
        ----------
        X : array_like or sparse matrix of shape (n, d)

        Returns
        -------
        ndarray of shape (n, n_classes)
        """
        scores = self.decision_function(X)
        if scores.ndim == 1:
            return log_expit(np.column_stack([-scores, scores]))
        logs = log_expit(scores)
        return logs - logsumexp(logs, axis=1, keepdims=True)

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        return tags

    def _check_parameters(self):
        checks.check_lam(self.lam)
        checks.check_choice("loss", self.loss, LOSSES)
        checks.check_flag("fit_intercept", self.fit_intercept)
        checks.check_positive("intercept_scaling", self.intercept_scaling)
        checks.check_choice("solver", self.solver, SOLVERS)
        checks.check_integer("max_iter", self.max_iter, 1)
        if self.tol is not None:
            check_tol(self.tol, zero_allowed=True)
        checks.check_integer("n_iter_no_change", self.n_iter_no_change, 1)
        checks.check_positive("t0", self.t0, zero_allowed=True)
        if self.n_jobs is not None:
            checks.check_integer("n_jobs", self.n_jobs)
            if self.n_jobs == 0:
                checks.refuse("n_jobs is 0", "another integer, or None")
        if not _is_random_state(self.random_state):
            checks.refuse(
                f"random_state is {self.random_state!r}",
                f"None, an integer from 0 to {2**32 - 1} or a RandomState",
            )
        if not isinstance(self.average, (str, *checks.BOOLEANS)) or (
            self.average not in (False, True, "suffix")
        ):
            raise ValueError(
                f"average is {self.average!r}; expected False, True or "
                f"'suffix'."
            )
        chosen = self.class_weight
        of_a_kind = chosen is None or isinstance(chosen, (dict, str))
        if not of_a_kind or (isinstance(chosen, str) and chosen != "balanced"):
            checks.refuse(
                f"class_weight is {checks.shown(chosen, repr)}",
                "a dict, 'balanced' or None",
            )

    def _check_classes(self, y, classes, first):
        """All classes there are; or a sentence on what does not fit."""
        if first and classes is None:
            raise ValueError(
                "classes is None; expected all class labels at the first "
                "call of partial_fit."
            )
        given = None if classes is None else _different(classes)
        known = given if first else self.classes_
        if given is not None and not np.array_equal(given, known):
            found = f"classes is {checks.shown(classes, repr)}"
            checks.refuse(found, f"those of the first call, {known}")
        unknown = np.setdiff1d(y, known)
        if len(unknown):
            raise ValueError(
                f"y holds the label {unknown[0].item()!r}; expected one of "
                f"classes, {known}."
            )
        return known

    def _kind(self):
        """What must stay as it is from one partial_fit to the next."""
        names = "lam", "loss", "fit_intercept", "intercept_scaling", "t0"
        return {name: getattr(self, name) for name in (*names, "average")}

    def _begin(self, classes):
        """w = 0 for each one-against-the-rest problem."""
        if len(classes) < 2:
            raise ValueError(
                f"y holds one class, {classes.tolist()}; expected at least "
                f"two classes."
            )
        self.classes_ = classes
        self.n_iter_, self.t_ = 0, 0
        self._begun_as = self._kind()
        self._rng = check_random_state(self.random_state)
        shape = (
            1 if len(classes) == 2 else len(classes),
            self.n_features_in_ + self.fit_intercept,
        )
        self._v, self._h = np.zeros(shape), 0.0
        self._q = np.zeros(shape) if self.average else None
        # t and Σ w_t at the two latest t that each doubled the one before.
        self._earlier = self._later = (0, np.zeros(shape))

    def _problem(self, X, y, sample_weight):
        """The data as the passes need them."""
        weights = None
        if sample_weight is not None or self.class_weight is not None:
            weights = check_sample_weight(sample_weight, X.shape[0])
            weights *= self._class_weights(y)
            if not weights.any():
                raise ValueError(
                    f"class_weight is {self.class_weight}; expected at least "
                    f"one example of a weight above 0."
                )
        X = checks.check_entries(checks.as_matrix(X))
        constant = self.intercept_scaling if self.fit_intercept else 0.0
        positive = self.classes_[-len(self._v) :]
        return Problem(X, float(constant), y, positive, weights)

    def _class_weights(self, y):
        """The class weight of each example."""
        by_class = self.class_weight or {}
        if self.class_weight == "balanced":
            labels, counts = np.unique(y, return_counts=True)
            balanced = len(y) / (len(labels) * counts)
            by_class = dict(zip(labels.tolist(), balanced))
        weights = np.ones(len(y))
        for label, weight in by_class.items():
            if label not in self.classes_.tolist():
                raise ValueError(
                    f"class_weight holds the label {label!r}; expected one "
                    f"of the classes {self.classes_}."
                )
            weights[y == label] = checks.check_positive(
                f"class_weight[{label!r}]", weight, zero_allowed=True
            )
        return weights

    # What overflows is refused by `_set_weights`, in a sentence.
    @np.errstate(over="ignore", invalid="ignore")
    def _pass_over(self, problem):
        """One step for each example, in random order; then set `coef_`."""
        vars(self).pop("gap_", None)  # what was certified moves on
        advance, convert = fastest(closed_form.advance)
        n = len(problem.y)
        seed = int(self._rng.randint(2**31 - 1))
        order = convert(draw_order(n, n, sampling="epochs", seed=seed))
        rows = as_rows(problem.X, convert, problem.constant)
        slopes = convert(np.zeros(1))
        q_rows = [None] * len(self._v) if self._q is None else self._q
        for v, q, label in zip(self._v, q_rows, problem.positive):
            y = pull = problem.signs(label).astype(np.float64)
            if problem.weights is not None:
                pull = y * problem.weights
            h = advance(
                rows,
                convert(y),
                convert(pull),
                order,
                slopes,
                is_log(self.loss),
                float(self.lam),
                float(self.t0),
                self.t_ + 1,
                1,
                v,
                q,
                self._h,
            )
        self._h = h
        self.t_ += n
        self.n_iter_ += 1
        self._set_weights()

    def _set_weights(self):
        """`coef_` and `intercept_` from the sums; see `closed_form`."""
        w = self._v / (self.lam * (self.t_ + self.t0))
        if self.average:
            w = self._average()
        if not np.isfinite(w).all():
            raise FloatingPointError(
                f"the weights after step {self.t_} are no longer finite; "
                f"expected a larger lam or smaller data."
            )
        d = self.n_features_in_
        self.coef_ = w[:, :d].copy()
        self.intercept_ = np.zeros(len(w))
        if self.fit_intercept:
            self.intercept_ = self.intercept_scaling * w[:, d]

    def _average(self):
        """The average over all steps, or over those of the last part."""
        total = self._h * self._v - self._q  # Σ w_t
        if self.average != "suffix":
            return total / self.t_
        if self.t_ >= 2 * self._later[0]:
            self._earlier, self._later = self._later, (self.t_, total)
        start, before = self._earlier
        return (total - before) / (self.t_ - start)

    def _objective(self, problem):
        """f for the present weights, averaged over the problems."""
        summed, convert = fastest(total_loss)
        rows = as_rows(problem.X, convert, problem.constant)
        bias = self.intercept_ / self.intercept_scaling
        W = (
            np.column_stack([self.coef_, bias])
            if problem.constant
            else (self.coef_)
        )
        losses = [
            summed(
                rows,
                convert(problem.signs(label)),
                problem.weights,
                is_log(self.loss),
                w,
            )
            for w, label in zip(W, problem.positive)
        ]
        with np.errstate(over="ignore"):
            norm2 = (W**2).sum(axis=1)
            f = 0.5 * self.lam * norm2 + np.divide(losses, len(problem.y))
        if not np.isfinite(f).all():
            raise FloatingPointError(
                f"f after step {self.t_} is no longer finite; expected a "
                f"larger lam or smaller data."
            )
        return f.mean()


SOLVERS = {
    "dual": PegasosClassifier._ascend,
    "pegasos": PegasosClassifier._descend,
}


def _different(labels, name="classes"):
    """The labels, each once; or a sentence on what is no list of labels."""
    fits = False
    with suppress(TypeError):  # of labels that cannot be put in order
        known = np.unique(labels)
        fits = np.ndim(labels) == 1 and not (known != known).any()
    if not fits:  # only now, as to write labels out takes longer than a fit
        checks.refuse(
            f"{name} is {checks.shown(labels, repr)}",
            "a list of labels, all of one kind and none of them nan",
        )
    return known


def _is_random_state(value):
    try:
        check_random_state(value)
    except ValueError:
        return False
    return True


def check_sample_weight(weights, n):
    """Return the weights of n examples, by default ones.

    Examples
    --------
    >>> check_sample_weight([0, 3], n=2)
    array([0., 3.])
    """
    if weights is None:
        return np.ones(n)
    weights = checks.as_real("sample_weight", weights).astype(np.float64)
    if weights.shape != (n,):
        raise ValueError(
            f"sample_weight has shape {weights.shape}; expected ({n},), one "
            f"for each row of X."
        )
    wrong = ~np.isfinite(weights) | (weights < 0.0)
    if wrong.any():
        raise ValueError(
            f"sample_weight holds {weights[wrong][0]}; expected finite "
            f"numbers of at least 0."
        )
    if not weights.any():
        raise ValueError(
            "sample_weight holds only zeros; expected at least one weight "
            "above 0."
        )
    return weights


def drop_in(model: Any, n: int) -> PegasosClassifier:
    """The PegasosClassifier that minimises what another model minimises.

    Parameters
    ----------
    model : SGDClassifier or LinearSVC
        Of scikit-learn; only its parameters are used.
    n : int
        The number of training examples, which the C of LinearSVC needs.

    Returns
    -------
    PegasosClassifier
        Not fitted, with ``solver="dual"``: it minimises the same f another
        way. Its bias is regularised, as that of LinearSVC; the bias of
        SGDClassifier is not.

    Raises
    ------
    ValueError, TypeError
        If there is none.

    Examples
    --------
    >>> from sklearn.svm import LinearSVC
    >>> drop_in(LinearSVC(C=0.5, loss="hinge"), n=200).lam
    0.01
    """
    # Here, as they take time to import.
    from sklearn.linear_model import SGDClassifier
    from sklearn.svm import LinearSVC

    n = checks.check_integer("n", n, 1)
    if not isinstance(model, (SGDClassifier, LinearSVC)):
        raise TypeError(
            f"model is {model!r}; expected an SGDClassifier or a LinearSVC."
        )
    given = model.get_params()
    checks.check_choice("penalty", given["penalty"], {"l2": None})
    same = (
        "fit_intercept",
        "max_iter",
        "tol",
        "class_weight",
        "random_state",
        "intercept_scaling",
        "n_iter_no_change",
        "n_jobs",
    )
    taken = {name: given[name] for name in same if name in given}
    if isinstance(model, SGDClassifier):
        losses = {"hinge": "hinge", "log_loss": "log"}
        taken["lam"] = checks.check_lam(given["alpha"])
    else:
        losses = {"hinge": "hinge"}
        C = checks.check_positive("C", given["C"])
        taken["lam"] = checks.check_lam(1.0 / (C * n))
    taken["loss"] = checks.check_choice("loss", given["loss"], losses)
    return PegasosClassifier(**taken)
