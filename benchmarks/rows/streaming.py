"""A stream of the reviews of IMDb: what each pass beside the only one brings.

Learnt from the 25,000 training reviews and asked on the 25,000 others. The cache is what later
epochs read in place of the texts. Memory by the size of the text is the row ``growth``.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hardlimit as hl
from benchmarks import corpora, official_splits
from benchmarks.corpora import Corpus, Missing
from benchmarks.harness import Figure, Grid, Settings, format_seconds

TITLE = "Streams: passes, accuracy, cache"
# As `train --stream` has them.
ONE_PASS: dict[str, Any] = {"hash_bits": 20, "idf": None, "max_iter": 1}
OPTIONS: dict[str, dict[str, Any]] = {
    "--stream": {},
    "--stream --epochs 5": {"max_iter": 5},
    "--stream --features idf=smooth": {"idf": "smooth"},
    "--stream --features idf=smooth --epochs 5": {"idf": "smooth", "max_iter": 5},
    "--stream --features hash=22": {"hash_bits": 22},
    "--stream --features hash=18": {"hash_bits": 18},
}
CACHED: dict[str, tuple[str, dict[str, Any]]] = {
    "imdb": ("imdb", {}),
    "20newsgroups": ("20newsgroups", {}),
    "sms_spam, words": ("sms_spam", {"chars": None}),
    "sms_spam, words and characters": ("sms_spam", {}),
}
BATCH = 1024
SLACK = 0.03  # of accuracy, that one pass may cost


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the table of options, and the size of the cache."""
    try:
        yield from compare(*official_splits.load("imdb", 2000 if settings.quick else None))
    except Missing as missing:
        skipped.append(str(missing))
    for name, (corpus, given) in CACHED.items():
        try:
            texts = corpora.load(corpus).first(2000 if settings.quick else None)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        size = cache_size(texts, given)
        yield Figure(
            f"cache beside the text: {name}",
            size / texts.n_bytes,
            ours=f"{size / 1e6:.2f} MB",
            theirs=f"text {texts.n_bytes / 1e6:.2f} MB",
        )


def compare(train: Corpus, test: Corpus) -> Iterator[Figure | Grid]:
    """Yield accuracies of streams beside the default in memory."""
    whole, seconds = measured(hl.TextClassifier().fit, train, test)
    lines = [("in memory, default", "", f"{whole:.4f}", format_seconds(seconds))]
    found: dict[str, float] = {}
    for option, given in OPTIONS.items():
        passes: list[str] = []
        classifier = hl.TextClassifier(**{**ONE_PASS, **given})

        def learn(texts: list[str], labels: list[str], clf=classifier, said=passes) -> Any:
            return clf.fit_stream(Batches(texts, labels), announce=lambda p: said.extend(p.passes))

        found[option], seconds = measured(learn, train, test)
        epochs = f", {classifier.max_iter} epochs" if classifier.max_iter > 1 else ""
        lines.append(
            (option, f"{len(passes)}{epochs}", f"{found[option]:.4f}", format_seconds(seconds))
        )
    head = ("options", "passes", "accuracy", "CPU")
    title = f"IMDb, {len(train.texts):,} reviews learnt and {len(test.texts):,} others asked"
    yield Grid(title, head, tuple(lines))
    yield Figure(
        "accuracy that one pass costs beside the default in memory",
        whole - found["--stream"],
        "",
        SLACK,
        "<=",
        ours=f"{found['--stream']:.4f}",
        theirs=f"{whole:.4f}",
    )


def measured(learn: Any, train: Corpus, test: Corpus) -> tuple[float, float]:
    """Return the accuracy, and the CPU seconds of learning."""
    began = time.process_time()
    model = learn(train.texts, train.labels)
    seconds = time.process_time() - began
    return float(model.score(test.texts, test.labels)), seconds


class Batches:
    """Texts with their labels, some at a time, as often as they are asked for."""

    def __init__(self, texts: list[str], labels: list[str]) -> None:
        self.texts, self.labels = texts, labels

    def __iter__(self) -> Iterator[tuple[list[str], list[str]]]:
        for begin in range(0, len(self.texts), BATCH):
            yield self.texts[begin : begin + BATCH], self.labels[begin : begin + BATCH]


def cache_size(corpus: Corpus, given: dict[str, Any]) -> int:
    """Return the bytes of the cache of a stream of two epochs."""
    with tempfile.TemporaryDirectory() as folder:
        path, sizes = Path(folder, "rows"), [0]
        hl.TextClassifier(**{**ONE_PASS, **given, "max_iter": 2}).fit_stream(
            Batches(corpus.texts, corpus.labels),
            cache=path,
            callback=lambda _: sizes.append(os.path.getsize(path)),
        )
        return max(sizes)
