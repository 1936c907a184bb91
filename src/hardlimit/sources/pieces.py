"""Shards as recipes: which bytes of which files, and how they are read.

A recipe reads its rows as the whole file would have been read: :mod:`hardlimit.sources.cutting`
makes them.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from hardlimit import readers
from hardlimit.examples.of_rows import Gather
from hardlimit.exceptions import DataFormatError, Given, InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.formatting import plural
from hardlimit.readers import Layout, Table, arrow_files, arrow_texts
from hardlimit.readers.arrow_files import OpenedArrow
from hardlimit.readers.decoding import Source, TextSource
from hardlimit.readers.file_notes import MOST_REASONS
from hardlimit.readers.opening import missing_file_error, open_binary
from hardlimit.readers.registry import get_format
from hardlimit.sources.reading import FileBatch, WholeFiles, read_batches

_BLOCK = 1 << 20
_MEANT_IN = "meant in"


@dataclass(frozen=True)
class Piece:
    """Bytes of a file, or all of it where ``end`` is None; of Parquet whole row groups.

    size : bytes of the file when it was cut.    digest : SHA-256 of the piece when it was counted,
    empty before: other bytes are refused.    group : the number of a row group.    names : of the
    columns, as the begin of the file has them.    need_label : whether rows have labels.
    """

    path: str
    layout: Layout
    size: int
    begin: int = 0
    end: int | None = None
    digest: str = ""
    group: int | None = None
    names: tuple[str, ...] = ()
    need_label: bool = True
    must_be_utf8: ClassVar[bool] = True
    version: str = ""  # of an object of a store, its ETag or the time of its last change

    @property
    def label_spelling(self) -> tuple[str | None, tuple[str, ...]]:
        """How its labels are spelled: what stands between several, and the columns of several."""
        return self.layout.labels_separator, ()

    def __getstate__(self) -> dict[str, Any]:
        """Say where a name without a folder was meant."""
        with contextlib.suppress(OSError):  # a folder that is gone
            return self.__dict__ | {_MEANT_IN: os.getcwd()}
        return self.__dict__

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Find the file from a process in another folder."""
        state = dict(state)
        folder, path = state.pop(_MEANT_IN, ""), state["path"]
        if folder and not storage.is_uri(path) and not os.path.isabs(path):
            with contextlib.suppress(OSError):
                if os.getcwd() != folder:
                    state["path"] = os.path.join(folder, path)
        self.__dict__.update(state)

    @property
    def where(self) -> str:
        """What messages call it."""
        name = mask(self.path)
        return name if self.end is None else f"{name}, bytes {self.begin} to {self.end}"

    @property
    def format(self) -> str:
        """The name of its format."""
        return self.layout.format or ""

    @property
    def is_columnar(self) -> bool:
        """Whether it has columns with types: Parquet and Arrow."""
        return self.format.removeprefix("numeric-") in ("parquet", "arrow")

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns as they stand in the file; none where they have no names."""
        return self.names

    @property
    def counts_from_all(self) -> bool:
        """Whether only all rows show from where the indices of sparse rows count."""
        return False

    @property
    def shows_rows(self) -> bool:
        """Whether a row that was read can be written as it stood."""
        return True

    def as_wide_as(self, n_columns: Callable[[], int]) -> Piece:
        """Return the piece for a model that counts so many columns, where it has numbers."""
        return self

    def open_columns(self) -> OpenedArrow:
        """Open the columns of Parquet or Arrow, whatever they hold."""
        if self.format.endswith("arrow"):
            return arrow_files.open_arrow(self.path)
        return arrow_files.open_parquet(self.path, None if self.group is None else [self.group])

    @contextlib.contextmanager
    def opened(
        self, gathering: Callable[[], Gather], most: int, *, keep: bool = False
    ) -> Iterator[tuple[Table, Iterator[FileBatch]]]:
        """Give the table of the rows, and its batches of ``most`` rows; see `read_batches`.

        gathering : gives what gathers rows of words.
        """
        with self.open() as table:
            yield table, read_batches(table, gathering(), most, keep=keep)

    def read(self, gather: Gather) -> FileBatch:
        """Return all rows.

        Raises
        ------
        InputError, DataFormatError
            The file is not the one that was cut, or breaks its format.
        """
        whole = WholeFiles(gather)
        with self._reading() as table:
            found = whole.read(read_batches(table, whole.begin))
            return found._replace(notes=tuple(table.counted()))

    def batches(self, gather: Gather) -> Iterator[FileBatch]:
        """Yield the rows, some at a time."""
        with self._reading() as table:
            yield from read_batches(table, gather)

    @contextlib.contextmanager
    def _reading(self) -> Iterator[Table]:
        """Give the table of the rows; an error in them has the line of the whole file."""
        try:
            with self.open_checked() as table:
                yield table
        except DataFormatError as error:
            raise self.located(error) from None

    def open_checked(self) -> Table:
        """Open the rows of the file that was cut.

        Raises
        ------
        InputError
            It is another one now.
        """
        with self.nearby():
            self.check()
            return self.open()

    def check(self) -> None:
        """Refuse other bytes than those that were counted, unless a copy of them is to blame."""
        if not self.digest or self.compute_digest() == self.digest:
            return
        if storage.is_remote(self.path):
            with self.nearby(fresh=True):
                if self.compute_digest() == self.digest:
                    return
            self.check_version()
        raise self._changed("other bytes")

    def check_version(self) -> None:
        """Refuse an object that is not the one that was cut, as far as its store says so."""
        found = storage.state_of(self.path).version
        if found != self.version:
            raise self._changed(f"other bytes, version {found!r} in place of {self.version!r}")

    def located(self, error: DataFormatError) -> DataFormatError:
        """Return an error with the line of the whole file: a piece counts from its begin."""
        if self.group is not None or not self.begin:
            return error
        try:
            with self.open(count_lines(self.path, self.begin)) as table:
                for _ in table:
                    pass
        except DataFormatError as again:
            return again
        return error

    @contextlib.contextmanager
    def nearby(self, *, fresh: bool = False) -> Iterator[None]:
        """Let this thread read the piece of an object from a copy, fetched where there is none.

        fresh : whether it is fetched in any case.
        """
        if not storage.is_remote(self.path):
            yield
            return
        from hardlimit.foundation.storage import near  # start-up: few files are remote

        if near.served(self.path) is not None and not fresh:
            yield
            return
        state = storage.state_of(self.path)
        end = state.size if self.end is None else self.end
        found = None
        if state.size == self.size and end is not None:
            found = near.fetch(self.path, self.begin, end, state, fresh=fresh)
        with contextlib.nullcontext() if found is None else near.serving(found):
            yield

    def open(self, lines_before: int = 0) -> Table:
        """Open the rows as a table, whose lines are counted after so many."""
        if self.end is None:
            return readers.open_rows(self.path, self.layout, need_label=self.need_label)
        if self.group is not None:
            opened = partial(arrow_files.open_parquet, groups=[self.group])
            return arrow_texts.open_texts(self.path, self.layout, self.need_label, opened)
        source = PartSource(self, lines_before)
        read = get_format(self.layout.format or "").read
        try:
            table: Table = read(source, self.layout, self.need_label)
        except BaseException:  # no table took the source over
            source.close()
            raise
        if self.names:
            table.columns = self.names
        return table

    def compute_digest(self, *, copied: bool = True) -> str:
        """Return the SHA-256 of the bytes as they are now; empty of a folder.

        copied : whether a copy of the bytes may be kept for those who read them next.
        """
        if storage.is_folder(self.path):
            return ""
        if not storage.exists(self.path):
            raise missing_file_error(self.path)
        hashed = hashlib.sha256()
        near = self.nearby() if copied else contextlib.nullcontext()
        with near, open_binary(self.path) as file:
            found = file.seek(0, os.SEEK_END)
            if found != self.size:
                raise self._changed(f"{plural(found, 'byte')} in place of {self.size:,}")
            file.seek(self.begin)
            left = (self.size if self.end is None else self.end) - self.begin
            while left and (block := file.read(min(left, _BLOCK))):
                hashed.update(block)
                left -= len(block)
                progress.report(f"reading {self.where}")  # also where an engine may end this
        return hashed.hexdigest()

    def _changed(self, got: str) -> InputError:
        return InputError(
            "the file changed while it was learnt from",
            where=self.where,
            got=Given(got),
            fix="train anew on files that nobody writes to",
        )


@dataclass(frozen=True)
class Shard:
    """A shard by its number, and the pieces that it is made of, in their order."""

    number: int
    pieces: tuple[Piece, ...]

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"shard {self.number} ({'; '.join(piece.where for piece in self.pieces)})"

    def batches(self, gather: Gather) -> Iterator[FileBatch]:
        """Yield the rows of all pieces, some at a time."""
        for piece in self.pieces:
            yield from piece.batches(gather)

    def read(self, gather: Gather) -> FileBatch:
        """Return the rows of all pieces."""
        return FileBatch.joined([piece.read(gather) for piece in self.pieces])


def count_lines(path: str, end: int) -> int:
    """Return the line ends in the first bytes of a file."""
    found, left = 0, end
    with open_binary(path) as file:
        while left and (block := file.read(min(left, _BLOCK))):
            found += block.count(b"\n")
            left -= len(block)
    return found


def shift_line(where: str, path: str, lines_before: int) -> str:
    """Return a place with the line of the whole file, of one that counts from a later line.

    >>> shift_line("a.csv:7:2: column 'x'", "a.csv", 100), shift_line("a.csv", "a.csv", 100)
    ("a.csv:107:2: column 'x'", 'a.csv')
    """
    match = re.match(rf"{re.escape(path)}:(\d+)", where)
    if match is None:
        return where
    return f"{path}:{int(match[1]) + lines_before}{where[match.end() :]}"


class NotUtf8Error(InputError):
    """A file that was cut without a look at all of it is not UTF-8: cut it again, with one."""


class _Window(io.RawIOBase):
    """So many bytes of a file from where it stands."""

    def __init__(self, file: io.BufferedReader, length: int, name: str) -> None:
        self._file, self._left, self._what = file, length, f"reading {name}"

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        progress.report(self._what)
        data = self._file.read1(min(len(buffer), self._left)) if self._left else b""
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


class PartSource(TextSource):
    """Lines of a piece, which begins and ends with a record and is UTF-8.

    Raises `NotUtf8Error` where it is not.
    """

    def __init__(self, piece: Piece, lines_before: int = 0) -> None:
        Source.__init__(self, piece.path)
        self.max_line, self.encoding = piece.layout.max_line, "utf-8"
        self.skip_bad, self.columns = piece.layout.skip_bad, piece.names
        self._is_utf8, self._line_number, self.number = True, lines_before, lines_before
        self._held, self._n_empty, self._strict = [], 0, piece.must_be_utf8
        self._begin = 0 if lines_before else piece.begin
        self._lines_before: int | None = None
        self._file = open_binary(piece.path)
        self._file.seek(piece.begin)
        window = _Window(self._file, (piece.end or 0) - piece.begin, self.name)
        self._stream = io.BufferedReader(window, _BLOCK)
        self._lines = self._decode()

    def place(self, line: int) -> str:
        """Return where a line stands in the whole file."""
        return super().place(line + self._n_before())

    def reject(self, error: DataFormatError) -> None:
        """Raise the error of one row, or count it by its line of the whole file."""
        if self.skip_bad and len(self.reasons) < MOST_REASONS:
            where = shift_line(str(error.where), self.name, self._n_before())
            error = error.replaced(where=where)
        super().reject(error)

    def _n_before(self) -> int:
        if self._lines_before is None:
            self._lines_before = count_lines(self.path, self._begin)
        return self._lines_before

    def _decode_invalid(self, raw: bytes) -> str:
        if not self._strict:
            return super()._decode_invalid(raw)
        raise NotUtf8Error("this is not UTF-8, and was cut as if it were", where=self.name)

    def _read_blocks(self, size: int) -> Iterator[bytes]:
        for block in super()._read_blocks(size):
            if self._strict:
                try:
                    block.decode()
                except UnicodeDecodeError:
                    self._decode_invalid(block)
            yield block
