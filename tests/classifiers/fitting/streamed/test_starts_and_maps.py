"""Weights at the start and feature maps: memory, stream and one shard learn the same bits."""

import numpy as np
import pytest
import scipy.sparse

import hardlimit as hl
from hardlimit import maps
from hardlimit.distributed import train
from hardlimit.examples.dense import read_numbers
from hardlimit.exceptions import InputError
from hardlimit.readers import write_svmlight

from .... import making

RANDOM = np.random.default_rng(7)
X = RANDOM.integers(-2, 3, (130, 4)).astype(float)
Y = np.array(["no", "odd", "yes"])[np.digitize(X @ [1, -2, 0.5, 0] + X[:, 0] * X[:, 1], [-1, 2])]
TEXTS = [" ".join(f"w{word}" for word in RANDOM.integers(0, 30, 6)) for _ in range(130)]
FIRST, WORDS = hl.TextClassifier(words=(1, 1), chars=None), ["win", "w1"]
# The order of the file: that of a stream in blocks of one row, and of a shard that is not shuffled.
NUMBERS = {"order": "cyclic", "max_iter": 3, "until": None}
OF_TEXTS = NUMBERS | {"words": (1, 1), "chars": None}
STARTS = {
    "columns": np.arange(15.0).reshape(3, 5) / 8,
    "terms": {"no": {"win": 2.0, "w1": -1.0}, "yes": {"w1": 0.5}, "odd": {}},
    "model": FIRST.fit(["win w1", "w2 new", "w3 w1"], ["yes", "no", "odd"]),
}


def break_after(n_epochs):
    def look(record):
        if record.epoch == n_epochs:
            raise KeyboardInterrupt

    return look


def cut(rows, labels, size=32):
    return [(rows[k : k + size], labels[k : k + size]) for k in range(0, len(labels), size)]


def saved(clf, folder):
    clf.metadata.clear()
    return making.saved(clf, folder / "m")


def write(folder, rows, labels):
    """Write numbers or texts as CSV."""
    path = folder / "rows.csv"
    cells = rows.tolist() if isinstance(rows, np.ndarray) else [[text] for text in rows]
    names = ",".join([f"c{k}" for k in range(len(cells[0]))][:4]) if len(cells[0]) > 1 else "text"
    lines = [f"{','.join(map(str, row))},{label}" for row, label in zip(cells, labels, strict=True)]
    path.write_text("\n".join([f"{names},label", *lines]) + "\n")
    return path, {"format": "numeric-csv", "label": "label"} if len(cells[0]) > 1 else None


@pytest.mark.parametrize(
    ("kind", "hash_bits"),
    [("columns", None), ("terms", None), ("terms", 9), ("model", None), ("model", 9)],
)
def test_one_start_whatever_the_way(kind, hash_bits, tmp_path):
    rows, given = (X, NUMBERS) if kind == "columns" else (TEXTS, {**OF_TEXTS})
    make = hl.LinearClassifier if kind == "columns" else hl.TextClassifier
    given |= {} if kind == "columns" else {"hash_bits": hash_bits}
    start = STARTS[kind]
    if kind == "model" and hash_bits:
        start = hl.TextClassifier(**{**OF_TEXTS, "hash_bits": hash_bits}).fit(TEXTS[:9], Y[:9])
    memory = make(**given).fit(rows, Y, initial_weights=start)
    assert saved(memory, tmp_path) != saved(make(**given).fit(rows, Y), tmp_path)
    stream = make(**given).fit_stream(cut(rows, Y), initial_weights=start)
    assert saved(stream, tmp_path) == saved(memory, tmp_path)
    path, layout = write(tmp_path, rows, Y)
    shard = train(path, layout, classifier=make(**given), initial_weights=start)
    shard.fitted.feature_names = None
    assert saved(shard, tmp_path) == saved(memory, tmp_path)
    assert np.array_equal(stream.fitted.facts.start, memory.fitted.facts.start)
    assert np.array_equal(shard.fitted.facts.start, memory.fitted.facts.start)


def test_shards_begin_at_the_weights_too(tmp_path):
    path, layout = write(tmp_path, X, Y)
    one, three = (
        train(path, layout, cluster=who, initial_weights=STARTS["columns"], shards=3, **NUMBERS)
        for who in ("threads:1", "threads:3")
    )
    assert saved(one, tmp_path) == saved(three, tmp_path)
    other = train(path, layout, shards=3, **NUMBERS)
    assert saved(other, tmp_path) != saved(one, tmp_path)


@pytest.mark.parametrize("way", ["stream", "cluster"])
def test_a_checkpoint_goes_on_with_its_start_only(way, tmp_path):
    path, layout = write(tmp_path, X, Y)

    def fit(start, callback=None, **more):
        clf = hl.LinearClassifier(**NUMBERS)
        more |= {"callback": callback, "initial_weights": start}
        if way == "cluster":
            train(path, layout, classifier=clf, **more)
            clf.fitted.feature_names = None
            return clf
        return clf.fit_stream(cut(X, Y), **more)

    kept = {"checkpoint": tmp_path / "kept", "every": 0}
    whole = fit(STARTS["columns"])
    with pytest.raises(KeyboardInterrupt):
        fit(STARTS["columns"], break_after(2), **kept)
    with pytest.raises(InputError, match="began at other weights"):
        fit(2 * STARTS["columns"], **kept)
    went_on = fit(STARTS["columns"], **kept)
    assert saved(went_on, tmp_path) == saved(whole, tmp_path)
    assert np.array_equal(went_on.fitted.facts.start, whole.fitted.facts.start)


