"""Distances from hyperplanes: numbers by hand, the textbook's geometry, kernels, many classes."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, distances, kernels
from hardlimit.exceptions import InputError

from ...rounding import SINGLE, dot_bound, near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1])


def fitted(**settings):
    return LinearClassifier(order="cyclic", readout="last", **settings).fit(*OR)


@pytest.mark.parametrize("bias", [1.0, -1.0, 0.5])
def test_by_hand(bias):
    """x1 + x2 + 1 = 0: w = (1, 1), w0 = -1; (-1, -1) lies 1/sqrt 2 below it, (1, 1) 3/sqrt 2."""
    clf = fitted(bias_feature=bias)
    w, w0 = clf.coef_[0], -float(clf.intercept_[0])
    found = distances.of(clf, *OR)
    by_hand = [(float(w @ np.array(x)) - w0) / np.sqrt(w @ w) for x in OR[0]]
    assert found.values == near(by_hand, 60)
    assert found.offset == near(w0 / np.sqrt(w @ w), 60)
    if bias == 1.0:
        assert found.values * np.sqrt(2) == near([-1, 1, 1, 3], 60)
        assert found.offset == near(-1 / np.sqrt(2), 60)


def test_a_step_along_the_normal_is_as_long_as_the_distance_says():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 4))
    clf = LinearClassifier().fit(X, X[:, 0] + X[:, 1] > 0.3)
    found = distances.of(clf, X)
    normal = clf.coef_[0] / np.linalg.norm(clf.coef_)
    on_it = X - found.values[:, None] * normal
    sizes = np.hstack([np.abs(X) + np.abs(found.values)[:, None], np.ones((50, 1))])
    lost = dot_bound(sizes, [*clf.coef_[0], *clf.intercept_], before=60)
    assert (np.abs(clf.decision_function(on_it)) <= lost).all()
    assert found.margins is None


def test_moving_everything_moves_no_distance():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 3))
    clf = LinearClassifier(scale="standard").fit(X, X @ [1, -2, 1] > 0.2)
    found = distances.of(clf, X)
    normal = clf.coef_[0] / np.linalg.norm(clf.coef_)
    along = np.array([1.0, 0, 0]) - normal[0] * normal
    size = 4 + np.abs(X).sum(1).max()
    assert distances.of(clf, X + along).values == near(found.values, 200, size=size)
    assert distances.of(clf, X + 2 * normal).values == near(found.values + 2, 200, size=size)


def test_margins_nearest_rows_and_their_distribution():
    X, y = [[-3.0], [-1.0], [2.0], [5.0]], [0, 1, 1, 1]
    clf = LinearClassifier(order="cyclic", readout="last", max_iter=1, until=None)
    clf.fit([[-2.0], [2.0]], [0, 1])
    w, c = clf.coef_[0, 0], clf.intercept_[0]
    assert w > 0
    found = distances.of(clf, X, y)
    expected = np.array([-3.0, -1, 2, 5]) + c / w
    assert found.values == near(expected, 60)
    assert found.margins == near(expected * [-1, 1, 1, 1], 60)
    assert found.nearest(2).tolist() == np.argsort(np.abs(expected))[:2].tolist()
    assert np.array_equal(found.distribution, np.sort(found.margins))
    wrong = float(np.mean(found.margins <= 0))
    assert found.share_below(0) == wrong == 1 - clf.score(X, y)
    counts, edges = found.histogram(6)
    assert counts.sum() == 4 and 0.0 in edges and len(edges) == 7
    assert counts[edges[:-1] < 0].sum() == 4 * wrong
    assert "nearest rows: " in str(found) and "wrong side" in str(found)
    assert found.to_json()["margins"] == found.margins.tolist()


def test_a_moved_threshold_moves_the_hyperplane():
    clf = hl.TextClassifier().fit(["win a prize", "lunch at noon"] * 3, ["spam", "ham"] * 3)
    before = distances.of(clf, ["win lunch"]).values
    clf.threshold_ = 0.5
    after = distances.of(clf, ["win lunch"]).values
    assert after == near(before - 0.5 / np.linalg.norm(clf.coef_), 4, unit=SINGLE)


def test_many_classes_have_the_nearest_boundary():
    rng = np.random.default_rng(2)
    X, y = rng.normal(size=(60, 3)), rng.integers(0, 4, 60)
    for multiclass in ("coupled", "ovr"):
        clf = LinearClassifier(max_iter=5, multiclass=multiclass).fit(X, y)
        found = distances.of(clf, X, y)
        assert (found.values >= 0).all() and found.offset is None
        right = clf.predict(X) == y
        assert np.array_equal(found.margins > 0, right)
        assert found.margins[right] == near(found.values[right], 60)
        W, c = clf.coef_, clf.intercept_
        i = int(found.nearest(1)[0])
        chosen = int(clf.predict(X[i : i + 1])[0])
        to = [
            (X[i] @ (W[chosen] - W[r]) + c[chosen] - c[r]) / np.linalg.norm(W[chosen] - W[r])
            for r in range(4)
            if r != chosen
        ]
        assert found.values[i] == near(min(to), 60, size=np.linalg.norm([*X[i], 1]))


@pytest.mark.parametrize("classes", [2, 3])
def test_the_linear_kernel_measures_what_the_weights_do(classes):
    rng = np.random.default_rng(3)
    X, y = rng.normal(size=(40, 3)), rng.integers(0, classes, 40)
    settings = {"order": "cyclic", "max_iter": 7, "fit_intercept": False}
    one = hl.KernelClassifier(kernels.Linear(), **settings).fit(X, y)
    two = LinearClassifier(**settings).fit(X, y)
    a, b = distances.of(one, X, y), distances.of(two, X, y)
    # A dual score is a sum over the supports, whose terms cancel.
    size = np.abs(X).sum(1).max() * len(one.support_)
    assert a.values == near(b.values, 60, size=size)
    assert a.margins == near(b.margins, 60, size=size)


def test_what_has_no_hyperplane_is_refused():
    with pytest.raises(InputError, match="the weights are zero"):
        distances.of(
            LinearClassifier(order="cyclic", readout="last").fit(OR[0], [0, 1, 1, 0]), OR[0]
        )
    vote = LinearClassifier(keep=("voted",), readout="voted").fit(*OR)
    with pytest.raises(InputError, match="a vote has no single weight vector"):
        distances.of(vote, OR[0])
    with pytest.raises(InputError, match="wanted a fitted classifier"):
        distances.of("clf", OR[0])
    with pytest.raises(InputError, match="3 labels for 4 rows"):
        distances.of(fitted(), OR[0], [0, 1, 1])
    with pytest.raises(InputError, match="margins need labels"):
        distances.of(fitted(), OR[0]).share_below(0)
    many = LinearClassifier().fit(OR[0], [[0, 1], [1, 0], [1, 1], [0, 0]])
    with pytest.raises(InputError, match="several labels an example"):
        distances.of(many, OR[0])
    gram = hl.KernelClassifier("precomputed").fit(np.eye(4), [0, 1, 1, 0])
    with pytest.raises(InputError, match="precomputed"):
        distances.of(gram, np.eye(4))


def test_an_estimator_is_asked_like_its_classifier():
    clf = hl.PerceptronClassifier(order="cyclic").fit(*OR)
    assert distances.of(clf, *OR).values * np.sqrt(2) == near([-1, 1, 1, 3], 60)


def test_each_of_several_labels_has_a_hyperplane():
    rng = np.random.default_rng(2)
    X, Y = rng.normal(size=(30, 3)), rng.integers(0, 2, (30, 2))
    clf = LinearClassifier(max_iter=5).fit(X, Y)
    found = distances.of_labels(clf, X, Y)
    assert list(found) == [0, 1]
    for k, one in found.items():
        own = LinearClassifier(max_iter=5).fit(X, Y[:, k])
        alone = distances.of(own, X, Y[:, k])
        assert one.values.tolist() == alone.values.tolist()
        assert one.margins.tolist() == alone.margins.tolist() and one.offset == alone.offset
    assert distances.of_labels(clf, X)[0].margins is None
    with pytest.raises(InputError, match="hyperplane each"):
        distances.of(clf, X, Y)
    with pytest.raises(InputError, match="one label an example"):
        distances.of_labels(fitted(), *OR)
