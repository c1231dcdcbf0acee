"""Bad input: one sentence with name, value and expectation, at once."""

import inspect
import re
import tracemalloc

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.linear_model import SGDClassifier
from sklearn.svm import LinearSVC

import pegasos_edu
from pegasos_edu import (
    PegasosClassifier,
    coursework,
    distributed,
    objective,
    optimum,
    subgradient,
)
from pegasos_edu.certificate import qp
from pegasos_edu.certificate.constrained import optimum_on
from pegasos_edu.certificate.gap import certify
from pegasos_edu.estimator import drop_in
from pegasos_edu.problem import checks
from pegasos_edu.problem.data import docstrings, noisy_halfspace
from pegasos_edu.solvers import dense, kernel, relatives
from pegasos_edu.solvers.ascent import ascend
from pegasos_edu.solvers.averaging import seed_of
from pegasos_edu.solvers.orders import draw_order
from pegasos_edu.solvers.projections import NORM_OVERFLOWS
from pegasos_edu.solvers.relatives import mirror_descent
from pegasos_edu.solvers.steps import Constant, InverseSqrt, PegasosStep
from tests.library.problems import SOLVERS, TAKE_SPARSE

X = np.array([[1.0, 2.0], [0.5, -1.0], [-1.0, 0.0], [2.0, 1.0]])
Y = np.array([1.0, -1.0, -1.0, 1.0])
NAN, INF = np.nan, np.inf


def with_entry(value, dtype=float):
    data = X.astype(dtype)
    data[2, 1] = value
    return data


