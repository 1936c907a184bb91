"""What goes by in a stream: chunks of examples, their digest, and how far a run is.

All other modules of the room stand above this one.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from hardlimit.foundation.package import VERSION


class Chunk(NamedTuple):
    """Examples of texts or tables, a label for each, and weights or None; none of weight 0.

    ends : whether the last of them is the last of a block of rows.
    """

    texts: list[Any]
    labels: list[Any]
    weights: Any
    ends: bool = False

    def part(self, begin: int, end: int) -> Chunk:
        """Return the texts begin .. end - 1."""
        weights = None if self.weights is None else self.weights[begin:end]
        return Chunk(self.texts[begin:end], self.labels[begin:end], weights)


class RunningDigest:
    """A digest of the examples that went by, in their order.

    >>> digest = RunningDigest()
    >>> digest.add(["a text"], ["ham"], None)
    >>> len(digest.now)
    32
    """

    def __init__(self) -> None:
        self._hashed = hashlib.blake2b(digest_size=16)

    def add(self, texts: Iterable[Any], labels: Iterable[Any], weights: Any) -> None:
        """Add texts; each with its length, so that none can pass for two.

        How they are cut into calls changes nothing.
        """
        weighted = itertools.repeat(b"") if weights is None else (w.tobytes() for w in weights)
        for text, label, weight in zip(texts, labels, weighted, strict=weights is not None):
            octets = _octets(text)
            self._hashed.update(b"%d %r " % (len(octets), repr(label).encode()))
            self._hashed.update(octets)
            self._hashed.update(weight)

    def add_rows(self, arrays: Iterable[Any], labels: Iterable[Any], weights: Any) -> None:
        """Add rows of numbers."""
        for array in arrays:
            self._hashed.update(b"%d " % array.nbytes)
            self._hashed.update(array.tobytes())
        self._hashed.update(repr(list(labels)).encode())
        if weights is not None:
            self._hashed.update(weights.tobytes())

    @property
    def now(self) -> str:
        """The digest so far, in hexadecimal."""
        return self._hashed.copy().hexdigest()


def _octets(example: Any) -> bytes:
    """Return the bytes of a text; those of several texts, or of a row, as Python writes them."""
    if isinstance(example, bytes):
        return example
    text = example if isinstance(example, str) else repr(example)
    return text.encode("utf-8", "surrogatepass")


@dataclass
class Position:
    """How far a run was.

    epoch, blocks : the epoch under way, from 1, and the blocks of it that were learnt.
    shown, tally : rows of the epoch so far, and what its neurons counted.
    n_rows, n_blocks, digest : of the first pass, as far as it went.
    largest : the squared length of the longest row, in hexadecimal.
    weighted, has_weights : whether an example weighed other than 0 and 1; whether batches have
        weights.
    classes : those that were named, as they are written.
    """

    epoch: int
    blocks: int
    shown: int
    tally: list[list[int]]
    n_rows: int
    n_blocks: int
    digest: str
    largest: str
    weighted: bool = False
    has_weights: bool = False
    manifest: Any = None
    classes: list[str] | None = None
    version: str = VERSION
