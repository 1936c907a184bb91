"""Corrections of a live model: their cost, beside scikit-learn's and River's, and one fsync."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.contestants import Missing, need
from benchmarks.harness import Figure, Settings, Times, format_seconds

TITLE = "One correction of 200 terms in a model of 10^6 terms, two classes"
N_TERMS, PER_TEXT, SEED = 1_000_000, 200, 5
# Words of the entries of a long ledger.
PER_LINE = 20


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield one correction without and with a ledger, and predictions through an overlay."""
    n = N_TERMS // 20 if settings.quick else N_TERMS
    draw = random.Random(SEED)
    words = [f"w{i:07d}" for i in range(n)]
    texts = [" ".join(draw.sample(words, PER_TEXT)) for _ in range(300)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model")
        train(words, path)
        yield from compare_corrections(path, texts, settings, skipped)
        yield compare_with_fsync(path, folder, texts, settings)
        yield compare_predictions(path, words, texts, settings)
        yield from time_a_long_ledger(path, os.path.join(folder, "long"), words, settings)


def train(words: list[str], path: str) -> None:
    """Write a model that knows all words."""
    import hardlimit as hl

    lines = [" ".join(words[i : i + 250]) for i in range(0, len(words), 250)]
    labels = ["ham", "spam"] * (len(lines) // 2 + 1)
    hl.TextClassifier(words=(1, 1), chars=None).fit(lines, labels[: len(lines)]).save(path)


def compare_corrections(
    path: str, texts: list[str], settings: Settings, skipped: list[str]
) -> Iterator[Figure]:
    """Time a correction beside one ``partial_fit`` and one ``learn_one`` of the same text."""
    import hardlimit as hl

    need("sklearn.linear_model")
    live = hl.open_live(path, ledger=None)
    learners: dict[str, Callable[[str, int], Any]] = {
        "ours": lambda text, y: live.correct(text, ("ham", "spam")[y]),
        "scikit-learn": scikit_learn(path, texts),
    }
    try:
        need("river.linear_model")
        learners["River"] = river()
    except Missing as missing:
        skipped.append(str(missing))
    times = Times()
    # One after the other: a learner that goes through 2^20 columns empties the caches of the next.
    for name, learn in learners.items():
        for number, text in enumerate(texts * (1 if settings.quick else 5)):
            begun = time.perf_counter()
            learn(text, number % 2)
            times.add(name, time.perf_counter() - begun)
    ours = times.median("ours")
    yield Figure(
        "a correction, no ledger",
        ours * 1e6,
        unit="us",
        target=100,
        sense="<=",
        ours=format_seconds(ours),
    )
    for name in list(learners)[1:]:
        yield Figure(
            f"a correction beside {name}",
            times.ratio(name, "ours"),
            ours=format_seconds(ours),
            theirs=f"{name} {format_seconds(times.median(name))}",
        )


def scikit_learn(path: str, texts: list[str]) -> Callable[[str, int], Any]:
    """Return one ``partial_fit`` with the same features."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import PassiveAggressiveClassifier

    vectorizer, model = HashingVectorizer(n_features=2**20), PassiveAggressiveClassifier()
    model.partial_fit(vectorizer.transform(texts[:2]), [0, 1], classes=[0, 1])
    return lambda text, y: model.partial_fit(vectorizer.transform([text]), [y])


def river() -> Callable[[str, int], Any]:
    """Return one ``learn_one`` with the same features."""
    from river.linear_model import PAClassifier

    model = PAClassifier()

    def learn(text: str, y: int) -> None:
        words = text.split()
        model.learn_one(dict.fromkeys(words, len(words) ** -0.5), bool(y))

    return learn


def compare_with_fsync(path: str, folder: str, texts: list[str], settings: Settings) -> Figure:
    """Time a correction that is on disk when it returns, beside one fsync of the same disk."""
    import hardlimit as hl

    live, free, times = hl.open_live(path), hl.open_live(path, ledger=None), Times()
    with open(os.path.join(folder, "beside"), "wb") as file:
        for number, text in enumerate(texts[:20] if settings.quick else texts * 3):
            begun = time.perf_counter()
            live.correct(text, ("ham", "spam")[number % 2])
            times.add("ours", time.perf_counter() - begun)
            begun = time.perf_counter()
            free.correct(text, ("ham", "spam")[number % 2])
            times.add("free", time.perf_counter() - begun)
            file.write(bytes(4096))
            file.flush()
            begun = time.perf_counter()
            os.fsync(file.fileno())
            times.add("fsync", time.perf_counter() - begun)
    live.close()
    return Figure(
        "a correction on disk, by one fsync",
        times.ratio("ours", "fsync"),
        target=1.2,
        sense="<=",
        ours=format_seconds(times.median("ours")),
        theirs=f"one fsync {format_seconds(times.median('fsync'))}",
        remark=f"the correction alone {format_seconds(times.median('free'))}: with one fsync, and "
        f"nothing else, {1 + times.ratio('free', 'fsync'):.2f}",
    )


def compare_predictions(
    path: str, words: list[str], texts: list[str], settings: Settings
) -> Figure:
    """Time predictions through the overlay of 10,000 corrections, beside the plain model."""
    import hardlimit as hl

    draw = random.Random(SEED + 1)
    live, plain = hl.open_live(path, ledger=None, remember=0, recent=0), hl.load(path)
    for number in range(500 if settings.quick else 10_000):
        live.correct(" ".join(draw.sample(words, PER_TEXT)), ("ham", "spam")[number % 2])
    times = Times()
    for _ in range(settings.repetitions):
        for name, predict in (("ours", live.predict), ("plain", plain.predict)):
            begun = time.perf_counter()
            predict(texts)
            times.add(name, time.perf_counter() - begun)
    return Figure(
        "predictions through 10,000 corrections, by the plain model",
        times.ratio("ours", "plain"),
        target=1.2,
        sense="<=",
        ours=format_seconds(times.median("ours") / len(texts)),
        theirs=f"plain {format_seconds(times.median('plain') / len(texts))}",
    )


def time_a_long_ledger(
    path: str, ledger: str, words: list[str], settings: Settings
) -> Iterator[Figure]:
    """Time opening a ledger of many entries, and undoing one of the latest of them."""
    import hardlimit as hl

    draw, n = random.Random(SEED + 2), 2_000 if settings.quick else 100_000
    with hl.open_live(path, ledger, remember=50, recent=0) as live:
        for number in range(n):
            live.correct(" ".join(draw.sample(words, PER_LINE)), ("ham", "spam")[number % 2])
    begun = time.perf_counter()
    live = hl.open_live(path, ledger)
    opened = time.perf_counter() - begun
    times = Times()
    for number in range(20):
        begun = time.perf_counter()
        live.undo(n - 50 + number)
        times.add("ours", time.perf_counter() - begun)
    live.close()
    undone = times.median("ours")
    yield Figure(
        f"opening a ledger of {n:,} entries",
        opened,
        unit="s",
        target=1.0,
        sense="<=",
        ours=format_seconds(opened),
    )
    yield Figure(
        "undo of an entry 50 back, on disk",
        undone * 1e3,
        unit="ms",
        target=50.0,
        sense="<=",
        ours=format_seconds(undone),
    )