def test_weights_are_not_those_of_a_scale_or_of_more_columns():
    with pytest.raises(InputError, match="other units"):
        hl.LinearClassifier(scale="rows").fit_stream(cut(X, Y), initial_weights=STARTS["columns"])
    with pytest.raises(InputError, match="wanted 3 rows of 5 weights"):
        hl.LinearClassifier(**NUMBERS).fit_stream(cut(X, Y), initial_weights=[1, 2])


@pytest.mark.parametrize("made", [maps.Polynomial(2), maps.Cross(), maps.Cross(hash_bits=5)])
@pytest.mark.parametrize("scale", [None, "standard"])
@pytest.mark.parametrize("sparse", [False, True])
def test_one_map_whatever_the_way(made, scale, sparse, tmp_path):
    given = {"map": made, "scale": scale, **NUMBERS}
    rows = scipy.sparse.csr_array(X) if sparse else X
    memory = hl.LinearClassifier(**given).fit(rows, Y)
    stream = hl.LinearClassifier(**given).fit_stream(lambda: cut(rows, Y))
    assert saved(stream, tmp_path) == saved(memory, tmp_path)
    assert stream.n_features_in_ == 4 and (stream.predict(rows) == memory.predict(rows)).all()
    path, layout = write(tmp_path, X, Y)
    if sparse:
        path, layout = tmp_path / "rows.svm", {"format": "svmlight"}
        numbers = np.unique(Y, return_inverse=True)[1]
        write_svmlight(path, rows, numbers)
        memory = hl.LinearClassifier(**given).fit(rows, numbers)
    shard = train(path, layout, **given)
    shard.fitted.feature_names = None
    if not sparse or scale is None:  # column names are those of the file
        assert saved(shard, tmp_path) == saved(memory, tmp_path)
    assert np.array_equal(shard.decision_function(rows), memory.decision_function(rows))


def test_columns_that_come_late_are_counted_before_they_are_mapped():
    early = scipy.sparse.csr_array(np.c_[X[:, :2], 0 * X[:, :2]])[:60, :2]
    late = scipy.sparse.csr_array(X)[60:]

    def batches():
        parts = (early, Y[:60]), (late, Y[60:])
        return ((read_numbers(rows, grows=True), labels) for rows, labels in parts)

    stream = hl.LinearClassifier(map=maps.Polynomial(2), **NUMBERS).fit_stream(batches)
    whole = np.vstack([np.c_[X[:60, :2], np.zeros((60, 2))], X[60:]])
    memory = hl.LinearClassifier(map=maps.Polynomial(2), **NUMBERS).fit(whole, Y)
    assert np.array_equal(stream.coef_, memory.coef_)
    with pytest.raises(InputError, match="columns are counted before"):
        hl.LinearClassifier(map=maps.Polynomial(2)).fit_stream(batches())


OLD, NEW = TEXTS[:40], [f"{text} new{k % 50} w{k % 7}" for k, text in enumerate(TEXTS[40:])]
CELLS = [{"age": k % 9, "city": f"c{k % (5 + k // 20)}", "note": t} for k, t in enumerate(TEXTS)]
KINDS = {"number_columns": ["age"], "category_columns": ["city"], "text_columns": ["note"]}


@pytest.mark.parametrize("epochs", [1, 2])
@pytest.mark.parametrize(
    ("make", "old", "new"),
    [
        (lambda: hl.TextClassifier(), OLD, NEW),
        (lambda: hl.TextClassifier(hash_bits=8), OLD, NEW),
        (lambda: hl.TextClassifier(idf=None, class_weight="balanced"), OLD, NEW),
        (
            lambda: hl.TextClassifier(text_columns=["a", "b"]),
            list(zip(OLD, OLD[::-1], strict=True)),
            list(zip(NEW, NEW[::-1], strict=True)),
        ),
        (lambda: hl.TableClassifier(**KINDS), CELLS[:40], CELLS[40:]),
        (lambda: hl.LinearClassifier(scale="standard"), X[:40], X[40:]),
    ],
)
def test_an_earlier_model_goes_on_with_the_bits_of_all_rows_at_once(
    make, old, new, epochs, tmp_path
):
    old_labels, labels = Y[:40], np.where(np.arange(90) % 11 == 5, "late", Y[40:])
    memory = make().fit(old, old_labels)
    for _ in range(epochs):
        memory.partial_fit(new, labels)
    stream = make().fit(old, old_labels).partial_fit_stream(cut(new, labels, 13), epochs=epochs)
    assert saved(stream, tmp_path) == saved(memory, tmp_path)


def test_new_terms_are_counted_before_they_are_learnt():
    clf = hl.TextClassifier().fit(OLD, Y[:40])
    with pytest.raises(InputError, match="new terms are counted"):
        clf.partial_fit_stream(iter(cut(NEW, Y[40:])))
    hashed = hl.TextClassifier(hash_bits=8, idf=None).fit(OLD, Y[:40])
    assert hashed.partial_fit_stream(iter(cut(NEW, Y[40:]))) is hashed
    with pytest.raises(InputError, match="each epoch shows all rows"):
        hashed.partial_fit_stream(iter(cut(NEW, Y[40:])), epochs=2)
