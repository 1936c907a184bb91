"""A stream of texts gives the model of a fit, bit for bit."""

import random
import threading

import pytest

import hardlimit as hl
from hardlimit import orders
from hardlimit.classifiers.features.texts import TextFeatures
from hardlimit.classifiers.fitting.streamed import texts as streamed
from hardlimit.exceptions import DataWarning, HardlimitError, MemoryEstimateError
from hardlimit.foundation import memory

from ....making import saved
from ....rounding import near

RANDOM = random.Random(3)
WORDS = [f"word{i}" for i in range(300)]
N = 300


def make_texts(n=N, classes="abc"):
    labels = [RANDOM.choice(classes) for _ in range(n)]
    texts = [" ".join([f"{y}{y}", *RANDOM.choices(WORDS, k=8)]) for y in labels]
    return texts, labels


TEXTS, LABELS = make_texts()
TWO = ["c" if label == "b" else label for label in LABELS]
SMALL = {"hash_bits": 10, "idf": None, "max_iter": 3, "order": orders.Stream(64), "chars": None}


def batches(texts=TEXTS, labels=LABELS, size=70):
    return [(texts[i : i + size], labels[i : i + size]) for i in range(0, len(texts), size)]


def check_same(tmp_path, given, labels=LABELS, **fit_stream):
    given = {**SMALL, **given}
    fitted = hl.TextClassifier(**given).fit(TEXTS, labels)
    stream = hl.TextClassifier(**given).fit_stream(batches(labels=labels), **fit_stream)
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")
    assert stream.n_training_errors_ == fitted.n_training_errors_
    assert stream.fitted.facts == fitted.fitted.facts


def test_how_the_texts_are_cut_into_batches_changes_nothing(tmp_path):
    found = [
        saved(hl.TextClassifier(**SMALL).fit_stream(batches(size=size)), tmp_path / "a")
        for size in (1, 64, N)
    ]
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("given", [{}, {"idf": "smooth"}, {"class_weight": "balanced"}], ids=str)
def test_blocks_of_long_texts_are_made_in_parts(given, tmp_path, monkeypatch):
    """A few texts are in memory at once, and the blocks of rows are those of the order."""
    monkeypatch.setattr(streamed, "CHARACTERS", 1000)
    sizes, make = [], TextFeatures.make

    def spy(self, examples, *more):
        sizes.append((sum(map(len, examples)), max(map(len, examples))))
        return make(self, examples, *more)

    monkeypatch.setattr(TextFeatures, "make", spy)
    check_same(tmp_path, given)
    assert len(sizes) > N / 64 and all(size < 1000 + longest for size, longest in sizes)


def test_long_texts_with_weights_and_a_checkpoint(tmp_path, monkeypatch):
    """What is compared after a run was broken off is of the texts, however they are cut."""

    def fit(size, **more):
        parts = [
            (TEXTS[i : i + size], LABELS[i : i + size], [1.5] * len(TEXTS[i : i + size]))
            for i in range(0, N, size)
        ]
        clf = hl.TextClassifier(**SMALL)
        path = tmp_path / "run"
        return clf.fit_stream(parts, checkpoint=path, every=1e-9, **more)

    def stop(record):
        raise KeyboardInterrupt

    whole = saved(fit(70), tmp_path / "a")
    with pytest.raises(KeyboardInterrupt):
        fit(70, callback=stop)
    monkeypatch.setattr(streamed, "CHARACTERS", 1000)
    assert (tmp_path / "run").exists()
    assert saved(fit(9), tmp_path / "a") == whole


def test_rows_that_do_not_fit_are_refused(monkeypatch):
    monkeypatch.setattr(memory.Gathered, "FIRST", 1 << 10)
    monkeypatch.setattr(memory, "NEGLIGIBLE", 0)
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("a test has", 1 << 12, 0))
    with pytest.raises(MemoryEstimateError, match=r"rows of the blocks under way.*size=16"):
        hl.TextClassifier(**{**SMALL, "hash_bits": 4}).fit_stream(batches())


def test_the_order_gives_way_where_none_was_asked_for():
    given = {key: value for key, value in SMALL.items() if key != "order"}
    stream = hl.TextClassifier(**given).fit_stream(batches())
    assert stream.fitted.choices.order == orders.Stream()
    once = hl.TextClassifier(**{**given, "max_iter": 1}).fit_stream(iter(batches()))
    assert once.n_training_errors_ is None
    fitted = hl.TextClassifier(**given, order="stream").fit(TEXTS, LABELS)
    assert (stream.coef_ == fitted.coef_).all()