# What is wrong, the error, how its sentence begins, what it expects.
BAD_DATA = [
    (
        dict(X=np.zeros((0, 2)), y=[]),
        ValueError,
        r"X has shape \(0, 2\)",
        r"\(n, d\), at least one row and one column",
    ),
    (dict(X=np.zeros((4, 0))), ValueError, r"X has shape \(4, 0\)", "column"),
    (dict(X=[]), ValueError, r"X has shape \(0,\)", r"\(n, d\)"),
    (dict(X=X[:, 0]), ValueError, r"X has shape \(4,\)", r"\(n, d\)"),
    (dict(X=X[:, :, None]), ValueError, r"X has shape \(4, 2, 1\)", "n, d"),
    (dict(X=None), TypeError, "X is None", "an array"),
    (
        dict(X=[[1.0], [2.0, 3.0], [1.0], [2.0]]),
        ValueError,
        "X is a list of rows of different lengths",
        "rows of one length",
    ),
    (
        dict(X=with_entry(NAN)),
        ValueError,
        "X holds nan in row 2, column 1",
        "finite numbers",
    ),
    (
        dict(X=with_entry(INF)),
        ValueError,
        "X holds inf in row 2, column 1",
        "finite numbers",
    ),
    (
        dict(X=with_entry(-INF, np.float32)),
        ValueError,
        "X holds -inf in row 2, column 1",
        "finite numbers",
    ),
    (
        dict(X=X.astype(complex)),
        TypeError,
        "X has dtype complex128",
        "real numbers",
    ),
    (dict(X=X.astype(object)), TypeError, "X has dtype object", "real"),
    (dict(X=X.astype(str)), TypeError, "X has dtype <U", "real numbers"),
    (
        dict(X=X.astype(np.longdouble)),
        TypeError,
        "X has dtype .*float",
        "float64, float32",
    ),
    (
        dict(X=np.ma.array(X, mask=X > 1.5)),
        TypeError,
        "X is a masked array",
        "no entry masked",
    ),
    (dict(y=Y[:3]), ValueError, "y has 3 labels", "4, one for each row"),
    (dict(y=[1, -1, -1, 1, 1]), ValueError, "y has 5 labels", "4"),
    (dict(y=Y[:, None]), ValueError, r"y has shape \(4, 1\)", r"\(4,\)"),
    (dict(y=1.0), ValueError, r"y has shape \(\)", r"\(4,\)"),
    (dict(y=[1, 0, 0, 1]), ValueError, r"y\[1\] is 0", "-1 or \\+1"),
    (dict(y=[1, -1, 2, 1]), ValueError, r"y\[2\] is 2", "-1 or \\+1"),
    (dict(y=[1, -1, NAN, 1]), ValueError, r"y\[2\] is nan", "-1 or \\+1"),
    (dict(y=[True, False, False, True]), ValueError, r"y\[1\] is 0", "-1"),
    (
        dict(y=[1, 1, 1, 1]),
        ValueError,
        r"y holds only the label \+1",
        "both -1 and \\+1",
    ),
    (
        dict(y=[-1, -1, -1, -1]),
        ValueError,
        "y holds only the label -1",
        "both -1 and \\+1",
    ),
    (dict(y=["a", "b", "b", "a"]), TypeError, "y has dtype <U1", "real"),
    (dict(y=Y.astype(complex)), TypeError, "y has dtype complex", "real"),
    (dict(y=None), TypeError, "y is None", "an array"),
    (
        dict(y=sp.csr_array(Y[None, :])),
        TypeError,
        "y is a sparse matrix",
        "an array",
    ),
    (dict(lam=0), ValueError, "lam is 0", "finite number above 0"),
    (dict(lam=-0.1), ValueError, "lam is -0.1", "finite number above 0"),
    (dict(lam=NAN), ValueError, "lam is nan", "finite number above 0"),
    (dict(lam=INF), ValueError, "lam is inf", "finite number above 0"),
    (dict(lam=10**400), ValueError, "lam is 1000", "finite number above 0"),
    (dict(lam="0.1"), TypeError, "lam is '0.1' of type str", "above 0"),
    (dict(lam=None), TypeError, "lam is None", "finite number above 0"),
    (dict(lam=True), TypeError, "lam is True of type bool", "above 0"),
    (dict(lam=1j), TypeError, "lam is 1j", "finite number above 0"),
    (
        dict(lam=np.array([0.1])),
        TypeError,
        r"lam is array\(\[0.1\]\)",
        "above 0",
    ),
    (dict(lam=1e-310), ValueError, "lam is 1e-310", "not overflow"),
    (
        dict(loss="squared"),
        ValueError,
        "loss is 'squared'",
        "one of 'hinge', 'log'",
    ),
    (dict(loss=None), ValueError, "loss is None", "one of 'hinge', 'log'"),
]
DRAWN = dict(order=None, T=5, seed=0)
BAD_RUNS = [
    (
        dict(order=None),
        ValueError,
        "order is None, T is None and seed is None",
        "either an order or both T and seed",
    ),
    (
        dict(order=None, T=5),
        ValueError,
        "order is None, T is 5 and seed is N",
        "both T and seed",
    ),
    (dict(order=None, seed=5), ValueError, "order is None, T is None", "both"),
    (dict(seed=1), ValueError, "order and seed = 1 are both given", "one of"),
    (dict(T=5), ValueError, "T is 5", "length of order, 3"),
    (dict(DRAWN, T=0), ValueError, "T is 0", "integer of at least 1"),
    (dict(DRAWN, T=-3), ValueError, "T is -3", "integer of at least 1"),
    (dict(DRAWN, T=2.0), TypeError, "T is 2.0 of type float", "integer"),
    (dict(DRAWN, T=True), TypeError, "T is True of type bool", "integer"),
    (dict(DRAWN, T="5"), TypeError, "T is '5' of type str", "integer"),
    (dict(T=True, order=[0]), TypeError, "T is True of type bool", "integer"),
    (dict(DRAWN, seed=1.5), TypeError, "seed is 1.5 of type float", "integer"),
    (dict(DRAWN, seed=-1), ValueError, "seed is -1", "at least 0"),
    (dict(DRAWN, seed=False), TypeError, "seed is False", "integer"),
    (dict(DRAWN, k=0), ValueError, "k is 0", "integer of at least 1"),
    (dict(k=0), ValueError, "k is 0", "integer of at least 1"),
    (dict(DRAWN, k=1.0), TypeError, "k is 1.0 of type float", "integer"),
    (
        dict(DRAWN, k=5, sampling="without"),
        ValueError,
        "k is 5",
        "at most n = 4 when sampling without replacement",
    ),
    (
        dict(DRAWN, sampling="random"),
        ValueError,
        "sampling is 'random'",
        "one of 'iid', 'without', 'epochs', 'blocks'",
    ),
    (
        dict(order=[0, 1], sampling="epochs"),
        ValueError,
        "order is given and sampling is 'epochs'",
        "one of them: sampling says how an order is drawn",
    ),
    (
        dict(DRAWN, callback=print),
        ValueError,
        "callback is given and snapshots is empty",
        "the steps after which it is called",
    ),
    (dict(sampling=["iid"]), ValueError, r"sampling is \['iid'\]", "one of"),
    (dict(order=[]), ValueError, r"order has shape \(0,\)", "T and k at le"),
    (dict(order=()), ValueError, r"order has shape \(0,\)", "T and k at le"),
    (dict(order=[[]]), ValueError, r"order has shape \(1, 0\)", "at least"),
    (
        dict(order=np.zeros((0, 2), int)),
        ValueError,
        r"order has shape \(0, 2\)",
        "T and k at least 1",
    ),
    (
        dict(order=np.zeros((2, 2, 2), int)),
        ValueError,
        r"order has shape \(2, 2, 2\)",
        r"\(T,\) or \(T, k\)",
    ),
    (dict(order=1), ValueError, r"order has shape \(\)", r"\(T,\)"),
    (dict(order=[0, 4]), ValueError, "order holds 4", "from 0 to 3"),
    (dict(order=[0, -1]), ValueError, "order holds -1", "from 0 to 3"),
    (
        dict(order=[0.0, 1.0]),
        TypeError,
        "order has dtype float64",
        "integers, the row numbers",
    ),
    (dict(order=[True, False]), TypeError, "order has dtype bool", "integers"),
    (
        dict(order=[True, 2]),
        TypeError,
        "order holds True or False",
        "integers",
    ),
    (dict(order=["0"]), TypeError, "order has dtype <U1", "integers"),
    (
        dict(order=[[0, 1], [2]]),
        ValueError,
        "order is a list of rows of different lengths",
        "one length",
    ),
    (dict(order=[10**30]), TypeError, "order has dtype object", "integers"),
    (
        dict(order=np.array([2**63 + 1], np.uint64)),
        ValueError,
        "order holds 9223372036854775809",
        "from 0 to 3",
    ),
    (
        dict(order=[[0, 1], [2, 3]], k=3),
        ValueError,
        "order has 2 rows a step",
        "k = 3",
    ),
    (dict(order=[0, 1], k=2), ValueError, "order has 1 rows a step", "k = 2"),
    (dict(radius=0.0), ValueError, "radius is 0.0", "above 0"),
    (dict(radius=-1), ValueError, "radius is -1", "above 0"),
    (dict(radius=NAN), ValueError, "radius is nan", "above 0"),
    (dict(radius="big"), TypeError, "radius is 'big'", "above 0"),
    (
        dict(radius=1e200),
        ValueError,
        r"radius is 1e\+200",
        r"from 1e-150 to 1e\+150, so that its square does not overflow",
    ),
    (dict(radius=1e-200), ValueError, "radius is 1e-200", "not overflow"),
    (dict(step=0.1), TypeError, "step is 0.1", "function t -> step size"),
    (dict(step=lambda: 1.0), TypeError, "step is <function", "one argument"),
    (dict(step=lambda t, w: 1), TypeError, "step is <func", "one argument"),
    (dict(step=lambda t: NAN), ValueError, r"step\(1\) is nan", "at least 0"),
    (
        dict(step=lambda t: 1.0 if t < 3 else -1.0),
        ValueError,
        r"step\(3\) is -1.0",
        "at least 0",
    ),
    (dict(step=lambda t: None), TypeError, r"step\(1\) is None", "at least"),
    (dict(average_from=0), ValueError, "average_from is 0", "from 1 to 3"),
    (dict(average_from=4), ValueError, "average_from is 4", "from 1 to 3"),
    (dict(average_from=1.0), TypeError, "average_from is 1.0", "integer"),
    (dict(average_from=True), TypeError, "average_from is True", "integer"),
    (dict(snapshots=[0]), ValueError, "snapshots holds 0", "1 to T = 3"),
    (dict(snapshots=[4]), ValueError, "snapshots holds 4", "1 to T = 3"),
    (
        dict(snapshots=[1.0]),
        TypeError,
        "snapshots has dtype float64",
        "integers, the steps to keep",
    ),
    (dict(snapshots=[True]), TypeError, "snapshots has dtype bool", "integ"),
    (dict(snapshots=[[1]]), ValueError, r"snapshots has shape \(1, 1\)", "S"),
    (dict(snapshots=[[]]), ValueError, r"snapshots has shape \(1, 0\)", "S"),
    (
        dict(snapshots=[[1], [1, 2]]),
        ValueError,
        "snapshots is a list of rows of different lengths",
        "rows of one length",
    ),
    (dict(snapshots=3), ValueError, r"snapshots has shape \(\)", "list"),
    (dict(callback=1), TypeError, "callback is 1", r"a function \(t, w\)"),
    (
        dict(callback=lambda: 0),
        TypeError,
        "callback is <function",
        "of two arguments",
    ),
    (dict(progress="yes"), TypeError, "progress is 'yes'", "True or False"),
    (
        dict(lam=1e308, order=[0] * 5),
        ValueError,
        r"lam is 1e\+308",
        r"lam\*T \(here T = 5\) does not overflow",
    ),
]


