"""Files of numbers, some rows at a time, for those that do not fit into memory."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.exceptions import DataFormatError
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.files import check_paths
from hardlimit.readers.numbers import (
    LoadOptions,
    Numbers,
    by_column,
    detect_by_content,
    detect_by_extension,
    numeric_formats,
    refuse_sets,
)
from hardlimit.readers.opening import STANDARD_INPUT


def read_blocks(
    paths: Sequence[str], format: str | None = None, **settings: Any
) -> Iterator[tuple[str, Numbers]]:
    """Yield the path of a file and some of its rows, file after file, in their order.

    A format that can only be read whole gives all its rows at once; notes come with the last rows
    of a file. Columns with names are those of the first file.

    Parameters
    ----------
    paths : files, or ``-``
    format, settings : as `load_numbers` takes them

    Raises
    ------
    FileError, ColumnError, DataFormatError
        As `load_numbers`; also while iterating.
    """
    check_paths(paths)
    columns = settings["label_columns"] = tuple(settings.get("label_columns", ()))
    drop = (*map(str, settings.get("drop", ())), *columns[:-1])
    settings["drop"] = tuple(dict.fromkeys(drop))
    if columns:
        settings["label"] = columns[-1]
    options = LoadOptions(**settings)
    for path in paths:
        for numbers in _read_file(path, format, options):
            yield path, numbers
            if options.columns is None and numbers.header:
                names = tuple(map(str, numbers.columns))
                options = replace(options, columns=names, label=numbers.label)
            if options.zero_based is None and numbers.is_sparse:
                options = replace(options, zero_based=numbers.zero_based)


def _read_by_column(path: str, format: str, options: LoadOptions) -> Iterator[Numbers]:
    """Read a file once for each column of labels, all at the same time, by the same blocks."""
    for found in itertools.zip_longest(
        *(_read_file(path, format, own) for own in by_column(options))
    ):
        lines = [None if one is None else list(one.lines) for one in found]
        if any(one != lines[0] for one in lines):
            raise DataFormatError(
                "a row that lacks a value in one column of labels has one in another",
                where=path,
                fix="fill it in, or remove the row",
            )
        columns = tuple(one.y for one in found)
        yield replace(found[-1], label_columns=columns)


def streams(path: str, format: str | None) -> bool:
    """Whether a file of numbers is read some rows at a time, by its format or its name."""
    name = format or detect_by_extension(path)
    return name is None or numeric_formats()[name].blocks is not None


def _read_file(path: str, format: str | None, options: LoadOptions) -> Iterator[Numbers]:
    promised = format or (None if path == STANDARD_INPUT else detect_by_extension(path))
    known = None if promised is None else numeric_formats()[promised]
    if promised is not None:
        refuse_sets(promised, options)
        if options.label_columns and not numeric_formats()[promised].label_columns:
            yield from _read_by_column(path, promised, options)
            return
    if known is not None and known.takes_path:
        parts = known.blocks or (lambda *given: iter([known.load(*given)]))
        for numbers in parts(path, options):
            yield replace(numbers, format=known.name)
        return
    with TextSource(path, max_line=options.max_line) as source:
        source.skip_bad = options.skip_bad
        name = promised or detect_by_content(source)
        refuse_sets(name, options)
        found = numeric_formats()[name]
        if found.blocks is None:
            yield replace(found.load(source, options), format=name)
            return
        last: Numbers | None = None
        for numbers in found.blocks(source, options):
            if last is not None:
                yield last
            last = replace(numbers, format=name)
        if last is not None:
            yield replace(last, notes=(*last.notes, *source.bad_notes()))
