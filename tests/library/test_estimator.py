"""PegasosClassifier against scikit-learn's own and against the ladder."""

import pickle
import tracemalloc
import warnings

import numpy as np
import pytest
import scipy.sparse as sp
from joblib import parallel_config
from sklearn.datasets import load_digits
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression, SGDClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVC

from pegasos_edu import PegasosClassifier, objective, optimum
from pegasos_edu.estimator import drop_in
from pegasos_edu.problem.data import digits_zero
from pegasos_edu.solvers import closed_form, compiled
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.steps import PegasosStep
from tests.library.problems import TAKE_SPARSE, assert_close, random_problem

DIGITS = digits_zero()


def pegasos_classifier(*lam, **options):
    """The estimator with the solver of the paper."""
    return PegasosClassifier(*lam, **{"solver": "pegasos", **options})


def sgd_steps_of_pegasos(lam, **options):
    """Scikit-learn's own Pegasos: one pass, rows in the order given."""
    return SGDClassifier(
        alpha=lam,
        learning_rate="invscaling",
        power_t=1.0,
        eta0=1 / lam,
        fit_intercept=False,
        shuffle=False,
        max_iter=1,
        tol=None,
        **options,
    )


def passes(random_state, n, count):
    """The order in which PegasosClassifier visits the rows."""
    rng = np.random.RandomState(random_state)
    return np.concatenate(
        [
            draw_order(n, n, sampling="epochs", seed=rng.randint(2**31 - 1))
            for _ in range(count)
        ]
    )


# Against SGDClassifier, step by step


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
@pytest.mark.parametrize(
    "loss, name", [("hinge", "hinge"), ("log", "log_loss")]
)
def test_the_solvers_take_the_steps_of_sgdclassifier(solver, loss, name):
    """Its average runs over w_2, …, w_{T+1}."""
    X, y = random_problem(seed=0)
    order = draw_order(30, 300, seed=1)
    run = solver(X, y, 0.05, order=order, loss=loss)
    sgd = sgd_steps_of_pegasos(0.05, loss=name).fit(X[order], y[order])
    assert_close(sgd.coef_[0], run.last, rtol=1e-9)
    sgd.set_params(average=True).fit(X[order], y[order])
    assert_close(sgd.coef_[0], run.average + run.last / 300, rtol=1e-9)


@pytest.mark.parametrize(
    "loss, name", [("hinge", "hinge"), ("log", "log_loss")]
)
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_estimator_takes_the_steps_of_sgdclassifier(loss, name, form):
    """Weights of examples and of classes included."""
    X, y = random_problem(seed=0)
    weights = np.random.default_rng(0).random(30)
    order = passes(5, 30, 4)
    shared = dict(class_weight={-1.0: 2.0, 1.0: 0.5})
    ours = pegasos_classifier(
        0.05,
        loss=loss,
        fit_intercept=False,
        max_iter=4,
        tol=None,
        random_state=5,
        **shared,
    ).fit(form(X), y, sample_weight=weights)
    sgd = sgd_steps_of_pegasos(0.05, loss=name, **shared)
    sgd.fit(X[order], y[order], sample_weight=weights[order])
    assert_close(ours.coef_, sgd.coef_, rtol=1e-9)
    assert ours.t_ == 120 and ours.n_iter_ == 4
    np.testing.assert_array_equal(ours.intercept_, [0.0])


def test_more_classes_are_trained_one_against_the_rest():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 4)), np.repeat(["a", "b", "c"], 30)
    X[30:60, 0] += 3.0
    X[60:, 1] += 3.0
    model = pegasos_classifier(0.05, max_iter=7, tol=None, random_state=3)
    model.fit(X, y)
    assert model.coef_.shape == (3, 4) and model.intercept_.shape == (3,)
    for i, label in enumerate("abc"):
        one = pegasos_classifier(0.05, max_iter=7, tol=None, random_state=3)
        one.fit(X, y == label)
        assert_close(model.coef_[i], one.coef_)
        assert_close(model.intercept_[i], one.intercept_)
    scores = X @ model.coef_.T + model.intercept_
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_array_equal(
        model.predict(X), np.array(list("abc"))[scores.argmax(axis=1)]
    )


# Averages


