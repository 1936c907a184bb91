"""Probabilities of kernel models: out of sample, in the file, and on the command line."""

import json
import math
import pickle
import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

import hardlimit as hl
from hardlimit import KernelClassifier, kernels
from hardlimit.classifiers.fitting.calibrating import slope_out_of_sample
from hardlimit.cli import main
from hardlimit.exceptions import InputError, NotFittedError

from ..rounding import near

RNG = np.random.default_rng(0)
X = RNG.normal(size=(120, 3)).round(2)
NOISE = RNG.random(120) < 0.15
TWO = np.where((X[:, 0] * X[:, 1] > 0) ^ NOISE, "in", "out")
MANY = (X[:, 0] > 0).astype(int) + 2 * (X[:, 1] > 0)
FEW = {"max_iter": 4, "until": None}


@pytest.mark.parametrize("readout", ["averaged", "last", "voted"])
@pytest.mark.parametrize("y", [TWO, MANY], ids=["two", "many"])
def test_the_most_probable_class_is_the_predicted_one(y, readout):
    clf = KernelClassifier(probability=True, readout=readout, keep=(readout,), **FEW).fit(X, y)
    p = clf.predict_proba(X)
    assert p.shape == (120, len(set(y))) and p.sum(1) == near(1, 10)
    assert np.array_equal(clf.classes_[p.argmax(1)], clf.predict(X))
    assert [row[0][0] for row in clf.predict_top(X, 2)] == clf.predict(X).tolist()
    sure = clf.predict_confident(X, 0.9, unsure="?")
    assert {"?"} <= set(sure.tolist())


def test_nothing_else_changes_and_training_rows_are_not_asked():
    plain, clf = KernelClassifier(**FEW).fit(X, TWO), KernelClassifier(probability=True, **FEW)
    clf.fit(X, TWO)
    assert np.array_equal(clf.decision_function(X), plain.decision_function(X))
    # A slope of scores that were learnt by heart would be far steeper.
    by_heart = KernelClassifier(**FEW).fit(X, TWO).calibrate(X, TWO)
    assert clf.fitted.slope.a < 0.5 * by_heart.fitted.slope.a
    fresh = RNG.normal(size=(400, 3))
    truth = fresh[:, 0] * fresh[:, 1] <= 0
    loss = [
        -np.log(np.where(truth, p[:, 1], p[:, 0])).mean()
        for p in (one.predict_proba(fresh) for one in (clf, by_heart))
    ]
    assert loss[0] < min(loss[1], math.log(2))


def test_it_is_the_slope_of_five_fits_without_a_part():
    clf = KernelClassifier("polynomial", probability=True, **FEW).fit(X, MANY)

    def learn_and_score(learnt, rows):
        made = KernelClassifier("polynomial", **FEW).fit(X[learnt], MANY[learnt])
        return made.calibration_scores(X[rows]), MANY[rows]

    assert clf.fitted.slope.a == slope_out_of_sample(learn_and_score, MANY.tolist()).a


def test_given_matrices_sparse_rows_and_weights_of_zero():
    made = KernelClassifier(kernels.Polynomial(2), probability=True, **FEW).fit(X, TWO)
    gram = (1 + X @ X.T) ** 2
    given = KernelClassifier("precomputed", probability=True, **FEW).fit(gram, TWO)
    assert given.predict_proba(gram) == near(made.predict_proba(X), 10**6, size=1)
    sparse = KernelClassifier(kernels.Polynomial(2), probability=True, **FEW)
    sparse.fit(csr_matrix(X), TWO)
    assert sparse.predict_proba(X) == near(made.predict_proba(X), 10**6, size=1)
    weights = np.ones(120)
    weights[::7] = 0
    left_out = KernelClassifier(probability=True, **FEW).fit(X, TWO, weights)
    kept = weights > 0
    alone = KernelClassifier(probability=True, **FEW).fit(X[kept], TWO[kept])
    # Rows of weight 0 are shuffled with the others: another order, another run.
    assert left_out.fitted.slope.a == pytest.approx(alone.fitted.slope.a, rel=0.2)


def test_without_it_and_after_a_stream_there_are_none():
    plain = KernelClassifier(**FEW).fit(X, TWO)
    assert not hasattr(plain, "predict_proba")
    assert plain.calibrate(X, TWO).predict_proba(X).shape == (120, 2)
    clf = KernelClassifier(probability=True, **FEW).fit(X, TWO)
    clf.partial_fit(X[:3], TWO[:3])
    with pytest.raises(NotFittedError, match="calibrate"):
        clf.predict_proba(X)
    with pytest.raises(InputError, match="one example of each"):
        KernelClassifier(probability=True).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(NotFittedError):
        KernelClassifier(probability=True, **FEW).fit(X, TWO).with_readout("last").predict_proba(X)


def test_it_is_in_the_file_and_in_a_pickle(tmp_path):
    clf = KernelClassifier(probability=True, **FEW).fit(X, MANY)
    clf.save(tmp_path / "m", training_state=False)
    for loaded in (hl.load(tmp_path / "m"), pickle.loads(pickle.dumps(clf))):
        assert loaded.probability
        assert np.array_equal(loaded.predict_proba(X), clf.predict_proba(X))
    KernelClassifier(**FEW).fit(X, MANY).save(tmp_path / "n")
    assert b"probability" not in (tmp_path / "n").read_bytes()


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rows = [",".join(map(str, [*row, label])) for row, label in zip(X.tolist(), TWO, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,c,label", *rows]) + "\n")

    def said(*words):
        capsys.readouterr()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert main(list(words)) == 0
        return capsys.readouterr().out

    asked = ("--kernel", "rbf:0.5", "--probability", "--label", "label", "-q")
    said("train", "t.csv", "-o", "m", *asked)
    clf = KernelClassifier(kernels.RBF(0.5), probability=True).fit(X, TWO)
    found = [
        json.loads(line)
        for line in said("predict", "m", "t.csv", "--probability", "--json").splitlines()
    ]
    p = clf.predict_proba(X).max(1)
    assert [one["probability"] for one in found] == near(p.tolist(), 10)
    assert json.loads(said("inspect", "m", "--json"))["slope"] == clf.fitted.slope.a
    assert "fitted out of sample" in said("inspect", "m")
    measured = json.loads(said("evaluate", "m", "t.csv", "--label", "label", "--json"))
    assert measured["probabilities"]["log_loss"] == near(
        -np.log(clf.predict_proba(X)[range(120), (TWO == "out").astype(int)]).mean(), 500
    )
