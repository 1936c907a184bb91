"""What is read into memory whole is counted, and refused before it takes all."""

import gzip
import struct

import numpy as np
import pytest

from hardlimit import TextClassifier
from hardlimit.cli import main
from hardlimit.cli.commands.train import streamed_files
from hardlimit.examples.of_rows import gather_columns
from hardlimit.exceptions import MemoryEstimateError
from hardlimit.foundation import memory
from hardlimit.readers import Layout, load_numbers
from hardlimit.sources import reading
from hardlimit.sources.files import WordFiles


@pytest.fixture
def little(monkeypatch):
    """A process that may have 4 MB more, and counts from the first megabyte."""
    monkeypatch.setattr(memory, "tightest", lambda: memory.Limit("a test has", 4 << 20, 0))
    monkeypatch.setattr(memory.Gathered, "FIRST", 1 << 20)


def test_as_much_must_be_left_as_was_gathered(little):
    gathered = memory.Gathered("the rows", "take fewer")
    for _ in range(4):
        gathered.add(1 << 20)
    with pytest.raises(MemoryEstimateError, match=r"the rows, 5.0 MB so far, .*; take fewer"):
        gathered.add(1 << 20)


def test_a_small_file_that_becomes_much(monkeypatch):
    monkeypatch.setattr(memory.Gathered, "FIRST", 1 << 20)
    monkeypatch.setattr(memory.Gathered, "LARGE", 1 << 21)
    for size, fits in ((2000, True), (1000, False), (None, True)):
        gathered = memory.Gathered("the rows", "take fewer", lambda size=size: size)
        gathered.add(1 << 21)
        if fits:
            gathered.add(1 << 16)
            continue
        with pytest.raises(MemoryEstimateError, match="come from 1,000 bytes of file"):
            gathered.add(1 << 20)


ATTRIBUTES = b"@attribute a real\n@attribute b real\n@data\n"
NUMBERS = {
    "a.csv": b"0," * 99 + b"1\n" + (b"0," * 99 + b"1\n") * 6000,
    "a.svm": b"1 1:0 2:0 3:0 4:0\n" * 250_000,
    "a.vw": b"1 | a b c d\n" * 250_000,
    "a.arff": ATTRIBUTES + (b"{0 1" + b" " * 5000 + b"}\n") * 1200,
    "a.idx": struct.pack(">BBBBII", 0, 0, 8, 2, 1000, 800) + bytes(800_000),
}


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name, tmp_path, little):
    path = tmp_path / f"{name}.gz"
    path.write_bytes(gzip.compress(NUMBERS[name], 1))
    with pytest.raises(MemoryEstimateError, match="numbers"):
        load_numbers(path, need_label=name != "a.idx")


def test_arrays(tmp_path, little):
    np.savez_compressed(tmp_path / "a.npz", X=np.zeros((1000, 5000), np.uint8), y=np.ones(1000))
    with pytest.raises(MemoryEstimateError, match="the array would need"):
        load_numbers(tmp_path / "a.npz")


def test_the_rows_of_a_block_of_a_stream(little):
    """A block has a number of rows: long texts cost what their terms do, and these are counted."""
    same = [(["win " * 25_000, "noon " * 20_000], ["x", "y"])] * 20
    small = TextClassifier(hash_bits=8, idf=None).fit_stream(same)
    assert small.predict(["win", "noon"]).tolist() == ["x", "y"]
    other = [
        ([" ".join(f"{word}x{n}" for word in range(9000)) for n in (2 * k, 2 * k + 1)], ["x", "y"])
        for k in range(40)
    ]
    with pytest.raises(MemoryEstimateError, match="the rows of the blocks under way"):
        TextClassifier(hash_bits=14, idf=None).fit_stream(other)


def test_rows_of_a_command(tmp_path, little, capsys):
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + ("a " * 50_000 + ",x\n" + "b " * 50_000 + ",y\n") * 30)
    assert main(["train", str(path), "-o", str(tmp_path / "m")]) == 1
    assert "the rows, " in capsys.readouterr().err and not (tmp_path / "m").exists()


def test_batches_of_tables_are_bounded_in_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SIZE", 1000)
    path = tmp_path / "a.csv"
    path.write_text("text,n,label\n" + ("a" * 600 + ",1,x\n") * 7)
    layout = Layout(table=True, label="label")
    batches = streamed_files.StreamedFiles(WordFiles([str(path)], layout, gather_columns(None)))
    assert [len(labels) for _, labels in batches()] == [2, 2, 2, 1]
