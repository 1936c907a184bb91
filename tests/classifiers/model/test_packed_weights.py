"""Models of many classes: the same answers from cells, arrays, files, copies and streams."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from scipy import sparse

import hardlimit as hl
from hardlimit import LinearClassifier, TextClassifier, bounds, describing, model_file
from hardlimit.classifiers.model.answers import Weights
from hardlimit.classifiers.model.packed_weights import PackedWeights
from hardlimit.exceptions import ModelFileError

from ...rounding import near
from ...weights_in_cells import weights_in_cells

DRAWN = np.random.default_rng(11)
CLASSES = 12
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
WORDS = ["".join(DRAWN.choice(LETTERS, DRAWN.integers(2, 8))) for _ in range(900)]
LABELS = [f"class {k}" for k in DRAWN.integers(0, CLASSES, 300)]
TEXTS = [
    " ".join([f"topic{label[-1]}"] * 2 + list(DRAWN.choice(WORDS, 6))) for label in LABELS
]  # fmt: skip
NEW = ["a wholly new thing", "topic3 again and again", "", "unknown"]
HASHED = {"hash_bits": 17, "words": (1, 2)}  # 2^17 columns of 12 classes are packed in files
COLUMNS, PER_ROW = 100_000, 20
# Drawn row by row: to draw cells of the whole matrix would permute 30 million numbers.
X = sparse.csr_matrix(
    (
        DRAWN.uniform(0.5, 1.0, 300 * PER_ROW),
        np.sort(
            DRAWN.integers(0, COLUMNS // PER_ROW, (300, PER_ROW))
            + np.arange(0, COLUMNS, COLUMNS // PER_ROW)
        ).ravel(),
        np.arange(0, 300 * PER_ROW + 1, PER_ROW),
    ),
    (300, COLUMNS),
)
Y = DRAWN.integers(0, CLASSES, 300)


def texts(**more):
    with weights_in_cells():
        return fit_texts(**more)


def numbers(**more):
    with weights_in_cells():
        return fit_numbers(**more)


def fit_texts(**more):
    return TextClassifier(max_iter=3, **(HASHED | more)).fit(TEXTS, LABELS)


def fit_numbers(**more):
    return LinearClassifier("passive-aggressive", max_iter=3, until=None, **more).fit(X, Y)


def in_arrays(make, **more):
    """The same fit in arrays."""
    return {texts: fit_texts, numbers: fit_numbers}[make](**more)


def bits(array):
    return np.asarray(array).tobytes()


def test_a_fit_in_cells_is_the_fit_in_arrays():
    for make, rows in ((texts, TEXTS + NEW), (numbers, X)):
        cells, arrays = make(), in_arrays(make)
        assert isinstance(cells.fitted.frozen, PackedWeights)
        assert isinstance(arrays.fitted.frozen, Weights)
        assert bits(cells.decision_function(rows)) == bits(arrays.decision_function(rows))
        assert cells.n_training_errors_ == arrays.n_training_errors_
        assert cells.n_corrections_ == arrays.n_corrections_
        assert (cells.fitted.weights() == arrays.fitted.weights()).all()
        for readout in ("last", "averaged"):
            one, other = cells.with_readout(readout), arrays.with_readout(readout)
            assert bits(one.decision_function(rows)) == bits(other.decision_function(rows))
        least = arrays.fitted.facts.least[cells.readout]
        assert cells.fitted.facts.least[cells.readout] == near(least, 200)


def test_weights_are_made_where_they_are_asked_for():
    cells, arrays = numbers(), in_arrays(numbers)
    assert cells.coef_.shape == (CLASSES, 100_000)
    assert bits(cells.coef_) == bits(arrays.coef_)
    assert bits(cells.intercept_) == bits(arrays.intercept_)
    found, expected = (describing.weights(clf, 5) for clf in (cells, arrays))
    assert found == expected


def test_telling_terms_and_explanations():
    cells, arrays = texts(), in_arrays(texts)
    assert cells.telling_terms(4) == arrays.telling_terms(4)
    for text in (TEXTS[0], NEW[1], ""):
        assert cells.explain(text) == arrays.explain(text)


@pytest.mark.parametrize("slim", [False, True])
@pytest.mark.parametrize(
    "settings",
    [HASHED, {"words": (1, 2)}, {"words": (1, 2), "norm": None}, {"hash_bits": 14, "norm": None}],
    ids=str,
)
def test_files_of_texts(settings, slim, tmp_path):
    fresh = TextClassifier(max_iter=3, **settings).fit(TEXTS, LABELS)
    path = tmp_path / "model"
    fresh.save(path, training_state=not slim)
    file, loaded = model_file.open(path), hl.load(path)
    file.verify()
    assert "answer.packed.runs" in file.names and "answer.weights" not in file.names
    assert bits(loaded.decision_function(TEXTS + NEW)) == bits(fresh.decision_function(TEXTS + NEW))
    assert loaded.telling_terms(3) == fresh.telling_terms(3)
    assert loaded.explain(TEXTS[0]) == fresh.explain(TEXTS[0])
    assert (loaded.fitted.weights() == fresh.fitted.weights()).all()
    known = loaded.fitted.scores_and_known(TEXTS[:5] + NEW)[1]
    columns = fresh.vectorizer_.rows(TEXTS[:5] + NEW)
    with_weights = (fresh.fitted.weights()[:-1] != 0).any(axis=1)
    assert known.tolist() == [
        int(with_weights[columns.indices[a:b]].sum())
        for a, b in zip(columns.indptr, columns.indptr[1:], strict=False)
    ]
    if slim:
        return
    again = tmp_path / "again"
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    for clf in (fresh, loaded):
        clf.partial_fit(NEW[:2], ["class 3", "one more class"])
    fresh.save(path)
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    assert bits(hl.load(again).decision_function(NEW)) == bits(hl.load(path).decision_function(NEW))


@pytest.mark.parametrize("columns", [100_000, 400])
def test_files_of_numbers(columns, tmp_path):
    rows = X if columns == 100_000 else X[:, :400]
    fresh = LinearClassifier("passive-aggressive", max_iter=2, until=None).fit(rows, Y)
    path, again = tmp_path / "model", tmp_path / "again"
    fresh.save(path)
    assert "answer.packed.runs" in model_file.open(path).names
    loaded = hl.load(path)
    assert isinstance(loaded.fitted.frozen, PackedWeights if columns == 100_000 else Weights)
    assert bits(loaded.decision_function(rows)) == bits(fresh.decision_function(rows))
    assert bits(loaded.coef_) == bits(fresh.coef_)
    loaded.save(again)
    assert again.read_bytes() == path.read_bytes()
    for clf in (fresh, loaded):
        clf.partial_fit(rows[:9], (Y[:9] + 5))
        clf.save(again if clf is loaded else path)
    assert again.read_bytes() == path.read_bytes()


def test_copies_and_pickles():
    for make, rows, y in ((texts, TEXTS, LABELS), (numbers, X, Y)):
        clf = make()
        for other in (copy.copy(clf), copy.deepcopy(clf), pickle.loads(pickle.dumps(clf))):
            assert bits(other.decision_function(rows)) == bits(clf.decision_function(rows))
        apart = copy.deepcopy(clf)
        for one in (clf, apart):
            one.partial_fit(rows[:20], y[:20])
        assert bits(apart.decision_function(rows)) == bits(clf.decision_function(rows))
        live = pickle.loads(pickle.dumps(clf))
        assert bits(live.decision_function(rows)) == bits(clf.decision_function(rows))


def test_a_loaded_model_leaves_its_file(tmp_path):
    clf = texts()
    clf.save(tmp_path / "model")
    loaded = hl.load(tmp_path / "model")
    for other in (copy.copy(loaded), pickle.loads(pickle.dumps(loaded))):
        assert isinstance(other.fitted.frozen, PackedWeights)
        assert bits(other.decision_function(TEXTS)) == bits(clf.decision_function(TEXTS))


def test_a_stream_comes_to_cells_as_it_grows():
    """New terms and new classes, one text at a time; at last as many as lie in cells."""
    stream = TextClassifier(hash_bits=20, words=(1, 1))
    for text, label in zip(TEXTS[:80], LABELS[:80], strict=True):
        stream.partial_fit([text], [label])
    assert stream.fitted.state.state.lies_in_cells
    whole = TextClassifier(hash_bits=20, words=(1, 1)).partial_fit(TEXTS[:80], LABELS[:80])
    # The idf of the first batch differs: the same labels are enough here.
    assert list(stream.classes_) == list(whole.classes_)


def test_votes_and_bounds_of_many_classes():
    clf = numbers(keep=("last", "averaged", "voted"))
    assert clf.fitted.state.state.lies_in_cells
    assert clf.with_readout("voted").predict(X[:5]).shape == (5,)
    arrays = in_arrays(numbers)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mine, theirs = bounds.of(clf, X, Y), bounds.of(arrays, X, Y)
    assert str(mine) == str(theirs)


FORGED = {
    "an output that is not there": ("outputs", lambda a: np.full_like(a, 200)),
    "a run that is not there": ("runs", lambda a: np.full_like(a, 1 << 30)),
    "starts that go down": ("starts", lambda a: a[::-1].copy()),
    "starts beyond the cells": ("starts", lambda a: a + np.uint32(1 << 20)),
    "too few outputs": ("outputs", lambda a: a[:-1]),
    "too few runs": ("runs", lambda a: a[:-1]),
    "no starts": ("starts", lambda a: a[:0]),
}


@pytest.mark.parametrize("case", FORGED)
@pytest.mark.parametrize("section", ["answer", "state"])
def test_forged_files_are_refused(case, section, tmp_path):
    path = tmp_path / "model"
    texts(words=(1, 1)).save(path)
    file = model_file.open(path)
    tensors = {name: file.array(name) for name in file.names}
    name, forge = FORGED[case]
    tensors[f"{section}.packed.{name}"] = forge(tensors[f"{section}.packed.{name}"])
    forged = tmp_path / "forged"
    model_file.write(forged, file.header, tensors)
    with pytest.raises(ModelFileError):
        clf = hl.load(forged)
        clf.predict(TEXTS)
        clf.telling_terms()
        clf.partial_fit(TEXTS[:2], LABELS[:2])


def test_a_column_with_the_weights_of_the_bias_keeps_its_run():
    dense = np.zeros((4, CLASSES), np.float32)
    dense[[1, -1], 2] = 1.5
    dense[0, 3] = 0.5
    packed = PackedWeights.of_array(dense)
    columns = packed.without_bias()
    assert columns.runs.tolist() == [1, 2, 0] and len(columns.starts) == 3
    alone = PackedWeights.of_array(np.concatenate([dense[:1], dense[-1:]])).without_bias()
    assert alone.runs.tolist() == [1] and len(alone.starts) == 2 and len(alone.values) == 1


def test_terms_without_weights_keep_their_idf(tmp_path):
    """Without a norm the answer of a file has fewer terms than the vocabulary."""
    clf = TextClassifier(max_iter=1, words=(1, 1), norm=None, bias_feature=100.0)
    clf.fit([*TEXTS, "neverseenelsewhere"], [*LABELS, LABELS[0]])
    clf.save(tmp_path / "model")
    loaded = hl.load(tmp_path / "model")
    loaded.partial_fit(NEW[:2], ["class 3", "class 4"])
    clf.partial_fit(NEW[:2], ["class 3", "class 4"])
    assert bits(loaded.decision_function(TEXTS)) == bits(clf.decision_function(TEXTS))
