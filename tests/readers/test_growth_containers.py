"""Archives of arrays, sheets and tables by columns cost no more than n log n, refused or read.

As in test_growth.py: eight times the size may take thirty times the processor time.
"""

import io
import zipfile

import numpy as np
import pytest

from hardlimit.exceptions import InputError
from hardlimit.readers import load_numbers, open_rows


def packed(save, *given, **named):
    file = io.BytesIO()
    save(file, *given, **named)
    return file.getvalue()


def sparse(indices, indptr, columns):
    parts = {"format": np.array(b"csr"), "shape": np.array([len(indptr) - 1, columns])}
    parts |= {"data": np.ones(len(indices)), "indices": indices, "indptr": indptr}
    return packed(np.savez, **parts)


def members(n):
    return packed(np.savez, X=np.ones((2, 2)), **{f"a{i}": np.ones(1) for i in range(n)})


def comment(n):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("X.npy", packed(np.save, np.ones((2, 2))))
        archive.comment = b"PK\5\6" * min(n, 16_000)  # looks like the end of an archive
    return file.getvalue()


ARRAYS = {
    "members.npz": members,
    "comment.npz": comment,
    "rows.npz": lambda n: packed(np.savez_compressed, X=np.ones((n * 20, 2)), y=np.ones(n * 20)),
    "columns.npy": lambda n: packed(np.save, np.ones((2, 20 * n))),
    "one column.npz": lambda n: sparse(np.zeros(10 * n, int), np.array([0, 10 * n]), 3),
    "falling.npz": lambda n: sparse(np.arange(10 * n)[::-1], np.array([0, 10 * n]), 10 * n),
    "empty rows.npz": lambda n: sparse(np.zeros(0, int), np.zeros(10 * n, int), 3),
    "sizes.idx": lambda n: bytes([0, 0, 8, 2, 0, 0, 0, 1, 0, 0]) + b"\xff\xff" + b"x" * n,
}


def read_numbers(path):
    for need_label in (True, False):
        try:
            load_numbers(path, need_label=need_label)
        except InputError as error:
            assert len(str(error)) < 5000


@pytest.mark.parametrize("shape", ARRAYS)
def test_arrays(shape, write, growth):
    assert growth(read_numbers, lambda n: write(f"{n}{shape}", ARRAYS[shape](n)), 250) < 30


def sheet(rows):
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    page = book.create_sheet()
    for row in rows:
        page.append(row)
    return packed(book.save)


SHEETS = {
    "rows": lambda n: [["text", "label"], *[["a", 1]] * n],
    "columns": lambda n: [["text", "label", *["x"] * n], ["a", 1, *[0] * n]],
    "strings": lambda n: [["text", "label"], *([f"word {i}", "y"] for i in range(n))],
    "one cell": lambda n: [["text", "label"], ["a " * min(16 * n, 16_000), "y"]],
}


def read_texts(path):
    for need_label in (True, False):
        try:
            with open_rows(path, None, need_label=need_label) as table:
                for _ in table:
                    pass
        except InputError as error:
            assert len(str(error)) < 5000


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHEETS)
def test_sheets(shape, write, growth):
    pytest.importorskip("openpyxl")
    made = SHEETS[shape]
    assert growth(read_texts, lambda n: write(f"{n}.xlsx", sheet(made(n))), 150) < 30


TABLES = {
    "rows": lambda n: {"text": ["a"] * 20 * n, "label": ["x"] * 20 * n},
    "columns": lambda n: {"text": ["a"], "label": ["x"], **{f"c{i}": [1] for i in range(n)}},
    "one cell": lambda n: {"text": ["a " * 100 * n], "label": ["x"]},
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("shape", [*TABLES, "groups"])
def test_tables_by_columns(shape, kind, write, growth):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    def make(n):
        table = pyarrow.table(TABLES["rows" if shape == "groups" else shape](n))
        few = 20 if shape == "groups" else len(table)
        if kind == "parquet":
            return packed(lambda file: parquet.write_table(table, file, row_group_size=few))
        return packed(lambda file: feather.write_feather(table, file, chunksize=few))

    assert growth(read_texts, lambda n: write(f"{n}.{kind}", make(n)), 300) < 30


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("shape", ["rows", "columns"])
def test_numbers_by_columns(shape, kind, write, growth):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    def make(n):
        columns = {f"c{i}": [1.0, 2] for i in range(n)} if shape == "columns" else {}
        table = pyarrow.table({**columns, "y": [0, 1] * (10 * n if not columns else 1)})
        if not columns:
            table = table.append_column("x", table["y"])
        save = parquet.write_table if kind == "parquet" else feather.write_feather
        return packed(lambda file: save(table, file))

    assert growth(read_numbers, lambda n: write(f"{n}.{kind}", make(n)), 150) < 30
