"""Small Parquet and Arrow files that unpack to much: bounded in memory, or refused."""

import struct
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.exceptions import DataFormatError, MemoryEstimateError
from hardlimit.foundation import memory
from hardlimit.readers import (
    Layout,
    arrow_files,
    arrow_slices,
    load_numbers,
    open_rows,
    parquet_groups,
)
from hardlimit.readers.parquet_pages import list_pages

arrow = pytest.importorskip("pyarrow")
ipc = pytest.importorskip("pyarrow.ipc")
parquet = pytest.importorskip("pyarrow.parquet")

LONG = "a " * 5000  # a text that the dictionary holds once
ROWS = 3000


@pytest.fixture
def small(monkeypatch):
    """Bound batches to 200,000 bytes."""
    monkeypatch.setattr(arrow_slices, "BATCH_BYTES", 200_000)


def repeated(n=ROWS):
    return arrow.DictionaryArray.from_arrays(arrow.array([0] * n, arrow.int32()), [LONG])


def save(path, table, **more):
    if path.suffix == ".parquet":
        more = {"store_schema": False, **more}
        parquet.write_table(table, path, compression="zstd", **more)
        return str(path)
    options = ipc.IpcWriteOptions(compression="zstd")
    make = ipc.new_stream if path.suffix == ".arrows" else ipc.new_file
    with make(path, table.schema, options=options) as writer:
        writer.write_table(table)
    return str(path)


