"""Shards as recipes: which bytes of which files, and how they are read.

The rows of all files, in their order, are cut into shards of about equally many bytes, at the
borders of records. A file that cannot be cut (a compressed one, a format other than lines and
tables of text, text that is not UTF-8) stays whole. A recipe reads its rows as the whole file would
have been read.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

from hardlimit import readers
from hardlimit.distributed.csv_cuts import cut_plainly
from hardlimit.exceptions import Given, InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.readers import Layout, Row, Table, arrow_files, arrow_texts
from hardlimit.readers.columns import locate_columns
from hardlimit.readers.csv import allow_long_fields
from hardlimit.readers.decoding import Source, TextSource
from hardlimit.readers.opening import STANDARD_INPUT, open_binary, strip_compression
from hardlimit.readers.registry import get_format
from hardlimit.readers.several import check_paths, follow

# Formats in which every line is a record, and those of fields.
LINES = ("jsonl", "lines", "fasttext")
TABLES = ("csv", "tsv")
_BLOCK = 1 << 20
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

    @property
    def where(self) -> str:
        """What messages call it."""
        name = mask(self.path)
        return name if self.end is None else f"{name}, bytes {self.begin} to {self.end}"

    def rows(self) -> Iterator[Row]:
        """Yield the rows."""
        with self.open_checked() as table:
            yield from table

    def open_checked(self) -> Table:
        """Open the rows of the file that was cut.

        Raises
        ------
        InputError
            It is another one now.
        """
        self.check()
        return self.open()

    def check(self) -> None:
        """Refuse other bytes than those that were counted."""
        if self.digest and self.compute_digest() != self.digest:
            raise self._changed("other bytes")

    def open(self) -> Table:
        """Open the rows as a table."""
        if self.end is None:
            return readers.open_rows(self.path, self.layout, need_label=self.need_label)
        if self.group is not None:
            opened = partial(arrow_files.open_parquet, groups=[self.group])
            return arrow_texts.open_texts(self.path, self.layout, self.need_label, opened)
        source = _PartSource(self)
        read = get_format(self.layout.format or "").read
        table: Table = read(source, self.layout, self.need_label)
        if self.names:
            table.columns = self.names
        return table

    def compute_digest(self) -> str:
        """Return the SHA-256 of the bytes as they are now; empty of a folder."""
        if not storage.is_file(self.path):
            return ""
        found = storage.size_of(self.path)
        if found != self.size:
            raise self._changed(f"{plural(found, 'byte')} in place of {self.size:,}")
        hashed = hashlib.sha256()
        with open_binary(self.path) as file:
            file.seek(self.begin)
            left = (self.size if self.end is None else self.end) - self.begin
            while left and (block := file.read(min(left, _BLOCK))):
                hashed.update(block)
                left -= len(block)
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


class _Window(io.RawIOBase):
    """So many bytes of a file from where it stands."""

    def __init__(self, file: io.BufferedReader, length: int) -> None:
        self._file, self._left = file, length

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        data = self._file.read1(min(len(buffer), self._left)) if self._left else b""
        buffer[: len(data)] = data
        self._left -= len(data)
        return len(data)


class _PartSource(TextSource):
    """Lines of a piece, which begins and ends with a record and is UTF-8."""

    def __init__(self, piece: Piece) -> None:
        Source.__init__(self, piece.path)
        self.max_line, self.encoding = piece.layout.max_line, "utf-8"
        self.skip_bad = piece.layout.skip_bad
        self._is_utf8, self._line_number = True, 0
        self._held = []
        self._file = open_binary(piece.path)
        self._file.seek(piece.begin)
        window = _Window(self._file, (piece.end or 0) - piece.begin)
        self._stream = io.BufferedReader(window, _BLOCK)
        self._lines = self._decode()


def cut_files(
    paths: Sequence[str],
    layout: Layout | None,
    n_shards: int,
    *,
    at_most: bool = False,
    need_label: bool = True,
) -> tuple[list[Shard], Layout]:
    """Return recipes of all shards, and how the first file is read.

    at_most : whether there may be fewer, where files cannot be cut so often.    need_label :
    whether each row must have a label.

    Cost: one pass over all bytes, for the digests and the borders of the records.

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
    total = sum(map(_size_of, paths))
    files: list[list[Piece]] = []
    first: Layout | None = None
    asked, done = layout, 0
    for path in paths:
        wanted = layout if first is None else follow(first, asked, path)
        with readers.open_rows(path, wanted, need_label=need_label) as table:
            first = first or table.layout
            size = _size_of(path)
            cuts = _targets(done, size, total, n_shards)
            pieces = _look_through(path, table, cuts)
            files.append([replace(piece, need_label=need_label) for piece in pieces])
            done += size
    assert first is not None  # there is a file
    if at_most:
        n_shards = min(n_shards, sum(map(len, files)))
    return _deal(files, n_shards, total), first


