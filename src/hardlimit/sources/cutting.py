"""Files are cut into shards of about equally many bytes, at the borders of records.

The rows of all files keep their order. A file that cannot be cut (a compressed one, a format other
than lines and tables of text, text that is not UTF-8) stays whole.
"""

from __future__ import annotations

import codecs
import contextlib
import csv
import io
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import accumulate, pairwise
from typing import Any, BinaryIO

from hardlimit import readers
from hardlimit.exceptions import InputError, mask
from hardlimit.foundation import progress, storage
from hardlimit.foundation.formatting import plural
from hardlimit.foundation.storage.patterns import expand_all
from hardlimit.foundation.types import PathLike
from hardlimit.readers import Layout, Table, arrow_files
from hardlimit.readers.columns import locate_columns
from hardlimit.readers.csv import allow_long_fields
from hardlimit.readers.csv_records import find_record_ends
from hardlimit.readers.decoding import Source
from hardlimit.readers.files import check_paths, follow
from hardlimit.readers.opening import STANDARD_INPUT, open_binary, strip_compression
from hardlimit.sources.pieces import Piece, Shard

# Formats in which every line is a record, and those of fields.
LINES = ("jsonl", "lines", "fasttext")
TABLES = ("csv", "tsv")
_BLOCK = 1 << 20
_GLANCE = 1 << 16  # bytes of a request for a border
_AT_A_TIME = 8  # files of stores that are looked at
_MARK = codecs.BOM_UTF8


def list_paths(sources: PathLike | Sequence[PathLike]) -> list[str]:
    """Return the paths of one file or several.

    >>> list_paths("a.csv")
    ['a.csv']
    """
    given = [sources] if isinstance(sources, str | os.PathLike) else sources
    return [os.fspath(one) for one in given]


def find_files(paths: Sequence[str]) -> list[str]:
    """Return the files that are named or meant by a pattern, each of which can be read again."""
    found = expand_all([os.fspath(path) for path in paths])
    check_paths(found)
    if STANDARD_INPUT in found:
        raise InputError(
            "shards are read again in every epoch, and standard input comes once",
            parameter="sources",
            got=STANDARD_INPUT,
            fix="give files",
        )
    return found


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
    paths = find_files(paths)
    with _hands(paths) as hands:
        states = list(hands(state_of_file, paths))
        total = sum(size for size, _ in states)
        begins = list(accumulate((size for size, _ in states), initial=0))

        def cut(place: int, wanted: Layout | None) -> tuple[Layout, list[Piece]]:
            (size, version), path = states[place], paths[place]
            with readers.open_rows(path, wanted, need_label=need_label) as table:
                targets = find_targets(begins[place], size, total, n_shards)
                whole = Piece(path, table.layout, size, names=table.columns)
                whole = replace(whole, need_label=need_label, version=version)
                return table.layout, _look_through(whole, table, targets, looked_at)

        first, pieces = cut(0, layout)
        later = range(1, len(paths))
        wanted = [follow(first, layout, paths[place]) for place in later]
        files = [pieces, *(found for _, found in hands(cut, later, wanted))]
    if at_most:
        n_shards = min(n_shards, sum(map(len, files)))
    return deal_pieces(files, n_shards, total), first


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


def state_of_file(path: str) -> tuple[int, str]:
    """Return the bytes and the version of a file, of a folder nothing."""
    if not storage.is_file(path):
        return 0, ""
    found = storage.state_of(path)
    return storage.size_of(path) if found.size is None else found.size, found.version


def _open(path: str) -> io.BufferedReader:
    """Open a file to look at small parts of it."""
    return storage.open_remote(path, _GLANCE) if storage.is_remote(path) else open_binary(path)


def find_targets(before: int, size: int, total: int, n_shards: int) -> list[int]:
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
        return cut_row_groups(whole)
    if not is_plain(whole, table.source) or name not in (*LINES, *TABLES):
        return [whole]
    if name in TABLES and not table.columns:  # empty: whoever reads it says so
        return [whole]
    quoted = name == "csv" and layout.quoting is not False or name == "tsv" and layout.quoting
    if quoted:
        cuts = cut_records(whole, targets, table)
    elif looked_at and not _is_utf8(whole):
        return [whole]
    else:
        cuts = cut_lines(whole, targets, header=name in TABLES and bool(layout.header))
    if name in TABLES:
        text, label = locate_columns(layout, table.columns)
        layout = replace(layout, header=False, text=text, label=label, delimiter=table.delimiter)
    part = replace(whole, layout=layout)
    pairs = ((begin, end) for begin, end in pairwise(cuts) if begin < end)
    # Without a record it is read as it stands, header and all.
    return [replace(part, begin=begin, end=end) for begin, end in pairs] or [whole]


def cut_row_groups(whole: Piece) -> list[Piece]:
    """Return a piece a row group."""
    begins = [*arrow_files.begins_of_groups(whole.path), whole.size]
    if begins != sorted(set(begins)):  # of a writer that lays them otherwise
        return [whole]
    return [
        replace(whole, begin=begin, end=end, group=number)
        for number, (begin, end) in enumerate(pairwise(begins))
    ] or [whole]


def is_plain(whole: Piece, source: Source) -> bool:
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


def cut_lines(whole: Piece, targets: list[int], *, header: bool) -> list[int]:
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


def cut_records(whole: Piece, targets: list[int], table: Table) -> list[int]:
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


def deal_pieces(files: list[list[Piece]], n_shards: int, total: int) -> list[Shard]:
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


def cut_plainly(
    file: BinaryIO, begin: int, size: int, targets: Sequence[int], table: Table, name: str
) -> list[int] | None:
    """Return the begins of records behind the targets, from the first one to the end of the file.

    None where only the csv module can tell.

    begin : where the file stands, behind a mark.    name : for the line of progress.
    """
    if table.layout.header:
        length = _length_of_header(file, table.delimiter)
        if length is None:
            return None
        begin = file.seek(begin + length)
    ends = find_record_ends(
        file,
        table.delimiter,
        begin,
        targets,
        lambda place: progress.report(name, place, size, "bytes"),
    )
    return None if ends is None else sorted({begin, *ends, size})


def _length_of_header(file: BinaryIO, delimiter: str) -> int | None:
    """Return the bytes up to the end of the first record that is not blank."""
    allow_long_fields()
    length = 0

    def lines() -> Iterator[str]:
        nonlocal length
        for line in file:
            length += len(line)
            yield line.decode()

    try:
        for fields in csv.reader(lines(), delimiter=delimiter, strict=True):
            if any(field.strip() for field in fields):
                break
    except (csv.Error, UnicodeDecodeError):
        return None
    return length
