"""Shards as recipes: which bytes of which files, and how they are read.

The rows of all files, in their order, are cut into shards of about equally many bytes, at the
borders of records. A file that cannot be cut (a compressed one, a format other than lines and
tables of text, text that is not UTF-8) stays whole. A recipe reads its rows as the whole file would
have been read.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, ClassVar

from hardlimit import readers
from hardlimit.classifiers.targets import Targets, of_file
from hardlimit.distributed.csv_cuts import cut_plainly
from hardlimit.distributed.part_source import NotUtf8Error as NotUtf8Error
from hardlimit.distributed.part_source import PartSource
from hardlimit.distributed.places import count_lines
from hardlimit.exceptions import DataFormatError, Given, InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.readers import Layout, Row, Table, arrow_files, arrow_texts
from hardlimit.readers.columns import locate_columns
from hardlimit.readers.csv import allow_long_fields
from hardlimit.readers.decoding import Source
from hardlimit.readers.opening import (
    STANDARD_INPUT,
    missing_file_error,
    open_binary,
    strip_compression,
)
from hardlimit.readers.registry import get_format
from hardlimit.readers.several import check_paths, follow

# Formats in which every line is a record, and those of fields.
LINES = ("jsonl", "lines", "fasttext")
TABLES = ("csv", "tsv")
_BLOCK = 1 << 20
_GLANCE = 1 << 16  # bytes of a request for a border
_MEANT_IN = "meant in"
_AT_A_TIME = 8  # files of stores that are looked at
_MARK = codecs.BOM_UTF8


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
    def targets(self) -> Targets:
        """The kind of its labels."""
        return of_file(self.layout.labels_separator)

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

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        try:
            with self.open_checked() as table:
                yield from table
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

    def rows(self) -> Iterator[Row]:
        """Yield the rows of all pieces."""
        for piece in self.pieces:
            yield from piece.rows()


def cut_files(
    paths: Sequence[str],
    layout: Layout | None,
    n_shards: int,
    *,
    at_most: bool = False,
    need_label: bool = True,
    looked_at: bool = True,
) -> tuple[list[Shard], Layout]:
    """Return recipes of all shards, and how the first file is read.

    at_most : whether there may be fewer, where files cannot be cut so often.    need_label :
    whether each row must have a label.    looked_at : whether it is made sure that files are UTF-8;
    without it whoever reads a piece of another raises `NotUtf8Error`.

    Cost: one pass over all bytes of CSV whose fields may hold line ends, and of other lines where
    they are looked at; else a few blocks of each file.

    Raises
    ------
    InputError
        Standard input, which nobody can read twice; fewer records than shards.
    """
    paths = expand_all([os.fspath(path) for path in paths])
    check_paths(paths)
    if STANDARD_INPUT in paths:
        raise InputError(
            "shards are read again in every epoch, and standard input comes once",
            parameter="sources",
            got=STANDARD_INPUT,
            fix="give files",
        )
    with _hands(paths) as hands:
        states = list(hands(_state_of, paths))
        total = sum(size for size, _ in states)
        begins = list(accumulate((size for size, _ in states), initial=0))

        def cut(place: int, wanted: Layout | None) -> tuple[Layout, list[Piece]]:
            (size, version), path = states[place], paths[place]
            with readers.open_rows(path, wanted, need_label=need_label) as table:
                targets = _targets(begins[place], size, total, n_shards)
                whole = Piece(path, table.layout, size, names=table.columns)
                whole = replace(whole, need_label=need_label, version=version)
                return table.layout, _look_through(whole, table, targets, looked_at)

        first, pieces = cut(0, layout)
        later = range(1, len(paths))
        wanted = [follow(first, layout, paths[place]) for place in later]
        files = [pieces, *(found for _, found in hands(cut, later, wanted))]
    if at_most:
        n_shards = min(n_shards, sum(map(len, files)))
    return _deal(files, n_shards, total), first


@contextlib.contextmanager
def _hands(paths: Sequence[str]) -> Iterator[Any]:
    """Give what maps a function over files: of stores several at a time, which answer slowly."""
    if not any(map(storage.is_remote, paths)) or len(paths) == 1:
        yield map
        return
    threads = ThreadPoolExecutor(min(_AT_A_TIME, len(paths)), "hardlimit-cutting")
    try:
        yield threads.map
    finally:
        threads.shutdown(cancel_futures=True)


def _state_of(path: str) -> tuple[int, str]:
    """Return the bytes and the version of a file, of a folder nothing."""
    if not storage.is_file(path):
        return 0, ""
    found = storage.state_of(path)
    return storage.size_of(path) if found.size is None else found.size, found.version


def _open(path: str) -> io.BufferedReader:
    """Open a file to look at small parts of it."""
    return storage.open_remote(path, _GLANCE) if storage.is_remote(path) else open_binary(path)


def _targets(before: int, size: int, total: int, n_shards: int) -> list[int]:
    """Return where shards should begin inside a file that has so many bytes before it."""
    borders = (total * shard // n_shards - before for shard in range(1, n_shards))
    return [border for border in borders if 0 < border < size]


def _look_through(whole: Piece, table: Table, targets: list[int], looked_at: bool) -> list[Piece]:
    """Return the pieces of a file, a single one where it cannot be cut."""
    path, layout = whole.path, whole.layout
    if not storage.is_file(path):
        return [whole]
    name = layout.format or ""
    if name == "parquet":
        return _row_groups(whole)
    if not _is_plain(whole, table.source) or name not in (*LINES, *TABLES):
        return [whole]
    if name in TABLES and not table.columns:  # empty: whoever reads it says so
        return [whole]
    quoted = name == "csv" and layout.quoting is not False or name == "tsv" and layout.quoting
    if quoted:
        cuts = _cut_records(whole, targets, table)
    elif looked_at and not _is_utf8(whole):
        return [whole]
    else:
        cuts = _cut_lines(whole, targets, header=name in TABLES and bool(layout.header))
    if name in TABLES:
        text, label = locate_columns(layout, table.columns)
        layout = replace(layout, header=False, text=text, label=label, delimiter=table.delimiter)
    part = replace(whole, layout=layout)
    pairs = ((begin, end) for begin, end in pairwise(cuts) if begin < end)
    # Without a record it is read as it stands, header and all.
    return [replace(part, begin=begin, end=end) for begin, end in pairs] or [whole]


def _row_groups(whole: Piece) -> list[Piece]:
    """Return a piece a row group."""
    begins = [*arrow_files.begins_of_groups(whole.path), whole.size]
    if begins != sorted(set(begins)):  # of a writer that lays them otherwise
        return [whole]
    return [
        replace(whole, begin=begin, end=end, group=number)
        for number, (begin, end) in enumerate(pairwise(begins))
    ] or [whole]


def _is_plain(whole: Piece, source: Source) -> bool:
    """Whether a file is no compressed one, whatever it is called, and UTF-8 so far."""
    path = whole.path
    if strip_compression(path) != storage.without_query(path):
        return False
    with _open(path) as file:
        head = file.read(6)
    packed = b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"
    # Excel's line that names the delimiter is no record.
    if head.startswith(packed) or head.removeprefix(_MARK).lower().startswith(b"sep"):
        return False
    # As asked for or marked, or cp1252 as the first lines have shown.
    return source.encoding in (None, "utf-8")


def _is_utf8(whole: Piece) -> bool:
    """Whether a file is UTF-8: else how one line is read depends on the lines before it."""
    decoder, done = codecs.getincrementaldecoder("utf-8")(), 0
    path, size = whole.path, whole.size
    with open_binary(path) as file:
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
                done += len(block)
                progress.report(f"reading {mask(path)}", done, size, "bytes")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _skip_mark(file: io.BufferedReader) -> int:
    """Go behind the byte-order mark; its length."""
    return file.seek(len(_MARK) if file.read(len(_MARK)) == _MARK else 0)


def _cut_lines(whole: Piece, targets: list[int], *, header: bool) -> list[int]:
    """Return the begins of lines at or behind the targets; a header is left out."""
    with _open(whole.path) as file:
        _skip_mark(file)
        while header:  # blank lines above it too
            line = file.readline()
            header = bool(line) and not line.strip()
        cuts = [file.tell()]
        for target in targets:
            if target > cuts[-1]:
                file.seek(target - 1)
                file.readline()
                cuts.append(file.tell())
        return [*cuts, whole.size]


def _cut_records(whole: Piece, targets: list[int], table: Table) -> list[int]:
    """Return the begins of records of CSV, whose fields may hold line ends, behind the targets.

    None of a file that breaks its format, or is not UTF-8.
    """
    allow_long_fields()
    header, waiting = bool(table.layout.header), iter(targets)
    target = next(waiting, None)
    name, told = f"reading {mask(whole.path)}", 0
    with open_binary(whole.path) as file:
        at = [_skip_mark(file)]
        plain = cut_plainly(file, at[0], whole.size, targets, table, name)
        if plain is not None:
            return plain
        file.seek(at[0])

        def lines() -> Iterator[str]:
            nonlocal told
            for line in file:
                at[0] += len(line)
                if at[0] > told:
                    told = at[0] + _BLOCK
                    progress.report(name, at[0], whole.size, "bytes")
                yield line.decode()

        begin, cuts = at[0], list[int]()
        try:
            for fields in csv.reader(lines(), delimiter=table.delimiter, strict=True):
                if header:
                    header = not any(field.strip() for field in fields)
                    begin = at[0]
                    continue
                if not cuts:
                    cuts.append(begin)
                while target is not None and at[0] >= target:
                    cuts.append(at[0])
                    target = next(waiting, None)
        except (csv.Error, UnicodeDecodeError):  # whoever reads it whole says what is wrong
            return []
    return sorted({*(cuts or [begin]), whole.size})


def _deal(files: list[list[Piece]], n_shards: int, total: int) -> list[Shard]:
    """Give each shard its pieces: each goes where its middle lies, and no shard without one."""
    middles: list[tuple[Piece, float]] = []
    before = 0
    for parts in files:
        for part in parts:
            last = part.size if part.end is None else part.end
            middles.append((part, before + (part.begin + last) / 2))
        before += parts[0].size
    if len(middles) < n_shards:
        raise InputError(
            f"{plural(n_shards - len(middles), 'shard')} would be empty: compressed files and some "
            "formats cannot be cut, and records are never",
            parameter="shards",
            got=n_shards,
            wanted=f"at most {len(middles)} for these files",
        )
    pieces: list[list[Piece]] = [[] for _ in range(n_shards)]
    place = -1
    for number, (part, middle) in enumerate(middles):
        wanted = int(middle * n_shards / total) if total else 0
        # In order, none left out, and enough of them left for the shards behind.
        least = max(place, n_shards - (len(middles) - number), 0)
        place = min(max(wanted, least), place + 1, n_shards - 1)
        pieces[place].append(part)
    return [Shard(number, tuple(each)) for number, each in enumerate(pieces)]
