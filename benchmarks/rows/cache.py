"""Rows of texts on disk: how large they are, and how soon they are rows again.

Words 1-2 of each corpus, hashed and with a vocabulary: a cache of their counts beside the texts
themselves, and blocks that are read from it beside texts that are featurised again.
"""

from __future__ import annotations

import math
import tempfile
import zlib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Settings, time_by_turns
from hardlimit.streaming.cache import BLOCK, CacheWriter, RowCache
from hardlimit.text import TextVectorizer

TITLE = "Rows of texts on disk"
CORPORA = ("sms_spam", "20newsgroups", "imdb", "enron_spam")
WORDS = {"words": (1, 2), "chars": None}
KINDS = {"a vocabulary": WORDS, "22 bits": {**WORDS, "hash_bits": 22}}
# On short texts beside words, where entropy forbids that rows are smaller than the text.
CHARACTERS = {"characters too": {"words": (1, 2), "chars": (2, 5)}}
WHY = "weighing (idf, length) takes half of it: columns alone come back 4.5 times as fast"


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield size and speed of the cache of each corpus."""
    for name in CORPORA:
        try:
            corpus = load(name).first(2000 if settings.quick else None)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        for kind, features in (KINDS | (CHARACTERS if name == "sms_spam" else {})).items():
            with tempfile.TemporaryDirectory() as folder:
                yield from measure(corpus, kind, features, Path(folder, "rows"), settings)


def least_bits(vectorizer: TextVectorizer, batches: list[list[str]]) -> float:
    """Return the bits a cell of the best code of columns by their frequencies.

    In each block log2 of binomial(rows, rows with the column), and the entropy of the counts.
    """
    bits, cells = 0.0, 0
    for batch in batches:
        _, found, counts = vectorizer.count(batch).take_counts()
        _, per_column = np.unique(found, return_counts=True)
        for rows, columns in zip(*np.unique(per_column, return_counts=True), strict=True):
            bits += columns * math.log2(math.comb(len(batch), int(rows)))
        _, often = np.unique(counts, return_counts=True)
        bits -= float((often * np.log2(often / often.sum())).sum())
        cells += int(often.sum())
    return bits / cells


def measure(
    corpus: Corpus, kind: str, features: dict, path: Path, settings: Settings
) -> Iterator[Figure]:
    """Yield the size beside the text, and the speed beside featurising."""
    texts, vectorizer = corpus.texts, TextVectorizer(**features).fit(corpus.texts)
    batches = [texts[i : i + BLOCK] for i in range(0, len(texts), BLOCK)]
    width = vectorizer.n_columns_ if vectorizer.hash_bits is None else 1 << vectorizer.hash_bits
    with CacheWriter(path, n_columns=width, layout="counts") as writer:
        for batch in batches:
            writer.append(vectorizer.count(batch))
    packed = sum(len(zlib.compress("\n".join(batch).encode(), 1)) for batch in batches)
    least = least_bits(vectorizer, batches)
    size, cells, name = path.stat().st_size, 0, f"{corpus.name}, {kind}"
    with RowCache.open(path, vectorizer) as cache:
        for k, batch in enumerate(batches):
            found, wanted = cache.block(k)[0], vectorizer.rows(batch)
            assert np.array_equal(found.indices, wanted.indices)
            assert found.data.tobytes() == wanted.data.tobytes()
            cells += len(found.indices)
        work = {
            "cache": lambda: [cache.block(k) for k in range(cache.n_blocks)],
            "texts": lambda: [vectorizer.rows(batch) for batch in batches],
        }
        times = time_by_turns(work, settings.repetitions)
    yield Figure(
        f"size beside the text: {name}",
        size / corpus.n_bytes,
        target=None if "characters" in kind else 1,
        sense="<=",
        ours=f"{size / 1e6:.2f} MB, {8 * size / cells:.1f} bits a cell (least {least:.1f})",
        theirs=f"text {corpus.n_bytes / 1e6:.2f} MB, zlib -1 {packed / corpus.n_bytes:.2f} of it",
    )
    yield Figure(
        f"rows again, beside featurising: {name}",
        times.ratio("texts", "cache"),
        ours=f"{1e9 * times.median('cache') / cells:.1f} ns a cell",
        theirs=f"{1e9 * times.median('texts') / cells:.1f} ns a cell",
        remark=WHY,
    )
