"""Opening Parquet and Arrow: columns with their kinds, and batches one after the other.

pyarrow is imported when a file is opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from hardlimit.exceptions import DataFormatError, FileError, HardlimitError, MissingExtraError
from hardlimit.foundation import storage

BATCH_ROWS = 1024
_FILE, _OLD_FEATHER = b"ARROW1", b"FEA1"


@dataclass
class Opened:
    """An open file: its columns and their kinds, and its batches, which come once.

    kinds : "text", "number", "boolean", "list" of these, or "other" for what is left out.
    """

    names: list[str]
    kinds: list[str]
    batches: Callable[[list[str]], Iterator[Any]]
    schema: Any = None


Open = Callable[[str], Opened]


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


def kinds_of(schema: Any) -> list[str]:
    """Return what the columns of a schema hold."""
    types = import_arrow("").types

    def kind(type: Any) -> str:
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
    try:
        yield
    except FileNotFoundError:
        raise FileError("no such file", where=name) from None
    except (import_arrow(name).ArrowException, OSError, ValueError, MemoryError) as error:
        if isinstance(error, HardlimitError):
            raise
        reason = " ".join(str(error).split())[:200]
        raise DataFormatError(f"damaged, or of another kind: {reason}", where=name) from None


def open_parquet(path: str, groups: Sequence[int] | None = None) -> Opened:
    """Open a Parquet file, which is read by row groups: all, or those of these numbers."""
    file = import_arrow(path, "pyarrow.parquet").ParquetFile(storage.path_or_file(path))
    schema = file.schema_arrow

    def batches(names: list[str]) -> Iterator[Any]:
        with file:
            yield from file.iter_batches(BATCH_ROWS, row_groups=groups, columns=names)

    return Opened(list(schema.names), kinds_of(schema), batches, schema)


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


def open_arrow(path: str) -> Opened:
    """Open an Arrow file, an Arrow stream or a Feather file; files are memory-mapped."""
    arrow, ipc = import_arrow(path), import_arrow(path, "pyarrow.ipc")
    with storage.open_seekable(path) as begun:
        magic = begun.read(len(_FILE))
    if magic.startswith(_OLD_FEATHER):
        table = import_arrow(path, "pyarrow.feather").read_table(storage.path_or_file(path))
        return Opened(
            list(table.schema.names),
            kinds_of(table.schema),
            lambda names: iter(table.select(names).to_batches()),
            table.schema,
        )
    is_file = magic == _FILE
    reader = (ipc.open_file if is_file else ipc.open_stream)(
        arrow.PythonFile(storage.open_seekable(path), "r")
        if storage.is_remote(path)
        else arrow.memory_map(storage.local_path(path))
    )
    schema = reader.schema

    def batches(names: list[str]) -> Iterator[Any]:
        found = map(reader.get_batch, range(reader.num_record_batches)) if is_file else reader
        for batch in found:
            batch.validate(full=True)  # offsets that lie would be read outside of the file
            yield batch.select(names)

    return Opened(list(schema.names), kinds_of(schema), batches, schema)
