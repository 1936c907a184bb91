"""Slopes, folds, and how good probabilities are."""

import hashlib

import numpy as np
import pytest

from hardlimit.evaluation.calibration import (
    Slope,
    deal_folds,
    fit_slope,
    probability_figures,
    reliability_bins,
)

from ..rounding import near, normal_spread, slope_spread, within


def test_equal_keys_go_to_one_fold_and_a_class_is_never_held_out_whole():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 4, 200).tolist()
    keys = rng.integers(0, 60, 200).tolist()
    fold = deal_folds(labels, 5, keys)
    for key in set(keys):
        assert len({fold[i] for i in range(200) if keys[i] == key}) == 1
    for number in range(5):
        assert {labels[i] for i in range(200) if fold[i] != number} == set(labels)


@pytest.mark.parametrize("n_classes", [2, 3, 40])
def test_figures_are_those_of_scikit_learn(n_classes):
    metrics = pytest.importorskip("sklearn.metrics")
    rng = np.random.default_rng(n_classes)
    p = rng.dirichlet(np.ones(n_classes), 300)
    y = rng.integers(0, n_classes, 300)
    found = probability_figures(p, y)
    assert found.log_loss == near(metrics.log_loss(y, p, labels=range(n_classes)), 2000)
    one = np.eye(n_classes)[y]
    brier = np.square(p - one)[:, 1] if n_classes == 2 else np.square(p - one).sum(1)
    assert found.brier == near(brier.mean(), 2000)
    if n_classes == 2:
        assert found.brier == near(metrics.brier_score_loss(y, p[:, 1]), 2000)
    assert sum(one.n for one in found.bins) == 300


def test_many_classes_of_few_examples_keep_their_probabilities():
    """Two examples of each of 100 classes, all right by far: the slope must say so."""
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(100), 2)
    scores = rng.normal(size=(200, 100)) * 0.1
    scores[np.arange(200), y] += 1
    assert fit_slope(scores, y).probabilities(scores).max(1).mean() > 0.7


def test_a_probability_of_0_costs_no_infinity():
    assert np.isfinite(probability_figures(np.array([[1.0, 0.0]]), np.array([1])).log_loss)


def test_bins_follow_the_diagonal_where_the_slope_is_true():
    rng = np.random.default_rng(2)
    scores = rng.normal(size=20000)
    y = (rng.random(20000) < 1 / (1 + np.exp(-2 * scores))).astype(int)
    p = Slope(2.0).probabilities(scores)
    for one in reliability_bins(p.max(1), p.argmax(1) == y):
        assert one.probability == within(one.correct, normal_spread(0.5 / np.sqrt(one.n)))
    assert fit_slope(scores, y).a == within(2, slope_spread(scores, 2.0))


def test_the_bits_of_slopes_stay():
    """They are part of model files, which are the same on every processor."""
    draw, found = np.random.default_rng(3), []
    for _ in range(20):
        scores = draw.random((400, 4)) * 6 - 3
        targets = (scores + draw.random((400, 4)) * 3).argmax(1)
        found.append(fit_slope(scores, targets).a.hex())
    assert (found[8][-6:], found[10][-6:]) == ("566p+0", "5adp+0")
    assert hashlib.sha256(" ".join(found).encode()).hexdigest()[:16] == "33b32c09d94a69aa"
