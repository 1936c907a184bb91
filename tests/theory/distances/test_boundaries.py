"""Distances from scores by hand, for two classes, many classes and a kernel's space."""

import itertools

import numpy as np
import pytest

from hardlimit import LinearClassifier, distances
from hardlimit.exceptions import InputError
from hardlimit.theory.distances import Distances

from ...rounding import near

RNG = np.random.default_rng(5)
X = RNG.normal(size=(40, 3))


def test_many_classes_by_brute_force():
    """The nearest of all boundaries between the predicted class and another one."""
    y = (X @ RNG.normal(size=(3, 4))).argmax(1)
    clf = LinearClassifier(readout="last").fit(X, y)
    found = distances.of(clf, X, y)
    W, b = clf.coef_, clf.intercept_
    for x, label, value, margin in zip(X, y, found.values, found.margins, strict=True):
        scores = W @ x + b
        chosen = int(scores.argmax())

        def least(c, scores=scores):
            return min(
                (scores[c] - scores[r]) / np.linalg.norm(W[c] - W[r]) for r in range(4) if r != c
            )

        assert value == near(least(chosen), 60) and value >= 0
        assert margin == near(least(clf.classes_.tolist().index(label)), 60)
        assert (margin > 0) == (clf.classes_[chosen] == label)
    assert found.offset is None


def test_two_classes_and_the_distance_of_the_origin():
    clf = LinearClassifier(readout="last").fit(X, X[:, 0] > 0.3)
    found = distances.of(clf, X)
    length = np.linalg.norm(clf.coef_)
    assert found.values == near((X @ clf.coef_[0] + clf.intercept_[0]) / length, 60)
    assert found.offset == near(-clf.intercept_[0] / length, 60)
    assert found.margins is None


@pytest.mark.parametrize("margins", [[-1.0, 2.0], [0.5, 1.0], [-3.0, -2.0], [0.0, 0.0]])
@pytest.mark.parametrize("bins", [2, 5, 8])
def test_a_histogram_counts_every_row_and_has_an_edge_at_zero(margins, bins):
    found = Distances(np.zeros(2), np.array(margins))
    counts, edges = found.histogram(bins)
    assert counts.sum() == 2 and len(edges) == bins + 1
    if any(margins):
        assert 0.0 in edges
    assert edges.tolist() == sorted(edges.tolist())


def test_shares_and_order():
    found = Distances(np.array([0.5, -0.1, 2.0]), np.array([0.5, 0.1, -2.0]))
    assert found.nearest(2).tolist() == [1, 0]
    assert found.distribution.tolist() == [-2.0, 0.1, 0.5]
    assert found.smallest == -2.0
    for margin, share in itertools.pairwise([-2.0, 1 / 3, 0.1, 2 / 3]):
        if margin in (-2.0, 0.1):
            assert found.share_below(margin) == near(share, 2)


def test_json_is_what_there_is():
    found = Distances(np.array([1.0]), None, 0.25)
    assert found.to_json() == {"distances": [1.0], "margins": None, "offset": 0.25}
    with pytest.raises(InputError) as caught:
        found.smallest  # noqa: B018
    assert caught.value.who == "distances" and "need labels" in caught.value.reason