def label(case):
    return "-".join(f"{key}={value!r:.25}" for key, value in case[0].items())


def assert_one_sentence(error, begins, expects):
    message = str(error)
    assert re.match(begins, message), message
    assert re.search("expected.*" + expects, message), message
    assert message.endswith(".") and "\n" not in message, message


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(
    "changes, error, begins, expects",
    BAD_DATA + BAD_RUNS,
    ids=map(label, BAD_DATA + BAD_RUNS),
)
def test_solvers(solver, changes, error, begins, expects):
    arguments = {"X": X, "y": Y, "lam": 0.1, "order": [0, 1, 2], **changes}
    if arguments["order"] is None:
        del arguments["order"]
    if (
        "step" in changes
        and solver is SOLVERS["closed_form"]
        and callable(changes["step"])
        and expects != "one argument"
    ):
        begins, expects = "radius is None and step is", "PegasosStep"
        error = ValueError
    with pytest.raises(error) as caught:
        solver(**arguments)
    assert_one_sentence(caught.value, begins, expects)


@pytest.mark.parametrize(
    "solver, word, meant",
    [
        (SOLVERS["loop"], "step_sise", "step"),
        (SOLVERS["compiled"], "lamb", "lam"),
        (mirror_descent, "lasy", "lazy"),
        (relatives.sgd, "bal", "ball"),
        (relatives.adagrad, "dleta", "delta"),
        (relatives.gradient_descent, "radios", "radius"),
        (kernel.pegasos, "kernle", "kernel"),
    ],
)
def test_a_misspelt_argument_is_told_its_likely_name(solver, word, meant):
    with pytest.raises(TypeError) as caught:
        solver(X, Y, **{word: 0.1})
    begins = rf".*has no argument '{word}' \(did you mean '{meant}'\?\);"
    assert_one_sentence(caught.value, begins, "X, y, lam, T, ")


def test_what_resembles_no_argument_gets_no_hint():
    with pytest.raises(TypeError) as caught:
        SOLVERS["dense"](X, Y, 0.1, zzz=1)
    assert_one_sentence(caught.value, "dense.pegasos has no .*'zzz';", "lam")


@pytest.mark.parametrize(
    "given, too_many", [((), False), ((0.1, 3, 5), True)], ids=str
)
def test_too_few_and_too_many_arguments(given, too_many):
    begins = "too many positional" if too_many else "missing .* 'lam'"
    with pytest.raises(TypeError) as caught:
        SOLVERS["dense"](X, Y, *given)
    assert_one_sentence(caught.value, f"dense.pegasos: {begins}", "X, y, lam")


def test_what_has_no_place_is_told_apart():
    with pytest.raises(TypeError) as caught:
        SOLVERS["dense"](X, Y, 0.1, 3, 5)
    ends = "expected X, y, lam, T, then by name: order, seed, "
    assert ends in str(caught.value)
    with pytest.raises(TypeError, match="'lam'; expected X, y, lam[.]$"):
        SOLVERS["dense"](X, Y)


# What a user may call, and not only a solver: the whole argument list.
CALLED = {
    "subgradient": subgradient,
    "objective": objective,
    "optimum": optimum,
    "minimise": pegasos_edu.minimise,
    "draw_order": draw_order,
    "explore": pegasos_edu.explore,
    "certify": certify,
    "optimum_on": optimum_on,
    "coursework.check": coursework.check,
    "coursework.tournament": coursework.tournament,
    **{
        f"distributed.{name}": getattr(distributed, name)
        for name in ("load", "objective", "certify", "pegasos", "optimum")
    },
}


@pytest.mark.parametrize("name", CALLED)
def test_functions_refuse_an_argument_that_they_have_not(name):
    with pytest.raises(TypeError) as caught:
        CALLED[name](nonsense=1)
    begins = rf"{name} has no argument 'nonsense'"
    assert_one_sentence(caught.value, begins, "")


def test_every_public_function_is_among_them():
    """A class is called as Python calls it, a module is not called."""
    functions = {
        name
        for name in pegasos_edu.__all__
        if inspect.isfunction(getattr(pegasos_edu, name))
    }
    assert functions - {"pegasos"} <= set(CALLED)  # a solver: see above


