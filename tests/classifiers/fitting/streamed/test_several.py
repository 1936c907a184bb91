"""A stream of examples with several labels gives the model of a fit, bit for bit."""

import random

import numpy as np
import pytest

import hardlimit as hl
from hardlimit.exceptions import DataWarning, InputError, KindError

from .test_texts import SMALL, batches, saved
from .test_texts import streamed as texts_module

DRAW = random.Random(5)
WORDS = [f"word{i}" for i in range(200)]
SETS = [{label for label in "dacb" if DRAW.random() < 0.4} for _ in range(300)]
TEXTS = [" ".join([*sorted(s), *DRAW.choices(WORDS, k=6)]) for s in SETS]
MATRIX = np.array([[1 if label in s else -1 for label in "abcd"] for s in SETS])
X = np.column_stack([MATRIX + np.random.default_rng(0).normal(size=MATRIX.shape), np.ones(300)])


def check_same(make, examples, Y, tmp_path, **fit_stream):
    fitted = make().fit(examples, Y)
    stream = make().fit_stream(batches(examples, Y), **fit_stream)
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")
    assert stream.n_training_errors_ == fitted.n_training_errors_
    assert np.array_equal(stream.predict(examples[:9]), fitted.predict(examples[:9]))


@pytest.mark.parametrize("Y", [SETS, MATRIX], ids=["sets", "matrix"])
def test_numbers(Y, tmp_path):
    given = {"order": SMALL["order"], "max_iter": 3}
    check_same(lambda: hl.LinearClassifier(**given), X, Y, tmp_path)


def test_labels_that_are_numbers_are_no_matrix(tmp_path):
    # Both as sets and as lists of one length.
    numbers = [[{0, 1}, {1, 2}, {0, 2}][k % 3] for k in range(300)]
    check_same(lambda: hl.TextClassifier(**SMALL), TEXTS, numbers, tmp_path)


def test_names_of_the_columns_of_a_matrix_are_the_labels(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(MATRIX, columns=list("wxyz"))
    check_same(lambda: hl.TextClassifier(**SMALL), TEXTS, table, tmp_path)
    stream = hl.TextClassifier(**SMALL).fit_stream(batches(TEXTS, table))
    assert stream.classes_.tolist() == list("wxyz")


def test_a_label_that_comes_late_is_told_and_left_out(monkeypatch):
    monkeypatch.setattr(texts_module, "HEAD_ROWS", 10)
    late = [*[s - {"d"} for s in SETS[:150]], *SETS[150:]]
    given = {**SMALL, "max_iter": 1}
    with pytest.warns(DataWarning, match="the label 'd' came first after .* not learnt") as told:
        clf = hl.TextClassifier(**given).fit_stream(batches(TEXTS, late))
    assert len(told) == 1 and clf.classes_.tolist() == list("abc")
    without = [s - {"d"} for s in late]
    other = hl.TextClassifier(**given).fit_stream(batches(TEXTS, without))
    assert (clf.coef_ == other.coef_).all()
    # Named, or counted in a pass before, it is there from the beginning.
    named = hl.TextClassifier(**given).fit_stream(batches(TEXTS, late), classes=list("dcba"))
    assert named.classes_.tolist() == list("abcd")
    counted = hl.TextClassifier(**{**given, "idf": "smooth"}).fit_stream(batches(TEXTS, late))
    assert counted.classes_.tolist() == list("abcd")


def test_a_label_of_every_example_is_told():
    with pytest.warns(DataWarning, match="all examples agree on 'e'"):
        hl.TextClassifier(**SMALL).fit_stream(batches(TEXTS, [{*s, "e"} for s in SETS]))


def test_what_cannot_be_learnt_is_refused():
    clf = hl.TextClassifier(**SMALL)
    with pytest.raises(
        KindError, match="got one label an example, wanted several, as in the first"
    ):
        clf.fit_stream([(TEXTS[:9], SETS[:9]), (TEXTS[:2], ["a", "b"])])
    with pytest.raises(KindError, match="got several labels an example, wanted one, as in the fi"):
        clf.fit_stream([(TEXTS[:2], ["a", "b"]), (TEXTS[:9], SETS[:9])])
    with pytest.raises(InputError, match="no label in any set"):
        clf.fit_stream([(TEXTS[:9], [set()] * 9)])
    with pytest.raises(InputError, match="each neuron has classes of its own"):
        hl.TextClassifier(**SMALL, class_weight="balanced").fit_stream(batches(TEXTS, SETS))
    pairs = iter([batches(TEXTS, SETS), batches(TEXTS[::-1], [{"b"}] * 300)])
    with pytest.raises(InputError, match="not those that were counted"):
        hl.TextClassifier(**{**SMALL, "idf": "smooth"}).fit_stream(lambda: next(pairs))
