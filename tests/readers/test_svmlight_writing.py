"""Rows that are written as svmlight come back bit by bit."""

import gzip

import numpy as np
import pytest
from scipy import sparse

from hardlimit.exceptions import FileError, InputError
from hardlimit.readers import load_numbers, svmlight_writing, write_svmlight


def odd_numbers(seed, n):
    """Doubles of every size, and those that are hard to write."""
    draw = np.random.default_rng(seed)
    bits = draw.integers(0, 2**64, size=n, dtype=np.uint64).view(np.float64)
    named = [5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 0.1, 1 / 3, 1e22, 1e23, 2**53]
    return np.concatenate([bits[np.isfinite(bits)], named, np.negative(named)])


@pytest.mark.parametrize("zero_based", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_comes_back(tmp_path, seed, zero_based):
    values = odd_numbers(seed, 2000)
    draw = np.random.default_rng(seed)
    rows = np.zeros((len(values), 40))
    rows[np.arange(len(values)), draw.integers(0, 40, len(values))] = values
    labels = odd_numbers(seed + 10, 3000)[: len(rows)]
    write_svmlight(tmp_path / "a.svm", rows, labels, zero_based)
    found = load_numbers(tmp_path / "a.svm", zero_based=zero_based, n_features=40)
    dense = sparse.csr_matrix((found.X.data, found.X.indices, found.X.indptr), found.X.shape)
    assert np.array_equal(dense.toarray().view(np.uint64), (rows + 0.0).view(np.uint64))
    assert found.y.tolist() == labels.tolist()


@pytest.mark.parametrize("cells", [1, 7, 1 << 20])
def test_sparse_rows_and_our_own(tmp_path, cells, monkeypatch):
    monkeypatch.setattr(svmlight_writing, "_CELLS", cells)
    X = sparse.random(30, 20, 0.3, format="csr", random_state=0)
    y = np.arange(30)
    write_svmlight(tmp_path / "a.svm.gz", X.tocoo(), y)
    found = load_numbers(tmp_path / "a.svm.gz", n_features=20)
    assert (sparse.csr_matrix((found.X.data, found.X.indices, found.X.indptr)) != X).nnz == 0
    write_svmlight(tmp_path / "b.svm", found.X, found.y)
    write_svmlight(tmp_path / "c.svm", X.toarray(), y)
    text = gzip.decompress((tmp_path / "a.svm.gz").read_bytes())
    assert text == (tmp_path / "b.svm").read_bytes() == (tmp_path / "c.svm").read_bytes()


def test_stored_zeros_stay_and_numbers_are_short(tmp_path):
    X = sparse.csr_matrix(([0.0, 0.1, 3.0], [0, 1, 2], [0, 3]), shape=(1, 3))
    write_svmlight(tmp_path / "a.svm", X, [True])
    assert (tmp_path / "a.svm").read_text() == "1 1:0 2:0.1 3:3\n"


@pytest.mark.parametrize(
    ("X", "y", "said"),
    [
        ([[1.0, np.nan]], [1], "row 0, column 1"),
        ([[0.0], [np.inf]], [1, 2], "row 1, column 0"),
        ([[1.0]], ["a"], "wanted one number a row"),
        ([[1.0]], [np.nan], "wanted finite numbers"),
        ([[1.0]], [1, 2], "1 row, but 2 labels"),
        ([1.0], [1], "wanted rows of numbers"),
        ([["a"]], [1], "wanted numbers"),
    ],
)
def test_what_is_refused_leaves_the_file(tmp_path, X, y, said):
    path = tmp_path / "a.svm"
    path.write_text("before")
    with pytest.raises(InputError, match=said):
        write_svmlight(path, X, y)
    assert path.read_text() == "before" and len(list(tmp_path.iterdir())) == 1


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(FileError):
        write_svmlight(tmp_path / "no" / "a.svm", [[1.0]], [1])


def test_the_compiled_writer_checks_what_it_is_given():
    from hardlimit._native import write_svmlight_rows

    labels, starts = np.ones(2), np.array([0, 1, 2])
    cells = np.zeros(2, np.int32), np.ones(2)
    assert write_svmlight_rows(labels, starts, *cells, 1) == b"1 1:1\n1 1:1\n"
    for wrong in ([0, 1, 3], [0, 2, 1], [-1, 0, 2], [0, 2]):
        with pytest.raises(ValueError, match="starts"):
            write_svmlight_rows(labels, np.array(wrong), *cells, 1)
    with pytest.raises(ValueError, match="value"):
        write_svmlight_rows(labels, starts, cells[0], np.ones(1), 1)
