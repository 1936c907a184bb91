"""Files of numbers, whole: one, or several as one matrix."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from hardlimit.exceptions import FileError, InputError
from hardlimit.foundation import storage
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numbers import (
    LoadOptions,
    Numbers,
    by_column,
    detect_by_content,
    detect_by_extension,
    numeric_formats,
    refuse_sets,
)
from hardlimit.readers.opening import (
    MAX_LINE,
    STANDARD_INPUT,
    missing_file_error,
)


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
    names = None if columns is None else tuple(columns)
    if label_columns:
        label = label_columns[-1]
        drop = tuple(dict.fromkeys((*map(str, drop), *label_columns[:-1])))
    options = LoadOptions(
        label,
        n_features,
        zero_based,
        header,
        delimiter,
        names,
        place,
        need_label,
        tuple(map(str, drop)),
        max_line,
        skip_bad,
        labels_separator,
        tuple(label_columns),
    )

    def load(path: str, options: LoadOptions) -> Numbers:
        return _load_file(path, format, options)

    if isinstance(path, str | os.PathLike):
        return load(os.fspath(path), options)
    from hardlimit.readers import files, stacking  # these import this module

    paths = [os.fspath(one) for one in path]
    files.check_paths(paths)
    return stacking.load_several(paths, options, load)


def _load_file(path: str, format: str | None, options: LoadOptions) -> Numbers:
    promised = format or detect_by_extension(path)
    if promised is not None:
        refuse_sets(promised, options)
        if options.label_columns and not numeric_formats()[promised].label_columns:
            return _load_by_column(path, promised, options)
    if promised is not None and (known := numeric_formats()[promised]).takes_path:
        if path == STANDARD_INPUT:
            raise FileError(f"the format {promised!r} is read from a file", where="<stdin>")
        if not storage.exists(path):
            raise missing_file_error(path)
        return replace(known.load(path, options), format=promised)
    with TextSource(path, max_line=options.max_line) as source:
        source.skip_bad = options.skip_bad
        # the content last: it is all that standard input and names without an extension have
        name = promised or detect_by_content(source)
        refuse_sets(name, options)
        return replace(numeric_formats()[name].load(source, options), format=name)


def _load_by_column(path: str, format: str, options: LoadOptions) -> Numbers:
    """Load a file once for each column of labels, where its format reads one at a time."""
    found = [_load_file(path, format, own) for own in by_column(options)]
    columns = tuple(one.y for one in found if one.y is not None)
    return replace(found[-1], label_columns=columns if len(columns) == len(found) else ())
