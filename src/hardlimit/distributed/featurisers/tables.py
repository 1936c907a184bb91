"""Rows of mixed tables: numbers, categories and texts in their columns.

Nothing depends on how the rows are cut: sums are exact until they are asked for, and categories and
terms are numbered as in one pass over all rows.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from hardlimit.classifiers.model.choices import Choices
from hardlimit.classifiers.model.table_model import TableModel
from hardlimit.distributed.featurisers._protocol import (
    Ask,
    Chosen,
    Featuriser,
    Kept,
    ShardRows,
    size_of,
)
from hardlimit.distributed.featurisers.texts import count_terms, fit_terms
from hardlimit.distributed.recipes import Shard, count_lines, shift_line
from hardlimit.engine import rows_of
from hardlimit.examples.of_rows import GatheredColumns
from hardlimit.exceptions import ColumnError, DataFormatError, InputError
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.types import Array
from hardlimit.readers import Row, Table
from hardlimit.tables.kinds import Kinds, KindSurvey
from hardlimit.tables.passes import NumberSums
from hardlimit.tables.rows import TableRows
from hardlimit.tables.settings import TableSettings
from hardlimit.tables.vectorizer import TableVectorizer
from hardlimit.text import default_features


class Columns(NamedTuple):
    """The question for what is in the columns."""

    survey: KindSurvey


class Seen(NamedTuple):
    """The question for what a vectorizer must know of its columns."""


class Deviations(NamedTuple):
    """The question for how far the numbers of each column are from their mean."""


class RowsOfTable(Featuriser):
    """Rows of a table; ``kinds`` has what each column is."""

    kind = TableModel
    vectorizer: Any = None
    kinds: Kinds = ()

    def __init__(self, choices: Choices) -> None:
        assert choices.text is not None and choices.text.table is not None  # of tables
        self.settings: TableSettings = choices.text.table
        self._names: tuple[str, ...] = ()

    def survey(self, choices: Choices, shards: Sequence[Shard], ask: Ask) -> None:
        """Decide the kind of each column by all its values."""
        with shards[0].pieces[0].open() as table:
            self._names = tuple(feature_columns(table, self.settings))
        survey = KindSurvey(self._names, self.settings)
        found = survey.merged(ask(Columns(survey)))
        if survey.needs_another_pass(found):
            found = survey.merged(ask(Columns(survey)))
        self.kinds = survey.decide(found)

    def choose(self, choices: Choices, shards: Sequence[Shard], kept: Kept) -> Chosen:
        """Choose the features of texts by the first rows."""
        assert choices.text is not None  # of tables
        head, made = self._head(shards, kept), choices.text.of_vectorizer
        self.vectorizer = TableVectorizer.of_kinds(self.kinds, self.settings, made, head)
        return {}

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

    def measure(self, choices: Choices, ask: Ask) -> None:
        """Learn means, deviations, categories and terms."""
        blocks, found = self.vectorizer.blocks, ask(Seen())
        for k, block in enumerate(blocks):
            parts = [seen[k] for seen in found]
            if block.kind == "number":
                _join(block, parts).take_mean()
            elif block.kind == "category":
                for part in parts:
                    block.meet(part)
            else:
                try:
                    block.vectorizer = fit_terms(block.vectorizer, parts)
                except InputError as error:  # of limits that leave this column no term
                    raise error.replaced(where=f"column {block.name!r}") from None
        numbers = [k for k, block in enumerate(blocks) if block.kind == "number"]
        if numbers:
            apart = ask(Deviations())
            for k in numbers:
                sums = _join(blocks[k], [seen[k] for seen in found])
                sums.merge(_join(blocks[k], [each[k] for each in apart]))
                sums.take_deviation()
        # Its list of texts is made with it.
        self.vectorizer = TableVectorizer(self.vectorizer.names, blocks, self.vectorizer.settings)
        self.vectorizer.place_blocks()

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

    def answer(self, question: Any, number: int, found: ShardRows) -> Any:
        """Look at the columns of a shard."""
        examples: Any = found.examples
        if isinstance(question, Columns):
            return question.survey.condense(question.survey.look(examples))
        table, blocks = self.vectorizer.table(examples), self.vectorizer.blocks
        columns = [
            block.read(v, table.place) for block, v in zip(blocks, table.columns, strict=True)
        ]
        if isinstance(question, Deviations):
            return [_add_squares(block, own) for block, own in zip(blocks, columns, strict=True)]
        return [_see(block, own, number) for block, own in zip(blocks, columns, strict=True)]

    def keys(self, examples: Any, of_model: bool) -> Sequence[str | bytes] | None:
        """Return keys of the rows, or of the columns that a model has."""
        return super().keys(self.vectorizer.table(examples) if of_model else examples, of_model)

    @property
    def n_columns(self) -> int:
        """Columns of all blocks."""
        return int(self.vectorizer.n_columns_)

    def rows(self, examples: Any, bias: float) -> tuple[Any, int]:
        """Return rows of a table as rows of the engine."""
        found = self.vectorizer.rows(examples)
        return rows_of(found, bias, "texts"), size_of(found.indptr, found.indices, found.data)

    @property
    def of_model(self) -> dict[str, Any]:
        """The vectorizer."""
        return {"fitted_vectorizer": self.vectorizer}

    def restore(self, model: Any, stored: dict[str, Any]) -> None:
        """Take the vectorizer of a model."""
        self.vectorizer = model.vectorizer
        self._names = self.vectorizer.names


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


def _see(block: Any, own: Any, number: int) -> Any:
    """Return what a shard has in a column."""
    if block.kind == "category":
        return [] if block.bits is not None else list(dict.fromkeys(own))
    if block.kind == "text":
        return count_terms(block.vectorizer, own, number)
    sums = NumberSums(None)
    sums.add(own)
    return sums


def _add_squares(block: Any, own: Any) -> NumberSums | None:
    if block.kind != "number":
        return None
    sums = NumberSums(block)
    sums.add_squares(own)
    sums.block = None  # it need not travel
    return sums


def _join(block: Any, parts: list[Any]) -> NumberSums:
    whole = NumberSums(block)
    for part in parts:
        whole.merge(part)
    return whole


def feature_columns(table: Table, settings: TableSettings) -> list[str]:
    """Return the columns of a table but its label, which must not be one that was named."""
    label = table.layout.label
    columns = list(table.columns)
    name = columns[label] if isinstance(label, int) else label
    named = [one for one, kind in settings.named.items() if kind != "drop"]
    if name in named:
        raise ColumnError(
            f"column {name!r} is the label, and cannot be learnt from too", where=table.source.name
        )
    twins = [one for one in columns if columns.count(one) > 1]
    if twins:
        raise ColumnError(
            f"{plural(columns.count(twins[0]), 'column')} are called {twins[0]!r}",
            where=table.source.name,
            fix="give each column a name of its own",
        )
    return [one for one in columns if one != name]
