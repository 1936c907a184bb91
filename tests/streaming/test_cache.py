"""What comes out of a cache of rows has the bits of what went in."""

import os
import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardlimit import _native
from hardlimit.examples.sparse import Csr
from hardlimit.exceptions import DataFormatError, FileError, InputError, KindError
from hardlimit.streaming import cache_format
from hardlimit.streaming.cache import CacheWriter, RowCache
from hardlimit.streaming.cache_format import HEADER
from hardlimit.text import TextVectorizer

from . import packing_twin as twin

pytest_plugins = ["tests.disks"]
VALUES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 5e-324, -1e-310, 1.5, 1e300, 2.0**-149, 3.4e38]),
    st.floats(allow_nan=False, allow_infinity=False),
)
WIDTHS = st.sampled_from([1, 2, 7, 300, 2**22, 2**31 - 1, 2**31])


def sparse(rows, n_columns, value=np.float64, index=np.int64):
    """Return rows, each a dict of column to value, as CSR."""
    cells = [(column, row[column]) for row in rows for column in sorted(row)]
    return Csr(
        np.cumsum([0, *map(len, rows)]).astype(np.int64),
        np.array([column for column, _ in cells], index),
        np.array([cell for _, cell in cells], value),
        n_columns,
    )


@st.composite
def examples(draw):
    n_columns = draw(WIDTHS)
    columns = st.one_of(
        st.integers(0, n_columns - 1), st.sampled_from([0, n_columns - 1, n_columns // 2])
    )
    rows = draw(st.lists(st.dictionaries(columns, VALUES, max_size=9), max_size=30))
    index = np.int32 if n_columns <= 2**31 and draw(st.booleans()) else np.int64
    value = draw(st.sampled_from([np.float32, np.float64]))
    if value is np.float32:
        rows = [
            {c: float(np.float32(max(-3e38, min(3e38, v)))) for c, v in r.items()} for r in rows
        ]
    return sparse(rows, n_columns, value, index)


def assert_same_bits(found, wanted):
    assert found.dtype == wanted.dtype and found.shape == wanted.shape
    assert found.tobytes() == wanted.tobytes()


@settings(max_examples=50, deadline=None)
@given(examples(), st.integers(1, 12), st.integers(1, 40), st.integers(1, 9), st.data())
def test_rows_come_back(tmp_path_factory, rows, block, cells, step, data):
    path = tmp_path_factory.getbasetemp() / "rows.cache"
    n = len(rows)
    targets = data.draw(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=n, max_size=n))
    weights = np.array(data.draw(st.lists(VALUES, min_size=n, max_size=n)), float)
    with CacheWriter(path, n_columns=rows.n_columns, block=block, cells=cells) as writer:
        for first in range(0, n, step):
            part = part_of(rows, first, min(first + step, n))
            writer.append(part, targets[first : first + step], weights[first : first + step])
    with RowCache.open(path) as cache:
        assert cache.n_rows == n and cache.n_columns == rows.n_columns
        first = 0
        for k in range(cache.n_blocks):
            found = cache.examples(k)
            end = first + len(found.rows)
            wanted = part_of(rows, first, end)
            assert_same_bits(found.rows.indptr, wanted.indptr)
            assert_same_bits(found.rows.indices, wanted.indices)
            assert_same_bits(found.rows.data, wanted.data)
            assert found.targets.tolist() == targets[first:end]
            assert_same_bits(found.weights, weights[first:end])
            assert 1 <= end - first <= block
            assert end - first == 1 or found.rows.indptr[-1] <= cells
            first = end
        assert first == n
    os.unlink(path)


def part_of(rows, first, end):
    begin, stop = rows.indptr[first], rows.indptr[end]
    starts = rows.indptr[first : end + 1] - begin
    return Csr(starts, rows.indices[begin:stop], rows.data[begin:stop], rows.n_columns)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.one_of(st.integers(0, 60), st.integers(0, 2**31 - 1)),
            st.one_of(st.just(1), st.integers(1, 2**32 - 1)),
            max_size=12,
        ),
        min_size=1,
        max_size=40,
    )
)
def test_the_twin_packs_the_same_bytes(rows):
    csr = sparse(rows, 2**31, np.uint32, np.int32)
    packed = _native.pack_cells(csr.indptr, csr.indices, csr.data, 2**31)
    assert packed == twin.pack_columns(rows)
    counts = _native.unpack_counts(*packed, len(rows), len(csr.data), 2**31)
    for found, wanted in zip(
        counts.take_counts(), (csr.indptr, csr.indices, csr.data), strict=True
    ):
        assert_same_bits(found, wanted)


