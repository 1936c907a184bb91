"""Caches of rows and the streams in them: the same rows, or a refusal; what is packed comes back.

The first byte chooses: 0 a file as it is, 1 a file under digests that fit it, 2 the streams of
columns and counts, 3 numbers, 4 rows to be packed. The rest is the content.
"""

import struct
from functools import cache
from pathlib import Path

import numpy as np

from fuzz.harness import refusals_pass, scratch

ROWS = [{0: 2, 5: 1}, {}, {4: 1, 6: 9}, {0: 1, 1: 1, 2: 1, 3: 1, 5: 3}]


def _csr(rows):
    starts = np.cumsum([0, *map(len, rows)]).astype(np.int64)
    cells = [(column, row[column]) for row in rows for column in sorted(row)]
    return starts, *np.array(cells, np.int64).reshape(-1, 2).T.copy()


@cache
def _files():
    from hardlimit.examples.sparse import Csr
    from hardlimit.streaming.cache import CacheWriter
    from hardlimit.text import TextVectorizer

    starts, columns, counts = _csr(ROWS)
    texts = ["win a prize win", "", "lunch at noon"]
    vectorizer = TextVectorizer(hash_bits=5, idf=None)
    made = []
    for layout, rows, more in (
        ("values", Csr(starts, columns, counts / 2, 7), ([1, 0, 2, 1], [1.0, 0.5, 1, 1])),
        ("values", Csr(starts, columns.astype("i4"), counts.astype("f4"), 7), ()),
        ("counts", vectorizer.count(texts), ([[0, 1], [1, 1], [0, 0]],)),
        ("dense", np.arange(8.0).reshape(4, 2), ([3, 3, 3, 3],)),
    ):
        path = Path(scratch(b"", "made"))
        wide = {"counts": 32, "dense": 2}.get(layout, 7)
        with CacheWriter(path, n_columns=wide, layout=layout, block=3, facts={"a": 1}) as writer:
            writer.append(rows, *more)
        made.append(path.read_bytes())
    return made


def _streams():
    from hardlimit import _native

    starts, columns, counts = _csr(ROWS)
    packed = _native.pack_cells(starts, columns, counts.astype(np.uint32), 7)
    return struct.pack("<BBBQ", len(ROWS), len(columns), 3, 7) + packed[0] + packed[1]


def _numbers(array):
    from hardlimit import _native

    packed = _native.pack_numbers(array.view(np.uint8), array.itemsize, True)
    return struct.pack("<HB", len(array), array.itemsize) + packed


SEEDS = [
    *(bytes([mode]) + file for mode in (0, 1) for file in _files()),
    b"\2" + _streams(),
    *(
        b"\3" + _numbers(array)
        for array in (
            np.array([0.5, 0.1, -0.0] * 9),
            np.linspace(0, 1, 40, dtype=np.float32),
            np.ones(64),
            np.arange(300.0),
        )
    ),
    b"\4\x07\0\1\5\1\xff\3\0\0\0\1\1\2\3\xff\1",
]


def signed(data: bytes) -> bytes:
    """Give blocks, directory and header the digests that they have, where they are there."""
    from hardlimit import _native
    from hardlimit.streaming.cache_format import HEADER, SIZE

    if len(data) < SIZE:
        return data
    whole = bytearray(data)
    n_blocks, begin = (int.from_bytes(data[at : at + 8], "little") for at in (40, 72))
    at = SIZE
    for entry in range(begin, min(begin + 64 * n_blocks, len(data) - 63), 64):
        size = sum(struct.unpack_from("<5Q", data, entry + 16))
        struct.pack_into("<Q", whole, entry + 56, _native.digest(bytes(whole[at : at + size])))
        at += size
    struct.pack_into("<Q", whole, 80, _native.digest(bytes(whole[begin:])))
    struct.pack_into("<Q", whole, HEADER.size, _native.digest(bytes(whole[: HEADER.size])))
    return bytes(whole)


def _read_file(data):
    from hardlimit.streaming.cache import RowCache
    from hardlimit.text import TextVectorizer

    vectorizer = TextVectorizer(hash_bits=5, idf=None)
    with refusals_pass(), RowCache.open(scratch(data, "cache"), vectorizer) as found:
        for k in range(min(found.n_blocks, 50)):
            with refusals_pass():
                rows, targets = found.block(k)
                assert len(rows) == found.rows_of_block(k)
                assert targets is None or len(targets) == len(rows)
                if found.layout != "dense":
                    _check_rows(rows.indptr, rows.indices, found.n_columns)


def _check_rows(starts, columns, n_columns):
    assert starts[0] == 0 and starts[-1] == len(columns) and (np.diff(starts) >= 0).all()
    for begin, end in zip(starts, starts[1:], strict=False):
        row = columns[begin:end]
        assert (np.diff(row) > 0).all() and (row >= 0).all() and (row < n_columns).all()


def _read_streams(data):
    from hardlimit import _native
    from hardlimit.text import TextVectorizer

    if len(data) < 11:
        return
    n_rows, n_cells, words, n_columns = struct.unpack_from("<BBBQ", data)
    columns, counts = data[11 : 11 + 8 * words], data[11 + 8 * words :]
    n_columns &= (1 << 62) - 1
    with refusals_pass():
        starts, found = _native.unpack_cells(columns, n_rows, n_cells, n_columns, True)
        _check_rows(starts, found, n_columns)
    with refusals_pass():
        vectorizer = TextVectorizer(hash_bits=5, idf=None)
        found = vectorizer.weigh_packed((columns, counts), n_rows, n_cells)
        _check_rows(found.indptr, found.indices, 32)
        rows = _native.unpack_counts(columns, counts, n_rows, n_cells, 32)
        assert vectorizer.weigh(rows).data.tobytes() == found.data.tobytes()
    with refusals_pass():
        rows = _native.unpack_counts(columns, counts, n_rows, n_cells, n_columns)
        starts, found, counted = rows.take_counts()
        _check_rows(starts, found, min(n_columns, 1 << 31))
        assert counted.all()


def _read_numbers(data):
    from hardlimit import _native

    if len(data) < 3:
        return
    n, item = struct.unpack_from("<HB", data)
    for may_be_one in (False, True):
        with refusals_pass():
            found = _native.unpack_numbers(data[3:], n, 4 if item & 4 else 8, may_be_one)
            assert len(found) == n * (4 if item & 4 else 8)


def _pack(data):
    """Rows of pairs of bytes, the distance between columns and a count; 255 ends a row."""
    from hardlimit import _native

    rows, column, at = [{}], -1, 1
    spread = data[0] + 1 if data else 1
    while at + 1 < len(data):
        if data[at] == 255 or len(rows[-1]) > 200:
            rows, column, at = [*rows, {}], -1, at + 1
            continue
        column = min(column + 1 + data[at] * spread**2, (1 << 31) - 1)
        rows[-1][column] = data[at + 1] ** 3 + 1
        at += 2
    starts, columns, counts = _csr(rows)
    given = starts, columns.astype(np.int32), counts.astype(np.uint32)
    packed = _native.pack_cells(*given, 1 << 31)
    found = _native.unpack_counts(*packed, len(rows), len(columns), 1 << 31).take_counts()
    for one, wanted in zip(found, given, strict=True):
        assert np.array_equal(one, wanted)


def run(data: bytes) -> None:
    """Read what there is, or pack it."""
    if not data:
        return
    kind, data = data[0], data[1:]
    if kind % 5 < 2:
        _read_file(signed(data) if kind % 5 else data)
    else:
        (_read_streams, _read_numbers, _pack)[kind % 5 - 2](data)
