"""The contestants that classify texts: one file each, found by discovery.

A contestant has ``TITLE``, ``load()`` (imports what it needs and raises ``Missing``, with the name,
where that is not installed; not timed) and ``run(train, test, stages)``, which goes from raw
training texts to the labels predicted for the raw test texts and is timed as a whole. Parts
worth telling apart it puts into ``with stages("name"):``.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType

from benchmarks.corpora import Missing
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


def need(module: str) -> ModuleType:
    """Import a package, or raise ``Missing`` with its name."""
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Missing(f"{module} is not installed ({error})") from error
