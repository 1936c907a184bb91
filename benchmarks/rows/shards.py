"""Shards that are mixed: accuracy beside one run, what travels, and two workers beside one."""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks import two_workers
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.two_workers import WORDS, write

TITLE = "Shards"
CORPORA = ("enron_spam", "imdb", "20newsgroups")
SHARDS = (1, 4, 16, 64)
RULES = ("perceptron", "passive-aggressive")
EPOCHS = 10
MEGABYTES = 500  # of text that processes learn
PAUSE = 0.01  # seconds of a piece of work, of which there are 64


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield the accuracy of each corpus, bytes, two workers beside one, and a scheduler's cost."""
    lines: list[tuple[str, ...]] = []
    for name in ("sms_spam",) if settings.quick else CORPORA:
        try:
            corpus = load(name)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        yield from accuracies(corpus, lines)
    head = ("corpus", "rule", *(f"{n} shard{'s' if n > 1 else ''}" for n in SHARDS))
    yield Grid(f"Accuracy after {EPOCHS} epochs, averaged / last weights", head, tuple(lines))
    try:
        yield from travelling(load("sms_spam" if settings.quick else "20newsgroups"))
        corpus = load("sms_spam" if settings.quick else "imdb")
        yield from two_workers.of_threads(corpus, settings.repetitions)
        # Minutes each: once for every two repetitions that are asked for.
        turns = max(1, settings.repetitions // 2)
        yield from two_workers.of_processes(corpus, 2 if settings.quick else MEGABYTES, turns)
    except Missing as missing:
        skipped.append(str(missing))
    try:
        import distributed  # noqa: F401
    except ImportError:
        skipped.append("the scheduler's own work: distributed is not installed")
    else:
        yield overhead()


def accuracies(corpus: Corpus, lines: list[tuple[str, ...]]) -> Iterator[Figure]:
    """Yield how far 16 shards stay behind one run, by rule."""
    import hardlimit
    from hardlimit.text import TextVectorizer

    train, test = corpus.split()
    vectorizer = TextVectorizer(**WORDS)
    X, T, truth = vectorizer.fit_rows(train.texts), vectorizer.rows(test.texts), test.labels
    for rule in RULES:
        found: dict[int, tuple[float, float]] = {}
        for n in SHARDS:
            clf = hardlimit.LinearClassifier(
                rule, shards=n, bias_feature=0.1, until=None, max_iter=EPOCHS
            )
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # columns of unlike lengths are what texts have
                clf.fit(X, train.labels)
            last = clf.with_readout("last")
            found[n] = _accuracy(clf.predict(T), truth), _accuracy(last.predict(T), truth)
        lines.append(
            (corpus.name, rule, *(f"{mean:.4f} / {end:.4f}" for mean, end in found.values()))
        )
        yield Figure(
            f"one run's accuracy less that of 16 shards: {corpus.name}, {rule}",
            round(found[1][0] - found[16][0], 4),
            "",
            0.002,
            "<=",
            f"{found[16][0]:.4f}",
            f"{found[1][0]:.4f}",
            "averaged weights; below 0 the shards are better",
        )


def _accuracy(predicted: Any, truth: Sequence[Any]) -> float:
    return float(np.mean([a == b for a, b in zip(predicted, truth, strict=True)]))


def travelling(corpus: Corpus) -> Iterator[Figure]:
    """Yield the largest mixture that is sent after the first epoch, beside all weights."""
    from hardlimit.distributed import run, train

    sent: list[int] = []
    send = run.Run.send

    def counted(run: Any, mixed: Any) -> None:
        send(run, mixed)
        sent.append(len(run._parts[-1].data))

    texts, _ = corpus.split()
    with tempfile.TemporaryDirectory() as folder:
        path = write(os.path.join(folder, "texts.csv"), texts.texts, texts.labels, 1)
        run.Run.send = counted  # type: ignore[method-assign]
        try:
            for rule in RULES:
                sent.clear()
                clf = train(path, shards=16, rule=rule, max_iter=EPOCHS, **WORDS)
                outputs = len(clf.coef_) if len(clf.classes_) == 2 else len(clf.classes_)
                dense = 16 * (clf.vectorizer_.n_columns_ + 1) * outputs
                yield Figure(
                    f"a mixture sent after the first epoch, beside all weights: {rule}",
                    max(sent) / dense,
                    "x",
                    0.25,
                    "<=",
                    f"{max(sent) / 1e6:.1f} MB, the last {sent[-1] / 1e6:.1f} MB",
                    f"{dense / 1e6:.1f} MB",
                    f"{corpus.name}, weights and the sums of their average",
                )
        finally:
            run.Run.send = send  # type: ignore[method-assign]


def rest(parts: object, job: object) -> object:
    """Stand for the work of a shard."""
    time.sleep(PAUSE)
    return job


def overhead() -> Figure:
    """Return what 64 shards take by a Dask scheduler, beside the sum of their work."""
    import distributed
    from hardlimit.distributed.engines import Part, open_engine

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        cluster = distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
        )
        client = distributed.Client(cluster)
        seconds = []
        with open_engine(client) as engine:
            for turn in range(5):
                began = time.perf_counter()
                engine.map_ordered(
                    rest, [Part.of(b"%d" % turn)], [f"{turn} {n}" for n in range(64)]
                )
                seconds.append(time.perf_counter() - began)
        client.close()
        cluster.close()
    found = sorted(seconds[1:])[1]
    return Figure(
        "64 shards of 10 ms on Dask, beside the sum of their work",
        found / (64 * PAUSE),
        "x",
        1.5,
        "<=",
        f"{found:.2f} s",
        f"{64 * PAUSE:.2f} s",
        "two workers, which could take half",
    )
