"""Files of numbers: one whole, several as one matrix, or rows some at a time."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from hardlimit.exceptions import DataFormatError, FileError, InputError
from hardlimit.foundation import storage
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
from hardlimit.readers.opening import MAX_LINE, STANDARD_INPUT, missing_file_error
from hardlimit.readers.stacking import load_several


def load_numbers(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    label: str | int | None = None,
    format: str | None = None,
    *,
    n_features: int | None = None,
    zero_based: bool | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    columns: Sequence[str] | None = None,
    place: int | None = None,
    need_label: bool = True,
    drop: Sequence[str] = (),
    max_line: int = MAX_LINE,
    skip_bad: bool = False,
    labels_separator: str | None = None,
    label_columns: Sequence[str] = (),
) -> Numbers:
    r"""Load a feature matrix with its targets.

    Parameters
    ----------
    path
        A file, plain or compressed, or its URI (``s3://``, ``https://``, ...), or ``-``. Of a list
        of files the rows stand under each other, with the columns of the first.
    label
        Numeric CSV: the target's column by name or number from 0; default the last.
    format
        "svmlight" or "numeric-csv"; default: detected by extension and content.
    n_features
        Number of feature columns (a test file takes its training file's); svmlight: default the
        largest index found.
    zero_based
        svmlight: whether indices count from 0; default: they do if a 0 occurs.
    header, delimiter
        Numeric CSV; default: detected by content.
    columns
        Numeric CSV with a header: the names of the features, in the order that is wanted; no other
        column may be there, but the target's.
    place
        Numeric CSV: the number of the target's column where the file holds no names.
    drop
        Numeric CSV: columns to leave out, by name or number; they may hold anything.
    need_label
        False: targets may be missing (``y`` is then None).
    max_line
        The longest line that is read, in bytes; a longer one is refused.
    skip_bad
        Whether rows that break the format are left out; ``notes`` has their count and the first
        ten reasons.
    labels_separator
        svmlight: what stands between the labels of a row that has several, such as ``","``; ``y``
        then holds tuples, which :meth:`LinearClassifier.fit` takes.
    label_columns
        Tables: the columns of labels, where a row has several; the attribute of this name then has
        the values of each. They are left out of ``X``; ``label`` need not be given.

    Returns
    -------
    Numbers
        O(file) time; memory 12 bytes a non-zero or 8 a cell.

    Raises
    ------
    FileError
        The path cannot be read.
    ColumnError
        The target's column is not there.
    DataFormatError
        The file breaks its format, or holds NaN or infinity; with ``file:line`` and column.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "or.svm")
    >>> _ = file.write_text("-1\n+1 1:1\n+1 2:1\n+1 1:1 2:1\n")
    >>> numbers = load_numbers(file)
    >>> numbers.X.shape, numbers.y.tolist(), numbers.X.indices.tolist()
    ((4, 2), [-1, 1, 1, 1], [0, 1, 0, 1])
    """
    known = numeric_formats()
    if format is not None and format not in known:
        raise InputError(parameter="format", got=format, wanted=f"one of {', '.join(known)}")
    options = LoadOptions.of(
        label=label,
        n_features=n_features,
        zero_based=zero_based,
        header=header,
        delimiter=delimiter,
        columns=columns,
        place=place,
        need_label=need_label,
        drop=drop,
        max_line=max_line,
        skip_bad=skip_bad,
        labels_separator=labels_separator,
        label_columns=label_columns,
    )
    if isinstance(path, str | os.PathLike):
        return load_file(os.fspath(path), format, options)
    paths = [os.fspath(one) for one in path]
    check_paths(paths)
    return load_several(paths, options, lambda path, own: load_file(path, format, own))


def load_file(path: str, format: str | None, options: LoadOptions) -> Numbers:
    """Load one file whole."""
    (found,) = read_file(path, format, options, whole=True)
    return found


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
    options = LoadOptions.of(**settings)
    for path in paths:
        for numbers in read_file(path, format, options, whole=False):
            yield path, numbers
            if options.columns is None and numbers.header:
                names = tuple(map(str, numbers.columns))
                options = replace(options, columns=names, label=numbers.label)
            if options.zero_based is None and numbers.is_sparse:
                options = replace(options, zero_based=numbers.zero_based)


def streams(path: str, format: str | None) -> bool:
    """Whether a file of numbers is read some rows at a time, by its format or its name."""
    name = format or detect_by_extension(path)
    return name is None or numeric_formats()[name].streams


def read_file(
    path: str, format: str | None, options: LoadOptions, *, whole: bool
) -> Iterator[Numbers]:
    """Yield the rows of one file, all at once or some at a time; notes come with the last."""
    name = format or detect_by_extension(path)
    known = None if name is None else numeric_formats()[name]
    if known is not None:
        refuse_sets(known, options)
        if options.label_columns and not known.label_columns:
            yield from _read_by_column(path, known.name, options, whole)
            return
        if known.takes_path:
            if path == STANDARD_INPUT:
                raise FileError(f"the format {name!r} is read from a file", where="<stdin>")
            if not storage.exists(path):
                raise missing_file_error(path)
            yield from _named(known.read(path, options, whole), known.name, list)
            return
    with TextSource(path, max_line=options.max_line) as source:
        source.skip_bad = options.skip_bad
        if known is None:
            # the content last: it is all that standard input and names without an extension have
            known = numeric_formats()[detect_by_content(source)]
            refuse_sets(known, options)
        yield from _named(known.read(source, options, whole), known.name, source.notes)


def _named(
    parts: Iterator[Numbers], format: str, notes: Callable[[], list[str]]
) -> Iterator[Numbers]:
    """Yield the parts with the name of their format, the last with further notes."""
    last = next(parts, None)
    for part in parts:
        if last is not None:
            yield replace(last, format=format)
        last = part
    if last is not None:
        yield replace(last, format=format, notes=(*last.notes, *notes()))


def _read_by_column(path: str, format: str, options: LoadOptions, whole: bool) -> Iterator[Numbers]:
    """Read a file once for each column of labels, all at the same time, by the same blocks."""
    every = [read_file(path, format, own, whole=whole) for own in by_column(options)]
    for found in itertools.zip_longest(*every):
        lines = [None if one is None else list(one.lines) for one in found]
        if any(one != lines[0] for one in lines):
            raise DataFormatError(
                "a row that lacks a value in one column of labels has one in another",
                where=path,
                fix="fill it in, or remove the row",
            )
        columns = tuple(one.y for one in found)
        yield replace(found[-1], label_columns=() if any(y is None for y in columns) else columns)