@settings(max_examples=100, deadline=None)
@given(
    st.one_of(st.lists(VALUES), st.lists(st.sampled_from([0.0, -0.0, 0.1, 1.0]), max_size=300)),
    st.sampled_from([(np.float32, True), (np.float64, True), (np.int64, False)]),
)
def test_the_twin_packs_the_same_numbers(numbers, kind):
    dtype, floats = kind
    limit = 1e9 if dtype is np.int64 else 3e38 if dtype is np.float32 else np.inf
    array = np.array([max(-limit, min(limit, number)) for number in numbers], float).astype(dtype)
    item = array.itemsize
    whole = array.view(np.uint32 if item == 4 else np.uint64).tolist()
    packed = _native.pack_numbers(array.view(np.uint8), item, floats)
    assert packed == twin.pack_numbers(whole, item, floats)
    assert_same_bits(_native.unpack_numbers(packed, len(array), item, True).view(dtype), array)


@pytest.mark.parametrize("n", [255, 256, 257, 65536, 65537])
def test_dictionaries_of_every_size(n):
    array = np.repeat(np.random.default_rng(n).standard_normal(n), 4)
    packed = _native.pack_numbers(array.view(np.uint8), 8, True)
    assert (packed[0] == 255) == (n > 65536)
    assert_same_bits(_native.unpack_numbers(packed, len(array), 8, True).view(float), array)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("shape", [(0, 3), (1, 1), (50, 7), (9, 0)])
def test_dense_rows_come_back(tmp_path, dtype, shape):
    path = tmp_path / "rows.cache"
    values = np.random.default_rng(0).standard_normal(shape).astype(dtype)
    targets = np.arange(2 * shape[0]).reshape(-1, 2) % 2
    with CacheWriter(path, n_columns=shape[1], layout="dense", block=8) as writer:
        writer.append(values, targets)
    with RowCache.open(path) as cache:
        found = list(cache)
        assert sum(len(one.rows) for one in found) == len(values)
        if found:
            assert_same_bits(np.concatenate([one.rows for one in found]), values)
            assert np.array_equal(np.concatenate([one.targets for one in found]), targets)
            assert found[0].weights is None


SETTINGS = [
    {},
    {"chars": (2, 4), "block_weights": (0.8, 0.6), "idf": None},
    {"hash_bits": 10, "tf": "raw"},
    {"hash_bits": 12, "chars": (1, 3), "block_weights": (1, 2), "norm": None},
]


@pytest.mark.parametrize("parameters", SETTINGS, ids=str)
def test_values_of_texts_are_computed_again(tmp_path, parameters):
    rng = np.random.default_rng(0)
    words = ["win", "prize", "now", "lunch", "at", "noon", "straße", "日本語"]
    texts = [" ".join(rng.choice(words, rng.integers(0, 30))) for _ in range(200)]
    vectorizer = TextVectorizer(**parameters).fit(texts[:150])
    rows, path = vectorizer.rows(texts), tmp_path / "rows.cache"
    with CacheWriter(path, n_columns=rows.n_columns, layout="counts", block=64) as writer:
        for first in range(0, 200, 50):
            writer.append(vectorizer.count(texts[first : first + 50]), range(first, first + 50))
    with RowCache.open(path, vectorizer) as cache:
        for k in range(cache.n_blocks):
            found, targets = cache.block(k)
            wanted = part_of(rows, 64 * k, min(64 * k + 64, 200))
            assert_same_bits(found.indptr, wanted.indptr)
            assert_same_bits(found.indices, wanted.indices)
            assert_same_bits(found.data, wanted.data)
            assert targets.tolist() == list(range(64 * k, min(64 * k + 64, 200)))
    with RowCache.open(path) as cache:  # counts, for whoever weighs them later
        assert (
            vectorizer.weigh(cache.block(1)[0]).data.tobytes()
            == part_of(rows, 64, 128).data.tobytes()
        )


