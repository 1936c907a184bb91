"""Columns that are measured by passes over rows which come in parts.

What is learnt is equal to what ``fit_rows`` of a vectorizer learns of all rows at once: sums are
exact until they are asked for, and categories and terms are numbered as in one pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import Any

from hardlimit.tables.block import AnyBlock, PartOfTable, Place

# What was seen of each column in one pass; None of one that needs no such pass.
Seen = list[Any]


class BlockPasses:
    """Measures columns pass by pass; each pass looks at all rows and then settles.

    >>> from hardlimit.tables import TableSettings, TableVectorizer, decide_kinds
    >>> from hardlimit.tables.rows import as_table
    >>> rows = as_table([{"age": 41, "city": "Ghent"}, {"age": 23, "city": "Rome"}])
    >>> kinds = decide_kinds(rows, TableSettings())
    >>> vectorizer = TableVectorizer.of_kinds(kinds, TableSettings(), {}, rows)
    >>> passes = BlockPasses(vectorizer.blocks)
    >>> for number, _ in enumerate(passes.names):
    ...     seen = passes.look(number, rows[:1].columns, rows.place)
    ...     seen = passes.look(number, rows[1:].columns, rows.place, before=seen)
    ...     passes.settle(number, [seen])
    >>> passes.names, vectorizer.blocks[0].mean, list(vectorizer.blocks[1].values)
    (['sums, categories', 'deviations'], 32.0, ['Ghent', 'Rome'])
    """

    def __init__(self, blocks: Sequence[AnyBlock]) -> None:
        self._blocks = blocks

    @property
    def names(self) -> list[str]:
        """What each pass is for."""
        each = zip_longest(*(block.passes for block in self._blocks))
        return [", ".join(dict.fromkeys(filter(None, names))) for names in each]

    def look(
        self,
        number: int,
        columns: Iterable[Sequence[Any]],
        place: Place,
        part: int = 0,
        before: Seen | None = None,
    ) -> Seen:
        """Look at the columns of some rows, after those ``before``; return what was seen so far.

        part : of the parts that are looked at apart, which.
        """
        found = before or [None] * len(self._blocks)
        about = PartOfTable(part, len(self._blocks))
        for k, (block, values) in enumerate(zip(self._blocks, columns, strict=True)):
            if number < len(block.passes):
                found[k] = block.look(number, block.read(values, place), about, found[k])
        return found

    def settle(self, number: int, found: Sequence[Seen]) -> None:
        """Learn from what was seen of all parts, in their order."""
        for block, seen in zip(self._blocks, zip(*found, strict=True), strict=True):
            if number < len(block.passes):
                block.settle(number, seen)

    def pack(self, seen: Seen) -> Seen:
        """Return what was seen as it travels."""
        pairs = zip(self._blocks, seen, strict=True)
        return [None if one is None else block.pack(one) for block, one in pairs]
