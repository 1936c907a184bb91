"""Rows of numbers of a shard, for a model that answers them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from hardlimit.examples import dense
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import InputError, Setting
from hardlimit.predictions.answerers import Answerer, answer_blocks
from hardlimit.predictions.label_answers import RowAnswer
from hardlimit.readers import Layout, Row, Table, arrow_files, arrow_numbers
from hardlimit.readers.decoding import Source
from hardlimit.readers.numbers import check_columns
from hardlimit.sources.numeric_pieces import NumericPiece
from hardlimit.sources.pieces import Piece

COLUMNAR = ("numeric-parquet", "numeric-arrow")


class NumberRows(NamedTuple):
    """Rows, their labels as they stand in the file, and the rows as they were."""

    X: Any
    labels: list[Any]
    rows: list[Row]


def read_numbers(piece: NumericPiece, answerer: Answerer) -> NumberRows:
    """Read the rows of a piece, as wide as the model wants them."""
    if piece.head is not None:
        X, labels, records = piece.read_csv(piece.head)
        rows = [Row(line, "", None, tuple(fields)) for line, fields in records]
        return NumberRows(dense.read_numbers(X), labels, rows)
    if piece.format == "numeric-parquet" and not piece.labels:
        groups = None if piece.group is None else [piece.group]
        opened = partial(arrow_files.open_parquet, groups=groups)
        (found,) = arrow_numbers.read(piece.path, piece.options, True, opened)
        labels = [] if found.y is None else found.y.tolist()
        return NumberRows(
            dense.read_numbers(found.X), labels, [Row(line, "", None, ()) for line in found.lines]
        )
    loaded = piece.load()
    X, n = loaded.X, len(loaded.X)
    if isinstance(X, Csr):
        wanted = answerer.classifier.n_features_in_  # type: ignore[union-attr]
        check_columns(piece.path, X.n_columns, wanted)
        X = X.widened(wanted)
    return NumberRows(X, loaded.labels, [Row(place, "", None, ()) for place in range(1, n + 1)])


def table_of(piece: NumericPiece) -> Table:
    """Return the table that the rows are of, without them."""
    layout = Layout(format="csv", header=True)
    source = Source(piece.path)
    return Table(source, layout, columns_of(piece), lambda _: iter(()), need_label=False)


def columns_of(piece: Piece) -> tuple[str, ...]:
    """Return the columns of a piece as it stands in its file; none where they have no names."""
    if not isinstance(piece, NumericPiece):
        return piece.names
    return () if piece.head is None else tuple(piece.head.names)


def is_columnar(piece: Piece) -> bool:
    """Tell Parquet and Arrow, whose columns have types."""
    if isinstance(piece, NumericPiece):
        return piece.format in COLUMNAR
    return piece.layout.format in ("parquet", "arrow")


def check_settings(settings: Mapping[str, Any], pieces: list[Any]) -> None:
    """Refuse sparse rows of which only all files together say from where they count."""
    for piece in pieces:
        if piece.format == "svmlight" and settings.get("zero_based") is None:
            raise InputError(
                "whether indices count from 0 or from 1 is told by all rows, which no shard sees",
                where=piece.path,
                fix=("say ", Setting("zero_based", False)),
            )


def blocks_of(answerer: Answerer, found: NumberRows) -> Iterator[tuple[list[RowAnswer], int]]:
    """Yield answers, some at a time, and the place of the first of them."""
    place = 0
    for answers in answer_blocks(answerer, found.X):
        yield answers, place
        place += len(answers)
