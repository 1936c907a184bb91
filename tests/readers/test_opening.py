import codecs
import gzip
import itertools
import os
import sys
import threading
import tracemalloc

import pytest

from hardlimit.exceptions import DataFormatError, FileError, InputError
from hardlimit.readers import Layout, load_numbers, open_rows
from hardlimit.readers.decoding import TextSource
from hardlimit.readers.opening import detect_byte_order

TEXT = "text,label\nna\u00efve caf\u00e9,a\n\u20ac 5,b\n"
MARKED = {
    "utf-8": codecs.BOM_UTF8,
    "utf-16-le": codecs.BOM_UTF16_LE,
    "utf-16-be": codecs.BOM_UTF16_BE,
    "utf-32-le": codecs.BOM_UTF32_LE,
    "utf-32-be": codecs.BOM_UTF32_BE,
}


def texts(path, **layout):
    with open_rows(path, Layout(**layout), need_label=False) as table:
        return [row.text for row in table], table


@pytest.mark.parametrize("encoding", MARKED)
def test_byte_order_marks(write, encoding):
    path = write("x.csv", MARKED[encoding] + TEXT.encode(encoding))
    found, table = texts(path)
    assert found == ["na\u00efve caf\u00e9", "\u20ac 5"]
    assert table.columns == ("text", "label")
    assert table.source.marked


def test_only_every_other_byte_is_zero_in_utf_16_without_a_mark():
    """All beginnings of four bytes, zeros and others."""
    utf_16 = {b"a\0a\0": ("utf-16-le", 0), b"\0a\0a": ("utf-16-be", 0)}
    for signs in itertools.product(b"a\0", repeat=4):
        head = bytes(signs)
        assert detect_byte_order(head) == utf_16.get(head, (None, 0)), head
        assert detect_byte_order(head[:3]) == (None, 0)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_mark(write, encoding):
    assert texts(write("x.csv", TEXT.encode(encoding)))[0] == ["na\u00efve caf\u00e9", "\u20ac 5"]


def test_cp1252_as_excel_writes_it(write):
    found, table = texts(write("x.csv", TEXT.replace(",", ";").encode("cp1252")))
    assert found == ["na\u00efve caf\u00e9", "\u20ac 5"]
    assert any("cp1252" in note for note in table.notes())


def test_damaged_utf_8_is_replaced_and_counted(write):
    data = "text,label\ncaf\u00e9,a\n".encode() + b"caf\xff\xfe\xef\xbf\xbd,b\n\xef\xbf\xbd,c\n"
    found, table = texts(write("x.csv", data))
    assert found == ["caf\u00e9", "caf\ufffd\ufffd\ufffd", "\ufffd"]
    assert (table.source.replaced, table.source.first_replaced) == (2, 3)
    assert "2 invalid byte sequences were replaced (first in line 3)" in table.notes()[0]


def test_a_line_that_is_mostly_utf_8_does_not_make_the_file_cp1252(write):
    data = b"text,label\n" + "\u65e5\u672c\u8a9e".encode() + b"\xff,a\n"
    assert texts(write("x.csv", data))[0] == ["\u65e5\u672c\u8a9e\ufffd"]


def test_utf_8_lines_in_a_cp1252_file_stay_utf_8(write):
    data = b"text,label\ncaf\xe9,a\n" + "caf\u00e9,b\n".encode()
    assert texts(write("x.csv", data))[0] == ["caf\u00e9"] * 2


def test_encoding_asked_for(write):
    path = write("x.csv", TEXT.replace("\u20ac", "E").encode("latin-1"))
    assert texts(path, encoding="latin-1")[0] == ["na\u00efve caf\u00e9", "E 5"]
    with pytest.raises(InputError, match="encoding: got 'klingon', wanted"):
        texts(path, encoding="klingon")


def test_ascii_asked_for_counts_what_it_cannot_read(write):
    _, table = texts(write("x.csv", "text,label\n\u00e9,a\n"), encoding="ascii")
    assert table.source.replaced == 2


def test_only_line_feeds_end_lines(write):
    path = write("x.txt", "a\x0bb\x0cc\x1cd\x85e\u2028f\rg\r\nh")
    assert texts(path)[0] == ["a\x0bb\x0cc\x1cd\x85e\u2028f\rg", "h"]


def test_a_pipe_is_read_as_it_is_written(monkeypatch):
    """The first line is there before the second is written: no reading ahead."""
    reading, writing = os.pipe()
    with os.fdopen(reading) as stream, os.fdopen(writing, "wb", buffering=0) as pipe:
        monkeypatch.setattr(sys, "stdin", stream)
        guard = threading.Timer(10, pipe.close)  # ends a reader that waits for more
        guard.start()
        pipe.write(b"B\n")  # may begin bzip2's mark
        rows = iter(open_rows("-", need_label=False))
        assert next(rows).text == "B"
        pipe.write(b"second\n")
        assert next(rows).text == "second"
        assert guard.is_alive()
        guard.cancel()