@pytest.mark.parametrize(
    "changes, error, begins, expects",
    [
        (dict(lam=10**400), ValueError, "lam is 1000", "a finite number"),
        (
            *(dict(lam=10**5000), ValueError),
            *("lam is an integer of more than 4300 digits", "a finite"),
        ),
    ],
)
@pytest.mark.parametrize("function", [optimum, pegasos_edu.minimise])
def test_numbers_beyond_all_measure(function, changes, error, begins, expects):
    with pytest.raises(error) as caught:
        function(**{"X": X, "y": Y, "lam": 0.1, **changes})
    assert_one_sentence(caught.value, begins, expects)
    assert len(str(caught.value)) < 200


def test_what_underflows_or_overflows_has_no_certificate():
    with pytest.raises(ValueError, match="squares of X over lam overflow; ex"):
        optimum(1e140 * X, Y, 1e-60)
    with pytest.raises(ValueError, match="squares of X over lam overflow; ex"):
        pegasos_edu.minimise(1e149 * X, Y, 1e-15)
    with pytest.raises(ValueError, match="squares of X over lam overflow; ex"):
        pegasos_edu.minimise(1e140 * X, Y, 1e-60)
    with pytest.raises(ValueError, match=r"f\(w\) underflows to 0; expected"):
        pegasos_edu.minimise([[1e140], [-2e140]], [1, -1], 1e-60, loss="log")


@pytest.mark.filterwarnings("ignore:the relative gap is 1.0e")
@pytest.mark.parametrize("factor", [1e0, 1e15, 1e20, 1e60, 1e80, 1e120])
def test_a_dual_that_is_lost_in_rounding_certifies_nothing(factor):
    """It may come out above f(w), up to 10^238 times as large."""
    rows = factor * np.array([[1.0, 2], [2, 1], [-1, -1], [-2, 0.5]])
    gaps = [
        pegasos_edu.minimise(rows, y, 1e-15, max_rounds=30).gap
        for y in ([1, 1, -1, -1], [1, -1, -1, 1])
    ]
    assert all(-1e-8 <= gap <= 1.0 for gap in gaps)


@pytest.mark.parametrize("factor, lam", [(1e150, 1e-4), (1e148, 1e-2)])
def test_squares_that_nearly_overflow_have_no_proof(factor, lam):
    """They are finite; their products are not."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((30, 4))
    y = np.where(rows.sum(axis=1) + rng.standard_normal(30) > 0, 1, -1)
    with pytest.raises(RuntimeError, match=r"gap is 1\.0e\+00; expected at"):
        optimum(factor * rows, y, lam)


def test_a_gap_of_no_number_is_no_proof():
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((30, 4))
    y = np.where(rows.sum(axis=1) + rng.standard_normal(30) > 0, 1, -1)
    with pytest.raises(RuntimeError, match=r"gap is 1\.0e\+00; expected at"):
        optimum(rows, y, 1e-300)


@pytest.mark.parametrize("large", [1e8, 1e9, 1e10, 1e12])
@pytest.mark.parametrize("lam", [1e-2, 1e-4, 1e-6])
def test_a_column_beyond_all_others_is_no_obstacle(large, lam):
    """Newton's equations are singular there, in floating point."""
    for seed in range(6):
        rng = np.random.default_rng(seed)
        rows = rng.standard_normal((30, 4))
        y = np.where(rows.sum(axis=1) + rng.standard_normal(30) > 0, 1, -1)
        rows *= [0.01, 1.0, 1.0, large]
        found = pegasos_edu.minimise(rows, y, lam)
        assert found.gap <= 1e-2
        assert found.primal <= 1.01 * optimum(rows, y, lam).primal


def test_an_optimum_without_a_proof_is_refused_without_a_warning():
    with pytest.raises(RuntimeError, match="the relative gap is"):
        optimum(X, Y, 1e-300)


@pytest.mark.parametrize(
    "options, error, begins",
    [
        (dict(class_weight={-1: 0, 1: 0}), ValueError, "class_weight is {-1:"),
        (dict(average=np.ones(2)), ValueError, r"average is array\("),
        (dict(random_state="a"), ValueError, "random_state is 'a'"),
    ],
)
def test_a_classifier_says_what_it_was_given(options, error, begins):
    with pytest.raises(error) as caught:
        PegasosClassifier(**options).fit(X, Y)
    assert_one_sentence(caught.value, begins, "")


def test_a_classifier_refuses_labels_that_are_none():
    with pytest.raises(ValueError, match="one kind and none of them nan"):
        PegasosClassifier().partial_fit(X, Y, classes=[-1, 1, np.nan])
    with pytest.raises(ValueError, match="y holds the label 3;"):
        PegasosClassifier(solver="pegasos").partial_fit(
            X, 3 * np.ones(4, dtype=int), classes=[-1, 1]
        )


def test_passes_whose_objective_overflows_end():
    with pytest.raises(FloatingPointError, match="no longer finite; expected"):
        PegasosClassifier(solver="pegasos").fit(1e200 * X, Y)


@pytest.mark.parametrize(
    "model, begins",
    [
        (LinearSVC(loss="hinge", C=0), "C is 0"),
        (SGDClassifier(alpha=0), "lam is 0"),
    ],
)
def test_a_model_without_a_minimum_has_no_drop_in(model, begins):
    with pytest.raises(ValueError, match=f"^{begins}; expected a finite num"):
        drop_in(model, 5)


@pytest.mark.parametrize("wrong", [dict(lam=-1.0), dict(loss="x")])
def test_ascend_checks_its_two_choices(wrong):
    with pytest.raises(ValueError, match="expected"):
        next(ascend(X, Y, **{"lam": 0.1, **wrong}))


