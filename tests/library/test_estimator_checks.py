"""Every check that scikit-learn has for estimators."""

import pytest
from sklearn.linear_model import SGDClassifier
from sklearn.utils._test_common.instance_generator import (
    _get_expected_failed_checks,
)
from sklearn.utils.estimator_checks import parametrize_with_checks

from pegasos_edu import PegasosClassifier

# Scikit-learn declares the same two for SGDClassifier, and nothing else.
STOCHASTIC = (
    "An example of weight 2 is drawn once and moves w by more; two equal "
    "examples are drawn at two different steps. Both tend to the same "
    "optimum, along different paths."
)
EXPECTED_FAILURES = {
    "check_sample_weight_equivalence_on_dense_data": STOCHASTIC,
    "check_sample_weight_equivalence_on_sparse_data": STOCHASTIC,
}


# Some checks train on noise, which takes more than max_iter passes.
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(
    [
        PegasosClassifier(),
        PegasosClassifier(lam=1e-3, loss="log"),
        PegasosClassifier(solver="pegasos"),
        PegasosClassifier(
            lam=1e-3, loss="log", solver="pegasos", average="suffix"
        ),
    ],
    expected_failed_checks=lambda estimator: EXPECTED_FAILURES,
)
def test_scikit_learn_check(estimator, check):
    check(estimator)


def test_no_failure_is_expected_that_scikit_learn_does_not_expect():
    declared = _get_expected_failed_checks(SGDClassifier())
    assert set(EXPECTED_FAILURES) <= set(declared)
