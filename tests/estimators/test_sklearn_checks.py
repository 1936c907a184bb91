"""scikit-learn's own checks, for every estimator there is."""

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks

import hardlimit
from hardlimit import estimators

ORDER = (
    "the rule learns from one example after the other: a weight makes one longer step, and two "
    "examples make two, of which the second begins where the first ended"
)
WEIGHTS = {
    "check_sample_weight_equivalence_on_dense_data": ORDER,
    "check_sample_weight_equivalence_on_sparse_data": ORDER,
}
EVERY = [getattr(hardlimit, name) for name in estimators.__all__]


def expected_failures(estimator):
    return WEIGHTS


@parametrize_with_checks(
    [cls(max_iter=10) for cls in EVERY], expected_failed_checks=expected_failures
)
def test_with_few_epochs(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([cls() for cls in EVERY], expected_failed_checks=expected_failures)
def test_as_they_are(estimator, check):
    check(estimator)