@pytest.mark.parametrize(
    "count, start", [(1, 0), (2, 1), (3, 1), (4, 2), (7, 2), (8, 4), (15, 4)]
)
def test_averages_are_those_of_the_solvers(count, start):
    """The suffix is at least a half and at most three quarters, from t = n."""
    X, y = random_problem(seed=1)
    order = passes(0, 30, count)
    for average, first in ((True, 1), ("suffix", 30 * start + 1)):
        run = closed_form.pegasos(X, y, 0.05, order=order, average_from=first)
        model = pegasos_classifier(
            0.05,
            fit_intercept=False,
            max_iter=count,
            tol=None,
            average=average,
            random_state=0,
        ).fit(X, y)
        assert_close(model.coef_[0], run.average, rtol=1e-11)


# Intercept


def test_the_intercept_is_a_regularised_constant_feature():
    X, y = random_problem(seed=2)
    wide = np.column_stack([X, np.full(30, 2.5)])
    shared = dict(lam=0.05, max_iter=6, tol=None, random_state=0)
    model = pegasos_classifier(intercept_scaling=2.5, **shared).fit(X, y)
    plain = pegasos_classifier(fit_intercept=False, **shared).fit(wide, y)
    assert_close(model.coef_, plain.coef_[:, :6])
    assert_close(model.intercept_, 2.5 * plain.coef_[:, 6])
    np.testing.assert_allclose(
        model.decision_function(X), plain.decision_function(wide)
    )


# Continuing


@pytest.mark.parametrize("average", [False, True, "suffix"])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_partial_fit_continues_where_fit_would(average, loss):
    X, y = random_problem(seed=3)
    model = pegasos_classifier(
        0.05, loss=loss, average=average, max_iter=6, tol=None, random_state=4
    )
    whole = model.fit(X, y)
    parts = pegasos_classifier(**model.get_params())
    for _ in range(6):
        parts.partial_fit(X, y, classes=[-1, 1])
    np.testing.assert_array_equal(whole.coef_, parts.coef_)
    np.testing.assert_array_equal(whole.intercept_, parts.intercept_)
    assert parts.t_ == whole.t_ == 180 and parts.n_iter_ == 6


def test_partial_fit_of_chunks_is_one_run():
    """Chunks of any size; t goes on from chunk to chunk."""
    X, y = random_problem(seed=3)
    model = pegasos_classifier(0.05, fit_intercept=False, random_state=4)
    rng, order = np.random.RandomState(4), []
    for start, stop in ((0, 10), (10, 11), (11, 30)):
        model.partial_fit(X[start:stop], y[start:stop], classes=[1, -1])
        n = stop - start
        order.append(
            start
            + draw_order(n, n, sampling="epochs", seed=rng.randint(2**31 - 1))
        )
    run = compiled.pegasos(X, y, 0.05, order=np.concatenate(order))
    assert_close(model.coef_[0], run.last)
    assert model.t_ == 30


def test_a_head_start_is_that_of_the_step():
    """The weights themselves: a wrong scale would change no prediction."""
    X, y = random_problem(seed=3)
    model = pegasos_classifier(
        0.05, t0=12.5, max_iter=3, tol=None, fit_intercept=False
    ).set_params(random_state=4)
    model.fit(X, y)
    order = passes(4, len(y), 3)
    step = PegasosStep(0.05, t0=12.5)
    run = compiled.pegasos(X, y, 0.05, order=order, step=step)
    assert_close(model.coef_[0], run.last)


def test_a_pickled_model_goes_on_as_the_original():
    X, y = random_problem(seed=3)
    model = pegasos_classifier(0.05, average="suffix", random_state=4)
    model.partial_fit(X, y, classes=[-1, 1])
    copy = pickle.loads(pickle.dumps(model))
    for one in (model, copy):
        one.partial_fit(X, y)
    np.testing.assert_array_equal(model.coef_, copy.coef_)


def test_fit_forgets_what_was_before():
    X, y = random_problem(seed=3)
    model = pegasos_classifier(0.05, max_iter=3, tol=None, random_state=4)
    first = model.fit(X, y).coef_
    model.fit(X[:, :3], y)
    np.testing.assert_array_equal(model.fit(X, y).coef_, first)
    assert model.n_iter_ == 3


# Stopping