def _size_of(path: str) -> int:
    return storage.size_of(path) if storage.is_file(path) else 0


def _targets(before: int, size: int, total: int, n_shards: int) -> list[int]:
    """Return where shards should begin inside a file that has so many bytes before it."""
    borders = (total * shard // n_shards - before for shard in range(1, n_shards))
    return [border for border in borders if 0 < border < size]


def _look_through(path: str, table: Table, targets: list[int]) -> list[Piece]:
    """Return the pieces of a file, a single one where it cannot be cut."""
    layout, size = table.layout, _size_of(path)
    whole = Piece(path, layout, size, names=table.columns)
    if not storage.is_file(path):
        return [whole]
    name = layout.format or ""
    if name == "parquet":
        return _row_groups(whole)
    plain = strip_compression(path) == storage.without_query(path) and not _is_packed(path)
    if not (plain and name in (*LINES, *TABLES) and _is_utf8(path)):
        return [whole]
    quoted = name == "csv" and layout.quoting is not False or name == "tsv" and layout.quoting
    if name in LINES:
        cuts = _cut_lines(path, targets, _length_of_mark(path), header=False)
    elif quoted:
        cuts = _cut_records(path, targets, table)
    else:
        cuts = _cut_lines(path, targets, _length_of_mark(path), header=bool(layout.header))
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


def _is_packed(path: str) -> bool:
    """Whether a file is compressed or marked as UTF-16, whatever it is called."""
    with open_binary(path) as file:
        head = file.read(6)
    packed = b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"
    # Excel's line that names the delimiter is no record.
    return head.startswith(packed) or head.removeprefix(_MARK).lower().startswith(b"sep")


def _is_utf8(path: str) -> bool:
    """Whether a file is UTF-8: else how one line is read depends on the lines before it."""
    decoder, done = codecs.getincrementaldecoder("utf-8")(), 0
    with open_binary(path) as file:
        size = storage.size_of(path)
        try:
            while block := file.read(_BLOCK):
                decoder.decode(block)
                done += len(block)
                progress.report(f"reading {mask(path)}", done, size, "bytes")
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True


def _length_of_mark(path: str) -> int:
    with open_binary(path) as file:
        return len(_MARK) if file.read(len(_MARK)) == _MARK else 0


def _cut_lines(path: str, targets: list[int], begin: int, *, header: bool) -> list[int]:
    """Return the begins of lines at or behind the targets; a header is left out."""
    with open_binary(path) as file:
        file.seek(begin)
        while header:  # blank lines above it too
            line = file.readline()
            header = bool(line) and not line.strip()
        cuts = [file.tell()]
        for target in targets:
            if target > cuts[-1]:
                file.seek(target - 1)
                file.readline()
                cuts.append(file.tell())
        return [*cuts, storage.size_of(path)]


def _cut_records(path: str, targets: list[int], table: Table) -> list[int]:
    """Return the begins of records of CSV, whose fields may hold line ends, behind the targets."""
    allow_long_fields()
    header, waiting = bool(table.layout.header), iter(targets)
    target = next(waiting, None)
    with open_binary(path) as file:
        at = [_length_of_mark(path)]
        file.seek(at[0])
        name, size = f"reading {mask(path)}", storage.size_of(path)
        plain = cut_plainly(file, at[0], size, targets, table, name)
        if plain is not None:
            return plain
        file.seek(at[0])

        def lines() -> Iterator[str]:
            for line in file:
                at[0] += len(line)
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
        except csv.Error:  # whoever reads the rows says what is wrong, and where
            return []
    return sorted({*(cuts or [begin]), size})


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
