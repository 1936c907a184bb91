"""What is seen of the values of a table's columns: looked at in parts, merged, and counted.

A part has the different values themselves. They become digests where parts are merged or travel,
so that a table of any length takes a few megabytes a column. What is counted does not depend on
how the rows were cut.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np

from hardlimit.foundation.types import Array
from hardlimit.tables.cells import as_number, count_values, is_missing, spell_category

# Different values of a column that are counted one by one. Of more, those with the smallest
# digests stand for all: as many as fit.
MOST_VALUES = 1 << 18
_SLIPS = 0.1


class Distinct(NamedTuple):
    """How many categories and texts a column has, and the blanks and characters of the texts.

    Of more than ``MOST_VALUES`` texts, these are those of some; ``n_texts`` says of how many.
    """

    categories: int
    n_texts: int
    spaces: int
    length: int


class Digests:
    """Digests of the different values of a column, each with numbers that belong to it.

    table : an array (digest, numbers ...) by ascending digest.    level : how often the largest
    digest that may stay was halved.
    """

    def __init__(self, rows: Iterable[tuple[int, ...]], width: int) -> None:
        found = list(rows)
        self.table = np.array(found, np.uint64).reshape(len(found), width)
        self.level = 0
        self._waiting: list[Array] = []
        self._n_waiting = 0
        self._sort()

    def merge(self, other: Digests) -> None:
        """Add the values of another part."""
        self.level = max(self.level, other.level)
        self._waiting.append(other.complete().table)
        self._n_waiting += len(other.table)
        if self._n_waiting > max(len(self.table), MOST_VALUES >> 4):
            self._sort()

    def complete(self) -> Self:
        """Return the digests with all that was merged."""
        if self._waiting:
            self._sort()
        return self

    def _sort(self) -> None:
        table = np.concatenate([self.table, *self._waiting])
        self._waiting, self._n_waiting = [], 0
        _, first = np.unique(table[:, 0], return_index=True)
        table = table[first]
        while True:
            table = table[: int(np.searchsorted(table[:, 0], np.uint64(2**64 - 1 >> self.level)))]
            if len(table) <= MOST_VALUES:
                break
            self.level += 1
        self.table = table

    @property
    def estimate(self) -> int:
        """Different values; exact up to ``MOST_VALUES``."""
        return len(self.complete().table) << self.level


@dataclass
class ColumnValues:
    """What some rows have in a column.

    missing, there : how many values.    words : how many are no numbers.    first : the first that
    is there.    other : the type of a value that is no category.    only_texts : whether all are.
    values : the different ones, while these are the rows of one part; None where nobody looked.
    """

    missing: int
    there: int
    words: int = 0
    first: Any = None
    other: str | None = None
    only_texts: bool = True
    values: list[Any] | None = None
    categories: Digests | None = None
    texts: Digests | None = None

    @classmethod
    def of(cls, values: Sequence[Any], spellings: Collection[str]) -> ColumnValues:
        """Look at the values of some rows.

        spellings : what stands for a missing value, folded.
        """
        there = [(v, n) for v, n in count_values(values) if not is_missing(v, spellings)]
        n = sum(count for _, count in there)
        words = sum(count for value, count in there if math.isnan(as_number(value)))
        different = [value for value, _ in there]
        first = different[0] if different else None
        return cls(len(values) - n, n, words, first, values=different)

    @property
    def are_numbers(self) -> bool:
        """Whether the values are numbers, but for a few slips."""
        # True and False are numbers to Python, and a category to people.
        # Few words among many numbers are slips, and are refused by their place: see NumberBlock.
        return self.there > 0 and type(self.first) is not bool and self.words <= _SLIPS * self.there

    @property
    def complete(self) -> bool:
        """Whether the different values are known."""
        return not self.there or self.values is not None or self.texts is not None

    def condense(self, wanted: bool) -> ColumnValues:
        """Return this with digests in place of the values, and of numbers without.

        wanted : whether digests of numbers are wanted too.
        """
        if self.values is None:
            return self
        different, self.values = self.values, None
        if not self.there or self.are_numbers and not wanted:
            return self
        spelled = self._spell(different)
        texts = [value for value in different if isinstance(value, str | bytes)]
        # Equal texts of bytes and of str are two values.
        self.texts = Digests(
            (
                (_digest(value, type(value).__name__), count_spaces(value), len(value))
                for value in texts
            ),
            3,
        )
        self.categories = Digests(((_digest(one or "", "category"),) for one in spelled), 1)
        return self

    def _spell(self, different: list[Any]) -> set[str | None]:
        """Return the categories; find out whether all values are some, and all are texts."""
        spelled = set(map(spell_category, different))
        if None in spelled:
            other = next(value for value in different if spell_category(value) is None)
            self.other = type(other).__name__
        self.only_texts = all(isinstance(value, str | bytes) for value in different)
        return spelled

    def merge(self, after: ColumnValues) -> None:
        """Add what later rows have; both are condensed."""
        known = self.complete and after.complete
        if not self.there:
            self.first, self.categories, self.texts = after.first, after.categories, after.texts
        elif after.there and known and self.texts is not None and self.categories is not None:
            assert after.texts is not None and after.categories is not None
            self.texts.merge(after.texts)
            self.categories.merge(after.categories)
        if not known:
            self.categories = self.texts = None
        self.missing, self.there = self.missing + after.missing, self.there + after.there
        self.words, self.other = self.words + after.words, self.other or after.other
        self.only_texts = self.only_texts and after.only_texts

    def count(self) -> Distinct:
        """Count the different values."""
        if self.values is not None and len(self.values) > MOST_VALUES:
            self.condense(wanted=True)
        if self.values is not None:
            spelled = self._spell(self.values)
            texts = [value for value in self.values if isinstance(value, str | bytes)]
            spaces, length = sum(map(count_spaces, texts)), sum(map(len, texts))
            return Distinct(len(spelled), len(texts), spaces, length)
        if self.categories is None or self.texts is None:
            return Distinct(0, 0, 0, 0)
        table = self.texts.complete().table
        spaces, length = sum(table[:, 1].tolist()), sum(table[:, 2].tolist())
        return Distinct(self.categories.estimate, len(table), spaces, length)


def count_spaces(value: str | bytes) -> int:
    """Return the blanks in a text."""
    return value.count(b" ") if isinstance(value, bytes) else value.count(" ")


def _digest(value: str | bytes, person: str) -> int:
    data = value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value
    digest = hashlib.blake2b(data, digest_size=8, person=person.encode()[:16]).digest()
    return int.from_bytes(digest, "big")


TableValues = dict[str, ColumnValues]


def merge(before: TableValues, after: TableValues, wanted: Collection[str] = ()) -> TableValues:
    """Add what later rows have to what was seen before, which is changed and returned."""
    for name, seen in before.items():
        seen.condense(name in wanted)
        seen.merge(after[name].condense(name in wanted))
    return before