def f_of(model, X, y):
    """The objective of the class docstring."""
    w = np.append(model.coef_[0], model.intercept_ / model.intercept_scaling)
    wide = np.column_stack([X, np.full(len(y), model.intercept_scaling)])
    return objective(w, wide, y, model.lam, model.loss)


@pytest.mark.parametrize("average", [False, "suffix"])
def test_tol_stops_after_passes_without_progress(average):
    X, y = DIGITS
    model = pegasos_classifier(
        1e-2, tol=1e-2, n_iter_no_change=3, average=average, random_state=0
    ).fit(X, y)
    assert 3 < model.n_iter_ < 100
    history = []
    again = pegasos_classifier(**model.get_params())
    for _ in range(model.n_iter_):
        again.partial_fit(X, y, classes=[-1, 1])
        history.append(f_of(again, X, y))
    np.testing.assert_array_equal(again.coef_, model.coef_)
    late = [
        f > min(history[:i], default=np.inf) * (1 - 1e-2)
        for i, f in enumerate(history)
    ]
    assert all(late[-3:])
    assert not any(all(late[i : i + 3]) for i in range(len(late) - 3))


def test_max_iter_is_a_warning_with_tol_and_none_without():
    X, y = DIGITS
    with pytest.warns(ConvergenceWarning, match="at max_iter = 2; expected"):
        model = pegasos_classifier(1e-3, max_iter=2, random_state=0).fit(X, y)
    assert model.n_iter_ == 2
    pegasos_classifier(1e-3, max_iter=2, tol=None, random_state=0).fit(X, y)


# Probabilities


def test_probabilities_are_those_of_logistic_regression():
    X, y = DIGITS
    model = pegasos_classifier(
        1e-3,
        loss="log",
        max_iter=300,
        tol=None,
        average="suffix",
        random_state=0,
        fit_intercept=False,
    ).fit(X, y)
    other = LogisticRegression(
        C=1 / (1e-3 * len(y)), fit_intercept=False, tol=1e-8, max_iter=1000
    ).fit(X, y)
    p = model.predict_proba(X)
    np.testing.assert_allclose(p.sum(axis=1), 1.0)
    np.testing.assert_allclose(p, other.predict_proba(X), atol=0.02)
    np.testing.assert_allclose(np.log(p), model.predict_log_proba(X))
    np.testing.assert_array_equal(
        model.predict(X), model.classes_[p.argmax(axis=1)]
    )


def test_probabilities_far_out_and_for_more_classes():
    X, y = np.array([[-1.0], [0.0], [1.0]]), [0, 1, 2]
    model = pegasos_classifier(
        0.1, loss="log", random_state=0, max_iter=50, tol=None
    ).fit(X, y)
    for far in (X, 1e5 * X, -1e5 * np.ones((1, 1))):
        p = model.predict_proba(far)
        assert p.shape == (len(far), 3)
        np.testing.assert_allclose(p.sum(axis=1), 1.0)
    q = 1 / (1 + np.exp(-model.decision_function(X)))
    np.testing.assert_allclose(
        model.predict_proba(X), q / q.sum(axis=1, keepdims=True)
    )
    two = pegasos_classifier(0.1, loss="log", random_state=0).fit(
        [[0.0], [1.0]], [0, 1]
    )
    far = two.predict_log_proba([[1e6], [-1e6]])
    assert np.isfinite(far).all() and far.min() < -1000


def test_the_hinge_loss_has_no_probabilities():
    model = pegasos_classifier().fit([[0.0], [1.0]], [0, 1])
    assert not hasattr(model, "predict_proba")
    assert not hasattr(model, "predict_log_proba")
    with pytest.raises(AttributeError):
        model.predict_proba  # noqa: B018


# In place of scikit-learn's own


@pytest.mark.parametrize(
    "loss, name", [("hinge", "hinge"), ("log", "log_loss")]
)
def test_drop_in_for_sgdclassifier(loss, name):
    X, y = DIGITS
    sgd = SGDClassifier(
        loss=name,
        alpha=1e-2,
        fit_intercept=False,
        max_iter=300,
        tol=None,
        average=True,
        random_state=0,
    ).fit(X, y)
    ours = drop_in(sgd, len(y)).set_params(tol=1e-4, max_iter=1000)
    assert ours.lam == 1e-2 and ours.loss == loss and ours.solver == "dual"
    best = optimum(X, y, 1e-2, loss)
    sgd_f, f = (
        objective(model.coef_[0], X, y, 1e-2, loss)
        for model in (sgd, ours.fit(X, y))
    )
    assert sgd_f == pytest.approx(best.primal, rel=5e-3)
    assert best.dual <= f <= best.primal * (1 + 1e-4)


