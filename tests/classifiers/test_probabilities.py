"""Probabilities of texts and numbers: out of sample, in the file, gone when the weights move."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.evaluation.calibration import probability_figures
from hardlimit.exceptions import InputError, NotFittedError

from ..rounding import near

WORDS = ["win", "prize", "cash", "lunch", "noon", "see", "you", "free", "meet", "the", "of", "to"]


def drawn_texts(n: int, seed: int, classes: int = 2, noise: float = 0.2):
    """Texts whose classes overlap: words of the class, common words, some labels wrong."""
    rng = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(n):
        k = int(rng.integers(classes))
        own = [f"{WORDS[k]}{rng.integers(9)}" for _ in range(3)]
        common = [WORDS[rng.integers(len(WORDS))] for _ in range(5)]
        texts.append(" ".join([*own, *common]))
        labels.append(f"c{int(rng.integers(classes)) if rng.random() < noise else k}")
    return texts, labels


def drawn_rows(n: int, seed: int, classes: int = 2):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 5))
    noisy = X[:, :classes] + rng.gumbel(size=(n, classes)) * 0.7
    return X, noisy.argmax(1)


def text_classifier(classes=2, n=400):
    texts, labels = drawn_texts(n, 0, classes)
    clf = hl.TextClassifier(words=(1, 1), chars=None, probability=True).fit(texts, labels)
    return clf, *drawn_texts(300, 1, classes)


@pytest.mark.parametrize("classes", [2, 4])
@pytest.mark.parametrize("n", [400, 1200])  # five folds, and one part
def test_probabilities_of_texts_are_calibrated(classes, n):
    clf, texts, labels = text_classifier(classes, n)
    p = clf.predict_proba(texts)
    assert p.shape == (300, classes)
    assert p.sum(1) == near(np.ones(300), 10)
    assert (clf.classes_[p.argmax(1)] == clf.predict(texts)).all()
    found = probability_figures(p, clf.fitted.classes.codes(labels))
    assert found.expected_error < 0.16
    # Better than the classes alone, and than the certainty that overfitting would give.
    assert found.log_loss < np.log(classes)


@pytest.mark.parametrize("classes", [2, 3])
def test_probabilities_of_numbers(classes):
    X, y = drawn_rows(1500, 0, classes)
    settings = {"rule": "margin-perceptron", "until": None, "max_iter": 10}
    clf = hl.LinearClassifier(probability=True, **settings).fit(X, y)
    same = hl.LinearClassifier(**settings).fit(X, y)
    assert (clf.coef_ == same.coef_).all()  # the model itself is the same
    X, y = drawn_rows(1000, 1, classes)
    found = probability_figures(clf.predict_proba(X), y)
    assert found.expected_error < 0.1 and found.log_loss < np.log(classes)


@pytest.mark.parametrize("make", ["text", "numbers"])
def test_the_slope_is_out_of_sample(make):
    """Labels drawn by chance: what was learnt by heart is not believed."""
    rng = np.random.default_rng(3)
    if make == "text":
        texts = [f"word{i} other{i % 7}" for i in range(300)]
        y = rng.integers(0, 2, 300).tolist()
        clf = hl.TextClassifier(words=(1, 1), chars=None, probability=True).fit(texts, y)
        p, errors = clf.predict_proba(texts), clf.n_training_errors_
    else:
        X, y = rng.normal(size=(300, 400)), rng.integers(0, 2, 300)
        clf = hl.LinearClassifier(probability=True).fit(X, y)
        p, errors = clf.predict_proba(X), clf.n_training_errors_
    assert errors == 0 and p.max(1).mean() < 0.8


@pytest.mark.parametrize(
    "other", [copy.copy, copy.deepcopy, lambda clf: pickle.loads(pickle.dumps(clf))]
)
def test_copies_have_the_same_probabilities(other):
    clf, texts, _ = text_classifier()
    assert (other(clf).predict_proba(texts) == clf.predict_proba(texts)).all()


@pytest.mark.parametrize("slim", [False, True])
def test_a_file_keeps_them(slim, tmp_path):
    clf, texts, _ = text_classifier(3)
    clf.save(tmp_path / "m", training_state=not slim)
    loaded = hl.load(tmp_path / "m")
    assert (loaded.predict_proba(texts) == clf.predict_proba(texts)).all()
    assert loaded.get_params()["probability"] is True
    X, y = drawn_rows(200, 0)
    numbers = hl.LinearClassifier(probability=True).fit(X, y)
    numbers.save(tmp_path / "n", training_state=not slim)
    assert (hl.load(tmp_path / "n").predict_proba(X) == numbers.predict_proba(X)).all()


def test_a_model_without_has_no_such_attribute(tmp_path):
    clf = hl.TextClassifier().fit(["a b", "c d"], [0, 1])
    assert not hasattr(clf, "predict_proba")
    clf.save(tmp_path / "m")
    assert b"slope" not in (tmp_path / "m").read_bytes()
    assert b"probability" not in (tmp_path / "m").read_bytes()


def test_they_are_gone_when_the_weights_move_and_come_back_by_calibrate(tmp_path):
    clf, texts, labels = text_classifier()
    clf.partial_fit(["win0 prize"], ["c0"])
    with pytest.raises(NotFittedError, match="calibrate"):
        clf.predict_proba(texts)
    clf.save(tmp_path / "m")
    assert hl.load(tmp_path / "m").fitted.slope is None
    clf.calibrate(texts, labels)
    p = clf.predict_proba(texts)
    clf.save(tmp_path / "m")
    # Weights in the file are float32, and the slope times a score is below a hundred.
    assert hl.load(tmp_path / "m").predict_proba(texts) == pytest.approx(p, abs=1e-5)
    with pytest.raises(NotFittedError):
        clf.with_readout("last").predict_proba(texts)


@pytest.mark.parametrize("moved", [0.0, 0.4])
def test_the_most_probable_class_is_the_predicted_one(moved):
    clf, texts, _ = text_classifier()
    clf.threshold_ = moved
    p = clf.predict_proba(texts)
    assert (clf.classes_[p.argmax(1)] == clf.predict(texts)).all()
    top = clf.predict_top(texts, 2)
    assert [row[0][0] for row in top] == clf.predict(texts).tolist()
    assert top[0][0][1] == p[0].max()


def test_the_best_classes_without_probabilities_have_their_scores():
    X, y = drawn_rows(200, 0, 4)
    clf = hl.LinearClassifier(until=None, max_iter=5).fit(X, y)
    top = clf.predict_top(X, 3)
    scores = clf.decision_function(X)
    assert [len(row) for row in top] == [3] * 200
    assert [row[0][0] for row in top] == clf.predict(X).tolist()
    assert all(one[1] == scores[i, one[0]] for i, row in enumerate(top) for one in row)
    with pytest.raises(InputError, match="top"):
        clf.predict_top(X, 0)


def test_answers_that_are_not_sure_enough_are_left_open():
    clf, texts, _ = text_classifier(3)
    p = clf.predict_proba(texts)
    answers = clf.predict_confident(texts, 0.7, unsure="?")
    for answer, row, label in zip(answers, p, clf.predict(texts), strict=True):
        assert answer == (label if row.max() >= 0.7 else "?")
    assert 0 < (answers == "?").sum() < 300
    with pytest.raises(InputError, match="min_probability"):
        clf.predict_confident(texts, 1.5)


def test_weights_of_examples_count():
    """Rows of weight 0 might as well not be there."""
    X, y = drawn_rows(300, 0)
    weights = np.ones(300)
    weights[200:] = 0
    clf = hl.LinearClassifier(probability=True, until=None, max_iter=5)
    whole = clf.fit(X, np.r_[y[:200], 1 - y[200:]], weights).fitted.slope.a
    # Rows of weight 0 are shuffled with the others: another order, another run.
    assert whole == pytest.approx(clf.fit(X[:200], y[:200]).fitted.slope.a, rel=0.2)


def test_an_iterator_of_texts_is_read_once():
    texts, labels = drawn_texts(60, 0)
    clf = hl.TextClassifier(probability=True).fit(iter(texts), labels)
    same = hl.TextClassifier(probability=True).fit(texts, labels)
    assert clf.fitted.slope == same.fitted.slope


def test_equal_texts_are_one_example_and_the_classes_are_counted() -> None:
    clf = hl.TextClassifier(probability=True)
    with pytest.raises(InputError, match="each of 2 classes, equal ones counted once"):
        clf.fit(["a free offer"] * 3 + ["a lecture"] * 3, ["spam"] * 3 + ["ham"] * 3)


@pytest.mark.parametrize("classes", [2, 4])
def test_a_probability_that_is_the_least_is_confident(classes):
    clf, texts, _ = text_classifier(classes)
    p = clf.predict_proba(texts[:20])
    for row, best in enumerate(p.max(1).tolist()):
        wanted = clf.predict(texts[row : row + 1])[0]
        assert clf.predict_confident(texts[row : row + 1], best)[0] == wanted
        above = float(np.nextafter(best, 2))
        assert clf.predict_confident(texts[row : row + 1], above)[0] is None