def test_progressive_validation_predicts_before_it_learns():
    stream = hl.TextClassifier(**{**SMALL, "order": "cyclic"}).fit_stream(batches())
    live, wrong = hl.TextClassifier(**{**SMALL, "order": "cyclic", "readout": "last"}), 0
    live.partial_fit(TEXTS[:1], LABELS[:1], classes=["a", "b", "c"])
    for text, label in zip(TEXTS[1:], LABELS[1:], strict=True):
        wrong += live.predict([text])[0] != label
        live.partial_fit([text], [label])
    assert stream.progressive_error_ == near((wrong + 1) / N, 4)
    with pytest.raises(AttributeError, match="fit_stream"):
        _ = hl.TextClassifier(**SMALL).fit(TEXTS, LABELS).progressive_error_


def test_the_progressive_error_is_in_the_file(tmp_path):
    stream = hl.TextClassifier(**SMALL).fit_stream(batches())
    stream.save(tmp_path / "a")
    assert hl.load(tmp_path / "a").progressive_error_ == stream.progressive_error_


def test_a_class_that_comes_late_is_learnt_with_a_warning(monkeypatch):
    monkeypatch.setattr(streamed, "HEAD_ROWS", 10)
    texts = [*TEXTS, *["late words"] * 20]
    labels = [*TWO, *["z"] * 20]
    with pytest.warns(DataWarning, match="'z' came first after"):
        stream = hl.TextClassifier(**SMALL).fit_stream(batches(texts, labels))
    assert stream.predict(["late words"])[0] == "z"
    named = hl.TextClassifier(**SMALL).fit_stream(batches(texts, labels), classes=["z", "a", "c"])
    fitted = hl.TextClassifier(**SMALL).fit(texts, labels)
    assert (named.coef_ == fitted.coef_).all()


def test_a_vocabulary_without_limits_is_counted_first():
    clf = hl.TextClassifier(**{**SMALL, "hash_bits": None})
    with pytest.raises(HardlimitError, match="batches come once.*hash_bits=20"):
        clf.fit_stream(once := iter(batches()))
    assert len(list(once)) == len(list(batches()))  # refused before any of them was read


def test_rows_of_one_class_at_the_beginning_are_refused(monkeypatch):
    monkeypatch.setattr(streamed, "HEAD_ROWS", 10)
    with pytest.raises(HardlimitError, match=r"all of one class.*shuffle"):
        hl.TextClassifier(**SMALL).fit_stream(batches(labels=["a"] * N))


def test_an_error_in_the_batches_leaves_the_old_model_and_no_thread():
    clf = hl.TextClassifier(**SMALL).fit_stream(batches())
    before = clf.coef_.copy()

    def broken():
        yield from batches()[:2]
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        clf.fit_stream(broken)
    assert (clf.coef_ == before).all()
    assert not [one for one in threading.enumerate() if one.name == "hardlimit stream"]


def test_an_interruption_keeps_what_was_learnt(monkeypatch):
    monkeypatch.setattr(streamed, "HEAD_ROWS", 10)

    def interrupted(record):
        raise KeyboardInterrupt

    clf = hl.TextClassifier(**SMALL)
    with pytest.raises(KeyboardInterrupt):
        clf.fit_stream(batches(), callback=interrupted)
    assert clf.stop_reason_ == "interrupted"
    assert set(clf.predict(TEXTS[:20])) <= set("abc")
    assert not [one for one in threading.enumerate() if one.name == "hardlimit stream"]


@pytest.mark.parametrize("given", [{"idf": "smooth"}, {"class_weight": "balanced"}])
def test_a_pass_that_gives_other_texts_than_the_one_before_is_refused(given):
    once = iter(batches())
    with pytest.raises(HardlimitError, match=f"0 examples, after {N}") as refused:
        hl.TextClassifier(**{**SMALL, **given}).fit_stream(lambda: once)
    assert refused.value.topic == "other-rows"


def test_a_pass_that_gives_other_rows_than_the_one_before_is_refused():
    calls = [[([[1.0], [2.0]], [0, 1])] * n for n in (3, 2)]
    clf = hl.LinearClassifier(max_iter=1, class_weight="balanced")
    with pytest.raises(HardlimitError, match="4 examples, after 6"):
        clf.fit_stream(lambda: calls.pop(0))
