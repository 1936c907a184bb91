"""Parquet of rows and their answers: the columns of the input as they are, then ours.

No time stands in the file: the same rows give the same bytes with the same version of Arrow.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from hardlimit.distributed.number_rows import columns_of, is_columnar
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.showing import Showing, WantedColumns
from hardlimit.readers import Row, arrow_files
from hardlimit.readers.arrow_files import OpenedArrow, import_arrow
from hardlimit.readers.rows import in_batches
from hardlimit.readers.writing import find_free_names
from hardlimit.sources.pieces import Piece, Shard

if TYPE_CHECKING:
    from types import ModuleType

    from pyarrow import Schema

    from hardlimit.distributed.shard_answers import AnswerOrder, ShardAnswers

GROUP_ROWS = 1 << 16
GROUP_BYTES = 1 << 26
BATCH_ROWS = 1 << 12
_WRITTEN = {"compression": "zstd", "write_page_checksum": True}


def open_columns(piece: Piece) -> OpenedArrow:
    """Open the columns of a piece of Parquet or Arrow, whatever they hold."""
    if piece.layout.format == "arrow" or getattr(piece, "format", "") == "numeric-arrow":
        return arrow_files.open_arrow(piece.path)
    groups = None if piece.group is None else [piece.group]
    return arrow_files.open_parquet(piece.path, groups)


def make_schema(
    first: Piece, names: Sequence[str], answerer: Answerer, showing: Showing, wanted: WantedColumns
) -> bytes:
    """Return the schema of all parts: the columns of the first file, then ours by these names."""
    arrow = import_arrow(first.path)
    if is_columnar(first):
        fields = [field.remove_metadata() for field in open_columns(first).schema]
    else:
        fields = [
            arrow.field(name, arrow.string()) for name in find_free_names((), columns_of(first))
        ]
    labels, number = answerer.labels, arrow.float64()
    columns = labels.values(answerer.classes, wanted.min_probability)
    types = [labels.column_type(arrow, _type_of(arrow, values)) for values in columns]
    types += [number for _ in labels.names_of_scores()]
    if showing.probability:
        types += [number for _ in labels.names_of_probabilities(answerer.classes)]
    places = min(wanted.top or 0, len(answerer.classes))
    types += [_type_of(arrow, answerer.classes), number] * places
    types += [arrow.int64()] * len(answerer.form.counted)
    terms = [_type_of_terms(arrow, answerer)] if wanted.explain is not None else []
    types += [number] * (len(names) - len(types) - len(terms)) + terms
    own = [arrow.field(name, type) for name, type in zip(names, types, strict=True)]
    packed: bytes = arrow.schema([*fields, *own]).serialize().to_pybytes()
    return packed


def _type_of_terms(arrow: ModuleType, answerer: Answerer) -> Any:
    label = answerer.labels.fields_of_terms(_type_of(arrow, answerer.classes))
    fields = [*label, ("term", arrow.string()), ("contribution", arrow.float64())]
    return arrow.list_(arrow.struct(fields))


def _type_of(arrow: ModuleType, values: Sequence[Any]) -> Any:
    """Return the type of a column of these values: text where they are of several kinds."""
    kinds = {type(label_to_json(value)) for value in values}
    types = {bool: arrow.bool_(), int: arrow.int64(), float: arrow.float64()}
    return types.get(kinds.pop(), arrow.string()) if len(kinds) == 1 else arrow.string()


def write_table(answers: ShardAnswers, asked: AnswerOrder, shard: Shard, path: str) -> None:
    """Write the rows of a shard with their answers."""
    arrow, parquet = import_arrow(path), import_arrow(path, "pyarrow.parquet")
    schema = arrow.ipc.read_schema(arrow.py_buffer(asked.schema))
    n_before = len(schema) - len(asked.names)
    waiting: list[Any] = []
    with parquet.ParquetWriter(path, schema, **_WRITTEN) as writer:
        for piece in shard.pieces:
            for batch in _batches_of(answers, piece, schema, n_before):
                waiting.append(batch)
                size = sum(one.nbytes for one in waiting)
                if size >= GROUP_BYTES or sum(one.num_rows for one in waiting) >= GROUP_ROWS:
                    writer.write_table(arrow.Table.from_batches(waiting, schema))
                    waiting = []
        if waiting:
            writer.write_table(arrow.Table.from_batches(waiting, schema))


def _batches_of(
    answers: ShardAnswers, piece: Piece, schema: Schema, n_before: int
) -> Iterator[Any]:
    join = partial(_beside if is_columnar(piece) else _of_fields, schema=schema, n_before=n_before)
    for _, rows in answers.of_piece(piece):
        yield from join(piece, rows)


def _of_fields(
    piece: Piece, rows: Iterator[tuple[Row, list[Any]]], schema: Schema, n_before: int
) -> Iterator[Any]:
    """Yield batches of rows whose fields are texts."""
    for some in in_batches(rows, BATCH_ROWS, lambda pair: pair[0].size):
        before: list[Any] = list(zip(*(row.fields for row, _ in some), strict=True))
        yield _make_batch(schema, before, [values for _, values in some], n_before)


def _beside(
    piece: Piece, rows: Iterator[tuple[Row, list[Any]]], schema: Schema, n_before: int
) -> Iterator[Any]:
    """Yield the batches of a file with the answers beside them."""
    opened, begin, pending = open_columns(piece), 0, next(rows, None)
    for batch in opened.batches(opened.names):
        some: list[tuple[Row, list[Any]]] = []
        # Rows that were left out as bad have no answer.
        while pending is not None and pending[0].line <= begin + batch.num_rows:
            some.append(pending)
            pending = next(rows, None)
        taken = batch
        if len(some) < batch.num_rows:
            taken = batch.take(import_arrow("").array([row.line - begin - 1 for row, _ in some]))
        yield _make_batch(schema, taken.columns, [values for _, values in some], n_before)
        begin += batch.num_rows


def _make_batch(schema: Schema, before: list[Any], values: list[list[Any]], n_before: int) -> Any:
    arrow = import_arrow("")
    arrays = [
        one if isinstance(one, arrow.Array) else arrow.array(one, field.type)
        for one, field in zip(before, schema, strict=False)
    ]
    for place, field in enumerate(list(schema)[n_before:]):
        column = [row[place] for row in values]
        if arrow.types.is_string(field.type):
            column = [one if isinstance(one, str) else format_label(one) for one in column]
        arrays.append(arrow.array(column, field.type))
    return arrow.RecordBatch.from_arrays(arrays, schema=schema)
