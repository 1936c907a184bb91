"""Cut texts into lists, with as many at once as memory and workers want."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from operator import length_hint
from typing import Any, TypeAlias

from hardlimit.examples.texts import TEXT, as_texts

Texts: TypeAlias = "Iterable[str | bytes]"
_BATCH = 1024  # texts between two looks at signals, and of a generator in memory at once
_SHORT = 8  # texts that are a batch as they are
# Bytes of text that are worth a thread; to learn a vocabulary twice as many.
LEAST_SHARE = 1 << 19
_SHARE, _MOST_SHARES = 1 << 22, 16  # characters for each worker, of so many at most


def split_batches(texts: Texts, n_workers: int = 1) -> Iterable[tuple[int, list[str | bytes]]]:
    """Return ``(position of the first, list of texts)``, more of them for several workers.

    Raises
    ------
    KindError
        As :func:`as_texts`. (The kind of each item is checked where it is read; that error names
        its position.)
    """
    if isinstance(texts, list) and 0 < len(texts) <= _SHORT:  # a row of a stream costs microseconds
        return [(0, texts[:])]
    return _split(texts, n_workers)


def _split(texts: Texts, n_workers: int) -> Iterator[tuple[int, list[str | bytes]]]:
    given = as_texts(texts)
    # Texts of a list are in memory; those of a generator are while they are in a batch.
    take = _take_many if isinstance(given, list) else _take_few
    items, first = iter(given), 0
    while batch := take(items):
        # The first stays small: it says how much memory the others will take.
        if n_workers > 1 and first:
            _fill(batch, items, n_workers, take)
        yield first, batch
        first += len(batch)


def _take_many(items: Iterator[Any]) -> list[Any]:
    return list(islice(items, _BATCH))


def _take_few(items: Iterator[Any]) -> list[Any]:
    """Take as many texts, but no more than a few megabytes beyond one text."""
    batch: list[Any] = []
    length = 0
    for text in items:
        batch.append(text)
        # What is no text is refused where it is read.
        length += len(text) if isinstance(text, TEXT) else 0
        if len(batch) == _BATCH or length >= _SHARE:
            break
    return batch


def _fill(
    batch: list[Any],
    items: Iterator[Any],
    n_workers: int,
    take: Callable[[Iterator[Any]], list[Any]],
) -> None:
    """Add texts until there is work for all, which is many texts or few long ones."""
    most = _SHARE * min(n_workers, _MOST_SHARES)
    fresh, length = batch, 0
    while fresh and len(batch) < 64 * _BATCH:
        # What is no text is refused where it is read.
        length += sum(len(text) for text in fresh if isinstance(text, str | bytes))
        if length >= most:
            return
        fresh = take(items)
        batch.extend(fresh)


def length_of(texts: Iterable[object]) -> int:
    """How many texts there are, 0 where that is not known."""
    try:
        return length_hint(texts)
    except Exception:  # of a user's own class; whether it is a list of texts is asked elsewhere
        return 0