def test_counts_beyond_the_table_of_logarithms(tmp_path):
    texts = ["win " * 5000 + "prize", "prize prize"]
    vectorizer, path = TextVectorizer().fit(texts), tmp_path / "rows.cache"
    rows = vectorizer.rows(texts)
    with CacheWriter(path, n_columns=rows.n_columns, layout="counts") as writer:
        writer.append(vectorizer.count(texts))
    with RowCache.open(path, vectorizer) as cache:
        assert_same_bits(cache.block(0)[0].data, rows.data)
    smaller = TextVectorizer().fit(["win"])
    with pytest.raises(InputError, match="vectorizer: got 1 column, wanted the 5 of the cache"):
        RowCache.open(path, smaller)


def write_small(path, **more):
    rows = sparse([{0: 1.0, 5: 2.0}, {}, {4: -0.0}, {0: 0.1, 6: 1e-310}], 7)
    with CacheWriter(path, n_columns=7, block=3, **more) as writer:
        writer.append(rows, [1, 0, 2, 1], [1.0, 0.5, 2.0, 1.0])
    return rows


def read_all(path):
    with RowCache.open(path) as cache:
        return [
            [part.tobytes() for part in (e.rows.indptr, e.rows.indices, e.rows.data)]
            + [e.targets.tobytes(), e.weights.tobytes(), e.rows.n_columns]
            for e in cache
        ]


def test_every_changed_byte_is_refused_or_changes_nothing(tmp_path):
    path = tmp_path / "rows.cache"
    write_small(path, facts={"made of": "tests"})
    whole, wanted = path.read_bytes(), read_all(path)
    for place in range(len(whole)):
        for change in (1, 128):
            changed = bytearray(whole)
            changed[place] ^= change
            path.write_bytes(changed)
            with pytest.raises(DataFormatError):
                read_all(path)
    path.write_bytes(whole)
    assert read_all(path) == wanted


