"""Check text input, any iterable of str or bytes, and cut it into lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeAlias

from hardlimit.exceptions import Given, KindError

Texts: TypeAlias = "Iterable[str | bytes]"
_BATCH = 1024  # texts between two looks at signals, and of a generator in memory at once
_WANTED = "an iterable of str or bytes"


def split_batches(texts: Texts) -> Iterator[tuple[int, list[str | bytes]]]:
    """Yield ``(position of the first, list of texts)``.

    Raises
    ------
    KindError
        For one str or bytes instead of several, and for what cannot be iterated. (The kind of each
        item is checked where it is read; that error names its position.)
    """
    if isinstance(texts, str | bytes | bytearray):
        raise KindError(
            parameter="texts",
            got=Given(f"one {type(texts).__name__}"),
            wanted=_WANTED,
            fix="put it in a list, [text]",
        )
    try:
        items = iter(texts)
    except TypeError:
        got = Given(f"a value of type {type(texts).__name__}")
        raise KindError(parameter="texts", got=got, wanted=_WANTED) from None
    first = 0
    while batch := list(islice(items, _BATCH)):
        yield first, batch
        first += len(batch)
