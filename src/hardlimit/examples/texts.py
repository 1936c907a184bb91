"""Examples that are one text each, and the border for what users hand in as texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from hardlimit.exceptions import Given, KindError
from hardlimit.foundation.inputs import iterate, refuse_masked
from hardlimit.foundation.tables import as_column

if TYPE_CHECKING:
    from hardlimit.foundation.types import Array

Text: TypeAlias = "str | bytes"
TEXT = (str, bytes)  # a union would be made anew for each text
_WANTED = "an iterable of str or bytes"


class Texts(list[Text]):
    """One text an example."""

    __slots__ = ()

    noun: ClassVar[str] = "text"

    def example(self, row: int) -> Text:
        """Return one text."""
        return self[row]

    def take(self, rows: Sequence[int] | Array) -> Texts:
        """Return some of the texts, in this order."""
        return Texts([self[row] for row in rows])

    def part(self, begin: int, end: int) -> Texts:
        """Return the texts from ``begin`` to ``end - 1``."""
        return Texts(self[begin:end])

    def keys(self) -> list[str]:
        """Return the texts, those in bytes as characters."""
        return list(map(spell, self))

    def hold_out_keys(self) -> Sequence[Text]:
        """Return the texts."""
        return self

    def count_repeats(self) -> int:
        """Return how many are equal to an earlier one."""
        return len(self) - len(set(self))

    def size(self) -> int:
        """Return the characters of all texts."""
        return sum(map(len, self))

    def place(self, row: int) -> str:
        """Return the number of a text."""
        return f"row {row}"

    @staticmethod
    def joined(parts: Sequence[Texts]) -> Texts:
        """Return the texts of all parts."""
        return Texts(chain.from_iterable(parts))


def spell(text: Text) -> str:
    """Return a text as characters; bytes that are not UTF-8 stay apart.

    >>> spell(b"lunch"), spell("lunch")
    ('lunch', 'lunch')
    """
    return text if isinstance(text, str) else text.decode("utf-8", "surrogateescape")


def as_texts(texts: object) -> Iterable[Any]:
    """Return an iterable of texts: a table of one column is its texts, and so is a column.

    What the items are is checked where they are read.

    Raises
    ------
    KindError
        For one text instead of several, a table of several columns, a dict, a set, an array of
        other than one column, and for what cannot be iterated.
    """
    if isinstance(texts, list):  # most calls; the questions below cost as much as a short text
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
    iterate(texts, "texts") if hasattr(texts, "__iter__") else None
    if not isinstance(texts, Iterable):
        got = Given(f"a value of type {type(texts).__name__}")
        raise KindError(parameter="texts", got=got, wanted=_WANTED)
    return texts


def read_texts(texts: object) -> Texts:
    """Return all texts, so that nothing is learnt of a batch that holds something else.

    Raises
    ------
    KindError
        As :func:`as_texts`, and for an item that is no text, with its position.
    """
    batch = Texts(iterate(as_texts(texts), "texts"))
    refuse_others(batch)
    return batch


def refuse_others(batch: Sequence[Any], first: int = 0) -> None:
    """Refuse what is no text, with its position; ``first`` is that of the batch."""
    for position, text in enumerate(batch, first):
        if isinstance(text, TEXT):
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