def test_a_machine_has_a_seed_of_at_least_zero():
    with pytest.raises(ValueError, match="seed is -1; expected an integer"):
        seed_of(-1, 0, 0)


@pytest.mark.parametrize(
    "changes, found",
    [
        (dict(loss="hing"), r"loss is 'hing' \(did you mean 'hinge'\?\);"),
        (
            dict(sampling="epoch", order=None, T=3, seed=0),
            r"sampling is 'epoch' \(did you mean 'epochs'\?\);",
        ),
        (dict(loss="squared"), "loss is 'squared';"),
        (dict(loss=3), "loss is 3;"),
    ],
)
def test_a_misspelt_choice_is_told_the_likely_one(changes, found):
    with pytest.raises(ValueError, match="expected one of") as caught:
        SOLVERS["sparse"](X, Y, **{"lam": 0.1, "order": [0], **changes})
    assert_one_sentence(caught.value, found, "one of")


@pytest.mark.parametrize("function", [objective, subgradient, optimum])
@pytest.mark.parametrize(
    "changes, error, begins, expects", BAD_DATA, ids=map(label, BAD_DATA)
)
def test_functions_of_the_data(function, changes, error, begins, expects):
    arguments = {"X": X, "y": Y, "lam": 0.1, **changes}
    if function is not optimum:
        arguments["w"] = np.zeros(2)
    with pytest.raises(error) as caught:
        function(**arguments)
    assert_one_sentence(caught.value, begins, expects)


@pytest.mark.parametrize("function", [objective, subgradient])
@pytest.mark.parametrize(
    "w, error, begins",
    [
        ([1.0], ValueError, r"w has shape \(1,\)"),
        (np.zeros((2, 3)), ValueError, r"w has shape \(2, 3\)"),
        (1.0, ValueError, r"w has shape \(\)"),
        ([1.0, NAN], ValueError, "w holds nan"),
        (["a", "b"], TypeError, "w has dtype <U1"),
        ([1j, 0], TypeError, "w has dtype complex128"),
    ],
)
def test_weights(function, w, error, begins):
    with pytest.raises(error) as caught:
        function(w, X, Y, 0.1)
    assert_one_sentence(caught.value, begins, "")


def test_which_weights_were_expected():
    both = r"expected \(2,\) or \(S, 2\), as X has 2 columns"
    with pytest.raises(ValueError, match=both):
        objective(np.zeros(3), X, Y, 0.1)
    with pytest.raises(ValueError, match=r"expected \(2,\), as X has 2 col"):
        subgradient(np.zeros(3), X, Y, 0.1)
    assert objective(np.zeros((3, 2)), X, Y, 0.1).shape == (3,)


def test_subgradient_takes_one_w_only():
    with pytest.raises(ValueError, match=r"w has shape \(3, 2\); expected"):
        subgradient(np.zeros((3, 2)), X, Y, 0.1)


@pytest.mark.parametrize(
    "changes, error, begins",
    [
        (dict(tol=0.0), ValueError, "tol is 0.0"),
        (dict(tol="tight"), TypeError, "tol is 'tight'"),
        (dict(max_epochs=0), ValueError, "max_epochs is 0"),
        (dict(max_epochs=1.5), TypeError, "max_epochs is 1.5"),
    ],
)
def test_optimum_options(changes, error, begins):
    with pytest.raises(error) as caught:
        optimum(X, Y, 0.1, **changes)
    assert_one_sentence(caught.value, begins, "")


@pytest.mark.parametrize(
    "make, error, begins",
    [
        (lambda: draw_order(0, 5, seed=0), ValueError, "n is 0"),
        (lambda: draw_order(5, 5, seed=None), TypeError, "seed is None"),
        (lambda: PegasosStep(0.0), ValueError, "lam is 0.0"),
        (lambda: PegasosStep(0.1, t0=-1), ValueError, "t0 is -1"),
        (lambda: PegasosStep(0.1, t0=NAN), ValueError, "t0 is nan"),
        (lambda: InverseSqrt(0), ValueError, "scale is 0"),
        (lambda: InverseSqrt("1"), TypeError, "scale is '1'"),
        (lambda: Constant(-1.0), ValueError, "eta is -1.0"),
        (lambda: Constant(INF), ValueError, "eta is inf"),
    ],
)
def test_orders_and_steps(make, error, begins):
    with pytest.raises(error) as caught:
        make()
    assert_one_sentence(caught.value, begins, "")


# Sparse data


def broken_csr(indices):
    whole = sp.csr_array(X)
    whole.indices = np.asarray(indices, dtype=np.int32)
    return whole


def test_where_the_columns_of_a_csr_matrix_lead():
    with pytest.raises(ValueError, match="expected columns from 0 to 1 and"):
        TAKE_SPARSE["sparse"](
            broken_csr([0, 1, 0, 5, 0, 0, 1]), Y, 0.1, order=[0, 1, 2, 3]
        )


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_array])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "bool"])
def test_data_of_few_digits_become_float64(form, dtype):
    """In int8, 100 + 100 and 100 · 2 would be −56."""
    kept = checks.as_matrix(form(np.array([[1, 0], [0, 1]], dtype=dtype)))
    assert kept.dtype == np.float64
    assert checks.as_labels(np.array([1, 0], dtype=dtype), 2).dtype == float
    small = checks.as_matrix(form(np.ones((2, 2), dtype="float32")))
    assert small.dtype == np.float32


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
@pytest.mark.parametrize(
    "data, error, begins",
    [
        (
            sp.csr_array(with_entry(NAN)),
            ValueError,
            "X holds nan in row 2, column 1",
        ),
        (
            sp.csc_array(with_entry(INF)),
            ValueError,
            "X holds inf in row 2, column 1",
        ),
        (sp.csr_array(X.astype(complex)), TypeError, "X has dtype complex"),
        (sp.coo_array(X.astype(complex)), TypeError, "X has dtype complex"),
        (sp.csr_array((0, 3)), ValueError, r"X has shape \(0, 3\)"),
        (sp.csr_array((3, 0)), ValueError, r"X has shape \(3, 0\)"),
        (sp.coo_array(np.ones(4)), ValueError, r"X has shape \(4,\)"),
        (sp.csr_array(X[:3]), ValueError, "y has 4 labels"),
        (
            broken_csr([0, 1, 0, 1, 0, 0, 7]),
            ValueError,
            "X is no valid CSR matrix",
        ),
        (
            broken_csr([0, 1, 0, 1, -1, 0, 1]),
            ValueError,
            "X is no valid CSR matrix",
        ),
    ],
)
def test_sparse_data(solver, data, error, begins):
    with pytest.raises(error) as caught:
        solver(data, Y, 0.1, order=[0, 3, 2])
    assert_one_sentence(caught.value, begins, "")


