"""Opening Parquet and Arrow: columns with their kinds, and batches one after the other.

pyarrow is imported when a file is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from hardlimit.exceptions import DataFormatError, FileError, HardlimitError, MissingExtraError
from hardlimit.foundation import memory, storage
from hardlimit.readers.arrow_messages import Messages
from hardlimit.readers.arrow_slices import cut
from hardlimit.readers.opening import MAX_LINE
from hardlimit.readers.parquet_groups import read_groups, refuse_unpacked

if TYPE_CHECKING:
    from pyarrow import DataType, RecordBatch, Schema
    from pyarrow.ipc import RecordBatchFileReader, RecordBatchStreamReader


_FILE, _OLD_FEATHER = b"ARROW1", b"FEA1"


class Batches(Protocol):
    """What gives columns of a file in batches, bounded in rows and in bytes.

    most : the longest row in bytes; a longer one is refused.
    """

    def __call__(self, names: list[str], most: int = MAX_LINE) -> Iterator[Any]:
        """Yield the batches of these columns."""


@dataclass
class OpenedArrow:
    """An open file: its columns and their kinds, and its batches, which come once.

    kinds : "text", "number", "boolean", "list" of these, or "other" for what is left out.
    """

    names: list[str]
    kinds: list[str]
    batches: Batches
    schema: Any = None


Open = Callable[[str], OpenedArrow]


def import_arrow(name: str, module: str = "pyarrow") -> Any:
    """Import a module of pyarrow, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(
            "Parquet and Arrow want the package pyarrow",
            where=name,
            fix="pip install 'hardlimit[arrow]'",
        ) from None


def kinds_of(schema: Schema) -> list[str]:
    """Return what the columns of a schema hold."""
    types = import_arrow("").types

    def kind(type: DataType) -> str:
        if types.is_dictionary(type):
            type = type.value_type
        if types.is_string(type) or types.is_large_string(type):
            return "text"
        if types.is_boolean(type):
            return "boolean"
        if types.is_list(type) or types.is_large_list(type):
            return "list" if kind(type.value_type) in ("text", "number", "boolean") else "other"
        return "number" if types.is_integer(type) or types.is_floating(type) else "other"

    return [kind(type) for type in schema.types]


@contextmanager
def arrow_errors(name: str) -> Iterator[None]:
    """Turn what pyarrow raises on a broken file into our error."""
    # looked up before: a reader that is left at the end of Python can import nothing more
    expected = (import_arrow(name).ArrowException, OSError, ValueError, MemoryError)
    try:
        yield
    except FileNotFoundError:
        raise FileError("no such file", where=name) from None
    except expected as error:
        if isinstance(error, HardlimitError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise DataFormatError(f"damaged, or of another kind: {reason}", where=name) from None


def open_parquet(path: str, groups: Sequence[int] | None = None) -> OpenedArrow:
    """Open a Parquet file, which is read by row groups: all, or those of these numbers."""
    parquet = import_arrow(path, "pyarrow.parquet")
    with storage.open_seekable(path) as begun:
        file = parquet.ParquetFile(begun)
        metadata, schema = file.metadata, file.schema_arrow
    kinds = kinds_of(schema)

    def batches(names: list[str], most: int = MAX_LINE) -> Iterator[Any]:
        lists = [name for name in names if kinds[schema.names.index(name)] == "list"]
        with storage.open_seekable(path) as file:
            for batch in read_groups(file, path, metadata, groups, names, lists, most):
                yield _decode(batch, schema)

    return OpenedArrow(list(schema.names), kinds, batches, schema)


def _decode(batch: RecordBatch, schema: Schema) -> Any:
    """Return a batch whose columns are of the types of the file, without codes."""
    types = [schema.field(name).type for name in batch.schema.names]
    if types == batch.schema.types:
        return batch
    columns = [one.cast(type) for one, type in zip(batch.columns, types, strict=True)]
    return import_arrow("").RecordBatch.from_arrays(columns, batch.schema.names)


def begins_of_groups(path: str) -> list[int]:
    """Return where each row group of a Parquet file begins, in bytes."""
    with arrow_errors(path):
        found = import_arrow(path, "pyarrow.parquet").read_metadata(storage.path_or_file(path))
        groups = [found.row_group(number) for number in range(found.num_row_groups)]
        return [
            min(
                chunk.dictionary_page_offset or chunk.data_page_offset
                for chunk in map(group.column, range(group.num_columns))
            )
            for group in groups
        ]


def open_arrow(path: str) -> OpenedArrow:
    """Open an Arrow file, an Arrow stream or a Feather file; files are memory-mapped."""
    arrow, ipc = import_arrow(path), import_arrow(path, "pyarrow.ipc")
    with storage.open_seekable(path) as begun:
        magic = begun.read(len(_FILE))
    if magic.startswith(_OLD_FEATHER):
        table = import_arrow(path, "pyarrow.feather").read_table(storage.path_or_file(path))

        def old_batches(names: list[str], most: int = MAX_LINE) -> Iterator[Any]:
            return cut(table.select(names).to_batches(), path, most)

        schema = table.schema
        return OpenedArrow(list(schema.names), kinds_of(schema), old_batches, schema)
    is_file = magic == _FILE
    reader = (ipc.open_file if is_file else ipc.open_stream)(
        arrow.PythonFile(storage.open_seekable(path), "r")
        if storage.is_remote(path)
        else arrow.memory_map(storage.local_path(path))
    )
    schema = reader.schema

    def batches(names: list[str], most: int = MAX_LINE) -> Iterator[Any]:
        with storage.open_seekable(path) as file:
            read = _read_file if is_file else _read_stream
            found = (batch.select(names) for batch in read(reader, file, path, most))
            yield from cut(found, path, most)

    return OpenedArrow(list(schema.names), kinds_of(schema), batches, schema)


def _read_file(
    reader: RecordBatchFileReader, file: BinaryIO, name: str, most: int
) -> Iterator[Any]:
    messages = Messages(file, name)
    dictionaries, blocks = messages.list_blocks()
    known = sum(map(messages.size_at, dictionaries))
    for number in range(reader.num_record_batches):
        size = messages.size_at(blocks[number]) if number < len(blocks) else 0
        _refuse(known + size, name, most)
        yield _checked(reader.get_batch(number))


def _read_stream(
    reader: RecordBatchStreamReader, file: BinaryIO, name: str, most: int
) -> Iterator[Any]:
    messages = Messages(file, name)
    while True:
        _refuse(messages.next_batch(), name, most)
        try:
            batch = reader.read_next_batch()
        except StopIteration:
            return
        yield _checked(batch)


def _refuse(size: int, name: str, most: int) -> None:
    """Refuse a batch that unpacks to too much."""
    refuse_unpacked(size, f"{name}: a batch", most)
    memory.require(size, f"{name}: a batch", "write it in smaller batches")


def _checked(batch: RecordBatch) -> Any:
    batch.validate(full=True)  # offsets that lie would be read outside of the file
    return batch
