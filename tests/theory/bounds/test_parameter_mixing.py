"""Bounds of mixed runs: the theorem of parameter mixing holds, those of one run say why not."""

import numpy as np
import pytest

from hardlimit import LinearClassifier, bounds


def rows(seed):
    numbers = np.random.default_rng(seed)
    X = numbers.normal(size=(150, 4))
    scores = X @ numbers.normal(size=4)
    keep = abs(scores) > 0.4
    return X[keep], (scores > 0)[keep].astype(int)


@pytest.mark.parametrize("mixing", ["uniform", "mistakes"])
@pytest.mark.parametrize("seed", range(4))
def test_what_is_promised_of_shards_holds(seed, mixing):
    X, y = rows(seed)
    clf = LinearClassifier(shards=5, mixing=mixing).fit(X, y)
    told = bounds.of(clf, X, y)
    line = told["parameter mixing"]
    assert line.holds and line.value > 1
    occurred = clf.n_corrections_ if mixing == "uniform" else len(clf.history_) - 1
    assert line.count == occurred
    assert not told.broken


def test_the_theorems_of_one_run_say_that_they_do_not_apply():
    X, y = rows(0)
    told = bounds.of(LinearClassifier(shards=5).fit(X, y), X, y)
    for name in ("Novikoff", "Freund and Schapire", "online to batch, random"):
        assert told[name].value is None
        assert "5 shards were mixed" in told[name].reason


def test_one_run_has_no_line_of_shards():
    X, y = rows(0)
    with pytest.raises(KeyError):
        bounds.of(LinearClassifier().fit(X, y), X, y)["parameter mixing"]


def test_neurons_have_shares_of_their_own():
    X, y = rows(0)
    told = bounds.of(
        LinearClassifier(shards=2, mixing="mistakes", multiclass="ovr").fit(X, y + (X[:, 0] > 1)),
        X,
        y + (X[:, 0] > 1),
    )
    assert "shares of its own" in told["parameter mixing"].reason


@pytest.mark.parametrize("mixing", ["inertial", "accelerated"])
def test_mixing_with_momentum_has_no_bound(mixing):
    X, y = rows(0)
    told = bounds.of(LinearClassifier(shards=5, mixing=mixing).fit(X, y), X, y)
    assert "further than the mean" in told["parameter mixing"].reason
    assert not told.broken
