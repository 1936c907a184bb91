"""What later epochs read of a stream: smaller than its texts, and with the same bits."""

import random

import numpy as np
import pytest

import hardlimit as hl
from hardlimit import orders
from hardlimit.classifiers.fitting.streamed.disk_cache import DiskCache
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError
from hardlimit.streaming.cache import RowCache

from .test_texts import LABELS, SMALL, TEXTS, N, batches, saved


def reviews(n=1000):
    """Texts whose words are as uneven as those of a language."""
    rng = random.Random(1)
    words = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=5)) for _ in range(3000)]
    weights = [1 / (1 + rank) for rank in range(len(words))]
    labels = [rng.choice("ab") for _ in range(n)]
    return [" ".join([y * 5, *rng.choices(words, weights, k=80)]) for y in labels], labels


@pytest.mark.parametrize("more", [{}, {"idf": "smooth"}, {"hash_bits": None, "max_features": 2000}])
def test_it_is_smaller_than_the_texts(more, tmp_path):
    texts, labels = reviews()
    path, sizes, layouts = tmp_path / "rows", [], []

    def look(record):
        if record.epoch == 2:
            sizes.append(path.stat().st_size)
            with RowCache.open(path) as cache:
                layouts.append(cache.layout)

    given = {**SMALL, "hash_bits": 18, "words": (1, 2), "order": "stream", "until": None, **more}
    clf = hl.TextClassifier(**given)
    clf.fit_stream(batches(texts, labels), cache=path, callback=look)
    assert layouts == ["counts"]
    assert sizes[0] < 0.6 * sum(map(len, texts))
    assert not path.exists()


def test_texts_that_come_once(tmp_path):
    fitted = hl.TextClassifier(**SMALL).fit(TEXTS, LABELS)
    stream = hl.TextClassifier(**SMALL).fit_stream(iter(batches()))
    assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_weights_of_texts_are_kept_beside_them(tmp_path):
    weights = np.linspace(0.5, 2, N)
    for absent in (0, 100):
        weights[:absent] = 0
        fitted = hl.TextClassifier(**SMALL).fit(TEXTS, LABELS, sample_weight=weights)
        starts = range(0, N, 90)
        parts = [(TEXTS[i : i + 90], LABELS[i : i + 90], weights[i : i + 90]) for i in starts]
        stream = hl.TextClassifier(**SMALL).fit_stream(parts)
        assert (stream.coef_ == fitted.coef_).all()
        if not absent:
            assert saved(stream, tmp_path / "b") == saved(fitted, tmp_path / "a")


def test_a_block_of_texts_without_words():
    texts, labels = (
        [*TEXTS[:64], *["?!"] * 64, *TEXTS[64:]],
        [*LABELS[:64], *"ab" * 32, *LABELS[64:]],
    )
    given = {**SMALL, "order": orders.Stream(64)}
    fitted = hl.TextClassifier(**given).fit(texts, labels)
    stream = hl.TextClassifier(**given).fit_stream(batches(texts, labels))
    assert (stream.coef_ == fitted.coef_).all()
    assert stream.n_training_errors_ == fitted.n_training_errors_


def test_rows_of_numbers_are_kept_as_they_are(tmp_path):
    rows = Csr(np.array([0, 1, 3]), np.array([4, 0, 7]), np.array([0.1, 2.5, 1e-300]), 8)
    cache = DiskCache(tmp_path / "rows", block=2, weighted=False)
    cache.append(rows, np.array([0, 1]), None)
    cache.close()
    found, targets, weights = cache.block(0)
    assert found.data.tobytes() == rows.data.tobytes()
    assert (found.indices.tolist(), targets.tolist(), weights) == ([4, 0, 7], [0, 1], None)
    cache.abandon()
    assert RowCache.open(tmp_path / "rows").layout == "values"


def test_weights_that_begin_late_are_refused(tmp_path):
    cache = DiskCache(tmp_path / "rows", block=2, weighted=False)
    rows = Csr(np.array([0, 1]), np.array([0]), np.ones(1), 1)
    cache.append(rows, np.zeros(1, np.int64), None)
    with pytest.raises(InputError, match="give every batch its weights"):
        cache.append(rows, np.zeros(1, np.int64), np.ones(1))
    cache.abandon()
    assert not (tmp_path / "rows").exists()
