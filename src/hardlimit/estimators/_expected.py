"""What scikit-learn's checks ask that no rule of this family can do."""

from __future__ import annotations

from sklearn.utils.validation import has_fit_parameter

ORDER = (
    "the rule learns from one example after the other: a weight makes one longer step, and two "
    "examples make two, of which the second begins where the first ended"
)
WEIGHTS = (
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
)


def expected_failed_checks(estimator: object) -> dict[str, str]:
    """Return the checks of ``check_estimator`` that fail, with the reason.

    ::

        check_estimator(estimator, expected_failed_checks=expected_failed_checks(estimator))

    >>> from hardlimit import estimators
    >>> found = estimators.expected_failed_checks(estimators.PerceptronClassifier())
    >>> len(found), estimators.expected_failed_checks(estimators.WinnowClassifier())
    (2, {})
    """
    # Without the parameter scikit-learn does not run these two checks.
    weighted = has_fit_parameter(estimator, "sample_weight")
    return dict.fromkeys(WEIGHTS, ORDER) if weighted else {}
