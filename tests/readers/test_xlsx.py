"""Excel's workbooks of text; the tests need openpyxl, which is optional."""

import sys
import zipfile
from pathlib import Path

import pytest

from hardlimit.cli import main
from hardlimit.exceptions import DataFormatError, FileError, MissingExtraError
from hardlimit.readers import Layout, open_rows, xlsx


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


HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><worksheet '
    'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    '<row r="1"><c r="A1" t="inlineStr"><is><t>text</t></is></c>'
    '<c r="B1" t="inlineStr"><is><t>label</t></is></c></row>'
    '<row r="2"><c r="A2" t="inlineStr"><is><t>win</t></is></c>'
    '<c r="B2" t="inlineStr"><is><t>x</t></is></c></row>'
)
TAIL = "</sheetData></worksheet>"


@pytest.fixture
def with_sheet(save, tmp_path):
    """Write a workbook whose sheet goes on with rows of our own."""

    def write(rows, begin=HEAD):
        path, made = save([["text", "label"], ["a", "x"]]), tmp_path / "made.xlsx"
        with zipfile.ZipFile(path) as old, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as new:
            for part in old.namelist():
                is_sheet = part == "xl/worksheets/sheet1.xml"
                new.writestr(part, begin + rows + TAIL if is_sheet else old.read(part))
        return str(made)

    return write


def test_rows_beyond_the_last_of_excel(with_sheet, monkeypatch):
    monkeypatch.setattr(xlsx, "_MOST_ROWS", 5000)
    path = with_sheet('<row r="5000"><c r="A5000"><v>1</v></c><c r="B5000"><v>2</v></c></row>')
    assert [row.line for row in open_rows(path, need_label=True)] == [2, 5000]
    path = with_sheet('<row r="1000000000"><c r="A1000000000"><v>1</v></c></row>')
    with pytest.raises(DataFormatError, match="more than 5,000 rows"):
        list(open_rows(path, need_label=True))


@pytest.mark.parametrize("fill", ["a", "a>", "<>"])
@pytest.mark.parametrize(
    ("begin", "end"), [('<row r="3" x="', '"/>'), ("<!--", "-->"), ("<?x ", "?>"), ("<row ", "/>")]
)
def test_tags_and_comments_without_an_end(begin, end, fill, with_sheet):
    path = with_sheet(begin + fill * (400_000 // len(fill)) + end)
    with pytest.raises(DataFormatError, match="a tag or comment of more than|damaged"):
        list(open_rows(path, need_label=True))
    path = with_sheet(begin + "a" * 100_000 + end)
    if begin != "<row ":
        assert len(list(open_rows(path, need_label=True))) == 1


def test_a_long_text_is_no_long_tag(with_sheet):
    long = "a>" * 300_000
    cells = f"<is><t><![CDATA[{long}]]></t></is>", "<is><t>x</t></is>"
    row = "".join(f'<c r="{k}3" t="inlineStr">{c}</c>' for k, c in zip("AB", cells, strict=True))
    path = with_sheet(f'<row r="3">{row}</row>')
    assert [*open_rows(path, need_label=True)][1].text == long
    with pytest.raises(DataFormatError, match="row 3: a row of more than 500,000 bytes"):
        list(open_rows(path, Layout(max_line=500_000), need_label=True))


def test_empty_cells_are_counted(with_sheet):
    wide = "".join(f'<row r="{n}"><c r="XFD{n}"><v>1</v></c></row>' for n in range(3, 30))
    with pytest.raises(DataFormatError, match=r"row \d+: 2\d\d,\d\d\d cells up to here"):
        list(open_rows(with_sheet(wide), Layout(max_line=100_000), need_label=True))


def test_entities(with_sheet):
    entities = '<!DOCTYPE worksheet [<!ENTITY a "aaaaaaaa">]><worksheet '
    with pytest.raises(DataFormatError, match="entities are declared"):
        list(open_rows(with_sheet("", HEAD.replace("<worksheet ", entities)), need_label=True))
