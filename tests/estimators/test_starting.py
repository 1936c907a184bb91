"""``coef_init`` and ``intercept_init``: as scikit-learn's, and as ``initial_weights``."""

import warnings

import numpy as np
import pytest
from sklearn.linear_model import PassiveAggressiveClassifier as Theirs
from sklearn.linear_model import Perceptron

import hardlimit as hl
from hardlimit import estimators
from hardlimit.estimators import _base

from ..rounding import near

pytestmark = pytest.mark.filterwarnings("ignore::FutureWarning")

RNG = np.random.default_rng(3)
X = RNG.normal(size=(40, 3))
Y = np.where(X @ [1, -2, 0.5] + RNG.normal(size=40) > 0.2, "yes", "no")
THREE = np.array(["a", "b", "c"])[np.arange(40) % 3]
COEF, INTERCEPT = np.array([[0.5, -1.0, 0.25]]), np.array([0.75])

STARTING = [
    kind
    for kind in (getattr(estimators, name) for name in estimators.__all__)
    if issubclass(kind, _base.StartingWeighted | _base.StartingUnweighted)
    or kind is estimators.PassiveAggressiveClassifier
]


@pytest.mark.parametrize("kind", STARTING)
@pytest.mark.parametrize("labels", [Y, THREE])
def test_it_is_initial_weights_of_the_classifier_inside(kind, labels):
    outputs = 1 if labels is Y else 3
    coef, intercept = np.repeat(COEF, outputs, 0), np.repeat(INTERCEPT, outputs)
    clf = kind(bias_feature=0.5, max_iter=3).fit(
        X, labels, coef_init=coef, intercept_init=intercept
    )
    twin = clf._make_model()
    twin.fit(X, labels, initial_weights=np.column_stack([coef, intercept / 0.5]))
    assert clf.coef_.tolist() == twin.coef_.tolist()
    other = kind(bias_feature=0.5, max_iter=3).fit(X, labels)
    assert clf.coef_.tolist() != other.coef_.tolist()


def test_the_same_numbers_as_scikit_learns_perceptron():
    theirs = Perceptron(shuffle=False, max_iter=3, tol=None, fit_intercept=False)
    ours = hl.PerceptronClassifier(
        order="cyclic", max_iter=3, until=None, fit_intercept=False, readout="last"
    )
    for clf in (theirs, ours):
        clf.fit(X, Y, coef_init=COEF.copy())  # scikit-learn learns in that very array
    assert ours.coef_ == near(theirs.coef_, 1000)


@pytest.mark.parametrize("more", [{}, {"tol": 1e-9}, {"warm_start": True}])
def test_the_same_numbers_as_scikit_learns_passive_aggressive(more):
    given = {"shuffle": False, "max_iter": 3, "fit_intercept": False}
    theirs, ours = Theirs(**given, tol=None), hl.PassiveAggressiveClassifier(**given, **more)
    warnings.simplefilter("ignore", hl.exceptions.ConvergenceWarning)
    for _ in range(2):  # where both are given, the weights go before the warm start
        for clf in (theirs, ours):
            clf.fit(X, Y, COEF.copy())
    assert ours.coef_ == near(theirs.coef_, 1000)


def test_one_of_the_two_is_enough():
    clf = hl.PerceptronClassifier(max_iter=1)
    assert clf.fit(X, Y, intercept_init=1e9).intercept_[0] > 9e8
    assert clf.fit(X, Y, coef_init=[1e9, 0, 0]).coef_[0, 0] > 9e8


def test_sets_of_labels():
    sets = [("a",) if row[0] > 0 else ("a", "b") for row in X]
    sets[0] = ("b",)
    clf = hl.PerceptronClassifier().fit(X, sets, coef_init=np.zeros((2, 3)))
    assert clf.coef_.shape == (2, 3)


def test_threads_learn_the_same():
    coef = np.repeat(COEF, 3, 0)
    made = [
        hl.PerceptronClassifier(multiclass="ovr", n_jobs=n, max_iter=3).fit(
            X, THREE, coef_init=coef
        )
        for n in (1, 2)
    ]
    assert made[0].coef_.tolist() == made[1].coef_.tolist()


@pytest.mark.parametrize(
    ("given", "more", "said"),
    [
        ({"coef_init": [1, 2]}, {}, r"coef_init: got shape \(2,\), wanted shape \(1, 3\)"),
        ({"intercept_init": [1, 2]}, {}, r"intercept_init: got shape \(2,\), wanted shape \(1,\)"),
        ({"coef_init": ["a"] * 3}, {}, "coef_init: got .*wanted an array of numbers"),
        ({"coef_init": [1, 2, np.nan]}, {}, "coef_init: got nan or infinity"),
        ({"intercept_init": 1}, {"fit_intercept": False}, "no bias whose weight"),
        ({"coef_init": COEF}, {"scale": "rows"}, "other units"),
    ],
)
def test_what_is_refused(given, more, said):
    with pytest.raises((hl.exceptions.InputError, hl.exceptions.KindError), match=said):
        hl.PerceptronClassifier(**more).fit(X, Y, **given)


def test_probabilities_come_from_the_same_start():
    clf = hl.PerceptronClassifier(probability=True, max_iter=1)
    clf.fit(X, Y, coef_init=100 * COEF)
    other = hl.PerceptronClassifier(probability=True, max_iter=1).fit(X, Y)
    assert clf.calibration_ != other.calibration_