@pytest.mark.parametrize("make", [np.asarray, sp.csr_array, sp.coo_array])
@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_only_drawn_rows_are_looked_at(solver, make):
    """What stands in other rows changes nothing, be it NaN or infinite."""
    wanted = solver(X, Y, 0.1, order=[0, 3, 1])
    for value in (NAN, INF):
        found = solver(make(with_entry(value)), Y, 0.1, order=[0, 3, 1])
        np.testing.assert_array_equal(found.last, wanted.last)


@pytest.mark.parametrize("sampling", ["iid", "epochs", "blocks"])
@pytest.mark.parametrize("n, T, k", [(7, 1, 1), (7, 40, 1), (7, 9, 3)])
def test_each_row_drawn_is_named_once(sampling, n, T, k):
    """However late it is drawn; also of so many rows that they are sorted."""
    for seed in range(30):
        order = draw_order(n, T, k, sampling, seed=seed).reshape(T, k)
        for total in (n, 1000 * T * k + n):
            found = checks.each_once(order, total)
            assert found.tolist() == sorted(set(order.ravel().tolist()))


@pytest.mark.parametrize("make", [np.array, sp.csr_array])
def test_how_many_rows_a_check_looks_at(monkeypatch, make):
    """Those drawn; all together if more than a quarter of them is drawn."""
    seen = []
    find = checks._check_finite

    def spy(block, rows=None):
        seen.append(block.shape[0])
        return find(block, rows)

    monkeypatch.setattr(checks, "_check_finite", spy)
    data = np.ones((1000, 2))
    data[-1] = NAN

    def looked_at(drawn):
        seen.clear()
        checks.check_entries(checks.as_matrix(make(data)), np.arange(drawn))
        return seen.copy()

    assert looked_at(250) == [250]  # NaN elsewhere is not met
    assert looked_at(251) == [1000, 251]
    data[-1] = 1.0
    assert looked_at(250) == [250]
    assert looked_at(251) == [1000]


def test_of_a_file_only_the_drawn_rows_are_looked_at(monkeypatch, tmp_path):
    np.save(tmp_path / "X.npy", np.ones((1000, 2)))
    data = checks.as_matrix(np.load(tmp_path / "X.npy", mmap_mode="r"))
    seen = []
    monkeypatch.setattr(
        checks, "_check_finite", lambda block, rows: seen.append(len(rows))
    )
    checks.check_entries(data, np.arange(900))
    assert sum(seen) == 900


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_row_starts_that_fall_are_refused_where_drawn(solver):
    whole = sp.csr_array(X)
    whole.indptr = whole.indptr.copy()
    whole.indptr[2] = 0  # row 1 would end before it begins
    for order in ([1, 0], [0, 1, 2, 3]):
        with pytest.raises(ValueError, match="X is no valid CSR .* row star"):
            solver(whole, Y, 0.1, order=order)
    whole.indptr[1:3] = -2, -1  # row 1 would begin before the data
    with pytest.raises(ValueError, match="X is no valid CSR .* row starts"):
        solver(whole, Y, 0.1, order=[1, 1])
    whole.indptr[1:3] = 2, 40  # row 1 would end beyond the data
    with pytest.raises(ValueError, match="X is no valid CSR .* row starts"):
        solver(whole, Y, 0.1, order=[1, 0])


@pytest.mark.parametrize("solver", TAKE_SPARSE.values(), ids=TAKE_SPARSE)
def test_unsorted_and_repeated_columns_count_as_their_sum(solver):
    values, cols = [2.0, 0.5, 0.5, 0.5, -1, -1, 2, 1], [1, 0, 0, 0, 1, 0, 0, 1]
    messy = sp.csr_array((values, cols, [0, 3, 5, 6, 8]), shape=(4, 2))
    kept = [array.copy() for array in (messy.data, messy.indices)]
    for order in ([0, 1], [0, 1, 2, 3], [2, 3]):
        found = solver(messy, Y, 0.1, order=order).last
        wanted = solver(X, Y, 0.1, order=order).last
        np.testing.assert_allclose(found, wanted, rtol=1e-14)
    np.testing.assert_array_equal(messy.data, kept[0])
    np.testing.assert_array_equal(messy.indices, kept[1])
    messy.data[1:3] = 1e308  # each is finite, their sum is not
    with pytest.raises(ValueError, match="X holds inf in row 0, column 0"):
        solver(messy, Y, 0.1, order=[0, 1])


def test_a_row_may_be_longer_than_what_is_looked_at_together():
    wide = np.ones((8, 70_000))
    labels = np.tile([1.0, -1.0], 4)
    assert SOLVERS["dense"](wide, labels, 1.0, order=[2]).last[0] == 1.0
    wide[2, -1] = INF
    with pytest.raises(ValueError, match="X holds inf in row 2, column 69999"):
        SOLVERS["dense"](wide, labels, 1.0, order=[2])


def test_the_other_label_may_be_the_first():
    """Where the rows drawn are of one kind, the first label counts, too."""
    labels = np.array([-1.0, 1.0, 1.0])
    found = checks.check_labels(labels, np.array([1, 2]))
    np.testing.assert_array_equal(found, labels)


