"""Passes over a stream before its first row is learnt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

from hardlimit.classifiers.features import Pass
from hardlimit.classifiers.fitting.streamed.opened import as_counted
from hardlimit.classifiers.fitting.streamed.position import Chunk
from hardlimit.classifiers.targets import Counts, Targets
from hardlimit.foundation import progress
from hardlimit.streaming.blocks import Block

Labelled = TypeVar("Labelled", Block, Chunk)


class Looking(Protocol):
    """Features as far as they look at all rows."""

    @property
    def passes(self) -> list[Pass]:
        """What the looks are for; the first is there, and those behind may come with it."""

    def look(self, number: int, examples: Any, before: Any = None) -> Any:
        """Return what was seen so far."""

    def settle(self, number: int, found: list[Any]) -> None:
        """Learn from what was seen of all."""


def look_at_all(
    features: Looking,
    first: Iterable[Labelled],
    again: Callable[[], Iterator[Labelled]],
    targets: Targets[Any],
) -> Counts:
    """Go through all examples, once a pass; return the counts of the labels.

    first, again : the examples, and what gives them from their beginning; labels that differ then
    are refused.
    """
    counts: Counts = Counter()

    def counted() -> Iterator[Labelled]:
        for item in first:
            counts.update(targets.count(item.labels))
            yield item

    items, number = counted(), 0
    while True:
        seen, n_rows = None, 0
        for item in items:
            seen, n_rows = features.look(number, item.examples, seen), n_rows + len(item.labels)
            progress.report(features.passes[number].what, n_rows, 0, "rows")
        features.settle(number, [seen])
        number += 1
        if number == len(features.passes):
            return counts
        items = as_counted(again(), counts, targets)
