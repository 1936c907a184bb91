"""Check text input, any iterable of str or bytes, and cut it into lists."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import length_hint
from typing import Any, TypeAlias

from hardlimit.exceptions import Given, KindError
from hardlimit.foundation.inputs import iterate, refuse_masked
from hardlimit.foundation.tables import as_column

Texts: TypeAlias = "Iterable[str | bytes]"
_TEXT = (str, bytes)  # a union would be made anew for each text
_BATCH = 1024  # texts between two looks at signals, and of a generator in memory at once
_SHORT = 8  # texts that are a batch as they are
# Bytes of text that are worth a thread; to learn a vocabulary twice as many.
LEAST_SHARE = 1 << 19
_SHARE, _MOST_SHARES = 1 << 22, 16  # characters for each worker, of so many at most
_WANTED = "an iterable of str or bytes"


def as_texts(texts: object) -> Iterable[Any]:
    """Return an iterable of texts: a table of one column is its texts, and so is a column.

    What the items are is checked where they are read.

    Raises
    ------
    KindError
        For one text instead of several, a table of several columns, a dict, a set, an array of
        other than one column, and for what cannot be iterated.
    """
    if type(texts) is list:  # most calls; the questions below cost as much as a short text
        return texts
    if isinstance(texts, str | bytes | bytearray):
        raise KindError(
            parameter="texts",
            got=Given(f"one {type(texts).__name__}"),
            wanted=_WANTED,
            fix="put it in a list, [text]",
        )
    texts = as_column(texts, "texts", "texts")
    refuse_masked(texts, "texts")
    shape = getattr(texts, "shape", None)
    if isinstance(shape, tuple) and len(shape) != 1:  # an array of numpy, which is not imported
        if len(shape) != 2 or shape[1] != 1 or not hasattr(texts, "ravel"):
            raise KindError(
                parameter="texts",
                got=Given(f"an array of shape {shape}"),
                wanted="one column of texts, shape (n,) or (n, 1)",
            )
        texts = texts.ravel()
    if type(texts) is not list:
        iterate(texts, "texts") if hasattr(texts, "__iter__") else None
    if not isinstance(texts, Iterable):
        got = Given(f"a value of type {type(texts).__name__}")
        raise KindError(parameter="texts", got=got, wanted=_WANTED)
    return texts


def as_batch(texts: object) -> list[str | bytes]:
    """Return all texts, so that nothing is learnt of a batch that holds something else.

    Raises
    ------
    KindError
        As :func:`as_texts`, and for an item that is no text, with its position.
    """
    batch = list(iterate(as_texts(texts), "texts"))
    refuse_others(batch)
    return batch


def refuse_others(batch: Sequence[Any], first: int = 0) -> None:
    """Refuse what is no text, with its position; ``first`` is that of the batch."""
    for position, text in enumerate(batch, first):
        if isinstance(text, _TEXT):
            continue
        missing = text is None or type(text).__name__ == "NAType"  # of pandas
        missing = missing or (isinstance(text, float) and math.isnan(text))
        fix = "fill missing texts with '', or drop their rows" if missing else ""
        if isinstance(text, Mapping):
            fix = "name the columns of the texts: TextClassifier(text_columns=[...])"
        raise KindError(
            "a text is missing" if missing else "",
            parameter=f"texts[{position}]",
            got=Given(f"a value of type {type(text).__name__}"),
            wanted="str or bytes",
            fix=fix,
        )


def check_one_text(text: object) -> None:
    """Refuse several texts where one is to be explained."""
    if not isinstance(text, str | bytes):
        raise KindError(
            parameter="text",
            got=Given(f"a value of type {type(text).__name__}"),
            wanted="one text, str or bytes",
            fix="for one of several, texts[0], or of a table df['text'].iloc[0]",
        )


def split_batches(texts: Texts, n_workers: int = 1) -> Iterable[tuple[int, list[str | bytes]]]:
    """Return ``(position of the first, list of texts)``, more of them for several workers.

    Raises
    ------
    KindError
        As :func:`as_texts`. (The kind of each item is checked where it is read; that error names
        its position.)
    """
    if type(texts) is list and 0 < len(texts) <= _SHORT:  # a row of a stream costs microseconds
        return [(0, texts[:])]
    return _split(texts, n_workers)


def _split(texts: Texts, n_workers: int) -> Iterator[tuple[int, list[str | bytes]]]:
    given = as_texts(texts)
    # Texts of a list are in memory; those of a generator are while they are in a batch.
    take = _take_many if type(given) is list else _take_few
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
        length += len(text) if isinstance(text, _TEXT) else 0
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


def length_of(texts: object) -> int:
    """How many texts there are, 0 where that is not known."""
    try:
        return length_hint(texts)
    except Exception:  # of a user's own class; whether it is a list of texts is asked elsewhere
        return 0