@pytest.mark.parametrize("cut", [12, 40])
def test_compressed_file_cut_off(write, cut):
    whole = gzip.compress(os.urandom(200).hex().encode())
    path = write("x.csv.gz", whole[:-cut])
    with pytest.raises(DataFormatError, match=r"x\.csv\.gz:1: the compressed file is damaged"):
        texts(path)


def test_damaged_gzip(write):
    whole = bytearray(gzip.compress(b"text,label\n" + os.urandom(5000).hex().encode()))
    whole[2000:2100] = bytes(100)
    with pytest.raises(DataFormatError, match="damaged or cut off"):
        texts(write("x.csv.gz", bytes(whole)))


@pytest.mark.parametrize(
    ("start", "what"),
    [
        (b"PK\x03\x04", "zip archive"),
        (b"\xd0\xcf\x11\xe0", "Office"),
    ],
)
def test_what_looks_like_another_container_is_refused(write, start, what):
    with pytest.raises(DataFormatError, match=what):
        texts(write("x.csv", start + bytes(100)))


def test_missing_folder():
    with pytest.raises(FileError, match="no such file"):
        texts("/nowhere/at/all.csv")


def test_nearest_name(write):
    path = write("messages.csv", TEXT)
    with pytest.raises(FileError, match=r"did you mean .*messages\.csv\?"):
        texts(path.replace("messages", "mesages"))


@pytest.mark.skipif(os.geteuid() == 0 if hasattr(os, "geteuid") else True, reason="root reads all")
def test_unreadable(write):
    path = write("x.csv", TEXT)
    os.chmod(path, 0)
    with pytest.raises(FileError, match="cannot be read"):
        texts(path)


def test_peek_uses_nothing_up(write):
    with TextSource(write("x", "1\n2\n3\n4\n")) as source:
        assert source.peek(2) == ["1\n", "2\n"]
        assert source.peek(3) == ["1\n", "2\n", "3\n"]
        assert source.peek(1) == ["1\n"]
        assert list(source.lines()) == ["1\n", "2\n", "3\n", "4\n"]
        assert source.number == 4


LONG = {
    "x.csv": "text,label\na,b\n" + "c" * 1001 + ",d\n",
    "rows.csv": 'text,label\na,b\n"' + "c\n" * 600 + '",d\n',
    "x.tsv": "a\tb\na\tb\n" + "c" * 1001 + "\td\n",
    "x.jsonl": '{"text":"a","label":1}\n{"text":"a","label":1}\n{"text":"' + "a" * 999 + '"}\n',
    "x.txt": "a\nb\n" + "c" * 1001 + "\n",
}


@pytest.mark.parametrize("name", LONG)
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_a_line_has_a_bound_that_a_parameter_raises(write, name, pack):
    path = write(name, pack(LONG[name].encode()))
    assert texts(path, max_line=3000)[0]
    with pytest.raises(DataFormatError) as caught:
        texts(path, max_line=1000)
    error, what = caught.value, "row" if name == "rows.csv" else "line"
    assert (error.where, error.reason) == (f"{path}:3", f"a {what} of more than 1,000 bytes")
    assert str(error).endswith("if that is meant, say max_line=4000")


@pytest.mark.parametrize("encoding", ["utf-16-le", "cp1252"])
def test_lines_of_other_encodings_have_a_bound_too(write, encoding):
    path = write("x.txt", ("ä" * 1001).encode(encoding))
    assert texts(path, encoding=encoding, max_line=1001)[0] == ["ä" * 1001]
    with pytest.raises(DataFormatError, match=":1: a line of more than 1,000 bytes"):
        texts(path, encoding=encoding, max_line=1000)


def test_a_line_as_long_as_the_bound_is_read(write):
    assert texts(write("x.txt", b"a" * 999 + b"\nb"), max_line=1000)[0] == ["a" * 999, "b"]
    with pytest.raises(InputError, match="max_line"):
        Layout(max_line=0)
    assert "max_line" not in Layout(max_line=5).to_json()


def test_numbers_have_the_same_bound(write):
    for name, row in {"x.svm": "1 1:0." + "0" * 999 + "1", "x.data": "1,2," + "0" * 999}.items():
        path = write(name, f"{row}\n{row}\n")
        assert load_numbers(path, max_line=2000).X.shape[0] == 2
        with pytest.raises(DataFormatError, match=":1: a line of more than 1,000 bytes"):
            load_numbers(path, max_line=1000)


def test_what_a_packed_file_holds_is_never_in_memory_whole(tmp_path):
    """A hundred kilobytes of gzip with a hundred megabytes and no line end."""
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb", compresslevel=1) as file:
        file.write(b"text,label\n")
        for _ in range(100):
            file.write(b"a" * (1 << 20))
    tracemalloc.start()
    try:
        with pytest.raises(DataFormatError, match=":2: a line of more than 1,048,576 bytes"):
            texts(path, max_line=1 << 20)
        assert tracemalloc.get_traced_memory()[1] < 20 << 20
    finally:
        tracemalloc.stop()
