"""Excel's workbooks of text; the tests need openpyxl, which is optional."""

import sys
import zipfile
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.exceptions import DataFormatError, FileError, MissingExtraError
from hardlimit.readers import Layout, open_rows


@pytest.fixture
def save(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")

    def write(rows, name="a.xlsx"):
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / name)
        return str(tmp_path / name)

    return write


def test_rows_come_back(save):
    path = save([["text", "label", "n"], ["win", "spam", 1], [], ["caf\u00e9", "ham", 2.5]])
    table = open_rows(path, need_label=True)
    assert [(row.line, row.text, row.label) for row in table] == [
        (2, "win", "spam"),
        (4, "caf\u00e9", "ham"),
    ]
    assert table.layout.format == "xlsx" and table.columns == ("text", "label", "n")


def test_labels_keep_their_kind_and_formulas_their_cached_value(save):
    path = save([["text", "y"], ["a", 1], ["b", True], ["c", 2.5], ["=1+1", 1]])
    with pytest.raises(DataFormatError, match="no label"):
        list(open_rows(save([["text", "y"], ["a", 1], ["b", None]], "b.xlsx"), need_label=True))
    rows = list(open_rows(path, need_label=True))
    assert [row.label for row in rows] == [1, True, 2.5, 1]
    assert rows[3].text == ""  # openpyxl writes formulas without a value


def test_columns_by_number_without_a_header(save):
    path = save([["win", "spam"], ["noon", "ham"], ["cash", "spam"]])
    layout = Layout(text=0, label=1, header=False)
    assert [row.label for row in open_rows(path, layout, need_label=True)] == [
        "spam",
        "ham",
        "spam",
    ]


def test_wider_rows_below_the_columns(save):
    rows = [["text", "label"], *[["a", "x"]] * 300, ["b", "y", "more"], ["c", "y"]]
    path = save(rows)
    with pytest.raises(DataFormatError, match="row 302: 3 cells"):
        list(open_rows(path, need_label=True))
    table = open_rows(path, Layout(skip_bad=True), need_label=True)
    assert len(list(table)) == 301 and "row 302" in table.notes()[1]


def test_hostile_workbooks(save, tmp_path):
    path = save([["text", "label"], ["a", "x"]])
    data = Path(path).read_bytes()
    for number, broken in enumerate((data[: len(data) // 2], b"", b"PK\x03\x04" + b"\0" * 40)):
        bad = tmp_path / f"bad{number}.xlsx"
        bad.write_bytes(broken)
        with pytest.raises(DataFormatError):
            list(open_rows(bad, need_label=True))
    bomb = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, old.read(part))
        new.writestr("xl/more.xml", b" " * 20_000)
    with pytest.raises(DataFormatError, match="unpacks to"):
        list(open_rows(bomb, Layout(max_line=1000), need_label=True))
    lies = tmp_path / "lies.xlsx"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(lies, "w") as new:
        for part in old.namelist():
            content = old.read(part)
            if part == "xl/worksheets/sheet1.xml":
                content = content.replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
            new.writestr(part, content)
    assert len(list(open_rows(lies, need_label=True))) == 1


def test_the_error_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "a.xlsx").write_bytes(b"PK\x03\x04")
    with pytest.raises(MissingExtraError, match=r"pip install 'hardlimit\[excel\]'"):
        open_rows(tmp_path / "a.xlsx", need_label=True)


def test_commands(save, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    save([["text", "label"], ["win cash", "spam"], ["at noon", "ham"]])
    assert main(["train", "a.xlsx", "-o", "m"]) == 0
    assert main(["predict", "m", "a.xlsx", "-o", "o.csv"]) == 0
    assert "win cash,spam,spam" in (tmp_path / "o.csv").read_text()
    assert main(["evaluate", "m", "o.csv", "--label", "label"]) == 0
    assert "2, of which 2 correct" in capsys.readouterr().out
    with pytest.raises(FileError, match="read from a file"):
        open_rows("-", Layout(format="xlsx"), need_label=True)
