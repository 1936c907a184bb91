"""Rows of numbers, some at a time, are those of the file read whole."""

import gzip

import numpy as np
import pytest

from hardlimit.exceptions import HardlimitError
from hardlimit.readers import (
    arff,
    arrays,
    arrow_slices,
    load_numbers,
    numeric_csv,
)
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.numeric_files import read_blocks, streams

RANDOM = np.random.default_rng(2)
X = RANDOM.integers(-3, 4, (300, 5)).astype(float)
Y = RANDOM.integers(0, 3, 300)


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch):
    """Many blocks of a small file."""
    blocks = TextSource.blocks
    monkeypatch.setattr(TextSource, "blocks", lambda self, size=500: blocks(self, size))
    monkeypatch.setattr(numeric_csv, "_ROWS", 7)


def write_svmlight(path, lowest=1, rows=X, labels=Y):
    lines = [
        f"{y} " + " ".join(f"{j + lowest}:{v}" for j, v in enumerate(row) if v)
        for row, y in zip(rows, labels, strict=True)
    ]
    path.write_text("# a comment\n" + "\n".join(lines) + "\n")
    return path


def write_csv(path, header="a,b,c,d,e,y\n"):
    lines = [",".join(map(str, [*row, y])) for row, y in zip(X.tolist(), Y.tolist(), strict=True)]
    path.write_text(header + "\n".join(lines) + "\n")
    return path


def dense(matrix, width):
    if not hasattr(matrix, "indptr"):
        return matrix
    found = np.zeros((matrix.shape[0], width))
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    found[rows, matrix.indices] = matrix.data
    return found


def check_same(paths):
    whole = load_numbers([str(path) for path in paths])
    parts = [numbers for _, numbers in read_blocks([str(path) for path in paths])]
    assert len(parts) > 2 * len(paths)
    width = whole.X.shape[1]
    assert (np.vstack([dense(part.X, width) for part in parts]) == dense(whole.X, width)).all()
    assert [y for part in parts for y in part.y.tolist()] == whole.y.tolist()
    assert [line for part in parts for line in part.lines] == list(whole.lines)


@pytest.mark.parametrize("lowest", [0, 1])
def test_svmlight(lowest, tmp_path):
    check_same([write_svmlight(tmp_path / f"{name}.svm", lowest) for name in "ab"])


@pytest.mark.parametrize("header", ["a,b,c,d,e,y\n", ""])
def test_numeric_csv(header, tmp_path):
    check_same([write_csv(tmp_path / f"{name}.csv", header) for name in "ab"])


def test_an_index_of_0_that_comes_late_is_refused(tmp_path):
    path = write_svmlight(tmp_path / "a.svm")
    with path.open("a") as file:
        file.write("1 0:1\n")
    with pytest.raises(HardlimitError, match="index 0 occurs"):
        list(read_blocks([str(path)]))


def test_a_bad_line_is_named_by_its_number_and_may_be_left_out(tmp_path):
    path = write_svmlight(tmp_path / "a.svm")
    with path.open("a") as file:
        file.write("nonsense\n1 1:1\n")
    with pytest.raises(HardlimitError, match=r"a.svm:302:"):
        list(read_blocks([str(path)]))
    parts = [part for _, part in read_blocks([str(path)], skip_bad=True)]
    assert parts[-1].y.tolist()[-1] == 1
    assert "1 bad row was left out" in parts[-1].notes[0]


