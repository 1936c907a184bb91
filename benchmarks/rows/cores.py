"""Two threads beside one: raw text to features, and whole commands.

Beside each ratio stands what two cores can give here: two processes that know nothing of each other
turn half of the texts into features each. Shared caches, memory and clocks may forbid a ratio of 2
to them too. The halves are not joined to one vocabulary, so that the limit is no way to do it.
"""

from __future__ import annotations

import gc
import multiprocessing
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.corpora import Corpus, Missing, load
from benchmarks.harness import Figure, Settings

TITLE = "Two cores beside one"
CORPORA = ("sms_spam", "20newsgroups", "imdb", "enron_spam")
TARGET = 1.8
REPETITIONS = 7
# Kinds of features, and megabytes of text.
KINDS: dict[str, tuple[dict[str, Any], float]] = {
    "vocabulary, words": ({"words": (1, 1)}, 16),
    "vocabulary, words 1-2": ({"words": (1, 2)}, 16),
    "hashed, words 1-2": ({"words": (1, 2), "hash_bits": 20, "idf": None}, 16),
    "vocabulary, words 1-2 and characters 2-5": ({"words": (1, 2), "chars": (2, 5)}, 4),
}
COMMANDS = {
    "train": ("train", "{texts}", "-o", "{model}"),
    "evaluate": ("evaluate", "{model}", "{texts}"),
    "predict": ("predict", "{model}", "{texts}"),
}


class Medians(NamedTuple):
    """Seconds of one thread, of two, and of two processes with half of the texts each."""

    one: float
    two: float
    halves: float

    @property
    def speed(self) -> float:
        """One thread over two."""
        return self.one / self.two

    @property
    def limit(self) -> float:
        """One thread over two processes."""
        return self.one / self.halves


def figures(settings: Settings, skipped: list[str]) -> Iterator[Figure]:
    """Yield a figure for each corpus and kind of features, and for each command."""
    corpora = CORPORA[:2] if settings.quick else CORPORA
    for name in corpora:
        try:
            corpus = load(name)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        for kind, (options, megabytes) in KINDS.items():
            yield featurising(corpus, kind, options, megabytes / (8 if settings.quick else 1))
        if name in CORPORA[:2]:
            yield from commands(corpus)


def featurising(corpus: Corpus, kind: str, options: dict[str, Any], megabytes: float) -> Figure:
    """Measure one kind of features, fitted and transformed in one call."""
    texts = begin(corpus.texts, megabytes)
    found = measure(texts, options)
    return Figure(
        f"{corpus.name}, {kind}",
        found.speed,
        target=TARGET,
        ours=f"{1000 * found.two:.1f} ms by two threads",
        theirs=f"{1000 * found.one:.1f} ms by one",
        remark=f"two processes with half of the texts each: {found.limit:.2f}x",
    )


def begin(texts: Sequence[str], megabytes: float) -> list[str]:
    """Return the first texts, of so many characters together."""
    taken, left = [], megabytes * 1e6
    for text in texts:
        if left <= 0:
            break
        taken.append(text)
        left -= len(text)
    return taken


def measure(texts: list[str], options: dict[str, Any]) -> Medians:
    """Take turns, so that a slow moment is everybody's."""
    half = len(texts) // 2
    processes = [Half(part, options) for part in (texts[:half], texts[half:])]
    times: tuple[list[float], list[float], list[float]] = ([], [], [])
    try:
        for _ in range(REPETITIONS):
            times[0].append(seconds_of(texts, options, 1))
            times[1].append(seconds_of(texts, options, 2))
            for one in processes:
                one.go()
            times[2].append(max(one.seconds() for one in processes))
    finally:
        for one in processes:
            one.close()
    return Medians(*map(statistics.median, times))


def seconds_of(texts: list[str], options: dict[str, Any], n_jobs: int) -> float:
    """Fit and transform, without scipy."""
    from hardlimit.text import TextVectorizer

    vectorizer = TextVectorizer(**options, n_jobs=n_jobs)
    gc.collect()
    began = time.perf_counter()
    vectorizer.fit_rows(texts)
    return time.perf_counter() - began


class Half:
    """A process of its own that holds half of the texts."""

    def __init__(self, texts: list[str], options: dict[str, Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, texts, options))
        self._process.start()
        self._ours.recv()

    def go(self) -> None:
        """Begin."""
        self._ours.send(True)

    def seconds(self) -> float:
        """Wait for the end."""
        return float(self._ours.recv())

    def close(self) -> None:
        """End the process."""
        self._ours.send(False)
        self._process.join()


def _serve(pipe: Connection, texts: list[str], options: dict[str, Any]) -> None:
    pipe.send(seconds_of(texts, options, 1))  # warm
    while pipe.recv():
        pipe.send(seconds_of(texts, options, 1))


def commands(corpus: Corpus) -> Iterator[Figure]:
    """Measure whole processes of the command line."""
    with tempfile.TemporaryDirectory() as folder:
        names = {"texts": f"{folder}/texts.tsv", "model": f"{folder}/m.hardlimit"}
        lines = (
            f"{label}\t{text}\n" for label, text in zip(corpus.labels, corpus.texts, strict=True)
        )
        Path(names["texts"]).write_text("label\ttext\n" + "".join(lines), encoding="utf-8")
        for command, words in COMMANDS.items():
            asked = [word.format(**names) for word in words]
            times: dict[int, list[float]] = {1: [], 2: []}
            for _ in range(REPETITIONS if corpus.name == "sms_spam" else 3):
                for jobs, seconds in times.items():
                    seconds.append(seconds_of_process([*asked, "--jobs", str(jobs)]))
            one, two = (statistics.median(times[jobs]) for jobs in (1, 2))
            yield Figure(
                f"{corpus.name}, hardlimit {command}",
                one / two,
                ours=f"{two:.2f} s with --jobs 2",
                theirs=f"{one:.2f} s with --jobs 1",
                remark="a whole process: start, reading, epochs and writing have one core",
            )


def seconds_of_process(words: list[str]) -> float:
    """Run the program once."""
    command = [sys.executable, "-m", "hardlimit", "-q", *words]
    began = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
