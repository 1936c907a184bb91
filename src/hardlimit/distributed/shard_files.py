"""Answering a shard: a pure function of the model, of what is asked, and of a recipe.

The rows of a shard become one file. It is written under another name, flushed and renamed, so that
there is the whole of it or nothing, whoever writes it and however often. Parquet has the columns of
the input as they are, then ours. No time stands in it: the same rows give the same bytes with the
same version of Arrow.
"""

from __future__ import annotations

import hashlib
import json
import pickle
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hardlimit.distributed.engines import Part
from hardlimit.distributed.opened_models import open_model
from hardlimit.distributed.shard_answers import AnswerOrder, ShardAnswers, ValuedRows, Written
from hardlimit.foundation import storage
from hardlimit.foundation.atomic_file import replacing
from hardlimit.foundation.formatting import format_label, label_to_json
from hardlimit.predictions.answerers import Answerer
from hardlimit.predictions.showing import Showing, WantedColumns
from hardlimit.readers.arrow_files import import_arrow
from hardlimit.readers.rows import in_batches
from hardlimit.readers.writing import encode_rows, find_free_names
from hardlimit.sources.pieces import Piece, Shard

if TYPE_CHECKING:
    from types import ModuleType

    from pyarrow import Schema

GROUP_ROWS = 1 << 16
GROUP_BYTES = 1 << 26
BATCH_ROWS = 1 << 12
_WRITTEN = {"compression": "zstd", "write_page_checksum": True}


class ShardToAnswer(NamedTuple):
    """A shard whose rows are to be answered, and the file that they become."""

    shard: Shard
    path: str = ""


def score_shard(parts: tuple[Part, ...], question: ShardToAnswer) -> Written:
    """Answer the rows of a shard, and write them where that is asked."""
    asked: AnswerOrder = pickle.loads(parts[1].data)
    answers = ShardAnswers(open_model(parts[0]), asked)
    if not asked.format:
        _gather(answers, asked, question.shard)
        return answers.found
    with replacing(question.path) as temporary:
        if asked.format == "jsonl":
            _write_lines(answers, asked, question.shard, temporary)
        else:
            write_table(answers, asked, question.shard, temporary)
        answers.found.size, answers.found.digest = digest_of(temporary)
    return answers.found


def _gather(answers: ShardAnswers, asked: AnswerOrder, shard: Shard) -> None:
    found = answers.found.columns = [list[Any]() for _ in asked.names]
    for piece in shard.pieces:
        for _, rows in answers.of_piece(piece):
            for _, values in rows:
                for column, value in zip(found, values, strict=True):
                    column.append(value)


def _write_lines(answers: ShardAnswers, asked: AnswerOrder, shard: Shard, path: str) -> None:
    with open(path, "wb") as file:
        for piece in shard.pieces:
            for table, rows in answers.of_piece(piece):
                for line in encode_rows(table, "jsonl", asked.names, rows):
                    file.write(line.encode("utf-8", "replace"))


def digest_of(path: str) -> tuple[int, str]:
    """Return the bytes of a file and their SHA-256."""
    with storage.open_seekable(path) as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
        return file.tell(), digest


def to_json(value: object) -> bytes:
    """Return JSON that is the same bytes for the same value."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def make_schema(
    first: Piece, names: Sequence[str], answerer: Answerer, showing: Showing, wanted: WantedColumns
) -> bytes:
    """Return the schema of all parts: the columns of the first file, then ours by these names."""
    arrow = import_arrow(first.path)
    if first.is_columnar:
        fields = [field.remove_metadata() for field in first.open_columns().schema]
    else:
        fields = [arrow.field(name, arrow.string()) for name in find_free_names((), first.columns)]
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
    join = partial(_beside if piece.is_columnar else _of_fields, schema=schema, n_before=n_before)
    for _, rows in answers.of_piece(piece):
        yield from join(piece, rows)


def _of_fields(piece: Piece, rows: ValuedRows, schema: Schema, n_before: int) -> Iterator[Any]:
    """Yield batches of rows whose fields are texts."""
    for some in in_batches(rows, BATCH_ROWS, lambda pair: pair[0].size):
        before: list[Any] = list(zip(*(row.fields for row, _ in some), strict=True))
        yield _make_batch(schema, before, [values for _, values in some], n_before)


def _beside(piece: Piece, rows: ValuedRows, schema: Schema, n_before: int) -> Iterator[Any]:
    """Yield the batches of a file with the answers beside them."""
    opened, begin, pending = piece.open_columns(), 0, next(rows, None)
    for batch in opened.batches(opened.names):
        some: list[tuple[Any, list[Any]]] = []
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
