"""Rows of mixed tables: numbers, categories and texts in their columns.

Nothing depends on how the rows are cut: sums are exact until they are asked for, and categories and
terms are numbered as in one pass over all rows.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.classifiers.model.choices import Choices
from hardlimit.distributed.featurisers._protocol import Ask, Kept, ShardRows
from hardlimit.distributed.featurisers.texts import FeaturesOfShards
from hardlimit.examples.of_rows import GatheredColumns, feature_columns
from hardlimit.exceptions import DataFormatError
from hardlimit.foundation.types import Array
from hardlimit.readers import Row, Table
from hardlimit.sources.pieces import Shard, count_lines, shift_line
from hardlimit.tables.kinds import Kinds
from hardlimit.tables.rows import TableRows
from hardlimit.tables.settings import TableSettings
from hardlimit.text import default_features


class RowsOfTable(FeaturesOfShards):
    """Rows of a table."""

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        assert choices.text is not None and choices.text.table is not None  # of tables
        self._settings: TableSettings = choices.text.table
        self.features.describes = True

    @property
    def kinds(self) -> Kinds:
        """What each column is."""
        found: Kinds = self.features.kinds
        return found

    @property
    def _names(self) -> tuple[str, ...]:
        names: tuple[str, ...] = self.features.names
        return names

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Decide the kind of each column by all its values."""
        named = [name for name, kind in self._settings.named.items() if kind != "drop"]
        with shards[0].pieces[0].open() as table:
            self.features.take_names(feature_columns(table, named))
        super().survey(choices, shards, ask)

    def _head(self, shards: Sequence[Shard], kept: Kept) -> TableRows:
        """Return the first rows, by which features of texts are chosen."""
        collect, n_rows = GatheredColumns(self._names), 0
        for shard in shards:
            wanted = kept(shard.number)
            numbers = None if wanted is None else set(wanted.tolist())
            for at, (table, row) in enumerate(_rows(shard)):
                if n_rows == default_features.SAMPLE:
                    return collect.examples()
                if numbers is None or at in numbers:
                    collect.add(table, row)
                    n_rows += 1
        return collect.examples()

    def read(self, shard: Shard, kept: Array | None) -> ShardRows:
        """Return the columns and labels of a shard."""
        collect, labels, ends = GatheredColumns(self._names), [], [0] * len(shard.pieces)
        for k, piece in enumerate(shard.pieces):
            for table, row in _rows(replace(shard, pieces=(piece,))):
                collect.add(table, row)
                labels.append(row.label)
            ends[k] = len(labels)
        rows = _place_rows(collect.examples(), shard, ends)
        return ShardRows(rows, labels).kept(kept)

    def keys(self, examples: Any, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows, or of the columns that a model has."""
        return super().keys(self.vectorizer.table(examples) if of_model else examples, of_model)


def _rows(shard: Shard) -> Iterator[tuple[Table, Row]]:
    for piece in shard.pieces:
        try:
            with piece.open_checked() as table:
                yield from ((table, row) for row in table)
        except DataFormatError as error:
            raise piece.located(error) from None


def _place_rows(rows: TableRows, shard: Shard, ends: list[int]) -> TableRows:
    """Return rows that say where they stand in their files, of which pieces end at these rows."""

    def place(row: int) -> str:
        piece = shard.pieces[bisect.bisect(ends, row)]
        before = 0 if piece.group is not None else count_lines(piece.path, piece.begin)
        return shift_line(rows.place(row), piece.path, before)

    return TableRows(rows.names, rows.columns, place)