def test_the_last_step_may_be_kept():
    assert checks.check_snapshots([3, 1], 3).tolist() == [1, 3]


def test_labels_are_looked_at_to_the_last_block():
    n = 3 * 2**16 + 5
    data, labels = np.ones((n, 1)), np.ones(n)
    with pytest.raises(ValueError, match=r"y holds only the label \+1"):
        SOLVERS["dense"](data, labels, 0.1, order=[0])
    labels[-1] = -1.0
    SOLVERS["dense"](data, labels, 0.1, order=[0])
    labels[-1] = 2.0
    with pytest.raises(ValueError, match=rf"y\[{n - 1}\] is 2"):
        SOLVERS["dense"](data, labels, 0.1, order=[0])


@pytest.mark.parametrize("rung", SOLVERS)
def test_only_labels_of_rows_drawn_are_looked_at(rung):
    data, labels = np.ones((300, 1)), np.full(300, np.nan)
    labels[[3, 7]] = 1.0, -1.0
    kept = SOLVERS[rung](data, labels, 0.1, order=[3, 7, 3]).last
    labels[:] = np.where(np.arange(300) == 7, -1.0, 1.0)
    same = SOLVERS[rung](data, labels, 0.1, order=[3, 7, 3]).last
    np.testing.assert_array_equal(kept, same)
    labels[7] = 0.0
    with pytest.raises(ValueError, match=r"y\[7\] is 0; expected every label"):
        SOLVERS[rung](data, labels, 0.1, order=[3, 7, 3])


@pytest.mark.parametrize("rung", SOLVERS)
def test_nothing_is_made_of_rows_that_are_not_drawn(rung):
    """A list of labels would take 32 bytes for each of them.

    SciPy takes four for the row starts of a new matrix, and leaves them.
    """

    def peak(n):
        data, labels = np.ones((n, 1)), np.ones(n)
        labels[1] = -1.0
        if rung in TAKE_SPARSE:
            data = sp.csr_array(data)
        SOLVERS[rung](data, labels, 0.1, order=[0, 1])  # compiled now
        tracemalloc.start()
        SOLVERS[rung](data, labels, 0.1, order=[0, 1])
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return most

    assert peak(200_000) < peak(100) + 5 * 200_000


def test_labels_of_another_row_are_looked_at_until_both_kinds_are_found():
    data, labels = np.ones((9, 1)), np.ones(9)
    labels[[2, 8]] = -1.0, 5.0
    with pytest.raises(ValueError, match=r"y\[8\] is 5"):
        SOLVERS["dense"](data, labels, 0.1, order=[0, 1])
    SOLVERS["dense"](data, labels, 0.1, order=[0, 2])


@pytest.mark.parametrize("name", ["loop", "dense"])
def test_dense_rungs_say_where_sparse_data_belong(name):
    with pytest.raises(TypeError, match="X is a sparse matrix; .*toarray"):
        SOLVERS[name](sp.csr_array(X), Y, 0.1, order=[0])


@pytest.mark.parametrize(
    "options",
    [
        dict(radius=1.0),
        dict(step=Constant(0.1)),
        dict(step=PegasosStep(0.2)),
        dict(step=PegasosStep(0.05)),
    ],
)
def test_closed_form_refuses_what_has_none(options):
    with pytest.raises(ValueError, match="radius is .* expected no project"):
        SOLVERS["closed_form"](X, Y, 0.1, order=[0], **options)


# Nothing is done before all is checked


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(
    "changes",
    [
        dict(y=Y[:3]),
        dict(X=X[:, 0]),
        dict(lam=-1),
        dict(loss="none"),
        dict(radius=-1),
        dict(callback=3),
        dict(k=10, sampling="without"),
        dict(step=2.0),
    ],
    ids=str,
)
def test_no_order_is_drawn_first(solver, changes):
    """So many steps could not even be drawn."""
    arguments = {"X": X, "y": Y, "lam": 0.1, "T": 10**16, "seed": 0}
    with pytest.raises((ValueError, TypeError)) as caught:
        solver(**{**arguments, **changes})
    assert "expected" in str(caught.value)


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_callback_is_not_called_before_all_is_checked(solver):
    called = []
    with pytest.raises(ValueError, match="X holds nan"):
        solver(
            with_entry(NAN),
            Y,
            0.1,
            order=[0, 2],
            snapshots=[1],
            callback=lambda t, w: called.append(t),
        )
    assert called == []


# Overflow is said, never a silent NaN or zero


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize("lam", [1e-300, 1e-200, 1e-160, 1e160, 1e300])
@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
@pytest.mark.parametrize("radius", [None, 10.0])
def test_extremes_are_finite_and_right_or_refused(solver, lam, size, radius):
    """For two steps the iterates follow by hand."""
    if radius and solver is SOLVERS["closed_form"]:
        return
    data, labels = np.array([[size], [-size]]), [1, -1]
    first = size / lam if radius is None else min(radius, size / lam)
    try:
        run = solver(
            data, labels, lam, order=[0, 1], snapshots=[1], radius=radius
        )
    except FloatingPointError as error:
        assert re.search("no longer finite|overflows", str(error))  # noqa: PT017
        assert size / lam > 1e150
    else:
        np.testing.assert_allclose(run.iterates, [[first]], rtol=1e-12)
        assert np.isfinite(run.last).all()


@pytest.mark.parametrize("size, eta", [(1e200, 1.0), (1e300, 1e300)])
def test_every_rung_refuses_what_it_cannot_project(size, eta):
    """Without a warning before; w_2 = eta·size has no finite square."""
    for name, solver in SOLVERS.items():
        if name != "closed_form":
            with pytest.raises(FloatingPointError) as error:
                solver(
                    [[size, 0.0], [-size, 0.0]],
                    [1, -1],
                    1.0 / eta,
                    order=[0, 1],
                    step=Constant(eta),
                    radius=10.0,
                )
            assert str(error.value) == NORM_OVERFLOWS, name