def test_labels_that_begin_as_words_stay_words(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,y\n" + "1,x\n" * 7 + "1,2\n" * 7)
    labels = [label for _, part in read_blocks([str(path)]) for label in part.y.tolist()]
    assert labels == ["x"] * 7 + ["2"] * 7


def test_which_formats_are_read_some_rows_at_a_time(tmp_path):
    assert streams("a.svm.gz", None)
    assert streams("a.csv", None)
    assert not streams("a.npz", None)
    np.savez(tmp_path / "a.npz", X=X, y=Y)
    ((_, whole),) = read_blocks([str(tmp_path / "a.npz")])
    assert whole.X.shape == (300, 5)


@pytest.mark.parametrize("text", ["", "# nothing\n"])
def test_a_file_without_rows_is_refused(text, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(text or "\n")
    with pytest.raises(HardlimitError):
        list(read_blocks([str(path)], "numeric-csv"))


def write_arff(path, labels=Y, sparse=False):
    names = "".join(f"@attribute c{j} numeric\n" for j in range(5))
    values = ",".join(map(str, sorted(set(labels))))
    cells = (
        "{" + ", ".join([*(f"{j} {v}" for j, v in enumerate(row) if v), f"5 {y}"]) + "}"
        if sparse
        else ",".join(map(str, [*row, y]))
        for row, y in zip(X.tolist(), labels, strict=True)
    )
    path.write_text(f"@relation r\n{names}@attribute y {{{values}}}\n@data\n" + "\n".join(cells))
    return path


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("labels", [Y, [f"k{y}" for y in Y]], ids=["numbers", "words"])
def test_arff(sparse, labels, tmp_path, monkeypatch):
    monkeypatch.setattr(arff, "_BLOCK_ROWS", 7)
    check_same([write_arff(tmp_path / f"{name}.arff", labels, sparse) for name in "ab"])


def test_numbers_among_the_words_of_an_arff_stay_words(tmp_path, monkeypatch):
    monkeypatch.setattr(arff, "_BLOCK_ROWS", 7)
    labels = ["1"] * 150 + ["x"] * 150
    parts = [part for _, part in read_blocks([str(write_arff(tmp_path / "a.arff", labels))])]
    assert [y for part in parts for y in part.y.tolist()] == labels


@pytest.mark.parametrize(
    "rows",
    [X, X.astype(np.float32), X.astype(np.int8), X.reshape(300, 1, 5), np.asfortranarray(X)],
    ids=["doubles", "floats", "bytes", "images", "columns"],
)
def test_npy(rows, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK", 200)
    np.save(tmp_path / "X.npy", rows)
    np.save(tmp_path / "y.npy", Y)
    whole = load_numbers(str(tmp_path / "X.npy"))
    parts = [part for _, part in read_blocks([str(tmp_path / "X.npy")])]
    assert (len(parts) > 7) is not np.isfortran(rows)
    assert (np.vstack([part.X for part in parts]) == whole.X).all()
    assert [y for part in parts for y in part.y.tolist()] == whole.y.tolist()
    assert [line for part in parts for line in part.lines] == list(whole.lines)


def test_a_bad_number_of_an_array_is_named_by_its_row(tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK", 200)
    rows = X.copy()
    rows[222, 3] = np.nan
    np.save(tmp_path / "X.npy", rows)
    np.save(tmp_path / "y.npy", Y)
    with pytest.raises(HardlimitError, match="row 223, column 3: got nan"):
        list(read_blocks([str(tmp_path / "X.npy")]))
    (tmp_path / "X.npy").write_bytes((tmp_path / "X.npy").read_bytes()[:-9])
    with pytest.raises(HardlimitError, match="X.npy: its header says"):
        list(read_blocks([str(tmp_path / "X.npy")]))


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_idx(pack, tmp_path, monkeypatch):
    monkeypatch.setattr(arrays, "_BLOCK", 200)
    images = np.abs(X).astype(np.uint8).reshape(300, 5, 1)
    end = ".gz" if pack is gzip.compress else ""
    path = tmp_path / f"train-images-idx3-ubyte{end}"
    head = b"\0\0\x08\x03" + np.array(images.shape, ">u4").tobytes()
    path.write_bytes(pack(head + images.tobytes()))
    labels = b"\0\0\x08\x01" + np.array([300], ">u4").tobytes() + Y.astype(np.uint8).tobytes()
    (tmp_path / f"train-labels-idx1-ubyte{end}").write_bytes(pack(labels))
    check_same([path])
    for content, said in ((images.tobytes()[:-1], "promised"), (images.tobytes() + b"1", "more")):
        path.write_bytes(pack(head + content))
        with pytest.raises(HardlimitError, match=said):
            list(read_blocks([str(path)]))


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_tables_by_columns(kind, tmp_path, monkeypatch):
    arrow = pytest.importorskip("pyarrow")
    module = pytest.importorskip("pyarrow.parquet" if kind == "parquet" else "pyarrow.feather")
    monkeypatch.setattr(arrow_slices, "BATCH_ROWS", 7)
    columns = {f"c{j}": X[:, j] for j in range(5)}
    for labels in (Y, [f"k{y}" for y in Y]):
        table = arrow.table({**columns, "y": labels})
        if kind == "parquet":
            module.write_table(table, tmp_path / "a.parquet")
        else:
            module.write_feather(table, tmp_path / "a.arrow", chunksize=7)
        check_same([tmp_path / f"a.{kind}"] * 1)
    holes = arrow.table({**columns, "y": [None, *Y[1:]]})
    write = module.write_table if kind == "parquet" else module.write_feather
    write(holes, tmp_path / f"b.{kind}")
    with pytest.raises(HardlimitError, match="row 1: the label is missing"):
        list(read_blocks([str(tmp_path / f"b.{kind}")]))
    parts = [part for _, part in read_blocks([str(tmp_path / f"b.{kind}")], skip_bad=True)]
    assert sum(len(part.y) for part in parts) == 299 and "1 bad row" in parts[-1].notes[0]
