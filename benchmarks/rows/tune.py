"""A search over the 24 candidates for texts: `TextClassifier().tune` on all cores."""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.corpora import Missing, load
from benchmarks.harness import Figure, Settings, format_seconds

TITLE = "Tuning: 24 candidates, 5 folds"
SECONDS = {"sms_spam": 10.0, "imdb": 180.0}


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield the seconds of each search, and what the tuned model brings on held-out texts."""
    for corpus in ("sms_spam",) if settings.quick else SECONDS:
        try:
            yield from search(corpus)
        except Missing as missing:
            skipped.append(str(missing))


def search(corpus: str) -> Iterator[Figure]:
    """Tune on the training part; compare on the rest."""
    from hardlimit import TextClassifier
    from hardlimit.foundation.workers import count_cores

    train, test = load(corpus).split()
    began, worked = time.perf_counter(), time.process_time()
    found = TextClassifier().tune(train.texts, train.labels, n_jobs=-1)
    seconds, work = time.perf_counter() - began, time.process_time() - worked
    tuned = found.classifier.score(test.texts, test.labels)
    default = TextClassifier().fit(train.texts, train.labels).score(test.texts, test.labels)
    yield Figure(
        f"{corpus}: seconds of the search on {count_cores()} cores",
        seconds,
        unit="s",
        target=SECONDS[corpus],
        sense="<=",
        ours=f"{len(train.texts):,} texts; {format_seconds(work)} of processor time",
        remark=f"held-out accuracy {tuned:.4f}; default {default:.4f}; best: "
        f"{found.best.parameters or 'the default'}",
    )
