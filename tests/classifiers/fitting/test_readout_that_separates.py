"""A fit that ends `separated` answers with weights that separate, if no read-out was asked for."""

import copy
import pickle

import numpy as np
import pytest

from hardlimit import (
    KernelClassifier,
    KernelPerceptronClassifier,
    LinearClassifier,
    MarginPerceptronClassifier,
    TextClassifier,
    describing,
    load,
)

OR = [[-1, -1], [1, -1], [-1, 1], [1, 1]], [0, 1, 1, 1]
TEXTS = [
    "bad bad fine very", "bad", "bad fine fine", "good", "poor", "very not very fine",
    "poor fine bad", "bad poor good",
]  # fmt: skip
LABELS = ["no", "no", "yes", "no", "yes", "no", "no", "no"]


def drawn(seed, classes=2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    return X, (X @ rng.normal(size=(3, classes))).argmax(1)


def errors(clf, X, y):
    return int((clf.predict(X) != np.asarray(y)).sum())


def test_the_or_of_the_lecture_notes():
    clf = LinearClassifier().fit(*OR)
    assert clf.fitted.training_errors == {"averaged": 1, "last": 0}
    assert (clf.stop_reason_, clf.readout_, clf.n_training_errors_) == ("separated", "last", 0)
    assert clf.predict(OR[0]).tolist() == OR[1]
    assert describing.stop_reason(clf).endswith(
        "; these answer, since the averaged weights err on 1 row"
    )


def test_a_readout_that_was_asked_for_is_kept_and_its_errors_are_said():
    clf = LinearClassifier(readout="averaged").fit(*OR)
    assert (clf.readout_, clf.n_training_errors_) == ("averaged", 1)
    assert (
        "; but the averaged weights answer, as was asked for, and they err on 1 row"
        in describing.stop_reason(clf)
    )


@pytest.mark.parametrize(
    ("make", "classes"),
    [
        (LinearClassifier, 2),
        (LinearClassifier, 4),
        (lambda: LinearClassifier(multiclass="ovr"), 3),
        (lambda: LinearClassifier("margin-perceptron", until="margin"), 2),
        (lambda: KernelClassifier("polynomial"), 3),
        (MarginPerceptronClassifier, 2),
        (lambda: KernelPerceptronClassifier(kernel="polynomial"), 2),
    ],
    ids=["two", "coupled", "ovr", "margin", "kernel", "estimator", "kernel estimator"],
)
def test_no_fit_that_separates_errs(make, classes):
    gave_way = 0
    for seed in range(12):
        X, y = drawn(seed, classes)
        clf = make().fit(X, y)
        if clf.stop_reason_ not in ("separated", "margin_reached"):
            continue
        assert errors(clf, X, y) == 0
        gave_way += clf.readout_ == "last"
        averaged = getattr(clf, "model_", clf).with_readout("averaged")
        assert (clf.readout_ == "last") == (errors(averaged, X, y) > 0)
    assert gave_way


def test_a_kernel_fit_that_separates_is_looked_at_whatever_it_costs(monkeypatch):
    monkeypatch.setattr("hardlimit.classifiers.fitting.points.LOOK", 0)
    for seed in range(12):
        X, y = drawn(seed, 3)
        clf = KernelClassifier("polynomial").fit(X, y)
        short = clf.n_iter_ < 8
        if clf.stop_reason_ == "separated" and short and clf.readout_ == "last":
            assert errors(clf, X, y) == clf.n_training_errors_ == 0
            assert errors(clf.with_readout("averaged"), X, y) > 0
            return
    raise AssertionError("no fit gave way")


def test_texts():
    settings = {"rule": "perceptron", "until": "separated", "max_iter": 100}
    clf = TextClassifier(words=(1, 1), chars=None, **settings).fit(TEXTS, LABELS)
    assert (clf.stop_reason_, clf.readout_) == ("separated", "last")
    assert errors(clf.with_readout("averaged"), TEXTS, LABELS) > 0
    assert clf.predict(TEXTS).tolist() == LABELS


def test_many_labels():
    X, _ = drawn(3)
    Y = np.c_[X[:, 0] > 0, X[:, 1] > X[:, 2]].astype(int)
    clf = LinearClassifier().fit(X, Y)
    assert clf.stop_reason_ == "separated"
    assert (clf.predict(X) == Y).all()


def test_a_fit_that_does_not_separate_keeps_its_average():
    X, y = drawn(0)
    y[:4] = 1 - y[:4]
    clf = LinearClassifier(max_iter=20).fit(X, y)
    assert (clf.stop_reason_, clf.readout_) == ("max_iter", "averaged")


def test_the_next_fit_begins_with_the_default():
    X, y = drawn(0)
    clf = LinearClassifier(max_iter=20).fit(*OR)
    assert clf.readout_ == "last"
    y[:4] = 1 - y[:4]
    assert clf.fit(X, y).readout_ == "averaged"
    assert clf.readout == "averaged"


@pytest.mark.parametrize(
    "other", [copy.copy, copy.deepcopy, lambda c: pickle.loads(pickle.dumps(c))]
)
def test_a_stream_goes_on_answering_by_the_last_weights(other):
    """What the model says of itself is what it does: also after partial_fit, and in a copy."""
    clf = other(LinearClassifier().fit(*OR))
    clf.partial_fit([[3, 3]], [1])
    assert clf.readout_ == "last"
    assert clf.coef_.tolist() == clf.with_readout("last").coef_.tolist()
    clf.set_params(readout="averaged")  # asked for now
    assert clf.readout_ == "averaged"


def test_a_file_says_which_weights_answer_and_why(tmp_path):
    clf = LinearClassifier().fit(*OR)
    clf.save(tmp_path / "m")
    loaded = load(tmp_path / "m")
    assert (loaded.readout_, loaded.n_training_errors_) == ("last", 0)
    assert describing.stop_reason(loaded) == describing.stop_reason(clf)
    assert loaded.predict(OR[0]).tolist() == OR[1]
    loaded.partial_fit([[3, 3]], [1])
    assert loaded.readout_ == "last"
    loaded.save(tmp_path / "n")
    assert load(tmp_path / "n").readout_ == "last"


def test_other_readouts_can_still_be_asked_for():
    clf = LinearClassifier().fit(*OR)
    assert clf.with_readout("averaged").readout_ == "averaged"
    assert clf.with_readout("averaged").n_training_errors_ == 1
