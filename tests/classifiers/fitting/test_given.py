"""Classifiers of numbers from weights that are known."""

import copy
import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import LinearClassifier, bounds
from hardlimit.exceptions import InputError, KindError

from ...rounding import near

OR = ([[-1, -1], [1, -1], [-1, 1], [1, 1]], [-1, 1, 1, 1])


def test_it_predicts_above_the_threshold_alone():
    clf = LinearClassifier.from_weights([2, 1], threshold=2)
    assert clf.predict([[1, 0], [1, 0.5], [0, 3]]).tolist() == [-1, 1, 1]
    assert (clf.coef_.tolist(), clf.intercept_.tolist()) == ([[2, 1]], [-2])
    assert (clf.stop_reason_, clf.n_iter_, clf.n_corrections_) == ("given", 0, 0)


def test_it_is_saved_and_learns_on_as_it_would_have(tmp_path):
    clf = LinearClassifier.from_weights({"a": 1, "b": 1}, -1, rule="romma", readout="last")
    clf.save(tmp_path / "or.hardlimit")
    loaded = hl.load(tmp_path / "or.hardlimit")
    assert loaded.feature_names_in_.tolist() == ["a", "b"]
    for one in (clf, loaded, pickle.loads(pickle.dumps(clf)), copy.copy(clf)):
        assert one.predict(OR[0]).tolist() == OR[1]
    for one in (clf, loaded):
        one.partial_fit([[1, -1], [2, -1]], [-1, -1])
        assert one.n_corrections_ > 0
    assert loaded.coef_.tolist() == clf.coef_.tolist()


def test_learning_on_is_a_fit_from_those_weights():
    start = [3.0, -1.0, 2.0]
    given = {"order": "cyclic", "readout": "last", "until": None, "max_iter": 1}
    fitted = LinearClassifier(**given).fit(*OR, initial_weights=start)
    clf = LinearClassifier.from_weights(start[:2], -start[2], **given).partial_fit(*OR)
    assert clf.coef_.tolist() == fitted.coef_.tolist()
    assert clf.intercept_.tolist() == fitted.intercept_.tolist()


def test_many_classes_have_a_row_each():
    clf = LinearClassifier.from_weights(
        [[1, 0], [0, 1], [-1, -1]], [0, 0.5, 0], classes=["a", "b", "c"], bias_feature=2.0
    )
    assert clf.predict([[1, 0], [0, 1], [-1, -1]]).tolist() == ["a", "b", "c"]
    assert clf.intercept_.tolist() == [0, -0.5, 0]


def test_the_theorems_do_not_apply_to_it():
    clf = LinearClassifier.from_weights([1, 1], -1)
    found = bounds.of(clf, *OR)
    assert "began at given weights" in found["Novikoff"].reason
    assert found.gamma.least == near(1 / np.sqrt(3), 20)


@pytest.mark.parametrize(
    ("weights", "more", "error", "said"),
    [
        ([1, float("inf")], {}, InputError, "wanted finite numbers"),
        (["a"], {}, KindError, "weights: .*wanted an array of numbers"),
        ([], {}, InputError, "wanted a number for each column"),
        ([1, 2], {"classes": ["a"]}, InputError, "wanted two different classes and one row"),
        ([[1], [2]], {}, InputError, "two classes share one row: their difference"),
        ([1], {"threshold": float("nan")}, InputError, "threshold: got nan, wanted a finite"),
        ([1], {"threshold": 1, "fit_intercept": False}, InputError, "use fit_intercept=True"),
        ([1], {"rule": "balanced-winnow"}, InputError, "begins at values of its own"),
        ([1], {"scale": "rows"}, InputError, "other units"),
    ],
)
def test_what_is_refused(weights, more, error, said):
    with pytest.raises(error, match=said):
        LinearClassifier.from_weights(weights, **more)
