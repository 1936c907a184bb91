"""Shards that are mixed: what travels, and two workers beside one.

The row ``shards_accuracy`` has what they learn.
"""

from __future__ import annotations

import os
import tempfile
import time
import warnings
from collections.abc import Iterator
from typing import Any

from benchmarks import two_workers
from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Grid, Settings
from benchmarks.two_workers import WORDS, write

TITLE = "Shards"
RULES = ("perceptron", "passive-aggressive")
EPOCHS = 10
MEGABYTES = 500  # of text that processes learn
PAUSE = 0.01  # seconds of a piece of work, of which there are 64


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure | Grid]:
    """Yield bytes, two workers beside one, and a scheduler's cost."""
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
