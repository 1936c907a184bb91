"""The border of text input: any iterable of str or bytes, cut into lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from hardlimit.exceptions import KindError

Texts: TypeAlias = "Iterable[str | bytes]"
_BATCH = 1024


def batches(texts: Texts) -> Iterator[tuple[int, list[str | bytes]]]:
    """Yield ``(position of the first, list of texts)``.

    Raises
    ------
    KindError
        For one str or bytes instead of several, and for what cannot be iterated. (The kind of each
        item is checked where it is read; that error names its position.)
    """
    if isinstance(texts, str | bytes | bytearray):
        kind = type(texts).__name__
        raise KindError(
            f"texts is one {kind}; wanted an iterable of str or bytes: put it in a list, [text]"
        )
    try:
        items = iter(texts)
    except TypeError:
        raise KindError(
            f"texts is of kind {type(texts).__name__}; wanted an iterable of str or bytes"
        ) from None
    first = 0
    while batch := list(islice(items, _BATCH)):
        yield first, batch
        first += len(batch)