@pytest.mark.parametrize("scaling", [1.0, 3.0])
def test_drop_in_for_linear_svc_with_its_intercept(scaling):
    X, y = DIGITS
    svc = LinearSVC(
        loss="hinge",
        C=0.05,
        intercept_scaling=scaling,
        tol=1e-8,
        max_iter=10**6,
        random_state=0,
    )
    ours = drop_in(svc, len(y))
    lam = 1 / (0.05 * len(y))
    assert ours.lam == pytest.approx(lam) and ours.max_iter == 10**6
    ours.set_params(tol=1e-4).fit(X, y)
    svc.fit(X, y)
    best = optimum(np.column_stack([X, np.full(len(y), scaling)]), y, lam)
    assert f_of_svc(svc, lam, X, y) == pytest.approx(best.primal, rel=1e-6)
    assert best.dual <= f_of(ours, X, y) <= best.primal * (1 + 1e-4)


def f_of_svc(svc, lam, X, y):
    w = np.append(svc.coef_[0], svc.intercept_ / svc.intercept_scaling)
    wide = np.column_stack([X, np.full(len(y), svc.intercept_scaling)])
    return objective(w, wide, y, lam)


def test_a_weighted_objective_is_that_of_linear_svc():
    """(1/n) Σ s_i ℓ_i, s_i the product of both kinds of weights."""
    X, y = random_problem(seed=5, n=60)
    weights = np.random.default_rng(0).integers(1, 4, size=60).astype(float)
    by_class = {-1.0: 2.0, 1.0: 1.0}
    svc = LinearSVC(
        loss="hinge",
        C=1 / (0.1 * 60),
        fit_intercept=False,
        class_weight=by_class,
        tol=1e-10,
        max_iter=10**6,
    )
    svc.fit(X, y, sample_weight=weights)
    ours = (
        drop_in(svc, 60)
        .set_params(tol=1e-4, max_iter=1000, random_state=0)
        .fit(X, y, sample_weight=weights)
    )

    def f(w):
        s = weights * np.where(y < 0, 2.0, 1.0)
        losses = np.maximum(0, 1 - y * (X @ w))
        return 0.05 * w @ w + (s * losses).mean()

    assert f(svc.coef_[0]) <= f(ours.coef_[0]) < 1.0002 * f(svc.coef_[0])


def test_balanced_classes_weigh_the_same():
    X, y = random_problem(seed=5, n=60)
    y = np.where(np.arange(60) < 12, "rare", "usual")
    shared = dict(lam=0.05, max_iter=5, tol=None, random_state=0)
    balanced = pegasos_classifier(class_weight="balanced", **shared)
    stated = pegasos_classifier(
        class_weight={"rare": 60 / 24, "usual": 60 / 96}, **shared
    )
    np.testing.assert_array_equal(
        balanced.fit(X, y).coef_, stated.fit(X, y).coef_
    )


@pytest.mark.parametrize(
    "model, begins",
    [
        (LinearSVC(), "loss is 'squared_hinge'; expected"),
        (LinearSVC(loss="hinge", penalty="l1"), "penalty is 'l1'; expected"),
        (SGDClassifier(loss="huber"), "loss is 'huber'; expected"),
        (SGDClassifier(penalty=None), "penalty is None; expected"),
    ],
)
def test_drop_in_says_what_there_is_none_for(model, begins):
    with pytest.raises(ValueError, match=begins):
        drop_in(model, 100)
    with pytest.raises(TypeError, match="model is 3; expected an SGDClass"):
        drop_in(3, 100)


# Dual ascent, the default


def reference(loss, lam, n):
    """Scikit-learn's model with the same regularised bias, to the end."""
    if loss == "hinge":
        return LinearSVC(
            loss="hinge", C=1 / (lam * n), tol=1e-9, max_iter=10**6
        )
    # liblinear regularises the bias; the other solvers do not.
    return LogisticRegression(
        C=1 / (lam * n), solver="liblinear", tol=1e-9, max_iter=1000
    )