@pytest.mark.parametrize(
    "solver", [relatives.gradient_descent, relatives.sgd, relatives.adagrad]
)
def test_a_relative_refuses_overflow_without_a_warning(solver):
    given = {} if solver is relatives.gradient_descent else {"seed": 0}
    with pytest.raises(FloatingPointError, match="no longer finite"):
        solver(
            [[1e300], [-1e299]], [1, -1], 1.0, 9, step=Constant(1e300), **given
        )


# What is accepted, and in what form


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
@pytest.mark.parametrize(
    "kind",
    [int, np.int8, np.uint8, bool, np.float16, np.float32, list, np.matrix],
)
def test_other_kinds_of_data_give_the_same(solver, kind):
    whole = np.array([[1, 0], [0, 1], [1, 1], [0, 0]])
    other = (
        whole.tolist()
        if kind is list
        else (np.matrix(whole) if kind is np.matrix else whole.astype(kind))
    )
    wanted = solver(whole.astype(float), Y, 0.3, T=9, seed=1)
    found = solver(other, Y.astype(int), np.float32(0.3), T=9, seed=1)
    assert found.last.dtype == np.float64
    np.testing.assert_allclose(found.last, wanted.last, rtol=1e-7)
    again = solver(other, Y.tolist(), 0.3, T=9, seed=1)
    np.testing.assert_array_equal(again.last, wanted.last)


class Frame:
    """As a data frame: no array, but it can become one."""

    shape = X.shape

    def __array__(self, dtype=None, copy=None):
        return X.copy()


@pytest.mark.parametrize("solver", SOLVERS.values(), ids=SOLVERS)
def test_a_data_frame_is_taken_as_its_array(solver):
    found = solver(Frame(), Y, 0.3, T=9, seed=1)
    wanted = solver(X, Y, 0.3, T=9, seed=1)
    np.testing.assert_array_equal(found.last, wanted.last)


# What stands below the solvers, too

SMALL = [[2.0], [-1.0]], [1, -1]


@pytest.mark.parametrize(
    "call, expected",
    [
        (lambda: optimum_on("l1", 1.0, *SMALL, 0.1, rounds=0), "rounds is 0"),
        (lambda: optimum_on("l1", 1.0, *SMALL, 0.1, rounds=1.5), "rounds"),
        (lambda: optimum_on("l1", 1.0, *SMALL, 0.1, tol=0), "tol is 0"),
        (lambda: optimum_on("l1", 1.0, *SMALL, 0.1, tol=2), "tol is 2"),
        (
            lambda: distributed.optimum([SMALL], 0.1, tol=2, client="here"),
            "tol is 2",
        ),
        (lambda: qp.solve_dual(*SMALL, 0.1, most=0), "most is 0"),
        (lambda: qp.solve_dual(*SMALL, 0.1, gram="a"), "gram is 'a'"),
        (lambda: qp.solve_slack(*SMALL, 0.1, most=-1), "most is -1"),
        (lambda: qp.solve_slack(*SMALL, 0.1, tol=0), "tol is 0"),
        (lambda: draw_order(10**30, 5, seed=0), "n is 10{30}"),
        (lambda: draw_order(5, 10**30, seed=0), "T is 10{30}"),
        (lambda: noisy_halfspace(5, noise=-1), "noise is -1"),
        (lambda: noisy_halfspace(5, noise=2), "noise is 2"),
        (lambda: noisy_halfspace(5, noise=np.nan), "noise is nan"),
        (lambda: docstrings(["json"]), r"\['json'\] is no text"),
        (lambda: optimum([[1e200], [-1e200]], [1, -1], 0.1), "squares of X"),
        (
            lambda: certify(np.zeros(1), [0.5] * 3, *SMALL, 0.1),
            r"alpha has shape \(3,\)",
        ),
        (
            lambda: mirror_descent(*SMALL, 0.1, order=[0], lazy="no"),
            "lazy is 'no'",
        ),
    ],
)
def test_what_stands_beside_the_solvers_says_what_it_expects(call, expected):
    with pytest.raises((ValueError, TypeError), match=f"{expected}.*expected"):
        call()


def test_a_certificate_takes_lists():
    X, y = np.array(SMALL[0]), np.array(SMALL[1], dtype=float)
    assert certify(np.zeros(1), [1.0, 1.0], X, y, 0.5).dual == -1.25


@pytest.mark.parametrize("kind", [np.int32, np.int64])
def test_the_indices_of_a_matrix_are_not_copied(kind):
    """A text file read by scikit-learn has indices of eight bytes."""
    X = sp.csr_matrix(np.eye(3))
    X.indices, X.indptr = X.indices.astype(kind), X.indptr.astype(kind)
    checked = checks.check_entries(checks.as_matrix(X))
    for name in ("data", "indices", "indptr"):
        assert np.shares_memory(getattr(checked, name), getattr(X, name))
    X.indices[:2] = 2, 2  # and nothing is believed of the old matrix
    assert checked is not X and checks.as_matrix(X).has_sorted_indices
    X.indptr[1:3] = 2, 2
    assert not checks.as_matrix(X).has_canonical_format


@pytest.mark.parametrize(
    "value", [list(range(100_000)), np.zeros((40, 40)), "loss\n" * 1000]
)
def test_a_sentence_is_one_line_and_short(value):
    """Whatever was given in the place of a name, a function or a flag."""
    X, y = [[1.0], [-1.0]], [1, -1]
    for option in ("loss", "step", "progress", "sampling"):
        with pytest.raises((ValueError, TypeError)) as refused:
            dense.pegasos(X, y, 0.5, T=3, seed=0, **{option: value})
        said = str(refused.value)
        assert said.startswith(f"{option} is ") and "; expected " in said
        assert "\n" not in said and len(said) < 250
