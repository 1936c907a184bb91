"""Two threads beside one: raw text to features, fits of one-vs-rest, and whole commands.

Beside each ratio stands what two cores can give here: two processes that know nothing of each other
have half of the texts or rows each. Shared caches, memory and clocks may forbid a ratio of 2
to them too. The halves are not joined to one vocabulary, so that the limit is no way to do it.

One thread, two threads and the two processes take turns, and the shortest of each counts: what else
the machine does makes times longer, and two threads more than one.
"""

from __future__ import annotations

import gc
import multiprocessing
import subprocess
import sys
import tempfile
import time
import warnings
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
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


class Shortest(NamedTuple):
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


def figure_of(name: str, found: Shortest, target: float | None = None) -> Figure:
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


def measure(task: Task) -> Shortest:
    """Measure a task in this process, and its halves in two others."""
    processes = [Half(part) for part in task.halves()]

    def seconds_of_halves() -> float:
        for one in processes:
            one.go()
        return max(one.seconds() for one in processes)

    try:
        return shortest(lambda jobs: seconds_of(task, jobs), seconds_of_halves, REPETITIONS)
    finally:
        for one in processes:
            one.close()


def shortest(
    whole: Callable[[int], float], halves: Callable[[], float], repetitions: int
) -> Shortest:
    """Take turns, so that a slow moment is everybody's."""
    turns = [(whole(1), whole(2), halves()) for _ in range(repetitions)]
    return Shortest(*map(min, zip(*turns, strict=True)))


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
        labelled = list(zip(corpus.labels, corpus.texts, strict=True))
        for name, rows in (("", labelled), ("0", labelled[::2]), ("1", labelled[1::2])):
            lines = "".join(f"{label}\t{text}\n" for label, text in rows)
            Path(f"{folder}/texts{name}.tsv").write_text("label\ttext\n" + lines, encoding="utf-8")
        for command, words in COMMANDS.items():
            program = Program(folder, words)
            repetitions = REPETITIONS if corpus.name == "sms_spam" else 3
            found = shortest(program.seconds, program.seconds_of_halves, repetitions)
            yield Figure(
                f"{corpus.name}, hardlimit {command}",
                found.speed,
                ours=f"{found.two:.2f} s with --jobs 2",
                theirs=f"{found.one:.2f} s with --jobs 1",
                remark="a whole process: start, reading, epochs and writing have one core; two "
                f"processes with half of the texts each: {found.limit:.2f}x",
            )


class Program(NamedTuple):
    """A command on the texts in a folder. Halves learn models of their own, and ask the whole."""

    folder: str
    words: Sequence[str]

    def seconds(self, jobs: int) -> float:
        """Run it once."""
        return seconds_of_process(self._asked("", jobs))

    def seconds_of_halves(self) -> float:
        """Run it on both halves at once."""
        return seconds_of_process(self._asked("0", 1), self._asked("1", 1))

    def _asked(self, half: str, jobs: int) -> list[str]:
        model = f"{self.folder}/m{half if self.words[0] == 'train' else ''}.hardlimit"
        names = {"texts": f"{self.folder}/texts{half}.tsv", "model": model}
        return [*(word.format(**names) for word in self.words), "--jobs", str(jobs)]


def seconds_of_process(*commands: list[str]) -> float:
    """Run the program once for each command, all at one time."""
    began = time.perf_counter()
    running = [
        subprocess.Popen(
            [sys.executable, "-m", "hardlimit", "-q", *words], stdout=subprocess.DEVNULL
        )
        for words in commands
    ]
    if any([process.wait() for process in running]):
        raise RuntimeError(f"failed: {commands}")
    return time.perf_counter() - began
