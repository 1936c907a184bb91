"""scikit-learn's own checks, for every estimator there is."""

import pytest

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.utils.estimator_checks import parametrize_with_checks

import hardlimit
from hardlimit import estimators
from hardlimit.estimators import expected_failed_checks

EVERY = [getattr(hardlimit, name) for name in estimators.__all__]


@parametrize_with_checks(
    [cls(max_iter=10) for cls in EVERY], expected_failed_checks=expected_failed_checks
)
def test_with_few_epochs(estimator, check):
    # The parameter lives until Python ends; a model fitted in it would be reported as a leak.
    check(clone(estimator))


@pytest.mark.slow
@parametrize_with_checks([cls() for cls in EVERY], expected_failed_checks=expected_failed_checks)
def test_as_they_are(estimator, check):
    # The parameter lives until Python ends; a model fitted in it would be reported as a leak.
    check(clone(estimator))


CHOICES = [
    hardlimit.PerceptronClassifier(probability=True, readout="averaged", multiclass="ovr"),
    hardlimit.PerceptronClassifier(class_weight="balanced", scale="rows", n_jobs=2),
    hardlimit.PassiveAggressiveClassifier(average=True, probability=True, max_iter=10),
    hardlimit.AROWClassifier(covariance="full", max_iter=3),
    hardlimit.VotedPerceptronClassifier(multiclass="ovr", max_iter=3),
    hardlimit.KernelPerceptronClassifier(max_iter=10, multiclass="ovr", probability=True),
]


@pytest.mark.slow
@parametrize_with_checks(CHOICES, expected_failed_checks=expected_failed_checks)
def test_with_other_choices(estimator, check):
    # The parameter lives until Python ends; a model fitted in it would be reported as a leak.
    check(clone(estimator))


def test_nothing_fails_but_what_a_weight_would_mean():
    for cls in EVERY:
        expected = expected_failed_checks(cls())
        weighed = cls not in (hardlimit.RelaxationClassifier, hardlimit.WinnowClassifier)
        assert len(expected) == 2 * weighed
        assert all("sample_weight_equivalence" in name for name in expected)