@pytest.mark.parametrize("lam", [1e-2, 1e-4])
@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_tol_is_a_bound_on_the_distance_to_scikit_learns_optimum(
    form, loss, lam
):
    X, y = DIGITS
    best = reference(loss, lam, len(y)).fit(X, y)
    best.intercept_scaling = 1.0
    best.set_params().lam, best.loss = lam, loss
    for tol in (1e-1, 1e-2, 1e-3):
        ours = PegasosClassifier(lam, loss=loss, tol=tol, random_state=0)
        f = f_of(ours.fit(form(X), y), X, y)
        assert 0 <= ours.gap_ <= tol
        assert f * (1 - ours.gap_) <= f_of(best, X, y) * (1 + 1e-9)
        assert f_of(best, X, y) <= f * (1 + 1e-9)


def test_weights_of_examples_count_as_repeated_examples():
    """With λn the same, an example of weight 3 is three of weight 1."""
    X, y = random_problem(seed=5, n=60)
    weights = np.random.default_rng(0).integers(0, 4, size=60)
    total = weights.sum()
    shared = dict(tol=1e-7, random_state=0)
    one = PegasosClassifier(0.01 * total / 60, **shared)
    one.fit(X, y, sample_weight=weights)
    many = PegasosClassifier(0.01, **shared)
    many.fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
    assert_close(one.coef_, many.coef_, rtol=1e-2)
    np.testing.assert_allclose(one.intercept_, many.intercept_, atol=1e-2)


def test_the_gap_of_many_classes_is_that_of_the_worst():
    """One of these three is easy to tell, and one round is not enough."""
    X = np.random.default_rng(0).normal(size=(90, 4))
    y = np.repeat([0, 1, 2], 30)
    X[y == 0, 0] += 6
    options = dict(fit_intercept=False, tol=1e-9, max_iter=1, random_state=0)
    with pytest.warns(ConvergenceWarning):
        model = PegasosClassifier(0.1, **options).fit(X, y)
    gaps = []
    for label, w in zip(model.classes_, model.coef_):
        signs = np.where(y == label, 1.0, -1.0)
        with pytest.warns(ConvergenceWarning):
            one = PegasosClassifier(0.1, **options).fit(X, signs)
        np.testing.assert_array_equal(one.coef_[0], w)
        f = objective(w, X, signs, 0.1)
        assert (f - optimum(X, signs, 0.1).primal) / f <= one.gap_
        gaps.append(one.gap_)
    assert model.gap_ == max(gaps) > 1.9 * min(gaps)


@pytest.mark.parametrize("scaling", [1.0, 10.0])
def test_what_passes_stop_at_is_f(scaling):
    """The bias counts as the weight of a feature of this size."""
    X, y = random_problem(seed=3)
    model = pegasos_classifier(
        0.05, intercept_scaling=scaling, max_iter=3, tol=None, random_state=0
    ).fit(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    hinges = np.maximum(0, 1 - y * (X @ w + b))
    f = 0.05 / 2 * (w @ w + (b / scaling) ** 2) + hinges.mean()
    found = model._objective(model._problem(X, y, None))
    assert abs(b) > 0 and found == pytest.approx(f, rel=1e-12)


def test_no_gap_is_told_of_what_was_not_certified():
    X, y = DIGITS
    model = PegasosClassifier(1e-4, random_state=0).fit(X, y)
    assert model.gap_ <= model.tol
    model.partial_fit(X, y)
    assert not hasattr(model, "gap_")
    model.fit(X, y)
    model.set_params(solver="pegasos").fit(X, y)
    assert not hasattr(model, "gap_")


def test_too_few_passes_are_a_warning_and_no_error():
    X, y = DIGITS
    model = PegasosClassifier(1e-5, max_iter=2, random_state=0)
    with pytest.warns(
        ConvergenceWarning, match="gap was .* max_iter = 2; exp"
    ):
        model.fit(X, y)
    assert model.gap_ > model.tol and model.n_iter_ == 2
    model.set_params(tol=None).fit(X, y)  # as asked for, so no warning
    assert model.n_iter_ == 2


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("solver", ["dual", "pegasos"])
@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
def test_the_data_are_never_copied(form, solver, dtype):
    X, y = random_problem(seed=5, n=2000, d=300)
    X = form(X.astype(dtype))
    model = PegasosClassifier(0.1, solver=solver, random_state=0)
    model.set_params(max_iter=5, tol=1e-12)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, y)  # compiled now
        tracemalloc.start()
        model.fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = X.nbytes if form is np.asarray else X.data.nbytes
    assert peak < 0.25 * size


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("form", ["array", "rows", "file"])
def test_nor_are_they_where_it_predicts(form, classes, tmp_path):
    """NumPy would make float32 data float64 as a whole."""
    X, _ = random_problem(seed=5, n=8000, d=300)
    y = np.arange(len(X)) % classes
    model = PegasosClassifier(0.1, random_state=0).fit(X, y)
    narrow = X.astype(np.float32)
    if form == "rows":
        narrow = sp.csr_array(narrow)
    if form == "file":
        np.save(tmp_path / "X.npy", narrow)
        narrow = np.load(tmp_path / "X.npy", mmap_mode="r")
    model.predict(narrow)  # what is imported on the way is there now
    tracemalloc.start()
    scores = model.decision_function(narrow)
    found = model.predict(narrow)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 0.3 * 4 * X.size
    wide = X.astype(np.float32).astype(np.float64)
    assert_close(scores, model.decision_function(wide))
    assert (found == model.predict(wide)).all()


