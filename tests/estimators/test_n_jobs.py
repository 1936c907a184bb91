"""Neurons learnt by several threads are the neurons of one."""

import numpy as np
import pytest

pytest.importorskip("sklearn")

from scipy.sparse import csr_matrix
from sklearn.datasets import load_digits, load_iris

from hardlimit import (
    AROWClassifier,
    BalancedWinnowClassifier,
    MarginPerceptronClassifier,
    PassiveAggressiveClassifier,
    PerceptronClassifier,
    RelaxationClassifier,
    WinnowClassifier,
    guards,
)
from hardlimit.classifiers.fitting import parallel_one_vs_rest

OVR = {"multiclass": "ovr", "max_iter": 30}
IRIS = load_iris(return_X_y=True)


@pytest.fixture(autouse=True)
def all_work_is_worth_a_thread(monkeypatch):
    for name in ("LEAST_SHARE", "LEAST_NEURONS", "LEAST_PASSES"):
        monkeypatch.setattr(parallel_one_vs_rest, name, 1)


def told(clf):
    history = [(r.epoch, r.mistakes, r.corrections) for r in clf.history_]
    counts = (clf.n_corrections_, clf.n_mistakes_, clf.n_iter_, clf.stop_reason_)
    return counts, history, clf.model_.n_training_errors_


@pytest.mark.parametrize(
    "clf",
    [
        PerceptronClassifier(**OVR),
        PerceptronClassifier(**OVR, readout="averaged", until=None),
        MarginPerceptronClassifier(**OVR, guard=guards.AlphaBound(2)),
        MarginPerceptronClassifier(b=1e-3, until="margin", **OVR),
        PassiveAggressiveClassifier(max_iter=10, average=True),
        RelaxationClassifier(eta=0.7, **OVR),
        AROWClassifier(**OVR),
        WinnowClassifier(max_iter=10),
        BalancedWinnowClassifier(**OVR),  # does not go apart, and is learnt in one
    ],
    ids=lambda clf: type(clf).__name__,
)
@pytest.mark.filterwarnings("ignore::hardlimit.exceptions.ConvergenceWarning")
def test_the_bits_are_those_of_one_thread(clf):
    X, y = IRIS
    weights = (
        {}
        if isinstance(clf, RelaxationClassifier | WinnowClassifier)
        else {"sample_weight": np.arange(len(y)) % 3}
    )
    given = clf.get_params(deep=False)  # the object itself is kept by pytest, and stays unfitted
    one = type(clf)(**given).fit(X, y, **weights)
    many = type(clf)(**given | {"n_jobs": 2}).fit(X, y, **weights)
    assert np.array_equal(one.coef_, many.coef_)
    assert np.array_equal(one.intercept_, many.intercept_)
    assert told(one) == told(many)
    if many.model_.guard is None:  # and goes on alike
        for model in (one, many):
            model.partial_fit(X[::-1], y[::-1])
        assert np.array_equal(one.decision_function(X), many.decision_function(X))


def test_separable_neurons_rest_at_their_own_time():
    X, y = load_digits(n_class=4, return_X_y=True)
    settings = {"multiclass": "ovr", "readout": "averaged", "max_iter": 200}
    one = PerceptronClassifier(**settings).fit(csr_matrix(X), y)
    many = PerceptronClassifier(**settings, n_jobs=3).fit(X, y)
    assert one.stop_reason_ == "separated"
    assert told(one) == told(many)
    assert np.array_equal(one.coef_, many.coef_)
