"""Sample and class weights, by each rule's own meaning."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, rules
from hardlimit.exceptions import InputError

from ..rounding import roundings, within

RNG = np.random.default_rng(6)
X = RNG.integers(-4, 5, (40, 5)).astype(float)
Y = RNG.integers(0, 2, 40)


def fit(rule, weights=None, rows=X, labels=Y, **settings):
    settings = {"order": "cyclic", "until": None, "max_iter": 2} | settings
    if rules.resolve(rule).nonnegative:
        rows = np.abs(rows)
    return LinearClassifier(rule, **settings).fit(rows, labels, sample_weight=weights)


@pytest.mark.parametrize("name", rules.names())
def test_an_example_of_weight_zero_is_absent(name):
    present = RNG.random(40) < 0.6
    for order in ("cyclic", "shuffled"):
        absent = fit(name, present.astype(float), order=order)
        without = fit(name, rows=X[present], labels=Y[present], order=order)
        assert np.array_equal(absent.coef_, without.coef_)
        assert absent.n_training_errors_ == without.n_training_errors_
        assert absent.history_[0].mistakes == without.history_[0].mistakes


@pytest.mark.parametrize("name", rules.names())
def test_weights_of_one_are_none(name):
    assert np.array_equal(fit(name, np.ones(40)).coef_, fit(name).coef_)


def test_the_perceptrons_step_is_multiplied():
    clf = fit(rules.Perceptron(), [3.0, 1.0], [[1.0], [-1.0]], [1, 0], fit_intercept=False)
    assert clf.with_readout("last").coef_.tolist() == [[3.0]]


def test_passive_aggressives_c_is_multiplied_where_it_cuts_every_step():
    heavy = fit(rules.PassiveAggressive(C=1e-5), np.full(40, 5.0))
    assert np.array_equal(heavy.coef_, fit(rules.PassiveAggressive(C=5e-5)).coef_)


def test_a_weight_is_the_margin_of_passive_aggressives_step():
    for cls in (rules.PassiveAggressive, rules.PassiveAggressive2):
        for weight, margin in ((1.0, 1.0), (4.0, 4.0), (0.25, 0.25)):
            clf = LinearClassifier(cls(C=1e9), readout="last")
            clf.partial_fit([[3.0, 4.0]], [1], [weight], classes=[0, 1])
            # The softer rule leaves 1 / (2 C ||x||^2) of the loss, ||x||^2 = 26.
            left = margin / (2 * 1e9 * 26) + roundings(20) * margin
            assert clf.decision_function([[3.0, 4.0]]) == within(margin, left)


def test_hard_pa_takes_only_zero_and_one():
    hard = rules.PassiveAggressive(C=float("inf"))
    fit(hard, (np.arange(40) % 2).astype(float))
    with pytest.raises(InputError, match=r"only be 0 or 1.*finite C"):
        fit(hard, np.full(40, 2.0))
    with pytest.raises(InputError, match="only be 0 or 1"):
        fit(hard, class_weight={1: 3.0})


def test_class_weights_are_sample_weights():
    by_class = fit("perceptron", class_weight={1: 2.0})
    assert np.array_equal(by_class.coef_, fit("perceptron", 1.0 + Y).coef_)
    balanced = fit("perceptron", class_weight="balanced")
    counts = np.bincount(Y)
    assert np.array_equal(balanced.coef_, fit("perceptron", (40 / (2 * counts))[Y]).coef_)


def test_weights_in_a_stream():
    a = LinearClassifier().partial_fit(X, Y, sample_weight=1.0 + Y)
    b = LinearClassifier(class_weight={1: 2.0}).partial_fit(X, Y)
    assert np.array_equal(a.coef_, b.coef_)


@pytest.mark.parametrize("bad", [[-1.0] * 40, [float("nan")] * 40, [1.0] * 39, [[1.0]] * 40])
def test_weights_that_make_no_sense_are_refused(bad):
    with pytest.raises(InputError, match="sample_weight"):
        fit("perceptron", bad)
