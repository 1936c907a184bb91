"""Blocks side by side, against a slow twin in numpy, and what contradicts itself."""

import pickle

import numpy as np
import pytest

from hardlimit import TextVectorizer, _native
from hardlimit.examples.sparse import Csr
from hardlimit.text.columns import ColumnsVectorizer


def drawn_rows(draw, n_rows, n_columns):
    chosen = [np.flatnonzero(draw.random(n_columns) < 0.3) for _ in range(n_rows)]
    indptr = np.cumsum([0, *map(len, chosen)]).astype(np.int64)
    indices = np.concatenate(chosen).astype(np.int32)
    return Csr(indptr, indices, draw.random(len(indices), np.float32), n_columns)


def slow_join(parts, places, scales):
    """Return the same rows, all cells in one list that is sorted by row and column."""
    cells = []
    for part, own, scale in zip(parts, places, scales, strict=True):
        row = np.repeat(np.arange(len(part)), np.diff(part.indptr))
        columns, values = np.array(own)[part.indices], part.data * np.float32(scale)
        cells += zip(row.tolist(), columns.tolist(), values.tolist(), strict=True)
    cells.sort()
    starts = np.searchsorted([row for row, _, _ in cells], np.arange(len(parts[0]) + 1))
    return starts, [column for _, column, _ in cells], [value for _, _, value in cells]


@pytest.mark.parametrize("n_blocks", [1, 2, 3, 7])
def test_rows_are_those_of_the_slow_twin_while_blocks_grow_between_each_other(n_blocks):
    draw = np.random.default_rng(n_blocks)
    joined, places = _native.JoinedColumns(n_blocks), [[] for _ in range(n_blocks)]
    sizes, scales = [0] * n_blocks, draw.random(n_blocks).tolist()
    for step in range(8):
        sizes = [size + int(draw.integers(0, 1 + 20 * (step != 3))) for size in sizes]
        parts = [drawn_rows(draw, 5, size) for size in sizes]
        for own, size in zip(places, sizes, strict=True):
            first = sum(map(len, places))
            own += range(first, first + size - len(own))
        indptr, indices, data, n_columns = joined.join(parts, scales, True)
        starts, columns, values = slow_join(parts, places, scales)
        assert n_columns == sum(sizes) == joined.n_columns
        assert (indptr.tolist(), indices.tolist()) == (starts.tolist(), columns)
        assert data.tobytes() == np.array(values, np.float32).tobytes()
        assert [joined.columns(k).tolist() for k in range(n_blocks)] == places
    found = [own.tolist() for own in joined.owners(np.arange(-1, n_columns + 1))]
    owners = {c: (k, at) for k, own in enumerate(places) for at, c in enumerate(own)}
    assert list(zip(*found, strict=True)) == [
        owners.get(c, (-1, -1)) for c in range(-1, n_columns + 1)
    ]
    # What a file says makes the same again.
    again = _native.JoinedColumns([np.array(own, np.int64) for own in places], n_columns)
    assert [again.columns(k).tolist() for k in range(n_blocks)] == places


def test_features_of_texts_are_joined_as_their_arrays_are():
    texts = ["win a prize", "", "lunch at noon, lunch"]
    blocks = [TextVectorizer(words=(1, 2)).fit(texts), TextVectorizer(hash_bits=6).fit(texts)]
    for scales in ([1.0, 1.0], [0.6, 0.8]):
        joined = _native.JoinedColumns(2)
        features = joined.join([block.compiled_rows(texts) for block in blocks], scales, True)
        arrays = joined.join([block.rows(texts) for block in blocks], scales)
        assert [np.asarray(a).tobytes() for a in features] == [
            np.asarray(a).tobytes() for a in arrays
        ]


@pytest.mark.parametrize(
    ("blocks", "n_columns", "said"),
    [
        ([[0, 1], [1, 2]], 3, "not those of the whole"),
        ([[0, 1], [1]], 3, "not those of the whole"),
        ([[0], [2]], 2, "not those of the whole"),
        ([[0], [-1]], 2, "not those of the whole"),
        ([[0], [1]], 1 << 62, "not those of the whole"),
        ([[0], [1]], -1, "not those of the whole"),
        ([[2, 0], [1]], 3, "not ascending"),
    ],
)
def test_columns_that_contradict_each_other_are_refused(blocks, n_columns, said):
    with pytest.raises(ValueError, match=said):
        _native.JoinedColumns([np.array(own, np.int64) for own in blocks], n_columns)


def test_rows_that_do_not_fit_are_refused():
    joined = _native.JoinedColumns(2)
    two = Csr(*(np.array(a, t) for a, t in (([0, 1, 2], "q"), ([0, 1], "i"), ([1, 1], "f"))), 2)
    one = Csr(two.indptr[:2], two.indices[:1], two.data[:1], 2)
    with pytest.raises(ValueError, match="numbers of rows"):
        joined.join([two, one], [1.0, 1.0], True)
    with pytest.raises(ValueError, match="other blocks"):
        joined.join([two], [1.0])
    with pytest.raises(IndexError, match="a column of no block"):
        _native.JoinedColumns(1).join([two], [1.0])
    with pytest.raises(ValueError, match="numbers of rows"):
        wrong = Csr(np.array([0, 9], np.int64), one.indices, one.data, 2)
        _native.JoinedColumns(1).join([wrong], [1.0], True)


def test_a_pickle_goes_on_as_the_original():
    settings = {"words": (1, 1), "chars": None}
    first = ColumnsVectorizer.chosen(("a", "b"), settings, [("x", "y")])
    first.learn_rows([("one two", "three"), ("four", "five")])
    again = pickle.loads(pickle.dumps(first))
    more = [("six one", "seven"), ("two", "three")]
    rows = [vectorizer.learn_rows(more) for vectorizer in (first, again)]
    assert rows[0].indices.tolist() == rows[1].indices.tolist()
    assert rows[0].data.tobytes() == rows[1].data.tobytes()
    assert again.terms(range(again.n_columns_)) == first.terms(range(first.n_columns_))