@pytest.mark.parametrize("loss", ["hinge", "log"])
@pytest.mark.parametrize("labels", [np.int64, np.float64, "U3"])
def test_narrow_data_take_a_tenth_more(loss, labels):
    """14 numbers a row, as a9a and covtype have, leave 17 bytes for it."""
    rng, n = np.random.default_rng(0), 100_000
    X = sp.csr_array(
        (
            rng.normal(size=14 * n),
            np.tile(np.arange(0, 140, 10, dtype=np.int32), n)
            + np.repeat(np.arange(n, dtype=np.int32) % 10, 14),
            np.arange(0, 14 * n + 1, 14, dtype=np.int32),
        ),
        shape=(n, 140),
    )
    y = np.where(X @ rng.normal(size=140) > rng.normal(size=n), 1, -1)
    y = y.astype(labels)
    model = PegasosClassifier(1e-4, loss=loss, random_state=0, max_iter=3)
    model.set_params(tol=None).fit(X, y)  # compiled now
    tracemalloc.start()
    model.fit(X, y)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    assert peak < 0.1 * size


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array])
@pytest.mark.parametrize("loss", ["hinge", "log"])
def test_two_threads_give_the_same_bits(loss, form):
    digits = load_digits()
    X, y = form(digits.data / 16), digits.target
    given = dict(loss=loss, random_state=0)
    one = PegasosClassifier(1e-3, **given).fit(X, y)
    for jobs in (1, 2, -1):
        two = PegasosClassifier(1e-3, n_jobs=jobs, **given).fit(X, y)
        np.testing.assert_array_equal(one.coef_, two.coef_)
        np.testing.assert_array_equal(one.intercept_, two.intercept_)
        assert (two.gap_, two.n_iter_, two.t_) == (
            one.gap_,
            one.n_iter_,
            one.t_,
        )


def test_fewer_threads_than_there_are_is_one_thread():
    """As joblib reads n_jobs: −1 means all, −2 all but one, and so on."""
    X, y = DIGITS
    one = PegasosClassifier(1e-2, random_state=0, n_jobs=1).fit(X, y)
    two = PegasosClassifier(1e-2, random_state=0, n_jobs=-999).fit(X, y)
    np.testing.assert_array_equal(one.coef_, two.coef_)


def test_a_grid_of_lambdas_on_two_threads_is_the_same():
    """As scikit-learn shares it out, by joblib."""
    X, y = DIGITS
    scores = []
    for jobs in (1, 2):
        model = PegasosClassifier(random_state=0)
        grid = GridSearchCV(model, {"lam": [1e-2, 1e-3]}, cv=3, n_jobs=jobs)
        with parallel_config("threading"):
            grid.fit(X, y)
        scores.append(grid.cv_results_["mean_test_score"])
        scores.append(grid.best_estimator_.coef_)
    np.testing.assert_array_equal(scores[0], scores[2])
    np.testing.assert_array_equal(scores[1], scores[3])


