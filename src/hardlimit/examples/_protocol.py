"""What all kinds of examples can do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, Self

from hardlimit.foundation.types import Array


class Examples(Protocol):
    """Examples as they were read. Nothing changes them, and they pickle as they are.

    noun : what people call one of them.
    """

    noun: ClassVar[str]

    def __len__(self) -> int:
        """How many there are."""

    def example(self, row: int) -> Any:
        """Return one, as it is explained: a text, a tuple, or a matrix of one row."""

    def take(self, rows: Sequence[int] | Array) -> Self:
        """Return some of them, in this order."""

    def part(self, begin: int, end: int) -> Self:
        """Return those from ``begin`` to ``end - 1``, over the same memory."""

    def keys(self) -> Sequence[str | bytes]:
        """Return a key of each, equal where a model sees no difference.

        Of texts their characters count, of numbers their values: -0.0 is 0.0, and a zero that is
        stored is one that is not. Dense and sparse rows of the same values have one key.
        """

    def hold_out_keys(self) -> Sequence[str | bytes]:
        """Return what decides which of them are held out: each as it was read.

        This rule stays as it is, bytes and all: a file that was split by it once is split in the
        same way again. So -0.0 and 0.0 differ here.
        """

    def count_repeats(self) -> int:
        """Return how many texts are equal to an earlier one, where that may be a slip."""

    def size(self) -> int:
        """Return about how many bytes they take: of texts their characters."""

    def place(self, row: int) -> str:
        """Return where one stands, for messages: ``"a.csv:12"``, or ``"row 3"`` in memory."""

    @staticmethod
    def joined(parts: Sequence[Any]) -> Any:
        """Return the examples of all parts, of which there is one at least."""
