"""The contestants that classify texts: one file each, found by discovery.

A contestant is a module with

``TITLE``
``load()``                      imports what it needs, not timed; raises ``Missing``, with the name,
                                where that is not installed
``fit(train, stages)``          from raw training texts to a model
``predict(model, texts, stages)``   from raw texts to their labels
``save(model, folder)``         writes what a later process needs to predict

``run`` goes from raw training texts to the labels of the raw test texts and is timed as a whole;
parts worth telling apart a contestant puts into ``with stages("name"):``. Raw mail becomes text
by Python's ``email`` unless the contestant has a ``read_mails(messages)`` of its own.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from benchmarks import plain_mail
from benchmarks.corpora import Corpus, Missing
from benchmarks.members import import_members


class Stages:
    """Seconds by the name of the stage.

    >>> stages = Stages()
    >>> with stages("fit"):
    ...     pass
    >>> list(stages.seconds)
    ['fit']
    """

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.notes: dict[str, float] = {}

    @contextmanager
    def __call__(self, name: str) -> Iterator[None]:
        """Add the time spent inside the block to the stage ``name``."""
        start = time.perf_counter()
        yield
        self.seconds[name] = self.seconds.get(name, 0.0) + time.perf_counter() - start


def contestants() -> dict[str, ModuleType]:
    """Every contestant by the name of its file."""
    return import_members(__name__, __path__)


def run(contestant: ModuleType, train: Corpus, test: Corpus, stages: Stages) -> list:
    """Go from raw training texts to the labels predicted for the raw test texts."""
    model = contestant.fit(as_texts(contestant, train, stages), stages)
    return contestant.predict(model, as_texts(contestant, test, stages).texts, stages)


def as_texts(contestant: ModuleType, corpus: Corpus, stages: Stages) -> Corpus:
    """Return a corpus of texts; raw mail is read as users of the contestant would."""
    if not corpus.is_mail:
        return corpus
    with stages("mail"):
        read = getattr(contestant, "read_mails", plain_mail.read_mails)
        return Corpus(corpus.name, read(corpus.texts), corpus.labels)


def shuffled(corpus: Corpus) -> Corpus:
    """Return the texts in a random order, for who learns them in the order of a file."""
    order = list(range(len(corpus.texts)))
    random.Random(0).shuffle(order)
    return corpus.take(order)


def need(module: str) -> ModuleType:
    """Import a package, or raise ``Missing`` with its name."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Missing(f"{module} is not installed ({error})") from error
