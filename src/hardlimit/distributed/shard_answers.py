"""The answers to the rows of a shard, and what there is to say of them."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hardlimit.foundation import progress
from hardlimit.predictions.answered import BATCH_ROWS, AnsweredRows
from hardlimit.predictions.answerers import Answerer, with_threshold
from hardlimit.predictions.columns import AnswerColumns
from hardlimit.predictions.showing import Showing, WantedColumns
from hardlimit.readers import Row, Table
from hardlimit.readers.file_notes import FileNotes
from hardlimit.sources.pieces import Piece

# Rows, each with the values that stand beside it.
ValuedRows = Iterator[tuple[Row, list[Any]]]
MOST_NOTES = 20


@dataclass(frozen=True)
class AnswerOrder:
    """What is asked of all shards.

    names : of the columns of the answers, beside those of the input.    format : of the files that
    are written, empty where the answers come back.    schema : of Parquet, as Arrow packs it.
    """

    wanted: WantedColumns
    names: tuple[str, ...]
    format: str = ""
    schema: bytes = b""

    def packed(self) -> bytes:
        """Return it as bytes, for workers of this package."""
        return pickle.dumps(self, protocol=5)


@dataclass
class Written:
    """The file of a shard: rows, bytes and SHA-256; what there is to say of its rows.

    unknown : rows whose terms the model does not know.    categories : those that training did not
    see, by column.    columns : the answers, where they come back.
    """

    rows: int = 0
    size: int = 0
    digest: str = ""
    unknown: int = 0
    categories: Counter[tuple[str, str]] = field(default_factory=Counter)
    notes: list[FileNotes] = field(default_factory=list)
    columns: list[list[Any]] = field(default_factory=list)


class ShardAnswers:
    """The answers to the rows of a shard, piece by piece, and what is to be said of them."""

    def __init__(self, answerer: Answerer, asked: AnswerOrder) -> None:
        answerer = with_threshold(answerer, asked.wanted.threshold)
        self._answerer = answerer
        self._showing = Showing(answerer, asked.wanted)
        self._columns = AnswerColumns(answerer, self._showing, asked.wanted)
        self.found = Written()
        answerer.unknown = self.found.categories

    def of_piece(self, piece: Piece) -> Iterator[tuple[Table, ValuedRows]]:
        """Yield the table of a piece, and its rows with the values beside them."""
        gathering = self._answerer.form.gathering
        with piece.opened(gathering, BATCH_ROWS, keep=True) as (table, batches):
            answered = AnsweredRows(self._answerer, self._showing, table, batches=batches)
            yield table, self._values(answered)
            self.found.rows += answered.total
            self.found.unknown += answered.unknown
            if len(self.found.notes) < MOST_NOTES:
                self.found.notes += [one for one in table.counted() if one.sentences()]

    def _values(self, answered: AnsweredRows) -> ValuedRows:
        """Yield the rows with the values beside them."""
        for row, shown in answered:
            # Work that nobody waits for any more ends where it reports.
            if answered.total % BATCH_ROWS == 1:
                progress.report("predicting", self.found.rows + answered.total, 0, "rows")
            yield row, self._columns.values(shown)
