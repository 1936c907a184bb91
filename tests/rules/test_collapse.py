"""CW on rows that contradict each other: what happened is said where it happened."""

import pickle
import warnings

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import ConvergenceWarning


def contradicting(n=60):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 3)), rng.integers(0, 2, n)


@pytest.mark.parametrize("readout", ["last", "averaged"])
def test_a_covariance_that_collapses_is_said_with_its_row(readout):
    X, y = contradicting()
    rule = rules.SCW1(C=np.inf, covariance="full")
    message = r"SCW1: the covariance collapsed in epoch \d+ at row \d+, .*use a finite C"
    with pytest.warns(ConvergenceWarning, match=message):
        clf = LinearClassifier(rule, max_iter=60, readout=readout).fit(X, y)
    assert np.isfinite(clf.coef_).all() and set(clf.predict(X)) <= {0, 1}
    clf.partial_fit(X, y)  # it was told before
    assert np.isfinite(clf.decision_function(X)).all()


def test_a_stream_says_it_once():
    X, y = contradicting()
    clf = LinearClassifier(rules.SCW1(C=np.inf, covariance="full"))
    with pytest.warns(
        ConvergenceWarning, match=r"after \d+ presentations, at row \d+ of the batch"
    ):
        for _ in range(60):
            clf.partial_fit(X, y)
            if clf.fitted.state.collapse_told:
                break
    clf.partial_fit(X, y)
    pickle.loads(pickle.dumps(clf)).partial_fit(X, y)


def test_neurons_that_learn_side_by_side_say_it():
    pytest.importorskip("sklearn")
    from hardlimit.estimators import SCWClassifier

    X, _ = contradicting()
    y = np.random.default_rng(1).integers(0, 3, len(X))
    given = {"C": np.inf, "covariance": "full", "multiclass": "ovr", "max_iter": 60}
    for n_jobs in (1, 2):
        with pytest.warns(ConvergenceWarning, match=r"collapsed in epoch \d+ at row \d+"):
            SCWClassifier(**given, n_jobs=n_jobs).fit(X, y)


def test_variances_alone_stay_numbers():
    X, y = contradicting()
    clf = LinearClassifier(rules.SCW1(C=np.inf), max_iter=1000).fit(X, y)
    assert np.isfinite(clf.decision_function(X)).all()


def test_the_row_is_one_that_cannot_be_learnt():
    X, y = [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]], [0, 1, 1, 1]
    rule = rules.SCW1(C=np.inf, covariance="full")
    with pytest.warns(ConvergenceWarning, match=r"at row [02],"):
        LinearClassifier(rule, max_iter=500, fit_intercept=False).fit(X, y)


@pytest.mark.parametrize("covariance", ["diagonal", "full"])
def test_a_finite_c_does_not_collapse(covariance):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        rule = rules.SCW1(C=1.0, covariance=covariance)
        LinearClassifier(rule, max_iter=100).fit(*contradicting())
