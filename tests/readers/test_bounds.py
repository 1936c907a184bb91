"""Each reader, found by discovery, bounds what it takes at once: shown by an endless input.

The bound of each is in docs/formats.md. It is small here (1,000 bytes), so that files are too.
"""

import gzip
import io
import re
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from hardlimit.exceptions import DataFormatError, InputError
from hardlimit.readers import Layout, decoding, formats, load_numbers, numeric_formats, open_rows

MOST = 1000  # bytes of a line, a row, a document
LONG = "a" * (20 * MOST)
MAIL = b"Received: from a\nFrom: b@c.org\nSubject: d\n\n" + LONG.encode() + b"\n"
SEPARATOR = b"From a@b.org Thu Aug 22 12:36:23 2002\n"
DOCS = Path(__file__).parents[2] / "docs" / "formats.md"


def table_of(kind, columns):
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import feather, parquet

    file = io.BytesIO()
    save = parquet.write_table if kind == "parquet" else feather.write_feather
    save(arrow.table(columns), file)
    return file.getvalue()


def workbook():
    openpyxl = pytest.importorskip("openpyxl")
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["text", "label"], [LONG, "x"]):
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def archive():
    import tarfile

    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        info = tarfile.TarInfo("ham/1.txt")
        info.size = len(LONG)
        packed.addfile(info, io.BytesIO(LONG.encode()))
    return file.getvalue()


