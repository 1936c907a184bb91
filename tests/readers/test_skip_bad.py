"""Rows that break the format are left out where that is asked for, and never silently."""

import gzip

import pytest

from hardlimit.cli import main
from hardlimit.exceptions import DataFormatError
from hardlimit.readers import Layout, load_numbers, open_rows

SKIP = Layout(skip_bad=True)
TEXTS = {
    "ragged.csv": ("text,label\na,x\nb,y,z\nc\nd,y\n", ["a", "d"], [":3:4: 3 fields", ":4:1: 1"]),
    "quote.csv": ('text,label\na,x\n"b"c,y\nd,y\n', ["a", "d"], [":3:4: expected ','"]),
    "labels.csv": ("text,label\na,x\nb, \nd,y\n", ["a", "d"], [":3: the label is missing"]),
    "r.tsv": ("x\ta\nx\tb\tc\nx\td\n", ["a", "d"], [":2:4: 3 fields"]),
    "b.jsonl": (
        '{"text":"a","label":1}\n{"text":\n[1]\n{"text":2,"label":1}\n{"label":1}\n'
        '{"text":"c","label":[]}\n{"text":"d","label":2}\n',
        ["a", "d"],
        [
            ":2:9: not JSON",
            ":3:1: expected an",
            ":4: key 'text'",
            ":5: there is",
            ":6: key 'label'",
        ],
    ),
}
NUMBERS = {
    "a.svm": ("1 1:2\nx 1:1\n1 2:1 2:1\n-1 1:nan\n-1 2:1\n", 2, [":2:1:", ":3:7:", ":4:4:"]),
    "a.csv": ("1,2,x\n1,,x\n1,2\n3,nan,y\n3,4,y\n", 2, [":2:3:", ":3: 2 fields", ":4:3:"]),
}


@pytest.mark.parametrize("name", TEXTS)
def test_texts(name, write):
    content, left, reasons = TEXTS[name]
    path = write(name, content)
    table = open_rows(path, SKIP, need_label=True)
    assert [row.text for row in table] == left
    count, *told = [note for note in table.notes() if name in note]
    bad = f"{len(reasons)} bad row{'s were' if len(reasons) > 1 else ' was'}"
    assert count == f"{path}: {bad} left out:"
    assert len(told) == len(reasons)
    for sentence, reason in zip(told, reasons, strict=True):
        assert sentence.startswith(path + reason)
    assert "skip_bad" not in table.layout.to_json()
    with pytest.raises(DataFormatError):
        list(open_rows(path, need_label=True))


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers(name, write):
    content, left, reasons = NUMBERS[name]
    path = write(name, content)
    found = load_numbers(path, skip_bad=True)
    assert found.X.shape == (left, 2) and list(found.lines) == [1, 5]
    count, *told = found.notes
    assert f"{len(reasons)} bad rows were left out" in count
    for sentence, reason in zip(told, reasons, strict=True):
        assert sentence.startswith(path + reason)


def test_a_document_that_is_damaged_is_left_out(tmp_path):
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "a.txt").write_text("one")
    (tmp_path / "x" / "b.txt.gz").write_bytes(gzip.compress(b"two" * 100)[:20])
    (tmp_path / "beside.txt").write_text("three")
    table = open_rows(tmp_path, SKIP, need_label=True)
    assert [row.text for row in table] == [b"one"] and table.source.bad == 2


def test_ten_reasons_are_told_and_all_are_counted(write):
    path = write("a.csv", "text,label\na,x\n" + "b\n" * 25)
    table = open_rows(path, SKIP, need_label=True)
    assert len(list(table)) == 1
    count, *told = table.notes()
    assert "25 bad rows were left out, the first 10" in count and len(told) == 10


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.csv", b'text,label\na,x\n"b,y\nc,z\n', "never closed"),
        ("a.csv.gz", gzip.compress(b"text,label\na,x\n" * 99, mtime=0)[:40], "damaged or cut off"),
        ("b.csv", b"text,label\na\nb\n", "no row is left: all break the format, such as"),
        ("c.csv", b'"text"s,label\na,x\nb,y\n', "closing quote"),
    ],
)
def test_what_cannot_be_resumed_ends(name, content, said, write):
    with pytest.raises(DataFormatError, match=said):
        list(open_rows(write(name, content), SKIP, need_label=True))


def test_no_row_of_numbers_is_left(write):
    with pytest.raises(DataFormatError, match="no row is left"):
        load_numbers(write("a.svm", "x\ny\n"), skip_bad=True)


def test_commands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.csv").write_text("text,label\nwin cash,spam\nat noon\nat noon,ham\n")
    assert main(["train", "a.csv", "-o", "m"]) == 1
    assert main(["train", "a.csv", "--skip-bad", "-o", "m"]) == 0
    told = capsys.readouterr().err
    assert "a.csv: 1 bad row was left out" in told and "a.csv:3:1: 1 field" in told
    assert main(["predict", "m", "a.csv", "--skip-bad", "-o", "b.csv"]) == 0
    assert len((tmp_path / "b.csv").read_text().splitlines()) == 3
    (tmp_path / "n.csv").write_text("p,q,y\n1,0,u\n0,z,v\n0,1,v\n1,0,u\n")
    assert main(["train", "n.csv", "--format", "numeric-csv", "--skip-bad", "-o", "n"]) == 0
    assert main(["predict", "n", "n.csv", "--skip-bad", "-o", "o.csv"]) == 0
    assert [line[:3] for line in (tmp_path / "o.csv").read_text().splitlines()] == [
        "p,q",
        "1,0",
        "0,1",
        "1,0",
    ]
    assert "n.csv:3:3: column 'q'" in capsys.readouterr().err