def test_every_truncation_is_refused(tmp_path):
    path = tmp_path / "rows.cache"
    write_small(path)
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with pytest.raises(DataFormatError, match="missing|not a cache"):
            read_all(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(DataFormatError, match="behind its end"):
        read_all(path)


@pytest.mark.parametrize(
    ("version", "said"), [(2, "newer hardlimit .format 2.; this one reads 1"), (0, "format 0")]
)
def test_other_versions_are_told(tmp_path, version, said):
    path = tmp_path / "rows.cache"
    write_small(path)
    whole = bytearray(path.read_bytes())
    whole[16:20] = version.to_bytes(4, "little")
    whole[88:96] = _native.digest(bytes(whole[:88])).to_bytes(8, "little")
    path.write_bytes(whole)
    with pytest.raises(DataFormatError, match=said):
        RowCache.open(path)


def test_a_file_that_changes_while_it_is_open(tmp_path):
    path = tmp_path / "rows.cache"
    write_small(path)
    with RowCache.open(path) as cache:
        first = cache.examples(0)
        with open(path, "r+b") as file:
            file.truncate(100)
        with pytest.raises(DataFormatError, match="block 0 of 2 was changed"):
            cache.block(0)
        assert first.targets.tolist() == [1, 0, 2]  # what was read stays
        # One that is replaced goes on being read as it was.
    write_small(path)
    with RowCache.open(path) as cache:
        with CacheWriter(path, n_columns=1) as writer:
            writer.append(sparse([{0: 3.0}], 1))
        assert cache.block(1)[1].tolist() == [1]


def test_threads_read_at_once(tmp_path):
    path = tmp_path / "rows.cache"
    rng = np.random.default_rng(1)
    rows = [dict.fromkeys(rng.integers(0, 999, 20).tolist(), 1.5) for _ in range(300)]
    with CacheWriter(path, n_columns=999, block=10) as writer:
        writer.append(sparse(rows, 999), np.arange(300))
    cache, wrong = RowCache.open(path), []

    def read(first):
        for k in range(first, first + 30):
            found = cache.examples(k % 30)
            wanted = sparse(rows[k % 30 * 10 : k % 30 * 10 + 10], 999)
            if found.rows.indices.tolist() != wanted.indices.tolist():
                wrong.append(k)

    threads = [threading.Thread(target=read, args=(7 * i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    cache.close()
    cache.close()
    with pytest.raises(FileError, match="was closed"):
        cache.block(0)


def test_an_empty_cache(tmp_path):
    path = tmp_path / "rows.cache"
    with CacheWriter(path, n_columns=3):
        pass
    with RowCache.open(path) as cache:
        assert (cache.n_rows, cache.n_blocks, cache.n_columns) == (0, 0, 3)
        assert cache.size_in_bytes == path.stat().st_size
        with pytest.raises(InputError, match="block"):
            cache.block(0)


def test_what_is_no_row_is_refused(tmp_path):
    path = tmp_path / "rows.cache"
    with CacheWriter(path, n_columns=3) as writer:
        for value in (np.nan, np.inf):
            with pytest.raises(InputError, match="row 0, column 1: .*finite"):
                writer.append(sparse([{1: value}], 3))
        with pytest.raises(InputError, match="3 columns|no such column|wanted 3"):
            writer.append(sparse([{5: 1.0}], 6))
        with pytest.raises(KindError, match="dense rows"):
            writer.append(np.zeros((1, 3)))
        writer.append(sparse([{2: 1.0}], 3), [1])
        for targets, weights in (
            (None, None),
            ([0.5], None),
            ([1, 2], None),
            ([1], [np.nan]),
            ([1], [1.0]),
        ):
            with pytest.raises(InputError):
                writer.append(sparse([{2: 1.0}], 3), targets, weights)
    with RowCache.open(path) as cache:
        assert cache.n_rows == 1


def test_what_breaks_off_leaves_the_old_file(tmp_path):
    path = tmp_path / "rows.cache"
    write_small(path)
    before = path.read_bytes()
    with pytest.raises(OSError, match="source"), CacheWriter(path, n_columns=3) as writer:
        writer.append(sparse([{2: 1.0}], 3))
        raise OSError("the source cannot be read")
    assert path.read_bytes() == before and os.listdir(tmp_path) == [path.name]


@pytest.mark.parametrize("room", [0, 200, 260])
def test_a_full_disk_is_told(tmp_path, fill_disk, room):
    fill_disk(tmp_path, room)
    with (
        pytest.raises(FileError, match="No space left"),
        CacheWriter(tmp_path / "rows.cache", n_columns=3, block=1) as writer,
    ):
        writer.append(sparse([{2: 1.0}], 3))
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    "parameters", [{"layout": "rows"}, {"block": 0}, {"cells": 0}, {"block": 2**21}]
)
def test_impossible_parameters(tmp_path, parameters):
    with pytest.raises(InputError):
        CacheWriter(tmp_path / "rows.cache", **{"n_columns": 3, **parameters})


@pytest.mark.parametrize("content", ["", "label,text\nspam,win\n"])
def test_other_files_are_told(tmp_path, content):
    path = tmp_path / "data.csv"
    path.write_text(content)
    with pytest.raises(DataFormatError, match="not a cache"):
        RowCache.open(path)
    with pytest.raises(FileError, match="No such file"):
        RowCache.open(tmp_path / "none")
    with pytest.raises(FileError, match="not a regular file"):
        RowCache.open(tmp_path)


def signed(data):
    """Give directory and header the digests that fit them."""
    whole = bytearray(data)
    begin = int.from_bytes(data[72:80], "little")
    whole[80:88] = _native.digest(bytes(whole[begin:])).to_bytes(8, "little")
    end = HEADER.size
    whole[end : end + 8] = _native.digest(bytes(whole[:end])).to_bytes(8, "little")
    return bytes(whole)


@pytest.fixture
def small_cache(tmp_path):
    """A cache of three rows in two blocks, and its facts."""
    path = tmp_path / "rows.cache"
    with CacheWriter(path, n_columns=7, block=2, facts={"a": 1}) as writer:
        writer.append(sparse([{0: 1.0}, {}, {5: 2.0}], 7))
    return path


def test_facts_are_bounded(small_cache, monkeypatch):
    monkeypatch.setattr(cache_format, "MOST_FACTS", 7)  # {"a":1}
    RowCache.open(small_cache).close()
    monkeypatch.setattr(cache_format, "MOST_FACTS", 6)
    with pytest.raises(DataFormatError, match="its header contradicts itself"):
        RowCache.open(small_cache)


@pytest.mark.parametrize("section", range(5))
def test_no_section_is_longer_than_the_file(section, small_cache):
    data = bytearray(small_cache.read_bytes())
    place = int.from_bytes(data[72:80], "little") + 64 + 8 * (2 + section)
    for size in (len(data), 2**63):
        data[place : place + 8] = size.to_bytes(8, "little")
        small_cache.write_bytes(signed(bytes(data)))
        with pytest.raises(DataFormatError, match="its entry of block 1 contradicts the others"):
            RowCache.open(small_cache)