def array(shape):
    file = io.BytesIO()
    header = {"descr": "<f8", "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
    return file.getvalue() + b"\0" * 64


def arrays():
    """An archive of arrays whose directory says that a member is larger than any deflate makes."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("X.npy", array((8,)))
    data, size = bytearray(file.getvalue()), 1 << 31
    place = data.find(b"PK\1\2")
    data[place + 24 : place + 28] = struct.pack("<I", size)
    return bytes(data)


ATTRIBUTES = "@attribute text string\n@attribute label string\n@data\n"
NUMERIC = "@attribute a real\n@attribute b real\n@data\n"
# By format: the name of a file, what is in it, and what the refusal says.
LINE = "a line of more than 1,000 bytes"
TEXTS = {
    "csv": ("a.csv", lambda: f'text,label\n"{LONG}",x\n', LINE),
    "tsv": ("a.tsv", lambda: f"x\t{LONG}\n", LINE),
    "jsonl": ("a.jsonl", lambda: f'{{"text": "{LONG}", "label": 1}}\n', LINE),
    "lines": ("a.txt", lambda: LONG, LINE),
    "fasttext": ("a.ft", lambda: f"__label__x {LONG}", LINE),
    "weka": ("a.arff", lambda: ATTRIBUTES + LONG + ",x\n", LINE),
    "folder": ("ham/1.txt", lambda: LONG, "a document of more than 1,000 bytes"),
    "maildir": ("cur/1:2,S", lambda: MAIL, ""),
    "tar": ("a.tar", archive, "a document of more than 1,000 bytes"),
    "eml": ("a.eml", lambda: MAIL, ""),
    "mbox": ("a.mbox", lambda: SEPARATOR + MAIL, ""),
    "xlsx": ("a.xlsx", workbook, "unpacks to|a row of more than 1,000 bytes"),
    "parquet": ("a.parquet", lambda: table_of("parquet", {"text": [LONG], "label": ["x"]}),
                "unpacks to|a row of more than 1,000 bytes"),
    "arrow": ("a.arrow", lambda: table_of("arrow", {"text": [LONG], "label": ["x"]}),
              "unpacks to|a row of more than 1,000 bytes"),
}  # fmt: skip
NUMBERS = {
    "svmlight": ("a.svm", lambda: "1 " + "1:1 " * 5000, LINE),
    "numeric-csv": ("a.data", lambda: "1," * 5000 + "1\n", LINE),
    "vw": ("a.vw", lambda: "1 |a " + LONG, LINE),
    "arff": ("a.arff", lambda: f"{NUMERIC}{LONG}\n", LINE),
    "npy": ("a.npy", lambda: array((1 << 40, 4)), r"its header says \(1099511627776, 4\)"),
    "npz": ("a.npz", arrays, "its size is a lie|damaged"),
    "idx": ("a.idx", lambda: bytes([0, 0, 8, 2]) + b"\x7f\xff\xff\xff" * 2 + b"abcd",
            "its header says"),
    "numeric-parquet": ("a.parquet", lambda: table_of("parquet", {"p": [1.0], "y": [LONG]}),
                        "unpacks to|a row of more than 1,000 bytes"),
    "numeric-arrow": ("a.arrow", lambda: table_of("arrow", {"p": [1.0], "y": [LONG]}),
                      "unpacks to|a row of more than 1,000 bytes"),
}  # fmt: skip


def store(folder, name, data):
    """Write a file; return it, or the folder that it is of."""
    path = folder / "root" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return str(folder / "root" if "/" in name else path)


def test_each_reader_has_an_endless_input_here_and_a_line_in_the_guide():
    assert set(TEXTS) == set(formats()) and set(NUMBERS) == set(numeric_formats())
    bounds = DOCS.read_text("utf-8").partition("## Bounds")[2].partition("\n## ")[0]
    named = set(re.findall(r"`([a-z-]+)`", "\n".join(re.findall(r"^\| (.*?) \|", bounds, re.M))))
    assert named >= set(formats()) | set(numeric_formats())


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name, tmp_path):
    file, make, said = TEXTS[name]
    path = store(tmp_path, file, make())
    mail = {"max_bytes": MOST} if not said else None
    layout = Layout(format=name, max_line=MOST, mail=mail)
    if name == "maildir":
        Path(path, "new").mkdir()
    if not said:  # of a mail the beginning is read
        for row in open_rows(path, layout, need_label=False):
            assert 0 < len(row.text) <= 2 * MOST
        return
    with pytest.raises(DataFormatError, match=said):
        list(open_rows(path, layout, need_label=name != "lines"))


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name, tmp_path):
    file, make, said = NUMBERS[name]
    path = store(tmp_path, file, make())
    with pytest.raises(DataFormatError, match=said):
        load_numbers(path, format=name, max_line=MOST, need_label=name not in ("npy", "idx"))


BLANK = {
    "csv": "text,label\na,x\n",
    "tsv": "text\tlabel\na\tx\n",
    "jsonl": '{"text": "a", "label": 1}\n',
    "fasttext": "__label__x a\n",
    "weka": ATTRIBUTES + "a,x\n",
    "arff": NUMERIC + "1,2\n",
    "numeric-csv": "1,2\n",
}


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("name", BLANK)
def test_line_ends_without_an_end(name, end, pack, tmp_path, monkeypatch):
    monkeypatch.setattr(decoding, "MOST_EMPTY", 100)
    few, many = (BLANK[name] + end * n for n in (90, 300))

    def read(content):
        path = tmp_path / f"a.{name}"
        path.write_bytes(pack(content.encode()))
        if name in numeric_formats():
            return len(load_numbers(path, format=name).X)
        return sum(1 for _ in open_rows(path, Layout(format=name), need_label=name != "fasttext"))

    if name != "fasttext":
        assert read(few) == 1
    with pytest.raises(InputError, match=r"1\d\d empty lines, and \d others?; remove them"):
        read(many)


def test_empty_lines_between_rows_are_no_bomb(tmp_path, monkeypatch):
    monkeypatch.setattr(decoding, "MOST_EMPTY", 10)
    path = tmp_path / "a.csv"
    path.write_text("text,label\n" + ("a,x\n" + "\n" * 12) * 100)
    assert len(list(open_rows(path, need_label=True))) == 100
    path.write_text("\n" * 500)
    assert len(list(open_rows(path, Layout(format="lines"), need_label=False))) == 500