def test_pegasos_goes_on_from_dual_ascent():
    """t steps are behind it, so the next ones are short."""
    X, y = DIGITS
    model = PegasosClassifier(1e-2, random_state=0).fit(X, y)
    before, t = f_of(model, X, y), model.t_
    rounds = model.n_iter_
    assert rounds * len(y) <= t <= 2 * rounds * len(y)
    model.partial_fit(X, y)
    assert model.t_ == t + len(y) and model.n_iter_ == rounds + 1
    assert f_of(model, X, y) < 1.2 * before


@pytest.mark.parametrize("option", [dict(average=True), dict(t0=1.0)])
def test_dual_ascent_has_neither_steps_nor_averages(option):
    X, y = random_problem(seed=3)
    with pytest.raises(ValueError, match="expected False and 0 with solver="):
        PegasosClassifier(**option).fit(X, y)
    PegasosClassifier(**option).partial_fit(X, y, classes=[-1, 1])


# In company


def test_pipeline_and_grid_search():
    X, y = DIGITS
    names = np.where(y < 0, "zero", "other")
    pipeline = make_pipeline(
        StandardScaler(),
        pegasos_classifier(
            random_state=0, max_iter=20, tol=None, average="suffix"
        ),
    )
    search = GridSearchCV(
        pipeline, {"pegasosclassifier__lam": [1e-3, 10.0]}, cv=3
    ).fit(X, names)
    assert search.best_params_ == {"pegasosclassifier__lam": 1e-3}
    assert search.best_score_ > 0.98
    assert set(search.predict(X)) == {"zero", "other"}


def test_defaults_are_those_of_the_page():
    """As the docstring gives them; a change of one changes every model."""
    assert PegasosClassifier().get_params() == {
        "lam": 1e-4,
        "loss": "hinge",
        "fit_intercept": True,
        "intercept_scaling": 1.0,
        "solver": "dual",
        "max_iter": 1000,
        "tol": 1e-2,
        "n_iter_no_change": 5,
        "t0": 0.0,
        "average": False,
        "class_weight": None,
        "random_state": None,
        "n_jobs": None,
    }


def test_a_score_of_zero_is_the_first_class_as_in_scikit_learn():
    X, y = random_problem(seed=3)
    nothing = np.zeros((1, X.shape[1]))
    shared = dict(fit_intercept=False, random_state=0)
    ours = pegasos_classifier(**shared).fit(X, y)
    theirs = SGDClassifier(**shared).fit(X, y)
    assert ours.decision_function(nothing) == 0.0
    assert ours.predict(nothing) == theirs.predict(nothing) == -1


@pytest.mark.parametrize("state", [7, None])
def test_random_state(state):
    X, y = random_problem(seed=3)
    shared = dict(lam=0.05, max_iter=2, tol=None)
    one, two = (
        pegasos_classifier(random_state=state, **shared).fit(X, y).coef_
        for _ in range(2)
    )
    assert (one == two).all() == (state == 7)
    shared_rng = np.random.RandomState(0)
    one, two = (
        pegasos_classifier(random_state=shared_rng, **shared).fit(X, y).coef_
        for _ in range(2)
    )
    assert (one != two).any()


# Bad parameters


