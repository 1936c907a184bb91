"""Parameters that are set after a fit count from the next one: a model file does not tell them."""

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import KernelClassifier, LinearClassifier, TextClassifier, guards

TEXTS = ["win a prize now", "lunch at noon?", "a prize to win", "see you at lunch", "lunch prize"]
LABELS = ["a", "b", "c", "a", "b"]
LATER = [
    {"bias_feature": 10.0},
    {"multiclass": "ovr"},
    {"schedule": None},
    {"schedule": "1/sqrt(step)"},
    {"guard": guards.Margin(5.0)},
    {"keep": "last", "readout": "last"},
    {"readout": "voted"},
    {"averaging": "pre"},
    {"rule": "relaxation"},
    {"fit_intercept": False},
    {"class_weight": {"a": 2.0}},
]


def examples():
    rng = np.random.default_rng(0)
    return rng.integers(0, 9, (40, 5)) / 4, rng.integers(0, 3, 40)


@pytest.mark.parametrize("later", LATER, ids=str)
@pytest.mark.parametrize("kind", [LinearClassifier, TextClassifier, KernelClassifier])
def test_a_file_holds_what_was_fitted(tmp_path, kind, later):
    X, y = (TEXTS, LABELS) if kind is TextClassifier else examples()
    if "class_weight" in later and kind is not TextClassifier:
        later = {"class_weight": {0: 2.0}}
    fitted = kind(rule="perceptron", schedule="1/step", max_iter=3).fit(X, y)
    fitted.save(tmp_path / "before")
    fitted.set_params(**later)
    fitted.save(tmp_path / "after")
    if "class_weight" not in later:  # partial_fit asks for it each time
        assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    loaded = hl.load(tmp_path / "after").set_params(**later)
    loaded.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "after").read_bytes()
    back = hl.load(tmp_path / "after")
    assert np.array_equal(back.decision_function(X), fitted.decision_function(X))
    if "readout" not in later:
        for clf in (back, fitted, loaded):
            clf.partial_fit(X, y)
        for clf in (back, loaded):
            for readout in ("last", "averaged"):
                one, other = clf.with_readout(readout), fitted.with_readout(readout)
                if "averaging" not in later:
                    assert np.array_equal(one.decision_function(X), other.decision_function(X))


def test_a_read_out_set_after_a_fit_is_not_the_one_that_answers(tmp_path):
    X, y = examples()
    clf = LinearClassifier(keep="all", readout="last", max_iter=3, until=None).fit(X, y)
    clf.readout = "voted"
    clf.save(tmp_path / "a")
    back = hl.load(tmp_path / "a")
    assert back.readout == "last"
    assert np.array_equal(back.decision_function(X), clf.decision_function(X))
    streamed = LinearClassifier().partial_fit(X, y)
    streamed.readout = "last"  # the state answers, by the read-out that is asked for
    streamed.save(tmp_path / "b")
    back = hl.load(tmp_path / "b")
    assert back.readout == "last"
    assert np.array_equal(back.decision_function(X), streamed.decision_function(X))
    other = clf.with_readout("averaged")
    other.save(tmp_path / "c")
    assert np.array_equal(hl.load(tmp_path / "c").coef_, other.coef_)
