"""numpy's arrays, scipy's sparse matrices and IDX: rows of numbers without names."""

import gzip
import io
import struct
import zipfile

import numpy as np
import pytest
from scipy import sparse

from hardlimit.cli import main
from hardlimit.exceptions import ColumnError, DataFormatError, FileError
from hardlimit.readers import load_numbers

X = np.array([[1.0, 0, 2], [0, 3, 0]])
Y = np.array([1, -1])


def npy(array, **header):
    file = io.BytesIO()
    np.save(file, array, allow_pickle=array.dtype.hasobject)
    return file.getvalue()


def idx(array, kind=8):
    sizes = b"".join(struct.pack(">I", n) for n in array.shape)
    return bytes([0, 0, kind, array.ndim]) + sizes + array.tobytes()


def equal(found, X, y):
    return np.array_equal(found.X, X) and (y is None or found.y.tolist() == list(y))


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "u1", "?", ">f8", "f2"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_rows_with_labels_beside(write, tmp_path, dtype, order):
    rows = np.asarray(X, dtype, order=order)
    path = write("X_train.npy", npy(rows))
    write("y_train.npy", npy(Y))
    assert equal(load_numbers(path), rows, Y)
    other = write("other.npy", npy(np.array(["a", "b"])))
    found = load_numbers(path, other)
    assert found.y.tolist() == ["a", "b"] and found.X.dtype == np.float64
    assert load_numbers(path, need_label=False).y is None


def test_doubles_are_mapped_and_images_become_rows(write):
    path = write("X.npy", npy(X))
    write("y.npy", npy(Y))
    rows = load_numbers(path).X
    while rows.base is not None and not isinstance(rows, np.memmap):
        rows = rows.base
    assert isinstance(rows, np.memmap) or type(rows).__name__ == "mmap"
    images = write("images.npy", npy(np.arange(24).reshape(2, 3, 4)))
    assert load_numbers(images, need_label=False).X.shape == (2, 12)


@pytest.mark.parametrize("shape", [(0, 2**62, 2**62), (2**62, 2**62, 0), (0, 2**60)])
def test_a_shape_beyond_any_memory_is_refused_though_it_promises_nothing(write, shape):
    header = repr({"descr": "|u1", "fortran_order": False, "shape": shape}).ljust(117) + "\n"
    data = b"\x93NUMPY\x01\0" + struct.pack("<H", len(header)) + header.encode()
    with pytest.raises(DataFormatError, match="which is no array"):
        load_numbers(write("X.npy", data), need_label=False)
    data = bytes([0, 0, 8, 4]) + struct.pack(">IIII", 0, *[2**32 - 1] * 3)
    with pytest.raises(DataFormatError, match="which is no array"):
        load_numbers(write("X.idx", data), need_label=False)


def test_arrays_by_their_names(tmp_path):
    np.savez(tmp_path / "a.npz", X=X, y=Y, other=[1, 1])
    assert equal(load_numbers(tmp_path / "a.npz"), X, Y)
    assert equal(load_numbers(tmp_path / "a.npz", "other"), X, [1, 1])
    np.savez_compressed(tmp_path / "b.npz", features=X, labels=np.array(["a", "b"]))
    assert equal(load_numbers(tmp_path / "b.npz"), X, ["a", "b"])
    with pytest.raises(ColumnError, match="there is no array 'z'"):
        load_numbers(tmp_path / "b.npz", "z")
    np.savez(tmp_path / "c.npz", p=X)
    with pytest.raises(ColumnError, match="no array has the name of rows"):
        load_numbers(tmp_path / "c.npz")


@pytest.mark.parametrize("kind", ["csr", "csc", "coo"])
@pytest.mark.parametrize("seed", range(3))
def test_sparse_matrices_of_scipy(tmp_path, kind, seed):
    matrix = sparse.random(20, 15, 0.2, format=kind, random_state=seed)
    sparse.save_npz(tmp_path / "X.npz", matrix)
    np.save(tmp_path / "y.npy", np.arange(20))
    found = load_numbers(tmp_path / "X.npz")
    wanted = matrix.tocsr()
    wanted.sort_indices()
    assert found.X.shape == (20, 15) and found.y.tolist() == list(range(20))
    assert np.array_equal(found.X.indptr, wanted.indptr)
    assert np.array_equal(found.X.indices, wanted.indices)
    assert np.array_equal(found.X.data, wanted.data)
    assert load_numbers(tmp_path / "X.npz", n_features=18).X.shape == (20, 18)


