"""Zstandard, as far as a package or Python reads it."""

import sys

import pytest

from hardlimit.exceptions import DataFormatError, MissingExtraError
from hardlimit.readers import load_numbers, open_rows, write_rows

TEXT = b"text,label\n" + b"".join(b"row %d,x\n" % i for i in range(5000))


@pytest.fixture
def pack():
    try:
        from compression import zstd
    except ImportError:
        zstd = pytest.importorskip("zstandard")
    return zstd.compress


def test_several_frames_and_frames_without_content(write, pack):
    skippable = b"\x50\x2a\x4d\x18" + (3).to_bytes(4, "little") + b"abc"
    data = pack(TEXT[:3000]) + skippable + pack(b"") + pack(TEXT[3000:])
    rows = list(open_rows(write("a.csv.zst", data), need_label=True))
    assert len(rows) == 5000 and rows[-1].text == "row 4999"


@pytest.mark.parametrize("end", [5, 200, -1])
def test_cut_off(write, pack, end):
    path = write("a.csv.zst", pack(TEXT)[:end])
    with pytest.raises(DataFormatError, match="damaged or cut off"):
        list(open_rows(path, need_label=True))


def test_damaged(write, pack):
    data = bytearray(pack(TEXT))
    data[40:60] = b"\xff" * 20
    with pytest.raises(DataFormatError, match="damaged or cut off"):
        list(open_rows(write("a.csv.zst", bytes(data)), need_label=True))


def test_a_bomb_is_refused_by_the_length_of_its_line(write, pack):
    path = write("a.csv.zst", pack(b"text,label\n" + b"a" * (1 << 28)))
    with pytest.raises(DataFormatError, match="a line of more than"):
        list(open_rows(path, need_label=True))


def test_numbers(write, pack):
    assert load_numbers(write("a.svm.zst", pack(b"1 1:1\n-1 2:1\n"))).X.shape == (2, 2)


def test_what_is_written_comes_back(write, tmp_path, pack):
    with open_rows(write("a.csv", TEXT), need_label=True) as table:
        write_rows(tmp_path / "b.csv.zst", table, ["n"], ((row, [1]) for row in table))
    assert (tmp_path / "b.csv.zst").stat().st_size < len(TEXT) / 2
    assert len(list(open_rows(tmp_path / "b.csv.zst", need_label=True))) == 5000


def test_the_error_says_what_to_install(write, monkeypatch):
    path = write("a.csv.zst", b"\x28\xb5\x2f\xfd and more")
    for module in ("zstandard", "compression.zstd"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=r"pip install 'hardlimit\[zstd\]'"):
        open_rows(path, need_label=True)
