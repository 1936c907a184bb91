"""Two threads beside one: raw text to features, fits of one-vs-rest, and whole commands.

Beside each ratio stands what two cores can give here: two processes that know nothing of each other
have half of the texts or rows each. Shared caches, memory and clocks may forbid a ratio of 2
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
import warnings
from bisect import bisect_right
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
    """Yield a figure for each corpus and kind of features, each fit, and each command."""
    corpora = CORPORA[:2] if settings.quick else CORPORA
    for name in corpora:
        try:
            corpus = load(name)
        except Missing as missing:
            skipped.append(str(missing))
            continue
        for kind, (options, megabytes) in KINDS.items():
            yield featurising(corpus, kind, options, megabytes / (8 if settings.quick else 1))
        if name == "20newsgroups":
            yield from one_vs_rest(corpus, epochs=5 if settings.quick else 30)
        if name in CORPORA[:2]:
            yield from commands(corpus)


class Featurising(NamedTuple):
    """A kind of features, fitted and transformed in one call, without scipy."""

    texts: Sequence[str]
    options: dict[str, Any]

    def run(self, n_jobs: int) -> None:
        """Do it."""
        from hardlimit.text import TextVectorizer

        TextVectorizer(**self.options, n_jobs=n_jobs).fit_rows(self.texts)

    def halves(self) -> tuple[Featurising, Featurising]:
        """Return the same of half of the texts each."""
        half = len(self.texts) // 2
        first, second = self.texts[:half], self.texts[half:]
        return self._replace(texts=first), self._replace(texts=second)


class Learning(NamedTuple):
    """A fit of one-vs-rest, from texts or from their rows."""

    examples: Any
    labels: Sequence[Any]
    front: str
    options: dict[str, Any]

    def run(self, n_jobs: int) -> None:
        """Do it."""
        import hardlimit

        settings = {"multiclass": "ovr", "until": None, "n_jobs": n_jobs, **self.options}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # columns of unlike lengths are what texts have
            getattr(hardlimit, self.front)(**settings).fit(self.examples, self.labels)

    def halves(self) -> tuple[Learning, Learning]:
        """Return the same of every second example each."""
        return self._take(0), self._take(1)

    def _take(self, first: int) -> Learning:
        return self._replace(examples=self.examples[first::2], labels=self.labels[first::2])


Task = Featurising | Learning


def featurising(corpus: Corpus, kind: str, options: dict[str, Any], megabytes: float) -> Figure:
    """Measure one kind of features."""
    task = Featurising(begin(corpus.texts, megabytes), options)
    return figure_of(f"{corpus.name}, {kind}", measure(task), TARGET)


def one_vs_rest(corpus: Corpus, epochs: int) -> Iterator[Figure]:
    """Measure fits from texts and from rows of single words."""
    from hardlimit.text import TextVectorizer

    rows = TextVectorizer(words=(1, 1)).fit_transform(corpus.texts)
    labels = list(corpus.labels)
    once = {"words": (1, 1), "max_iter": 5}
    # A hundred classes: the newsgroup, and a fifth of the texts by length.
    lengths = [len(text) for text in corpus.texts]
    fifths = sorted(lengths)[:: -(-len(lengths) // 5)][1:]
    many = [
        f"{label} {bisect_right(fifths, length)}"
        for label, length in zip(labels, lengths, strict=True)
    ]
    more = {"max_iter": epochs}
    tasks = {
        "texts, 5 epochs": Learning(list(corpus.texts), labels, "TextClassifier", once),
        f"rows, {epochs} epochs": Learning(rows, labels, "LinearClassifier", more),
        f"rows, 100 classes, {epochs} epochs": Learning(rows, many, "LinearClassifier", more),
    }
    for name, task in tasks.items():
        yield figure_of(f"{corpus.name}, one-vs-rest of {name}", measure(task))


def figure_of(name: str, found: Medians, target: float | None = None) -> Figure:
    """Return the figure of a task."""
    return Figure(
        name,
        found.speed,
        target=target,
        ours=f"{1000 * found.two:.1f} ms by two threads",
        theirs=f"{1000 * found.one:.1f} ms by one",
        remark=f"two processes with half of the examples each: {found.limit:.2f}x",
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


def measure(task: Task) -> Medians:
    """Take turns, so that a slow moment is everybody's."""
    processes = [Half(part) for part in task.halves()]
    times: tuple[list[float], list[float], list[float]] = ([], [], [])
    try:
        for _ in range(REPETITIONS):
            times[0].append(seconds_of(task, 1))
            times[1].append(seconds_of(task, 2))
            for one in processes:
                one.go()
            times[2].append(max(one.seconds() for one in processes))
    finally:
        for one in processes:
            one.close()
    return Medians(*map(statistics.median, times))


def seconds_of(task: Task, n_jobs: int) -> float:
    """Do the task once."""
    gc.collect()
    began = time.perf_counter()
    task.run(n_jobs)
    return time.perf_counter() - began


class Half:
    """A process of its own that holds half of a task."""

    def __init__(self, task: Task) -> None:
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, task))
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


def _serve(pipe: Connection, task: Task) -> None:
    pipe.send(seconds_of(task, 1))  # warm
    while pipe.recv():
        pipe.send(seconds_of(task, 1))


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
