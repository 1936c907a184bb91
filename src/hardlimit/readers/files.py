"""Several files of texts as one table, in the order that they are given in.

The columns are those of the first file; each of the others must have that of the text, and that of
the label where it is needed. A file of another format is looked at for the names of the columns
alone. Only one file is open at a time.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.foundation import storage
from hardlimit.readers.file_notes import FileNotes
from hardlimit.readers.layout import Layout
from hardlimit.readers.one_file import open_file
from hardlimit.readers.opening import STANDARD_INPUT, missing_file_error
from hardlimit.readers.registry import detect_by_extension
from hardlimit.readers.rows import Row, Table


class Chain(Table):
    """The rows of several tables, one after the other; ``source`` is the file being read."""

    def __init__(self, paths: Sequence[str], layout: Layout | None, *, need_label: bool) -> None:
        first = open_file(paths[0], layout, need_label=need_label)
        self._asked, self._paths, self._labels = layout, paths[1:], need_label
        self._opened = [first]
        super().__init__(
            first.source,
            first.layout,
            first.columns,
            lambda _: self._read(),
            need_label=need_label,
            delimiter=first.delimiter,
        )

    def _check_rows(self, rows: object) -> Iterator[Row]:
        # each of the tables checks its own
        return self._read()

    def _read(self) -> Iterator[Row]:
        """Give the rows of one file after the other."""
        kind: bool | None = None
        for place in range(len(self._paths) + 1):
            table = self._opened[0] if place == 0 else self._open(self._paths[place - 1])
            self.source, self.columns = table.source, table.columns
            checked = False
            with table:
                for row in table:
                    if not checked and row.label not in (None, ()):
                        checked = True
                        label = row.label[0] if isinstance(row.label, tuple) else row.label
                        is_text = isinstance(label, str)
                        kind = is_text if kind is None else kind
                        if is_text is not kind:
                            raise self._kind_error(row, is_text=is_text)
                    self.rows_read += 1
                    yield row

    def _open(self, path: str) -> Table:
        layout = follow(self.layout, self._asked, path)
        table = open_file(path, layout, need_label=self._labels)
        self._opened.append(table)
        return table

    def _kind_error(self, row: Row, *, is_text: bool) -> DataFormatError:
        kinds = ("numbers", "texts")
        return DataFormatError(
            f"the labels are {kinds[is_text]}, and in {self._opened[0].source.name} they are "
            f"{kinds[not is_text]}, which would be other classes",
            where=f"{self.source.name}:{row.line}",
            fix="give files of one kind",
        )

    def close(self) -> None:
        """Close the file that is open."""
        self._opened[-1].close()

    def counted(self) -> list[FileNotes]:
        """Return what was met in all files read so far."""
        return [found for table in self._opened for found in table.counted()]


def open_several(paths: Sequence[str], layout: Layout | None, *, need_label: bool) -> Table:
    """Open several files as one table; a missing one is refused before anything is read."""
    check_paths(paths)
    if len(paths) == 1:
        return open_file(paths[0], layout, need_label=need_label)
    return Chain(paths, layout, need_label=need_label)


def check_paths(paths: Sequence[str]) -> None:
    """Refuse none, files that are not there, and standard input beside others."""
    if not paths:
        raise InputError("no file was given", parameter="path", got=[], wanted="one or more paths")
    for path in paths:
        if path != STANDARD_INPUT and not storage.exists(path):
            raise missing_file_error(path)
    if len(paths) > 1 and STANDARD_INPUT in paths:
        raise InputError("standard input ('-') does not go with other files", parameter="path")


def follow(layout: Layout, asked: Layout | None, path: str) -> Layout:
    """Return how a further file is read, after a first one that was read by ``layout``."""
    if asked is not None and asked.format is not None:
        return layout
    promised = "folder" if storage.is_folder(path) else detect_by_extension(path)
    # Lines of fastText are called as plain ones are.
    if promised in (None, layout.format) or (promised, layout.format) == ("lines", "fasttext"):
        return layout
    text = layout.text if isinstance(layout.text, str) else None
    label = layout.label if isinstance(layout.label, str) else None
    return replace(
        layout, format=promised, text=text, label=label, header=None, delimiter=None, quoting=None
    )


def open_rows(
    path: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    layout: Layout | None = None,
    *,
    need_label: bool,
    like: Layout | None = None,
) -> Table:
    r"""Open a file, a folder, standard input, or several files as rows of text.

    Parameters
    ----------
    path
        A file, plain or compressed, or its URI (``s3://``, ``https://``, ...); a folder with a
        folder per class; ``-`` for standard input. A list of files is read one after the other, as
        one table: the columns are those of the first, and each must have that of the text and,
        where it is needed, of the label.
    layout
        What is known of it; the rest is detected.
    need_label
        Whether each row must have a label (training, evaluation) or need not (prediction).
    like
        How the training file was read: plain lines on standard input that begin with the names of
        its columns are such a table.

    Returns
    -------
    Table
        Iterate it once.

    Raises
    ------
    FileError
        The path cannot be read.
    ColumnError
        A column is not there, or it is not clear which one is meant.
    DataFormatError
        The file breaks its format; also while iterating.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp(), "mails.tsv")
    >>> _ = file.write_text("ham\tsee you\nspam\twin a prize\nham\tok\n")
    >>> [(row.label, row.text) for row in open_rows(file, need_label=True)]
    [('ham', 'see you'), ('spam', 'win a prize'), ('ham', 'ok')]
    """
    if not isinstance(path, str | os.PathLike):
        return open_several([os.fspath(one) for one in path], layout, need_label=need_label)
    return open_file(os.fspath(path), layout, need_label=need_label, like=like)