def sizes(path, names, **more):
    """Return the rows of each batch, and the bytes of its texts."""
    open_file = arrow_files.open_parquet if path.endswith("parquet") else arrow_files.open_arrow
    found = []
    for batch in open_file(path).batches(names, **more):
        texts = sum(len(one) for one in batch.column(0).to_pylist() if isinstance(one, str))
        found.append((batch.num_rows, texts))
    return found


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_texts_that_stand_in_a_file_once(kind, tmp_path, small):
    table = arrow.table({"text": repeated(), "label": ["x", "y"] * (ROWS // 2)})
    path = save(tmp_path / f"a.{kind}", table)
    assert Path(path).stat().st_size < 20_000
    found = sizes(path, ["text", "label"])
    assert sum(n for n, _ in found) == ROWS and max(size for _, size in found) <= 200_000
    rows = list(open_rows(path, need_label=True))
    assert [row.line for row in rows] == [*range(1, ROWS + 1)] and rows[-1].text == LONG


@pytest.mark.parametrize("encoding", ["PLAIN", "DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_that_are_alike(encoding, tmp_path, small):
    texts = [f"{LONG}{number}" for number in range(300)]
    table = arrow.table({"text": texts, "label": [1] * 300})
    more = {"use_dictionary": False, "column_encoding": {"text": encoding, "label": "PLAIN"}}
    path = save(tmp_path / "a.parquet", table, data_page_size=1, write_batch_size=2, **more)
    found = sizes(path, ["text", "label"])
    assert max(size for _, size in found) <= 200_000 and sum(n for n, _ in found) == 300


def test_a_dictionary_that_was_too_small(tmp_path, small, monkeypatch):
    """Writers fill a dictionary, and write what comes then as it is."""
    texts = [f"{LONG}{number // 9}" for number in range(300)]
    more = {"dictionary_pagesize_limit": 60_000, "write_batch_size": 3, "data_page_size": 20_000}
    path = save(tmp_path / "a.parquet", arrow.table({"text": texts, "label": [1] * 300}), **more)
    encodings = parquet.read_metadata(path).row_group(0).column(0).encodings
    assert {"PLAIN", "RLE_DICTIONARY"} <= {*encodings}
    for held in (1 << 24, 0):  # whether the file is read once or twice
        monkeypatch.setattr(parquet_groups._HeldChunks, "MOST", held)
        found = sizes(path, ["text", "label"])
        assert max(size for _, size in found) <= 200_000 and sum(n for n, _ in found) == 300
        assert [row.text for row in open_rows(path, need_label=True)] == texts


def test_usual_texts_are_read_many_at_a_time(tmp_path, small):
    """A dictionary is large; the values in it are not."""
    texts = [f"text {number} " * 8 for number in range(2000)]
    path = save(tmp_path / "a.parquet", arrow.table({"text": texts, "label": [1] * 2000}))
    assert [n for n, _ in sizes(path, ["text", "label"])] == [1024, 976]


def test_many_numbers_a_row(tmp_path, small):
    table = arrow.table({f"c{number}": [0.5] * 200 for number in range(500)})
    path = save(tmp_path / "a.parquet", table)
    assert {n for n, _ in sizes(path, table.column_names)} == {32, 8}


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_lists_of_texts(kind, tmp_path, small):
    lists = arrow.ListArray.from_arrays(arrow.array([0, 1, 1, 9, 10], arrow.int32()), repeated(10))
    table = arrow.table({"text": ["a", "b", "c", "d"], "labels": lists})
    path = save(tmp_path / f"a.{kind}", table)
    found = sizes(path, ["labels", "text"])
    assert [n for n, _ in found][0] == 4  # cells of 10, 0, 80 and 10 thousand bytes
    with pytest.raises(DataFormatError, match="row 3: a row of more than 50,000 bytes"):
        sizes(path, ["labels", "text"], most=50_000)
    layout = Layout(text="text", label="labels", labels_separator=",")
    assert [len(row.label) for row in open_rows(path, layout, need_label=True)] == [1, 0, 1, 1]


def test_list_of_a_dictionary_with_many_values(tmp_path, monkeypatch):
    """A page of a few bytes holds as many values as a run says: they are counted before."""
    lists = arrow.ListArray.from_arrays(
        arrow.array([0, 400_000], arrow.int32()), arrow.array([7]).take([0] * 400_000)
    )
    path = save(tmp_path / "a.parquet", arrow.table({"text": ["a"], "labels": lists}))
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("a test has", 4 << 20, 0))
    assert Path(path).stat().st_size < 4000
    with pytest.raises(MemoryEstimateError, match="row group 0: its pages would need"):
        sizes(path, ["labels"])


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_what_unpacks_to_too_much(kind, tmp_path):
    table = arrow.table({"text": ["a" * 300_000], "label": ["x"]})
    path = save(tmp_path / f"a.{kind}", table)
    with pytest.raises(DataFormatError, match=r"unpacks to 300,.* bytes.*max_line=18"):
        list(open_rows(path, Layout(max_line=10_000), need_label=True))
    assert len(list(open_rows(path, Layout(max_line=400_000), need_label=True))) == 1
    with pytest.raises(DataFormatError, match="row 1: a row of more than 200,000 bytes"):
        list(open_rows(path, Layout(max_line=200_000), need_label=True))


@pytest.mark.parametrize("kind", ["parquet", "arrow", "arrows"])
def test_what_does_not_fit_is_refused_before_it_is_unpacked(kind, tmp_path, monkeypatch):
    table = arrow.table({"p": [0.0] * 400_000, "y": [0] * 400_000})
    pages = {"use_dictionary": False, "data_page_size": 1 << 24, "max_rows_per_page": 1 << 20}
    more = pages if kind == "parquet" else {}
    path = save(tmp_path / f"a.{kind}", table, **more)
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("a test has", 1 << 20, 0))
    with pytest.raises(MemoryEstimateError, match="would need .*, a test has 1.0 MB"):
        load_numbers(path)


def test_a_buffer_that_lies(tmp_path):
    path = Path(save(tmp_path / "a.arrow", arrow.table({"text": ["a" * 9000], "label": ["x"]})))
    data = path.read_bytes()
    for size in (1 << 40, -5, 1 << 62):
        lying = data.replace(struct.pack("<q", 9000), struct.pack("<q", size))
        assert lying != data
        path.write_bytes(lying)
        with pytest.raises((DataFormatError, MemoryEstimateError)):
            list(open_rows(path, need_label=True))


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_long_words_as_labels_of_numbers(kind, tmp_path, monkeypatch):
    """An array of words takes as much for each as for the longest."""
    words = ["x" * 20_000, *["y"] * 99]
    path = save(tmp_path / f"a.{kind}", arrow.table({"p": [1.0] * 100, "y": words}))
    assert set(load_numbers(path, "y").y) == set(words)
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("a test has", 4 << 20, 0))
    with pytest.raises(MemoryEstimateError, match="labels of up to 20,000 characters"):
        load_numbers(path, "y")


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
def test_a_small_file_that_becomes_much(kind, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(memory.Gathered, "FIRST", 1 << 20)
    monkeypatch.setattr(memory.Gathered, "LARGE", 1 << 20)
    monkeypatch.setattr(memory.Gathered, "RATIO", 100)
    columns = {"text": repeated(), "label": ["x", "y"] * (ROWS // 2), "n": [0.5] * ROWS}
    table = arrow.table(columns)
    path = save(tmp_path / f"a.{kind}", table)
    assert main(["train", path, "-o", str(tmp_path / "m")]) == 1
    said = capsys.readouterr().err
    assert "the rows, " in said and "of file; train with --stream" in said
    assert not (tmp_path / "m").exists()
    asked = ["--text", "text", "--label", "label", "--number", "n"]
    assert main(["train", path, *asked, "-o", str(tmp_path / "m")]) == 1
    assert "of file; train with --stream" in capsys.readouterr().err


def test_pages(tmp_path):
    more = {"use_dictionary": False, "data_page_size": 1, "write_batch_size": 100}
    path = save(tmp_path / "a.parquet", arrow.table({"n": [*range(1000)]}), **more)
    chunk = parquet.read_metadata(path).row_group(0).column(0)
    data = Path(path).read_bytes()[chunk.data_page_offset :][: chunk.total_compressed_size]

    def pages_of(data):
        return list(list_pages(lambda at, size: data[at : at + size], len(data), 1000, "a"))

    pages = pages_of(data)
    assert [page.values for page in pages] == [100] * 10
    assert all(800 <= page.unpacked < 830 for page in pages)
    for broken in (data[:9], b"\xff" * 40, b"\x1c" * 40, b"\x15\x01\x15\x01" + data):
        with pytest.raises(DataFormatError, match="page header is damaged"):
            pages_of(broken)


def test_checksums_of_pages_are_compared(tmp_path):
    texts = [f"text {number}" for number in range(50)]
    path = Path(tmp_path / "a.parquet")
    more = {"use_dictionary": False, "write_page_checksum": True, "compression": "none"}
    parquet.write_table(arrow.table({"text": texts, "label": texts}), path, **more)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"text 7", b"tent 7", 1))
    with pytest.raises(DataFormatError, match="checksum"):
        list(open_rows(path, need_label=True))