def test_cells_of_one_place_are_added(tmp_path):
    matrix = sparse.coo_matrix(([1.0, 2, 4], ([0, 0, 1], [2, 2, 0])), shape=(2, 3))
    sparse.save_npz(tmp_path / "a.npz", matrix)
    found = load_numbers(tmp_path / "a.npz", need_label=False).X
    assert found.data.tolist() == [3, 4] and found.indices.tolist() == [2, 0]


@pytest.mark.parametrize("packed", ["", ".gz"])
def test_images_and_their_labels(write, packed):
    pack = gzip.compress if packed else bytes
    images = np.arange(24, dtype="u1").reshape(2, 3, 4)
    path = write(f"train-images-idx3-ubyte{packed}", pack(idx(images)))
    write(f"train-labels-idx1-ubyte{packed}", pack(idx(np.array([7, 3], "u1"))))
    assert equal(load_numbers(path), images.reshape(2, 12), [7, 3])
    doubles = write("d.idx", idx(np.array([[0.5, 2]], ">f8"), 14))
    assert equal(load_numbers(doubles, need_label=False), [[0.5, 2]], None)


def bad_npy():
    good = npy(X)
    objects = np.array([[1, "a"]], dtype=object)
    yield "objects of Python", npy(objects)
    yield "what follows has 48 bytes", good.replace(b"(2, 3)", b"(9, 3)")
    yield "what follows has 48 bytes", good.replace(b"(2, 3), }    ", b"(99999999,9)}")
    yield "what follows has", good[:-8]
    yield "what follows has", good + b"\0"
    yield "no array of numpy", good[:20]
    yield "no array of numpy", b""
    yield "no array of numpy", good.replace(b"{'descr'", b"{'dexcr'")
    yield "version of numpy", good[:6] + b"\x09\x00" + good[8:]
    yield "row 2, column 1: got nan", npy(np.array([[1, 2], [3, np.nan]]))
    yield "wanted rows of numbers", npy(np.array([1.0, 2]))
    yield "wanted rows of numbers", npy(np.array([["a"]]))
    yield "no row of numbers", npy(np.zeros((0, 3)))


@pytest.mark.parametrize(("said", "data"), list(bad_npy()))
def test_arrays_that_are_refused(write, said, data):
    with pytest.raises(DataFormatError, match=said):
        load_numbers(write("a.npy", data), need_label=False)


def test_labels_that_do_not_fit(write):
    path = write("X.npy", npy(X))
    with pytest.raises(DataFormatError, match="there are no labels"):
        load_numbers(path)
    write("y.npy", npy(np.arange(3)))
    with pytest.raises(DataFormatError, match="wanted one for each of 2 rows"):
        load_numbers(path)
    with pytest.raises(DataFormatError, match="not finite"):
        load_numbers(path, write("z.npy", npy(np.array([1, np.inf]))))
    with pytest.raises(FileError):
        load_numbers(path, "missing.npy")


def bad_sparse():
    good = {"format": np.array(b"csr"), "shape": np.array([2, 3]), "data": np.array([1.0, 2])}
    good |= {"indices": np.array([0, 2]), "indptr": np.array([0, 1, 2])}
    yield "wanted csr, csc or coo", {**good, "format": np.array(b"bsr")}
    yield "not that of a matrix", {**good, "shape": np.array([2, 3, 4])}
    yield "not that of a matrix", {**good, "shape": np.array([2, -3])}
    yield "indptr does not", {**good, "shape": np.array([2**40, 3])}
    yield "indptr does not", {**good, "indptr": np.array([0, 2, 1])}
    yield "indptr does not", {**good, "indptr": np.array([0.0, 1, 2])}
    yield "outside of the shape", {**good, "indices": np.array([0, 3])}
    yield "outside of the shape", {**good, "indices": np.array([0, -1])}
    yield "do not go together", {**good, "data": np.array([1.0])}
    yield "row 2, column 2: got inf", {**good, "data": np.array([1.0, np.inf])}
    coo = {k: good[k] for k in ("data",)} | {"row": np.array([0, 1]), "col": np.array([0, 1])}
    yield "too many rows", {**coo, "format": np.array(b"coo"), "shape": np.array([2**30, 3])}


