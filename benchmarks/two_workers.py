"""Two workers beside one: threads on rows in memory, processes from files to a model.

Beside each ratio stands what two cores can give here: two processes that know nothing of each other
do the work of one worker on half of the rows or of the file each. All take turns, and the shortest
time of each counts: what else the machine does makes times longer, and those of two more.
"""

from __future__ import annotations

import csv
import gc
import multiprocessing
import os
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, NamedTuple

from benchmarks.corpora import Corpus
from benchmarks.harness import Figure

TARGET = 1.7
WORDS = {"words": (1, 2), "chars": None}
EPOCHS_IN_MEMORY, EPOCHS = 10, 3
SHARDS_IN_MEMORY, SHARDS = 10, 16


class Fit(NamedTuple):
    """A fit of rows in memory, in shards; of None it is the ordinary one."""

    X: Any
    labels: Sequence[Any]
    rule: str
    shards: int | None = SHARDS_IN_MEMORY

    def run(self, workers: int) -> None:
        """Do it."""
        from hardlimit import LinearClassifier

        more = {} if self.shards is None else {"shards": self.shards, "n_jobs": workers}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # columns of unlike lengths are what texts have
            LinearClassifier(
                self.rule, bias_feature=0.1, until=None, max_iter=EPOCHS_IN_MEMORY, **more
            ).fit(self.X, self.labels)

    def halves(self) -> list[Fit]:
        """Return the same of every second row each."""
        return [
            self._replace(
                X=self.X[first::2],
                labels=self.labels[first::2],
                shards=None if self.shards is None else self.shards // 2,
            )
            for first in (0, 1)
        ]


class Training(NamedTuple):
    """A training from a file to a model, by processes; in None shards the ordinary one."""

    paths: tuple[str, ...]
    shards: int | None = SHARDS

    def run(self, workers: int) -> None:
        """Do it."""
        from hardlimit import TextClassifier, readers
        from hardlimit.distributed import train

        choices: dict[str, Any] = {"rule": "perceptron", "max_iter": EPOCHS, **WORDS}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if self.shards is not None:
                cluster = f"processes:{workers}"
                train(list(self.paths), cluster=cluster, shards=self.shards, **choices)
                return
            texts, labels = [], []
            for path in self.paths:
                with readers.open_rows(path, None, need_label=True) as table:
                    for row in table:
                        texts.append(row.text)
                        labels.append(row.label)
            TextClassifier(n_jobs=workers, **choices).fit(texts, labels)

    def halves(self) -> list[Training]:
        """Return the same of one of two files each."""
        return [Training((path,), SHARDS // 2) for path in self.paths]


Task = Fit | Training


def of_threads(corpus: Corpus, repetitions: int) -> Iterator[Figure]:
    """Yield two threads beside one, by rule."""
    from hardlimit.text import TextVectorizer

    X = TextVectorizer(**WORDS).fit_transform(corpus.texts)
    for rule in ("perceptron", "passive-aggressive"):
        task = Fit(X, list(corpus.labels), rule)
        times = measure(task, task._replace(shards=None), repetitions)
        what = f"rows in memory, {task.shards} shards, {rule}: 2 threads beside 1"
        yield figure(what, times, corpus.name, f"the ordinary fit {times['ordinary 1']:.2f} s")


def of_processes(corpus: Corpus, megabytes: float, repetitions: int) -> Iterator[Figure]:
    """Yield two processes beside one, of so many megabytes of text."""
    size = sum(map(len, corpus.texts)) / 1e6
    repeats = max(1, round(megabytes / size / 2))
    with tempfile.TemporaryDirectory() as folder:
        paths = tuple(
            write(os.path.join(folder, name), corpus.texts, corpus.labels, repeats)
            for name in ("a.csv", "b.csv")
        )
        n_bytes = sum(map(os.path.getsize, paths))
        task = Training(paths)
        times = measure(task, task._replace(shards=None), repetitions)
    remark = f"{corpus.name} {2 * repeats} times, {n_bytes / 1e6:.0f} MB, {EPOCHS} epochs"
    ordinary = ", ".join(
        f"{times[f'ordinary {n}']:.1f} s with {n} thread{'s' if n > 1 else ''}" for n in (1, 2)
    )
    what = f"from files to a model, {SHARDS} shards, perceptron: 2 processes beside 1"
    yield figure(what, times, remark, f"the ordinary training {ordinary}")


def figure(name: str, times: dict[str, float], *remarks: str) -> Figure:
    """Return the figure of what was measured."""
    limit = f"two processes with half of it each: {times['1'] / times['halves']:.2f}x"
    return Figure(
        name,
        times["1"] / times["2"],
        "x",
        TARGET,
        ours=f"{times['2']:.2f} s",
        theirs=f"{times['1']:.2f} s",
        remark="; ".join((limit, *remarks)),
    )


def measure(task: Task, ordinary: Task, repetitions: int) -> dict[str, float]:
    """Return the shortest seconds of one worker, of two, of two halves, and of the ordinary run."""
    halves = task.halves()
    ways: dict[str, Callable[[], float]] = {
        "1": lambda: seconds_of(task, 1),
        "2": lambda: seconds_of(task, 2),
        "halves": lambda: seconds_of_both(halves),
        "ordinary 1": lambda: seconds_of(ordinary, 1),
    }
    if isinstance(task, Training):
        ways["ordinary 2"] = lambda: seconds_of(ordinary, 2)
    turns = [{name: way() for name, way in ways.items()} for _ in range(repetitions)]
    return {name: min(turn[name] for turn in turns) for name in ways}


def seconds_of(task: Task, workers: int) -> float:
    """Do the task in this process, and with what it begins."""
    gc.collect()
    began = time.perf_counter()
    task.run(workers)
    return time.perf_counter() - began


def seconds_of_both(tasks: Sequence[Task]) -> float:
    """Do the tasks in processes of their own, at one time."""
    context = multiprocessing.get_context("spawn")
    pipes = []
    for task in tasks:
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(theirs, task))
        process.start()
        pipes.append((ours, process))
    for pipe, _ in pipes:
        pipe.recv()  # it is there, and has imported what it needs
    began = time.perf_counter()
    for pipe, _ in pipes:
        pipe.send(None)
    for pipe, process in pipes:
        pipe.recv()
        process.join()
    return time.perf_counter() - began


def _serve(pipe: Connection, task: Task) -> None:
    import hardlimit
    import hardlimit.distributed

    _ = hardlimit.TextClassifier, hardlimit.LinearClassifier, hardlimit.distributed.train
    pipe.send(None)
    pipe.recv()
    task.run(1)
    pipe.send(None)


def write(path: str, texts: Sequence[str], labels: Sequence[Any], times: int) -> str:
    """Write the texts so often as CSV; the path."""
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("text", "label"))
        for _ in range(times):
            writer.writerows(zip(texts, labels, strict=True))
    return path
