"""Probabilities of the estimators where an example has several labels."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import PerceptronClassifier

from ..rounding import near


@pytest.mark.parametrize("sets", [False, True])
def test_each_of_several_labels_has_a_probability(sets, tmp_path):
    r = np.random.default_rng(0)
    X = r.normal(size=(300, 5))
    truth = (X[:, :3] + 0.5 * r.normal(size=(300, 3)) > 0).astype(int)
    Y = [{n for n, one in zip("abc", row, strict=True) if one} for row in truth] if sets else truth
    clf = PerceptronClassifier(probability=True, max_iter=5).fit(X, Y)
    p = clf.predict_proba(X)
    assert p.shape == truth.shape
    assert p == near(1 / (1 + np.exp(-clf.calibration_.a * clf.decision_function(X))), 40)
    assert np.mean((p > 0.5) == truth) > 0.7
    clf.save(tmp_path / "m")
    loaded = hl.load(tmp_path / "m")
    assert (loaded.predict_proba(X) == p).all()
    before = clf.calibration_.a
    clf.calibrate(X[:100], Y[:100])
    assert clf.calibration_.a != before and clf.predict_proba(X).shape == truth.shape