@pytest.mark.parametrize(("said", "parts"), list(bad_sparse()))
def test_sparse_matrices_that_are_refused(tmp_path, said, parts):
    np.savez(tmp_path / "a.npz", **parts)
    with pytest.raises(DataFormatError, match=said):
        load_numbers(tmp_path / "a.npz", need_label=False)


def test_archives_that_are_refused(write, tmp_path):
    np.savez(tmp_path / "a.npz", X=X)
    data = (tmp_path / "a.npz").read_bytes()
    for number, broken in enumerate((data[:60], b"", b"PK\x03\x04" + b"\0" * 60)):
        with pytest.raises(DataFormatError, match="no .npz"):
            load_numbers(write(f"{number}.npz", broken), need_label=False)
    changed = bytearray(data)
    place = changed.index(X.tobytes())
    changed[place] ^= 1
    with pytest.raises(DataFormatError, match="Bad CRC-32"):
        load_numbers(write("c.npz", bytes(changed)), need_label=False)
    with zipfile.ZipFile(tmp_path / "o.npz", "w") as packed:
        packed.writestr("X.npy", npy(np.array([[None]], object)))
    with pytest.raises(DataFormatError, match="objects of Python"):
        load_numbers(tmp_path / "o.npz", need_label=False)


def bad_idx():
    good = idx(np.zeros((2, 3), "u1"))
    yield "magic number", b"\0\1" + good[2:]
    yield "magic number", good[:3]
    yield "cut off in its header", good[:9]
    yield "but there are 5", good[:-1]
    yield "but there are more", good + b"\0"
    yield "but there are 6", good[:4] + b"\xff" * 8 + good[12:]
    yield "dimensions are too many", good[:3] + b"\xff" + good[4:]
    yield "labels, and no rows", idx(np.zeros(3, "u1"))


@pytest.mark.parametrize(("said", "data"), list(bad_idx()))
def test_images_that_are_refused(write, said, data):
    with pytest.raises(DataFormatError, match=said):
        load_numbers(write("a.idx", data), need_label=False)
    with pytest.raises(DataFormatError):
        load_numbers(write("b-idx3-ubyte.gz", gzip.compress(data)))


def test_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    draw = np.random.default_rng(0)
    rows = draw.normal(size=(40, 3))
    np.save("X_train.npy", rows)
    np.save("y_train.npy", (rows[:, 0] > 0).astype(int))
    np.save("X_test.npy", rows[:5])
    np.save("truth.npy", (rows[:5, 0] > 0).astype(int))
    assert main(["train", "X_train.npy", "-o", "m"]) == 0
    assert main(["evaluate", "m", "X_test.npy", "--label", "truth.npy"]) == 0
    assert "5, of which 5 correct" in capsys.readouterr().out
    assert main(["predict", "m", "X_test.npy"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5
    assert main(["train", "X_test.npy", "--label", "truth.npy", "-o", "n"]) == 0
    assert main(["evaluate", "n", "X_train.npy"]) == 0


def test_images_of_no_rows_are_refused(write):
    with pytest.raises(DataFormatError, match="no row of numbers"):
        load_numbers(write("x.npy", npy(np.zeros((0, 2, 2)))), need_label=False)
    with pytest.raises(DataFormatError, match="no row of numbers"):
        load_numbers(write("a-idx3-ubyte", idx(np.zeros((0, 2, 2), "u1"))), need_label=False)


def test_a_label_beyond_64_bits_with_a_sign_is_refused(write):
    path = write("X.npy", npy(X))
    write("y.npy", npy(np.array([2**63 + 5, 1], np.uint64)))
    with pytest.raises(DataFormatError, match="9223372036854775813"):
        load_numbers(path)