@pytest.mark.parametrize(
    "changes, error, begins",
    [
        (dict(lam=0), ValueError, "lam is 0; expected"),
        (dict(lam="a"), TypeError, "lam is 'a' of type str; expected"),
        (dict(loss="log_loss"), ValueError, "loss is 'log_loss'; expected"),
        (dict(fit_intercept=1), TypeError, "fit_intercept is 1; expected"),
        (dict(intercept_scaling=0), ValueError, "intercept_scaling is 0; ex"),
        (dict(solver="sdca"), ValueError, "solver is 'sdca'; expected"),
        (dict(max_iter=0), ValueError, "max_iter is 0; expected"),
        (dict(tol=-1.0), ValueError, "tol is -1.0; expected"),
        (dict(tol=1), ValueError, "tol is 1.0; expected a share of f, below"),
        (dict(n_jobs=0), ValueError, "n_jobs is 0; expected another integer"),
        (dict(n_jobs=1.5), TypeError, "n_jobs is 1.5 of type float; expected"),
        (dict(n_jobs="a"), TypeError, "'a' of type str; expected an integer."),
        (dict(random_state="a"), ValueError, "random_state is 'a'; expected"),
        (dict(random_state=-1), ValueError, "random_state is -1; expected"),
        (dict(n_iter_no_change=0), ValueError, "n_iter_no_change is 0; exp"),
        (dict(t0=-1), ValueError, "t0 is -1; expected"),
        (dict(average="half"), ValueError, "average is 'half'; expected"),
        (dict(class_weight="even"), ValueError, "class_weight is 'even'; e"),
        (dict(class_weight={3: 1.0}), ValueError, "class_weight holds the la"),
        (dict(class_weight={1.0: -1}), ValueError, r"class_weight\[1.0\] is"),
    ],
)
def test_bad_parameters(changes, error, begins):
    X, y = random_problem(seed=3)
    with pytest.raises(error, match=begins):
        PegasosClassifier(**changes).fit(X, y)


@pytest.mark.parametrize(
    "weights, begins",
    [
        (np.ones(29), r"sample_weight has shape \(29,\); expected \(30,\)"),
        (np.ones((30, 1)), r"sample_weight has shape \(30, 1\); expected"),
        (np.full(30, -1.0), "sample_weight holds -1.0; expected"),
        (np.full(30, np.nan), "sample_weight holds nan; expected"),
        (np.arange(30) - 2.5, "sample_weight holds -2.5; expected"),
        (np.zeros(30), "sample_weight holds only zeros; expected"),
    ],
)
def test_bad_sample_weights(weights, begins):
    X, y = random_problem(seed=3)
    with pytest.raises(ValueError, match=begins):
        pegasos_classifier().fit(X, y, sample_weight=weights)


def test_labels_of_two_kinds_are_refused():
    X, _ = random_problem(seed=3)
    mixed = np.array([1, "a"] * 15, dtype=object)
    with pytest.raises(ValueError, match="^y is .* expected a list of labels"):
        pegasos_classifier().fit(X, mixed)


def test_bad_calls_of_partial_fit():
    X, y = random_problem(seed=3)
    with pytest.raises(ValueError, match="classes is None; expected all"):
        pegasos_classifier().partial_fit(X, y)
    with pytest.raises(ValueError, match="y holds the label .*-1.* expected"):
        pegasos_classifier().partial_fit(X, y, classes=[0, 1])
    with pytest.raises(ValueError, match="class_weight is 'balanced'; expec"):
        pegasos_classifier(class_weight="balanced").partial_fit(
            X, y, classes=[-1, 1]
        )
    model = pegasos_classifier().partial_fit(X, y, classes=[-1, 1])
    with pytest.raises(ValueError, match="classes is .*first call"):
        model.partial_fit(X, y, classes=[-1, 1, 2])
    with pytest.raises(ValueError, match="the parameters .*expected the sam"):
        model.set_params(lam=1.0).partial_fit(X, y)


def test_weights_that_overflow_are_said():
    with pytest.raises(FloatingPointError, match="no longer finite; expected"):
        pegasos_classifier(
            1e-300, fit_intercept=False, tol=None, max_iter=1
        ).fit([[1e200], [-1e200]], [0, 1])


@pytest.mark.parametrize(
    "classes", [3, [[1, -1]], [1, "a", None], [1, np.nan]]
)
def test_classes_are_a_list_of_labels_of_one_kind(classes):
    X, y = [[2.0], [-1.0]], [1, -1]
    with pytest.raises(ValueError, match="classes is .*; expected a list of"):
        PegasosClassifier().partial_fit(X, y, classes=classes)
    begun = PegasosClassifier().partial_fit(X, y, classes=[1, -1])
    with pytest.raises(ValueError, match="classes is .*; expected a list of"):
        begun.partial_fit(X, y, classes=classes)


@pytest.mark.parametrize("weight", [np.ones(2), "balance", 3.0, [1, 2]])
def test_a_class_weight_of_another_kind_is_named(weight):
    with pytest.raises(ValueError, match="class_weight is .*; expected a dic"):
        PegasosClassifier(class_weight=weight).fit([[2.0], [-1.0]], [1, -1])
